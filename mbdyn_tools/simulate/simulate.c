// `mbdyn simulate`: a mechanism or a robot in time.
#include "simulate_parts.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "mbdyn/integrate.h"
#include "text.h"

// outputs of one command
typedef struct outputs {
  const simulate_options_t * options;
  const subject_t * subject;
  FILE * csv;
  recorder_t recorder;
  FILE * html;
  page_t page;
  double * kept;  // states at all output times, for --compare [samples][nq + nv]
} outputs_t;

static atomic_bool interrupted;

static void
interrupt(int number)
{
  (void)number;
  atomic_store(&interrupted, true);
}

//---------- options ----------

static const char *
take_positive(const char * value, double * x)
{
  char * end = NULL;
  *x = strtod(value, &end);
  return end != value && !*end && *x > 0 && *x <= 1e12 ? NULL : "a positive number";
}

static const char *
take_time(void * target, const char * value)
{
  return take_positive(value, &((simulate_options_t *)target)->time);
}

// below rounding no step is ever accepted
static const char *
take_tolerance(const char * value, double least, double * x)
{
  const bool ok = !take_positive(value, x) && *x >= least && *x <= 1;
  return ok              ? NULL
         : least > 1e-15 ? "a number between 1e-14 and 1"
                         : "a number between 1e-20 and 1";
}

static const char *
take_rtol(void * target, const char * value)
{
  return take_tolerance(value, 1e-14, &((simulate_options_t *)target)->rtol);
}

static const char *
take_atol(void * target, const char * value)
{
  return take_tolerance(value, 1e-20, &((simulate_options_t *)target)->atol);
}

static const char *
take_step(void * target, const char * value)
{
  return take_positive(value, &((simulate_options_t *)target)->step);
}

static const char *
take_max_step(void * target, const char * value)
{
  return take_positive(value, &((simulate_options_t *)target)->max_step);
}

static const char *
take_rate(void * target, const char * value)
{
  return take_positive(value, &((simulate_options_t *)target)->rate);
}

#define METHODS "auto, rkf45, sdirk54, trapezoidal, hht, rk4, nystrom4 or semi_implicit"

static const char *
take_method(void * target, const char * value)
{
  simulate_options_t * o = target;
  o->method = simulate_find_method(value);
  return o->method >= 0 ? NULL : METHODS;
}

static const char *
take_compare(void * target, const char * value)
{
  simulate_options_t * o = target;
  o->compare = simulate_find_method(value);
  return o->compare >= 0 ? NULL : METHODS;
}

// NAME=X or NAME=X:Y, several with commas
static bool
take_settings(const char * text, setting_t * list, int * n, bool pair)
{
  while (*text) {
    const char * equals = strchr(text, '=');
    if (!equals || *n == SIMULATE_MAX_SETTINGS) return false;
    setting_t * x = &list[*n];
    const size_t size = (size_t)(equals - text);
    if (size == 0 || size >= sizeof x->name) return false;
    memcpy(x->name, text, size);
    x->name[size] = 0;
    char * end = NULL;
    x->x = strtod(equals + 1, &end);
    if (end == equals + 1 || !isfinite(x->x)) return false;
    x->has_y = pair && *end == ':';
    if (x->has_y) {
      const char * second = end + 1;
      x->y = strtod(second, &end);
      if (end == second || !isfinite(x->y)) return false;
    }
    if (*end && *end != ',') return false;
    (*n)++;
    text = end + (*end == ',');
  }
  return true;
}

static const char *
take_initial(void * target, const char * value)
{
  simulate_options_t * o = target;
  return take_settings(value, o->initial, &o->ninitial, true) ? NULL : "JOINT=Q or JOINT=Q:V, ...";
}

static const char *
take_torque(void * target, const char * value)
{
  simulate_options_t * o = target;
  o->torque = TORQUE_ZERO;
  if (strcmp(value, "zero") == 0) return NULL;
  o->torque = TORQUE_GRAVITY;
  if (strcmp(value, "gravity") == 0) return NULL;
  o->torque = TORQUE_CONSTANT;
  return take_settings(value, o->constant, &o->nconstant, false)
           ? NULL
           : "zero, gravity or JOINT=TORQUE, ...";
}

static const char *
take_limits(void * target, const char * value)
{
  static const char * const names[] = {"report", "stop", "spring"};
  for (int k = 0; k < 3; k++) {
    if (strcmp(value, names[k]) != 0) continue;
    ((simulate_options_t *)target)->limits = (limits_kind_t)k;
    return NULL;
  }
  return "report, stop or spring";
}

static const char *
take_without(void * target, const char * value)
{
  simulate_options_t * o = target;
  if (strcmp(value, "friction") != 0) return "friction";
  o->terms &= ~(uint32_t)MBD_TERM_FRICTION;
  return NULL;
}

static const char *
take_coordinates(void * target, const char * value)
{
  simulate_options_t * o = target;
  const bool tree = strcmp(value, "tree") == 0;
  o->mechanism.coordinates = tree ? MBDX_COORDINATES_TREE : MBDX_COORDINATES_CARTESIAN;
  return tree || strcmp(value, "cartesian") == 0 ? NULL : "tree or cartesian";
}

static const char *
take_csv(void * target, const char * value)
{
  ((simulate_options_t *)target)->csv = value;
  return NULL;
}

static const char *
take_mcap(void * target, const char * value)
{
  ((simulate_options_t *)target)->mcap = value;
  return NULL;
}

static const char *
take_plot(void * target, const char * value)
{
  ((simulate_options_t *)target)->plot = value;
  return NULL;
}

static const char *
take_realtime(void * target, const char * value)
{
  (void)value;
  ((simulate_options_t *)target)->realtime = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--time", "SECONDS", "duration; default: that of the file, or 10", take_time},
  {"--method", "NAME",
   "auto (default): rkf45, and sdirk54 while the problem is stiff;\n"
   "error control: rkf45, sdirk54, trapezoidal, hht;\n"
   "fixed step: rk4, nystrom4, semi_implicit",
   take_method},
  {"--rtol", "X", "relative tolerance of a step; default: 1e-8", take_rtol},
  {"--atol", "X", "absolute tolerance of a step; default: that of --rtol", take_atol},
  {"--step", "SECONDS",
   "fixed step of rk4, nystrom4 and semi_implicit (default: 0.001),\n"
   "first step of the others",
   take_step},
  {"--max-step", "SECONDS", "largest step; default: none", take_max_step},
  {"--output-rate", "HZ",
   "output times, interpolated within steps; default: 100, or more\n"
   "if that would be fewer than 200 times",
   take_rate},
  {"--initial", "JOINT=Q[:V],...",
   "initial position and velocity of joints; the others are\n"
   "assembled around them",
   take_initial},
  {"--torque", "TORQUE",
   "zero (default), gravity (compensates gravity at every joint),\n"
   "or constant torques: JOINT=TORQUE,...",
   take_torque},
  {"--limits", "KIND",
   "position limits of joints: report (default) says which joint passes\n"
   "one and when, stop ends the run there, spring keeps the joints there\n"
   "by stiff one-sided springs and dampers",
   take_limits},
  {"--without", "friction", "omit joint friction (<dynamics> of a URDF)", take_without},
  {"--coordinates", "tree|cartesian",
   "coordinates of a mechanism: of a spanning tree, or of free bodies", take_coordinates},
  {"--compare", "METHOD",
   "simulate again by this method, print differences of positions and velocities", take_compare},
  {"--realtime", NULL, "write output no faster than the simulated time passes", take_realtime},
  {"--csv", "FILE", "write a row per output time; - for standard output", take_csv},
  {"--mcap", "FILE",
   "write a recording for Foxglove, PlotJuggler, mbdyn play, view and\n"
   "analyze: /joint_states, /tf, /mbdyn/dynamics (energies),\n"
   "/mbdyn/reactions/CLOSURE and JOINT, /mbdyn/simulation/...",
   take_mcap},
  {"--plot", "FILE", "write a self-contained HTML page with curves and an animation", take_plot},
  {NULL, NULL, NULL, NULL}};

static const usage_t USAGE = {
  .command = "simulate",
  .operand = "FILE",
  .intro =
    "Simulate a mechanism (FILE.yaml, docs/mechanism.md) or a robot (FILE.urdf, with closures and\n"
    "springs of FILE.loops.yaml, or closures, forces, bearings, drivers, initial state and\n"
    "settings of FILE.mechanism.yaml next to it). Closed loops satisfy their constraints to "
    "rounding.",
  .details =
    "Columns of the CSV are t, kinetic, potential (energies), step (integrator), then q_ of each\n"
    "coordinate, v_, a_, tau_ of each degree of freedom, and force_, moment_ of each closure (on\n"
    "its link b, in axes of a). All quantities are in SI units and radians. tau_ has the\n"
    "torques of --torque and of the stops of --limits spring.\n\n"
    "Ctrl-C ends the simulation; output up to then is kept. If the integrator fails, too.\n\n"
    "exit code: 0 success or Ctrl-C; 2 wrong usage, invalid file, failed integration, or output\n"
    "that cannot be written\n\n"
    "examples:\n"
    "  mbdyn simulate config/mechanisms/quick_return.mechanism.yaml --time 10 --mcap run.mcap\n"
    "  mbdyn simulate arm.urdf --time 5 --initial elbow=0.5 --torque gravity\n"
    "  mbdyn simulate arm.urdf --limits spring --plot run.html\n"
    "  mbdyn simulate stiff.mechanism.yaml --method rkf45 --compare sdirk54"};

static simulate_options_t
defaults(void)
{
  simulate_options_t o = {.robot = robot_options_default(), .method = -1, .compare = -1};
  o.mechanism = mbdx_mechanism_options_default();
  o.terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS | MBD_TERM_ELEMENTS;
  return o;
}

//---------- outputs ----------

static bool
open_outputs(outputs_t * x)
{
  const simulate_options_t * o = x->options;
  const subject_t * s = x->subject;
  if (o->csv) {
    x->csv = strcmp(o->csv, "-") == 0 ? stdout : fopen(o->csv, "w");
    if (!x->csv) {
      fprintf(stderr, "mbdyn simulate: cannot write '%s': %s\n", o->csv, strerror(errno));
      return false;
    }
    simulate_table_open(x->csv, s);
  }
  if (o->mcap && !recorder_open(&x->recorder, o->mcap, s)) {
    fprintf(stderr, "mbdyn simulate: %s\n", x->recorder.error.text);
    return false;
  }
  if (o->plot) {
    x->html = fopen(o->plot, "w");
    if (!x->html || !page_open(&x->page, s, o)) {
      fprintf(stderr, "mbdyn simulate: cannot write '%s': %s\n", o->plot, strerror(errno));
      return false;
    }
  }
  if (o->compare >= 0) {
    const size_t n = (size_t)simulate_samples(s, o) * (size_t)(s->model->nq + s->model->nv);
    x->kept = malloc(n * sizeof *x->kept);
    if (!x->kept) {
      fputs("mbdyn simulate: out of memory; use a lower --output-rate\n", stderr);
      return false;
    }
  }
  return true;
}

static bool
take_sample(void * to, const sample_t * sample)
{
  outputs_t * x = to;
  const size_t nq = (size_t)x->subject->model->nq, nv = (size_t)x->subject->model->nv;
  if (x->csv) {
    simulate_table_take(x->csv, x->subject, sample);
    if (x->options->realtime) fflush(x->csv);
    if (ferror(x->csv)) return false;  // said when it is closed
  }
  if (x->options->mcap && !recorder_take(&x->recorder, sample)) {
    fprintf(stderr, "mbdyn simulate: %s\n", x->recorder.error.text);
    return false;
  }
  if (x->html) page_take(&x->page, sample);
  if (x->kept) {
    double * kept = x->kept + (size_t)sample->index * (nq + nv);
    memcpy(kept, sample->q, nq * sizeof *kept);
    memcpy(kept + nq, sample->v, nv * sizeof *kept);
  }
  return true;
}

static bool
close_outputs(outputs_t * x)
{
  free(x->kept);
  bool ok = true;
  if (x->options->mcap && !recorder_close(&x->recorder)) {
    fprintf(stderr, "mbdyn simulate: %s\n", x->recorder.error.text);
    ok = false;
  }
  page_free(&x->page);
  if (x->html) ok = text_close(x->html, x->options->plot) && ok;
  return ok & (!x->csv || x->csv == stdout || text_close(x->csv, x->options->csv));
}

//---------- comparison ----------

// differences of positions, or velocities
typedef struct difference {
  double *last, *most;  // [nv]
  double greatest, time;
  int dof;
} difference_t;

typedef struct comparison {
  const outputs_t * first;
  long known;  // samples of the first run
  double * now;
  difference_t position, velocity;
} comparison_t;

static void
keep_difference(difference_t * d, const double * now, int n, double t)
{
  for (int i = 0; i < n; i++) {
    const double x = fabs(now[i]);
    d->last[i] = now[i];
    d->most[i] = fmax(d->most[i], x);
    if (x <= d->greatest) continue;
    d->greatest = x;
    d->time = t;
    d->dof = i;
  }
}

static bool
compare_sample(void * to, const sample_t * sample)
{
  comparison_t * c = to;
  const mbd_model_t * model = c->first->subject->model;
  const int nq = model->nq, nv = model->nv;
  if (sample->index >= c->known) return true;
  const double * q = c->first->kept + (size_t)sample->index * (size_t)(nq + nv);
  if (mbd_difference(model, q, sample->q, c->now) != MBD_OK) return true;
  keep_difference(&c->position, c->now, nv, sample->t);
  for (int i = 0; i < nv; i++) c->now[i] = sample->v[i] - q[nq + i];
  keep_difference(&c->velocity, c->now, nv, sample->t);
  return true;
}

static void
print_differences(const subject_t * s, const comparison_t * c, FILE * out)
{
  const difference_t *p = &c->position, *v = &c->velocity;
  fprintf(
    out, "largest difference %.3g of '%s' at %.6g s; of velocities %.3g of '%s' at %.6g s\n",
    p->greatest, s->dof[p->dof], p->time, v->greatest, s->dof[v->dof], v->time);
  fprintf(out, "%-24s %25s %25s\n", "", "position", "velocity");
  fprintf(
    out, "%-24s %12s %12s %12s %12s\n", "joint", "at the end", "largest", "at the end", "largest");
  for (int i = 0; i < s->model->nv; i++) {
    fprintf(
      out, "%-24s %12.3g %12.3g %12.3g %12.3g\n", s->dof[i], p->last[i], p->most[i], v->last[i],
      v->most[i]);
  }
}

static bool
compare(const outputs_t * x, const outcome_t * o, FILE * out)
{
  const subject_t * s = x->subject;
  const mbd_method_t method = (mbd_method_t)x->options->compare;
  const size_t nv = (size_t)s->model->nv;
  comparison_t c = {.first = x, .known = o->samples};
  c.now = calloc(5 * nv, sizeof *c.now);
  if (!c.now) return false;
  c.position.last = c.now + nv, c.position.most = c.position.last + nv;
  c.velocity.last = c.position.most + nv, c.velocity.most = c.velocity.last + nv;
  simulate_options_t options = *x->options;
  options.realtime = false;
  outcome_t other;
  simulate_run(s, &options, method, compare_sample, &c, "comparing ", &interrupted, &other);
  if (other.status != MBD_OK) simulate_explain(s, method, &other);
  if (other.started) {
    fprintf(
      out, "\n%s against %s: %ld steps, %ld rejected, %ld evaluations, %.3g s\n",
      mbd_method_name(method), mbd_method_name(s->method), other.info.steps, other.info.rejected,
      other.info.evaluations, other.wall_time);
    print_differences(s, &c, out);
  }
  free(c.now);
  return other.status == MBD_OK;
}

//---------- all of it ----------

static bool
simulate(outputs_t * x)
{
  const subject_t * s = x->subject;
  const simulate_options_t * o = x->options;
  outcome_t outcome;
  bool ok = simulate_run(s, o, s->method, take_sample, x, "simulating", &interrupted, &outcome);
  // rows on standard output stay alone there
  FILE * text = x->csv == stdout ? stderr : stdout;
  if (outcome.status != MBD_OK) {
    simulate_explain(s, s->method, &outcome);
    ok = false;
  }
  if (outcome.started) simulate_summary(text, s, o, &outcome);
  if (outcome.started && x->html) {
    char summary[2048] = "";
    FILE * memory = fmemopen(summary, sizeof summary, "w");
    if (memory) {
      simulate_summary(memory, s, o, &outcome);
      fclose(memory);
    }
    page_print(&x->page, x->html, summary);
  }
  if (ok && o->compare >= 0 && !outcome.interrupted) ok = compare(x, &outcome, text);
  return ok;
}

int
simulate_main(int argc, char ** argv)
{
  simulate_options_t options = defaults();
  const option_group_t groups[] = {{OPTIONS, &options}, {ROBOT_OPTIONS, &options.robot}, {0}};
  const char * path = NULL;
  const mbd_vec3_t g = options.robot.urdf.gravity;
  const int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  options.gravity_given = memcmp(&g, &options.robot.urdf.gravity, sizeof g) != 0;
  struct sigaction action = {.sa_handler = interrupt};
  sigemptyset(&action.sa_mask);
  (void)sigaction(SIGINT, &action, NULL);
  (void)sigaction(SIGTERM, &action, NULL);
  subject_t subject = {0};
  outputs_t outputs = {.options = &options, .subject = &subject};
  bool ok = subject_load(&subject, path, &options);
  if (ok) {
    ok = open_outputs(&outputs) && simulate(&outputs);
    ok = close_outputs(&outputs) && ok;
  }
  subject_free(&subject);
  return ok ? CLI_OK : CLI_TROUBLE;
}
