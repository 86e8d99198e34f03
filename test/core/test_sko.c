// The SKO engine: against dense operators on blocks of random sizes, and against the functions of
// the core on rigid trees.
#include "mbdyn/operators/sko.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/opspace.h"

enum { NODES_MAX = 8 };

//---------- random blocks and the dense operators made of them ----------

// operators stacked over the nodes, straight from the definitions
typedef struct blocks {
  mbd_sko_t * sko;
  int n;                 // of all nodes
  int first[NODES_MAX];  // first row of each node
  mat_t E, A, H, M, J;   // A = (I - E)^-1; H is nv x n
  mat_t a, b, base;      // base: the world's acceleration as the nodes feel it, n
  double world[6];
} blocks_t;

static void
random_shapes(uint64_t * state, int nnode, mbd_sko_shape_t * shape)
{
  for (int k = 0; k < nnode; k++) {
    mbd_sko_shape_t * s = &shape[k];
    s->parent = random_below(state, k + 1) - 1;
    s->n = 1 + random_below(state, 14);
    s->r = random_below(state, (s->n < 5 ? s->n : 5) + 1);
    const int width = s->parent < 0 ? 6 : shape[s->parent].n;
    s->rows = random_below(state, width + 1);
    s->slot = random_below(state, width - s->rows + 1);
  }
}

static void
fill(uint64_t * state, int n, double * x)
{
  for (int i = 0; i < n; i++) x[i] = random_signed(state);
}

// a random symmetric positive definite matrix
static void
fill_inertia(uint64_t * state, int n, double * x)
{
  mat_t B = mat(n, n);
  fill(state, n * n, B.a);
  const mat_t S = SUM(PROD(B, tr(B)), scale(0.3, eye(n)));
  if (n > 0) memcpy(x, S.a, (size_t)(n * n) * sizeof *x);
}

static blocks_t
random_blocks(uint64_t seed)
{
  uint64_t state = seed;
  const int nnode = 1 + random_below(&state, NODES_MAX);
  mbd_sko_shape_t shape[NODES_MAX];
  random_shapes(&state, nnode, shape);
  blocks_t d = {0};
  assert_ok(mbd_sko_create(nnode, shape, &d.sko));
  for (int k = 0; k < nnode; k++) {
    d.first[k] = d.n;
    d.n += shape[k].n;
    const mbd_sko_node_t * node = &d.sko->node[k];
    fill(&state, node->rows * node->n, node->A);
    fill(&state, node->n * node->r, node->H);
    fill(&state, node->n, node->a);
    fill(&state, node->n, node->b);
    fill_inertia(&state, node->n, node->M);
    fill_inertia(&state, node->r, node->J);
  }
  // any numbering of the degrees of freedom
  const int nv = d.sko->nv, shift = nv > 0 ? random_below(&state, nv) : 0;
  for (int k = 0; k < nnode; k++) {
    const mbd_sko_node_t * node = &d.sko->node[k];
    for (int c = 0; c < node->r; c++) node->dof[c] = (node->dof[c] + shift) % nv;
  }
  fill(&state, 6, d.world);
  return d;
}

static void
stack(blocks_t * d)
{
  const int nv = d->sko->nv;
  d->E = mat(d->n, d->n), d->H = mat(nv, d->n), d->M = mat(d->n, d->n), d->J = mat(nv, nv);
  d->a = mat(d->n, 1), d->b = mat(d->n, 1);
  mat_t base = mat(d->n, 1);
  for (int k = 0; k < d->sko->nnode; k++) {
    const mbd_sko_node_t * node = &d->sko->node[k];
    const int row = d->first[k];
    const mat_t A = mat_from(node->rows, node->n, node->A);
    if (node->parent >= 0) {
      set_block(d->E, d->first[node->parent] + node->slot, row, A);
    } else {
      set_block(base, row, 0, PROD(tr(A), column(node->rows, d->world + node->slot)));
    }
    set_block(d->M, row, row, mat_from(node->n, node->n, node->M));
    set_block(d->a, row, 0, column(node->n, node->a));
    set_block(d->b, row, 0, column(node->n, node->b));
    for (int c = 0; c < node->r; c++) {
      for (int i = 0; i < node->n; i++) {
        *at(d->H, node->dof[c], row + i) = node->H[i * node->r + c];
      }
      for (int e = 0; e < node->r; e++) {
        *at(d->J, node->dof[c], node->dof[e]) = node->J[c * node->r + e];
      }
    }
  }
  d->A = inverse(sub(eye(d->n), d->E));
  d->base = PROD(tr(d->A), base);
}

#define FOR_BLOCKS(count)                                         \
  FOR_SEEDS(count)                                                \
  for (blocks_t d = random_blocks(seed); d.sko && (stack(&d), 1); \
       mbd_sko_destroy(d.sko), mats_free(), d.sko = NULL)

static mat_t
some_vector(const blocks_t * d, uint64_t seed)
{
  mat_t x = mat(d->sko->nv, 1);
  uint64_t state = seed + 1000;
  fill(&state, d->sko->nv, x.a);
  return x;
}

static mat_t
dense_mass_of(const blocks_t * d)
{
  return SUM(PROD(d->H, d->A, d->M, tr(d->A), tr(d->H)), d->J);
}

static void
write_mat(mat_t A, double * out)
{
  memcpy(out, A.a, (size_t)(A.r * A.c) * sizeof *out);
}

//---------- blocks of any size ----------

// alpha = A^T (H^T qdd + a) + base, f = A (M alpha + b), tau = H f + J qdd      (8.27)
static void
inverse_dynamics_is_the_operator_product(void ** context)
{
  (void)context;
  FOR_BLOCKS(300)
  {
    const mat_t qdd = some_vector(&d, seed);
    const mat_t alpha = SUM(PROD(tr(d.A), SUM(PROD(tr(d.H), qdd), d.a)), d.base);
    const mat_t f = PROD(d.A, SUM(PROD(d.M, alpha), d.b));
    const mat_t tau = SUM(PROD(d.H, f), PROD(d.J, qdd));
    mat_t got = mat(d.sko->nv, 1);
    assert_ok(mbd_sko_inverse_dynamics(d.sko, d.world, qdd.a, got.a));
    assert_mat(got, tau, 1e-12, "tau, seed %lu", seed);
    for (int k = 0; k < d.sko->nnode; k++) {
      const mbd_sko_node_t * node = &d.sko->node[k];
      mat_t force = mat(node->n, 1);
      assert_ok(mbd_sko_force(d.sko, k, force.a));
      assert_mat_floor(
        force, block(f, d.first[k], 0, node->n, 1), 1e-12, largest_entry(f), "f %d, %lu", k, seed);
    }
  }
}

// mass matrix, determinant, factors, roots, solve                  (9.14), (9.47)-(9.53)
static void
mass_matrix_and_its_factors(void ** context)
{
  (void)context;
  FOR_BLOCKS(300)
  {
    const int nv = d.sko->nv;
    const mat_t M = dense_mass_of(&d), x = some_vector(&d, seed);
    mat_t got = mat(nv, nv), y = mat(nv, 1), S = mat(nv, nv), F = mat(nv, nv);
    assert_ok(mbd_sko_mass_matrix(d.sko, got.a));
    assert_mat(got, M, 1e-12, "M, seed %lu", seed);
    double log_det;
    assert_ok(mbd_sko_log_determinant(d.sko, &log_det));
    assert_near(log_det, log(determinant(M)), 1e-9, "log det, seed %lu", seed);
    assert_ok(mbd_sko_mass_solve(d.sko, x.a, y.a));
    assert_mat(PROD(M, y), x, 1e-9, "M M^-1 x, seed %lu", seed);
    // columns of the root and of F
    for (int c = 0; c < nv; c++) {
      mat_t unit = mat(nv, 1);
      unit.a[c] = 1;
      assert_ok(mbd_sko_factor(d.sko, MBD_SKO_ROOT, unit.a, y.a));
      set_block(S, 0, c, y);
      assert_ok(mbd_sko_factor(d.sko, MBD_SKO_F, unit.a, y.a));
      set_block(F, 0, c, y);
    }
    assert_mat(PROD(S, tr(S)), M, 1e-11, "root, seed %lu", seed);
    const mat_t expected[8] = {F, tr(F), inverse(F), tr(inverse(F)),
                               S, tr(S), inverse(S), tr(inverse(S))};
    for (int which = 0; which < 8; which++) {
      assert_ok(mbd_sko_factor(d.sko, (mbd_sko_factor_t)which, x.a, y.a));
      assert_mat(y, PROD(expected[which], x), 1e-8, "factor %d, seed %lu", which, seed);
    }
  }
}

// M qdd = tau - H A (M (A^T a + base) + b); forces by (7.40) are those of inverse dynamics
static void
forward_dynamics_solves_the_equations(void ** context)
{
  (void)context;
  FOR_BLOCKS(300)
  {
    const int nv = d.sko->nv;
    const mat_t tau = some_vector(&d, seed), M = dense_mass_of(&d);
    const mat_t rest = SUM(PROD(tr(d.A), d.a), d.base);
    const mat_t h = PROD(d.H, d.A, SUM(PROD(d.M, rest), d.b));
    mat_t qdd = mat(nv, 1), back = mat(nv, 1);
    assert_ok(mbd_sko_forward_dynamics(d.sko, d.world, tau.a, qdd.a));
    assert_mat(qdd, PROD(inverse(M), sub(tau, h)), 1e-8, "qdd, seed %lu", seed);
    mat_t f = mat(d.n, 1), f_back = mat(d.n, 1);
    for (int k = 0; k < d.sko->nnode; k++) {
      assert_ok(mbd_sko_force(d.sko, k, f.a + d.first[k]));
    }
    assert_ok(mbd_sko_inverse_dynamics(d.sko, d.world, qdd.a, back.a));
    assert_mat_floor(back, tau, 1e-10, largest_entry(h), "ID(FD), seed %lu", seed);
    for (int k = 0; k < d.sko->nnode; k++) {
      assert_ok(mbd_sko_force(d.sko, k, f_back.a + d.first[k]));
    }
    assert_mat(f, f_back, 1e-10, "forces, seed %lu", seed);
  }
}

// Omega = A^T H^T M^-1 H A between any two nodes                                  (10.9)
static void
compliance_is_the_dense_one(void ** context)
{
  (void)context;
  FOR_BLOCKS(300)
  {
    const mat_t HA = PROD(d.H, d.A);
    const mat_t omega = PROD(tr(HA), inverse(dense_mass_of(&d)), HA);
    uint64_t state = seed;
    for (int i = 0; i < d.sko->nnode; i++) {
      for (int j = 0; j < d.sko->nnode; j++) {
        const int ni = d.sko->node[i].n, nj = d.sko->node[j].n;
        const int ci = 1 + random_below(&state, 6), cj = 1 + random_below(&state, 6);
        mat_t Bi = mat(ni, ci), Bj = mat(nj, cj), got = mat(ci, cj);
        fill(&state, ni * ci, Bi.a);
        fill(&state, nj * cj, Bj.a);
        assert_ok(mbd_sko_compliance_between(d.sko, i, Bi.a, ci, j, Bj.a, cj, got.a));
        const mat_t between = block(omega, d.first[i], d.first[j], ni, nj);
        assert_mat_floor(
          got, PROD(tr(Bi), between, Bj), 1e-9, 1, "Omega %d %d, seed %lu", i, j, seed);
      }
    }
  }
}

// H G = 1, H P+ = 0, P+ symmetric, semidefinite and of rank n - r: the hinge lets the rest through
static void
hinges_take_up_what_they_can(void ** context)
{
  (void)context;
  tally_t partial = {0};
  tally_t hinges = {0};
  FOR_BLOCKS(100)
  {
    for (int k = 0; k < d.sko->nnode; k++) {
      memset(d.sko->node[k].J, 0, (size_t)(d.sko->node[k].r * d.sko->node[k].r) * sizeof(double));
    }
    mbd_sko_changed(d.sko);
    assert_ok(mbd_sko_articulated_inertia(d.sko));
    for (int k = 0; k < d.sko->nnode; k++) {
      const mbd_sko_node_t * node = &d.sko->node[k];
      if (!tally(&hinges, node->r > 0)) continue;
      const mat_t P = mat_from(node->n, node->n, node->P),
                  H = tr(mat_from(node->n, node->r, node->H));
      const mat_t G = mat_from(node->n, node->r, node->G), D = mat_from(node->r, node->r, node->D);
      const mat_t P_plus = sub(P, PROD(G, H, P));
      const double size = largest_entry(P);
      assert_mat(PROD(H, G), eye(node->r), 1e-9, "H G, node %d, seed %lu", k, seed);
      assert_mat(D, PROD(H, P, tr(H)), 1e-12, "D, node %d, seed %lu", k, seed);
      assert_mat_floor(PROD(H, P_plus), mat(node->r, node->n), 1e-9, size, "H P+, %lu", seed);
      assert_mat_floor(P_plus, tr(P_plus), 1e-9, size, "P+ symmetric, %lu", seed);
      assert_true(smallest_eigenvalue(P_plus) > -1e-9 * size);
      // where the hinge takes all, rounding is left
      if (tally(&partial, node->r < node->n))
        assert_int_equal(rank_of(P_plus, 1e-6), node->n - node->r);
      assert_true(smallest_eigenvalue(D) > 0);
    }
  }
  assert_enough(&hinges, 0.5);
  assert_enough(&partial, 0.4);
}

//---------- the seven-body tree of the SOA slides ----------

// parents of bodies 1 to 7, tip first, as the slides number them; body k is node 7 - k
static const int parent_of[8] = {0, 3, 4, 6, 6, 6, 7, 0};

static mat_t
rotation_about(char axis, double q)
{
  mat_t T = eye(4);
  const double c = cos(q), s = sin(q);
  const int i = axis == 'y' ? 2 : axis == 'z' ? 0 : 1, j = (i + 1) % 3;
  *at(T, i, i) = *at(T, j, j) = c;
  *at(T, i, j) = -s, *at(T, j, i) = s;
  return T;
}

// everything in world axes at the bodies' origins, so that A is a shift alone: SL-T1
static mbd_sko_t *
slides_tree(void)
{
  static const char type[8] = {0, 'R', 'P', 'R', 'R', 'P', 'R', 'R'};
  static const char axis[8] = {0, 'y', 'x', 'z', 'y', 'x', 'y', 'z'};
  static const double origin[8][3] = {
    {0},           {0, 0.4, 0.1}, {0.4, 0, 0}, {-0.3, 0.2, 0.1}, {0.3, -0.2, 0.1},
    {0, 0.2, 0.3}, {0.1, 0, 0.5}, {0, 0, 0}};
  mbd_sko_shape_t shape[7];
  for (int node = 0; node < 7; node++) {
    const int p = parent_of[7 - node];
    const mbd_sko_shape_t s = {p == 0 ? -1 : 7 - p, 6, 1, 0, 6};
    shape[node] = s;
  }
  mbd_sko_t * sko;
  assert_ok(mbd_sko_create(7, shape, &sko));
  mat_t T[8], w[8];
  for (int k = 7; k >= 1; k--) {
    const mbd_sko_node_t * node = &sko->node[7 - k];
    node->dof[0] = k - 1;
    const int p = parent_of[k];
    const double q = 0.1 * k - 0.35, rate = 0.5 - 0.15 * k;
    const mat_t T_p = p == 0 ? eye(4) : T[p], w_p = p == 0 ? mat(3, 1) : w[p];
    mat_t joint = eye(4);
    for (int i = 0; i < 3; i++) *at(joint, i, 3) = origin[k][i];
    const mat_t R_p = block(T_p, 0, 0, 3, 3);
    mat_t unit = mat(3, 1);
    unit.a[axis[k] - 'x'] = 1;
    const mat_t h = PROD(R_p, unit);
    mat_t slide = eye(4);
    if (type[k] == 'P') *at(slide, axis[k] - 'x', 3) = q;
    T[k] = PROD(T_p, joint, type[k] == 'R' ? rotation_about(axis[k], q) : slide);
    const mat_t l = sub(block(T[k], 0, 3, 3, 1), block(T_p, 0, 3, 3, 1));
    // A = [1 l~; 0 1]
    mat_t A = eye(6);
    set_block(A, 0, 3, skew3(l.a));
    write_mat(A, node->A);
    const int part = type[k] == 'R' ? 0 : 3;
    for (int i = 0; i < 3; i++) node->H[part + i] = h.a[i];
    w[k] = type[k] == 'R' ? SUM(w_p, scale(rate, h)) : w_p;
    // a and b of the digest, section 1.2
    const mat_t hv = scale(rate, h), W = skew3(w_p.a);
    mat_t a = mat(6, 1);
    set_block(a, 3, 0, PROD(W, W, l));
    if (type[k] == 'R') {
      set_block(a, 0, 0, PROD(W, hv));
    } else {
      set_block(a, 3, 0, SUM(PROD(W, W, l), scale(2, PROD(W, hv))));
    }
    write_mat(a, node->a);
    const double m = 0.5 * k + 0.5;
    const mat_t com = column(3, (double[]){0.05 * k, 0.1 - 0.02 * k, 0.03 * k});
    const mat_t I = mat_from(
      3, 3, (double[]){0.02 * k, 0.001 * k, 0, 0.001 * k, 0.03 * k, 0.002, 0, 0.002, 0.025 * k});
    const mat_t R = block(T[k], 0, 0, 3, 3), c = PROD(R, com), C = skew3(c.a);
    const mat_t J = sub(PROD(R, I, tr(R)), scale(m, PROD(C, C)));
    mat_t M = scale(m, eye(6));
    set_block(M, 0, 0, J);
    set_block(M, 0, 3, scale(m, C));
    set_block(M, 3, 0, scale(-m, C));
    write_mat(M, node->M);
    const mat_t Wk = skew3(w[k].a);
    mat_t b = mat(6, 1);
    set_block(b, 0, 0, PROD(Wk, J, w[k]));
    set_block(b, 3, 0, scale(m, PROD(Wk, Wk, c)));
    write_mat(b, node->b);
  }
  return sko;
}

static void
seven_bodies_of_the_slides(void ** context)
{
  (void)context;
  mbd_sko_t * sko = slides_tree();
  // SL-E1: what of the mass matrix is not zero
  static const char * const pattern[7] = {"X.X..XX", ".X.X.XX", "X.X..XX", ".X.X.XX",
                                          "....XXX", "XXXXXXX", "XXXXXXX"};
  mat_t M = mat(7, 7);
  assert_ok(mbd_sko_mass_matrix(sko, M.a));
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 7; j++) assert_int_equal(*at(M, i, j) != 0, pattern[i][j] == 'X');
  }
  // SL-T1: figures
  const double figures[][3] = {
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
  for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
    const int i = (int)figures[k][0] - 1, j = (int)figures[k][1] - 1;
    assert_near(*at(M, i, j), figures[k][2], 1e-13, "M %d %d", i + 1, j + 1);
  }
  const double C[7] = {0.0042697279345929, -0.53466511770487, -0.035801008060496, -0.11288653618964,
                       -0.71860273941709,  -0.19833396880291, 0.56881247854087};
  const double qdd[7] = {-21.917635379566, 0.010440108336742, -1.2954161961915, 0.16393202357228,
                         0.32019652786833, 0.265442129944,    0.17258821568753};
  const double D[7] = {0.0334,         1.5, 0.37059185051316, 0.49975, 3.0, 1.6827738795323,
                       5.0320335385387};
  double got[7], tau[7], number;
  assert_ok(mbd_sko_inverse_dynamics(sko, NULL, NULL, got));
  for (int k = 0; k < 7; k++) assert_near(got[k], C[k], 1e-13, "C %d", k + 1);
  for (int k = 0; k < 7; k++) tau[k] = 0.3 * (k + 1) - 1;
  assert_ok(mbd_sko_forward_dynamics(sko, NULL, tau, got));
  for (int k = 0; k < 7; k++) assert_near(got[k], qdd[k], 1e-11, "qdd %d", k + 1);
  for (int k = 0; k < 7; k++) assert_near(sko->node[6 - k].D[0], D[k], 1e-13, "D %d", k + 1);
  assert_ok(mbd_sko_log_determinant(sko, &number));
  assert_near(exp(number), 0.2357094189665645, 1e-13, "det M");
  assert_ok(mbd_sko_mass_trace(sko, &number));
  assert_near(number, 14.85790177600545, 1e-13, "trace M");
  mbd_sko_destroy(sko);
  mats_free();
}

//---------- a rigid tree ----------

// a node for each body, from the workspace of the core
static mbd_sko_t *
sko_of_tree(const tree_t * t)
{
  const mbd_model_t * model = t->model;
  const mbd_data_t * data = t->data;
  mbd_sko_shape_t * shape = calloc((size_t)model->nbody, sizeof *shape);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_sko_shape_t s = {model->body[i].parent, 6, model->body[i].nv, 0, 6};
    shape[i] = s;
  }
  mbd_sko_t * sko;
  assert_ok(mbd_sko_create(model->nbody, shape, &sko));
  free(shape);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const mbd_sko_node_t * node = &sko->node[i];
    write_mat(phi6(placement4(&data->X_parent[i])), node->A);
    for (int c = 0; c < body->nv; c++) {
      const mat_t S = motion6(data->S[body->v_index + c]);
      for (int r = 0; r < 6; r++) node->H[r * body->nv + c] = S.a[r];
      if (data->terms & MBD_TERM_ROTORS) {
        node->J[c * (body->nv + 1)] =
          body->drive.gear_ratio * body->drive.gear_ratio * body->drive.rotor_inertia;
      }
    }
    const mat_t M = inertia6(&data->inertia[i]), V = motion6(data->V[i]);
    write_mat(M, node->M);
    write_mat(motion6(data->a[i]), node->a);
    write_mat(PROD(bar6(V.a), M, V), node->b);
  }
  return sko;
}

// every result equals that of the functions of the core to 1e-12
static void
rigid_trees_equal_the_core(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    set_state(t);
    mbd_sko_t * sko = sko_of_tree(t);
    // the quicker way of rigid bodies, on every other tree
    for (int i = 0; seed / 2 % 2 && i < t->model->nbody; i++) {
      sko->node[i].rigid = &t->data->X_parent[i];
    }
    const int nv = t->model->nv;
    const mbd_vec3_t g = t->model->gravity;
    const double base[6] = {0, 0, 0, -g.x, -g.y, -g.z};
    mat_t got = mat(nv, 1), core = mat(nv, 1), M = mat(nv, nv), M_core = mat(nv, nv);

    assert_ok(mbd_sko_inverse_dynamics(sko, base, t->qdd, got.a));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, NULL, core.a));
    assert_mat(got, core, 1e-12, "tau, seed %lu", seed);
    assert_ok(mbd_sko_mass_matrix(sko, M.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, M_core.a));
    assert_mat(M, M_core, 1e-12, "M, seed %lu", seed);
    // the accelerations are as good as the mass matrix lets them: compared as torques
    assert_ok(mbd_sko_forward_dynamics(sko, base, t->tau, got.a));
    assert_ok(mbd_forward_dynamics(t->model, t->data, NULL, NULL, t->tau, NULL, core.a));
    const double size = largest_entry(M) * fmax(1, largest_entry(core));
    assert_mat_floor(PROD(M, got), PROD(M, core), 1e-12, size, "qdd, seed %lu", seed);

    double log_det, log_det_core;
    assert_ok(mbd_sko_log_determinant(sko, &log_det));
    assert_ok(mbd_mass_log_determinant(t->model, t->data, &log_det_core));
    assert_near(log_det, log_det_core, 1e-12, "log det, seed %lu", seed);
    assert_ok(mbd_sko_compliance(sko));
    assert_ok(mbd_compliance(t->model, t->data));
    for (int i = 0; i < t->model->nbody; i++) {
      assert_mat(
        mat_from(6, 6, sko->node[i].P), sym6(&t->data->P[i]), 1e-12, "P %d, seed %lu", i, seed);
      const mat_t Y = sym6(&t->data->Y[i]);
      assert_mat_floor(
        mat_from(6, 6, sko->node[i].Y), Y, 1e-12, fmax(1, largest_entry(Y)), "Y %d, seed %lu", i,
        seed);
    }
    mbd_sko_destroy(sko);
  }
}

//---------- bad input ----------

static void
bad_shapes_are_refused(void ** context)
{
  (void)context;
  const mbd_sko_shape_t bad[] = {{0, 6, 1, 0, 6},  {-2, 6, 1, 0, 6}, {-1, 0, 0, 0, 6},
                                 {-1, 6, 7, 0, 6}, {-1, 6, 1, 1, 6}, {-1, 6, 1, -1, 3}};
  mbd_sko_t * sko;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(mbd_sko_size(1, &bad[k]), 0);
    assert_status(mbd_sko_create(1, &bad[k], &sko), MBD_ERROR_BAD_ARGUMENT);
  }
  const mbd_sko_shape_t good = {-1, 6, 1, 0, 6};
  char small[64];
  assert_status(mbd_sko_init(1, &good, small, sizeof small, &sko), MBD_ERROR_TOO_SMALL);
  assert_status(mbd_sko_create(1, NULL, &sko), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_sko_create(1, &good, &sko));
  // nothing to move: named, not divided by
  double x[1] = {1}, f[6];
  assert_status(mbd_sko_forward_dynamics(sko, NULL, x, x), MBD_ERROR_MASSLESS_SUBTREE);
  assert_int_equal(sko->error_node, 0);
  assert_status(mbd_sko_force(sko, 0, f), MBD_ERROR_STAGE);
  assert_status(mbd_sko_force(sko, 1, f), MBD_ERROR_BAD_ARGUMENT);
  x[0] = (double)NAN;
  assert_status(mbd_sko_inverse_dynamics(sko, NULL, x, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_sko_forward_dynamics(sko, NULL, x, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_sko_factor(sko, (mbd_sko_factor_t)9, x, x), MBD_ERROR_BAD_ARGUMENT);
  mbd_sko_destroy(sko);
  mbd_sko_destroy(NULL);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(inverse_dynamics_is_the_operator_product),
    cmocka_unit_test(mass_matrix_and_its_factors),
    cmocka_unit_test(forward_dynamics_solves_the_equations),
    cmocka_unit_test(compliance_is_the_dense_one),
    cmocka_unit_test(hinges_take_up_what_they_can),
    cmocka_unit_test(seven_bodies_of_the_slides),
    cmocka_unit_test(rigid_trees_equal_the_core),
    cmocka_unit_test(bad_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
