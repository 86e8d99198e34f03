// Integrators, charts and simulations, each with the heap watched.
#include <stdlib.h>

#include "mbdyn/constraints.h"
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
  QUIET(mbd_simulation_add_event(sim, &event, NULL));
  QUIET_VALUE(mbd_simulation_data(sim));
  QUIET(mbd_simulation_start(sim, 0, q, v, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  for (int k = 0; k < 100; k++) QUIET(mbd_simulation_step(sim, info->t + 0.1));
  QUIET(mbd_simulation_run(sim, info->t + 0.01));
  QUIET(mbd_simulation_at(sim, info->t, x, NULL, NULL, NULL));
  QUIET(mbd_simulation_jacobian(sim, dx, dxd));
  QUIET_VALUE(mbd_simulation_info(sim)->t);
  assert_true(info->charts > 1);
  mbd_simulation_destroy(sim);
}

void
call_simulate(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v)
{
  for (int method = 0; method < MBD_METHODS; method++) {
    call_ode((mbd_method_t)method);
    call_simulation(m, q, (mbd_method_t)method);
  }
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
