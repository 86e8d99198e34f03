// Running the `mbdyn` program in tests.
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "close.h"
#include "process.h"

// longer than any test may take: ctest ends it before
enum { RUN_MS = 3600 * 1000 };

//---------- robots ----------

#define INERTIAL                \
  "<inertial><mass value='1'/>" \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"

#define SLIDER(name, parent, child, more)                                                  \
  "<joint name='" name "' type='prismatic'><parent link='" parent "'/><child link='" child \
  "'/>"                                                                                    \
  "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='10' velocity='1'/>" more "</joint>\n"

static const char MIMIC_URDF[] =
  "<robot name='gripper'>\n<link name='palm'/>\n<link name='left'>" INERTIAL
  "</link>\n<link name='right'>" INERTIAL "</link>\n" SLIDER("left_joint", "palm", "left", "")
    SLIDER(
      "right_joint", "palm", "right", "<mimic joint='left_joint' multiplier='-1'/>") "</robot>\n";

static const char MASSLESS_URDF[] =
  "<robot name='ghost'>\n<link name='base'/>\n<link name='heavy'>" INERTIAL
  "</link>\n<link name='light'/>\n" SLIDER("real_joint", "base", "heavy", "")
    SLIDER("ghost_joint", "heavy", "light", "") "</robot>\n";

static const char BROKEN_URDF[] =
  "<robot name='broken'>\n<link name='base'/>\n<link name='a'>" INERTIAL
  "</link>\n<joint name='j' type='revolut'><parent link='base'/><child link='a'/></joint>\n"
  "</robot>\n";

static const char RIGID_URDF[] =
  "<robot name='rigid'>\n<link name='base'>" INERTIAL "</link>\n</robot>\n";

void
write_file(const char * name, const char * text)
{
  FILE * file = fopen(name, "w");
  assert_non_null(file);
  assert_int_not_equal(fputs(text, file), EOF);
  assert_int_equal(fclose(file), 0);
}

int
cli_setup(void ** state)
{
  static char directory[] = "/tmp/mbdyn_cli_XXXXXX";
  *state = directory;
  if (directory_enter(directory) != 0) return -1;
  write_file("arm.urdf", ARM_URDF);
  write_file("mimic.urdf", MIMIC_URDF);
  write_file("massless.urdf", MASSLESS_URDF);
  write_file("broken.urdf", BROKEN_URDF);
  write_file("rigid.urdf", RIGID_URDF);
  return 0;
}

int
cli_teardown(void ** state)
{
  return directory_leave(*state);
}

//---------- running ----------

run_t
run_cli(const char * input, const char * output, const char * const * args)
{
  char path[8192];
  snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
  char * const environment[] = {(char *)"LC_ALL=C.UTF-8", path, NULL};
  write_file("stdin.txt", input);
  const char * out = output ? output : "out.txt";
  const pid_t pid = process_spawn(MBDYN_CLI, args, environment, "stdin.txt", out, "err.txt");
  const int code = process_wait(pid, 0, RUN_MS);
  run_t run = {code < 128 ? code : -1, NULL, file_text("err.txt")};
  run.out = output ? calloc(1, 1) : file_text("out.txt");
  assert_non_null(run.out);
  assert_non_null(run.err);
  return run;
}

void
run_free(run_t * run)
{
  free(run->out);
  free(run->err);
}

json_t *
run_json(const char * input, const char * const * args)
{
  run_t run = run_cli(input, NULL, args);
  if (run.code != 0) print_error("exit code %d, stderr:\n%s", run.code, run.err);
  assert_int_equal(run.code, 0);
  json_error_t error;
  json_t * root = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
  if (!root) print_error("line %d: %s\n%s", error.line, error.text, run.out);
  assert_non_null(root);
  run_free(&run);
  return root;
}

//---------- looking at results ----------

const json_t *
value_at(const json_t * root, const char * path)
{
  const json_t * value = root;
  for (const char * step = path; value && *step;) {
    char key[64];
    const size_t length = strcspn(step, "/");
    assert_true(length < sizeof key);
    memcpy(key, step, length);
    key[length] = 0;
    value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                 : json_object_get(value, key);
    step += length + (step[length] == '/');
  }
  if (!value) print_error("nothing at %s\n", path);
  assert_non_null(value);
  return value;
}

static size_t
read_numbers(const json_t * value, double * x, size_t capacity)
{
  if (json_is_number(value)) {
    if (capacity > 0) *x = json_number_value(value);
    return 1;
  }
  assert_true(json_is_array(value));
  size_t n = 0;
  for (size_t i = 0; i < json_array_size(value); i++) {
    n += read_numbers(json_array_get(value, i), x + n, capacity > n ? capacity - n : 0);
  }
  return n;
}

void
numbers_at(const json_t * root, const char * path, double * x, size_t n)
{
  const size_t found = read_numbers(value_at(root, path), x, n);
  if (found != n) print_error("%zu numbers at %s, not %zu\n", found, path, n);
  assert_int_equal(found, n);
}

void
assert_contains_(const char * text, const char * fragment, const char * file, int line)
{
  if (strstr(text, fragment)) return;
  print_error("'%s' is not in\n%s\n", fragment, text);
  _fail(file, line);
}
