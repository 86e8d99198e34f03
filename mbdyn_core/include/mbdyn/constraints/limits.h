/// \file constraints/limits.h
/// Position limits of joints, including dependent joints of loops and gears.
///
///   mbd_limit_count   number of degrees of freedom with a position limit
///   mbd_limit_info    joint and limits of one of them
///   mbd_limit_gaps    distance to the limits, and its Jacobian row
///
/// Limits exist for degrees of freedom whose position is an entry of q: one for revolute, continuous,
/// prismatic and helical joints, two for cylindrical and universal joints, and those of user joints with
/// nq = nv. Planar, spherical and free joints have none.
///
/// In an embedded model (embedding.h) the limits of all joints of the spanning tree apply: a loop stops when
/// any of its joints reaches a limit. The rate of a dependent joint is row . v, and a force f at its limit is
/// equivalent to the independent torques row^T f.
#ifndef MBDYN__CONSTRAINTS__LIMITS_H_
#define MBDYN__CONSTRAINTS__LIMITS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Position limits of one degree of freedom.
typedef struct mbd_limit {
  int body;             ///< body of the joint
  int q_index;          ///< index in q
  int tree_index;       ///< index in the velocities of all joints (of model->tree if embedded)
  int v_index;          ///< index in v, or -1 for a dependent joint
  double lower, upper;  ///< [rad or m]; one may be infinite
} mbd_limit_t;

/// Degrees of freedom with a lower or an upper limit; 0 for a model that is NULL or not finalized.
MBD_PUBLIC
int mbd_limit_count(const mbd_model_t * model);

/// Joint and limits of a limited degree of freedom.
/// \param[in] k  0 to mbd_limit_count - 1, in the order of the joints
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_limit_info(const mbd_model_t * model, int k, mbd_limit_t * limit);

/// Distance to the limits, negative beyond them. Needs the position stage.
/// \param[in]  limit  from mbd_limit_info, for the same model
/// \param[out] below  position minus lower limit; or NULL
/// \param[out] above  upper limit minus position; or NULL
/// \param[out] row    Jacobian row: rate of the position = row . v, model->nv; or NULL. Drivers
///   add to this rate: mbd_tree_velocity
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (a limit of another model)
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_limit_gaps(
  const mbd_model_t * model, mbd_data_t * data, const mbd_limit_t * limit, double * below,
  double * above, double * row);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__LIMITS_H_
