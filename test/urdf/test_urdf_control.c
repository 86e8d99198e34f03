// <ros2_control>: which interfaces the joints have, and what is said of those that lack one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/ros2_control.h"
#include "urdf_test.h"

#define assert_status(call, expected) assert_int_equal(call, expected)

#define COMMAND(name) "<command_interface name=\"" name "\"/>"
#define STATE(name)   "<state_interface name=\"" name "\"/>"

#define LINK(name) "<link name=\"" name "\"/>\n"
#define JOINT(name, parent, child)                                                                 \
  "<joint name=\"" name "\" type=\"continuous\"><parent link=\"" parent "\"/><child link=\"" child \
  "\"/></joint>\n"

// lines 2 to 8
static const char ROBOT[] = "<robot name=\"r\">\n" LINK("base") LINK("a") LINK("b") LINK("c")
  JOINT("j1", "base", "a") JOINT("j2", "a", "b")
  "<joint name=\"finger\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/><mimic "
  "joint=\"j2\"/></joint>\n"
  "%s\n</robot>";

static loaded_t
load_with(const char * more, bool strict)
{
  char text[8192];
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.allow_massless = true;
  options.strict = strict;
  snprintf(text, sizeof text, ROBOT, more);
  return load_text(text, &options);
}

static mbdx_ros2_control_t *
read_with(const char * more)
{
  char text[8192];
  mbdx_ros2_control_t * control = NULL;
  const int n = snprintf(text, sizeof text, ROBOT, more);
  assert_ok(mbdx_ros2_control_load_string(text, (size_t)n, &control));
  return control;
}

// in the order of the file, from all components, other elements left out
static void
interfaces_are_read(void ** state)
{
  (void)state;
  mbdx_ros2_control_t * c = read_with(
    "<ros2_control name=\"arm\" type=\"system\"><hardware><plugin>x/Y</plugin>"
    "<param name=\"joint\">j1</param></hardware>\n"
    "<joint name=\"j2\"><command_interface name=\"effort\"><param name=\"min\">-1</param>"
    "</command_interface>" STATE("position") STATE("velocity") "</joint>\n"
    "<sensor name=\"wrench\">" STATE("force.x") "</sensor><gpio name=\"io\">" COMMAND("effort") "</gpio>"
    "<joint name=\"j1\">" COMMAND("position") COMMAND("iq") STATE("acceleration") "</joint></ros2_control>\n"
    "<ros2_control name=\"more\" type=\"sensor\"><joint name=\"j2\">" STATE("effort") "</joint>"
    "</ros2_control>");
  assert_int_equal(c->n, 2);
  assert_string_equal(c->joint[0].name, "j2");
  assert_int_equal(c->joint[0].line, 10);
  assert_int_equal(c->joint[0].command, MBDX_INTERFACE_EFFORT);
  assert_int_equal(
    c->joint[0].state, MBDX_INTERFACE_POSITION | MBDX_INTERFACE_VELOCITY | MBDX_INTERFACE_EFFORT);
  assert_string_equal(c->joint[1].name, "j1");
  assert_int_equal(c->joint[1].command, MBDX_INTERFACE_POSITION);
  assert_int_equal(c->joint[1].state, MBDX_INTERFACE_ACCELERATION);
  mbdx_ros2_control_free(c);
  c = read_with("");
  assert_int_equal(c->n, 0);
  mbdx_ros2_control_free(c);
  mbdx_ros2_control_free(NULL);
}

static void
bad_text_is_refused(void ** state)
{
  (void)state;
  static const char not_closed[] = "<robot><ros2_control>", other[] = "<sdf/>";
  mbdx_ros2_control_t * c = (mbdx_ros2_control_t *)(uintptr_t)1;
  assert_status(mbdx_ros2_control_load_string(not_closed, strlen(not_closed), &c), MBD_ERROR_XML);
  assert_null(c);
  assert_status(mbdx_ros2_control_load_string(other, strlen(other), &c), MBD_ERROR_URDF);
  static const char mjcf[] = "<mujoco><worldbody/></mujoco>";
  assert_ok(mbdx_ros2_control_load_string(mjcf, strlen(mjcf), &c));
  mbdx_ros2_control_free(c);
  assert_status(mbdx_ros2_control_load_string(NULL, 0, &c), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbdx_ros2_control_load_string(other, 6, NULL), MBD_ERROR_NULL_ARGUMENT);
  // more joints than a robot may have
  const size_t size = 400000;
  char * text = malloc(size);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, size, "<robot><ros2_control>");
  for (int k = 0; k <= 4096; k++)
    n += (size_t)snprintf(text + n, size - n, "<joint name=\"%d\"/>", k);
  snprintf(text + n, size - n, "</ros2_control></robot>");
  assert_status(mbdx_ros2_control_load_string(text, strlen(text), &c), MBD_ERROR_LIMIT);
  free(text);
}

#define CONTROL(joints) "<ros2_control name=\"h\" type=\"system\">\n" joints "</ros2_control>"
#define ALL             COMMAND("effort") STATE("position")

typedef struct row {
  mbdx_severity_t severity;
  int line;
  const char *control, *says;
} row_t;

static const row_t rows[] = {
  {MBDX_NOTE, 9, CONTROL("<joint name=\"j1\">" ALL "</joint><joint name=\"j2\">" ALL "</joint>"),
   "<ros2_control> has 2 joints, 2 with an effort command interface"},
  {MBDX_NOTE, 10,
   CONTROL("<joint name=\"j1\">" COMMAND("position")
             STATE("position") "</joint><joint name=\"j2\">" ALL "</joint>"),
   "joint 'j1': has no effort command interface in <ros2_control>; for torque control add"},
  {MBDX_NOTE, 10, CONTROL("<joint name=\"j1\">" COMMAND("effort") "</joint>"),
   "joint 'j1': has no position state interface in <ros2_control>; add <state_interface "
   "name=\"position\"/>"},
  {MBDX_NOTE, 7, CONTROL("<joint name=\"j1\">" ALL "</joint>"),
   "joint 'j2': is not in <ros2_control>"},
  {MBDX_NOTE, 9, CONTROL("<joint name=\"j1\">" COMMAND("position") "</joint>"),
   "<ros2_control> has 1 joint, 0 with an effort command interface"},
  {MBDX_WARNING, 10, CONTROL("<joint name=\"jj\">" ALL "</joint>"),
   "joint 'jj': of <ros2_control> is not a joint of the robot; correct the name"},
  {MBDX_WARNING, 10, CONTROL("<joint>" ALL "</joint>"), "<joint> of <ros2_control> has no name"},
  {MBDX_WARNING, 10, CONTROL("<joint name=\"j1\"><command_interface/></joint>"),
   "joint 'j1': <command_interface> of <ros2_control> has no name"},
  {MBDX_WARNING, 10, CONTROL("<joint name=\"j1\">" ALL STATE("position") "</joint>"),
   "joint 'j1': <state_interface name=\"position\"> is given twice"},
  {MBDX_WARNING, 11,
   CONTROL("<joint name=\"j1\">" ALL "</joint>\n<joint name=\"j1\">" COMMAND("effort") "</joint>"),
   "joint 'j1': has the same command interface in the <ros2_control> of line 10"},
};

// notes leave a robot that is not for torques alone, also if the load is strict
static void
what_is_missing_is_reported(void ** state)
{
  (void)state;
  const int n = (int)(sizeof rows / sizeof *rows);
  int strict = 0;
  for (int k = 0; k < n; k++) {
    loaded_t l = load_with(rows[k].control, false);
    assert_ok(l.status);
    assert_entry(rows[k].control, l.report, rows[k].severity, rows[k].line, rows[k].says);
    loaded_free(&l);
    l = load_with(rows[k].control, true);
    const bool warned = find_entry(l.report, MBDX_ERROR, rows[k].line, rows[k].says) != NULL;
    assert_true(warned == (rows[k].severity == MBDX_WARNING));
    strict += warned;
    loaded_free(&l);
  }
  assert_int_equal(strict, 5);
  // nothing of followers, of robots without the element, and no effort of anyone if nobody has it
  loaded_t l = load_with(rows[4].control, false);
  for (int i = 0; i < l.report->n; i++) {
    assert_null(strstr(l.report->entry[i].text, "joint 'finger': is not in"));
    assert_null(strstr(l.report->entry[i].text, "no effort command interface in"));
  }
  loaded_free(&l);
  l = load_with("", false);
  for (int i = 0; i < l.report->n; i++)
    assert_null(strstr(l.report->entry[i].text, "ros2_control"));
  loaded_free(&l);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interfaces_are_read),
    cmocka_unit_test(bad_text_is_refused),
    cmocka_unit_test(what_is_missing_is_reported),
  };
  return cmocka_run_group_tests_name("urdf_control", tests, NULL, NULL);
}
