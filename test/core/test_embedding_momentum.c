// Momentum of robots with loops: its rate, and the observer that is built on it.
#include <math.h>
#include <stdlib.h>

#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"

static mbd_model_t *
four_bar(double crank, double * q)
{
  // crank, coupler, rocker: depth first, by name
  q[0] = crank;
  close_crank_rocker(crank, &q[1], &q[2]);
  return embed_with(crank_rocker(MBD_CLOSURE_REVOLUTE), q, "crank");
}

// p(t + dt) - p(t) along the motion that forward dynamics says
static void
rate_is_that_of_the_motion(void ** state)
{
  (void)state;
  for (int k = 0; k < 12; k++) {
    double q[3], v = 3 - 0.7 * k, tau = 0.4 * k - 1, qdd, pdot, p[2], later[3];
    mbd_model_t * model = four_bar(0.5 * k, q);
    mbd_data_t * data;
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nv, 1);
    assert_ok(mbd_forward_dynamics(model, data, q, &v, &tau, NULL, &qdd));
    assert_ok(mbd_momentum_rate(model, data, &tau, NULL, &pdot));
    const double dt = 1e-5;
    for (int side = 0; side < 2; side++) {
      const double step = side ? dt : -dt, mean = v + 0.5 * step * qdd, end = v + step * qdd;
      assert_ok(mbd_integrate(model, q, &mean, step, later));
      assert_ok(mbd_set_position(model, data, later));
      assert_ok(mbd_set_velocity(model, data, &end));
      assert_ok(mbd_momentum(model, data, &p[side]));
    }
    const double expected = (p[1] - p[0]) / (2 * dt);
    assert_true(fabs(pdot - expected) < 1e-6 * fmax(1, fabs(expected)));
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

// a moment that nobody told of, on a linkage that turns: the observer finds it
static void
observer_feels_a_push_in_a_loop(void ** state)
{
  (void)state;
  double q[3], v = 2, tau = 0.3;
  mbd_model_t * model = four_bar(0.6, q);
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  mbd_observer_options_t options = mbd_observer_options_default();
  options.gain = 200;
  void * memory = malloc(mbd_observer_size(model));
  mbd_observer_t * observer;
  assert_ok(mbd_observer_init(model, &options, memory, mbd_observer_size(model), &observer));
  const double push = 0.25, dt = 1e-4;
  double turned = 0;
  for (int n = 0; n < 5000; n++) {
    double qdd, sum = tau + push;
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, &v));
    assert_ok(mbd_observer_update(observer, data, &tau, dt));
    if (n > 1000) assert_true(fabs(observer->torque[0] - push) < 2e-3);
    // midpoint rule
    assert_ok(mbd_forward_dynamics(model, data, q, &v, &sum, NULL, &qdd));
    double half[3], v_half = v + 0.5 * dt * qdd;
    assert_ok(mbd_integrate(model, q, &v, 0.5 * dt, half));
    assert_ok(mbd_forward_dynamics(model, data, half, &v_half, &sum, NULL, &qdd));
    assert_ok(mbd_integrate(model, q, &v_half, dt, q));
    v += dt * qdd;
    turned += fabs(dt * v);
  }
  assert_true(turned > 0.5);
  free(memory);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// a floating base that carries a four-bar comes to rest in the mean; one that a loop ties to the
// world does not float
static void
momentum_of_a_floating_loop_is_nulled(void ** state)
{
  (void)state;
  for (int tied = 0; tied < 2; tied++) {
    mbd_model_t * tree = start(0, 0, 0);
    mbd_body_spec_t spec = mbd_body_spec_default();
    int frame;
    spec.name = "base", spec.joint_name = "j_base", spec.type = MBD_JOINT_FREE;
    spec.inertia =
      mbdu_inertia_from_com(2, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.3, 0, 0, 0.4, 0, 0.5});
    assert_ok(mbd_model_add_body(tree, &spec, &frame));
    const part_t parts[] = {
      {"crank", "base", 'z', 0, 0, 0, 0.5, 0.15, 0, 0, 0.001, 0.004, 0.004},
      {"coupler", "crank", 'z', 0.3, 0, 0, 1.2, 0.45, 0.02, 0, 0.002, 0.08, 0.08},
      {"rocker", "base", 'z', 1.0, 0, 0, 0.8, 0.3, 0, 0, 0.001, 0.03, 0.03}};
    for (int k = 0; k < 3; k++) add(tree, &parts[k]);
    double q[10] = {0.2, -0.1, 0.4, 0, 0, 0, 1, 0.8}, v[7] = {0.3, -0.2, 0.5, 1, -2, 0.7, 3},
           out[7];
    close_crank_rocker(q[7], &q[8], &q[9]);
    pin(tree, MBD_CLOSURE_REVOLUTE, "rocker", at_point(0.6, 0, 0), "coupler", at_point(0.9, 0, 0));
    if (tied) {
      mbd_closure_spec_t rod = mbd_closure_spec_default();
      rod.name = "rod", rod.type = MBD_CLOSURE_DISTANCE, rod.distance = 2;
      rod.frame_b = frame_named(tree, "rocker");
      rod.X_a = at_point(3.2, -0.1, 0.4);
      assert_ok(mbd_model_add_closure(tree, &rod, NULL));
    }
    mbd_model_t * model = embed_with(tree, q, "crank");
    mbd_data_t * data;
    mbd_force_t p;
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nv, tied ? 6 : 7);
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_status(
      mbd_momentum_nulling(model, data, 0, out), tied ? MBD_ERROR_BAD_ARGUMENT : MBD_OK);
    if (!tied) {
      assert_true(out[6] == v[6] && fabs(out[0] - v[0]) > 1e-3);
      assert_ok(mbd_set_velocity(model, data, out));
      assert_ok(mbd_centroidal_momentum(model, data, &p));
      assert_true(mbdu_vec3_norm(p.ang) < 1e-13 && mbdu_vec3_norm(p.lin) < 1e-13);
    }
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rate_is_that_of_the_motion),
    cmocka_unit_test(observer_feels_a_push_in_a_loop),
    cmocka_unit_test(momentum_of_a_floating_loop_is_nulled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
