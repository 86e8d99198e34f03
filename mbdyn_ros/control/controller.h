/// \file controller.h
/// From a state to torques, term by term, and to a command: everything between joint states and the
/// safety gate. Plain C, no ROS, no heap after controller_create; the control thread's own.
///
///   controller_settings_t      what can be changed between two cycles
///   controller_create, controller_destroy
///   controller_set_flexible    gravity torques with flexible links
///   controller_apply           new settings
///   controller_follow          a trajectory
///   controller_hold            not any more
///   controller_restart         hold here
///   controller_pause           the same, but the trajectory goes on afterwards
///   controller_following       how far has the trajectory come?
///   controller_step            one cycle
///   controller_hold_torques      what holds the robot where it is
///   controller_gravity_known, controller_forget_world    messages about the world
///
/// Terms:  total = gravity + coriolis + inertia + friction + external, of the measured state and the
/// acceleration of the mode:
///   gravity   g(q)          coriolis  C(q, v) v        inertia   M(q) a (rotors if model_terms)
///   friction  of the drives at v, if model_terms       external  - sum J^T f of the wrenches
/// Force elements (model_terms): springs at rest count as gravity, their damping as coriolis.
/// Their sum is mbd_inverse_dynamics of (q, v, a) under the wrenches.
///
/// Modes, with e = q_ref - q (mbd_difference), de = v_ref - v:
///   PASSIVE               a = estimated; no command
///   GRAVITY_COMPENSATION  a = estimated; command = chosen terms of {gravity, friction, external}
///                         - damping v
///   INVERSE_DYNAMICS      terms and command at the reference state (q_ref, v_ref, a_ref)
///   COMPUTED_TORQUE       a = a_ref + Kp e + Kd de + Ki int e; command = chosen terms, with friction at
///                         v_ref and towards q_ref in place of v (controller_friction.c)
///   OPERATIONAL_SPACE     command = chosen terms + J^T (wanted wrench);
///                         inertia = J^T Lambda (u - Jdot v) + N^T M a_posture,
///                         u = Kp e_task + Kd (twist_ref - twist),
///                         a_posture = a_ref + Kp e + Kd de with the gains of the posture;
///                         a = M^-1 inertia, which is u in the task
///   QUASI_VELOCITY_DAMPING     as gravity compensation, but with - L c L^T v in place of the damping, L L^T
///                         the mass matrix: every quasi-velocity L^T v decays by itself
///   JOINT_IMPEDANCE       command = chosen terms + K e + D de; coriolis = C(q, v) v_ref, inertia = M a_ref,
///                         friction in the command at v_ref
///   CARTESIAN_IMPEDANCE   command = chosen terms + J^T (K e_task + D de_task + wanted wrench)
///                         + N^T (K_n e + D_n N de); no coriolis, no inertia
///                         By ratio, D gives every mode of K and M the damping ratio (impedance.h).
///                         With task_inertia Lambda_d x'' = K e_task + D de_task + wanted wrench + the external wrench
///                         that is known and not compensated (mode_cartesian_impedance.c)
/// Velocity gains (damping, Kd, c) are bounded by what the robot takes at its sample time: a velocity
/// decays by no more than a quarter in a sample, so that it does not oscillate with a sample of delay
/// and is stable with five. Where Kd is bounded to s Kd, Kp is s^2 Kp and Ki s^3 Ki. The damping of a
/// model with links that have no mass is not bounded.
/// Chosen terms are those of command_terms: leave gravity out where the robot compensates it itself.
/// The wanted wrench is in the command only, in no term.
///
/// The reference is a stream if there is one, else a trajectory, else rest where the joints were
/// when the mode began. After a trajectory they hold its end; joints that a trajectory does not name
/// hold. The task frame likewise holds where it was until a pose comes, and the last pose when
/// pose_known is taken back; while there is none a twist carries what is held along. PASSIVE,
/// GRAVITY_COMPENSATION and QUASI_VELOCITY_DAMPING follow nothing: q_ref is q, at rest.
///
/// With stay_in_component a command that would take the task frame across a singularity, into another component
/// of the configuration space, is replaced by one that stops the robot before it, in every mode: the
/// acceleration of a critically damped spring, with all chosen terms and the inertia. Trajectory, stream and pose are
/// dropped. The next target that does not lead across ends it, in modes without targets a motion
/// away from the singularity.
///
/// A free base is not actuated: entries of its command are computed as those of any joint, and the
/// caller leaves them out. Gains of joints of several degrees work on mbd_difference and v.
///
/// **Supports** (`nsupport` > 0): the robot stands on frames. All of a mode's terms then give the
/// generalized force that its acceleration needs, base included, and mbd_support_torques finds the
/// contact forces; the command is the chosen terms less J^T f, zero on the base. In COMPUTED_TORQUE
/// and INVERSE_DYNAMICS the base goes where the joints' motion takes it with the supports at rest;
/// directions that the supports leave open (fewer than three points) hold by the base's own gains.
#ifndef MBDYN_ROS__CONTROLLER_H_
#define MBDYN_ROS__CONTROLLER_H_

#include "joint_input.h"
#include "mailbox.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/dynamics/support.h"
#include "mbdyn/mbdyn.h"
#include "trajectory.h"

/// MODE_PASSIVE, ...: controller_modes.inc has the table.
typedef enum controller_mode {
#define MODE(id, ...) id,
#include "controller_modes.inc"
  CONTROLLER_MODES
} controller_mode_t;

/// What a mode needs of its settings and messages.
typedef enum controller_needs {
  NEEDS_REFERENCE = 1 << 0,  ///< it follows trajectories and streams
  NEEDS_TASK = 1 << 1        ///< axes of the task frame
} controller_needs_t;

typedef enum controller_term {
  TERM_GRAVITY = 1 << 0,
  TERM_CORIOLIS = 1 << 1,
  TERM_INERTIA = 1 << 2,
  TERM_FRICTION = 1 << 3,
  TERM_EXTERNAL = 1 << 4,
  TERMS_OF_MODE = 1 << 5  ///< parameter only: controller_mode_terms
} controller_term_t;

/// Terms that drivers leave out of measured efforts.
typedef enum controller_excluded {
  EXCLUDES_GRAVITY = 1 << 0,
  EXCLUDES_CORIOLIS = 1 << 1,
  EXCLUDES_FRICTION = 1 << 2  ///< if model_terms has it
} controller_excluded_t;

typedef enum observer_source { OBSERVE_AUTO, OBSERVE_MEASURED, OBSERVE_COMMAND } observer_source_t;

/// Axes of a Cartesian stiffness.
typedef enum task_axes { AXES_WORLD, AXES_TARGET } task_axes_t;

#define CONTROLLER_PAYLOADS 16
#define CONTROLLER_SUPPORTS 8

typedef struct controller_payload {
  int frame;
  mbd_inertia_t inertia;  ///< about the frame's origin
} controller_payload_t;

/// Everything that can change between two cycles. Arrays are [nv] and belong to the object, in one
/// block with it (controller_settings_create).
typedef struct controller_settings {
  mail_t mail;
  controller_mode_t mode;
  unsigned command_terms;  ///< bits of controller_term_t
  unsigned model_terms;    ///< bits of mbd_term_t: what the workspace counts in
  mbd_vec3_t gravity;      ///< in world axes, unless a message says otherwise

  double * kp;            ///< [1/s^2] computed torque
  double * kd;            ///< [1/s]
  double * ki;            ///< [1/s^3]
  double integral_limit;  ///< of |Ki int e| [rad/s^2]; 0: no integral
  double * damping;       ///< gravity compensation [N m s/rad]
  double * damping_rate;  ///< quasi-velocity damping [1/s]
  bool bound_gains;       ///< velocity gains, by the sample time; false: only report

  int task_frame;     ///< operational space; -1: none
  bool task_row[6];   ///< controlled: linear x y z, angular x y z, in world axes
  double task_kp[6];  ///< [1/s^2], linear first
  double task_kd[6];  ///< [1/s]
  /// lengths of the errors of position [m] and angle [rad], of controlled rows, to which they are
  /// cut; 0: never
  double task_max_error[2];
  double * posture_kp;  ///< null space [1/s^2]
  double * posture_kd;  ///< [1/s]
  mbd_singular_t singular;
  bool stay_in_component;    ///< hold before the task frame crosses a singularity
  double component_horizon;  ///< so far ahead [s]

  // impedance
  bool joint_by_ratio;           ///< damped by damping_ratio; false: by joint_damping
  bool task_by_ratio;            ///< damped by damping_ratio; false: by task_damping
  double damping_ratio;          ///< also in the null space
  double * joint_stiffness;      ///< [N m/rad, N/m]
  double * joint_damping;        ///< [N m s/rad, N s/m]
  task_axes_t task_axes;         ///< of task_row, task_stiffness and task_damping in this mode
  double task_stiffness[6];      ///< [N/m, N m/rad], linear first
  double task_damping[6];        ///< [N s/m, N m s/rad]
  double task_inertia[6];        ///< [kg, kg m^2]; 0: the robot's own
  double * nullspace_stiffness;  ///< [N m/rad, N/m]

  /// twists, wrenches and streams older than this count as zero and as at rest, a gravity as not sent
  /// [s]; 0: they do not age
  double target_timeout;
  double * max_step;          ///< of a reference from one cycle to the next [rad, m]; 0: any
  double * max_acceleration;  ///< of a reference [rad/s^2, m/s^2]; 0: any
  double stop_jerk;           ///< of controller_stop [rad/s^3, m/s^3]
  // of action goals, where they do not say: positions and velocities may be so far from the reference on
  // the way and at the end, and get there so much later; 0: any
  double *path_tolerance, *goal_tolerance, *goal_velocity;
  double goal_time;  ///< [s]

  bool observer;
  observer_source_t observer_source;
  unsigned effort_excludes;  ///< bits of controller_excluded_t
  double * effort_scale;     ///< torque per unit of measured efforts; 1 in new settings
  mbd_observer_options_t observer_options;
  int observer_frame;  ///< external wrench is given there; -1: none

  int npayload;
  controller_payload_t payload[CONTROLLER_PAYLOADS];  ///< on one frame the last counts

  int nsupport;
  mbd_support_t support[CONTROLLER_SUPPORTS];
} controller_settings_t;

/// Passive, no gains, no terms, no frames, the model's gravity, the observer off with its default
/// options; mail.destroy is set. NULL if out of memory.
controller_settings_t * controller_settings_create(const mbd_model_t * model);

/// Requests from messages, in the order they came; the control thread fills this in. Pose, twist and
/// wrench are forgotten when holding starts anew; what is known about the world is not
/// (controller_forget_world).
typedef struct controller_targets {
  bool pose_known, twist_known, wrench_known, gravity_known;
  mbd_placement_t pose;  ///< of the task frame in the world
  mbd_motion_t twist;    ///< at its origin, world axes
  int64_t twist_time;    ///< steady clock [ns]
  mbd_force_t wrench;    ///< that the frame is to exert, at its origin, world axes
  int64_t wrench_time;
  mbd_vec3_t gravity;
  int64_t gravity_time;  ///< steady clock [ns]
  int nexternal;         ///< wrenches that the environment exerts, for the external term
  mbd_wrench_t external[8];
  int64_t external_time[8];
} controller_targets_t;

/// Reference that was streamed (a controller's state) in place of a trajectory. While it is not
/// known the arrays follow the reference at rest, so that a message may fill in some joints alone
/// before it sets `known`. One that has become too old holds its last position.
typedef struct controller_stream {
  bool known;
  int64_t time;       ///< steady clock [ns]
  double *q, *v, *a;  ///< of the model's sizes
} controller_stream_t;

/// Velocity gains that were more than the robot takes at its sample time.
typedef struct controller_bound {
  uint64_t cycles;         ///< that had one
  const char * parameter;  ///< of the worst one of the last such cycle; NULL: none yet
  int index;               ///< degree of freedom, or row of the task, linear first
  double gain, bound;      ///< asked for, and used
} controller_bound_t;

/// What the robot stands on, in the last step.
typedef struct controller_support {
  int n;
  mbd_support_t support[CONTROLLER_SUPPORTS];  ///< with their forces
  mbd_support_info_t info;
  uint64_t limited;  ///< cycles whose wrench the forces could not give
  double missing;    ///< force that was missing in the last of them [N]
} controller_support_t;
/// Side of the singularities of the task frame, with stay_in_component.
typedef struct controller_component {
  int side;            ///< of singularity_side; 0: not known
  bool held;           ///< the command is not that of the mode
  uint64_t holds;      ///< times that it began to be
  uint64_t crossings;  ///< times that the robot got across nonetheless
  uint64_t abandoned;  ///< trajectories that led across
} controller_component_t;

/// A trajectory on its way.
typedef enum follow_phase {
  FOLLOW_NOT,       ///< it is not followed any more, or none has been yet
  FOLLOW_ON,        ///< it has not ended; a gap of states may have interrupted it
  FOLLOW_END,       ///< the reference is its last point
  FOLLOW_STOPPING,  ///< controller_stop takes the reference to rest
} follow_phase_t;

typedef struct controller_progress {
  uint64_t id;  ///< of the last trajectory
  follow_phase_t phase;
  double time;         ///< of the trajectory in the last step [s]
  bool violated;       ///< it was stopped because a joint was too far away; then:
  bool velocity;       ///< from its velocity, not its position
  int joint;           ///< number in the trajectory
  double error;        ///< reference less state
  double violated_at;  ///< time of the trajectory [s]
} controller_progress_t;

typedef struct controller {
  const mbd_model_t * model;
  mbd_data_t * data;  ///< at the measured state after a step: queries may follow
  const controller_settings_t * settings;
  trajectory_t * trajectory;  ///< in use, or NULL
  controller_targets_t targets;
  controller_stream_t stream;
  mbd_observer_t * observer;  ///< zero while it is off or does not know the motors' torques
  double sample_time;         ///< between commands [s], set by the caller; 0: gains have no bound
  bool sample_time_guessed;  ///< it is not measured yet: gains have the bound, but none is reported

  // results of the last step, [nv] each
  double *gravity, *coriolis, *inertia, *friction, *external, *total;
  double * command;  ///< before the gate; zero if not commanding
  double * effort;   ///< measured, scaled and with the terms that drivers leave out; NaN: unknown
  double * acceleration;  ///< that the inertia term is for
  double * q_ref;         ///< [nq]
  double *v_ref, *a_ref;
  bool referenced;  ///< there has been a step: q_ref is a reference
  controller_bound_t bound;
  controller_support_t support;
  controller_component_t component;
  bool commanding;  ///< the mode gives a command
  bool tracking;    ///< a trajectory or stream is being followed and has not ended
  uint64_t
    jumps;  ///< trajectories that were not followed, as the first step would have been too far
  struct controller_private * p;
} controller_t;

/// It has no settings yet. NULL if out of memory.
controller_t * controller_create(const mbd_model_t * model);
/// Neither settings nor trajectory are destroyed: they are the caller's. NULL is fine.
void controller_destroy(controller_t * controller);

/// Gravity torques are those of the robot with flexible links, deflected by weight and payloads; all
/// other terms stay those of rigid links. Before controller_apply, once.
/// \param[in] flexible  with the joints and frames of the controller's model; must outlive it
/// \return MBD_OK, MBD_ERROR_OUT_OF_MEMORY
mbd_status_t controller_set_flexible(controller_t * controller, const mbd_model_t * flexible);

/// Takes settings over (the caller gives the old ones back to the mailbox afterwards). Another gravity
/// ends that of a message. A change of
/// mode is a controller_restart but for the observer, which goes on; a change of the task's frame
/// lets that frame hold where it is; a change of payloads, model_terms or the observer's options
/// starts the observer anew.
void controller_apply(controller_t * controller, const controller_settings_t * settings);
/// Follow this one from now on, in place of the last and of a stream; NULL: hold where the reference
/// is now. The last one (controller->trajectory) is in use until this returns, and then the caller's
/// to give back.
void controller_follow(controller_t * controller, trajectory_t * trajectory);
/// Take the reference from the trajectory to rest, with a jerk of at most stop_jerk in each joint: less
/// abruptly than controller_hold. A joint that would get beyond a limit of its position stops before it
/// nonetheless. Also done where a joint leaves trajectory->path_position or path_velocity.
void controller_stop(controller_t * controller);
controller_progress_t controller_progress(const controller_t * controller);
/// Follow neither the trajectory nor the stream any more: hold where the reference is now.
void controller_hold(controller_t * controller);
/// Hold here from the next step on: after activation, a pause or a jump of the clock. The trajectory
/// is followed no further, the integral is zero, the observer starts anew.
void controller_restart(controller_t * controller);

/// The same, but a trajectory goes on in its time with the next step: unless it is then further than
/// max_step from where the joints are.
void controller_pause(controller_t * controller);
/// Whether the reference of the last step was the trajectory (which had ended if not `tracking`), and
/// no restart has come since.
/// \param[out] at  its time in that step, or when it was found too far away [s]
bool controller_following(const controller_t * controller, double * at);

/// One cycle.
/// \param[in] input    the state, whole and fresh
/// \param[in] now      of the node's clock [ns], for the trajectory
/// \param[in] arrival  of the steady clock [ns], for timeouts
/// \param[in] dt       since the last step [s]; 0: first
/// \param[in] sent     command that was sent after the last step [nv], for the observer, which takes
///   it as held since then (zero on a free base, whatever it says), with gravity added where
///   command_terms leaves that to the robot; or NULL: none
/// \return MBD_OK, or what the core said (also about settings: a frame, payload or option that is
///   none); results are then not to be used
mbd_status_t controller_step(
  controller_t * controller, const joint_input_t * input, int64_t now, int64_t arrival, double dt,
  const double * sent);

/// Torques that hold the robot at the state of the last step: gravity, and what carries it where it has
/// supports.
/// \param[out] tau  [nv]
mbd_status_t controller_hold_torques(controller_t * controller, double * tau);

/// Whether a message says what gravity is: one that has come and is not older than target_timeout.
/// \param[in] arrival  of the steady clock [ns]
bool controller_gravity_known(const controller_t * controller, int64_t arrival);
/// After deactivation: what messages said about the world, gravity and wrenches, counts no more.
void controller_forget_world(controller_t * controller);

/// "passive", "gravity_compensation", ...; "unknown" for a number that is none.
const char * controller_mode_name(controller_mode_t mode);
/// -1 if there is none.
int controller_mode_find(const char * name);
/// What the command of a mode has where nobody chose: all terms; friction only at the velocity of a reference, as at
/// the measured one it would be positive feedback.
unsigned controller_mode_terms(controller_mode_t mode);
bool controller_mode_needs(controller_mode_t mode, controller_needs_t what);

#endif  // MBDYN_ROS__CONTROLLER_H_
