// What `mbdyn eval` adds for a robot with loops, gears or mimic joints.
#include "eval_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "return_if_error.h"

bool
eval_loops_create(const mbd_model_t * model, eval_loops_t * loops)
{
  const mbd_model_t * tree = model->tree;
  const size_t nv = (size_t)tree->nv, nq = (size_t)tree->nq, nrow = (size_t)tree->nrow;
  double * x = calloc(nq + 3 * nv + nrow + mbd_assembly_work(tree) + 1, sizeof *x);
  *loops = (eval_loops_t){.q = x, .held = calloc(nv + 1, sizeof *loops->held)};
  if (!x || !loops->held || mbd_data_create(tree, &loops->on) != MBD_OK) {
    fputs("mbdyn eval: out of memory\n", stderr);
    return false;
  }
  loops->v = x + nq;
  loops->qdd = loops->v + nv;
  loops->tau = loops->qdd + nv;
  loops->lambda = loops->tau + nv;
  loops->work = loops->lambda + nrow;
  for (int k = 0; k < model->nv; k++) loops->held[model->dof_tree[k]] = true;
  return true;
}

void
eval_loops_free(eval_loops_t * loops)
{
  mbd_data_destroy(loops->on);
  free(loops->held);
  free(loops->q);  // and all behind it
}

mbd_status_t
eval_loops_close(const mbd_model_t * model, eval_loops_t * loops, eval_state_t * state)
{
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.held = loops->held;
  RETURN_IF_ERROR(
    mbd_assemble(model->tree, loops->on, &options, state->q, loops->work, loops->q, NULL));
  memcpy(state->q, loops->q, (size_t)model->nq * sizeof *state->q);
  return MBD_OK;
}

mbd_status_t
eval_loops_friction(mbd_data_t * data, eval_loops_t * loops, double * friction)
{
  const mbd_model_t * model = data->model;
  RETURN_IF_ERROR(mbd_tree_velocity(model, data, NULL, loops->v));
  RETURN_IF_ERROR(mbd_friction(model->tree, loops->v, loops->tau));
  return mbd_reduce_torque(model, data, loops->tau, friction);
}

mbd_status_t
eval_loops_compute(
  mbd_data_t * data, const eval_state_t * state, const double * qdd, eval_loops_t * loops)
{
  const mbd_model_t * model = data->model;
  memcpy(loops->q, data->q, (size_t)model->nq * sizeof *loops->q);
  RETURN_IF_ERROR(mbd_tree_velocity(model, data, NULL, loops->v));
  RETURN_IF_ERROR(mbd_tree_acceleration(model, data, qdd, loops->qdd));
  RETURN_IF_ERROR(mbd_tree_torque(model, state->tau, loops->tau));
  return mbd_closure_forces(model, data, qdd, loops->tau, &state->f_ext, loops->lambda);
}
