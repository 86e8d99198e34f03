// Rates of articulated bodies (chapter 18) and the diagonalised equations of motion (chapter 19),
// in body axes: there the shift of the child's frame is the only thing that moves, so that no term
// of the book's inertial derivatives is needed and joints of every type are treated alike.
#include "mbdyn/operators/diagonal.h"

#include <math.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/opspace.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/arena.h"

//---------- one hinge ----------

// a hinge and its change
typedef struct hinge {
  mbd_force_t U[6], dU[6];  // P S and its change
  double dD[36];            // change of D, row-major nv x nv
} hinge_t;

static void
hinge_change(
  const mbd_data_t * data, const mbd_body_t * body, const mbd_sym6_t * P, const mbd_sym6_t * dP,
  const mbd_motion_t * dS, hinge_t * h)
{
  const mbd_motion_t * S = data->S + body->v_index;
  const int n = body->nv;
  for (int k = 0; k < n; k++) {
    h->U[k] = mbdu_sym6_mul_motion(P, S[k]);
    h->dU[k] = mbdu_sym6_mul_motion(dP, S[k]);
    if (dS) h->dU[k] = mbdu_force_add(h->dU[k], mbdu_sym6_mul_motion(P, dS[k]));
  }
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      h->dD[r * n + k] = mbdu_power(h->dU[k], S[r]);
      if (dS) h->dD[r * n + k] += mbdu_power(h->U[k], dS[r]);
    }
  }
}

// dG = (dU - G dD) D^-1
static void
gain_change(const mbd_data_t * data, const mbd_body_t * body, const hinge_t * h, mbd_force_t * dG)
{
  const int n = body->nv;
  const mbd_force_t * G = data->G + body->v_index;
  const double * D_inv = data->D_inv + body->d_index;
  mbd_force_t X[6];
  for (int k = 0; k < n; k++) {
    X[k] = h->dU[k];
    for (int r = 0; r < n; r++)
      X[k] = mbdu_force_sub(X[k], mbdu_force_scale(h->dD[r * n + k], G[r]));
  }
  for (int k = 0; k < n; k++) {
    memset(&dG[k], 0, sizeof dG[k]);
    for (int r = 0; r < n; r++)
      dG[k] = mbdu_force_add(dG[k], mbdu_force_scale(D_inv[r * n + k], X[r]));
  }
}

// A += s sum_k a_k b_k^T + b_k a_k^T
static void
add_outers(int n, double s, const mbd_force_t * a, const mbd_force_t * b, mbd_sym6_t * A)
{
  for (int k = 0; k < n; k++) mbdu_sym6_add_outer(A, s, a[k].ang, a[k].lin, b[k].ang, b[k].lin);
}

// A + X + X^T
static mbd_sym3_t
add_twice(mbd_sym3_t A, const mbd_mat3_t * X)
{
  const double * x = X->m;
  const mbd_sym3_t more = {2 * x[0], x[1] + x[3], x[2] + x[6], 2 * x[4], x[5] + x[7], 2 * x[8]};
  return mbdu_sym3_add(A, more);
}

// A + bar(V) P - P tilde(V): what displacing P by V adds, which is symmetric
static mbd_sym6_t
displaced(const mbd_sym6_t * A, const mbd_sym6_t * P, mbd_motion_t V)
{
  const mbd_mat3_t J = mbdu_sym3_to_mat3(&P->J), M = mbdu_sym3_to_mat3(&P->M);
  const mbd_mat3_t H_t = mbdu_mat3_transpose(&P->H);
  const mbd_mat3_t wJ = mbdu_mat3_cross_left(V.ang, &J), vH = mbdu_mat3_cross_left(V.lin, &H_t);
  const mbd_mat3_t wH = mbdu_mat3_cross_left(V.ang, &P->H), vM = mbdu_mat3_cross_left(V.lin, &M);
  const mbd_mat3_t Hw = mbdu_mat3_cross_right(&P->H, V.ang), wM = mbdu_mat3_cross_left(V.ang, &M);
  const mbd_mat3_t X = mbdu_mat3_add(&wJ, &vH);
  mbd_sym6_t B = {add_twice(A->J, &X), A->H, add_twice(A->M, &wM)};
  for (int k = 0; k < 9; k++) B.H.m[k] += wH.m[k] + vM.m[k] - Hw.m[k];
  return B;
}

// change of what the parent gets: phi (dP+ + bar P+ - P+ tilde) phi^T
static mbd_sym6_t
change_for_parent(
  const mbd_data_t * data, const mbd_body_t * body, int i, const hinge_t * h, const mbd_sym6_t * dP,
  mbd_motion_t V)
{
  const mbd_force_t * G = data->G + body->v_index;
  const int n = body->nv;
  mbd_sym6_t P_plus = data->P[i], dP_plus = *dP;
  add_outers(n, -0.5, h->U, G, &P_plus);
  add_outers(n, -1, h->dU, G, &dP_plus);
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      mbdu_sym6_add_outer(&dP_plus, 0.5 * h->dD[r * n + k], G[r].ang, G[r].lin, G[k].ang, G[k].lin);
    }
  }
  const mbd_sym6_t shown = displaced(&dP_plus, &P_plus, V);
  return mbdu_sym6_to_parent(&data->X_parent[i], &shown);
}

// dS of a joint along its part of u; NULL where its axes stand still
static const mbd_motion_t *
axes_change(const mbd_data_t * data, const mbd_body_t * body, const double * u, mbd_motion_t * dS)
{
  return mbdi_joint_subspace_rate(body, data->q + body->q_index, u, dS) ? dS : NULL;
}

//---------- along a motion ----------

// all of it; needs the articulated stage
static void
articulated_rate(
  const mbd_model_t * model, const mbd_data_t * data, const double * u, mbd_sym6_t * dP,
  mbd_force_t * dG, double * dD)
{
  memset(dP, 0, (size_t)model->nbody * sizeof *dP);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    mbd_motion_t dS[6];
    hinge_t h;
    hinge_change(
      data, body, &data->P[i], &dP[i], axes_change(data, body, u + body->v_index, dS), &h);
    gain_change(data, body, &h, dG + body->v_index);
    memcpy(dD + body->d_index, h.dD, (size_t)(body->nv * body->nv) * sizeof *dD);
    if (body->parent < 0) continue;
    const mbd_motion_t V = joint_motion(body, data->S + body->v_index, u + body->v_index);
    const mbd_sym6_t more = change_for_parent(data, body, i, &h, &dP[i], V);
    dP[body->parent] = mbdu_sym6_add(&dP[body->parent], &more);
  }
}

mbd_status_t
mbd_articulated_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * u, mbd_sym6_t * dP, mbd_force_t * dG,
  double * dD)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!u || !dP || !dG || !dD) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(u, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_articulated_inertia(model, data));
  articulated_rate(model, data, u, dP, dG, dD);
  return finite_array(dD, model->nD) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

//---------- determinant ----------

// trace of D^-1 dD
static double
log_change(const mbd_data_t * data, const mbd_body_t * body, const hinge_t * h)
{
  double sum = 0;
  const int n = body->nv;
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) sum += data->D_inv[body->d_index + r * n + k] * h->dD[k * n + r];
  }
  return sum;
}

// sum of the products of all entries
static double
trace_of_product(const mbd_sym6_t * A, const mbd_sym6_t * B)
{
  double a[36], b[36], sum = 0;
  mbdu_sym6_full(A, a);
  mbdu_sym6_full(B, b);
  for (int k = 0; k < 36; k++) sum += a[k] * b[k];
  return sum;
}

// d log det M / dq_j. Only what carries j sees it move, as a change dP of the inertia that its hinge
// lets through; to that log det M is as sensitive as to inertia on the parent: trace(Y dP)  (Ex 18.15)
static double
log_determinant_slope(const mbd_model_t * model, const mbd_data_t * data, int j)
{
  const int i = model->dof_body[j];
  const mbd_body_t * body = &model->body[i];
  mbd_sym6_t none;
  mbd_motion_t dS[6];
  hinge_t h;
  double u[6];
  memset(&none, 0, sizeof none);
  for (int k = 0; k < 6; k++) u[k] = k == j - body->v_index;
  hinge_change(data, body, &data->P[i], &none, axes_change(data, body, u, dS), &h);
  const double own = log_change(data, body, &h);
  if (body->parent < 0) return own;
  const mbd_motion_t V = joint_motion(body, data->S + body->v_index, u);
  const mbd_sym6_t dP = change_for_parent(data, body, i, &h, &none, V);
  return own + trace_of_product(&data->Y[body->parent], &dP);
}

mbd_status_t
mbd_log_determinant_gradient(const mbd_model_t * model, mbd_data_t * data, double * gradient)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!gradient) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_compliance(model, data));
  for (int j = 0; j < model->nv; j++) gradient[j] = log_determinant_slope(model, data, j);
  return finite_array(gradient, model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

//---------- quasi-velocities ----------

typedef struct scratch {
  mbd_sym6_t * dP;   // [nbody]
  mbd_force_t * dG;  // [nv]
  double * dD;       // [nD]
  double * rate;     // dF/dt^T v [nv]
} scratch_t;

static size_t
lay_out_scratch(const mbd_model_t * model, double * work, scratch_t * scratch)
{
  const size_t nv = (size_t)model->nv;
  size_t n = 0;
  scratch->dP = mbdi_arena_work(work, &n, (size_t)model->nbody, sizeof *scratch->dP);
  scratch->dG = mbdi_arena_work(work, &n, nv, sizeof *scratch->dG);
  scratch->dD = mbdi_arena_work(work, &n, (size_t)model->nD, sizeof *scratch->dD);
  scratch->rate = mbdi_arena_work(work, &n, nv, sizeof *scratch->rate);
  return n;
}

size_t
mbd_diagonal_work(const mbd_model_t * model)
{
  scratch_t unused;
  return model && model->finalized ? lay_out_scratch(model, NULL, &unused) : 0;
}

// A force on its way down from a hinge, with its change: to the parent of body i, which is displaced
// against it, and what the parent's hinge feels of them, in e and de
typedef struct falling {
  mbd_force_t f, df;
  double e[6], de[6];
} falling_t;

static void
fall(const mbd_model_t * model, const mbd_data_t * data, const double * u, int i, falling_t * x)
{
  const mbd_body_t * body = &model->body[i];
  const mbd_motion_t V = joint_motion(body, data->S + body->v_index, u + body->v_index);
  const mbd_force_t change = mbdu_force_add(x->df, mbdu_force_cross(V, x->f));
  x->f = mbdu_force_to_parent(&data->X_parent[i], x->f);
  x->df = mbdu_force_to_parent(&data->X_parent[i], change);
  const mbd_body_t * parent = &model->body[body->parent];
  mbd_motion_t dS[6];
  joint_project(parent, data->S + parent->v_index, x->f, x->e);
  joint_project(parent, data->S + parent->v_index, x->df, x->de);
  if (!axes_change(data, parent, u + parent->v_index, dS)) return;
  for (int k = 0; k < parent->nv; k++) x->de[k] += mbdu_power(x->f, dS[k]);
}

// taubar f and its change                                                            (18.52)
static void
articulated_transmit(
  const mbd_data_t * data, const mbd_force_t * dG, const mbd_body_t * body, falling_t * x)
{
  for (int k = 0; k < body->nv; k++) {
    const mbd_force_t * G = data->G + body->v_index;
    x->f = mbdu_force_sub(x->f, mbdu_force_scale(x->e[k], G[k]));
    x->df = mbdu_force_sub(x->df, mbdu_force_scale(x->de[k], G[k]));
    x->df = mbdu_force_sub(x->df, mbdu_force_scale(x->e[k], dG[body->v_index + k]));
  }
}

// column j of d(I + H phi K), or of d(I - H psi K)                            (Ex 18.11, Ex 18.12)
static void
factor_change(
  const mbd_model_t * model, const mbd_data_t * data, const double * u, const mbd_force_t * dG,
  int j, bool inverse, double * out)
{
  falling_t x = {.f = data->G[j], .df = dG[j]};
  for (int i = model->dof_body[j]; model->body[i].parent >= 0; i = model->body[i].parent) {
    const mbd_body_t * parent = &model->body[model->body[i].parent];
    fall(model, data, u, i, &x);
    for (int k = 0; k < parent->nv; k++) {
      const size_t at = (size_t)(parent->v_index + k) * (size_t)model->nv + (size_t)j;
      out[at] = inverse ? -x.de[k] : x.de[k];
    }
    if (inverse) articulated_transmit(data, dG, parent, &x);
  }
}

static void
hinge_inertia_change(const mbd_model_t * model, const double * dD, double * out)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const int n = body->nv;
    for (int k = 0; k < n * n; k++) {
      const size_t row = (size_t)(body->v_index + k / n), column = (size_t)(body->v_index + k % n);
      out[row * (size_t)model->nv + column] = dD[body->d_index + k];
    }
  }
}

mbd_status_t
mbd_factor_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * u, double * work, double * dF,
  double * dF_inv, double * dD)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!u || !work) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(u, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_articulated_inertia(model, data));
  scratch_t scratch;
  lay_out_scratch(model, work, &scratch);
  const size_t bytes = (size_t)model->nv * (size_t)model->nv * sizeof *dF;
  articulated_rate(model, data, u, scratch.dP, scratch.dG, scratch.dD);
  if (dF) memset(dF, 0, bytes);
  if (dF_inv) memset(dF_inv, 0, bytes);
  if (dD) memset(dD, 0, bytes);
  for (int j = 0; j < model->nv; j++) {
    if (dF) factor_change(model, data, u, scratch.dG, j, false, dF);
    if (dF_inv) factor_change(model, data, u, scratch.dG, j, true, dF_inv);
  }
  if (dD) hinge_inertia_change(model, scratch.dD, dD);
  const bool finite = finite_square(dF, model->nv) && finite_square(dF_inv, model->nv) &&
                      finite_square(dD, model->nv);
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// dF/dt^T v = dG^T V+ + G^T A+, the motion of the parent as the child sees it and its rate
static void
factor_rate(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  model->internal->engine->bias_stage(model, data);
  articulated_rate(model, data, data->v, scratch->dP, scratch->dG, scratch->dD);
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const int first = body->v_index;
    const mbd_motion_t dV = joint_motion(body, data->S + first, data->v + first);
    mbd_motion_t V = rest, A = rest;
    if (body->parent >= 0) {
      V = mbdu_motion_to_child(&data->X_parent[i], data->V[body->parent]);
      A = mbdu_motion_to_child(&data->X_parent[i], data->A_bias[body->parent]);
      A = mbdu_motion_add(A, mbdu_motion_cross(V, dV));
    }
    for (int k = first; k < first + body->nv; k++)
      scratch->rate[k] = mbdu_power(scratch->dG[k], V) + mbdu_power(data->G[k], A);
  }
}

// arguments, the articulated stage and the rate
static mbd_status_t
prepare(
  const mbd_model_t * model, mbd_data_t * data, double * work, const double * out,
  scratch_t * scratch)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!work || !out) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_articulated_inertia(model, data));
  lay_out_scratch(model, work, scratch);
  factor_rate(model, data, scratch);
  return MBD_OK;
}

mbd_status_t
mbd_factor_rate_product(const mbd_model_t * model, mbd_data_t * data, double * work, double * y)
{
  scratch_t scratch;
  CHECK(prepare(model, data, work, y, &scratch));
  return copy_checked(y, scratch.rate, model->nv);
}

// y = D x of one hinge
static void
hinge_inertia(const mbd_data_t * data, const mbd_body_t * body, int i, const double * x, double * y)
{
  const mbd_motion_t * S = data->S + body->v_index;
  joint_project(body, S, mbdu_sym6_mul_motion(&data->P[i], joint_motion(body, S, x)), y);
  for (int k = 0; k < body->nv; k++) y[k] += joint_rotor(data, body) * x[k];
}

// data->x = F^-1 (Coriolis) - D dF/dt^T v
static void
unnormalized(const mbd_model_t * model, mbd_data_t * data, const scratch_t * scratch)
{
  for (int i = 0; i < model->nbody; i++)
    data->work->F[i] = mbdi_body_force(data, i, data->A_bias[i]);
  model->internal->engine->gather_forces(model, data, data->work->F, data->work->x);
  mbdi_factor_apply(model, data, true, data->work->x);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    double y[6];
    hinge_inertia(data, body, i, scratch->rate + body->v_index, y);
    for (int k = 0; k < body->nv; k++) data->work->x[body->v_index + k] -= y[k];
  }
}

mbd_status_t
mbd_unnormalized_coriolis(const mbd_model_t * model, mbd_data_t * data, double * work, double * C)
{
  scratch_t scratch;
  CHECK(prepare(model, data, work, C, &scratch));
  unnormalized(model, data, &scratch);
  return copy_checked(C, data->work->x, model->nv);
}

// The root R of D = R R^T is upper triangular. R^-1 dR is the upper half of N = R^-1 dD R^-T, its
// diagonal halved: x := R^-1 x - (R^-1 dR)^T eta
static void
normalize_hinge(
  const mbd_data_t * data, const mbd_body_t * body, const double * dD, const double * eta,
  double * x)
{
  const int n = body->nv;
  double C[36], N[36], y[6];
  mbdi_hinge_root(data, body, C);  // R^-1 = C^T
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      N[r * n + k] = 0;
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) N[r * n + k] += C[a * n + r] * dD[a * n + b] * C[b * n + k];
      }
    }
  }
  for (int r = 0; r < n; r++) {
    y[r] = -0.5 * N[r * n + r] * eta[r];
    for (int k = 0; k < r; k++) y[r] -= N[k * n + r] * eta[k];
    for (int k = 0; k < n; k++) y[r] += C[k * n + r] * x[k];
  }
  memcpy(x, y, (size_t)n * sizeof *x);
}

mbd_status_t
mbd_quasi_coriolis(const mbd_model_t * model, mbd_data_t * data, double * work, double * C)
{
  scratch_t scratch;
  CHECK(prepare(model, data, work, C, &scratch));
  unnormalized(model, data, &scratch);
  // the rate is used up: its memory takes the result, while mbd_mass_sqrt uses data->x
  memcpy(scratch.rate, data->work->x, (size_t)model->nv * sizeof *C);
  CHECK(mbd_mass_sqrt(model, data, MBD_SQRT_TRANSPOSE, data->v, data->work->nu));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    normalize_hinge(
      data, body, scratch.dD + body->d_index, data->work->nu + body->v_index,
      scratch.rate + body->v_index);
  }
  return copy_checked(C, scratch.rate, model->nv);
}

mbd_status_t
mbd_quasi_velocity_damping(
  const mbd_model_t * model, mbd_data_t * data, const double * c, double * tau)
{
  // of a rigid tree a state is enough: it need not have been computed from
  const bool tree = model && model->internal->engine && model->internal->engine->rigid_tree;
  CHECK(check_any_dynamics(model, data, tree ? 0 : MBD_STAGE_VELOCITY));
  if (!stage_has_velocity(data)) return MBD_ERROR_STAGE;
  if (!c || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(c, model->nv)) return MBD_ERROR_NOT_FINITE;
  for (int k = 0; k < model->nv; k++) {
    if (c[k] < 0) return MBD_ERROR_BAD_ARGUMENT;
  }
  CHECK(mbd_mass_sqrt(model, data, MBD_SQRT_TRANSPOSE, data->v, data->work->nu));
  for (int k = 0; k < model->nv; k++) data->work->nu[k] *= -c[k];
  return mbd_mass_sqrt(model, data, MBD_SQRT, data->work->nu, tau);
}
