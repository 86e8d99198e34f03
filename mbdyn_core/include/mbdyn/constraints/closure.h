/// \file constraints/closure.h
/// Loop closures, gears and drivers as constraint rows d(q, t) = 0.
///
///   mbd_closure_spec_default    default closure description
///   mbd_model_add_closure       add a closure to a model, before finalize
///   mbd_closure_type_name       "weld", "revolute", ...
///   mbd_closure_rows            number of rows of a closure type
///   mbd_surface_type_name       "plane", "sphere", ...
///   mbd_surface_sizes           number of sizes of a surface type
///   mbd_find_closure            index of a closure by name
///   mbd_closure_error           constraint error d(q, t)
///   mbd_closure_jacobian        constraint Jacobian G
///   mbd_closure_target          U(t) in the velocity constraint G v = U
///   mbd_closure_bias            gamma in the acceleration constraint G qdd = gamma
///
/// A closure connects two frames A and B (or a frame and the world), like a cut joint. Its rows are in
/// the axes of A and depend only on the pose of B in A, so they are exact also for open loops. A
/// coupling connects joint coordinates. The rows are those of Jain (11.2), with d/dt d = G v - U(t),
/// Jain (11.3), and d^2/dt^2 d = G qdd - gamma, Jain (11.7).
///
/// **Angles.** Rows for axes or orientations are 2 sin(angle / 2) times the direction of the rotation
/// error: [rad] near closure and nonzero at half a turn, so that an inverted assembly is not mistaken
/// for a closed one.
///
/// **Surfaces.** `on_surface`, `touch` and `roll` have a surface on A and a convex one on B. The contact
/// point is the one of B that is furthest against the normal of A; it is found from the pose of B in A
/// alone, starting at the projection of B's origin, so it moves over both surfaces and adds no
/// coordinates. The row of `touch` is the distance of the surfaces there along the normal, negative if
/// they overlap (Haug 6.3.3, 6.3.4).
///
/// **Screws** count no turns: the row is the distance along z to the nearest turn of the thread.
///
/// **Mimic joints** become couplings at finalize, named after the joint.
///
/// A model with closures is the *spanning tree*: all functions except those of closure.h, assembly.h,
/// constrained.h and contact.h ignore the closures. embedding.h creates a model in independent
/// velocities.
#ifndef MBDYN__CONSTRAINTS__CLOSURE_H_
#define MBDYN__CONSTRAINTS__CLOSURE_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Closure types. Axes are those of the closure frames A and B.
typedef enum mbd_closure_type {
  MBD_CLOSURE_WELD = 0,         ///< 6 rows: B coincides with A
  MBD_CLOSURE_REVOLUTE = 1,     ///< 5 rows: rotation about z
  MBD_CLOSURE_PRISMATIC = 2,    ///< 5 rows: translation along z
  MBD_CLOSURE_CYLINDRICAL = 3,  ///< 4 rows: rotation about z and translation along it
  MBD_CLOSURE_UNIVERSAL = 4,    ///< 4 rows: same point, x of A normal to y of B
  MBD_CLOSURE_SPHERICAL = 5,    ///< 3 rows: same point
  MBD_CLOSURE_PLANAR = 6,       ///< 3 rows: z stays parallel, B's origin in A's x-y plane
  MBD_CLOSURE_ON_LINE = 7,      ///< 2 rows: B's origin on A's z axis; the pin of a planar linkage
  MBD_CLOSURE_DISTANCE = 8,     ///< 1 row: constant distance of the origins, as by a rod
  MBD_CLOSURE_ON_PLANE = 9,     ///< 1 row: B's origin in A's x-y plane
  MBD_CLOSURE_COUPLING = 10,    ///< 1 row: a linear relation of joint coordinates
  /// 1 nonholonomic row: the point of B's link at A's origin has no velocity along A's x axis. For a
  /// knife edge, A and B are on the same link, with x across the edge.
  MBD_CLOSURE_NO_SLIP = 11,
  /// 2 nonholonomic rows, along A's x and y: a rolling wheel. B is on the wheel, A on its carrier at the
  /// contact point, with z normal to the ground.
  MBD_CLOSURE_ROLLING = 12,
  MBD_CLOSURE_SCREW = 13,       ///< 5 rows: rotation about z and pitch times it along z
  MBD_CLOSURE_ON_SURFACE = 14,  ///< 1 row: B's origin on the surface of A
  MBD_CLOSURE_TOUCH = 15,       ///< 1 row: the surfaces of A and B touch
  /// 2 nonholonomic rows: the points of A and B at the contact point have the same velocity along the
  /// surface. They are along two directions that are A's x and y where A's normal is z. Add `touch`,
  /// unless other closures keep the surfaces in contact.
  MBD_CLOSURE_ROLL = 16
} mbd_closure_type_t;

/// Number of closure types.
#define MBD_CLOSURE_TYPES 17

/// Surfaces, in the axes of a closure frame.
typedef enum mbd_surface_type {
  MBD_SURFACE_POINT = 0,       ///< of B: the origin
  MBD_SURFACE_PLANE = 1,       ///< of A: z = 0, outside is z > 0
  MBD_SURFACE_SPHERE = 2,      ///< radius size[0]
  MBD_SURFACE_ELLIPSOID = 3,   ///< semi-axes size[0], size[1], size[2]
  MBD_SURFACE_CYLINDER = 4,    ///< of A: radius size[0] about z
  MBD_SURFACE_PARABOLOID = 5,  ///< of A: z = size[0] x^2 + size[1] y^2, outside is above
  MBD_SURFACE_DISK = 6         ///< of B: the rim, a circle of radius size[0] about z
} mbd_surface_type_t;

/// Number of surface types.
#define MBD_SURFACE_TYPES 7

/// A surface of a closure.
typedef struct mbd_surface {
  mbd_surface_type_t type;
  double size[3];  ///< [m]; paraboloid [1/m]
  bool inside;     ///< B is inside of A: a sphere, ellipsoid or cylinder
} mbd_surface_t;

/// Maximum number of coordinates in a coupling.
#define MBD_COUPLED_MAX 8

/// Maximum number of rows of a closure.
#define MBD_CLOSURE_ROWS_MAX 6

/// A driver prescribes the value of a row: d = c(q) - s(t). All zero: no driver.
typedef struct mbd_driver {
  int row;             ///< of the closure, from 0
  double value, rate;  ///< s = value + rate t, unless `at` is given; velocity rows: rate
  /// s and its first and second time derivative at time t [s]; must be a pure function
  void (*at)(void * ctx, double t, double * value, double * rate, double * second);
  void * ctx;  ///< must outlive the model
} mbd_driver_t;

/// Description of a closure for mbd_model_add_closure.
typedef struct mbd_closure_spec {
  const char * name;  ///< unique among closures
  mbd_closure_type_t type;
  int frame_a, frame_b;      ///< frame indices, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< closure frame A in frame_a, B in frame_b
  double distance;           ///< MBD_CLOSURE_DISTANCE [m], positive
  double pitch;              ///< MBD_CLOSURE_SCREW [m/rad], not zero
  mbd_surface_t surface_a;   ///< of MBD_CLOSURE_ON_SURFACE, TOUCH and ROLL
  mbd_surface_t surface_b;   ///< of MBD_CLOSURE_TOUCH and ROLL: sphere, ellipsoid or disk
  /// MBD_CLOSURE_COUPLING: sum of coefficient[i] q(joint[i]) + offset = 0, for joints with one degree
  /// of freedom, by name. A gear of ratio n is q_motor - n q_link = 0; a mimic joint
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
  int common;                ///< closest common ancestor, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< closure frames in the body frames (or the world)
  double distance, pitch;
  mbd_surface_t surface_a, surface_b;
  int ncoupled;
  int coupled[MBD_COUPLED_MAX];  ///< bodies whose joints are coupled
  double coefficient[MBD_COUPLED_MAX];
  double offset;
  mbd_driver_t driver;
  int row, nrow;    ///< first row and number of rows among all closures
  int nposition;    ///< number of holonomic rows: nrow or 0
  bool from_mimic;  ///< created from a mimic joint
} mbd_closure_t;

/// Default closure: a weld of the world to itself. Fill in name, type, frames and placements.
MBD_PUBLIC
mbd_closure_spec_t mbd_closure_spec_default(void);

/// Add a closure.
/// \param[in,out] model    not yet finalized
/// \param[in]     spec     names are copied; joints of a coupling are looked up at finalize
/// \param[out]    closure  its index, or NULL
/// \return MBD_OK; MBD_ERROR_DUPLICATE_NAME, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (frame,
///   type, placement), MBD_ERROR_BAD_CLOSURE (equal frames, distance not positive, no pitch, a surface that its
///   side cannot have or a size that is not positive, no or too many joints, a zero coefficient, a driver
///   of a nonexistent row), MBD_ERROR_NULL_ARGUMENT,
///   MBD_ERROR_FINALIZED, MBD_ERROR_OUT_OF_MEMORY. model->error_name has the name. The model is
///   unchanged on error.
///
/// mbd_model_finalize returns MBD_ERROR_BAD_CLOSURE with the closure's name in model->error_name if both
/// frames are on the same moving body, or if a joint of a coupling does not exist, does not have one
/// degree of freedom, or occurs twice.
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_closure(
  mbd_model_t * model, const mbd_closure_spec_t * spec, int * closure);

/// Name of a closure type: "weld", "revolute", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_closure_type_name(mbd_closure_type_t type);

/// Number of rows of a closure type; 0 for other values.
MBD_PUBLIC
int mbd_closure_rows(mbd_closure_type_t type);

/// Name of a surface type: "point", "plane", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_surface_type_name(mbd_surface_type_t type);

/// Number of sizes of a surface type; 0 for other values.
MBD_PUBLIC
int mbd_surface_sizes(mbd_surface_type_t type);

/// Find the index of a closure by name.
/// \return MBD_OK or MBD_ERROR_NOT_FOUND
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_closure(const mbd_model_t * model, const char * name, int * closure);

/// Constraint error d(q, t): [m] for points, [rad] for axes (see Angles above; the sine for universal
/// closures), the unit of the coordinate for couplings. Nonholonomic rows are zero. Needs the position
/// stage.
/// \param[in]  t  time of drivers [s]
/// \param[out] d  model->nrow
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE (t, or a driver value)
///
/// Complexity O(rows) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_error(const mbd_model_t * model, mbd_data_t * data, double t, double * d);

/// Constraint Jacobian G: d/dt d = G v - U(t), exact at any configuration. Needs the position stage.
/// \param[out] G  row-major nrow x nv
/// \return as mbd_closure_error
///
/// Complexity O(rows depth), plus writing the zeros | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_jacobian(const mbd_model_t * model, mbd_data_t * data, double * G);

/// Rate of the drivers U(t): a velocity satisfies the rows if G v = U.
/// \param[out] U  model->nrow
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_closure_target(const mbd_model_t * model, double t, double * U);

/// Acceleration bias gamma = dU/dt - dG/dt v: an acceleration satisfies the rows if G qdd = gamma. Needs
/// the velocity stage.
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
