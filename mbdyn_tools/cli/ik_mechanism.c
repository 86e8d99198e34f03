// `mbdyn ik` on a mechanism file: inputs for outputs, outputs for inputs, assembly modes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ik_options.h"
#include "json_out.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/manipulator.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "robot_options.h"
#include "text.h"

// a mechanism and what was found
typedef struct machine {
  const char * path;
  const ik_options_t * options;
  mbdx_mechanism_t * file;
  mbd_data_t * data;
  mbd_measure_t * output;  // those of the file, about the wanted pose if there is one
  mbd_manipulator_info_t info;
  mbd_manipulator_t * m;
  mbd_manipulator_result_t result;
  double *value, *q;        // of the first solution
  double *inverse, *modes;  // row by row
  int ninverse, nmodes;     // -1: not asked for
} machine_t;

static const char * const OUTCOMES[] = {"solved", "other_branch", "unreachable", "at_limit"};

//---------- request ----------

static bool
complain(const machine_t * x, const char * what)
{
  fprintf(stderr, "%s: %s\n", text_source_name(x->path), what);
  return false;
}

// the frame whose pose or position the outputs are, or -1
static int
frame_of_outputs(const machine_t * x, int n)
{
  const mbdx_mechanism_t * f = x->file;
  for (int k = 0; k < n; k++) {
    const mbd_measure_type_t type =
      (mbd_measure_type_t)(k < 3 ? MBD_MEASURE_X + k : MBD_MEASURE_ROTATION_X + k - 3);
    if (k >= f->noutput || f->output[k].type != type) return -1;
    if (f->output[k].frame_a != MBD_WORLD_BODY || f->output[k].frame_b != f->output[0].frame_b)
      return -1;
  }
  return n == f->noutput ? f->output[0].frame_b : -1;
}

// --pose as outputs: positions as they are; for six, the measures of the pose, which are zero at it
static bool
take_pose(machine_t * x)
{
  const ik_options_t * o = x->options;
  const int n = o->numbers[0], frame = frame_of_outputs(x, n);
  if (frame < 0) {
    return complain(
      x,
      n == 6
        ? "--pose: the outputs of the mechanism are not the pose of one frame in the world; write "
          "outputs: [{name: NAME, type: pose, b: LINK}], or use --outputs"
        : "--pose: the outputs of the mechanism are not the position of one frame in the world; "
          "give "
          "six numbers, or use --outputs");
  }
  if (o->nframe && strcmp(o->frame[0], x->file->model->frame[frame].name) != 0) {
    fprintf(
      stderr, "%s: --frame %s: the outputs of the mechanism are those of '%s'\n",
      text_source_name(x->path), o->frame[0], x->file->model->frame[frame].name);
    return false;
  }
  memcpy(x->value, o->pose[0], (size_t)n * sizeof *x->value);
  for (int k = 0; k < n && n == 6; k++) {
    x->output[k].X_a = ik_pose_of(o->pose[0]);
    x->value[k] = 0;
  }
  return true;
}

static bool
take_values(machine_t * x)
{
  const ik_options_t * o = x->options;
  const bool forward = o->ninput > 0;
  const int n = forward ? o->ninput : o->noutput;
  const int wanted = forward ? x->file->ninput : x->file->noutput;
  if (n != wanted) {
    const mbd_measure_t * measure = forward ? x->file->input : x->file->output;
    fprintf(
      stderr, "%s: --%s: expected %d finite numbers:", text_source_name(x->path),
      forward ? "inputs" : "outputs", wanted);
    for (int k = 0; k < wanted; k++) fprintf(stderr, " %s", measure[k].name);
    fputs("\n", stderr);
    return false;
  }
  memcpy(x->value, forward ? o->input : o->output, (size_t)n * sizeof *x->value);
  return true;
}

static bool
take_request(machine_t * x)
{
  const ik_options_t * o = x->options;
  const int asked = (o->npose > 0) + (o->ninput > 0) + (o->noutput > 0);
  if (x->file->ninput == 0 || x->file->noutput == 0) {
    return complain(
      x,
      "the mechanism has no inputs or no outputs; add the sections inputs and outputs "
      "(docs/mechanism.md)");
  }
  if (asked != 1 || o->npose > 1) return complain(x, "give one of --pose, --outputs, --inputs");
  if (o->self_motion) return complain(x, "--self-motion supports robots from URDF files");
  return o->npose ? take_pose(x) : take_values(x);
}

//---------- solve ----------

static bool
allocate(machine_t * x)
{
  const size_t nq = (size_t)x->file->model->nq + 1;
  const size_t measures = (size_t)(x->file->ninput + x->file->noutput) + 8;
  x->value = calloc(measures, sizeof *x->value);
  x->output = calloc(measures, sizeof *x->output);
  x->q = calloc(nq, sizeof *x->q);
  x->inverse = calloc(IK_MOST_SOLUTIONS * nq, sizeof *x->inverse);
  x->modes = calloc(IK_MOST_SOLUTIONS * nq, sizeof *x->modes);
  if (!x->value || !x->output || !x->q || !x->inverse || !x->modes) return false;
  for (int k = 0; k < x->file->noutput; k++) x->output[k] = x->file->output[k];
  return mbd_data_create(x->file->model, &x->data) == MBD_OK;
}

static mbd_status_t
create(machine_t * x)
{
  const mbdx_mechanism_t * f = x->file;
  mbd_manipulator_options_t options = mbd_manipulator_options_default();
  options.ignore_limits = x->options->solve.ignore_limits;
  options.restarts =
    x->options->solve.restarts < 100 ? x->options->solve.restarts : options.restarts;
  const size_t size = mbd_manipulator_size(f->model, f->ninput, f->noutput);
  void * memory = calloc(1, size + 1);
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  x->m = memory;
  mbd_manipulator_t * m;
  return mbd_manipulator_init(
    f->model, x->data, f->ninput, f->input, f->noutput, x->output, f->q, &options, memory, size,
    &x->info, &m);
}

static mbd_status_t
solve(machine_t * x)
{
  const ik_options_t * o = x->options;
  const bool forward = o->ninput > 0;
  double y[256];
  x->ninverse = x->nmodes = -1;
  mbd_status_t status =
    forward ? mbd_manipulator_forward(x->m, x->data, x->value, x->file->q, x->q, NULL, &x->result)
            : mbd_manipulator_inverse(x->m, x->data, x->value, x->file->q, x->q, y, &x->result);
  const bool solved = x->result.outcome <= MBD_MANIPULATOR_OTHER;
  if (status != MBD_OK || !o->all || !solved) return status;
  if (!forward && !x->info.redundant) {
    status = mbd_manipulator_solutions(
      x->m, x->data, false, x->value, x->q, IK_MOST_SOLUTIONS, x->inverse, &x->ninverse);
  }
  if (status != MBD_OK) return status;
  return mbd_manipulator_solutions(
    x->m, x->data, true, forward ? x->value : y, x->q, IK_MOST_SOLUTIONS, x->modes, &x->nmodes);
}

//---------- output ----------

static const char *
row_name(const machine_t * x, const mbd_singularity_t * s)
{
  if (s->closure >= 0) return x->file->model->closure[s->closure].name;
  const char * name =
    s->input >= 0 ? x->file->input[s->input].name : x->file->output[s->output].name;
  return name ? name : "";
}

static char
sign_of(int sign)
{
  return sign > 0 ? '+' : sign < 0 ? '-' : '0';
}

// measures of the file at a configuration
static bool
evaluate(const machine_t * x, const double * q, double * y, double * z, mbd_singularity_t * s)
{
  const mbdx_mechanism_t * f = x->file;
  bool good = mbd_manipulator_monitor(x->m, x->data, q, s) == MBD_OK &&
              mbd_set_position(f->model, x->data, q) == MBD_OK;
  for (int k = 0; k < f->ninput && good; k++) {
    good = mbd_measure(f->model, x->data, &f->input[k], &y[k], NULL, NULL) == MBD_OK;
  }
  for (int k = 0; k < f->noutput && good; k++) {
    good = mbd_measure(f->model, x->data, &f->output[k], &z[k], NULL, NULL) == MBD_OK;
  }
  return good;
}

static void
print_values(const mbd_measure_t * measure, const double * value, int n)
{
  for (int k = 0; k < n; k++) {
    printf(
      "  %-20s %13.9f\n", measure[k].name ? measure[k].name : "",
      fabs(value[k]) < 5e-10 ? 0 : value[k]);
  }
}

static void
print_configuration(const machine_t * x, const double * q, bool inputs, bool outputs)
{
  double y[256], z[256];
  mbd_singularity_t s;
  if (!evaluate(x, q, y, z, &s)) return;
  printf(
    "component %d (inputs %c, outputs %c); reciprocal conditions %.4g, %.4g; nearest to singular: "
    "%s\n",
    s.component, sign_of(s.input_sign), sign_of(s.output_sign), s.input_condition,
    s.output_condition, row_name(x, &s));
  if (inputs) print_values(x->file->input, y, x->file->ninput);
  if (outputs) print_values(x->file->output, z, x->file->noutput);
}

static void
print_rows(const machine_t * x, const char * what, const double * row, int n, bool outputs)
{
  if (n < 0) return;
  printf("\n%d %s%s\n", n, what, n == 1 ? "" : "s");
  for (int k = 0; k < n; k++) {
    printf("\n%s %d: ", what, k + 1);
    print_configuration(x, row + (size_t)k * (size_t)x->file->model->nq, !outputs, outputs);
  }
}

static void
print_outcome(const machine_t * x)
{
  const mbd_manipulator_result_t * r = &x->result;
  const mbd_model_t * model = x->file->model;
  if (r->outcome == MBD_MANIPULATOR_SOLVED) {
    printf(
      "solved: error %.2g%s\n", r->error,
      r->crossed ? "; the motion to it passes a singularity" : "");
  } else if (r->outcome == MBD_MANIPULATOR_OTHER) {
    printf(
      "solved: error %.2g; not on the branch of the start: a singularity or a limit is after %.0f "
      "%% of "
      "the way\n",
      r->error, 100 * r->fraction);
  } else if (r->outcome == MBD_MANIPULATOR_AT_LIMIT) {
    printf(
      "no solution within limits: joint '%s' is beyond its limit; --ignore-limits accepts it\n",
      model->body[model->dof_body[r->limit]].joint_name);
  } else {
    printf(
      "no solution: out of reach by %.4g; %.0f %% of the way from the start can be gone; nearest "
      "configuration found:\n",
      r->error, 100 * r->fraction);
  }
}

static void
print_text(const machine_t * x)
{
  printf(
    "%s: %s%s, %d inputs, %d outputs\n", x->file->model->name,
    x->info.redundant ? "redundant, " : "", mbd_manipulator_class_name(x->info.type),
    x->info.ninput, x->info.noutput);
  print_outcome(x);
  print_configuration(x, x->q, true, true);
  print_rows(x, "inverse solution", x->inverse, x->ninverse, false);
  print_rows(x, "assembly mode", x->modes, x->nmodes, true);
}

static void
write_configuration(json_out_t * out, const machine_t * x, const char * key, const double * q)
{
  double y[256], z[256];
  mbd_singularity_t s;
  if (!evaluate(x, q, y, z, &s)) return;
  json_out_object(out, key);
  json_out_vector(out, "inputs", y, x->file->ninput);
  json_out_vector(out, "outputs", z, x->file->noutput);
  json_out_vector(out, "q", q, x->file->model->nq);
  json_out_integer(out, "component", s.component);
  json_out_integer(out, "input_sign", s.input_sign);
  json_out_integer(out, "output_sign", s.output_sign);
  json_out_number(out, "input_condition", s.input_condition);
  json_out_number(out, "output_condition", s.output_condition);
  json_out_string(out, "nearest_row", row_name(x, &s));
  json_out_end(out);
}

static void
print_json(const machine_t * x)
{
  const mbd_manipulator_result_t * r = &x->result;
  json_out_t out = json_out_open(stdout);
  json_out_object(&out, NULL);
  json_out_string(&out, "class", mbd_manipulator_class_name(x->info.type));
  json_out_string(&out, "outcome", OUTCOMES[r->outcome]);
  json_out_number(&out, "error", r->error);
  json_out_number(&out, "fraction", r->fraction);
  json_out_bool(&out, "crossed", r->crossed);
  write_configuration(&out, x, r->outcome <= MBD_MANIPULATOR_OTHER ? "solution" : "nearest", x->q);
  const char * const keys[2] = {"inverse_solutions", "assembly_modes"};
  for (int i = 0; i < 2; i++) {
    const int n = i ? x->nmodes : x->ninverse;
    if (n < 0) continue;
    json_out_list(&out, keys[i]);
    for (int k = 0; k < n; k++) {
      write_configuration(
        &out, x, NULL, (i ? x->modes : x->inverse) + (size_t)k * (size_t)x->file->model->nq);
    }
    json_out_end(&out);
  }
  json_out_end(&out);
}

//---------- command ----------

static int
print_failure(const machine_t * x, mbd_status_t status)
{
  const char * path = text_source_name(x->path);
  if (status == MBD_ERROR_BAD_ARGUMENT && x->info.freedom != x->info.ninput) {
    fprintf(
      stderr, "%s: %d inputs, but the closures leave %d degrees of freedom; give as many inputs\n",
      path, x->info.ninput, x->info.freedom);
  } else if (status == MBD_ERROR_BAD_ARGUMENT) {
    fprintf(
      stderr, "%s: %d outputs, but only %d degrees of freedom; leave some outputs out\n", path,
      x->info.noutput, x->info.freedom);
  } else {
    fprintf(stderr, "%s: %s\n", path, mbd_status_string(status));
  }
  return CLI_TROUBLE;
}

int
ik_mechanism(const char * path, const ik_options_t * options, bool strict)
{
  machine_t x = {.path = path, .options = options};
  mbdx_mechanism_options_t load = mbdx_mechanism_options_default();
  mbdx_report_t * report = NULL;
  load.strict = strict;
  const mbd_status_t loaded = mbdx_mechanism_load_file(path, &load, &x.file, &report);
  robot_print_report(stderr, report, MBDX_WARNING);
  if (loaded != MBD_OK && (!report || report->nerror == 0)) {
    fprintf(stderr, "%s: %s\n", path, mbd_status_string(loaded));
  }
  mbdx_report_free(report);
  int code = CLI_TROUBLE;
  if (loaded == MBD_OK && allocate(&x) && take_request(&x)) {
    mbd_status_t status = create(&x);
    if (status == MBD_OK) status = solve(&x);
    if (status == MBD_OK) {
      (options->json ? print_json : print_text)(&x);
      code = x.result.outcome <= MBD_MANIPULATOR_OTHER ? CLI_OK : CLI_FOUND;
    } else {
      code = print_failure(&x, status);
    }
  }
  mbd_data_destroy(x.data);
  mbdx_mechanism_free(x.file);
  free(x.m), free(x.value), free(x.output), free(x.q), free(x.inverse), free(x.modes);
  return code;
}
