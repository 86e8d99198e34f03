// Free-flying robots from both sides of their hinges.
#include "mbdyn/operators/free_flyer.h"

#include "by_hand.h"

static tree_options_t
floating(void)
{
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.forest = false;
  return options;
}

static double *
work_for(const tree_t * t)
{
  return mat((int)mbd_free_flyer_work(t->model), 1).a;
}

// the same accelerations as from the base on, with wrenches, gravity and friction
static void
accelerations_are_those_of_forward_dynamics(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    mat_t expected = mat(m->nv, 1), qdd = mat(m->nv, 1);
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_FRICTION : 0));
    assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, &t->f_ext, expected.a));
    assert_ok(
      mbd_free_flyer_dynamics(m, t->data, t->q, t->v, t->tau, &t->f_ext, work_for(t), qdd.a));
    const double size = fmax(1, largest_entry(expected));
    assert_mat_floor(qdd, expected, 1e-9, size, "seed %lu", seed);
    // and of the frames
    mbd_motion_t A, B;
    const int frame = m->body[m->nbody - 1].link_frame;
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL, &A));
    assert_ok(mbd_set_acceleration(m, t->data, expected.a));
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL, &B));
    assert_mat_floor(motion6(A), motion6(B), 1e-9, size, "frame, seed %lu", seed);
  }
}

// P + S is the inverse of the compliance of every body                              lemma 17.5
static void
effective_inertia_inverts_the_compliance(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    set_state(t);
    mat_t scratch = mat(21 * m->nbody, 1);
    mbd_sym6_t * E = (void *)scratch.a;
    assert_ok(mbd_effective_inertia(m, t->data, work_for(t), E));
    assert_ok(mbd_compliance(m, t->data));
    for (int i = 0; i < m->nbody; i++) {
      const mat_t Y = sym6(&t->data->Y[i]), product = PROD(sym6(&E[i]), Y);
      const double size = fmax(1, largest_entry(sym6(&E[i])) * largest_entry(Y));
      assert_mat_floor(product, eye(6), 1e-10, size, "body %d, seed %lu", i, seed);
    }
  }
}

// with all joints of no use (a chain of one body) it is the body's own inertia
static void
one_body_is_itself(void ** context)
{
  (void)context;
  tree_options_t options = floating();
  options.min_bodies = options.max_bodies = 1;
  FOR_TREES(20, &options)
  {
    mbd_sym6_t E;
    set_state(t);
    assert_ok(mbd_effective_inertia(t->model, t->data, work_for(t), &E));
    assert_mat(sym6(&E), inertia6(&t->data->inertia[0]), 1e-14, "seed %lu", seed);
  }
}

static void
fixed_bases_are_refused(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  tree_t * t = random_tree(4, &options);
  const mbd_model_t * m = t->model;
  mat_t qdd = mat(m->nv, 1), scratch = mat(21 * m->nbody, 1);
  assert_status(
    mbd_free_flyer_dynamics(m, t->data, t->q, t->v, NULL, NULL, work_for(t), qdd.a),
    MBD_ERROR_BAD_JOINT);
  assert_int_equal(t->data->error_body, 0);
  set_state(t);
  assert_status(
    mbd_effective_inertia(m, t->data, work_for(t), (mbd_sym6_t *)(void *)scratch.a),
    MBD_ERROR_BAD_JOINT);
  assert_status(mbd_effective_inertia(m, t->data, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_free_flyer_work(NULL), 0);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(accelerations_are_those_of_forward_dynamics),
    cmocka_unit_test(effective_inertia_inverts_the_compliance),
    cmocka_unit_test(one_body_is_itself),
    cmocka_unit_test(fixed_bases_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
