/// \file dynamics/bearing.h
/// Bearings: joint friction that grows with the load of the joint.
///
///   mbd_bearing_spec_default        default bearing description
///   mbd_model_add_bearing           add a bearing to a joint or closure, before finalize
///   mbd_friction_curve              coefficient of friction as a function of the sliding speed
///   mbd_bearing_options_default     iterations, tolerance
///   mbd_bearing_work                size of the work memory
///   mbd_bearing_forward_dynamics    accelerations, multipliers, loads
///   mbd_bearing_friction_default    default of exact friction
///   mbd_bearing_step_work           size of the work memory of mbd_bearing_step
///   mbd_bearing_step                velocities after a time step, with bearings that stick
///
/// A bearing acts in a revolute, continuous, prismatic or cylindrical joint of the tree, or in a closure of
/// type revolute, prismatic, cylindrical or on_line. Its load N is the sum of the forces at its points of
/// contact, which follow from the force through the joint, Haug 8.4 and 8.5 (E. J. Haug, Computer-Aided
/// Kinematics and Dynamics of Mechanical Systems, volume 2). With the sliding speed v
///
///   friction force   - N S(v)            along the axis of prismatic and cylindrical joints
///   friction torque  - N r S(r omega)    about the axis of revolute and cylindrical joints and pins, r the radius
///
/// **Points of contact.** z is the axis of the joint, F and T the force through it and its moment about point
/// 1, which is `offset` along z from the origin of side B (or A, if `on_a`); point 2 is `span` farther. With
/// span a and key b
///
///   f2 = (Ty, -Tx) / a,   f3 = Tz / b,   f1 = (Fx, Fy) - f2 - (f3, 0)
///
///   revolute                N = |f1| + |f2| + |Fz|
///   cylindrical             N = |f1| + |f2|
///   on_line                 N = |f1|
///   prismatic               N = |f1x| + |f1y| + |f2x| + |f2y| + |f3|
///
/// plus `preload`. Moments do not count without span, nor Tz without key. |f| is smooth below the force
/// `smoothing`, Haug (8.1.13). x and y are those of side A of a closure, and of the body frame (model.h) of a
/// tree joint: only prismatic bearings depend on them.
///
/// **Solution.** The force through a joint depends on friction, and friction on the force. At a given state the
/// forces are affine in the loads: f = f0 + sum of N_j f_j, one forward dynamics for each bearing, with the rows
/// of closures factorised once. The loads solve N = n(f) by Newton's method, from the last loads if there are
/// any, otherwise by continuation from no friction, Haug 8.6.2. Their matrix is the Schur complement of that of
/// accelerations and multipliers; its condition number warns of jamming.
///
/// Bearings count in mbd_bearing_forward_dynamics, in mbd_bearing_step and in simulations (simulation.h). Other
/// functions do not know them.
#ifndef MBDYN__DYNAMICS__BEARING_H_
#define MBDYN__DYNAMICS__BEARING_H_

#include "mbdyn/constraints/contact.h"
#include "mbdyn/data.h"
#include "mbdyn/jacobian.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Description of a bearing for mbd_model_add_bearing.
typedef struct mbd_bearing_spec {
  const char * joint;  ///< joint of the tree or closure; at most one bearing each
  double mu_static;    ///< largest coefficient of friction, at `velocity`; not below mu_dynamic
  double mu_dynamic;   ///< coefficient of friction at high speed
  double velocity;     ///< transition between static and dynamic friction, positive [m/s]
  double radius;       ///< of rotation [m]
  double span;         ///< distance of the points of contact along z [m], of either sign; 0: one
  double
    key;  ///< lever of the moment about the axis of prismatic joints [m], of either sign; 0: none
  double offset;     ///< of point 1 along z [m]
  bool on_a;         ///< points of contact are fixed to side A (the parent), not B (the child)
  double preload;    ///< load without force through the joint [N]
  double smoothing;  ///< forces below this are smoothed, positive [N]
} mbd_bearing_spec_t;

/// A bearing of a finalized model.
typedef struct mbd_bearing {
  mbd_bearing_spec_t spec;  ///< as it was added
  int body;                 ///< child body of its joint, or -1
  int closure;              ///< its closure, or -1
} mbd_bearing_t;

typedef struct mbd_bearing_options {
  double tolerance;  ///< relative error of the loads; default 1e-10
  int iterations;    ///< of Newton's method, in each step of the continuation; default 50
  int steps;         ///< of the continuation; default 10
  /// time, open closures, rank: constrained.h; NULL: defaults
  const struct mbd_constrained_options * constrained;
} mbd_bearing_options_t;

/// Diagnostics of bearings.
typedef struct mbd_bearing_result {
  int iterations;     ///< of Newton's method
  bool continuation;  ///< the loads are from a continuation, not from those of the caller
  double
    condition;  ///< of the loads' matrix A, 1 without friction: |A^-1| max(1, |A|), 1-norms; large: jamming
  double power;  ///< of friction, not positive [W]
} mbd_bearing_info_t;

/// Default bearing: no friction, velocity 0.002 m/s, smoothing 0.002 N.
MBD_PUBLIC
mbd_bearing_spec_t mbd_bearing_spec_default(void);

/// Add a bearing.
/// \param[in,out] model    not yet finalized
/// \param[in]     spec     the name is copied, and looked up at finalize: joints before closures
/// \param[out]    bearing  its index, or NULL
/// \return MBD_OK; MBD_ERROR_DUPLICATE_NAME (the joint has a bearing), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_ARGUMENT (a range), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_FINALIZED,
///   MBD_ERROR_OUT_OF_MEMORY. model->error_name has the name. The model is unchanged on error.
///
/// mbd_model_finalize returns MBD_ERROR_BAD_JOINT with the joint's name in model->error_name if there is no
/// joint or closure of that name and of a type above.
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_bearing(
  mbd_model_t * model, const mbd_bearing_spec_t * spec, int * bearing);

/// Coefficient of friction S at a sliding speed, Brown and McPhee, Haug (8.1.12):
///
///   S = mu_d tanh(4 u) + (mu_s - mu_d) u / ((u / 2)^2 + 3/4)^2,   u = v / velocity
///
/// \param[in]  v      sliding speed [m/s]
/// \param[in]  spec   coefficients and velocity
/// \param[out] slope  dS/dv [s/m], or NULL
MBD_PUBLIC
double mbd_friction_curve(double v, const mbd_bearing_spec_t * spec, double * slope);

/// Default options.
MBD_PUBLIC
mbd_bearing_options_t mbd_bearing_options_default(void);

/// Size of the work memory in doubles, for up to nwrench wrenches; 0 for a model that is not finalized.
MBD_PUBLIC
size_t mbd_bearing_work(const mbd_model_t * model, int nwrench);

/// Accelerations under torques, wrenches, gravity, closures and the friction of bearings.
/// \param[in,out] data     acceleration and force stages are set: mbd_joint_force and
///   mbd_frame_acceleration are those of the motion with friction
/// \param[in]     q        model->nq; NULL: the current position stage
/// \param[in]     v        model->nv; NULL: the current velocity stage (q must also be NULL)
/// \param[in]     tau      model->nv, or NULL: zero
/// \param[in]     f_ext    wrenches on frames, or NULL
/// \param[in]     options  NULL: defaults
/// \param[out]    work     mbd_bearing_work(model, number of wrenches) doubles
/// \param[in,out] load     load N of each bearing [N], model->nbearing; on entry a guess, the last loads, or
///   NULL or negative numbers: none
/// \param[out]    qdd      model->nv; may alias tau
/// \param[out]    lambda   model->nrow, or NULL
/// \param[out]    info     or NULL
/// \return MBD_OK; MBD_ERROR_NO_SOLUTION (no loads: the mechanism jams); MBD_ERROR_UNSUPPORTED (embedded
///   loops, flexible links); MBD_ERROR_BAD_ARGUMENT (options); as mbd_constrained_forward_dynamics. On
///   error, qdd, lambda and load are not written.
///
/// Complexity O(N rows + nv rows^2 + bearings (N + nv rows)), and bearings^3 for each step of Newton's method |
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_bearing_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, const mbd_bearing_options_t * options,
  double * work, double * load, double * qdd, double * lambda, mbd_bearing_info_t * info);

/// Exact friction of bearings in mbd_bearing_step.
typedef struct mbd_bearing_friction {
  int sweeps;        ///< at most, 1 or more; default 20
  double tolerance;  ///< of the loads, by the largest; default 1e-9
  /// in: loads of the previous step, initially zeros; out: of this one [model->nbearing]
  double * load;
  /// in: joints that stuck in the previous step have static friction; out: those that stick [model->nv]
  bool * sticks;
  double change;  ///< out: of the loads in the last sweep, by the largest
} mbd_bearing_friction_t;

/// Default of exact friction; set load and sticks.
MBD_PUBLIC
mbd_bearing_friction_t mbd_bearing_friction_default(void);

/// Size of the work memory in doubles, for n contacts and up to nwrench wrenches; 0 for a model that is not
/// finalized.
MBD_PUBLIC
size_t mbd_bearing_step_work(const mbd_model_t * model, int n, int nwrench);

/// mbd_friction_step with the friction of bearings: each sticks, without creep, up to its load times mu_static (and
/// the radius, for turning), and slides with mu_dynamic; `velocity` of the bearing does not count. The loads are
/// those of the forces of this step: steps and loads are computed in turn until they agree.
/// \param[in]     friction  further friction of the joints, or NULL
/// \param[in,out] bearings  exact friction
/// \param         work      mbd_bearing_step_work doubles
/// \return as mbd_friction_step; MBD_ERROR_UNSUPPORTED (a bearing in a closure, embedded loops, flexible links).
///   Loads that do not settle within the sweeps are no error: bearings->change tells.
///
/// Complexity sweeps times mbd_friction_step | Allocates no | Thread-safe per data | Real-time safe yes, bounded by
/// sweeps and iterations
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_bearing_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_joint_friction_t * friction,
  mbd_bearing_friction_t * bearings, const mbd_contact_options_t * options, double * work,
  double * v_out, double * limit, double * Lambda, mbd_contact_info_t * info);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__BEARING_H_
