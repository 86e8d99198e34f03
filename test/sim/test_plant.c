// The simulated robot against what mechanics says on paper, and against forward dynamics.
#include "random_tree.h"
#include "robots.h"

//---------- accelerations ----------

// a short step without friction gives the acceleration of the articulated-body sweeps
static void
step_agrees_with_forward_dynamics(void ** state)
{
  (void)state;
  const double h = 1e-3;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    tree_t * t = random_tree(seed, NULL);
    plant_t * plant = plant_of(t->model, PLANT_SEMI_IMPLICIT);
    plant->options.friction = plant->options.limits = false;
    assert_ok(plant_reset(plant, t->q));
    memcpy(plant->v, t->v, (size_t)t->model->nv * sizeof(double));
    double a[128], expected[128];
    assert_true(t->model->nv <= 128);
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, NULL, expected));
    assert_ok(plant_step(plant, t->tau, h));
    for (int k = 0; k < t->model->nv; k++) a[k] = (plant->v[k] - t->v[k]) / h;
    assert_close(a, expected, t->model->nv, 1e-8, "acceleration, seed %d", (int)seed);
    plant_destroy(plant);
    tree_free(t);
  }
}

// friction at the end of the step is the friction of the core where the step is short
static void
friction_is_that_of_the_drives(void ** state)
{
  (void)state;
  const double h = 1e-9;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    tree_t * t = random_tree(seed, NULL);
    plant_t * plant = plant_of(t->model, PLANT_SEMI_IMPLICIT);
    plant->options.limits = false;
    assert_ok(plant_reset(plant, t->q));
    memcpy(plant->v, t->v, (size_t)t->model->nv * sizeof(double));
    double a[128], expected[128];
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS | MBD_TERM_FRICTION));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, NULL, expected));
    assert_ok(plant_step(plant, t->tau, h));
    for (int k = 0; k < t->model->nv; k++) a[k] = (plant->v[k] - t->v[k]) / h;
    assert_close(a, expected, t->model->nv, 1e-4, "acceleration, seed %d", (int)seed);
    plant_destroy(plant);
    tree_free(t);
  }
}

//---------- smooth motion ----------

// time from rest at an angle to the next rest on the same side
static double
measured_period(plant_t * plant, double angle, double h)
{
  assert_ok(plant_reset(plant, &angle));
  double before = 0, begin = plant->time;
  for (int rests = 0; rests < 2;) {
    before = plant->v[0];
    coast(plant, h, 1);
    if (plant->v[0] * before < 0) rests++;
  }
  // back to where the velocity was zero, on a line
  return plant->time - begin - h * plant->v[0] / (plant->v[0] - before);
}

// T = 2 pi sqrt(I / (m g l)) / agm(1, cos(angle / 2)), at any amplitude
static void
pendulum_has_its_period(void ** state)
{
  (void)state;
  const mbd_body_spec_t spec = pendulum_spec();
  plant_t * plant = plant_of(one_body(&spec), PLANT_RK4);
  for (double angle = 0.1; angle < 3; angle += 0.7) {
    double x = 1, y = cos(angle / 2);
    for (int i = 0; i < 10; i++) {
      const double mean = (x + y) / 2;
      y = sqrt(x * y);
      x = mean;
    }
    const double period = 2 * 3.14159265358979324 * sqrt(PENDULUM_INERTIA / PENDULUM_WEIGHT) / x;
    const double measured = measured_period(plant, angle, 1e-3);
    assert_close(&measured, &period, 1, 1e-7, "period at %g rad", angle);
  }
  plant_end(plant);
}

static double
energy_error(plant_t * plant, double h)
{
  const double q[2] = {2, -1};
  assert_ok(plant_reset(plant, q));
  const double before = total_energy(plant);
  coast(plant, h, (int)(2 / h + 0.5));
  return fabs(total_energy(plant) - before);
}

// half the step, a sixteenth of the error (or better); the semi-implicit one is of first order
static void
energy_is_conserved_to_the_order_of_the_method(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("double_pendulum"), PLANT_RK4);
  const double coarse = energy_error(plant, 8e-3), fine = energy_error(plant, 4e-3);
  assert_true(fine > 0 && coarse / fine > 14);
  assert_true(energy_error(plant, 1e-3) < 1e-8);
  plant->options.substeps = 8;
  assert_true(energy_error(plant, 8e-3) < 1e-8);
  plant->options.integrator = PLANT_SEMI_IMPLICIT;
  plant->options.substeps = 1;
  const double ratio = energy_error(plant, 1e-3) / energy_error(plant, 5e-4);
  assert_true(ratio > 1.8 && ratio < 2.2);
  plant_end(plant);
}

// a body without forces keeps its energy and its angular momentum in space, to fourth order
static double
tumbling_error(double h)
{
  plant_t * plant = plant_of(free_body((mbd_sym3_t){0.3, 0, 0, 0.7, 0, 0.9}), PLANT_RK4);
  plant->options.gravity = (mbd_vec3_t){0, 0, 0};
  plant_set_options(plant, &plant->options);
  plant->v[0] = 0.5, plant->v[3] = 0.2, plant->v[4] = 3, plant->v[5] = 0.1;
  mbd_force_t before, after;
  double kinetic, potential;
  assert_ok(plant_energy(plant, &kinetic, &potential));
  assert_ok(mbd_centroidal_momentum(plant->model, plant->data, &before));
  coast(plant, h, (int)(4 / h + 0.5));
  assert_ok(plant_energy(plant, &kinetic, &potential));
  assert_ok(mbd_centroidal_momentum(plant->model, plant->data, &after));
  // the centre goes straight on
  const double centre[3] = {2, 0, 0};
  assert_close(plant->q, centre, 3, 1e-6, "centre");
  plant_end(plant);
  return mbdu_vec3_norm(mbdu_vec3_sub(after.ang, before.ang));
}

static void
tumbling_body_keeps_its_momentum(void ** state)
{
  (void)state;
  const double coarse = tumbling_error(1e-2), fine = tumbling_error(5e-3);
  assert_true(fine > 0 && coarse / fine > 14);
  assert_true(fine < 1e-7);
}

// on a plane the centre goes straight on while the body turns under its velocity's axes
static void
disc_slides_straight(void ** state)
{
  (void)state;
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "disc";
  spec.joint_name = "plane";
  spec.type = MBD_JOINT_PLANAR;
  spec.axis = (mbd_vec3_t){0, 0, 1};
  spec.inertia = mbdu_inertia_from_com(1, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){1, 0, 0, 1, 0, 2});
  plant_t * plant = plant_of(one_body(&spec), PLANT_RK4);
  plant->v[0] = 1, plant->v[2] = 5;
  coast(plant, 1e-2, 100);
  const double expected[3] = {1, 0, 5};
  assert_close(plant->q, expected, 3, 1e-7, "where it is");
  plant_end(plant);
}

static void
body_falls(void ** state)
{
  (void)state;
  const mbd_sym3_t inertia = {0.3, 0, 0, 0.7, 0, 0.9};
  for (int k = 0; k < 2; k++) {
    plant_t * plant = plant_of(free_body(inertia), k == 0 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT);
    coast(plant, 1e-3, 1000);
    // semi-implicit: sum of k g h^2, k = 1 to n
    const double fallen[3] = {0, 0, k == 0 ? -9.81 / 2 : -9.81 * 1e-6 * 1000 * 1001 / 2};
    assert_close(plant->q, fallen, 3, 1e-12, "position");
    const double speed[3] = {0, 0, -9.81};
    assert_close(plant->v, speed, 3, 1e-12, "velocity");
    assert_float_equal(plant->time, 1, 1e-12);
    plant_end(plant);
  }
}

//---------- friction, motors ----------

static mbd_model_t *
wheel(double viscous, double coulomb)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "wheel";
  spec.joint_name = "axle";
  spec.type = MBD_JOINT_CONTINUOUS;
  spec.axis = (mbd_vec3_t){0, 0, 1};
  spec.inertia = mbdu_inertia_from_com(1, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){1, 0, 0, 1, 0, 0.01});
  spec.limits.effort = 5;
  spec.drive.viscous = viscous;
  spec.drive.coulomb = coulomb;
  spec.drive.rotor_inertia = 1e-5;
  spec.drive.gear_ratio = 100;  // 0.1 in all
  return one_body(&spec);
}

static void
viscous_friction_decays(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(wheel(0.3, 0), PLANT_RK4);
  plant->v[0] = 7;
  coast(plant, 1e-3, 500);
  double expected = 7 * exp(-0.3 / 0.11 * 0.5);
  assert_close(plant->v, &expected, 1, 1e-9, "with the rotor");
  plant->options.integrator = PLANT_SEMI_IMPLICIT;
  plant->options.rotors = false;
  plant_set_options(plant, &plant->options);
  plant->v[0] = 7;
  coast(plant, 1e-3, 500);
  expected = 7 / pow(1 + 1e-3 * 0.3 / 0.01, 500);
  assert_close(plant->v, &expected, 1, 1e-9, "without, at the end of the step");
  plant->options.friction = false;
  plant->v[0] = 7;
  coast(plant, 1e-3, 500);
  expected = 7;
  assert_close(plant->v, &expected, 1, 1e-12, "without friction");
  plant_end(plant);
}

// dry friction brings a wheel to rest after I w / c, and never turns it round
static void
dry_friction_stops(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(wheel(0, 2), PLANT_SEMI_IMPLICIT);
  plant->v[0] = 10;
  double stopped = 0;
  for (int i = 0; i < 1000; i++) {
    coast(plant, 1e-3, 1);
    assert_true(plant->v[0] >= 0);
    if (stopped == 0 && plant->v[0] < 0.05) stopped = plant->time;
  }
  assert_float_equal(stopped, 0.11 * 10 / 2, 0.01);
  assert_true(plant->v[0] < 1e-6);
  plant_end(plant);
}

// a torque below the dry friction makes it creep at tanh^-1(tau / c) coulomb_velocity; no rattling
static void
dry_friction_holds(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(wheel(0, 4), PLANT_SEMI_IMPLICIT);
  plant->options.rotors = false;
  plant_set_options(plant, &plant->options);
  const double tau = 2, creep = 0.01 * atanh(0.5);
  double last = 0;
  for (int i = 0; i < 200; i++) {
    assert_ok(plant_step(plant, &tau, 1e-2));
    assert_true(plant->v[0] >= last - 1e-12);
    last = plant->v[0];
  }
  assert_close(&last, &creep, 1, 1e-6, "creeping velocity");
  plant_end(plant);
}

static void
motors_have_their_limits(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(wheel(0, 0), PLANT_RK4);
  const double wanted[2] = {80, -80}, given[2] = {5, -5};
  for (int i = 0; i < 2; i++) {
    assert_ok(plant_step(plant, &wanted[i], 0.1));
    assert_close(plant->effort, &given[i], 1, 0, "torque of the motor");
    const double speed = i == 0 ? 0.1 * 5 / 0.11 : 0;
    assert_float_equal(plant->v[0], speed, 1e-12);
  }
  const double nothing = nan("");
  assert_int_equal(plant_step(plant, &nothing, 0.1), MBD_ERROR_NOT_FINITE);
  assert_float_equal(plant->time, 0.2, 1e-12);
  plant_end(plant);
}

static void
brakes_hold(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("double_pendulum"), PLANT_SEMI_IMPLICIT);
  const double q[2] = {1, 2}, zero[2] = {0, 0};
  assert_ok(plant_reset(plant, q));
  for (int i = 0; i < 100; i++) plant_hold(plant, 1e-3);
  assert_close(plant->q, q, 2, 0, "q");
  assert_close(plant->v, zero, 2, 0, "v");
  assert_float_equal(plant->time, 0.1, 1e-12);
  plant_end(plant);
}

// no masses that nothing can accelerate, no configuration that is none
static void
bad_robots_and_states_are_refused(void ** state)
{
  (void)state;
  mbd_body_spec_t spec = pendulum_spec();
  spec.inertia = (mbd_inertia_t){0};
  mbd_model_t * model = one_body(&spec);
  assert_null(plant_create(model));
  mbd_model_destroy(model);
  plant_t * plant = plant_of(file_robot("double_pendulum"), PLANT_SEMI_IMPLICIT);
  const double bad[2] = {1, nan("")}, zero[2] = {0, 0};
  assert_int_not_equal(plant_reset(plant, bad), MBD_OK);
  assert_close(plant->q, zero, 2, 0, "q");
  plant_destroy(NULL);
  plant_end(plant);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(step_agrees_with_forward_dynamics),
    cmocka_unit_test(friction_is_that_of_the_drives),
    cmocka_unit_test(pendulum_has_its_period),
    cmocka_unit_test(energy_is_conserved_to_the_order_of_the_method),
    cmocka_unit_test(tumbling_body_keeps_its_momentum),
    cmocka_unit_test(disc_slides_straight),
    cmocka_unit_test(body_falls),
    cmocka_unit_test(viscous_friction_decays),
    cmocka_unit_test(dry_friction_stops),
    cmocka_unit_test(dry_friction_holds),
    cmocka_unit_test(motors_have_their_limits),
    cmocka_unit_test(brakes_hold),
    cmocka_unit_test(bad_robots_and_states_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
