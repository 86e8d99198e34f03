/// \file constraints/assembly.h
/// Closing the loops: configurations and velocities that obey the closures.
///
///   mbd_assembly_options_default   what to hold, tolerances, limits
///   mbd_assembly_work              numbers of work memory
///   mbd_assemble                   a configuration with d(q, t) = 0 near a rough guess
///   mbd_project_velocity           the nearest velocity with G v = U
///   mbd_closure_rank               rank of G, and which rows it needs
///
/// The rows are solved by Gauss-Newton steps of least norm with a line search. Steps come from an LQ
/// factorisation that takes rows in order of what they add to those before; a row that adds less
/// than the rank tolerance is *redundant* and left out, as most rows of a planar four-bar with
/// spatial hinges are. Before they are compared, rows are divided by what their closure could move
/// at most: no row counts less for being of a small finger.
#ifndef MBDYN__CONSTRAINTS__ASSEMBLY_H_
#define MBDYN__CONSTRAINTS__ASSEMBLY_H_

#include "mbdyn/constraints/closure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_assembly_options {
  double t;               ///< time of drivers [s]
  const bool * held;      ///< degrees of freedom that may not move, as those measured, or NULL [nv]
  double tolerance;       ///< largest error of an assembled row [m, rad]; default 1e-10
  double rank_tolerance;  ///< what a row must add to count, of the most it could; default 1e-7
  int iterations;         ///< at most, for each start; default 100
  int restarts;           ///< further starts near the guess, the same each time; default 8
} mbd_assembly_options_t;

/// What assembly found.
typedef struct mbd_assembly {
  int iterations;                      ///< of all starts
  double error_position, error_angle;  ///< largest errors that are left: [m], [rad]
  int rank;           ///< independent rows, held degrees of freedom not counted as moving
  int nredundant;     ///< rows of positions that add nothing
  int mobility;       ///< degrees of freedom that are left: those not held, less the rank
  bool singular;      ///< the rank is not the one of configurations nearby
  int error_closure;  ///< closure that an error is about, or -1
} mbd_assembly_t;

/// Nothing held (by mbd_assemble: modes of flexible links), t = 0, and the defaults above.
MBD_PUBLIC
mbd_assembly_options_t mbd_assembly_options_default(void);

/// Numbers (double) of work memory for the functions here; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_assembly_work(const mbd_model_t * model);

/// Find a configuration that obeys the closures, near a guess. Rows of velocity alone have no say.
///
/// A configuration is *singular* where a step along the loops changes the rank, or where the rows
/// leave a direction free to first order that does not exist: a parallelogram that lies flat, a
/// crank held at its dead centre. Velocities and reactions are not determined there.
/// \param[in,out] data     the position stage of q is set on return
/// \param[in]     options  NULL: the default ones
/// \param[in]     guess    model->nq
/// \param[out]    work     mbd_assembly_work numbers
/// \param[out]    q        model->nq; may alias guess. The best that was found, also on
///   MBD_ERROR_NOT_ASSEMBLED and MBD_ERROR_LOCKED
/// \param[out]    result   or NULL
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED (result->error_closure is the closure with the largest error);
///   MBD_ERROR_LOCKED (assembled, but singular; result->error_closure is a closure that the other rows
///   imply only here); MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_BAD_ARGUMENT (options)
///
/// Complexity O(rows^2 nv) a step | Allocates no | Thread-safe per data | Real-time safe bounded by
/// iterations and restarts
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_assemble(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * guess, double * work, double * q, mbd_assembly_t * result);

/// The velocity nearest to v (sum of squares of the differences) with G v = U, rows of velocity
/// included. Needs the position stage, and leaves all stages alone. For what an impact does, which is
/// nearest by kinetic energy, see mbd_closing_impulse.
/// \param[in]  options  t, held, tolerance and rank_tolerance count; NULL: the default ones
/// \param[in]  v        model->nv
/// \param[out] v_out    model->nv; may alias v
/// \param[out] result   rank, nredundant, mobility, error_closure and the largest miss of G v = U as
///   errors [m/s], [rad/s]; or NULL
/// \return MBD_OK; MBD_ERROR_NOT_ASSEMBLED (rows that imply each other ask for different rates, or
///   what is held does not obey them); MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH,
///   MBD_ERROR_STAGE, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT. On an error v_out is not
///   written.
///
/// Complexity O(rows^2 nv) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_project_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * v, double * work, double * v_out, mbd_assembly_t * result);

/// Rank of G here, and which rows it takes. Needs the position stage.
/// \param[in]  options      held and rank_tolerance count; NULL: the default ones
/// \param[out] independent  true for rows that count, false for redundant ones; or NULL  [nrow]
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
