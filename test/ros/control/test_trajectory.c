// Trajectories: what polynomials they are, where they begin and end, what is refused and why.
#include "trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/urdf.h"
#include "random_tree.h"

#define SECOND INT64_C(1000000000)

enum { NV = 7, JOINTS = 3, POINTS = 5 };

// three joints of the arm, not in its order
static const char * const NAMES[JOINTS] = {"joint6", "joint1", "joint3"};
static const int DOF[JOINTS] = {5, 0, 2};

static mbd_model_t *
load(const char * path)
{
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, NULL, &model, NULL));
  return model;
}

// a model is constant to its users; its memory is not
static mbd_limits_t *
limits_of(mbd_model_t * model, int i)
{
  return &((mbd_body_t *)(uintptr_t)&model->body[i])->limits;
}

// without velocity limits, which most tests here are not about
static int
load_arm(void ** state)
{
  mbd_model_t * model = load(MBDYN_SOURCE_DIR "/config/robots/arm7.urdf");
  for (int i = 0; i < model->nbody; i++) limits_of(model, i)->velocity = 0;
  *state = model;
  return 0;
}

static int
free_arm(void ** state)
{
  mbd_model_destroy(*state);
  return 0;
}

// points with all that a point can have
typedef struct points {
  double x[POINTS][JOINTS], v[POINTS][JOINTS], a[POINTS][JOINTS];
  trajectory_point_t point[POINTS];
} points_t;

// value and derivatives of sum c_k t^k
static void
evaluate(const double * c, double t, double * x)
{
  x[0] = x[1] = x[2] = 0;
  for (int k = 0; k < 6; k++) {
    x[0] += c[k] * pow(t, k);
    if (k > 0) x[1] += k * c[k] * pow(t, k - 1);
    if (k > 1) x[2] += k * (k - 1) * c[k] * pow(t, k - 2);
  }
}

// points on one polynomial of the given degree per joint, at uneven times that begin at t0
static void
points_on(double c[JOINTS][6], double t0, points_t * p)
{
  static const double step[POINTS] = {0, 0.3, 0.55, 1.2, 1.5};
  for (int i = 0; i < POINTS; i++) {
    const double t = t0 + step[i];
    for (int j = 0; j < JOINTS; j++) {
      double x[3];
      evaluate(c[j], t, x);
      p->x[i][j] = x[0], p->v[i][j] = x[1], p->a[i][j] = x[2];
    }
    p->point[i] = (trajectory_point_t){t, p->x[i], p->v[i], p->a[i]};
  }
}

static void
random_polynomials(uint64_t seed, int degree, double c[JOINTS][6])
{
  memset(c, 0, JOINTS * sizeof *c);
  for (int j = 0; j < JOINTS; j++) {
    for (int k = 0; k <= degree; k++) c[j][k] = 0.015 * random_signed(&seed);
    c[j][0] += 1;
  }
}

static trajectory_t *
create(
  const mbd_model_t * model, int npoint, const trajectory_point_t * point, const double * q,
  const double * v)
{
  char reason[200] = "";
  trajectory_t * t = trajectory_create(
    model, JOINTS, NAMES, npoint, point, q, v, NULL, SECOND, reason, sizeof reason);
  if (!t) fail_msg("refused: %s", reason);
  return t;
}

static void
drop(trajectory_t * t)
{
  t->mail.destroy(&t->mail);
}

// the trajectory is the polynomial that its points were taken from, at any time
static void
check_polynomial(trajectory_t * t, double c[JOINTS][6], double begin, double end)
{
  for (int i = 0; i <= 100; i++) {
    const double time = begin + (end - begin) * (i == 100 ? 0.999999 : i / 100.0);
    const int64_t now = SECOND + (int64_t)llround(1e9 * time);
    double q[NV], v[NV], a[NV];
    for (int k = 0; k < NV; k++) q[k] = v[k] = a[k] = 77;
    assert_true(trajectory_sample(t, now, q, v, a));
    for (int j = 0; j < JOINTS; j++) {
      double x[3];
      evaluate(c[j], 1e-9 * (double)(now - SECOND), x);
      const double got[3] = {q[DOF[j]], v[DOF[j]], a[DOF[j]]};
      assert_close(got, x, 3, 1e-10, "joint %d at %g s", j, time);
      q[DOF[j]] = 77;
    }
    // joints that it does not name are left alone
    for (int k = 0; k < NV; k++) assert_true(q[k] == 77);
    assert_true(v[1] == 77 && a[1] == 77 && v[6] == 77 && a[6] == 77);
  }
}

//---------- shape ----------

// points with velocities and accelerations give back the quintic they lie on
static void
quintics_are_reproduced(void ** state)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double c[JOINTS][6];
    points_t p;
    random_polynomials(seed, 5, c);
    points_on(c, 0, &p);
    trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
    assert_true(t->duration == 1.5 && t->npoint == POINTS);
    check_polynomial(t, c, 0, 1.5);
    drop(t);
  }
}

// points with velocities alone the cubic
static void
cubics_are_reproduced(void ** state)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double c[JOINTS][6];
    points_t p;
    random_polynomials(seed, 3, c);
    points_on(c, 0, &p);
    for (int i = 0; i < POINTS; i++) p.point[i].acceleration = NULL;
    trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
    check_polynomial(t, c, 0, 1.5);
    drop(t);
  }
}

// positions alone the straight line
static void
lines_are_reproduced(void ** state)
{
  double c[JOINTS][6];
  points_t p;
  random_polynomials(1, 1, c);
  points_on(c, 0, &p);
  for (int i = 0; i < POINTS; i++) p.point[i].velocity = p.point[i].acceleration = NULL;
  trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
  check_polynomial(t, c, 0, 1.5);
  drop(t);
}

// a segment has what both of its ends have
static void
each_segment_is_of_its_own_kind(void ** state)
{
  // derivatives of each point, degree of each segment
  static const int known[2][POINTS] = {{2, 2, 1, 2, 0}, {0, 2, 0, 1, 2}};
  static const int degree[2][POINTS - 1] = {{5, 3, 3, 1}, {1, 1, 1, 3}};
  for (int n = 0; n < 2; n++) {
    double c[JOINTS][6];
    points_t p;
    random_polynomials(3, 5, c);
    points_on(c, 0, &p);
    for (int i = 0; i < POINTS; i++) {
      if (known[n][i] < 2) p.point[i].acceleration = NULL;
      if (known[n][i] < 1) p.point[i].velocity = NULL;
    }
    trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
    for (int i = 0; i < (POINTS - 1) * JOINTS; i++) {
      const int last = degree[n][i / JOINTS];
      for (int k = last + 1; k < 6; k++) assert_true(t->coefficient[6 * i + k] == 0);
      assert_true(t->coefficient[6 * i + last] != 0);
    }
    drop(t);
  }
}

// random points: velocity is the derivative of position, acceleration of velocity; both ends of a
// segment meet at the point and have its velocity
static void
derivatives_and_joins(void ** state)
{
  uint64_t seed = 5;
  points_t p;
  double c[JOINTS][6] = {{0}};
  points_on(c, 0, &p);
  for (int i = 0; i < POINTS; i++) {
    for (int j = 0; j < JOINTS; j++) {
      p.x[i][j] = 1 + 0.5 * random_signed(&seed);
      p.v[i][j] = random_signed(&seed), p.a[i][j] = random_signed(&seed);
    }
    if (i >= 2) p.point[i].acceleration = NULL;
  }
  trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
  const int64_t h = 10000;
  double q[3][NV] = {{0}}, v[3][NV] = {{0}}, a[3][NV] = {{0}};
  for (int64_t now = SECOND + SECOND / 100; now < SECOND * 5 / 2 - SECOND / 100; now += 7654321) {
    for (int k = 0; k < 3; k++) trajectory_sample(t, now + (k - 1) * h, q[k], v[k], a[k]);
    for (int k = 0; k < NV; k++) {
      const double dq = (q[2][k] - q[0][k]) / 2e-5, dv = (v[2][k] - v[0][k]) / 2e-5;
      assert_true(fabs(dq - v[1][k]) < 1e-5);
      assert_true(fabs(dv - a[1][k]) < 1e-4);
    }
  }
  for (int i = 1; i < POINTS - 1; i++) {
    const int64_t at = SECOND + (int64_t)llround(1e9 * p.point[i].time);
    trajectory_sample(t, at - 1, q[0], v[0], a[0]);
    trajectory_sample(t, at + 1, q[1], v[1], a[1]);
    for (int j = 0; j < JOINTS; j++) {
      for (int side = 0; side < 2; side++) {
        assert_true(fabs(q[side][DOF[j]] - p.x[i][j]) < 1e-7);
        assert_true(fabs(v[side][DOF[j]] - p.v[i][j]) < 1e-6);
      }
    }
  }
  drop(t);
}

//---------- beginning and end ----------

// a first point later than zero is reached from where the robot is, at the speed it has
static void
begins_where_the_robot_is(void ** state)
{
  const double q0[NV] = {0.1, 0.2, 0.3, -1, 0.5, 0.6, 0.7}, v0[NV] = {1, 2, 3, 4, 5, 6, 7};
  double c[JOINTS][6];
  points_t p;
  random_polynomials(4, 5, c);
  for (int kind = 0; kind < 3; kind++) {
    points_on(c, 0.5, &p);
    if (kind < 2) p.point[0].acceleration = NULL;
    if (kind < 1) p.point[0].velocity = NULL;
    for (int still = 0; still < 2; still++) {
      trajectory_t * t = create(*state, POINTS, p.point, q0, still ? NULL : v0);
      double q[NV] = {0}, v[NV] = {0}, a[NV] = {0};
      assert_int_equal(t->npoint, POINTS + 1);
      assert_true(trajectory_sample(t, SECOND, q, v, a));
      for (int j = 0; j < JOINTS; j++) {
        const int k = DOF[j];
        assert_true(fabs(q[k] - q0[k]) < 1e-12);
        // a straight line has no say in its velocity
        const double line = (p.x[0][j] - q0[k]) / 0.5;
        assert_true(fabs(v[k] - (kind == 0 ? line : still ? 0 : v0[k])) < 1e-12);
        if (kind == 2) assert_true(fabs(a[k]) < 1e-12);
      }
      assert_true(trajectory_sample(t, SECOND * 3 / 2, q, v, a));
      for (int j = 0; j < JOINTS; j++) assert_true(fabs(q[DOF[j]] - p.x[0][j]) < 1e-12);
      drop(t);
    }
  }
}

// before the start it is at its first point, from the end on at its last, both at rest
static void
rests_before_and_after(void ** state)
{
  double c[JOINTS][6], q[NV], v[NV], a[NV];
  points_t p;
  random_polynomials(6, 5, c);
  points_on(c, 0, &p);
  trajectory_t * t = create(*state, POINTS, p.point, NULL, NULL);
  static const int64_t when[] = {INT64_MIN,      -SECOND,    0,        SECOND - 1,
                                 SECOND * 5 / 2, 3 * SECOND, INT64_MAX};
  for (int i = 0; i < 7; i++) {
    for (int k = 0; k < NV; k++) q[k] = v[k] = a[k] = 77;
    assert_int_equal(trajectory_sample(t, when[i], q, v, a), i < 4);
    for (int j = 0; j < JOINTS; j++) {
      assert_true(q[DOF[j]] == p.x[i < 4 ? 0 : POINTS - 1][j]);
      assert_true(v[DOF[j]] == 0 && a[DOF[j]] == 0);
    }
    assert_true(q[1] == 77 && v[1] == 77 && a[1] == 77);
  }
  drop(t);
}

// without a start it begins when it is first looked at, also on a clock that stands at zero
static void
starts_when_first_sampled(void ** state)
{
  static const int64_t begin[] = {0, 17 * SECOND};
  for (int i = 0; i < 2; i++) {
    double c[JOINTS][6], q[NV] = {0}, v[NV] = {0}, a[NV] = {0}, x[3];
    points_t p;
    random_polynomials(7, 5, c);
    points_on(c, 0, &p);
    char reason[100];
    trajectory_t * t = trajectory_create(
      *state, JOINTS, NAMES, POINTS, p.point, NULL, NULL, NULL, 0, reason, sizeof reason);
    assert_non_null(t);
    assert_true(trajectory_sample(t, begin[i], q, v, a));
    assert_true(trajectory_sample(t, begin[i] + SECOND, q, v, a));
    evaluate(c[1], 1, x);
    assert_true(fabs(q[0] - x[0]) < 1e-12);
    assert_false(trajectory_sample(t, begin[i] + 2 * SECOND, q, v, a));
    drop(t);
  }
}

// one point is a trajectory, too: at once, or from here to there
static void
one_point_is_enough(void ** state)
{
  const double x[JOINTS] = {0.5, 0.6, 0.7}, q0[NV] = {0};
  double q[NV] = {0}, v[NV] = {0}, a[NV] = {0};
  trajectory_point_t point = {0, x, NULL, NULL};
  trajectory_t * t = create(*state, 1, &point, NULL, NULL);
  assert_false(trajectory_sample(t, SECOND, q, v, a));
  assert_true(q[5] == 0.5 && q[0] == 0.6 && q[2] == 0.7);
  drop(t);
  point.time = 2;
  t = create(*state, 1, &point, q0, NULL);
  assert_true(trajectory_sample(t, 2 * SECOND, q, v, a));
  assert_true(fabs(q[5] - 0.25) < 1e-12 && fabs(v[0] - 0.3) < 1e-12);
  drop(t);
}

// many points: the right segment is found, as a walk from the beginning finds it
static void
finds_the_segment(void ** state)
{
  enum { MANY = 1000 };
  static double x[MANY][JOINTS];
  static trajectory_point_t point[MANY];
  uint64_t seed = 9;
  double time = 0;
  for (int i = 0; i < MANY; i++) {
    for (int j = 0; j < JOINTS; j++) x[i][j] = 1 + random_signed(&seed);
    point[i] = (trajectory_point_t){time, x[i], NULL, NULL};
    time += random_between(&seed, 0.001, 0.1);
  }
  trajectory_t * t = create(*state, MANY, point, NULL, NULL);
  for (int n = 0; n < 2000; n++) {
    const int64_t since = (int64_t)(1e9 * random_between(&seed, 0, t->duration));
    const double at = 1e-9 * (double)since;
    double q[NV], v[NV], a[NV];
    assert_true(trajectory_sample(t, SECOND + since, q, v, a));
    int i = 0;
    while (point[i + 1].time <= at) i++;
    const double part = (at - point[i].time) / (point[i + 1].time - point[i].time);
    assert_true(fabs(q[0] - ((1 - part) * x[i][1] + part * x[i + 1][1])) < 1e-9);
  }
  drop(t);
}

//---------- refusals ----------

static void
expect_refusal_of(
  const mbd_model_t * model, int njoint, const char * const * name, int npoint,
  const trajectory_point_t * point, const double * from, const char * why)
{
  char reason[200] = "";
  trajectory_t * t = trajectory_create(
    model, njoint, name, npoint, point, from, NULL, NULL, 0, reason, sizeof reason);
  assert_null(t);
  if (!strstr(reason, why)) fail_msg("'%s' instead of '%s'", reason, why);
  // also without anywhere to say it
  assert_null(trajectory_create(model, njoint, name, npoint, point, from, NULL, NULL, 0, NULL, 0));
}

// joints: unknown, twice, of several degrees, none at all
static void
joints_are_refused(void ** state)
{
  static const char * const unknown[] = {"joint1", "elbow", "joint3"};
  static const char * const twice[] = {"joint1", "joint3", "joint1"};
  static const char * const several[] = {"turret_turn", "cart_drive", "wheel_spin"};
  static const char * const fixed[] = {"joint1", "flange_mount", "joint3"};
  const double x[JOINTS] = {0.5, 0.6, 0.7};
  const trajectory_point_t point = {0, x, NULL, NULL};
  expect_refusal_of(*state, JOINTS, unknown, 1, &point, NULL, "no moving joint 'elbow'");
  expect_refusal_of(*state, JOINTS, fixed, 1, &point, NULL, "no moving joint 'flange_mount'");
  expect_refusal_of(*state, JOINTS, twice, 1, &point, NULL, "duplicate joint 'joint1'");
  expect_refusal_of(*state, 0, NULL, 1, &point, NULL, "no joint names");
  expect_refusal_of(*state, JOINTS, NAMES, 0, NULL, NULL, "no points");
  mbd_model_t * all = load(MBDYN_SOURCE_DIR "/test/data/all_joint_types.urdf");
  expect_refusal_of(all, JOINTS, several, 1, &point, NULL, "'cart_drive' does not have one degree");
  mbd_model_destroy(all);
}

// points: one is spoilt at a time
static void
points_are_refused(void ** state)
{
  static const struct {
    int what, point, joint;
    double value;
    const char * why;
  } bad[] = {
    {'t', 2, 0, 0.3, "point 2: its time of 0.3 s is not after the 0.3 s"},
    {'t', 3, 0, 0.1, "point 3: its time of 0.1 s is not after the 0.55 s"},
    {'t', 0, 0, -1, "point 0: its time is -1 s"},
    {'t', 4, 0, HUGE_VAL, "point 4: its time is inf s"},
    {'t', 0, 0, -HUGE_VAL, "point 0: its time is -inf s"},
    {'x', 1, 2, HUGE_VAL, "point 1: position of 'joint3' is not finite"},
    {'v', 4, 0, -HUGE_VAL, "point 4: velocity of 'joint6' is not finite"},
    {'a', 0, 1, HUGE_VAL, "point 0: acceleration of 'joint1' is not finite"},
    {'x', 3, 1, 2.9, "point 3: 'joint1' at 2.9 is outside its limits of -2.8973 to 2.8973"},
    {'x', 3, 0, -0.02, "point 3: 'joint6' at -0.02 is outside its limits of -0.0175 to 3.7525"},
    {'v', 2, 1, 1e308, "point 2: velocity of 'joint1' is 1e+308, its limit 1000"},
    {'v', 2, 1, -1001, "point 2: velocity of 'joint1' is -1001, its limit 1000"},
    {'v', 2, 1, 500, "'joint1' would be at"},
    {'a', 2, 1, 1e308, "'joint1' cannot go from"},
    {'a', 2, 1, 1e200, "'joint1' would be at"},
    {'X', 2, 0, 0, "point 2 has no positions"},
    {'V', 1, 0, 0, "point 1 has accelerations but no velocities"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double c[JOINTS][6];
    points_t p;
    random_polynomials(8, 5, c);
    points_on(c, 0, &p);
    trajectory_point_t * point = &p.point[bad[i].point];
    switch (bad[i].what) {
      case 't': point->time = bad[i].value; break;
      case 'x': p.x[bad[i].point][bad[i].joint] = bad[i].value; break;
      case 'v': p.v[bad[i].point][bad[i].joint] = bad[i].value; break;
      case 'a': p.a[bad[i].point][bad[i].joint] = bad[i].value; break;
      case 'X': point->position = NULL; break;
      default: point->velocity = NULL; break;
    }
    expect_refusal_of(*state, JOINTS, NAMES, POINTS, p.point, NULL, bad[i].why);
  }
}

// not-a-number is caught like any other
static void
not_a_number_is_refused(void ** state)
{
  const double nan = strtod("nan", NULL);
  double x[JOINTS] = {0.5, nan, 0.7};
  trajectory_point_t point = {0, x, NULL, NULL};
  expect_refusal_of(*state, JOINTS, NAMES, 1, &point, NULL, "position of 'joint1'");
  x[1] = 0, point.time = nan;
  expect_refusal_of(*state, JOINTS, NAMES, 1, &point, NULL, "point 0: its time is");
  const double from[NV] = {nan, nan, nan, nan, nan, nan, nan};
  point.time = 1;
  expect_refusal_of(*state, JOINTS, NAMES, 1, &point, from, "cannot go from");
  expect_refusal_of(
    *state, JOINTS, NAMES, 1, &point, NULL, "the current joint positions are unknown");
}

// a hair outside the limits is inside
static void
limits_have_a_tolerance(void ** state)
{
  static const double outside[] = {9e-7, 1.1e-6};
  for (int i = 0; i < 4; i++) {
    const double edge = i < 2 ? 2.8973 + outside[i % 2] : -2.8973 - outside[i % 2];
    const double x[JOINTS] = {0.5, edge, 0.7};
    const trajectory_point_t point = {0, x, NULL, NULL};
    char reason[100];
    trajectory_t * t = trajectory_create(
      *state, JOINTS, NAMES, 1, &point, NULL, NULL, NULL, 0, reason, sizeof reason);
    assert_int_equal(t != NULL, i % 2 == 0);
    if (t) drop(t);
  }
}

//---------- limits between the points, against dense samples ----------

enum { TRIES = 4000, DENSE = 2000 };

typedef struct extremes {
  double low, high, fastest, hardest;
} extremes_t;

// of joint1, by samples of a trajectory that has no limits: velocities and accelerations by differences
static extremes_t
sample_extremes(trajectory_t * t)
{
  extremes_t e = {HUGE_VAL, -HUGE_VAL, 0, 0};
  double x[3] = {0};
  const double dt = t->duration / DENSE;
  for (int k = 0; k < DENSE; k++) {
    double q[NV], v[NV], a[NV];
    trajectory_sample(t, t->start + (int64_t)(1e9 * dt * k), q, v, a);
    x[0] = x[1], x[1] = x[2], x[2] = q[0];
    e.low = fmin(e.low, x[2]), e.high = fmax(e.high, x[2]);
    if (k > 0) e.fastest = fmax(e.fastest, fabs(x[2] - x[1]) / dt);
    if (k > 1) e.hardest = fmax(e.hardest, fabs(x[2] - 2 * x[1] + x[0]) / (dt * dt));
  }
  return e;
}

// taken: nowhere beyond its limits by more than the overshoot; refused: somewhere beyond them. Peaks
// between the looks of the check are what the slack is for.
static void
limits_hold_between_points(void ** state)
{
  static const char * const name[] = {"joint1"};
  const double slack = 0.02, most[NV] = {20, 20, 20, 20, 20, 20, 20};
  mbd_model_t * wide = *state;
  mbd_model_t * arm = load(MBDYN_SOURCE_DIR "/config/robots/arm7.urdf");
  const mbd_limits_t limits = arm->body[0].limits;
  const double fastest = 1.5 * limits.velocity;
  const double low = limits.lower - 0.02 * (limits.upper - limits.lower);
  const double high = limits.upper + 0.02 * (limits.upper - limits.lower);
  limits_of(wide, 0)->lower = -HUGE_VAL;
  limits_of(wide, 0)->upper = HUGE_VAL;
  uint64_t seed = 5;
  int taken = 0, refused = 0;
  for (int n = 0; n < TRIES; n++) {
    double x[2], v[2], a[2];
    for (int i = 0; i < 2; i++) {
      x[i] = 2.8 * random_signed(&seed);
      v[i] = 2 * random_signed(&seed);
      a[i] = 10 * random_signed(&seed);
    }
    const bool quintic = n % 2, cubic = n % 3;
    const double h = 0.05 + 4 * fabs(random_signed(&seed));
    const trajectory_point_t point[2] = {
      {0, &x[0], quintic || cubic ? &v[0] : NULL, quintic ? &a[0] : NULL},
      {h, &x[1], quintic || cubic ? &v[1] : NULL, quintic ? &a[1] : NULL}};
    char reason[300] = "";
    trajectory_t * free_of =
      trajectory_create(wide, 1, name, 2, point, NULL, NULL, NULL, SECOND, reason, sizeof reason);
    // faster than 1000 rad/s: no sampling needed
    const extremes_t e =
      free_of ? sample_extremes(free_of) : (extremes_t){0, 0, HUGE_VAL, HUGE_VAL};
    if (free_of) drop(free_of);
    trajectory_t * t =
      trajectory_create(arm, 1, name, 2, point, NULL, NULL, most, SECOND, reason, sizeof reason);
    if (t) {
      taken++;
      assert_true(e.low > low - slack && e.high < high + slack);
      assert_true(e.fastest < fastest * (1 + slack) && e.hardest < most[0] * (1 + slack));
      drop(t);
    } else {
      refused++;
      assert_true(
        e.low < low + slack || e.high > high - slack || e.fastest > fastest * (1 - slack) ||
        e.hardest > most[0] * (1 - slack));
    }
  }
  print_message("  %d taken, %d refused\n", taken, refused);
  assert_true(taken > TRIES / 10 && refused > TRIES / 10);
  limits_of(wide, 0)->lower = limits.lower;
  limits_of(wide, 0)->upper = limits.upper;
  mbd_model_destroy(arm);
}

// a reference that jumps is not admitted, wherever in time it begins
static void
steps_are_not_admitted(void ** state)
{
  const mbd_model_t * model = *state;
  const double x[2][JOINTS] = {{0.5, 0.1, 0.7}, {2.5, 0.1, 0.7}};
  const trajectory_point_t point[2] = {{0, x[0], NULL, NULL}, {2, x[1], NULL, NULL}};
  // joint6 is the first of the names, and the sixth of q
  double from[NV] = {0.1, 0, 0, 0, 0, 0.2, 0}, step[NV];
  for (int k = 0; k < NV; k++) step[k] = 0.5;
  from[2] = from[6] = 0.7;
  char reason[300] = "";
  trajectory_t * t = create(model, 2, point, NULL, NULL);
  assert_true(trajectory_admit(t, model, SECOND / 2, from, step, reason, sizeof reason));
  assert_true(trajectory_admit(t, model, SECOND, from, step, reason, sizeof reason));
  assert_true(trajectory_admit(t, model, SECOND + SECOND / 10, from, step, reason, sizeof reason));
  // 0.2 s late: 0.7, which is 0.5 away
  assert_false(trajectory_admit(t, model, SECOND + SECOND / 4, from, step, reason, sizeof reason));
  assert_non_null(strstr(reason, "a jump of 0.55 in 'joint6'; max_reference_step is 0.5"));
  assert_false(trajectory_admit(t, model, 9 * SECOND, from, step, reason, sizeof reason));
  assert_non_null(strstr(reason, "a jump of 2.3"));
  step[5] = 0;
  assert_true(trajectory_admit(t, model, 9 * SECOND, from, step, reason, sizeof reason));
  from[0] = (double)NAN;
  assert_false(trajectory_admit(t, model, SECOND, from, step, reason, sizeof reason));
  drop(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(quintics_are_reproduced),    cmocka_unit_test(cubics_are_reproduced),
    cmocka_unit_test(lines_are_reproduced),       cmocka_unit_test(each_segment_is_of_its_own_kind),
    cmocka_unit_test(derivatives_and_joins),      cmocka_unit_test(begins_where_the_robot_is),
    cmocka_unit_test(rests_before_and_after),     cmocka_unit_test(starts_when_first_sampled),
    cmocka_unit_test(one_point_is_enough),        cmocka_unit_test(finds_the_segment),
    cmocka_unit_test(joints_are_refused),         cmocka_unit_test(points_are_refused),
    cmocka_unit_test(not_a_number_is_refused),    cmocka_unit_test(limits_have_a_tolerance),
    cmocka_unit_test(limits_hold_between_points), cmocka_unit_test(steps_are_not_admitted),
  };
  return cmocka_run_group_tests(tests, load_arm, free_arm);
}
