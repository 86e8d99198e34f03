/// \file simulate/driven.h
/// Driven analysis: positions, velocities and accelerations of a mechanism whose drivers prescribe its motion.
///
///   mbd_driven_options_default   tolerances, largest step
///   mbd_driven_size              size of an analysis in bytes
///   mbd_driven_init              create an analysis in the caller's memory
///   mbd_driven_start             assemble, implied rows, mobility
///   mbd_driven_to                state at a later time; singularities on the way
///   mbd_driven_info              state and findings
///   mbd_driven_type_name         "regular", "bifurcation", ...
///
/// The rows of closures and drivers (closure.h) have as many independent ones as there are degrees of freedom,
/// so that they determine q(t), v(t) and dv/dt (Haug 3.8):
///
///   d(q, t) = 0,   G v = U,   G dv/dt = gamma
///
/// **Method.** Configurations are followed along the curve d(q, t) = 0 in the space of q and t, by steps along
/// its tangent and Newton's method, with time as one more unknown. G is singular where the curve turns back in
/// time and where two curves cross; the rows [G, -U] of the curve are singular only where curves cross. So both
/// are found and told apart (Haug 3.7.3: with beta G = 0, beta U = 0 or not):
///
///   regular          G is regular, the motion is unique
///   lock-up          beta U != 0: the drivers ask for a motion that the closures do not allow beyond this time
///   bifurcation      beta U = 0, and the closures alone are singular: the mechanism branches, here with any drivers
///   singular driver  beta U = 0, but the closures are regular: other drivers would determine the motion
///
/// Beyond a bifurcation the motion continues on the branch with continuous velocity. After a lock-up, the last
/// state is kept.
///
/// **Implied rows** follow from the rows before them; drivers come last. They are checked for consistency and
/// otherwise not used.
#ifndef MBDYN__SIMULATE__DRIVEN_H_
#define MBDYN__SIMULATE__DRIVEN_H_

#include "mbdyn/constraints/assembly.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of configurations.
typedef enum mbd_driven_type {
  MBD_DRIVEN_REGULAR = 0,
  MBD_DRIVEN_BIFURCATION = 1,
  MBD_DRIVEN_LOCK_UP = 2,
  MBD_DRIVEN_SINGULAR_DRIVER = 3
} mbd_driven_type_t;

typedef struct mbd_driven_options {
  double tolerance;       ///< largest error of a row [m, rad]; default 1e-10
  double rank_tolerance;  ///< relative tolerance for independent rows; default 1e-7
  double step;            ///< largest step in time [s]; default 0.01
} mbd_driven_options_t;

/// A singular configuration.
typedef struct mbd_driven_event {
  mbd_driven_type_t type;
  double t;          ///< located to 1e-9 s [s]
  const double * q;  ///< configuration [nq]
  int closure;       ///< closure or driver whose row depends on the others here, or -1
  bool driver;       ///< the closures alone are regular: a singularity of the choice of drivers
} mbd_driven_event_t;

/// State and findings.
typedef struct mbd_driven_information {
  double t;            ///< [s]
  const double * q;    ///< configuration                                          [nq]
  const double * v;    ///< velocity                                               [nv]
  const double * qdd;  ///< acceleration                                           [nv]
  int ndriver;         ///< rows with drivers
  int mobility;        ///< degrees of freedom that the closures leave to the drivers: nv - rank
  int
    mobility_count;  ///< by counting all rows of the closures, implied ones too (Gruebler, Kutzbach)
  int nimplied;      ///< implied rows
  const bool * implied;  ///< of each row, at the start                             [nrow]
  /// Smallest singular value of the independent rows, each divided by its largest possible change per unit of
  /// one degree of freedom (dimensionless)
  double smallest;
  int sign;  ///< of the determinant of the rows that are not implied; it changes at singularities
  int nsingular;             ///< singular configurations since the start
  mbd_driven_event_t event;  ///< the last one; type regular if there was none
} mbd_driven_info_t;

typedef struct mbd_driven mbd_driven_t;  ///< an analysis

/// Default options, as above.
MBD_PUBLIC
mbd_driven_options_t mbd_driven_options_default(void);

/// Name of a type: "regular", "bifurcation", "lock-up", "singular driver"; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_driven_type_name(mbd_driven_type_t type);

/// Size of an analysis in bytes; 0 if the model is NULL or not finalized.
MBD_PUBLIC
size_t mbd_driven_size(const mbd_model_t * model);

/// Create an analysis in memory of the caller, aligned as by malloc.
/// \param[in]  model    finalized; must outlive the analysis
/// \param[in]  options  NULL: defaults
/// \param[in]  memory   at least mbd_driven_size(model) bytes; must outlive the analysis
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL,
///   MBD_ERROR_BAD_ARGUMENT (options), MBD_ERROR_UNSUPPORTED (embedded loops, flexible links, nonholonomic
///   closures)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_driven_init(
  const mbd_model_t * model, const mbd_driven_options_t * options, void * memory, size_t size,
  mbd_driven_t ** driven);

/// Start at the configuration nearest to a guess. May be called again.
/// \param[in]  t       [s]
/// \param[in]  guess   model->nq
/// \param[out] result  result of the assembly, or NULL
/// \return MBD_OK; as mbd_assemble; MBD_ERROR_UNDERACTUATED (the drivers leave degrees of freedom: info->ndriver
///   is less than info->mobility); MBD_ERROR_LOCKED (a singular start: info->event; of type singular driver also if
///   a driver follows from closures and other drivers). After MBD_ERROR_LOCKED and MBD_ERROR_UNDERACTUATED,
///   info->q is the assembled configuration, velocities are zero.
///
/// Complexity O(rows nv^2) per iteration | Allocates no | Thread-safe per data | Real-time safe bounded
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_driven_start(
  mbd_driven_t * driven, mbd_data_t * data, double t, const double * guess,
  mbd_assembly_t * result);

/// State at time t. On success position and velocity stages are those of info->q and info->v.
/// \param[in] t  not before info->t [s]
/// \return MBD_OK, also beyond a bifurcation (info->nsingular counts them); MBD_ERROR_LOCKED (lock-up before t:
///   info->event; the state stays that of the last time reached); MBD_ERROR_STEP (no configuration was found beyond info->t);
///   MBD_ERROR_STAGE (not started, or locked before); MBD_ERROR_BAD_ARGUMENT (t before info->t),
///   MBD_ERROR_NOT_FINITE (t, or a driver). On error, the state is unchanged.
///
/// Complexity O(rows nv^2) per iteration | Allocates no | Thread-safe per data | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_driven_to(mbd_driven_t * driven, mbd_data_t * data, double t);

/// State and findings; NULL if the analysis is NULL. Valid as long as the analysis exists.
MBD_PUBLIC
const mbd_driven_info_t * mbd_driven_info(const mbd_driven_t * driven);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SIMULATE__DRIVEN_H_
