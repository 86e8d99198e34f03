// The operators phi and psi as products, blocks of phi M phi^T, composite bodies and force views.
#include "mbdyn/operators/spatial_operators.h"

#include <string.h>

#include "by_hand.h"
#include "mbdyn/operators/factors.h"
#include "state/state.h"

enum { MOST_BODIES = 16 };

// a column of 6-vectors as forces or motions of the bodies, and back
static void
to_forces(mat_t x, mbd_force_t * f)
{
  for (int k = 0; k < x.r / 6; k++) {
    const double * n = x.a + 6 * k;
    f[k].ang = mbdu_vec3(n[0], n[1], n[2]), f[k].lin = mbdu_vec3(n[3], n[4], n[5]);
  }
}

static void
to_motions(mat_t x, mbd_motion_t * V)
{
  for (int k = 0; k < x.r / 6; k++) {
    const double * n = x.a + 6 * k;
    V[k].ang = mbdu_vec3(n[0], n[1], n[2]), V[k].lin = mbdu_vec3(n[3], n[4], n[5]);
  }
}

typedef mbd_status_t (*gather_t)(
  const mbd_model_t *, mbd_data_t *, const mbd_force_t *, mbd_force_t *);
typedef mbd_status_t (*scatter_t)(
  const mbd_model_t *, mbd_data_t *, const mbd_motion_t *, mbd_motion_t *);

static mat_t
gather(const tree_t * t, gather_t function, mat_t x)
{
  mbd_force_t f[MOST_BODIES], y[MOST_BODIES];
  mat_t out = mat(x.r, 1);
  to_forces(x, f);
  assert_ok(function(t->model, t->data, f, y));
  for (int k = 0; k < x.r / 6; k++) set_block(out, 6 * k, 0, force6(y[k]));
  return out;
}

static mat_t
scatter(const tree_t * t, scatter_t function, mat_t x)
{
  mbd_motion_t V[MOST_BODIES], y[MOST_BODIES];
  mat_t out = mat(x.r, 1);
  to_motions(x, V);
  assert_ok(function(t->model, t->data, V, y));
  for (int k = 0; k < x.r / 6; k++) set_block(out, 6 * k, 0, motion6(y[k]));
  return out;
}

//---------- phi and psi ----------

// phi = (I - E_phi)^-1, psi = (I - E_psi)^-1 by sweeps, with the rotors in psi    (3.36), (7.6)
static void
products_are_those_of_dense_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const dense_t d = dense_of(t);
    for (uint32_t terms = 0; terms <= MBD_TERM_ROTORS; terms += 2) {
      state_at(t, terms);
      const dense_ab_t ab = dense_articulated(&d, terms ? dense_rotors(t->model).a : NULL);
      const mat_t x = random_column(d.n, &state);
      assert_mat(gather(t, mbd_phi_product, x), PROD(d.phi, x), 1e-12, "phi, %lu", seed);
      assert_mat(
        scatter(t, mbd_phi_transpose_product, x), PROD(tr(d.phi), x), 1e-12, "phi^T, %lu", seed);
      assert_mat(gather(t, mbd_psi_product, x), PROD(ab.psi, x), 1e-9, "psi, %lu", seed);
      assert_mat(
        scatter(t, mbd_psi_transpose_product, x), PROD(tr(ab.psi), x), 1e-9, "psi^T, %lu", seed);
    }
  }
}

// x^T (phi^T y) = y^T (phi x), and the same for psi
static void
gather_and_scatter_are_adjoint(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    state_at(t, 0);
    const mat_t x = random_column(6 * t->model->nbody, &state);
    const mat_t y = random_column(6 * t->model->nbody, &state);
    const gather_t out[2] = {mbd_phi_product, mbd_psi_product};
    const scatter_t in[2] = {mbd_phi_transpose_product, mbd_psi_transpose_product};
    for (int k = 0; k < 2; k++) {
      const mat_t Ax = gather(t, out[k], x), Ay = scatter(t, in[k], y);
      const double size = fmax(1, fmax(largest_entry(Ax), largest_entry(Ay)));
      assert_near(
        scalar(PROD(tr(y), Ax)) / size, scalar(PROD(tr(x), Ay)) / size, 1e-11, "%d, %lu", k, seed);
    }
  }
}

// what the two have to do with each other, as products    (7.10), (7.11), (7.13), (9.38), (9.46)
static void
relations_of_the_products(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const dense_t d = dense_of(t);
    const dense_ab_t ab = dense_articulated(&d, NULL);
    state_at(t, 0);
    mat_t F = mat(d.nv, d.nv), D = mat(d.nv, d.nv);
    assert_ok(mbd_mass_factors(t->model, t->data, F.a, D.a));
    const mat_t x = random_column(d.n, &state), u = random_column(d.nv, &state);
    const mat_t phi_x = gather(t, mbd_phi_product, x), psi_x = gather(t, mbd_psi_product, x);
    const double size = fmax(largest_entry(phi_x), largest_entry(psi_x));
    // phi - psi = psi K H phi = phi K H psi                                              (7.11)
    const mat_t gap = sub(phi_x, psi_x), KH = PROD(ab.K, d.H);
    assert_mat_floor(
      gap, gather(t, mbd_psi_product, PROD(KH, phi_x)), 1e-9, size, "psi K H phi, %lu", seed);
    assert_mat_floor(
      gap, gather(t, mbd_phi_product, PROD(KH, psi_x)), 1e-9, size, "phi K H psi, %lu", seed);
    // I + H phi K = H phi G                                                              (9.38)
    const mat_t Fu = PROD(d.H, gather(t, mbd_phi_product, PROD(ab.G, u)));
    assert_mat(Fu, PROD(F, u), 1e-9, "H phi G, seed %lu", seed);
    // H psi M psi^T H^T = D                                                              (7.13)
    const mat_t V = scatter(t, mbd_psi_transpose_product, PROD(d.S, u));
    const mat_t Du = PROD(d.H, gather(t, mbd_psi_product, PROD(d.M, V)));
    assert_mat(Du, PROD(D, u), 1e-9, "D, seed %lu", seed);
    // H phi M phi^T H^T = mass matrix                                                    (4.6)
    const mat_t W = scatter(t, mbd_phi_transpose_product, PROD(d.S, u));
    mat_t Mu = mat(d.nv, 1);
    assert_ok(mbd_mass_product(t->model, t->data, u.a, Mu.a));
    assert_mat(
      PROD(d.H, gather(t, mbd_phi_product, PROD(d.M, W))), Mu, 1e-11, "mass, seed %lu", seed);
  }
}

// V = phi^T H^T v are the velocities of the bodies                                     (3.39)
// (5.26)
static void
velocities_as_a_product(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    state_at(t, 0);
    const mat_t V = scatter(t, mbd_phi_transpose_product, PROD(d.S, d.v));
    for (int k = 0; k < d.nbody; k++) {
      assert_mat_floor(
        block(V, 6 * k, 0, 6, 1), motion6(t->data->V[k]), 1e-12, fmax(1, largest_entry(V)),
        "body %d, seed %lu", k, seed);
    }
  }
}

// in place, and with the arrays of the caller alone
static void
products_may_replace_arguments(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    uint64_t state = seed;
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    const mat_t x = random_column(6 * m->nbody, &state);
    const gather_t out[2] = {mbd_phi_product, mbd_psi_product};
    const scatter_t in[2] = {mbd_phi_transpose_product, mbd_psi_transpose_product};
    for (int k = 0; k < 2; k++) {
      mbd_force_t f[MOST_BODIES];
      mbd_motion_t V[MOST_BODIES];
      to_forces(x, f), to_motions(x, V);
      assert_ok(out[k](m, t->data, f, f));
      assert_ok(in[k](m, t->data, V, V));
      const mat_t y = gather(t, out[k], x), W = scatter(t, in[k], x);
      for (int i = 0; i < m->nbody; i++) {
        assert_mat(force6(f[i]), block(y, 6 * i, 0, 6, 1), 0, "%d, body %d, %lu", k, i, seed);
        assert_mat(motion6(V[i]), block(W, 6 * i, 0, 6, 1), 0, "%d, body %d, %lu", k, i, seed);
      }
    }
  }
}

//---------- cross inertia ----------

static mat_t
cross_inertia(const tree_t * t, int i, int j)
{
  mat_t B = mat(6, 6);
  assert_ok(mbd_cross_inertia(t->model, t->data, i, j, B.a));
  return B;
}

// blocks of phi M phi^T = R + phit R + R phit^T, with a load in the hand     (4.10), (9.19)
static void
cross_inertias_are_blocks(void ** context)
{
  (void)context;
  tally_t unrelated = {0};
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_inertia_t load = random_inertia(&state);
    const int hand = random_below(&state, t->model->nframe);
    state_at(t, 0);
    for (int loaded = 0; loaded < 2; loaded++) {
      if (loaded) assert_ok(mbd_payload_attach(t->model, t->data, hand, &load));
      const dense_t d = dense_at(t->model, t->data->inertia, t->q, t->v, t->model->gravity);
      const mat_t Z = PROD(d.phi, d.M, tr(d.phi)), R = diagonal_blocks(Z, 6);
      const mat_t phit = sub(d.phi, eye(d.n));
      assert_mat(Z, SUM(R, PROD(phit, R), PROD(R, tr(phit))), 1e-12, "(4.10), %lu", seed);
      for (int i = 0; i < d.nbody; i++) {
        for (int j = 0; j < d.nbody; j++) {
          const mat_t B = cross_inertia(t, i, j);
          assert_mat_floor(
            B, block(Z, 6 * i, 6 * j, 6, 6), 1e-12, largest_entry(Z), "%d, %d, %lu", i, j, seed);
          assert_mat(B, tr(cross_inertia(t, j, i)), 1e-14, "transposed, seed %lu", seed);
          const bool related =
            dense_is_ancestor(t->model, i, j) || dense_is_ancestor(t->model, j, i);
          if (tally(&unrelated, !related)) assert_true(largest_entry(B) == 0);
        }
      }
    }
  }
  assert_enough(&unrelated, 0.1);
}

//---------- composite bodies ----------

// the same torques and forces as Newton and Euler's, whatever the terms     (5.44) to (5.46)
static void
composite_inverse_dynamics(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const double * acceleration[2] = {t->qdd, NULL};
    for (int k = 0; k < 2; k++) {
      mat_t tau = mat(d.nv, 1), other = mat(d.nv, 1);
      const mat_t qdd = k ? mat(d.nv, 1) : column(d.nv, t->qdd);
      // drives are not counted in: rigid bodies alone
      state_at(t, k ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0);
      assert_ok(
        mbd_composite_inverse_dynamics(t->model, t->data, acceleration[k], &t->f_ext, tau.a));
      const mat_t f = dense_force(&d, qdd, &t->f_ext);
      const double size = fmax(1, largest_entry(f));
      assert_mat_floor(tau, PROD(d.H, f), 1e-11, size, "tau, seed %lu", seed);
      for (int i = 0; i < d.nbody; i++) {
        assert_mat_floor(
          force6(t->data->f[i]), block(f, 6 * i, 0, 6, 1), 1e-11, size, "f %d, %lu", i, seed);
      }
      assert_ok(mbd_set_terms(t->data, 0));
      assert_ok(
        mbd_inverse_dynamics(t->model, t->data, NULL, NULL, acceleration[k], &t->f_ext, other.a));
      assert_mat_floor(tau, other, 1e-11, size, "inverse dynamics, %d, %lu", k, seed);
    }
  }
}

// what it leaves: composite inertias, accelerations, and forces for mbd_joint_force
static void
composite_inverse_dynamics_sets_stages(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t tau = mat(m->nv, 1), alias = column(m->nv, t->qdd);
    mbd_force_t f[MOST_BODIES], g;
    mbd_motion_t A, B;
    state_at(t, 0);
    assert_ok(mbd_composite_inverse_dynamics(m, t->data, t->qdd, &t->f_ext, tau.a));
    assert_true(t->data->work->stage & MBD_STAGE_COMPOSITE);
    for (int k = 0; k < m->nbody; k++) assert_ok(mbd_joint_force(m, t->data, k, &f[k]));
    assert_ok(mbd_frame_acceleration(m, t->data, 0, MBD_LOCAL_WORLD_ALIGNED, &A));
    assert_ok(mbd_composite_inverse_dynamics(m, t->data, alias.a, &t->f_ext, alias.a));
    assert_mat(alias, tau, 0, "in place, seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &t->f_ext, tau.a));
    assert_ok(mbd_frame_acceleration(m, t->data, 0, MBD_LOCAL_WORLD_ALIGNED, &B));
    assert_mat_floor(motion6(A), motion6(B), 1e-12, 1, "acceleration, seed %lu", seed);
    for (int k = 0; k < m->nbody; k++) {
      assert_ok(mbd_joint_force(m, t->data, k, &g));
      assert_mat_floor(force6(f[k]), force6(g), 1e-11, 1000, "f %d, seed %lu", k, seed);
    }
  }
}

//---------- views of a joint's force ----------

static mbd_force_views_t
views_of(const tree_t * t, int k)
{
  mbd_force_views_t v;
  assert_ok(mbd_joint_force_views(t->model, t->data, k, &v));
  return v;
}

// each pair adds up to the force, after inverse and after forward dynamics         table 6.1
static void
views_add_up_to_the_force(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t x = mat(t->model->nv, 1);
    for (int pass = 0; pass < 4; pass++) {
      assert_ok(mbd_set_terms(t->data, pass < 2 ? 0 : MBD_TERM_ROTORS));
      assert_ok(
        pass % 2 ? mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &t->f_ext, x.a)
                 : mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &t->f_ext, x.a));
      for (int k = 0; k < t->model->nbody; k++) {
        mbd_force_t f;
        assert_ok(mbd_joint_force(t->model, t->data, k, &f));
        const mbd_force_views_t v = views_of(t, k);
        const mat_t pair[3][2] = {
          {force6(v.terminal), force6(v.terminal_rest)},
          {force6(v.composite), force6(v.composite_rest)},
          {force6(v.articulated), force6(v.articulated_rest)}};
        for (int i = 0; i < 3; i++) {
          const double size = fmax(largest_entry(pair[i][0]), largest_entry(force6(f)));
          assert_mat_floor(
            SUM(pair[i][0], pair[i][1]), force6(f), 1e-12, size, "view %d, body %d, pass %d, %lu",
            i, k, pass, seed);
        }
      }
    }
  }
}

// a 6-vector of body k of a column, at the link frame
static mat_t
at_link(const tree_t * t, mat_t column_of_forces, int k)
{
  const mbd_frame_t * link = &t->model->frame[t->model->body[k].link_frame];
  const mat_t phi = phi6(placement4(&link->X));
  return PROD(inverse(phi), block(column_of_forces, 6 * k, 0, 6, 1));
}

// inertias times accelerations, and what the rests are made of             table 6.1, (7.40)
static void
views_are_those_of_the_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const dense_ab_t ab = dense_articulated(&d, NULL);
    mat_t tau = mat(d.nv, 1);
    state_at(t, 0);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, &t->f_ext, tau.a));
    const mat_t R = diagonal_blocks(PROD(d.phi, d.M, tr(d.phi)), 6);
    const mat_t alpha = SUM(dense_acceleration(&d, column(d.nv, t->qdd)), d.g);
    const mat_t f = dense_force(&d, column(d.nv, t->qdd), &t->f_ext);
    const mat_t load = sub(d.b, dense_wrench(&d, &t->f_ext));
    // the body alone: its own bias and the forces of its children
    const mat_t terminal_rest = SUM(load, PROD(d.E, f));
    // joints frozen: y = phi (b - f_ext) + phit R (H^T qdd + a)                          (5.46)
    const mat_t own = SUM(PROD(d.S, column(d.nv, t->qdd)), d.a);
    const mat_t y = SUM(PROD(d.phi, load), PROD(sub(d.phi, eye(d.n)), R, own));
    // joints free: z - P a with z = psi (K tau + P a + b - f_ext)                        (7.25)
    const mat_t z = PROD(ab.psi, SUM(PROD(ab.K, tau), PROD(ab.P, d.a), load));
    const mat_t articulated_rest = sub(z, PROD(ab.P, d.a));
    const mat_t RA = PROD(R, alpha), PA = PROD(ab.P, alpha), MA = PROD(d.M, alpha);
    const double size = fmax(fmax(largest_entry(f), largest_entry(RA)), largest_entry(y));
    for (int k = 0; k < d.nbody; k++) {
      const mbd_force_views_t v = views_of(t, k);
      const mbd_force_t ours[6] = {v.terminal,       v.terminal_rest, v.composite,
                                   v.composite_rest, v.articulated,   v.articulated_rest};
      const mat_t theirs[6] = {MA, terminal_rest, RA, y, PA, articulated_rest};
      for (int i = 0; i < 6; i++) {
        assert_mat_floor(
          force6(ours[i]), at_link(t, theirs[i], k), 1e-9, size, "%d, body %d, %lu", i, k, seed);
      }
    }
  }
}

// the composite rest knows nothing of accelerations below, nor of gravity; the articulated rest
// nothing of torques below
static void
rests_depend_on_what_is_carried_alone(void ** context)
{
  (void)context;
  int moved = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_model_t * m = t->model;
    const int k = random_below(&state, m->nbody);
    const int first = m->body[k].v_index + m->body[k].nv;
    const int last =
      m->body[k].subtree_end < m->nbody ? m->body[m->body[k].subtree_end].v_index : m->nv;
    mat_t x = mat(m->nv, 1);
    mbd_force_views_t inverse[3], forward[3];
    for (int pass = 0; pass < 3; pass++) {
      // first other numbers everywhere but on what the body carries, then there too
      for (int i = 0; pass > 0 && i < m->nv; i++) {
        if (pass == 1 && i >= first && i < last) continue;
        t->qdd[i] += 3, t->tau[i] -= 4;
      }
      if (pass == 1) assert_ok(mbd_set_gravity(t->data, mbdu_vec3(1, 2, 3)));
      assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &t->f_ext, x.a));
      inverse[pass] = views_of(t, k);
      assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, &t->f_ext, x.a));
      forward[pass] = views_of(t, k);
    }
    const mat_t y = force6(inverse[0].composite_rest), z = force6(forward[0].articulated_rest);
    const double size_y = 10 + largest_entry(force6(inverse[1].composite));
    const double size_z = 10 + largest_entry(force6(forward[1].articulated)) + largest_entry(z);
    assert_mat_floor(force6(inverse[1].composite_rest), y, 1e-10, size_y, "y %d, %lu", k, seed);
    assert_mat_floor(force6(forward[1].articulated_rest), z, 1e-9, size_z, "z %d, %lu", k, seed);
    if (last == first) continue;
    // and it does depend on what is carried
    moved += largest_entry(sub(force6(inverse[2].composite_rest), y)) > 1e-6;
  }
  assert_count(moved, 40);
}

//---------- errors ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(9, NULL), *other = random_tree(10, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_force_t f[MOST_BODIES] = {{{0, 0, 0}, {0, 0, 0}}};
  mbd_motion_t V[MOST_BODIES] = {{{0, 0, 0}, {0, 0, 0}}};
  const gather_t out[2] = {mbd_phi_product, mbd_psi_product};
  const scatter_t in[2] = {mbd_phi_transpose_product, mbd_psi_transpose_product};
  for (int k = 0; k < 2; k++) {
    d->work->stage = 0;
    assert_status(out[k](m, d, f, f), MBD_ERROR_STAGE);
    assert_status(in[k](m, d, V, V), MBD_ERROR_STAGE);
    assert_ok(mbd_set_position(m, d, t->q));
    assert_status(out[k](m, d, NULL, f), MBD_ERROR_NULL_ARGUMENT);
    assert_status(out[k](m, d, f, NULL), MBD_ERROR_NULL_ARGUMENT);
    assert_status(in[k](m, d, NULL, V), MBD_ERROR_NULL_ARGUMENT);
    assert_status(in[k](m, d, V, NULL), MBD_ERROR_NULL_ARGUMENT);
    assert_status(out[k](NULL, d, f, f), MBD_ERROR_NULL_ARGUMENT);
    assert_status(in[k](m, NULL, V, V), MBD_ERROR_NULL_ARGUMENT);
    assert_status(out[k](other->model, d, f, f), MBD_ERROR_MODEL_MISMATCH);
    assert_status(in[k](other->model, d, V, V), MBD_ERROR_MODEL_MISMATCH);
  }
  tree_free(other);
  tree_free(t);
}

static void
stages_and_arguments_of_bodies(void ** context)
{
  (void)context;
  tree_t * t = random_tree(9, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  double block_of[36];
  mat_t tau = mat(m->nv, 1);
  mbd_force_views_t v;
  assert_status(mbd_cross_inertia(m, d, 0, 0, block_of), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_cross_inertia(m, d, 0, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_cross_inertia(m, d, -1, 0, block_of), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_cross_inertia(m, d, 0, m->nbody, block_of), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_composite_inverse_dynamics(m, d, t->qdd, NULL, tau.a), MBD_ERROR_STAGE);
  assert_ok(mbd_set_velocity(m, d, t->v));
  assert_status(mbd_composite_inverse_dynamics(m, d, t->qdd, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_joint_force_views(m, d, 0, &v), MBD_ERROR_STAGE);
  // an error writes no torque
  mbd_wrench_t w = {m->nframe, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t list = {1, &w};
  tau.a[0] = 7;
  assert_status(mbd_composite_inverse_dynamics(m, d, t->qdd, &list, tau.a), MBD_ERROR_BAD_ARGUMENT);
  t->qdd[0] = (double)NAN;
  assert_status(mbd_composite_inverse_dynamics(m, d, t->qdd, NULL, tau.a), MBD_ERROR_NOT_FINITE);
  assert_true(tau.a[0] == 7);
  assert_ok(mbd_composite_inverse_dynamics(m, d, NULL, NULL, tau.a));
  assert_ok(mbd_joint_force_views(m, d, 0, &v));
  assert_status(mbd_joint_force_views(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_joint_force_views(m, d, m->nbody, &v), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_joint_force_views(m, d, -1, &v), MBD_ERROR_BAD_ARGUMENT);
  tree_free(t);
  mats_free();
}

// phi is kinematics; psi and composite inverse dynamics are not
static void
models_that_have_no_inverse(void ** context)
{
  (void)context;
  mbd_model_t * model[2] = {mimic_by_hand(), needle_by_hand()};
  const mbd_status_t expected[2] = {MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE};
  for (int k = 0; k < 2; k++) {
    const double q[2] = {0.1, 0.2}, v[2] = {1, 2};
    double tau[2], B[36];
    mbd_force_t f[2] = {{{0, 0, 1}, {0, 0, 0}}};
    mbd_motion_t V[2] = {{{0, 0, 1}, {0, 0, 0}}};
    mbd_data_t * d;
    assert_ok(mbd_data_create(model[k], &d));
    assert_ok(mbd_set_position(model[k], d, q));
    assert_ok(mbd_set_velocity(model[k], d, v));
    assert_ok(mbd_phi_product(model[k], d, f, f));
    assert_ok(mbd_phi_transpose_product(model[k], d, V, V));
    assert_ok(mbd_cross_inertia(model[k], d, 0, 0, B));
    assert_status(mbd_psi_product(model[k], d, f, f), expected[k]);
    assert_status(mbd_psi_transpose_product(model[k], d, V, V), expected[k]);
    assert_status(
      mbd_composite_inverse_dynamics(model[k], d, NULL, NULL, tau), k ? MBD_OK : MBD_ERROR_MIMIC);
    mbd_data_destroy(d);
    mbd_model_destroy(model[k]);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_are_those_of_dense_operators),
    cmocka_unit_test(gather_and_scatter_are_adjoint),
    cmocka_unit_test(relations_of_the_products),
    cmocka_unit_test(velocities_as_a_product),
    cmocka_unit_test(products_may_replace_arguments),
    cmocka_unit_test(cross_inertias_are_blocks),
    cmocka_unit_test(composite_inverse_dynamics),
    cmocka_unit_test(composite_inverse_dynamics_sets_stages),
    cmocka_unit_test(views_add_up_to_the_force),
    cmocka_unit_test(views_are_those_of_the_operators),
    cmocka_unit_test(rests_depend_on_what_is_carried_alone),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(stages_and_arguments_of_bodies),
    cmocka_unit_test(models_that_have_no_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
