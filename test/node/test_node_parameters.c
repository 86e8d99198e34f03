// Parameters of the running node: what they do from the next joint state on, and what is refused.
#include <signal.h>
#include <string.h>

#include "node_core.h"

enum { N = PEER_JOINTS };

static peer_t peer;
static core_t core;
static double last_gravity[N];

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, NULL});
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  core_gravity(&core, STATES[0][0], last_gravity);
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
expect_command(const double * expected)
{
  peer_step(&peer);
  assert_int_equal(peer.ncommand, N);
  assert_near(peer.command, expected, N);
}

#define TAKEN(call) assert_string_equal((call), "")

// the node's last command (on_deactivate: zero) must not pass for an answer to the next joint state
static void
deactivate(void)
{
  const uint64_t before = peer.commands->count;
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
}

//---------- taken ----------

static void
test_gravity(void ** state)
{
  (void)state;
  const double moon[3] = {0, 0, -1.62}, sideways[3] = {9.81, 0, 0};
  double g[N];
  expect_command(last_gravity);
  TAKEN(peer_set_doubles(&peer, "gravity", 3, moon));
  for (int i = 0; i < N; i++) g[i] = last_gravity[i] * 1.62 / 9.81;
  expect_command(g);
  TAKEN(peer_set_doubles(&peer, "gravity", 3, sideways));
  assert_int_equal(mbd_set_gravity(core.data, (mbd_vec3_t){9.81, 0, 0}), MBD_OK);
  core_gravity(&core, STATES[0][0], g);
  expect_command(g);
  assert_string_equal(peer_get(&peer, "gravity"), "[9.81, 0, 0]");
}

static void
test_terms(void ** state)
{
  (void)state;
  const char * const friction[] = {"friction"};
  const char * const both[] = {"friction", "gravity"};
  double f[N], sum[N];
  assert_int_equal(mbd_friction(core.model, STATES[0][1], f), MBD_OK);
  for (int i = 0; i < N; i++) sum[i] = f[i] + last_gravity[i];
  TAKEN(peer_set_strings(&peer, "command_terms", 1, friction));
  expect_command(f);
  TAKEN(peer_set_strings(&peer, "command_terms", 2, both));
  expect_command(sum);
  TAKEN(peer_set_bool(&peer, "friction", false));
  expect_command(last_gravity);
  TAKEN(peer_set_strings(&peer, "command_terms", 0, NULL));
  expect_command((const double[N]){0});
}

static void
test_damping(void ** state)
{
  (void)state;
  const double d[N] = {1, 2, 3, 4, 0.5, 0.6, 0.7};
  double tau[N];
  for (int i = 0; i < N; i++) tau[i] = last_gravity[i] - d[i] * STATES[0][1][i];
  TAKEN(peer_set_doubles(&peer, "damping", N, d));
  expect_command(tau);
}

// away from where it is to hold, and moving: every gain shows
static void
expect_computed_torque(double kp, double kd)
{
  double a[N], tau[N];
  const double *q = STATES[1][0], *v = STATES[1][1];
  for (int i = 0; i < N; i++) a[i] = kp * (STATES[0][0][i] - q[i]) - kd * v[i];
  core_torques(&core, q, v, a, tau);
  for (int i = 0; i < N; i++) tau[i] = fmin(fmax(tau[i], -PEER_LIMIT[i]), PEER_LIMIT[i]);
  peer_set_state(&peer, q, v);
  expect_command(tau);
}

static void
test_mode_and_gains(void ** state)
{
  (void)state;
  const double rest[N] = {0};
  const char * const terms[] = {"gravity", "coriolis", "inertia"};
  TAKEN(peer_set_strings(&peer, "command_terms", 3, terms));
  TAKEN(peer_set_string(&peer, "mode", "computed_torque"));
  // it holds where it was when the mode began
  peer_set_state(&peer, STATES[0][0], rest);
  expect_command(last_gravity);
  expect_computed_torque(100, 20);
  TAKEN(peer_set_doubles(&peer, "kp", 1, (const double[]){9}));
  expect_computed_torque(9, 20);
  TAKEN(peer_set_doubles(&peer, "kd", 1, (const double[]){3}));
  expect_computed_torque(9, 3);

  // inverse dynamics: torques of the reference, whatever the state
  TAKEN(peer_set_string(&peer, "mode", "inverse_dynamics"));
  peer_set_state(&peer, STATES[0][0], rest);
  expect_command(last_gravity);
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  expect_command(last_gravity);

  TAKEN(peer_set_string(&peer, "mode", "operational_space"));
  peer_set_state(&peer, STATES[0][0], rest);
  peer_step(&peer);
  near(peer.command, last_gravity, N, 1e-6, __FILE__, __LINE__);
}

// no command any more: the last one is that of on_deactivate, and then results alone
static void
test_passive(void ** state)
{
  (void)state;
  TAKEN(peer_set_string(&peer, "mode", "passive"));
  expect_command((const double[N]){0});
  peer_publish_now(&peer);
  peer_wait_value(&peer, "mode", "passive");
  const uint64_t before = peer.commands->count;
  peer_publish_now(&peer);
  peer_listen_for(&peer, 60);
  assert_int_equal(peer.commands->count, before);
  TAKEN(peer_set_string(&peer, "mode", "gravity_compensation"));
  expect_command(last_gravity);

  // the same by its divider
  TAKEN(peer_set_integer(&peer, "publish.command", 0));
  expect_command((const double[N]){0});
  TAKEN(peer_set_integer(&peer, "publish.command", 3));
  peer_wait_report(&peer);
  const long long begin = peer_count(&peer, "cycles");
  const uint64_t now = peer.commands->count;
  for (int k = 0; k < 30; k++) {
    peer_publish_now(&peer);
    peer_listen_for(&peer, 5);
  }
  // joint states are sent by best effort: a busy machine may lose some of them
  peer_wait_report(&peer);
  const uint64_t cycles = (uint64_t)(peer_count(&peer, "cycles") - begin);
  assert_in_range(cycles, 15, 30);
  peer_wait(&peer, &peer.commands->count, now + cycles / 3, 1000);
  assert_in_range(peer.commands->count, now + cycles / 3, now + (cycles + 2) / 3);
}

static void
test_limits(void ** state)
{
  (void)state;
  const double few[N] = {1, 2, 3, 4, 0.5, 0.25, 0.1};
  double tau[N];
  for (int i = 0; i < N; i++) tau[i] = fmin(fmax(last_gravity[i], -few[i]), few[i]);
  TAKEN(peer_set_doubles(&peer, "effort_limits", N, few));
  expect_command(tau);
  peer_wait_value(&peer, "saturations", "1");
  // only reported
  deactivate();
  TAKEN(peer_set_bool(&peer, "clamp_effort", false));
  assert_true(peer_change_state(&peer, "activate"));
  expect_command(last_gravity);
  TAKEN(peer_set_bool(&peer, "clamp_effort", true));
  for (int i = 0; i < N; i++) tau[i] = fmin(fmax(last_gravity[i], -0.1), 0.1);
  TAKEN(peer_set_doubles(&peer, "effort_limits", 1, (const double[]){0.1}));
  expect_command(tau);
  deactivate();
  TAKEN(peer_set_doubles(&peer, "effort_limits", 0, NULL));
  assert_true(peer_change_state(&peer, "activate"));
  expect_command(last_gravity);
}

static void
test_slew(void ** state)
{
  (void)state;
  const double slew = 10, dt = 0.02;
  double before[N];
  int64_t stamp = peer_clock();
  peer_stamp(&peer, stamp);
  peer_publish(&peer);
  assert_true(peer_wait(&peer, &peer.commands->count, peer.commands->count + 1, PEER_TIMEOUT));
  TAKEN(peer_set_doubles(&peer, "slew_limit", 1, &slew));
  peer_set_state(&peer, STATES[1][0], STATES[1][1]);
  core_gravity(&core, STATES[1][0], last_gravity);
  for (int k = 0; k < 5; k++) {
    memcpy(before, peer.command, sizeof before);
    peer_stamp(&peer, stamp += (int64_t)(1e9 * dt));
    peer_publish(&peer);
    assert_true(peer_wait(&peer, &peer.commands->count, peer.commands->count + 1, PEER_TIMEOUT));
    for (int i = 0; i < N; i++) {
      const double change = last_gravity[i] - before[i];
      const double expected = before[i] + fmin(fmax(change, -slew * dt), slew * dt);
      assert_near(&peer.command[i], &expected, 1);
    }
  }
  assert_true(fabs(peer.command[1] - last_gravity[1]) > 1);
}

static void
test_payload(void ** state)
{
  (void)state;
  int frame;
  double g[N];
  assert_int_equal(mbd_find_frame(core.model, "flange", &frame), MBD_OK);
  const mbd_inertia_t load =
    mbdu_inertia_from_com(1.5, mbdu_vec3(0.02, -0.01, 0.1), (mbd_sym3_t){0});
  assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &load), MBD_OK);
  core_gravity(&core, STATES[0][0], g);
  TAKEN(peer_set_double(&peer, "payload.mass", 1.5));
  TAKEN(peer_set_doubles(&peer, "payload.com", 3, (const double[]){0.02, -0.01, 0.1}));
  expect_command(last_gravity);
  TAKEN(peer_set_string(&peer, "payload.frame", "flange"));
  expect_command(g);
  TAKEN(peer_set_string(&peer, "payload.frame", ""));
  expect_command(last_gravity);
}

//---------- refused ----------

// the reason names what is wrong; nothing changes
static void
refused(const char * reason, const char * name, const char * value, const char * part)
{
  if (!strstr(reason, part)) fail_msg("%s: '%s' instead of '%s'", name, reason, part);
  assert_string_equal(peer_get(&peer, name), value);
  expect_command(last_gravity);
}

static void
test_refused(void ** state)
{
  (void)state;
  const double three[3] = {1, 2, 3}, bad[3] = {0, NAN, 0};
  refused(peer_set_string(&peer, "mode", "levitate"), "mode", "gravity_compensation", "'passive'");
  refused(peer_set_string(&peer, "timeout", "5"), "timeout", "30", "must be a double");
  refused(peer_set_double(&peer, "timeout", -1), "timeout", "30", "between 0.001 and 60");
  refused(peer_set_double(&peer, "timeout", HUGE_VAL), "timeout", "30", "between");
  refused(peer_set_doubles(&peer, "kp", 3, three), "kp", "[100]", "kp has 3 values; expected one");
  refused(peer_set_doubles(&peer, "kp", 0, NULL), "kp", "[100]", "kp has 0 values");
  refused(peer_set_doubles(&peer, "gravity", 3, bad), "gravity", "[0, 0, -9.81]", "in element 1");
  refused(
    peer_set_doubles(&peer, "gravity", 2, three), "gravity", "[0, 0, -9.81]",
    "gravity has 2 values");
  refused(
    peer_set_string(&peer, "operational_frame", "elbow"), "operational_frame", "",
    "the robot has no link or frame 'elbow'");
  refused(
    peer_set_string(&peer, "payload.frame", "elbow"), "payload.frame", "", "no link or frame");
  refused(
    peer_set_strings(&peer, "command_terms", 1, (const char *[]){"magic"}), "command_terms",
    "[auto]", "'coriolis'");
  refused(peer_set_string(&peer, "no_such", "x"), "no_such", "", "no_such");
  refused(peer_set_integer(&peer, "good_inputs", 0), "good_inputs", "1", "between 1 and");
}

static void
test_read_only(void ** state)
{
  (void)state;
  static const struct {
    const char *name, *value, *other;
  } TEXTS[] = {
    {"robot_description_file", PEER_ROBOT, "/other.urdf"},
    {"base", "fixed", "floating"},
    {"world_frame", "", "map"},
    {"observer_frame", "", "tool"},
    {"reference", "local_world_aligned", "world"}};
  for (size_t k = 0; k < sizeof TEXTS / sizeof TEXTS[0]; k++) {
    refused(
      peer_set_string(&peer, TEXTS[k].name, TEXTS[k].other), TEXTS[k].name, TEXTS[k].value,
      "read-only");
  }
  refused(
    peer_set_strings(&peer, "command_joints", 1, (const char *[]){"joint1"}), "command_joints",
    "[]", "read-only");
  refused(peer_set_integer(&peer, "thread_priority", 5), "thread_priority", "0", "read-only");
  refused(peer_set_bool(&peer, "autostart", false), "autostart", "true", "read-only");
}

// a description is for times when nothing moves
static void
test_description(void ** state)
{
  (void)state;
  static const char * const bad = "<robot name=\"x\">\n  <link name=\"a\"/>\n  <joint/>\n</robot>";
  refused(
    peer_set_string(&peer, "robot_description", "<robot name=\"x\"/>"), "robot_description", "",
    "while the node is active");
  deactivate();
  const char * reason = peer_set_string(&peer, "robot_description", bad);
  if (!strstr(reason, "robot_description:3")) fail_msg("no line in '%s'", reason);
  assert_string_equal(peer_get(&peer, "robot_description"), "");
  assert_true(peer_change_state(&peer, "activate"));
  expect_command(last_gravity);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    TEST(test_gravity), TEST(test_terms),     TEST(test_damping),    TEST(test_mode_and_gains),
    TEST(test_passive), TEST(test_limits),    TEST(test_slew),       TEST(test_payload),
    TEST(test_refused), TEST(test_read_only), TEST(test_description)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
