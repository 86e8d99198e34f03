// Mechanisms of Haug's book in time against Simbody, which shares no code with the library: tree and Cartesian
// coordinates agree with it to 1e-7.
#include "mechanism_file.h"
#include "simbody_time.h"

static int compared;

static void
same(const char * what, double is, double want)
{
  compared++;
  print_message("%-36s %.10g, off by %.1e\n", what, want, is - want);
  if (!(fabs(is - want) <= 1e-7 * fmax(1, fabs(want))))
    fail_msg("%s: %.12g, by Simbody %.12g", what, is, want);
}

// angular velocity of a link along k, in its axes
static double
turning(const run_t * r, const char * link, int k)
{
  int frame;
  mbd_motion_t V;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  assert_ok(mbd_set_state(r->m->model, data, r->info->q, r->info->v));
  assert_ok(mbd_find_frame(r->m->model, link, &frame));
  assert_ok(mbd_frame_velocity(r->m->model, data, frame, MBD_LOCAL, &V));
  return k == 0 ? V.ang.x : V.ang.z;
}

static void
mechanisms(void ** state)
{
  (void)state;
  double quick[3], spheres[3], planar[2], crank[2], fast[2], top[3], four[4];
  const double omega[3] = {0.1, 0.2, 12};
  simbody_quick_return(2.5, quick);
  simbody_spheres(4, 5, spheres);
  simbody_slider_crank(0.2, 1.25, planar);
  simbody_spatial_crank(2, 0.24, 4, crank);
  simbody_spatial_crank(0.1, 0.23, 120, fast);
  simbody_top(3, omega, top);
  simbody_four_sliders(2, four);
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    const mbdx_coordinates_t coordinates = (mbdx_coordinates_t)c;
    run_t r = run_file("quick_return", coordinates, 2.5, 1e-11);
    same("5.8.2 omega2", turning(&r, "crank", 2), quick[1]);
    same("5.8.2 x4", pose(&r, "cutter").p.x, quick[2]);
    run_free(&r);
    r = run_file("double_pendulum_rod", coordinates, 4, 1e-11);
    same("5.4.4 x", pose(&r, "second").p.x, spheres[0]);
    same("5.4.4 z", pose(&r, "second").p.z, spheres[2]);
    run_free(&r);
    r = run_file("spatial_slider_crank", coordinates, 2, 1e-11);
    same("5.10.5 omega", turning(&r, "crank", 0), crank[0]);
    same("5.10.5 x2", pose(&r, "slider").p.x, crank[1]);
    run_free(&r);
    r = run_file("four_sliders", coordinates, 2, 1e-11);
    same("5.10.6 x1", pose(&r, "one").p.x, four[0]);
    same("5.10.6 y2", pose(&r, "two").p.y, four[1]);
    same("5.10.6 z3", pose(&r, "three").p.z, four[2]);
    same("5.10.6 x4", pose(&r, "four").p.x, four[3]);
    run_free(&r);
  }
  // the rest as trees
  run_t r = run_text(
    "gravity: [0, -9.8, 0]\n"
    "bodies:\n"
    "  - {name: crank, mass: 5, inertia: [5, 5, 5], angular_velocity: [0, 0, 100]}\n"
    "  - {name: slider, mass: 1, inertia: [1, 1, 1], xyz: [2.25, 0, 0]}\n"
    "joints:\n"
    "  - {name: shaft, type: continuous, a: world, b: crank}\n"
    "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, axis: "
    "[1, 0, 0]}}\n"
    "closures:\n"
    "  - {name: rod, type: distance, distance: 1.25, a: {link: crank, xyz: [1, 0, 0]}, b: "
    "slider}\n",
    MBD_METHOD_RKF45, 0.2, 1e-11);
  same("5.8.5 omega", turning(&r, "crank", 2), planar[1]);
  same("5.8.5 sin phi", pose(&r, "crank").R.m[3], sin(planar[0]));
  run_free(&r);
  char text[1024];
  const double d = 0.23, x = sqrt(d * d - 0.0424);
  snprintf(
    text, sizeof text,
    "gravity: [0, 0, -9.8]\n"
    "bodies:\n"
    "  - {name: crank, mass: 0.5, inertia: [0.2, 0.2, 0.2], xyz: [0, 0.1, 0.12], "
    "angular_velocity: [120, 0, 0]}\n"
    "  - {name: slider, mass: 5, inertia: [0.2, 0.2, 0.2], xyz: [%.17g, 0, 0], velocity: [%.17g, "
    "0, 0]}\n"
    "joints:\n"
    "  - {name: shaft, type: continuous, a: {link: world, xyz: [0, 0.1, 0.12], axis: [1, 0, 0]}, "
    "b: {link: crank, axis: [1, 0, 0]}}\n"
    "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, axis: "
    "[1, 0, 0]}}\n"
    "closures:\n"
    "  - {name: rod, type: distance, distance: 0.23, a: {link: crank, xyz: [0, 0, 0.08]}, b: "
    "{link: slider, xyz: [0, 0, 0.02]}}\n",
    x, 0.96 / x);
  r = run_text(text, MBD_METHOD_RKF45, 0.1, 1e-11);
  same("7.7.3 omega", turning(&r, "crank", 0), fast[0]);
  same("7.7.3 x2", pose(&r, "slider").p.x, fast[1]);
  run_free(&r);
  r = run_text(
    "gravity: [0, 0, -9.8]\n"
    "bodies:\n"
    "  - {name: top, mass: 30, com: [0, 0, 1], inertia: [90, 90, 30], angular_velocity: [0.1, 0.2, "
    "12]}\n"
    "joints:\n  - {name: tip, type: spherical, a: world, b: top}\n",
    MBD_METHOD_RKF45, 3, 1e-11);
  const mbd_placement_t X = pose(&r, "top");
  same("5.4.2 x", X.R.m[2], top[0]);
  same("5.4.2 y", X.R.m[5], top[1]);
  same("5.4.2 z", X.R.m[8], top[2]);
  run_free(&r);
  assert_int_equal(compared, 27);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(mechanisms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
