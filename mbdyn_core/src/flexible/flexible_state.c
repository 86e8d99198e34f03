// Workspace, stages and sweeps of a model with flexible links. Every carrier (body, link frame, node)
// hangs on one other and is moved there by columns: of a joint those of S, of a node those of its modes,
// which all nodes of a link share. The sweeps are those of a tree.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/integrate.h"
#include "model/joint.h"
#include "tree/tree.h"
#include "util/arena.h"

static const struct mbdi_flexible_layout *
layout_of(const mbd_model_t * model)
{
  return model->flexible->layout;
}

//---------- workspace ----------

#define TAKE(count, type) mbdi_arena_take(base, &offset, (size_t)(count), sizeof(type))

static void
point_at_columns(
  const mbd_model_t * model, const mbd_data_t * d, struct mbdi_flexible_data * f,
  mbd_motion_t * column, mbd_motion_t * rate)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  for (int k = 0; k < layout->ncarrier; k++) {
    const mbdi_carrier_t * c = &layout->carrier[k];
    f->rate[c->body] = rate;
    if (c->part < 0) {
      f->column[c->body] = d->S + c->dof;
      rate += c->n;
      continue;
    }
    const int modes = model->flexible->part[c->part].body->nmode;
    f->column[c->body] = column;
    column += modes, rate += modes;
  }
}

size_t
mbdi_flexible_lay_out(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  const size_t bodies = (size_t)mbdi_body_count(model), nv = (size_t)model->nv + 1;
  size_t offset = mbdi_tree_lay_out(model, base, d);
  struct mbdi_flexible_data f = {0};
  struct mbdi_flexible_data * self = TAKE(1, f);
  f.column = TAKE(bodies + 1, *f.column);
  f.rate = TAKE(bodies + 1, *f.rate);
  f.hinge = TAKE(model->flexible->npart + 1, *f.hinge);
  mbd_motion_t * column = TAKE(layout->ncolumn + 1, *column);
  mbd_motion_t * rate = TAKE(layout->ncolumn + 1, *rate);
  f.x = TAKE(nv, double), f.y = TAKE(nv, double), f.v = TAKE(nv, double);
  f.q = TAKE(model->nq + 1, double);
  f.M = TAKE(nv * nv, double);
  f.K = TAKE(2 * nv * nv, double);
  const size_t size = mbd_sko_size(layout->nunit, layout->shape);
  void * engine = TAKE(size, char);
  if (base) {
    if (mbd_sko_init(layout->nunit, layout->shape, engine, size, &f.sko) != MBD_OK) f.sko = NULL;
    point_at_columns(model, d, &f, column, rate);
    *self = f;
    d->work->flexible = self;
  }
  return offset;
}

mbd_status_t
mbdi_flexible_init(const mbd_model_t * model, mbd_data_t * data)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  mbd_sko_t * sko = data->work->flexible->sko;
  if (!sko) return MBD_ERROR_TOO_SMALL;
  CHECK(mbdi_tree_init(model, data));
  for (int i = model->nbody; i < mbdi_body_count(model); i++) {
    mbdi_put_inertia(data, i, &model->body[i].inertia);
  }
  // which numbers of v belong to each node of the engine
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    mbd_sko_node_t * node = &sko->node[k];
    const int first =
      unit->body >= 0 ? model->body[unit->body].v_index : model->flexible->part[unit->part].v_index;
    for (int c = 0; c < node->r; c++) node->dof[c] = first + c;
    if (unit->body >= 0 && node->rows == 6) node->rigid = &data->X_parent[unit->body];
  }
  return MBD_OK;
}

void
mbdi_flexible_set_terms(mbd_data_t * data, uint32_t terms)
{
  // rotors are in the blocks of the engine
  if ((data->terms ^ terms) & MBD_TERM_ROTORS) data->work->flexible->blocks = false;
  mbdi_tree_set_terms(data, terms);
}

void
mbdi_flexible_inertia_changed(mbd_data_t * data)
{
  data->work->flexible->blocks = false;
  mbdi_tree_inertia_changed(data);
}

//---------- position ----------

static mbd_motion_t
sum_columns(int n, const mbd_motion_t * column, const double * x)
{
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < n; k++) sum = mbdu_motion_add(sum, mbdu_motion_scale(x[k], column[k]));
  return sum;
}

static void
place_carrier(const mbd_model_t * model, mbd_data_t * data, const mbdi_carrier_t * c)
{
  const int i = c->body;
  mbd_placement_t * X = &data->X_parent[i];
  if (c->part < 0) {
    const mbd_body_t * body = &model->body[i];
    mbd_placement_t hinge;
    mbdi_joint_position(body, data->q + body->q_index, &hinge, data->S + body->v_index);
    *X = mbdu_placement_mul(&c->X, &hinge);
  } else if (c->node < 0) {
    const mbd_flexible_part_t * part = &model->flexible->part[c->part];
    struct mbdi_flexible_data * f = data->work->flexible;
    *X = c->X;
    mbdi_flexible_place_nodes(
      part->body, data->q + part->q_index, &f->hinge[c->part], X, f->column + i);
  }
  data->X_world[i] = c->up < 0 ? *X : mbdu_placement_mul(&data->X_world[c->up], X);
}

mbd_status_t
mbdi_flexible_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  data->error_body = -1;
  CHECK(mbdi_tree_load_state(model, data, q, NULL, NULL, NULL, 0));
  const struct mbdi_flexible_layout * layout = layout_of(model);
  for (int k = 0; k < layout->ncarrier; k++) place_carrier(model, data, &layout->carrier[k]);
  data->work->flexible->blocks = false;
  data->work->stage = MBD_STAGE_POSITION;
  return MBD_OK;
}

//---------- velocity ----------

static void
move_carrier(const mbd_model_t * model, mbd_data_t * data, const mbdi_carrier_t * c)
{
  const int i = c->body;
  struct mbdi_flexible_data * f = data->work->flexible;
  const mbd_motion_t * column = f->column[i];
  mbd_motion_t *rate = f->rate[i], V = sum_columns(c->n, column, data->v + c->dof);
  if (c->up >= 0) {
    V = mbdu_motion_add(V, mbdu_motion_to_child(&data->X_parent[i], data->V[c->up]));
  }
  if (c->part < 0) {
    const mbd_body_t * body = &model->body[i];
    mbd_motion_t * S_rate = data->S_rate + body->v_index;
    mbdi_joint_subspace_rate(body, data->q + body->q_index, data->v + body->v_index, S_rate);
    memcpy(rate, S_rate, (size_t)c->n * sizeof *rate);
  } else if (c->node < 0) {
    const mbd_flexible_part_t * part = &model->flexible->part[c->part];
    mbdi_flexible_move_nodes(
      part->body, data->q + part->q_index, data->v + part->v_index, &f->hinge[c->part],
      &data->X_parent[i], f->column + i, f->rate + i);
  }
  // d/dt in the world of columns that are written in axes that turn                 (5.11), (13.33)
  for (int k = 0; k < c->n; k++) {
    rate[k] = mbdu_motion_add(rate[k], mbdu_motion_cross(V, column[k]));
  }
  data->V[i] = V;
  data->a[i] = sum_columns(c->n, rate, data->v + c->dof);
}

mbd_status_t
mbdi_flexible_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  if (!copy_if_finite(data->v, v, model->nv)) return MBD_ERROR_NOT_FINITE;
  data->work->stage &= MBD_STAGE_POSITION | MBD_STAGE_ARTICULATED | MBD_STAGE_RESPONSE;
  const struct mbdi_flexible_layout * layout = layout_of(model);
  for (int k = 0; k < layout->ncarrier; k++) move_carrier(model, data, &layout->carrier[k]);
  data->work->stage |= MBD_STAGE_VELOCITY;
  return MBD_OK;
}

//---------- sweeps ----------

// alpha_k = phi_k^T alpha_p + columns qdd + a_k                                   (5.23), (13.32)
void
mbdi_flexible_accelerate(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, mbd_vec3_t base,
  mbd_motion_t * A)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  const mbd_motion_t world = {{0, 0, 0}, base};
  for (int k = 0; k < layout->ncarrier; k++) {
    const mbdi_carrier_t * c = &layout->carrier[k];
    const int i = c->body;
    const mbd_motion_t from = c->up < 0 ? world : A[c->up];
    mbd_motion_t a = mbdu_motion_add(mbdu_motion_to_child(&data->X_parent[i], from), data->a[i]);
    if (qdd)
      a = mbdu_motion_add(a, sum_columns(c->n, data->work->flexible->column[i], qdd + c->dof));
    A[i] = a;
  }
}

void
mbdi_flexible_motions(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, mbd_motion_t * W,
  mbd_motion_t * dW)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  for (int k = 0; k < layout->ncarrier; k++) {
    const mbdi_carrier_t * c = &layout->carrier[k];
    const int i = c->body;
    const mbd_placement_t * X = &data->X_parent[i];
    W[i] = sum_columns(c->n, data->work->flexible->column[i], x + c->dof);
    if (c->up >= 0) W[i] = mbdu_motion_add(W[i], mbdu_motion_to_child(X, W[c->up]));
    if (!dW) continue;
    dW[i] = sum_columns(c->n, data->work->flexible->rate[i], x + c->dof);
    if (c->up >= 0) dW[i] = mbdu_motion_add(dW[i], mbdu_motion_to_child(X, dW[c->up]));
  }
}

void
mbdi_flexible_gather_forces(
  const mbd_model_t * model, const mbd_data_t * data, mbd_force_t * F, double * tau)
{
  const struct mbdi_flexible_layout * layout = layout_of(model);
  memset(tau, 0, (size_t)model->nv * sizeof *tau);
  for (int k = layout->ncarrier - 1; k >= 0; k--) {
    const mbdi_carrier_t * c = &layout->carrier[k];
    const int i = c->body;
    for (int j = 0; j < c->n; j++) {
      tau[c->dof + j] += mbdu_power(F[i], data->work->flexible->column[i][j]);
    }
    if (c->up < 0) continue;
    F[c->up] = mbdu_force_add(F[c->up], mbdu_force_to_parent(&data->X_parent[i], F[i]));
  }
}
