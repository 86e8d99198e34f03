// The program on a DDS domain of its own: what goes in, what comes out, how it ends.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "pendulum.h"

static peer_t peer;

//---------- joint states ----------

static void
joint_states_stand_still_at_first(void ** state)
{
  (void)state;
  const char * const parameters[] = {"initial_positions:=[1.0, -0.5]", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  int64_t last = 0, on_time = 0;
  for (int i = 0; i < 300; i++) {
    const joint_sample_t s = next_state(&peer);
    const double q[2] = {1, -0.5}, zero[2] = {0, 0};
    assert_string_equal(peer.state.header.frame_id.data, "");
    assert_int_equal(s.n, 2);
    assert_int_equal(s.nvelocity, 2);
    assert_int_equal(s.neffort, 2);
    assert_string_equal(peer.state.name.data[0].data, "joint1");
    assert_string_equal(peer.state.name.data[1].data, "joint2");
    assert_memory_equal(s.position, q, sizeof q);
    assert_memory_equal(s.velocity, zero, sizeof zero);
    assert_memory_equal(s.effort, zero, sizeof zero);
    // time of the simulation: whole milliseconds, none twice
    assert_int_equal(s.stamp % 1000000, 0);
    assert_true(s.stamp > last);
    on_time += s.stamp - last == 1000000;
    last = s.stamp;
  }
  // a few may be lost on the way
  assert_true(on_time > 250);
  assert_int_equal(robot_end(&peer, SIGINT), 0);
}

static void
joint_states_have_what_was_asked_for(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "publish_velocity:=false", "publish_effort:=false", "rate:=500.0",
    "publish_rate:=100.0",     "publish_clock:=true",   NULL};
  robot_start(&peer, PENDULUM, parameters);
  for (int i = 0; i < 20; i++) {
    const joint_sample_t s = next_state(&peer);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.nvelocity, 0);
    assert_int_equal(s.neffort, 0);
    assert_int_equal(s.stamp % 10000000, 0);
  }
  assert_int_equal(robot_end(&peer, SIGTERM), 0);
}

// without /clock stamps are of the machine, as far apart as steps are
static void
stamps_are_of_the_machine(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  int64_t last = 0;
  int even = 0;
  for (int i = 0; i < 300; i++) {
    const joint_sample_t s = next_state(&peer);
    assert_true(s.stamp > last);
    even += s.stamp - last == 1000000;
    last = s.stamp;
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  assert_true(last <= (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
  assert_true(last > ((int64_t)now.tv_sec - 30) * 1000000000);
  assert_true(even > 200);
}

//---------- motion ----------

static void
commands_move_it(void ** state)
{
  (void)state;
  const char * const parameters[] = {"initial_positions:=[1.0, -0.5]", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  next_state(&peer);
  const double tau[2] = {3, -1};
  send_array(&peer, tau, 2);
  const joint_sample_t first = state_with_effort(&peer, tau, 2);
  assert_true(first.position[0] != 1);
  expect_motion(&peer, 200, 0);
  // by name, in any order, one alone
  const char * const name[1] = {"joint2"};
  const double more = 2.5, both[2] = {3, 2.5};
  send_names(&peer, name, &more, 1);
  state_with_effort(&peer, both, 2);
  expect_motion(&peer, 50, 0);
  assert_int_equal(robot_end(&peer, SIGINT), 0);
}

static void
command_joints_give_the_order(void ** state)
{
  (void)state;
  const char * const parameters[] = {"command_joints:=[joint2, joint1]", NULL};
  robot_start(&peer, PENDULUM, parameters);
  const double sent[2] = {0.25, 0.75}, seen[2] = {0.75, 0.25};
  send_array(&peer, sent, 2);
  state_with_effort(&peer, seen, 2);
}

// the order of <ros2_control>, as the node has it; joints without an effort interface are not commanded
static void
ros2_control_gives_the_order(void ** state)
{
  (void)state;
  for (int both = 0; both < 2; both++) {
    char path[] = "/tmp/mbdyn_sim_XXXXXX", argument[100], text[8192];
    FILE * file = fopen(MBDYN_SOURCE_DIR "/test/data/double_pendulum.urdf", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char * end = strstr(text, "</robot>");
    assert_non_null(end);
    *end = 0;
    file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fprintf(
      file,
      "%s<ros2_control name=\"h\" type=\"system\"><joint name=\"joint2\"><command_interface "
      "name=\"effort\"/></joint><joint name=\"joint1\"><command_interface "
      "name=\"%s\"/></joint></ros2_control></robot>",
      text, both ? "effort" : "position");
    assert_int_equal(fclose(file), 0);
    snprintf(argument, sizeof argument, "robot_description_file:=%s", path);
    const char * const parameters[] = {argument, NULL};
    robot_start(&peer, PENDULUM, parameters);
    const double sent[2] = {0.25, 0.75}, seen[2] = {both ? 0.75 : 0, 0.25};
    send_array(&peer, sent, both ? 2 : 1);
    state_with_effort(&peer, seen, 2);
    assert_int_equal(robot_end(&peer, SIGINT), 0);
    unlink(path);
  }
}

static void
without_hold_it_falls_at_once(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "initial_positions:=[1.0, -0.5]", "hold_until_command:=false", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  while (next_state(&peer).velocity[0] == 0) continue;
  expect_motion(&peer, 100, 0);
}

// torques stay within the limits of the URDF; a mimic joint is in joint_states, not in commands
static void
motors_have_limits(void ** state)
{
  (void)state;
  const char * const parameters[] = {"gravity:=[0.0, 0.0, 0.0]", NULL};
  robot_start(&peer, "mimic_gripper", parameters);
  assert_int_equal(next_state(&peer).n, 4);
  int wrist = -1, finger = -1, other = -1;
  for (int i = 0; i < 4; i++) {
    const char * name = peer.state.name.data[i].data;
    if (strcmp(name, "wrist") == 0) wrist = i;
    if (strcmp(name, "finger_left") == 0) finger = i;
    if (strcmp(name, "finger_right") == 0) other = i;
  }
  assert_true(wrist >= 0 && finger >= 0 && other >= 0);
  const double sent[2] = {-500, 500};  // wrist, finger_left
  double seen[4] = {0};
  seen[finger] = 70;
  seen[wrist] = -10;
  send_array(&peer, sent, 2);
  state_with_effort(&peer, seen, 4);
  // fingers run into their stops, together
  for (joint_sample_t s = next_state(&peer); s.position[finger] != 0.04; s = next_state(&peer)) {
    assert_true(s.position[finger] < 0.04);
    assert_close(&s.position[other], &s.position[finger], 1, 1e-12, "the other finger");
  }
}

//---------- commands that are refused ----------

static void
bad_commands_are_refused(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  const double good[2] = {1, 2}, bad[3] = {7, nan(""), 9}, later[2] = {5, 2};
  const char *const unknown[2] = {"joint1", "elbow"}, *const known[1] = {"joint1"};
  send_array(&peer, good, 2);
  state_with_effort(&peer, good, 2);
  send_array(&peer, bad, 1);
  skip_states(&peer, 30);
  send_array(&peer, bad, 2);
  skip_states(&peer, 30);
  send_array(&peer, bad, 3);
  skip_states(&peer, 30);
  send_junk(&peer);
  skip_states(&peer, 30);
  send_names(&peer, unknown, later, 2);
  skip_states(&peer, 30);
  // all that time the last good one counted
  const joint_sample_t s = next_state(&peer);
  assert_memory_equal(s.effort, good, sizeof good);
  send_names(&peer, known, later, 1);
  state_with_effort(&peer, later, 2);
  const diagnostic_msgs__msg__DiagnosticStatus * report;
  bool warned = false;
  do {
    report = next_report(&peer);
    warned = warned || (report->level == diagnostic_msgs__msg__DiagnosticStatus__WARN &&
                        strstr(report->message.data, "rejected") != NULL);
  } while (report_value(report, "commands taken") < 2);
  assert_true(warned);
  assert_true(report_value(report, "commands refused") == 5);
}

static void
motors_let_go_without_commands(void ** state)
{
  (void)state;
  const char * const parameters[] = {"command_timeout:=0.3", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  const double tau[2] = {1, 2}, zero[2] = {0, 0};
  send_array(&peer, tau, 2);
  const joint_sample_t first = state_with_effort(&peer, tau, 2);
  const joint_sample_t last = state_with_effort(&peer, zero, 2);
  // messages may be lost at either end
  assert_true(last.stamp - first.stamp > 200000000);
  assert_true(last.stamp - first.stamp < 500000000);
}

//---------- services ----------

static void
reset_goes_back_to_the_start(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "initial_positions:=[0.7]", "initial_joints:=[joint2]", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  const double tau[2] = {3, -1}, start[2] = {0, 0.7}, zero[2] = {0, 0};
  send_array(&peer, tau, 2);
  const joint_sample_t moved = state_with_effort(&peer, tau, 2);
  reset(&peer);
  joint_sample_t s = state_with_effort(&peer, zero, 2);
  assert_true(s.stamp > moved.stamp);
  for (int i = 0; i < 20; i++, s = next_state(&peer)) {
    assert_memory_equal(s.position, start, sizeof start);
    assert_memory_equal(s.velocity, zero, sizeof zero);
  }
  // the brakes hold until a command, as at the start
  send_array(&peer, tau, 2);
  assert_true(state_with_effort(&peer, tau, 2).position[1] != 0.7);
}

static void
bad_pushes_are_refused(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  wrench_t wrench = {{1, 0, 0}, {0, 0, 0}, 2, 0.1};
  assert_string_equal(push(&peer, "tip", &wrench), "");
  assert_non_null(strstr(push(&peer, "elbow", &wrench), "no such link"));
  wrench.reference = 1;
  assert_non_null(strstr(push(&peer, "tip", &wrench), "reference"));
  wrench.reference = 0;
  wrench.duration = nan("");
  assert_non_null(strstr(push(&peer, "tip", &wrench), "duration"));
  wrench.duration = -1;
  wrench.torque[2] = HUGE_VAL;
  assert_non_null(strstr(push(&peer, "tip", &wrench), "not finite"));
}

// momentum of the robot in a state, by a model of our own
static mbd_vec3_t
momentum(const mbd_model_t * model, const joint_sample_t * s, const nav_msgs__msg__Odometry * odom)
{
  const geometry_msgs__msg__Pose * pose = &odom->pose.pose;
  const geometry_msgs__msg__Twist * twist = &odom->twist.twist;
  double q[32] = {pose->position.x,    pose->position.y,    pose->position.z,   pose->orientation.x,
                  pose->orientation.y, pose->orientation.z, pose->orientation.w};
  double v[32] = {twist->linear.x,  twist->linear.y,  twist->linear.z,
                  twist->angular.x, twist->angular.y, twist->angular.z};
  memcpy(q + 7, s->position, s->n * sizeof(double));
  memcpy(v + 6, s->velocity, s->n * sizeof(double));
  mbd_data_t * data;
  mbd_force_t h;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, v));
  assert_ok(mbd_centroidal_momentum(model, data, &h));
  mbd_data_destroy(data);
  return h.lin;
}

// odometry with the stamp of a joint state, or NULL
static const nav_msgs__msg__Odometry *
odometry_of(const joint_sample_t * s)
{
  static int64_t stamp;
  while (stamp < s->stamp) {
    const builtin_interfaces__msg__Time * time = &next_odometry(&peer)->header.stamp;
    stamp = (int64_t)time->sec * 1000000000 + time->nanosec;
  }
  return stamp == s->stamp ? &peer.odometry_message : NULL;
}

// floating in space: force times time is all the momentum there is
static void
push_is_an_impulse(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "base:=floating",  "gravity:=[0.0, 0.0, 0.0]", "hold_until_command:=false",
    "integrator:=rk4", "publish_clock:=true",      NULL};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  mbd_model_t * model;
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/test/data/branched.urdf", &options, &model, NULL));
  robot_start(&peer, "branched", parameters);
  next_state(&peer);
  const wrench_t wrench = {{5, -4, 3}, {0, 0, 0}, 2, 0.05};
  assert_string_equal(push(&peer, "a_twig", &wrench), "");
  const double expected[3] = {0.25, -0.2, 0.15};
  // the push takes 50 joint states
  for (int found = 0, tries = 0; found < 20; tries++) {
    if (tries > 20000) fail_msg("it was not pushed");
    const joint_sample_t s = next_state(&peer);
    const nav_msgs__msg__Odometry * odom = odometry_of(&s);
    if (odom == NULL) continue;
    assert_int_equal(s.n, model->nv - 6);
    assert_string_equal(odom->header.frame_id.data, "odom");
    assert_string_equal(odom->child_frame_id.data, "trunk");
    const mbd_vec3_t p = momentum(model, &s, odom);
    const double got[3] = {p.x, p.y, p.z};
    if (p.x > 0.2499) assert_close(got, expected, 3, 1e-6, "momentum"), found++;
  }
  mbd_model_destroy(model);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    PEER_TEST(joint_states_stand_still_at_first),
    PEER_TEST(joint_states_have_what_was_asked_for),
    PEER_TEST(stamps_are_of_the_machine),
    PEER_TEST(commands_move_it),
    PEER_TEST(command_joints_give_the_order),
    PEER_TEST(ros2_control_gives_the_order),
    PEER_TEST(without_hold_it_falls_at_once),
    PEER_TEST(motors_have_limits),
    PEER_TEST(bad_commands_are_refused),
    PEER_TEST(motors_let_go_without_commands),
    PEER_TEST(reset_goes_back_to_the_start),
    PEER_TEST(bad_pushes_are_refused),
    PEER_TEST(push_is_an_impulse),
  };
  return cmocka_run_group_tests(tests, NULL, process_kill_all);
}
