// Divide and conquer: subsystems joined at boundary nodes against dense algebra and forward dynamics, and
// forward dynamics by subchains and threads.
#include "mbdyn/operators/divide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"

//---------- two subsystems ----------

static mat_t
inverse_inertia(const mbd_subsystem_t * s)
{
  return mat_from(6 * s->nnode, 6 * s->nnode, s->inverse_inertia);
}

static mat_t
bias_of(const mbd_subsystem_t * s)
{
  mat_t c = mat(6 * s->nnode, 1);
  for (int h = 0; h < s->nnode; h++) set_block(c, 6 * h, 0, motion6(s->bias[h]));
  return c;
}

// a body with two nodes in random places
static mbd_subsystem_t
random_body(uint64_t * state)
{
  const mbd_inertia_t I = random_inertia(state);
  const mbd_placement_t X[2] = {random_placement(state), random_placement(state)};
  mbd_subsystem_t s;
  assert_ok(mbd_subsystem_body(&I, random_motion(state), random_force(state), 2, X, &s));
  return s;
}

static mbd_hinge_t
random_hinge(int nv, uint64_t * state)
{
  mbd_hinge_t hinge = {.X = random_placement(state), .nv = nv, .a = random_motion(state)};
  for (int k = 0; k < nv; k++) {
    hinge.S[k] = random_motion(state);
    hinge.tau[k] = random_signed(state);
  }
  return hinge;
}

// orthonormal rows that are orthogonal to the columns of S, by Gram-Schmidt
static mat_t
complement(mat_t S)
{
  mat_t basis = mat(6, 6), P = mat(6 - S.c, 6);
  int n = 0;
  for (int k = 0; n < 6; k++) {
    mat_t x = k < S.c ? block(S, 0, k, 6, 1) : unit_column(6, k - S.c);
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < n; j++) {
        const mat_t b = block(basis, 0, j, 6, 1);
        x = sub(x, scale(scalar(PROD(tr(b), x)), b));
      }
    }
    const double length = sqrt(scalar(PROD(tr(x), x)));
    if (k >= S.c && length < 0.1) continue;
    set_block(basis, 0, n, scale(1 / length, x));
    if (k >= S.c) set_block(P, n - S.c, 0, tr(block(basis, 0, n, 6, 1)));
    n++;
  }
  return P;
}

// the merged system as the book has it, with the bias of the hinge                  (10.48) - (10.52)
static void
joining_is_the_books_merge(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    uint64_t state = seed;
    const mbd_subsystem_t A = random_body(&state), B = random_body(&state);
    const int nv = (int)(seed % 6), a = (int)(seed % 2), b = (int)(seed / 2 % 2);
    const mbd_hinge_t hinge = random_hinge(nv, &state);
    mbd_subsystem_t C;
    assert_ok(mbd_subsystem_join(&A, a, &B, b, &hinge, &C));
    assert_int_equal(C.nnode, 2);
    const mat_t LA = inverse_inertia(&A), LB = inverse_inertia(&B);
    const mat_t Phi = phi6(placement4(&hinge.X));  // forces from node b to node a
    mat_t S = mat(6, nv), tau = mat(nv, 1);
    for (int k = 0; k < nv; k++) set_block(S, 0, k, motion6(hinge.S[k])), tau.a[k] = hinge.tau[k];
    // node 2 of both in the axes of b; the force on it is f2 on A, -f2 on B
    const mat_t A12 = PROD(block(LA, 6 * (1 - a), 6 * a, 6, 6), Phi);
    const mat_t A22 = PROD(tr(Phi), block(LA, 6 * a, 6 * a, 6, 6), Phi);
    const mat_t B12 = block(LB, 6 * (1 - b), 6 * b, 6, 6), B22 = block(LB, 6 * b, 6 * b, 6, 6);
    const mat_t S22 = SUM(A22, B22), P = complement(S);
    const mat_t W = nv < 6 ? PROD(tr(P), inverse(PROD(P, S22, tr(P))), P) : mat(6, 6);
    mat_t N = mat(12, 6), L = mat(12, 12), c = mat(12, 1);
    set_block(N, 0, 0, A12);
    set_block(N, 6, 0, scale(-1, B12));
    set_block(L, 0, 0, block(LA, 6 * (1 - a), 6 * (1 - a), 6, 6));
    set_block(L, 6, 6, block(LB, 6 * (1 - b), 6 * (1 - b), 6, 6));
    const mat_t LC = sub(L, PROD(N, W, tr(N)));
    // b_b = b_a + S qdd + a: b_a - b_b = -S qdd - a, torque on B is S^T f_b = tau
    const mat_t cA = PROD(tr(Phi), motion6(A.bias[a])), cB = motion6(B.bias[b]);
    mat_t force = mat(6, 1);  // on B at the hinge, from the torque alone
    if (nv) force = PROD(S, inverse(PROD(tr(S), S)), tau);
    mat_t gap = SUM(cA, scale(-1, cB), motion6(hinge.a));
    const mat_t f_b = SUM(PROD(W, sub(gap, PROD(S22, force))), force);
    set_block(c, 0, 0, SUM(motion6(A.bias[1 - a]), scale(-1, PROD(A12, f_b))));
    set_block(c, 6, 0, SUM(motion6(B.bias[1 - b]), PROD(B12, f_b)));
    assert_mat(inverse_inertia(&C), LC, 1e-9, "Lambda, seed %lu", seed);
    assert_mat_floor(bias_of(&C), c, 1e-9, 1, "c, seed %lu", seed);
    // the hinge itself: with no force on the nodes that are left
    const mbd_force_t none[2] = {{{0, 0, 0}, {0, 0, 0}}};
    mbd_force_t through;
    double qdd[6];
    assert_ok(mbd_subsystem_hinge(&A, a, &B, b, &hinge, none, qdd, &through));
    assert_mat_floor(force6(through), f_b, 1e-9, 1, "force, seed %lu", seed);
    const mat_t apart = sub(PROD(S22, f_b), gap);  // = S qdd
    assert_mat_floor(PROD(S, column(nv, qdd)), apart, 1e-8, 1, "qdd, seed %lu", seed);
    mats_free();
  }
}

// two robots with a joint between their frames: dense multipliers
static void
robots_can_be_joined(void ** context)
{
  (void)context;
  tally_t cases = {0};
  tree_options_t floating = small_trees();
  floating.floating_base = true;
  floating.forest = false;
  FOR_TREES(TREES, &floating)
  {
    const tree_options_t any = small_trees();
    tree_t * u = random_tree(seed + 1000, &any);
    uint64_t state = seed;
    const int fa = random_below(&state, u->model->nframe);
    const int fb = u->model->nframe > 0 ? random_below(&state, t->model->nframe) : 0;
    const int nv = random_below(&state, 4);
    mbd_hinge_t hinge = random_hinge(nv, &state);
    mbd_subsystem_t A, B, C;
    mat_t free_acceleration[2], L[2];
    for (int side = 0; side < 2; side++) {
      const tree_t * r = side ? t : u;
      const int frame = side ? fb : fa;
      set_state(r);
      assert_ok(
        mbd_subsystem_robot(r->model, r->data, r->tau, &r->f_ext, 1, &frame, side ? &B : &A));
      mat_t J = mat(6, r->model->nv), qdd = mat(r->model->nv, 1);
      mbd_motion_t bias;
      const dense_t d = dense_of(r);
      assert_ok(mbd_jacobian(r->model, r->data, frame, MBD_LOCAL, J.a));
      assert_ok(mbd_jacobian_bias(r->model, r->data, frame, MBD_LOCAL, &bias));
      assert_ok(mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->tau, &r->f_ext, qdd.a));
      free_acceleration[side] = SUM(PROD(J, qdd), motion6(bias));
      L[side] = PROD(J, inverse(mass_with(&d, 0)), tr(J));
    }
    if (tally(&cases, t->model->frame[fb].body >= 0)) {
      const mat_t Phi = phi6(placement4(&hinge.X));
      mat_t K = mat(6 + nv, 6 + nv), rhs = mat(6 + nv, 1);
      set_block(K, 0, 0, SUM(L[1], PROD(tr(Phi), L[0], Phi)));
      for (int k = 0; k < nv; k++) {
        set_block(K, 0, 6 + k, scale(-1, motion6(hinge.S[k])));
        set_block(K, 6 + k, 0, tr(motion6(hinge.S[k])));
        rhs.a[6 + k] = hinge.tau[k];
      }
      const mat_t gap =
        SUM(motion6(hinge.a), PROD(tr(Phi), free_acceleration[0]), scale(-1, free_acceleration[1]));
      set_block(rhs, 0, 0, gap);
      const mat_t x = PROD(inverse(K), rhs);
      mbd_force_t f;
      double qdd[6];
      assert_ok(mbd_subsystem_hinge(&A, 0, &B, 0, &hinge, NULL, qdd, &f));
      assert_ok(mbd_subsystem_join(&A, 0, &B, 0, &hinge, &C));
      assert_int_equal(C.nnode, 0);
      assert_mat_floor(force6(f), block(x, 0, 0, 6, 1), 1e-7, 1, "force, seed %lu", seed);
      assert_mat_floor(column(nv, qdd), block(x, 6, 0, nv, 1), 1e-7, 1, "qdd, seed %lu", seed);
    }
    tree_free(u);
  }
  assert_enough(&cases, 0.8);
}

//---------- whole robots by assembly ----------

// a robot as subsystems: of each body with its subtree, at its hinge
typedef struct assembly {
  const tree_t * t;
  bool with_bias;
  mbd_subsystem_t * alone;  // body by body, nodes: own frame, then those of its children
  mbd_subsystem_t * whole;  // with its subtree
  double * qdd;
} assembly_t;

static mbd_hinge_t
hinge_of(const assembly_t * s, int i)
{
  const mbd_body_t * body = &s->t->model->body[i];
  const mbd_data_t * d = s->t->data;
  mbd_hinge_t hinge = {.X = mbdu_placement_identity(), .nv = body->nv};
  if (s->with_bias) hinge.a = d->a[i];
  for (int k = 0; k < body->nv; k++) {
    hinge.S[k] = d->S[body->v_index + k];
    hinge.tau[k] = s->t->tau[body->v_index + k];
  }
  const double ratio = body->drive.gear_ratio;
  if (d->terms & MBD_TERM_ROTORS) hinge.rotor = ratio * ratio * body->drive.rotor_inertia;
  return hinge;
}

static int
children_of(const mbd_model_t * m, int i, int * child)
{
  int n = 0;
  for (int c = i + 1; c < m->body[i].subtree_end; c = m->body[c].subtree_end) {
    if (n < MBD_SUBSYSTEM_NODES) child[n] = c;
    n++;
  }
  return n;
}

static bool
few_children(const mbd_model_t * m)
{
  int child[MBD_SUBSYSTEM_NODES];
  for (int i = 0; i < m->nbody; i++) {
    if (children_of(m, i, child) >= MBD_SUBSYSTEM_NODES) return false;
  }
  return true;
}

// a body by itself; its weight acts on it
static void
take_body(assembly_t * s, int i)
{
  const mbd_data_t * d = s->t->data;
  int child[MBD_SUBSYSTEM_NODES];
  const int n = children_of(s->t->model, i, child);
  mbd_placement_t X[MBD_SUBSYSTEM_NODES] = {mbdu_placement_identity()};
  for (int k = 0; k < n; k++) X[k + 1] = d->X_parent[child[k]];
  const mbd_vec3_t g = mbdu_mat3_tvec(&d->X_world[i].R, d->gravity);
  const mbd_force_t weight = {
    mbdu_vec3_cross(d->inertia[i].h, g), mbdu_vec3_scale(d->inertia[i].mass, g)};
  assert_ok(mbd_subsystem_body(&d->inertia[i], d->V[i], weight, n + 1, X, &s->alone[i]));
}

static void
assemble(assembly_t * s, int i)
{
  int child[MBD_SUBSYSTEM_NODES];
  const int n = children_of(s->t->model, i, child);
  take_body(s, i);
  s->whole[i] = s->alone[i];
  for (int k = 0; k < n; k++) {
    const mbd_hinge_t hinge = hinge_of(s, child[k]);
    assemble(s, child[k]);
    // the node of each child is the second one when its turn comes
    assert_ok(mbd_subsystem_join(&s->whole[i], 1, &s->whole[child[k]], 0, &hinge, &s->whole[i]));
  }
}

// accelerations of the joints of what body i carries, with force f on its own node
static void
take_apart(assembly_t * s, int i, mbd_force_t f)
{
  const mbd_model_t * m = s->t->model;
  int child[MBD_SUBSYSTEM_NODES];
  const int n = children_of(m, i, child);
  mbd_subsystem_t step[MBD_SUBSYSTEM_NODES];
  mbd_force_t load[MBD_SUBSYSTEM_NODES] = {f}, on_child[MBD_SUBSYSTEM_NODES];
  step[0] = s->alone[i];
  for (int k = 0; k < n; k++) {
    const mbd_hinge_t hinge = hinge_of(s, child[k]);
    assert_ok(mbd_subsystem_join(&step[k], 1, &s->whole[child[k]], 0, &hinge, &step[k + 1]));
  }
  // the last joint first: it is the one that the others do not hide; before it, the nodes of the
  // joints that are solved already are loaded
  for (int k = n - 1; k >= 0; k--) {
    const mbd_hinge_t hinge = hinge_of(s, child[k]);
    double * qdd = s->qdd + m->body[child[k]].v_index;
    assert_ok(
      mbd_subsystem_hinge(&step[k], 1, &s->whole[child[k]], 0, &hinge, load, qdd, &on_child[k]));
    memmove(load + 2, load + 1, (size_t)(n - 1 - k) * sizeof *load);
    load[1] = mbdu_force_scale(-1, on_child[k]);
  }
  for (int k = 0; k < n; k++) take_apart(s, child[k], on_child[k]);
}

static mat_t
by_assembly(const tree_t * t, bool with_bias)
{
  const mbd_model_t * m = t->model;
  mat_t qdd = mat(m->nv, 1);
  assembly_t s = {t, with_bias, NULL, NULL, qdd.a};
  s.alone = calloc((size_t)m->nbody, sizeof *s.alone);
  s.whole = calloc((size_t)m->nbody, sizeof *s.whole);
  set_state(t);
  for (int i = 0; i < m->nbody; i = m->body[i].subtree_end) {
    const mbd_hinge_t hinge = hinge_of(&s, i);
    mbd_force_t f;
    assemble(&s, i);
    assert_ok(
      mbd_subsystem_hinge(NULL, 0, &s.whole[i], 0, &hinge, NULL, qdd.a + m->body[i].v_index, &f));
    take_apart(&s, i, f);
  }
  free(s.alone);
  free(s.whole);
  return qdd;
}

static void
assembled_robots_accelerate_as_whole_ones(void ** context)
{
  (void)context;
  int seen = 0, needs_bias = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    if (!few_children(m)) continue;
    seen++;
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    mat_t qdd = mat(m->nv, 1);
    const mat_t assembled = by_assembly(t, true), without = by_assembly(t, false);
    assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, qdd.a));
    assert_mat_floor(assembled, qdd, 1e-8, 1, "seed %lu", seed);
    // (10.47) without the bias of the hinges is not the answer for what moves
    if (largest_entry(sub(without, qdd)) > 1e-3 * largest_entry(qdd)) needs_bias++;
  }
  assert_count(seen, TREES / 2);
  assert_true(needs_bias > seen / 2);
}

//---------- forward dynamics by subchains ----------

static void
compare_pieces(const tree_t * t, int threads, const mbd_wrenches_t * f_ext, double tolerance)
{
  const mbd_model_t * m = t->model;
  mat_t qdd = mat(m->nv, 1), expected = mat(m->nv, 1);
  mbd_divide_t * divide;
  assert_ok(mbd_divide_create(m, threads, &divide));
  assert_true(mbd_divide_subchains(divide) >= 1 && mbd_divide_subchains(divide) <= threads);
  assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, f_ext, expected.a));
  for (int again = 0; again < 2; again++) {
    memset(qdd.a, 0, (size_t)m->nv * sizeof *qdd.a);
    assert_ok(mbd_divide_forward_dynamics(divide, t->data, t->q, t->v, t->tau, f_ext, qdd.a));
    assert_mat_floor(qdd, expected, tolerance, 1, "%d threads, seed %lu", threads, t->seed);
  }
  mbd_divide_destroy(divide);
}

static void
pieces_accelerate_as_the_whole(void ** context)
{
  (void)context;
  tree_options_t large = tree_options_default();
  large.min_bodies = 20;
  large.max_bodies = 60;
  for (int size = 0; size < 2; size++) {
    FOR_TREES(TREES, size ? &large : NULL)
    {
      assert_ok(mbd_set_terms(t->data, (uint32_t)(seed % 4)));
      for (int threads = 1; threads <= 4; threads++) {
        compare_pieces(t, threads, threads % 2 ? NULL : &t->f_ext, 1e-8);
      }
    }
  }
}

// the tip holds something, the base is tilted
static void
chains_of_1000_bodies(void ** context)
{
  (void)context;
  FOR_SEEDS(3)
  {
    tree_t * t = chain(1000, seed);
    const mbd_inertia_t load =
      mbdu_inertia_from_com(20, mbdu_vec3(0.1, 0, 0.3), (mbd_sym3_t){1, 0.1, 0, 2, 0, 1.5});
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(3, -2, -9)));
    assert_ok(mbd_payload_attach(t->model, t->data, t->model->nframe - 1, &load));
    const int threads[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) compare_pieces(t, threads[k], NULL, 1e-9);
    mbd_divide_t * divide;
    assert_ok(mbd_divide_create(t->model, 8, &divide));
    assert_int_equal(mbd_divide_subchains(divide), 8);
    mbd_divide_destroy(divide);
    tree_free(t);
    mats_free();
  }
}

// so long that nothing is felt at one end of a subchain of a force on the other
static void
chains_of_5000_bodies(void ** context)
{
  (void)context;
  tree_t * t = chain(5000, 7);
  compare_pieces(t, 2, NULL, 1e-9);
  compare_pieces(t, 3, NULL, 1e-9);
  tree_free(t);
  mats_free();
}

// what a call leaves behind: stages that belong to these accelerations
static void
stages_are_those_of_the_result(void ** context)
{
  (void)context;
  FOR_TREES(40, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t qdd = mat(m->nv, 1), tau = mat(m->nv, 1);
    mbd_motion_t A, expected;
    mbd_divide_t * divide;
    const int frame = m->nframe - 1;
    assert_ok(mbd_divide_create(m, 2, &divide));
    assert_ok(mbd_divide_forward_dynamics(divide, t->data, t->q, t->v, t->tau, NULL, qdd.a));
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL, &A));
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, qdd.a, NULL, tau.a));
    assert_mat_floor(tau, column(m->nv, t->tau), 1e-8, 1, "torques, seed %lu", seed);
    assert_ok(mbd_frame_acceleration(m, t->data, frame, MBD_LOCAL, &expected));
    assert_mat_floor(motion6(A), motion6(expected), 1e-8, 1, "acceleration, seed %lu", seed);
    mbd_divide_destroy(divide);
  }
}

//---------- refusals ----------

// links without inertia in the middle: no subchain is a robot that ends with one
static void
pieces_without_inertia_are_put_together(void ** context)
{
  (void)context;
  mbd_model_t * model;
  uint64_t state = 1;
  mbd_body_spec_t spec = hinge_by_hand("", MBD_WORLD_BODY, random_inertia(&state));
  assert_ok(mbd_model_create("bare", &model));
  char name[16];
  for (int k = 0; k < 20; k++) {
    snprintf(name, sizeof name, "link%02d", k);
    spec.name = spec.joint_name = name;
    spec.axis = mbdu_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    spec.inertia = k == 19 ? random_inertia(&state) : (mbd_inertia_t){0};
    assert_ok(mbd_model_add_body(model, &spec, &spec.parent));
    spec.placement = random_placement(&state);
  }
  // three axes at a time carry the inertia behind them: with more nothing resists
  assert_ok(mbd_model_finalize(model));
  mbd_data_t * data;
  mbd_divide_t * divide;
  mat_t q = mat(20, 1), v = mat(20, 1), qdd = mat(20, 1);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_divide_create(model, 3, &divide));
  assert_status(
    mbd_divide_forward_dynamics(divide, data, q.a, v.a, NULL, NULL, qdd.a),
    MBD_ERROR_MASSLESS_SUBTREE);
  assert_non_null(mbd_error_joint_name(data));
  mbd_divide_destroy(divide);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mats_free();
}

// a chain whose every second link has no inertia: cut behind one, a subchain fails and the whole does not
static void
bare_links_do_no_harm(void ** context)
{
  (void)context;
  mbd_model_t * model;
  uint64_t state = 5;
  mbd_body_spec_t spec = hinge_by_hand("", MBD_WORLD_BODY, random_inertia(&state));
  assert_ok(mbd_model_create("half", &model));
  char name[16];
  for (int k = 0; k < 40; k++) {
    snprintf(name, sizeof name, "link%02d", k);
    spec.name = spec.joint_name = name;
    spec.axis = mbdu_vec3(k % 2, 1 - k % 2, 0);
    spec.inertia = k % 2 ? random_inertia(&state) : (mbd_inertia_t){0};
    assert_ok(mbd_model_add_body(model, &spec, &spec.parent));
    spec.placement = random_placement(&state);
  }
  assert_ok(mbd_model_finalize(model));
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  const mat_t q = random_column(40, &state), v = random_column(40, &state);
  mat_t qdd = mat(40, 1), expected = mat(40, 1);
  assert_ok(mbd_forward_dynamics(model, data, q.a, v.a, NULL, NULL, expected.a));
  for (int threads = 2; threads <= 7; threads++) {
    mbd_divide_t * divide;
    assert_ok(mbd_divide_create(model, threads, &divide));
    assert_ok(mbd_divide_forward_dynamics(divide, data, q.a, v.a, NULL, NULL, qdd.a));
    assert_mat_floor(qdd, expected, 1e-8, 1, "%d threads", threads);
    mbd_divide_destroy(divide);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mats_free();
}

static void
bad_subsystems_are_refused(void ** context)
{
  (void)context;
  uint64_t state = 3;
  const mbd_placement_t X = mbdu_placement_identity();
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  const mbd_force_t none = {{0, 0, 0}, {0, 0, 0}};
  mbd_inertia_t I = random_inertia(&state);
  const mbd_inertia_t point = {1, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  mbd_subsystem_t A = random_body(&state), B = random_body(&state), C;
  mbd_hinge_t hinge = random_hinge(1, &state);
  double qdd[6];
  mbd_force_t f;
  assert_status(mbd_subsystem_body(&I, rest, none, 0, &X, &C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_subsystem_body(&I, rest, none, 5, &X, &C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_subsystem_body(&point, rest, none, 1, &X, &C), MBD_ERROR_SINGULAR);
  assert_status(mbd_subsystem_body(NULL, rest, none, 1, &X, &C), MBD_ERROR_NULL_ARGUMENT);
  I.mass = (double)NAN;
  assert_status(mbd_subsystem_body(&I, rest, none, 1, &X, &C), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_subsystem_join(&A, 2, &B, 0, &hinge, &C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_subsystem_join(NULL, 0, NULL, 0, &hinge, &C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_subsystem_join(&A, 0, &B, 0, NULL, &C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_subsystem_hinge(&A, 0, &B, 0, &hinge, NULL, qdd, &f), MBD_ERROR_NULL_ARGUMENT);
  hinge.tau[0] = HUGE_VAL;
  assert_status(mbd_subsystem_join(&A, 0, &B, 0, &hinge, &C), MBD_ERROR_NOT_FINITE);
  hinge = random_hinge(2, &state);
  hinge.S[1] = hinge.S[0];
  assert_status(mbd_subsystem_join(&A, 0, &B, 0, &hinge, &C), MBD_ERROR_SINGULAR);
  hinge.nv = 7;
  assert_status(mbd_subsystem_join(&A, 0, &B, 0, &hinge, &C), MBD_ERROR_BAD_ARGUMENT);
  mats_free();
}

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  const mbd_model_t * m = t->model;
  mat_t qdd = mat(m->nv, 1);
  mbd_divide_t * divide;
  mbd_subsystem_t s;
  const int frame = 0, no_frame = m->nframe;
  assert_status(mbd_divide_create(m, 0, &divide), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_divide_create(m, 1025, &divide), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_divide_create(NULL, 1, &divide), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_divide_create(m, 2, &divide));
  assert_status(
    mbd_divide_forward_dynamics(divide, t->data, NULL, t->v, NULL, NULL, qdd.a),
    MBD_ERROR_NULL_ARGUMENT);
  mat_t v = column(m->nv, t->v);
  v.a[0] = (double)NAN;
  assert_status(
    mbd_divide_forward_dynamics(divide, t->data, t->q, v.a, NULL, NULL, qdd.a),
    MBD_ERROR_NOT_FINITE);
  assert_status(mbd_subsystem_robot(m, t->data, NULL, NULL, 1, &frame, &s), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(
    mbd_subsystem_robot(m, t->data, NULL, NULL, 1, &no_frame, &s), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_subsystem_robot(m, t->data, NULL, NULL, 9, &frame, &s), MBD_ERROR_BAD_ARGUMENT);
  tree_t * other = random_tree(4, NULL);
  assert_status(
    mbd_divide_forward_dynamics(divide, other->data, t->q, t->v, NULL, NULL, qdd.a),
    MBD_ERROR_MODEL_MISMATCH);
  assert_int_equal(mbd_divide_subchains(NULL), 0);
  mbd_divide_destroy(NULL);
  mbd_divide_destroy(divide);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(joining_is_the_books_merge),
    cmocka_unit_test(robots_can_be_joined),
    cmocka_unit_test(assembled_robots_accelerate_as_whole_ones),
    cmocka_unit_test(pieces_accelerate_as_the_whole),
    cmocka_unit_test(chains_of_1000_bodies),
    cmocka_unit_test(chains_of_5000_bodies),
    cmocka_unit_test(stages_are_those_of_the_result),
    cmocka_unit_test(pieces_without_inertia_are_put_together),
    cmocka_unit_test(bare_links_do_no_harm),
    cmocka_unit_test(bad_subsystems_are_refused),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
