// Long chains: O(N) forward dynamics against the explicit inverse mass matrix and against the mass
// matrix at N = 1000, and against inverse dynamics up to 10 000.
#include <math.h>
#include <stdlib.h>

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "random_tree.h"

static double *
new_numbers(size_t n)
{
  double * x = calloc(n, sizeof *x);
  assert_non_null(x);
  return x;
}

// y = A x
static void
multiply(const double * A, const double * x, size_t n, double * y)
{
  for (size_t i = 0; i < n; i++) {
    y[i] = 0;
    for (size_t j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
  }
}

static void
forward_dynamics_of_1000_bodies(void ** state)
{
  (void)state;
  tree_t * t = chain(1000, 1);
  const mbd_model_t * m = t->model;
  const size_t n = (size_t)m->nv;
  assert_int_equal(m->nv, 1000);
  double *qdd = new_numbers(n), *h = new_numbers(n), *rest = new_numbers(n),
         *again = new_numbers(n), *A = new_numbers(n * n);

  assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, qdd));
  assert_ok(mbd_bias(m, t->data, h));
  for (size_t k = 0; k < n; k++) rest[k] = t->tau[k] - h[k];

  // qdd = M^-1 (tau - h)                                                          (7.18)
  assert_ok(mbd_mass_matrix_inverse(m, t->data, A));
  multiply(A, rest, n, again);
  assert_close(qdd, again, n, 1e-9, "qdd against M^-1 (tau - h)");

  // M qdd = tau - h
  assert_ok(mbd_mass_matrix(m, t->data, A));
  multiply(A, qdd, n, again);
  assert_close(rest, again, n, 1e-9, "tau - h against M qdd");

  free(qdd), free(h), free(rest), free(again), free(A);
  tree_free(t);
}

// Inverse dynamics gives the torque back (7.13). It is what is left of a sum with the bias, which is
// 1e7 times as large here: rounding is on the scale of that. Inverse dynamics of more than 4096 bodies
// is in body axes, forward dynamics in world axes.
static void
inverse_dynamics_gives_the_torque_back(void ** state)
{
  (void)state;
  const int length[] = {200, 257, 1000, 3000, 10000};
  for (int k = 0; k < 5; k++) {
    tree_t * t = chain(length[k], 1 + (uint64_t)k);
    const mbd_model_t * m = t->model;
    const size_t n = (size_t)m->nv;
    double *qdd = new_numbers(n), *again = new_numbers(n), *h = new_numbers(n), scale = 0;
    assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, qdd));
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, NULL, NULL, h));
    for (size_t j = 0; j < n; j++) scale = fmax(scale, fabs(h[j]));
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, qdd, NULL, again));
    assert_close_(
      t->tau, again, n, 5e-14, scale, __FILE__, __LINE__, "torque of %d bodies", length[k]);
    free(qdd), free(again), free(h);
    tree_free(t);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(forward_dynamics_of_1000_bodies),
    cmocka_unit_test(inverse_dynamics_gives_the_torque_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
