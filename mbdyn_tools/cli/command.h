/// \file command.h
/// The commands of the program: one line each in the table of main.c.
///
///   command_t      name, one line of help, entry point
///   exit codes     0 done, 1 `check` found something, `ik` or a ROS command nothing, a mechanism of
///                  `kinematics` locks, 2 could not do what was asked
#ifndef COMMAND_H_
#define COMMAND_H_

/// What the program returns to the shell.
enum {
  CLI_OK = 0,  ///< done
  /// `check` found errors, `ik` no solution, `kinematics` a lock-up; `sweep` was interrupted; nobody on the network
  /// answers
  CLI_FOUND = 1,
  CLI_TROUBLE = 2,  ///< wrong usage, unreadable file, bad input, or output that cannot be written
};

typedef struct command {
  const char * name;
  const char * summary;                ///< one line for `mbdyn --help`
  int (*run)(int argc, char ** argv);  ///< arguments after the command's name; exit code
} command_t;

int info_main(int argc, char ** argv);
int check_main(int argc, char ** argv);
int eval_main(int argc, char ** argv);
int codegen_main(int argc, char ** argv);
int convert_main(int argc, char ** argv);
int dh_main(int argc, char ** argv);
int ik_main(int argc, char ** argv);
int kinematics_main(int argc, char ** argv);
int identify_main(int argc, char ** argv);
int bench_main(int argc, char ** argv);
int simulate_main(int argc, char ** argv);
int sweep_main(int argc, char ** argv);
int analyze_main(int argc, char ** argv);

#ifdef MBDYN_RECORD
int record_main(int argc, char ** argv);
int play_main(int argc, char ** argv);
#endif
#ifdef MBDYN_ROS_COMMANDS
int ros_topic_main(int argc, char ** argv);
int ros_node_main(int argc, char ** argv);
int ros_param_main(int argc, char ** argv);
int ros_service_main(int argc, char ** argv);
int ros_lifecycle_main(int argc, char ** argv);
int ros_action_main(int argc, char ** argv);
int demo_main(int argc, char ** argv);
#endif
#ifdef MBDYN_TOP
int top_main(int argc, char ** argv);
#endif
#ifdef MBDYN_VIEW
int view_main(int argc, char ** argv);
#endif

#endif  // COMMAND_H_
