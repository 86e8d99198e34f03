// Torques and impulses of robots with cut joints, against elimination in null spaces.
#include <math.h>

#include "closed_rig.h"
#include "mbdyn/constraints/constrained.h"

//---------- torques ----------

// Y_C tau = N (N^T M N)^-1 N^T tau
static void
response_is_that_of_the_null_space(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    const mat_t N = null_space(o.G, 1e-9), tau = column(r->model->nv, r->tau);
    const mat_t expected = N.c ? PROD(N, inverse(PROD(tr(N), o.M, N)), tr(N), tau) : mat(N.r, 1);
    mat_t qdd = column(r->model->nv, r->tau);
    assert_ok(mbd_constrained_response(r->model, r->data, qdd.a, NULL, r->work, qdd.a));
    assert_mat_floor(qdd, expected, 1e-9, fmax(1, largest_entry(expected)), "seed %lu", seed);
  }
  assert_enough(&cases, 0.95);
}

// squeeze moves nothing, move moves as the whole; P = G^T (G W G^T)^-1 G W where that exists
static void
torques_move_or_squeeze(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int found = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    mat_t W = mat(nv, nv), weight = mat(nv, 1), move = mat(nv, 1), squeeze = mat(nv, 1);
    uint64_t state = seed;
    for (int k = 0; k < nv; k++) *at(W, k, k) = weight.a[k] = random_between(&state, 0.1, 3);
    const mat_t tau = column(nv, r->tau);
    assert_ok(
      mbd_move_squeeze(r->model, r->data, tau.a, weight.a, NULL, r->work, move.a, squeeze.a));
    assert_mat_floor(SUM(move, squeeze), tau, 1e-13, 1, "sum, seed %lu", seed);
    const mat_t N = null_space(o.G, 1e-9);
    const double size = fmax(1, largest_entry(N)) * 10;
    assert_mat_floor(PROD(tr(N), squeeze), mat(N.c, 1), 1e-10, size, "squeeze, seed %lu", seed);
    // move is W-orthogonal to everything that squeezes
    assert_mat_floor(
      PROD(o.G, W, move), mat(o.G.r, 1), 1e-10, fmax(1, largest_entry(o.G)) * 10, "least %lu",
      seed);
    if (o.G.r > 0 && null_space(tr(o.G), 1e-6).c == 0) {
      const mat_t P = PROD(tr(o.G), inverse(PROD(o.G, W, tr(o.G))), o.G, W);
      assert_mat_floor(squeeze, PROD(P, tau), 1e-7, size, "projector, seed %lu", seed);
      found++;
    }
    // one of them alone, in place, equal weights
    assert_ok(
      mbd_move_squeeze(r->model, r->data, move.a, weight.a, NULL, r->work, NULL, squeeze.a));
    assert_mat_floor(squeeze, mat(nv, 1), 1e-10, 10, "twice, seed %lu", seed);
    assert_ok(mbd_move_squeeze(r->model, r->data, move.a, NULL, NULL, r->work, move.a, NULL));
    assert_mat_floor(PROD(o.G, move), mat(o.G.r, 1), 1e-10, size, "in place, seed %lu", seed);
  }
  assert_count(found, 20);
  assert_enough(&cases, 0.95);
}

//---------- inverse dynamics ----------

// the torques give the motion; with them all joints are actuated or none of the rest is loaded
static void
torques_give_the_motion(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int few = 0, enough = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    const mat_t qdd = forward(r, &the.wrenches, NULL).qdd;
    const mat_t N = null_space(o.G, 1e-9);
    bool actuated[64];
    uint64_t state = seed;
    for (int k = 0; k < nv; k++) actuated[k] = seed % 4 == 0 || random_below(&state, 3) > 0;
    mat_t tau = mat(nv, 1), lambda = mat(r->model->nrow, 1), again = mat(nv, 1);
    mat_t S = mat(nv, nv);
    for (int k = 0; k < nv; k++) *at(S, k, k) = actuated[k];
    const mbd_status_t status = mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, qdd.a, &the.wrenches, actuated, NULL, NULL, r->work, tau.a,
      lambda.a, NULL);
    // every motion that the loops leave can be given iff N^T S has full rank
    const bool full = N.c == 0 || null_space(tr(PROD(tr(N), S)), 1e-4).c == 0;
    const bool doubtful = full != (N.c == 0 || null_space(tr(PROD(tr(N), S)), 1e-9).c == 0);
    if (full && !doubtful) assert_int_equal(status, MBD_OK);
    if (status != MBD_OK) {
      assert_int_equal(status, MBD_ERROR_UNDERACTUATED);
      assert_false(actuated[r->model->body[r->data->error_body].v_index] && full);
      few++;
      continue;
    }
    enough++;
    for (int k = 0; k < nv; k++) assert_true(actuated[k] || tau.a[k] == 0);
    // what is not torque is closures: M qdd + h - J^T f = tau + G^T lambda
    const mat_t need = sub(SUM(PROD(o.M, qdd), o.h), wrenches_in_joints(&o, &the.wrenches));
    const double size = fmax(1, largest_entry(need)) * 10;
    assert_mat_floor(SUM(tau, PROD(tr(o.G), lambda)), need, 1e-8, size, "balance, %lu", seed);
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, r->q, r->v, tau.a, &the.wrenches, NULL, r->work, again.a, NULL, NULL));
    assert_mat_floor(again, qdd, 1e-8, fmax(1, largest_entry(qdd)), "there and back, %lu", seed);
    // least: no internal force makes the torques smaller, so they are orthogonal to all of them
    const mat_t hidden = sub(eye(nv), S), K = null_space(PROD(hidden, tr(o.G)), 1e-8);
    const mat_t inner = PROD(tr(K), o.G, tau);
    assert_mat_floor(
      inner, mat(inner.r, 1), 1e-7, size * fmax(1, largest_entry(K) * largest_entry(o.G)),
      "least, seed %lu", seed);
  }
  assert_count(enough, 60);
  assert_count(few, 10);
  assert_enough(&cases, 0.95);
}

// weights shift the load: the four-bar's crank driven alone, its rocker alone, or both
static void
weights_share_the_load(void ** context)
{
  (void)context;
  four_bar_t bar = upright_four_bar();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  const int crank = dof(model, "crank_joint"), rocker = dof(model, "rocker_joint");
  const int coupler = dof(model, "coupler_joint");
  bool actuated[3] = {false};
  double tau[3], alone[2], weight[3] = {1, 1, 1}, lambda[2];
  assert_true(four_bar_at(&bar, model, 0.8, r.q));
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_set_velocity(model, r.data, r.v));
  mbd_constrained_options_t options = mbd_constrained_options_default();
#define HOLD(desired)                                                                        \
  assert_ok(mbd_constrained_inverse_dynamics(                                                \
    model, r.data, NULL, NULL, NULL, NULL, actuated, desired, &options, r.work, tau, lambda, \
    NULL))
  actuated[crank] = true;
  HOLD(NULL);
  alone[0] = tau[crank];
  actuated[crank] = false, actuated[rocker] = true;
  HOLD(NULL);
  alone[1] = tau[rocker];
  assert_true(fabs(alone[0]) > 0.1 && fabs(alone[1]) > 0.1);
  actuated[crank] = true;
  HOLD(NULL);
  // on the line between both ways, and the point of it that is nearest to zero
  assert_near(tau[crank] / alone[0] + tau[rocker] / alone[1], 1, 1e-12, "line");
  assert_near(tau[crank] * alone[0], tau[rocker] * alone[1], 1e-12, "nearest");
  assert_true(tau[coupler] == 0);
  options.weight = weight;
  weight[rocker] = 1e8;
  HOLD(NULL);
  assert_near(tau[crank], alone[0], 1e-6, "the crank carries it all");
  // an internal force that was asked for is there, since two actuators leave one open
  options.weight = NULL;
  HOLD(NULL);
  double desired[2] = {lambda[0] + 10, lambda[1] + 10}, moved[2];
  HOLD(desired);
  for (int k = 0; k < 2; k++) moved[k] = lambda[k];
  // of the four-bar's internal forces only x is free: y stays what holds the load
  assert_near(moved[0], desired[0], 1e-11, "internal force along x");
  assert_near(desired[1] - moved[1], 10, 1e-11, "force along y");
  HOLD(moved);
  assert_close(lambda, moved, 2, 1e-12, "desired multipliers that can be had");
  // nothing actuated
  actuated[crank] = actuated[rocker] = false;
  assert_status(
    mbd_constrained_inverse_dynamics(
      model, r.data, NULL, NULL, NULL, NULL, actuated, NULL, NULL, r.work, tau, NULL, NULL),
    MBD_ERROR_UNDERACTUATED);
  assert_non_null(mbd_error_joint_name(r.data));
  // a motion that the loop does not allow
  const double qdd[3] = {1, 1, 1};
  mbd_constrained_t info;
  assert_status(
    mbd_constrained_inverse_dynamics(
      model, r.data, NULL, NULL, qdd, NULL, NULL, NULL, NULL, r.work, tau, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(info.error_closure, 0);
  rig_free(&r);
  mbd_model_destroy(model);
}

//---------- impulses ----------

// G v = 0 after it; the closures do no work on what moves on: N^T M (v+ - v-) = N^T J^T p
static void
closing_loops_loses_energy(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    // any velocity: the loops snap shut in this instant
    const mat_t before = column(nv, the.t->v), N = null_space(o.G, 1e-9);
    mat_t after = mat(nv, 1), impulse = mat(r->model->nrow, 1), U = mat(r->model->nrow, 1);
    for (int with = 0; with < 2; with++) {
      const mbd_wrenches_t * p = with ? &the.wrenches : NULL;
      assert_ok(mbd_closing_impulse(
        r->model, r->data, before.a, p, NULL, r->work, after.a, impulse.a, NULL));
      const double size = fmax(1, largest_entry(after)) * fmax(1, largest_entry(o.G));
      assert_mat_floor(PROD(o.G, after), U, 1e-9, size, "G v, seed %lu", seed);
      const mat_t change = PROD(o.M, sub(after, before)), push = wrenches_in_joints(&o, p);
      const double heavy = fmax(1, largest_entry(change)) * fmax(1, largest_entry(N));
      assert_mat_floor(
        PROD(tr(N), change), PROD(tr(N), push), 1e-9, heavy, "momentum, seed %lu", seed);
      assert_mat_floor(
        SUM(push, PROD(tr(o.G), impulse)), change, 1e-9, 10 * heavy, "impulse, seed %lu", seed);
      if (with) continue;
      const mat_t jump = sub(after, before);
      const double lost =
        scalar(PROD(tr(before), o.M, before)) - scalar(PROD(tr(after), o.M, after));
      const double kicked = scalar(PROD(tr(jump), o.M, jump));
      assert_near(lost / fmax(1, kicked), kicked / fmax(1, kicked), 1e-8, "Carnot, seed %lu", seed);
    }
  }
  assert_enough(&cases, 0.95);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(response_is_that_of_the_null_space),
    cmocka_unit_test(torques_move_or_squeeze),
    cmocka_unit_test(torques_give_the_motion),
    cmocka_unit_test(weights_share_the_load),
    cmocka_unit_test(closing_loops_loses_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
