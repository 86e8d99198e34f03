/// \file args.h
/// Command line options as tables: what is parsed is what the help shows.
///
///   option_t         one option: name, value, help, what to do with it
///   option_group_t   a table of options and what they write to
///   usage_t          the rest of a command's help
///   args_parse       options and the operand of a command
#ifndef ARGS_H_
#define ARGS_H_

#include <stddef.h>

/// One option. A table of them ends with a NULL name.
typedef struct option {
  const char * name;   ///< "--base"
  const char * value;  ///< what to call its value in the help, e.g. "X,Y,Z"; NULL for a switch
  const char * help;   ///< one line, or several separated by newlines
  /// Parse the value (NULL for a switch); returns NULL, or the expected format.
  const char * (*parse)(void * target, const char * value);
} option_t;

/// Options that write to one target. A list of groups ends with a NULL table.
typedef struct option_group {
  const option_t * options;
  void * target;
} option_group_t;

typedef struct usage {
  const char * command;  ///< "eval"
  const char * operand;  ///< "ROBOT.urdf"; "[NAME]" may be left out; NULL if the command has none
  const char * intro;    ///< what it does
  const char * details;  ///< after the options: formats, units, examples
} usage_t;

/// Parse the arguments of a command. `--name value` and `--name=value` are the same, options and
/// the operand may come in any order, `--` ends the options.
/// \param[out] operand  the operand; untouched if the command has none
/// \return -1 to go on, else the exit code: CLI_OK after --help, CLI_TROUBLE after a message
int args_parse(
  const usage_t * usage, const option_group_t * groups, int argc, char ** argv,
  const char ** operand);

#endif  // ARGS_H_
