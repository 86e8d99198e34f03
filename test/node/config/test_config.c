// Each parameter file that we ship, on a simulated robot: the node takes it, becomes active, and
// commands the robot unless it is passive.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "process.h"

enum { END_MS = 10000 };

static char output[65536];

#define MBDYN(...) \
  process_run((const char * const[]){MBDYN_CLI, __VA_ARGS__, NULL}, output, sizeof output)

static void
says(const char * text)
{
  if (strstr(output, text) == NULL) fail_msg("no '%s' in:\n%s", text, output);
}

static void
check_file(const char * name, const char * mode)
{
  static process_t node, robot;
  char file[256], line[64];
  snprintf(file, sizeof file, "%s/%s.yaml", CONFIG, name);
  const char * const node_argv[] = {
    MBDYN_NODE, "--ros-args", "--params-file", file, "-r", "~/command:=robot/commands", NULL};
  const char * const robot_argv[] = {
    MBDYN_SIM, "--ros-args", "-p", "robot_description_file:=" CONFIG "/robots/arm7.urdf", NULL};
  process_start(&node, node_argv);
  process_start(&robot, robot_argv);
  assert_int_equal(MBDYN("topic", "echo", "--once", "--wait", "30", "/mbdyn/dynamics"), 0);
  snprintf(line, sizeof line, "mode: %s\n", mode);
  says(line);
  if (strcmp(mode, "passive") != 0) {
    assert_int_equal(MBDYN("topic", "echo", "--once", "--wait", "30", "/robot/commands"), 0);
    says("data:");
  }
  assert_int_equal(process_end(&node, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&robot, SIGTERM, END_MS), 0);
}

static void
gravity_compensation(void ** state)
{
  (void)state;
  check_file("gravity_compensation", "gravity_compensation");
}

static void
inverse_dynamics(void ** state)
{
  (void)state;
  check_file("inverse_dynamics", "inverse_dynamics");
}

static void
computed_torque(void ** state)
{
  (void)state;
  check_file("computed_torque", "computed_torque");
}

static void
operational_space(void ** state)
{
  (void)state;
  check_file("operational_space", "operational_space");
}

static void
quasi_velocity_damping(void ** state)
{
  (void)state;
  check_file("quasi_velocity_damping", "quasi_velocity_damping");
}

static void
joint_impedance(void ** state)
{
  (void)state;
  check_file("joint_impedance", "joint_impedance");
}

static void
cartesian_impedance(void ** state)
{
  (void)state;
  check_file("cartesian_impedance", "cartesian_impedance");
}

static void
passive(void ** state)
{
  (void)state;
  check_file("passive", "passive");
}

static void
ros2_control(void ** state)
{
  (void)state;
  check_file("ros2_control", "gravity_compensation");
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(gravity_compensation, process_kill_all),
    cmocka_unit_test_teardown(inverse_dynamics, process_kill_all),
    cmocka_unit_test_teardown(quasi_velocity_damping, process_kill_all),
    cmocka_unit_test_teardown(computed_torque, process_kill_all),
    cmocka_unit_test_teardown(operational_space, process_kill_all),
    cmocka_unit_test_teardown(joint_impedance, process_kill_all),
    cmocka_unit_test_teardown(cartesian_impedance, process_kill_all),
    cmocka_unit_test_teardown(passive, process_kill_all),
    cmocka_unit_test_teardown(ros2_control, process_kill_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
