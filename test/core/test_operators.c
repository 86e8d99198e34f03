// Operator identities of Jain, chapters 3 to 10: dense operators against what the sweeps leave in
// the workspace.
#include <math.h>
#include <stdlib.h>

#include "core_test.h"

// the workspace's P, D, G, R, Y as operators, and what the book makes of them
typedef struct operators {
  dense_t d;
  mat_t I, phit, psit;
  mat_t R, P, Y, D, D_inv, G, tau, taubar, P_plus, K, E_psi, psi;
} operators_t;

static void
fill_from_workspace(operators_t * o, const tree_t * t)
{
  const mbd_model_t * m = t->model;
  const mbd_data_t * data = t->data;
  const int n = 6 * m->nbody;
  o->R = mat(n, n), o->P = mat(n, n), o->Y = mat(n, n);
  o->G = mat(n, m->nv), o->D_inv = mat(m->nv, m->nv);
  for (int k = 0; k < m->nbody; k++) {
    const mbd_body_t * body = &m->body[k];
    const int v = body->v_index;
    set_block(o->R, 6 * k, 6 * k, inertia6(&data->R[k]));
    set_block(o->P, 6 * k, 6 * k, sym6(&data->P[k]));
    set_block(o->Y, 6 * k, 6 * k, sym6(&data->Y[k]));
    for (int j = 0; j < body->nv; j++) set_block(o->G, 6 * k, v + j, force6(data->G[v + j]));
    set_block(o->D_inv, v, v, mat_from(body->nv, body->nv, data->D_inv + body->d_index));
  }
}

static operators_t
operators_of(const tree_t * t)
{
  operators_t o;
  o.d = dense_of(t);
  set_state(t);
  assert_ok(mbd_composite_inertia(t->model, t->data));
  assert_ok(mbd_articulated_inertia(t->model, t->data));
  assert_ok(mbd_compliance(t->model, t->data));
  fill_from_workspace(&o, t);
  o.I = eye(o.d.n);
  o.D = inverse(o.D_inv);
  o.tau = PROD(o.G, o.d.H);
  o.taubar = sub(o.I, o.tau);
  o.P_plus = PROD(o.taubar, o.P);
  o.K = PROD(o.d.E, o.G);
  o.E_psi = PROD(o.d.E, o.taubar);
  o.psi = inverse(sub(o.I, o.E_psi));
  o.phit = sub(o.d.phi, o.I);
  o.psit = sub(o.psi, o.I);
  return o;
}

// force through a joint, in the body frame
static mat_t
joint_force(const tree_t * t, int k)
{
  mbd_force_t f;
  assert_ok(mbd_joint_force(t->model, t->data, k, &f));
  const mbd_frame_t * link = &t->model->frame[t->model->body[k].link_frame];
  return PROD(phi6(placement4(&link->X)), force6(f));
}

// a random block-diagonal matrix of 6x6 blocks
static mat_t
random_blocks(int n, uint64_t * state)
{
  mat_t X = mat(n, n);
  for (int i = 0; i < n; i++) {
    for (int j = i - i % 6; j < i - i % 6 + 6; j++) *at(X, i, j) = random_signed(state);
  }
  return X;
}

#define FOR_OPERATORS                           \
  const tree_options_t options = small_trees(); \
  FOR_TREES(TREES, &options)                    \
  for (operators_t o = operators_of(t), *once = &o; once; once = NULL)

//---------- spatial propagation ----------

// E is nilpotent, phi the sum of its powers        (3.36) to (3.41), (8.2) to (8.6)
static void
phi_is_the_sum_of_powers(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    mat_t power = o.I, sum = o.I;
    for (int k = 0; k < o.d.nbody; k++) {
      power = PROD(o.d.E, power);
      sum = SUM(sum, power);
    }
    assert_mat(power, mat(o.d.n, o.d.n), 0, "E^n, seed %lu", seed);
    assert_mat(o.d.phi, sum, 1e-13, "sum of powers, seed %lu", seed);
    assert_mat_floor(o.phit, PROD(o.d.E, o.d.phi), 1e-13, 1, "E phi, seed %lu", seed);
    assert_mat_floor(o.phit, PROD(o.d.phi, o.d.E), 1e-13, 1, "phi E, seed %lu", seed);
    // base to tip: upper triangular, with the children's blocks above the diagonal
    for (int i = 0; i < o.d.nbody; i++) {
      for (int j = 0; j < o.d.nbody; j++) {
        const double size = largest_entry(block(o.d.phi, 6 * i, 6 * j, 6, 6));
        assert_true((size > 0) == dense_is_ancestor(t->model, i, j));
      }
    }
  }
}

//---------- articulated bodies ----------

// the oracle's fixed point is what the sweep finds                        (6.13), (6.24)
static void
articulated_inertias_match_the_fixed_point(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    for (int terms = 0; terms < 2; terms++) {
      const double * rotors = terms ? dense_rotors(t->model).a : NULL;
      const dense_ab_t ab = dense_articulated(&o.d, rotors);
      assert_ok(mbd_set_terms(t->data, terms ? MBD_TERM_ROTORS : 0));
      assert_ok(mbd_articulated_inertia(t->model, t->data));
      fill_from_workspace(&o, t);
      assert_mat(o.P, ab.P, 1e-10, "P, terms %d, seed %lu", terms, seed);
      assert_mat(o.G, ab.G, 1e-10, "G, terms %d, seed %lu", terms, seed);
      assert_mat(o.D_inv, ab.D_inv, 1e-10, "D^-1, terms %d, seed %lu", terms, seed);
    }
  }
}

// what crosses a hinge                                               (6.14) to (6.26)
static void
projections_of_a_hinge(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t H = o.d.H, S = o.d.S, zero = mat(o.d.n, o.d.nv);
    assert_mat(o.D, PROD(H, o.P, S), 1e-10, "D = H P H^T, seed %lu", seed);
    assert_mat(PROD(H, o.G), eye(o.d.nv), 1e-10, "H G, seed %lu", seed);
    assert_mat(PROD(o.tau, o.tau), o.tau, 1e-10, "tau^2, seed %lu", seed);
    const double g = fmax(1, largest_entry(o.G)), p = largest_entry(o.P);
    assert_mat_floor(PROD(o.taubar, o.G), zero, 1e-10, g, "taubar G, seed %lu", seed);
    assert_mat_floor(PROD(tr(o.taubar), S), zero, 1e-10, g, "taubar^T H^T, seed %lu", seed);
    assert_mat_floor(PROD(H, o.P_plus), tr(zero), 1e-10, p, "H P+, seed %lu", seed);
    assert_mat_floor(o.P_plus, tr(o.P_plus), 1e-10, p, "P+ symmetric, seed %lu", seed);
    assert_mat_floor(o.P_plus, PROD(o.P, tr(o.taubar)), 1e-10, p, "P taubar^T, seed %lu", seed);
    assert_mat_floor(
      o.P_plus, PROD(o.taubar, o.P, tr(o.taubar)), 1e-10, p, "taubar P taubar^T, seed %lu", seed);
  }
}

// R >= P >= M, P >= P+, H M H^T <= D <= H R H^T                                  (6.31)
static void
inertias_are_ordered(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const double size = -1e-10 * largest_entry(o.R);
    assert_true(smallest_eigenvalue(sub(o.R, o.P)) > size);
    assert_true(smallest_eigenvalue(sub(o.P, o.d.M)) > size);
    assert_true(smallest_eigenvalue(sub(o.P, o.P_plus)) > size);
    assert_true(smallest_eigenvalue(o.P_plus) > size);
    const mat_t low = PROD(o.d.H, o.d.M, o.d.S), high = PROD(o.d.H, o.R, o.d.S);
    // D, M, R of one hinge: blocks of their own
    assert_true(smallest_eigenvalue(sub(o.D, low)) > size);
    assert_true(smallest_eigenvalue(sub(high, o.D)) > size);
  }
}

// M = P - E_psi P E_psi^T = P - E_phi P E_psi^T                           (7.7), (9.36)
static void
riccati_equation(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const double p = largest_entry(o.P);
    assert_mat_floor(
      sub(o.P, PROD(o.E_psi, o.P, tr(o.E_psi))), o.d.M, 1e-10, p, "E_psi, seed %lu", seed);
    assert_mat_floor(
      sub(o.P, PROD(o.d.E, o.P, tr(o.E_psi))), o.d.M, 1e-10, p, "E_phi, seed %lu", seed);
  }
}

// (7.9), (7.15), (7.16), (9.41), (9.42), (9.47), (9.48)
static void
decompositions_of_phi_M_phi(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t phi = o.d.phi, psi = o.psi, M = o.d.M, P = o.P;
    assert_mat(
      PROD(psi, M, tr(psi)), SUM(P, PROD(o.psit, P), PROD(P, tr(o.psit))), 1e-10,
      "psi M psi^T, seed %lu", seed);
    assert_mat(
      PROD(phi, M, tr(psi)), SUM(P, PROD(o.phit, P), PROD(P, tr(o.psit))), 1e-10,
      "phi M psi^T, seed %lu", seed);
    const mat_t phiK = PROD(phi, o.K);
    assert_mat(
      PROD(phi, M, tr(phi)),
      SUM(P, PROD(o.phit, P), PROD(P, tr(o.phit)), PROD(phiK, o.D, tr(phiK))), 1e-10,
      "phi M phi^T, seed %lu", seed);
    assert_mat(
      PROD(phi, M, tr(phi), o.d.S), PROD(SUM(o.I, PROD(phiK, o.d.H)), P, tr(phi), o.d.S), 1e-10,
      "phi M phi^T H^T, %lu", seed);
  }
}

// psi^-1 - phi^-1 = K H and the products that follow         (7.10) to (7.13), (9.43) to (9.46)
static void
relations_of_phi_and_psi(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t phi = o.d.phi, psi = o.psi, H = o.d.H, K = o.K, KH = PROD(K, H);
    const double size = fmax(1, largest_entry(psi) * largest_entry(phi));
    const mat_t difference = sub(inverse(psi), inverse(phi));
    assert_mat_floor(difference, KH, 1e-10, size, "psi^-1 - phi^-1, seed %lu", seed);
    assert_mat_floor(PROD(inverse(psi), phi), SUM(o.I, PROD(KH, phi)), 1e-10, size, "1, %lu", seed);
    assert_mat_floor(PROD(phi, inverse(psi)), SUM(o.I, PROD(phi, KH)), 1e-10, size, "2, %lu", seed);
    assert_mat_floor(PROD(inverse(phi), psi), sub(o.I, PROD(KH, psi)), 1e-10, size, "3, %lu", seed);
    assert_mat_floor(PROD(psi, inverse(phi)), sub(o.I, PROD(psi, KH)), 1e-10, size, "4, %lu", seed);
    const mat_t unit = SUM(eye(o.d.nv), PROD(H, phi, K)), back = sub(eye(o.d.nv), PROD(H, psi, K));
    assert_mat_floor(PROD(back, H, phi), PROD(H, psi), 1e-10, size, "5, seed %lu", seed);
    assert_mat_floor(PROD(phi, K, back), PROD(psi, K), 1e-10, size, "6, seed %lu", seed);
    assert_mat_floor(PROD(unit, H, psi), PROD(H, phi), 1e-10, size, "7, seed %lu", seed);
    assert_mat_floor(PROD(psi, K, unit), PROD(phi, K), 1e-10, size, "8, seed %lu", seed);
    assert_mat(
      PROD(H, psi, o.d.M, tr(psi), o.d.S), o.D, 1e-10, "H psi M psi^T H^T, seed %lu", seed);
    // (9.38) to (9.40)
    assert_mat_floor(unit, PROD(H, phi, o.G), 1e-10, size, "H phi G, seed %lu", seed);
    assert_mat_floor(
      PROD(H, phi, o.taubar), PROD(H, phi, o.E_psi), 1e-10, size, "H phi taubar, seed %lu", seed);
    assert_mat_floor(
      PROD(H, phi, o.tau), PROD(H, phi, inverse(psi)), 1e-10, size, "H phi tau, seed %lu", seed);
  }
}

// M = (I + H phi K) D (I + H phi K)^T and its inverse    (7.14), (7.17), (7.18), (9.49) to (9.53)
static void
factors_of_the_mass_matrix(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const int nv = o.d.nv;
    mat_t M = mat(nv, nv), M_inv = mat(nv, nv);
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M_inv.a));
    const mat_t unit = SUM(eye(nv), PROD(o.d.H, o.d.phi, o.K));
    const mat_t back = sub(eye(nv), PROD(o.d.H, o.psi, o.K));
    assert_mat(PROD(unit, o.D, tr(unit)), M, 1e-10, "factors, seed %lu", seed);
    assert_mat_floor(
      PROD(unit, back), eye(nv), 1e-10, fmax(1, largest_entry(unit) * largest_entry(back)),
      "inverse factor, seed %lu", seed);
    assert_mat(PROD(tr(back), o.D_inv, back), M_inv, 1e-10, "M^-1, seed %lu", seed);
    assert_near(determinant(unit), 1, 1e-9, "unit determinant, seed %lu", seed);
    assert_near(determinant(M) / determinant(o.D), 1, 1e-8, "determinant, seed %lu", seed);
  }
}

// blocks of D are the pivots of M when tips are eliminated first
static void
hinge_inertias_are_pivots(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    mat_t M = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    const double size = largest_entry(M);
    for (int k = t->model->nbody - 1; k >= 0; k--) {
      const int v = t->model->body[k].v_index, n = t->model->body[k].nv;
      const mat_t pivot = block(M, v, v, n, n);
      assert_mat_floor(pivot, block(o.D, v, v, n, n), 1e-11, size, "body %d, seed %lu", k, seed);
      const mat_t side = block(M, 0, v, v, n);
      const mat_t rest = sub(block(M, 0, 0, v, v), PROD(side, inverse(pivot), tr(side)));
      set_block(M, 0, 0, rest);
    }
  }
}

// z, eps, nu, alpha and qdd of forward dynamics as operators     (7.21), (7.25) to (7.33), (7.38)
static void
forward_dynamics_as_operators(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t T = column(o.d.nv, t->tau), H = o.d.H, S = o.d.S, phi = o.d.phi, psi = o.psi;
    mat_t qdd = mat(o.d.nv, 1);
    assert_ok(mbd_forward_dynamics(t->model, t->data, NULL, NULL, t->tau, NULL, qdd.a));
    const double size = fmax(1, largest_entry(qdd));
    // what the sweep keeps: gravity is not in its z
    const mat_t kept = PROD(psi, SUM(PROD(o.K, T), PROD(o.P, o.d.a), o.d.b));
    for (int k = 0; k < o.d.nbody; k++) {
      assert_mat_floor(
        force6(t->data->z[k]), block(kept, 6 * k, 0, 6, 1), 1e-9, fmax(1, largest_entry(kept)),
        "z %d, seed %lu", k, seed);
    }
    // gravity as an acceleration of the base bodies
    mat_t a = SUM(o.d.a);
    for (int k = 0; k < o.d.nbody; k++) {
      if (t->model->body[k].parent >= 0) continue;
      set_block(a, 6 * k, 0, SUM(block(a, 6 * k, 0, 6, 1), block(o.d.g, 6 * k, 0, 6, 1)));
    }
    const mat_t bias = SUM(PROD(o.P, a), o.d.b);
    const mat_t z = PROD(psi, SUM(PROD(o.K, T), bias));
    const mat_t eps = sub(T, PROD(H, z)), nu = PROD(o.D_inv, eps);
    const double f = fmax(1, largest_entry(z));
    assert_mat_floor(z, PROD(phi, SUM(PROD(o.K, eps), bias)), 1e-9, f, "z by phi, %lu", seed);
    assert_mat_floor(
      SUM(z, PROD(o.G, eps)), PROD(phi, SUM(PROD(o.G, eps), bias)), 1e-9, f, "z+, %lu", seed);
    const mat_t alpha = PROD(tr(psi), SUM(PROD(S, nu), a));
    const mat_t found = sub(nu, PROD(tr(o.K), alpha));
    assert_mat_floor(found, qdd, 1e-9, size, "qdd, seed %lu", seed);
    assert_mat_floor(
      PROD(tr(o.G), sub(alpha, a)), nu, 1e-9, fmax(size, largest_entry(nu)), "nu, %lu", seed);
    for (int k = 0; k < o.d.nbody; k++) {
      assert_mat_floor(
        block(alpha, 6 * k, 0, 6, 1), motion6(t->data->A[k]), 1e-9, fmax(1, largest_entry(alpha)),
        "alpha %d, seed %lu", k, seed);
    }
    // (7.21) in one line
    const mat_t back = sub(eye(o.d.nv), PROD(H, psi, o.K));
    const mat_t line = sub(
      PROD(tr(back), o.D_inv, sub(T, PROD(H, psi, SUM(PROD(o.K, T), bias)))),
      PROD(tr(o.K), tr(psi), a));
    assert_mat_floor(line, qdd, 1e-9, size, "(7.21), seed %lu", seed);
    // forces, both forms                                                        (7.34), (7.40)
    const mat_t force = SUM(PROD(o.P, sub(alpha, a)), z);
    const mat_t alpha_plus = PROD(tr(o.d.E), alpha);
    const mat_t other = SUM(PROD(o.P_plus, alpha_plus), z, PROD(o.G, eps));
    assert_mat_floor(force, other, 1e-9, f, "f both ways, seed %lu", seed);
    for (int k = 0; k < o.d.nbody; k++) {
      assert_mat_floor(
        block(force, 6 * k, 0, 6, 1), joint_force(t, k), 1e-9, f, "f %d, %lu", k, seed);
    }
  }
}

// at rest: f is the smoothed estimate, z and y what is predicted        6.4, table 7.1
static void
forces_at_rest_as_estimates(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t T = column(o.d.nv, t->tau), phi = o.d.phi, S = o.d.S;
    const mat_t zero = mat(o.d.nv, 1);
    mat_t qdd = mat(o.d.nv, 1), M_inv = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, zero.a, t->tau, NULL, qdd.a));
    assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M_inv.a));
    const mat_t f = PROD(phi, o.d.M, tr(phi), S, M_inv, T);
    const double size = fmax(1, largest_entry(f));
    for (int k = 0; k < o.d.nbody; k++) {
      assert_mat_floor(
        joint_force(t, k), block(f, 6 * k, 0, 6, 1), 1e-9, size, "f %d, %lu", k, seed);
    }
    const mat_t nu = PROD(o.D_inv, sub(T, PROD(o.d.H, o.psi, o.K, T)));
    const mat_t z = PROD(o.psi, o.K, T), alpha = PROD(tr(phi), S, qdd);
    assert_mat_floor(z, PROD(o.phit, o.P, S, nu), 1e-9, size, "z, seed %lu", seed);
    const mat_t y = PROD(o.phit, o.R, S, qdd);
    assert_mat_floor(SUM(PROD(o.R, alpha), y), f, 1e-9, size, "y, seed %lu", seed);
    assert_mat_floor(SUM(PROD(o.P, alpha), z), f, 1e-9, size, "f = P alpha + z, %lu", seed);
  }
}

//---------- operational space ----------

// Omega both ways, its diagonal, its recursion off it       (10.12), (10.13), (10.17), (10.22)
static void
extended_compliance(void ** context)
{
  (void)context;
  tally_t apart = {0};
  tally_t pairs = {0};
  FOR_OPERATORS
  {
    const mbd_model_t * m = t->model;
    mat_t M_inv = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_mass_matrix_inverse(m, t->data, M_inv.a));
    const mat_t Hpsi = PROD(o.d.H, o.psi), Hphi = PROD(o.d.H, o.d.phi);
    const mat_t Omega = PROD(tr(Hpsi), o.D_inv, Hpsi);
    const double size = largest_entry(Omega);
    assert_mat(Omega, PROD(tr(Hphi), M_inv, Hphi), 1e-9, "both ways, seed %lu", seed);
    assert_mat(diagonal_blocks(Omega, 6), o.Y, 1e-9, "diagonal, seed %lu", seed);
    assert_true(smallest_eigenvalue(Omega) > -1e-10 * size);
    for (int i = 0; i < o.d.nbody; i++) {
      for (int j = 0; j < o.d.nbody; j++) {
        const mat_t Oij = block(Omega, 6 * i, 6 * j, 6, 6);
        int root_i = i, root_j = j;
        while (m->body[root_i].parent >= 0) root_i = m->body[root_i].parent;
        while (m->body[root_j].parent >= 0) root_j = m->body[root_j].parent;
        if (tally(&apart, root_i != root_j)) assert_true(largest_entry(Oij) == 0);
        const int p = m->body[j].parent;
        if (!tally(&pairs, p >= 0 && !dense_is_ancestor(m, j, i))) continue;
        const mat_t step = block(o.E_psi, 6 * p, 6 * j, 6, 6);
        assert_mat_floor(
          Oij, PROD(block(Omega, 6 * i, 6 * p, 6, 6), step), 1e-9, size, "%d, %d, %lu", i, j, seed);
      }
    }
  }
  assert_enough(&pairs, 0.3);
  assert_enough(&apart, 0.02);
}

// blocks of M^-1 from compliances and gains, on trees                        (10.29) to (10.33)
static void
blocks_of_the_inverse_mass_matrix(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mbd_model_t * m = t->model;
    mat_t M_inv = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_mass_matrix_inverse(m, t->data, M_inv.a));
    const mat_t Hpsi = PROD(o.d.H, o.psi), Omega = PROD(tr(Hpsi), o.D_inv, Hpsi);
    // Z = Y+ G, L = D^-1 + G^T Z, U = L H - Z^T, all block diagonal
    const mat_t Z = PROD(diagonal_blocks(PROD(tr(o.d.E), Omega, o.d.E), 6), o.G);
    const mat_t L = SUM(o.D_inv, PROD(tr(o.G), Z)), U = sub(PROD(L, o.d.H), tr(Z));
    const double size = largest_entry(M_inv);
    for (int k = 0; k < o.d.nbody; k++) {
      for (int j = k; j < o.d.nbody; j++) {
        const mbd_body_t *bk = &m->body[k], *bj = &m->body[j];
        mat_t expected = mat(bk->nv, bj->nv);
        if (k == j) {
          expected = block(L, bk->v_index, bk->v_index, bk->nv, bk->nv);
        } else if (bj->parent >= 0) {
          const int pj = 6 * bj->parent;
          const mat_t Kj = block(o.K, pj, bj->v_index, 6, bj->nv);
          if (dense_is_ancestor(m, k, j)) {
            const mat_t Uk = block(U, bk->v_index, 6 * k, bk->nv, 6);
            expected = scale(-1, PROD(Uk, block(o.psi, 6 * k, pj, 6, 6), Kj));
          } else if (bk->parent >= 0) {
            const mat_t Kk = block(o.K, 6 * bk->parent, bk->v_index, 6, bk->nv);
            expected = PROD(tr(Kk), block(Omega, 6 * bk->parent, pj, 6, 6), Kj);
          }
        }
        assert_mat_floor(
          block(M_inv, bk->v_index, bj->v_index, bk->nv, bj->nv), expected, 1e-9, size,
          "bodies %d, %d, seed %lu", k, j, seed);
      }
    }
  }
}

// U = Omega M projects body velocities on what the robot can do   lemmas 10.3 and 10.4, (10.40)
static void
projection_of_body_velocities(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const mat_t M = o.d.M, phi = o.d.phi, psi = o.psi, Hpsi = PROD(o.d.H, psi);
    const mat_t Omega = PROD(tr(Hpsi), o.D_inv, Hpsi), U = PROD(Omega, M), W = sub(o.I, U);
    const double u = fmax(1, largest_entry(U)), size = u * u;
    const double big = fmax(largest_entry(Omega), 1) * u, m = largest_entry(M) * size;
    assert_mat_floor(PROD(U, U), U, 1e-9, size, "U^2, seed %lu", seed);
    assert_near(trace(U), o.d.nv, 1e-8 * u, "trace, seed %lu", seed);
    assert_mat_floor(PROD(U, Omega), Omega, 1e-9, big, "U Omega, seed %lu", seed);
    assert_mat_floor(PROD(tr(U), M, U), PROD(M, U), 1e-9, m, "U^T M U, seed %lu", seed);
    assert_mat_floor(PROD(tr(W), M, U), mat(U.r, U.r), 1e-9, m, "orthogonal, seed %lu", seed);
    assert_mat_floor(
      PROD(W, tr(phi), o.d.S), mat(U.r, o.d.nv), 1e-9, u * largest_entry(phi), "range, %lu", seed);
    const mat_t OmegaP = PROD(Omega, o.P);
    const double p = fmax(1, largest_entry(OmegaP)) * u;
    assert_mat_floor(PROD(U, tr(psi)), OmegaP, 1e-9, p, "U psi^T, seed %lu", seed);
    assert_mat_floor(
      PROD(U, tr(phi)), sub(tr(phi), sub(tr(psi), OmegaP)), 1e-9, p, "U phi^T, seed %lu", seed);
    assert_mat(PROD(psi, o.P, o.d.S), PROD(o.P, o.d.S), 1e-9, "psi P H^T, seed %lu", seed);
  }
}

// body k of a robot that stands on a moving one: its own compliance and what comes through  (10.24)
static void
compliance_of_a_robot_on_a_robot(void ** context)
{
  (void)context;
  int checked = 0;
  FOR_OPERATORS
  {
    const mbd_model_t * m = t->model;
    for (int k = 1; k < m->nbody; k++) {
      const int p = m->body[k].parent;
      if (p < 0) continue;
      checked++;
      // bodies that k carries, with p as their ground; k is the first of them
      const int n = 6 * (m->body[k].subtree_end - k), v = m->body[k].v_index;
      const int last = m->body[k].subtree_end - 1;
      const int nv = m->body[last].v_index + m->body[last].nv - v;
      const mat_t H = block(o.d.H, v, 6 * k, nv, n), M = block(o.d.M, 6 * k, 6 * k, n, n);
      const mat_t phi = inverse(sub(eye(n), block(o.d.E, 6 * k, 6 * k, n, n)));
      const mat_t Hphi = PROD(H, phi), mass = PROD(Hphi, M, tr(Hphi));
      const mat_t micro = block(PROD(tr(Hphi), inverse(mass), Hphi), 0, 0, 6, 6);
      const mat_t psi = block(o.E_psi, 6 * p, 6 * k, 6, 6);
      const mat_t through = PROD(tr(psi), sym6(&t->data->Y[p]), psi);
      const mat_t Y = sym6(&t->data->Y[k]);
      assert_mat(SUM(micro, through), Y, 1e-9, "body %d, seed %lu", k, seed);
      assert_true(smallest_eigenvalue(sub(Y, micro)) > -1e-9 * largest_entry(Y));
    }
  }
  assert_count(checked, 2 * TREES);
}

//---------- Lyapunov equations ----------

// any block of A X B^T and A^T X B by sweeps, A = phi and B = psi     (9.11) to (9.15), (9.21)
static void
lyapunov_equations(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    uint64_t state = seed;
    const int n = o.d.nbody;
    const mat_t X = random_blocks(o.d.n, &state);
    mat_t gather = SUM(X), scatter = SUM(X);
    for (int k = n - 1; k >= 0; k--) {
      const int p = t->model->body[k].parent;
      if (p < 0) continue;
      // the library's placement and gain, not the oracle's
      const mat_t phi = phi6(placement4(&t->data->X_parent[k]));
      const mat_t psi = PROD(phi, block(o.taubar, 6 * k, 6 * k, 6, 6));
      const mat_t up = PROD(phi, block(gather, 6 * k, 6 * k, 6, 6), tr(psi));
      set_block(gather, 6 * p, 6 * p, SUM(block(gather, 6 * p, 6 * p, 6, 6), up));
    }
    for (int k = 0; k < n; k++) {
      const int p = t->model->body[k].parent;
      if (p < 0) continue;
      const mat_t phi = phi6(placement4(&t->data->X_parent[k]));
      const mat_t psi = PROD(phi, block(o.taubar, 6 * k, 6 * k, 6, 6));
      const mat_t down = PROD(tr(phi), block(scatter, 6 * p, 6 * p, 6, 6), psi);
      set_block(scatter, 6 * k, 6 * k, SUM(block(scatter, 6 * k, 6 * k, 6, 6), down));
    }
    const mat_t forward = PROD(o.d.phi, X, tr(o.psi)), backward = PROD(tr(o.d.phi), X, o.psi);
    const double size = fmax(1, largest_entry(backward));
    assert_mat(diagonal_blocks(forward, 6), gather, 1e-10, "forward, seed %lu", seed);
    assert_mat(
      forward, SUM(gather, PROD(o.phit, gather), PROD(gather, tr(o.psit))), 1e-10,
      "forward, all, seed %lu", seed);
    assert_mat_floor(
      diagonal_blocks(backward, 6), scatter, 1e-10, size, "backward, seed %lu", seed);
    // through the closest common ancestor
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int k = i;
        while (k >= 0 && !dense_is_ancestor(t->model, k, j)) k = t->model->body[k].parent;
        const mat_t Z = block(backward, 6 * i, 6 * j, 6, 6);
        if (k < 0) {
          assert_true(largest_entry(Z) == 0);
          continue;
        }
        const mat_t left = block(o.d.phi, 6 * k, 6 * i, 6, 6);
        const mat_t right = block(o.psi, 6 * k, 6 * j, 6, 6);
        const mat_t path = PROD(tr(left), block(scatter, 6 * k, 6 * k, 6, 6), right);
        assert_mat_floor(Z, path, 1e-10, size, "%d, %d, seed %lu", i, j, seed);
      }
    }
  }
}

//---------- other choices of frame and derivative ----------

// all bodies referred to the world's origin: phi is the identity      5.4, (5.49) to (5.57)
static void
torque_with_the_world_as_reference(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const int n = o.d.nbody;
    mat_t tau = mat(o.d.nv, 1), mass = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, NULL, tau.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, mass.a));
    mat_t A = mat(6 * n, 6 * n), adj = mat(6 * n, 6 * n);
    for (int k = 0; k < n; k++) {
      const mat_t phi = phi6(o.d.X_world[k]);
      set_block(adj, 6 * k, 6 * k, phi);
      for (int j = 0; j < n; j++) {
        if (dense_is_ancestor(t->model, k, j)) set_block(A, 6 * k, 6 * j, eye(6));
      }
    }
    const mat_t out = inverse(tr(adj));
    const mat_t S = PROD(out, o.d.S), M = PROD(adj, o.d.M, tr(adj));
    const mat_t V = PROD(tr(A), S, o.d.v), Delta = PROD(S, o.d.v), h = PROD(M, V);
    mat_t a = PROD(out, o.d.S_rate, o.d.v), b = mat(6 * n, 1), g = mat(6 * n, 1);
    const mbd_vec3_t gravity = t->model->gravity;
    const double minus[6] = {0, 0, 0, -gravity.x, -gravity.y, -gravity.z};
    for (int k = 0; k < n; k++) {
      const double * Vk = V.a + 6 * k;
      const mat_t cross = PROD(tilde6(Vk), block(Delta, 6 * k, 0, 6, 1));
      set_block(a, 6 * k, 0, SUM(block(a, 6 * k, 0, 6, 1), cross));
      set_block(b, 6 * k, 0, PROD(bar6(Vk), block(h, 6 * k, 0, 6, 1)));
      set_block(g, 6 * k, 0, column(6, minus));
    }
    const mat_t alpha = PROD(tr(A), SUM(PROD(S, column(o.d.nv, t->qdd)), a));
    const mat_t f = PROD(A, SUM(PROD(M, SUM(alpha, g)), b));
    assert_mat_floor(PROD(tr(S), f), tau, 1e-10, largest_entry(f), "tau, seed %lu", seed);
    assert_mat_floor(
      PROD(tr(S), A, M, tr(A), S), mass, 1e-10, largest_entry(M), "M, seed %lu", seed);
  }
}

// inertial derivatives at the bodies' own origins          (2.26), (5.19), (5.20), table 5.1
static void
torque_with_inertial_derivatives(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    const int n = o.d.nbody;
    mat_t tau = mat(o.d.nv, 1);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, NULL, tau.a));
    // classical accelerations: alpha + [0; w x v]
    const mat_t alpha = dense_acceleration(&o.d, column(o.d.nv, t->qdd));
    mat_t f = PROD(o.d.M, SUM(alpha, o.d.g));
    for (int k = 0; k < n; k++) {
      const double * V = o.d.V.a + 6 * k;
      const mat_t Mk = block(o.d.M, 6 * k, 6 * k, 6, 6), w = half6(V, 0);
      const mat_t classical = PROD(bar6(V), column(6, V));
      const mat_t bJ = PROD(tilde6(w.a), Mk, w);
      const mat_t extra = SUM(PROD(Mk, classical), bJ);
      set_block(f, 6 * k, 0, SUM(block(f, 6 * k, 0, 6, 1), extra));
    }
    assert_mat_floor(PROD(o.d.H, o.d.phi, f), tau, 1e-10, largest_entry(f), "seed %lu", seed);
  }
}

// other body frames: E_B = A E A^-1, M and tau as before              5.1.3, lemma 8.8
static void
torque_with_other_body_frames(void ** context)
{
  (void)context;
  FOR_OPERATORS
  {
    uint64_t state = seed;
    mat_t tau = mat(o.d.nv, 1), mass = mat(o.d.nv, o.d.nv);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, NULL, tau.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, mass.a));
    mat_t A = mat(o.d.n, o.d.n);
    for (int k = 0; k < o.d.nbody; k++) {
      const mbd_placement_t X = random_placement(&state);
      set_block(A, 6 * k, 6 * k, phi6(placement4(&X)));
    }
    const mat_t out = inverse(tr(A)), E = PROD(A, o.d.E, inverse(A));
    const mat_t phi = inverse(sub(o.I, E)), S = PROD(out, o.d.S), M = PROD(A, o.d.M, tr(A));
    assert_mat(PROD(tr(S), phi, M, tr(phi), S), mass, 1e-10, "M, seed %lu", seed);
    const mat_t V = PROD(out, o.d.V), Delta = PROD(S, o.d.v), h = PROD(M, V);
    mat_t a = PROD(out, o.d.S_rate, o.d.v), b = mat(o.d.n, 1);
    for (int k = 0; k < o.d.nbody; k++) {
      const double * Vk = V.a + 6 * k;
      const mat_t cross = PROD(tilde6(Vk), block(Delta, 6 * k, 0, 6, 1));
      set_block(a, 6 * k, 0, SUM(block(a, 6 * k, 0, 6, 1), cross));
      set_block(b, 6 * k, 0, PROD(bar6(Vk), block(h, 6 * k, 0, 6, 1)));
    }
    // a is phi^T(O,B) a                                                          (5.18)
    assert_mat_floor(a, PROD(out, o.d.a), 1e-11, fmax(1, largest_entry(a)), "a, %lu", seed);
    const mat_t alpha = PROD(tr(phi), SUM(PROD(S, column(o.d.nv, t->qdd)), a));
    const mat_t f = PROD(phi, SUM(PROD(M, SUM(alpha, PROD(out, o.d.g))), b));
    assert_mat_floor(PROD(tr(S), f), tau, 1e-10, largest_entry(f), "tau, seed %lu", seed);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(phi_is_the_sum_of_powers),
    cmocka_unit_test(articulated_inertias_match_the_fixed_point),
    cmocka_unit_test(projections_of_a_hinge),
    cmocka_unit_test(inertias_are_ordered),
    cmocka_unit_test(riccati_equation),
    cmocka_unit_test(decompositions_of_phi_M_phi),
    cmocka_unit_test(relations_of_phi_and_psi),
    cmocka_unit_test(factors_of_the_mass_matrix),
    cmocka_unit_test(hinge_inertias_are_pivots),
    cmocka_unit_test(forward_dynamics_as_operators),
    cmocka_unit_test(forces_at_rest_as_estimates),
    cmocka_unit_test(extended_compliance),
    cmocka_unit_test(blocks_of_the_inverse_mass_matrix),
    cmocka_unit_test(projection_of_body_velocities),
    cmocka_unit_test(compliance_of_a_robot_on_a_robot),
    cmocka_unit_test(lyapunov_equations),
    cmocka_unit_test(torque_with_the_world_as_reference),
    cmocka_unit_test(torque_with_inertial_derivatives),
    cmocka_unit_test(torque_with_other_body_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
