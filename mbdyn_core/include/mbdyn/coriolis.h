/// \file coriolis.h
/// The velocity-dependent part of the dynamics as a matrix.
///
///   mbd_coriolis_matrix    C(q,v) with C v = bias - gravity and Mdot - 2 C skew
#ifndef MBDYN__CORIOLIS_H_
#define MBDYN__CORIOLIS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Coriolis matrix: C v is the Coriolis and centrifugal torque, and Mdot - 2 C is skew-symmetric.
/// For joints with v = qdot its elements are the Christoffel symbols of the first kind times v.
/// Needs the velocity stage.
///
///   C = sum_k J_k^T (M_k Jdot_k + B_k J_k),  B_k = 1/2 (bar(V) M - M tilde(V) - hat(M V))
///
/// with all derivatives taken in the world; B_k V_k = bar(V_k) M_k V_k is the gyroscopic force
/// (2.28), and 2 B_k - dM_k/dt = -hat(M_k V_k) is skew.
///
/// \param[out] C  row-major nv x nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_coriolis_matrix(const mbd_model_t * model, mbd_data_t * data, double * C);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CORIOLIS_H_
