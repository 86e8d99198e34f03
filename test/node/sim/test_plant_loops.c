// Robots with loops in motion: the finger whose tip a four-bar bends.
#include <math.h>

#include "close.h"
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
    cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
