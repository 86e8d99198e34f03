// Functions of what is made beside a robot and its workspace, each with the heap watched.
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/batch_f32.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/observer.h"
#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/operators.h"
#include "quiet_calls.h"
#include "random_modes.h"

// a node of one hinge on one of two
void
call_sko(void)
{
  const mbd_sko_shape_t shape[2] = {{-1, 6, 2, 0, 6}, {0, 3, 1, 2, 4}};
  const size_t size = mbd_sko_size(2, shape);
  void * memory = malloc(size);
  mbd_sko_t * s;
  double x[3] = {1, 2, 3}, M[9], f[6] = {0}, B[6] = {1, 0, 0, 0, 0, 0};
  QUIET_VALUE(mbd_sko_size(2, shape));
  QUIET(mbd_sko_init(2, shape, memory, size, &s));
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < s->node[k].n; i++) s->node[k].M[i * (s->node[k].n + 1)] = 1;
    for (int i = 0; i < s->node[k].r; i++) s->node[k].H[i * (s->node[k].r + 1)] = 1;
  }
  QUIET_VALUE((mbd_sko_changed(s), 0));
  remember("mbd_sko_changed");
  QUIET(mbd_sko_inverse_dynamics(s, f, x, x));
  QUIET(mbd_sko_mass_matrix(s, M));
  QUIET(mbd_sko_mass_trace(s, f));
  QUIET(mbd_sko_articulated_inertia(s));
  QUIET(mbd_sko_forward_dynamics(s, NULL, x, x));
  QUIET(mbd_sko_force(s, 1, f));
  QUIET(mbd_sko_mass_solve(s, x, x));
  QUIET(mbd_sko_factor(s, MBD_SKO_ROOT, x, x));
  QUIET(mbd_sko_log_determinant(s, f));
  QUIET(mbd_sko_compliance(s));
  QUIET(mbd_sko_compliance_between(s, 0, B, 1, 1, B, 1, f));
  free(memory);
}

// one state as SoA, of eight at most
static void
quiet_soa(const tree_t * t, outputs_t * r, mbd_batch_t * b)
{
  const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
  const size_t packed = mbd_batch_mass_numbers(b);
  double *q = calloc(8 * nq, sizeof *q), *v = calloc(8 * nv, sizeof *v);
  double *x = calloc(8 * nv, sizeof *x), *M = calloc(8 * packed, sizeof *M);
  int *row = calloc(packed, sizeof *row), *column = calloc(packed, sizeof *column);
  QUIET(mbd_batch_soa_size(b, 1, nv) <= 8 * nv ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_to_soa(b, 1, nq, t->q, q));
  assert_int_equal(mbd_batch_to_soa(b, 1, nv, t->v, v), MBD_OK);
  QUIET(mbd_batch_inverse_dynamics_soa(b, 1, q, v, NULL, x));
  QUIET(mbd_batch_bias_soa(b, 1, q, v, x));
  QUIET(mbd_batch_gravity_soa(b, 1, q, x));
  QUIET(mbd_batch_forward_dynamics_soa(b, 1, q, v, NULL, x));
  QUIET(mbd_batch_mass_matrix_soa(b, 1, q, M));
  QUIET(mbd_batch_mass_from_soa(b, 1, M, r->M));
  QUIET(mbd_batch_from_soa(b, 1, nv, x, r->v));
  QUIET(mbd_batch_mass_numbers(b) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_mass_pattern(b, row, column));
  free(q), free(v), free(x), free(M), free(row), free(column);
}

// derivatives of as many states as the longest vectors have elements, and one
static void
quiet_derivative_blocks(tree_t * t, mbd_batch_t * b)
{
  enum { STATES = 9 };
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, size = STATES * nv * nv;
  const size_t work = 2 * mbd_derivatives_work(m);
  double * x = malloc((work + 3 * size + STATES * (nq + 3 * nv)) * sizeof *x);
  assert_non_null(x);
  double *dq = x + work, *dv = dq + size, *M = dv + size, *q = M + size, *v = q + STATES * nq;
  double *u = v + STATES * nv, *qdd = u + STATES * nv;
  for (size_t k = 0; k < STATES; k++) {
    memcpy(q + k * nq, t->q, nq * sizeof *q);
    memcpy(v + k * nv, t->v, nv * sizeof *v);
    memcpy(u + k * nv, t->tau, nv * sizeof *u);
  }
  QUIET(mbd_batch_inverse_dynamics_derivatives(b, STATES, q, v, u, x, dq, dv, M));
  QUIET(mbd_batch_forward_dynamics_derivatives(b, STATES, q, v, u, x, qdd, dq, dv, M));
  free(x);
}

// the same in structures of arrays
#define QUIET_DERIVATIVES_SOA(NAME, NUMBER)                                                     \
  static void NAME##_quiet_derivatives(const tree_t * t, NAME##_t * b)                          \
  {                                                                                             \
    enum { STATES = 16 };                                                                       \
    const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv, size = STATES * nv * nv; \
    NUMBER * x = calloc(3 * size + STATES * (2 * nq + 3 * nv), sizeof *x);                      \
    double * work = malloc(NAME##_derivatives_work(b) * sizeof *work);                          \
    int *row = calloc(nv * nv, sizeof *row), *column = calloc(nv * nv, sizeof *column);         \
    assert_true(x && work && row && column);                                                    \
    NUMBER *dq = x, *dv = dq + size, *M = dv + size, *q = M + size, *v = q + STATES * nq;       \
    NUMBER *qdd = v + STATES * nv, *from_q = qdd + STATES * nv, *from_v = from_q + STATES * nq; \
    for (size_t k = 0; k < STATES * nq; k++) from_q[k] = (NUMBER)t->q[k % nq];                  \
    for (size_t k = 0; k < STATES * nv; k++) from_v[k] = (NUMBER)t->v[k % nv];                  \
    assert_int_equal(NAME##_to_soa(b, STATES, nq, from_q, q), MBD_OK);                          \
    assert_int_equal(NAME##_to_soa(b, STATES, nv, from_v, v), MBD_OK);                          \
    QUIET(NAME##_derivatives_work(b) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);                    \
    QUIET(NAME##_derivative_numbers(b) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);                  \
    QUIET(NAME##_derivative_pattern(b, row, column));                                           \
    QUIET(NAME##_inverse_dynamics_derivatives_soa(b, STATES, q, v, v, work, dq, dv, M));        \
    QUIET(NAME##_forward_dynamics_derivatives_soa(b, STATES, q, v, v, work, qdd, dq, dv, M));   \
    free(x), free(work), free(row), free(column);                                               \
  }

QUIET_DERIVATIVES_SOA(mbd_batch, double)
QUIET_DERIVATIVES_SOA(mbd_batch_f32, float)

// a block of states in single precision, in either layout
static void
quiet_f32(const tree_t * t, const mbd_data_t * d)
{
  enum { STATES = 16 };
  const mbd_model_t * m = t->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  mbd_batch_f32_t * b;
  assert_int_equal(mbd_batch_f32_create(m, 2, &b), MBD_OK);
  const size_t packed = mbd_batch_f32_mass_numbers(b), most = nv * nv + 6 * nv + 12;
  float *q = calloc(STATES * nq, sizeof *q), *v = calloc(STATES * nv, sizeof *v);
  float *q_soa = calloc(STATES * nq, sizeof *q), *v_soa = calloc(STATES * nv, sizeof *v);
  float * x = calloc(STATES * most, sizeof *x);
  int *row = calloc(packed, sizeof *row), *column = calloc(packed, sizeof *column);
  const int root = 0;
  for (size_t k = 0; k < STATES * nq; k++) q[k] = (float)t->q[k % nq];
  for (size_t k = 0; k < STATES * nv; k++) v[k] = (float)t->v[k % nv];
  QUIET(mbd_batch_f32_set_parameters_from(b, d));
  QUIET(mbd_batch_f32_inverse_dynamics(b, STATES, q, v, v, x));
  QUIET(mbd_batch_f32_bias(b, STATES, q, v, x));
  QUIET(mbd_batch_f32_gravity(b, STATES, q, x));
  QUIET(mbd_batch_f32_forward_dynamics(b, STATES, q, v, v, x));
  QUIET(mbd_batch_f32_mass_matrix(b, STATES, q, x));
  QUIET(mbd_batch_f32_frame_placements(b, STATES, q, 1, &root, x));
  QUIET(mbd_batch_f32_jacobian(b, STATES, q, 0, MBD_LOCAL, x));
  QUIET(mbd_batch_f32_soa_size(b, STATES, nq) == STATES * nq ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_f32_to_soa(b, STATES, nq, q, q_soa));
  assert_int_equal(mbd_batch_f32_to_soa(b, STATES, nv, v, v_soa), MBD_OK);
  QUIET(mbd_batch_f32_inverse_dynamics_soa(b, STATES, q_soa, v_soa, NULL, x));
  QUIET(mbd_batch_f32_bias_soa(b, STATES, q_soa, v_soa, x));
  QUIET(mbd_batch_f32_gravity_soa(b, STATES, q_soa, x));
  QUIET(mbd_batch_f32_forward_dynamics_soa(b, STATES, q_soa, v_soa, NULL, x));
  QUIET(mbd_batch_f32_mass_matrix_soa(b, STATES, q_soa, x));
  QUIET(mbd_batch_f32_from_soa(b, STATES, nv, v_soa, x));
  QUIET(mbd_batch_f32_mass_numbers(b) == packed ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_f32_mass_pattern(b, row, column));
  QUIET(mbd_batch_f32_vector_length(b) >= 1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_f32_failed(b) == -1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_f32_kernels(b) ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  mbd_batch_f32_destroy(b);
  free(q), free(v), free(q_soa), free(v_soa), free(x), free(row), free(column);
}

void
call_batch(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_batch_t * b;
  assert_int_equal(mbd_batch_create(m, 2, &b), MBD_OK);
  QUIET(mbd_batch_set_parameters_from(b, d));
  QUIET(mbd_batch_inverse_dynamics(b, 1, t->q, t->v, t->qdd, r->v));
  QUIET(mbd_batch_bias(b, 1, t->q, t->v, r->v));
  QUIET(mbd_batch_gravity(b, 1, t->q, r->v));
  QUIET(mbd_batch_forward_dynamics(b, 1, t->q, t->v, t->tau, r->v));
  QUIET(mbd_batch_mass_matrix(b, 1, t->q, r->M));
  const int root = 0;
  mbd_placement_t X;
  mbd_motion_t motion;
  mbd_force_t force;
  double Lambda[36];
  QUIET(mbd_batch_mass_matrix_inverse(b, 1, t->q, r->M));
  const size_t size = (size_t)m->nv * (size_t)m->nv, work = 2 * mbd_derivatives_work(m);
  double * x = malloc((work + 2 * size) * sizeof *x);
  assert_non_null(x);
  double *dq = x + work, *dv = dq + size;
  QUIET(mbd_batch_inverse_dynamics_derivatives(b, 1, t->q, t->v, t->qdd, x, dq, dv, r->M));
  QUIET(mbd_batch_forward_dynamics_derivatives(b, 1, t->q, t->v, t->tau, x, r->v, dq, dv, r->M));
  free(x);
  quiet_derivative_blocks(t, b);
  mbd_batch_quiet_derivatives(t, b);
  mbd_batch_f32_t * f;
  assert_int_equal(mbd_batch_f32_create(t->model, 2, &f), MBD_OK);
  mbd_batch_f32_quiet_derivatives(t, f);
  mbd_batch_f32_destroy(f);
  quiet_soa(t, r, b);
  QUIET(mbd_batch_frame_placements(b, 1, t->q, 1, &root, &X));
  QUIET(mbd_batch_jacobian(b, 1, t->q, 0, MBD_LOCAL, r->J));
  QUIET(mbd_batch_jacobian_bias(b, 1, t->q, t->v, 0, MBD_LOCAL, &motion));
  QUIET(mbd_batch_operational_space_inertia(b, 1, t->q, 0, MBD_LOCAL, Lambda));
  QUIET(mbd_batch_centroidal_momentum(b, 1, t->q, t->v, &force));
  QUIET(mbd_batch_vector_length(b) >= 1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_threads(b) == 2 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_failed(b) == -1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_kernels(b) ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  mbd_batch_destroy(b);
  quiet_f32(t, d);
}

// two bodies with a hinge, a robot on it; forward dynamics by subchains
void
call_divide(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const mbd_placement_t X[2] = {mbdu_placement_identity(), mbdu_placement_identity()};
  const mbd_inertia_t ball = {1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  const mbd_force_t none[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  mbd_hinge_t hinge = {.X = X[0], .nv = 1, .S = {{{0, 0, 1}, {0, 0, 0}}}};
  static mbd_subsystem_t A, B;
  const int frame = m->nframe - 1;
  double qdd[6];
  mbd_force_t f;
  QUIET(mbd_subsystem_body(&ball, rest, none[0], 2, X, &A));
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_subsystem_robot(m, d, t->tau, &t->f_ext, 1, &frame, &B));
  if (!embedded) {
    QUIET(mbd_subsystem_hinge(&B, 0, &A, 0, &hinge, none, qdd, &f));
    QUIET(mbd_subsystem_join(&B, 0, &A, 0, &hinge, &B));
  }
  mbd_divide_t * divide;
  if (embedded) {
    assert_int_equal(mbd_divide_create(m, 2, &divide), MBD_ERROR_UNSUPPORTED);
    return;
  }
  assert_int_equal(mbd_divide_create(m, 2, &divide), MBD_OK);
  QUIET(mbd_divide_forward_dynamics(divide, d, t->q, t->v, t->tau, NULL, r->v));
  QUIET(mbd_divide_forward_dynamics(divide, d, t->q, t->v, t->tau, &t->f_ext, r->v));
  QUIET(mbd_divide_subchains(divide) >= 1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  mbd_divide_destroy(divide);
}

// its first link bends
void
call_flexible(tree_t * t, outputs_t * r)
{
  uint64_t state = t->seed;
  mbd_modal_body_t * body = random_modal_body(&state);
  const mbd_flexible_link_t link = {t->link[0].frame, body, 0, NULL};
  mbd_model_t * f;
  mbd_data_t * d;
  assert_ok(mbd_model_with_flexible_links(t->model, 1, &link, &f, NULL));
  const size_t size = mbd_data_size(f), nv = (size_t)f->nv;
  void * memory = malloc(size);
  double * x = calloc(3 * nv + nv * nv + (size_t)f->nq, sizeof *x);
  double *v = x + nv, *M = v + nv, *q = M + nv * nv;
  double * work = calloc(mbd_step_work(f) + 1, sizeof *work);
  QUIET_VALUE(mbd_step_work(f));
  mbd_placement_t X;
  mbd_motion_t V;
  QUIET_VALUE(mbd_data_size(f));
  QUIET(mbd_data_init(f, memory, size, &d));
  QUIET(mbd_set_gravity(d, t->model->gravity));
  QUIET(mbd_set_terms(d, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  QUIET(mbd_neutral(f, q));
  QUIET(mbd_set_state(f, d, q, v));
  QUIET(mbd_inverse_dynamics(f, d, q, v, x, &t->f_ext, x));
  QUIET(mbd_mass_matrix(f, d, M));
  QUIET(mbd_forward_dynamics(f, d, q, v, x, &t->f_ext, x));
  QUIET(mbd_flexible_strain_energy(f, d, r->v));
  QUIET(mbd_frame_placement(f, d, 0, &X));
  QUIET(mbd_frame_velocity(f, d, 0, MBD_LOCAL, &V));
  QUIET(mbd_flexible_frequencies(f, d, true, x));
  QUIET(mbd_integrate(f, q, v, 0.01, q));
  QUIET(mbd_step(f, d, q, v, NULL, &t->f_ext, 1e-4, work));
  // light enough for springs that are random
  assert_ok(mbd_set_gravity(d, mbdu_vec3(0, 0, -1e-3)));
  assert_ok(mbd_neutral(f, q));
  QUIET(mbd_flexible_static(f, d, q));
  QUIET_VALUE(mbd_beam_spec_default().length);
  QUIET_VALUE(mbd_beam_root(MBD_BEAM_FREE, 3));
  QUIET_VALUE(mbd_modal_fault_text(MBD_MODAL_GOOD) != NULL);
  free(x);
  free(work);
  free(memory);
  mbd_model_destroy(f);
  mbd_modal_body_destroy(body);
}

// a mass matrix without its zeros, and the tree that it is the pattern of
void
call_graph(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const int n = m->nbody;
  int * number = malloc(8 * (size_t)n * sizeof *number + 64);
  int *parent = number, *group = number + n, *memory = number + 2 * n, k;
  bool * set = calloc((size_t)n, sizeof *set);
  bool * out = calloc((size_t)n, sizeof *out);
  mbd_tree_part_t * part = calloc((size_t)n, sizeof *part);
  mbd_spanning_tree_t tree;
  const mbd_edge_t edge = {MBD_WORLD_BODY, 0, 1};
  set[n - 1] = true;
  QUIET(mbd_model_parents(m, parent));
  QUIET(mbd_common_ancestor(n, parent, 0, n - 1, &k));
  QUIET(mbd_path_induced(n, parent, set, out));
  QUIET(mbd_aggregation_set(n, parent, set, out, &k));
  QUIET(mbd_aggregation_condition(n, parent, set, out, &k));
  QUIET(mbd_tree_partition(n, parent, set, part));
  QUIET(mbd_loop_groups(n, parent, 1, &edge, group, &k));
  QUIET(mbd_branches(n, parent, group, &k));
  QUIET_VALUE(mbd_spanning_tree_size(n, 1));
  QUIET(mbd_spanning_tree(n, 1, &edge, memory, &tree));
  mbd_sparsity_t * s = NULL;
  if (mbd_sparsity_create(m, &s) == MBD_OK) {
    QUIET(mbd_set_state(m, d, t->q, NULL));
    QUIET(mbd_sparse_mass(m, d, s, r->M));
    QUIET(mbd_sparse_multiply(s, r->M, t->v, r->v));
    QUIET(mbd_sparse_factor(s, r->M));
    QUIET(mbd_sparse_solve(s, r->M, r->v));
    QUIET(mbd_sparse_expand(s, r->M, r->Y));
    QUIET(mbd_sparse_gather(s, r->Y, r->M));
  }
  mbd_sparsity_destroy(s);
  free(number);
  free(set);
  free(out);
  free(part);
}

void
call_observer(tree_t * t, mbd_data_t * d)
{
  const mbd_model_t * m = t->model;
  const size_t size = mbd_observer_size(m);
  void * memory = malloc(size);
  mbd_observer_t * observer;
  mbd_force_t f;
  QUIET_VALUE(mbd_observer_size(m));
  QUIET(mbd_observer_init(m, NULL, memory, size, &observer));
  for (int k = 0; k < 3; k++) QUIET(mbd_observer_update(observer, d, t->tau, 1e-3));
  QUIET(mbd_observer_wrench(observer, d, m->nframe - 1, MBD_LOCAL_WORLD_ALIGNED, &f));
  QUIET(mbd_observer_reset(observer));
  free(memory);
}
