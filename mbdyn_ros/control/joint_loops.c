// Joint states of a robot with loops and gears: all its joints in messages, independent ones in the
// state. Joints that no message has stay where the loops had them, and are solved for from there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_input_internal.h"
#include "mbdyn/constraints/embedding.h"

// without loops the public arrays are those of all joints
static bool
share(joint_input_t * input)
{
  struct joint_input_private * p = input->p;
  input->q = p->q;
  input->v = p->v;
  input->acceleration = p->a;
  input->effort = p->effort;
  input->velocity_given = p->velocity_given;
  return true;
}

bool
joint_loops_init(joint_input_t * input)
{
  const mbd_model_t * model = input->model;
  const size_t nq = (size_t)model->nq + 1, nv = (size_t)model->nv + 1;
  if (!model->tree) return share(input);
  if (mbd_data_create(model, &input->p->loops) != MBD_OK) return false;
  input->q = calloc(nq, sizeof *input->q);
  input->v = calloc(nv, sizeof *input->v);
  input->acceleration = calloc(nv, sizeof *input->acceleration);
  input->effort = calloc((size_t)model->tree->nv + 1, sizeof *input->effort);
  input->velocity_given = calloc(nv, sizeof *input->velocity_given);
  for (int k = 0; k < model->tree->nv; k++) input->p->dependent[k] = true;
  for (int k = 0; k < model->nv; k++) input->p->dependent[model->dof_tree[k]] = false;
  return input->q && input->v && input->acceleration && input->effort && input->velocity_given;
}

void
joint_loops_fini(joint_input_t * input)
{
  if (!input->p->loops) return;
  mbd_data_destroy(input->p->loops);
  free(input->q);
  free(input->v);
  free(input->acceleration);
  free(input->effort);
  free(input->velocity_given);
}

// torques of all motors as the independent joints feel them; unknown ones of dependent joints are
// none
static void
reduce_effort(joint_input_t * input)
{
  struct joint_input_private * p = input->p;
  const mbd_model_t * model = input->model;
  for (int k = 0; k < p->tree->nv; k++) {
    input->effort[k] = isnan(p->effort[k]) ? 0 : p->effort[k];
  }
  if (mbd_reduce_torque(model, p->loops, input->effort, input->effort) != MBD_OK) p->open = true;
  for (int k = 0; k < model->nv; k++) {
    if (isnan(p->effort[model->dof_tree[k]])) input->effort[k] = (double)NAN;
  }
}

void
joint_loops_close(joint_input_t * input)
{
  struct joint_input_private * p = input->p;
  const mbd_model_t * model = input->model;
  if (!p->loops) return;
  p->open = mbd_set_position(model, p->loops, p->q) != MBD_OK;
  if (p->open) return;
  memcpy(input->q, p->loops->q, (size_t)model->nq * sizeof *input->q);
  // the next guess; joints that are heard of are written over
  memcpy(p->q, input->q, (size_t)model->nq * sizeof *p->q);
  for (int k = 0; k < model->nv; k++) {
    const int j = model->dof_tree[k];
    input->v[k] = p->v[j];
    input->acceleration[k] = p->a[j];
    input->velocity_given[k] = p->velocity_given[j];
  }
  reduce_effort(input);
}
