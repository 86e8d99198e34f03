// Two processes: both directions, a peer that is killed, and 1 kHz without a loss.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc/executor.h"
#include "rmw/qos_profiles.h"
#include "rmw/rmw.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "support.h"

// 1 kHz: how long the stream is, in seconds
static int
stream_seconds(void)
{
  const char * text = getenv("TEST_STANDALONE_SECONDS");
  return text == NULL ? 10 : atoi(text);
}

static rmw_qos_profile_t
deep(size_t depth)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = depth;
  return qos;
}

static void
fill_joint_state(sensor_msgs__msg__JointState * message)
{
  assert_true(sensor_msgs__msg__JointState__init(message));
  assert_true(rosidl_runtime_c__String__Sequence__init(&message->name, 7));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message->position, 7));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message->velocity, 7));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message->effort, 7));
  for (size_t i = 0; i < 7; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint_%zu", i);
    assert_true(rosidl_runtime_c__String__assign(&message->name.data[i], name));
  }
}

//---------- roles ----------

// sends every string back on another topic, until it is killed or left alone
static int
role_echo(void)
{
  session_t session;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  session_open(&session, "echo", NULL);
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "pong"));
  // pings are taken once the answers have a reader: a match on the other side alone says nothing of that
  assert_true(wait_matched(&publisher, 1, 10000));
  OK(rclc_subscription_init_default(&subscription, &session.node, STRING, "ping"));
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&bytes, 0, &session.allocator), RCUTILS_RET_OK);
  while (take_within(&session, &subscription, &bytes, 20000) == RCL_RET_OK) {
    OK(rcl_publish_serialized_message(&publisher, &bytes, NULL));
    if (strstr((const char *)bytes.buffer + 8, "stop") != NULL) break;
  }
  OK(rcl_publisher_wait_for_all_acked(&publisher, RCL_MS_TO_NS(1000)));
  assert_int_equal(rmw_serialized_message_fini(&bytes), RCUTILS_RET_OK);
  OK(rcl_subscription_fini(&subscription, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
  session_close(&session);
  return 0;
}

// a robot at 1 kHz: position 0 counts, position 1 is when it was sent
static int
role_stream(void)
{
  session_t session;
  rcl_publisher_t publisher;
  rmw_qos_profile_t qos = deep(1000);
  session_open(&session, "robot", NULL);
  OK(rclc_publisher_init(&publisher, &session.node, JOINT_STATE, "joint_states", &qos));
  assert_true(wait_matched(&publisher, 1, 10000));
  sensor_msgs__msg__JointState message;
  fill_joint_state(&message);
  int64_t next = now_ns();
  for (int i = 0; i < 1000 * stream_seconds(); i++) {
    next += 1000000;
    sleep_until(next);
    message.position.data[0] = i;
    message.position.data[1] = (double)now_ns();
    OK(rcl_publish(&publisher, &message, NULL));
  }
  OK(rcl_publisher_wait_for_all_acked(&publisher, RCL_S_TO_NS(5LL)));
  sensor_msgs__msg__JointState__fini(&message);
  OK(rcl_publisher_fini(&publisher, &session.node));
  session_close(&session);
  return 0;
}

//---------- tests ----------

typedef struct {
  session_t session;
  rcl_publisher_t ping;
  rcl_subscription_t pong;
  rcl_serialized_message_t bytes;
} pinger_t;

static void
pinger_open(pinger_t * pinger)
{
  session_open(&pinger->session, "pinger", NULL);
  OK(rclc_publisher_init_default(&pinger->ping, &pinger->session.node, STRING, "ping"));
  OK(rclc_subscription_init_default(&pinger->pong, &pinger->session.node, STRING, "pong"));
  pinger->bytes = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(
    rmw_serialized_message_init(&pinger->bytes, 0, &pinger->session.allocator), RCUTILS_RET_OK);
}

static void
pinger_close(pinger_t * pinger)
{
  assert_int_equal(rmw_serialized_message_fini(&pinger->bytes), RCUTILS_RET_OK);
  OK(rcl_subscription_fini(&pinger->pong, &pinger->session.node));
  OK(rcl_publisher_fini(&pinger->ping, &pinger->session.node));
  session_close(&pinger->session);
}

static bool
ping(pinger_t * pinger, const char * text, int milliseconds)
{
  std_msgs__msg__String message;
  assert_true(std_msgs__msg__String__init(&message));
  assert_true(rosidl_runtime_c__String__assign(&message.data, text));
  OK(rcl_publish(&pinger->ping, &message, NULL));
  bool same = false;
  rcl_ret_t ret = take_within(&pinger->session, &pinger->pong, &pinger->bytes, milliseconds);
  if (ret == RCL_RET_OK) {
    OK(rmw_deserialize(&pinger->bytes, STRING, &message));
    same = strcmp(message.data.data, text) == 0;
  }
  std_msgs__msg__String__fini(&message);
  return same;
}

// both ends of both topics
static bool
connected(void * arg)
{
  pinger_t * pinger = arg;
  size_t out = 0;
  size_t in = 0;
  OK(rcl_publisher_get_subscription_count(&pinger->ping, &out));
  OK(rcl_subscription_get_publisher_count(&pinger->pong, &in));
  return out == 1 && in == 1;
}

// there and back, small and in fragments
static void
there_and_back(void ** state)
{
  (void)state;
  pinger_t pinger;
  pinger_open(&pinger);
  pid_t echo = start_role("echo");
  assert_true(wait_until(connected, &pinger, 10000));
  for (int i = 0; i < 100; i++) {
    char text[32];
    snprintf(text, sizeof text, "message %d", i);
    assert_true(ping(&pinger, text, 1000));
  }
  size_t size = 300000;
  char * big = malloc(size);
  memset(big, 'x', size - 1);
  big[size - 1] = '\0';
  assert_true(ping(&pinger, big, 3000));
  free(big);
  assert_true(ping(&pinger, "stop", 1000));
  assert_int_equal(exit_code(echo), 0);
  pinger_close(&pinger);
}

// kill -9 and a new start: messages flow again within 3 s
static void
killed_and_back(void ** state)
{
  (void)state;
  pinger_t pinger;
  pinger_open(&pinger);
  pid_t echo = start_role("echo");
  assert_true(wait_until(connected, &pinger, 10000));
  assert_true(ping(&pinger, "first", 1000));
  for (int round = 0; round < 3; round++) {
    kill(echo, SIGKILL);
    assert_int_equal(exit_code(echo), 128 + SIGKILL);
    int64_t start = now_ns();
    echo = start_role("echo");
    bool back = false;
    while (!back && now_ns() - start < RCL_S_TO_NS(3LL)) back = ping(&pinger, "again", 100);
    assert_true(back);
    print_message("[ resumed  ] after %d ms\n", (int)((now_ns() - start) / 1000000));
  }
  while (take_within(&pinger.session, &pinger.pong, &pinger.bytes, 50) == RCL_RET_OK) continue;
  assert_true(ping(&pinger, "stop", 1000));
  assert_int_equal(exit_code(echo), 0);
  pinger_close(&pinger);
}

static int
compare(const void * a, const void * b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

// 1 kHz, waited for and taken as bytes, as the node does it: none lost, none out of order
static void
stream(void ** state)
{
  (void)state;
  session_t session;
  rcl_subscription_t subscription;
  rmw_qos_profile_t qos = deep(1000);
  session_open(&session, "reader", NULL);
  OK(rclc_subscription_init(&subscription, &session.node, JOINT_STATE, "joint_states", &qos));
  pid_t robot = start_role("stream");
  int total = 1000 * stream_seconds();
  double * latencies = calloc((size_t)total, sizeof *latencies);
  sensor_msgs__msg__JointState message;
  assert_true(sensor_msgs__msg__JointState__init(&message));
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&bytes, 1024, &session.allocator), RCUTILS_RET_OK);
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &session.support.context, session.allocator));
  int received = 0;
  while (received < total) {
    OK(rcl_wait_set_clear(&set));
    OK(rcl_wait_set_add_subscription(&set, &subscription, NULL));
    rcl_ret_t ret = rcl_wait(&set, RCL_S_TO_NS(10LL));
    if (ret == RCL_RET_TIMEOUT) break;
    OK(ret);
    while (rcl_take_serialized_message(&subscription, &bytes, NULL, NULL) == RCL_RET_OK) {
      double now = (double)now_ns();
      OK(rmw_deserialize(&bytes, JOINT_STATE, &message));
      if ((int)message.position.data[0] != received) {
        fail_msg("%d came after %d", (int)message.position.data[0], received - 1);
      }
      latencies[received++] = (now - message.position.data[1]) / 1000;
    }
  }
  assert_int_equal(exit_code(robot), 0);
  assert_int_equal(received, total);
  qsort(latencies, (size_t)total, sizeof *latencies, compare);
  print_message(
    "[ latency  ] %d messages, us: p50 %.0f, p99 %.0f, p99.9 %.0f, max %.0f\n", total,
    latencies[total / 2], latencies[total / 100 * 99], latencies[total / 1000 * 999],
    latencies[total - 1]);
  free(latencies);
  OK(rcl_wait_set_fini(&set));
  assert_int_equal(rmw_serialized_message_fini(&bytes), RCUTILS_RET_OK);
  sensor_msgs__msg__JointState__fini(&message);
  OK(rcl_subscription_fini(&subscription, &session.node));
  session_close(&session);
}

int
main(int argc, char ** argv)
{
  own_domain();
  const char * role = role_of(argc, argv);
  if (role != NULL) return strcmp(role, "echo") == 0 ? role_echo() : role_stream();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(there_and_back),
    cmocka_unit_test(killed_and_back),
    cmocka_unit_test(stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
