// `mbdyn param`: parameters of nodes, through their parameter services.
#include "ros_param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ros_node.h"
#include "ros_service.h"

// node and the exit code of the last call
typedef struct target {
  ros_session_t session;
  char * node;  // "/ns/name"
  int code;
} target_t;

//---------- calls ----------

// the answer of one of the node's services; the request is stolen
static json_t *
ask(target_t * target, const char * service, const char * type, json_t * request)
{
  return ros_call_node(&target->session, target->node, service, type, request, &target->code);
}

// "names" of a request: one name, or a list of them
static json_t *
names_request(const char * name)
{
  return json_pack("{s:[s]}", "names", name);
}

static int
compare(const void * a, const void * b)
{
  return strcmp(*(const char * const *)a, *(const char * const *)b);
}

static json_t *
sorted(const json_t * names)
{
  const size_t count = json_array_size(names);
  const char ** texts = calloc(count + 1, sizeof *texts);
  json_t * list = json_array();
  for (size_t i = 0; texts && i < count; i++) {
    texts[i] = json_string_value(json_array_get(names, i));
  }
  if (texts) qsort(texts, count, sizeof *texts, compare);
  for (size_t i = 0; texts && i < count; i++) json_array_append_new(list, json_string(texts[i]));
  free(texts);
  return list;
}

// names of all parameters, sorted; new reference or NULL
static json_t *
all_names(target_t * target)
{
  json_t * answer = ask(
    target, "list_parameters", "rcl_interfaces/srv/ListParameters",
    json_pack("{s:[], s:i}", "prefixes", "depth", 0));
  if (!answer) return NULL;
  json_t * names = sorted(json_object_get(json_object_get(answer, "result"), "names"));
  json_decref(answer);
  return names;
}

//---------- list ----------

static void
print_names(const json_t * names)
{
  for (size_t i = 0; i < json_array_size(names); i++) {
    printf("  %s\n", json_string_value(json_array_get(names, i)));
  }
}

static int
list_one(target_t * target)
{
  json_t * names = all_names(target);
  if (!names) return target->code;
  print_names(names);
  json_decref(names);
  return CLI_OK;
}

// of every node that has parameters
static int
list_all(target_t * target)
{
  ros_node_names_t nodes;
  if (!ros_settle(&target->session)) return CLI_FOUND;
  if (!ros_node_names(&target->session, &nodes)) return CLI_TROUBLE;
  int code = CLI_FOUND;
  for (size_t i = 0; i < nodes.count && !atomic_load(&target->session.stopped); i++) {
    target->node = nodes.names[i];
    json_t * names = all_names(target);
    if (!names) continue;
    printf("%s:\n", target->node);
    print_names(names);
    json_decref(names);
    code = CLI_OK;
  }
  target->node = NULL;
  ros_node_names_free(&nodes);
  if (code == CLI_FOUND) (void)ros_nobody(target->session.args, "node with parameters");
  return code;
}

//---------- get and set ----------

static int
get(target_t * target)
{
  const ros_args_t * args = target->session.args;
  json_t * answer = ask(
    target, "get_parameters", "rcl_interfaces/srv/GetParameters", names_request(args->operands[1]));
  if (!answer) return target->code;
  const json_t * message = json_array_get(json_object_get(answer, "values"), 0);
  const bool known = message && param_type(message) != PARAM_NOT_SET;
  if (known) {
    if (!args->hide_type) printf("%s: ", param_title(param_type(message)));
    param_print(message, stdout);
    putchar('\n');
  } else {
    fprintf(stderr, "mbdyn %s: parameter '%s' is not set\n", args->command, args->operands[1]);
  }
  json_decref(answer);
  return known ? CLI_OK : CLI_FOUND;
}

// type that the parameter has now; false after a message
static bool
current_type(target_t * target, const char * name, param_type_t * type)
{
  json_t * answer =
    ask(target, "get_parameter_types", "rcl_interfaces/srv/GetParameterTypes", names_request(name));
  if (!answer) return false;
  const json_t * first = json_array_get(json_object_get(answer, "types"), 0);
  const json_int_t number = json_integer_value(first);
  *type = number > 0 && number < PARAM_TYPE_COUNT ? (param_type_t)number : PARAM_NOT_SET;
  json_decref(answer);
  return true;
}

static int
set(target_t * target)
{
  const ros_args_t * args = target->session.args;
  param_type_t type;
  if (!current_type(target, args->operands[1], &type)) return target->code;
  char error[256];
  json_t * value = param_from_text(args->operands[2], type, error, sizeof error);
  if (!value) {
    fprintf(stderr, "mbdyn %s: value: %s\n", args->command, error);
    return CLI_TROUBLE;
  }
  json_t * answer = ask(
    target, "set_parameters", "rcl_interfaces/srv/SetParameters",
    json_pack("{s:[{s:s, s:o}]}", "parameters", "name", args->operands[1], "value", value));
  if (!answer) return target->code;
  const json_t * result = json_array_get(json_object_get(answer, "results"), 0);
  const bool good = json_is_true(json_object_get(result, "successful"));
  const char * reason = json_string_value(json_object_get(result, "reason"));
  if (good) {
    puts("Set parameter successful");
  } else {
    fprintf(stderr, "Setting parameter failed: %s\n", reason ? reason : "no reason given");
  }
  json_decref(answer);
  return good ? CLI_OK : CLI_FOUND;
}

//---------- describe ----------

static void
print_range(const json_t * descriptor, const char * field)
{
  const json_t * range = json_array_get(json_object_get(descriptor, field), 0);
  static const char * const titles[][2] = {
    {"from_value", "Min value"}, {"to_value", "Max value"}, {"step", "Step"}};
  for (size_t i = 0; range && i < 3; i++) {
    printf("    %s: ", titles[i][1]);
    ros_yaml_print_flow(json_object_get(range, titles[i][0]), stdout);
    putchar('\n');
  }
}

static void
print_descriptor(const json_t * descriptor)
{
  const char * about = json_string_value(json_object_get(descriptor, "description"));
  const char * more = json_string_value(json_object_get(descriptor, "additional_constraints"));
  printf("Parameter name: %s\n", json_string_value(json_object_get(descriptor, "name")));
  printf("  Type: %s\n", param_type_name(param_type(descriptor)));
  if (about && *about) printf("  Description: %s\n", about);
  puts("  Constraints:");
  if (json_is_true(json_object_get(descriptor, "read_only"))) puts("    Read only: true");
  print_range(descriptor, "floating_point_range");
  print_range(descriptor, "integer_range");
  if (more && *more) printf("    Additional constraints: %s\n", more);
}

static int
describe(target_t * target)
{
  const ros_args_t * args = target->session.args;
  json_t * answer = ask(
    target, "describe_parameters", "rcl_interfaces/srv/DescribeParameters",
    names_request(args->operands[1]));
  if (!answer) return target->code;
  const json_t * descriptor = json_array_get(json_object_get(answer, "descriptors"), 0);
  const bool known = descriptor && param_type(descriptor) != PARAM_NOT_SET;
  if (known) {
    print_descriptor(descriptor);
  } else {
    fprintf(stderr, "mbdyn %s: parameter '%s' is not set\n", args->command, args->operands[1]);
  }
  json_decref(answer);
  return known ? CLI_OK : CLI_FOUND;
}

//---------- dump ----------

// "a.b" goes into the object "a", unless "a" is a parameter itself
static void
put_nested(json_t * object, const char * name, json_t * value)
{
  const char * dot = strchr(name, '.');
  if (!dot) {
    json_object_set_new(object, name, value);
    return;
  }
  char head[256];
  snprintf(head, sizeof head, "%.*s", (int)(dot - name), name);
  json_t * inner = json_object_get(object, head);
  if (!inner) {
    inner = json_object();
    json_object_set_new(object, head, inner);
  }
  if (json_is_object(inner)) {
    put_nested(inner, dot + 1, value);
  } else {
    json_object_set_new(object, name, value);
  }
}

static int
dump(target_t * target)
{
  json_t * names = all_names(target);
  if (!names) return target->code;
  json_t * answer = ask(
    target, "get_parameters", "rcl_interfaces/srv/GetParameters",
    json_pack("{s:O}", "names", names));
  if (answer) {
    json_t * tree = json_object();
    for (size_t i = 0; i < json_array_size(names); i++) {
      json_t * value = param_value(json_array_get(json_object_get(answer, "values"), i));
      if (value) put_nested(tree, json_string_value(json_array_get(names, i)), value);
    }
    printf("%s:\n  ros__parameters:\n", target->node);
    ros_yaml_print(tree, 4, stdout);
    json_decref(tree);
    json_decref(answer);
  }
  json_decref(names);
  return answer ? CLI_OK : target->code;
}

//---------- the command ----------

static int
run_verb(const ros_args_t * args, int (*verb)(target_t * target))
{
  target_t target = {0};
  if (!ros_open(&target.session, args)) return CLI_TROUBLE;
  int code = CLI_TROUBLE;
  if (args->operand_count == 0) {
    code = list_all(&target);
  } else if ((target.node = ros_resolve(&target.session, args->operands[0], false)) != NULL) {
    code = verb(&target);
  }
  free(target.node);
  ros_close(&target.session);
  return code;
}

static int
run_list(const ros_args_t * args)
{
  return run_verb(args, list_one);
}

static int
run_get(const ros_args_t * args)
{
  return run_verb(args, get);
}

static int
run_set(const ros_args_t * args)
{
  return run_verb(args, set);
}

static int
run_describe(const ros_args_t * args)
{
  return run_verb(args, describe);
}

static int
run_dump(const ros_args_t * args)
{
  return run_verb(args, dump);
}

static const ros_option_t LIST_OPTIONS[] = {
  ROS_OPTION_ALL, ROS_OPTION_TIMEOUT, ROS_OPTION_WAIT, {0}};
static const ros_option_t OPTIONS[] = {ROS_OPTION_TIMEOUT, ROS_OPTION_WAIT, {0}};
static const ros_option_t GET_OPTIONS[] = {
  {"--hide-type", NULL, NULL, "print only the value", ROS_SWITCH, ROS_FIELD(hide_type)},
  ROS_OPTION_TIMEOUT,
  ROS_OPTION_WAIT,
  {0}};

static const ros_verb_t VERBS[] = {
  {"list", "[NODE]", 0, 1, "list the parameters of a node, or of all nodes",
   "examples:\n  mbdyn param list /mbdyn", LIST_OPTIONS, run_list},
  {"get", "NODE NAME", 2, 2, "print the value of a parameter",
   "examples:\n  mbdyn param get /mbdyn rate\n  mbdyn param get --hide-type /mbdyn rate",
   GET_OPTIONS, run_get},
  {"set", "NODE NAME VALUE", 3, 3, "set a parameter",
   "VALUE is YAML or JSON. Integers are accepted for double parameters, and any value for "
   "string\nparameters.\n\n"
   "examples:\n  mbdyn param set /mbdyn rate 500\n"
   "  mbdyn param set /mbdyn gravity '[0, 0, -9.81]'",
   OPTIONS, run_set},
  {"describe", "NODE NAME", 2, 2, "print type, description and range of a parameter",
   "examples:\n  mbdyn param describe /mbdyn rate", OPTIONS, run_describe},
  {"dump", "NODE", 1, 1, "print all parameters as a parameter file",
   "examples:\n  mbdyn param dump /mbdyn > params.yaml", OPTIONS, run_dump},
  {0},
};

int
ros_param_main(int argc, char ** argv)
{
  static const ros_command_t command = {
    "param", "Inspect and change the parameters of nodes.", VERBS};
  return ros_command(&command, argc, argv);
}
