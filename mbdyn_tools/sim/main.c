// mbdyn_sim: a simulated robot on ROS topics.
#include <stdio.h>
#include <string.h>

#include "ros_process.h"
#include "sim_node.h"
#include "sim_parameters.h"

static const char HELP[] =
  "usage: mbdyn_sim [--ros-args -p NAME:=VALUE ... --params-file FILE -r FROM:=TO ...]\n"
  "       mbdyn_sim --describe    topics, services and parameters, as Markdown\n"
  "       mbdyn_sim --help | --version\n"
  "\n"
  "Simulates a robot: subscribes to motor torques, publishes joint states. The node is named "
  "'robot'.\n"
  "\n"
  "  mbdyn_sim --ros-args -p robot_description_file:=arm.urdf\n"
  "  mbdyn_sim --ros-args -p robot_description_file:=arm.urdf -p "
  "mechanism_file:=arm.mechanism.yaml "
  "\\\n"
  "    -p integrator:=chart_rk4\n"
  "  mbdyn_sim --ros-args --params-file sim.yaml -r joint_states:=/arm/joint_states\n"
  "\n"
  "The brakes are engaged until the first command on /robot/commands (Float64MultiArray) "
  "or\n/robot/joint_commands (JointState). Stop with Ctrl-C.\n"
  "\n"
  "exit code: 0 after SIGINT or SIGTERM; 1 startup failed; 2 wrong usage\n";

// an argument of ours, not of ROS
static bool
has_argument(int argc, char ** argv, const char * wanted)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--ros-args") != 0; i++) {
    if (strcmp(argv[i], wanted) == 0) return true;
  }
  return false;
}

int
main(int argc, char ** argv)
{
  if (has_argument(argc, argv, "--help")) {
    fputs(HELP, stdout);
    return ros_process_printed();
  }
  if (has_argument(argc, argv, "--version")) {
    puts("mbdyn_sim " MBDYN_VERSION);
    return ros_process_printed();
  }
  if (has_argument(argc, argv, "--describe")) {
    sim_describe(stdout);
    return ros_process_printed();
  }
  ros_process_t process;
  if (!ros_process_open(&process, argc, argv, "robot")) return 2;
  sim_node_t * node = sim_node_create(&process.node, process.overrides);
  const int exit_code = node != NULL ? 0 : 1;
  if (node != NULL) ros_process_wait();
  ros_process_leave(exit_code);
  sim_node_destroy(node);
  ros_process_close(&process);
  return exit_code;
}
