// Charts: closures at all three levels, derivatives, and the joints' own coordinates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/simulate/chart.h"

typedef struct bed {
  closed_t c;
  mbd_chart_t * chart;
  void * memory;  // of the chart
  double *work, *q, *v, *qdd;
  double x[256], xd[256];
} bed_t;

// a chart at the robot's configuration and a velocity that the closures allow; false: not this robot
static bool
begin(bed_t * b, uint64_t seed, int loops)
{
  memset(b, 0, sizeof *b);
  tree_options_t options = small_trees();
  b->c = closed_tree(seed, &options, loops, loops > 0);
  mbd_model_t * m = b->c.tree;
  const size_t size = mbd_chart_size(m);
  b->memory = malloc(size);
  const mbd_status_t status = mbd_chart_init(m, 0, b->memory, size, &b->chart);
  if (status == MBD_ERROR_BAD_JOINT) return false;
  assert_ok(status);
  const size_t work = mbd_assembly_work(m) + mbd_constrained_work(m);
  b->work = malloc(work * sizeof *b->work);
  b->q = malloc((size_t)m->nq * sizeof(double));
  b->v = malloc((size_t)m->nv * sizeof(double));
  b->qdd = malloc((size_t)m->nv * sizeof(double));
  mbd_assembly_t info;
  // singular or locked robots have no chart there
  if (mbd_assemble(m, b->c.on, NULL, b->c.t->q, b->work, b->q, &info) != MBD_OK) return false;
  if (info.mobility == 0) return false;
  if (mbd_project_velocity(m, b->c.on, NULL, b->c.t->v, b->work, b->v, &info) != MBD_OK)
    return false;
  if (info.mobility == 0) return false;
  assert_ok(mbd_chart_set(b->chart, b->c.on, 0, b->q, b->v, b->x, b->xd));
  return true;
}

static void
end(bed_t * b)
{
  free(b->memory), free(b->work), free(b->q), free(b->v), free(b->qdd);
  closed_free(&b->c);
}

static void
random_coordinates(bed_t * b, uint64_t seed, double size)
{
  uint64_t state = seed * 7919;
  for (int i = 0; i < mbd_chart_info(b->chart)->n; i++) {
    b->x[i] = size * random_signed(&state);
    b->xd[i] += random_signed(&state);
  }
}

static double
largest(const double * x, int n)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = larger(most, fabs(x[k]));
  return most;
}

// d, G v and G qdd - gamma, relative to the terms in them
static void
check_levels(bed_t * b, uint64_t seed, double error[3])
{
  const mbd_model_t * m = b->c.tree;
  double d[256], gamma[256];
  assert_true(m->nrow <= 256);
  mat_t G = mat(m->nrow, m->nv);
  assert_ok(mbd_set_position(m, b->c.on, b->q));
  assert_ok(mbd_set_velocity(m, b->c.on, b->v));
  assert_ok(mbd_closure_error(m, b->c.on, 0, d));
  assert_ok(mbd_closure_jacobian(m, b->c.on, G.a));
  assert_ok(mbd_closure_bias(m, b->c.on, 0, gamma));
  error[0] = larger(error[0], largest(d, m->nrow));
  for (int r = 0; r < m->nrow; r++) {
    double rate = 0, sum = 0, acceleration = -gamma[r], terms = 1 + fabs(gamma[r]);
    for (int k = 0; k < m->nv; k++) {
      rate += *at(G, r, k) * b->v[k];
      sum += fabs(*at(G, r, k) * b->v[k]);
      acceleration += *at(G, r, k) * b->qdd[k];
      terms += fabs(*at(G, r, k) * b->qdd[k]);
    }
    error[1] = larger(error[1], fabs(rate) / (1 + sum));
    error[2] = larger(error[2], fabs(acceleration) / terms);
  }
  if (!(error[0] < 1e-11 && error[1] < 1e-11 && error[2] < 1e-11)) {
    print_error("seed %d: %g %g %g\n", (int)seed, error[0], error[1], error[2]);
  }
}

static void
closures_hold_at_three_levels(void ** state)
{
  (void)state;
  tally_t cases = {0};
  double error[3] = {0, 0, 0};
  int rows = 0, velocity_rows = 0;
  FOR_SEEDS(TREES)
  {
    bed_t b;
    const bool good = begin(&b, seed, 1 + (int)(seed % 3));
    const mbd_model_t * m = b.c.tree;
    bool use = good;
    if (good) {
      random_coordinates(&b, seed, 0.05);
      const mbd_status_t status = mbd_chart_state(b.chart, b.c.on, 0, b.x, b.xd, b.q, b.v);
      // x is outside the chart: small loops
      use = status != MBD_ERROR_NOT_ASSEMBLED && status != MBD_ERROR_SINGULAR;
      if (use) assert_ok(status);
    }
    if (tally(&cases, use)) {
      mbd_constrained_options_t options = mbd_constrained_options_default();
      options.rank = -1;
      assert_ok(mbd_constrained_forward_dynamics(
        m, b.c.on, NULL, NULL, b.c.t->tau, NULL, &options, b.work, b.qdd, NULL, NULL));
      double xdd[256], back[256];
      // accelerations to coordinates and back, by dynamics and by kinematics
      assert_ok(mbd_chart_acceleration(b.chart, b.qdd, xdd));
      assert_ok(mbd_chart_motion(b.chart, b.c.on, 0, xdd, back));
      assert_close(back, b.qdd, m->nv, 1e-7, "acceleration, seed %d", (int)seed);
      assert_ok(mbd_chart_velocity(b.chart, b.v, back));
      if (mbd_chart_info(b.chart)->velocity_rank == mbd_chart_info(b.chart)->rank) {
        assert_close(back, b.xd, mbd_chart_info(b.chart)->n, 1e-12, "velocity, seed %d", (int)seed);
      } else {
        velocity_rows++;
      }
      check_levels(&b, seed, error);
      rows += m->nrow;
    }
    end(&b);
  }
  print_message(
    "%d robots with %d rows: errors %.1e, %.1e, %.1e; %d with velocity rows, %d left out\n",
    cases.compared, rows, error[0], error[1], error[2], velocity_rows, cases.skipped);
  assert_true(error[0] < 1e-11 && error[1] < 1e-11 && error[2] < 1e-11);
  assert_enough(&cases, 0.4);
  assert_count(rows, 200);
  assert_count(velocity_rows, 10);
}

// state at x + s xd + s^2 xdd / 2, xd + s xdd
static mbd_status_t
state_along(bed_t * b, const double * xdd, double s, double * q, double * v)
{
  double x[256], xd[256];
  for (int i = 0; i < mbd_chart_info(b->chart)->n; i++) {
    x[i] = b->x[i] + s * b->xd[i] + s * s / 2 * xdd[i];
    xd[i] = b->xd[i] + s * xdd[i];
  }
  return mbd_chart_state(b->chart, b->c.on, 0, x, xd, q, v);
}

static void
velocities_and_accelerations_are_derivatives(void ** state)
{
  (void)state;
  tally_t cases = {0};
  FOR_SEEDS(TREES)
  {
    bed_t b;
    bool good = begin(&b, seed, (int)(seed % 3));
    const mbd_model_t * m = b.c.tree;
    const mbd_chart_info_t * info = mbd_chart_info(b.chart);
    // x' of velocity rows is projected: no derivative of x
    good = good && info->velocity_rank == info->rank;
    double xdd[256], q[4][256], v[4][256];
    if (good) {
      random_coordinates(&b, seed, info->rank > 0 ? 0.05 : 1);
      for (int i = 0; i < info->n; i++) xdd[i] = sin(3.0 * i + (double)seed);
      good = mbd_chart_state(b.chart, b.c.on, 0, b.x, b.xd, b.q, b.v) == MBD_OK;
    }
    // a loop of which x is far from the centre has large derivatives
    if (good) mbd_chart_wanted(b.chart, NULL);
    good = good && info->slope < 3;
    if (tally(&cases, good)) {
      const double h = 1e-3;
      assert_ok(mbd_chart_motion(b.chart, b.c.on, 0, xdd, b.qdd));
      for (int k = 0; k < 4; k++) {
        const double s = (k - 2 + (k >= 2)) * h;
        assert_ok(state_along(&b, xdd, s, q[k], v[k]));
      }
      double near[256], far[256], vdot[256];
      assert_ok(mbd_difference(m, q[1], q[2], near));
      assert_ok(mbd_difference(m, q[0], q[3], far));
      for (int k = 0; k < m->nv; k++) {
        near[k] = (8 * near[k] - far[k]) / (12 * h);
        vdot[k] = (8 * (v[2][k] - v[1][k]) - (v[3][k] - v[0][k])) / (12 * h);
      }
      assert_close(near, b.v, m->nv, 1e-7, "velocity, seed %d", (int)seed);
      assert_close(vdot, b.qdd, m->nv, 1e-7, "acceleration, seed %d", (int)seed);
    }
    end(&b);
  }
  assert_enough(&cases, 0.4);
}

// no closures: only the joints' own coordinates, over large rotations
static void
trees_have_one_chart(void ** state)
{
  (void)state;
  tally_t cases = {0};
  FOR_SEEDS(TREES)
  {
    bed_t b;
    const bool good = begin(&b, seed, 0);
    if (tally(&cases, good)) {
      const mbd_model_t * m = b.c.tree;
      const mbd_chart_info_t * info = mbd_chart_info(b.chart);
      assert_int_equal(info->n, m->nv);
      double xdd[256];
      random_coordinates(&b, seed, 1.5);
      assert_ok(mbd_chart_state(b.chart, b.c.on, 0, b.x, b.xd, b.q, b.v));
      for (int k = 0; k < m->nv; k++) b.qdd[k] = cos(k + 2.0 * (double)seed);
      double back[256];
      assert_ok(mbd_chart_acceleration(b.chart, b.qdd, xdd));
      assert_ok(mbd_chart_motion(b.chart, b.c.on, 0, xdd, back));
      assert_close(back, b.qdd, m->nv, 1e-12, "acceleration, seed %d", (int)seed);
      // at the centre: x = 0
      memset(b.x, 0, sizeof b.x);
      assert_ok(mbd_chart_state(b.chart, b.c.on, 0, b.x, b.xd, b.q, b.v));
      assert_close(b.q, b.c.t->q, m->nq, 1e-12, "centre, seed %d", (int)seed);
      assert_close(b.v, b.xd, m->nv, 1e-12, "velocity at the centre, seed %d", (int)seed);
      assert_false(mbd_chart_wanted(b.chart, NULL));
    }
    end(&b);
  }
  assert_enough(&cases, 0.5);
}

static void
limits_want_a_new_chart(void ** state)
{
  (void)state;
  mbd_model_t * m;
  mbd_data_t * d;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("ball", &m));
  spec.name = spec.joint_name = "ball";
  spec.type = MBD_JOINT_SPHERICAL;
  spec.inertia.mass = 1;
  spec.inertia.I.xx = spec.inertia.I.yy = spec.inertia.I.zz = 1;
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  assert_ok(mbd_model_finalize(m));
  assert_ok(mbd_data_create(m, &d));
  const size_t size = mbd_chart_size(m);
  mbd_chart_t * chart;
  char little[8];
  assert_status(mbd_chart_init(m, 0, little, 8, &chart), MBD_ERROR_TOO_SMALL);
  assert_status(mbd_chart_init(m, -1, little, 8, &chart), MBD_ERROR_BAD_ARGUMENT);
  assert_ok(mbd_chart_init(m, 0, malloc(size), size, &chart));
  double q[4] = {0, 0, 0, 1}, v[3] = {1, 2, 3}, x[3] = {0}, xd[3], out[4];
  assert_status(mbd_chart_state(chart, d, 0, x, v, q, v), MBD_ERROR_STAGE);
  assert_status(mbd_chart_acceleration(chart, v, xd), MBD_ERROR_STAGE);
  assert_ok(mbd_chart_set(chart, d, 0, q, v, x, xd));
  mbd_chart_limits_t limits = mbd_chart_limits_default();
  x[1] = 1.4;
  assert_ok(mbd_chart_state(chart, d, 0, x, xd, out, v));
  assert_true(fabs(mbd_chart_info(chart)->rotation - 1.4) < 1e-15);
  assert_false(mbd_chart_wanted(chart, &limits));
  limits.x = 1.3;
  assert_true(mbd_chart_wanted(chart, &limits));
  x[1] = 1.6;
  assert_ok(mbd_chart_state(chart, d, 0, x, xd, out, v));
  assert_true(mbd_chart_wanted(chart, NULL));
  x[1] = NAN;
  assert_status(mbd_chart_state(chart, d, 0, x, xd, out, v), MBD_ERROR_NOT_FINITE);
  free(chart);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(closures_hold_at_three_levels),
    cmocka_unit_test(velocities_and_accelerations_are_derivatives),
    cmocka_unit_test(trees_have_one_chart),
    cmocka_unit_test(limits_want_a_new_chart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
