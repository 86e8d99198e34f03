// What is refused, with which status, on which line, in which words: one row per fault.
#define _POSIX_C_SOURCE 200809L  // dup2, fileno
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "urdf_test.h"

//---------- one line of the arm is wrong ----------

typedef struct row {
  int replace;        // line of the arm
  const char * text;  // what stands there instead
  int line;           // where the error is
  const char * says;  // part of the sentence
} row_t;

// the tensor with one number of its own, and an inertial link more
#define TENSOR(xx, xy, xz, yy, yz, zz)                                                            \
  "<inertia ixx=\"" xx "\" ixy=\"" xy "\" ixz=\"" xz "\" iyy=\"" yy "\" iyz=\"" yz "\" izz=\"" zz \
  "\"/>"
#define BODY "<inertial><mass value=\"1\"/>" TENSOR("1", "0", "0", "1", "0", "1") "</inertial>"

// clang-format off
static const row_t rows[] = {
  // numbers
  {5, "<mass value=\"1,5\"/>", 5, "arm.urdf:5: link 'forearm': mass \"1,5\" is not a number; write 1.5"},
  {5, "<mass value=\"abc\"/>", 5, "mass \"abc\" is not a number"},
  {5, "<mass value=\"1.5kg\"/>", 5, "mass \"1.5kg\" is not a number; write 1.5"},
  {5, "<mass value=\"nan\"/>", 5, "mass \"nan\" is not a number"},
  {5, "<mass value=\"NaN\"/>", 5, "mass \"NaN\" is not a number"},
  {5, "<mass value=\"inf\"/>", 5, "mass \"inf\" is not a number"},
  {5, "<mass value=\"-infinity\"/>", 5, "is not a number"},
  {5, "<mass value=\"0x10\"/>", 5, "mass \"0x10\" is not a number; write it in decimal"},
  {5, "<mass value=\"1e\"/>", 5, "is not a number"},
  {5, "<mass value=\"1e+\"/>", 5, "is not a number"},
  {5, "<mass value=\".\"/>", 5, "is not a number"},
  {5, "<mass value=\"-\"/>", 5, "is not a number"},
  {5, "<mass value=\"--1\"/>", 5, "is not a number"},
  {5, "<mass value=\"1 2\"/>", 5, "is not a number"},
  {5, "<mass value=\"1.2.3\"/>", 5, "is not a number"},
  {5, "<mass value=\"1_000\"/>", 5, "is not a number"},
  {5, "<mass value=\"1,000.5\"/>", 5, "put spaces between numbers"},
  {5, "<mass value=\"\"/>", 5, "mass is empty; write a number"},
  {5, "<mass value=\"  \"/>", 5, "mass is empty"},
  {5, "<mass value=\"1e999\"/>", 5, "mass \"1e999\" is too large"},
  {5, "<mass value=\"1e30\"/>", 5, "mass 1e+30 is implausible; use SI units"},
  {5, "<mass value=\"${m}\"/>", 5, "this is a xacro expression: run xacro first"},
  {5, "<mass value=\"\xd9\xa1\"/>", 5, "is not a number"},
  {5, "<mass\n value=\"x\"\n/>", 5, "mass \"x\" is not a number"},
  // mass and inertia
  {5, "<mass value=\"-3\"/>", 5, "link 'forearm': mass -3 is negative"},
  {5, "<mass/>", 5, "mass is missing; add value="},
  {5, "", 3, "inertial has no <mass>; add it, or remove <inertial>"},
  {5, "<mass value=\"1\"/><mass value=\"2\"/>", 5, "has a second <mass>; the first is on line 5"},
  {6, "", 3, "inertial has no <inertia>"},
  {6, "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\"/>", 6, "inertia izz is missing"},
  {6, "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\"/>", 6, "inertia iyz is missing"},
  {6, TENSOR("1", "0", "x", "1", "0", "1"), 6, "inertia ixz \"x\" is not a number"},
  {6, TENSOR("-1", "0", "0", "1", "0", "1"), 6, "inertia has a negative principal moment -1"},
  {6, TENSOR("1", "2", "0", "1", "0", "1"), 6, "inertia has a negative principal moment -1"},
  {6, TENSOR("1", "1", "1", "1", "-1", "1"), 6, "negative principal moment -1"},
  {6, TENSOR("1e10", "0", "0", "1e10", "0", "1e10"), 6, "inertia 1e+10 is implausible"},
  {7, "</inertial>" BODY "</link>", 7, "has a second <inertial>; the first is on line 3"},
  // origin
  {4, "<origin xyz=\"0 0\"/>", 4, "origin xyz \"0 0\" has 2 values, not 3"},
  {4, "<origin xyz=\"0 0 0 0\"/>", 4, "origin xyz \"0 0 0 0\" has 4 values, not 3"},
  {4, "<origin xyz=\"\"/>", 4, "origin xyz \"\" has 0 values, not 3"},
  {4, "<origin rpy=\"0\"/>", 4, "origin rpy \"0\" has 1 value, not 3"},
  {4, "<origin rpy=\"0 nan 0\"/>", 4, "origin rpy \"0 nan 0\" is not a number"},
  {4, "<origin xyz=\"0,5 0 0\"/>", 4, "origin xyz \"0,5 0 0\" is not a number; write 0.5"},
  {4, "<origin xyz=\"0, 0, 0\"/>", 4, "put spaces between numbers"},
  {4, "<origin xyz=\"0 0 1e10\"/>", 4, "origin xyz 1e+10 is implausible"},
  {4, "<origin/><origin/>", 4, "has a second <origin>"},
  {4, "<orgin xyz=\"0 0 1\"/>", 4, "link 'forearm': element <orgin> of <inertial> is unknown; correct the name, or remove it"},
  {11, "<origin xyz=\"0 0\"/>", 11, "joint 'elbow': origin xyz \"0 0\" has 2 values"},
  {11, "<origin/><origin/>", 11, "has a second <origin>"},
  // axis
  {12, "<axis xyz=\"0 0 0\"/>", 12, "axis \"0 0 0\" has zero length"},
  {12, "<axis xyz=\"0 1\"/>", 12, "axis \"0 1\" has 2 values, not 3"},
  {12, "<axis/>", 12, "axis has no xyz; add xyz="},
  {12, "<axis xyz=\"0 0 z\"/>", 12, "axis \"0 0 z\" is not a number"},
  {12, "<axis xyz=\"0 0 1\"/>\n<axis xyz=\"0 0 1\"/>", 13, "has a second <axis>; the first is on line 12"},
  // limit
  {13, "<limit lower=\"1\" upper=\"-1\" effort=\"1\" velocity=\"1\"/>", 13, "limit lower 1 is above upper -1"},
  {13, "<limit lower=\"0\" upper=\"1\" effort=\"-1\" velocity=\"1\"/>", 13, "limit effort -1 is negative"},
  {13, "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"-1\"/>", 13, "limit velocity -1 is negative"},
  {13, "<limit lower=\"0\" upper=\"pi\" effort=\"1\" velocity=\"1\"/>", 13, "limit upper \"pi\" is not a number"},
  {13, "<limit/><limit/>", 13, "has a second <limit>"},
  // dynamics
  {13, "<dynamics damping=\"-1\"/>", 13, "damping -1 is negative"},
  {13, "<dynamics friction=\"-1\"/>", 13, "friction -1 is negative"},
  {13, "<dynamics friction=\"x\"/>", 13, "friction \"x\" is not a number"},
  {13, "<dynamics damping=\"1e10\"/>", 13, "damping 1e+10 is implausible"},
  {13, "<dynamics/><dynamics/>", 13, "has a second <dynamics>"},
  // joint
  {8, "<joint type=\"revolute\">", 8, "arm.urdf:8: joint: has no name; add name="},
  {8, "<joint name=\"\" type=\"revolute\">", 8, "joint: has no name"},
  {8, "<joint name=\"elbow\">", 8, "joint 'elbow': has no type; write revolute, continuous"},
  // one letter off: what was meant is not ignored
  {2, "<link name=\"base\"><inertal/></link>", 2, "arm.urdf:2: link 'base': element <inertal> is unknown; did you mean <inertial>?"},
  {2, "<link name=\"base\"><Inertial/></link>", 2, "link 'base': element <Inertial> is unknown; did you mean <inertial>?"},
  {13, "<limits/>", 13, "arm.urdf:13: joint 'elbow': element <limits> is unknown; did you mean <limit>?"},
  {13, "<dynamic damping=\"1\"/>", 13, "element <dynamic> is unknown; did you mean <dynamics>?"},
  {13, "<mimick joint=\"elbow\"/>", 13, "element <mimick> is unknown; did you mean <mimic>?"},
  {13, "<axes xyz=\"0 0 1\"/>", 13, "element <axes> is unknown; did you mean <axis>?"},
  {14, "</joint><links/>", 14, "robot 'arm': element <links> is unknown; did you mean <link>?"},
  {8, "<joint name=\"elbow\" type=\"ball\">", 8, "type \"ball\" is unknown; write revolute, continuous"},
  {8, "<joint name=\"elbow\" type=\"Revolute\">", 8, "type \"Revolute\" is unknown"},
  {9, "", 8, "joint 'elbow': has no <parent>; name a link"},
  {9, "<parent/>", 9, "<parent> names no link; add link="},
  {9, "<parent link=\"\"/>", 9, "<parent> names no link"},
  {9, "<parent link=\"bse\"/>", 8, "parent link 'bse' does not exist; add the link, or correct the name"},
  {9, "<parent link=\"base\"/><parent link=\"base\"/>", 9, "has a second <parent>"},
  {10, "", 8, "joint 'elbow': has no <child>"},
  {10, "<child link=\"x\"/>", 8, "child link 'x' does not exist"},
  {10, "<child link=\"base\"/>", 8, "link 'base' is its own parent"},
  // names
  {2, "<link/><link name=\"base\"/>", 2, "arm.urdf:2: link: has no name"},
  {2, "<link name=\"base\"/><link name=\"base\"/>", 2, "link 'base': the name is taken by the link on line 2; rename one of them"},
  {14, "</joint>\n<link name=\"x\">" BODY "</link><joint name=\"elbow\" type=\"fixed\"><parent link=\"base\"/><child link=\"x\"/></joint>",
    15, "joint 'elbow': the name is taken by the joint on line 8"},
  // shape
  {14, "</joint>\n<link name=\"stray\"/>", 1, "has 2 root links: 'base' (line 2), 'stray' (line 15); connect all but one by joints"},
  {14, "</joint>\n<joint name=\"k\" type=\"fixed\"><parent link=\"base\"/><child link=\"forearm\"/></joint>",
    15, "joint 'k': link 'forearm' is already the child of joint 'elbow' on line 8"},
  {14, "</joint>\n<joint name=\"k\" type=\"fixed\"><parent link=\"forearm\"/><child link=\"base\"/></joint>",
    15, "joints form a loop through links 'forearm' and 'base'; a robot is a tree"},
  // mimic
  {13, "<mimic joint=\"nobody\"/>", 13, "mimic: there is no joint 'nobody'"},
  {13, "<mimic joint=\"elbow\"/>", 13, "mimic: the joint mimics itself"},
  {13, "<mimic/>", 13, "mimic names no joint"},
  {14, "</joint>\n<link name=\"x\">" BODY "</link><joint name=\"f\" type=\"continuous\"><parent link=\"base\"/><child link=\"x\"/><mimic joint=\"elbow\" multiplier=\"x\"/></joint>",
    15, "mimic multiplier \"x\" is not a number"},
  {14, "</joint>\n<link name=\"x\">" BODY "</link><joint name=\"f\" type=\"fixed\"><parent link=\"base\"/><child link=\"x\"/><mimic joint=\"elbow\"/></joint>",
    15, "mimic: only a revolute, continuous or prismatic joint can be a mimic joint"},
  {14, "<mimic joint=\"f\"/></joint>\n<link name=\"x\">" BODY "</link><joint name=\"f\" type=\"fixed\"><parent link=\"base\"/><child link=\"x\"/></joint>",
    14, "mimic: joint 'f' is not revolute, continuous or prismatic"},
  {14, "<mimic joint=\"f\"/></joint>\n<link name=\"x\">" BODY "</link><joint name=\"f\" type=\"continuous\"><parent link=\"base\"/><child link=\"x\"/><mimic joint=\"elbow\"/></joint>",
    14, "mimic: the joints mimic each other in a loop"},
  // mass
  {14, "</joint>\n<link name=\"x\"/><joint name=\"f\" type=\"continuous\"><parent link=\"forearm\"/><child link=\"x\"/></joint>",
    15, "joint 'f': moves link 'x' on line 15, whose subtree has no mass; give a mass, make the joint fixed, or set allow_massless"},
  {14, "</joint>\n<link name=\"x\"><inertial><mass value=\"1\"/>" TENSOR("0", "0", "0", "0", "0", "0") "</inertial></link>"
    "<joint name=\"f\" type=\"continuous\"><parent link=\"forearm\"/><child link=\"x\"/></joint>",
    15, "joint 'f': moves link 'x' on line 15, whose mass lies on the joint axis"},
  {14, "</joint>\n<link name=\"x\"><inertial><mass value=\"0\"/>" TENSOR("1", "0", "0", "1", "0", "1") "</inertial></link>"
    "<joint name=\"f\" type=\"prismatic\"><parent link=\"forearm\"/><child link=\"x\"/></joint>",
    15, "joint 'f': moves link 'x' on line 15, whose subtree has no mass"},
  // transmission
  {14, "</joint>\n<transmission><joint name=\"elbow\"/><actuator name=\"m\"><mechanicalReduction>x</mechanicalReduction></actuator></transmission>",
    15, "transmission: mechanicalReduction \"x\" is not a number"},
  {14, "</joint>\n<transmission name=\"t\"><joint name=\"elbow\"/><actuator name=\"m\"><mechanicalReduction>0</mechanicalReduction></actuator></transmission>",
    15, "transmission 't': gear ratio is 0"},
  {14, "</joint>\n<transmission name=\"t\"><joint name=\"elbow\"/><actuator name=\"m\"><mechanicalReduction/></actuator></transmission>",
    15, "mechanicalReduction is empty"},
  {14, "</joint>\n<transmission name=\"t\"><joint name=\"elbow\"/><actuator name=\"m\"><drake:rotor_inertia xmlns:drake=\"d\" value=\"-1\"/></actuator></transmission>",
    15, "rotor_inertia -1 is negative"},
  // what is no robot
  {1, "<robot name=\"arm\"><xacro:macro xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"m\"/>", 1, "is a xacro file: <xacro:macro> is not expanded; run xacro first"},
  {3, "<link name=\"forearm\"><xacro:include filename=\"x\"/><inertial>", 3, "run xacro first"},
};
// clang-format on

static void
faults_are_named(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const row_t * r = &rows[i];
    char what[40];
    snprintf(what, sizeof what, "row %zu", i);
    char * text = arm_with(r->replace, r->text);
    loaded_t l = load_text(text, NULL);
    if (l.status != MBD_ERROR_URDF) {
      print_error("%s (%s): %s\n", what, r->says, mbd_status_name(l.status));
      print_report(l.report);
      fail();
    }
    assert_entry(what, l.report, MBDX_ERROR, r->line, r->says);
    loaded_free(&l);
    free(text);
  }
}

// one fault gives one error: none that only follows from another
static void
faults_do_not_cascade(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char * text = arm_with(rows[i].replace, rows[i].text);
    loaded_t l = load_text(text, NULL);
    if (l.report->nerror != 1) {
      print_error("row %zu: %s\n", i, rows[i].says);
      print_report(l.report);
    }
    assert_int_equal(l.report->nerror, 1);
    loaded_free(&l);
    free(text);
  }
}

// all errors are listed, not the first alone
static void
all_faults_are_listed(void ** state)
{
  (void)state;
  const char * text =
    "<robot name=\"arm\">\n"
    "<link name=\"a\"/>\n"
    "<link name=\"b\"><inertial><mass value=\"x\"/>\n"
    "<inertia ixx=\"1\" ixy=\"y\" ixz=\"0\" iyy=\"1\" iyz=\"0\"/></inertial></link>\n"
    "<joint name=\"j\" type=\"ball\"><parent link=\"a\"/><child link=\"b\"/>\n"
    "<axis xyz=\"1 2\"/></joint>\n"
    "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>\n"
    "</robot>\n";
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_entry("all", l.report, MBDX_ERROR, 3, "mass \"x\" is not a number");
  assert_entry("all", l.report, MBDX_ERROR, 4, "inertia ixy \"y\" is not a number");
  assert_entry("all", l.report, MBDX_ERROR, 4, "inertia izz is missing");
  assert_entry("all", l.report, MBDX_ERROR, 5, "type \"ball\" is unknown");
  assert_entry("all", l.report, MBDX_ERROR, 6, "axis \"1 2\" has 2 values");
  assert_entry("all", l.report, MBDX_ERROR, 7, "the name is taken by the joint on line 5");
  assert_entry("all", l.report, MBDX_ERROR, 7, "child link 'c' does not exist");
  assert_int_equal(l.report->nerror, 7);
  loaded_free(&l);
}

//---------- files ----------

typedef struct file_row {
  const char * name;
  mbd_status_t status;
  int line;
  const char * says;
} file_row_t;

static const file_row_t file_rows[] = {
  {"empty.urdf", MBD_ERROR_XML, 0, "empty.urdf: file: is empty"},
  {"blank.urdf", MBD_ERROR_XML, 0, "is empty"},
  {"text.urdf", MBD_ERROR_XML, 1, "XML: Start tag expected"},
  {"truncated.urdf", MBD_ERROR_XML, 7, "is the end of the file missing?"},
  {"truncated_tag.urdf", MBD_ERROR_XML, 4, "XML: "},
  {"mismatched.urdf", MBD_ERROR_XML, 4, "XML: Opening and ending tag mismatch"},
  {"two_roots.urdf", MBD_ERROR_XML, 4, "XML: Extra content at the end"},
  {"duplicate_attribute.urdf", MBD_ERROR_XML, 2, "XML: Attribute name redefined"},
  {"undefined_entity.urdf", MBD_ERROR_XML, 2, "XML: Entity 'who' not defined"},
  {"billion_laughs.urdf", MBD_ERROR_XML, 2, "DOCTYPE is not supported; remove it"},
  {"external_dtd.urdf", MBD_ERROR_XML, 2, "DOCTYPE is not supported"},
  {"utf16.urdf", MBD_ERROR_XML, 1, "contains a zero byte; save it as text in UTF-8"},
  {"shift_jis.urdf", MBD_ERROR_XML, 1, "encoding \"Shift_JIS\" is not supported; save it as UTF-8"},
  {"bad_utf8.urdf", MBD_ERROR_XML, 3, "XML: "},
  {"control_character.urdf", MBD_ERROR_XML, 2, "XML: "},
  {"sdf.urdf", MBD_ERROR_URDF, 2, "the outermost element is <sdf>, not <robot>; convert it"},
  {"robots.urdf", MBD_ERROR_URDF, 1, "the outermost element is <robots>, not <robot>"},
  {"xacro.urdf", MBD_ERROR_URDF, 3, "run xacro first"},
  {"no_links.urdf", MBD_ERROR_URDF, 1, "robot 'r': has no links"},
  {"cycle.urdf", MBD_ERROR_URDF, 8, "joints form a loop through links 'c' and 'a'"},
  {"no_such_file.urdf", MBD_ERROR_FILE, 0, "cannot be read: No such file or directory"},
  {"", MBD_ERROR_FILE, 0, "cannot be read: Is a directory"},
  {"/dev/zero", MBD_ERROR_LIMIT, 0, "is larger than 16 MB"},
};

static void
bad_files_are_refused(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof file_rows / sizeof file_rows[0]; i++) {
    const file_row_t * r = &file_rows[i];
    char path[500];
    const char * folder = r->name[0] == '/' ? "" : MBDYN_SOURCE_DIR "/test/data/bad/";
    snprintf(path, sizeof path, "%s%s", folder, r->name);
    mbd_model_t * model = NULL;
    mbdx_report_t * report = NULL;
    const mbd_status_t status = mbdx_urdf_load_file(path, NULL, &model, &report);
    if (status != r->status) {
      print_error("%s: %s\n", r->name, mbd_status_name(status));
      print_report(report);
    }
    assert_int_equal(status, r->status);
    assert_null(model);
    assert_non_null(report);
    assert_report_sound(report);
    assert_string_equal(report->source, path);
    assert_entry(r->name, report, MBDX_ERROR, r->line, r->says);
    mbdx_report_free(report);
  }
}

//---------- silence ----------

// neither urdfdom nor we write to the terminal, whatever is read
static void
nothing_is_printed(void ** state)
{
  (void)state;
  FILE * file = tmpfile();
  assert_non_null(file);
  fflush(stdout);
  const int out = dup(1), err = dup(2);
  dup2(fileno(file), 1);
  dup2(fileno(file), 2);
  const size_t n = sizeof rows / sizeof rows[0];
  for (size_t i = 0; i <= n; i++) {
    // the last one is the arm as it should be
    char * text = i < n ? arm_with(rows[i].replace, rows[i].text) : arm_with(0, "");
    loaded_t l = load_text(text, NULL);
    loaded_free(&l);
    free(text);
  }
  for (size_t i = 0; i < sizeof file_rows / sizeof file_rows[0]; i++) {
    char path[500];
    snprintf(path, sizeof path, "%s/test/data/bad/%s", MBDYN_SOURCE_DIR, file_rows[i].name);
    mbd_model_t * model;
    const mbd_status_t status = mbdx_urdf_load_file(path, NULL, &model, NULL);
    if (status == MBD_OK) mbd_model_destroy(model);
  }
  fflush(stdout);
  fflush(stderr);
  dup2(out, 1);
  dup2(err, 2);
  close(out);
  close(err);
  fseek(file, 0, SEEK_END);
  assert_int_equal(ftell(file), 0);
  fclose(file);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(faults_are_named),      cmocka_unit_test(faults_do_not_cascade),
    cmocka_unit_test(all_faults_are_listed), cmocka_unit_test(bad_files_are_refused),
    cmocka_unit_test(nothing_is_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
