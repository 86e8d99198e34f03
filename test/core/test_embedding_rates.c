// Embedded models: dX/dt and what follows from it, on random robots with loops and gears, against
// differences along the motion, inverse dynamics, and each other.
#include <math.h>
#include <string.h>

#include "embedded_robots.h"
#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"

enum { SEEDS = 150 };

// step of the differences, of fourth order
static const double H = 2e-3;

// an embedded robot that moves slowly enough for differences; false to leave it out
static bool
begin(uint64_t seed)
{
  if (!embedded_robot(seed)) return false;
  assert_ok(mbd_set_velocity(the.model, the.data, the.v.a));
  assert_ok(mbd_tree_velocity(the.model, the.data, NULL, the.v_tree.a));
  double fastest = 0;
  for (int k = 0; k < the.tree->nv; k++) fastest = fmax(fastest, fabs(the.v_tree.a[k]));
  for (int k = 0; k < the.model->nv; k++) the.v.a[k] *= fmin(1, 1 / fastest);
  assert_ok(mbd_set_velocity(the.model, the.data, the.v.a));
  assert_ok(mbd_tree_velocity(the.model, the.data, NULL, the.v_tree.a));
  the.q = the.data->q;
  return true;
}

// a matrix at a configuration, for differences
typedef void matrix_at(const mbd_model_t * model, mbd_data_t * data, int arg, double * out);

// d/dt of the matrix while q moves along v; false where the loops do not go that far
static bool
difference(matrix_at * fill, int arg, const double * v, mat_t out)
{
  const size_t n = (size_t)(out.r * out.c);
  mat_t q0 = mat(the.model->nq, 1), q = mat(the.model->nq, 1), part = mat(out.r, out.c);
  mbd_data_t * data;
  bool good = true;
  memcpy(q0.a, the.q, (size_t)the.model->nq * sizeof *q0.a);
  assert_ok(mbd_data_create(the.model, &data));
  assert_ok(mbd_set_terms(data, the.data->terms));
  memset(out.a, 0, n * sizeof *out.a);
  for (int k = 0; k < 4 && good; k++) {
    good = mbd_integrate(the.model, q0.a, v, OFFSET[k] * H, q.a) == MBD_OK &&
           mbd_set_position(the.model, data, q.a) == MBD_OK;
    if (!good) break;
    fill(the.model, data, arg, part.a);
    for (size_t i = 0; i < n; i++) out.a[i] += WEIGHT[k] / H * part.a[i];
  }
  mbd_data_destroy(data);
  return good;
}

static void
get_X(const mbd_model_t * model, mbd_data_t * data, int arg, double * out)
{
  (void)arg;
  assert_ok(mbd_embedding_matrix(model, data, out));
}

static void
get_M(const mbd_model_t * model, mbd_data_t * data, int arg, double * out)
{
  (void)arg;
  assert_ok(mbd_mass_matrix(model, data, out));
}

static void
get_J(const mbd_model_t * model, mbd_data_t * data, int arg, double * out)
{
  assert_ok(mbd_jacobian(model, data, arg / 3, (mbd_reference_t)(MBD_LOCAL + arg % 3), out));
}

//---------- dX/dt ----------

static void
rate_of_X(void ** state)
{
  (void)state;
  int moving = 0;
  FOR_EMBEDDED
  {
    mat_t dX = mat(the.tree->nv, the.model->nv), expected = mat(the.tree->nv, the.model->nv);
    mat_t acceleration = mat(the.tree->nv, 1);
    assert_ok(mbd_embedding_rate(the.model, the.data, dX.a));
    // dX/dt v is what accelerations at zero independent ones are
    assert_ok(mbd_tree_acceleration(the.model, the.data, NULL, acceleration.a));
    assert_close_floor(
      PROD(dX, the.v).a, acceleration.a, (size_t)the.tree->nv, 1e-9, 1, "Xdot v, seed %d",
      (int)seed);
    for (int k = 0; k < dX.r * dX.c; k++) moving += fabs(dX.a[k]) > 1e-3;
    if (difference(get_X, 0, the.v.a, expected)) assert_differences(dX, expected, "Xdot", seed);
  }
  assert_count(compared, 60);
  assert_count(moving, 200);
}

//---------- Coriolis matrix ----------

static void
coriolis_matrix(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int nv = the.model->nv;
    mat_t C = square(), M_rate = square(), expected = square();
    mat_t h = mat(nv, 1), g = mat(nv, 1), y = mat(nv, 1);
    assert_ok(mbd_coriolis_matrix(the.model, the.data, C.a));
    assert_ok(mbd_bias(the.model, the.data, h.a));
    assert_ok(mbd_gravity(the.model, the.data, g.a));
    assert_close_floor(
      PROD(C, the.v).a, SUM(h, scale(-1, g)).a, (size_t)nv, 1e-8, 1, "C v, seed %d", (int)seed);
    assert_ok(mbd_coriolis_transpose_product(the.model, the.data, y.a));
    assert_close_floor(PROD(tr(C), the.v).a, y.a, (size_t)nv, 1e-9, 1, "C^T v, seed %d", (int)seed);
    assert_ok(mbd_mass_matrix_rate(the.model, the.data, M_rate.a));
    assert_close_floor(
      SUM(C, tr(C)).a, M_rate.a, (size_t)(nv * nv), 1e-12, 1, "Mdot, seed %d", (int)seed);
    if (difference(get_M, 0, the.v.a, expected)) assert_differences(M_rate, expected, "Mdot", seed);
  }
  assert_count(compared, 60);
}

// along each degree of freedom: dM/dq_j, d(M v)/dq, dKe/dq, Christoffel symbols; stages stay
static void
gradients(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int nv = the.model->nv;
    const size_t all = (size_t)(nv * nv);
    mat_t tensor = mat(nv, nv * nv), symbols = mat(nv, nv * nv), MD = square(), C = square();
    mat_t gradient = mat(nv, 1), sum = square(), slice = square(), dM = square();
    mat_t work = mat((int)mbd_derivatives_work(the.model), 1), qdd = mat(nv, 1);
    mbd_motion_t before, after;
    assert_ok(mbd_forward_dynamics(the.model, the.data, NULL, NULL, NULL, NULL, qdd.a));
    assert_ok(mbd_frame_acceleration(the.model, the.data, 0, MBD_LOCAL, &before));
    assert_ok(mbd_mass_matrix_tensor(the.model, the.data, work.a, tensor.a));
    assert_ok(mbd_christoffel_tensor(the.model, the.data, work.a, symbols.a));
    assert_ok(mbd_momentum_gradient(the.model, the.data, MD.a));
    assert_ok(mbd_kinetic_energy_gradient(the.model, the.data, gradient.a));
    assert_ok(mbd_frame_acceleration(the.model, the.data, 0, MBD_LOCAL, &after));
    assert_memory_equal(&before, &after, sizeof before);
    assert_memory_equal(the.data->v, the.v.a, (size_t)nv * sizeof *the.v.a);
    assert_ok(mbd_coriolis_matrix(the.model, the.data, C.a));
    for (int j = 0; j < nv; j++) {
      mat_t unit = mat(nv, 1), expected = square();
      unit.a[j] = 1;
      assert_ok(mbd_mass_matrix_derivative(the.model, the.data, j, work.a, dM.a));
      assert_memory_equal(dM.a, tensor.a + (size_t)j * all, all * sizeof *dM.a);
      assert_ok(mbd_christoffel(the.model, the.data, j, slice.a));
      assert_memory_equal(slice.a, symbols.a + (size_t)j * all, all * sizeof *slice.a);
      sum = SUM(sum, scale(the.v.a[j], slice));
      const mat_t column = PROD(dM, the.v);
      double energy = 0, moment[64];
      for (int k = 0; k < nv; k++) {
        energy += 0.5 * the.v.a[k] * column.a[k];
        moment[k] = *at(MD, k, j);
      }
      assert_close_floor(moment, column.a, (size_t)nv, 1e-9, 1, "M_D, seed %d", (int)seed);
      assert_close_floor(&energy, &gradient.a[j], 1, 1e-9, 1, "dKe/dq, seed %d", (int)seed);
      if (difference(get_M, 0, unit.a, expected)) assert_differences(dM, expected, "dM/dq", seed);
    }
    assert_close_floor(sum.a, C.a, all, 1e-9, 1, "sum of Christoffel symbols, seed %d", (int)seed);
  }
  assert_count(compared, 100);
}

//---------- Jdot ----------

static void
jacobian_rate(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int frame = the.model->nframe - 1;
    for (int k = 0; k < 3; k++) {
      const mbd_reference_t reference = (mbd_reference_t)(MBD_LOCAL + k);
      mat_t dJ = mat(6, the.model->nv), expected = mat(6, the.model->nv);
      mbd_motion_t A;
      assert_ok(mbd_jacobian_rate(the.model, the.data, frame, reference, dJ.a));
      assert_ok(mbd_jacobian_bias(the.model, the.data, frame, reference, &A));
      const double bias[6] = {A.ang.x, A.ang.y, A.ang.z, A.lin.x, A.lin.y, A.lin.z};
      assert_close_floor(PROD(dJ, the.v).a, bias, 6, 1e-8, 1, "Jdot v, seed %d", (int)seed);
      if (difference(get_J, 3 * frame + k, the.v.a, expected)) {
        assert_differences(dJ, expected, "Jdot", seed);
      }
    }
  }
  assert_count(compared, 200);
}

//---------- regressors ----------

static void
regressors(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int nv = the.model->nv, n = mbd_parameter_count(the.model, true);
    const int bodies = mbd_parameter_count(the.model, false);
    assert_int_equal(n, 10 * the.tree->nbody + 3 * the.tree->nv);
    mat_t theta = mat(n, 1), Y = mat(nv, n), tau = mat(nv, 1), qdd = mat(nv, 1), p = mat(nv, 1);
    uint64_t random = seed;
    for (int k = 0; k < nv; k++) qdd.a[k] = random_signed(&random);
    assert_ok(mbd_set_terms(the.data, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
    assert_ok(mbd_parameters_get(the.model, the.data, true, theta.a));
    assert_ok(mbd_torque_regressor(the.model, the.data, qdd.a, true, Y.a));
    assert_ok(mbd_inverse_dynamics(the.model, the.data, NULL, NULL, qdd.a, NULL, tau.a));
    assert_close_floor(PROD(Y, theta).a, tau.a, (size_t)nv, 1e-9, 1, "Y theta, seed %d", (int)seed);
    // without drives and accelerations
    assert_ok(mbd_set_terms(the.data, 0));
    mat_t short_Y = mat(nv, bodies), rest = block(theta, 0, 0, bodies, 1);
    assert_ok(mbd_torque_regressor(the.model, the.data, NULL, false, short_Y.a));
    assert_ok(mbd_inverse_dynamics(the.model, the.data, NULL, NULL, NULL, NULL, tau.a));
    assert_close_floor(
      PROD(short_Y, rest).a, tau.a, (size_t)nv, 1e-9, 1, "at rest, seed %d", (int)seed);
    assert_ok(mbd_momentum_regressor(the.model, the.data, short_Y.a));
    assert_ok(mbd_momentum(the.model, the.data, p.a));
    assert_close_floor(
      PROD(short_Y, rest).a, p.a, (size_t)nv, 1e-9, 1, "momentum, seed %d", (int)seed);
    mat_t kinetic = mat(1, bodies), potential = mat(1, bodies);
    double energy[2];
    assert_ok(mbd_energy_regressor(the.model, the.data, kinetic.a, potential.a));
    assert_ok(mbd_kinetic_energy(the.model, the.data, &energy[0]));
    assert_ok(mbd_potential_energy(the.model, the.data, &energy[1]));
    assert_close_floor(
      PROD(kinetic, rest).a, &energy[0], 1, 1e-9, 1, "kinetic, seed %d", (int)seed);
    assert_close_floor(
      PROD(potential, rest).a, &energy[1], 1, 1e-9, 1, "potential, seed %d", (int)seed);
    compared++;
  }
  assert_count(compared, 60);
}

//---------- momentum ----------

// pdot = tau - g + C^T v, exact now that dX/dt is
static void
momentum_rate(void ** state)
{
  (void)state;
  FOR_EMBEDDED
  {
    const int nv = the.model->nv;
    mat_t pdot = mat(nv, 1), g = mat(nv, 1), y = mat(nv, 1);
    assert_ok(mbd_set_terms(the.data, the.data->terms & MBD_TERM_ROTORS));
    assert_ok(mbd_momentum_rate(the.model, the.data, NULL, NULL, pdot.a));
    assert_ok(mbd_gravity(the.model, the.data, g.a));
    assert_ok(mbd_coriolis_transpose_product(the.model, the.data, y.a));
    assert_close_floor(
      pdot.a, SUM(y, scale(-1, g)).a, (size_t)nv, 1e-10, 1, "momentum rate, seed %d", (int)seed);
    compared++;
  }
  assert_count(compared, 60);
}

//---------- drivers ----------

// a driven rocker beside a free pendulum: gradients along v alone would not be those of the motion
static void
drivers_are_refused_where_they_matter(void ** state)
{
  (void)state;
  double q[4] = {0.7}, v = 1, C, dX[4], number, work[4096];
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
  assert_int_equal(model->nv, 1);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, &v));
  assert_ok(mbd_coriolis_matrix(model, data, &C));
  assert_ok(mbd_embedding_rate(model, data, dX));
  assert_true(mbd_derivatives_work(model) <= 4096);
  assert_status(mbd_momentum_gradient(model, data, &number), MBD_ERROR_UNSUPPORTED);
  assert_status(mbd_kinetic_energy_gradient(model, data, &number), MBD_ERROR_UNSUPPORTED);
  assert_status(mbd_christoffel(model, data, 0, &number), MBD_ERROR_UNSUPPORTED);
  assert_status(mbd_mass_matrix_derivative(model, data, 0, work, &number), MBD_ERROR_UNSUPPORTED);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rate_of_X),
    cmocka_unit_test(coriolis_matrix),
    cmocka_unit_test(gradients),
    cmocka_unit_test(jacobian_rate),
    cmocka_unit_test(regressors),
    cmocka_unit_test(momentum_rate),
    cmocka_unit_test(drivers_are_refused_where_they_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
