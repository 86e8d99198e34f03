// Joint impedance: pushed, the arm gives way by torque over stiffness, and comes back when it is let go.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/control.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/simulated_robot.h"

enum { JOINTS = 64 };

static char urdf[1 << 20];

int
main(int argc, char ** argv)
{
  char reason[512] = "";
  FILE * file = argc == 3 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: %s ROBOT.urdf FRAME   (which is pushed down with 10 N)\n", argv[0]);
    return 2;
  }
  const size_t length = fread(urdf, 1, sizeof urdf, file);
  fclose(file);
  mbds_robot_t * robot = NULL;
  mbdc_controller_t * controller = NULL;
  mbdc_settings_t * settings = mbdc_settings_create();
  if (
    !settings || mbds_create(urdf, length, 0, NULL, NULL, &robot, reason, sizeof reason) ||
    mbdc_set(settings, "mode", "joint_impedance", reason, sizeof reason) ||
    mbdc_set(settings, "joint_stiffness", "[200.0]", reason, sizeof reason) ||
    mbdc_create_from_urdf(urdf, length, argv[1], settings, &controller, reason, sizeof reason)) {
    fprintf(stderr, "%s\n", reason);
    return 1;
  }
  const int n = mbdc_joint_count(controller);
  if (n > JOINTS) return 1;
  double q[JOINTS], v[JOINTS], effort[JOINTS], rest[JOINTS] = {0}, torque[JOINTS];
  mbds_command_t command[JOINTS];
  const double push[6] = {0, 0, -10, 0, 0, 0};
  mbd_wrench_t wrench = {.reference = MBD_LOCAL_WORLD_ALIGNED, .f.lin.z = -10};
  const mbd_wrenches_t wrenches = {1, &wrench};
  if (mbd_find_frame(mbdc_model(controller), argv[2], &wrench.frame) != MBD_OK) return 1;

  mbdc_activate(controller);
  for (int64_t k = 0; k < 9000; k++) {
    mbds_measure(robot, q, v, NULL, NULL);
    const mbdc_input_t input = {
      .time = k * 1000000, .period = 1000000, .position = q, .velocity = v};
    mbdc_update(controller, &input, effort);
    for (int i = 0; i < n; i++) command[i] = (mbds_command_t){MBDS_EFFORT, effort[i]};
    if (mbds_step(robot, command, 1e-3) != MBD_OK) return 1;
    for (int i = 0; i < n && k == 1000; i++) rest[i] = q[i];
    if (k == 1000 && mbds_push(robot, argv[2], push, 4) != MBD_OK) return 1;
    if (k != 4900) continue;
    if (mbd_jacobian_transpose_product(
          mbdc_model(controller), mbdc_data(controller), &wrenches, torque))
      return 1;
    for (int i = 0; i < n; i++)
      printf(
        "%-12s pushed %8.4f rad, torque/stiffness %8.4f rad\n", mbdc_joint_name(controller, i),
        q[i] - rest[i], torque[i] / 200);
  }
  double back = 0;
  for (int i = 0; i < n; i++) back = fmax(back, fabs(q[i] - rest[i]));
  printf("let go: %.1e rad from where it was\n", back);
  mbdc_destroy(controller);
  mbdc_settings_destroy(settings);
  mbds_destroy(robot);
  return 0;
}
