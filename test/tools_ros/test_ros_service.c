// `mbdyn service`, `mbdyn param` and `mbdyn node` against the test node.
#include <stdlib.h>
#include <string.h>

#include "ros_cli.h"

// output and exit code of one command
static void
check(const char * const * args, int code, const char * out, const char * err)
{
  run_t run = run_to_end(args);
  expect_code(&run, code);
  assert_string_equal(run.out, out);
  expect_text(run.err, err);
  run_free(&run);
}

#define CHECK(code, out, err, ...) check((const char * const[]){__VA_ARGS__, NULL}, code, out, err)

static void
test_nodes(void ** state)
{
  (void)state;
  CHECK(0, "/demo/arm\n", "", "node", "list");
  CHECK(
    0,
    "/demo/arm\n  Subscribers:\n  Publishers:\n"
    "    /demo/joint_states: sensor_msgs/msg/JointState\n    /demo/note: std_msgs/msg/String\n"
    "  Service Servers:\n"
    "    /demo/arm/describe_parameters: rcl_interfaces/srv/DescribeParameters\n"
    "    /demo/arm/get_parameter_types: rcl_interfaces/srv/GetParameterTypes\n"
    "    /demo/arm/get_parameters: rcl_interfaces/srv/GetParameters\n"
    "    /demo/arm/list_parameters: rcl_interfaces/srv/ListParameters\n"
    "    /demo/arm/set_parameters: rcl_interfaces/srv/SetParameters\n"
    "    /demo/arm/set_parameters_atomically: rcl_interfaces/srv/SetParametersAtomically\n"
    "    /demo/enable: std_srvs/srv/SetBool\n"
    "  Service Clients:\n",
    "", "node", "info", "/demo/arm");
  CHECK(1, "", "no node '/demo/arn'; did you mean '/demo/arm'?", "node", "info", "/demo/arn");
  run_t run = RUN("node", "list", "-a");
  expect_code(&run, 0);
  expect_text(run.out, "/_mbdyn_cli_");
  run_free(&run);
}

static void
test_services(void ** state)
{
  (void)state;
  run_t run = RUN("service", "list", "-t");
  expect_code(&run, 0);
  expect_text(run.out, "/demo/enable [std_srvs/srv/SetBool]\n");
  expect_text(run.out, "/demo/arm/get_parameters [rcl_interfaces/srv/GetParameters]\n");
  run_free(&run);
  CHECK(
    0,
    "requester: making request: {\"data\": true}\n\nresponse:\nsuccess: true\nmessage: enabled\n",
    "", "service", "call", "/demo/enable", "std_srvs/srv/SetBool", "{data: true}");
  CHECK(
    0,
    "requester: making request: {\"data\": false}\n\nresponse:\nsuccess: false\n"
    "message: disabled\n",
    "", "service", "call", "/demo/enable", "std_srvs/SetBool");
  CHECK(
    1, "requester: making request: {}\n\n", "service '/demo/nothing' is not available", "service",
    "call", "--wait", "0.3", "/demo/nothing", "std_srvs/srv/Trigger");
}

static void
test_param_get(void ** state)
{
  (void)state;
  CHECK(0, "  gains\n  label\n  limits.torque\n  rate\n", "", "param", "list", "/demo/arm");
  CHECK(0, "/demo/arm:\n  gains\n  label\n  limits.torque\n  rate\n", "", "param", "list");
  CHECK(0, "Double value is: 100.0\n", "", "param", "get", "/demo/arm", "rate");
  CHECK(0, "String value is: demo\n", "", "param", "get", "demo/arm", "label");
  CHECK(
    0, "Double values are: array('d', [1.0, 1e-05])\n", "", "param", "get", "/demo/arm", "gains");
  CHECK(0, "42\n", "", "param", "get", "--hide-type", "/demo/arm", "limits.torque");
  CHECK(1, "", "parameter 'nothing' is not set", "param", "get", "/demo/arm", "nothing");
  CHECK(1, "", "is not available", "param", "get", "--wait", "0.3", "/nobody", "x");
  CHECK(
    0,
    "/demo/arm:\n  ros__parameters:\n    gains: [1.0, 1e-05]\n    label: demo\n    "
    "limits:\n      torque: 42\n"
    "    rate: 100.0\n",
    "", "param", "dump", "/demo/arm");
  CHECK(
    0,
    "Parameter name: rate\n  Type: double\n  Description: updates per second\n  Constraints:\n"
    "    Min value: 1.0\n    Max value: 1000.0\n    Step: 0.0\n",
    "", "param", "describe", "/demo/arm", "rate");
  CHECK(
    0, "Parameter name: limits.torque\n  Type: integer\n  Constraints:\n    Read only: true\n", "",
    "param", "describe", "/demo/arm", "limits.torque");
}

static void
test_param_set(void ** state)
{
  (void)state;
  const char * done = "Set parameter successful\n";
  CHECK(0, done, "", "param", "set", "/demo/arm", "rate", "12.5");
  CHECK(0, "Double value is: 12.5\n", "", "param", "get", "/demo/arm", "rate");
  // a whole number for a double, a number for text
  CHECK(0, done, "", "param", "set", "/demo/arm", "rate", "500");
  CHECK(0, "Double value is: 500.0\n", "", "param", "get", "/demo/arm", "rate");
  CHECK(0, done, "", "param", "set", "/demo/arm", "label", "007");
  CHECK(0, "String value is: 007\n", "", "param", "get", "/demo/arm", "label");
  // refused by the node
  CHECK(1, "", "out of range", "param", "set", "/demo/arm", "rate", "-1");
  CHECK(1, "", "out of range", "param", "set", "/demo/arm", "rate", ".nan");
  CHECK(1, "", "wrong type", "param", "set", "/demo/arm", "rate", "[1, 2]");
  CHECK(1, "", "read only", "param", "set", "/demo/arm", "limits.torque", "1");
  CHECK(1, "", "no such parameter", "param", "set", "/demo/arm", "new", "true");
  // no value at all
  CHECK(2, "", "not a valid parameter value", "param", "set", "/demo/arm", "rate", "{}");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nodes),
    cmocka_unit_test(test_services),
    cmocka_unit_test(test_param_get),
    cmocka_unit_test(test_param_set),
  };
  return cmocka_run_group_tests(tests, node_setup, node_teardown);
}
