// Values from real command lines and parameter files, and long ones across processes.
#include <regex.h>
#include <signal.h>
#include <unistd.h>

#include "param_peer.h"
#include "parameter_overrides.h"
#include "rcl_yaml_param_parser/parser.h"

//---------- blocks ----------

// how rclcpp decides: "/*" becomes "(/\w+)", and so "/**" becomes "(/\w+)*"
static bool
fits_for_rclcpp(const char * block, const char * name)
{
  char pattern[512];
  int n = snprintf(pattern, sizeof pattern, "^%s", block[0] != '/' ? "/" : "");
  for (const char * b = block; *b != '\0'; b++) {
    const bool star = b[0] == '/' && b[1] == '*';
    const char one[] = {b[0], '\0'};
    n += snprintf(pattern + n, sizeof pattern - (size_t)n, "%s", star ? "(/[[:alnum:]_]+)" : one);
    if (star) b++;
  }
  snprintf(pattern + n, sizeof pattern - (size_t)n, "$");
  regex_t regex;
  assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
  const bool fits = regexec(&regex, name, 0, NULL, 0) == 0;
  regfree(&regex);
  return fits;
}

static uint64_t seed = 1;

static unsigned
random_below(unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static void
random_name(char * name, const char * const * parts, unsigned n_parts, bool may_be_relative)
{
  name[0] = '\0';
  const unsigned n = 1 + random_below(4);
  for (unsigned i = 0; i < n; i++) {
    if (i > 0 || !may_be_relative || random_below(3) > 0) strcat(name, "/");
    strcat(name, parts[random_below(n_parts)]);
  }
}

static void
blocks_fit_as_in_rclcpp(void ** state)
{
  (void)state;
  static const char * const parts[] = {"a", "ab", "b", "*", "**"};
  int fit = 0;
  for (int i = 0; i < 20000; i++) {
    char block[64], name[64];
    random_name(block, parts, 5, true);
    // a star without a slash before it means something else to a regular expression
    if (block[0] == '*') continue;
    random_name(name, parts, 3, false);
    const bool expected = fits_for_rclcpp(block, name);
    if (param_block_fits(block, name) != expected) {
      fail_msg("'%s' and '%s': not %d", block, name, expected);
    }
    fit += expected;
  }
  assert_true(fit > 2000);
}

static void
blocks_in_plain_words(void ** state)
{
  (void)state;
  static const struct {
    const char *block, *name;
    bool fits;
  } cases[] = {
    {"/**", "/arm", true},
    {"/**", "/left/arm", true},
    {"**", "/left/arm", true},
    {"/*", "/arm", true},
    {"/*", "/left/arm", false},
    {"*", "/arm", true},
    {"arm", "/arm", true},
    {"arm", "/left/arm", false},
    {"/arm", "/arm", true},
    {"/left/arm", "/left/arm", true},
    {"left/arm", "/left/arm", true},
    {"/left/*", "/left/arm", true},
    {"/*/arm", "/left/arm", true},
    {"/**/arm", "/left/arm", true},
    {"/**/arm", "/arm", true},
    {"/**/arm", "/left/arms", false},
    {"/left/**", "/left", true},
    {"/left/**", "/left/a/b", true},
    {"/left", "/left/arm", false},
    {"/left/arm/x", "/left/arm", false},
    {"/lef", "/left", false},
    {"/left/", "/left", false},
    {"/", "/arm", false},
    {"", "/arm", false},
    {"/**/a/**/b", "/x/a/y/a/z/b", true},
    {"/**/a/**/b", "/x/a/y/a/z/c", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (param_block_fits(cases[i].block, cases[i].name) == cases[i].fits) continue;
    fail_msg("'%s' and '%s'", cases[i].block, cases[i].name);
  }
}

//---------- files ----------

static char file_name[] = "/tmp/test_parameter_overrides_XXXXXX";

static void
write_file(const char * text)
{
  FILE * file = fopen(file_name, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

// a node started like this has these values
static void
expect_values(const char * const * arguments, const char * names, const char * expected)
{
  param_node_t node;
  param_client_t client;
  param_node_open(&node, arguments, NULL);
  assert_non_null(node.server);
  param_client_open(&client, &node.support, &node.executor);
  assert_string_equal(get_text(&client, names), expected);
  param_client_close(&client);
  param_node_close(&node);
}

static void
values_of_each_type_come_from_a_file(void ** state)
{
  (void)state;
  write_file(
    "/left/arm:\n"
    "  ros__parameters:\n"
    "    on: false\n"
    "    steps: 7\n"
    "    rate: 20\n"
    "    on_stale: zero\n"
    "    key: [0, 255]\n"
    "    mask: [false, true, true]\n"
    "    ids: [5]\n"
    "    gravity: [1, 2, 3]\n"
    "    fixed: z\n"
    "    use_sim_time: true\n"
    "    publish: {terms: [c, a]}\n"
    "    limits:\n"
    "      torque: 1.5\n"
    "      arm: {torque: 2.5}\n");
  const char * const arguments[] = {"--ros-args", "--params-file", file_name, NULL};
  expect_values(
    arguments,
    "on steps rate on_stale key mask ids gravity fixed use_sim_time publish.terms limits.torque "
    "limits.arm.torque",
    "bool 0; integer 7; double 20; string zero; bytes 0 255; bools 0 1 1; integers 5; "
    "doubles 1 2 3; string z; bool 1; strings c a; double 1.5; double 2.5");
}

static void
an_empty_list_has_no_type(void ** state)
{
  (void)state;
  write_file(
    "/**: {ros__parameters: {gravity: [], key: [], mask: [], ids: [], publish.terms: []}}\n");
  const char * const arguments[] = {"--ros-args", "--params-file", file_name, NULL};
  expect_values(
    arguments, "gravity key mask ids publish.terms", "doubles; bytes; bools; integers; strings");
}

// of the blocks that fit, the one that appears last; what others are given is not ours
static void
the_last_value_counts(void ** state)
{
  (void)state;
  write_file(
    "/**: {ros__parameters: {rate: 2.0, steps: 2, limits.torque: 2.0}}\n"
    "/right/arm: {ros__parameters: {rate: 3.0, steps: 3}}\n"
    "/arm: {ros__parameters: {rate: 3.0, steps: 3}}\n"
    "/*: {ros__parameters: {rate: 3.0, steps: 3}}\n"
    "left/arm: {ros__parameters: {rate: 4.0, steps: 4}}\n"
    "/*/arm: {ros__parameters: {steps: 5}}\n");
  const char * const file[] = {"--ros-args", "--params-file", file_name, NULL};
  expect_values(file, "rate steps limits.torque", "double 4; integer 5; double 2");
  // as with rclcpp: -p goes into the first block of the file, "/**"
  const char * const both[] = {"--ros-args", "--params-file",      file_name, "-p", "rate:=9.0",
                               "-p",         "limits.torque:=9.0", NULL};
  expect_values(both, "rate steps limits.torque", "double 4; integer 5; double 9");
  const char * const alone[] = {"--ros-args", "-p", "rate:=9.0", "-p", "rate:=8.0", NULL};
  expect_values(alone, "rate", "double 8");
}

// an earlier value that would be refused does not matter
static void
only_the_last_value_is_checked(void ** state)
{
  (void)state;
  write_file(
    "/**: {ros__parameters: {rate: fast, on_stale: never}}\n"
    "/left/arm: {ros__parameters: {rate: 4.0, on_stale: zero}}\n");
  const char * const arguments[] = {"--ros-args", "--params-file", file_name, NULL};
  log_start();
  expect_values(arguments, "rate on_stale", "double 4; string zero");
  assert_string_equal(log_text(), "");
}

static void
extra_values_come_after_all_others(void ** state)
{
  (void)state;
  rcl_params_t * extra = rcl_yaml_node_struct_init(rcl_get_default_allocator());
  assert_non_null(extra);
  assert_true(rcl_parse_yaml_value("/**", "rate", "7", extra));
  assert_true(rcl_parse_yaml_value("/right/arm", "steps", "9", extra));
  const char * const arguments[] = {"--ros-args", "-p", "rate:=9.0", "-p", "steps:=8", NULL};
  param_node_t node;
  param_node_open(&node, arguments, extra);
  rcl_yaml_node_struct_fini(extra);
  assert_non_null(node.server);
  const param_values_t * values = param_server_values(node.server);
  assert_true(param_double(values, P_RATE) == 7);
  assert_int_equal(param_integer(values, P_STEPS), 8);
  param_node_close(&node);
}

static void
a_renamed_node_reads_its_own_block(void ** state)
{
  (void)state;
  write_file(
    "/left/arm: {ros__parameters: {rate: 2.0}}\n/right/hand: {ros__parameters: {rate: 3.0}}\n");
  const char * const arguments[] = {"--ros-args", "--params-file", file_name, "-r", "__node:=hand",
                                    "-r",         "__ns:=/right",  NULL};
  param_node_t node;
  param_node_open(&node, arguments, NULL);
  assert_non_null(node.server);
  assert_true(param_double(param_server_values(node.server), P_RATE) == 3);
  param_node_close(&node);
}

//---------- what is wrong ----------

static void
every_refused_value_has_its_line(void ** state)
{
  (void)state;
  write_file(
    "/**: {ros__parameters: {rate: .nan, steps: 1.5, on_stale: hld, gravity: [1.0, 99.0], "
    "key: [256], robot_description: 5, publish.terms: [1], on: []}}\n");
  const char * const arguments[] = {"--ros-args", "--params-file", file_name, NULL};
  param_node_t node;
  log_start();
  param_node_open(&node, arguments, NULL);
  assert_null(node.server);
  assert_string_equal(
    log_text(),
    "ERROR left.arm: parameter 'rate' must be between 1 and 1000, not nan\n"
    "ERROR left.arm: parameter 'steps' must be an integer, not a double\n"
    "ERROR left.arm: parameter 'on' must be a bool, not an empty array\n"
    "ERROR left.arm: parameter 'on_stale' must be one of 'zero', 'hold', not 'hld'\n"
    "ERROR left.arm: parameter 'key' must be between 0 and 255 in each element, not 256 in element "
    "0\n"
    "ERROR left.arm: parameter 'gravity' must be between -20 and 20, not 99 in element 1\n"
    "ERROR left.arm: parameter 'publish.terms' must be a string array, not an integer array: write "
    "it in quotes\n"
    "ERROR left.arm: parameter 'robot_description' must be a string, not an integer: write it in "
    "quotes\n");
  param_node_close(&node);
}

static void
an_undeclared_name_is_a_warning(void ** state)
{
  (void)state;
  const char * const arguments[] = {
    "--ros-args",
    "-p",
    "gravty:=[1.0]",
    "-p",
    "wheel_radius:=1.0",
    "-p",
    "use_sim_time:=true",
    "-p",
    "qos_overrides./tf.publisher.depth:=5",
    "-p",
    "rate:=5.0",
    NULL};
  param_node_t node;
  log_start();
  param_node_open(&node, arguments, NULL);
  assert_non_null(node.server);
  assert_string_equal(
    log_text(),
    "WARN left.arm: parameter 'gravty' is not declared; did you mean 'gravity'?\n"
    "WARN left.arm: parameter 'wheel_radius' is not declared\n");
  assert_true(param_double(param_server_values(node.server), P_RATE) == 5);
  // a node without use_sim_time in its table says nothing of it either
  log_start();
  param_server_t * small =
    param_server_init(&node.node, &param_table[P_RATE], 1, node.overrides, NULL);
  assert_non_null(small);
  assert_null(strstr(log_text(), "use_sim_time"));
  param_server_fini(small);
  param_node_close(&node);
}

static void
a_wrong_table_does_not_start(void ** state)
{
  (void)state;
  param_node_t node;
  param_node_open(&node, NULL, NULL);
  const param_spec_t twice[] = {param_table[0], param_table[0]};
  log_start();
  assert_null(param_server_init(&node.node, twice, 2, NULL, NULL));
  assert_string_equal(log_text(), "ERROR left.arm: the table of parameters is wrong\n");
  param_node_close(&node);
}

//---------- long values, another process ----------

enum { LONG = 1 << 20 };

// printable, and different everywhere
static char *
long_text(uint64_t from)
{
  char * text = malloc(LONG + 1);
  assert_non_null(text);
  seed = from;
  for (size_t i = 0; i < LONG; i++) text[i] = (char)('a' + random_below(26));
  text[LONG] = '\0';
  return text;
}

static void
expect_description(param_client_t * client, const char * expected)
{
  rcl_interfaces__srv__GetParameters_Request request;
  rcl_interfaces__srv__GetParameters_Response response;
  assert_true(rcl_interfaces__srv__GetParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__GetParameters_Response__init(&response));
  assert_true(rosidl_runtime_c__String__Sequence__init(&request.names, 1));
  assert_true(rosidl_runtime_c__String__assign(&request.names.data[0], "robot_description"));
  ask(client, &client->get, &request, &response);
  assert_int_equal(response.values.size, 1);
  assert_int_equal(response.values.data[0].string_value.size, LONG);
  assert_int_equal(strcmp(response.values.data[0].string_value.data, expected), 0);
  rcl_interfaces__srv__GetParameters_Request__fini(&request);
  rcl_interfaces__srv__GetParameters_Response__fini(&response);
}

static void
write_long_file(const char * text)
{
  FILE * file = fopen(file_name, "w");
  assert_non_null(file);
  assert_true(fprintf(file, "/**:\n  ros__parameters:\n    robot_description: %s\n", text) > LONG);
  assert_int_equal(fclose(file), 0);
}

static void
a_megabyte_goes_through_in_both_directions(void ** state)
{
  (void)state;
  char *first = long_text(1), *second = long_text(2);
  write_long_file(first);
  const char * const argv[] = {"/proc/self/exe", "serve", file_name, NULL};
  process_t server;
  char line[64];
  process_start(&server, argv);
  assert_true(process_line(&server, line, sizeof line, 20000));
  assert_string_equal(line, "ready");
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rclc_support_t support;
  param_client_t client;
  assert_int_equal(rclc_support_init(&support, 0, NULL, &allocator), RCL_RET_OK);
  param_client_open(&client, &support, NULL);
  expect_description(&client, first);
  parameters_t list = {0};
  value_t * value = parameter(&list, "robot_description", 4);
  assert_true(rosidl_runtime_c__String__assign(&value->string_value, second));
  assert_string_equal(set(&client, &list, false), "ok");
  expect_description(&client, second);
  parameter(&list, "rate", 3)->double_value = 3;
  value = parameter(&list, "robot_description", 4);
  assert_true(rosidl_runtime_c__String__assign(&value->string_value, first));
  assert_string_equal(set(&client, &list, true), "ok");
  expect_description(&client, first);
  assert_string_equal(get_text(&client, "rate"), "double 3");
  param_client_close(&client);
  assert_int_equal(rclc_support_fini(&support), RCL_RET_OK);
  assert_int_equal(process_end(&server, SIGTERM, 10000), 0);
  free(first);
  free(second);
}

static volatile sig_atomic_t stop;

static void
on_signal(int signal)
{
  (void)signal;
  stop = 1;
}

// the other process
static int
serve(const char * file)
{
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  const char * const arguments[] = {"--ros-args", "--params-file", file, NULL};
  param_node_t node;
  param_node_open(&node, arguments, NULL);
  if (node.server == NULL) return 1;
  puts("ready");
  fflush(stdout);
  while (!stop) {
    rcl_ret_t ret = rclc_executor_spin_some(&node.executor, RCL_MS_TO_NS(50));
    if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) fprintf(stderr, "spin: %d\n", ret);
  }
  param_node_close(&node);
  return 0;
}

//---------- start ----------

static int
begin(void ** state)
{
  (void)state;
  own_domain();
  const int fd = mkstemp(file_name);
  return fd < 0 ? -1 : close(fd);
}

static int
end(void ** state)
{
  process_kill_all(state);
  return unlink(file_name);
}

int
main(int argc, char ** argv)
{
  if (argc == 3 && strcmp(argv[1], "serve") == 0) return serve(argv[2]);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_fit_as_in_rclcpp),
    cmocka_unit_test(blocks_in_plain_words),
    cmocka_unit_test(values_of_each_type_come_from_a_file),
    cmocka_unit_test(an_empty_list_has_no_type),
    cmocka_unit_test(the_last_value_counts),
    cmocka_unit_test(only_the_last_value_is_checked),
    cmocka_unit_test(extra_values_come_after_all_others),
    cmocka_unit_test(a_renamed_node_reads_its_own_block),
    cmocka_unit_test(every_refused_value_has_its_line),
    cmocka_unit_test(an_undeclared_name_is_a_warning),
    cmocka_unit_test(a_wrong_table_does_not_start),
    cmocka_unit_test(a_megabyte_goes_through_in_both_directions),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
