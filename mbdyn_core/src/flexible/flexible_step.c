// Motion in time of a robot with links that bend: Runge-Kutta of fourth order, free of commutators
// (Celledoni, Marthinsen and Owren), which is the classical method where v is the rate of q.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "state/state.h"

typedef struct push {
  const double * tau;
  const mbd_wrenches_t * f_ext;
} push_t;

// rates of stage s at q and data->v0 + h * (rate of stage before); they go to k[2 s], k[2 s + 1]
static mbd_status_t
stage(mbd_flexible_data_t * d, const push_t * push, int s, const double * q, double h)
{
  const mbd_flexible_t * f = d->flexible;
  double *speed = d->k[2 * s], *rate = d->k[2 * s + 1];
  for (int i = 0; i < f->nv; i++) speed[i] = d->v0[i] + (s > 0 ? h * d->k[2 * s - 1][i] : 0);
  return mbd_flexible_forward_dynamics(f, d, q, speed, push->tau, push->f_ext, rate);
}

// to = from moved by h (w0 k0 + ... + w3 k3)
static mbd_status_t
move(mbd_flexible_data_t * d, const double * from, double h, const double w[4], double * to)
{
  for (int i = 0; i < d->flexible->nv; i++) {
    double sum = 0;
    for (int s = 0; s < 4; s++) {
      if (w[s] != 0) sum += w[s] * d->k[2 * s][i];
    }
    d->y[i] = sum;
  }
  return mbd_flexible_integrate(d->flexible, from, d->y, h, to);
}

static mbd_status_t
step(mbd_flexible_data_t * d, const push_t * push, double h)
{
  static const double half_0[4] = {0.5, 0, 0, 0}, half_1[4] = {0, 0.5, 0, 0},
                      last[4] = {-0.5, 0, 1, 0}, one[4] = {0.25, 1.0 / 6, 1.0 / 6, -1.0 / 12},
                      two[4] = {-1.0 / 12, 1.0 / 6, 1.0 / 6, 0.25};
  CHECK(stage(d, push, 0, d->q0, 0));
  CHECK(move(d, d->q0, h, half_0, d->qs[0]));
  CHECK(stage(d, push, 1, d->qs[0], 0.5 * h));
  CHECK(move(d, d->q0, h, half_1, d->qs[1]));
  CHECK(stage(d, push, 2, d->qs[1], 0.5 * h));
  CHECK(move(d, d->qs[0], h, last, d->qs[1]));
  CHECK(stage(d, push, 3, d->qs[1], h));
  CHECK(move(d, d->q0, h, one, d->qs[0]));
  return move(d, d->qs[0], h, two, d->qs[0]);
}

mbd_status_t
mbd_flexible_step(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, double * q, double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double dt)
{
  if (!flexible || !data || !q || !v) return MBD_ERROR_NULL_ARGUMENT;
  if (data->flexible != flexible) return MBD_ERROR_MODEL_MISMATCH;
  if (!finite_array(&dt, 1) || !finite_array(v, flexible->nv)) return MBD_ERROR_NOT_FINITE;
  const size_t nq = (size_t)flexible->nq, nv = (size_t)flexible->nv;
  memcpy(data->q0, q, nq * sizeof *q);
  memcpy(data->v0, v, nv * sizeof *v);
  const push_t push = {tau, f_ext};
  CHECK(step(data, &push, dt));
  double * const * k = data->k;
  for (size_t i = 0; i < nv; i++) {
    data->v0[i] += dt / 6 * (k[1][i] + 2 * (k[3][i] + k[5][i]) + k[7][i]);
  }
  if (!finite_array(data->v0, flexible->nv)) return MBD_ERROR_NOT_FINITE;
  memcpy(q, data->qs[0], nq * sizeof *q);
  memcpy(v, data->v0, nv * sizeof *v);
  return MBD_OK;
}
