// Forward dynamics of long chains: by one sweep, and divided over threads (divide.h).
//   bench_long_chains [THREADS [LONGEST]]
// Chains of 100 to LONGEST bodies (default 100000); times by the clock on the wall, the smallest of
// interleaved rounds, microseconds a call. Results are compared first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mbdyn/forward.h"
#include "mbdyn/operators/divide.h"
#include "mbdyn/spatial.h"

typedef struct robot {
  mbd_model_t * model;
  mbd_data_t * data;
  double *q, *v, *tau, *qdd, *expected;
} robot_t;

static double
next_random(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static bool
add_links(mbd_model_t * model, int n)
{
  mbd_body_spec_t link = mbd_body_spec_default();
  char name[16];
  link.type = MBD_JOINT_REVOLUTE;
  link.name = link.joint_name = name;
  link.inertia =
    mbdu_inertia_from_com(1, mbdu_vec3(0.15, 0.02, 0), (mbd_sym3_t){0.01, 0, 0, 0.02, 0, 0.02});
  for (int k = 0; k < n; k++) {
    snprintf(name, sizeof name, "l%07d", k);
    link.axis = mbdu_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    if (mbd_model_add_body(model, &link, &link.parent) != MBD_OK) return false;
    link.placement.p = mbdu_vec3(0.3, 0, 0);
  }
  return mbd_model_finalize(model) == MBD_OK;
}

static bool
make(int n, robot_t * r)
{
  uint64_t state = (uint64_t)n;
  const size_t size = (size_t)n;
  *r = (robot_t){0};
  if (mbd_model_create("chain", &r->model) != MBD_OK || !add_links(r->model, n)) return false;
  if (mbd_data_create(r->model, &r->data) != MBD_OK) return false;
  r->q = calloc(5 * size, sizeof *r->q);
  if (!r->q) return false;
  r->v = r->q + size, r->tau = r->v + size, r->qdd = r->tau + size, r->expected = r->qdd + size;
  for (int k = 0; k < n; k++) {
    r->q[k] = next_random(&state);
    // the speed of the tip does not grow with the chain
    r->v[k] = next_random(&state) / sqrt(n);
    r->tau[k] = next_random(&state);
  }
  return true;
}

static void
destroy(robot_t * r)
{
  free(r->q);
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
}

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// one call [us]; divide NULL: the sweep of forward.h
static double
once(robot_t * r, mbd_divide_t * divide, double * qdd)
{
  const double start = now();
  const mbd_status_t status =
    divide ? mbd_divide_forward_dynamics(divide, r->data, r->q, r->v, r->tau, NULL, qdd)
           : mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->tau, NULL, qdd);
  return status == MBD_OK ? now() - start : HUGE_VAL;
}

// largest difference to forward.h, by the largest acceleration
static double
difference(const robot_t * r)
{
  double apart = 0, largest = 0;
  for (int k = 0; k < r->model->nv; k++) {
    apart = fmax(apart, fabs(r->qdd[k] - r->expected[k]));
    largest = fmax(largest, fabs(r->expected[k]));
  }
  return apart / largest;
}

static bool
measure(int n, int most)
{
  robot_t r;
  mbd_divide_t * divide[65] = {NULL};
  double best[65] = {0};
  bool good = make(n, &r);
  for (int k = 1; good && k <= most; k++) {
    good = mbd_divide_create(r.model, k, &divide[k]) == MBD_OK;
  }
  const int rounds = good ? 20 + 100000 / n : 0;
  for (int k = 0; k <= most; k++) best[k] = HUGE_VAL;
  for (int round = 0; round < rounds; round++) {
    for (int k = 0; k <= most; k++) {
      // the first call brings the robot into the caches of the threads that compute it
      for (int call = 0; call < 3; call++) {
        const double time = once(&r, divide[k], k ? r.qdd : r.expected);
        if (call > 0) best[k] = fmin(best[k], time);
      }
    }
  }
  if (good) {
    printf("| %d | %.0f |", n, best[0]);
    for (int k = 1; k <= most; k++) printf(" %.0f |", best[k]);
    printf(" %.2f | %.0e |\n", best[0] / best[most], difference(&r));
    fflush(stdout);
  }
  for (int k = 1; k <= most; k++) mbd_divide_destroy(divide[k]);
  destroy(&r);
  return good;
}

int
main(int argc, char ** argv)
{
  const int threads = argc > 1 ? atoi(argv[1]) : 2, longest = argc > 2 ? atoi(argv[2]) : 100000;
  if (argc > 3 || threads < 1 || threads > 64 || longest < 100) {
    fprintf(stderr, "usage: bench_long_chains [THREADS 1-64 [LONGEST 100-]]\n");
    return 2;
  }
  printf("| bodies | one sweep [us] |");
  for (int k = 1; k <= threads; k++) printf(" %d thread%s [us] |", k, k > 1 ? "s" : "");
  printf(" gain | difference |\n");
  const double step[] = {1, 2, 3, 5};
  for (double ten = 100; ten <= longest; ten *= 10) {
    for (int k = 0; k < 4 && step[k] * ten <= longest; k++) {
      if (measure((int)(step[k] * ten), threads)) continue;
      fprintf(stderr, "bench_long_chains: %g bodies cannot be computed\n", step[k] * ten);
      return 1;
    }
  }
  return 0;
}
