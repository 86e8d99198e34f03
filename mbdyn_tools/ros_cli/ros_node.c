// `mbdyn node`: nodes that there are, and what belongs to them.
#include "ros_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "rcl/error_handling.h"
#include "ros_graph.h"
#include "text.h"

//---------- names ----------

static int
compare(const void * a, const void * b)
{
  return strcmp(*(char * const *)a, *(char * const *)b);
}

static char *
join(const char * space, const char * name)
{
  const size_t size = strlen(space) + strlen(name) + 2;
  char * full = malloc(size);
  if (full) snprintf(full, size, "%s%s%s", space, strcmp(space, "/") == 0 ? "" : "/", name);
  return full;
}

static bool
join_all(
  const rcutils_string_array_t * names, const rcutils_string_array_t * spaces, bool all,
  ros_node_names_t * out)
{
  out->names = calloc(names->size + 1, sizeof *out->names);
  if (!out->names) return false;
  for (size_t i = 0; i < names->size; i++) {
    if (!all && ros_is_hidden(names->data[i])) continue;
    char * full = join(spaces->data[i], names->data[i]);
    if (!full) return false;
    out->names[out->count++] = full;
  }
  qsort(out->names, out->count, sizeof *out->names, compare);
  return true;
}

bool
ros_node_names(ros_session_t * s, ros_node_names_t * out)
{
  *out = (ros_node_names_t){0};
  rcutils_string_array_t names = rcutils_get_zero_initialized_string_array();
  rcutils_string_array_t spaces = rcutils_get_zero_initialized_string_array();
  const rcl_ret_t ret = rcl_get_node_names(&s->node, s->allocator, &names, &spaces);
  const bool good = ret == RCL_RET_OK && join_all(&names, &spaces, s->args->all, out);
  if (!good) ros_complain(s->args, "cannot list the nodes");
  ros_ignore(rcutils_string_array_fini(&names));
  ros_ignore(rcutils_string_array_fini(&spaces));
  return good;
}

void
ros_node_names_free(ros_node_names_t * names)
{
  for (size_t i = 0; i < names->count; i++) free(names->names[i]);
  free(names->names);
  *names = (ros_node_names_t){0};
}

//---------- list ----------

static int
run_list(const ros_args_t * args)
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  ros_node_names_t names = {0};
  int code = CLI_FOUND;
  if (ros_settle(&session)) {
    const bool read = ros_node_names(&session, &names);
    for (size_t i = 0; i < names.count; i++) puts(names.names[i]);
    code = !read ? CLI_TROUBLE : names.count ? CLI_OK : ros_nobody(args, "node");
  }
  ros_node_names_free(&names);
  ros_close(&session);
  return code;
}

//---------- info ----------

static void
print_side(const ros_graph_t * graph, const char * node, unsigned kind, const char * title)
{
  printf("  %s:\n", title);
  for (size_t i = 0; i < graph->count; i++) {
    const ros_endpoint_t * e = &graph->endpoints[i];
    if (e->kind != kind || !e->node || strcmp(e->node, node) != 0) continue;
    printf("    %s: %s\n", e->name, e->type);
  }
}

static int
info(ros_session_t * s, const char * node)
{
  ros_node_names_t names;
  ros_graph_t graph;
  if (!ros_node_names(s, &names)) return CLI_TROUBLE;
  bool found = false;
  closest_t closest = closest_to(node);
  for (size_t i = 0; i < names.count; i++) {
    found = found || strcmp(names.names[i], node) == 0;
    closest_offer(&closest, names.names[i]);
  }
  if (!found) {
    fprintf(stderr, "mbdyn %s: no node '%s'%s\n", s->args->command, node, closest_hint(&closest));
  }
  ros_node_names_free(&names);
  if (!found) return CLI_FOUND;
  if (!ros_graph_read(s, &graph)) return CLI_TROUBLE;
  puts(node);
  print_side(&graph, node, ROS_SUBSCRIPTION, "Subscribers");
  print_side(&graph, node, ROS_PUBLISHER, "Publishers");
  print_side(&graph, node, ROS_SERVER, "Service Servers");
  print_side(&graph, node, ROS_CLIENT, "Service Clients");
  ros_graph_free(&graph);
  return CLI_OK;
}

static int
run_info(const ros_args_t * args)
{
  ros_session_t session;
  ros_args_t every = *args;
  every.all = true;
  if (!ros_open(&session, &every)) return CLI_TROUBLE;
  int code = CLI_TROUBLE;
  char * node = ros_resolve(&session, args->operands[0], false);
  if (node) code = ros_settle(&session) ? info(&session, node) : CLI_FOUND;
  free(node);
  ros_close(&session);
  return code;
}

//---------- the command ----------

static const ros_option_t LIST_OPTIONS[] = {ROS_OPTION_ALL, ROS_OPTION_WAIT, {0}};
static const ros_option_t INFO_OPTIONS[] = {ROS_OPTION_WAIT, {0}};

static const ros_verb_t VERBS[] = {
  {"list", "", 0, 0, "list the nodes", "examples:\n  mbdyn node list\n  mbdyn node list -a",
   LIST_OPTIONS, run_list},
  {"info", "NODE", 1, 1, "print the topics and services of a node",
   "examples:\n  mbdyn node info /mbdyn", INFO_OPTIONS, run_info},
  {0},
};

int
ros_node_main(int argc, char ** argv)
{
  static const ros_command_t command = {"node", "Inspect ROS 2 nodes.", VERBS};
  return ros_command(&command, argc, argv);
}
