// Every compilation of the kernels for one state, whichever the library would choose here, against
// the dense oracle. The baseline set has no kernel for some functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "simd/kernels.h"
#include "state/state.h"

extern const mbdi_kernels_t KERNELS_UNDER_TEST;
static const mbdi_kernels_t * const kernels = &KERNELS_UNDER_TEST;

// a test of a kernel that this set may not have
#define NEEDS(kernel)                                        \
  if (!kernels->kernel) {                                    \
    printf("             skipped: no kernel " #kernel "\n"); \
    return;                                                  \
  }

// memory of this compilation's size, aligned as a workspace is; q with quaternions of unit length
static mbdi_kernel_args_t
arguments(const tree_t * t, void * out)
{
  const mbd_model_t * m = t->model;
  assert_ok(mbd_set_state(m, t->data, t->q, t->v));
  // the library makes them when it calls a kernel for one state, which it may not do here
  mbdi_base_inertias(m->internal->plan, t->data->inertia, t->data->work->base_inertia);
  const size_t work = (kernels->work(m->internal->plan) + 63) / 64 * 64;
  const size_t rest = kernels->articulated_work ? kernels->articulated_work(m->internal->plan) : 0;
  char * memory = aligned_alloc(64, work + (rest + 63) / 64 * 64);
  assert_non_null(memory);
  mbdi_kernel_args_t args = {
    .plan = m->internal->plan,
    .inertia = t->data->inertia,
    .moments = t->data->work->moments,
    .base_inertia = t->data->work->base_inertia,
    .gravity = &m->gravity,
    .q = t->data->q,
    .v = t->data->v,
    .out = out,
    .work = memory,
    .articulated = memory + work};
  return args;
}

// whichever number is not finite: refused, and nothing is copied
static void
check_not_finite_refused(tree_t * t, double * u, double * to_q, double * to)
{
  const double bad[3] = {nan(""), HUGE_VAL, -HUGE_VAL};
  const int n = t->model->nv;
  for (int k = 0; k < 2 * n; k++) to[k] = 7;
  for (int k = 0; k < n + 4; k++) to_q[k] = 7;
  for (int k = 0; k < 3 * n; k++) {
    double * number = k < n ? &t->q[k] : k < 2 * n ? &t->v[k - n] : &u[k - 2 * n];
    const double good = *number;
    *number = bad[k % 3];
    assert_false(
      kernels->copy_state_if_finite(t->model->internal->plan, t->q, t->v, u, to_q, to, to + n));
    if (k >= 2 * n) assert_false(kernels->copy_if_finite(n, u, to));
    *number = good;
  }
  for (int k = 0; k < 2 * n; k++) assert_true(to[k] == 7);
  for (int k = 0; k < n + 4; k++) assert_true(to_q[k] == 7);
}

static void
states(void ** context)
{
  (void)context;
  for (int n = 1; n <= 21; n++) {
    tree_t * t = chain(n, 3);
    const mbdi_plan_t * plan = t->model->internal->plan;
    // no longer than they need to be, so that a number beside them is found by a sanitizer
    const size_t size = (size_t)n * sizeof(double);
    double *u = malloc(size), *to = malloc(2 * size), *v = to, *to_u = to + n;
    double * q = malloc(size + 4 * sizeof(double));
    assert_true(u != NULL && to != NULL && q != NULL);
    for (int k = 0; k < n; k++) u[k] = k;
    check_not_finite_refused(t, u, q, to);
    assert_true(kernels->copy_state_if_finite(plan, t->q, NULL, NULL, q, v, NULL));
    assert_true(v[0] == 7 && to_u[0] == 7);
    assert_true(kernels->copy_state_if_finite(plan, t->q, t->v, u, q, v, to_u));
    assert_memory_equal(q, t->q, size);
    assert_memory_equal(v, t->v, size);
    assert_memory_equal(to_u, u, size);
    assert_true(kernels->copy_if_finite(n, t->v, to_u));
    assert_memory_equal(to_u, t->v, size);
    free(u);
    free(to);
    free(q);
    tree_free(t);
  }
}

static void
torques(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    mat_t x = mat(d.nv, 1);
    mbdi_kernel_args_t args = arguments(t, x.a);
    assert_true(kernels->bias(&args));
    assert_mat(x, dense_bias(&d), 1e-11, "bias, seed %lu", seed);
    assert_true(kernels->gravity(&args));
    assert_mat(x, dense_gravity(&d), 1e-11, "gravity, seed %lu", seed);
    args.u = t->qdd;
    const mat_t expected = dense_inverse_dynamics(&d, column(d.nv, t->qdd), NULL);
    assert_true(kernels->inverse_dynamics(&args));
    assert_mat(x, expected, 1e-11, "torques, seed %lu", seed);
    const mat_t rotors = dense_rotors(t->model);
    args.rotor = args.plan->rotor;
    assert_true(kernels->inverse_dynamics(&args));
    for (int k = 0; k < d.nv; k++) expected.a[k] += rotors.a[k] * t->qdd[k];
    assert_mat(x, expected, 1e-11, "torques with rotors, seed %lu", seed);
    free(args.work);
  }
}

// with rotors for every other tree, unless a free joint has one
static mat_t
mass_of(const dense_t * d, const tree_t * t, mbdi_kernel_args_t * args)
{
  mat_t M = dense_mass(d);
  const mat_t rotors = dense_rotors(t->model);
  if (t->seed % 2 == 0 || t->model->internal->plan->free_rotor) return M;
  args->rotor = args->plan->rotor;
  for (int k = 0; k < d->nv; k++) *at(M, k, k) += rotors.a[k];
  return M;
}

// up to three wrenches on any frames, in each of the references
static void
wrenches(void ** context)
{
  (void)context;
  NEEDS(inverse_dynamics_wrenches);
  int compared = 0, in_reference[3] = {0, 0, 0};
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    // a number that a vector may read behind the last
    mbd_wrench_t w[4] = {0}, copy[4] = {0};
    mat_t x = mat(d.nv, 1);
    mbdi_kernel_args_t args = arguments(t, x.a);
    const mat_t M = mass_of(&d, t, &args);
    for (int k = 0; k < 3; k++) {
      const double f = 1 + k;
      w[k] = (mbd_wrench_t){
        (5 * k + (int)seed) % t->model->nframe,
        (mbd_reference_t)((k + (int)seed) % 3),
        {{f, -2, 0.5 * f}, {3, f, -1}}};
      const mbd_wrenches_t list = {k + 1, w};
      assert_ok(kernels->copy_wrenches(list.n, w, t->model->nframe, copy));
      args.wrench = copy, args.nwrench = list.n;
      args.u = t->qdd;
      assert_true(kernels->inverse_dynamics_wrenches(&args));
      mat_t expected = dense_inverse_dynamics(&d, column(d.nv, t->qdd), &list);
      const mat_t rotors = dense_rotors(t->model);
      for (int j = 0; args.rotor && j < d.nv; j++) expected.a[j] += rotors.a[j] * t->qdd[j];
      assert_mat(x, expected, 1e-11, "torques, %d wrenches, seed %lu", list.n, seed);
      args.u = t->tau;
      assert_true(kernels->forward_dynamics_wrenches(&args));
      const mat_t held = dense_inverse_dynamics(&d, mat(d.nv, 1), &list);
      const mat_t rest = sub(column(d.nv, t->tau), held);
      const double scale = fmax(1, largest_entry(rest));
      assert_mat_floor(PROD(M, x), rest, 1e-9, scale, "%d wrenches, seed %lu", list.n, seed);
      in_reference[w[k].reference] += t->model->frame[w[k].frame].body >= 0;
      compared++;
    }
    w[0].f.lin.z = (double)NAN;
    assert_int_equal(kernels->copy_wrenches(1, w, t->model->nframe, copy), MBD_ERROR_NOT_FINITE);
    w[0].frame = t->model->nframe;
    assert_int_equal(kernels->copy_wrenches(1, w, t->model->nframe, copy), MBD_ERROR_BAD_ARGUMENT);
    free(args.work);
  }
  assert_count(compared, 3 * TREES);
  for (int k = 0; k < 3; k++) assert_count(in_reference[k], TREES / 2);
}

static void
placements(void ** context)
{
  (void)context;
  NEEDS(placements);
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    const mbdi_kernel_args_t args = arguments(t, NULL);
    mbd_placement_t parent[DENSE_MAX_BODIES + 1], world[DENSE_MAX_BODIES + 1];
    parent[d.nbody].R.m[0] = world[d.nbody].R.m[0] = 7;
    kernels->placements(&args, parent, world);
    for (int i = 0; i < d.nbody; i++) {
      assert_mat(placement4(&parent[i]), d.X_parent[i], 1e-12, "parent %d, seed %lu", i, seed);
      assert_mat(placement4(&world[i]), d.X_world[i], 1e-12, "world %d, seed %lu", i, seed);
    }
    // rows are written with a number too many, but not past the end
    assert_true(parent[d.nbody].R.m[0] == 7 && world[d.nbody].R.m[0] == 7);
    free(args.work);
  }
}

// d/dt of the six numbers of a velocity at zero joint acceleration
static mat_t
dense_jacobian_bias(const dense_t * d, int frame, mbd_reference_t reference)
{
  const mat_t A = dense_acceleration(d, mat(d->nv, 1));
  const int body = d->model->frame[frame].body;
  const mat_t phi = dense_phi_to_reference(d, frame, reference);
  mat_t out = PROD(tr(phi), block(A, 6 * body, 0, 6, 1));
  if (reference == MBD_LOCAL_WORLD_ALIGNED) {
    const mat_t V = PROD(tr(phi), block(d->V, 6 * body, 0, 6, 1));
    const mat_t more = PROD(skew3(V.a), block(V, 3, 0, 3, 1));
    for (int i = 0; i < 3; i++) out.a[3 + i] += more.a[i];
  }
  return out;
}

static void
frames(void ** context)
{
  (void)context;
  NEEDS(jacobian);
  int compared = 0;
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    int path[DENSE_MAX_BODIES];
    mbdi_kernel_args_t args = arguments(t, NULL);
    for (int f = 0; f < t->model->nframe; f++) {
      const mbd_frame_t * frame = &t->model->frame[f];
      for (int r = 0; r < 3 && frame->body >= 0; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        mat_t J = mat(6, d.nv);
        mbd_motion_t bias;
        args.out = J.a;
        for (int k = 0; k < 6 * d.nv; k++) J.a[k] = 7;
        assert_true(kernels->jacobian(&args, frame, reference, path));
        assert_mat_floor(
          J, dense_jacobian(&d, f, reference), 1e-12, 1, "J %d %d, seed %lu", f, r, seed);
        args.out = &bias;
        assert_true(kernels->jacobian_bias(&args, frame, reference, path));
        const mat_t expected = dense_jacobian_bias(&d, f, reference);
        assert_mat_floor(motion6(bias), expected, 1e-11, 1, "bias %d %d, seed %lu", f, r, seed);
        compared++;
      }
    }
    free(args.work);
  }
  assert_count(compared, 3 * TREES);
}

// about the centre of mass
static mat_t
dense_momentum(const dense_t * d)
{
  mat_t h = mat(6, 1), centre = mat(4, 1), X = eye(4);
  for (int k = 0; k < d->nbody; k++) {
    const mbd_inertia_t * M = &d->model->body[k].inertia;
    const double first[4] = {M->h.x, M->h.y, M->h.z, M->mass};
    const mat_t MV = PROD(block(d->M, 6 * k, 6 * k, 6, 6), block(d->V, 6 * k, 0, 6, 1));
    h = SUM(h, PROD(phi6(d->X_world[k]), MV));
    centre = SUM(centre, PROD(d->X_world[k], column(4, first)));
  }
  for (int i = 0; i < 3; i++) *at(X, i, 3) = -centre.a[i] / centre.a[3];
  return PROD(phi6(X), h);
}

static void
momentum(void ** context)
{
  (void)context;
  NEEDS(momentum);
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    mbd_force_t found;
    const mbdi_kernel_args_t args = arguments(t, &found);
    assert_true(kernels->momentum(&args));
    assert_mat_floor(force6(found), dense_momentum(&d), 1e-11, 1, "momentum, seed %lu", seed);
    free(args.work);
  }
}

//---------- inertia ----------

static void
inertia(void ** context)
{
  (void)context;
  FOR_PLAIN_TREES
  {
    const dense_t d = dense_of(t);
    mat_t X = mat(d.nv, d.nv), x = mat(d.nv, 1);
    mbdi_kernel_args_t args = arguments(t, X.a);
    const mat_t M = mass_of(&d, t, &args);
    for (int k = 0; k < d.nv * d.nv; k++) X.a[k] = (double)NAN;
    assert_true(kernels->mass_matrix(&args));
    assert_mat(X, M, 1e-11, "M, seed %lu", seed);
    assert_mat(X, tr(X), 0, "M is symmetric, seed %lu", seed);

    if (kernels->mass_inverse) {
      for (int k = 0; k < d.nv * d.nv; k++) X.a[k] = (double)NAN;
      assert_true(args.plan->slots <= PLAN_SLOTS);
      assert_true(kernels->articulate(&args) && kernels->mass_inverse(&args));
      assert_mat(PROD(X, M), eye(d.nv), 1e-8, "M^-1, seed %lu", seed);
      assert_mat(X, tr(X), 0, "M^-1 is symmetric, seed %lu", seed);
    }

    args.u = t->tau;
    args.out = x.a;
    assert_true(kernels->forward_dynamics(&args));
    const mat_t rest = sub(column(d.nv, t->tau), dense_bias(&d));
    const double scale = fmax(1, largest_entry(rest));
    assert_mat_floor(PROD(M, x), rest, 1e-9, scale, "acceleration, seed %lu", seed);
    free(args.work);
  }
}

// M^-1 that takes several blocks of columns, also of trees beside each other, by its product with M
static void
large_inverse(void ** context)
{
  (void)context;
  NEEDS(mass_inverse);
  FOR_SEEDS(60)
  {
    tree_options_t options = plain_trees();
    options.min_bodies = options.max_bodies = 8 + (int)seed;
    options.forest = seed % 2;
    options.floating_base = seed % 4 < 2;
    tree_t * t = random_tree(seed, &options);
    const int nv = t->model->nv;
    mat_t M = mat(nv, nv), X = mat(nv, nv);
    mbdi_kernel_args_t args = arguments(t, M.a);
    assert_true(args.plan->slots <= PLAN_SLOTS);
    assert_true(kernels->mass_matrix(&args));
    for (int k = 0; k < nv * nv; k++) X.a[k] = (double)NAN;
    args.out = X.a;
    assert_true(kernels->articulate(&args) && kernels->mass_inverse(&args));
    assert_mat(X, tr(X), 0, "M^-1 is symmetric, seed %lu", seed);
    assert_mat(PROD(X, M), eye(nv), 1e-8, "M^-1, seed %lu", seed);
    free(args.work);
    tree_free(t);
    mats_free();
  }
}

// M^-1 by the factors of M: of small or shallow trees, beside each other too, by its product with M
static void
factored_inverses(void ** context)
{
  (void)context;
  NEEDS(factored_inverse);
  int found = 0, large = 0;
  FOR_SEEDS(120)
  {
    tree_options_t options = plain_trees();
    options.min_bodies = options.max_bodies = 1 + (int)seed / 3;
    options.forest = seed % 2;
    options.floating_base = seed % 4 < 2;
    tree_t * t = seed % 10 == 7 ? chain(1 + (int)seed / 3, seed) : random_tree(seed, &options);
    const dense_t d = dense_of(t);
    mat_t X = mat(d.nv, d.nv);
    mbdi_kernel_args_t args = arguments(t, X.a);
    const mat_t M = mass_of(&d, t, &args);
    for (int k = 0; k < d.nv * d.nv; k++) X.a[k] = (double)NAN;
    if (kernels->factored_inverse(&args)) {
      assert_mat(X, tr(X), 0, "M^-1 is symmetric, seed %lu", seed);
      assert_mat(PROD(X, M), eye(d.nv), 1e-8, "M^-1, seed %lu", seed);
      found++;
    } else {
      // a mean of eight ancestors, or 300 elements
      assert_true(d.nv > 16);
      large++;
    }
    free(args.work);
    tree_free(t);
    mats_free();
  }
  printf("             %d trees, %d others are too large\n", found, large);
  assert_count(found, 60);
  assert_count(large, 5);
}

// Two joints about the same axis, a light body between them: its pivot is what is left of the inertia of both.
static void
small_pivots(void ** context)
{
  (void)context;
  NEEDS(factored_inverse);
  for (int light = 0; light < 2; light++) {
    double q[2] = {0.3, -0.2}, v[2] = {0};
    tree_t t = {.q = q, .v = v};
    mat_t X = mat(2, 2);
    int frame = MBD_WORLD_BODY;
    assert_ok(mbd_model_create("coaxial", &t.model));
    for (int i = 0; i < 2; i++) {
      mbd_body_spec_t spec = mbd_body_spec_default();
      spec.name = spec.joint_name = i == 0 ? "light" : "heavy";
      spec.type = MBD_JOINT_REVOLUTE;
      spec.axis = mbdu_vec3(0, 0, 1);
      spec.parent = frame;
      const double I = i == 0 && light ? 1e-9 : 1;
      spec.inertia = mbdu_inertia_from_com(I, mbdu_vec3(0, 0, 0), (mbd_sym3_t){I, 0, 0, I, 0, I});
      assert_ok(mbd_model_add_body(t.model, &spec, &frame));
    }
    assert_ok(mbd_model_finalize(t.model));
    assert_ok(mbd_data_create(t.model, &t.data));
    mbdi_kernel_args_t args = arguments(&t, X.a);
    assert_int_equal(kernels->factored_inverse(&args), !light);
    const double expected[4] = {1, -1, -1, 2};
    if (!light) assert_close(X.a, expected, 4, 1e-15, "%s", "M^-1");
    free(args.work);
    mbd_data_destroy(t.data);
    mbd_model_destroy(t.model);
    mats_free();
  }
}

// J_a M^-1 J_b^T of all pairs of frames, in references that differ
static void
compliances(void ** context)
{
  (void)context;
  NEEDS(articulate);
  FOR_PLAIN_TREES
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    mbdi_kernel_args_t args = arguments(t, NULL);
    const mat_t M_inv = inverse(mass_of(&d, t, &args));
    double * E = calloc(2 * 8 * (size_t)d.nv, sizeof *E);
    assert_true(kernels->articulate(&args));
    for (int f = 0; f < m->nframe; f++) {
      const int g = (7 * f + (int)seed) % m->nframe;
      const mbd_reference_t reference[2] = {(mbd_reference_t)(f % 3), (mbd_reference_t)(g % 3)};
      const int body[2] = {m->frame[f].body, m->frame[g].body};
      if (body[0] < 0 || body[1] < 0) continue;
      kernels->factor(&args, &m->frame[f], reference[0], E);
      kernels->factor(&args, &m->frame[g], reference[1], E + 8 * d.nv);
      int i = body[0], j = body[1];
      while (i != j) *(i > j ? &i : &j) = m->body[i > j ? i : j].parent;
      mat_t C = mat(6, 6);
      kernels->factor_product(args.plan, i, E, E + 8 * d.nv, 6, C.a);
      const mat_t J[2] = {dense_jacobian(&d, f, reference[0]), dense_jacobian(&d, g, reference[1])};
      const mat_t expected = PROD(J[0], M_inv, tr(J[1]));
      const double scale =
        largest_entry(PROD(J[0], M_inv, tr(J[0]))) + largest_entry(PROD(J[1], M_inv, tr(J[1])));
      assert_mat_floor(C, expected, 1e-8, scale, "frames %d %d, seed %lu", f, g, seed);
    }
    free(E);
    free(args.work);
  }
}

// of every size, by its product with the matrix; and a singular one, which is refused
static void
inverses(void ** context)
{
  (void)context;
  NEEDS(invert);
  uint64_t state = 3;
  for (int n = 2; n <= 26; n++) {
    mat_t B = mat(n, n), X = mat(n, n), W = mat(n, n), singular = mat(n, n);
    double *work = calloc(2 * (size_t)(n * n), sizeof *work), *w = calloc((size_t)n, sizeof *w);
    for (int k = 0; k < n * n; k++) B.a[k] = random_signed(&state), singular.a[k] = 1;
    for (int k = 0; k < n; k++) *at(W, k, k) = w[k] = 1 + 0.5 * random_signed(&state);
    const mat_t C = SUM(PROD(B, tr(B)), eye(n)), A = PROD(W, C, W);
    const double norm = kernels->invert(n, 1e-8, C.a, w, work, X.a);
    assert_mat(X, tr(X), 0, "inverse of %d is symmetric", n);
    assert_mat(PROD(X, C), eye(n), 1e-10, "inverse of %d", n);
    const mat_t inverse_A = inverse(A);
    double largest = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += fabs(*at(inverse_A, i, j));
      largest = fmax(largest, sum);
    }
    assert_true(fabs(norm - largest) <= 1e-10 * largest);
    for (int k = 0; k < n; k++) w[k] = 1;
    assert_true(kernels->invert(n, 1e-8, singular.a, w, work, X.a) == 0);
    free(work);
    free(w);
    mats_free();
  }
}

// angles beyond what the kernels' sine takes, one of four and all of them
static void
huge_angles(void ** context)
{
  (void)context;
  // three numbers behind them may be read
  const double angles[2][9] = {{0.3, -1.1e5, 3, 1, -0.4, 2e5}, {9e4, 3e7, 1e15, -4e5, 2e5, -1e9}};
  for (int k = 0; k < 2; k++) {
    tree_t * t = chain(6, 8);
    mat_t x = mat(6, 1);
    for (int i = 0; i < 6; i++) t->q[i] = atan2(sin(angles[k][i]), cos(angles[k][i]));
    const dense_t d = dense_of(t);
    mbdi_kernel_args_t args = arguments(t, x.a);
    args.q = angles[k];
    assert_true(kernels->bias(&args));
    assert_mat(x, dense_bias(&d), 1e-11, "%s", "huge angles");
    free(args.work);
    mats_free();
    tree_free(t);
  }
}

int
main(void)
{
#ifdef KERNELS_NEED_AVX2
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    puts("skipped: this machine has no AVX2");
    return 0;
  }
#endif
#ifdef KERNELS_NEED_AVX512
  if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
    puts("skipped: this machine has no AVX-512");
    return 0;
  }
#endif
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(states),        cmocka_unit_test(torques),
    cmocka_unit_test(wrenches),      cmocka_unit_test(placements),
    cmocka_unit_test(frames),        cmocka_unit_test(momentum),
    cmocka_unit_test(inertia),       cmocka_unit_test(compliances),
    cmocka_unit_test(inverses),      cmocka_unit_test(huge_angles),
    cmocka_unit_test(large_inverse), cmocka_unit_test(factored_inverses),
    cmocka_unit_test(small_pivots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
