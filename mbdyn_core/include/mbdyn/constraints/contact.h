/// \file constraints/contact.h
/// Unilateral constraints: joint limits and point contacts with friction, on top of the closures.
///
///   mbd_contact_default           a contact to fill in
///   mbd_contact_options_default   limits on, tolerances
///   mbd_contact_work              numbers of work memory
///   mbd_contact_step              velocities after a time step: contacts, limits and impacts
///   mbd_contact_acceleration      accelerations and forces of what touches now  Jain (11.44)
///
/// Who touches whom, where and along which normal is the caller's to find. Each contact is
///
///   0 <= w_n  _|_  p_n >= 0,    |p_t| <= friction p_n,   p_t against the slip where it slips
///
/// with w the relative velocity after the step (or acceleration) of B's point less A's: a round
/// friction cone. Rows of closures are eliminated first: what is left is a complementarity problem on
/// the compliance of contacts and limits with the closures kept Jain (11.48).
///
/// **Solver.** Warm-started by the modes and forces of the call before. The active set that they give is
/// tried as equations first, corrected row by row: if then no force pulls and nothing goes through, that
/// is the solution, exact to rounding. Otherwise Newton steps from these forces; then rounds of projected
/// Gauss-Seidel, which solves each contact with its round cone exactly, and semismooth Newton steps; then
/// a path of smoothed problems, followed to the solution. Redundant contacts (a compliance without full
/// rank) are fine; of their forces some solution comes out, where nothing slips the least ones if these
/// are inside the cones. Every method is deterministic.
///
/// **Verification.** Whatever method found it, a solution is checked: normal forces >= 0 and friction
/// inside the cone hold to rounding, and the residual is at most `tolerance`. With u = w + friction |w_t| n
/// and c the sum of the compliances of a contact's rows, the residual is the largest of
///
///   sqrt(c) |p - P(p - u / c)|     (P projects onto the friction cone, of a limit onto p >= 0)
///
/// over the largest |b| / sqrt(c), b being w without contact forces, of the contacts and limits that act
/// or would penetrate without forces. It has no unit, and is zero if and only if all conditions hold: no
/// penetration, no force where a contact opens, friction against the slip.
///
/// **Fallback.** Where no method gets there within `iterations`, the iterate of least residual is written
/// and the status is MBD_ERROR_NOT_CONVERGED: normal forces >= 0, friction inside the cone, and, scaled
/// down if need be, no more kinetic energy than the motion without contact forces has. It may
/// penetrate by what info->residual says.
///
/// An embedded model (embedding.h) is taken like a tree without closures; of its joints those with a
/// velocity of their own have limits here.
#ifndef MBDYN__CONSTRAINTS__CONTACT_H_
#define MBDYN__CONSTRAINTS__CONTACT_H_

#include "mbdyn/constraints/constrained.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mbd_contact_mode {
  MBD_CONTACT_OPEN = 0,   ///< no force
  MBD_CONTACT_STICK = 1,  ///< no slip
  MBD_CONTACT_SLIDE = 2   ///< it slips, with the force on the cone
} mbd_contact_mode_t;

/// A point at which a link touches another one or the world, or is about to.
typedef struct mbd_contact {
  int frame_a;              ///< frame index, or MBD_WORLD_BODY
  int frame_b;              ///< frame index
  mbd_vec3_t point;         ///< in the world [m]; both links have it
  mbd_vec3_t normal;        ///< of unit length, world axes: from A into B
  double gap;               ///< along the normal [m]; negative: they overlap
  double friction;          ///< coefficient
  double restitution;       ///< part of the speed of an impact that comes back, 0 to 1
  mbd_contact_mode_t mode;  ///< in: of the call before; out
  mbd_vec3_t force;  ///< out: on B at the point, world axes [N], of a step [N s]; in: a start
} mbd_contact_t;

typedef struct mbd_contact_options {
  mbd_constrained_options_t closures;  ///< of the rows that always hold
  bool limits;                         ///< position limits of joints of one degree of freedom
  double limit_margin;  ///< limits further away than this have no say [rad, m]; default 0.1
  double recovery;      ///< part of an overlap that a step takes back; default 0.2
  double impact;        ///< slower ones do not bounce [m/s]; default 0.01
  double touch;         ///< a gap up to this is a contact now [m]; default 1e-6
  double slip;          ///< up to this it sticks, and stays closed [m/s]; default 1e-6
  double tolerance;     ///< of the residual, without unit; default 1e-9
  int iterations;       ///< at most; default 10000
  bool fallback;        ///< write the best forces found if that is not reached; default true
} mbd_contact_options_t;

typedef struct mbd_contact_info {
  int iterations;   ///< Gauss-Seidel sweeps and factorisations; 0: the set of the call before did
  double residual;  ///< of what was written, see above
  int nactive;      ///< contacts and limits that exert a force
  mbd_constrained_t closures;  ///< of the closures
} mbd_contact_info_t;

/// A contact of the world with itself: frames, point, normal and gap are to be filled in.
MBD_PUBLIC
mbd_contact_t mbd_contact_default(void);

/// Limits on, and the defaults above.
MBD_PUBLIC
mbd_contact_options_t mbd_contact_options_default(void);

/// Numbers (double) of work memory for n contacts; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_contact_work(const mbd_model_t * model, int n);

/// Velocities after a step of dt, with impacts: v + M^-1 (dt (tau - C) + J^T p + G^T Lambda). Then
/// move q with them (mbd_integrate): semi-implicit Euler, first order. Rows are those of the beginning
/// of the step. A gap may close by what is left of it; of an
/// overlap `recovery` is taken back; where B comes in faster than `impact`, it goes out with
/// `restitution` times that. Closures hold for the new velocities, errors decaying as
/// options->closures.stabilisation says. Needs the velocity stage.
/// \param[in]     tau      model->nv, or NULL: zero
/// \param[in]     f_ext    wrenches on frames, or NULL
/// \param[in]     dt       [s], more than zero
/// \param[in,out] contact  mode and force are written                            [n]
/// \param[in]     options  NULL: the default ones
/// \param[out]    work     mbd_contact_work numbers
/// \param[out]    v_out    model->nv; may alias tau
/// \param[in,out] limit    impulses of the limits, positive at lower ones; in: of the call before;
///   zeros at first; or NULL                                                        [nv]
/// \param[out]    Lambda   impulses of the closures, model->nrow; or NULL (not of an embedded model)
/// \param[out]    info     or NULL
/// \return MBD_OK; MBD_ERROR_NOT_CONVERGED (not solved to options->tolerance within
///   options->iterations: a fallback was written, see above); MBD_ERROR_NO_SOLUTION (the same with
///   options->fallback off: nothing was written);
///   MBD_ERROR_BAD_ARGUMENT (frame, normal, friction, restitution, dt, options);
///   otherwise as mbd_constrained_forward_dynamics. On any other error v_out, limit and contacts are not
///   written.
///
/// Complexity O(N rows + rows^2 nv), O(rows^2) a sweep and O(rows^3) a Newton step, with rows those of
/// contacts and limits that are near | Allocates no | Thread-safe per data | Real-time safe yes,
/// bounded by iterations
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_contact_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_contact_options_t * options, double * work,
  double * v_out, double * limit, double * Lambda, mbd_contact_info_t * info);

/// Accelerations with what touches now: contacts with a gap up to `touch` that do not come apart
/// faster than `slip`, and limits alike. Where a contact slips, friction is against the slip; where
/// it does not, up to the cone against what would begin to slip. Normals count as fixed in the world.
/// Impacts have no accelerations: use mbd_contact_step. Where contacts slip there may be no solution
/// (Painleve): the forces of a fallback are inside the cones, and against the slip. Needs the velocity
/// stage.
/// \param[out] qdd  model->nv; may alias tau
/// \param      limit   forces, otherwise as in mbd_contact_step
/// \param[out] lambda  of the closures, model->nrow; or NULL
/// \return as mbd_contact_step
///
/// Complexity as mbd_contact_step | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_contact_acceleration(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  int n, mbd_contact_t * contact, const mbd_contact_options_t * options, double * work,
  double * qdd, double * limit, double * lambda, mbd_contact_info_t * info);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONSTRAINTS__CONTACT_H_
