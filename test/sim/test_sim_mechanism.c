// Mechanism files and chart integrators of the program: what they simulate, report and refuse.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim_peer.h"

#define FINGER "../../config/robots/finger"

static peer_t peer;
static char folder[] = "/tmp/mbdyn_sim_XXXXXX", file[64], parameter[96];

static const char *
mechanism_file(const char * text)
{
  FILE * out = fopen(file, "w");
  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
  return parameter;
}

static int
enter(void ** state)
{
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/a.mechanism.yaml", folder);
  snprintf(parameter, sizeof parameter, "mechanism_file:=%s", file);
  return 0;
}

static int
leave(void ** state)
{
  unlink(file);
  assert_int_equal(rmdir(folder), 0);
  return process_kill_all(state);
}

//---------- what it simulates ----------

// a driver turns joint1, whatever it is commanded; joint2 starts as the file says
static void
drivers_and_initial_state_count(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    mechanism_file("drivers:\n  - {name: motor, joint: joint1, value: 0.3, rate: 2}\n"
                   "initial: {joint2: 0.7}\n"),
    "integrator:=chart_rk4",
    "publish_clock:=true",
    "rate:=500.0",
    "limits:=false",
    NULL};
  robot_start(&peer, "double_pendulum", parameters);
  joint_sample_t s = next_state(&peer);
  assert_true(fabs(s.position[0] - 0.3) < 1e-12 && fabs(s.position[1] - 0.7) < 1e-12);
  const double tau[2] = {5, 0};
  send_array(&peer, tau, 2);
  s = state_with_effort(&peer, tau, 2);
  // from here on the driver's time is that of the stamps
  const double at = s.position[0], from = 1e-9 * (double)s.stamp;
  for (int i = 0; i < 200; i++) {
    s = next_state(&peer);
    assert_true(fabs(s.position[0] - at - 2 * (1e-9 * (double)s.stamp - from)) < 1e-9);
    assert_true(fabs(s.velocity[0] - 2) < 1e-9);
  }
  reset(&peer);
  const double zero[2] = {0, 0};
  s = state_with_effort(&peer, zero, 2);
  assert_true(fabs(s.position[0] - 0.3) < 1e-12 && fabs(s.position[1] - 0.7) < 1e-12);
}

// without brakes the initial velocity counts, and bearings take it away
static void
bearings_brake(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    mechanism_file("bearings: [{joint: joint1, mu_static: 0.5, mu_dynamic: 0.5, radius: 0.3},\n"
                   "           {joint: joint2, mu_static: 0.5, mu_dynamic: 0.5, radius: 0.3}]\n"
                   "initial: {joint1: {v: 3}}\n"),
    "integrator:=chart_sdirk54",
    "limits:=false",
    "friction:=false",
    "hold_until_command:=false",
    "publish_clock:=true",
    "real_time_factor:=2.0",
    "rate:=500.0",
    NULL};
  robot_start(&peer, "double_pendulum", parameters);
  next_state(&peer);
  reset(&peer);  // and not what was before we listened
  joint_sample_t s = next_state(&peer);
  const int64_t from = s.stamp;
  double farthest = 0;
  for (; s.stamp < from + INT64_C(3000000000); s = next_state(&peer)) {
    farthest = fmax(farthest, fabs(s.position[0]));
  }
  print_message("swings by %.2f rad, then %.1e rad/s\n", farthest, s.velocity[0]);
  assert_true(farthest > 0.2 && fabs(s.velocity[0]) < 0.01);
  assert_true(report_value(next_report(&peer), "bearing condition") >= 1);
}

//---------- what it reports ----------

// steps of 80 ms are too long for the finger's loop at 18 rad/s: halves, and not more than two of them
static void
a_budget_that_is_exceeded_is_reported(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    mechanism_file("closures:\n"
                   "  - name: rod_pin\n"
                   "    type: revolute\n"
                   "    a: {link: rod, xyz: [0.038078865529319536, 0, 0], axis: [0, 1, 0]}\n"
                   "    b: {link: distal, xyz: [0.004, 0, -0.005], axis: [0, 1, 0]}\n"
                   "independent: [knuckle]\n"
                   "initial: {knuckle: {q: 1, v: 18}}\n"),
    "integrator:=chart_trapezoidal",
    "limits:=false",
    "hold_until_command:=false",
    "rate:=12.5",
    "max_steps:=2",
    NULL};
  robot_start(&peer, FINGER, parameters);
  bool warned = false;
  double lost = 0, error = 0;
  for (int i = 0; i < 5 && !warned; i++) {
    const diagnostic_msgs__msg__DiagnosticStatus * report = next_report(&peer);
    warned = strstr(report->message.data, "max_steps") != NULL;
    if (warned) assert_int_equal(report->level, diagnostic_msgs__msg__DiagnosticStatus__WARN);
    lost = report_value(report, "time lost [s]");
    error = report_value(report, "closure error [m]");
    assert_true(report_value(report, "integration steps") > 0);
    assert_true(
      report_value(report, "failed steps") >= report_value(report, "steps beyond max_steps"));
  }
  assert_true(warned && lost > 0 && lost < 2);
  assert_true(error > 0 && error < 1e-12);
}

// balls of 0.05 m on the calves in place of the feet of <collision>: the quadruped stands higher
static void
contacts_of_the_file_carry_the_robot(void ** state)
{
  (void)state;
  static const double weight = 122.16393;
#define BALL(leg) "  - {at: {link: " leg "_calf, xyz: [0, 0, -0.2]}, sphere: 0.05}\n"
  const char * const parameters[] = {
    mechanism_file("contacts:\n" BALL("fl") BALL("fr") BALL("rl") BALL("rr")),
    "base:=floating",
    "ground:=true",
    "initial_positions:=[0.0, 0.8, -1.6, 0.0, 0.8, -1.6, 0.0, 0.8, -1.6, 0.0, 0.8, -1.6]",
    "publish_contacts:=[fl_calf]",
    NULL};
  robot_start(&peer, "../../config/robots/quadruped", parameters);
  const diagnostic_msgs__msg__DiagnosticStatus * report = next_report(&peer);
  for (int i = 0; i < 20 && report_value(report, "contact points") != 4; i++)
    report = next_report(&peer);
  assert_true(report_value(report, "contact points") == 4);
  const double force = report_value(report, "sum of normal forces [N]");
  assert_true(fabs(force - weight) < 1e-5 * weight);
  const double height = next_odometry(&peer)->pose.pose.position.z;
  assert_true(fabs(height - (0.2 * 2 * cos(0.8) + 0.05)) < 1e-5);
}

//---------- what it refuses ----------

static void
wrong_files_are_explained(void ** state)
{
  (void)state;
  static const struct {
    const char *text, *more, *words;
  } CASE[] = {
    {"forces: []\nsprings: []\n", NULL,
     "a.mechanism.yaml:2: file: key \"springs\" is unknown; known keys: closures, forces, "
     "independent"},
    {"bodies: [{name: bar, mass: 1}]\n", NULL, "a.mechanism.yaml:1: file: bodies is only for"},
    {"initial: {elbow: 1}\n", NULL, "initial 'elbow': there is no joint"},
    {"contacts:\n  - {at: base}\n", "ground:=true", "line 2: contacts: link 'base' does not move"},
    {"contacts: [{at: elbow}]\n", NULL, "at: there is no link 'elbow'"},
    {"closures: []\n", "loops_file:=x.yaml", "loops_file is given, too; put all of it into"},
    {"closures: []\n", "loops:='closures: []'", "loops is given, too; put all of it into"},
    {"bearings: [{joint: joint1, mu_static: 1, mu_dynamic: 1}]\n", NULL,
     "integrator semi_implicit does not simulate bearings; set integrator:=chart_sdirk54"},
    {"drivers: [{name: m, joint: joint1, rate: 1}]\n", "integrator:=rk4",
     "integrator rk4 does not simulate drivers"},
    {"drivers: [{name: m, joint: joint1, rate: 1}, {name: n, joint: joint2}]\n",
     "integrator:=chart_rk4", "drivers leave no motion"},
  };
  for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++) {
    const char * const parameters[] = {
      mechanism_file(CASE[i].text), "limits:=false", CASE[i].more, NULL};
    expect_refusal("double_pendulum", parameters, CASE[i].words);
  }
  unlink(file);
  const char * const none[] = {parameter, NULL};
  expect_refusal("double_pendulum", none, "a.mechanism.yaml: No such file");
}

static void
charts_say_what_they_do_not_do(void ** state)
{
  (void)state;
  const char * const flexible[] = {
    "integrator:=chart_rk4", "limits:=false",
    "flexible_file:=" MBDYN_SOURCE_DIR "/config/robots/boom.flexible.yaml", NULL};
  expect_refusal(
    "../../config/robots/boom", flexible, "flexible_file: not supported by integrator");
  const char * const steps[] = {
    "integrator:=chart_rk4", "limits:=false", "substeps:=8", "max_steps:=2", NULL};
  expect_refusal("mimic_gripper", steps, "max_steps: must not be less than substeps, 8");
}

static void
integrators_are_chosen_at_the_start(void ** state)
{
  (void)state;
  const char * const parameters[] = {"integrator:=chart_rk4", NULL};
  robot_start(&peer, "mimic_gripper", parameters);
  next_state(&peer);
  assert_non_null(strstr(set_text(&peer, "integrator", "rk4"), "restart with integrator:=rk4"));
  assert_non_null(strstr(set_text(&peer, "integrator", "chart_hht"), "cannot change to chart_hht"));
  assert_non_null(strstr(set_text(&peer, "integrator", "euler"), "chart_sdirk54"));
  assert_string_equal(set_text(&peer, "integrator", "chart_rk4"), "");
  assert_int_equal(robot_end(&peer, SIGINT), 0);
  drain_states(&peer);
  robot_start(&peer, "mimic_gripper", NULL);
  next_state(&peer);
  assert_string_equal(set_text(&peer, "integrator", "rk4"), "");
  assert_non_null(strstr(set_text(&peer, "integrator", "chart_rk4"), "restart with"));
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    PEER_TEST(drivers_and_initial_state_count),
    PEER_TEST(bearings_brake),
    PEER_TEST(a_budget_that_is_exceeded_is_reported),
    PEER_TEST(contacts_of_the_file_carry_the_robot),
    PEER_TEST(wrong_files_are_explained),
    PEER_TEST(charts_say_what_they_do_not_do),
    PEER_TEST(integrators_are_chosen_at_the_start),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
