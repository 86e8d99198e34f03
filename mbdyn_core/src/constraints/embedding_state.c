// State of an embedded model: closing the loops, X and Xdot v (15.24)-(15.27), and conversions.
#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "tree/element.h"
#include "tree/sweeps.h"

// loops count as closed at this gap [m, rad]; what is larger is polished
#define CLOSED 1e-12
// where polishing ends short of that, as far from the origin, this is still good
#define CLOSED_ENOUGH 1e-9
// pivots this small against the largest: the independent velocities do not determine the rest
#define LOCKED 1e-7
// rows without a pivot that have more than this left do not follow from the others
#define LEFT_OVER 1e-6
enum { MOST_STEPS = 12 };

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

//---------- rows of a group ----------

void
mbdi_loop_rows(
  const mbd_model_t * tree, const mbd_data_t * on, const struct mbdi_embedding * e,
  const mbdi_group_t * group, double * Y)
{
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &tree->closure[group->closure[k]];
    mbdi_closure_fill(tree, on, c, e->column, group->ndof, Y + row * group->ndof);
    row += c->nrow;
  }
}

// the same with the forms of the workspace
static void
rows_of_forms(const mbd_model_t * model, mbd_data_t * data, const mbdi_group_t * group, double * Y)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const int n = group->ndof;
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->type == MBD_CLOSURE_COUPLING) {
      mbdi_closure_fill(model->tree, data->tree, c, e->column, n, Y + row * n);
    } else {
      const mbdi_closure_form_t * form = &data->work->embedded->form[group->closure[k]];
      mbdi_closure_form_fill(model->tree, data->tree, c, form, e->column, n, Y + row * n);
    }
    row += c->nrow;
  }
}

// d of a group's rows, zero for rows of velocity, and the forms of its closures
static mbd_status_t
gaps(
  const mbd_model_t * model, mbd_data_t * data, const mbdi_group_t * group, double * d,
  double * largest)
{
  struct mbdi_embedded * w = data->work->embedded;
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->type == MBD_CLOSURE_COUPLING) {
      CHECK(mbdi_closure_fill_error(model->tree, data->tree, c, w->time, d + row));
    } else {
      mbdi_closure_form_t * form = &w->form[group->closure[k]];
      *form = mbdi_closure_form(model->tree, data->tree, c);
      CHECK(mbdi_closure_form_error(c, form, w->time, d + row));
    }
    for (int r = 0; r < c->nrow; r++) *largest = fmax(*largest, fabs(d[row + r]));
    row += c->nrow;
  }
  return MBD_OK;
}

// LU of the rows with dependent columns first; the rank
static int
eliminate(const mbdi_group_t * group, const mbdi_loop_t * loop, double tolerance, double * least)
{
  memcpy(loop->LU, loop->Y, (size_t)(group->nrow * group->ndof) * sizeof *loop->Y);
  memcpy(loop->col, group->dep, (size_t)group->ndep * sizeof *loop->col);
  memcpy(loop->col + group->ndep, group->ind, (size_t)group->nind * sizeof *loop->col);
  return mbdi_eliminate(
    group->nrow, group->ndof, loop->LU, group->ndep, loop->col, loop->row, tolerance, least);
}

//---------- closing ----------

// a Newton step of the dependent joints of a group, into step (of all joints of the tree)
static void
newton_step(const mbd_model_t * model, mbd_data_t * data, int g, double * d, double * step)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbdi_loop_t * loop = &data->work->embedded->loop[g];
  rows_of_forms(model, data, group, loop->Y);
  // rows of velocity have nothing to say about positions
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->nposition == 0) {
      memset(loop->Y + row * group->ndof, 0, (size_t)(c->nrow * group->ndof) * sizeof *loop->Y);
    }
    row += c->nrow;
  }
  double least;
  const int rank = eliminate(group, loop, LOCKED, &least);
  double * x = data->work->embedded->wide;
  mbdi_eliminated_solve(group->nrow, group->ndof, loop->LU, rank, loop->col, loop->row, d, x);
  for (int k = 0; k < rank; k++) step[group->dof[loop->col[k]]] = -x[loop->col[k]];
}

// One round over all groups: the largest gap, and the steps that would close what is open by more than
// `closed` (of all joints of the tree, in w->x_tree).
static mbd_status_t
look(const mbd_model_t * model, mbd_data_t * data, double closed, double * largest)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  *largest = 0;
  memset(w->x_tree, 0, (size_t)model->tree->nv * sizeof *w->x_tree);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    double gap = 0;
    CHECK(gaps(model, data, group, w->rows, &gap));
    if (!(gap <= *largest)) {
      *largest = gap;
      data->error_body = group->body[0];
    }
    if (gap > closed) newton_step(model, data, e->aggregate[k], w->rows, w->x_tree);
  }
  return finite_array(largest, 1) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// Newton on the dependent joints from the tree's position stage; `tolerance` is the largest gap
static mbd_status_t
close_loops(const mbd_model_t * model, mbd_data_t * data, double tolerance)
{
  struct mbdi_embedded * w = data->work->embedded;
  double gap, before = HUGE_VAL;
  CHECK(look(model, data, CLOSED, &gap));
  if (gap > tolerance) return MBD_ERROR_NOT_ASSEMBLED;
  for (int k = 0; k < MOST_STEPS && gap > CLOSED; k++) {
    // no longer nearer: that is as good as it gets
    if (gap > 0.5 * before && gap < CLOSED_ENOUGH) break;
    if (gap > 10 * before) return MBD_ERROR_NOT_ASSEMBLED;
    before = gap;
    CHECK(mbd_integrate(model->tree, data->tree->q, w->x_tree, 1, w->q_tree));
    CHECK(mbd_set_position(model->tree, data->tree, w->q_tree));
    CHECK(look(model, data, CLOSED, &gap));
  }
  if (!(gap < CLOSED_ENOUGH)) return MBD_ERROR_NOT_ASSEMBLED;
  data->error_body = -1;
  return MBD_OK;
}

//---------- X ----------

// X = [-Y1^-1 Y2; 1] of a group                                                   (15.25)
static mbd_status_t
group_matrix(const mbd_model_t * model, mbd_data_t * data, int g, double * least)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbdi_loop_t * loop = &data->work->embedded->loop[g];
  const int n = group->ndof, r = group->nind;
  rows_of_forms(model, data, group, loop->Y);
  const int rank = eliminate(group, loop, LOCKED, least);
  if (rank < group->ndep) return MBD_ERROR_LOCKED;
  // rows that the others do not imply would hold even the independent ones
  double size = 0, left = 0;
  for (int i = 0; i < group->nrow * n; i++) size = fmax(size, fabs(loop->Y[i]));
  for (int i = rank; i < group->nrow; i++) {
    for (int c = 0; c < r; c++) {
      left = fmax(left, fabs(loop->LU[loop->row[i] * n + group->ind[c]]));
    }
  }
  if (left > LEFT_OVER * size) return MBD_ERROR_LOCKED;
  memset(loop->X, 0, (size_t)(n * r) * sizeof *loop->X);
  for (int c = 0; c < r; c++) {
    loop->X[group->ind[c] * r + c] = 1;
    for (int k = rank - 1; k >= 0; k--) {
      const double * U = loop->LU + loop->row[k] * n;
      double sum = -U[group->ind[c]];
      for (int j = k + 1; j < rank; j++) sum -= U[loop->col[j]] * loop->X[loop->col[j] * r + c];
      loop->X[loop->col[k] * r + c] = sum / U[loop->col[k]];
    }
  }
  return MBD_OK;
}

static mbd_status_t
find_matrices(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  double worst = 1;
  w->worst = e->naggregate > 0 ? 0 : -1;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    if (group->constant && w->constants) continue;
    double least;
    const mbd_status_t status = group_matrix(model, data, e->aggregate[k], &least);
    if (status != MBD_OK) {
      data->error_body = group->body[0];
      return status;
    }
    if (least < worst && !group->constant) worst = least, w->worst = k;
  }
  w->condition = 1 / worst;
  w->constants = true;
  return MBD_OK;
}

//---------- stages ----------

mbd_status_t
mbdi_embedded_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  CHECK(mbdi_embedded_arguments(model, data));
  return mbdi_embedded_set_position_from(model, data, q, model->internal->embedding->tolerance);
}

mbd_status_t
mbdi_embedded_set_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  stage_reset(data, 0);
  data->error_body = -1;
  data->work->embedded->blocks = data->work->embedded->rates = false;
  mbd_status_t status = mbd_set_position(model->tree, data->tree, q);
  if (status == MBD_OK) status = close_loops(model, data, tolerance);
  if (status == MBD_OK) status = find_matrices(model, data);
  if (status != MBD_OK) {
    // whatever comes next finds no stage to start from
    if (data->tree->error_body >= 0) data->error_body = data->tree->error_body;
    stage_reset(data->tree, 0);
    return status;
  }
  mbdi_embedded_sync(data);
  return MBD_OK;
}

// dependent part of rows Y x = b of a group, added to x (of all joints of the tree); b is
// overwritten
static mbd_status_t
add_dependent(const mbd_model_t * model, mbd_data_t * data, int g, double * b, double * x)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbdi_loop_t * loop = &data->work->embedded->loop[g];
  double * part = data->work->embedded->wide;
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
  return finite_array(w->xd, tree->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
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
  stage_reset(data, MBD_STAGE_POSITION | (stage_bits(data) & MBD_STAGE_COMPOSITE));
  stage_reset(data->tree, MBD_STAGE_POSITION | (stage_bits(data->tree) & MBD_STAGE_COMPOSITE));
  w->rates = false;
  memcpy(data->v, v, (size_t)model->nv * sizeof *v);
  mbdi_embedded_expand(model, data, v, w->v_tree);
  CHECK(add_drivers(model, data, w->v_tree));
  if (!finite_array(w->v_tree, model->tree->nv)) return MBD_ERROR_NOT_FINITE;
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
  const struct mbdi_embedding * e = model->internal->embedding;
  for (int k = 0; k < model->nv; k++) x_tree[model->dof_tree[k]] = x[k];
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const double * X = data->work->embedded->loop[e->aggregate[k]].X;
    for (int i = 0; i < group->ndep; i++) {
      double sum = 0;
      for (int c = 0; c < group->nind; c++) {
        sum += X[group->dep[i] * group->nind + c] * x[group->v[c]];
      }
      x_tree[group->dof[group->dep[i]]] = sum;
    }
  }
}

void
mbdi_embedded_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y)
{
  mbdi_embedded_reduce_columns(model, data, 1, y_tree, y);
}

void
mbdi_embedded_reduce_columns(
  const mbd_model_t * model, const mbd_data_t * data, int rows, const double * T, double * out)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const size_t nv = (size_t)model->nv, wide = (size_t)model->tree->nv;
  for (size_t r = 0; r < (size_t)rows; r++) {
    for (size_t k = 0; k < nv; k++) out[r * nv + k] = T[r * wide + (size_t)model->dof_tree[k]];
  }
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const double * X = data->work->embedded->loop[e->aggregate[k]].X;
    for (int i = 0; i < group->ndep; i++) {
      const size_t dof = (size_t)group->dof[group->dep[i]];
      for (size_t r = 0; r < (size_t)rows; r++) {
        const double y = T[r * wide + dof];
        if (y == 0) continue;
        for (int c = 0; c < group->nind; c++) {
          out[r * nv + (size_t)group->v[c]] += X[group->dep[i] * group->nind + c] * y;
        }
      }
    }
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
  mbdi_embedded_expand(model, data, v, v_tree);
  return add_drivers(model, data, v_tree);
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
