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
    "mbdyn %s: not in this build: it needs a ROS 2 with rclc, or Cyclone DDS, and %s when mbdyn is "
    "built\n",
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
  {"info", "what a robot description contains: joints, masses, frames, load report", info_main},
  {"check", "lint a robot description, one finding per line", check_main},
  {"eval", "dynamics of given states: JSON in, JSON out", eval_main},
  {"codegen", "straight-line C for one robot: dynamics without heap or library", codegen_main},
  {"dh", "Denavit-Hartenberg tables into URDF, and the table of a URDF", dh_main},
  {"identify", "inertial parameters from recorded motion and torques", identify_main},
  {"bench", "time per call of every function on a robot", bench_main},
  {"analyze", "torques, energies, pushes and limits in a recording of joint states", analyze_main},
#ifdef MBDYN_RECORD
  {"record", "topics of the ROS 2 system around into a recording", record_main},
  {"play", "a recording onto the topics it came from", play_main},
#endif
#ifdef MBDYN_ROS_COMMANDS
  {"topic", "topics of the ROS 2 system around: list, echo, hz, pub, info", ros_topic_main},
  {"node", "nodes of the ROS 2 system around: list, info", ros_node_main},
  {"param", "parameters of a node: list, get, set, describe, dump", ros_param_main},
  {"lifecycle", "managed nodes: nodes, get, list, set", ros_lifecycle_main},
  {"service", "services of the ROS 2 system around: list, call", ros_service_main},
  {"demo", "a simulated robot and the node on it, shown and measured", demo_main},
#endif
  {"top", "joints of a robot in the terminal: torque terms, limits, sparklines", top_main},
  {"view", "live page in the browser: robot, plots, matrices, diagnostics", view_main},
};

enum { NCOMMAND = sizeof COMMANDS / sizeof COMMANDS[0] };

static void
print_help(FILE * to)
{
  fputs(
    "mbdyn: dynamics of robots from their URDF description\n\n"
    "usage: mbdyn COMMAND [OPTION]... ROBOT.urdf\n"
    "       mbdyn COMMAND --help\n"
    "       mbdyn --help | --version\n\n"
    "commands:\n",
    to);
  for (int i = 0; i < NCOMMAND; i++)
    fprintf(to, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  fputs(
    "\nROBOT.urdf may be - for standard input. SI units and radians throughout; quaternions are\n"
    "x y z w; 6-vectors are linear first (force before moment, velocity before rate).\n\n"
    "exit code: 0 done; 1 `check` found errors, or a ROS command found nothing; 2 wrong usage,\n"
    "unreadable file, bad input, or output that cannot be written. Where the reader of standard\n"
    "output is gone (mbdyn ... | head), every command ends silently by SIGPIPE.\n\n"
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
run(int argc, char ** argv)
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

  const int code = run(argc, argv);
  end_if_reader_is_gone();
  return text_close(stdout, "standard output") ? code : CLI_TROUBLE;
}
