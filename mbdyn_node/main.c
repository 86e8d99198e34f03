// mbdyn_node: the process around the node.
#include <stdio.h>
#include <string.h>

#include "node.h"
#include "ros_process.h"

static void
print_help(void)
{
  puts(
    "mbdyn_node: computes torques, Jacobians and mass matrices of a robot from its joint states\n\n"
    "usage: mbdyn_node [--ros-args -p NAME:=VALUE ... --params-file FILE -r FROM:=TO ...]\n"
    "       mbdyn_node --describe    topics, services and parameters, as Markdown\n"
    "       mbdyn_node --help | --version\n\n"
    "Subscribes to joint_states and publishes effort commands on ~/command as soon as a "
    "robot\ndescription is available: from the parameter robot_description or "
    "robot_description_file, or\nthe topic robot_description. The node configures and activates "
    "itself (autostart), or is managed\nlike any lifecycle node.\n\n"
    "examples:\n"
    "  mbdyn_node --ros-args -p robot_description_file:=arm.urdf -p mode:=gravity_compensation\n"
    "  mbdyn_node --ros-args --params-file computed_torque.yaml -r ~/command:=/effort/commands\n\n"
    "exit code: 0 after SIGINT, SIGTERM or a shutdown transition; 1 startup failed;\n"
    "2 wrong usage");
}

static void
on_finish(void * context)
{
  (void)context;
  ros_process_finish();
}

// 0 or an exit code; -1: go on
static int
answer_options(int argc, char ** argv)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--ros-args") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      print_help();
      return ros_process_printed();
    }
    if (strcmp(argv[i], "--version") == 0) {
      puts("mbdyn_node " MBDYN_VERSION);
      return ros_process_printed();
    }
    if (strcmp(argv[i], "--describe") == 0) {
      mbdyn_node_describe(stdout);
      return ros_process_printed();
    }
  }
  return -1;
}

int
main(int argc, char ** argv)
{
  const int answered = answer_options(argc, argv);
  if (answered >= 0) return answered;
  ros_process_t process;
  if (!ros_process_open(&process, argc, argv, "mbdyn")) return 2;
  const mbdyn_node_options_t options = {&process.node, process.overrides, NULL, on_finish, NULL};
  mbdyn_node_t * node = mbdyn_node_create(&options);
  const bool started = node && mbdyn_node_start(node);
  if (started) ros_process_wait();
  if (node) mbdyn_node_stop(node);
  // the last command is out: from here on nobody waits for a peer that has died
  ros_process_leave(started ? 0 : 1);
  mbdyn_node_destroy(node);
  ros_process_close(&process);
  return started ? 0 : 1;
}
