// Robot descriptions by topic and parameter: large ones, bad ones, at the wrong time.
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_core.h"
#include "rosidl_runtime_c/string_functions.h"

enum { N = PEER_JOINTS, MEGABYTE = 1024 * 1024 };

static peer_t peer;
static core_t core;
static rcl_publisher_t * topic;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  topic = peer_publisher(&peer, STRING, "/robot_description");
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

#define START(...) peer_start(&peer, (const char *[]){PEER_CALM_ARG, __VA_ARGS__ NULL})

static void
publish(const char * text)
{
  std_msgs__msg__String message = {0};
  assert_true(std_msgs__msg__String__init(&message));
  assert_true(rosidl_runtime_c__String__assign(&message.data, text));
  OK(rcl_publish(topic, &message, NULL));
  std_msgs__msg__String__fini(&message);
}

static char *
read_robot(const char * path)
{
  FILE * file = fopen(path, "rb");
  char * text = calloc(1, 2 * MEGABYTE);
  assert_non_null(file);
  assert_non_null(text);
  assert_true(fread(text, 1, MEGABYTE / 2, file) > 0);
  fclose(file);
  return text;
}

// the same robot, a megabyte of comment longer
static char *
large_robot(char filler)
{
  char * text = read_robot(PEER_ROBOT);
  char * end = text + strlen(text);
  memcpy(end, "<!-- ", 5);
  memset(end + 5, filler, MEGABYTE);
  memcpy(end + 5 + MEGABYTE, " -->\n", 6);
  return text;
}

static const char *
hash_of(const char * text)
{
  static char hash[20];
  uint64_t h = 14695981039346656037u;
  for (; *text; text++) h = (h ^ (uint8_t)*text) * 1099511628211u;
  snprintf(hash, sizeof hash, "%016" PRIx64, h);
  return hash;
}

static void
expect_gravity(void)
{
  double g[N];
  peer_step(&peer);
  core_gravity(&core, STATES[0][0], g);
  assert_near(peer.command, g, N);
}

//---------- large ----------

static void
test_megabyte_by_topic(void ** state)
{
  (void)state;
  char *first = large_robot('a'), *second = large_robot('b');
  START();
  peer_wait_matched(&peer, topic);
  publish(first);
  peer_logged(&peer, "robot 'arm7' from topic robot_description: 7 degrees of freedom");
  peer_bring_up(&peer);
  peer_wait_value(&peer, "model_hash", hash_of(first));
  expect_gravity();
  // the same again is nothing new; another one must wait
  publish(first);
  publish(second);
  peer_logged(&peer, "ERROR rejected the new robot description, keeping the old one: the node is");
  expect_gravity();
  assert_true(peer_change_state(&peer, "deactivate"));
  publish(second);
  peer_logged(&peer, "INFO new robot description: arm7");
  peer_wait_value(&peer, "model_hash", hash_of(second));
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_gravity();
  free(first);
  free(second);
}

static void
test_megabyte_by_parameter(void ** state)
{
  (void)state;
  char * text = large_robot('c');
  START("-p", "autostart:=false", );
  assert_string_equal(peer_set_string(&peer, "robot_description", text), "");
  assert_true(peer_change_state(&peer, "configure"));
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_gravity();
  peer_wait_value(&peer, "model_hash", hash_of(text));
  free(text);
}

//---------- bad ----------

static const char * const BAD[] = {
  "<robot name=\"x\">\n  <link name=\"a\"/>\n  <joint/>\n</robot>",
  "<robot name=\"x\">\n  <link name=\"a\"/>\n  <link name=\"a\"/>\n</robot>",
  "<robot name=\"x\">\n\n  <link", "\n\n<!DOCTYPE x>\n<robot name=\"x\"/>"};
enum { NBAD = sizeof BAD / sizeof BAD[0] };

// a line of the log that says where
static void
expect_line(const char * before)
{
  char text[128];
  snprintf(text, sizeof text, "%stopic robot_description:3", before);
  peer_logged(&peer, text);
  peer_forget_log(&peer);
}

static void
test_bad_before_configure(void ** state)
{
  (void)state;
  char * good = read_robot(PEER_ROBOT);
  START();
  peer_wait_matched(&peer, topic);
  for (int k = 0; k < NBAD; k++) {
    publish(BAD[k]);
    expect_line("ERROR cannot configure: ");
    assert_string_equal(peer_state(&peer), "unconfigured");
  }
  publish("");
  peer_logged(&peer, "WARN ignored an empty message on robot_description");
  publish(good);
  peer_bring_up(&peer);
  expect_gravity();
  free(good);
}

static void
test_bad_while_inactive(void ** state)
{
  (void)state;
  START(PEER_ROBOT_ARG, "-p", "autostart:=false", );
  assert_true(peer_change_state(&peer, "configure"));
  peer_wait_matched(&peer, topic);
  peer_forget_log(&peer);
  for (int k = 0; k < NBAD; k++) {
    publish(BAD[k]);
    expect_line("ERROR rejected the new robot description, keeping the old one: ");
    assert_string_equal(peer_state(&peer), "inactive");
  }
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_gravity();
}

static void
test_bad_while_active(void ** state)
{
  (void)state;
  START(PEER_ROBOT_ARG, );
  peer_bring_up(&peer);
  peer_wait_matched(&peer, topic);
  peer_stream_start(&peer, 1000);
  for (int k = 0; k < NBAD; k++) {
    const uint64_t before = peer.commands->count;
    publish(BAD[k]);
    peer_logged(&peer, "ERROR rejected the new robot description, keeping the old one: ");
    peer_forget_log(&peer);
    assert_true(peer_wait(&peer, &peer.commands->count, before + 10, PEER_TIMEOUT));
  }
  peer_stream_stop(&peer);
  expect_gravity();
  // and after a restart of its lifecycle it still has the old one
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_change_state(&peer, "cleanup"));
  assert_true(peer_change_state(&peer, "configure"));
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_gravity();
}

// another robot, and back, while the joint states of the first go on
static void
test_other_robots(void ** state)
{
  (void)state;
  char * arm6 = read_robot(MBDYN_SOURCE_DIR "/config/robots/arm6.urdf");
  char * arm7 = read_robot(PEER_ROBOT);
  START(PEER_ROBOT_ARG, );
  peer_bring_up(&peer);
  peer_wait_matched(&peer, topic);
  assert_true(peer_change_state(&peer, "deactivate"));
  peer_stream_start(&peer, 500);
  for (int k = 0; k < 5; k++) {
    peer_forget_log(&peer);
    publish(arm6);
    peer_logged(&peer, "INFO new robot description: arm6");
    publish(arm7);
    peer_logged(&peer, "INFO new robot description: arm7");
  }
  peer_stream_stop(&peer);
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_gravity();
  free(arm6);
  free(arm7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char ** argv)
{
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
    TEST(test_megabyte_by_topic),    TEST(test_megabyte_by_parameter),
    TEST(test_bad_before_configure), TEST(test_bad_while_inactive),
    TEST(test_bad_while_active),     TEST(test_other_robots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
