/// \file operators/divide.h
/// Divide and conquer: subsystems joined at boundary nodes, and parallel forward dynamics of long chains.
///
///   mbd_subsystem_body      a body with boundary nodes
///   mbd_subsystem_robot     a robot at its state, with frames as boundary nodes
///   mbd_subsystem_join      two subsystems (or one and the world) with a joint between them  Jain (10.48)
///   mbd_subsystem_hinge     acceleration of that joint and the force through it
///
///   mbd_divide_create, mbd_divide_destroy    memory and threads for a model
///   mbd_divide_forward_dynamics              parallel mbd_forward_dynamics on subchains
///   mbd_divide_subchains                     number of subchains
///
/// **Subsystems.** At its boundary nodes, a subsystem is described by
///   b = Lambda f + c  Jain (10.46)
/// where b are the spatial accelerations of these nodes, f the forces on them, each in the axes and at
/// the origin of its node, and c the accelerations at zero f, due to gravity, velocities and torques.
/// Joining is exact also for moving systems: it includes the joint's bias acceleration, which Jain (10.47)
/// omits.
///
/// **Subchains.** A robot is cut along its longest branch into as many subchains as there are threads.
/// Each thread reduces its subchain to a relation between its two ends,
///   force on the inner end = P A + z - L f,   A of the outer end = L^T A + Y f + e
/// (A: acceleration of the inner end, f: force on the outer end). A system of six unknowns per cut joins
/// them, and each thread completes its subchain. No inertia of a subchain is inverted, so links without
/// inertia about their own axis are supported. Source: Jain, section 10.6.
#ifndef MBDYN__OPERATORS__DIVIDE_H_
#define MBDYN__OPERATORS__DIVIDE_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- subsystems ----------

/// Maximum number of boundary nodes of a subsystem.
#define MBD_SUBSYSTEM_NODES 4

typedef struct mbd_subsystem {
  int nnode;  ///< boundary nodes
  /// Lambda: row-major, 6 nnode x 6 nnode, angular first; symmetric
  double inverse_inertia[36 * MBD_SUBSYSTEM_NODES * MBD_SUBSYSTEM_NODES];
  mbd_motion_t bias[MBD_SUBSYSTEM_NODES];  ///< c
} mbd_subsystem_t;

/// A joint between boundary node a of one subsystem and node b of another:
///   b_b = X^T b_a + S qdd + a,  S^T f_b = tau - rotor qdd
typedef struct mbd_hinge {
  mbd_placement_t X;  ///< node b in node a
  int nv;             ///< degrees of freedom, 0 (rigid) to 6
  mbd_motion_t S[6];  ///< motion subspace at node b, in its axes
  mbd_motion_t a;     ///< velocity-dependent acceleration: data->a of the joint's body
  double tau[6];      ///< [N m, N]
  double rotor;       ///< reflected inertia on each degree of freedom
} mbd_hinge_t;

/// A rigid body as a subsystem.
/// \param[in]  inertia  in the body frame; of full rank: neither a point nor a rod
/// \param[in]  V        velocity of the body, in the body frame
/// \param[in]  f        force in addition to those at the nodes (including weight), body frame
/// \param[in]  n        boundary nodes, 1 to MBD_SUBSYSTEM_NODES
/// \param[in]  X        each node in the body frame
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (n), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_INERTIA, MBD_ERROR_SINGULAR (inertia without full rank)
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_body(
  const mbd_inertia_t * inertia, mbd_motion_t V, mbd_force_t f, int n, const mbd_placement_t * X,
  mbd_subsystem_t * out);

/// A robot at its state under torques, as a subsystem with frames as boundary nodes. Needs the velocity
/// stage; sets the acceleration stage.
/// \param[in]  tau    joint torques, or NULL for zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[in]  n      boundary nodes, 1 to MBD_SUBSYSTEM_NODES
/// \param[in]  frame  frame indices; each node has the frame's axes
/// \return MBD_OK, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_UNSUPPORTED, else as mbd_forward_dynamics and
///   mbd_compliance_between
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_robot(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  int n, const int * frame, mbd_subsystem_t * out);

/// Join two subsystems with a joint between boundary node a of A and boundary node b of B. The remaining
/// nodes, those of A first, are the boundary nodes of the result.
/// \param[in]  A, B  one of them may be NULL: the world at rest, Jain (10.53)
/// \param[in]  a, b  boundary nodes; any value for the world
/// \param[out] out   may be A or B
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (nodes, too many left,
///   nv), MBD_ERROR_NOT_FINITE, MBD_ERROR_SINGULAR (no inertia along the joint, or the
///   joint constrains nodes that cannot move, e.g. of two grounded arms)
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_join(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  mbd_subsystem_t * out);

/// Acceleration of the joint and the force through it, for forces on the remaining nodes.
/// \param[in]  A, a, B, b, hinge  as they were joined
/// \param[in]  f    forces on the nodes of the joined system, in its order
/// \param[out] qdd  acceleration of the joint [hinge->nv]
/// \param[out] f_b  force on node b, in its axes; node a gets the opposite
/// \return as mbd_subsystem_join
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_hinge(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  const mbd_force_t * f, double * qdd, mbd_force_t * f_b);

//---------- forward dynamics by subchains ----------

typedef struct mbd_divide mbd_divide_t;

/// Allocate memory and start threads.
/// \param[in]  model    finalized, a spanning tree; must outlive the result
/// \param[in]  threads  1 to 1024, including the calling thread: 1 starts none
/// \param[out] divide   free with mbd_divide_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY (also if a thread cannot be started)
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_divide_create(const mbd_model_t * model, int threads, mbd_divide_t ** divide);

/// Free the memory and end the threads; NULL is allowed.
MBD_PUBLIC
void mbd_divide_destroy(mbd_divide_t * divide);

/// Forward dynamics with one thread per subchain, for robots with thousands of bodies (see
/// docs/performance.md for the break-even point). Supports all joint types, branches and forests.
/// Subchains follow the longest branch and include its side branches. The last digits of the results
/// depend on the number of threads. Does not set the articulated stage.
/// \param      divide  created for the model of data; one call at a time
/// \param      data    gravity, terms and payloads; shared by the threads during the call
/// \param[in]  q, v    state, neither NULL
/// \param[in]  tau     torques, or NULL: zero
/// \param[in]  f_ext   wrenches on frames, or NULL
/// \param[out] qdd     model->nv; may alias an input
/// \return as mbd_forward_dynamics
///
/// Complexity O(N / threads + threads) | Allocates no | Thread-safe per divide and data | Real-time
/// safe with one thread
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_divide_forward_dynamics(
  mbd_divide_t * divide, mbd_data_t * data, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double * qdd);

/// Number of subchains: the number of threads, or fewer if the longest branch is short.
MBD_PUBLIC
int mbd_divide_subchains(const mbd_divide_t * divide);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__DIVIDE_H_
