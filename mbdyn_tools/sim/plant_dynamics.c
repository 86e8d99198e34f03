// Accelerations by the mass matrix: that of the forward dynamics' sweeps does not know gears and
// friction at the end of the step. N^3, and a few microseconds for an arm.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints/limits.h"
#include "mbdyn/dynamics/bearing.h"
#include "plant_internal.h"

//---------- acceleration ----------

// dry friction by velocity
static double
dry_per_velocity(const plant_options_t * options, const mbd_drive_t * drive, double v)
{
  const double c = drive->coulomb, v0 = drive->coulomb_velocity, x = v / v0;
  const bool still = fabs(x) < 1e-6;
  if (options->friction_model != PLANT_FRICTION_SMOOTH) return c / v0 * (still ? 1 : tanh(x) / x);
  const mbd_bearing_spec_t curve = {
    .mu_static = c * options->stiction, .mu_dynamic = c, .velocity = v0};
  double slope;
  const double force = mbd_friction_curve(v, &curve, &slope);
  return still ? slope : force / v;
}

// friction as a resistance: S = friction(v) / v
void
plant_friction_per_velocity(const plant_t * plant, const double * v, double * S)
{
  const mbd_model_t * model = plant->model;
  for (int k = 0; k < model->nv; k++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
    S[k] = 0;
    if (!plant->options.friction) continue;
    S[k] = drive->viscous;
    if (drive->coulomb <= 0 || plant->options.friction_model == PLANT_FRICTION_EXACT) continue;
    S[k] += dry_per_velocity(&plant->options, drive, v[k]);
  }
}

// L L^T = A in place, lower triangle
static bool
factorize(double * A, int n)
{
  for (int i = 0; i < n; i++) {
    const double diagonal = A[i * n + i];
    for (int j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      if (j < i) A[i * n + j] = sum / A[j * n + j];
      // what rounding leaves of a body without mass
      else if (!(sum > 1e-14 * diagonal))
        return false;
      else
        A[i * n + i] = sqrt(sum);
    }
  }
  return true;
}

static void
solve(const double * L, int n, double * x)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

// L = the factor of X^T (M + h S) X
static bool
factorize_independent(const plant_t * plant, double h)
{
  plant_work_t * w = plant->work;
  const int nv = plant->model->nv, nr = w->nr;
  for (int k = 0; k < nv; k++) w->M[k * nv + k] += h * w->friction[k];
  if (!plant->loops) {
    memcpy(w->L, w->M, (size_t)(nv * nv) * sizeof *w->L);
    return factorize(w->L, nr);
  }
  for (int k = 0; k < nv; k++) {
    for (int j = 0; j < nr; j++) {
      double sum = 0;
      for (int i = 0; i < nv; i++) sum += w->M[k * nv + i] * w->X[i * nr + j];
      w->MX[k * nr + j] = sum;
    }
  }
  memset(w->L, 0, (size_t)(nr * nr) * sizeof *w->L);
  for (int k = 0; k < nv; k++) {
    for (int i = 0; i < nr; i++) {
      for (int j = 0; j < nr; j++) w->L[i * nr + j] += w->X[k * nr + i] * w->MX[k * nr + j];
    }
  }
  return factorize(w->L, nr);
}

//---------- stops ----------

// velocity of joint k squared, per independent velocities that move it most
static double
share_squared(const plant_t * plant, int k)
{
  double sum = 0;
  for (int j = 0; j < plant->work->nr; j++) {
    sum += plant_share(plant, k, j) * plant_share(plant, k, j);
  }
  return sum;
}

// moves a joint to a position; in a loop by the independent joints, so that it gets there
static void
move_joint_to(plant_t * plant, const mbd_limit_t * limit, double position, double * q)
{
  plant_work_t * w = plant->work;
  const int k = limit->tree_index;
  if (!plant->loops) {
    q[limit->q_index] = position;
    return;
  }
  for (int tries = 0; tries < 3; tries++) {
    const double gap = (position - q[limit->q_index]) / share_squared(plant, k);
    for (int j = 0; j < w->nr; j++) w->x[j] = gap * plant_share(plant, k, j);
    plant_spread(plant, w->x, w->dv);
    if (
      mbd_integrate(plant->model, q, w->dv, 1, q) != MBD_OK ||
      plant_close(plant, q, NULL) != MBD_OK)
      return;
  }
}

// a joint is at this end of its range or beyond it: back to it, and into the list
static bool
stop_at(plant_t * plant, const mbd_limit_t * limit, double end, double sign, double * q)
{
  plant_work_t * w = plant->work;
  if (sign * (q[limit->q_index] - end) > 0) return false;
  move_joint_to(plant, limit, end, q);
  w->stop[w->nstop] = limit->tree_index;
  w->sign[w->nstop++] = sign;
  return true;
}

void
plant_find_stops(plant_t * plant, double * q, const double * v)
{
  plant_work_t * w = plant->work;
  w->nstop = 0;
  for (int i = 0; i < w->nlimit; i++) {
    const mbd_limit_t * limit = &w->limit[i];
    const int k = limit->tree_index;
    if (share_squared(plant, k) == 0) continue;
    const bool lower = plant->options.limits && stop_at(plant, limit, limit->lower, 1, q);
    const bool upper = plant->options.limits && stop_at(plant, limit, limit->upper, -1, q);
    const bool hit = (lower && v[k] < 0) || (upper && v[k] > 0);
    if (hit && !plant->at_limit[k]) plant->stops++;
    plant->at_limit[k] = lower || upper;
  }
}

// impulse of stop s in this step so far
static double *
held(plant_work_t * w, int s)
{
  return &w->held[2 * w->stop[s] + (w->sign[s] < 0)];
}

void
plant_press(plant_work_t * w, double seconds)
{
  for (int p = 0; p < w->npressed; p++) *held(w, w->pressed[p]) += seconds * w->force[p];
}

// the stops that joints with these velocities may press against, and what a unit of force there
// does; all of them at the end of a step, where each may take back what it has pressed so far
static void
prepare_stops(plant_t * plant, const double * v)
{
  plant_work_t * w = plant->work;
  w->npressed = 0;
  for (int s = 0; s < w->nstop; s++) {
    const int k = w->stop[s];
    if (v != NULL && w->sign[s] * v[k] > 0) continue;
    double * response = w->response + w->npressed * w->nr;
    for (int j = 0; j < w->nr; j++) response[j] = w->sign[s] * plant_share(plant, k, j);
    solve(w->L, w->nr, response);
    w->pressed[w->npressed] = s;
    w->force[w->npressed++] = v == NULL ? *held(w, s) : 0;
  }
}

// velocity of x at a stop, away from it
static double
away(const plant_t * plant, int stop, const double * x)
{
  const plant_work_t * w = plant->work;
  double sum = 0;
  for (int j = 0; j < w->nr; j++) sum += plant_share(plant, w->stop[stop], j) * x[j];
  return w->sign[stop] * sum;
}

// Gauss-Seidel on accelerations or velocities w->x: no stop pulls, none lets anything out. `drift`
// is what joints do beside it.
static void
balance_stops(plant_t * plant, const double * drift)
{
  plant_work_t * w = plant->work;
  double change = 1, largest = 0;
  for (int sweep = 0; sweep < 100 && change > 1e-12 * largest; sweep++) {
    change = 0;
    for (int p = 0; p < w->npressed; p++) {
      const int s = w->pressed[p];
      const double * response = w->response + p * w->nr;
      const double beside = drift ? w->sign[s] * drift[w->stop[s]] : 0;
      const double wanted =
        w->force[p] - (away(plant, s, w->x) + beside) / away(plant, s, response);
      const double force = wanted > 0 ? wanted : 0, delta = force - w->force[p];
      for (int j = 0; delta != 0 && j < w->nr; j++) w->x[j] += response[j] * delta;
      w->force[p] = force;
      if (fabs(delta) > change) change = fabs(delta);
      if (force > largest) largest = force;
    }
  }
}

// at rest is at rest, whatever rounding says
static void
settle(const plant_work_t * w, double * v)
{
  for (int p = 0; p < w->npressed; p++) {
    if (w->force[p] > 0) v[w->stop[w->pressed[p]]] = 0;
  }
}

void
plant_stop(plant_t * plant, double * v)
{
  plant_work_t * w = plant->work;
  if (w->nstop == 0) return;
  plant_reduce(plant, v, w->x);
  prepare_stops(plant, NULL);
  balance_stops(plant, NULL);
  plant_spread(plant, w->x, v);
  settle(w, v);
}

//---------- all together ----------

// X^T of the forces that are left
static void
gather_forces(plant_t * plant, const double * v, double h)
{
  plant_work_t * w = plant->work;
  memset(w->x, 0, (size_t)w->nr * sizeof *w->x);
  for (int k = 0; k < plant->model->nv; k++) {
    const double later = plant->loops ? v[k] + h * w->drift[k] : v[k];
    const double force = plant->effort[k] - w->rhs[k] - w->friction[k] * later;
    if (!plant->loops) w->x[k] = force;
    for (int j = 0; plant->loops && j < w->nr; j++) w->x[j] += w->X[k * w->nr + j] * force;
  }
}

mbd_status_t
plant_acceleration(plant_t * plant, const double * q, const double * v, double h, double * a)
{
  plant_work_t * w = plant->work;
  const mbd_model_t * model = plant->model;
  const double * drift = plant->loops ? w->drift : NULL;
  mbd_status_t status = plant_drift(plant, v);
  if (status == MBD_OK)
    status = mbd_inverse_dynamics(model, plant->data, q, v, drift, &w->wrenches, w->rhs);
  if (status == MBD_OK) status = mbd_mass_matrix(model, plant->data, w->M);
  if (status != MBD_OK) return status;
  plant_friction_per_velocity(plant, v, w->friction);
  if (!factorize_independent(plant, h)) return MBD_ERROR_MASSLESS_SUBTREE;
  gather_forces(plant, v, h);
  solve(w->L, w->nr, w->x);
  prepare_stops(plant, v);
  balance_stops(plant, drift);
  plant_spread(plant, w->x, a);
  for (int k = 0; drift && k < model->nv; k++) a[k] += drift[k];
  settle(w, a);
  return MBD_OK;
}
