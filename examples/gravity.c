// Gravity torques of a robot at a configuration: what its motors hold when it stands still.
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  mbd_data_t * data = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: %s ROBOT.urdf\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &model, &report) != MBD_OK) {
    for (int i = 0; report && i < report->n; i++) fprintf(stderr, "%s\n", report->entry[i].text);
    mbdx_report_free(report);
    return 1;
  }
  double * q = calloc((size_t)(model->nq + model->nv), sizeof *q);
  double * g = q + model->nq;
  if (!q || mbd_data_create(model, &data) != MBD_OK || mbd_neutral(model, q) != MBD_OK) return 1;

  // a model is constant and may be shared; a workspace belongs to one thread
  mbd_status_t status = mbd_set_position(model, data, q);
  if (status == MBD_OK) status = mbd_gravity(model, data, g);
  if (status != MBD_OK) fprintf(stderr, "%s\n", mbd_status_string(status));
  for (int i = 0; status == MBD_OK && i < model->nv; i++)
    printf("%-12s %10.4f N m\n", model->body[model->dof_body[i]].joint_name, g[i]);

  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbdx_report_free(report);
  free(q);
  return status == MBD_OK ? 0 : 1;
}
