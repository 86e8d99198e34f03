#include "urdf_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char * const arm_line[ARM_LINES] = {
  "<robot name=\"arm\">",
  "<link name=\"base\"/>",
  "<link name=\"forearm\"><inertial>",
  "<origin xyz=\"0 0 0.5\" rpy=\"0 0 0\"/>",
  "<mass value=\"1.5\"/>",
  "<inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/>",
  "</inertial></link>",
  "<joint name=\"elbow\" type=\"revolute\">",
  "<parent link=\"base\"/>",
  "<child link=\"forearm\"/>",
  "<origin xyz=\"0 0 1\"/>",
  "<axis xyz=\"0 1 0\"/>",
  "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"2\"/>",
  "</joint>",
  "</robot>"};

char *
arm_with(int line, const char * text)
{
  size_t size = strlen(text) + 1;
  for (int i = 0; i < ARM_LINES; i++) size += strlen(arm_line[i]) + 1;
  char * all = calloc(size, 1);
  assert_non_null(all);
  size_t n = 0;
  for (int i = 0; i < ARM_LINES; i++) {
    n += (size_t)snprintf(all + n, size - n, "%s\n", i + 1 == line ? text : arm_line[i]);
  }
  return all;
}

loaded_t
load_text(const char * text, const mbdx_urdf_options_t * options)
{
  loaded_t l = {MBD_OK, NULL, NULL};
  l.status = mbdx_urdf_load_string(text, strlen(text), "arm.urdf", options, &l.model, &l.report);
  if (l.report) assert_report_sound(l.report);
  assert_true((l.status == MBD_OK) == (l.model != NULL));
  return l;
}

void
loaded_free(loaded_t * loaded)
{
  mbd_model_destroy(loaded->model);
  mbdx_report_free(loaded->report);
}

const mbdx_report_entry_t *
find_entry(const mbdx_report_t * report, mbdx_severity_t severity, int line, const char * text)
{
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * e = &report->entry[i];
    if (e->severity == severity && e->line == line && strstr(e->text, text)) return e;
  }
  return NULL;
}

void
print_report(const mbdx_report_t * report)
{
  for (int i = 0; report && i < report->n; i++) {
    const mbdx_report_entry_t * e = &report->entry[i];
    print_error("  %s (line %d): %s\n", mbdx_severity_name(e->severity), e->line, e->text);
  }
}

void
assert_entry(
  const char * what, const mbdx_report_t * report, mbdx_severity_t severity, int line,
  const char * text)
{
  if (find_entry(report, severity, line, text)) return;
  print_error(
    "%s: no %s on line %d with \"%s\" in\n", what, mbdx_severity_name(severity), line, text);
  print_report(report);
  fail();
}

void
assert_report_sound(const mbdx_report_t * report)
{
  assert_non_null(report->source);
  int count[3] = {0, 0, 0};
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * e = &report->entry[i];
    count[e->severity]++;
    assert_non_null(e->element);
    assert_non_null(e->what);
    assert_non_null(e->text);
    assert_non_null(strstr(e->text, e->element));
    assert_non_null(strstr(e->text, e->what));
    if (e->hint) assert_non_null(strstr(e->text, e->hint));
    // sentences about another file come after those about the source
    const bool other = strcmp(e->source, report->source) != 0;
    const bool before = i > 0 && strcmp(report->entry[i - 1].source, report->source) != 0;
    assert_true(other || !before);
    if (i > 0 && other == before) assert_true(report->entry[i - 1].line <= e->line);
  }
  assert_int_equal(count[MBDX_NOTE], report->nnote);
  assert_int_equal(count[MBDX_WARNING], report->nwarning);
  assert_int_equal(count[MBDX_ERROR], report->nerror);
}
