// Hybrid dynamics (Alg 16.1 to 16.4): articulated bodies with locked hinges where the
// acceleration is given.
#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/hybrid.h"
#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/dense.h"

static const mbd_motion_t no_motion = {{0, 0, 0}, {0, 0, 0}};

//---------- inertias ----------

// P, G and D^-1 of the mixed system in the memory of the articulated stage          (Alg 16.1)
static mbd_status_t
mixed_inertia(const mbd_model_t * model, mbd_data_t * data, const bool * active)
{
  stage_clear(
    data, MBD_STAGE_ARTICULATED | MBD_STAGE_COMPLIANCE | MBD_STAGE_RESIDUAL | MBD_STAGE_RESPONSE |
            MBD_STAGE_FORCE);
  for (int i = 0; i < model->nbody; i++) data->P[i] = mbdu_sym6_from_inertia(&data->inertia[i]);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    mbd_force_t U[6];
    mbd_sym6_t P_plus = data->P[i];
    if (!active[i] && !mbdi_hinge_gain(model, data, i, U)) {
      data->error_body = i;
      return MBD_ERROR_MASSLESS_SUBTREE;
    }
    if (body->parent < 0) continue;
    // a locked hinge transmits the whole inertia
    for (int k = 0; !active[i] && k < body->nv; k++) {
      const mbd_force_t * G = &data->G[body->v_index + k];
      mbdu_sym6_add_outer(&P_plus, -0.5, U[k].ang, U[k].lin, G->ang, G->lin);
    }
    const mbd_sym6_t shifted = mbdu_sym6_to_parent(&data->X_parent[i], &P_plus);
    data->P[body->parent] = mbdu_sym6_add(&data->P[body->parent], &shifted);
  }
  return MBD_OK;
}

//---------- the two sweeps ----------

// residual force z that body i transmits to its parent; data->nu of a free hinge
static mbd_force_t
residual_through(
  const mbd_body_t * body, mbd_data_t * data, bool active, mbd_force_t z, const double * tau)
{
  if (active) return z;
  double eps[6];
  joint_project(body, data->S + body->v_index, z, eps);
  for (int k = 0; k < body->nv; k++) eps[k] = (tau ? tau[k] : 0) - eps[k];
  joint_D_inv(data, body, eps, data->work->nu + body->v_index);
  return mbdu_force_add(z, joint_gain(data, body, eps));
}

// z_k = b_k - f_ext + P_k (a_k + S_k qdd_k where it is given), then tips to bases
static void
residual_sweep(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, const double * qdd,
  const double * tau)
{
  for (int i = model->nbody - 1; i >= 0; i--) {
    const mbd_body_t * body = &model->body[i];
    mbd_motion_t a = data->a[i];
    if (active[i])
      a = mbdu_motion_add(a, joint_motion(body, data->S + body->v_index, qdd + body->v_index));
    data->z[i] = mbdu_force_add(data->z[i], mbdu_sym6_mul_motion(&data->P[i], a));
    const mbd_force_t z = residual_through(body, data, active[i], data->z[i], tau + body->v_index);
    if (body->parent < 0) continue;
    data->z[body->parent] =
      mbdu_force_add(data->z[body->parent], mbdu_force_to_parent(&data->X_parent[i], z));
  }
}

// bases to tips: accelerations of free hinges, reaction forces of all hinges
static void
acceleration_sweep(const mbd_model_t * model, mbd_data_t * data, const bool * active, double * qdd)
{
  const mbd_motion_t world = {{0, 0, 0}, mbdu_vec3_neg(data->gravity)};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_motion_t from = body->parent < 0 ? world : data->A[body->parent];
    const mbd_motion_t A_plus = mbdu_motion_to_child(&data->X_parent[i], from);
    double * accel = qdd + body->v_index;
    for (int k = 0; !active[i] && k < body->nv; k++) {
      accel[k] = data->work->nu[body->v_index + k] - mbdu_power(data->G[body->v_index + k], A_plus);
    }
    const mbd_motion_t hinge = joint_motion(body, data->S + body->v_index, accel);
    data->A[i] = mbdu_motion_add(mbdu_motion_add(A_plus, hinge), data->a[i]);
    // z has P (a + S qdd) of a stiff hinge, P a of a free one: f = P (A+ + what z lacks) + z
    const mbd_motion_t lacking = active[i] ? A_plus : mbdu_motion_add(A_plus, hinge);
    data->f[i] = mbdu_force_add(mbdu_sym6_mul_motion(&data->P[i], lacking), data->z[i]);
  }
}

//---------- the whole ----------

// copies of the given halves in data->qdd and data->x, zero elsewhere; false if one is not finite
static bool
take_given(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, const double * qdd,
  const double * tau)
{
  for (int k = 0; k < model->nv; k++) {
    const bool given = active[model->dof_body[k]];
    data->work->qdd[k] = given ? qdd[k] : 0;
    data->work->x[k] = given ? 0 : tau[k];
  }
  return finite_array(data->work->qdd, model->nv) && finite_array(data->work->x, model->nv);
}

// torques of the active joints in data->x
static void
active_torques(const mbd_model_t * model, mbd_data_t * data, const bool * active)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (!active[i]) continue;
    double * tau = data->work->x + body->v_index;
    joint_project(body, data->S + body->v_index, data->f[i], tau);
    for (int k = 0; k < body->nv; k++) {
      tau[k] += joint_rotor(data, body) * data->work->qdd[body->v_index + k];
    }
  }
}

// data->qdd and data->x from the given halves in them; friction works in both
static mbd_status_t
solve_mixed(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, const mbd_wrenches_t * f_ext)
{
  CHECK(mixed_inertia(model, data, active));
  stage_clear(data, MBD_STAGE_ACCELERATION);
  const bool rubs = data->terms & MBD_TERM_FRICTION;
  if (rubs) mbdi_add_friction(model, data->v, -1, data->work->x);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    data->z[i] = mbdu_force_cross(data->V[i], momentum);
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->z);
  residual_sweep(model, data, active, data->work->qdd, data->work->x);
  acceleration_sweep(model, data, active, data->work->qdd);
  active_torques(model, data, active);
  if (rubs) mbdi_add_friction(model, data->v, 1, data->work->x);
  if (!finite_array(data->work->qdd, model->nv) || !finite_array(data->work->x, model->nv))
    return MBD_ERROR_NOT_FINITE;
  stage_set(data, MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE);
  return MBD_OK;
}

// the computed halves; given values are returned unchanged
static void
write_found(
  const mbd_model_t * model, const mbd_data_t * data, const bool * active, double * qdd,
  double * tau)
{
  for (int k = 0; k < model->nv; k++) {
    if (active[model->dof_body[k]])
      tau[k] = data->work->x[k];
    else
      qdd[k] = data->work->qdd[k];
  }
}

mbd_status_t
mbdi_tree_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau)
{
  CHECK(check_dynamics(model, data, 0));
  if (!active || !qdd || !tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  if (!take_given(model, data, active, qdd, tau)) return MBD_ERROR_NOT_FINITE;
  CHECK(solve_mixed(model, data, active, f_ext));
  write_found(model, data, active, qdd, tau);
  return MBD_OK;
}

//---------- what active joints do to the rest ----------

// data->qdd and the bodies' motions in data->W for a unit acceleration of active degree of freedom
// j, by inertia alone                                                              (Alg 16.3)
static void
unit_acceleration(const mbd_model_t * model, mbd_data_t * data, const bool * active, int j)
{
  const int first = model->dof_body[j];
  memset(data->work->nu, 0, (size_t)model->nv * sizeof *data->work->nu);
  mbd_force_t z = mbdu_sym6_mul_motion(&data->P[first], data->S[j]);
  for (int i = first; i >= 0; i = model->body[i].parent) {
    const mbd_body_t * body = &model->body[i];
    z = mbdu_force_to_parent(&data->X_parent[i], residual_through(body, data, active[i], z, NULL));
  }
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_motion_t W = no_motion;
    if (body->parent >= 0)
      W = mbdu_motion_to_child(&data->X_parent[i], data->work->W[body->parent]);
    double * accel = data->work->qdd + body->v_index;
    for (int k = 0; k < body->nv; k++) {
      const int dof = body->v_index + k;
      accel[k] = active[i] ? dof == j : data->work->nu[dof] - mbdu_power(data->G[dof], W);
    }
    data->work->W[i] = mbdu_motion_add(W, joint_motion(body, data->S + body->v_index, accel));
  }
}

// the mixed inertias for the two Jacobians
static mbd_status_t
prepare(const mbd_model_t * model, mbd_data_t * data, const bool * active, const double * out)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!active || !out) return MBD_ERROR_NULL_ARGUMENT;
  return mixed_inertia(model, data, active);
}

mbd_status_t
mbdi_tree_disturbance_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J_D)
{
  CHECK(prepare(model, data, active, J_D));
  const size_t nv = (size_t)model->nv;
  memset(J_D, 0, nv * nv * sizeof *J_D);
  for (int j = 0; j < model->nv; j++) {
    if (!active[model->dof_body[j]]) continue;
    unit_acceleration(model, data, active, j);
    for (int i = 0; i < model->nv; i++) {
      if (!active[model->dof_body[i]]) J_D[(size_t)i * nv + (size_t)j] = data->work->qdd[i];
    }
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_generalized_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, int frame,
  mbd_reference_t reference, double * J_G)
{
  CHECK(check_data(model, data, 0));
  CHECK(check_frame(model, frame, reference));
  CHECK(prepare(model, data, active, J_G));
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  const size_t nv = (size_t)model->nv;
  const int body = model->frame[frame].body;
  memset(J_G, 0, 6 * nv * sizeof *J_G);
  for (int j = 0; body >= 0 && j < model->nv; j++) {
    if (!active[model->dof_body[j]]) continue;
    unit_acceleration(model, data, active, j);
    const mbd_motion_t W = mbdu_motion_to_child(&X, data->work->W[body]);
    const double column[6] = {W.ang.x, W.ang.y, W.ang.z, W.lin.x, W.lin.y, W.lin.z};
    for (size_t r = 0; r < 6; r++) J_G[r * nv + (size_t)j] = column[r];
  }
  return MBD_OK;
}

//---------- control ----------

// C = J J^T of a 6 x n matrix, with one scale for rotation and one for translation
static void
square(const double * J, size_t n, double * C, double * w)
{
  double size[2] = {0, 0};
  for (size_t r = 0; r < 6; r++) {
    for (size_t s = 0; s < 6; s++) {
      C[6 * r + s] = 0;
      for (size_t k = 0; k < n; k++) C[6 * r + s] += J[r * n + k] * J[s * n + k];
    }
    size[r / 3] += C[7 * r];
  }
  for (size_t r = 0; r < 6; r++) w[r] = size[r / 3] > 0 ? 1 / sqrt(size[r / 3]) : 0;
}

// the smallest qdd with J qdd = wanted, or closest to it; returns the rank of J
static int
smallest_acceleration(
  const mbd_model_t * model, const double * J, size_t n, const double * wanted, double * qdd)
{
  double C[36], w[6], inverse[36], work[72];
  square(J, n, C, w);
  const int rank = mbdi_invert_semidefinite(
    model->internal->engine->invert, 6, C, w, MBD_SMALLEST_COMPLIANCE, 0, work, inverse, NULL);
  memset(qdd, 0, n * sizeof *qdd);
  for (size_t r = 0; r < 6; r++) {
    const double push = mbdi_dot(6, inverse + 6 * r, wanted);
    for (size_t k = 0; k < n; k++) qdd[k] += J[r * n + k] * push;
  }
  return rank;
}

mbd_status_t
mbd_hybrid_control(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, int frame, mbd_reference_t reference, mbd_motion_t wanted, double * qdd,
  double * tau, int * rank)
{
  CHECK(check_any(model, data, 0));
  if (!model->internal->engine->hybrid_dynamics) return MBD_ERROR_UNSUPPORTED;
  if (!active || !qdd || !tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  if (!finite_vec3(wanted.ang) || !finite_vec3(wanted.lin)) return MBD_ERROR_NOT_FINITE;
  const size_t nv = (size_t)model->nv;
  double *J_G = data->work->E, *accel = J_G + 6 * nv, *torque = accel + nv;
  // acceleration of the frame for zero acceleration of the active joints
  memset(accel, 0, nv * sizeof *accel);
  memcpy(torque, tau, nv * sizeof *tau);
  CHECK(mbd_hybrid_dynamics(model, data, q, v, active, NULL, accel, torque));
  mbd_motion_t bias;
  CHECK(mbd_frame_acceleration(model, data, frame, reference, &bias));
  CHECK(mbd_generalized_jacobian(model, data, active, frame, reference, J_G));
  const mbd_motion_t more = mbdu_motion_sub(wanted, bias);
  const int found = smallest_acceleration(model, J_G, nv, &more.ang.x, accel);
  CHECK(mbd_hybrid_dynamics(model, data, NULL, NULL, active, NULL, accel, torque));
  memcpy(qdd, accel, nv * sizeof *qdd);
  memcpy(tau, torque, nv * sizeof *tau);
  if (rank) *rank = found;
  return MBD_OK;
}
