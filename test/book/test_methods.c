// Every method on every mechanism of config/mechanisms that moves by its dynamics, in both layouts, against rkf45 with
// a tolerance of 1e-11: methods of fourth order and higher agree, those of first and second order gain with shorter
// steps what their order says.
#include "mechanism_file.h"
#include "reactions.h"

static const struct {
  const char * name;
  double end, step;  // rk4 and nystrom4 take this step, others half of it
} MECHANISMS[] = {
  {"cart", 0.2, 2e-3},
  {"cylindrical_spring", 0.15, 1e-3},
  {"delta", 0.1, 1e-3},
  {"double_pendulum_rod", 0.2, 2e-3},
  {"double_pendulum_springs", 0.15, 1e-3},
  // stiff: longer steps of the explicit methods are not stable
  {"double_pendulum_stop", 0.02, 4e-5},
  {"double_pendulum_telescope", 0.2, 2e-3},
  {"four_sliders", 0.2, 2e-3},
  {"governor", 0.1, 5e-4},
  {"loader", 0.1, 1e-3},
  {"quick_return", 0.1, 1e-3},
  {"rolling_disk", 0.2, 2e-3},
  {"rolling_ellipsoid", 0.1, 1e-3},
  {"slider_crank", 0.1, 1e-3},
  {"sliding_disk", 0.2, 2e-3},
  {"spatial_slider_crank", 0.2, 2e-3},
  {"stewart", 0.1, 1e-3},
  {"three_sliders", 0.05, 5e-4},
  {"top_on_bar", 0.1, 1e-3},
  {"tractor_trailer", 0.2, 2e-3},
};
enum { MECHANISM_COUNT = sizeof MECHANISMS / sizeof *MECHANISMS };

// largest difference of poses from those that `motion` has, at the end; the first run is that it has
static double
run_by(
  reactions_t * motion, const char * name, mbdx_coordinates_t coordinates, mbd_method_t method,
  double tolerance, double step, double end)
{
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method, options.ode.rtol = options.ode.atol = tolerance;
  options.ode.fixed = step > 0, options.ode.step = step;
  run_t r = {.m = load_mechanism(name, coordinates)};
  assert_ok(mbd_simulation_create(r.m->model, &options, &r.sim));
  assert_ok(mbd_set_terms(mbd_simulation_data(r.sim), MBD_TERM_ELEMENTS));
  assert_ok(mbd_simulation_start(r.sim, 0, r.m->q, r.m->v, NULL));
  assert_ok(mbd_simulation_run(r.sim, end));
  const bool first = motion->times[0] == 0;
  motion->times[1] = 0, motion->off = 0, motion->motion = HUGE_VAL;
  same_motion(motion, !first, r.sim, mbd_simulation_data(r.sim), r.m->model);
  run_free(&r);
  return motion->off;
}

static const struct {
  mbd_method_t method;
  int order;  // 0: by a tolerance
} METHODS[] = {{MBD_METHOD_RK4, 4},          {MBD_METHOD_NYSTROM4, 4}, {MBD_METHOD_SDIRK54, 0},
               {MBD_METHOD_AUTO, 0},         {MBD_METHOD_HHT, 2},      {MBD_METHOD_TRAPEZOIDAL, 2},
               {MBD_METHOD_SEMI_IMPLICIT, 1}};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static int compared;

// by one method, in one layout
static void
check(reactions_t * motion, int k, mbdx_coordinates_t coordinates, mbd_method_t method, int order)
{
  const char * name = MECHANISMS[k].name;
  const double end = MECHANISMS[k].end,
               h = order == 4 ? MECHANISMS[k].step : MECHANISMS[k].step / 2;
  const char * layout = coordinates == MBDX_COORDINATES_TREE ? "tree" : "cartesian";
  double off = run_by(motion, name, coordinates, method, 1e-10, order > 0 ? h : 0, end), gain = 0;
  compared++;
  if (order == 1 || order == 2) {
    const double half = run_by(motion, name, coordinates, method, 1e-10, h / 2, end);
    gain = log2(off / half);
    // what is left is rounding and the tolerance of Newton's method
    if (half > 1e-9 && !(gain > order - 0.25))
      fail_msg("%s, %s, %s: order %.2f", name, layout, mbd_method_name(method), gain);
    if (!(off < (order == 2 ? 1e-4 : 5e-3)))
      fail_msg("%s, %s, %s: off by %.1e", name, layout, mbd_method_name(method), off);
  } else if (!(off < 2e-8))
    fail_msg("%s, %s, %s: off by %.1e", name, layout, mbd_method_name(method), off);
  print_message(
    "%-26s %-9s %-13s off by %.1e, gain 2^%.2f\n", name, layout, mbd_method_name(method), off,
    gain);
}

static void
every_method(void ** state)
{
  (void)state;
  for (int k = 0; k < MECHANISM_COUNT; k++) {
    reactions_t motion = {0};
    const double end = MECHANISMS[k].end;
    const char * name = MECHANISMS[k].name;
    run_by(&motion, name, MBDX_COORDINATES_TREE, MBD_METHOD_RKF45, 1e-11, 0, end);
    for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++)
      for (int m = 0; m < METHOD_COUNT; m++)
        check(&motion, k, (mbdx_coordinates_t)c, METHODS[m].method, METHODS[m].order);
  }
  assert_int_equal(compared, MECHANISM_COUNT * METHOD_COUNT * 2);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_method)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
