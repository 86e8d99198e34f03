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
  {0.0779, 0.34720, 0.28996, -2.1364},  {-0.1052, -0.31939, -0.252, -3.5813},
  {-0.1437, 0.3600, -0.4538, -1.1741},  {-0.2941, -0.3534, 0.3260, 0.6745},
  {0.2321, -0.25974, 0.4102, -0.7619},  {-0.1586, 0.21070, 0.19289, 2.6738},
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
    .name = "arm", .n = 7, .row = row, .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(), .tool_name = "tool"};
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
  const double z[6] = {pose.p.x, pose.p.y, pose.p.z, atan2(-R[5], R[8]), asin(R[2]), atan2(-R[1], R[0])};
  const double book[6] = {0.7507, -0.4658, 0.6662, 2.8893, 0.1559, 0.2839};
  for (int k = 0; k < 6; k++) near(z[k], book[k], 3e-4, "pose of y*");
  assert_ok(mbd_self_motion_trace(m.motion, m.data, &m.curve));
  assert_true(m.curve.closed);
  near(m.curve.length, 43.721, 0.002, "length");
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

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(generic_arm_self_motion_is_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
