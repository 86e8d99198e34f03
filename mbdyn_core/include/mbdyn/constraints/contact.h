/// \file constraints/contact.h
/// Unilateral constraints: joint limits and point contacts with friction, in addition to closures.
///
///   mbd_contact_default           default contact
///   mbd_contact_options_default   limits on, tolerances
///   mbd_contact_work              size of the work memory
///   mbd_contact_step              velocities after a time step: contacts, limits and impacts
///   mbd_contact_acceleration      accelerations and forces of closed contacts  Jain (11.44)
///   mbd_friction_step             mbd_contact_step with dry friction in the joints that sticks
///   mbd_friction_step_work        size of its work memory
///
/// The caller detects collisions and provides contact points and normals. Each contact is
///
///   0 <= w_n  _|_  p_n >= 0,    |p_t| <= friction p_n,   p_t opposed to the slip velocity
///
/// where w is the velocity after the step (or the acceleration) of B's point relative to A's: a round
/// friction cone. Rows of closures are eliminated first, which leaves a complementarity problem on the
/// compliance of contacts and limits with closed loops, Jain (11.48).
///
/// **Solver.** Warm-started with the modes and forces of the previous call. First the active set of the
/// warm start is solved as equations and corrected row by row; if the result has no tensile force and no
/// penetration, it is the solution, exact to rounding. Otherwise: Newton steps from these forces; then
/// projected Gauss-Seidel with exact round cones, alternating with semismooth Newton steps; then a path
/// of smoothed problems. Redundant contacts (rank-deficient compliance) are allowed: their forces are one
/// of the solutions, the minimum-norm one if nothing slips and it lies inside the cones. The start is all in
/// `contact` (mode OPEN, zero force: a cold start) and `limit`; the work memory keeps nothing between calls.
/// Where friction or redundant sliding contacts leave several solutions, the start selects one of them. Every
/// method is deterministic.
///
/// **Verification.** Every solution is checked: normal forces >= 0 and friction inside the cone hold to
/// rounding, and the residual is at most `tolerance`. With u = w + friction |w_t| n and c the sum of the
/// compliances of a contact's rows, the residual is the largest value of
///
///   sqrt(c) |p - P(p - u / c)|     (P projects onto the friction cone, for a limit onto p >= 0)
///
/// divided by the largest |b| / sqrt(c), where b is w without contact forces, over the contacts and
/// limits that are active or would penetrate without forces. It is dimensionless, and zero if and only
/// if all conditions hold: no penetration, no force at opening contacts, friction opposed to the slip.
///
/// **Fallback.** If no method converges within `iterations`, the iterate with the smallest residual is
/// written and the status is MBD_ERROR_NOT_CONVERGED: normal forces >= 0, friction inside the cone, and,
/// scaled down if necessary, no more kinetic energy than without contact forces. It may penetrate
/// according to info->residual.
///
/// An embedded model (embedding.h) is treated like a tree without closures; limits apply to its
/// independent joints.
#ifndef MBDYN__CONSTRAINTS__CONTACT_H_
#define MBDYN__CONSTRAINTS__CONTACT_H_

#include "mbdyn/constraints/constrained.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mbd_contact_mode {
  MBD_CONTACT_OPEN = 0,   ///< no force
  MBD_CONTACT_STICK = 1,  ///< no slip
  MBD_CONTACT_SLIDE = 2   ///< slip, with the force on the cone
} mbd_contact_mode_t;

/// A contact point between two links or a link and the world, closed or about to close.
typedef struct mbd_contact {
  int frame_a;              ///< frame index, or MBD_WORLD_BODY
  int frame_b;              ///< frame index
  mbd_vec3_t point;         ///< contact point in world coordinates [m]
  mbd_vec3_t normal;        ///< unit normal in world axes, from A into B
  double gap;               ///< along the normal [m]; negative: penetration
  double friction;          ///< friction coefficient
  double restitution;       ///< coefficient of restitution, 0 to 1
  mbd_contact_mode_t mode;  ///< in: mode of the previous call; out: new mode
  /// Out: force [N], or impulse of a step [N s], on B at the point, in world axes. In: warm start.
  mbd_vec3_t force;
} mbd_contact_t;

typedef struct mbd_contact_options {
  mbd_constrained_options_t closures;  ///< options of the closures
  bool limits;                         ///< position limits of joints with one degree of freedom
  double limit_margin;  ///< limits further away than this are ignored [rad, m]; default 0.1
  double recovery;      ///< fraction of a penetration that a step corrects; default 0.2
  double impact;        ///< restitution applies above this speed [m/s]; default 0.01
  double touch;         ///< contacts with a gap up to this are closed [m]; default 1e-6
  double slip;          ///< velocity threshold of sticking and closed contacts [m/s]; default 1e-6
  double tolerance;     ///< of the residual, dimensionless; default 1e-9
  int iterations;       ///< maximum number; default 10000
  bool fallback;        ///< write the best iterate if the solver does not converge; default true
} mbd_contact_options_t;

typedef struct mbd_contact_info {
  int iterations;   ///< Gauss-Seidel sweeps and factorisations; 0: the warm start was the solution
  double residual;  ///< of the result, see above
  int nactive;      ///< contacts and limits that exert a force
  mbd_constrained_t closures;  ///< of the closures
} mbd_contact_info_t;

/// Friction of joints in mbd_friction_step: of each degree of freedom, of all joints of an embedded model.
typedef struct mbd_joint_friction {
  int n;  ///< model->nv; of an embedded model model->tree->nv
  const double *
    dry;  ///< largest dry friction, infinite: locked [N m, N]; NULL: none              [n]
  const double *
    viscous;  ///< per velocity after the step [N m s/rad, N s/m]; NULL: none          [n]
  double *
    impulse;  ///< out: of dry friction; in: of the previous call, initially zeros; or NULL [n]
} mbd_joint_friction_t;

/// Default contact of the world with itself. Fill in frames, point, normal and gap.
MBD_PUBLIC
mbd_contact_t mbd_contact_default(void);

/// Default options: limits on, and the defaults above.
MBD_PUBLIC
mbd_contact_options_t mbd_contact_options_default(void);

/// Size of the work memory for n contacts in doubles; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_contact_work(const mbd_model_t * model, int n);

/// Velocities after a time step dt, with impacts: v + M^-1 (dt (tau - C) + J^T p + G^T Lambda).
/// Integrating q with them (mbd_integrate) gives a semi-implicit Euler step of first order. Jacobians
/// are those of the beginning of the step. A gap closes at most to zero; the fraction `recovery` of a
/// penetration is corrected; if B approaches faster than `impact`, it rebounds with `restitution` times
/// its speed. The new velocities satisfy the closures, whose errors decay according to
/// options->closures.stabilisation. Needs the velocity stage.
/// \param[in]     tau      model->nv, or NULL: zero
/// \param[in]     f_ext    wrenches on frames, or NULL
/// \param[in]     dt       [s], positive
/// \param[in,out] contact  mode and force are written                            [n]
/// \param[in]     options  NULL: defaults
/// \param[out]    work     mbd_contact_work doubles
/// \param[out]    v_out    model->nv; may alias tau
/// \param[in,out] limit    impulses of the limits, positive at lower limits; in: of the previous call,
///   initially zeros; or NULL [nv]
/// \param[out]    Lambda   impulses of the closures, model->nrow; or NULL (not of an embedded model)
/// \param[out]    info     or NULL
/// \return MBD_OK; MBD_ERROR_NOT_CONVERGED (not solved to options->tolerance within
///   options->iterations: a fallback was written, see above); MBD_ERROR_NO_SOLUTION (not converged with
///   options->fallback off: nothing was written);
///   MBD_ERROR_BAD_ARGUMENT (frame, normal, friction, restitution, dt, options);
///   otherwise as mbd_constrained_forward_dynamics. On other errors, v_out, limit and contacts are not
///   written.
///
/// Contacts of the same two links share their rows' Jacobian if they are one after another.
///
/// Complexity O(N rows + rows^2 nv), O(rows^2) per sweep and O(rows^3) per Newton step, with the rows of
/// nearby contacts and limits | Allocates no | Thread-safe per data | Real-time safe yes,
/// bounded by iterations
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_contact_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_contact_options_t * options, double * work,
  double * v_out, double * limit, double * Lambda, mbd_contact_info_t * info);

/// Size of the work memory of mbd_friction_step in doubles; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_friction_step_work(const mbd_model_t * model, int n);

/// mbd_contact_step with friction in the joints, solved together with contacts, limits and closures.
/// Of the velocity w after the step
///
///   viscous friction:  - viscous w
///   dry friction:      |p| <= dt dry,   p = -dt dry sign(w) where w is not zero
///
/// A joint sticks exactly, without creep, up to its dry friction. Both act at the end of the step: any
/// strength is stable. Friction of the model (MBD_TERM_FRICTION) is added if it is switched on.
/// \param[in] friction  or NULL: mbd_contact_step
/// \param     work      mbd_friction_step_work doubles
/// \return as mbd_contact_step; MBD_ERROR_BAD_ARGUMENT (n of friction, negative friction),
///   MBD_ERROR_SINGULAR (mass matrix)
///
/// Complexity as mbd_contact_step, and O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes,
/// bounded by iterations
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_friction_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_joint_friction_t * friction,
  const mbd_contact_options_t * options, double * work, double * v_out, double * limit,
  double * Lambda, mbd_contact_info_t * info);

/// Accelerations with the closed contacts: those with a gap up to `touch` that do not separate faster
/// than `slip`, and limits likewise. At sliding contacts friction is opposed to the slip; at sticking
/// contacts it prevents slip up to the cone. Normals are treated as fixed in the world. Impacts have no
/// accelerations: use mbd_contact_step. With sliding contacts there may be no solution (Painleve
/// paradox): the forces of the fallback are inside the cones and opposed to the slip. Needs the velocity
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
