// Publishers and subscriptions in one process.
#include <stdio.h>
#include <string.h>

#include "impl.h"
#include "rmw/qos_profiles.h"
#include "rmw/rmw.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "support.h"

static session_t session;

static int
setup(void ** state)
{
  (void)state;
  session_open(&session, "pubsub", NULL);
  return 0;
}

static int
teardown(void ** state)
{
  (void)state;
  session_close(&session);
  return 0;
}

static void
fill_joint_state(sensor_msgs__msg__JointState * message, double value)
{
  assert_true(sensor_msgs__msg__JointState__init(message));
  assert_true(rosidl_runtime_c__String__Sequence__init(&message->name, 3));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message->position, 3));
  for (size_t i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint_%zu", i);
    assert_true(rosidl_runtime_c__String__assign(&message->name.data[i], name));
    message->position.data[i] = value + (double)i;
  }
  message->header.stamp.sec = 7;
}

static bool
can_take(void * arg)
{
  void ** pair = arg;
  return rcl_take(pair[0], pair[1], pair[2], NULL) == RCL_RET_OK;
}

// what is published as a structure arrives as one
static void
typed(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  OK(rclc_publisher_init_default(&publisher, &session.node, JOINT_STATE, "typed"));
  OK(rclc_subscription_init_default(&subscription, &session.node, JOINT_STATE, "typed"));
  assert_string_equal(rcl_publisher_get_topic_name(&publisher), "/typed");
  assert_true(wait_matched(&publisher, 1, 2000));
  sensor_msgs__msg__JointState out;
  sensor_msgs__msg__JointState in;
  rmw_message_info_t info;
  fill_joint_state(&out, 1.5);
  assert_true(sensor_msgs__msg__JointState__init(&in));
  FAILS(rcl_take(&subscription, &in, NULL, NULL), RCL_RET_SUBSCRIPTION_TAKE_FAILED);
  for (int i = 0; i < 50; i++) {
    out.position.data[1] = i;
    OK(rcl_publish(&publisher, &out, NULL));
    void * arg[] = {&subscription, &in, &info};
    assert_true(wait_until(can_take, arg, 1000));
    assert_true(sensor_msgs__msg__JointState__are_equal(&in, &out));
    assert_true(info.source_timestamp > 0);
    assert_false(info.from_intra_process);
  }
  sensor_msgs__msg__JointState__fini(&in);
  sensor_msgs__msg__JointState__fini(&out);
  OK(rcl_publisher_fini(&publisher, &session.node));
  OK(rcl_subscription_fini(&subscription, &session.node));
}

// bytes arrive as they were, padded to a multiple of four, and decode
static void
serialized(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "~/bytes"));
  OK(rclc_subscription_init_default(&subscription, &session.node, STRING, "pubsub/bytes"));
  assert_true(wait_matched(&publisher, 1, 2000));
  std_msgs__msg__String text;
  std_msgs__msg__String back;
  assert_true(std_msgs__msg__String__init(&text) && std_msgs__msg__String__init(&back));
  rcl_serialized_message_t out = rmw_get_zero_initialized_serialized_message();
  rcl_serialized_message_t in = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&out, 0, &session.allocator), RCUTILS_RET_OK);
  assert_int_equal(rmw_serialized_message_init(&in, 4096, &session.allocator), RCUTILS_RET_OK);
  const uint8_t * buffer = in.buffer;
  for (int n = 0; n < 9; n++) {
    char word[16] = "";
    memset(word, 'a', (size_t)n);
    assert_true(rosidl_runtime_c__String__assign(&text.data, word));
    OK(rmw_serialize(&text, STRING, &out));
    assert_int_equal(out.buffer_length, 4 + 4 + n + 1);
    OK(rcl_publish_serialized_message(&publisher, &out, NULL));
    OK(take_within(&session, &subscription, &in, 1000));
    assert_int_equal(in.buffer_length, (out.buffer_length + 3) / 4 * 4);
    assert_memory_equal(in.buffer, out.buffer, out.buffer_length);
    OK(rmw_deserialize(&in, STRING, &back));
    assert_string_equal(back.data.data, word);
  }
  // cut short it does not
  in.buffer_length = 6;
  assert_int_equal(rmw_deserialize(&in, STRING, &back), RMW_RET_ERROR);
  assert_true(rcl_error_is_set());
  rcl_reset_error();
  // without any bytes it is an error
  out.buffer_length = 0;
  OK(rcl_publish_serialized_message(&publisher, &out, NULL));
  FAILS(take_within(&session, &subscription, &in, 1000), RCL_RET_ERROR);
  // a buffer that is large enough stays
  assert_ptr_equal(buffer, in.buffer);
  assert_int_equal(in.buffer_capacity, 4096);
  std_msgs__msg__String__fini(&text);
  std_msgs__msg__String__fini(&back);
  assert_int_equal(rmw_serialized_message_fini(&out), RCUTILS_RET_OK);
  assert_int_equal(rmw_serialized_message_fini(&in), RCUTILS_RET_OK);
  OK(rcl_publisher_fini(&publisher, &session.node));
  OK(rcl_subscription_fini(&subscription, &session.node));
}

static uint8_t fixed_buffer[256];

static void *
fixed_allocate(size_t size, void * state)
{
  (void)state;
  return size <= sizeof fixed_buffer ? fixed_buffer : NULL;
}

static void *
fixed_zero_allocate(size_t n, size_t size, void * state)
{
  return fixed_allocate(n * size, state);
}

static void *
fixed_reallocate(void * pointer, size_t size, void * state)
{
  (void)pointer;
  return fixed_allocate(size, state);
}

static void
fixed_deallocate(void * pointer, void * state)
{
  (void)pointer;
  (void)state;
}

// an allocator that refuses costs the message and no more
static void
refusing_allocator(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "fixed"));
  OK(rclc_subscription_init_default(&subscription, &session.node, STRING, "fixed"));
  assert_true(wait_matched(&publisher, 1, 2000));
  rcl_serialized_message_t in = rmw_get_zero_initialized_serialized_message();
  in.allocator = (rcl_allocator_t){
    fixed_allocate, fixed_deallocate, fixed_reallocate, fixed_zero_allocate, NULL};
  in.buffer = fixed_buffer;
  in.buffer_capacity = sizeof fixed_buffer;
  uint8_t big[1024] = {0, 1, 0, 0, 0xf8, 3};
  rcl_serialized_message_t out = {
    .buffer = big, .buffer_length = sizeof big, .buffer_capacity = sizeof big};
  OK(rcl_publish_serialized_message(&publisher, &out, NULL));
  FAILS(take_within(&session, &subscription, &in, 1000), RCL_RET_ERROR);
  out.buffer_length = 100;
  in.buffer = fixed_buffer;
  in.buffer_capacity = sizeof fixed_buffer;
  OK(rcl_publish_serialized_message(&publisher, &out, NULL));
  OK(take_within(&session, &subscription, &in, 1000));
  assert_int_equal(in.buffer_length, 100);
  assert_ptr_equal(in.buffer, fixed_buffer);
  OK(rcl_publisher_fini(&publisher, &session.node));
  OK(rcl_subscription_fini(&subscription, &session.node));
}

// a late subscription gets the last message of a transient-local publisher, and only then
static void
late_joiner(void ** state)
{
  (void)state;
  rmw_qos_profile_t latched = rmw_qos_profile_default;
  latched.depth = 1;
  latched.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  rcl_publisher_t publisher;
  OK(rclc_publisher_init(&publisher, &session.node, STRING, "latched", &latched));
  std_msgs__msg__String text;
  assert_true(std_msgs__msg__String__init(&text));
  assert_true(rosidl_runtime_c__String__assign(&text.data, "old"));
  OK(rcl_publish(&publisher, &text, NULL));
  assert_true(rosidl_runtime_c__String__assign(&text.data, "last"));
  OK(rcl_publish(&publisher, &text, NULL));
  rcl_subscription_t late;
  rcl_subscription_t volatile_one;
  OK(rclc_subscription_init(&late, &session.node, STRING, "latched", &latched));
  OK(rclc_subscription_init_default(&volatile_one, &session.node, STRING, "latched"));
  assert_true(rosidl_runtime_c__String__assign(&text.data, ""));
  void * arg[] = {&late, &text, NULL};
  assert_true(wait_until(can_take, arg, 2000));
  assert_string_equal(text.data.data, "last");
  FAILS(rcl_take(&late, &text, NULL, NULL), RCL_RET_SUBSCRIPTION_TAKE_FAILED);
  FAILS(rcl_take(&volatile_one, &text, NULL, NULL), RCL_RET_SUBSCRIPTION_TAKE_FAILED);
  std_msgs__msg__String__fini(&text);
  OK(rcl_subscription_fini(&volatile_one, &session.node));
  OK(rcl_subscription_fini(&late, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

// what does not decode is dropped and counted; what comes after it is not
static void
malformed(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = 100;
  OK(rclc_publisher_init(&publisher, &session.node, JOINT_STATE, "malformed", &qos));
  OK(rclc_subscription_init(&subscription, &session.node, JOINT_STATE, "malformed", &qos));
  assert_true(wait_matched(&publisher, 1, 2000));
  sensor_msgs__msg__JointState message;
  fill_joint_state(&message, 2.5);
  rcl_serialized_message_t good = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&good, 0, &session.allocator), RCUTILS_RET_OK);
  OK(rmw_serialize(&message, JOINT_STATE, &good));
  size_t bad = 0;
  // cut short at every multiple of four, and with a length that lies
  for (size_t length = 0; length + 4 < good.buffer_length; length += 4, bad++) {
    rcl_serialized_message_t cut = good;
    cut.buffer_length = length;
    OK(rcl_publish_serialized_message(&publisher, &cut, NULL));
  }
  good.buffer[12] = 0xff;
  good.buffer[15] = 0xff;
  OK(rcl_publish_serialized_message(&publisher, &good, NULL));
  bad++;
  good.buffer[12] = 1;
  good.buffer[15] = 0;
  OK(rcl_publish_serialized_message(&publisher, &good, NULL));
  message.position.data[0] = 0;
  void * arg[] = {&subscription, &message, NULL};
  assert_true(wait_until(can_take, arg, 2000));
  assert_true(message.position.data[0] == 2.5);
  assert_int_equal(atomic_load(&subscription.impl->in.dropped), bad);
  assert_int_equal(rmw_serialized_message_fini(&good), RCUTILS_RET_OK);
  sensor_msgs__msg__JointState__fini(&message);
  OK(rcl_publisher_fini(&publisher, &session.node));
  OK(rcl_subscription_fini(&subscription, &session.node));
}

// the order of ends, and what is asked of things that are not there
static void
lifecycle(void ** state)
{
  (void)state;
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  FAILS(rcl_publish(&publisher, &publisher, NULL), RCL_RET_PUBLISHER_INVALID);
  OK(rcl_publisher_fini(&publisher, &session.node));
  rcl_node_t none = rcl_get_zero_initialized_node();
  FAILS(rcl_publisher_fini(&publisher, &none), RCL_RET_NODE_INVALID);
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  FAILS(
    rcl_publisher_init(&publisher, &session.node, STRING, "no spaces", &options),
    RCL_RET_TOPIC_NAME_INVALID);
  OK(rcl_publisher_init(&publisher, &session.node, STRING, "again", &options));
  FAILS(
    rcl_publisher_init(&publisher, &session.node, STRING, "again", &options), RCL_RET_ALREADY_INIT);
  assert_int_equal(rcl_publisher_get_actual_qos(&publisher)->depth, 10);
  OK(rcl_publisher_wait_for_all_acked(&publisher, RCL_MS_TO_NS(100)));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

// what was not specified is infinite; there is no depth where all is kept
static void
actual_qos(void ** state)
{
  (void)state;
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  qos.lifespan = (rmw_time_t){2, 0};
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  OK(rclc_publisher_init(&publisher, &session.node, STRING, "actual", &qos));
  OK(rclc_subscription_init(&subscription, &session.node, STRING, "actual", &qos));
  const rmw_qos_profile_t * out = rcl_publisher_get_actual_qos(&publisher);
  const rmw_qos_profile_t * in = rcl_subscription_get_actual_qos(&subscription);
  const rmw_time_t infinite = RMW_DURATION_INFINITE;
  assert_int_equal(out->depth, 0);
  assert_int_equal(in->depth, 0);
  assert_memory_equal(&out->deadline, &infinite, sizeof infinite);
  assert_memory_equal(&in->deadline, &infinite, sizeof infinite);
  assert_memory_equal(&in->liveliness_lease_duration, &infinite, sizeof infinite);
  assert_memory_equal(&out->lifespan, &qos.lifespan, sizeof infinite);
  assert_memory_equal(&in->lifespan, &infinite, sizeof infinite);
  OK(rcl_subscription_fini(&subscription, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(typed),       cmocka_unit_test(serialized),
    cmocka_unit_test(late_joiner), cmocka_unit_test(refusing_allocator),
    cmocka_unit_test(malformed),   cmocka_unit_test(lifecycle),
    cmocka_unit_test(actual_qos),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
