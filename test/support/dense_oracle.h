/// \file dense_oracle.h
/// A dense oracle: the book's operators as full matrices, straight from the model's fields.
///
///   dense_at                 E_phi, phi, H, M, V, a, b at a state
///   dense_mass, dense_inverse_dynamics, dense_bias, dense_gravity
///   dense_jacobian, dense_frame, dense_wrench
///   dense_articulated        P, D, G, taubar, K, psi by the operator equations
///   dense_joint, dense_subspace, dense_subspace_rate, dense_step   one joint's kinematics
///   dense_step_all           a configuration moved along a velocity
///
/// Nothing here reads the workspace or uses spatial.h: placements are 4x4 matrices (exponentials
/// of twists), phi is inverted, the articulated inertia is the fixed point of its equation. All
/// matrices belong to matrix.h: mats_free.
#ifndef DENSE_ORACLE_H_
#define DENSE_ORACLE_H_

#include "matrix.h"
#include "mbdyn/mbdyn.h"

enum { DENSE_MAX_BODIES = 64 };

/// Stacked over bodies in the model's order, each in its body frame, angular first.
typedef struct dense {
  const mbd_model_t * model;
  int nbody, nv, n;                  // n = 6 nbody
  mat_t X_parent[DENSE_MAX_BODIES];  // 4x4, body in its parent
  mat_t X_world[DENSE_MAX_BODIES];   // 4x4, body in the world
  mat_t E, phi;                      // n x n                      (3.36)
  mat_t S, S_rate;                   // n x nv, S = H^T            (3.13)
  mat_t H;                           // nv x n
  mat_t M;                           // n x n block diagonal       (4.3)
  mat_t v;                           // nv
  mat_t V, a, b;                     // n                          (3.39), (5.11), (2.28)
  mat_t g;                           // n: minus gravity, in each body's axes
} dense_t;

/// \param inertia  of each body, or NULL for the model's
/// \param v        or NULL for zero
/// \param gravity  physical
dense_t dense_at(
  const mbd_model_t * model, const mbd_inertia_t * inertia, const double * q, const double * v,
  mbd_vec3_t gravity);

mat_t dense_mass(const dense_t * d);     // H phi M phi^T H^T                        (4.6)
mat_t dense_bias(const dense_t * d);     // Coriolis, centrifugal, gravity           (5.40)
mat_t dense_gravity(const dense_t * d);  // gravity alone

/// Accelerations of all bodies, n; gravity is not in it.                            (5.24)
mat_t dense_acceleration(const dense_t * d, mat_t qdd);

/// Forces through the joints, n; wrenches may be NULL.                              (5.43)
mat_t dense_force(const dense_t * d, mat_t qdd, const mbd_wrenches_t * wrenches);

/// nv                                                                              (5.36)
mat_t dense_inverse_dynamics(const dense_t * d, mat_t qdd, const mbd_wrenches_t * wrenches);

mat_t dense_frame(const dense_t * d, int frame);  // 4x4 in the world

/// Point and axes of a reference, as a 4x4 in the world.
mat_t dense_reference(const dense_t * d, int frame, mbd_reference_t reference);

/// phi(body, reference), 6x6; zero for a frame that is fixed to the world.
mat_t dense_phi_to_reference(const dense_t * d, int frame, mbd_reference_t reference);

/// 6 x nv                                                                          (3.53)
mat_t dense_jacobian(const dense_t * d, int frame, mbd_reference_t reference);

/// Wrenches as forces on the bodies, n.
mat_t dense_wrench(const dense_t * d, const mbd_wrenches_t * wrenches);

/// Quantities of chapters 6 and 7, n x n but D (nv x nv) and G, K (n x nv).
typedef struct dense_ab {
  mat_t P, D, D_inv, G, tau, taubar, P_plus, K, E_psi, psi;
} dense_ab_t;

/// \param rotors  reflected inertias of each degree of freedom, or NULL
dense_ab_t dense_articulated(const dense_t * d, const double * rotors);

/// Reflected rotor inertia of each degree of freedom, nv.
mat_t dense_rotors(const mbd_model_t * model);

/// True if body i carries body j, or is it.
bool dense_is_ancestor(const mbd_model_t * model, int i, int j);

//---------- one joint ----------

/// Child frame in the joint frame, 4x4; q is the joint's part of the configuration.
mat_t dense_joint(const mbd_body_t * body, const double * q);

/// 6 x nv, in child axes at the child's origin.
mat_t dense_subspace(const mbd_body_t * body, const double * q);

/// d/dt of these numbers, 6 x nv.
mat_t dense_subspace_rate(const mbd_body_t * body, const double * q, const double * v);

/// q moved along v for dt; exact for constant v.
void dense_step(
  const mbd_body_t * body, const double * q, const double * v, double dt, double * q_out);

/// All joints; q_out must not alias q.
void dense_step_all(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out);

/// A rolling ball cannot reach every configuration it can have: no difference for it.
bool dense_holonomic(const mbd_model_t * model);

#endif  // DENSE_ORACLE_H_
