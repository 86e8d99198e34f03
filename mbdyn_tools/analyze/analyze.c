// `mbdyn analyze`: the dynamics of a recorded motion.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "args.h"
#include "command.h"
#include "reader.h"
#include "robot_options.h"
#include "text.h"
#include "threads.h"

typedef struct analyze {
  robot_options_t robot;
  states_options_t states;
  terms_options_t terms;
  bag_options_t output_options;
  const char * robot_path;
  const char *csv, *html, *output;
  double cutoff;  // [Hz]; < 0: chosen
  bool json;
} analyze_t;

// what is open while rows come
typedef struct run {
  const analyze_t * options;
  const char * path;
  bag_reader_t * bag;
  robot_t robot;
  char ** dof;
  states_t states;
  survey_t survey;
  motion_t motion;
  terms_t terms;
  findings_t findings;
  curves_t curves;
  FILE *csv_file, *html_file;
  table_t table;
  record_t record;
  bool recording;
  const char * description;  // topic that the robot came from, or NULL
} run_t;

//---------- options ----------

static const char *
take_number(const char * value, double least, double most, double * x)
{
  char * end = NULL;
  *x = strtod(value, &end);
  return end != value && !*end && *x >= least && *x <= most ? NULL : "a number in range";
}

static const char *
take_robot(void * target, const char * value)
{
  ((analyze_t *)target)->robot_path = value;
  return NULL;
}

static const char *
take_topic(void * target, const char * value)
{
  ((analyze_t *)target)->states.topic = value;
  return NULL;
}

static const char *
take_missing(void * target, const char * value)
{
  (void)value;
  ((analyze_t *)target)->states.allow_missing = true;
  return NULL;
}

static const char *
take_start(void * target, const char * value)
{
  const char * bad = take_number(value, 0, 1e9, &((analyze_t *)target)->states.start);
  return bad ? "seconds, at least 0" : NULL;
}

static const char *
take_duration(void * target, const char * value)
{
  const char * bad = take_number(value, 0, 1e9, &((analyze_t *)target)->states.duration);
  return bad ? "seconds, at least 0" : NULL;
}

static const char *
take_cutoff(void * target, const char * value)
{
  const char * bad = take_number(value, 0, 1e6, &((analyze_t *)target)->cutoff);
  return bad ? "a frequency in Hz, or 0 for none" : NULL;
}

static const char *
take_gain(void * target, const char * value)
{
  const char * bad = take_number(value, 1e-3, 1e6, &((analyze_t *)target)->terms.observer_gain);
  return bad ? "a number between 0.001 and 1000000" : NULL;
}

static const char *
take_threads(void * target, const char * value)
{
  return threads_take(value, &((analyze_t *)target)->terms.threads);
}

static const char *
take_without(void * target, const char * value)
{
  analyze_t * a = target;
  const char * rest = value;
  while (*rest) {
    const size_t n = strcspn(rest, ",");
    if (n == 8 && strncmp(rest, "friction", n) == 0) {
      a->terms.terms &= ~(uint32_t)MBD_TERM_FRICTION;
    } else if (n == 6 && strncmp(rest, "rotors", n) == 0) {
      a->terms.terms &= ~(uint32_t)MBD_TERM_ROTORS;
    } else if (n == 8 && strncmp(rest, "elements", n) == 0) {
      a->terms.terms &= ~(uint32_t)MBD_TERM_ELEMENTS;
    } else {
      return "friction, rotors, elements, or several with commas";
    }
    rest += n + (rest[n] == ',');
  }
  return NULL;
}

static const char *
take_csv(void * target, const char * value)
{
  ((analyze_t *)target)->csv = value;
  return NULL;
}

static const char *
take_html(void * target, const char * value)
{
  ((analyze_t *)target)->html = value;
  return NULL;
}

static const char *
take_output(void * target, const char * value)
{
  ((analyze_t *)target)->output = value;
  return NULL;
}

static const char *
take_format(void * target, const char * value)
{
  bag_options_t * o = &((analyze_t *)target)->output_options;
  return bag_format_parse(value, &o->format) ? NULL : "mcap or sqlite3 (if built in)";
}

static const char *
take_json(void * target, const char * value)
{
  (void)value;
  ((analyze_t *)target)->json = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--robot", "FILE", "URDF file; default: robot_description in the recording", take_robot},
  {"--topic", "NAME", "joint states topic; default: /joint_states, or the only one", take_topic},
  {"--allow-missing", NULL, "joints missing from the recording stay at zero", take_missing},
  {"--start", "SECONDS", "start offset from the first message", take_start},
  {"--duration", "SECONDS", "duration to analyze from there; default: all", take_duration},
  {"--cutoff", "HZ",
   "zero-phase low-pass of velocities and accelerations;\n"
   "default: 25, or a quarter of the sampling rate if that is\n"
   "lower; 0: no filter, finite differences of samples",
   take_cutoff},
  {"--without", "TERMS",
   "omit friction (<dynamics>), rotors (<transmission>),\n"
   "elements (springs and other forces), or several with commas",
   take_without},
  {"--observer-gain", "PER_SECOND", "gain of the momentum observer; default: 30", take_gain},
  {"--threads", "N", "number of threads; default: one per processor", take_threads},
  {"--csv", "FILE", "write every sample as a row; - for standard output", take_csv},
  {"--html", "FILE", "write a self-contained page with plots", take_html},
  {"--output", "FOLDER", "write a recording with /mbdyn/joint_torques and others", take_output},
  {"--format", "mcap|sqlite3", "format of that recording; default: mcap", take_format},
  {"--json", NULL, "print the summary as JSON", take_json},
  {NULL, NULL, NULL, NULL}};

static const usage_t USAGE = {
  .command = "analyze",
  .operand = "RECORDING",
  .intro =
    "Compute torques by term, energies, power, external torques and reached limits of a recorded\n"
    "motion. RECORDING is a rosbag2 folder, a .mcap or a .db3 file with sensor_msgs/JointState.",
  .details =
    "total     gravity + coriolis + inertia + friction: the motor torque without external forces\n"
    "external  external joint torque, estimated by a momentum observer from measured efforts\n"
    "limits    reached: within 0.1 % of the limit, or beyond\n\n"
    "All quantities are in SI units and radians. Recordings of any length are read in two passes\n"
    "with bounded memory. Columns of the CSV are t, kinetic, potential, power, then q_, v_, a_, "
    "tau_\n"
    "(measured), total_, gravity_, coriolis_, inertia_, friction_, external_, error_ and power_ "
    "of\n"
    "each joint; `mbdyn identify` reads this file directly.\n\n"
    "exit code: 0 success; 2 wrong usage, unreadable recording or robot, or output that cannot be\n"
    "written\n\n"
    "examples:\n"
    "  mbdyn analyze run1 --html report.html\n"
    "  mbdyn analyze run1 --robot arm.urdf --json\n"
    "  mbdyn analyze run1 --csv run1.csv --output run1_dynamics"};

static analyze_t
defaults(void)
{
  analyze_t a = {.robot = robot_options_default(), .cutoff = -1};
  a.states.start = a.states.duration = -1;
  a.terms.terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS | MBD_TERM_ELEMENTS;
  a.terms.observer_gain = 30;
  a.terms.threads = threads_default();
  if (!bag_compression_parse("zstd", &a.output_options.compression)) {
    a.output_options.compression = BAG_NONE;
  }
  return a;
}

//---------- progress ----------

static void
show(const char * what, double part)
{
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%s %3.0f %%  ", what, 100 * fmin(part, 1));
}

static void
show_reading(double part)
{
  show("reading  ", part);
}

static void
show_nothing(void)
{
  if (isatty(STDERR_FILENO)) fputs("\r                    \r", stderr);
}

//---------- robot ----------

// the topic that has a URDF, or -1
static int
description_topic(const bag_info_t * info)
{
  int best = -1;
  for (uint32_t i = 0; i < info->ntopic; i++) {
    const bag_topic_t * t = &info->topic[i];
    const char * end = strstr(t->name, "robot_description");
    if (strcmp(t->type, "std_msgs/msg/String") != 0 || !end || strcmp(end, "robot_description")) {
      continue;
    }
    if (t->count > 0 && best < 0) best = (int)i;
  }
  return best;
}

static bool
load_text(run_t * r, const bag_message_t * m)
{
  wire_reader_t reader = wire_open(m->data, m->size);
  const wire_text_t text = wire_string(&reader);
  if (!wire_ok(&reader)) {
    fprintf(stderr, "mbdyn analyze: '%s' is not a string message\n", r->description);
    return false;
  }
  r->robot.status = mbdx_urdf_load_string(
    text.data, text.size, r->description, &r->options->robot.urdf, &r->robot.model,
    &r->robot.report);
  robot_print_report(stderr, r->robot.report, MBDX_WARNING);
  return r->robot.status == MBD_OK;
}

static bool
load_from_recording(run_t * r)
{
  const bag_info_t * info = bag_info(r->bag);
  const int topic = description_topic(info);
  if (topic < 0) {
    fputs("mbdyn analyze: no robot_description in the recording; give --robot FILE\n", stderr);
    return false;
  }
  r->description = info->topic[topic].name;
  bool * wanted = calloc(info->ntopic, sizeof *wanted);
  bag_error_t error = {"out of memory"};
  bag_message_t m;
  int got = -1;
  if (wanted) {
    wanted[topic] = true;
    if (bag_select(r->bag, wanted, INT64_MIN, INT64_MAX, &error))
      got = bag_next(r->bag, &m, &error);
  }
  free(wanted);
  if (got > 0) return load_text(r, &m);
  fprintf(stderr, "mbdyn analyze: %s\n", got < 0 ? error.text : "robot_description cannot be read");
  return false;
}

static bool
name_degrees(run_t * r)
{
  const mbd_model_t * model = r->robot.model;
  r->dof = calloc((size_t)model->nv + 1, sizeof *r->dof);
  for (int i = 0; r->dof && i < model->nv; i++) {
    const mbd_body_t * body = &model->body[model->dof_body[i]];
    char name[256];
    joint_dof_name(body, i - body->v_index, name, sizeof name);
    r->dof[i] = strdup(name);
    if (!r->dof[i]) return false;
  }
  return r->dof != NULL;
}

static bool
load_robot(run_t * r)
{
  const char * path = r->options->robot_path;
  const bool loaded =
    path ? robot_load(path, &r->options->robot, &r->robot) : load_from_recording(r);
  if (!loaded) return false;
  const mbd_model_t * model = r->robot.model;
  if (robot_refuse_mimic(path ? path : r->description, model)) return false;
  if (model->nv == 0) {
    fputs("mbdyn analyze: the robot has no moving joint\n", stderr);
    return false;
  }
  return name_degrees(r);
}

//---------- rows ----------

static bool
take_row(void * to, const row_t * row)
{
  run_t * r = to;
  findings_take(&r->findings, row);
  if (r->html_file) curves_take(&r->curves, row);
  if (r->csv_file) table_take(&r->table, row);
  if (r->recording && !record_take(&r->record, row)) {
    fprintf(stderr, "mbdyn analyze: %s: %s\n", r->options->output, r->record.error.text);
    return false;
  }
  if (r->csv_file && ferror(r->csv_file)) return false;  // said when it is closed
  return true;
}

static double
choose_cutoff(const run_t * r)
{
  const double rate = 1 / r->survey.step;
  return r->options->cutoff >= 0 ? r->options->cutoff : fmin(25, rate / 4);
}

static bool
check_cutoff(const run_t * r, double cutoff)
{
  const double most = 0.4 / r->survey.step;
  if (cutoff < most) return true;
  fprintf(
    stderr, "mbdyn analyze: --cutoff %g: the sample period is %g s, so at most %g Hz\n", cutoff,
    r->survey.step, most);
  return false;
}

static bool
can_differentiate(const run_t * r)
{
  const mbd_model_t * model = r->robot.model;
  if (r->survey.velocity || model->nq == model->nv) return true;
  fputs(
    "mbdyn analyze: the recording has no velocities, and positions of joints with several degrees\n"
    "of freedom cannot be differentiated\n",
    stderr);
  return false;
}

// second time through the recording
static bool
compute(run_t * r)
{
  const double cutoff = choose_cutoff(r);
  if (!check_cutoff(r, cutoff) || !can_differentiate(r) || !states_rewind(&r->states)) return false;
  terms_options_t options = r->options->terms;
  options.observe = r->survey.effort;
  options.on_row = take_row;
  options.to = r;
  const mbd_model_t * model = r->robot.model;
  const double end = (double)(r->survey.last - r->survey.first) * 1e-9;
  const mbd_status_t status = terms_create(&r->terms, model, &options);
  if (
    status != MBD_OK || !motion_create(&r->motion, model, &r->survey, cutoff) ||
    !findings_create(&r->findings, model) || !curves_create(&r->curves, model->nv, 0, end)) {
    fprintf(
      stderr, "mbdyn analyze: %s\n",
      status != MBD_OK ? mbd_status_string(status) : "out of memory, or the cutoff is too low");
    return false;
  }
  int got;
  while ((got = states_next(&r->states)) > 0) {
    if (!motion_push(&r->motion, &r->states, terms_push, &r->terms)) return false;
    if (r->states.messages % 4096 == 0) {
      show("computing", (double)r->states.messages / (double)(r->survey.messages + 1));
    }
  }
  if (got < 0 || !terms_flush(&r->terms)) return false;
  findings_end(&r->findings);
  if (r->findings.rows > 0) return true;
  fprintf(
    stderr,
    "mbdyn analyze: no uninterrupted segment of the recording is long enough for the low-pass "
    "filter\n"
    "(%.3g s); give a higher --cutoff, or 0\n",
    cutoff > 0 ? 6 / cutoff : 2 * r->survey.step);
  return false;
}

//---------- outputs ----------

static bool
open_file(const char * path, FILE ** file)
{
  if (!path) return true;
  *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (*file) return true;
  fprintf(stderr, "mbdyn analyze: cannot write '%s': %s\n", path, strerror(errno));
  return false;
}

static bool
open_outputs(run_t * r)
{
  const analyze_t * a = r->options;
  if (!open_file(a->csv, &r->csv_file) || !open_file(a->html, &r->html_file)) return false;
  if (r->csv_file) table_open(&r->table, r->csv_file, r->robot.model, r->dof);
  if (!a->output) return true;
  bag_options_t options = a->output_options;
  if (options.format == BAG_SQLITE3) options.compression = BAG_NONE;
  r->recording = true;
  if (record_open(&r->record, a->output, &options, r->robot.model, r->dof)) return true;
  fprintf(stderr, "mbdyn analyze: %s\n", r->record.error.text);
  return false;
}

// false after a message if something was lost
static bool
close_outputs(run_t * r, bool complete)
{
  bool ok = true;
  if (r->recording && !record_close(&r->record) && complete) {
    fprintf(stderr, "mbdyn analyze: %s\n", r->record.error.text);
    ok = false;
  }
  FILE * files[2] = {r->csv_file, r->html_file};
  const char * names[2] = {r->options->csv, r->options->html};
  for (int i = 0; i < 2; i++) {
    if (files[i] && files[i] != stdout) ok = text_close(files[i], names[i]) && ok;
  }
  return ok;
}

static void
report(run_t * r)
{
  const analyze_t * a = r->options;
  const report_t x = {
    .recording = r->path,
    .robot = a->robot_path ? text_source_name(a->robot_path) : r->description,
    .topic = r->states.topic->name,
    .note = bag_note(r->bag),
    .model = r->robot.model,
    .survey = &r->survey,
    .found = &r->findings,
    .curves = &r->curves,
    .options = &a->terms,
    .cutoff = r->motion.cutoff,
    .dof = r->dof};
  show_nothing();
  if (x.note[0]) fprintf(stderr, "mbdyn analyze: %s: %s\n", r->path, x.note);
  if (r->html_file) report_html(&x, r->html_file);
  // rows on standard output stay alone there
  if (r->csv_file == stdout || r->html_file == stdout) return;
  if (a->json) {
    report_json(&x, stdout);
  } else {
    report_text(&x, stdout);
  }
}

//---------- all of it ----------

static bool
analyze(run_t * r)
{
  if (!load_robot(r)) return false;
  if (!states_open(&r->states, r->bag, r->robot.model, &r->options->states)) return false;
  if (!survey_states(&r->states, &r->survey, show_reading)) return false;
  bool ok = open_outputs(r) && compute(r);
  if (ok) report(r);
  return close_outputs(r, ok) && ok;
}

static void
free_run(run_t * r)
{
  curves_free(&r->curves);
  findings_free(&r->findings);
  motion_free(&r->motion);
  terms_free(&r->terms);
  states_close(&r->states);
  for (int i = 0; r->dof && r->dof[i]; i++) free(r->dof[i]);
  free(r->dof);
  robot_free(&r->robot);
  bag_free(r->bag);
}

int
analyze_main(int argc, char ** argv)
{
  analyze_t options = defaults();
  run_t r = {.options = &options};
  const option_group_t groups[] = {{OPTIONS, &options}, {ROBOT_OPTIONS, &options.robot}, {0}};
  const int code = args_parse(&USAGE, groups, argc, argv, &r.path);
  if (code >= 0) return code;
  bag_error_t error;
  r.bag = bag_open(r.path, &error);
  if (!r.bag) {
    fprintf(stderr, "mbdyn analyze: %s\n", error.text);
    return CLI_TROUBLE;
  }
  const bool ok = analyze(&r);
  free_run(&r);
  return ok ? CLI_OK : CLI_TROUBLE;
}
