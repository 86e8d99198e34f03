// The robot of a command: the options that say how to read it, and reading it.
#include "robot_options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/mjcf.h"
#include "mbdyn/operators/reroot.h"
#include "mbdyn/robot_write.h"
#include "text.h"
#include "xacro.h"

//---------- options ----------

robot_options_t
robot_options_default(void)
{
  robot_options_t options = {.urdf = mbdx_urdf_options_default()};
  options.urdf.embed = false;  // the commands take trees
  return options;
}

static const char *
take_base(void * target, const char * value)
{
  robot_options_t * options = target;
  if (strcmp(value, "fixed") == 0) {
    options->urdf.base = MBDX_BASE_FIXED;
  } else if (strcmp(value, "floating") == 0) {
    options->urdf.base = MBDX_BASE_FLOATING;
  } else {
    return "fixed or floating";
  }
  return NULL;
}

static const char *
take_mimic(void * target, const char * value)
{
  robot_options_t * options = target;
  if (strcmp(value, "independent") != 0) return "independent";
  options->urdf.mimic_independent = true;
  return NULL;
}

static const char *
take_loops(void * target, const char * value)
{
  robot_options_t * options = target;
  if (options->urdf.loops_file && options->urdf.mechanism)
    return "only one of --loops and --mechanism";
  options->no_loops = strcmp(value, "none") == 0;
  options->urdf.loops_file = options->no_loops ? NULL : value;
  return NULL;
}

static const char *
take_mechanism(void * target, const char * value)
{
  robot_options_t * options = target;
  if (options->urdf.loops_file && !options->urdf.mechanism)
    return "only one of --loops and --mechanism";
  options->no_loops = strcmp(value, "none") == 0;
  options->urdf.loops_file = options->no_loops ? NULL : value;
  options->urdf.mechanism = !options->no_loops;
  return NULL;
}

static const char *
take_flexible(void * target, const char * value)
{
  robot_options_t * options = target;
  options->no_flexible = strcmp(value, "none") == 0;
  options->flexible = options->no_flexible ? NULL : value;
  return NULL;
}

static const char *
take_rotors(void * target, const char * value)
{
  robot_options_t * options = target;
  if (strcmp(value, "exact") != 0) return "exact";
  options->urdf.exact_rotors = true;
  return NULL;
}

void
robot_embed(robot_options_t * options)
{
  options->urdf.embed = !options->urdf.mimic_independent || options->urdf.loops_file ||
                        options->urdf.exact_rotors || !options->no_loops;
}

void
robot_allow_flexible(robot_options_t * options)
{
  options->allow_flexible = true;
}

bool
robot_parse_vec3(const char * text, mbd_vec3_t * x)
{
  double number[3];
  for (int i = 0; i < 3; i++) {
    char * end = NULL;
    number[i] = strtod(text, &end);
    if (end == text || *end != (i < 2 ? ',' : 0) || !isfinite(number[i])) return false;
    text = end + 1;
  }
  *x = (mbd_vec3_t){number[0], number[1], number[2]};
  return true;
}

static const char *
take_gravity(void * target, const char * value)
{
  robot_options_t * options = target;
  return robot_parse_vec3(value, &options->urdf.gravity)
           ? NULL
           : "three numbers X,Y,Z in m/s^2, e.g. 0,0,-9.81";
}

static const char *
take_lock(void * target, const char * value)
{
  robot_options_t * options = target;
  if (options->urdf.nlock == ROBOT_LOCKS_MAX) return "at most 64 joints";
  options->lock[options->urdf.nlock++] = value;
  options->urdf.lock = options->lock;
  return NULL;
}

static const char *
take_strict(void * target, const char * value)
{
  (void)value;
  robot_options_t * options = target;
  options->urdf.strict = true;
  return NULL;
}

static const char *
take_allow_massless(void * target, const char * value)
{
  (void)value;
  robot_options_t * options = target;
  options->urdf.allow_massless = true;
  return NULL;
}

static const char *
take_root(void * target, const char * value)
{
  robot_options_t * options = target;
  options->root = value;
  return NULL;
}

const option_t ROOT_OPTIONS[] = {
  {"--root", "LINK",
   "floating base with LINK as its root: the free joint moves LINK, and the\n"
   "joints between LINK and the root link of the file are reversed; only for\n"
   "robots without loops (docs/free_flyer.md)",
   take_root},
  {NULL, NULL, NULL, NULL},
};

const option_t ROBOT_OPTIONS[] = {
  {"--base", "fixed|floating",
   "fixed (default), or floating: the root link moves by a free joint\n"
   "'root_joint' with q = x y z qx qy qz qw, v = linear and angular velocity\n"
   "in the root link's axes",
   take_base},
  {"--gravity", "X,Y,Z", "gravity in world axes [m/s^2], default 0,0,-9.81", take_gravity},
  {"--mimic", "independent",
   "treat mimic joints as independent joints; default: they are coupled to\n"
   "their leaders, or rejected by commands that support only trees",
   take_mimic},
  {"--loops", "FILE.yaml",
   "loop closures and gears (docs/loops.md); default: ROBOT.loops.yaml next\n"
   "to ROBOT.urdf, if it exists; none: no file",
   take_loops},
  {"--mechanism", "FILE.yaml",
   "closures, springs, bearings and drivers (docs/mechanism.md), in place of\n"
   "--loops; only simulations use bearings and drivers; default:\n"
   "ROBOT.mechanism.yaml next to ROBOT.urdf, if it exists; none: no file",
   take_mechanism},
  {"--flexible", "FILE.yaml",
   "flexible links (docs/flexible.md) in info, check and eval; other commands\n"
   "treat all links as rigid; default: ROBOT.flexible.yaml next to ROBOT.urdf,\n"
   "if it exists; none: no file",
   take_flexible},
  {"--rotors", "exact",
   "model rotors as bodies geared to their joints; default: reflected\n"
   "inertia on the diagonal",
   take_rotors},
  {"--lock", "JOINT[: POSITION]",
   "lock a joint at POSITION [rad or m], as if it were fixed; default: at 0 or\n"
   "the limit nearest to it. May be given several times",
   take_lock},
  {"--strict", NULL, "treat warnings (ignored or suspicious elements) as errors", take_strict},
  {"--allow-massless", NULL, "a moving subtree without mass is a warning instead of an error",
   take_allow_massless},
  {NULL, NULL, NULL, NULL},
};

//---------- reading ----------

bool
robot_file_beside(const char * path, const char * ending, char * beside, size_t size)
{
  static const char * const known[] = {".urdf.xacro", ".xacro", ".urdf"};
  const size_t n = strlen(path);
  size_t stem = 0;
  for (int k = 0; k < 3 && stem == 0; k++) {
    const size_t m = strlen(known[k]);
    if (n > m && strcmp(path + n - m, known[k]) == 0) stem = n - m;
  }
  if (stem == 0 || n + strlen(ending) + 1 > size) return false;
  snprintf(beside, size, "%.*s%s", (int)stem, path, ending);
  FILE * file = fopen(beside, "r");
  if (file) fclose(file);
  return file != NULL;
}

bool
robot_find_loops(const char * path, robot_options_t * options, char * beside, size_t size)
{
  char loops[4096];
  if (options->no_loops || options->urdf.loops_file) return true;
  const bool has_loops = robot_file_beside(path, ".loops.yaml", loops, sizeof loops);
  options->urdf.mechanism = robot_file_beside(path, ".mechanism.yaml", beside, size);
  if (options->urdf.mechanism && has_loops) {
    fprintf(
      stderr,
      "%s: %s is beside it, too; put all of it into one of them, or choose one by --loops or "
      "--mechanism\n",
      beside, loops);
    return false;
  }
  if (has_loops) snprintf(beside, size, "%s", loops);
  if (has_loops || options->urdf.mechanism) options->urdf.loops_file = beside;
  return true;
}

// the robot with another base; its status says if that cannot be
static void
take_base_link(const char * path, const char * link, robot_t * robot)
{
  mbd_model_t * model = robot->model;
  const char * source = text_source_name(path);
  int frame;
  robot->status = mbd_find_frame(model, link, &frame);
  if (robot->status != MBD_OK) {
    closest_t closest = closest_to(link);
    for (int k = 0; k < model->nframe; k++) closest_offer(&closest, model->frame[k].name);
    fprintf(
      stderr, "%s: --root %s: no such link in robot '%s'%s\n", source, link, model->name,
      closest_hint(&closest));
    return;
  }
  robot->status = mbd_reroot_create(model, frame, &robot->reroot);
  if (robot->status == MBD_ERROR_UNSUPPORTED) {
    fprintf(
      stderr,
      "%s: --root supports only robots without loops; --loops none leaves loops open, --mimic "
      "independent treats mimic joints as independent joints\n",
      source);
  } else if (robot->status != MBD_OK) {
    const char * joint = model->error_name ? model->error_name : link;
    fprintf(stderr, "%s: --root: '%s': %s\n", source, joint, mbd_status_string(robot->status));
  } else {
    robot->whole = model;
    robot->model = robot->reroot->model;
  }
}

// flexible links, if there are any and the command can
static void
read_flexible(const char * path, const robot_options_t * options, robot_t * robot)
{
  char beside[4096];
  const char * file = options->flexible;
  if (
    !file && !options->no_flexible &&
    robot_file_beside(path, ".flexible.yaml", beside, sizeof beside))
    file = beside;
  if (!file) return;
  if (options->allow_flexible && !options->root) {
    robot->status =
      mbdx_flexible_load_file(robot->model, file, &robot->flexible, &robot->flexible_report);
  } else {
    fprintf(
      stderr, "%s: %s treats all links as rigid; --flexible none suppresses this message\n", file,
      options->root ? "--root" : "this command");
    if (options->flexible) robot->status = MBD_ERROR_BAD_ARGUMENT;
  }
}

char *
robot_text(const char * path, size_t * size)
{
  return xacro_is(path) ? xacro_expand(path, size) : text_read_all(path, size);
}

// the outermost element, behind declarations and comments
static bool
is_mjcf(const char * text, size_t size)
{
  const char *s = text, *end = text + size;
  while (s < end) {
    const char * close = NULL;
    if (isspace((unsigned char)*s) || (unsigned char)*s >= 0x80) {
      s++;
      continue;
    }
    const bool comment = end - s > 4 && memcmp(s, "<!--", 4) == 0;
    if (!comment && !(end - s > 2 && memcmp(s, "<?", 2) == 0)) break;
    for (const char * c = s + 2; c + 1 < end && !close; c++)
      if (c[1] == '>' && *c == (comment ? '-' : '?')) close = c + 2;
    if (!close) return false;
    s = close;
  }
  return end - s > 7 && memcmp(s, "<mujoco", 7) == 0;
}

// URDF text of an MJCF robot; frees the text that was read
static char *
mjcf_to_urdf(const char * path, char * text, size_t * size)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  char * urdf = NULL;
  options.embed = false, options.allow_massless = true;
  mbd_status_t status =
    strcmp(path, "-") == 0
      ? mbdx_mjcf_load_string(text, *size, text_source_name(path), &options, &model, &report)
      : mbdx_mjcf_load_file(path, &options, &model, &report);
  robot_print_report(stderr, report, MBDX_ERROR);
  mbdx_report_free(report);
  if (status == MBD_OK) {
    status = mbdx_urdf_write(model, &urdf, size, &report);
    robot_print_report(stderr, report, MBDX_WARNING);
    mbdx_report_free(report);
  }
  if (status == MBD_ERROR_OUT_OF_MEMORY) fprintf(stderr, "%s: out of memory\n", path);
  mbd_model_destroy(model);
  free(text);
  return urdf;
}

char *
robot_urdf_text(const char * path, size_t * size)
{
  char * text = robot_text(path, size);
  return text && is_mjcf(text, *size) ? mjcf_to_urdf(path, text, size) : text;
}

// lines of a report on an expanded file are not those of the file
static const char *
report_name(const char * path, char * name, size_t size)
{
  if (!xacro_is(path)) return text_source_name(path);
  snprintf(name, size, "%s (expanded)", path);
  return name;
}

robot_t
robot_read(const char * path, const robot_options_t * given)
{
  robot_t robot = {.status = MBD_ERROR_FILE};
  robot_options_t copy = *given, *options = &copy;
  if (copy.root) copy.urdf.base = MBDX_BASE_FLOATING;
  char beside[4096], name[4096];
  if (!robot_find_loops(path, options, beside, sizeof beside)) {
    robot.status = MBD_ERROR_BAD_ARGUMENT;
    return robot;
  }
  if (strcmp(path, "-") != 0 && !xacro_is(path)) {
    robot.status = mbdx_urdf_load_file(path, &options->urdf, &robot.model, &robot.report);
  } else {
    size_t size;
    char * text = robot_text(path, &size);
    if (!text) return robot;
    robot.status = mbdx_urdf_load_string(
      text, size, report_name(path, name, sizeof name), &options->urdf, &robot.model,
      &robot.report);
    free(text);
  }
  // a report says more than a status
  if (!robot.report || (robot.status != MBD_OK && robot.report->nerror == 0)) {
    fprintf(stderr, "%s: %s\n", text_source_name(path), mbd_status_string(robot.status));
  }
  if (copy.root && robot.status == MBD_OK) take_base_link(path, copy.root, &robot);
  if (robot.status == MBD_OK) read_flexible(path, options, &robot);
  return robot;
}

static void
print_entry(FILE * to, const mbdx_report_entry_t * entry)
{
  fprintf(to, "%s:", entry->source);
  if (entry->line > 0) fprintf(to, "%d:", entry->line);
  fprintf(to, " %s: %s: %s", mbdx_severity_name(entry->severity), entry->element, entry->what);
  if (entry->hint) fprintf(to, "; %s", entry->hint);
  fputc('\n', to);
}

void
robot_print_report(FILE * to, const mbdx_report_t * report, mbdx_severity_t lowest)
{
  for (int i = 0; report && i < report->n; i++) {
    if (report->entry[i].severity >= lowest) print_entry(to, &report->entry[i]);
  }
}

bool
robot_load(const char * path, const robot_options_t * options, robot_t * robot)
{
  *robot = robot_read(path, options);
  robot_print_report(stderr, robot->report, MBDX_WARNING);
  robot_print_report(stderr, robot->flexible_report, MBDX_WARNING);
  return robot->status == MBD_OK;
}

void
robot_free(robot_t * robot)
{
  mbd_model_destroy(robot->flexible);
  mbdx_report_free(robot->flexible_report);
  mbdx_report_free(robot->report);
  // a re-rooted model goes with what made it
  mbd_model_t * read = robot->reroot ? robot->whole : robot->model;
  mbd_reroot_destroy(robot->reroot);
  mbd_model_destroy(read);
}

void
robot_warn_forces(const char * path, const mbd_model_t * model)
{
  if (model->nelement == 0) return;
  fprintf(
    stderr,
    "%s: force '%s': this command leaves out springs and other forces; --mechanism none suppresses "
    "this "
    "message\n",
    text_source_name(path), model->element[0].spec.name);
}

bool
robot_refuse_mimic(const char * path, const mbd_model_t * model)
{
  if (model->tree) return false;
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].from_mimic) continue;
    fprintf(
      stderr,
      "%s: closure '%s': this command supports only trees; --loops none leaves loops open\n",
      text_source_name(path), model->closure[k].name);
    return true;
  }
  if (model->nmimic == 0 || model->mimic_independent) return false;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->mimic_body < 0) continue;
    fprintf(
      stderr,
      "%s: joint '%s' mimics '%s', and this command does not support coupled joints; --mimic "
      "independent treats it as an independent joint\n",
      text_source_name(path), body->joint_name, model->body[body->mimic_body].joint_name);
  }
  return true;
}
