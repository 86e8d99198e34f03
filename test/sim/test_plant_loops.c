// Robots with loops in motion: the finger whose tip a four-bar bends.
#include <math.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "plant_internal.h"
#include "robots.h"

static mbd_model_t *
finger(void)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.mimic_independent = true;
  options.loops_file = MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml";
  options.embed = false;
  mbd_model_t *tree, *model;
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/finger.urdf", &options, &tree, NULL));
  mbd_embed_options_t embed = mbd_embed_options_default();
  const char * const knuckle = "knuckle";
  embed.own_tree = true;
  embed.independent = &knuckle, embed.nindependent = 1;
  assert_ok(mbd_model_embed(tree, &embed, &model));
  return model;
}

static plant_t *
finger_plant(plant_integrator_t integrator, bool limits)
{
  plant_t * plant = plant_of(finger(), integrator);
  plant_options_t options = plant_options_default(plant->model);
  options.integrator = integrator;
  options.friction = false;
  options.limits = limits;
  plant_set_options(plant, &options);
  return plant;
}

// how far the loop is open, by the core's rows at the plant's own state
static double
open_by(plant_t * plant)
{
  double d[16], worst = 0;
  assert_true(plant->model->nrow <= 16);
  assert_ok(mbd_set_position(plant->model, plant->data, plant->q));
  assert_ok(mbd_closure_error(plant->model, plant->data, 0, d));
  for (int k = 0; k < plant->model->nrow; k++) worst = larger(worst, fabs(d[k]));
  return worst;
}

// it swings for two seconds: energy stays, the loop stays closed, velocities obey it
static void
a_loop_swings_without_loss(void ** state)
{
  (void)state;
  plant_t * plant = finger_plant(PLANT_RK4, false);
  double q[8] = {0};
  int knuckle;
  assert_ok(mbd_find_joint(plant->model, "knuckle", &knuckle));
  q[plant->model->body[knuckle].q_index] = 1.0;  // it hangs at 1.19; the dead centre is at 1.55
  assert_ok(plant_reset(plant, q));
  const double before = total_energy(plant);
  double fastest = 0;
  for (int n = 0; n < 2000; n++) {
    coast(plant, 1e-3, 1);
    if (n % 50) continue;
    double U[16], G[16 * 8];
    assert_true(open_by(plant) < 1e-10);
    assert_ok(mbd_closure_jacobian(plant->model, plant->data, G));
    for (int r = 0; r < plant->model->nrow; r++) {
      U[r] = 0;
      for (int k = 0; k < plant->model->nv; k++) U[r] += G[r * plant->model->nv + k] * plant->v[k];
      assert_true(fabs(U[r]) < 1e-9);
    }
    for (int k = 0; k < plant->model->nv; k++) fastest = fmax(fastest, fabs(plant->v[k]));
  }
  assert_true(fastest > 2);
  assert_true(fabs(total_energy(plant) - before) < 1e-6 * fabs(before));
  plant_end(plant);
}

// a motor at the tip, which the loop moves, balances one at the knuckle by the ratio of velocities
static void
motors_may_be_anywhere_in_a_loop(void ** state)
{
  (void)state;
  plant_t * plant = finger_plant(PLANT_SEMI_IMPLICIT, false);
  plant_options_t options = plant->options;
  options.gravity = (mbd_vec3_t){0, 0, 0};
  plant_set_options(plant, &options);
  int knuckle, tip;
  assert_ok(mbd_find_joint(plant->model, "knuckle", &knuckle));
  assert_ok(mbd_find_joint(plant->model, "tip", &tip));
  const int k = plant->model->body[knuckle].v_index, t = plant->model->body[tip].v_index;
  double tau[8] = {0};
  // at rest: X is that of the closed configuration
  const double ratio = plant_share(plant, t, 0);
  assert_true(fabs(plant_share(plant, k, 0) - 1) < 1e-12 && fabs(ratio) > 0.1);
  tau[t] = 0.01, tau[k] = -0.01 * ratio;
  for (int n = 0; n < 100; n++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_true(fabs(plant->v[k]) < 1e-6);
  tau[k] = 0;
  for (int n = 0; n < 10; n++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_true(ratio * plant->v[k] > 1e-3);
  plant_end(plant);
}

// the knuckle's stop holds the whole finger, and takes no energy from nowhere
static void
a_stop_holds_the_loop(void ** state)
{
  (void)state;
  plant_t * plant = finger_plant(PLANT_SEMI_IMPLICIT, true);
  int knuckle;
  assert_ok(mbd_find_joint(plant->model, "knuckle", &knuckle));
  const mbd_body_t * body = &plant->model->body[knuckle];
  double tau[8] = {0};
  tau[body->v_index] = 0.05;
  for (int n = 0; n < 1000; n++) assert_ok(plant_step(plant, tau, 1e-3));
  assert_true(fabs(plant->q[body->q_index] - body->limits.upper) < 1e-9);
  assert_true(plant->at_limit[body->v_index] && plant->stops >= 1);
  assert_true(fabs(plant->v[body->v_index]) < 1e-12 && open_by(plant) < 1e-10);
  plant_end(plant);
}

static int
add_link(
  mbd_model_t * model, const char * name, int parent, mbd_joint_type_t type, mbd_vec3_t axis,
  double x, const mbd_limits_t * limits)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  spec.name = spec.joint_name = name;
  spec.parent = parent, spec.type = type, spec.axis = axis;
  spec.placement.p.x = x;
  if (limits) spec.limits = *limits;
  spec.inertia =
    mbdu_inertia_from_com(0.5, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){0.01, 0, 0, 0.01, 0, 0.01});
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  return frame;
}

// crank 0.3 m and rod 1 m in the x-y plane; the rod's end is on a slider, whose cylindrical joint
// along x is at zero where the crank is upright
static mbd_model_t *
slider_crank(const mbd_limits_t * crank_limits, const mbd_limits_t * slider_limits)
{
  static const char * const first = "crank";
  const mbd_vec3_t x = {1, 0, 0}, z = {0, 0, 1};
  mbd_model_t *tree, *model;
  assert_ok(mbd_model_create("slider_crank", &tree));
  const int crank = add_link(tree, "crank", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, z, 0, crank_limits);
  const int rod = add_link(tree, "rod", crank, MBD_JOINT_REVOLUTE, z, 0.3, NULL);
  const int slider = add_link(
    tree, "slider", MBD_WORLD_BODY, MBD_JOINT_CYLINDRICAL, x, sqrt(1 - 0.09), slider_limits);
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = "pin", pin.type = MBD_CLOSURE_SPHERICAL;
  pin.frame_a = slider, pin.frame_b = rod, pin.X_b.p.x = 1;
  assert_ok(mbd_model_add_closure(tree, &pin, NULL));
  assert_ok(mbd_model_finalize(tree));
  mbd_embed_options_t options = mbd_embed_options_default();
  const double q[4] = {1.5, -1.5 - 0.3, 0, 0.02};  // crank, rod, slider: turned, slid
  options.q = q, options.own_tree = true;
  options.independent = &first, options.nindependent = 1;
  assert_ok(mbd_model_embed(tree, &options, &model));
  return model;
}

static double
slide_of(double crank)
{
  return 0.3 * cos(crank) + sqrt(1 - 0.09 * sin(crank) * sin(crank)) - sqrt(1 - 0.09);
}

// The limit of a dependent degree of freedom, of a joint with two, holds the loop: the crank stops
// where the slider does, the torque goes into the stop, and nothing holds it back from it.
static void
dependent_limits_stop_the_loop(void ** state)
{
  (void)state;
  const mbd_limits_t narrow = {-0.05, 0.08, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (int integrator = 0; integrator < 2; integrator++) {
    plant_t * plant = plant_of(slider_crank(NULL, &narrow), (plant_integrator_t)integrator);
    int crank, slider;
    assert_ok(mbd_find_joint(plant->model, "crank", &crank));
    assert_ok(mbd_find_joint(plant->model, "slider", &slider));
    const int k = plant->model->body[crank].v_index, slid = plant->model->body[slider].q_index + 1;
    const int slide = plant->model->body[slider].v_index + 1;
    double q[4] = {0}, tau[4] = {0};
    q[plant->model->body[crank].q_index] = 1.5;
    q[plant->model->body[slider].q_index - 1] = -1.8;
    assert_ok(plant_reset(plant, q));
    // to either side
    for (int side = -1; side <= 1; side += 2) {
      const double at = side > 0 ? narrow.upper : narrow.lower;
      const uint64_t stops = plant->stops;
      tau[k] = -0.2 * side;
      for (int n = 0; n < 2500; n++) {
        assert_ok(plant_step(plant, tau, 1e-3));
        assert_true(plant->q[slid] < 0.08 + 1e-9 && plant->q[slid] > -0.05 - 1e-9);
      }
      assert_true(plant->stops > stops && plant->at_limit[slide]);
      assert_true(fabs(plant->q[slid] - at) < 1e-9 && fabs(plant->v[k]) < 1e-9);
      const double angle = plant->q[plant->model->body[crank].q_index];
      assert_true(fabs(slide_of(angle) - at) < 1e-9 && open_by(plant) < 1e-10);
    }
    plant_end(plant);
  }
}

// the other degree of freedom of the same joint has the same limits, and nothing drives it there
static void
each_degree_of_freedom_stops(void ** state)
{
  (void)state;
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = "screw";
  spec.type = MBD_JOINT_CYLINDRICAL;
  spec.axis = (mbd_vec3_t){1, 0, 0};
  spec.limits.lower = -0.3, spec.limits.upper = 0.2;
  spec.inertia =
    mbdu_inertia_from_com(2, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){0.5, 0, 0, 0.5, 0, 0.5});
  for (int dof = 0; dof < 2; dof++) {
    plant_t * plant = plant_of(one_body(&spec), PLANT_SEMI_IMPLICIT);
    double tau[2] = {0, 0};
    tau[dof] = 1;
    for (int n = 0; n < 2000; n++) assert_ok(plant_step(plant, tau, 1e-3));
    assert_true(plant->q[dof] == 0.2 && plant->v[dof] == 0 && plant->q[1 - dof] == 0);
    assert_true(plant->at_limit[dof] && !plant->at_limit[1 - dof] && plant->stops == 1);
    tau[dof] = -1;
    for (int n = 0; n < 3000; n++) assert_ok(plant_step(plant, tau, 1e-3));
    assert_true(plant->q[dof] == -0.3 && plant->v[dof] == 0);
    plant_end(plant);
  }
}

// a model with closures that is not embedded is refused; a start that cannot be assembled too
static void
what_cannot_be_is_refused(void ** state)
{
  (void)state;
  mbd_model_t * model = finger();
  assert_null(plant_create(model->tree));
  plant_t * plant = plant_create(model);
  const double before = plant->q[0];
  double q[8] = {0};
  int knuckle;
  assert_ok(mbd_find_joint(model, "knuckle", &knuckle));
  q[plant->model->body[knuckle].q_index] = 3;  // where the rod is too short
  assert_int_equal(plant_reset(plant, q), MBD_ERROR_NOT_ASSEMBLED);
  assert_true(plant->q[0] == before);
  q[plant->model->body[knuckle].q_index] = 0.8;
  assert_ok(plant_reset(plant, q));
  assert_true(fabs(plant->q[plant->model->body[knuckle].q_index] - 0.8) < 1e-12);
  assert_true(open_by(plant) < 1e-9);
  plant_end(plant);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_loop_swings_without_loss),
    cmocka_unit_test(motors_may_be_anywhere_in_a_loop),
    cmocka_unit_test(a_stop_holds_the_loop),
    cmocka_unit_test(dependent_limits_stop_the_loop),
    cmocka_unit_test(each_degree_of_freedom_stops),
    cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
