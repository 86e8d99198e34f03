// The controller at single states: terms, commands of each mode, references, settings.
#include "controller.h"

#include "control_rig.h"

static const controller_mode_t MODES[] = {
  MODE_PASSIVE, MODE_GRAVITY_COMPENSATION, MODE_INVERSE_DYNAMICS, MODE_COMPUTED_TORQUE,
  MODE_OPERATIONAL_SPACE};

// every setting at random, on a random robot of every joint type
static void
random_settings(rig_t * rig, const tree_t * tree, uint64_t seed)
{
  const mbd_model_t * model = tree->model;
  controller_settings_t * s = rig->s;
  for (int k = 0; k < model->nv; k++) {
    s->kp[k] = random_between(&seed, 0, 50), s->kd[k] = random_between(&seed, 0, 10);
    s->ki[k] = random_between(&seed, 0, 5), s->damping[k] = random_between(&seed, 0, 3);
    s->posture_kp[k] = random_between(&seed, 0, 9), s->posture_kd[k] = random_between(&seed, 0, 4);
    rig->a[k] = random_signed(&seed);
  }
  for (int k = 0; k < 6; k++) {
    s->task_row[k] = random_below(&seed, 2);
    s->task_kp[k] = random_between(&seed, 0, 50), s->task_kd[k] = random_between(&seed, 0, 10);
  }
  s->integral_limit = 3;
  s->task_frame = model->nframe - 1;
  s->gravity = random_vec3(&seed, 10);
  s->model_terms = (unsigned)random_below(&seed, 4);
  s->npayload = random_below(&seed, 3);
  for (int i = 0; i < s->npayload; i++) {
    s->payload[i].frame = (i + random_below(&seed, model->nframe)) % model->nframe;
    s->payload[i].inertia = random_inertia(&seed);
  }
  rig->c->targets.nexternal = tree->nwrench < 8 ? tree->nwrench : 8;
  for (int i = 0; i < rig->c->targets.nexternal; i++) {
    rig->c->targets.external[i] = tree->wrench[i];
  }
}

static void
set_stream(rig_t * rig, const tree_t * tree)
{
  const size_t nv = (size_t)tree->model->nv * sizeof(double);
  memcpy(rig->c->stream.q, tree->q, (size_t)tree->model->nq * sizeof(double));
  memcpy(rig->c->stream.v, tree->qdd, nv);
  memcpy(rig->c->stream.a, tree->tau, nv);
  rig->c->stream.known = true;
}

static mbd_wrenches_t
wrenches_of(const rig_t * rig)
{
  const mbd_wrenches_t f = {rig->c->targets.nexternal, rig->c->targets.external};
  return f;
}

//---------- terms ----------

// in every mode the terms add up to inverse dynamics of the state and the acceleration that the
// mode says, wrenches, payloads, friction and rotors included
static void
terms_add_up(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    for (int i = 0; i < 5; i++) {
      rig_t rig;
      double tau[RIG_MAX];
      rig_on(&rig, tree->model);
      random_settings(&rig, tree, seed);
      rig.s->mode = MODES[i];
      controller_apply(rig.c, rig.s);
      rig_state(&rig, tree->q, tree->v);
      rig_step(&rig, 0, 0, NULL);
      if (MODES[i] == MODE_INVERSE_DYNAMICS) set_stream(&rig, tree);
      rig_step(&rig, 0.01, 0.01, NULL);
      const mbd_wrenches_t f = wrenches_of(&rig);
      const bool reference = MODES[i] == MODE_INVERSE_DYNAMICS;
      rig_expected(
        &rig, reference ? rig.c->q_ref : rig.q, reference ? rig.c->v_ref : rig.v,
        rig.c->acceleration, &f, tau);
      assert_close(rig.c->total, tau, tree->model->nv, 1e-9, "seed %d mode %d", (int)seed, i);
      rig_free(&rig);
    }
    tree_free(tree);
  }
}

// the arm with springs and dampers beside its URDF
static void
arm_with_springs(rig_t * rig)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  options.loops_text =
    "forces:\n"
    "  - {name: balance, type: spring, a: {link: world, xyz: [0, 0, 1]}, b: {link: link3, xyz: "
    "[0.1,"
    " 0, 0]}, stiffness: 300, damping: 20}\n"
    "  - {name: elbow, type: joint, joint: joint4, stiffness: 15, rest: -1, damping: 2}\n"
    "  - {name: hose, type: bushing, a: link5, b: link7, rotation: {stiffness: [1, 2, 3], damping: "
    "[0.1, 0.2, 0.3]}, translation: {stiffness: [50, 60, 70], damping: [5, 6, 7]}}\n";
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/arm7.urdf", &options, &model, NULL));
  assert_int_equal(model->nelement, 3);
  rig_on(rig, model);
  rig->model = model;
  memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
}

static void
terms_add_up_with_springs(void ** state)
{
  (void)state;
  for (int i = 0; i < 5; i++) {
    rig_t rig;
    double tau[RIG_MAX], v[7], expected[7];
    arm_with_springs(&rig);
    for (int k = 0; k < 7; k++) v[k] = 0.3 * (k - 3), rig.a[k] = 0.1 * k;
    rig.s->mode = MODES[i];
    rig.s->task_frame = rig.model->nframe - 1;
    rig.s->model_terms = MBD_TERM_ELEMENTS;
    controller_apply(rig.c, rig.s);
    rig_state(&rig, RIG_POSE, v);
    rig_step(&rig, 0, 0, NULL);
    rig_step(&rig, 0.01, 0.01, NULL);
    const bool reference = MODES[i] == MODE_INVERSE_DYNAMICS;
    const double * q = reference ? rig.c->q_ref : rig.q;
    rig_expected(&rig, q, reference ? rig.c->v_ref : rig.v, rig.c->acceleration, NULL, tau);
    assert_close(rig.c->total, tau, 7, 1e-9, "mode %d", i);
    // gravity is what holds the arm at rest, springs included
    const double rest[7] = {0};
    rig_expected(&rig, q, rest, NULL, NULL, expected);
    assert_close(rig.c->gravity, expected, 7, 1e-10, "mode %d", i);
    rig.s->model_terms = 0;
    rig_expected(&rig, q, rest, NULL, NULL, tau);
    assert_true(fabs(tau[1] - expected[1]) > 10);
    rig_free(&rig);
  }
}

// gravity compensation holds the arm if its springs count; without them it falls
static void
springs_hold_the_arm(void ** state)
{
  (void)state;
  for (int counted = 0; counted < 2; counted++) {
    rig_t rig;
    double qdd[7];
    const double rest[7] = {0};
    arm_with_springs(&rig);
    rig.s->mode = MODE_GRAVITY_COMPENSATION;
    rig.s->model_terms = counted ? MBD_TERM_ELEMENTS : 0;
    controller_apply(rig.c, rig.s);
    rig_state(&rig, RIG_POSE, rest);
    rig_step(&rig, 0, 0, NULL);
    rig_step(&rig, 0.01, 0.01, NULL);
    assert_ok(mbd_set_terms(rig.plant, MBD_TERM_ELEMENTS));
    assert_ok(mbd_set_gravity(rig.plant, rig.s->gravity));
    assert_ok(
      mbd_forward_dynamics(rig.model, rig.plant, RIG_POSE, rest, rig.c->command, NULL, qdd));
    double largest = 0;
    for (int k = 0; k < 7; k++) largest = fmax(largest, fabs(qdd[k]));
    assert_true(counted ? largest < 1e-8 : largest > 1);
    rig_free(&rig);
  }
}

// each term by what defines it: gravity is the torque at rest, Coriolis goes with the square of the
// velocity, friction by its formula, external by its power
static void
each_term_is_itself(void ** state)
{
  (void)state;
  const double zero[RIG_MAX] = {0};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    const mbd_model_t * model = tree->model;
    const int nv = model->nv;
    rig_t rig;
    double g[RIG_MAX], once[RIG_MAX], twice[RIG_MAX], v2[RIG_MAX];
    rig_on(&rig, model);
    random_settings(&rig, tree, seed);
    rig.s->model_terms = MBD_TERM_FRICTION;
    controller_apply(rig.c, rig.s);
    for (int k = 0; k < nv; k++) v2[k] = 2 * tree->v[k];
    rig_state(&rig, tree->q, tree->v);
    rig_step(&rig, 0, 0, NULL);
    memcpy(once, rig.c->coriolis, sizeof(double) * (size_t)nv);
    rig_expected(&rig, tree->q, zero, zero, NULL, g);
    assert_close(rig.c->gravity, g, nv, 1e-9, "gravity, seed %d", (int)seed);

    double power = 0, want = 0;
    for (int k = 0; k < nv; k++) {
      const mbd_drive_t * d = &model->body[model->dof_body[k]].drive;
      const double x = tree->v[k];
      const double dry = d->coulomb > 0 ? d->coulomb * tanh(x / d->coulomb_velocity) : 0;
      assert_true(fabs(rig.c->friction[k] - (d->viscous * x + dry)) < 1e-9);
      power += rig.c->external[k] * x;
    }
    for (int i = 0; i < rig.c->targets.nexternal; i++) {
      const mbd_wrench_t * w = &rig.c->targets.external[i];
      mbd_motion_t V;
      assert_ok(mbd_frame_velocity(model, rig.c->data, w->frame, w->reference, &V));
      want -= mbdu_power(w->f, V);
    }
    assert_true(fabs(power - want) <= 1e-9 * (1 + fabs(want)));

    rig_state(&rig, tree->q, v2);
    rig_step(&rig, 0.01, 0, NULL);
    for (int k = 0; k < nv; k++) twice[k] = rig.c->coriolis[k] / 4;
    // it is bias less gravity: what is left of equal ones is rounding of the two
    double size = 0, weight = 0;
    for (int k = 0; k < nv; k++)
      size = fmax(size, fabs(once[k])), weight = fmax(weight, fabs(g[k]));
    for (int k = 0; k < nv; k++) {
      assert_true(fabs(once[k] - twice[k]) <= 1e-8 * size + 1e-13 * weight);
    }
    // no friction unless the model's terms have it
    rig.s->model_terms = 0;
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0.02, 0, NULL);
    for (int k = 0; k < nv; k++) assert_true(rig.c->friction[k] == 0);
    rig_free(&rig);
    tree_free(tree);
  }
}

// a point mass at the tool adds m g dz/dq to gravity, dz/dq by differences of positions
static void
payload_adds_its_weight(void ** state)
{
  (void)state;
  rig_t rig;
  double before[7], after[7], want[7], q[7];
  rig_arm(&rig);
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  memcpy(before, rig.c->gravity, sizeof before);
  const int tool = rig_frame(&rig, "tool");
  const mbd_vec3_t com = {0.02, -0.01, 0.05};
  const mbd_sym3_t none = {0, 0, 0, 0, 0, 0};
  rig.s->npayload = 1;
  rig.s->payload[0] = (controller_payload_t){tool, mbdu_inertia_from_com(2.5, com, none)};
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0.01, 0, NULL);
  for (int k = 0; k < 7; k++) after[k] = rig.c->gravity[k] - before[k];
  for (int k = 0; k < 7; k++) {
    double z[2];
    for (int side = 0; side < 2; side++) {
      mbd_placement_t X;
      memcpy(q, rig.q, sizeof q);
      q[k] += side ? 1e-5 : -1e-5;
      assert_ok(mbd_set_position(rig.model, rig.plant, q));
      assert_ok(mbd_frame_placement(rig.model, rig.plant, tool, &X));
      z[side] = mbdu_placement_point(&X, com).z;
    }
    want[k] = 2.5 * 9.81 * (z[1] - z[0]) / 2e-5;
  }
  assert_close(after, want, 7, 1e-8, "weight");
  // and lets go of it without a trace
  rig.s->npayload = 0;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0.02, 0, NULL);
  assert_close(rig.c->gravity, before, 7, 0, "let go");
  rig_free(&rig);
}

// gravity by message replaces the parameter's, in both workspaces
static void
gravity_by_message(void ** state)
{
  (void)state;
  for (int mode = MODE_GRAVITY_COMPENSATION; mode <= MODE_INVERSE_DYNAMICS; mode++) {
    rig_t rig;
    double want[7];
    const double zero[7] = {0};
    rig_arm(&rig);
    rig.s->mode = (controller_mode_t)mode;
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0, 0, NULL);
    rig_expected(&rig, rig.q, zero, zero, NULL, want);
    assert_close(rig.c->command, want, 7, 1e-12, "parameter");
    rig.c->targets.gravity = (mbd_vec3_t){3, -4, 5};
    rig_step(&rig, 0.01, 0, NULL);
    assert_close(rig.c->command, want, 7, 1e-12, "not yet known");
    rig.c->targets.gravity_known = true;
    rig_step(&rig, 0.02, 0, NULL);
    rig.s->gravity = rig.c->targets.gravity;
    rig_expected(&rig, rig.q, zero, zero, NULL, want);
    assert_close(rig.c->command, want, 7, 1e-12, "message");
    rig_free(&rig);
  }
}

// wrenches of the environment count until they are too old; without a timeout for ever
static void
wrenches_age(void ** state)
{
  (void)state;
  static const double timeout[3] = {0.5, 0.5, 0}, age[3] = {0.4999, 0.5001, 1e5};
  for (int i = 0; i < 3; i++) {
    rig_t rig;
    rig_arm(&rig);
    rig.s->target_timeout = timeout[i];
    controller_apply(rig.c, rig.s);
    const mbd_wrench_t w = {
      rig_frame(&rig, "tool"), MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {1, 2, 3}}};
    rig.c->targets.nexternal = 2;
    // one that is always young, and one that is not
    rig.c->targets.external[0] = rig.c->targets.external[1] = w;
    rig.c->targets.external_time[0] = rig_ns(3 + age[i]);
    rig.c->targets.external_time[1] = rig_ns(3);
    rig_step(&rig, 3 + age[i], 0, NULL);
    const mbd_wrenches_t one = {1, &w};
    double tau[7];
    assert_ok(mbd_jacobian_transpose_product(rig.model, rig.c->data, &one, tau));
    for (int k = 0; k < 7; k++) tau[k] *= i == 1 ? -1 : -2;
    assert_close(rig.c->external, tau, 7, 1e-12, "case %d", i);
    rig_free(&rig);
  }
}

//---------- commands ----------

// the command is the sum of the terms that were chosen, of those that the mode has
static void
command_is_the_chosen_terms(void ** state)
{
  (void)state;
  tree_t * tree = random_tree(11, NULL);
  const int nv = tree->model->nv;
  for (int i = 0; i < 5; i++) {
    for (unsigned chosen = 0; chosen < 32; chosen++) {
      rig_t rig;
      double want[RIG_MAX];
      rig_on(&rig, tree->model);
      random_settings(&rig, tree, 11);
      rig.s->mode = MODES[i], rig.s->command_terms = chosen;
      rig.s->model_terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS;
      controller_apply(rig.c, rig.s);
      rig_state(&rig, tree->q, tree->v);
      rig_step(&rig, 0, 0, NULL);
      const controller_t * c = rig.c;
      const double * const term[5] = {
        c->gravity, c->coriolis, c->inertia, c->friction, c->external};
      for (int k = 0; k < nv; k++) {
        want[k] = MODES[i] == MODE_GRAVITY_COMPENSATION ? -rig.s->damping[k] * rig.v[k] : 0;
        for (int t = 0; t < 5; t++) {
          if (MODES[i] == MODE_PASSIVE) continue;
          if (MODES[i] == MODE_GRAVITY_COMPENSATION && (t == 1 || t == 2)) continue;
          // that of the reference, which rests where the joints are
          if (MODES[i] == MODE_COMPUTED_TORQUE && t == 3) continue;
          if (chosen >> t & 1) want[k] += term[t][k];
        }
      }
      assert_close_(
        c->command, want, (size_t)nv, 1e-12, 1, __FILE__, __LINE__, "mode %d terms %u", i, chosen);
      assert_int_equal(c->commanding, MODES[i] != MODE_PASSIVE);
      rig_free(&rig);
    }
  }
  tree_free(tree);
}

// passive and gravity compensation take the estimated acceleration, and hold nothing
static void
measured_modes_follow_the_robot(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    rig_t rig;
    rig_arm(&rig);
    rig.s->mode = MODES[i];
    controller_apply(rig.c, rig.s);
    for (int n = 0; n < 3; n++) {
      for (int k = 0; k < 7; k++) rig.q[k] += 0.01, rig.v[k] = k, rig.a[k] = n - k;
      rig_step(&rig, 0.01 * n, 0.01, NULL);
      assert_close(rig.c->acceleration, rig.a, 7, 0, "estimate");
      assert_close(rig.c->q_ref, rig.q, 7, 0, "reference");
      assert_false(rig.c->tracking);
    }
    rig_free(&rig);
  }
}

// the workspace is at the measured state after a step, also where terms are of the reference
static void
workspace_is_at_the_measured_state(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    for (int i = 0; i < 5; i++) {
      rig_t rig;
      rig_on(&rig, tree->model);
      random_settings(&rig, tree, seed);
      rig.s->mode = MODES[i];
      controller_apply(rig.c, rig.s);
      rig_step(&rig, 0, 0, NULL);
      set_stream(&rig, tree);
      assert_ok(mbd_random_configuration(tree->model, seed + 100, rig.q));
      memcpy(rig.v, tree->v, (size_t)tree->model->nv * sizeof(double));
      rig_step(&rig, 0.01, 0.01, NULL);
      assert_close(rig.c->data->q, rig.q, tree->model->nq, 1e-12, "q, mode %d", i);
      assert_close(rig.c->data->v, rig.v, tree->model->nv, 0, "v, mode %d", i);
      double energy, expected;
      assert_ok(mbd_kinetic_energy(tree->model, rig.c->data, &energy));
      assert_ok(mbd_payload_clear(tree->model, rig.plant));
      for (int k = 0; k < rig.s->npayload; k++) {
        const controller_payload_t * load = &rig.s->payload[k];
        assert_ok(mbd_payload_attach(tree->model, rig.plant, load->frame, &load->inertia));
      }
      assert_ok(mbd_set_terms(rig.plant, rig.s->model_terms));
      assert_ok(mbd_set_position(tree->model, rig.plant, rig.q));
      assert_ok(mbd_set_velocity(tree->model, rig.plant, rig.v));
      assert_ok(mbd_kinetic_energy(tree->model, rig.plant, &expected));
      assert_close(&energy, &expected, 1, 1e-12, "kinetic energy, mode %d", i);
      rig_free(&rig);
    }
    tree_free(tree);
  }
}

// inverse dynamics of a streamed reference: all torques of that motion, whatever is measured
static void
inverse_dynamics_at_the_reference(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    rig_t rig;
    double tau[RIG_MAX];
    rig_on(&rig, tree->model);
    random_settings(&rig, tree, seed);
    rig.s->mode = MODE_INVERSE_DYNAMICS;
    controller_apply(rig.c, rig.s);
    assert_ok(mbd_random_configuration(tree->model, seed, rig.q));
    rig_step(&rig, 0, 0, NULL);
    set_stream(&rig, tree);
    rig_step(&rig, 0.01, 0.01, NULL);
    const mbd_wrenches_t f = wrenches_of(&rig);
    rig_expected(&rig, tree->q, tree->qdd, tree->tau, &f, tau);
    assert_close(rig.c->command, tau, tree->model->nv, 1e-9, "seed %d", (int)seed);
    assert_true(rig.c->tracking);
    rig_free(&rig);
    tree_free(tree);
  }
}

// computed torque: acceleration of the law, on every joint type, with the integral of steps
static void
computed_torque_is_the_law(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    const int nv = tree->model->nv;
    rig_t rig;
    double e[RIG_MAX], want[RIG_MAX], integral[RIG_MAX] = {0};
    rig_on(&rig, tree->model);
    random_settings(&rig, tree, seed);
    rig.s->mode = MODE_COMPUTED_TORQUE, rig.s->integral_limit = 0.2;
    controller_apply(rig.c, rig.s);
    assert_ok(mbd_random_configuration(tree->model, seed, rig.q));
    rig_step(&rig, 0, 0, NULL);
    set_stream(&rig, tree);
    for (int n = 1; n <= 5; n++) {
      rig_step(&rig, 0.01 * n, 0.01, NULL);
      assert_ok(mbd_difference(tree->model, rig.q, tree->q, e));
      for (int k = 0; k < nv; k++) {
        integral[k] = fmax(-0.2, fmin(0.2, integral[k] + rig.s->ki[k] * e[k] * 0.01));
        want[k] = tree->tau[k] + rig.s->kp[k] * e[k] + rig.s->kd[k] * (tree->qdd[k] - rig.v[k]) +
                  integral[k];
      }
      assert_close(rig.c->acceleration, want, nv, 1e-10, "seed %d step %d", (int)seed, n);
    }
    rig_free(&rig);
    tree_free(tree);
  }
}

static void
names(void ** state)
{
  (void)state;
  static const char * const name[] = {
    "passive",           "gravity_compensation",   "inverse_dynamics", "computed_torque",
    "operational_space", "quasi_velocity_damping", "joint_impedance",  "cartesian_impedance"};
  for (int k = 0; k < 8; k++) {
    assert_string_equal(controller_mode_name((controller_mode_t)k), name[k]);
    assert_int_equal(controller_mode_find(name[k]), k);
  }
  assert_string_equal(controller_mode_name((controller_mode_t)CONTROLLER_MODES), "unknown");
  assert_int_equal(controller_mode_find("Passive"), -1);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(terms_add_up),
    cmocka_unit_test(terms_add_up_with_springs),
    cmocka_unit_test(springs_hold_the_arm),
    cmocka_unit_test(each_term_is_itself),
    cmocka_unit_test(payload_adds_its_weight),
    cmocka_unit_test(gravity_by_message),
    cmocka_unit_test(wrenches_age),
    cmocka_unit_test(command_is_the_chosen_terms),
    cmocka_unit_test(measured_modes_follow_the_robot),
    cmocka_unit_test(workspace_is_at_the_measured_state),
    cmocka_unit_test(inverse_dynamics_at_the_reference),
    cmocka_unit_test(computed_torque_is_the_law),
    cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
