// stay_in_component in the closed loop: what crosses a singularity without it stops before it with it, in
// every mode, and goes on with the first command that leads away.
//
// Oracle of the side on arm6: det J of three parallel axes and a wrist is known in closed form, a product of
// sin q3, sin q5 and a2 cos q2 + a3 cos(q2 + q3) + d5 sin(q2 + q3 + q4) with lengths of the URDF. On seven axes:
// the elbow is straight where q4 = 0.
#include "control_rig.h"

static const double START[6] = {0.3, -1.2, 1.5, -0.8, 1.2, 0.4};
static const double START7[7] = {0.2, 0.7, 0.3, 1.2, -0.2, 0.9, 0.1};

static int
side_of(const double * q)
{
  const double a2 = -0.425, a3 = -0.39225, d5 = 0.09465;
  const double shoulder = a2 * cos(q[1]) + a3 * cos(q[1] + q[2]) + d5 * sin(q[1] + q[2] + q[3]);
  return sin(q[2]) * sin(q[4]) * shoulder > 0 ? 1 : -1;
}

static void
begin(rig_t * rig, const char * file, const double * q, controller_mode_t mode, bool stay)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(file, &options, &model, NULL));
  rig_on(rig, model);
  rig->model = model;
  memcpy(rig->q, q, (size_t)model->nq * sizeof *q);
  controller_settings_t * s = rig->s;
  s->mode = mode;
  s->task_frame = rig_frame(rig, "tool");
  for (int k = 0; k < 6; k++) s->task_row[k] = true, s->task_kp[k] = 100, s->task_kd[k] = 20;
  s->singular = (mbd_singular_t){.policy = MBD_SINGULAR_DAMP, .damping = 0.01};
  for (int k = 0; k < model->nv; k++) {
    s->kp[k] = 100, s->kd[k] = 20, s->posture_kp[k] = 10, s->posture_kd[k] = 6;
    s->joint_stiffness[k] = k < 3 ? 400 : 100, s->nullspace_stiffness[k] = 10;
  }
  s->joint_by_ratio = s->task_by_ratio = true;
  s->damping_ratio = 1;
  for (int k = 0; k < 6; k++) s->task_stiffness[k] = k < 3 ? 1000 : 100;
  s->stay_in_component = stay;
  s->component_horizon = 0.1;
  controller_apply(rig->c, s);
}

#define ARM6 MBDYN_SOURCE_DIR "/config/robots/arm6.urdf"
#define ARM7 MBDYN_SOURCE_DIR "/test/data/seven_axes.urdf"

// what came of a motion
typedef struct outcome {
  bool crossed;   // a sign that the oracle knows
  double lowest;  // of |sin| of the joint that is watched
  double speed;   // largest at the end
} outcome_t;

static int checked;

// for some seconds
static outcome_t
run(rig_t * rig, sim_t * sim, int joint, double seconds)
{
  outcome_t o = {.lowest = 1};
  const int side = rig->model->nv == 6 ? side_of(sim->q) : 0;
  const bool positive = sin(sim->q[joint]) > 0;
  for (int n = 0; n < 1000 * seconds; n++) {
    sim_step(sim, 0.001);
    o.crossed = o.crossed || (sin(sim->q[joint]) > 0) != positive;
    if (rig->model->nv == 6) o.crossed = o.crossed || side_of(sim->q) != side;
    o.lowest = fmin(o.lowest, fabs(sin(sim->q[joint])));
    checked++;
  }
  for (int k = 0; k < rig->model->nv; k++) o.speed = fmax(o.speed, fabs(sim->v[k]));
  return o;
}

static trajectory_t *
trajectory_to(rig_t * rig, const sim_t * sim, const double * to, double duration)
{
  const char * name[7];
  for (int i = 0; i < rig->model->nbody; i++) name[i] = rig->model->body[i].joint_name;
  return rig_trajectory(rig, rig->model->nv, name, sim->q, to, sim->t, duration);
}

//---------- joints ----------

// a trajectory of one joint through its singularity, and back
static void
try_joint(const char * file, const double * from, controller_mode_t mode, int joint)
{
  for (int stay = 0; stay < 2; stay++) {
    rig_t rig;
    double to[7];
    begin(&rig, file, from, mode, stay);
    sim_t sim = rig_simulation(&rig);
    memcpy(to, from, (size_t)rig.model->nq * sizeof *to);
    to[joint] = -from[joint];
    trajectory_t * over = trajectory_to(&rig, &sim, to, 2);
    controller_follow(rig.c, over);
    const outcome_t o = run(&rig, &sim, joint, 3);
    const controller_component_t * c = &rig.c->component;
    assert_int_equal(o.crossed, !stay);
    assert_int_equal(c->held, stay);
    if (stay) {
      // at rest, before it, and not far before it
      if (o.speed > 1e-3 || o.lowest < 5e-4 || o.lowest > 0.3)
        fail_msg("%s joint %d: speed %g, sin %g", file, joint + 1, o.speed, o.lowest);
      assert_int_equal(c->holds, 1);
      assert_int_equal(c->abandoned, 1);
      assert_int_equal(c->crossings, 0);
      double at;
      assert_false(controller_following(rig.c, &at));
      // another one, that leads across too, gets no further
      trajectory_t * again = trajectory_to(&rig, &sim, to, 2);
      controller_follow(rig.c, again);
      assert_false(run(&rig, &sim, joint, 3).crossed);
      assert_true(c->held);
      assert_int_equal(c->abandoned, 2);
      // back
      trajectory_t * back = trajectory_to(&rig, &sim, from, 2);
      controller_follow(rig.c, back);
      // feed-forward alone is unstable: it is let go, but gets where it wants to
      const bool feedback = mode != MODE_INVERSE_DYNAMICS;
      assert_false(run(&rig, &sim, joint, feedback ? 3 : 0.3).crossed);
      assert_false(c->held);
      for (int k = 0; feedback && k < rig.model->nv; k++) {
        assert_true(fabs(sim.q[k] - from[k]) < 1e-3);
      }
      if (feedback) assert_true(sin(sim.q[joint]) > 2 * o.lowest);
      rig_drop(again), rig_drop(back);
    }
    rig_drop(over);
    rig_free(&rig);
  }
}

static void
joints_stop_before_the_singularity(void ** state)
{
  (void)state;
  try_joint(ARM6, START, MODE_COMPUTED_TORQUE, 2);
  try_joint(ARM6, START, MODE_COMPUTED_TORQUE, 4);
  try_joint(ARM6, START, MODE_JOINT_IMPEDANCE, 2);
  try_joint(ARM6, START, MODE_INVERSE_DYNAMICS, 2);
  print_message("             %d states\n", checked);
  assert_true(checked > 20000);
}

// no determinant, but the elbow is straight where all configurations are singular
static void
seven_axes_stop_before_the_singularity(void ** state)
{
  (void)state;
  try_joint(ARM7, START7, MODE_COMPUTED_TORQUE, 3);
}

// at 50 commands per second it cannot brake as fast: it begins earlier, and no gain has to be bounded
static void
slow_commands_look_further_ahead(void ** state)
{
  (void)state;
  double lowest[2];
  for (int slow = 0; slow < 2; slow++) {
    rig_t rig;
    double to[6];
    begin(&rig, ARM6, START, MODE_COMPUTED_TORQUE, true);
    for (int k = 0; k < 6; k++) rig.s->kp[k] = 25, rig.s->kd[k] = 10;
    rig.c->sample_time = slow ? 0.02 : 0.001;
    sim_t sim = rig_simulation(&rig);
    memcpy(to, START, sizeof to);
    to[2] = -START[2];
    trajectory_t * over = trajectory_to(&rig, &sim, to, 2);
    controller_follow(rig.c, over);
    const outcome_t o = run(&rig, &sim, 2, 3);
    assert_false(o.crossed);
    assert_int_equal(rig.c->bound.cycles, 0);
    lowest[slow] = o.lowest;
    rig_drop(over);
    rig_free(&rig);
  }
  assert_true(lowest[1] > 1.5 * lowest[0]);
}

// where no singularity is in the way nothing is held
static void
motions_within_a_component_are_free(void ** state)
{
  (void)state;
  const double to[6] = {1.5, -0.9, 2.2, -1.6, 2.4, -2.0};
  double q[2][6];
  for (int stay = 0; stay < 2; stay++) {
    rig_t rig;
    begin(&rig, ARM6, START, MODE_COMPUTED_TORQUE, stay);
    sim_t sim = rig_simulation(&rig);
    trajectory_t * t = trajectory_to(&rig, &sim, to, 2);
    controller_follow(rig.c, t);
    assert_false(run(&rig, &sim, 2, 2.5).crossed);
    assert_int_equal(rig.c->component.holds, 0);
    memcpy(q[stay], sim.q, sizeof q[stay]);
    rig_drop(t);
    rig_free(&rig);
  }
  assert_memory_equal(q[0], q[1], sizeof q[0]);
  for (int k = 0; k < 6; k++) assert_true(fabs(q[0][k] - to[k]) < 1e-3);
}

//---------- frames and hands ----------

// a pose in which the wrist is turned over: the straight way there goes through the singularity
static void
try_frame(controller_mode_t mode)
{
  for (int stay = 0; stay < 2; stay++) {
    rig_t rig;
    double q[6];
    mbd_placement_t home, over;
    begin(&rig, ARM6, START, mode, stay);
    memcpy(q, START, sizeof q);
    assert_ok(mbd_set_position(rig.model, rig.plant, q));
    assert_ok(mbd_frame_placement(rig.model, rig.plant, rig.s->task_frame, &home));
    q[4] = -0.6;
    assert_ok(mbd_set_position(rig.model, rig.plant, q));
    assert_ok(mbd_frame_placement(rig.model, rig.plant, rig.s->task_frame, &over));
    sim_t sim = rig_simulation(&rig);
    rig.c->targets.pose = over, rig.c->targets.pose_known = true;
    // the first step of a mode clears targets of before
    sim_step(&sim, 0.001);
    rig.c->targets.pose = over, rig.c->targets.pose_known = true;
    const outcome_t o = run(&rig, &sim, 4, 4);
    assert_int_equal(o.crossed, !stay);
    if (stay) {
      assert_true(rig.c->component.held && !rig.c->targets.pose_known);
      assert_true(o.speed < 1e-3 && o.lowest > 5e-4);
      rig.c->targets.pose = home, rig.c->targets.pose_known = true;
      assert_false(run(&rig, &sim, 4, 4).crossed);
      assert_false(rig.c->component.held);
      mbd_placement_t X;
      assert_ok(mbd_set_position(rig.model, rig.plant, sim.q));
      assert_ok(mbd_frame_placement(rig.model, rig.plant, rig.s->task_frame, &X));
      assert_true(mbdu_vec3_norm(mbdu_vec3_sub(X.p, home.p)) < 1e-3);
    }
    rig_free(&rig);
  }
}

static void
frames_stop_before_the_singularity(void ** state)
{
  (void)state;
  try_frame(MODE_OPERATIONAL_SPACE);
  try_frame(MODE_CARTESIAN_IMPEDANCE);
}

// a hand pushes the elbow straight, and pulls it back: a wall that is soft, and lets go
static void
hands_feel_a_wall(void ** state)
{
  (void)state;
  for (int stay = 0; stay < 2; stay++) {
    rig_t rig;
    double hand[6] = {0, 0, -2, 0, 0, 0};
    begin(&rig, ARM6, START, MODE_GRAVITY_COMPENSATION, stay);
    for (int k = 0; k < 6; k++) rig.s->damping[k] = k < 3 ? 1 : 0.02;
    sim_t sim = rig_simulation(&rig);
    sim.hidden = hand;
    const outcome_t o = run(&rig, &sim, 2, 4);
    assert_int_equal(o.crossed, !stay);
    if (stay) {
      assert_true(rig.c->component.held);
      assert_true(o.speed < 0.01);
      hand[2] = 3;
      assert_false(run(&rig, &sim, 2, 1).crossed);
      assert_true(!rig.c->component.held && sim.q[2] > 0.3);
    }
    rig_free(&rig);
  }
}

// who was pushed across stays there, and can go on from there
static void
the_other_side_is_a_component_too(void ** state)
{
  (void)state;
  rig_t rig;
  double there[6], to[6];
  begin(&rig, ARM6, START, MODE_COMPUTED_TORQUE, true);
  sim_t sim = rig_simulation(&rig);
  sim_step(&sim, 0.001);
  memcpy(there, START, sizeof there);
  there[2] = -0.5;
  memcpy(sim.q, there, sizeof there);
  (void)run(&rig, &sim, 2, 1);
  assert_int_equal(rig.c->component.crossings, 1);
  memcpy(to, there, sizeof to);
  to[2] = -0.7;
  trajectory_t * t = trajectory_to(&rig, &sim, to, 2);
  controller_follow(rig.c, t);
  assert_false(run(&rig, &sim, 2, 3).crossed);
  assert_true(fabs(sim.q[2] - to[2]) < 1e-3);
  assert_int_equal(rig.c->component.crossings, 1);
  rig_drop(t);
  rig_free(&rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(joints_stop_before_the_singularity),
    cmocka_unit_test(seven_axes_stop_before_the_singularity),
    cmocka_unit_test(slow_commands_look_further_ahead),
    cmocka_unit_test(motions_within_a_component_are_free),
    cmocka_unit_test(frames_stop_before_the_singularity),
    cmocka_unit_test(hands_feel_a_wall),
    cmocka_unit_test(the_other_side_is_a_component_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
