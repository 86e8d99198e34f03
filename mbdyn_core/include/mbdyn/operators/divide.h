/// \file operators/divide.h
/// Divide and conquer: robots put together at handles, and forward dynamics of long chains by
/// several threads.
///
///   mbd_subsystem_body      a body with handles
///   mbd_subsystem_robot     a whole robot at its state, with frames as handles
///   mbd_subsystem_join      two subsystems (or one and the world) with a joint between them  Jain (10.48)
///   mbd_subsystem_hinge     acceleration of that joint and the force through it
///
///   mbd_divide_create, mbd_divide_destroy    memory and threads for a model
///   mbd_divide_forward_dynamics              the same as mbd_forward_dynamics, by pieces
///   mbd_divide_pieces                        how many pieces there are
///
/// **Subsystems.** Whatever is inside, seen from its handles a subsystem is
///   b = Lambda f + c  Jain (10.46)
/// b the spatial accelerations of the handles, f the forces on them, each in the axes and at the
/// origin of its handle; c what they do by themselves: gravity, velocities and torques are in it.
/// Joining is exact, for moving systems too: the joint's own bias acceleration is counted, which
/// Jain (10.47) of the book leaves out.
///
/// **Pieces.** A robot is cut along its longest branch into as many pieces as there are threads.
/// Each thread sweeps its own piece to what shows at its two ends,
///   force on the inner end = P A + z - L f,   A of the outer end = L^T A + Y f + e
/// (A: acceleration of the inner end, f: force on the outer end), a solve of six unknowns a cut joins
/// them, and each thread completes its piece. No inertia of a piece is inverted, so that links
/// without inertia about their own axis are no exception. Sources: Jain, 10.6.
#ifndef MBDYN__OPERATORS__DIVIDE_H_
#define MBDYN__OPERATORS__DIVIDE_H_

#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- subsystems ----------

/// Handles that a subsystem can have.
#define MBD_SUBSYSTEM_HANDLES 4

typedef struct mbd_subsystem {
  int handles;
  /// Lambda: row-major, 6 handles x 6 handles, angular first; symmetric
  double inverse_inertia[36 * MBD_SUBSYSTEM_HANDLES * MBD_SUBSYSTEM_HANDLES];
  mbd_motion_t bias[MBD_SUBSYSTEM_HANDLES];  ///< c
} mbd_subsystem_t;

/// A joint between handle a of one subsystem and handle b of another:
///   b_b = X^T b_a + S qdd + a,  S^T f_b = tau - rotor qdd
typedef struct mbd_hinge {
  mbd_placement_t X;  ///< handle b in handle a
  int nv;             ///< degrees of freedom, 0 (rigid) to 6
  mbd_motion_t S[6];  ///< motion subspace at handle b, in its axes
  mbd_motion_t a;     ///< S' v and what the motion of b brings: data->a of the joint's body
  double tau[6];      ///< [N m, N]
  double rotor;       ///< reflected inertia on each degree of freedom
} mbd_hinge_t;

/// A rigid body as a subsystem.
/// \param[in]  inertia  in the body frame; of full rank: neither a point nor a rod
/// \param[in]  V        its velocity, body frame
/// \param[in]  f        force on it beside those on its handles (weight!), body frame
/// \param[in]  n        handles, 1 to MBD_SUBSYSTEM_HANDLES
/// \param[in]  X        each handle in the body frame
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (n), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_INERTIA, MBD_ERROR_SINGULAR (it cannot be inverted)
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_body(
  const mbd_inertia_t * inertia, mbd_motion_t V, mbd_force_t f, int n, const mbd_placement_t * X,
  mbd_subsystem_t * out);

/// A robot at its state, torques acting, as a subsystem with frames as handles. Needs the velocity
/// stage; leaves the acceleration stage of these torques.
/// \param[in]  tau    joint torques, or NULL for zero
/// \param[in]  f_ext  wrenches on frames, or NULL
/// \param[in]  n      handles, 1 to MBD_SUBSYSTEM_HANDLES
/// \param[in]  frame  which frames; each handle has the frame's axes
/// \return MBD_OK, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_UNSUPPORTED, else as mbd_forward_dynamics and
///   mbd_compliance_between
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_robot(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  int n, const int * frame, mbd_subsystem_t * out);

/// Two subsystems with a joint between handle a of A and handle b of B. The handles that are left,
/// those of A first, are the handles of the result.
/// \param[in]  A, B  one of them may be NULL: the world, at rest Jain (10.53)
/// \param[in]  a, b  handles; of the world any number
/// \param[out] out   may be A or B
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (handles, too many left,
///   nv), MBD_ERROR_NOT_FINITE, MBD_ERROR_SINGULAR (nothing resists the joint, or it holds
///   what cannot move: two grounded arms that are rigid against each other)
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_join(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  mbd_subsystem_t * out);

/// What the joint does when forces act on the handles that are left.
/// \param[in]  A, a, B, b, hinge  as they were joined
/// \param[in]  f    forces on the handles of the joined system, in its order
/// \param[out] qdd  acceleration of the joint [hinge->nv]
/// \param[out] f_b  force on handle b, in its axes; handle a gets the opposite
/// \return as mbd_subsystem_join
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_subsystem_hinge(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  const mbd_force_t * f, double * qdd, mbd_force_t * f_b);

//---------- forward dynamics by pieces ----------

typedef struct mbd_divide mbd_divide_t;

/// Memory and threads.
/// \param[in]  model    finalized, a spanning tree; must outlive the result
/// \param[in]  threads  1 to 1024, the caller's included: 1 starts none
/// \param[out] divide   give it to mbd_divide_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY (also if a thread cannot be started)
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_divide_create(const mbd_model_t * model, int threads, mbd_divide_t ** divide);

/// Ends the threads; NULL is fine.
MBD_PUBLIC
void mbd_divide_destroy(mbd_divide_t * divide);

/// Accelerations as mbd_forward_dynamics has them, each piece by a thread of its own: for thousands of
/// bodies (docs/performance.md has from when on it pays). All joint types, branches and forests. Pieces
/// follow the longest branch: what hangs on it goes with its piece. Results depend on the number of
/// threads in the last digits. The articulated stage is not left behind.
/// \param      divide  made for data's model; one call at a time
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

/// Pieces of the robot: as many as threads, fewer where its longest branch is short.
MBD_PUBLIC
int mbd_divide_pieces(const mbd_divide_t * divide);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__DIVIDE_H_
