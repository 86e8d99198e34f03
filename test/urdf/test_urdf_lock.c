// Locked joints of the loader: the robot with these joints as fixed ones in the file, and what is refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "urdf_test.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

static loaded_t
load_file(const char * path, int n, const char * const * lock)
{
  loaded_t l = {0};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.nlock = n;
  options.lock = lock;
  l.status = mbdx_urdf_load_file(path, &options, &l.model, &l.report);
  return l;
}

// the bytes of a file with `from` replaced by `to` once
static char *
text_with(const char * path, const char * from, const char * to)
{
  static char text[100000];
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = 0;
  char * at = strstr(text, from);
  assert_non_null(at);
  char * all = malloc(n + strlen(to) + 1);
  assert_non_null(all);
  snprintf(all, n + strlen(to) + 1, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return all;
}

// all joints but one of an arm, against the file with that joint fixed
static void
locked_is_fixed(void ** state)
{
  (void)state;
  static const char * const names[] = {"joint1", "joint2", "joint3", "joint5", "joint6", "joint7"};
  int compared = 0;
  for (int k = 0; k < 6; k++) {
    char from[60], to[60];
    snprintf(from, sizeof from, "<joint name=\"%s\" type=\"revolute\"", names[k]);
    snprintf(to, sizeof to, "<joint name=\"%s\" type=\"fixed\"", names[k]);
    char * fixed = text_with(ROBOTS "arm7.urdf", from, to);
    loaded_t a = load_file(ROBOTS "arm7.urdf", 1, &names[k]), b = load_text(fixed, NULL);
    assert_ok(a.status);
    assert_ok(b.status);
    mbd_data_t *data_a, *data_b;
    assert_ok(mbd_data_create(a.model, &data_a));
    assert_ok(mbd_data_create(b.model, &data_b));
    assert_int_equal(a.model->nv, 6);
    assert_int_equal(b.model->nv, 6);
    for (uint64_t seed = 1; seed <= 5; seed++) {
      double q[6], v[6], M_a[36], M_b[36], tau_a[6], tau_b[6];
      assert_ok(mbd_random_configuration(b.model, seed, q));
      for (int i = 0; i < 6; i++) v[i] = sin((double)seed + i);
      assert_ok(mbd_inverse_dynamics(a.model, data_a, q, v, v, NULL, tau_a));
      assert_ok(mbd_inverse_dynamics(b.model, data_b, q, v, v, NULL, tau_b));
      assert_close(tau_a, tau_b, 6, 1e-12, "torques with %s locked", names[k]);
      assert_ok(mbd_mass_matrix(a.model, data_a, M_a));
      assert_ok(mbd_mass_matrix(b.model, data_b, M_b));
      assert_close(M_a, M_b, 36, 1e-12, "mass matrix with %s locked", names[k]);
      compared++;
    }
    mbd_data_destroy(data_a);
    mbd_data_destroy(data_b);
    loaded_free(&a);
    loaded_free(&b);
    free(fixed);
  }
  assert_int_equal(compared, 30);
}

// the pose of the tool is that of the complete arm with the joints where they are locked
static void
positions_are_those_asked_for(void ** state)
{
  (void)state;
  // joint4 cannot be at 0: its limits are -3.0718 and -0.0698
  static const char * const lock[] = {"joint2: -0.4", "joint4", "joint6:1e0"};
  loaded_t all = load_file(ROBOTS "arm7.urdf", 0, NULL);
  loaded_t l = load_file(ROBOTS "arm7.urdf", 3, lock);
  assert_ok(l.status);
  assert_entry("locked", l.report, MBDX_NOTE, 0, "joint 'joint2': locked at -0.4 rad");
  assert_entry("locked", l.report, MBDX_NOTE, 0, "joint 'joint4': locked at -0.0698 rad");
  mbd_data_t *data, *data_all;
  int tool;
  const double q[4] = {0.1, 0.2, 0.3, 0.4}, q_all[7] = {0.1, -0.4, 0.2, -0.0698, 0.3, 1, 0.4};
  mbd_placement_t X, Y;
  assert_int_equal(l.model->nq, 4);
  assert_ok(mbd_data_create(l.model, &data));
  assert_ok(mbd_data_create(all.model, &data_all));
  assert_ok(mbd_find_frame(all.model, "tool", &tool));
  assert_ok(mbd_set_position(all.model, data_all, q_all));
  assert_ok(mbd_set_position(l.model, data, q));
  assert_ok(mbd_frame_placement(all.model, data_all, tool, &X));
  assert_ok(mbd_find_frame(l.model, "tool", &tool));
  assert_ok(mbd_frame_placement(l.model, data, tool, &Y));
  assert_close(&Y.p.x, &X.p.x, 3, 1e-14, "tool");
  assert_close(Y.R.m, X.R.m, 9, 1e-14, "tool");
  mbd_data_destroy(data);
  mbd_data_destroy(data_all);
  loaded_free(&l);
  loaded_free(&all);
}

// of a four-bar the other joints are locked with one
static void
loops_are_locked_as_a_whole(void ** state)
{
  (void)state;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  static const char * const lock[] = {"knuckle"};
  options.loops_file = ROBOTS "finger.loops.yaml";
  options.nlock = 1;
  options.lock = lock;
  loaded_t l = {0};
  l.status = mbdx_urdf_load_file(ROBOTS "finger.urdf", &options, &l.model, &l.report);
  assert_ok(l.status);
  assert_int_equal(l.model->nv, 0);
  assert_int_equal(l.model->nframe, 4);
  assert_entry(
    "tip", l.report, MBDX_NOTE, 0, "joint 'tip': locked too, since it can no longer move");
  loaded_free(&l);
}

static void
wrong_locks_are_refused(void ** state)
{
  (void)state;
  static const struct {
    const char *lock, *text;
  } CASE[] = {
    {"joint", "lock 'joint': the robot has no moving joint 'joint'; give JOINT or"},
    {"base_mount", "the robot has no moving joint 'base_mount'"},
    {"joint1: ", "lock 'joint1: ': \" \" is not a position"},
    {"joint1: x", "\" x\" is not a position"},
    {"joint1: 1 2", "\" 1 2\" is not a position"},
    {"joint1: nan", "\" nan\" is not a position"},
    {"joint1: 1e999", "\" 1e999\" is not a position"},
    {": 1", "the robot has no moving joint ''"},
    {"", "the robot has no moving joint ''"},
    {NULL, "the robot has no moving joint ''"},
  };
  for (size_t k = 0; k < sizeof CASE / sizeof CASE[0]; k++) {
    loaded_t l = load_file(ROBOTS "arm7.urdf", 1, &CASE[k].lock);
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_null(l.model);
    assert_entry("wrong", l.report, MBDX_ERROR, 0, CASE[k].text);
    loaded_free(&l);
  }
  const char * outside = "joint1: 3";
  loaded_t l = load_file(ROBOTS "arm7.urdf", 1, &outside);
  assert_ok(l.status);
  assert_entry(
    "outside", l.report, MBDX_WARNING, 0,
    "lock 'joint1: 3': 3 is outside of the limits of the joint, -2.8973 to 2.8973");
  loaded_free(&l);
  l = load_file(ROBOTS "arm7.urdf", 1, NULL);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  loaded_free(&l);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(locked_is_fixed),
    cmocka_unit_test(positions_are_those_asked_for),
    cmocka_unit_test(loops_are_locked_as_a_whole),
    cmocka_unit_test(wrong_locks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
