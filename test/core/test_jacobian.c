// Jacobians and their products against the dense oracle and finite differences.
#include <math.h>
#include <string.h>

#include "core_test.h"

// J = B^T phi^T H^T in every reference                                            (3.53)
static void
jacobian_is_phi_transposed(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    const dense_t d = dense_of(t);
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        mat_t J = mat(6, d.nv);
        assert_ok(mbd_jacobian(t->model, t->data, f, reference, J.a));
        assert_mat_floor(
          J, dense_jacobian(&d, f, reference), 1e-12, 1, "frame %d, reference %d, seed %lu", f, r,
          seed);
      }
    }
  }
}

// J v is the velocity that the sweep gives; the product without J is the same
static void
jacobian_gives_velocities(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const int nv = t->model->nv;
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        mat_t J = mat(6, nv);
        mbd_motion_t V, Jv, Jqdd;
        assert_ok(mbd_jacobian(t->model, t->data, f, reference, J.a));
        assert_ok(mbd_frame_velocity(t->model, t->data, f, reference, &V));
        assert_ok(mbd_jacobian_product(t->model, t->data, f, reference, t->v, &Jv));
        assert_ok(mbd_jacobian_product(t->model, t->data, f, reference, t->qdd, &Jqdd));
        const mat_t v = motion6(V);
        assert_mat_floor(PROD(J, column(nv, t->v)), v, 1e-12, 1, "J v, frame %d, %lu", f, seed);
        assert_mat_floor(motion6(Jv), v, 1e-12, 1, "product, frame %d, seed %lu", f, seed);
        assert_mat_floor(
          motion6(Jqdd), PROD(J, column(nv, t->qdd)), 1e-12, 1, "J x, frame %d, seed %lu", f, seed);
      }
    }
    // the velocity stage is left alone
    const dense_t d = dense_of(t);
    for (int k = 0; k < t->model->nbody; k++) {
      assert_mat_floor(
        motion6(t->data->V[k]), block(d.V, 6 * k, 0, 6, 1), 1e-12, 1, "V %d, seed %lu", k, seed);
    }
  }
}

// J^T f by one sweep, and the power of both sides                     algorithm 5.1, (5.38)
static void
transpose_carries_wrenches(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const dense_t d = dense_of(t);
    mat_t tau = mat(d.nv, 1), sum = mat(d.nv, 1);
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, tau.a));
    double power = 0;
    for (int k = 0; k < t->nwrench; k++) {
      const mbd_wrench_t * w = &t->wrench[k];
      mat_t J = mat(6, d.nv);
      mbd_motion_t V;
      assert_ok(mbd_jacobian(t->model, t->data, w->frame, w->reference, J.a));
      assert_ok(mbd_frame_velocity(t->model, t->data, w->frame, w->reference, &V));
      sum = SUM(sum, PROD(tr(J), force6(w->f)));
      power += mbdu_power(w->f, V);
    }
    assert_mat_floor(tau, sum, 1e-12, 1, "sum of J^T f, seed %lu", seed);
    const mat_t f = dense_wrench(&d, &t->f_ext);
    assert_mat_floor(tau, PROD(d.H, d.phi, f), 1e-12, 1, "H phi B f, seed %lu", seed);
    const double scale = fmax(1, fabs(power));
    assert_near(scalar(PROD(tr(d.v), tau)) / scale, power / scale, 1e-11, "power, %lu", seed);
  }
}

// the same wrench in its three references is the same torque
static void
references_of_a_wrench_agree(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const dense_t d = dense_of(t);
    uint64_t state = seed;
    const int f = random_below(&state, t->model->nframe);
    const mat_t local = force6(random_force(&state));
    const mat_t world = PROD(phi6(dense_frame(&d, f)), local);
    mat_t tau[3];
    for (int r = 0; r < 3; r++) {
      const mat_t X = dense_reference(&d, f, (mbd_reference_t)r);
      const mat_t g = PROD(phi6(inverse4(X)), world);
      mbd_wrench_t w = {
        f, (mbd_reference_t)r, {{g.a[0], g.a[1], g.a[2]}, {g.a[3], g.a[4], g.a[5]}}};
      const mbd_wrenches_t list = {1, &w};
      tau[r] = mat(d.nv, 1);
      assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &list, tau[r].a));
    }
    assert_mat_floor(tau[1], tau[0], 1e-12, 1, "world, frame %d, seed %lu", f, seed);
    assert_mat_floor(tau[2], tau[0], 1e-12, 1, "aligned, frame %d, seed %lu", f, seed);
  }
}

// Jdot v: derivative of J v at constant v, and the acceleration at qdd = 0         (5.26)
static void
bias_is_the_rate_of_the_jacobian(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    memset(t->qdd, 0, sizeof *t->qdd * (size_t)t->model->nv);
    mbd_data_t * moved[2];
    for (int side = 0; side < 2; side++) {
      assert_ok(mbd_data_create(t->model, &moved[side]));
      assert_ok(mbd_set_position(t->model, moved[side], q_later(t, side ? h : -h).a));
    }
    set_state(t);
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        mbd_motion_t bias, A;
        assert_ok(mbd_jacobian_bias(t->model, t->data, f, reference, &bias));
        mat_t J[2];
        for (int side = 0; side < 2; side++) {
          J[side] = mat(6, t->model->nv);
          assert_ok(mbd_jacobian(t->model, moved[side], f, reference, J[side].a));
        }
        const mat_t rate = scale(0.5 / h, sub(J[1], J[0]));
        assert_mat_floor(
          motion6(bias), PROD(rate, column(t->model->nv, t->v)), 1e-6, 1,
          "frame %d, reference %d, seed %lu", f, r, seed);
        assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
        assert_ok(mbd_frame_acceleration(t->model, t->data, f, reference, &A));
        assert_mat_floor(motion6(bias), motion6(A), 1e-12, 1, "at rest, frame %d, %lu", f, seed);
      }
    }
    mbd_data_destroy(moved[0]);
    mbd_data_destroy(moved[1]);
  }
}

// the acceleration of a frame is J qdd + Jdot v
static void
acceleration_is_jacobian_and_bias(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
    const int f = (int)(seed % (uint64_t)t->model->nframe);
    for (int r = 0; r < 3; r++) {
      const mbd_reference_t reference = (mbd_reference_t)r;
      mbd_motion_t A, Jqdd, bias;
      assert_ok(mbd_frame_acceleration(t->model, t->data, f, reference, &A));
      assert_ok(mbd_jacobian_product(t->model, t->data, f, reference, t->qdd, &Jqdd));
      assert_ok(mbd_jacobian_bias(t->model, t->data, f, reference, &bias));
      assert_mat_floor(
        motion6(A), SUM(motion6(Jqdd), motion6(bias)), 1e-12, 1, "frame %d, %d, %lu", f, r, seed);
    }
  }
}

//---------- behaviour ----------

// a frame of the world does not move, whatever its reference
static void
frames_of_the_world_stand_still(void ** context)
{
  (void)context;
  int found = 0;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    for (int f = 0; f < t->model->nframe; f++) {
      if (t->model->frame[f].body != MBD_WORLD_BODY) continue;
      found++;
      for (int r = 0; r < 3; r++) {
        mat_t J = mat(6, t->model->nv), tau = mat(t->model->nv, 1);
        mbd_motion_t V;
        assert_ok(mbd_jacobian(t->model, t->data, f, (mbd_reference_t)r, J.a));
        assert_mat(J, mat(6, t->model->nv), 0, "J of frame %d, seed %lu", f, seed);
        assert_ok(mbd_jacobian_bias(t->model, t->data, f, (mbd_reference_t)r, &V));
        assert_mat(motion6(V), mat(6, 1), 0, "bias of frame %d, seed %lu", f, seed);
        mbd_wrench_t w = {f, (mbd_reference_t)r, {{1, 2, 3}, {4, 5, 6}}};
        const mbd_wrenches_t list = {1, &w};
        assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &list, tau.a));
        assert_mat(tau, mat(t->model->nv, 1), 0, "J^T f of frame %d, seed %lu", f, seed);
      }
    }
  }
  assert_count(found, TREES);
}

// no wrenches: NULL, an empty list
static void
no_wrenches_give_no_torque(void ** context)
{
  (void)context;
  tree_t * t = random_tree(5, NULL);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  const mat_t zero = mat(t->model->nv, 1);
  const mbd_wrenches_t none = {0, NULL};
  assert_ok(mbd_jacobian_transpose_product(t->model, t->data, NULL, t->tau));
  assert_close(t->tau, zero.a, t->model->nv, 0, "NULL");
  t->tau[0] = 1;
  assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &none, t->tau));
  assert_close(t->tau, zero.a, t->model->nv, 0, "none");
  tree_free(t);
  mats_free();
}

static void
stages_are_asked_for(void ** context)
{
  (void)context;
  tree_t * t = random_tree(6, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t J = mat(6, m->nv);
  mbd_motion_t V;
  assert_status(mbd_jacobian(m, d, 0, MBD_LOCAL, J.a), MBD_ERROR_STAGE);
  assert_status(mbd_jacobian_product(m, d, 0, MBD_LOCAL, t->v, &V), MBD_ERROR_STAGE);
  assert_status(mbd_jacobian_transpose_product(m, d, &t->f_ext, t->tau), MBD_ERROR_STAGE);
  assert_status(mbd_jacobian_bias(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_jacobian_bias(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_ok(mbd_jacobian(m, d, 0, MBD_LOCAL, J.a));
  tree_free(t);
  mats_free();
}

// the bias of one velocity is not that of the next
static void
bias_follows_the_state(void ** context)
{
  (void)context;
  FOR_TREES(20, NULL)
  {
    set_state(t);
    const int f = t->model->nframe - 1;
    mbd_motion_t one, two;
    assert_ok(mbd_jacobian_bias(t->model, t->data, f, MBD_LOCAL, &one));
    for (int i = 0; i < t->model->nv; i++) t->v[i] *= 2;
    assert_ok(mbd_set_velocity(t->model, t->data, t->v));
    assert_ok(mbd_jacobian_bias(t->model, t->data, f, MBD_LOCAL, &two));
    assert_mat_floor(motion6(two), scale(4, motion6(one)), 1e-12, 1, "seed %lu", seed);
  }
}

static void
bad_arguments_are_refused(void ** context)
{
  (void)context;
  tree_t *t = random_tree(6, NULL), *other = random_tree(7, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t J = mat(6, m->nv);
  mbd_motion_t V = {{7, 7, 7}, {7, 7, 7}};
  set_state(t);
  assert_status(mbd_jacobian(NULL, d, 0, MBD_LOCAL, J.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_jacobian(m, NULL, 0, MBD_LOCAL, J.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_jacobian(m, d, 0, MBD_LOCAL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_jacobian(m, d, m->nframe, MBD_LOCAL, J.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_jacobian(m, d, -1, MBD_LOCAL, J.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_jacobian(m, d, 0, (mbd_reference_t)7, J.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_jacobian(other->model, d, 0, MBD_LOCAL, J.a), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_jacobian_product(m, d, 0, MBD_LOCAL, NULL, &V), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_jacobian_product(m, d, 0, (mbd_reference_t)3, t->v, &V), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_jacobian_bias(m, d, m->nframe, MBD_LOCAL, &V), MBD_ERROR_BAD_ARGUMENT);
  t->v[m->nv - 1] = nan("");
  mbd_status_t status = MBD_OK;
  for (int f = 0; f < m->nframe && status == MBD_OK; f++) {
    V = (mbd_motion_t){{7, 7, 7}, {7, 7, 7}};
    status = mbd_jacobian_product(m, d, f, MBD_LOCAL, t->v, &V);
  }
  assert_int_equal(status, MBD_ERROR_NOT_FINITE);
  assert_true(V.ang.x == 7 && V.lin.z == 7);
  tree_free(other);
  tree_free(t);
  mats_free();
}

// wrong wrenches: nothing is written
static void
bad_wrenches_are_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(6, NULL);
  const mbd_model_t * m = t->model;
  mat_t tau = mat(m->nv, 1);
  set_state(t);
  const mbd_force_t f = {{0, 0, 0}, {0, 0, 1}};
  mbd_force_t broken = f;
  broken.ang.y = nan("");
  const mbd_wrench_t bad[] = {
    {-1, MBD_LOCAL, f},
    {m->nframe, MBD_LOCAL, f},
    {0, (mbd_reference_t)3, f},
    {0, MBD_WORLD, broken}};
  const mbd_status_t expected[] = {
    MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE};
  for (int k = 0; k < 4; k++) {
    const mbd_wrenches_t list = {1, &bad[k]};
    for (int i = 0; i < m->nv; i++) tau.a[i] = 7;
    assert_status(mbd_jacobian_transpose_product(m, t->data, &list, tau.a), expected[k]);
    for (int i = 0; i < m->nv; i++) assert_true(tau.a[i] == 7);
  }
  const mbd_wrenches_t negative = {-1, bad}, missing = {1, NULL};
  assert_true(mbd_jacobian_transpose_product(m, t->data, &negative, tau.a) != MBD_OK);
  assert_true(mbd_jacobian_transpose_product(m, t->data, &missing, tau.a) != MBD_OK);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(jacobian_is_phi_transposed),
    cmocka_unit_test(jacobian_gives_velocities),
    cmocka_unit_test(transpose_carries_wrenches),
    cmocka_unit_test(references_of_a_wrench_agree),
    cmocka_unit_test(bias_is_the_rate_of_the_jacobian),
    cmocka_unit_test(acceleration_is_jacobian_and_bias),
    cmocka_unit_test(frames_of_the_world_stand_still),
    cmocka_unit_test(no_wrenches_give_no_torque),
    cmocka_unit_test(stages_are_asked_for),
    cmocka_unit_test(bias_follows_the_state),
    cmocka_unit_test(bad_arguments_are_refused),
    cmocka_unit_test(bad_wrenches_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
