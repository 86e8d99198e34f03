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

// coordinate and velocity of a joint of the tree
static double
joint(const run_t * r, const char * name, int number, bool velocity)
{
  int k;
  assert_ok(mbd_find_joint(r->m->model, name, &k));
  const mbd_body_t * b = &r->m->model->body[k];
  return velocity ? r->info->v[b->v_index + number] : r->info->q[b->q_index + number];
}

// springs, dampers, a bar, pairs of rods, rolling
static void
more_mechanisms(void ** state)
{
  (void)state;
  compared = 0;
  double bars[4], disk[4], top[3], cylinder[4], governor[3], ball[6];
  run_t r = run_file("double_pendulum_springs", MBDX_COORDINATES_TREE, 3, 1e-11);
  simbody_bars(3, bars);
  same("5.4.1 pivot", joint(&r, "pivot", 0, false), bars[0]);
  same("5.4.1 elbow", joint(&r, "elbow", 0, false), bars[1]);
  same("5.4.1 pivot, rate", joint(&r, "pivot", 0, true), bars[2]);
  same("5.4.1 elbow, rate", joint(&r, "elbow", 0, true), bars[3]);
  run_free(&r);
  r = run_file("sliding_disk", MBDX_COORDINATES_TREE, 5, 1e-11);
  simbody_disk(5, disk);
  same("5.8.6 phi", joint(&r, "shaft", 0, false), disk[0]);
  same("5.8.6 x", joint(&r, "guide", 0, false), disk[1]);
  same("5.8.6 omega", joint(&r, "shaft", 0, true), disk[2]);
  same("5.8.6 x'", joint(&r, "guide", 0, true), disk[3]);
  run_free(&r);
  r = run_file("cylindrical_spring", MBDX_COORDINATES_TREE, 2, 1e-12);
  simbody_cylinder(2, cylinder);
  for (int k = 0; k < 4; k++)
    same("5.10.4 phi, z, rates", joint(&r, "sleeve", k % 2, k > 1), cylinder[k]);
  run_free(&r);
  // it turns at 10 rad/s, the arms at rest
  r = run_file("governor", MBDX_COORDINATES_TREE, 0, 1e-11);
  int shaft;
  assert_ok(mbd_find_joint(r.m->model, "shaft", &shaft));
  r.m->v[r.m->model->body[shaft].v_index] = 10;
  assert_ok(mbd_simulation_start(r.sim, 0, r.m->q, r.m->v, NULL));
  static const char * const names[4] = {"shaft", "guide", "hinge_1", "hinge_2"};
  double start[8];
  for (int k = 0; k < 8; k++) start[k] = joint(&r, names[k % 4], 0, k > 3);
  assert_ok(mbd_simulation_run(r.sim, 1));
  simbody_governor(1, start, governor);
  same("5.10.7 omega", joint(&r, "shaft", 0, true), governor[0]);
  same("5.10.7 z", joint(&r, "guide", 0, false), governor[1]);
  same("5.10.7 z'", joint(&r, "guide", 0, true), governor[2]);
  run_free(&r);
  simbody_top_on_bar(3, top);
  const double omega[3] = {3, -1, 2};
  simbody_ball(2, omega, ball);
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    r = run_file("top_on_bar", (mbdx_coordinates_t)c, 3, 1e-11);
    mbd_placement_t X = pose(&r, "top");
    same("5.10.2 x", X.p.x + X.R.m[2], top[0]);
    same("5.10.2 y", X.p.y + X.R.m[5], top[1]);
    same("5.10.2 z", X.p.z + X.R.m[8], top[2]);
    run_free(&r);
  }
  // 0.5 m above the ground, rolling
  r = run_text(
    "gravity: [0, 0, -9.8]\n"
    "bodies:\n"
    "  - {name: ball, mass: 2, com: [0.1, 0.05, -0.2], inertia: [0.2, 0.25, 0.3], xyz: [0, 0, "
    "0.5], "
    "velocity: [-0.5, -1.5, 0], angular_velocity: [3, -1, 2]}\n"
    "closures:\n"
    "  - {name: ground, type: touch, a: {link: world, surface: plane}, b: {link: ball, surface: "
    "{sphere: "
    "0.5}}}\n"
    "  - {name: grip, type: roll, a: {link: world, surface: plane}, b: {link: ball, surface: "
    "{sphere: "
    "0.5}}}\n",
    MBD_METHOD_RKF45, 2, 1e-11);
  const mbd_placement_t X = pose(&r, "ball");
  same("rolling ball x", X.p.x, ball[0]);
  same("rolling ball y", X.p.y, ball[1]);
  same("rolling ball z", X.p.z, ball[2]);
  for (int k = 0; k < 3; k++) same("rolling ball, z of axes", X.R.m[6 + k], ball[3 + k]);
  run_free(&r);
  assert_int_equal(compared, 27);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mechanisms), cmocka_unit_test(more_mechanisms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
