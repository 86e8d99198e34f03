/// \file ik.h
/// Inverse kinematics of trees: configurations in which frames have given poses.
///
///   mbdu_ik_pose, _position       targets: a frame and its desired pose
///   mbd_ik_options_default        tolerances, restarts, limits
///   mbd_ik_work                   size of the work memory
///   mbd_ik                        one solution, from a seed
///   mbd_ik_track                  one period of a control loop: bounded velocity, damped near singularities
///   mbd_ik_measure                errors, condition and nearest limit of a configuration
///   mbd_ik_find_closed_form       closed form of an arm of six or seven revolute joints, if it has one
///   mbd_ik_closed_form            all its branches for a pose
///   mbd_ik_swivel                 swivel angle of a configuration of a seven-axis arm
///   mbd_ik_all                    all solutions: closed form if there is one, else restarts
///
/// **Method.** mbd_ik minimises the weighted error of all targets by the Levenberg-Marquardt method on the
/// configuration manifold, with damping proportional to the squared error (Sugihara, IEEE Transactions on
/// Robotics 27(5), 2011). Position limits are bounds of every step: a joint that would leave its range stays at
/// the limit, and the step of the other joints is computed again. If the seed leads to a local minimum, it
/// restarts from random configurations, the same ones for the same options.
///
/// **Joints.** Rigid trees with any joints. Position limits are those of revolute, prismatic, helical,
/// cylindrical and universal joints. Of a floating base, the solution is whatever is nearest to the seed.
/// Joints that do not move any target keep their seed.
///
/// **Hierarchy.** The targets come first. With options->posture, what they leave free brings the joints as near to
/// a posture as limits allow: steps in the null space, projected as those of the controller, each corrected by
/// the method above. The posture is a local optimum.
#ifndef MBDYN__IK_H_
#define MBDYN__IK_H_

#include <string.h>

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Desired pose of a frame. Errors are components along and about the axes of the desired pose.
typedef struct mbd_ik_target {
  int frame;
  mbd_placement_t pose;  ///< in the world
  bool axis[6];          ///< components to reach: rotation about x y z, position along x y z
} mbd_ik_target_t;

/// A list of targets.
typedef struct mbd_ik_targets {
  int n;
  const mbd_ik_target_t * t;
} mbd_ik_targets_t;

typedef struct mbd_ik_options {
  double position;       ///< tolerance of positions, per target; default 1e-6 [m]
  double rotation;       ///< tolerance of rotations, per target; default 1e-6 [rad]
  int iterations;        ///< per start, default 60; 30 times as many for a pose out of reach
  int restarts;          ///< random starts after the seed; default 100
  uint64_t random_seed;  ///< of the random starts; default 0
  bool ignore_limits;    ///< ignore position limits; default false
  /// Length that weighs as much as one radian; 0 (default): a third of the length of the kinematic
  /// chain [m]
  double length;
  /// Secondary target, or NULL: of the configurations that reach the targets, a nearest one to this posture
  /// (sum of squares of the joints that move a target); model->nq. mbd_ik_all does not use it
  const double * posture;
} mbd_ik_options_t;

/// How a solve ended.
typedef enum mbd_ik_outcome {
  MBD_IK_SOLVED = 0,  ///< all targets within tolerance
  MBD_IK_UNREACHABLE =
    1,  ///< the error has a minimum that is not zero; q is the nearest pose found
  MBD_IK_AT_LIMIT =
    2,  ///< likewise, and limits hold joints back: `limit` is the one with most effect
  MBD_IK_ITERATIONS = 3  ///< iteration limit reached first; q is the nearest pose found
} mbd_ik_outcome_t;

typedef struct mbd_ik_result {
  mbd_ik_outcome_t outcome;
  double position, rotation;  ///< largest remaining error of a target [m], [rad]
  int limit;                  ///< degree of freedom (index in v) held back by its limit, or -1
  int iterations;             ///< of all starts
  int starts;                 ///< 1: the seed was enough
  double posture;             ///< largest difference of a joint from the posture, or 0 [rad, m]
} mbd_ik_result_t;

/// A configuration measured against targets.
typedef struct mbd_ik_measurement {
  double position, rotation;  ///< largest error of a target [m], [rad]
  /// Smallest and largest singular value of the Jacobian of the targets, positions divided by the length of
  /// the options
  double smallest, largest;
  double condition;  ///< largest / smallest; infinite above 1e7
  /// Of the determinant of the Jacobian, if it is square: configurations of different signs are in different
  /// components, with a singularity between them. 0: not square, or singular
  int sign;
  int limit;  ///< degree of freedom nearest to a position limit, or -1
  double
    margin;  ///< its distance from the limit, negative beyond it [rad or m]; infinite: no limits
} mbd_ik_measure_t;

/// Target of a full pose.
static inline mbd_ik_target_t
mbdu_ik_pose(int frame, mbd_placement_t pose)
{
  const mbd_ik_target_t t = {frame, pose, {true, true, true, true, true, true}};
  return t;
}

/// Target of the position of the frame's origin alone.
static inline mbd_ik_target_t
mbdu_ik_position(int frame, mbd_vec3_t p)
{
  const mbd_ik_target_t t = {
    frame, {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, p}, {false, false, false, true, true, true}};
  return t;
}

/// Default options.
MBD_PUBLIC
mbd_ik_options_t mbd_ik_options_default(void);

/// Size of the work memory in doubles; 0 for an invalid model or list.
MBD_PUBLIC
size_t mbd_ik_work(const mbd_model_t * model, const mbd_ik_targets_t * targets);

/// Configuration in which all targets are reached, near the seed if the seed leads to one. If none is found,
/// q is the nearest pose found, and result->outcome says why. Angles differ from the seed by at most half a
/// turn where limits allow. The position stage is that of q.
/// \param[in]  options  NULL: defaults
/// \param[in]  seed     model->nq; outside limits: moved into them; turns of angles beyond 1e6 rad are not kept.
///   NULL: the middle of the limits
/// \param[in]  work     mbd_ik_work doubles
/// \param[out] q        model->nq; may alias seed
/// \param[out] result   required
/// \return MBD_OK, also if result->outcome is not MBD_IK_SOLVED; MBD_ERROR_NULL_ARGUMENT,
///   MBD_ERROR_BAD_ARGUMENT (frame, no axis, options, a rotation that is none), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_MIMIC (a target moves with a mimic joint),
///   MBD_ERROR_UNSUPPORTED (embedded loops, flexible links)
///
/// Complexity O(starts iterations (N + rows^3)) | Allocates no | Thread-safe per data | Real-time safe yes:
/// bounded by options
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * seed, double * work, double * q,
  mbd_ik_result_t * result);

/// Options of mbd_ik_track.
typedef struct mbd_ik_track_options {
  double dt;       ///< period; default 1e-3 [s]
  int iterations;  ///< Newton steps per period; default 2
  double
    velocity;  ///< bound of all velocities, besides the limits of the joints; default infinite [rad/s, m/s]
  double singular;         ///< smallest singular value below which steps are damped; default 0.05
  double damping;          ///< damping at a singularity; default 0.05
  bool ignore_limits;      ///< ignore position and velocity limits of the joints; default false
  double length;           ///< as in mbd_ik_options_t
  const double * posture;  ///< secondary target, in the null space of the targets; or NULL
  double posture_rate;     ///< share of the difference that is covered per second; default 1 [1/s]
} mbd_ik_track_options_t;

/// Default options.
MBD_PUBLIC
mbd_ik_track_options_t mbd_ik_track_options_default(void);

/// One period of tracking: the configuration after dt that comes nearest to the targets within velocity and
/// position limits. Steps are damped least squares,
///   dq = J^T (J J^T + lambda^2 I)^-1 e,
///   lambda^2 = |e|^2 / 2, and damping^2 (1 - (s / singular)^2) in addition for s < singular,
/// with s the smallest singular value of J (Nakamura and Hanafusa 1986; Maciejewski and Klein 1988). With a
/// posture, dq is the step nearest to posture_rate dt (posture - q) instead of the smallest one.
/// \param[in]  options  NULL: defaults
/// \param[in]  q0       current configuration; model->nq
/// \param[in]  work     mbd_ik_work doubles
/// \param[out] q        configuration after dt; model->nq; may alias q0
/// \param[out] v        mean velocity: mbd_integrate(q0, v, dt) is q; model->nv, or NULL
/// \param[out] result   as of mbd_ik; MBD_IK_ITERATIONS: not within 1e-6 m and rad. Or NULL
/// \return as mbd_ik
///
/// Complexity O(iterations (N + rows^3)) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_track(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_track_options_t * options, const double * q0, double * work, double * q, double * v,
  mbd_ik_result_t * result);

/// Errors, condition number and nearest limit of a configuration. The position stage is that of q.
/// \param[in]  options  for its length; NULL: defaults
/// \param[in]  work     mbd_ik_work doubles
/// \return as mbd_ik
///
/// Complexity O(N + rows^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * q, double * work, mbd_ik_measure_t * measure);

//---------- closed forms ----------

/// Kinds of arms with a closed form. Of the six-axis kinds, the mirrored ones have the structure when
/// the arm is read from its tip to its base.
typedef enum mbd_ik_form {
  MBD_IK_NO_FORM = 0,
  MBD_IK_WRIST_PARALLEL = 1,   ///< last three axes intersect, axes 2 and 3 parallel; 8 branches
  MBD_IK_WRIST_INTERSECT = 2,  ///< last three axes intersect, axes 1 and 2 intersect; 8 branches
  MBD_IK_THREE_PARALLEL = 3,   ///< axes 2, 3 and 4 parallel, axes 5 and 6 intersect; 8 branches
  MBD_IK_SHOULDER_AND_WRIST =
    4  ///< seven axes: the first three intersect, the last three too; 8 branches for
       ///< a swivel angle
} mbd_ik_form_t;

/// Most branches of a closed form.
#define MBD_IK_BRANCHES 8

/// Closed form of an arm. Axes in the order in which the form reads them: base to tip, or tip to base and
/// reversed if mirrored.
typedef struct mbd_ik_closed {
  mbd_ik_form_t form;
  bool mirrored;       ///< read from tip to base
  int frame, n;        ///< the frame, and the number of joints on the path to it: 6 or 7
  int q_index[7];      ///< of the joints, base to tip
  mbd_vec3_t axis[7];  ///< directions at q = 0 in the world
  mbd_vec3_t
    point[7];  ///< points on the axes; where axes of the form intersect, their intersection
  mbd_placement_t home;  ///< pose of the frame at q = 0
  double deviation;      ///< of the axes from parallel and intersecting ones [rad, m]
} mbd_ik_closed_form_t;

/// Closed form of the path from the base to a frame. Axes are taken from the Denavit-Hartenberg table of the
/// path (operators/dh.h). They may deviate by 2e-5 rad and m from parallel and intersecting ones, as in files
/// with rounded angles (rpy="1.5708 0 0"); branches then have errors of this order.
/// \param[out] closed  closed->form is MBD_IK_NO_FORM if there is none
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_BAD_ARGUMENT (frame)
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_find_closed_form(
  const mbd_model_t * model, int frame, mbd_ik_closed_form_t * closed);

/// All branches of a closed form, without regard to limits; angles between -pi and pi. Branches that coincide
/// are returned once. At a singularity, where an angle is arbitrary, it is zero.
/// \param[in]  pose    of the frame in the world
/// \param[in]  swivel  seven axes: angle of the elbow about the line from shoulder to wrist [rad]
/// \param[out] angle   of the joints on the path, base to tip
/// \param[out] n       number of branches; 0: the pose is out of reach
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_UNSUPPORTED (no closed form), MBD_ERROR_NOT_FINITE
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_closed_form(
  const mbd_ik_closed_form_t * closed, const mbd_placement_t * pose, double swivel,
  double angle[MBD_IK_BRANCHES][7], int * n);

/// Swivel angle of a configuration of a seven-axis arm: the argument with which mbd_ik_closed_form returns this
/// configuration as one of its branches.
/// \param[in]  angle   of the joints on the path, base to tip
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_UNSUPPORTED (not a seven-axis form),
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_SINGULAR (shoulder and wrist coincide)
///
/// Complexity O(1) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_swivel(
  const mbd_ik_closed_form_t * closed, const double * angle, double * swivel);

/// All solutions within the limits, sorted by distance from the seed (largest difference of a joint). One full
/// pose of an arm with a closed form: all its branches, with the seed's swivel angle for seven axes. Otherwise
/// restarts, without duplicates; if the targets leave a self-motion (rows < degrees of freedom), a sample of
/// solutions that differ by more than 0.1 rad or m. Angles are those nearest to the seed, once each.
/// \param[in]  options  NULL: defaults. Restarts end after `restarts` starts without a new solution
/// \param[in]  most     space in q
/// \param[out] q        row-major most x nq; may not alias seed
/// \param[out] n        number of solutions in q
/// \param[out] result   of the first solution, or of the nearest pose (in the first row of q) if n is 0
/// \param[out] form     closed form that was used, or MBD_IK_NO_FORM; may be NULL
/// \return as mbd_ik; MBD_ERROR_BAD_ARGUMENT (most < 1)
///
/// Allocates no | Thread-safe per data | Real-time safe yes: bounded by options
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ik_all(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets,
  const mbd_ik_options_t * options, const double * seed, int most, double * work, double * q,
  int * n, mbd_ik_result_t * result, mbd_ik_form_t * form);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__IK_H_
