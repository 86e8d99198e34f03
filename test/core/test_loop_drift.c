// A four-bar for 60 s at 1 ms, embedded and by cut joints with and without stabilisation: how far
// the loop opens and the energy drifts, by the same Runge-Kutta 4.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/inertia.h"

// an emulator takes two minutes for that minute: test/aarch64 has a tenth of it
#ifndef MBDYN_DRIFT_STEPS
#define MBDYN_DRIFT_STEPS 60000
#endif
enum { STEPS = MBDYN_DRIFT_STEPS };
static const double DT = 1e-3;

typedef struct run {
  mbd_model_t *tree, *model;  // model NULL: cut joints
  mbd_data_t * data;
  double * work;
  double stabilisation;
  int n;  // velocities
  double q[3], v[3];
  double gap, drift;  // worst so far [m], [J]
} run_t;

// crank, coupler, rocker come in this order
static double
gap_of(const double * q)
{
  const double x = 0.3 * cos(q[0]) + 0.9 * cos(q[0] + q[1]) - 1 - 0.6 * cos(q[2]);
  const double y = 0.3 * sin(q[0]) + 0.9 * sin(q[0] + q[1]) - 0.6 * sin(q[2]);
  return sqrt(x * x + y * y);
}

static void
accelerate(run_t * r, const double * q, const double * v, double * a)
{
  if (r->model) {
    assert_ok(mbd_forward_dynamics(r->model, r->data, q, v, NULL, NULL, a));
    return;
  }
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.stabilisation = r->stabilisation;
  assert_ok(mbd_constrained_forward_dynamics(
    r->tree, r->data, q, v, NULL, NULL, &options, r->work, a, NULL, NULL));
}

static void
move(run_t * r, const double * q, const double * v, double dt, double * out)
{
  if (r->model) {
    assert_ok(mbd_integrate_in(r->model, r->data, q, v, dt, out));
  } else {
    assert_ok(mbd_integrate(r->tree, q, v, dt, out));
  }
}

static void
step(run_t * r)
{
  double v[4][3], a[4][3], q[3], mean[3];
  memcpy(v[0], r->v, sizeof v[0]);
  accelerate(r, r->q, v[0], a[0]);
  for (int k = 1; k < 4; k++) {
    const double part = k < 3 ? DT / 2 : DT;
    for (int i = 0; i < r->n; i++) v[k][i] = r->v[i] + part * a[k - 1][i];
    move(r, r->q, v[k - 1], part, q);
    accelerate(r, q, v[k], a[k]);
  }
  for (int i = 0; i < r->n; i++) {
    mean[i] = (v[0][i] + 2 * v[1][i] + 2 * v[2][i] + v[3][i]) / 6;
    r->v[i] += DT * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]) / 6;
  }
  move(r, r->q, mean, DT, r->q);
}

static double
energy_of(run_t * r)
{
  const mbd_model_t * m = r->model ? r->model : r->tree;
  double kinetic, potential;
  assert_ok(mbd_set_position(m, r->data, r->q));
  assert_ok(mbd_set_velocity(m, r->data, r->v));
  assert_ok(mbd_kinetic_energy(m, r->data, &kinetic));
  assert_ok(mbd_potential_energy(m, r->data, &potential));
  return kinetic + potential;
}

static void
run_for_a_minute(run_t * r, const char * name)
{
  const double first = energy_of(r);
  for (int k = 0; k < STEPS; k++) {
    step(r);
    r->gap = fmax(r->gap, gap_of(r->q));
    if (k % 10 == 0) r->drift = fmax(r->drift, fabs(energy_of(r) - first));
  }
  print_message(
    "%-28s gap at most %.2e m, energy within %.2e J of %.2f J\n", name, r->gap, r->drift, first);
}

static run_t
four_bar(bool embedded, double stabilisation)
{
  run_t r = {0};
  r.tree = crank_rocker(MBD_CLOSURE_ON_LINE);
  r.stabilisation = stabilisation;
  assert_ok(mbd_model_finalize(r.tree));
  assert_int_equal(joint(r.tree, "crank"), 0);
  assert_int_equal(joint(r.tree, "rocker"), 2);
  r.q[0] = 0.7;
  close_crank_rocker(0.7, &r.q[1], &r.q[2]);
  const char * const preferred[] = {"j_crank"};
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = r.q, options.independent = preferred, options.nindependent = 1;
  assert_ok(mbd_model_embed(r.tree, &options, &r.model));
  assert_ok(mbd_data_create(r.model, &r.data));
  assert_ok(mbd_set_position(r.model, r.data, r.q));
  const double crank = 9;
  assert_ok(mbd_tree_velocity(r.model, r.data, &crank, r.v));
  r.n = 1;
  if (embedded) return r;
  mbd_data_destroy(r.data);
  mbd_model_destroy(r.model);
  r.model = NULL;
  r.n = 3;
  assert_ok(mbd_data_create(r.tree, &r.data));
  r.work = calloc(mbd_constrained_work(r.tree), sizeof *r.work);
  return r;
}

static void
free_run(run_t * r)
{
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
  mbd_model_destroy(r->tree);
  free(r->work);
}

static void
embedding_does_not_drift(void ** context)
{
  (void)context;
  run_t embedded = four_bar(true, 0), cut = four_bar(false, 0), held = four_bar(false, 50);
  run_for_a_minute(&embedded, "embedded");
  run_for_a_minute(&cut, "cut joints");
  run_for_a_minute(&held, "cut joints, 50 rad/s");
  assert_true(embedded.gap < 1e-10);
  assert_true(embedded.drift < 1e-5);
  // what embedding is for: nothing holds the others to the last digit
  assert_true(cut.gap > 100 * embedded.gap);
  assert_true(held.gap < cut.gap);
  free_run(&embedded);
  free_run(&cut);
  free_run(&held);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(embedding_does_not_drift)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
