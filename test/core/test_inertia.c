// The mass matrix, composite bodies, energy, centre of mass and momentum.
#include <math.h>
#include <string.h>

#include "core_test.h"

static mat_t
mass_matrix(const tree_t * t)
{
  mat_t M = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
  assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
  return M;
}

//---------- mass matrix ----------

// M = H phi M phi^T H^T, symmetric and positive definite                          (4.6)
static void
mass_matrix_matches_the_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t M = mass_matrix(t);
    assert_mat(M, dense_mass(&d), 1e-11, "seed %lu", seed);
    assert_mat(M, tr(M), 0, "symmetric, seed %lu", seed);
    assert_true(smallest_eigenvalue(M) > 0);
  }
}

// columns by inverse dynamics of unit accelerations, at rest and without gravity     5.3.2
static void
mass_matrix_by_inverse_dynamics(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    const mat_t M = mass_matrix(t), zero = mat(nv, 1);
    mat_t columns = mat(nv, nv);
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    for (int j = 0; j < nv; j++) {
      mat_t e = mat(nv, 1);
      e.a[j] = 1;
      assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, zero.a, e.a, NULL, e.a));
      set_block(columns, 0, j, e);
    }
    assert_mat(columns, M, 1e-11, "seed %lu", seed);
  }
}

static double
energy_at(const tree_t * t, const mat_t v)
{
  double energy;
  assert_ok(mbd_set_velocity(t->model, t->data, v.a));
  assert_ok(mbd_kinetic_energy(t->model, t->data, &energy));
  return energy;
}

// M is the second derivative of the kinetic energy, which is quadratic              (4.2)
static void
mass_matrix_by_kinetic_energy(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    const mat_t M = mass_matrix(t), I = eye(nv);
    mat_t found = mat(nv, nv);
    for (int i = 0; i < nv; i++) {
      const mat_t ei = block(I, 0, i, nv, 1);
      for (int j = 0; j <= i; j++) {
        const mat_t ej = block(I, 0, j, nv, 1);
        const double mixed = energy_at(t, SUM(ei, ej)) - energy_at(t, ei) - energy_at(t, ej);
        *at(found, i, j) = *at(found, j, i) = mixed;
      }
    }
    assert_mat(found, M, 1e-11, "seed %lu", seed);
    const mat_t v = column(nv, t->v);
    const double half = 0.5 * scalar(PROD(tr(v), M, v));
    assert_near(energy_at(t, v) / half, 1, 1e-12, "energy, seed %lu", seed);
  }
}

// bodies on different branches have exactly nothing in common                       9.3.2
static void
unrelated_bodies_have_no_common_inertia(void ** context)
{
  (void)context;
  tally_t unrelated = {0};
  FOR_TREES(TREES, NULL)
  {
    const mat_t M = mass_matrix(t);
    for (int i = 0; i < t->model->nv; i++) {
      for (int j = 0; j < t->model->nv; j++) {
        const int bi = t->model->dof_body[i], bj = t->model->dof_body[j];
        const bool related =
          dense_is_ancestor(t->model, bi, bj) || dense_is_ancestor(t->model, bj, bi);
        if (tally(&unrelated, !related)) assert_true(*at(M, i, j) == 0);
      }
    }
  }
  assert_enough(&unrelated, 0.1);
}

// the book's tree of seven bodies: 33 of 49 elements are not zero                 figure 8.2
static void
sparsity_of_the_books_tree(void ** context)
{
  (void)context;
  // parents of the book's bodies 7, 6, 5, 4, 3, 2, 1
  const int parent[7] = {-1, 0, 1, 1, 1, 3, 4};
  mbd_model_t * model;
  int frame[7];
  uint64_t state = 1;
  assert_ok(mbd_model_create("figure 8.2", &model));
  for (int k = 0; k < 7; k++) {
    char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = parent[k] < 0 ? MBD_WORLD_BODY : frame[parent[k]];
    spec.type = MBD_JOINT_REVOLUTE;
    spec.axis = random_vec3(&state, 1);
    spec.placement = random_placement(&state);
    spec.inertia = random_inertia(&state);
    assert_ok(mbd_model_add_body(model, &spec, &frame[k]));
  }
  assert_ok(mbd_model_finalize(model));
  mbd_data_t * data;
  double q[7], M[49];
  int nonzero = 0;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_random_configuration(model, 1, q));
  assert_ok(mbd_set_state(model, data, q, NULL));
  assert_ok(mbd_mass_matrix(model, data, M));
  for (int i = 0; i < 49; i++) nonzero += M[i] != 0;
  assert_int_equal(nonzero, 33);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// M(i,j) does not see the hinge of i, what carries i, or other branches             (4.20)
static void
elements_depend_on_outboard_hinges_only(void ** context)
{
  (void)context;
  tally_t outside = {0};
  tally_t related = {0};
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const mat_t M = mass_matrix(t);
    for (int l = 0; l < m->nv; l++) {
      const double keep = t->q[l];
      t->q[l] += 0.3;
      const mat_t changed = mass_matrix(t);
      t->q[l] = keep;
      for (int i = 0; i < m->nv; i++) {
        for (int j = i; j < m->nv; j++) {
          if (!tally(&related, dense_is_ancestor(m, i, j))) continue;
          // on the path from i to j, or carried by j
          const bool path = l != i && dense_is_ancestor(m, i, l) && dense_is_ancestor(m, l, j);
          if (!tally(&outside, !path && !(l != j && dense_is_ancestor(m, j, l)))) continue;
          // in whatever axes it was computed
          const double off = fabs(*at(M, i, j) - *at(changed, i, j));
          if (!(off <= 1e-13 * fmax(1, largest_entry(M)))) {
            fail_msg("M(%d,%d) sees hinge %d, seed %lu", i, j, l, seed);
          }
        }
      }
    }
  }
  assert_enough(&related, 0.4);
  assert_enough(&outside, 0.6);
}

static void
rotors_add_to_the_diagonal(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    const mat_t M = mass_matrix(t), rotors = dense_rotors(t->model);
    double plain, with;
    set_state(t);
    assert_ok(mbd_kinetic_energy(t->model, t->data, &plain));
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    mat_t expected = SUM(M);
    double energy = 0;
    for (int i = 0; i < nv; i++) {
      *at(expected, i, i) += rotors.a[i];
      energy += 0.5 * rotors.a[i] * t->v[i] * t->v[i];
    }
    assert_mat(mass_matrix(t), expected, 1e-14, "M, seed %lu", seed);
    set_state(t);
    assert_ok(mbd_kinetic_energy(t->model, t->data, &with));
    assert_near(with, plain + energy, 1e-13, "energy, seed %lu", seed);
    // friction is no inertia
    assert_ok(mbd_set_terms(t->data, MBD_TERM_FRICTION));
    assert_mat(mass_matrix(t), M, 0, "friction, seed %lu", seed);
  }
}

//---------- composite bodies ----------

static mat_t
composites(const tree_t * t)
{
  mat_t R = mat(6 * t->model->nbody, 6 * t->model->nbody);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_ok(mbd_composite_inertia(t->model, t->data));
  for (int k = 0; k < t->model->nbody; k++) {
    set_block(R, 6 * k, 6 * k, inertia6(&t->data->R[k]));
  }
  return R;
}

// M = R - E R E^T and its consequences      (4.8), (4.9), (4.10), (4.19), (9.17) to (9.19)
static void
composites_solve_the_lyapunov_equation(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t R = composites(t), phit = sub(d.phi, eye(d.n));
    assert_mat(sub(R, PROD(d.E, R, tr(d.E))), d.M, 1e-11, "M = R - E R E^T, seed %lu", seed);
    assert_mat(
      PROD(d.phi, d.M, tr(d.phi)), SUM(R, PROD(phit, R), PROD(R, tr(phit))), 1e-11,
      "phi M phi^T, seed %lu", seed);
    const mat_t upper = PROD(d.H, phit, R, d.S);
    const mat_t M = mass_matrix(t);
    assert_mat(
      M, SUM(PROD(d.H, R, d.S), upper, tr(upper)), 1e-11, "M from composites, seed %lu", seed);
    const double sum = trace(PROD(d.H, R, d.S));
    assert_near(trace(M) / sum, 1, 1e-12, "trace, seed %lu", seed);
  }
}

// the composites of the base bodies hold everything                                (4.13)
static void
base_composites_are_the_whole_robot(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    composites(t);
    mat_t whole = mat(6, 6), bases = mat(6, 6);
    double sum = 0;
    for (int k = 0; k < d.nbody; k++) {
      const mat_t phi = phi6(d.X_world[k]);
      whole = SUM(whole, PROD(phi, block(d.M, 6 * k, 6 * k, 6, 6), tr(phi)));
      if (t->model->body[k].parent >= 0) continue;
      bases = SUM(bases, PROD(phi, inertia6(&t->data->R[k]), tr(phi)));
      sum += t->data->R[k].mass;
    }
    assert_mat(bases, whole, 1e-12, "seed %lu", seed);
    assert_near(sum / t->model->mass, 1, 1e-14, "mass, seed %lu", seed);
  }
}

//---------- energy, centre of mass, momentum ----------

// momentum of all bodies at the world origin, in world axes
static mat_t
momentum_in_world(const dense_t * d)
{
  mat_t h = mat(6, 1);
  for (int k = 0; k < d->nbody; k++) {
    const mat_t MV = PROD(block(d->M, 6 * k, 6 * k, 6, 6), block(d->V, 6 * k, 0, 6, 1));
    h = SUM(h, PROD(phi6(d->X_world[k]), MV));
  }
  return h;
}

static mat_t
mass_and_centre(const dense_t * d)
{
  mat_t sum = mat(4, 1);
  for (int k = 0; k < d->nbody; k++) {
    const mbd_inertia_t * M = &d->model->body[k].inertia;
    const double h[4] = {M->h.x, M->h.y, M->h.z, M->mass};
    sum = SUM(sum, PROD(d->X_world[k], column(4, h)));
  }
  for (int i = 0; i < 3; i++) sum.a[i] /= sum.a[3];
  return sum;
}

static void
energies_and_centre_match_the_oracle(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    double kinetic, potential, mass;
    mbd_vec3_t com;
    set_state(t);
    assert_ok(mbd_kinetic_energy(t->model, t->data, &kinetic));
    assert_ok(mbd_potential_energy(t->model, t->data, &potential));
    assert_ok(mbd_center_of_mass(t->model, t->data, &mass, &com));
    assert_near(kinetic, 0.5 * scalar(PROD(tr(d.V), d.M, d.V)), 1e-12, "kinetic, %lu", seed);
    const mat_t c = mass_and_centre(&d);
    const double found[4] = {com.x, com.y, com.z, mass};
    assert_close(found, c.a, 4, 1e-12, "centre, seed %lu", seed);
    const mbd_vec3_t g = t->model->gravity;
    const double expected = -c.a[3] * (g.x * c.a[0] + g.y * c.a[1] + g.z * c.a[2]);
    assert_near(potential, expected, 1e-12, "potential, seed %lu", seed);
    assert_ok(mbd_center_of_mass(t->model, t->data, NULL, &com));
  }
}

// about the centre of mass; its linear part is mass times the centre's velocity  exercise 4.1
static void
momentum_is_that_of_all_bodies(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const dense_t d1 = dense_at(t->model, NULL, q_later(t, h).a, t->v, t->model->gravity);
    const dense_t d0 = dense_at(t->model, NULL, q_later(t, -h).a, t->v, t->model->gravity);
    set_state(t);
    mbd_force_t found;
    assert_ok(mbd_centroidal_momentum(t->model, t->data, &found));
    const mat_t c = mass_and_centre(&d);
    mat_t X = eye(4);
    for (int i = 0; i < 3; i++) *at(X, i, 3) = -c.a[i];
    assert_mat_floor(
      force6(found), PROD(phi6(X), momentum_in_world(&d)), 1e-11, 1, "momentum, seed %lu", seed);
    const mat_t slope = scale(0.5 * c.a[3] / h, sub(mass_and_centre(&d1), mass_and_centre(&d0)));
    const double linear[3] = {found.lin.x, found.lin.y, found.lin.z};
    assert_close_floor(linear, slope.a, 3, 1e-7, 1, "linear, seed %lu", seed);
  }
}

// h_S = sum phi R H^T v at the base, and the base velocity that leaves none       (4.17)
static void
base_velocity_can_take_the_momentum_away(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.forest = false;
  FOR_TREES(TREES, &options)
  {
    const dense_t d = dense_of(t);
    const mat_t R = composites(t);
    const mat_t all = PROD(d.phi, R, d.S, d.v);
    const mat_t hS = block(all, 0, 0, 6, 1);
    const mat_t sum = block(PROD(d.phi, d.M, d.V), 0, 0, 6, 1);
    assert_mat_floor(hS, sum, 1e-11, 1, "h_S, seed %lu", seed);
    const mat_t VC = PROD(inverse(block(R, 0, 0, 6, 6)), hS);
    for (int i = 0; i < 3; i++) {
      t->v[i] -= VC.a[3 + i];
      t->v[3 + i] -= VC.a[i];
    }
    mbd_force_t left;
    set_state(t);
    assert_ok(mbd_centroidal_momentum(t->model, t->data, &left));
    assert_mat_floor(
      force6(left), mat(6, 1), 1e-12, fmax(1, largest_entry(hS)), "nothing left, seed %lu", seed);
  }
}

//---------- behaviour ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t M = mat(m->nv, m->nv);
  double x;
  mbd_vec3_t c;
  mbd_force_t h;
  assert_status(mbd_mass_matrix(m, d, M.a), MBD_ERROR_STAGE);
  assert_status(mbd_composite_inertia(m, d), MBD_ERROR_STAGE);
  assert_status(mbd_potential_energy(m, d, &x), MBD_ERROR_STAGE);
  assert_status(mbd_center_of_mass(m, d, &x, &c), MBD_ERROR_STAGE);
  assert_ok(mbd_set_state(m, d, t->q, NULL));
  assert_ok(mbd_mass_matrix(m, d, M.a));
  assert_status(mbd_kinetic_energy(m, d, &x), MBD_ERROR_STAGE);
  assert_status(mbd_centroidal_momentum(m, d, &h), MBD_ERROR_STAGE);
  assert_status(mbd_mass_matrix(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_matrix(NULL, d, M.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mass_matrix(other->model, d, M.a), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_center_of_mass(m, d, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_set_velocity(m, d, t->v));
  assert_status(mbd_kinetic_energy(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_centroidal_momentum(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  // a bad configuration: nothing of it is kept
  mat_t before = mat(m->nv, m->nv);
  assert_ok(mbd_mass_matrix(m, d, before.a));
  t->q[0] = nan("");
  assert_status(mbd_set_state(m, d, t->q, NULL), MBD_ERROR_NOT_FINITE);
  assert_ok(mbd_mass_matrix(m, d, M.a));
  assert_mat(M, before, 0, "after a configuration that is not finite");
  tree_free(other);
  tree_free(t);
  mats_free();
}

// a new position must not see the composites of the old one
static void
composites_follow_the_state(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    composites(t);
    mat_t v = mat(t->model->nv, 1), q = mat(t->model->nq, 1);
    for (int i = 0; i < t->model->nv; i++) v.a[i] = 0.3;
    dense_step_all(t->model, t->q, v.a, 1, q.a);
    const dense_t d = dense_at(t->model, NULL, q.a, NULL, t->model->gravity);
    mat_t M = mat(d.nv, d.nv);
    assert_ok(mbd_set_position(t->model, t->data, q.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_mat(M, dense_mass(&d), 1e-11, "seed %lu", seed);
  }
}

static void
nothing_heavy_has_no_centre(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("ghost", &model));
  spec.name = spec.joint_name = "ghost", spec.type = MBD_JOINT_PRISMATIC;
  spec.axis = mbdu_vec3(1, 0, 0);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  mbd_data_t * data;
  mbd_vec3_t c;
  mbd_force_t h;
  double q = 0, energy;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, &q));
  assert_ok(mbd_set_velocity(model, data, &q));
  assert_status(mbd_center_of_mass(model, data, NULL, &c), MBD_ERROR_MASSLESS_SUBTREE);
  // energies of nothing are zero
  assert_ok(mbd_kinetic_energy(model, data, &energy));
  assert_true(energy == 0);
  assert_ok(mbd_potential_energy(model, data, &energy));
  assert_true(energy == 0);
  // no centre, no momentum about it
  assert_status(mbd_centroidal_momentum(model, data, &h), MBD_ERROR_MASSLESS_SUBTREE);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mass_matrix_matches_the_operators),
    cmocka_unit_test(mass_matrix_by_inverse_dynamics),
    cmocka_unit_test(mass_matrix_by_kinetic_energy),
    cmocka_unit_test(unrelated_bodies_have_no_common_inertia),
    cmocka_unit_test(sparsity_of_the_books_tree),
    cmocka_unit_test(elements_depend_on_outboard_hinges_only),
    cmocka_unit_test(rotors_add_to_the_diagonal),
    cmocka_unit_test(composites_solve_the_lyapunov_equation),
    cmocka_unit_test(base_composites_are_the_whole_robot),
    cmocka_unit_test(energies_and_centre_match_the_oracle),
    cmocka_unit_test(momentum_is_that_of_all_bodies),
    cmocka_unit_test(base_velocity_can_take_the_momentum_away),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(composites_follow_the_state),
    cmocka_unit_test(nothing_heavy_has_no_centre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
