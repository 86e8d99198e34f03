// `mbdyn topic pub`: publish a message of any known type.
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "ros_message.h"
#include "ros_topic.h"

// what to publish, from the command line alone
typedef struct content {
  const ros2_type_t * type;
  const cdr_members_t * members;
  void * message;
  json_t * json;  // of the message, to show
  rmw_qos_profile_t qos;
} content_t;

static bool
content_open(content_t * content, const ros_args_t * args)
{
  *content = (content_t){.qos = rmw_qos_profile_default};
  if (!ros_qos_parse(args, &content->qos)) return false;
  content->type = ros_message_type(args, args->operands[1]);
  if (!content->type) return false;
  content->members = ros2_type_members(content->type);
  const char * values = args->operand_count > 2 ? args->operands[2] : "";
  content->message = ros_message_parse(args, content->members, values);
  if (!content->message) return false;
  content->json = message_to_json(content->members, content->message);
  return true;
}

static void
content_close(content_t * content)
{
  if (content->message) ros_message_free(content->members, content->message);
  json_decref(content->json);
}

// until as many subscriptions as asked for are there; -1 to go on, else the exit code
static int
wait_for_subscriptions(ros_session_t * s, const rcl_publisher_t * publisher)
{
  const ros_args_t * args = s->args;
  const bool counted = args->once || args->times >= 0;
  const size_t wanted = args->subscribers >= 0 ? (size_t)args->subscribers : counted;
  const int64_t until = ros_after(ros_or(args->wait, 3));
  for (;;) {
    size_t count = 0;
    ros_ignore(rcl_publisher_get_subscription_count(publisher, &count));
    if (count >= wanted) return -1;
    // a match may come a little later than the news of it
    const int64_t soon = ros_after(0.05);
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){.graph = true}, soon < until ? soon : until);
    if (wake == ROS_STOPPED) return CLI_OK;
    if (wake == ROS_FAILED) return CLI_TROUBLE;
    if (ros_now() < until) continue;
    fprintf(
      stderr,
      "mbdyn %s: only %zu of %zu subscriptions of '%s' after %g s; nothing was published "
      "(see -w and --wait)\n",
      args->command, count, wanted, rcl_publisher_get_topic_name(publisher), ros_or(args->wait, 3));
    return CLI_FOUND;
  }
}

static int
publish(ros_session_t * s, const rcl_publisher_t * publisher, const content_t * content)
{
  const ros_args_t * args = s->args;
  const double rate = args->rate > 0 ? args->rate : 1;
  const long times = args->once ? 1 : args->times;
  int64_t due = ros_now();
  for (long i = 1; times < 0 || i <= times; i++) {
    if (rcl_publish(publisher, content->message, NULL) != RCL_RET_OK) {
      return ros_complain(args, "cannot publish");
    }
    printf("publishing #%ld: ", i);
    ros_json_print(content->json, stdout);
    putchar('\n');
    if (rate <= 10) fflush(stdout);
    if (ferror(stdout)) return CLI_TROUBLE;
    if (i == times) break;
    due += (int64_t)(1e9 / rate);
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){0}, due);
    if (wake == ROS_STOPPED) break;
    if (wake == ROS_FAILED) return CLI_TROUBLE;
  }
  // whoever is reliable gets the last one
  ros_ignore(rcl_publisher_wait_for_all_acked(publisher, 1000000000));
  return CLI_OK;
}

static int
publish_messages(ros_session_t * s, const content_t * content)
{
  char * topic = ros_resolve(s, s->args->operands[0], false);
  if (!topic) return CLI_TROUBLE;
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  const rcl_ret_t ret =
    rclc_publisher_init(&publisher, &s->node, content->type->message, topic, &content->qos);
  free(topic);
  if (ret != RCL_RET_OK) return ros_complain(s->args, "cannot create the publisher");
  int code = wait_for_subscriptions(s, &publisher);
  if (code < 0) code = publish(s, &publisher, content);
  ros_ignore(rcl_publisher_fini(&publisher, &s->node));
  return code;
}

int
ros_topic_pub(const ros_args_t * args)
{
  content_t content;
  ros_session_t session;
  int code = CLI_TROUBLE;
  if (content_open(&content, args) && ros_open(&session, args)) {
    code = publish_messages(&session, &content);
    ros_close(&session);
  }
  content_close(&content);
  return code;
}
