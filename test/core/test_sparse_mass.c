// The mass matrix without its zeros, against the dense oracle.
#include "mbdyn/operators/sparse_mass.h"

#include "by_hand.h"

static mbd_sparsity_t *
sparsity_of(const mbd_model_t * model)
{
  mbd_sparsity_t * s;
  assert_ok(mbd_sparsity_create(model, &s));
  return s;
}

// what is stored is what can be other than zero, on and below the diagonal              (9.3.2)
static void
pattern_is_that_of_the_tree(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mbd_sparsity_t * s = sparsity_of(m);
    mat_t ones = mat((int)s->nnz, 1), stored = mat(m->nv, m->nv);
    for (size_t k = 0; k < s->nnz; k++) ones.a[k] = 1;
    assert_ok(mbd_sparse_expand(s, ones.a, stored.a));
    size_t count = 0;
    for (int j = 0; j < m->nv; j++) {
      for (int k = 0; k < m->nv; k++) {
        const int a = m->dof_body[j], b = m->dof_body[k];
        const bool related = dense_is_ancestor(m, a, b) || dense_is_ancestor(m, b, a);
        assert_int_equal(*at(stored, j, k) == 1, related);
        count += related && k <= j;
      }
    }
    assert_int_equal(s->nnz, count);
    mbd_sparsity_destroy(s);
  }
}

// M by the oracle, with rotors; products
static void
matrix_is_that_of_the_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const uint32_t terms = seed % 2 ? MBD_TERM_ROTORS : 0;
    mbd_sparsity_t * s = sparsity_of(m);
    const dense_t d = dense_of(t);
    const mat_t expected = mass_with(&d, terms);
    mat_t M = mat((int)s->nnz, 1), dense = mat(m->nv, m->nv), y = mat(m->nv, 1);
    assert_ok(mbd_set_terms(t->data, terms));
    assert_ok(mbd_set_state(m, t->data, t->q, NULL));
    assert_ok(mbd_sparse_mass(m, t->data, s, M.a));
    assert_ok(mbd_sparse_expand(s, M.a, dense.a));
    assert_mat(dense, expected, 1e-12, "M, seed %lu", seed);
    assert_ok(mbd_sparse_multiply(s, M.a, t->v, y.a));
    assert_mat_floor(
      y, PROD(expected, column(m->nv, t->v)), 1e-12, largest_entry(expected), "M x, seed %lu",
      seed);
    // and back into the storage, from a matrix of which half is there
    mat_t again = mat((int)s->nnz, 1);
    for (int j = 0; j < m->nv; j++) {
      for (int k = j + 1; k < m->nv; k++) *at(dense, j, k) = (double)NAN;
    }
    assert_ok(mbd_sparse_gather(s, dense.a, again.a));
    assert_memory_equal(again.a, M.a, s->nnz * sizeof *M.a);
    mbd_sparsity_destroy(s);
  }
}

// L^T D L = M with L in the pattern of M, and solutions are those of the dense inverse
static void
factors_and_solutions(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mbd_sparsity_t * s = sparsity_of(m);
    const dense_t d = dense_of(t);
    const mat_t expected = dense_mass(&d);
    mat_t M = mat((int)s->nnz, 1), whole = mat(m->nv, m->nv), x = mat_from(m->nv, 1, t->tau);
    assert_ok(mbd_set_state(m, t->data, t->q, NULL));
    assert_ok(mbd_sparse_mass(m, t->data, s, M.a));
    assert_ok(mbd_sparse_factor(s, M.a));
    assert_ok(mbd_sparse_expand(s, M.a, whole.a));
    mat_t L = eye(m->nv), D = mat(m->nv, m->nv);
    double log_det = 0;
    for (int j = 0; j < m->nv; j++) {
      for (int k = 0; k < j; k++) *at(L, j, k) = *at(whole, j, k);
      *at(D, j, j) = *at(whole, j, j);
      log_det += log(*at(whole, j, j));
    }
    assert_mat(PROD(tr(L), D, L), expected, 1e-12, "factors, seed %lu", seed);
    assert_near(log_det, log(determinant(expected)), 1e-10, "log det, seed %lu", seed);
    assert_ok(mbd_sparse_solve(s, M.a, x.a));
    const mat_t answer = PROD(inverse(expected), column(m->nv, t->tau));
    assert_mat_floor(x, answer, 1e-9, fmax(1, largest_entry(answer)), "solution, seed %lu", seed);
    mbd_sparsity_destroy(s);
  }
}

// the tree of figure 8.2, with bodies whose matrix is known: 33 of 49 numbers are not zero. Bodies k
// of the figure: type, axis, place; mass k/2 + 1/2; computed by dense operators in other software
static void
figure_8_2_with_numbers(void ** context)
{
  (void)context;
  static const struct {
    int body, parent;
    mbd_joint_type_t type;
    mbd_vec3_t axis, place;
  } link[7] = {
    {7, -1, MBD_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}},
    {6, 7, MBD_JOINT_REVOLUTE, {0, 1, 0}, {0.1, 0, 0.5}},
    {5, 6, MBD_JOINT_PRISMATIC, {1, 0, 0}, {0, 0.2, 0.3}},
    {4, 6, MBD_JOINT_REVOLUTE, {0, 1, 0}, {0.3, -0.2, 0.1}},
    {3, 6, MBD_JOINT_REVOLUTE, {0, 0, 1}, {-0.3, 0.2, 0.1}},
    {2, 4, MBD_JOINT_PRISMATIC, {1, 0, 0}, {0.4, 0, 0}},
    {1, 3, MBD_JOINT_REVOLUTE, {0, 1, 0}, {0, 0.4, 0.1}}};
  static const struct {
    int i, j;
    double value;
  } known[] = {
    {1, 1, 0.0334},
    {1, 3, -0.017704805092066},
    {1, 6, 0.030288823415431},
    {1, 7, -0.018516486261388},
    {2, 2, 1.5},
    {2, 4, 0.09},
    {2, 6, 0.26230316523105},
    {2, 7, 0.20062066271638},
    {3, 3, 0.37997688414633},
    {3, 6, -0.12334246684086},
    {3, 7, 0.42136157621729},
    {4, 4, 0.50515},
    {4, 6, 0.85194166318128},
    {4, 7, 0.017356081103171},
    {5, 5, 3.0},
    {5, 6, 1.35},
    {5, 7, -0.58134745302639},
    {6, 6, 3.7938417350203},
    {6, 7, -0.45945321422446},
    {7, 7, 5.6455331568388}};
  mbd_model_t * model;
  int frame[8];
  assert_ok(mbd_model_create("figure 8.2", &model));
  for (int n = 0; n < 7; n++) {
    const int k = link[n].body;
    const char name[2] = {(char)('0' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = link[n].parent < 0 ? MBD_WORLD_BODY : frame[link[n].parent];
    spec.type = link[n].type;
    spec.axis = link[n].axis;
    spec.placement.p = link[n].place;
    const mbd_sym3_t I = {0.02 * k, 0.001 * k, 0, 0.03 * k, 0.002, 0.025 * k};
    spec.inertia =
      mbdu_inertia_from_com(0.5 * k + 0.5, mbdu_vec3(0.05 * k, 0.1 - 0.02 * k, 0.03 * k), I);
    assert_ok(mbd_model_add_body(model, &spec, &frame[k]));
  }
  assert_ok(mbd_model_finalize(model));
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  mbd_sparsity_t * s = sparsity_of(model);
  assert_int_equal(s->nnz, (33 + 7) / 2);
  mat_t q = mat(7, 1), M = mat((int)s->nnz, 1), dense = mat(7, 7);
  int index[8];
  for (int k = 1; k <= 7; k++) {
    index[k] = model->body[model->frame[frame[k]].body].v_index;
    q.a[index[k]] = 0.1 * k - 0.35;
  }
  assert_ok(mbd_set_state(model, data, q.a, NULL));
  assert_ok(mbd_sparse_mass(model, data, s, M.a));
  assert_ok(mbd_sparse_expand(s, M.a, dense.a));
  for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
    const double found = *at(dense, index[known[n].i], index[known[n].j]);
    assert_near(found, known[n].value, 1e-13, "M %d %d", known[n].i, known[n].j);
  }
  assert_ok(mbd_sparse_factor(s, M.a));
  double det = 1;
  for (int k = 0; k < 7; k++) det *= M.a[s->row[k + 1] - 1];
  assert_near(det, 0.2357094189665645, 1e-13, "det");
  mbd_sparsity_destroy(s);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mats_free();
}

// a hinge that moves nothing, another model's pattern, numbers that are none
static void
bad_input_is_refused(void ** context)
{
  (void)context;
  mbd_model_t * needle = needle_by_hand();
  mbd_data_t * data;
  assert_ok(mbd_data_create(needle, &data));
  mbd_sparsity_t *s = sparsity_of(needle), *other = NULL;
  double q = 0, M = 1;
  assert_status(mbd_sparse_mass(needle, data, s, &M), MBD_ERROR_STAGE);
  assert_ok(mbd_set_state(needle, data, &q, NULL));
  assert_ok(mbd_sparse_mass(needle, data, s, &M));
  assert_status(mbd_sparse_factor(s, &M), MBD_ERROR_SINGULAR);
  M = (double)NAN;
  assert_status(mbd_sparse_factor(s, &M), MBD_ERROR_SINGULAR);
  M = HUGE_VAL;
  assert_status(mbd_sparse_factor(s, &M), MBD_ERROR_SINGULAR);
  M = 1, q = (double)NAN;
  assert_status(mbd_sparse_solve(s, &M, &q), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_sparse_multiply(s, &M, &q, &q), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_sparsity_create(NULL, &other), MBD_ERROR_NULL_ARGUMENT);
  tree_t * t = chain(3, 1);
  other = sparsity_of(t->model);
  assert_status(mbd_sparse_mass(needle, data, other, &M), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_sparse_mass(needle, data, NULL, &M), MBD_ERROR_NULL_ARGUMENT);
  mbd_sparsity_destroy(other);
  mbd_sparsity_destroy(s);
  mbd_sparsity_destroy(NULL);
  tree_free(t);
  mbd_data_destroy(data);
  mbd_model_destroy(needle);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pattern_is_that_of_the_tree),
    cmocka_unit_test(matrix_is_that_of_the_operators),
    cmocka_unit_test(factors_and_solutions),
    cmocka_unit_test(figure_8_2_with_numbers),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
