/// \file constraints/closure.h
/// What a tree of joints cannot say: loops, gears and drivers, as rows d(q, t) = 0.
///
///   mbd_closure_spec_default    a closure to fill in
///   mbd_model_add_closure       add one to a model, before finalize
///   mbd_closure_type_name       "weld", "revolute", ...
///   mbd_closure_rows            rows of a type
///   mbd_find_closure            index of a name
///   mbd_closure_error           d(q, t): how far the rows are from holding
///   mbd_closure_jacobian        G = dd/dq on the velocities
///   mbd_closure_target          U(t): G v = U where the rows hold in motion
///   mbd_closure_bias            gamma: G qdd = gamma where they stay so
///
/// A closure lies between two frames A and B (or a frame and the world), like a joint that was cut.
/// Its rows are written in the axes of A and depend on where B is in A alone, so that nothing that
/// carries both of them enters: the rows are exact away from closure too. A coupling lies between
/// coordinates. The rows are Jain (11.2) of Jain's book, d/dt d = G v - U(t) = 0 its Jain (11.3), and
/// d^2/dt^2 d = G qdd - gamma its Jain (11.7).
///
/// **Angles.** Where axes or orientations are to agree, rows are twice the sine of half the angle
/// that is missing, times its direction: [rad] near closure, and not zero at half a turn, so that
/// nothing passes for closed that is upside down.
///
/// **Mimic joints** are couplings too, made at finalize and named after the joint.
///
/// A model with closures is the *spanning tree*: every function but those of closure.h, assembly.h,
/// constrained.h and contact.h takes it as if there were none. embedding.h makes a model in
/// independent velocities of it.
#ifndef MBDYN__CONSTRAINTS__CLOSURE_H_
#define MBDYN__CONSTRAINTS__CLOSURE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of closures, by what they leave free. Axes are those of the closure frames A and B.
typedef enum mbd_closure_type {
  MBD_CLOSURE_WELD = 0,         ///< 6 rows: B is at A
  MBD_CLOSURE_REVOLUTE = 1,     ///< 5 rows: turns about z
  MBD_CLOSURE_PRISMATIC = 2,    ///< 5 rows: slides along z
  MBD_CLOSURE_CYLINDRICAL = 3,  ///< 4 rows: turns about z and slides along it
  MBD_CLOSURE_UNIVERSAL = 4,    ///< 4 rows: same point, x of A normal to y of B
  MBD_CLOSURE_SPHERICAL = 5,    ///< 3 rows: same point
  MBD_CLOSURE_PLANAR = 6,       ///< 3 rows: z stays parallel, B's origin in A's x-y plane
  MBD_CLOSURE_ON_LINE = 7,      ///< 2 rows: B's origin on A's z axis; the pin of a planar linkage
  MBD_CLOSURE_DISTANCE = 8,     ///< 1 row: the origins keep a distance, as by a rod with ball ends
  MBD_CLOSURE_ON_PLANE = 9,     ///< 1 row: B's origin in A's x-y plane
  MBD_CLOSURE_COUPLING = 10,    ///< 1 row: a linear relation of joint coordinates
  /// 1 row of velocity alone: what of B's link is at A's origin does not move along A's x axis over
  /// the world. A knife edge has A and B on the same link, x across the edge.
  MBD_CLOSURE_NO_SLIP = 11,
  /// 2 rows of velocity alone, the same along A's x and y: a wheel. B is on the wheel, A on what
  /// carries it, at the point of contact, with z normal to the ground.
  MBD_CLOSURE_ROLLING = 12
} mbd_closure_type_t;

/// Number of closure types.
#define MBD_CLOSURE_TYPES 13

/// Most coordinates that one coupling has.
#define MBD_COUPLED_MAX 8

/// Most rows that one closure has.
#define MBD_CLOSURE_ROWS_MAX 6

/// A driver: what a row is to be instead of zero, d = c(q) - s(t). Zeros: there is none.
typedef struct mbd_driver {
  int row;             ///< of the closure, from 0
  double value, rate;  ///< s = value + rate t, unless `at` is there; of a velocity row: rate
  /// s, its rate and second rate at time t [s]; must be pure
  void (*at)(void * ctx, double t, double * value, double * rate, double * second);
  void * ctx;  ///< must outlive the model
} mbd_driver_t;

/// A closure, as given to mbd_model_add_closure.
typedef struct mbd_closure_spec {
  const char * name;  ///< unique among closures
  mbd_closure_type_t type;
  int frame_a, frame_b;      ///< frame indices, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< closure frame A in frame_a, B in frame_b
  double distance;           ///< MBD_CLOSURE_DISTANCE [m], more than zero
  /// MBD_CLOSURE_COUPLING: sum of coefficient[i] q(joint[i]) + offset = 0; joints of one degree of
  /// freedom, by name. A gear of ratio n is q_motor - n q_link = 0; a mimic joint
  /// q - multiplier q_other - offset = 0; a differential has three; a rack q_rack - radius q = 0.
  /// With one joint and a driver it prescribes that joint's motion.
  int ncoupled;
  const char * joint[MBD_COUPLED_MAX];
  double coefficient[MBD_COUPLED_MAX];
  double offset;
  mbd_driver_t driver;
} mbd_closure_spec_t;

/// A closure of a finalized model.
typedef struct mbd_closure {
  const char * name;
  mbd_closure_type_t type;
  int body_a, body_b;        ///< moving bodies, or MBD_WORLD_BODY; -1 for couplings
  int common;                ///< the body furthest out that carries both, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< closure frames in the body frames (or the world)
  double distance;
  int ncoupled;
  int coupled[MBD_COUPLED_MAX];  ///< bodies whose joints are coupled
  double coefficient[MBD_COUPLED_MAX];
  double offset;
  mbd_driver_t driver;
  int row, nrow;    ///< its rows among those of all closures
  int nposition;    ///< of these, rows that hold of positions: all or none
  bool from_mimic;  ///< made from a mimic joint
} mbd_closure_t;

/// A weld of the world to itself at the origins: name, type, frames and placements are to be filled
/// in.
MBD_PUBLIC
mbd_closure_spec_t mbd_closure_spec_default(void);

/// Add a closure.
/// \param[in,out] model    not yet finalized
/// \param[in]     spec     names are copied; joints of a coupling are looked up at finalize
/// \param[out]    closure  its index, or NULL
/// \return MBD_OK; MBD_ERROR_DUPLICATE_NAME, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (frame,
///   type, placement), MBD_ERROR_BAD_CLOSURE (both frames are one, no distance, no or too many
///   joints, a zero coefficient, a driver of a row that is not there), MBD_ERROR_NULL_ARGUMENT,
///   MBD_ERROR_FINALIZED, MBD_ERROR_OUT_OF_MEMORY. model->error_name has the name. The model is
///   unchanged on error.
///
/// mbd_model_finalize returns MBD_ERROR_BAD_CLOSURE with the closure's name in model->error_name if
/// both frames turn out to be on the same moving body, if a joint is not there or has other than one
/// degree of freedom, or twice in the same coupling.
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_closure(
  mbd_model_t * model, const mbd_closure_spec_t * spec, int * closure);

/// "weld", "revolute", ...; "unknown" for a number that is none. Never NULL.
MBD_PUBLIC
const char * mbd_closure_type_name(mbd_closure_type_t type);

/// Rows of a type; 0 for a number that is none.
MBD_PUBLIC
int mbd_closure_rows(mbd_closure_type_t type);

/// Index of a closure. MBD_OK or MBD_ERROR_NOT_FOUND.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_closure(const mbd_model_t * model, const char * name, int * closure);

/// d(q, t), what the rows are off: [m] for points, [rad] for axes (see Angles above; the sine for the
/// universal closure), the coordinate's unit for couplings. Rows of velocity alone are zero. Needs
/// the position stage.
/// \param[in]  t  time of drivers [s]
/// \param[out] d  model->nrow
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE (t, or what a driver said)
///
/// Complexity O(rows) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_error(const mbd_model_t * model, mbd_data_t * data, double t, double * d);

/// G, the rows as velocities see them: d/dt d = G v - U(t) exactly, at any configuration. Needs the
/// position stage.
/// \param[out] G  row-major nrow x nv
/// \return as mbd_closure_error
///
/// Complexity O(rows depth) and the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_jacobian(const mbd_model_t * model, mbd_data_t * data, double * G);

/// U(t), the rate of drivers: a motion obeys the rows if G v = U.
/// \param[out] U  model->nrow
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_target(const mbd_model_t * model, double t, double * U);

/// gamma = dU/dt - dG/dt v: the rows stay as they are if G qdd = gamma. Needs the velocity stage.
/// \param[out] gamma  model->nrow
/// \return as mbd_closure_error
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_bias(
  const mbd_model_t * model, mbd_data_t * data, double t, double * gamma);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__CLOSURE_H_
