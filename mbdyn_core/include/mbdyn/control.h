/// \file control.h
/// Control of a robot in real time: measured state in, efforts out, by index. What the ROS node does in a cycle
/// (control modes, torque terms, momentum observer, safety gate; docs/node.md, docs/safety.md) as a library without ROS.
///
///   mbdc_parameter_at         the table of parameters: those of the node
///   mbdc_settings_create      values of all parameters, defaults at first
///   mbdc_settings_copy, mbdc_settings_destroy
///   mbdc_set                  set one parameter, from text
///   mbdc_set_numbers, mbdc_set_strings
///
///   mbdc_create               controller of a model
///   mbdc_create_from_urdf     controller of a robot description
///   mbdc_destroy
///   mbdc_model, mbdc_warning  its model, and what the loader warned about
///   mbdc_joint_count, mbdc_joint_name, mbdc_joint_find   joints, in the order of all arrays
///   mbdc_command_count, mbdc_command_joint               those that get efforts
///
///   mbdc_activate             start
///   mbdc_update               one cycle: state and references -> efforts
///   mbdc_deactivate           stop
///   mbdc_get_status           counters and flags
///   mbdc_read                 torque terms, reference, observer, ... of the last cycle
///   mbdc_external_wrench      estimated wrench at observer_frame
///   mbdc_observer_frame       that frame
///   mbdc_data                 workspace at the measured state, for queries
///
///   mbdc_configure            new settings, between two cycles
///   mbdc_follow, mbdc_hold    follow a trajectory; hold the present reference
///   mbdc_set_target           desired pose, twist or wrench; gravity, external wrench
///   mbdc_copy_status          status, for other threads
///
/// Library mbdyn_control (CMake mbdyn::mbdyn_control, pkg-config mbdyn_control). An example is in docs/control.md.
///
/// **Threads.** mbdc_activate, mbdc_update, mbdc_deactivate, mbdc_get_status, mbdc_read, mbdc_external_wrench and mbdc_data
/// belong to the control thread: one at a time, no heap, no lock, no output, no system call. mbdc_configure, mbdc_follow,
/// mbdc_hold, mbdc_set_target and mbdc_copy_status may be called by any other threads at any time; they hand over without
/// locks on the control thread's side, and take effect with the next mbdc_update. There is no state outside of
/// controllers: several may run in one process.
///
/// **Joints.** Arrays have one number for each degree of freedom that joint states may have, in the order of the model:
/// dependent joints of loops and gears and mimic joints included, a floating base not. Joints of several degrees of
/// freedom have names as in ROS messages ("joint.vx"). Units: rad, m, rad/s, m/s, N m, N.
///
/// **NaN** is "not available": a joint without a velocity sensor (velocities are then differentiated, velocity_cutoff; one
/// that was there and is gone is an error), an effort that is not measured, a reference that is not set. Positions must be there, except of mimic joints, dependent
/// joints and `optional_joints`. A state that is not finite, not whole or implausible is refused: nothing new is
/// commanded, and after `timeout` the efforts are those of `on_stale`.
#ifndef MBDYN__CONTROL_H_
#define MBDYN__CONTROL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mbdyn/data.h"
#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- parameters ----------

/// Types of parameters; numbers of rcl_interfaces/msg/ParameterType.
typedef enum mbdc_type {
  MBDC_BOOL = 1,
  MBDC_INTEGER = 2,
  MBDC_DOUBLE = 3,
  MBDC_STRING = 4,
  MBDC_DOUBLE_ARRAY = 8,
  MBDC_STRING_ARRAY = 9
} mbdc_type_t;

/// One line of the table (docs/reference.md has all of it).
typedef struct mbdc_parameter {
  const char * name;
  mbdc_type_t type;
  const char * initial;      ///< default, as text
  const char * description;  ///< with the unit
  double min, max;           ///< of a number or of each element; both 0: any finite number
  const char * choices;      ///< of a string or of each element, "zero|hold|gravity"; NULL: any
  bool read_only;            ///< mbdc_configure refuses changes: create another controller
} mbdc_parameter_t;

/// The k-th parameter that a controller has. Parameters of the node alone (topics, threads, lifecycle) are left out.
/// \return false if there are no more than k
///
/// Complexity O(parameters) | Allocates no | Thread-safe yes
MBD_PUBLIC
bool mbdc_parameter_at(size_t k, mbdc_parameter_t * parameter);

/// Values of all parameters.
typedef struct mbdc_settings mbdc_settings_t;

/// Settings with default values. Out of memory: NULL. Free them with mbdc_settings_destroy.
MBD_PUBLIC
mbdc_settings_t * mbdc_settings_create(void);

/// A copy. Out of memory: NULL.
MBD_PUBLIC
mbdc_settings_t * mbdc_settings_copy(const mbdc_settings_t * settings);

/// Free settings; NULL is allowed.
MBD_PUBLIC
void mbdc_settings_destroy(mbdc_settings_t * settings);

/// Set a parameter from text as in a YAML file: "joint_impedance", "0.1", "true", "[100.0, 50.0]". Strings in
/// an array have no commas; mbdc_set_strings takes any. What depends on the robot (the number of joints, names of frames)
/// is checked by mbdc_create and mbdc_configure.
/// \param[out] reason  what is wrong, in one sentence with the name; may be NULL
/// \param[in] size     of reason
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FOUND (the name), MBD_ERROR_BAD_ARGUMENT (the value). On error,
///   nothing changes.
///
/// Allocates yes | Thread-safe per settings
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_set(
  mbdc_settings_t * settings, const char * name, const char * text, char * reason, size_t size);

/// Set a parameter of type MBDC_DOUBLE_ARRAY; otherwise as mbdc_set.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_set_numbers(
  mbdc_settings_t * settings, const char * name, const double * values, size_t n, char * reason,
  size_t size);

/// Set a parameter of type MBDC_STRING_ARRAY, or with n = 1 MBDC_STRING; otherwise as mbdc_set.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_set_strings(
  mbdc_settings_t * settings, const char * name, const char * const * values, size_t n,
  char * reason, size_t size);

//---------- a controller ----------

/// A controller of one robot.
typedef struct mbdc_controller mbdc_controller_t;

/// Create a controller of a model. Parameters that say how a description is read (`base`, `locked_joints`, `loops`,
/// `loops_file`, `mechanism_file`, `flexible_file`, `strict`) do not count here. It is inactive, and every later
/// call that belongs to the control thread allocates nothing.
/// \param[in] model     finalized; embedded if it has loops. Must outlive the controller
/// \param[in] settings  or NULL: defaults. Copied
/// \param[out] reason   what is wrong, with the parameter; may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED (closures that are not
///   embedded), MBD_ERROR_BAD_ARGUMENT (a setting), MBD_ERROR_OUT_OF_MEMORY. On error, *controller is NULL.
///
/// Allocates yes | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_create(
  const mbd_model_t * model, const mbdc_settings_t * settings, mbdc_controller_t ** controller,
  char * reason, size_t size);

/// Create a controller of a robot description, read as the node reads it: with the parameters that mbdc_create leaves
/// out.
/// \param[in] text      URDF
/// \param[in] length    of it [bytes]
/// \param[in] source    its name in messages; NULL: "robot_description"
/// \return as mbdc_create, and the errors of mbdx_urdf_load_string
///
/// Allocates yes | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_create_from_urdf(
  const char * text, size_t length, const char * source, const mbdc_settings_t * settings,
  mbdc_controller_t ** controller, char * reason, size_t size);

/// Free a controller; NULL is allowed. No thread may use it any more.
MBD_PUBLIC
void mbdc_destroy(mbdc_controller_t * controller);

/// The model: the caller's, or of the description.
MBD_PUBLIC
const mbd_model_t * mbdc_model(const mbdc_controller_t * controller);

/// The k-th warning about the description; NULL if there are no more.
MBD_PUBLIC
const char * mbdc_warning(const mbdc_controller_t * controller, size_t k);

/// Length of all arrays of joints.
MBD_PUBLIC
int mbdc_joint_count(const mbdc_controller_t * controller);

/// Name of a joint, "joint" or "joint.vx"; NULL if there is none.
MBD_PUBLIC
const char * mbdc_joint_name(const mbdc_controller_t * controller, int joint);

/// Index of a joint, or -1.
MBD_PUBLIC
int mbdc_joint_find(const mbdc_controller_t * controller, const char * name);

/// Number of joints that get efforts: those of `command_joints`.
MBD_PUBLIC
int mbdc_command_count(const mbdc_controller_t * controller);

/// The k-th joint that gets an effort, in the order of `command_joints`; -1 if there is none.
MBD_PUBLIC
int mbdc_command_joint(const mbdc_controller_t * controller, int k);

/// True if the robot has a floating base (mbdc_input_t needs its pose and twist).
MBD_PUBLIC
bool mbdc_floating(const mbdc_controller_t * controller);

//---------- control thread ----------

/// What a cycle starts from. All arrays of joints have mbdc_joint_count numbers; NaN: not available, see above.
///
/// **References** of position make a stream that replaces a trajectory: within the limits of `max_reference_step`,
/// `max_reference_acceleration` and the URDF, or all of them are refused in this cycle. A joint without a position keeps
/// its reference, at rest; one with a velocity alone moves on from it. No velocity or acceleration: zero. References
/// of effort are added to the command, in every mode but passive, so that gravity_compensation gives "effort in, effort
/// and compensation out". One that is no longer there counts for another `target_timeout`, then as zero.
typedef struct mbdc_input {
  int64_t
    time;  ///< of the caller's clock [ns]; it is that of trajectories. A step back restarts holding
  int64_t period;  ///< since the previous call [ns]

  const double * position;
  const double * velocity;    ///< or NULL
  const double * effort;      ///< measured; or NULL
  const double * base_pose;   ///< of a floating base: x y z, quaternion x y z w; or NULL
  const double * base_twist;  ///< linear, angular, in axes of the base; or NULL

  const double * position_reference;      ///< or NULL
  const double * velocity_reference;      ///< or NULL
  const double * acceleration_reference;  ///< or NULL
  const double * effort_reference;        ///< or NULL
} mbdc_input_t;

/// What an update did.
typedef enum mbdc_result {
  MBDC_INACTIVE,   ///< not active: nothing
  MBDC_COMMANDED,  ///< new efforts
  MBDC_PASSIVE,    ///< mode passive: results, but no command
  MBDC_WAITING,  ///< fewer than `good_inputs` good states since activation or a dropout: no command yet
  MBDC_REFUSED,  ///< the state, or what came of it, is not good: nothing new
  MBDC_STOPPED   ///< that has lasted for longer than `timeout`: efforts are those of `on_stale`
} mbdc_result_t;

/// Start: hold from the next update on. Counts good states anew; slew_limit starts from zero effort.
///
/// Allocates no | Real-time safe yes
MBD_PUBLIC
void mbdc_activate(mbdc_controller_t * controller);

/// One cycle: state and references -> efforts.
/// \param[out] effort  of each joint, always finite and within its limits: what it is to have from now on, whatever the
///   result is (the previous efforts where nothing is new, zero before the first command, zero for joints that are
///   not commanded)
///
/// Complexity O(N) to O(N^3), by mode | Allocates no | Real-time safe yes
MBD_PUBLIC
mbdc_result_t mbdc_update(
  mbdc_controller_t * controller, const mbdc_input_t * input, double * effort);

/// Stop: the last efforts, as `on_deactivate` says (zero, gravity torques of the last state, or the previous ones). What
/// messages said about gravity and wrenches is forgotten.
/// \param[out] effort  as in mbdc_update
///
/// Complexity O(N) | Allocates no | Real-time safe yes
MBD_PUBLIC
void mbdc_deactivate(mbdc_controller_t * controller, double * effort);

/// Counters grow from mbdc_create on, but for `cycles`.
typedef struct mbdc_status {
  bool active;
  mbdc_result_t result;         ///< of the last update
  bool tracking;                ///< following a trajectory or references
  bool saturated;               ///< a joint wanted more than its effort limit in the last cycle
  bool velocities_given;        ///< none of them had to be differentiated
  bool efforts_known;           ///< all measured
  bool held;                    ///< by stay_in_component: the command is not that of the mode
  int contacts;                 ///< joints whose external torque is above observer_threshold
  uint64_t cycles;              ///< with a result, since activation
  uint64_t commands;            ///< updates with new efforts
  uint64_t refused_states;      ///< not finite, implausible
  uint64_t refused_references;  ///< beyond the limits, or infinite
  uint64_t refused_targets;
  uint64_t not_finite;      ///< commands that were refused
  uint64_t compute_errors;  ///< updates that failed: error says why
  mbd_status_t error;       ///< of the last of these
  uint64_t saturations;     ///< cycles with a saturated joint
  uint64_t slews;           ///< cycles that slew_limit slowed down
  uint64_t stops;           ///< times that on_stale applied
  uint64_t abandoned;       ///< trajectories that were not followed to their end
  uint64_t gains_bounded;   ///< cycles with a velocity gain above what the robot takes at this rate
  double sample_time;       ///< between updates [s]; 0: not known yet
  char missing[128];        ///< a joint whose state is missing or stale; empty: none
} mbdc_status_t;

/// Status after the last update. Stable until the next call of the control thread.
///
/// Allocates no | Real-time safe yes
MBD_PUBLIC
const mbdc_status_t * mbdc_get_status(const mbdc_controller_t * controller);

/// What mbdc_read gives: one number for each joint, of the last cycle.
typedef enum mbdc_value {
  MBDC_GRAVITY,   ///< g(q)
  MBDC_CORIOLIS,  ///< C(q, v) v
  MBDC_INERTIA,   ///< M(q) a
  MBDC_FRICTION,  ///< of the drives
  MBDC_EXTERNAL,  ///< - sum J^T f of the external wrenches that are known
  MBDC_TOTAL,     ///< sum of these
  MBDC_WANTED,    ///< command before the gate
  MBDC_EFFORT,    ///< command after the gate
  MBDC_MEASURED,  ///< measured effort, with effort_scale and effort_excludes; NaN: not known
  MBDC_OBSERVED,  ///< external torque that the observer estimates
  MBDC_POSITION,  ///< measured
  MBDC_VELOCITY,  ///< measured or differentiated
  MBDC_POSITION_REFERENCE,
  MBDC_VELOCITY_REFERENCE,
  MBDC_ACCELERATION_REFERENCE,
  MBDC_EFFORT_LIMIT,  ///< infinite: none
  MBDC_SATURATED,     ///< 1: more was wanted than the limit
  MBDC_ACCELERATION,  ///< a of MBDC_INERTIA: commanded or estimated
  MBDC_VALUES
} mbdc_value_t;

/// Values of the last cycle. Dependent joints have zero torques.
/// \param[out] value  mbdc_joint_count numbers
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(N) | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_read(const mbdc_controller_t * controller, mbdc_value_t which, double * value);

/// Wrench at observer_frame, in its axes, that corresponds to the observed torques.
/// \param[out] wrench  force, moment [6]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE (no cycle yet, or no observer_frame), and as
///   mbd_observer_wrench
///
/// Complexity O(N) | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_external_wrench(mbdc_controller_t * controller, double * wrench);

/// Frame of mbdc_external_wrench, that of `observer_frame`: an index into the model's frames, or -1.
MBD_PUBLIC
int mbdc_observer_frame(const mbdc_controller_t * controller);

/// Workspace at the state of the last cycle, for queries such as mbd_jacobian: set no state in it.
MBD_PUBLIC
mbd_data_t * mbdc_data(mbdc_controller_t * controller);

//---------- other threads ----------

/// Use other settings from the next update on: checked and built here, taken over between two cycles. While the controller
/// is active, safety limits can only be tightened (docs/safety.md), as in the node.
/// \param[out] reason  the parameter and what is wrong with it; may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a setting, or one that is read-only),
///   MBD_ERROR_OUT_OF_MEMORY. On error, nothing changes.
///
/// Allocates yes | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_configure(
  mbdc_controller_t * controller, const mbdc_settings_t * settings, char * reason, size_t size);

/// A point of a trajectory; arrays have one number for each of its joints.
typedef struct mbdc_point {
  double time;  ///< from the start [s], growing from point to point
  const double * position;
  const double * velocity;      ///< or NULL
  const double * acceleration;  ///< or NULL; needs velocity
} mbdc_point_t;

/// Follow a trajectory in place of references and the previous one: quintic, cubic or straight between points, as
/// their numbers allow; checked against the limits of joints and parameters. Joints that it does not name hold. A point
/// at time zero is added from the present reference if there is none.
/// \param[in] name   of its joints [njoint]
/// \param[in] start  of the clock of mbdc_input_t [ns]; 0: when it is first used
/// \param[out] reason  which joint and point, and why; may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_STAGE (no state yet),
///   MBD_ERROR_OUT_OF_MEMORY. On error, the previous one goes on.
///
/// Allocates yes | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_follow(
  mbdc_controller_t * controller, int njoint, const char * const * name, int npoint,
  const mbdc_point_t * point, int64_t start, char * reason, size_t size);

/// Stop following a trajectory: hold the present reference.
///
/// Allocates no | Thread-safe yes
MBD_PUBLIC
void mbdc_hold(mbdc_controller_t * controller);

/// What mbdc_set_target sets.
typedef enum mbdc_target {
  /// pose of operational_frame: x y z, quaternion x y z w, in the frame (an index from mbd_find_frame; -1: the world)
  MBDC_TARGET_POSE,
  MBDC_TARGET_TWIST,  ///< its twist: linear, angular, in axes of the frame [6]
  MBDC_TARGET_WRENCH,  ///< that it is to exert on the environment: force, moment, in axes of the frame [6]
  MBDC_GRAVITY_VECTOR,   ///< gravity in axes of the frame [3], at most 100 m/s^2
  MBDC_EXTERNAL_WRENCH,  ///< of the environment on the frame, in its axes: force, moment [6]
  MBDC_TARGETS
} mbdc_target_t;

/// Set a target, from the next update on. Poses stay; the others count for `target_timeout`. The newest of a kind counts,
/// external wrenches by frame (at most 8 frames).
/// \param[in] frame   see mbdc_target_t; where it is in the next update
/// \param[in] number  as many as mbdc_target_t says
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (frame, kind, beyond 1e6, zero quaternion),
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_LIMIT (external wrenches). On error, nothing changes.
///
/// Allocates no | Thread-safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbdc_set_target(
  mbdc_controller_t * controller, mbdc_target_t kind, int frame, const double * number);

/// Status after the newest update.
/// \param[out] status  zero before the first
///
/// Allocates no | Thread-safe yes
MBD_PUBLIC
void mbdc_copy_status(mbdc_controller_t * controller, mbdc_status_t * status);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__CONTROL_H_
