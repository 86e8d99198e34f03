// The program's parameters, sensors, reports and command line.
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pendulum.h"

static peer_t peer;

//---------- sensors ----------

// the robot stands still: what is measured is noise
static void
noise_has_its_deviation(void ** state)
{
  (void)state;
  enum { COUNT = 1000 };
  const char * const parameters[] = {"noise.position:=0.01", "noise.effort:=3.0", NULL};
  robot_start(&peer, PENDULUM, parameters);
  double sum = 0, square = 0, effort = 0;
  for (int i = 0; i < COUNT; i++) {
    const joint_sample_t s = next_state(&peer);
    sum += s.position[0];
    square += s.position[0] * s.position[0];
    effort += s.effort[1] * s.effort[1];
    assert_true(s.velocity[0] == 0 && s.velocity[1] == 0);
  }
  // within five standard errors
  assert_true(fabs(sum / COUNT) < 5 * 0.01 / sqrt(COUNT));
  assert_true(fabs(square / COUNT / 1e-4 - 1) < 5 * sqrt(2.0 / COUNT));
  assert_true(fabs(effort / COUNT / 9 - 1) < 5 * sqrt(2.0 / COUNT));
  // at run time
  const double none = 0;
  assert_string_equal(set_parameter(&peer, "noise.position", &none, 1), "");
  for (int quiet = 0; quiet < 50;) quiet = next_state(&peer).position[0] == 0 ? quiet + 1 : 0;
}

typedef struct record {
  int64_t stamp;
  double position;
} record_t;

static void
record(const char * seed, record_t * to, int n)
{
  const char * const parameters[] = {"noise.position:=0.01", "dropout:=0.2", "publish_clock:=true",
                                     "rate:=200.0",          seed,           NULL};
  robot_start(&peer, PENDULUM, parameters);
  for (int i = 0; i < n; i++) {
    const joint_sample_t s = next_state(&peer);
    to[i] = (record_t){s.stamp, s.position[1]};
  }
  assert_int_equal(robot_end(&peer, SIGINT), 0);
  // what is still on its way
  drain_states(&peer);
}

// joint states of the same time in both, and how many of them are equal
static void
compare(const record_t * a, const record_t * b, int n, int * common, int * same)
{
  *common = *same = 0;
  for (int i = 0, k = 0; i < n && k < n;) {
    if (a[i].stamp == b[k].stamp) {
      (*common)++;
      *same += a[i].position == b[k].position;
    }
    if (a[i].stamp <= b[k].stamp)
      i++;
    else
      k++;
  }
}

// the same seed, the same noise at the same time of the simulation; and about a fifth is missing
static void
seed_makes_the_noise(void ** state)
{
  (void)state;
  enum { COUNT = 500 };
  static record_t one[COUNT], two[COUNT], three[COUNT];
  record("seed:=5", one, COUNT);
  record("seed:=5", two, COUNT);
  record("seed:=6", three, COUNT);
  int common, same;
  compare(one, two, COUNT, &common, &same);
  assert_true(common > COUNT / 3);
  assert_int_equal(same, common);
  compare(one, three, COUNT, &common, &same);
  assert_true(common > COUNT / 4);
  assert_int_equal(same, 0);
  const double steps = (double)(one[COUNT - 1].stamp - one[0].stamp) / 5e6;
  const double lost = 1 - (COUNT - 1) / steps;
  assert_true(lost > 0.12 && lost < 0.35);
}

// joint states do not come before their delay is over; set at run time
static void
delay_holds_back(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  const double delay = 0.4;
  next_state(&peer);
  assert_string_equal(set_parameter(&peer, "delay", &delay, 1), "");
  int64_t last = 0, age = 0;
  for (int late = 0, tries = 0; late < 100; tries++) {
    assert_true(tries < 10000);
    const joint_sample_t s = next_state(&peer);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    age = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - s.stamp;
    late = age >= 400000000 ? late + 1 : 0;
    assert_true(s.stamp > last);
    last = s.stamp;
  }
}

//---------- parameters ----------

static void
parameters_are_checked(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  const double two[2] = {0, 0}, slow = 1e-5, high = 2, fast = 500;
  assert_non_null(strstr(set_parameter(&peer, "gravity", two, 2), "three values"));
  assert_non_null(strstr(set_parameter(&peer, "real_time_factor", &slow, 1), "0.001"));
  assert_non_null(strstr(set_parameter(&peer, "dropout", &high, 1), "between"));
  assert_non_null(strstr(set_parameter(&peer, "rate", &fast, 1), "read-only"));
  const double five[5] = {0};
  assert_non_null(strstr(set_parameter(&peer, "initial_positions", five, 5), "5 values"));
  assert_string_equal(set_parameter(&peer, "initial_positions", two, 2), "");
}

// gravity, a load at the tip, initial positions and friction's absence, at run time
static void
parameters_take_effect(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "payload.frame:=tip", "initial_positions:=[1.0, 0.5]", "publish_clock:=true", NULL};
  robot_start(&peer, PENDULUM, parameters);
  const double tau[2] = {0.5, 0.25}, mass = 1.5, start[2] = {-1, 2}, zero[2] = {0, 0};
  assert_string_equal(set_parameter(&peer, "payload.mass", &mass, 1), "");
  skip_states(&peer, 50);
  send_array(&peer, tau, 2);
  state_with_effort(&peer, tau, 2);
  expect_motion(&peer, 100, 1.5);
  assert_string_equal(set_parameter(&peer, "initial_positions", start, 2), "");
  reset(&peer);
  const joint_sample_t s = state_with_effort(&peer, zero, 2);
  assert_memory_equal(s.position, start, sizeof start);
}

static void
wrong_parameters_end_it(void ** state)
{
  (void)state;
  const char * const wrong[][2] = {
    {"initial_positions:=[1.0]", NULL},
    {"initial_joints:=[elbow]", "initial_positions:=[1.0]"},
    {"command_joints:=[joint1, elbow]", NULL},
    {"command_joints:=[joint1, joint1]", NULL},
    {"payload.frame:=elbow", NULL},
    {"base:=flying", NULL},
    {"rate:=0.0", NULL},
    {"robot_description:=<robot>", NULL},
    {"base:=floating", NULL}};  // the base has no mass
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const char * const parameters[3] = {wrong[i][0], wrong[i][1], NULL};
    robot_start(&peer, PENDULUM, parameters);
    assert_int_equal(robot_end(&peer, 0), 1);
  }
  const char * const limits[] = {"initial_joints:=[wrist]", "initial_positions:=[3.5]", NULL};
  robot_start(&peer, "mimic_gripper", limits);
  assert_int_equal(robot_end(&peer, 0), 1);
  const char * const mimic[] = {"initial_joints:=[finger_right]", "initial_positions:=[0.0]", NULL};
  robot_start(&peer, "mimic_gripper", mimic);
  assert_int_equal(robot_end(&peer, 0), 1);
}

// a FIFO has no end that it could wait for
static void
files_must_be_regular(void ** state)
{
  (void)state;
  char folder[] = "/tmp/mbdyn_sim_XXXXXX", fifo[64], parameter[128];
  assert_non_null(mkdtemp(folder));
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  assert_int_equal(mkfifo(fifo, 0600), 0);
  const char * const names[] = {"robot_description_file", "loops_file", "flexible_file"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(parameter, sizeof parameter, "%s:=%s", names[i], fifo);
    const char * const parameters[] = {parameter, NULL};
    robot_start(&peer, PENDULUM, parameters);
    assert_int_equal(robot_end(&peer, 0), 1);
  }
  assert_int_equal(unlink(fifo), 0);
  assert_int_equal(rmdir(folder), 0);
}

//---------- time ----------

static void
clock_follows_the_simulation(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "publish_clock:=true", "rate:=100.0", "real_time_factor:=0.5", NULL};
  robot_start(&peer, PENDULUM, parameters);
  int64_t last = 0;
  for (int i = 0; i < 20; i++) {
    const int64_t now = next_clock(&peer);
    assert_int_equal(now % 10000000, 0);
    assert_true(now > last);
    last = now;
  }
}

// half as fast, then as fast as it goes: what the report says, loosely
static void
real_time_factor_is_kept(void ** state)
{
  (void)state;
  const char * const parameters[] = {"real_time_factor:=0.5", "rate:=200.0", NULL};
  robot_start(&peer, PENDULUM, parameters);
  next_report(&peer);
  assert_true(report_value(next_report(&peer), "real-time factor") < 0.6);
  const double free_running = 0;
  assert_string_equal(set_parameter(&peer, "real_time_factor", &free_running, 1), "");
  for (int i = 0; report_value(next_report(&peer), "real-time factor") < 1; i++) assert_true(i < 9);
}

//---------- reports ----------

static void
report_has_everything(void ** state)
{
  (void)state;
  const char * const parameters[] = {"initial_positions:=[1.0, -0.5]", NULL};
  robot_start(&peer, PENDULUM, parameters);
  const diagnostic_msgs__msg__DiagnosticStatus * report = next_report(&peer);
  // a busy machine comes first in the message
  for (int i = 0; i < 9 && strstr(report->message.data, "slower than"); i++) {
    report = next_report(&peer);
  }
  assert_string_equal(report->name.data, "robot: simulation");
  assert_string_equal(report->hardware_id.data, PENDULUM);
  assert_non_null(strstr(report->message.data, "brakes"));
  assert_true(report_value(report, "simulation time [s]") > 0);
  assert_true(report_value(report, "real-time factor") > 0);
  const double p50 = report_value(report, "step time p50 [us]");
  assert_true(p50 > 0 && p50 <= report_value(report, "step time p99 [us]"));
  assert_true(report_value(report, "overruns") >= 0);
  assert_true(report_value(report, "commands taken") == 0);
  assert_true(report_value(report, "published") > 0);
  assert_true(report_value(report, "kinetic energy [J]") == 0);
  // - 9.81 (2 cos q1 + 0.5 cos(q1 + q2))
  const double potential = report_value(report, "potential energy [J]");
  const double expected = -9.81 * (2 * cos(1) + 0.5 * cos(0.5));
  assert_close(&potential, &expected, 1, 1e-8, "potential energy");
  const double tau[2] = {0, 0};
  send_array(&peer, tau, 2);
  do report = next_report(&peer);
  while (report_value(report, "commands taken") < 1);
  assert_string_equal(report->message.data, "running");
  assert_int_equal(report->level, diagnostic_msgs__msg__DiagnosticStatus__OK);
}

static void
description_is_latched(void ** state)
{
  (void)state;
  robot_start(&peer, PENDULUM, NULL);
  next_state(&peer);
  char * text = next_description(&peer);
  FILE * file = fopen(MBDYN_SOURCE_DIR "/test/data/" PENDULUM ".urdf", "rb");
  assert_non_null(file);
  static char original[65536];
  const size_t size = fread(original, 1, sizeof original - 1, file);
  fclose(file);
  original[size] = 0;
  assert_string_equal(text, original);
  free(text);
}

//---------- command line ----------

// everything it prints
static int
run_with(const char * argument, char * text, size_t size)
{
  const char * const argv[] = {SIM_PROGRAM, argument, NULL};
  char line[1024];
  *text = 0;
  process_start(&peer.robot, argv);
  while (process_line(&peer.robot, line, sizeof line, 20000)) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s\n", line);
  }
  return robot_end(&peer, 0);
}

static void
help_and_description_are_printed(void ** state)
{
  (void)state;
  static char text[65536];
  assert_int_equal(run_with("--help", text, sizeof text), 0);
  assert_non_null(strstr(text, "usage: mbdyn_sim"));
  assert_int_equal(run_with("--describe", text, sizeof text), 0);
  const char * const words[] = {
    "`~/commands`",     "`joint_states`",     "`/clock`",
    "`~/push`",         "`~/reset`",          "`robot_description`",
    "`noise.position`", "`real_time_factor`", "| `rate` | double | `1000.0` |"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strstr(text, words[i]) == NULL) fail_msg("no %s in the description", words[i]);
  }
  assert_int_equal(run_with("--nonsense", text, sizeof text), 2);
  assert_int_equal(run_with("--ros-args", text, sizeof text), 1);  // no robot
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    PEER_TEST(noise_has_its_deviation),  PEER_TEST(seed_makes_the_noise),
    PEER_TEST(delay_holds_back),         PEER_TEST(parameters_are_checked),
    PEER_TEST(parameters_take_effect),   PEER_TEST(wrong_parameters_end_it),
    PEER_TEST(files_must_be_regular),    PEER_TEST(clock_follows_the_simulation),
    PEER_TEST(real_time_factor_is_kept), PEER_TEST(report_has_everything),
    PEER_TEST(description_is_latched),   PEER_TEST(help_and_description_are_printed),
  };
  return cmocka_run_group_tests(tests, NULL, process_kill_all);
}
