// Inverse kinematics: joint positions for a pose of the tool, and how far they are from limits and singularities.
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/ik.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbd_data_t * data = NULL;
  int frame;
  if (argc != 6) {
    fprintf(stderr, "usage: %s ROBOT.urdf FRAME X Y Z   (tool pointing down)\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &model, NULL) != MBD_OK) return 1;
  if (mbd_find_frame(model, argv[2], &frame) != MBD_OK) {
    fprintf(stderr, "the robot has no frame '%s'\n", argv[2]);
    return 1;
  }
  // rotation matrix row by row: x of the tool along x of the world, z of the tool down
  const mbd_placement_t pose = {
    .R = {{1, 0, 0, 0, -1, 0, 0, 0, -1}}, .p = {atof(argv[3]), atof(argv[4]), atof(argv[5])}};
  const mbd_ik_target_t target = mbdu_ik_pose(frame, pose);
  const mbd_ik_targets_t targets = {1, &target};

  // all memory is taken before: mbd_ik itself never allocates
  double * q = calloc((size_t)model->nq, sizeof *q);
  double * work = malloc(mbd_ik_work(model, &targets) * sizeof *work);
  if (!q || !work || mbd_data_create(model, &data) != MBD_OK || mbd_neutral(model, q) != MBD_OK)
    return 1;
  mbd_ik_result_t result;
  mbd_ik_measure_t measure;
  mbd_status_t status = mbd_ik(model, data, &targets, NULL, q, work, q, &result);
  if (status == MBD_OK) status = mbd_ik_measure(model, data, &targets, NULL, q, work, &measure);
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
  } else if (result.outcome != MBD_IK_SOLVED) {
    printf(
      "out of reach: the nearest pose is %.4f m and %.4f rad away\n", result.position,
      result.rotation);
  } else {
    for (int i = 0; i < model->nq; i++) printf("%9.5f", q[i]);
    printf(
      "\ncondition %.1f, nearest limit %.3f rad away, %d iterations\n", measure.condition,
      measure.margin, result.iterations);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  free(q);
  free(work);
  return status == MBD_OK && result.outcome == MBD_IK_SOLVED ? 0 : 1;
}
