// Robots with flexible links on the command line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "close.h"
#include "flexible_state.h"
#include "mbdyn/flexible/flexible_file.h"

#define BOOM  MBDYN_SOURCE_DIR "/config/robots/boom.urdf"
#define MODES MBDYN_SOURCE_DIR "/config/robots/boom.flexible.yaml"

enum { NV = 9 };

// by name, and one behind the other, as the library has it
static void
eval_is_the_library(void ** state)
{
  (void)state;
  static const char TEXT[] =
    "{\"states\": [{\"q\": {\"slew\": 0.1, \"luff\": 0.3, \"elbow\": -0.5, \"boom\": [0.01, 0.002, "
    "-0.03, 0.001], \"panel\": [0.02, 0.1]}, \"v\": [1, 2, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "
    "\"a\": "
    "{\"panel\": [1, 2]}, \"tau\": {\"luff\": 50}, \"f_ext\": {\"tool\": [0, 0, -5, 0, 0, 0]}}]}";
  static const char * const args[] = {
    "eval", BOOM, "--frame=tool", "--frame=panel_tip", "--reference=local", NULL};
  json_t * root = run_json(TEXT, args);
  const double q[NV] = {0.1, 0.3, -0.5, 0.01, 0.002, -0.03, 0.001, 0.02, 0.1};
  const double v[NV] = {1, 2, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, a[NV] = {[7] = 1, [8] = 2};
  const double tau[NV] = {[1] = 50};
  mbd_model_t * model;
  mbd_model_t * robot;
  mbd_data_t * data;
  mbd_wrench_t push = {0, MBD_LOCAL, {{0, 0, 0}, {0, 0, -5}}};
  const mbd_wrenches_t f_ext = {1, &push};
  assert_ok(mbdx_urdf_load_file(BOOM, NULL, &model, NULL));
  assert_ok(mbdx_flexible_load_file(model, MODES, &robot, NULL));
  assert_ok(mbd_data_create(robot, &data));
  assert_ok(mbd_find_frame(model, "tool", &push.frame));
  double expected[NV * NV], got[NV * NV];
  assert_ok(mbd_inverse_dynamics(robot, data, q, v, a, &f_ext, expected));
  numbers_at(root, "states/0/tau", got, NV);
  assert_close(got, expected, NV, 1e-14, "tau");
  assert_ok(mbd_forward_dynamics(robot, data, q, v, tau, &f_ext, expected));
  numbers_at(root, "states/0/qdd", got, NV);
  assert_close(got, expected, NV, 1e-14, "qdd");
  assert_ok(mbd_mass_matrix(robot, data, expected));
  numbers_at(root, "states/0/mass_matrix", got, NV * NV);
  assert_close(got, expected, NV * NV, 1e-14, "M");
  assert_ok(mbd_inverse_dynamics(robot, data, q, v, NULL, NULL, expected));
  numbers_at(root, "states/0/bias", got, NV);
  assert_close(got, expected, NV, 1e-14, "bias");
  numbers_at(root, "states/0/strain_energy", got, 1);
  assert_ok(flexible_energy(robot, data, NULL, NULL, expected));
  assert_close(got, expected, 1, 1e-14, "strain");
  int tip;
  mbd_placement_t X;
  mbd_motion_t V;
  assert_ok(mbd_find_frame(model, "panel_tip", &tip));
  assert_ok(flexible_frame(robot, data, tip, &X, &V));
  numbers_at(root, "states/0/frames/panel_tip/pose", got, 7);
  assert_close(got, &X.p.x, 3, 1e-14, "pose");
  numbers_at(root, "states/0/frames/panel_tip/velocity", got, 6);
  assert_close(got, &V.lin.x, 3, 1e-14, "velocity");
  json_decref(root);
  mbd_data_destroy(data);
  mbd_model_destroy(robot);
  mbd_model_destroy(model);
}

static void
info_and_check_show_modes(void ** state)
{
  (void)state;
  run_t run = RUN("", "info", BOOM);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "flexible links: nq 9, nv 9 with 6 modes");
  assert_contains(run.out, "joints held [Hz]: 1.449 1.449 3 5");
  run_free(&run);
  static const char * const args[] = {"info", "--json", BOOM, NULL};
  json_t * root = run_json("", args);
  double f[6];
  numbers_at(root, "flexible/frequencies_joints_held", f, 6);
  assert_true(fabs(f[2] - 3) < 1e-6 && fabs(f[3] - 5) < 1e-6);
  json_decref(root);
  run = RUN("", "check", BOOM);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "link 'panel': flexible with 2 modes");
  run_free(&run);
}

static void
what_is_wrong_is_said(void ** state)
{
  (void)state;
  write_file(
    "bad.flexible.yaml",
    "flexible:\n  - link: boom\n    beam: {length: 1, mass_per_length: 1, modes_y: 1}\n");
  run_t run = RUN("{\"states\": [{}]}", "eval", BOOM, "--flexible=bad.flexible.yaml");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "bad.flexible.yaml:3: error: link 'boom': beam has modes_y and no");
  run_free(&run);
  run = RUN("", "check", BOOM, "--flexible=bad.flexible.yaml");
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "bad.flexible.yaml: 1 error, 0 warnings, 0 notes");
  run_free(&run);
  run = RUN("{\"states\": [{\"q\": {\"boom\": [1]}}]}", "eval", BOOM);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "states[0].q.boom: expected 4 numbers, got 1");
  run_free(&run);
  run = RUN("{\"states\": [{\"q\": {\"boom\": [0, 0, 0, 0], \"bom\": 1}}]}", "eval", BOOM);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "no moving joint 'bom'");
  assert_contains(run.err, "flexible links: boom panel");
  run_free(&run);
  run = RUN("{\"states\": [{}]}", "eval", BOOM, "--derivatives");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "require rigid links");
  run_free(&run);
}

// commands that cannot bend links say that they do not
static void
other_commands_take_rigid_links(void ** state)
{
  (void)state;
  run_t run = RUN("", "dh", BOOM);
  assert_contains(run.err, "boom.flexible.yaml: this command treats all links as rigid");
  run_free(&run);
  run = RUN("", "dh", BOOM, "--flexible=none");
  assert_null(strstr(run.err, "rigid"));
  run_free(&run);
  run = RUN("", "dh", BOOM, "--flexible", MODES);
  assert_int_equal(run.code, 2);
  run_free(&run);
  // and the rigid robot is as it was
  static const char * const args[] = {"eval", BOOM, "--flexible=none", NULL};
  json_t * root = run_json("{\"states\": [{}]}", args);
  double tau[3];
  numbers_at(root, "states/0/tau", tau, 3);
  json_decref(root);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(eval_is_the_library),
    cmocka_unit_test(info_and_check_show_modes),
    cmocka_unit_test(what_is_wrong_is_said),
    cmocka_unit_test(other_commands_take_rigid_links),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
