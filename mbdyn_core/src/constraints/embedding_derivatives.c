// Derivatives of the dynamics of an embedded model, from those of its tree.
//
//   tau = X^T tau_tree(q, X v, X qdd + b),   b = dX/dt v
//
// Moved along unit velocity j, with dX the change of X: tau changes by
//   dX^T tau_tree + X^T (dtau_tree/dq X e_j + dtau_tree/dv dX v + M (dX qdd + db)),
// and b, which obeys Y b = gamma, by db with Y db = dgamma - dY b. All of it is exact.
#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"
#include "model/joint.h"
#include "tree/sweeps.h"
#include "util/arena.h"

// the working memory, laid out
typedef struct scratch {
  double * tree;                         // of the tree's derivatives
  double *T_q, *T_v;                     // dtau_tree/dq, dtau_tree/dv        [tree->nv^2]
  mbdi_body_changes_t m;                 // motions at v, and their changes   [nbody]
  double * X_rate;                       // dX/dt at v                        [tree->nv nv]
  double *tau, *a, *v, *b;               // of the tree                       [tree->nv]
  double *u, *dX_v, *dX_qdd, *db, *sum;  // along one velocity                [tree->nv]
  double * qdd;                          // [nv]
  double *dq, *dv;                       // of inverse dynamics               [nv^2]
} scratch_t;

static size_t
lay_out_derivatives(const mbd_model_t * model, double * work, scratch_t * scratch)
{
  const size_t n = (size_t)model->tree->nv, nv = (size_t)model->nv;
  const size_t bodies = (size_t)model->nbody;
  size_t total = 0;
#define TAKE(field, count) \
  scratch->field = mbdi_arena_work(work, &total, (count), sizeof *scratch->field)
  TAKE(tree, mbd_derivatives_work(model->tree));
  TAKE(T_q, n * n);
  TAKE(T_v, n * n);
  TAKE(m.V, bodies);
  TAKE(m.A, bodies);
  TAKE(m.dV, bodies);
  TAKE(m.dA, bodies);
  TAKE(X_rate, n * nv);
  TAKE(tau, n);
  TAKE(a, n);
  TAKE(v, n);
  TAKE(b, n);
  TAKE(u, n);
  TAKE(dX_v, n);
  TAKE(dX_qdd, n);
  TAKE(db, n);
  TAKE(sum, n);
  TAKE(qdd, nv);
  TAKE(dq, nv * nv);
  TAKE(dv, nv * nv);
#undef TAKE
  return total;
}

size_t
mbdi_embedded_derivatives_work(const mbd_model_t * model)
{
  scratch_t unused;
  return lay_out_derivatives(model, NULL, &unused);
}

//---------- db ----------

// change of S'(q, v) v of a joint whose axes move in the child, by u of q and dv of v
static mbd_motion_t
axes_change(
  const mbd_body_t * body, const double * q, const double * v, const double * u, const double * dv)
{
  mbd_motion_t rate[6], sum = {{0, 0, 0}, {0, 0, 0}};
  if (!mbdi_joint_subspace_rate(body, q, v, rate)) return sum;
  sum = joint_motion(body, rate, dv);
  mbdi_joint_subspace_rate(body, q, dv, rate);
  sum = mbdu_motion_add(sum, joint_motion(body, rate, v));
  for (int j = 0; j < body->nv; j++) {
    if (u[j] == 0) continue;
    const mbd_motion_t part = mbdi_joint_rate_change(body, q, v, j);
    sum = mbdu_motion_add(sum, mbdu_motion_scale(u[j], part));
  }
  return sum;
}

// scratch->m.dV and dA: the velocity stage is the displacement u
static void
change_motions(const mbd_model_t * tree, const mbd_data_t * data, const scratch_t * scratch)
{
  const mbdi_body_changes_t * m = &scratch->m;
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const int first = body->v_index, p = body->parent;
    const mbd_motion_t * S = data->S + first;
    const mbd_motion_t Sv = joint_motion(body, S, scratch->v + first);
    const mbd_motion_t Su = joint_motion(body, S, scratch->u + first);
    // of S v; the rates of S are those of u here, zero but for axes that move in the child
    mbd_motion_t dSv = joint_motion(body, S, scratch->dX_v + first);
    for (int k = first; k < first + body->nv; k++) {
      dSv = mbdu_motion_add(dSv, mbdu_motion_scale(scratch->v[k], data->S_rate[k]));
    }
    mbd_motion_t dV = dSv;
    mbd_motion_t dA = axes_change(
      body, data->q + body->q_index, scratch->v + first, scratch->u + first, scratch->dX_v + first);
    if (p >= 0) {
      const mbd_placement_t * X = &data->X_parent[i];
      dV = mbdu_motion_add(dV, mbdu_motion_to_child(X, m->dV[p]));
      dV = mbdu_motion_add(dV, mbdu_motion_cross(mbdu_motion_to_child(X, m->V[p]), Su));
      dA = mbdu_motion_add(dA, mbdu_motion_to_child(X, m->dA[p]));
      dA = mbdu_motion_add(dA, mbdu_motion_cross(mbdu_motion_to_child(X, m->A[p]), Su));
    }
    dA = mbdu_motion_add(dA, mbdu_motion_cross(dV, Sv));
    dA = mbdu_motion_add(dA, mbdu_motion_cross(m->V[i], dSv));
    m->dV[i] = dV;
    m->dA[i] = dA;
  }
}

// scratch->db
static void
change_bias(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  struct mbdi_embedded * w = data->work->embedded;
  change_motions(model->tree, data, scratch);
  memset(scratch->db, 0, (size_t)model->tree->nv * sizeof *scratch->db);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    mbdi_loop_t * loop = &w->loop[e->aggregate[k]];
    double *rows = w->rows, *part = w->wide;
    if (group->constant) continue;
    mbdi_loop_factor(group, loop);
    for (int j = 0, row = 0; j < group->nclosure; j++) {
      const mbd_closure_t * c = &model->tree->closure[group->closure[j]];
      mbdi_closure_bias_change(model->tree, data->tree, c, &scratch->m, rows + row);
      mbdi_closure_fill_rate(model->tree, data->tree, c, e->column, group->ndof, w->dY);
      for (int r = 0; r < c->nrow; r++) {
        for (int i = 0; i < group->ndof; i++) {
          rows[row + r] -= w->dY[r * group->ndof + i] * scratch->b[group->dof[i]];
        }
      }
      row += c->nrow;
    }
    mbdi_eliminated_solve(
      group->nrow, group->ndof, loop->LU, group->ndep, loop->col, loop->row, rows, part);
    for (int i = 0; i < group->ndep; i++) {
      scratch->db[group->dof[group->dep[i]]] = part[group->dep[i]];
    }
  }
}

//---------- inverse dynamics ----------

// y += A x, n x n
static void
add_product(const double * A, const double * x, int n, double * y)
{
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += A[(size_t)i * (size_t)n + (size_t)k] * x[k];
    y[i] += sum;
  }
}

// column j of dtau/dv: X^T (dtau_tree/dv X e_j + M (dX v + dX/dt e_j))
static mbd_status_t
velocity_column(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch, int j)
{
  const int n = model->tree->nv, nv = model->nv;
  double * x = scratch->sum;
  for (int i = 0; i < n; i++) {
    x[i] = scratch->dX_v[i] + scratch->X_rate[(size_t)i * (size_t)nv + (size_t)j];
  }
  CHECK(mbd_mass_product(model->tree, data->tree, x, x));
  add_product(scratch->T_v, scratch->u, n, x);
  mbdi_embedded_reduce(model, data, x, data->work->x);
  for (int k = 0; k < nv; k++) scratch->dv[(size_t)k * (size_t)nv + (size_t)j] = data->work->x[k];
  return MBD_OK;
}

static mbd_status_t
position_column(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch, int j)
{
  const int n = model->tree->nv, nv = model->nv;
  double * x = scratch->sum;
  change_bias(model, data, scratch);
  for (int i = 0; i < n; i++) x[i] = scratch->dX_qdd[i] + scratch->db[i];
  CHECK(mbd_mass_product(model->tree, data->tree, x, x));
  add_product(scratch->T_q, scratch->u, n, x);
  add_product(scratch->T_v, scratch->dX_v, n, x);
  mbdi_embedded_reduce(model, data, x, data->work->x);
  mbdi_embedded_add_rate(model, data, 1, scratch->tau, data->work->x);
  for (int k = 0; k < nv; k++) scratch->dq[(size_t)k * (size_t)nv + (size_t)j] = data->work->x[k];
  return MBD_OK;
}

static mbd_status_t
columns(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  const size_t bytes = (size_t)model->tree->nv * sizeof(double);
  for (int j = 0; j < model->nv; j++) {
    CHECK(mbdi_try_velocity(model, data, j));
    memcpy(scratch->u, data->work->embedded->v_tree, bytes);
    mbdi_embedded_expand_rate(model, data, data->work->qdd, scratch->dX_v);
    mbdi_embedded_expand_rate(model, data, scratch->qdd, scratch->dX_qdd);
    CHECK(velocity_column(model, data, scratch, j));
    CHECK(position_column(model, data, scratch, j));
  }
  return MBD_OK;
}

// scratch->dq and dv at the state that there is, and at scratch->qdd
static mbd_status_t
derive(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * f_ext,
  const scratch_t * scratch)
{
  const mbd_model_t * tree = model->tree;
  const struct mbdi_embedded * w = data->work->embedded;
  const size_t bytes = (size_t)tree->nv * sizeof(double);
  mbdi_kept_t kept;
  CHECK(mbd_tree_acceleration(model, data, scratch->qdd, scratch->a));
  CHECK(mbd_embedding_rate(model, data, scratch->X_rate));
  memcpy(scratch->v, w->v_tree, bytes);
  memcpy(scratch->b, w->xd, bytes);
  memcpy(scratch->m.V, data->V, (size_t)tree->nbody * sizeof *data->V);
  mbdi_accelerate(tree, data->tree, NULL, mbdu_vec3(0, 0, 0), scratch->m.A);
  CHECK(mbd_inverse_dynamics(tree, data->tree, NULL, NULL, scratch->a, f_ext, scratch->tau));
  CHECK(mbd_inverse_dynamics_derivatives(
    tree, data->tree, NULL, NULL, scratch->a, f_ext, scratch->tree, scratch->T_q, scratch->T_v,
    NULL));
  // forces of the tree's joints are without those of the closures
  stage_clear(data->tree, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  mbdi_embedded_sync(data);
  CHECK(mbdi_keep_velocity(model, data, &kept));
  CHECK(mbdi_restore_velocity(model, data, &kept, columns(model, data, scratch)));
  const int n = model->nv * model->nv;
  return finite_array(scratch->dq, n) && finite_array(scratch->dv, n) ? MBD_OK
                                                                      : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_embedded_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!work) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  if (mbdi_embedded_driven(model)) return MBD_ERROR_UNSUPPORTED;
  scratch_t scratch;
  lay_out_derivatives(model, work, &scratch);
  for (int k = 0; k < model->nv; k++) scratch.qdd[k] = qdd ? qdd[k] : 0;
  if (q) CHECK(mbdi_embedded_set_position(model, data, q));
  if (v) CHECK(mbdi_embedded_set_velocity(model, data, v));
  if (!stage_any(data, MBD_STAGE_VELOCITY)) return MBD_ERROR_STAGE;
  CHECK(derive(model, data, f_ext, &scratch));
  const size_t bytes = (size_t)model->nv * (size_t)model->nv * sizeof(double);
  // they may be the same
  if (dtau_dq) memmove(dtau_dq, scratch.dq, bytes);
  if (dtau_dv) memmove(dtau_dv, scratch.dv, bytes);
  return M ? mbd_mass_matrix(model, data, M) : MBD_OK;
}

//---------- linearisation ----------

// rows of velocity leave more configurations than velocities
static mbd_status_t
check_holonomic(const mbd_model_t * model)
{
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].nposition == 0) return MBD_ERROR_UNSUPPORTED;
  }
  return MBD_OK;
}

// Column j of the upper left block: displacements turn with joints that turn with their own axes,
// x -> (S x) x (S v), and of these the independent numbers count.
static void
bracket_column(
  const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch, int j, double * A)
{
  const size_t n = 2 * (size_t)model->nv;
  for (int k = 0; k < model->nv; k++) data->work->x[k] = k == j;
  mbdi_embedded_expand(model, data, data->work->x, scratch->u);
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->tree->body[model->dof_body[k]];
    if (body->nq == body->nv && !mbdi_joint_ops[body->type].curved) continue;
    const int first = body->v_index;
    const mbd_motion_t * S = data->S + first;
    const mbd_motion_t bracket = mbdu_motion_cross(
      joint_motion(body, S, scratch->u + first),
      joint_motion(body, S, data->work->embedded->v_tree + first));
    // columns of S are unit vectors: one product reads a number
    const mbd_motion_t unit = data->S[model->dof_tree[k]];
    A[(size_t)k * n + (size_t)j] =
      mbdu_vec3_dot(unit.ang, bracket.ang) + mbdu_vec3_dot(unit.lin, bracket.lin);
  }
}

mbd_status_t
mbdi_embedded_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!work || !qdd || !A || !B) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_user_joints(model->tree, data));
  CHECK(check_holonomic(model));
  const size_t nv = (size_t)model->nv;
  // the blocks are first made in A and B, which hold them side by side
  double *dq = A, *dv = A + nv * nv, *M_inv = B + nv * nv;
  CHECK(mbd_forward_dynamics_derivatives(model, data, q, v, tau, f_ext, work, qdd, dq, dv, M_inv));
  scratch_t scratch;
  lay_out_derivatives(model, work, &scratch);
  memset(B, 0, nv * nv * sizeof *B);
  mbdi_place_linearized(model, A);
  for (int j = 0; j < model->nv; j++) bracket_column(model, data, &scratch, j, A);
  return MBD_OK;
}
