// Integrators, charts and simulations, each with the heap watched.
#include <stdlib.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/simulate.h"
#include "quiet_calls.h"

static mbd_status_t
oscillator(void * ctx, double t, const double * x, const double * xd, double * out)
{
  (void)ctx, (void)t;
  out[0] = -1e3 * x[0] - xd[0];
  return MBD_OK;
}

static void
call_ode(mbd_method_t method)
{
  const mbd_ode_problem_t problem = {.n = 1, .f = oscillator};
  mbd_ode_options_t options = mbd_ode_options_default();
  options.method = method;
  QUIET_VALUE(mbd_ode_size(&problem));
  const size_t size = mbd_ode_size(&problem);
  void * memory = malloc(size);
  mbd_ode_t * ode;
  double x = 1, xd = 0;
  QUIET(mbd_ode_init(&problem, &options, memory, size, &ode));
  QUIET(mbd_ode_set(ode, 0, &x, &xd, true));
  for (int k = 0; k < 50; k++) QUIET(mbd_ode_step(ode, 10));
  QUIET(mbd_ode_at(ode, mbd_ode_info(ode)->t, &x, &xd, NULL));
  QUIET_VALUE(mbd_ode_info(ode)->t);
  QUIET_VALUE(mbd_method_name(method));
  free(memory);
}

static double
value(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)ctx, (void)data, (void)v;
  return q[0] - t;
}

static void
call_simulation(const mbd_model_t * m, const double * q, mbd_method_t method)
{
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  // new charts too
  options.limits.x = 0.01;
  mbd_simulation_t * sim;
  const mbd_event_t event = {.value = value};
  const double v[3] = {1, -1, 2};
  double x[8], dx[9], dxd[9];
  assert_int_equal(mbd_simulation_create(m, &options, &sim), MBD_OK);
  QUIET(mbd_simulation_set_input(sim, NULL, NULL));
  QUIET(mbd_simulation_set_wrenches(sim, NULL));
  QUIET(mbd_simulation_add_event(sim, &event, NULL));
  QUIET_VALUE(mbd_simulation_data(sim));
  QUIET(mbd_simulation_start(sim, 0, q, v, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  for (int k = 0; k < 100; k++) QUIET(mbd_simulation_step(sim, info->t + 0.1));
  QUIET(mbd_simulation_run(sim, info->t + 0.01));
  QUIET(mbd_simulation_refresh(sim));
  QUIET(mbd_simulation_at(sim, info->t, x, NULL, NULL, NULL));
  QUIET(mbd_simulation_jacobian(sim, dx, dxd));
  QUIET_VALUE(mbd_simulation_info(sim)->t);
  assert_true(info->charts > 1);
  mbd_simulation_destroy(sim);
}

// a slider-crank with bearings: a joint, and closures
static void
call_bearings(void)
{
  mbd_model_t * m;
  mbd_data_t * d;
  mbd_body_spec_t b = mbd_body_spec_default();
  mbd_closure_spec_t c = mbd_closure_spec_default();
  mbd_bearing_spec_t s = mbd_bearing_spec_default();
  int crank, slider;
  assert_int_equal(mbd_model_create("bearings", &m), MBD_OK);
  b.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  b.name = b.joint_name = "crank", b.type = MBD_JOINT_CONTINUOUS, b.axis = mbdu_vec3(0, 0, 1);
  assert_int_equal(mbd_model_add_body(m, &b, &crank), MBD_OK);
  b.name = b.joint_name = "slider", b.type = MBD_JOINT_FREE;
  assert_int_equal(mbd_model_add_body(m, &b, &slider), MBD_OK);
  c.name = "guide", c.type = MBD_CLOSURE_PRISMATIC, c.frame_b = slider;
  const mbd_mat3_t z_along_x = {{0, 0, 1, 1, 0, 0, 0, 1, 0}};
  c.X_a.R = c.X_b.R = z_along_x;
  assert_int_equal(mbd_model_add_closure(m, &c, NULL), MBD_OK);
  c.name = "rod", c.type = MBD_CLOSURE_DISTANCE, c.distance = 2, c.frame_a = crank;
  c.X_a.p = mbdu_vec3(1, 0, 0);
  assert_int_equal(mbd_model_add_closure(m, &c, NULL), MBD_OK);
  s.mu_static = 0.2, s.mu_dynamic = 0.1, s.radius = s.span = 0.1;
  s.joint = "crank";
  assert_int_equal(mbd_model_add_bearing(m, &s, NULL), MBD_OK);
  s.joint = "guide";
  assert_int_equal(mbd_model_add_bearing(m, &s, NULL), MBD_OK);
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  const double q[8] = {0, 3, 0, 0, 0, 0, 0, 1}, v[7] = {3, 0, 0, 0, 0, 0, 0};
  double load[2] = {-1, -1}, qdd[7], lambda[6];
  QUIET_VALUE(mbd_friction_curve(1, &s, NULL));
  QUIET_VALUE(mbd_bearing_work(m, 0));
  double * work = malloc(mbd_bearing_work(m, 0) * sizeof *work);
  for (int k = 0; k < 2; k++) {
    QUIET(
      mbd_bearing_forward_dynamics(m, d, q, v, NULL, NULL, NULL, work, load, qdd, lambda, NULL));
  }
  for (int k = 0; k < 2; k++) {
    mbd_simulation_options_t options = mbd_simulation_options_default();
    mbd_simulation_t * sim;
    options.ode.method = k ? MBD_METHOD_SDIRK54 : MBD_METHOD_RKF45;
    assert_int_equal(mbd_simulation_create(m, &options, &sim), MBD_OK);
    QUIET(mbd_simulation_start(sim, 0, q, v, NULL));
    for (int n = 0; n < 20; n++) QUIET(mbd_simulation_step(sim, mbd_simulation_info(sim)->t + 0.1));
    mbd_simulation_destroy(sim);
  }
  free(work);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

void
call_simulate(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v)
{
  for (int method = 0; method < MBD_METHODS; method++) {
    call_ode((mbd_method_t)method);
    call_simulation(m, q, (mbd_method_t)method);
  }
  call_bearings();
  QUIET_VALUE(mbd_chart_size(m));
  const size_t size = mbd_chart_size(m);
  void * memory = malloc(size);
  mbd_chart_t * chart;
  double x[3], xd[3], q2[3], v2[3], qdd[3];
  QUIET(mbd_chart_init(m, 0, memory, size, &chart));
  QUIET(mbd_chart_set(chart, d, 0, q, v, x, xd));
  QUIET(mbd_chart_state(chart, d, 0, x, xd, q2, v2));
  QUIET(mbd_chart_velocity(chart, v2, xd));
  QUIET(mbd_chart_motion(chart, d, 0, xd, qdd));
  QUIET(mbd_chart_acceleration(chart, qdd, xd));
  QUIET_VALUE(mbd_chart_wanted(chart, NULL));
  QUIET_VALUE(mbd_chart_info(chart)->n);
  free(memory);
}
