// What `mbdyn demo` makes of messages: numbers made up for the purpose, and what has to come out.
#include <math.h>
#include <string.h>

#include "demo_rig.h"

static const double ZERO[DEMO_JOINTS];
static const int64_t MS = 1000000;

static const demo_check_t *
check_of(const demo_measures_t * m, demo_judge_t judge, const char * name)
{
  static demo_check_t check[DEMO_CHECKS];
  const int n = demo_checks(m, judge, check);
  assert_true(n <= DEMO_CHECKS);
  for (int i = 0; i < n; i++) {
    if (strcmp(check[i].name, name) == 0) return &check[i];
  }
  return NULL;
}

static const demo_judge_t ALL = {true, true};

static void
drift_is_the_farthest_joint(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_measures_t * m = &rig->m;
  double q[DEMO_JOINTS];
  memcpy(q, rig->robot.home, sizeof q);
  demo_take_state(m, 1 * MS, 1 * MS, q, ZERO, ZERO);
  assert_null(check_of(m, ALL, "drift"));
  demo_probe_drift(m);
  // nothing was seen yet: that is no success
  assert_false(check_of(m, ALL, "drift")->good);
  q[2] += 0.0009;
  demo_take_state(m, 2 * MS, 2 * MS, q, ZERO, ZERO);
  q[2] -= 0.0005;
  demo_take_state(m, 3 * MS, 3 * MS, q, ZERO, ZERO);
  assert_close(&m->drift.max, &(double){0.0009}, 1, 1e-9, "drift");
  assert_int_equal(m->drift.joint, 2);
  assert_true(check_of(m, ALL, "drift")->good);
  q[4] -= 0.00101;
  demo_take_state(m, 4 * MS, 4 * MS, q, ZERO, ZERO);
  assert_int_equal(m->drift.joint, 4);
  assert_false(check_of(m, ALL, "drift")->good);
  // no longer looked at
  demo_probe_stop(m);
  q[4] -= 1;
  demo_take_state(m, 5 * MS, 5 * MS, q, ZERO, ZERO);
  assert_close(&m->drift.max, &(double){0.00101}, 1, 1e-9, "drift");
  rig_drop(rig);
}

// a robot that is off by a constant in two joints; before the start and after the end nothing counts
static void
tracking_is_judged_by_its_rms(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_measures_t * m = &rig->m;
  demo_motion_t motion;
  const int64_t start = 5000 * MS;
  demo_motion_plan(&motion, &rig->robot, rig->robot.home, 3);
  for (int pass = 0; pass < 2; pass++) {
    const double off = pass == 0 ? 0.015 : 0.02;
    demo_probe_track(m, &motion, start);
    if (pass == 0) assert_null(check_of(m, ALL, "tracking"));
    for (int64_t t = start - 500 * MS; t < start + 3500 * MS; t += MS) {
      double q[DEMO_JOINTS];
      const double time = 1e-9 * (double)(t - start);
      demo_motion_at(&motion, time, q, NULL, NULL);
      const bool counts = time >= 0 && time <= demo_motion_duration(&motion);
      q[1] += counts ? off : 1;
      q[5] -= counts ? off : 1;
      demo_take_state(m, t, t, q, ZERO, ZERO);
    }
    const double rms = demo_rms(&m->track), wanted = off * sqrt(2.0 / 7);
    assert_close(&rms, &wanted, 1, 1e-9, "rms");
    assert_close(&m->track.max, &off, 1, 1e-9, "max");
    assert_true(m->track.joint == 1 || m->track.joint == 5);
    assert_int_equal(check_of(m, ALL, "tracking")->good, pass == 0);
    // without feedback it is only told
    assert_true(check_of(m, (demo_judge_t){true, false}, "tracking")->good);
    assert_string_equal(check_of(m, (demo_judge_t){true, false}, "tracking")->bound, "");
  }
  rig_drop(rig);
}

// energy that a push has left: by the square of the velocity, which the test chooses
static void
damping_is_judged_by_the_energy(void ** state)
{
  (void)state;
  for (int pass = 0; pass < 3; pass++) {
    rig_t * rig = rig_load("arm7");
    demo_measures_t * m = &rig->m;
    const double noise = 1e-3, end = pass == 0 ? 0.1 : 0.6, start = pass == 2 ? 4e-3 : 1;
    double v[DEMO_JOINTS] = {noise};
    demo_probe_decay(m, 2 * MS, 10 * MS);
    demo_take_state(m, MS, MS, rig->robot.home, v, ZERO);
    for (int64_t t = 2; t <= 20; t++) {
      // faster while the push lasts, which does not count
      v[0] = t < 10 ? 9 : t < 20 ? start : end * start;
      demo_take_state(m, t * MS, t * MS, rig->robot.home, v, ZERO);
    }
    assert_null(check_of(m, ALL, "damping"));
    demo_probe_stop(m);
    const demo_check_t * c = check_of(m, ALL, "damping");
    if (pass == 2) {
      // hardly more than the noise: nothing to judge
      assert_null(c);
    } else {
      assert_non_null(c);
      assert_int_equal(c->good, pass == 0);
      assert_non_null(strstr(c->value, pass == 0 ? "1 % of" : "36 % of"));
    }
    rig_drop(rig);
  }
}

// what the robot does that is pushed so: no joint more than it was to
static void
nudge_is_gentle(void ** state)
{
  (void)state;
  static const char * const robots[] = {"arm7", "arm6", "hand", "quadruped"};
  static const double rest[DEMO_JOINTS];
  for (size_t k = 0; k < sizeof robots / sizeof robots[0]; k++) {
    rig_t * rig = rig_load(robots[k]);
    demo_robot_t * r = &rig->robot;
    const mbd_vec3_t f = demo_robot_nudge(r, r->home, 1.5);
    const mbd_wrench_t wrench = {
      .frame = r->tip, .reference = MBD_LOCAL_WORLD_ALIGNED, .f = {.lin = f}};
    double bias[DEMO_JOINTS], J[6 * DEMO_JOINTS], M[DEMO_JOINTS * DEMO_JOINTS], a[DEMO_JOINTS];
    double most = 0, tau[DEMO_JOINTS];
    assert_int_equal(demo_robot_place(r, r->home), MBD_OK);
    assert_int_equal(mbd_set_velocity(r->model, r->data, rest), MBD_OK);
    assert_int_equal(mbd_gravity(r->model, r->data, bias), MBD_OK);
    assert_int_equal(
      mbd_forward_dynamics(r->model, r->data, NULL, NULL, bias, &(mbd_wrenches_t){1, &wrench}, a),
      MBD_OK);
    for (int i = 0; i < r->n; i++) most = fmax(most, fabs(a[i]));
    assert_true(fabs(most - 1.5) < 1e-9);
    // M a is what the force gives the joints: J^T f, rows angular first
    assert_int_equal(mbd_mass_matrix(r->model, r->data, M), MBD_OK);
    assert_int_equal(mbd_jacobian(r->model, r->data, r->tip, MBD_LOCAL_WORLD_ALIGNED, J), MBD_OK);
    for (int i = 0; i < r->n; i++) {
      tau[i] = 0;
      for (int j = 0; j < r->n; j++) tau[i] += M[i * r->n + j] * a[j];
      const double applied = J[3 * r->n + i] * f.x + J[4 * r->n + i] * f.y + J[5 * r->n + i] * f.z;
      assert_true(fabs(tau[i] - applied) < 1e-9);
    }
    double largest = 0;
    for (int i = 0; i < r->n; i++) largest = fmax(largest, fabs(tau[i]));
    assert_true(fabs(demo_robot_push_torque(r, r->home, f) - largest) < 1e-9);
    rig_drop(rig);
  }
}

// a wrench in the axes of a tip that is turned; placed by hand, off by a known part
static void
push_is_compared_in_world_axes(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_measures_t * m = &rig->m;
  const mbd_vec3_t force = {12, -9, 8};  // 17 N
  mbd_placement_t X;
  demo_take_state(m, MS, MS, rig->robot.home, ZERO, ZERO);
  assert_ok(mbd_set_position(rig->model, rig->robot.data, rig->robot.home));
  assert_ok(mbd_frame_placement(rig->model, rig->robot.data, rig->robot.tip, &X));
  for (int pass = 0; pass < 2; pass++) {
    const double part = pass == 0 ? 1.04 : 0.94;
    const double * R = X.R.m;
    const mbd_vec3_t local = {
      part * (R[0] * force.x + R[3] * force.y + R[6] * force.z),
      part * (R[1] * force.x + R[4] * force.y + R[7] * force.z),
      part * (R[2] * force.x + R[5] * force.y + R[8] * force.z)};
    demo_probe_push(m, force, 10 * MS, 20 * MS);
    for (int64_t t = 0; t < 30 * MS; t += MS) {
      const bool counts = t >= 10 * MS && t <= 20 * MS;
      const mbd_vec3_t none = {0, 0, 0}, moment = {1, 2, 3};
      demo_take_state(m, t, t, rig->robot.home, ZERO, ZERO);
      demo_take_wrench(m, t, counts ? local : none, counts ? none : moment);
    }
    const double error = demo_push_error(&m->push), wanted = fabs(part - 1);
    assert_close(&error, &wanted, 1, 1e-9, "error");
    assert_close(&m->push.moment.x, ZERO, 3, 1e-9, "moment");
    assert_int_equal(m->push.n, 11);
    assert_int_equal(check_of(m, ALL, "push")->good, pass == 0);
    assert_true(check_of(m, (demo_judge_t){false, true}, "push")->good);
  }
  // no estimate is no good estimate
  demo_probe_push(m, force, 10 * MS, 20 * MS);
  assert_false(check_of(m, ALL, "push")->good);
  rig_drop(rig);
}

static void
joint_torques_of_a_push(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("quadruped");
  demo_measures_t * m = &rig->m;
  const int n = rig->robot.n;
  const mbd_vec3_t force = {1, 2, 3};
  double J[6 * DEMO_JOINTS], tau[DEMO_JOINTS];
  demo_take_state(m, 15 * MS, 15 * MS, rig->robot.home, ZERO, ZERO);
  assert_ok(mbd_set_position(rig->model, rig->robot.data, rig->robot.home));
  assert_ok(mbd_jacobian(rig->model, rig->robot.data, rig->robot.tip, MBD_LOCAL_WORLD_ALIGNED, J));
  for (int i = 0; i < n; i++) {
    tau[i] = 1.1 * (J[3 * n + i] * force.x + J[4 * n + i] * force.y + J[5 * n + i] * force.z);
  }
  demo_probe_push(m, force, 10 * MS, 20 * MS);
  demo_take_external(m, tau);
  assert_close(&m->push.torque_error, &(double){0.1}, 1, 1e-9, "torques");
  rig_drop(rig);
}

static void
unanswered_joint_states_are_counted(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm6");
  demo_measures_t * m = &rig->m;
  for (int k = 0; k < 50; k++) demo_take_state(m, k * MS, k * MS, rig->robot.home, ZERO, ZERO);
  assert_null(check_of(m, ALL, "answers"));
  demo_count(m, true);
  for (int k = 0; k < 100; k++) {
    demo_take_state(m, k * MS, k * MS, rig->robot.home, ZERO, ZERO);
    if (k >= 5) demo_take_command(m, ZERO);
  }
  assert_true(check_of(m, ALL, "answers")->good);
  demo_take_state(m, 100 * MS, 100 * MS, rig->robot.home, ZERO, ZERO);
  assert_false(check_of(m, ALL, "answers")->good);
  // where no commands are expected it does not matter
  demo_count(m, false);
  assert_null(check_of(m, ALL, "answers"));
  rig_drop(rig);
}

//---------- several rounds ----------

static void
float_for_a_round(demo_measures_t * m, const double * home, int64_t start, double moved)
{
  double q[DEMO_JOINTS];
  memcpy(q, home, sizeof q);
  demo_take_state(m, start, start, q, ZERO, ZERO);
  demo_probe_drift(m);
  q[3] += moved;
  for (int k = 1; k < 100; k++) {
    demo_take_torques(m, start + k * MS, start + k * MS, ZERO);
    demo_take_state(m, start + k * MS, start + k * MS, q, ZERO, ZERO);
  }
  demo_probe_stop(m);
}

// what went wrong in the first round is not forgotten in the next
static void
verdict_is_that_of_the_worst_round(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_measures_t * m = &rig->m;
  demo_motion_t motion;
  const mbd_vec3_t force = {10, 0, 0};
  demo_motion_plan(&motion, &rig->robot, rig->robot.home, 3);
  for (int round = 0; round < 3; round++) {
    const int64_t start = (1 + round) * 10000 * MS;
    const double off = round == 1 ? 0.05 : 1e-5;
    double q[DEMO_JOINTS];
    float_for_a_round(m, rig->robot.home, start, off);
    demo_probe_track(m, &motion, start + 200 * MS);
    for (int64_t t = start + 100 * MS; t < start + 1200 * MS; t += MS) {
      demo_motion_at(&motion, 1e-9 * (double)(t - start - 200 * MS), q, NULL, NULL);
      for (int k = 0; k < rig->robot.n; k++) q[k] += off;
      demo_take_torques(m, t, t, ZERO);
      demo_take_state(m, t, t, q, ZERO, ZERO);
    }
    demo_probe_push(m, force, start + 1300 * MS, start + 1310 * MS);
    for (int64_t t = start + 1200 * MS; t < start + 1320 * MS; t += MS) {
      mbd_placement_t X;
      demo_take_torques(m, t, t, ZERO);
      demo_take_state(m, t, t, rig->robot.home, ZERO, ZERO);
      assert_ok(mbd_set_position(rig->model, rig->robot.data, rig->robot.home));
      assert_ok(mbd_frame_placement(rig->model, rig->robot.data, rig->robot.tip, &X));
      const double part = 1 + off * 2;
      const mbd_vec3_t local = {
        part * X.R.m[0] * force.x, part * X.R.m[1] * force.x, part * X.R.m[2] * force.x};
      demo_take_wrench(m, t, local, (mbd_vec3_t){0, 0, 0});
    }
    // a line of no length: the tip ought to stay where it is at home
    demo_line_t path = {.period = 4, .start = start};
    assert_ok(mbd_frame_placement(rig->model, rig->robot.data, rig->robot.tip, &path.from));
    demo_probe_line(m, &path);
    memcpy(q, rig->robot.home, sizeof q);
    q[1] += off;
    for (int64_t t = start + 1320 * MS; t < start + 1420 * MS; t += MS) {
      demo_take_torques(m, t, t, ZERO);
      demo_take_state(m, t, t, q, ZERO, ZERO);
    }
    demo_probe_stop(m);
    static const char * const NAME[4] = {"drift", "tracking", "push", "line"};
    for (int k = 0; k < 4; k++) {
      const demo_check_t * c = check_of(m, ALL, NAME[k]);
      assert_int_equal(c->good, round == 0);
      assert_false(c->busy);
      if (round == 0) assert_null(strstr(c->value, "round"));
      if (round == 2) assert_non_null(strstr(c->value, ", worst of 3 rounds"));
    }
  }
  // the current numbers are those of the last round
  assert_true(m->drift.max < 1e-4 && demo_rms(&m->track) < 1e-4 && demo_rms(&m->line) < 1e-4);
  rig_drop(rig);
}

//---------- a busy machine ----------

// no cycle of the node for 100 ms: the robot falls by 0.1 rad, which is not the node's fault; it is
// where it fell to that it ought to stay
static void
robot_without_a_node_is_not_judged(void ** state)
{
  (void)state;
  for (int pass = 0; pass < 3; pass++) {
    rig_t * rig = rig_load("arm7");
    demo_measures_t * m = &rig->m;
    double q[DEMO_JOINTS];
    memcpy(q, rig->robot.home, sizeof q);
    demo_take_torques(m, 1000 * MS, 1000 * MS, ZERO);
    demo_take_state(m, 1000 * MS, 1000 * MS, q, ZERO, ZERO);
    demo_probe_drift(m);
    for (int k = 1; k < 2000; k++) {
      const int64_t t = (1000 + k) * MS;
      const bool stalled = k >= 500 && k < 600;
      if (stalled && k >= 531) q[3] += 0.001;
      // a robot that goes on moving is judged again once it should have settled
      if (pass == 1 && k >= 600) q[3] += 1e-5;
      if (!stalled) demo_take_torques(m, t, t, ZERO);
      // and one whose node hardly ever runs is not judged at all
      if (pass == 2) m->settled = t + 1;
      demo_take_state(m, t, t, q, ZERO, ZERO);
    }
    const demo_check_t * c = check_of(m, ALL, "drift");
    assert_int_equal(c->good, pass == 0);
    assert_false(c->busy);
    if (pass == 0) {
      // 30 ms until it counts as a stall, then 300 ms after it
      assert_true(m->drift.excluded > 360 * 7u && m->drift.excluded < 380 * 7u);
      assert_int_equal(m->drift.excluded + m->drift.n, 1999 * 7u);
    }
    if (pass == 2) {
      // the cause is the machine only if it is
      assert_non_null(strstr(c->value, "not evaluated"));
      demo_take_processor(m, 1000, 1000);
      demo_count(m, true);
      demo_take_processor(m, 1000 + 50, 1000 + 49);
      assert_false(demo_is_busy(m) || check_of(m, ALL, "drift")->busy);
      demo_take_processor(m, 1000 + 50, 1000 + 51);
      assert_true(demo_is_busy(m) && check_of(m, ALL, "drift")->busy);
      assert_false(check_of(m, ALL, "drift")->good);
    }
    rig_drop(rig);
  }
}

// joint states that the node never saw are the machine's, commands that it did not send are not
static void
missing_answers_have_a_cause(void ** state)
{
  (void)state;
  for (int pass = 0; pass < 4; pass++) {
    const bool cycles = pass & 1, busy = pass & 2;
    rig_t * rig = rig_load("arm6");
    demo_measures_t * m = &rig->m;
    demo_count(m, true);
    for (int k = 0; k < 100; k++) {
      demo_take_state(m, k * MS, k * MS, rig->robot.home, ZERO, ZERO);
      if (k % 2 == 0 || cycles) demo_take_torques(m, k * MS, k * MS, ZERO);
      if (k % 2 == 0) demo_take_command(m, ZERO);
    }
    demo_take_processor(m, 100, busy ? 300 : 20);
    const demo_check_t * c = check_of(m, ALL, "answers");
    assert_false(c->good);
    assert_int_equal(c->busy, busy && !cycles);
    rig_drop(rig);
  }
}

static void
one_number_that_is_none_is_enough(void ** state)
{
  (void)state;
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 7; k++) {
    rig_t * rig = rig_load("arm7");
    demo_measures_t * m = &rig->m;
    double x[DEMO_JOINTS] = {0};
    const double * const term[4] = {ZERO, x, ZERO, ZERO};
    assert_true(check_of(m, ALL, "numbers")->good);
    x[k] = bad[k % 3];
    if (k == 0) demo_take_state(m, 0, 0, x, ZERO, ZERO);
    if (k == 1) demo_take_state(m, 0, 0, ZERO, x, ZERO);
    if (k == 2) demo_take_state(m, 0, 0, ZERO, ZERO, x);
    if (k == 3) demo_take_command(m, x);
    if (k == 4) demo_take_torques(m, 0, 0, x);
    if (k == 5) demo_take_terms(m, term);
    if (k == 6) demo_take_external(m, x);
    assert_int_equal(m->not_finite, 1);
    assert_false(check_of(m, ALL, "numbers")->good);
    rig_drop(rig);
  }
}

// 1 to 1000 us in a mixed order, more than fit being forgotten; the last ones are the last
static void
quantiles_of_latencies(void ** state)
{
  static int64_t scratch[DEMO_LATENCIES];
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_measures_t * m = &rig->m;
  demo_take_torques(m, 0, 123456789, ZERO);
  assert_int_equal(m->latencies, 0);
  demo_count(m, true);
  for (int k = 0; k < 200000; k++) {
    demo_take_torques(m, 5000, 5000 + 1000 * (1 + k * 7 % 1000), ZERO);
  }
  assert_int_equal(m->latencies, 200000);
  for (size_t last = 1000; last <= 64000; last *= 4) {
    const size_t n = demo_latencies_copy(m, last, scratch);
    assert_int_equal(n, last);
    demo_sort(scratch, n);
    const double p50 = demo_quantile(scratch, n, 0.5), p99 = demo_quantile(scratch, n, 0.99);
    assert_close(&p50, &(double){500e-6}, 1, 0.003, "median");
    assert_close(&p99, &(double){991e-6}, 1, 0.003, "99 %%");
  }
  assert_int_equal(m->latency_max, 1000000);
  for (int k = 0; k < 100; k++) demo_take_torques(m, 0, 5000000, ZERO);
  assert_int_equal(demo_latencies_copy(m, 101, scratch), 101);
  demo_sort(scratch, 101);
  assert_true(scratch[0] <= 1000000 && scratch[1] == 5000000);
  assert_true(isnan(demo_quantile(scratch, 0, 0.5)));
  rig_drop(rig);
}

// there and back with the least jerk: ends, middle, and the velocity by differences
static void
line_goes_there_and_back(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_line_t path = {.displacement = {0, 0.1, 0}, .period = 4, .start = 1000 * MS};
  path.from.p = (mbd_vec3_t){1, 2, 3};
  mbd_vec3_t p, v, a, b, unused;
  demo_line_at(&path, 0, &p, &v);
  assert_close(&p.x, &path.from.p.x, 3, 1e-15, "before the start");
  demo_line_at(&path, 2000 * MS, &p, &v);
  assert_close(&p.y, &(double){2.05}, 1, 1e-12, "half way");
  demo_line_at(&path, 3000 * MS, &p, &v);
  assert_close(&p.y, &(double){2.1}, 1, 1e-12, "there");
  demo_line_at(&path, 5000 * MS, &p, &v);
  assert_close(&p.y, &(double){2.0}, 1, 1e-12, "back");
  for (int64_t t = 1010 * MS; t < 8000 * MS; t += 37 * MS) {
    demo_line_at(&path, t - 100000, &a, &unused);
    demo_line_at(&path, t + 100000, &b, &unused);
    demo_line_at(&path, t, &p, &v);
    const double slope = (b.y - a.y) / 200e-6;
    assert_close_(&v.y, &slope, 1, 1e-6, 0.1, __FILE__, __LINE__, "velocity");
  }
  rig_drop(rig);
}

// a base that ought to stay, to stay upright, and to come back
static void
base_is_judged_where_it_stands(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("quadruped");
  demo_measures_t * m = &rig->m;
  mbd_placement_t X = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0.3, -0.2, 0.3}};
  demo_take_command(m, ZERO);
  demo_take_base(m, 1 * MS, &X);
  // an arm: nobody asks
  assert_null(check_of(m, ALL, "standing"));
  demo_probe_stand(m);
  assert_false(check_of(m, ALL, "standing")->good);
  X.p.x += 0.0008;
  demo_take_base(m, 2 * MS, &X);
  assert_true(check_of(m, ALL, "standing")->good);
  assert_null(check_of(m, ALL, "shove"));
  X.p.y += 0.0008;
  demo_take_base(m, 3 * MS, &X);
  assert_close(&m->base.creep, &(double){0.0008 * sqrt(2)}, 1, 1e-9, "creep");
  assert_false(check_of(m, ALL, "standing")->good);
  m->base.creep = 0;
  demo_probe_stop(m);
  // pushes: where it is in the end counts, of all of them the worst
  demo_probe_shove(m, 3);
  X.p.x += 0.05;
  demo_take_base(m, 4 * MS, &X);
  X.p.x -= 0.045;
  demo_take_base(m, 5 * MS, &X);
  demo_probe_stop(m);
  assert_true(check_of(m, ALL, "shove")->good);
  demo_probe_shove(m, 1);
  X.p.z -= 0.012;
  demo_take_base(m, 6 * MS, &X);
  demo_probe_stop(m);
  assert_false(check_of(m, ALL, "shove")->good);
  assert_non_null(strstr(check_of(m, ALL, "shove")->value, "12 mm away after 2 pushes of up to 3"));
  // tilted by 0.8 rad
  assert_true(check_of(m, ALL, "standing")->good);
  const double c = cos(0.8), s = sin(0.8);
  X.R = (mbd_mat3_t){{c, 0, s, 0, 1, 0, -s, 0, c}};
  demo_take_base(m, 7 * MS, &X);
  assert_false(check_of(m, ALL, "standing")->good);
  X.p.x = NAN;
  demo_take_base(m, 8 * MS, &X);
  assert_false(check_of(m, ALL, "numbers")->good);
  rig_drop(rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(drift_is_the_farthest_joint),
    cmocka_unit_test(tracking_is_judged_by_its_rms),
    cmocka_unit_test(damping_is_judged_by_the_energy),
    cmocka_unit_test(nudge_is_gentle),
    cmocka_unit_test(push_is_compared_in_world_axes),
    cmocka_unit_test(joint_torques_of_a_push),
    cmocka_unit_test(unanswered_joint_states_are_counted),
    cmocka_unit_test(verdict_is_that_of_the_worst_round),
    cmocka_unit_test(robot_without_a_node_is_not_judged),
    cmocka_unit_test(missing_answers_have_a_cause),
    cmocka_unit_test(one_number_that_is_none_is_enough),
    cmocka_unit_test(quantiles_of_latencies),
    cmocka_unit_test(line_goes_there_and_back),
    cmocka_unit_test(base_is_judged_where_it_stands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
