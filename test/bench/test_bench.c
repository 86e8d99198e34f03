// `mbdyn_bench` as a user runs it. Times are not looked at: only that they are there.
#include <libxml/parser.h>
#include <string.h>

#include "cli.h"
#include "close.h"

#define ARM7  MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"
#define QUICK "--seconds", "0.001", "--rounds", "3"
#define OURS  "--plugins", PLUGIN_OURS

static json_t *
report(void)
{
  json_error_t error;
  json_t * root = json_load_file("report.json", JSON_REJECT_DUPLICATES, &error);
  if (!root) print_error("line %d: %s\n", error.line, error.text);
  assert_non_null(root);
  return root;
}

static void
succeed(run_t run)
{
  if (run.code != 0) print_error("exit code %d:\n%s%s", run.code, run.out, run.err);
  assert_int_equal(run.code, 0);
  run_free(&run);
}

// every number of a robot: positive, in order, and ours is the measure
static int
look_at_robot(const json_t * robot)
{
  int cells = 0;
  const char *function, *library;
  json_t *of_function, *cell;
  json_object_foreach(json_object_get(robot, "functions"), function, of_function)
  {
    json_object_foreach(of_function, library, cell)
    {
      const double min = json_number_value(json_object_get(cell, "min"));
      const double median = json_number_value(json_object_get(cell, "median"));
      const double ratio = json_number_value(json_object_get(cell, "ratio"));
      assert_true(min > 0 && median >= min && ratio > 0);
      if (strcmp(library, "mbdyn") == 0) assert_true(ratio <= 1 && ratio >= 1);
      cells++;
    }
  }
  return cells;
}

// all libraries that were built, on all robots that come with the project
static void
libraries_agree(void ** state)
{
  (void)state;
  succeed(RUN("", QUICK, "--json", "report.json"));
  json_t * root = report();
  assert_int_equal(json_integer_value(value_at(root, "mismatches")), 0);
  const json_t * robots = value_at(root, "robots");
  assert_int_equal(json_array_size(robots), 5);
  for (size_t i = 0; i < json_array_size(robots); i++)
    assert_true(look_at_robot(json_array_get(robots, i)) >= 10);
  // all functions; the operational-space inertia of several frames only where there are several
  assert_int_equal(json_object_size(value_at(root, "robots/1/functions")), 37);
  assert_int_equal(json_object_size(value_at(root, "robots/4/functions")), 38);
  json_decref(root);
}

static void
a_wrong_library_is_found_out(void ** state)
{
  (void)state;
  run_t run =
    RUN("", QUICK, OURS, "--plugins", PLUGIN_WRONG, "--robot", ARM7, "--json", "report.json");
  assert_int_equal(run.code, 1);
  assert_contains(run.err, "arm7, inverse dynamics: wrong disagrees by ");
  assert_contains(run.err, "arm7, gravity torque: wrong fails");
  assert_contains(run.err, "arm7, bias: wrong");
  run_free(&run);
  // what is wrong is not measured; all else is
  json_t * root = report();
  assert_true(json_integer_value(value_at(root, "mismatches")) >= 3);
  assert_null(json_object_get(value_at(root, "robots/0/functions/id"), "wrong"));
  assert_null(json_object_get(value_at(root, "robots/0/functions/gravity"), "wrong"));
  assert_null(json_object_get(value_at(root, "robots/0/functions/bias"), "wrong"));
  assert_non_null(value_at(root, "robots/0/functions/mass/wrong/min"));
  json_decref(root);

  // a looser tolerance lets the first pass
  run = RUN(
    "", QUICK, OURS, "--plugins", PLUGIN_WRONG, "--robot", ARM7, "--functions", "id", "--tolerance",
    "1e-5");
  assert_int_equal(run.code, 0);
  run_free(&run);
}

// several states at once: the same as one after the other, and per state
static void
batches_are_compared_with_single_states(void ** state)
{
  (void)state;
  succeed(RUN(
    "", QUICK, OURS, "--plugins", PLUGIN_BATCH, "--robot", ARM7, "--batch", "4", "--functions",
    "id,batch_id", "--json", "report.json"));
  json_t * root = report();
  double min = 0, error = 1;
  numbers_at(root, "robots/0/functions/batch_id/batch/min", &min, 1);
  numbers_at(root, "robots/0/functions/batch_id/batch/error", &error, 1);
  assert_true(min > 0 && error <= 0);
  json_decref(root);

  run_t run = RUN(
    "", QUICK, OURS, "--plugins", PLUGIN_BATCH_WRONG, "--robot", ARM7, "--functions", "batch_id");
  assert_int_equal(run.code, 1);
  assert_contains(run.err, "arm7, batch inverse dynamics: batch disagrees by ");
  run_free(&run);
}

static int
count(const char * text, const char * part)
{
  int n = 0;
  for (; (text = strstr(text, part)) != NULL; text += strlen(part)) n++;
  return n;
}

static char *
whole_file(const char * name)
{
  static char text[1 << 20];
  FILE * file = fopen(name, "rb");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

static void
assert_xml(const char * text)
{
  xmlDocPtr document = xmlParseMemory(text, (int)strlen(text));
  assert_non_null(document);
  assert_string_equal((const char *)xmlDocGetRootElement(document)->name, "svg");
  xmlFreeDoc(document);
}

// chains of four lengths: a curve for each library and function, a table for each length
static void
growth_is_drawn(void ** state)
{
  (void)state;
  succeed(RUN(
    "", QUICK, OURS, "--growth", "100", "--functions", "id,fd,mass", "--svg", "growth.svg",
    "--markdown", "growth.md"));
  const char * svg = whole_file("growth.svg");
  assert_xml(svg);
  assert_int_equal(count(svg, "<polyline"), 3);
  assert_int_equal(count(svg, "<circle"), 3 * 4);
  const char * markdown = whole_file("growth.md");
  assert_int_equal(count(markdown, "\n### chain"), 4);
  assert_int_equal(count(markdown, "\n| inverse dynamics | "), 4);
}

// one bar for each function of each library
static void
robots_are_drawn(void ** state)
{
  (void)state;
  succeed(RUN(
    "", QUICK, OURS, "--floating", "--robot", MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf",
    "--svg", "bars.svg"));
  const char * svg = whole_file("bars.svg");
  assert_xml(svg);
  assert_int_equal(count(svg, "<title>mbdyn, "), 38);
  assert_contains(svg, "18 degrees of freedom, floating base");
}

// long chains leave out what has nv^2 numbers
static void
dense_functions_have_a_limit(void ** state)
{
  (void)state;
  succeed(RUN("", QUICK, OURS, "--chain", "60", "--dense", "50", "--json", "report.json"));
  json_t * root = report();
  const json_t * functions = value_at(root, "robots/0/functions");
  assert_null(json_object_get(functions, "mass"));
  assert_null(json_object_get(functions, "minv"));
  assert_non_null(json_object_get(functions, "id"));
  json_decref(root);
}

static void
frames_can_be_chosen(void ** state)
{
  (void)state;
  run_t run = RUN("", QUICK, OURS, "--robot", ARM7, "--frame", "link3", "--functions", "jacobian");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "frame link3");
  run_free(&run);
  // three joints cannot move it in every direction: it has no inertia
  run = RUN("", QUICK, OURS, "--robot", ARM7, "--frame", "link3", "--functions", "opspace");
  assert_int_equal(run.code, 0);
  assert_null(strstr(run.out, "operational-space inertia"));
  run_free(&run);
}

static void
bad_usage_is_refused(void ** state)
{
  (void)state;
  static const struct {
    const char *a, *b, *says;
  } cases[] = {
    {"--functions", "id,bogus", "--functions cannot be 'id,bogus'"},
    {"--rounds", "0", "--rounds cannot be '0'"},
    {"--seconds", "-1", "--seconds cannot be '-1'"},
    {"--chain", "1", "--chain cannot be '1'"},
    {"--bogus", NULL, "bogus"},
    {"bogus", NULL, "unexpected argument 'bogus'"},
    {"--robot", "nowhere.urdf", "nowhere.urdf"},
    {"--plugins", "nowhere.so", "nowhere.so"},
    {"--plugins", "arm.urdf", "arm.urdf"},
    {"--plugins", PLUGIN_OTHER_VERSION, "made for version 2 of bench_plugin.h"},
    {"--plugins", ".", "no plug-in"},
    {"--json", "/nowhere/report.json", "/nowhere/report.json"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char * args[] = {"--functions", "fk",       "--seconds", "0.001", "--chain",
                           "3",           cases[i].a, cases[i].b,  NULL};
    run_t run = run_cli("", NULL, args);
    if (run.code != 2) print_error("%s: exit code %d\n%s", cases[i].a, run.code, run.err);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, cases[i].says);
    run_free(&run);
  }
}

static void
help_and_list(void ** state)
{
  (void)state;
  run_t run = RUN("", "--help");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "usage: mbdyn_bench");
  run_free(&run);
  run = RUN("", "--list", OURS);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "batch_mass");
  assert_contains(run.out, "mbdyn");
  run_free(&run);
}

static void
caches_can_be_cold(void ** state)
{
  (void)state;
  for (int cold = 0; cold < 2; cold++) {
    run_t run = RUN(
      "", OURS, cold ? "--cold" : "--wall", "--rounds", "3", "--seconds", "0.01", "--robot", ARM7,
      "--functions", "id", "--json", "report.json");
    if (run.code != 0) print_error("%s", run.err);
    assert_int_equal(run.code, 0);
    assert_int_equal(strstr(run.out, "wall clock, cold caches") != NULL, cold);
    run_free(&run);
    json_t * root = report();
    assert_string_equal(json_string_value(value_at(root, "clock")), "wall");
    assert_int_equal(json_is_true(value_at(root, "cold")), cold);
    double time;
    numbers_at(root, "robots/0/functions/id/mbdyn/min", &time, 1);
    assert_true(time > 0);
    json_decref(root);
  }
}

// the same number twice, and that of a function that does something
static void
instructions_are_counted(void ** state)
{
  (void)state;
#ifdef BENCH_CALLGRIND
  double first[2];
  for (int i = 0; i < 2; i++) {
    run_t run =
      RUN("", OURS, "--callgrind", "--robot", ARM7, "--functions", "id", "--json", "report.json");
    if (run.code != 0) print_error("%s", run.err);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "instructions per state");
    run_free(&run);
    json_t * root = report();
    assert_string_equal(json_string_value(value_at(root, "unit")), "instructions");
    numbers_at(root, "robots/0/functions/id/mbdyn/min", &first[i], 1);
    json_decref(root);
  }
  assert_true(first[0] > 500 && first[0] < 100000);
  assert_close(&first[0], &first[1], 1, 1e-3, "instructions of two runs");
#else
  skip();
#endif
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(libraries_agree),
    cmocka_unit_test(a_wrong_library_is_found_out),
    cmocka_unit_test(batches_are_compared_with_single_states),
    cmocka_unit_test(growth_is_drawn),
    cmocka_unit_test(robots_are_drawn),
    cmocka_unit_test(dense_functions_have_a_limit),
    cmocka_unit_test(frames_can_be_chosen),
    cmocka_unit_test(bad_usage_is_refused),
    cmocka_unit_test(help_and_list),
    cmocka_unit_test(caches_can_be_cold),
    cmocka_unit_test(instructions_are_counted),
  };
  return cmocka_run_group_tests_name("bench", tests, cli_setup, cli_teardown);
}
