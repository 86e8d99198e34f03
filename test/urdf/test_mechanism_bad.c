// Mechanisms that are refused, with line and words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mechanism.h"
#include "urdf_test.h"

#define BAR                                                                  \
  "bodies:\n"                                                                \
  "  - {name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"   \
  "  - {name: tip, mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n" \
  "joints:\n"

// two of 1 m, in line with x
#define BARS                                             \
  "bodies:\n"                                            \
  "  - {name: bar, mass: 2, inertia: [0.1, 0.2, 0.2]}\n" \
  "  - {name: tip, mass: 1, inertia: [0.1, 0.1, 0.1]}\n" \
  "joints:\n"                                            \
  "  - {name: i, type: revolute, a: world, b: bar}\n"    \
  "  - {name: j, type: revolute, a: {link: bar, xyz: [1, 0, 0]}, b: tip}\n"

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
  {"bodies:\n  - {name: a, mass: .nan}\n", 2,
   "mass \".nan\" is not a number; write a finite number"},
  {"bodies:\n  - {name: a, mass: 1, xyz: [0, -.inf, 0]}\n", 2,
   "\"-.inf\" is not a number; write a finite"},
  {"bodies:\n  - {name: a, mass: Infinity}\n", 2, "write a finite"},
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
   8, "closure 'c': the initial state cannot be assembled: a gap of"},
  // two bars of 1 m end 7 m away at best
  {BARS "  - {name: end, type: revolute, a: {link: world, xyz: [9, 0, 0]}, b: {link: tip, xyz: [1, "
        "0, 0]}}\n",
   7, "joint 'end': the initial state cannot be assembled: a gap of 7 m remains"},
  {BARS "drivers:\n  - {name: d, joint: i, rate: 1}\n"
        "closures:\n  - {name: end, type: distance, distance: 5, a: world, b: {link: tip, xyz: [1, "
        "0, 0]}}\n",
   10,
   "gap of 3 m remains in the best configuration; check frames, lengths and the drivers at t = 0"},
  // a rod to the tip leaves one degree of freedom
  {BARS
   "closures:\n  - {name: end, type: distance, distance: 1, a: {link: world, xyz: [2, 0, 0]}, b: "
   "{link: tip, xyz: [1, 0, 0]}}\n"
   "drivers:\n  - {name: d, joint: i, rate: 1}\n  - {name: e, joint: j, value: 3, rate: 1}\n",
   11, "driver 'e': over-driven: 2 drivers, but the closures leave 1 degree of freedom; keep"},
  {BARS "closures:\n  - {name: gear, type: coupling, joints: {i: 1, j: -2}}\n"
        "initial: {i: {q: 0, v: 1}, j: {q: 0, v: 1}}\n",
   8, "velocities cannot be reconciled with the closures: 1 rad/s remain; omit v of joints"},
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
       "inputs:\n  - {name: c, type: joint}\n",
   7, "joint is missing; add joint"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "inputs:\n  - {name: c, type: joint, joint: k}\n",
   7, "input 'c': there is no joint 'k'"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: lever, b: bar}\n",
   7, "output 'c': type \"lever\" is unknown; write joint, distance"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, b: bar}\n",
   7, "has no type; add type: joint"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {type: x, b: bar}\n",
   7, "has no name"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: x}\n",
   7, "b is missing; say which link"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: x, b: rod}\n",
   7, "b: there is no link 'rod'"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: x, a: bar, b: bar}\n",
   7, "on the same link"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: x, b: bar, joint: j}\n",
   7, "joint: no key of type x"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: joint, joint: j, b: bar}\n",
   7, "a and b: no keys of type joint"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "outputs:\n  - {name: c, type: x, b: bar, frame: j}\n",
   7, "key \"frame\" is unknown; known keys: name, type, joint"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "inputs:\n  - {name: c, type: x, b: bar}\noutputs:\n  - {name: c, type: y, b: bar}\n",
   9, "the name is taken by the input on line 7"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {sphere: 0.1}\n",
   7, "at is missing; add at: LINK"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: world}\n",
   7, "at: the world does not move; name a link"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: rod}\n",
   7, "at: there is no link 'rod'; correct"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, sphere: 0}\n",
   7, "sphere: 0 is not positive"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, sphere: .nan}\n",
   7, "sphere"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, box: [1, 2]}\n",
   7, "box is not 3 numbers"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, capsule: [1, -2]}\n",
   7, "capsule: -2 is not positive"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, sphere: 1, box: [1, 2, 3]}\n",
   7, "has both sphere and box; keep one"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: bar, radius: 1}\n",
   7, "known keys: name, at, sphere, box, cylinder, capsule"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts:\n  - {at: {link: bar, axis: [1, 0, 0]}}\n",
   7, "axis does not say how a shape is turned"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "contacts: 3\n",
   6, "is not a list"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "inputs: 3\n",
   6, "is not a list"},
  {BAR "  - {name: j, type: spherical, a: world, b: bar}\n"
       "inputs:\n  - {name: c, type: joint, joint: j}\n",
   7, "does not have one degree of freedom; measure a frame"},
  {BARS "  - {name: k, type: revolute, a: {link: world, xyz: [2, 0, 0]}, b: {link: tip, xyz: [1, "
        "0, 0]}}\n"
        "outputs:\n  - {name: c, type: joint, joint: k}\n",
   9, "has no coordinate: it is a closure"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: k, rate: 1}\n",
   7, "there is no joint 'k'"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, rate: 1}\n  - {name: e, joint: j, rate: 1}\n",
   8, "driven on line 7"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, table: [[0, 1], [0, 2]]}\n",
   7, "times of table do not ascend"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, steps: [[0, 1], [0, 2]]}\n",
   7, "times of steps do not ascend"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, steps: 3}\n",
   7, "steps has not 2 to 4096 points; write [[t, x], ...]"},
  {BAR "  - {name: j, type: revolute, a: world, b: bar}\n"
       "drivers:\n  - {name: d, joint: j, steps: [[0, 1], [1, 2, 3]]}\n",
   7, "a point is not 2 numbers"},
  {BARS "  - {name: k, type: revolute, a: world, b: {link: tip, xyz: [-1, 0, 0]}}\n"
        "drivers:\n  - {name: d, joint: k, rate: 1}\n",
   9, "joint 'k' has no coordinate: it is a closure; list the joint before"},
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

// parts of a mechanism that other messages name
static void
parts_have_lines(void ** state)
{
  (void)state;
  static const char text[] = BARS
    "closures:\n  - {name: c, type: on_plane, a: world, b: tip}\n"
    "forces:\n  - {name: f, type: joint, joint: j}\n"
    "drivers:\n  - {name: d, joint: i}\n"
    "inputs:\n  - {name: u, type: joint, joint: i}\n"
    "outputs:\n  - {name: o, type: pose, b: tip}\n";
  static const struct {
    const char *name, *kind;
    int line;
  } part[] = {{"bar", "body", 2},  {"tip", "body", 3},  {"i", "joint", 5},
              {"j", "joint", 6},   {"c", "closure", 8}, {"f", "force", 10},
              {"d", "driver", 12}, {"u", "input", 14},  {"o", "output", 16}};
  mbdx_mechanism_t * m;
  assert_ok(mbdx_mechanism_load_string(text, strlen(text), NULL, NULL, &m, NULL));
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    int line = 0;
    assert_string_equal(mbdx_mechanism_place(m, part[k].name, &line), part[k].kind);
    assert_int_equal(line, part[k].line);
  }
  assert_null(mbdx_mechanism_place(m, "rod", NULL));
  assert_null(mbdx_mechanism_place(m, NULL, NULL));
  assert_null(mbdx_mechanism_place(NULL, "bar", NULL));
  mbdx_mechanism_free(m);
}

// 10^5 bodies are too much text, and 5,000 short ones too many bodies
static void
large_files_are_refused(void ** state)
{
  (void)state;
  static const struct {
    int bodies, line;
    const char *body, *words;
  } large[] = {
    {100000, 2 + (1048576 - 8) / 51, "  - {name: b%05d, mass: 1, inertia: [1, 1, 1]}   \n",
     "file: is larger than 1 MiB; a file has at most 1 MiB, 4096 bodies"},
    {5000, 2 + 4096, "  - {name: b%05d, mass: 1}\n", "body: more than 4096 bodies; a file has"}};
  for (int k = 0; k < 2; k++) {
    char * text = malloc(100000 * 64);
    assert_non_null(text);
    size_t size = (size_t)sprintf(text, "bodies:\n");
    for (int i = 0; i < large[k].bodies; i++)
      size += (size_t)sprintf(text + size, large[k].body, i);
    mbdx_mechanism_t * m;
    mbdx_report_t * report;
    const mbd_status_t status = mbdx_mechanism_load_string(text, size, "text", NULL, &m, &report);
    assert_int_equal(status, MBD_ERROR_LIMIT);
    assert_entry("large", report, MBDX_ERROR, large[k].line, large[k].words);
    mbdx_report_free(report);
    free(text);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(wrong_files_are_refused), cmocka_unit_test(parts_have_lines),
    cmocka_unit_test(large_files_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
