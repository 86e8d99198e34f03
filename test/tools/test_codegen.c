// Generated code against the library: robots of this repository, random trees, both precisions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "generated.h"
#include "mbdyn/urdf.h"
#include "random_tree.h"

//---------- robots from files ----------

typedef struct robot_case {
  const char * path;
  bool floating;
  const char * frame;
} robot_case_t;

static const robot_case_t ROBOTS[] = {
  {"config/robots/arm7.urdf", false, "tool"},
  {"config/robots/arm6.urdf", false, "tool"},
  {"config/robots/hand.urdf", false, "thumb_tip"},
  {"config/robots/quadruped.urdf", true, "rl_foot"},
  {"config/robots/humanoid.urdf", true, "l_gripper"},
  {"test/data/branched.urdf", false, "c_leaf"},
  {"test/data/branched.urdf", true, "c_leaf"},
  {"test/data/double_pendulum.urdf", false, NULL},
  {"test/data/rotated_fixed.urdf", false, NULL},
  {"test/data/rotated_fixed.urdf", true, NULL},
  {"test/data/mimic_gripper.urdf", false, NULL},
};

enum { NROBOT = sizeof ROBOTS / sizeof ROBOTS[0] };

static mbd_model_t *
load(const robot_case_t * robot)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", MBDYN_SOURCE_DIR, robot->path);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = robot->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  return model;
}

static codegen_options_t
everything(const int * frame, int nframe)
{
  codegen_options_t options = codegen_options_default();
  options.functions = (1u << NFUNCTION) - 1;
  options.frame = frame;
  options.nframe = nframe;
  return options;
}

// every function of one robot, in 20 states, similar limbs in vectors
static void
compare_robot(const robot_case_t * robot, bool single, int vector_length, double tolerance)
{
  mbd_model_t * model = load(robot);
  // the frame of the case, else the last one of the file
  int frame = model->nframe - 1;
  if (robot->frame) assert_ok(mbd_find_frame(model, robot->frame, &frame));
  codegen_options_t options = everything(&frame, 1);
  options.vector_length = vector_length;
  // straight-line derivatives of many joints take long to compile: codegen_make alone compares
  // them with the library
  const unsigned derivatives =
    1u << FUNCTION_INVERSE_DERIVATIVES | 1u << FUNCTION_FORWARD_DERIVATIVES;
  if (model->nv > 12) {
    codegen_t recorded;
    codegen_options_t only = options;
    only.functions = derivatives;
    assert_true(codegen_make(robot->path, model, &only, &recorded));
    assert_int_equal(recorded.nfunction, 2);
    codegen_free(&recorded);
    options.functions &= ~derivatives;
  }
  generated_t generated;
  generated_make(robot->path, model, &options, single, &generated);
  generated_compare(&generated, robot->path, 20, tolerance);
  generated_free(&generated);
  mbd_model_destroy(model);
}

static void
robots_agree_in_double(void ** state)
{
  (void)state;
  for (int i = 0; i < NROBOT; i++) compare_robot(&ROBOTS[i], false, 2, 1e-11);
}

static void
robots_agree_in_float(void ** state)
{
  (void)state;
  // what rounding makes of the accelerations of light fingers on a heavy body is more
  for (int i = 0; i < NROBOT; i++) {
    const bool humanoid = strstr(ROBOTS[i].path, "humanoid") != NULL;
    compare_robot(&ROBOTS[i], true, 4, humanoid ? 5e-3 : 2e-4);
  }
}

//---------- random trees ----------

// joints of one degree of freedom (screws too), skew axes, branches, several trees on the world
static const char *
compare_tree(uint64_t seed, const tree_options_t * how, mbd_reference_t reference, uint32_t terms)
{
  tree_t * tree = random_tree(seed, how);
  const int frame[2] = {tree->model->nframe - 1, tree->model->nframe / 2};
  codegen_options_t options = everything(frame, frame[0] == frame[1] ? 1 : 2);
  if (tree->model->nv > 12) options.functions &= (1u << FUNCTION_INVERSE_DERIVATIVES) - 1;
  options.reference = reference;
  options.terms = terms;
  char what[64];
  snprintf(what, sizeof what, "seed %d%s", (int)seed, how->floating_base ? ", floating" : "");
  generated_t generated;
  generated_make(what, tree->model, &options, false, &generated);
  generated_compare(&generated, what, 10, 1e-11);
  const char * method = generated.codegen.entry[FUNCTION_FORWARD_DYNAMICS].function.method;
  generated_free(&generated);
  tree_free(tree);
  return method;
}

static tree_options_t
one_dof_trees(bool floating, int min_bodies, int max_bodies)
{
  tree_options_t how = tree_options_default();
  how.one_dof_only = true;
  how.floating_base = floating;
  how.min_bodies = min_bodies;
  how.max_bodies = max_bodies;
  return how;
}

static void
random_trees_agree(void ** state)
{
  (void)state;
  const tree_options_t how = one_dof_trees(false, 1, 9);
  for (uint64_t seed = 1; seed <= 8; seed++) {
    compare_tree(seed, &how, (mbd_reference_t)(seed % 3), (uint32_t)(seed % 4));
  }
}

static void
floating_trees_agree(void ** state)
{
  (void)state;
  const tree_options_t how = one_dof_trees(true, 1, 9);
  for (uint64_t seed = 21; seed <= 28; seed++) {
    compare_tree(seed, &how, (mbd_reference_t)(seed % 3), (uint32_t)(seed % 4));
  }
}

// where forward dynamics is by articulated bodies, with friction and rotors
static void
large_trees_agree(void ** state)
{
  (void)state;
  const uint64_t seed[2] = {43, 41};
  for (int floating = 0; floating <= 1; floating++) {
    const int n = floating ? 14 : 26;
    tree_options_t how = one_dof_trees(floating, n, n + 4);
    how.forest = false;
    const uint32_t terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS;
    assert_string_equal(compare_tree(seed[floating], &how, MBD_LOCAL, terms), "articulated bodies");
  }
}

//---------- similar limbs ----------

static int
add_link(mbd_model_t * model, int parent, mbd_joint_type_t type, uint64_t shape, uint64_t * seed)
{
  static int count;
  char name[16], joint_name[16];
  snprintf(name, sizeof name, "l%d", count);
  snprintf(joint_name, sizeof joint_name, "j%d", count++);
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = name;
  spec.joint_name = joint_name;
  spec.parent = parent;
  spec.type = type;
  // the same axes in every limb; lengths and inertias of its own
  spec.axis = random_axis(&shape);
  spec.pitch = 0.1 * random_signed(seed);
  if (random_below(&shape, 2)) spec.placement.R = random_rotation(&shape);
  spec.placement.p = random_vec3(seed, 0.5);
  spec.inertia = random_inertia(seed);
  spec.drive.rotor_inertia = 0.01 * (1 + random_signed(seed));
  spec.drive.gear_ratio = 10;
  spec.drive.viscous = 0.1;
  int frame;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  return frame;
}

// a trunk with limbs, each with a chain and fingers at its end
static mbd_model_t *
limbed_robot(uint64_t seed, int limbs, int fingers, bool floating)
{
  static const mbd_joint_type_t TYPE[] = {
    MBD_JOINT_REVOLUTE, MBD_JOINT_REVOLUTE, MBD_JOINT_PRISMATIC, MBD_JOINT_HELICAL};
  const uint64_t shape = 100 * seed;
  mbd_model_t * model;
  assert_ok(mbd_model_create("limbs", &model));
  assert_ok(mbd_model_set_gravity(model, random_vec3(&seed, 10)));
  const mbd_joint_type_t base = floating ? MBD_JOINT_FREE : MBD_JOINT_REVOLUTE;
  const int trunk = add_link(model, MBD_WORLD_BODY, base, shape, &seed);
  for (int limb = 0; limb < limbs; limb++) {
    int parent = trunk;
    for (uint64_t k = 1; k <= 3; k++) {
      parent = add_link(model, parent, TYPE[(shape / 100 + k) % 4], shape + k, &seed);
    }
    for (int finger = 0; finger < fingers; finger++) {
      const int knuckle = add_link(model, parent, MBD_JOINT_REVOLUTE, shape + 4, &seed);
      add_link(model, knuckle, TYPE[shape / 100 % 4], shape + 5, &seed);
    }
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// numbers of groups by their lanes
static void
count_groups(const gen_robot_t * robot, int count[MAX_LANES + 1])
{
  for (int i = 0; i < robot->ngroup; i++) count[robot->group[i].bodies.n]++;
}

static void
similar_limbs_agree(void ** state)
{
  (void)state;
  // limbs, fingers, lanes: fingers in as many lanes as limbs, in more, some left over
  static const int CASE[][3] = {{2, 1, 2}, {2, 2, 4}, {4, 1, 4}, {3, 2, 4}, {5, 0, 4}, {2, 3, 2}};
  int count[MAX_LANES + 1] = {0};
  for (uint64_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++) {
    mbd_model_t * model = limbed_robot(i + 1, CASE[i][0], CASE[i][1], i % 2 == 0);
    codegen_options_t options = codegen_options_default();
    options.vector_length = CASE[i][2];
    options.terms = i % 3 == 0 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0;
    char what[64];
    snprintf(what, sizeof what, "limbs, case %d", (int)i);
    generated_t generated;
    generated_make(what, model, &options, false, &generated);
    generated_compare(&generated, what, 10, 1e-11);
    count_groups(&generated.codegen.robot, count);
    generated_free(&generated);
    mbd_model_destroy(model);
  }
  // what the cases above are made of: groups of each width
  assert_int_equal(count[3], 0);
  assert_int_equal(count[2], 5 + 3 + 0 + 5 + 0 + 9);
  assert_int_equal(count[4], 0 + 2 + 5 + 2 + 3 + 0);
}

// the legs of a quadruped are computed together, and cost accordingly
static void
vectors_save_operations(void ** state)
{
  (void)state;
  const robot_case_t robot = {"config/robots/quadruped.urdf", true, NULL};
  mbd_model_t * model = load(&robot);
  int operations[3];
  for (int k = 0; k < 3; k++) {
    codegen_options_t options = codegen_options_default();
    options.functions = 1u << FUNCTION_INVERSE_DYNAMICS;
    options.vector_length = 1 << k;
    codegen_t codegen;
    assert_true(codegen_make(robot.path, model, &options, &codegen));
    operations[k] = operations_total(codegen.entry[0].function.count);
    codegen_free(&codegen);
  }
  assert_true(operations[1] < 0.7 * operations[0]);
  assert_true(operations[2] < 0.5 * operations[0]);
  mbd_model_destroy(model);
}

//---------- sines and cosines ----------

typedef void (*pose_function_t)(const double * q, double * p, double * R);

// the first link of an arm about z: R = [c -s; s c], so that sine and cosine can be seen
static void
make_turning(const mbd_model_t * model, generated_t * generated)
{
  int frame = model->body[0].link_frame;
  codegen_options_t options = everything(&frame, 1);
  options.functions = 1u << FUNCTION_POSE;
  generated_make("sines", model, &options, false, generated);
}

// distance in units of the last place of what is right
static double
ulps(double x, long double right)
{
  const double near_right = (double)right;
  const double place = nextafter(fabs(near_right), HUGE_VAL) - fabs(near_right);
  return (double)(fabsl((long double)x - right) / (long double)place);
}

static void
sines_are_within_one_ulp(void ** state)
{
  (void)state;
  // four at a time (7 joints), and one at a time (2 joints)
  const robot_case_t arms[2] = {
    {"config/robots/arm7.urdf", false, NULL}, {"test/data/double_pendulum.urdf", false, NULL}};
  for (int a = 0; a < 2; a++) {
    mbd_model_t * model = load(&arms[a]);
    generated_t generated;
    make_turning(model, &generated);
    pose_function_t pose;
    const any_function_t any = generated_find(&generated, generated.codegen.entry[0].function.name);
    memcpy(&pose, &any, sizeof pose);
    uint64_t seed = 7;
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
      const double range = i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 9e4;
      double q[8] = {range * random_signed(&seed)}, p[3], R[9];
      pose(q, p, R);
      // columns of R have the sine and cosine in some place and sign
      double largest_s = 9, largest_c = 9;
      for (int k = 0; k < 9; k++) {
        largest_s = fmin(largest_s, ulps(fabs(R[k]), fabsl(sinl((long double)q[0]))));
        largest_c = fmin(largest_c, ulps(fabs(R[k]), fabsl(cosl((long double)q[0]))));
      }
      worst = fmax(worst, fmax(largest_s, largest_c));
    }
    if (worst > 1) print_error("%s: %g ulp\n", arms[a].path, worst);
    assert_true(worst <= 1);
    generated_free(&generated);
    mbd_model_destroy(model);
  }
}

// beyond the range of the polynomial the C library takes over; what is no number stays none
static void
far_angles_are_right(void ** state)
{
  (void)state;
  const robot_case_t arm = {"config/robots/arm7.urdf", false, NULL};
  mbd_model_t * model = load(&arm);
  const codegen_options_t options = codegen_options_default();
  generated_t generated;
  generated_make("far", model, &options, false, &generated);
  typedef void (*gravity_t)(const double * q, double * g);
  gravity_t gravity;
  const any_function_t any = generated_find(&generated, "gravity");
  memcpy(&gravity, &any, sizeof gravity);
  const double far[] = {1.1e5, -3e7, 1e15};
  for (int i = 0; i < 3; i++) {
    const double q[7] = {0.3, far[i], -0.2, 1, 2, far[i], 0.5};
    double got[7], right[7];
    gravity(q, got);
    assert_ok(mbd_set_position(model, generated.data, q));
    assert_ok(mbd_gravity(model, generated.data, right));
    assert_close(got, right, 7, 1e-11, "angle %g", far[i]);
  }
  const double lost[2] = {(double)NAN, HUGE_VAL};
  for (int i = 0; i < 2; i++) {
    const double q[7] = {0, lost[i], 0, 0, 0, 0, 0};
    double got[7];
    gravity(q, got);
    assert_true(isnan(got[1]));
  }
  generated_free(&generated);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(robots_agree_in_double),  cmocka_unit_test(robots_agree_in_float),
    cmocka_unit_test(random_trees_agree),      cmocka_unit_test(floating_trees_agree),
    cmocka_unit_test(large_trees_agree),       cmocka_unit_test(sines_are_within_one_ulp),
    cmocka_unit_test(far_angles_are_right),    cmocka_unit_test(similar_limbs_agree),
    cmocka_unit_test(vectors_save_operations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
