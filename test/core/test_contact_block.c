// Contacts and limits of one block: on a slope, at rest, bouncing, at its limits; and refusals.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/constraints.h"
#include "mbdyn/constraints/contact.h"

static mbd_contact_options_t
no_limits(void)
{
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = false;
  return options;
}

//---------- a block on the floor ----------

static mbd_model_t *
block_model(bool floating)
{
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("block", &model));
  spec.name = "block", spec.joint_name = "free";
  spec.type = floating ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC;
  spec.limits.lower = -0.5, spec.limits.upper = 2;
  const mbd_sym3_t I = {0.02, 0, 0, 0.02, 0, 0.02};
  spec.inertia = mbdu_inertia_from_com(2, mbdu_vec3(0, 0, 0), I);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

// its four lower corners, with the floor at z = 0
static void
corners(const mbd_model_t * model, const double * q, double friction, mbd_contact_t * c)
{
  const mbd_quat_t turn = {q[3], q[4], q[5], q[6]};
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  for (int k = 0; k < 4; k++) {
    const mbd_vec3_t corner = {k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1};
    const mbd_contact_mode_t mode = c[k].mode;
    const mbd_vec3_t force = c[k].force;
    c[k] = mbd_contact_default();
    c[k].mode = mode, c[k].force = force;
    c[k].frame_b = model->body[0].link_frame;
    c[k].point = mbdu_vec3_add(mbdu_vec3(q[0], q[1], q[2]), mbdu_mat3_vec(&R, corner));
    c[k].gap = c[k].point.z;
    c[k].friction = friction;
  }
}

// rests on four corners, each with a quarter of its weight at least in sum; sticks on a slope that is
// less steep than its friction and slides by the book on one that is steeper
static void
block_on_a_slope(void ** context)
{
  (void)context;
  mbd_model_t * model = block_model(true);
  mbd_data_t * data;
  mbd_contact_t c[4];
  double q[7] = {0, 0, 0.1, 0, 0, 0, 1}, v[6] = {0}, qdd[6];
  double * work = calloc(mbd_contact_work(model, 4), sizeof *work);
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < 8; k++) {
    const double angle = 0.1 * k, friction = 0.35, g = 9.81;
    const mbd_contact_options_t options = no_limits();
    memset(c, 0, sizeof c);
    corners(model, q, friction, c);
    assert_ok(mbd_set_gravity(data, mbdu_vec3(g * sin(angle), 0, -g * cos(angle))));
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_contact_acceleration(
      model, data, NULL, NULL, 4, c, &options, work, qdd, NULL, NULL, NULL));
    const double slides = g * fmax(0, sin(angle) - friction * cos(angle));
    assert_near(qdd[0], slides, 1e-7, "at %g rad", angle);
    for (int j = 1; j < 6; j++) assert_near(qdd[j], 0, 1e-7, "number %d at %g rad", j, angle);
    double weight = 0;
    for (int j = 0; j < 4; j++) weight += c[j].force.z;
    assert_near(weight, 2 * g * cos(angle), 1e-6, "weight at %g rad", angle);
    int stuck = 0;
    for (int j = 0; j < 4; j++) stuck += c[j].mode == MBD_CONTACT_STICK;
    assert_int_equal(stuck > 0, slides == 0);
  }
  // sliding uphill it is held back by more than the slope
  const double fast[6] = {-1, 0, 0, 0, 0, 0};
  const mbd_contact_options_t options = no_limits();
  memset(c, 0, sizeof c);
  corners(model, q, 0.35, c);
  assert_ok(mbd_set_gravity(data, mbdu_vec3(9.81 * sin(0.1), 0, -9.81 * cos(0.1))));
  assert_ok(mbd_set_velocity(model, data, fast));
  assert_ok(
    mbd_contact_acceleration(model, data, NULL, NULL, 4, c, &options, work, qdd, NULL, NULL, NULL));
  assert_near(qdd[0], 9.81 * (sin(0.1) + 0.35 * cos(0.1)), 1e-7, "uphill");
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// dropped with a spin it comes to rest on the floor, and the set of before does most of the time
static void
block_comes_to_rest(void ** context)
{
  (void)context;
  mbd_model_t * model = block_model(true);
  mbd_data_t * data;
  mbd_contact_t c[4];
  double q[7] = {0, 0, 0.4, 0.1, 0.2, 0.05, 0.97}, v[6] = {0.3, 0, 0, 0.5, -0.3, 1};
  double * work = calloc(mbd_contact_work(model, 4), sizeof *work);
  const mbd_contact_options_t options = no_limits();
  int late = 0, reused = 0;
  memset(c, 0, sizeof c);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_normalize(model, q));
  for (int k = 0; k < 2000; k++) {
    mbd_contact_info_t info;
    corners(model, q, 0.6, c);
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(
      mbd_contact_step(model, data, NULL, NULL, 2e-3, 4, c, &options, work, v, NULL, NULL, &info));
    assert_ok(mbd_integrate(model, q, v, 2e-3, q));
    if (k >= 1500) late++, reused += info.iterations == 0;
  }
  for (int j = 0; j < 6; j++) assert_near(v[j], 0, 1e-6, "at rest, number %d", j);
  corners(model, q, 0.6, c);
  for (int k = 0; k < 4; k++) assert_near(c[k].gap, 0, 1e-4, "corner %d", k);
  assert_true(reused > 0.9 * late);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// it bounces to restitution^2 of the height, and not through the floor
static void
block_bounces(void ** context)
{
  (void)context;
  mbd_model_t * model = block_model(true);
  mbd_data_t * data;
  mbd_contact_t c[4];
  double q[7] = {0, 0, 0.6, 0, 0, 0, 1}, v[6] = {0}, top = 0;
  double * work = calloc(mbd_contact_work(model, 4), sizeof *work);
  const mbd_contact_options_t options = no_limits();
  bool hit = false;
  memset(c, 0, sizeof c);
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < 6000; k++) {
    corners(model, q, 0, c);
    for (int j = 0; j < 4; j++) c[j].restitution = 0.5;
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(
      mbd_contact_step(model, data, NULL, NULL, 1e-4, 4, c, &options, work, v, NULL, NULL, NULL));
    assert_ok(mbd_integrate(model, q, v, 1e-4, q));
    assert_true(q[2] > 0.1 - 1e-3);
    hit = hit || v[2] > 0.1;
    if (hit) top = fmax(top, q[2]);
  }
  assert_near(top - 0.1, 0.25 * 0.5, 5e-3, "height after the first bounce");
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- limits ----------

// a weight on a vertical slide stops at its lower limit and rests there
static void
limits_stop_joints(void ** context)
{
  (void)context;
  mbd_model_t * model = block_model(false);
  mbd_data_t * data;
  double q = 0.3, v = 0, limit = 0, qdd;
  double * work = calloc(mbd_contact_work(model, 0), sizeof *work);
  mbd_contact_info_t info;
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < 1000; k++) {
    assert_ok(mbd_set_position(model, data, &q));
    assert_ok(mbd_set_velocity(model, data, &v));
    assert_ok(mbd_contact_step(
      model, data, NULL, NULL, 1e-3, 0, NULL, NULL, work, &v, &limit, NULL, &info));
    q += 1e-3 * v;
    assert_true(q > -0.5 - 1e-12);
  }
  assert_near(q, -0.5, 1e-9, "at the limit");
  assert_near(v, 0, 1e-12, "at rest");
  assert_near(limit, 2 * 9.81 * 1e-3, 1e-12, "impulse of one step");
  assert_int_equal(info.iterations, 0);
  // as a force
  q = -0.5, v = 0, limit = 0;
  assert_ok(mbd_set_position(model, data, &q));
  assert_ok(mbd_set_velocity(model, data, &v));
  assert_ok(mbd_contact_acceleration(
    model, data, NULL, NULL, 0, NULL, NULL, work, &qdd, &limit, NULL, &info));
  assert_near(qdd, 0, 1e-12, "held");
  assert_near(limit, 2 * 9.81, 1e-10, "by its weight");
  // pulled up it lets go
  const double lift = 30;
  assert_ok(mbd_contact_acceleration(
    model, data, &lift, NULL, 0, NULL, NULL, work, &qdd, &limit, NULL, &info));
  assert_near(qdd, 30.0 / 2 - 9.81, 1e-12, "lifted");
  assert_true(limit == 0 && info.nactive == 0);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- refusals ----------

static void
arguments_are_checked(void ** context)
{
  (void)context;
  mbd_model_t * model = block_model(true);
  mbd_data_t * data;
  mbd_contact_t good = mbd_contact_default(), c;
  double q[7] = {0, 0, 0.1, 0, 0, 0, 1}, v[6] = {0}, out[6];
  double * work = calloc(mbd_contact_work(model, 1) + 1, sizeof *work);
  mbd_contact_options_t o = mbd_contact_options_default();
  good.frame_b = 0;
  assert_ok(mbd_data_create(model, &data));
#define STEP(dt, n, contact, options) \
  mbd_contact_step(model, data, NULL, NULL, dt, n, contact, options, work, out, NULL, NULL, NULL)
  assert_status(STEP(0.01, 1, &good, NULL), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, v));
  assert_status(STEP(0, 1, &good, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(STEP((double)NAN, 1, &good, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(STEP(0.01, -1, &good, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(STEP(0.01, 1, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
#define REFUSED(change, expected)                   \
  do {                                              \
    c = good;                                       \
    change;                                         \
    assert_status(STEP(0.01, 1, &c, &o), expected); \
  } while (0)
  REFUSED(c.frame_b = -1, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(c.frame_a = 99, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(c.normal.z = 2, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(c.friction = -1, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(c.restitution = 1.5, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(c.gap = (double)NAN, MBD_ERROR_NOT_FINITE);
  REFUSED(c.point.x = HUGE_VAL, MBD_ERROR_NOT_FINITE);
  REFUSED(o.tolerance = 0, MBD_ERROR_BAD_ARGUMENT);
  o = mbd_contact_options_default();
  REFUSED(o.iterations = 0, MBD_ERROR_BAD_ARGUMENT);
  o = mbd_contact_options_default();
  assert_ok(STEP(0.01, 1, &good, &o));
  assert_int_equal(mbd_contact_work(NULL, 1), 0);
  // too few iterations for four corners that rub
  mbd_contact_t four[4];
  double * more = calloc(mbd_contact_work(model, 4), sizeof *more);
  memset(four, 0, sizeof four);
  corners(model, q, 0.3, four);
  o.iterations = 1, o.tolerance = 1e-14, o.fallback = false;
  const double sideways[6] = {1, 0.4, -1, 0, 0, 2};
  out[0] = 7;
  assert_ok(mbd_set_velocity(model, data, sideways));
  assert_status(
    mbd_contact_step(model, data, NULL, NULL, 0.01, 4, four, &o, more, out, NULL, NULL, NULL),
    MBD_ERROR_NO_SOLUTION);
  assert_true(out[0] == 7 && four[0].mode == MBD_CONTACT_OPEN);
  // unless something is to be written all the same
  o.fallback = true;
  assert_status(
    mbd_contact_step(model, data, NULL, NULL, 0.01, 4, four, &o, more, out, NULL, NULL, NULL),
    MBD_ERROR_NOT_CONVERGED);
  assert_true(out[0] < 1 && out[2] > sideways[2] && four[0].force.z > 0);
  free(more);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(block_on_a_slope),      cmocka_unit_test(block_comes_to_rest),
    cmocka_unit_test(block_bounces),         cmocka_unit_test(limits_stop_joints),
    cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
