// Momentum observer in exact discrete time.
#include "mbdyn/dynamics/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/opspace.h"
#include "state/state.h"
#include "tree/sweeps.h"

enum { VECTORS = 7 };

mbd_observer_options_t
mbd_observer_options_default(void)
{
  mbd_observer_options_t options = {1, 30, HUGE_VAL, HUGE_VAL};
  return options;
}

size_t
mbd_observer_size(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  const size_t nv = (size_t)model->nv;
  // the last term is to align the block
  return sizeof(mbd_observer_t) + VECTORS * nv * sizeof(double) + nv * sizeof(bool) +
         sizeof(double);
}

static mbd_status_t
check_options(const mbd_observer_options_t * o)
{
  if (o->order != 1 && o->order != 2) return MBD_ERROR_BAD_ARGUMENT;
  // written so that NaN fails; an infinite threshold disables the flag
  const bool good = o->gain > 0 && o->gain < HUGE_VAL && o->threshold_off >= 0 &&
                    o->threshold_off <= o->threshold_on;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_observer_init(
  const mbd_model_t * model, const mbd_observer_options_t * options, void * memory, size_t size,
  mbd_observer_t ** observer)
{
  if (!model || !memory || !observer) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (size < mbd_observer_size(model)) return MBD_ERROR_TOO_SMALL;
  const mbd_observer_options_t chosen = options ? *options : mbd_observer_options_default();
  CHECK(check_options(&chosen));

  const size_t nv = (size_t)model->nv;
  char * base = memory;
  base += (sizeof(double) - (uintptr_t)base % sizeof(double)) % sizeof(double);
  mbd_observer_t * o = (mbd_observer_t *)(void *)base;
  memset(o, 0, sizeof *o + VECTORS * nv * sizeof(double) + nv * sizeof(bool));
  double * vector = (double *)(void *)(base + sizeof *o);
  double ** const field[VECTORS] = {
    &o->torque, &o->threshold_on, &o->threshold_off, &o->lag, &o->p, &o->beta, &o->x};
  for (size_t k = 0; k < VECTORS; k++) *field[k] = vector + k * nv;
  o->contact = (bool *)(void *)(vector + VECTORS * nv);
  o->model = model;
  o->options = chosen;
  for (size_t k = 0; k < nv; k++) {
    o->threshold_on[k] = chosen.threshold_on;
    o->threshold_off[k] = chosen.threshold_off;
  }
  *observer = o;
  return MBD_OK;
}

mbd_status_t
mbd_observer_create(
  const mbd_model_t * model, const mbd_observer_options_t * options, mbd_observer_t ** observer)
{
  if (!model || !observer) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  const size_t size = mbd_observer_size(model);
  void * memory = malloc(size);
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = mbd_observer_init(model, options, memory, size, observer);
  if (status != MBD_OK) {
    free(memory);
    return status;
  }
  (*observer)->owned = memory;
  return MBD_OK;
}

void
mbd_observer_destroy(mbd_observer_t * observer)
{
  if (observer) free(observer->owned);
}

mbd_status_t
mbd_observer_reset(mbd_observer_t * observer)
{
  if (!observer) return MBD_ERROR_NULL_ARGUMENT;
  const size_t nv = (size_t)observer->model->nv;
  observer->started = false;
  memset(observer->torque, 0, nv * sizeof(double));
  memset(observer->lag, 0, nv * sizeof(double));
  memset(observer->contact, 0, nv * sizeof(bool));
  return MBD_OK;
}

// first- or second-order low-pass of the mean external torque d, then the contact flag with hysteresis
static void
filter(mbd_observer_t * o, int k, double d, double alpha)
{
  const double decay = 1 - alpha;
  o->lag[k] = decay * o->lag[k] + alpha * d;
  const double in = o->options.order == 1 ? o->lag[k] : decay * o->torque[k] + alpha * o->lag[k];
  o->torque[k] = in;
  const double level = fabs(in);
  if (level > o->threshold_on[k]) o->contact[k] = true;
  if (level < o->threshold_off[k]) o->contact[k] = false;
}

mbd_status_t
mbd_observer_update(mbd_observer_t * observer, mbd_data_t * data, const double * tau, double dt)
{
  if (!observer || !tau) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = observer->model;
  const int nv = model->nv;
  if (!(dt > 0 && dt < HUGE_VAL)) return MBD_ERROR_BAD_ARGUMENT;
  // known forces now, in scratch; momentum now, in the workspace's
  if (model->internal->engine->momentum_and_rate) {
    CHECK(check_any(model, data, 0));
    CHECK(model->internal->engine->momentum_and_rate(model, data, tau, data->work->x, observer->x));
  } else {
    CHECK(mbd_momentum_rate(model, data, tau, NULL, observer->x));
    CHECK(mbd_momentum(model, data, data->work->x));
  }
  if (!finite_array(observer->x, nv) || !finite_array(data->work->x, nv))
    return MBD_ERROR_NOT_FINITE;

  // mean external torque; overflows if dt is too short
  for (int k = 0; k < nv; k++) {
    const double known = 0.5 * (observer->x[k] + observer->beta[k]);
    data->work->nu[k] = observer->started ? (data->work->x[k] - observer->p[k]) / dt - known : 0;
  }
  if (!finite_array(data->work->nu, nv)) return MBD_ERROR_NOT_FINITE;

  // 1 - exp(-gain dt) by expm1: no cancellation for small arguments
  const double alpha = -expm1(-observer->options.gain * dt);
  for (int k = 0; k < nv; k++) {
    if (observer->started) filter(observer, k, data->work->nu[k], alpha);
    observer->p[k] = data->work->x[k];
    observer->beta[k] = observer->x[k];
  }
  observer->started = true;
  return MBD_OK;
}

mbd_status_t
mbd_observer_wrench(
  const mbd_observer_t * observer, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_force_t * f)
{
  if (!observer || !f) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = observer->model;
  double inertia[36];
  CHECK(mbd_operational_space_inertia(model, data, frame, reference, inertia, NULL));
  // frame placement, which kernels do not store
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  memset(f, 0, sizeof *f);
  const int body = model->frame[frame].body;
  if (body < 0) return MBD_OK;
  CHECK(model->internal->engine->prepare_solve(model, data));
  // J M^-1 tau_ext, then Lambda
  memcpy(data->work->x, observer->torque, (size_t)model->nv * sizeof *data->work->x);
  model->internal->engine->solve(model, data, data->work->x);
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  const mbd_motion_t A = mbdu_motion_to_child(&X, data->work->W[body]);
  const double a[6] = {A.ang.x, A.ang.y, A.ang.z, A.lin.x, A.lin.y, A.lin.z};
  double y[6] = {0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) y[i] += inertia[6 * i + j] * a[j];
  }
  f->ang = mbdu_vec3(y[0], y[1], y[2]);
  f->lin = mbdu_vec3(y[3], y[4], y[5]);
  return MBD_OK;
}
