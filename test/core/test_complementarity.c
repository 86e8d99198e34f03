// The solver of contacts and joint friction: problems made from known solutions with friction cones, limits and
// intervals; each of its methods by itself. The law is checked by the test's own products.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "constraints/complementarity.h"
#include "matrix.h"
#include "random_tree.h"
#include "tally.h"

enum { DOF = 14, CONTACTS = 2, LIMITS = 6, ROWS = 3 * CONTACTS + LIMITS, CASES = 300 };

typedef struct problem {
  mbdi_complementarity_t c;
  double * work;
  double known[ROWS], w[ROWS];  // forces and motions of a solution
} problem_t;

static double
uniform(uint64_t * state, double low, double high)
{
  return low + (high - low) * (0.5 + 0.5 * random_vec3(state, 1).x);
}

// a force and a motion of row i that fit together
static void
choose(problem_t * p, uint64_t * state, int i)
{
  mbdi_complementarity_t * c = &p->c;
  const int kind = random_below(state, 3);
  double *f = p->known + i, *w = p->w + i;
  if (i < 3 * CONTACTS) {
    const double mu = c->mu[i / 3] = uniform(state, 0.2, 1), n = uniform(state, 0.5, 2);
    const double angle = uniform(state, -3, 3), x = cos(angle), y = sin(angle);
    if (kind == 0) w[0] = n, w[1] = x, w[2] = y;
    if (kind == 1) f[0] = n, f[1] = 0.5 * mu * n * x, f[2] = 0.5 * mu * n * y;
    if (kind == 2) f[0] = n, f[1] = mu * n * x, f[2] = mu * n * y, w[1] = -x, w[2] = -y;
  } else if (i % 2) {
    c->bound[i - 3 * CONTACTS] = 0;
    if (kind == 0)
      w[0] = 1;
    else
      f[0] = uniform(state, 0.5, 2);
  } else {
    const double bound = uniform(state, 0.2, 2), sign = kind == 1 ? 1 : -1;
    c->bound[i - 3 * CONTACTS] = random_below(state, 6) == 0 ? HUGE_VAL : bound;
    if (kind == 0 || isinf(c->bound[i - 3 * CONTACTS]))
      f[0] = uniform(state, -0.9, 0.9) * bound;
    else
      f[0] = sign * bound, w[0] = -sign * uniform(state, 0.1, 1);
  }
}

static problem_t *
problem_of(uint64_t seed)
{
  problem_t * p = calloc(1, sizeof *p);
  uint64_t state = seed * 91 + 7;
  p->work = calloc(mbdi_complementarity_work(DOF, CONTACTS, LIMITS), sizeof *p->work);
  mbdi_complementarity_t * c = &p->c;
  mbdi_complementarity_init(c, DOF, CONTACTS, LIMITS, p->work);
  c->kernels = &mbdi_row_kernels_baseline;
  for (int i = 0; i < 3 * CONTACTS; i += 3) choose(p, &state, i);
  for (int i = 3 * CONTACTS; i < ROWS; i++) choose(p, &state, i);
  double x[DOF] = {0};
  for (int i = 0; i < ROWS; i++) {
    c->on[i] = true;
    for (int k = 0; k < DOF; k++) c->B[i * c->n + k] = uniform(&state, -1, 1);
    for (int k = 0; k < DOF; k++) x[k] += c->B[i * c->n + k] * p->known[i];
  }
  for (int i = 0; i < ROWS; i++) {
    c->bias[i] = p->w[i];
    for (int k = 0; k < DOF; k++) c->bias[i] -= c->B[i * c->n + k] * x[k];
    c->motion[i] = c->bias[i];
  }
  return p;
}

static void
problem_free(problem_t * p)
{
  free(p->work);
  free(p);
}

// of forces by row: the largest violation of the law
static double
wrong(const problem_t * p, const double * f)
{
  const mbdi_complementarity_t * c = &p->c;
  double x[DOF] = {0}, u[ROWS], worst = 0;
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < DOF; k++) x[k] += c->B[i * c->n + k] * f[i];
  }
  for (int i = 0; i < ROWS; i++) {
    u[i] = c->bias[i];
    for (int k = 0; k < DOF; k++) u[i] += c->B[i * c->n + k] * x[k];
  }
  for (int i = 0; i < 3 * CONTACTS; i += 3) {
    const double slip = hypot(u[i + 1], u[i + 2]), rub = hypot(f[i + 1], f[i + 2]);
    worst = larger(worst, larger(-f[i], -u[i]));
    worst = larger(worst, fabs(f[i] * u[i]));
    worst = larger(worst, rub - c->mu[i / 3] * f[i]);
    // p_t along -w_t with mu p_n: power
    worst =
      larger(worst, fabs(f[i + 1] * u[i + 1] + f[i + 2] * u[i + 2] + c->mu[i / 3] * f[i] * slip));
  }
  for (int i = 3 * CONTACTS; i < ROWS; i++) {
    const double bound = c->bound[i - 3 * CONTACTS];
    if (bound == 0) {
      worst = larger(worst, larger(larger(-f[i], -u[i]), fabs(f[i] * u[i])));
    } else if (isinf(bound)) {
      worst = larger(worst, fabs(u[i]));
    } else {
      worst = larger(worst, fabs(f[i]) - bound);
      // where it slides |p| = bound, against the motion
      worst = larger(worst, fabs(f[i] * u[i] + bound * fabs(u[i])));
    }
  }
  return worst;
}

// c->f by rows
static double
wrong_now(const problem_t * p)
{
  double f[ROWS] = {0};
  for (int k = 0; k < p->c.ncone; k++) {
    const mbdi_cone_t * cone = &p->c.cone[k];
    memcpy(f + cone->row, p->c.f + cone->at, (size_t)cone->size * sizeof *f);
  }
  return wrong(p, f);
}

static void
all_methods_together(void ** state)
{
  (void)state;
  int iterations = 0;
  FOR_SEEDS(CASES)
  {
    problem_t * p = problem_of(seed);
    const mbdi_complementarity_info_t info = mbdi_complementarity_solve(&p->c, 1e-9, 1000);
    assert_true(wrong(p, p->known) < 1e-12);
    assert_true(info.solved);
    const double miss = wrong(p, p->c.p);
    if (!(miss < 1e-6)) fail_msg("seed %lu: %g", (unsigned long)seed, miss);
    iterations += info.iterations;
    // from the solution there is nothing left to do
    assert_true(mbdi_complementarity_solve(&p->c, 1e-9, 1000).iterations <= 2);
    problem_free(p);
  }
  assert_true(iterations > 0);
}

// forces of rows into the reduced problem, which a solution has set up
static void
set_forces(problem_t * p, double share)
{
  mbdi_complementarity_solve(&p->c, 1e-9, 1);
  for (int k = 0; k < p->c.ncone; k++) {
    const mbdi_cone_t * cone = &p->c.cone[k];
    for (int j = 0; j < cone->size; j++) p->c.f[cone->at + j] = share * p->known[cone->row + j];
  }
}

static void
each_method_by_itself(void ** state)
{
  (void)state;
  int solved[4] = {0}, cases = 0;
  FOR_SEEDS(CASES)
  {
    problem_t * p = problem_of(seed);
    mbdi_complementarity_t * c = &p->c;
    set_forces(p, 0.98);
    mbdi_cone_newton(c, 1e-9, 30, 2);
    solved[0] += mbdi_cone_check(c) <= 1e-9 && wrong_now(p) < 1e-6;
    set_forces(p, 0);
    for (int k = 0; k < 800; k++) mbdi_cone_sweep(c);
    solved[1] += mbdi_cone_check(c) <= 1e-4 && wrong_now(p) < 1e-2;
    set_forces(p, 0);
    mbdi_cone_follow_path(c, 1e-9, 1000);
    solved[2] += mbdi_cone_check(c) <= 1e-9 && wrong_now(p) < 1e-6;
    // sets without sliding contacts
    bool slides = false;
    for (int i = 0; i < 3 * CONTACTS; i += 3)
      slides |= p->known[i] > 0 && hypot(p->w[i + 1], p->w[i + 2]) > 0;
    set_forces(p, 1);
    mbdi_cone_motion(c);
    mbdi_cone_residual(c);
    const bool tried = mbdi_cone_try_set(c, 1e-9);
    if (tried) assert_true(wrong_now(p) < 1e-6);
    solved[3] += tried || slides;
    cases++;
    problem_free(p);
  }
  print_message(
    "of %d: Newton %d, sweeps %d, path %d, active set %d\n", cases, solved[0], solved[1], solved[2],
    solved[3]);
  assert_true(solved[0] > 0.9 * cases);
  assert_true(solved[1] > 0.9 * cases);
  assert_true(solved[2] > 0.95 * cases);
  assert_true(solved[3] > 0.98 * cases);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_methods_together), cmocka_unit_test(each_method_by_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
