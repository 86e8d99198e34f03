// Inverse dynamics N times, for python_cost.py: what Python adds is the difference to this.
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

int
main(int argc, char ** argv)
{
  mbd_model_t * model = NULL;
  mbd_data_t * data = NULL;
  if (argc != 3 || mbdx_urdf_load_file(argv[1], NULL, &model, NULL) != MBD_OK) return 2;
  if (mbd_data_create(model, &data) != MBD_OK || model->nv != 7) return 2;
  double q[7] = {0}, v[7] = {0}, a[7] = {0}, tau[7];
  for (long k = strtol(argv[2], NULL, 10); k > 0; k--) {
    if (mbd_inverse_dynamics(model, data, q, v, a, NULL, tau) != MBD_OK) return 1;
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  return 0;
}
