// Constraint embedding on random closed chains: against the dense equations of the spanning tree
// with multipliers, and against products with X.
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/dynamics/compliance.h"

#include <math.h>
#include <string.h>

#include "loops.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/response.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/opspace.h"

enum { ROBOTS = 150 };

// what is compared: the tree's equations at the state, dense
typedef struct equations {
  mat_t X, G, gamma;
  mat_t M, h;  // of the tree, with the terms that count
  mat_t M_r, h_r;
} equations_t;

static mat_t
matrix_of(const closed_t * c)
{
  mat_t X = mat(c->tree->nv, c->model->nv);
  assert_ok(mbd_embedding_matrix(c->model, c->data, X.a));
  return X;
}

static void
set_closed_state(closed_t * c)
{
  assert_ok(mbd_set_position(c->model, c->data, c->t->q));
  assert_ok(mbd_set_velocity(c->model, c->data, c->v.a));
  assert_ok(mbd_tree_velocity(c->model, c->data, NULL, c->v_tree.a));
  assert_ok(mbd_set_position(c->tree, c->on, c->data->q));
  assert_ok(mbd_set_velocity(c->tree, c->on, c->v_tree.a));
}

static equations_t
equations_of(closed_t * c, uint32_t terms)
{
  equations_t e;
  const mbd_model_t * tree = c->tree;
  assert_ok(mbd_set_terms(c->data, terms));
  set_closed_state(c);
  e.X = matrix_of(c);
  e.G = mat(tree->nrow, tree->nv), e.gamma = mat(tree->nrow, 1);
  assert_ok(mbd_closure_jacobian(tree, c->on, e.G.a));
  assert_ok(mbd_closure_bias(tree, c->on, 0, e.gamma.a));
  const dense_t d = dense_at(tree, NULL, c->data->q, c->v_tree.a, tree->gravity);
  e.M = dense_mass(&d), e.h = dense_bias(&d);
  const mat_t rotors = dense_rotors(tree);
  for (int k = 0; k < tree->nv; k++) {
    if (terms & MBD_TERM_ROTORS) *at(e.M, k, k) += rotors.a[k];
  }
  if (terms & MBD_TERM_FRICTION) {
    mat_t friction = mat(tree->nv, 1);
    assert_ok(mbd_friction(tree, c->v_tree.a, friction.a));
    e.h = SUM(e.h, friction);
  }
  mat_t xd = mat(tree->nv, 1);
  assert_ok(mbd_tree_acceleration(c->model, c->data, NULL, xd.a));
  e.M_r = PROD(tr(e.X), e.M, e.X);
  e.h_r = PROD(tr(e.X), SUM(e.h, PROD(e.M, xd)));
  return e;
}

// random trees with up to three loops and two couplings
#define FOR_CLOSED(n)                                                                   \
  FOR_SEEDS(n)                                                                          \
  for (closed_t c = closed_tree(seed, NULL, (int)(seed % 4), (int)(seed / 4 % 3)); c.t; \
       closed_free(&c), c.t = NULL)                                                     \
    if (!embed(&c, NULL, 0))                                                            \
      fail_msg("seed %lu cannot be embedded", seed);                                    \
    else

static mat_t
random_column(int n, uint64_t seed)
{
  mat_t x = mat(n, 1);
  uint64_t state = seed * 31 + 5;
  for (int k = 0; k < n; k++) x.a[k] = random_signed(&state);
  return x;
}

static double
size_of(mat_t A)
{
  return fmax(1, largest_entry(A));
}

//---------- X ----------

// G X = 0, G v = U, G qdd = gamma; as many independent ones as the rank leaves     (15.24)-(15.27)
static void
motions_obey_the_closures(void ** context)
{
  (void)context;
  int loops = 0;
  FOR_CLOSED(ROBOTS)
  {
    const equations_t e = equations_of(&c, 0);
    int keep[256];
    assert_int_equal(c.model->nv, c.tree->nv - independent_rows(e.G, keep).r);
    assert_mat_floor(PROD(e.G, e.X), mat(e.G.r, c.model->nv), 1e-9, size_of(e.X), "G X, %lu", seed);
    assert_mat_floor(PROD(e.G, c.v_tree), mat(e.G.r, 1), 1e-9, size_of(c.v_tree), "G v, %lu", seed);
    const mat_t qdd = random_column(c.model->nv, seed);
    mat_t all = mat(c.tree->nv, 1);
    assert_ok(mbd_tree_acceleration(c.model, c.data, qdd.a, all.a));
    assert_mat_floor(PROD(e.G, all), e.gamma, 1e-9, size_of(all), "G qdd, %lu", seed);
    // the independent ones are themselves
    mat_t back = mat(c.model->nv, 1);
    assert_ok(mbd_reduce_velocity(c.model, c.v_tree.a, back.a));
    assert_mat(back, c.v, 1e-15, "v, %lu", seed);
    if (c.model->nrow > 0) loops++;
  }
  assert_count(loops, ROBOTS / 3);
}

// d/dt of X v by central differences along the motion
static void
rate_of_X_is_the_difference_quotient(void ** context)
{
  (void)context;
  tally_t regular = {0};
  tally_t holonomic = {0};
  FOR_CLOSED(60)
  {
    // rolling joints have no path to differ along
    if (!tally(&holonomic, dense_holonomic(c.tree))) continue;
    set_closed_state(&c);
    mat_t xd = mat(c.tree->nv, 1), q = mat(c.model->nq, 1), Xv[2];
    assert_ok(mbd_tree_acceleration(c.model, c.data, NULL, xd.a));
    double condition;
    assert_ok(mbd_embedding_condition(c.model, c.data, &condition, NULL));
    if (!tally(&regular, condition <= 30)) continue;
    const double h = 1e-5;
    for (int k = 0; k < 2; k++) {
      // to second order: v + xd h / 2 is the mean velocity of the dependent ones
      const double step = k == 0 ? -h : h;
      mat_t mean = SUM(c.v_tree, scale(0.5 * step, xd));
      dense_step_all(c.tree, c.data->q, mean.a, step, q.a);
      assert_ok(mbd_set_position(c.model, c.data, q.a));
      Xv[k] = PROD(matrix_of(&c), c.v);
      assert_ok(mbd_set_position(c.model, c.data, c.t->q));
    }
    assert_mat_floor(
      scale(1 / (2 * h), sub(Xv[1], Xv[0])), xd, 1e-4, size_of(xd), "Xdot v, %lu", seed);
  }
  assert_enough(&holonomic, 0.6);
  assert_enough(&regular, 0.8);
}

//---------- dynamics ----------

// M = X^T M X, h, trace, determinant, products, inverse, root                        (15.13)
static void
mass_matrix_is_the_projected_one(void ** context)
{
  (void)context;
  FOR_CLOSED(ROBOTS)
  {
    const uint32_t terms = seed % 2 ? MBD_TERM_ROTORS : 0;
    const equations_t e = equations_of(&c, terms);
    const int nv = c.model->nv;
    mat_t M = mat(nv, nv), h = mat(nv, 1), y = mat(nv, 1), M_inv = mat(nv, nv);
    const mat_t x = random_column(nv, seed);
    assert_ok(mbd_mass_matrix(c.model, c.data, M.a));
    assert_mat(M, e.M_r, 1e-9, "M, %lu", seed);
    assert_ok(mbd_bias(c.model, c.data, h.a));
    assert_mat_floor(h, e.h_r, 1e-9, size_of(e.h), "h, %lu", seed);
    assert_ok(mbd_mass_product(c.model, c.data, x.a, y.a));
    assert_mat(y, PROD(e.M_r, x), 1e-9, "M x, %lu", seed);
    double number;
    assert_ok(mbd_mass_trace(c.model, c.data, &number));
    assert_near(number / size_of(e.M_r), trace(e.M_r) / size_of(e.M_r), 1e-9, "trace, %lu", seed);
    assert_ok(mbd_mass_matrix_inverse(c.model, c.data, M_inv.a));
    assert_mat_floor(PROD(M_inv, e.M_r), eye(nv), 1e-7, 1, "M^-1 M, %lu", seed);
    assert_ok(mbd_mass_solve(c.model, c.data, x.a, y.a));
    assert_mat(y, PROD(M_inv, x), 1e-9, "M^-1 x, %lu", seed);
    assert_ok(mbd_mass_log_determinant(c.model, c.data, &number));
    assert_near(number, log(determinant(e.M_r)), 1e-7, "log det, %lu", seed);
    // root: S S^T = M
    mat_t z = mat(nv, 1), F = mat(nv, nv), D = mat(nv, nv);
    assert_ok(mbd_mass_sqrt(c.model, c.data, MBD_SQRT_TRANSPOSE, x.a, y.a));
    assert_ok(mbd_mass_sqrt(c.model, c.data, MBD_SQRT, y.a, z.a));
    assert_mat(z, PROD(e.M_r, x), 1e-8, "S S^T x, %lu", seed);
    assert_ok(mbd_mass_sqrt(c.model, c.data, MBD_SQRT_INVERSE, z.a, z.a));
    assert_mat(z, y, 1e-7, "S^-1 S S^T x, %lu", seed);
    assert_ok(mbd_mass_factors(c.model, c.data, F.a, D.a));
    assert_mat(PROD(F, D, tr(F)), e.M_r, 1e-9, "F D F^T, %lu", seed);
  }
}

// embedding = saddle system with multipliers; reactions; inverse dynamics is the inverse     11.a,
// 15.a
static void
forward_dynamics_is_the_saddle_solution(void ** context)
{
  (void)context;
  tally_t unique = {0};
  FOR_CLOSED(ROBOTS)
  {
    for (uint32_t terms = 0; terms < 4; terms += 3) {
      const equations_t e = equations_of(&c, terms);
      const int nv = c.model->nv, all = c.tree->nv;
      const mat_t tau_tree = random_column(all, seed);
      const dense_t d = dense_at(c.tree, NULL, c.data->q, c.v_tree.a, c.tree->gravity);
      const mbd_wrenches_t none = {0, NULL};
      mbd_wrench_t wrench = {0, MBD_LOCAL, {{0.3, -0.2, 0.5}, {1, 2, -1}}};
      wrench.frame = (int)(seed % (uint64_t)c.tree->nframe);
      const mbd_wrenches_t f = {seed % 3 ? 1 : 0, &wrench};
      const mat_t pushed = sub(
        dense_inverse_dynamics(&d, mat(all, 1), &f),
        dense_inverse_dynamics(&d, mat(all, 1), &none));
      const mat_t rhs = sub(sub(tau_tree, e.h), pushed);
      mat_t qdd_kkt, lambda_kkt;
      kkt(e.M, e.G, e.gamma, rhs, &qdd_kkt, &lambda_kkt);

      mat_t tau = mat(nv, 1), qdd = mat(nv, 1), qdd_tree = mat(all, 1), back = mat(nv, 1);
      assert_ok(mbd_reduce_torque(c.model, c.data, tau_tree.a, tau.a));
      assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, &f, qdd.a));
      assert_ok(mbd_tree_acceleration(c.model, c.data, qdd.a, qdd_tree.a));
      assert_mat_floor(
        qdd_tree, qdd_kkt, 1e-9, size_of(qdd_kkt), "qdd, terms %u, %lu", (unsigned)terms, seed);
      // bodies' accelerations
      const mat_t alpha = SUM(dense_acceleration(&d, qdd_tree), d.g);
      for (int k = 0; k < c.tree->nbody; k++) {
        assert_mat_floor(
          motion6(c.data->A[k]), block(alpha, 6 * k, 0, 6, 1), 1e-9, size_of(alpha), "A %d, %lu", k,
          seed);
      }
      // reactions: what they do to the joints is unique, they are if no row is redundant
      mat_t lambda = mat(c.tree->nrow, 1);
      assert_ok(mbd_closure_forces(c.model, c.data, qdd.a, tau_tree.a, &f, lambda.a));
      const mat_t joint_forces = PROD(tr(e.G), lambda_kkt);
      assert_mat_floor(
        PROD(tr(e.G), lambda), joint_forces, 1e-9, size_of(joint_forces), "G^T lambda, %lu", seed);
      int keep[256];
      if (tally(&unique, independent_rows(e.G, keep).r == e.G.r)) {
        assert_mat_floor(lambda, lambda_kkt, 1e-9, size_of(lambda_kkt), "lambda, %lu", seed);
      }
      // cut joints: the same by the tree and forces that keep the closures
      mat_t work = mat((int)mbd_constrained_work(c.tree), 1), qdd_cut = mat(all, 1);
      mat_t lambda_cut = mat(c.tree->nrow, 1);
      assert_ok(mbd_set_terms(c.on, terms));
      assert_ok(mbd_constrained_forward_dynamics(
        c.tree, c.on, c.data->q, c.v_tree.a, tau_tree.a, &f, NULL, work.a, qdd_cut.a, lambda_cut.a,
        NULL));
      assert_ok(mbd_set_terms(c.on, 0));
      assert_mat_floor(qdd_tree, qdd_cut, 1e-9, size_of(qdd_kkt), "cut joints, %lu", seed);
      const mat_t cut_forces = PROD(tr(e.G), lambda_cut);
      assert_mat_floor(
        PROD(tr(e.G), lambda), cut_forces, 1e-9, size_of(cut_forces), "their forces, %lu", seed);
      assert_ok(mbd_inverse_dynamics(c.model, c.data, c.t->q, c.v.a, qdd.a, &f, back.a));
      assert_mat_floor(back, tau, 1e-9, size_of(rhs), "ID(FD), %lu", seed);
    }
  }
  assert_enough(&unique, 0.6);
}

// the same motion from any choice of independent velocities
static void
choice_does_not_matter(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int changed = 0;
  FOR_CLOSED(ROBOTS)
  {
    if (c.model->nrow == 0 || c.model->nv == 0) continue;
    set_closed_state(&c);
    const mat_t tau_tree = random_column(c.tree->nv, seed);
    mat_t tau = mat(c.model->nv, 1), qdd = mat(c.model->nv, 1), first = mat(c.tree->nv, 1);
    assert_ok(mbd_reduce_torque(c.model, c.data, tau_tree.a, tau.a));
    assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.v.a, tau.a, NULL, qdd.a));
    assert_ok(mbd_tree_acceleration(c.model, c.data, qdd.a, first.a));
    // ask for the joints that follow now
    const char * preferred[64];
    int n = 0;
    for (int i = 0; i < c.tree->nbody && n < 64; i++) {
      if (c.model->body[i].nv < c.tree->body[i].nv) preferred[n++] = c.tree->body[i].joint_name;
    }
    closed_t other = c;
    if (!embed(&other, preferred, n)) continue;
    assert_int_equal(other.model->nv, c.model->nv);
    changed +=
      memcmp(other.model->dof_tree, c.model->dof_tree, (size_t)c.model->nv * sizeof(int)) != 0;
    mat_t v = mat(c.model->nv, 1), second = mat(c.tree->nv, 1), all = mat(c.tree->nv, 1);
    assert_ok(mbd_convert_velocity(c.model, c.data, c.v.a, other.model, v.a));
    double condition = HUGE_VAL;
    if (mbd_set_position(other.model, other.data, c.t->q) == MBD_OK) {
      assert_ok(mbd_embedding_condition(other.model, other.data, &condition, NULL));
    }
    if (tally(&cases, condition < 1e3)) {
      assert_ok(mbd_set_velocity(other.model, other.data, v.a));
      assert_ok(mbd_tree_velocity(other.model, other.data, NULL, all.a));
      assert_mat_floor(all, c.v_tree, 1e-9, size_of(c.v_tree), "v, %lu", seed);
      assert_ok(mbd_reduce_torque(other.model, other.data, tau_tree.a, tau.a));
      assert_ok(mbd_forward_dynamics(other.model, other.data, NULL, NULL, tau.a, NULL, qdd.a));
      assert_ok(mbd_tree_acceleration(other.model, other.data, qdd.a, second.a));
      assert_mat_floor(second, first, 1e-9, size_of(first), "qdd, %lu", seed);
    }
    mbd_data_destroy(other.data);
    mbd_model_destroy(other.model);
  }
  assert_count(changed, 20);
  assert_enough(&cases, 0.9);
}

//---------- frames ----------

// J X, Jdot v, compliances between frames, responses, tasks
static void
operational_space_is_the_projected_one(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(ROBOTS)
  {
    const equations_t e = equations_of(&c, 0);
    const int nv = c.model->nv, all = c.tree->nv;
    if (!tally(&cases, nv > 0)) continue;
    const mat_t M_inv = inverse(e.M_r);
    const int f = (int)(seed % (uint64_t)c.tree->nframe),
              g = (int)(seed / 3 % (uint64_t)c.tree->nframe);
    const mbd_reference_t reference = (mbd_reference_t)(seed % 3);
    mat_t J_tree = mat(6, all), J = mat(6, nv), J_g = mat(6, nv), xd = mat(all, 1);
    assert_ok(mbd_jacobian(c.tree, c.on, f, reference, J_tree.a));
    assert_ok(mbd_jacobian(c.model, c.data, f, reference, J.a));
    assert_mat_floor(J, PROD(J_tree, e.X), 1e-10, size_of(J), "J, %lu", seed);
    assert_ok(mbd_jacobian(c.model, c.data, g, MBD_LOCAL, J_g.a));
    mbd_motion_t V, bias, bias_tree;
    const mat_t x = random_column(nv, seed);
    assert_ok(mbd_jacobian_product(c.model, c.data, f, reference, x.a, &V));
    assert_mat_floor(motion6(V), PROD(J, x), 1e-10, size_of(J), "J x, %lu", seed);
    // Jdot v = J Xdot v + Jdot v of the tree
    assert_ok(mbd_jacobian_bias(c.model, c.data, f, reference, &bias));
    assert_ok(mbd_jacobian_bias(c.tree, c.on, f, reference, &bias_tree));
    assert_ok(mbd_tree_acceleration(c.model, c.data, NULL, xd.a));
    const mat_t expected = SUM(motion6(bias_tree), PROD(J_tree, xd));
    assert_mat_floor(motion6(bias), expected, 1e-9, size_of(xd), "Jdot v, %lu", seed);
    // compliances
    mat_t C = mat(6, 6), Omega = mat(6, 6), Lambda = mat(6, 6);
    assert_ok(mbd_operational_space_compliance(c.model, c.data, f, reference, C.a));
    const mat_t C_dense = PROD(J, M_inv, tr(J));
    assert_mat_floor(C, C_dense, 1e-9, size_of(C_dense), "compliance, %lu", seed);
    assert_ok(mbd_compliance_between(c.model, c.data, f, reference, g, MBD_LOCAL, Omega.a));
    const mat_t O_dense = PROD(J, M_inv, tr(J_g));
    assert_mat_floor(Omega, O_dense, 1e-9, size_of(C_dense), "between, %lu", seed);
    int rank;
    assert_ok(mbd_operational_space_inertia(c.model, c.data, f, reference, Lambda.a, &rank));
    assert_true(rank <= nv);
    assert_mat_floor(PROD(C, Lambda, C), C, 1e-8, size_of(C), "C Lambda C, %lu", seed);
    // what a wrench does
    const mbd_wrench_t w = {g, MBD_LOCAL, {{1, 2, 3}, {-1, 0.5, 2}}};
    const mbd_wrenches_t one = {1, &w};
    mat_t tau = mat(nv, 1), dqdd = mat(nv, 1);
    const mat_t JT = PROD(tr(J_g), force6(w.f));
    assert_ok(mbd_jacobian_transpose_product(c.model, c.data, &one, tau.a));
    assert_mat_floor(tau, JT, 1e-9, size_of(JT), "J^T f, %lu", seed);
    assert_ok(mbd_force_response(c.model, c.data, &one, dqdd.a));
    const mat_t response = PROD(M_inv, JT);
    assert_mat_floor(dqdd, response, 1e-9, size_of(response), "response, %lu", seed);
    mbd_motion_t A;
    assert_ok(mbd_response_acceleration(c.model, c.data, f, reference, &A));
    assert_mat_floor(motion6(A), PROD(J, dqdd), 1e-9, size_of(PROD(J, dqdd)), "A, %lu", seed);
  }
  assert_enough(&cases, 0.85);
}

// the task's force gives the task's acceleration, with its Jacobian, bias and inertia
static void
tasks_do_what_they_ask(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(ROBOTS)
  {
    const int nv = c.model->nv;
    set_closed_state(&c);
    const int frame = c.tree->body[c.tree->nbody - 1].link_frame;
    const mbd_task_t task = mbdu_task_position(frame, MBD_LOCAL_WORLD_ALIGNED);
    const mbd_tasks_t tasks = {1, &task};
    mat_t J = mat(3, nv), bias = mat(3, 1), L = mat(3, 3), tau = mat(nv, 1), qdd = mat(nv, 1);
    mat_t work = mat((int)mbd_task_work(c.model, &tasks), 1);
    mbd_task_info_t info;
    assert_ok(mbd_task_jacobian(c.model, c.data, &tasks, J.a));
    assert_ok(mbd_task_bias(c.model, c.data, &tasks, bias.a));
    assert_ok(mbd_task_inertia(c.model, c.data, &tasks, NULL, work.a, L.a, &info));
    if (!tally(&cases, info.rank == 3 && info.condition <= 1e4)) continue;
    const double u[3] = {0.5, -1, 2};
    assert_ok(mbd_task_control(c.model, c.data, &tasks, L.a, u, NULL, work.a, tau.a));
    assert_ok(mbd_forward_dynamics(c.model, c.data, NULL, NULL, tau.a, NULL, qdd.a));
    const mat_t got = SUM(PROD(J, qdd), bias);
    assert_mat_floor(got, column(3, u), 1e-9, size_of(bias), "task, %lu", seed);
  }
  assert_enough(&cases, 0.5);
}

//---------- sums ----------

// T = v^T M v / 2, p = M v, momentum, centre of mass, energy rates
static void
sums_are_those_of_the_tree(void ** context)
{
  (void)context;
  FOR_CLOSED(ROBOTS)
  {
    const equations_t e = equations_of(&c, seed % 2 ? MBD_TERM_ROTORS : 0);
    const int nv = c.model->nv;
    double energy, potential, potential_tree;
    assert_ok(mbd_kinetic_energy(c.model, c.data, &energy));
    const double expected = 0.5 * scalar(SUM(PROD(tr(c.v), e.M_r, c.v), mat(1, 1)));
    assert_near(energy / fmax(1, expected), expected / fmax(1, expected), 1e-9, "T, %lu", seed);
    assert_ok(mbd_potential_energy(c.model, c.data, &potential));
    assert_ok(mbd_potential_energy(c.tree, c.on, &potential_tree));
    assert_near(potential, potential_tree, 1e-12, "V, %lu", seed);
    mat_t p = mat(nv, 1), A = mat(6, nv), Jc = mat(3, nv);
    assert_ok(mbd_momentum(c.model, c.data, p.a));
    assert_mat_floor(p, PROD(e.M_r, c.v), 1e-9, size_of(e.M_r), "p, %lu", seed);
    mbd_force_t momentum, rate;
    assert_ok(mbd_centroidal_momentum(c.model, c.data, &momentum));
    assert_ok(mbd_centroidal_matrix(c.model, c.data, A.a));
    assert_mat_floor(
      PROD(A, c.v), force6(momentum), 1e-9, size_of(force6(momentum)), "A v, %lu", seed);
    assert_ok(mbd_com_jacobian(c.model, c.data, Jc.a));
    assert_mat_floor(
      scale(1, PROD(Jc, c.v)), scale(1 / c.tree->mass, block(force6(momentum), 3, 0, 3, 1)), 1e-9,
      1, "J v, %lu", seed);
    // power balance: dT/dt + dV/dt = tau v along the motion
    const mat_t tau = random_column(nv, seed);
    mbd_energy_rates_t rates;
    assert_ok(mbd_energy_rates(c.model, c.data, tau.a, NULL, &rates));
    mat_t qdd = mat(nv, 1), g = mat(nv, 1);
    assert_ok(mbd_gravity(c.model, c.data, g.a));
    const double actuation = scalar(SUM(PROD(tr(tau), c.v), mat(1, 1)));
    assert_near(rates.actuation, actuation, 1e-9, "tau v, %lu", seed);
    const double falling = scalar(SUM(PROD(tr(g), c.v), mat(1, 1)));
    assert_near(
      rates.potential / fmax(1, fabs(falling)), falling / fmax(1, fabs(falling)), 1e-9, "g v, %lu",
      seed);
    assert_ok(mbd_forward_dynamics(c.model, c.data, NULL, NULL, tau.a, NULL, qdd.a));
    assert_ok(mbd_centroidal_bias(c.model, c.data, &rate));
  }
}

// no closures: the functions of the core, number for number                              1.6, 7
static void
nothing_to_embed(void ** context)
{
  (void)context;
  FOR_SEEDS(60)
  {
    closed_t c = closed_tree(seed, NULL, 0, 0);
    assert_true(embed(&c, NULL, 0));
    const int nv = c.model->nv;
    assert_int_equal(nv, c.tree->nv);
    assert_int_equal(mbd_aggregate_count(c.model), 0);
    mat_t qdd = mat(nv, 1), core = mat(nv, 1), M = mat(nv, nv);
    assert_ok(mbd_set_state(c.tree, c.on, c.t->q, NULL));
    assert_ok(mbd_mass_matrix(c.tree, c.on, M.a));
    assert_ok(mbd_forward_dynamics(c.model, c.data, c.t->q, c.t->v, c.t->tau, NULL, qdd.a));
    assert_ok(mbd_forward_dynamics(c.tree, c.on, c.t->q, c.t->v, c.t->tau, NULL, core.a));
    const double size = size_of(M) * size_of(core);
    assert_mat_floor(PROD(M, qdd), PROD(M, core), 1e-12, size, "qdd, %lu", seed);
    closed_free(&c);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_to_embed),
    cmocka_unit_test(motions_obey_the_closures),
    cmocka_unit_test(rate_of_X_is_the_difference_quotient),
    cmocka_unit_test(mass_matrix_is_the_projected_one),
    cmocka_unit_test(forward_dynamics_is_the_saddle_solution),
    cmocka_unit_test(choice_does_not_matter),
    cmocka_unit_test(operational_space_is_the_projected_one),
    cmocka_unit_test(tasks_do_what_they_ask),
    cmocka_unit_test(sums_are_those_of_the_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
