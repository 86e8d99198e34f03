// Mechanisms from files in time: trees against Cartesian coordinates, figures of the book, the balance of
// energy with springs and dampers.
#include "mechanism_file.h"

// bars with springs after 10 s: Haug 5.4.1
static void
double_pendulum_with_springs(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    run_t r = run_file("double_pendulum_springs", (mbdx_coordinates_t)c, 10, 1e-11);
    const mbd_placement_t one = pose(&r, "upper"), two = pose(&r, "lower");
    near(atan2(one.R.m[3], one.R.m[0]), -0.891111652, 1e-8, "first bar");
    near(atan2(two.R.m[3], two.R.m[0]), -0.193705451, 1e-8, "second bar");
    balanced(&r, 1e-7);
    run_free(&r);
  }
}

// rods: same motion in both formulations, and the book's
static void
rods(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    run_t r = run_file("double_pendulum_rod", (mbdx_coordinates_t)c, 4, 1e-11);
    const mbd_placement_t X = pose(&r, "second");
    near(X.p.x, -0.237442468, 1e-8, "x of the second sphere");
    near(X.p.z, -2.533837046, 1e-8, "z of the second sphere");
    balanced(&r, 1e-5);
    run_free(&r);
    run_t s = run_file("slider_crank", (mbdx_coordinates_t)c, 1, 1e-11);
    near(pose(&s, "slider").p.x, 3.070611781, 1e-7, "slider");
    balanced(&s, 1e-5);
    run_free(&s);
  }
}

// phi2 and x4 after 2.5 s: Haug 5.8.2, by energy
static void
quick_return(void ** state)
{
  (void)state;
  double x[2];
  for (int c = 0; c < 2; c++) {
    run_t r =
      run_file("quick_return", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 2.5, 1e-10);
    x[c] = pose(&r, "cutter").p.x;
    balanced(&r, 1e-3);
    run_free(&r);
  }
  near(x[0], -0.984706095, 1e-6, "cutter");
  near(x[1], x[0], 1e-6, "cutter in two formulations");
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
    MBD_METHOD_SDIRK54, 2, 1e-9);
  const double half = acos(-1.0) / 2;
  const mbd_placement_t one = pose(&r, "upper"), two = pose(&r, "lower");
  near(atan2(one.R.m[3], one.R.m[0]) + half, -0.0025228227, 1e-8, "first bar");
  near(atan2(two.R.m[3], two.R.m[0]) + half, -0.0011694930, 1e-8, "second bar");
  assert_true(r.info->steps < 20000);
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

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(double_pendulum_with_springs),
    cmocka_unit_test(rods),
    cmocka_unit_test(quick_return),
    cmocka_unit_test(stiff_spring),
    cmocka_unit_test(dampers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
