// What functions of cut joints refuse, and that they stay within their work memory.
#include <math.h>
#include <stdlib.h>

#include "closed_rig.h"
#include "mbdyn/constraints.h"

static void
singular_and_contradictory_states_are_refused(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  bar.coupler = bar.ground, bar.rocker = bar.crank;
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  mbd_constrained_t info;
  mbd_force_t f;
  double qdd[3] = {7, 7, 7};
  // flat: the rank is one; whoever knows that it ought to be two can ask for that
  options.rank = 2;
  assert_status(
    mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, &info),
    MBD_ERROR_LOCKED);
  assert_true(info.rank == 1 && info.error_closure == 0 && qdd[0] == 7);
  // the free tree's accelerations are not left behind
  assert_status(mbd_joint_force(model, r.data, 0, &f), MBD_ERROR_STAGE);
  // accelerations of whatever rank, for those who ask for them
  options.rank = -1;
  assert_ok(mbd_constrained_forward_dynamics(
    model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, &info));
  for (int k = 0; k < 3; k++) assert_true(isfinite(qdd[k]));
  rig_free(&r);
  mbd_model_destroy(model);
  // two drivers that want one joint at different accelerations
  assert_ok(mbd_model_create("torn", &model));
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  link.name = "a", link.joint_name = "ja", link.type = MBD_JOINT_PRISMATIC, link.inertia.mass = 1;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1, spec.joint[0] = "ja";
  spec.coefficient[0] = 1, spec.name = "one";
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  spec.name = "two", spec.driver.rate = 1;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  assert_ok(mbd_model_finalize(model));
  r = rig_of(model);
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_status(
    mbd_closing_impulse(model, r.data, r.v, NULL, NULL, r.work, qdd, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  assert_true(info.residual > 0.4 && info.error_closure >= 0);
  // with stabilisation the contradiction of the rates is one of accelerations
  options = mbd_constrained_options_default();
  options.stabilisation = 10;
  assert_status(
    mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  rig_free(&r);
  mbd_model_destroy(model);
}

// every function whose result is of the degrees of freedom that are left; false on a status other
// than the expected one
static bool
all_return(rig_t * r, mbd_status_t expected, mbd_constrained_t * info)
{
  const mbd_model_t * model = r->data->model;
  double x[3] = {0.1, 0.2, 0.3}, kept[3] = {7, 7, 7}, a[3], b[3];
  bool good = true;
  assert_ok(mbd_set_position(model, r->data, r->q));
  assert_ok(mbd_set_velocity(model, r->data, r->v));
  good &= mbd_constrained_response(model, r->data, x, NULL, r->work, a) == expected;
  good &= mbd_move_squeeze(model, r->data, x, NULL, NULL, r->work, a, b) == expected;
  good &= mbd_closing_impulse(model, r->data, x, NULL, NULL, r->work, a, NULL, info) == expected;
  // the state is left as it was
  assert_memory_equal(r->data->v, r->v, (size_t)model->nv * sizeof *r->v);
  good &= mbd_constrained_forward_dynamics(
            model, r->data, NULL, NULL, x, NULL, NULL, r->work, kept, NULL, info) == expected;
  if (expected != MBD_OK) assert_true(kept[0] == 7 && kept[1] == 7 && kept[2] == 7);
  return good;
}

// Where loops branch or are about to lock, rows of G imply each other that do not nearby, and the
// motions that G leaves are more than the loops have.
static void
singular_configurations_are_found(void ** context)
{
  (void)context;
  static const mbd_closure_type_t pins[] = {
    MBD_CLOSURE_ON_LINE, MBD_CLOSURE_REVOLUTE, MBD_CLOSURE_SPHERICAL, MBD_CLOSURE_CYLINDRICAL};
  int singular = 0, regular = 0;
  for (int n = 0; n < 4; n++) {
    four_bar_t bar = upright_four_bar();
    bar.type = pins[n];
    mbd_constrained_t info;
    // regular, and rows that are redundant everywhere
    mbd_model_t * model = four_bar(&bar);
    rig_t r = rig_of(model);
    for (int k = 0; k < 24; k++) {
      if (!four_bar_at(&bar, model, 0.27 * k, r.q)) continue;
      memset(r.v, 0, 3 * sizeof *r.v);
      assert_true(all_return(&r, MBD_OK, &info));
      assert_int_equal(info.mobility, 1);
      assert_int_equal(info.nredundant, model->nrow - 2);
      regular++;
    }
    rig_free(&r);
    mbd_model_destroy(model);
    // a parallelogram: open, nearly flat, and flat, where it may go on as an antiparallelogram
    bar.coupler = bar.ground, bar.rocker = bar.crank;
    model = four_bar(&bar);
    r = rig_of(model);
    const double angle[] = {0.4, 1e-3, 1e-5, 0};
    for (int k = 0; k < 4; k++) {
      const bool flat = angle[k] == 0;
      r.q[0] = r.q[2] = angle[k], r.q[1] = -angle[k];
      memset(r.v, 0, 3 * sizeof *r.v);
      assert_true(all_return(&r, flat ? MBD_ERROR_LOCKED : MBD_OK, &info));
      assert_int_equal(info.error_closure, flat ? 0 : -1);
      assert_int_equal(info.mobility, flat ? 2 : 1);
      singular += flat;
    }
    rig_free(&r);
    mbd_model_destroy(model);
    // stretched between two points: G lets it bend, its length does not
    bar.crank = 0.3, bar.coupler = 0.5, bar.rocker = 0.2, bar.ground = 1;
    model = four_bar(&bar);
    r = rig_of(model);
    r.q[0] = r.q[1] = 0, r.q[2] = 3.14159265358979323846;
    memset(r.v, 0, 3 * sizeof *r.v);
    assert_true(all_return(&r, MBD_ERROR_LOCKED, &info));
    singular++;
    rig_free(&r);
    mbd_model_destroy(model);
  }
  assert_int_equal(singular, 8);
  assert_true(regular > 60);
}

static void
arguments_are_checked(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  double x[3] = {0}, l[2] = {0}, bad[3] = {0, (double)NAN, 0};
  mbd_force_t f;
  mbd_constrained_options_t o = mbd_constrained_options_default();
#define FORWARD(data, q, options, work, qdd) \
  mbd_constrained_forward_dynamics(model, data, q, r.v, x, NULL, options, work, qdd, NULL, NULL)
  assert_status(FORWARD(NULL, r.q, NULL, r.work, x), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, r.q, NULL, NULL, x), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, r.q, NULL, r.work, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, bad, NULL, r.work, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_constrained_response(model, r.data, x, NULL, r.work, x), MBD_ERROR_STAGE);
  assert_status(mbd_move_squeeze(model, r.data, x, NULL, NULL, r.work, x, NULL), MBD_ERROR_STAGE);
  assert_status(
    mbd_closing_impulse(model, r.data, x, NULL, NULL, r.work, x, NULL, NULL), MBD_ERROR_STAGE);
  assert_status(mbd_closure_torque(model, r.data, l, x), MBD_ERROR_STAGE);
  assert_status(mbd_closure_wrench(model, r.data, 0, l, &f), MBD_ERROR_STAGE);
  o.stabilisation = -1;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_BAD_ARGUMENT);
  o = mbd_constrained_options_default(), o.t = (double)NAN;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_NOT_FINITE);
  o = mbd_constrained_options_default(), o.rank_tolerance = 0;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_BAD_ARGUMENT);
  assert_true(four_bar_at(&bar, model, 1, r.q));
  assert_ok(FORWARD(r.data, r.q, NULL, r.work, x));
  double weight[3] = {1, 0, 1};
  assert_status(
    mbd_move_squeeze(model, r.data, x, weight, NULL, r.work, x, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_move_squeeze(model, r.data, bad, NULL, NULL, r.work, x, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_wrench(model, r.data, 1, l, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_closure_wrench(model, r.data, -1, l, &f), MBD_ERROR_BAD_ARGUMENT);
  l[0] = (double)NAN;
  assert_status(mbd_closure_wrench(model, r.data, 0, l, &f), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_torque(model, r.data, l, x), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_constrained_work(NULL), 0);
  rig_free(&r);
  mbd_model_destroy(model);
}

// nothing is written behind the work memory that was asked for
static void
memory_is_respected(void ** context)
{
  (void)context;
  FOR_CLOSED(60, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const size_t n = mbd_constrained_work(r->model);
    double * work = calloc(n + 4, sizeof *work);
    mat_t x = mat(nv, 1), l = mat(r->model->nrow, 1);
    for (int k = 0; k < 4; k++) work[n + (size_t)k] = 7;
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, r->q, r->v, r->tau, NULL, NULL, work, x.a, l.a, NULL));
    assert_ok(mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, x.a, NULL, NULL, NULL, NULL, work, x.a, l.a, NULL));
    assert_ok(mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, forward(r, NULL, NULL).qdd.a, NULL, NULL, l.a, NULL, work, x.a,
      l.a, NULL));
    assert_ok(mbd_constrained_response(r->model, r->data, x.a, NULL, work, x.a));
    assert_ok(mbd_move_squeeze(r->model, r->data, x.a, NULL, NULL, work, x.a, NULL));
    assert_ok(mbd_closing_impulse(r->model, r->data, r->v, NULL, NULL, work, x.a, l.a, NULL));
    for (int k = 0; k < 4; k++) assert_true(work[n + (size_t)k] == 7);
    free(work);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(singular_and_contradictory_states_are_refused),
    cmocka_unit_test(singular_configurations_are_found),
    cmocka_unit_test(arguments_are_checked),
    cmocka_unit_test(memory_is_respected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
