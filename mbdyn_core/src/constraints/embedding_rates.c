// dX/dt of an embedded model, exact, and what is made of it: Coriolis matrix, gradients, Jdot.
//
// Rows Y X = 0 of a group stay zero, so that Y1 (dX/dt)_dependent = -(dY/dt) X; the independent rows
// of X are constant.
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "tree/sweeps.h"
#include "tree/velocity_matrix.h"

//---------- dX/dt ----------

static void
find_group_rate(const mbd_model_t * model, mbd_data_t * data, int g)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const mbdi_group_t * group = &e->group[g];
  struct mbdi_embedded * w = data->work->embedded;
  mbdi_loop_t * loop = &w->loop[g];
  const int n = group->ndof, r = group->nind;
  mbdi_loop_factor(group, loop);
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    mbdi_closure_fill_rate(model->tree, data->tree, c, e->column, n, w->dY + row * n);
    row += c->nrow;
  }
  memset(loop->dX, 0, (size_t)(n * r) * sizeof *loop->dX);
  for (int c = 0; c < r; c++) {
    double *b = w->rows, *part = w->wide;
    for (int i = 0; i < group->nrow; i++) {
      b[i] = 0;
      for (int k = 0; k < n; k++) b[i] -= w->dY[i * n + k] * loop->X[k * r + c];
    }
    mbdi_eliminated_solve(group->nrow, n, loop->LU, group->ndep, loop->col, loop->row, b, part);
    for (int k = 0; k < group->ndep; k++) loop->dX[group->dep[k] * r + c] = part[group->dep[k]];
  }
}

static void
find_rates(const mbd_model_t * model, mbd_data_t * data)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  if (data->work->embedded->rates) return;
  // those of constant groups stay zero, as in a new workspace
  for (int k = 0; k < e->naggregate; k++) {
    if (!e->group[e->aggregate[k]].constant) find_group_rate(model, data, e->aggregate[k]);
  }
  data->work->embedded->rates = true;
}

void
mbdi_embedded_expand_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * x_tree)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  find_rates(model, data);
  memset(x_tree, 0, (size_t)model->tree->nv * sizeof *x_tree);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const double * dX = data->work->embedded->loop[e->aggregate[k]].dX;
    for (int i = 0; i < group->ndep; i++) {
      double sum = 0;
      for (int c = 0; c < group->nind; c++) {
        sum += dX[group->dep[i] * group->nind + c] * x[group->v[c]];
      }
      x_tree[group->dof[group->dep[i]]] = sum;
    }
  }
}

void
mbdi_embedded_add_rate(
  const mbd_model_t * model, mbd_data_t * data, int rows, const double * T, double * out)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const size_t nv = (size_t)model->nv, wide = (size_t)model->tree->nv;
  find_rates(model, data);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const double * dX = data->work->embedded->loop[e->aggregate[k]].dX;
    for (int i = 0; i < group->ndep; i++) {
      const size_t dof = (size_t)group->dof[group->dep[i]];
      for (size_t r = 0; r < (size_t)rows; r++) {
        for (int c = 0; c < group->nind; c++) {
          out[r * nv + (size_t)group->v[c]] +=
            dX[group->dep[i] * group->nind + c] * T[r * wide + dof];
        }
      }
    }
  }
}

//---------- Coriolis matrix ----------

// d/dt in the world of column k of S, in body axes
static mbd_motion_t
column_rate(const mbd_data_t * data, int body, int k)
{
  return mbdu_motion_add(mbdu_motion_cross(data->V[body], data->S[k]), data->S_rate[k]);
}

// motions of the bodies in data->work->W at joint rates x
static void
propagate_motions(const mbd_model_t * tree, mbd_data_t * data, const double * x)
{
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    mbd_motion_t W = joint_motion(body, data->S + body->v_index, x + body->v_index);
    if (body->parent >= 0) {
      W = mbdu_motion_add(W, mbdu_motion_to_child(&data->X_parent[i], data->work->W[body->parent]));
    }
    data->work->W[i] = W;
  }
}

// the rotor inertia that counts at a degree of freedom of the tree
static double
rotor_of(const mbd_model_t * tree, const mbd_data_t * data, int k)
{
  return joint_rotor(data, &tree->body[tree->dof_body[k]]);
}

// y = X^T (M dX/dt + C X) x = sum_k (J_k X)^T (M_k d(J_k X)/dt + B_k J_k X) x
void
mbdi_embedded_coriolis_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  const mbd_model_t * tree = model->tree;
  struct mbdi_embedded * w = data->work->embedded;
  double *rates = w->x_tree, *second = w->y_tree;
  mbd_motion_t * A = (mbd_motion_t *)(void *)data->work->B;  // derivatives of W in the world
  mbdi_embedded_expand(model, data, x, rates);
  mbdi_embedded_expand_rate(model, data, x, second);
  propagate_motions(tree, data, rates);
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const int first = body->v_index;
    mbd_motion_t a = joint_motion(body, data->S + first, second + first);
    for (int k = first; k < first + body->nv; k++) {
      a = mbdu_motion_add(a, mbdu_motion_scale(rates[k], column_rate(data, i, k)));
    }
    if (body->parent >= 0) {
      a = mbdu_motion_add(a, mbdu_motion_to_child(&data->X_parent[i], A[body->parent]));
    }
    A[i] = a;
    const velocity_matrix_t B = velocity_matrix(1, &data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_force_add(
      mbdu_inertia_mul(&data->inertia[i], a), velocity_matrix_mul(&B, data->work->W[i]));
  }
  tree->internal->engine->gather_forces(tree, data->tree, data->work->F, rates);
  for (int k = 0; k < tree->nv; k++) rates[k] += rotor_of(tree, data, k) * second[k];
  mbdi_embedded_reduce(model, data, rates, y);
}

// y = ((dX/dt)^T M X + X^T C^T X) x
void
mbdi_embedded_coriolis_product_transpose(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  const mbd_model_t * tree = model->tree;
  struct mbdi_embedded * w = data->work->embedded;
  double *rates = w->x_tree, *p = w->y_tree;
  mbd_force_t * G = (mbd_force_t *)(void *)data->work->B;  // of B^T W, whole subtrees
  mbdi_embedded_expand(model, data, x, rates);
  propagate_motions(tree, data, rates);
  for (int i = 0; i < tree->nbody; i++) {
    const velocity_matrix_t B = velocity_matrix(1, &data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->work->W[i]);
    G[i] = velocity_matrix_tmul(&B, data->work->W[i]);
  }
  tree->internal->engine->gather_forces(tree, data->tree, data->work->F, p);
  for (int k = 0; k < tree->nv; k++) p[k] += rotor_of(tree, data, k) * rates[k];
  tree->internal->engine->gather_forces(tree, data->tree, G, rates);
  for (int k = 0; k < tree->nv; k++) {
    const int i = tree->dof_body[k];
    rates[k] += mbdu_power(data->work->F[i], column_rate(data, i, k));
  }
  mbdi_embedded_reduce(model, data, rates, y);
  mbdi_embedded_add_rate(model, data, 1, p, y);
}

//---------- Jdot ----------

mbd_status_t
mbdi_embedded_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!J_rate) return MBD_ERROR_NULL_ARGUMENT;
  double * wide = data->work->embedded->wide;
  CHECK(mbd_jacobian_rate(model->tree, data->tree, frame, reference, wide));
  mbdi_embedded_reduce_columns(model, data, 6, wide, J_rate);
  // dX/dt is found with the same scratch
  find_rates(model, data);
  CHECK(mbd_jacobian(model->tree, data->tree, frame, reference, wide));
  mbdi_embedded_add_rate(model, data, 6, wide, J_rate);
  return MBD_OK;
}
