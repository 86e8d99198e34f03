// The workspace: one block, laid out by one function that also counts its size.
#include "mbdyn/data.h"

#include <stdlib.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "model/joint.h"
#include "simd/kernels.h"
#include "state/check.h"
#include "tree/sweeps.h"

enum { ALIGNMENT = 64 };

// the next aligned piece of the block; NULL base only counts
static void *
take(char * base, size_t * offset, size_t count, size_t size)
{
  void * piece = base ? base + *offset : NULL;
  const size_t bytes = count * size;
  *offset += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return piece;
}

#define TAKE(field, count) d->field = take(base, &offset, (size_t)(count), sizeof *d->field)

// the same of an embedded model: the tree's workspace, vectors of independent velocities, and what
// the embedding needs
static size_t
lay_out_embedded(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  size_t offset = 0;
  take(base, &offset, 1, sizeof *d);
  const size_t size = mbd_data_size(model->tree);
  char * tree = take(base, &offset, size, 1);
  if (base) {
    mbd_data_t * on = NULL;
    if (mbd_data_init(model->tree, tree, size, &on) != MBD_OK) return 0;
    on->keeps_mimic = true;
    *d = *on;
    d->tree = on;
  }
  TAKE(v, model->nv);
  TAKE(x, model->nv);
  TAKE(nu, model->nv);
  TAKE(qdd, model->nv);
  return offset + mbdi_embedded_layout(model, base ? base + offset : NULL, &d->embedded);
}

// pointers of d into the block at base; returns the block's size
static size_t
lay_out(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  if (model->tree) return lay_out_embedded(model, base, d);
  const int nbody = model->nbody, nv = model->nv;
  size_t offset = 0;
  take(base, &offset, 1, sizeof *d);
  TAKE(inertia, nbody);
  TAKE(moments, nbody);
  TAKE(lean, 2 * nbody);
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
  TAKE(kernel, mbdi_kernels_one()->work(model->plan));
  return offset;
}

size_t
mbd_data_size(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  mbd_data_t unused;
  // room to align the block wherever the caller's memory begins
  return lay_out(model, NULL, &unused) + ALIGNMENT - 1;
}

mbd_status_t
mbd_data_init(const mbd_model_t * model, void * memory, size_t size, mbd_data_t ** data)
{
  if (!model || !memory || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (size < mbd_data_size(model)) return MBD_ERROR_TOO_SMALL;

  char * base = memory;
  base += (ALIGNMENT - (uintptr_t)base % ALIGNMENT) % ALIGNMENT;
  mbd_data_t d = {0};
  // zeros everywhere: denormal rubbish would be slow
  memset(base, 0, size - (size_t)(base - (char *)memory));
  lay_out(model, base, &d);

  d.model = model;
  d.culprit = -1;
  d.gravity = model->gravity;
  for (int i = 0; !model->tree && i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbdi_put_inertia(&d, i, &body->inertia);
    mbdi_joint_constant_subspace(body, d.S + body->v_index);
  }
  *data = (mbd_data_t *)(void *)base;
  **data = d;
  return model->tree ? mbdi_embedded_init(model, *data) : MBD_OK;
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
  data->gravity = gravity;
  forget_acceleration(data);
  return data->tree ? mbd_set_gravity(data->tree, gravity) : MBD_OK;
}

mbd_status_t
mbd_set_terms(mbd_data_t * data, uint32_t terms)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (terms & ~(uint32_t)(MBD_TERM_FRICTION | MBD_TERM_ROTORS)) return MBD_ERROR_BAD_ARGUMENT;
  if (data->terms != terms) forget_acceleration(data);
  // rotors change the articulated bodies and all that follows from them
  if ((data->terms ^ terms) & MBD_TERM_ROTORS) {
    data->stage &= ~(
      uint32_t)(MBD_STAGE_ARTICULATED | MBD_STAGE_COMPLIANCE | MBD_STAGE_RESPONSE | MBD_STAGE_FACTORED);
  }
  data->terms = terms;
  if (!data->tree) return MBD_OK;
  data->embedded->blocks = false;
  return mbd_set_terms(data->tree, terms);
}

const char *
mbd_culprit_name(const mbd_data_t * data)
{
  if (!data || data->culprit < 0 || data->culprit >= data->model->nbody) return NULL;
  return data->model->body[data->culprit].joint_name;
}
