// `mbdyn dh`: tables of Denavit and Hartenberg into URDF, and URDF into tables.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "dh_text.h"
#include "mbdyn/operators/dh.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "dh",
  .operand = "FILE",
  .intro =
    "Convert Denavit-Hartenberg tables: a table (FILE.yaml, FILE.csv) is written as URDF; for a\n"
    "robot (FILE.urdf) its table is printed. The robot must be a serial chain of revolute and\n"
    "prismatic joints; with --tip the table describes the path to that link.",
  .details =
    "conventions, with q added to theta (revolute) or to d (prismatic):\n"
    "  standard   Rz(theta) Tz(d) Tx(a) Rx(alpha)    Denavit and Hartenberg, Paul, Angeles\n"
    "  modified   Rx(alpha) Tx(a) Rz(theta) Tz(d)    Craig, Khalil and Kleinfinger\n\n"
    "a table in YAML (docs/dh.md has all keys):\n"
    "  name: arm\n"
    "  convention: standard\n"
    "  angles: degrees\n"
    "  joints:\n"
    "    - {joint: shoulder, a: 0, alpha: 90, d: 0.3, mass: 2, com: [0, 0, -0.1],\n"
    "       inertia: [0.01, 0, 0, 0.01, 0, 0.01]}\n"
    "    - {joint: slide, type: prismatic, a: 0, alpha: 0, theta: 0, lower: 0, upper: 0.4}\n"
    "In CSV the keys of joints are the columns. Units are metres, kilograms and radians (degrees "
    "if\n"
    "specified); pi and pi/2 are accepted as numbers.\n\n"
    "exit code: 0 success; 2 wrong usage, unreadable file, invalid table, or a robot that is not "
    "a\n"
    "serial chain\n\n"
    "examples:\n"
    "  mbdyn dh arm.yaml -o arm.urdf\n"
    "  mbdyn dh ur5.csv --degrees --name ur5 | mbdyn info -\n"
    "  mbdyn dh arm.urdf --tip tool0 --degrees\n"
    "  mbdyn dh arm.urdf --convention modified --format yaml",
};

//---------- options ----------

typedef enum kind { KIND_UNKNOWN, KIND_YAML, KIND_CSV, KIND_URDF } kind_t;

typedef struct dh_cli {
  dh_defaults_t defaults;
  dh_format_t format;
  kind_t kind;
  double parallel;
  const char *tip, *name, *output;
} dh_cli_t;

static const char *
take_convention(void * target, const char * value)
{
  dh_cli_t * cli = target;
  cli->defaults.convention = strcmp(value, "modified") == 0 ? MBD_DH_MODIFIED : MBD_DH_STANDARD;
  const bool known = strcmp(value, "modified") == 0 || strcmp(value, "standard") == 0;
  return known ? NULL : "standard or modified";
}

static const char *
take_degrees(void * target, const char * value)
{
  (void)value;
  ((dh_cli_t *)target)->defaults.degrees = true;
  return NULL;
}

static const char *
take_format(void * target, const char * value)
{
  static const char * const name[] = {"text", "yaml", "csv"};
  for (int k = 0; k < 3; k++) {
    if (strcmp(value, name[k]) != 0) continue;
    ((dh_cli_t *)target)->format = (dh_format_t)k;
    return NULL;
  }
  return "text, yaml or csv";
}

static const char *
take_from(void * target, const char * value)
{
  static const char * const name[] = {"", "yaml", "csv", "urdf"};
  for (int k = 1; k < 4; k++) {
    if (strcmp(value, name[k]) != 0) continue;
    ((dh_cli_t *)target)->kind = (kind_t)k;
    return NULL;
  }
  return "yaml, csv or urdf";
}

static const char *
take_parallel(void * target, const char * value)
{
  char * end;
  const double x = strtod(value, &end);
  ((dh_cli_t *)target)->parallel = x;
  return end != value && !*end && x >= 0 && x < 0.1 ? NULL : "an angle from 0 to 0.1 rad";
}

static const char *
take_tip(void * target, const char * value)
{
  ((dh_cli_t *)target)->tip = value;
  return value[0] ? NULL : "a link";
}

static const char *
take_name(void * target, const char * value)
{
  ((dh_cli_t *)target)->name = value;
  return value[0] ? NULL : "a name";
}

static const char *
take_output(void * target, const char * value)
{
  ((dh_cli_t *)target)->output = value;
  return value[0] ? NULL : "a file";
}

static const option_t OPTIONS[] = {
  {"--convention", "standard|modified",
   "convention of the printed table, or of an input table that does not\nspecify one; default: "
   "standard",
   take_convention},
  {"--degrees", NULL,
   "angles in degrees, in the printed table or in an input table that does\nnot specify the unit",
   take_degrees},
  {"--tip", "LINK", "print the table of the path to this link, which becomes the tool frame",
   take_tip},
  {"--format", "text|yaml|csv",
   "format of the printed table; YAML is complete, CSV lacks base and tool;\n"
   "default: text",
   take_format},
  {"--parallel", "ANGLE",
   "treat axes within this angle as parallel [rad], default 1e-9; for\nrobots with rounded angles",
   take_parallel},
  {"--name", "NAME", "name of the robot; default: the name in the table", take_name},
  {"--from", "yaml|csv|urdf", "format of FILE; default: its extension", take_from},
  {"-o", "FILE", "output file; default: standard output", take_output},
  {"--output", "FILE", "same as -o", take_output},
  {NULL, NULL, NULL, NULL},
};

static bool
ends_in(const char * path, const char * ending)
{
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

static kind_t
kind_of(const char * path)
{
  if (ends_in(path, ".yaml") || ends_in(path, ".yml")) return KIND_YAML;
  if (ends_in(path, ".csv")) return KIND_CSV;
  if (ends_in(path, ".urdf") || ends_in(path, ".xml")) return KIND_URDF;
  return KIND_UNKNOWN;
}

static FILE *
open_output(const dh_cli_t * cli)
{
  if (!cli->output) return stdout;
  FILE * to = fopen(cli->output, "w");
  if (!to) fprintf(stderr, "%s: cannot be written: %s\n", cli->output, strerror(errno));
  return to;
}

// standard output is closed by who opened it
static int
close_output(const dh_cli_t * cli, FILE * to)
{
  if (to == stdout) return CLI_OK;
  return text_close(to, cli->output) ? CLI_OK : CLI_TROUBLE;
}

//---------- table -> URDF ----------

static void
warn_about_masses(const dh_text_t * text, const mbd_dh_t * table)
{
  int without = 0;
  for (int i = 0; i < table->n; i++) without += !(table->row[i].inertia.mass > 0);
  if (without == 0) return;
  fprintf(
    stderr,
    "%s: note: %d of %d links have no mass, which dynamics requires; --allow-massless loads the "
    "URDF anyway\n",
    text->source, without, table->n);
}

// names that the base and the tool share with a link
static bool
check_names(const dh_text_t * text, const mbd_model_t * model, const char * base_name)
{
  int frame;
  if (mbd_find_frame(model, base_name, &frame) != MBD_OK) return true;
  return dh_text_refuse(
    text, 0, "the base and another link are both named '%s'; add base: {name: ...}", base_name);
}

static int
write_urdf(const dh_cli_t * cli, const dh_text_t * text, dh_table_t * table)
{
  mbd_model_t * model = NULL;
  int bad;
  if (cli->name) table->dh.name = cli->name;
  const mbd_status_t status = mbd_dh_to_model(&table->dh, &model, &bad);
  if (status != MBD_OK) {
    const long line = bad >= 0 ? text->row[bad].line : 0;
    dh_text_refuse(
      text, line, "%s%d: %s", bad >= 0 ? "joint " : "tool of joint ",
      bad >= 0 ? bad + 1 : table->dh.n, mbd_status_string(status));
    return CLI_TROUBLE;
  }
  int code = CLI_TROUBLE;
  if (check_names(text, model, table->base_name)) {
    FILE * to = open_output(cli);
    if (to) {
      warn_about_masses(text, &table->dh);
      dh_write_urdf(to, model, table->base_name);
      code = close_output(cli, to);
    }
  }
  mbd_model_destroy(model);
  return code;
}

static int
import_table(const dh_cli_t * cli, const char * path)
{
  dh_text_t text;
  dh_table_t table = {.base_name = NULL};
  int code = CLI_TROUBLE;
  if (
    dh_text_read(path, cli->kind == KIND_CSV, &text) &&
    dh_table_read(&text, &cli->defaults, &table)) {
    code = write_urdf(cli, &text, &table);
  }
  dh_table_free(&table);
  dh_text_free(&text);
  return code;
}

//---------- URDF -> table ----------

static void
say_why(const char * path, const mbd_model_t * model, mbd_status_t status, int bad)
{
  const char * source = text_source_name(path);
  const char * joint = bad >= 0 ? model->body[bad].joint_name : "";
  switch (status) {
    case MBD_ERROR_BAD_JOINT:
      fprintf(
        stderr, "%s: joint '%s' is %s; tables support revolute and prismatic joints\n", source,
        joint, mbd_joint_type_name(model->body[bad].type));
      break;
    case MBD_ERROR_NOT_SERIAL:
      if (bad < 0) {
        fprintf(stderr, "%s: no moving joint\n", source);
      } else {
        fprintf(
          stderr,
          "%s: not a serial chain: joint '%s' starts another branch; --tip LINK selects the path "
          "to "
          "a link\n",
          source, joint);
      }
      break;
    case MBD_ERROR_MIMIC:
      fprintf(
        stderr, "%s: joint '%s' is a mimic joint; --mimic independent treats it as independent\n",
        source, joint);
      break;
    default: fprintf(stderr, "%s: %s\n", source, mbd_status_string(status));
  }
}

static void
warn_about_table(const char * path, const mbd_dh_t * table)
{
  const char * source = text_source_name(path);
  double far = 0, size = 1;
  for (int i = 0; i < table->n; i++) {
    far = fmax(far, fabs(table->row[i].d));
    size = fmax(size, fabs(table->row[i].a));
  }
  if (table->left_out > 0) {
    fprintf(
      stderr, "%s: note: %d moving bodies off the path are omitted, with their mass\n", source,
      table->left_out);
  }
  if (far > 1000 * size) {
    fprintf(
      stderr,
      "%s: note: d reaches %.3g m because axes are nearly parallel; --parallel 1e-4 treats them as "
      "parallel\n",
      source, far);
  }
  if (table->angle > 1e-8 || table->distance > 1e-8) {
    fprintf(
      stderr, "%s: note: the table deviates by up to %.3g rad and %.3g m at a joint axis\n", source,
      table->angle, table->distance);
  }
}

// names that would be two fields
static bool
fits_format(const dh_cli_t * cli, const char * path, const mbd_dh_t * table)
{
  for (int i = 0; cli->format == DH_FORMAT_CSV && i < table->n; i++) {
    const char * joint = table->row[i].joint_name;
    if (!strpbrk(joint, ",\"\n") && !strpbrk(table->row[i].name, ",\"\n")) continue;
    fprintf(
      stderr,
      "%s: joint '%s' or its link has a comma or a quote in its name; --format yaml supports it\n",
      text_source_name(path), joint);
    return false;
  }
  return true;
}

static int
print_table(const dh_cli_t * cli, const char * path, const mbd_model_t * model)
{
  mbd_dh_options_t options = mbd_dh_options_default();
  options.convention = cli->defaults.convention;
  options.parallel = cli->parallel;
  if (cli->tip && mbd_find_frame(model, cli->tip, &options.tip) != MBD_OK) {
    closest_t closest = closest_to(cli->tip);
    for (int k = 0; k < model->nframe; k++) closest_offer(&closest, model->frame[k].name);
    fprintf(
      stderr, "%s: no link '%s'%s\n", text_source_name(path), cli->tip, closest_hint(&closest));
    return CLI_TROUBLE;
  }
  if (cli->tip && model->frame[options.tip].body < 0) {
    fprintf(stderr, "%s: link '%s' is fixed to the base\n", text_source_name(path), cli->tip);
    return CLI_TROUBLE;
  }
  mbd_dh_t table = {.row = calloc((size_t)model->nbody + 1, sizeof *table.row)};
  int bad = -1, code = CLI_TROUBLE;
  const mbd_status_t status = table.row
                                ? mbd_dh_from_model(model, &options, model->nbody, &table, &bad)
                                : MBD_ERROR_OUT_OF_MEMORY;
  FILE * to = NULL;
  if (status != MBD_OK) {
    say_why(path, model, status, bad);
  } else if (fits_format(cli, path, &table) && (to = open_output(cli)) != NULL) {
    warn_about_table(path, &table);
    if (cli->name) table.name = cli->name;
    dh_write_table(to, &table, cli->format, cli->defaults.degrees);
    code = close_output(cli, to);
  }
  free(table.row);
  return code;
}

static int
export_robot(const dh_cli_t * cli, const char * path, const robot_options_t * options)
{
  robot_options_t given = *options;
  // geometry alone is a table too
  given.urdf.allow_massless = true;
  robot_t robot;
  int code = CLI_TROUBLE;
  if (robot_load(path, &given, &robot) && !robot_refuse_mimic(path, robot.model)) {
    code = print_table(cli, path, robot.model);
  }
  robot_free(&robot);
  return code;
}

int
dh_main(int argc, char ** argv)
{
  dh_cli_t cli = {.parallel = mbd_dh_options_default().parallel};
  robot_options_t options = robot_options_default();
  const option_group_t groups[] = {{OPTIONS, &cli}, {ROBOT_OPTIONS, &options}, {NULL, NULL}};
  const char * path;
  const int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  if (cli.kind == KIND_UNKNOWN) cli.kind = kind_of(path);
  if (cli.kind == KIND_UNKNOWN) {
    fprintf(
      stderr, "mbdyn dh: %s: unknown extension; give --from yaml, csv or urdf\n",
      text_source_name(path));
    return CLI_TROUBLE;
  }
  return cli.kind == KIND_URDF ? export_robot(&cli, path, &options) : import_table(&cli, path);
}
