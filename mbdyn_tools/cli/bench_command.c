// `mbdyn bench`: time per call of every function, on a robot of the user's.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "functions.h"
#include "json_out.h"
#include "mbdyn/integrate.h"
#include "measure.h"
#include "plugin_mbdyn.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "bench",
  .operand = "ROBOT.urdf",
  .intro =
    "Measure the time per call of each function on a robot: minimum and median over many rounds "
    "in\n"
    "nanoseconds. Each call starts from the configuration, without cached results.",
  .details =
    "Calls cycle through 16 random states within the joint limits. Times are CPU time of one\n"
    "thread. mbdyn_bench compares with other libraries (bench/README.md).\n\n"
    "exit code: 0 success; 2 wrong usage, invalid robot, or output that cannot be written\n\n"
    "examples:\n"
    "  mbdyn bench arm.urdf\n"
    "  mbdyn bench --base floating --frame l_foot --frame r_foot --functions id,fd,opspaces "
    "biped.urdf",
};

enum { NSTATE = 16, BATCH = 8, MAX_FRAMES = 16, MAX_DENSE = 1500 };

//---------- options ----------

typedef struct settings {
  uint64_t functions;
  double seconds;
  int rounds, seed;
  bool json;
  int nframe;
  const char * frame[MAX_FRAMES];
} settings_t;

static const char *
take_functions(void * target, const char * value)
{
  settings_t * s = target;
  const char * wrong;
  return bench_select_functions(value, &s->functions, &wrong)
           ? NULL
           : "a list such as id,fd,mass (see --help)";
}

static const char *
take_seconds(void * target, const char * value)
{
  settings_t * s = target;
  char * end = NULL;
  s->seconds = strtod(value, &end);
  const bool fine = end != value && *end == 0 && s->seconds > 0 && s->seconds < 1e6;
  return fine ? NULL : "a number of seconds";
}

static const char *
take_number(const char * value, int least, int * number)
{
  char * end = NULL;
  const long x = strtol(value, &end, 10);
  if (end == value || *end != 0 || x < least || x > 1000000) return "a whole number";
  *number = (int)x;
  return NULL;
}

static const char *
take_rounds(void * target, const char * value)
{
  settings_t * s = target;
  return take_number(value, 1, &s->rounds);
}

static const char *
take_seed(void * target, const char * value)
{
  settings_t * s = target;
  return take_number(value, 0, &s->seed);
}

static const char *
take_frame(void * target, const char * value)
{
  settings_t * s = target;
  if (s->nframe == MAX_FRAMES) return "at most 16 frames";
  s->frame[s->nframe++] = value;
  return NULL;
}

static const char *
take_json(void * target, const char * value)
{
  (void)value;
  settings_t * s = target;
  s->json = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--functions", "LIST",
   "comma-separated functions to measure: fk, id, gravity, bias, mass, fd,\n"
   "minv, jacobian, jdotv, opspace, opspaces, momentum, kinetic, integrate,\n"
   "contact_step, id_wrench, fd_wrench, id_derivatives, fd_derivatives;\n"
   "batch_fk and others with batch_: batches; soa_id, soa_fd, soa_mass:\n"
   "batches in structure-of-arrays layout; default: all",
   take_functions},
  {"--frame", "LINK",
   "link or frame for Jacobians and operational-space inertia; can be\n"
   "repeated (opspaces uses all of them); default: the deepest link",
   take_frame},
  {"--seconds", "S", "measuring time per function, default 0.2", take_seconds},
  {"--rounds", "N", "number of rounds, default 100", take_rounds},
  {"--seed", "N", "seed of the random states, default 1", take_seed},
  {"--json", NULL, "print JSON", take_json},
  {NULL, NULL, NULL, NULL},
};

//---------- the robot and its states ----------

static const char *
deepest_link(const mbd_model_t * model)
{
  int best = 0, best_depth = -1;
  for (int i = 0; i < model->nbody; i++) {
    int depth = 0;
    for (int k = i; k >= 0; k = model->body[k].parent) depth++;
    if (depth > best_depth) best = i, best_depth = depth;
  }
  return model->body[best].name;
}

static bool
frames_exist(const char * path, const mbd_model_t * model, const settings_t * settings)
{
  for (int i = 0; i < settings->nframe; i++) {
    int frame;
    if (mbd_find_frame(model, settings->frame[i], &frame) == MBD_OK) continue;
    closest_t closest = closest_to(settings->frame[i]);
    for (int k = 0; k < model->nframe; k++) closest_offer(&closest, model->frame[k].name);
    fprintf(
      stderr, "%s: no link or frame '%s'%s\n", text_source_name(path), settings->frame[i],
      closest_hint(&closest));
    return false;
  }
  return true;
}

// a number in [-1, 1]
static double
next_random(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

// memory for all states; q is the block to free
static bool
make_states(const mbd_model_t * model, int seed, bench_robot_t * robot)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  double * q = calloc(NSTATE * (nq + 3 * nv), sizeof *q);
  if (q == NULL) return false;
  double *v = q + NSTATE * nq, *a = v + NSTATE * nv, *tau = a + NSTATE * nv;
  bool fine = true;
  for (size_t i = 0; i < NSTATE; i++)
    fine &= mbd_random_configuration(model, NSTATE * (uint64_t)seed + i, q + i * nq) == MBD_OK;
  uint64_t state = (uint64_t)seed;
  for (size_t i = 0; i < NSTATE * nv; i++) {
    v[i] = next_random(&state);
    a[i] = 5 * next_random(&state);
    tau[i] = 10 * next_random(&state);
  }
  robot->q = q, robot->v = v, robot->a = a, robot->tau = tau;
  return fine;
}

static bench_robot_t
describe(const mbd_model_t * model, settings_t * settings)
{
  if (settings->nframe == 0) settings->frame[settings->nframe++] = deepest_link(model);
  return (bench_robot_t){
    .name = model->name,
    .nq = model->nq,
    .nv = model->nv,
    .nframe = settings->nframe,
    .frame = settings->frame,
    .dense = model->nv <= MAX_DENSE,
    .nstate = NSTATE,
    .batch = BATCH};
}

//---------- measuring and printing ----------

// functions that are asked for and mean something here
static bool
is_wanted(const bench_robot_t * robot, const settings_t * settings, bench_function_t function)
{
  if (!(settings->functions & BENCH_BIT(function))) return false;
  if (function == BENCH_OPERATIONAL_INERTIAS && robot->nframe < 2) return false;
  return robot->dense || !bench_functions[function].dense;
}

// numbers of the largest result
static size_t
largest_result(const bench_robot_t * robot, const settings_t * settings)
{
  size_t largest = 0;
  for (bench_function_t f = 0; f < BENCH_FUNCTIONS; f++) {
    const size_t size = is_wanted(robot, settings, f) ? bench_result_size(robot, f) : 0;
    if (size > largest) largest = size;
  }
  return largest;
}

// every way must go well before it is timed; NULL, or why it does not
static const char *
measure(bench_entry_t * entry, const settings_t * settings, double * result)
{
  const int variant = (int)(entry->variant - bench_mbdyn.variant);
  entry->variant->call(entry->loaded, 0);
  if (!bench_mbdyn.result(entry->loaded, variant, 0, result)) return "cannot be computed";
  return bench_measure(entry, 1, settings->rounds, settings->seconds) ? NULL : "out of memory";
}

static void
print_text(const bench_entry_t * entry, const char * why)
{
  printf("%-42s", bench_functions[entry->variant->function].name);
  if (why) {
    printf(" %s\n", why);
  } else {
    printf(" %10.0f %10.0f\n", entry->min, entry->median);
  }
  fflush(stdout);
}

static void
print_json(json_out_t * out, const bench_entry_t * entry, const char * why)
{
  json_out_object(out, bench_functions[entry->variant->function].key);
  if (why) {
    json_out_string(out, "error", why);
  } else {
    json_out_number(out, "min", entry->min);
    json_out_number(out, "median", entry->median);
  }
  json_out_end(out);
}

static void
begin(const bench_robot_t * robot, bool json, json_out_t * out)
{
  if (!json) {
    printf("%s: %d degrees of freedom, frame %s\n", robot->name, robot->nv, robot->frame[0]);
    printf("%-42s %10s %10s\n", "ns per call", "min", "median");
    return;
  }
  *out = json_out_open(stdout);
  json_out_object(out, NULL);
  json_out_string(out, "robot", robot->name);
  json_out_integer(out, "nv", robot->nv);
  json_out_string(out, "unit", "ns");
  json_out_object(out, "functions");
}

// the fastest implementation of a function
static bench_entry_t
best_way(bench_entry_t entry, bench_function_t function)
{
  bench_entry_t variants[8];
  int n = 0;
  for (const bench_variant_t * variant = bench_mbdyn.variant; variant->call && n < 8; variant++) {
    if (variant->function != function) continue;
    if (!bench_mbdyn.able(entry.loaded, (int)(variant - bench_mbdyn.variant))) continue;
    variants[n] = entry;
    variants[n++].variant = variant;
  }
  if (n == 0) return entry;
  return variants[bench_fastest(variants, n)];
}

static void
measure_all(
  void * loaded, const bench_robot_t * robot, const settings_t * settings, double * result)
{
  json_out_t out = {0};
  begin(robot, settings->json, &out);
  for (bench_function_t f = 0; f < BENCH_FUNCTIONS; f++) {
    if (!is_wanted(robot, settings, f)) continue;
    bench_entry_t entry = best_way((bench_entry_t){.robot = robot, .loaded = loaded}, f);
    if (entry.variant == NULL) continue;
    const char * why = measure(&entry, settings, result);
    if (settings->json) {
      print_json(&out, &entry, why);
    } else {
      print_text(&entry, why);
    }
  }
  if (!settings->json) return;
  json_out_end(&out);
  json_out_end(&out);
}

// the model goes with the workspace
static int
run_bench(robot_t * from, settings_t * settings)
{
  bench_robot_t robot = describe(from->model, settings);
  char why[BENCH_WHY] = "out of memory";
  double * result = calloc(largest_result(&robot, settings) + 1, sizeof *result);
  const bool fine = result && make_states(from->model, settings->seed, &robot);
  void * loaded = NULL;
  if (fine) {
    loaded = bench_mbdyn_adopt(from->model, &robot, why);
    from->model = NULL;
  }
  if (loaded) {
    measure_all(loaded, &robot, settings, result);
  } else {
    fprintf(stderr, "mbdyn bench: %s\n", why);
  }
  bench_mbdyn.unload(loaded);
  free((double *)robot.q);
  free(result);
  return loaded ? CLI_OK : CLI_TROUBLE;
}

int
bench_main(int argc, char ** argv)
{
  settings_t settings = {
    .functions = BENCH_ALL_FUNCTIONS, .seconds = 0.2, .rounds = 100, .seed = 1};
  robot_options_t options = robot_options_default();
  const option_group_t groups[] = {{OPTIONS, &settings}, {ROBOT_OPTIONS, &options}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;

  robot_t robot;
  code = CLI_TROUBLE;
  if (robot_load(path, &options, &robot)) {
    const mbd_model_t * model = robot.model;
    if (model->nv == 0) {
      fprintf(stderr, "%s: the robot has no moving joint\n", text_source_name(path));
    } else if (!robot_refuse_mimic(path, model) && frames_exist(path, model, &settings)) {
      code = run_bench(&robot, &settings);
    }
  }
  robot_free(&robot);
  return code;
}
