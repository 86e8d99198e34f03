// mbdyn/control.h closed with mbdyn/simulated_robot.h, by index: what the plug-ins of ros2_control do in a cycle.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/control.h"
#include "mbdyn/simulated_robot.h"
#ifdef HEAP_COUNT
#include "heap_count.h"
#else
// sanitizers bring an allocator of their own
static volatile int armed, touched;
#endif

enum { JOINTS = 7 };
static const double START[JOINTS] = {0, 0.5, 0, -1, 0, 1.5, 0};

typedef struct rig {
  mbds_robot_t * robot;
  mbdc_controller_t * controller;
  int joint[JOINTS];  // of the robot, for each of the controller
  double q[JOINTS], v[JOINTS], tau[JOINTS], effort[JOINTS], reference[JOINTS];
  int64_t time;
} rig_t;

static rig_t
rig_of(const char * mode)
{
  rig_t r = {0};
  char reason[512] = "";
  char * urdf = calloc(1, 1 << 20);
  FILE * file = fopen(CONFIG "/robots/arm7.urdf", "rb");
  assert_non_null(file);
  assert_non_null(urdf);
  const size_t length = fread(urdf, 1, (1 << 20) - 1, file);
  fclose(file);
  const char *name = "initial_positions", *value = "[0.0, 0.5, 0.0, -1.0, 0.0, 1.5, 0.0]";
  mbdc_settings_t * settings = mbdc_settings_create();
  assert_ok(mbdc_set(settings, "mode", mode, reason, sizeof reason));
  assert_ok(mbdc_set(settings, "damping", "[0.5]", reason, sizeof reason));
  assert_ok(mbdc_set(settings, "on_deactivate", "gravity", reason, sizeof reason));
  assert_ok(mbds_create(urdf, length, 1, &name, &value, &r.robot, reason, sizeof reason));
  assert_ok(
    mbdc_create_from_urdf(urdf, length, NULL, settings, &r.controller, reason, sizeof reason));
  mbdc_settings_destroy(settings);
  free(urdf);
  assert_int_equal(mbdc_joint_count(r.controller), JOINTS);
  assert_int_equal(mbds_joint_count(r.robot), JOINTS);
  for (int i = 0; i < JOINTS; i++) {
    r.joint[i] = mbds_joint_find(r.robot, mbdc_joint_name(r.controller, i));
    assert_in_range(r.joint[i], 0, JOINTS - 1);
    r.reference[i] = NAN;
  }
  return r;
}

static void
end_rig(rig_t * r)
{
  mbds_destroy(r->robot);
  mbdc_destroy(r->controller);
}

// read, update, write
static mbd_status_t
cycle(rig_t * r)
{
  double q[JOINTS], v[JOINTS], tau[JOINTS];
  mbds_command_t command[JOINTS];
  mbds_measure(r->robot, q, v, tau, NULL);
  for (int i = 0; i < JOINTS; i++) {
    r->q[i] = q[r->joint[i]];
    r->v[i] = v[r->joint[i]];
    r->tau[i] = tau[r->joint[i]];
  }
  const mbdc_input_t input = {
    .time = r->time,
    .period = 1000000,
    .position = r->q,
    .velocity = r->v,
    .effort = r->tau,
    .effort_reference = r->reference};
  mbdc_update(r->controller, &input, r->effort);
  for (int i = 0; i < JOINTS; i++)
    command[r->joint[i]] = (mbds_command_t){MBDS_EFFORT, r->effort[i]};
  r->time += 1000000;
  return mbds_step(r->robot, command, 1e-3);
}

static void
run(rig_t * r, int cycles)
{
  mbd_status_t status = MBD_OK;
  armed = 1;
  for (int k = 0; k < cycles && status == MBD_OK; k++) status = cycle(r);
  armed = 0;
  assert_ok(status);
  assert_int_equal(touched, 0);
}

static void
arm_floats(void ** state)
{
  (void)state;
  rig_t r = rig_of("gravity_compensation");
  mbdc_activate(r.controller);
  run(&r, 2000);
  for (int i = 0; i < JOINTS; i++) assert_true(fabs(r.q[i] - START[i]) < 0.02);
  // at rest there, and the torque is that of the weight
  double gravity[JOINTS];
  assert_ok(mbdc_read(r.controller, MBDC_GRAVITY, gravity));
  for (int i = 0; i < JOINTS; i++) assert_true(fabs(r.effort[i] - gravity[i]) < 0.05);
  assert_true(fabs(gravity[1]) > 1);
  end_rig(&r);
}

// effort in: effort and gravity out; NaN: gravity alone, and nothing that is not finite ever
static void
efforts_of_a_chain_are_added(void ** state)
{
  (void)state;
  rig_t r = rig_of("gravity_compensation");
  double gravity[JOINTS], damping;
  mbdc_activate(r.controller);
  run(&r, 100);
  r.reference[3] = 2;
  run(&r, 1);
  assert_ok(mbdc_read(r.controller, MBDC_GRAVITY, gravity));
  damping = 0.5 * fabs(r.v[3]);
  assert_true(fabs(r.effort[3] - gravity[3] - 2) < 0.1 + damping);
  r.reference[3] = NAN;
  run(&r, 1000);
  for (int i = 0; i < JOINTS; i++) assert_true(isfinite(r.effort[i]));
  assert_ok(mbdc_read(r.controller, MBDC_GRAVITY, gravity));
  assert_true(fabs(r.effort[3] - gravity[3]) < 0.1 + 0.5 * fabs(r.v[3]));
  // a state that is not finite: as before
  const double before = r.effort[1], nothing[JOINTS] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const mbdc_input_t bad = {.time = r.time, .period = 1000000, .position = nothing};
  assert_int_equal(mbdc_update(r.controller, &bad, r.effort), MBDC_REFUSED);
  assert_true(r.effort[1] == before);
  // and last of all gravity, as asked for
  mbdc_deactivate(r.controller, r.effort);
  for (int i = 0; i < JOINTS; i++) assert_true(fabs(r.effort[i] - gravity[i]) < 1e-9);
  end_rig(&r);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arm_floats),
    cmocka_unit_test(efforts_of_a_chain_are_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
