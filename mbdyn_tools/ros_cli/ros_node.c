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

typedef struct node_side {
  const char * title;
  bool services, writers;
} node_side_t;

static const node_side_t SIDES[] = {
  {"Subscribers", false, false},
  {"Publishers", false, true},
  {"Service Servers", true, false},
  {"Service Clients", true, true}};

static rcl_ret_t
get_side(
  ros_session_t * s, const node_side_t * side, const char * name, const char * space,
  rcl_names_and_types_t * out)
{
  if (side->services) {
    return (
      side->writers
        ? rcl_get_client_names_and_types_by_node
        : rcl_get_service_names_and_types_by_node)(&s->node, &s->allocator, name, space, out);
  }
  return (
    side->writers ? rcl_get_publisher_names_and_types_by_node
                  : rcl_get_subscriber_names_and_types_by_node)(
    &s->node, &s->allocator, false, name, space, out);
}

static bool
print_side(ros_session_t * s, const node_side_t * side, const char * name, const char * space)
{
  rcl_names_and_types_t list = rcl_get_zero_initialized_names_and_types();
  if (get_side(s, side, name, space, &list) != RCL_RET_OK) {
    ros_complain(s->args, "cannot read the graph");
    return false;
  }
  printf("  %s:\n", side->title);
  for (size_t i = 0; i < list.names.size; i++) {
    for (size_t k = 0; k < list.types[i].size; k++) {
      printf("    %s: %s\n", list.names.data[i], list.types[i].data[k]);
    }
  }
  ros_ignore(rcl_names_and_types_fini(&list));
  return true;
}

// "/ns/name", all four sides
static bool
print_sides(ros_session_t * s, const char * node)
{
  const char * slash = strrchr(node, '/');
  char * space = strndup(node, slash == node ? 1 : (size_t)(slash - node));
  bool good = space != NULL;
  puts(node);
  for (size_t i = 0; good && i < sizeof SIDES / sizeof SIDES[0]; i++) {
    good = print_side(s, &SIDES[i], slash + 1, space);
  }
  free(space);
  return good;
}

static int
info(ros_session_t * s, const char * node)
{
  ros_node_names_t names;
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
  return print_sides(s, node) ? CLI_OK : CLI_TROUBLE;
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
