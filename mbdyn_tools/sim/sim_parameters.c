// The tables of parameters, topics and services.
#include "sim_parameters.h"

const param_spec_t SIM_PARAMETERS[SIM_PARAMETER_COUNT] = {
#define PARAMETER(id, ...) [id] = {__VA_ARGS__},
#include "sim_parameters.inc"
};

// clang-format off
const sim_interface_t SIM_TOPICS[SIM_TOPIC_COUNT] = {
  [SIM_TOPIC_COMMANDS] = {"~/commands", "std_msgs/msg/Float64MultiArray",
    "Motor torques in the order of command_joints. Messages of a different length or with non-finite "
    "values are rejected; the last valid command stays in effect.", true, 1, false},
  [SIM_TOPIC_JOINT_COMMANDS] = {"~/joint_commands", "sensor_msgs/msg/JointState",
    "Motor torques by joint name, in effort. Joints that are not named keep their torque.",
    true, 10, false},
  [SIM_TOPIC_JOINT_STATES] = {"joint_states", "sensor_msgs/msg/JointState",
    "Measured positions, velocities and motor torques.", false, 10, false},
  [SIM_TOPIC_ODOM] = {"odom", "nav_msgs/msg/Odometry",
    "Pose and twist of the root link, for a floating base.", false, 10, false},
  [SIM_TOPIC_CONTACTS] = {"~/contacts/NAME", "geometry_msgs/msg/WrenchStamped",
    "Contact force of the ground on a link and its moment about the origin of the link, in its axes; mean of the "
    "last simulation step, without noise and delay. For the names of publish_contacts.", false, 10, false},
  [SIM_TOPIC_CLOCK] = {"/clock", "rosgraph_msgs/msg/Clock",
    "Simulated time, if publish_clock is true.", false, 10, false},
  [SIM_TOPIC_DESCRIPTION] = {"robot_description", "std_msgs/msg/String",
    "The URDF, if publish_description is true.", false, 1, true},
  [SIM_TOPIC_DIAGNOSTICS] = {"/diagnostics", "diagnostic_msgs/msg/DiagnosticArray",
    "Once a second: real-time factor, computation time per step, commands, energy.",
    false, 10, false},
};

const sim_interface_t SIM_SERVICES[SIM_SERVICE_COUNT] = {
  [SIM_SERVICE_PUSH] = {"~/push", "mbdyn/srv/ApplyWrench",
    "Apply a wrench to a frame for a given duration.", true, 0, false},
  [SIM_SERVICE_RESET] = {"~/reset", "std_srvs/srv/Trigger",
    "Reset to the initial positions, engage the brakes and remove applied wrenches; time continues.",
    true, 0, false},
};
// clang-format on

void
sim_describe(FILE * to)
{
  fprintf(to, "## Topics\n\n| topic | type | | what |\n| --- | --- | --- | --- |\n");
  for (int i = 0; i < SIM_TOPIC_COUNT; i++) {
    const sim_interface_t * t = &SIM_TOPICS[i];
    const char * latched = t->latched ? ", transient local" : "";
    fprintf(
      to, "| `%s` | %s | %s | %s Reliable, keep last %d%s. |\n", t->name, t->type,
      t->input ? "in" : "out", t->description, t->depth, latched);
  }
  fprintf(to, "\n## Services\n\n| service | type | what |\n| --- | --- | --- |\n");
  for (int i = 0; i < SIM_SERVICE_COUNT; i++) {
    const sim_interface_t * s = &SIM_SERVICES[i];
    fprintf(to, "| `%s` | %s | %s |\n", s->name, s->type, s->description);
  }
  fprintf(to, "\n## Parameters\n\n");
  param_print_table(SIM_PARAMETERS, SIM_PARAMETER_COUNT, to);
}
