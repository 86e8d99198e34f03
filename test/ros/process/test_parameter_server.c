// The parameter services as a client on the network sees them.
#include "param_peer.h"
#include "parameter_server_internal.h"

static param_node_t node;
static param_client_t client;

//---------- hooks ----------

// what the hooks see, and what they say
static struct {
  int checks, changes;
  const char * refusal;  // NULL: taken
  double rate, torque;   // as proposed
  double old_rate;       // what the node still had then
  double taken_rate;
  char inner[128];  // what came of setting a parameter from within
} hooks;

static void
set_from_within(void)
{
  const param_value_t value = {.type = PARAM_DOUBLE, .number = 3};
  param_server_set(node.server, "rate", &value, hooks.inner, sizeof hooks.inner);
}

static bool
check(void * context, const param_values_t * proposed, char * reason, size_t size)
{
  assert_ptr_equal(context, &hooks);
  hooks.checks++;
  hooks.rate = param_double(proposed, P_RATE);
  hooks.torque = param_double(proposed, P_TORQUE);
  hooks.old_rate = param_double(param_server_values(node.server), P_RATE);
  set_from_within();
  if (hooks.refusal != NULL) snprintf(reason, size, "%s", hooks.refusal);
  return hooks.refusal == NULL;
}

static void
changed(void * context, const param_values_t * now)
{
  assert_ptr_equal(context, &hooks);
  assert_ptr_equal(now, param_server_values(node.server));
  hooks.changes++;
  hooks.taken_rate = param_double(now, P_RATE);
}

static void
use_hooks(const char * refusal)
{
  memset(&hooks, 0, sizeof hooks);
  hooks.refusal = refusal;
  param_server_set_hooks(
    node.server, (param_hooks_t){.context = &hooks, .check = check, .changed = changed});
}

//---------- set-up ----------

static int
set_up(void ** state)
{
  (void)state;
  param_node_open(&node, NULL, NULL);
  assert_non_null(node.server);
  param_client_open(&client, &node.support, &node.executor);
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  param_client_close(&client);
  param_node_close(&node);
  return 0;
}

static int
own_domain_once(void ** state)
{
  (void)state;
  own_domain();
  return 0;
}

//---------- reading ----------

static void
values_of_each_type_are_got(void ** state)
{
  (void)state;
  assert_string_equal(
    get_text(&client, "on steps rate on_stale key mask ids gravity publish.terms"),
    "bool 1; integer 5; double 100; string hold; bytes 1 255; bools 1 0; integers 3 4; "
    "doubles 0 0 -9.5; strings a b");
  assert_string_equal(
    types_text(&client, "on steps rate on_stale key mask ids gravity publish.terms"), "123456789");
  assert_string_equal(
    get_text(&client, "robot_description rate rate"), "string ; double 100; double 100");
  assert_string_equal(get_text(&client, ""), "");
}

// as rclcpp: one undeclared name, and nothing is answered
static void
an_undeclared_name_makes_the_answer_empty(void ** state)
{
  (void)state;
  assert_string_equal(get_text(&client, "rate nonsense on"), "");
  assert_string_equal(types_text(&client, "nonsense"), "");
  assert_string_equal(types_text(&client, "rate limits"), "");
  rcl_interfaces__srv__DescribeParameters_Request request;
  rcl_interfaces__srv__DescribeParameters_Response response;
  assert_true(rcl_interfaces__srv__DescribeParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__DescribeParameters_Response__init(&response));
  assert_true(rosidl_runtime_c__String__Sequence__init(&request.names, 1));
  assert_true(rosidl_runtime_c__String__assign(&request.names.data[0], "nonsense"));
  ask(&client, &client.describe, &request, &response);
  assert_int_equal(response.descriptors.size, 0);
  rcl_interfaces__srv__DescribeParameters_Request__fini(&request);
  rcl_interfaces__srv__DescribeParameters_Response__fini(&response);
}

// somebody who asks for one long value a thousand times gets nothing
static void
a_list_much_longer_than_the_table_is_not_answered(void ** state)
{
  (void)state;
  char names[8192] = "";
  for (size_t n = 0; n < 1000; n++) strcat(names, "rate ");
  assert_string_equal(types_text(&client, names), "");
  names[5 * P_COUNT] = '\0';
  assert_string_equal(types_text(&client, names), "333333333333333");
}

static void
descriptors_say_what_may_be_set(void ** state)
{
  (void)state;
  static const struct {
    const char * name;
    int type;
    const char *description, *constraints;
    bool read_only;
    int doubles, integers;  // how many ranges
    double low, high;
  } expected[] = {
    {"rate", 3, "Cycles per second [Hz].", "", false, 1, 0, 1, 1000},
    {"steps", 2, "Steps.", "", false, 0, 1, 1, 9},
    {"on_stale", 4, "What then.", "one of zero, hold", false, 0, 0, 0, 0},
    {"ids", 7, "Numbers.", "each element at least 1", false, 0, 1, 1, 9223372036854775807.0},
    {"gravity", 8, "Gravity.", "each element between -20 and 20", false, 1, 0, -20, 20},
    {"publish.terms", 9, "Terms.", "each element one of a, b, c", false, 0, 0, 0, 0},
    {"limits.torque", 3, "Limit.", "", false, 1, 0, 0, HUGE_VAL},
    {"limits.arm.torque", 3, "Limit.", "", false, 0, 0, 0, 0},
    {"fixed", 4, "Fixed.", "", true, 0, 0, 0, 0},
    {"key", 5, "Bytes.", "", false, 0, 0, 0, 0},
  };
  enum { N = sizeof expected / sizeof expected[0] };
  rcl_interfaces__srv__DescribeParameters_Request request;
  rcl_interfaces__srv__DescribeParameters_Response response;
  assert_true(rcl_interfaces__srv__DescribeParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__DescribeParameters_Response__init(&response));
  assert_true(rosidl_runtime_c__String__Sequence__init(&request.names, N));
  for (size_t i = 0; i < N; i++) {
    assert_true(rosidl_runtime_c__String__assign(&request.names.data[i], expected[i].name));
  }
  ask(&client, &client.describe, &request, &response);
  assert_int_equal(response.descriptors.size, N);
  for (size_t i = 0; i < N; i++) {
    const rcl_interfaces__msg__ParameterDescriptor * d = &response.descriptors.data[i];
    assert_string_equal(d->name.data, expected[i].name);
    assert_int_equal(d->type, expected[i].type);
    assert_string_equal(d->description.data, expected[i].description);
    assert_string_equal(d->additional_constraints.data, expected[i].constraints);
    assert_int_equal(d->read_only, expected[i].read_only);
    assert_false(d->dynamic_typing);
    assert_int_equal(d->floating_point_range.size, expected[i].doubles);
    assert_int_equal(d->integer_range.size, expected[i].integers);
    if (expected[i].doubles == 1) {
      assert_true(d->floating_point_range.data[0].from_value == expected[i].low);
      assert_true(d->floating_point_range.data[0].to_value == expected[i].high);
      assert_true(d->floating_point_range.data[0].step == 0);
    }
    if (expected[i].integers == 1) {
      assert_true((double)d->integer_range.data[0].from_value == expected[i].low);
      assert_true((double)d->integer_range.data[0].to_value == expected[i].high);
      assert_true(d->integer_range.data[0].step == 0);
    }
  }
  rcl_interfaces__srv__DescribeParameters_Request__fini(&request);
  rcl_interfaces__srv__DescribeParameters_Response__fini(&response);
}

// what rclcpp answers for the same names: sorted; depth counts the dots, also that after a prefix
static void
names_are_listed_by_prefix_and_depth(void ** state)
{
  (void)state;
  static const struct {
    const char * prefixes;
    uint64_t depth;
    const char * expected;
  } cases[] = {
    {"", 0,
     "fixed gravity ids key limits.arm.torque limits.speed limits.torque mask on on_stale "
     "publish.terms rate "
     "robot_description steps use_sim_time | limits.arm limits publish"},
    {"", 1, "fixed gravity ids key mask on on_stale rate robot_description steps use_sim_time |"},
    {"", 2,
     "fixed gravity ids key limits.speed limits.torque mask on on_stale publish.terms rate "
     "robot_description "
     "steps use_sim_time | limits publish"},
    {"limits", 0, "limits.arm.torque limits.speed limits.torque | limits.arm limits"},
    {"limits", 1, "|"},
    {"limits", 2, "limits.speed limits.torque | limits"},
    {"limits", 3, "limits.arm.torque limits.speed limits.torque | limits.arm limits"},
    {"limits.arm", 0, "limits.arm.torque | limits.arm"},
    {"rate publish", 0, "publish.terms rate | publish"},
    {"rate", 1, "rate |"},
    {"limits.torque", 1, "limits.torque | limits"},
    {"lim", 0, "|"},
    {"limits.", 0, "|"},
    {"nonsense", 0, "|"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_string_equal(list_text(&client, cases[i].prefixes, cases[i].depth), cases[i].expected);
  }
}

//---------- writing ----------

static void
values_of_each_type_are_set(void ** state)
{
  (void)state;
  parameters_t list = {0};
  parameter(&list, "on", 1)->bool_value = false;
  parameter(&list, "steps", 2)->integer_value = 9;
  parameter(&list, "rate", 3)->double_value = 12.5;
  value_t * value = parameter(&list, "on_stale", 4);
  assert_true(rosidl_runtime_c__String__assign(&value->string_value, "zero"));
  value = parameter(&list, "key", 5);
  assert_true(rosidl_runtime_c__octet__Sequence__init(&value->byte_array_value, 3));
  for (size_t i = 0; i < 3; i++) value->byte_array_value.data[i] = (uint8_t)(200 + i);
  value = parameter(&list, "mask", 6);
  assert_true(rosidl_runtime_c__boolean__Sequence__init(&value->bool_array_value, 3));
  for (size_t i = 0; i < 3; i++) value->bool_array_value.data[i] = i == 1;
  value = parameter(&list, "ids", 7);
  assert_true(rosidl_runtime_c__int64__Sequence__init(&value->integer_array_value, 1));
  value->integer_array_value.data[0] = INT64_MAX;
  value = parameter(&list, "gravity", 8);
  assert_true(rosidl_runtime_c__double__Sequence__init(&value->double_array_value, 2));
  for (size_t i = 0; i < 2; i++) value->double_array_value.data[i] = i == 1 ? -1.5 : 0;
  value = parameter(&list, "publish.terms", 9);
  assert_true(rosidl_runtime_c__String__Sequence__init(&value->string_array_value, 1));
  assert_true(rosidl_runtime_c__String__assign(&value->string_array_value.data[0], "c"));
  assert_string_equal(set(&client, &list, false), "ok; ok; ok; ok; ok; ok; ok; ok; ok");
  static const char now[] =
    "bool 0; integer 9; double 12.5; string zero; bytes 200 201 202; bools 0 1 0; "
    "integers 9223372036854775807; doubles 0 -1.5; strings c";
  assert_string_equal(
    get_text(&client, "on steps rate on_stale key mask ids gravity publish.terms"), now);
  assert_int_equal(param_integer(param_server_values(node.server), P_STEPS), 9);
  static const char * const events[] = {
    "on=bool 0",
    "steps=integer 9",
    "rate=double 12.5",
    "on_stale=string zero",
    "key=bytes 200 201 202",
    "mask=bools 0 1 0",
    "ids=integers 9223372036854775807",
    "gravity=doubles 0 -1.5",
    "publish.terms=strings c"};
  for (size_t i = 0; i < 9; i++) {
    char expected[128];
    snprintf(expected, sizeof expected, "/left/arm: changed %s", events[i]);
    assert_string_equal(next_event(&client), expected);
  }
}

static void
an_integer_does_for_a_double(void ** state)
{
  (void)state;
  parameters_t list = {0};
  parameter(&list, "rate", 2)->integer_value = 12;
  value_t * value = parameter(&list, "gravity", 7);
  assert_true(rosidl_runtime_c__int64__Sequence__init(&value->integer_array_value, 2));
  for (size_t i = 0; i < 2; i++) value->integer_array_value.data[i] = -9 * (int64_t)i;
  parameter(&list, "publish.terms", 6);  // "[]" of ros2 param set
  assert_string_equal(set(&client, &list, false), "ok; ok; ok");
  assert_string_equal(
    get_text(&client, "rate gravity publish.terms"), "double 12; doubles 0 -9; strings");
  assert_string_equal(next_event(&client), "/left/arm: changed rate=double 12");
  assert_string_equal(next_event(&client), "/left/arm: changed gravity=doubles 0 -9");
}

// each has its own result, and those that fit are taken
static void
what_does_not_fit_is_refused_one_by_one(void ** state)
{
  (void)state;
  parameters_t list = {0};
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "rat", 3)->double_value = 2;
  parameter(&list, "wheel_radius", 3)->double_value = 2;
  parameter(&list, "rate", 3)->double_value = 1001;
  parameter(&list, "rate", 3)->double_value = (double)NAN;
  parameter(&list, "limits.arm.torque", 3)->double_value = HUGE_VAL;
  parameter(&list, "rate", 0);
  parameter(&list, "steps", 3)->double_value = 1;
  parameter(&list, "rate", 200);
  value_t * value = parameter(&list, "fixed", 4);
  assert_true(rosidl_runtime_c__String__assign(&value->string_value, "y"));
  parameter(&list, "", 1);
  parameter(&list, "steps", 2)->integer_value = 7;
  assert_string_equal(
    set(&client, &list, false),
    "ok; parameter 'rat' is not declared; did you mean 'rate'?; "
    "parameter 'wheel_radius' is not declared; "
    "parameter 'rate' must be between 1 and 1000, not 1001; "
    "parameter 'rate' must be between 1 and 1000, not nan; "
    "parameter 'limits.arm.torque' must be a finite number, not inf; "
    "parameter 'rate' cannot be unset: it must be a double; "
    "parameter 'steps' must be an integer, not a double; "
    "parameter 'rate' must be a double, not of an unknown type; "
    "parameter 'fixed' is read-only: set it on the command line or in a parameter file; "
    "parameter '' is not declared; ok");
  assert_string_equal(get_text(&client, "rate steps fixed"), "double 2; integer 7; string x");
  assert_string_equal(next_event(&client), "/left/arm: changed rate=double 2");
  assert_string_equal(next_event(&client), "/left/arm: changed steps=integer 7");
}

static void
atomically_means_all_or_none(void ** state)
{
  (void)state;
  use_hooks(NULL);
  parameters_t list = {0};
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "steps", 2)->integer_value = 10;
  parameter(&list, "limits.torque", 3)->double_value = 3;
  assert_string_equal(
    set(&client, &list, true), "parameter 'steps' must be between 0.5 and 9.5, not 10");
  assert_int_equal(hooks.checks, 0);
  assert_string_equal(get_text(&client, "rate limits.torque"), "double 100; double 8");
  // the hook sees all of them at once, and the values of now are still the old ones
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "rate", 3)->double_value = 4;
  parameter(&list, "limits.torque", 3)->double_value = 3;
  use_hooks("not now");
  assert_string_equal(set(&client, &list, true), "not now");
  assert_int_equal(hooks.checks, 1);
  assert_true(hooks.rate == 4 && hooks.torque == 3 && hooks.old_rate == 100);
  assert_int_equal(hooks.changes, 0);
  assert_string_equal(get_text(&client, "rate limits.torque"), "double 100; double 8");
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "limits.torque", 3)->double_value = 3;
  use_hooks(NULL);
  assert_string_equal(set(&client, &list, true), "ok");
  assert_int_equal(hooks.checks, 1);
  assert_int_equal(hooks.changes, 1);
  assert_string_equal(get_text(&client, "rate limits.torque"), "double 2; double 3");
  // nothing to do is done
  assert_string_equal(set(&client, &list, true), "ok");
  assert_int_equal(hooks.checks, 1);
  // one event for the one change
  assert_string_equal(
    next_event(&client), "/left/arm: changed rate=double 2; limits.torque=double 3");
  assert_string_equal(set_double(&client, "rate", 9), "ok");
  assert_string_equal(next_event(&client), "/left/arm: changed rate=double 9");
}

static void
hooks_see_one_parameter_at_a_time_otherwise(void ** state)
{
  (void)state;
  use_hooks(NULL);
  parameters_t list = {0};
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "limits.torque", 3)->double_value = 3;
  parameter(&list, "rate", 3)->double_value = 5;
  assert_string_equal(set(&client, &list, false), "ok; ok; ok");
  assert_int_equal(hooks.checks, 3);
  assert_int_equal(hooks.changes, 3);
  assert_true(hooks.old_rate == 2 && hooks.rate == 5 && hooks.torque == 3 && hooks.taken_rate == 5);
  assert_string_equal(hooks.inner, "a parameter cannot be set while another one is being set");
  use_hooks("");
  assert_string_equal(set_double(&client, "rate", 6), "rejected by the node");
  assert_string_equal(get_text(&client, "rate"), "double 5");
}

static void
the_node_sets_its_own_like_a_client(void ** state)
{
  (void)state;
  use_hooks(NULL);
  char reason[256] = "";
  const param_values_t * values = param_server_values(node.server);
  param_value_t value = {.type = PARAM_INTEGER, .integer = 42};
  assert_true(param_server_set(node.server, "rate", &value, reason, sizeof reason));
  assert_int_equal(hooks.checks, 1);
  assert_int_equal(hooks.changes, 1);
  assert_true(param_double(values, P_RATE) == 42);
  assert_ptr_equal(values, param_server_values(node.server));
  assert_string_equal(next_event(&client), "/left/arm: changed rate=double 42");
  assert_false(param_server_set(node.server, "fixed", &value, reason, sizeof reason));
  assert_string_equal(
    reason, "parameter 'fixed' is read-only: set it on the command line or in a parameter file");
  value.integer = 0;
  assert_false(param_server_set(node.server, "rate", &value, reason, sizeof reason));
  assert_string_equal(reason, "parameter 'rate' must be between 1 and 1000, not 0");
  assert_int_equal(hooks.checks, 1);
}

//---------- start ----------

// a subscriber of this process is there at once, and sees what a node declares
static void
the_start_is_announced(void ** state)
{
  (void)state;
  param_server_t * second = param_server_init(&node.node, &param_table[P_RATE], 2, NULL, NULL);
  assert_non_null(second);
  assert_string_equal(next_event(&client), "/left/arm: new rate=double 100; steps=integer 5");
  param_server_fini(second);
}

static bool
same_qos(const rmw_qos_profile_t * a, const rmw_qos_profile_t * b)
{
  return a->history == b->history && a->depth == b->depth && a->reliability == b->reliability &&
         a->durability == b->durability;
}

static void
services_and_events_have_the_qos_of_parameters(void ** state)
{
  (void)state;
  assert_int_equal(node.executor.index, PARAM_SERVER_HANDLES);
  for (size_t i = 0; i < PARAM_SERVER_HANDLES; i++) {
    const rcl_service_t * service = node.executor.handles[i].service;
    assert_true(same_qos(&rcl_service_get_options(service)->qos, &rmw_qos_profile_parameters));
  }
  const rmw_qos_profile_t * events = rcl_publisher_get_actual_qos(&node.server->events);
  assert_true(same_qos(events, &rmw_qos_profile_parameter_events));
  const rcl_publisher_t * publisher = &node.server->events;
  assert_string_equal(rcl_publisher_get_topic_name(publisher), "/parameter_events");
}

static void
an_executor_without_room_is_an_error(void ** state)
{
  (void)state;
  rclc_executor_t small;
  rcl_context_t * context = &node.support.context;
  assert_int_equal(
    rclc_executor_init(&small, context, PARAM_SERVER_HANDLES - 1, &node.allocator), RCL_RET_OK);
  log_start();
  assert_false(param_server_add(node.server, &small));
  assert_non_null(strstr(log_text(), "ERROR left.arm: ~/list_parameters: error 1: "));
  assert_int_equal(rclc_executor_fini(&small), RCL_RET_OK);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    TEST(values_of_each_type_are_got),
    TEST(an_undeclared_name_makes_the_answer_empty),
    TEST(a_list_much_longer_than_the_table_is_not_answered),
    TEST(descriptors_say_what_may_be_set),
    TEST(names_are_listed_by_prefix_and_depth),
    TEST(values_of_each_type_are_set),
    TEST(an_integer_does_for_a_double),
    TEST(what_does_not_fit_is_refused_one_by_one),
    TEST(atomically_means_all_or_none),
    TEST(hooks_see_one_parameter_at_a_time_otherwise),
    TEST(the_node_sets_its_own_like_a_client),
    TEST(the_start_is_announced),
    TEST(services_and_events_have_the_qos_of_parameters),
    TEST(an_executor_without_room_is_an_error),
  };
  return cmocka_run_group_tests(tests, own_domain_once, NULL);
}
