/// \file oracle.h
/// One face for everybody who can compute the dynamics of a URDF robot: ours and the peers.
///
///   oracle_t            who: load a robot, compute a state, unload
///   oracle_robot_t      which robot, and in which order its joints and frames are asked for
///   oracle_state_t      where it is, how it moves
///   oracle_results_t    what comes out, with a bit for each quantity that the peer can do
///
/// Conventions are ours whoever answers: q, v, a and tau in the order of `joint`, with the free
/// joint in front when the base floats (q = x y z, quaternion x y z w; v = linear, angular in base
/// axes; a is dv/dt component by component; tau is the dual wrench). Six-vectors are angular first.
/// Jacobians are at the frame's origin in world axes (LOCAL_WORLD_ALIGNED). Matrices are row-major.
/// Each oracle_*.c says at its head how its peer differs, and converts.
#ifndef ORACLE_H_
#define ORACLE_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Quantities, as bits 1 << ORACLE_TAU, ... of oracle_results_t.has.
typedef enum oracle_quantity {
  ORACLE_TAU = 0,            ///< inverse dynamics of q, v, a
  ORACLE_GRAVITY = 1,        ///< torque that holds the robot still
  ORACLE_BIAS = 2,           ///< Coriolis, centrifugal and gravity torque
  ORACLE_QDD = 3,            ///< forward dynamics of q, v, tau
  ORACLE_M = 4,              ///< mass matrix
  ORACLE_KINETIC = 5,        ///< kinetic energy
  ORACLE_POTENTIAL = 6,      ///< potential energy of moving bodies, zero at the world's origin
  ORACLE_PLACEMENT = 7,      ///< of the frames in the world
  ORACLE_JACOBIAN = 8,       ///< of the frames
  ORACLE_JACOBIAN_BIAS = 9,  ///< Jdot v of the frames, the classical acceleration at a = 0
  ORACLE_QUANTITIES = 10
} oracle_quantity_t;

/// A robot to load. Joints are of one degree of freedom, but for the free one of a floating base,
/// which is not in the list.
typedef struct oracle_robot {
  const char * name;  // for messages
  const char * urdf;  // text
  const char * root;  // name of the root link
  bool floating;      // the root link floats
  int njoint;
  const char * const * joint;  // moving joints, in the order of q and v  [njoint]
  int nframe;
  const char * const * frame;  // links to look at                        [nframe]
  double gravity[3];           // physical, world axes
} oracle_robot_t;

typedef struct oracle_state {
  const double * q;    // [oracle_nq]
  const double * v;    // [oracle_nv]
  const double * a;    // [oracle_nv]
  const double * tau;  // [oracle_nv]
} oracle_state_t;

typedef struct oracle_results {
  unsigned has;            // what was computed, a bit for each oracle_quantity_t
  double * tau;            // [nv]
  double * gravity;        // [nv]
  double * bias;           // [nv]
  double * qdd;            // [nv]
  double * M;              // [nv x nv]
  double kinetic;          // [J]
  double potential;        // [J]
  double * placement;      // rotation by rows, then origin      [12 per frame]
  double * jacobian;       // 6 x nv, angular rows first         [6 nv per frame]
  double * jacobian_bias;  // angular first                      [6 per frame]
  double * block;          // the memory of all of them
} oracle_results_t;

/// Size of the text that says why a robot was refused.
#define ORACLE_WHY 512

/// Who computes.
typedef struct oracle {
  const char * name;
  double tolerance;  // relative agreement to expect where moments of inertia count; else 1e-9
  bool floating;     // can do a floating base
  /// The robot ready to compute, or NULL with the reason in why.
  void * (*load)(const oracle_robot_t * robot, char * why);
  /// Everything the peer can do at one state; the rest of results is left alone.
  void (*compute)(void * loaded, const oracle_state_t * state, oracle_results_t * results);
  void (*unload)(void * loaded);
} oracle_t;

extern const oracle_t oracle_mbdyn;   ///< ours
extern const oracle_t oracle_mujoco;  ///< MuJoCo 2.2
extern const oracle_t oracle_kdl;     ///< Orocos KDL 1.5
extern const oracle_t oracle_dart;    ///< DART 6.12

/// Length of q and of v.
int oracle_nq(const oracle_robot_t * robot);
int oracle_nv(const oracle_robot_t * robot);

/// Room for all results of a robot; exits when there is no memory.
oracle_results_t oracle_results_create(const oracle_robot_t * robot);
void oracle_results_free(oracle_results_t * results);

/// The numbers of one quantity and how many they are.
const double * oracle_numbers(
  const oracle_robot_t * robot, const oracle_results_t * results, oracle_quantity_t quantity,
  size_t * n);

/// "inverse dynamics", ...
const char * oracle_quantity_name(oracle_quantity_t quantity);

#ifdef __cplusplus
}
#endif

#endif  // ORACLE_H_
