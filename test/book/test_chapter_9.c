// Manipulators of Haug, sections 9.3 to 9.6: determinants, components, assembly modes.
#include <stdlib.h>

#include "mbdyn/manipulator.h"
#include "mechanism_file.h"

#define PI 3.14159265358979323846

enum { MOST = 16 };

typedef struct manipulator {
  mbdx_mechanism_t * file;
  mbd_data_t * data;
  mbd_manipulator_info_t info;
  mbd_manipulator_t * m;
} manipulator_t;

static manipulator_t
load(const char * text)
{
  manipulator_t r = {.file = load_mechanism_text(text, MBDX_COORDINATES_FILE)};
  const mbdx_mechanism_t * f = r.file;
  const size_t size = mbd_manipulator_size(f->model, f->ninput, f->noutput);
  assert_ok(mbd_data_create(f->model, &r.data));
  assert_ok(mbd_manipulator_init(
    f->model, r.data, f->ninput, f->input, f->noutput, f->output, f->q, NULL, malloc(size), size,
    &r.info, &r.m));
  return r;
}

static void
unload(manipulator_t * r)
{
  free(r->m);
  mbd_data_destroy(r->data);
  mbdx_mechanism_free(r->file);
}

static mbd_singularity_t
monitor(manipulator_t * r, const double * q)
{
  mbd_singularity_t s;
  assert_ok(mbd_manipulator_monitor(r->m, r->data, q, &s));
  return s;
}

#define BODY "mass: 1, inertia: [1, 1, 1]"

//---------- 9.3 ----------

static const char SERIAL[] =
  "name: serial\n"
  "bodies:\n"
  "  - {name: one, " BODY
  "}\n"
  "  - {name: two, " BODY
  ", xyz: [1, 0, 0]}\n"
  "  - {name: three, " BODY
  ", xyz: [2, 0, 0]}\n"
  "joints:\n"
  "  - {name: y1, type: continuous, a: world, b: one}\n"
  "  - {name: y2, type: continuous, a: {link: one, xyz: [1, 0, 0]}, b: two}\n"
  "  - {name: y3, type: continuous, a: {link: two, xyz: [1, 0, 0]}, b: three}\n"
  "inputs:\n"
  "  - {name: y1, type: joint, joint: y1}\n"
  "  - {name: y2, type: joint, joint: y2}\n"
  "  - {name: y3, type: joint, joint: y3}\n"
  "outputs:\n"
  "  - {name: z1, type: x, b: three}\n"
  "  - {name: z2, type: y, b: three}\n"
  "  - {name: z3, type: angle, b: three}\n";

static void
serial_sign_is_that_of_y2(void ** state)
{
  (void)state;
  manipulator_t r = load(SERIAL);
  assert_int_equal(r.info.type, MBD_MANIPULATOR_SERIAL);
  assert_false(r.info.redundant);
  int components[4] = {0};
  for (int i = 0; i < 200; i++) {
    const double q[3] = {2 * sin(i), 3 * sin(1.7 * i + 1), 3 * sin(2.3 * i)};
    const mbd_singularity_t s = monitor(&r, q);
    near(s.output_determinant, sin(q[1]), 1e-12, "|G'|");
    near(s.input_determinant, 1, 1e-12, "|Omega_q|");
    assert_int_equal(s.output_sign, sin(q[1]) > 0 ? 1 : -1);
    components[s.component]++;
  }
  assert_true(components[1] > 50 && components[3] > 50 && components[1] + components[3] == 200);
  // table 9.3.1, and the singularity between
  const double up[3] = {0, PI / 2, 0}, down[3] = {0, -PI / 2, 0}, flat[3] = {0, 0, 0};
  near(monitor(&r, up).output_determinant, 1, 1e-12, "|G'|");
  near(monitor(&r, down).output_determinant, -1, 1e-12, "|G'|");
  assert_true(monitor(&r, flat).output_condition < 1e-12);
  // elbow up and elbow down
  double q[MOST * 3], y[3], one[3];
  const double z[3] = {1, 1, PI / 2};
  int n;
  mbd_manipulator_result_t result;
  assert_ok(mbd_manipulator_inverse(r.m, r.data, z, up, one, y, &result));
  assert_int_equal(result.outcome, MBD_MANIPULATOR_SOLVED);
  near(cos(y[0]) + cos(y[0] + y[1]), 1, 1e-9, "z1");
  near(sin(y[0]) + sin(y[0] + y[1]), 1, 1e-9, "z2");
  near(remainder(y[0] + y[1] + y[2] - PI / 2, 2 * PI), 0, 1e-9, "z3");
  assert_ok(mbd_manipulator_solutions(r.m, r.data, false, z, up, MOST, q, &n));
  assert_int_equal(n, 2);
  for (int k = 0; k < n; k++) {
    const bool elbow = sin(q[3 * k + 1]) > 0;
    near(remainder(q[3 * k] - (elbow ? 0 : PI / 2), 2 * PI), 0, 1e-9, "y1");
    near(remainder(q[3 * k + 1] - (elbow ? PI / 2 : -PI / 2), 2 * PI), 0, 1e-9, "y2");
  }
  // out of reach: the arm points at it
  const double far[3] = {3, 0, 0};
  assert_ok(mbd_manipulator_inverse(r.m, r.data, far, up, one, y, &result));
  assert_int_equal(result.outcome, MBD_MANIPULATOR_UNREACHABLE);
  assert_true(result.fraction > 0.05 && result.fraction < 0.95);
  near(result.error, 1, 1e-4, "distance out of reach");
  near(remainder(one[0], 2 * PI), 0, 1e-2, "nearest: y1");
  near(remainder(one[1], 2 * PI), 0, 2e-2, "nearest: y2");
  unload(&r);
}

//---------- 9.4 ----------

static const char PARALLEL[] =
  "name: parallel\n"
  "bodies:\n"
  "  - {name: slide, " BODY
  ", xyz: [0, 1, 0]}\n"
  "  - {name: platform, " BODY
  ", xyz: [0, 1, 0]}\n"
  "joints:\n"
  "  - {name: z1, type: prismatic, a: {link: world, axis: [0, 1, 0]}, b: {link: slide, axis: [0, "
  "1, 0]}}\n"
  "  - {name: z2, type: continuous, a: slide, b: platform}\n"
  "initial: {z1: 1, z2: 0}\n"
  "inputs:\n"
  "  - {name: y1, type: distance, a: {link: world, xyz: [5, 0, 0]}, b: {link: platform, xyz: [6, "
  "0, 0]}}\n"
  "  - {name: y2, type: distance, a: {link: world, xyz: [-6, 0, 0]}, b: {link: platform, xyz: [-5, "
  "0, 0]}}\n"
  "outputs:\n"
  "  - {name: z1, type: joint, joint: z1}\n"
  "  - {name: z2, type: joint, joint: z2}\n";

// (z1, z2) with z2 in (-pi, pi]
static void
wrapped(const double * q, double * z)
{
  z[0] = q[0];
  z[1] = fabs(remainder(q[1], 2 * PI));
}

static void
parallel_platform_has_four_modes(void ** state)
{
  (void)state;
  manipulator_t r = load(PARALLEL);
  assert_int_equal(r.info.type, MBD_MANIPULATOR_PARALLEL);
  // table 9.4.1
  static const double TABLE[3][3] = {{1, 0, -5.5}, {-1, 0, -5.5}, {1, PI, 11.0 / 122}};
  for (int k = 0; k < 3; k++) {
    const mbd_singularity_t s = monitor(&r, TABLE[k]);
    near(s.input_determinant / s.output_determinant, TABLE[k][2], 1e-9, "|H'|");
    double y[2], H[4];
    assert_ok(mbd_manipulator_velocity(r.m, r.data, TABLE[k], y, NULL, NULL, H));
    near(y[0], k == 2 ? sqrt(122) : sqrt(2), 1e-12, "y1");
    near(H[0] * H[3] - H[1] * H[2], TABLE[k][2], 1e-9, "|H'|");
  }
  near(11.0 / 122, 0.090, 5e-4, "the book");
  // everywhere
  for (int i = 0; i < 100; i++) {
    const double z[2] = {8 * sin(1.3 * i), 3 * sin(2.1 * i + 0.4)};
    const double a = 6 * cos(z[1]) - 5, b = z[0] + 6 * sin(z[1]);
    const double c = 6 - 5 * cos(z[1]), d = z[0] - 5 * sin(z[1]);
    const double y1 = hypot(a, b), y2 = hypot(c, d);
    const double expected = -11 / (y1 * y2) * (z[0] * z[0] * cos(z[1]) - 30 * pow(sin(z[1]), 2));
    near(monitor(&r, z).input_determinant, expected, 1e-11, "|H'|");
  }
  // assembly modes of y = (11.2, 11.2)
  const double y[2] = {11.2, 11.2};
  double q[MOST * 2], z[MOST][2];
  int n, found[4] = {0};
  assert_ok(mbd_manipulator_solutions(r.m, r.data, true, y, r.file->q, MOST, q, &n));
  assert_int_equal(n, 4);
  static const double MODES[4][2] = {{11.15527, 0}, {-11.15527, 0}, {2.10713, PI}, {-2.10713, PI}};
  for (int i = 0; i < n; i++) {
    wrapped(q + 2 * i, z[i]);
    for (int k = 0; k < 4; k++) {
      found[k] += fabs(z[i][0] - MODES[k][0]) < 1e-5 && fabs(z[i][1] - MODES[k][1]) < 1e-5;
    }
    assert_int_equal(monitor(&r, q + 2 * i).input_sign, z[i][1] > 1 ? 1 : -1);
  }
  for (int k = 0; k < 4; k++) assert_int_equal(found[k], 1);
  unload(&r);
}

// from one mode to the other on a circle about (0, pi), by forward kinematics of its inputs
static void
modes_are_joined_without_singularity(void ** state)
{
  (void)state;
  manipulator_t r = load(PARALLEL);
  const double radius = 2.10713;
  double q[2] = {radius, PI}, z[2];
  double least = 1;
  for (int i = 1; i <= 400; i++) {
    const double angle = PI * i / 400, to[2] = {radius * cos(angle), PI + radius * sin(angle)};
    const double y[2] = {
      hypot(6 * cos(to[1]) - 5, to[0] + 6 * sin(to[1])),
      hypot(6 - 5 * cos(to[1]), to[0] - 5 * sin(to[1]))};
    mbd_manipulator_result_t result;
    assert_ok(mbd_manipulator_forward(r.m, r.data, y, q, q, z, &result));
    assert_int_equal(result.outcome, MBD_MANIPULATOR_SOLVED);
    assert_false(result.crossed);
    near(z[0], to[0], 1e-8, "z1");
    near(z[1], to[1], 1e-8, "z2");
    const mbd_singularity_t s = monitor(&r, q);
    assert_int_equal(s.input_sign, 1);
    least = fmin(least, s.input_condition);
  }
  near(q[0], -radius, 1e-8, "the other mode");
  assert_true(least > 0.01);
  // straight through (0, pi) there is a singularity, and both legs name it
  const double straight[2] = {0, PI};
  assert_true(monitor(&r, straight).input_condition < 1e-12);
  assert_true(monitor(&r, straight).input >= 0);
  unload(&r);
}

//---------- 9.5 ----------

static const char IMPLICIT[] =
  "name: implicit\n"
  "bodies:\n"
  "  - {name: one, " BODY
  ", xyz: [1, 0, 0]}\n"
  "  - {name: two, " BODY
  ", xyz: [2, 0, 0]}\n"
  "  - {name: platform, " BODY
  ", xyz: [2, 0, 0]}\n"
  "joints:\n"
  "  - {name: y1, type: continuous, a: {link: world, xyz: [1, 0, 0]}, b: one}\n"
  "  - {name: y2, type: continuous, a: {link: one, xyz: [1, 0, 0]}, b: two}\n"
  "  - {name: z, type: planar, a: world, b: platform}\n"
  "  - {name: pin, type: revolute, a: {link: two, xyz: [1, 0, 0]}, b: {link: platform, xyz: [1, 0, "
  "0]}}\n"
  "initial: {y1: 0.4, y2: 0.9, z: [1.5, 0.9, 0.3]}\n"
  "inputs:\n"
  "  - {name: y1, type: joint, joint: y1}\n"
  "  - {name: y2, type: joint, joint: y2}\n"
  "  - {name: y3, type: distance, b: {link: platform, xyz: [-1, 0, 0]}}\n"
  "outputs:\n"
  "  - {name: z1, type: x, b: platform}\n"
  "  - {name: z2, type: y, b: platform}\n"
  "  - {name: z3, type: angle, b: platform}\n";

static void
implicit_manipulator_has_four_components(void ** state)
{
  (void)state;
  manipulator_t r = load(IMPLICIT);
  assert_int_equal(r.info.type, MBD_MANIPULATOR_IMPLICIT);
  int counts[4] = {0}, sign[2] = {0};
  for (int i = 0; i < 200; i++) {
    // an assembled configuration: y1, y2, z3 free
    const double y1 = 2 * sin(1.1 * i), y2 = 3 * sin(2.7 * i + 1), z3 = 3 * sin(1.9 * i + 2);
    const double z1 = 1 + cos(y1) + cos(y1 + y2) - cos(z3), z2 = sin(y1) + sin(y1 + y2) - sin(z3);
    const double y3 = hypot(z1 - cos(z3), z2 - sin(z3));
    double q[5];
    int body;
    assert_ok(mbd_find_joint(r.file->model, "z", &body));
    const mbd_body_t * planar = &r.file->model->body[body];
    memcpy(q, r.file->q, sizeof q);
    assert_ok(mbd_find_joint(r.file->model, "y1", &body));
    q[r.file->model->body[body].q_index] = y1;
    assert_ok(mbd_find_joint(r.file->model, "y2", &body));
    q[r.file->model->body[body].q_index] = y2;
    q[planar->q_index] = z1, q[planar->q_index + 1] = z2, q[planar->q_index + 2] = z3;
    const mbd_singularity_t s = monitor(&r, q);
    // |F_y| = y3 sin y2, |F_z| = 2 (z2 cos z3 - z1 sin z3), divided by y3 as y3 is a length here
    const double Fy = sin(y2), Fz = 2 * (z2 * cos(z3) - z1 * sin(z3)) / y3;
    if (i == 0) sign[0] = s.input_determinant * Fz > 0 ? 1 : -1;
    if (i == 0) sign[1] = s.output_determinant * Fy > 0 ? 1 : -1;
    near(sign[0] * s.input_determinant, Fz, 1e-10, "|F_z|");
    near(sign[1] * s.output_determinant, Fy, 1e-10, "|F_y|");
    counts[s.component]++;
  }
  for (int k = 0; k < 4; k++) assert_true(counts[k] > 10);
  unload(&r);
}

//---------- 9.6 ----------

static const char LOADER[] =
  "name: loader\n"
  "bodies:\n"
  "  - {name: boom, " BODY
  "}\n"
  "  - {name: slider, " BODY
  ", xyz: [2.267949192431123, 0, 0]}\n"
  "  - {name: bucket, " BODY
  ", xyz: [4, 0, 0]}\n"
  "joints:\n"
  "  - {name: q1, type: continuous, a: world, b: boom}\n"
  "  - {name: q2, type: prismatic, a: {link: boom, axis: [1, 0, 0]}, b: {link: slider, axis: [1, "
  "0, 0]}}\n"
  "  - {name: q3, type: continuous, a: {link: boom, xyz: [4, 0, 0]}, b: bucket}\n"
  "closures:\n"
  "  - {name: rod, type: distance, distance: 2, a: slider, b: {link: bucket, xyz: [0, 1, 0]}}\n"
  "inputs:\n"
  "  - {name: y1, type: distance, a: {link: world, xyz: [0, -1, 0]}, b: {link: boom, xyz: [1.5, 0, "
  "0]}}\n"
  "  - {name: y2, type: joint, joint: q2}\n"
  "outputs:\n"
  "  - {name: z1, type: angle, b: bucket}\n"
  "  - {name: z2, type: y, b: {link: bucket, xyz: [1, -0.5, 0]}}\n";

static void
loader_has_the_signs_of_the_table(void ** state)
{
  (void)state;
  manipulator_t r = load(LOADER);
  assert_int_equal(r.info.type, MBD_MANIPULATOR_COMPOUND);
  // q1, q3, |Omega_q|, |Lambda_q|
  static const double TABLE[4][4] = {
    {0, 0, 3, 4}, {0, PI, -3, 4}, {PI, 0, -3, -4}, {PI, PI, 3, -4}};
  double unit[2] = {0};
  int components = 0;
  for (int k = 0; k < 4; k++) {
    const double q[3] = {TABLE[k][0], 4 - sqrt(3), TABLE[k][1]};
    const mbd_singularity_t s = monitor(&r, q);
    double y[2], H[4];
    assert_ok(mbd_manipulator_velocity(r.m, r.data, q, y, NULL, NULL, H));
    near(y[0], sqrt(3.25), 1e-12, "y1");
    // the book's rows are y1^2 = ... and q2 = ...: other factors, the same at these four
    const double found[2] = {s.input_determinant * 2 * y[0], s.output_determinant};
    for (int i = 0; i < 2 && k == 0; i++) unit[i] = TABLE[0][2 + i] / found[i];
    for (int i = 0; i < 2; i++) near(unit[i] * found[i], TABLE[k][2 + i], 1e-5, "determinant");
    near(
      H[0] * H[3] - H[1] * H[2],
      TABLE[k][2] / TABLE[k][3] / (2 * y[0]) * (unit[0] * unit[1] > 0 ? 1 : -1), 1e-9, "|H'|");
    components |= 1 << s.component;
  }
  assert_int_equal(components, 15);
  // between them, by the book's formulas
  for (int i = 0; i < 100; i++) {
    const double q1 = 3 * sin(1.3 * i), q3 = 3 * sin(2.9 * i + 1), root = sqrt(pow(sin(q3), 2) + 3);
    const double q[3] = {q1, 4 - sin(q3) - root, q3};
    double y[2], z[2], H[4];
    assert_ok(mbd_manipulator_velocity(r.m, r.data, q, y, z, NULL, H));
    near(y[0], sqrt(3.25 + 3 * sin(q1)), 1e-9, "y1");
    near(z[1], 4 * sin(q1) + sin(q1 + q3) - 0.5 * cos(q1 + q3), 1e-9, "z2");
    const double omega = 3 * (1 + sin(q3) / root) * cos(q1) * cos(q3), lambda = 4 * cos(q1);
    near(fabs(H[0] * H[3] - H[1] * H[2]), fabs(omega / lambda) / (2 * y[0]), 1e-8, "|H'|");
  }
  unload(&r);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(serial_sign_is_that_of_y2),
    cmocka_unit_test(parallel_platform_has_four_modes),
    cmocka_unit_test(modes_are_joined_without_singularity),
    cmocka_unit_test(implicit_manipulator_has_four_components),
    cmocka_unit_test(loader_has_the_signs_of_the_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
