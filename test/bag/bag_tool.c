// Writes and lists recordings for check_bag.sh.
//
//   bag_tool make FOLDER mcap|sqlite3 none|lz4|zstd [MESSAGES]    a recording of known content
//   bag_tool states FOLDER FORMAT COMPRESSION MESSAGES JOINT...   joint states at 1 kHz
//   bag_tool dump PATH     one line per message: time topic type size crc32; then the note
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bag.h"
#include "crc32.h"
#include "messages_out.h"

static int
fail(const bag_error_t * error)
{
  fprintf(stderr, "bag_tool: %s\n", error->text);
  return 1;
}

static bool
add_topic(bag_writer_t * w, const char * name, const char * type, uint32_t * index, bag_error_t * e)
{
  char * definition = bag_definition(type);
  const bag_topic_t topic = {
    .name = name,
    .type = type,
    .format = "cdr",
    .qos = "- history: 1\n  depth: 10\n  reliability: 1\n  durability: 2\n",
    .definition = definition};
  const bool ok = bag_add_topic(w, &topic, index, e);
  free(definition);
  return ok;
}

// joint states, torques and an unknown type, some with times that step back
static bool
fill(bag_writer_t * w, long count, bag_error_t * e)
{
  const char * names[2] = {"shoulder", "elbow"};
  out_message_t state, torques;
  uint32_t topic[3];
  bool ok = out_joint_state_build(&state, "base", (out_names_t){2, names}) &&
            out_joint_torques_build(&torques, "base", (out_names_t){2, names}) &&
            add_topic(w, "/joint_states", "sensor_msgs/msg/JointState", &topic[0], e) &&
            add_topic(w, "/mbdyn/torques", "mbdyn/msg/JointTorques", &topic[1], e) &&
            add_topic(w, "/other", "other_msgs/msg/Unknown", &topic[2], e);
  for (long i = 0; ok && i < count; i++) {
    const int64_t time = 1700000000000000000 + i * 1000000 - (i % 5 == 0 ? 3000000 : 0);
    const double x[2] = {0.5 * (double)i, -1.25};
    out_stamp(&state, time);
    out_numbers(&state, OUT_JS_POSITION, x);
    out_stamp(&torques, time);
    out_numbers(&torques, JT_TOTAL, x);
    const uint8_t other[5] = {0, 1, 0, 0, (uint8_t)i};
    bag_message_t m = {topic[i % 3], time, time - 7, state.bytes, state.size};
    if (i % 3 == 1) m = (bag_message_t){topic[1], time, time, torques.bytes, torques.size};
    if (i % 3 == 2) m = (bag_message_t){topic[2], time, time, other, sizeof other};
    ok = bag_write(w, &m, e);
  }
  out_message_fini(&state);
  out_message_fini(&torques);
  return ok;
}

// slow sines, with efforts
static bool
fill_states(bag_writer_t * w, long count, out_names_t names, bag_error_t * e)
{
  enum { MAX = 64 };
  out_message_t m;
  uint32_t topic;
  double q[MAX], v[MAX], effort[MAX] = {0};
  bool ok = names.n <= MAX && out_joint_state_build(&m, "", names) &&
            add_topic(w, "/joint_states", "sensor_msgs/msg/JointState", &topic, e);
  for (long i = 0; ok && i < count; i++) {
    const int64_t time = 1700000000000000000 + i * 1000000;
    for (size_t k = 0; k < names.n; k++) {
      const double phase = 0.7 * (double)(k + 1) * 1e-3 * (double)i;
      q[k] = 0.3 * sin(phase);
      v[k] = 0.3 * 0.7 * (double)(k + 1) * cos(phase);
      effort[k] = 5 * cos(0.3 * phase);
    }
    out_stamp(&m, time);
    out_numbers(&m, OUT_JS_POSITION, q);
    out_numbers(&m, OUT_JS_VELOCITY, v);
    out_numbers(&m, OUT_JS_EFFORT, effort);
    ok = bag_write(w, &(bag_message_t){topic, time, time, m.bytes, m.size}, e);
  }
  out_message_fini(&m);
  return ok;
}

static int
make(int argc, char ** argv, bool states)
{
  bag_options_t options = {.chunk_size = states ? 0 : 4096};
  bag_error_t error = {"bad arguments"};
  if (
    argc < 3 || !bag_format_parse(argv[1], &options.format) ||
    !bag_compression_parse(argv[2], &options.compression)) {
    return fail(&error);
  }
  bag_writer_t * w = bag_create(argv[0], &options, &error);
  if (!w) return fail(&error);
  const long count = argc > 3 ? atol(argv[3]) : 1000;
  const out_names_t names = {argc > 4 ? (size_t)argc - 4 : 0, (const char * const *)argv + 4};
  const bool filled = states ? fill_states(w, count, names, &error) : fill(w, count, &error);
  const bool closed = bag_close(w, &error);
  return filled && closed ? 0 : fail(&error);
}

static int
dump(const char * path)
{
  bag_error_t error;
  bag_reader_t * r = bag_open(path, &error);
  if (!r) return fail(&error);
  bag_message_t m;
  int got;
  while ((got = bag_next(r, &m, &error)) > 0) {
    const bag_topic_t * t = &bag_info(r)->topic[m.topic];
    printf(
      "%" PRId64 " %s %s %zu %08" PRIx32 "\n", m.log_time, t->name, t->type, m.size,
      crc32_add(0, m.data, m.size));
  }
  if (bag_note(r)[0]) fprintf(stderr, "note: %s\n", bag_note(r));
  bag_free(r);
  return got < 0 ? fail(&error) : 0;
}

int
main(int argc, char ** argv)
{
  if (argc >= 3 && strcmp(argv[1], "make") == 0) return make(argc - 2, argv + 2, false);
  if (argc >= 7 && strcmp(argv[1], "states") == 0) return make(argc - 2, argv + 2, true);
  if (argc == 3 && strcmp(argv[1], "dump") == 0) return dump(argv[2]);
  fputs("usage: bag_tool make FOLDER FORMAT COMPRESSION [MESSAGES] | dump PATH\n", stderr);
  return 2;
}
