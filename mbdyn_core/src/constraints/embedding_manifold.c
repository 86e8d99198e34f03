// Configurations of an embedded model: points of the tree's at which the loops are closed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"

//---------- where to begin ----------

// a random step of all joints away from q
static mbd_status_t
stray(
  const mbd_model_t * tree, const double * q, double size, uint64_t seed, double * v, double * out)
{
  uint64_t state = seed;
  for (int k = 0; k < tree->nv; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v[k] = size * ((double)(state >> 11) * 0x1p-52 - 1);
  }
  return mbd_integrate(tree, q, v, 1, out);
}

static mbd_status_t
assemble_near(
  mbd_model_t * tree, mbd_data_t * data, const double * guess, double * work, double * q)
{
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.tolerance = 1e-11;
  mbd_assembly_t result;
  mbd_status_t status = mbd_assemble(tree, data, &options, guess, work, q, &result);
  if (status != MBD_OK && result.error_closure >= 0 && result.error_closure < tree->nclosure) {
    tree->error_name = tree->closure[result.error_closure].name;
  }
  return status;
}

// from a singular one, to one nearby that is not
static mbd_status_t
leave_singular(mbd_model_t * tree, mbd_data_t * data, double * work, double * v, double * q)
{
  double * guess = v + tree->nv;
  for (uint64_t k = 1; k <= 12; k++) {
    CHECK(stray(tree, q, k < 7 ? 0.2 : 0.7, k, v, guess));
    const mbd_status_t status = assemble_near(tree, data, guess, work, guess);
    if (status != MBD_OK && status != MBD_ERROR_LOCKED && status != MBD_ERROR_NOT_ASSEMBLED) {
      return status;
    }
    if (status != MBD_OK) continue;
    memcpy(q, guess, (size_t)tree->nq * sizeof *q);
    tree->error_name = NULL;
    return MBD_OK;
  }
  return MBD_ERROR_LOCKED;
}

mbd_status_t
mbdi_reference_configuration(
  mbd_model_t * tree, mbd_data_t * data, const double * guess, double * q)
{
  if (guess) {
    memcpy(q, guess, (size_t)tree->nq * sizeof *q);
  } else {
    CHECK(mbd_neutral(tree, q));
  }
  if (tree->nclosure == 0) return mbd_normalize(tree, q);
  const size_t numbers = mbd_assembly_work(tree) + (size_t)(tree->nv + tree->nq);
  double * work = calloc(numbers + 1, sizeof *work);
  if (!work) return MBD_ERROR_OUT_OF_MEMORY;
  double * v = work + mbd_assembly_work(tree);
  mbd_status_t status = assemble_near(tree, data, q, work, q);
  if (status == MBD_ERROR_LOCKED) status = leave_singular(tree, data, work, v, q);
  free(work);
  return status;
}

//---------- workspaces ----------

// one of the pool; there are more than threads that integrate one model at once, as a rule
static int
borrow(struct mbdi_embedding * e)
{
  for (;;) {
    for (int k = 0; k < MBD_POOL; k++) {
      if (!atomic_flag_test_and_set_explicit(&e->taken[k], memory_order_acquire)) return k;
    }
  }
}

static void
give_back(struct mbdi_embedding * e, int k)
{
  atomic_flag_clear_explicit(&e->taken[k], memory_order_release);
}

//---------- the family of integrate.h ----------

mbd_status_t
mbd_integrate_in(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v, double dt,
  double * q_out)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!q || !v || !q_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(v, model->nv) || !finite_array(&dt, 1)) return MBD_ERROR_NOT_FINITE;
  struct mbdi_embedded * w = data->work->embedded;
  CHECK(mbdi_embedded_load_position(model, data, q));
  CHECK(mbdi_embedded_tree_velocity(model, data, v, w->v_tree));
  CHECK(mbd_integrate(model->tree, data->tree->q, w->v_tree, dt, w->q_step));
  w->time += dt;
  CHECK(mbdi_embedded_load_position_from(model, data, w->q_step, HUGE_VAL));
  memcpy(q_out, data->q, (size_t)model->nq * sizeof *q_out);
  return MBD_OK;
}

bool
mbdi_embedded_driven(const mbd_model_t * model)
{
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_driver_t * driver = &model->closure[k].driver;
    if (driver->at || driver->rate != 0) return true;
  }
  return false;
}

// drivers that do not stand still need to know the time
static mbd_status_t
check_drivers(const mbd_model_t * model)
{
  return mbdi_embedded_driven(model) ? MBD_ERROR_UNSUPPORTED : MBD_OK;
}

mbd_status_t
mbdi_embedded_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  CHECK(check_drivers(model));
  struct mbdi_embedding * e = model->internal->embedding;
  const int k = borrow(e);
  const mbd_status_t status = mbd_integrate_in(model, e->pool[k], q, v, dt, q_out);
  give_back(e, k);
  return status;
}

mbd_status_t
mbdi_embedded_difference(
  const mbd_model_t * model, const double * q0, const double * q1, double * v)
{
  if (!q0 || !q1 || !v) return MBD_ERROR_NULL_ARGUMENT;
  struct mbdi_embedding * e = model->internal->embedding;
  const int k = borrow(e);
  double * all = e->pool[k]->work->embedded->v_tree;
  mbd_status_t status = mbd_difference(model->tree, q0, q1, all);
  if (status == MBD_OK) status = mbd_reduce_velocity(model, all, v);
  give_back(e, k);
  return status;
}

mbd_status_t
mbdi_embedded_normalize(const mbd_model_t * model, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_drivers(model));
  struct mbdi_embedding * e = model->internal->embedding;
  const int k = borrow(e);
  mbd_status_t status = mbdi_embedded_set_position(model, e->pool[k], q);
  if (status == MBD_OK) memcpy(q, e->pool[k]->q, (size_t)model->nq * sizeof *q);
  give_back(e, k);
  return status;
}

// independent joints at random, the others closed: from the rest configuration in steps that Newton
// follows; where a loop does not go that far, it stays on the way
static mbd_status_t
random_in(const mbd_model_t * model, mbd_data_t * data, uint64_t seed, double * q)
{
  enum { STEPS = 16 };
  const struct mbdi_embedding * e = model->internal->embedding;
  struct mbdi_embedded * w = data->work->embedded;
  CHECK(mbd_random_configuration(model->tree, seed, q));
  CHECK(mbd_difference(model->tree, e->q_rest, q, w->v_tree));
  CHECK(mbd_reduce_velocity(model, w->v_tree, data->v));
  for (int k = 0; k < model->nv; k++) data->v[k] /= STEPS;
  memcpy(q, e->q_rest, (size_t)model->nq * sizeof *q);
  for (int k = 0; k < STEPS; k++) {
    if (mbd_integrate_in(model, data, q, data->v, 1, q) != MBD_OK) break;
  }
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_random_configuration(const mbd_model_t * model, uint64_t seed, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_drivers(model));
  struct mbdi_embedding * e = model->internal->embedding;
  const int k = borrow(e);
  const mbd_status_t status = random_in(model, e->pool[k], seed, q);
  give_back(e, k);
  return status;
}
