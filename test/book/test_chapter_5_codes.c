// Haug, chapter 5: examples of the codes 5.7 and 5.9 with one-sided springs, with a table of methods that fail, or
// without a closed form, as trees and in Cartesian coordinates. References: redundant coordinates as equations of
// index 1 (dae_reference.h), which share no code with the library; the slider-crank by its energy.
#include "dae_reference.h"
#include "mechanism_file.h"
#include "reactions.h"

static const double O[3] = {0, 0, 0}, UX[3] = {1, 0, 0}, UY[3] = {0, 1, 0};

static dae_result_t
reference(const dae_system_t * s, const double * q, const double * qd, double end, double atol)
{
  const dae_options_t o = {.method = DAE_RKFN45, .index = 1, .atol = atol, .h = 1e-4, .hmax = 1e-3};
  const dae_result_t r = dae_integrate(s, &o, q, qd, end, NULL, NULL);
  assert_int_equal(r.end, DAE_DONE);
  if (!(r.position < 1e-7)) print_error("reference: rows %.1e at %g s\n", r.position, end);
  assert_true(r.position < 1e-7);
  return r;
}

//---------- 5.8.1: double pendulum with a one-sided spring ----------

typedef struct stiff {
  double k, c;
} stiff_t;

static void
bar_springs(const void * ctx, const double * q, const double * qd, double * Q)
{
  const stiff_t * p = ctx;
  const double torque = p->k * (q[5] - q[2]) + p->c * (qd[5] - qd[2]);
  const double x = -1 - q[0], y = -1 - q[1], l = hypot(x, y), f = p->k * fmin(l - 1, 0);
  Q[0] += f * x / l, Q[1] += f * y / l, Q[2] += torque, Q[5] -= torque;
}

static mbdx_mechanism_t *
bars(double k, double c, mbdx_coordinates_t coordinates)
{
  char text[2048];
  snprintf(
    text, sizeof text,
    "gravity: [0, -9.8, 0]\n"
    "bodies:\n"
    "  - {name: upper, mass: 1, inertia: [0.3, 0.3, 0.3], xyz: [1, 0, 0]}\n"
    "  - {name: lower, mass: 1, inertia: [0.3, 0.3, 0.3], xyz: [3, 0, 0]}\n"
    "joints:\n"
    "  - {name: pivot, type: continuous, a: world, b: {link: upper, xyz: [-1, 0, 0]}}\n"
    "  - {name: elbow, type: continuous, a: {link: upper, xyz: [1, 0, 0]}, b: {link: lower, xyz: "
    "[-1, 0, 0]}}\n"
    "forces:\n"
    "  - {name: stop, type: spring, a: upper, b: {link: world, xyz: [-1, -1, 0]}, stiffness: %g, "
    "rest: 1, one_sided: push}\n"
    "  - {name: between, type: torsion, a: upper, b: lower, stiffness: %g, damping: %g}\n",
    k, k, c);
  return load_mechanism_text(text, coordinates);
}

static double
angle(mbd_placement_t X)
{
  return atan2(X.R.m[3], X.R.m[0]);
}

// both angles, with impacts
static void
bars_strike_a_spring(void ** state)
{
  (void)state;
  const double left[3] = {-1, 0, 0}, q[6] = {1, 0, 0, 3, 0, 0}, qd[6] = {0};
  // the second with the data of the file, to the end of its first impact
  static const stiff_t data[2] = {{1e4, 1e3}, {1e5, 1e4}};
  static const double end[2] = {2, 1.1};
  reactions_t joints = {0};
  for (int k = 0; k < 2; k++) {
    dae_system_t s = {
      .planar = true, .gravity = {0, -9.8, 0}, .force = bar_springs, .ctx = &data[k]};
    dae_body(&s, 1, 0, 0, 0.3), dae_body(&s, 1, 0, 0, 0.3);
    dae_points_meet(&s, 0, left, DAE_GROUND, O, 2);
    dae_points_meet(&s, 0, UX, 1, left, 2);
    const dae_result_t want = reference(&s, q, qd, end[k], 1e-10);
    print_message(
      "5.8.1 K = %g: first bar at %.6f rad, %.4f rad/s\n", data[k].k, want.q[2], want.qd[2]);
    for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
      mbdx_mechanism_t * m = k == 0 ? bars(1e4, 1e3, (mbdx_coordinates_t)c)
                                    : load_mechanism("double_pendulum_stop", (mbdx_coordinates_t)c);
      run_t r = start(m, k == 0 ? MBD_METHOD_RKF45 : MBD_METHOD_SDIRK54, 4e-10);
      for (int part = 1; part <= 4; part++) {
        assert_ok(mbd_simulation_run(r.sim, end[k] * part / 4));
        same_reactions(&joints, c == MBDX_COORDINATES_CARTESIAN, r.sim, m->model, 1e-6);
      }
      near(angle(pose(&r, "upper")), want.q[2], 1e-7, "angle of the first bar");
      near(angle(pose(&r, "lower")), want.q[5], 1e-7, "angle of the second bar");
      balanced(&r, 1e-8 * 30);
      run_free(&r);
    }
  }
  reactions_compared("5.8.1", &joints, 32);
}

// Table 5.8.1: mean steps at a tolerance of 1e-5 and at most 1 ms, in 0.5 s (rkf45) or 1 s of the book's 10 s
static void
table_of_methods(void ** state)
{
  (void)state;
  static const mbd_method_t methods[3] = {
    MBD_METHOD_RKF45, MBD_METHOD_TRAPEZOIDAL, MBD_METHOD_SDIRK54};
  // 0: fails
  static const double book[3][5] = {
    {8.5e-4, 8.6e-5, 0, 0, 0},
    {9.9e-4, 9.6e-4, 9.3e-4, 6.1e-4, 0},
    {9.9e-4, 9.9e-4, 9.9e-4, 9.9e-4, 9.8e-4}};
  int compared = 0;
  for (int m = 0; m < 3; m++)
    for (int k = 0; k < 5; k++) {
      const double K = pow(10, 4 + k);
      const bool explicit_fails = book[m][k] == 0 && m == 0;
      mbd_simulation_options_t options = mbd_simulation_options_default();
      options.ode.method = methods[m], options.ode.rtol = options.ode.atol = 1e-5;
      options.ode.step_max = 1e-3;
      mbdx_mechanism_t * b = bars(K, K / 10, MBDX_COORDINATES_CARTESIAN);
      mbd_simulation_t * sim;
      assert_ok(mbd_simulation_create(b->model, &options, &sim));
      assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
      assert_ok(mbd_simulation_start(sim, 0, b->q, b->v, NULL));
      assert_ok(mbd_simulation_run(sim, explicit_fails ? 2e4 / K : m == 0 ? 0.5 : 1));
      const mbd_simulation_info_t * i = mbd_simulation_info(sim);
      const double step = i->t / (double)i->steps;
      print_message(
        "5.8.1 K = 1e%d %-11s mean step %.2e s (book %.1e); rows %.0e %.0e %.0e\n", 4 + k,
        mbd_method_name(methods[m]), step, book[m][k], i->error_position, i->error_velocity,
        i->error_acceleration);
      // the explicit method fails by its steps of 1 / K, and says so
      if (explicit_fails)
        assert_true(i->stiff && step < 1.2e1 / K);
      else if (book[m][k] > 0)
        assert_true(step > book[m][k] / 1.3 && step < book[m][k] * 1.7), compared++;
      assert_true(i->error_position < 1e-12 && i->error_velocity < 1e-12);
      // of accelerations of K / 10
      assert_true(i->error_acceleration < 1e-12 * fmax(100, K / 10));
      mbd_simulation_destroy(sim);
      mbdx_mechanism_free(b);
    }
  assert_int_equal(compared, 11);
}

//---------- 5.8.4: three bodies on axes ----------

typedef struct sliders {
  double k1, k2, c2, k3;
} sliders_t;

static void
slider_springs(const void * ctx, const double * q, const double * qd, double * Q)
{
  const sliders_t * p = ctx;
  const double between = p->k2 * (q[6] - q[3] - 1) + p->c2 * (qd[6] - qd[3]);
  Q[1] -= p->k1 * q[1];
  Q[3] += between, Q[6] -= between;
  Q[6] -= p->k3 * fmax(q[6] - 5.9, 0);
}

static double
place(const run_t * r, int k)
{
  static const char * const link[] = {"one", "two", "three"};
  const mbd_vec3_t p = pose(r, link[k]).p;
  return k == 0 ? p.y : p.x;
}

// the data of the file, or K1 = K2 = 10 without damper and stop
static mbdx_mechanism_t *
sliders(bool listing, mbdx_coordinates_t coordinates)
{
  static const char path[] = FOLDER "three_sliders.mechanism.yaml";
  char text[4096];
  mbdx_mechanism_options_t load = mbdx_mechanism_options_default();
  mbdx_mechanism_t * m;
  load.coordinates = coordinates;
  if (listing) {
    assert_ok(mbdx_mechanism_load_file(path, &load, &m, NULL));
    return m;
  }
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char * forces = strstr(text, "forces:");
  assert_non_null(forces);
  snprintf(
    forces, sizeof text - (size_t)(forces - text),
    "forces:\n"
    "  - {name: spring_1, type: spring, a: one, b: {link: world, xyz: [0, -10, 0]}, stiffness: "
    "10, rest: 10}\n"
    "  - {name: spring_2, type: spring, a: two, b: {link: three, xyz: [10, 0, 0]}, stiffness: "
    "10, rest: 11}\n");
  assert_ok(mbdx_mechanism_load_string(text, strlen(text), "text", &load, &m, NULL));
  return m;
}

// K1 = K2 = 10 without stop, by every method; and the data of the listing, with 17 impacts in 5 s
static void
three_sliders(void ** state)
{
  (void)state;
  static const sliders_t cases[2] = {{10, 10, 0, 0}, {200, 1000, 100, 1e5}};
  reactions_t joints = {0};
  const double a = 5 / sqrt(2), q[9] = {0, a, 0, a, 0, 0, a + 1, 0, 0}, qd[9] = {0};
  for (int k = 0; k < 2; k++) {
    dae_system_t s = {
      .planar = true, .gravity = {0, -9.8, 0}, .force = slider_springs, .ctx = &cases[k]};
    dae_body(&s, 5, 0, 0, 1), dae_body(&s, 2, 0, 0, 1), dae_body(&s, 2, 0, 0, 1);
    dae_normal_to_line(&s, 0, O, UX, DAE_GROUND, O), dae_normal(&s, 0, UX, DAE_GROUND, UY);
    for (int i = 1; i < 3; i++) {
      dae_normal_to_line(&s, i, O, UY, DAE_GROUND, O);
      dae_normal(&s, i, UY, DAE_GROUND, UX);
    }
    dae_distance(&s, 0, O, 1, O, 5);
    static const double times[2] = {1, 5};
    dae_result_t want[2];
    want[0] = reference(&s, q, qd, times[0], 1e-11);
    want[1] = reference(&s, want[0].q, want[0].qd, times[1] - times[0], 1e-11);
    for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++)
      for (int m = 0; m < (k == 0 ? MBD_METHODS : 1); m++) {
        mbdx_mechanism_t * mechanism = sliders(k == 1, (mbdx_coordinates_t)c);
        mbd_simulation_options_t options = mbd_simulation_options_default();
        options.ode.method = (mbd_method_t)m, options.ode.step = 1e-3;
        options.ode.rtol = options.ode.atol = m == MBD_METHOD_RKF45 ? 1e-11 : 1e-10;
        options.ode.fixed = m == MBD_METHOD_TRAPEZOIDAL || m == MBD_METHOD_HHT;
        run_t r = {.m = mechanism};
        assert_ok(mbd_simulation_create(mechanism->model, &options, &r.sim));
        assert_ok(mbd_set_terms(mbd_simulation_data(r.sim), MBD_TERM_ELEMENTS));
        assert_ok(mbd_simulation_start(r.sim, 0, mechanism->q, mechanism->v, NULL));
        r.info = mbd_simulation_info(r.sim);
        const double off = m == MBD_METHOD_RKF45           ? 1e-7
                           : m == MBD_METHOD_SEMI_IMPLICIT ? 0.05
                           : options.ode.fixed             ? 1e-4
                                                           : 1e-5;
        for (int j = 0; j < (m == MBD_METHOD_RKF45 ? 6 : 3); j++) {
          const int t = j / 3, i = j % 3;
          if (i == 0) assert_ok(mbd_simulation_run(r.sim, times[t]));
          char what[64];
          snprintf(
            what, sizeof what, "5.8.4 %s, body %d at %g s", mbd_method_name((mbd_method_t)m), i + 1,
            times[t]);
          near(place(&r, i), want[t].q[3 * i + (i == 0)], off, what);
          if (m == MBD_METHOD_RKF45 && i == 2)
            same_reactions(&joints, c == MBDX_COORDINATES_CARTESIAN, r.sim, mechanism->model, 1e-6);
        }
        // steps of 1 ms are too long for the methods of first and second order
        if (!options.ode.fixed && m != MBD_METHOD_SEMI_IMPLICIT) balanced(&r, 1e-8 * 236);
        run_free(&r);
      }
  }
  reactions_compared("5.8.4", &joints, 32);
}

//---------- 5.10.2: top on a bar ----------

static void
top_on_a_bar(void ** state)
{
  (void)state;
  const double tip[3] = {0, 0, -1}, q[7] = {0, 0, 0, 1, 0, 0, 0};
  const double qd[7] = {0, -0.1, 0, 0, 0.05, 0, 7};
  dae_system_t s = {.gravity = {0, 0, -9.8}};
  dae_body(&s, 30, 90, 90, 30);
  dae_distance(&s, DAE_GROUND, O, 0, tip, 1);
  dae_normalise(&s);
  const dae_result_t want = reference(&s, q, qd, 10, 1e-12);
  // a tree with the bar as a massless body, and the file, whose closure is the bar
  static const char tree[] =
    "gravity: [0, 0, -9.8]\n"
    "bodies:\n"
    "  - {name: rod, mass: 0}\n"
    "  - {name: top, mass: 30, com: [0, 0, 1], inertia: [90, 90, 30], xyz: [0, 0, -1], "
    "angular_velocity: [0.1, 0, 14]}\n"
    "joints:\n"
    "  - {name: hook, type: universal, a: world, b: rod}\n"
    "  - {name: bar, type: spherical, a: {link: rod, xyz: [0, 0, -1]}, b: top}\n";
  reactions_t joints = {0};
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    run_t r = c == MBDX_COORDINATES_TREE
                ? start(load_mechanism_text(tree, MBDX_COORDINATES_FILE), MBD_METHOD_RKF45, 1e-11)
                : run_file("top_on_bar", MBDX_COORDINATES_CARTESIAN, 0, 1e-11);
    assert_int_equal(r.m->model->nclosure, c == MBDX_COORDINATES_CARTESIAN);
    for (int part = 1; part <= 4; part++) {
      assert_ok(mbd_simulation_run(r.sim, 2.5 * part));
      same_reactions(&joints, c == MBDX_COORDINATES_CARTESIAN, r.sim, r.m->model, 1e-7);
    }
    const mbd_placement_t X = pose(&r, "top");
    const mbd_vec3_t centre = mbdu_vec3_add(X.p, mbdu_mat3_vec(&X.R, mbdu_vec3(0, 0, 1)));
    near(centre.x, want.q[0], 1e-7, "x of the centre");
    near(centre.y, want.q[1], 1e-7, "y of the centre");
    near(centre.z, want.q[2], 1e-7, "z of the centre");
    near(r.info->energy_start, 15 * (14.0 * 14 + 0.01 * 4), 1e-9, "energy");
    balanced(&r, 1e-8 * 3000);
    run_free(&r);
  }
  reactions_compared("5.10.2", &joints, 12);
}

// It stands from 12.949 rad/s on: all roots of (J3 w n - J n^2)(g / l - n^2) = m g^2 are real. The book: about 13.5.
static void
top_on_a_bar_stands(void ** state)
{
  (void)state;
  double tilt[2];
  for (int k = 0; k < 2; k++) {
    mbdx_mechanism_t * m;
    assert_ok(mbdx_mechanism_load_file(FOLDER "top_on_bar.mechanism.yaml", NULL, &m, NULL));
    m->v[3] = m->v[4] = 1e-9, m->v[5] = k ? 13.1 : 12.8;
    run_t r = start(m, MBD_METHOD_NYSTROM4, 1e-9);
    assert_ok(mbd_simulation_run(r.sim, 25));
    const mbd_placement_t X = pose(&r, "top");
    tilt[k] = hypot(X.R.m[2], X.R.m[5]);
    print_message("5.10.2 at %g rad/s: tilt %.1e after 25 s\n", k ? 13.1 : 12.8, tilt[k]);
    balanced(&r, 1e-8 * 2700);
    run_free(&r);
  }
  assert_true(tilt[0] > 20 * tilt[1] && tilt[1] < 1e-8);
}

//---------- 5.10.5: spatial slider-crank ----------

// By energy: J w^2 + m2 x'(a)^2 w^2 is constant; the time of an angle by quadrature.
static double
slope_of_slider(double a, double d)
{
  // the end of the crank: (0, 0.1 - 0.08 sin a, 0.12 + 0.08 cos a); of the slider: (x, 0, 0.02)
  const double y = 0.1 - 0.08 * sin(a), z = 0.1 + 0.08 * cos(a);
  return (0.08 * cos(a) * y + 0.08 * sin(a) * z) / sqrt(d * d - y * y - z * z);
}

static double
speed_of_crank(double a, double w0, double d)
{
  const double x = slope_of_slider(a, d), x0 = slope_of_slider(0, d);
  return w0 * sqrt((0.2 + 5 * x0 * x0) / (0.2 + 5 * x * x));
}

static void
spatial_slider_crank(void ** state)
{
  (void)state;
  static const double cases[3][2] = {{0.24, 4}, {0.3, 4}, {0.23, 120}};
  reactions_t joints = {0};
  for (int k = 0; k < 3; k++)
    for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
      const double d = cases[k][0], w0 = cases[k][1], two_pi = 2 * acos(-1.0);
      // two turns: a period by the trapezoidal rule, which is exact to rounding for periodic functions
      double period = 0;
      for (int i = 0; i < 20000; i++)
        period += two_pi / 20000 / speed_of_crank(two_pi * i / 20000, w0, d);
      char text[2048];
      snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.8]\n"
        "bodies:\n"
        "  - {name: crank, mass: 0.5, inertia: [0.2, 0.2, 0.2], xyz: [0, 0.1, 0.12], "
        "angular_velocity: [%.17g, 0, 0]}\n"
        "  - {name: slider, mass: 5, inertia: [0.2, 0.2, 0.2], xyz: [%.17g, 0, 0], velocity: "
        "[%.17g, 0, 0]}\n"
        "joints:\n"
        "  - {name: shaft, type: continuous, a: {link: world, xyz: [0, 0.1, 0.12], axis: [1, 0, "
        "0]}, b: {link: crank, axis: [1, 0, 0]}}\n"
        "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, "
        "axis: [1, 0, 0]}}\n"
        "closures:\n"
        "  - {name: rod, type: distance, distance: %g, a: {link: crank, xyz: [0, 0, 0.08]}, b: "
        "{link: slider, xyz: [0, 0, 0.02]}}\n",
        w0, sqrt(d * d - 0.0424), slope_of_slider(0, d) * w0, d);
      // the first as in the file
      run_t r =
        k == 0 ? run_file("spatial_slider_crank", (mbdx_coordinates_t)c, 0, 1e-11)
               : start(load_mechanism_text(text, (mbdx_coordinates_t)c), MBD_METHOD_RKF45, 1e-11);
      near(
        r.info->energy, 0.1 * w0 * w0 + 2.5 * pow(slope_of_slider(0, d) * w0, 2) + 0.5 * 9.8 * 0.12,
        1e-6 * w0, "energy");
      for (int part = 1; part <= 4; part++) {
        assert_ok(mbd_simulation_run(r.sim, period * part / 2));
        same_reactions(&joints, c == MBDX_COORDINATES_CARTESIAN, r.sim, r.m->model, 1e-6);
      }
      const mbd_placement_t X = pose(&r, "crank"), Y = pose(&r, "slider");
      char what[64];
      snprintf(what, sizeof what, "5.10.5 d = %g at %g rad/s", d, w0);
      print_message(
        "%s: period %.9f s, off by %.1e rad\n", what, period, atan2(X.R.m[7], X.R.m[4]));
      near(atan2(X.R.m[7], X.R.m[4]), 0, 1e-7, what);
      near(Y.p.x, sqrt(d * d - 0.0424), 1e-7, what);
      balanced(&r, 1e-8 * r.info->energy_start);
      run_free(&r);
    }
  reactions_compared("5.10.5", &joints, 120);
}

//---------- 5.10.3: spatial double pendulum, rod of length 1 + sin(t) / 2 ----------

// By hand, in the x-z plane where it stays: angle of the first sphere, place and angle of the second.
static void
driven_rates(double t, const double y[8], double rate[8])
{
  const double s1 = sin(y[0]), c1 = cos(y[0]), s2 = sin(y[3]), c2 = cos(y[3]);
  const double w1 = y[4], w2 = y[7], d = 1 + 0.5 * sin(t), dd = 0.5 * cos(t), ddd = -0.5 * sin(t);
  // between the ends of the rod, and its rate
  const double ex = y[1] + s2 + s1, ez = y[2] + c2 + c1;
  const double vx = y[5] + c2 * w2 + c1 * w1, vz = y[6] - s2 * w2 - s1 * w1;
  const double J[4] = {ex * c1 - ez * s1, ex, ez, ex * c2 - ez * s2}, m[4] = {30, 75, 75, 30};
  const double Q[4] = {0, 0, -75 * 9.8, 0};
  double free = vx * vx + vz * vz - w1 * w1 * (ex * s1 + ez * c1) - w2 * w2 * (ex * s2 + ez * c2) -
                d * ddd - dd * dd,
         mobility = 0;
  for (int k = 0; k < 4; k++) free += J[k] * Q[k] / m[k], mobility += J[k] * J[k] / m[k];
  const double lambda = free / mobility;
  for (int k = 0; k < 4; k++) rate[k] = y[4 + k], rate[4 + k] = (Q[k] - J[k] * lambda) / m[k];
}

static void
driven_rod(void ** state)
{
  (void)state;
  double y[8] = {0, 0, -3, 0, 0, 0, -0.5, 5}, k[4][8], x[8];
  const double h = 1e-4;
  for (int step = 0; step < 40000; step++) {
    for (int i = 0; i < 4; i++) {
      const double c = i == 0 ? 0 : i == 3 ? h : h / 2;
      for (int j = 0; j < 8; j++) x[j] = y[j] + (i > 0 ? c * k[i - 1][j] : 0);
      driven_rates(step * h + c, x, k[i]);
    }
    for (int j = 0; j < 8; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  reactions_t joints = {0};
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    run_t r = run_file("double_pendulum_telescope", (mbdx_coordinates_t)c, 0, 1e-11);
    for (int part = 1; part <= 4; part++) {
      assert_ok(mbd_simulation_run(r.sim, part));
      same_reactions(&joints, c == MBDX_COORDINATES_CARTESIAN, r.sim, r.m->model, 1e-6);
    }
    const mbd_placement_t X = pose(&r, "second");
    print_message(
      "5.10.3: (%.9f, %.9f) at 4 s, off by %.1e, %.1e m\n", y[1], y[2], X.p.x - y[1], X.p.z - y[2]);
    near(X.p.x, y[1], 1e-7, "x of the second sphere");
    near(X.p.z, y[2], 1e-7, "z of the second sphere");
    near(X.p.y, 0, 1e-10, "y of the second sphere");
    balanced(&r, 1e-8 * 1830);
    run_free(&r);
  }
  reactions_compared("5.10.3", &joints, 40);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_strike_a_spring), cmocka_unit_test(table_of_methods),
    cmocka_unit_test(three_sliders),        cmocka_unit_test(top_on_a_bar),
    cmocka_unit_test(top_on_a_bar_stands),  cmocka_unit_test(spatial_slider_crank),
    cmocka_unit_test(driven_rod),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
