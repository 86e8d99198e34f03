// The serialized path of the rclc API, as the node's control loop uses it.
#include <string.h>

#include "latency_path.h"
#include "rmw/serialized_message.h"
#include "session.h"

static session_t session;
static rcl_publisher_t publisher;
static rcl_subscription_t subscription;
static rcl_wait_set_t set;
static rcl_serialized_message_t out, in;

static void
ours_open(bool echo)
{
  rmw_qos_profile_t qos = profile(true, false, 0);
  qos.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  session_open(&session, echo ? "latency_echo" : "latency", false);
  const char * names[] = {"latency/ping", "latency/pong"};
  OK(rclc_publisher_init(&publisher, &session.node, JOINT_STATE, names[echo], &qos));
  OK(rclc_subscription_init(&subscription, &session.node, JOINT_STATE, names[!echo], &qos));
  set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &session.support.context, session.allocator));
  OK(rmw_serialized_message_init(&out, 512, &session.allocator));
  OK(rmw_serialized_message_init(&in, 512, &session.allocator));
  out.buffer_length = joint_state_bytes(0, "base", out.buffer, out.buffer_capacity);
}

static void
ours_close(void)
{
  OK(rmw_serialized_message_fini(&in));
  OK(rmw_serialized_message_fini(&out));
  OK(rcl_wait_set_fini(&set));
  OK(rcl_subscription_fini(&subscription, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
  session_close(&session);
}

static bool
ours_matched(void)
{
  size_t readers = 0, writers = 0;
  OK(rcl_publisher_get_subscription_count(&publisher, &readers));
  OK(rcl_subscription_get_publisher_count(&subscription, &writers));
  return readers > 0 && writers > 0;
}

// the word is the stamp of the header
static void
ours_send(word_t word)
{
  memcpy(out.buffer + 4, &word, sizeof word);
  OK(rcl_publish_serialized_message(&publisher, &out, NULL));
}

static bool
ours_receive(word_t * word, int milliseconds)
{
  rcl_ret_t ret = rcl_take_serialized_message(&subscription, &in, NULL, NULL);
  if (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
    OK(rcl_wait_set_clear(&set));
    OK(rcl_wait_set_add_subscription(&set, &subscription, NULL));
    ret = rcl_wait(&set, RCL_MS_TO_NS((int64_t)milliseconds));
    if (ret == RCL_RET_OK) ret = rcl_take_serialized_message(&subscription, &in, NULL, NULL);
  }
  if (ret == RCL_RET_OK) memcpy(word, in.buffer + 4, sizeof *word);
  return ret == RCL_RET_OK;
}

const path_t path_ours = {
  .name = "ours",
  .open = ours_open,
  .close = ours_close,
  .matched = ours_matched,
  .send = ours_send,
  .receive = ours_receive,
};
