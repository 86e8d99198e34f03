// Momentum of robots with loops: its rate, and the observer that is built on it.
#include <math.h>
#include <stdlib.h>

#include "linkage.h"
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

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rate_is_that_of_the_motion),
    cmocka_unit_test(observer_feels_a_push_in_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
