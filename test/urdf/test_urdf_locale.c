// Numbers are the same where the decimal point is a comma, in C and in C++, and the locale of the
// program stays what it was.
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpp_locale.h"
#include "urdf_test.h"

static const char * const text =
  "<robot name=\"r\"><link name=\"base\"/>"
  "<link name=\"arm\"><inertial><origin xyz=\"0.25 0 0\"/><mass value=\"1234.5\"/>"
  "<inertia ixx=\"0.5\" ixy=\"0\" ixz=\"0\" iyy=\"0.5\" iyz=\"0\" izz=\"0.5\"/></inertial></link>"
  "<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/>"
  "<origin xyz=\"0.125 0 0\" rpy=\"0 0 0.5\"/><axis xyz=\"0 0 1.5\"/>"
  "<limit lower=\"-1.5\" upper=\"1.5\" effort=\"1500.5\" velocity=\"2.5\"/></joint></robot>";

static void
assert_numbers(void)
{
  loaded_t l = load_text(text, NULL);
  if (l.status != MBD_OK) print_report(l.report);
  assert_int_equal(l.status, MBD_OK);
  const mbd_body_t * body = &l.model->body[0];
  assert_true(body->inertia.mass == 1234.5);
  assert_true(body->inertia.h.x == 1234.5 * 0.25);
  assert_true(body->X_tree.p.x == 0.125);
  assert_true(body->limits.upper == 1.5 && body->limits.effort == 1500.5);
  // the report writes points too
  assert_entry("locale", l.report, MBDX_NOTE, 0, "mass 1234.5 kg");
  assert_entry("locale", l.report, MBDX_NOTE, 1, "of length 1.5 normalised");
  loaded_free(&l);
}

static bool
has_comma(void)
{
  char number[16];
  snprintf(number, sizeof number, "%.1f", 1.5);
  return strcmp(number, "1,5") == 0;
}

// a German locale from the system, or compiled for this test; false if there is no way to have one
static bool
make_german(const char * directory)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8")) return true;
  char command[300];
  snprintf(
    command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
    directory);
  if (system(command) != 0) return false;
  setenv("LOCPATH", directory, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void
c_locale_does_not_matter(void ** state)
{
  (void)state;
  char directory[] = "/tmp/mbdyn_locale_XXXXXX";
  assert_non_null(mkdtemp(directory));
  if (!make_german(directory)) {
    rmdir(directory);
    print_message("SKIPPED: no German locale, and localedef cannot make one\n");
    skip();
  }
  assert_true(has_comma());
  assert_numbers();
  assert_true(has_comma());
  const locale_t german = duplocale(LC_GLOBAL_LOCALE);
  assert_true(german != (locale_t)0);
  setlocale(LC_ALL, "C");
  assert_numbers();

  // the locale of the thread alone
  const locale_t old = uselocale(german);
  assert_true(has_comma());
  assert_numbers();
  assert_true(uselocale(old) == german);
  freelocale(german);

  char command[300];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  assert_int_equal(system(command), 0);
}

static void
cpp_locale_does_not_matter(void ** state)
{
  (void)state;
  set_cpp_locale(true);
  assert_numbers();
  set_cpp_locale(false);
  assert_numbers();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(c_locale_does_not_matter),
    cmocka_unit_test(cpp_locale_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
