// Redundant manipulators of Haug, sections 9.15 and 9.16: self-motion, obstacles.
#include <stdlib.h>

#include "mbdyn/operators/dh.h"
#include "mbdyn/self_motion.h"
#include "mechanism_file.h"

#define PI 3.14159265358979323846

enum { POINTS = 4000, ARCS = 16, DOFS = 8 };

// a self-motion and all memory it needs
typedef struct motion {
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_measure_t measure[6];
  mbd_self_motion_t * motion;
  mbd_self_motion_state_t state;
  mbd_self_motion_curve_t curve;
  mbd_self_motion_arc_t arc[ARCS];
  int winding[DOFS];
} motion_t;

static void
motion_init(
  motion_t * m, mbd_model_t * model, int nmeasure, const mbd_self_motion_options_t * options)
{
  const size_t size = mbd_self_motion_size(model, nmeasure);
  void * memory = malloc(size);
  m->model = model;
  assert_ok(mbd_data_create(model, &m->data));
  assert_ok(mbd_self_motion_init(model, nmeasure, m->measure, options, memory, size, &m->motion));
  m->curve.most = POINTS, m->curve.most_arcs = ARCS;
  m->curve.s = malloc(POINTS * sizeof(double));
  m->curve.q = malloc((size_t)(POINTS * model->nq) * sizeof(double));
  m->curve.arc = m->arc, m->curve.winding = m->winding;
}

static void
motion_free(motion_t * m)
{
  free(m->motion);
  free(m->curve.s);
  free(m->curve.q);
  mbd_data_destroy(m->data);
}

static int
frame_of(const mbd_model_t * model, const char * name)
{
  int frame;
  assert_ok(mbd_find_frame(model, name, &frame));
  return frame;
}

//---------- 9.15.7: an arm of seven revolute joints ----------

// offset of the angle, d, a, twist: standard convention
static const double ARM[7][4] = {
  {0.0779, 0.34720, 0.28996, -2.1364}, {-0.1052, -0.31939, -0.252, -3.5813},
  {-0.1437, 0.3600, -0.4538, -1.1741}, {-0.2941, -0.3534, 0.3260, 0.6745},
  {0.2321, -0.25974, 0.4102, -0.7619}, {-0.1586, 0.21070, 0.19289, 2.6738},
  {0.3050, -0.24998, 0.23925, 0.9863}};
static const double START[7] = {-0.0007, 0.1533, -0.0770, 0.0371, -0.0226, 0.1117, -0.1089};

static mbd_model_t *
arm_model(double limit)
{
  mbd_dh_row_t row[7];
  for (int i = 0; i < 7; i++) {
    row[i] = mbd_dh_row_default();
    row[i].type = limit > 0 ? MBD_JOINT_REVOLUTE : MBD_JOINT_CONTINUOUS;
    row[i].theta = ARM[i][0], row[i].d = ARM[i][1], row[i].a = ARM[i][2], row[i].alpha = ARM[i][3];
    row[i].inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
    if (limit > 0) row[i].limits.lower = -limit, row[i].limits.upper = limit;
  }
  const mbd_dh_t table = {
    .name = "arm",
    .n = 7,
    .row = row,
    .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(),
    .tool_name = "tool"};
  mbd_model_t * model;
  assert_ok(mbd_dh_to_model(&table, &model, NULL));
  return model;
}

// pose of the tool by the table, row by row
static mbd_placement_t
arm_pose(const double * q)
{
  mbd_placement_t X = mbdu_placement_identity();
  for (int i = 0; i < 7; i++) {
    const double c = cos(q[i] + ARM[i][0]), s = sin(q[i] + ARM[i][0]);
    const double ca = cos(ARM[i][3]), sa = sin(ARM[i][3]), a = ARM[i][2];
    const mbd_placement_t T = {
      {{c, -s * ca, s * sa, s, c * ca, -c * sa, 0, sa, ca}}, {a * c, a * s, ARM[i][1]}};
    X = mbdu_placement_mul(&X, &T);
  }
  return X;
}

static double
pose_difference(const mbd_placement_t * A, const mbd_placement_t * B)
{
  double most = mbdu_vec3_norm(mbdu_vec3_sub(A->p, B->p));
  for (int i = 0; i < 9; i++) most = larger(most, fabs(A->R.m[i] - B->R.m[i]));
  return most;
}

static void
arm_init(motion_t * m, double limit, const mbd_self_motion_options_t * options, double * q)
{
  mbd_model_t * model = arm_model(limit);
  mbdu_pose_measures(frame_of(model, "tool"), arm_pose(START), m->measure);
  motion_init(m, model, 6, options);
  memcpy(q, START, sizeof START);
  assert_ok(mbd_self_motion_start(m->motion, m->data, NULL, q, &m->state));
}

static void
generic_arm_self_motion_is_closed(void ** state)
{
  (void)state;
  motion_t m = {0};
  double q[7];
  arm_init(&m, 0, NULL, q);
  const mbd_placement_t pose = arm_pose(START);
  // z4, z5, z6 are Euler angles x, y, z
  const double * R = pose.R.m;
  const double z[6] = {pose.p.x,           pose.p.y,   pose.p.z,
                       atan2(-R[5], R[8]), asin(R[2]), atan2(-R[1], R[0])};
  const double book[6] = {0.7507, -0.4658, 0.6662, 2.8893, 0.1559, 0.2839};
  for (int k = 0; k < 6; k++) near(z[k], book[k], 3e-4, "pose of y*");
  assert_ok(mbd_self_motion_trace(m.motion, m.data, &m.curve));
  assert_true(m.curve.closed);
  near(m.curve.length, 43.72326, 1e-4, "length");
  near(m.curve.least_manipulability, 0.0249, 1e-4, "least manipulability");
  near(m.curve.most_manipulability, 0.1283, 1e-4, "most manipulability");
  int winding = 0;
  for (int k = 0; k < 7; k++) {
    assert_int_equal(abs(m.winding[k]), k == 1 || k == 2);
    winding += abs(m.winding[k]);
  }
  assert_int_equal(winding, 2);
  // the pose, by the table; no gaps
  double sum = 0;
  for (int i = 0; i < m.curve.n; i++) {
    const double * p = m.curve.q + 7 * (size_t)i;
    const mbd_placement_t X = arm_pose(p);
    assert_true(pose_difference(&X, &pose) < 1e-9);
    double square = 0;
    for (int k = 0; k < 7 && i > 0; k++) square += (p[k] - p[k - 7]) * (p[k] - p[k - 7]);
    assert_true(sqrt(square) < 0.0501);
    sum += sqrt(square);
  }
  near(sum, m.curve.length, 0.01, "sum of chords");
  assert_true(m.curve.n > 800);
  // without limits, all of it
  assert_int_equal(m.curve.narc, 1);
  near(m.arc[0].end - m.arc[0].begin, m.curve.length, 1e-12, "arc");
  mbd_model_destroy(m.model);
  motion_free(&m);
}

//---------- 9.15.6: two bars, height of the tip ----------

static const char BARS[] =
  "name: bars\n"
  "bodies:\n"
  "  - {name: one, mass: 1, inertia: [1, 1, 1]}\n"
  "  - {name: two, mass: 1, inertia: [1, 1, 1], xyz: [1, 0, 0]}\n"
  "joints:\n"
  "  - {name: y1, type: continuous, a: world, b: one}\n"
  "  - {name: y2, type: continuous, a: {link: one, xyz: [1, 0, 0]}, b: two}\n"
  "outputs: [{name: z, type: y, b: {link: two, xyz: [1, 0, 0]}}]\n";

// the curve through a configuration; the caller looks at m.curve
static mbdx_mechanism_t *
trace_bars(motion_t * m, double y1, double y2)
{
  mbdx_mechanism_t * bars = load_mechanism_text(BARS, MBDX_COORDINATES_FILE);
  double q[2] = {y1, y2};
  m->measure[0] = bars->output[0];
  motion_init(m, bars->model, 1, NULL);
  assert_ok(mbd_self_motion_start(m->motion, m->data, NULL, q, &m->state));
  assert_ok(mbd_self_motion_trace(m->motion, m->data, &m->curve));
  for (int i = 0; i < m->curve.n; i++) {
    const double * p = m->curve.q + 2 * (size_t)i;
    near(sin(p[0]) + sin(p[0] + p[1]), sin(y1) + sin(y1 + y2), 1e-9, "z");
  }
  return bars;
}

static void
bars_have_branches(void ** state)
{
  (void)state;
  // start, ends: y = (v / sqrt 5)(-1, 2) + start, |v| < sqrt 5 pi / 2; and y2 = +-pi
  static const struct {
    double start[2], first[2], last[2];
  } BRANCHES[] = {
    {{0, 0}, {PI / 2, -PI}, {-PI / 2, PI}},
    {{PI, 0}, {3 * PI / 2, -PI}, {PI / 2, PI}},
    {{0.3, PI}, {PI / 2, PI}, {-PI / 2, PI}},
    {{2.5, -PI}, {3 * PI / 2, -PI}, {PI / 2, -PI}}};
  int compared = 0;
  for (size_t b = 0; b < sizeof BRANCHES / sizeof *BRANCHES; b++) {
    motion_t m = {0};
    mbdx_mechanism_t * bars = trace_bars(&m, BRANCHES[b].start[0], BRANCHES[b].start[1]);
    const mbd_self_motion_curve_t * c = &m.curve;
    assert_false(c->closed);
    assert_int_equal(c->begin, MBD_SELF_MOTION_SINGULAR);
    assert_int_equal(c->end, MBD_SELF_MOTION_SINGULAR);
    const double *p = c->q, *last = c->q + 2 * (size_t)(c->n - 1);
    const bool turned = fabs(p[0] - BRANCHES[b].first[0]) > 1;
    for (int k = 0; k < 2; k++) {
      near(turned ? last[k] : p[k], BRANCHES[b].first[k], 1e-4, "one end");
      near(turned ? p[k] : last[k], BRANCHES[b].last[k], 1e-4, "other end");
    }
    near(c->length, b < 2 ? sqrt(5) * PI : PI, 2e-4, "length");
    for (int i = 0; i < c->n; i++, compared++) {
      const double y1 = c->q[2 * i], y2 = c->q[2 * i + 1];
      if (b < 2) near(y2, -2 * (y1 - BRANCHES[b].start[0]), 1e-9, "branch 1");
      if (b >= 2) near(y2, BRANCHES[b].start[1], 1e-9, "branch 2");
    }
    mbdx_mechanism_free(bars);
    motion_free(&m);
  }
  assert_true(compared > 400);
}

// z = 1: a single closed curve
static void
bars_at_one_are_closed(void ** state)
{
  (void)state;
  motion_t m = {0};
  mbdx_mechanism_t * bars = trace_bars(&m, 0, PI / 2);
  assert_true(m.curve.closed);
  assert_int_equal(m.winding[0], 0);
  assert_int_equal(m.winding[1], 0);
  // y1 where sin(y1) >= 0, and y2 both ways
  double low = 9, high = -9;
  for (int i = 0; i < m.curve.n; i++) {
    low = fmin(low, m.curve.q[2 * i]), high = fmax(high, m.curve.q[2 * i]);
  }
  near(low, 0, 1e-3, "least y1");
  near(high, PI, 1e-3, "largest y1");
  mbdx_mechanism_free(bars);
  motion_free(&m);
}

//---------- 9.16.8: slider in a slot, and an obstacle ----------

static const char SLOT[] =
  "name: slot\n"
  "bodies:\n"
  "  - {name: carriage, mass: 1, inertia: [1, 1, 1]}\n"
  "  - {name: bar, mass: 1, inertia: [1, 1, 1]}\n"
  "  - {name: slider, mass: 1, inertia: [1, 1, 1], xyz: [1, 0, 0]}\n"
  "  - {name: foot, mass: 1, inertia: [1, 1, 1], xyz: [2, 0, 0]}\n"
  "  - {name: rod, mass: 1, inertia: [1, 1, 1], xyz: [2, 0, 0]}\n"
  "joints:\n"
  "  - {name: q1, type: prismatic, a: {link: world, axis: [0, 1, 0]}, b: {link: carriage, axis: "
  "[0, 1, 0]}}\n"
  "  - {name: q2, type: continuous, a: carriage, b: bar}\n"
  "  - {name: q5, type: prismatic, a: {link: bar, axis: [1, 0, 0]}, b: {link: slider, axis: [1, 0, "
  "0]}}\n"
  "  - {name: q3, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: foot, axis: [1, 0, "
  "0]}}\n"
  "  - {name: q4, type: continuous, a: foot, b: rod}\n"
  "  - {name: pin, type: revolute, a: slider, b: {link: rod, xyz: [-1, 0, 0]}}\n"
  "inputs:\n"
  "  - {type: joint, joint: q3, name: y1}\n"
  "  - {type: joint, joint: q1, name: y2}\n"
  "  - {type: joint, joint: q5, name: y3}\n"
  "outputs:\n"
  "  - {name: z1, type: x, b: {link: bar, xyz: [2, 0, 0]}}\n"
  "  - {name: z2, type: y, b: {link: bar, xyz: [2, 0, 0]}}\n";

// q1, q2, q5, q3, q4 of the nominal motion
static void
nominal(double t, double * q)
{
  const double a = t + PI / 20, b = t - 2 * PI / 5;
  q[0] = -sin(a) - sin(b), q[1] = a, q[2] = 1, q[3] = cos(a) + cos(b), q[4] = b;
}

static void
obstacle_is_avoided(void ** state)
{
  (void)state;
  motion_t m = {0};
  mbdx_mechanism_t * slot = load_mechanism_text(SLOT, MBDX_COORDINATES_FILE);
  mbd_shape_t shape[2];
  for (int k = 0; k < 2; k++) {
    shape[k] = mbd_shape_default();
    shape[k].frame = frame_of(slot->model, k == 0 ? "bar" : "rod");
    shape[k].capsule.b.x = k == 0 ? 2 : -1;
  }
  const mbd_capsule_t circle = {{0.86, 0.4, 0}, {0.86, 0.4, 0}, 0.2};
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  options.nshape = 2, options.shape = shape, options.nobstacle = 1, options.obstacle = &circle;
  for (int k = 0; k < 2; k++) m.measure[k] = slot->output[k];
  motion_init(&m, slot->model, 2, &options);
  double q[5], low = 0, high = 0.7;
  assert_int_equal(slot->model->nq, 5);
  // first touch
  for (int i = 0; i < 60; i++) {
    const double t = 0.5 * (low + high);
    mbd_clearance_t clearance;
    nominal(t, q);
    assert_ok(mbd_set_position(slot->model, m.data, q));
    assert_ok(mbd_clearance(slot->model, m.data, 2, shape, 1, &circle, &clearance));
    *(clearance.distance > 0 ? &low : &high) = t;
    if (clearance.distance < 0) assert_int_equal(clearance.shape, 1);
  }
  near(low, 0.44176, 1e-5, "first touch");
  // contact by self-motion: q5, q4, q3 at t = 0.5, 0.6, 0.69
  static const double FIGURES[3][4] = {
    {0.5, 1.04943, -0.79902, 1.52833},
    {0.6, 1.14682, -0.79134, 1.53646},
    {0.69, 1.24977, -0.80953, 1.51740}};
  for (int i = 0; i < 3; i++) {
    const double t = FIGURES[i][0];
    nominal(t, q);
    assert_ok(mbd_self_motion_start(m.motion, m.data, NULL, q, &m.state));
    assert_true(m.state.clearance.distance < 0);
    assert_ok(mbd_self_motion_avoid(m.motion, m.data, 0, 2, q, &m.state));
    near(q[2], FIGURES[i][1], 2e-5, "q5");
    near(q[4], FIGURES[i][2], 2e-5, "q4");
    near(q[3], FIGURES[i][3], 2e-5, "q3");
    near(m.state.clearance.distance, 0, 1e-9, "clearance");
    // the output, and the closed form of the self-motion
    near(2 * cos(q[1]), 2 * cos(t + PI / 20), 1e-9, "z1");
    near(q[0] + 2 * sin(q[1]), sin(t + PI / 20) - sin(t - 2 * PI / 5), 1e-9, "z2");
    near(q[4], -asin(q[0] + q[2] * sin(q[1])), 1e-9, "q4 of q5");
    near(q[3], q[2] * cos(q[1]) + cos(q[4]), 1e-9, "q3 of q5");
  }
  mbdx_mechanism_free(slot);
  motion_free(&m);
}

// the motion of the book in steps of 0.01 s: the nominal one, out of the obstacle's way, without jumps
static void
obstacle_is_passed_step_by_step(void ** state)
{
  (void)state;
  motion_t m = {0};
  mbdx_mechanism_t * slot = load_mechanism_text(SLOT, MBDX_COORDINATES_FILE);
  mbd_shape_t shape = mbd_shape_default();
  shape.frame = frame_of(slot->model, "rod");
  shape.capsule.b.x = -1;
  const mbd_capsule_t circle = {{0.86, 0.4, 0}, {0.86, 0.4, 0}, 0.2};
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  options.nshape = 1, options.shape = &shape, options.nobstacle = 1, options.obstacle = &circle;
  for (int k = 0; k < 2; k++) m.measure[k] = slot->output[k];
  motion_init(&m, slot->model, 2, &options);
  double q[5], before[5];
  int avoided = 0;
  memset(q, 0, sizeof q);
  for (int i = 0; i < 70; i++) {
    const double t = 0.01 * i;
    const double z[2] = {2 * cos(t + PI / 20), sin(t + PI / 20) - sin(t - 2 * PI / 5)};
    memcpy(before, q, sizeof q);
    nominal(t, q);
    assert_ok(mbd_self_motion_start(m.motion, m.data, z, q, &m.state));
    const bool touches = m.state.clearance.distance < 0;
    assert_ok(mbd_self_motion_avoid(m.motion, m.data, 0, 0.5, q, &m.state));
    assert_true(m.state.clearance.distance > -1e-9);
    near(2 * cos(q[1]), z[0], 1e-9, "z1");
    for (int k = 0; k < 5 && i > 0; k++) near(q[k], before[k], 0.05, "step");
    avoided += touches;
  }
  // from t = 0.45 on
  assert_int_equal(avoided, 25);
  mbdx_mechanism_free(slot);
  motion_free(&m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(generic_arm_self_motion_is_closed),
    cmocka_unit_test(bars_have_branches),
    cmocka_unit_test(bars_at_one_are_closed),
    cmocka_unit_test(obstacle_is_avoided),
    cmocka_unit_test(obstacle_is_passed_step_by_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
