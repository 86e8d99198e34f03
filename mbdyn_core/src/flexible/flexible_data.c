// The workspace of a robot with links that bend.
#include <stdlib.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "model/joint.h"
#include "state/state.h"
#include "util/arena.h"

#define TAKE(count, type) mbdi_arena_take(base, &offset, (size_t)(count) * sizeof(type), 1)

static size_t
lay_out_vectors(mbd_flexible_data_t * d, char * base, size_t offset)
{
  const size_t nq = (size_t)d->flexible->nq + 1, nv = (size_t)d->flexible->nv + 1;
  d->q = TAKE(nq, double);
  d->v = TAKE(nv, double);
  d->x = TAKE(nv, double);
  d->y = TAKE(nv, double);
  d->q0 = TAKE(nq, double);
  d->v0 = TAKE(nv, double);
  for (int k = 0; k < 2; k++) d->qs[k] = TAKE(nq, double);
  for (int k = 0; k < 8; k++) d->k[k] = TAKE(nv, double);
  d->M = TAKE(nv * nv, double);
  d->K = TAKE(2 * nv * nv, double);
  return offset;
}

// pointers into the block at base; the engine comes last, and its place is returned
static size_t
lay_out(mbd_flexible_data_t * d, char * base)
{
  const mbd_flexible_t * f = d->flexible;
  const struct mbd_flexible_layout * layout = f->layout;
  size_t offset = 0, columns = 0, numbers = 0;
  for (int p = 0; p < f->npart; p++) {
    columns += (size_t)(f->part[p].body->nnode + 1) * (size_t)f->part[p].body->nmode;
  }
  for (int k = 0; k < layout->nunit; k++) numbers += (size_t)layout->shape[k].n;
  TAKE(1, *d);
  d->S = TAKE(f->model->nv + 1, *d->S);
  d->V = TAKE(layout->nunit + 1, *d->V);
  d->X = TAKE(layout->nunit + 1, *d->X);
  d->X_world = TAKE(layout->nunit + 1, *d->X_world);
  d->node = TAKE(layout->nnode + 1, *d->node);
  d->bias = TAKE(numbers + 1, double);
  mbd_motion_t * column = TAKE(columns + 1, *column);
  for (int p = 0; base && p < f->npart; p++) {
    const mbd_modal_body_t * body = f->part[p].body;
    mbdi_flexible_node_t * node = d->node + layout->first_node[p];
    for (int k = 0; k <= body->nnode; k++, column += body->nmode) node[k].column = column;
  }
  return lay_out_vectors(d, base, offset);
}

size_t
mbd_flexible_data_size(const mbd_flexible_t * flexible)
{
  if (!flexible) return 0;
  mbd_flexible_data_t unused = {.flexible = flexible};
  const struct mbd_flexible_layout * layout = flexible->layout;
  return lay_out(&unused, NULL) + mbd_sko_size(layout->nunit, layout->shape) + MBDI_ALIGNMENT - 1;
}

// which numbers of v belong to each node of the engine, and columns that do not change
static void
prepare(mbd_flexible_data_t * d)
{
  const mbd_flexible_t * f = d->flexible;
  const struct mbd_flexible_layout * layout = f->layout;
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    mbd_sko_node_t * node = &d->sko->node[k];
    const mbd_body_t * body = unit->body >= 0 ? &f->model->body[unit->body] : NULL;
    const int first = body ? body->v_index : f->model->nv + f->part[unit->part].eta;
    for (int c = 0; c < node->r; c++) node->dof[c] = first + c;
    if (body) {
      mbdi_joint_constant_subspace(body, d->S + body->v_index);
      if (node->rows == 6) node->rigid = &d->X[k];
    }
  }
}

mbd_status_t
mbd_flexible_data_init(
  const mbd_flexible_t * flexible, void * memory, size_t size, mbd_flexible_data_t ** data)
{
  if (!flexible || !memory || !data) return MBD_ERROR_NULL_ARGUMENT;
  const size_t needed = mbd_flexible_data_size(flexible);
  if (size < needed) return MBD_ERROR_TOO_SMALL;
  char * base = memory;
  base += (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT;
  memset(base, 0, needed - (MBDI_ALIGNMENT - 1));
  mbd_flexible_data_t made = {.flexible = flexible, .gravity = flexible->model->gravity};
  const size_t engine = lay_out(&made, base);
  const struct mbd_flexible_layout * layout = flexible->layout;
  CHECK(mbd_sko_init(
    layout->nunit, layout->shape, base + engine, needed - (MBDI_ALIGNMENT - 1) - engine,
    &made.sko));
  prepare(&made);
  *data = (mbd_flexible_data_t *)(void *)base;
  **data = made;
  return MBD_OK;
}

mbd_status_t
mbd_flexible_data_create(const mbd_flexible_t * flexible, mbd_flexible_data_t ** data)
{
  if (!flexible || !data) return MBD_ERROR_NULL_ARGUMENT;
  const size_t size = mbd_flexible_data_size(flexible);
  void * memory = malloc(size);
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = mbd_flexible_data_init(flexible, memory, size, data);
  if (status != MBD_OK) {
    free(memory);
    return status;
  }
  (*data)->owned = memory;
  return MBD_OK;
}

void
mbd_flexible_data_destroy(mbd_flexible_data_t * data)
{
  if (data) free(data->owned);
}

mbd_status_t
mbd_flexible_set_gravity(mbd_flexible_data_t * data, mbd_vec3_t gravity)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_vec3(gravity)) return MBD_ERROR_NOT_FINITE;
  data->gravity = gravity;
  return MBD_OK;
}

mbd_status_t
mbd_flexible_set_terms(mbd_flexible_data_t * data, uint32_t terms)
{
  if (!data) return MBD_ERROR_NULL_ARGUMENT;
  if (terms & ~(uint32_t)(MBD_TERM_FRICTION | MBD_TERM_ROTORS)) return MBD_ERROR_BAD_ARGUMENT;
  // rotors are in the blocks of the engine
  if (terms != data->terms) data->ready = false;
  data->terms = terms;
  return MBD_OK;
}
