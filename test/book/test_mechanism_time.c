// Mechanisms from files in time: trees against Cartesian coordinates, figures of the book, the balance of
// energy with springs and dampers.
#include "mechanism_file.h"
#include "reactions.h"

// to `time` in parts, with the reactions at the end of each
static void
run_parts(run_t * r, reactions_t * joints, bool cartesian, double time, int parts, double tolerance)
{
  for (int k = 1; k <= parts; k++) {
    assert_ok(mbd_simulation_run(r->sim, time * k / parts));
    same_reactions(joints, cartesian, r->sim, r->m->model, tolerance);
  }
}

// bars with springs after 10 s: Haug 5.4.1
static void
double_pendulum_with_springs(void ** state)
{
  (void)state;
  reactions_t joints = {0};
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    run_t r = run_file("double_pendulum_springs", (mbdx_coordinates_t)c, 0, 1e-11);
    run_parts(&r, &joints, c == MBDX_COORDINATES_CARTESIAN, 10, 5, 1e-6);
    const mbd_placement_t one = pose(&r, "upper"), two = pose(&r, "lower");
    near(atan2(one.R.m[3], one.R.m[0]), -0.891111652, 1e-8, "first bar");
    near(atan2(two.R.m[3], two.R.m[0]), -0.193705451, 1e-8, "second bar");
    balanced(&r, 1e-7);
    run_free(&r);
  }
  reactions_compared("pendulum, springs", &joints, 50);
}

// rods: same motion in both formulations, and the book's
static void
rods(void ** state)
{
  (void)state;
  reactions_t pendulum = {0}, crank = {0};
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    const bool cartesian = c == MBDX_COORDINATES_CARTESIAN;
    run_t r = run_file("double_pendulum_rod", (mbdx_coordinates_t)c, 0, 1e-11);
    run_parts(&r, &pendulum, cartesian, 4, 4, 1e-7);
    const mbd_placement_t X = pose(&r, "second");
    near(X.p.x, -0.237442468, 1e-8, "x of the second sphere");
    near(X.p.z, -2.533837046, 1e-8, "z of the second sphere");
    balanced(&r, 1e-8 * 375);
    run_free(&r);
    run_t s = run_file("slider_crank", (mbdx_coordinates_t)c, 0, 1e-11);
    run_parts(&s, &crank, cartesian, 1, 4, 1e-7);
    near(pose(&s, "slider").p.x, 3.070611781, 1e-7, "slider");
    balanced(&s, 1e-5);
    run_free(&s);
  }
  reactions_compared("pendulum, rod", &pendulum, 16);
  reactions_compared("slider-crank", &crank, 30);
}

// phi2 and x4 after 2.5 s: Haug 5.8.2, by energy
static void
quick_return(void ** state)
{
  (void)state;
  double x[2];
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) {
    run_t r =
      run_file("quick_return", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 0, 1e-11);
    run_parts(&r, &joints, c, 2.5, 5, 1e-7);
    x[c] = pose(&r, "cutter").p.x;
    balanced(&r, 1e-8 * 44223);
    run_free(&r);
  }
  reactions_compared("quick return", &joints, 100);
  near(x[0], -0.984706095, 1e-8, "cutter");
  near(x[1], x[0], 1e-8, "cutter in two formulations");
}

#define BARS                                                                                   \
  "gravity: [0, -9.8, 0]\n"                                                                    \
  "bodies:\n"                                                                                  \
  "  - {name: upper, mass: 1, inertia: [0.3, 0.3, 0.3]}\n"                                     \
  "  - {name: lower, mass: 1, inertia: [0.3, 0.3, 0.3]}\n"                                     \
  "joints:\n"                                                                                  \
  "  - {name: pivot, type: revolute, a: world, b: {link: upper, xyz: [-1, 0, 0]}}\n"           \
  "  - {name: elbow, type: revolute, a: {link: upper, xyz: [1, 0, 0]}, b: {link: lower, xyz: " \
  "[-1, 0, 0]}}\n"

// stiffness and damping 1e6 between the bars, by an implicit method: Jacobians of elements are right
static void
stiff_spring(void ** state)
{
  (void)state;
  run_t r = run_text(
    BARS
    "forces:\n  - {name: s, type: joint, joint: elbow, stiffness: 1e6, damping: 1e6}\n"
    "initial: {pivot: -1.5707963267948966, elbow: 0.01}\n",
    MBD_METHOD_SDIRK54, 2, 4e-10);
  const double half = acos(-1.0) / 2;
  const mbd_placement_t one = pose(&r, "upper"), two = pose(&r, "lower");
  near(atan2(one.R.m[3], one.R.m[0]) + half, -0.0025228227, 1e-8, "first bar");
  near(atan2(two.R.m[3], two.R.m[0]) + half, -0.0011694930, 1e-8, "second bar");
  assert_true(r.info->steps < 20000);
  balanced(&r, 1e-8 * 30);
  run_free(&r);
}

// the work of dampers is in the balance; energy falls
static void
dampers(void ** state)
{
  (void)state;
  run_t r = run_text(
    BARS
    "forces:\n"
    "  - {name: one, type: torsion, a: world, b: upper, stiffness: 20, damping: 10, rest: "
    "-1.5707963267948966}\n"
    "  - {name: two, type: torsion, a: upper, b: lower, stiffness: 20, damping: 10}\n"
    "initial: {pivot: -1.5707963267948966, elbow: {q: 0, v: 10}}\n",
    MBD_METHOD_RKF45, 2, 1e-11);
  const mbd_placement_t one = pose(&r, "upper"), two = pose(&r, "lower");
  near(atan2(one.R.m[3], one.R.m[0]), -2.089517772, 1e-8, "first bar");
  near(atan2(two.R.m[3], two.R.m[0]), -2.258495832, 1e-8, "second bar");
  assert_true(r.info->work < -10);
  balanced(&r, 1e-6);
  run_free(&r);
}

// a massless body in a loop is the rod that the book has instead, with both kinds of methods
static void
massless_bodies_in_loops(void ** state)
{
  (void)state;
  static const char * const text =
    "gravity: [0, -9.8, 0]\n"
    "bodies:\n"
    "  - {name: crank, mass: 1, inertia: [20, 20, 20]}\n"
    "  - {name: rod, mass: 0}\n"
    "  - {name: slider, mass: 20, inertia: [1, 1, 1], xyz: [3.5, 0, 0]}\n"
    "joints:\n"
    "  - {name: shaft, type: continuous, a: world, b: crank}\n"
    "  - {name: pin, type: revolute, a: {link: crank, xyz: [1.5, 0, 0]}, b: rod}\n"
    "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, axis: "
    "[1, 0, 0]}}\n"
    "  - {name: end, type: revolute, a: {link: rod, xyz: [2, 0, 0]}, b: slider}\n"
    "initial: {shaft: {q: 0, v: 10}, guide: 3.5}\n";
  static const mbd_method_t methods[2] = {MBD_METHOD_RKF45, MBD_METHOD_SDIRK54};
  for (int k = 0; k < 2; k++) {
    run_t r = run_text(text, methods[k], 1, 1e-10);
    near(pose(&r, "slider").p.x, 3.070611781, 1e-7, "slider");
    balanced(&r, 1e-8 * 1000);
    run_free(&r);
  }
}

#define ARM_AND_BALL                                                                           \
  "bodies:\n"                                                                                  \
  "  - {name: arm, mass: 2, com: [0.4, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"                     \
  "  - {name: ball, mass: 1, com: [0.05, 0.1, -0.2], inertia: [0.05, 0.04, 0.03], xyz: [1.2, " \
  "0, 0], velocity: [0, 0, -0.6], angular_velocity: [0, 0.5, 0]}\n"
#define LINK "  - {name: link, mass: 0}\n"
#define ARM                                                                                     \
  "joints:\n  - {name: pin, type: revolute, a: {link: world, axis: [0, 1, 0]}, b: {link: arm, " \
  "axis: [0, 1, 0]}}\n"
#define START   "initial: {pin: {q: 0, v: 0.5}"
#define AT_REST ", end: {q: [0, 0, 0, 1], v: [0, 0, 0]}}\n"

// closures in the place of massless links: Haug's composite joints, against trees that have the links
static void
composite_joints(void ** state)
{
  (void)state;
  static const char * const strut = ARM_AND_BALL ARM
    "closures:\n"
    "  - {name: s, type: strut, a: {link: arm, axis: [1, 0, 0]}, b: ball}\n" START "}\n";
  static const char * const sleeve = ARM_AND_BALL LINK ARM
    "  - {name: slide, type: prismatic, a: {link: arm, axis: [1, 0, 0]}, b: {link: link, axis: [1, "
    "0, 0]}}\n"
    "  - {name: end, type: spherical, a: link, b: ball}\n" START ", slide: {q: 1.2, v: 0}" AT_REST;
  static const char * const composite = ARM_AND_BALL ARM
    "closures:\n"
    "  - {name: l, type: revolute_spherical, distance: 0.5, a: {link: arm, xyz: [0.7, 0, 0], axis: "
    "[0, 1, 0]}, "
    "b: ball}\n" START "}\n";
  static const char * const hinged = ARM_AND_BALL LINK ARM
    "  - {name: hinge, type: revolute, a: {link: arm, xyz: [0.7, 0, 0], axis: [0, 1, 0]}, b: "
    "{link: link, "
    "axis: [0, 1, 0]}}\n"
    "  - {name: end, type: spherical, a: {link: link, xyz: [0.5, 0, 0]}, b: ball}\n" START
    ", hinge: {q: 0, v: 0}" AT_REST;
  const char * const text[2][2] = {{strut, sleeve}, {composite, hinged}};
  for (int k = 0; k < 2; k++) {
    mbd_placement_t X[2];
    for (int tree = 0; tree < 2; tree++) {
      run_t r = run_text(text[k][tree], MBD_METHOD_RKF45, 0.8, 1e-11);
      assert_int_equal(r.m->model->nclosure, tree ? 0 : 1 + k);
      assert_int_equal(r.info->n, 5);
      X[tree] = pose(&r, "ball");
      balanced(&r, 1e-8 * 20);
      run_free(&r);
    }
    assert_true(fabs(X[1].p.z) > 0.5);
    assert_close(&X[0].p.x, &X[1].p.x, 3, 1e-8, "place of the ball, joint %d", k);
    assert_close(X[0].R.m, X[1].R.m, 9, 1e-8, "orientation of the ball, joint %d", k);
  }
}

// A drawer is pulled beside its rail, with its mass between: friction m N at the rail turns it as the pull does, so that
// N (1 - 2 m c / span) = 2 (p - c) F / span. The condition number is what the bracket leaves; it jams where that is zero.
static void
condition_warns_of_jamming(void ** state)
{
  (void)state;
  static const double spans[4] = {0.07, 0.0601, 0.07, 0.059}, rates[4] = {1, 1, -1, 1};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(
      text, sizeof text,
      "gravity: [0, 0, 0]\n"
      "bodies:\n  - {name: drawer, mass: 1, com: [0, 0.1, 0], inertia: [1, 1, 1]}\n"
      "joints:\n  - {name: rail, type: prismatic, a: world, b: drawer}\n"
      "forces:\n  - {name: pull, type: wrench, a: world, b: {link: drawer, xyz: [0, 0.3, 0]}, "
      "force: [0, 0, 10]}\n"
      "bearings:\n  - {joint: rail, mu_static: 0.3, mu_dynamic: 0.3, span: %g}\n"
      "initial: {rail: {v: %g}}\n",
      spans[k], rates[k]);
    run_t r = {.m = load_mechanism_text(text, MBDX_COORDINATES_FILE)};
    assert_ok(mbd_simulation_create(r.m->model, NULL, &r.sim));
    assert_ok(mbd_set_terms(mbd_simulation_data(r.sim), MBD_TERM_ELEMENTS));
    const mbd_status_t status = mbd_simulation_start(r.sim, 0, r.m->q, r.m->v, NULL);
    const double bracket = 1 - rates[k] * 2 * 0.3 * 0.1 / spans[k];
    assert_int_equal(status, bracket > 0 ? MBD_OK : MBD_ERROR_NO_SOLUTION);
    if (status == MBD_OK) {
      const double is = mbd_simulation_info(r.sim)->condition;
      near(is, fmax(1, bracket) / bracket, 1e-6 * is, "condition number");
      near(mbd_simulation_info(r.sim)->load[0], 2 * 0.2 * 10 / spans[k] / bracket, 1e-3, "load");
    }
    run_free(&r);
  }
}

// friction that sticks at a millionth of a metre per second: explicit steps would cycle at their limit of stability
static void
sticking_is_stiff(void ** state)
{
  (void)state;
  static const char * const text =
    "bodies:\n"
    "  - {name: block, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  - {name: guide, type: prismatic, a: world, b: block}\n"
    "bearings:\n"
    "  - {joint: guide, mu_static: 1.5, mu_dynamic: 1.2, preload: 100, velocity: 1e-6}\n"
    "initial: {guide: {q: 0, v: 5}}\n";
  run_t r = run_text(text, MBD_METHOD_AUTO, 0, 1e-8);
  for (int k = 0; k < 1000 && r.info->t < 1; k++) assert_ok(mbd_simulation_step(r.sim, 1));
  near(r.info->t, 1, 0, "time after 1000 steps");
  assert_int_equal(r.info->method, MBD_METHOD_SDIRK54);
  // weight and dynamic friction of 120 N slow it down
  near(r.info->q[0], 5 * 5 / (2 * 129.81), 1e-5, "way");
  balanced(&r, 1e-8 * 12.5);
  run_free(&r);
}

// a driver and a force of a joint, in the tree and with the other bodies free
static void
drivers_and_joint_forces(void ** state)
{
  (void)state;
  static const char * const text = BARS
    "  - {name: end, type: revolute, a: {link: lower, xyz: [1, 0, 0]}, b: tail}\n"
    "forces:\n  - {name: s, type: joint, joint: end, stiffness: 30, damping: 1, rest: 0.5}\n"
    "drivers:\n  - {name: d, joint: elbow, value: 0.3, sine: {amplitude: 0.7, frequency: 0.5}}\n"
    "initial: {pivot: {q: -1, v: 0.2}, end: {q: 0.1, v: -0.4}}\n";
  char with_tail[2000];
  const char * joints = strstr(text, "joints:");
  snprintf(
    with_tail, sizeof with_tail,
    "%.*s  - {name: tail, mass: 0.5, com: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n%s",
    (int)(joints - text), text, joints);
  mbd_placement_t X[2][3];
  static const char * const links[3] = {"upper", "lower", "tail"};
  reactions_t all = {0};
  for (int c = 0; c < 2; c++) {
    run_t r = start(
      load_mechanism_text(with_tail, c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE),
      MBD_METHOD_RKF45, 1e-11);
    assert_int_equal(r.m->model->nv, c ? 8 : 3);
    assert_int_equal(r.m->mobility, 2);
    run_parts(&r, &all, c, 2.3, 4, 1e-6);
    for (int k = 0; k < 3; k++) X[c][k] = pose(&r, links[k]);
    balanced(&r, 1e-7);
    run_free(&r);
  }
  reactions_compared("driver, joint force", &all, 30);
  const double turned =
    atan2(X[0][1].R.m[3], X[0][1].R.m[0]) - atan2(X[0][0].R.m[3], X[0][0].R.m[0]);
  near(sin(turned - 0.3 - 0.7 * sin(acos(-1.0) * 2.3)), 0, 1e-9, "driver");
  for (int k = 0; k < 3; k++) {
    near(X[1][k].p.x, X[0][k].p.x, 1e-8, links[k]);
    near(X[1][k].p.y, X[0][k].p.y, 1e-8, links[k]);
    near(X[1][k].R.m[3], X[0][k].R.m[3], 1e-8, links[k]);
  }
}

// steps with a dwell: their figures, and a simulation over all of them
static void
drivers_with_steps(void ** state)
{
  (void)state;
  static const char * const text = BARS
    "drivers:\n  - {name: d, joint: elbow, steps: [[0.5, 0.2], [1.5, 1.2], [2, 1.2], [3, -0.4]]}\n"
    "initial: {pivot: {q: -1, v: 0.2}}\n";
  mbd_placement_t X[2];
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) {
    run_t r = start(
      load_mechanism_text(text, c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE),
      MBD_METHOD_RKF45, 1e-11);
    int d;
    assert_ok(mbd_find_closure(r.m->model, "d", &d));
    const mbd_driver_t * driver = &r.m->model->closure[d].driver;
    // half way at half time, where the rate is 15/8 of the mean; largest acceleration 10 / sqrt(3)
    const double early = 0.5 - sqrt(3) / 6, peak = 10 / sqrt(3);
    const double figure[][4] = {
      {-1, 0.2, 0, 0},
      {0.5, 0.2, 0, 0},
      {1, 0.7, 1.875, 0},
      {1.5, 1.2, 0, 0},
      {1.7, 1.2, 0, 0},
      {2, 1.2, 0, 0},
      {2.5, 0.4, -3, 0},
      {3, -0.4, 0, 0},
      {2 + early, NAN, NAN, -1.6 * peak},
      {0.5 + early, NAN, NAN, peak},
      {5, -0.4, 0, 0}};
    for (size_t k = 0; k < sizeof figure / sizeof *figure; k++) {
      double x[3];
      driver->at(driver->ctx, figure[k][0], &x[0], &x[1], &x[2]);
      for (int i = 0; i < 3; i++)
        if (!isnan(figure[k][1 + i])) near(x[i], figure[k][1 + i], 1e-14, "step");
    }
    for (double t = 0.51; t < 3; t += 0.02) {
      double x[2], v[2], a[2], middle[3];
      for (int i = 0; i < 2; i++)
        driver->at(driver->ctx, t + (2 * i - 1) * 1e-6, &x[i], &v[i], &a[i]);
      driver->at(driver->ctx, t, &middle[0], &middle[1], &middle[2]);
      near((x[1] - x[0]) / 2e-6, middle[1], 1e-8, "rate");
      near((v[1] - v[0]) / 2e-6, middle[2], 1e-8, "acceleration");
    }
    run_parts(&r, &joints, c, 3.5, 5, 1e-6);
    X[c] = pose(&r, "lower");
    balanced(&r, 1e-7);
    run_free(&r);
  }
  reactions_compared("driver, steps", &joints, 30);
  near(X[1].p.x, X[0].p.x, 1e-8, "x");
  near(X[1].p.y, X[0].p.y, 1e-8, "y");
}

// bearings in both formulations: Haug 8.8.2
static void
bearings(void ** state)
{
  (void)state;
  // the kinks of loads that change their sign (test_chapter_8, layouts_move_alike)
  reactions_t joints = {.motion = 1e-5};
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    // short steps for the kinks of friction
    run_t r = {.m = load_mechanism("slider_crank_bearings", (mbdx_coordinates_t)c)};
    mbd_simulation_options_t options = mbd_simulation_options_default();
    options.ode.rtol = options.ode.atol = 1e-9, options.ode.step_max = 5e-4;
    assert_ok(mbd_simulation_create(r.m->model, &options, &r.sim));
    assert_ok(mbd_simulation_start(r.sim, 0, r.m->q, r.m->v, NULL));
    r.info = mbd_simulation_info(r.sim);
    run_parts(&r, &joints, c == MBDX_COORDINATES_CARTESIAN, 0.5, 5, 2e-5);
    near(1 - r.info->energy / r.info->energy_start, 0.7099128, 1e-5, "loss");
    balanced(&r, 1e-8 * 25000);
    run_free(&r);
  }
  reactions_compared("slider-crank, bearings", &joints, 30);
}

// the platform of the delta robot is where spheres about the elbows meet, less the offsets of the rods
static void
delta(void ** state)
{
  (void)state;
  double position[2][3];
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) {
    run_t r = run_file("delta", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 0, 1e-10);
    run_parts(&r, &joints, c, 0.7, 4, 1e-6);
    static const char * const arms[3] = {"arm_1", "arm_2", "arm_3"};
    const mbd_placement_t P = pose(&r, "platform");
    assert_int_equal(r.info->n, 3);
    for (int k = 0; k < 3; k++) {
      const mbd_placement_t X = pose(&r, arms[k]);
      const double angle = 2 * acos(-1.0) / 3 * k, turned = -asin(X.R.m[6]);
      // elbow from the angle of the arm alone, downwards
      const double reach = 0.2 + 0.35 * cos(turned) - 0.05;
      const double d[3] = {
        reach * cos(angle) - P.p.x, reach * sin(angle) - P.p.y, -0.35 * sin(turned) - P.p.z};
      near(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 0.8, 1e-10, arms[k]);
    }
    // rods in pairs keep it level
    for (int k = 0; k < 9; k++) near(P.R.m[k], k % 4 == 0, 1e-10, "orientation");
    position[c][0] = P.p.x, position[c][1] = P.p.y, position[c][2] = P.p.z;
    assert_true(fabs(P.p.x) > 0.02 && P.p.z < -0.75);
    balanced(&r, 1e-8 * 73);
    run_free(&r);
  }
  for (int k = 0; k < 3; k++) near(position[1][k], position[0][k], 1e-8, "platform");
  reactions_compared("delta", &joints, 100);
}

// its platform on six legs with springs falls a little and turns; both layouts
static void
stewart(void ** state)
{
  (void)state;
  reactions_t joints = {0};
  mbd_placement_t X[2];
  for (int c = 0; c < 2; c++) {
    run_t r = run_file("stewart", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 0, 1e-10);
    assert_int_equal(r.info->n, 6);
    run_parts(&r, &joints, c, 0.5, 4, 1e-6);
    X[c] = pose(&r, "platform");
    balanced(&r, 1e-8 * r.info->energy_start);
    run_free(&r);
  }
  assert_close(&X[1].p.x, &X[0].p.x, 3, 1e-8, "platform");
  reactions_compared("stewart", &joints, 20);
}

// the boom of the loader is where the length of its driven cylinder puts it: a triangle
static void
loader(void ** state)
{
  (void)state;
  double bucket[2][2];
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) {
    run_t r = run_file("loader", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 0, 1e-9);
    run_parts(&r, &joints, c, 2.5, 4, 1e-5);
    const double side = hypot(0.35, 0.95), arm = hypot(1.1288, 0.7501);
    const double angle_at_0 = atan2(-0.95, 0.35), arm_at_0 = atan2(-0.7501, 1.1288);
    const double length = 1.104046 - 0.3 * cos(2 * acos(-1.0) * 0.125 * 2.5);
    const double between = acos((side * side + arm * arm - length * length) / (2 * side * arm));
    const mbd_placement_t X = pose(&r, "boom"), B = pose(&r, "bucket");
    near(atan2(X.R.m[6], X.R.m[0]), angle_at_0 + between - arm_at_0, 1e-6, "boom");
    bucket[c][0] = B.p.z, bucket[c][1] = atan2(B.R.m[6], B.R.m[0]);
    // parallel lift: the bucket turns by less than the boom
    assert_true(B.p.z > 1.5 && fabs(bucket[c][1]) < 0.5 * fabs(atan2(X.R.m[6], X.R.m[0])));
    balanced(&r, 1e-8 * 66000);
    run_free(&r);
  }
  for (int k = 0; k < 2; k++) near(bucket[1][k], bucket[0][k], 1e-8, "bucket");
  reactions_compared("loader", &joints, 80);
}

#define DISK                                                                                     \
  "gravity: [0, 0, 0]\n"                                                                         \
  "bodies:\n"                                                                                    \
  "  - {name: disk, mass: 10, inertia: [10, 10, 10]}\n"                                          \
  "  - {name: body, mass: 5, inertia: [5, 5, 5], xyz: [1, 0, 0]}\n"                              \
  "forces:\n"                                                                                    \
  "  - {name: s, type: spring, a: {link: disk, xyz: [1, 10, 0]}, b: body, stiffness: 10, rest: " \
  "10.1}\n"                                                                                      \
  "joints:\n"                                                                                    \
  "  - {name: shaft, type: continuous, a: world, b: disk}\n"
#define COEFFICIENTS "mu_static: 0.08, mu_dynamic: 0.07, velocity: 0.02, smoothing: 0.02, "
#define SHAFT        "bearings:\n  - {joint: shaft, " COEFFICIENTS "radius: 0.1}\n"

// points of contact on the disk, from either side of the joint: Haug 8.8.5
static void
sides_of_bearings(void ** state)
{
  (void)state;
  static const char * const text[4] = {
    DISK
    "  - {name: slot, type: prismatic, a: {link: disk, xyz: [1, 0, 0], axis: [0, 1, 0]}, b: {link: "
    "body, axis: [0, 1, 0]}}\n" SHAFT "  - {joint: slot, " COEFFICIENTS
    "span: 0.1, key: 0.1, side: a}\n",
    DISK
    "  - {name: slot, type: prismatic, b: {link: disk, xyz: [1, 0, 0], axis: [0, 1, 0]}, a: {link: "
    "body, axis: [0, 1, 0]}}\n" SHAFT "  - {joint: slot, " COEFFICIENTS
    "span: 0.1, key: 0.1, side: b}\n",
    // z the other way
    DISK
    "  - {name: slot, type: prismatic, a: {link: disk, xyz: [1, 0, 0], axis: [0, -1, 0]}, b: "
    "{link: body, axis: [0, -1, 0]}}\n" SHAFT "  - {joint: slot, " COEFFICIENTS
    "span: 0.1, offset: -0.1, side: a}\n",
    DISK
    "  - {name: slot, type: prismatic, b: {link: disk, xyz: [1, 0, 0], axis: [0, -1, 0]}, a: "
    "{link: body, axis: [0, -1, 0]}}\ncoordinates: cartesian\n" SHAFT
    "  - {joint: slot, " COEFFICIENTS "span: 0.1, offset: -0.1}\n"};
  for (int k = 0; k < 4; k++) {
    run_t r = run_text(text[k], MBD_METHOD_RKF45, 10, 1e-10);
    near(-r.info->work / 0.05, 0.996615, 2e-6, "loss");
    balanced(&r, 1e-8 * 0.05);
    run_free(&r);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(double_pendulum_with_springs),
    cmocka_unit_test(rods),
    cmocka_unit_test(quick_return),
    cmocka_unit_test(stiff_spring),
    cmocka_unit_test(dampers),
    cmocka_unit_test(massless_bodies_in_loops),
    cmocka_unit_test(composite_joints),
    cmocka_unit_test(condition_warns_of_jamming),
    cmocka_unit_test(sticking_is_stiff),
    cmocka_unit_test(drivers_and_joint_forces),
    cmocka_unit_test(drivers_with_steps),
    cmocka_unit_test(bearings),
    cmocka_unit_test(delta),
    cmocka_unit_test(stewart),
    cmocka_unit_test(loader),
    cmocka_unit_test(sides_of_bearings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
