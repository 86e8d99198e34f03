// `mbdyn ik` on mechanisms (against the geometry of a Stewart platform), --self-motion (against `mbdyn eval`),
// --posture; answers to bad requests.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"

#define ROBOTS  MBDYN_SOURCE_DIR "/config/robots/"
#define STEWART MBDYN_SOURCE_DIR "/config/mechanisms/stewart.mechanism.yaml"
#define ARM7    ROBOTS "arm7.urdf"

//---------- a Stewart platform ----------

// angles of the joints on circles of 1 m (base) and 0.5 m (platform)
static const double FEET[6] = {-15, 15, 105, 135, 225, 255},
                    HEADS[6] = {-45, 45, 75, 165, 195, 285};

// length of a leg for a position and a rotation vector, by Rodrigues' formula
static double
leg_length(int leg, const double * z)
{
  const double degree = acos(-1) / 180;
  const double foot[3] = {cos(degree * FEET[leg]), sin(degree * FEET[leg]), 0};
  const double head[3] = {0.5 * cos(degree * HEADS[leg]), 0.5 * sin(degree * HEADS[leg]), 0};
  const double *r = z + 3, angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const double s = angle > 1e-12 ? sin(angle) / angle : 1;
  const double c = angle > 1e-12 ? (1 - cos(angle)) / (angle * angle) : 0.5;
  const double rh[3] = {
    r[1] * head[2] - r[2] * head[1], r[2] * head[0] - r[0] * head[2],
    r[0] * head[1] - r[1] * head[0]};
  const double rrh[3] = {
    r[1] * rh[2] - r[2] * rh[1], r[2] * rh[0] - r[0] * rh[2], r[0] * rh[1] - r[1] * rh[0]};
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double d = z[k] + head[k] + s * rh[k] + c * rrh[k] - foot[k];
    square += d * d;
  }
  return sqrt(square);
}

static void
check_platform(const json_t * root, const char * path)
{
  char at[96];
  double y[6], z[6], legs[6];
  snprintf(at, sizeof at, "%s/inputs", path);
  numbers_at(root, at, y, 6);
  snprintf(at, sizeof at, "%s/outputs", path);
  numbers_at(root, at, z, 6);
  for (int k = 0; k < 6; k++) legs[k] = leg_length(k, z);
  assert_close(y, legs, 6, 1e-9, "%s", path);
}

static void
stewart_platform_has_its_legs_and_modes(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "",
    (const char * const[]){"ik", STEWART, "--pose", "0,0,1.2,0.1,0,0", "--all", "--json", NULL});
  assert_string_equal(json_string_value(value_at(root, "outcome")), "solved");
  assert_string_equal(json_string_value(value_at(root, "class")), "compound");
  check_platform(root, "solution");
  double z[6], first[6];
  numbers_at(root, "solution/outputs", z, 6);
  assert_close_(z, (double[6]){0, 0, 1.2, 0.1, 0, 0}, 6, 1e-9, 1, __FILE__, __LINE__, "pose");
  numbers_at(root, "solution/inputs", first, 6);
  // one inverse solution; several assembly modes of its legs, all different
  assert_int_equal(json_array_size(value_at(root, "inverse_solutions")), 1);
  const size_t modes = json_array_size(value_at(root, "assembly_modes"));
  // all of them: Newton's method for the lengths of the legs, by hand, from 100,000 random poses finds these and
  // their mirror images, each 5,800 times or more
  static const double MODES[4][6] = {
    {0, 0, 1.2, 0.1, 0, 0},
    {-0.205537066, -0.443257492, 0.874337495, -1.337396970, 0.849832639, 0},
    {0.460575061, -0.079927156, 0.898145122, 0.132286341, -1.528048451, 0},
    {-0.247616374, 0.356392184, 0.929252121, 1.306033104, 0.679127304, 0}};
  assert_int_equal(modes, 8);
  double seen[8][6];
  int signs[2] = {0}, known[8] = {0};
  for (size_t k = 0; k < modes; k++) {
    char path[64];
    double y[6];
    snprintf(path, sizeof path, "assembly_modes/%zu", k);
    check_platform(root, path);
    snprintf(path, sizeof path, "assembly_modes/%zu/inputs", k);
    numbers_at(root, path, y, 6);
    assert_close(y, first, 6, 1e-9, "legs of mode %zu", k);
    snprintf(path, sizeof path, "assembly_modes/%zu/outputs", k);
    numbers_at(root, path, seen[k], 6);
    snprintf(path, sizeof path, "assembly_modes/%zu/input_sign", k);
    signs[json_integer_value(value_at(root, path)) > 0]++;
    for (int l = 0; l < 8; l++) {
      double most = 0;
      for (int i = 0; i < 6; i++) {
        const double mirror = l < 4 || i < 2 || i == 5 ? 1 : -1;
        most = larger(most, fabs(seen[k][i] - mirror * MODES[l % 4][i]));
      }
      known[l] += most < 1e-8;
    }
    for (size_t l = 0; l < k; l++) {
      double most = 0;
      for (int i = 0; i < 6; i++) most = larger(most, fabs(seen[k][i] - seen[l][i]));
      assert_true(most > 1e-6);
    }
  }
  for (int l = 0; l < 8; l++) assert_int_equal(known[l], 1);
  assert_true(signs[0] == 4 && signs[1] == 4);
  json_decref(root);
}

static void
inputs_and_outputs_are_inverse(void ** state)
{
  (void)state;
  const double pose[6] = {0.05, -0.1, 1.25, 0.1, -0.05, 0.2};
  char legs[256] = "", text[256] = "";
  for (int k = 0; k < 6; k++) {
    snprintf(
      legs + strlen(legs), sizeof legs - strlen(legs), "%s%.15g", k ? "," : "",
      leg_length(k, pose));
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.15g", k ? "," : "", pose[k]);
  }
  double z[6];
  json_t * root =
    run_json("", (const char * const[]){"ik", STEWART, "--inputs", legs, "--json", NULL});
  numbers_at(root, "solution/outputs", z, 6);
  assert_close_(z, pose, 6, 1e-8, 1, __FILE__, __LINE__, "outputs of the legs");
  json_decref(root);
  root = run_json("", (const char * const[]){"ik", STEWART, "--outputs", text, "--json", NULL});
  check_platform(root, "solution");
  json_decref(root);
  run_t run = RUN("", "ik", STEWART, "--outputs", text);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "stewart: compound, 6 inputs, 6 outputs\nsolved: error ");
  assert_contains(run.out, "nearest to singular: ");
  assert_contains(run.out, "platform.rotation_z");
  run_free(&run);
}

//---------- self-motion ----------

static void
self_motion_keeps_the_pose(void ** state)
{
  (void)state;
  json_t * root = run_json(
    "", (const char * const[]){
          "ik", ARM7, "--frame", "tool", "--self-motion", "--html", "elbow.html", "--json", NULL});
  assert_true(json_is_true(value_at(root, "closed")));
  const size_t n = json_array_size(value_at(root, "q"));
  assert_true(n > 100 && n == json_array_size(value_at(root, "s")));
  // poses along the curve, by eval
  char * input = malloc(1 << 20);
  double q[7], first[7], pose[7];
  strcpy(input, "{\"states\": [");
  int states = 0;
  for (size_t i = 0; i < n; i += n / 20, states++) {
    char path[32];
    snprintf(path, sizeof path, "q/%zu", i);
    numbers_at(root, path, q, 7);
    sprintf(input + strlen(input), "%s{\"q\": [", i ? ", " : "");
    for (int k = 0; k < 7; k++) sprintf(input + strlen(input), "%s%.17g", k ? ", " : "", q[k]);
    strcat(input, "]}");
  }
  strcat(input, "]}");
  json_t * poses = run_json(input, (const char * const[]){"eval", ARM7, "--frame", "tool", NULL});
  for (int i = 0; i < states; i++) {
    char path[64];
    snprintf(path, sizeof path, "states/%d/frames/tool/pose", i);
    numbers_at(poses, path, i ? pose : first, 7);
    if (
      i > 0 &&
      pose[6] * first[6] + pose[3] * first[3] + pose[4] * first[4] + pose[5] * first[5] < 0)
      for (int k = 3; k < 7; k++) pose[k] = -pose[k];
    if (i > 0) assert_close_(pose, first, 7, 1e-9, 1, __FILE__, __LINE__, "pose %d", i);
  }
  assert_true(states >= 20);
  free(input);
  json_decref(poses);
  json_decref(root);
  FILE * file = fopen("elbow.html", "r");
  assert_non_null(file);
  static char page[1 << 21];
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
  assert_contains(page, "</html>");
  assert_contains(page, "\"joints\":");
  assert_null(strstr(page, "src=\"http"));
  // text, and an obstacle that takes a part of it away
  run_t run = RUN("", "ik", ARM7, "--frame", "tool", "--self-motion");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "self-motion of tool: closed curve, length ");
  assert_contains(run.out, " within limits\n");
  run_free(&run);
  run = RUN("", "ik", ARM7, "--frame", "tool", "--self-motion", "--obstacle", "0,0,0.5,9");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "nowhere within limits and free of obstacles\n");
  run_free(&run);
}

// the solution is nearer to the posture than the one without
static void
posture_is_preferred(void ** state)
{
  (void)state;
  static const char POSTURE[] = "1.5,0.3,-1,-1.8,-1,2,0.7";
  const double posture[7] = {1.5, 0.3, -1, -1.8, -1, 2, 0.7};
  double q[7], square[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    json_t * root = run_json(
      "", (const char * const[]){
            "ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5,3.14,0,0", "--json",
            k ? "--posture" : NULL, POSTURE, NULL});
    numbers_at(root, "solutions/0/q", q, 7);
    for (int i = 0; i < 7; i++) square[k] += (q[i] - posture[i]) * (q[i] - posture[i]);
    json_decref(root);
  }
  if (!(square[1] < 0.8 * square[0])) fail_msg("%g, %g without a posture", square[1], square[0]);
}

//---------- bad requests ----------

static void
bad_requests_have_a_way_out(void ** state)
{
  (void)state;
  write_file(
    "bare.mechanism.yaml",
    "bodies:\n  - {name: one, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n  - {name: pin, type: continuous, a: world, b: one}\n");
  write_file(
    "short.mechanism.yaml",
    "bodies:\n  - {name: one, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {name: two, mass: 1, inertia: [1, 1, 1], xyz: [1, 0, 0]}\n"
    "joints:\n  - {name: pin, type: continuous, a: world, b: one}\n"
    "  - {name: hinge, type: continuous, a: {link: one, xyz: [1, 0, 0]}, b: two}\n"
    "inputs: [{name: pin, type: joint, joint: pin}]\n"
    "outputs: [{name: x, type: x, b: {link: two, xyz: [1, 0, 0]}}]\n");
  static const struct {
    const char * args[12];
    int code;
    const char * says;
  } CASES[] = {
    {{"ik", STEWART}, 2, "give one of --pose, --outputs, --inputs"},
    {{"ik", STEWART, "--pose", "0,0,1.2,0,0,0", "--inputs", "1,1,1,1,1,1"}, 2, "give one of"},
    {{"ik", STEWART, "--outputs", "0,0,1"},
     2,
     "--outputs: expected 6 finite numbers: platform.x platform.y"},
    {{"ik", STEWART, "--inputs", "1,1,1,1,1,1,1"}, 2, "--inputs: expected 6 finite numbers: leg_1"},
    {{"ik", STEWART, "--inputs", "1,1,nan,1,1,1"}, 2, "finite numbers separated by commas"},
    {{"ik", STEWART, "--pose", "0,0,inf"}, 2, "three finite numbers X,Y,Z"},
    {{"ik", STEWART, "--pose", "0,0,1.2"}, 2, "give six numbers, or use --outputs"},
    {{"ik", STEWART, "--frame", "upper_1", "--pose", "0,0,1.2,0,0,0"},
     2,
     "the outputs of the mechanism are those of 'platform'"},
    {{"ik", STEWART, "--self-motion", "--pose", "0,0,1.2,0,0,0"}, 2, "supports robots from URDF"},
    {{"ik", "bare.mechanism.yaml", "--outputs", "1"}, 2, "add the sections inputs and outputs"},
    {{"ik", "short.mechanism.yaml", "--outputs", "1"},
     2,
     "1 inputs, but the closures leave 2 degrees of freedom; give as many inputs"},
    {{"ik", "nowhere.mechanism.yaml", "--outputs", "1"}, 2, "nowhere.mechanism.yaml"},
    {{"ik", ARM7, "--frame", "tol", "--self-motion"}, 2, "did you mean 'tool'?"},
    {{"ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5", "--html", "x.html"},
     2,
     "--html and --obstacle need --self-motion"},
    {{"ik", ARM7, "--self-motion"}, 2, "--self-motion needs one --frame"},
    {{"ik", ARM7, "--frame", "tool", "--self-motion", "--obstacle", "1,2,3"},
     2,
     "X,Y,Z,RADIUS of a sphere"},
    {{"ik", ARM7, "--frame", "tool", "--self-motion", "--obstacle", "1,2,3,-1"}, 2, "RADIUS"},
    {{"ik", ARM7, "--frame", "tool", "--self-motion", "--html", "no/such/file"}, 2, "no/such/file"},
    {{"ik", ROBOTS "arm6.urdf", "--frame", "tool", "--self-motion"},
     1,
     "no self-motion: the pose of tool leaves no degree of freedom"},
    {{"ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5", "--posture", "1,2"},
     2,
     "--posture '1,2': expected 7 finite numbers"},
    {{"ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5", "--posture", "0,0,0,0,0,0,nan"},
     2,
     "expected 7 finite numbers"},
    {{"ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5", "--posture", "0,0,0,0,0,0,0", "--all"},
     2,
     "--posture selects one solution"},
    {{"ik", ARM7, "--frame", "tool", "--pose", "0.4,0,0.5", "--inputs", "1"},
     2,
     "--inputs and --outputs need a mechanism file"},
  };
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    run_t run = run_cli("", NULL, CASES[k].args);
    if (run.code != CASES[k].code)
      fail_msg("exit code %d, wanted \"%s\": %s%s", run.code, CASES[k].says, run.out, run.err);
    assert_contains(run.err, CASES[k].says);
    run_free(&run);
  }
}

// cause, and the nearest configuration
static void
out_of_reach_is_said(void ** state)
{
  (void)state;
  run_t run = RUN("", "ik", STEWART, "--pose", "0,0,9,0,0,0");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "no solution");
  assert_contains(run.out, "platform.z");
  run_free(&run);
  run = RUN("", "ik", STEWART, "--pose", "0,0,9,0,0,0", "--json");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "\"nearest\": {");
  run_free(&run);
  run = RUN("", "ik", ARM7, "--frame", "tool", "--self-motion", "--pose", "9,0,0,0,0,0");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "nearest pose found of tool: ");
  run_free(&run);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(stewart_platform_has_its_legs_and_modes),
    cmocka_unit_test(inputs_and_outputs_are_inverse),
    cmocka_unit_test(self_motion_keeps_the_pose),
    cmocka_unit_test(posture_is_preferred),
    cmocka_unit_test(bad_requests_have_a_way_out),
    cmocka_unit_test(out_of_reach_is_said),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
