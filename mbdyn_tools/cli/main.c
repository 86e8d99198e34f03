// `mbdyn`: finds the command in a table and runs it.
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "text.h"

#if !defined(MBDYN_TOP) || !defined(MBDYN_VIEW)
static int
missing(const char * command, const char * package)
{
  fprintf(
    stderr,
    "mbdyn %s: not available in this build: building it requires ROS 2 with rclc, or Cyclone DDS, "
    "and %s\n",
    command, package);
  return CLI_TROUBLE;
}
#endif

#ifndef MBDYN_TOP
static int
top_main(int argc, char ** argv)
{
  (void)argc, (void)argv;
  return missing("top", "ncurses (libncurses-dev)");
}
#endif

#ifndef MBDYN_VIEW
static int
view_main(int argc, char ** argv)
{
  (void)argc, (void)argv;
  return missing("view", "libwebsockets (libwebsockets-dev)");
}
#endif

static const command_t COMMANDS[] = {
  {"info", "show joints, masses, frames and the load report of a robot description", info_main},
  {"check", "lint a robot description, one finding per line", check_main},
  {"eval", "evaluate the dynamics at given states: JSON in, JSON out", eval_main},
  {"codegen", "generate straight-line C code for the dynamics of one robot", codegen_main},
  {"ik", "inverse kinematics: joint positions for poses of frames", ik_main},
  {"kinematics", "driven mechanisms: positions, velocities, accelerations, lock-up",
   kinematics_main},
  {"convert", "write a robot description as URDF or MJCF", convert_main},
  {"dh", "convert Denavit-Hartenberg tables to URDF and back", dh_main},
  {"identify", "identify inertial parameters from recorded motion and torques", identify_main},
  {"bench", "measure the time per call of every function on a robot", bench_main},
  {"simulate", "simulate a mechanism or a robot in time", simulate_main},
  {"sweep", "evaluate or simulate at many points: grids, Monte Carlo", sweep_main},
  {"analyze", "compute torques, energies and external torques from a recording", analyze_main},
#ifdef MBDYN_RECORD
  {"record", "record ROS 2 topics in the format of rosbag2", record_main},
  {"play", "play back a recording", play_main},
#endif
#ifdef MBDYN_ROS_COMMANDS
  {"topic", "ROS 2 topics: list, echo, hz, pub, info", ros_topic_main},
  {"node", "ROS 2 nodes: list, info", ros_node_main},
  {"param", "ROS 2 parameters: list, get, set, describe, dump", ros_param_main},
  {"lifecycle", "lifecycle nodes: nodes, get, list, set", ros_lifecycle_main},
  {"service", "ROS 2 services: list, call", ros_service_main},
  {"action", "ROS 2 actions: list, send_goal; move joints, follow a trajectory", ros_action_main},
  {"demo", "run the node with a simulated robot and measure it", demo_main},
#endif
  {"top", "show joint torques, limits and sparklines in the terminal", top_main},
  {"view", "serve a web view of a running node or of a recording", view_main},
};

enum { NCOMMAND = sizeof COMMANDS / sizeof COMMANDS[0] };

static void
print_help(FILE * to)
{
  fputs(
    "mbdyn: multibody dynamics of robots described by URDF or MJCF\n\n"
    "usage: mbdyn COMMAND [OPTION]... ROBOT.urdf\n"
    "       mbdyn COMMAND --help\n"
    "       mbdyn --help | --version\n\n"
    "commands:\n",
    to);
  for (int i = 0; i < NCOMMAND; i++)
    fprintf(to, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  fputs(
    "\nROBOT.urdf can be a xacro file, an MJCF file (MuJoCo), or - for standard input. All\n"
    "quantities are in SI units and radians; quaternions are x y z w; 6-vectors are linear first "
    "(force, moment; linear, angular "
    "velocity).\n"
    "\n"
    "exit code: 0 success; 1 `check` found errors, `ik` no solution, `kinematics` a lock-up, "
    "`sweep`\n"
    "was interrupted, or a ROS command found nothing;\n"
    "2 wrong usage, unreadable file, invalid input, or output that cannot be written. When "
    "standard\n"
    "output is a closed pipe (mbdyn ... | head), every command ends silently with SIGPIPE.\n\n"
    "examples:\n"
    "  mbdyn info arm.urdf\n"
    "  mbdyn check --strict arm.urdf\n"
    "  echo '{\"states\": [{}]}' | mbdyn eval arm.urdf --frame tool0\n",
    to);
}

static int
unknown_command(const char * name)
{
  closest_t closest = closest_to(name);
  for (int i = 0; i < NCOMMAND; i++) closest_offer(&closest, COMMANDS[i].name);
  closest_offer(&closest, "--help");
  closest_offer(&closest, "--version");
  const char * kind = name[0] == '-' ? "option" : "command";
  fprintf(stderr, "mbdyn: unknown %s '%s'%s\n", kind, name, closest_hint(&closest));
  fputs("try 'mbdyn --help'\n", stderr);
  return CLI_TROUBLE;
}

static int
run_command(int argc, char ** argv)
{
  if (argc < 2) {
    print_help(stderr);
    return CLI_TROUBLE;
  }
  const char * name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    print_help(stdout);
    return CLI_OK;
  }
  if (strcmp(name, "--version") == 0) {
    puts("mbdyn " MBDYN_VERSION);
    return CLI_OK;
  }
  for (int i = 0; i < NCOMMAND; i++) {
    if (strcmp(name, COMMANDS[i].name) == 0) return COMMANDS[i].run(argc - 2, argv + 2);
  }
  return unknown_command(name);
}

// commands that talk to a network have SIGPIPE ignored; they end as the others do
static void
end_if_reader_is_gone(void)
{
  struct pollfd out = {.fd = STDOUT_FILENO};
  const bool lost = ferror(stdout) != 0 || fflush(stdout) != 0;
  if (!lost || poll(&out, 1, 0) != 1 || !(out.revents & POLLERR)) return;
  signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

int
main(int argc, char ** argv)
{
  // characters as the user's terminal has them; numbers always as in the C locale
  setlocale(LC_CTYPE, "");
  text_use_utf8(strcmp(nl_langinfo(CODESET), "UTF-8") == 0);

  const int code = run_command(argc, argv);
  end_if_reader_is_gone();
  return text_close(stdout, "standard output") ? code : CLI_TROUBLE;
}
