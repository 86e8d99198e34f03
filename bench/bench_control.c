// Time of one mbdc_update in every mode, beside the inverse dynamics of the same states.
//   bench_control [LOAD] [ROBOT.urdf]...   LOAD: threads that only compute, beside it (default 0)
//
// Medians are CPU time of the thread, of batches of 20 calls; percentiles are of single updates by the monotonic clock,
// interruptions included. Microseconds.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mbdyn/control.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { MAX_DOF = 64, STATES = 1024, BATCH = 20, BATCHES = 500, SINGLES = 20000, LOADS = 64 };

static const char * const MODES[] = {
  "passive",           "gravity_compensation",   "inverse_dynamics", "computed_torque",
  "operational_space", "quasi_velocity_damping", "joint_impedance",  "cartesian_impedance"};
enum { NMODE = sizeof MODES / sizeof *MODES };

static double q[STATES][MAX_DOF], v[STATES][MAX_DOF], effort[MAX_DOF];
static double sample[SINGLES];
static atomic_bool done;

static double
now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int
compare(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
quantile(int n, double part)
{
  qsort(sample, (size_t)n, sizeof *sample, compare);
  return sample[(int)(part * (n - 1))];
}

static void *
burn(void * argument)
{
  volatile double x = 1;
  while (!atomic_load(&done)) x = sqrt(x + 1);
  return argument;
}

static void
must(bool good, const char * what)
{
  if (good) return;
  fprintf(stderr, "bench_control: %s\n", what);
  exit(1);
}

// a slow motion within the joints' ranges
static void
make_states(const mbd_model_t * model)
{
  double middle[MAX_DOF], half[MAX_DOF];
  for (int k = 0; k < model->nv; k++) {
    const mbd_limits_t * limit = &model->body[model->dof_body[k]].limits;
    const bool bounded = isfinite(limit->lower) && isfinite(limit->upper);
    middle[k] = bounded ? (limit->lower + limit->upper) / 2 : 0;
    half[k] = bounded ? fmin(0.2, (limit->upper - limit->lower) / 8) : 0.2;
  }
  for (int s = 0; s < STATES; s++) {
    for (int k = 0; k < model->nv; k++) {
      const double phase = 6.283185307179586 * s / STATES + k;
      q[s][k] = middle[k] + half[k] * sin(phase);
      v[s][k] = half[k] * cos(phase);
    }
  }
}

static double
time_inverse_dynamics(const mbd_model_t * model)
{
  mbd_data_t * data;
  double tau[MAX_DOF];
  must(mbd_data_create(model, &data) == MBD_OK, "out of memory");
  for (int n = 0; n < BATCHES; n++) {
    const double begin = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < BATCH; i++) {
      const int s = (n * BATCH + i) % STATES;
      must(
        mbd_inverse_dynamics(model, data, q[s], v[s], v[s], NULL, tau) == MBD_OK,
        "inverse dynamics failed");
    }
    sample[n] = (now(CLOCK_THREAD_CPUTIME_ID) - begin) / BATCH;
  }
  mbd_data_destroy(data);
  return quantile(BATCHES, 0.5);
}

static void
one_update(mbdc_controller_t * c, int64_t n)
{
  static double measured[MAX_DOF];
  const mbdc_input_t input = {
    .time = 1000000000 + n * 1000000,
    .period = 1000000,
    .position = q[n % STATES],
    .velocity = v[n % STATES],
    .effort = measured};
  (void)mbdc_update(c, &input, effort);
}

static void
time_mode(const mbd_model_t * model, const char * mode, double inverse_dynamics)
{
  char reason[300] = "";
  mbdc_controller_t * c;
  mbdc_settings_t * settings = mbdc_settings_create();
  must(settings != NULL, "out of memory");
  if (
    mbdc_set(settings, "mode", mode, reason, sizeof reason) != MBD_OK ||
    mbdc_create(model, settings, &c, reason, sizeof reason) != MBD_OK) {
    must(false, reason);
  }
  mbdc_activate(c);
  int64_t count = 0;
  while (count < 1000) one_update(c, count++);
  for (int n = 0; n < BATCHES; n++) {
    const double begin = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < BATCH; i++) one_update(c, count++);
    sample[n] = (now(CLOCK_THREAD_CPUTIME_ID) - begin) / BATCH;
  }
  const double median = quantile(BATCHES, 0.5);
  for (int n = 0; n < SINGLES; n++) {
    const double begin = now(CLOCK_MONOTONIC);
    one_update(c, count++);
    sample[n] = now(CLOCK_MONOTONIC) - begin;
  }
  printf(
    "  %-24s %8.2f %8.1f %8.2f %8.2f %9.1f\n", mode, median, median / inverse_dynamics,
    quantile(SINGLES, 0.99), quantile(SINGLES, 0.999), quantile(SINGLES, 1));
  const mbdc_status_t * status = mbdc_get_status(c);
  must(status->cycles > SINGLES, "the updates were refused");
  mbdc_destroy(c);
  mbdc_settings_destroy(settings);
}

static void
time_robot(const char * path)
{
  mbd_model_t * model;
  must(mbdx_urdf_load_file(path, NULL, &model, NULL) == MBD_OK, path);
  must(
    model->nv <= MAX_DOF && model->nq == model->nv, "joints of one degree of freedom, at most 64");
  make_states(model);
  const double id = time_inverse_dynamics(model);
  printf("%s, %d joints: inverse dynamics %.3f us\n", path, model->nv, id);
  printf("  %-24s %8s %8s %8s %8s %9s\n", "mode", "median", "by ID", "p99", "p99.9", "longest");
  for (int m = 0; m < NMODE; m++) time_mode(model, MODES[m], id);
  mbd_model_destroy(model);
}

int
main(int argc, char ** argv)
{
  pthread_t thread[LOADS];
  int first = 1, loads = 0;
  if (argc > 1 && strspn(argv[1], "0123456789") == strlen(argv[1])) {
    loads = (int)strtol(argv[1], NULL, 10);
    first = 2;
  }
  must(loads <= LOADS, "at most 64 threads");
  for (int i = 0; i < loads; i++) {
    must(pthread_create(&thread[i], NULL, burn, NULL) == 0, "no thread");
  }
  for (int i = first; i < argc; i++) time_robot(argv[i]);
  if (first >= argc) {
    time_robot(BENCH_ROBOTS "/arm6.urdf");
    time_robot(BENCH_ROBOTS "/arm7.urdf");
    time_robot(BENCH_ROBOTS "/humanoid.urdf");
  }
  atomic_store(&done, true);
  for (int i = 0; i < loads; i++) pthread_join(thread[i], NULL);
  return 0;
}
