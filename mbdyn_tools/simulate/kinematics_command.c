// `mbdyn kinematics`: driven analysis of a mechanism on a grid of times.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "mbdyn/kinematics.h"
#include "simulate_parts.h"
#include "text.h"

// steps of the analysis are at most 10 ms
enum { MOST_TIMES = 1000000, MOST_SECONDS = 100000, MOST_EVENTS = 100, SUMMARY_SIZE = 8192 };

typedef struct kinematics_options {
  simulate_options_t simulate;  // of the file
  bool has_grid;
  double first, last, step;
  const char *csv, *plot;
} kinematics_options_t;

// a singular configuration that was passed, or the end
typedef struct found {
  mbd_driven_type_t type;
  double t;
  int closure;
  bool driver;
} found_t;

typedef struct analysis {
  const kinematics_options_t * options;
  const subject_t * subject;
  mbd_data_t * data;
  void * memory;
  mbd_driven_t * driven;
  const mbd_driven_info_t * info;
  long n, done;  // times of the grid, and those reached
  FILE *csv, *html;
  page_t page;
  bool has_page;
  double * y;         // outputs, their rates and second rates [3 noutput]
  double * gradient;  // [nv]
  int nfound;         // more than MOST_EVENTS are counted
  found_t found[MOST_EVENTS];
  double smallest, smallest_time;
} analysis_t;

//---------- options ----------

static const char GRID[] =
  "START:END:STEP in seconds, START below END, STEP positive, at most 1000000 times, within "
  "-100000 to 100000 s";

static const char *
take_grid(void * target, const char * value)
{
  kinematics_options_t * o = target;
  double x[3];
  char * end = NULL;
  for (int k = 0; k < 3; k++) {
    x[k] = strtod(value, &end);
    if (end == value || !(fabs(x[k]) <= MOST_SECONDS) || *end != (k < 2 ? ':' : 0)) return GRID;
    value = end + 1;
  }
  if (!(x[2] > 0 && x[0] < x[1] && (x[1] - x[0]) / x[2] < MOST_TIMES - 1)) return GRID;
  o->first = x[0], o->last = x[1], o->step = x[2], o->has_grid = true;
  return NULL;
}

static const char *
take_coordinates(void * target, const char * value)
{
  kinematics_options_t * o = target;
  const bool tree = strcmp(value, "tree") == 0;
  o->simulate.mechanism.coordinates = tree ? MBDX_COORDINATES_TREE : MBDX_COORDINATES_CARTESIAN;
  return tree || strcmp(value, "cartesian") == 0 ? NULL : "tree or cartesian";
}

static const char *
take_csv(void * target, const char * value)
{
  ((kinematics_options_t *)target)->csv = value;
  return NULL;
}

static const char *
take_plot(void * target, const char * value)
{
  ((kinematics_options_t *)target)->plot = value;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--grid", "START:END:STEP",
   "times [s]; default: from 0 to the time of the section simulate (or\n"
   "10 s), every 0.01 s",
   take_grid},
  {"--coordinates", "tree|cartesian",
   "coordinates of the mechanism: of a spanning tree, or of free bodies", take_coordinates},
  {"--csv", "FILE", "write a row per time; - for standard output", take_csv},
  {"--plot", "FILE", "write a self-contained HTML page with curves and an animation", take_plot},
  {NULL, NULL, NULL, NULL}};

static const usage_t USAGE = {
  .command = "kinematics",
  .operand = "FILE",
  .intro =
    "Positions, velocities and accelerations of a mechanism (FILE.yaml, docs/mechanism.md, or a\n"
    "URDF with FILE.mechanism.yaml next to it) whose drivers prescribe its motion: one driver\n"
    "for each degree of freedom. In a mechanism file without drivers, joints with an initial\n"
    "velocity are driven at it. Implied (redundant) rows, mobility, and singular\n"
    "configurations: where the mechanism locks or branches, and when.",
  .details =
    "Columns of the CSV are t, q_ of each coordinate, v_, a_ of each degree of freedom, y_, yd_,\n"
    "ydd_ of each output of the file and its rates, smallest (singular value of the rows; zero\n"
    "where the mechanism is singular) and sign (of their determinant). All quantities are in SI\n"
    "units and radians.\n\n"
    "Bifurcations are passed on the branch with continuous velocity. A lock-up ends the\n"
    "analysis; output up to then is kept.\n\n"
    "exit code: 0 success; 1 the mechanism locks; 2 wrong usage, invalid file, drivers that do\n"
    "not determine the motion, or output that cannot be written\n\n"
    "examples:\n"
    "  mbdyn kinematics config/mechanisms/driven_slider_crank.mechanism.yaml --grid 0:2:0.01\n"
    "  mbdyn kinematics config/mechanisms/locking_slider_crank.mechanism.yaml --csv rows.csv\n"
    "  mbdyn kinematics config/mechanisms/windshield_wiper.mechanism.yaml --plot wiper.html"};

//---------- outputs ----------

static FILE *
open_file(const char * path)
{
  FILE * file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (!file) fprintf(stderr, "mbdyn kinematics: cannot write '%s': %s\n", path, strerror(errno));
  return file;
}

static int
number_of_outputs(const analysis_t * a)
{
  return a->subject->mechanism ? a->subject->mechanism->noutput : 0;
}

static void
write_header(const analysis_t * a)
{
  static const char * const RATES[] = {"y", "yd", "ydd"};
  const subject_t * s = a->subject;
  fputs("t", a->csv);
  for (int i = 0; i < s->model->nq; i++) fprintf(a->csv, ",q_%s", s->coordinate[i]);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < s->model->nv; i++) fprintf(a->csv, ",%s_%s", k ? "a" : "v", s->dof[i]);
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < number_of_outputs(a); i++)
      fprintf(a->csv, ",%s_%s", RATES[k], s->mechanism->output[i].name);
  }
  fputs(",smallest,sign\n", a->csv);
}

static bool
open_outputs(analysis_t * a)
{
  const kinematics_options_t * o = a->options;
  const mbd_model_t * m = a->subject->model;
  if (o->csv && !(a->csv = open_file(o->csv))) return false;
  if (a->csv) write_header(a);
  if (!o->plot) return true;
  if (!(a->html = open_file(o->plot))) return false;
  const int ncurve = m->nq + 2 * m->nv + 3 * number_of_outputs(a) + 1;
  a->has_page = page_begin(&a->page, a->subject, ncurve, a->n, o->first, o->last);
  if (!a->has_page) fputs("mbdyn kinematics: out of memory; use fewer times\n", stderr);
  return a->has_page;
}

static void
write_numbers(FILE * out, const double * x, int n)
{
  for (int i = 0; i < n; i++) fprintf(out, ",%.15g", x[i]);
}

// outputs of the file at the state of info
static void
measure(analysis_t * a)
{
  const mbd_model_t * m = a->subject->model;
  const int n = number_of_outputs(a);
  for (int k = 0; k < n; k++) {
    double *y = &a->y[k], *yd = &a->y[n + k], *ydd = &a->y[2 * n + k];
    const mbd_measure_t * measure = &a->subject->mechanism->output[k];
    *yd = *ydd = NAN;
    // at a distance of zero and half a turn there are no rates
    if (mbd_measure(m, a->data, measure, y, NULL, NULL) != MBD_OK) *y = NAN;
    if (mbd_measure(m, a->data, measure, NULL, a->gradient, ydd) != MBD_OK) continue;
    *yd = 0;
    for (int i = 0; i < m->nv; i++)
      *yd += a->gradient[i] * a->info->v[i], *ydd += a->gradient[i] * a->info->qdd[i];
  }
}

static bool
take_time(analysis_t * a)
{
  const mbd_model_t * m = a->subject->model;
  const mbd_driven_info_t * info = a->info;
  const int n = number_of_outputs(a);
  measure(a);
  if (info->smallest < a->smallest) a->smallest = info->smallest, a->smallest_time = info->t;
  if (a->csv) {
    fprintf(a->csv, "%.15g", info->t);
    write_numbers(a->csv, info->q, m->nq);
    write_numbers(a->csv, info->v, m->nv);
    write_numbers(a->csv, info->qdd, m->nv);
    write_numbers(a->csv, a->y, 3 * n);
    fprintf(a->csv, ",%.6g,%d\n", info->smallest, info->sign);
    if (ferror(a->csv)) return false;  // said when it is closed
  }
  if (a->has_page) {
    int c = 0;
    for (int i = 0; i < m->nq; i++) curves_add(&a->page.curves, c++, info->t, info->q[i]);
    for (int i = 0; i < m->nv; i++) curves_add(&a->page.curves, c++, info->t, info->v[i]);
    for (int i = 0; i < m->nv; i++) curves_add(&a->page.curves, c++, info->t, info->qdd[i]);
    for (int i = 0; i < 3 * n; i++) curves_add(&a->page.curves, c++, info->t, a->y[i]);
    curves_add(&a->page.curves, c, info->t, info->smallest);
    page_pose(&a->page, a->done, info->t, a->data);
  }
  a->done++;
  return true;
}

//---------- words ----------

// "driver 'motor' (line 12)"
static void
write_part(FILE * out, const subject_t * s, const char * name)
{
  int line = 0;
  const char * kind = mbdx_mechanism_place(s->mechanism, name, &line);
  fprintf(out, "%s '%s'", kind ? kind : "closure", name);
  if (line > 0) fprintf(out, " (line %d)", line);
}

static const char *
meaning(const found_t * f)
{
  switch (f->type) {
    case MBD_DRIVEN_LOCK_UP:
      return f->driver ? "the closures allow no motion beyond with these drivers; they are regular "
                         "here, other drivers could pass"
                       : "the closures allow no motion beyond with these drivers, and are singular "
                         "themselves";
    case MBD_DRIVEN_SINGULAR_DRIVER:
      return "the drivers do not determine the motion here; it goes on with continuous velocity";
    default: return "the mechanism may branch; it goes on with continuous velocity";
  }
}

// rows of a closure that are implied: "cross: rows 1 to 3 of 4"
static void
write_implied(FILE * out, const analysis_t * a)
{
  const mbd_model_t * m = a->subject->model;
  bool any = false;
  for (int k = 0; k < m->nclosure; k++) {
    const mbd_closure_t * c = &m->closure[k];
    int n = 0;
    for (int r = 0; r < c->nrow; r++) n += a->info->implied[c->row + r];
    if (n == 0) continue;
    fprintf(out, "%s%s", any ? "; " : "implied      ", c->name);
    any = true;
    if (n == c->nrow) continue;
    fprintf(out, ": row%s", n > 1 ? "s" : "");
    for (int r = 0; r < c->nrow; r++) {
      if (a->info->implied[c->row + r]) fprintf(out, " %d", r + 1);
    }
    fprintf(out, " of %d", c->nrow);
  }
  if (any) fputs("\n", out);
}

static void
write_drivers(FILE * out, const mbd_model_t * m)
{
  const char * before = "drivers      ";
  for (int k = 0; k < m->nclosure; k++) {
    if (!m->closure[k].driver.at) continue;
    fprintf(out, "%s%s", before, m->closure[k].name);
    before = ", ";
  }
  fputs("\n", out);
}

static void
summary(FILE * out, const analysis_t * a)
{
  const mbd_model_t * m = a->subject->model;
  const mbd_driven_info_t * info = a->info;
  fprintf(
    out, "%s: bodies %d, closures %d, drivers %d, coordinates %d\n", m->name, m->nbody,
    m->nclosure - info->ndriver, info->ndriver, m->nv);
  write_drivers(out, m);
  fprintf(
    out,
    "mobility     %d by rank, %d by counting rows; %d of %d rows %s implied by those before them\n",
    info->mobility, info->mobility_count, info->nimplied, m->nrow,
    info->nimplied == 1 ? "is" : "are");
  write_implied(out, a);
  fprintf(
    out, "grid         %.9g to %.9g s, %ld of %ld times\n", a->options->first, info->t, a->done,
    a->n);
  if (a->done > 0)
    fprintf(
      out, "conditioning smallest singular value %.3g at %.6g s\n", a->smallest, a->smallest_time);
  for (int k = 0; k < a->nfound && k < MOST_EVENTS; k++) {
    const found_t * f = &a->found[k];
    fprintf(out, "%-12s t = %.9f s: ", mbd_driven_type_name(f->type), f->t);
    if (f->closure >= 0) {
      write_part(out, a->subject, m->closure[f->closure].name);
      fputs(": ", out);
    }
    fprintf(out, "%s\n", meaning(f));
  }
  if (a->nfound > MOST_EVENTS)
    fprintf(out, "             %d further singular configurations\n", a->nfound - MOST_EVENTS);
}

//---------- errors ----------

// FILE:LINE: driver 'motor':
static void
begin_message(const subject_t * s, const char * name)
{
  int line = 0;
  const char * kind = name ? mbdx_mechanism_place(s->mechanism, name, &line) : NULL;
  fputs(line > 0 && *s->mechanism_path ? s->mechanism_path : s->path, stderr);
  if (line > 0) fprintf(stderr, ":%d", line);
  fputs(": ", stderr);
  if (name) fprintf(stderr, "%s '%s': ", kind ? kind : "closure", name);
}

static const char *
nonholonomic_closure(const mbd_model_t * m)
{
  for (int k = 0; k < m->nclosure; k++) {
    if (m->closure[k].nposition == 0) return m->closure[k].name;
  }
  return NULL;
}

static void
explain_drivers(const analysis_t * a)
{
  const mbd_driven_info_t * i = a->info;
  begin_message(a->subject, NULL);
  if (i->ndriver == 0)
    fputs("no driver", stderr);
  else
    fprintf(stderr, "%d driver%s", i->ndriver, i->ndriver == 1 ? "" : "s");
  fprintf(
    stderr,
    ", but the closures leave %d degree%s of freedom; add drivers: [{name: ..., joint: ..., rate: "
    "...}], one for each, or use mbdyn simulate\n",
    i->mobility, i->mobility == 1 ? "" : "s");
}

static void
explain_start(const analysis_t * a, mbd_status_t status)
{
  const subject_t * s = a->subject;
  const mbd_driven_event_t * e = &a->info->event;
  const char * name = e->closure >= 0 ? s->model->closure[e->closure].name : NULL;
  if (status == MBD_ERROR_UNDERACTUATED) {
    explain_drivers(a);
    return;
  }
  begin_message(s, status == MBD_ERROR_LOCKED ? name : NULL);
  if (status != MBD_ERROR_LOCKED)
    fprintf(stderr, "start at %.9g s: %s\n", a->info->t, mbd_status_string(status));
  else if (e->driver && a->info->ndriver > a->info->mobility)
    fprintf(
      stderr,
      "over-driven: %d drivers, but the closures leave %d degree%s of freedom; keep one for each\n",
      a->info->ndriver, a->info->mobility, a->info->mobility == 1 ? "" : "s");
  else
    fprintf(
      stderr,
      "start at %.9g s: %s: velocities are not determined; start elsewhere with the section "
      "initial or --grid, or drive another joint\n",
      a->info->t, mbd_driven_type_name(e->type));
}

static void
explain_end(const analysis_t * a, mbd_status_t status)
{
  begin_message(a->subject, NULL);
  fprintf(stderr, "t = %.9g s: ", a->info->t);
  if (status == MBD_ERROR_STEP)
    fputs(
      "no configuration was found beyond: an implied row contradicts the others, or a driver "
      "jumps\n",
      stderr);
  else
    fprintf(stderr, "%s\n", mbd_status_string(status));
}

//---------- the analysis ----------

static bool
create(analysis_t * a)
{
  const mbd_model_t * m = a->subject->model;
  const size_t size = mbd_driven_size(m);
  a->memory = malloc(size);
  a->gradient = calloc((size_t)m->nv + 1, sizeof *a->gradient);
  a->y = calloc(3 * (size_t)number_of_outputs(a) + 1, sizeof *a->y);
  if (!a->memory || !a->gradient || !a->y || mbd_data_create(m, &a->data) != MBD_OK) {
    fputs("mbdyn kinematics: out of memory\n", stderr);
    return false;
  }
  mbd_driven_options_t options = mbd_driven_options_default();
  options.step = fmin(options.step, a->options->step);
  const mbd_status_t status = mbd_driven_init(m, &options, a->memory, size, &a->driven);
  a->info = mbd_driven_info(a->driven);
  if (status == MBD_OK) return true;
  const char * name = nonholonomic_closure(m);
  begin_message(a->subject, name);
  fprintf(
    stderr, "%s\n",
    name ? "prescribes velocities, not positions; use mbdyn simulate"
         : "flexible links are not supported; --flexible none");
  return false;
}

static void
keep_found(analysis_t * a)
{
  const mbd_driven_event_t * e = &a->info->event;
  for (; a->nfound < a->info->nsingular; a->nfound++) {
    if (a->nfound < MOST_EVENTS)
      a->found[a->nfound] = (found_t){e->type, e->t, e->closure, e->driver};
  }
}

static double
time_of(const kinematics_options_t * o, long index)
{
  return fmin(o->first + (double)index * o->step, o->last);
}

// CLI_OK, CLI_FOUND or CLI_TROUBLE
static int
run(analysis_t * a)
{
  const kinematics_options_t * o = a->options;
  // drivers at time 0 are those of the assembled state of the file
  mbd_status_t status =
    mbd_driven_start(a->driven, a->data, fmin(o->first, 0), a->subject->q, NULL);
  if (status != MBD_OK) {
    explain_start(a, status);
    return CLI_TROUBLE;
  }
  for (long k = 0; k < a->n && status == MBD_OK; k++) {
    const int before = a->info->nsingular;
    status = mbd_driven_to(a->driven, a->data, time_of(o, k));
    if (a->info->nsingular > before) keep_found(a);
    if (status == MBD_OK && !take_time(a)) break;
  }
  FILE * text = a->csv == stdout ? stderr : stdout;
  summary(text, a);
  if (a->has_page) {
    char words[SUMMARY_SIZE] = "";
    FILE * memory = fmemopen(words, sizeof words, "w");
    if (memory) summary(memory, a), fclose(memory);
    const subject_t * s = a->subject;
    const int n = number_of_outputs(a);
    char ** names = calloc((size_t)n + 1, sizeof *names);
    char smallest[] = "smallest singular value", *smallest_name[] = {smallest};
    for (int k = 0; names && k < n; k++) names[k] = (char *)(uintptr_t)s->mechanism->output[k].name;
    const curve_group_t groups[] = {
      {"positions", "rad, m", s->coordinate, s->model->nq},
      {"velocities", "rad/s, m/s", s->dof, s->model->nv},
      {"accelerations", "rad/s^2, m/s^2", s->dof, s->model->nv},
      {"outputs", "rad, m", names, n},
      {"rates of the outputs", "rad/s, m/s", names, n},
      {"second rates of the outputs", "rad/s^2, m/s^2", names, n},
      {"smallest singular value: zero where singular", "", smallest_name, 1}};
    if (names)
      page_print_groups(
        &a->page, a->html, "driven kinematics", words, groups, sizeof groups / sizeof *groups);
    free(names);
  }
  if (status == MBD_ERROR_LOCKED) return CLI_FOUND;
  if (status == MBD_OK) return CLI_OK;
  explain_end(a, status);
  return CLI_TROUBLE;
}

static bool
close_outputs(analysis_t * a)
{
  if (a->has_page) page_free(&a->page);
  bool ok = true;
  if (a->html && a->html != stdout) ok = text_close(a->html, a->options->plot);
  if (a->csv && a->csv != stdout) ok = text_close(a->csv, a->options->csv) && ok;
  mbd_data_destroy(a->data);
  free(a->memory), free(a->gradient), free(a->y);
  return ok;
}

// the grid of a file without --grid; false after a message
static bool
take_time_of_file(kinematics_options_t * o, const char * path, double time)
{
  o->last = time;
  if (time / o->step < MOST_TIMES - 1) return true;
  fprintf(
    stderr, "%s: %g s of the section simulate are more than %d times every %g s; give --grid\n",
    text_source_name(path), time, MOST_TIMES, o->step);
  return false;
}

int
kinematics_main(int argc, char ** argv)
{
  kinematics_options_t options = {.step = 0.01};
  options.simulate = (simulate_options_t){
    .robot = robot_options_default(),
    .mechanism = mbdx_mechanism_options_default(),
    .method = -1,
    .compare = -1};
  options.simulate.mechanism.drive_initial = true;
  const option_group_t groups[] = {
    {OPTIONS, &options}, {ROBOT_OPTIONS, &options.simulate.robot}, {0}};
  const char * path = NULL;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  subject_t subject = {0};
  analysis_t a = {.options = &options, .subject = &subject, .smallest = HUGE_VAL};
  code = CLI_TROUBLE;
  if (
    subject_load(&subject, path, &options.simulate) &&
    (options.has_grid || take_time_of_file(&options, path, subject.time))) {
    // an end that is not on the grid is one more
    a.n = 1 + (long)ceil((options.last - options.first) / options.step * (1 - 1e-12));
    if (create(&a) && open_outputs(&a)) code = run(&a);
    if (!close_outputs(&a)) code = CLI_TROUBLE;
  }
  subject_free(&subject);
  return code;
}
