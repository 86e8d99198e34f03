// `mbdyn topic echo` and `mbdyn topic hz`: subscribe to a topic of any known type.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "ros_message.h"
#include "ros_topic.h"

typedef struct reader {
  ros_session_t session;
  char * topic;
  const cdr_members_t * members;
  rcl_subscription_t subscription;
  bool subscribed;
} reader_t;

//---------- start and end ----------

// the type of the topic, which is waited for; NULL after a message, with the exit code
static const ros2_type_t *
find_type(reader_t * reader, ros_graph_t * graph, int * code)
{
  ros_session_t * s = &reader->session;
  const ros_args_t * args = s->args;
  *code = CLI_FOUND;
  const ros_wake_t wake = ros_graph_wait_topic(s, ROS_PUBLISHER, reader->topic, graph);
  if (wake == ROS_STOPPED || wake == ROS_FAILED) return NULL;
  const ros_endpoint_t * e =
    ros_graph_find(graph, ROS_PUBLISHER | ROS_SUBSCRIPTION, reader->topic, NULL);
  if (args->type) {
    *code = CLI_TROUBLE;
    const ros2_type_t * type = ros_message_type(args, args->type);
    // allowed, but nothing will come of it
    if (type && e && strcmp(type->name, e->type) != 0) {
      fprintf(
        stderr, "mbdyn %s: note: '%s' has the type %s\n", args->command, reader->topic, e->type);
    }
    return type;
  }
  if (!e) {
    fprintf(
      stderr,
      "mbdyn %s: no publisher of '%s' (waited %g s; see 'mbdyn topic list', or give --type)\n",
      args->command, reader->topic, ros_or(args->wait, 3));
    return NULL;
  }
  if (ros_topic_several_types(args, graph, reader->topic)) return NULL;
  return ros_message_type(args, e->type);
}

static int
subscribe(reader_t * reader)
{
  ros_session_t * s = &reader->session;
  ros_graph_t graph = {0};
  int code;
  const ros2_type_t * type = find_type(reader, &graph, &code);
  rmw_qos_profile_t qos = ros_topic_qos(&graph, reader->topic);
  ros_graph_free(&graph);
  if (!type) return code;
  if (!ros_qos_parse(s->args, &qos)) return CLI_TROUBLE;
  reader->members = ros2_type_members(type);
  reader->subscription = rcl_get_zero_initialized_subscription();
  const rcl_ret_t ret =
    rclc_subscription_init(&reader->subscription, &s->node, type->message, reader->topic, &qos);
  if (ret != RCL_RET_OK) return ros_complain(s->args, "cannot subscribe");
  reader->subscribed = true;
  return CLI_OK;
}

static void
reader_close(reader_t * reader)
{
  if (reader->subscribed) {
    ros_ignore(rcl_subscription_fini(&reader->subscription, &reader->session.node));
  }
  free(reader->topic);
  ros_close(&reader->session);
}

// CLI_OK, or the exit code after a message, with nothing left open
static int
reader_open(reader_t * reader, const ros_args_t * args)
{
  *reader = (reader_t){0};
  if (!ros_open(&reader->session, args)) return CLI_TROUBLE;
  reader->topic = ros_resolve(&reader->session, args->operands[0], false);
  const int code = reader->topic ? subscribe(reader) : CLI_TROUBLE;
  if (code != CLI_OK) reader_close(reader);
  return code;
}

//---------- echo ----------

static void
print_message(const reader_t * reader, const void * message)
{
  const ros_args_t * args = reader->session.args;
  if (args->json) {
    json_t * json = message_to_json(reader->members, message);
    ros_json_print(json, stdout);
    json_decref(json);
    putchar('\n');
  } else {
    message_print(reader->members, message, args->full ? 0 : 128, stdout);
    puts("---");
  }
  fflush(stdout);
}

// all messages that are there, up to a number; how many
static long
print_messages(reader_t * reader, void * message, long most)
{
  long count = 0;
  while (count < most && !ferror(stdout)) {
    const rcl_ret_t ret = rcl_take(&reader->subscription, message, NULL, NULL);
    if (ret != RCL_RET_OK) {
      ros_ignore(ret);
      break;
    }
    print_message(reader, message);
    count++;
  }
  return count;
}

static int
echo(reader_t * reader, void * message)
{
  const ros_args_t * args = reader->session.args;
  const bool forever = !args->once && args->times < 0;
  long left = forever ? 1 : args->once ? 1 : args->times;
  int64_t until = args->timeout < 0 ? ROS_NEVER : ros_after(args->timeout);
  const ros_waited_t what = {.subscription = &reader->subscription};
  while (left > 0) {
    const ros_wake_t wake = ros_wait(&reader->session, what, until);
    if (wake == ROS_STOPPED) return CLI_OK;
    if (wake == ROS_FAILED) return CLI_TROUBLE;
    if (wake == ROS_TIMED_OUT) {
      fprintf(
        stderr, "mbdyn %s: no message on '%s' for %g s\n", args->command, reader->topic,
        args->timeout);
      return CLI_FOUND;
    }
    const long count = print_messages(reader, message, forever ? 1000 : left);
    if (ferror(stdout)) return CLI_TROUBLE;
    if (!forever) left -= count;
    if (count > 0 && args->timeout >= 0) until = ros_after(args->timeout);
  }
  return CLI_OK;
}

int
ros_topic_echo(const ros_args_t * args)
{
  reader_t reader;
  int code = reader_open(&reader, args);
  if (code != CLI_OK) return code;
  void * message = ros_message_new(reader.members);
  code = message ? echo(&reader, message) : ros_complain(args, "out of memory");
  ros_message_free(reader.members, message);
  reader_close(&reader);
  return code;
}

//---------- hz ----------

typedef struct rate {
  double * gaps;  // seconds between messages, a ring
  size_t size, count, next;
  int64_t last;  // time of the last message, 0 before the first
  bool fresh;    // messages since the last report
} rate_t;

static void
rate_add(rate_t * rate, int64_t now)
{
  if (rate->last) {
    rate->gaps[rate->next] = (double)(now - rate->last) * 1e-9;
    rate->next = (rate->next + 1) % rate->size;
    if (rate->count < rate->size) rate->count++;
  }
  rate->last = now;
  rate->fresh = true;
}

// false if there is nothing to tell
static bool
rate_print(rate_t * rate)
{
  if (!rate->fresh || rate->count == 0) return false;
  double sum = 0, squares = 0, least = rate->gaps[0], most = rate->gaps[0];
  const double n = (double)rate->count;
  for (size_t i = 0; i < rate->count; i++) {
    sum += rate->gaps[i];
    least = fmin(least, rate->gaps[i]);
    most = fmax(most, rate->gaps[i]);
  }
  for (size_t i = 0; i < rate->count; i++) squares += pow(rate->gaps[i] - sum / n, 2);
  printf("average rate: %.3f\n", n / sum);
  printf(
    "\tmin: %.3fs max: %.3fs std dev: %.5fs window: %zu\n", least, most, sqrt(squares / n),
    rate->count + 1);
  fflush(stdout);
  rate->fresh = false;
  return true;
}

static void
take_all(reader_t * reader, void * message, rate_t * rate)
{
  for (;;) {
    const rcl_ret_t ret = rcl_take(&reader->subscription, message, NULL, NULL);
    if (ret != RCL_RET_OK) {
      ros_ignore(ret);
      return;
    }
    rate_add(rate, ros_now());
  }
}

static int
measure(reader_t * reader, void * message, rate_t * rate)
{
  const long times = reader->session.args->times;
  const ros_waited_t what = {.subscription = &reader->subscription};
  int64_t report = ros_after(1);
  for (long reports = 0; times < 0 || reports < times;) {
    const ros_wake_t wake = ros_wait(&reader->session, what, report);
    if (wake == ROS_STOPPED) return CLI_OK;
    if (wake == ROS_FAILED || ferror(stdout)) return CLI_TROUBLE;
    if (wake == ROS_WOKEN) take_all(reader, message, rate);
    if (ros_now() < report) continue;
    reports += rate_print(rate);
    report = ros_after(1);
  }
  return CLI_OK;
}

int
ros_topic_hz(const ros_args_t * args)
{
  reader_t reader;
  int code = reader_open(&reader, args);
  if (code != CLI_OK) return code;
  rate_t rate = {.size = args->window > 1 ? (size_t)args->window - 1 : 9999};
  rate.gaps = calloc(rate.size, sizeof *rate.gaps);
  void * message = ros_message_new(reader.members);
  code =
    message && rate.gaps ? measure(&reader, message, &rate) : ros_complain(args, "out of memory");
  ros_message_free(reader.members, message);
  free(rate.gaps);
  reader_close(&reader);
  return code;
}
