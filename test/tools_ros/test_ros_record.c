// `mbdyn record` and `mbdyn play`: the test node is recorded, and recordings are played to a
// recorder. What is in a recording is read with the library.
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bag.h"
#include "ros2_types.h"
#include "ros_cli.h"

//---------- what is in a recording ----------

typedef struct copy {
  int64_t time;
  size_t size;
  uint8_t data[512];
} copy_t;

enum { MAX_COPIES = 2000 };

// messages of a topic; -1: there is no such topic
static int
read_topic(const char * path, const char * topic, copy_t * copies, char * qos, size_t qos_size)
{
  bag_error_t error;
  bag_reader_t * r = bag_open(path, &error);
  if (!r) fail_msg("%s", error.text);
  const int index = bag_find_topic(r, topic);
  int count = 0;
  bag_message_t m;
  while (index >= 0 && bag_next(r, &m, &error) > 0) {
    if ((int)m.topic != index || count == MAX_COPIES) continue;
    assert_true(m.size <= sizeof copies->data);
    copies[count] = (copy_t){.time = m.log_time, .size = m.size};
    memcpy(copies[count++].data, m.data, m.size);
  }
  if (index >= 0 && qos) snprintf(qos, qos_size, "%s", bag_info(r)->topic[index].qos);
  bag_free(r);
  return index < 0 ? -1 : count;
}

static copy_t first[MAX_COPIES], second[MAX_COPIES];

//---------- recording ----------

static void
test_record_all(void ** state)
{
  (void)state;
  char qos[1000];
  run_t run = RUN("record", "--all", "-d", "3", "-o", "all", "--compression", "lz4");
  expect_code(&run, 0);
  expect_text(run.out, "all: ");
  expect_text(run.err, "/demo/joint_states [sensor_msgs/msg/JointState]");
  run_free(&run);
  // latched before the recorder came
  assert_int_equal(read_topic("all", "/demo/note", first, qos, sizeof qos), 1);
  assert_memory_equal(first[0].data + 8, "latched text", 13);
  expect_text(qos, "durability: 1\n");
  // best effort, 100 Hz
  const int n = read_topic("all", "/demo/joint_states", first, qos, sizeof qos);
  assert_true(n > 150 && n < 320);
  expect_text(qos, "reliability: 2\n");
}

static void
test_interrupted_and_killed(void ** state)
{
  (void)state;
  const char * formats[2] = {"mcap", "sqlite3"};
  for (int i = 0; i < 2; i++) {
    char name[2][32];
    snprintf(name[0], sizeof name[0], "int_%s", formats[i]);
    snprintf(name[1], sizeof name[1], "kill_%s", formats[i]);
    run_t a = START("record", "demo/joint_states", "/nobody", "-s", formats[i], "-o", name[0]);
    run_t b = START("record", "demo/joint_states", "-s", formats[i], "-o", name[1]);
    sleep(4);
    finish_process(&a, SIGINT);
    expect_code(&a, 0);
    expect_text(a.err, "no publisher found for '/nobody'");
    finish_process(&b, SIGKILL);
    expect_code(&b, 128 + SIGKILL);
    run_free(&a);
    run_free(&b);
    assert_true(read_topic(name[0], "/demo/joint_states", first, NULL, 0) > 200);
    char path[64];
    snprintf(path, sizeof path, "%s/metadata.yaml", name[0]);
    assert_int_equal(access(path, R_OK), 0);
    snprintf(path, sizeof path, "%s/metadata.yaml", name[1]);
    assert_int_not_equal(access(path, R_OK), 0);
    assert_true(read_topic(name[1], "/demo/joint_states", first, NULL, 0) > 100);
  }
}

//---------- playing ----------

static double
span(const copy_t * x, int n)
{
  return (double)(x[n - 1].time - x[0].time) * 1e-9;
}

// what is played arrives whole, in order, at twice the speed, under another name
static void
test_play(void ** state)
{
  (void)state;
  const int n = read_topic("all", "/demo/joint_states", first, NULL, 0);
  run_t rec = START("record", "/replayed", "/note2", "/clock", "-o", "again");
  run_t play = RUN(
    "play", "all", "--rate", "2", "-m", "/demo/joint_states:=/replayed", "-m", "/demo/note:=/note2",
    "--clock", "50", "--wait", "2", "/demo/joint_states", "/demo/note");
  expect_code(&play, 0);
  expect_text(play.out, " messages played\n");
  run_free(&play);
  finish_process(&rec, SIGINT);
  expect_code(&rec, 0);
  run_free(&rec);
  const int got = read_topic("again", "/replayed", second, NULL, 0);
  assert_int_equal(got, n);
  for (int i = 0; i < n; i++) {
    assert_int_equal(first[i].size, second[i].size);
    assert_memory_equal(first[i].data, second[i].data, first[i].size);
  }
  const double ratio = span(second, n) / span(first, n);
  assert_true(ratio > 0.4 && ratio < 0.65);
  assert_int_equal(read_topic("again", "/note2", second, NULL, 0), 1);
  const int clocks = read_topic("again", "/clock", second, NULL, 0);
  assert_true(clocks > 30 && clocks < 130);
  for (int i = 1; i < clocks; i++) {
    // sec, nanosec after the encapsulation
    uint32_t a[2], b[2];
    memcpy(a, second[i - 1].data + 4, 8);
    memcpy(b, second[i].data + 4, 8);
    assert_true(b[0] > a[0] || (b[0] == a[0] && b[1] > a[1]));
  }
}

static void
make_strange(const char * path)
{
  bag_error_t error;
  const bag_options_t options = {BAG_SQLITE3, BAG_NONE, 0};
  const bag_topic_t topic = {"/strange", "strange_msgs/msg/Thing", "cdr", "", NULL, 0};
  bag_writer_t * w = bag_create(path, &options, &error);
  uint32_t index;
  assert_non_null(w);
  assert_true(bag_add_topic(w, &topic, &index, &error));
  for (int i = 0; i < 40; i++) {
    const uint8_t data[8] = {0, 1, 0, 0, (uint8_t)i, 2, 3, 4};
    const int64_t time = 1000000000 + (int64_t)i * 50000000;
    assert_true(bag_write(w, &(bag_message_t){index, time, time, data, sizeof data}, &error));
  }
  assert_true(bag_close(w, &error));
}

// a type that nobody here knows; part of a recording
static void
test_unknown_type(void ** state)
{
  (void)state;
  make_strange("strange");
  run_t rec = START("record", "--all", "-o", "strange2");
  run_t play = RUN("play", "strange", "--wait", "2", "--start", "0.5", "--duration", "0.975");
  expect_code(&play, 0);
  assert_string_equal(play.out, "20 messages played\n");
  run_free(&play);
  finish_process(&rec, SIGINT);
  expect_code(&rec, 0);
  expect_text(rec.err, "[strange_msgs/msg/Thing]: unknown message definition");
  run_free(&rec);
  assert_int_equal(read_topic("strange2", "/strange", second, NULL, 0), 20);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(second[i].size, 8);
    assert_int_equal(second[i].data[4], i + 10);
  }
  assert_true(span(second, 20) > 0.85 && span(second, 20) < 1.5);
}

static void
test_info(void ** state)
{
  (void)state;
  run_t run = RUN("play", "strange", "--info");
  expect_code(&run, 0);
  expect_text(run.out, "files      1, sqlite3\n");
  expect_text(run.out, "duration   1.950 s\n");
  expect_text(run.out, "messages   40\n");
  expect_text(run.out, "topics     /strange [strange_msgs/msg/Thing] 40\n");
  run_free(&run);
  run = RUN("play", "kill_mcap", "-i");
  expect_code(&run, 0);
  expect_text(run.out, "files      1, mcap, no index\n");
  expect_text(
    run.out, "note       metadata.yaml is missing: the recording was not closed properly");
  run_free(&run);
}

static void
test_loop(void ** state)
{
  (void)state;
  run_t play = START("play", "strange", "--loop", "--rate", "20", "--wait", "0.2");
  sleep(2);
  finish_process(&play, SIGINT);
  expect_code(&play, 0);
  assert_true(atoi(play.out) > 200);
  run_free(&play);
}

// viewers can decode every topic of a type that is compiled in
static void
test_definitions(void ** state)
{
  (void)state;
  size_t count, messages = 0;
  const ros2_type_t * types = ros2_types(&count);
  for (size_t i = 0; i < count; i++) {
    if (!strstr(types[i].name, "/msg/")) continue;
    char * text = bag_definition(types[i].name);
    if (!text) fail_msg("no definition of %s", types[i].name);
    free(text);
    messages++;
  }
  assert_true(messages > 40);
}

//---------- refusals ----------

static void
refused(const char * const * args, const char * text)
{
  run_t run = run_to_end(args);
  expect_code(&run, 2);
  expect_text(run.err, text);
  run_free(&run);
}

#define REFUSED(text, ...) refused((const char * const[]){__VA_ARGS__, NULL}, text)

static void
test_refusals(void ** state)
{
  (void)state;
  REFUSED("no topics", "record");
  REFUSED("expected mcap or sqlite3", "record", "-a", "-s", "zip");
  REFUSED("expected none, lz4 or zstd", "record", "-a", "--compression", "gzip");
  REFUSED(
    "sqlite3 recordings do not support compression", "record", "-a", "-s", "sqlite3",
    "--compression", "zstd");
  REFUSED("it exists", "record", "-a", "-o", "all");
  REFUSED("No such file", "play", "nothing");
  REFUSED("did you mean '/strange'?", "play", "strange", "/strang");
  REFUSED("expected FROM:=TO", "play", "strange", "--remap", "x");
  REFUSED("more than 0", "play", "strange", "--rate", "0");
}

static int
teardown(void ** state)
{
  // in the tests' own directory
  if (system("rm -rf all again int_* kill_* strange strange2") != 0) return -1;
  return node_teardown(state);
}

int
main(void)
{
  // each uses what those before it recorded
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_record_all),  cmocka_unit_test(test_interrupted_and_killed),
    cmocka_unit_test(test_play),        cmocka_unit_test(test_unknown_type),
    cmocka_unit_test(test_info),        cmocka_unit_test(test_loop),
    cmocka_unit_test(test_definitions), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, node_setup, teardown);
}
