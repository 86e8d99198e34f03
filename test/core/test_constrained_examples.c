// Cut joints on worked examples: figures of the literature, closed forms, textbook systems.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "closed_tree.h"
#include "mbdyn/constraints.h"
#include "mbdyn/opspace.h"
#include "rig.h"

// a link with a joint; com and diagonal inertia about it
static int
add_link(
  mbd_model_t * model, const char * name, int parent, mbd_joint_type_t type, mbd_vec3_t axis,
  mbd_vec3_t origin, double mass, mbd_vec3_t com, const double * diagonal)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  char joint[32];
  int frame;
  snprintf(joint, sizeof joint, "j%s", name);
  spec.name = name, spec.joint_name = joint, spec.parent = parent, spec.type = type;
  spec.axis = axis, spec.placement.p = origin;
  const mbd_sym3_t I = {diagonal[0], 0, 0, diagonal[1], 0, diagonal[2]};
  spec.inertia = mbdu_inertia_from_com(mass, com, I);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  return frame;
}

static const mbd_vec3_t X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

//---------- constraint embedding, golden case T1 ----------

// a four-bar on a turning platform with a tool on its coupler; cut at the pin of coupler and rocker,
// or at the rocker's foot
static mbd_model_t *
platform(bool terminal)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("platform", &model));
  const mbd_vec3_t O = {0, 0, 0};
  const int P = add_link(
    model, "P", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, X, O, 5, mbdu_vec3(0.1, 0.05, 0),
    (double[]){0.30, 0.35, 0.40});
  const int a = add_link(
    model, "a", P, MBD_JOINT_REVOLUTE, Z, O, 0.6, mbdu_vec3(0.2, 0, 0),
    (double[]){0.001, 0.010, 0.012});
  const int b = add_link(
    model, "b", a, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(0.4, 0, 0), 1.5, mbdu_vec3(0.55, 0.05, 0),
    (double[]){0.004, 0.100, 0.101});
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = "pin", pin.type = MBD_CLOSURE_ON_LINE;
  if (terminal) {
    // the rocker hangs on the coupler, its frame turned end for end: the foot is cut
    const int c = add_link(
      model, "c", b, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(1.1, 0, 0), 1.0, mbdu_vec3(-0.4, 0, 0),
      (double[]){0.002, 0.040, 0.042});
    pin.frame_a = P, pin.X_a.p = mbdu_vec3(1, 0, 0);
    pin.frame_b = c, pin.X_b.p = mbdu_vec3(-0.8, 0, 0);
  } else {
    const int c = add_link(
      model, "c", P, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(1, 0, 0), 1.0, mbdu_vec3(0.4, 0, 0),
      (double[]){0.002, 0.040, 0.042});
    // rows in the axes of the platform: a frame at the pin is on the coupler
    pin.frame_a = c, pin.X_a.p = mbdu_vec3(0.8, 0, 0);
    pin.frame_b = b, pin.X_b.p = mbdu_vec3(1.1, 0, 0);
  }
  add_link(
    model, "t", b, MBD_JOINT_REVOLUTE, Y, mbdu_vec3(0.7, 0.1, 0), 0.8, mbdu_vec3(0, 0.1, 0.2),
    (double[]){0.006, 0.005, 0.004});
  assert_ok(mbd_model_add_closure(model, &pin, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static const double Q_A = 1.0, Q_B = -0.598316460211985757, Q_C = 1.28105246423180555;
static const double X_B = -1.13093070281442983, X_C = 0.365588343443233404;

static void
four_bar_on_a_platform(void ** context)
{
  (void)context;
  for (int terminal = 0; terminal < 2; terminal++) {
    mbd_model_t * model = platform(terminal);
    rig_t r = rig_of(model);
    const int P = dof(model, "jP"), a = dof(model, "ja"), b = dof(model, "jb");
    const int c = dof(model, "jc"), t = dof(model, "jt");
    r.q[P] = 0.3, r.q[a] = Q_A, r.q[b] = Q_B, r.q[t] = -0.4;
    r.v[P] = 0.5, r.v[a] = 1.2, r.v[b] = 1.2 * X_B, r.v[t] = -0.7;
    r.q[c] = terminal ? Q_C - Q_A - Q_B : Q_C;
    r.v[c] = 1.2 * (terminal ? X_C - 1 - X_B : X_C);
    r.tau[P] = 2.0, r.tau[a] = 1.5, r.tau[b] = -0.3, r.tau[t] = 0.25;
    // the torque at c is between c and the platform: c's own hinge in one cut, in the other it turns
    // all that carries it
    r.tau[c] = 0.4;
    if (terminal) r.tau[a] += 0.4, r.tau[b] += 0.4;
    double d[2];
    assert_ok(mbd_set_position(model, r.data, r.q));
    assert_ok(mbd_closure_error(model, r.data, 0, d));
    assert_true(hypot(d[0], d[1]) < 1e-15);
    const answer_t w = forward(&r, NULL, NULL);
    assert_near(w.qdd.a[P], -11.9639235814616611, 1e-12, "P, cut %d", terminal);
    assert_near(w.qdd.a[a], 0.604720920934769248, 1e-12, "a, cut %d", terminal);
    assert_near(w.qdd.a[t], 0.680277738338438855, 1e-12, "t, cut %d", terminal);
    assert_near(w.qdd.a[b], -0.192088500061401502, 1e-12, "b, cut %d", terminal);
    const double at_c = terminal ? 0.4654923433905359 : 0.878124764263903647;
    assert_near(w.qdd.a[c], at_c, 1e-12, "c, cut %d", terminal);
    assert_int_equal(w.info.mobility, 3);
    if (!terminal) {
      // force on b from c, from axes of c to those of the platform
      mbd_force_t f;
      assert_ok(mbd_closure_wrench(model, r.data, 0, w.lambda.a, &f));
      const double x = cos(Q_C) * f.lin.x - sin(Q_C) * f.lin.y;
      const double y = sin(Q_C) * f.lin.x + cos(Q_C) * f.lin.y;
      assert_near(x, 1.69311998060142, 1e-12, "pin force x");
      assert_near(y, 5.26281174820542, 1e-12, "pin force y");
    }
    rig_free(&r);
    mbd_model_destroy(model);
    mats_free();
  }
}

//---------- golden case T2 ----------

// a parallelogram: effective inertia 0.5155, weight torque 4.983751305327104 at any speed
static void
parallelogram(void ** context)
{
  (void)context;
  mbd_model_t * model;
  assert_ok(mbd_model_create("parallelogram", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, -9.81, 0)));
  const mbd_vec3_t O = {0, 0, 0};
  const int a = add_link(
    model, "a", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, Z, O, 0.6, mbdu_vec3(0.2, 0, 0),
    (double[]){0.01, 0.01, 0.012});
  const int b = add_link(
    model, "b", a, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(0.5, 0, 0), 1.5, mbdu_vec3(0.6, 0, 0),
    (double[]){0.01, 0.1, 0.1});
  const int c = add_link(
    model, "c", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(1.2, 0, 0), 1.0,
    mbdu_vec3(0.25, 0, 0), (double[]){0.01, 0.04, 0.042});
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = "pin", pin.type = MBD_CLOSURE_REVOLUTE;
  pin.frame_a = b, pin.X_a.p.x = 1.2, pin.frame_b = c, pin.X_b.p.x = 0.5;
  assert_ok(mbd_model_add_closure(model, &pin, NULL));
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const int ja = dof(model, "ja"), jb = dof(model, "jb"), jc = dof(model, "jc");
  for (int speed = 0; speed < 3; speed++) {
    const double rate = 2.5 * speed, tau = 7;
    r.q[ja] = r.q[jc] = 1.1, r.q[jb] = -1.1;
    r.v[ja] = r.v[jc] = rate, r.v[jb] = -rate;
    r.tau[ja] = tau;
    const answer_t w = forward(&r, NULL, NULL);
    assert_near(w.qdd.a[ja], (tau - 4.983751305327104) / 0.5155, 1e-12, "crank");
    assert_near(w.qdd.a[jc], w.qdd.a[ja], 1e-12, "rocker");
    assert_near(w.qdd.a[jb], -w.qdd.a[ja], 1e-12, "coupler");
    // and back: one actuator, the crank's
    bool actuated[3] = {false};
    actuated[ja] = true;
    double torque[3];
    assert_ok(mbd_constrained_inverse_dynamics(
      model, r.data, r.q, r.v, w.qdd.a, NULL, actuated, NULL, NULL, r.work, torque, NULL, NULL));
    assert_near(torque[ja], tau, 1e-11, "torque");
  }
  rig_free(&r);
  mbd_model_destroy(model);
  mats_free();
}

//---------- golden case T3 ----------

typedef struct geared_case {
  mbd_vec3_t axis;
  double ratio, qdd_P, qdd_link;
} geared_case_t;

// a motor on a moving link, by its exact coupling
static void
geared_motor(void ** context)
{
  (void)context;
  static const geared_case_t cases[3] = {
    {{0, 0, 1}, 10, -12.45199560075719, 19.51198441684935},
    {{0, 0, 1}, -50, -9.565610202917786, 0.07079349960012942},
    {{1, 0, 0}, 20, -12.08406952576615, 17.1047340115237}};
  for (int k = 0; k < 3; k++) {
    mbd_model_t * model;
    assert_ok(mbd_model_create("geared", &model));
    assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, -9.81, 0)));
    const mbd_vec3_t O = {0, 0, 0};
    const int P = add_link(
      model, "P", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, Z, O, 4, mbdu_vec3(0.5, 0, 0),
      (double[]){0.1, 0.2, 0.25});
    add_link(
      model, "rotor", P, MBD_JOINT_REVOLUTE, cases[k].axis, mbdu_vec3(0.8, 0, 0), 0.5, O,
      (double[]){0.0002, 0.0002, 0.0003});
    add_link(
      model, "link", P, MBD_JOINT_REVOLUTE, Z, mbdu_vec3(1, 0, 0), 2, mbdu_vec3(0.3, 0, 0),
      (double[]){0.01, 0.05, 0.06});
    mbd_closure_spec_t gear = mbd_closure_spec_default();
    gear.name = "gear", gear.type = MBD_CLOSURE_COUPLING, gear.ncoupled = 2;
    gear.joint[0] = "jrotor", gear.coefficient[0] = 1;
    gear.joint[1] = "jlink", gear.coefficient[1] = -cases[k].ratio;
    assert_ok(mbd_model_add_closure(model, &gear, NULL));
    assert_ok(mbd_model_finalize(model));
    rig_t r = rig_of(model);
    const int jP = dof(model, "jP"), jr = dof(model, "jrotor"), jl = dof(model, "jlink");
    r.q[jP] = 0.2, r.q[jl] = 0.7, r.q[jr] = cases[k].ratio * 0.7;
    r.v[jP] = 0.9, r.v[jl] = -0.4, r.v[jr] = cases[k].ratio * -0.4;
    r.tau[jP] = 1.0, r.tau[jr] = 0.05;
    const answer_t w = forward(&r, NULL, NULL);
    assert_near(w.qdd.a[jP], cases[k].qdd_P, 1e-12, "P, case %d", k);
    assert_near(w.qdd.a[jl], cases[k].qdd_link, 1e-11, "link, case %d", k);
    assert_near(w.qdd.a[jr], cases[k].ratio * w.qdd.a[jl], 1e-10, "rotor, case %d", k);
    rig_free(&r);
    mbd_model_destroy(model);
    mats_free();
  }
}

//---------- mimic joints ----------

static int follows[16];
static double multiplier[16];

static void
make_followers(mbd_body_spec_t * spec, int link, void * arg)
{
  const tree_t * t = arg;
  follows[link] = -1;
  // each third joint of one degree of freedom follows the first
  if (link == 0 || link % 3 != 0 || spec->type == MBD_JOINT_FIXED) return;
  spec->mimic.joint = t->link[0].joint_name;
  spec->mimic.multiplier = multiplier[link] = 0.5 * link - 2;
  spec->mimic.offset = 0.1 * link;
  follows[link] = 0;
}

// qdd by substitution q_i = multiplier q_j + offset in M, h and tau
static void
mimic_joints_are_substituted(void ** context)
{
  (void)context;
  int found = 0;
  tree_options_t one = {4, 10, true, false, false, true};
  FOR_TREES(100, &one)
  {
    if (t->link[0].spec.type == MBD_JOINT_FIXED || t->link[0].spec.type == MBD_JOINT_FREE) continue;
    if (t->nlink > 15) continue;
    bool plain = true;
    for (int k = 0; k < t->nlink; k++) plain = plain && t->link[k].spec.type != MBD_JOINT_FREE;
    if (!plain) continue;
    mbd_model_t * model = rebuild(t, make_followers, t);
    if (model->nmimic > 0) {
      found++;
      rig_t r = rig_of(model);
      const int nv = model->nv, leader = dof(model, t->link[0].joint_name);
      mat_t S = mat(nv, nv - model->nmimic);
      memcpy(r.q, t->q, (size_t)nv * sizeof *r.q);
      memcpy(r.v, t->v, (size_t)nv * sizeof *r.v);
      memcpy(r.tau, t->tau, (size_t)nv * sizeof *r.tau);
      int column_of[64], n = 0;
      for (int k = 0; k < nv; k++) {
        column_of[k] = model->body[model->dof_body[k]].mimic_body < 0 ? n++ : -1;
      }
      for (int k = 0; k < nv; k++) {
        const mbd_body_t * body = &model->body[model->dof_body[k]];
        if (body->mimic_body < 0) {
          *at(S, k, column_of[k]) = 1;
          continue;
        }
        *at(S, k, column_of[leader]) = body->mimic_multiplier;
        r.q[k] = body->mimic_multiplier * r.q[leader] + body->mimic_offset;
        r.v[k] = body->mimic_multiplier * r.v[leader];
      }
      const dense_t d = dense_at(model, NULL, r.q, r.v, model->gravity);
      const mat_t force = PROD(tr(S), sub(column(nv, r.tau), dense_bias(&d)));
      const mat_t qdd = PROD(S, inverse(PROD(tr(S), dense_mass(&d), S)), force);
      const answer_t a = forward(&r, NULL, NULL);
      assert_mat_floor(a.qdd, qdd, 1e-10, fmax(1, largest_entry(qdd)), "seed %lu", seed);
      // the tree alone still refuses
      double x[64];
      assert_status(mbd_forward_dynamics(model, r.data, r.q, r.v, r.tau, NULL, x), MBD_ERROR_MIMIC);
      rig_free(&r);
    }
    mbd_model_destroy(model);
  }
  assert_count(found, 20);
}

//---------- two arms ----------

// f = (Lambda_1 + Lambda_2)^-1 (alpha_2f - alpha_1f) between two hands                (11.30)
static void
two_arms_hold_each_other(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_SEEDS(20)
  {
    uint64_t state = seed;
    mbd_model_t * model;
    assert_ok(mbd_model_create("arms", &model));
    int tip[2];
    for (int arm = 0; arm < 2; arm++) {
      int parent = MBD_WORLD_BODY;
      for (int k = 0; k < 7; k++) {
        mbd_body_spec_t spec = mbd_body_spec_default();
        char name[16], joint[16];
        snprintf(name, sizeof name, "l%d%d", arm, k),
          snprintf(joint, sizeof joint, "j%d%d", arm, k);
        spec.name = name, spec.joint_name = joint, spec.parent = parent;
        spec.type = MBD_JOINT_REVOLUTE, spec.axis = random_axis(&state);
        spec.placement = random_placement(&state), spec.inertia = random_inertia(&state);
        assert_ok(mbd_model_add_body(model, &spec, &parent));
      }
      tip[arm] = parent;
    }
    double q[14], v[14], tau[14];
    for (int k = 0; k < 14; k++) q[k] = 2 * random_signed(&state), v[k] = random_signed(&state);
    for (int k = 0; k < 14; k++) tau[k] = 5 * random_signed(&state);
    mbd_closure_spec_t grip = mbd_closure_spec_default();
    grip.name = "grip", grip.type = MBD_CLOSURE_WELD, grip.frame_a = tip[0], grip.frame_b = tip[1];
    assert_ok(mbd_model_add_closure(model, &grip, NULL));
    assert_ok(mbd_model_finalize(model));
    rig_t r = rig_of(model);
    memcpy(r.q, q, sizeof q), memcpy(r.v, v, sizeof v), memcpy(r.tau, tau, sizeof tau);
    mbd_assembly_t closed;
    if (tally(&cases, mbd_assemble(model, r.data, NULL, r.q, r.work, r.q, &closed) == MBD_OK)) {
      assert_int_equal(closed.mobility, 8);
      assert_ok(mbd_project_velocity(model, r.data, NULL, r.v, r.work, r.v, NULL));
      // compliances and free accelerations of the hands, in axes of the first
      mat_t sum = mat(6, 6), C = mat(6, 6), difference = mat(6, 1), free_qdd = mat(14, 1);
      assert_ok(mbd_forward_dynamics(model, r.data, r.q, r.v, r.tau, NULL, free_qdd.a));
      for (int arm = 0; arm < 2; arm++) {
        mbd_motion_t A;
        assert_ok(mbd_operational_space_compliance(model, r.data, tip[arm], MBD_LOCAL, C.a));
        sum = SUM(sum, C);
        assert_ok(mbd_frame_acceleration(model, r.data, tip[arm], MBD_LOCAL, &A));
        difference = SUM(difference, scale(arm ? 1 : -1, motion6(A)));
      }
      const mat_t f = PROD(inverse(sum), difference);
      const answer_t a = forward(&r, NULL, NULL);
      mbd_force_t on_second;
      assert_ok(mbd_closure_wrench(model, r.data, 0, a.lambda.a, &on_second));
      const double size = fmax(1, largest_entry(f));
      assert_mat_floor(force6(on_second), scale(-1, f), 1e-8, size, "grip, seed %lu", seed);
      // squeezing: 10 N between the hands do not move them, and are there
      mat_t more = mat(14, 1), desired = mat(6, 1);
      memcpy(desired.a, a.lambda.a, 6 * sizeof *desired.a);
      desired.a[0] += 10;
      mat_t got = mat(6, 1);
      assert_ok(mbd_constrained_inverse_dynamics(
        model, r.data, r.q, r.v, a.qdd.a, NULL, NULL, desired.a, NULL, r.work, more.a, got.a,
        NULL));
      assert_mat_floor(got, desired, 1e-9, size, "desired, seed %lu", seed);
      memcpy(r.tau, more.a, sizeof tau);
      const answer_t again = forward(&r, NULL, NULL);
      assert_mat_floor(again.qdd, a.qdd, 1e-8, fmax(1, largest_entry(a.qdd)), "same motion");
      assert_mat_floor(again.lambda, desired, 1e-8, size, "squeezed, seed %lu", seed);
    }
    rig_free(&r);
    mbd_model_destroy(model);
    mats_free();
  }
  assert_enough(&cases, 0.9);
}

//---------- velocities alone ----------

// Chaplygin's sleigh: an edge at the origin, the centre of mass at a distance a before it
//   du/dt = a w^2,   (I + m a^2) dw/dt = -m a u w
static void
sleigh(void ** context)
{
  (void)context;
  mbd_model_t * model;
  const double m = 2, a = 0.3, I = 0.1;
  assert_ok(mbd_model_create("sleigh", &model));
  const int body = add_link(
    model, "body", MBD_WORLD_BODY, MBD_JOINT_PLANAR, Z, mbdu_vec3(0, 0, 0), m, mbdu_vec3(a, 0, 0),
    (double[]){0.1, 0.1, I});
  mbd_closure_spec_t edge = mbd_closure_spec_default();
  edge.name = "edge", edge.type = MBD_CLOSURE_NO_SLIP, edge.frame_a = edge.frame_b = body;
  // x of the closure is across: the body's y
  edge.X_a.R = (mbd_mat3_t){{0, -1, 0, 1, 0, 0, 0, 0, 1}};
  assert_ok(mbd_model_add_closure(model, &edge, NULL));
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const double u = 1.5, w = 0.8;
  r.q[0] = 0.2, r.q[1] = -0.4, r.q[2] = 0.7;
  r.v[0] = u, r.v[1] = 0, r.v[2] = w;
  const answer_t got = forward(&r, NULL, NULL);
  // qdd is d/dt of v in body axes
  assert_near(got.qdd.a[0], a * w * w, 1e-13, "along the edge");
  assert_near(got.qdd.a[1], 0, 1e-13, "across it");
  assert_near(got.qdd.a[2], -m * a * u * w / (I + m * a * a), 1e-13, "turning");
  assert_int_equal(got.info.mobility, 2);
  // and the edge's force: m (a dw/dt + u w)
  mbd_force_t f;
  assert_ok(mbd_closure_wrench(model, r.data, 0, got.lambda.a, &f));
  assert_near(f.lin.x, m * (a * got.qdd.a[2] + u * w), 1e-12, "force across");
  // it says nothing of positions
  double d;
  assert_ok(mbd_closure_error(model, r.data, 0, &d));
  assert_true(d == 0);
  rig_free(&r);
  mbd_model_destroy(model);
  mats_free();
}

// a cart of 3 kg on a driven wheel of 1 kg: (m + J / r^2) a = tau / r
static void
wheel(void ** context)
{
  (void)context;
  mbd_model_t * model;
  const double radius = 0.25, J = 0.04, tau = 2;
  assert_ok(mbd_model_create("cart", &model));
  const int cart = add_link(
    model, "cart", MBD_WORLD_BODY, MBD_JOINT_PLANAR, Z, mbdu_vec3(0, 0, radius), 3,
    mbdu_vec3(0, 0, 0), (double[]){0.1, 0.1, 0.2});
  const int rim = add_link(
    model, "wheel", cart, MBD_JOINT_CONTINUOUS, Y, mbdu_vec3(0, 0, 0), 1, mbdu_vec3(0, 0, 0),
    (double[]){0.02, J, 0.02});
  mbd_closure_spec_t ground = mbd_closure_spec_default();
  ground.name = "ground", ground.type = MBD_CLOSURE_ROLLING;
  ground.frame_a = cart, ground.X_a.p.z = -radius, ground.frame_b = rim;
  assert_ok(mbd_model_add_closure(model, &ground, NULL));
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const int spin = dof(model, "jwheel"), x = dof(model, "jcart");
  r.q[2] = 0.6, r.q[spin] = 2;
  r.v[x] = 1, r.v[spin] = 1 / radius;
  r.tau[spin] = tau;
  double U[2], G[8];
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_target(model, 0, U));
  assert_ok(mbd_closure_jacobian(model, r.data, G));
  // forwards with the top going forwards: it rolls
  for (int k = 0; k < 2; k++) {
    double slip = 0;
    for (int j = 0; j < 4; j++) slip += G[4 * k + j] * r.v[j];
    assert_near(slip, 0, 1e-14, "slip %d", k);
  }
  const answer_t a = forward(&r, NULL, NULL);
  const double acceleration = tau / radius / (4 + J / (radius * radius));
  assert_near(a.qdd.a[x], acceleration, 1e-13, "cart");
  assert_near(a.qdd.a[spin], acceleration / radius, 1e-12, "wheel");
  assert_near(a.lambda.a[0], 4 * acceleration, 1e-12, "the ground pushes the cart");
  rig_free(&r);
  mbd_model_destroy(model);
  mats_free();
}

// a ball on a moving cart's slot: an impulse splits as the masses do
static void
impact_of_two_masses(void ** context)
{
  (void)context;
  mbd_model_t * model;
  assert_ok(mbd_model_create("collision", &model));
  const mbd_vec3_t O = {0, 0, 0};
  const double none[3] = {0, 0, 0};
  const int a = add_link(model, "a", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, X, O, 2, O, none);
  const int b = add_link(model, "b", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, X, O, 6, O, none);
  mbd_closure_spec_t latch = mbd_closure_spec_default();
  latch.name = "latch", latch.type = MBD_CLOSURE_WELD, latch.frame_a = a, latch.frame_b = b;
  assert_ok(mbd_model_add_closure(model, &latch, NULL));
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const int ja = dof(model, "ja"), jb = dof(model, "jb");
  double v[2], impulse[6];
  v[ja] = 4, v[jb] = 0;
  mbd_constrained_t info;
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closing_impulse(model, r.data, v, NULL, NULL, r.work, v, impulse, &info));
  assert_near(v[ja], 1, 1e-14, "2 kg at 4 m/s and 6 kg at rest");
  assert_near(v[jb], 1, 1e-14, "move on together at 1 m/s");
  assert_near(impulse[0], 6, 1e-13, "6 N s");
  assert_int_equal(info.nredundant, 5);
  rig_free(&r);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_bar_on_a_platform),
    cmocka_unit_test(parallelogram),
    cmocka_unit_test(geared_motor),
    cmocka_unit_test(mimic_joints_are_substituted),
    cmocka_unit_test(two_arms_hold_each_other),
    cmocka_unit_test(sleigh),
    cmocka_unit_test(wheel),
    cmocka_unit_test(impact_of_two_masses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
