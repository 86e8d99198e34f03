// Springs and dampers of the impedance modes, as stiff and as damped as the sampled robot can take.
//
// A mode of frequency omega and damping ratio zeta under commands that are held for T and a sample late
// (controller_bound.c): its rate 2 zeta omega is bounded by 1 / 4 T like any velocity gain. The delay of
// 3/2 T takes 3/2 omega^2 T from the rate; beyond omega T = 0.2 less than half of it would be left, so
// that stiffer modes are computed with that frequency.
#include <math.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/dynamics.h"

static const double STIFFEST = 0.2;
// Modes are computed again when a coordinate has moved so far [rad, m]. Between, K is exact: only D is
// that of a configuration nearby.
static const double NEARBY = 0.02;

static bool
is_near(const controller_impedance_t * z, const controller_settings_t * s, const double * q, int nq)
{
  if (z->settings != s) return false;
  for (int k = 0; k < nq; k++) {
    if (!(fabs(q[k] - z->q[k]) <= NEARBY)) return false;
  }
  return true;
}

// the coordinate that has most of a mode's stiffness
static int
place_of(const impedance_t * m, int mode)
{
  int place = 0;
  for (int i = 1; i < m->n; i++) {
    if (fabs(m->S[i * m->n + mode]) > fabs(m->S[place * m->n + mode])) place = i;
  }
  return place;
}

// diagonal element of K with the modes as soft as they have become
static double
stiffness_left(const impedance_t * m, int i)
{
  double sum = 0;
  for (int j = 0; j < m->n; j++) sum += m->soft[j] * m->S[i * m->n + j] * m->S[i * m->n + j];
  return sum;
}

// soft, then rates: a report says what is left of the stiffness at the coordinate that has most of it
static void
bound_modes(controller_t * c, impedance_t * m, const controller_spring_t * spring)
{
  const double T = c->sample_time;
  const bool bound = c->settings->bound_gains;
  double least[2] = {1, 0};
  for (int j = 0; j < m->n; j++) {
    const double fast = m->omega[j] * T / STIFFEST, soft = fast > 1 ? 1 / (fast * fast) : 1;
    if (soft < least[0]) least[0] = soft, least[1] = j;
    m->soft[j] = bound ? soft : 1;
  }
  for (int j = 0; j < m->n; j++) {
    const int i = place_of(m, j), row = spring->row ? spring->row[i] : i;
    const double rate = 2 * c->settings->damping_ratio * sqrt(m->soft[j]) * m->omega[j];
    m->rate[j] = spring->by_ratio ? controller_bound_rate(c, "damping_ratio", row, rate) : 0;
  }
  if (least[0] < 1) {
    const int i = place_of(m, (int)least[1]);
    const double left = bound ? stiffness_left(m, i) : least[0] * spring->k[i];
    controller_bound_note(
      c, spring->parameter, spring->row ? spring->row[i] : i, spring->k[i], left);
  }
}

void
controller_impedance(
  controller_t * c, controller_impedance_t * z, const controller_spring_t * spring,
  const double * inverse)
{
  const bool same = z->modes.n == spring->n && is_near(z, c->settings, c->data->q, c->model->nq);
  if (!same) {
    if (z->modes.n != spring->n) impedance_init(&z->modes, spring->n, z->work);
    impedance_modes(&z->modes, inverse, spring->k);
    memcpy(z->q, c->data->q, (size_t)c->model->nq * sizeof *z->q);
    z->settings = c->settings;
  }
  bound_modes(c, &z->modes, spring);
}
