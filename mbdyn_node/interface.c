// What the node offers, as tables: the README's come from here, and a test holds them together.
#include "node.h"
#include "node_parameters.h"

typedef struct row {
  const char *name, *type, *text;
} row_t;

static const row_t INPUTS[] = {
  {"joint_states", "sensor_msgs/JointState",
   "State of the joints: any order, from any number of publishers, more or fewer joints. Best "
   "effort."},
  {"robot_description", "std_msgs/String", "URDF. Transient local."},
  {"odom", "nav_msgs/Odometry", "Pose and twist of a floating base."},
  {"~/joint_trajectory", "trajectory_msgs/JointTrajectory",
   "Reference for inverse_dynamics and computed_torque; starts at its stamp, or at once if that is "
   "zero."},
  {"~/controller_state", "control_msgs/JointTrajectoryControllerState",
   "The same from a joint trajectory controller; where control_msgs is installed. References "
   "beyond "
   "limits are refused (docs/safety.md)."},
  {"~/target_pose", "geometry_msgs/PoseStamped",
   "Where operational_space takes its frame; frame_id: the world frame, or a frame of the robot."},
  {"~/target_twist", "geometry_msgs/TwistStamped", "How fast it is to move there."},
  {"~/target_wrench", "geometry_msgs/WrenchStamped", "What it is to exert on the environment."},
  {"~/gravity", "geometry_msgs/Vector3Stamped",
   "Gravity, for a base that is tilted or moves; in the world frame or a frame of the robot, at "
   "most "
   "100 [m/s^2]. Counts for target_timeout, and until deactivation."},
  {"~/wrench", "geometry_msgs/WrenchStamped",
   "Wrench that the environment exerts on frame_id, in its axes: the external term."},
};

static const row_t OUTPUTS[] = {
  {"~/command", "std_msgs/Float64MultiArray",
   "Efforts in the order of command_joints, for forward_command_controller."},
  {"~/torques", "sensor_msgs/JointState",
   "effort: gravity + coriolis + inertia + friction + external."},
  {"~/torques/gravity, ~/torques/coriolis, ~/torques/inertia, ~/torques/friction, "
   "~/torques/external",
   "sensor_msgs/JointState", "effort: the term."},
  {"~/joint_torques", "mbdyn/JointTorques", "All terms and the command."},
  {"~/joint_dynamics", "mbdyn/JointDynamicsArray", "The same, joint by joint, with limits."},
  {"~/mass_matrix", "mbdyn/MassMatrix", "M(q), its diagonal and its condition number."},
  {"~/jacobian/<frame>", "mbdyn/Jacobian", "Of each of frames, with Jdot v."},
  {"~/operational_space_inertia", "mbdyn/OperationalSpaceInertia", "Of frames, all together."},
  {"~/dynamics", "mbdyn/DynamicsSummary",
   "Energies, power, momentum, centre of mass, log det M, effective mass of every link, times."},
  {"~/external_torque", "sensor_msgs/JointState", "effort: estimate of the momentum observer."},
  {"~/external_wrench", "geometry_msgs/WrenchStamped",
   "The wrench at observer_frame, in its axes, that explains them."},
  {"~/joint_trajectory_effort", "trajectory_msgs/JointTrajectory",
   "The last trajectory with effort filled in, if publish.trajectory_effort."},
  {"~/transition_event", "lifecycle_msgs/TransitionEvent", "Changes of the lifecycle."},
  {"/diagnostics", "diagnostic_msgs/DiagnosticArray",
   "Once a second: rates, ages, times, counts of everything refused."},
};

static const row_t SERVICES[] = {
  {"~/inverse_dynamics", "mbdyn/InverseDynamics", "Torques of a given state, term by term."},
  {"~/forward_dynamics", "mbdyn/ForwardDynamics", "Accelerations of a given state."},
  {"~/linearize", "mbdyn/Linearize",
   "The robot near a given state: d/dt x = A x + B u, for LQR and observers."},
  {"~/set_payload", "mbdyn/SetPayload",
   "Attach a load to a frame; effective between two cycles, and visible in payload.*."},
  {"~/clear_payload", "mbdyn/ClearPayload", "Take loads off."},
  {"~/load_model", "mbdyn/LoadModel",
   "Another robot description, as text or as a file in model_directories; refused while active."},
  {"~/change_state, ~/get_state, ~/get_available_states, ~/get_available_transitions, "
   "~/get_transition_graph",
   "lifecycle_msgs", "Lifecycle, for ros2 lifecycle and launch."},
  {"~/get_parameters, ~/set_parameters, ~/set_parameters_atomically, ~/list_parameters, "
   "~/describe_parameters, ~/get_parameter_types",
   "rcl_interfaces", "Parameters, for ros2 param."},
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
  param_print_table(NODE_PARAMETERS, NODE_PARAMETER_COUNT, to);
}
