// Accelerations by the mass matrix: that of the forward dynamics' sweeps does not know gears and
// friction at the end of the step. N^3, and a few microseconds for an arm.
#include <math.h>
#include <string.h>

#include "plant_internal.h"

//---------- mimic joints ----------

static bool
has_one_dof(const mbd_body_t * body)
{
  return body->nq == 1 && body->nv == 1;
}

void
plant_fold(plant_t * plant)
{
  const mbd_model_t * model = plant->model;
  plant_work_t * w = plant->work;
  w->nr = 0;
  for (int k = 0; k < model->nv; k++) {
    w->factor[k] = 1;
    if (model->body[model->dof_body[k]].mimic_body < 0) w->folded[k] = w->nr++;
  }
  for (int i = 0; i < model->nbody; i++) {
    const int k = model->body[i].v_index;
    int leader = i;
    while (model->body[leader].mimic_body >= 0) {
      w->factor[k] *= model->body[leader].mimic_multiplier;
      leader = model->body[leader].mimic_body;
    }
    if (leader != i) w->folded[k] = w->folded[model->body[leader].v_index];
  }
}

static double
followed(const mbd_model_t * model, int i, const double * q)
{
  const mbd_body_t * body = &model->body[i];
  if (body->mimic_body < 0) return q[body->q_index];
  return body->mimic_multiplier * followed(model, body->mimic_body, q) + body->mimic_offset;
}

void
plant_follow(const plant_t * plant, double * q)
{
  const mbd_model_t * model = plant->model;
  for (int i = 0; model->nmimic > 0 && i < model->nbody; i++) {
    if (model->body[i].mimic_body >= 0) q[model->body[i].q_index] = followed(model, i, q);
  }
}

//---------- acceleration ----------

// friction as a resistance: S = friction(v) / v, which is finite at v = 0
static void
friction_per_velocity(const plant_t * plant, const double * v, double * S)
{
  const mbd_model_t * model = plant->model;
  for (int k = 0; k < model->nv; k++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
    S[k] = 0;
    if (!plant->options.friction) continue;
    S[k] = drive->viscous;
    if (drive->coulomb <= 0) continue;
    const double x = v[k] / drive->coulomb_velocity;
    const double slope = fabs(x) < 1e-6 ? 1 : tanh(x) / x;
    S[k] += drive->coulomb / drive->coulomb_velocity * slope;
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

// L = the factor of E^T (M + h S) E
static bool
factorize_folded(plant_work_t * w, int nv, double h)
{
  memset(w->L, 0, (size_t)w->nr * (size_t)w->nr * sizeof *w->L);
  for (int k = 0; k < nv; k++) {
    w->M[k * nv + k] += h * w->friction[k];
    for (int j = 0; j < nv; j++) {
      w->L[w->folded[k] * w->nr + w->folded[j]] += w->factor[k] * w->factor[j] * w->M[k * nv + j];
    }
  }
  return factorize(w->L, w->nr);
}

//---------- stops ----------

// moves joint i to a position; with mimic joints its leader, so that it gets there
static void
place(const plant_t * plant, int i, double position, double * q)
{
  const mbd_model_t * model = plant->model;
  int leader = i;
  while (model->body[leader].mimic_body >= 0) leader = model->body[leader].mimic_body;
  const mbd_body_t * body = &model->body[i];
  const double factor = plant->work->factor[body->v_index];
  if (leader == i)
    q[body->q_index] = position;
  else
    q[model->body[leader].q_index] += (position - q[body->q_index]) / factor;
  plant_follow(plant, q);
}

// joint i is at this limit or beyond it: back to it, and into the list
static bool
stop_at(plant_t * plant, int i, double limit, double sign, double * q)
{
  plant_work_t * w = plant->work;
  const mbd_body_t * body = &plant->model->body[i];
  if (sign * (q[body->q_index] - limit) > 0) return false;
  place(plant, i, limit, q);
  w->stop[w->nstop] = body->v_index;
  w->sign[w->nstop++] = sign;
  return true;
}

void
plant_find_stops(plant_t * plant, double * q, const double * v)
{
  const mbd_model_t * model = plant->model;
  plant->work->nstop = 0;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const int k = body->v_index;
    if (!has_one_dof(body) || plant->work->factor[k] == 0) continue;
    const bool lower = plant->options.limits && stop_at(plant, i, body->limits.lower, 1, q);
    const bool upper = plant->options.limits && stop_at(plant, i, body->limits.upper, -1, q);
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
prepare_stops(plant_work_t * w, const double * v)
{
  w->npressed = 0;
  for (int s = 0; s < w->nstop; s++) {
    const int k = w->stop[s];
    if (v != NULL && w->sign[s] * v[k] > 0) continue;
    double * response = w->response + w->npressed * w->nr;
    memset(response, 0, (size_t)w->nr * sizeof *response);
    response[w->folded[k]] = w->sign[s] * w->factor[k];
    solve(w->L, w->nr, response);
    w->pressed[w->npressed] = s;
    w->force[w->npressed++] = v == NULL ? *held(w, s) : 0;
  }
}

// Gauss-Seidel on accelerations or velocities w->x: no stop pulls, none lets anything out
static void
balance_stops(plant_work_t * w)
{
  double change = 1, largest = 0;
  for (int sweep = 0; sweep < 100 && change > 1e-12 * largest; sweep++) {
    change = 0;
    for (int p = 0; p < w->npressed; p++) {
      const int k = w->stop[w->pressed[p]], r = w->folded[k];
      const double gain = w->sign[w->pressed[p]] * w->factor[k];
      const double * response = w->response + p * w->nr;
      const double wanted = w->force[p] - gain * w->x[r] / (gain * response[r]);
      const double force = wanted > 0 ? wanted : 0, delta = force - w->force[p];
      for (int j = 0; delta != 0 && j < w->nr; j++) w->x[j] += response[j] * delta;
      w->force[p] = force;
      if (fabs(delta) > change) change = fabs(delta);
      if (force > largest) largest = force;
    }
  }
  // at rest is at rest, whatever rounding says
  for (int p = 0; p < w->npressed; p++) {
    if (w->force[p] > 0) w->x[w->folded[w->stop[w->pressed[p]]]] = 0;
  }
}

void
plant_stop(plant_t * plant, double * v)
{
  plant_work_t * w = plant->work;
  if (w->nstop == 0) return;
  for (int k = 0; k < plant->model->nv; k++) {
    if (w->factor[k] == 1) w->x[w->folded[k]] = v[k];
  }
  prepare_stops(w, NULL);
  balance_stops(w);
  for (int k = 0; k < plant->model->nv; k++) v[k] = w->factor[k] * w->x[w->folded[k]];
}

//---------- all together ----------

mbd_status_t
plant_acceleration(plant_t * plant, const double * q, const double * v, double h, double * a)
{
  plant_work_t * w = plant->work;
  const int nv = plant->model->nv;
  mbd_status_t status =
    mbd_inverse_dynamics(plant->model, plant->data, q, v, NULL, &w->wrenches, w->rhs);
  if (status == MBD_OK) status = mbd_mass_matrix(plant->model, plant->data, NULL, w->M);
  if (status != MBD_OK) return status;
  friction_per_velocity(plant, v, w->friction);
  if (!factorize_folded(w, nv, h)) return MBD_ERROR_MASSLESS_SUBTREE;
  memset(w->x, 0, (size_t)w->nr * sizeof *w->x);
  for (int k = 0; k < nv; k++) {
    w->x[w->folded[k]] += w->factor[k] * (plant->effort[k] - w->rhs[k] - w->friction[k] * v[k]);
  }
  solve(w->L, w->nr, w->x);
  prepare_stops(w, v);
  balance_stops(w);
  for (int k = 0; k < nv; k++) a[k] = w->factor[k] * w->x[w->folded[k]];
  return MBD_OK;
}
