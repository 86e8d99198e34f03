// The command line, remapping rules and parameters, by tables.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rcl/arguments.h"
#include "rcl/remap.h"
#include "rcl_yaml_param_parser/parser.h"
#include "support.h"

enum { MAX_ARGS = 12 };

static rcl_ret_t
parse(const char * const * words, rcl_arguments_t * arguments)
{
  const char * argv[MAX_ARGS + 1] = {"program"};
  int argc = 1;
  while (argc <= MAX_ARGS && words[argc - 1] != NULL) {
    argv[argc] = words[argc - 1];
    argc++;
  }
  *arguments = rcl_get_zero_initialized_arguments();
  return rcl_parse_arguments(argc, argv, rcl_get_default_allocator(), arguments);
}

// which command lines are refused, and what is left of the others
static void
command_lines(void ** state)
{
  (void)state;
  static const struct {
    const char * words[MAX_ARGS];
    rcl_ret_t ret;
    int unparsed, unparsed_ros;  // the program's name counts
  } table[] = {
    {{NULL}, RCL_RET_OK, 1, 0},
    {{"a", "--b"}, RCL_RET_OK, 3, 0},
    {{"--ros-args"}, RCL_RET_OK, 1, 0},
    {{"a", "--ros-args", "--", "b"}, RCL_RET_OK, 3, 0},
    {{"--ros-args", "-r", "a:=b", "--", "c", "--ros-args", "-r", "d:=e"}, RCL_RET_OK, 2, 0},
    {{"--ros-args", "--ros-args", "-r", "a:=b"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--unknown", "-x"}, RCL_RET_OK, 1, 2},
    {{"a:=b"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--disable-stdout-logs", "--enable-rosout-logs"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--disable-external-lib-logs"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--disable-other-logs"}, RCL_RET_OK, 1, 1},
    {{"--ros-args", "--log-level", "warn"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--log-level", "rcl:=DEBUG"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--log-level", "loud"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "--log-level", ":=debug"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "--enclave", "/a/b"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "--log-config-file", "x"}, RCL_RET_OK, 1, 0},
    {{"--ros-args", "-r"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "--params-file"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "--params-file", "/does/not/exist"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", ":=1"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "/a/b:x:=1"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "a-b:=1"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "1x:=1"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:=[1, 2.5]"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:=[a, 1]"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:={a: 1}"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:=[[1]]"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:=[1"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
    {{"--ros-args", "-p", "x:=*a"}, RCL_RET_INVALID_ROS_ARGS, 0, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    rcl_arguments_t arguments;
    rcl_ret_t ret = parse(table[i].words, &arguments);
    rcl_reset_error();
    if (ret != table[i].ret) fail_msg("line %zu: %d, not %d", i, ret, table[i].ret);
    if (ret != RCL_RET_OK) {
      assert_null(arguments.impl);
      continue;
    }
    int unparsed = rcl_arguments_get_count_unparsed(&arguments);
    int unparsed_ros = rcl_arguments_get_count_unparsed_ros(&arguments);
    if (unparsed != table[i].unparsed || unparsed_ros != table[i].unparsed_ros) {
      fail_msg("line %zu: %d and %d left", i, unparsed, unparsed_ros);
    }
    OK(rcl_arguments_fini(&arguments));
  }
}

// what stands before ":=" in a parameter rule, and values that are none
static void
param_rules(void ** state)
{
  (void)state;
  static const char * const good[] = {"x:=1",   "arm:x:=1", "_x:=1",      "a__b:=1",
                                      "a.b:=1", "a/b:=1",   "/a:=1",      "a/:=1",
                                      "a_:=1",  "ros:a:=1", "rostopic:=1"};
  static const char * const bad[] = {
    "/arm:x:=1", "/left/arm:x:=1", "/**:x:=1", "*:x:=1", "s/n:x:=1", "a__b:x:=1", "a:b:x:=1",
    ":x:=1",     "a::=1",          ".a:=1",    "a.:=1",  "a..b:=1",  "__x:=1",    "a.__x:=1",
    "a___b:=1",  "a.1:=1",         "a/1:=1",   "x:=",    "x:=|",     "x:=>",      "x:=-"};
  size_t goods = sizeof good / sizeof good[0];
  for (size_t i = 0; i < goods + sizeof bad / sizeof bad[0]; i++) {
    const char * words[MAX_ARGS] = {"--ros-args", "-p", i < goods ? good[i] : bad[i - goods]};
    rcl_arguments_t arguments;
    rcl_ret_t ret = parse(words, &arguments);
    rcl_reset_error();
    if (ret != (i < goods ? RCL_RET_OK : RCL_RET_INVALID_ROS_ARGS)) {
      fail_msg("'%s': %d", words[2], ret);
    }
    if (ret == RCL_RET_OK) OK(rcl_arguments_fini(&arguments));
  }
}

// remapping of topics, with the node /ns/node
static void
remapping(void ** state)
{
  (void)state;
  static const struct {
    const char *rule, *name, *mapped;  // NULL: as it was
  } table[] = {
    {"a:=b", "/ns/a", "/ns/b"},           {"a:=b", "/a", NULL},
    {"/a:=/b/c", "/a", "/b/c"},           {"~/a:=b", "/ns/node/a", "/ns/b"},
    {"a:=~/b", "/ns/a", "/ns/node/b"},    {"node:a:=b", "/ns/a", "/ns/b"},
    {"other:a:=b", "/ns/a", NULL},        {"rostopic://a:=b", "/ns/a", "/ns/b"},
    {"rosservice://a:=b", "/ns/a", NULL}, {"__node:=b", "/ns/a", NULL},
    {"a/b:=c/d", "/ns/a/b", "/ns/c/d"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const char * words[MAX_ARGS] = {"--ros-args", "-r", table[i].rule};
    rcl_arguments_t arguments;
    OK(parse(words, &arguments));
    char * mapped = NULL;
    rcl_allocator_t allocator = rcl_get_default_allocator();
    OK(rcl_remap_topic_name(NULL, &arguments, table[i].name, "node", "/ns", allocator, &mapped));
    if (table[i].mapped == NULL ? mapped != NULL : mapped == NULL) fail_msg("rule %zu", i);
    if (mapped != NULL) assert_string_equal(mapped, table[i].mapped);
    allocator.deallocate(mapped, allocator.state);
    OK(rcl_arguments_fini(&arguments));
  }
  static const char * const bad[] = {"a:=",    ":=b",       "a:b",       "a::=b",      "a:=b:=c",
                                     "1a:=b",  "a:=1b",     "a/:=b",     "a:=b/",      "a//b:=c",
                                     "*:=b",   "a:=b c",    "__node:=",  "__node:=/a", "__ns:=a",
                                     "__x:=a", "__ns:=/1a", "{node}:=a", "a",          ""};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const char * words[MAX_ARGS] = {"--ros-args", "-r", bad[i]};
    rcl_arguments_t arguments;
    rcl_ret_t ret = parse(words, &arguments);
    rcl_reset_error();
    if (ret != RCL_RET_INVALID_ROS_ARGS) fail_msg("'%s' is taken as a rule", bad[i]);
  }
}

// the first rule counts; a node's own rules come before those of the command line
static void
remapping_order(void ** state)
{
  (void)state;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  const char * global_words[MAX_ARGS] = {"--ros-args", "-r", "a:=first",   "-r", "a:=second", "-r",
                                         "__ns:=/n",   "-r", "x:__name:=y"};
  const char * local_words[MAX_ARGS] = {"--ros-args", "-r", "a:=own"};
  rcl_arguments_t global;
  rcl_arguments_t local;
  OK(parse(global_words, &global));
  OK(parse(local_words, &local));
  char * mapped = NULL;
  OK(rcl_remap_service_name(NULL, &global, "/a", "node", "/", allocator, &mapped));
  assert_string_equal(mapped, "/first");
  allocator.deallocate(mapped, allocator.state);
  OK(rcl_remap_service_name(&local, &global, "/a", "node", "/", allocator, &mapped));
  assert_string_equal(mapped, "/own");
  allocator.deallocate(mapped, allocator.state);
  OK(rcl_remap_node_namespace(NULL, &global, "node", allocator, &mapped));
  assert_string_equal(mapped, "/n");
  allocator.deallocate(mapped, allocator.state);
  OK(rcl_remap_node_name(NULL, &global, "node", allocator, &mapped));
  assert_null(mapped);
  OK(rcl_remap_node_name(NULL, &global, "x", allocator, &mapped));
  assert_string_equal(mapped, "y");
  allocator.deallocate(mapped, allocator.state);
  rcl_arguments_t copy = rcl_get_zero_initialized_arguments();
  OK(rcl_arguments_copy(&global, &copy));
  OK(rcl_remap_node_name(NULL, &copy, "x", allocator, &mapped));
  assert_string_equal(mapped, "y");
  allocator.deallocate(mapped, allocator.state);
  OK(rcl_arguments_fini(&copy));
  OK(rcl_arguments_fini(&local));
  OK(rcl_arguments_fini(&global));
}

//---------- parameters ----------

static void
describe(const rcl_variant_t * value, char * text, size_t size)
{
  int n = 0;
  text[0] = '\0';
#define PUT(...) n += snprintf(text + n, size - (size_t)n, __VA_ARGS__)
  if (value->bool_value != NULL) PUT("bool %d;", *value->bool_value);
  if (value->integer_value != NULL) PUT("int %ld;", (long)*value->integer_value);
  if (value->double_value != NULL) PUT("double %g;", *value->double_value);
  if (value->string_value != NULL) PUT("string %s;", value->string_value);
  if (value->bool_array_value != NULL) {
    PUT("bools");
    const rcl_bool_array_t * array = value->bool_array_value;
    for (size_t i = 0; i < array->size; i++) PUT(" %d", array->values[i]);
  }
  if (value->integer_array_value != NULL) {
    PUT("ints");
    const rcl_int64_array_t * array = value->integer_array_value;
    for (size_t i = 0; i < array->size; i++) PUT(" %ld", (long)array->values[i]);
  }
  if (value->double_array_value != NULL) {
    PUT("doubles");
    const rcl_double_array_t * array = value->double_array_value;
    for (size_t i = 0; i < array->size; i++) PUT(" %g", array->values[i]);
  }
  if (value->string_array_value != NULL) {
    PUT("strings");
    const rcutils_string_array_t * array = value->string_array_value;
    for (size_t i = 0; i < array->size; i++) PUT(" %s", array->data[i]);
  }
#undef PUT
}

// types of single values
static void
values(void ** state)
{
  (void)state;
  static const struct {
    const char *yaml, *value;
  } table[] = {
    {"true", "bool 1;"},
    {"off", "bool 0;"},
    {"'true'", "string true;"},
    {"12", "int 12;"},
    {"-3", "int -3;"},
    {"0x10", "int 16;"},
    {"1.5", "double 1.5;"},
    {"1e3", "double 1000;"},
    {".inf", "double inf;"},
    {"-.inf", "double -inf;"},
    {".nan", "double nan;"},
    {"1.5.2", "string 1.5.2;"},
    {"\"12\"", "string 12;"},
    {"''", "string ;"},
    {"!!str 12", "string 12;"},
    {"a b", "string a b;"},
    {"[]", ""},
    {"[true, no]", "bools 1 0"},
    {"[1, 2, 3]", "ints 1 2 3"},
    {"[0.0, 0.0, -9.81]", "doubles 0 0 -9.81"},
    {"[a, 'b', \"1\"]", "strings a b 1"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char rule[64];
    snprintf(rule, sizeof rule, "arm.x/y:=%s", table[i].yaml);
    const char * words[MAX_ARGS] = {"--ros-args", "-p", rule};
    rcl_arguments_t arguments;
    OK(parse(words, &arguments));
    rcl_params_t * params = NULL;
    OK(rcl_arguments_get_param_overrides(&arguments, &params));
    assert_int_equal(params->num_nodes, 1);
    assert_string_equal(params->node_names[0], "/**");
    assert_int_equal(params->params[0].num_params, 1);
    assert_string_equal(params->params[0].parameter_names[0], "arm.x/y");
    char text[128];
    describe(&params->params[0].parameter_values[0], text, sizeof text);
    assert_string_equal(text, table[i].value);
    rcl_yaml_node_struct_fini(params);
    OK(rcl_arguments_fini(&arguments));
  }
}

static void
write_file(char * path, const char * text)
{
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
}

static void
expect(rcl_params_t * params, const char * node, const char * name, const char * value)
{
  size_t nodes = params->num_nodes;
  rcl_variant_t * variant = rcl_yaml_node_struct_get(node, name, params);
  assert_int_equal(params->num_nodes, nodes);
  char text[256];
  describe(variant, text, sizeof text);
  assert_string_equal(text, value);
}

// a file with nested and wildcard names, then overrides after it
static void
files(void ** state)
{
  (void)state;
  char path[] = "test_params_XXXXXX";
  write_file(
    path,
    "# a comment\n"
    "/**:\n"
    "  ros__parameters:\n"
    "    rate: 500\n"
    "    limits: {effort: 10.5, names: [j1, j2]}\n"
    "left:\n"
    "  arm:\n"
    "    ros__parameters:\n"
    "      text: |\n"
    "        two\n"
    "        lines\n"
    "      empty: []\n"
    "/right/*:\n"
    "  ros__parameters:\n"
    "    flag: yes\n");
  const char * words[MAX_ARGS] = {"--ros-args", "--params-file", path, "-p", "rate:=1.5",
                                  "-p",         "arm:rate:=3"};
  rcl_arguments_t arguments;
  OK(parse(words, &arguments));
  unlink(path);
  assert_int_equal(rcl_arguments_get_param_files_count(&arguments), 1);
  rcl_params_t * params = NULL;
  OK(rcl_arguments_get_param_overrides(&arguments, &params));
  FAILS(rcl_arguments_get_param_overrides(&arguments, &params), RCL_RET_INVALID_ARGUMENT);
  assert_int_equal(params->num_nodes, 4);
  assert_string_equal(params->node_names[0], "/**");
  assert_string_equal(params->node_names[1], "left/arm");
  assert_string_equal(params->node_names[2], "/right/*");
  assert_string_equal(params->node_names[3], "arm");
  expect(params, "/**", "rate", "double 1.5;");
  expect(params, "/**", "limits.effort", "double 10.5;");
  expect(params, "/**", "limits.names", "strings j1 j2");
  expect(params, "left/arm", "text", "string two\nlines\n;");
  expect(params, "left/arm", "empty", "");
  expect(params, "/right/*", "flag", "bool 1;");
  expect(params, "arm", "rate", "int 3;");
  rcl_yaml_node_struct_fini(params);
  OK(rcl_arguments_fini(&arguments));
}

// files that are refused, each with a reason that has the line
static void
bad_files(void ** state)
{
  (void)state;
  static const struct {
    const char *text, *why;
  } table[] = {
    {"a: 1\n", "before ros__parameters"},
    {"ros__parameters:\n  a: 1\n", "no valid node name"},
    {"n:\n  ros__parameters:\n    a:\n", "missing value at line"},
    {"n:\n  ros__parameters:\n", "missing value at line"},
    {"n:\n  ros__parameters:\n    a: [1, 2.5]\n", "same type at line 3"},
    {"n:\n  ros__parameters:\n    a: [{b: 1}]\n", "scalars at line 3"},
    {"n:\n  ros__parameters:\n    a: &x 1\n    b: *x\n", "aliases are not supported at line 4"},
    {"n:\n  ros__parameters: {a: 1\n", "not valid YAML"},
    {"a b:\n  ros__parameters:\n    x: 1\n", "no valid node name"},
    {"1a:\n  ros__parameters:\n    x: 1\n", "no valid node name"},
    {"- a\n", "before ros__parameters"},
    {"n:\n  ros__parameters:\n    ? [a]\n    : 1\n", "key must be plain"},
    {"n:\n  ros__parameters:\n    x: 1\n---\nm:\n  ros__parameters:\n    x: 1\n",
     "second document at line 4"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char path[] = "test_params_XXXXXX";
    write_file(path, table[i].text);
    rcl_params_t * params = rcl_yaml_node_struct_init(rcl_get_default_allocator());
    assert_false(rcl_parse_yaml_file(path, params));
    unlink(path);
    if (strstr(rcl_get_error_string().str, table[i].why) == NULL) {
      fail_msg("file %zu: '%s' has no '%s'", i, rcl_get_error_string().str, table[i].why);
    }
    rcl_reset_error();
    rcl_yaml_node_struct_fini(params);
  }
  // depth has a limit
  char deep[4096] = "n: {ros__parameters: ";
  for (int i = 0; i < 100; i++) strcat(deep, "{a: ");
  char path[] = "test_params_XXXXXX";
  write_file(path, deep);
  rcl_params_t * params = rcl_yaml_node_struct_init(rcl_get_default_allocator());
  assert_false(rcl_parse_yaml_file(path, params));
  unlink(path);
  assert_non_null(strstr(rcl_get_error_string().str, "deep"));
  rcl_reset_error();
  rcl_yaml_node_struct_fini(params);
  // and so has the number of parameters, each of which is compared with all others
  static char many[1000000] = "n:\n  ros__parameters:\n";
  size_t n = strlen(many);
  for (int i = 0; n < sizeof many - 100; i++) {
    n += (size_t)snprintf(many + n, sizeof many - n, "    p%d: 1\n", i);
  }
  char many_path[] = "test_params_XXXXXX";
  write_file(many_path, many);
  params = rcl_yaml_node_struct_init(rcl_get_default_allocator());
  const clock_t begin = clock();
  assert_false(rcl_parse_yaml_file(many_path, params));
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 3);
  unlink(many_path);
  assert_non_null(strstr(rcl_get_error_string().str, "more than 10000 parameters at line 10003"));
  rcl_reset_error();
  rcl_yaml_node_struct_fini(params);
}

// what is left of argv without the part for ROS
static void
rest_of_argv(void ** state)
{
  (void)state;
  const char * argv[] = {"program", "a", "--ros-args", "-r", "x:=y", "--", "b"};
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_arguments_t arguments = rcl_get_zero_initialized_arguments();
  OK(rcl_parse_arguments(7, argv, allocator, &arguments));
  int argc = 0;
  const char ** rest = NULL;
  OK(rcl_remove_ros_arguments(argv, &arguments, allocator, &argc, &rest));
  assert_int_equal(argc, 3);
  assert_string_equal(rest[1], "a");
  assert_string_equal(rest[2], "b");
  allocator.deallocate(rest, allocator.state);
  int * indices = NULL;
  OK(rcl_arguments_get_unparsed(&arguments, allocator, &indices));
  assert_int_equal(indices[2], 6);
  allocator.deallocate(indices, allocator.state);
  rcl_log_levels_t levels = rcl_get_zero_initialized_log_levels();
  OK(rcl_arguments_get_log_levels(&arguments, &levels));
  assert_int_equal(levels.num_logger_settings, 0);
  OK(rcl_log_levels_fini(&levels));
  OK(rcl_arguments_fini(&arguments));
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(command_lines),   cmocka_unit_test(remapping),
    cmocka_unit_test(remapping_order), cmocka_unit_test(values),
    cmocka_unit_test(files),           cmocka_unit_test(bad_files),
    cmocka_unit_test(rest_of_argv),    cmocka_unit_test(param_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
