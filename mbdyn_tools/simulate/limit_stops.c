// Position limits as stops: one-sided springs and critical dampers for the inertia at each joint.
#include "limit_stops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/limits.h"

// depth at which a damper acts fully [rad, m]
static const double RAMP = 1e-4;

// inertia that a joint feels if the others do not accelerate: diagonal of the mass matrix
static mbd_status_t
find_inertia(
  const mbd_model_t * model, mbd_data_t * data, const double * q, int k, double * work, double * m)
{
  double *rest = work, *v = work + model->nv, *tau = v + model->nv;
  memset(rest, 0, 2 * (size_t)model->nv * sizeof *rest);
  mbd_status_t status = mbd_inverse_dynamics(model, data, q, v, rest, NULL, tau);
  const double gravity = tau[k];
  rest[k] = 1;
  if (status == MBD_OK) status = mbd_inverse_dynamics(model, data, q, v, rest, NULL, tau);
  *m = tau[k] - gravity;
  return status;
}

mbd_status_t
limit_stops_open(
  limit_stops_t * s, const mbd_model_t * model, mbd_data_t * data, const double * q,
  double frequency)
{
  *s = (limit_stops_t){.frequency = frequency};
  const int n = mbd_limit_count(model);
  double * work = malloc(3 * (size_t)model->nv * sizeof *work + 1);
  s->stop = calloc((size_t)n + 1, sizeof *s->stop);
  mbd_status_t status = work && s->stop ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
  double heaviest = 0;
  for (int i = 0; i < n && status == MBD_OK; i++) {
    struct limit_stop * stop = &s->stop[s->n];
    mbd_limit_t limit;
    double m = 0;
    status = mbd_limit_info(model, i, &limit);
    if (status != MBD_OK || limit.v_index < 0) continue;
    if (frequency > 0) status = find_inertia(model, data, q, limit.v_index, work, &m);
    *stop =
      (struct limit_stop){limit.body, limit.q_index, limit.v_index, limit.lower, limit.upper, m};
    heaviest = fmax(heaviest, m);
    s->n++;
  }
  for (int i = 0; i < s->n; i++) {
    // massless links are moved by what closures join to them
    s->stop[i].mass = fmax(s->stop[i].mass, 1e-3 * heaviest);
  }
  free(work);
  return status;
}

void
limit_stops_close(limit_stops_t * s)
{
  free(s->stop);
  *s = (limit_stops_t){0};
}

near_limit_t
limit_stops_nearest(const limit_stops_t * s, const double * q)
{
  near_limit_t near = {.gap = HUGE_VAL, .stop = -1};
  for (int i = 0; i < s->n; i++) {
    const double x = q[s->stop[i].q_index];
    const double below = x - s->stop[i].lower, above = s->stop[i].upper - x;
    const double gap = fmin(below, above);
    if (gap < near.gap) near = (near_limit_t){gap, i, above < below};
  }
  return near;
}

void
limit_stops_push(const limit_stops_t * s, const double * q, const double * v, double * tau)
{
  const double w = s->frequency;
  for (int i = 0; i < s->n; i++) {
    const struct limit_stop * stop = &s->stop[i];
    const double x = q[stop->q_index], over = x - stop->upper, under = stop->lower - x;
    if (over <= 0 && under <= 0) continue;
    const double sign = over > 0 ? 1 : -1, depth = over > 0 ? over : under;
    const double rate = sign * v[stop->v_index];
    const double force = stop->mass * w * (w * depth + 2 * rate * fmin(1, depth / RAMP));
    tau[stop->v_index] -= sign * fmax(0, force);
  }
}
