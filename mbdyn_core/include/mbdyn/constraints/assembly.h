/// \file constraints/assembly.h
/// Loop assembly: configurations and velocities that satisfy the closures.
///
///   mbd_assembly_options_default   held joints, tolerances, iteration limits
///   mbd_assembly_work              size of the work memory
///   mbd_assemble                   configuration with d(q, t) = 0 near an initial guess
///   mbd_project_velocity           nearest velocity with G v = U
///   mbd_closure_rank               rank of G, and independent rows
///
/// The rows are solved by minimum-norm Gauss-Newton steps with a line search. Steps use an LQ
/// factorisation with row pivoting; a row whose pivot is below the rank tolerance is *redundant* and dropped,
/// such as three of five rows of a revolute pin in a planar four-bar.
/// Rows are scaled by the size of their closure, so that the tolerance does not depend on it.
#ifndef MBDYN__CONSTRAINTS__ASSEMBLY_H_
#define MBDYN__CONSTRAINTS__ASSEMBLY_H_

#include "mbdyn/constraints/closure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_assembly_options {
  double t;               ///< time of drivers [s]
  const bool * held;      ///< fixed degrees of freedom, e.g. measured ones, or NULL [nv]
  double tolerance;       ///< maximum error of an assembled row [m, rad]; default 1e-10
  double rank_tolerance;  ///< relative tolerance for independent rows; default 1e-7
  int iterations;         ///< maximum number per start; default 100
  int restarts;           ///< further starts near the guess, deterministic; default 8
} mbd_assembly_options_t;

/// Result of assembly.
typedef struct mbd_assembly {
  int iterations;                      ///< total of all starts
  double error_position, error_angle;  ///< largest remaining errors: [m], [rad]
  int rank;                            ///< number of independent rows, with held coordinates fixed
  int nredundant;                      ///< number of redundant position rows
  int mobility;       ///< remaining degrees of freedom: those not held, minus the rank
  bool singular;      ///< the rank differs from that of nearby configurations
  int error_closure;  ///< closure that caused the error, or -1
} mbd_assembly_t;

/// Default options: nothing held (mbd_assemble holds the modes of flexible links), t = 0, and the
/// defaults above.
MBD_PUBLIC
mbd_assembly_options_t mbd_assembly_options_default(void);

/// Size of the work memory in doubles; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_assembly_work(const mbd_model_t * model);

/// Find a configuration near a guess that satisfies the closures. Nonholonomic rows are ignored.
///
/// A configuration is *singular* if the rank changes for a small motion of the loops, or if a direction is
/// free only to first order: a flat parallelogram, a crank at its dead centre. Velocities and constraint
/// forces are not unique there.
/// \param[in,out] data     the position stage of q is set on return
/// \param[in]     options  NULL: defaults
/// \param[in]     guess    model->nq
/// \param[out]    work     mbd_assembly_work doubles
/// \param[out]    q        model->nq; may alias guess. The best configuration found, also on
///   MBD_ERROR_NOT_ASSEMBLED and MBD_ERROR_LOCKED
/// \param[out]    result   or NULL
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED (result->error_closure is the closure with the largest error);
///   MBD_ERROR_LOCKED (assembled, but singular; result->error_closure is a closure that is redundant
///   only here); MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_BAD_ARGUMENT (options)
///
/// Complexity O(rows^2 nv) per step | Allocates no | Thread-safe per data | Real-time safe bounded by
/// iterations and restarts
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_assemble(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * guess, double * work, double * q, mbd_assembly_t * result);

/// Project v to the nearest velocity (least squares) with G v = U, including nonholonomic rows. Needs
/// the position stage, and does not change any stage. For the velocity after an impact, which is nearest
/// in kinetic energy, see mbd_closing_impulse.
/// \param[in]  options  t, held, tolerance and rank_tolerance are used; NULL: defaults
/// \param[in]  v        model->nv
/// \param[out] v_out    model->nv; may alias v
/// \param[out] result   rank, nredundant, mobility, error_closure and the largest residual of G v = U
///   as errors [m/s], [rad/s]; or NULL
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED (redundant rows require different rates, or held velocities
///   violate them); MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT. On error, v_out is not written.
///
/// Complexity O(rows^2 nv) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_project_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * v, double * work, double * v_out, mbd_assembly_t * result);

/// Rank of G at this configuration, and its independent rows. Needs the position stage.
/// \param[in]  options      held and rank_tolerance are used; NULL: defaults
/// \param[out] independent  true for independent rows, false for redundant ones; or NULL  [nrow]
/// \param[out] rank         of all rows
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(rows^2 nv) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_rank(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  double * work, bool * independent, int * rank);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__ASSEMBLY_H_
