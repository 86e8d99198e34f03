// `mbdyn play`: a recording onto the topics it came from, in its own time.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bag.h"
#include "command.h"
#include "rcl/error_handling.h"
#include "record_type.h"
#include "rmw/qos_profiles.h"
#include "ros_common.h"
#include "rosgraph_msgs/msg/clock.h"
#include "text.h"

typedef struct player {
  ros_session_t session;
  const ros_args_t * args;
  bag_reader_t * bag;
  const bag_info_t * info;
  bool * wanted;                // [topics]
  rcl_publisher_t * publisher;  // [topics], where wanted
  raw_types_t types;
  rcl_publisher_t clock;
  bool clocked;
  double rate;
  int64_t from, to;    // log times
  int64_t wall;        // when `from` is played
  int64_t next_clock;  // wall time of the next /clock
  int64_t next_show;
  uint64_t played;
  bag_error_t error;
} player_t;

static void
complain(const player_t * p)
{
  fprintf(stderr, "mbdyn play: %s\n", p->error.text);
}

//---------- topics ----------

// the name that a topic gets; to be freed
static char *
remapped(const player_t * p, const char * topic)
{
  for (int i = 0; i < p->args->remap.n; i++) {
    const char * rule = p->args->remap.text[i];
    const char * to = strstr(rule, ":=");
    if (strlen(topic) == (size_t)(to - rule) && strncmp(topic, rule, strlen(topic)) == 0) {
      return strdup(to + 2);
    }
  }
  // bags from tests have names without a slash
  char * name = malloc(strlen(topic) + 2);
  if (name) sprintf(name, "%s%s", topic[0] == '/' ? "" : "/", topic);
  return name;
}

static bool
check_remaps(const ros_args_t * args)
{
  for (int i = 0; i < args->remap.n; i++) {
    const char * to = strstr(args->remap.text[i], ":=");
    if (to && to != args->remap.text[i] && to[2]) continue;
    fprintf(
      stderr, "mbdyn play: --remap '%s': expected FROM:=TO, e.g. /joint_states:=/replayed\n",
      args->remap.text[i]);
    return false;
  }
  return true;
}

static bool
unknown_topic(const player_t * p, const char * name)
{
  closest_t closest = closest_to(name);
  for (uint32_t i = 0; i < p->info->ntopic; i++) closest_offer(&closest, p->info->topic[i].name);
  fprintf(stderr, "mbdyn play: '%s' is not in the recording%s\n", name, closest_hint(&closest));
  return false;
}

static bool
choose_topics(player_t * p)
{
  const ros_args_t * args = p->args;
  for (uint32_t i = 0; i < p->info->ntopic; i++) p->wanted[i] = args->operand_count == 1;
  for (int k = 1; k < args->operand_count; k++) {
    const int found = bag_find_topic(p->bag, args->operands[k]);
    if (found < 0) return unknown_topic(p, args->operands[k]);
    p->wanted[found] = true;
  }
  return true;
}

static bool
open_publisher(player_t * p, uint32_t i)
{
  const bag_topic_t * topic = &p->info->topic[i];
  const rosidl_message_type_support_t * type = raw_types_get(&p->types, topic->type, NULL);
  if (!type || strcmp(topic->format, "cdr") != 0) {
    fprintf(
      stderr, "mbdyn play: skipping %s: %s '%s'\n", topic->name,
      type ? "unsupported message encoding" : "unknown type", type ? topic->format : topic->type);
    p->wanted[i] = false;
    return true;
  }
  char * name = remapped(p, topic->name);
  const rmw_qos_profile_t qos = raw_qos_parse(topic->qos);
  p->publisher[i] = rcl_get_zero_initialized_publisher();
  const bool ok =
    name && rclc_publisher_init(&p->publisher[i], &p->session.node, type, name, &qos) == RCL_RET_OK;
  free(name);
  if (!ok) {
    p->wanted[i] = false;
    ros_complain(p->args, topic->name);
  }
  return ok;
}

static bool
open_clock(player_t * p)
{
  if (p->args->clock <= 0) return true;
  p->clock = rcl_get_zero_initialized_publisher();
  const rcl_ret_t ret = rclc_publisher_init_default(
    &p->clock, &p->session.node, ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock), "/clock");
  p->clocked = ret == RCL_RET_OK;
  if (!p->clocked) ros_complain(p->args, "cannot publish /clock");
  return p->clocked;
}

//---------- time ----------

// wall time at which something of the recording is due
static int64_t
due(const player_t * p, int64_t log_time)
{
  return p->wall + (int64_t)((double)(log_time - p->from) / p->rate);
}

static void
publish_clock(player_t * p, int64_t now)
{
  const int64_t time = p->from + (int64_t)((double)(now - p->wall) * p->rate);
  rosgraph_msgs__msg__Clock message = {
    .clock = {(int32_t)(time / 1000000000), (uint32_t)(time % 1000000000)}};
  ros_ignore(rcl_publish(&p->clock, &message, NULL));
  p->next_clock += (int64_t)(1e9 / p->args->clock);
  if (p->next_clock < now) p->next_clock = now;
}

static void
show_progress(player_t * p, int64_t now, int64_t log_time)
{
  if (now < p->next_show || !isatty(STDERR_FILENO)) return;
  fprintf(
    stderr, "\r%.1f of %.1f s, %" PRIu64 " messages  ", (double)(log_time - p->info->start) * 1e-9,
    (double)(p->info->end - p->info->start) * 1e-9, p->played);
  p->next_show = now + 200000000;
}

// false after Ctrl-C or trouble
static bool
wait_until(player_t * p, int64_t log_time)
{
  const int64_t at = due(p, log_time);
  for (;;) {
    const int64_t now = ros_now();
    if (p->clocked && now >= p->next_clock) publish_clock(p, now);
    show_progress(p, now, log_time);
    if (atomic_load(&p->session.stopped)) return false;
    if (now >= at) return true;
    int64_t until = at;
    if (p->clocked && p->next_clock < until) until = p->next_clock;
    const ros_wake_t wake = ros_wait(&p->session, (ros_waited_t){0}, until);
    if (wake == ROS_STOPPED || wake == ROS_FAILED) return false;
  }
}

//---------- playing ----------

static bool
publish(player_t * p, const bag_message_t * m)
{
  const rcl_serialized_message_t bytes = {
    .buffer = (uint8_t *)m->data,
    .buffer_length = m->size,
    .buffer_capacity = m->size,
    .allocator = p->session.allocator};
  if (m->size < 4) return true;  // not even an encapsulation
  if (rcl_publish_serialized_message(&p->publisher[m->topic], &bytes, NULL) != RCL_RET_OK) {
    ros_complain(p->args, p->info->topic[m->topic].name);
    return false;
  }
  p->played++;
  return true;
}

// once through; 1: to its end, 0: Ctrl-C, -1: trouble
static int
play_once(player_t * p)
{
  if (!bag_select(p->bag, p->wanted, p->from, p->to, &p->error)) {
    complain(p);
    return -1;
  }
  p->wall = ros_now();
  p->next_clock = p->wall;
  bag_message_t m;
  int got;
  while ((got = bag_next(p->bag, &m, &p->error)) > 0) {
    if (!wait_until(p, m.log_time)) return atomic_load(&p->session.stopped) ? 0 : -1;
    if (!publish(p, &m)) return -1;
  }
  if (got < 0) complain(p);
  return got < 0 ? -1 : 1;
}

// what is reliable must have arrived before the publishers go
static void
wait_for_acks(player_t * p)
{
  for (uint32_t i = 0; i < p->info->ntopic; i++) {
    if (!p->wanted[i]) continue;
    ros_ignore(rcl_publisher_wait_for_all_acked(&p->publisher[i], 2000000000));
  }
}

static int
play(player_t * p)
{
  for (uint32_t i = 0; i < p->info->ntopic; i++) {
    if (p->wanted[i] && !open_publisher(p, i)) return CLI_TROUBLE;
  }
  // subscribers need a moment to find the publishers
  if (!open_clock(p)) return CLI_TROUBLE;
  if (!ros_settle(&p->session)) return CLI_OK;
  int got;
  do {
    got = play_once(p);
  } while (got == 1 && p->args->loop && p->played > 0);
  if (isatty(STDERR_FILENO)) fputc('\n', stderr);
  if (got < 0) return CLI_TROUBLE;
  if (got == 1) wait_for_acks(p);
  if (bag_note(p->bag)[0]) fprintf(stderr, "mbdyn play: %s\n", bag_note(p->bag));
  printf("%" PRIu64 " messages played\n", p->played);
  return CLI_OK;
}

//---------- what is in it ----------

static void
print_time(const char * name, int64_t time)
{
  const time_t seconds = (time_t)(time / 1000000000);
  struct tm local;
  char text[64];
  localtime_r(&seconds, &local);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  printf(
    "%-10s %s (%" PRId64 ".%09" PRId64 ")\n", name, text, time / 1000000000, time % 1000000000);
}

static int
print_info(const bag_reader_t * bag)
{
  const bag_info_t * info = bag_info(bag);
  printf("files      %u, %s", info->nfile, bag_format_name(info->format));
  if (strcmp(info->messages, "none") != 0) printf(", %s", info->messages);
  printf("%s\n", info->indexed ? "" : ", no index");
  printf("duration   %.3f s\n", (double)(info->end - info->start) * 1e-9);
  if (info->count > 0) print_time("start", info->start);
  if (info->count > 0) print_time("end", info->end);
  printf("messages   %" PRIu64 "\n", info->count);
  for (uint32_t i = 0; i < info->ntopic; i++) {
    const bag_topic_t * t = &info->topic[i];
    printf("%-10s %s [%s] %" PRIu64 "\n", i ? "" : "topics", t->name, t->type, t->count);
  }
  if (bag_note(bag)[0]) printf("note       %s\n", bag_note(bag));
  return CLI_OK;
}

//---------- start and end ----------

static void
free_player(player_t * p)
{
  for (uint32_t i = 0; p->publisher && i < p->info->ntopic; i++) {
    if (!p->publisher[i].impl) continue;
    ros_ignore(rcl_publisher_fini(&p->publisher[i], &p->session.node));
  }
  if (p->clocked) ros_ignore(rcl_publisher_fini(&p->clock, &p->session.node));
  free(p->publisher);
  free(p->wanted);
  ros_close(&p->session);
  raw_types_free(&p->types);
}

static bool
prepare(player_t * p)
{
  p->info = bag_info(p->bag);
  p->rate = ros_or(p->args->rate, 1);
  p->wanted = calloc(p->info->ntopic + 1, sizeof *p->wanted);
  p->publisher = calloc(p->info->ntopic + 1, sizeof *p->publisher);
  if (!p->wanted || !p->publisher) {
    fputs("mbdyn play: out of memory\n", stderr);
    return false;
  }
  if (p->rate <= 0) {
    fputs("mbdyn play: --rate must be more than 0\n", stderr);
    return false;
  }
  p->from = p->info->start + (int64_t)(ros_or(p->args->start, 0) * 1e9);
  p->to = p->args->duration < 0 ? INT64_MAX : p->from + (int64_t)(p->args->duration * 1e9);
  return choose_topics(p) && check_remaps(p->args);
}

static int
play_recording(const ros_args_t * args)
{
  player_t p = {.args = args};
  p.bag = bag_open(args->operands[0], &p.error);
  if (!p.bag) {
    complain(&p);
    return CLI_TROUBLE;
  }
  int code = CLI_TROUBLE;
  if (args->info) {
    code = print_info(p.bag);
  } else if (prepare(&p) && ros_open(&p.session, args)) {
    code = play(&p);
    free_player(&p);
  } else {
    free(p.wanted);
    free(p.publisher);
  }
  bag_free(p.bag);
  return code;
}

int
play_main(int argc, char ** argv)
{
  static const ros_option_t options[] = {
    {"--info", "-i", NULL, "print the contents of the recording without playing it", ROS_SWITCH,
     ROS_FIELD(info)},
    {"--rate", "-r", "FACTOR", "playback speed factor; default: 1", ROS_POSITIVE, ROS_FIELD(rate)},
    {"--loop", "-l", NULL, "repeat until Ctrl-C", ROS_SWITCH, ROS_FIELD(loop)},
    {"--start", NULL, "SECONDS", "start offset from the first message; default: 0", ROS_POSITIVE,
     ROS_FIELD(start)},
    {"--duration", "-d", "SECONDS", "duration to play from the start; default: all", ROS_POSITIVE,
     ROS_FIELD(duration)},
    {"--clock", NULL, "HZ", "publish /clock at this rate, for use_sim_time", ROS_POSITIVE,
     ROS_FIELD(clock)},
    {"--remap", "-m", "FROM:=TO", "play a topic under another name; can be repeated", ROS_TEXTS,
     ROS_FIELD(remap)},
    ROS_OPTION_WAIT,
    {0}};
  static const ros_verb_t verb = {
    .name = "play",
    .operands = "RECORDING [TOPIC]...",
    .min = 1,
    .max = ROS_MAX_OPERANDS,
    .summary =
      "Play a rosbag2 recording (a folder, a .mcap or .db3 file) with its recorded timing.",
    .details =
      "Messages are published unchanged, in the order of their recording times, with the recorded\n"
      "QoS. Without TOPIC, all topics are played.\n\n"
      "exit code: 0 success or Ctrl-C; 2 wrong usage, unreadable recording, or no network\n\n"
      "examples:\n"
      "  mbdyn play run1 --info\n"
      "  mbdyn play run1\n"
      "  mbdyn play run1 /joint_states --rate 0.5 --remap /joint_states:=/replayed\n"
      "  mbdyn play run1 --start 10 --duration 5 --loop --clock 100\n",
    .options = options,
    .run = play_recording};
  return ros_plain_command(&verb, argc, argv);
}
