// `mbdyn convert`: a robot description in another format.
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "mbdyn/robot_write.h"
#include "robot_options.h"
#include "text.h"

typedef struct convert {
  const char *to, *output;
} convert_t;

static const char *
take_to(void * target, const char * value)
{
  ((convert_t *)target)->to = value;
  return strcmp(value, "urdf") == 0 || strcmp(value, "mjcf") == 0 ? NULL : "urdf or mjcf";
}

static const char *
take_output(void * target, const char * value)
{
  ((convert_t *)target)->output = value;
  return NULL;
}

static const option_t CONVERT_OPTIONS[] = {
  {"--to", "urdf|mjcf", "format to write; required", take_to},
  {"-o", "FILE", "write to FILE instead of standard output", take_output},
  {NULL, NULL, NULL, NULL}};

static const usage_t USAGE = {
  .command = "convert",
  .operand = "ROBOT.urdf",
  .intro =
    "Write a robot as URDF or MJCF (MuJoCo), from either of them, with the same joints, "
    "coordinates and\n"
    "dynamics. Numbers are read back to the last bit. Shapes and meshes are not written.",
  .details =
    "What the format cannot hold is a warning on standard error; with --strict, and where the "
    "robot would\n"
    "move in another way, it is an error and nothing is written.\n\n"
    "exit code: 0 written; 1 the format cannot hold the robot; 2 wrong usage or unreadable file\n\n"
    "examples:\n"
    "  mbdyn convert arm.urdf --to mjcf -o arm.xml\n"
    "  mbdyn convert --base floating quadruped.urdf --to mjcf > quadruped.xml\n"
    "  mbdyn convert arm.xml --to urdf | mbdyn check -",
};

static bool
write_text(const convert_t * options, const char * text)
{
  FILE * to = options->output ? fopen(options->output, "w") : stdout;
  if (!to) {
    perror(options->output);
    return false;
  }
  fputs(text, to);
  return !options->output || text_close(to, options->output);
}

static int
convert(const convert_t * options, const robot_t * robot, bool strict)
{
  char * text = NULL;
  mbdx_report_t * report = NULL;
  const bool mjcf = strcmp(options->to, "mjcf") == 0;
  const mbd_status_t status = mjcf ? mbdx_mjcf_write(robot->model, &text, NULL, &report)
                                   : mbdx_urdf_write(robot->model, &text, NULL, &report);
  robot_print_report(stderr, report, MBDX_WARNING);
  int code = CLI_FOUND;
  if (!report) {
    fprintf(stderr, "mbdyn convert: %s\n", mbd_status_string(status));
    code = CLI_TROUBLE;
  } else if (status == MBD_OK && !(strict && report->nwarning > 0)) {
    code = write_text(options, text) ? CLI_OK : CLI_TROUBLE;
  }
  mbdx_robot_text_free(text);
  mbdx_report_free(report);
  return code;
}

int
convert_main(int argc, char ** argv)
{
  convert_t own = {NULL, NULL};
  robot_options_t options = robot_options_default();
  const option_group_t groups[] = {
    {CONVERT_OPTIONS, &own}, {ROBOT_OPTIONS, &options}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  if (!own.to) {
    fputs(
      "mbdyn convert: missing format: give --to urdf or --to mjcf\n"
      "try 'mbdyn convert --help'\n",
      stderr);
    return CLI_TROUBLE;
  }
  robot_embed(&options);
  robot_t robot;
  code =
    robot_load(path, &options, &robot) ? convert(&own, &robot, options.urdf.strict) : CLI_TROUBLE;
  robot_free(&robot);
  return code;
}
