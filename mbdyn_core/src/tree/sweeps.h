// Recursions and conversions shared by several algorithms.
#ifndef SWEEPS_H_
#define SWEEPS_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/spatial.h"
#include "model/engine.h"

// M_k A + bar(V_k) M_k V_k: the force that moves body i with acceleration A             (2.28)
static inline mbd_force_t
mbdi_body_force(const mbd_data_t * data, int i, mbd_motion_t A)
{
  const mbd_inertia_t * M = &data->inertia[i];
  const mbd_force_t momentum = mbdu_inertia_mul(M, data->V[i]);
  return mbdu_force_add(mbdu_inertia_mul(M, A), mbdu_force_cross(data->V[i], momentum));
}

// body a is body b or an ancestor of it
static inline bool
mbdi_carries(const mbd_model_t * model, int a, int b)
{
  return b >= a && b < model->body[a].subtree_end;
}

// a row of six numbers times a motion, angular first
static inline double
mbdi_row_times(const double * row, mbd_motion_t V)
{
  return row[0] * V.ang.x + row[1] * V.ang.y + row[2] * V.ang.z + row[3] * V.lin.x +
         row[4] * V.lin.y + row[5] * V.lin.z;
}

// accelerations of all bodies from those of the joints (NULL: zero) and of the world   (5.23)
mbdi_accelerate_fn mbdi_accelerate;

// stages from data->q and data->v, which have been checked
void mbdi_velocity_stage(const mbd_model_t * model, mbd_data_t * data);
// torques (NULL: none) less friction in data->x; needs data->v
void mbdi_take_torques(const mbd_model_t * model, mbd_data_t * data, const double * tau);
// accelerations, joint reaction forces, and joint torques in data->x; needs the velocity stage
void mbdi_force_stage(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext);

// placement of a frame in the world
mbd_placement_t mbdi_frame_in_world(const mbd_model_t * model, const mbd_data_t * data, int frame);

// the point and axes of a reference as a frame in the world
mbd_placement_t mbdi_reference_in_world(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference);

// the same in the frame's body
mbd_placement_t mbdi_reference_in_body(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference);

// acceleration of a frame in a reference, from that of its body (which is not the world)
mbd_motion_t mbdi_acceleration_in_reference(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t A);

// wrenches are well-formed; NULL is none
mbd_status_t mbdi_check_wrenches(const mbd_model_t * model, const mbd_wrenches_t * wrenches);

// F_k += sign * wrenches on body k, at its origin in its axes
void mbdi_add_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_wrenches_t * wrenches, double sign,
  mbd_force_t * F);

// the stages that a call with optional q and v starts from                      (inverse.h)
mbd_status_t mbdi_take_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v);

// D = S^T P S and its inverse, U = P S, G = U D^-1 of body i; false if D is singular  (6.13)
bool mbdi_hinge_gain(const mbd_model_t * model, mbd_data_t * data, int i, mbd_force_t * U);

// rounding error of D = S^T P S; inverse of D (n x n, n <= 6) by Cholesky, false if a pivot is not
// larger than its floor
double mbdi_hinge_floor(const mbd_sym6_t * P, mbd_motion_t S);
bool mbdi_hinge_inverse(int n, double * D, const double * floor, double * inverse);

// x := F x or F^-1 x, F = I + H phi K; needs the articulated stage, uses data->F       (7.14)
void mbdi_factor_apply(const mbd_model_t * model, mbd_data_t * data, bool inverse, double * x);

// x := F^T x or F^-T x; leaves phi^T H^T x (or psi^T H^T x) of the bodies in data->W
void mbdi_factor_apply_transpose(
  const mbd_model_t * model, mbd_data_t * data, bool inverse, double * x);

// D^-1 = C C^T of a hinge, C lower triangular, row-major nv x nv; D^1/2 = C^-T
void mbdi_hinge_root(const mbd_data_t * data, const mbd_body_t * body, double * C);
// x := D^1/2 x, or its transpose, inverse, inverse transpose, with data->D_inv
void mbdi_hinge_roots_apply(
  const mbd_model_t * model, const mbd_data_t * data, mbd_sqrt_op_t op, double * x);

// tau += sign * friction at v
void mbdi_add_friction(const mbd_model_t * model, const double * v, double sign, double * tau);

// compliance C (6 x 6) of a frame by the model's engine, and mbdi_path_length
static inline mbd_status_t
mbdi_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length)
{
  if (!model || !data) return MBD_ERROR_NULL_ARGUMENT;
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  return model->internal->engine->frame_compliance(model, data, frame, reference, C, length);
}

// length of the path from the base to a frame's reference, along its ancestors
double mbdi_path_length(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference);

// angular and linear magnitude of such a compliance (row stride `stride`), invariant to rotation: the
// reference for relative tolerances
void mbdi_compliance_size(
  const double * C, int stride, double length, double * angular, double * linear);

// weights that make its six rows dimensionless, of order one
void mbdi_compliance_scales(const double * C, int stride, double length, double * w);

// closest common ancestor, or MBD_WORLD_BODY: parents have smaller indices
int mbdi_common_body(const mbd_model_t * model, int i, int j);

// column of the torque regressor for parameter p of body i: acceleration A of the body, or NULL for
// the momentum regressor; rows of Y are `columns` long
void mbdi_parameter_column(
  const mbd_model_t * model, const mbd_data_t * data, int i, int p, const mbd_motion_t * A,
  size_t columns, size_t column, double * Y);

// torque per unit of drive parameter p (viscous, coulomb, rotor inertia) at degree of freedom k
double mbdi_drive_number(
  const mbd_model_t * model, const mbd_data_t * data, const double * qdd, int k, int p);

// (dS'/dq_j) v of a joint with configuration-dependent axes: variation of S'(q, v) v   (derivatives.c)
mbd_motion_t mbdi_joint_rate_change(
  const mbd_body_t * body, const double * q, const double * v, int j);

// momentum without rotors, and C^T v, from one sweep over the momenta of subtrees       (coriolis.c)
void mbdi_momentum_sweep(const mbd_model_t * model, mbd_data_t * data, double * p, double * y);

// out = - M_inv A of nv x nv matrices
void mbdi_minus_product(size_t nv, const double * M_inv, const double * A, double * out);

// A of mbd_linearize, without the terms of rotating displacements, from dqdd/dq and dqdd/dv at its start
void mbdi_place_linearized(const mbd_model_t * model, double * A);

// MBD_ERROR_BAD_JOINT for user joints without a known tangent space
mbd_status_t mbdi_check_user_joints(const mbd_model_t * model, mbd_data_t * data);

#endif  // SWEEPS_H_
