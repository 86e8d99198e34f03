// Embedded models: derivatives of inverse and forward dynamics on random robots with loops and gears,
// against differences along mbd_integrate, and the linearisation of a floating four-bar.
#include <math.h>
#include <string.h>

#include "embedded_robots.h"
#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"

enum { SEEDS = 120 };

static const double H = 5e-4;

static mat_t qdd, tau;
static mbd_wrench_t wrench[2];
static const mbd_wrenches_t wrenches = {2, wrench};

// an embedded robot, not near a singular configuration; false to leave it out
static bool
begin(uint64_t seed)
{
  uint64_t state = seed + 5;
  if (!embedded_robot(seed)) return false;
  the.q = mat(the.model->nq, 1).a;
  memcpy(the.q, the.data->q, (size_t)the.model->nq * sizeof *the.q);
  qdd = mat(the.model->nv, 1), tau = mat(the.model->nv, 1);
  for (int k = 0; k < the.model->nv; k++) {
    the.v.a[k] *= 0.3;
    qdd.a[k] = random_signed(&state);
    tau.a[k] = random_signed(&state);
  }
  for (int k = 0; k < 2; k++) {
    wrench[k].frame = random_below(&state, the.model->nframe);
    wrench[k].reference = (mbd_reference_t)(MBD_LOCAL + random_below(&state, 3));
    wrench[k].f = random_force(&state);
  }
  return true;
}

typedef mbd_status_t dynamics(const double * q, const double * v, double * out);

static mbd_status_t
inverse_dynamics(const double * q, const double * v, double * out)
{
  return mbd_inverse_dynamics(the.model, the.data, q, v, qdd.a, &wrenches, out);
}

static mbd_status_t
forward_dynamics(const double * q, const double * v, double * out)
{
  return mbd_forward_dynamics(the.model, the.data, q, v, tau.a, &wrenches, out);
}

// columns of the derivatives of a vector by q and v; false where the loops do not go that far
static bool
differences(dynamics * f, mat_t dq, mat_t dv)
{
  const int nv = the.model->nv;
  mat_t q = mat(the.model->nq, 1), v = mat(nv, 1), unit = mat(nv, 1), part = mat(nv, 1);
  for (int j = 0; j < nv; j++) {
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < nv; i++) unit.a[i] = i == j;
      if (mbd_integrate(the.model, the.q, unit.a, OFFSET[k] * H, q.a) != MBD_OK) return false;
      if (f(q.a, the.v.a, part.a) != MBD_OK) return false;
      for (int i = 0; i < nv; i++) *at(dq, i, j) += WEIGHT[k] / H * part.a[i];
      for (int i = 0; i < nv; i++) v.a[i] = the.v.a[i] + (i == j) * OFFSET[k] * H;
      if (f(the.q, v.a, part.a) != MBD_OK) return false;
      for (int i = 0; i < nv; i++) *at(dv, i, j) += WEIGHT[k] / H * part.a[i];
    }
  }
  return true;
}

static void
inverse_dynamics_by_differences(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    mat_t dq = square(), dv = square(), M = square(), expected_q = square(), expected_v = square();
    mat_t mass = square(), work = mat((int)mbd_derivatives_work(the.model), 1);
    mbd_motion_t A, B;
    const int frame = the.model->nframe - 1;
    if (!differences(inverse_dynamics, expected_q, expected_v)) continue;
    assert_ok(mbd_inverse_dynamics_derivatives(
      the.model, the.data, the.q, the.v.a, qdd.a, &wrenches, work.a, dq.a, dv.a, M.a));
    assert_differences(dv, expected_v, "dtau/dv", seed);
    assert_differences(dq, expected_q, "dtau/dq", seed);
    // stages are those of the state, as after inverse dynamics
    assert_memory_equal(the.data->v, the.v.a, (size_t)the.model->nv * sizeof *the.v.a);
    assert_ok(mbd_frame_acceleration(the.model, the.data, frame, MBD_LOCAL, &A));
    assert_ok(mbd_set_position(the.model, the.data, the.q));
    assert_ok(mbd_mass_matrix(the.model, the.data, mass.a));
    // the kernels of one processor may place bodies by other sums than those of a stage
    assert_mat(mass, M, 1e-14, "mass matrix, seed %d", (int)seed);
    assert_ok(inverse_dynamics(the.q, the.v.a, work.a));
    assert_ok(mbd_frame_acceleration(the.model, the.data, frame, MBD_LOCAL, &B));
    assert_close_floor(&A.ang.x, &B.ang.x, 6, 1e-12, 1, "acceleration, seed %d", (int)seed);
  }
  assert_count(compared, 200);  // two matrices of a robot
}

static void
forward_dynamics_by_differences(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int nv = the.model->nv;
    mat_t dq = square(), dv = square(), M_inv = square(), a = mat(nv, 1), b = mat(nv, 1);
    mat_t expected_q = square(), expected_v = square(), inverse_M = square();
    mat_t work = mat((int)mbd_derivatives_work(the.model), 1);
    if (!differences(forward_dynamics, expected_q, expected_v)) continue;
    assert_ok(mbd_forward_dynamics_derivatives(
      the.model, the.data, the.q, the.v.a, tau.a, &wrenches, work.a, a.a, dq.a, dv.a, M_inv.a));
    assert_differences(dv, expected_v, "dqdd/dv", seed);
    assert_differences(dq, expected_q, "dqdd/dq", seed);
    assert_ok(forward_dynamics(the.q, the.v.a, b.a));
    assert_memory_equal(a.a, b.a, (size_t)nv * sizeof *a.a);
    assert_ok(mbd_mass_matrix_inverse(the.model, the.data, inverse_M.a));
    assert_close(M_inv.a, inverse_M.a, nv * nv, 1e-12, "M^-1, seed %d", (int)seed);
  }
  assert_count(compared, 200);  // two matrices of a robot
}

//---------- linearisation ----------

// a crank-rocker on a floating base: base, crank, coupler, rocker
static mbd_model_t *
floating_four_bar(double * q)
{
  mbd_model_t * tree = start(0, 0, -9.81);
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  spec.name = "base", spec.joint_name = "j_base", spec.type = MBD_JOINT_FREE;
  spec.inertia =
    mbdu_inertia_from_com(2, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.3, 0, 0, 0.4, 0, 0.5});
  assert_ok(mbd_model_add_body(tree, &spec, &frame));
  const part_t parts[] = {
    {"crank", "base", 'z', 0, 0, 0, 0.5, 0.15, 0, 0, 0.001, 0.004, 0.004},
    {"coupler", "crank", 'z', 0.3, 0, 0, 1.2, 0.45, 0.02, 0, 0.002, 0.08, 0.08},
    {"rocker", "base", 'z', 1.0, 0, 0, 0.8, 0.3, 0, 0, 0.001, 0.03, 0.03}};
  for (int k = 0; k < 3; k++) add(tree, &parts[k]);
  const double at_rest[7] = {0.2, -0.1, 0.4, 0.1, 0.3, -0.2, 0.9};
  memcpy(q, at_rest, sizeof at_rest);
  q[7] = 0.8;
  close_crank_rocker(q[7], &q[8], &q[9]);
  pin(tree, MBD_CLOSURE_REVOLUTE, "rocker", at_point(0.6, 0, 0), "coupler", at_point(0.9, 0, 0));
  return embed_with(tree, q, "crank");
}

// two states moved on by forward dynamics for a moment: their difference over that time
static void
flow(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double t, double * q_out, double * v_out)
{
  double a[7], middle[7];
  assert_ok(mbd_forward_dynamics(model, data, q, v, u, NULL, a));
  for (int k = 0; k < 7; k++) middle[k] = v[k] + 0.5 * t * a[k];
  assert_ok(mbd_integrate(model, q, middle, t, q_out));
  for (int k = 0; k < 7; k++) v_out[k] = v[k] + t * a[k];
}

static void
linearisation_is_that_of_the_flow(void ** state)
{
  (void)state;
  double q[10], v[7] = {0.3, -0.2, 0.5, 0.7, -0.9, 0.6, 1.2},
                u[7] = {1, 2, -1, 0.1, 0.2, -0.3, 0.4};
  double qdd_out[7], A[14 * 14], B[14 * 7], q_at[2][2][10], v_at[2][2][7], nominal[10];
  mbd_model_t * model = floating_four_bar(q);
  mbd_data_t * data;
  assert_int_equal(model->nv, 7);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, q));
  memcpy(q, data->q, sizeof q);
  double work[8192];
  assert_true(mbd_derivatives_work(model) <= 8192);
  assert_ok(mbd_linearize(model, data, q, v, u, NULL, work, qdd_out, A, B));
  // d/dt of the difference of two states that start e apart along column j
  const double e = 1e-4, t = 1e-3;
  for (int j = 0; j < 21; j++) {
    double rate[14];
    for (int side = 0; side < 2; side++) {
      double moved[7] = {0}, q1[10], v1[7], u1[7];
      memcpy(q1, q, sizeof q1), memcpy(v1, v, sizeof v1), memcpy(u1, u, sizeof u1);
      const double step = side ? e : -e;
      if (j < 7) moved[j] = step;
      if (j >= 7 && j < 14) v1[j - 7] += step;
      if (j >= 14) u1[j - 14] += step;
      assert_ok(mbd_integrate(model, q, moved, 1, q1));
      for (int k = 0; k < 2; k++) {
        flow(model, data, q1, v1, u1, k ? t : -t, q_at[side][k], v_at[side][k]);
      }
    }
    for (int k = 0; k < 7; k++) rate[k] = rate[7 + k] = 0;
    for (int k = 0; k < 2; k++) {
      double low[7], high[7];
      flow(model, data, q, v, u, k ? t : -t, nominal, low);
      // both sides as seen from the nominal state
      assert_ok(mbd_difference(model, nominal, q_at[0][k], low));
      assert_ok(mbd_difference(model, nominal, q_at[1][k], high));
      for (int i = 0; i < 7; i++) {
        rate[i] += (k ? 1 : -1) * (high[i] - low[i]) / (4 * e * t);
        rate[7 + i] += (k ? 1 : -1) * (v_at[1][k][i] - v_at[0][k][i]) / (4 * e * t);
      }
    }
    for (int i = 0; i < 14; i++) {
      const double number = j < 14 ? A[i * 14 + j] : B[i * 7 + j - 14];
      if (!(fabs(number - rate[i]) < 1e-4 * fmax(1, fabs(rate[i])))) {
        fail_msg("row %d, column %d: %.9g, %.9g", i, j, number, rate[i]);
      }
    }
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// rows of velocity: more configurations than velocities; drivers: time
static void
what_has_no_linearisation_is_refused(void ** state)
{
  (void)state;
  double q[4] = {0.7}, v = 1, number[4], work[8192];
  close_crank_rocker(q[0], &q[1], &q[2]);
  mbd_model_t * tree = crank_rocker(MBD_CLOSURE_REVOLUTE);
  const part_t swing = {"swing", NULL, 'z', 3, 0, 0, 1, 0.2, 0, 0, 0.01, 0.01, 0.01};
  add(tree, &swing);
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "motor", spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
  spec.joint[0] = "j_crank", spec.coefficient[0] = 1;
  spec.driver.value = q[0], spec.driver.rate = 2;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
  mbd_model_t * model = embed_with(tree, q, "swing");
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_true(mbd_derivatives_work(model) <= 8192);
  assert_status(
    mbd_inverse_dynamics_derivatives(
      model, data, q, &v, NULL, NULL, work, number, number + 1, NULL),
    MBD_ERROR_UNSUPPORTED);
  assert_status(
    mbd_linearize(model, data, q, &v, NULL, NULL, work, number, number, number),
    MBD_ERROR_UNSUPPORTED);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  int refused = 0;
  FOR_EMBEDDED
  {
    bool velocity = false;
    for (int k = 0; k < the.tree->nclosure; k++) velocity |= the.tree->closure[k].nposition == 0;
    if (!velocity) continue;
    const int nv = the.model->nv;
    mat_t A = mat(2 * nv, 2 * nv), B = mat(2 * nv, nv), a = mat(nv, 1);
    mat_t scratch = mat((int)mbd_derivatives_work(the.model), 1);
    const mbd_status_t status =
      mbd_linearize(the.model, the.data, the.q, the.v.a, NULL, NULL, scratch.a, a.a, A.a, B.a);
    assert_true(status == MBD_ERROR_UNSUPPORTED || status == MBD_ERROR_BAD_JOINT);
    refused++;
  }
  assert_count(refused, 3);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(inverse_dynamics_by_differences),
    cmocka_unit_test(forward_dynamics_by_differences),
    cmocka_unit_test(linearisation_is_that_of_the_flow),
    cmocka_unit_test(what_has_no_linearisation_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
