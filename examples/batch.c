// A planner's batch: torques at many states of a path in one call, and which of them are beyond the limits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { STATES = 1000 };

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbd_batch_t * batch = NULL;
  if (argc != 3) {
    fprintf(stderr, "usage: %s ROBOT.urdf SECONDS   (of a path from -0.5 to 0.5 rad)\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &model, NULL) != MBD_OK || model->nq != model->nv)
    return 1;
  const double T = atof(argv[2]);
  const int n = model->nv;
  // states lie one behind the other: q of the first, q of the second, ...
  double * q = malloc(4 * sizeof *q * (size_t)n * STATES);
  // two threads: this one, and one more where there is work enough for it
  if (!q || !(T > 0) || mbd_batch_create(model, 2, &batch) != MBD_OK) return 1;
  double *v = q + n * STATES, *a = v + n * STATES, *tau = a + n * STATES;
  for (int k = 0; k < STATES; k++) {
    // quintic from 0 to 1, with its rates
    const double s = (double)k / (STATES - 1);
    const double x = s * s * s * (10 - 15 * s + 6 * s * s);
    const double xd = 30 * s * s * (1 - s) * (1 - s) / T;
    const double xdd = 60 * s * (1 - s) * (1 - 2 * s) / (T * T);
    for (int i = 0; i < n; i++) q[k * n + i] = x - 0.5, v[k * n + i] = xd, a[k * n + i] = xdd;
  }
  const mbd_status_t status = mbd_batch_inverse_dynamics(batch, STATES, q, v, a, tau);
  if (status != MBD_OK) {
    fprintf(stderr, "state %d: %s\n", mbd_batch_failed(batch), mbd_status_string(status));
    return 1;
  }
  int beyond = 0;
  for (int i = 0; i < n; i++) {
    const mbd_body_t * body = &model->body[model->dof_body[i]];
    double most = 0;
    for (int k = 0; k < STATES; k++) most = fmax(most, fabs(tau[k * n + i]));
    printf("%-10s %8.2f of %8.2f N m\n", body->joint_name, most, body->limits.effort);
    beyond += most > body->limits.effort;
  }
  printf("%d states, %d joints beyond their limits\n", STATES, beyond);
  mbd_batch_destroy(batch);
  mbd_model_destroy(model);
  free(q);
  return 0;
}
