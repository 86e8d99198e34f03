// Velocity gains that the sampled robot can take.
//
// A joint of inertia M, its velocity sampled every T, the torque -d v held for T and a sample late:
//   v[k+1] = v[k] - a v[k-1],  a = d T / M,  roots of z^2 - z + a.
// They are real, so that the velocity decays without changing its sign, up to a = 1/4, and leave the
// unit circle at a = 1. With n samples of delay that is at a = 2 sin(pi / (4 n + 2)): a = 1/4 is
// stable up to n = 5, which is the margin for late joint states, busy machines and lighter robots
// than the model.
//
// Several joints: a is each eigenvalue of T M^-1 D.
//   D = M K, K diagonal (kd, posture_kd; operational_kd in the task): eigenvalues are K's
//   D = L K L^T (damping_rates), M = L L^T:                           eigenvalues are K's
//   D diagonal (damping, joint_damping; cartesian_damping in the task): none is more than the largest row sum of |R|, R = 4 T D^1/2 M^-1 D^1/2.
//     Dividing d_i by the row sum s_i, where that is more than one, leaves no eigenvalue above one:
//     S^-1 R has row sums of one, and the eigenvalues of S^-1/2 R S^-1/2. A bound by M_ii, or by
//     1 / (M^-1)_ii, would not do for coupled joints.
#include <math.h>
#include <string.h>

#include "controller_private.h"

static const double MOST = 0.25;

void
controller_bound_note(
  controller_t * c, const char * parameter, int index, double gain, double bound)
{
  controller_bound_t * b = &c->bound;
  if (c->sample_time_guessed) return;
  // the first of this step, or worse than it
  const bool first = b->cycles == c->p->bounded;
  if (first) b->cycles++;
  if (!first && gain * b->bound <= b->gain * bound) return;
  b->parameter = parameter;
  b->index = index;
  b->gain = gain;
  b->bound = bound;
}

double
controller_bound_most(const controller_t * c)
{
  return MOST / c->sample_time;
}

double
controller_bound_rate(controller_t * c, const char * parameter, int index, double rate)
{
  if (!(rate * c->sample_time > MOST)) return rate;
  const double bound = controller_bound_most(c);
  controller_bound_note(c, parameter, index, rate, bound);
  return c->settings->bound_gains ? bound : rate;
}

double
controller_bound_slowdown(controller_t * c, const char * parameter, int index, double kd)
{
  return kd > 0 ? controller_bound_rate(c, parameter, index, kd) / kd : 1;
}

void
controller_bound_diagonal(
  controller_t * c, const char * parameter, int n, const int * row, const double * asked,
  const double * inverse, double * d)
{
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += sqrt(asked[i] * asked[j]) * fabs(inverse[i * n + j]);
    sum *= c->sample_time / MOST;
    d[i] = asked[i];
    if (!(sum > 1)) continue;
    controller_bound_note(c, parameter, row ? row[i] : i, asked[i], asked[i] / sum);
    if (c->settings->bound_gains) d[i] = asked[i] / sum;
  }
}

mbd_status_t
controller_bound_damping(controller_t * c, const char * parameter, const double * asked, double * d)
{
  const int nv = c->model->nv;
  bool damped = false;
  for (int k = 0; k < nv; k++) damped = damped || asked[k] > 0;
  memcpy(d, asked, (size_t)nv * sizeof *d);
  if (!damped || !(c->sample_time > 0)) return MBD_OK;
  const mbd_status_t status = mbd_mass_matrix_inverse(c->model, c->data, c->p->inverse);
  // a model whose links have no mass cannot say what its joints take
  if (status == MBD_ERROR_MASSLESS_SUBTREE) return MBD_OK;
  CHECK(status);
  controller_bound_diagonal(c, parameter, nv, NULL, asked, c->p->inverse, d);
  return MBD_OK;
}
