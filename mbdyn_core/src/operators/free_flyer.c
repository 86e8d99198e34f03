// Dual articulated inertias: what hangs on the inner side of each hinge (chapter 17), after the outer
// ones of the articulated stage. Siblings are summed without the body itself from both ends of their
// list, as taking it off the sum again would cancel.
#include "mbdyn/operators/free_flyer.h"

#include <math.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/element.h"
#include "tree/sweeps.h"

// of one body
typedef struct side {
  mbd_sym6_t up;     // phi P+ phi^T, what it hands to its parent
  mbd_force_t z_up;  // phi z+
  mbd_sym6_t S;      // inertia of the other side, at the body                       (17.7)
  mbd_force_t zd;    // its residual force
  mbd_sym6_t rest;   // of the siblings
  mbd_force_t z_rest;
  double nud[6];  // innovations of the dual hinge
  mbd_force_t Gd[6];
} side_t;

size_t
mbd_free_flyer_work(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  return (size_t)model->nbody * sizeof(side_t) / sizeof(double) + (size_t)model->nv;
}

static const mbd_force_t no_force = {{0, 0, 0}, {0, 0, 0}};

//---------- small things ----------

static mbd_sym6_t
outer_part(const mbd_data_t * data, const mbd_body_t * body, int i)
{
  mbd_sym6_t P_plus = data->P[i];
  const double * D_inv = data->D_inv + body->d_index;
  mbd_force_t U[6];
  for (int k = 0; k < body->nv; k++)
    U[k] = mbdu_sym6_mul_motion(&data->P[i], data->S[body->v_index + k]);
  for (int r = 0; r < body->nv; r++) {
    for (int k = 0; k < body->nv; k++) {
      mbdu_sym6_add_outer(
        &P_plus, -0.5 * D_inv[r * body->nv + k], U[r].ang, U[r].lin, U[k].ang, U[k].lin);
    }
  }
  return mbdu_sym6_to_parent(&data->X_parent[i], &P_plus);
}

// x = A^-1 b for a symmetric positive definite n x n matrix, n <= 6; false if it is not one
static bool
solve_spd(int n, const double * A, double * b)
{
  static const double floor[6] = {0};
  double L[36];
  if (!mbdi_cholesky(n, A, floor, L)) return false;
  mbdi_solve_lower(n, L, b);
  mbdi_solve_upper(n, L, b);
  return true;
}

// an inertia and a force of the parent's frame in the child's
static mbd_sym6_t
to_child(const mbd_placement_t * X, const mbd_sym6_t * A)
{
  const mbd_placement_t inverse = mbdu_placement_inverse(X);
  return mbdu_sym6_to_parent(&inverse, A);
}

//---------- sweeps ----------

// tips to bases: data->z with P a and b, eps into data->nu, and what each body hands to its parent
static void
inward(const mbd_model_t * model, mbd_data_t * data, const double * tau, side_t * side)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    double eps[6];
    side[i].up = outer_part(data, body, i);
    joint_project(body, data->S + body->v_index, data->z[i], eps);
    for (int k = 0; k < body->nv; k++) eps[k] = tau[body->v_index + k] - eps[k];
    joint_D_inv(data, body, eps, data->work->nu + body->v_index);
    const mbd_force_t z_plus = mbdu_force_add(data->z[i], joint_gain(data, body, eps));
    side[i].z_up = mbdu_force_to_parent(&data->X_parent[i], z_plus);
    if (body->parent < 0) continue;
    data->z[body->parent] = mbdu_force_add(data->z[body->parent], side[i].z_up);
  }
}

// sums over the siblings of each child of p
static void
sum_siblings(const mbd_model_t * model, int p, side_t * side)
{
  mbd_sym6_t sum;
  mbd_force_t z = no_force;
  int last = -1, count = 0;
  memset(&sum, 0, sizeof sum);
  for (int k = p + 1; k < model->body[p].subtree_end; k = model->body[k].subtree_end) {
    side[k].rest = sum, side[k].z_rest = z;
    sum = mbdu_sym6_add(&sum, &side[k].up);
    z = mbdu_force_add(z, side[k].z_up);
    last = k, count++;
  }
  memset(&sum, 0, sizeof sum);
  z = no_force;
  // the same from the other end: the sibling before k is what ends where k begins
  for (int k = last; count > 0; count--) {
    side[k].rest = mbdu_sym6_add(&side[k].rest, &sum);
    side[k].z_rest = mbdu_force_add(side[k].z_rest, z);
    sum = mbdu_sym6_add(&sum, &side[k].up);
    z = mbdu_force_add(z, side[k].z_up);
    int before = k - 1;
    while (before > p && model->body[before].parent != p) before = model->body[before].parent;
    k = before;
  }
}

// S and zd of body k, which is no base. b: gyroscopic and external force of each body
static bool
dual_hinge(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_force_t * b, const double * tau,
  int k, side_t * side)
{
  const mbd_body_t * body = &model->body[k];
  const int p = body->parent, n = body->nv;
  const mbd_motion_t * H = data->S + body->v_index;
  const mbd_placement_t * X = &data->X_parent[k];
  side_t * s = &side[k];
  mbd_sym6_t A = mbdu_sym6_from_inertia(&data->inertia[p]);
  A = mbdu_sym6_add(&A, &side[p].S);
  A = mbdu_sym6_add(&A, &s->rest);
  const mbd_force_t x = mbdu_force_add(mbdu_force_add(side[p].zd, b[p]), s->z_rest);
  const mbd_sym6_t Sp = to_child(X, &A);
  const mbd_force_t zdp =
    mbdu_force_sub(mbdu_force_to_child(X, x), mbdu_sym6_mul_motion(&Sp, data->a[k]));

  mbd_force_t U[6];
  double D[36], column[6];
  for (int c = 0; c < n; c++) {
    U[c] = mbdu_sym6_mul_motion(&Sp, H[c]);
    joint_project(body, H, U[c], column);
    for (int r = 0; r < n; r++) D[r * n + c] = column[r] + (r == c) * joint_rotor(data, body);
  }
  // Gd = -Sp H^T Dd^-1, column by column; ed = tau + H zdp
  double ed[6];
  joint_project(body, H, zdp, ed);
  for (int c = 0; c < n; c++) ed[c] += tau[body->v_index + c];
  s->S = Sp;
  s->zd = zdp;
  for (int c = 0; c < n; c++) {
    double e[6] = {0};
    e[c] = 1;
    if (!solve_spd(n, D, e)) return false;
    s->Gd[c] = no_force;
    for (int r = 0; r < n; r++) s->Gd[c] = mbdu_force_sub(s->Gd[c], mbdu_force_scale(e[r], U[r]));
    s->nud[c] = 0;
    for (int r = 0; r < n; r++) s->nud[c] += e[r] * ed[r];
    s->zd = mbdu_force_add(s->zd, mbdu_force_scale(ed[c], s->Gd[c]));
    mbdu_sym6_add_outer(&s->S, 0.5, s->Gd[c].ang, s->Gd[c].lin, U[c].ang, U[c].lin);
  }
  return true;
}

static mbd_status_t
outward(
  const mbd_model_t * model, mbd_data_t * data, const mbd_force_t * b, const double * tau,
  side_t * side)
{
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].parent < 0) {
      memset(&side[i].S, 0, sizeof side[i].S);
      side[i].zd = no_force;
    } else if (!dual_hinge(model, data, b, tau, i, side)) {
      data->error_body = i;
      return MBD_ERROR_MASSLESS_SUBTREE;
    }
    sum_siblings(model, i, side);
  }
  return MBD_OK;
}

//---------- bases ----------

static mbd_status_t
check_bases(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].parent >= 0 || model->body[i].type == MBD_JOINT_FREE) continue;
    data->error_body = i;
    return MBD_ERROR_BAD_JOINT;
  }
  return MBD_OK;
}

// b of each body in data->F; the wrench that tau is on a base is in it
static void
gather_forces(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_force_cross(data->V[i], momentum);
    if (body->parent >= 0) continue;
    // linear first
    const double * t = tau + body->v_index;
    const mbd_force_t push = {{t[3], t[4], t[5]}, {t[0], t[1], t[2]}};
    data->work->F[i] = mbdu_force_sub(data->work->F[i], push);
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->work->F);
  for (int i = 0; i < model->nbody; i++) {
    data->z[i] = mbdu_force_add(data->work->F[i], mbdu_sym6_mul_motion(&data->P[i], data->a[i]));
  }
}

// A_k = -(P + S)^-1 (z + zd - P a)                                                       (17.11)
static bool
accelerate(mbd_data_t * data, const side_t * side, int k)
{
  const mbd_sym6_t E = mbdu_sym6_add(&data->P[k], &side[k].S);
  mbd_force_t f = mbdu_force_add(data->z[k], side[k].zd);
  f = mbdu_force_sub(f, mbdu_sym6_mul_motion(&data->P[k], data->a[k]));
  double full[36], x[6] = {-f.ang.x, -f.ang.y, -f.ang.z, -f.lin.x, -f.lin.y, -f.lin.z};
  mbdu_sym6_full(&E, full);
  if (!solve_spd(6, full, x)) return false;
  data->A[k] = (mbd_motion_t){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  return true;
}

// accelerations of the joint from that of its body alone                                 (17.12)
static void
joint_acceleration(
  const mbd_model_t * model, const mbd_data_t * data, const side_t * side, int k, double * qdd)
{
  const mbd_body_t * body = &model->body[k];
  double * x = qdd + body->v_index;
  if (body->parent < 0) {
    // gravity is an upward acceleration of the world
    const mbd_motion_t world = {{0, 0, 0}, mbdu_vec3_neg(data->gravity)};
    mbd_motion_t A = mbdu_motion_sub(
      data->A[k], mbdu_motion_add(mbdu_motion_to_child(&data->X_parent[k], world), data->a[k]));
    const double free[6] = {A.lin.x, A.lin.y, A.lin.z, A.ang.x, A.ang.y, A.ang.z};
    memcpy(x, free, sizeof free);
    return;
  }
  for (int c = 0; c < body->nv; c++) x[c] = side[k].nud[c] - mbdu_power(side[k].Gd[c], data->A[k]);
}

//---------- the two functions ----------

mbd_status_t
mbd_effective_inertia(
  const mbd_model_t * model, mbd_data_t * data, double * work, mbd_sym6_t * inertia)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!work || !inertia) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_bases(model, data));
  CHECK(mbd_articulated_inertia(model, data));
  side_t * side = (side_t *)(void *)work;
  double * tau = (double *)(void *)(side + model->nbody);
  // inertias alone: forces, and accelerations that may be old, do not count in them
  memset(tau, 0, (size_t)model->nv * sizeof *tau);
  memset(data->work->F, 0, (size_t)model->nbody * sizeof *data->work->F);
  memset(data->z, 0, (size_t)model->nbody * sizeof *data->z);
  stage_clear(data, MBD_STAGE_RESIDUAL);
  inward(model, data, tau, side);
  CHECK(outward(model, data, data->work->F, tau, side));
  for (int i = 0; i < model->nbody; i++) inertia[i] = mbdu_sym6_add(&data->P[i], &side[i].S);
  return MBD_OK;
}

mbd_status_t
mbd_free_flyer_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd)
{
  CHECK(check_dynamics(model, data, 0));
  if (mbdi_elements_count(model, data)) return MBD_ERROR_UNSUPPORTED;
  if (!work || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(check_bases(model, data));
  CHECK(mbdi_take_state(model, data, q, v));
  CHECK(mbd_articulated_inertia(model, data));
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL | MBD_STAGE_ACCELERATION);
  side_t * side = (side_t *)(void *)work;
  double * torque = (double *)(void *)(side + model->nbody);
  for (int k = 0; k < model->nv; k++) torque[k] = tau ? tau[k] : 0;
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, -1, torque);
  gather_forces(model, data, torque, f_ext);
  inward(model, data, torque, side);
  CHECK(outward(model, data, data->work->F, torque, side));
  for (int k = 0; k < model->nbody; k++) {
    if (!accelerate(data, side, k)) return MBD_ERROR_MASSLESS_SUBTREE;
    joint_acceleration(model, data, side, k, data->work->x);
  }
  CHECK(copy_checked(qdd, data->work->x, model->nv));
  stage_set(data, MBD_STAGE_ACCELERATION);
  return MBD_OK;
}
