// Distances of capsules against a search over their segments; of shapes on random robots from obstacles.
#include "mbdyn/clearance.h"

#include "core_test.h"

static mbd_vec3_t
between(mbd_vec3_t a, mbd_vec3_t b, double s)
{
  return mbdu_vec3_add(a, mbdu_vec3_scale(s, mbdu_vec3_sub(b, a)));
}

// distance of p from the nearest point of a segment, which is convex along it: thirds
static double
from_segment(mbd_vec3_t p, const mbd_capsule_t * c)
{
  double low = 0, high = 1;
  for (int i = 0; i < 80; i++) {
    const double s = low + (high - low) / 3, u = high - (high - low) / 3;
    const double x = mbdu_vec3_norm(mbdu_vec3_sub(between(c->a, c->b, s), p));
    const double y = mbdu_vec3_norm(mbdu_vec3_sub(between(c->a, c->b, u), p));
    *(x < y ? &high : &low) = x < y ? u : s;
  }
  return mbdu_vec3_norm(mbdu_vec3_sub(between(c->a, c->b, low), p));
}

static double
searched(const mbd_capsule_t * a, const mbd_capsule_t * b)
{
  double low = 0, high = 1;
  for (int i = 0; i < 80; i++) {
    const double s = low + (high - low) / 3, u = high - (high - low) / 3;
    const bool less =
      from_segment(between(a->a, a->b, s), b) < from_segment(between(a->a, a->b, u), b);
    *(less ? &high : &low) = less ? u : s;
  }
  return from_segment(between(a->a, a->b, low), b) - a->radius - b->radius;
}

static mbd_capsule_t
random_capsule(uint64_t * r, int kind)
{
  mbd_capsule_t c = {random_vec3(r, 1), random_vec3(r, 1), 0.2 * (1 + random_signed(r))};
  if (kind == 1) c.b = c.a;
  return c;
}

static void
distances_of_capsules(void ** state)
{
  (void)state;
  int compared = 0, overlapping = 0;
  FOR_SEEDS(2000)
  {
    uint64_t r = seed;
    const mbd_capsule_t a = random_capsule(&r, seed % 5 == 1);
    mbd_capsule_t b = random_capsule(&r, seed % 7 == 1);
    // parallel, and in the same line now and then
    if (seed % 4 == 2) b.b = mbdu_vec3_add(b.a, mbdu_vec3_scale(0.7, mbdu_vec3_sub(a.b, a.a)));
    if (seed % 16 == 6) b.a = between(a.a, a.b, 1.5), b.b = between(a.a, a.b, 2.5);
    const double d = mbd_capsule_distance(&a, &b), expected = searched(&a, &b);
    assert_close_(&d, &expected, 1, 1e-7, 1, __FILE__, __LINE__, "distance, seed %d", (int)seed);
    const double back = mbd_capsule_distance(&b, &a);
    assert_close_(&d, &back, 1, 1e-14, 1, __FILE__, __LINE__, "exchanged, seed %d", (int)seed);
    compared++, overlapping += d < 0;
  }
  assert_count(compared, 2000);
  assert_count(overlapping, 100);
  // crossing segments: as deep as both radii
  const mbd_capsule_t x = {{-1, 0, 0}, {1, 0, 0}, 0.25}, y = {{0, -1, 0}, {0, 1, 0}, 0.5};
  assert_true(mbd_capsule_distance(&x, &y) == -0.75);
  assert_true(mbd_capsule_distance(&x, &x) == -0.5);
}

static void
nearest_pair_of_robots(void ** state)
{
  (void)state;
  enum { SHAPES = 4, OBSTACLES = 3 };
  int compared = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t r = seed;
    mbd_shape_t shape[SHAPES];
    mbd_capsule_t obstacle[OBSTACLES];
    double least = HUGE_VAL;
    int nearest[2] = {-1, -1};
    for (int k = 0; k < OBSTACLES; k++) obstacle[k] = random_capsule(&r, k == 0);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    for (int k = 0; k < SHAPES; k++) {
      mbd_placement_t X;
      shape[k] = mbd_shape_default();
      shape[k].frame = random_below(&r, t->model->nframe);
      shape[k].capsule = random_capsule(&r, k == 0);
      assert_ok(mbd_frame_placement(t->model, t->data, shape[k].frame, &X));
      mbd_capsule_t c = shape[k].capsule;
      c.a = mbdu_placement_point(&X, c.a), c.b = mbdu_placement_point(&X, c.b);
      for (int o = 0; o < OBSTACLES; o++) {
        const double d = searched(&c, &obstacle[o]);
        if (d < least) least = d, nearest[0] = k, nearest[1] = o;
      }
    }
    mbd_clearance_t c;
    assert_ok(mbd_clearance(t->model, t->data, SHAPES, shape, OBSTACLES, obstacle, &c));
    assert_close_(
      &c.distance, &least, 1, 1e-7, 1, __FILE__, __LINE__, "clearance, seed %d", (int)seed);
    assert_int_equal(c.shape, nearest[0]);
    assert_int_equal(c.obstacle, nearest[1]);
    compared++;
  }
  assert_count(compared, TREES);
}

static void
bad_arguments(void ** state)
{
  (void)state;
  tree_t * t = random_tree(3, NULL);
  mbd_shape_t shape = mbd_shape_default();
  mbd_capsule_t ball = {{1, 2, 3}, {1, 2, 3}, 0.1};
  mbd_clearance_t c = {7, 7, 7};
  const mbd_model_t * m = t->model;
  mbd_data_t * d;
  assert_ok(mbd_data_create(m, &d));
  assert_status(mbd_clearance(m, d, 1, &shape, 1, &ball, &c), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_clearance(m, d, -1, &shape, 1, &ball, &c), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_clearance(m, d, 1, &shape, -1, &ball, &c), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_clearance(m, d, 1, NULL, 1, &ball, &c), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_clearance(m, d, 1, &shape, 1, NULL, &c), MBD_ERROR_NULL_ARGUMENT);
  for (int k = 0; k < 2; k++) {
    shape.frame = k ? m->nframe : -1;
    assert_status(mbd_clearance(m, d, 1, &shape, 1, &ball, &c), MBD_ERROR_BAD_ARGUMENT);
  }
  shape.frame = 0;
  ball.radius = -1e-9;
  assert_status(mbd_clearance(m, d, 1, &shape, 1, &ball, &c), MBD_ERROR_BAD_ARGUMENT);
  ball.radius = 0.1, shape.capsule.radius = -1;
  assert_status(mbd_clearance(m, d, 1, &shape, 1, &ball, &c), MBD_ERROR_BAD_ARGUMENT);
  shape.capsule.radius = 0;
  for (int k = 0; k < 4; k++) {
    mbd_capsule_t wrong = ball;
    *(k == 0 ? &wrong.a.x : k == 1 ? &wrong.b.z : &wrong.radius) = k == 3 ? HUGE_VAL : (double)NAN;
    const mbd_status_t status = mbd_clearance(m, d, 1, &shape, 1, &wrong, &c);
    assert_true(status == MBD_ERROR_NOT_FINITE || (k == 2 && status == MBD_ERROR_BAD_ARGUMENT));
    mbd_shape_t bad = shape;
    bad.capsule = wrong;
    assert_true(mbd_clearance(m, d, 1, &bad, 1, &ball, &c) != MBD_OK);
  }
  // nothing was written, and nothing to compare is far away
  assert_true(c.distance == 7 && c.shape == 7 && c.obstacle == 7);
  assert_ok(mbd_clearance(m, d, 0, NULL, 1, &ball, &c));
  assert_true(c.distance == HUGE_VAL && c.shape == -1 && c.obstacle == -1);
  assert_ok(mbd_clearance(m, d, 1, &shape, 0, NULL, &c));
  assert_true(c.distance == HUGE_VAL && c.shape == -1);
  mbd_data_destroy(d);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_of_capsules),
    cmocka_unit_test(nearest_pair_of_robots),
    cmocka_unit_test(bad_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
