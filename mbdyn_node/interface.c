// Topics and services of the node as tables: the README has them, and a test compares the two.
#include "node.h"
#include "node_parameters.h"

typedef struct row {
  const char *name, *type, *text;
} row_t;

static const row_t INPUTS[] = {
  {"joint_states", "sensor_msgs/JointState",
   "Joint states: joints in any order, from any number of publishers; joints that are not in the "
   "model are ignored. Best effort."},
  {"robot_description", "std_msgs/String", "URDF of the robot. Transient local."},
  {"odom", "nav_msgs/Odometry", "Pose and twist of a floating base."},
  {"~/joint_trajectory", "trajectory_msgs/JointTrajectory",
   "Reference trajectory for inverse_dynamics and computed_torque; starts at its stamp, or "
   "immediately if the stamp is zero."},
  {"~/controller_state", "control_msgs/JointTrajectoryControllerState",
   "Reference from a joint trajectory controller, if control_msgs is installed. References beyond "
   "the limits are rejected (docs/safety.md)."},
  {"~/target_pose", "geometry_msgs/PoseStamped",
   "Desired pose of the operational frame; frame_id: the world frame, or a frame of the robot."},
  {"~/target_twist", "geometry_msgs/TwistStamped", "Desired twist of the operational frame."},
  {"~/target_wrench", "geometry_msgs/WrenchStamped",
   "Wrench that the operational frame is to exert on the environment."},
  {"~/gravity", "geometry_msgs/Vector3Stamped",
   "Gravity for a tilted or moving base, in the world frame or a frame of the robot, at most "
   "100 m/s^2. Valid for target_timeout, and until deactivation."},
  {"~/wrench", "geometry_msgs/WrenchStamped",
   "External wrench of the environment on the frame frame_id, in its axes; gives the external "
   "term."},
};

static const row_t OUTPUTS[] = {
  {"~/command", "std_msgs/Float64MultiArray",
   "Efforts in the order of command_joints, for forward_command_controller."},
  {"~/torques", "sensor_msgs/JointState",
   "effort: gravity + coriolis + inertia + friction + external."},
  {"~/torques/gravity, ~/torques/coriolis, ~/torques/inertia, ~/torques/friction, "
   "~/torques/external",
   "sensor_msgs/JointState", "effort: the term."},
  {"~/joint_torques", "mbdyn/JointTorques", "All torque terms and the command."},
  {"~/joint_dynamics", "mbdyn/JointDynamicsArray",
   "State, torque terms, command and limits, one entry per joint."},
  {"~/mass_matrix", "mbdyn/MassMatrix", "M(q), its diagonal and its condition number."},
  {"~/jacobian/<frame>", "mbdyn/Jacobian", "Jacobian and Jdot v of each configured frame."},
  {"~/operational_space_inertia", "mbdyn/OperationalSpaceInertia",
   "Operational-space inertia of all configured frames, stacked."},
  {"~/singularity", "mbdyn/Singularity",
   "How near each configured frame is to a singularity: reciprocal condition number, sign of the "
   "determinant, nearest joint; whether stay_in_component holds the robot."},
  {"~/dynamics", "mbdyn/DynamicsSummary",
   "Energies, power, momentum, centre of mass, log det M, effective mass of every link, "
   "computation "
   "times."},
  {"~/external_torque", "sensor_msgs/JointState",
   "effort: external torque estimated by the momentum observer."},
  {"~/external_wrench", "geometry_msgs/WrenchStamped",
   "Wrench at observer_frame, in its axes, that corresponds to the estimated external torques."},
  {"~/markers", "visualization_msgs/MarkerArray",
   "For rviz, if publish.markers is true: centre of mass; external force at observer_frame, 1 "
   "cm/N; "
   "manipulability ellipsoid of each configured frame, semi-axes 0.2 m per m/s."},
  {"~/joint_trajectory_effort", "trajectory_msgs/JointTrajectory",
   "The last trajectory with efforts filled in, if publish.trajectory_effort is true."},
  {"~/transition_event", "lifecycle_msgs/TransitionEvent", "Lifecycle transitions."},
  {"/diagnostics", "diagnostic_msgs/DiagnosticArray",
   "Once a second: rates, message ages, computation times, counters of rejected messages."},
};

static const row_t SERVICES[] = {
  {"~/inverse_dynamics", "mbdyn/InverseDynamics",
   "Torques for a given state and acceleration, term by term."},
  {"~/forward_dynamics", "mbdyn/ForwardDynamics", "Accelerations for a given state and torques."},
  {"~/linearize", "mbdyn/Linearize",
   "Linearised dynamics d/dt x = A x + B u at a given state, for LQR and observers."},
  {"~/inverse_kinematics", "mbdyn/InverseKinematics",
   "Joint positions within limits in which frames have given poses: one or all; without a solution "
   "the nearest pose and the reason (docs/kinematics.md)."},
  {"~/self_motion", "mbdyn/SelfMotion",
   "Self-motion of a redundant robot with one pose of a frame: the whole curve with its arcs "
   "within "
   "limits, a step along it, or the nearest configuration with clearance (docs/kinematics.md)."},
  {"~/set_payload", "mbdyn/SetPayload",
   "Attach a payload to a frame; takes effect between two cycles and updates payload.*."},
  {"~/clear_payload", "mbdyn/ClearPayload", "Remove payloads."},
  {"~/load_model", "mbdyn/LoadModel",
   "Load another robot description, from text or from a file in model_directories; rejected while "
   "active."},
  {"~/change_state, ~/get_state, ~/get_available_states, ~/get_available_transitions, "
   "~/get_transition_graph",
   "lifecycle_msgs", "Lifecycle management, for ros2 lifecycle and launch."},
  {"~/get_parameters, ~/set_parameters, ~/set_parameters_atomically, ~/list_parameters, "
   "~/describe_parameters, ~/get_parameter_types",
   "rcl_interfaces", "Parameters, for ros2 param."},
};

static const row_t ACTIONS[] = {
  {"~/follow_joint_trajectory", "control_msgs/FollowJointTrajectory",
   "Follow a joint trajectory within tolerances, for MoveIt and `mbdyn action`; if control_msgs is "
   "installed (docs/node.md)."},
};

static void
print_rows(const char * title, const row_t * row, size_t n, FILE * to)
{
  fprintf(to, "| %s | type | |\n| --- | --- | --- |\n", title);
  for (size_t i = 0; i < n; i++) {
    fputs("| `", to);
    // several names in a cell: each in its own quotes
    for (const char * c = row[i].name; *c; c++) {
      if (*c == ',')
        fputs("`, `", to), c++;
      else
        fputc(*c, to);
    }
    fprintf(to, "` | %s | %s |\n", row[i].type, row[i].text);
  }
  fputc('\n', to);
}

#define ROWS(table) table, sizeof table / sizeof table[0]

void
mbdyn_node_describe(FILE * to)
{
  print_rows("subscribes to", ROWS(INPUTS), to);
  print_rows("publishes", ROWS(OUTPUTS), to);
  print_rows("service", ROWS(SERVICES), to);
  print_rows("action", ROWS(ACTIONS), to);
  param_print_table(NODE_PARAMETERS, NODE_PARAMETER_COUNT, to);
}
