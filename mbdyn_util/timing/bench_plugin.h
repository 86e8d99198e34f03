/// \file bench_plugin.h
/// Plug-in interface of the benchmark: a shared object that adapts a library and exports bench_plugin_get().
///
///   bench_function_t   functions that can be measured
///   bench_link_t       a link and its parent joint, as numbers
///   bench_robot_t      the robot, the selected frames and all states
///   bench_variant_t    one implementation of a function
///   bench_plugin_t     the library
///   bench_plugin_get   the exported function
///
/// Calls of a plug-in for each robot:
///   load     read the robot, map names, convert all states to the library's own order and types,
///            allocate all memory; not timed
///   call     compute one function at one state from q (v, a or tau), without cached results of earlier
///            calls; leave the result in the library's own format; timed
///   result   convert the result of the last call to the conventions below; not timed
///   unload   free everything
///
/// **Conventions** of states and results: joints in the order of bench_robot_t.joint, after the free
/// joint of a floating base (q = x y z, quaternion x y z w; v = linear, angular in base
/// axes; a is dv/dt component by component; tau is the dual wrench). Six-vectors are angular first.
/// Jacobians are at the frame's origin in world axes. Matrices are row-major, with both triangles. SI units.
#ifndef BENCH_PLUGIN_H_
#define BENCH_PLUGIN_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this interface; bench_plugin_t.version must be equal.
#define BENCH_PLUGIN_VERSION 1

/// Size of the text that explains why a robot is not supported.
#define BENCH_WHY 512

/// External wrench on frame 0: moment [N m], then force [N], at the link's origin in link axes.
#define BENCH_WRENCH      \
  {                       \
    1, -2, 3, 10, -20, 30 \
  }

/// Time step of BENCH_INTEGRATE and BENCH_CONTACT_STEP [s].
#define BENCH_TIME_STEP 1e-3

/// Functions, and the output of result().
typedef enum bench_function {
  BENCH_FORWARD_KINEMATICS = 0,       ///< q -> placements of all bodies; result: of the frames,
                                      ///< rotation by rows, then origin                 [12 nframe]
  BENCH_INVERSE_DYNAMICS = 1,         ///< q, v, a -> tau                                [nv]
  BENCH_GRAVITY = 2,                  ///< q -> gravity torque                             [nv]
  BENCH_BIAS = 3,                     ///< q, v -> Coriolis, centrifugal and gravity     [nv]
  BENCH_MASS_MATRIX = 4,              ///< q -> M                                        [nv x nv]
  BENCH_FORWARD_DYNAMICS = 5,         ///< q, v, tau -> a                                [nv]
  BENCH_MASS_INVERSE = 6,             ///< q -> M^-1                                     [nv x nv]
  BENCH_JACOBIAN = 7,                 ///< q -> J of frame 0                             [6 x nv]
  BENCH_JACOBIAN_BIAS = 8,            ///< q, v -> Jdot v of frame 0: the acceleration of its
                                      ///< origin and the angular one at a = 0           [6]
  BENCH_OPERATIONAL_INERTIA = 9,      ///< q -> (J M^-1 J^T)^-1 of frame 0               [6 x 6]
  BENCH_OPERATIONAL_INERTIAS = 10,    ///< the same of all frames, stacked     [(6 nframe)^2]
  BENCH_CENTROIDAL_MOMENTUM = 11,     ///< q, v -> centroidal momentum, world axes          [6]
  BENCH_BATCH_INVERSE_DYNAMICS = 12,  ///< `batch` states at once                    [batch nv]
  BENCH_BATCH_FORWARD_DYNAMICS = 13,  ///<                                           [batch nv]
  BENCH_BATCH_MASS_MATRIX = 14,       ///<                                           [batch nv nv]
  BENCH_BATCH_BIAS = 15,              ///<                                           [batch nv]
  BENCH_BATCH_GRAVITY = 16,           ///<                                           [batch nv]
  BENCH_BATCH_KINEMATICS = 17,        ///< placements of all frames                [batch 12 nframe]
  BENCH_BATCH_JACOBIAN = 18,          ///<                                           [batch 6 nv]
  // the same with states and results as structure of arrays (SoA)
  BENCH_SOA_INVERSE_DYNAMICS = 19,     ///<                                           [batch nv]
  BENCH_SOA_FORWARD_DYNAMICS = 20,     ///<                                           [batch nv]
  BENCH_SOA_MASS_MATRIX = 21,          ///< structurally nonzero entries              [batch nv nv]
  BENCH_INVERSE_DERIVATIVES = 22,      ///< q, v, a -> dtau/dq, dtau/dv, M               [3 nv nv]
  BENCH_FORWARD_DERIVATIVES = 23,      ///< q, v, tau -> da/dq, da/dv, M^-1              [3 nv nv]
  BENCH_KINETIC_ENERGY = 24,           ///< q, v -> kinetic energy                     [1]
  BENCH_INVERSE_DYNAMICS_WRENCH = 25,  ///< as BENCH_INVERSE_DYNAMICS with BENCH_WRENCH on frame 0
  BENCH_FORWARD_DYNAMICS_WRENCH = 26,  ///< as BENCH_FORWARD_DYNAMICS with BENCH_WRENCH on frame 0
  BENCH_INTEGRATE = 27,                ///< q, v -> q after BENCH_TIME_STEP at constant v   [nq]
  BENCH_CONTACT_STEP = 28,  ///< q, v, tau -> q and v after BENCH_TIME_STEP, by the contact
                            ///< solver without active contacts or limits; result: change of v
                            ///< divided by the time step, i.e. a                      [nv]
  BENCH_BATCH_INVERSE_DERIVATIVES = 29,  ///<                                       [batch 3 nv nv]
  BENCH_BATCH_FORWARD_DERIVATIVES = 30,  ///<                                       [batch 3 nv nv]
  // the same as BENCH_SOA_... with states and results in single precision
  BENCH_F32_INVERSE_DYNAMICS = 31,  ///<                                            [batch nv]
  BENCH_F32_FORWARD_DYNAMICS = 32,  ///<                                            [batch nv]
  BENCH_F32_MASS_MATRIX = 33,       ///<                                            [batch nv nv]
  BENCH_SOA_INVERSE_DERIVATIVES =
    34,  ///< structurally nonzero entries              [batch 3 nv nv]
  BENCH_SOA_FORWARD_DERIVATIVES =
    35,  ///<                                           [batch 3 nv nv]
  BENCH_F32_INVERSE_DERIVATIVES =
    36,  ///<                                           [batch 3 nv nv]
  BENCH_F32_FORWARD_DERIVATIVES =
    37,  ///<                                           [batch 3 nv nv]
  BENCH_FUNCTIONS = 38
} bench_function_t;

/// A link and its parent joint. Link 0 is the root and has no joint.
typedef struct bench_link {
  const char * name;
  const char * joint;   ///< name of the parent joint; NULL for the root
  int parent;           ///< index of the parent link, smaller than its own; -1 for the root
  bool prismatic;       ///< false: revolute
  double axis[3];       ///< in link axes, of length 1
  double lower, upper;  ///< range of the joint, finite
  double R[9], p[3];    ///< this link in the parent at q = 0, R by rows
  double mass;          ///< 0 for a fixed root
  double com[3];        ///< in link axes
  double inertia[6];    ///< about the centre of mass, link axes: xx xy xz yy yz zz
} bench_link_t;

/// A robot with its states, valid until unload. Fixed joints are merged, all joints have one degree of
/// freedom, mimic joints are independent; no friction, no rotors.
typedef struct bench_robot {
  const char * name;
  const char * urdf;  ///< the robot as URDF text
  int nlink;
  const bench_link_t * link;  ///< the same robot as numbers  [nlink]
  bool floating;              ///< the root is on a free joint
  int nq, nv;
  int njoint;
  const char * const * joint;  ///< joints in the order of q and v, without the free joint:
                               ///< depth first, siblings by name
  int nframe;
  const char * const * frame;  ///< selected links, none of them fixed to the world
  double gravity[3];           ///< physical, world axes
  bool dense;                  ///< functions with nv x nv results may be called
  int nstate;                  ///< a multiple of `batch`
  int batch;                   ///< states per call of a batch function
  const double * q;            ///< [nstate x nq]
  const double * v;            ///< [nstate x nv]
  const double * a;            ///< [nstate x nv]
  const double * tau;          ///< [nstate x nv]
} bench_robot_t;

/// One implementation of a function. If a library has several, the fastest is measured.
typedef struct bench_variant {
  bench_function_t function;
  const char * name;  ///< e.g. "Cholesky"; NULL if there is only one
  /// Compute at this state, or for batch functions at the `batch` states from this one on.
  void (*call)(void * loaded, int state);
} bench_variant_t;

/// A library.
typedef struct bench_plugin {
  int version;                      ///< BENCH_PLUGIN_VERSION
  const char * name;                ///< "MuJoCo"
  const char * library;             ///< its version, "2.2.2"
  double tolerance;                 ///< relative tolerance of the comparison; 0: 1e-9
  const bench_variant_t * variant;  ///< list, terminated by an entry with call NULL
  /// Load the robot; NULL on failure, with the reason in why (BENCH_WHY characters).
  void * (*load)(const bench_robot_t * robot, char * why);
  /// True if this implementation supports the robot; NULL: all do.
  bool (*able)(void * loaded, int variant);
  /// Result of way[way].call, whose last call was with this state; false if the call failed.
  bool (*result)(void * loaded, int variant, int state, double * out);
  void (*unload)(void * loaded);
} bench_plugin_t;

#if defined(__GNUC__)
#define BENCH_EXPORT __attribute__((visibility("default")))
#else
#define BENCH_EXPORT
#endif

/// The function that the shared object exports.
BENCH_EXPORT
const bench_plugin_t * bench_plugin_get(void);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PLUGIN_H_
