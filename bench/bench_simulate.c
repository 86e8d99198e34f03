// Mechanisms in time, beside Simbody and MuJoCo where they were found: CPU time for an error at the end.
//   bench_simulate                    tables; thread CPU time, minimum of interleaved rounds
//   bench_simulate hour               constraint errors of a four-bar after one hour
//   bench_simulate CASE TOLERANCE     one run of ours alone, to be counted by valgrind --tool=callgrind
// Cases: rod, a spatial double pendulum; quick_return, a mechanism with two loops.
//
// Each method is run at tolerances that fall by the factor sqrt(10); what counts is the largest from which
// on the error stays below the target, so that no method profits from a chance hit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"
#include "simulate_peer.h"

enum { ROUNDS = 5, LEVELS = 21, METHODS = 16 };

static simulate_case_t cases[] = {
  {.name = "rod",
   .file = BENCH_MECHANISMS "/double_pendulum_rod.mechanism.yaml",
   .kind = SIMULATE_ROD,
   .time = 20,
   .target = 1e-7,
   .end = {0.496820081, -2.904161526}},
  {.name = "quick_return",
   .file = BENCH_MECHANISMS "/quick_return.mechanism.yaml",
   .kind = SIMULATE_QUICK_RETURN,
   .time = 2.5,
   .target = 1e-6,
   .end = {13.211524026, -0.984706095}}};
enum { CASES = sizeof cases / sizeof *cases };

//---------- ours ----------

static bool
placement(const mbdx_mechanism_t * m, mbd_data_t * data, const char * link, mbd_placement_t * X)
{
  int frame;
  return mbd_find_frame(m->model, link, &frame) == MBD_OK &&
         mbd_frame_placement(m->model, data, frame, X) == MBD_OK;
}

static double
rod_error(const mbdx_mechanism_t * m, mbd_data_t * data, double t)
{
  double error[16];
  int rod;
  const bool good = mbd_find_closure(m->model, "rod", &rod) == MBD_OK && m->model->nrow <= 16 &&
                    mbd_closure_error(m->model, data, t, error) == MBD_OK;
  return good ? fabs(error[m->model->closure[rod].row]) : HUGE_VAL;
}

static bool
simulate(
  const simulate_case_t * c, const mbdx_mechanism_t * m, mbd_simulation_t * sim,
  simulate_result_t * result)
{
  const double begin = simulate_cpu();
  if (mbd_simulation_start(sim, 0, m->q, m->v, NULL) != MBD_OK) return false;
  if (mbd_simulation_run(sim, c->time) != MBD_OK) return false;
  result->cpu = simulate_cpu() - begin;
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  mbd_data_t * data = mbd_simulation_data(sim);
  mbd_placement_t X;
  const bool rod = c->kind == SIMULATE_ROD;
  if (mbd_set_state(m->model, data, info->q, info->v) != MBD_OK) return false;
  if (!placement(m, data, rod ? "second" : "cutter", &X)) return false;
  int shaft;
  if (!rod && mbd_find_joint(m->model, "shaft", &shaft) != MBD_OK) return false;
  result->end[0] = rod ? X.p.x : info->q[m->model->body[shaft].q_index];
  result->end[1] = rod ? X.p.z : X.p.x;
  result->row = rod_error(m, data, info->t);
  result->evaluations = info->evaluations;
  return true;
}

static bool
run_ours(const simulate_case_t * c, int method, double accuracy, simulate_result_t * result)
{
  mbdx_mechanism_t * m;
  if (mbdx_mechanism_load_file(c->file, NULL, &m, NULL) != MBD_OK) return false;
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = (mbd_method_t)method;
  options.ode.rtol = options.ode.atol = accuracy;
  mbd_simulation_t * sim = NULL;
  const bool good =
    mbd_simulation_create(m->model, &options, &sim) == MBD_OK && simulate(c, m, sim, result);
  mbd_simulation_destroy(sim);
  mbdx_mechanism_free(m);
  return good;
}

static const simulate_method_t ours[] = {
  {"mbdyn rkf45", false, MBD_METHOD_RKF45, run_ours},
  {"mbdyn sdirk54", false, MBD_METHOD_SDIRK54, run_ours},
  {NULL, false, 0, NULL}};

// initial state of the quick return for others
static bool
initial_state(simulate_case_t * c)
{
  static const char * const joints[3] = {"pivot", "shaft", "guide"};
  mbdx_mechanism_t * m;
  mbd_data_t * data;
  if (c->kind != SIMULATE_QUICK_RETURN) return true;
  if (mbdx_mechanism_load_file(c->file, NULL, &m, NULL) != MBD_OK) return false;
  if (mbd_data_create(m->model, &data) != MBD_OK) return false;
  for (int i = 0; i < 3; i++) {
    int body;
    if (mbd_find_joint(m->model, joints[i], &body) != MBD_OK) return false;
    c->q[i] = m->q[m->model->body[body].q_index];
    c->v[i] = m->v[m->model->body[body].v_index];
  }
  // the pin at 1.5 m of the crank, along the bar, whose centre is 2 m from its pivot
  const double x = 1.5 * cos(c->q[1]), y = 2 + 1.5 * sin(c->q[1]);
  const double vx = -c->v[1] * 1.5 * sin(c->q[1]), vy = c->v[1] * 1.5 * cos(c->q[1]);
  c->q[3] = hypot(x, y) - 2;
  c->v[3] = (x * vx + y * vy) / hypot(x, y);
  mbd_data_destroy(data);
  mbdx_mechanism_free(m);
  return true;
}

//---------- measuring ----------

typedef struct measured {
  const simulate_method_t * method;
  double accuracy, error;  // accuracy 0: the target was not met
  simulate_result_t result;
} measured_t;

static double
error_of(const simulate_case_t * c, const simulate_result_t * r)
{
  const double error = fmax(fabs(r->end[0] - c->end[0]), fabs(r->end[1] - c->end[1]));
  return isfinite(error) ? error : HUGE_VAL;
}

// the largest tolerance from which on the error stays below the target
static void
find_accuracy(const simulate_case_t * c, double target, measured_t * x)
{
  simulate_result_t r;
  double cpu = 0;
  x->accuracy = 0;
  for (int k = 0; k < LEVELS && cpu < 6; k++) {
    const double accuracy = pow(10, -4 - 0.5 * k);
    if (!x->method->run(c, x->method->index, accuracy, &r)) break;
    cpu += r.cpu;
    const double error = error_of(c, &r);
    if (!(error <= target)) x->accuracy = 0;
    // far below the target it stays there
    if (error <= target && x->accuracy == 0)
      x->accuracy = accuracy, x->error = error, x->result = r;
    if (error <= 0.03 * target) break;
  }
}

static void
print_row(const measured_t * x, double time, double ours_cpu)
{
  if (x->accuracy == 0) {
    printf("  %-30s  does not meet the target within 6 s of CPU time\n", x->method->name);
    return;
  }
  printf(
    "  %-30s %9.1e %9.1e %9.1e %9ld %8.3f", x->method->name, x->accuracy, x->error, x->result.row,
    x->result.evaluations, 1e3 * x->result.cpu / time);
  if (ours_cpu > 0) printf(" %7.2f", x->result.cpu / ours_cpu);
  printf("\n");
}

static void
repeat(const simulate_case_t * c, measured_t * x, int n)
{
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < n; i++) {
      simulate_result_t r;
      if (x[i].accuracy == 0) continue;
      if (x[i].method->run(c, x[i].method->index, x[i].accuracy, &r) && r.cpu < x[i].result.cpu)
        x[i].result.cpu = r.cpu;
    }
  }
}

static int
list_methods(measured_t * x)
{
  static const simulate_method_t * const libraries[] = {
    ours,
#ifdef BENCH_SIMBODY
    simulate_simbody,
#endif
    NULL};
  int n = 0;
  for (int i = 0; libraries[i]; i++) {
    for (const simulate_method_t * m = libraries[i]; m->name && n < METHODS; m++) x[n++].method = m;
  }
  return n;
}

static const char HEADER[] =
  "  method                          accuracy     error    length  evaluat.     ms/s   ratio\n";

// time for the target
static void
compare_at_error(const simulate_case_t * c)
{
  measured_t x[METHODS] = {{0}};
  const int n = list_methods(x);
  for (int i = 0; i < n; i++) find_accuracy(c, c->target, &x[i]);
  repeat(c, x, n);
  printf(
    "\n%s, %g s: CPU time per simulated second for an error of %g at the end\n%s", c->name, c->time,
    c->target, HEADER);
  for (int i = 0; i < n; i++) print_row(&x[i], c->time, x[0].result.cpu);
}

// what a fixed step of 1 ms costs, and our error in that time
static void
compare_at_time(const simulate_case_t * c)
{
#ifdef BENCH_MUJOCO
  measured_t x[3] = {{.accuracy = 1e-3}, {.accuracy = 1e-3}, {.method = ours}};
  for (int i = 0; i < 2; i++) {
    x[i].method = &simulate_mujoco[i];
    if (!x[i].method->run(c, x[i].method->index, 1e-3, &x[i].result)) return;
    x[i].error = error_of(c, &x[i].result);
  }
  find_accuracy(c, 1e-5, &x[2]);
  repeat(c, x, 3);
  printf("\n%s, %g s: steps of 1 ms, and ours for an error of 1e-5\n%s", c->name, c->time, HEADER);
  for (int i = 0; i < 3; i++) print_row(&x[i], c->time, x[2].result.cpu);
#else
  (void)c;
#endif
}

//---------- one hour ----------

static const char FOUR_BAR[] =
  "gravity: [0, -9.81, 0]\n"
  "bodies:\n"
  "  - {name: crank, mass: 2, com: [0.05, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
  "  - {name: coupler, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
  "  - {name: rocker, mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
  "joints:\n"
  "  - {name: shaft, type: continuous, a: world, b: crank}\n"
  "  - {name: pin, type: revolute, a: {link: crank, xyz: [0.1, 0, 0]}, b: coupler}\n"
  "  - {name: pivot, type: revolute, a: {link: world, xyz: [0.4, 0, 0]}, b: rocker}\n"
  "  - {name: end, type: revolute, a: {link: rocker, xyz: [0.3, 0, 0]}, b: {link: coupler, xyz: "
  "[0.4, 0, 0]}}\n"
  "initial: {shaft: {q: 0, v: 20}, pivot: 1.5, pin: 0.7}\n";

static bool
hour(void)
{
  mbdx_mechanism_t * m;
  mbd_simulation_t * sim;
  mbd_simulation_options_t options = mbd_simulation_options_default();
  if (mbdx_mechanism_load_string(FOUR_BAR, strlen(FOUR_BAR), NULL, NULL, &m, NULL) != MBD_OK)
    return false;
  options.ode.rtol = options.ode.atol = 1e-8;
  int shaft;
  if (mbd_find_joint(m->model, "shaft", &shaft) != MBD_OK) return false;
  if (mbd_simulation_create(m->model, &options, &sim) != MBD_OK) return false;
  if (mbd_simulation_start(sim, 0, m->q, m->v, NULL) != MBD_OK) return false;
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  const double begin = simulate_cpu();
  printf("four-bar, five rows of a pin, two of them independent; rtol 1e-8\n");
  static const double times[] = {1, 60, 600, 3600};
  for (int i = 0; i < 4; i++) {
    if (mbd_simulation_run(sim, times[i]) != MBD_OK) return false;
    printf(
      "  %4.0f s: turns %.0f, charts %d, steps %ld, constraint errors %.1e m, %.1e m/s, %.1e "
      "m/s^2, "
      "energy %.2e of %.4g J, CPU %.2f s\n",
      info->t, info->q[m->model->body[shaft].q_index] / (2 * acos(-1.0)), info->charts, info->steps,
      info->error_position, info->error_velocity, info->error_acceleration,
      info->energy - info->energy_start, info->energy_start, simulate_cpu() - begin);
  }
  mbd_simulation_destroy(sim);
  mbdx_mechanism_free(m);
  return true;
}

int
main(int argc, char ** argv)
{
  if (argc == 2 && strcmp(argv[1], "hour") == 0) return hour() ? 0 : 1;
  for (int i = 0; i < CASES; i++) {
    simulate_result_t r;
    if (argc == 3 && strcmp(argv[1], cases[i].name) == 0)
      return run_ours(&cases[i], MBD_METHOD_RKF45, atof(argv[2]), &r) ? 0 : 1;
  }
  if (argc > 1) return fputs("usage: bench_simulate [hour | CASE TOLERANCE]\n", stderr), 1;
  for (int i = 0; i < CASES; i++) {
    if (!initial_state(&cases[i])) return fprintf(stderr, "%s does not load\n", cases[i].file), 1;
    compare_at_error(&cases[i]);
    compare_at_time(&cases[i]);
  }
  return 0;
}
