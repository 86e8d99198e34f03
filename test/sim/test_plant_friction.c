// Friction models of the simulated joints: creep, breakaway, and robots with gears on the ground.
#include "ground_robots.h"
#include "mbdyn/dynamics.h"

static plant_t *
hinge(double coulomb, double viscous, plant_friction_t model, double stiction)
{
  mbd_body_spec_t spec = pendulum_spec();
  spec.drive.coulomb = coulomb;
  spec.drive.viscous = viscous;
  spec.drive.coulomb_velocity = 0.01;
  plant_t * plant = plant_of(one_body(&spec), PLANT_SEMI_IMPLICIT);
  plant_options_t o = plant->options;
  o.friction_model = model;
  o.stiction = stiction;
  plant_set_options(plant, &o);
  return plant;
}

static const double LEVEL = 1.5707963267948966;

// horizontal, its weight below the friction: exact friction does not move in a minute, smooth ones creep
static void
loaded_joint_creeps_or_not(void ** state)
{
  (void)state;
  static const char * const name[] = {"tanh", "smooth", "exact"};
  static const double h[] = {1e-3, 1e-3, 1e-3};
  double moved[3];
  for (int model = 0; model < 3; model++) {
    plant_t * plant = hinge(PENDULUM_WEIGHT / 0.9, 0.1, (plant_friction_t)model, 1);
    assert_ok(plant_reset(plant, &LEVEL));
    coast(plant, h[model], 60000);
    moved[model] = fabs(plant->q[0] - LEVEL);
    print_message("%-6s moves %.3e rad in 60 s\n", name[model], moved[model]);
    plant_end(plant);
  }
  assert_true(moved[PLANT_FRICTION_EXACT] < 1e-9);
  assert_true(moved[PLANT_FRICTION_TANH] > 0.1 && moved[PLANT_FRICTION_SMOOTH] > 0.01);
}

// a torque that grows lets it go at `stiction` times the friction, within 1 %; then the friction is less
static void
joint_lets_go_at_its_limit(void ** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double stiction = k == 0 ? 1 : 1.5, coulomb = 2, h = 1e-3;
    plant_t * plant = hinge(coulomb, 0, PLANT_FRICTION_EXACT, stiction);
    const double hanging = 0;
    assert_ok(plant_reset(plant, &hanging));
    double tau = 0;
    while (plant->v[0] == 0 && tau < 10) {
      tau += 1e-3 * coulomb;
      assert_ok(plant_step(plant, &tau, h));
    }
    print_message(
      "stiction %g: lets go at %.4f of the Coulomb friction\n", stiction, tau / coulomb);
    near_to("breakaway", tau, stiction * coulomb, 0.01 * stiction * coulomb);
    // acceleration with sliding friction
    const double v = plant->v[0];
    assert_ok(plant_step(plant, &tau, h));
    near_to(
      "acceleration", (plant->v[0] - v) / h,
      (tau - coulomb - PENDULUM_WEIGHT * sin(plant->q[0])) / PENDULUM_INERTIA, 1e-2);
    plant_end(plant);
  }
}

// it swings as with tanh friction of a small velocity, and stays at rest
static void
exact_friction_slides_as_others(void ** state)
{
  (void)state;
  double q[3];
  for (int model = 0; model < 3; model++) {
    plant_t * plant = hinge(0.3, 0.05, (plant_friction_t)model, 1);
    const double start = 2;
    assert_ok(plant_reset(plant, &start));
    coast(plant, 1e-4, 20000);
    q[model] = plant->q[0];
    coast(plant, 1e-3, 40000);
    if (model == PLANT_FRICTION_EXACT) assert_true(plant->v[0] == 0);
    plant_end(plant);
  }
  near_to("tanh and exact", q[0], q[2], 5e-3);
  near_to("smooth and exact", q[1], q[2], 5e-3);
}

// position limits with exact friction: falls onto the stop, presses, and is counted once
static void
stop_with_exact_friction(void ** state)
{
  (void)state;
  mbd_body_spec_t spec = pendulum_spec();
  spec.drive.coulomb = 0.5;
  spec.limits.lower = -1, spec.limits.upper = 0.5;
  plant_t * plant = plant_of(one_body(&spec), PLANT_SEMI_IMPLICIT);
  plant_options_t o = plant->options;
  o.friction_model = PLANT_FRICTION_EXACT;
  plant_set_options(plant, &o);
  assert_ok(plant_reset(plant, NULL));
  const double tau = 9;
  for (int i = 0; i < 2000; i++) assert_ok(plant_step(plant, &tau, 1e-3));
  near_to("q", plant->q[0], 0.5, 1e-12);
  assert_true(plant->at_limit[0] && plant->stops == 1);
  coast(plant, 1e-3, 3000);
  assert_true(!plant->at_limit[0] && plant->stops == 1 && plant->q[0] < 0.4);
  plant_end(plant);
}

// a bearing in the plant: mu N of the weight and of a push
static void
bearing_sticks_and_brakes(void ** state)
{
  (void)state;
  mbd_body_spec_t spec = mbd_body_spec_default();
  mbd_bearing_spec_t bearing = mbd_bearing_spec_default();
  mbd_model_t * model;
  int frame;
  spec.name = "car", spec.joint_name = "slide", spec.type = MBD_JOINT_PRISMATIC;
  spec.axis = (mbd_vec3_t){1, 0, 0};
  spec.inertia =
    mbdu_inertia_from_com(3, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  bearing.joint = "slide", bearing.mu_static = 0.5, bearing.mu_dynamic = 0.3;
  assert_ok(mbd_model_create("robot", &model));
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_add_bearing(model, &bearing, NULL));
  assert_ok(mbd_model_finalize(model));
  plant_t * plant = plant_of(model, PLANT_SEMI_IMPLICIT);
  plant_options_t o = plant->options;
  o.friction_model = PLANT_FRICTION_EXACT;
  plant_set_options(plant, &o);
  for (int k = 0; k < 2; k++) {
    const double press = k * 20, N = 3 * 9.81 + press, v = 2;
    assert_ok(plant_reset(plant, NULL));
    const plant_push_t push = {frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, -press}}, 1e3};
    assert_true(plant_push(plant, &push));
    assert_ok(plant_set_velocity(plant, &v));
    coast(plant, 1e-4, 15000);
    const double way = v * v / (2 * 0.3 * N / 3);
    near_to("way", plant->q[0], way, 2e-4);
    // a minute below the limit, then beyond it
    const double at = plant->q[0], weak = 0.495 * N, strong = 0.505 * N;
    for (int i = 0; i < 60000; i++) assert_ok(plant_step(plant, &weak, 1e-3));
    near_to("creep", plant->q[0], at, 1e-9);
    for (int i = 0; i < 1000; i++) assert_ok(plant_step(plant, &strong, 1e-3));
    assert_true(plant->q[0] - at > 0.5);
  }
  plant_end(plant);
}

// gears and mimic joints: what friction holds does not move, on the ground or not
static void
gears_stick(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("mimic_gripper"), PLANT_SEMI_IMPLICIT);
  plant_options_t o = plant->options;
  o.friction_model = PLANT_FRICTION_EXACT;
  plant_set_options(plant, &o);
  assert_ok(plant_reset(plant, NULL));
  // both fingers have 1 N of friction
  double tau[8] = {0, 1.9};
  const double start[2] = {plant->q[1], plant->q[2]};
  for (int i = 0; i < 10000; i++) assert_ok(plant_step(plant, tau, 1e-3));
  print_message("gripper moves %.1e m\n", plant->q[1] - start[0]);
  near_to("finger", plant->q[1], start[0], 1e-9);
  tau[1] = 2.2;
  for (int i = 0; i < 1000; i++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_true(plant->q[1] - start[0] > 1e-3);
  near_to("the other finger", plant->q[2] - start[1], plant->q[1] - start[0], 1e-9);
  plant_end(plant);
}

static void
geared_robot_on_the_ground(void ** state)
{
  (void)state;
  char path[] = MBDYN_SOURCE_DIR "/config/robots/finger.urdf";
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  options.loops_file = MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml";
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  assert_non_null(model->tree);
  plant_t * plant = plant_create(model);
  assert_non_null(plant);
  const mbd_model_t * tree = plant->model;
  // three points of the base
  plant_contact_t contact[3] = {0};
  for (int k = 0; k < 3; k++) {
    contact[k].frame = tree->body[0].link_frame;
    contact[k].centre = mbdu_vec3(0.1 * cos(2.1 * k), 0.1 * sin(2.1 * k), -0.05);
  }
  assert_true(plant_set_contacts(plant, 3, contact));
  plant_options_t o = plant_options_default(tree);
  o.friction_model = PLANT_FRICTION_EXACT;
  o.ground.on = true;
  o.ground.clearance = 0.05;
  plant_set_options(plant, &o);
  assert_ok(plant_reset(plant, NULL));
  coast(plant, 1e-3, 3000);
  const double weight = weight_of(tree);
  print_message("finger on the ground: %.9f of its weight\n", plant->touch.normal_force / weight);
  near_to("force", plant->touch.normal_force, weight, 1e-6 * weight);
  assert_int_equal(plant->touch.points, 3);
  assert_true(plant->touch.unsolved == 0);
  plant_end(plant);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loaded_joint_creeps_or_not),      cmocka_unit_test(joint_lets_go_at_its_limit),
    cmocka_unit_test(exact_friction_slides_as_others), cmocka_unit_test(stop_with_exact_friction),
    cmocka_unit_test(bearing_sticks_and_brakes),       cmocka_unit_test(gears_stick),
    cmocka_unit_test(geared_robot_on_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
