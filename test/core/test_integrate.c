// Configurations as a manifold: exponential, logarithm, rest, random.
#include <math.h>
#include <string.h>

#include "core_test.h"

static const double pi = 3.14159265358979323846;

// placements of all bodies at q, from the oracle, stacked 4n x 4
static mat_t
placements(const mbd_model_t * model, const double * q)
{
  mat_t all = mat(4 * model->nbody, 4);
  for (int k = 0; k < model->nbody; k++) {
    set_block(all, 4 * k, 0, dense_joint(&model->body[k], q + model->body[k].q_index));
  }
  return all;
}

//---------- integrate ----------

// a constant velocity in child axes is an exponential: T exp(S v dt), for any dt
static void
integration_is_exact(void ** context)
{
  (void)context;
  tally_t joints = {0};
  const double steps[] = {0.01, -0.7, 3, 1e-6, 0};
  FOR_TREES(TREES, NULL)
  {
    for (int k = 0; k < 5; k++) {
      mat_t q = mat(t->model->nq, 1), expected = mat(t->model->nq, 1);
      assert_ok(mbd_integrate(t->model, t->q, t->v, steps[k], q.a));
      dense_step_all(t->model, t->q, t->v, steps[k], expected.a);
      assert_mat(
        placements(t->model, q.a), placements(t->model, expected.a), 1e-12, "dt %g, seed %lu",
        steps[k], seed);
      for (int i = 0; i < t->model->nbody; i++) {
        const mbd_body_t * body = &t->model->body[i];
        const mbd_joint_type_t type = body->type;
        if (!tally(&joints, type != MBD_JOINT_UNIVERSAL && type != MBD_JOINT_USER)) continue;
        // S constant in child axes: one exponential of the whole step
        const double * q0 = t->q + body->q_index;
        const mat_t S = dense_subspace(body, q0), v = column(body->nv, t->v + body->v_index);
        const mat_t turn = expm(twist4(scale(steps[k], PROD(S, v)).a));
        const mat_t X = PROD(dense_joint(body, q0), turn);
        assert_mat(
          dense_joint(body, q.a + body->q_index), X, 1e-12, "%s, seed %lu",
          mbd_joint_type_name(type), seed);
      }
    }
  }
  assert_enough(&joints, 0.6);
}

// two half steps are one step, back and forth is nothing
static void
steps_add_up(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t q = mat(t->model->nq, 1), twice = mat(t->model->nq, 1);
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.8, q.a));
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.4, twice.a));
    assert_ok(mbd_integrate(t->model, twice.a, t->v, 0.4, twice.a));
    assert_mat(
      placements(t->model, q.a), placements(t->model, twice.a), 1e-12, "halves, seed %lu", seed);
    assert_ok(mbd_integrate(t->model, q.a, t->v, -0.8, q.a));
    assert_mat(
      placements(t->model, q.a), placements(t->model, t->q), 1e-12, "back, seed %lu", seed);
  }
}

// the velocity that mbd_integrate means is that of mbd_set_velocity
static void
integration_moves_along_the_velocity(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    mat_t q1 = mat(t->model->nq, 1), q0 = mat(t->model->nq, 1);
    assert_ok(mbd_integrate(t->model, t->q, t->v, h, q1.a));
    assert_ok(mbd_integrate(t->model, t->q, t->v, -h, q0.a));
    const dense_t d1 = dense_at(t->model, NULL, q1.a, NULL, t->model->gravity);
    const dense_t d0 = dense_at(t->model, NULL, q0.a, NULL, t->model->gravity);
    for (int k = 0; k < t->model->nbody; k++) {
      const mat_t slope = scale(0.5 / h, sub(d1.X_world[k], d0.X_world[k]));
      const mat_t V = motion6(t->data->V[k]);
      const mat_t rate = PROD(placement4(&t->data->X_world[k]), twist4(V.a));
      assert_mat_floor(slope, rate, 1e-7, 1, "body %d, seed %lu", k, seed);
    }
  }
}

static void
integration_in_place_keeps_unit_length(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    mat_t q = mat(t->model->nq, 1);
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.3, q.a));
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.3, t->q));
    assert_mat(q, column(t->model->nq, t->q), 0, "in place, seed %lu", seed);
    for (int k = 0; k < 1000; k++) assert_ok(mbd_integrate(t->model, q.a, t->v, 0.01, q.a));
    mat_t unit = column(t->model->nq, q.a);
    assert_ok(mbd_normalize(t->model, unit.a));
    assert_mat(unit, q, 1e-15, "unit length, seed %lu", seed);
  }
}

// joints of one number in any count, on a fixed or a floating base: by kernels, from a quaternion of
// any length, and nothing is written if a number is not finite
static void
plain_robots_step_exactly(void ** context)
{
  (void)context;
  int floating = 0, large = 0;
  const double steps[] = {1e-3, 0.05, -0.02, 3};
  FOR_SEEDS(TREES)
  {
    const tree_options_t options = {1, 14, true, seed % 2 == 0, false, false};
    tree_t * t = random_tree(seed, &options);
    const mbd_model_t * m = t->model;
    for (int k = 0; k < 4; k++) {
      mat_t q = mat(m->nq, 1), expected = mat(m->nq, 1), longer = column(m->nq, t->q);
      assert_ok(mbd_integrate(m, t->q, t->v, steps[k], q.a));
      dense_step_all(m, t->q, t->v, steps[k], expected.a);
      assert_mat(
        placements(m, q.a), placements(m, expected.a), 1e-13, "dt %g, seed %lu", steps[k], seed);
      for (int i = 3; seed % 2 == 0 && i < 7; i++) longer.a[i] *= 3;
      assert_ok(mbd_integrate(m, longer.a, t->v, steps[k], longer.a));
      assert_mat(longer, q, 1e-13, "another length, in place, dt %g, seed %lu", steps[k], seed);
      floating += seed % 2 == 0;
      large += k == 3;
    }
    mat_t out = mat(m->nq, 1);
    const int bad = (int)(seed % (uint64_t)m->nv);
    t->v[bad] = seed % 3 == 0 ? nan("") : 1e200;
    assert_status(mbd_integrate(m, t->q, t->v, 1e-3, out.a), MBD_ERROR_NOT_FINITE);
    t->v[bad] = 0;
    t->q[seed % (uint64_t)m->nq] = HUGE_VAL;
    assert_status(mbd_integrate(m, t->q, t->v, 1e-3, out.a), MBD_ERROR_NOT_FINITE);
    assert_mat(out, mat(m->nq, 1), 0, "nothing is written, seed %lu", seed);
    tree_free(t);
    mats_free();
  }
  assert_count(floating, 2 * TREES);
  assert_count(large, TREES);
}

//---------- difference ----------

// integrate by the difference and arrive; the difference of a step is the step
static void
difference_undoes_integration(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_TREES(TREES, NULL)
  {
    if (!tally(&cases, dense_holonomic(t->model))) continue;
    mat_t q1 = mat(t->model->nq, 1), q = mat(t->model->nq, 1), v = mat(t->model->nv, 1);
    // anywhere to anywhere
    assert_ok(mbd_random_configuration(t->model, seed, q1.a));
    assert_ok(mbd_difference(t->model, t->q, q1.a, v.a));
    assert_ok(mbd_integrate(t->model, t->q, v.a, 1, q.a));
    assert_mat(
      placements(t->model, q.a), placements(t->model, q1.a), 1e-11, "arrive, seed %lu", seed);
    // v is below pi
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.5, q1.a));
    assert_ok(mbd_difference(t->model, t->q, q1.a, v.a));
    assert_mat_floor(v, scale(0.5, column(t->model->nv, t->v)), 1e-12, 1, "step, seed %lu", seed);
    assert_ok(mbd_difference(t->model, t->q, t->q, v.a));
    assert_mat_floor(v, mat(t->model->nv, 1), 1e-14, 1, "nothing, seed %lu", seed);
  }
  assert_enough(&cases, 0.6);
}

// quaternions of either sign are one attitude: the short way
static void
difference_takes_the_short_way(void ** context)
{
  (void)context;
  tree_options_t options = {1, 1, false, true, false, false};
  FOR_TREES(100, &options)
  {
    mat_t q1 = mat(7, 1), v = mat(6, 1), w = mat(6, 1);
    assert_ok(mbd_random_configuration(t->model, seed, q1.a));
    assert_ok(mbd_difference(t->model, t->q, q1.a, v.a));
    for (int i = 3; i < 7; i++) q1.a[i] = -q1.a[i];
    assert_ok(mbd_difference(t->model, t->q, q1.a, w.a));
    assert_mat(v, w, 1e-12, "sign, seed %lu", seed);
    const double turn = sqrt(v.a[3] * v.a[3] + v.a[4] * v.a[4] + v.a[5] * v.a[5]);
    assert_true(turn <= pi + 1e-12);
  }
}

// steps of every size, half turns among them
static void
small_and_large_turns(void ** context)
{
  (void)context;
  tree_options_t options = {1, 1, false, true, false, false};
  const double sizes[] = {1e-12, 1e-8, 1e-5, 1e-4, 9.9e-3, 1.01e-2, 0.1, 1, 3, 3.14159};
  FOR_SEEDS(20)
  {
    tree_t * t = random_tree(seed, &options);
    for (int k = 0; k < 10; k++) {
      const double n = sqrt(t->v[3] * t->v[3] + t->v[4] * t->v[4] + t->v[5] * t->v[5]);
      for (int i = 3; i < 6; i++) t->v[i] *= sizes[k] / n;
      mat_t q1 = mat(7, 1), expected = mat(7, 1), v = mat(6, 1);
      assert_ok(mbd_integrate(t->model, t->q, t->v, 1, q1.a));
      dense_step_all(t->model, t->q, t->v, 1, expected.a);
      assert_mat(q1, expected, 1e-13, "q, turn %g, seed %lu", sizes[k], seed);
      assert_ok(mbd_difference(t->model, t->q, q1.a, v.a));
      assert_mat(v, column(6, t->v), 1e-11, "v, turn %g, seed %lu", sizes[k], seed);
    }
    tree_free(t);
    mats_free();
  }
}

//---------- rest and random ----------

// at rest every joint's transform is the identity
static void
neutral_is_the_identity(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t q = mat(t->model->nq, 1);
    assert_ok(mbd_neutral(t->model, q.a));
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * body = &t->model->body[k];
      assert_mat(dense_joint(body, q.a + body->q_index), eye(4), 0, "seed %lu", seed);
    }
    assert_ok(mbd_set_position(t->model, t->data, q.a));
    for (int k = 0; k < t->model->nbody; k++) {
      assert_mat(
        placement4(&t->data->X_parent[k]), placement4(&t->model->body[k].X_tree), 1e-15,
        "X_tree %d, seed %lu", k, seed);
    }
  }
}

static void
normalising_scales_quaternions_only(void ** context)
{
  (void)context;
  tally_t quaternions = {0};
  FOR_TREES(TREES, NULL)
  {
    mat_t q = column(t->model->nq, t->q);
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      const int first = body->type == MBD_JOINT_FREE ? 3 : 0;
      if (!tally(&quaternions, body->type == MBD_JOINT_FREE || body->type == MBD_JOINT_SPHERICAL))
        continue;
      const double sizes[] = {1e-200, 0.3, 1e200};
      for (int j = first; j < first + 4; j++) q.a[body->q_index + j] *= sizes[seed % 3];
    }
    assert_ok(mbd_normalize(t->model, q.a));
    assert_mat(q, column(t->model->nq, t->q), 1e-15, "seed %lu", seed);
  }
  assert_enough(&quaternions, 0.1);
}

static void
random_configurations_are_reproducible_and_within_limits(void ** context)
{
  (void)context;
  tally_t joints = {0};
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t q = mat(m->nq, 1), again = mat(m->nq, 1), other = mat(m->nq, 1), unit;
    assert_ok(mbd_random_configuration(m, seed, q.a));
    assert_ok(mbd_random_configuration(m, seed, again.a));
    assert_ok(mbd_random_configuration(m, seed + 1, other.a));
    assert_mat(q, again, 0, "again, seed %lu", seed);
    assert_true(largest_entry(sub(q, other)) > 0);
    unit = column(m->nq, q.a);
    assert_ok(mbd_normalize(m, unit.a));
    assert_mat(unit, q, 1e-15, "unit, seed %lu", seed);
    for (int i = 0; i < m->nbody; i++) {
      const mbd_body_t * body = &m->body[i];
      const double x = q.a[body->q_index];
      const bool slides = body->type == MBD_JOINT_PRISMATIC;
      const bool revolute = body->type == MBD_JOINT_REVOLUTE || body->type == MBD_JOINT_CONTINUOUS;
      if (!tally(&joints, slides || revolute)) continue;
      const double span = slides ? 1 : pi;
      const bool limited = body->type != MBD_JOINT_CONTINUOUS && isfinite(body->limits.lower);
      assert_true(x >= (limited ? body->limits.lower : -span));
      assert_true(x <= (limited ? body->limits.upper : span));
    }
  }
  assert_enough(&joints, 0.25);
}

// limits on one side, and limits so wide that their difference is no number
static void
random_configurations_with_odd_limits(void ** context)
{
  (void)context;
  const double limits[][2] = {{2, HUGE_VAL},   {-HUGE_VAL, -5}, {10, HUGE_VAL},
                              {-1e308, 1e308}, {0.3, 0.3},      {-0.1, HUGE_VAL}};
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    mbd_model_t * model;
    mbd_body_spec_t spec = mbd_body_spec_default();
    int frame;
    assert_ok(mbd_model_create("odd", &model));
    spec.name = spec.joint_name = "x", spec.type = MBD_JOINT_REVOLUTE;
    spec.limits.lower = limits[k][0], spec.limits.upper = limits[k][1];
    assert_ok(mbd_model_add_body(model, &spec, &frame));
    assert_ok(mbd_model_finalize(model));
    for (uint64_t seed = 0; seed < 100; seed++) {
      double q;
      assert_ok(mbd_random_configuration(model, seed, &q));
      if (!(isfinite(q) && q >= limits[k][0] && q <= limits[k][1])) {
        fail_msg("%g outside [%g, %g]", q, limits[k][0], limits[k][1]);
      }
    }
    mbd_model_destroy(model);
  }
}

//---------- behaviour ----------

static void
bad_arguments_leave_the_result_alone(void ** context)
{
  (void)context;
  tree_options_t options = {2, 4, false, true, false, false};
  tree_t * t = random_tree(3, &options);
  const mbd_model_t * m = t->model;
  double out[64], before[64];
  for (int i = 0; i < 64; i++) out[i] = before[i] = 7;
  assert_status(mbd_integrate(NULL, t->q, t->v, 1, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_integrate(m, NULL, t->v, 1, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_integrate(m, t->q, NULL, 1, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_integrate(m, t->q, t->v, 1, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_integrate(m, t->q, t->v, nan(""), out), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_integrate(m, t->q, t->v, 1e300, out), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_difference(m, t->q, NULL, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_normalize(m, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_neutral(NULL, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_random_configuration(m, 1, NULL), MBD_ERROR_NULL_ARGUMENT);
  const double keep = t->v[m->nv - 1];
  t->v[m->nv - 1] = HUGE_VAL;
  assert_status(mbd_integrate(m, t->q, t->v, 1, out), MBD_ERROR_NOT_FINITE);
  t->v[m->nv - 1] = keep;
  mat_t zero = column(m->nq, t->q);
  for (int i = 3; i < 7; i++) zero.a[i] = 0;
  const mat_t copy = column(m->nq, zero.a);
  assert_status(mbd_integrate(m, zero.a, t->v, 1, out), MBD_ERROR_BAD_QUATERNION);
  assert_status(mbd_difference(m, zero.a, t->q, out), MBD_ERROR_BAD_QUATERNION);
  assert_status(mbd_difference(m, t->q, zero.a, out), MBD_ERROR_BAD_QUATERNION);
  assert_status(mbd_normalize(m, zero.a), MBD_ERROR_BAD_QUATERNION);
  assert_mat(zero, copy, 0, "unchanged");
  zero.a[0] = nan("");
  assert_status(mbd_difference(m, zero.a, t->q, out), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_normalize(m, zero.a), MBD_ERROR_NOT_FINITE);
  assert_close(out, before, 64, 0, "out");
  tree_free(t);
  mats_free();
}

static void
models_must_be_finalized(void ** context)
{
  (void)context;
  mbd_model_t * m;
  double x[8] = {0};
  assert_ok(mbd_model_create("raw", &m));
  assert_status(mbd_neutral(m, x), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_normalize(m, x), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_integrate(m, x, x, 1, x), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_difference(m, x, x, x), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_random_configuration(m, 1, x), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_friction(m, x, x), MBD_ERROR_NOT_FINALIZED);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(integration_is_exact),
    cmocka_unit_test(steps_add_up),
    cmocka_unit_test(integration_moves_along_the_velocity),
    cmocka_unit_test(integration_in_place_keeps_unit_length),
    cmocka_unit_test(plain_robots_step_exactly),
    cmocka_unit_test(difference_undoes_integration),
    cmocka_unit_test(difference_takes_the_short_way),
    cmocka_unit_test(small_and_large_turns),
    cmocka_unit_test(neutral_is_the_identity),
    cmocka_unit_test(normalising_scales_quaternions_only),
    cmocka_unit_test(random_configurations_are_reproducible_and_within_limits),
    cmocka_unit_test(random_configurations_with_odd_limits),
    cmocka_unit_test(bad_arguments_leave_the_result_alone),
    cmocka_unit_test(models_must_be_finalized),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
