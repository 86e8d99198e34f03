// Two readers of one file: urdfdom's numbers become the robot, a difference refuses the file with
// both values, and the report says whose reading it is. Differences that no file can make in this
// urdfdom are made here, between urdfdom and the loader, which is compiled for that a second time.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpp_log.h"
#include "urdf_internal.h"
#include "urdf_shim.h"
#include "urdf_test.h"

//---------- another reading ----------

// what the loader calls in place of urdf_shim_parse
urdf_shim_result_t altered_shim_parse(
  const char * text, size_t size, urdf_shim_robot_t * robot, char * message, size_t message_size);

enum { MOST = 8 };
static urdf_shim_link_t altered_link[MOST];
static urdf_shim_joint_t altered_joint[MOST];
static void (*alter)(urdf_shim_robot_t * robot);  // NULL: nothing
static int parses;                                // by urdfdom

urdf_shim_result_t
altered_shim_parse(
  const char * text, size_t size, urdf_shim_robot_t * robot, char * message, size_t message_size)
{
  parses++;
  const urdf_shim_result_t result = urdf_shim_parse(text, size, robot, message, message_size);
  if (result != URDF_SHIM_OK || !alter) return result;
  assert_true(robot->nlink < MOST && robot->njoint < MOST);
  memcpy(altered_link, robot->link, (size_t)robot->nlink * sizeof *robot->link);
  memcpy(altered_joint, robot->joint, (size_t)robot->njoint * sizeof *robot->joint);
  robot->link = altered_link;
  robot->joint = altered_joint;
  alter(robot);
  return result;
}

// links base, forearm, hand; joints elbow, wrist
static char *
robot_text(void)
{
  return arm_with(
    14,
    "<dynamics damping=\"0.5\" friction=\"0.25\"/>\n</joint>\n"
    "<link name=\"hand\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
    "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n"
    "<joint name=\"wrist\" type=\"prismatic\">\n<parent link=\"forearm\"/><child link=\"hand\"/>"
    "<axis xyz=\"0 0 1\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>\n"
    "<mimic joint=\"elbow\" multiplier=\"2\" offset=\"0.125\"/>\n</joint>");
}

static loaded_t
load_altered(void (*change)(urdf_shim_robot_t *))
{
  char * text = robot_text();
  alter = change;
  loaded_t l = load_text(text, NULL);
  alter = NULL;
  free(text);
  return l;
}

static void
assert_refused(void (*change)(urdf_shim_robot_t *), int line, const char * says)
{
  loaded_t l = load_altered(change);
  if (l.status != MBD_ERROR_URDF) print_error("accepted: %s\n", says);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_int_equal(l.report->nerror, 1);
  assert_entry(says, l.report, MBDX_ERROR, line, says);
  loaded_free(&l);
}

//---------- every number ----------

typedef struct number {
  bool of_joint;
  int element;  // forearm 1; elbow 0, wrist 1
  size_t offset;
  int n;
  int line;
  double least;      // difference that is refused, beside the last digit
  const char * one;  // the sentence if the first of them is larger by one
} number_t;

#define LINK(field)  false, 1, offsetof(urdf_shim_link_t, field)
#define ELBOW(field) true, 0, offsetof(urdf_shim_joint_t, field)
#define WRIST(field) true, 1, offsetof(urdf_shim_joint_t, field)

// clang-format off
static const number_t numbers[] = {
  {LINK(xyz), 3, 4, 0, "arm.urdf:4: link 'forearm': origin xyz is 0 0 0.5, but urdfdom reads 1 0 0.5; write"},
  {LINK(quat), 4, 4, 1e-11, "arm.urdf:4: link 'forearm': origin rotation (as a quaternion x y z w) is 0 0 0 1, but urdfdom reads 1 0 0 1; write"},
  {LINK(mass), 1, 5, 0, "arm.urdf:5: link 'forearm': mass is 1.5, but urdfdom reads 2.5; write it so that both read the same"},
  {LINK(I), 6, 6, 0, "arm.urdf:6: link 'forearm': inertia (ixx ixy ixz iyy iyz izz) is 0.1 0 0 0.1 0 0.1, but urdfdom reads 1.1 0 0 0.1 0 0.1; write"},
  {ELBOW(xyz), 3, 11, 0, "arm.urdf:11: joint 'elbow': origin xyz is 0 0 1, but urdfdom reads 1 0 1; write"},
  {ELBOW(quat), 4, 11, 1e-11, "arm.urdf:11: joint 'elbow': origin rotation (as a quaternion x y z w) is 0 0 0 1, but urdfdom reads 1 0 0 1; write"},
  // y is the direction: of another length it is the same axis
  {ELBOW(axis), 1, 12, 1e-9, "arm.urdf:12: joint 'elbow': axis is 0 1 0, but urdfdom reads 0.707107 0.707107 0; write"},
  {ELBOW(axis) + 2 * sizeof(double), 1, 12, 1e-9, "arm.urdf:12: joint 'elbow': axis is 0 1 0, but urdfdom reads 0 0.707107 0.707107; write"},
  {ELBOW(lower), 1, 13, 0, "arm.urdf:13: joint 'elbow': limit (lower upper effort velocity) is -1 1 10 2, but urdfdom reads 0 1 10 2; write"},
  {ELBOW(upper), 1, 13, 0, "arm.urdf:13: joint 'elbow': limit (lower upper effort velocity) is -1 1 10 2, but urdfdom reads -1 2 10 2; write"},
  {ELBOW(effort), 1, 13, 0, "arm.urdf:13: joint 'elbow': limit (lower upper effort velocity) is -1 1 10 2, but urdfdom reads -1 1 11 2; write"},
  {ELBOW(velocity), 1, 13, 0, "arm.urdf:13: joint 'elbow': limit (lower upper effort velocity) is -1 1 10 2, but urdfdom reads -1 1 10 3; write"},
  {ELBOW(damping), 1, 14, 0, "arm.urdf:14: joint 'elbow': dynamics (damping friction) is 0.5 0.25, but urdfdom reads 1.5 0.25; write"},
  {ELBOW(friction), 1, 14, 0, "arm.urdf:14: joint 'elbow': dynamics (damping friction) is 0.5 0.25, but urdfdom reads 0.5 1.25; write"},
  {WRIST(multiplier), 1, 19, 0, "arm.urdf:19: joint 'wrist': mimic (multiplier offset) is 2 0.125, but urdfdom reads 3 0.125; write"},
  {WRIST(offset), 1, 19, 0, "arm.urdf:19: joint 'wrist': mimic (multiplier offset) is 2 0.125, but urdfdom reads 2 1.125; write"},
};
// clang-format on

static const number_t * number;  // that is altered
static int number_at;            // which of its n
static double step;              // by how much; 0: to the next double

static void
alter_number(urdf_shim_robot_t * robot)
{
  (void)robot;
  char * base = number->of_joint ? (char *)&altered_joint[number->element]
                                 : (char *)&altered_link[number->element];
  double * x = (double *)(void *)(base + number->offset) + number_at;
  *x = step == 0 ? nextafter(*x, HUGE_VAL) : *x + step;
}

static void
every_number_must_agree(void ** state)
{
  (void)state;
  int refused = 0;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    number = &numbers[i];
    for (number_at = 0; number_at < number->n; number_at++) {
      step = number->least;
      assert_refused(alter_number, number->line, ", but urdfdom reads ");
      refused++;
    }
    number_at = 0;
    step = 1;
    assert_refused(alter_number, number->line, number->one);
  }
  assert_int_equal(refused, 31);
}

// what both may round differently, or one does not normalise
static void
rounding_of_rotations_and_length_of_axes_may_differ(void ** state)
{
  (void)state;
  loaded_t plain = load_altered(NULL);
  int accepted_count = 0;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    number = &numbers[i];
    if (number->n != 4) continue;
    for (number_at = 0; number_at < 4; number_at++) {
      step = 1e-14;
      loaded_t l = load_altered(alter_number);
      assert_int_equal(l.status, MBD_OK);
      // and urdfdom's is the one that is built: twice the change is in the rotation
      double off = 0;
      for (int k = 0; k < 9; k++) {
        const double a = l.model->body[0].X_tree.R.m[k], b = plain.model->body[0].X_tree.R.m[k];
        off = fmax(off, fabs(a - b));
      }
      if (number->of_joint && number_at < 3) assert_true(off > 1e-14 && off < 3e-14);
      loaded_free(&l);
      accepted_count++;
    }
  }
  loaded_free(&plain);
  static const number_t length = {ELBOW(axis) + sizeof(double), 1, 12, 0, ""};
  number = &length;
  number_at = 0;
  step = 6;
  loaded_t l = load_altered(alter_number);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  assert_int_equal(accepted_count, 8);
}

//---------- names and structure ----------

static void
alter_parent(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[1].parent = "base";
}

static void
alter_child(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[0].child = "fore\tarm";
}

static void
alter_mimic(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[1].mimic = NULL;
}

static void
alter_mimic_of_none(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[0].mimic = "wrist";
}

static void
alter_type(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[0].type = URDF_CONTINUOUS;
}

static void
alter_limit(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[0].has_limit = false;
}

static void
alter_inertial(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_link[1].has_inertial = false;
}

static void
alter_link_name(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_link[1].name = "forearn";
}

static void
alter_joint_name(urdf_shim_robot_t * robot)
{
  (void)robot;
  altered_joint[0].name = "Elbow";
}

static void
add_link(urdf_shim_robot_t * robot)
{
  altered_link[robot->nlink++] = (urdf_shim_link_t){.name = "z\x1b"};
}

static void
add_joint(urdf_shim_robot_t * robot)
{
  altered_joint[robot->njoint++] = (urdf_shim_joint_t){.name = "z"};
}

static void
names_and_structure_must_agree(void ** state)
{
  (void)state;
  assert_refused(alter_parent, 18, "joint 'wrist': parent is 'forearm', but urdfdom reads 'base'");
  assert_refused(
    alter_child, 10, "joint 'elbow': child is 'forearm', but urdfdom reads 'fore\\x09arm'");
  assert_refused(alter_mimic, 19, "joint 'wrist': mimic joint is 'elbow', but urdfdom reads none");
  assert_refused(
    alter_mimic_of_none, 8, "joint 'elbow': mimic joint is missing, but urdfdom reads 'wrist'");
  assert_refused(
    alter_type, 8, "joint 'elbow': type is 'revolute', but urdfdom reads 'continuous'");
  assert_refused(alter_limit, 13, "joint 'elbow': limit is there, but urdfdom reads none");
  assert_refused(alter_inertial, 3, "link 'forearm': inertial is there, but urdfdom reads none");
  assert_refused(alter_link_name, 3, "link 'forearm': is missing in the result of urdfdom");
  assert_refused(alter_joint_name, 8, "joint 'elbow': is missing in the result of urdfdom");
  assert_refused(add_link, 1, "robot 'arm': urdfdom reads a link 'z\\x1b', mbdyn does not");
  assert_refused(add_joint, 1, "robot 'arm': urdfdom reads a joint 'z', mbdyn does not");
}

//---------- files on which the two differ ----------

typedef struct row {
  int replace;
  const char * text;
  int line;
  const char * says;
} row_t;

#define NO_FLOAT "; write it so that both read the same; urdfdom says: Inertial: "
#define TENSOR   "ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\""

// clang-format off
static const row_t differing[] = {
  // urdfdom goes on with zeros where a number of <inertial> has a blank behind it
  {5, "<mass value=\" 2.5 \"/>", 5, "arm.urdf:5: link 'forearm': mass is 2.5, but urdfdom reads 0" NO_FLOAT "mass [ 2.5 ] is not a float"},
  {5, "<mass\nvalue=\"\n2.5\t\"/>", 5, "arm.urdf:5: link 'forearm': mass is 2.5, but urdfdom reads 0" NO_FLOAT "mass [\\x0a2.5\\x09] is not a float"},
  {6, "<inertia " TENSOR " izz=\"0.1 \"/>", 6, "arm.urdf:6: link 'forearm': inertia (ixx ixy ixz iyy iyz izz) is 0.1 0 0 0.1 0 0.1, but urdfdom reads 0 0 0 0 0 0" NO_FLOAT "inertia element izz is not a valid double"},
  {4, "<origin xyz=\"0\t0 0.5\"/>", 4, "arm.urdf:4: link 'forearm': origin xyz is 0 0 0.5, but urdfdom reads 0 0 0; write it so that both read the same; urdfdom says: Unable to parse component [0\\x090]"},
  {4, "<origin xyz=\"0 0 0.5\" rpy=\"0\n1 0\"/>", 4, "arm.urdf:4: link 'forearm': origin rotation (as a quaternion x y z w) is 0 0.479426 0 0.877583, but urdfdom reads 0 0 0 1; write"},
  // XML makes a blank of a line break in a name, TinyXML does not
  {8, "<joint name=\"el\nbow\" type=\"revolute\">", 8, "arm.urdf:8: joint 'el bow': is missing in the result of urdfdom"},
  {14, "</joint><link name=\"a\tb\"/><joint name=\"f\" type=\"fixed\"><parent link=\"forearm\"/><child link=\"a\tb\"/></joint>", 14, "arm.urdf:14: link 'a b': is missing in the result of urdfdom"},
};
// clang-format on

static void
files_that_read_differently_are_refused(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof differing / sizeof differing[0]; i++) {
    const row_t * r = &differing[i];
    char * text = arm_with(r->replace, r->text);
    loaded_t l = load_text(text, NULL);
    if (l.status != MBD_ERROR_URDF) print_error("accepted: %s\n", r->says);
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_entry(r->says, l.report, MBDX_ERROR, r->line, r->says);
    loaded_free(&l);
    free(text);
  }
}

//---------- whose reading ----------

#define BOTH        "arm.urdf: robot 'arm': parsed by urdfdom and mbdyn with the same result"
#define ALONE       "parsed only by mbdyn: urdfdom rejects the file"
#define PLAIN_LIMIT "lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\""

// clang-format off
static const row_t accepted[] = {
  {0, "", 0, BOTH},
  {12, "<axis xyz=\"0 0 7\"/>", 0, BOTH},
  {13, "<limit " PLAIN_LIMIT "/><loop_joint/>", 0, BOTH},
  {14, "</joint><transmission name=\"t\"><joint name=\"elbow\"/><actuator name=\"m\"/></transmission>", 0, BOTH "; only by mbdyn: transmissions"},
  {1, "<robot name=\"arm\" version=\"1.2\">", 0, "arm.urdf: robot 'arm': " ALONE " ("},
  {1, "<robot name=\"arm\" version=\"1.1\">", 0, "arm.urdf: robot 'arm': " ALONE " ("},
  {1, "<robot name=\"arm\" version=\"1\">", 0, "arm.urdf: robot 'arm': " ALONE " (The version attribute should be in the form 'x.y')"},
  {1, "<robot>", 0, "arm.urdf: robot 'robot': " ALONE " (No name given for the robot.)"},
  {13, "", 0, ALONE " (Joint [elbow] is of type REVOLUTE but it does not specify limits)"},
  {13, "<limit lower=\"-1\" upper=\"1\" velocity=\"1\"/>", 0, ALONE " (joint limit: no effort)"},
  {13, "<limit lower=\"-1\" upper=\"1\" effort=\"1\"/>", 0, ALONE " (joint limit: no velocity)"},
  {13, "<limit " PLAIN_LIMIT "/><dynamics/>", 0, ALONE " (joint dynamics element specified with no damping and no friction)"},
  {13, "<limit " PLAIN_LIMIT "/><safety_controller/>", 0, ALONE " (joint safety: no k_velocity)"},
  {13, "<limit lower=\"-1 \" upper=\"1\" effort=\"1\" velocity=\"1\"/>", 0, ALONE " (lower value (-1 ) is not a valid float)"},
  {11, "<origin xyz=\"0 0\t1\"/>", 0, ALONE " (Unable to parse component [0\\x091] to a double"},
  {2, "<link name=\"base\"/><material name=\"m\"/><material name=\"m\"/>", 0, ALONE " ("},
  // what urdfdom logs about a '%' is not asked for
  {2, "<link name=\"base\"/><material name=\"%s%s%s%n\"/><material name=\"%s%s%s%n\"/>", 0, ALONE},
  {2, "<link name=\"base\"/><material name=\"&#37;s&#37;n\"/>", 0, BOTH},
  {2, "<link name=\"base\"><visual><origin xyz=\"%n%n%n%n %s%s%s%s 1\"/></visual></link>", 0, BOTH},
  {2, "<link name=\"base\"><visual><geometry><sphere radius=\"%n%s%s\"/></geometry></visual></link>", 0, BOTH},
};
// clang-format on

static void
report_says_whose_reading_it_is(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
    const row_t * r = &accepted[i];
    char * text = arm_with(r->replace, r->text);
    loaded_t l = load_text(text, NULL);
    if (l.status != MBD_OK) print_report(l.report);
    assert_int_equal(l.status, MBD_OK);
    assert_entry(r->says, l.report, MBDX_NOTE, r->line, r->says);
    assert_true(l.model->body[0].X_tree.p.z == 1);
    loaded_free(&l);
    free(text);
  }
}

// with this urdfdom: 3.0.1 reads 1.0 alone
static void
version_1_2_is_read_by_us(void ** state)
{
  (void)state;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  parses = 0;
  assert_int_equal(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/test/data/version_1_2.urdf", NULL, &model, &report),
    MBD_OK);
  assert_true(parses > 0);
  assert_entry("1.2", report, MBDX_NOTE, 0, "robot 'pendulum': " ALONE " (");
  assert_true(model->body[0].limits.jerk == 150);
  mbdx_report_free(report);
  mbd_model_destroy(model);
}

// as many comments as cost TinyXML hundreds of megabytes
static void
too_many_comments_are_not_given_to_urdfdom(void ** state)
{
  (void)state;
  enum { COMMENTS = 500000 };
  char * comments = malloc(7 * COMMENTS + 100);
  assert_non_null(comments);
  for (int few = 0; few < 2; few++) {
    const int n = few ? COMMENTS / 10 : COMMENTS;
    char * at = comments + sprintf(comments, "<link name=\"base\"/>");
    for (int k = 0; k < n; k++, at += 7) memcpy(at, "<!---->", 8);
    char * text = arm_with(2, comments);
    parses = 0;
    loaded_t l = load_text(text, NULL);
    assert_int_equal(l.status, MBD_OK);
    assert_int_equal(parses, few);
    assert_entry(
      "comments", l.report, MBDX_NOTE, 0,
      few ? BOTH
          : "parsed only by mbdyn: files with more than 500000 tags and comments are not passed to "
            "urdfdom");
    loaded_free(&l);
    free(text);
  }
  free(comments);
}

// elements behind the first '>' of an instruction are elements for TinyXML
static void
instructions_that_hide_elements_are_refused(void ** state)
{
  (void)state;
  static const char * const hidden[] = {
    "<link name=\"base\"/><?x > <link name=\"z\"/> ?>",
    "<link name=\"base\"/><?xml-x a=\">\" ?>",
    "<link name=\"base\"/><!--> <a x=\" --><?x > <link name=\"z\"/> ?><gazebo y=\"\"/>",
  };
  for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
    char * text = arm_with(2, hidden[i]);
    parses = 0;
    loaded_t l = load_text(text, NULL);
    assert_int_equal(l.status, MBD_ERROR_XML);
    assert_entry(
      hidden[i], l.report, MBDX_ERROR, 2,
      "file: a processing instruction contains a '>'; remove it");
    assert_int_equal(parses, 0);
    loaded_free(&l);
    free(text);
  }
  char * text = arm_with(2, "<link name=\"base\"/><?x y z ?><!-- <?x > ?> --><!-->-->");
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  free(text);
}

// a name in another encoding: our own is UTF-8, and a warning shows what others see
static void
names_in_latin1_are_a_warning(void ** state)
{
  (void)state;
  static const char * const text[] = {
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><robot name=\"arm\"><link name=\"\xe4-\xe9\"/>"
    "<link name=\"b\"/><joint name=\"\xfc\" type=\"fixed\"><parent link=\"\xe4-\xe9\"/>"
    "<child link=\"b\"/></joint></robot>",
    "<robot name=\"arm\"><link name=\"&#228;-&#233;\"/><link name=\"b\"/><joint name=\"&#252;\" "
    "type=\"fixed\"><parent link=\"&#228;-&#233;\"/><child link=\"b\"/></joint></robot>"};
  for (int k = 0; k < 2; k++) {
    loaded_t l = load_text(text[k], NULL);
    if (l.status != MBD_OK) print_report(l.report);
    assert_int_equal(l.status, MBD_OK);
    assert_string_equal(l.model->frame[0].name, "\xc3\xa4-\xc3\xa9");
    assert_int_equal(l.report->nwarning, 1);
    assert_entry(
      "latin1", l.report, MBDX_WARNING, 1,
      "link '\xc3\xa4-\xc3\xa9': other programs that use urdfdom see the name '\\xe4-\\xe9'; save "
      "the file as UTF-8");
    assert_entry("latin1", l.report, MBDX_NOTE, 0, BOTH);
    loaded_free(&l);
  }
  // in UTF-8 that says so all names are one
  loaded_t l = load_text(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><robot name=\"arm\"><link name=\"\xc3\xa4&#233;\"/>"
    "</robot>",
    NULL);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.report->nwarning, 0);
  loaded_free(&l);
}

//---------- what urdfdom logs ----------

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
  for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
    char * text = arm_with(accepted[i].replace, accepted[i].text);
    loaded_t l = load_text(text, NULL);
    loaded_free(&l);
    free(text);
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

static atomic_bool loading;

static void *
log_while_loading(void * logged)
{
  while (atomic_load(&loading)) {
    cpp_log_error();
    ++*(int *)logged;
    sched_yield();
  }
  return NULL;
}

// the program's own handler and level are there afterwards, and other threads reach it meanwhile
static void
log_of_the_program_is_left_alone(void ** state)
{
  (void)state;
  cpp_log_install(true);
  for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
    char * text = arm_with(accepted[i].replace, accepted[i].text);
    loaded_t l = load_text(text, NULL);
    assert_true(cpp_log_untouched());
    loaded_free(&l);
    free(text);
  }
  assert_int_equal(cpp_log_count(), 0);
  pthread_t thread;
  int logged = 0;
  atomic_store(&loading, true);
  assert_int_equal(pthread_create(&thread, NULL, log_while_loading, &logged), 0);
  char * text = arm_with(13, "");
  for (int k = 0; k < 200; k++) {
    loaded_t l = load_text(text, NULL);
    loaded_free(&l);
  }
  free(text);
  atomic_store(&loading, false);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(logged > 0);
  assert_int_equal(cpp_log_count(), logged);
  cpp_log_install(false);
}

// a decimal of 1 to 22 digits with or without a point and an exponent; the same for the same seed
static void
random_decimal(unsigned long long * seed, char * text)
{
  static const char * const sign[4] = {"", "", "-", "+"};
  unsigned r[4];
  for (int k = 0; k < 4; k++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    r[k] = (unsigned)(*seed >> 40);
  }
  const int digits = 1 + (int)(r[0] % 22), point = (int)(r[1] % (unsigned)(digits + 2)) - 1;
  size_t n = (size_t)sprintf(text, "%s", sign[r[2] % 4]);
  for (int k = 0; k < digits; k++) {
    if (k == point) text[n++] = '.';
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    text[n++] = (char)('0' + (*seed >> 60) % 10);
  }
  text[n] = 0;
  if (r[2] / 4 % 2) sprintf(text + n, "e%d", (int)(r[3] % 61) - 30);
}

// numbers are converted in one operation where that is exact: every bit as strtod, signs of zero too
static void
numbers_are_those_of_strtod(void ** state)
{
  (void)state;
  static const char * const spelled[] = {
    "0",
    "-0",
    "-0.0e5",
    "9007199254740992",
    "9007199254740993",
    "9007199254740991e22",
    "1e22",
    "1e23",
    "1e-22",
    "1e-23",
    "123e-400",
    "0e99999999999",
    "1.5E+3",
    ".5",
    "5.",
    "18446744073709551617",
    "0.1",
    "0.3e1",
    "1e00022",
    "1e-0001",
    "1e-1000",
    "0.00000000000000000001"};
  const int nspelled = sizeof spelled / sizeof *spelled;
  unsigned long long seed = 1;
  for (int k = 0; k < 100000 + nspelled; k++) {
    char text[64];
    if (k < nspelled) {
      snprintf(text, sizeof text, "%s", spelled[k]);
    } else {
      random_decimal(&seed, text);
    }
    urdf_loader_t loader = {.source = "numbers"};
    const urdf_place_t place = {"number", NULL, 0};
    const double expected = strtod(text, NULL);
    double x = NAN;
    assert_true(urdf_number(&loader, place, "it", text, &x));
    if (memcmp(&x, &expected, sizeof x) != 0)
      fail_msg("%s is %.17g, read as %.17g", text, expected, x);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_number_must_agree),
    cmocka_unit_test(numbers_are_those_of_strtod),
    cmocka_unit_test(rounding_of_rotations_and_length_of_axes_may_differ),
    cmocka_unit_test(names_and_structure_must_agree),
    cmocka_unit_test(files_that_read_differently_are_refused),
    cmocka_unit_test(report_says_whose_reading_it_is),
    cmocka_unit_test(version_1_2_is_read_by_us),
    cmocka_unit_test(too_many_comments_are_not_given_to_urdfdom),
    cmocka_unit_test(instructions_that_hide_elements_are_refused),
    cmocka_unit_test(names_in_latin1_are_a_warning),
    cmocka_unit_test(nothing_is_printed),
    cmocka_unit_test(log_of_the_program_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
