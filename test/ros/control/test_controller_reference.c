// What the joints are told to do: hold, trajectories, streams, restarts; and settings that are wrong.
#include "control_rig.h"

static const char * const ALL[7] = {"joint1", "joint2", "joint3", "joint4",
                                    "joint5", "joint6", "joint7"};
static const char * const TWO[2] = {"joint6", "joint2"};

static int
make_rig(void ** state)
{
  rig_t * rig = calloc(1, sizeof *rig);
  rig_arm(rig);
  rig->s->mode = MODE_COMPUTED_TORQUE;
  for (int k = 0; k < 7; k++) rig->s->kp[k] = 100, rig->s->kd[k] = 20;
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

static void
move(rig_t * rig, double by)
{
  for (int k = 0; k < 7; k++) rig->q[k] += by, rig->v[k] = by;
}

static void
expect_rest_at(const rig_t * rig, const double * q)
{
  const double zero[7] = {0};
  assert_close(rig->c->q_ref, q, 7, 1e-12, "q_ref");
  assert_close(rig->c->v_ref, zero, 7, 0, "v_ref");
  assert_close(rig->c->a_ref, zero, 7, 0, "a_ref");
  assert_false(rig->c->tracking);
}

// without a reference: where the robot was at the first step, wherever it goes
static void
holds_where_it_began(void ** state)
{
  rig_t * rig = *state;
  double q0[7];
  move(rig, 0.1);
  memcpy(q0, rig->q, sizeof q0);
  controller_apply(rig->c, rig->s);
  for (int n = 0; n < 5; n++, move(rig, 0.02)) {
    rig_step(rig, 0.01 * n, 0.01, NULL);
    expect_rest_at(rig, q0);
    // settings that are applied again do not move it
    controller_apply(rig->c, rig->s);
  }
  // a restart does, at the next step
  controller_restart(rig->c);
  move(rig, 0.3);
  memcpy(q0, rig->q, sizeof q0);
  rig_step(rig, 0.1, 0.01, NULL);
  move(rig, 0.3);
  rig_step(rig, 0.11, 0.01, NULL);
  expect_rest_at(rig, q0);
}

// each change of mode begins anew, the settings being one object or two
static void
a_mode_begins_by_holding(void ** state)
{
  rig_t * rig = *state;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  for (int n = 1; n < 5; n++) {
    double q0[7];
    rig->s->mode = n % 2 ? MODE_INVERSE_DYNAMICS : MODE_COMPUTED_TORQUE;
    controller_apply(rig->c, rig->s);
    move(rig, 0.1);
    memcpy(q0, rig->q, sizeof q0);
    rig_step(rig, 0.1 * n, 0.01, NULL);
    move(rig, 0.1);
    rig_step(rig, 0.1 * n + 0.01, 0.01, NULL);
    expect_rest_at(rig, q0);
  }
}

// joints that a trajectory does not name hold; at its end, and after it, those that it names, too
static void
follows_some_joints(void ** state)
{
  rig_t * rig = *state;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  const double from[2] = {RIG_POSE[5], RIG_POSE[1]}, to[2] = {2, -0.2};
  trajectory_t * t = rig_trajectory(rig, 2, TWO, from, to, 1, 2);
  controller_follow(rig->c, t);
  double want[7];
  memcpy(want, RIG_POSE, sizeof want);
  for (int n = 0; n <= 40; n++, move(rig, 0.001)) {
    const double x = fmin(fmax((0.1 * n - 1) / 2, 0), 1), s = rig_way(x);
    const double speed = 15 * x * x * (1 - x) * (1 - x);
    want[5] = from[0] + s * (to[0] - from[0]);
    want[1] = from[1] + s * (to[1] - from[1]);
    rig_step(rig, 0.1 * n, 0.1, NULL);
    assert_close(rig->c->q_ref, want, 7, 1e-9, "step %d", n);
    assert_true(fabs(rig->c->v_ref[5] - speed * (to[0] - from[0])) < 1e-9);
    assert_true(rig->c->v_ref[0] == 0 && rig->c->a_ref[6] == 0);
    assert_int_equal(rig->c->tracking, n < 30);
  }
  expect_rest_at(rig, want);
  assert_ptr_equal(rig->c->trajectory, t);
  controller_follow(rig->c, NULL);
  assert_null(rig->c->trajectory);
  rig_drop(t);
  rig_step(rig, 5, 0.1, NULL);
  expect_rest_at(rig, want);
  // the next one finds the joints where the last one left them
  const double back[1] = {2.5}, here[1] = {2};
  t = rig_trajectory(rig, 1, TWO, here, back, 6, 1);
  controller_follow(rig->c, t);
  rig_step(rig, 8, 0.1, NULL);
  want[5] = 2.5;
  expect_rest_at(rig, want);
  rig_drop(t);
}

// one that is cut short leaves the joints where the reference was, not where the robot is
static void
stops_half_way(void ** state)
{
  rig_t * rig = *state;
  double to[7], half[7];
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.2, half[k] = RIG_POSE[k] + 0.1;
  trajectory_t * t = rig_trajectory(rig, 7, ALL, RIG_POSE, to, 1, 2);
  controller_follow(rig->c, t);
  move(rig, 0.03);
  rig_step(rig, 2, 0.1, NULL);
  assert_true(rig->c->tracking && rig->c->v_ref[0] > 0.1);
  controller_follow(rig->c, NULL);
  rig_drop(t);
  rig_step(rig, 2.1, 0.1, NULL);
  expect_rest_at(rig, half);
}

// a restart or another mode ends it; a new one may come before the next step
static void
restart_ends_a_trajectory(void ** state)
{
  rig_t * rig = *state;
  double to[7], q0[7];
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.2;
  trajectory_t * t = rig_trajectory(rig, 7, ALL, RIG_POSE, to, 0, 10);
  for (int how = 0; how < 2; how++) {
    rig->s->mode = MODE_COMPUTED_TORQUE;
    controller_apply(rig->c, rig->s);
    controller_follow(rig->c, t);
    rig_step(rig, 1 + how, 0.1, NULL);
    assert_true(rig->c->tracking);
    if (how == 0) controller_restart(rig->c);
    if (how == 1) rig->s->mode = MODE_INVERSE_DYNAMICS, controller_apply(rig->c, rig->s);
    move(rig, 0.01);
    memcpy(q0, rig->q, sizeof q0);
    rig_step(rig, 1.1 + how, 0.1, NULL);
    expect_rest_at(rig, q0);
    // the object stays where the caller finds it
    assert_ptr_equal(rig->c->trajectory, t);
    controller_restart(rig->c);
    controller_follow(rig->c, t);
    rig_step(rig, 1.2 + how, 0.1, NULL);
    assert_true(rig->c->tracking);
  }
  // modes that follow nothing do not follow it, nor does what comes after them
  rig->s->mode = MODE_GRAVITY_COMPENSATION;
  controller_apply(rig->c, rig->s);
  controller_follow(rig->c, t);
  rig_step(rig, 4, 0.1, NULL);
  expect_rest_at(rig, rig->q);
  rig->s->mode = MODE_COMPUTED_TORQUE;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 4.1, 0.1, NULL);
  expect_rest_at(rig, rig->q);
  rig_drop(t);
}

// a stream takes over from a trajectory, holds its last position when it stops, and may fill in
// some joints alone
static void
streams(void ** state)
{
  rig_t * rig = *state;
  controller_stream_t * stream = &rig->c->stream;
  double to[7], want[7];
  rig->s->target_timeout = 0.5;
  controller_apply(rig->c, rig->s);
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.2;
  trajectory_t * t = rig_trajectory(rig, 7, ALL, RIG_POSE, to, 0, 10);
  controller_follow(rig->c, t);
  rig_step(rig, 5, 0.1, NULL);
  memcpy(want, rig->c->q_ref, sizeof want);
  // one joint: the others are where the reference was
  stream->q[3] = want[3] = -1, stream->v[3] = 0.5, stream->a[3] = 0.25;
  stream->known = true, stream->time = rig_ns(5);
  rig_step(rig, 5.4, 0.1, NULL);
  assert_close(rig->c->q_ref, want, 7, 1e-12, "stream");
  assert_true(rig->c->v_ref[3] == 0.5 && rig->c->a_ref[3] == 0.25 && rig->c->v_ref[2] == 0);
  assert_true(rig->c->tracking);
  rig_step(rig, 5.6, 0.1, NULL);
  expect_rest_at(rig, want);
  // the trajectory does not come back by itself
  stream->known = false;
  rig_step(rig, 5.7, 0.1, NULL);
  expect_rest_at(rig, want);
  // but may be given again, and then ends the stream
  stream->known = true, stream->time = rig_ns(5.8);
  controller_follow(rig->c, t);
  rig_step(rig, 9, 0.1, NULL);
  assert_true(rig->c->tracking && !stream->known);
  assert_true(rig->c->q_ref[3] != -1);
  // one that comes before the first step of a mode was filled up from an older state
  controller_restart(rig->c);
  stream->known = true, stream->time = rig_ns(9);
  move(rig, 0.05);
  rig_step(rig, 9.1, 0.1, NULL);
  expect_rest_at(rig, rig->q);
  rig_drop(t);
}

// nothing that is not finite stays: the step fails, the next one is as if it had not been
static void
bad_numbers_do_not_stay(void ** state)
{
  rig_t * rig = *state;
  double good[7];
  rig->s->integral_limit = 5;
  for (int k = 0; k < 7; k++) rig->s->ki[k] = 1;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  rig_step(rig, 0.01, 0.01, NULL);
  memcpy(good, rig->c->command, sizeof good);
  for (int i = 0; i < 5; i++) {
    double * const number[5] = {
      &rig->c->stream.q[2], &rig->c->stream.v[1], &rig->c->stream.a[0], &rig->q[1], &rig->v[6]};
    const double keep = *number[i];
    *number[i] = HUGE_VAL;
    rig->c->stream.known = i < 3;
    assert_int_equal(rig_try(rig, 0.02, 0.01, NULL), MBD_ERROR_NOT_FINITE);
    rig->c->stream.known = false;
    *number[i] = keep;
    rig_step(rig, 0.03, 0.01, NULL);
    assert_close(rig->c->command, good, 7, 1e-12, "after %d", i);
  }
}

// settings that cannot be are refused at each step, until others come
static void
bad_settings_are_refused(void ** state)
{
  rig_t * rig = *state;
  assert_int_equal(rig_try(rig, 0, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  controller_settings_t * s = rig->s;
  const controller_settings_t good = *s;
  for (int i = 0; i < 8; i++) {
    *s = good;
    mbd_status_t want = MBD_ERROR_BAD_ARGUMENT;
    switch (i) {
      case 0: s->task_frame = rig->model->nframe; break;
      case 1: s->task_frame = -2; break;
      case 2: s->npayload = CONTROLLER_PAYLOADS + 1; break;
      case 3: s->npayload = -1; break;
      case 4: s->npayload = 1, s->payload[0].frame = 999; break;
      case 5: s->npayload = 1, s->payload[0].inertia.mass = -1, want = MBD_ERROR_BAD_INERTIA; break;
      case 6: s->observer_options.gain = 0; break;
      default: s->model_terms = 64; break;
    }
    controller_apply(rig->c, s);
    for (int n = 0; n < 2; n++) assert_int_equal(rig_try(rig, 0, 0.01, NULL), want);
    *s = good;
    controller_apply(rig->c, s);
    rig_step(rig, 0, 0, NULL);
  }
  s->mode = (controller_mode_t)17;
  controller_apply(rig->c, s);
  assert_int_equal(rig_try(rig, 0, 0, NULL), MBD_ERROR_BAD_ARGUMENT);
}

// payloads of settings that were refused leave nothing behind
static void
refused_payloads_leave_nothing(void ** state)
{
  rig_t * rig = *state;
  uint64_t seed = 1;
  double with[7];
  rig->s->npayload = 1;
  rig->s->payload[0] = (controller_payload_t){rig_frame(rig, "tool"), random_inertia(&seed)};
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  memcpy(with, rig->c->gravity, sizeof with);
  const controller_payload_t good = rig->s->payload[0];
  rig->s->payload[0].inertia.mass = -1;
  controller_apply(rig->c, rig->s);
  assert_int_equal(rig_try(rig, 0, 0, NULL), MBD_ERROR_BAD_INERTIA);
  rig->s->payload[0] = good;
  controller_apply(rig->c, rig->s);
  rig_step(rig, 0, 0, NULL);
  assert_close(rig->c->gravity, with, 7, 0, "gravity");
}

// new settings are safe to use as they are
static void
settings_begin_passive(void ** state)
{
  rig_t * rig = *state;
  controller_settings_t * s = controller_settings_create(rig->model);
  controller_apply(rig->c, s);
  rig_step(rig, 0, 0, NULL);
  assert_false(rig->c->commanding);
  assert_true(rig->c->gravity[1] != 0);
  for (int k = 0; k < 7; k++) assert_true(rig->c->command[k] == 0);
  s->mail.destroy(&s->mail);
  controller_destroy(NULL);
}

int
main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, make_rig, free_rig)
  const struct CMUnitTest tests[] = {
    WITH_RIG(holds_where_it_began),      WITH_RIG(a_mode_begins_by_holding),
    WITH_RIG(follows_some_joints),       WITH_RIG(stops_half_way),
    WITH_RIG(restart_ends_a_trajectory), WITH_RIG(streams),
    WITH_RIG(bad_numbers_do_not_stay),   WITH_RIG(bad_settings_are_refused),
    WITH_RIG(settings_begin_passive),    WITH_RIG(refused_payloads_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
