// Simulation: events, work, drivers, wheels, refusals.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/simulate.h"

static mbd_simulation_options_t
tight(double tolerance)
{
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.rtol = options.ode.atol = tolerance;
  return options;
}

static mbd_status_t
spring_input(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)ctx, (void)t, (void)q;
  for (int k = 0; k < data->model->nv; k++) tau[k] = -3 * v[k] + sin(2 * v[k]);
  return MBD_OK;
}

//---------- a pendulum: events, dense output, friction, drivers ----------

static mbd_model_t *
pendulum(int links, bool driven)
{
  mbd_model_t * m;
  int frame = MBD_WORLD_BODY;
  assert_ok(mbd_model_create("pendulum", &m));
  for (int k = 0; k < links; k++) {
    const char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    const mbd_sym3_t I = {0.1, 0, 0, 0.1, 0, 0.1};
    spec.name = spec.joint_name = name;
    spec.parent = frame;
    spec.type = MBD_JOINT_CONTINUOUS;
    spec.axis = mbdu_vec3(0, 1, 0);
    spec.placement.p = mbdu_vec3(0, 0, k == 0 ? 0 : -1);
    spec.inertia = mbdu_inertia_from_com(2, mbdu_vec3(0, 0, -0.5), I);
    spec.drive.viscous = 0.3;
    assert_ok(mbd_model_add_body(m, &spec, &frame));
  }
  if (driven) {
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.name = "driver";
    spec.type = MBD_CLOSURE_COUPLING;
    spec.ncoupled = 1;
    spec.joint[0] = "a";
    spec.coefficient[0] = 1;
    spec.driver.rate = 3;
    assert_ok(mbd_model_add_closure(m, &spec, NULL));
  }
  assert_ok(mbd_model_finalize(m));
  return m;
}

static double
angle(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)data, (void)t, (void)v;
  return q[0] - *(double *)ctx;
}

static double
rate(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)ctx, (void)data, (void)t, (void)q;
  return v[0];
}

// period of a pendulum by the arithmetic-geometric mean
static double
period_of(double amplitude)
{
  double a = 1, b = cos(amplitude / 2);
  for (int k = 0; k < 10; k++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b), a = mean;
  }
  const double w = sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.25));
  return 2 * 3.14159265358979323846 / (w * a);
}

static void
events_are_located(void ** state)
{
  (void)state;
  mbd_model_t * m = pendulum(1, false);
  const mbd_simulation_options_t options = tight(1e-12);
  mbd_simulation_t * sim;
  assert_ok(mbd_simulation_create(m, &options, &sim));
  double bottom = 0;
  int up, both, stop;
  const mbd_event_t events[3] = {
    {.value = angle, .ctx = &bottom, .direction = 1},
    {.value = angle, .ctx = &bottom},
    {.value = rate, .direction = -1, .terminal = true}};
  assert_ok(mbd_simulation_add_event(sim, &events[0], &up));
  assert_ok(mbd_simulation_add_event(sim, &events[1], &both));
  assert_ok(mbd_simulation_add_event(sim, &events[2], &stop));
  const double start = 1, T = period_of(1);
  assert_ok(mbd_simulation_start(sim, 0, &start, NULL, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  for (int turn = 1; turn <= 3; turn++) {
    // back at the highest point
    assert_ok(mbd_simulation_run(sim, 100));
    assert_int_equal(info->event, stop);
    assert_true(fabs(info->t - turn * T) < 2e-9);
    assert_true(fabs(info->q[0] - 1) < 1e-10 && fabs(info->v[0]) < 1e-8);
    assert_int_equal(info->record[up].count, turn);
    assert_int_equal(info->record[both].count, 2 * turn);
    assert_true(fabs(info->record[up].t - (turn - 0.25) * T) < 1e-9);
    assert_true(fabs(info->record[stop].t - info->t) == 0);
    assert_true(fabs(info->energy - info->energy_start) < 1e-9);
  }
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m);
}

static void
dense_output_is_the_motion(void ** state)
{
  (void)state;
  for (int driven = 0; driven < 2; driven++) {
    mbd_model_t * m = pendulum(3, driven);
    const mbd_simulation_options_t options = tight(1e-11);
    mbd_simulation_t *sim, *other;
    double q[3] = {0, 0.4, 1.5}, v[3] = {3, 0, -1}, is[3][3], last = 0;
    int compared = 0;
    assert_ok(mbd_simulation_create(m, &options, &sim));
    assert_ok(mbd_simulation_create(m, &options, &other));
    assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
    assert_ok(mbd_simulation_start(other, 0, q, v, NULL));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    while (info->t < 1) {
      const double before = info->t;
      assert_ok(mbd_simulation_step(sim, 1));
      const double t = before + 0.37 * (info->t - before);
      if (t - last < 0.02) continue;
      // a simulation that ends there
      assert_ok(mbd_simulation_at(sim, t, is[0], is[1], is[2], NULL));
      assert_ok(mbd_simulation_run(other, t));
      const mbd_simulation_info_t * want = mbd_simulation_info(other);
      assert_close(is[0], want->q, 3, 1e-8, "q at %g", t);
      assert_close(is[1], want->v, 3, 1e-7, "v at %g", t);
      assert_close(is[2], want->qdd, 3, 1e-6, "qdd at %g", t);
      assert_status(
        mbd_simulation_at(sim, before - 1e-3, q, v, NULL, NULL), MBD_ERROR_BAD_ARGUMENT);
      last = t;
      compared++;
    }
    assert_true(compared >= 10);
    assert_ok(mbd_simulation_at(sim, 1, is[0], is[1], is[2], NULL));
    assert_close(is[2], info->qdd, 3, 1e-15, "qdd at the end");
    mbd_simulation_destroy(sim), mbd_simulation_destroy(other);
    mbd_model_destroy(m);
  }
}

static void
work_balances_energy(void ** state)
{
  (void)state;
  for (int run = 0; run < 4; run++) {
    const bool driven = run & 1, friction = run & 2;
    mbd_model_t * m = pendulum(3, driven);
    const mbd_simulation_options_t options = tight(1e-11);
    mbd_simulation_t * sim;
    double q[3] = {0, 0.4, 1.5}, v[3] = {3, 0, -1};
    assert_ok(mbd_simulation_create(m, &options, &sim));
    if (friction) assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_FRICTION));
    assert_ok(mbd_simulation_set_input(sim, spring_input, NULL));
    assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
    assert_ok(mbd_simulation_run(sim, 2));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    print_message(
      "%s%s: energy %.3f J, work %.3f J, balance %.1e J\n", driven ? "driven" : "free",
      friction ? ", friction" : "", info->energy, info->work,
      info->energy - info->energy_start - info->work);
    assert_true(fabs(info->energy - info->energy_start - info->work) < 1e-8);
    assert_true(fabs(info->work) > 1);
    if (driven) assert_true(fabs(info->q[0] - 6) < 1e-12 && fabs(info->v[0] - 3) < 1e-12);
    mbd_simulation_destroy(sim);
    mbd_model_destroy(m);
  }
}

static mbd_status_t
constant_input(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  memcpy(tau, ctx, 3 * sizeof *tau);
  return MBD_OK;
}

// Torques, a push and gravity change at once every 20 ms: the motion of a simulation that is refreshed is that
// of one that starts anew each time, and energy balances work.
static void
a_refreshed_simulation_sees_changes(void ** state)
{
  (void)state;
  mbd_model_t * m = pendulum(3, false);
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = MBD_METHOD_RK4, options.ode.step = 1e-3;
  mbd_simulation_t * sim[2];
  double torque[3] = {0};
  mbd_wrench_t push = {2, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t wrenches = {1, &push};
  const double start[3] = {0, 0.4, 1.5}, fast[3] = {3, 0, -1};
  double q[3], v[3], before = 0, balance = 0, worst = 0;
  for (int k = 0; k < 2; k++) {
    assert_ok(mbd_simulation_create(m, &options, &sim[k]));
    assert_ok(mbd_simulation_set_input(sim[k], constant_input, torque));
    assert_ok(mbd_simulation_set_wrenches(sim[k], &wrenches));
    assert_ok(mbd_simulation_start(sim[k], 0, start, fast, NULL));
  }
  const mbd_simulation_info_t *info = mbd_simulation_info(sim[0]),
                              *other = mbd_simulation_info(sim[1]);
  for (int period = 0; period < 50; period++) {
    const mbd_vec3_t gravity = mbdu_vec3(0, 0, period % 3 ? -9.81 : -5);
    torque[0] = 2 * sin(period), torque[1] = cos(3 * period), torque[2] = 0.5;
    push.f.lin.x = period % 2 ? 4 : -3;
    memcpy(q, other->q, sizeof q), memcpy(v, other->v, sizeof v);
    for (int k = 0; k < 2; k++) assert_ok(mbd_set_gravity(mbd_simulation_data(sim[k]), gravity));
    assert_ok(mbd_simulation_refresh(sim[0]));
    assert_ok(mbd_simulation_start(sim[1], other->t, q, v, NULL));
    before = info->energy - info->work;
    for (int k = 0; k < 2; k++) assert_ok(mbd_simulation_run(sim[k], 0.02 * (period + 1)));
    balance = larger(balance, fabs(info->energy - info->work - before));
    for (int i = 0; i < 3; i++) worst = larger(worst, fabs(info->q[i] - other->q[i]));
  }
  print_message("differs by %.1e, balance %.1e J, work %.2f J\n", worst, balance, info->work);
  assert_true(worst < 1e-10 && balance < 1e-7 && fabs(info->work) > 1);
  assert_int_equal(info->charts, 1);
  const mbd_wrenches_t many = {MBD_SIMULATION_WRENCHES_MAX + 1, &push};
  assert_status(mbd_simulation_set_wrenches(sim[0], &many), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_simulation_set_wrenches(NULL, &wrenches), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_simulation_refresh(NULL), MBD_ERROR_NULL_ARGUMENT);
  for (int k = 0; k < 2; k++) mbd_simulation_destroy(sim[k]);
  assert_ok(mbd_simulation_create(m, &options, &sim[0]));
  assert_status(mbd_simulation_refresh(sim[0]), MBD_ERROR_STAGE);
  mbd_simulation_destroy(sim[0]);
  mbd_model_destroy(m);
}

// the work until an event is that until then, not until the end of the step
static void
work_ends_at_an_event(void ** state)
{
  (void)state;
  mbd_model_t * m = pendulum(2, false);
  const mbd_simulation_options_t options = tight(1e-10);
  mbd_simulation_t * sim;
  const double q[2] = {1.5, 0.5};
  const mbd_event_t event = {.value = rate, .terminal = true};
  assert_ok(mbd_simulation_create(m, &options, &sim));
  assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_FRICTION));
  assert_ok(mbd_simulation_set_input(sim, spring_input, NULL));
  assert_ok(mbd_simulation_add_event(sim, &event, NULL));
  assert_ok(mbd_simulation_start(sim, 0, q, NULL, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  for (int k = 0; k < 5; k++) {
    assert_ok(mbd_simulation_run(sim, 100));
    assert_int_equal(info->event, 0);
    assert_true(fabs(info->v[0]) < 1e-8);
    assert_true(fabs(info->energy - info->energy_start - info->work) < 1e-8);
  }
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m);
}

//---------- a wheel: Haug 6.3.1 ----------

static mbd_status_t
transporter_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  tau[2] = *(double *)ctx;
  return MBD_OK;
}

// the same in five variables: x, y, phi, forward and angular velocity
typedef struct sleigh {
  double J, torque;
} sleigh_t;

static mbd_status_t
sleigh_rates(void * ctx, double t, const double * y, const double * unused, double * out)
{
  const sleigh_t * s = ctx;
  (void)t, (void)unused;
  out[0] = -y[3] * sin(y[2]), out[1] = y[3] * cos(y[2]), out[2] = y[4];
  out[3] = y[4] * y[4], out[4] = (s->torque - 10 * y[3] * y[4]) / s->J;
  return MBD_OK;
}

// at 2, 4 and 10 s
static void
sleigh(double J, double at[3][5])
{
  static const double end[3] = {2, 4, 10}, torque[3] = {-40, 40, 0};
  sleigh_t s = {J, 0};
  const mbd_ode_problem_t problem = {.n = 5, .first_order = true, .f = sleigh_rates, .ctx = &s};
  mbd_ode_options_t options = mbd_ode_options_default();
  options.rtol = options.atol = 1e-12;
  const size_t size = mbd_ode_size(&problem);
  mbd_ode_t * ode;
  double y[5] = {0, 0, 0, 5, 0};
  assert_ok(mbd_ode_init(&problem, &options, malloc(size), size, &ode));
  for (int k = 0; k < 3; k++) {
    s.torque = torque[k];
    assert_ok(mbd_ode_set(ode, k == 0 ? 0 : end[k - 1], y, NULL, true));
    while (mbd_ode_info(ode)->t < end[k]) assert_ok(mbd_ode_step(ode, end[k]));
    memcpy(y, mbd_ode_info(ode)->x, sizeof y);
    memcpy(at[k], y, sizeof y);
  }
  free(ode);
}

// 10 kg, 1 m ahead of the middle of an axle that does not slip sideways
static mbd_model_t *
transporter(void)
{
  mbd_model_t * m;
  int frame;
  mbd_body_spec_t spec = mbd_body_spec_default();
  const mbd_sym3_t one = {1, 0, 0, 1, 0, 1};
  assert_ok(mbd_model_create("transporter", &m));
  spec.name = spec.joint_name = "chassis";
  spec.type = MBD_JOINT_PLANAR;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.inertia = mbdu_inertia_from_com(10, mbdu_vec3(0, 1, 0), one);
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  mbd_closure_spec_t wheels = mbd_closure_spec_default();
  wheels.name = "wheels";
  wheels.type = MBD_CLOSURE_NO_SLIP;
  wheels.frame_a = frame;
  wheels.frame_b = frame;
  assert_ok(mbd_model_add_closure(m, &wheels, NULL));
  assert_ok(mbd_model_finalize(m));
  return m;
}

static void
transporter_rolls(void ** state)
{
  (void)state;
  static const mbd_method_t methods[] = {
    MBD_METHOD_RKF45, MBD_METHOD_RK4, MBD_METHOD_SDIRK54, MBD_METHOD_AUTO};
  static const double figures[3][4] = {// t, x, y, phi
                                       {2, 6.037415298, 7.918602136, -1.340623206},
                                       {4, 15.072656900, 15.407101430, -0.274320084},
                                       {10, 22.410878812, 54.637425222, -0.182623550}};
  // The book's has no inertia about its centre of mass, which the tree without its wheels needs: its
  // figures by the equations in five variables, and these for 1 kg m^2.
  double want[3][5];
  sleigh(10, want);
  for (int k = 0; k < 3; k++) assert_close(want[k], figures[k] + 1, 3, 1e-9, "figures %d", k);
  sleigh(11, want);
  for (int k = 0; k < 4; k++) {
    mbd_model_t * m = transporter();
    mbd_simulation_options_t options = tight(k == 2 ? 1e-10 : 1e-11);
    options.ode.method = methods[k];
    mbd_simulation_t * sim;
    double torque = -40, q[3] = {0, 0, 0}, v[3] = {0, 5, 0};
    assert_ok(mbd_simulation_create(m, &options, &sim));
    assert_ok(mbd_simulation_set_input(sim, transporter_torque, &torque));
    assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    double work = 0, energy = info->energy;
    for (int part = 0; part < 3; part++) {
      assert_ok(mbd_simulation_run(sim, figures[part][0]));
      assert_close(info->q, want[part], 3, 1e-8, "t = %g", figures[part][0]);
      assert_true(fabs(info->v[0]) < 1e-14 && info->error_velocity < 1e-13);
      work += info->work;
      // the torque jumps
      torque = part == 0 ? 40 : 0;
      memcpy(q, info->q, sizeof q), memcpy(v, info->v, sizeof v);
      if (part < 2) assert_ok(mbd_simulation_start(sim, info->t, q, v, NULL));
    }
    assert_true(fabs(info->energy - energy - work) < 1e-6);
    assert_true(fabs(info->v[1] - want[2][3]) < 1e-7);
    mbd_simulation_destroy(sim);
    mbd_model_destroy(m);
  }
}

static mbd_status_t
swinging_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)ctx, (void)data, (void)q, (void)v;
  tau[2] = -40 * cos(t);
  return MBD_OK;
}

// what is integrated is what satisfies the rows: positions do not slip either, with coarse steps
static void
wheels_do_not_slip(void ** state)
{
  (void)state;
  mbd_model_t * m = transporter();
  mbd_simulation_options_t options = tight(1e-6);
  options.ode.method = MBD_METHOD_RK4;
  options.ode.step = 0.1;
  mbd_simulation_t * sim;
  const double q[3] = {0, 0, 0}, v[3] = {0, 5, 0}, h = 1e-4;
  assert_ok(mbd_simulation_create(m, &options, &sim));
  assert_ok(mbd_simulation_set_input(sim, swinging_torque, NULL));
  assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  double slip = 0;
  while (info->t < 20) {
    double before[3];
    assert_ok(mbd_simulation_step(sim, 20));
    assert_ok(mbd_simulation_at(sim, info->t - h, before, NULL, NULL, NULL));
    const double phi = (info->q[2] + before[2]) / 2;
    const double dx = info->q[0] - before[0], dy = info->q[1] - before[1];
    slip = larger(slip, fabs(dx * cos(phi) + dy * sin(phi)) / h);
  }
  // 2e-5 m/s without projection after every step
  assert_true(slip < 1e-7);
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m);
}

//---------- refusals ----------

static mbd_status_t
failing(void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)q, (void)v, (void)tau;
  return t > *(double *)ctx ? MBD_ERROR_NOT_FOUND : MBD_OK;
}

static void
refusals(void ** state)
{
  (void)state;
  mbd_model_t * m = pendulum(2, false);
  mbd_simulation_options_t options = mbd_simulation_options_default();
  mbd_simulation_t * sim;
  double q[2] = {1, 0}, v[2] = {0, NAN}, until = 0.1;
  options.ode.rtol = -1;
  assert_status(mbd_simulation_create(m, &options, &sim), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_simulation_create(NULL, NULL, &sim), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_simulation_create(m, NULL, &sim));
  assert_status(mbd_simulation_step(sim, 1), MBD_ERROR_STAGE);
  assert_status(mbd_simulation_run(sim, 1), MBD_ERROR_STAGE);
  assert_status(mbd_simulation_at(sim, 1, q, v, NULL, NULL), MBD_ERROR_STAGE);
  assert_status(mbd_simulation_start(sim, 0, q, v, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_simulation_start(sim, 0, NULL, v, NULL), MBD_ERROR_NULL_ARGUMENT);
  mbd_event_t event = {.value = rate, .direction = 2};
  assert_status(mbd_simulation_add_event(sim, &event, NULL), MBD_ERROR_BAD_ARGUMENT);
  event.direction = 0;
  for (int k = 0; k < MBD_EVENTS_MAX; k++) assert_ok(mbd_simulation_add_event(sim, &event, NULL));
  assert_status(mbd_simulation_add_event(sim, &event, NULL), MBD_ERROR_BAD_ARGUMENT);
  // an input that fails: the state is that before the step
  v[1] = 0;
  assert_ok(mbd_simulation_set_input(sim, failing, &until));
  assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  assert_status(mbd_simulation_run(sim, 1), MBD_ERROR_NOT_FOUND);
  assert_true(info->t < until && info->t > 0);
  assert_true(fabs(info->energy - info->energy_start) < 1e-5);
  until = 10;
  assert_ok(mbd_simulation_run(sim, 1));
  assert_true(fabs(info->energy - info->energy_start) < 1e-3);
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m);
  // a rod that is too short, and a model with embedded loops
  mbd_closure_spec_t rod = mbd_closure_spec_default();
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("short", &m));
  spec.name = spec.joint_name = "a";
  spec.type = MBD_JOINT_CONTINUOUS;
  spec.axis = mbdu_vec3(0, 1, 0);
  spec.inertia = mbdu_inertia_from_com(1, mbdu_vec3(1, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  rod.name = "rod";
  rod.type = MBD_CLOSURE_DISTANCE;
  rod.frame_a = MBD_WORLD_BODY, rod.frame_b = frame;
  rod.X_a.p = mbdu_vec3(10, 0, 0), rod.X_b.p = mbdu_vec3(1, 0, 0);
  rod.distance = 1;
  assert_ok(mbd_model_add_closure(m, &rod, NULL));
  assert_ok(mbd_model_finalize(m));
  assert_ok(mbd_simulation_create(m, NULL, &sim));
  mbd_assembly_t assembly;
  assert_status(mbd_simulation_start(sim, 0, q, v, &assembly), MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(assembly.error_closure, 0);
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(events_are_located),    cmocka_unit_test(dense_output_is_the_motion),
    cmocka_unit_test(work_balances_energy),  cmocka_unit_test(a_refreshed_simulation_sees_changes),
    cmocka_unit_test(work_ends_at_an_event), cmocka_unit_test(transporter_rolls),
    cmocka_unit_test(wheels_do_not_slip),    cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
