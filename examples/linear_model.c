// For predictive control: the linear model d/dt x = A x + B u around a state, checked against small steps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbd_data_t * data = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: %s ROBOT.urdf\n", argv[0]);
    return 2;
  }
  if (mbdx_urdf_load_file(argv[1], NULL, &model, NULL) != MBD_OK || model->nq != model->nv)
    return 1;
  const int n = model->nv;
  const size_t m = (size_t)n;
  double * q = calloc(6 * m + 6 * m * m + mbd_derivatives_work(model), sizeof *q);
  if (!q || mbd_data_create(model, &data) != MBD_OK) return 1;
  double *v = q + n, *tau = v + n, *qdd = tau + n, *plus = qdd + n, *minus = plus + n;
  double *A = minus + n, *B = A + 4 * n * n, *work = B + 2 * n * n;
  for (int i = 0; i < n; i++) q[i] = 0.3 - 0.1 * i, v[i] = 0.2 + 0.05 * i;

  mbd_status_t status = mbd_inverse_dynamics(model, data, q, v, NULL, NULL, tau);
  if (status == MBD_OK) status = mbd_linearize(model, data, q, v, tau, NULL, work, qdd, A, B);
  // the lower left block of A is d qdd / d q: compare it with central differences
  const double h = 1e-6;
  double worst = 0, largest = 0;
  for (int j = 0; j < n && status == MBD_OK; j++) {
    const double at = q[j];
    q[j] = at + h;
    status = mbd_forward_dynamics(model, data, q, v, tau, NULL, plus);
    q[j] = at - h;
    if (status == MBD_OK) status = mbd_forward_dynamics(model, data, q, v, tau, NULL, minus);
    q[j] = at;
    for (int i = 0; i < n; i++) {
      const double exact = A[(n + i) * 2 * n + j];
      worst = fmax(worst, fabs(exact - (plus[i] - minus[i]) / (2 * h)));
      largest = fmax(largest, fabs(exact));
    }
  }
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
    return 1;
  }
  printf("A is %d x %d, B is %d x %d\n", 2 * n, 2 * n, 2 * n, n);
  printf("largest entry of d qdd / d q %.3g, largest difference %.1g\n", largest, worst);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  free(q);
  return worst < 1e-6 * (1 + largest) ? 0 : 1;
}
