// Ours against MuJoCo, KDL and DART: the same URDF, the same states, every quantity both can do.
//
// All mismatches are printed, then the test fails; the table at the end has the largest relative
// error of each quantity for each peer, where "relative" is to the largest number of the quantity.
#define _POSIX_C_SOURCE 200809L  // scandir

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "oracle.h"
#include "random_tree.h"
#include "urdf_generator.h"

enum { states = 8, max_frames = 6, random_trees = 20, long_chain = 50, max_nv = 200 };

// what is known of one peer at the end
typedef struct score {
  const oracle_t * peer;
  double worst[ORACLE_QUANTITIES];
  char where[ORACLE_QUANTITIES][64];
  int count[ORACLE_QUANTITIES];  // comparisons of the test that runs
  int fixed, floating, refused, compared, mismatches;
} score_t;

static score_t scores[] = {
  {.peer = &oracle_mujoco},
#ifndef ORACLES_MUJOCO_ALONE
  {.peer = &oracle_kdl},
  {.peer = &oracle_dart},
#endif
};
enum { peers = sizeof scores / sizeof *scores };

//---------- a robot to ask for ----------

// a robot as the oracles want it, with the model whose order it is in
typedef struct robot {
  oracle_robot_t ask;
  char name[64];
  mbd_model_t * model;
  const char ** joint;
  const char * frame[max_frames];
} robot_t;

static void
robot_free(robot_t * robot)
{
  mbd_model_destroy(robot->model);
  free(robot->joint);
}

// the root link: that of the free joint, or the first that is fixed to the world
static const char *
root_link(const mbd_model_t * model, bool floating)
{
  if (floating) return model->body[0].name;
  for (int i = 0; i < model->nframe; i++) {
    if (model->frame[i].is_link && model->frame[i].body == MBD_WORLD_BODY) {
      return model->frame[i].name;
    }
  }
  return "";
}

// a few links that move, spread over the robot, the last one among them
static void
choose_frames(robot_t * robot)
{
  const mbd_model_t * m = robot->model;
  int moving = 0;
  for (int i = 0; i < m->nframe; i++) moving += m->frame[i].is_link && m->frame[i].body >= 0;
  const int wanted = moving < max_frames ? moving : max_frames;
  int seen = 0;
  for (int i = 0; i < m->nframe; i++) {
    if (!m->frame[i].is_link || m->frame[i].body < 0) continue;
    seen++;
    if (seen * wanted < (robot->ask.nframe + 1) * moving) continue;
    robot->frame[robot->ask.nframe++] = m->frame[i].name;
  }
  robot->ask.frame = robot->frame;
}

// joints of one degree of freedom, but for the floating base
static bool
list_joints(robot_t * robot)
{
  const mbd_model_t * m = robot->model;
  const int first = robot->ask.floating ? 1 : 0;
  robot->joint = calloc((size_t)m->nbody + 1, sizeof *robot->joint);
  assert_non_null(robot->joint);
  for (int i = first; i < m->nbody; i++) {
    if (m->body[i].nq != 1 || m->body[i].nv != 1) return false;
    robot->joint[i - first] = m->body[i].joint_name;
  }
  robot->ask.joint = robot->joint;
  robot->ask.njoint = m->nbody - first;
  return true;
}

// why the peers cannot be asked for it, or NULL
static const char *
unsuited(robot_t * robot)
{
  const mbd_model_t * m = robot->model;
  if (m->nv > max_nv) return "too long for the peers";
  if (robot->ask.floating && !(m->body[0].inertia.mass > 0)) return "a base that weighs nothing";
  return list_joints(robot) ? NULL : "a joint of several degrees of freedom";
}

// false, with a word, when ours refuses it or the peers cannot be asked for it
static bool
robot_read(const char * name, const char * urdf, bool floating, robot_t * robot)
{
  memset(robot, 0, sizeof *robot);
  snprintf(robot->name, sizeof robot->name, "%s%s", name, floating ? ", floating" : "");
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  const size_t size = strlen(urdf);
  const mbd_status_t status =
    mbdx_urdf_load_string(urdf, size, name, &options, &robot->model, NULL);
  if (status != MBD_OK) {
    print_message("             %s: ours says %s\n", robot->name, mbd_status_string(status));
    return false;
  }
  const mbd_vec3_t g = robot->model->gravity;
  robot->ask = (oracle_robot_t){
    .name = robot->name,
    .urdf = urdf,
    .root = root_link(robot->model, floating),
    .floating = floating,
    .gravity = {g.x, g.y, g.z}};
  choose_frames(robot);
  const char * why = unsuited(robot);
  if (why == NULL) return true;
  print_message("             %s: %s\n", robot->name, why);
  robot_free(robot);
  return false;
}

//---------- states ----------

typedef struct motion {
  double *q, *v, *a, *tau;
} motion_t;

// at rest first, then anywhere and fast
static motion_t
make_motion(const mbd_model_t * model, int number)
{
  const size_t nv = (size_t)model->nv;
  double * block = calloc((size_t)model->nq + 3 * nv + 1, sizeof(double));
  assert_non_null(block);
  motion_t s = {block, block + model->nq, block + model->nq + nv, block + model->nq + 2 * nv};
  uint64_t seed = 1000 + (uint64_t)number;
  if (number == 0) {
    assert_ok(mbd_neutral(model, s.q));
  } else {
    assert_ok(mbd_random_configuration(model, seed, s.q));
  }
  for (size_t i = 0; i < nv; i++) {
    s.v[i] = number == 0 ? 0 : 2 * random_signed(&seed);
    s.a[i] = number == 0 ? 0 : 5 * random_signed(&seed);
    s.tau[i] = 10 * random_signed(&seed);
  }
  return s;
}

//---------- comparing ----------

// relative agreement that is asked for
static double
allowed(const oracle_t * peer, oracle_quantity_t quantity)
{
  switch (quantity) {
    case ORACLE_GRAVITY:
    case ORACLE_POTENTIAL:
    case ORACLE_PLACEMENT:
    case ORACLE_JACOBIAN:
    case ORACLE_JACOBIAN_BIAS: return 1e-9;
    default: return peer->tolerance;
  }
}

// the scale below which a quantity counts as zero
static double
scale_floor(oracle_quantity_t quantity)
{
  switch (quantity) {
    case ORACLE_M: return 1e-12;
    case ORACLE_KINETIC: return 1e-9;
    case ORACLE_POTENTIAL: return 1e-3;
    case ORACLE_PLACEMENT:
    case ORACLE_JACOBIAN:
    case ORACLE_JACOBIAN_BIAS: return 1e-2;
    default: return 1e-4;
  }
}

// largest difference relative to the largest number; infinite when something is not a number
static double
relative_error(const double * a, const double * b, size_t n, double floor, size_t * at)
{
  double scale = floor, error = 0;
  *at = 0;
  for (size_t i = 0; i < n; i++) {
    const double e = fabs(a[i] - b[i]);
    if (!isfinite(e)) return *at = i, HUGE_VAL;
    scale = fmax(scale, fmax(fabs(a[i]), fabs(b[i])));
    if (e > error) error = e, *at = i;
  }
  return error / scale;
}

static void
compare_quantity(
  score_t * score, const robot_t * robot, int state, oracle_quantity_t k,
  const oracle_results_t * ours, const oracle_results_t * theirs)
{
  size_t n = 0, at = 0;
  const double * a = oracle_numbers(&robot->ask, ours, k, &n);
  const double * b = oracle_numbers(&robot->ask, theirs, k, &n);
  const double error = relative_error(a, b, n, scale_floor(k), &at);
  score->count[k]++;
  if (error > score->worst[k]) {
    score->worst[k] = error;
    snprintf(score->where[k], sizeof score->where[k], "%s", robot->name);
  }
  if (error <= allowed(score->peer, k)) return;
  score->mismatches++;
  print_error(
    "%s against %s, %s, state %d: element %zu of %zu is %.17g, theirs %.17g, error %.2g\n",
    robot->name, score->peer->name, oracle_quantity_name(k), state, at, n, a[at], b[at], error);
}

// everything the peer can do; what it can and ours could not is a mismatch too
static void
compare_state(
  score_t * score, const robot_t * robot, int state, const oracle_results_t * ours,
  const oracle_results_t * theirs)
{
  if (theirs->has == 0) print_error("%s computes nothing\n", score->peer->name);
  if (theirs->has == 0) score->mismatches++;
  for (oracle_quantity_t k = 0; k < ORACLE_QUANTITIES; k++) {
    if (!(theirs->has >> k & 1)) continue;
    if (ours->has >> k & 1) {
      compare_quantity(score, robot, state, k, ours, theirs);
    } else {
      score->mismatches++;
      print_error("%s: ours has no %s\n", robot->name, oracle_quantity_name(k));
    }
  }
}

static void
compare_states(score_t * score, const robot_t * robot, void * ours, void * theirs)
{
  oracle_results_t a = oracle_results_create(&robot->ask);
  oracle_results_t b = oracle_results_create(&robot->ask);
  for (int i = 0; i < states; i++) {
    motion_t s = make_motion(robot->model, i);
    const oracle_state_t state = {s.q, s.v, s.a, s.tau};
    oracle_mbdyn.compute(ours, &state, &a);
    score->peer->compute(theirs, &state, &b);
    compare_state(score, robot, i, &a, &b);
    score->compared++;
    free(s.q);
  }
  oracle_results_free(&a);
  oracle_results_free(&b);
}

// one robot; a refusal by the peer is printed and, where the robot must do, fails
static void
compare_robot(score_t * score, const char * name, const char * urdf, bool floating, bool must)
{
  robot_t robot;
  if (!robot_read(name, urdf, floating, &robot)) {
    if (must) score->mismatches++;
    return;
  }
  char why[ORACLE_WHY] = "";
  void * ours = oracle_mbdyn.load(&robot.ask, why);
  if (ours == NULL) fail_msg("%s: %s", robot.name, why);
  void * theirs = score->peer->load(&robot.ask, why);
  if (theirs == NULL) {
    score->refused++;
    score->mismatches += must;
    print_message("             %s refuses %s: %s\n", score->peer->name, robot.name, why);
  } else {
    *(floating ? &score->floating : &score->fixed) += 1;
    compare_states(score, &robot, ours, theirs);
  }
  score->peer->unload(theirs);
  oracle_mbdyn.unload(ours);
  robot_free(&robot);
}

// fixed, and floating where the peer can and the robot has joints below its root
static void
compare_both(score_t * score, const char * name, const char * urdf, bool must)
{
  compare_robot(score, name, urdf, false, must);
  if (score->peer->floating) compare_robot(score, name, urdf, true, must);
}

//---------- robots from folders ----------

static char *
read_file(const char * path)
{
  FILE * file = fopen(path, "rb");
  if (file == NULL) fail_msg("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char * text = calloc((size_t)size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

static int
is_urdf(const struct dirent * entry)
{
  const char * dot = strrchr(entry->d_name, '.');
  return dot != NULL && strcmp(dot, ".urdf") == 0;
}

// every URDF of a folder, by name
static int
compare_folder(score_t * score, const char * folder, bool must)
{
  struct dirent ** entry = NULL;
  const int n = scandir(folder, &entry, is_urdf, alphasort);
  for (int i = 0; i < n; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    char * urdf = read_file(path);
    compare_both(score, entry[i]->d_name, urdf, must);
    free(urdf);
    free(entry[i]);
  }
  free(entry);
  return n;
}

//---------- the tests ----------

// all quantities were compared, by every peer on every kind of robots
static void
agrees(score_t * score, int mismatches_before)
{
  for (oracle_quantity_t k = 0; k < ORACLE_QUANTITIES; k++) {
    if (score->count[k] == 0) fail_msg("%s was never compared", oracle_quantity_name(k));
  }
  memset(score->count, 0, sizeof score->count);
  const int mismatches = score->mismatches - mismatches_before;
  if (mismatches > 0) fail_msg("%d mismatches with %s", mismatches, score->peer->name);
}

// the robots that come with the project: no peer may refuse one
static void
on_our_robots(void ** state)
{
  score_t * score = *state;
  const int before = score->mismatches;
  assert_true(compare_folder(score, MBDYN_SOURCE_DIR "/config/robots", true) > 0);
  agrees(score, before);
}

// the oddities of the URDF tests, as far as the peer takes them
static void
on_test_data(void ** state)
{
  score_t * score = *state;
  const int before = score->mismatches;
  assert_true(compare_folder(score, MBDYN_SOURCE_DIR "/test/data", false) > 0);
  agrees(score, before);
}

// those of the folder that the environment variable MBDYN_VECTORS names
static void
on_given_robots(void ** state)
{
  score_t * score = *state;
  const int before = score->mismatches;
  const char * folder = getenv("MBDYN_VECTORS");
  if (compare_folder(score, folder, false) <= 0) fail_msg("no robot to compare in %s", folder);
  agrees(score, before);
}

static void
on_random_trees(void ** state)
{
  score_t * score = *state;
  const int before = score->mismatches;
  for (int seed = 1; seed <= random_trees; seed++) {
    char name[64];
    snprintf(name, sizeof name, "random tree %d", seed);
    char * urdf = urdf_random_tree((uint64_t)seed, 3 + seed, seed % 4 != 0);
    assert_non_null(urdf);
    compare_both(score, name, urdf, true);
    free(urdf);
  }
  agrees(score, before);
}

static void
on_a_long_chain(void ** state)
{
  score_t * score = *state;
  const int before = score->mismatches;
  char * urdf = urdf_chain(long_chain, 7);
  assert_non_null(urdf);
  compare_both(score, "chain of 50", urdf, true);
  free(urdf);
  agrees(score, before);
}

//---------- the table ----------

static void
print_table(void)
{
  print_message("\nlargest relative error of ours against each peer, and the robot it is on\n");
  print_message("%-18s", "");
  for (int p = 0; p < peers; p++) print_message("%-38s", scores[p].peer->name);
  for (int k = 0; k < ORACLE_QUANTITIES; k++) {
    print_message("\n%-18s", oracle_quantity_name((oracle_quantity_t)k));
    for (int p = 0; p < peers; p++) {
      print_message("%8.1e  %-28.26s", scores[p].worst[k], scores[p].where[k]);
    }
  }
  print_message(
    "\nallowed: 1e-9; MuJoCo %.0e where moments of inertia count\n\n", oracle_mujoco.tolerance);
  for (int p = 0; p < peers; p++) {
    print_message(
      "%-8s %d robots with a fixed base, %d floating, %d states; refused by it: %d; mismatches: "
      "%d\n",
      scores[p].peer->name, scores[p].fixed, scores[p].floating, scores[p].compared,
      scores[p].refused, scores[p].mismatches);
  }
}

// every kind of robot for every peer
int
main(void)
{
  static const struct {
    const char * robots;
    CMUnitTestFunction test;
  } kinds[] = {
    {"our robots", on_our_robots},     {"the test data", on_test_data},
    {"random trees", on_random_trees}, {"a long chain", on_a_long_chain},
    {"given robots", on_given_robots},
  };
  enum { most_kinds = sizeof kinds / sizeof *kinds };
  const char * given = getenv("MBDYN_VECTORS");
  const int nkinds = given != NULL && *given != '\0' ? most_kinds : most_kinds - 1;
  static char name[peers * most_kinds][64];
  struct CMUnitTest tests[peers * most_kinds] = {{0}};
  for (int i = 0; i < peers * nkinds; i++) {
    score_t * score = &scores[i / nkinds];
    snprintf(name[i], sizeof name[i], "%s on %s", score->peer->name, kinds[i % nkinds].robots);
    tests[i].name = name[i];
    tests[i].test_func = kinds[i % nkinds].test;
    tests[i].initial_state = score;
  }
  const int failed = _cmocka_run_group_tests("peers", tests, (size_t)(peers * nkinds), NULL, NULL);
  print_table();
  return failed;
}
