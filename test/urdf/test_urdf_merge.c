// Fixed joints are merged with the full rotation of the inertia: the ways in which other readers
// got this wrong, against numbers computed by hand.
#include <stdlib.h>

#include "urdf_test.h"

#define HALF_PI "1.5707963267948966"
#define TENSOR(xx, yy, zz) \
  "<inertia ixx=\"" xx "\" ixy=\"0\" ixz=\"0\" iyy=\"" yy "\" iyz=\"0\" izz=\"" zz "\"/>"

static loaded_t
load_ok(const char * text)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  loaded_t l = load_text(text, &options);
  if (l.status != MBD_OK) print_report(l.report);
  assert_int_equal(l.status, MBD_OK);
  return l;
}

static void
assert_inertia(const mbd_inertia_t * M, const double expected[10], const char * what)
{
  const double numbers[10] = {M->mass, M->h.x,  M->h.y,  M->h.z,  M->I.xx,
                              M->I.xy, M->I.xz, M->I.yy, M->I.yz, M->I.zz};
  assert_close(numbers, expected, 10, 1e-14, "%s: m h I", what);
}

// a turned child on an arm: its centre of mass and its tensor turn with it
static void
turned_child(void ** state)
{
  (void)state;
  loaded_t l = load_ok(
    "<robot name=\"r\"><link name=\"base\"/>"
    "<link name=\"arm\"><inertial><mass value=\"2\"/>" TENSOR("0.4", "0.4", "0.4")
    "</inertial></link>"
    "<link name=\"tool\"><inertial><origin xyz=\"0.5 0 0\"/><mass value=\"3\"/>"
    TENSOR("0.1", "0.2", "0.3") "</inertial></link>"
    "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/>"
    "<axis xyz=\"0 0 1\"/></joint>"
    "<joint name=\"f\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tool\"/>"
    "<origin xyz=\"1 0 0\" rpy=\"0 0 " HALF_PI "\"/></joint></robot>");
  assert_int_equal(l.model->nbody, 1);
  // tool in arm axes: centre of mass (1, 0.5, 0), tensor diag(0.2, 0.1, 0.3) about it
  const double expected[10] = {5, 3, 1.5, 0, 1.35, -1.5, 0, 3.5, 0, 4.45};
  assert_inertia(&l.model->body[0].inertia, expected, "turned child");
  // the merged link is still there as a frame
  int frame;
  assert_ok(mbd_find_frame(l.model, "tool", &frame));
  assert_int_equal(l.model->frame[frame].body, 0);
  const mbd_placement_t * X = &l.model->frame[frame].X;
  const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, p[3] = {1, 0, 0};
  assert_close(X->R.m, R, 9, 1e-14, "R of tool");
  assert_close(&X->p.x, p, 3, 1e-14, "p of tool");
  loaded_free(&l);
}

static double
torque_for_unit_acceleration(const mbd_model_t * model)
{
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_gravity(data, (mbd_vec3_t){0, 0, 0}));
  const double q = 0.3, v = 0, qdd = 1;
  double tau;
  assert_ok(mbd_inverse_dynamics(model, data, &q, &v, &qdd, NULL, &tau));
  mbd_data_destroy(data);
  return tau;
}

// rpy of the inertial: without it the torque would be 1 N m, not 2; with and without a fixed joint
static void
turned_inertial(void ** state)
{
  (void)state;
  loaded_t l = load_ok(
    "<robot name=\"r\"><link name=\"base\"/>"
    "<link name=\"arm\"><inertial><origin rpy=\"0 " HALF_PI " 0\"/><mass value=\"1\"/>"
    TENSOR("2", "1.5", "1") "</inertial></link>"
    "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/>"
    "<axis xyz=\"0 0 1\"/></joint></robot>");
  const double expected[10] = {1, 0, 0, 0, 1, 0, 0, 1.5, 0, 2};
  assert_inertia(&l.model->body[0].inertia, expected, "turned inertial");
  const double two = 2;
  double tau = torque_for_unit_acceleration(l.model);
  assert_close(&tau, &two, 1, 1e-14, "torque");
  loaded_free(&l);

  l = load_ok(
    "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"/>"
    "<link name=\"load\"><inertial><origin rpy=\"0 " HALF_PI " 0\"/><mass value=\"1\"/>"
    TENSOR("2", "1.5", "1") "</inertial></link>"
    "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/>"
    "<axis xyz=\"0 0 1\"/></joint>"
    "<joint name=\"f\" type=\"fixed\"><parent link=\"arm\"/><child link=\"load\"/></joint>"
    "</robot>");
  tau = torque_for_unit_acceleration(l.model);
  assert_close(&tau, &two, 1, 1e-14, "torque through a fixed joint");
  loaded_free(&l);
}

// a torso of 13 kg behind a fixed joint, between a base and two arms, is not dropped
static void
heavy_torso(void ** state)
{
  (void)state;
  static const char * const text =
    "<robot name=\"r\">"
    "<link name=\"pelvis\"><inertial><mass value=\"5\"/>" TENSOR("0.1", "0.1", "0.1")
    "</inertial></link>"
    "<link name=\"torso\"><inertial><origin xyz=\"0 0 0.2\"/><mass value=\"13\"/>"
    TENSOR("0.3", "0.3", "0.2") "</inertial></link>"
    "<link name=\"left\"><inertial><mass value=\"1\"/>" TENSOR("0.01", "0.01", "0.01")
    "</inertial></link>"
    "<joint name=\"waist\" type=\"fixed\"><parent link=\"pelvis\"/><child link=\"torso\"/>"
    "<origin xyz=\"0 0 0.1\"/></joint>"
    "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"torso\"/><child link=\"left\"/>"
    "<origin xyz=\"0 0.2 0.3\"/><axis xyz=\"0 0 1\"/></joint></robot>";
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  loaded_t l = load_text(text, &options);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.model->nbody, 2);
  const double mass = 19;
  assert_close(&l.model->mass, &mass, 1, 1e-15, "mass");
  // torso's centre of mass at 0.3 m: 13 * 0.09 = 1.17
  const double expected[10] = {18, 0, 0, 3.9, 1.57, 0, 0, 1.57, 0, 0.3};
  assert_inertia(&l.model->body[0].inertia, expected, "pelvis and torso");
  assert_entry(
    "torso", l.report, MBDX_NOTE, 1, "link 'torso': merged into link 'pelvis' with its 13 kg");
  loaded_free(&l);

  // fixed to the world it does not move, and that is said
  l = load_text(text, NULL);
  assert_true(l.model->mass == 1 && l.model->mass_fixed == 18);
  loaded_free(&l);
}

// a joint below a merged, turned link: its place and axis turn too
static void
joint_below_turned_link(void ** state)
{
  (void)state;
  loaded_t l = load_ok(
    "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/><link name=\"b\"/>"
    "<link name=\"c\"><inertial><origin xyz=\"0 -0.5 0\"/><mass value=\"1\"/>"
    TENSOR("0.1", "0.1", "0.1") "</inertial></link>"
    "<joint name=\"j1\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
    "<axis xyz=\"0 1 0\"/></joint>"
    "<joint name=\"f\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>"
    "<origin xyz=\"1 0 0\" rpy=\"0 0 " HALF_PI "\"/></joint>"
    "<joint name=\"j2\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/>"
    "<axis xyz=\"1 0 0\"/></joint></robot>");
  mbd_data_t * data;
  assert_ok(mbd_data_create(l.model, &data));
  const double q[2] = {0, 0};
  assert_ok(mbd_set_position(l.model, data, q));
  double g[2];
  assert_ok(mbd_gravity(l.model, data, g));
  // the mass is 1.5 m out from the first axis and 0.5 m from the second, which is parallel to it
  const double expected[2] = {-1.5 * 9.81, -0.5 * 9.81};
  assert_close(g, expected, 2, 1e-14, "gravity");
  mbd_data_destroy(data);
  loaded_free(&l);
}

// three fixed joints in a row, each turned: rotations compose in the right order
static void
fixed_joints_in_a_row(void ** state)
{
  (void)state;
  loaded_t l = load_ok(
    "<robot name=\"r\"><link name=\"base\"/>"
    "<link name=\"a\"><inertial><mass value=\"1\"/>" TENSOR("1", "1", "1") "</inertial></link>"
    "<link name=\"b\"/><link name=\"c\"/>"
    "<link name=\"d\"><inertial><origin xyz=\"0 0 1\"/><mass value=\"2\"/>"
    TENSOR("1", "2", "3") "</inertial></link>"
    "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
    "<axis xyz=\"0 0 1\"/></joint>"
    "<joint name=\"f1\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>"
    "<origin rpy=\"" HALF_PI " 0 0\"/></joint>"
    "<joint name=\"f2\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/>"
    "<origin rpy=\"0 " HALF_PI " 0\"/></joint>"
    "<joint name=\"f3\" type=\"fixed\"><parent link=\"c\"/><child link=\"d\"/>"
    "<origin xyz=\"0 0 2\"/></joint></robot>");
  // x of d is y of a, y is z, z is x: centre of mass at (3, 0, 0), tensor diag(3, 1, 2) about it
  const double expected[10] = {3, 6, 0, 0, 1 + 3, 0, 0, 1 + 1 + 18, 0, 1 + 2 + 18};
  assert_inertia(&l.model->body[0].inertia, expected, "row of fixed joints");
  loaded_free(&l);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(turned_child),          cmocka_unit_test(turned_inertial),
    cmocka_unit_test(heavy_torso),           cmocka_unit_test(joint_below_turned_link),
    cmocka_unit_test(fixed_joints_in_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
