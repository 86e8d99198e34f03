// `mbdyn lifecycle`: states of lifecycle nodes, through their lifecycle services.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ros_node.h"
#include "ros_service.h"

//---------- which nodes are managed ----------

static bool
has_get_state(const rcl_names_and_types_t * services, const char * node)
{
  const size_t length = strlen(node);
  for (size_t i = 0; i < services->names.size; i++) {
    const char * name = services->names.data[i];
    if (strncmp(name, node, length) != 0 || strcmp(name + length, "/get_state") != 0) continue;
    for (size_t k = 0; k < services->types[i].size; k++) {
      if (strcmp(services->types[i].data[k], "lifecycle_msgs/srv/GetState") == 0) return true;
    }
  }
  return false;
}

// list the lifecycle nodes that are known now; false after a message
static bool
managed_nodes(ros_session_t * s, ros_node_names_t * nodes)
{
  if (!ros_node_names(s, nodes)) return false;
  rcl_names_and_types_t services = rcl_get_zero_initialized_names_and_types();
  if (rcl_get_service_names_and_types(&s->node, &s->allocator, &services) != RCL_RET_OK) {
    ros_complain(s->args, "cannot list the services");
    ros_node_names_free(nodes);
    return false;
  }
  size_t count = 0;
  for (size_t i = 0; i < nodes->count; i++) {
    char * name = nodes->names[i];
    if (has_get_state(&services, name)) {
      nodes->names[count++] = name;
    } else {
      free(name);
    }
  }
  nodes->count = count;
  ros_ignore(rcl_names_and_types_fini(&services));
  return true;
}

static int
for_managed_nodes(const ros_args_t * args, int (*each)(ros_session_t * s, const char * node))
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  ros_node_names_t nodes = {0};
  int code = CLI_FOUND;
  if (ros_settle(&session)) {
    if (!managed_nodes(&session, &nodes)) code = CLI_TROUBLE;
    if (code == CLI_FOUND && nodes.count == 0) (void)ros_nobody(args, "lifecycle node");
    for (size_t i = 0; i < nodes.count && !atomic_load(&session.stopped); i++) {
      if (each(&session, nodes.names[i]) == CLI_OK) code = CLI_OK;
    }
  }
  ros_node_names_free(&nodes);
  ros_close(&session);
  return code;
}

static int
print_name(ros_session_t * s, const char * node)
{
  (void)s;
  puts(node);
  return CLI_OK;
}

//---------- fields of answers ----------

// a label; never NULL, whatever a node has sent
static const char *
label(const json_t * object)
{
  const char * text = json_string_value(json_object_get(object, "label"));
  return text ? text : "";
}

static int
id(const json_t * object)
{
  return (int)json_integer_value(json_object_get(object, "id"));
}

//---------- get ----------

// "active [3]", after a prefix
static int
print_state(ros_session_t * s, const char * node, const char * prefix)
{
  int code = CLI_TROUBLE;
  json_t * answer =
    ros_call_node(s, node, "get_state", "lifecycle_msgs/srv/GetState", json_object(), &code);
  if (!answer) return code;
  const json_t * state = json_object_get(answer, "current_state");
  printf("%s%s%s [%d]\n", prefix, *prefix ? ": " : "", label(state), id(state));
  json_decref(answer);
  return CLI_OK;
}

static int
get(ros_session_t * s, const char * node)
{
  return print_state(s, node, "");
}

static int
get_named(ros_session_t * s, const char * node)
{
  return print_state(s, node, node);
}

//---------- list ----------

// "available_transitions" of an answer; new reference, or NULL after a message
static json_t *
transitions(ros_session_t * s, const char * node, const char * service, int * code)
{
  json_t * answer = ros_call_node(
    s, node, service, "lifecycle_msgs/srv/GetAvailableTransitions", json_object(), code);
  json_t * list = json_incref(json_object_get(answer, "available_transitions"));
  json_decref(answer);
  return list;
}

static void
print_transition(FILE * to, const json_t * transition)
{
  fprintf(to, "- %s [%d]\n", label(transition), id(transition));
}

static int
list(ros_session_t * s, const char * node)
{
  int code = CLI_TROUBLE;
  const char * service = s->args->all ? "get_transition_graph" : "get_available_transitions";
  json_t * all = transitions(s, node, service, &code);
  if (!all) return code;
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t * each = json_array_get(all, i);
    print_transition(stdout, json_object_get(each, "transition"));
    printf("\tStart: %s\n", label(json_object_get(each, "start_state")));
    printf("\tGoal: %s\n", label(json_object_get(each, "goal_state")));
  }
  json_decref(all);
  return CLI_OK;
}

//---------- set ----------

// by label, else by id; borrowed reference, or NULL
static json_t *
find_transition(const json_t * all, const char * wanted)
{
  json_t * found = NULL;
  for (size_t i = json_array_size(all); i-- > 0;) {
    json_t * t = json_object_get(json_array_get(all, i), "transition");
    char number[16];
    snprintf(number, sizeof number, "%d", id(t));
    if (strcmp(label(t), wanted) == 0) return t;
    if (strcmp(number, wanted) == 0) found = t;
  }
  return found;
}

static int
make_transition(ros_session_t * s, const char * node, json_t * transition)
{
  int code = CLI_TROUBLE;
  json_t * request = json_pack("{s:O}", "transition", transition);
  json_t * answer =
    ros_call_node(s, node, "change_state", "lifecycle_msgs/srv/ChangeState", request, &code);
  if (!answer) return code;
  const bool good = json_is_true(json_object_get(answer, "success"));
  json_decref(answer);
  if (good) {
    puts("Transitioning successful");
  } else {
    fputs("Transitioning failed\n", stderr);
  }
  return good ? CLI_OK : CLI_FOUND;
}

static int
set(ros_session_t * s, const char * node)
{
  int code = CLI_TROUBLE;
  json_t * all = transitions(s, node, "get_available_transitions", &code);
  if (!all) return code;
  json_t * transition = find_transition(all, s->args->operands[1]);
  if (transition) {
    code = make_transition(s, node, transition);
  } else {
    fputs("Unknown transition requested, available ones are:\n", stderr);
    for (size_t i = 0; i < json_array_size(all); i++) {
      print_transition(stderr, json_object_get(json_array_get(all, i), "transition"));
    }
    code = CLI_FOUND;
  }
  json_decref(all);
  return code;
}

//---------- the command ----------

static int
for_node(const ros_args_t * args, int (*verb)(ros_session_t * s, const char * node))
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  char * node = ros_resolve(&session, args->operands[0], false);
  const int code = node ? verb(&session, node) : CLI_TROUBLE;
  free(node);
  ros_close(&session);
  return code;
}

static int
run_nodes(const ros_args_t * args)
{
  return for_managed_nodes(args, print_name);
}

static int
run_get(const ros_args_t * args)
{
  return args->operand_count ? for_node(args, get) : for_managed_nodes(args, get_named);
}

static int
run_list(const ros_args_t * args)
{
  return for_node(args, list);
}

static int
run_set(const ros_args_t * args)
{
  return for_node(args, set);
}

static const ros_option_t NODES_OPTIONS[] = {ROS_OPTION_ALL, ROS_OPTION_WAIT, {0}};
static const ros_option_t GET_OPTIONS[] = {
  ROS_OPTION_ALL, ROS_OPTION_TIMEOUT, ROS_OPTION_WAIT, {0}};
static const ros_option_t LIST_OPTIONS[] = {
  {"--all", "-a", NULL, "transitions of all states", ROS_SWITCH, ROS_FIELD(all)},
  ROS_OPTION_TIMEOUT,
  ROS_OPTION_WAIT,
  {0}};
static const ros_option_t SET_OPTIONS[] = {ROS_OPTION_TIMEOUT, ROS_OPTION_WAIT, {0}};

static const ros_verb_t VERBS[] = {
  {"nodes", "", 0, 0, "list the lifecycle nodes", "examples:\n  mbdyn lifecycle nodes",
   NODES_OPTIONS, run_nodes},
  {"get", "[NODE]", 0, 1, "print the state of a node, or of all lifecycle nodes",
   "examples:\n  mbdyn lifecycle get /mbdyn\n  mbdyn lifecycle get", GET_OPTIONS, run_get},
  {"list", "NODE", 1, 1, "list the transitions available in the current state",
   "examples:\n  mbdyn lifecycle list /mbdyn\n  mbdyn lifecycle list -a /mbdyn", LIST_OPTIONS,
   run_list},
  {"set", "NODE TRANSITION", 2, 2, "trigger a transition",
   "TRANSITION is configure, activate, deactivate, cleanup or shutdown, or its number.\n\n"
   "examples:\n  mbdyn lifecycle set /mbdyn configure\n  mbdyn lifecycle set /mbdyn activate",
   SET_OPTIONS, run_set},
  {0},
};

int
ros_lifecycle_main(int argc, char ** argv)
{
  static const ros_command_t command = {
    "lifecycle", "Inspect and change the state of lifecycle nodes.", VERBS};
  return ros_command(&command, argc, argv);
}
