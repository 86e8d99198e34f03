// What acts on the simulated robot from outside and at its ends: stops, gears, pushes, loads.
#include "robots.h"

//---------- limits ----------

static mbd_model_t *
pendulum_with_stop(double upper)
{
  mbd_body_spec_t spec = pendulum_spec();
  spec.limits.lower = -1;
  spec.limits.upper = upper;
  return one_body(&spec);
}

// it swings into the stop, stays there while something presses, and comes away freely
static void
pendulum_stops_and_leaves(void ** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    plant_t * plant = plant_of(pendulum_with_stop(0.2), k == 0 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT);
    plant->v[0] = 3;
    double press = 8;  // more than gravity pulls back at 0.2 rad
    for (int i = 0; i < 500; i++) {
      assert_ok(plant_step(plant, &press, 1e-3));
      assert_true(plant->q[0] <= 0.2);
      if (plant->q[0] == 0.2) assert_true(plant->v[0] == 0);
    }
    assert_true(plant->q[0] == 0.2 && plant->at_limit[0]);
    assert_int_equal(plant->stops, 1);
    press = 0;
    assert_ok(plant_step(plant, &press, 1e-3));
    assert_true(plant->v[0] < 0);
    const double a = plant->v[0] / 1e-3, expected = -PENDULUM_WEIGHT * sin(0.2) / PENDULUM_INERTIA;
    assert_close(&a, &expected, 1, 1e-3, "acceleration away from the stop");
    plant_end(plant);
  }
}

// a joint that is on its way from the stop is braked by what presses, not by the stop
static void
stop_does_not_hold_back(void ** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    plant_t * plant = plant_of(pendulum_with_stop(0.2), k == 0 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT);
    plant->q[0] = 0.2, plant->v[0] = -1;
    const double press = 30;
    assert_ok(plant_step(plant, &press, 1e-5));
    const double a = (plant->v[0] + 1) / 1e-5;
    const double expected = (30 - PENDULUM_WEIGHT * sin(0.2)) / PENDULUM_INERTIA;
    assert_close(&a, &expected, 1, 1e-3, "acceleration");
    plant_end(plant);
  }
}

static void
limits_can_be_switched_off(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(pendulum_with_stop(0.2), PLANT_RK4);
  plant->options.limits = false;
  plant->v[0] = 3;
  coast(plant, 1e-3, 100);
  assert_true(plant->q[0] > 0.2);
  plant_end(plant);
}

static mbd_model_t *
limited_double_pendulum(mbd_limits_t first, mbd_limits_t second)
{
  mbd_model_t * model;
  mbd_body_spec_t spec = pendulum_spec();
  int frame;
  assert_ok(mbd_model_create("robot", &model));
  spec.limits = first;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  spec.name = "bob2";
  spec.joint_name = "hinge2";
  spec.parent = frame;
  spec.placement.p = (mbd_vec3_t){0, 0, -1};
  spec.limits = second;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

#define LIMITS(lower, upper)                                       \
  {                                                                \
    lower, upper, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL \
  }
static const mbd_limits_t no_limits = LIMITS(-HUGE_VAL, HUGE_VAL);

// the impulse at the second joint jerks the first one: v' = v - M^-1 e (e^T v) / (e^T M^-1 e)
static void
stop_is_felt_by_other_joints(void ** state)
{
  (void)state;
  const mbd_limits_t limits = LIMITS(-1, 0.5);
  plant_t * plant = plant_of(limited_double_pendulum(no_limits, limits), PLANT_SEMI_IMPLICIT);
  const double q[2] = {0.3, 0.49999999}, h = 1e-7;
  assert_ok(plant_reset(plant, q));
  plant->v[0] = 1, plant->v[1] = 4;
  const double before = total_energy(plant);
  double M_inv[4];
  assert_ok(mbd_set_position(plant->model, plant->data, q));
  assert_ok(mbd_mass_matrix_inverse(plant->model, plant->data, M_inv));
  coast(plant, h, 1);
  const double expected[2] = {1 - M_inv[1] * 4 / M_inv[3], 0};
  assert_close(plant->v, expected, 2, 1e-5, "velocity after the stop");
  assert_true(plant->q[1] == 0.5);
  // what is lost is 1/2 (e^T v)^2 / (e^T M^-1 e)
  const double lost = before - total_energy(plant), expected_loss = 0.5 * 16 / M_inv[3];
  assert_close(&lost, &expected_loss, 1, 1e-4, "energy");
  plant_end(plant);
}

// two stops at once: both rest, pressed by torques, and neither pulls
static void
two_stops_at_once(void ** state)
{
  (void)state;
  const mbd_limits_t limits = LIMITS(-0.5, 0.5);
  plant_t * plant = plant_of(limited_double_pendulum(limits, limits), PLANT_SEMI_IMPLICIT);
  const double press[2] = {60, -60}, ends[2] = {0.5, -0.5}, zero[2] = {0, 0};
  for (int i = 0; i < 2000; i++) assert_ok(plant_step(plant, press, 1e-3));
  assert_close(plant->q, ends, 2, 0, "q");
  assert_close(plant->v, zero, 2, 0, "v");
  // only the first is let go
  const double less[2] = {0, -60};
  for (int i = 0; i < 10; i++) assert_ok(plant_step(plant, less, 1e-3));
  assert_true(plant->q[0] < 0.5 && plant->v[0] < 0);
  assert_true(plant->q[1] == -0.5);
  plant_end(plant);
}

// a joint beside one that is pressed against its stop moves as if that one were part of the link:
// two bobs, the second hanging straight on: moment 0.7 + 0.7 + 2 (1 + 2 0.5), weight 9.81 (1 + 3)
static void
stop_carries_without_drift(void ** state)
{
  (void)state;
  const mbd_limits_t limits = LIMITS(-1, 0);
  for (int k = 0; k < 2; k++) {
    plant_t * plant = plant_of(
      limited_double_pendulum(no_limits, limits), k == 0 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT);
    const double q[2] = {1, 0}, press[2] = {-30, 30};
    assert_ok(plant_reset(plant, q));
    double angle = 1, rate = 0;  // by the midpoint rule, in small steps
    for (int i = 0; i < 1000000; i++) {
      const double half = angle + 5e-7 * rate;
      rate += 1e-6 * (-30 - 9.81 * 4 * sin(half)) / 5.4;
      angle = half + 5e-7 * rate;
    }
    for (int i = 0; i < 1000; i++) assert_ok(plant_step(plant, press, 1e-3));
    assert_true(plant->q[1] == 0);
    assert_close(plant->q, &angle, 1, k == 0 ? 1e-8 : 1e-2, "angle");
    assert_close(plant->v, &rate, 1, k == 0 ? 1e-8 : 1e-2, "rate");
    plant_end(plant);
  }
}

// a joint without room between its limits does not move
static void
locked_joint_does_not_move(void ** state)
{
  (void)state;
  const mbd_limits_t locked = LIMITS(0.1, 0.1);
  plant_t * plant = plant_of(limited_double_pendulum(no_limits, locked), PLANT_RK4);
  assert_true(plant->q[1] == 0.1);
  plant->q[0] = 1;
  for (int i = 0; i < 300; i++) {
    coast(plant, 1e-3, 1);
    assert_true(plant->q[1] == 0.1 && fabs(plant->v[1]) < 1e-12);
  }
  assert_true(plant->q[0] < 1);
  plant_end(plant);
}

//---------- mimic joints ----------

// fingers and indicator are one mass: 0.05 + 0.05 + 50^2 (moment of the indicator about its joint)
static void
gears_move_together(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("mimic_gripper"), PLANT_RK4);
  plant->options.friction = false;
  plant->options.gravity = (mbd_vec3_t){0, 0, 0};
  plant_set_options(plant, &plant->options);
  int left, right, turn;
  assert_ok(mbd_find_joint(plant->model, "finger_left", &left));
  assert_ok(mbd_find_joint(plant->model, "finger_right", &right));
  assert_ok(mbd_find_joint(plant->model, "indicator_turn", &turn));
  assert_ok(plant_reset(plant, NULL));
  assert_true(plant->q[plant->model->body[turn].q_index] == 1);
  double tau[4] = {0};
  tau[plant->model->body[left].v_index] = 0.02;
  tau[plant->model->body[right].v_index] = 0.01;
  for (int i = 0; i < 200; i++) assert_ok(plant_step(plant, tau, 1e-3));
  // indicator: moment 1e-7 about its centre, mass 0.002 at 0.01
  const double mass = 0.1 + 2500 * (1e-7 + 0.002 * 1e-4), moved = 0.5 * 0.03 / mass * 0.04;
  const double q[3] = {
    plant->q[plant->model->body[left].q_index], plant->q[plant->model->body[right].q_index],
    plant->q[plant->model->body[turn].q_index]};
  const double expected[3] = {moved, moved, 1 - 50 * moved};
  // the indicator turns the wrist a little
  assert_close(q, expected, 3, 1e-6, "fingers and indicator");
  plant_end(plant);
}

// the indicator reaches its end at 0.04 of the fingers; a stop of one holds all
static void
gears_stop_together(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("mimic_gripper"), PLANT_SEMI_IMPLICIT);
  int left, turn;
  assert_ok(mbd_find_joint(plant->model, "finger_left", &left));
  assert_ok(mbd_find_joint(plant->model, "indicator_turn", &turn));
  const mbd_body_t * finger = &plant->model->body[left];
  double tau[4] = {0};
  tau[finger->v_index] = 60;
  for (int i = 0; i < 2000; i++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_float_equal(plant->q[finger->q_index], 0.04, 1e-12);
  assert_float_equal(plant->q[plant->model->body[turn].q_index], -1, 1e-10);
  assert_float_equal(plant->v[finger->v_index], 0, 1e-9);
  tau[finger->v_index] = -60;
  for (int i = 0; i < 2000; i++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_float_equal(plant->q[finger->q_index], 0, 1e-12);
  plant_end(plant);
}

//---------- pushes ----------

// momentum = force times duration, whatever the step
static void
push_is_an_impulse(void ** state)
{
  (void)state;
  const double steps[3] = {1e-3, 0.7e-3, 0.03};
  for (int k = 0; k < 3; k++) {
    plant_t * plant = plant_of(free_body((mbd_sym3_t){0.3, 0, 0, 0.7, 0, 0.9}), k == 1);
    plant->options.gravity = (mbd_vec3_t){0, 0, 0};
    plant_set_options(plant, &plant->options);
    const plant_push_t push = {0, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0.2}, {5, -6, 7}}, 0.1234};
    assert_true(plant_push(plant, &push));
    coast(plant, steps[k], (int)(0.3 / steps[k]));
    assert_int_equal(plant->npush, 0);
    mbd_force_t momentum;
    double kinetic, potential;
    assert_ok(plant_energy(plant, &kinetic, &potential));
    assert_ok(mbd_centroidal_momentum(plant->model, plant->data, &momentum));
    const double got[4] = {momentum.lin.x, momentum.lin.y, momentum.lin.z, momentum.ang.z};
    const double expected[4] = {5 * 0.1234, -6 * 0.1234, 7 * 0.1234, 0.2 * 0.1234};
    // world axes turn a little in a step of the semi-implicit method
    assert_close(got, expected, 4, k == 2 ? 1e-2 : 1e-3, "momentum, step %g", steps[k]);
    const double size = sqrt(got[0] * got[0] + got[1] * got[1] + got[2] * got[2]);
    assert_close(&size, &(double){sqrt(110) * 0.1234}, 1, 1e-4, "its size");
    plant_end(plant);
  }
}

// local axes turn with the frame; a push on a link is felt by the joint through its arm
static void
push_has_axes_and_an_arm(void ** state)
{
  (void)state;
  const mbd_body_spec_t spec = pendulum_spec();
  plant_t * plant = plant_of(one_body(&spec), PLANT_SEMI_IMPLICIT);
  const double q = 0.5;
  assert_ok(plant_reset(plant, &q));
  // 3 N along the link's own x at its origin give no torque about it, 2 N m about y do
  plant_push_t push = {0, MBD_LOCAL, {{0, 2, 0}, {3, 0, 0}}, 10};
  assert_true(plant_push(plant, &push));
  coast(plant, 1e-6, 1);
  double a = plant->v[0] / 1e-6;
  double expected = (2 - PENDULUM_WEIGHT * sin(0.5)) / PENDULUM_INERTIA;
  assert_close(&a, &expected, 1, 1e-6, "acceleration");
  plant_end(plant);
}

static void
pushes_are_replaced_and_taken_off(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(free_body((mbd_sym3_t){0.3, 0, 0, 0.7, 0, 0.9}), PLANT_RK4);
  plant_push_t push = {0, MBD_LOCAL, {{0, 0, 0}, {3, 0, 0}}, HUGE_VAL};
  assert_true(plant_push(plant, &push));
  push.f.lin.x = 6;
  assert_true(plant_push(plant, &push));
  assert_int_equal(plant->npush, 1);
  coast(plant, 1e-3, 1000);
  assert_int_equal(plant->npush, 1);
  assert_float_equal(plant->v[0], 2, 1e-9);
  push.remaining = 0;
  assert_true(plant_push(plant, &push));
  assert_int_equal(plant->npush, 0);
  // one that is not there can be taken off too, and reset takes all off
  assert_true(plant_push(plant, &push));
  push.remaining = 1;
  assert_true(plant_push(plant, &push));
  assert_ok(plant_reset(plant, NULL));
  assert_int_equal(plant->npush, 0);
  for (int i = 0; i < PLANT_PUSHES; i++) {
    push.frame = i;
    assert_true(plant_push(plant, &push));
  }
  push.frame = PLANT_PUSHES;
  assert_false(plant_push(plant, &push));
  plant_end(plant);
}

//---------- loads ----------

// a point mass at the end of the pendulum
static void
load_is_carried(void ** state)
{
  (void)state;
  const mbd_body_spec_t spec = pendulum_spec();
  plant_t * plant = plant_of(one_body(&spec), PLANT_RK4);
  const mbd_inertia_t load =
    mbdu_inertia_from_com(4, (mbd_vec3_t){0, 0, -1}, (mbd_sym3_t){0, 0, 0, 0, 0, 0});
  assert_ok(plant_payload(plant, 0, &load));
  const double q = 1.2;
  double a, expected = -(PENDULUM_WEIGHT + 4 * 9.81) * sin(q) / (PENDULUM_INERTIA + 4);
  for (int k = 0; k < 2; k++) {
    assert_ok(plant_reset(plant, &q));
    coast(plant, 1e-6, 1);
    a = plant->v[0] / 1e-6;
    assert_close(&a, &expected, 1, 1e-6, "acceleration, %s", k == 0 ? "loaded" : "unloaded");
    assert_ok(plant_payload(plant, 0, NULL));
    expected = -PENDULUM_WEIGHT * sin(q) / PENDULUM_INERTIA;
  }
  assert_ok(plant_payload(plant, 0, NULL));
  assert_int_not_equal(plant_payload(plant, 99, &load), MBD_OK);
  plant_end(plant);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pendulum_stops_and_leaves),
    cmocka_unit_test(stop_does_not_hold_back),
    cmocka_unit_test(limits_can_be_switched_off),
    cmocka_unit_test(stop_is_felt_by_other_joints),
    cmocka_unit_test(two_stops_at_once),
    cmocka_unit_test(stop_carries_without_drift),
    cmocka_unit_test(locked_joint_does_not_move),
    cmocka_unit_test(gears_move_together),
    cmocka_unit_test(gears_stop_together),
    cmocka_unit_test(push_is_an_impulse),
    cmocka_unit_test(push_has_axes_and_an_arm),
    cmocka_unit_test(pushes_are_replaced_and_taken_off),
    cmocka_unit_test(load_is_carried),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
