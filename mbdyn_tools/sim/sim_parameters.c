// The tables. Texts end up in `ros2 param describe` and in --describe.
#include "sim_parameters.h"

// clang-format off
const param_spec_t SIM_PARAMETERS[SIM_PARAMETER_COUNT] = {
  // the robot
  [SIM_ROBOT_DESCRIPTION] = {"robot_description", PARAM_STRING, "",
    "URDF text.", 0, 0, NULL, true},
  [SIM_ROBOT_DESCRIPTION_FILE] = {"robot_description_file", PARAM_STRING, "",
    "URDF file, read if robot_description is empty.", 0, 0, NULL, true},
  [SIM_LOOPS] = {"loops", PARAM_STRING, "",
    "Loops and gears of the robot, YAML text as in docs/loops.md.", 0, 0, NULL, true},
  [SIM_LOOPS_FILE] = {"loops_file", PARAM_STRING, "",
    "The same as a file, if loops is empty.", 0, 0, NULL, true},
  [SIM_FLEXIBLE_FILE] = {"flexible_file", PARAM_STRING, "",
    "Links of the robot that bend, YAML file as in docs/flexible.md; whoever controls it may not know.",
    0, 0, NULL, true},
  [SIM_BASE] = {"base", PARAM_STRING, "fixed",
    "Root link: bolted to the world, or free.", 0, 0, "fixed|floating", true},
  [SIM_COMMAND_JOINTS] = {"command_joints", PARAM_STRING_ARRAY, "[]",
    "Joints of ~/commands, in its order; empty: all joints of one degree of freedom in the model's "
    "order, without those that mimic another.", 0, 0, NULL, true},

  // time
  [SIM_RATE] = {"rate", PARAM_DOUBLE, "1000.0",
    "Steps per second of simulation [Hz].", 1, 20000, NULL, true},
  [SIM_PUBLISH_RATE] = {"publish_rate", PARAM_DOUBLE, "0.0",
    "Joint states per second of simulation, rounded to a part of rate; 0: every step [Hz].",
    0, 20000, NULL, true},
  [SIM_REAL_TIME_FACTOR] = {"real_time_factor", PARAM_DOUBLE, "1.0",
    "Seconds of simulation per second; 0: as fast as it goes.", 0, 1000, NULL, false},
  [SIM_INTEGRATOR] = {"integrator", PARAM_STRING, "semi_implicit",
    "semi_implicit is stable with any friction, rk4 is exact where motion is smooth.",
    0, 0, "semi_implicit|rk4", false},
  [SIM_SUBSTEPS] = {"substeps", PARAM_INTEGER, "1",
    "Parts that a step is integrated in.", 1, 1000, NULL, false},

  // what counts
  [SIM_FRICTION] = {"friction", PARAM_BOOL, "true",
    "Friction of the URDF's <dynamics>.", 0, 0, NULL, false},
  [SIM_ROTORS] = {"rotors", PARAM_BOOL, "true",
    "Reflected rotor inertia of the URDF's <transmission>.", 0, 0, NULL, false},
  [SIM_LIMITS] = {"limits", PARAM_BOOL, "true",
    "Joints stop at the limits of their positions. Those of torques always count.",
    0, 0, NULL, false},
  [SIM_GRAVITY] = {"gravity", PARAM_DOUBLE_ARRAY, "[0.0, 0.0, -9.81]",
    "In world axes [m/s^2].", -1000, 1000, NULL, false},

  // the start
  [SIM_INITIAL_JOINTS] = {"initial_joints", PARAM_STRING_ARRAY, "[]",
    "Joints of initial_positions; empty: all of joint_states that no loop or gear moves, in its order.",
    0, 0, NULL, false},
  [SIM_INITIAL_POSITIONS] = {"initial_positions", PARAM_DOUBLE_ARRAY, "[]",
    "Where joints are at the start and after a reset; others at zero, or at the limit next to it "
    "[rad, m].", -1e6, 1e6, NULL, false},
  [SIM_HOLD_UNTIL_COMMAND] = {"hold_until_command", PARAM_BOOL, "true",
    "Brakes hold the robot until the first command.", 0, 0, NULL, false},
  [SIM_COMMAND_TIMEOUT] = {"command_timeout", PARAM_DOUBLE, "0.0",
    "Motors let go if no command came for so long; 0: the last one counts for ever [s].",
    0, 3600, NULL, false},

  // sensors
  [SIM_NOISE_POSITION] = {"noise.position", PARAM_DOUBLE, "0.0",
    "Standard deviation of measured positions [rad, m].", 0, 1000, NULL, false},
  [SIM_NOISE_VELOCITY] = {"noise.velocity", PARAM_DOUBLE, "0.0",
    "The same of velocities [rad/s, m/s].", 0, 1000, NULL, false},
  [SIM_NOISE_EFFORT] = {"noise.effort", PARAM_DOUBLE, "0.0",
    "The same of torques [N m, N].", 0, 1e6, NULL, false},
  [SIM_DELAY] = {"delay", PARAM_DOUBLE, "0.0",
    "Joint states are published so long after their stamp [s].", 0, SIM_DELAY_MAX, NULL, false},
  [SIM_DROPOUT] = {"dropout", PARAM_DOUBLE, "0.0",
    "Probability that a joint state is not published.", 0, 1, NULL, false},
  [SIM_SEED] = {"seed", PARAM_INTEGER, "1",
    "Of noise and dropout: the same seed, the same numbers.", 0, 0, NULL, true},

  // a load
  [SIM_PAYLOAD_FRAME] = {"payload.frame", PARAM_STRING, "",
    "Frame that carries a load; empty: none.", 0, 0, NULL, false},
  [SIM_PAYLOAD_MASS] = {"payload.mass", PARAM_DOUBLE, "0.0", "[kg]", 0, 1e6, NULL, false},
  [SIM_PAYLOAD_COM] = {"payload.com", PARAM_DOUBLE_ARRAY, "[0.0, 0.0, 0.0]",
    "Its centre of mass in the frame [m].", -1000, 1000, NULL, false},
  [SIM_PAYLOAD_INERTIA] = {"payload.inertia", PARAM_DOUBLE_ARRAY, "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]",
    "ixx ixy ixz iyy iyz izz about its centre of mass, in the frame's axes [kg m^2].",
    -1e6, 1e6, NULL, false},

  // what is published
  [SIM_PUBLISH_CLOCK] = {"publish_clock", PARAM_BOOL, "false",
    "Publish /clock; stamps are then time of the simulation, else of the machine.",
    0, 0, NULL, true},
  [SIM_PUBLISH_DESCRIPTION] = {"publish_description", PARAM_BOOL, "true",
    "Publish robot_description.", 0, 0, NULL, true},
  [SIM_PUBLISH_VELOCITY] = {"publish_velocity", PARAM_BOOL, "true",
    "Joint states have velocities.", 0, 0, NULL, true},
  [SIM_PUBLISH_EFFORT] = {"publish_effort", PARAM_BOOL, "true",
    "Joint states have efforts.", 0, 0, NULL, true},
};

const sim_interface_t SIM_TOPICS[SIM_TOPIC_COUNT] = {
  [SIM_TOPIC_COMMANDS] = {"~/commands", "std_msgs/msg/Float64MultiArray",
    "Motor torques in the order of command_joints. A message of another length, or with a number "
    "that is not finite, is refused; the last good one counts.", true, 1, false},
  [SIM_TOPIC_JOINT_COMMANDS] = {"~/joint_commands", "sensor_msgs/msg/JointState",
    "Motor torques by name: effort. Joints that are not in it keep theirs.", true, 10, false},
  [SIM_TOPIC_JOINT_STATES] = {"joint_states", "sensor_msgs/msg/JointState",
    "Position, velocity, and torque of the motor, as measured.", false, 10, false},
  [SIM_TOPIC_ODOM] = {"odom", "nav_msgs/msg/Odometry",
    "Pose and twist of the root link, with a floating base.", false, 10, false},
  [SIM_TOPIC_CLOCK] = {"/clock", "rosgraph_msgs/msg/Clock",
    "Time of the simulation, if publish_clock is set.", false, 10, false},
  [SIM_TOPIC_DESCRIPTION] = {"robot_description", "std_msgs/msg/String",
    "The URDF, if publish_description is set.", false, 1, true},
  [SIM_TOPIC_DIAGNOSTICS] = {"/diagnostics", "diagnostic_msgs/msg/DiagnosticArray",
    "Once a second: real-time factor, times of a step, commands, energy.", false, 10, false},
};

const sim_interface_t SIM_SERVICES[SIM_SERVICE_COUNT] = {
  [SIM_SERVICE_PUSH] = {"~/push", "mbdyn/srv/ApplyWrench",
    "A wrench on a frame for a time.", true, 0, false},
  [SIM_SERVICE_RESET] = {"~/reset", "std_srvs/srv/Trigger",
    "Back to the start: positions, brakes, no pushes. Time goes on.", true, 0, false},
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
