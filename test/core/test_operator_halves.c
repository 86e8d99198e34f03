// Identities of chapters 16 and 17 on dense operators: robots some of whose joints are prescribed, and
// free flyers, each hinge of which divides them in two.
#include <string.h>

#include "by_hand.h"
#include "mbdyn/dynamics/hybrid.h"
#include "mbdyn/operators/free_flyer.h"

enum { BODIES_MOST = 64 };

//---------- prescribed joints ----------

// operators of a robot with active (prescribed) and passive (free) joints
typedef struct halves {
  dense_t d;
  bool active[BODIES_MOST];
  mat_t a, p;    // nv x nv: pick active, passive degrees of freedom
  mat_t P;       // inertias as the sweep leaves them, n x n
  mat_t taubar;  // one at active hinges
  mat_t E_psi, psi;
  mat_t Omega;     // of the passive joints: phi^T H_p^T M_pp^-1 H_p phi
  mat_t M_pp_inv;  // zero elsewhere
} halves_t;

static void
pattern(const tree_t * t, uint64_t seed, int kind, bool * active)
{
  uint64_t state = 31 * seed + (uint64_t)kind;
  assert_true(t->model->nbody <= BODIES_MOST);
  for (int i = 0; i < t->model->nbody; i++)
    active[i] = kind < 2 ? kind == 1 : random_signed(&state) > 0;
}

// data->P of the sweep with these joints prescribed
static mat_t
swept_inertias(const tree_t * t, const bool * active)
{
  const mbd_model_t * m = t->model;
  mat_t qdd = column(m->nv, t->qdd), tau = column(m->nv, t->tau),
        P = mat(6 * m->nbody, 6 * m->nbody);
  assert_ok(mbd_hybrid_dynamics(m, t->data, t->q, t->v, active, NULL, qdd.a, tau.a));
  for (int i = 0; i < m->nbody; i++) set_block(P, 6 * i, 6 * i, sym6(&t->data->P[i]));
  return P;
}

static halves_t
halves_of(const tree_t * t, uint64_t seed, int kind)
{
  const mbd_model_t * m = t->model;
  halves_t h = {.d = dense_of(t)};
  const int nv = m->nv, n = h.d.n;
  assert_ok(mbd_set_terms(t->data, 0));
  pattern(t, seed, kind, h.active);
  h.a = mat(nv, nv), h.p = mat(nv, nv), h.taubar = eye(n);
  for (int k = 0; k < nv; k++) *at(h.active[m->dof_body[k]] ? h.a : h.p, k, k) = 1;
  h.P = swept_inertias(t, h.active);
  for (int i = 0; i < m->nbody; i++) {
    if (h.active[i]) continue;
    const mat_t S = block(h.d.S, 6 * i, m->body[i].v_index, 6, m->body[i].nv);
    const mat_t PS = PROD(block(h.P, 6 * i, 6 * i, 6, 6), S);
    const mat_t tau = PROD(PS, inverse(PROD(tr(S), PS)), tr(S));
    set_block(h.taubar, 6 * i, 6 * i, sub(eye(6), tau));
  }
  h.E_psi = PROD(h.d.E, h.taubar);
  h.psi = inverse(sub(eye(n), h.E_psi));
  const mat_t M = dense_mass(&h.d), M_pp = SUM(PROD(h.p, M, h.p), h.a);
  h.M_pp_inv = PROD(h.p, inverse(M_pp), h.p);
  h.Omega = PROD(tr(h.d.phi), h.d.S, h.M_pp_inv, h.d.H, h.d.phi);
  return h;
}

// P = M + E_psi P E_psi^T = M + E P E_psi^T                                           (16.8)
static void
inertias_solve_the_riccati_equation(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const halves_t h = halves_of(t, seed, 2 + (int)(seed % 3));
    const double size = fmax(1, largest_entry(h.P));
    assert_mat_floor(
      h.P, SUM(h.d.M, PROD(h.E_psi, h.P, tr(h.E_psi))), 1e-10, size, "both, seed %lu", seed);
    assert_mat_floor(
      h.P, SUM(h.d.M, PROD(h.d.E, h.P, tr(h.E_psi))), 1e-10, size, "one, seed %lu", seed);
  }
}

// all passive: articulated inertias; all active: composite ones; in between: M <= P <= R, and more of
// it the more joints are prescribed                                            16.1.3, (6.31)
static void
inertias_lie_between_body_and_composite(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    bool few[BODIES_MOST], more[BODIES_MOST], none[BODIES_MOST] = {false}, all[BODIES_MOST];
    pattern(t, seed, 2, few);
    pattern(t, seed, 3, more);
    for (int i = 0; i < m->nbody; i++) more[i] = more[i] || few[i], all[i] = true;
    assert_ok(mbd_set_terms(t->data, 0));
    const mat_t free = swept_inertias(t, none), rigid = swept_inertias(t, all);
    const mat_t between = swept_inertias(t, few), beyond = swept_inertias(t, more);
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_articulated_inertia(m, t->data));
    assert_ok(mbd_composite_inertia(m, t->data));
    for (int i = 0; i < m->nbody; i++) {
      const mat_t chain[6] = {inertia6(&t->data->inertia[i]),     block(free, 6 * i, 6 * i, 6, 6),
                              block(between, 6 * i, 6 * i, 6, 6), block(beyond, 6 * i, 6 * i, 6, 6),
                              block(rigid, 6 * i, 6 * i, 6, 6),   inertia6(&t->data->R[i])};
      const double size = largest_entry(chain[5]);
      assert_mat(chain[1], sym6(&t->data->P[i]), 1e-12, "articulated, seed %lu", seed);
      assert_mat(chain[4], chain[5], 1e-12, "composite, seed %lu", seed);
      for (int k = 0; k < 4; k++)
        assert_true(smallest_eigenvalue(sub(chain[k + 1], chain[k])) > -1e-11 * size);
    }
  }
}

// [tau_a; qdd_p] = S [qdd_a; tau_p] at rest: S_aa = M_aa - M_ap M_pp^-1 M_pa, S_ap, S_pp, and their
// forms as operators                                                       lemma 16.1, Ex 16.1
static void
mixed_matrix_is_that_of_the_blocks(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const int nv = m->nv;
    const halves_t h = halves_of(t, seed, 2 + (int)(seed % 3));
    const mat_t M = dense_mass(&h.d), rest = mat(nv, 1);
    const mat_t S_ap = PROD(h.a, M, h.M_pp_inv);
    const mat_t S_aa = sub(PROD(h.a, M, h.a), PROD(S_ap, M, h.a));
    const mat_t phi = h.d.phi, S = h.d.S;
    mat_t found_aa = mat(nv, nv), found_pa = mat(nv, nv), found_ap = mat(nv, nv);
    mat_t found_pp = mat(nv, nv);
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    for (int k = 0; k < nv; k++) {
      const bool active = h.active[m->dof_body[k]];
      mat_t qdd = mat(nv, 1), tau = mat(nv, 1);
      (active ? qdd : tau).a[k] = 1;
      assert_ok(mbd_hybrid_dynamics(m, t->data, t->q, rest.a, h.active, NULL, qdd.a, tau.a));
      set_block(active ? found_aa : found_ap, 0, k, PROD(h.a, tau));
      set_block(active ? found_pa : found_pp, 0, k, PROD(h.p, qdd));
    }
    const double size = fmax(1, largest_entry(S_aa));
    assert_mat_floor(found_aa, S_aa, 1e-9, size, "S_aa, seed %lu", seed);
    assert_mat_floor(found_ap, S_ap, 1e-9, size, "S_ap, seed %lu", seed);
    assert_mat_floor(found_pa, scale(-1, tr(S_ap)), 1e-9, size, "-S_ap^T, seed %lu", seed);
    assert_mat_floor(found_pp, h.M_pp_inv, 1e-9, size, "S_pp, seed %lu", seed);
    // what is left of the bodies' motion when passive joints give way
    const mat_t U = sub(eye(h.d.n), PROD(h.Omega, h.d.M));
    const mat_t by_projection = PROD(h.a, h.d.H, phi, tr(U), h.d.M, U, tr(phi), S, h.a);
    assert_mat_floor(by_projection, S_aa, 1e-9, size, "projection, seed %lu", seed);
    // the kinetic energy of that motion, by psi
    const mat_t left = PROD(sub(tr(h.psi), PROD(h.Omega, h.P)), S, h.a);
    assert_mat_floor(PROD(tr(left), h.d.M, left), S_aa, 1e-9, size, "psi, seed %lu", seed);
  }
}

// (psi^T - Omega P) H_a^T = phi^T (H_a^T + H_p^T J_D) = J_G of all bodies   lemmas 16.3, 16.4, Ex 16.2
static void
generalized_jacobian_is_that_of_the_operators(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const halves_t h = halves_of(t, seed, 2 + (int)(seed % 3));
    mat_t J_D = mat(m->nv, m->nv);
    set_state(t);
    assert_ok(mbd_disturbance_jacobian(m, t->data, h.active, J_D.a));
    const mat_t by_psi = PROD(sub(tr(h.psi), PROD(h.Omega, h.P)), h.d.S, h.a);
    const mat_t by_blocks = PROD(tr(h.d.phi), h.d.S, SUM(h.a, J_D));
    const double size = fmax(1, largest_entry(h.Omega) * largest_entry(h.P));
    assert_mat_floor(by_psi, by_blocks, 1e-9, size, "seed %lu", seed);
    for (int i = 0; i < m->nbody; i++) {
      mat_t J_G = mat(6, m->nv);
      const int frame = m->body[i].link_frame;
      assert_ok(mbd_generalized_jacobian(m, t->data, h.active, frame, MBD_LOCAL, J_G.a));
      const mat_t X = phi6(placement4(&m->frame[frame].X));
      assert_mat_floor(
        J_G, PROD(tr(X), block(by_psi, 6 * i, 0, 6, m->nv)), 1e-9, size, "%d, seed %lu", i, seed);
    }
  }
}

//---------- free flyers ----------

static tree_options_t
floating(void)
{
  tree_options_t options = small_trees();
  options.floating_base = true;
  options.forest = false;
  return options;
}

// joints disturb a free base by J_D = -R(n)^-1 [phi(n,k) R(k) H*(k)]                     (16.28)
static void
free_bases_are_disturbed_by_composites(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    bool active[BODIES_MOST];
    for (int i = 0; i < m->nbody; i++) active[i] = i > 0;
    mat_t J_D = mat(m->nv, m->nv), R = mat(d.n, d.n);
    state_at(t, 0);
    assert_ok(mbd_disturbance_jacobian(m, t->data, active, J_D.a));
    assert_ok(mbd_composite_inertia(m, t->data));
    for (int i = 0; i < m->nbody; i++) set_block(R, 6 * i, 6 * i, inertia6(&t->data->R[i]));
    const mat_t carried = block(PROD(d.phi, R, d.S), 0, 6, 6, m->nv - 6);
    // v of a free joint is linear first: S of the base turns numbers into a motion
    const mat_t S = block(d.S, 0, 0, 6, 6);
    const mat_t expected = scale(-1, PROD(inverse(S), inverse(block(R, 0, 0, 6, 6)), carried));
    assert_mat_floor(
      block(J_D, 0, 6, 6, m->nv - 6), expected, 1e-9, fmax(1, largest_entry(expected)), "%lu",
      seed);
  }
}

// the other side of each hinge: S+ = phi^-1 (P + S)_p phi^-T - P+, S = S+ - S+ H* (H S+ H*)^-1 H S+;
// S H* = 0; (P + S)^-1 = Upsilon, (P+ + S+)^-1 = Upsilon+; tau_dual taubar = 0
//                                                        (17.8), Ex 17.2, lemma 17.5, remark 17.2
static void
hinges_divide_free_flyers(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    const dense_ab_t ab = dense_articulated(&d, NULL);
    const mat_t work = mat((int)mbd_free_flyer_work(m), 1);
    mat_t scratch = mat(21 * m->nbody, 1);
    mbd_sym6_t * whole = (void *)scratch.a;
    state_at(t, 0);
    assert_ok(mbd_effective_inertia(m, t->data, work.a, whole));
    assert_ok(mbd_compliance(m, t->data));
    for (int i = 1; i < m->nbody; i++) {
      const int p = m->body[i].parent, nv = m->body[i].nv;
      const mat_t phi = block(d.phi, 6 * p, 6 * i, 6, 6), back = inverse(phi);
      const mat_t P = block(ab.P, 6 * i, 6 * i, 6, 6),
                  P_plus = block(ab.P_plus, 6 * i, 6 * i, 6, 6);
      const mat_t H_t = block(d.S, 6 * i, m->body[i].v_index, 6, nv);
      const mat_t S_plus = sub(PROD(back, sym6(&whole[p]), tr(back)), P_plus);
      const mat_t D = PROD(tr(H_t), S_plus, H_t), gain = PROD(S_plus, H_t, inverse(D));
      const mat_t S = sub(S_plus, PROD(gain, tr(H_t), S_plus));
      const mat_t E = sym6(&whole[i]);
      const double size = fmax(1, largest_entry(E) + largest_entry(S_plus));
      assert_mat_floor(sub(E, P), S, 1e-9, size, "S of body %d, seed %lu", i, seed);
      assert_mat_floor(PROD(S, H_t), mat(6, nv), 1e-9, size, "S H*, seed %lu", seed);
      const mat_t tau = PROD(gain, tr(H_t)), taubar = block(ab.taubar, 6 * i, 6 * i, 6, 6);
      const double gains = fmax(1, largest_entry(tau) * largest_entry(taubar));
      assert_mat_floor(PROD(tau, sub(eye(6), tau)), mat(6, 6), 1e-8, gains, "tau, seed %lu", seed);
      assert_mat_floor(PROD(tau, taubar), mat(6, 6), 1e-8, gains, "tau taubar, seed %lu", seed);
      const mat_t Y_plus = PROD(tr(phi), sym6(&t->data->Y[p]), phi);
      assert_mat_floor(
        PROD(SUM(P_plus, S_plus), Y_plus), eye(6), 1e-9, fmax(1, size * largest_entry(Y_plus)),
        "Upsilon+, seed %lu", seed);
      assert_int_equal(rank_of(sym6(&t->data->Y[i]), 1e-12), 6);
    }
  }
}

// the force through a hinge from both sides: what is carried, and everything else     (17.9), (17.10)
static void
forces_are_the_same_from_both_sides(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    mat_t qdd = mat(m->nv, 1);
    const mat_t work = mat((int)mbd_free_flyer_work(m), 1);
    assert_ok(mbd_set_terms(t->data, 0));
    assert_ok(mbd_free_flyer_dynamics(m, t->data, t->q, t->v, t->tau, &t->f_ext, work.a, qdd.a));
    const mat_t f = dense_force(&d, qdd, &t->f_ext);
    // what each body needs by itself
    const mat_t own = PROD(inverse(d.phi), f);
    const mat_t base = PROD(inverse(tr(block(d.S, 0, 0, 6, 6))), column(6, t->tau));
    for (int i = 1; i < m->nbody; i++) {
      const mat_t to_base = block(d.phi, 0, 6 * i, 6, 6);
      mat_t others = scale(-1, base);
      for (int k = 0; k < m->nbody; k++) {
        if (dense_is_ancestor(m, i, k)) continue;
        const mat_t at_base = PROD(block(d.phi, 0, 6 * k, 6, 6), block(own, 6 * k, 0, 6, 1));
        others = SUM(others, at_base);
      }
      const mat_t through = PROD(to_base, block(f, 6 * i, 0, 6, 1));
      const double size = fmax(1, largest_entry(f) * largest_entry(d.phi));
      assert_mat_floor(through, scale(-1, others), 1e-9, size, "body %d, seed %lu", i, seed);
    }
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(inertias_solve_the_riccati_equation),
    cmocka_unit_test(inertias_lie_between_body_and_composite),
    cmocka_unit_test(mixed_matrix_is_that_of_the_blocks),
    cmocka_unit_test(generalized_jacobian_is_that_of_the_operators),
    cmocka_unit_test(free_bases_are_disturbed_by_composites),
    cmocka_unit_test(hinges_divide_free_flyers),
    cmocka_unit_test(forces_are_the_same_from_both_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
