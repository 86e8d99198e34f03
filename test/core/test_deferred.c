// A state that mbd_set_state has loaded, and nothing more, gives every function what the stages of the
// same state give it: kernels compute from q and v and leave the stages of another state behind, which
// no function may take for its own. Alone and after any other function.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "model_data_calls.h"

// all numbers that a call can have written
typedef struct results {
  double out[CALL_OUTPUTS][CALL_NUMBERS];
  mbd_force_t force[64];
  mbd_motion_t motion[64];
  mbd_sym6_t sixes[64];
  mbd_vec3_t vec3;
  mbd_placement_t placement;
  mbd_energy_rates_t energy_rates;
} results_t;

static void
clear_results(void)
{
  memset(out, 0, sizeof out);
  memset(force, 0, sizeof force);
  memset(motion, 0, sizeof motion);
  memset(sixes, 0, sizeof sixes);
  memset(&vec3, 0, sizeof vec3);
  memset(&placement, 0, sizeof placement);
  memset(&energy_rates, 0, sizeof energy_rates);
}

static void
copy_results(results_t * r)
{
  memcpy(r->out, out, sizeof out);
  memcpy(r->force, force, sizeof force);
  memcpy(r->motion, motion, sizeof motion);
  memcpy(r->sixes, sixes, sizeof sixes);
  r->vec3 = vec3;
  r->placement = placement;
  r->energy_rates = energy_rates;
}

// largest difference of n numbers, of the largest of them
static double
difference(const void * a, const void * b, size_t bytes)
{
  const double *x = a, *y = b;
  double most = 0, off = 0;
  for (size_t k = 0; k < bytes / sizeof *x; k++) {
    most = fmax(most, fmax(fabs(x[k]), fabs(y[k])));
    const double d = fabs(x[k] - y[k]);
    if (!(d <= off)) off = d;
  }
  return off > 0 ? off / fmax(most, 1e-3) : 0;
}

static double
results_differ(const results_t * a, const results_t * b)
{
  double off = 0;
  for (int k = 0; k < CALL_OUTPUTS; k++) {
    off = fmax(off, difference(a->out[k], b->out[k], sizeof a->out[k]));
  }
  off = fmax(off, difference(a->force, b->force, sizeof a->force));
  off = fmax(off, difference(a->motion, b->motion, sizeof a->motion));
  off = fmax(off, difference(a->sixes, b->sixes, sizeof a->sixes));
  off = fmax(off, difference(&a->vec3, &b->vec3, sizeof a->vec3));
  off = fmax(off, difference(&a->placement, &b->placement, sizeof a->placement));
  return fmax(off, difference(&a->energy_rates, &b->energy_rates, sizeof a->energy_rates));
}

// another state, with all its stages
static mbd_data_t *
workspace_elsewhere(const tree_t * t)
{
  mbd_data_t * data;
  const size_t nv = (size_t)t->model->nv;
  double *v = calloc(nv, sizeof *v), *qdd = calloc(nv, sizeof *qdd), q[64];
  for (size_t k = 0; k < nv; k++) v[k] = 0.3 - 0.05 * (double)k;
  assert_ok(mbd_integrate(t->model, t->q, v, 1, q));
  assert_ok(mbd_data_create(t->model, &data));
  assert_ok(mbd_set_terms(data, t->data->terms));
  assert_ok(mbd_set_position(t->model, data, q));
  assert_ok(mbd_set_velocity(t->model, data, v));
  const mbd_status_t status = mbd_forward_dynamics(t->model, data, NULL, NULL, v, NULL, qdd);
  assert_true(status == MBD_OK || status == MBD_ERROR_MIMIC);
  free(v), free(qdd);
  return data;
}

// these write work arrays into `out`, or their state is not a function of q, v and what was called
static bool
left_out(const char * name)
{
  static const char * const names[] = {
    "mbd_assemble",
    "mbd_constrained_impulse",
    "mbd_contact_impulse",
  };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (!strcmp(name, names[k])) return true;
  }
  return false;
}

static results_t eager, deferred;

// 1 if the call was done and compared
static int
compare(const tree_t * t, int first, int k)
{
  mbd_data_t *a = workspace_elsewhere(t), *b = workspace_elsewhere(t);
  assert_ok(mbd_set_position(t->model, a, q_in));
  assert_ok(mbd_set_velocity(t->model, a, in));
  assert_ok(mbd_set_state(t->model, b, q_in, in));
  mbd_status_t status[2];
  for (int side = 0; side < 2; side++) {
    mbd_data_t * data = side ? b : a;
    clear_results();
    integer = 0;
    if (first >= 0) (void)!calls[first].run(t->model, data);
    clear_results();
    status[side] = calls[k].run(t->model, data);
    copy_results(side ? &deferred : &eager);
  }
  const char * before = first >= 0 ? calls[first].name : "nothing";
  if (status[0] != status[1]) {
    fail_msg(
      "%s after %s: %s by stages, %s deferred", calls[k].name, before, mbd_status_name(status[0]),
      mbd_status_name(status[1]));
  }
  const double off = status[0] == MBD_OK ? results_differ(&eager, &deferred) : 0;
  if (!(off < 1e-9)) {
    fail_msg("%s after %s, seed %d: off by %g", calls[k].name, before, (int)t->seed, off);
  }
  mbd_data_destroy(a);
  mbd_data_destroy(b);
  return status[0] == MBD_OK;
}

static tree_t *
tree_at(uint64_t seed, bool plain)
{
  tree_options_t options = tree_options_default();
  options.min_bodies = 3, options.max_bodies = 7, options.plain = plain;
  tree_t * t = random_tree(seed, &options);
  frame_in = t->model->nframe - 1;
  reference_in = (mbd_reference_t)(seed % 3);
  calls_prepare(t->q, t->model->nq);
  nulled = 0;
  assert_ok(mbd_sparsity_create(t->model, &sparsity));
  return t;
}

static void
tree_end(tree_t * t)
{
  mbd_sparsity_destroy(sparsity);
  tree_free(t);
  frame_in = 0;
  reference_in = MBD_LOCAL;
}

static void
every_function(void ** state)
{
  (void)state;
  int done = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    tree_t * t = tree_at(seed, seed % 2);
    for (int k = 0; k < ncalls; k++) {
      if (!left_out(calls[k].name)) done += compare(t, -1, k);
    }
    tree_end(t);
  }
  printf("%d results compared\n", done);
  assert_true(done > 60 * 60);
}

static void
every_function_after_every_other(void ** state)
{
  (void)state;
  int done = 0;
  for (uint64_t seed = 101; seed <= 102; seed++) {
    tree_t * t = tree_at(seed, seed % 2);
    for (int j = 0; j < ncalls; j++) {
      for (int k = 0; k < ncalls; k++) {
        if (!left_out(calls[j].name) && !left_out(calls[k].name)) done += compare(t, j, k);
      }
    }
    tree_end(t);
  }
  printf("%d results compared\n", done);
  assert_true(done > 2 * 60 * 60);
}

static void
wrench_of_an_observer(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    tree_t * t = tree_at(seed, true);
    const size_t size = mbd_observer_size(t->model);
    void * memory = malloc(size);
    mbd_observer_t * observer;
    assert_ok(mbd_observer_init(t->model, NULL, memory, size, &observer));
    for (int k = 0; k < t->model->nv; k++) observer->torque[k] = 1 + k;
    mbd_data_t *a = workspace_elsewhere(t), *b = workspace_elsewhere(t);
    mbd_force_t f, g;
    assert_ok(mbd_set_position(t->model, a, q_in));
    assert_ok(mbd_set_state(t->model, b, q_in, NULL));
    assert_ok(mbd_observer_wrench(observer, a, frame_in, reference_in, &f));
    assert_ok(mbd_observer_wrench(observer, b, frame_in, reference_in, &g));
    assert_true(difference(&f, &g, sizeof f) < 1e-9);
    mbd_data_destroy(a);
    mbd_data_destroy(b);
    free(memory);
    tree_end(t);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_function),
    cmocka_unit_test(every_function_after_every_other),
    cmocka_unit_test(wrench_of_an_observer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
