// Identities of chapters 18 and 19 between operators and their rates, on dense operators in body
// axes: there a hinge that moves by DV is dE/dt = E bar(DV), and the terms with which the book turns
// inertial axes along are not there. What the library computes by sweeps is held against them.
#include <string.h>

#include "by_hand.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/operators/diagonal.h"
#include "mbdyn/operators/factors.h"

static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STEP 1e-3

//---------- operators at a state, and their rates along u ----------

typedef struct rates {
  dense_t d;
  dense_ab_t ab;
  mat_t I, M;            // unit, mass matrix
  mat_t DV, bar, tilde;  // S u of the hinges, and its matrices n x n
  mat_t Sdot;            // dS along u, n x nv
} rates_t;

static mat_t
block_diagonal(mat_t (*of)(const double *), mat_t x)
{
  mat_t A = mat(x.r, x.r);
  for (int i = 0; i < x.r; i += 6) set_block(A, i, i, of(x.a + i));
  return A;
}

static rates_t
rates_along(const tree_t * t, mat_t u)
{
  const mbd_model_t * m = t->model;
  rates_t r = {.d = dense_of(t)};
  r.ab = dense_articulated(&r.d, NULL);
  r.I = eye(r.d.n);
  r.M = dense_mass(&r.d);
  r.DV = PROD(r.d.S, u);
  r.bar = block_diagonal(bar6, r.DV);
  r.tilde = block_diagonal(tilde6, r.DV);
  r.Sdot = mat(r.d.n, r.d.nv);
  for (int i = 0; i < m->nbody; i++) {
    const mbd_body_t * b = &m->body[i];
    const mat_t dS = dense_subspace_rate(b, t->q + b->q_index, u.a + b->v_index);
    set_block(r.Sdot, 6 * i, b->v_index, dS);
  }
  return r;
}

static dense_t
moved(const tree_t * t, mat_t u, double h)
{
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, u.a, h, q.a);
  return dense_at(t->model, NULL, q.a, t->v, t->model->gravity);
}

// axes of all joints stand still in the child
static bool
still_axes(const mbd_model_t * m)
{
  for (int i = 0; i < m->nbody; i++) {
    if (m->body[i].type == MBD_JOINT_UNIVERSAL || m->body[i].type == MBD_JOINT_USER) return false;
  }
  return true;
}

// trees whose joints have such axes come often enough among those of one degree of freedom
#define FOR_STILL_TREES                                             \
  const tree_options_t one_dof = {1, 10, true, false, true, false}; \
  const tree_options_t usual = small_trees();                       \
  tally_t still = {0};                                              \
  FOR_TREES(2 * TREES, seed <= robots(TREES) ? &one_dof : &usual)   \
  if (tally(&still, still_axes(t->model)))

//---------- lemma 18.1 to 18.4 ----------

// V moves with phi                                                         lemma 18.1, Ex 18.1
static void
velocities_pass_the_operators(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const rates_t r = rates_along(t, column(t->model->nv, t->v));
    const mat_t E = r.d.E, phi = r.d.phi, V_plus = PROD(tr(E), r.d.V);
    const mat_t tilde = block_diagonal(tilde6, r.d.V), bar = block_diagonal(bar6, r.d.V);
    const double size = fmax(1, largest_entry(tilde) * pow(largest_entry(phi), 2));
    assert_mat_floor(
      PROD(tr(E), tilde), PROD(block_diagonal(tilde6, V_plus), tr(E)), 1e-11, size, "E, %lu", seed);
    assert_mat_floor(
      sub(PROD(tilde, tr(phi)), PROD(tr(phi), tilde)), PROD(tr(phi), r.tilde, tr(sub(phi, r.I))),
      1e-11, size, "phi^T, seed %lu", seed);
    assert_mat_floor(
      sub(PROD(phi, bar), PROD(bar, phi)), PROD(sub(phi, r.I), r.bar, phi), 1e-11, size,
      "phi, seed %lu", seed);
    // the linear half of the parent's velocity in the child's axes
    mat_t linear = mat(r.d.n, 1), of_parent = mat(r.d.n, 1);
    for (int i = 0; i < t->model->nbody; i++) {
      const int p = t->model->body[i].parent;
      set_block(linear, 6 * i, 0, half6(r.d.V.a + 6 * i, 1));
      if (p < 0) continue;
      const mat_t R = block(r.d.X_parent[i], 0, 0, 3, 3);
      set_block(of_parent, 6 * i + 3, 0, PROD(tr(R), block(r.d.V, 6 * p + 3, 0, 3, 1)));
    }
    assert_mat_floor(
      PROD(block_diagonal(bar6, linear), E), PROD(E, block_diagonal(bar6, of_parent)), 1e-11, size,
      "linear half, seed %lu", seed);
  }
}

// dE = E bar(DV), dphi = (phi - I) bar(DV) phi, d(H phi), all by differences  lemma 18.3, Ex 18.2
static void
operators_change_as_differences_say(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    for (int kind = 0; kind < 2; kind++) {
      const int nv = t->model->nv;
      const mat_t u = kind ? unit_column(nv, (int)(seed % (uint64_t)nv)) : column(nv, t->v);
      const rates_t r = rates_along(t, u);
      mat_t E = mat(r.d.n, r.d.n), phi = mat(r.d.n, r.d.n), H_phi = mat(nv, r.d.n);
      for (int k = 0; k < 4; k++) {
        const dense_t d = moved(t, u, offset[k] * STEP);
        const double w = weight[k] / STEP;
        E = SUM(E, scale(w, d.E));
        phi = SUM(phi, scale(w, d.phi));
        H_phi = SUM(H_phi, scale(w, PROD(d.H, d.phi)));
      }
      const mat_t dphi = PROD(sub(r.d.phi, r.I), r.bar, r.d.phi);
      const double size = fmax(1, largest_entry(phi));
      assert_mat_floor(E, PROD(r.d.E, r.bar), 1e-8, size, "dE, kind %d, seed %lu", kind, seed);
      assert_mat_floor(phi, dphi, 1e-8, size, "dphi, kind %d, seed %lu", kind, seed);
      assert_mat_floor(
        H_phi, SUM(PROD(r.d.H, dphi), PROD(tr(r.Sdot), r.d.phi)), 1e-8, size,
        "d(H phi), kind %d, seed %lu", kind, seed);
    }
  }
}

// dM = H phi (E bar(DV) phi M - M phi^T tilde(DV) E^T) phi^T H^T, and what moving axes add:
// along the motion and along each degree of freedom                          (18.23), (18.36)
static mat_t
mass_change(const rates_t * r)
{
  const mat_t phi = r->d.phi, S = r->d.S;
  const mat_t inner = PROD(r->d.E, r->bar, phi, r->d.M);
  const mat_t axes = PROD(tr(r->Sdot), phi, r->d.M, tr(phi), S);
  const mat_t moves = PROD(r->d.H, phi, SUM(inner, tr(inner)), tr(phi), S);
  return SUM(moves, axes, tr(axes));
}

static void
mass_matrix_rates_are_those_of_the_operators(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    state_at(t, 0);
    const rates_t r = rates_along(t, column(n, t->v));
    mat_t rate = mat(n, n), dM = mat(n, n * n);
    const mat_t work = mat((int)mbd_derivatives_work(m), 1);
    assert_ok(mbd_mass_matrix_rate(m, t->data, rate.a));
    assert_ok(mbd_mass_matrix_tensor(m, t->data, work.a, dM.a));
    assert_mat_floor(rate, mass_change(&r), 1e-10, 1, "dM/dt, seed %lu", seed);
    for (int j = 0; j < n; j++) {
      const rates_t along = rates_along(t, unit_column(n, j));
      assert_mat_floor(
        mat_from(n, n, dM.a + j * n * n), mass_change(&along), 1e-10, 1, "dof %d, %lu", j, seed);
    }
  }
}

// dKe/dq = -H bar(V+) phi M V = (one degree of freedom) -H bar(V) phi M V = 1/2 v^T M_j v
//                                                                           lemma 18.10, (18.38)
static void
energy_gradient_has_three_forms(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    const rates_t r = rates_along(t, column(m->nv, t->v));
    const mat_t h = PROD(r.d.phi, r.d.M, r.d.V), v = column(m->nv, t->v);
    const mat_t V_plus = sub(r.d.V, r.DV);
    const mat_t first = scale(-1, PROD(r.d.H, block_diagonal(bar6, V_plus), h));
    mat_t gradient = mat(m->nv, 1), third = mat(m->nv, 1);
    assert_ok(mbd_kinetic_energy_gradient(m, t->data, gradient.a));
    for (int j = 0; j < m->nv; j++) {
      const rates_t along = rates_along(t, unit_column(m->nv, j));
      third.a[j] = 0.5 * scalar(PROD(tr(v), mass_change(&along), v));
    }
    const double size = fmax(1, largest_entry(h) * largest_entry(r.d.V));
    assert_mat_floor(gradient, first, 1e-11, size, "first, seed %lu", seed);
    assert_mat_floor(gradient, third, 1e-11, size, "third, seed %lu", seed);
    if (seed > robots(TREES)) continue;
    const mat_t second = scale(-1, PROD(r.d.H, block_diagonal(bar6, r.d.V), h));
    assert_mat_floor(gradient, second, 1e-11, size, "second, seed %lu", seed);
    // because a hinge does not turn its own axis                                      (18.32)
    assert_mat_floor(PROD(r.tilde, r.d.S), mat(r.d.n, m->nv), 1e-13, 1, "DV x S, %lu", seed);
  }
  assert_enough(&still, 0.5);
}

// C v = H phi (bar(V) M - M phi^T tilde(DV) E^T) V                                    (18.41)
static void
coriolis_is_that_of_the_operators(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    state_at(t, 0);
    const rates_t r = rates_along(t, column(t->model->nv, t->v));
    const mat_t phi = r.d.phi;
    const mat_t bar = block_diagonal(bar6, r.d.V);
    const mat_t inner = sub(PROD(bar, r.d.M), PROD(r.d.M, tr(phi), r.tilde, tr(r.d.E)));
    mat_t C = mat(t->model->nv, t->model->nv);
    assert_ok(mbd_coriolis_matrix(t->model, t->data, C.a));
    const double size = fmax(1, largest_entry(C));
    assert_mat_floor(PROD(r.d.H, phi, inner, r.d.V), PROD(C, r.d.v), 1e-10, size, "seed %lu", seed);
  }
  assert_enough(&still, 0.5);
}

//---------- articulated bodies: lemmas 18.11 to 18.14 ----------

typedef struct articulated {
  mat_t dP, dG, dD;  // n x n, n x nv, nv x nv
} articulated_t;

static articulated_t
articulated_along(const tree_t * t, mat_t u)
{
  const mbd_model_t * m = t->model;
  const int n = 6 * m->nbody;
  articulated_t a = {mat(n, n), mat(n, m->nv), mat(m->nv, m->nv)};
  mat_t P = mat(21 * m->nbody, 1), G = mat(6 * m->nv, 1), D = mat(m->nD, 1);
  mbd_sym6_t * dP = (void *)P.a;
  mbd_force_t * dG = (void *)G.a;
  assert_ok(mbd_articulated_rate(m, t->data, u.a, dP, dG, D.a));
  for (int i = 0; i < m->nbody; i++) {
    const mbd_body_t * b = &m->body[i];
    set_block(a.dP, 6 * i, 6 * i, sym6(&dP[i]));
    set_block(a.dD, b->v_index, b->v_index, mat_from(b->nv, b->nv, D.a + b->d_index));
    for (int k = 0; k < b->nv; k++)
      set_block(a.dG, 6 * i, b->v_index + k, force6(dG[b->v_index + k]));
  }
  return a;
}

// dP - E_psi dP E_psi^T = E (bar(DV) P+ - P+ tilde(DV)) E^T; dD = H dP H^T; dG = taubar dP H^T / D
//                                                                       (18.44), lemmas 18.11, 18.12
static void
rates_solve_the_lyapunov_equation(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    state_at(t, 0);
    for (int kind = 0; kind < 2; kind++) {
      const int nv = t->model->nv;
      const mat_t u = kind ? unit_column(nv, (int)(seed % (uint64_t)nv)) : column(nv, t->v);
      const rates_t r = rates_along(t, u);
      const articulated_t a = articulated_along(t, u);
      const mat_t E_psi = r.ab.E_psi, X = PROD(r.bar, r.ab.P_plus);
      const double size = fmax(1, largest_entry(a.dP));
      assert_mat_floor(
        sub(a.dP, PROD(E_psi, a.dP, tr(E_psi))), PROD(r.d.E, SUM(X, tr(X)), tr(r.d.E)), 1e-9, size,
        "Lyapunov, kind %d, seed %lu", kind, seed);
      assert_mat_floor(
        a.dD, PROD(r.d.H, a.dP, r.d.S), 1e-10, size, "dD, kind %d, seed %lu", kind, seed);
      assert_mat_floor(
        a.dG, PROD(r.ab.taubar, a.dP, r.d.S, r.ab.D_inv), 1e-9, size, "dG, kind %d, %lu", kind,
        seed);
    }
  }
  assert_enough(&still, 0.5);
}

// tau, P+ and psi by differences                                            lemmas 18.12, 18.13
static void
projections_change_as_differences_say(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    state_at(t, 0);
    const mat_t u = column(t->model->nv, t->v);
    const rates_t r = rates_along(t, u);
    const articulated_t a = articulated_along(t, u);
    const int n = r.d.n;
    mat_t tau = mat(n, n), P_plus = mat(n, n), E_psi = mat(n, n);
    for (int k = 0; k < 4; k++) {
      const dense_t d = moved(t, u, offset[k] * STEP);
      const dense_ab_t ab = dense_articulated(&d, NULL);
      const double w = weight[k] / STEP;
      tau = SUM(tau, scale(w, ab.tau));
      P_plus = SUM(P_plus, scale(w, ab.P_plus));
      E_psi = SUM(E_psi, scale(w, ab.E_psi));
    }
    const mat_t dtau = PROD(r.ab.taubar, a.dP, r.d.S, r.ab.D_inv, r.d.H);
    const double size = fmax(1, fmax(largest_entry(dtau), largest_entry(a.dP)));
    assert_mat_floor(tau, dtau, 1e-7, size, "dtau, seed %lu", seed);
    assert_mat_floor(
      P_plus, PROD(r.ab.taubar, a.dP, tr(r.ab.taubar)), 1e-7, size, "dP+, seed %lu", seed);
    assert_mat_floor(
      E_psi, PROD(r.d.E, sub(PROD(r.bar, r.ab.taubar), dtau)), 1e-7, size, "dpsi, seed %lu", seed);
  }
  assert_enough(&still, 0.5);
}

// one degree of freedom changes what carries it and nothing else, in body axes exactly  lemma 18.14
static void
sensitivities_reach_only_inwards(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    for (int j = 0; j < m->nv; j++) {
      const articulated_t a = articulated_along(t, unit_column(m->nv, j));
      for (int i = 0; i < m->nbody; i++) {
        if (i != m->dof_body[j] && dense_is_ancestor(m, i, m->dof_body[j])) continue;
        assert_true(largest_entry(block(a.dP, 6 * i, 6 * i, 6, 6)) == 0);
      }
    }
  }
  assert_enough(&still, 0.5);
}

// dF = H phi (E bar(DV) phi G + taubar dP H^T / D); d(1/F) = -H psi (the same) / F;
// d(F D) = H phi (E bar(DV) phi P + dP) H^T                                      Ex 18.11 to 18.14
static void
factor_rates_are_those_of_the_operators(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    state_at(t, 0);
    for (int kind = 0; kind < 2; kind++) {
      const mat_t u = kind ? unit_column(n, (int)(seed % (uint64_t)n)) : column(n, t->v);
      const rates_t r = rates_along(t, u);
      const articulated_t a = articulated_along(t, u);
      const mat_t H = r.d.H, phi = r.d.phi, psi = r.ab.psi, S = r.d.S;
      const mat_t work = mat((int)mbd_diagonal_work(m), 1);
      mat_t dF = mat(n, n), dF_inv = mat(n, n), dD = mat(n, n);
      assert_ok(mbd_factor_rates(m, t->data, u.a, work.a, dF.a, dF_inv.a, dD.a));
      const mat_t inner =
        SUM(PROD(r.d.E, r.bar, phi, r.ab.G), PROD(r.ab.taubar, a.dP, S, r.ab.D_inv));
      const mat_t F = SUM(eye(n), PROD(H, phi, r.ab.K)), back = sub(eye(n), PROD(H, psi, r.ab.K));
      const double size = fmax(1, fmax(largest_entry(dF), largest_entry(dF_inv)));
      assert_mat_floor(dF, PROD(H, phi, inner), 1e-9, size, "dF, kind %d, seed %lu", kind, seed);
      assert_mat_floor(
        dF_inv, scale(-1, PROD(H, psi, inner, back)), 1e-8, size, "1/F, kind %d, %lu", kind, seed);
      const mat_t whole = SUM(PROD(r.d.E, r.bar, phi, r.ab.P), a.dP);
      assert_mat_floor(
        SUM(PROD(dF, r.ab.D), PROD(F, dD)), PROD(H, phi, whole, S), 1e-9,
        fmax(1, largest_entry(whole)), "F D, kind %d, seed %lu", kind, seed);
    }
  }
  assert_enough(&still, 0.5);
}

// d log det M: trace(M^-1 dM) = sum of trace(D^-1 dD) = 2 trace(P+ Omega+ bar(S))        Ex 18.15
static void
determinant_gradient_has_three_forms(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    mat_t gradient = mat(m->nv, 1);
    assert_ok(mbd_log_determinant_gradient(m, t->data, gradient.a));
    for (int j = 0; j < m->nv; j++) {
      const rates_t r = rates_along(t, unit_column(m->nv, j));
      const articulated_t a = articulated_along(t, unit_column(m->nv, j));
      const mat_t M_inv = inverse(r.M);
      const mat_t Omega = PROD(tr(r.d.phi), r.d.S, M_inv, r.d.H, r.d.phi);
      const mat_t plus = PROD(tr(r.d.E), Omega, r.d.E);
      const double form[3] = {
        trace(PROD(M_inv, mass_change(&r))), trace(PROD(r.ab.D_inv, a.dD)),
        2 * trace(PROD(r.bar, r.ab.P_plus, diagonal_blocks(plus, 6)))};
      for (int k = 0; k < 3; k++)
        assert_near(form[k], gradient.a[j], 1e-8 * fmax(1, fabs(gradient.a[j])), "%d %lu", k, seed);
    }
  }
  assert_enough(&still, 0.5);
}

//---------- chapter 19 ----------

static mat_t
root_of(const tree_t * t)
{
  const mbd_model_t * m = t->model;
  mat_t L = mat(m->nv, m->nv), x = mat(m->nv, 1);
  for (int k = 0; k < m->nv; k++) {
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT, unit_column(m->nv, k).a, x.a));
    set_block(L, 0, k, x);
  }
  return L;
}

static tree_options_t
one_dof_trees(void)
{
  tree_options_t options = small_trees();
  options.one_dof_only = true;
  return options;
}

// m = F D^1/2: mdot = dF D^1/2 + F dD / (2 D^1/2), ldot = -l mdot l, along the motion and along one
// degree of freedom                                                  lemma 19.7, Ex 19.3, Ex 19.4
static void
root_changes_as_differences_say(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    for (int kind = 0; kind < 2; kind++) {
      const mat_t u = kind ? unit_column(n, (int)(seed % (uint64_t)n)) : column(n, t->v);
      mat_t rate = mat(n, n), back = mat(n, n), F = mat(n, n), D = mat(n, n), q = mat(m->nq, 1);
      for (int k = 0; k < 4; k++) {
        dense_step_all(m, t->q, u.a, offset[k] * STEP, q.a);
        assert_ok(mbd_set_position(m, t->data, q.a));
        const mat_t L = root_of(t);
        rate = SUM(rate, scale(weight[k] / STEP, L));
        back = SUM(back, scale(weight[k] / STEP, inverse(L)));
      }
      mat_t dF = mat(n, n), dD = mat(n, n), dF_inv = mat(n, n);
      const mat_t work = mat((int)mbd_diagonal_work(m), 1);
      set_state(t);
      assert_ok(mbd_factor_rates(m, t->data, u.a, work.a, dF.a, dF_inv.a, dD.a));
      assert_ok(mbd_mass_factors(m, t->data, F.a, D.a));
      mat_t root = mat(n, n), droot = mat(n, n), half = mat(n, n), dhalf = mat(n, n);
      for (int k = 0; k < n; k++) {
        const double d = sqrt(*at(D, k, k)), dd = *at(dD, k, k) / (2 * d);
        *at(root, k, k) = d, *at(droot, k, k) = dd;
        *at(half, k, k) = 1 / d, *at(dhalf, k, k) = -dd / (d * d);
      }
      const double size = fmax(1, largest_entry(rate));
      assert_mat_floor(
        SUM(PROD(dF, root), PROD(F, droot)), rate, 1e-7, size, "m, kind %d, %lu", kind, seed);
      const mat_t ldot = SUM(PROD(half, dF_inv), PROD(dhalf, inverse(F)));
      assert_mat_floor(ldot, back, 1e-7, fmax(1, largest_entry(back)), "l, %d %lu", kind, seed);
      const mat_t l = inverse(root_of(t));
      assert_mat_floor(
        ldot, scale(-1, PROD(l, SUM(PROD(dF, root), PROD(F, droot)), l)), 1e-9,
        fmax(1, largest_entry(back)), "-l mdot l, %d %lu", kind, seed);
    }
  }
}

// round trips, energy and its rate; C(q, eta) = l (mdot eta - dKe/dq): Lagrange's route
//                                                               19.3, Ex 19.2, (19.15), (19.16)
static void
quasi_velocities_by_lagrange(void ** context)
{
  (void)context;
  const tree_options_t options = one_dof_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    state_at(t, 0);
    const mat_t L = root_of(t), l = inverse(L), v = column(n, t->v), tau = column(n, t->tau);
    const mat_t eta = PROD(tr(L), v), zeta = PROD(l, tau);
    mat_t again = mat(n, 1), mdot = mat(n, n), q = mat(m->nq, 1), slope = mat(n, 1), C = mat(n, 1);
    double energy;
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT_INVERSE_TRANSPOSE, eta.a, again.a));
    assert_mat_floor(again, v, 1e-9, 1, "v again, seed %lu", seed);
    assert_ok(mbd_mass_sqrt(m, t->data, MBD_SQRT, zeta.a, again.a));
    assert_mat_floor(again, tau, 1e-9, 1, "torque again, seed %lu", seed);
    assert_ok(mbd_kinetic_energy(m, t->data, &energy));
    assert_near(0.5 * scalar(PROD(tr(eta), eta)), energy, 1e-9 * fmax(1, energy), "%lu", seed);
    const double power = scalar(PROD(tr(v), tau));
    assert_near(
      scalar(PROD(tr(eta), zeta)), power, 1e-9 * fmax(1, fabs(power)), "power, seed %lu", seed);
    const mat_t work = mat((int)mbd_diagonal_work(m), 1);
    assert_ok(mbd_quasi_coriolis(m, t->data, work.a, C.a));
    assert_ok(mbd_kinetic_energy_gradient(m, t->data, slope.a));
    for (int k = 0; k < 4; k++) {
      dense_step_all(m, t->q, t->v, offset[k] * STEP, q.a);
      assert_ok(mbd_set_position(m, t->data, q.a));
      mdot = SUM(mdot, scale(weight[k] / STEP, root_of(t)));
    }
    const mat_t lagrange = PROD(l, sub(PROD(mdot, eta), slope));
    assert_mat_floor(C, lagrange, 1e-7, fmax(1, largest_entry(C)), "C, seed %lu", seed);
  }
}

// C(q, xi) = H psi (bar(V) M V + E_psi P a) - H dP taubar^T V, a = tilde(V) DV: (19.42) in body axes
static void
unnormalized_coriolis_is_that_of_the_operators(void ** context)
{
  (void)context;
  FOR_STILL_TREES
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    const mat_t v = column(m->nv, t->v), work = mat((int)mbd_diagonal_work(m), 1);
    const rates_t r = rates_along(t, v);
    const articulated_t a = articulated_along(t, v);
    mat_t C = mat(m->nv, 1);
    assert_ok(mbd_unnormalized_coriolis(m, t->data, work.a, C.a));
    const mat_t bias = PROD(block_diagonal(tilde6, r.d.V), r.DV);
    const mat_t gyroscopic = PROD(block_diagonal(bar6, r.d.V), r.d.M, r.d.V);
    const mat_t inner = SUM(gyroscopic, PROD(r.ab.E_psi, r.ab.P, bias));
    const mat_t expected =
      sub(PROD(r.d.H, r.ab.psi, inner), PROD(r.d.H, a.dP, tr(r.ab.taubar), r.d.V));
    const double size = fmax(1, fmax(largest_entry(inner), largest_entry(a.dP)));
    assert_mat_floor(C, expected, 1e-9, size, "seed %lu", seed);
  }
  assert_enough(&still, 0.5);
}

// D xi' + C = F^-1 tau with xi' = F^T qdd + dF/dt^T v of forward dynamics: no differences  Alg 19.3
static void
quasi_accelerations_are_those_of_forward_dynamics(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int n = m->nv;
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    mat_t qdd = mat(n, 1), rate = mat(n, 1), C = mat(n, 1), F = mat(n, n), D = mat(n, n);
    mat_t dF = mat(n, n);
    const mat_t work = mat((int)mbd_diagonal_work(m), 1);
    assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, qdd.a));
    set_state(t);
    assert_ok(mbd_factor_rates(m, t->data, t->v, work.a, dF.a, NULL, NULL));
    assert_ok(mbd_factor_rate_product(m, t->data, work.a, rate.a));
    assert_mat_floor(
      rate, PROD(tr(dF), column(n, t->v)), 1e-9, fmax(1, largest_entry(dF)), "dF^T v, %lu", seed);
    assert_ok(mbd_unnormalized_coriolis(m, t->data, work.a, C.a));
    assert_ok(mbd_mass_factors(m, t->data, F.a, D.a));
    const mat_t xi = SUM(PROD(tr(F), qdd), rate), force = PROD(inverse(F), column(n, t->tau));
    const double size = fmax(1, fmax(largest_entry(C), largest_entry(PROD(D, xi))));
    assert_mat_floor(SUM(PROD(D, xi), C), force, 1e-9, size, "seed %lu", seed);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(velocities_pass_the_operators),
    cmocka_unit_test(operators_change_as_differences_say),
    cmocka_unit_test(mass_matrix_rates_are_those_of_the_operators),
    cmocka_unit_test(energy_gradient_has_three_forms),
    cmocka_unit_test(coriolis_is_that_of_the_operators),
    cmocka_unit_test(rates_solve_the_lyapunov_equation),
    cmocka_unit_test(projections_change_as_differences_say),
    cmocka_unit_test(sensitivities_reach_only_inwards),
    cmocka_unit_test(factor_rates_are_those_of_the_operators),
    cmocka_unit_test(determinant_gradient_has_three_forms),
    cmocka_unit_test(root_changes_as_differences_say),
    cmocka_unit_test(quasi_velocities_by_lagrange),
    cmocka_unit_test(unnormalized_coriolis_is_that_of_the_operators),
    cmocka_unit_test(quasi_accelerations_are_those_of_forward_dynamics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
