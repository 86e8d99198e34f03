// Inverse dynamics at the reference.
#include <string.h>

#include "controller_private.h"

mbd_status_t
controller_inverse_dynamics(controller_t * c, const controller_cycle_t * cycle)
{
  mbd_data_t * data = c->p->at_reference;
  if (c->settings->nsupport > 0) CHECK(controller_support_reference(c, cycle));
  memcpy(c->acceleration, c->a_ref, (size_t)c->model->nv * sizeof(double));
  CHECK(mbd_set_state(c->model, data, c->q_ref, c->v_ref));
  return controller_motion_terms(c, data, cycle);
}
