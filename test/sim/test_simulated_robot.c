// mbdyn/simulated_robot.h: the robot by index, which is the plant with brakes, drives and sensors.
#include "mbdyn/simulated_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#ifdef HEAP_COUNT
#include "heap_count.h"
#else
// sanitizers bring an allocator of their own
static volatile int armed, touched;
#endif

static const char HINGE[] =
  "<robot name='hinge'><link name='base'/><link name='bob'><inertial><origin xyz='0 0 -0.5'/>"
  "<mass value='2'/><inertia ixx='0.2' iyy='0.2' izz='0.1' ixy='0' ixz='0' "
  "iyz='0'/></inertial></link>"
  "<joint name='hinge' type='revolute'><parent link='base'/><child link='bob'/><axis xyz='0 1 0'/>"
  "<limit lower='-3' upper='3' effort='30' velocity='10'/></joint></robot>";

// about the joint: 0.2 + 2 0.5^2
static const double INERTIA = 0.7, WEIGHT = 2 * 9.81 * 0.5;

typedef const char * const names_t[];

static void
assert_within(double x, double y, double tolerance)
{
  if (fabs(x - y) <= tolerance) return;
  print_error("%.12g is not within %g of %.12g\n", x, tolerance, y);
  fail();
}

static mbds_robot_t *
robot_of(const char * urdf, int n, const char * const * name, const char * const * value)
{
  mbds_robot_t * robot;
  char reason[512] = "";
  const mbd_status_t status =
    mbds_create(urdf, strlen(urdf), n, name, value, &robot, reason, sizeof reason);
  if (status != MBD_OK) print_error("%s\n", reason);
  assert_ok(status);
  return robot;
}

static void
run(mbds_robot_t * robot, mbds_drive_t drive, double value, double seconds)
{
  mbds_command_t command[64];
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < mbds_joint_count(robot); i++) command[i] = (mbds_command_t){drive, value};
  armed = 1;
  for (int k = 0; k < (int)round(1e3 * seconds) && status == MBD_OK; k++)
    status = mbds_step(robot, command, 1e-3);
  armed = 0;
  assert_ok(status);
  assert_int_equal(touched, 0);
}

//---------- tests ----------

static void
brakes_hold_until_the_first_command(void ** state)
{
  (void)state;
  names_t name = {"initial_positions"}, value = {"[0.5]"};
  mbds_robot_t * robot = robot_of(HINGE, 1, name, value);
  double q, v, tau;
  run(robot, MBDS_OFF, 0, 0.1);
  run(robot, MBDS_EFFORT, NAN, 0.1);
  mbds_measure(robot, &q, &v, &tau, NULL);
  assert_true(q == 0.5 && v == 0 && tau == 0);
  assert_true(mbds_get_status(robot).braked);
  assert_int_equal(mbds_get_status(robot).not_finite, 100);
  // no torque is a command, too: the pendulum starts with its weight over its inertia
  run(robot, MBDS_EFFORT, 0, 0.001);
  mbds_measure(robot, NULL, &v, NULL, NULL);
  assert_within(v, -1e-3 * WEIGHT * sin(0.5) / INERTIA, 1e-9);
  assert_false(mbds_get_status(robot).braked);
  assert_ok(mbds_reset(robot));
  mbds_measure(robot, &q, NULL, NULL, NULL);
  assert_true(q == 0.5 && mbds_get_status(robot).braked);
  mbds_destroy(robot);
}

// energy of a pendulum without friction, and what is not finite keeps the torque
static void
efforts_are_those_of_the_motors(void ** state)
{
  (void)state;
  mbds_robot_t * robot = robot_of(HINGE, 0, NULL, NULL);
  double q, tau;
  run(robot, MBDS_EFFORT, WEIGHT, 0.4);
  run(robot, MBDS_EFFORT, NAN, 0.001);
  mbds_measure(robot, &q, NULL, &tau, NULL);
  assert_true(tau == WEIGHT);
  const mbds_status_t s = mbds_get_status(robot);
  mbds_robot_t * still = robot_of(HINGE, 0, NULL, NULL);
  const double bottom = mbds_get_status(still).potential;
  // work of the motor; semi-implicit steps of 1 ms
  assert_within(s.kinetic + s.potential - bottom, WEIGHT * q, 0.02);
  // beyond the limit of the URDF
  run(robot, MBDS_EFFORT, 1000, 0.001);
  mbds_measure(robot, NULL, NULL, &tau, NULL);
  assert_true(tau == 30);
  mbds_destroy(still);
  mbds_destroy(robot);
}

static void
drives_follow_positions_and_velocities(void ** state)
{
  (void)state;
  mbds_robot_t * robot = robot_of(HINGE, 0, NULL, NULL);
  double q, v;
  run(robot, MBDS_POSITION, 0.4, 1);
  mbds_measure(robot, &q, &v, NULL, NULL);
  assert_within(q, 0.4, 1e-9);
  assert_within(v, 0, 1e-9);
  run(robot, MBDS_VELOCITY, 0.5, 1);
  mbds_measure(robot, &q, &v, NULL, NULL);
  assert_within(v, 0.5, 1e-3);
  // a mode that has no number yet
  run(robot, MBDS_POSITION, NAN, 0.001);
  mbds_measure(robot, NULL, NULL, &v, NULL);
  assert_true(v == 0);
  mbds_destroy(robot);
}

static char *
bundled(const char * path)
{
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  char * text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_in_range(fread(text, 1, (1 << 20) - 1, file), 100, (1 << 20) - 2);
  fclose(file);
  return text;
}

// a loop: independent joints are driven, dependent ones follow
static void
drives_of_a_loop(void ** state)
{
  (void)state;
  char * urdf = bundled(CONFIG "/robots/finger.urdf");
  names_t name = {"loops_file"}, value = {CONFIG "/robots/finger.loops.yaml"};
  mbds_robot_t * robot = robot_of(urdf, 1, name, value);
  mbds_command_t command[16] = {0};
  double before[16], after[16];
  const int n = mbds_joint_count(robot);
  assert_in_range(n, 2, 16);
  mbds_measure(robot, before, NULL, NULL, NULL);
  for (int i = 0; i < n; i++) command[i] = (mbds_command_t){MBDS_POSITION, before[i] + 0.1};
  mbd_status_t status = MBD_OK;
  armed = 1;
  for (int k = 0; k < 2000 && status == MBD_OK; k++) {
    status = mbds_step(robot, command, 1e-3);
    mbds_measure(robot, after, NULL, NULL, NULL);
  }
  armed = 0;
  assert_ok(status);
  assert_int_equal(touched, 0);
  int followed = 0, moved = 0;
  for (int i = 0; i < n; i++) followed += fabs(after[i] - before[i] - 0.1) < 1e-3;
  for (int i = 0; i < n; i++) moved += fabs(after[i] - before[i]) > 1e-3;
  assert_true(followed >= 1);
  assert_int_equal(moved, n);
  mbds_destroy(robot);
  free(urdf);
}

static void
measurements_are_late_noisy_and_pushed(void ** state)
{
  (void)state;
  names_t name = {"delay", "noise.velocity", "seed"}, value = {"0.01", "0.1", "7"};
  mbds_robot_t * robot = robot_of(HINGE, 3, name, value);
  const double wrench[6] = {1, 0, 0, 0, 0, 0}, bad[6] = {NAN, 0, 0, 0, 0, 0};
  double q, v;
  assert_int_equal(mbds_push(robot, "nobody", wrench, 1), MBD_ERROR_NOT_FOUND);
  assert_int_equal(mbds_push(robot, "bob", bad, 1), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbds_push(robot, "bob", wrench, -1), MBD_ERROR_BAD_ARGUMENT);
  run(robot, MBDS_EFFORT, 1, 0.01);
  mbds_measure(robot, &q, &v, NULL, NULL);
  assert_true(q == 0);
  run(robot, MBDS_EFFORT, 1, 0.02);
  mbds_measure(robot, &q, &v, NULL, NULL);
  // as it was 0.01 s ago: half tau t^2 over the inertia
  assert_within(q, 0.5 * 0.02 * 0.02 / INERTIA, 3e-5);
  assert_true(fabs(v - 0.02 / INERTIA) > 1e-6);
  mbds_destroy(robot);
}

static void
errors_say_which_parameter(void ** state)
{
  (void)state;
  static const struct {
    const char *name, *value, *reason;
    mbd_status_t status;
  } wrong[] = {
    {"nois.position", "1", "did you mean", MBD_ERROR_NOT_FOUND},
    {"noise.position", "much", "noise.position", MBD_ERROR_BAD_ARGUMENT},
    {"noise.position", "-1", "noise.position", MBD_ERROR_BAD_ARGUMENT},
    {"publish_clock", "true", "mbdyn_sim alone", MBD_ERROR_NOT_FOUND},
    {"payload.frame", "nobody", "nobody", MBD_ERROR_BAD_ARGUMENT},
    {"initial_positions", "[9]", "limits", MBD_ERROR_BAD_ARGUMENT},
  };
  mbds_robot_t * robot;
  char reason[512];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const mbd_status_t status = mbds_create(
      HINGE, sizeof HINGE - 1, 1, &wrong[i].name, &wrong[i].value, &robot, reason, sizeof reason);
    assert_int_equal(status, wrong[i].status);
    assert_null(robot);
    assert_non_null(strstr(reason, wrong[i].reason));
  }
  assert_int_equal(
    mbds_create("<robot", 6, 0, NULL, NULL, &robot, reason, sizeof reason), MBD_ERROR_BAD_ARGUMENT);
  robot = robot_of(HINGE, 0, NULL, NULL);
  const mbds_command_t none = {MBDS_OFF, 0};
  assert_int_equal(mbds_step(robot, &none, -1), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbds_step(robot, &none, NAN), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbds_step(robot, NULL, 1), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbds_joint_find(robot, "hinge"), 0);
  assert_int_equal(mbds_joint_find(robot, "bob"), -1);
  assert_null(mbds_joint_name(robot, 1));
  assert_false(mbds_floating(robot));
  const char * name;
  size_t n = 0;
  while (mbds_parameter_at(n, &name, NULL, NULL)) assert_non_null(strchr(name, *name)), n++;
  assert_in_range(n, 30, 60);
  mbds_destroy(robot);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(brakes_hold_until_the_first_command),
    cmocka_unit_test(efforts_are_those_of_the_motors),
    cmocka_unit_test(drives_follow_positions_and_velocities),
    cmocka_unit_test(drives_of_a_loop),
    cmocka_unit_test(measurements_are_late_noisy_and_pushed),
    cmocka_unit_test(errors_say_which_parameter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
