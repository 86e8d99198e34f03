/// \file opspace.h
/// Operational-space inertia and compliance of bodies and frames.
///
///   mbd_compliance                       stage: compliance of every body, O(N)  Jain (10.22)
///   mbd_operational_space_compliance     J M^-1 J^T of a frame, without J or M  Jain (10.18)
///   mbd_operational_space_inertia        its inverse Lambda, and the rank
#ifndef MBDYN__OPSPACE_H_
#define MBDYN__OPSPACE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Operational-space compliance of every body in its body frame: data->Y (Upsilon in Jain). Needs the
/// position stage; computes the articulated stage if necessary.
///   Y_k = psi_k^T Y_p psi_k + S_k D_k^-1 S_k^T                          Jain (10.22)
/// \return as mbd_articulated_inertia
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_compliance(const mbd_model_t * model, mbd_data_t * data);

/// Operational-space compliance J M^-1 J^T of a frame: acceleration per unit wrench. Needs the
/// position stage.
/// \param[in]  reference   of the Jacobian J
/// \param[out] compliance  row-major 6 x 6, angular first; singular if J does not have full row rank
/// \return as mbd_articulated_inertia, and MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_operational_space_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * compliance);

/// Operational-space inertia Lambda = (J M^-1 J^T)^-1 of a frame. Needs the position stage.
///
/// At singular configurations (rank < 6), Lambda is the symmetric generalised inverse
/// W (W C W)^+ W of the compliance C. W scales rotations and translations separately, so that the
/// result does not mix metres with radians and no axis is preferred. Lambda is zero in singular
/// directions and always finite.
///
/// \param[in]  reference  of the Jacobian J
/// \param[out] inertia    row-major 6 x 6, angular first
/// \param[out] rank       rank of the compliance, 0 to 6; or NULL
/// \return as mbd_operational_space_compliance
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_operational_space_inertia(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  double * inertia, int * rank);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPSPACE_H_
