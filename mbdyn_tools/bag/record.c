// `mbdyn record`: topics into a recording, as bytes.
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
#include "ros_topic.h"

typedef struct taken {
  rcl_subscription_t subscription;
  char * topic;
  uint32_t index;  // in the recording
  bool refused;    // cannot be recorded; said once
} taken_t;

typedef struct recorder {
  ros_session_t session;
  const ros_args_t * args;
  bag_writer_t * writer;
  raw_types_t types;
  taken_t ** taken;
  size_t ntaken;
  rcl_wait_set_t waits;
  bool waiting;  // the wait set is there
  rcl_serialized_message_t message;
  char * topic[ROS_MAX_OPERANDS];  // asked for, absolute
  bag_error_t error;
} recorder_t;

static int
complain(const recorder_t * r)
{
  fprintf(stderr, "mbdyn record: %s\n", r->error.text);
  return CLI_TROUBLE;
}

//---------- topics ----------

static bool
is_asked_for(const recorder_t * r, const char * topic)
{
  if (r->args->all && !ros_is_hidden(topic)) return true;
  for (int i = 0; i < r->args->operand_count; i++) {
    if (strcmp(r->topic[i], topic) == 0) return true;
  }
  return false;
}

static bool
is_taken(const recorder_t * r, const char * topic)
{
  for (size_t i = 0; i < r->ntaken; i++) {
    if (strcmp(r->taken[i]->topic, topic) == 0) return true;
  }
  return false;
}

static bool
add_to_bag(recorder_t * r, const ros_graph_t * graph, const ros_endpoint_t * e, taken_t * t)
{
  char * definition = bag_definition(e->type);
  char * qos = raw_qos_print(graph, e->name);
  const bag_topic_t topic = {
    .name = e->name, .type = e->type, .format = "cdr", .qos = qos, .definition = definition};
  const bool ok = bag_add_topic(r->writer, &topic, &t->index, &r->error);
  const bool sqlite = r->args->format && strcmp(r->args->format, "sqlite3") == 0;
  if (ok) {
    fprintf(
      stderr, "mbdyn record: %s [%s]%s\n", e->name, e->type,
      definition || sqlite ? "" : ": unknown message definition, recorded as raw bytes");
  }
  free(definition);
  free(qos);
  return ok;
}

// false if the recording cannot go on; a topic that is refused is no reason
static bool
subscribe(recorder_t * r, const ros_graph_t * graph, const ros_endpoint_t * e, taken_t * t)
{
  const rosidl_message_type_support_t * type = raw_types_get(&r->types, e->type, NULL);
  if (!type || ros_topic_several_types(r->args, graph, e->name)) {
    if (!type) fprintf(stderr, "mbdyn record: skipping %s: unknown type '%s'\n", e->name, e->type);
    t->refused = true;
    return true;
  }
  rmw_qos_profile_t qos = ros_topic_qos(graph, e->name);
  qos.depth = 1000;
  t->subscription = rcl_get_zero_initialized_subscription();
  if (
    rclc_subscription_init(&t->subscription, &r->session.node, type, e->name, &qos) != RCL_RET_OK) {
    ros_complain(r->args, "cannot subscribe");
    t->refused = true;
    return true;
  }
  if (add_to_bag(r, graph, e, t)) return true;
  complain(r);
  return false;
}

static bool
take_topic(recorder_t * r, const ros_graph_t * graph, const ros_endpoint_t * e)
{
  taken_t ** more = realloc(r->taken, (r->ntaken + 1) * sizeof *more);
  if (more) r->taken = more;
  taken_t * t = more ? calloc(1, sizeof *t) : NULL;
  if (t) t->topic = strdup(e->name);
  if (!t || !t->topic) {
    free(t);
    fputs("mbdyn record: out of memory\n", stderr);
    return false;
  }
  r->taken[r->ntaken++] = t;
  return subscribe(r, graph, e, t);
}

static bool
make_wait_set(recorder_t * r)
{
  if (r->waiting) ros_ignore(rcl_wait_set_fini(&r->waits));
  r->waits = rcl_get_zero_initialized_wait_set();
  const rcl_ret_t ret = rcl_wait_set_init(
    &r->waits, r->ntaken + 1, 2, 0, 0, 0, 0, &r->session.support.context, r->session.allocator);
  r->waiting = ret == RCL_RET_OK;
  if (!r->waiting) ros_complain(r->args, "cannot wait");
  return r->waiting;
}

// subscribe to what has appeared
static bool
discover(recorder_t * r)
{
  ros_graph_t graph = {0};
  if (!ros_graph_read(&r->session, &graph)) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < graph.count; i++) {
    const ros_endpoint_t * e = &graph.endpoints[i];
    if (e->kind != ROS_PUBLISHER || is_taken(r, e->name) || !is_asked_for(r, e->name)) continue;
    ok = take_topic(r, &graph, e);
  }
  ros_graph_free(&graph);
  return ok && make_wait_set(r);
}

//---------- messages ----------

static int64_t
system_time(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// all that are there
static bool
take_messages(recorder_t * r, taken_t * t)
{
  for (int left = 1000; left > 0; left--) {
    rmw_message_info_t info;
    const rcl_ret_t ret = rcl_take_serialized_message(&t->subscription, &r->message, &info, NULL);
    if (ret != RCL_RET_OK) {
      ros_ignore(ret);
      return true;
    }
    const int64_t now = system_time();
    const bag_message_t m = {
      .topic = t->index,
      .log_time = now,
      .publish_time = info.source_timestamp > 0 ? info.source_timestamp : now,
      .data = r->message.buffer,
      .size = r->message.buffer_length};
    if (bag_write(r->writer, &m, &r->error)) continue;
    complain(r);
    return false;
  }
  return true;
}

static void
show_progress(const recorder_t * r, int64_t started)
{
  if (!isatty(STDERR_FILENO)) return;
  fprintf(
    stderr, "\r%.0f s: %zu topics, %" PRIu64 " messages, %.1f MB  ",
    (double)(ros_now() - started) * 1e-9, r->ntaken, bag_written_messages(r->writer),
    (double)bag_written_bytes(r->writer) * 1e-6);
}

static bool
fill_wait_set(recorder_t * r)
{
  rcl_ret_t ret = rcl_wait_set_clear(&r->waits);
  const rcl_guard_condition_t * graph = rcl_node_get_graph_guard_condition(&r->session.node);
  if (ret == RCL_RET_OK) {
    ret = rcl_wait_set_add_guard_condition(&r->waits, &r->session.stop_guard, NULL);
  }
  if (ret == RCL_RET_OK) ret = rcl_wait_set_add_guard_condition(&r->waits, graph, NULL);
  for (size_t i = 0; ret == RCL_RET_OK && i < r->ntaken; i++) {
    if (r->taken[i]->refused) continue;
    ret = rcl_wait_set_add_subscription(&r->waits, &r->taken[i]->subscription, NULL);
  }
  if (ret != RCL_RET_OK) ros_complain(r->args, "cannot wait");
  return ret == RCL_RET_OK;
}

// one round of waiting and taking; false: trouble
static bool
round_of(recorder_t * r, int64_t until)
{
  if (!fill_wait_set(r)) return false;
  const int64_t left = until - ros_now();
  const rcl_ret_t ret = rcl_wait(&r->waits, left > 0 ? left : 0);
  if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) {
    ros_complain(r->args, "waiting failed");
    return false;
  }
  const bool changed = ret == RCL_RET_OK && r->waits.guard_conditions[1] != NULL;
  for (size_t i = 0; i < r->ntaken; i++) {
    if (!r->taken[i]->refused && !take_messages(r, r->taken[i])) return false;
  }
  return !changed || discover(r);
}

static int
record(recorder_t * r)
{
  const int64_t started = ros_now();
  const int64_t end = r->args->duration < 0 ? INT64_MAX : ros_after(r->args->duration);
  int64_t second = ros_after(1);
  while (!atomic_load(&r->session.stopped) && ros_now() < end) {
    if (!round_of(r, second < end ? second : end)) return CLI_TROUBLE;
    if (ros_now() < second) continue;
    // what is a second old survives even a kill
    if (!bag_flush(r->writer, &r->error)) return complain(r);
    show_progress(r, started);
    second = ros_after(1);
  }
  show_progress(r, started);
  if (isatty(STDERR_FILENO)) fputc('\n', stderr);
  return CLI_OK;
}

//---------- start and end ----------

// NULL after a message
static char *
output_folder(const ros_args_t * args)
{
  if (args->output) return strdup(args->output);
  char name[64];
  const time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(name, sizeof name, "rosbag2_%Y_%m_%d-%H_%M_%S", &local);
  return strdup(name);
}

static bool
read_options(const ros_args_t * args, bag_options_t * options)
{
  *options = (bag_options_t){.format = BAG_MCAP, .compression = BAG_NONE};
  if (!args->all && args->operand_count == 0) {
    fputs("mbdyn record: no topics given: name topics, or give --all\n", stderr);
    return false;
  }
  if (args->format && !bag_format_parse(args->format, &options->format)) {
    fprintf(
      stderr, "mbdyn record: --format '%s': expected mcap or sqlite3 (if built in)\n",
      args->format);
    return false;
  }
  if (args->compression && !bag_compression_parse(args->compression, &options->compression)) {
    fprintf(
      stderr, "mbdyn record: --compression '%s': expected none, lz4 or zstd (if built in)\n",
      args->compression);
    return false;
  }
  if (options->format == BAG_SQLITE3 && options->compression != BAG_NONE) {
    fputs(
      "mbdyn record: sqlite3 recordings do not support compression; use --format mcap\n", stderr);
    return false;
  }
  return true;
}

static bool
resolve_topics(recorder_t * r)
{
  for (int i = 0; i < r->args->operand_count; i++) {
    r->topic[i] = ros_resolve(&r->session, r->args->operands[i], false);
    if (!r->topic[i]) return false;
  }
  return true;
}

static void
free_recorder(recorder_t * r)
{
  for (size_t i = 0; i < r->ntaken; i++) {
    taken_t * t = r->taken[i];
    if (!t->refused) ros_ignore(rcl_subscription_fini(&t->subscription, &r->session.node));
    free(t->topic);
    free(t);
  }
  free(r->taken);
  for (int i = 0; i < r->args->operand_count; i++) free(r->topic[i]);
  if (r->waiting) ros_ignore(rcl_wait_set_fini(&r->waits));
  if (rmw_serialized_message_fini(&r->message) != RCUTILS_RET_OK) rcl_reset_error();
  ros_close(&r->session);
  raw_types_free(&r->types);
}

// topics that nobody published are worth a word
static void
report(const recorder_t * r, const char * folder, uint64_t messages)
{
  for (int i = 0; i < r->args->operand_count; i++) {
    if (!is_taken(r, r->topic[i])) {
      fprintf(stderr, "mbdyn record: no publisher found for '%s'\n", r->topic[i]);
    }
  }
  printf("%s: %" PRIu64 " messages on %zu topics\n", folder, messages, r->ntaken);
}

static int
record_into(recorder_t * r, const char * folder, const bag_options_t * options)
{
  r->message = rmw_get_zero_initialized_serialized_message();
  if (
    rmw_serialized_message_init(&r->message, 65536, &r->session.allocator) != RCUTILS_RET_OK ||
    !resolve_topics(r)) {
    return CLI_TROUBLE;
  }
  r->writer = bag_create(folder, options, &r->error);
  if (!r->writer) return complain(r);
  fprintf(
    stderr, "mbdyn record: recording to '%s'%s\n", folder,
    r->args->duration < 0 ? ", until Ctrl-C" : "");
  int code = discover(r) ? record(r) : CLI_TROUBLE;
  const uint64_t messages = bag_written_messages(r->writer);
  if (!bag_close(r->writer, &r->error)) code = complain(r);
  if (code == CLI_OK) report(r, folder, messages);
  return code;
}

static int
run_record(const ros_args_t * args)
{
  bag_options_t options;
  if (!read_options(args, &options)) return CLI_TROUBLE;
  char * folder = output_folder(args);
  recorder_t r = {.args = args};
  int code = CLI_TROUBLE;
  if (folder && ros_open(&r.session, args)) {
    code = record_into(&r, folder, &options);
    free_recorder(&r);
  }
  free(folder);
  return code;
}

int
record_main(int argc, char ** argv)
{
  static const ros_option_t options[] = {
    {"--all", "-a", NULL, "all topics except hidden ones, including topics that appear later",
     ROS_SWITCH, ROS_FIELD(all)},
    {"--output", "-o", "FOLDER",
     "recording folder, which must not exist;\ndefault: rosbag2_DATE-TIME", ROS_TEXT,
     ROS_FIELD(output)},
    {"--format", "-s", "mcap|sqlite3", "storage format; default: mcap", ROS_TEXT,
     ROS_FIELD(format)},
    {"--compression", NULL, "none|lz4|zstd", "compression of MCAP chunks; default: none", ROS_TEXT,
     ROS_FIELD(compression)},
    {"--duration", "-d", "SECONDS", "duration; default: until Ctrl-C", ROS_POSITIVE,
     ROS_FIELD(duration)},
    {0}};
  static const ros_verb_t verb = {
    .name = "record",
    .operands = "[TOPIC]...",
    .min = 0,
    .max = ROS_MAX_OPERANDS,
    .summary = "Record topics in the format of rosbag2, for `ros2 bag`, Foxglove and PlotJuggler.",
    .details =
      "Topics may appear at any time. Each is subscribed to with the QoS of its publishers, "
      "including\nlatched ones (robot_description). Types unknown to mbdyn are recorded as raw "
      "bytes: they can be\nplayed back, but the MCAP file has no message definition for "
      "viewers.\n\n"
      "Ctrl-C finishes the recording. If the recorder is killed, at most the last second is "
      "lost.\n\n"
      "exit code: 0 success or Ctrl-C; 2 wrong usage, no network, or disk full\n\n"
      "examples:\n"
      "  mbdyn record /joint_states /robot_description -o run1\n"
      "  mbdyn record --all --compression zstd --duration 60\n",
    .options = options,
    .run = run_record};
  return ros_plain_command(&verb, argc, argv);
}
