// What URDF 1.1 and 1.2 added: quaternions, capsules, limits of acceleration and jerk; and that
// nothing a number could depend on is left out without an error.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "urdf_test.h"

// a rod on a hinge about z, with attributes of the two origins and of the limit
static loaded_t
load_rod(const char * version, const char * joint, const char * inertial, const char * limit)
{
  char text[2000];
  const int n = snprintf(
    text, sizeof text,
    "<robot name=\"rod\" version=\"%s\">\n<link name=\"base\"/>\n"
    "<joint name=\"hinge\" type=\"revolute\"><parent link=\"base\"/><child link=\"rod\"/>\n"
    "<origin %s/>\n<axis xyz=\"0 0 1\"/>\n<limit %s/></joint>\n"
    "<link name=\"rod\"><inertial>\n<origin %s/>\n<mass value=\"1\"/>\n"
    "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"1.1\" iyz=\"0.3\" izz=\"0.9\"/>\n"
    "</inertial></link></robot>\n",
    version, joint, limit, inertial);
  assert_true(n > 0 && (size_t)n < sizeof text);
  return load_text(text, NULL);
}

enum { JOINT_LINE = 4, LIMIT_LINE = 6, INERTIAL_LINE = 8 };
#define LIMITS "lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\""

static loaded_t
load_good(const char * version, const char * joint, const char * inertial, const char * limit)
{
  loaded_t l = load_rod(version, joint, inertial, limit);
  if (l.status != MBD_OK) print_report(l.report);
  assert_int_equal(l.status, MBD_OK);
  return l;
}

//---------- quaternions ----------

// v + 2 w (u x v) + 2 u x (u x v) of q = (u, w) by its norm
static void
rotate(const double q[4], const double v[3], double out[3])
{
  long double a[3], b[3], n = 0;
  for (int k = 0; k < 4; k++) n += (long double)q[k] * q[k];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    a[k] = (long double)q[i] * v[j] - (long double)q[j] * v[i];
  }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    b[k] = q[i] * a[j] - q[j] * a[i];
  }
  for (int k = 0; k < 3; k++) out[k] = (double)(v[k] + 2 * (q[3] * a[k] + b[k]) / n);
}

// largest element of a rotation against the quaternion that it was read from
static double
rotation_error(const mbd_mat3_t * R, const double q[4])
{
  double most = 0;
  for (int c = 0; c < 3; c++) {
    double e[3] = {0, 0, 0}, column[3];
    e[c] = 1;
    rotate(q, e, column);
    for (int r = 0; r < 3; r++) most = fmax(most, fabs(R->m[3 * r + c] - column[r]));
  }
  return most;
}

// q of each joint origin, any length: axes, right angles of pitch (roll and yaw about one axis) and
// next to them, and all the rest
static void
joint_origins_turn_as_their_quaternion(void ** state)
{
  (void)state;
  const double h = 0.70710678118654752;
  const double special[][4] = {{0, 0, 0, 1},  {0, 0, 0, -1}, {1, 0, 0, 0},  {0, 1, 0, 0},
                               {0, 0, 1, 0},  {h, 0, 0, h},  {0, h, 0, h},  {0, -h, 0, h},
                               {0, 0, h, -h}, {1, 1, 1, 1},  {1, -1, 1, 1}, {0.5, 0.5, -0.5, 0.5},
                               {0, 3, 0, 3}};
  enum { NSPECIAL = sizeof special / sizeof special[0], MANY = 400 };
  uint64_t random = 7;
  int compared = 0;
  for (int i = 0; i < NSPECIAL + 2 * MANY; i++) {
    double q[4];
    for (int k = 0; k < 4; k++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      q[k] = 2 * ((double)(random >> 11) / 9007199254740992.0) - 1;
    }
    if (i < NSPECIAL) memcpy(q, special[i], sizeof q);
    // pitch off a right angle by 1e-16 ... 1: yaw and roll about x by chance
    if (i >= NSPECIAL + MANY) {
      const double off = pow(10, 16 * (fabs(q[0]) - 1)), roll = 3 * q[1];
      const double c = cos(0.25 * 3.14159265358979 - off), s = sin(0.25 * 3.14159265358979 - off);
      const double p[4] = {
        c * sin(roll / 2), s * cos(roll / 2), -s * sin(roll / 2), c * cos(roll / 2)};
      memcpy(q, p, sizeof q);
    }
    char origin[200];
    snprintf(
      origin, sizeof origin, "xyz=\"1 2 3\" quat_xyzw=\"%.17g %.17g %.17g %.17g\"", q[0], q[1],
      q[2], q[3]);
    loaded_t l = load_good("1.1", origin, "", LIMITS);
    const double error = rotation_error(&l.model->body[0].X_tree.R, q);
    if (error > 1e-15) print_error("%s: %g\n", origin, error);
    assert_true(error <= 1e-15);
    compared++;
    loaded_free(&l);
  }
  assert_int_equal(compared, NSPECIAL + 2 * MANY);
}

// the hinge's axis lies along y of the world, the rod 1 m along x: m g in place of 0
static void
gravity_acts_on_what_a_quaternion_turned(void ** state)
{
  (void)state;
  loaded_t l = load_good(
    "1.1", "quat_xyzw=\"-0.7071067811865476 0 0 0.7071067811865476\"", "xyz=\"1 0 0\"", LIMITS);
  mbd_data_t * data = NULL;
  const double q = 0;
  double tau = 0;
  assert_int_equal(mbd_data_create(l.model, &data), MBD_OK);
  assert_int_equal(mbd_set_position(l.model, data, &q), MBD_OK);
  assert_int_equal(mbd_gravity(l.model, data, &tau), MBD_OK);
  assert_true(fabs(tau - -9.81) < 1e-13);
  mbd_data_destroy(data);
  loaded_free(&l);
}

// half a turn about z takes ixz and iyz to their negative, ixy stays; next to it the quarter turn
static void
inertia_turns_with_its_quaternion(void ** state)
{
  (void)state;
  static const struct {
    const char * origin;
    mbd_sym3_t I;
  } cases[] = {
    {"quat_xyzw=\"0 0 0 1\"", {1, 0.1, 0.2, 1.1, 0.3, 0.9}},
    {"quat_xyzw=\"0 0 1 0\"", {1, 0.1, -0.2, 1.1, -0.3, 0.9}},
    {"quat_xyzw=\"0 0 2 2\"", {1.1, -0.1, -0.3, 1, 0.2, 0.9}},
    {"quat_xyzw=\"1 1 1 1\"", {0.9, 0.2, 0.3, 1, 0.1, 1.1}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    loaded_t l = load_good("1.1", "", cases[i].origin, LIMITS);
    const mbd_sym3_t * I = &l.model->body[0].inertia.I;
    assert_close(&I->xx, &cases[i].I.xx, 6, 1e-15, "%s", cases[i].origin);
    loaded_free(&l);
  }
}

//---------- limits, capsules ----------

static void
limits_of_acceleration_and_jerk_are_read(void ** state)
{
  (void)state;
  loaded_t l =
    load_good("1.2", "", "", LIMITS " acceleration=\"12\" deceleration=\"20.5\" jerk=\"1e3\"");
  const mbd_limits_t all = l.model->body[0].limits;
  assert_true(all.acceleration == 12 && all.deceleration == 20.5 && all.jerk == 1000);
  assert_true(all.lower == -1 && all.upper == 1 && all.effort == 1 && all.velocity == 1);
  loaded_free(&l);
  static const char * const version[] = {"1.0", "1.1", "1.2"};
  for (int k = 0; k < 3; k++) {
    l = load_good(version[k], "", "", LIMITS);
    const mbd_limits_t none = l.model->body[0].limits;
    assert_true(isinf(none.acceleration) && isinf(none.deceleration) && isinf(none.jerk));
    loaded_free(&l);
  }
  // and they are what a builder may give, too
  mbd_body_spec_t spec = mbd_body_spec_default();
  double * const rate[3] = {
    &spec.limits.acceleration, &spec.limits.deceleration, &spec.limits.jerk};
  spec.name = "rod", spec.joint_name = "hinge", spec.type = MBD_JOINT_REVOLUTE;
  for (int k = 0; k < 3; k++) {
    mbd_model_t * model = NULL;
    int frame;
    assert_int_equal(mbd_model_create("robot", &model), MBD_OK);
    *rate[k] = -1;
    assert_int_equal(mbd_model_add_body(model, &spec, &frame), MBD_ERROR_BAD_JOINT);
    *rate[k] = (double)NAN;
    assert_int_equal(mbd_model_add_body(model, &spec, &frame), MBD_ERROR_BAD_JOINT);
    *rate[k] = HUGE_VAL;
    mbd_model_destroy(model);
  }
}

static void
file_with_all_of_it_is_read(void ** state)
{
  (void)state;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.strict = true;
  assert_int_equal(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/test/data/version_1_2.urdf", &options, &model, &report),
    MBD_OK);
  assert_int_equal(report->nwarning + report->nerror, 0);
  assert_non_null(
    find_entry(report, MBDX_NOTE, 6, "<visual> has no effect on dynamics: 2 ignored"));
  mbd_data_t * data = NULL;
  const double q = 0;
  double tau = 0;
  assert_int_equal(mbd_data_create(model, &data), MBD_OK);
  assert_int_equal(mbd_set_position(model, data, &q), MBD_OK);
  assert_int_equal(mbd_gravity(model, data, &tau), MBD_OK);
  assert_true(fabs(tau - -9.81) < 1e-13);
  assert_true(model->body[0].limits.jerk == 150);
  mbd_data_destroy(data);
  mbdx_report_free(report);
  mbd_model_destroy(model);
}

//---------- what is refused or noted ----------

typedef struct row {
  const char *version, *joint, *inertial, *limit;
  int line;
  const char * says;  // the whole sentence
} row_t;

#define QUAT "quat_xyzw=\"0 0 0 1\""

// clang-format off
static const row_t refused[] = {
  {"1.0", QUAT, "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': attribute 'quat_xyzw' of <origin> requires URDF 1.1, but the file has version 1.0; write version=\"1.1\" in <robot>, or remove it"},
  {"1", QUAT, "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': attribute 'quat_xyzw' of <origin> requires URDF 1.1, but the file has version 1.0; write version=\"1.1\" in <robot>, or remove it"},
  {"1.0", "", QUAT, LIMITS, INERTIAL_LINE, "arm.urdf:8: link 'rod': attribute 'quat_xyzw' of <origin> requires URDF 1.1, but the file has version 1.0; write version=\"1.1\" in <robot>, or remove it"},
  {"1.1", QUAT " rpy=\"0 0 0\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin has both rpy and quat_xyzw; keep one"},
  {"1.1", "", "rpy=\"1 0 0\" " QUAT, LIMITS, INERTIAL_LINE, "arm.urdf:8: link 'rod': origin has both rpy and quat_xyzw; keep one"},
  {"1.1", "quat_xyzw=\"0 0 0 0\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 0 0\" has zero norm; write e.g. \"0 0 0 1\""},
  {"1.1", "quat_xyzw=\"0 0 1\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 1\" has 3 values, not 4; write four numbers with spaces between them"},
  {"1.2", "quat_xyzw=\"0 0 0 1 0\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 0 1 0\" has 5 values, not 4; write four numbers with spaces between them"},
  {"1.2", "quat_xyzw=\"0 0 nan 1\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 nan 1\" is not a number; write a finite number"},
  {"1.1", "", "", LIMITS " acceleration=\"1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': attribute 'acceleration' of <limit> requires URDF 1.2, but the file has version 1.1; write version=\"1.2\" in <robot>, or remove it"},
  {"1.0", "", "", LIMITS " deceleration=\"1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': attribute 'deceleration' of <limit> requires URDF 1.2, but the file has version 1.0; write version=\"1.2\" in <robot>, or remove it"},
  {"1.0", "", "", LIMITS " jerk=\"1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': attribute 'jerk' of <limit> requires URDF 1.2, but the file has version 1.0; write version=\"1.2\" in <robot>, or remove it"},
  {"1.2", "", "", LIMITS " jerk=\"-1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': limit jerk -1 is negative"},
  {"1.2", "", "", LIMITS " deceleration=\"-2\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': limit deceleration -2 is negative"},
  {"1.2", "", "", LIMITS " acceleration=\"fast\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': limit acceleration \"fast\" is not a number"},
  {"1.2", "", "", "lower=\"0\" effort=\"1\" velocity=\"1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': limit has no upper, which URDF 1.2 requires; write both"},
  {"2.0", "", "", LIMITS, 1, "arm.urdf:1: robot 'rod': version \"2.0\" is unknown; write 1.0, 1.1 or 1.2"},
  {"1.3", "", "", LIMITS, 1, "arm.urdf:1: robot 'rod': version \"1.3\" is unknown; write 1.0, 1.1 or 1.2"},
  {"1.1.0", "", "", LIMITS, 1, "arm.urdf:1: robot 'rod': version \"1.1.0\" is unknown; write 1.0, 1.1 or 1.2"},
  {"", "", "", LIMITS, 1, "arm.urdf:1: robot 'rod': version \"\" is unknown; write 1.0, 1.1 or 1.2"},
};

static const row_t noted[] = {
  {"1.1", "quat_xyzw=\"0 0 2 0\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 2 0\" of norm 2 normalised to norm 1"},
  {"1.1", "quat_xyzw=\"0 0 0.7071 0.7071\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 0.7071 0.7071\" of norm 0.99999 normalised to norm 1"},
  {"1.1", "quat_xyzw=\"0 0 1e200 0\"", "", LIMITS, JOINT_LINE, "arm.urdf:4: joint 'hinge': origin quat_xyzw \"0 0 1e200 0\" of norm 1e+200 normalised to norm 1"},
  {"1.0", "", "", LIMITS " drake:acceleration=\"5\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': attribute 'drake:acceleration' of <limit> has another namespace and is ignored"},
  {"1.0", "", "", LIMITS " xmlns:drake=\"http://drake.mit.edu\" drake:acceleration=\"5\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': attribute 'drake:acceleration' of <limit> has another namespace and is ignored"},
  {"1.0", "", "", "lower=\"0\" effort=\"1\" velocity=\"1\"", LIMIT_LINE, "arm.urdf:6: joint 'hinge': limit has no upper; 0 is used, as in the URDF specification"},
};
// clang-format on

static void
newer_features_are_refused_where_they_are_wrong(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    const row_t * r = &refused[i];
    loaded_t l = load_rod(r->version, r->joint, r->inertial, r->limit);
    if (l.status != MBD_ERROR_URDF) print_error("%s\n", r->says);
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_int_equal(l.report->nerror, 1);
    assert_entry(r->says, l.report, MBDX_ERROR, r->line, r->says);
    assert_string_equal(find_entry(l.report, MBDX_ERROR, r->line, r->says)->text, r->says);
    loaded_free(&l);
  }
}

static void
what_is_normalised_or_of_others_is_noted(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++) {
    const row_t * r = &noted[i];
    loaded_t l = load_good(r->version, r->joint, r->inertial, r->limit);
    assert_entry(r->says, l.report, MBDX_NOTE, r->line, r->says);
    assert_string_equal(find_entry(l.report, MBDX_NOTE, r->line, r->says)->text, r->says);
    loaded_free(&l);
  }
}

// every element that numbers come from, with an attribute that nobody knows, and with one that has
// a prefix
static void
unknown_attributes_of_numbers_are_refused(void ** state)
{
  (void)state;
  static const struct {
    int line;
    const char *tag, *format;
  } elements[] = {
    {3, "inertial", "<link name=\"forearm\"><inertial %s>"},
    {4, "origin", "<origin xyz=\"0 0 1\" %s/>"},
    {5, "mass", "<mass value=\"1.5\" %s/>"},
    {6, "inertia", "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\" %s/>"},
    {11, "origin", "<origin xyz=\"0 0 1\" %s/>"},
    {12, "axis", "<axis xyz=\"0 1 0\" %s/>"},
    {13, "limit", "<limit " LIMITS " %s/>"},
    {13, "dynamics", "<dynamics damping=\"1\" friction=\"1\" %s/>"},
    {13, "mimic", "<mimic joint=\"elbow\" %s/>"}};
  static const char * const unknown[] = {"quat_wxyz", "Xyz", "spring_stiffness", "unit"};
  int refused_count = 0;
  for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
    for (int k = 0; k < 5; k++) {
      char attribute[60], line[200], says[200];
      snprintf(attribute, sizeof attribute, "%s=\"1\"", k < 4 ? unknown[k] : "drake:unit");
      snprintf(line, sizeof line, elements[i].format, attribute);
      char * text = arm_with(elements[i].line, line);
      loaded_t l = load_text(text, NULL);
      const bool mimic = strcmp(elements[i].tag, "mimic") == 0;  // of itself: refused anyway
      if (k < 4) {
        snprintf(
          says, sizeof says, "attribute '%s' of <%s> is unknown; correct the name, or remove it",
          unknown[k], elements[i].tag);
        assert_int_equal(l.status, MBD_ERROR_URDF);
        assert_entry(says, l.report, MBDX_ERROR, elements[i].line, says);
        refused_count++;
      } else {
        snprintf(
          says, sizeof says, "attribute 'drake:unit' of <%s> has another namespace and is ignored",
          elements[i].tag);
        assert_int_equal(l.status, mimic ? MBD_ERROR_URDF : MBD_OK);
        assert_entry(says, l.report, MBDX_NOTE, elements[i].line, says);
      }
      loaded_free(&l);
      free(text);
    }
  }
  assert_int_equal(refused_count, 36);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(joint_origins_turn_as_their_quaternion),
    cmocka_unit_test(gravity_acts_on_what_a_quaternion_turned),
    cmocka_unit_test(inertia_turns_with_its_quaternion),
    cmocka_unit_test(limits_of_acceleration_and_jerk_are_read),
    cmocka_unit_test(file_with_all_of_it_is_read),
    cmocka_unit_test(newer_features_are_refused_where_they_are_wrong),
    cmocka_unit_test(what_is_normalised_or_of_others_is_noted),
    cmocka_unit_test(unknown_attributes_of_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
