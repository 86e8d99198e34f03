// Trajectories that are given up on their way: the reference comes to rest, with bounded jerk.
#include "control_rig.h"

static const char * const ALL[7] = {"joint1", "joint2", "joint3", "joint4",
                                    "joint5", "joint6", "joint7"};
static const double DT = 1e-3;

static int
make_rig(void ** state)
{
  rig_t * rig = calloc(1, sizeof *rig);
  rig_arm(rig);
  rig->s->mode = MODE_COMPUTED_TORQUE;
  for (int k = 0; k < 7; k++) rig->s->kp[k] = 100, rig->s->kd[k] = 20;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  *state = rig;
  return 0;
}

static int
free_rig(void ** state)
{
  rig_free(*state);
  free(*state);
  return 0;
}

// 0.2 to 1.4 rad in two seconds
static trajectory_t *
begin(rig_t * rig, double * to)
{
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.2 * (k % 2 ? 1 : -1) * (1 + k % 3);
  trajectory_t * t = rig_trajectory(rig, 7, ALL, RIG_POSE, to, 0, 2);
  t->id = 12;
  controller_follow(rig->c, t);
  return t;
}

typedef struct motion {
  double jerk, speed_step;  // largest of all joints, by differences
  double time;              // until rest [s]
} motion_t;

// steps until the reference rests; the robot is where it is to be
static motion_t
measure(rig_t * rig, double from)
{
  motion_t m = {0};
  for (int n = 1; n < 3000; n++) {
    double a[7], v[7];
    memcpy(a, rig->c->a_ref, sizeof a);
    memcpy(v, rig->c->v_ref, sizeof v);
    rig_step(rig, from + n * DT, DT, NULL);
    memcpy(rig->q, rig->c->q_ref, 7 * sizeof(double));
    for (int k = 0; k < 7; k++) {
      m.jerk = fmax(m.jerk, fabs(rig->c->a_ref[k] - a[k]) / DT);
      m.speed_step = fmax(m.speed_step, fabs(rig->c->v_ref[k] - v[k]));
    }
    if (rig->c->tracking) continue;
    m.time = n * DT;
    return m;
  }
  fail_msg("the reference does not come to rest");
  return m;
}

static double
go_until(rig_t * rig, double until)
{
  double t = 0;
  for (int n = 1; (t = n * DT) < until; n++) {
    rig_step(rig, t, DT, NULL);
    memcpy(rig->q, rig->c->q_ref, 7 * sizeof(double));
  }
  return t - DT;
}

static void
jerk_is_bounded(void ** state)
{
  rig_t * rig = *state;
  double to[7], was[7], speed[7];
  static const double when[4] = {0.2, 0.7, 1.0, 1.6}, jerk[2] = {20, 200};
  for (int n = 0; n < 8; n++) {
    controller_restart(rig->c);
    memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
    rig->s->stop_jerk = jerk[n / 4];
    trajectory_t * t = begin(rig, to);
    const double at = go_until(rig, when[n % 4]);
    memcpy(was, rig->c->q_ref, sizeof was);
    memcpy(speed, rig->c->v_ref, sizeof speed);
    assert_int_equal(controller_progress(rig->c).phase, FOLLOW_ON);
    assert_int_equal(controller_progress(rig->c).id, 12);
    controller_stop(rig->c);
    assert_int_equal(controller_progress(rig->c).phase, FOLLOW_STOPPING);
    const motion_t m = measure(rig, at);
    assert_int_equal(controller_progress(rig->c).phase, FOLLOW_NOT);
    // of a cubic the slope of the acceleration is nowhere steeper than at its ends
    if (m.jerk > jerk[n / 4] * (1 + 1e-6)) fail_msg("jerk %g at %g s", m.jerk, at);
    assert_true(m.jerk > 0.2 * jerk[n / 4] && m.time < 1.5);
    // at the peak of the speed there is no acceleration: all joints go straight on
    for (int k = 0; k < 7 && n % 4 == 2; k++) {
      const double part = (rig->c->q_ref[k] - was[k]) / speed[k];
      const double first = (rig->c->q_ref[0] - was[0]) / speed[0];
      assert_true(fabs(part - first) < 1e-2 * first);
    }
    rig_drop(t);
  }
}

// what it is for: to hold at once is a step of the velocity
static void
holding_is_a_step(void ** state)
{
  rig_t * rig = *state;
  double to[7];
  trajectory_t * t = begin(rig, to);
  const double at = go_until(rig, 1);
  controller_hold(rig->c);
  const motion_t m = measure(rig, at);
  assert_true(m.speed_step > 0.1);
  rig_drop(t);
}

// fast towards a limit with little jerk: the limit counts more
static void
limits_come_first(void ** state)
{
  rig_t * rig = *state;
  const mbd_limits_t * limits = &rig->c->model->body[rig->c->model->dof_body[0]].limits;
  const double from[1] = {limits->upper - 0.5}, to[1] = {limits->upper - 0.01};
  rig->q[0] = from[0];
  controller_restart(rig->c);
  rig->s->stop_jerk = 1;
  trajectory_t * t = rig_trajectory(rig, 1, ALL, from, to, 0, 1);
  controller_follow(rig->c, t);
  const double at = go_until(rig, 0.5);
  assert_true(rig->c->v_ref[0] > 0.5);
  controller_stop(rig->c);
  measure(rig, at);
  assert_true(rig->c->q_ref[0] <= limits->upper && rig->c->q_ref[0] > from[0] + 0.2);
  rig_drop(t);
}

// a trajectory that has not begun, or has ended, is at rest already; another one takes over on the way
static void
other_times(void ** state)
{
  rig_t * rig = *state;
  double to[7];
  trajectory_t * t = begin(rig, to);
  controller_stop(rig->c);
  rig_step(rig, 0.001, DT, NULL);
  assert_int_equal(controller_progress(rig->c).phase, FOLLOW_NOT);
  assert_close(rig->c->q_ref, RIG_POSE, 7, 1e-12, "q_ref");

  controller_follow(rig->c, t);
  rig_step(rig, 3, DT, NULL);
  assert_int_equal(controller_progress(rig->c).phase, FOLLOW_END);
  controller_stop(rig->c);
  rig_step(rig, 3.001, DT, NULL);
  assert_int_equal(controller_progress(rig->c).phase, FOLLOW_NOT);
  assert_close(rig->c->q_ref, to, 7, 1e-12, "q_ref");
  rig_drop(t);

  controller_restart(rig->c);
  memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
  t = begin(rig, to);
  go_until(rig, 1);
  controller_stop(rig->c);
  controller_follow(rig->c, t);
  rig_step(rig, 1.001, DT, NULL);
  assert_int_equal(controller_progress(rig->c).phase, FOLLOW_ON);
  // a gap of the states
  controller_stop(rig->c);
  controller_restart(rig->c);
  rig_step(rig, 1.002, DT, NULL);
  assert_int_equal(controller_progress(rig->c).phase, FOLLOW_NOT);
  assert_close(rig->c->q_ref, rig->q, 7, 1e-12, "q_ref");
  rig_drop(t);
}

// made a while ago, from where the reference was then: no step where it is taken over
static void
begins_where_the_reference_is(void ** state)
{
  rig_t * rig = *state;
  static const double rest[7];
  for (int known = 0; known < 3; known++) {
    double to[7], was[7], speed[7], end[7];
    controller_restart(rig->c);
    memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
    trajectory_t * first = begin(rig, to);
    double at = go_until(rig, 0.9);
    memcpy(was, rig->c->q_ref, sizeof was);
    memcpy(speed, rig->c->v_ref, sizeof speed);
    for (int k = 0; k < 7; k++) end[k] = was[k] + 0.1;
    const trajectory_point_t point = {1, end, known > 0 ? rest : NULL, known > 1 ? rest : NULL};
    char reason[200] = "";
    trajectory_t * t = trajectory_create(
      rig->c->model, 7, ALL, 1, &point, was, speed, NULL, 0, reason, sizeof reason);
    if (!t) fail_msg("refused: %s", reason);
    // 50 ms later
    for (int n = 0; n < 50; n++) rig_step(rig, at += DT, DT, NULL);
    assert_true(fabs(rig->c->q_ref[2] - was[2]) > 0.02);
    memcpy(was, rig->c->q_ref, sizeof was);
    memcpy(speed, rig->c->v_ref, sizeof speed);
    controller_follow(rig->c, t);
    rig_step(rig, at += DT, DT, NULL);
    assert_close(rig->c->q_ref, was, 7, 1e-12, "position, derivatives %d", known);
    if (known > 0) assert_close(rig->c->v_ref, speed, 7, 1e-12, "velocity, derivatives %d", known);
    rig_step(rig, at + 1.1, DT, NULL);
    assert_close(rig->c->q_ref, end, 7, 1e-12, "end, derivatives %d", known);
    rig_drop(first);
    rig_drop(t);
  }
}

static void
path_tolerances(void ** state)
{
  rig_t * rig = *state;
  double to[7];
  for (int velocity = 0; velocity < 2; velocity++) {
    controller_restart(rig->c);
    memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
    memset(rig->v, 0, 7 * sizeof(double));
    trajectory_t * t = begin(rig, to);
    if (velocity)
      t->path_velocity[4] = 0.5;
    else
      t->path_position[4] = 0.05;
    double at = go_until(rig, 1);
    assert_false(controller_progress(rig->c).violated);
    rig->q[3] += 1, rig->v[3] = 20;  // nobody asks
    rig->q[4] += velocity ? 1 : 0.049, rig->v[4] = rig->c->v_ref[4] + (velocity ? 0.49 : 9);
    rig_step(rig, at += DT, DT, NULL);
    assert_false(controller_progress(rig->c).violated);
    rig->q[4] = rig->c->q_ref[4] + 0.06, rig->v[4] = rig->c->v_ref[4] + 0.6;
    rig_step(rig, at += DT, DT, NULL);
    const controller_progress_t p = controller_progress(rig->c);
    assert_true(p.violated && p.velocity == velocity && p.joint == 4);
    assert_true(fabs(p.error + (velocity ? 0.6 : 0.06)) < 0.02);
    assert_true(fabs(p.violated_at - at) < 1e-6);
    assert_int_equal(p.phase, FOLLOW_STOPPING);
    measure(rig, at);
    assert_true(controller_progress(rig->c).violated);
    rig_drop(t);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(jerk_is_bounded, make_rig, free_rig),
    cmocka_unit_test_setup_teardown(holding_is_a_step, make_rig, free_rig),
    cmocka_unit_test_setup_teardown(limits_come_first, make_rig, free_rig),
    cmocka_unit_test_setup_teardown(other_times, make_rig, free_rig),
    cmocka_unit_test_setup_teardown(begins_where_the_reference_is, make_rig, free_rig),
    cmocka_unit_test_setup_teardown(path_tolerances, make_rig, free_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
