// Flexible links: how far a boom hangs down under its weight, and its natural frequencies.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/flexible.h"
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t *rigid = NULL, *model = NULL;
  mbdx_report_t * report = NULL;
  mbd_data_t * data = NULL;
  int frame;
  if (argc != 4) {
    fprintf(stderr, "usage: %s ROBOT.urdf ROBOT.flexible.yaml FRAME\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &rigid, NULL) != MBD_OK) return 1;
  if (mbdx_flexible_load_file(rigid, argv[2], &model, &report) != MBD_OK) {
    for (int i = 0; report && i < report->n; i++) fprintf(stderr, "%s\n", report->entry[i].text);
    return 1;
  }
  // modal coordinates follow the joints in q
  const int nmode = model->flexible->nmode;
  double * q = calloc((size_t)(model->nq + nmode), sizeof *q);
  double * omega = q + model->nq;
  mbd_placement_t straight, bent;
  if (
    !q || mbd_data_create(model, &data) != MBD_OK ||
    mbd_find_frame(model, argv[3], &frame) != MBD_OK)
    return 1;
  mbd_status_t status = mbd_set_position(model, data, q);
  if (status == MBD_OK) status = mbd_frame_placement(model, data, frame, &straight);
  if (status == MBD_OK) status = mbd_flexible_static(model, data, q);
  if (status == MBD_OK) status = mbd_frame_placement(model, data, frame, &bent);
  if (status == MBD_OK) status = mbd_flexible_frequencies(model, data, true, omega);
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
    return 1;
  }
  printf("%s hangs down by %.2f mm\n", argv[3], 1e3 * (straight.p.z - bent.p.z));
  for (int k = 0; k < nmode; k++) printf("%.2f Hz\n", omega[k] / (2 * acos(-1)));
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbd_model_destroy(rigid);
  mbdx_report_free(report);
  free(q);
  return 0;
}
