// Position limits: of every joint that has a position, dependent ones of loops included, with the
// rows that say how velocities change them.
#include <math.h>

#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"

// limits of its own for every link
static void
limit_links(tree_t * t, uint64_t seed)
{
  uint64_t state = seed + 99;
  for (int k = 0; k < t->nlink; k++) {
    mbd_limits_t * limits = &t->link[k].spec.limits;
    limits->lower = random_below(&state, 4) ? random_between(&state, -3, -1) : -HUGE_VAL;
    limits->upper = random_below(&state, 4) ? random_between(&state, 1, 3) : HUGE_VAL;
  }
}

static bool
has_positions(const mbd_body_t * body)
{
  return body->type != MBD_JOINT_SPHERICAL && body->type != MBD_JOINT_PLANAR &&
         body->type != MBD_JOINT_FREE && body->type != MBD_JOINT_USER;
}

// q moved by mbd_integrate has the rates that the rows say
static int
compare(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  const mbd_model_t * tree = model->tree ? model->tree : model;
  const double h = 1e-6;
  double later[128], before[128], row[128];
  int compared = 0, expected = 0, n = mbd_limit_count(model);
  assert_true(model->nq <= 128);
  if (mbd_integrate(model, q, v, h, later) != MBD_OK) return 0;
  if (mbd_integrate(model, q, v, -h, before) != MBD_OK) return 0;
  assert_ok(mbd_set_position(model, data, q));
  for (int k = 0; k < n; k++) {
    mbd_limit_t limit;
    assert_ok(mbd_limit_info(model, k, &limit));
    const mbd_body_t * body = &tree->body[limit.body];
    double below, above, rate = 0;
    assert_ok(mbd_limit_gaps(model, data, &limit, &below, &above, row));
    assert_true(limit.lower == body->limits.lower && limit.upper == body->limits.upper);
    assert_true(below == data->q[limit.q_index] - limit.lower || isinf(below));
    assert_true(above == limit.upper - data->q[limit.q_index] || isinf(above));
    for (int j = 0; j < model->nv; j++) rate += row[j] * v[j];
    const double seen = (later[limit.q_index] - before[limit.q_index]) / (2 * h);
    assert_true(fabs(rate - seen) < 1e-4 * fmax(1, fabs(rate)));
    if (limit.v_index >= 0) assert_true(fabs(rate - v[limit.v_index]) < 1e-12);
    compared++;
  }
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const bool any = isfinite(body->limits.lower) || isfinite(body->limits.upper);
    if (any && has_positions(body)) expected += body->nv;
    if (any && body->type == MBD_JOINT_USER) expected = -1000;
  }
  if (expected >= 0) assert_int_equal(n, expected);
  mbd_limit_t unused;
  assert_status(mbd_limit_info(model, n, &unused), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_limit_info(model, -1, &unused), MBD_ERROR_BAD_ARGUMENT);
  return compared;
}

static void
rows_are_those_of_the_motion(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_TREES(TREES, NULL)
  {
    limit_links(t, seed);
    mbd_model_t * model = rebuild(t, NULL, NULL);
    mbd_data_t * data;
    assert_ok(mbd_data_create(model, &data));
    compared += compare(model, data, t->q, t->v);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
  assert_count(compared, 500);
}

static void
rows_of_loops_are_those_of_the_motion(void ** state)
{
  (void)state;
  tree_options_t options = small_trees();
  int compared = 0, dependent = 0, several = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    closed_t c = closed_tree_edited(seed, &options, 1, 1, limit_links);
    if (embed(&c, NULL, 0) && c.model->nv > 0) {
      double condition;
      assert_ok(mbd_set_position(c.model, c.data, c.t->q));
      assert_ok(mbd_embedding_condition(c.model, c.data, &condition, NULL));
      if (condition < 1e3) compared += compare(c.model, c.data, c.data->q, c.v.a);
      for (int k = 0; k < mbd_limit_count(c.model); k++) {
        mbd_limit_t limit;
        assert_ok(mbd_limit_info(c.model, k, &limit));
        dependent += limit.v_index < 0;
        several += c.tree->body[limit.body].nv > 1;
      }
    }
    closed_free(&c);
  }
  assert_true(compared > 200 && dependent > 50 && several > 30);
}

static void
arguments_are_checked(void ** context)
{
  (void)context;
  mbd_model_t * raw;
  mbd_limit_t limit = {0};
  assert_ok(mbd_model_create("raw", &raw));
  assert_int_equal(mbd_limit_count(NULL), 0);
  assert_int_equal(mbd_limit_count(raw), 0);
  assert_status(mbd_limit_info(raw, 0, &limit), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_limit_info(NULL, 0, &limit), MBD_ERROR_NULL_ARGUMENT);
  mbd_model_destroy(raw);
  tree_t * t = chain(3, 1);
  assert_status(mbd_limit_info(t->model, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  limit = (mbd_limit_t){1, 1, 1, 1, -1, 1};
  assert_status(mbd_limit_gaps(t->model, t->data, &limit, NULL, NULL, NULL), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_ok(mbd_limit_gaps(t->model, t->data, &limit, NULL, NULL, NULL));
  const mbd_limit_t wrong[] = {
    {-1, 1, 1, 1, -1, 1}, {3, 1, 1, 1, -1, 1}, {1, 2, 1, 1, -1, 1}, {1, 1, 7, 1, -1, 1}};
  for (int k = 0; k < 4; k++) {
    assert_status(
      mbd_limit_gaps(t->model, t->data, &wrong[k], NULL, NULL, NULL), MBD_ERROR_BAD_ARGUMENT);
  }
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_are_those_of_the_motion),
    cmocka_unit_test(rows_of_loops_are_those_of_the_motion),
    cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
