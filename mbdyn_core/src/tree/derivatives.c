// Derivatives of the dynamics. All 6-vectors here are in world axes at the world's origin, so that
// a motion that bodies share has the same numbers for all of them.
//
// Degree of freedom j of body i, parent p. Seen from within the subtree of i, moving it changes the
// velocity of each of its bodies by one motion, and their accelerations by one more than that
// velocity brings about:
//   velocity      psi_j = V_p x S_j + (dS/dq_j) v
//   acceleration  c_j = A_p x S_j - psi_j x V_p + V_i x (dS/dq_j) v + (dS/dq_j) qdd + (dS'/dq_j) v
// (dS/dq_j: of the numbers of S in child axes; zero for most joints). The force that body k then
// needs more is 2 B_k psi_j + I_k c_j, B_k as in coriolis.c, and with it turns by S_j what was there.
#include "mbdyn/dynamics/derivatives.h"

#include <math.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "mbdyn/inverse.h"
#include "mbdyn/operators/factors.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "tree/velocity_matrix.h"
#include "util/arena.h"

// what one degree of freedom brings
typedef struct dof {
  mbd_motion_t S;        // motion subspace
  mbd_motion_t psi, c;   // when it moves
  mbd_motion_t c_v;      // when its velocity changes (by S)
  mbd_force_t U;         // I^C S: its row takes accelerations of what carries it
  mbd_force_t W;         // 2 B^C^T S: velocities
  mbd_force_t E;         // displacements, which world-fixed wrenches do not follow
  mbd_force_t F_q, F_v;  // force on the parent of a change of q and of v
} dof_t;

// wrenches that do not turn with the body, summed over the subtree
typedef struct still {
  mbd_force_t fixed;  // those of MBD_WORLD
  mbd_force_t moved;  // those of MBD_LOCAL_WORLD_ALIGNED: moments about their points, forces
  double pf;          // sum p . f
  mbd_mat3_t fp;      // sum f p^T
} still_t;

// the working memory, laid out
typedef struct scratch {
  dof_t * dof;            // [nv]
  mbd_motion_t *V, *A;    // [nbody], A with gravity
  mbd_inertia_t * I;      // of subtrees [nbody]
  mbd_force_t * f;        // [nbody]
  velocity_matrix_t * B;  // 2 B of subtrees [nbody]
  int * run;              // first and last of the related degrees of freedom [2 nbody + 2]
  still_t * still;        // [nbody]
  double * matrix;        // [2 nv^2]
} scratch_t;

static size_t
lay_out(const mbd_model_t * model, double * work, scratch_t * scratch)
{
  const size_t nv = (size_t)model->nv, nbody = (size_t)model->nbody;
  size_t n = 0;
#define TAKE(field, count) \
  scratch->field = mbdi_arena_work(work, &n, (count), sizeof *scratch->field)
  TAKE(dof, nv);
  TAKE(V, nbody);
  TAKE(A, nbody);
  TAKE(I, nbody);
  TAKE(f, nbody);
  TAKE(B, nbody);
  TAKE(run, 2 * nbody + 2);
  TAKE(still, nbody);
  TAKE(matrix, 2 * nv * nv);
#undef TAKE
  return n;
}

size_t
mbdi_tree_derivatives_work(const mbd_model_t * model)
{
  scratch_t unused;
  return lay_out(model, NULL, &unused);
}

//---------- joints whose axes move in the child ----------

// (dS'/dq_j) v: the change of S'(q, v) v with q, by differences of sixth order
mbd_motion_t
mbdi_joint_rate_change(const mbd_body_t * body, const double * q, const double * v, int j)
{
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const double h = 1e-2;
  double e[6];
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  joint_unit_velocity(j, e);
  for (int k = 0; k < 3; k++) {
    for (int side = -1; side <= 1; side += 2) {
      double moved[8];
      mbd_motion_t rate[6];
      mbdi_joint_integrate(body, q, e, side * (k + 1) * h, moved);
      mbdi_joint_subspace_rate(body, moved, v, rate);
      const mbd_motion_t part = joint_motion(body, rate, v);
      sum = mbdu_motion_add(sum, mbdu_motion_scale(side * weight[k] / h, part));
    }
  }
  return sum;
}

// the terms of dS/dq in psi, c and c_v of degree of freedom j of body i, and of its joint's rows
static void
add_moving_axes(
  const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch, int i, int j,
  const double * qdd, double * dtau_dq)
{
  const mbd_body_t * body = &model->body[i];
  const int first = body->v_index;
  const double * q = data->q + body->q_index;
  const double * v = data->v + first;
  double e[6];
  mbd_motion_t dS[6];
  joint_unit_velocity(j - first, e);
  if (!mbdi_joint_subspace_rate(body, q, e, dS)) return;

  const mbd_placement_t * X = &data->X_world[i];
  dof_t * d = &scratch->dof[j];
  const mbd_motion_t dS_v = mbdu_motion_to_parent(X, joint_motion(body, dS, v));
  mbd_motion_t more = mbdi_joint_rate_change(body, q, v, j - first);
  if (qdd) more = mbdu_motion_add(more, joint_motion(body, dS, qdd + first));
  more = mbdu_motion_to_parent(X, more);
  d->psi = mbdu_motion_add(d->psi, dS_v);
  d->c = mbdu_motion_add(d->c, mbdu_motion_add(more, mbdu_motion_cross(scratch->V[i], dS_v)));
  if (body->parent >= 0)
    d->c = mbdu_motion_sub(d->c, mbdu_motion_cross(dS_v, scratch->V[body->parent]));
  d->c_v = mbdu_motion_add(d->c_v, dS_v);
  d->c_v = mbdu_motion_add(d->c_v, mbdu_motion_to_parent(X, data->S_rate[j]));
  for (int r = first; dtau_dq && r < first + body->nv; r++) {
    const mbd_force_t f = mbdu_force_to_child(X, scratch->f[i]);
    dtau_dq[(size_t)r * (size_t)model->nv + (size_t)j] += mbdu_power(f, dS[r - first]);
  }
}

//---------- bodies ----------

// wrenches that do not turn with their bodies
static void
take_still_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_wrenches_t * wrenches,
  still_t * still)
{
  memset(still, 0, (size_t)model->nbody * sizeof *still);
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mbd_wrench_t * w = &wrenches->w[k];
    const int body = model->frame[w->frame].body;
    if (body < 0 || w->reference == MBD_LOCAL) continue;
    still_t * s = &still[body];
    if (w->reference == MBD_WORLD) {
      s->fixed = mbdu_force_add(s->fixed, w->f);
      continue;
    }
    const mbd_vec3_t p = mbdi_frame_in_world(model, data, w->frame).p, f = w->f.lin;
    const double fp[9] = {f.x * p.x, f.x * p.y, f.x * p.z, f.y * p.x, f.y * p.y,
                          f.y * p.z, f.z * p.x, f.z * p.y, f.z * p.z};
    s->moved = mbdu_force_add(s->moved, w->f);
    s->pf += mbdu_vec3_dot(p, f);
    for (int n = 0; n < 9; n++) s->fp.m[n] += fp[n];
  }
}

static void
add_still(still_t * to, const still_t * from)
{
  to->fixed = mbdu_force_add(to->fixed, from->fixed);
  to->moved = mbdu_force_add(to->moved, from->moved);
  to->pf += from->pf;
  to->fp = mbdu_mat3_add(&to->fp, &from->fp);
}

// each body's own share, in the world; f of the joints from the force stage
static void
bodies_in_world(const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_placement_t * X = &data->X_world[i];
    scratch->V[i] = mbdu_motion_to_parent(X, data->V[i]);
    scratch->A[i] = mbdu_motion_to_parent(X, data->A[i]);
    scratch->f[i] = mbdu_force_to_parent(X, data->f[i]);
    scratch->I[i] = mbdu_inertia_to_parent(X, &data->inertia[i]);
    scratch->B[i] = velocity_matrix(2, &scratch->I[i], scratch->V[i]);
  }
}

static void
sum_subtrees(const mbd_model_t * model, const scratch_t * scratch)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int p = model->body[i].parent;
    if (p < 0) continue;
    scratch->I[p] = mbdu_inertia_add(&scratch->I[p], &scratch->I[i]);
    scratch->B[p] = velocity_matrix_add(&scratch->B[p], &scratch->B[i]);
    add_still(&scratch->still[p], &scratch->still[i]);
  }
}

//---------- degrees of freedom ----------

// what displacing by S leaves behind of the wrenches that do not turn: the force that is lacking
static mbd_force_t
left_behind(const still_t * s, mbd_motion_t S)
{
  mbd_force_t F = mbdu_force_cross(S, s->fixed);
  const mbd_vec3_t w = S.ang;
  mbd_vec3_t moment = mbdu_vec3_cross(w, s->moved.ang);
  moment = mbdu_vec3_add(moment, mbdu_vec3_scale(s->pf, w));
  moment = mbdu_vec3_sub(moment, mbdu_mat3_vec(&s->fp, w));
  F.ang = mbdu_vec3_add(F.ang, moment);
  F.lin = mbdu_vec3_add(F.lin, mbdu_vec3_cross(w, s->moved.lin));
  return F;
}

// the same the other way round: E with E . S_j = S . left_behind(S_j)
static mbd_force_t
left_behind_row(const still_t * s, mbd_motion_t S)
{
  mbd_force_t E = mbdu_force_scale(-1, mbdu_force_cross(S, s->fixed));
  mbd_vec3_t row = mbdu_vec3_cross(s->moved.ang, S.ang);
  row = mbdu_vec3_add(row, mbdu_vec3_scale(s->pf, S.ang));
  row = mbdu_vec3_sub(row, mbdu_mat3_tvec(&s->fp, S.ang));
  row = mbdu_vec3_add(row, mbdu_vec3_cross(s->moved.lin, S.lin));
  E.ang = mbdu_vec3_add(E.ang, row);
  return E;
}

// psi, c and c_v as far as axes stand still in the child
static void
take_dof(const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch, int j)
{
  const int i = model->dof_body[j], p = model->body[i].parent;
  dof_t * d = &scratch->dof[j];
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  const mbd_motion_t world = {{0, 0, 0}, mbdu_vec3_neg(data->gravity)};
  const mbd_motion_t V_p = p < 0 ? rest : scratch->V[p], A_p = p < 0 ? world : scratch->A[p];
  d->S = mbdu_motion_to_parent(&data->X_world[i], data->S[j]);
  d->psi = mbdu_motion_cross(V_p, d->S);
  d->c = mbdu_motion_add(mbdu_motion_cross(A_p, d->S), mbdu_motion_cross(V_p, d->psi));
  d->c_v = mbdu_motion_add(d->psi, mbdu_motion_cross(scratch->V[i], d->S));
}

// its rows and columns from the sums over its subtree
static void
complete_dof(const mbd_model_t * model, const scratch_t * scratch, int j)
{
  const int i = model->dof_body[j];
  const mbd_inertia_t * I = &scratch->I[i];
  const velocity_matrix_t * B = &scratch->B[i];
  dof_t * d = &scratch->dof[j];
  d->U = mbdu_inertia_mul(I, d->S);
  d->W = velocity_matrix_tmul(B, d->S);
  d->E = left_behind_row(&scratch->still[i], d->S);
  d->F_q = mbdu_force_add(velocity_matrix_mul(B, d->psi), mbdu_inertia_mul(I, d->c));
  d->F_q = mbdu_force_add(d->F_q, mbdu_force_cross(d->S, scratch->f[i]));
  d->F_q = mbdu_force_add(d->F_q, left_behind(&scratch->still[i], d->S));
  d->F_v = mbdu_force_add(velocity_matrix_mul(B, d->S), mbdu_inertia_mul(I, d->c_v));
}

//---------- matrices ----------

typedef struct matrices {
  double *dq, *dv, *M;  // NULL where not wanted
} matrices_t;

// the torque of r when j, which carries it (or is of the same joint), changes; and the reverse
static void
fill_pair(const matrices_t * out, size_t nv, const dof_t * dof, int r, int j, bool same_joint)
{
  const dof_t *R = &dof[r], *J = &dof[j];
  const size_t below = (size_t)r * nv + (size_t)j, above = (size_t)j * nv + (size_t)r;
  if (out->dq) {
    out->dq[below] += mbdu_power(R->W, J->psi) + mbdu_power(R->U, J->c) + mbdu_power(R->E, J->S);
    if (!same_joint) out->dq[above] += mbdu_power(R->F_q, J->S);
  }
  if (out->dv) {
    out->dv[below] += mbdu_power(R->W, J->S) + mbdu_power(R->U, J->c_v);
    if (!same_joint) out->dv[above] += mbdu_power(R->F_v, J->S);
  }
  if (out->M) out->M[below] = out->M[above] = mbdu_power(R->U, J->S);
}

static void
fill(const mbd_model_t * model, const scratch_t * scratch, const matrices_t * out)
{
  for (int r = 0; r < model->nv; r++) {
    const int body = model->dof_body[r];
    for (int i = body; i >= 0; i = model->body[i].parent) {
      const int first = model->body[i].v_index;
      for (int j = first; j < first + model->body[i].nv; j++) {
        fill_pair(out, (size_t)model->nv, scratch->dof, r, j, i == body);
      }
    }
  }
}

// friction and rotors are on the diagonals
static void
add_drives(const mbd_model_t * model, const mbd_data_t * data, const matrices_t * out)
{
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const size_t diagonal = (size_t)k * (size_t)model->nv + (size_t)k;
    if (out->M) out->M[diagonal] += joint_rotor(data, body);
    if (!out->dv || !(data->terms & MBD_TERM_FRICTION)) continue;
    const mbd_drive_t * drive = &body->drive;
    out->dv[diagonal] += drive->viscous;
    if (!(drive->coulomb > 0)) continue;
    const double t = tanh(data->v[k] / drive->coulomb_velocity);
    out->dv[diagonal] += drive->coulomb / drive->coulomb_velocity * (1 - t * t);
  }
}

// from the force stage at qdd
static void
derive(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd,
  const mbd_wrenches_t * f_ext, const scratch_t * scratch, const matrices_t * out)
{
  const size_t bytes = (size_t)model->nv * (size_t)model->nv * sizeof(double);
  if (out->dq) memset(out->dq, 0, bytes);
  if (out->dv) memset(out->dv, 0, bytes);
  if (out->M) memset(out->M, 0, bytes);
  take_still_wrenches(model, data, f_ext, scratch->still);
  bodies_in_world(model, data, scratch);
  for (int j = 0; j < model->nv; j++) {
    take_dof(model, data, scratch, j);
    add_moving_axes(model, data, scratch, model->dof_body[j], j, qdd, out->dq);
  }
  sum_subtrees(model, scratch);
  for (int j = 0; j < model->nv; j++) complete_dof(model, scratch, j);
  fill(model, scratch, out);
  add_drives(model, data, out);
}

mbd_status_t
mbdi_tree_inverse_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M)
{
  CHECK(check_dynamics(model, data, 0));
  if (!work) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  mbdi_force_stage(model, data, qdd, f_ext);
  scratch_t scratch;
  lay_out(model, work, &scratch);
  const matrices_t out = {dtau_dq, dtau_dv, M};
  derive(model, data, qdd, f_ext, &scratch, &out);
  const bool finite = finite_square(dtau_dq, model->nv) && finite_square(dtau_dv, model->nv) &&
                      finite_square(M, model->nv);
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// the degrees of freedom whose bodies carry that of k, are it or are carried by it, in runs of
// neighbours: `run` gets where each begins and ends; returns how many
static int
related_runs(const mbd_model_t * model, int k, int * run)
{
  const int i = model->dof_body[k], last = model->body[i].subtree_end - 1;
  int n = 1, begin = model->body[i].v_index;
  run[0] = begin, run[1] = model->body[last].v_index + model->body[last].nv;
  for (int p = model->body[i].parent; p >= 0; p = model->body[p].parent) {
    const int end = model->body[p].v_index + model->body[p].nv;
    begin = model->body[p].v_index;
    if (end == run[2 * n - 2]) {
      run[2 * n - 2] = begin;
    } else {
      run[2 * n] = begin, run[2 * n + 1] = end;
      n++;
    }
  }
  return n;
}

// out = - M^-1 A by products: of a tree without its zeros in A, `run` being scratch for where they are
static void
minus_product(
  const mbd_model_t * model, int * run, const double * M_inv, const double * A, double * out)
{
  const size_t nv = (size_t)model->nv;
  memset(out, 0, nv * nv * sizeof *out);
  for (size_t k = 0; k < nv; k++) {
    const int runs = model->internal->engine->rigid_tree ? related_runs(model, (int)k, run) : 1;
    const double * row = A + k * nv;
    for (size_t i = 0; i < nv; i++) {
      const double factor = M_inv[i * nv + k];
      double * to = out + i * nv;
      for (int r = 0; r < runs; r++) {
        const size_t end = (size_t)run[2 * r + 1];
        for (size_t j = (size_t)run[2 * r]; j < end; j++) to[j] -= factor * row[j];
      }
    }
  }
}

// does a product take less time than solving for each column? Per column it does as many additions
// as A has numbers, a solution a sweep
static bool
product_is_shorter(const mbd_model_t * model)
{
  // the inverse is made of solutions already
  if (!model->internal->engine->rigid_tree) return true;
  double numbers = 0;
  for (int i = 0; i < model->nbody; i++) {
    for (int p = i; p >= 0; p = model->body[p].parent)
      numbers += (p == i ? 1 : 2) * model->body[i].nv * model->body[p].nv;
  }
  return numbers < 150.0 * model->nbody;
}

// out = - M^-1 A, column by column
static void
minus_solve(const mbd_model_t * model, mbd_data_t * data, const double * A, double * out)
{
  const size_t nv = (size_t)model->nv;
  for (size_t j = 0; j < nv; j++) {
    for (size_t i = 0; i < nv; i++) data->work->x[i] = A[i * nv + j];
    model->internal->engine->solve(model, data, data->work->x);
    for (size_t i = 0; i < nv; i++) out[i * nv + j] = -data->work->x[i];
  }
}

mbd_status_t
mbdi_tree_forward_dynamics_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv)
{
  const mbdi_engine_t * engine = model->internal->engine;
  CHECK(check_any_dynamics(model, data, 0));
  if (!work || !qdd || !dqdd_dq || !dqdd_dv || !M_inv) return MBD_ERROR_NULL_ARGUMENT;
  if (engine->is_driven && engine->is_driven(model)) return MBD_ERROR_UNSUPPORTED;
  CHECK(mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd));
  forget_deferred_acceleration(data);  // the derivatives compute it anew
  const size_t nv = (size_t)model->nv;
  double *dq = work + engine->derivatives_work(model) - 2 * nv * nv, *dv = dq + nv * nv;
  CHECK(mbd_inverse_dynamics_derivatives(model, data, NULL, NULL, qdd, f_ext, work, dq, dv, NULL));
  CHECK(mbd_mass_matrix_inverse(model, data, M_inv));
  if (product_is_shorter(model)) {
    scratch_t scratch;
    int whole[2] = {0, model->nv};
    lay_out(model, work, &scratch);
    int * run = engine->rigid_tree ? scratch.run : whole;
    minus_product(model, run, M_inv, dq, dqdd_dq);
    minus_product(model, run, M_inv, dv, dqdd_dv);
  } else {
    CHECK(model->internal->engine->prepare_solve(model, data));
    minus_solve(model, data, dq, dqdd_dq);
    minus_solve(model, data, dv, dqdd_dv);
  }
  const bool finite = finite_square(dqdd_dq, model->nv) && finite_square(dqdd_dv, model->nv);
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

//---------- linearisation ----------

// -ad(v) of a joint that turns with its own axes: x -> (S x) x (S v), its numbers in S
static void
minus_bracket(
  const mbd_body_t * body, const mbd_motion_t * S, const double * v, double * A, size_t n)
{
  for (int j = 0; j < body->nv; j++) {
    const mbd_motion_t bracket = mbdu_motion_cross(S[j], joint_motion(body, S, v));
    for (int r = 0; r < body->nv; r++) {
      // columns of S are unit vectors: one product reads a number
      const double number =
        mbdu_vec3_dot(S[r].ang, bracket.ang) + mbdu_vec3_dot(S[r].lin, bracket.lin);
      A[(size_t)(body->v_index + r) * n + (size_t)(body->v_index + j)] = number;
    }
  }
}

mbd_status_t
mbdi_check_user_joints(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->type != MBD_JOINT_USER || (body->nq == body->nv && !body->user.integrate)) continue;
    data->error_body = i;
    return MBD_ERROR_BAD_JOINT;
  }
  return MBD_OK;
}

void
mbdi_place_linearized(const mbd_model_t * model, double * A)
{
  const size_t nv = (size_t)model->nv, n = 2 * nv;
  for (size_t k = 0; k < nv; k++) {
    memcpy(A + (nv + k) * n, A + k * nv, nv * sizeof *A);
    memcpy(A + (nv + k) * n + nv, A + (nv + k) * nv, nv * sizeof *A);
  }
  memset(A, 0, nv * n * sizeof *A);
  for (size_t k = 0; k < nv; k++) A[k * n + nv + k] = 1;
}

mbd_status_t
mbdi_tree_linearize(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * A,
  double * B)
{
  CHECK(check_any_dynamics(model, data, 0));
  if (!work || !qdd || !A || !B) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_user_joints(model, data));
  const size_t nv = (size_t)model->nv;
  // the blocks are first made in A and B, which hold them side by side
  double *dq = A, *dv = A + nv * nv, *M_inv = B + nv * nv;
  CHECK(mbd_forward_dynamics_derivatives(model, data, q, v, tau, f_ext, work, qdd, dq, dv, M_inv));
  memset(B, 0, nv * nv * sizeof *B);
  mbdi_place_linearized(model, A);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->nq == body->nv && !mbdi_joint_ops[body->type].curved) continue;
    minus_bracket(body, data->S + body->v_index, data->v + body->v_index, A, 2 * nv);
  }
  return MBD_OK;
}

//---------- Jacobian ----------

mbd_status_t
mbdi_tree_jacobian_rate(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * J_rate)
{
  CHECK(check_data(model, data, MBD_STAGE_VELOCITY));
  if (!J_rate) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  const int columns = model->nv, body = model->frame[frame].body;
  memset(J_rate, 0, 6 * (size_t)columns * sizeof *J_rate);
  if (body < 0) return MBD_OK;
  const mbd_placement_t X = mbdi_reference_in_world(model, data, frame, reference);
  // motion of the reference itself: with the frame, with its point alone, or not at all
  mbd_motion_t moves = mbdu_motion_to_parent(&data->X_world[body], data->V[body]);
  moves = mbdu_motion_to_child(&X, moves);
  if (reference == MBD_WORLD) memset(&moves, 0, sizeof moves);
  if (reference == MBD_LOCAL_WORLD_ALIGNED) moves.ang = mbdu_vec3(0, 0, 0);
  for (int i = body; i >= 0; i = model->body[i].parent) {
    const int first = model->body[i].v_index;
    for (int k = first; k < first + model->body[i].nv; k++) {
      // d/dt of the column in the world, then of what reads it
      mbd_motion_t rate = mbdu_motion_cross(data->V[i], data->S[k]);
      rate = mbdu_motion_to_parent(&data->X_world[i], mbdu_motion_add(rate, data->S_rate[k]));
      const mbd_motion_t S = mbdu_motion_to_parent(&data->X_world[i], data->S[k]);
      rate = mbdu_motion_to_child(&X, rate);
      rate = mbdu_motion_sub(rate, mbdu_motion_cross(moves, mbdu_motion_to_child(&X, S)));
      const double number[6] = {rate.ang.x, rate.ang.y, rate.ang.z,
                                rate.lin.x, rate.lin.y, rate.lin.z};
      for (int row = 0; row < 6; row++) J_rate[row * columns + k] = number[row];
    }
  }
  return MBD_OK;
}
