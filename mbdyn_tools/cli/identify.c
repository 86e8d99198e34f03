// `mbdyn identify`: a robot's inertial parameters from recorded motion and torques.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "identify_report.h"
#include "identify_samples.h"
#include "mbdyn/dynamics/regressor.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "identify",
  .operand = "ROBOT.urdf",
  .intro =
    "Identify the inertial parameters of a robot from recorded motion and torques. The estimate "
    "is\n"
    "the least-squares fit over physically consistent parameters; parameters that the recording\n"
    "does not determine stay near those of the URDF.",
  .details =
    "data: CSV with a header: t [s] and for each moving joint NAME the columns q_NAME, v_NAME,\n"
    "  a_NAME [rad, m; /s; /s^2] and tau_NAME [N m, N], in any order. Only joints with one degree "
    "of\n"
    "  freedom. tau is the actuator torque, including friction.\n"
    "method: least squares, each joint weighted by its residual, over a parametrisation in which\n"
    "  every parameter vector is physically consistent. Friction model: viscous v + coulomb\n"
    "  tanh(v / 0.01). Friction and rotors that are not estimated keep their URDF values (or are\n"
    "  ignored with --no-drives).\n"
    "--differentiate: zero-phase low-pass of q (half the amplitude at the cutoff), then central\n"
    "  differences. The torque is not filtered. Three periods of the cutoff frequency are lost at\n"
    "  each end.\n"
    "report: torque errors before and after, base parameters (the identifiable combinations), "
    "which\n"
    "  of them are poorly excited by the motion, parameters of every body.\n\n"
    "exit code: 0 success; 2 wrong usage, invalid robot or data, or output that cannot be written\n"
    "\n"
    "examples:\n"
    "  mbdyn identify arm.urdf --data motion.csv --friction --validate other.csv \\\n"
    "    --output arm_identified.urdf\n"
    "  mbdyn identify arm.urdf --data encoder.csv --differentiate --cutoff 5 --json",
};

//---------- options ----------

typedef struct identify_options {
  const char *data, *validate, *output;
  normal_terms_t terms;
  bool json, differentiate;
  double cutoff, prior;
} identify_options_t;

static bool
ends_in(const char * text, const char * end)
{
  const size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

static const char *
take_data(void * target, const char * value)
{
  ((identify_options_t *)target)->data = value;
  return NULL;
}

static const char *
take_validate(void * target, const char * value)
{
  ((identify_options_t *)target)->validate = value;
  return NULL;
}

static const char *
take_output(void * target, const char * value)
{
  ((identify_options_t *)target)->output = value;
  return ends_in(value, ".urdf") || ends_in(value, ".json") ? NULL
                                                            : "a name ending in .urdf or .json";
}

static const char *
take_friction(void * target, const char * value)
{
  (void)value;
  ((identify_options_t *)target)->terms.friction = true;
  return NULL;
}

static const char *
take_rotors(void * target, const char * value)
{
  (void)value;
  ((identify_options_t *)target)->terms.rotors = true;
  return NULL;
}

static const char *
take_no_drives(void * target, const char * value)
{
  (void)value;
  ((identify_options_t *)target)->terms.no_drives = true;
  return NULL;
}

static const char *
take_json(void * target, const char * value)
{
  (void)value;
  ((identify_options_t *)target)->json = true;
  return NULL;
}

static const char *
take_differentiate(void * target, const char * value)
{
  (void)value;
  ((identify_options_t *)target)->differentiate = true;
  return NULL;
}

static bool
parse_positive(const char * text, double * x)
{
  char * end;
  *x = strtod(text, &end);
  return end != text && *end == 0 && *x > 0 && isfinite(*x);
}

static const char *
take_cutoff(void * target, const char * value)
{
  return parse_positive(value, &((identify_options_t *)target)->cutoff) ? NULL
                                                                        : "a frequency in Hz";
}

static const char *
take_prior(void * target, const char * value)
{
  return parse_positive(value, &((identify_options_t *)target)->prior) ? NULL : "a number above 0";
}

static const option_t OPTIONS[] = {
  {"--data", "FILE.csv", "recorded motion and torques; - for standard input", take_data},
  {"--output", "FILE", "FILE.urdf: the robot with identified parameters; FILE.json: the report",
   take_output},
  {"--validate", "FILE.csv", "validation data: also report the torque error on this motion",
   take_validate},
  {"--friction", NULL, "estimate viscous and Coulomb friction of every joint", take_friction},
  {"--rotors", NULL, "estimate reflected rotor inertia of every joint", take_rotors},
  {"--no-drives", NULL,
   "torques of the rigid bodies only: ignore friction and rotors of the\n"
   "URDF",
   take_no_drives},
  {"--prior", "WEIGHT",
   "weight of the URDF prior, default 10: a relative standard deviation of\n"
   "1 / sqrt(WEIGHT), 30 %, of the URDF parameters",
   take_prior},
  {"--differentiate", NULL, "compute v and a from q; requires uniform sampling",
   take_differentiate},
  {"--cutoff", "HZ", "cutoff frequency of --differentiate, default 10", take_cutoff},
  {"--json", NULL, "print the report as JSON", take_json},
  {NULL, NULL, NULL, NULL},
};

//---------- progress ----------

static bool is_terminal = false;

static void
clear_progress(void)
{
  if (is_terminal) fputs("\r\033[K", stderr);
}

static void
show_rows(const samples_t * samples)
{
  if (!is_terminal || samples->nrow % 500 != 0) return;
  fprintf(stderr, "\r\033[K%s: %ld rows", samples->csv.source, samples->nrow);
}

static void
show_step(int step, double cost)
{
  if (is_terminal) fprintf(stderr, "\r\033[Kstep %d, weighted squared error %.6g", step, cost);
}

//---------- work ----------

typedef struct identify_job {
  const identify_options_t * options;
  double cutoff;  // 0: v and a are in the table
  robot_t robot;
  normal_t normal;
  fit_t fit;
  base_t base;
  identify_result_t result;
  double * numbers;
} identify_job_t;

static bool
refuse_status(const samples_t * samples, mbd_status_t status)
{
  clear_progress();
  fprintf(
    stderr, "%s:%ld: %s (%s)\n", samples->csv.source, samples->csv.line, mbd_status_string(status),
    mbd_status_name(status));
  return false;
}

// a recording as a whole, sample by sample
static bool
read_recording(
  identify_job_t * job, const char * path, recording_t * recording,
  mbd_status_t (*use)(identify_job_t *, const sample_t *))
{
  samples_t samples;
  bool good = samples_open(path, job->robot.model, job->cutoff, &samples);
  int code = good ? 1 : -1;
  while (good && (code = samples_next(&samples)) > 0) {
    show_rows(&samples);
    const mbd_status_t status = use(job, &samples.sample);
    if (status != MBD_OK) good = refuse_status(&samples, status);
  }
  clear_progress();
  if (good && code == 0 && samples.nsample == 0) {
    fprintf(stderr, "%s: no samples below the header\n", samples.csv.source);
  }
  good = good && code == 0 && samples.nsample > 0;
  if (good) {
    recording->source = text_source_name(path);
    recording->nsample = samples.nsample;
    recording->duration = samples.sample.t - samples.t_first;
  }
  samples_close(&samples);
  return good;
}

static mbd_status_t
use_for_fit(identify_job_t * job, const sample_t * sample)
{
  return normal_add(&job->normal, sample);
}

static mbd_status_t
use_for_validation(identify_job_t * job, const sample_t * sample)
{
  normal_t * normal = &job->normal;
  recording_t * recording = &job->result.validation;
  const mbd_status_t status = normal_linearize(normal, sample);
  for (int j = 0; status == MBD_OK && j < normal->nv; j++) {
    const double * row = normal->Y + (size_t)j * (size_t)normal->nall;
    double after = normal->error[j];
    for (int k = 0; k < normal->n; k++) after -= row[normal->index[k]] * job->fit.delta[k];
    recording->tau[j] += sample->tau[j] * sample->tau[j];
    recording->before[j] += normal->error[j] * normal->error[j];
    recording->after[j] += after * after;
  }
  return status;
}

static bool
validate(identify_job_t * job)
{
  recording_t * recording = &job->result.validation;
  if (!job->options->validate) return true;
  if (!read_recording(job, job->options->validate, recording, use_for_validation)) return false;
  const double count = (double)recording->nsample;
  for (int j = 0; j < job->normal.nv; j++) {
    recording->tau[j] = sqrt(recording->tau[j] / count);
    recording->before[j] = sqrt(recording->before[j] / count);
    recording->after[j] = sqrt(recording->after[j] / count);
  }
  return true;
}

// memory for what is reported
static bool
prepare(identify_job_t * job)
{
  const size_t nv = (size_t)job->normal.nv, nbody = (size_t)job->robot.model->nbody;
  const size_t nall = (size_t)job->normal.nall;
  double * x = calloc(6 * nv + nbody + nall + 1, sizeof *x);
  job->numbers = x;
  if (!x) {
    fputs("mbdyn identify: out of memory\n", stderr);
    return false;
  }
  identify_result_t * result = &job->result;
  *result = (identify_result_t){
    .model = job->robot.model,
    .terms = job->options->terms,
    .cutoff = job->cutoff,
    .normal = &job->normal,
    .fit = &job->fit,
    .base = &job->base};
  double ** const vectors[] = {&result->data.tau,          &result->data.before,
                               &result->data.after,        &result->validation.tau,
                               &result->validation.before, &result->validation.after};
  for (int i = 0; i < 6; i++, x += nv) *vectors[i] = x;
  result->margin = x;
  result->theta = x + nbody;
  return true;
}

// every body can exist, and the robot can be built of them; what is not so is a fault of ours
static bool
is_possible(const identify_job_t * job)
{
  const mbd_model_t * model = job->robot.model;
  const identify_result_t * result = &job->result;
  mbd_model_t * found = NULL;
  mbd_status_t status = mbd_model_with_parameters(model, true, result->theta, &found);
  mbd_model_destroy(found);
  for (int i = 0; i < model->nbody && status == MBD_OK; i++) {
    status = mbd_parameters_check(result->theta + TEN * i, &result->margin[i]);
    if (status == MBD_OK && !(result->margin[i] > 0)) status = MBD_ERROR_BAD_INERTIA;
  }
  if (status == MBD_OK) return true;
  fprintf(
    stderr, "mbdyn identify: the identified parameters do not form a valid robot: %s\n",
    mbd_status_string(status));
  return false;
}

// parameters, margins and errors for the report
static bool
conclude(identify_job_t * job)
{
  const normal_t * normal = &job->normal;
  identify_result_t * result = &job->result;
  const double count = (double)normal->nsample;
  memcpy(result->theta, normal->theta, (size_t)normal->nall * sizeof *result->theta);
  for (int k = 0; k < normal->n; k++) result->theta[normal->index[k]] = job->fit.theta[k];
  for (int j = 0; j < normal->nv; j++) {
    result->data.tau[j] = sqrt(normal->tau2[j] / count);
    result->data.before[j] = sqrt(normal->c[j] / count);
    result->data.after[j] = sqrt(normal_error(normal, j, job->fit.delta) / count);
  }
  return is_possible(job);
}

static bool
write_output(const identify_job_t * job, const char * robot_path)
{
  const char * path = job->options->output;
  if (!path) return true;
  if (ends_in(path, ".urdf")) return identify_write_urdf(robot_path, path, &job->result);
  FILE * file = fopen(path, "w");
  if (!file) {
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    return false;
  }
  identify_write_json(file, &job->result);
  return text_close(file, path);
}

// joints of one degree of freedom, and at least one
static bool
refuse_joints(const char * path, const mbd_model_t * model)
{
  if (model->nbody == 0) {
    fprintf(stderr, "%s: no moving joint: there is nothing to identify\n", text_source_name(path));
    return true;
  }
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->nv == 1 && body->nq == 1) continue;
    fprintf(
      stderr, "%s: joint '%s' is %s: only joints with one degree of freedom can be identified\n",
      text_source_name(path), body->joint_name, mbd_joint_type_name(body->type));
    return true;
  }
  return false;
}

static bool
identify(identify_job_t * job, const char * path)
{
  const identify_options_t * options = job->options;
  const mbd_model_t * model = job->robot.model;
  if (robot_refuse_mimic(path, model) || refuse_joints(path, model)) return false;
  robot_warn_forces(path, model);
  if (!normal_create(model, options->terms, &job->normal) || !prepare(job)) return false;
  if (!read_recording(job, options->data, &job->result.data, use_for_fit)) return false;
  if (!fit_create(&job->normal, options->prior, &job->fit)) return false;
  fit_run(&job->fit, show_step);
  clear_progress();
  if (!base_find(&job->normal, &job->fit, &job->base)) return false;
  if (!conclude(job) || !validate(job) || !write_output(job, path)) return false;
  if (options->json) {
    identify_write_json(stdout, &job->result);
  } else {
    identify_print(stdout, &job->result);
  }
  return true;
}

// what the options say together
static bool
options_fit(const identify_options_t * options, const char * path)
{
  const char * message = NULL;
  const int from_stdin = (strcmp(path, "-") == 0) + (options->data && !strcmp(options->data, "-")) +
                         (options->validate && !strcmp(options->validate, "-"));
  if (!options->data) {
    message = "--data FILE.csv is missing";
  } else if (from_stdin > 1) {
    message = "only one of robot, --data and --validate can be standard input";
  } else if (strcmp(path, "-") == 0 && options->output && ends_in(options->output, ".urdf")) {
    message = "--output FILE.urdf needs the robot in a file";
  }
  if (message) fprintf(stderr, "mbdyn identify: %s\ntry 'mbdyn identify --help'\n", message);
  return !message;
}

int
identify_main(int argc, char ** argv)
{
  robot_options_t robot = robot_options_default();
  identify_options_t options = {.cutoff = 10, .prior = 10};
  const option_group_t groups[] = {{OPTIONS, &options}, {ROBOT_OPTIONS, &robot}, {NULL, NULL}};
  const char * path;
  const int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  if (!options_fit(&options, path)) return CLI_TROUBLE;

  is_terminal = isatty(STDERR_FILENO);
  identify_job_t job = {.options = &options, .cutoff = options.differentiate ? options.cutoff : 0};
  const bool done = robot_load(path, &robot, &job.robot) && identify(&job, path);
  base_free(&job.base);
  fit_free(&job.fit);
  normal_free(&job.normal);
  free(job.numbers);
  robot_free(&job.robot);
  return done ? CLI_OK : CLI_TROUBLE;
}
