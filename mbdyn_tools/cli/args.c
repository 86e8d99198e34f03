// Command line options as tables: what is parsed is what the help shows.
#include "args.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "text.h"

// the option that an argument names, up to '='; its target too
static const option_t *
find_option(const option_group_t * groups, const char * argument, void ** target)
{
  const size_t length = strcspn(argument, "=");
  for (const option_group_t * group = groups; group->options; group++) {
    for (const option_t * option = group->options; option->name; option++) {
      if (strlen(option->name) != length || strncmp(option->name, argument, length) != 0) continue;
      *target = group->target;
      return option;
    }
  }
  return NULL;
}

//---------- help ----------

static void
print_option(const char * name, const char * value, const char * help)
{
  char left[64];
  snprintf(left, sizeof left, "%s%s%s", name, value ? " " : "", value ? value : "");
  text_print_option(left, help);
}

static void
print_help(const usage_t * usage, const option_group_t * groups)
{
  printf("usage: mbdyn %s [OPTION]...", usage->command);
  if (usage->operand) printf(" %s", usage->operand);
  printf("\n\n%s\n\noptions:\n", usage->intro);
  for (const option_group_t * group = groups; group->options; group++) {
    for (const option_t * option = group->options; option->name; option++) {
      // one that an earlier group has too cannot be given
      void * target;
      if (find_option(groups, option->name, &target) != option) continue;
      print_option(option->name, option->value, option->help);
    }
  }
  print_option("--help", NULL, "this text");
  printf("\n%s\n", usage->details);
}

//---------- parsing ----------

static int
refuse_arguments(const usage_t * usage)
{
  fprintf(stderr, "try 'mbdyn %s --help'\n", usage->command);
  return CLI_TROUBLE;
}

static int
unknown_option(const usage_t * usage, const option_group_t * groups, const char * argument)
{
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
  closest_t closest = closest_to(name);
  for (const option_group_t * group = groups; group->options; group++) {
    for (const option_t * option = group->options; option->name; option++) {
      closest_offer(&closest, option->name);
    }
  }
  fprintf(
    stderr, "mbdyn %s: unknown option '%s'%s\n", usage->command, name, closest_hint(&closest));
  return refuse_arguments(usage);
}

// hand an option its value: what follows '=', or the next argument
static int
take_option(
  const usage_t * usage, const option_t * option, void * target, int argc, char ** argv, int * i)
{
  const char * value = strchr(argv[*i], '=');
  if (value) value++;
  if (value && !option->value) {
    fprintf(stderr, "mbdyn %s: %s takes no value\n", usage->command, option->name);
    return refuse_arguments(usage);
  }
  if (!value && option->value) {
    if (*i + 1 >= argc) {
      fprintf(stderr, "mbdyn %s: %s needs %s\n", usage->command, option->name, option->value);
      return refuse_arguments(usage);
    }
    value = argv[++*i];
  }
  const char * expected = option->parse(target, value);
  if (!expected) return -1;
  fprintf(
    stderr, "mbdyn %s: %s '%s': expected %s\n", usage->command, option->name, value ? value : "",
    expected);
  return refuse_arguments(usage);
}

static int
take_operand(const usage_t * usage, const char * argument, const char ** operand)
{
  if (usage->operand && !*operand) {
    *operand = argument;
    return -1;
  }
  fprintf(
    stderr, "mbdyn %s: unexpected argument '%s'%s%s\n", usage->command, argument,
    usage->operand ? "; expected only one " : "", usage->operand ? usage->operand : "");
  return refuse_arguments(usage);
}

int
args_parse(
  const usage_t * usage, const option_group_t * groups, int argc, char ** argv,
  const char ** operand)
{
  bool only_operands = false;
  if (usage->operand) *operand = NULL;
  for (int i = 0; i < argc; i++) {
    const char * argument = argv[i];
    void * target = NULL;
    const option_t * option = NULL;
    int code = -1;
    if (only_operands || argument[0] != '-' || strcmp(argument, "-") == 0) {
      code = take_operand(usage, argument, operand);
    } else if (strcmp(argument, "--") == 0) {
      only_operands = true;
    } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      print_help(usage, groups);
      return CLI_OK;
    } else if ((option = find_option(groups, argument, &target)) != NULL) {
      code = take_option(usage, option, target, argc, argv, &i);
    } else {
      code = unknown_option(usage, groups, argument);
    }
    if (code >= 0) return code;
  }
  if (!usage->operand || *operand || usage->operand[0] == '[') return -1;
  fprintf(stderr, "mbdyn %s: %s is missing\n", usage->command, usage->operand);
  return refuse_arguments(usage);
}
