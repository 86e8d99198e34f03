// Files, arguments, sizes and threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_generator.h"
#include "urdf_test.h"

//---------- arguments ----------

static void
missing_arguments_are_refused(void ** state)
{
  (void)state;
  mbd_model_t * model = (mbd_model_t *)1;
  mbdx_report_t * report = (mbdx_report_t *)1;
  assert_int_equal(mbdx_urdf_load_file(NULL, NULL, &model, &report), MBD_ERROR_NULL_ARGUMENT);
  assert_null(model);
  assert_null(report);
  assert_int_equal(mbdx_urdf_load_file("x", NULL, NULL, &report), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(
    mbdx_urdf_load_string(NULL, 3, "x", NULL, &model, &report), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(
    mbdx_urdf_load_string("x", 1, "x", NULL, NULL, &report), MBD_ERROR_NULL_ARGUMENT);
  // no report wanted
  assert_int_equal(mbdx_urdf_load_string("x", 1, "x", NULL, &model, NULL), MBD_ERROR_XML);
  assert_int_equal(mbdx_urdf_load_file("/nowhere", NULL, &model, NULL), MBD_ERROR_FILE);
  mbdx_report_free(NULL);
  assert_string_equal(mbdx_severity_name(MBDX_NOTE), "note");
  assert_string_equal(mbdx_severity_name(MBDX_WARNING), "warning");
  assert_string_equal(mbdx_severity_name(MBDX_ERROR), "error");
  assert_string_equal(mbdx_severity_name((mbdx_severity_t)9), "unknown");
}

static void
defaults_are_as_documented(void ** state)
{
  (void)state;
  const mbdx_urdf_options_t o = mbdx_urdf_options_default();
  assert_int_equal(o.base, MBDX_BASE_FIXED);
  assert_false(o.mimic_independent || o.strict || o.allow_massless);
  assert_true(o.gravity.x == 0 && o.gravity.y == 0 && o.gravity.z == -9.81);
  assert_int_equal(o.ndrive, 0);
}

// no name for the source; the text without or with the zero at its end; nothing at all
static void
text_need_not_end_in_zero(void ** state)
{
  (void)state;
  static const char text[] = "<robot name=\"r\"><link name=\"a\"/></robot>junk";
  mbd_model_t * model;
  mbdx_report_t * report;
  assert_ok(mbdx_urdf_load_string(text, sizeof text - 5, NULL, NULL, &model, &report));
  assert_string_equal(report->source, "robot_description");
  assert_entry(
    "source", report, MBDX_NOTE, 0,
    "robot_description: robot 'r': 1 links, 0 joints (0 moving), mass 0 kg");
  mbdx_report_free(report);
  mbd_model_destroy(model);
  static const char zero[] = "<robot name=\"r\"><link name=\"a\"/></robot>\n";
  assert_ok(mbdx_urdf_load_string(zero, sizeof zero, NULL, NULL, &model, NULL));
  mbd_model_destroy(model);
  assert_int_equal(mbdx_urdf_load_string("", 0, NULL, NULL, &model, NULL), MBD_ERROR_XML);
  assert_int_equal(mbdx_urdf_load_string("\0\0", 2, NULL, NULL, &model, NULL), MBD_ERROR_XML);
}

static void
encodings_are_read(void ** state)
{
  (void)state;
  static const char * const text[] = {
    "\xef\xbb\xbf<?xml version=\"1.0\"?><robot name=\"r\"><link name=\"\xc3\xa4\"/></robot>",
    "<?xml version='1.0' encoding='utf-8'?><robot name=\"r\"><link name=\"\xc3\xa4\"/></robot>",
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><robot name=\"r\"><link "
    "name=\"\xe4\"/></robot>",
    "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><robot name=\"r\"><link "
    "name=\"&#228;\"/></robot>"};
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
    loaded_t l = load_text(text[i], NULL);
    if (l.status != MBD_OK) print_report(l.report);
    assert_int_equal(l.status, MBD_OK);
    assert_string_equal(l.model->frame[0].name, "\xc3\xa4");
    loaded_free(&l);
  }
}

//---------- lines ----------

// lines are counted beyond 65535, and in Windows files
static void
lines_are_counted(void ** state)
{
  (void)state;
  enum { LINES = 70000 };
  char * text = malloc(LINES + 300);
  assert_non_null(text);
  memset(text, '\n', LINES);
  strcpy(
    text + LINES,
    "<robot name=\"r\">\n<link name=\"a\">\n<inertial><mass\n\n value=\"x\"\n/><inertia ixx=\"1\" "
    "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link></robot>");
  loaded_t l = load_text(text, NULL);
  assert_entry("lines", l.report, MBDX_ERROR, LINES + 3, "mass \"x\" is not a number");
  loaded_free(&l);
  free(text);
  l = load_text("<robot name=\"r\">\r\n<link name=\"a\"/>\r\n<link/>\r\n</robot>\r\n", NULL);
  assert_entry("lines", l.report, MBDX_ERROR, 3, "has no name");
  loaded_free(&l);
}

//---------- sizes ----------

static void
assert_limit(const char * text, size_t size, const char * says)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_urdf_load_string(text, size, "big", NULL, &model, &report);
  if (status != MBD_ERROR_LIMIT) print_report(report);
  assert_int_equal(status, MBD_ERROR_LIMIT);
  assert_report_sound(report);
  for (int i = 0; i < report->n; i++) {
    if (strstr(report->entry[i].text, says)) says = "";
  }
  assert_string_equal(says, "");
  mbdx_report_free(report);
}

// n times a text between two others; free() it
static char *
repeat(const char * head, const char * text, int n, const char * tail)
{
  const size_t size = strlen(text);
  char * all = malloc(strlen(head) + size * (size_t)n + strlen(tail) + 1);
  assert_non_null(all);
  strcpy(all, head);
  char * at = all + strlen(head);
  for (int i = 0; i < n; i++, at += size) memcpy(at, text, size);
  strcpy(at, tail);
  return all;
}

static void
too_large_is_refused(void ** state)
{
  (void)state;
  char * text = repeat("<robot name=\"r\">", "<link name=\"a\">", 20000, "");
  assert_limit(text, strlen(text), "elements are nested more than 64 deep");
  free(text);
  text = repeat("<robot name=\"r\">\n", " ", 16 * 1024 * 1024, "");
  assert_limit(text, strlen(text), "is larger than 16 MB");
  free(text);
  text = repeat("<robot name=\"r\">", "<a b=\"\"/>", 250000, "</robot>");
  assert_limit(text, strlen(text), "has more than 500000 elements and attributes");
  free(text);
  text = repeat("<robot name=\"r\">\n<a ", "aa=\"\" ", 101, "/></robot>");
  char * c = strstr(text, "aa=");
  for (int k = 0; c; k++, c = strstr(c + 1, "aa=")) {
    c[0] = (char)('a' + k / 10);
    c[1] = (char)('a' + k % 10);
  }
  assert_limit(text, strlen(text), "big:2: file: an element has more than 100 attributes");
  free(text);
  text = repeat("<robot name=\"r\">\n\n<link ", "a=\"\" ", 200000, "/></robot>");
  assert_limit(text, strlen(text), "big:3: file: a tag is longer than 8192 bytes");
  free(text);
  text = repeat("<robot name=\"r\">\n<link name=\"", "n", 257, "\"/></robot>");
  assert_limit(text, strlen(text), "is longer than 256 bytes");
  free(text);
  text = repeat("<robot name=\"", "n", 257, "\"><link name=\"a\"/></robot>");
  assert_limit(text, strlen(text), "is longer than 256 bytes");
  free(text);
}

// the largest that is accepted: names of 256 bytes, comments and instructions of any length
static void
large_is_accepted(void ** state)
{
  (void)state;
  char * text = repeat("<robot name=\"r\"><link name=\"", "n", 256, "\"/></robot>");
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  free(text);
  text = repeat("<robot name=\"r\">", "<!-- > -->", 1500000, "<link name=\"a\"/></robot>");
  l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  free(text);
  text = repeat("<robot name=\"r\"><!-- ", "> '", 100000, " --><link name=\"a\"/></robot>");
  l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  free(text);
  text = repeat(
    "<robot name=\"r\"><link name=\"a\"/><gazebo><![CDATA[", "<'\"", 100000,
    "]]></gazebo></robot>");
  l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_OK);
  loaded_free(&l);
  free(text);
}

// 4096 links in one chain, no more; their names sort so that the root is freed last or first
static void
links_are_counted(void ** state)
{
  (void)state;
  char * text = urdf_chain(4095, 1);
  loaded_t l = load_text(text, NULL);
  if (l.status != MBD_OK) print_report(l.report);
  assert_int_equal(l.status, MBD_OK);
  assert_int_equal(l.model->nbody, 4095);
  loaded_free(&l);
  free(text);
  text = urdf_chain(4096, 1);
  assert_limit(text, strlen(text), "has more than 4096 links");
  free(text);
}

// a report stays of moderate length, and says what it leaves out
static void
reports_are_bounded(void ** state)
{
  (void)state;
  char * text = repeat("<robot name=\"r\"><link name=\"a\"/>", "<link/>", 3000, "</robot>");
  loaded_t l = load_text(text, NULL);
  assert_int_equal(l.status, MBD_ERROR_URDF);
  assert_int_equal(l.report->nerror, 1001);
  assert_entry("bounded", l.report, MBDX_ERROR, 0, "2000 further errors are not listed");
  loaded_free(&l);
  free(text);
}

//---------- threads ----------

enum { THREADS = 4, LOADS = 20 };

static void *
load_often(void * failures)
{
  char path[500];
  snprintf(path, sizeof path, "%s/test/data/branched.urdf", MBDYN_SOURCE_DIR);
  static const char bad[] = "<robot name=\"r\">\n<link name=\"a\">\n</robot>";
  for (int i = 0; i < LOADS; i++) {
    mbd_model_t * model;
    mbdx_report_t * report;
    mbd_status_t status = mbdx_urdf_load_file(path, NULL, &model, &report);
    if (status != MBD_OK || report->nerror != 0 || model->nbody == 0) ++*(int *)failures;
    mbdx_report_free(report);
    mbd_model_destroy(model);
    // errors of one thread are not heard in another
    status = mbdx_urdf_load_string(bad, sizeof bad, "bad", NULL, &model, &report);
    if (status != MBD_ERROR_XML || report->n != 1 || report->entry[0].line != 3) {
      ++*(int *)failures;
    }
    mbdx_report_free(report);
  }
  return NULL;
}

static void
threads_do_not_meet(void ** state)
{
  (void)state;
  pthread_t thread[THREADS];
  int failures[THREADS] = {0};
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&thread[i], NULL, load_often, &failures[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(failures[i], 0);
  }
}

//---------- robots of the repository ----------

static void
our_robots_load(void ** state)
{
  (void)state;
  static const char * const name[] = {
    "all_joint_types", "branched", "double_pendulum", "mimic_gripper", "rotated_fixed"};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    for (int base = 0; base < 2; base++) {
      char path[500];
      snprintf(path, sizeof path, "%s/test/data/%s.urdf", MBDYN_SOURCE_DIR, name[i]);
      options.base = (mbdx_base_t)base;
      mbd_model_t * model;
      mbdx_report_t * report;
      const mbd_status_t status = mbdx_urdf_load_file(path, &options, &model, &report);
      if (status != MBD_OK) print_report(report);
      assert_int_equal(status, MBD_OK);
      mbdx_report_free(report);
      mbd_model_destroy(model);
    }
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(missing_arguments_are_refused),
    cmocka_unit_test(defaults_are_as_documented),
    cmocka_unit_test(text_need_not_end_in_zero),
    cmocka_unit_test(encodings_are_read),
    cmocka_unit_test(lines_are_counted),
    cmocka_unit_test(too_large_is_refused),
    cmocka_unit_test(large_is_accepted),
    cmocka_unit_test(links_are_counted),
    cmocka_unit_test(reports_are_bounded),
    cmocka_unit_test(threads_do_not_meet),
    cmocka_unit_test(our_robots_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
