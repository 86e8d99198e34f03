// `mbdyn identify`: parameters of a robot that is not the URDF's, from its noisy torques.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"
#include "excitation.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/inverse.h"
#include "mbdyn/urdf.h"

#define ARM7 MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"

enum { NV = 7 };

// noise of the torques [N m], more in the large joints
static const double NOISE[NV] = {0.5, 0.5, 0.4, 0.4, 0.15, 0.1, 0.1};

static mbd_model_t *
load(const char * path)
{
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, NULL, &model, NULL));
  return model;
}

// root mean square over a motion of the difference of two robots' torques, for each joint
static void
compare(
  const mbd_model_t * one, const mbd_model_t * other, const excitation_t * motion, double * rms)
{
  mbd_data_t * data[2];
  const mbd_model_t * robot[2] = {one, other};
  double q[NV], v[NV], a[NV], tau[2][NV], sum[NV] = {0};
  for (int k = 0; k < 2; k++) {
    assert_ok(mbd_data_create(robot[k], &data[k]));
    assert_ok(mbd_set_terms(data[k], MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  }
  for (int row = 0; row < 1000; row++) {
    excitation_at(motion, 0.01 * row, q, v, a);
    for (int k = 0; k < 2; k++) {
      assert_ok(mbd_inverse_dynamics(robot[k], data[k], q, v, a, NULL, tau[k]));
    }
    for (int j = 0; j < NV; j++) sum[j] += pow(tau[0][j] - tau[1][j], 2);
  }
  for (int j = 0; j < NV; j++) rms[j] = sqrt(sum[j] / 1000);
  for (int k = 0; k < 2; k++) mbd_data_destroy(data[k]);
}

static double
number_at(const json_t * root, const char * format, const char * joint, const char * what)
{
  char path[128];
  double x;
  snprintf(path, sizeof path, format, joint, what);
  numbers_at(root, path, &x, 1);
  return x;
}

//---------- the whole way ----------

// the truth, two motions of it in two files
typedef struct setting {
  mbd_model_t *urdf, *truth;
  excitation_t motion, held_out;
} setting_t;

static setting_t
make_setting(double rotor, recorder_t how)
{
  setting_t s;
  s.urdf = load(ARM7);
  s.truth = other_robot(s.urdf, 7, rotor, NULL);
  excitation_create(s.urdf, 3, &s.motion);
  excitation_create(s.urdf, 4, &s.held_out);
  write_recording("motion.csv", s.truth, &s.motion, &how);
  how.seed += 1000;
  write_recording("other.csv", s.truth, &s.held_out, &how);
  return s;
}

static void
free_setting(setting_t * s)
{
  mbd_model_destroy(s->urdf);
  mbd_model_destroy(s->truth);
}

// every body that was found can exist
static void
assert_consistent(const json_t * root)
{
  const char * link;
  const json_t * body;
  int n = 0;
  json_object_foreach((json_t *)value_at(root, "bodies"), link, body)
  {
    double ten[10], margin, told;
    numbers_at(body, "parameters", ten, 10);
    numbers_at(body, "margin", &told, 1);
    assert_ok(mbd_parameters_check(ten, &margin));
    if (!(margin > 0)) print_error("%s: margin %g\n", link, margin);
    assert_true(margin > 0);
    assert_close(&told, &margin, 1, 1e-9, "margin of %s", link);
    n++;
  }
  assert_int_equal(n, NV);
}

// on a motion that was not used, the torques found are the true ones far below the noise, and the
// report tells the error that there is
static void
assert_predicts(const setting_t * s, const json_t * root, const mbd_model_t * found)
{
  double before[NV], after[NV];
  compare(s->urdf, s->truth, &s->held_out, before);
  compare(found, s->truth, &s->held_out, after);
  for (int j = 0; j < NV; j++) {
    const char * joint = s->urdf->body[j].joint_name;
    const double told = number_at(root, "validation/joints/%s/%s", joint, "rms_error_after");
    const double fitted = number_at(root, "data/joints/%s/%s", joint, "rms_error_after");
    const double start = number_at(root, "validation/joints/%s/%s", joint, "rms_error_before");
    print_message(
      "%s: noise %.3f, fit %.4f, validation %.4f, before %.3f, to the truth %.4f (was %.3f)\n",
      joint, NOISE[j], fitted, told, start, after[j], before[j]);
    assert_true(after[j] < 0.15 * NOISE[j]);
    assert_true(before[j] > 2 * after[j]);
    assert_true(fabs(told / NOISE[j] - 1) < 0.04);
    assert_true(fabs(fitted / NOISE[j] - 1) < 0.04);
    assert_true(fabs(start - hypot(before[j], NOISE[j])) < 0.04 * start);
  }
}

// run on the two files with further options; the report, and the robot in found.urdf
#define IDENTIFY(...)                                                                      \
  run_json(                                                                                \
    "", (const char * const[]){                                                            \
          "identify", ARM7, "--data", "motion.csv", "--validate", "other.csv", "--output", \
          "found.urdf", "--json", __VA_ARGS__, NULL})

// twenty seconds at 200 Hz, noise and friction: torques of another motion are found
static void
another_robot_is_found_from_noisy_torques(void ** state)
{
  (void)state;
  setting_t s =
    make_setting(0, (recorder_t){.seconds = 20, .rate = 200, .noise = NOISE, .seed = 1});
  json_t * root = IDENTIFY("--friction");
  mbd_model_t * found = load("found.urdf");
  assert_consistent(root);
  assert_predicts(&s, root, found);
  assert_true(json_is_true(value_at(root, "converged")));
  assert_int_equal((int)number_at(root, "data/%s%s", "samples", ""), 4000);
  assert_int_equal((int)number_at(root, "base_parameters/%s%s", "count", ""), 57);
  assert_int_equal((int)number_at(root, "base_parameters/%s%s", "excited", ""), 57);
  assert_true(number_at(root, "base_parameters/%s%s", "condition", "") < 100);
  mbd_model_destroy(found);
  free_setting(&s);
  json_decref(root);
}

// rotors too: they come back through <transmission>, and none is mistaken for a link
static void
rotors_are_told_from_links(void ** state)
{
  (void)state;
  setting_t s =
    make_setting(0.2, (recorder_t){.seconds = 20, .rate = 200, .noise = NOISE, .seed = 2});
  json_t * root = IDENTIFY("--friction", "--rotors");
  mbd_model_t * found = load("found.urdf");
  assert_consistent(root);
  assert_predicts(&s, root, found);
  for (int j = 0; j < NV; j++) {
    const char * joint = s.urdf->body[j].joint_name;
    const double told = number_at(root, "drives/%s/%s", joint, "reflected_rotor_inertia");
    const double truth = s.truth->body[j].drive.rotor_inertia;
    assert_close(&told, &found->body[j].drive.rotor_inertia, 1, 1e-9, "rotor of %s", joint);
    if (!(fabs(told - truth) < 0.3 * truth)) print_error("%s: %g, not %g\n", joint, told, truth);
    assert_true(fabs(told - truth) < 0.3 * truth);
  }
  mbd_model_destroy(found);
  free_setting(&s);
  json_decref(root);
}

// encoders alone, with noise of a 17-bit one: velocities and accelerations are computed
static void
derivatives_can_be_computed(void ** state)
{
  (void)state;
  setting_t s = make_setting(
    0, (recorder_t){
         .seconds = 20, .rate = 200, .noise = NOISE, .q_noise = 2e-5, .only_q = true, .seed = 3});
  json_t * root = IDENTIFY("--friction", "--differentiate");
  mbd_model_t * found = load("found.urdf");
  assert_consistent(root);
  assert_predicts(&s, root, found);
  // three periods of 10 Hz, and two samples, are lost at either end
  assert_int_equal((int)number_at(root, "data/%s%s", "samples", ""), 4000 - 2 * (60 + 2));
  mbd_model_destroy(found);
  free_setting(&s);
  json_decref(root);
}

// torques of a simulation without friction, exact: the fit is, and needs --no-drives for it
static void
exact_torques_are_met(void ** state)
{
  (void)state;
  setting_t s = make_setting(0, (recorder_t){.seconds = 10, .rate = 50, .rigid = true});
  json_t * root = IDENTIFY("--no-drives");
  json_t * wrong = IDENTIFY("--prior", "10");
  assert_consistent(root);
  for (int j = 0; j < NV; j++) {
    const char * joint = s.urdf->body[j].joint_name;
    assert_true(number_at(root, "validation/joints/%s/%s", joint, "relative_after") < 1e-3);
    assert_true(number_at(wrong, "validation/joints/%s/%s", joint, "relative_after") > 1e-2);
  }
  free_setting(&s);
  json_decref(root);
  json_decref(wrong);
}

//---------- what cannot be explained is not ----------

// torques of two joints exchanged, or gravity left out: no possible robot explains them
static void
wrong_data_is_seen_in_the_report(void ** state)
{
  (void)state;
  setting_t s =
    make_setting(0, (recorder_t){.seconds = 20, .rate = 100, .noise = NOISE, .seed = 4});
  json_t * weightless = IDENTIFY("--friction", "--gravity", "0,0,0");
  FILE * file = fopen("motion.csv", "r+");
  char header[200] = "";
  assert_int_equal(fread(header, 1, sizeof header - 1, file), sizeof header - 1);
  // same length, so that the rest of the file stays where it is
  memcpy(strstr(header, "tau_joint2"), "tau_JOINT4", 10);
  memcpy(strstr(header, "tau_joint4"), "tau_joint2", 10);
  memcpy(strstr(header, "tau_JOINT4"), "tau_joint4", 10);
  rewind(file);
  fputs(header, file);
  assert_int_equal(fclose(file), 0);
  json_t * exchanged = IDENTIFY("--friction");
  assert_consistent(weightless);
  assert_consistent(exchanged);
  assert_true(
    number_at(weightless, "data/joints/%s/%s", "joint2", "rms_error_after") > 4 * NOISE[1]);
  assert_true(
    number_at(exchanged, "data/joints/%s/%s", "joint2", "rms_error_after") > 4 * NOISE[1]);
  free_setting(&s);
  json_decref(weightless);
  json_decref(exchanged);
}

// a robot at rest shows little: the report says so, and the rest stays as the URDF has it
static void
a_robot_at_rest_keeps_the_urdf(void ** state)
{
  (void)state;
  write_file(
    "rest.csv",
    "t,q_shoulder,v_shoulder,a_shoulder,tau_shoulder,q_elbow,v_elbow,a_elbow,tau_elbow\n"
    "0,0.5,0,0,11.4,0,0,0,2.06\n# a break\n\n1,0.5,0,0,11.3,0,0,0,2.05\n");
  json_t * root = run_json(
    "", (const char * const[]){
          "identify", "arm.urdf", "--data", "rest.csv", "--friction", "--json", NULL});
  double found[10], urdf[10];
  numbers_at(root, "bodies/lower/parameters", found, 10);
  numbers_at(root, "bodies/lower/parameters_urdf", urdf, 10);
  assert_close(found, urdf, 10, 0.2, "lower link");
  assert_true(json_is_null(value_at(root, "base_parameters/condition")));
  assert_int_equal((int)number_at(root, "base_parameters/%s%s", "excited", ""), 2);
  const double viscous = number_at(root, "drives/%s/%s", "shoulder", "viscous");
  assert_close(&viscous, (&(double){0.3}), 1, 1e-6, "friction that was not seen");
  json_decref(root);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(another_robot_is_found_from_noisy_torques),
    cmocka_unit_test(rotors_are_told_from_links),
    cmocka_unit_test(derivatives_can_be_computed),
    cmocka_unit_test(exact_torques_are_met),
    cmocka_unit_test(wrong_data_is_seen_in_the_report),
    cmocka_unit_test(a_robot_at_rest_keeps_the_urdf),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
