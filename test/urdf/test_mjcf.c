// MJCF: what is refused, on which line, in which words and with which way out, one row per fault; included files;
// what is made of names, limits and options. What the numbers are is compared with MuJoCo's in
// test/peers/test_mujoco_mjcf.c.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mjcf.h"
#include "urdf_test.h"

//---------- one text ----------

typedef struct row {
  int line;
  const char *text, *says;
} row_t;

#define HEAD              "<mujoco>\n<worldbody>\n"
#define TAIL              "</worldbody>\n</mujoco>\n"
#define BODY(inside)      HEAD "<body name='a' pos='0 0 1'>\n" inside "\n</body>\n" TAIL
#define MASS              "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
#define JOINT(attributes) BODY("<joint name='j' " attributes "/>" MASS)
#define GEOM(attributes)  BODY("<joint name='j'/>\n<geom " attributes "/>")
#define BESIDE(section)                                                              \
  HEAD                                                                               \
    "<body name='a'><joint name='j'/><joint name='k' axis='1 0 0'/><joint name='b' " \
    "type='ball'/>" MASS "</body><body name='c'/>\n</worldbody>\n" section "\n</mujoco>\n"

// clang-format off
static const row_t rows[] = {
  // XML and sections
  {1, "<robot name='r'/>", "the outermost element is <robot>, not <mujoco>; give it to mbdx_urdf_load_file"},
  {1, "<!DOCTYPE mujoco [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><mujoco model='&b;'/>", "DOCTYPE is not supported; remove it"},
  {3, "<mujoco>\n<worldbody>\n<body name='a'></worldbody></mujoco>", "Opening and ending tag mismatch"},
  {1, "<mujoco/>", "has no <worldbody>; add <worldbody>"},
  {2, "<mujoco>\n<wordbody/>\n</mujoco>", "element <wordbody> of <mujoco> is unknown; correct the name, or remove it"},
  {2, "<mujoco>\n<include file='a.xml'/>\n<worldbody/></mujoco>", "text that comes without a file cannot include others; give the file"},
  // settings
  {1, "<mujoco><compiler coordinate='global'/><worldbody/></mujoco>", "coordinate=\"global\" is not supported; convert the file"},
  {1, "<mujoco><compiler angle='degrees'/><worldbody/></mujoco>", "angle of <compiler> \"degrees\" is unknown; write degree or radian"},
  {1, "<mujoco><compiler eulerseq='xya'/><worldbody/></mujoco>", "eulerseq \"xya\" is not understood; write three letters"},
  {1, "<mujoco><compiler anglee='degree'/><worldbody/></mujoco>", "attribute 'anglee' of <compiler> is unknown; correct the name"},
  {1, "<mujoco><option gravity='0 0'/><worldbody/></mujoco>", "gravity of <option> \"0 0\" has 2 values; write 3 numbers"},
  {1, "<mujoco><option gravity='0 0 nan'/><worldbody/></mujoco>", "is not a number; write a finite number"},
  {1, "<mujoco><option density='1.2'/><worldbody/></mujoco>", "density=1.2: forces of a fluid are not supported; remove it"},
  {2, "<mujoco><option>\n<flag passive='disable'/></option><worldbody/></mujoco>", "passive=\"disable\" is not supported; remove the values"},
  {2, "<mujoco><default>\n<default><joint/></default></default><worldbody/></mujoco>", "has no class; add class="},
  {3, "<mujoco><default>\n<default class='x'/>\n<default class='x'/></default><worldbody/></mujoco>", "the name is taken by the class on line 2; rename"},
  {3, "<mujoco><default>\n<joint/>\n<joint/></default><worldbody/></mujoco>", "has a second <joint>; the first is on line 2; merge the two"},
  // elements that are refused by their name
  {2, "<mujoco><worldbody/>\n<tendon><spatial/></tendon></mujoco>", "tendons are not supported; remove it"},
  {2, "<mujoco><worldbody/>\n<extension><plugin plugin='x'/></extension></mujoco>", "plugins are not supported; remove it"},
  {2, "<mujoco><worldbody/>\n<deformable><flex name='f'/></deformable></mujoco>", "flex 'f': deformable bodies are not supported; remove it"},
  {4, BODY("<composite type='cable'/>"), "composite bodies are not supported; MuJoCo's program compile"},
  {4, BODY("<flexcomp name='f'/>"), "flexcomp 'f': deformable bodies are not supported; remove it"},
  {4, BODY("<frame pos='1 0 0'><geom size='1'/></frame>"), "frame: is an element of MuJoCo 3; MuJoCo's program compile"},
  {4, BODY("<replicate count='3'/>"), "replicate: is an element of MuJoCo 3; MuJoCo's"},
  {4, BODY("<attach model='x'/>"), "attach: is an element of MuJoCo 3; MuJoCo's"},
  {4, BODY("<plugin plugin='x'/>"), "plugins are not supported; remove it"},
  {3, HEAD "<joint name='j'/>\n" TAIL, "the world cannot move; put the joint into a body"},
  // bodies
  {3, HEAD "<body name='world'/>\n" TAIL, "the name is that of <worldbody>; rename it"},
  {4, HEAD "<body name='a'/>\n<body name='a'/>\n" TAIL, "the name is taken by the one on line 3; rename one of them"},
  {3, HEAD "<body name='a' quat='0 0 0 0'/>\n" TAIL, "quat of <body> has zero length or no direction; "},
  {3, HEAD "<body name='a' euler='1 2 3' quat='1 0 0 0'/>\n" TAIL, "has two orientations, quat and euler; keep one"},
  {3, HEAD "<body name='a' pos='1,5 0 0'/>\n" TAIL, "is not a number; write 1.5"},
  {3, HEAD "<body name='a' gravcomp='1'/>\n" TAIL, "gravcomp is not supported; remove it"},
  {3, HEAD "<body name='a' childclass='none'/>\n" TAIL, "there is no default class 'none'; correct the name"},
  {3, HEAD "<body name='a' parent='b'/>\n" TAIL, "attribute 'parent' of <body> is unknown; correct"},
  {4, BODY("<inertial pos='0 0 0' mass='-1'/>"), "mass of <inertial> -1 is negative; "},
  {4, BODY("<inertial mass='1' diaginertia='1 1 1'/>"), "<inertial> has no pos; "},
  {4, BODY("<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' quat='1 0 0 0'/>"), "has both fullinertia and quat; remove"},
  {4, BODY("<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 0 0'/>"), "negative principal moment -1; not physically"},
  {5, BODY(MASS "\n" MASS), "has a second <inertial>; the first is on line 4; keep one"},
  // joints
  {4, BODY("<joint name='j'/>"), "moves link 'a' on line 3, whose subtree has no mass; give a mass"},
  {4, JOINT("type='screw'"), "type of <joint> \"screw\" is unknown; write free, ball, slide or hinge"},
  {4, JOINT("axis='0 0 0'"), "axis has zero length; "},
  {4, JOINT("damping='-1'"), "damping of <joint> -1 is negative; "},
  {4, JOINT("range='1 -1'"), "range of <joint>: 1 is not below -1; write range="},
  {4, JOINT("limited='true'"), "is limited, but has no range; write range="},
  {4, JOINT("springdamper='0.1 1'"), "springdamper is not supported; write stiffness and damping"},
  {4, JOINT("type='free' armature='1'"), "armature of a free joint is not supported; remove it, or write <freejoint/>"},
  {4, JOINT("actuatorgravcomp='true'"), "actuatorgravcomp of a hinge joint is not supported; remove it"},
  {4, JOINT("stifness='1'"), "attribute 'stifness' of <joint> is unknown; correct"},
  {4, BODY("<freejoint/><joint name='j'/>" MASS), "has a free joint and another one; move"},
  {5, BODY("<body name='b'>\n<freejoint/>" MASS "</body>"), "has a free joint, but is not in <worldbody>; move"},
  {4, BODY("<freejoint align='true'/>" MASS), "align=\"true\" is not supported; remove it"},
  // geoms
  {5, GEOM("type='mesh' mesh='m'"), "geom of body 'a': the inertia of a mesh is not computed; add <inertial>"},
  {5, GEOM("type='box' mesh='m'"), "the inertia of a shape fitted to a mesh is not computed; add <inertial>"},
  {5, GEOM("type='box' size='1 1'"), "size 3 of a box is missing or not positive; "},
  {5, GEOM("type='plane' size='1 1 1'"), "a moving body cannot have a plane; move it"},
  {5, GEOM("size='1' shellinertia='true'"), "shellinertia: the inertia of a shell is not computed; add <inertial>"},
  {5, GEOM("size='1' fromto='0 0 0 1 0 0'"), "fromto does not apply to a sphere; "},
  {5, GEOM("type='capsule' size='1' fromto='1 0 0 1 0 0'"), "the two points of fromto are the same; "},
  {5, GEOM("size='1' densty='3'"), "attribute 'densty' of <geom> is unknown; correct"},
  // equalities and actuators
  {6, BESIDE("<equality>\n<connect body2='a' anchor='0 0 0'/></equality>"), "has no body1; give body1 and body2"},
  {6, BESIDE("<equality>\n<connect body1='a' body2='x' anchor='0 0 0'/></equality>"), "body2: there is no body 'x'; correct the name"},
  {6, BESIDE("<equality>\n<connect body1='a'/></equality>"), "has no anchor; "},
  {6, BESIDE("<equality>\n<joint joint1='j' joint2='k' polycoef='0 1 2 0 0'/></equality>"), "a relation that is not linear is not supported; keep"},
  {6, BESIDE("<equality>\n<joint joint1='b' joint2='k'/></equality>"), "joint 'b' is neither a hinge nor a slide; "},
  {6, BESIDE("<equality>\n<joint joint1='x'/></equality>"), "joint1: there is no joint 'x'; correct the name"},
  {6, BESIDE("<equality>\n<tendon tendon1='t'/></equality>"), "tendons are not supported; remove it"},
  {6, BESIDE("<equality>\n<connect name='w' body1='c' anchor='0 0 0'/></equality>"), "closure 'w': both ends are on the same body"},
  {6, BESIDE("<actuator>\n<motor joint='x'/></actuator>"), "joint: there is no joint 'x'; correct the name"},
  {6, BESIDE("<actuator>\n<plugin plugin='x'/></actuator>"), "plugins are not supported; remove it"},
  {6, BESIDE("<actuator>\n<motr joint='j'/></actuator>"), "element <motr> of <actuator> is unknown; correct"},
};
// clang-format on

// true if the text is refused as the row says; a way out belongs to every fault but those of XML itself
static bool
is_refused(const row_t * row)
{
  mbd_model_t * model;
  mbdx_report_t * report;
  const mbd_status_t status =
    mbdx_mjcf_load_string(row->text, strlen(row->text), "robot.xml", NULL, &model, &report);
  assert_true(status == MBD_OK || !model);
  assert_report_sound(report);
  const mbdx_report_entry_t * e = find_entry(report, MBDX_ERROR, row->line, row->says);
  const bool good = status != MBD_OK && e && (e->hint || status == MBD_ERROR_XML);
  if (!good) {
    print_message("line %d, %s: not what is said of\n%s\n", row->line, row->says, row->text);
    print_report(report);
  }
  mbd_model_destroy(model);
  mbdx_report_free(report);
  return good;
}

static void
faults_have_line_and_way_out(void ** state)
{
  (void)state;
  const int n = (int)(sizeof rows / sizeof *rows);
  int good = 0;
  for (int k = 0; k < n; k++) good += is_refused(&rows[k]);
  assert_int_equal(good, n);
  assert_true(n >= 40);
}

//---------- files ----------

static void
included_files(void ** state)
{
  static const struct {
    const char *file, *source;
    int line;
    const char * says;
  } files[] = {
    {"cycle.xml", "cycle_part.xml", 5, "no file can be included twice, nor include itself"},
    {"missing.xml", "missing.xml", 2, "nowhere.xml' cannot be read: No such file"},
    {"twice.xml", "twice.xml", 3, "is included already; remove it"},
    {"inside.xml", "part.xml", 4, "damping of <joint> -1 is negative"},
    {"other_root.xml", "robot.xml", 1,
     "the outermost element of the included file is <robot>; write"},
    {"broken.xml", "broken_part.xml", 4, "Opening and ending tag mismatch"},
  };
  (void)state;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[500];
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/test/data/bad/mjcf/%s", files[k].file);
    mbd_model_t * model;
    mbdx_report_t * report;
    assert_true(mbdx_mjcf_load_file(path, NULL, &model, &report) != MBD_OK);
    assert_entry(path, report, MBDX_ERROR, files[k].line, files[k].says);
    const mbdx_report_entry_t * e = find_entry(report, MBDX_ERROR, files[k].line, files[k].says);
    assert_non_null(strstr(e->source, files[k].source));
    mbdx_report_free(report);
  }
}

//---------- limits of size ----------

static mbd_status_t
load(
  const char * text, const mbdx_urdf_options_t * options, mbd_model_t ** model, mbdx_report_t ** r)
{
  return mbdx_mjcf_load_string(text, strlen(text), "robot.xml", options, model, r);
}

// n bodies within each other, or beside each other
static char *
many(int n, bool nested)
{
  char * text = calloc(1, (size_t)n * 160 + 200);
  assert_non_null(text);
  char * to = text + sprintf(text, "<mujoco><worldbody>");
  for (int k = 0; k < n; k++)
    to += sprintf(
      to, "<body name='b%d' pos='0 0 1'><joint/><geom size='1'/>%s", k, nested ? "" : "</body>");
  for (int k = 0; k < n && nested; k++) to += sprintf(to, "</body>");
  sprintf(to, "</worldbody></mujoco>");
  return text;
}

static void
sizes_are_limited(void ** state)
{
  static const struct {
    int n;
    bool nested;
    mbd_status_t status;
  } cases[] = {
    {190, true, MBD_OK},   {210, true, MBD_ERROR_LIMIT},   {2000, true, MBD_ERROR_LIMIT},
    {4000, false, MBD_OK}, {4096, false, MBD_ERROR_LIMIT}, {50000, false, MBD_ERROR_LIMIT}};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char * text = many(cases[k].n, cases[k].nested);
    mbd_model_t * model;
    mbdx_report_t * report;
    assert_int_equal(load(text, NULL, &model, &report), cases[k].status);
    mbd_model_destroy(model);
    mbdx_report_free(report);
    free(text);
  }
}

//---------- what is accepted ----------

static const mbd_body_t *
body_of(const mbd_model_t * model, const char * joint)
{
  int body;
  assert_ok(mbd_find_joint(model, joint, &body));
  return &model->body[body];
}

static void
actuators_limit_effort(void ** state)
{
  (void)state;
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(load(
    HEAD
    "<body><joint name='a' actuatorfrcrange='-7 7'/><joint name='b'/><joint name='c'/>"
    "<joint name='d'/><joint name='e' type='slide'/>" MASS
    "</body></worldbody>"
    "<default><motor gear='10'/><default class='s'><general forcerange='-2 2'/></default></default>"
    "<actuator><motor joint='a' ctrlrange='-1 1'/><motor joint='b' ctrlrange='-3 2'/>"
    "<motor joint='b' ctrlrange='-0.1 0.1' gear='-20'/><position joint='c' kp='9'/>"
    "<position joint='d' class='s' gear='4'/><motor joint='e' ctrlrange='0 5' ctrllimited='false'/>"
    "</actuator></mujoco>",
    NULL, &model, &report));
  const double effort[5] = {
    body_of(model, "a")->limits.effort, body_of(model, "b")->limits.effort, 0,
    body_of(model, "d")->limits.effort, 0};
  const double right[5] = {7, 32, 0, 8, 0};
  assert_close(effort, right, 5, 1e-14, "efforts");
  assert_true(isinf(body_of(model, "c")->limits.effort));
  assert_true(isinf(body_of(model, "e")->limits.effort));
  mbd_model_destroy(model);
  mbdx_report_free(report);
}

// limits hold as in MuJoCo 3; without autolimits a range needs a word
static void
autolimits_of_mujoco_3(void ** state)
{
  (void)state;
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(load(JOINT("range='-90 45'"), NULL, &model, &report));
  const double limits[2] = {body_of(model, "j")->limits.lower, body_of(model, "j")->limits.upper};
  const double right[2] = {-1.5707963267948966, 0.78539816339744831};
  assert_close(limits, right, 2, 1e-15, "degrees");
  mbd_model_destroy(model);
  mbdx_report_free(report);
  const char * off =
    "<mujoco><compiler autolimits='false'/>\n<worldbody><body>\n<joint range='-1 1'/>" MASS
    "</body></worldbody></mujoco>";
  assert_int_equal(load(off, NULL, &model, &report), MBD_ERROR_URDF);
  assert_entry(off, report, MBDX_ERROR, 3, "has a range, but autolimits is off");
  mbdx_report_free(report);
}

static void
options_and_gravity(void ** state)
{
  (void)state;
  static const char * const text =
    "<mujoco><option gravity='0 0 -1.6'/><worldbody><body><joint/>" MASS
    "</body></worldbody></mujoco>";
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(load(text, &options, &model, &report));
  assert_true(model->gravity.z == -1.6);
  mbd_model_destroy(model);
  mbdx_report_free(report);
  options.gravity.z = -2;
  assert_ok(load(text, &options, &model, &report));
  assert_true(model->gravity.z == -2);
  assert_entry(text, report, MBDX_NOTE, 1, "gives way to that of the options");
  mbd_model_destroy(model);
  mbdx_report_free(report);
  options.base = MBDX_BASE_FLOATING;
  assert_int_equal(load(text, &options, &model, &report), MBD_ERROR_BAD_ARGUMENT);
  assert_entry(text, report, MBDX_ERROR, 0, "add <freejoint/> to the body that floats");
  mbdx_report_free(report);
}

// names that are not in the file are none of those that are
static void
made_up_names(void ** state)
{
  (void)state;
  static const char * const text =
    HEAD "<body name='a'><joint name='a_joint'/><joint axis='1 0 0' pos='0 0 1'/>" MASS
         "<site name='a'/><body name='a_anchor'/></body><body><joint/>" MASS "</body>" TAIL;
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(load(text, NULL, &model, &report));
  int frame;
  assert_ok(mbd_find_frame(model, "a_site", &frame));
  assert_ok(mbd_find_frame(model, "a_anchor_2", &frame));
  assert_non_null(body_of(model, "a_joint_2"));
  assert_int_equal(report->nwarning, 0);
  mbd_model_destroy(model);
  mbdx_report_free(report);
}

// functions for URDF take MJCF by its outermost element, with loops files and locks
static void
loaded_as_any_robot(void ** state)
{
  (void)state;
  static const char * const lock[] = {"k"};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.nlock = 1, options.lock = lock;
  options.loops_text =
    "closures:\n- name: pin\n  type: distance\n  a: {link: b, xyz: [0, 0, -1]}\n"
    "  b: {link: world, xyz: [0, 0, 3]}\n  distance: 3\n";
  static const char * const text = HEAD
    "<body name='a' pos='0 0 2'><joint name='j' axis='0 1 0'/><joint name='k' axis='1 0 0'/>" MASS
    "<body name='b' pos='0 0 -1'><joint name='l' axis='0 1 0'/>" MASS "</body></body>" TAIL;
  mbd_model_t * model;
  mbdx_report_t * report;
  const mbd_status_t status =
    mbdx_urdf_load_string(text, strlen(text), "robot.xml", &options, &model, &report);
  if (status != MBD_OK) print_report(report);
  assert_ok(status);
  assert_int_equal(model->tree ? model->tree->nv : model->nv, 2);
  mbd_model_destroy(model);
  mbdx_report_free(report);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(faults_have_line_and_way_out),
    cmocka_unit_test(included_files),
    cmocka_unit_test(sizes_are_limited),
    cmocka_unit_test(actuators_limit_effort),
    cmocka_unit_test(autolimits_of_mujoco_3),
    cmocka_unit_test(options_and_gravity),
    cmocka_unit_test(made_up_names),
    cmocka_unit_test(loaded_as_any_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
