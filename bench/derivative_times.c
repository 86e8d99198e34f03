// What derivatives cost, beside one inverse dynamics, and how that grows with the robot.
//   bench_derivatives [LARGEST]
// Chains and binary trees of 7, 14, 28, ... to LARGEST (default 112) revolute joints. Processor time
// of the thread, the smallest of interleaved rounds; each call starts from q and v. The last column is
// the growth from one size to the next at the end: 1 is O(N), 2 is O(N^2).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/operators.h"

enum { MOST_SIZES = 8, ROUNDS = 60 };

typedef struct robot {
  int n;
  mbd_model_t * model;
  mbd_data_t * data;
  double *q, *v, *u;                       // v has velocities, u torques or accelerations
  double *work, *second, *out, *diagonal;  // out: nv^3 or 12 nv^2 numbers, whichever is more
  mbd_sym6_t * dP;
  mbd_force_t * dG;
} robot_t;

//---------- the calls ----------

static bool
state(robot_t * r)
{
  return mbd_set_position(r->model, r->data, r->q) == MBD_OK &&
         mbd_set_velocity(r->model, r->data, r->v) == MBD_OK;
}

static bool
inverse_dynamics(robot_t * r)
{
  return mbd_inverse_dynamics(r->model, r->data, r->q, r->v, r->u, NULL, r->out) == MBD_OK;
}

static bool
forward_dynamics(robot_t * r)
{
  return mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->u, NULL, r->out) == MBD_OK;
}

static bool
inverse_derivatives(robot_t * r)
{
  double *a = r->out, *b = a + r->n * r->n, *c = b + r->n * r->n;
  return mbd_inverse_dynamics_derivatives(
           r->model, r->data, r->q, r->v, r->u, NULL, r->work, a, b, c) == MBD_OK;
}

static bool
forward_derivatives(robot_t * r)
{
  double *a = r->out, *b = a + r->n * r->n, *c = b + r->n * r->n, *qdd = c + r->n * r->n;
  return mbd_forward_dynamics_derivatives(
           r->model, r->data, r->q, r->v, r->u, NULL, r->work, qdd, a, b, c) == MBD_OK;
}

static bool
second_derivatives(robot_t * r)
{
  double *a = r->out, *b = a + r->n * r->n, *c = b + r->n * r->n, *d = c + r->n * r->n;
  return mbd_inverse_dynamics_second_derivatives(
           r->model, r->data, r->q, r->v, r->u, r->v, r->second, a, b, c, d) == MBD_OK;
}

static bool
linearize(robot_t * r)
{
  double *a = r->out, *b = a + 4 * r->n * r->n, *qdd = b + 2 * r->n * r->n;
  return mbd_linearize(r->model, r->data, r->q, r->v, r->u, NULL, r->work, qdd, a, b) == MBD_OK;
}

static bool
mass_derivative(robot_t * r)
{
  return state(r) &&
         mbd_mass_matrix_derivative(r->model, r->data, r->n / 2, r->work, r->out) == MBD_OK;
}

static bool
mass_tensor(robot_t * r)
{
  return state(r) && mbd_mass_matrix_tensor(r->model, r->data, r->work, r->out) == MBD_OK;
}

static bool
christoffel(robot_t * r)
{
  return state(r) && mbd_christoffel_tensor(r->model, r->data, r->work, r->out) == MBD_OK;
}

static bool
mass_rate(robot_t * r)
{
  return state(r) && mbd_mass_matrix_rate(r->model, r->data, r->out) == MBD_OK;
}

static bool
energy_gradient(robot_t * r)
{
  return state(r) && mbd_kinetic_energy_gradient(r->model, r->data, r->out) == MBD_OK;
}

static bool
jacobian_rate(robot_t * r)
{
  const int tip = r->model->nframe - 1;
  return state(r) && mbd_jacobian_rate(r->model, r->data, tip, MBD_LOCAL, r->out) == MBD_OK;
}

static bool
articulated_rate(robot_t * r)
{
  return state(r) && mbd_articulated_rate(r->model, r->data, r->v, r->dP, r->dG, r->out) == MBD_OK;
}

static bool
log_gradient(robot_t * r)
{
  return state(r) && mbd_log_determinant_gradient(r->model, r->data, r->out) == MBD_OK;
}

static bool
factor_rates(robot_t * r)
{
  double *a = r->out, *b = a + r->n * r->n, *c = b + r->n * r->n;
  return state(r) && mbd_factor_rates(r->model, r->data, r->v, r->diagonal, a, b, c) == MBD_OK;
}

static bool
quasi_coriolis(robot_t * r)
{
  return state(r) && mbd_quasi_coriolis(r->model, r->data, r->diagonal, r->out) == MBD_OK;
}

typedef struct call {
  const char * name;
  bool (*run)(robot_t * r);
} call_t;

static const call_t calls[] = {
  {"inverse dynamics", inverse_dynamics},
  {"forward dynamics", forward_dynamics},
  {"dtau/dq, dtau/dv, M", inverse_derivatives},
  {"dqdd/dq, dqdd/dv, M^-1", forward_derivatives},
  {"linearisation A, B", linearize},
  {"second derivatives of tau, times a vector", second_derivatives},
  {"dM/dt", mass_rate},
  {"dM/dq_j, one", mass_derivative},
  {"dM/dq, all", mass_tensor},
  {"Christoffel symbols, all", christoffel},
  {"gradient of kinetic energy", energy_gradient},
  {"dJ/dt of the last link", jacobian_rate},
  {"rates of P, G, D", articulated_rate},
  {"gradient of log det M", log_gradient},
  {"rates of the factors of M", factor_rates},
  {"quasi-velocity Coriolis", quasi_coriolis},
};
enum { CALLS = sizeof calls / sizeof *calls };

//---------- robots ----------

// a chain, or each link carrying two others
static bool
build(mbd_model_t * model, int n, bool tree)
{
  mbd_body_spec_t link = mbd_body_spec_default();
  int * frame = calloc((size_t)n, sizeof *frame);
  char name[16];
  bool good = frame != NULL;
  link.type = MBD_JOINT_REVOLUTE;
  link.name = link.joint_name = name;
  link.inertia =
    mbdu_inertia_from_com(1, mbdu_vec3(0.15, 0.02, 0), (mbd_sym3_t){0.01, 0, 0, 0.02, 0, 0.02});
  for (int k = 0; good && k < n; k++) {
    snprintf(name, sizeof name, "l%05d", k);
    link.axis = mbdu_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    link.parent = k == 0 ? MBD_WORLD_BODY : frame[tree ? (k - 1) / 2 : k - 1];
    if (k > 0) link.placement.p = mbdu_vec3(0.3, tree && k % 2 ? 0.1 : 0, 0);
    good = mbd_model_add_body(model, &link, &frame[k]) == MBD_OK;
  }
  free(frame);
  return good && mbd_model_finalize(model) == MBD_OK;
}

static bool
make(int n, bool tree, robot_t * r)
{
  const size_t nv = (size_t)n, results = nv * nv * (nv > 12 ? nv : 12);
  *r = (robot_t){.n = n};
  if (mbd_model_create("robot", &r->model) != MBD_OK || !build(r->model, n, tree)) return false;
  if (mbd_data_create(r->model, &r->data) != MBD_OK) return false;
  r->q = calloc(3 * nv, sizeof *r->q);
  r->work = calloc(mbd_derivatives_work(r->model), sizeof *r->work);
  r->second = calloc(mbd_second_derivatives_work(r->model), sizeof *r->second);
  r->diagonal = calloc(mbd_diagonal_work(r->model), sizeof *r->diagonal);
  r->out = calloc(results, sizeof *r->out);
  r->dP = calloc(nv, sizeof *r->dP);
  r->dG = calloc(nv, sizeof *r->dG);
  if (!r->q || !r->work || !r->second || !r->diagonal || !r->out || !r->dP || !r->dG) return false;
  r->v = r->q + nv, r->u = r->v + nv;
  for (int k = 0; k < n; k++) r->q[k] = sin(k + 1), r->v[k] = cos(3 * k), r->u[k] = sin(5 * k);
  return true;
}

static void
destroy(robot_t * r)
{
  free(r->q), free(r->work), free(r->second), free(r->diagonal), free(r->out), free(r->dP),
    free(r->dG);
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
}

//---------- measuring ----------

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// ns per call; some microseconds at a time
static double
one_round(const call_t * call, robot_t * r)
{
  int n = 0;
  const double start = now();
  double end = start;
  for (; end < start + 50e3; n++) {
    if (!call->run(r)) return HUGE_VAL;
    // the clock is asked now and then
    if (n % 8 == 0) end = now();
  }
  end = now();
  return (end - start) / n;
}

static void
measure(robot_t * r, double * best)
{
  for (int c = 0; c < CALLS; c++) best[c] = HUGE_VAL;
  for (int round = 0; round < ROUNDS; round++) {
    for (int c = 0; c < CALLS; c++) best[c] = fmin(best[c], one_round(&calls[c], r));
  }
}

static bool
table(bool tree, int sizes, const int * size)
{
  double best[MOST_SIZES][CALLS];
  printf("| %s: times one inverse dynamics |", tree ? "binary trees" : "chains");
  for (int k = 0; k < sizes; k++) {
    robot_t r;
    const bool good = make(size[k], tree, &r);
    if (good) measure(&r, best[k]);
    destroy(&r);
    if (!good) return false;
    printf(" N = %d |", size[k]);
  }
  printf(" growth |\n| --- |");
  for (int k = 0; k <= sizes; k++) printf(" ---: |");
  printf("\n");
  for (int c = 0; c < CALLS; c++) {
    printf("| %s |", calls[c].name);
    for (int k = 0; k < sizes; k++) {
      if (c == 0)
        printf(" %.0f ns |", best[k][c]);
      else
        printf(" %.1f |", best[k][c] / best[k][0]);
    }
    const int l = sizes - 1;
    const double doubled = l > 0 ? log2((double)size[l] / size[l - 1]) : 1;
    printf(" %.1f |\n", l > 0 ? log2(best[l][c] / best[l - 1][c]) / doubled : 0);
  }
  printf("\n");
  fflush(stdout);
  return true;
}

int
main(int argc, char ** argv)
{
  const int largest = argc > 1 ? atoi(argv[1]) : 112;
  int size[MOST_SIZES], sizes = 0;
  if (argc > 2 || largest < 7 || largest > 896) {
    fprintf(stderr, "usage: bench_derivatives [LARGEST 7-896]\n");
    return 2;
  }
  for (int n = 7; n <= largest && sizes < MOST_SIZES; n *= 2) size[sizes++] = n;
  if (table(false, sizes, size) && table(true, sizes, size)) return 0;
  fprintf(stderr, "bench_derivatives: out of memory\n");
  return 1;
}
