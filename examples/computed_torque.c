// Computed torque: a controller follows a trajectory with a simulated robot, a thousand cycles a second.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/control.h"
#include "mbdyn/simulated_robot.h"

enum { JOINTS = 64 };

static char urdf[1 << 20];

int
main(int argc, char ** argv)
{
  char reason[512] = "";
  FILE * file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: %s ROBOT.urdf\n", argv[0]);
    return 2;
  }
  const size_t length = fread(urdf, 1, sizeof urdf, file);
  fclose(file);
  mbds_robot_t * robot = NULL;
  mbdc_controller_t * controller = NULL;
  mbdc_settings_t * settings = mbdc_settings_create();
  if (
    !settings || mbds_create(urdf, length, 0, NULL, NULL, &robot, reason, sizeof reason) ||
    mbdc_set(settings, "mode", "computed_torque", reason, sizeof reason) ||
    mbdc_create_from_urdf(urdf, length, argv[1], settings, &controller, reason, sizeof reason)) {
    fprintf(stderr, "%s\n", reason);
    return 1;
  }
  const int n = mbdc_joint_count(controller);
  if (n > JOINTS) return 1;
  const char * name[JOINTS];
  double goal[JOINTS], q[JOINTS], v[JOINTS], effort[JOINTS];
  mbds_command_t command[JOINTS];
  for (int i = 0; i < n; i++) {
    const mbd_limits_t * limits = &mbdc_model(controller)->body[i].limits;
    name[i] = mbdc_joint_name(controller, i);
    goal[i] = fmin(fmax(i % 2 ? -0.3 : 0.3, limits->lower + 0.1), limits->upper - 0.1);
  }

  mbdc_activate(controller);
  double worst = 0;
  for (int64_t k = 0; k < 4000; k++) {
    mbds_measure(robot, q, v, NULL, NULL);
    const mbdc_input_t input = {
      .time = k * 1000000, .period = 1000000, .position = q, .velocity = v};
    mbdc_update(controller, &input, effort);
    for (int i = 0; i < n; i++) command[i] = (mbds_command_t){MBDS_EFFORT, effort[i]};
    if (mbds_step(robot, command, 1e-3) != MBD_OK) return 1;
    // to the goal within two seconds, from half a second on
    const mbdc_point_t point = {.time = 2, .position = goal};
    if (k == 500 && mbdc_follow(controller, n, name, 1, &point, 0, reason, sizeof reason)) {
      fprintf(stderr, "%s\n", reason);
      return 1;
    }
  }
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(q[i] - goal[i]));
    printf("%-12s %8.4f rad, goal %8.4f rad\n", name[i], q[i], goal[i]);
  }
  printf("largest error %.1e rad\n", worst);
  mbdc_destroy(controller);
  mbdc_settings_destroy(settings);
  mbds_destroy(robot);
  return worst < 1e-3 ? 0 : 1;
}
