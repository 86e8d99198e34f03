// The robots of the benchmark: what plug-ins are given is the robot of the file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "close.h"
#include "functions.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "plugin_mbdyn.h"
#include "robot.h"
#include "urdf_generator.h"

static const bench_settings_t settings = {.seed = 3, .nstate = 8, .batch = 4};

static bench_case_t *
case_of(const char * path, bool floating)
{
  char why[BENCH_WHY] = "";
  bench_case_t * c = bench_case_file(path, floating, &settings, why);
  if (c == NULL) print_error("%s: %s\n", path, why);
  assert_non_null(c);
  c->robot.dense = true;
  return c;
}

static mbd_model_t *
model_of(const char * path, const char * urdf, bool floating)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  mbd_model_t * model = NULL;
  if (path != NULL) assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  if (urdf != NULL)
    assert_ok(mbdx_urdf_load_string(urdf, strlen(urdf), NULL, &options, &model, NULL));
  return model;
}

// numbers of one state in the order of a model, which may have fixed joints among the others
static void
reorder(
  const mbd_model_t * model, const bench_robot_t * robot, const double * in, int base, bool back,
  double * out)
{
  memcpy(out, in, (size_t)base * sizeof *out);
  for (int i = 0; i < robot->njoint; i++) {
    int body = -1;
    assert_ok(mbd_find_joint(model, robot->joint[i], &body));
    const int at = base + body - (robot->floating ? 1 : 0);
    if (back) {
      out[base + i] = in[at];
    } else {
      out[at] = in[base + i];
    }
  }
}

// torques of a model at all states of a robot
static void
torques(const mbd_model_t * model, const bench_robot_t * robot, double * tau)
{
  mbd_data_t * data = NULL;
  double x[4][100];
  const int v_base = robot->floating ? 6 : 0, q_base = robot->floating ? 7 : 0;
  assert_int_equal(model->nv, robot->nv);
  assert_true(robot->nq <= 100);
  assert_ok(mbd_data_create(model, &data));
  for (int s = 0; s < robot->nstate; s++) {
    reorder(model, robot, robot->q + s * robot->nq, q_base, false, x[0]);
    reorder(model, robot, robot->v + s * robot->nv, v_base, false, x[1]);
    reorder(model, robot, robot->a + s * robot->nv, v_base, false, x[2]);
    assert_ok(mbd_inverse_dynamics(model, data, x[0], x[1], x[2], NULL, x[3]));
    reorder(model, robot, x[3], v_base, true, tau + s * robot->nv);
  }
  mbd_data_destroy(data);
}

// the same by the links as numbers, which is how ours loads a robot
static void
torques_by_links(const bench_robot_t * robot, double * tau)
{
  char why[BENCH_WHY] = "";
  void * loaded = bench_mbdyn.load(robot, why);
  if (loaded == NULL) print_error("%s\n", why);
  assert_non_null(loaded);
  int variant = 0;
  while (bench_mbdyn.variant[variant].function != BENCH_INVERSE_DYNAMICS) variant++;
  for (int s = 0; s < robot->nstate; s++) {
    bench_mbdyn.variant[variant].call(loaded, s);
    assert_true(bench_mbdyn.result(loaded, variant, s, tau + s * robot->nv));
  }
  bench_mbdyn.unload(loaded);
}

// file, URDF without fixed joints, and links are one robot: the same torques at every state
static void
compare(const char * path, bool floating)
{
  bench_case_t * c = case_of(path, floating);
  const bench_robot_t * robot = &c->robot;
  const size_t n = (size_t)(robot->nstate * robot->nv);
  double * tau = calloc(3 * n, sizeof *tau);
  assert_non_null(tau);
  mbd_model_t *from_file = model_of(path, NULL, floating),
              *merged = model_of(NULL, robot->urdf, floating);
  torques(from_file, robot, tau);
  torques(merged, robot, tau + n);
  torques_by_links(robot, tau + 2 * n);
  assert_close(tau, tau + n, n, 1e-12, "%s as URDF", path);
  assert_close(tau, tau + 2 * n, n, 1e-12, "%s as numbers", path);
  // nothing is left that does not move
  assert_int_equal(merged->nbody + (floating ? 0 : 1), merged->nframe);
  mbd_model_destroy(from_file);
  mbd_model_destroy(merged);
  free(tau);
  bench_case_free(c);
}

static void
bundled_robots_stay_themselves(void ** state)
{
  (void)state;
  static const char * const names[] = {"arm6", "arm7", "hand", "quadruped", "humanoid"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", names[i]);
    compare(path, false);
    compare(path, true);
  }
}

// fixed joints in all places, oblique axes, full tensors
static void
random_trees_stay_themselves(void ** state)
{
  (void)state;
  char path[] = "/tmp/bench_tree_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    char * urdf = urdf_random_tree(seed, 4 + (int)seed, seed % 3 != 0);
    FILE * to = fopen(path, "w");
    assert_non_null(to);
    fputs(urdf, to);
    fclose(to);
    free(urdf);
    compare(path, seed % 2 == 0);
  }
  unlink(path);
}

#define INERTIAL                                                                              \
  "<inertial><origin xyz='.1 .2 .3'/><mass value='1'/><inertia ixx='.1' ixy='.01' ixz='.02' " \
  "iyy='.1' iyz='.03' izz='.1'/></inertial>"

// a pitch of a right angle, where roll and yaw are one
static void
right_angles_stay_themselves(void ** state)
{
  (void)state;
  char path[] = "/tmp/bench_angle_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  // the first joint tilts the second, so that gravity has all directions there
  static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='t'>" INERTIAL "</link><link name='b'>" INERTIAL
    "</link><joint name='i' type='continuous'><parent link='a'/><child link='t'/>"
    "<axis xyz='1 .3 0'/></joint><joint name='j' type='continuous'><parent link='t'/>"
    "<child link='b'/><origin xyz='1 2 3' rpy='0.3 1.5707963267948966 0.9'/>"
    "<axis xyz='.3 -.5 .7'/></joint></robot>";
  assert_int_equal(write(file, urdf, sizeof urdf - 1), sizeof urdf - 1);
  close(file);
  compare(path, false);
  unlink(path);
}

static void
frames_can_be_moved_every_way(void ** state)
{
  (void)state;
  static const struct {
    const char * file;
    bool floating, opspace, opspaces;
    int nframe;
    const char * first;
  } cases[] = {
    {"arm7", false, true, false, 1, "link7"},  // seven joints
    {"hand", false, false, false, 1, NULL},    // fingers of four
    {"quadruped", true, true, true, 2, NULL},  // legs of three: two feet take all twelve
    {"humanoid", true, true, true, 4, NULL},  {"quadruped", false, false, false, 1, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", cases[i].file);
    bench_case_t * c = case_of(path, cases[i].floating);
    assert_int_equal(c->robot.nframe, cases[i].nframe);
    assert_int_equal(c->functions >> BENCH_OPERATIONAL_INERTIA & 1, cases[i].opspace);
    assert_int_equal(c->functions >> BENCH_OPERATIONAL_INERTIAS & 1, cases[i].opspaces);
    if (cases[i].first != NULL) assert_string_equal(c->robot.frame[0], cases[i].first);
    bench_case_free(c);
  }
}

// the same for the same seed, others for another; within ranges, quaternions of length 1
static void
states_are_reproducible(void ** state)
{
  (void)state;
  char why[BENCH_WHY];
  bench_settings_t other = settings;
  other.seed++;
  bench_case_t * a = bench_case_chain(20, true, &settings, why);
  bench_case_t * b = bench_case_chain(20, true, &settings, why);
  bench_case_t * c = bench_case_chain(20, true, &other, why);
  const bench_robot_t * r = &a->robot;
  const size_t n = (size_t)(r->nstate * (r->nq + 3 * r->nv));
  assert_int_equal(r->nv, 25);
  assert_memory_equal(a->states, b->states, n * sizeof(double));
  assert_memory_not_equal(a->states, c->states, n * sizeof(double));
  for (int s = 0; s < r->nstate; s++) {
    const double * q = r->q + s * r->nq;
    const double norm = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    const double one = 1;
    assert_close(&norm, &one, 1, 1e-15, "quaternion of state %d", s);
    for (int i = 0; i < r->njoint; i++)
      assert_true(q[7 + i] >= r->link[i + 1].lower && q[7 + i] <= r->link[i + 1].upper);
  }
  bench_case_free(a);
  bench_case_free(b);
  bench_case_free(c);
}

// beyond what our URDF reader takes
static void
chains_can_be_long(void ** state)
{
  (void)state;
  char why[BENCH_WHY];
  bench_case_t * c = bench_case_chain(5000, false, &settings, why);
  assert_non_null(c);
  assert_int_equal(c->robot.nv, 5000);
  assert_string_equal(c->robot.frame[0], "link_5000");
  double * tau = calloc((size_t)(c->robot.nstate * c->robot.nv), sizeof *tau);
  torques_by_links(&c->robot, tau);
  for (int i = 0; i < c->robot.nstate * c->robot.nv; i++) assert_true(isfinite(tau[i]));
  free(tau);
  bench_case_free(c);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bundled_robots_stay_themselves),
    cmocka_unit_test(random_trees_stay_themselves),
    cmocka_unit_test(right_angles_stay_themselves),
    cmocka_unit_test(frames_can_be_moved_every_way),
    cmocka_unit_test(states_are_reproducible),
    cmocka_unit_test(chains_can_be_long),
  };
  return cmocka_run_group_tests_name("robots of the benchmark", tests, NULL, NULL);
}
