// Inverse kinematics by the protocol of TRAC-IK (Beeson and Ames, Humanoids 2015): random configurations
// within the limits, their poses, solved from the middle of the limits; success rate, median and 99th
// percentile of the CPU time. With KDL, if it is installed, in the same process: its LMA knows no limits, and is
// compared with ours without limits too. Then closed forms.
//
//   bench_ik [--poses N] [--alone] [ROBOT.urdf FRAME]...
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ik_peer.h"
#include "mbdyn/ik.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/operators/dh.h"
#include "mbdyn/urdf.h"

enum { MOST = 64 };

static const char * const ROBOTS[][2] = {
  {BENCH_ROBOTS "/arm6.urdf", "tool"},
  {BENCH_ROBOTS "/arm7.urdf", "tool"},
  {BENCH_ROBOTS "/humanoid.urdf", "r_gripper"},
  {BENCH_DATA "/offset_wrist.urdf", "tool"},
};

static bool alone;  // without KDL

typedef struct arm {
  mbd_model_t * model;
  mbd_data_t * data;
  int frame;
  double * work;
  double middle[MOST];  // seed
  ik_peer_t * peer;
} arm_t;

static void
stop(const char * what)
{
  fprintf(stderr, "bench_ik: %s\n", what);
  exit(2);
}

static void
check(mbd_status_t status)
{
  if (status != MBD_OK) stop(mbd_status_string(status));
}

static double
cpu_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int
ascending(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void
load(const char * path, const char * frame, arm_t * arm)
{
  if (mbdx_urdf_load_file(path, NULL, &arm->model, NULL) != MBD_OK) stop(path);
  if (mbd_find_frame(arm->model, frame, &arm->frame) != MBD_OK) stop(frame);
  if (arm->model->nq > MOST) stop("too many joints");
  check(mbd_data_create(arm->model, &arm->data));
  check(mbd_neutral(arm->model, arm->middle));
  for (int i = 0; i < arm->model->nbody; i++) {
    const mbd_body_t * body = &arm->model->body[i];
    const double middle = 0.5 * (body->limits.lower + body->limits.upper);
    if (isfinite(middle)) arm->middle[body->q_index] = middle;
  }
  const mbd_ik_target_t target = mbdu_ik_pose(arm->frame, mbdu_placement_identity());
  const mbd_ik_targets_t targets = {1, &target};
  arm->work = malloc(mbd_ik_work(arm->model, &targets) * sizeof *arm->work);
  if (!arm->work) stop("out of memory");
#ifdef BENCH_KDL
  if (!alone) arm->peer = ik_peer_create(arm->model, arm->frame);
#endif
}

static void
unload(arm_t * arm)
{
  free(arm->work);
#ifdef BENCH_KDL
  ik_peer_destroy(arm->peer);
#endif
  mbd_data_destroy(arm->data);
  mbd_model_destroy(arm->model);
}

// q reaches the pose within what KDL's LMA weighs as 1e-5, 2e-3 rad, and the limits
static bool
right(arm_t * arm, const mbd_placement_t * pose, const double * q, bool limits)
{
  mbd_placement_t X;
  check(mbd_set_position(arm->model, arm->data, q));
  check(mbd_frame_placement(arm->model, arm->data, arm->frame, &X));
  const mbd_mat3_t R = mbdu_mat3_tmul(&pose->R, &X.R);
  const mbd_vec3_t turn = mbdu_quat_log(mbdu_quat_from_mat3(&R));
  bool good = mbdu_vec3_norm(turn) < 2e-3 && mbdu_vec3_norm(mbdu_vec3_sub(X.p, pose->p)) < 1e-4;
  for (int i = 0; limits && i < arm->model->nbody; i++) {
    const mbd_body_t * body = &arm->model->body[i];
    if (body->type == MBD_JOINT_CONTINUOUS) continue;
    const double x = q[body->q_index];
    good = good && x >= body->limits.lower - 1e-9 && x <= body->limits.upper + 1e-9;
  }
  return good;
}

typedef struct tally {
  double * time;
  long solved, within;  // reached; within limits too
  double starts, iterations;
} tally_t;

static void
print_tally(const char * name, tally_t * t, int n)
{
  qsort(t->time, (size_t)n, sizeof *t->time, ascending);
  printf(
    "  %-14s reached %7.3f %%, within limits %7.3f %%, median %8.1f us, p99 %8.1f us", name,
    100.0 * (double)t->solved / n, 100.0 * (double)t->within / n, t->time[n / 2],
    t->time[n - 1 - n / 100]);
}

static void
print_ours(const char * name, tally_t * t, int n)
{
  print_tally(name, t, n);
  printf(", %.2f starts, %.1f iterations\n", t->starts / n, t->iterations / n);
}

#ifdef BENCH_KDL
static void
print_ratio(const char * name, const tally_t * ours, const tally_t * t, int n)
{
  const int p99 = n - 1 - n / 100;
  printf(
    ", %s / this %.3f, %.3f", name, ours->time[n / 2] / t->time[n / 2],
    ours->time[p99] / t->time[p99]);
}
#endif

static void
solve(arm_t * arm, const mbd_placement_t * pose, bool limits, int k, tally_t * t)
{
  const mbd_ik_target_t target = mbdu_ik_pose(arm->frame, *pose);
  const mbd_ik_targets_t targets = {1, &target};
  mbd_ik_options_t options = mbd_ik_options_default();
  mbd_ik_result_t result;
  double q[MOST];
  options.ignore_limits = !limits;
  const double begin = cpu_time();
  check(mbd_ik(arm->model, arm->data, &targets, &options, arm->middle, arm->work, q, &result));
  t->time[k] = cpu_time() - begin;
  t->starts += result.starts, t->iterations += result.iterations;
  t->solved += right(arm, pose, q, false);
  t->within += result.outcome == MBD_IK_SOLVED && right(arm, pose, q, true);
}

static void
measure(arm_t * arm, int poses)
{
  tally_t ours = {0}, unlimited = {0}, lma = {0}, nr = {0};
  ours.time = calloc((size_t)poses, sizeof(double));
  unlimited.time = calloc((size_t)poses, sizeof(double));
  lma.time = calloc((size_t)poses, sizeof(double));
  nr.time = calloc((size_t)poses, sizeof(double));
  if (!ours.time || !unlimited.time || !lma.time || !nr.time) stop("out of memory");
  for (int k = 0; k < poses; k++) {
    double q[MOST];
    check(mbd_random_configuration(arm->model, 1000003u * (uint64_t)k + 17u, q));
    check(mbd_set_position(arm->model, arm->data, q));
    mbd_placement_t pose;
    check(mbd_frame_placement(arm->model, arm->data, arm->frame, &pose));
    solve(arm, &pose, true, k, &ours);
    solve(arm, &pose, false, k, &unlimited);
#ifdef BENCH_KDL
    for (int method = 0; arm->peer && method < 2; method++) {
      double seed[MOST], x[MOST];
      tally_t * t = method == IK_PEER_LMA ? &lma : &nr;
      const int n = ik_peer_joints(arm->peer);
      for (int j = 0; j < n; j++) seed[j] = arm->middle[ik_peer_number(arm->peer, j)];
      const double start = cpu_time();
      (void)ik_peer_solve(arm->peer, (ik_peer_method_t)method, &pose, seed, x);
      t->time[k] = cpu_time() - start;
      memcpy(q, arm->middle, sizeof q);
      for (int j = 0; j < n; j++) q[ik_peer_number(arm->peer, j)] = x[j];
      t->solved += right(arm, &pose, q, false);
      t->within += right(arm, &pose, q, true);
    }
#endif
  }
  print_ours("mbd_ik", &ours, poses);
  print_ours("without limits", &unlimited, poses);
#ifdef BENCH_KDL
  if (arm->peer) {
    print_tally("KDL LMA", &lma, poses);
    print_ratio("ours", &ours, &lma, poses);
    print_ratio("without limits", &unlimited, &lma, poses);
    puts("");
    print_tally("KDL NR_JL", &nr, poses);
    print_ratio("ours", &ours, &nr, poses);
    puts("");
  }
#endif
  free(ours.time), free(unlimited.time), free(lma.time), free(nr.time);
}

//---------- closed forms ----------

// a, alpha / quarter turn, d: PUMA 560, UR5, KUKA LBR iiwa 7
static const double PUMA[6][3] = {{0, 1, 0},      {0.4318, 0, 0}, {0.0203, -1, 0.15005},
                                  {0, 1, 0.4318}, {0, -1, 0},     {0, 0, 0}};
static const double UR5[6][3] = {{0, 1, 0.089159}, {-0.425, 0, 0},   {-0.39225, 0, 0},
                                 {0, 1, 0.10915},  {0, -1, 0.09465}, {0, 0, 0.0823}};
static const double IIWA[7][3] = {{0, -1, 0.34}, {0, 1, 0}, {0, 1, 0.4},  {0, -1, 0},
                                  {0, -1, 0.4},  {0, 1, 0}, {0, 0, 0.126}};

static mbd_model_t *
model_of(const char * name, int n, const double (*row)[3])
{
  mbd_dh_row_t rows[7];
  for (int i = 0; i < n; i++) {
    rows[i] = mbd_dh_row_default();
    rows[i].a = row[i][0], rows[i].alpha = acos(0) * row[i][1], rows[i].d = row[i][2];
    rows[i].inertia = (mbd_inertia_t){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    rows[i].limits.lower = -3, rows[i].limits.upper = 3;
  }
  const mbd_placement_t one = mbdu_placement_identity();
  const mbd_dh_t table = {
    .name = name, .n = n, .row = rows, .base = one, .tool = one, .tool_name = "tool"};
  mbd_model_t * model;
  check(mbd_dh_to_model(&table, &model, NULL));
  return model;
}

// all branches of a pose: minimum over rounds of the mean over poses
static void
bench_closed(const char * name, int n, const double (*row)[3])
{
  enum { POSES = 256, ROUNDS = 200 };
  mbd_model_t * model = model_of(name, n, row);
  mbd_data_t * data;
  mbd_ik_closed_form_t closed;
  static mbd_placement_t pose[POSES];
  int frame, branches = 0;
  check(mbd_data_create(model, &data));
  check(mbd_find_frame(model, "tool", &frame));
  check(mbd_ik_find_closed_form(model, frame, &closed));
  for (int k = 0; k < POSES; k++) {
    double q[7];
    check(mbd_random_configuration(model, (uint64_t)k, q));
    check(mbd_set_position(model, data, q));
    check(mbd_frame_placement(model, data, frame, &pose[k]));
  }
  double best = HUGE_VAL;
  for (int r = 0; r < ROUNDS; r++) {
    const double begin = cpu_time();
    branches = 0;
    for (int k = 0; k < POSES; k++) {
      double angle[MBD_IK_BRANCHES][7];
      int m;
      check(mbd_ik_closed_form(&closed, &pose[k], 0.3, angle, &m));
      branches += m;
    }
    best = fmin(best, (cpu_time() - begin) / POSES);
  }
  printf(
    "%s: closed form, %.2f branches of a pose in %.2f us\n", name, (double)branches / POSES, best);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

static void
bench(const char * path, const char * frame, int poses)
{
  arm_t arm = {0};
  load(path, frame, &arm);
  printf("%s, frame %s, %d poses\n", arm.model->name, frame, poses);
  measure(&arm, poses);
  unload(&arm);
}

int
main(int argc, char ** argv)
{
  int poses = 10000, i = 1;
  if (argc > i + 1 && strcmp(argv[i], "--poses") == 0) poses = atoi(argv[i + 1]), i += 2;
  if (argc > i && strcmp(argv[i], "--alone") == 0) alone = true, i++;
  if (poses < 1 || (argc - i) % 2 != 0)
    stop("usage: bench_ik [--poses N] [--alone] [ROBOT.urdf FRAME]...");
  if (i == argc) {
    bench_closed("puma", 6, PUMA);
    bench_closed("ur5", 6, UR5);
    bench_closed("iiwa", 7, IIWA);
    for (size_t k = 0; k < sizeof ROBOTS / sizeof ROBOTS[0]; k++) {
      bench(ROBOTS[k][0], ROBOTS[k][1], poses);
    }
  }
  for (; i + 1 < argc; i += 2) bench(argv[i], argv[i + 1], poses);
  return 0;
}
