// What is accepted: the exact sentence about it, and the numbers that end up in the model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_test.h"

//---------- sentences ----------

typedef struct row {
  int replace;
  const char * text;
  mbdx_severity_t severity;
  int line;
  const char * says;  // the whole sentence
} row_t;

#define BODY                                                                       \
  "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" " \
  "iyz=\"0\" izz=\"1\"/></inertial>"

// clang-format off
static const row_t rows[] = {
  {0, "", MBDX_NOTE, 0, "arm.urdf: robot 'arm': 2 links, 1 joints (1 moving), mass 1.5 kg"},
  // normalised
  {12, "<axis xyz=\"0 0 2\"/>", MBDX_NOTE, 12, "arm.urdf:12: joint 'elbow': axis \"0 0 2\" of length 2 normalised to length 1"},
  {12, "<axis xyz=\"0 0 1e-200\"/>", MBDX_NOTE, 12, "arm.urdf:12: joint 'elbow': axis \"0 0 1e-200\" of length 1e-200 normalised to length 1"},
  {12, "<axis xyz=\"1e300 0 1e300\"/>", MBDX_NOTE, 12, "arm.urdf:12: joint 'elbow': axis \"1e300 0 1e300\" of length 1.41421e+300 normalised to length 1"},
  {12, "", MBDX_NOTE, 8, "arm.urdf:8: joint 'elbow': has no axis; 1 0 0 is used"},
  {13, "", MBDX_NOTE, 8, "arm.urdf:8: joint 'elbow': has no limit: unlimited"},
  {13, "<limit lower=\"-1\" upper=\"1\"/>", MBDX_NOTE, 13, "arm.urdf:13: joint 'elbow': limit has no effort and velocity: unlimited"},
  {13, "<limit lower=\"-1\" effort=\"1\" velocity=\"1\"/>", MBDX_NOTE, 13, "arm.urdf:13: joint 'elbow': limit has no upper; 0 is used, as in the URDF specification"},
  {8, "<joint name=\"elbow\" type=\"continuous\">", MBDX_NOTE, 13, "arm.urdf:13: joint 'elbow': lower and upper of a continuous joint are ignored"},
  {2, "<link name=\"base\">" BODY "</link>", MBDX_NOTE, 2, "arm.urdf:2: link 'base': the root link is fixed to the world: its inertial has no effect"},
  {2, "<link name=\"base\">" BODY "</link>", MBDX_NOTE, 0, "arm.urdf: robot 'arm': 2 links, 1 joints (1 moving), mass 1.5 kg, and 1 kg fixed to the world"},
  // merged
  {14, "</joint><link name=\"tool\"/><joint name=\"f\" type=\"fixed\"><parent link=\"forearm\"/><child link=\"tool\"/></joint>", MBDX_NOTE, 14,
    "arm.urdf:14: link 'tool': merged into link 'forearm' (fixed joint 'f'); kept as a frame"},
  {14, "</joint><link name=\"tool\">" BODY "</link><joint name=\"f\" type=\"fixed\"><parent link=\"forearm\"/><child link=\"tool\"/><axis xyz=\"0 0 0\"/></joint>", MBDX_NOTE, 14,
    "arm.urdf:14: link 'tool': merged into link 'forearm' with its 1 kg (fixed joint 'f'); kept as a frame"},
  {14, "</joint><link name=\"tool\">" BODY "</link><joint name=\"f\" type=\"fixed\"><parent link=\"base\"/><child link=\"tool\"/></joint>", MBDX_NOTE, 14,
    "arm.urdf:14: link 'tool': merged into the world with its 1 kg (fixed joint 'f'); kept as a frame"},
  {14, "</joint><link name=\"tool\"/><joint name=\"f\" type=\"fixed\"><parent link=\"forearm\"/><child link=\"tool\"/><limit/></joint>", MBDX_NOTE, 14,
    "arm.urdf:14: joint 'f': limit of a joint of this type is ignored"},
  // ignored without effect: one note for each kind
  {2, "<link name=\"base\"><visual/><visual/><collision/></link>\n<gazebo/><visual/>", MBDX_NOTE, 2, "arm.urdf:2: robot 'arm': <visual> has no effect on dynamics: 3 ignored"},
  {2, "<link name=\"base\"><visual/><collision/></link>", MBDX_NOTE, 2, "arm.urdf:2: robot 'arm': <collision> has no effect on dynamics: 1 ignored"},
  {2, "<link name=\"base\"/><gazebo/><material/><sensor/><ros2_control/>", MBDX_NOTE, 2, "arm.urdf:2: robot 'arm': <sensor> has no effect on dynamics: 1 ignored"},
  {13, "<safety_controller k_velocity=\"1\"/><calibration/>", MBDX_NOTE, 13, "arm.urdf:13: robot 'arm': <safety_controller> has no effect on dynamics: 1 ignored"},
  {2, "<link name=\"base\"><drake:proximity_properties xmlns:drake=\"d\"/></link>", MBDX_NOTE, 2, "arm.urdf:2: robot 'arm': elements of other namespaces are not supported: 1 ignored"},
  {2, "<link name=\"base\"><sensor:camera/></link>", MBDX_NOTE, 2, "arm.urdf:2: robot 'arm': elements of other namespaces are not supported: 1 ignored"},
  // ignored or suspicious
  {1, "<robot>", MBDX_WARNING, 1, "arm.urdf:1: robot: has no name; 'robot' is used; add name=\"...\""},
  {1, "<robot name=\"arm\" colour=\"red\">", MBDX_WARNING, 1, "arm.urdf:1: robot 'arm': attribute 'colour' of <robot> is ignored"},
  {2, "<link name=\"base\"/><restraint/>", MBDX_WARNING, 2, "arm.urdf:2: robot 'arm': element <restraint> is ignored"},
  {2, "<link name=\"base\"><self_collide/></link>", MBDX_WARNING, 2, "arm.urdf:2: link 'base': element <self_collide> is ignored"},
  {2, "<link name=\"base\" parent=\"x\"/>", MBDX_WARNING, 2, "arm.urdf:2: link 'base': attribute 'parent' of <link> is ignored"},
  {2, "<link name=\"base\">mass value=\"3\"/&gt;</link>", MBDX_WARNING, 2, "arm.urdf:2: link 'base': text \"mass value=\"3\"/>\" in <link> is ignored"},
  {13, "<physics/>", MBDX_WARNING, 13, "arm.urdf:13: joint 'elbow': element <physics> is ignored"},
  {13, "<limitless/><unit/>", MBDX_WARNING, 13, "arm.urdf:13: joint 'elbow': element <limitless> is ignored"},
  {8, "<joint name=\"elbow\" type=\"floating\">", MBDX_WARNING, 13, "arm.urdf:13: joint 'elbow': limit of a joint of this type is ignored"},
  {6, "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"3\"/>", MBDX_WARNING, 6,
    "arm.urdf:6: link 'forearm': inertia violates the triangle inequality: principal moments 1, 1, 3; not physically consistent: check the values"},
  {6, "<inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/>", MBDX_WARNING, 6, "arm.urdf:6: link 'forearm': mass 1.5 kg with an inertia of zero: a point mass"},
  {5, "<mass value=\"0\"/>", MBDX_WARNING, 6, "arm.urdf:6: link 'forearm': mass 0 with a nonzero inertia; give a mass"},
  {14, "</joint><link name=\"x\">" BODY "</link><joint name=\"f\" type=\"continuous\"><parent link=\"base\"/><child link=\"x\"/><mimic joint=\"elbow\"/></joint>", MBDX_NOTE, 14,
    "arm.urdf:14: joint 'f': mimics joint 'elbow'; coupled to it"},
  // transmissions
  {14, "</joint><transmission name=\"t\"><joint name=\"elbow\"/><actuator name=\"m\"><mechanicalReduction> 50 </mechanicalReduction></actuator></transmission>", MBDX_NOTE, 14,
    "arm.urdf:14: transmission 't': joint 'elbow' has gear ratio 50 and rotor inertia 0 kg m^2"},
  {14, "</joint><transmission name=\"t\"><joint name=\"shoulder\"/><actuator name=\"m\"/></transmission>", MBDX_WARNING, 14, "arm.urdf:14: transmission 't': is ignored: there is no joint 'shoulder'"},
  {14, "</joint><transmission name=\"t\"><joint name=\"elbow\"/><joint name=\"b\"/><actuator name=\"m\"/></transmission>", MBDX_WARNING, 14,
    "arm.urdf:14: transmission 't': is ignored: 2 joints and 1 actuators; only one of each is supported"},
  {14, "</joint><transmission name=\"t\"><joint name=\"elbow\"/></transmission>\n<transmission name=\"u\"><joint name=\"elbow\"/></transmission>", MBDX_WARNING, 15,
    "arm.urdf:15: transmission 'u': is ignored: joint 'elbow' has one on line 14"},
};
// clang-format on

static void
oddities_are_reported(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const row_t * r = &rows[i];
    char * text = arm_with(r->replace, r->text);
    loaded_t l = load_text(text, NULL);
    if (l.status != MBD_OK) print_report(l.report);
    assert_int_equal(l.status, MBD_OK);
    assert_entry(r->says, l.report, r->severity, r->line, r->says);
    assert_string_equal(find_entry(l.report, r->severity, r->line, r->says)->text, r->says);
    loaded_free(&l);
    free(text);
  }
}

// strict: a warning is an error, a note is not
static void
strict_refuses_warnings(void ** state)
{
  (void)state;
  mbdx_urdf_options_t strict = mbdx_urdf_options_default();
  strict.strict = true;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char * text = arm_with(rows[i].replace, rows[i].text);
    loaded_t lax = load_text(text, NULL);
    loaded_t l = load_text(text, &strict);
    assert_int_equal(l.status, lax.report->nwarning > 0 ? MBD_ERROR_URDF : MBD_OK);
    assert_int_equal(l.report->nerror, lax.report->nwarning);
    assert_int_equal(l.report->nwarning, 0);
    loaded_free(&lax);
    loaded_free(&l);
    free(text);
  }
}

//---------- numbers ----------

static mbd_body_t
only_body(int line, const char * replacement, const mbdx_urdf_options_t * options)
{
  char * text = arm_with(line, replacement);
  loaded_t l = load_text(text, options);
  if (l.status != MBD_OK) print_report(l.report);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.model->nbody, 1);
  const mbd_body_t body = l.model->body[0];
  loaded_free(&l);
  free(text);
  return body;
}

// a mass in the arm as URDF 1.0, or as 1.1, which urdfdom 3.0.1 leaves to us
static loaded_t
load_mass(const char * mass, bool newer)
{
  char line[80];
  snprintf(line, sizeof line, "<mass value=\"%s\"/>", mass);
  char * text = arm_with(5, line);
  char * all = calloc(strlen(text) + 40, 1);
  assert_non_null(all);
  const char * rest = text + strlen(arm_line[0]);
  sprintf(all, "%s%s", newer ? "<robot name=\"arm\" version=\"1.1\">" : arm_line[0], rest);
  loaded_t l = load_text(all, NULL);
  free(all);
  free(text);
  return l;
}

static void
numbers_are_read_in_every_spelling(void ** state)
{
  (void)state;
  // urdfdom does not read the last two: test_urdf_readers
  static const char * const text[] = {"2.5",  " 2.5",    "+2.5",    "25e-1", "0.25E1", "2.50",
                                      "02.5", "2500e-3", "&#50;.5", "\n2.5", " 2.5 ",  "\n2.5\t"};
  enum { N = sizeof text / sizeof text[0] };
  int count = 0;
  for (int newer = 0; newer < 2; newer++) {
    for (int i = 0; i < (newer ? N : N - 2); i++) {
      loaded_t l = load_mass(text[i], newer);
      if (l.status != MBD_OK) print_report(l.report);
      assert_int_equal(l.status, MBD_OK);
      assert_true(l.model->body[0].inertia.mass == 2.5);
      loaded_free(&l);
      count++;
    }
  }
  assert_int_equal(count, 22);
  assert_true(only_body(5, "<mass value=\"3.\"/>", NULL).inertia.mass == 3);
  assert_true(only_body(5, "<mass value=\".5\"/>", NULL).inertia.mass == 0.5);
  // correctly rounded: 17 digits come back
  assert_true(only_body(5, "<mass value=\"0.10000000000000001\"/>", NULL).inertia.mass == 0.1);
  assert_true(
    only_body(5, "<mass value=\"1.7976931348623157\"/>", NULL).inertia.mass == 1.7976931348623157);
}

static void
limits_are_read(void ** state)
{
  (void)state;
  mbd_limits_t l = only_body(0, "", NULL).limits;
  assert_true(l.lower == -1 && l.upper == 1 && l.effort == 10 && l.velocity == 2);
  l = only_body(13, "", NULL).limits;
  assert_true(isinf(l.lower) && isinf(l.upper) && isinf(l.effort) && isinf(l.velocity));
  l = only_body(13, "<limit effort=\"3\"/>", NULL).limits;
  assert_true(l.lower == 0 && l.upper == 0 && l.effort == 3 && isinf(l.velocity));
  const mbd_body_t body = only_body(8, "<joint name=\"elbow\" type=\"continuous\">", NULL);
  assert_int_equal(body.type, MBD_JOINT_CONTINUOUS);
  assert_true(isinf(body.limits.lower) && isinf(body.limits.upper) && body.limits.effort == 10);
}

static void
types_are_read(void ** state)
{
  (void)state;
  static const char * const name[] = {"revolute", "continuous", "prismatic", "floating", "planar"};
  static const mbd_joint_type_t type[] = {
    MBD_JOINT_REVOLUTE, MBD_JOINT_CONTINUOUS, MBD_JOINT_PRISMATIC, MBD_JOINT_FREE,
    MBD_JOINT_PLANAR};
  static const int nv[] = {1, 1, 1, 6, 3};
  for (int k = 0; k < 5; k++) {
    char line[80];
    snprintf(line, sizeof line, "<joint name=\"elbow\" type=\"%s\">", name[k]);
    const mbd_body_t body = only_body(8, line, NULL);
    assert_int_equal(body.type, type[k]);
    assert_int_equal(body.nv, nv[k]);
  }
}

static void
drives_are_read(void ** state)
{
  (void)state;
  mbd_drive_t d = only_body(13, "<dynamics damping=\"0.3\" friction=\"0.2\"/>", NULL).drive;
  assert_true(d.viscous == 0.3 && d.coulomb == 0.2 && d.coulomb_velocity == 0.01);
  assert_true(d.gear_ratio == 1 && d.rotor_inertia == 0);
  // transmissions of ROS, in both places, and of Drake
  static const char * const in_actuator =
    "</joint><transmission name=\"t\"><type>x</type><joint name=\"elbow\"><hardwareInterface/>"
    "</joint><actuator name=\"m\"><mechanicalReduction>-50</mechanicalReduction></actuator>"
    "</transmission>";
  assert_true(only_body(14, in_actuator, NULL).drive.gear_ratio == -50);
  static const char * const at_top =
    "</joint><transmission name=\"t\" type=\"x\"><actuator name=\"m\"/><joint name=\"elbow\"/>"
    "<mechanicalReduction>7</mechanicalReduction></transmission>";
  assert_true(only_body(14, at_top, NULL).drive.gear_ratio == 7);
  static const char * const drake =
    "</joint><transmission><joint name=\"elbow\"/><actuator name=\"m\">"
    "<drake:gear_ratio xmlns:drake=\"d\" value=\"100\"/><drake:rotor_inertia value=\"1e-4\"/>"
    "</actuator></transmission>";
  d = only_body(14, drake, NULL).drive;
  assert_true(d.gear_ratio == 100 && d.rotor_inertia == 1e-4);
}

static void
drives_of_the_caller_come_first(void ** state)
{
  (void)state;
  mbdx_joint_drive_t drive = {"elbow", {2e-4, 80, 0.5, 0.25, 0.02}};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.ndrive = 1;
  options.drive = &drive;
  const mbd_drive_t d = only_body(13, "<dynamics damping=\"9\"/>", &options).drive;
  assert_memory_equal(&d, &drive.drive, sizeof d);

  char * text = arm_with(0, "");
  drive.joint = "elbo\x1bw";
  loaded_t l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_entry(
    "drive", l.report, MBDX_ERROR, 0,
    "arm.urdf: drive 'elbo\\x1bw': the robot has no joint of that name");
  loaded_free(&l);
  drive.joint = "elbow";
  drive.drive.viscous = -1;
  l = load_text(text, &options);
  assert_entry("drive", l.report, MBDX_ERROR, 0, "drive 'elbow': values must be finite");
  loaded_free(&l);
  drive.joint = NULL;
  l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  loaded_free(&l);
  free(text);
}

//---------- options ----------

static void
base_may_float(void ** state)
{
  (void)state;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  options.gravity = (mbd_vec3_t){1, 2, 3};
  char * text = arm_with(0, "");
  loaded_t l = load_text(text, &options);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.model->nbody, 2);
  assert_int_equal(l.model->body[0].type, MBD_JOINT_FREE);
  assert_string_equal(l.model->body[0].joint_name, "root_joint");
  assert_string_equal(l.model->body[0].name, "base");
  assert_true(l.model->gravity.x == 1 && l.model->gravity.y == 2 && l.model->gravity.z == 3);
  loaded_free(&l);
  free(text);

  // the name of that joint is taken
  text = arm_with(8, "<joint name=\"root_joint\" type=\"revolute\">");
  l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_entry("floating", l.report, MBDX_ERROR, 8, "joint 'root_joint': the name 'root_joint' is");
  loaded_free(&l);
  // which is fine with a fixed base
  l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  int body;
  assert_ok(mbd_find_joint(l.model, "root_joint", &body));
  loaded_free(&l);
  free(text);
}

static void
bad_options_are_refused(void ** state)
{
  (void)state;
  char * text = arm_with(0, "");
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.gravity.y = (double)NAN;
  loaded_t l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  assert_entry("options", l.report, MBDX_ERROR, 0, "options: gravity is not finite");
  loaded_free(&l);
  options = mbdx_urdf_options_default();
  options.ndrive = 1;
  l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  loaded_free(&l);
  options = mbdx_urdf_options_default();
  options.base = (mbdx_base_t)7;
  l = load_text(text, &options);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  loaded_free(&l);
  free(text);
}

static void
mimic_joints_follow(void ** state)
{
  (void)state;
  char * text = arm_with(
    14, "</joint><link name=\"x\">" BODY
        "</link><joint name=\"f\" type=\"continuous\"><parent link=\"base\"/><child link=\"x\"/>"
        "<mimic joint=\"elbow\" multiplier=\"-2\" offset=\"0.5\"/></joint>");
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  for (int independent = 0; independent < 2; independent++) {
    options.mimic_independent = independent == 1;
    loaded_t l = load_text(text, &options);
    assert_int_equal(l.status, MBD_OK);
    assert_int_equal(l.model->nmimic, 1);
    assert_int_equal(l.model->mimic_independent, independent);
    int elbow, f;
    assert_ok(mbd_find_joint(l.model, "elbow", &elbow));
    assert_ok(mbd_find_joint(l.model, "f", &f));
    assert_int_equal(l.model->body[f].mimic_body, elbow);
    assert_true(l.model->body[f].mimic_multiplier == -2 && l.model->body[f].mimic_offset == 0.5);
    if (independent) {
      assert_entry(
        "mimic", l.report, MBDX_NOTE, 14,
        "joint 'f': mimics joint 'elbow'; treated as an independent joint");
    }
    loaded_free(&l);
  }
  free(text);
}

// a tip without mass: an error, or a warning if allowed; a link in between may have none
static void
massless_tips_are_named(void ** state)
{
  (void)state;
  static const char * const tip =
    "</joint><link name=\"x\"/><joint name=\"f\" type=\"continuous\"><parent link=\"forearm\"/>"
    "<child link=\"x\"/></joint>";
  char * text = arm_with(14, tip);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.allow_massless = true;
  loaded_t l = load_text(text, &options);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.model->nbody, 2);
  assert_entry(
    "massless", l.report, MBDX_WARNING, 14, "forward dynamics does not support this robot");
  loaded_free(&l);
  free(text);

  static const char * const between =
    "</joint><link name=\"x\"/><joint name=\"f\" type=\"continuous\"><parent link=\"forearm\"/>"
    "<child link=\"x\"/></joint><link name=\"y\">" BODY
    "</link><joint name=\"g\" type=\"continuous\"><parent link=\"x\"/><child link=\"y\"/>"
    "<axis xyz=\"0 1 0\"/></joint>";
  text = arm_with(14, between);
  l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.report->nwarning, 0);
  loaded_free(&l);
  free(text);
}

// masslessness that takes a computation to see: two joints on one axis, a floating base on one
// joint
static void
singular_at_rest_is_named(void ** state)
{
  (void)state;
  static const char * const coaxial =
    "</joint><link name=\"x\"/><joint name=\"f\" type=\"continuous\"><parent link=\"forearm\"/>"
    "<child link=\"x\"/></joint><link name=\"y\">" BODY
    "</link><joint name=\"g\" type=\"continuous\"><parent link=\"x\"/><child link=\"y\"/></joint>";
  char * text = arm_with(14, coaxial);
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  assert_entry(
    "coaxial", l.report, MBDX_WARNING, 14,
    "the joint has no inertia along its motion at the neutral configuration");
  loaded_free(&l);
  free(text);

  static const char * const massless_root =
    "<robot name=\"r\">\n<link name=\"root\"/>\n<link name=\"l\">" BODY
    "</link><joint name=\"j\" type=\"continuous\"><parent link=\"root\"/><child link=\"l\"/>"
    "</joint></robot>";
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  l = load_text(massless_root, &options);
  assert_int_equal(l.status, MBD_OK);
  assert_entry(
    "root", l.report, MBDX_WARNING, 2, "the floating base has no inertia along its motion");
  loaded_free(&l);
}

// depth first, siblings by the name of their joint, whatever the order of the file
static void
order_is_by_name(void ** state)
{
  (void)state;
  static const char * const text =
    "<robot name=\"tree\">"
    "<joint name=\"c\" type=\"continuous\"><parent link=\"r\"/><child link=\"l1\"/></joint>"
    "<joint name=\"a\" type=\"continuous\"><parent link=\"l1\"/><child link=\"l2\"/></joint>"
    "<joint name=\"B\" type=\"continuous\"><parent link=\"r\"/><child link=\"l3\"/></joint>"
    "<joint name=\"b\" type=\"continuous\"><parent link=\"r\"/><child link=\"l4\"/></joint>"
    "<link name=\"l4\">" BODY "</link><link name=\"l3\">" BODY "</link><link name=\"l2\">" BODY
    "</link><link name=\"l1\">" BODY "</link><link name=\"r\"/></robot>";
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  static const char * const order[4] = {"B", "b", "c", "a"};
  for (int i = 0; i < 4; i++) assert_string_equal(l.model->body[i].joint_name, order[i]);
  assert_int_equal(l.model->body[3].parent, 2);
  loaded_free(&l);
}

//---------- text ----------

static void
names_are_safe_to_print(void ** state)
{
  (void)state;
  // a line feed, an escape of the terminal would be no XML; marks that turn text, bytes of UTF-8
  char * text = arm_with(8, "<joint name=\"a&#10;b\xe2\x80\xaeq\xc3\xa4\" type=\"&#x9b;31mred\">");
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_entry(
    "names", l.report, MBDX_ERROR, 8,
    "joint 'a\\x0ab\\u202eq\xc3\xa4': type \"\\u009b31mred\" is unknown");
  loaded_free(&l);
  free(text);

  // a long value is cut between characters
  char line[400] = "<mass value=\"x";
  for (int i = 0; i < 100; i++) strcat(line, "\xc3\xa4");
  strcat(line, "\"/>");
  text = arm_with(5, line);
  l = load_text(text, NULL);
  assert_entry("value", l.report, MBDX_ERROR, 5, "\xc3\xa4...\" is not a number");
  assert_true(strlen(l.report->entry[0].text) < 200);
  loaded_free(&l);
  free(text);
}

static void
names_of_the_file_reach_the_model(void ** state)
{
  (void)state;
  char * text = arm_with(8, "<joint name=\"&lt;el&quot;b&amp;ow&gt; \xc3\xa4\" type=\"revolute\">");
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  assert_string_equal(l.model->body[0].joint_name, "<el\"b&ow> \xc3\xa4");
  assert_string_equal(l.model->name, "arm");
  loaded_free(&l);
  free(text);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(oddities_are_reported),
    cmocka_unit_test(strict_refuses_warnings),
    cmocka_unit_test(numbers_are_read_in_every_spelling),
    cmocka_unit_test(limits_are_read),
    cmocka_unit_test(types_are_read),
    cmocka_unit_test(drives_are_read),
    cmocka_unit_test(drives_of_the_caller_come_first),
    cmocka_unit_test(base_may_float),
    cmocka_unit_test(bad_options_are_refused),
    cmocka_unit_test(mimic_joints_follow),
    cmocka_unit_test(massless_tips_are_named),
    cmocka_unit_test(singular_at_rest_is_named),
    cmocka_unit_test(order_is_by_name),
    cmocka_unit_test(names_are_safe_to_print),
    cmocka_unit_test(names_of_the_file_reach_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
