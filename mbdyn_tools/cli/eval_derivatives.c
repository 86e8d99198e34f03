// What `mbdyn eval --derivatives` adds to a state.
#include "eval_derivatives.h"

#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/dynamics/derivatives.h"
#include "return_if_error.h"

bool
eval_derivatives_create(const mbd_model_t * model, eval_derivatives_t * d)
{
  const size_t nv = (size_t)model->nv;
  // one more, so that a robot that cannot move is no special case
  double * x = calloc(5 * nv * nv + nv + mbd_derivatives_work(model) + 1, sizeof *x);
  *d = (eval_derivatives_t){.dtau_dq = x};
  if (!x) {
    fputs("mbdyn eval: out of memory\n", stderr);
    return false;
  }
  double ** const matrices[] = {&d->dtau_dq, &d->dtau_dv, &d->dqdd_dq, &d->dqdd_dv, &d->M_inv};
  for (int i = 0; i < 5; i++, x += nv * nv) *matrices[i] = x;
  d->qdd = x;
  d->work = x + nv;
  return true;
}

void
eval_derivatives_free(eval_derivatives_t * d)
{
  // the others are in the same block
  free(d->dtau_dq);
}

mbd_status_t
eval_derivatives_compute(mbd_data_t * data, const eval_state_t * state, eval_derivatives_t * d)
{
  const mbd_model_t * m = data->model;
  RETURN_IF_ERROR(mbd_inverse_dynamics_derivatives(
    m, data, state->q, state->v, state->a, &state->f_ext, d->work, d->dtau_dq, d->dtau_dv, NULL));
  return mbd_forward_dynamics_derivatives(
    m, data, state->q, state->v, state->tau, &state->f_ext, d->work, d->qdd, d->dqdd_dq, d->dqdd_dv,
    d->M_inv);
}
