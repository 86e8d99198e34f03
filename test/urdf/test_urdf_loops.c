// Loops beside a URDF: what YAML and <loop_joint> come to, and what is refused in which words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mbdyn/constraints.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/spatial.h"
#include "urdf_test.h"

#define FINGER MBDYN_SOURCE_DIR "/config/robots/finger.urdf"
#define LOOPS  MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml"

// the spanning tree with its closures
static mbdx_urdf_options_t
as_tree(const char * loops)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  options.loops_text = loops;
  return options;
}

// base - ja - a - jb - b, base - jc - c (prismatic); massless is fine here
static const char ROBOT[] =
  "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>"
  "<link name=\"plate\"/>"
  "<joint name=\"ja\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
  "<axis xyz=\"0 0 1\"/></joint>"
  "<joint name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
  "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/></joint>"
  "<joint name=\"jp\" type=\"fixed\"><parent link=\"a\"/><child link=\"plate\"/></joint>"
  "<joint name=\"jc\" type=\"prismatic\"><parent link=\"base\"/><child link=\"c\"/>"
  "<axis xyz=\"1 0 0\"/><limit lower=\"-9\" upper=\"9\" effort=\"1\" velocity=\"1\"/></joint>"
  "%s</robot>";

static loaded_t
load_robot(const char * more, mbdx_urdf_options_t options)
{
  char text[4096];
  snprintf(text, sizeof text, ROBOT, more);
  options.allow_massless = true;
  return load_text(text, &options);
}

//---------- what is read ----------

// the finger of the documentation: one hinge, closed at rest, one degree of freedom
static void
the_finger_is_read(void ** context)
{
  (void)context;
  mbdx_urdf_options_t options = as_tree(NULL);
  options.loops_file = LOOPS;
  mbd_model_t * model;
  mbdx_report_t * report;
  mbd_data_t * data;
  assert_ok(mbdx_urdf_load_file(FINGER, &options, &model, &report));
  assert_int_equal(model->nclosure, 1);
  assert_string_equal(model->closure[0].name, "rod_pin");
  assert_int_equal(model->closure[0].type, MBD_CLOSURE_REVOLUTE);
  assert_entry("finger", report, MBDX_NOTE, 3, "revolute between 'rod' and 'distal': 5 rows");
  assert_ok(mbd_data_create(model, &data));
  double q[3] = {0}, d[5], work[512];
  assert_true(mbd_assembly_work(model) <= 512);
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_closure_error(model, data, 0, d));
  for (int r = 0; r < 5; r++) assert_true(fabs(d[r]) < 1e-16);
  // bent at the knuckle, the tip bends with it
  int knuckle, tip;
  assert_ok(mbd_find_joint(model, "knuckle", &knuckle));
  assert_ok(mbd_find_joint(model, "tip", &tip));
  bool held[3] = {false};
  mbd_assembly_options_t hold = mbd_assembly_options_default();
  mbd_assembly_t result;
  held[model->body[knuckle].v_index] = true;
  hold.held = held;
  double before = 0;
  for (double angle = 0.1; angle < 1.2; angle += 0.1) {
    q[model->body[knuckle].q_index] = angle;
    assert_ok(mbd_assemble(model, data, &hold, q, work, q, &result));
    assert_true(q[model->body[tip].q_index] > before);
    before = q[model->body[tip].q_index];
  }
  assert_true(before > 1.0);
  assert_ok(mbd_assemble(model, data, NULL, q, work, q, &result));
  assert_int_equal(result.mobility, 1);
  assert_int_equal(result.nredundant, 3);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbdx_report_free(report);
}

// by default a model with loops comes back in independent velocities: the knuckle's alone
static void
the_finger_is_embedded(void ** context)
{
  (void)context;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_file = LOOPS;
  mbd_model_t * model;
  mbdx_report_t * report;
  int knuckle;
  assert_ok(mbdx_urdf_load_file(FINGER, &options, &model, &report));
  assert_non_null(model->tree);
  assert_int_equal(model->nv, 1);
  assert_int_equal(model->nq, 3);
  assert_ok(mbd_find_joint(model, "knuckle", &knuckle));
  assert_int_equal(model->dof_body[0], knuckle);
  assert_entry("finger", report, MBDX_NOTE, 0, "1 closures with 5 rows leave 1 of 3 degrees");
  // the tip follows the knuckle, which goes no further than its limits
  assert_entry(
    "finger", report, MBDX_NOTE, 52, "joint 'tip': is dependent; its limits -0.2 to 2.2 constrain");
  assert_int_equal(mbd_limit_count(model), 2);
  mbd_model_destroy(model);
  mbdx_report_free(report);
  // a loop that does not fit
  options.loops_file = NULL;
  options.loops_text =
    "closures:\n- {name: far, type: spherical, a: {link: rod, xyz: [1, 0, 0]}, b: "
    "{link: distal}}\n";
  assert_int_equal(mbdx_urdf_load_file(FINGER, &options, &model, &report), MBD_ERROR_URDF);
  assert_null(model);
  assert_entry("far", report, MBDX_ERROR, 2, "loops:2: closure 'far': the loops cannot be closed");
  mbdx_report_free(report);
}

// mimic joints are reason enough, unless they are to be joints of their own
static void
mimic_joints_are_embedded(void ** context)
{
  (void)context;
  for (int independent = 0; independent < 2; independent++) {
    mbdx_urdf_options_t options = mbdx_urdf_options_default();
    options.mimic_independent = independent;
    mbd_model_t * model;
    assert_ok(mbdx_urdf_load_file(
      MBDYN_SOURCE_DIR "/test/data/mimic_gripper.urdf", &options, &model, NULL));
    assert_int_equal(model->tree != NULL, !independent);
    if (!independent) assert_int_equal(model->nv, model->tree->nv - model->tree->nmimic);
    mbd_model_destroy(model);
  }
}

// every key, as a model says it
static void
every_key_is_read(void ** context)
{
  (void)context;
  loaded_t l = load_robot(
    "", as_tree("closures:\n"
                "- name: w\n"
                "  type: weld\n"
                "  a: {link: b, xyz: [1, 2, 3], rpy: [0, 0, 1.5707963267948966]}\n"
                "  b: world\n"
                "- {name: h, type: continuous, a: c, b: {link: b, xyz: 4 5 6, axis: [0, 1, 0]}}\n"
                "- name: d\n"
                "  type: distance\n"
                "  distance: 0.25\n"
                "  a: {link: base}\n"
                "  b: {link: b}\n"
                "  driver: {value: 0.5, rate: -2}\n"
                "- name: g\n"
                "  type: gear\n"
                "  joints: {ja: 1, jb: -50, jc: 0.5}\n"
                "  offset: 0.125\n"
                "- name: m\n"
                "  type: rolling\n"
                "  a: {link: a}\n"
                "  b: {link: b}\n"
                "  driver: {rate: 3, row: 1}\n"
                "independent: [ja, jc]\n"));
  if (l.status != MBD_OK) print_report(l.report);
  assert_ok(l.status);
  const mbd_closure_t * c = l.model->closure;
  int b_link, base;
  assert_ok(mbd_find_joint(l.model, "jb", &b_link));
  assert_ok(mbd_find_frame(l.model, "base", &base));
  assert_int_equal(l.model->nclosure, 5);
  assert_int_equal(l.model->nrow, 6 + 5 + 1 + 1 + 2);
  assert_int_equal(c[0].type, MBD_CLOSURE_WELD);
  assert_int_equal(c[0].body_a, b_link);
  assert_int_equal(c[0].body_b, MBD_WORLD_BODY);
  assert_true(c[0].X_a.p.x == 1 && c[0].X_a.p.y == 2 && c[0].X_a.p.z == 3);
  assert_true(fabs(c[0].X_a.R.m[3] - 1) < 1e-15 && fabs(c[0].X_a.R.m[0]) < 1e-15);
  assert_int_equal(c[1].type, MBD_CLOSURE_REVOLUTE);
  assert_true(c[1].X_b.p.x == 4 && c[1].X_b.p.z == 6);
  // z of the closure is y of the link
  assert_true(fabs(c[1].X_b.R.m[5] - 1) < 1e-15);
  assert_int_equal(c[2].type, MBD_CLOSURE_DISTANCE);
  assert_int_equal(c[2].body_a, MBD_WORLD_BODY);
  assert_true(c[2].distance == 0.25 && c[2].driver.value == 0.5 && c[2].driver.rate == -2);
  assert_int_equal(c[3].type, MBD_CLOSURE_COUPLING);
  assert_int_equal(c[3].ncoupled, 3);
  assert_true(c[3].coefficient[1] == -50 && c[3].offset == 0.125 && c[3].coupled[1] == b_link);
  assert_int_equal(c[4].type, MBD_CLOSURE_ROLLING);
  assert_true(c[4].driver.row == 1 && c[4].driver.rate == 3);
  assert_entry("gear", l.report, MBDX_NOTE, 13, "loops:13: closure 'g': couples 3 joints");
  loaded_free(&l);
}

// empty files have no loops; all types have their names
static void
little_is_read_too(void ** context)
{
  (void)context;
  static const char * const empty[4] = {"", "# nothing\n", "closures: []\n", "independent: []\n"};
  for (int k = 0; k < 4; k++) {
    loaded_t l = load_robot("", as_tree(empty[k]));
    assert_ok(l.status);
    assert_int_equal(l.model->nclosure, 0);
    loaded_free(&l);
  }
  for (int type = 0; type < MBD_CLOSURE_TYPES; type++) {
    if (type == MBD_CLOSURE_COUPLING) continue;
    char text[256];
    const bool two = type == MBD_CLOSURE_TOUCH || type == MBD_CLOSURE_ROLL;
    const bool surface = two || type == MBD_CLOSURE_ON_SURFACE;
    snprintf(
      text, sizeof text, "closures: [{name: x, type: %s, a: {link: c%s}, b: {link: b%s}%s}]",
      mbd_closure_type_name((mbd_closure_type_t)type),
      surface ? ", surface: {cylinder: 2, inside: true}" : "",
      two ? ", surface: {ellipsoid: [0.1, 0.2, 0.3]}" : "",
      type == MBD_CLOSURE_DISTANCE ? ", distance: 1"
      : type == MBD_CLOSURE_SCREW  ? ", pitch: -0.1"
                                   : "");
    loaded_t l = load_robot("", as_tree(text));
    assert_ok(l.status);
    const mbd_closure_t * c = &l.model->closure[0];
    assert_int_equal(c->type, type);
    assert_true(c->pitch == (type == MBD_CLOSURE_SCREW ? -0.1 : 0));
    assert_int_equal(c->surface_a.type, surface ? MBD_SURFACE_CYLINDER : MBD_SURFACE_POINT);
    assert_true(c->surface_a.inside == surface && c->surface_a.size[0] == (surface ? 2 : 0));
    assert_int_equal(c->surface_b.type, two ? MBD_SURFACE_ELLIPSOID : MBD_SURFACE_POINT);
    assert_true(!two || (c->surface_b.size[1] == 0.2 && c->surface_b.size[2] == 0.3));
    loaded_free(&l);
  }
}

// as exporters write it, and with two <link1> as it is documented elsewhere
static void
loop_joints_are_read(void ** context)
{
  (void)context;
  for (int twice = 0; twice < 2; twice++) {
    char text[512];
    snprintf(
      text, sizeof text,
      "<loop_joint name=\"pin\" type=\"spherical\"><link1 link=\"b\" xyz=\"1 0 0\" rpy=\"0 0 0\"/>"
      "<link%d link=\"c\" xyz=\"0 0.5 0\" rpy=\"0 0 0\"/></loop_joint>",
      twice ? 1 : 2);
    loaded_t l = load_robot(text, as_tree(NULL));
    assert_ok(l.status);
    assert_int_equal(l.model->nclosure, 1);
    assert_string_equal(l.model->closure[0].name, "pin");
    assert_int_equal(l.model->closure[0].type, MBD_CLOSURE_SPHERICAL);
    assert_true(l.model->closure[0].X_a.p.x == 1);
    assert_int_equal(l.model->closure[0].nrow, 3);
    loaded_free(&l);
  }
  loaded_t l = load_robot(
    "<loop_joint name=\"pin\" type=\"revolute\"><link1 link=\"b\"/><link2 link=\"c\"/>"
    "<axis xyz=\"0 1 0\"/></loop_joint>",
    as_tree(NULL));
  assert_ok(l.status);
  assert_true(fabs(l.model->closure[0].X_a.R.m[5] - 1) < 1e-15);
  loaded_free(&l);
  // both files together
  l = load_robot(
    "<loop_joint name=\"pin\" type=\"spherical\"><link1 link=\"b\"/><link2 "
    "link=\"c\"/></loop_joint>",
    as_tree("closures: [{name: gear, type: coupling, joints: {ja: 1, jb: 1}}]"));
  assert_ok(l.status);
  assert_int_equal(l.model->nclosure, 2);
  loaded_free(&l);
}

//---------- <constraint> ----------

// column k of the rotation by rpy: roll about x, then pitch about y, then yaw about z; times an axis
static void
turned(const double rpy[3], const double axis[3], double out[3])
{
  double x[3] = {axis[0], axis[1], axis[2]};
  for (int about = 0; about < 3; about++) {
    const int i = (about + 1) % 3, j = (about + 2) % 3;
    const double c = cos(rpy[about]), s = sin(rpy[about]), old = x[i];
    x[i] = c * old - s * x[j];
    x[j] = s * old + c * x[j];
  }
  for (int k = 0; k < 3; k++) out[k] = x[k] / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void
assert_column(const mbd_placement_t * X, int k, const double * axis, const char * what)
{
  const double column[3] = {X->R.m[k], X->R.m[3 + k], X->R.m[6 + k]};
  assert_close(column, axis, 3, 1e-14, "%s", what);
}

// the format of ros/urdfdom pull request 264: places, and axes in the frames of the origins
static void
constraints_are_read(void ** context)
{
  (void)context;
  static const struct {
    const char * name;
    mbd_closure_type_t type;
    int axes, column[2];  // of a and b, where the axes are
  } TYPES[] = {
    {"revolute", MBD_CLOSURE_REVOLUTE, 1, {2, 2}},
    {"revolute", MBD_CLOSURE_REVOLUTE, 2, {2, 2}},
    {"prismatic", MBD_CLOSURE_PRISMATIC, 1, {2, 2}},
    {"universal", MBD_CLOSURE_UNIVERSAL, 2, {0, 1}},
    {"spherical", MBD_CLOSURE_SPHERICAL, 0, {0, 0}},
    {"link", MBD_CLOSURE_WELD, 0, {0, 0}},
  };
  static const double rpy[2][3] = {{0.3, -0.7, 1.1}, {-1.2, 0.4, 0.2}};
  static const double places[2][3] = {{1, 2, 3}, {-1, 0.5, 0}};
  int compared = 0;
  for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++) {
    const bool universal = TYPES[k].type == MBD_CLOSURE_UNIVERSAL;
    const double axis[2][3] = {{0.3, -0.4, 1.2}, {universal ? 2 : 0.3, -0.4, 1.2}};
    char text[1024], axes[2][100] = {"", ""};
    for (int i = 0; i < TYPES[k].axes; i++) {
      snprintf(
        axes[i], sizeof axes[i], "<%s_axis xyz=\"%g %g %g\"/>", i ? "child" : "parent", axis[i][0],
        axis[i][1], axis[i][2]);
    }
    snprintf(
      text, sizeof text,
      "<constraint name=\"pin\" type=\"%s\"><parent link=\"b\"/>"
      "<parent_origin xyz=\"1 2 3\" rpy=\"0.3 -0.7 1.1\"/>%s<child link=\"c\"/>"
      "<child_origin xyz=\"-1 0.5 0\" rpy=\"-1.2 0.4 0.2\"/>%s</constraint>",
      TYPES[k].name, axes[0], axes[1]);
    loaded_t l = load_robot(text, as_tree(NULL));
    if (l.status != MBD_OK) print_report(l.report);
    assert_ok(l.status);
    assert_entry(text, l.report, MBDX_NOTE, 1, "<constraint> is experimental");
    assert_int_equal(l.report->nwarning, 3);  // links without mass
    const mbd_closure_t * c = l.model->closure;
    assert_int_equal(c->type, TYPES[k].type);
    assert_string_equal(c->name, "pin");
    for (int side = 0; side < 2; side++) {
      int frame;
      assert_ok(mbd_find_frame(l.model, side ? "c" : "b", &frame));
      // in the link frame
      const mbd_placement_t *L = &l.model->frame[frame].X, *B = side ? &c->X_b : &c->X_a;
      const mbd_placement_t inverse = mbdu_placement_inverse(L),
                            at = mbdu_placement_mul(&inverse, B);
      const mbd_placement_t * X = &at;
      assert_close(&X->p.x, places[side], 3, 1e-15, "place, %s", text);
      const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      double expected[3];
      for (int j = 0; TYPES[k].axes == 0 && j < 3; j++, compared++) {
        turned(rpy[side], unit[j], expected);
        assert_column(X, j, expected, text);
      }
      if (TYPES[k].axes == 0) continue;
      turned(rpy[side], axis[side], expected);
      assert_column(X, TYPES[k].column[side], expected, text);
      compared++;
    }
    loaded_free(&l);
  }
  assert_int_equal(compared, 4 * 2 + 2 * 6);
  // slides do not turn: both frames are turned alike, so that they coincide where the origins do
  loaded_t l = load_robot(
    "<constraint name=\"s\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b\"/>"
    "<parent_axis xyz=\"1 1 0\"/></constraint>",
    as_tree(NULL));
  assert_ok(l.status);
  assert_close(l.model->closure->X_a.R.m, l.model->closure->X_b.R.m, 9, 0, "frames of a slide");
  loaded_free(&l);
}

static void
faults_of_constraints_are_named(void ** context)
{
  (void)context;
#define ENDS                   "<parent link=\"b\"/><child link=\"c\"/>"
#define CONSTRAINT(type, rest) "<constraint name=\"x\" type=\"" type "\">\n" rest "</constraint>"
  static const struct {
    int line;
    const char *text, *says;
  } rows[] = {
    {1, "<constraint name=\"x\"/>", "closure 'x': has no type; write revolute, prismatic"},
    {1, CONSTRAINT("ball", ENDS), "type \"ball\" is unknown; write revolute"},
    {1, "<constraint type=\"link\">" ENDS "</constraint>", "has no name"},
    {1, "<constraint name=\"x\" type=\"link\" kind=\"y\">" ENDS "</constraint>",
     "attribute 'kind'"},
    {1, CONSTRAINT("link", "<parent link=\"b\"/>"), "b is missing"},
    {1, CONSTRAINT("link", "<parent link=\"b\"/><child link=\"nobody\"/>"),
     "there is no link 'nobody'"},
    {1, CONSTRAINT("link", "<parent link=\"b\"/><child link=\"b\"/>"), "on the same link"},
    {2, CONSTRAINT("link", ENDS "<parent_axis xyz=\"1 0 0\"/>"),
     "an axis does not apply to this type; remove it"},
    {1, CONSTRAINT("revolute", ENDS), "has no <parent_axis>"},
    {1, CONSTRAINT("universal", ENDS "<parent_axis xyz=\"1 0 0\"/>"), "has no <child_axis>"},
    {2, CONSTRAINT("revolute", ENDS "<parent_axis xyz=\"0 0 0\"/>"), "has zero length"},
    {2, CONSTRAINT("revolute", ENDS "<parent_axis/>"), "<parent_axis> has no xyz"},
    {2, CONSTRAINT("revolute", ENDS "<parent_axis xyz=\"1 0\"/>"), "has 2 values, not 3"},
    {2, CONSTRAINT("revolute", ENDS "<parent_axis xyz=\"1 0 0\"/><child_axis xyz=\"0 1 0\"/>"),
     "joints of this type have one axis"},
    {2, CONSTRAINT("link", ENDS "<child_origin xyz=\"1 nan 0\"/>"), "origin xyz"},
    {2, CONSTRAINT("link", ENDS "<child_origin quat_xyzw=\"0 0 0 1\"/>"), "attribute 'quat_xyzw'"},
    {2, CONSTRAINT("link", ENDS "<origin xyz=\"1 0 0\"/>"),
     "element <origin> of <constraint> is unknown"},
    {2, CONSTRAINT("link", ENDS "<child link=\"b\"/>"), "<child>"},
  };
  const int n = (int)(sizeof rows / sizeof *rows);
  for (int k = 0; k < n; k++) {
    loaded_t l = load_robot(rows[k].text, as_tree(NULL));
    if (l.status != MBD_ERROR_URDF) print_error("%s\n", rows[k].text);
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_entry(rows[k].text, l.report, MBDX_ERROR, rows[k].line, rows[k].says);
    loaded_free(&l);
  }
  assert_int_equal(n, 18);
}

//---------- what is refused ----------

typedef struct fault {
  int line;
  const char * says;
  const char * text;
} fault_t;

#define LOOP(rest) "closures:\n- name: x\n" rest

// clang-format off
static const fault_t faults[] = {
  {3, "loops:3: closure 'x': a: there is no link 'nobody'; correct the name",
   "closures:\n\n- {name: x, type: weld, a: nobody, b: world}\n"},
  {2, "b is missing; give the name of a link, or world", LOOP("  type: weld\n  a: b\n")},
  {3, "type \"hinge\" is unknown; write weld, revolute", LOOP("  type: hinge\n  a: b\n  b: c\n")},
  {2, "has no type; add type:", LOOP("  a: b\n  b: c\n")},
  {2, "has no name; add a name", "closures:\n- {type: weld, a: b, b: c}\n"},
  {5, "the name is taken by the closure on line 2",
   LOOP("  type: weld\n  a: b\n- {name: x, type: weld, a: b, b: c}\n") },
  {2, "a and b are on the same link", LOOP("  type: weld\n  a: b\n  b: b\n")},
  {2, "both ends are on the same body", LOOP("  type: weld\n  a: a\n  b: plate\n")},
  {2, "a and b are on the same link", LOOP("  type: weld\n  a: world\n  b: world\n")},
  {4, "xyz is not three numbers; write [x, y, z]", LOOP("  type: weld\n  a: {link: b, xyz: [1, 2]}\n  b: c\n")},
  {4, "xyz \"x\" is not a number", LOOP("  type: weld\n  a: {link: b, xyz: [1, x, 2]}\n  b: c\n")},
  {4, "xyz 1e+20 is implausible", LOOP("  type: weld\n  a: {link: b, xyz: [1, 1e20, 2]}\n  b: c\n")},
  {4, "rpy \".nan\" is not a number", LOOP("  type: weld\n  a: {link: b, rpy: [.nan, 0, 2]}\n  b: c\n")},
  {4, "key \"pose\" is unknown; known keys: link, xyz, rpy, axis", LOOP("  type: weld\n  a: {link: b, pose: 1}\n  b: c\n")},
  {2, "an axis does not determine x", LOOP("  type: weld\n  a: {link: b, axis: [0, 0, 1]}\n  b: c\n")},
  {2, "a has both axis and rpy", LOOP("  type: revolute\n  a: {link: b, axis: [0, 0, 1], rpy: [0, 0, 0]}\n  b: c\n")},
  {2, "axis has zero length", LOOP("  type: revolute\n  a: {link: b, axis: [0, 0, 0]}\n  b: c\n")},
  {2, "distance is missing or zero", LOOP("  type: distance\n  a: b\n  b: c\n")},
  {2, "distance does not apply to type weld", LOOP("  type: weld\n  a: b\n  b: c\n  distance: 1\n")},
  {2, "pitch is missing or zero", LOOP("  type: screw\n  a: b\n  b: c\n")},
  {2, "pitch does not apply to type weld", LOOP("  type: weld\n  a: b\n  b: c\n  pitch: 1\n")},
  {2, "a has no surface; add surface", LOOP("  type: on_surface\n  a: b\n  b: c\n")},
  {2, "b has no surface",
   LOOP("  type: touch\n  a: {link: b, surface: plane}\n  b: {link: c}\n")},
  {2, "a: a surface does not apply to type weld",
   LOOP("  type: weld\n  a: {link: b, surface: plane}\n  b: c\n")},
  {2, "b: a surface does not apply to type on_surface",
   LOOP("  type: on_surface\n  a: {link: b, surface: plane}\n"
        "  b: {link: c, surface: {sphere: 1}}\n")},
  {2, "a cannot be a disk",
   LOOP("  type: touch\n  a: {link: b, surface: {disk: 1}}\n"
        "  b: {link: c, surface: {sphere: 1}}\n")},
  {2, "b cannot be a plane",
   LOOP("  type: roll\n  a: {link: b, surface: {sphere: 1}}\n  b: {link: c, surface: plane}\n")},
  {2, "b: inside does not apply",
   LOOP("  type: touch\n  a: {link: b, surface: plane}\n"
        "  b: {link: c, surface: {sphere: 1, inside: true}}\n")},
  {2, "a: size 0 of the surface is not positive",
   LOOP("  type: on_surface\n  a: {link: b, surface: {sphere: -1}}\n  b: c\n")},
  {4, "surface \"cube\" is unknown; write one of plane",
   LOOP("  type: on_surface\n  a: {link: b, surface: {cube: 1}}\n  b: c\n")},
  {4, "surface \"sphere\" has no sizes; write plane",
   LOOP("  type: on_surface\n  a: {link: b, surface: sphere}\n  b: c\n")},
  {4, "surface \"cylinder\" is a second one",
   LOOP("  type: on_surface\n  a: {link: b, surface: {sphere: 1, cylinder: 1}}\n  b: c\n")},
  {4, "ellipsoid is not 3 numbers",
   LOOP("  type: on_surface\n  a: {link: b, surface: {ellipsoid: [1, 2]}}\n  b: c\n")},
  {4, "inside is neither; write true or false",
   LOOP("  type: on_surface\n  a: {link: b, surface: {sphere: 1, inside: yes}}\n  b: c\n")},
  {2, "a: an axis does not determine x",
   LOOP("  type: on_surface\n  a: {link: b, axis: [0, 0, 1], surface: {paraboloid: [1, 2]}}\n"
        "  b: c\n")},
  {5, "distance \"far\" is not a number", LOOP("  type: distance\n  a: b\n  distance: far\n  b: c\n")},
  {2, "joints are missing", LOOP("  type: coupling\n")},
  {2, "there is no joint 'jx'", LOOP("  type: coupling\n  joints: {jx: 1}\n")},
  {2, "joint 'jp' is not revolute", LOOP("  type: coupling\n  joints: {jp: 1}\n")},
  {2, "the coefficient of joint 'ja' is 0", LOOP("  type: coupling\n  joints: {ja: 0}\n")},
  {4, "duplicate \"ja\"", LOOP("  type: coupling\n  joints: {ja: 1, ja: 2}\n")},
  {4, "joints has no keys", LOOP("  type: coupling\n  joints: [ja, jb]\n")},
  {2, "a coupling is between joints", LOOP("  type: coupling\n  joints: {ja: 1}\n  a: b\n")},
  {2, "joints do not apply to type weld", LOOP("  type: weld\n  joints: {ja: 1}\n  a: b\n  b: c\n")},
  {2, "driver: row 6 is out of range, 6 rows from 0", LOOP("  type: weld\n  a: b\n  b: c\n  driver: {row: 6}\n")},
  {2, "driver: row -1", LOOP("  type: weld\n  a: b\n  b: c\n  driver: {row: 0.5}\n")},
  {6, "key \"speed\" is unknown; known keys: value, rate, row", LOOP("  type: weld\n  a: b\n  b: c\n  driver: {speed: 6}\n")},
  {4, "key \"foo\" is unknown", LOOP("  type: weld\n  foo: 1\n  a: b\n  b: c\n")},
  {1, "key \"loops\" is unknown; known keys: closures, forces, independent", "loops: []\n"},
  {1, "closures is not a list", "closures: 3\n"},
  {2, "a closure has no keys", "closures:\n- 3\n"},
  {1, "the file has no keys", "- a\n"},
  {1, "independent: there is no moving joint 'jx'", "independent: [jx]\n"},
  {1, "independent: there is no moving joint 'jp'", "independent: [jp]\n"},
  {2, "is not YAML", "closures: [\n"},
  {2, "is not YAML", "a: b\n  c: d\n"},
  {1, "is not YAML", "closures: *nothing\n"},
  {2, "loops:2: file: has a second document; keep one", "closures: []\n---\nclosures: []\n"},
  {2, "name is not a single value", "closures:\n- {name: [x], type: weld, a: b, b: c}\n"},
};
// clang-format on

static void
faults_are_named(void ** context)
{
  (void)context;
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    loaded_t l = load_robot("", as_tree(faults[k].text));
    if (l.status != MBD_ERROR_URDF) {
      print_error("%s: %s\n", faults[k].text, mbd_status_name(l.status));
      if (l.report) print_report(l.report);
    }
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_entry(faults[k].text, l.report, MBDX_ERROR, faults[k].line, faults[k].says);
    loaded_free(&l);
  }
}

static void
faults_of_loop_joints_are_named(void ** context)
{
  (void)context;
  static const char * const rows[4][2] = {
    {"<loop_joint name=\"x\"/>", "arm.urdf:1: closure 'x': has no type"},
    {"<loop_joint name=\"x\" type=\"ball\"><link1 link=\"b\"/></loop_joint>", "b is missing"},
    {"<loop_joint name=\"x\" type=\"ball\"><link1 link=\"b\" xyz=\"1 2\"/><link2 "
     "link=\"c\"/></loop_joint>",
     "xyz \"1 2\" has 2 values, not 3"},
    {"<loop_joint name=\"x\" type=\"revolute\"><link1 link=\"b\"/><link2 "
     "link=\"c\"/><axis/></loop_joint>",
     "axis has no xyz"}};
  for (int k = 0; k < 4; k++) {
    loaded_t l = load_robot(rows[k][0], as_tree(NULL));
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_entry(rows[k][0], l.report, MBDX_ERROR, 1, rows[k][1]);
    loaded_free(&l);
  }
}

// files that are not there, too large, or given twice
static void
files_are_checked(void ** context)
{
  (void)context;
  mbdx_urdf_options_t options = as_tree(NULL);
  options.loops_file = "/nowhere/loops.yaml";
  loaded_t l = load_robot("", options);
  assert_int_equal(l.status, MBD_ERROR_FILE);
  assert_entry(
    "nowhere", l.report, MBDX_ERROR, 0, "/nowhere/loops.yaml: file: cannot be read: No such");
  loaded_free(&l);
  options.loops_text = "";
  l = load_robot("", options);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  loaded_free(&l);
  const size_t n = 1024 * 1024 + 10;
  char * large = malloc(n + 1);
  memset(large, '#', n);
  large[n] = 0;
  l = load_robot("", as_tree(large));
  assert_int_equal(l.status, MBD_ERROR_LIMIT);
  loaded_free(&l);
  // more closures than any robot has
  size_t used = (size_t)snprintf(large, n, "closures:\n");
  for (int k = 0; k < 1100; k++) {
    used += (size_t)snprintf(
      large + used, n - used, "- {name: c%d, type: coupling, joints: {ja: 1}}\n", k);
  }
  l = load_robot("", as_tree(large));
  assert_int_equal(l.status, MBD_ERROR_LIMIT);
  loaded_free(&l);
  free(large);
}

// text in which a part stands n times; free() it
static char *
repeated(const char * head, const char * part, size_t n)
{
  const size_t begin = strlen(head), length = strlen(part);
  char * text = malloc(begin + n * length + 1);
  assert_non_null(text);
  memcpy(text, head, begin);
  for (size_t k = 0; k < n; k++) memcpy(text + begin + k * length, part, length);
  text[begin + n * length] = 0;
  return text;
}

// libyaml needs a time that grows with the square of these: they do not get that far
static void
what_libyaml_takes_long_for_is_refused(void ** context)
{
  (void)context;
  static const struct {
    const char *head, *part, *says;
    size_t n;
  } cases[] = {
    {"closures: ", "[", "is nested more than 64 deep", 200000},
    {"closures: ", "{a: ", "is nested more than 64 deep", 100000},
    {"closures:\n", "- ", "is nested more than 64 deep", 200000},
    {"", "? ", "is nested more than 64 deep", 200000},
    {"closures: [", "[\n", "is nested more than 64 deep", 200000},
    {"closures:\n", "- &a 1\n", "has more than 1000 anchors and aliases", 100000},
    {"closures:\n- &a 1\n", "- *a\n", "has more than 1000 anchors and aliases", 100000},
    {"", "%TAG !a! b\n", "has more than 16 directives", 80000},
    {"", "%", "is not YAML", 500000},
    {"", "\n%a", "has more than 16 directives", 100000}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    char * text = repeated(cases[k].head, cases[k].part, cases[k].n);
    const clock_t begin = clock();
    loaded_t l = load_robot("", as_tree(text));
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > 2) print_error("%s: %g s\n", cases[k].part, seconds);
    assert_true(seconds < 2);
    const bool limit = strstr(cases[k].says, "YAML") == NULL;
    assert_int_equal(l.status, limit ? MBD_ERROR_LIMIT : MBD_ERROR_URDF);
    assert_int_equal(l.report->nerror, 1);
    bool reported = false;
    for (int i = 0; i < l.report->n; i++) {
      reported = reported || strstr(l.report->entry[i].what, cases[k].says);
    }
    assert_true(reported);
    loaded_free(&l);
    free(text);
  }
  // keys of one mapping
  char * keys = malloc(1000000);
  assert_non_null(keys);
  size_t n = 0;
  for (int k = 0; n < 990000; k++) n += (size_t)snprintf(keys + n, 1000000 - n, "k%d: 1\n", k);
  const clock_t begin = clock();
  loaded_t l = load_robot("", as_tree(keys));
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 3);
  assert_int_equal(l.status, MBD_ERROR_LIMIT);
  assert_entry("keys", l.report, MBDX_ERROR, 1, "loops:1: file: the file has more than 4096 keys");
  loaded_free(&l);
  free(keys);
  // as deep as it may be, and not nested too deep for YAML but for us
  char * deep = repeated("closures: ", "[", 63);
  char * ends = repeated(deep, "]", 63);
  l = load_robot("", as_tree(ends));
  assert_int_equal(l.status, MBD_ERROR_URDF);
  loaded_free(&l);
  free(ends);
  free(deep);
}

//---------- mechanism files ----------

static const char MECHANISM[] =
  "closures:\n"
  "  - name: rod_pin\n"
  "    type: revolute\n"
  "    a: {link: rod, xyz: [0.038078865529319536, 0, 0], axis: [0, 1, 0]}\n"
  "    b: {link: distal, xyz: [0.004, 0, -0.005], axis: [0, 1, 0]}\n"
  "independent: [tip]\n"
  "forces:\n"
  "  - {name: tendon, type: joint, joint: knuckle, stiffness: 0.1, rest: 0.2}\n"
  "bearings:\n"
  "  - {joint: rod_pin, mu_static: 0.2, mu_dynamic: 0.1, radius: 0.002}\n"
  "drivers:\n"
  "  - {name: motor, joint: knuckle, value: 0.7, rate: 0.1}\n"
  "initial: {rod_foot: 0.6}\n";

// the dynamics of the robot: closures and forces; drivers are not its own, and so is not the initial state
static void
a_mechanism_file_is_a_loops_file_with_more(void ** context)
{
  (void)context;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_text = MECHANISM;
  options.loops_source = "finger.mechanism.yaml";
  options.mechanism = true;
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(mbdx_urdf_load_file(FINGER, &options, &model, &report));
  assert_report_sound(report);
  assert_int_equal(report->nwarning, 2);
  assert_entry(
    "drivers", report, MBDX_WARNING, 12,
    "finger.mechanism.yaml:12: drivers: prescribe motions in simulations only");
  assert_entry(
    "bearings", report, MBDX_WARNING, 10,
    "finger.mechanism.yaml:10: bearings: count in simulations only");
  mbdx_report_free(report);
  const mbd_model_t * tree = model->tree;
  assert_non_null(tree);
  assert_int_equal(tree->nclosure, 1);
  assert_int_equal(tree->nelement, 1);
  assert_int_equal(model->nelement, 1);
  assert_int_equal(tree->nbearing, 1);
  assert_int_equal(model->nv, 1);
  assert_string_equal(tree->body[tree->dof_body[model->dof_tree[0]]].joint_name, "tip");
  mbd_model_destroy(model);
  // warnings that are errors; the file by name; without the option it is no loops file
  options.strict = true;
  assert_int_equal(mbdx_urdf_load_file(FINGER, &options, &model, NULL), MBD_ERROR_URDF);
  options.strict = false, options.mechanism = false;
  assert_int_equal(mbdx_urdf_load_file(FINGER, &options, &model, &report), MBD_ERROR_URDF);
  assert_entry("key", report, MBDX_ERROR, 10, "key \"bearings\" is unknown");
  mbdx_report_free(report);
}

static void
text_and_files_are_the_same_mechanism(void ** context)
{
  (void)context;
  static const char path[] = "/tmp/mbdyn_test_loops.mechanism.yaml";
  FILE * file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(MECHANISM, file) >= 0);
  assert_int_equal(fclose(file), 0);
  mbdx_mechanism_t *one, *two;
  assert_ok(mbdx_mechanism_load_urdf(FINGER, path, NULL, &one, NULL));
  remove(path);
  char text[20000];
  file = fopen(FINGER, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_text = MECHANISM;
  mbdx_report_t * report;
  assert_ok(mbdx_mechanism_load_urdf_string(text, size, "f", &options, &two, &report));
  assert_report_sound(report);
  assert_int_equal(report->nwarning, 0);
  assert_string_equal(report->source, "f");
  mbdx_report_free(report);
  assert_int_equal(one->model->nclosure, 2);  // with the driver
  assert_int_equal(two->model->nclosure, 2);
  assert_int_equal(two->model->nbearing, 1);
  assert_memory_equal(one->q, two->q, (size_t)one->model->nq * sizeof *one->q);
  assert_memory_equal(one->v, two->v, (size_t)one->model->nv * sizeof *one->v);
  int knuckle;
  assert_ok(mbd_find_joint(two->model, "knuckle", &knuckle));
  assert_true(fabs(two->q[two->model->body[knuckle].q_index] - 0.7) < 1e-12);
  mbdx_mechanism_free(one);
  mbdx_mechanism_free(two);
  // refusals
  assert_int_equal(
    mbdx_mechanism_load_urdf_string(text, size, "f", NULL, &two, NULL), MBD_ERROR_NULL_ARGUMENT);
  options.loops_text = NULL;
  assert_int_equal(
    mbdx_mechanism_load_urdf_string(text, size, "f", &options, &two, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_null(two);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_finger_is_read),
    cmocka_unit_test(the_finger_is_embedded),
    cmocka_unit_test(mimic_joints_are_embedded),
    cmocka_unit_test(every_key_is_read),
    cmocka_unit_test(little_is_read_too),
    cmocka_unit_test(loop_joints_are_read),
    cmocka_unit_test(faults_are_named),
    cmocka_unit_test(faults_of_loop_joints_are_named),
    cmocka_unit_test(constraints_are_read),
    cmocka_unit_test(faults_of_constraints_are_named),
    cmocka_unit_test(files_are_checked),
    cmocka_unit_test(what_libyaml_takes_long_for_is_refused),
    cmocka_unit_test(a_mechanism_file_is_a_loops_file_with_more),
    cmocka_unit_test(text_and_files_are_the_same_mechanism),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
