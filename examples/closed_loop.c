// A robot with closed loops: independent joints in, all joints out; dynamics in O(N) without constraint forces.
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  mbd_data_t * data = NULL;
  if (argc != 3) {
    fprintf(stderr, "usage: %s ROBOT.urdf ROBOT.loops.yaml\n", argv[0]);
    return 2;
  }
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_file = argv[2];
  if (mbdx_urdf_load_file(argv[1], &options, &model, &report) != MBD_OK) {
    for (int i = 0; report && i < report->n; i++) fprintf(stderr, "%s\n", report->entry[i].text);
    return 1;
  }
  if (!model->tree) {
    fprintf(stderr, "%s has no loops\n", argv[2]);
    return 1;
  }
  const mbd_model_t * tree = model->tree;
  // q has all joints, v, tau and accelerations only the independent ones
  double * q = calloc((size_t)(model->nq + 2 * model->nv + 2 * tree->nv), sizeof *q);
  if (!q || mbd_data_create(model, &data) != MBD_OK || mbd_neutral(model, q) != MBD_OK) return 1;
  double *v = q + model->nq, *qdd = v + model->nv, *all = qdd + model->nv;
  for (int i = 0; i < model->nv; i++) v[i] = 1;

  // dependent joints follow from the independent ones in q
  mbd_status_t status = mbd_forward_dynamics(model, data, q, v, NULL, NULL, qdd);
  if (status == MBD_OK) status = mbd_complete_stages(model, data);
  if (status == MBD_OK) status = mbd_tree_velocity(model, data, NULL, all);
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
    return 1;
  }
  printf("%d joints, %d independent, %d closures\n", tree->nv, model->nv, tree->nclosure);
  for (int i = 0; i < tree->nv; i++)
    printf("%-12s %9.5f rad/s\n", tree->body[tree->dof_body[i]].joint_name, all[i]);
  for (int i = 0; i < model->nv; i++)
    printf(
      "acceleration of %s: %.4f rad/s^2\n",
      tree->body[tree->dof_body[model->dof_tree[i]]].joint_name, qdd[i]);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbdx_report_free(report);
  free(q);
  return 0;
}
