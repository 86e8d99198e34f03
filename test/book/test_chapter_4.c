// Haug, chapter 4 (and the coil spring of 5.8.3): equations of motion in time, by every method. Figures
// as computed independently of this code; each mechanism as a tree and with every joint a closure.
#include "mechanisms.h"
#include "reactions.h"

//---------- 4.9.2.1: double pendulum of two particles ----------

static void
particle_angles(const mbd_simulation_t * sim, const mechanism_t * m, bool cartesian, double out[2])
{
  const double * q = mbd_simulation_info(sim)->q;
  if (!cartesian) {
    out[0] = q[joint_of(m, "1")->q_index];
    out[1] = out[0] + q[joint_of(m, "2")->q_index];
  } else {
    double p[4];
    static const char * const names[4] = {"1x", "1", "2x", "2"};
    for (int k = 0; k < 4; k++) p[k] = q[joint_of(m, names[k])->q_index];
    out[0] = atan2(p[1], p[0]);
    out[1] = atan2(p[3] - p[1], p[2] - p[0]);
  }
}

static void
two_particles(void ** state)
{
  (void)state;
  static const double figures[][4] = {
    {1, 1, -2.193884681, -2.604714918},   {1, 2, -2.056896102, -2.897841749},
    {1, 3, 0.214487040, -0.451919300},    {1, 4, -2.042176058, -2.801790555},
    {1, 5, -2.203418158, -2.881953607},   {1, 6, 0.046957193, -0.171356159},
    {100, 1, -2.058501181, -2.085837345}, {100, 2, -2.938639213, -2.817358070},
    {100, 3, -0.404297544, -0.183330249}};
  static const struct {
    mbd_method_t method;
    double tolerance, step, off;
  } runs[] = {{MBD_METHOD_RKF45, 2e-12, 0, 1e-8},         {MBD_METHOD_NYSTROM4, 1e-9, 5e-4, 1e-8},
              {MBD_METHOD_RK4, 1e-9, 5e-4, 1e-8},         {MBD_METHOD_SDIRK54, 1e-9, 1e-3, 1e-6},
              {MBD_METHOD_TRAPEZOIDAL, 1e-8, 2e-3, 1e-2}, {MBD_METHOD_HHT, 1e-8, 2e-3, 1e-2}};
  reactions_t bars = {.planar = true};
  for (size_t run = 0; run < 2 * sizeof runs / sizeof *runs; run++) {
    const bool cartesian = run % 2;
    const double off = runs[run / 2].off;
    mechanism_t m = particles(cartesian, 1, 1);
    mbd_simulation_options_t options = options_of(runs[run / 2].method, runs[run / 2].tolerance);
    options.ode.step = runs[run / 2].step;
    options.ode.fixed = runs[run / 2].step > 0;
    mbd_simulation_t * sim = started(&m, &options);
    // the others to 3 s
    for (int k = 0; k < (run < 2 ? 9 : 3); k++) {
      if (figures[k][0] > 1) {
        if (k == 6) {
          destroy_simulation(sim, &m);
          m = particles(cartesian, 1, 100);
          sim = started(&m, &options);
        }
      }
      double angle[2];
      assert_ok(mbd_simulation_run(sim, figures[k][1]));
      particle_angles(sim, &m, cartesian, angle);
      for (int j = 0; j < 2; j++) {
        // angles of particles have no turns
        const double turns =
          cartesian ? 2 * PI * round((figures[k][2 + j] - angle[j]) / (2 * PI)) : 0;
        // heavy second particle: errors grow
        near_to("angle", angle[j] + turns, figures[k][2 + j], figures[k][0] > 1 ? 3 * off : off);
      }
      if (run < 2) same_reactions(&bars, cartesian, sim, m.model, 1e-6);
      if (k == 5 && run < 2) near_to("energy", mbd_simulation_info(sim)->energy, 0, 1e-8);
    }
    char text[64];
    snprintf(
      text, sizeof text, "4.9.2.1 %s %s", mbd_method_name(runs[run / 2].method),
      cartesian ? "cartesian" : "tree");
    say(text, sim);
    if (runs[run / 2].off <= 1e-6) in_balance(sim, run < 2 ? 2000 : 30);
    destroy_simulation(sim, &m);
  }
  reactions_compared("4.9.2.1", &bars, 36);
}

//---------- 4.9.2.2: slider-crank ----------

static void
slider_crank_turns(void ** state)
{
  (void)state;
  static const double figures[][5] = {// R, t, angle, rate, x2
                                      {1.5, 0.5, 3.516556353, 9.888448494, 0.527290554},
                                      {1.5, 1, 6.868452958, 5.818365644, 3.070611781},
                                      {1.5, 2, 13.534295750, 4.650254203, 2.423211601},
                                      {1.98, 0.5, 2.361126476, 9.996304785, NAN},
                                      {1.98, 1, 5.461910032, 3.292271671, NAN},
                                      {1.98, 2, 11.294986445, 2.679582826, NAN}};
  reactions_t all = {.planar = true};
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m;
    mbd_simulation_t * sim = NULL;
    for (int k = 0; k < 6; k++) {
      if (k % 3 == 0) {
        if (k > 0) destroy_simulation(sim, &m);
        m = heavy_slider(cartesian, figures[k][0]);
        mbd_simulation_options_t options = options_of(MBD_METHOD_RKF45, 1e-11);
        sim = started(&m, &options);
      }
      assert_ok(mbd_simulation_run(sim, figures[k][1]));
      const mbd_simulation_info_t * info = mbd_simulation_info(sim);
      const int last = cartesian ? 2 : 0;
      near_to("angle", info->q[joint_of(&m, "1")->q_index + last], figures[k][2], 1e-8);
      near_to("rate", info->v[joint_of(&m, "1")->v_index + last], figures[k][3], 1e-8);
      if (figures[k][4] == figures[k][4]) {
        near_to("x2", info->q[joint_of(&m, "2")->q_index], figures[k][4], 1e-8);
      }
      near_to("kinetic energy", info->energy, 1000, 1e-5);
      same_reactions(&all, cartesian, sim, m.model, 1e-7);
    }
    say(cartesian ? "4.9.2.2 cartesian" : "4.9.2.2 tree", sim);
    in_balance(sim, 1000);
    destroy_simulation(sim, &m);
  }
  reactions_compared("4.9.2.2", &all, 30);
}

//---------- 5.8.3: surge waves in a coil spring ----------

// displacement of coil k by modes: 2 sqrt(k / m) sin((2 r - 1) pi / (2 (2 n + 1)))
static double
modal(int n, int k, double t)
{
  double sum = 0;
  for (int r = 1; r <= n; r++) {
    const double a = (2 * r - 1) * PI / (2 * n + 1), w = 2 * sqrt(1000) * n * sin(a / 2);
    sum -= 4.0 / (2 * n + 1) * sin(n * a) * sin(k * a) * sin(w * t) / w;
  }
  return sum;
}

static void
coil_spring_surges(void ** state)
{
  (void)state;
  static const double book[5] = {2.79993e-3, 4.38839e-3, 7.88796e-3, 7.92063e-3, 5.22738e-3};
  for (int k = 0; k < 5; k++) near_to("modes", modal(5, k + 1, 0.1), book[k], 5e-9);
  for (int run = 0; run < 2 * MBD_METHODS; run++) {
    const bool cartesian = run % 2;
    // every method as a tree; in Cartesian coordinates an explicit and an implicit one
    if (
      cartesian && run / 2 != MBD_METHOD_RKF45 && run / 2 != MBD_METHOD_SDIRK54 &&
      run / 2 != MBD_METHODS - 1)
      continue;
    // the last two with ten coils
    const int n = run < 2 * (MBD_METHODS - 1) ? 5 : 10;
    mechanism_t m = coil_spring(cartesian, n);
    const mbd_method_t method = n == 5 ? (mbd_method_t)(run / 2) : MBD_METHOD_RKF45;
    mbd_simulation_options_t options = options_of(method, 1e-10);
    options.ode.step = method == MBD_METHOD_SDIRK54 ? 1e-4 : 5e-5;
    options.ode.fixed = method != MBD_METHOD_RKF45;
    mbd_simulation_t * sim = simulation(&m, &options);
    coil_t coil = {&m, n};
    assert_ok(mbd_simulation_set_input(sim, coil_springs, &coil));
    assert_ok(mbd_simulation_start(sim, 0, m.q, m.v, NULL));
    assert_ok(mbd_simulation_run(sim, 0.1));
    // first and second order by their errors at 50 us
    const double off = method == MBD_METHOD_SEMI_IMPLICIT                             ? 2e-4
                       : method == MBD_METHOD_TRAPEZOIDAL || method == MBD_METHOD_HHT ? 1e-6
                                                                                      : 1e-9;
    for (int k = 0; k < n; k++) {
      const double x = mbd_simulation_info(sim)->q[joint_of(&m, COIL[k])->q_index];
      near_to("displacement", x - (k + 1.0) / n, modal(n, k + 1, 0.1), off);
    }
    char text[64];
    snprintf(
      text, sizeof text, "5.8.3 n = %d %s %s", n, mbd_method_name(method),
      cartesian ? "cartesian" : "tree");
    say(text, sim);
    if (off <= 1e-9) in_balance(sim, 0.5 / n);
    destroy_simulation(sim, &m);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_particles),
    cmocka_unit_test(slider_crank_turns),
    cmocka_unit_test(coil_spring_surges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
