// Self-motion: curves against an integration of the null vector, steps on random robots and mechanisms,
// arcs and obstacles against a search along the curve; errors.
#include "mbdyn/self_motion.h"

#include "random_mechanism.h"

static const double PI = 3.14159265358979323846;

enum { POINTS = 20000, ARCS = 32 };

typedef struct motion {
  void * memory;
  mbd_self_motion_t * motion;
  mbd_self_motion_state_t state;
  mbd_self_motion_curve_t curve;
  mbd_self_motion_arc_t arc[ARCS];
  int winding[MOST_JOINTS];
} motion_t;

static mbd_status_t
motion_begin(
  motion_t * s, const mbd_model_t * model, int n, const mbd_measure_t * measure,
  const mbd_self_motion_options_t * options)
{
  *s = (motion_t){0};
  const size_t size = mbd_self_motion_size(model, n);
  s->memory = malloc(size);
  s->curve.most = POINTS, s->curve.most_arcs = ARCS;
  s->curve.s = malloc(POINTS * sizeof(double));
  s->curve.q = malloc((size_t)(POINTS * model->nq) * sizeof(double));
  s->curve.arc = s->arc, s->curve.winding = s->winding;
  return mbd_self_motion_init(model, n, measure, options, s->memory, size, &s->motion);
}

static void
motion_end(motion_t * s)
{
  free(s->memory), free(s->curve.s), free(s->curve.q);
}

//---------- a planar arm of three links ----------

static const double LINK[3] = {1, 0.7, 0.5};

static mbd_model_t *
planar_arm(double limit)
{
  static const char * const names[3] = {"one", "two", "three"};
  mbd_model_t * m;
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("planar", &m));
  link.type = limit > 0 ? MBD_JOINT_REVOLUTE : MBD_JOINT_CONTINUOUS;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  if (limit > 0) link.limits.lower = -limit, link.limits.upper = limit;
  for (int k = 0; k < 3; k++) {
    link.name = link.joint_name = names[k];
    assert_ok(mbd_model_add_body(m, &link, &link.parent));
    link.placement.p.x = LINK[k];
  }
  assert_ok(mbd_model_add_frame(m, "tip", link.parent, &link.placement, &frame));
  assert_ok(mbd_model_finalize(m));
  return m;
}

// x and y of the tip
static void
tip_measures(const mbd_model_t * m, mbd_measure_t * measure)
{
  for (int k = 0; k < 2; k++) {
    measure[k] = mbd_measure_default();
    measure[k].type = k ? MBD_MEASURE_Y : MBD_MEASURE_X;
    assert_ok(mbd_find_frame(m, "tip", &measure[k].frame_b));
  }
}

static void
tip_of(const double * q, double * p)
{
  double angle = 0;
  p[0] = p[1] = 0;
  for (int k = 0; k < 3; k++) {
    angle += q[k];
    p[0] += LINK[k] * cos(angle), p[1] += LINK[k] * sin(angle);
  }
}

// unit vector normal to both gradients of the tip's position, by hand
static void
null_vector(const double * q, double * t)
{
  double g[2][3], angle[3] = {q[0], q[0] + q[1], q[0] + q[1] + q[2]};
  for (int k = 0; k < 3; k++) {
    g[0][k] = g[1][k] = 0;
    for (int i = k; i < 3; i++)
      g[0][k] -= LINK[i] * sin(angle[i]), g[1][k] += LINK[i] * cos(angle[i]);
  }
  t[0] = g[0][1] * g[1][2] - g[0][2] * g[1][1];
  t[1] = g[0][2] * g[1][0] - g[0][0] * g[1][2];
  t[2] = g[0][0] * g[1][1] - g[0][1] * g[1][0];
  const double size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  for (int k = 0; k < 3; k++) t[k] /= size;
}

static void
integrate(double * q, double h)
{
  double k1[3], k2[3], k3[3], k4[3], x[3];
  null_vector(q, k1);
  for (int i = 0; i < 3; i++) x[i] = q[i] + 0.5 * h * k1[i];
  null_vector(x, k2);
  for (int i = 0; i < 3; i++) x[i] = q[i] + 0.5 * h * k2[i];
  null_vector(x, k3);
  for (int i = 0; i < 3; i++) x[i] = q[i] + h * k3[i];
  null_vector(x, k4);
  for (int i = 0; i < 3; i++) q[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

// length until the links are where they began, and the turns of each joint
static double
loop_length(const double * start, int * winding)
{
  const double h = 1e-3;
  double q[3], before = 0, t[3];
  memcpy(q, start, sizeof q);
  null_vector(start, t);
  for (int i = 1; i < 100000; i++) {
    integrate(q, h);
    // along the tangent at the start, modulo turns
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
      const double d = mbdu_angle_between(start[k], q[k]);
      along += d * t[k], square += d * d;
    }
    if (i > 100 && square < 1e-4 && before < 0 && along >= 0) {
      for (int k = 0; k < 3; k++) winding[k] = (int)lround((q[k] - start[k]) / (2 * PI));
      return i * h - along;
    }
    before = along;
  }
  fail_msg("no loop");
  return 0;
}

static void
loops_of_a_planar_arm(void ** state)
{
  (void)state;
  mbd_model_t * m = planar_arm(0);
  mbd_data_t * d;
  mbd_measure_t measure[2];
  assert_ok(mbd_data_create(m, &d));
  tip_measures(m, measure);
  int turning = 0, compared = 0;
  FOR_SEEDS(20)
  {
    uint64_t r = seed;
    double q[3], p[2], tip[2];
    int winding[3];
    for (int k = 0; k < 3; k++) q[k] = 3 * random_signed(&r);
    tip_of(q, p);
    // away from the distances at which two branches meet: all links in a line
    const double far = hypot(p[0], p[1]);
    bool near = far > 2.1 || far < 0.1;
    for (int k = 0; k < 4; k++)
      near |= fabs(far - fabs(1 + (k & 1 ? 0.7 : -0.7) + (k & 2 ? 0.5 : -0.5))) < 0.05;
    if (near) continue;
    const double length = loop_length(q, winding);
    motion_t s;
    assert_ok(motion_begin(&s, m, 2, measure, NULL));
    assert_ok(mbd_self_motion_start(s.motion, d, NULL, q, &s.state));
    assert_int_equal(s.state.freedom, 1);
    assert_ok(mbd_self_motion_trace(s.motion, d, &s.curve));
    assert_true(s.curve.closed);
    assert_close(&s.curve.length, &length, 1, 1e-5, "length, seed %d", (int)seed);
    // the direction is a choice
    int same = 0, opposite = 0;
    for (int k = 0; k < 3; k++)
      same += s.winding[k] == winding[k], opposite += s.winding[k] == -winding[k];
    assert_true(same == 3 || opposite == 3);
    turning += winding[0] != 0 || winding[1] != 0 || winding[2] != 0;
    for (int i = 0; i < s.curve.n; i++) {
      tip_of(s.curve.q + 3 * i, tip);
      assert_close_(tip, p, 2, 1e-9, 1, __FILE__, __LINE__, "tip, seed %d", (int)seed);
    }
    // a walk along it by hand
    double x[3], by_hand[3], t[3];
    memcpy(x, q, sizeof x), memcpy(by_hand, q, sizeof by_hand);
    assert_ok(mbd_self_motion_step(s.motion, d, 0.3, x, &s.state));
    assert_close(&s.state.s, &(double){0.3}, 1, 1e-9, "s, seed %d", (int)seed);
    null_vector(q, t);
    const double sign = (x[0] - q[0]) * t[0] + (x[1] - q[1]) * t[1] + (x[2] - q[2]) * t[2];
    for (int i = 0; i < 300; i++) integrate(by_hand, sign > 0 ? 1e-3 : -1e-3);
    assert_close_(x, by_hand, 3, 2e-5, 1, __FILE__, __LINE__, "walk, seed %d", (int)seed);
    assert_ok(mbd_self_motion_step(s.motion, d, -0.3, x, &s.state));
    assert_close_(x, q, 3, 1e-4, 1, __FILE__, __LINE__, "and back, seed %d", (int)seed);
    motion_end(&s);
    compared++;
  }
  assert_count(compared, 8);
  assert_count(turning, 2);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

// arcs and the nearest free configuration, by looking at points of the traced curve one after the other
static void
arcs_and_obstacles_of_a_planar_arm(void ** state)
{
  (void)state;
  const double limit = 2;
  mbd_model_t *m = planar_arm(limit), *open = planar_arm(0);
  mbd_data_t *d, *od;
  mbd_measure_t measure[2];
  assert_ok(mbd_data_create(m, &d));
  assert_ok(mbd_data_create(open, &od));
  tip_measures(m, measure);
  mbd_shape_t shape[3];
  for (int k = 0; k < 3; k++) {
    shape[k] = mbd_shape_default();
    shape[k].frame = k;
    shape[k].capsule.b.x = LINK[k], shape[k].capsule.radius = 0.02;
  }
  int arcs = 0, avoided = 0, none = 0;
  FOR_SEEDS(60)
  {
    uint64_t r = seed;
    double q[3], to[3];
    for (int k = 0; k < 3; k++) q[k] = 1.8 * random_signed(&r);
    const mbd_vec3_t c = random_vec3(&r, 1.5);
    const mbd_capsule_t ball = {{c.x, c.y, 0}, {c.x, c.y, 0}, 0.15};
    mbd_self_motion_options_t options = mbd_self_motion_options_default();
    options.nshape = 3, options.shape = shape, options.nobstacle = 1, options.obstacle = &ball;
    motion_t s, fine;
    // the same curve without limits and obstacles, by small steps
    mbd_self_motion_options_t small = mbd_self_motion_options_default();
    small.step = 2e-3;
    assert_ok(motion_begin(&fine, open, 2, measure, &small));
    assert_ok(motion_begin(&s, m, 2, measure, &options));
    if (mbd_self_motion_start(fine.motion, od, NULL, q, NULL) != MBD_OK) continue;
    assert_ok(mbd_self_motion_trace(fine.motion, od, &fine.curve));
    assert_ok(mbd_self_motion_start(s.motion, d, NULL, q, &s.state));
    assert_ok(mbd_self_motion_trace(s.motion, d, &s.curve));
    if (!fine.curve.closed) {
      motion_end(&s), motion_end(&fine);
      continue;
    }
    assert_close(&s.curve.length, &fine.curve.length, 1, 1e-4, "length, seed %d", (int)seed);
    double good = 0, in_arcs = 0, nearest = HUGE_VAL;
    for (int i = 1; i < fine.curve.n; i++) {
      const double * p = fine.curve.q + 3 * i;
      mbd_clearance_t clearance;
      bool inside = true;
      for (int k = 0; k < 3; k++) inside &= fabs(remainder(p[k], 2 * PI)) <= limit;
      assert_ok(mbd_set_position(m, d, p));
      assert_ok(mbd_clearance(m, d, 3, shape, 1, &ball, &clearance));
      if (inside && clearance.distance > 0) {
        good += fine.curve.s[i] - fine.curve.s[i - 1];
        const double way = fmin(fine.curve.s[i], fine.curve.length - fine.curve.s[i]);
        nearest = fmin(nearest, way);
      }
    }
    for (int k = 0; k < s.curve.narc; k++) in_arcs += s.arc[k].end - s.arc[k].begin;
    // an arc shorter than a step may be missed
    assert_close_(&in_arcs, &good, 1, 0.12, 1, __FILE__, __LINE__, "arcs, seed %d", (int)seed);
    arcs += s.curve.narc;
    // from the start to the nearest free place: none if a joint passes half a turn on the way
    const mbd_status_t status = mbd_self_motion_avoid(s.motion, d, 0, 3, to, &s.state);
    if (status == MBD_OK) {
      double p[2], p0[2];
      tip_of(q, p0), tip_of(to, p);
      assert_close_(p, p0, 2, 1e-9, 1, __FILE__, __LINE__, "tip, seed %d", (int)seed);
      for (int k = 0; k < 3; k++) assert_true(fabs(to[k]) <= limit + 1e-9);
      assert_true(s.state.clearance.distance > -1e-9);
      assert_true(fabs(s.state.s) >= nearest - 0.01);
      avoided += fabs(s.state.s) > 0.01;
    } else {
      assert_status(status, MBD_ERROR_NO_SOLUTION);
      none++;
    }
    motion_end(&s), motion_end(&fine);
  }
  assert_count(arcs, 15);
  assert_count(avoided, 5);
  mbd_data_destroy(d), mbd_data_destroy(od);
  mbd_model_destroy(m), mbd_model_destroy(open);
}

//---------- random mechanisms ----------

static void
steps_keep_the_measures(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t trees = mechanism_trees(6);
  FOR_TREES(TREES, &trees)
  {
    const int nv = t->model->nv, nrod = nv > 2 ? (int)(seed % 3) : 0, n = nv - 1 - nrod;
    mechanism_t m = random_mechanism(t, seed, nrod);
    mbd_measure_t measure[MOST_MEASURES];
    if (n < 1 || n > MOST_MEASURES) {
      mechanism_free(&m);
      continue;
    }
    random_measures(&m, seed, n, measure);
    mat_t q = column(nv, t->q), x = mat(nv, 1), tangent = mat(nv, 1);
    const mat_t y = values_at(&m, n, measure, q.a);
    const mat_t A = stack(slopes(&m, nrod, NULL, q.a), slopes(&m, n, measure, q.a));
    motion_t s;
    mbd_self_motion_options_t options = mbd_self_motion_options_default();
    options.ignore_limits = true;
    assert_ok(motion_begin(&s, m.model, n, measure, &options));
    int still = 0;
    for (int j = 0; j < nv; j++) still += largest_entry(block(A, 0, j, A.r, 1)) < 1e-9;
    if (still == 1 && rank_of(A, 1e-6) == A.r) {
      // what no row feels does not count
      assert_status(
        mbd_self_motion_start(s.motion, m.data, NULL, q.a, &s.state), MBD_ERROR_BAD_ARGUMENT);
      assert_int_equal(s.state.freedom, 0);
    }
    if (tally(&cases, still == 0 && weakest(unit_rows(A)) > 0.03)) {
      assert_ok(mbd_self_motion_start(s.motion, m.data, NULL, q.a, &s.state));
      assert_int_equal(s.state.freedom, 1);
      // manipulability: |J J^T|^(1/2)
      const double volume = sqrt(determinant(PROD(A, tr(A))));
      assert_close(&s.state.manipulability, &volume, 1, 1e-5, "volume, seed %d", (int)seed);
      // the tangent, by a small step
      assert_ok(mbd_self_motion_step(s.motion, m.data, 1e-4, x.a, &s.state));
      tangent = scale(1e4, sub(x, q));
      const double size = scalar(PROD(tr(tangent), tangent));
      assert_close(&size, &(double){1}, 1, 1e-4, "tangent, seed %d", (int)seed);
      assert_true(largest_entry(PROD(A, tangent)) < 2e-3 * (1 + largest_entry(A)));
      for (int k = 0; k < 20 && s.state.end == MBD_SELF_MOTION_REGULAR; k++) {
        assert_ok(mbd_self_motion_step(s.motion, m.data, 0.1, x.a, &s.state));
        mat_t now = values_at(&m, n, measure, x.a);
        for (int i = 0; i < n; i++) {
          if (measure[i].type == MBD_MEASURE_ANGLE)
            now.a[i] = y.a[i] + mbdu_angle_between(y.a[i], now.a[i]);
        }
        assert_mat_floor(now, y, 1e-9, 1, "measures, seed %d", (int)seed);
        assert_true(nrod == 0 || largest_entry(rods_at(&m, x.a)) < 1e-9);
      }
    }
    motion_end(&s);
    mechanism_free(&m);
  }
  assert_enough(&cases, 0.2);
}

static void
bad_arguments(void ** state)
{
  (void)state;
  mbd_model_t * m = planar_arm(0.8);
  tree_t * other = random_tree(5, NULL);
  mbd_data_t * d;
  mbd_measure_t measure[3];
  assert_ok(mbd_data_create(m, &d));
  tip_measures(m, measure);
  measure[2] = measure[0], measure[2].type = MBD_MEASURE_ANGLE;
  double q[3] = {0.4, 0.5, 0.6}, x[3] = {7, 7, 7};
  motion_t s;
  mbd_self_motion_options_t o = mbd_self_motion_options_default();
  const size_t size = mbd_self_motion_size(m, 2);
  void * memory = malloc(size);
  mbd_self_motion_t * motion = NULL;
  assert_int_equal(mbd_self_motion_size(NULL, 2), 0);
  assert_int_equal(mbd_self_motion_size(m, -1), 0);
  assert_status(
    mbd_self_motion_init(m, 2, measure, &o, memory, size - 1, &motion), MBD_ERROR_TOO_SMALL);
  assert_status(
    mbd_self_motion_init(m, 2, NULL, &o, memory, size, &motion), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_self_motion_init(m, -1, measure, &o, memory, size, &motion), MBD_ERROR_BAD_ARGUMENT);
  const double bad[][3] = {{0, 1e-10, 100}, {(double)NAN, 1e-10, 100}, {0.05, 0, 100},
                           {0.05, -1, 100}, {0.05, 1e-10, 0},          {0.05, 1e-10, (double)NAN}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    o = mbd_self_motion_options_default();
    o.step = bad[k][0], o.tolerance = bad[k][1], o.length = bad[k][2];
    assert_status(
      mbd_self_motion_init(m, 2, measure, &o, memory, size, &motion), MBD_ERROR_BAD_ARGUMENT);
  }
  assert_null(motion);
  free(memory);
  // three rows leave nothing, one leaves a surface
  for (int n = 1; n <= 3; n += 2) {
    assert_ok(motion_begin(&s, m, n, measure, NULL));
    assert_status(mbd_self_motion_start(s.motion, d, NULL, q, &s.state), MBD_ERROR_BAD_ARGUMENT);
    assert_int_equal(s.state.freedom, 3 - n);
    motion_end(&s);
  }
  assert_ok(motion_begin(&s, m, 2, measure, NULL));
  // before the start
  assert_status(mbd_self_motion_step(s.motion, d, 0.1, x, &s.state), MBD_ERROR_STAGE);
  assert_status(mbd_self_motion_avoid(s.motion, d, 0, 1, x, &s.state), MBD_ERROR_STAGE);
  assert_status(mbd_self_motion_trace(s.motion, d, &s.curve), MBD_ERROR_STAGE);
  // all links in a line: two branches
  double line[3] = {0.3, PI, 0};
  assert_status(mbd_self_motion_start(s.motion, d, NULL, line, &s.state), MBD_ERROR_SINGULAR);
  double wrong[3] = {0.4, (double)NAN, 0};
  assert_status(mbd_self_motion_start(s.motion, d, NULL, wrong, &s.state), MBD_ERROR_NOT_FINITE);
  const double far[2] = {9, 9};
  double from[3] = {0.4, 0.5, 0.6};
  assert_status(mbd_self_motion_start(s.motion, d, far, from, &s.state), MBD_ERROR_NOT_CONVERGED);
  assert_memory_equal(from, q, sizeof q);
  assert_status(
    mbd_self_motion_start(s.motion, other->data, NULL, q, &s.state), MBD_ERROR_MODEL_MISMATCH);
  assert_ok(mbd_self_motion_start(s.motion, d, NULL, q, &s.state));
  assert_status(mbd_self_motion_step(s.motion, d, (double)NAN, x, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_self_motion_step(s.motion, d, 1e6, x, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_self_motion_step(s.motion, NULL, 0.1, x, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_self_motion_step(s.motion, other->data, 0.1, x, NULL), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_self_motion_avoid(s.motion, d, 0, 1e6, x, NULL), MBD_ERROR_BAD_ARGUMENT);
  s.curve.most = 1;
  assert_status(mbd_self_motion_trace(s.motion, d, &s.curve), MBD_ERROR_BAD_ARGUMENT);
  assert_true(x[0] == 7 && x[1] == 7 && x[2] == 7);
  // little space: as far as it goes
  s.curve.most = 10;
  assert_ok(mbd_self_motion_trace(s.motion, d, &s.curve));
  assert_int_equal(s.curve.n, 10);
  assert_false(s.curve.closed);
  assert_int_equal(s.curve.end, MBD_SELF_MOTION_LENGTH);
  // on, to a limit, and no further
  for (int k = 0; k < 100 && s.state.end == MBD_SELF_MOTION_REGULAR; k++)
    assert_ok(mbd_self_motion_step(s.motion, d, 0.2, x, &s.state));
  assert_int_equal(s.state.end, MBD_SELF_MOTION_LIMIT);
  assert_true(fabs(fabs(x[s.state.limit]) - 0.8) < 1e-6 && s.state.margin < 1e-6);
  const double at = s.state.s;
  assert_ok(mbd_self_motion_step(s.motion, d, 0.2, x, &s.state));
  assert_true(fabs(s.state.s - at) < 1e-6);
  motion_end(&s);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
  tree_free(other);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loops_of_a_planar_arm),
    cmocka_unit_test(arcs_and_obstacles_of_a_planar_arm),
    cmocka_unit_test(steps_keep_the_measures),
    cmocka_unit_test(bad_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
