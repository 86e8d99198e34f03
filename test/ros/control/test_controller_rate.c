// Velocity gains against the sample time: commands are held between samples, and a sample late.
#include <stdio.h>

#include "control_rig.h"
#include "dense_oracle.h"
#include "mbdyn/dynamics/task.h"

static const double QUARTER = 0.25 * (1 + 1e-9);

static void
rig_finger(rig_t * rig)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  options.loops_file = MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml";
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/finger.urdf", &options, &model, NULL));
  rig_on(rig, model);
  rig->model = model;
}

// The robot under commands that are held for a sample, each computed from the state of `delay`
// samples before.
// \return largest velocity of any joint after the first tenth of the time
static double
sampled_run(rig_t * rig, double period, int delay, double seconds)
{
  enum { LATE = 8, PARTS = 4 };
  double command[LATE][RIG_MAX] = {{0}}, peak = 0;
  const int nv = rig->c->model->nv, steps = (int)(seconds / period);
  rig->c->sample_time = period;
  controller_apply(rig->c, rig->s);
  sim_t sim = rig_simulation(rig);
  sim.motors = NULL;
  // gravity alone until the first one has come
  for (int n = -delay; n < steps; n++) {
    rig_state(rig, sim.q, sim.v);
    rig_step(rig, sim.t, period, NULL);
    double * now = command[(n + LATE) % LATE];
    for (int k = 0; k < nv; k++) {
      // as the gate does
      const double limit = rig->c->model->body[rig->c->model->dof_body[k]].limits.effort;
      now[k] = rig->c->command[k];
      if (limit > 0 && fabs(now[k]) > limit) now[k] = copysign(limit, now[k]);
    }
    if (n < 0) continue;
    sim.hidden = command[(n - delay + LATE) % LATE];
    for (int part = 0; part < PARTS; part++) sim_step(&sim, period / PARTS);
    for (int k = 0; k < nv && n > steps / 10; k++) peak = fmax(peak, fabs(sim.v[k]));
  }
  return peak;
}

//---------- a light joint ----------

// the damping of config/gravity_compensation.yaml on a finger of 4e-5 kg m^2: what noise there is
// decays, with a command that is a sample late and up to five
static void
finger_comes_to_rest(void ** state)
{
  (void)state;
  for (int delay = 1; delay <= 5; delay++) {
    rig_t rig;
    rig_finger(&rig);
    rig.s->mode = MODE_GRAVITY_COMPENSATION;
    rig.s->damping[0] = 0.5;
    rig.v[0] = 1e-3;
    const double peak = sampled_run(&rig, 1e-3, delay, 0.2);
    if (!(peak < 2e-3)) fail_msg("%d samples late: %g rad/s", delay, peak);
    assert_true(rig.c->bound.cycles > 0);
    assert_string_equal(rig.c->bound.parameter, "damping");
    assert_true(rig.c->bound.gain == 0.5 && rig.c->bound.bound < 0.05 && rig.c->bound.bound > 1e-3);
    rig_free(&rig);
  }
}

// an impulse: with one sample of delay the velocity decays without a change of its sign
static void
one_sample_late_does_not_oscillate(void ** state)
{
  (void)state;
  rig_t rig;
  rig_finger(&rig);
  rig.s->mode = MODE_GRAVITY_COMPENSATION;
  rig.s->damping[0] = 100;
  rig.c->sample_time = 1e-3;
  controller_apply(rig.c, rig.s);
  double v = 0.1, before = v, M;
  for (int n = 0; n < 100; n++) {
    rig.v[0] = before, before = v;
    rig_step(&rig, 1e-3 * n, 1e-3, NULL);
    assert_ok(mbd_mass_matrix(rig.model, rig.c->data, &M));
    v += 1e-3 * (rig.c->command[0] - rig.c->gravity[0]) / M;
    assert_true(v > 0 && v <= before);
  }
  assert_true(v < 1e-10);
  rig_free(&rig);
}

//---------- coupled joints ----------

// the damping in use, column by column from what a velocity adds to the command
static void
damping_in_use(rig_t * rig, double * d)
{
  double rest[RIG_MAX];
  const int nv = rig->c->model->nv;
  memset(rig->v, 0, sizeof rig->v);
  rig_step(rig, 0, 0, NULL);
  for (int k = 0; k < nv; k++) rest[k] = rig->c->command[k];
  for (int k = 0; k < nv; k++) rig->v[k] = 1;
  rig_step(rig, 0, 0, NULL);
  for (int k = 0; k < nv; k++) d[k] = rest[k] - rig->c->command[k];
}

// largest eigenvalue of M^-1 D, by the oracle's mass matrix: power iteration of D^1/2 M^-1 D^1/2
static double
largest_rate(const tree_t * tree, const double * d)
{
  const int nv = tree->model->nv;
  const dense_t at = dense_at(tree->model, NULL, tree->q, NULL, tree->model->gravity);
  const mat_t A = inverse(dense_mass(&at));
  double x[RIG_MAX], y[RIG_MAX], size = 0;
  for (int k = 0; k < nv; k++) x[k] = 1 + 0.1 * k;
  for (int n = 0; n < 3000; n++) {
    size = 0;
    for (int i = 0; i < nv; i++) {
      y[i] = 0;
      for (int j = 0; j < nv; j++) y[i] += sqrt(d[i] * d[j]) * A.a[i * nv + j] * x[j];
      size += y[i] * y[i];
    }
    size = sqrt(size);
    if (!(size > 0)) return 0;
    for (int i = 0; i < nv; i++) x[i] = y[i] / size;
  }
  return size;
}

// no velocity of any robot decays by more than a quarter in a sample, however much damping is asked
// for; the damping is never more than that, and what is little enough is left alone
static void
coupled_joints_are_bounded(void ** state)
{
  (void)state;
  int bounded = 0, left = 0, unstable = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    const int nv = tree->model->nv;
    if (nv > 0 && nv < RIG_MAX && dense_holonomic(tree->model)) {
      uint64_t s = seed;
      rig_t rig;
      double used[RIG_MAX];
      rig_on(&rig, tree->model);
      rig.s->mode = MODE_GRAVITY_COMPENSATION;
      rig.s->command_terms = TERM_GRAVITY;
      rig.c->sample_time = pow(10, random_between(&s, -4, -1));
      for (int k = 0; k < nv; k++) rig.s->damping[k] = pow(10, random_between(&s, -3, 3));
      controller_apply(rig.c, rig.s);
      rig_state(&rig, tree->q, tree->v);
      damping_in_use(&rig, used);
      const double asked = rig.c->sample_time * largest_rate(tree, rig.s->damping);
      const double taken = rig.c->sample_time * largest_rate(tree, used);
      if (!(taken <= QUARTER)) fail_msg("seed %d: %g of %g", (int)seed, taken, asked);
      for (int k = 0; k < nv; k++) {
        const double d = rig.s->damping[k];
        assert_true(used[k] > 0 && used[k] <= d * (1 + 1e-9));
        // row sums are at most nv times the largest eigenvalue
        if (asked * nv <= 0.25) assert_true(fabs(used[k] - d) <= 1e-9 * d);
      }
      if (asked * nv <= 0.25) assert_true(rig.c->bound.cycles == 0);
      bounded += rig.c->bound.cycles > 0;
      left += rig.c->bound.cycles == 0;
      unstable += asked > 1;
      rig_free(&rig);
    }
    mats_free();
    tree_free(tree);
  }
  // all three kinds were there
  printf("%d bounded, %d of them unstable without, %d left alone\n", bounded, unstable, left);
  assert_true(unstable > 20 && bounded >= unstable && left > 10);
}

// inertias of two coupled joints where neither M_ii nor 1 / (M^-1)_ii is a bound for the pair
static void
joints_one_by_one_are_not_enough(void ** state)
{
  (void)state;
  tree_t * tree = chain(6, 3);
  const int nv = tree->model->nv;
  const dense_t at = dense_at(tree->model, NULL, tree->q, NULL, tree->model->gravity);
  const mat_t M = dense_mass(&at), A = inverse(M);
  double own[RIG_MAX], alone[RIG_MAX];
  for (int k = 0; k < nv; k++) own[k] = M.a[k * nv + k], alone[k] = 1 / A.a[k * nv + k];
  assert_true(largest_rate(tree, own) > 1.5);
  assert_true(largest_rate(tree, alone) > 1.5);
  mats_free();
  tree_free(tree);
}

//---------- heavy arms ----------

typedef struct usual {
  controller_mode_t mode;
  double period;
} usual_t;

static void
usual_gains(rig_t * rig, const char * frame)
{
  controller_settings_t * s = rig->s;
  for (int k = 0; k < rig->c->model->nv; k++) {
    s->damping[k] = 0.5, s->kp[k] = 100, s->kd[k] = 20, s->ki[k] = 50;
    s->damping_rate[k] = 2, s->posture_kp[k] = 10, s->posture_kd[k] = 6;
  }
  for (int k = 0; k < 6; k++) s->task_row[k] = true, s->task_kp[k] = 400, s->task_kd[k] = 40;
  s->integral_limit = 10;
  s->model_terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS;
  s->task_frame = rig_frame(rig, frame);
  s->singular = (mbd_singular_t){.policy = MBD_SINGULAR_DAMP, .damping = 0.01};
}

// arms with the gains of the parameter files: the same command, to the bit
static void
arms_are_left_alone(void ** state)
{
  (void)state;
  static const char * const ARM[2] = {"arm6", "arm7"};
  static const usual_t USUAL[] = {
    {MODE_GRAVITY_COMPENSATION, 1e-3},   {MODE_COMPUTED_TORQUE, 1e-3},
    {MODE_OPERATIONAL_SPACE, 1e-3},      {MODE_QUASI_VELOCITY_DAMPING, 1e-3},
    {MODE_COMPUTED_TORQUE, 4e-3},        {MODE_OPERATIONAL_SPACE, 4e-3},
    {MODE_QUASI_VELOCITY_DAMPING, 1e-2}, {MODE_COMPUTED_TORQUE, 1e-2}};
  int compared = 0;
  for (int a = 0; a < 2; a++) {
    uint64_t seed = 5;
    char path[300];
    mbd_model_t * model;
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", ARM[a]);
    assert_ok(mbdx_urdf_load_file(path, NULL, &model, NULL));
    for (int i = 0; i < (int)(sizeof USUAL / sizeof *USUAL); i++) {
      for (int pose = 0; pose < 50; pose++) {
        rig_t rig[2];
        double q[RIG_MAX], v[RIG_MAX];
        for (int k = 0; k < model->nv; k++)
          q[k] = 2 * random_signed(&seed), v[k] = random_signed(&seed);
        for (int r = 0; r < 2; r++) {
          rig_on(&rig[r], model);
          usual_gains(&rig[r], "tool");
          // the flange of arm6 is 1.3e-4 kg m^2: with 0.5 it would shake
          if (a == 0) rig[r].s->damping[4] = 0.3, rig[r].s->damping[5] = 0.02;
          rig[r].s->mode = USUAL[i].mode;
          // dry friction of a reference is a spring by the sample time
          if (USUAL[i].mode == MODE_COMPUTED_TORQUE)
            rig[r].s->command_terms &= ~(unsigned)TERM_FRICTION;
          rig[r].c->sample_time = r ? USUAL[i].period : 0;
          controller_apply(rig[r].c, rig[r].s);
          rig_state(&rig[r], q, v);
          rig_step(&rig[r], 0, 0, NULL);
          for (int k = 0; k < model->nv; k++) rig[r].q[k] += 0.01;
          rig_step(&rig[r], USUAL[i].period, USUAL[i].period, NULL);
        }
        if (rig[1].c->bound.cycles > 0) {
          fail_msg(
            "%s, mode %d, joint %d: %g of %g", ARM[a], i, rig[1].c->bound.index,
            rig[1].c->bound.bound, rig[1].c->bound.gain);
        }
        for (int k = 0; k < model->nv; k++) {
          assert_true(rig[0].c->command[k] == rig[1].c->command[k]);
          compared += rig[0].c->command[k] != 0;
        }
        for (int r = 0; r < 2; r++) rig_free(&rig[r]);
      }
    }
    mbd_model_destroy(model);
  }
  assert_true(compared > 4000);
}

//---------- gains of accelerations ----------

// kd beyond the sample time slows the whole feedback down: kp by the square, ki by the cube
static void
feedback_is_slowed_down(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  rig.s->mode = MODE_COMPUTED_TORQUE;
  rig.s->integral_limit = 1e9;
  for (int k = 0; k < 7; k++) rig.s->kp[k] = 1e4, rig.s->kd[k] = 200, rig.s->ki[k] = 1e3;
  rig.s->kd[3] = 20;
  rig.c->sample_time = 0.01;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  for (int k = 0; k < 7; k++) rig.q[k] -= 0.01, rig.v[k] = -0.1;
  rig_step(&rig, 0.01, 0.01, NULL);
  for (int k = 0; k < 7; k++) {
    // 25 / s of the 200 asked for
    const double s = k == 3 ? 1 : 0.125, kd = k == 3 ? 20 : 200;
    const double want = s * s * 1e4 * 0.01 + s * kd * 0.1 + s * s * s * 1e3 * 0.01 * 0.01;
    assert_true(fabs(rig.c->acceleration[k] - want) < 1e-9);
  }
  assert_int_equal(rig.c->bound.cycles, 2);
  assert_string_equal(rig.c->bound.parameter, "kd");
  assert_true(rig.c->bound.gain == 200 && fabs(rig.c->bound.bound - 25) < 1e-12);
  rig_free(&rig);
}

// whatever gains are set, the arm settles in every mode with a command that is a sample late
static void
arm_settles_in_every_mode(void ** state)
{
  (void)state;
  static const struct {
    controller_mode_t mode;
    const char * parameter;
  } MODE[] = {
    {MODE_GRAVITY_COMPENSATION, "damping"},
    {MODE_COMPUTED_TORQUE, "kd"},
    {MODE_OPERATIONAL_SPACE, "operational_kd"},
    {MODE_QUASI_VELOCITY_DAMPING, "damping_rates"}};
  for (int i = 0; i < 4; i++) {
    rig_t rig;
    rig_arm(&rig);
    usual_gains(&rig, "tool");
    rig.s->mode = MODE[i].mode;
    rig.s->model_terms = 0;
    for (int k = 0; k < 7; k++) {
      rig.s->damping[k] = 300, rig.s->damping_rate[k] = 400, rig.s->kd[k] = 400, rig.s->kp[k] = 4e4;
      rig.s->posture_kd[k] = 300, rig.s->posture_kp[k] = 2e4, rig.s->ki[k] = 0;
      rig.v[k] = 0.02 * (k % 3 - 1);
    }
    for (int k = 0; k < 6; k++) rig.s->task_kd[k] = 500, rig.s->task_kp[k] = 6e4;
    const double peak = sampled_run(&rig, 5e-3, 1, 1.0);
    if (!(peak < 0.03)) fail_msg("%s: %g rad/s", MODE[i].parameter, peak);
    assert_string_equal(rig.c->bound.parameter, MODE[i].parameter);
    rig_free(&rig);
  }
}

// a sample time that is not known is no bound, and links without mass are none
static void
unknown_is_not_bounded(void ** state)
{
  (void)state;
  rig_t rig;
  double d[RIG_MAX];
  rig_finger(&rig);
  rig.s->mode = MODE_GRAVITY_COMPENSATION;
  rig.s->damping[0] = 0.5;
  controller_apply(rig.c, rig.s);
  damping_in_use(&rig, d);
  assert_true(fabs(d[0] - 0.5) < 1e-12);
  assert_true(rig.c->bound.cycles == 0 && !rig.c->bound.parameter);
  rig_free(&rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(finger_comes_to_rest),
    cmocka_unit_test(one_sample_late_does_not_oscillate),
    cmocka_unit_test(coupled_joints_are_bounded),
    cmocka_unit_test(joints_one_by_one_are_not_enough),
    cmocka_unit_test(arms_are_left_alone),
    cmocka_unit_test(feedback_is_slowed_down),
    cmocka_unit_test(arm_settles_in_every_mode),
    cmocka_unit_test(unknown_is_not_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
