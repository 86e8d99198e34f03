// Operational space: the force at the tool that gives it an acceleration, and the joint torques of that force.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/opspace.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbd_data_t * data = NULL;
  int frame, rank;
  if (argc != 3) {
    fprintf(stderr, "usage: %s ROBOT.urdf FRAME\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &model, NULL) != MBD_OK) return 1;
  if (mbd_find_frame(model, argv[2], &frame) != MBD_OK || model->nq != model->nv) return 1;
  const int n = model->nv;
  double * q = calloc((size_t)(5 * n + 36 + 6 * n), sizeof *q);
  if (!q || mbd_data_create(model, &data) != MBD_OK) return 1;
  double *v = q + n, *h = v + n, *tau = h + n, *qdd = tau + n, *Lambda = qdd + n, *J = Lambda + 36;
  for (int i = 0; i < n; i++) q[i] = 0.4 - 0.2 * i, v[i] = 0.1 * i;

  // 6-vectors in matrices are angular first; here the tool is to accelerate upwards, without turning
  const double wanted[6] = {0, 0, 0, 0, 0, 1};
  const mbd_reference_t reference = MBD_LOCAL_WORLD_ALIGNED;
  mbd_motion_t bias, got;
  mbd_status_t status = mbd_set_state(model, data, q, v);
  if (status == MBD_OK) status = mbd_bias(model, data, h);
  if (status == MBD_OK) status = mbd_jacobian(model, data, frame, reference, J);
  if (status == MBD_OK) status = mbd_jacobian_bias(model, data, frame, reference, &bias);
  if (status == MBD_OK)
    status = mbd_operational_space_inertia(model, data, frame, reference, Lambda, &rank);
  // tau = J^T Lambda (a - Jdot v) + C v + g
  const double drift[6] = {bias.ang.x, bias.ang.y, bias.ang.z, bias.lin.x, bias.lin.y, bias.lin.z};
  double F[6] = {0};
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) F[r] += Lambda[6 * r + c] * (wanted[c] - drift[c]);
  }
  for (int i = 0; i < n; i++) {
    tau[i] = h[i];
    for (int r = 0; r < 6; r++) tau[i] += J[r * n + i] * F[r];
  }
  if (status == MBD_OK) status = mbd_forward_dynamics(model, data, q, v, tau, NULL, qdd);
  if (status == MBD_OK) status = mbd_set_acceleration(model, data, qdd);
  if (status == MBD_OK) status = mbd_frame_acceleration(model, data, frame, reference, &got);
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
    return 1;
  }
  printf("rank %d, force %.3f N upwards\n", rank, F[5]);
  printf("acceleration of the tool %.6f %.6f %.6f m/s^2\n", got.lin.x, got.lin.y, got.lin.z);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  free(q);
  return fabs(got.lin.z - 1) < 1e-9 ? 0 : 1;
}
