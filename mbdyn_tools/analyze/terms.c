// Dynamics of a motion, in blocks through the batch kernels.
#include "terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "return_if_error.h"

enum { BLOCK = 512 };

const char * const QUANTITY_NAMES[Q_COUNT] = {"q",        "v",        "a",        "tau",
                                              "total",    "gravity",  "coriolis", "inertia",
                                              "friction", "external", "error",    "power"};

//---------- start and end ----------

static mbd_status_t
allocate(terms_t * s)
{
  const size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv;
  s->q = calloc(BLOCK * (nq + 3 * nv + Q_COUNT * nv), sizeof *s->q);
  s->row = calloc(BLOCK, sizeof *s->row);
  if (!s->q || !s->row) return MBD_ERROR_OUT_OF_MEMORY;
  s->v = s->q + BLOCK * nq;
  s->a = s->v + BLOCK * nv;
  s->v_raw = s->a + BLOCK * nv;
  s->value = s->v_raw + BLOCK * nv;
  return MBD_OK;
}

mbd_status_t
terms_create(terms_t * s, const mbd_model_t * model, const terms_options_t * options)
{
  *s = (terms_t){.model = model, .options = *options};
  RETURN_IF_ERROR(allocate(s));
  RETURN_IF_ERROR(mbd_data_create(model, &s->data));
  RETURN_IF_ERROR(mbd_batch_create(model, options->threads, &s->batch));
  // rotors count as inertia; friction is a term of its own, and the observer has to know it
  RETURN_IF_ERROR(mbd_set_terms(s->data, options->terms & ~(uint32_t)MBD_TERM_FRICTION));
  RETURN_IF_ERROR(mbd_batch_set_parameters_from(s->batch, s->data));
  RETURN_IF_ERROR(mbd_set_terms(s->data, options->terms));
  mbd_observer_options_t observer = mbd_observer_options_default();
  observer.gain = options->observer_gain;
  return options->observe ? mbd_observer_create(model, &observer, &s->observer) : MBD_OK;
}

void
terms_free(terms_t * s)
{
  mbd_observer_destroy(s->observer);
  mbd_batch_destroy(s->batch);
  mbd_data_destroy(s->data);
  free(s->q);
  free(s->row);
  *s = (terms_t){0};
}

//---------- one state ----------

// numbers of a row, [nv]
static double *
value(const terms_t * s, quantity_t what, int row)
{
  const size_t nv = (size_t)s->model->nv;
  return s->value + ((size_t)what * BLOCK + (size_t)row) * nv;
}

static void
set_positions(const terms_t * s, const double * q, double * position)
{
  for (int i = 0; i < s->model->nbody; i++) {
    const mbd_body_t * b = &s->model->body[i];
    for (int k = 0; k < b->nv; k++) {
      position[b->v_index + k] = b->nq == b->nv ? q[b->q_index + k] : (double)NAN;
    }
  }
}

// the observer's step; the estimate stays unknown until it has two
static mbd_status_t
observe(terms_t * s, int i, double * external)
{
  row_t * row = &s->row[i];
  const int nv = s->model->nv;
  const double * effort = value(s, Q_MEASURED, i);
  bool known = s->observer != NULL;
  for (int k = 0; k < nv; k++) {
    external[k] = (double)NAN;
    known = known && isfinite(effort[k]);
  }
  if (!known) return s->observer ? mbd_observer_reset(s->observer) : MBD_OK;
  if (row->restart) RETURN_IF_ERROR(mbd_observer_reset(s->observer));
  const bool started = s->observer->started;
  RETURN_IF_ERROR(mbd_set_velocity(s->model, s->data, s->v_raw + (size_t)i * (size_t)nv));
  RETURN_IF_ERROR(
    mbd_observer_update(s->observer, s->data, effort, started ? row->t - s->observed : 1));
  s->observed = row->t;
  if (started) memcpy(external, s->observer->torque, (size_t)nv * sizeof *external);
  return MBD_OK;
}

static mbd_status_t
one_state(terms_t * s, int i)
{
  const size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv, k = (size_t)i;
  row_t * row = &s->row[i];
  RETURN_IF_ERROR(mbd_set_state(s->model, s->data, s->q + k * nq, s->v + k * nv));
  RETURN_IF_ERROR(mbd_kinetic_energy(s->model, s->data, &row->kinetic));
  RETURN_IF_ERROR(mbd_potential_energy(s->model, s->data, &row->potential));
  set_positions(s, s->q + k * nq, value(s, Q_POSITION, i));
  return observe(s, i, value(s, Q_EXTERNAL, i));
}

//---------- a block ----------

static double
dot(const double * a, const double * b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// what follows from the numbers of a row alone
static void
sum_up(terms_t * s, int i)
{
  row_t * row = &s->row[i];
  const int nv = s->model->nv;
  double * x[Q_COUNT];
  for (int k = 0; k < Q_COUNT; k++) row->x[k] = x[k] = value(s, (quantity_t)k, i);
  for (int k = 0; k < nv; k++) {
    // the batch gave the sum of rigid bodies and rotors, and C v + g
    x[Q_INERTIA][k] -= x[Q_CORIOLIS][k];
    x[Q_CORIOLIS][k] -= x[Q_GRAVITY][k];
    x[Q_TOTAL][k] = x[Q_GRAVITY][k] + x[Q_CORIOLIS][k] + x[Q_INERTIA][k] + x[Q_FRICTION][k];
    x[Q_ERROR][k] = x[Q_MEASURED][k] - x[Q_TOTAL][k];
    x[Q_POWER][k] = x[Q_TOTAL][k] * x[Q_VELOCITY][k];
  }
  row->power_model = dot(x[Q_TOTAL], x[Q_VELOCITY], nv);
  row->power_measured = dot(x[Q_MEASURED], x[Q_VELOCITY], nv);
  row->power_friction = dot(x[Q_FRICTION], x[Q_VELOCITY], nv);
  row->power_external = dot(x[Q_EXTERNAL], x[Q_VELOCITY], nv);
}

static mbd_status_t
block(terms_t * s)
{
  const size_t all = (size_t)s->n * (size_t)s->model->nv * sizeof(double);
  double *g = value(s, Q_GRAVITY, 0), *h = value(s, Q_CORIOLIS, 0);
  RETURN_IF_ERROR(mbd_batch_gravity(s->batch, s->n, s->q, g));
  RETURN_IF_ERROR(mbd_batch_bias(s->batch, s->n, s->q, s->v, h));
  RETURN_IF_ERROR(
    mbd_batch_inverse_dynamics(s->batch, s->n, s->q, s->v, s->a, value(s, Q_INERTIA, 0)));
  memcpy(value(s, Q_VELOCITY, 0), s->v, all);
  memcpy(value(s, Q_ACCELERATION, 0), s->a, all);
  memset(value(s, Q_FRICTION, 0), 0, all);
  for (int i = 0; i < s->n; i++) {
    if (s->options.terms & MBD_TERM_FRICTION) {
      RETURN_IF_ERROR(mbd_friction(s->model, value(s, Q_VELOCITY, i), value(s, Q_FRICTION, i)));
    }
    RETURN_IF_ERROR(one_state(s, i));
    sum_up(s, i);
  }
  return MBD_OK;
}

bool
terms_flush(terms_t * s)
{
  if (s->n == 0) return true;
  const mbd_status_t status = block(s);
  if (status != MBD_OK) {
    fprintf(
      stderr, "mbdyn analyze: the dynamics of some state near t = %g s failed: %s\n", s->row[0].t,
      mbd_status_string(status));
    return false;
  }
  for (int i = 0; i < s->n; i++) {
    if (!s->options.on_row(s->options.to, &s->row[i])) return false;
  }
  s->n = 0;
  return true;
}

bool
terms_push(void * terms, const moved_t * m)
{
  terms_t * s = terms;
  const size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv, i = (size_t)s->n;
  memcpy(s->q + i * nq, m->q, nq * sizeof(double));
  memcpy(s->v + i * nv, m->v, nv * sizeof(double));
  memcpy(s->a + i * nv, m->a, nv * sizeof(double));
  memcpy(s->v_raw + i * nv, m->v_raw, nv * sizeof(double));
  memcpy(value(s, Q_MEASURED, s->n), m->effort, nv * sizeof(double));
  s->row[i] = (row_t){.stamp = m->stamp, .log_time = m->log_time, .t = m->t, .restart = m->restart};
  s->n++;
  return s->n < BLOCK || terms_flush(s);
}
