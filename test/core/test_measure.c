// Measures against their definitions: values from poses, gradients and biases from differences of values.
#include "mbdyn/measure.h"

#include "core_test.h"

static const double OFFSET[4] = {1, -1, 2, -2},
                    WEIGHT[4] = {2.0 / 3, -2.0 / 3, -1.0 / 12, 1.0 / 12};

// a measure of a seeded robot: frames at random, or the world
static bool
random_measure(const tree_t * t, mbd_measure_type_t type, uint64_t seed, mbd_measure_t * m)
{
  uint64_t r = seed + 1000 * (uint64_t)type;
  *m = mbd_measure_default();
  m->type = type;
  if (type == MBD_MEASURE_JOINT) {
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * b = &t->model->body[k];
      if (mbd_measure_joint(t->model, b->joint_name, m) != MBD_OK) continue;
      m->coordinate = b->nv - 1;
      if (random_below(&r, 3) == 0) break;
    }
    return m->body >= 0;
  }
  m->frame_a = random_below(&r, t->model->nframe + 1) - 1;
  m->frame_b = random_below(&r, t->model->nframe);
  m->X_a = random_placement(&r), m->X_b = random_placement(&r);
  return m->frame_a != m->frame_b;
}

static double
value_at(const tree_t * t, mbd_data_t * data, const mbd_measure_t * m, const double * q)
{
  double y;
  assert_ok(mbd_set_position(t->model, data, q));
  assert_ok(mbd_measure(t->model, data, m, &y, NULL, NULL));
  return y;
}

// differences of a rotation vector jump at half a turn
static bool
is_smooth(const tree_t * t, mbd_measure_t m)
{
  double r[3];
  if (m.type < MBD_MEASURE_ROTATION_X) return true;
  for (int k = 0; k < 3; k++) {
    m.type = (mbd_measure_type_t)(MBD_MEASURE_ROTATION_X + k);
    assert_ok(mbd_measure(t->model, t->data, &m, &r[k], NULL, NULL));
  }
  return r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < 3.0 * 3.0;
}

// what the type says, by other functions
static double
by_definition(const tree_t * t, const mbd_measure_t * m)
{
  mbd_placement_t A = mbdu_placement_identity(), B = A;
  if (m->type == MBD_MEASURE_JOINT) return t->q[t->model->body[m->body].q_index + m->coordinate];
  if (m->frame_a >= 0) assert_ok(mbd_frame_placement(t->model, t->data, m->frame_a, &A));
  assert_ok(mbd_frame_placement(t->model, t->data, m->frame_b, &B));
  A = mbdu_placement_mul(&A, &m->X_a), B = mbdu_placement_mul(&B, &m->X_b);
  const mbd_vec3_t d = mbdu_mat3_tvec(&A.R, mbdu_vec3_sub(B.p, A.p));
  const mbd_mat3_t R = mbdu_mat3_tmul(&A.R, &B.R);
  const double p[3] = {d.x, d.y, d.z};
  if (m->type == MBD_MEASURE_DISTANCE) return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  if (m->type <= MBD_MEASURE_Z) return p[m->type - MBD_MEASURE_X];
  if (m->type == MBD_MEASURE_ANGLE) return mbdu_angle_about_z(&R);
  // axis from the skew part, angle from the trace
  const double angle = acos(fmax(-1, fmin(1, 0.5 * (R.m[0] + R.m[4] + R.m[8] - 1))));
  const double s = angle / (2 * sin(angle));
  const double axis[3] = {R.m[7] - R.m[5], R.m[2] - R.m[6], R.m[3] - R.m[1]};
  return s * axis[m->type - MBD_MEASURE_ROTATION_X];
}

static void
measures_are_their_definitions(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    mat_t g = mat(nv, 1), slope = mat(nv, 1), unit = mat(nv, 1), q = mat(t->model->nq, 1);
    mbd_data_t * other;
    assert_ok(mbd_data_create(t->model, &other));
    for (int type = 0; type < MBD_MEASURE_USER; type++) {
      mbd_measure_t m;
      double y, bias, rate[4] = {0}, expected = 0;
      set_state(t);
      const bool use = random_measure(t, (mbd_measure_type_t)type, seed, &m) && is_smooth(t, m);
      if (!tally(&cases, use)) continue;
      assert_ok(mbd_measure(t->model, t->data, &m, &y, g.a, &bias));
      const double defined = by_definition(t, &m);
      assert_close(&y, &defined, 1, 1e-7, "%s, seed %d", mbd_measure_type_name(m.type), (int)seed);
      // d y / d v
      const double h = 1e-3, dt = 1e-4;
      for (int j = 0; j < nv; j++) {
        slope.a[j] = 0;
        for (int k = 0; k < 4; k++) {
          for (int i = 0; i < nv; i++) unit.a[i] = i == j;
          assert_ok(mbd_integrate(t->model, t->q, unit.a, OFFSET[k] * h, q.a));
          const double change = value_at(t, other, &m, q.a) - y;
          slope.a[j] +=
            WEIGHT[k] / h * (type >= MBD_MEASURE_ANGLE ? mbdu_angle_between(0, change) : change);
        }
      }
      assert_mat_floor(g, slope, 1e-7, 1, "%s, seed %d", mbd_measure_type_name(m.type), (int)seed);
      // d (g v) / dt with constant v
      for (int k = 0; k < 4; k++) {
        assert_ok(mbd_integrate(t->model, t->q, t->v, OFFSET[k] * dt, q.a));
        assert_ok(mbd_set_position(t->model, other, q.a));
        assert_ok(mbd_measure(t->model, other, &m, NULL, unit.a, NULL));
        for (int i = 0; i < nv; i++) rate[k] += unit.a[i] * t->v[i];
        expected += WEIGHT[k] / dt * rate[k];
      }
      assert_close_(
        &bias, &expected, 1, 1e-6, 1 + fabs(rate[0]), __FILE__, __LINE__, "bias of %s, seed %d",
        mbd_measure_type_name(m.type), (int)seed);
    }
    mbd_data_destroy(other);
  }
  assert_enough(&cases, 0.7);
}

static mbd_status_t
sum_of_q(
  void * ctx, const mbd_model_t * model, mbd_data_t * data, double * value, double * gradient,
  double * bias)
{
  (void)data;
  *value = *(const double *)ctx;
  for (int k = 0; gradient && k < model->nv; k++) gradient[k] = *value;
  if (bias) *bias = 1;
  return MBD_OK;
}

// two links of 1 m in a plane
static mbd_model_t *
two_links(void)
{
  mbd_model_t * m;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int parent;
  assert_ok(mbd_model_create("two", &m));
  spec.name = "a", spec.joint_name = "ja", spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_add_body(m, &spec, &parent));
  spec.name = "b", spec.joint_name = "jb", spec.type = MBD_JOINT_SPHERICAL, spec.parent = parent;
  spec.placement.p = mbdu_vec3(1, 0, 0);
  assert_ok(mbd_model_add_body(m, &spec, &parent));
  assert_ok(mbd_model_finalize(m));
  return m;
}

static void
refusals(void ** state)
{
  (void)state;
  mbd_model_t * m = two_links();
  mbd_data_t * d;
  mbd_measure_t joint, bad;
  double y = 0, g[4], b = 2, half[5] = {0.3, 1, 0, 0, 0};
  assert_ok(mbd_data_create(m, &d));
  assert_status(mbd_measure_joint(m, "jc", &joint), MBD_ERROR_NOT_FOUND);
  assert_status(mbd_measure_joint(m, "jb", &joint), MBD_ERROR_BAD_JOINT);
  assert_status(mbd_measure_joint(m, NULL, &joint), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_measure_joint(m, "ja", &joint));
  assert_string_equal(joint.name, "ja");
  assert_status(mbd_measure(m, d, &joint, &y, g, NULL), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, half));
  assert_ok(mbd_measure(m, d, &joint, &y, g, NULL));
  assert_true(y == 0.3 && g[0] == 1 && g[1] == 0);
  assert_status(mbd_measure(m, d, &joint, &y, g, &b), MBD_ERROR_STAGE);
  assert_status(mbd_measure(m, d, NULL, &y, g, NULL), MBD_ERROR_NULL_ARGUMENT);
  bad = joint, bad.coordinate = 1;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad = joint, bad.body = 1;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_JOINT);
  bad = joint, bad.body = 2;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad = mbd_measure_default(), bad.type = (mbd_measure_type_t)MBD_MEASURE_TYPES;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_string_equal(mbd_measure_type_name(bad.type), "unknown");
  bad.type = MBD_MEASURE_USER;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_NULL_ARGUMENT);
  bad.type = MBD_MEASURE_X, bad.frame_b = 7;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad.frame_b = -2;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad.frame_b = 1, bad.X_b.p.x = NAN;
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_NOT_FINITE);
  // distance zero, half a turn, x along z: a value without a gradient
  bad = mbd_measure_default(), bad.type = MBD_MEASURE_DISTANCE, bad.frame_b = 0;
  assert_ok(mbd_measure(m, d, &bad, &y, NULL, NULL));
  assert_true(y == 0);
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_SINGULAR);
  bad.type = MBD_MEASURE_ROTATION_X, bad.frame_a = 0, bad.frame_b = 1;
  assert_ok(mbd_measure(m, d, &bad, &y, NULL, NULL));
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_SINGULAR);
  bad.type = MBD_MEASURE_ANGLE, bad.X_b.R = (mbd_mat3_t){{0, 0, 1, 0, 1, 0, -1, 0, 0}};
  assert_ok(mbd_measure(m, d, &bad, &y, NULL, NULL));
  assert_status(mbd_measure(m, d, &bad, &y, g, NULL), MBD_ERROR_SINGULAR);
  // a function of the caller
  double number = 5;
  bad = mbd_measure_default(), bad.type = MBD_MEASURE_USER, bad.at = sum_of_q, bad.ctx = &number;
  assert_ok(mbd_measure(m, d, &bad, &y, g, NULL));
  assert_true(y == 5 && g[3] == 5);
  number = INFINITY;
  assert_status(mbd_measure(m, d, &bad, &y, NULL, NULL), MBD_ERROR_NOT_FINITE);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(measures_are_their_definitions), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
