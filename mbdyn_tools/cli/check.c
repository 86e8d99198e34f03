// `mbdyn check`: lint a robot description.
#include <stdio.h>

#include "args.h"
#include "command.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "check",
  .operand = "ROBOT.urdf",
  .intro =
    "Lint a robot description. Each finding is a line on standard output,\n"
    "  FILE:LINE: SEVERITY: ELEMENT: WHAT; HINT\n"
    "where SEVERITY is error (the robot is rejected), warning (an element is ignored or "
    "suspicious)\n"
    "or note (merged or normalised without changing the meaning). The last line has the totals.",
  .details =
    "exit code: 0 the robot loads; 1 errors (with --strict: or warnings); 2 wrong usage or\n"
    "unreadable file\n\n"
    "examples:\n"
    "  mbdyn check arm.urdf\n"
    "  mbdyn check --strict --base floating quadruped.urdf\n"
    "  mbdyn check arm.urdf.xacro\n"
    "  xacro ur.urdf.xacro name:=ur ur_type:=ur5e | mbdyn check -",
};

static const char *
plural(int n)
{
  return n == 1 ? "" : "s";
}

static void
print_report(const mbdx_report_t * report)
{
  robot_print_report(stdout, report, MBDX_NOTE);
  printf(
    "%s: %d error%s, %d warning%s, %d note%s\n", report->source, report->nerror,
    plural(report->nerror), report->nwarning, plural(report->nwarning), report->nnote,
    plural(report->nnote));
}

// a file that says nothing about a robot is not a finding
static bool
is_unreadable(const robot_t * robot)
{
  return !robot->report || robot->status == MBD_ERROR_FILE ||
         robot->status == MBD_ERROR_OUT_OF_MEMORY;
}

int
check_main(int argc, char ** argv)
{
  robot_options_t options = robot_options_default();
  const option_group_t groups[] = {{ROBOT_OPTIONS, &options}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;

  robot_embed(&options);
  robot_allow_flexible(&options);
  robot_t robot = robot_read(path, &options);
  if (is_unreadable(&robot)) {
    // why is in the report if there is one
    robot_print_report(stderr, robot.report, MBDX_ERROR);
    robot_print_report(stderr, robot.flexible_report, MBDX_ERROR);
    code = CLI_TROUBLE;
  } else {
    print_report(robot.report);
    if (robot.flexible_report) print_report(robot.flexible_report);
    const bool warned = options.urdf.strict && robot.report->nwarning > 0;
    code = robot.status != MBD_OK || robot.report->nerror > 0 || warned ? CLI_FOUND : CLI_OK;
  }
  robot_free(&robot);
  return code;
}
