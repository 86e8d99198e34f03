// The node comes up, commands what holds the robot, goes through its lifecycle and ends.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "node_core.h"

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  core_close(&core);
  peer_close(&peer);
  return process_kill_all(state);
}

static void
start(const char * const * more)
{
  const char * arguments[32] = {PEER_ROBOT_ARG, PEER_CALM_ARG};
  size_t n = 0;
  while (arguments[n]) n++;
  while (*more) arguments[n++] = *more++;
  peer_start(&peer, arguments);
}

#define START(...) start((const char *[]){__VA_ARGS__ NULL})

static void
expect_gravity(const double * q)
{
  double g[PEER_JOINTS];
  core_gravity(&core, q, g);
  assert_int_equal(peer.ncommand, PEER_JOINTS);
  assert_near(peer.command, g, PEER_JOINTS);
}

// nothing is under way: what does not come in this time does not come
static void
expect_no_command(void)
{
  const uint64_t before = peer.commands->count;
  peer_listen_for(&peer, 60);
  assert_int_equal(peer.commands->count, before);
}

//---------- start ----------

static void
test_autostart(void ** state)
{
  (void)state;
  START();
  // configured without a joint state, active with one
  peer_wait_value(&peer, "state", "inactive");
  assert_string_equal(peer_state(&peer), "inactive");
  peer_bring_up(&peer);
  assert_string_equal(peer_state(&peer), "active");
  assert_string_equal(
    peer.event_text,
    "unconfigured>configuring\nconfiguring>inactive\ninactive>activating\nactivating>active\n");
  for (int k = 0; k < NSTATE; k++) {
    peer_set_state(&peer, STATES[k][0], STATES[k][1]);
    peer_step(&peer);
    expect_gravity(STATES[k][0]);
  }
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

static void
test_command_joints(void ** state)
{
  (void)state;
  double g[PEER_JOINTS];
  peer.limit[2] = 12;
  START("-p", "command_joints:=[joint4, joint2, joint7]", );
  peer_bring_up(&peer);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_step(&peer);
  core_gravity(&core, STATES[0][0], g);
  assert_int_equal(peer.ncommand, 3);
  assert_near(peer.command, ((double[]){g[3], g[1], g[6]}), 3);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

// a copy of the robot with <ros2_control>, to be removed
static void
write_controlled(char * path, const char * control)
{
  static char text[100000];
  FILE * file = fopen(PEER_ROBOT, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char * end = strstr(text, "</robot>");
  assert_non_null(end);
  *end = 0;
  file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  fprintf(
    file, "%s<ros2_control name=\"h\" type=\"system\">%s</ros2_control></robot>", text, control);
  assert_int_equal(fclose(file), 0);
}

// joints with an effort interface, in the order of the description; a parameter comes before it
static void
test_ros2_control(void ** state)
{
  (void)state;
#define EFFORT(name)   "<joint name=\"" name "\"><command_interface name=\"effort\"/></joint>"
#define POSITION(name) "<joint name=\"" name "\"><command_interface name=\"position\"/></joint>"
  static const struct {
    const char *control, *parameter;
    int n, joint[PEER_JOINTS];
  } rows[] = {
    {EFFORT("joint4") POSITION("joint1") EFFORT("joint2") EFFORT("elsewhere") EFFORT("joint7"),
     "rate:=0.0",
     3,
     {3, 1, 6}},
    {EFFORT("joint4") EFFORT("joint2"), "command_joints:=[joint1, joint2]", 2, {0, 1}},
    {EFFORT("joint6") EFFORT("joint2"), "locked_joints:=['joint2: 0.0']", 1, {5}},
  };
  for (int k = 0; k < 3; k++) {
    char path[] = "/tmp/mbdyn_node_XXXXXX", argument[100];
    double g[PEER_JOINTS], expected[PEER_JOINTS], q[PEER_JOINTS];
    write_controlled(path, rows[k].control);
    snprintf(argument, sizeof argument, "robot_description_file:=%s", path);
    peer.limit[2] = 12;
    START("-p", argument, "-p", rows[k].parameter, );
    memcpy(q, STATES[0][0], sizeof q);
    if (k == 2) q[1] = 0;
    peer_bring_up(&peer);
    peer_set_state(&peer, q, STATES[0][1]);
    peer_step(&peer);
    core_gravity(&core, q, g);
    for (int i = 0; i < rows[k].n; i++) expected[i] = g[rows[k].joint[i]];
    assert_int_equal(peer.ncommand, rows[k].n);
    assert_near(peer.command, expected, (size_t)rows[k].n);
    if (k == 0)
      peer_logged(&peer, "commands the 3 joints with an effort interface in <ros2_control>");
    assert_int_equal(peer_stop(&peer, SIGTERM), 0);
    unlink(path);
  }
}

static void
test_good_inputs(void ** state)
{
  (void)state;
  START("-p", "autostart:=false", "-p", "good_inputs:=4", );
  assert_true(peer_change_state(&peer, "configure"));
  peer_wait_matched(&peer, &peer.joint_states);
  assert_true(peer_change_state(&peer, "activate"));
  for (int k = 0; k < 3; k++) {
    peer_publish_now(&peer);
    expect_no_command();
  }
  peer_publish_now(&peer);
  assert_true(peer_wait(&peer, &peer.commands->count, 1, PEER_TIMEOUT));
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

// no description: the node waits, and says so
static void
test_no_description(void ** state)
{
  (void)state;
  peer_start(&peer, (const char *[]){"-p", "autostart:=false", NULL});
  assert_false(peer_change_state(&peer, "configure"));
  peer_logged(&peer, "ERROR no robot description yet: set robot_description");
  assert_string_equal(peer_state(&peer), "unconfigured");
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

static void
test_bad_start(void ** state)
{
  (void)state;
  // a file that is not there, a parameter that cannot be, an argument that is none
  START("-p", "robot_description_file:=/nowhere.urdf", );
  assert_int_equal(peer_stop(&peer, 0), 1);
  START("-p", "mode:=levitation", );
  assert_int_equal(peer_stop(&peer, 0), 1);
  START("--nonsense", );
  assert_int_equal(peer_stop(&peer, 0), 2);
}

//---------- lifecycle ----------

static void
test_down_and_up(void ** state)
{
  (void)state;
  const double zero[PEER_JOINTS] = {0};
  START();
  peer_bring_up(&peer);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  peer_step(&peer);
  assert_false(peer_change_state(&peer, "configure"));
  assert_false(peer_change_state(&peer, "levitate"));
  assert_string_equal(peer_state(&peer), "active");

  const uint64_t before = peer.commands->count;
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
  assert_near(peer.command, zero, PEER_JOINTS);
  peer_publish_now(&peer);
  expect_no_command();

  assert_true(peer_change_state(&peer, "activate"));
  peer_step(&peer);
  expect_gravity(STATES[1][0]);
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_change_state(&peer, "cleanup"));
  assert_string_equal(peer_state(&peer), "unconfigured");
  assert_false(peer_change_state(&peer, "activate"));
  assert_true(peer_change_state(&peer, "configure"));
  assert_true(peer_change_state(&peer, "activate"));
  // its publishers are new ones
  peer_bring_up(&peer);
  expect_gravity(STATES[1][0]);
  assert_true(peer_change_state(&peer, "shutdown"));
  assert_int_equal(peer_stop(&peer, 0), 0);
  assert_near(peer.command, zero, PEER_JOINTS);
}

//---------- the last command ----------

// a command that is neither zero nor gravity, and what the last one would be after it
static void
run_to_a_command(const char * action, double * last)
{
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  peer_step(&peer);
  double g[PEER_JOINTS];
  core_gravity(&core, STATES[1][0], g);
  assert_true(fabs(peer.command[0] - g[0]) > 1);
  for (int i = 0; i < PEER_JOINTS; i++) {
    last[i] = strcmp(action, "zero") == 0   ? 0
              : strcmp(action, "hold") == 0 ? peer.command[i]
                                            : fmin(fmax(g[i], -PEER_LIMIT[i]), PEER_LIMIT[i]);
  }
}

static void
check_last_command(const char * parameter, const char * action)
{
  double last[PEER_JOINTS];
  char argument[64];
  const bool shutdown = strcmp(parameter, "on_shutdown") == 0;
  snprintf(argument, sizeof argument, "%s:=%s", parameter, action);
  START("-p", "mode:=computed_torque", "-p", argument, );
  run_to_a_command(action, last);
  const uint64_t before = peer.commands->count;
  if (shutdown) {
    assert_int_equal(peer_stop(&peer, SIGTERM), 0);
  } else {
    assert_true(peer_change_state(&peer, "deactivate"));
  }
  peer_listen_for(&peer, 60);
  assert_int_equal(peer.commands->count, before + (strcmp(action, "hold") != 0));
  assert_near(peer.command, last, PEER_JOINTS);
  if (!shutdown) assert_int_equal(peer_stop(&peer, SIGINT), 0);
}

static void
test_on_deactivate(void ** state)
{
  (void)state;
  check_last_command("on_deactivate", "zero");
  check_last_command("on_deactivate", "hold");
  check_last_command("on_deactivate", "gravity");
}

static void
test_on_shutdown(void ** state)
{
  (void)state;
  check_last_command("on_shutdown", "zero");
  check_last_command("on_shutdown", "hold");
  check_last_command("on_shutdown", "gravity");
}

//---------- signals ----------

static void
check_signal(int number)
{
  START();
  peer_bring_up(&peer);
  peer_stream_start(&peer, 1000);
  assert_true(peer_wait(&peer, &peer.commands->count, peer.commands->count + 100, PEER_TIMEOUT));
  const int64_t begin = now_ns();
  assert_int_equal(peer_stop(&peer, number), 0);
#ifndef NODE_SLOW
  assert_true(now_ns() - begin < 1000000000);
#else
  (void)begin;
#endif
  peer_stream_stop(&peer);
}

static void
test_signals(void ** state)
{
  (void)state;
  check_signal(SIGINT);
  check_signal(SIGTERM);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_autostart, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_command_joints, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_ros2_control, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_good_inputs, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_no_description, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_bad_start, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_down_and_up, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_on_deactivate, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_on_shutdown, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_signals, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
