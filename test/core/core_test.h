/// \file core_test.h
/// What the tests of the core share: going through random robots, and finite differences.
#ifndef CORE_TEST_H_
#define CORE_TEST_H_

#include "close.h"
#include "dense_oracle.h"
#include "matrix.h"
#include "random_tree.h"
#include "tally.h"

/// For each seeded robot: `body` with t and seed in scope. options may be NULL.
#define FOR_TREES(n, options) \
  FOR_SEEDS(n)                \
  for (tree_t * t = random_tree(seed, options); t; tree_free(t), mats_free(), t = NULL)

/// Oracle at the robot's state.
static inline dense_t
dense_of(const tree_t * t)
{
  return dense_at(t->model, NULL, t->q, t->v, t->model->gravity);
}

/// Position and velocity stages of the robot's state.
static inline void
set_state(const tree_t * t)
{
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_ok(mbd_set_velocity(t->model, t->data, t->v));
}

/// q moved along the robot's motion for h: v + qdd h / 2 is the mean velocity; by the oracle.
static inline mat_t
q_later(const tree_t * t, double h)
{
  mat_t v = SUM(column(t->model->nv, t->v), scale(0.5 * h, column(t->model->nv, t->qdd)));
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, v.a, h, q.a);
  return q;
}

static inline mat_t
v_later(const tree_t * t, double h)
{
  return SUM(column(t->model->nv, t->v), scale(h, column(t->model->nv, t->qdd)));
}

/// Robots of few bodies, for tests with large matrices.
static inline tree_options_t
small_trees(void)
{
  tree_options_t options = tree_options_default();
  options.max_bodies = 8;
  return options;
}

/// Robots whose joints are all of the kinds that kernels know.
static inline tree_options_t
plain_trees(void)
{
  tree_options_t options = tree_options_default();
  options.plain = true;
  return options;
}

#define FOR_PLAIN_TREES                          \
  const tree_options_t options_ = plain_trees(); \
  FOR_TREES(TREES, &options_)

/// The robot's links again, changed by `edit` before they are added; frames keep their indices,
/// extra frames are left out. The model is finalized.
static inline mbd_model_t *
rebuild(const tree_t * t, void (*edit)(mbd_body_spec_t * spec, int link, void * arg), void * arg)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("rebuilt", &model));
  assert_ok(mbd_model_set_gravity(model, t->model->gravity));
  for (int k = 0; k < t->nlink; k++) {
    mbd_body_spec_t spec = t->link[k].spec;
    int frame;
    if (edit) edit(&spec, k, arg);
    assert_ok(mbd_model_add_body(model, &spec, &frame));
    assert_int_equal(frame, t->link[k].frame);
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

/// Fail unless a call gives this status.
#define assert_status(call, expected)                                   \
  do {                                                                  \
    const mbd_status_t status_ = (call);                                \
    if (status_ != (expected)) {                                        \
      print_error("%s returned %s\n", #call, mbd_status_name(status_)); \
      fail_msg("expected %s", mbd_status_name(expected));               \
    }                                                                   \
  } while (0)

#endif  // CORE_TEST_H_
