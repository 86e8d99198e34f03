// The natural orthogonal complement against the sweeps of the library, and the identities of Angeles,
// chapter 7, on random chains of hinges and slides.
#include "mbdyn/operators/dh.h"
#include "mbdyn/operators/noc.h"

#include <string.h>

#include "dh_chain.h"

// torques by the library, with the force on the tool
static mat_t
library_torque(dh_chain_t * c, const double * qdd, bool force)
{
  mat_t tau = mat(c->n, 1);
  const mbd_wrench_t w = {c->tool, MBD_LOCAL, c->f};
  const mbd_wrenches_t list = {1, &w};
  assert_ok(mbd_inverse_dynamics(c->model, c->data, c->q, c->v, qdd, force ? &list : NULL, tau.a));
  return tau;
}

static mat_t
noc_torque(dh_chain_t * c, const double * qdd, bool force)
{
  mat_t tau = mat(c->n, 1);
  assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, qdd, force ? &c->f : NULL, tau.a));
  return tau;
}

static mat_t
matrix_of(dh_chain_t * c, mbd_status_t (*f)(mbd_noc_t *, const double *, double *), int r, int k)
{
  mat_t A = mat(r, k);
  assert_ok(f(c->noc, c->q, A.a));
  return A;
}

static mat_t
rate_of(
  dh_chain_t * c, mbd_status_t (*f)(mbd_noc_t *, const double *, const double *, double *), int r)
{
  mat_t A = mat(r, c->n);
  assert_ok(f(c->noc, c->q, c->v, A.a));
  return A;
}

//---------- against the library ----------

static void
torques_are_those_of_the_library(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    assert_mat(noc_torque(c, c->qdd, true), library_torque(c, c->qdd, true), 1e-9, "%lu", seed);
    assert_mat(noc_torque(c, NULL, false), library_torque(c, NULL, false), 1e-9, "%lu", seed);
  }
}

static void
accelerations_are_those_of_the_library(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    mat_t ours = mat(c->n, 1), noc = mat(c->n, 1), orthogonal = mat(c->n, 1);
    const mbd_wrench_t w = {c->tool, MBD_LOCAL, c->f};
    const mbd_wrenches_t list = {1, &w};
    assert_ok(mbd_forward_dynamics(c->model, c->data, c->q, c->v, c->tau, &list, ours.a));
    assert_ok(mbd_noc_forward_dynamics(c->noc, c->q, c->v, c->tau, &c->f, noc.a));
    assert_ok(mbd_noc_forward_dynamics_orthogonal(c->noc, c->q, c->v, c->tau, &c->f, orthogonal.a));
    assert_mat(noc, ours, 1e-9, "seed %lu", seed);
    assert_mat(orthogonal, ours, 1e-9, "orthogonal, seed %lu", seed);
    // and back                                                                    2.6, 13
    assert_mat(noc_torque(c, noc.a, true), column(c->n, c->tau), 1e-9, "back, seed %lu", seed);
  }
}

static void
mass_matrix_is_that_of_the_library(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    mat_t ours = mat(c->n, c->n);
    assert_ok(mbd_set_state(c->model, c->data, c->q, NULL));
    assert_ok(mbd_mass_matrix(c->model, c->data, ours.a));
    assert_mat(matrix_of(c, mbd_noc_mass_matrix, c->n, c->n), ours, 1e-9, "seed %lu", seed);
  }
}

// where the standard frame before a joint is in the world
static mbd_vec3_t
origin_before(const dh_chain_t * c, int joint)
{
  mbd_dh_row_t row[MOST_JOINTS];
  memcpy(row, c->row, sizeof row);
  mbd_dh_t table = c->table;
  table.row = row;
  assert_ok(mbd_dh_convert(&table, MBD_DH_STANDARD));
  mbd_placement_t X = table.base;
  for (int i = 0; i < joint; i++) {
    const mbd_placement_t A = mbd_dh_row_transform(&row[i], MBD_DH_STANDARD, c->q[i]);
    X = mbdu_placement_mul(&X, &A);
  }
  return X.p;
}

static void
joints_carry_what_the_library_says(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    noc_torque(c, c->qdd, true);
    library_torque(c, c->qdd, true);
    for (int i = 0; i < c->n; i++) {
      mbd_force_t f, link;
      mbd_placement_t X;
      assert_ok(mbd_noc_joint_wrench(c->noc, i, &f));
      assert_ok(mbd_joint_force(c->model, c->data, i, &link));
      assert_ok(mbd_frame_placement(c->model, c->data, c->model->body[i].link_frame, &X));
      // the library's is at the link's own frame
      const mbd_vec3_t arm = mbdu_vec3_sub(X.p, origin_before(c, i));
      const mbd_vec3_t force = mbdu_mat3_vec(&X.R, link.lin);
      const mbd_vec3_t moment =
        mbdu_vec3_add(mbdu_mat3_vec(&X.R, link.ang), mbdu_vec3_cross(arm, force));
      const mbd_force_t ours = {moment, force};
      assert_mat_floor(force6(f), force6(ours), 1e-9, 1, "joint %d, seed %lu", i, seed);
    }
  }
}

//---------- identities ----------

// K T = 0, K of rank 5 n; T v are the twists                                      2.6, 1 and 2
static void
complement_is_orthogonal(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    const int n = c->n;
    const mat_t K = matrix_of(c, mbd_noc_constraint_matrix, 6 * n, 6 * n);
    const mat_t T = matrix_of(c, mbd_noc_complement, 6 * n, n);
    assert_mat_floor(PROD(K, T), mat(6 * n, n), 1e-12, 10, "seed %lu", seed);
    if (seed <= 40) assert_int_equal(rank_of(K, 1e-6), 5 * n);
    // the last link: its centre of mass by the library
    mbd_placement_t X;
    mbd_motion_t V;
    const mbd_body_t * last = &c->model->body[n - 1];
    assert_ok(mbd_set_position(c->model, c->data, c->q));
    assert_ok(mbd_set_velocity(c->model, c->data, c->v));
    assert_ok(mbd_frame_placement(c->model, c->data, last->link_frame, &X));
    assert_ok(mbd_frame_velocity(c->model, c->data, last->link_frame, MBD_LOCAL_WORLD_ALIGNED, &V));
    const mbd_placement_t * B = &c->model->frame[last->link_frame].X;
    const mbd_vec3_t com =
      mbdu_mat3_tvec(&B->R, mbdu_vec3_scale(1 / last->inertia.mass, last->inertia.h));
    const mbd_vec3_t lin = mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, mbdu_mat3_vec(&X.R, com)));
    const double twist[6] = {V.ang.x, V.ang.y, V.ang.z, lin.x, lin.y, lin.z};
    const mat_t t = PROD(T, column(n, c->v));
    assert_close_floor(t.a + 6 * (n - 1), twist, 6, 1e-11, 1, "twist, seed %lu", seed);
  }
}

static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STEP 1e-3

// d/dt of a matrix along v, by differences
static mat_t
difference_of(dh_chain_t * c, mbd_status_t (*f)(mbd_noc_t *, const double *, double *), int r)
{
  double q[MOST_JOINTS];
  mat_t sum = mat(r, c->n), A = mat(r, c->n);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < c->n; i++) q[i] = c->q[i] + offset[k] * STEP * c->v[i];
    assert_ok(f(c->noc, q, A.a));
    sum = SUM(sum, scale(weight[k] / STEP, A));
  }
  return sum;
}

static void
rates_are_what_differences_say(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    const int n = c->n;
    const mat_t dT = rate_of(c, mbd_noc_complement_rate, 6 * n);
    const mat_t expected = difference_of(c, mbd_noc_complement, 6 * n);
    assert_mat_floor(dT, expected, 1e-8, 1, "dT, seed %lu", seed);
    const mat_t dI = rate_of(c, mbd_noc_mass_rate, n);
    const mat_t dI_expected = difference_of(c, mbd_noc_mass_matrix, n);
    assert_mat_floor(dI, dI_expected, 1e-8, 1, "dI, seed %lu", seed);
    assert_mat_floor(dI, tr(dI), 1e-12, 1, "dI symmetric, seed %lu", seed);
  }
}

// C v is the torque of velocities; dI/dt - 2 C is skew; C is homogeneous     2.6, 5 to 7
static void
coriolis_matrix_is_passive(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    const int n = c->n;
    const mat_t C = rate_of(c, mbd_noc_coriolis_matrix, n);
    const mat_t N = sub(rate_of(c, mbd_noc_mass_rate, n), scale(2, C));
    assert_mat_floor(N, scale(-1, tr(N)), 1e-11, fmax(1, largest_entry(C)), "skew, seed %lu", seed);
    const mat_t zero = mat(n, 1);
    const mat_t bias = library_torque(c, NULL, false);
    double v[MOST_JOINTS];
    memcpy(v, c->v, sizeof v);
    memset(c->v, 0, sizeof v);
    const mat_t gravity = library_torque(c, zero.a, false);
    memcpy(c->v, v, sizeof v);
    const double size = fmax(1, fmax(largest_entry(bias), largest_entry(gravity)));
    assert_mat_floor(
      PROD(C, column(n, c->v)), sub(bias, gravity), 1e-9, size, "C v, seed %lu", seed);
    for (int i = 0; i < n; i++) c->v[i] *= 3;
    const mat_t C3 = rate_of(c, mbd_noc_coriolis_matrix, n);
    assert_mat_floor(C3, scale(3, C), 1e-12, 1, "homogeneous, seed %lu", seed);
  }
}

// what joints carry does no work beyond the drives': T^T of the net wrenches is tau      2.6, 8
static void
reactions_do_no_work(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    const mat_t tau = noc_torque(c, c->qdd, false);
    double power = 0;
    for (int i = 0; i < c->n; i++) power += tau.a[i] * c->v[i];
    // d/dt of kinetic energy, and the work against gravity
    const mat_t I = matrix_of(c, mbd_noc_mass_matrix, c->n, c->n), v = column(c->n, c->v);
    const mat_t dI = rate_of(c, mbd_noc_mass_rate, c->n), a = column(c->n, c->qdd);
    const mat_t zero = mat(c->n, 1);
    memset(c->v, 0, sizeof c->v);
    const double lifting = scalar(PROD(tr(v), noc_torque(c, zero.a, false)));
    const double kinetic = scalar(PROD(tr(v), I, a)) + 0.5 * scalar(PROD(tr(v), dI, v));
    const double expected = kinetic + lifting, size = fmax(1, fabs(kinetic) + fabs(lifting));
    assert_close_floor(&power, &expected, 1, 1e-10, size, "seed %lu", seed);
  }
}

// a fixed base: nothing but gravity knows where the first joint stands             2.6, 9
static void
first_joint_does_not_matter(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    const mat_t I = matrix_of(c, mbd_noc_mass_matrix, c->n, c->n);
    const mat_t C = rate_of(c, mbd_noc_coriolis_matrix, c->n);
    c->q[0] += 0.7;
    assert_mat(matrix_of(c, mbd_noc_mass_matrix, c->n, c->n), I, 1e-11, "I, seed %lu", seed);
    assert_mat_floor(rate_of(c, mbd_noc_coriolis_matrix, c->n), C, 1e-11, 1, "C, seed %lu", seed);
  }
}

//---------- what is refused ----------

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  dh_chain_t * c = random_chain(4);
  mat_t x = mat(c->n, 1);
  mbd_noc_t * noc;
  mbd_force_t f;
  x.a[0] = 7;
  assert_status(
    mbd_noc_inverse_dynamics(NULL, c->q, c->v, NULL, NULL, x.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_noc_joint_wrench(c->noc, 0, &f), MBD_ERROR_STAGE);
  assert_status(mbd_noc_joint_wrench(c->noc, c->n, &f), MBD_ERROR_BAD_ARGUMENT);
  c->v[0] = HUGE_VAL;
  assert_status(
    mbd_noc_inverse_dynamics(c->noc, c->q, c->v, NULL, NULL, x.a), MBD_ERROR_NOT_FINITE);
  assert_status(
    mbd_noc_forward_dynamics(c->noc, c->q, c->v, c->tau, NULL, x.a), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_noc_coriolis_matrix(c->noc, c->q, c->v, x.a), MBD_ERROR_NOT_FINITE);
  c->v[0] = 0, c->tau[0] = (double)NAN;
  assert_status(
    mbd_noc_forward_dynamics(c->noc, c->q, c->v, c->tau, NULL, x.a), MBD_ERROR_NOT_FINITE);
  c->q[0] = (double)NAN;
  assert_status(mbd_noc_mass_matrix(c->noc, c->q, x.a), MBD_ERROR_NOT_FINITE);
  assert_true(x.a[0] == 7);
  c->row[0].inertia.mass = -1;
  assert_status(mbd_noc_create(&c->table, &noc), MBD_ERROR_BAD_INERTIA);
  assert_null(noc);
  assert_int_equal(mbd_noc_dof(NULL), 0);
  assert_int_equal(mbd_noc_dof(c->noc), c->n);
  chain_free(c);
}

// a hinge through a needle along its axis turns nothing
static void
joints_that_move_nothing_are_refused(void ** context)
{
  (void)context;
  mbd_dh_row_t row = mbd_dh_row_default();
  row.inertia = (mbd_inertia_t){1, {0, 0, 1}, {1, 0, 0, 1, 0, 0}};
  const mbd_dh_t table = {
    .n = 1, .row = &row, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  mbd_noc_t * noc;
  const double zero[1] = {0};
  double qdd[1];
  assert_ok(mbd_noc_create(&table, &noc));
  assert_status(mbd_noc_forward_dynamics(noc, zero, zero, zero, NULL, qdd), MBD_ERROR_SINGULAR);
  assert_status(
    mbd_noc_forward_dynamics_orthogonal(noc, zero, zero, zero, NULL, qdd), MBD_ERROR_SINGULAR);
  mbd_noc_destroy(noc);
  // two hinges about one axis
  mbd_dh_row_t twice[2] = {row, row};
  twice[1].inertia = (mbd_inertia_t){1, {0.3, 0.4, 0}, {1, 0.1, 0, 1, 0, 1}};
  const mbd_dh_t pair = {
    .n = 2, .row = twice, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  const double q[2] = {0.3, 0.4}, none[2] = {0, 0};
  double x[2];
  assert_ok(mbd_noc_create(&pair, &noc));
  assert_status(mbd_noc_forward_dynamics(noc, q, none, none, NULL, x), MBD_ERROR_SINGULAR);
  assert_status(
    mbd_noc_forward_dynamics_orthogonal(noc, q, none, none, NULL, x), MBD_ERROR_SINGULAR);
  mbd_noc_destroy(noc);
}

// two axes a hair apart that move one point mass: squared, the hair is lost in the other digits
static void
orthogonal_way_sees_what_squaring_loses(void ** context)
{
  (void)context;
  mbd_dh_row_t row[2] = {mbd_dh_row_default(), mbd_dh_row_default()};
  row[0].a = 1e-8, row[1].a = 1;
  row[1].inertia = (mbd_inertia_t){1, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  const mbd_dh_t table = {
    .n = 2, .row = row, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  const double q[2] = {0.3, acos(0)}, v[2] = {0, 0}, wanted[2] = {1, -2};
  double tau[2], back[2], qdd[2];
  mbd_noc_t * noc;
  assert_ok(mbd_noc_create(&table, &noc));
  assert_ok(mbd_noc_inverse_dynamics(noc, q, v, wanted, NULL, tau));
  assert_status(mbd_noc_forward_dynamics(noc, q, v, tau, NULL, qdd), MBD_ERROR_SINGULAR);
  assert_ok(mbd_noc_forward_dynamics_orthogonal(noc, q, v, tau, NULL, qdd));
  assert_ok(mbd_noc_inverse_dynamics(noc, q, v, qdd, NULL, back));
  assert_close(back, tau, 2, 1e-12, "torques of the accelerations");
  mbd_noc_destroy(noc);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(torques_are_those_of_the_library),
    cmocka_unit_test(accelerations_are_those_of_the_library),
    cmocka_unit_test(mass_matrix_is_that_of_the_library),
    cmocka_unit_test(joints_carry_what_the_library_says),
    cmocka_unit_test(complement_is_orthogonal),
    cmocka_unit_test(rates_are_what_differences_say),
    cmocka_unit_test(coriolis_matrix_is_passive),
    cmocka_unit_test(reactions_do_no_work),
    cmocka_unit_test(first_joint_does_not_matter),
    cmocka_unit_test(bad_input_is_refused),
    cmocka_unit_test(joints_that_move_nothing_are_refused),
    cmocka_unit_test(orthogonal_way_sees_what_squaring_loses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
