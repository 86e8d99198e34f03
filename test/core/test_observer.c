// The momentum observer on simulated robots: lag responses, any time step, contact, wrenches.
#include "mbdyn/dynamics/observer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/urdf.h"
#include "simulate.h"

static const mbd_term_t both = MBD_TERM_FRICTION | MBD_TERM_ROTORS;

// a simulated robot and an observer with a workspace of its own
typedef struct rig {
  mbd_model_t * model;
  mbd_data_t *world, *mind;
  mbd_observer_t * observer;
  sim_t sim;
  double q0[SIM_MAX];
  double tau[SIM_MAX];  // motors at the end of the last step
  double swing;         // of the reference [rad]
} rig_t;

static mbd_observer_options_t
options_of(int order, double gain)
{
  mbd_observer_options_t options = mbd_observer_options_default();
  options.order = order;
  options.gain = gain;
  return options;
}

// computed torque about a swinging reference: every joint an oscillator of 30 rad/s
static void
computed_torque(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  const rig_t * rig = sim->ctx;
  for (int k = 0; k < sim->model->nv; k++) {
    const double rate = 2 + 0.7 * k, phase = rate * t + k;
    const double reference = rig->q0[k] + rig->swing * (sin(phase) - sin(k));
    tau[k] = 900 * (reference - q[k]) - 60 * v[k];
  }
  assert_ok(mbd_inverse_dynamics(sim->model, sim->data, q, v, tau, NULL, tau));
}

static void
rig_begin(rig_t * rig, mbd_model_t * model, const double * q, mbd_observer_options_t options)
{
  memset(rig, 0, sizeof *rig);
  rig->model = model;
  assert_ok(mbd_data_create(model, &rig->world));
  assert_ok(mbd_data_create(model, &rig->mind));
  assert_ok(mbd_observer_create(model, &options, &rig->observer));
  memcpy(rig->q0, q, (size_t)model->nq * sizeof *q);
  const double rest[SIM_MAX] = {0};
  rig->sim = sim_begin(model, rig->world, q, rest);
  rig->sim.motors = computed_torque;
  rig->sim.ctx = rig;
  rig->swing = 0.3;
}

static void
rig_end(rig_t * rig)
{
  mbd_observer_destroy(rig->observer);
  mbd_data_destroy(rig->mind);
  mbd_data_destroy(rig->world);
}

// what the observer gets to know at the simulated state
static void
observe(rig_t * rig, double dt)
{
  const sim_t * sim = &rig->sim;
  sim_motors(sim, sim->t, sim->q, sim->v, rig->tau);
  assert_ok(mbd_set_position(rig->model, rig->mind, sim->q));
  assert_ok(mbd_set_velocity(rig->model, rig->mind, sim->v));
  assert_ok(mbd_observer_update(rig->observer, rig->mind, rig->tau, dt));
}

static void
advance(rig_t * rig, double dt)
{
  rig->sim.ctx = rig;
  sim_step(&rig->sim, dt);
  observe(rig, dt);
}

// the lags of the header, beside the observer's own
typedef struct lags {
  double first[SIM_MAX], second[SIM_MAX];
} lags_t;

static void
lag(lags_t * l, double keep, int k, double d)
{
  l->first[k] = keep * l->first[k] + (1 - keep) * d;
  l->second[k] = keep * l->second[k] + (1 - keep) * l->first[k];
}

//---------- what is estimated ----------

// two updates, the lag too short to see: the estimate is hidden torque + J^T f, on every joint type
static void
one_step_gives_the_mean_torque(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    mat_t all = column(nv, t->tau), hidden = mat(nv, 1), Jf = mat(nv, 1);
    uint64_t state = seed;
    for (int k = 0; k < nv; k++) all.a[k] += hidden.a[k] = 10 * random_signed(&state);
    assert_ok(mbd_set_terms(t->data, (uint32_t)(seed % 4)));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, all.a, &t->f_ext, t->qdd));
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, Jf.a));
    mbd_observer_t * o;
    const mbd_observer_options_t options = options_of(1 + (int)(seed % 2), 1e9);
    assert_ok(mbd_observer_create(t->model, &options, &o));
    for (int end = -1; end <= 1; end += 2) {
      assert_ok(mbd_set_position(t->model, t->data, q_later(t, end * h).a));
      assert_ok(mbd_set_velocity(t->model, t->data, v_later(t, end * h).a));
      assert_ok(mbd_observer_update(o, t->data, t->tau, 2 * h));
    }
    double size = 1;
    for (int k = 0; k < nv; k++) size = fmax(size, fabs(t->qdd[k]));
    assert_mat_floor(column(nv, o->torque), SUM(hidden, Jf), 1e-6, size, "seed %lu", seed);
    mbd_observer_destroy(o);
  }
}

// a torque that is there from the start: 1 - a^n, and 1 - a^n (1 + n (1 - a)) with two lags
static void
constant_torque_rises_as_the_lags_do(void ** context)
{
  (void)context;
  const double dt = 1e-3, keep = exp(-30 * dt);
  FOR_SEEDS(20)
  {
    tree_t * t = chain(2 + (int)(seed % 5), seed);
    const int nv = t->model->nv, order = 1 + (int)(seed % 2);
    rig_t rig;
    rig_begin(&rig, t->model, t->q, options_of(order, 30));
    rig.sim.hidden = t->tau;
    observe(&rig, dt);
    for (int k = 0; k < nv; k++) assert_true(rig.observer->torque[k] == 0);
    for (int n = 1; n <= 300; n++) {
      advance(&rig, dt);
      const double left = pow(keep, n), rise = 1 - left * (order == 1 ? 1 : 1 + n * (1 - keep));
      mat_t expected = scale(rise, column(nv, t->tau));
      assert_mat_floor(
        column(nv, rig.observer->torque), expected, 5e-4, 10, "step %d, seed %lu", n, seed);
    }
    rig_end(&rig);
    tree_free(t);
    mats_free();
  }
}

// in small steps the response is that of the lags in continuous time
static void
small_steps_follow_the_exponential(void ** context)
{
  (void)context;
  const double dt = 1e-4, gain = 50;
  tree_t * t = chain(4, 7);
  for (int order = 1; order <= 2; order++) {
    rig_t rig;
    rig_begin(&rig, t->model, t->q, options_of(order, gain));
    rig.sim.hidden = t->tau;
    observe(&rig, dt);
    for (int n = 1; n <= 1000; n++) {
      advance(&rig, dt);
      const double x = gain * n * dt, rise = order == 1 ? 1 - exp(-x) : 1 - (1 + x) * exp(-x);
      const mat_t expected = scale(rise, column(4, t->tau));
      // the second lag is fed the first's value at the end of a step: gain dt / e early
      assert_mat_floor(
        column(4, rig.observer->torque), expected, order == 1 ? 1e-5 : gain * dt, 10, "step %d", n);
    }
    rig_end(&rig);
  }
  tree_free(t);
  mats_free();
}

// torques that come and go, the robot moving
static void
steps_up_and_down_are_followed(void ** context)
{
  (void)context;
  const double dt = 1e-3, gain = 40, keep = exp(-gain * dt);
  FOR_SEEDS(12)
  {
    tree_t * t = chain(6, seed);
    const int order = 1 + (int)(seed % 2);
    const double nothing[SIM_MAX] = {0};
    rig_t rig;
    lags_t l = {{0}, {0}};
    rig_begin(&rig, t->model, t->q, options_of(order, gain));
    observe(&rig, dt);
    for (int n = 1; n <= 400; n++) {
      const double * hidden = n > 100 && n <= 250 ? t->tau : nothing;
      rig.sim.hidden = hidden;
      advance(&rig, dt);
      for (int k = 0; k < 6; k++) lag(&l, keep, k, hidden[k]);
      assert_close_floor(
        rig.observer->torque, order == 1 ? l.first : l.second, 6, 1e-3, 10, "step %d, seed %lu", n,
        seed);
    }
    rig_end(&rig);
    tree_free(t);
    mats_free();
  }
}

//---------- friction and rotors ----------

// counted in: nothing is seen where nothing is; left out: just that is seen
static void
what_is_counted_in_is_not_seen(void ** context)
{
  (void)context;
  const double dt = 5e-4, gain = 30, keep = exp(-gain * dt);
  for (uint32_t known = 0; known < 4; known++) {
    tree_t * t = chain(5, 3 + known);
    rig_t rig;
    lags_t l = {{0}, {0}};
    rig_begin(&rig, t->model, t->q, options_of(1, gain));
    assert_ok(mbd_set_terms(rig.world, both));
    assert_ok(mbd_set_terms(rig.mind, known));
    observe(&rig, dt);
    double seen = 0;
    for (int n = 1; n <= 800; n++) {
      double before[SIM_MAX], after[SIM_MAX], v[SIM_MAX];
      memcpy(v, rig.sim.v, sizeof v);
      assert_ok(mbd_friction(t->model, rig.sim.v, before));
      advance(&rig, dt);
      assert_ok(mbd_friction(t->model, rig.sim.v, after));
      const mat_t rotors = dense_rotors(t->model);
      for (int k = 0; k < 5; k++) {
        double d = known & MBD_TERM_FRICTION ? 0 : -0.5 * (before[k] + after[k]);
        if (!(known & MBD_TERM_ROTORS)) d -= rotors.a[k] * (rig.sim.v[k] - v[k]) / dt;
        lag(&l, keep, k, d);
        seen = fmax(seen, fabs(rig.observer->torque[k]));
      }
      assert_close_floor(rig.observer->torque, l.first, 5, 2e-3, 1, "terms %u, step %d", known, n);
    }
    if (known == both && seen > 2e-3) fail_msg("%g seen where nothing is", seen);
    if (known != both && seen < 0.05) fail_msg("terms %u: only %g seen", known, seen);
    rig_end(&rig);
    tree_free(t);
    mats_free();
  }
}

//---------- any time step ----------

// a robot that jumps about, steps of any length: the recursion of the header, to the last digits
static void
recursion_is_that_of_the_header(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv, order = 1 + (int)(seed % 2);
    uint64_t state = seed;
    mbd_observer_t * o;
    const mbd_observer_options_t options = options_of(order, 30);
    lags_t l = {{0}, {0}};
    mat_t p0 = mat(nv, 1), beta0 = mat(nv, 1);
    double size = 1;
    assert_ok(mbd_observer_create(t->model, &options, &o));
    for (int n = 0; n < 20; n++) {
      const double dt = pow(10, random_between(&state, -4, 1.5));
      mat_t p = mat(nv, 1), beta = mat(nv, 1);
      for (int k = 0; k < nv; k++) t->v[k] = 3 * random_signed(&state);
      assert_ok(mbd_integrate(t->model, t->q, t->v, 1, t->q));
      set_state(t);
      assert_ok(mbd_momentum(t->model, t->data, p.a));
      assert_ok(mbd_momentum_rate(t->model, t->data, t->tau, NULL, beta.a));
      assert_ok(mbd_observer_update(o, t->data, t->tau, dt));
      for (int k = 0; n > 0 && k < nv; k++) {
        const double d = (p.a[k] - p0.a[k]) / dt - 0.5 * (beta.a[k] + beta0.a[k]);
        lag(&l, exp(-30 * dt), k, d);
        size = fmax(size, fabs(d));
      }
      assert_close_floor(
        o->torque, order == 1 ? l.first : l.second, nv, 1e-12, size, "step %d, seed %lu", n, seed);
      p0 = p, beta0 = beta;
    }
    mbd_observer_destroy(o);
  }
}

// an observer of a robot at rest that something holds with `torque` beside its motors
typedef struct still {
  tree_t * t;
  mbd_observer_t * o;
  double g[SIM_MAX];
} still_t;

static still_t
still_begin(uint64_t seed, mbd_observer_options_t options)
{
  still_t s = {.t = chain(4, seed)};
  memset(s.t->v, 0, 4 * sizeof *s.t->v);
  set_state(s.t);
  assert_ok(mbd_gravity(s.t->model, s.t->data, s.g));
  assert_ok(mbd_observer_create(s.t->model, &options, &s.o));
  return s;
}

static void
still_end(still_t * s)
{
  mbd_observer_destroy(s->o);
  tree_free(s->t);
  mats_free();
}

static mbd_status_t
hold(still_t * s, const double * torque, double dt)
{
  double tau[4];
  for (int k = 0; k < 4; k++) tau[k] = s->g[k] - torque[k];
  return mbd_observer_update(s->o, s->t->data, tau, dt);
}

// what is there after one second depends on the second, not on how it is cut
static void
any_cut_of_time_gives_the_same(void ** context)
{
  (void)context;
  const double torque[4] = {5, -3, 0.1, 20};
  FOR_SEEDS(50)
  {
    uint64_t state = seed;
    still_t s = still_begin(seed, options_of(1, 3));
    assert_ok(hold(&s, torque, 1));
    for (double left = 1; left > 0;) {
      double dt = pow(10, random_between(&state, -4, 0));
      if (dt > left) dt = left;
      assert_ok(hold(&s, torque, dt));
      left -= dt;
    }
    const mat_t expected = scale(1 - exp(-3), column(4, torque));
    assert_close_floor(s.o->torque, expected.a, 4, 1e-12, 20, "seed %lu", seed);
    still_end(&s);
  }
}

// steps of 1e-4 to 10 s, up to 1000 time constants: never beyond what is there
static void
never_beyond_what_is_there(void ** context)
{
  (void)context;
  const double torque[4] = {5, -3, 0.1, 20};
  const double gains[] = {0.1, 30, 1e4, 1e7};
  for (int order = 1; order <= 2; order++) {
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
      uint64_t state = i;
      still_t s = still_begin(i, options_of(order, gains[i]));
      assert_ok(hold(&s, torque, 1));
      double last[4] = {0};
      for (int n = 0; n < 200; n++) {
        assert_ok(hold(&s, torque, pow(10, random_between(&state, -4, 1))));
        for (int k = 0; k < 4; k++) {
          const double share = s.o->torque[k] / torque[k];
          assert_true(share >= last[k] - 1e-12 && share <= 1 + 1e-12);
          last[k] = share;
        }
      }
      // gain dt = 1000: at once
      assert_ok(mbd_observer_reset(s.o));
      assert_ok(hold(&s, torque, 1));
      assert_ok(hold(&s, torque, 1000 / gains[i]));
      assert_close_floor(s.o->torque, torque, 4, 1e-12, 20, "gain %g", gains[i]);
      still_end(&s);
    }
  }
}

// steps far below the resolution of 1 - exp(-x) count, too
static void
tiny_steps_add_up(void ** context)
{
  (void)context;
  const double torque[4] = {5, -3, 0.1, 20};
  still_t s = still_begin(1, options_of(1, 1));
  assert_ok(hold(&s, torque, 1));
  for (int n = 0; n < 1000; n++) assert_ok(hold(&s, torque, 1e-17));
  const mat_t expected = scale(1e-14, column(4, torque));
  assert_close_floor(s.o->torque, expected.a, 4, 1e-9, 1e-30, "after 1000 steps");
  still_end(&s);
}

//---------- contact flags ----------

static void
flags_have_hysteresis(void ** context)
{
  (void)context;
  // levels, and whether joint 0 and joint 1 (of higher thresholds) are in contact
  static const struct {
    double level;
    bool first, second;
  } path[] = {{0, false, false}, {4, false, false}, {6, true, false},    {3, true, false},
              {1, false, false}, {3, false, false}, {-6, true, false},   {-3, true, false},
              {-9, true, true},  {-5, true, true},  {-3.5, true, false}, {0, false, false}};
  mbd_observer_options_t options = options_of(1, 1000);
  options.threshold_on = 5, options.threshold_off = 2;
  still_t s = still_begin(5, options);
  s.o->threshold_on[1] = 8, s.o->threshold_off[1] = 4;
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
    const double torque[4] = {path[i].level, path[i].level, 0, 0};
    // the first has the mean of two levels
    for (int n = 0; n < 2; n++) assert_ok(hold(&s, torque, 1));
    assert_near(s.o->torque[0], path[i].level, 1e-9, "level %zu", i);
    const bool expected[4] = {path[i].first, path[i].second, false, false};
    for (int k = 0; k < 4; k++) {
      if (s.o->contact[k] != expected[k]) fail_msg("level %g, joint %d", path[i].level, k);
    }
  }
  still_end(&s);
}

// without thresholds there is no contact
static void
no_thresholds_no_flags(void ** context)
{
  (void)context;
  const double torque[4] = {1e9, -1e9, 1e9, 0};
  still_t s = still_begin(5, options_of(1, 1000));
  for (int n = 0; n < 3; n++) assert_ok(hold(&s, torque, 1));
  assert_near(s.o->torque[0], 1e9, 1, "torque");
  for (int k = 0; k < 4; k++) assert_false(s.o->contact[k]);
  still_end(&s);
}

//---------- wrenches ----------

// Lambda J M^-1 J^T f = f where the frame can move; else a wrench that causes the same torques
static void
wrench_explains_the_torques(void ** context)
{
  (void)context;
  int exact = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    uint64_t state = seed;
    mbd_observer_t * o;
    assert_ok(mbd_set_terms(t->data, seed % 2 ? both : 0));
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_observer_create(m, NULL, &o));
    for (int frame = 0; frame < m->nframe; frame++) {
      const mbd_reference_t reference = (mbd_reference_t)random_below(&state, 3);
      mbd_wrench_t w = {frame, reference, random_force(&state)};
      const mbd_wrenches_t list = {1, &w};
      double inertia[36];
      int rank;
      mat_t same = mat(m->nv, 1);
      assert_ok(mbd_jacobian_transpose_product(m, t->data, &list, o->torque));
      assert_ok(mbd_operational_space_inertia(m, t->data, frame, reference, inertia, &rank));
      const mat_t f = force6(w.f);
      assert_ok(mbd_observer_wrench(o, t->data, frame, reference, &w.f));
      assert_ok(mbd_jacobian_transpose_product(m, t->data, &list, same.a));
      assert_mat_floor(
        same, column(m->nv, o->torque), 1e-6, 1, "torques, frame %d, seed %lu", frame, seed);
      if (rank < 6) continue;
      assert_mat_floor(force6(w.f), f, 1e-6, 1, "wrench, frame %d, seed %lu", frame, seed);
      exact++;
    }
    mbd_observer_destroy(o);
  }
  assert_count(exact, TREES);
}

static mbd_model_t *
load_robot(const char * file)
{
  char path[512];
  mbd_model_t * model;
  snprintf(path, sizeof path, "%s/config/robots/%s", MBDYN_SOURCE_DIR, file);
  assert_ok(mbdx_urdf_load_file(path, NULL, &model, NULL));
  return model;
}

// an arm pushed at its tool, swinging or held: the torques through the lag, and the wrench
static void
push_at_the_tool(const char * robot, const double * q, double swing, double tolerance)
{
  const double dt = 1e-3, gain = 60, keep = exp(-gain * dt);
  mbd_model_t * model = load_robot(robot);
  rig_t rig;
  lags_t l = {{0}, {0}};
  mbd_wrench_t w = {0, MBD_LOCAL_WORLD_ALIGNED, {{0.5, -0.8, 0.3}, {12, -7, 20}}};
  const mbd_wrenches_t list = {1, &w};
  assert_ok(mbd_find_frame(model, "tool", &w.frame));
  rig_begin(&rig, model, q, options_of(1, gain));
  assert_ok(mbd_set_terms(rig.world, both));
  assert_ok(mbd_set_terms(rig.mind, both));
  rig.sim.f_ext = &list;
  rig.swing = swing;
  observe(&rig, dt);
  double last[SIM_MAX], now[SIM_MAX];
  assert_ok(mbd_jacobian_transpose_product(model, rig.mind, &list, last));
  for (int n = 1; n <= 700; n++) {
    advance(&rig, dt);
    assert_ok(mbd_jacobian_transpose_product(model, rig.mind, &list, now));
    for (int k = 0; k < model->nv; k++) lag(&l, keep, k, 0.5 * (last[k] + now[k]));
    memcpy(last, now, sizeof last);
    assert_close_floor(rig.observer->torque, l.first, model->nv, 1e-3, 5, "%s, step %d", robot, n);
    if (n < 300) continue;
    // in world axes at the tool; the other references are the same wrench elsewhere
    mbd_force_t f, local;
    mbd_placement_t X;
    assert_ok(mbd_observer_wrench(rig.observer, rig.mind, w.frame, w.reference, &f));
    assert_ok(mbd_observer_wrench(rig.observer, rig.mind, w.frame, MBD_LOCAL, &local));
    assert_ok(mbd_frame_placement(model, rig.mind, w.frame, &X));
    assert_mat_floor(force6(f), force6(w.f), tolerance, 20, "%s, step %d", robot, n);
    const mbd_vec3_t turned = mbdu_mat3_vec(&X.R, local.lin);
    assert_close_floor(&turned.x, &f.lin.x, 1, 1e-9, 20, "%s, local", robot);
  }
  rig_end(&rig);
  mbd_model_destroy(model);
  mats_free();
}

static void
wrench_at_the_tool_is_found(void ** context)
{
  (void)context;
  const double seven[] = {0, -0.785, 0, -2.356, 0, 1.571, 0.785};
  const double six[] = {0.2, -1.2, 1.4, -0.9, -1.3, 0.4};
  push_at_the_tool("arm7.urdf", seven, 0, 1e-3);
  push_at_the_tool("arm6.urdf", six, 0, 1e-3);
  // moving: late by a time constant
  push_at_the_tool("arm7.urdf", seven, 0.1, 0.08);
  push_at_the_tool("arm6.urdf", six, 0.1, 0.08);
}

//---------- behaviour ----------

static void
reset_forgets_the_past(void ** context)
{
  (void)context;
  const double torque[4] = {50, -50, 50, 50}, nothing[4] = {0};
  mbd_observer_options_t options = options_of(2, 100);
  options.threshold_on = 5, options.threshold_off = 5;
  still_t s = still_begin(9, options), fresh = still_begin(9, options);
  for (int n = 0; n < 5; n++) assert_ok(hold(&s, torque, 0.1));
  assert_true(s.o->contact[0] && fabs(s.o->torque[1]) > 40);
  assert_ok(mbd_observer_reset(s.o));
  for (int k = 0; k < 4; k++) assert_true(s.o->torque[k] == 0 && !s.o->contact[k]);
  for (int n = 0; n < 5; n++) {
    // as if it had never been; the first step only starts it
    const double * now = n < 3 ? nothing : torque;
    assert_ok(hold(&s, now, 0.1));
    assert_ok(hold(&fresh, now, 0.1));
    assert_close(s.o->torque, fresh.o->torque, 4, 0, "step %d", n);
    if (n == 0) assert_true(s.o->torque[0] == 0 && s.o->started);
  }
  still_end(&fresh);
  still_end(&s);
}

// everything an update may change
static void
snapshot(const mbd_observer_t * o, double * out)
{
  const double * field[] = {o->torque, o->lag, o->p, o->beta};
  for (size_t i = 0; i < 4; i++) memcpy(out + 4 * i, field[i], 4 * sizeof *out);
  out[16] = o->started;
  for (int k = 0; k < 4; k++) out[17 + k] = o->contact[k];
}

// a bad call changes nothing, before the start and after it
static void
bad_input_leaves_the_state_alone(void ** context)
{
  (void)context;
  const double torque[4] = {50, -50, 50, 50}, bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  const double bad_dt[] = {0, -1e-3, (double)NAN, HUGE_VAL, -HUGE_VAL};
  mbd_observer_options_t options = options_of(2, 100);
  options.threshold_on = 5, options.threshold_off = 1;
  still_t s = still_begin(9, options);
  tree_t * other = chain(4, 2);
  set_state(other);
  for (int n = 0; n < 4; n++) {
    double before[21], after[21], tau[4] = {0};
    snapshot(s.o, before);
    for (size_t i = 0; i < 3; i++) {
      tau[n] = bad[i];
      assert_status(mbd_observer_update(s.o, s.t->data, tau, 1e-3), MBD_ERROR_NOT_FINITE);
    }
    for (size_t i = 0; i < 5; i++) {
      assert_status(hold(&s, torque, bad_dt[i]), MBD_ERROR_BAD_ARGUMENT);
    }
    assert_status(mbd_observer_update(s.o, s.t->data, NULL, 1e-3), MBD_ERROR_NULL_ARGUMENT);
    assert_status(mbd_observer_update(s.o, NULL, torque, 1e-3), MBD_ERROR_NULL_ARGUMENT);
    assert_status(mbd_observer_update(NULL, s.t->data, torque, 1e-3), MBD_ERROR_NULL_ARGUMENT);
    assert_status(mbd_observer_update(s.o, other->data, torque, 1e-3), MBD_ERROR_MODEL_MISMATCH);
    assert_ok(mbd_set_position(s.t->model, s.t->data, s.t->q));
    assert_status(hold(&s, torque, 1e-3), MBD_ERROR_STAGE);
    set_state(s.t);
    snapshot(s.o, after);
    assert_memory_equal(before, after, sizeof before);
    assert_ok(hold(&s, torque, 0.05));
  }
  assert_true(s.o->torque[0] > 40 && s.o->contact[0]);
  tree_free(other);
  still_end(&s);
}

// a step so short that the mean torque overflows is no step
static void
overflow_leaves_the_state_alone(void ** context)
{
  (void)context;
  const double nothing[4] = {0};
  still_t s = still_begin(9, options_of(1, 100));
  assert_ok(hold(&s, nothing, 0.1));
  for (int k = 0; k < 4; k++) s.t->v[k] = 1;
  set_state(s.t);
  double before[21], after[21];
  snapshot(s.o, before);
  assert_status(hold(&s, nothing, 5e-324), MBD_ERROR_NOT_FINITE);
  snapshot(s.o, after);
  assert_memory_equal(before, after, sizeof before);
  assert_ok(hold(&s, nothing, 0.1));
  for (int k = 0; k < 4; k++) assert_true(fabs(s.o->torque[k]) < 1e6);
  still_end(&s);
}

// at any alignment, in exactly the memory that was asked for
static void
memory_of_the_caller(void ** context)
{
  (void)context;
  const double torque[4] = {5, -3, 0.1, 20};
  still_t s = still_begin(9, options_of(2, 100));
  for (int n = 0; n < 3; n++) assert_ok(hold(&s, torque, 0.01));
  const size_t size = mbd_observer_size(s.t->model);
  assert_true(size > 0 && mbd_observer_size(NULL) == 0);
  unsigned char * scratch = malloc(size + 64);
  assert_non_null(scratch);
  for (size_t offset = 0; offset < 17; offset++) {
    memset(scratch, 0xa5, size + 64);
    still_t here = s;
    const mbd_observer_options_t options = options_of(2, 100);
    assert_ok(mbd_observer_init(s.t->model, &options, scratch + offset, size, &here.o));
    assert_true((uintptr_t)here.o->torque % sizeof(double) == 0);
    for (int n = 0; n < 3; n++) assert_ok(hold(&here, torque, 0.01));
    assert_close(here.o->torque, s.o->torque, 4, 0, "offset %zu", offset);
    for (size_t i = 0; i < offset; i++) assert_true(scratch[i] == 0xa5);
    for (size_t i = offset + size; i < size + 64; i++) assert_true(scratch[i] == 0xa5);
    // not ours to free
    mbd_observer_destroy(here.o);
  }
  mbd_observer_t * o;
  assert_status(mbd_observer_init(s.t->model, NULL, scratch, size - 1, &o), MBD_ERROR_TOO_SMALL);
  free(scratch);
  still_end(&s);
}

static void
bad_options_are_refused(void ** context)
{
  (void)context;
  tree_t * t = chain(2, 1);
  mbd_observer_t * o = NULL;
  const mbd_observer_options_t good = mbd_observer_options_default();
  mbd_observer_options_t bad[12];
  for (size_t i = 0; i < 12; i++) bad[i] = good;
  bad[0].order = 0, bad[1].order = 3, bad[2].order = -1;
  bad[3].gain = 0, bad[4].gain = -1, bad[5].gain = (double)NAN, bad[6].gain = HUGE_VAL;
  bad[7].threshold_on = 1, bad[8].threshold_on = (double)NAN, bad[9].threshold_off = (double)NAN;
  bad[10].threshold_off = -1, bad[11].threshold_on = bad[11].threshold_off = -1;
  for (size_t i = 0; i < 12; i++) {
    if (mbd_observer_create(t->model, &bad[i], &o) != MBD_ERROR_BAD_ARGUMENT) fail_msg("%zu", i);
    assert_null(o);
  }
  assert_true(good.order == 1 && good.gain == 30 && good.threshold_on == HUGE_VAL);
  mbd_model_t * open;
  assert_ok(mbd_model_create("open", &open));
  assert_status(mbd_observer_create(open, NULL, &o), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_observer_create(NULL, NULL, &o), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_observer_create(t->model, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_observer_init(t->model, NULL, NULL, 1000, &o), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_observer_reset(NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_true(mbd_observer_size(open) == 0);
  mbd_observer_destroy(NULL);
  mbd_model_destroy(open);
  tree_free(t);
}

static void
wrench_needs_a_position_and_a_frame(void ** context)
{
  (void)context;
  tree_t * t = chain(6, 1);
  mbd_observer_t * o;
  mbd_force_t f = {{7, 7, 7}, {7, 7, 7}};
  assert_ok(mbd_observer_create(t->model, NULL, &o));
  assert_status(mbd_observer_wrench(o, t->data, 0, MBD_LOCAL, &f), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_status(mbd_observer_wrench(o, t->data, -1, MBD_LOCAL, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_observer_wrench(o, t->data, t->model->nframe, MBD_LOCAL, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_observer_wrench(NULL, t->data, 0, MBD_LOCAL, &f), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_observer_wrench(o, NULL, 0, MBD_LOCAL, &f), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_observer_wrench(o, t->data, 0, MBD_LOCAL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_true(f.ang.x == 7 && f.lin.z == 7);
  assert_ok(mbd_observer_wrench(o, t->data, 0, MBD_LOCAL, &f));
  assert_true(f.ang.x == 0 && f.lin.z == 0);
  mbd_observer_destroy(o);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_step_gives_the_mean_torque),
    cmocka_unit_test(constant_torque_rises_as_the_lags_do),
    cmocka_unit_test(small_steps_follow_the_exponential),
    cmocka_unit_test(steps_up_and_down_are_followed),
    cmocka_unit_test(what_is_counted_in_is_not_seen),
    cmocka_unit_test(recursion_is_that_of_the_header),
    cmocka_unit_test(any_cut_of_time_gives_the_same),
    cmocka_unit_test(never_beyond_what_is_there),
    cmocka_unit_test(tiny_steps_add_up),
    cmocka_unit_test(flags_have_hysteresis),
    cmocka_unit_test(no_thresholds_no_flags),
    cmocka_unit_test(wrench_explains_the_torques),
    cmocka_unit_test(wrench_at_the_tool_is_found),
    cmocka_unit_test(reset_forgets_the_past),
    cmocka_unit_test(bad_input_leaves_the_state_alone),
    cmocka_unit_test(overflow_leaves_the_state_alone),
    cmocka_unit_test(memory_of_the_caller),
    cmocka_unit_test(bad_options_are_refused),
    cmocka_unit_test(wrench_needs_a_position_and_a_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
