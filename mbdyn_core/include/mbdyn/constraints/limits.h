/// \file constraints/limits.h
/// Position limits of joints, of the dependent ones of loops and gears too.
///
///   mbd_limit_count   degrees of freedom with a position limit
///   mbd_limit_info    which they are, and the limits
///   mbd_limit_gaps    how far a position is from its limits, and how velocities change it
///
/// A joint has a limit for each of its degrees of freedom whose position is a number of q: one of
/// revolute, continuous, prismatic and helical joints, two of cylindrical and universal ones, and
/// those of user joints that have as many numbers in q as in v. Planar, spherical and free joints
/// have none.
///
/// In an embedded model (embedding.h) all joints of the spanning tree count: a loop stops where any
/// of its joints does. The position of a dependent joint has the rate row . v, and a force f at its
/// limit is the torque row^T f of the independent ones.
#ifndef MBDYN__CONSTRAINTS__LIMITS_H_
#define MBDYN__CONSTRAINTS__LIMITS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Position limits of one degree of freedom.
typedef struct mbd_limit {
  int body;        ///< whose joint it is
  int q_index;     ///< its position's number in q
  int tree_index;  ///< its number among the velocities of all joints (model->tree, if embedded)
  int v_index;     ///< its number in v, or -1: it depends on others
  double lower, upper;  ///< [rad or m]; one may be infinite
} mbd_limit_t;

/// Degrees of freedom with a lower or an upper limit; 0 for a model that is NULL or not finalized.
MBD_PUBLIC
int mbd_limit_count(const mbd_model_t * model);

/// \param[in] k  0 to mbd_limit_count - 1, in the order of the joints
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_limit_info(const mbd_model_t * model, int k, mbd_limit_t * limit);

/// Distance to the limits, less than zero beyond them. Needs the position stage.
/// \param[in]  limit  of mbd_limit_info, for the same model
/// \param[out] below  position less lower limit; or NULL
/// \param[out] above  upper limit less position; or NULL
/// \param[out] row    change of the position by each velocity, model->nv; or NULL. Rates that drivers
///   cause come on top: mbd_tree_velocity.
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
