#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcl/logging.h"
#include "rmw/rmw.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { JOINTS = 7 };

volatile sig_atomic_t session_stop;

void
session_check(rcl_ret_t ret, const char * call, const char * file, int line)
{
  if (ret == RCL_RET_OK) return;
  fprintf(stderr, "%s:%d: %s -> %d: %s\n", file, line, call, ret, rcl_get_error_string().str);
  exit(1);
}

//---------- node ----------

static void
stop(int signal)
{
  (void)signal;
  session_stop = 1;
}

void
session_open(session_t * session, const char * node_name, bool rosout)
{
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  memset(session, 0, sizeof *session);
  session->allocator = rcl_get_default_allocator();
  OK(rclc_support_init(&session->support, 0, NULL, &session->allocator));
  if (rosout) {
    OK(rcl_logging_configure(
      &session->support.context.global_arguments, session->support.allocator));
  }
  OK(rclc_node_init_default(&session->node, node_name, "", &session->support));
}

void
session_close(session_t * session)
{
  OK(rcl_node_fini(&session->node));
  if (rcl_logging_rosout_enabled()) OK(rcl_logging_fini());
  OK(rclc_support_fini(&session->support));
}

bool
session_wait(
  session_t * session, const rcl_subscription_t * subscription, const rcl_client_t * client,
  int milliseconds)
{
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(
    &set, subscription != NULL, 0, 0, client != NULL, 0, 0, &session->support.context,
    session->allocator));
  if (subscription != NULL) OK(rcl_wait_set_add_subscription(&set, subscription, NULL));
  if (client != NULL) OK(rcl_wait_set_add_client(&set, client, NULL));
  rcl_ret_t ret = rcl_wait(&set, RCL_MS_TO_NS((int64_t)milliseconds));
  if (ret != RCL_RET_TIMEOUT) OK(ret);
  OK(rcl_wait_set_fini(&set));
  return ret == RCL_RET_OK;
}

rmw_qos_profile_t
profile(bool reliable, bool latched, size_t depth)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = depth;
  if (!reliable) qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  if (latched) qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return qos;
}

//---------- messages ----------

void
joint_state_init(sensor_msgs__msg__JointState * message, const char * frame)
{
  bool ok = sensor_msgs__msg__JointState__init(message);
  ok = ok && rosidl_runtime_c__String__assign(&message->header.frame_id, frame);
  ok = ok && rosidl_runtime_c__String__Sequence__init(&message->name, JOINTS);
  ok = ok && rosidl_runtime_c__double__Sequence__init(&message->position, JOINTS);
  ok = ok && rosidl_runtime_c__double__Sequence__init(&message->velocity, JOINTS);
  ok = ok && rosidl_runtime_c__double__Sequence__init(&message->effort, JOINTS);
  for (size_t i = 0; ok && i < JOINTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint_%zu", i + 1);
    ok = rosidl_runtime_c__String__assign(&message->name.data[i], name);
  }
  if (!ok) abort();
}

void
joint_state_set(sensor_msgs__msg__JointState * message, uint32_t k)
{
  message->header.stamp.sec = (int32_t)k;
  message->header.stamp.nanosec = k % 1000 * 1000000;
  for (size_t i = 0; i < JOINTS; i++) {
    double value = (double)k + (double)i / 8;
    message->position.data[i] = value;
    message->velocity.data[i] = -value;
    message->effort.data[i] = value / 16;
  }
}

bool
joint_state_is(const sensor_msgs__msg__JointState * message, uint32_t k)
{
  bool same = message->name.size == JOINTS && message->position.size == JOINTS &&
              message->velocity.size == JOINTS && message->effort.size == JOINTS &&
              message->header.stamp.sec == (int32_t)k &&
              message->header.stamp.nanosec == k % 1000 * 1000000;
  for (size_t i = 0; same && i < JOINTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint_%zu", i + 1);
    double value = (double)k + (double)i / 8;
    same = strcmp(message->name.data[i].data, name) == 0 && message->position.data[i] == value &&
           message->velocity.data[i] == -value && message->effort.data[i] == value / 16;
  }
  return same;
}

size_t
message_bytes(
  const rosidl_message_type_support_t * type, const void * message, uint8_t * buffer, size_t size)
{
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  OK(rmw_serialized_message_init(&bytes, 0, &allocator));
  OK(rmw_serialize(message, type, &bytes));
  const size_t length = bytes.buffer_length;
  if (length > size) abort();
  memcpy(buffer, bytes.buffer, length);
  OK(rmw_serialized_message_fini(&bytes));
  return length;
}

size_t
joint_state_bytes(uint32_t k, const char * frame, uint8_t * buffer, size_t size)
{
  sensor_msgs__msg__JointState message;
  joint_state_init(&message, frame);
  joint_state_set(&message, k);
  const size_t length = message_bytes(JOINT_STATE, &message, buffer, size);
  sensor_msgs__msg__JointState__fini(&message);
  return (length + 3) / 4 * 4;
}
