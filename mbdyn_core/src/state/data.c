// The workspace: one block, laid out by one function that also counts its size.
#include "mbdyn/data.h"

#include <stdlib.h>
#include <string.h>

#include "state/state.h"
#include "util/arena.h"

size_t
mbd_data_size(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  struct mbdi_data work;
  mbd_data_t unused = {.work = &work};
  // bytes to align the block wherever the caller's memory begins
  return model->internal->engine->lay_out_workspace(model, NULL, &unused) + MBDI_ALIGNMENT - 1;
}

mbd_status_t
mbd_data_init(const mbd_model_t * model, void * memory, size_t size, mbd_data_t ** data)
{
  if (!model || !memory || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (size < mbd_data_size(model)) return MBD_ERROR_TOO_SMALL;

  char * base = memory;
  base += (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT;
  struct mbdi_data work = {0};
  mbd_data_t d = {.work = &work};
  // zeros everywhere: denormal rubbish would be slow
  memset(base, 0, size - (size_t)(base - (char *)memory));
  model->internal->engine->lay_out_workspace(model, base, &d);

  d.model = model;
  d.error_body = -1;
  d.gravity = model->gravity;
  mbdi_data_block_t * block = (mbdi_data_block_t *)(void *)base;
  block->work = work;
  block->data = d;
  block->data.work = &block->work;
  *data = &block->data;
  return model->internal->engine->init(model, *data);
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
  (*data)->work->owned = memory;
  return MBD_OK;
}

void
mbd_data_destroy(mbd_data_t * data)
{
  if (data) free(data->work->owned);
}

mbd_status_t
mbd_set_gravity(mbd_data_t * data, mbd_vec3_t gravity)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_vec3(gravity)) return MBD_ERROR_NOT_FINITE;
  data->model->internal->engine->set_gravity(data, gravity);
  return MBD_OK;
}

mbd_status_t
mbd_set_terms(mbd_data_t * data, uint32_t terms)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (terms & ~(uint32_t)(MBD_TERM_FRICTION | MBD_TERM_ROTORS | MBD_TERM_ELEMENTS))
    return MBD_ERROR_BAD_ARGUMENT;
  data->model->internal->engine->set_terms(data, terms);
  return MBD_OK;
}

const char *
mbd_error_joint_name(const mbd_data_t * data)
{
  if (!data || data->error_body < 0 || data->error_body >= data->model->nbody) return NULL;
  return data->model->body[data->error_body].joint_name;
}
