/// \file node_parameters.h
/// Parameters of the node and of mbdyn/control.h, and what the control thread makes of them.
///
///   NODE_PARAMETERS          the table, indexed by node_parameter_t
///   loop_settings_build      from values to what the control thread uses, or why not
///   safety_limits_kept       may these settings replace those while the robot moves?
#ifndef MBDYN_NODE__NODE_PARAMETERS_H_
#define MBDYN_NODE__NODE_PARAMETERS_H_

#include "controller.h"
#include "gate.h"
#include "joint_input.h"
#include "mbdyn/ros2_control.h"
#include "parameters.h"

/// P_ROBOT_DESCRIPTION, ...: node_parameters.inc has the table.
typedef enum node_parameter {
#define PARAMETER(id, ...) id,
#include "node_parameters.inc"
  NODE_PARAMETER_COUNT
} node_parameter_t;

extern const param_spec_t NODE_PARAMETERS[NODE_PARAMETER_COUNT];
/// Topics, threads, lifecycle: parameters that mbdyn/control.h does not have.
bool node_parameter_only(node_parameter_t index);

/// Outputs that the control thread publishes every n-th cycle.
typedef enum node_output {
  OUTPUT_COMMAND,
  OUTPUT_TORQUES,
  OUTPUT_TERMS,
  OUTPUT_JOINT_TORQUES,
  OUTPUT_JOINT_DYNAMICS,
  OUTPUT_MASS_MATRIX,
  OUTPUT_JACOBIAN,
  OUTPUT_OPERATIONAL_SPACE_INERTIA,
  OUTPUT_DYNAMICS,
  OUTPUT_EXTERNAL_TORQUE,
  OUTPUT_EXTERNAL_WRENCH,
  OUTPUT_SINGULARITY,
  OUTPUT_COUNT
} node_output_t;

/// What of a robot the parameters speak about, found once at configure.
typedef struct node_robot {
  const mbd_model_t * model;
  int ncommand;
  int * command_dof;  ///< degree of freedom of each command joint
  bool * commanded;   ///< [nv]
  bool by_control;    ///< command joints are those of <ros2_control>
  int nframe;
  int * frame;  ///< whose Jacobians and inertia are published
  mbd_reference_t reference;
  char * world_frame;
  const char * root_link;
  char ** dof_name;  ///< [nv] "joint", or "joint.vx" where it has several degrees
} node_robot_t;

/// Frames, command joints and names as the parameters say.
/// \param[in]  control  joints of <ros2_control>: those with an effort command interface are the default of
///   command_joints, in their order; or NULL
/// \param[out] reason   which name is not there
bool node_robot_init(
  node_robot_t * robot, const mbd_model_t * model, const mbdx_ros2_control_t * control,
  const param_values_t * values, char * reason, size_t size);
void node_robot_fini(node_robot_t * robot);
/// The outermost link of the last branch: what is meant where no frame is named.
int node_robot_tip(const mbd_model_t * model);

/// A load as parameters and services give it.
typedef struct node_load {
  int frame;
  double mass;
  double com[3];
  double inertia[6];  ///< ixx ixy ixz iyy iyz izz about com
} node_load_t;

/// Loads that services have attached, but for the last: that is in the parameters, and comes on top.
typedef struct node_payloads {
  int n;
  node_load_t load[CONTROLLER_PAYLOADS];
} node_payloads_t;

/// \return false if the parameters have no load
bool node_load_of_parameters(
  const param_values_t * values, const mbd_model_t * model, node_load_t * load);

/// All that the control thread is told, in one object.
typedef struct loop_settings {
  mail_t mail;
  controller_settings_t * controller;
  gate_settings_t gate;
  gate_action_t on_deactivate, on_shutdown;
  bool resume;     ///< trajectories go on after a gap of joint states
  bool markers;    ///< the external force is wanted for them
  double * limit;  ///< effort [nv]
  double * slew;   ///< [nv]
  int64_t divider[OUTPUT_COUNT];
  joint_input_options_t input;
  double min_interval;  ///< between two cycles [s]
} loop_settings_t;

/// \param[out] reason  the parameter and what is wrong with it
/// \return NULL on any error
loop_settings_t * loop_settings_build(
  const node_robot_t * robot, const param_values_t * values, const node_payloads_t * payloads,
  char * reason, size_t size);

/// While the node is active nothing that bounds commands, references or inputs gets looser.
/// \param[out] reason  the parameter that would
bool safety_limits_kept(
  const node_robot_t * robot, const loop_settings_t * now, const loop_settings_t * next,
  char * reason, size_t size);

#endif  // MBDYN_NODE__NODE_PARAMETERS_H_
