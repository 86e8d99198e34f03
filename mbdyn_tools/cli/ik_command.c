// `mbdyn ik`: configurations in which frames have given poses.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "ik_options.h"
#include "ik_output.h"
#include "mbdyn/mbdyn.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "ik",
  .operand = "ROBOT.urdf|FILE.mechanism.yaml",
  .intro =
    "Inverse kinematics: joint positions in which frames have given poses, within the position\n"
    "limits. Prints each solution with its error, the condition number of the Jacobian, its\n"
    "component (sign of the determinant: between different signs is a singularity), and the joint\n"
    "nearest to a limit [rad or m].",
  .details =
    "Angles in rad, lengths in m. Roll, pitch, yaw are those of URDF: rotations about the fixed\n"
    "axes x, y, z of the world, in this order. The condition number weighs a third of the length "
    "of\n"
    "the chain as a radian.\n"
    "With --all, arms with a closed form (six axes with a spherical wrist or three parallel axes;\n"
    "seven axes with a spherical shoulder and wrist, at the swivel angle of the seed) have all of\n"
    "their solutions printed. Other robots are started from many configurations; if the pose "
    "leaves\n"
    "a self-motion, the solutions are a sample. Robots with loops or mimic joints are not "
    "supported.\n"
    "\n"
    "With --self-motion, the curve of all configurations with the pose is traced, for a robot with "
    "one\n"
    "joint more than needed: closed or not, turns of each joint, arcs within limits and free of\n"
    "obstacles. Without --pose, the pose is that of the seed, or of a configuration far from\n"
    "singularities. Lengths are norms of joint "
    "displacements.\n"
    "\n"
    "FILE.mechanism.yaml has sections inputs and outputs. --pose or --outputs: inputs for them; "
    "--inputs:\n"
    "outputs. --all: all solutions, and the other assembly modes of the same inputs. Each with the "
    "signs\n"
    "of the determinants that tell singularity-free components apart (docs/manipulators.md).\n"
    "\n"
    "exit code: 0 solved; 1 no solution (the nearest pose found is printed); 2 wrong usage, "
    "invalid\n"
    "robot, or output that cannot be written\n\n"
    "examples:\n"
    "  mbdyn ik arm7.urdf --frame tool --pose 0.4,0,0.5,3.14159,0,0\n"
    "  mbdyn ik arm6.urdf --frame tool --pose 0.4,0.2,0.3,3.14159,0,0 --all --json\n"
    "  mbdyn ik arm7.urdf --frame tool --self-motion --html elbow.html\n"
    "  mbdyn ik stewart.mechanism.yaml --pose 0,0,1.2,0.1,0,0 --all\n"
    "  mbdyn ik humanoid.urdf --frame r_gripper --pose 0.3,-0.3,0.2 --frame l_gripper --pose "
    "0.3,0.3,0.2",
};

//---------- options ----------

// numbers separated by commas, at most `most`; 0: not finite, not numbers, or too many
static int
parse_numbers(const char * text, int most, double * x)
{
  for (int n = 0; n < most;) {
    char * end = NULL;
    x[n] = strtod(text, &end);
    if (end == text || !isfinite(x[n])) return 0;
    n++;
    if (*end == 0) return n;
    if (*end != ',') return 0;
    text = end + 1;
  }
  return 0;
}

static const char *
take_frame(void * target, const char * value)
{
  ik_options_t * o = target;
  if (o->nframe == IK_MOST_TARGETS) return "at most 8 frames";
  o->frame[o->nframe++] = value;
  return NULL;
}

static const char *
take_pose(void * target, const char * value)
{
  ik_options_t * o = target;
  if (o->npose == IK_MOST_TARGETS) return "at most 8 poses";
  double * x = o->pose[o->npose];
  const int n = parse_numbers(value, 6, x);
  bool good = n == 3 || n == 6;
  for (int k = 0; k < n; k++) good = good && fabs(x[k]) <= IK_LARGEST_NUMBER;
  if (!good) {
    return "three finite numbers X,Y,Z in m, or six with ROLL,PITCH,YAW in rad, up to 1e9, e.g. "
           "0.4,0,0.5,3.14,0,0";
  }
  o->numbers[o->npose++] = n;
  return NULL;
}

static const char *
take_seed(void * target, const char * value)
{
  ((ik_options_t *)target)->seed = value;
  return NULL;
}

static const char *
take_posture(void * target, const char * value)
{
  ((ik_options_t *)target)->posture = value;
  return NULL;
}

static const char *
take_all(void * target, const char * value)
{
  (void)value;
  ((ik_options_t *)target)->all = true;
  return NULL;
}

static const char *
take_limits(void * target, const char * value)
{
  (void)value;
  ((ik_options_t *)target)->solve.ignore_limits = false;
  return NULL;
}

static const char *
take_ignore_limits(void * target, const char * value)
{
  (void)value;
  ((ik_options_t *)target)->solve.ignore_limits = true;
  return NULL;
}

static const char *
take_tolerance(void * target, const char * value)
{
  double x;
  // less is rounding
  if (parse_numbers(value, 1, &x) != 1 || !(x >= 1e-12)) return "a number of at least 1e-12";
  ((ik_options_t *)target)->solve.position = ((ik_options_t *)target)->solve.rotation = x;
  return NULL;
}

static const char *
take_restarts(void * target, const char * value)
{
  char * end;
  errno = 0;
  const long n = strtol(value, &end, 10);
  if (end == value || *end || errno || n < 0 || n > 1000000) return "a number from 0 to 1000000";
  ((ik_options_t *)target)->solve.restarts = (int)n;
  return NULL;
}

static const char *
take_json(void * target, const char * value)
{
  (void)value;
  ((ik_options_t *)target)->json = true;
  return NULL;
}

static const char *
take_self_motion(void * target, const char * value)
{
  (void)value;
  ((ik_options_t *)target)->self_motion = true;
  return NULL;
}

static const char *
take_html(void * target, const char * value)
{
  ((ik_options_t *)target)->html = value;
  return NULL;
}

static const char *
take_obstacle(void * target, const char * value)
{
  ik_options_t * o = target;
  double x[7];
  if (o->nobstacle == IK_MOST_OBSTACLES) return "at most 32 obstacles";
  const int n = parse_numbers(value, 7, x);
  if ((n != 4 && n != 7) || !(x[n - 1] >= 0)) {
    return "X,Y,Z,RADIUS of a sphere, or X,Y,Z,X,Y,Z,RADIUS of a capsule, in m";
  }
  const double * b = n == 7 ? x + 3 : x;
  o->obstacle[o->nobstacle++] = (mbd_capsule_t){{x[0], x[1], x[2]}, {b[0], b[1], b[2]}, x[n - 1]};
  return NULL;
}

static const char *
take_radius(void * target, const char * value)
{
  double x;
  if (parse_numbers(value, 1, &x) != 1 || !(x >= 0)) return "a number of m, not negative";
  ((ik_options_t *)target)->radius = x;
  return NULL;
}

static const char *
take_inputs(void * target, const char * value)
{
  ik_options_t * o = target;
  o->ninput = parse_numbers(value, IK_MOST_VALUES, o->input);
  return o->ninput > 0 ? NULL : "finite numbers separated by commas";
}

static const char *
take_outputs(void * target, const char * value)
{
  ik_options_t * o = target;
  o->noutput = parse_numbers(value, IK_MOST_VALUES, o->output);
  return o->noutput > 0 ? NULL : "finite numbers separated by commas";
}

static const option_t OPTIONS[] = {
  {"--frame", "LINK", "link or frame; can be repeated, with one --pose for each", take_frame},
  {"--pose", "X,Y,Z[,R,P,Y]",
   "desired pose of the frame in the world: position [m], and roll, pitch,\n"
   "yaw [rad]; three numbers: any orientation",
   take_pose},
  {"--seed", "Q,...",
   "joint positions to start from, in the order of `mbdyn info`; default: the\n"
   "middle of the limits",
   take_seed},
  {"--posture", "Q,...",
   "of the solutions, a nearest one to these joint positions, for robots with\n"
   "more joints than needed",
   take_posture},
  {"--all", NULL, "all solutions, nearest to the seed first (at most 64)", take_all},
  {"--limits", NULL, "respect position limits (default)", take_limits},
  {"--ignore-limits", NULL, "ignore position limits", take_ignore_limits},
  {"--tolerance", "T", "largest error [m] and [rad]; default 1e-6, at least 1e-12", take_tolerance},
  {"--restarts", "N", "random starts after the seed; default 100", take_restarts},
  {"--self-motion", NULL, "trace the configurations with the same pose", take_self_motion},
  {"--html", "FILE", "self-motion: write a page with curves and an animation", take_html},
  {"--obstacle", "X,Y,Z,R",
   "self-motion: a sphere in the world, or with X,Y,Z,X,Y,Z,R a capsule; can\n"
   "be repeated",
   take_obstacle},
  {"--radius", "R", "self-motion: radius of the links, capsules from joint to joint; default 0.05",
   take_radius},
  {"--inputs", "Y,...", "mechanism: values of its inputs, in the order of the file", take_inputs},
  {"--outputs", "Z,...", "mechanism: values of its outputs", take_outputs},
  {"--json", NULL, "print JSON", take_json},
  {NULL, NULL, NULL, NULL},
};

//---------- robot ----------

mbd_placement_t
ik_pose_of(const double * x)
{
  const double cr = cos(x[3]), sr = sin(x[3]), cp = cos(x[4]), sp = sin(x[4]);
  const double cy = cos(x[5]), sy = sin(x[5]);
  const mbd_placement_t X = {
    {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr,
      sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr}},
    {x[0], x[1], x[2]}};
  return X;
}

bool
ik_find_frame(const char * path, const mbd_model_t * model, const char * name, int * frame)
{
  if (mbd_find_frame(model, name, frame) == MBD_OK) return true;
  closest_t closest = closest_to(name);
  for (int k = 0; k < model->nframe; k++) closest_offer(&closest, model->frame[k].name);
  fprintf(
    stderr, "%s: --frame %s: no such link or frame in robot '%s'%s\n", text_source_name(path), name,
    model->name, closest_hint(&closest));
  fputs("frames:", stderr);
  for (int k = 0; k < model->nframe; k++) fprintf(stderr, " %s", model->frame[k].name);
  fputs("\n", stderr);
  return false;
}

static bool
find_targets(
  const char * path, const mbd_model_t * model, const ik_options_t * o, mbd_ik_target_t * target)
{
  for (int t = 0; t < o->nframe; t++) {
    double x[6] = {0};
    memcpy(x, o->pose[t], (size_t)o->numbers[t] * sizeof *x);
    target[t] = mbdu_ik_pose(0, ik_pose_of(x));
    for (int k = 0; o->numbers[t] == 3 && k < 3; k++) target[t].axis[k] = false;
    if (!ik_find_frame(path, model, o->frame[t], &target[t].frame)) return false;
  }
  return true;
}

// model->nq numbers; false after a message
static bool
read_joints(
  const char * path, const mbd_model_t * model, const char * option, const char * text, double * q)
{
  const int n = parse_numbers(text, model->nq, q);
  if (n == model->nq) return true;
  fprintf(
    stderr,
    "%s: %s '%s': expected %d finite numbers separated by commas, in the order of `mbdyn "
    "info`:",
    text_source_name(path), option, text, model->nq);
  for (int i = 0; i < model->nbody; i++) {
    fprintf(stderr, " %s", model->body[i].joint_name);
    if (model->body[i].nq > 1) fprintf(stderr, " (%d)", model->body[i].nq);
  }
  fputs("\n", stderr);
  return false;
}

// memory of a solve
typedef struct ik_memory {
  mbd_data_t * data;
  double *work, *seed, *posture, *q;
} ik_memory_t;

static bool
allocate(const mbd_model_t * model, const mbd_ik_targets_t * targets, ik_memory_t * m)
{
  const size_t nq = (size_t)model->nq;
  m->work = calloc(mbd_ik_work(model, targets), sizeof *m->work);
  m->seed = calloc(nq + 1, sizeof *m->seed);
  m->posture = calloc(nq + 1, sizeof *m->posture);
  m->q = calloc(IK_MOST_SOLUTIONS * (nq + 1), sizeof *m->q);
  const bool good =
    m->work && m->seed && m->posture && m->q && mbd_data_create(model, &m->data) == MBD_OK;
  if (!good) fputs("mbdyn ik: out of memory\n", stderr);
  return good;
}

static mbd_status_t
solve(const ik_options_t * o, const ik_memory_t * m, ik_found_t * f)
{
  const double * seed = o->seed ? m->seed : NULL;
  if (o->all) {
    return mbd_ik_all(
      f->model, m->data, f->targets, &o->solve, seed, IK_MOST_SOLUTIONS, m->work, m->q, &f->n,
      &f->result, &f->form);
  }
  mbd_ik_options_t options = o->solve;
  options.posture = o->posture ? m->posture : NULL;
  const mbd_status_t status =
    mbd_ik(f->model, m->data, f->targets, &options, seed, m->work, m->q, &f->result);
  f->n = status == MBD_OK && f->result.outcome == MBD_IK_SOLVED;
  return status;
}

// whether the limits are to blame; behind the configuration that was found there is room for another one
static mbd_status_t
solve_without_limits(const ik_options_t * o, const ik_memory_t * m, ik_found_t * f)
{
  mbd_ik_options_t options = o->solve;
  mbd_ik_result_t result;
  options.ignore_limits = true;
  const mbd_status_t status =
    mbd_ik(f->model, m->data, f->targets, &options, m->q, m->work, m->q + f->model->nq, &result);
  f->beyond_limits = status == MBD_OK && result.outcome == MBD_IK_SOLVED;
  return status;
}

static mbd_status_t
solve_and_print(const ik_options_t * o, const ik_memory_t * m, ik_found_t * f)
{
  mbd_ik_measure_t measure[IK_MOST_SOLUTIONS];
  mbd_placement_t reached[IK_MOST_TARGETS];
  mbd_status_t status = solve(o, m, f);
  for (int k = (f->n ? f->n : 1) - 1; status == MBD_OK && k >= 0; k--) {
    status = mbd_ik_measure(
      f->model, m->data, f->targets, &o->solve, m->q + (size_t)k * (size_t)f->model->nq, m->work,
      &measure[k]);
  }
  for (int t = 0; status == MBD_OK && t < f->targets->n; t++) {
    status = mbd_frame_placement(f->model, m->data, f->targets->t[t].frame, &reached[t]);
  }
  if (status == MBD_OK && f->n == 0 && f->result.outcome == MBD_IK_AT_LIMIT)
    status = solve_without_limits(o, m, f);
  if (status != MBD_OK) return status;
  f->q = m->q, f->measure = measure, f->reached = reached;
  (o->json ? ik_json : ik_text)(f);
  return MBD_OK;
}

// the seed, or of some configurations within limits the one furthest from singularities: arms are often singular
// in the middle of their limits
static bool
find_start(
  const char * path, const mbd_model_t * model, mbd_data_t * data, const ik_options_t * o,
  int frame, double * q)
{
  if (o->seed) return read_joints(path, model, "--seed", o->seed, q);
  const mbd_ik_target_t target = mbdu_ik_pose(frame, mbdu_placement_identity());
  const mbd_ik_targets_t targets = {1, &target};
  double * work = calloc(mbd_ik_work(model, &targets) + (size_t)model->nq, sizeof *work);
  double * trial = work + mbd_ik_work(model, &targets);
  double best = -1;
  for (uint64_t k = 0; work && k < 30; k++) {
    mbd_ik_measure_t measure;
    if (mbd_random_configuration(model, k, trial) != MBD_OK) continue;
    const mbd_status_t status = mbd_ik_measure(model, data, &targets, NULL, trial, work, &measure);
    if (status != MBD_OK || measure.smallest <= best) continue;
    best = measure.smallest;
    memcpy(q, trial, (size_t)model->nq * sizeof *q);
  }
  if (!work) fputs("mbdyn ik: out of memory\n", stderr);
  free(work);
  return best >= 0;
}

// self-motion at the seed
static int
run_self_motion(const char * path, const mbd_model_t * model, const ik_options_t * o)
{
  int frame, code = CLI_TROUBLE;
  if (robot_refuse_mimic(path, model) || !ik_find_frame(path, model, o->frame[0], &frame))
    return code;
  mbd_data_t * data = NULL;
  double * q = calloc((size_t)model->nq + 1, sizeof *q);
  if (!q || mbd_data_create(model, &data) != MBD_OK) {
    fputs("mbdyn ik: out of memory\n", stderr);
  } else if (find_start(path, model, data, o, frame, q)) {
    code = ik_self_motion(path, model, data, o, frame, q);
  }
  mbd_data_destroy(data);
  free(q);
  return code;
}

static int
run_ik(const char * path, const mbd_model_t * model, const ik_options_t * o)
{
  mbd_ik_target_t target[IK_MOST_TARGETS];
  const mbd_ik_targets_t targets = {o->nframe, target};
  if (robot_refuse_mimic(path, model) || !find_targets(path, model, o, target)) return CLI_TROUBLE;
  ik_memory_t m = {0};
  ik_found_t found = {
    .model = model, .targets = &targets, .all = o->all, .ignore_limits = o->solve.ignore_limits};
  int code = CLI_TROUBLE;
  if (
    allocate(model, &targets, &m) &&
    (!o->seed || read_joints(path, model, "--seed", o->seed, m.seed)) &&
    (!o->posture || read_joints(path, model, "--posture", o->posture, m.posture))) {
    mbd_status_t status = o->self_motion ? solve(o, &m, &found) : MBD_OK;
    const bool on_curve = o->self_motion && status == MBD_OK && found.n > 0;
    if (on_curve) {
      code = ik_self_motion(path, model, m.data, o, target[0].frame, m.q);
    } else {
      if (status == MBD_OK) status = solve_and_print(o, &m, &found);
      if (status != MBD_OK) {
        fprintf(stderr, "%s: %s\n", text_source_name(path), mbd_status_string(status));
      } else {
        code = found.n > 0 ? CLI_OK : CLI_FOUND;
      }
    }
  }
  mbd_data_destroy(m.data);
  free(m.work), free(m.seed), free(m.posture), free(m.q);
  return code;
}

static bool
is_mechanism(const char * path)
{
  const size_t n = strlen(path);
  return (n > 5 && strcmp(path + n - 5, ".yaml") == 0) ||
         (n > 4 && strcmp(path + n - 4, ".yml") == 0);
}

// false after a message: options that do not go together
static bool
check_options(const ik_options_t * o)
{
  const char * wrong = NULL;
  if (o->posture && (o->all || o->self_motion))
    wrong = "--posture selects one solution: leave out --all and --self-motion";
  if (o->ninput || o->noutput) wrong = "--inputs and --outputs need a mechanism file";
  if ((o->html || o->nobstacle) && !o->self_motion)
    wrong = "--html and --obstacle need --self-motion";
  if (o->self_motion && (o->nframe != 1 || o->npose > 1)) {
    wrong = "--self-motion needs one --frame, and at most one --pose";
  }
  if (wrong) fprintf(stderr, "mbdyn ik: %s\n", wrong);
  const bool counts = o->nframe > 0 && o->nframe == o->npose;
  if (!wrong && !counts && !o->self_motion) {
    fprintf(
      stderr, "mbdyn ik: %d --frame and %d --pose; give one --pose for each --frame\n", o->nframe,
      o->npose);
    wrong = "";
  }
  if (wrong) fputs("try 'mbdyn ik --help'\n", stderr);
  return !wrong;
}

int
ik_main(int argc, char ** argv)
{
  robot_options_t robot_options = robot_options_default();
  ik_options_t options = {.solve = mbd_ik_options_default(), .radius = 0.05};
  const option_group_t groups[] = {
    {OPTIONS, &options}, {ROBOT_OPTIONS, &robot_options}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  if (is_mechanism(path)) return ik_mechanism(path, &options, robot_options.urdf.strict);
  if (!check_options(&options)) return CLI_TROUBLE;
  robot_t robot;
  code = CLI_TROUBLE;
  if (robot_load(path, &robot_options, &robot)) {
    const bool at_seed = options.self_motion && options.npose == 0;
    code = (at_seed ? run_self_motion : run_ik)(path, robot.model, &options);
  }
  robot_free(&robot);
  return code;
}
