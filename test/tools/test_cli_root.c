// `mbdyn info` and `mbdyn eval` with --root: another link as the floating base.
#include <stdio.h>

#include "arm.h"
#include "cli.h"
#include "close.h"

// numbers as a list in JSON
static const char *
list(char * text, size_t size, const double * x, int n)
{
  size_t used = 0;
  for (int k = 0; k < n; k++) {
    used += (size_t)snprintf(text + used, size - used, "%s%.17g", k ? ", " : "[", x[k]);
  }
  snprintf(text + used, size - used, "]");
  return text;
}

static json_t *
eval_root(const char * option, const char * value, const double * pose, const double * twist)
{
  char input[1024], q[256], v[256];
  snprintf(
    input, sizeof input,
    "{\"states\": [{\"q\": {\"root_joint\": %s, \"shoulder\": 0.7, \"elbow\": -1.2},"
    " \"v\": {\"root_joint\": %s, \"shoulder\": 0.8, \"elbow\": 1.7},"
    " \"tau\": {\"shoulder\": 3, \"elbow\": -2}, \"f_ext\": {\"upper\": [1, 2, 3, 4, 5, 6]}}]}",
    list(q, sizeof q, pose, 7), list(v, sizeof v, twist, 6));
  return EVAL(input, option, value, "--frame", "tool", "--reference", "local");
}

// the same motion from the base of the file and from the tool: energies, momentum, accelerations
static void
motion_does_not_depend_on_the_base(void ** state)
{
  (void)state;
  const double pose[7] = {0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5};
  const double twist[6] = {0.3, -0.2, 0.1, 0.5, 0.4, -0.6};
  double tool[7], tool_twist[6], a[8], b[8];
  json_t * base = eval_root("--base", "floating", pose, twist);
  numbers_at(base, "states/0/frames/tool/pose", tool, 7);
  numbers_at(base, "states/0/frames/tool/velocity", tool_twist, 6);
  json_t * root = eval_root("--root", "tool", tool, tool_twist);
  static const struct {
    const char * path;
    size_t n;
  } SAME[] = {
    {"states/0/kinetic_energy", 1},
    {"states/0/potential_energy", 1},
    {"states/0/com", 3},
    {"states/0/centroidal_momentum", 6},
    {"states/0/frames/tool/pose", 7},
    {"states/0/frames/tool/velocity", 6}};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
    numbers_at(base, SAME[i].path, a, SAME[i].n);
    numbers_at(root, SAME[i].path, b, SAME[i].n);
    assert_close(a, b, SAME[i].n, 1e-12, "%s", SAME[i].path);
  }
  // joints from the base on: shoulder and elbow, elbow and shoulder
  numbers_at(base, "states/0/qdd", a, 8);
  numbers_at(root, "states/0/qdd", b, 8);
  assert_close(&a[6], &b[7], 1, 1e-11, "shoulder");
  assert_close(&a[7], &b[6], 1, 1e-11, "elbow");
  assert_string_equal(json_string_value(value_at(root, "conventions/base")), "floating");
  json_decref(base);
  json_decref(root);
}

static void
info_shows_the_other_base(void ** state)
{
  (void)state;
  run_t run = RUN("", "info", "arm.urdf", "--root", "lower");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "(floating base)");
  assert_contains(run.out, "root_joint (free) → lower");
  assert_contains(run.out, "elbow (continuous) → upper");
  assert_contains(run.out, "shoulder (revolute) → base");
  run_free(&run);
}

static void
what_cannot_be_done_is_said(void ** state)
{
  (void)state;
  run_t run = RUN("", "info", "arm.urdf", "--root", "lowr");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "--root lowr: no such link in robot 'arm'; did you mean 'lower'?");
  run_free(&run);
  run = RUN("{}", "eval", "mimic.urdf", "--root", "left");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "--root supports only robots without loops");
  assert_string_equal(run.out, "");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(motion_does_not_depend_on_the_base),
    cmocka_unit_test(info_shows_the_other_base),
    cmocka_unit_test(what_cannot_be_done_is_said),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
