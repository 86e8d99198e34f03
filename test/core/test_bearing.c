// Bearings: friction curve, loads against Newton-Euler equations by hand, two layouts of one mechanism.
#include "../book/mechanisms_bearings.h"
#include "mbdyn/dynamics.h"

static mbd_bearing_spec_t
bearing(const char * joint, double mu_static, double mu_dynamic)
{
  mbd_bearing_spec_t spec = mbd_bearing_spec_default();
  spec.joint = joint;
  spec.mu_static = mu_static, spec.mu_dynamic = mu_dynamic;
  return spec;
}

//---------- curve ----------

static void
curve(void ** state)
{
  (void)state;
  const mbd_bearing_spec_t spec = bearing("", 0.5, 0.3);
  // Haug (8.1.12) with v = velocity: mu_d tanh 4 + mu_s - mu_d
  near_to("S(vt)", mbd_friction_curve(2e-3, &spec, NULL), 0.3 * tanh(4) + 0.2, 1e-15);
  near_to("S(1)", mbd_friction_curve(1, &spec, NULL), 0.3, 1e-6);
  assert_true(mbd_friction_curve(0, &spec, NULL) == 0);
  for (int k = -40; k <= 40; k++) {
    const double v = 2e-4 * k, h = 1e-8;
    double slope;
    const double S = mbd_friction_curve(v, &spec, &slope);
    const double left = mbd_friction_curve(v - h, &spec, NULL);
    const double right = mbd_friction_curve(v + h, &spec, NULL);
    near_to("slope", slope, (right - left) / (2 * h), 1e-4);
    near_to("odd", S, -mbd_friction_curve(-v, &spec, NULL), 0);
    assert_true(fabs(S) < 0.5);
  }
}

//---------- a slider-crank by hand ----------

// Slider-crank of the book (crank 5 kg and 5 kg m^2, slider 1 kg) with bearings at shaft and guide: both
// bodies by Newton and Euler, the rod force p along (dx, dy) / length; loads by bisection on p, one unknown.
typedef struct by_hand {
  double length, mu_s, mu_d, radius;
  double phi, w;          // crank
  double x, xd, wd, xdd;  // slider, results
  double shaft, guide;    // loads
} by_hand_t;

static double
excess(by_hand_t * h, double p)
{
  mbd_bearing_spec_t spec = bearing("", h->mu_s, h->mu_d);
  const double c = cos(h->phi), s = sin(h->phi), L = h->length;
  h->x = c + sqrt(L * L - s * s);
  h->xd = h->w * (-s - s * c / sqrt(L * L - s * s));
  const double ux = (h->x - c) / L, uy = -s / L;  // from crank pin to slider
  // p pulls the slider towards the crank; reactions hold rod and weight
  h->shaft = hypot(p * ux, p * uy - 5 * 9.8);
  h->guide = fabs(p * uy + 9.8);
  const double torque = (c * uy - s * ux) * p;
  h->wd = (torque - h->radius * h->shaft * mbd_friction_curve(h->radius * h->w, &spec, NULL)) / 5;
  h->xdd = -p * ux - h->guide * mbd_friction_curve(h->xd, &spec, NULL);
  // second derivative of the rod's length is zero
  const double rx = h->x - c, ry = -s;
  const double vx = h->xd + s * h->w, vy = -c * h->w;
  const double ax = h->xdd + s * h->wd + c * h->w * h->w, ay = -c * h->wd + s * h->w * h->w;
  return rx * ax + ry * ay + vx * vx + vy * vy;
}

static void
solve_by_hand(by_hand_t * h)
{
  double a = -1e7, b = 1e7;
  const double fa = excess(h, a);
  for (int k = 0; k < 200; k++) {
    const double mid = a + (b - a) / 2;
    if ((excess(h, mid) > 0) == (fa > 0))
      a = mid;
    else
      b = mid;
  }
  excess(h, a);
}

static void
slider_crank_by_hand(void ** state)
{
  (void)state;
  int compared = 0;
  for (int k = 0; k < 100; k++) {
    by_hand_t h = {.length = 1.15, .mu_s = 0.25, .mu_d = 0.2, .radius = 0.1};
    h.phi = 3 * sin(1 + 7.0 * k);
    h.w = (k % 4 == 0 ? 0.05 : 100) * cos(11.0 * k);
    solve_by_hand(&h);
    for (int cartesian = 0; cartesian < 2; cartesian++) {
      mechanism_t m = slider_crank_bodies(cartesian, h.length);
      mbd_bearing_spec_t shaft = bearing(cartesian ? "rev" : "1", h.mu_s, h.mu_d);
      mbd_bearing_spec_t guide = bearing(cartesian ? "tran" : "2", h.mu_s, h.mu_d);
      shaft.radius = h.radius;
      guide.span = 0.1;
      assert_ok(mbd_model_add_bearing(m.model, &shaft, NULL));
      assert_ok(mbd_model_add_bearing(m.model, &guide, NULL));
      assert_ok(mbd_model_finalize(m.model));
      const double q1[3] = {0, 0, h.phi}, v1[3] = {0, 0, h.w}, q2[3] = {h.x}, v2[3] = {h.xd};
      start_joint(&m, "1", cartesian ? q1 : q1 + 2, cartesian ? v1 : v1 + 2);
      start_joint(&m, "2", q2, v2);
      mbd_data_t * data;
      assert_ok(mbd_data_create(m.model, &data));
      double *work = calloc(mbd_bearing_work(m.model, 1), sizeof *work), load[2], qdd[6], lambda[8];
      mbd_bearing_info_t info;
      // continuation, then from the loads
      for (int again = 0; again < 2; again++) {
        if (!again) load[0] = load[1] = -1;
        assert_ok(mbd_bearing_forward_dynamics(
          m.model, data, m.q, m.v, NULL, NULL, NULL, work, load, qdd, lambda, &info));
        assert_int_equal(info.continuation, !again);
        assert_true(!again || info.iterations == 0);
        const double size = 1 + h.shaft + h.guide;
        near_to("shaft", load[0], h.shaft, 1e-9 * size);
        near_to("guide", load[1], h.guide, 1e-9 * size);
        near_to("wd", qdd[joint_of(&m, "1")->v_index + (cartesian ? 2 : 0)], h.wd, 1e-9 * size);
        near_to("xdd", qdd[joint_of(&m, "2")->v_index], h.xdd, 1e-9 * size);
        assert_true(info.power <= 0 && info.condition >= 1 && info.condition < 100);
        compared += 4;
      }
      free(work);
      mbd_data_destroy(data);
      mbd_model_destroy(m.model);
    }
  }
  print_message("%d numbers of slider-cranks as by hand\n", compared);
  assert_true(compared == 1600);
}

// accelerations by hand at phi, w
static void
rates_by_hand(by_hand_t * h, const double y[2], double rate[2])
{
  h->phi = y[0], h->w = y[1];
  solve_by_hand(h);
  rate[0] = h->w, rate[1] = h->wd;
}

// a turn and a half of the crank, integrated by hand in one coordinate
static void
slider_crank_in_time(void ** state)
{
  (void)state;
  by_hand_t h = {.length = 1.25, .mu_s = 0.25, .mu_d = 0.2, .radius = 0.1};
  const int steps = 5000;
  const double dt = 0.1 / steps;
  double y[2] = {0, 100};
  for (int n = 0; n < steps; n++) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[2] = {0}, sum[2] = {0};
    for (int s = 0; s < 4; s++) {
      const double at[2] = {y[0] + part[s] * dt * k[0], y[1] + part[s] * dt * k[1]};
      rates_by_hand(&h, at, k);
      for (int i = 0; i < 2; i++) sum[i] += weight[s] * k[i] / 6;
    }
    for (int i = 0; i < 2; i++) y[i] += dt * sum[i];
  }
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m = slider_crank_bodies(cartesian, h.length);
    mbd_bearing_spec_t spec = bearing(cartesian ? "rev" : "1", h.mu_s, h.mu_d);
    spec.radius = h.radius;
    assert_ok(mbd_model_add_bearing(m.model, &spec, NULL));
    spec.joint = cartesian ? "tran" : "2";
    assert_ok(mbd_model_add_bearing(m.model, &spec, NULL));
    slider_crank_start(&m, cartesian, h.length);
    const mbd_simulation_options_t options = options_of(MBD_METHOD_RKF45, 1e-9);
    mbd_simulation_t * sim = started(&m, &options);
    assert_ok(mbd_simulation_run(sim, 0.1));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    const int k = cartesian ? 2 : 0;
    const double phi = info->q[joint_of(&m, "1")->q_index + k];
    const double w = info->v[joint_of(&m, "1")->v_index + k];
    print_message("off by %.1e rad, %.1e rad/s after 0.1 s\n", phi - y[0], w - y[1]);
    near_to("phi", phi, y[0], 1e-6);
    near_to("omega", w, y[1], 1e-4);
    destroy_simulation(sim, &m);
  }
}

//---------- laws in space ----------

static const double LENGTH = 0.7, SPAN = 0.2, RADIUS = 0.03;

// an arm on a horizontal shaft along y, its centre of mass at (LENGTH, 0.3, 0): revolute with span
static void
arm_on_shaft(void ** state)
{
  (void)state;
  for (int closed = 0; closed < 2; closed++) {
    for (int k = 0; k < 20; k++) {
      mechanism_t m = mechanism(0, 0, -9.8);
      const double q = 0.3 * k - 3, w = 5 - k, I = 0.4, mass = 2;
      const mbd_vec3_t c = {LENGTH, 0.3, 0};
      mbd_placement_t hinge = point(0, 0, 0);
      const mbd_mat3_t z_along_y = {{1, 0, 0, 0, 0, 1, 0, -1, 0}};
      hinge.R = z_along_y;
      const int link = body(
        &m, "arm", MBD_WORLD_BODY, closed ? MBD_JOINT_FREE : MBD_JOINT_CONTINUOUS, 'y',
        point(0, 0, 0), mass, c, I, I, I);
      if (closed) closure(&m, "hinge", MBD_CLOSURE_REVOLUTE, MBD_WORLD_BODY, hinge, link, hinge, 0);
      mbd_bearing_spec_t spec = bearing(closed ? "hinge" : "arm", 0.2, 0.1);
      spec.radius = RADIUS, spec.span = SPAN, spec.offset = -0.05, spec.preload = 3;
      assert_ok(mbd_model_add_bearing(m.model, &spec, NULL));
      assert_ok(mbd_model_finalize(m.model));
      const double free_q[7] = {0, 0, 0, 0, sin(q / 2), 0, cos(q / 2)};
      const double free_v[6] = {0, 0, 0, 0, w, 0};
      start_joint(&m, "arm", closed ? free_q : &q, closed ? free_v : &w);
      mbd_data_t * data;
      assert_ok(mbd_data_create(m.model, &data));
      double *work = calloc(mbd_bearing_work(m.model, 1), sizeof *work), load[1] = {-1}, qdd[6];
      assert_ok(mbd_bearing_forward_dynamics(
        m.model, data, m.q, m.v, NULL, NULL, NULL, work, load, qdd, NULL, NULL));
      const double wd = qdd[closed ? 4 : 0];
      // by hand, in axes of the arm: acceleration of c, force and its moment about the origin
      const double ax = -w * w * LENGTH, az = -wd * LENGTH;
      const double gx = 9.8 * sin(q), gz = -9.8 * cos(q);
      const double Fx = mass * (ax - gx), Fz = mass * (az - gz);
      // moments of the shaft about point 1, which is at y = -0.05; no angular momentum across
      const double arm_y = 0.3 + 0.05;
      const double Tx = arm_y * Fz, Tz = -arm_y * Fx;
      const double f2 = hypot(Tx, Tz) / SPAN;
      const double f1 = hypot(Fx - -Tz / SPAN, Fz - Tx / SPAN);
      near_to("load", load[0], f1 + f2 + 3, 1e-8 * (1 + load[0]));
      const double weight = mass * 9.8 * LENGTH * cos(q);
      const double friction = RADIUS * load[0] * mbd_friction_curve(RADIUS * w, &spec, NULL);
      near_to("wd", wd, (weight - friction) / (I + mass * LENGTH * LENGTH), 1e-9 * (1 + load[0]));
      // weight as a wrench at the link's origin, in its axes
      const mbd_vec3_t f = {mass * gx, 0, mass * gz};
      const mbd_wrench_t weighs = {link, MBD_LOCAL, {mbdu_vec3_cross(c, f), f}};
      const mbd_wrenches_t f_ext = {1, &weighs};
      double again[1] = {-1};
      assert_ok(mbd_set_gravity(data, mbdu_vec3(0, 0, 0)));
      assert_ok(mbd_bearing_forward_dynamics(
        m.model, data, m.q, m.v, NULL, &f_ext, NULL, work, again, qdd, NULL, NULL));
      near_to("load", again[0], load[0], 1e-9 * (1 + load[0]));
      near_to("wd", qdd[closed ? 4 : 0], wd, 1e-9 * (1 + load[0]));
      free(work);
      mbd_data_destroy(data);
      mbd_model_destroy(m.model);
    }
  }
}

//---------- Jacobian of a simulation ----------

enum { MECHANISMS = 10 };

// loads within the smooth part of the absolute value
static mechanism_t
smoothed(mechanism_t m, double smoothing)
{
  mbd_bearing_t * bearing = (mbd_bearing_t *)m.model->bearing;
  for (int k = 0; k < m.model->nbearing; k++) bearing[k].spec.smoothing = smoothing;
  return m;
}

static mechanism_t
mechanism_number(int k, bool cartesian)
{
  switch (k) {
    case 8: return smoothed(slider_crank_with_friction(cartesian, 1.25), 2e4);
    case 9: return smoothed(spatial_crank(cartesian, 0.3, 120), 300);
    case 0: return three_masses(cartesian, 6.3, 2e-3);
    case 1: return four_masses(cartesian, &FOUR_MASSES_8_3_2);
    case 2: return slider_crank_with_friction(cartesian, 1.25);
    case 3: return quick_return_with_friction(cartesian, false);
    case 4: return coil(cartesian);
    case 5: return disk(cartesian, 0.08, 0.07);
    case 6: return cylinder(cartesian);
    default: return spatial_crank(cartesian, 0.3, 120);
  }
}

typedef struct differences {
  const mechanism_t * m;
  mbd_chart_t * chart;
  mbd_data_t * data;
  double *work, load[8];
  const mbd_wrenches_t * wrenches;
} differences_t;

// x'' by the dynamics with bearings, from the loads of the last call
static void
accelerated(differences_t * d, double t, const double * x, const double * xd, double * xdd)
{
  double q[64], v[64], qdd[64];
  mbd_bearing_options_t options = mbd_bearing_options_default();
  options.tolerance = 1e-14;
  assert_ok(mbd_chart_state(d->chart, d->data, t, x, xd, q, v));
  mbd_bearing_info_t info;
  // the tolerance may be below rounding
  for (; options.tolerance < 1e-9; options.tolerance *= 3) {
    const mbd_status_t status = mbd_bearing_forward_dynamics(
      d->m->model, d->data, q, v, NULL, d->wrenches, &options, d->work, d->load, qdd, NULL, &info);
    if (status == MBD_OK) break;
    assert_int_equal(status, MBD_ERROR_NO_SOLUTION);
  }
  assert_true(options.tolerance < 1e-9);
  assert_ok(mbd_chart_acceleration(d->chart, qdd, xdd));
}

// against central differences of the whole dynamics, where bearings slide and where they stick, in both layouts
static void
jacobian_is_the_derivative(void ** state)
{
  (void)state;
  int compared = 0, sticking = 0;
  double worst = 0;
  for (int k = 0; k < 2 * MECHANISMS; k++) {
    mechanism_t m = mechanism_number(k / 2, k % 2);
    const mbd_simulation_options_t options = options_of(MBD_METHOD_SDIRK54, 1e-6);
    mbd_simulation_t * sim = simulation(&m, &options);
    assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
    int first;
    assert_ok(mbd_find_frame(m.model, m.model->body[0].name, &first));
    const mbd_wrench_t push = {first, MBD_LOCAL, {{0.1, 0.2, -0.3}, {0.3, 0.2, 0.5}}};
    const mbd_wrenches_t wrenches = {1, &push};
    assert_ok(mbd_simulation_set_wrenches(sim, &wrenches));
    assert_ok(mbd_simulation_start(sim, 0, m.q, m.v, NULL));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    for (int stop = 1; stop <= 4; stop++) {
      assert_ok(mbd_simulation_run(sim, (k / 2 < 2 ? 0.5 : 0.04) * stop));
      // where a chart of the same state has the same bases: at its centre
      mbd_simulation_t * here = simulation(&m, &options);
      assert_ok(mbd_set_terms(mbd_simulation_data(here), MBD_TERM_ELEMENTS));
      assert_ok(mbd_simulation_set_wrenches(here, &wrenches));
      assert_ok(mbd_simulation_start(here, info->t, info->q, info->v, NULL));
      const mbd_simulation_info_t * centred = mbd_simulation_info(here);
      const int n = centred->n;
      double dx[36], dxd[36], want[2][36], x[64], xd[64], xdd[2][64];
      assert_true(n <= 6);
      assert_ok(mbd_simulation_jacobian(here, dx, dxd));
      differences_t d = {.m = &m, .wrenches = &wrenches};
      const size_t size = mbd_chart_size(m.model);
      d.work = calloc(mbd_bearing_work(m.model, 1), sizeof *d.work);
      memcpy(d.load, centred->load, (size_t)m.model->nbearing * sizeof *d.load);
      assert_ok(mbd_chart_init(m.model, options.tolerance, malloc(size), size, &d.chart));
      assert_ok(mbd_data_create(m.model, &d.data));
      assert_ok(mbd_set_terms(d.data, MBD_TERM_ELEMENTS));
      assert_ok(mbd_chart_set(d.chart, d.data, centred->t, centred->q, centred->v, x, xd));
      for (int j = 0; j < 2 * n; j++) {
        double * moved = j < n ? &x[j] : &xd[j - n];
        const double centre = *moved, h = 1e-6 * fmax(1, fabs(centre) / 30);
        for (int side = 0; side < 2; side++) {
          *moved = centre + (side ? h : -h);
          accelerated(&d, info->t, x, xd, xdd[side]);
        }
        *moved = centre;
        for (int i = 0; i < n; i++) want[j / n][i * n + j % n] = (xdd[1][i] - xdd[0][i]) / (2 * h);
      }
      // friction that rises steeply: columns of rates much larger than without bearings
      double largest = 0;
      for (int i = 0; i < n * n; i++) largest = larger(largest, fabs(dxd[i]));
      sticking += largest > 100;
      const double floor = 1e-3 * largest;
      for (int i = 0; i < n * n; i++) {
        double scale[2] = {floor + 1, floor + 1e-3};
        for (int j = 0; j < n * n; j++) {
          scale[0] = larger(scale[0], fabs(want[0][j]));
          scale[1] = larger(scale[1], fabs(want[1][j]));
        }
        // rounding may turn a basis vector round
        const double alike =
          dx[i] / scale[0] * want[0][i] / scale[0] + dxd[i] / scale[1] * want[1][i] / scale[1];
        const double turned = i / n != i % n && alike < 0 ? -1 : 1;
        const double off = larger(
          fabs(turned * dx[i] - want[0][i]) / scale[0],
          fabs(turned * dxd[i] - want[1][i]) / scale[1]);
        worst = larger(worst, off);
        compared += 2;
        if (!(off < 1e-5))
          fail_msg(
            "mechanism %d at %g s: d/dx %.9g, by differences %.9g; d/dx' %.9g, %.9g", k, info->t,
            dx[i], want[0][i], dxd[i], want[1][i]);
      }
      mbd_simulation_destroy(here);
      free(d.chart), free(d.work);
      mbd_data_destroy(d.data);
    }
    destroy_simulation(sim, &m);
  }
  print_message(
    "%d numbers of Jacobians with bearings, off by %.1e; %d of %d where a joint sticks\n", compared,
    worst, sticking, 8 * MECHANISMS);
  assert_true(compared > 300 && sticking > 8);
}

//---------- refusals ----------

static void
refusals(void ** state)
{
  (void)state;
  mechanism_t m = slider_crank_bodies(false, 1.5);
  mbd_bearing_spec_t spec = bearing("1", 0.2, 0.1), bad = spec;
  assert_ok(mbd_model_add_bearing(m.model, &spec, NULL));
  assert_int_equal(mbd_model_add_bearing(m.model, &spec, NULL), MBD_ERROR_DUPLICATE_NAME);
  bad.joint = "2", bad.mu_static = 0.05;
  assert_int_equal(mbd_model_add_bearing(m.model, &bad, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad = spec, bad.joint = "2", bad.velocity = 0;
  assert_int_equal(mbd_model_add_bearing(m.model, &bad, NULL), MBD_ERROR_BAD_ARGUMENT);
  bad = spec, bad.joint = "2", bad.span = NAN;
  assert_int_equal(mbd_model_add_bearing(m.model, &bad, NULL), MBD_ERROR_NOT_FINITE);
  bad = spec, bad.joint = NULL;
  assert_int_equal(mbd_model_add_bearing(m.model, &bad, NULL), MBD_ERROR_NULL_ARGUMENT);
  // a rod has no axis
  bad.joint = "rod";
  assert_ok(mbd_model_add_bearing(m.model, &bad, NULL));
  assert_int_equal(mbd_model_finalize(m.model), MBD_ERROR_BAD_JOINT);
  assert_string_equal(m.model->error_name, "rod");
  mbd_model_destroy(m.model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(curve),
    cmocka_unit_test(slider_crank_by_hand),
    cmocka_unit_test(slider_crank_in_time),
    cmocka_unit_test(arm_on_shaft),
    cmocka_unit_test(jacobian_is_the_derivative),
    cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
