// The workspace: one block, laid out by one function that also counts its size.
#include "mbdyn/data.h"

#include <stdlib.h>
#include <string.h>

#include "model/joint.h"
#include "state/check.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

#define TAKE(field, count) \
  d->field = mbdi_arena_take(base, &offset, (size_t)(count), sizeof *d->field)

size_t
mbdi_tree_lay_out(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  const int nbody = mbdi_body_count(model), nv = model->nv;
  size_t offset = 0;
  mbdi_arena_take(base, &offset, 1, sizeof *d);
  TAKE(inertia, nbody);
  TAKE(moments, nbody);
  TAKE(payload, model->nframe);
  TAKE(q, model->nq);
  TAKE(X_parent, nbody);
  TAKE(X_world, nbody);
  TAKE(S, nv);
  TAKE(v, nv);
  TAKE(V, nbody);
  TAKE(S_rate, nv);
  TAKE(a, nbody);
  TAKE(A_bias, nbody);
  TAKE(A, nbody);
  TAKE(f, nbody);
  TAKE(R, nbody);
  TAKE(P, nbody);
  TAKE(G, nv);
  TAKE(D_inv, model->nD);
  TAKE(Y, nbody);
  TAKE(z, nbody);
  TAKE(response, nbody);
  TAKE(F, nbody);
  TAKE(W, nbody);
  TAKE(x, nv);
  TAKE(nu, nv);
  TAKE(B, 36 * nbody);
  TAKE(path, nbody);
  TAKE(qdd, nv);
  TAKE(E, 8 * nv);
  return offset;
}

mbd_status_t
mbdi_tree_init(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbdi_put_inertia(data, i, &body->inertia);
    mbdi_joint_constant_subspace(body, data->S + body->v_index);
  }
  return MBD_OK;
}

size_t
mbd_data_size(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  mbd_data_t unused;
  // room to align the block wherever the caller's memory begins
  return model->engine->lay_out(model, NULL, &unused) + MBDI_ALIGNMENT - 1;
}

mbd_status_t
mbd_data_init(const mbd_model_t * model, void * memory, size_t size, mbd_data_t ** data)
{
  if (!model || !memory || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (size < mbd_data_size(model)) return MBD_ERROR_TOO_SMALL;

  char * base = memory;
  base += (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT;
  mbd_data_t d = {0};
  // zeros everywhere: denormal rubbish would be slow
  memset(base, 0, size - (size_t)(base - (char *)memory));
  model->engine->lay_out(model, base, &d);

  d.model = model;
  d.culprit = -1;
  d.gravity = model->gravity;
  *data = (mbd_data_t *)(void *)base;
  **data = d;
  return model->engine->init(model, *data);
}

mbd_status_t
mbd_data_create(const mbd_model_t * model, mbd_data_t ** data)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  const size_t size = mbd_data_size(model);
  void * memory = malloc(size);
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = mbd_data_init(model, memory, size, data);
  if (status != MBD_OK) {
    free(memory);
    return status;
  }
  (*data)->owned = memory;
  return MBD_OK;
}

void
mbd_data_destroy(mbd_data_t * data)
{
  if (data) free(data->owned);
}

mbd_status_t
mbd_set_gravity(mbd_data_t * data, mbd_vec3_t gravity)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_vec3(gravity)) return MBD_ERROR_NOT_FINITE;
  data->model->engine->set_gravity(data, gravity);
  return MBD_OK;
}

void
mbdi_tree_set_gravity(mbd_data_t * data, mbd_vec3_t gravity)
{
  data->gravity = gravity;
  forget_acceleration(data);
}

mbd_status_t
mbd_set_terms(mbd_data_t * data, uint32_t terms)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (terms & ~(uint32_t)(MBD_TERM_FRICTION | MBD_TERM_ROTORS)) return MBD_ERROR_BAD_ARGUMENT;
  data->model->engine->set_terms(data, terms);
  return MBD_OK;
}

void
mbdi_tree_set_terms(mbd_data_t * data, uint32_t terms)
{
  if (data->terms != terms) forget_acceleration(data);
  // rotors change the articulated bodies and all that follows from them
  if ((data->terms ^ terms) & MBD_TERM_ROTORS) {
    data->stage &= ~(
      uint32_t)(MBD_STAGE_ARTICULATED | MBD_STAGE_COMPLIANCE | MBD_STAGE_RESPONSE | MBD_STAGE_FACTORED);
  }
  data->terms = terms;
}

void
mbdi_tree_inertia_changed(mbd_data_t * data)
{
  forget_acceleration(data);
  data->stage &= MBD_STAGE_POSITION | MBD_STAGE_VELOCITY | MBD_STAGE_BIAS | STAGES_LATER;
}

void
mbdi_tree_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y)
{
  (void)data;
  copy_array(y, y_tree, model->nv);
}

const char *
mbd_culprit_name(const mbd_data_t * data)
{
  if (!data || data->culprit < 0 || data->culprit >= data->model->nbody) return NULL;
  return data->model->body[data->culprit].joint_name;
}
