// Command lines of the ROS commands, from tables: what is parsed is what the help shows.
#include "ros_args.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text.h"

//---------- help ----------

static void
print_command_help(FILE * to, const ros_command_t * command)
{
  fprintf(to, "usage: mbdyn %s VERB [OPTION]... [OPERAND]...\n\n", command->name);
  fprintf(to, "%s\n\nverbs:\n", command->summary);
  for (const ros_verb_t * verb = command->verbs; verb->name; verb++) {
    char left[64];
    snprintf(left, sizeof left, "%s %s", verb->name, verb->operands);
    fprintf(to, "  %-28s %s\n", left, verb->summary);
  }
  fprintf(
    to,
    "\nROS_DOMAIN_ID selects the domain (default: 0). Every verb accepts --ros-args ... "
    "[--].\n\nexit code: 0 success; 1 nothing found, no answer, or rejected; 2 wrong usage or no "
    "network\n"
    "\nmore: mbdyn %s VERB --help\n",
    command->name);
}

static void
print_option(const char * letter, const char * name, const char * value, const char * help)
{
  char left[64];
  snprintf(
    left, sizeof left, "%s%s%s%s%s", letter ? letter : "", letter ? ", " : "", name,
    value ? " " : "", value ? value : "");
  text_print_option(left, help);
}

static void
print_verb_help(const char * command, const ros_verb_t * verb)
{
  printf(
    "usage: mbdyn %s [OPTION]...%s%s\n\n", command, *verb->operands ? " " : "", verb->operands);
  printf("%s\n\noptions:\n", verb->summary);
  for (const ros_option_t * o = verb->options; o->name; o++) {
    print_option(o->letter, o->name, o->value, o->help);
  }
  print_option(NULL, "--ros-args ... [--]", NULL, "ROS arguments such as remappings");
  print_option("-h", "--help", NULL, "this text");
  printf("\n%s\n", verb->details);
}

static int
point_to_help(const char * command)
{
  fprintf(stderr, "try 'mbdyn %s --help'\n", command);
  return CLI_TROUBLE;
}

//---------- options ----------

static const ros_option_t *
find_option(const ros_option_t * options, const char * argument)
{
  const size_t length = strcspn(argument, "=");
  for (const ros_option_t * o = options; o->name; o++) {
    if (strlen(o->name) == length && strncmp(o->name, argument, length) == 0) return o;
    if (o->letter && strcmp(o->letter, argument) == 0) return o;
  }
  return NULL;
}

static int
unknown_option(const char * command, const ros_option_t * options, const char * argument)
{
  closest_t closest = closest_to(argument);
  for (const ros_option_t * o = options; o->name; o++) closest_offer(&closest, o->name);
  closest_offer(&closest, "--help");
  fprintf(stderr, "mbdyn %s: unknown option '%s'%s\n", command, argument, closest_hint(&closest));
  return point_to_help(command);
}

// NULL, or what was expected instead
static const char *
store(const ros_option_t * option, const char * value, ros_args_t * args)
{
  void * field = (char *)args + option->offset;
  char * end = NULL;
  errno = 0;
  if (option->kind == ROS_SWITCH) {
    *(bool *)field = true;
  } else if (option->kind == ROS_TEXT) {
    *(const char **)field = value;
  } else if (option->kind == ROS_TEXTS) {
    ros_texts_t * texts = field;
    if (texts->n == ROS_MAX_TEXTS) return "at most 64 values";
    texts->text[texts->n++] = value;
  } else if (option->kind == ROS_COUNT) {
    const long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < 0) return "a non-negative integer";
    *(long *)field = number;
  } else {
    const double number = strtod(value, &end);
    const bool good = end != value && !*end && isfinite(number) && number >= 0 && number <= 1e6;
    if (!good) return "a number between 0 and 1000000";
    *(double *)field = number;
  }
  return NULL;
}

// an option and its value: what follows '=', or the next argument
static int
take_option(const ros_option_t * option, int argc, char ** argv, int * i, ros_args_t * args)
{
  const char * value = strncmp(argv[*i], "--", 2) == 0 ? strchr(argv[*i], '=') : NULL;
  if (value) value++;
  if (value && !option->value) {
    fprintf(stderr, "mbdyn %s: %s takes no value\n", args->command, option->name);
    return point_to_help(args->command);
  }
  if (!value && option->value) {
    if (*i + 1 >= argc) {
      fprintf(stderr, "mbdyn %s: %s needs %s\n", args->command, option->name, option->value);
      return point_to_help(args->command);
    }
    value = argv[++*i];
  }
  const char * expected = store(option, value, args);
  if (!expected) return -1;
  fprintf(stderr, "mbdyn %s: %s '%s': expected %s\n", args->command, option->name, value, expected);
  return point_to_help(args->command);
}

//---------- operands ----------

// "-1.5" is a value
static bool
is_option(const char * argument)
{
  const unsigned char next = (unsigned char)argument[1];
  return argument[0] == '-' && next != '\0' && next != '.' && !isdigit(next);
}

static int
take_operand(const ros_verb_t * verb, const char * argument, ros_args_t * args)
{
  if (args->operand_count < verb->max) {
    args->operands[args->operand_count++] = argument;
    return -1;
  }
  fprintf(stderr, "mbdyn %s: unexpected argument '%s'\n", args->command, argument);
  return point_to_help(args->command);
}

// the part for rcl_init: up to "--" or the end; index of its last argument
static int
take_ros_args(int argc, char ** argv, int i, ros_args_t * args)
{
  int last = i + 1;
  while (last < argc && strcmp(argv[last], "--") != 0) last++;
  args->ros_argv = (const char * const *)(argv + i);
  args->ros_argc = last - i;
  return last;
}

static int
parse(const ros_verb_t * verb, int argc, char ** argv, ros_args_t * args)
{
  bool only_operands = false;
  for (int i = 0; i < argc; i++) {
    const ros_option_t * option = NULL;
    int code = -1;
    if (!only_operands && strcmp(argv[i], "--") == 0) {
      only_operands = true;
    } else if (!only_operands && strcmp(argv[i], "--ros-args") == 0) {
      i = take_ros_args(argc, argv, i, args);
    } else if (!only_operands && (option = find_option(verb->options, argv[i])) != NULL) {
      code = take_option(option, argc, argv, &i, args);
    } else if (only_operands || !is_option(argv[i])) {
      code = take_operand(verb, argv[i], args);
    } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      print_verb_help(args->command, verb);
      return CLI_OK;
    } else {
      code = unknown_option(args->command, verb->options, argv[i]);
    }
    if (code >= 0) return code;
  }
  if (args->operand_count >= verb->min) return -1;
  fprintf(stderr, "mbdyn %s: expected %s\n", args->command, verb->operands);
  return point_to_help(args->command);
}

//---------- verbs ----------

static int
unknown_verb(const ros_command_t * command, const char * name)
{
  closest_t closest = closest_to(name);
  for (const ros_verb_t * verb = command->verbs; verb->name; verb++) {
    closest_offer(&closest, verb->name);
  }
  fprintf(stderr, "mbdyn %s: unknown verb '%s'%s\n", command->name, name, closest_hint(&closest));
  return point_to_help(command->name);
}

static int
run_verb(const ros_verb_t * verb, const char * command, int argc, char ** argv)
{
  ros_args_t args = {
    .command = command,
    .depth = -1,
    .times = -1,
    .subscribers = -1,
    .window = -1,
    .rate = -1,
    .timeout = -1,
    .wait = -1,
    .clock = -1,
    .duration = -1,
    .start = -1,
    .path_tolerance = -1,
    .goal_tolerance = -1,
    .goal_time = -1};
  const int code = parse(verb, argc, argv, &args);
  return code >= 0 ? code : verb->run(&args);
}

int
ros_plain_command(const ros_verb_t * verb, int argc, char ** argv)
{
  return run_verb(verb, verb->name, argc, argv);
}

int
ros_command(const ros_command_t * command, int argc, char ** argv)
{
  if (argc < 1) {
    print_command_help(stderr, command);
    return CLI_TROUBLE;
  }
  if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
    print_command_help(stdout, command);
    return CLI_OK;
  }
  for (const ros_verb_t * verb = command->verbs; verb->name; verb++) {
    if (strcmp(argv[0], verb->name) != 0) continue;
    char name[64];
    snprintf(name, sizeof name, "%s %s", command->name, verb->name);
    return run_verb(verb, name, argc - 1, argv + 1);
  }
  return unknown_verb(command, argv[0]);
}
