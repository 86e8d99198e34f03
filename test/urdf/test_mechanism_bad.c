// Mechanisms that are refused, with line and words.
#include <string.h>

#include "mbdyn/mechanism.h"
#include "urdf_test.h"

#define BAR                                                                  \
  "bodies:\n"                                                                \
  "  - {name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"   \
  "  - {name: tip, mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n" \
  "joints:\n"

static const struct {
  const char * text;
  int line;
  const char * words;
} WRONG[] = {
  {"", 0, "has no bodies"},
  {"bodies: []\n", 0, "there is none"},
  {"bodies: 3\n", 1, "is not a list"},
  {"bodies: [\n", 2, "is not YAML"},
  {"bodies:\n  - {mass: 1}\n", 2, "has no name"},
  {"bodies:\n  - {name: a}\n", 2, "mass is missing"},
  {"bodies:\n  - {name: a, mass: -1}\n", 2, "mass is negative"},
  {"bodies:\n  - {name: a, mass: 1, inertia: [1, 2]}\n", 2, "inertia is not 3 to 6 numbers"},
  {"bodies:\n  - {name: a, mass: 1, inertia: [1, 2, 3, 4]}\n", 2, "neither 3 nor 6"},
  {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 9]}\n", 2, "no rigid body"},
  {"bodies:\n  - {name: a, mass: .nan}\n", 2, "mass"},
  {"bodies:\n  - {name: a, mass: 1, weight: 3}\n", 2,
   "key \"weight\" is unknown; known keys: name"},
  {"bodies:\n  - {name: a, mass: 1}\n  - {name: a, mass: 1}\n", 3, "the name is taken"},
  {BAR "  - {name: j, type: hinge, a: world, b: bar}\n", 5, "type is unknown; write fixed"},
  {BAR "  - {name: j, a: world, b: bar}\n", 5, "type is missing"},
  {BAR "  - {name: j, type: revolute, a: world}\n", 5, "b is missing"},
  {BAR "  - {name: j, type: revolute, a: world, b: rod}\n", 5, "there is no body 'rod'"},
  {BAR "  - {name: j, type: revolute, a: bar, b: bar}\n", 5, "on the same body"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar, pitch: 1}\n", 5, "pitch does not apply"},
  {BAR "  - {name: j, type: spherical, a: world, b: {link: bar, axis: [1, 0, 0]}}\n", 5,
   "have no axis"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar, lower: 2, upper: 1}\n", 5,
   "lower is above"},
  {BAR "  - {name: tip, type: revolute, a: world, b: bar}\n", 3, "a joint has this name"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "  - {name: j, type: revolute, a: bar, b: tip}\n",
   6, "the name is taken"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\nspeed: 3\n", 6,
   "key \"speed\" is unknown"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\ncoordinates: polar\n", 6, "write tree or"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\ninitial: {k: 1}\n", 6, "no joint of this"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\ninitial: {j: [1, 2]}\n", 6,
   "has 1 numbers"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\nsimulate: {time: -1}\n", 6,
   "not positive"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\nsimulate: {tempo: 1}\n", 6,
   "known keys: time"},
  {BAR "  - {name: j, type: revolute, a: {link: world, surface: plane}, b: bar}\n", 5,
   "\"surface\" is unknown; known keys: link, xyz, rpy, axis"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "  - {name: k, type: revolute, a: world, b: {link: bar, xyz: [0, 3, 0]}}\n"
       "closures:\n  - {name: c, type: distance, distance: 1, a: world, b: {link: bar, xyz: [0, 0, "
       "9]}}\n",
   0, "cannot be assembled"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: spring, a: world, b: bar, force: [1, 0, 0]}\n",
   7, "no keys of type"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: magnet, a: world, b: bar}\n",
   7, "type \"magnet\" is unknown"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: joint, joint: k}\n",
   7, "there is no joint 'k'"},
  {BAR "  - {name: j, type: spherical, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: joint, joint: j}\n",
   7, "one degree of freedom"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: spring, a: world, b: bar, one_sided: left}\n",
   7, "push (bump stop)"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "forces:\n  - {name: f, type: spring, a: world, b: bar, stifness: 1}\n",
   7, "\"stifness\" is unknown"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, mu: 1}\n",
   7, "\"mu\" is unknown; known keys: joint"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: k, mu_static: 0.2}\n",
   7, "there is no joint or closure 'k'"},
  {BAR "  - {name: j, type: spherical, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, mu_static: 0.2}\n",
   7, "that can have a bearing"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {mu_static: 0.2}\n",
   7, "joint is missing"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, mu_dynamic: 0.2}\n",
   7, "do not fit"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, velocity: 0}\n",
   7, "velocity is not positive"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, side: c}\n",
   7, "write a or b"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "bearings:\n  - {joint: j, radius: 1}\n  - {joint: j, radius: 1}\n",
   8, "bearing on line 7"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: k, rate: 1}\n",
   7, "there is no joint 'k'"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, rate: 1}\n  - {name: e, joint: j, rate: 1}\n",
   8, "driven on line 7"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, table: [[0, 1], [0, 2]]}\n",
   7, "do not ascend"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\ncoordinates: cartesian\n"
       "drivers:\n  - {name: d, joint: j, rate: 1}\n",
   8, "write coordinates: tree"},
};

static void
wrong_files_are_refused(void ** state)
{
  (void)state;
  int refused = 0;
  for (size_t k = 0; k < sizeof WRONG / sizeof *WRONG; k++) {
    mbdx_mechanism_t * m;
    mbdx_report_t * report;
    const mbd_status_t status =
      mbdx_mechanism_load_string(WRONG[k].text, strlen(WRONG[k].text), "text", NULL, &m, &report);
    assert_null(m);
    assert_int_equal(status, MBD_ERROR_URDF);
    assert_report_sound(report);
    assert_entry(WRONG[k].text, report, MBDX_ERROR, WRONG[k].line, WRONG[k].words);
    mbdx_report_free(report);
    refused++;
  }
  assert_true(refused >= 40);
  mbdx_mechanism_t * m;
  mbdx_report_t * report;
  assert_int_equal(mbdx_mechanism_load_file("/nowhere", NULL, &m, &report), MBD_ERROR_FILE);
  assert_null(m);
  mbdx_report_free(report);
  assert_int_equal(mbdx_mechanism_load_file(NULL, NULL, &m, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(
    mbdx_mechanism_load_string("", 0, NULL, NULL, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_files_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
