/// \file ros_args.h
/// Command lines of the ROS commands: `mbdyn COMMAND VERB [OPTION]... [OPERAND]...`.
///
///   ros_option_t    one option and where its value goes
///   ros_verb_t      one verb: operands, options, help, what it does
///   ros_command_t   a command and its verbs
///   ros_command     parse and run; -h and --help at both levels
///   ros_plain_command   the same for a command without verbs
#ifndef ROS_ARGS_H_
#define ROS_ARGS_H_

#include <stdbool.h>
#include <stddef.h>

enum { ROS_MAX_OPERANDS = 64, ROS_MAX_TEXTS = 64 };

/// Values of an option that may be given several times.
typedef struct ros_texts {
  const char * text[ROS_MAX_TEXTS];
  int n;
} ros_texts_t;

/// What a command line said. Options that a verb does not have keep their default.
typedef struct ros_args {
  const char * command;  ///< "topic echo", for messages
  const char * operands[ROS_MAX_OPERANDS];
  int operand_count;
  int ros_argc;  ///< from --ros-args to -- or the end, for rcl_init
  const char * const * ros_argv;
  bool all, full, hide_type, json, once, types, verbose;
  long depth, times, subscribers, window;  ///< -1: not given
  double rate, timeout, wait;              ///< -1: not given
  const char * type;                       ///< NULL: not given
  const char * qos;
  bool info, loop;                ///< recordings, from here on
  double clock, duration, start;  ///< -1: not given
  const char * compression;
  const char * format;
  const char * output;
  ros_texts_t remap;
  bool feedback;  ///< actions, from here on
  const char * action;
  double path_tolerance, goal_tolerance, goal_time;  ///< -1: not given
} ros_args_t;

typedef enum ros_option_kind {
  ROS_SWITCH,
  ROS_COUNT,
  ROS_POSITIVE,
  ROS_TEXT,
  ROS_TEXTS
} ros_option_kind_t;

/// One option. A table of them ends with a NULL name.
typedef struct ros_option {
  const char * name;    ///< "--once"
  const char * letter;  ///< "-1", or NULL
  const char * value;   ///< what the help calls its value; NULL for a switch
  const char * help;    ///< one line, or several separated by newlines
  ros_option_kind_t kind;
  size_t offset;  ///< of the field in ros_args_t: bool, long, double, const char *, ros_texts_t
} ros_option_t;

#define ROS_FIELD(field) offsetof(ros_args_t, field)

/// Options that most verbs have.
#define ROS_OPTION_WAIT                                                               \
  {                                                                                   \
    "--wait", NULL, "SECONDS", "time to discover nodes on the network", ROS_POSITIVE, \
      ROS_FIELD(wait)                                                                 \
  }
#define ROS_OPTION_TIMEOUT                                                                  \
  {                                                                                         \
    "--timeout", NULL, "SECONDS", "time to wait for a response; default: 10", ROS_POSITIVE, \
      ROS_FIELD(timeout)                                                                    \
  }
#define ROS_OPTION_ALL                                                                        \
  {                                                                                           \
    "--all", "-a", NULL, "include hidden names (with a part that begins with _)", ROS_SWITCH, \
      ROS_FIELD(all)                                                                          \
  }

/// One verb. A table of them ends with a NULL name.
typedef struct ros_verb {
  const char * name;
  const char * operands;  ///< "TOPIC TYPE VALUES"; "" for none
  int min, max;           ///< number of operands
  const char * summary;   ///< one line
  const char * details;   ///< after the options: formats, examples
  const ros_option_t * options;
  int (*run)(const ros_args_t * args);  ///< exit code
} ros_verb_t;

typedef struct ros_command {
  const char * name;
  const char * summary;
  const ros_verb_t * verbs;
} ros_command_t;

/// \return exit code; CLI_TROUBLE after a message about the command line
int ros_command(const ros_command_t * command, int argc, char ** argv);

/// A command that has no verbs: the verb is the command.
/// \return exit code
int ros_plain_command(const ros_verb_t * verb, int argc, char ** argv);

#endif  // ROS_ARGS_H_
