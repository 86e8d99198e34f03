// State of an embedded model: stages, velocities and Xdot v (15.27), and conversions.
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "tree/element.h"
#include "tree/sweeps.h"

mbd_status_t
mbdi_embedded_arguments(const mbd_model_t * model, const mbd_data_t * data)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  return model->tree ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbdi_embedded_check(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(mbdi_embedded_arguments(model, data));
  return mbd_complete_stages(model, data);
}

mbd_status_t
mbdi_embedded_complete_stages(const mbd_model_t * model, mbd_data_t * data)
{
  const mbd_model_t * tree = model->tree;
  mbd_data_t * on = data->tree;
  CHECK(mbd_complete_stages(tree, on));
  data->work->embedded->placed = true;
  if (stage_any(data, MBD_STAGE_DEFERRED)) {
    const double * qdd = data->work->embedded->qdd_tree;
    tree->internal->engine->accelerate(tree, on, qdd, mbdu_vec3_neg(on->gravity), on->A);
    stage_set(on, MBD_STAGE_ACCELERATION);
  }
  mbdi_embedded_sync(data);
  return MBD_OK;
}

void
mbdi_embedded_sync(mbd_data_t * data)
{
  stage_reset(
    data, stage_bits(data->tree) & (MBD_STAGE_POSITION | MBD_STAGE_VELOCITY | MBD_STAGE_BIAS |
                                    MBD_STAGE_ACCELERATION | MBD_STAGE_COMPOSITE));
  if (data->tree->error_body >= 0) data->error_body = data->tree->error_body;
}

//---------- velocities ----------

// dependent part of rows Y x = b of a group, added to x (of all joints of the tree); b is
// overwritten
static mbd_status_t
add_dependent(const mbd_model_t * model, mbd_data_t * data, int g, double * b, double * x)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  mbdi_loop_t * loop = &data->work->embedded->loop[g];
  double * part = data->work->embedded->wide;
  mbdi_loop_factor(group, loop);
  mbdi_eliminated_solve(
    group->nrow, group->ndof, loop->LU, group->ndep, loop->col, loop->row, b, part);
  for (int k = 0; k < group->ndep; k++) x[group->dof[group->dep[k]]] += part[group->dep[k]];
  return MBD_OK;
}

// v_tree += x0: what drivers make dependent joints do
static mbd_status_t
add_drivers(const mbd_model_t * model, mbd_data_t * data, double * v_tree)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  if (!e->driven) return MBD_OK;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    double * U = data->work->embedded->rows;
    bool driven = false;
    for (int j = 0, row = 0; j < group->nclosure; j++) {
      const mbd_closure_t * c = &model->tree->closure[group->closure[j]];
      double s[3];
      CHECK(mbdi_closure_drive(c, data->work->embedded->time, s));
      memset(U + row, 0, (size_t)c->nrow * sizeof *U);
      U[row + c->driver.row] = s[1];
      driven |= s[1] != 0;
      row += c->nrow;
    }
    if (driven) CHECK(add_dependent(model, data, e->aggregate[k], U, v_tree));
  }
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_tree_velocity(
  const mbd_model_t * model, mbd_data_t * data, const double * v, double * v_tree)
{
  mbdi_embedded_expand(model, data, v, v_tree);
  return add_drivers(model, data, v_tree);
}

// Velocities of a group's bodies and their accelerations at zero joint acceleration, with the body that
// carries the group at rest: gamma depends on relative motions alone. V, a and A_bias are scratch until
// the stages are completed.
static void
move_group(const mbd_model_t * tree, mbd_data_t * on, const mbdi_group_t * group, const double * v)
{
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  if (group->parent >= 0) on->V[group->parent] = on->A_bias[group->parent] = rest;
  for (int s = 0; s < group->nbody; s++) {
    const int i = group->body[s];
    const mbd_body_t * body = &tree->body[i];
    const double * rate = v + body->v_index;
    const mbd_motion_t delta = joint_motion(body, on->S + body->v_index, rate);
    mbd_motion_t V = delta, A = rest;
    if (group->inside[s] >= 0) {
      V = mbdu_motion_add(V, mbdu_motion_to_child(&on->X_parent[i], on->V[body->parent]));
      A = mbdu_motion_to_child(&on->X_parent[i], on->A_bias[body->parent]);
    }
    A = mbdu_motion_add(A, mbdu_motion_cross(V, delta));  // (5.11), (5.23)
    mbd_motion_t * S_rate = on->S_rate + body->v_index;
    if (mbdi_joint_subspace_rate(body, on->q + body->q_index, rate, S_rate)) {
      for (int k = 0; k < body->nv; k++) {
        A = mbdu_motion_add(A, mbdu_motion_scale(rate[k], S_rate[k]));
      }
    }
    on->V[i] = V;
    on->A_bias[i] = A;
  }
}

// the same of all bodies: rows of velocity depend on motions relative to the world, also on that of the
// frame they are written in, which need not be of the group
static void
move_tree(const mbd_model_t * tree, mbd_data_t * on)
{
  mbdi_velocity_stage(tree, on);
  stage_clear(on, MBD_STAGE_BIAS);
  on->work->bias_qdd = NULL;
  tree->internal->engine->bias_stage(tree, on);
}

// the same of a planar loop
static mbd_status_t
add_planar_bias(const mbd_model_t * model, mbd_data_t * data, int g, double * xd)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  struct mbdi_embedded * w = data->work->embedded;
  const mbdi_loop_t * loop = &w->loop[g];
  group->planar->kernels->bias(group->planar, w->v_tree, loop->flat, loop->pin, w->motion, w->rows);
  if (has_one_pin(group)) {
    mbdi_add_pin(group, &w->loop[g], 1, w->rows, xd);
    return MBD_OK;
  }
  double * rows = w->rows + 2 * group->nrow;
  mbdi_put_pins(group, w->rows, rows);
  return add_dependent(model, data, g, rows, xd);
}

// Xdot v + dx0/dt = [Y1^-1 gamma; 0], gamma at zero acceleration of all joints      (15.27)
static mbd_status_t
find_bias(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  const mbd_model_t * tree = model->tree;
  memset(w->xd, 0, (size_t)tree->nv * sizeof *w->xd);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    if (group->planar) {
      CHECK(add_planar_bias(model, data, e->aggregate[k], w->xd));
      continue;
    }
    if (group->constant && !e->driven) continue;
    if (group->nposition < group->nrow) {
      move_tree(tree, data->tree);
    } else if (!group->constant) {
      move_group(tree, data->tree, group, w->v_tree);
    }
    for (int j = 0, row = 0; j < group->nclosure; j++) {
      const mbd_closure_t * c = &tree->closure[group->closure[j]];
      if (c->type == MBD_CLOSURE_COUPLING) {
        CHECK(mbdi_closure_fill_bias(tree, data->tree, c, w->time, w->rows + row));
      } else {
        const mbdi_closure_form_t * form = &w->form[group->closure[j]];
        CHECK(mbdi_closure_form_bias(data->tree, c, form, w->time, w->rows + row));
      }
      row += c->nrow;
    }
    CHECK(add_dependent(model, data, e->aggregate[k], w->rows, w->xd));
  }
  // from here on the tree's bias stage is at zero independent acceleration
  data->tree->work->bias_qdd = w->xd;
  return mbdi_projection_is_finite(&w->projection, w->xd) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_embedded_load_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  struct mbdi_embedded * w = data->work->embedded;
  // placements stay what they are, also where their stage is deferred with others
  const uint32_t position = w->placed ? MBD_STAGE_POSITION : MBD_STAGE_DEFERRED_POSITION;
  stage_reset(data, position | (stage_bits(data) & MBD_STAGE_COMPOSITE));
  stage_reset(data->tree, position | (stage_bits(data->tree) & MBD_STAGE_COMPOSITE));
  w->rates = false;
  memcpy(data->v, v, (size_t)model->nv * sizeof *v);
  CHECK(mbdi_embedded_tree_velocity(model, data, v, w->v_tree));
  if (!mbdi_projection_is_finite(&w->projection, w->v_tree)) return MBD_ERROR_NOT_FINITE;
  memcpy(data->tree->v, w->v_tree, (size_t)model->tree->nv * sizeof *w->v_tree);
  CHECK(find_bias(model, data));
  stage_reset(data, MBD_STAGE_DEFERRED_VELOCITY);
  stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_set_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v)
{
  CHECK(mbdi_embedded_arguments(model, data));
  const uint32_t composite = stage_bits(data->tree) & MBD_STAGE_COMPOSITE;
  CHECK(mbdi_embedded_load_velocity(model, data, v));
  mbdi_embedded_place(model, data);
  stage_reset(data->tree, MBD_STAGE_POSITION | composite);
  mbdi_velocity_stage(model->tree, data->tree);
  mbdi_embedded_sync(data);
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_set_acceleration(const mbd_model_t * model, mbd_data_t * data, const double * qdd)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_tree_acceleration(model, data, qdd, data->work->embedded->y_tree));
  CHECK(mbd_set_acceleration(model->tree, data->tree, data->work->embedded->y_tree));
  mbdi_embedded_sync(data);
  return MBD_OK;
}

//---------- products with X ----------

void
mbdi_embedded_expand(
  const mbd_model_t * model, const mbd_data_t * data, const double * x, double * x_tree)
{
  (void)model;
  mbdi_projection_expand(&data->work->embedded->projection, x, x_tree);
}

void
mbdi_embedded_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y)
{
  (void)model;
  mbdi_projection_reduce(&data->work->embedded->projection, y_tree, y);
}

void
mbdi_embedded_reduce_columns(
  const mbd_model_t * model, const mbd_data_t * data, int rows, const double * T, double * out)
{
  const size_t nv = (size_t)model->nv, wide = (size_t)model->tree->nv;
  for (size_t r = 0; r < (size_t)rows; r++) {
    mbdi_projection_reduce(&data->work->embedded->projection, T + r * wide, out + r * nv);
  }
}

//---------- public conversions ----------

static mbd_status_t
check_stage(const mbd_model_t * model, mbd_data_t * data, uint32_t stage)
{
  CHECK(mbdi_embedded_check(model, data));
  return stage_any(data, stage) ? MBD_OK : MBD_ERROR_STAGE;
}

static mbd_status_t
check_embedded_model(const mbd_model_t * model)
{
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  return model->tree ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_set_time(const mbd_model_t * model, mbd_data_t * data, double t)
{
  if (model && model->nelement > 0 && !model->internal->embedding) {
    CHECK(check_any(model, data, 0));
    if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
    if (t != data->work->elements->time) forget_acceleration(data);
    data->work->elements->time = t;
    return MBD_OK;
  }
  CHECK(mbdi_embedded_arguments(model, data));
  if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
  // a position at which the loops were closed for another time is none
  if (t != data->work->embedded->time && mbdi_embedded_driven(model)) {
    stage_reset(data, 0);
    stage_reset(data->tree, 0);
  }
  data->work->embedded->time = t;
  return model->nelement > 0 ? mbd_set_time(model->tree, data->tree, t) : MBD_OK;
}

mbd_status_t
mbd_tree_velocity(const mbd_model_t * model, mbd_data_t * data, const double * v, double * v_tree)
{
  CHECK(check_stage(model, data, v ? MBD_STAGE_POSITION : MBD_STAGE_VELOCITY));
  if (!v_tree) return MBD_ERROR_NULL_ARGUMENT;
  if (!v) {
    memcpy(v_tree, data->work->embedded->v_tree, (size_t)model->tree->nv * sizeof *v_tree);
    return MBD_OK;
  }
  if (!finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  return mbdi_embedded_tree_velocity(model, data, v, v_tree);
}

mbd_status_t
mbd_tree_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, double * qdd_tree)
{
  CHECK(check_stage(model, data, MBD_STAGE_VELOCITY));
  if (!qdd_tree) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  const double * xd = data->work->embedded->xd;
  const int n = model->tree->nv;
  if (qdd) {
    mbdi_embedded_expand(model, data, qdd, qdd_tree);
    for (int k = 0; k < n; k++) qdd_tree[k] += xd[k];
  } else {
    memcpy(qdd_tree, xd, (size_t)n * sizeof *xd);
  }
  return MBD_OK;
}

mbd_status_t
mbd_tree_torque(const mbd_model_t * model, const double * tau, double * tau_tree)
{
  CHECK(check_embedded_model(model));
  if (!tau || !tau_tree) return MBD_ERROR_NULL_ARGUMENT;
  memset(tau_tree, 0, (size_t)model->tree->nv * sizeof *tau_tree);
  for (int k = 0; k < model->nv; k++) tau_tree[model->dof_tree[k]] = tau[k];
  return MBD_OK;
}

mbd_status_t
mbd_reduce_velocity(const mbd_model_t * model, const double * v_tree, double * v)
{
  CHECK(check_embedded_model(model));
  if (!v_tree || !v) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < model->nv; k++) v[k] = v_tree[model->dof_tree[k]];
  return MBD_OK;
}

mbd_status_t
mbd_reduce_torque(
  const mbd_model_t * model, mbd_data_t * data, const double * tau_tree, double * tau)
{
  CHECK(check_stage(model, data, MBD_STAGE_POSITION));
  if (!tau_tree || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(tau_tree, model->tree->nv)) return MBD_ERROR_NOT_FINITE;
  mbdi_embedded_reduce(model, data, tau_tree, tau);
  return MBD_OK;
}

mbd_status_t
mbd_embedding_matrix(const mbd_model_t * model, mbd_data_t * data, double * X)
{
  CHECK(check_stage(model, data, MBD_STAGE_POSITION));
  if (!X) return MBD_ERROR_NULL_ARGUMENT;
  const int nv = model->nv;
  for (int c = 0; c < nv; c++) {
    double *unit = data->work->x, *column = data->work->embedded->x_tree;
    for (int k = 0; k < nv; k++) unit[k] = k == c;
    mbdi_embedded_expand(model, data, unit, column);
    for (int i = 0; i < model->tree->nv; i++) X[(size_t)i * (size_t)nv + (size_t)c] = column[i];
  }
  return MBD_OK;
}

mbd_status_t
mbd_embedding_rate(const mbd_model_t * model, mbd_data_t * data, double * dX)
{
  CHECK(check_stage(model, data, MBD_STAGE_VELOCITY));
  if (!dX) return MBD_ERROR_NULL_ARGUMENT;
  const int nv = model->nv;
  for (int c = 0; c < nv; c++) {
    double *unit = data->work->x, *column = data->work->embedded->x_tree;
    for (int k = 0; k < nv; k++) unit[k] = k == c;
    mbdi_embedded_expand_rate(model, data, unit, column);
    for (int i = 0; i < model->tree->nv; i++) dX[(size_t)i * (size_t)nv + (size_t)c] = column[i];
  }
  return MBD_OK;
}

mbd_status_t
mbd_embedding_condition(
  const mbd_model_t * model, mbd_data_t * data, double * condition, int * aggregate)
{
  CHECK(check_stage(model, data, MBD_STAGE_POSITION));
  if (!condition) return MBD_ERROR_NULL_ARGUMENT;
  *condition = data->work->embedded->condition;
  if (aggregate) *aggregate = data->work->embedded->worst;
  return MBD_OK;
}

mbd_status_t
mbd_convert_velocity(
  const mbd_model_t * from, mbd_data_t * data, const double * v, const mbd_model_t * to,
  double * v_to)
{
  CHECK(check_stage(from, data, MBD_STAGE_POSITION));
  CHECK(check_embedded_model(to));
  if (to->tree != from->tree) return MBD_ERROR_MODEL_MISMATCH;
  if (!v || !v_to) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_tree_velocity(from, data, v, data->work->embedded->y_tree));
  return mbd_reduce_velocity(to, data->work->embedded->y_tree, v_to);
}
