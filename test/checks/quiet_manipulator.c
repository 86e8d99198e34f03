// Manipulators, self-motion, clearance and driven analysis, with the heap watched.
#include <math.h>
#include <stdlib.h>

#include "mbdyn/constraints.h"
#include "mbdyn/manipulator.h"
#include "mbdyn/self_motion.h"
#include "mbdyn/simulate.h"
#include "quiet_calls.h"

enum { JOINTS = 3, POINTS = 2000, ARCS = 8, MOST = 4 };

// links of 1 m in the x-y plane; with a slot, the tip is at y = 0.5; with a driver, the first joint turns
static mbd_model_t *
planar_arm(int n, bool slot, bool driver)
{
  static const char * const names[JOINTS] = {"one", "two", "three"};
  mbd_model_t * m;
  mbd_body_spec_t link = mbd_body_spec_default();
  mbd_closure_spec_t c = mbd_closure_spec_default();
  int tip;
  assert_int_equal(mbd_model_create("planar", &m), MBD_OK);
  link.type = MBD_JOINT_REVOLUTE;
  link.limits.lower = -3, link.limits.upper = 3;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  for (int k = 0; k < n; k++) {
    link.name = link.joint_name = names[k];
    assert_int_equal(mbd_model_add_body(m, &link, &link.parent), MBD_OK);
    link.placement.p.x = 1;
  }
  const mbd_placement_t end = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {1, 0, 0}};
  assert_int_equal(mbd_model_add_frame(m, "tip", link.parent, &end, &tip), MBD_OK);
  if (slot) {
    // the plane's normal is y
    const mbd_mat3_t y = {{1, 0, 0, 0, 0, 1, 0, -1, 0}};
    c.name = "slot", c.type = MBD_CLOSURE_ON_PLANE, c.frame_b = tip;
    c.X_a.R = y, c.X_a.p.y = 0.5;
    assert_int_equal(mbd_model_add_closure(m, &c, NULL), MBD_OK);
  }
  if (driver) {
    c = mbd_closure_spec_default();
    c.name = "motor", c.type = MBD_CLOSURE_COUPLING;
    c.ncoupled = 1, c.joint[0] = "one", c.coefficient[0] = 1;
    c.driver.value = 0.2, c.driver.rate = 1;
    assert_int_equal(mbd_model_add_closure(m, &c, NULL), MBD_OK);
  }
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  return m;
}

// a measure of the tip in the world
static mbd_measure_t
tip_measure(const mbd_model_t * m, mbd_measure_type_t type)
{
  mbd_measure_t y = mbd_measure_default();
  y.type = type;
  assert_int_equal(mbd_find_frame(m, "tip", &y.frame_b), MBD_OK);
  return y;
}

static void
call_manipulator(void)
{
  mbd_model_t * m = planar_arm(3, true, false);
  mbd_data_t * d;
  mbd_measure_t input[2], output[2];
  mbd_manipulator_t * manipulator;
  mbd_manipulator_result_t r;
  mbd_singularity_t s;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  assert_int_equal(mbd_measure_joint(m, "one", &input[0]), MBD_OK);
  assert_int_equal(mbd_measure_joint(m, "two", &input[1]), MBD_OK);
  output[0] = tip_measure(m, MBD_MEASURE_X), output[1] = tip_measure(m, MBD_MEASURE_ANGLE);
  double seed[3] = {0.3, 0.4, 0}, q[3 * MOST], y[2], z[2], G[4], H[4], v[3] = {0};
  seed[2] = asin(0.5 - sin(0.3) - sin(0.7)) - 0.7;
  int n;
  QUIET_VALUE(mbd_manipulator_options_default().step);
  QUIET_VALUE(mbd_manipulator_size(m, 2, 2));
  const size_t size = mbd_manipulator_size(m, 2, 2);
  void * memory = malloc(size);
  QUIET(
    mbd_manipulator_init(m, d, 2, input, 2, output, seed, NULL, memory, size, NULL, &manipulator));
  QUIET_VALUE(mbd_manipulator_class_name(MBD_MANIPULATOR_SERIAL));
  QUIET(mbd_manipulator_velocity(manipulator, d, seed, y, z, G, H));
  y[0] += 0.05, z[0] -= 0.05;
  QUIET(mbd_manipulator_forward(manipulator, d, y, seed, q, NULL, &r));
  assert_int_equal(r.outcome, MBD_MANIPULATOR_SOLVED);
  QUIET(mbd_manipulator_inverse(manipulator, d, z, seed, q, NULL, &r));
  assert_int_equal(r.outcome, MBD_MANIPULATOR_SOLVED);
  for (int k = 0; k < 2; k++) {
    QUIET(mbd_manipulator_solutions(manipulator, d, k == 0, k ? z : y, seed, MOST, q, &n));
    assert_true(n > 0);
  }
  QUIET(mbd_manipulator_monitor(manipulator, d, seed, &s));
  QUIET(mbd_manipulator_input_dynamics(manipulator, d, seed, v, G, y));
  QUIET(mbd_manipulator_output_dynamics(manipulator, d, seed, v, G, y));
  // out of reach: every restart
  z[0] = 9;
  QUIET(mbd_manipulator_inverse(manipulator, d, z, seed, q, NULL, &r));
  assert_int_equal(r.outcome, MBD_MANIPULATOR_UNREACHABLE);
  free(memory);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

static void
call_self_motion(void)
{
  mbd_model_t * m = planar_arm(3, false, false);
  mbd_data_t * d;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  const mbd_measure_t held[2] = {tip_measure(m, MBD_MEASURE_X), tip_measure(m, MBD_MEASURE_Y)};
  const mbd_capsule_t ball = {{9, 0, 0}, {9, 0, 0}, 1};
  mbd_shape_t shape = mbd_shape_default();
  shape.capsule.radius = 0.1;
  QUIET_VALUE(mbd_shape_default().frame);
  QUIET_VALUE(mbd_capsule_distance(&ball, &shape.capsule));
  QUIET_VALUE(mbd_self_motion_options_default().step);
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  options.nshape = options.nobstacle = 1, options.shape = &shape, options.obstacle = &ball;
  QUIET_VALUE(mbd_self_motion_size(m, 2));
  const size_t size = mbd_self_motion_size(m, 2);
  void * memory = malloc(size);
  mbd_self_motion_t * motion;
  mbd_self_motion_state_t state;
  mbd_clearance_t clearance;
  static double s[POINTS], points[3 * POINTS];
  static mbd_self_motion_arc_t arc[ARCS];
  int winding[3];
  mbd_self_motion_curve_t curve = {
    .most = POINTS, .most_arcs = ARCS, .s = s, .q = points, .arc = arc, .winding = winding};
  double q[3] = {0.3, 0.4, 0.5};
  QUIET(mbd_self_motion_init(m, 2, held, &options, memory, size, &motion));
  QUIET(mbd_self_motion_start(motion, d, NULL, q, &state));
  QUIET(mbd_self_motion_step(motion, d, 0.1, q, &state));
  QUIET(mbd_self_motion_avoid(motion, d, 0.1, 1, q, &state));
  QUIET(mbd_self_motion_trace(motion, d, &curve));
  assert_true(curve.n > 10);
  QUIET(mbd_clearance(m, d, 1, &shape, 1, &ball, &clearance));
  free(memory);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

static void
call_driven(void)
{
  mbd_model_t * m = planar_arm(2, true, true);
  mbd_data_t * d;
  mbd_driven_t * driven;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  QUIET_VALUE(mbd_driven_options_default().step);
  QUIET_VALUE(mbd_driven_size(m));
  const size_t size = mbd_driven_size(m);
  void * memory = malloc(size);
  const double guess[2] = {0.2, 0.1};
  QUIET(mbd_driven_init(m, NULL, memory, size, &driven));
  QUIET(mbd_driven_start(driven, d, 0, guess, NULL));
  QUIET(mbd_driven_to(driven, d, 1));
  QUIET_VALUE(mbd_driven_info(driven)->t);
  QUIET_VALUE(mbd_driven_type_name(MBD_DRIVEN_REGULAR));
  free(memory);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

void
call_manipulators(void)
{
  call_manipulator();
  call_self_motion();
  call_driven();
}
