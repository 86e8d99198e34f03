// Xacro files: the program xacro is run without a shell, its messages and failures reach the user. A
// script stands in for it; if the real one is installed, it expands a file, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "close.h"

static char bin[4096], path_before[4096], path_with[8192];

// what `xacro FILE` does, then
static void
stand_in(const char * lines)
{
  char script[4096], file[4200];
  snprintf(script, sizeof script, "#!/bin/sh\n%s\n", lines);
  snprintf(file, sizeof file, "%s/xacro", bin);
  write_file(file, script);
  assert_int_equal(chmod(file, 0755), 0);
}

static int
set_up(void ** state)
{
  if (cli_setup(state) != 0 || !getcwd(bin, sizeof bin - 8)) return -1;
  strcat(bin, "/bin");
  const char * path = getenv("PATH");
  snprintf(path_before, sizeof path_before, "%s", path ? path : "/usr/bin:/bin");
  snprintf(path_with, sizeof path_with, "%s:%s", bin, path_before);
  write_file("robot.urdf.xacro", "<robot/>\n");
  write_file("plain.xacro", "<robot/>\n");
  write_file("-v.xacro", "<robot/>\n");
  write_file("a b;touch pwned.xacro", "<robot/>\n");
  return mkdir(bin, 0755);
}

static int
tear_down(void ** state)
{
  char file[4200];
  snprintf(file, sizeof file, "%s/xacro", bin);
  unlink(file);
  return rmdir(bin) == 0 ? cli_teardown(state) : -1;
}

static int
with_stand_in(void ** state)
{
  (void)state;
  return setenv("PATH", path_with, 1);
}

static int
without(void ** state)
{
  (void)state;
  return setenv("PATH", path_before, 1);
}

// the output is that of the URDF itself, whatever the name; the program gets the name and nothing else
static void
output_of_xacro_is_read(void ** state)
{
  (void)state;
  static const char * const names[] = {
    "robot.urdf.xacro", "plain.xacro", "a b;touch pwned.xacro", "./-v.xacro"};
  stand_in("echo note >&2\nprintf '%s\\n' \"$#\" \"$@\" > seen\ncat arm.urdf");
  run_t plain = RUN("", "info", "arm.urdf");
  for (int k = 0; k < 4; k++) {
    char seen[100] = "", expected[100];
    run_t run = RUN("", "info", names[k]);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, plain.out);
    assert_string_equal(run.err, "note\n");
    run_free(&run);
    FILE * file = fopen("seen", "r");
    assert_non_null(file);
    const size_t n = fread(seen, 1, sizeof seen - 1, file);
    fclose(file);
    snprintf(expected, sizeof expected, "1\n%s\n", names[k]);
    assert_string_equal(seen, expected);
    assert_true(n > 0);
  }
  assert_int_not_equal(access("pwned", F_OK), 0);
  run_free(&plain);
}

static void
files_beside_are_found(void ** state)
{
  (void)state;
  stand_in("cat mimic.urdf");
  write_file("robot.loops.yaml", "closures: [{name: x, type: weld, a: nobody, b: world}]\n");
  run_t run = RUN("", "check", "robot.urdf.xacro");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "robot.loops.yaml:1: error: closure 'x': a: there is no link 'nobody'");
  run_free(&run);
  assert_int_equal(unlink("robot.loops.yaml"), 0);
  // lines are those of what xacro prints
  stand_in("cat broken.urdf");
  run = RUN("", "check", "robot.urdf.xacro");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "robot.urdf.xacro (expanded):4: error: joint 'j'");
  run_free(&run);
}

static void
failures_are_explained(void ** state)
{
  (void)state;
  static const struct {
    const char *script, *says;
  } rows[] = {
    {"echo bad macro >&2; exit 3", "bad macro\nrobot.urdf.xacro: xacro failed with exit code 3"},
    {"cat arm.urdf; exit 1", "xacro failed with exit code 1"},
    {"kill -9 $$", "robot.urdf.xacro: xacro was ended by signal 9"},
    {"true", "robot.urdf.xacro: xacro printed nothing"},
    {"yes", "robot.urdf.xacro: xacro prints more than 16777216 bytes"},
  };
  static const char * const commands[] = {"check", "info"};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    stand_in(rows[k].script);
    run_t run = RUN("", commands[k % 2], "robot.urdf.xacro");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, rows[k].says);
    assert_string_equal(run.out, "");
    run_free(&run);
  }
  run_t run = RUN("", "check", "nothing.xacro");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "nothing.xacro: cannot be read: No such file or directory");
  run_free(&run);
}

static void
without_xacro_there_is_a_way_out(void ** state)
{
  (void)state;
  assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
  run_t run = RUN("", "check", "robot.urdf.xacro");
  assert_int_equal(run.code, 2);
  assert_contains(
    run.err, "robot.urdf.xacro: is a xacro file, and the program xacro is not installed");
  assert_contains(run.err, "`xacro robot.urdf.xacro > robot.urdf`");
  run_free(&run);
}

static void
real_xacro_expands(void ** state)
{
  (void)state;
  if (system("command -v xacro > /dev/null 2>&1") != 0) return;  // tried where ROS 2 is
  write_file(
    "real.urdf.xacro",
    "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:property name='m' "
    "value='${2 * 0.75}'/><link name='base'/><link name='a'><inertial><mass value='${m}'/><inertia "
    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
    "type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint></robot>");
  run_t run = RUN("", "info", "real.urdf.xacro");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "1.5 kg");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(output_of_xacro_is_read, with_stand_in, without),
    cmocka_unit_test_setup_teardown(files_beside_are_found, with_stand_in, without),
    cmocka_unit_test_setup_teardown(failures_are_explained, with_stand_in, without),
    cmocka_unit_test_teardown(without_xacro_there_is_a_way_out, without),
    cmocka_unit_test(real_xacro_expands),
  };
  return cmocka_run_group_tests_name("cli_xacro", tests, set_up, tear_down);
}
