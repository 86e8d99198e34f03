/// \file controller_private.h
/// What the files of the controller share: its memory between two steps, and one step's parts in
/// the order in which controller_step calls them.
///
///   controller_begin        where holding starts                        controller_reference.c
///   controller_update_reference    q_ref, v_ref, a_ref of this step            controller_reference.c
///   controller_stop_sample  the same while a trajectory is stopped      controller_stop.c
///   controller_feedback     acceleration that the errors ask for        controller_reference.c
///   controller_law          terms and command of the mode               controller_modes.c
///   controller_passive, ... one function per mode                       mode_*.c
///   controller_*_terms      all terms but inertia; all of them          controller_terms.c
///   controller_support_*    what carries a floating base                controller_support.c
///   controller_observe      external torques                            controller_observer.c
///   controller_bound_*      velocity gains that the sampled robot takes controller_bound.c
///   controller_keep_component  holds before a singularity               controller_component.c
///   controller_impedance    springs that it takes                       controller_impedance.c
///   controller_task_*       target, wrench of the task frame            controller_task.c
#ifndef MBDYN_ROS__CONTROLLER_PRIVATE_H_
#define MBDYN_ROS__CONTROLLER_PRIVATE_H_

#include "controller.h"
#include "impedance.h"
#include "inertia_shaping.h"

// hand an error of the core on
#define CHECK(call)                        \
  do {                                     \
    const mbd_status_t status_ = (call);   \
    if (status_ != MBD_OK) return status_; \
  } while (0)

/// Settings whose change means more than other numbers, as they were applied last.
typedef struct controller_applied {
  controller_mode_t mode;
  unsigned model_terms;
  int task_frame;
  int npayload;
  controller_payload_t payload[CONTROLLER_PAYLOADS];
} controller_applied_t;

/// A spring that is diagonal in some coordinates.
typedef struct controller_spring {
  int n;
  const double * k;        ///< stiffness [n]
  const char * parameter;  ///< of k, for the report
  const int * row;         ///< index of each coordinate there; NULL: the same
  bool by_ratio;           ///< damped by damping_ratio
} controller_spring_t;

/// Modes of such a spring, and what they are of.
typedef struct controller_impedance {
  impedance_t modes;
  const controller_settings_t * settings;
  double *q, *work;  ///< [nq], impedance_work
} controller_impedance_t;

struct controller_private {
  controller_applied_t applied;
  mbd_status_t settings_status;  ///< what the core said about the settings
  mbd_data_t * at_reference;     ///< workspace of inverse dynamics at the reference

  // of controller_set_flexible; NULL: the links are rigid
  const mbd_model_t * flexible;
  mbd_data_t * flexible_data;
  double * flexible_q;    ///< joints, then modes of the last step [flexible->nq]
  double * flexible_tau;  ///< [flexible->nv]

  bool begin;                           ///< the next step says where the joints hold
  bool begin_task;                      ///< the next step says where the task frame holds
  bool following;                       ///< controller->trajectory counts
  bool sampled;                         ///< it was the reference of the last step
  double sampled_at;                    ///< its time then [s]
  int64_t stepped_at;                   ///< node's clock in the last step [ns]
  bool stopping;                        ///< the reference is that of controller_stop.c
  int64_t stop_begin;                   ///< [ns]
  double * stop_q;                      ///< where the reference was then [nq]
  double *stop_v, *stop_a, *stop_time;  ///< [nv]
  controller_progress_t progress;       ///< violation of the last trajectory
  double * hold;                        ///< reference of the last step, where the joints hold [nq]
  double * integral;                    ///< Ki int e [nv]
  double * error;                       ///< e of this step [nv]

  controller_impedance_t joint_impedance, task_impedance;
  inertia_shaping_t shaping;
  mbd_vec3_t turn;  ///< rotation vector of the task frame's error in the last step

  mbd_placement_t task_hold;  ///< where the task frame was to be in the last step
  bool task_cut;              ///< its error was too large in the last step
  double * task_work;         ///< of mbd_task_work for six rows
  double * torque;            ///< scratch [nv]
  double * drive_friction;    ///< in the command: at a velocity of the mode's own [nv]
  const double * friction;    ///< that, or controller->friction
  /// stiffness of the springs in it, where they were computed, and with what sample time; 0: never
  double *friction_spring, *friction_q, friction_time;
  const controller_settings_t * friction_settings;
  double * added;         ///< what the command of the mode has beside the terms [nv]
  double * gain;          ///< velocity gains as they are used [nv]
  double * inverse;       ///< of the mass matrix [nv][nv], or a Jacobian of up to six rows
  uint64_t bounded;       ///< bound.cycles before this step
  mbd_data_t * at;        ///< workspace whose state the terms of this step are of
  double * stance;        ///< acceleration that the command is for [nv]
  double * support_work;  ///< of mbd_support_torques for CONTROLLER_SUPPORTS
  double * all;           ///< scratch: velocities, then torques of all joints, loops included

  // of controller_component.c
  mbd_data_t * foreseen;            ///< workspace
  double * ahead;                   ///< a configuration in it [nq]
  double * component_q;             ///< where the robot is held [nq]
  double * step_ahead;              ///< scratch [nv]
  double *hold_kp, *hold_kd;        ///< [nv]
  double *null_space, *null_ahead;  ///< of the task, at the state and ahead [nv][nv]
  double * side_work;

  void * observer_memory;
  size_t observer_size;
  double * held;  ///< torques of the last step, without gravity that the robot adds itself [nv]
};

/// One step's arguments.
typedef struct controller_cycle {
  const joint_input_t * input;
  int64_t now, arrival;
  double dt;
  const double * sent;
} controller_cycle_t;

/// True unless a target of this time is older than target_timeout.
bool controller_fresh(const controller_t * c, int64_t time, const controller_cycle_t * cycle);

mbd_status_t controller_begin(controller_t * c, const controller_cycle_t * cycle);
/// \return MBD_OK, or MBD_ERROR_NOT_ASSEMBLED if the robot's loops cannot be closed there
mbd_status_t controller_update_reference(controller_t * c, const controller_cycle_t * cycle);

/// Writes the joints of the trajectory into q_ref, v_ref and a_ref.
/// \return false once they are at rest
bool controller_stop_sample(controller_t * c, int64_t now);
/// After a step: stops a trajectory that a joint has left.
void controller_watch_path(controller_t * c, const joint_input_t * input);

/// Gains of joints, and the parameter of the velocity's.
typedef struct controller_gains {
  const double *kp, *kd;
  const char * parameter;
} controller_gains_t;

/// a = a_ref + Kp e + Kd de, slowed down where it has to be. Writes p->error.
/// \param[out] a  [nv]
mbd_status_t controller_feedback(
  controller_t * c, const joint_input_t * input, controller_gains_t gains, double * a);

/// Wrenches of the environment that are not too old, at most as many as controller_targets_t has.
/// \return how many
int controller_live_wrenches(
  const controller_t * c, const controller_cycle_t * cycle, mbd_wrench_t * out);

/// gravity, coriolis, friction and external of the state in this workspace.
mbd_status_t controller_bias_terms(
  controller_t * c, mbd_data_t * data, const controller_cycle_t * cycle);

/// The same, and the inertia of c->acceleration.
mbd_status_t controller_motion_terms(
  controller_t * c, mbd_data_t * data, const controller_cycle_t * cycle);
/// The same of the measured state and the estimated acceleration.
mbd_status_t controller_measured_motion(controller_t * c, const controller_cycle_t * cycle);

/// Acceleration of the base that the joints' gives it, with the supports at rest.
/// \param[in]     data  at the state
/// \param[in,out] a     that of the base is replaced; it counts where the supports leave a choice [nv]
mbd_status_t controller_support_base(controller_t * c, mbd_data_t * data, double * a);
/// Base of the reference: where it is, with the velocity and acceleration that v_ref and a_ref give it.
mbd_status_t controller_support_reference(controller_t * c, const controller_cycle_t * cycle);
/// The command less what the contact forces do, with nothing on the base.
/// \param[in] wanted  generalized forces of the motion, with those of the base [nv]
/// \param[in] a       the acceleration that they are for
mbd_status_t controller_support_command(controller_t * c, const double * wanted, const double * a);

mbd_status_t controller_law(controller_t * c, const controller_cycle_t * cycle);

// one function per mode: all terms, acceleration, and p->added where that is not zero
#define MODE(id, name, function, ...) \
  mbd_status_t function(controller_t * c, const controller_cycle_t * cycle);
#include "controller_modes.inc"

/// Friction of all joints, as the independent ones feel it.
/// \param[in]  v    [nv], or NULL: that of the workspace
/// \param[out] tau  [nv]
mbd_status_t controller_friction(
  controller_t * c, mbd_data_t * data, const double * v, double * tau);

/// The command has friction at the velocity of the reference in place of the measured one.
/// \param[in] rate  [1/s]: and dry friction towards the reference, in the direction of v_ref + rate e; or NULL [nv]
mbd_status_t controller_reference_friction(controller_t * c, const double * rate);

/// controller->effort
mbd_status_t controller_measured_efforts(controller_t * c, const controller_cycle_t * cycle);

mbd_status_t controller_observe(controller_t * c, const controller_cycle_t * cycle);

/// Largest rate of velocities that can be taken at the sample time, which is positive [1/s].
double controller_bound_most(const controller_t * c);
/// A rate of velocities [1/s], or as much of it as can be taken.
/// \param[in] parameter, index  for the report
double controller_bound_rate(controller_t * c, const char * parameter, int index, double rate);
/// By how much feedback has to be slowed down for its kd: kp s^2, kd s and ki s^3 have the damping
/// ratio that kp, kd and ki have.
/// \return s, at most 1
double controller_bound_slowdown(controller_t * c, const char * parameter, int index, double kd);
/// Diagonal damping of joints, or as much of it as can be taken. The damping of a model with links that
/// have no mass is not bounded.
/// \param[in]  asked  [nv]
/// \param[out] d      [nv]
mbd_status_t controller_bound_damping(
  controller_t * c, const char * parameter, const double * asked, double * d);
/// The same of n coordinates with this inverse inertia.
/// \param[in] row  index of each in the parameter; NULL: the same
void controller_bound_diagonal(
  controller_t * c, const char * parameter, int n, const int * row, const double * asked,
  const double * inverse, double * d);
/// For the report: a gain that is, or would have to be, bounded.
void controller_bound_note(
  controller_t * c, const char * parameter, int index, double gain, double bound);

/// Modes of a spring at the state of the workspace, with what the sampled robot can take of it.
/// \param[in] inverse  of the inertia of its coordinates [n][n]
void controller_impedance(
  controller_t * c, controller_impedance_t * z, const controller_spring_t * spring,
  const double * inverse);

/// Where the task frame is to be, and its velocity there.
mbd_placement_t controller_task_target(
  const controller_t * c, const controller_cycle_t * cycle, mbd_motion_t * twist);
/// Cuts an error of the task frame, linear first, to task_max_error.
void controller_task_cut(controller_t * c, double * e);
/// J^T of the wanted wrench, added to nothing: tau is written if there is one.
mbd_status_t controller_task_wrench(
  controller_t * c, const controller_cycle_t * cycle, double * tau);
void controller_observer_restart(controller_t * c);

/// Total and command from the terms and p->added; of a robot that stands, with what carries it.
/// \param[in] chosen  bits of controller_term_t that are sent
/// \param[in] terms   that the law has
mbd_status_t controller_sum_terms(controller_t * c, unsigned chosen, unsigned terms);

/// After the law: if settings->stay_in_component and the command leads across a singularity, that which
/// holds the robot in its place.
mbd_status_t controller_keep_component(controller_t * c, const controller_cycle_t * cycle);

#endif  // MBDYN_ROS__CONTROLLER_PRIVATE_H_
