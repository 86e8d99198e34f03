// Second derivatives of the dynamics against differences of the first.
#include "mbdyn/dynamics/second_derivatives.h"

#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "mbdyn/dynamics/derivatives.h"

// central differences of fourth order
static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STEP 1e-3

// robots that are looked at, of which those with user joints are left out
enum { SEEDS = 4 * TREES };

typedef enum { OF_Q, OF_V } of_t;

// gradients of lambda^T tau by q, v and qdd, or of mu^T qdd by q, v and tau: rows of one matrix
typedef mat_t gradients_fn(const tree_t * t, const double * x, const double * q, const double * v);

static mat_t
times_rows(int n, const double * x, mat_t a, mat_t b, mat_t c)
{
  mat_t G = mat(3, n);
  for (int r = 0; r < n; r++) {
    for (int j = 0; j < n; j++) {
      *at(G, 0, j) += x[r] * a.a[r * n + j];
      *at(G, 1, j) += x[r] * b.a[r * n + j];
      *at(G, 2, j) += x[r] * c.a[r * n + j];
    }
  }
  return G;
}

static mat_t
torque_gradients(const tree_t * t, const double * x, const double * q, const double * v)
{
  const int n = t->model->nv;
  mat_t dq = mat(n, n), dv = mat(n, n), M = mat(n, n);
  double * work = mat((int)mbd_derivatives_work(t->model), 1).a;
  assert_ok(
    mbd_inverse_dynamics_derivatives(t->model, t->data, q, v, t->qdd, NULL, work, dq.a, dv.a, M.a));
  return times_rows(n, x, dq, dv, M);
}

static mat_t
acceleration_gradients(const tree_t * t, const double * x, const double * q, const double * v)
{
  const int n = t->model->nv;
  mat_t dq = mat(n, n), dv = mat(n, n), M_inv = mat(n, n), qdd = mat(n, 1);
  double * work = mat((int)mbd_derivatives_work(t->model), 1).a;
  assert_ok(mbd_forward_dynamics_derivatives(
    t->model, t->data, q, v, t->tau, NULL, work, qdd.a, dq.a, dv.a, M_inv.a));
  return times_rows(n, x, dq, dv, M_inv);
}

// d/dq_k or d/dv_k of a gradient (row of f): entry (j, k)
static mat_t
hessian(const tree_t * t, gradients_fn * f, const double * x, int row, of_t of)
{
  const mbd_model_t * m = t->model;
  mat_t H = mat(m->nv, m->nv);
  for (int k = 0; k < m->nv; k++) {
    for (int n = 0; n < 4; n++) {
      const mat_t e = unit_column(m->nv, k);
      mat_t q = column(m->nq, t->q), v = column(m->nv, t->v);
      if (of == OF_Q) dense_step_all(m, t->q, e.a, offset[n] * STEP, q.a);
      if (of == OF_V) v.a[k] += offset[n] * STEP;
      const mat_t G = f(t, x, q.a, v.a);
      for (int j = 0; j < m->nv; j++) *at(H, j, k) += weight[n] / STEP * *at(G, row, j);
    }
  }
  return H;
}

static bool
has_user_joint(const mbd_model_t * m)
{
  for (int i = 0; i < m->nbody; i++) {
    if (m->body[i].type == MBD_JOINT_USER) return true;
  }
  return false;
}

static double *
work_for(const tree_t * t)
{
  return mat((int)mbd_second_derivatives_work(t->model), 1).a;
}

static void
torques_curve_as_differences_say(void ** context)
{
  (void)context;
  int compared = 0, joints[MBD_JOINT_USER + 1] = {0};
  FOR_TREES(SEEDS, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    if (n == 0 || has_user_joint(m)) continue;
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    mat_t qq = mat(n, n), qv = mat(n, n), vv = mat(n, n), qa = mat(n, n);
    assert_ok(mbd_inverse_dynamics_second_derivatives(
      m, t->data, t->q, t->v, t->qdd, t->tau, work_for(t), qq.a, qv.a, vv.a, qa.a));
    const mat_t qq_expected = hessian(t, torque_gradients, t->tau, 0, OF_Q);
    const double size = fmax(1, largest_entry(qq_expected));
    assert_mat_floor(qq, qq_expected, 1e-6, size, "d2/dq2, seed %lu", seed);
    const mat_t vq = hessian(t, torque_gradients, t->tau, 1, OF_Q);
    assert_mat_floor(qv, tr(vq), 1e-6, size, "d2/dqdv, seed %lu", seed);
    const mat_t by_v = hessian(t, torque_gradients, t->tau, 0, OF_V);
    assert_mat_floor(qv, by_v, 1e-6, size, "d2/dqdv by v, seed %lu", seed);
    const mat_t vv_expected = hessian(t, torque_gradients, t->tau, 1, OF_V);
    assert_mat_floor(vv, vv_expected, 1e-6, size, "d2/dv2, seed %lu", seed);
    const mat_t aq = hessian(t, torque_gradients, t->tau, 2, OF_Q);
    assert_mat_floor(qa, tr(aq), 1e-6, size, "d(M lambda)/dq, seed %lu", seed);
    for (int i = 0; i < m->nbody; i++) joints[m->body[i].type]++;
    compared++;
  }
  assert_count(compared, 200);
  for (int k = MBD_JOINT_REVOLUTE; k < MBD_JOINT_USER; k++) assert_count(joints[k], 40);
}

// the curvature of friction, away from that of the rest
static void
friction_curves_on_the_diagonal(void ** context)
{
  (void)context;
  int compared = 0;
  double largest = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    if (n == 0 || has_user_joint(m)) continue;
    mat_t with = mat(n, n), without = mat(n, n), expected = mat(n, n);
    for (int k = 0; k < 2; k++) {
      assert_ok(mbd_set_terms(t->data, k ? MBD_TERM_FRICTION : 0));
      assert_ok(mbd_inverse_dynamics_second_derivatives(
        m, t->data, t->q, t->v, NULL, t->tau, work_for(t), NULL, NULL, k ? with.a : without.a,
        NULL));
    }
    for (int k = 0; k < n; k++) {
      const mbd_drive_t * drive = &m->body[m->dof_body[k]].drive;
      const double h = 1e-2 * fmax(1e-3, drive->coulomb_velocity);
      static const double second[5] = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};
      for (int i = 0; i < 5; i++) {
        mat_t v = column(n, t->v), tau = mat(n, 1);
        v.a[k] += (i - 2) * h;
        assert_ok(mbd_friction(m, v.a, tau.a));
        *at(expected, k, k) += second[i] / (h * h) * tau.a[k] * t->tau[k];
      }
    }
    largest = fmax(largest, largest_entry(expected));
    assert_mat_floor(
      sub(with, without), expected, 1e-5, fmax(1, largest_entry(expected)), "seed %lu", seed);
    compared++;
  }
  assert_count(compared, 50);
  assert_true(largest > 1e-3);
}

static void
accelerations_curve_as_differences_say(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_TREES(SEEDS, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    if (n == 0 || has_user_joint(m)) continue;
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    mat_t qq = mat(n, n), qv = mat(n, n), vv = mat(n, n), qt = mat(n, n), qdd = mat(n, 1);
    mat_t mu = mat(n, 1), fd = mat(n, 1);
    for (int k = 0; k < n; k++) mu.a[k] = cos(3 * k + (double)seed);
    assert_ok(mbd_forward_dynamics_second_derivatives(
      m, t->data, t->q, t->v, t->tau, mu.a, work_for(t), qdd.a, qq.a, qv.a, vv.a, qt.a));
    assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, fd.a));
    assert_mat_floor(qdd, fd, 1e-8, 1, "qdd, seed %lu", seed);
    const mat_t expected = hessian(t, acceleration_gradients, mu.a, 0, OF_Q);
    // differences lose by the fifth derivative, which grows with the accelerations
    const double size = fmax(1, largest_entry(expected)) * fmax(1, pow(largest_entry(fd), 1.5));
    assert_mat_floor(qq, expected, 1e-6, size, "d2/dq2, seed %lu", seed);
    const mat_t vq = hessian(t, acceleration_gradients, mu.a, 1, OF_Q);
    assert_mat_floor(qv, tr(vq), 1e-6, size, "d2/dqdv, seed %lu", seed);
    const mat_t vv_expected = hessian(t, acceleration_gradients, mu.a, 1, OF_V);
    assert_mat_floor(vv, vv_expected, 1e-6, size, "d2/dv2, seed %lu", seed);
    const mat_t tq = hessian(t, acceleration_gradients, mu.a, 2, OF_Q);
    assert_mat_floor(qt, tr(tq), 1e-6, size, "d2/dqdtau, seed %lu", seed);
    compared++;
  }
  assert_count(compared, 200);
}

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  int refused = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t H = mat(n, n), bad = mat(n, 1);
    double * work = work_for(t);
    if (has_user_joint(m)) {
      assert_status(
        mbd_inverse_dynamics_second_derivatives(
          m, t->data, t->q, t->v, NULL, t->tau, work, H.a, NULL, NULL, NULL),
        MBD_ERROR_UNSUPPORTED);
      assert_int_equal(m->body[t->data->error_body].type, MBD_JOINT_USER);
      refused++;
      continue;
    }
    if (n == 0) continue;
    assert_status(
      mbd_inverse_dynamics_second_derivatives(
        m, t->data, NULL, NULL, NULL, t->tau, work, H.a, NULL, NULL, NULL),
      MBD_ERROR_NULL_ARGUMENT);
    assert_status(
      mbd_inverse_dynamics_second_derivatives(
        m, t->data, t->q, t->v, NULL, NULL, work, H.a, NULL, NULL, NULL),
      MBD_ERROR_NULL_ARGUMENT);
    assert_status(
      mbd_forward_dynamics_second_derivatives(
        m, t->data, t->q, t->v, NULL, t->tau, work, bad.a, H.a, H.a, H.a, NULL),
      MBD_ERROR_NULL_ARGUMENT);
    bad.a[n - 1] = (double)NAN;
    assert_status(
      mbd_inverse_dynamics_second_derivatives(
        m, t->data, t->q, t->v, NULL, bad.a, work, H.a, NULL, NULL, NULL),
      MBD_ERROR_NOT_FINITE);
    assert_status(
      mbd_inverse_dynamics_second_derivatives(
        m, t->data, t->q, t->v, bad.a, t->tau, work, H.a, NULL, NULL, NULL),
      MBD_ERROR_NOT_FINITE);
  }
  assert_count(refused, 20);
  assert_int_equal(mbd_second_derivatives_work(NULL), 0);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(torques_curve_as_differences_say),
    cmocka_unit_test(friction_curves_on_the_diagonal),
    cmocka_unit_test(accelerations_curve_as_differences_say),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
