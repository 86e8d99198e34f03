/// \file simulate/chart.h
/// Charts: local minimal coordinates of a model with closures, valid around a configuration.
///
///   mbd_chart_limits_default   limits beyond which a chart is replaced
///   mbd_chart_size             size of a chart in bytes
///   mbd_chart_init             create a chart in the caller's memory
///   mbd_chart_set              centre the chart at a state
///   mbd_chart_state            x, x' -> q, v that satisfy the closures
///   mbd_chart_velocity         v -> x'
///   mbd_chart_acceleration     qdd -> x''
///   mbd_chart_motion           x'' -> qdd that satisfies the closures
///   mbd_chart_wanted           true if a limit is exceeded and a new chart is needed
///   mbd_chart_info             dimensions, iterations, slope
///
/// This is the tangent-space parameterisation of Haug, section 5.2, in the coordinates of the spanning
/// tree. Around the centre q0 of a chart, the tree has the coordinates xi: q = q0 (+) xi, v = T(xi) xi'.
/// The constraint Jacobian at q0 gives two orthonormal bases: U of its row space and V of its null space,
/// the tangent space. Then
///
///   xi = V x - U u,   u from d(q0 (+) xi, t) = 0 by Newton's method
///   xi' = V x' + X (C X)^-1 (U_t - C V x'),   C = G T
///   x'' = V^T T^-1 (qdd - T' xi')
///
/// so that x are minimal coordinates, x'' = g(t, x, x') is an ordinary differential equation, and positions,
/// velocities and accelerations satisfy the constraint rows to rounding: no drift, no stabilisation.
/// Redundant rows are dropped. X spans the position and velocity rows (nonholonomic closures) at q0:
/// velocities are projected along X, Haug 6.1.5.
///
/// For most joints, xi is the difference of the joint coordinates from q0; for spherical, planar and free
/// joints it is the displacement in the axes of q0 and the rotation vector. User-defined joints with an
/// `integrate` function are not supported.
#ifndef MBDYN__SIMULATE__CHART_H_
#define MBDYN__SIMULATE__CHART_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Limits of a chart: if one of them is exceeded, the chart is replaced.
typedef struct mbd_chart_limits {
  double x;         ///< norm of x; default infinite. Haug uses 0.7 to 1
  double rotation;  ///< rotation of a spherical or free joint [rad]; default 1.5
  double slope;  ///< tangent of the angle between manifold, or its velocities, and chart; default 2
  int iterations;  ///< iterations of Newton's method for u; default 8
} mbd_chart_limits_t;

/// Dimensions and state of a chart.
typedef struct mbd_chart_information {
  int n;              ///< number of coordinates x: nv minus the rank of the position rows
  int rank;           ///< number of independent position rows
  int velocity_rank;  ///< number of independent position and velocity rows
  int iterations;     ///< Newton iterations of the last mbd_chart_state
  double error;       ///< largest position error of the last mbd_chart_state [m, rad]
  double distance;    ///< norm of x
  double rotation;    ///< largest rotation of a spherical or free joint [rad]
  double slope;       ///< at the last mbd_chart_wanted: norm of du/dx, or of velocities
} mbd_chart_info_t;

typedef struct mbd_chart mbd_chart_t;  ///< a chart

/// Default limits, as above.
MBD_PUBLIC
mbd_chart_limits_t mbd_chart_limits_default(void);

/// Size of a chart in bytes; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_chart_size(const mbd_model_t * model);

/// Create a chart in memory of the caller, aligned as by malloc.
/// \param[in]  model      finalized; must outlive the chart
/// \param[in]  tolerance  largest error of position rows [m, rad], at least rounding; 0: 1e-14
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL,
///   MBD_ERROR_BAD_ARGUMENT (tolerance), MBD_ERROR_BAD_JOINT (a user-defined joint with `integrate`),
///   MBD_ERROR_UNSUPPORTED (embedded loops, flexible links)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_init(
  const mbd_model_t * model, double tolerance, void * memory, size_t size, mbd_chart_t ** chart);

/// Centre the chart at a state that satisfies the closures (mbd_assemble, mbd_project_velocity).
/// \param[in,out] data  the position stage of q is set
/// \param[in]     t     time of drivers [s]
/// \param[in]     q, v  model->nq, model->nv
/// \param[out]    x     zeros, info->n numbers
/// \param[out]    xd    V^T v, info->n numbers
/// \return MBD_OK; as mbd_set_position; MBD_ERROR_LOCKED (the closures leave no degree of freedom)
///
/// Complexity O(rows nv^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_set(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * q, const double * v, double * x,
  double * xd);

/// State of the model at x and x'.
/// \param[in,out] data  position and velocity stages are set
/// \param[in]     x, xd  info->n numbers
/// \param[out]    q, v   model->nq, model->nv
/// \return MBD_OK; MBD_ERROR_STAGE (mbd_chart_set was not called); MBD_ERROR_NOT_ASSEMBLED (x is outside
///   the domain of the chart: Newton's method found no u); MBD_ERROR_SINGULAR (C U is singular here);
///   as mbd_set_position
///
/// Complexity O(N + rows^2 nv) per iteration | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_state(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * x, const double * xd, double * q,
  double * v);

/// Convert a velocity v to x', at the configuration of the last mbd_chart_state.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_velocity(const mbd_chart_t * chart, const double * v, double * xd);

/// Convert an acceleration qdd to x'', at the state of the last mbd_chart_state.
/// \param[in]  qdd  model->nv; must satisfy the closures
/// \param[out] xdd  info->n
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE
///
/// Complexity O(nv^2) | Allocates no | Thread-safe per chart | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_acceleration(const mbd_chart_t * chart, const double * qdd, double * xdd);

/// Convert x'' to the acceleration qdd that satisfies the closures, at the state of the last
/// mbd_chart_state. Inverse of mbd_chart_acceleration; uses kinematics only.
/// \param[in,out] data  velocity stage of the last mbd_chart_state
/// \param[in]     xdd   info->n
/// \param[out]    qdd   model->nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE
///
/// Complexity O(N + nv^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_chart_motion(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * xdd, double * qdd);

/// True if a limit was exceeded at the last mbd_chart_state, and mbd_chart_set should follow. The chart is
/// still valid. False for NULL.
/// \param[in] limits  NULL: defaults
///
/// Complexity O(n rows (nv + rows)) | Allocates no | Thread-safe per chart | Real-time safe yes
MBD_PUBLIC
bool mbd_chart_wanted(mbd_chart_t * chart, const mbd_chart_limits_t * limits);

/// Dimensions and state of a chart; NULL if the chart is NULL. Valid as long as the chart exists.
MBD_PUBLIC
const mbd_chart_info_t * mbd_chart_info(const mbd_chart_t * chart);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SIMULATE__CHART_H_
