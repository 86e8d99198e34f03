// Plants on charts: the same motion as by the other integrators, closed loops, drivers, bearings, and a
// bounded number of steps.
#include <math.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mechanism.h"
#include "robots.h"

enum { MOST = 16 };

static void
assert_near(double x, double want, double bound)
{
  if (!(fabs(x - want) <= bound)) fail_msg("%.17g is not %.17g", x, want);
}

// a model for charts beside that of the plant
static mbd_model_t *
tree_with_closures(const char * urdf, const char * loops)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  options.mimic_independent = true;
  options.loops_file = loops;
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(urdf, &options, &model, NULL));
  return model;
}

// as mbdyn_sim makes it
static plant_t *
chart_plant(const char * urdf, const char * loops, mbd_method_t method, mbd_model_t ** chart)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.mimic_independent = true;
  options.loops_file = loops;
  mbd_model_t *model, *embedded = NULL;
  assert_ok(mbdx_urdf_load_file(urdf, &options, &model, NULL));
  mbd_embed_options_t embed = mbd_embed_options_default();
  embed.own_tree = true;
  if (!model->tree && model->nclosure > 0) assert_ok(mbd_model_embed(model, &embed, &embedded));
  *chart = tree_with_closures(urdf, loops);
  plant_t * plant = plant_of(embedded ? embedded : model, PLANT_SEMI_IMPLICIT);
  assert_true(plant_set_chart(plant, *chart, method));
  return plant;
}

static void
without_limits(plant_t * plant, plant_integrator_t integrator)
{
  plant_options_t options = plant_options_default(plant->model);
  options.integrator = integrator;
  options.limits = false;
  plant_set_options(plant, &options);
}

#define DATA   MBDYN_SOURCE_DIR "/test/data/"
#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

static const struct {
  const char *urdf, *loops, *joint, *link;
  double start, torque, push;
} ROBOT[] = {
  {DATA "double_pendulum.urdf", NULL, "joint1", "link2", 0.4, 2, 3},
  {ROBOTS "finger.urdf", ROBOTS "finger.loops.yaml", "knuckle", "distal", 1.0, 0.01, 0.05},
  {DATA "mimic_gripper.urdf", NULL, NULL, NULL, 0, 3, 0}};

// torque, a push, a load, gravity that turns: both plants are told the same
static void
perturb(plant_t * plant, int robot, int step)
{
  const mbd_inertia_t load =
    mbdu_inertia_from_com(0.02, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1e-5, 0, 0, 1e-5, 0, 1e-5});
  int frame = -1;
  if (ROBOT[robot].link) assert_ok(mbd_find_frame(plant->model, ROBOT[robot].link, &frame));
  if (step == 100 && frame >= 0) {
    const plant_push_t push = {
      frame, MBD_LOCAL, {{0, 0, 0}, {ROBOT[robot].push, 0, ROBOT[robot].push}}, 0.1};
    assert_true(plant_push(plant, &push));
  }
  if (step == 250 && frame >= 0) assert_ok(plant_payload(plant, frame, &load));
  if (step == 350) {
    plant_options_t options = plant->options;
    options.gravity = mbdu_vec3(1, 0.5, -9);
    plant_set_options(plant, &options);
  }
}

// independent: embedded loops and a mass matrix against cut joints or articulated bodies
static void
charts_move_as_the_other_integrators(void ** state)
{
  (void)state;
  static const struct {
    mbd_method_t method;
    double bound;
  } METHOD[] = {{MBD_METHOD_RK4, 1e-9},     {MBD_METHOD_NYSTROM4, 1e-7},
                {MBD_METHOD_SDIRK54, 1e-6}, {MBD_METHOD_TRAPEZOIDAL, 1e-4},
                {MBD_METHOD_HHT, 1e-3},     {MBD_METHOD_SEMI_IMPLICIT, 5e-2}};
  int compared = 0;
  for (int r = 0; r < 3; r++) {
    for (size_t k = 0; k < sizeof METHOD / sizeof METHOD[0]; k++) {
      mbd_model_t * chart;
      plant_t * plant = chart_plant(ROBOT[r].urdf, ROBOT[r].loops, METHOD[k].method, &chart);
      plant_t * other = plant_of(plant->embedded ? plant->embedded : plant->model, PLANT_RK4);
      without_limits(plant, PLANT_RK4), without_limits(other, PLANT_RK4);
      const mbd_model_t * m = plant->model;
      double q[MOST] = {0}, tau[MOST] = {0}, worst = 0, moved = 0;
      assert_true(m->nq <= MOST);
      int body;
      if (ROBOT[r].joint) {
        assert_ok(mbd_find_joint(m, ROBOT[r].joint, &body));
        q[m->body[body].q_index] = ROBOT[r].start;
      }
      assert_ok(plant_reset(plant, q));
      assert_ok(plant_reset(other, q));
      for (int step = 0; step < 500; step++) {
        if (step % 50 == 0) tau[0] = ROBOT[r].torque * cos(0.05 * step);
        perturb(plant, r, step), perturb(other, r, step);
        assert_ok(plant_step(plant, tau, 1e-3));
        assert_ok(plant_step(other, tau, 1e-3));
        for (int i = 0; i < m->nq; i++) {
          worst = larger(worst, fabs(plant->q[i] - other->q[i]));
          moved = fmax(moved, fabs(plant->q[i] - q[i]));
        }
        compared++;
      }
      print_message(
        "%s, %s: %.1e of %.2f\n", m->name, mbd_method_name(METHOD[k].method), worst, moved);
      assert_true(moved > 0.05);
      assert_true(worst < METHOD[k].bound * fmax(1, moved));
      assert_true(plant->integration.steps == 500 && plant->integration.lost == 0);
      plant_destroy(other);
      plant_end(plant);
      mbd_model_destroy(chart);
    }
  }
  assert_int_equal(compared, 9000);
}

// by rows of the core at the plant's own state
static void
loops_are_closed_to_rounding(void ** state)
{
  (void)state;
  mbd_model_t * chart;
  plant_t * plant = chart_plant(ROBOT[1].urdf, ROBOT[1].loops, MBD_METHOD_RK4, &chart);
  plant_options_t options = plant_options_default(plant->model);
  options.friction = false;
  plant_set_options(plant, &options);
  double q[MOST] = {0}, d[MOST], worst = 0, fastest = 0;
  int knuckle;
  assert_ok(mbd_find_joint(plant->model, "knuckle", &knuckle));
  q[plant->model->body[knuckle].q_index] = 1.0;
  assert_ok(plant_reset(plant, q));
  const double before = total_energy(plant);
  for (int n = 0; n < 2000; n++) {
    coast(plant, 1e-3, 1);
    assert_ok(mbd_set_position(plant->model, plant->data, plant->q));
    assert_ok(mbd_closure_error(plant->model, plant->data, 0, d));
    for (int k = 0; k < plant->model->nrow; k++) worst = larger(worst, fabs(d[k]));
    for (int k = 0; k < plant->model->nv; k++) fastest = fmax(fastest, fabs(plant->v[k]));
  }
  print_message("open by %.1e, energy off by %.1e J\n", worst, total_energy(plant) - before);
  assert_true(fastest > 2);
  assert_true(worst < 1e-13 && plant->integration.error < 1e-13 && plant->integration.error > 0);
  assert_true(fabs(total_energy(plant) - before) < 1e-6 * fabs(before));
  plant_end(plant);
  mbd_model_destroy(chart);
}

//---------- mechanism files ----------

static const char SLIDER[] =
  "<robot name='slider'><link name='rail'/>"
  "<joint name='slide' type='prismatic'><parent link='rail'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-100' upper='100' effort='1000' velocity='100'/></joint>"
  "<link name='car'><inertial><mass value='2'/>"
  "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
  "<joint name='turn' type='continuous'><parent link='car'/><child link='arm'/>"
  "<origin xyz='0 0 0'/><axis xyz='0 1 0'/></joint>"
  "<link name='arm'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/>"
  "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>";

typedef struct driven {
  mbdx_mechanism_t * mechanism;
  plant_t * plant;
} driven_t;

static driven_t
mechanism_plant(const char * yaml, mbd_method_t method)
{
  driven_t d;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_text = yaml;
  mbdx_report_t * report;
  if (
    mbdx_mechanism_load_urdf_string(
      SLIDER, sizeof SLIDER - 1, NULL, &options, &d.mechanism, &report) != MBD_OK) {
    fail_msg("%s", report->n > 0 ? report->entry[0].text : "no report");
  }
  mbdx_report_free(report);
  mbd_model_t * model;
  options.loops_text = NULL;
  assert_ok(mbdx_urdf_load_string(SLIDER, sizeof SLIDER - 1, NULL, &options, &model, NULL));
  d.plant = plant_of(model, PLANT_SEMI_IMPLICIT);
  assert_true(plant_set_chart(d.plant, d.mechanism->model, method));
  assert_ok(plant_reset(d.plant, d.mechanism->q));
  assert_ok(plant_set_velocity(d.plant, d.mechanism->v));
  return d;
}

static void
driven_end(driven_t * d)
{
  plant_end(d->plant);
  mbdx_mechanism_free(d->mechanism);
}

// time of drivers stands still with the brakes, and begins anew at a reset
static void
drivers_move_their_joint(void ** state)
{
  (void)state;
  driven_t d = mechanism_plant(
    "drivers:\n  - {name: m, joint: slide, value: 0.5, sine: {amplitude: 0.2, frequency: 1}}\n",
    MBD_METHOD_RK4);
  const double pi = 3.14159265358979323846;
  const double tau[2] = {100, 0};  // does not matter
  double swing = 0;
  assert_near(d.plant->q[0], 0.5, 1e-12);
  for (int n = 1; n <= 500; n++) {
    assert_ok(plant_step(d.plant, tau, 1e-3));
    assert_near(d.plant->q[0], 0.5 + 0.2 * sin(2 * pi * 1e-3 * n), 1e-12);
    assert_near(d.plant->v[0], 0.4 * pi * cos(2 * pi * 1e-3 * n), 1e-10);
    swing = fmax(swing, fabs(d.plant->q[1]));
  }
  assert_true(swing > 0.05);
  for (int n = 0; n < 100; n++) plant_hold(d.plant, 1e-3);
  assert_near(d.plant->q[0], 0.5, 1e-12);
  assert_near(d.plant->v[0], 0, 0);
  assert_ok(plant_step(d.plant, tau, 1e-3));
  assert_near(d.plant->q[0], 0.5 + 0.2 * sin(2 * pi * 0.501), 1e-12);
  assert_ok(plant_reset(d.plant, NULL));
  assert_near(d.plant->q[0], 0.5, 1e-12);
  assert_ok(plant_step(d.plant, tau, 1e-3));
  assert_near(d.plant->q[0], 0.5 + 0.2 * sin(2 * pi * 1e-3), 1e-12);
  driven_end(&d);
}

// a car of 3 kg with an arm at rest below it slides to a stop: v^2 / (2 mu g). A push that presses it onto the
// rail adds to the load of the bearing.
static void
bearings_brake_with_their_load(void ** state)
{
  (void)state;
  static const char yaml[] =
    "drivers: [{name: lock, joint: turn, value: 0}]\n"
    "bearings: [{joint: slide, mu_static: 0.3, mu_dynamic: 0.3}]\n"
    "initial: {slide: {v: 2}}\n";
  static const mbd_method_t method[] = {MBD_METHOD_SDIRK54, MBD_METHOD_TRAPEZOIDAL};
  for (int k = 0; k < 4; k++) {
    const double press = k < 2 ? 0 : 20;
    driven_t d = mechanism_plant(yaml, method[k % 2]);
    const double tau[2] = {0, 0}, want = 2 * 2 / (2 * 0.3 * (9.81 + press / 3));
    assert_near(d.plant->v[0], 2, 1e-12);
    if (press > 0) {
      int frame;
      assert_ok(mbd_find_frame(d.plant->model, "car", &frame));
      const plant_push_t push = {frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, -press}}, 10};
      assert_true(plant_push(d.plant, &push));
    }
    for (int n = 0; n < 1000; n++) assert_ok(plant_step(d.plant, tau, 1e-3));
    print_message("slides %.4f m, %.4f by hand\n", d.plant->q[0], want);
    // below the transition velocity of 2 mm/s friction is less
    assert_near(d.plant->q[0], want, 1e-3 * want);
    assert_true(fabs(d.plant->v[0]) < 1e-3);
    assert_true(d.plant->integration.condition >= 1);
    // a motor weaker than friction leaves it where it is, one that is stronger does not
    const double weak[2] = {0.2 * 3 * (9.81 + press / 3), 0}, strong[2] = {2 * weak[0], 0};
    const double at = d.plant->q[0];
    for (int n = 0; n < 200; n++) assert_ok(plant_step(d.plant, weak, 1e-3));
    assert_true(fabs(d.plant->q[0] - at) < 1e-3);
    for (int n = 0; n < 200; n++) assert_ok(plant_step(d.plant, strong, 1e-3));
    assert_true(d.plant->q[0] - at > 0.01);
    driven_end(&d);
  }
}

//---------- position limits ----------

// A pendulum swings into its stop at 3 rad/s, rests there, and comes away freely. The stop is a spring of 0.7 kg m^2
// (300/s)^2, or of the substep where that is long, and a critical damper: at most v / (e w) deep.
static void
spring_stops(void ** state)
{
  (void)state;
  static const mbd_method_t METHOD[] = {
    MBD_METHOD_SEMI_IMPLICIT, MBD_METHOD_RK4, MBD_METHOD_NYSTROM4, MBD_METHOD_TRAPEZOIDAL,
    MBD_METHOD_SDIRK54};
  for (size_t k = 0; k < 2 * sizeof METHOD / sizeof *METHOD; k++) {
    const double dt = k % 2 ? 5e-3 : 1e-3, w = k % 2 ? 100 : 300;
    mbd_body_spec_t spec = pendulum_spec();
    spec.limits.lower = -1, spec.limits.upper = 0.2;
    mbd_model_t * chart = one_body(&spec);
    plant_t * plant = plant_of(one_body(&spec), PLANT_SEMI_IMPLICIT);
    assert_true(plant_set_chart(plant, chart, METHOD[k / 2]));
    const double fast = 3, press = 8, none = 0;
    assert_ok(plant_set_velocity(plant, &fast));
    double deepest = 0;
    for (double t = 0; t < 1.5; t += dt) {
      assert_ok(plant_step(plant, &press, dt));
      deepest = fmax(deepest, plant->q[0] - 0.2);
    }
    const double rest = (press - PENDULUM_WEIGHT * sin(0.2)) / (PENDULUM_INERTIA * w * w);
    print_message(
      "%s, %g s: %.2e rad deep, rests %.2e rad beyond\n", mbd_method_name(METHOD[k / 2]), dt,
      deepest, plant->q[0] - 0.2);
    assert_true(deepest >= 0.99 * rest && deepest < 1.3 * fast / w);
    assert_near(plant->q[0] - 0.2, rest, 0.01 * rest);
    assert_true(plant->at_limit[0] && plant->stops >= 1);
    assert_ok(plant_step(plant, &none, dt));
    for (double t = 0; t < 0.1; t += dt) assert_ok(plant_step(plant, &none, dt));
    assert_true(plant->q[0] < 0.2 && plant->v[0] < 0 && !plant->at_limit[0]);
    // no stop if limits do not count
    plant_options_t options = plant_options_default(plant->model);
    options.limits = false;
    plant_set_options(plant, &options);
    assert_ok(plant_set_velocity(plant, &fast));
    for (double t = 0; t < 0.2; t += dt) assert_ok(plant_step(plant, &press, dt));
    assert_true(plant->q[0] > 0.4);
    plant_end(plant);
    mbd_model_destroy(chart);
  }
}

//---------- bounded work ----------

// Newton's method does not converge in steps that are this long: halves do it, and never more than max_steps
static void
steps_are_bounded(void ** state)
{
  (void)state;
  uint64_t failed = 0, exceeded = 0, lossless = 0, errors = 0;
  for (int most = 1; most <= 64; most *= 2) {
    mbd_model_t * chart;
    plant_t * plant = chart_plant(ROBOT[1].urdf, ROBOT[1].loops, MBD_METHOD_TRAPEZOIDAL, &chart);
    plant_options_t options = plant_options_default(plant->model);
    options.max_steps = most;
    options.limits = false;
    plant_set_options(plant, &options);
    const double q[MOST] = {1}, v[MOST] = {18}, zero[MOST] = {0};
    assert_ok(plant_reset(plant, q));
    assert_ok(plant_set_velocity(plant, v));
    double now = 0;
    mbd_status_t status = MBD_OK;
    for (int n = 0; n < 20 && status == MBD_OK; n++) {
      const plant_integration_t before = plant->integration;
      status = plant_step(plant, zero, 0.08);
      const plant_integration_t * after = &plant->integration;
      const double lost = after->lost - before.lost;
      const uint64_t taken = after->steps + after->halved - before.steps - before.halved;
      assert_true(taken >= 1 && taken <= (uint64_t)most);
      assert_true(lost >= 0 && lost <= 0.08 * (1 + 1e-12));
      assert_int_equal(after->exceeded - before.exceeded, lost > 0);
      // nothing at all is an error, a part is not
      assert_int_equal(status != MBD_OK, fabs(lost - 0.08) < 1e-12);
      now += 0.08 - lost;
    }
    print_message(
      "at most %d: %.3f s, %d steps, %d failed, %.3f s lost, %s\n", most, now,
      (int)plant->integration.steps, (int)plant->integration.halved, plant->integration.lost,
      mbd_status_string(status));
    failed += plant->integration.halved, exceeded += plant->integration.exceeded;
    lossless += plant->integration.lost == 0 && plant->integration.halved > 0;
    errors += status != MBD_OK;
    assert_true(plant->integration.error < 1e-12);
    // a reset is enough to go on
    if (status != MBD_OK) {
      assert_ok(plant_reset(plant, NULL));
      assert_ok(plant_step(plant, zero, 1e-3));
    }
    plant_end(plant);
    mbd_model_destroy(chart);
  }
  assert_true(failed > 10 && exceeded > 1 && lossless > 0 && errors > 0);
}

static void
refusals(void ** state)
{
  (void)state;
  mbd_model_t * other = file_robot("double_pendulum");
  mbd_model_t * chart;
  plant_t * plant = chart_plant(ROBOT[1].urdf, ROBOT[1].loops, MBD_METHOD_RK4, &chart);
  // once, and for its own model
  assert_false(plant_set_chart(plant, chart, MBD_METHOD_RK4));
  plant_end(plant);
  mbd_model_destroy(chart);
  plant = plant_of(file_robot("mimic_gripper"), PLANT_RK4);
  assert_false(plant_set_chart(plant, other, MBD_METHOD_RK4));
  plant_end(plant);
  mbd_model_destroy(other);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(charts_move_as_the_other_integrators),
    cmocka_unit_test(loops_are_closed_to_rounding),
    cmocka_unit_test(drivers_move_their_joint),
    cmocka_unit_test(bearings_brake_with_their_load),
    cmocka_unit_test(spring_stops),
    cmocka_unit_test(steps_are_bounded),
    cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
