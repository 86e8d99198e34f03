// External torques as the controller sees them: from commands, from measured effort, or not at all.
#include "control_rig.h"
#include "mbdyn/dynamics/observer.h"

enum { STEPS = 300 };
static const double DT = 0.001, GAIN = 25;

static int
make_rig(void ** state)
{
  rig_t * rig = calloc(1, sizeof *rig);
  rig_arm(rig);
  rig->s->mode = MODE_COMPUTED_TORQUE;
  rig->s->observer = true;
  rig->s->observer_options.gain = GAIN;
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

// a robot whose motors hold each command for a step
typedef struct bench {
  rig_t * rig;
  sim_t sim;
  double push[RIG_MAX];  // torques that nobody knows of
  double sent[RIG_MAX];  // after the last step
  bool started;          // something was sent
  bool own_gravity;      // the robot adds gravity itself
  bool report_command;   // the controller is told what was sent
  bool measure;          // effort is measured
  unsigned excludes;     // what the driver subtracts from it: controller_excluded_t
  double scale;          // torque per unit that it reports; 0: 1
} bench_t;

static bench_t
bench_on(rig_t * rig)
{
  bench_t bench;
  memset(&bench, 0, sizeof bench);
  bench.rig = rig;
  bench.report_command = true;
  bench.sim = rig_simulation(rig);
  return bench;
}

// motors of one step: the held command, and gravity of the state where the robot does that itself
static void
held_motors(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  (void)t, (void)v;
  const bench_t * bench = sim->ctx;
  const int nv = sim->model->nv;
  if (bench->own_gravity) {
    assert_ok(mbd_set_position(sim->model, sim->data, q));
    assert_ok(mbd_gravity(sim->model, sim->data, tau));
  }
  for (int k = 0; k < nv; k++) tau[k] += bench->sent[k];
}

// what the driver says of torques in the state of the simulation
static void
report_effort(bench_t * bench, double * effort)
{
  sim_t * sim = &bench->sim;
  const int nv = sim->model->nv;
  double term[RIG_MAX] = {0}, bias[RIG_MAX], friction[RIG_MAX];
  assert_ok(mbd_set_state(sim->model, sim->data, sim->q, sim->v));
  assert_ok(mbd_gravity(sim->model, sim->data, term));
  assert_ok(mbd_bias(sim->model, sim->data, bias));
  assert_ok(mbd_friction(sim->model, sim->v, friction));
  for (int k = 0; k < nv; k++) {
    effort[k] = bench->sent[k];
    if (bench->excludes & EXCLUDES_GRAVITY) effort[k] -= term[k];
    if (bench->excludes & EXCLUDES_CORIOLIS) effort[k] -= bias[k] - term[k];
    if (bench->excludes & EXCLUDES_FRICTION) effort[k] -= friction[k];
    if (bench->scale != 0) effort[k] /= bench->scale;
  }
}

static void
run_steps(bench_t * bench, int steps)
{
  rig_t * rig = bench->rig;
  sim_t * sim = &bench->sim;
  const size_t nv = (size_t)rig->c->model->nv * sizeof(double);
  sim->motors = held_motors, sim->ctx = bench, sim->hidden = bench->push;
  for (int n = 0; n < steps; n++) {
    rig_state(rig, sim->q, sim->v);
    rig->input.effort_known = bench->measure;
    report_effort(bench, rig->effort);
    const double dt = bench->started ? DT : 0;
    rig_step(rig, sim->t, dt, bench->started && bench->report_command ? bench->sent : NULL);
    memcpy(bench->sent, rig->c->command, nv);
    bench->started = true;
    sim_step(sim, DT);
  }
}

static double
largest(const bench_t * bench)
{
  double most = 0;
  for (int k = 0; k < bench->rig->c->model->nv; k++) {
    most = fmax(most, fabs(bench->rig->c->observer->torque[k]));
  }
  return most;
}

// a sudden push shows as push (1 - exp(-gain t)), on every joint, from commands alone
static void
sees_a_push(void ** state)
{
  rig_t * rig = *state;
  static const double push[7] = {3, -4, 2, 1, 0.5, -0.4, 0.2};
  controller_apply(rig->c, rig->s);
  bench_t bench = bench_on(rig);
  run_steps(&bench, 100);
  assert_true(largest(&bench) < 1e-6);
  memcpy(bench.push, push, sizeof push);
  for (int n = 1; n <= STEPS; n++) {
    // the state of this step was not pushed yet
    run_steps(&bench, 1);
    const double part = 1 - exp(-GAIN * DT * (n - 1));
    for (int k = 0; k < 7; k++) {
      assert_true(fabs(rig->c->observer->torque[k] - part * push[k]) < 2e-3 * fabs(push[k]) + 1e-6);
    }
  }
}

// a jump of the command is no push: what was held is what counts
static void
jumps_of_the_command_are_not_seen(void ** state)
{
  rig_t * rig = *state;
  controller_apply(rig->c, rig->s);
  bench_t bench = bench_on(rig);
  run_steps(&bench, 50);
  for (int n = 0; n < 10; n++) {
    // another place to hold, all at once
    memcpy(rig->c->stream.q, rig->c->q_ref, 7 * sizeof(double));
    for (int k = 0; k < 7; k++) rig->c->stream.q[k] += n % 2 ? 0.02 : -0.02;
    rig->c->stream.known = true;
    run_steps(&bench, 20);
    assert_true(largest(&bench) < 2e-3);
  }
}

// measured effort counts before commands, and where there is none nothing is estimated
static void
source_of_torques(void ** state)
{
  static const struct {
    observer_source_t source;
    bool report_command, measure, works;
  } cases[] = {
    {OBSERVE_AUTO, true, false, true},      {OBSERVE_AUTO, false, true, true},
    {OBSERVE_AUTO, false, false, false},    {OBSERVE_COMMAND, true, false, true},
    {OBSERVE_COMMAND, false, true, false},  {OBSERVE_MEASURED, false, true, true},
    {OBSERVE_MEASURED, true, false, false},
  };
  rig_t * rig = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(rig->q, RIG_POSE, sizeof RIG_POSE), memset(rig->v, 0, sizeof rig->v);
    rig->s->observer_source = cases[i].source;
    controller_apply(rig->c, rig->s);
    controller_restart(rig->c);
    bench_t bench = bench_on(rig);
    bench.report_command = cases[i].report_command, bench.measure = cases[i].measure;
    bench.push[1] = 5;
    run_steps(&bench, STEPS);
    const double seen = rig->c->observer->torque[1];
    if (cases[i].works) assert_true(fabs(seen - 5) < 0.05);
    if (!cases[i].works) assert_true(largest(&bench) == 0);
  }
}

// measured and sent differ: which one was taken shows in the estimate
static void
measured_before_sent(void ** state)
{
  rig_t * rig = *state;
  static const observer_source_t source[3] = {OBSERVE_AUTO, OBSERVE_MEASURED, OBSERVE_COMMAND};
  rig->s->mode = MODE_PASSIVE;
  for (int i = 0; i < 3; i++) {
    double g[7], sent[7];
    rig->s->observer_source = source[i];
    controller_apply(rig->c, rig->s);
    controller_restart(rig->c);
    rig->input.effort_known = true;
    rig_step(rig, 0, 0, NULL);
    memcpy(g, rig->c->gravity, sizeof g);
    for (int k = 0; k < 7; k++) rig->effort[k] = g[k] - 1, sent[k] = g[k] - 2;
    // at rest: what holds it beside the motors
    for (int n = 0; n < 1000; n++) rig_step(rig, 0.01 * n, 0.01, sent);
    for (int k = 0; k < 7; k++) {
      assert_true(fabs(rig->c->observer->torque[k] - (i == 2 ? 2 : 1)) < 1e-6);
    }
  }
}

// effort that comes and goes: each step counts with the torques of that step. At rest, held by a
// torque that steps up when commands take over, it is seen in that very step
static void
source_may_change(void ** state)
{
  rig_t * rig = *state;
  rig->s->mode = MODE_PASSIVE;
  for (int own = 0; own < 2; own++) {
    double sent[7], want = 0;
    rig->s->command_terms = own ? 0 : TERM_GRAVITY;
    controller_apply(rig->c, rig->s);
    controller_restart(rig->c);
    for (int n = 0; n < 60; n++) {
      // measured, then sent, then measured again
      const bool measured = n / 20 != 1;
      const double held = measured ? 1 : 3;
      rig->input.effort_known = measured;
      for (int k = 0; k < 7; k++) {
        rig->effort[k] = rig->c->gravity[k] - held;
        sent[k] = (own ? 0 : rig->c->gravity[k]) - held;
      }
      rig_step(rig, 0.01 * n, 0.01, sent);
      // the first two know no gravity yet
      if (n == 1) controller_restart(rig->c), want = 0;
      if (n < 3) continue;
      // back to measured: the mean of both ends
      const double mean = n == 40 ? 2 : held;
      want += (1 - exp(-GAIN * 0.01)) * (mean - want);
      for (int k = 0; k < 7; k++) assert_true(fabs(rig->c->observer->torque[k] - want) < 1e-9);
    }
  }
}

// where gravity is left to the robot, what was sent is not all that the motors do
static void
robot_that_carries_itself(void ** state)
{
  rig_t * rig = *state;
  rig->s->command_terms = TERM_CORIOLIS | TERM_INERTIA;
  controller_apply(rig->c, rig->s);
  for (int k = 0; k < 7; k++) rig->v[k] = 0.3;
  bench_t bench = bench_on(rig);
  bench.own_gravity = true;
  run_steps(&bench, STEPS);
  assert_true(largest(&bench) < 1e-3);
  bench.push[1] = 5;
  run_steps(&bench, STEPS);
  assert_true(fabs(rig->c->observer->torque[1] - 5) < 0.05);
}

// a force on the tool: the wrench that explains the torques is that force
static void
explains_a_wrench(void ** state)
{
  rig_t * rig = *state;
  controller_apply(rig->c, rig->s);
  bench_t bench = bench_on(rig);
  const int tool = rig_frame(rig, "tool");
  const mbd_wrench_t w = {tool, MBD_LOCAL_WORLD_ALIGNED, {{0.5, -1, 0.3}, {8, -5, 10}}};
  const mbd_wrenches_t f = {1, &w};
  bench.sim.f_ext = &f;
  run_steps(&bench, 2000);
  mbd_force_t got;
  assert_ok(mbd_observer_wrench(rig->c->observer, rig->c->data, tool, w.reference, &got));
  const double x[6] = {got.ang.x, got.ang.y, got.ang.z, got.lin.x, got.lin.y, got.lin.z};
  const double want[6] = {0.5, -1, 0.3, 8, -5, 10};
  assert_close(x, want, 6, 1e-4, "wrench");
}

// a free base has no motor, whatever the command says there: a robot that flies and waves its legs
// feels nothing
static void
free_base_has_no_motor(void ** state)
{
  (void)state;
  rig_t rig;
  mbd_model_t * model;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf", &options, &model, NULL));
  for (int how = 0; how < 3; how++) {
    rig_on(&rig, model);
    rig.s->mode = MODE_GRAVITY_COMPENSATION;
    rig.s->observer = true;
    // gravity by the command, by the robot, or measured
    if (how == 1) rig.s->command_terms = 0;
    controller_apply(rig.c, rig.s);
    rig.q[2] = 1;
    rig.v[5] = 0.3;
    for (int k = 6; k < model->nv; k++) rig.q[k + 1] = 0.3, rig.v[k] = k % 3;
    sim_t sim = rig_simulation(&rig);
    double sent[RIG_MAX], motors[RIG_MAX];
    for (int n = 0; n < STEPS; n++) {
      rig_state(&rig, sim.q, sim.v);
      for (int k = 0; k < model->nv; k++) rig.effort[k] = k < 6 ? strtod("nan", NULL) : motors[k];
      rig.input.effort_known = how == 2 && n > 0;
      rig_step(&rig, sim.t, n ? 1e-4 : 0, n ? sent : NULL);
      memcpy(sent, rig.c->command, sizeof(double) * (size_t)model->nv);
      for (int k = 0; k < model->nv; k++) {
        // small steps: gravity that the robot adds may be held as well
        motors[k] = k < 6 ? 0 : sent[k] + (how == 1 ? rig.c->gravity[k] : 0);
      }
      for (int k = 0; k < 6; k++) sent[k] = 1000 * sin(n);
      sim.motors = NULL, sim.hidden = motors;
      sim_step(&sim, 1e-4);
    }
    for (int k = 0; k < model->nv; k++) assert_true(fabs(rig.c->observer->torque[k]) < 1e-3);
    rig_free(&rig);
  }
  mbd_model_destroy(model);
}

// what it has learnt stays when the mode changes, and goes with payload, terms, options, a step
// without time, a restart
static void
when_it_starts_anew(void ** state)
{
  rig_t * rig = *state;
  uint64_t seed = 1;
  controller_settings_t * s = rig->s;
  controller_apply(rig->c, s);
  bench_t bench = bench_on(rig);
  bench.push[1] = 5;
  for (int i = 0; i < 8; i++) {
    run_steps(&bench, STEPS);
    assert_true(largest(&bench) > 1);
    switch (i) {
      case 0: s->mode = MODE_OPERATIONAL_SPACE; break;
      case 1: s->npayload = 1, s->payload[0].inertia = random_inertia(&seed); break;
      case 2: s->payload[0].frame = 3; break;
      case 3: s->model_terms = MBD_TERM_ROTORS; break;
      case 4: s->observer_options.gain = 2 * GAIN; break;
      case 5: bench.started = false, bench.measure = true; break;
      case 6: controller_restart(rig->c); break;
      default: s->observer = false; break;
    }
    controller_apply(rig->c, s);
    run_steps(&bench, 1);
    assert_int_equal(largest(&bench) > 1, i == 0);
    bench.measure = false;
    if (i == 0) s->mode = MODE_COMPUTED_TORQUE;
  }
  run_steps(&bench, STEPS);
  assert_true(largest(&bench) == 0);
}

// a driver that subtracts terms and reports another unit: torques are whole again, and no push is seen; where
// the settings do not know of it, gravity looks like a push upwards
static void
drivers_that_leave_terms_out(void ** state)
{
  rig_t * rig = *state;
  int compared = 0;
  rig->s->observer_source = OBSERVE_MEASURED;
  rig->s->model_terms = MBD_TERM_FRICTION;
  for (unsigned excludes = 0; excludes < 8; excludes++) {
    rig->s->effort_excludes = excludes;
    for (int k = 0; k < 7; k++) rig->s->effort_scale[k] = 0.25, rig->v[k] = 0.4;
    controller_apply(rig->c, rig->s);
    controller_restart(rig->c);
    bench_t bench = bench_on(rig);
    bench.measure = true, bench.excludes = excludes, bench.scale = 0.25;
    for (int n = 0; n < 50; n++) {
      double sent[7];
      memcpy(sent, bench.sent, sizeof sent);
      run_steps(&bench, 1);
      if (n == 0) continue;  // nothing was sent
      assert_close(rig->c->effort, sent, 7, 1e-12, "terms %u, step %d", excludes, n);
      compared++;
    }
  }
  assert_int_equal(compared, 8 * 49);

  rig->s->model_terms = 0;
  for (int known = 0; known < 2; known++) {
    rig->s->effort_excludes = known ? EXCLUDES_GRAVITY : 0;
    for (int k = 0; k < 7; k++) rig->s->effort_scale[k] = 1, rig->v[k] = 0;
    controller_apply(rig->c, rig->s);
    controller_restart(rig->c);
    bench_t bench = bench_on(rig);
    bench.measure = true, bench.excludes = EXCLUDES_GRAVITY;
    run_steps(&bench, STEPS);
    if (known) {
      assert_true(largest(&bench) < 1e-3);
    } else {
      double gravity[7];
      for (int k = 0; k < 7; k++) gravity[k] = rig->c->gravity[k];
      assert_close(rig->c->observer->torque, gravity, 7, 2e-2, "gravity");
    }
  }
}

// flags rise above their threshold and fall below the other
static void
flags_follow_the_options(void ** state)
{
  rig_t * rig = *state;
  rig->s->observer_options.threshold_on = 4;
  rig->s->observer_options.threshold_off = 2;
  controller_apply(rig->c, rig->s);
  bench_t bench = bench_on(rig);
  static const double push[4] = {3, 5, 3, 1};
  for (int i = 0; i < 4; i++) {
    bench.push[1] = push[i];
    run_steps(&bench, STEPS);
    assert_int_equal(rig->c->observer->contact[1], i == 1 || i == 2);
    assert_false(rig->c->observer->contact[0]);
  }
}

int
main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, make_rig, free_rig)
  const struct CMUnitTest tests[] = {
    WITH_RIG(sees_a_push),
    WITH_RIG(jumps_of_the_command_are_not_seen),
    WITH_RIG(source_of_torques),
    WITH_RIG(measured_before_sent),
    WITH_RIG(source_may_change),
    WITH_RIG(robot_that_carries_itself),
    WITH_RIG(explains_a_wrench),
    cmocka_unit_test(free_base_has_no_motor),
    WITH_RIG(when_it_starts_anew),
    WITH_RIG(flags_follow_the_options),
    WITH_RIG(drivers_that_leave_terms_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
