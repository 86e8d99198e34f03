// One side of a pair of processes, on the rclc API:
//
//   pair send reliable|best_effort COUNT     1 kHz joint states; COUNT 0: until SIGTERM
//   pair receive reliable|best_effort COUNT  says when it knows a sender, when the sender changes,
//                                            and what was lost; COUNT 0: until SIGTERM
//   pair latch                               a robot description, then nothing until SIGTERM
//   pair late                                takes it
//   pair serve                               SetBool: echoes the bool, numbers the answers
//   pair call NUMBER COUNT                   calls it with a pattern of its own
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "process.h"
#include "rcl/graph.h"
#include "rosidl_runtime_c/string_functions.h"
#include "session.h"

enum { DEPTH = 1000, SILENCE_MS = 4000, MATCH_MS = 20000, CALL_MS = 3000, DESCRIPTION = 300000 };

static session_t session;

//---------- stream ----------

static size_t
subscriptions(const rcl_publisher_t * publisher)
{
  size_t count = 0;
  OK(rcl_publisher_get_subscription_count(publisher, &count));
  return count;
}

static const char *
topic_of(bool reliable)
{
  return reliable ? "joint_states" : "joint_states_best_effort";
}

// one every millisecond, however long the last took
static void
stream(rcl_publisher_t * publisher, uint32_t count)
{
  char frame[16];
  snprintf(frame, sizeof frame, "%d", (int)getpid());
  sensor_msgs__msg__JointState message;
  joint_state_init(&message, frame);
  int64_t next = now_ns();
  for (uint32_t k = 0; (count == 0 || k < count) && !session_stop; k++) {
    joint_state_set(&message, k);
    OK(rcl_publish(publisher, &message, NULL));
    next += 1000000;
    struct timespec at = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
  }
  sensor_msgs__msg__JointState__fini(&message);
}

static int
send_stream(bool reliable, uint32_t count)
{
  rmw_qos_profile_t qos = profile(reliable, false, DEPTH);
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init(&publisher, &session.node, JOINT_STATE, topic_of(reliable), &qos));
  for (int ms = 0; count > 0 && subscriptions(&publisher) == 0; ms++) {
    if (ms == MATCH_MS) return printf("no subscription\n"), 1;
    sleep_ms(1);
  }
  // the other side may need a moment longer to know us
  if (count > 0) sleep_ms(500);
  stream(&publisher, count);
  // until the other side has all of it and goes
  for (int ms = 0; count > 0 && subscriptions(&publisher) > 0 && ms < SILENCE_MS; ms++) sleep_ms(1);
  printf("sent %u\n", count);
  OK(rcl_publisher_fini(&publisher, &session.node));
  return 0;
}

typedef struct {
  uint32_t count, wrong, next;
  bool matched;
  int64_t last_ns;
  char frame[16];
} received_t;

static void
say_matched(received_t * received)
{
  if (!received->matched) printf("matched\n");
  received->matched = true;
}

static void
on_joint_state(const void * data, void * context)
{
  const sensor_msgs__msg__JointState * message = data;
  received_t * received = context;
  uint32_t k = (uint32_t)message->header.stamp.sec;
  // numbers only grow
  if (!joint_state_is(message, k) || k < received->next) received->wrong++;
  received->next = k + 1;
  received->count++;
  received->last_ns = now_ns();
  say_matched(received);
  if (strcmp(received->frame, message->header.frame_id.data) == 0) return;
  snprintf(received->frame, sizeof received->frame, "%s", message->header.frame_id.data);
  printf("from %s\n", received->frame);
}

static void
look_for_sender(const rcl_subscription_t * subscription, received_t * received)
{
  size_t publishers = 0;
  OK(rcl_subscription_get_publisher_count(subscription, &publishers));
  if (publishers > 0) say_matched(received);
}

static int
receive_stream(bool reliable, uint32_t count)
{
  rmw_qos_profile_t qos = profile(reliable, false, DEPTH);
  rcl_subscription_t subscription = rcl_get_zero_initialized_subscription();
  const char * topic = topic_of(reliable);
  OK(rclc_subscription_init(&subscription, &session.node, JOINT_STATE, topic, &qos));
  sensor_msgs__msg__JointState message;
  if (!sensor_msgs__msg__JointState__init(&message)) return 1;
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  OK(rclc_executor_init(&executor, &session.support.context, 1, &session.allocator));
  received_t received = {.last_ns = now_ns() + RCL_MS_TO_NS((int64_t)MATCH_MS)};
  OK(rclc_executor_add_subscription_with_context(
    &executor, &subscription, &message, on_joint_state, &received, ON_NEW_DATA));
  while (!session_stop && (count == 0 || received.next < count)) {
    if (!received.matched) look_for_sender(&subscription, &received);
    rcl_ret_t ret = rclc_executor_spin_some(&executor, RCL_MS_TO_NS(10));
    if (ret != RCL_RET_TIMEOUT) OK(ret);
    bool silent = now_ns() - received.last_ns > RCL_MS_TO_NS((int64_t)SILENCE_MS);
    if (count > 0 && silent) break;
  }
  printf(
    "received %u lost %d wrong %u\n", received.count, (int)(count - received.count),
    received.wrong);
  OK(rclc_executor_fini(&executor));
  sensor_msgs__msg__JointState__fini(&message);
  OK(rcl_subscription_fini(&subscription, &session.node));
  return count > 0 && (received.count != count || received.wrong > 0);
}

//---------- latched ----------

static void
describe(char * text)
{
  for (size_t i = 0; i < DESCRIPTION; i++) text[i] = (char)('a' + i * i % 26);
  text[DESCRIPTION] = '\0';
}

static int
latch(void)
{
  static char text[DESCRIPTION + 1];
  describe(text);
  rmw_qos_profile_t qos = profile(true, true, 1);
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init(&publisher, &session.node, STRING, "robot_description", &qos));
  std_msgs__msg__String message;
  if (!std_msgs__msg__String__init(&message)) return 1;
  if (!rosidl_runtime_c__String__assign(&message.data, text)) return 1;
  OK(rcl_publish(&publisher, &message, NULL));
  std_msgs__msg__String__fini(&message);
  printf("ready\n");
  while (!session_stop) sleep_ms(10);
  OK(rcl_publisher_fini(&publisher, &session.node));
  return 0;
}

static int
late(void)
{
  static char text[DESCRIPTION + 1];
  describe(text);
  rmw_qos_profile_t qos = profile(true, true, 1);
  rcl_subscription_t subscription = rcl_get_zero_initialized_subscription();
  OK(rclc_subscription_init(&subscription, &session.node, STRING, "robot_description", &qos));
  std_msgs__msg__String message;
  if (!std_msgs__msg__String__init(&message)) return 1;
  rcl_ret_t ret = RCL_RET_SUBSCRIPTION_TAKE_FAILED;
  for (int i = 0; i < 100 && ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED && !session_stop; i++) {
    if (!session_wait(&session, &subscription, NULL, 100)) continue;
    ret = rcl_take(&subscription, &message, NULL, NULL);
  }
  bool same = ret == RCL_RET_OK && strcmp(message.data.data, text) == 0;
  printf("got %zu %s\n", message.data.size, same ? "same" : "not the same");
  std_msgs__msg__String__fini(&message);
  OK(rcl_subscription_fini(&subscription, &session.node));
  return !same;
}

//---------- service ----------

static void
on_set_bool(const void * request, void * response)
{
  static uint32_t number;
  std_srvs__srv__SetBool_Response * answer = response;
  answer->success = ((const std_srvs__srv__SetBool_Request *)request)->data;
  char text[16];
  snprintf(text, sizeof text, "%u", ++number);
  if (!rosidl_runtime_c__String__assign(&answer->message, text)) exit(1);
}

static int
serve(void)
{
  rcl_service_t service = rcl_get_zero_initialized_service();
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "enable"));
  std_srvs__srv__SetBool_Request request;
  std_srvs__srv__SetBool_Response response;
  if (!std_srvs__srv__SetBool_Request__init(&request)) return 1;
  if (!std_srvs__srv__SetBool_Response__init(&response)) return 1;
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  OK(rclc_executor_init(&executor, &session.support.context, 1, &session.allocator));
  OK(rclc_executor_add_service(&executor, &service, &request, &response, on_set_bool));
  printf("ready\n");
  while (!session_stop) {
    rcl_ret_t ret = rclc_executor_spin_some(&executor, RCL_MS_TO_NS(100));
    if (ret != RCL_RET_TIMEOUT) OK(ret);
  }
  OK(rclc_executor_fini(&executor));
  std_srvs__srv__SetBool_Request__fini(&request);
  std_srvs__srv__SetBool_Response__fini(&response);
  OK(rcl_service_fini(&service, &session.node));
  return 0;
}

static bool
find_service(const rcl_client_t * client)
{
  bool available = false;
  for (int ms = 0; ms < MATCH_MS && !available; ms++) {
    OK(rcl_service_server_is_available(&session.node, client, &available));
    if (!available) sleep_ms(1);
  }
  // the other side may need a moment longer to know us
  if (available) sleep_ms(500);
  return available;
}

// answers to others wake us too and are not there when we take
static bool
take_answer(rcl_client_t * client, rmw_request_id_t * id, std_srvs__srv__SetBool_Response * answer)
{
  int64_t end = now_ns() + RCL_MS_TO_NS((int64_t)CALL_MS);
  rcl_ret_t ret = RCL_RET_CLIENT_TAKE_FAILED;
  while (ret == RCL_RET_CLIENT_TAKE_FAILED && now_ns() < end) {
    if (session_wait(&session, NULL, client, 100)) ret = rcl_take_response(client, id, answer);
  }
  return ret == RCL_RET_OK;
}

// the number of the answer to this call and no other; 0 if it does not come
static long
call_once(rcl_client_t * client, bool data, std_srvs__srv__SetBool_Response * answer)
{
  std_srvs__srv__SetBool_Request request = {.data = data};
  rmw_request_id_t id = {.sequence_number = 0};
  int64_t sequence = 0;
  OK(rcl_send_request(client, &request, &sequence));
  if (!take_answer(client, &id, answer)) return printf("no answer\n"), 0;
  if (id.sequence_number != sequence) return printf("not the answer to this call\n"), 0;
  if (answer->success != data) return printf("not the answer to this bool\n"), 0;
  return strtol(answer->message.data, NULL, 10);
}

static int
call(uint32_t number, uint32_t count)
{
  rcl_client_t client = rcl_get_zero_initialized_client();
  // the reader sees the answers to all: with a depth of 10 a caller that stalls loses its own
  rmw_qos_profile_t deep = profile(true, false, DEPTH);
  OK(rclc_client_init(&client, &session.node, SET_BOOL, "enable", &deep));
  if (!find_service(&client)) return printf("no service\n"), 1;
  std_srvs__srv__SetBool_Response response;
  if (!std_srvs__srv__SetBool_Response__init(&response)) return 1;
  // each caller has its own pattern, and answers have numbers that no two callers share
  uint32_t good = 0;
  long sum = 0, last = 0;
  for (uint32_t i = 0; i < count && good == i && !session_stop; i++) {
    long answer = call_once(&client, (number >> i % 4 & 1) != 0, &response);
    if (answer > last) good++;
    sum += answer;
    last = answer;
  }
  printf("good %u sum %ld\n", good, sum);
  std_srvs__srv__SetBool_Response__fini(&response);
  OK(rcl_client_fini(&client, &session.node));
  return good != count;
}

//---------- which ----------

static int
run_role(int argc, char ** argv)
{
  const char * role = argc > 1 ? argv[1] : "";
  bool reliable = argc > 2 && strcmp(argv[2], "reliable") == 0;
  uint32_t count = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
  if (strcmp(role, "send") == 0) return send_stream(reliable, count);
  if (strcmp(role, "receive") == 0) return receive_stream(reliable, count);
  if (strcmp(role, "latch") == 0) return latch();
  if (strcmp(role, "late") == 0) return late();
  if (strcmp(role, "serve") == 0) return serve();
  if (strcmp(role, "call") == 0 && argc > 3) {
    return call((uint32_t)strtoul(argv[2], NULL, 10), count);
  }
  fprintf(stderr, "pair send|receive|latch|late|serve|call ...: see the top of pair.c\n");
  return 2;
}

int
main(int argc, char ** argv)
{
  session_open(&session, argc > 1 ? argv[1] : "pair", false);
  int code = run_role(argc, argv);
  if (code == 0) session_close(&session);
  return code;
}
