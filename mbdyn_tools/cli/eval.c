// `mbdyn eval`: dynamics of given states, JSON in, JSON out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "eval_block.h"
#include "eval_flexible.h"
#include "eval_input.h"
#include "eval_output.h"
#include "eval_spool.h"
#include "frame_options.h"
#include "robot_options.h"
#include "text.h"
#include "threads.h"

static const usage_t USAGE = {
  .command = "eval",
  .operand = "ROBOT.urdf",
  .intro =
    "Evaluate the dynamics of a robot at given states: reads states as JSON, writes torques,\n"
    "accelerations, mass matrix and more as JSON. Output is written only if every state can be\n"
    "evaluated; until then results are kept in a temporary file in TMPDIR, or /tmp.",
  .details =
    "input: {\"states\": [{\"q\": [...], \"v\": [...], \"a\": [...], \"tau\": [...],\n"
    "                    \"f_ext\": {\"LINK\": [fx, fy, fz, nx, ny, nz]}}, ...]}\n"
    "  q, v, a, tau   numbers in the order of `mbdyn info`, or an object by joint name: a number\n"
    "                 for a joint with one degree of freedom, a list for one with more\n"
    "                 [rad, m], [rad/s, m/s], [rad/s^2, m/s^2], [N m, N]; quaternions x y z w\n"
    "                 (normalised); default: q neutral, the others zero\n"
    "  f_ext          external wrenches on links: force [N], then moment [N m], at the\n"
    "                 origin of the link frame, in link axes\n"
    "output: {\"model\": {name, nq, nv, joints, joint_info, mass, mass_fixed},\n"
    "         \"conventions\": {...}, \"states\": [...]}; for each state\n"
    "  tau                   inverse dynamics at (q, v, a), with gravity and f_ext\n"
    "  qdd                   forward dynamics at (q, v, tau), with gravity and f_ext\n"
    "  gravity, bias         gravity torque g(q); bias torque (tau at a = 0)\n"
    "  friction              joint friction at v; included in tau and qdd only with --with\n"
    "  mass_matrix, mass_matrix_inverse, coriolis_matrix        lists of rows\n"
    "  kinetic_energy, potential_energy [J], com [m, world]     of the moving bodies\n"
    "  centroidal_momentum   about com, world axes: linear, then angular\n"
    "  frames                for each --frame: pose [x y z qx qy qz qw] in the world; jacobian\n"
    "                        (6 rows), velocity, bias_acceleration (Jdot v) and\n"
    "                        operational_space_inertia (6 x 6) in the --reference, linear first;\n"
    "                        rank of the operational-space inertia\n"
    "with several --frame, for each state\n"
    "  operational_space_inertia_stacked   of all frames, stacked in the order given, six rows\n"
    "                        each, linear first; zero in singular directions\n"
    "  operational_space_rank, operational_space_condition   its rank and condition number\n"
    "                        (null: singular)\n"
    "with --operators, for each state, operators: {...}\n"
    "  factor, hinge_inertia F = I + H phi K and D of mass_matrix = F D F^T\n"
    "  log_det_mass_matrix (natural), trace_mass_matrix, mass_matrix_rate (dM/dt)\n"
    "  momentum, momentum_gradient   M v, and its derivative with respect to q at constant v\n"
    "  coriolis_transpose_v  C^T v\n"
    "  centroidal_matrix     6 rows, linear first: centroidal_momentum = matrix v\n"
    "  com_jacobian          3 rows: velocity of com = matrix v\n"
    "  bodies                for each moving link: compliance J M^-1 J^T (Upsilon, 6 rows) at the\n"
    "                        link's origin in link axes, linear first, compliance_diagonal, rank\n"
    "robots with loops, gears or mimic joints: v, a, tau and the results refer to the independent\n"
    "joints (see `mbdyn info`), q to all joints; additionally for each state\n"
    "  joint_positions, joint_velocities, joint_accelerations   of all joints; q of dependent\n"
    "                        joints is the initial guess of the loop closure\n"
    "  closure_forces        constraint forces of each closure at tau [N, N m]\n"
    "robots with flexible links (docs/flexible.md): q, v, a, tau and the results have the modal\n"
    "coordinates of these links after the joints (by name: a list under the link's name). Results\n"
    "are tau, gravity, bias, qdd, mass_matrix, energies (with strain_energy), natural_frequencies\n"
    "[rad/s] with free joints, and pose and velocity of frames\n"
    "with --derivatives, for each state\n"
    "  dtau_dq, dtau_dv      of tau at (q, v, a), as lists of rows; columns are in the tangent\n"
    "                        space: for a free joint the right exponential, body axes, linear "
    "first\n"
    "  dqdd_dq, dqdd_dv      of qdd at (q, v, tau), likewise\n\n"
    "exit code: 0 success; 2 wrong usage, invalid robot or input, or output that cannot be "
    "written\n"
    "\n"
    "examples:\n"
    "  echo '{\"states\": [{\"q\": {\"elbow\": 1.57}}]}' | mbdyn eval arm.urdf\n"
    "  mbdyn eval quadruped.urdf --base floating --frame foot --input in.json --output out.json",
};

//---------- options ----------

typedef struct eval_options {
  frame_names_t frames;
  mbd_reference_t reference;
  uint32_t terms;
  bool operators, derivatives;
  int threads;
  const char * input;
  const char * output;  // NULL: standard output
} eval_options_t;

static const char *
take_frame(void * target, const char * value)
{
  return frame_names_take(&((eval_options_t *)target)->frames, value);
}

static const char *
take_reference(void * target, const char * value)
{
  return reference_take(&((eval_options_t *)target)->reference, value);
}

static const char *
take_terms(void * target, const char * value)
{
  return terms_take(&((eval_options_t *)target)->terms, value);
}

static const char *
take_operators(void * target, const char * value)
{
  (void)value;
  ((eval_options_t *)target)->operators = true;
  return NULL;
}

static const char *
take_derivatives(void * target, const char * value)
{
  (void)value;
  ((eval_options_t *)target)->derivatives = true;
  return NULL;
}

static const char *
take_threads(void * target, const char * value)
{
  return threads_take(value, &((eval_options_t *)target)->threads);
}

static const char *
take_input(void * target, const char * value)
{
  ((eval_options_t *)target)->input = value;
  return NULL;
}

static const char *
take_output(void * target, const char * value)
{
  ((eval_options_t *)target)->output = strcmp(value, "-") == 0 ? NULL : value;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--frame", "LINK", "link or frame to evaluate; can be repeated", take_frame},
  {"--reference", "REFERENCE",
   "reference of frame velocities and Jacobians: local (origin and axes of\n"
   "the frame), world (origin and axes of the world), or\n"
   "local_world_aligned (origin of the frame, axes of the world; default)",
   take_reference},
  {"--with", "TERMS",
   "include friction (of joints), rotors (reflected inertia), elements\n"
   "(springs and other forces, docs/mechanism.md), or several separated by\n"
   "commas, in tau, qdd and the matrices; default: rigid bodies only",
   take_terms},
  {"--operators", NULL,
   "add factorisation and time derivative of the mass matrix, momenta, and\n"
   "the operational-space compliance of every link",
   take_operators},
  {"--derivatives", NULL, "add the derivatives of tau and qdd with respect to q and v",
   take_derivatives},
  {"--threads", "N", "number of threads; default: one per processor", take_threads},
  {"--input", "FILE", "read states from FILE; default: standard input", take_input},
  {"--output", "FILE", "write results to FILE; default: standard output", take_output},
  {NULL, NULL, NULL, NULL},
};

//---------- work ----------

typedef struct eval_job {
  eval_input_t input;
  eval_request_t request;
  eval_conventions_t conventions;
  eval_block_t block;
} eval_job_t;

static bool
evaluate(eval_job_t * job, json_out_t * out)
{
  for (size_t i = 0; i < job->input.nstate;) {
    if (!eval_block_run(&job->block, i, out, &i) || !eval_spool_written(out->file)) return false;
  }
  return true;
}

static bool
evaluate_and_write(eval_job_t * job, const char * path)
{
  FILE * spool = eval_spool_open();
  if (!spool) return false;
  json_out_t out = json_out_open(spool);
  eval_write_head(&out, job->input.model, NULL, &job->conventions);
  const bool good = evaluate(job, &out);
  eval_write_tail(&out);
  return eval_spool_close(spool, good, path);
}

static bool
refuse_loops(const mbd_model_t * model, const eval_options_t * options)
{
  if (!model->tree || !options->operators) return false;
  fputs(
    "mbdyn eval: --operators requires a tree, but this robot has loops, gears or mimic joints (see "
    "--mimic, --loops)\n",
    stderr);
  return true;
}

// flexible links: a way of its own
static bool
run_flexible(eval_job_t * job, const mbd_model_t * flexible, const eval_options_t * options)
{
  if (options->operators || options->derivatives) {
    fputs(
      "mbdyn eval: --operators and --derivatives require rigid links, but this robot has flexible "
      "links (see --flexible)\n",
      stderr);
    return false;
  }
  if (!eval_input_read(options->input, flexible->flexible->rigid, &job->input)) return false;
  job->input.flexible = flexible;
  return eval_flexible(&job->input, &job->request.frames, &job->conventions, options->output);
}

static bool
prepare(eval_job_t * job, const mbd_model_t * model, const eval_options_t * options)
{
  job->request.terms = options->terms;
  job->request.operators = options->operators;
  job->request.derivatives = options->derivatives;
  return !refuse_loops(model, options) && eval_input_read(options->input, model, &job->input) &&
         eval_block_create(&job->input, &job->request, options->threads, &job->block);
}

static bool
run_eval(const char * path, robot_options_t * how, const eval_options_t * options)
{
  robot_embed(how);
  robot_allow_flexible(how);
  robot_t robot;
  eval_job_t job = {.request.frames = {options->frames.n, NULL, options->reference}};
  bool done = false;
  int * frame = calloc((size_t)options->frames.n + 1, sizeof *frame);
  job.request.frames.frame = frame;
  if (
    robot_load(path, how, &robot) && !robot_refuse_mimic(path, robot.model) && frame &&
    frame_names_find(&options->frames, path, robot.model, frame)) {
    job.conventions = (eval_conventions_t){
      robot.model->gravity, how->root || how->urdf.base == MBDX_BASE_FLOATING, options->terms,
      options->reference};
    if (robot.flexible && robot.flexible->flexible->npart > 0) {
      done = run_flexible(&job, robot.flexible, options);
    } else {
      done = prepare(&job, robot.model, options) && evaluate_and_write(&job, options->output);
    }
  }
  eval_block_free(&job.block);
  eval_input_free(&job.input);
  robot_free(&robot);
  free(frame);
  return done;
}

int
eval_main(int argc, char ** argv)
{
  robot_options_t robot = robot_options_default();
  eval_options_t options = {
    .reference = MBD_LOCAL_WORLD_ALIGNED, .threads = threads_default(), .input = "-"};
  const option_group_t groups[] = {
    {OPTIONS, &options}, {ROOT_OPTIONS, &robot}, {ROBOT_OPTIONS, &robot}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code < 0 && strcmp(path, "-") == 0 && strcmp(options.input, "-") == 0) {
    fputs("mbdyn eval: robot and states cannot both be standard input; use --input\n", stderr);
    code = CLI_TROUBLE;
  }
  if (code < 0) code = run_eval(path, &robot, &options) ? CLI_OK : CLI_TROUBLE;
  free(options.frames.name);
  return code;
}
