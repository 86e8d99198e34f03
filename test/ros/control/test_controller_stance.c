// The quadruped and the humanoid stand, squat, step in place and are pushed on rigid ground. The oracle of
// the contact forces is mbd_contact_step, which knows nothing of the controller.
#include "matrix.h"
#include "stance_rig.h"

static const stance_robot_t * const ROBOTS[2] = {&QUADRUPED, &HUMANOID};

// every force of the ground in the cone of its friction, of the controller in that of the settings
static void
assert_in_cones(const stance_t * s)
{
  for (int i = 0; i < s->n; i++) {
    const mbd_vec3_t f = s->contact[i].force;
    assert_true(f.z >= 0 && hypot(f.x, f.y) <= s->ground * f.z * (1 + 1e-9));
  }
  const controller_support_t * support = &s->rig.c->support;
  for (int k = 0; k < support->n; k++) {
    for (int i = 0; i < mbd_support_points(&support->support[k]); i++) {
      const mbd_vec3_t f = support->support[k].force[i];
      assert_true(f.z >= 0 && hypot(f.x, f.y) <= support->support[k].friction * f.z * (1 + 1e-9));
    }
  }
}

// largest difference between the wrenches of the ground on the feet and those of the controller
static double
force_difference(const stance_t * s)
{
  double worst = 0;
  for (int k = 0; k < s->nfoot; k++) {
    const mbd_support_t * p = &s->rig.c->support.support[k];
    const mbd_force_t ground = stance_load_of(s, k);
    mbd_vec3_t sum = {0, 0, 0};
    for (int i = 0; i < mbd_support_points(p); i++) sum = mbdu_vec3_add(sum, p->force[i]);
    worst = fmax(worst, mbdu_vec3_norm(mbdu_vec3_sub(ground.lin, sum)));
  }
  return worst;
}

// how far the base and the feet are from a configuration [m]
static double
distance_from(stance_t * s, const double * q)
{
  double worst = 0;
  mbd_placement_t a, b;
  for (int k = -1; k < s->nfoot; k++) {
    const int frame = k < 0 ? 0 : s->foot[k].frame;
    assert_ok(mbd_set_position(s->model, s->plant, q));
    assert_ok(mbd_frame_placement(s->model, s->plant, frame, &a));
    assert_ok(mbd_set_position(s->model, s->plant, s->q));
    assert_ok(mbd_frame_placement(s->model, s->plant, frame, &b));
    worst = fmax(worst, mbdu_vec3_norm(mbdu_vec3_sub(a.p, b.p)));
  }
  return worst;
}

//---------- standing ----------

// dropped from 5 mm; then 60 s at 500 commands per second
static void
stands_for_a_minute(void ** state)
{
  (void)state;
  for (int r = 0; r < 2; r++) {
    stance_t s;
    double held[RIG_MAX];
    stance_load(&s, ROBOTS[r], 100, 20);
    s.q[2] += 0.005;
    s.period = 2;
    s.rig.c->sample_time = 0.002;
    stance_run(&s, 2);
    memcpy(held, s.q, sizeof held);
    const uint64_t limited = s.rig.c->support.limited;
    for (int k = 0; k < 58; k++) {
      stance_run(&s, 1);
      assert_true(fabs(stance_normal(&s) / stance_weight(&s) - 1) < 1e-9);
      assert_true(force_difference(&s) < 1e-9 * stance_weight(&s));
      assert_in_cones(&s);
      assert_true(distance_from(&s, held) < 1e-7);
    }
    assert_true(s.rig.c->support.limited == limited);
    assert_true(s.missed == 0 && s.limited == 0);
    stance_free(&s);
  }
}

// sensors with noise, motors with friction, ground that has less than the settings say
static void
stands_with_noise(void ** state)
{
  (void)state;
  enum { STEPS = 1500 };  // of a hundredth of a second
  for (int r = 0; r < 2; r++) {
    stance_t s;
    double held[RIG_MAX];
    stance_load(&s, ROBOTS[r], 100, 20);
    s.noisy = true;
    s.rig.s->model_terms = MBD_TERM_FRICTION;
    controller_apply(s.rig.c, s.rig.s);
    assert_ok(mbd_set_terms(s.plant, MBD_TERM_FRICTION));
    for (int i = 0; i < s.n; i++) s.contact[i].friction = s.ground = 0.5;
    stance_run(&s, 1);
    memcpy(held, s.q, sizeof held);
    double sum = 0;
    for (int k = 0; k < STEPS; k++) {
      stance_run(&s, 0.01);
      sum += stance_normal(&s);
      assert_in_cones(&s);
    }
    assert_true(distance_from(&s, held) < 1e-4);
    assert_true(fabs(sum / STEPS / stance_weight(&s) - 1) < 1e-3);
    stance_free(&s);
  }
}

//---------- pushes ----------

// on the base for 0.1 s; [N s]
static void
survives_a_push(void ** state)
{
  (void)state;
  static const struct {
    int robot;
    mbd_vec3_t push;
  } CASES[] = {{0, {8, 0, 0}},  {0, {0, 6, 0}}, {0, {0, 0, -8}},
               {1, {24, 0, 0}}, {1, {0, 8, 0}}, {1, {0, 0, -30}}};
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    stance_t s;
    stance_load(&s, ROBOTS[CASES[k].robot], 100, 20);
    stance_run(&s, 0.5);
    stance_push(&s, mbdu_vec3_scale(10, CASES[k].push), 0.1);
    double worst = 0;
    for (int i = 0; i < 400; i++) {
      stance_run(&s, 0.01);
      worst = fmax(worst, distance_from(&s, s.home));
      assert_in_cones(&s);
    }
    assert_true(worst > 0.005);
    assert_true(distance_from(&s, s.home) < 0.01);
    assert_true(fabs(stance_normal(&s) / stance_weight(&s) - 1) < 1e-6);
    stance_free(&s);
  }
}

//---------- squats ----------

static void
squats(void ** state)
{
  (void)state;
  // down, back and forward with the trunk: ankles bend by a third of a radian at most
  static const double DEPTH[2] = {0.08, 0.09}, BACK[2] = {0, 0.12}, PITCH[2] = {0, 0.4};
  for (int r = 0; r < 2; r++) {
    stance_t s;
    double low[RIG_MAX], worst = 0, lowest = HUGE_VAL, e[RIG_MAX], difference = 0;
    stance_load(&s, ROBOTS[r], 100, 20);
    stance_pose(&s, mbdu_vec3(-BACK[r], 0, -DEPTH[r]), PITCH[r], -1, 0, low);
    for (int k = 0; k < 4; k++) {
      stance_move(&s, k % 2 ? s.home : low, 0.75);
      for (int i = 0; i < 80; i++) {
        stance_run(&s, 0.01);
        assert_ok(mbd_difference(s.model, s.q, s.rig.c->q_ref, e));
        for (int j = 6; j < s.model->nv; j++) worst = fmax(worst, fabs(e[j]));
        lowest = fmin(lowest, s.q[2]);
        difference = fmax(difference, force_difference(&s));
        assert_in_cones(&s);
      }
    }
    assert_true(fabs(s.home[2] - lowest - DEPTH[r]) < 0.002);
    assert_true(worst < 0.01);
    assert_true(s.rig.c->support.limited == 0 && s.limited == 0);
    stance_free(&s);
  }
}

//---------- the command

// Every mode: under its command the ground carries the robot with the controller's forces, and the robot
// accelerates as the mode wants, base included: 0, or what takes it along the reference.
static void
modes_carry_the_robot(void ** state)
{
  (void)state;
  static const controller_mode_t MODES[7] = {MODE_GRAVITY_COMPENSATION, MODE_QUASI_VELOCITY_DAMPING,
                                             MODE_INVERSE_DYNAMICS,     MODE_COMPUTED_TORQUE,
                                             MODE_OPERATIONAL_SPACE,    MODE_JOINT_IMPEDANCE,
                                             MODE_CARTESIAN_IMPEDANCE};
  for (int r = 0; r < 2; r++) {
    for (int m = 0; m < 7; m++) {
      stance_t s;
      double low[RIG_MAX], a[RIG_MAX];
      stance_load(&s, ROBOTS[r], 100, 20);
      s.rig.s->mode = MODES[m];
      s.rig.s->task_frame = 0;
      for (int k = 0; k < 6; k++) s.rig.s->task_row[k] = true, s.rig.s->task_kp[k] = 50;
      for (int k = 0; k < 6; k++) s.rig.s->task_stiffness[k] = 50;
      for (int k = 0; k < s.model->nv; k++) s.rig.s->joint_stiffness[k] = 5;
      controller_apply(s.rig.c, s.rig.s);
      stance_pose(&s, mbdu_vec3(0, 0, -0.03), 0, -1, 0, low);
      rig_state(&s.rig, s.q, s.v);
      rig_step(&s.rig, 0, 0, NULL);
      stance_move(&s, low, 1);
      s.rig.c->targets.pose_known = true;
      s.rig.c->targets.pose = mbdu_placement_identity();
      s.rig.c->targets.pose.p = mbdu_vec3(s.home[0] + 0.01, s.home[1], s.home[2]);
      rig_step(&s.rig, 0.2, 0.2, NULL);
      const controller_t * c = s.rig.c;
      assert_true(c->support.info.reached);
      if (MODES[m] == MODE_INVERSE_DYNAMICS) {
        memcpy(s.q, c->q_ref, sizeof(double) * (size_t)s.model->nq);
        memcpy(s.v, c->v_ref, sizeof(double) * (size_t)s.model->nv);
        s.q[2] -= stance_lowest(&s);
      }
      place_contacts(&s);
      s.dt = 1;  // contacts have forces, not impulses
      assert_ok(mbd_contact_acceleration(
        s.model, s.plant, c->command, NULL, s.n, s.contact, NULL, s.work, a, NULL, NULL, NULL));
      assert_true(force_difference(&s) < 1e-6 * stance_weight(&s));
      // joints on a straight line move the feet a little against each other; tasks and springs go as far
      // as the feet let them
      const double tolerance = MODES[m] == MODE_INVERSE_DYNAMICS ? 2e-3 : 1e-6;
      for (int k = 0; k < s.model->nv && m < 4; k++) {
        assert_near(a[k], c->acceleration[k], tolerance, "%s, mode %d", ROBOTS[r]->name, m);
      }
      stance_free(&s);
    }
  }
}

// on two feet: these stay, and about the line through them the base goes by its own gains
static void
base_turns_about_two_feet(void ** state)
{
  (void)state;
  stance_t s;
  mbd_vec3_t at[2];
  stance_load(&s, &QUADRUPED, 100, 20);
  rig_state(&s.rig, s.q, s.v);
  rig_step(&s.rig, 0, 0, NULL);
  controller_settings_t * set = s.rig.s;
  set->nsupport = 2;
  set->support[1] = s.foot[3];  // across
  controller_apply(s.rig.c, set);
  s.rig.v[3] = 0.3, s.rig.v[4] = -0.2, s.rig.v[5] = 0.1;
  rig_step(&s.rig, 0.01, 0.01, NULL);
  const controller_t * c = s.rig.c;
  assert_ok(mbd_set_position(s.model, s.plant, s.q));
  assert_ok(mbd_set_velocity(s.model, s.plant, s.rig.v));
  assert_ok(mbd_set_acceleration(s.model, s.plant, c->acceleration));
  mbd_motion_t A[2];
  for (int k = 0; k < 2; k++) {
    assert_ok(mbd_support_point(s.model, s.plant, &set->support[k], 0, &at[k]));
    assert_ok(mbd_frame_acceleration(
      s.model, s.plant, set->support[k].frame, MBD_LOCAL_WORLD_ALIGNED, &A[k]));
    A[k].lin = mbdu_vec3_add(A[k].lin, mbdu_vec3_cross(A[k].ang, mbdu_vec3(0, 0, -s.radius)));
  }
  // both along the line between them, which cannot get longer
  const mbd_vec3_t line = mbdu_vec3_sub(at[1], at[0]);
  const mbd_vec3_t along = mbdu_vec3_scale(1 / mbdu_vec3_norm(line), line);
  const mbd_vec3_t sum = mbdu_vec3_add(A[0].lin, A[1].lin);
  const mbd_vec3_t apart = mbdu_vec3_sub(A[0].lin, A[1].lin);
  assert_true(mbdu_vec3_norm(sum) < 1e-6);
  assert_true(mbdu_vec3_norm(mbdu_vec3_cross(along, apart)) < 1e-4);
  // -20 w of the base about it, whose axes are the world's
  const double * a = c->acceleration + 3;
  const mbd_vec3_t turn = mbdu_vec3(a[0] + 20 * 0.3, a[1] - 20 * 0.2, a[2] + 20 * 0.1);
  assert_near(mbdu_vec3_dot(turn, along), 0, 1e-5, "about the line");
  stance_free(&s);
}

// what holds it when joint states stop: gravity torques that stand
static void
hold_torques_stand(void ** state)
{
  (void)state;
  for (int r = 0; r < 2; r++) {
    stance_t s;
    double tau[RIG_MAX], a[RIG_MAX];
    stance_load(&s, ROBOTS[r], 100, 20);
    stance_run(&s, 0.1);
    assert_ok(controller_hold_torques(s.rig.c, tau));
    for (int k = 0; k < 6; k++) assert_true(tau[k] == 0);
    memset(s.v, 0, sizeof s.v);
    place_contacts(&s);
    assert_ok(mbd_contact_acceleration(
      s.model, s.plant, tau, NULL, s.n, s.contact, NULL, s.work, a, NULL, NULL, NULL));
    for (int k = 0; k < s.model->nv; k++) assert_near(a[k], 0, 1e-6, "%s", ROBOTS[r]->name);
    stance_free(&s);
  }
}

// a robot without a free base stands on nothing; what the core refuses is an error of the cycle
static void
bad_supports_are_refused(void ** state)
{
  (void)state;
  rig_t arm;
  rig_arm(&arm);
  arm.s->nsupport = 1;
  arm.s->support[0] = mbd_support_default();
  controller_apply(arm.c, arm.s);
  assert_int_equal(rig_try(&arm, 0, 0, NULL), MBD_ERROR_BAD_ARGUMENT);
  rig_free(&arm);
  stance_t s;
  stance_load(&s, &QUADRUPED, 100, 20);
  rig_state(&s.rig, s.q, s.v);
  s.rig.s->nsupport = CONTROLLER_SUPPORTS + 1;
  controller_apply(s.rig.c, s.rig.s);
  assert_int_equal(rig_try(&s.rig, 0, 0, NULL), MBD_ERROR_BAD_ARGUMENT);
  s.rig.s->nsupport = 1;
  s.rig.s->support[0].friction = NAN;
  controller_apply(s.rig.c, s.rig.s);
  assert_int_equal(rig_try(&s.rig, 0, 0, NULL), MBD_ERROR_NOT_FINITE);
  stance_free(&s);
}

//---------- steps in place ----------

// the weight off a foot, the foot off the supports, up and down again
static void
steps_in_place(void ** state)
{
  (void)state;
  static const double SHIFT[2][2] = {{0.05, 0.035}, {0, 0.075}};
  static const double LIFT[2] = {0.05, 0.03}, SWAY[2] = {0.8, 1.6};
  for (int r = 0; r < 2; r++) {
    stance_t s;
    double q[RIG_MAX];
    stance_load(&s, ROBOTS[r], 100, 20);
    for (int foot = 0; foot < s.nfoot; foot++) {
      mbd_placement_t X;
      assert_ok(mbd_set_position(s.model, s.plant, s.home));
      assert_ok(mbd_frame_placement(s.model, s.plant, s.foot[foot].frame, &X));
      const mbd_vec3_t away = {
        X.p.x > 0 ? -SHIFT[r][0] : SHIFT[r][0], X.p.y > 0 ? -SHIFT[r][1] : SHIFT[r][1], 0};
      stance_pose(&s, away, 0, -1, 0, q);
      stance_move(&s, q, SWAY[r]);
      stance_run(&s, SWAY[r] + 0.1);
      stance_carry(&s, foot);
      stance_pose(&s, away, 0, foot, LIFT[r], q);
      stance_move(&s, q, 0.4);
      stance_run(&s, 0.45);
      assert_true(stance_load_of(&s, foot).lin.z == 0);
      assert_ok(mbd_frame_placement(s.model, s.plant, s.foot[foot].frame, &X));
      assert_true(fabs(X.p.z - s.radius - LIFT[r]) < 0.005);
      stance_pose(&s, away, 0, -1, 0, q);
      stance_move(&s, q, 0.4);
      stance_run(&s, 0.45);
      stance_carry(&s, -1);
    }
    stance_move(&s, s.home, 0.5);
    stance_run(&s, 3);
    assert_true(distance_from(&s, s.home) < 0.01);
    assert_true(fabs(stance_normal(&s) / stance_weight(&s) - 1) < 1e-6);
    stance_free(&s);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(stands_for_a_minute),
    cmocka_unit_test(stands_with_noise),
    cmocka_unit_test(survives_a_push),
    cmocka_unit_test(squats),
    cmocka_unit_test(steps_in_place),
    cmocka_unit_test(modes_carry_the_robot),
    cmocka_unit_test(base_turns_about_two_feet),
    cmocka_unit_test(hold_torques_stand),
    cmocka_unit_test(bad_supports_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
