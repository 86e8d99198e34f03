// Flexible links of a plant.
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/flexible/flexible_links.h"
#include "plant_internal.h"
#include "robots.h"

enum { COLUMN, BOOM, FOREARM, JOINTS };  // of boom.urdf

static mbd_model_t *
boom(void)
{
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/boom.urdf", NULL, &model, NULL));
  assert_int_equal(model->nv, JOINTS);
  return model;
}

static mbd_model_t *
with_flexible_links(const mbd_model_t * model, const char * yaml)
{
  mbd_model_t * robot;
  assert_ok(mbdx_flexible_load_string(model, yaml, strlen(yaml), NULL, &robot, NULL));
  return robot;
}

static plant_t *
flexible_plant(const mbd_model_t * robot, bool limits, bool friction)
{
  plant_t * plant = plant_create(robot->flexible->rigid);
  assert_non_null(plant);
  plant_options_t options = plant_options_default(robot->flexible->rigid);
  options.integrator = PLANT_RK4;
  options.limits = limits;
  options.friction = friction;
  plant_set_options(plant, &options);
  assert_true(plant_set_flexible(plant, robot));
  return plant;
}

static void
free_plant(plant_t * plant, mbd_model_t * robot)
{
  mbd_model_t * model = (mbd_model_t *)(uintptr_t)robot->flexible->rigid;
  plant_destroy(plant);
  mbd_model_destroy(robot);
  mbd_model_destroy(model);
}

static double
energy(plant_t * plant)
{
  double kinetic, potential;
  assert_ok(plant_energy(plant, &kinetic, &potential));
  return kinetic + potential;
}

static const char LOSSLESS[] =
  "flexible: [{link: boom, beam: {length: 2.5, mass_per_length: 1, polar: 0.0008, bending_y: 1050, "
  "bending_z: 1050, modes_y: 2, modes_z: 2, support: cantilever}}]\n";

// without a flexible link it is the rigid plant: torques and a push for half a second
static void
rigid_links_are_those_of_the_rigid_plant(void ** state)
{
  (void)state;
  mbd_model_t * model = boom();
  mbd_model_t * robot;
  assert_ok(mbd_model_with_flexible_links(model, 0, NULL, &robot, NULL));
  plant_t *flexible = flexible_plant(robot, false, false), *rigid = plant_create(model);
  plant_options_t options = flexible->options;
  plant_set_options(rigid, &options);
  const plant_push_t push = {2, MBD_LOCAL_WORLD_ALIGNED, {{1, 2, 3}, {4, -5, 6}}, 0.2005};
  assert_true(plant_push(flexible, &push) && plant_push(rigid, &push));
  for (int i = 0; i < 500; i++) {
    const double tau[JOINTS] = {sin(0.01 * i), 40 * cos(0.02 * i), -3};
    assert_ok(plant_step(flexible, tau, 1e-3));
    assert_ok(plant_step(rigid, tau, 1e-3));
  }
  assert_close(rigid->q, flexible->q, JOINTS, 1e-11, "q");
  assert_close(rigid->v, flexible->v, JOINTS, 1e-11, "v");
  assert_true(fabs(flexible->q[BOOM]) > 0.01);
  assert_true(flexible->npush == 0);
  plant_destroy(rigid);
  free_plant(flexible, robot);
}

// the boom falls on its limit, and the forearm goes on as that of the rigid plant
static void
a_stop_is_that_of_the_rigid_plant(void ** state)
{
  (void)state;
  mbd_model_t * model = boom();
  mbd_model_t * robot;
  assert_ok(mbd_model_with_flexible_links(model, 0, NULL, &robot, NULL));
  plant_t *flexible = flexible_plant(robot, true, false), *rigid = plant_create(model);
  plant_set_options(rigid, &flexible->options);
  const double none[JOINTS] = {0};
  for (int i = 0; i < 5500; i++) {
    assert_ok(plant_step(flexible, none, 1e-4));
    assert_ok(plant_step(rigid, none, 1e-4));
  }
  assert_true(flexible->stops == 1 && rigid->stops == 1);
  assert_close(rigid->q, flexible->q, JOINTS, 1e-3, "q");
  assert_close(rigid->v, flexible->v, JOINTS, 1e-3, "v");
  plant_destroy(rigid);
  free_plant(flexible, robot);
}

// it falls freely for a second: energy stays, the boom swings in its modes
static void
a_boom_swings_without_loss(void ** state)
{
  (void)state;
  mbd_model_t * robot = with_flexible_links(boom(), LOSSLESS);
  plant_t * plant = flexible_plant(robot, false, false);
  const double none[JOINTS] = {0}, before = energy(plant);
  double most = 0, modes = 0;
  for (int i = 0; i < 1000; i++) {
    assert_ok(plant_step(plant, none, 1e-3));
    double kinetic, potential;
    assert_ok(plant_energy(plant, &kinetic, &potential));
    most = fmax(most, kinetic);
    for (int k = JOINTS; k < robot->nq; k++) modes = fmax(modes, fabs(plant->flexible->q[k]));
    assert_true(fabs(kinetic + potential - before) < 1e-6 * (1 + most));
  }
  assert_true(most > 10);
  assert_true(modes > 1e-3);
  free_plant(plant, robot);
}

// it falls on its limit: it stays there, nothing is gained, and the beam goes on swinging
static void
a_stop_takes_the_joint_and_leaves_the_beam(void ** state)
{
  (void)state;
  mbd_model_t * robot = with_flexible_links(boom(), LOSSLESS);
  plant_t * plant = flexible_plant(robot, true, false);
  const double none[JOINTS] = {0};
  const double before = energy(plant);
  double last = before, swing = 0;
  bool stopped = false;
  for (int i = 0; i < 3000; i++) {
    assert_ok(plant_step(plant, none, 1e-3));
    const double now = energy(plant);
    // a stop holds still to first order in the step
    assert_true(now < last + 0.02 && now < before + 1e-6);
    last = now;
    for (int k = 0; k < JOINTS; k++) {
      const mbd_limits_t * limits = &plant->model->body[k].limits;
      assert_true(plant->q[k] >= limits->lower && plant->q[k] <= limits->upper);
      if (plant->at_limit[k] && fabs(plant->v[k]) < 1e-3) stopped = true;
    }
    for (int k = JOINTS; stopped && k < robot->nv; k++)
      swing = fmax(swing, fabs(plant->flexible->v[k]));
  }
  assert_true(stopped && plant->stops > 0 && last < before - 1);
  assert_true(swing > 1e-3);
  free_plant(plant, robot);
}

// brakes keep the deflection, a reset removes it
static void
held_and_reset(void ** state)
{
  (void)state;
  mbd_model_t * robot = with_flexible_links(boom(), LOSSLESS);
  plant_t * plant = flexible_plant(robot, true, true);
  const double none[JOINTS] = {0};
  for (int i = 0; i < 100; i++) assert_ok(plant_step(plant, none, 1e-3));
  const double deflection = plant->flexible->q[JOINTS + 2];
  assert_true(fabs(deflection) > 0);
  plant_hold(plant, 1e-3);
  assert_true(plant->flexible->q[JOINTS + 2] == deflection && plant->flexible->v[JOINTS + 2] == 0);
  assert_ok(plant_reset(plant, NULL));
  for (int k = JOINTS; k < robot->nq; k++) assert_true(plant->flexible->q[k] == 0);
  free_plant(plant, robot);
}

// linear velocity of a frame in world axes, per second since the start at rest
static mbd_vec3_t
frame_acceleration(const plant_t * plant, int frame, double h)
{
  const plant_flexible_t * b = plant->flexible;
  mbd_motion_t v;
  assert_ok(mbd_set_state(b->robot, b->data, b->q, b->v));
  assert_ok(mbd_frame_velocity(b->robot, b->data, frame, MBD_LOCAL_WORLD_ALIGNED, &v));
  return mbdu_vec3_scale(1 / h, v.lin);
}

// A point mass m on a frame is the wrench m (g - a) that it exerts there, a its acceleration: the robot
// with the load, and one without it that is pushed so. Of every frame, and taken off again.
static void
a_load_is_the_force_that_it_exerts(void ** state)
{
  (void)state;
  const double h = 1e-6, mass = 3, tau[JOINTS] = {4, 30, -8};
  const mbd_inertia_t load = mbdu_inertia_from_com(mass, mbdu_vec3(0, 0, 0), (mbd_sym3_t){0});
  mbd_model_t * robot = with_flexible_links(boom(), LOSSLESS);
  int compared = 0;
  for (int frame = 0; frame < robot->nframe; frame++) {
    plant_t *loaded = flexible_plant(robot, false, false),
            *pushed = flexible_plant(robot, false, false);
    plant_t * bare = flexible_plant(robot, false, false);
    assert_ok(plant_payload(loaded, frame, &load));
    assert_ok(plant_step(loaded, tau, h));
    const mbd_vec3_t a = frame_acceleration(loaded, frame, h);
    const mbd_vec3_t f = mbdu_vec3_scale(mass, mbdu_vec3_sub(robot->gravity, a));
    const plant_push_t push = {frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, f}, INFINITY};
    assert_true(plant_push(pushed, &push));
    assert_ok(plant_step(pushed, tau, h));
    assert_ok(plant_step(bare, tau, h));
    double scale = 0, felt = 0;
    for (int k = 0; k < robot->nv; k++) {
      scale = fmax(scale, fabs(pushed->flexible->v[k]));
      felt = fmax(felt, fabs(bare->flexible->v[k] - loaded->flexible->v[k]));
    }
    assert_close(pushed->flexible->v, loaded->flexible->v, robot->nv, 1e-5 * scale, "v");
    if (robot->frame[frame].body >= 0 && felt > 0.02 * scale) compared++;
    // it is as it was
    assert_ok(plant_payload(loaded, frame, NULL));
    assert_ok(plant_reset(loaded, NULL));
    assert_ok(plant_step(loaded, tau, h));
    assert_close(bare->flexible->v, loaded->flexible->v, robot->nv, 0, "v without load");
    plant_destroy(loaded), plant_destroy(pushed), plant_destroy(bare);
  }
  assert_true(compared >= 2);
  free_plant(NULL, robot);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rigid_links_are_those_of_the_rigid_plant),
    cmocka_unit_test(a_stop_is_that_of_the_rigid_plant),
    cmocka_unit_test(a_boom_swings_without_loss),
    cmocka_unit_test(a_stop_takes_the_joint_and_leaves_the_beam),
    cmocka_unit_test(held_and_reset),
    cmocka_unit_test(a_load_is_the_force_that_it_exerts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
