// Derivatives of the dynamics. All 6-vectors here are in world axes at the origin of the first body, so that
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
#include "tree/derivative_kernels.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

// wrenches that do not turn with the body, summed over the subtree
typedef struct still {
  mbd_force_t fixed;  // those of MBD_WORLD
  mbd_force_t moved;  // those of MBD_LOCAL_WORLD_ALIGNED: moments about their points, forces
  double pf;          // sum p . f
  mbd_mat3_t fp;      // sum f p^T
} still_t;

typedef mbdi_derivative_outputs_t matrices_t;

// bytes of a line of the cache
enum { LINE = 64 };

// the working memory, laid out
typedef struct scratch {
  const mbdi_derivative_kernels_t * kernels;
  mbdi_derivative_dofs_t dof;
  size_t ld;   // numbers of a row of dq and dv
  double * E;  // displacements, which world-fixed wrenches do not follow    [nv][DERIVATIVE_MOTION]
  mbdi_derivative_bodies_t body;
  double * late;      // body.late, where that is not NULL
  still_t * still;    // [nbody]
  int * run;          // of related degrees of freedom [2 nbody + 2]
  double *G, *D_inv;  // of articulated bodies [nv][DERIVATIVE_MOTION], [6 nv]
  double * solve;     // work of a solve
  double *dq, *dv;    // [nv ld]
} scratch_t;

static size_t
lay_out_scratch(const mbd_model_t * model, double * work, scratch_t * scratch)
{
  const size_t nv = (size_t)model->nv, nbody = (size_t)model->nbody;
  const size_t ld = (nv + 7) / 8 * 8 + 8;
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(model);
  const size_t length = kernels->vector_length;
  // vectors and rows do not cross lines of the cache
  size_t n = work ? (LINE - (uintptr_t)work % LINE) % LINE / sizeof *work : LINE / sizeof *work - 1;
  scratch->ld = ld;
  scratch->kernels = kernels;
  scratch->body.late = NULL;
  scratch->dof.stride = (nv + length - 1) / length * length + length;
#define TAKE(field, count) \
  scratch->field = mbdi_arena_work(work, &n, (count), sizeof *scratch->field)
  TAKE(dof.S_row, DERIVATIVE_MOTION * (nv + length));
  TAKE(dof.psi_row, DERIVATIVE_MOTION * (nv + length));
  TAKE(dof.U_row, DERIVATIVE_MOTION * (nv + length));
  TAKE(body.V, (nbody + 1) * DERIVATIVE_MOTION);
  TAKE(body.A, (nbody + 1) * DERIVATIVE_MOTION);
  TAKE(body.composite, nbody * COMPOSITE_STRIDE);
  TAKE(late, (nbody + 1) * DERIVATIVE_MOTION);
  TAKE(E, DERIVATIVE_MOTION * nv);
  TAKE(G, DERIVATIVE_MOTION * nv);
  TAKE(dq, nv * ld);
  TAKE(dv, nv * ld);
  TAKE(dof.x, DOF_NUMBERS * scratch->dof.stride);
  TAKE(solve, mbdi_derivative_solve_work(model));
  TAKE(dof.block, nv);
  TAKE(dof.block_of, nv);
  TAKE(run, 2 * nbody + 2);
  TAKE(still, nbody);
  TAKE(D_inv, 6 * nv);
#undef TAKE
  return n;
}

size_t
mbdi_tree_derivatives_work(const mbd_model_t * model)
{
  scratch_t unused;
  return lay_out_scratch(model, NULL, &unused);
}

static void
add_force(mbd_force_t f, double * x, size_t stride)
{
  const double number[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  for (size_t k = 0; k < 6; k++) x[k * stride] += number[k];
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

// the terms of dS/dq in psi, c and c_v of degree of freedom j of body i
static void
add_moving_axes(
  const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch, int i, int j,
  const double * qdd)
{
  const mbd_body_t * body = &model->body[i];
  const int first = body->v_index;
  const size_t stride = scratch->dof.stride;
  const double * q = data->q + body->q_index;
  const double * v = data->v + first;
  double e[6];
  mbd_motion_t dS[6];
  joint_unit_velocity(j - first, e);
  if (!mbdi_joint_subspace_rate(body, q, e, dS)) return;

  const mbd_placement_t X = mbdi_derivative_placement(data, i);
  const double * V = scratch->body.V;
  const mbd_motion_t V_i = get_motion(V + (i + 1) * DERIVATIVE_MOTION, 1);
  const mbd_motion_t V_p = get_motion(V + (body->parent + 1) * DERIVATIVE_MOTION, 1);
  const mbd_motion_t dS_v = mbdu_motion_to_parent(&X, joint_motion(body, dS, v));
  mbd_motion_t more = mbdi_joint_rate_change(body, q, v, j - first);
  if (qdd) more = mbdu_motion_add(more, joint_motion(body, dS, qdd + first));
  more = mbdu_motion_to_parent(&X, more);
  double * x = mbdi_derivative_dof(&scratch->dof, j);
  double *psi = x + DOF_PSI * stride, *c = x + DOF_C * stride, *c_v = x + DOF_C_V * stride;
  more = mbdu_motion_add(more, mbdu_motion_cross(V_i, dS_v));
  more = mbdu_motion_sub(more, mbdu_motion_cross(dS_v, V_p));
  put_motion(mbdu_motion_add(get_motion(psi, stride), dS_v), psi, stride);
  put_motion(mbdu_motion_add(get_motion(c, stride), more), c, stride);
  const mbd_motion_t rate = mbdu_motion_to_parent(&X, data->S_rate[j]);
  put_motion(mbdu_motion_add(get_motion(c_v, stride), mbdu_motion_add(dS_v, rate)), c_v, stride);
}

// the terms of dS/dq in the rows of its joint; true if there are some
static bool
add_moving_rows(
  const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch,
  const matrices_t * out)
{
  bool some = false;
  for (int j = 0; j < model->nv; j++) {
    const int i = model->dof_body[j];
    const mbd_body_t * body = &model->body[i];
    const int first = body->v_index;
    double e[6];
    mbd_motion_t dS[6];
    if (!mbdi_joint_ops[body->type].subspace_rate) continue;
    joint_unit_velocity(j - first, e);
    if (!mbdi_joint_subspace_rate(body, data->q + body->q_index, e, dS)) continue;
    const double * f = scratch->body.composite + (size_t)i * COMPOSITE_STRIDE + COMPOSITE_FORCE;
    const mbd_force_t world = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    const mbd_placement_t X = mbdi_derivative_placement(data, i);
    const mbd_force_t own = mbdu_force_to_child(&X, world);
    for (int r = first; r < first + body->nv; r++)
      out->dq[(size_t)r * out->stride + (size_t)j] += mbdu_power(own, dS[r - first]);
    some = true;
  }
  return some;
}

//---------- bodies ----------

// wrenches that do not turn with their bodies
static void
take_still_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_wrenches_t * wrenches,
  still_t * still)
{
  const mbd_vec3_t origin = data->X_world[0].p;
  memset(still, 0, (size_t)model->nbody * sizeof *still);
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mbd_wrench_t * w = &wrenches->w[k];
    const int body = model->frame[w->frame].body;
    if (body < 0 || w->reference == MBD_LOCAL) continue;
    still_t * s = &still[body];
    if (w->reference == MBD_WORLD) {
      mbd_force_t F = w->f;
      F.ang = mbdu_vec3_sub(F.ang, mbdu_vec3_cross(origin, F.lin));
      s->fixed = mbdu_force_add(s->fixed, F);
      continue;
    }
    const mbd_vec3_t f = w->f.lin;
    const mbd_vec3_t p = mbdu_vec3_sub(mbdi_frame_in_world(model, data, w->frame).p, origin);
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

// forces of wrenches, which bodies need not take from their joints
static void
add_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_wrenches_t * f_ext,
  const scratch_t * scratch)
{
  mbd_force_t * F = data->work->F;
  memset(F, 0, (size_t)model->nbody * sizeof *F);
  mbdi_add_wrenches(model, data, f_ext, -1, F);
  for (int i = 0; i < model->nbody; i++) {
    double * f = scratch->body.composite + (size_t)i * COMPOSITE_STRIDE + COMPOSITE_FORCE;
    const mbd_placement_t X = mbdi_derivative_placement(data, i);
    add_force(mbdu_force_to_parent(&X, F[i]), f, 1);
  }
  take_still_wrenches(model, data, f_ext, scratch->still);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int p = model->body[i].parent;
    if (p >= 0) add_still(&scratch->still[p], &scratch->still[i]);
  }
}

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

static void
add_still_wrenches(const mbd_model_t * model, const scratch_t * scratch)
{
  const size_t stride = scratch->dof.stride;
  for (int j = 0; j < model->nv; j++) {
    const still_t * still = &scratch->still[model->dof_body[j]];
    double *x = mbdi_derivative_dof(&scratch->dof, j), *E = scratch->E + j * DERIVATIVE_MOTION;
    const mbd_motion_t S = get_motion(x + DOF_S * stride, stride);
    memset(E, 0, DERIVATIVE_MOTION * sizeof *E);
    add_force(left_behind_row(still, S), E, 1);
    add_force(left_behind(still, S), x + DOF_F_Q * stride, stride);
  }
}

// dq[r][j] += S_j . E_r of each degree of freedom j that carries r or is of its joint
static void
add_displacements(const mbd_model_t * model, const scratch_t * scratch, const matrices_t * out)
{
  for (int r = 0; r < model->nv; r++) {
    const double * E = scratch->E + r * DERIVATIVE_MOTION;
    for (int i = model->dof_body[r]; i >= 0; i = model->body[i].parent) {
      const int first = model->body[i].v_index, next = first + model->body[i].nv;
      for (int j = first; j < next; j++) {
        const double * S = scratch->dof.S_row + j * DERIVATIVE_MOTION;
        double sum = 0;
        for (int k = 0; k < 6; k++) sum += S[k] * E[k];
        out->dq[(size_t)r * out->stride + (size_t)j] += sum;
      }
    }
  }
}

//---------- matrices ----------

// friction and rotors are on the diagonals; false if they are not finite
static bool
add_drives(const mbd_model_t * model, const mbd_data_t * data, const matrices_t * out)
{
  double sum = 0;
  if (!(data->terms & (MBD_TERM_FRICTION | MBD_TERM_ROTORS))) return true;
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const size_t diagonal = (size_t)k * out->stride + (size_t)k;
    if (out->M) out->M[diagonal] += joint_rotor(data, body);
    if (!(data->terms & MBD_TERM_FRICTION)) continue;
    const mbd_drive_t * drive = &body->drive;
    out->dv[diagonal] += drive->viscous;
    if (!(drive->coulomb > 0)) continue;
    const double t = tanh(data->v[k] / drive->coulomb_velocity);
    out->dv[diagonal] += drive->coulomb / drive->coulomb_velocity * (1 - t * t);
    sum += 0 * out->dv[diagonal];
  }
  return sum == 0;
}

// At q and v of the workspace, with the placements of its bodies. False if the results may not be finite:
// they have not all been looked at.
static bool
derive(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd,
  const mbd_wrenches_t * f_ext, const scratch_t * scratch, const matrices_t * out)
{
  const mbdi_derivative_kernels_t * kernels = scratch->kernels;
  const bool wrenches = f_ext && f_ext->n > 0;
  if (model->nv == 0) return true;
  if (!scratch->body.late) {
    kernels->bodies(model, data, qdd, &scratch->dof, &scratch->body);
    if (wrenches) add_wrenches(model, data, f_ext, scratch);
    kernels->sum_subtrees(model, &scratch->body);
  }
  kernels->motions(model, &scratch->body, &scratch->dof);
  bool moving = false;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (!mbdi_joint_ops[body->type].subspace_rate) continue;
    for (int j = body->v_index; j < body->v_index + body->nv; j++)
      add_moving_axes(model, data, scratch, i, j, qdd);
    moving = true;
  }
  const bool finite = kernels->forces(model, &scratch->body, &scratch->dof);
  if (wrenches) add_still_wrenches(model, scratch);
  kernels->matrices(model, &scratch->dof, out);
  if (wrenches) add_displacements(model, scratch, out);
  moving = moving && add_moving_rows(model, data, scratch, out);
  return add_drives(model, data, out) && finite && !wrenches && !moving;
}

// a deferred state has no placements yet
static void
complete_placements(const mbd_model_t * model, mbd_data_t * data)
{
  const uint32_t stages = stage_bits(data);
  if (!(stages & STAGES_DEFERRED)) return;
  model->internal->engine->position_stage(model, data);
  stage_reset(data, stages);
}

mbd_status_t
mbdi_derivative_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd)
{
  CHECK(model->internal->engine->load_state(
    model, data, q, v, qdd, data->work->qdd, MBD_STAGE_DEFERRED));
  if (!qdd) memset(data->work->qdd, 0, (size_t)model->nv * sizeof *qdd);
  complete_placements(model, data);
  return MBD_OK;
}

// the same where q and v may be those of the workspace, with wrenches
static mbd_status_t
load_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext)
{
  if (!q || !v || (f_ext && f_ext->n > 0)) {
    CHECK(mbdi_take_state(model, data, q, v));
    mbdi_force_stage(model, data, qdd, f_ext);
    return MBD_OK;
  }
  return mbdi_derivative_state(model, data, q, v, qdd);
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
  CHECK(load_state(model, data, q, v, qdd, f_ext));
  scratch_t scratch;
  lay_out_scratch(model, work, &scratch);
  const size_t nv = (size_t)model->nv, size = nv * nv;
  const matrices_t out = {dtau_dq ? dtau_dq : scratch.dq, dtau_dv ? dtau_dv : scratch.dv, M, nv};
  if (derive(model, data, qdd, f_ext, &scratch, &out)) return MBD_OK;
  const mbdi_derivative_kernels_t * kernels = scratch.kernels;
  const bool finite = (!dtau_dq || kernels->finite(dtau_dq, size)) &&
                      (!dtau_dv || kernels->finite(dtau_dv, size)) &&
                      (!M || kernels->finite(M, size));
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

//---------- forward dynamics ----------

// first degree of freedom behind the subtree that moves with k
static int
subtree_dof_end(const mbd_model_t * model, int k)
{
  const mbd_body_t * last = &model->body[model->body[model->dof_body[k]].subtree_end - 1];
  return last->v_index + last->nv;
}

// rows that are not zero in columns [k, ...) of which the last descendant is before `end`: degrees of
// freedom whose bodies carry that of k, are it or are carried by it, in runs of neighbours: `run` gets where
// each begins and ends; returns how many
static int
related_runs(const mbd_model_t * model, int k, int end, int * run)
{
  const int i = model->dof_body[k];
  int n = 1, begin = model->body[i].v_index;
  run[0] = begin, run[1] = end;
  for (int p = model->body[i].parent; p >= 0; p = model->body[p].parent) {
    const int behind = model->body[p].v_index + model->body[p].nv;
    begin = model->body[p].v_index;
    if (behind == run[2 * n - 2]) {
      run[2 * n - 2] = begin;
    } else {
      run[2 * n] = begin, run[2 * n + 1] = behind;
      n++;
    }
  }
  return n;
}

// out = - M^-1 A without most of the zeros of A. Columns are taken together if their subtrees end at about
// the same place: those of a chain without branches, and short branches beside each other. What carries
// one of them and is no neighbour carries the first.
static void
minus_products(
  const mbd_model_t * model, const scratch_t * scratch, const double * M_inv, int first,
  double * const out[2])
{
  enum { MOST = 8, SLACK = 6 };
  const double * const A[2] = {scratch->dq, scratch->dv};
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(model);
  for (int begin = first, next; begin < model->nv; begin = next) {
    int end = subtree_dof_end(model, begin);
    for (next = begin + 1; next < model->nv && next < begin + MOST; next++) {
      const int another = subtree_dof_end(model, next);
      if (another > end + SLACK || another < end - SLACK) break;
      if (another > end) end = another;
    }
    const int runs = related_runs(model, begin, end, scratch->run);
    kernels->product(
      (size_t)model->nv, (size_t)begin, (size_t)next, runs, scratch->run, scratch->ld, M_inv, A,
      out);
  }
}

bool
mbdi_base_is_free(const mbd_model_t * model, const mbd_data_t * data)
{
  if (model->nbody < 1 || model->body[0].type != MBD_JOINT_FREE) return false;
  const mbd_body_t * base = &model->body[0];
  const mbd_drive_t * drive = &base->drive;
  if ((data->terms & MBD_TERM_FRICTION) && (drive->viscous != 0 || drive->coulomb != 0))
    return false;
  return joint_rotor(data, base) == 0;
}

// Seen from the falling base, gravity has no effect: a rotation of the base only turns gravity in its axes, a
// translation changes nothing, and a linear velocity v changes the derivative of its components by -w x v.
static void
free_base_columns(const mbd_model_t * model, const mbd_data_t * data, double * const out[2])
{
  const size_t nv = (size_t)model->nv;
  const mbd_vec3_t g = mbdu_mat3_tvec(&data->X_world[0].R, data->gravity);
  const double *w = data->v + 3, G[9] = {0, -g.z, g.y, g.z, 0, -g.x, -g.y, g.x, 0};
  const double W[9] = {0, w[2], -w[1], -w[2], 0, w[0], w[1], -w[0], 0};
  for (size_t r = 0; r < nv; r++) {
    for (size_t k = 0; k < 3; k++) {
      out[0][r * nv + k] = 0;
      out[0][r * nv + 3 + k] = r < 3 ? G[3 * r + k] : 0;
      out[1][r * nv + k] = r < 3 ? W[3 * r + k] : 0;
    }
  }
}

// Does a product take less time than solving for each column? Instructions, by the numbers of A that are
// not zero; a solution needs articulated bodies as well.
static bool
product_is_shorter(const mbd_model_t * model)
{
  double numbers = 0;
  for (int j = 0; j < model->nv; j++)
    numbers += 2 * (subtree_dof_end(model, j) - model->body[model->dof_body[j]].v_index);
  return 1.2 * numbers < 42.0 * model->nbody + 250;
}

// D^-1 and G of articulated bodies: those that the engine has, or new ones
static bool
take_gains(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  const mbdi_engine_t * engine = model->internal->engine;
  double * G = scratch->G;
  if (!engine->hinge_gains || !engine->hinge_gains(model, data, scratch->D_inv, G)) {
    return scratch->kernels->articulate(
      model, data, scratch->dof.S_row, scratch->solve, scratch->D_inv, G);
  }
  // from the parents' origins to that of the first body
  for (int j = 0; j < model->nv; j++, G += DERIVATIVE_MOTION) {
    const int parent = model->body[model->dof_body[j]].parent;
    if (parent < 0) continue;
    const mbd_vec3_t p = mbdi_derivative_placement(data, parent).p;
    G[0] += p.y * G[5] - p.z * G[4];
    G[1] += p.z * G[3] - p.x * G[5];
    G[2] += p.x * G[4] - p.y * G[3];
  }
  return true;
}

// out = - M^-1 A; false if a joint moves a subtree without inertia
static bool
minus_solve(
  const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch, double * const out[2])
{
  const double * const A[2] = {scratch->dq, scratch->dv};
  if (!take_gains(model, data, scratch)) return false;
  scratch->kernels->solve(
    model, &scratch->dof, scratch->D_inv, scratch->G, scratch->ld, scratch->solve, A, out);
  return true;
}

void
mbdi_minus_product(size_t nv, const double * M_inv, const double * A, double * out)
{
  memset(out, 0, nv * nv * sizeof *out);
  for (size_t k = 0; k < nv; k++) {
    const double * row = A + k * nv;
    for (size_t i = 0; i < nv; i++) {
      const double factor = M_inv[i * nv + k];
      double * to = out + i * nv;
      for (size_t j = 0; j < nv; j++) to[j] -= factor * row[j];
    }
  }
}

// Do the composites of derivatives give M and h? A joint whose axes move adds forces elsewhere.
static bool
has_mass_of_composites(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  const mbdi_engine_t * engine = model->internal->engine;
  if (scratch->kernels->vector_length <= 2 || !engine->inverse_of || model->internal->base)
    return false;
  for (int i = 0; i < model->nbody; i++) {
    if (mbdi_joint_ops[model->body[i].type].subspace_rate) return false;
  }
  return engine->inverse_of(model, data, NULL, NULL);
}

// M^-1 and h of composites at qdd = 0
static mbd_status_t
inverse_of_composites(
  const mbd_model_t * model, mbd_data_t * data, scratch_t * scratch, double * h, double * M_inv)
{
  const mbdi_derivative_kernels_t * kernels = scratch->kernels;
  const size_t stride = ((size_t)model->nv + 3) / 4 * 4;
  double * M = scratch->dv;
  complete_placements(model, data);
  kernels->bodies(model, data, NULL, &scratch->dof, &scratch->body);
  kernels->sum_subtrees(model, &scratch->body);
  kernels->mass(model, &scratch->body, &scratch->dof, stride, h, M);
  for (int k = 0; k < model->nv; k++)
    M[(size_t)k * (stride + 1)] += joint_rotor(data, &model->body[model->dof_body[k]]);
  scratch->body.late = scratch->late;
  if (model->internal->engine->inverse_of(model, data, M, M_inv)) return MBD_OK;
  return mbd_mass_matrix_inverse(model, data, M_inv);
}

// M^-1, and qdd = M^-1 (tau - h) with it; q and v are given, without wrenches
static mbd_status_t
accelerate(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, scratch_t * scratch, double * qdd, double * M_inv)
{
  const mbdi_engine_t * engine = model->internal->engine;
  double *torque = data->work->qdd, *x = data->work->x, *h = scratch->dq;
  CHECK(engine->load_state(model, data, q, v, tau, torque, MBD_STAGE_DEFERRED_VELOCITY));
  const bool shared = has_mass_of_composites(model, data, scratch);
  if (shared) {
    CHECK(inverse_of_composites(model, data, scratch, h, M_inv));
  } else {
    CHECK(engine->bias(model, data, h));
  }
  mbdi_take_torques(model, data, tau ? torque : NULL);
  for (int k = 0; k < model->nv; k++) h[k] = x[k] - h[k];
  if (!shared) CHECK(mbd_mass_matrix_inverse(model, data, M_inv));
  scratch->kernels->multiply((size_t)model->nv, M_inv, h, scratch->dv);
  if (!copy_if_finite(qdd, scratch->dv, model->nv)) {
    stage_reset(data, 0);
    return MBD_ERROR_NOT_FINITE;
  }
  copy_array(data->work->qdd, qdd, model->nv);
  if (stage_any(data, MBD_STAGE_DEFERRED_VELOCITY)) {
    stage_clear(data, MBD_STAGE_DEFERRED_VELOCITY);
    stage_set(data, MBD_STAGE_DEFERRED);
  }
  if (shared)
    scratch->kernels->accelerate(model, qdd, &scratch->dof, scratch->solve, &scratch->body);
  return MBD_OK;
}

// the derivatives at the acceleration that forward dynamics has left
static mbd_status_t
derive_forward(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd,
  double * const out[2], double * M_inv)
{
  const struct mbdi_model * internal = model->internal;
  const mbdi_engine_t * engine = internal->base ? internal->base : internal->engine;
  scratch_t scratch;
  lay_out_scratch(model, work, &scratch);
  // with vectors of two a large product takes more time than forward dynamics
  enum { PRODUCT_MOST = 64 };
  const bool multiplies =
    scratch.kernels->vector_length > 2 || engine == &mbdi_tree_engine || model->nv <= PRODUCT_MOST;
  const bool inverted = q && v && !f_ext && multiplies;
  if (inverted)
    CHECK(accelerate(model, data, q, v, tau, &scratch, qdd, M_inv));
  else
    CHECK(mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd));
  if (!stage_any(data, STAGES_DEFERRED)) mbdi_force_stage(model, data, qdd, f_ext);
  if (!scratch.body.late) complete_placements(model, data);
  const matrices_t inverse = {scratch.dq, scratch.dv, NULL, scratch.ld};
  derive(model, data, qdd, f_ext, &scratch, &inverse);
  if (!inverted) CHECK(mbd_mass_matrix_inverse(model, data, M_inv));
  const bool is_free = mbdi_base_is_free(model, data) && !(f_ext && f_ext->n > 0);
  if (product_is_shorter(model) || !minus_solve(model, data, &scratch, out))
    minus_products(model, &scratch, M_inv, is_free ? 3 : 0, out);
  if (is_free) free_base_columns(model, data, out);
  return MBD_OK;
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
  const size_t nv = (size_t)model->nv;
  double * const out[2] = {dqdd_dq, dqdd_dv};
  if (engine->rigid_tree) {
    CHECK(derive_forward(model, data, q, v, tau, f_ext, work, qdd, out, M_inv));
  } else {
    CHECK(mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd));
    forget_deferred_acceleration(data);  // the derivatives compute it anew
    double *dq = work + engine->derivatives_work(model) - 2 * nv * nv, *dv = dq + nv * nv;
    CHECK(
      mbd_inverse_dynamics_derivatives(model, data, NULL, NULL, qdd, f_ext, work, dq, dv, NULL));
    CHECK(mbd_mass_matrix_inverse(model, data, M_inv));
    mbdi_minus_product(nv, M_inv, dq, dqdd_dq);
    mbdi_minus_product(nv, M_inv, dv, dqdd_dv);
  }
  const mbdi_derivative_kernels_t * kernels = mbdi_derivative_kernels(model);
  const bool finite = kernels->finite(dqdd_dq, nv * nv) && kernels->finite(dqdd_dv, nv * nv);
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
