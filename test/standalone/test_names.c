// Names: what is valid, what they become, and nodes that the command line renames.
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcl/expand_topic_name.h"
#include "rcl/validate_topic_name.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_srvs/srv/set_bool.h"
#include "support.h"

typedef rcl_ret_t (*validate_fn)(const char *, int *, size_t *);

typedef struct {
  const char * name;
  int result;
  size_t index;
} name_case_t;

static void
check(validate_fn validate, const name_case_t * table, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    int result = -1;
    size_t index = 0;
    OK(validate(table[i].name, &result, &index));
    if (result != table[i].result || index != table[i].index) {
      fail_msg("'%s': %d at %zu", table[i].name, result, index);
    }
  }
}

static void
validity(void ** state)
{
  (void)state;
  static const name_case_t topics[] = {
    {"a", 0, 0},      {"/a/b_c", 0, 0}, {"~/a", 0, 0},  {"~", 0, 0},     {"{node}/a", 0, 0},
    {"a{ns}b", 0, 0}, {"", 1, 0},       {"a/", 2, 1},   {"/", 2, 0},     {"a b", 3, 1},
    {"1a", 4, 0},     {"a/1b", 4, 2},   {"a{b", 5, 1},  {"a}b", 5, 1},   {"a~", 6, 1},
    {"~ab", 7, 1},    {"~a", 0, 0},     {"~a/1", 7, 1}, {"{a/b}", 8, 2}, {"{a{b}}", 8, 2},
    {"{1}", 9, 1},    {"a-b", 3, 1},
  };
  check(rcl_validate_topic_name, topics, sizeof topics / sizeof topics[0]);
  static const name_case_t full[] = {
    {"/a", 0, 0},   {"/a/b1", 0, 0}, {"", 1, 0},      {"a", 2, 0},  {"/a/", 3, 2},
    {"/a b", 4, 2}, {"/~", 4, 1},    {"/a//b", 5, 3}, {"/1", 6, 1}, {"/a/2b", 6, 3},
  };
  check(rmw_validate_full_topic_name, full, sizeof full / sizeof full[0]);
  static const name_case_t namespaces[] = {{"/", 0, 0}, {"/a", 0, 0}, {"a", 2, 0}, {"/a/", 3, 2}};
  check(rmw_validate_namespace, namespaces, sizeof namespaces / sizeof namespaces[0]);
  static const name_case_t nodes[] = {
    {"a_1", 0, 0}, {"", 1, 0}, {"a/b", 2, 1}, {"1a", 3, 0}, {"_", 0, 0}};
  check(rmw_validate_node_name, nodes, sizeof nodes / sizeof nodes[0]);
  char lengthy[300];
  memset(lengthy, 'a', sizeof lengthy - 1);
  lengthy[sizeof lengthy - 1] = '\0';
  int result = 0;
  OK(rmw_validate_node_name(lengthy, &result, NULL));
  assert_int_equal(result, RMW_NODE_NAME_INVALID_TOO_LONG);
  lengthy[0] = '/';
  OK(rmw_validate_full_topic_name(lengthy, &result, NULL));
  assert_int_equal(result, RMW_TOPIC_INVALID_TOO_LONG);
}

// for the node "arm" in /left and in /
static void
expansion(void ** state)
{
  (void)state;
  static const struct {
    const char *input, *in_left, *in_root;
  } table[] = {
    {"a", "/left/a", "/a"},
    {"/a", "/a", "/a"},
    {"~/a", "/left/arm/a", "/arm/a"},
    {"~", "/left/arm", "/arm"},
    {"~x", "/left/armx", "/armx"},
    {"{node}/a", "/left/arm/a", "/arm/a"},
    {"/x/{node}_{node}", "/x/arm_arm", "/x/arm_arm"},
    {"{ns}/a", "/left/a", "//a"},
    {"/a{namespace}", "/a/left", "/a/"},
  };
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcutils_string_map_t none = rcutils_get_zero_initialized_string_map();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char * output = NULL;
    OK(rcl_expand_topic_name(table[i].input, "arm", "/left", &none, allocator, &output));
    assert_string_equal(output, table[i].in_left);
    free(output);
    OK(rcl_expand_topic_name(table[i].input, "arm", "/", &none, allocator, &output));
    assert_string_equal(output, table[i].in_root);
    free(output);
  }
  char * output = NULL;
  FAILS(
    rcl_expand_topic_name("{other}", "arm", "/", &none, allocator, &output),
    RCL_RET_UNKNOWN_SUBSTITUTION);
  FAILS(
    rcl_expand_topic_name("a b", "arm", "/", &none, allocator, &output),
    RCL_RET_TOPIC_NAME_INVALID);
  FAILS(
    rcl_expand_topic_name("a", "a b", "/", &none, allocator, &output), RCL_RET_NODE_INVALID_NAME);
  FAILS(
    rcl_expand_topic_name("a", "arm", "b", &none, allocator, &output),
    RCL_RET_NODE_INVALID_NAMESPACE);
}

// names of DDS
static void
mangling(void ** state)
{
  (void)state;
  char name[128];
  assert_true(sa_dds_type(sa_members(JOINT_STATE), name, sizeof name));
  assert_string_equal(name, "sensor_msgs::msg::dds_::JointState_");
  const rosidl_message_type_support_t * request =
    ROSIDL_GET_MSG_TYPE_SUPPORT(std_srvs, srv, SetBool_Request);
  assert_true(sa_dds_type(sa_members(request), name, sizeof name));
  assert_string_equal(name, "std_srvs::srv::dds_::SetBool_Request_");
  assert_false(sa_dds_type(sa_members(JOINT_STATE), name, 10));
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rmw_qos_profile_t qos = {0};
  char * topic = sa_dds_name("rq", "/ns/enable", "Request", &qos, allocator);
  assert_string_equal(topic, "rq/ns/enableRequest");
  free(topic);
}

// a node that is called otherwise, and what it resolves
static void
node_names(void ** state)
{
  (void)state;
  const char * arguments[] = {"--ros-args",         "-r", "__node:=arm", "-r", "__ns:=/left", "-r",
                              "joint_states:=/all", "-r", "arm:x:=~/y",  NULL};
  session_t session;
  session_open(&session, "node", arguments);
  assert_string_equal(rcl_node_get_name(&session.node), "arm");
  assert_string_equal(rcl_node_get_namespace(&session.node), "/left");
  assert_string_equal(rcl_node_get_fully_qualified_name(&session.node), "/left/arm");
  assert_string_equal(rcl_node_get_logger_name(&session.node), "left.arm");
  static const struct {
    const char *input, *resolved, *expanded;
  } table[] = {
    {"joint_states", "/all", "/left/joint_states"},
    {"x", "/left/arm/y", "/left/x"},
    {"~/z", "/left/arm/z", "/left/arm/z"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char * name = NULL;
    OK(
      rcl_node_resolve_name(&session.node, table[i].input, session.allocator, false, false, &name));
    assert_string_equal(name, table[i].resolved);
    free(name);
    OK(rcl_node_resolve_name(&session.node, table[i].input, session.allocator, true, true, &name));
    assert_string_equal(name, table[i].expanded);
    free(name);
  }
  char * name = NULL;
  FAILS(
    rcl_node_resolve_name(&session.node, "a b", session.allocator, true, false, &name),
    RCL_RET_SERVICE_NAME_INVALID);
  FAILS(
    rcl_node_resolve_name(&session.node, "{bad}/x", session.allocator, true, false, &name),
    RCL_RET_UNKNOWN_SUBSTITUTION);

  // endpoints do not tell these apart
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t publisher_options = rcl_publisher_get_default_options();
  FAILS(
    rcl_publisher_init(&publisher, &session.node, JOINT_STATE, "{bad}/x", &publisher_options),
    RCL_RET_TOPIC_NAME_INVALID);
  rcl_service_t service = rcl_get_zero_initialized_service();
  rcl_service_options_t service_options = rcl_service_get_default_options();
  FAILS(
    rcl_service_init(&service, &session.node, SET_BOOL, "{bad}/x", &service_options),
    RCL_RET_SERVICE_NAME_INVALID);
  session_close(&session);
}

// nodes that cannot be
static void
bad_nodes(void ** state)
{
  (void)state;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rclc_support_t support = {0};
  OK(rclc_support_init(&support, 0, NULL, &allocator));
  rcl_node_options_t options = rcl_node_get_default_options();
  rcl_node_t node = rcl_get_zero_initialized_node();
  FAILS(rcl_node_init(&node, "a b", "", &support.context, &options), RCL_RET_NODE_INVALID_NAME);
  FAILS(
    rcl_node_init(&node, "a", "b/", &support.context, &options), RCL_RET_NODE_INVALID_NAMESPACE);
  assert_null(node.impl);
  FAILS(rcl_context_fini(&support.context), RCL_RET_INVALID_ARGUMENT);
  OK(rcl_shutdown(&support.context));
  FAILS(rcl_shutdown(&support.context), RCL_RET_ALREADY_SHUTDOWN);
  FAILS(rcl_node_init(&node, "a", "", &support.context, &options), RCL_RET_NOT_INIT);
  OK(rcl_context_fini(&support.context));
  OK(rcl_clock_fini(&support.clock));
}

// ROS_DOMAIN_ID is read as rcl reads it
static void
domains(void ** state)
{
  (void)state;
  static const struct {
    const char * text;
    rcl_ret_t ret;
    size_t id;
  } table[] = {
    {"", RCL_RET_OK, 0},      {"5", RCL_RET_OK, 5},
    {"5x", RCL_RET_OK, 5},    {" 7", RCL_RET_OK, 7},
    {"-1", RCL_RET_OK, 0},    {"seven", RCL_RET_ERROR, 0},
    {"0x", RCL_RET_ERROR, 0}, {"99999999999999999999", RCL_RET_ERROR, 0},
    {"233", RCL_RET_OK, 233}, {"4294967296", RCL_RET_INVALID_ARGUMENT, 0},
  };
  rcl_allocator_t allocator = rcl_get_default_allocator();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    setenv("ROS_DOMAIN_ID", table[i].text, 1);
    rclc_support_t support = {0};
    rcl_ret_t ret = rclc_support_init(&support, 0, NULL, &allocator);
    rcl_reset_error();
    if (ret != table[i].ret) fail_msg("'%s': %d", table[i].text, ret);
    if (ret != RCL_RET_OK) continue;
    size_t id = 1;
    OK(rcl_context_get_domain_id(&support.context, &id));
    assert_int_equal(id, table[i].id);
    OK(rclc_support_fini(&support));
  }
  setenv("ROS_DOMAIN_ID", getenv("TEST_DOMAIN"), 1);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(validity),   cmocka_unit_test(expansion), cmocka_unit_test(mangling),
    cmocka_unit_test(node_names), cmocka_unit_test(bad_nodes), cmocka_unit_test(domains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
