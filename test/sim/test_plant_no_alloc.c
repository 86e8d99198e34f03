// Stepping and measuring never touch the heap, and what allocates gives all of it back if memory
// runs out: malloc and free are interposed.
#include <stdlib.h>

#include "commands.h"
#include "ground_robots.h"
#include "robots.h"
#include "sensors.h"

//---------- the interposer ----------

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void __libc_free(void *);

static volatile int armed, touched;
static volatile int left = -1;  // allocations until there is no memory; -1: enough
static volatile int blocks;     // allocated and not freed, while left is not -1

static bool
allowed(void)
{
  if (armed) touched++;
  if (left < 0) return true;
  if (left == 0) return false;
  left--;
  blocks++;
  return true;
}

void *
malloc(size_t n)
{
  return allowed() ? __libc_malloc(n) : NULL;
}

void *
calloc(size_t n, size_t size)
{
  return allowed() ? __libc_calloc(n, size) : NULL;
}

void
free(void * p)
{
  if (armed && p != NULL) touched++;
  if (left >= 0 && p != NULL) blocks--;
  __libc_free(p);
}

//---------- tests ----------

// both integrators, stops, gears, pushes, a load, a reset
static void
steps_do_not_allocate(void ** state)
{
  (void)state;
  plant_t * plant = plant_of(file_robot("mimic_gripper"), PLANT_SEMI_IMPLICIT);
  const plant_push_t push = {1, MBD_LOCAL, {{0, 0, 1}, {1, 2, 3}}, 0.5};
  const mbd_inertia_t load =
    mbdu_inertia_from_com(1, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  const double tau[4] = {1, 50, 0, 0};
  double kinetic, potential;
  mbd_status_t status = MBD_OK;
  armed = 1;
  for (int k = 0; k < 2 && status == MBD_OK; k++) {
    plant->options.integrator = k == 0 ? PLANT_RK4 : PLANT_SEMI_IMPLICIT;
    plant_push(plant, &push);
    status = plant_payload(plant, 2, k == 0 ? &load : NULL);
    for (int i = 0; i < 100 && status == MBD_OK; i++) status = plant_step(plant, tau, 1e-3);
    plant_hold(plant, 1e-3);
    if (status == MBD_OK) status = plant_energy(plant, &kinetic, &potential);
    if (status == MBD_OK) status = plant_reset(plant, NULL);
  }
  armed = 0;
  assert_ok(status);
  assert_true(plant->stops > 0);
  assert_int_equal(touched, 0);
  plant_end(plant);
}

// ground, exact friction, brakes; new options and contacts of a fall
static void
contacts_do_not_allocate(void ** state)
{
  (void)state;
  plant_t * plant = standing_robot("quadruped");
  plant_options_t o = plant->options;
  const double tau[64] = {0};
  mbd_status_t status = MBD_OK;
  armed = 1;
  for (int k = 0; k < 2 && status == MBD_OK; k++) {
    o.friction_model = k ? PLANT_FRICTION_EXACT : PLANT_FRICTION_TANH;
    plant_set_options(plant, &o);
    status = plant_reset(plant, NULL);
    for (int i = 0; i < 1000 && status == MBD_OK; i++) status = plant_step(plant, tau, 1e-3);
    for (int i = 0; i < 100 && status == MBD_OK; i++) status = plant_brake(plant, 1e-3);
  }
  armed = 0;
  assert_ok(status);
  assert_true(plant->touch.points > 0);
  assert_int_equal(touched, 0);
  plant_end(plant);
}

// charts of a gear: explicit and implicit, steps that fail, a push, a load, brakes, resets
static void
charts_do_not_allocate(void ** state)
{
  (void)state;
  static const mbd_method_t method[] = {
    MBD_METHOD_RK4, MBD_METHOD_SDIRK54, MBD_METHOD_SEMI_IMPLICIT};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * chart;
  options.mimic_independent = true;
  options.embed = false;
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/test/data/mimic_gripper.urdf", &options, &chart, NULL));
  uint64_t failed = 0;
  for (int k = 0; k < 3; k++) {
    plant_t * plant = plant_of(file_robot("mimic_gripper"), PLANT_SEMI_IMPLICIT);
    assert_true(plant_set_chart(plant, chart, method[k]));
    const plant_push_t push = {1, MBD_LOCAL, {{0, 0, 1}, {1, 2, 3}}, 0.05};
    const mbd_inertia_t load =
      mbdu_inertia_from_com(1, (mbd_vec3_t){0, 0, 0}, (mbd_sym3_t){1, 0, 0, 1, 0, 1});
    const double tau[4] = {1, 50, 0, 0}, v[4] = {20, 0, 0, 0};
    double kinetic, potential;
    mbd_status_t status = MBD_OK;
    armed = 1;
    plant_push(plant, &push);
    status = plant_payload(plant, 2, &load);
    for (int i = 0; i < 100 && status == MBD_OK; i++) status = plant_step(plant, tau, 1e-3);
    plant_hold(plant, 1e-3);
    if (status == MBD_OK) status = plant_energy(plant, &kinetic, &potential);
    if (status == MBD_OK) status = plant_reset(plant, NULL);
    if (status == MBD_OK) status = plant_set_velocity(plant, v);
    // too long for Newton's method: halves
    if (status == MBD_OK && method[k] == MBD_METHOD_SDIRK54) status = plant_step(plant, tau, 1);
    armed = 0;
    assert_ok(status);
    failed += plant->integration.halved;
    plant_end(plant);
  }
  print_message("%d steps failed\n", (int)failed);
  assert_true(failed > 0);
  assert_int_equal(touched, 0);
  mbd_model_destroy(chart);
}

static void
measurements_do_not_allocate(void ** state)
{
  (void)state;
  sensors_t * sensors = sensors_create(2, 8, 1);
  const sensor_settings_t settings = {1, 1, 1, 3e-9, 0.5};
  double x[2] = {1, 2};
  int seen = 0;
  armed = 1;
  for (int64_t t = 0; t < 100; t++) {
    const sensor_sample_t truth = {t, t, x, x, x, {0}};
    sensors_measure(sensors, &settings, &truth);
    while (sensors_next(sensors, &settings, t) != NULL) seen++;
  }
  armed = 0;
  assert_true(seen > 20);
  assert_int_equal(touched, 0);
  sensors_destroy(sensors);
}

// with memory for 0, 1, 2, ... allocations
static void
memory_that_runs_out_is_given_back(void ** state)
{
  (void)state;
  mbd_model_t * model = file_robot("double_pendulum");
  const int dof[2] = {0, 1};
  int failures[3] = {0};
  for (int n = 0; n < 20; n++) {
    blocks = 0;
    left = n;
    plant_t * plant = plant_create(model);
    plant_destroy(plant);
    failures[0] += plant == NULL;
    left = n;
    sensors_t * sensors = sensors_create(2, 8, 1);
    sensors_destroy(sensors);
    failures[1] += sensors == NULL;
    left = n;
    commands_t * commands = commands_create(model, dof, 2);
    commands_destroy(commands);
    failures[2] += commands == NULL;
    left = -1;
    assert_int_equal(blocks, 0);
  }
  // each needs a few, and gets them in the end
  for (int i = 0; i < 3; i++) assert_true(failures[i] > 2 && failures[i] < 20);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_do_not_allocate),
    cmocka_unit_test(contacts_do_not_allocate),
    cmocka_unit_test(charts_do_not_allocate),
    cmocka_unit_test(measurements_do_not_allocate),
    cmocka_unit_test(memory_that_runs_out_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
