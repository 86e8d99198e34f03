// Derivatives of the dynamics against differences on the manifold.
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"

#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "state/state.h"

// central differences of fourth order
static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STEP 1e-3

typedef enum { OF_Q, OF_V } of_t;

// the robot's state with degree of freedom j of q or v moved by h
static void
moved(const tree_t * t, of_t of, int j, double h, mat_t * q, mat_t * v)
{
  const mbd_model_t * m = t->model;
  const mat_t e = unit_column(m->nv, j);
  *q = column(m->nq, t->q);
  *v = column(m->nv, t->v);
  if (of == OF_V) v->a[j] += h;
  if (of == OF_Q) dense_step_all(m, t->q, e.a, h, q->a);
}

static mat_t
torque_at(const tree_t * t, mat_t q, mat_t v)
{
  mat_t tau = mat(t->model->nv, 1);
  assert_ok(mbd_inverse_dynamics(t->model, t->data, q.a, v.a, t->qdd, &t->f_ext, tau.a));
  return tau;
}

static mat_t
acceleration_at(const tree_t * t, mat_t q, mat_t v)
{
  mat_t qdd = mat(t->model->nv, 1);
  assert_ok(mbd_forward_dynamics(t->model, t->data, q.a, v.a, t->tau, &t->f_ext, qdd.a));
  return qdd;
}

static mat_t
mass_at(const tree_t * t, mat_t q, mat_t v)
{
  (void)v;
  mat_t M = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_set_position(t->model, t->data, q.a));
  assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
  return M;
}

// d f / d x_j by differences
static mat_t
difference(const tree_t * t, mat_t (*f)(const tree_t *, mat_t, mat_t), of_t of, int j)
{
  mat_t sum = {0, 0, NULL};
  for (int k = 0; k < 4; k++) {
    mat_t q, v;
    moved(t, of, j, offset[k] * STEP, &q, &v);
    const mat_t part = scale(weight[k] / STEP, f(t, q, v));
    sum = k == 0 ? part : SUM(sum, part);
  }
  return sum;
}

static mat_t
all_differences(const tree_t * t, mat_t (*f)(const tree_t *, mat_t, mat_t), of_t of)
{
  mat_t D = mat(t->model->nv, t->model->nv);
  for (int j = 0; j < t->model->nv; j++) set_block(D, 0, j, difference(t, f, of, j));
  return D;
}

static double *
work_for(const tree_t * t)
{
  return mat((int)mbd_derivatives_work(t->model), 1).a;
}

//---------- inverse and forward dynamics ----------

static void
torques_change_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, (uint32_t)(seed % 4)));
    mat_t dq = mat(m->nv, m->nv), dv = mat(m->nv, m->nv), M = mat(m->nv, m->nv);
    assert_ok(mbd_inverse_dynamics_derivatives(
      m, t->data, t->q, t->v, t->qdd, &t->f_ext, work_for(t), dq.a, dv.a, M.a));
    const mat_t dq_expected = all_differences(t, torque_at, OF_Q);
    const mat_t dv_expected = all_differences(t, torque_at, OF_V);
    const double size = fmax(
      1, largest_entry(column(m->nv, torque_at(t, column(m->nq, t->q), column(m->nv, t->v)).a)));
    assert_mat_floor(dq, dq_expected, 1e-7, size, "dtau/dq, seed %lu", seed);
    // friction bends sharply near v = 0
    if (!(seed % 4 & MBD_TERM_FRICTION))
      assert_mat_floor(dv, dv_expected, 1e-7, size, "dtau/dv, seed %lu", seed);
    const dense_t d = dense_of(t);
    assert_mat(M, mass_with(&d, (uint32_t)(seed % 4)), 1e-11, "M, seed %lu", seed);
  }
}

// the friction's own slope, away from its bend
static void
friction_is_on_the_diagonal(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t with = mat(m->nv, m->nv), without = mat(m->nv, m->nv);
    for (int k = 0; k < 2; k++) {
      assert_ok(mbd_set_terms(t->data, k ? MBD_TERM_FRICTION : 0));
      assert_ok(mbd_inverse_dynamics_derivatives(
        m, t->data, t->q, t->v, NULL, NULL, work_for(t), NULL, k ? with.a : without.a, NULL));
    }
    mat_t slope = mat(m->nv, m->nv);
    for (int k = 0; k < m->nv; k++) {
      const mbd_drive_t * drive = &m->body[m->dof_body[k]].drive;
      const double h = 1e-3 * fmax(1e-3, drive->coulomb_velocity);
      for (int n = 0; n < 4; n++) {
        mat_t v = column(m->nv, t->v), tau = mat(m->nv, 1);
        v.a[k] += offset[n] * h;
        assert_ok(mbd_friction(m, v.a, tau.a));
        *at(slope, k, k) += weight[n] / h * tau.a[k];
      }
    }
    assert_mat_floor(sub(with, without), slope, 1e-6, 1, "seed %lu", seed);
  }
}

static void
accelerations_change_as_differences_say(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  for (int plain = 0; plain < 2; plain++) {
    options.plain = plain;
    FOR_TREES(TREES, &options)
    {
      const mbd_model_t * m = t->model;
      assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
      mat_t dq = mat(m->nv, m->nv), dv = mat(m->nv, m->nv), M_inv = mat(m->nv, m->nv);
      mat_t qdd = mat(m->nv, 1);
      if (seed % 3 == 0) t->f_ext.n = 0;  // the way of the kernels
      const mbd_wrenches_t * f_ext = t->f_ext.n > 0 ? &t->f_ext : NULL;
      assert_ok(mbd_forward_dynamics_derivatives(
        m, t->data, t->q, t->v, t->tau, f_ext, work_for(t), qdd.a, dq.a, dv.a, M_inv.a));
      const dense_t d = dense_of(t);
      const mat_t inverse_mass = inverse(mass_with(&d, seed % 2 ? MBD_TERM_ROTORS : 0));
      // differences lose by the fifth derivative, which grows with the accelerations
      const double size =
        fmax(1, pow(largest_entry(qdd), 1.5)) * fmax(1, largest_entry(inverse_mass));
      assert_mat_floor(dq, all_differences(t, acceleration_at, OF_Q), 1e-7, size, "dq %lu", seed);
      assert_mat_floor(dv, all_differences(t, acceleration_at, OF_V), 1e-7, size, "dv %lu", seed);
      assert_mat(M_inv, inverse_mass, 1e-8, "M^-1, seed %lu", seed);
    }
  }
}

// a robot on a floating base a kilometre away moves as at home: no digits are lost to moments about the world's origin
static void
derivatives_do_not_depend_on_the_place(void ** context)
{
  (void)context;
  int seen = 0;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t dq[4], dv[4];
    // not of a forest, of which a part stays at home
    if (m->body[0].type != MBD_JOINT_FREE || m->body[0].subtree_end != m->nbody) continue;
    seen++;
    assert_ok(mbd_set_terms(t->data, 0));
    for (int far = 0; far < 2; far++) {
      mat_t qdd = mat(n, 1), M_inv = mat(n, n);
      for (int k = 0; k < 3; k++) t->q[k] = far ? 1000 - 600 * k : 0;
      for (int k = 0; k < 2; k++) dq[2 * far + k] = mat(n, n), dv[2 * far + k] = mat(n, n);
      assert_ok(mbd_inverse_dynamics_derivatives(
        m, t->data, t->q, t->v, t->qdd, NULL, work_for(t), dq[2 * far].a, dv[2 * far].a, NULL));
      assert_ok(mbd_forward_dynamics_derivatives(
        m, t->data, t->q, t->v, t->tau, NULL, work_for(t), qdd.a, dq[2 * far + 1].a,
        dv[2 * far + 1].a, M_inv.a));
    }
    for (int k = 0; k < 2; k++) {
      assert_mat(dq[2 + k], dq[k], 1e-9, "by q, %d, seed %lu", k, seed);
      assert_mat(dv[2 + k], dv[k], 1e-9, "by v, %d, seed %lu", k, seed);
    }
  }
  assert_count(seen, TREES / 4);
}

// robots so large that each column is solved for: M dqdd/dx = -dtau/dx at that qdd
static void
long_chains_solve_for_columns(void ** context)
{
  (void)context;
  // by a product, and not; two of all joint types; with branches
  const int sizes[5] = {40, 180, 12, 45, 200};
  for (int k = 0; k < 5; k++) {
    tree_t * t = k < 2    ? chain(sizes[k], 3)
                 : k == 4 ? branched_chain(sizes[k], 3)
                          : chain_of_all_joints(sizes[k], 7);
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_terms(t->data, k % 2 ? MBD_TERM_ROTORS : 0));
    const int n = m->nv;
    mat_t dq = mat(n, n), dv = mat(n, n), M_inv = mat(n, n), qdd = mat(n, 1);
    mat_t tau_q = mat(n, n), tau_v = mat(n, n), M = mat(n, n);
    assert_ok(mbd_forward_dynamics_derivatives(
      m, t->data, t->q, t->v, t->tau, NULL, work_for(t), qdd.a, dq.a, dv.a, M_inv.a));
    assert_ok(mbd_inverse_dynamics_derivatives(
      m, t->data, t->q, t->v, qdd.a, NULL, work_for(t), tau_q.a, tau_v.a, M.a));
    assert_mat(PROD(M, dq), scale(-1, tau_q), 1e-9, "dq, %d bodies", n);
    assert_mat(PROD(M, dv), scale(-1, tau_v), 1e-9, "dv, %d bodies", n);
    assert_mat(PROD(M, M_inv), eye(n), 1e-9, "M^-1, %d bodies", n);
    tree_free(t);
    mats_free();
  }
}

// each kind of wrench by itself, so that none hides behind another
static void
wrenches_stay_as_their_reference_says(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const mbd_wrenches_t all = t->f_ext;
    uint64_t state = seed;
    for (int r = 0; r < 3; r++) {
      const mbd_wrench_t w = {
        .frame = random_below(&state, m->nframe),
        .reference = (mbd_reference_t)r,
        .f = mbdu_force_scale(50, random_force(&state))};
      t->f_ext = (mbd_wrenches_t){1, &w};
      mat_t dq = mat(m->nv, m->nv);
      assert_ok(mbd_set_terms(t->data, 0));
      assert_ok(mbd_inverse_dynamics_derivatives(
        m, t->data, t->q, t->v, t->qdd, &t->f_ext, work_for(t), dq.a, NULL, NULL));
      const mat_t expected = all_differences(t, torque_at, OF_Q);
      assert_mat_floor(dq, expected, 1e-7, 10, "reference %d, seed %lu", r, seed);
    }
    t->f_ext = all;
  }
}

//---------- linearisation ----------

// two robots that start a little apart stay apart as A says: d/dt of mbd_difference
static void
neighbours_part_as_A_says(void ** context)
{
  (void)context;
  int seen = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t A = mat(2 * n, 2 * n), B = mat(2 * n, n), qdd = mat(n, 1);
    assert_ok(mbd_set_terms(t->data, 0));
    const mbd_status_t status =
      mbd_linearize(m, t->data, t->q, t->v, t->tau, &t->f_ext, work_for(t), qdd.a, A.a, B.a);
    if (status == MBD_ERROR_BAD_JOINT) {
      assert_int_equal(m->body[t->data->error_body].type, MBD_JOINT_USER);
      continue;
    }
    assert_ok(status);
    seen++;
    // upper rows: rate of the difference of two configurations that move with v and v + dv
    mat_t q0 = mat(m->nq, 1), q1 = mat(m->nq, 1), apart = mat(n, 1), expected = mat(n, n);
    for (int j = 0; j < n; j++) {
      const double eps = 1e-4, h = 1e-4;
      mat_t rate = mat(n, 1);
      for (int s = -1; s <= 1; s += 2) {
        for (int r = -1; r <= 1; r += 2) {
          mat_t shifted, same;
          moved(t, OF_Q, j, r * eps, &shifted, &same);
          dense_step_all(m, t->q, t->v, s * h, q0.a);
          dense_step_all(m, shifted.a, t->v, s * h, q1.a);
          assert_ok(mbd_difference(m, q0.a, q1.a, apart.a));
          rate = SUM(rate, scale(s * r / (4 * eps * h), apart));
        }
      }
      set_block(expected, 0, j, rate);
    }
    assert_mat_floor(block(A, 0, 0, n, n), expected, 1e-5, 1, "ad, seed %lu", seed);
    assert_mat(block(A, 0, n, n, n), eye(n), 0, "identity, seed %lu", seed);
    mat_t dq = mat(n, n), dv = mat(n, n), M_inv = mat(n, n);
    assert_ok(mbd_forward_dynamics_derivatives(
      m, t->data, t->q, t->v, t->tau, &t->f_ext, work_for(t), qdd.a, dq.a, dv.a, M_inv.a));
    assert_mat(block(A, n, 0, n, n), dq, 0, "dqdd/dq, seed %lu", seed);
    assert_mat(block(A, n, n, n, n), dv, 0, "dqdd/dv, seed %lu", seed);
    assert_mat(block(B, n, 0, n, n), M_inv, 0, "M^-1, seed %lu", seed);
    assert_mat(block(B, 0, 0, n, n), mat(n, n), 0, "B above, seed %lu", seed);
  }
  assert_count(seen, TREES / 4);
}

//---------- mass matrix and Jacobian ----------

static void
mass_matrix_changes_as_differences_say(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t sum = mat(m->nv, m->nv), rate = mat(m->nv, m->nv), all = mat(m->nv, m->nv * m->nv);
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_mass_matrix_tensor(m, t->data, work_for(t), all.a));
    for (int j = 0; j < m->nv; j++) {
      mat_t dM = mat(m->nv, m->nv);
      assert_ok(mbd_set_position(m, t->data, t->q));
      assert_ok(mbd_mass_matrix_derivative(m, t->data, j, work_for(t), dM.a));
      sum = SUM(sum, scale(t->v[j], dM));
      const mat_t expected = difference(t, mass_at, OF_Q, j);
      assert_mat_floor(dM, expected, 1e-7, 1, "dof %d, seed %lu", j, seed);
      const mat_t slice = mat_from(m->nv, m->nv, all.a + j * m->nv * m->nv);
      assert_mat_floor(slice, expected, 1e-7, 1, "tensor, dof %d, seed %lu", j, seed);
    }
    // Mdot is the sum along the motion                                             (18.23)
    set_state(t);
    assert_ok(mbd_mass_matrix_rate(m, t->data, rate.a));
    assert_mat_floor(sum, rate, 1e-9, 1, "Mdot, seed %lu", seed);
  }
}

//---------- tensors ----------

static bool
in_subtree(const mbd_model_t * m, int by, int body)
{
  return body >= by && body < m->body[by].subtree_end;
}

static bool
related(const mbd_model_t * m, int a, int b)
{
  return in_subtree(m, a, b) || in_subtree(m, b, a);
}

// dM_ab/dq_j is not zero only if one of a, b is below j and the other related to it     (18.36)
static bool
mass_may_change(const mbd_model_t * m, int j, int a, int b)
{
  const int J = m->dof_body[j], A = m->dof_body[a], B = m->dof_body[b];
  if (!related(m, A, J) || !related(m, B, J)) return false;
  const bool a_below = A != J && in_subtree(m, A, J), b_below = B != J && in_subtree(m, B, J);
  const bool subspace_varies =
    m->body[J].type == MBD_JOINT_UNIVERSAL || m->body[J].type == MBD_JOINT_USER;
  return a_below || b_below || (subspace_varies && (A == J || B == J));
}

static void
tensors_have_the_zeros_of_the_tree(void ** context)
{
  (void)context;
  int zeros = 0, others = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t dM = mat(n, n * n), G = mat(n, n * n);
    set_state(t);
    assert_ok(mbd_mass_matrix_tensor(m, t->data, work_for(t), dM.a));
    assert_ok(mbd_christoffel_tensor(m, t->data, work_for(t), G.a));
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          const int K = m->dof_body[k], I = m->dof_body[i], J = m->dof_body[j];
          const int at_ = (k * n + i) * n + j;
          const bool one_way = related(m, K, I) && related(m, K, J) && related(m, I, J);
          if (!one_way) assert_true(G.a[at_] == 0);
          if (!mass_may_change(m, k, i, j)) assert_true(dM.a[at_] == 0);
          if (one_way && mass_may_change(m, k, i, j))
            others += dM.a[at_] != 0;
          else
            zeros++;
        }
      }
    }
  }
  assert_count(zeros, 10000);
  assert_count(others, 10000);
}

// slice by slice what the Coriolis matrix at unit velocities is, which has no such formula
static void
symbols_are_the_slices_of_the_coriolis_matrix(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t G = mat(n, n * n), C = mat(n, n), sum = mat(n, n);
    set_state(t);
    assert_ok(mbd_christoffel_tensor(m, t->data, work_for(t), G.a));
    assert_true(t->data->work->stage & MBD_STAGE_VELOCITY);
    assert_ok(mbd_coriolis_matrix(m, t->data, C.a));
    for (int k = 0; k < n; k++) {
      mat_t slice = mat(n, n);
      const mat_t mine = mat_from(n, n, G.a + k * n * n);
      sum = SUM(sum, scale(t->v[k], mine));
      assert_ok(mbd_christoffel(m, t->data, k, slice.a));
      assert_mat_floor(mine, slice, 1e-11, 1, "slice %d, seed %lu", k, seed);
    }
    assert_mat_floor(sum, C, 1e-10, 1, "C, seed %lu", seed);
  }
}

// 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i), each by differences                       (4.35)
static void
symbols_are_made_of_mass_differences(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    mat_t G = mat(n, n * n), expected = mat(n, n * n), dM = mat(n, n * n);
    assert_ok(mbd_set_terms(t->data, 0));
    for (int j = 0; j < n; j++) {
      const mat_t slope = difference(t, mass_at, OF_Q, j);
      memcpy(dM.a + j * n * n, slope.a, (size_t)(n * n) * sizeof *dM.a);
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          expected.a[(k * n + i) * n + j] =
            0.5 *
            (dM.a[(k * n + i) * n + j] + dM.a[(j * n + i) * n + k] - dM.a[(i * n + j) * n + k]);
        }
      }
    }
    set_state(t);
    assert_ok(mbd_christoffel_tensor(m, t->data, work_for(t), G.a));
    assert_mat_floor(G, expected, 1e-7, 1, "seed %lu", seed);
  }
}

static void
jacobian_rate_is_its_difference_in_time(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    for (int f = 0; f < m->nframe; f++) {
      const mbd_reference_t reference = (mbd_reference_t)((f + (int)seed) % 3);
      mat_t rate = mat(6, m->nv), expected = mat(6, m->nv);
      set_state(t);
      assert_ok(mbd_jacobian_rate(m, t->data, f, reference, rate.a));
      // and with v it is the bias of the frame's acceleration
      mbd_motion_t bias;
      assert_ok(mbd_jacobian_bias(m, t->data, f, reference, &bias));
      const double size = fmax(1, largest_entry(rate));
      assert_mat_floor(PROD(rate, column(m->nv, t->v)), motion6(bias), 1e-9, size, "%lu", seed);
      for (int k = 0; k < 4; k++) {
        mat_t J = mat(6, m->nv), q = mat(m->nq, 1);
        dense_step_all(m, t->q, t->v, offset[k] * STEP, q.a);
        assert_ok(mbd_set_position(m, t->data, q.a));
        assert_ok(mbd_jacobian(m, t->data, f, reference, J.a));
        expected = SUM(expected, scale(weight[k] / STEP, J));
      }
      assert_mat_floor(rate, expected, 1e-7, size, "frame %d, seed %lu", f, seed);
    }
  }
}

//---------- refusals ----------

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  const mbd_model_t * m = t->model;
  mat_t D = mat(m->nv, m->nv), big = mat(2 * m->nv, 2 * m->nv), qdd = mat(m->nv, 1);
  double * work = work_for(t);
  assert_status(
    mbd_inverse_dynamics_derivatives(m, t->data, NULL, NULL, NULL, NULL, work, D.a, NULL, NULL),
    MBD_ERROR_STAGE);
  assert_status(
    mbd_inverse_dynamics_derivatives(m, t->data, t->q, t->v, NULL, NULL, NULL, D.a, NULL, NULL),
    MBD_ERROR_NULL_ARGUMENT);
  qdd.a[0] = (double)NAN;
  assert_status(
    mbd_inverse_dynamics_derivatives(m, t->data, t->q, t->v, qdd.a, NULL, work, D.a, NULL, NULL),
    MBD_ERROR_NOT_FINITE);
  assert_status(
    mbd_linearize(m, t->data, t->q, t->v, NULL, NULL, work, qdd.a, big.a, NULL),
    MBD_ERROR_NULL_ARGUMENT);
  set_state(t);
  assert_status(mbd_mass_matrix_derivative(m, t->data, m->nv, work, D.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_jacobian_rate(m, t->data, m->nframe, MBD_LOCAL, big.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_mass_matrix_tensor(m, t->data, NULL, D.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_christoffel_tensor(m, t->data, work, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_derivatives_work(NULL), 0);
  tree_free(t);
  mats_free();
}

// finite velocities of which products are finite, or not
static void
large_velocities(void ** context)
{
  (void)context;
  tree_t * t = chain(7, 3);
  const mbd_model_t * m = t->model;
  mat_t dq = mat(7, 7), dv = mat(7, 7), M = mat(7, 7);
  for (int k = 0; k < 7; k++) {
    t->v[k] = 1e153;
    assert_ok(mbd_inverse_dynamics_derivatives(
      m, t->data, t->q, t->v, NULL, NULL, work_for(t), dq.a, dv.a, M.a));
    t->v[k] = 1e200;
    assert_status(
      mbd_inverse_dynamics_derivatives(
        m, t->data, t->q, t->v, NULL, NULL, work_for(t), dq.a, dv.a, M.a),
      MBD_ERROR_NOT_FINITE);
    t->v[k] = 1;
  }
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(torques_change_as_differences_say),
    cmocka_unit_test(friction_is_on_the_diagonal),
    cmocka_unit_test(accelerations_change_as_differences_say),
    cmocka_unit_test(derivatives_do_not_depend_on_the_place),
    cmocka_unit_test(long_chains_solve_for_columns),
    cmocka_unit_test(wrenches_stay_as_their_reference_says),
    cmocka_unit_test(neighbours_part_as_A_says),
    cmocka_unit_test(mass_matrix_changes_as_differences_say),
    cmocka_unit_test(tensors_have_the_zeros_of_the_tree),
    cmocka_unit_test(symbols_are_the_slices_of_the_coriolis_matrix),
    cmocka_unit_test(symbols_are_made_of_mass_differences),
    cmocka_unit_test(jacobian_rate_is_its_difference_in_time),
    cmocka_unit_test(bad_input_is_refused),
    cmocka_unit_test(large_velocities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
