// No function allocates, frees or reallocates once a workspace is laid out: malloc is interposed,
// every public function of the core is called, and the list of calls is held against `nm`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/compliance.h"
#include "mbdyn/factors.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/momentum.h"
#include "mbdyn/observer.h"
#include "mbdyn/operators.h"
#include "mbdyn/regressor.h"
#include "mbdyn/response.h"
#include "mbdyn/task.h"
#include "random_modes.h"
#include "random_tree.h"

//---------- the interposer ----------

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void * __libc_memalign(size_t, size_t);
extern void __libc_free(void *);
int posix_memalign(void ** out, size_t alignment, size_t size);

static volatile int armed, touched;

void *
malloc(size_t n)
{
  if (armed) touched++;
  return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
  if (armed) touched++;
  return __libc_calloc(n, size);
}

void *
realloc(void * p, size_t n)
{
  if (armed) touched++;
  return __libc_realloc(p, n);
}

void *
aligned_alloc(size_t alignment, size_t n)
{
  if (armed) touched++;
  return __libc_memalign(alignment, n);
}

int
posix_memalign(void ** out, size_t alignment, size_t size)
{
  if (armed) touched++;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}

void
free(void * p)
{
  if (armed && p) touched++;
  __libc_free(p);
}

//---------- the calls ----------

// functions that set up or take down, which may allocate
static const char * const setup[] = {
  "mbd_model_create",
  "mbd_model_destroy",
  "mbd_model_add_body",
  "mbd_model_add_frame",
  "mbd_model_add_motor",
  "mbd_model_add_motors",
  "mbd_model_add_closure",
  "mbd_closure_spec_default",
  "mbd_assembly_options_default",
  "mbd_constrained_options_default",
  "mbd_contact_default",
  "mbd_contact_options_default",
  "mbd_model_set_gravity",
  "mbd_model_set_mimic_independent",
  "mbd_model_finalize",
  "mbd_data_create",
  "mbd_data_destroy",
  "mbd_body_spec_default",
  "mbd_observer_create",
  "mbd_observer_destroy",
  "mbd_observer_options_default",
  "mbd_model_with_parameters",
  "mbd_batch_create",
  "mbd_batch_destroy",
  "mbd_divide_create",
  "mbd_divide_destroy",
  "mbd_embed_options_default",
  "mbd_model_embed",
  "mbd_model_rechoose",
  "mbd_sko_create",
  "mbd_sko_destroy",
  "mbd_dh_options_default",
  "mbd_dh_row_default",
  "mbd_dh_to_model",
  "mbd_dissipation_default",
  "mbd_noc_create",
  "mbd_noc_destroy",
  "mbd_reroot_create",
  "mbd_reroot_destroy",
  "mbd_sparsity_create",
  "mbd_sparsity_destroy",
  "mbd_modal_body_create",
  "mbd_modal_body_destroy",
  "mbd_modal_body_check",
  "mbd_beam_create",
  "mbd_flexible_create",
  "mbd_flexible_destroy",
  "mbd_flexible_data_create",
  "mbd_flexible_data_destroy",
  NULL};

enum { MOST_CALLS = 512 };
static char called[MOST_CALLS][64];
static int ncalled;

static void
remember(const char * call)
{
  size_t n = strcspn(call, "(");
  if (n > 63) n = 63;
  for (int i = 0; i < ncalled; i++) {
    if (strlen(called[i]) == n && memcmp(called[i], call, n) == 0) return;
  }
  assert_true(ncalled < MOST_CALLS);
  memcpy(called[ncalled], call, n);
  called[ncalled++][n] = 0;
}

// while an embedded model is called: functions may refuse it, and these do
static int embedded;
static char refused[MOST_CALLS][64];
static int nrefused;

static void
refuse(const char * call)
{
  const size_t n = strcspn(call, "(");
  for (int i = 0; i < nrefused; i++) {
    if (strlen(refused[i]) == n && memcmp(refused[i], call, n) == 0) return;
  }
  assert_true(nrefused < MOST_CALLS && n < 64);
  memcpy(refused[nrefused], call, n);
  refused[nrefused++][n] = 0;
}

// run a call with malloc watched; its status must be MBD_OK
#define QUIET(call)                                                             \
  do {                                                                          \
    remember(#call);                                                            \
    armed = 1;                                                                  \
    const mbd_status_t status_ = (call);                                        \
    armed = 0;                                                                  \
    if (touched) print_error("%s touched the heap %d times\n", #call, touched); \
    assert_int_equal(touched, 0);                                               \
    if (embedded && status_ == MBD_ERROR_EMBEDDED) {                            \
      refuse(#call);                                                            \
      break;                                                                    \
    }                                                                           \
    if (status_ != MBD_OK) print_error("%s\n", #call);                          \
    assert_int_equal(status_, MBD_OK);                                          \
  } while (0)

// the same for functions that return something else
#define QUIET_VALUE(call)         \
  do {                            \
    remember(#call);              \
    armed = 1;                    \
    (void)(call);                 \
    armed = 0;                    \
    assert_int_equal(touched, 0); \
  } while (0)

typedef struct room {
  double *q, *v, *M, *J;
  double *Y, *theta, *work;  // of regressors and tasks
} room_t;

static void
call_stages(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  QUIET(mbd_set_gravity(d, m->gravity));
  QUIET(mbd_set_terms(d, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  QUIET(mbd_set_state(m, d, t->q, t->v));
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_set_acceleration(m, d, t->qdd));
  QUIET(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, &t->f_ext, r->v));
  QUIET(mbd_complete_stages(m, d));
  QUIET(mbd_bias(m, d, r->v));
  QUIET(mbd_gravity(m, d, r->v));
  QUIET(mbd_friction(m, t->v, r->v));
  QUIET(mbd_mass_matrix(m, d, t->q, r->M));
  QUIET(mbd_forward_dynamics(m, d, t->q, t->v, t->tau, &t->f_ext, r->v));
  QUIET(mbd_articulated_inertia(m, d));
  QUIET(mbd_mass_matrix_inverse(m, d, r->M));
  QUIET(mbd_composite_inertia(m, d));
  QUIET(mbd_coriolis_matrix(m, d, r->M));
  QUIET(mbd_compliance(m, d));
  QUIET(mbd_jacobian_transpose_product(m, d, &t->f_ext, r->v));
}

static void
call_factors(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  double number;
  QUIET(mbd_mass_product(m, d, t->v, r->v));
  QUIET(mbd_mass_solve(m, d, t->v, r->v));
  for (int op = MBD_SQRT; op <= MBD_SQRT_INVERSE_TRANSPOSE; op++) {
    QUIET(mbd_mass_sqrt(m, d, (mbd_sqrt_op_t)op, t->v, r->v));
  }
  QUIET(mbd_mass_factors(m, d, r->M, NULL));
  QUIET(mbd_mass_log_determinant(m, d, &number));
  QUIET(mbd_mass_trace(m, d, &number));
  QUIET(mbd_mass_condition(m, d, r->work, &number));
}

// a node of one hinge on one of two
static void
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

// one state in lanes of eight at most
static void
quiet_lanes(const tree_t * t, room_t * r, mbd_batch_t * b)
{
  const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
  const size_t packed = mbd_batch_mass_numbers(b);
  double *q = calloc(8 * nq, sizeof *q), *v = calloc(8 * nv, sizeof *v);
  double *x = calloc(8 * nv, sizeof *x), *M = calloc(8 * packed, sizeof *M);
  int *row = calloc(packed, sizeof *row), *column = calloc(packed, sizeof *column);
  QUIET(mbd_batch_lanes_size(b, 1, nv) <= 8 * nv ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_to_lanes(b, 1, nq, t->q, q));
  assert_int_equal(mbd_batch_to_lanes(b, 1, nv, t->v, v), MBD_OK);
  QUIET(mbd_batch_inverse_dynamics_lanes(b, 1, q, v, NULL, x));
  QUIET(mbd_batch_bias_lanes(b, 1, q, v, x));
  QUIET(mbd_batch_gravity_lanes(b, 1, q, x));
  QUIET(mbd_batch_forward_dynamics_lanes(b, 1, q, v, NULL, x));
  QUIET(mbd_batch_mass_matrix_lanes(b, 1, q, M));
  QUIET(mbd_batch_mass_from_lanes(b, 1, M, r->M));
  QUIET(mbd_batch_from_lanes(b, 1, nv, x, r->v));
  QUIET(mbd_batch_mass_numbers(b) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_mass_pattern(b, row, column));
  free(q), free(v), free(x), free(M), free(row), free(column);
}

static void
call_batch(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_batch_t * b;
  assert_int_equal(mbd_batch_create(m, 2, &b), MBD_OK);
  QUIET(mbd_batch_like(b, d));
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
  quiet_lanes(t, r, b);
  QUIET(mbd_batch_frame_placements(b, 1, t->q, 1, &root, &X));
  QUIET(mbd_batch_jacobian(b, 1, t->q, 0, MBD_LOCAL, r->J));
  QUIET(mbd_batch_jacobian_bias(b, 1, t->q, t->v, 0, MBD_LOCAL, &motion));
  QUIET(mbd_batch_operational_space_inertia(b, 1, t->q, 0, MBD_LOCAL, Lambda));
  QUIET(mbd_batch_centroidal_momentum(b, 1, t->q, t->v, &force));
  QUIET(mbd_batch_lanes(b) >= 1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_threads(b) == 2 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_failed(b) == -1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_batch_kernels(b) ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  mbd_batch_destroy(b);
}

// two bodies with a hinge, a robot on it; forward dynamics by pieces
static void
call_divide(tree_t * t, mbd_data_t * d, room_t * r)
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
    assert_int_equal(mbd_divide_create(m, 2, &divide), MBD_ERROR_EMBEDDED);
    return;
  }
  assert_int_equal(mbd_divide_create(m, 2, &divide), MBD_OK);
  QUIET(mbd_divide_forward_dynamics(divide, d, t->q, t->v, t->tau, NULL, r->v));
  QUIET(mbd_divide_forward_dynamics(divide, d, t->q, t->v, t->tau, &t->f_ext, r->v));
  QUIET(mbd_divide_pieces(divide) >= 1 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  mbd_divide_destroy(divide);
}

static void
call_operators(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_force_t f[16];
  mbd_motion_t V[16];
  mbd_force_views_t views;
  double block[36];
  memset(f, 0, sizeof f);
  memset(V, 0, sizeof V);
  QUIET(mbd_phi_product(m, d, f, f));
  QUIET(mbd_phi_transpose_product(m, d, V, V));
  QUIET(mbd_psi_product(m, d, f, f));
  QUIET(mbd_psi_transpose_product(m, d, V, V));
  QUIET(mbd_cross_inertia(m, d, 0, m->nbody - 1, block));
  QUIET(mbd_composite_inverse_dynamics(m, d, t->qdd, &t->f_ext, r->v));
  QUIET(mbd_joint_force_views(m, d, 0, &views));
}

static void
call_responses(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  const mbd_vec3_t x = {1, 0, 0};
  mbd_motion_t A;
  double C[36], mass;
  int rank;
  QUIET(mbd_force_response(m, d, &t->f_ext, r->v));
  QUIET(mbd_impulse_response(m, d, &t->f_ext, r->v));
  QUIET(mbd_response_acceleration(m, d, 0, MBD_LOCAL, &A));
  QUIET(mbd_compliance_between(m, d, 0, MBD_LOCAL, m->nframe - 1, MBD_WORLD, C));
  QUIET(mbd_mobility(m, d, 0, MBD_LOCAL, &rank, C));
  QUIET(mbd_effective_mass(m, d, 0, x, x, &mass));
}

static void
call_hybrid(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  bool active[64];
  const mbd_motion_t up = {{0, 0, 0}, {0, 0, 1}};
  int rank;
  assert_true(m->nbody <= 64);
  for (int i = 0; i < m->nbody; i++) active[i] = i % 2;
  memcpy(r->v, t->qdd, (size_t)m->nv * sizeof *r->v);
  QUIET(mbd_hybrid_dynamics(m, d, t->q, t->v, active, &t->f_ext, r->v, t->tau));
  QUIET(mbd_disturbance_jacobian(m, d, active, r->M));
  QUIET(mbd_generalized_jacobian(m, d, active, 0, MBD_LOCAL, r->J));
  QUIET(mbd_hybrid_control(
    m, d, t->q, t->v, active, m->nframe - 1, MBD_LOCAL, up, r->v, t->tau, &rank));
}

static void
call_gears(tree_t * t, room_t * r)
{
  const mbd_motor_spec_t spec = mbd_motor_spec_default();
  const double one = 1;
  int at;
  memset(r->v, 0, (size_t)t->model->nv * sizeof *r->v);
  QUIET(mbd_motor_spec_default().ratio == spec.ratio ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_elastic_torque(t->model, NULL, 0, t->q, t->v, r->v));
  QUIET(mbd_rotor_error(1, &one, &one, &at, &at) == 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
}

// its first link bends
static void
call_flexible(tree_t * t, room_t * r)
{
  uint64_t state = t->seed;
  mbd_modal_body_t * body = random_modal_body(&state);
  const mbd_flexible_link_t link = {t->link[0].frame, body, 0, NULL};
  mbd_flexible_t * f;
  mbd_flexible_data_t * d;
  assert_ok(mbd_flexible_create(t->model, 1, &link, &f, NULL));
  const size_t size = mbd_flexible_data_size(f), nv = (size_t)f->nv;
  void * memory = malloc(size);
  double * x = calloc(3 * nv + nv * nv + (size_t)f->nq, sizeof *x);
  double *v = x + nv, *M = v + nv, *q = M + nv * nv;
  mbd_placement_t X;
  mbd_motion_t V;
  QUIET_VALUE(mbd_flexible_data_size(f));
  QUIET(mbd_flexible_data_init(f, memory, size, &d));
  QUIET(mbd_flexible_set_gravity(d, t->model->gravity));
  QUIET(mbd_flexible_set_terms(d, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  QUIET(mbd_flexible_neutral(f, q));
  QUIET(mbd_flexible_set_state(f, d, q, v));
  QUIET(mbd_flexible_inverse_dynamics(f, d, q, v, x, &t->f_ext, x));
  QUIET(mbd_flexible_mass_matrix(f, d, NULL, M));
  QUIET(mbd_flexible_forward_dynamics(f, d, q, v, x, &t->f_ext, x));
  QUIET(mbd_flexible_energy(f, d, r->v, r->v, r->v));
  QUIET(mbd_flexible_frame(f, d, 0, &X, &V));
  QUIET(mbd_flexible_frequencies(f, d, true, x));
  QUIET(mbd_flexible_integrate(f, q, v, 0.01, q));
  QUIET(mbd_flexible_step(f, d, q, v, NULL, &t->f_ext, 1e-4));
  QUIET_VALUE(mbd_beam_spec_default().length);
  QUIET_VALUE(mbd_beam_root(MBD_BEAM_FREE, 3));
  QUIET_VALUE(mbd_modal_fault_text(MBD_MODAL_GOOD) != NULL);
  free(x);
  free(memory);
  mbd_flexible_destroy(f);
  mbd_modal_body_destroy(body);
}

static void
call_free_flyer(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  double * work = malloc(mbd_free_flyer_work(m) * sizeof *work);
  mbd_sym6_t * E = malloc((size_t)m->nbody * sizeof *E);
  // bases that are not free are refused, without heap as well
  const mbd_status_t want = mbd_effective_inertia(m, d, work, E);
  QUIET(mbd_free_flyer_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_effective_inertia(m, d, work, E) == want ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(
    mbd_free_flyer_dynamics(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v) == want
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  free(work);
  free(E);
}

// a mass matrix without its zeros, and the tree that it is the pattern of
static void
call_graph(tree_t * t, mbd_data_t * d, room_t * r)
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
    QUIET(mbd_sparse_mass(m, d, t->q, s, r->M));
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

static void
call_derivatives(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  const size_t n = (size_t)m->nv;
  double * work = malloc(mbd_derivatives_work(m) * sizeof *work);
  double * out = malloc(12 * n * n * sizeof *out);
  double *a = out, *b = out + 4 * n * n, *c = out + 8 * n * n;
  QUIET(mbd_derivatives_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_inverse_dynamics_derivatives(m, d, t->q, t->v, t->qdd, &t->f_ext, work, a, b, c));
  QUIET(mbd_forward_dynamics_derivatives(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b, c));
  const mbd_status_t expected =
    mbd_linearize(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b);
  QUIET(
    mbd_linearize(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b) == expected
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_mass_matrix_derivative(m, d, 0, work, a));
  double * tensor = malloc(n * n * n * sizeof *tensor);
  QUIET(mbd_mass_matrix_tensor(m, d, work, tensor));
  QUIET(mbd_christoffel_tensor(m, d, work, tensor));
  free(tensor);
  QUIET(mbd_jacobian_rate(m, d, 0, MBD_LOCAL, r->J));
  free(work);
  free(out);
}

static void
call_diagonal(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  const size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv;
  double * work = malloc((mbd_diagonal_work(m) + (size_t)m->nD) * sizeof *work);
  mbd_sym6_t * dP = malloc(nbody * sizeof *dP);
  mbd_force_t * dG = malloc(nv * sizeof *dG);
  double * dD = work + mbd_diagonal_work(m);
  QUIET(mbd_diagonal_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_articulated_rate(m, d, t->v, dP, dG, dD));
  QUIET(mbd_log_determinant_gradient(m, d, r->v));
  QUIET(mbd_factor_rates(m, d, t->v, work, r->M, NULL, NULL));
  QUIET(mbd_factor_rates(m, d, t->v, work, NULL, r->M, NULL));
  QUIET(mbd_factor_rate_product(m, d, work, r->v));
  QUIET(mbd_unnormalized_coriolis(m, d, work, r->v));
  QUIET(mbd_quasi_coriolis(m, d, work, r->v));
  for (size_t k = 0; k < nv; k++) work[k] = 1;
  QUIET(mbd_decoupled_damping(m, d, work, r->v));
  free(work);
  free(dP);
  free(dG);
}

static void
call_tasks(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  const mbd_task_t task[2] = {
    mbdu_task_frame(m->nframe - 1, MBD_LOCAL), mbdu_task_position(0, MBD_WORLD)};
  const mbd_tasks_t tasks = {2, task};
  const mbd_singular_t damp = {MBD_SINGULAR_DAMP, 0, 0.1};
  double L[81], mu[9], p[9];
  mbd_task_info_t info;
  QUIET_VALUE(mbd_task_rows(&tasks));
  QUIET_VALUE(mbd_task_work(m, &tasks));
  QUIET(mbd_task_jacobian(m, d, &tasks, r->J));
  QUIET(mbd_task_bias(m, d, &tasks, mu));
  QUIET(mbd_task_compliance(m, d, &tasks, L));
  QUIET(mbd_task_inertia(m, d, &tasks, &damp, r->work, L, &info));
  QUIET(mbd_task_inertia(m, d, &tasks, NULL, r->work, L, &info));
  QUIET(mbd_task_forces(m, d, &tasks, L, r->work, mu, p));
  QUIET(mbd_task_inverse(m, d, &tasks, L, r->work, r->J));
  QUIET(mbd_task_nullspace(m, d, &tasks, L, r->work, r->M));
  QUIET(mbd_task_control(m, d, &tasks, L, mu, t->tau, r->work, r->v));
}

static void
call_momentum(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_energy_rates_t rates;
  mbd_force_t f;
  mbd_motion_t V;
  QUIET(mbd_momentum(m, d, r->v));
  QUIET(mbd_momentum_rate(m, d, t->tau, &t->f_ext, r->v));
  QUIET(mbd_energy_rates(m, d, t->tau, &t->f_ext, &rates));
  QUIET(mbd_centroidal_matrix(m, d, r->J));
  QUIET(mbd_centroidal_bias(m, d, &f));
  QUIET(mbd_average_velocity(m, d, &V));
  QUIET(mbd_com_jacobian(m, d, r->J));
  if (m->body[0].type == MBD_JOINT_FREE) QUIET(mbd_momentum_nulling(m, d, 0, r->v));
  QUIET(mbd_coriolis_transpose_product(m, d, r->v));
  QUIET(mbd_mass_matrix_rate(m, d, r->M));
  QUIET(mbd_momentum_gradient(m, d, r->M));
  QUIET(mbd_kinetic_energy_gradient(m, d, r->v));
  // the velocity stage is stale after this
  QUIET(mbd_christoffel(m, d, 0, r->M));
  QUIET(mbd_set_velocity(m, d, t->v));
}

static void
call_regressors(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  double W[6] = {1, 2, 3, 4, 5, 6}, K[1];
  int pivot[2], rank;
  QUIET_VALUE(mbd_parameter_count(m, true));
  QUIET(mbd_parameters_get(m, d, true, r->theta));
  if (!embedded) QUIET(mbd_parameters_check(r->theta, NULL));
  QUIET(mbd_torque_regressor(m, d, t->qdd, true, r->Y));
  QUIET(mbd_momentum_regressor(m, d, r->Y));
  QUIET(mbd_energy_regressor(m, d, r->Y, r->theta));
  QUIET(mbd_base_parameters(3, 2, W, 1e-9, pivot, &rank, K));
}

static void
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

static void
call_sums(tree_t * t, mbd_data_t * d)
{
  const mbd_model_t * m = t->model;
  double energy, mass;
  mbd_vec3_t com;
  mbd_force_t f;
  QUIET(mbd_kinetic_energy(m, d, &energy));
  QUIET(mbd_potential_energy(m, d, &energy));
  QUIET(mbd_center_of_mass(m, d, &mass, &com));
  QUIET(mbd_centroidal_momentum(m, d, &f));
  QUIET(mbd_joint_force(m, d, 0, &f));
}

static void
call_frames(tree_t * t, mbd_data_t * d, room_t * r, int frame)
{
  const mbd_model_t * m = t->model;
  mbd_placement_t X;
  mbd_motion_t V;
  double A[36];
  int rank;
  QUIET(mbd_frame_placement(m, d, frame, &X));
  for (int k = MBD_LOCAL; k <= MBD_LOCAL_WORLD_ALIGNED; k++) {
    const mbd_reference_t ref = (mbd_reference_t)k;
    QUIET(mbd_frame_velocity(m, d, frame, ref, &V));
    QUIET(mbd_frame_acceleration(m, d, frame, ref, &V));
    QUIET(mbd_jacobian(m, d, frame, ref, r->J));
    QUIET(mbd_jacobian_product(m, d, frame, ref, t->v, &V));
    QUIET(mbd_jacobian_bias(m, d, frame, ref, &V));
    QUIET(mbd_operational_space_compliance(m, d, frame, ref, A));
    QUIET(mbd_operational_space_inertia(m, d, frame, ref, A, &rank));
  }
  const mbd_inertia_t load =
    mbdu_inertia_from_com(2, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  QUIET(mbd_payload_attach(m, d, frame, &load));
  QUIET(mbd_payload_remove(m, d, frame));
  QUIET(mbd_payload_clear(m, d));
}

static void
call_configuration(tree_t * t, mbd_data_t * d, room_t * r)
{
  const mbd_model_t * m = t->model;
  int index;
  QUIET(mbd_neutral(m, r->q));
  QUIET(mbd_random_configuration(m, 7, r->q));
  QUIET(mbd_normalize(m, r->q));
  QUIET(mbd_difference(m, t->q, r->q, r->v));
  QUIET(mbd_integrate(m, t->q, t->v, 0.01, r->q));
  QUIET(mbd_find_frame(m, m->frame[0].name, &index));
  QUIET(mbd_find_joint(m, m->body[0].joint_name, &index));
  QUIET_VALUE(mbd_culprit_name(d));
  QUIET_VALUE(mbd_status_name(MBD_OK));
  QUIET_VALUE(mbd_status_string(MBD_OK));
  QUIET_VALUE(mbd_joint_type_name(MBD_JOINT_FREE));
}

static room_t
make_room(const mbd_model_t * m)
{
  const size_t nv = (size_t)m->nv, parameters = 10 * (size_t)m->nbody + 3 * nv;
  const mbd_task_t whole[2] = {mbdu_task_frame(0, MBD_LOCAL), mbdu_task_position(0, MBD_LOCAL)};
  const mbd_tasks_t tasks = {2, whole};
  room_t r = {
    calloc((size_t)m->nq, 8),
    calloc(nv, 8),
    calloc(nv * nv, 8),
    calloc(9 * nv, 8),
    calloc(nv * parameters, 8),
    calloc(parameters, 8),
    calloc(mbd_task_work(m, &tasks) + 2 * nv * nv, 8)};
  return r;
}

static void
call_everything(tree_t * t, mbd_data_t * d, room_t * r)
{
  if (!embedded) call_batch(t, d, r);
  call_sko();
  call_stages(t, d, r);
  call_sums(t, d);
  for (int frame = 0; frame < t->model->nframe; frame++) {
    call_stages(t, d, r);
    call_frames(t, d, r, frame);
  }
  call_configuration(t, d, r);
  call_stages(t, d, r);
  call_factors(t, d, r);
  call_operators(t, d, r);
  call_responses(t, d, r);
  call_hybrid(t, d, r);
  call_derivatives(t, d, r);
  call_free_flyer(t, d, r);
  call_graph(t, d, r);
  call_divide(t, d, r);
  call_gears(t, r);
  if (!embedded) call_flexible(t, r);
  call_diagonal(t, d, r);
  call_tasks(t, d, r);
  call_momentum(t, d, r);
  call_regressors(t, d, r);
  call_observer(t, d);
}

// a base and two links; another link as base, and motion that the base does not feel
static void
free_flyers_allocate_nothing(void ** state)
{
  (void)state;
  uint64_t random = 3;
  mbd_model_t * m;
  int frame = MBD_WORLD_BODY;
  assert_int_equal(mbd_model_create("flyer", &m), MBD_OK);
  for (int k = 0; k < 3; k++) {
    const char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = frame;
    spec.type = k == 0 ? MBD_JOINT_FREE : MBD_JOINT_SPHERICAL;
    spec.inertia = random_inertia(&random);
    spec.placement = random_placement(&random);
    assert_int_equal(mbd_model_add_body(m, &spec, &frame), MBD_OK);
  }
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  mbd_data_t * d;
  mbd_reroot_t * reroot;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  assert_int_equal(mbd_reroot_create(m, frame, &reroot), MBD_OK);
  double q[15], v[12] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, q2[15], v2[12], a2[12], B[72];
  double * work = malloc(mbd_zero_reaction_work(m) * sizeof *work);
  mbd_momentum_integrals_t integrals;
  assert_int_equal(mbd_random_configuration(m, 1, q), MBD_OK);
  assert_int_equal(mbd_set_state(m, d, q, v), MBD_OK);
  QUIET(mbd_reroot_motion(reroot, MBD_REROOT_THERE, q, v, v, q2, v2, a2));
  QUIET(mbd_reroot_torque(reroot, MBD_REROOT_THERE, q, v, v2));
  QUIET(mbd_momentum_integrals(m, d, 0, 1, &integrals));
  QUIET(mbd_coupling_inertia(m, d, 0, MBD_HOLD_POSE, B));
  QUIET_VALUE(mbd_zero_reaction_work(m));
  QUIET(mbd_zero_reaction_velocity(m, d, 0, MBD_HOLD_POSE, v, work, v2, NULL));
  QUIET(mbd_zero_reaction_acceleration(m, d, 0, MBD_HOLD_ATTITUDE, v, work, v2, NULL));
  free(work);
  mbd_reroot_destroy(reroot);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

static void
nothing_allocates(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tree_t * t = random_tree(seed, NULL);
    const size_t size = mbd_data_size(t->model);
    room_t r = make_room(t->model);
    void * memory = malloc(size);
    mbd_data_t * d;
    QUIET_VALUE(mbd_data_size(t->model));
    QUIET(mbd_data_init(t->model, memory, size, &d));
    call_everything(t, d, &r);
    free(memory), free(r.q), free(r.v), free(r.M), free(r.J), free(r.Y), free(r.theta);
    free(r.work);
    tree_free(t);
  }
}

//---------- serial chains ----------

static void
chains_allocate_nothing(void ** state)
{
  (void)state;
  mbd_dh_row_t row[2] = {mbd_dh_row_default(), mbd_dh_row_default()};
  row[1].type = MBD_JOINT_PRISMATIC, row[0].a = row[1].alpha = 1;
  row[0].inertia = row[1].inertia = (mbd_inertia_t){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
  mbd_dh_t table = {
    .n = 2, .row = row, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  mbd_model_t * model;
  mbd_noc_t * noc;
  assert_int_equal(mbd_dh_to_model(&table, &model, NULL), MBD_OK);
  assert_int_equal(mbd_noc_create(&table, &noc), MBD_OK);
  const double q[2] = {0.1, 0.2}, v[2] = {0.3, 0.4};
  const mbd_dissipation_t friction[2] = {{.coulomb = 1}, {.viscous = 1}};
  double x[2], A[144];
  mbd_force_t f = {{1, 2, 3}, {4, 5, 6}};
  QUIET(mbd_noc_inverse_dynamics(noc, q, v, v, &f, x));
  QUIET(mbd_noc_joint_wrench(noc, 1, &f));
  QUIET(mbd_noc_forward_dynamics(noc, q, v, x, &f, x));
  QUIET(mbd_noc_forward_dynamics_orthogonal(noc, q, v, x, &f, x));
  QUIET(mbd_noc_mass_matrix(noc, q, A));
  QUIET(mbd_noc_complement(noc, q, A));
  QUIET(mbd_noc_complement_rate(noc, q, v, A));
  QUIET(mbd_noc_constraint_matrix(noc, q, A));
  QUIET(mbd_noc_coriolis_matrix(noc, q, v, A));
  QUIET(mbd_noc_mass_rate(noc, q, v, A));
  QUIET_VALUE(mbd_noc_dof(noc));
  QUIET_VALUE(mbd_dh_row_transform(row, MBD_DH_STANDARD, 1).p.x);
  QUIET(mbd_dh_convert(&table, MBD_DH_MODIFIED));
  QUIET(mbd_dh_from_model(model, NULL, 2, &table, NULL));
  QUIET(mbd_dissipation_force(2, friction, v, x));
  QUIET(mbd_rayleigh_function(2, friction, v, x));
  QUIET(mbd_dissipation_power(2, friction, v, x));
  mbd_noc_destroy(noc);
  mbd_model_destroy(model);
}

//---------- loops ----------

// a two-link arm whose tip is held to the world, and whose second joint follows the first
static mbd_model_t *
closed_arm(void)
{
  mbd_model_t * m;
  assert_int_equal(mbd_model_create("closed", &m), MBD_OK);
  mbd_body_spec_t link = mbd_body_spec_default();
  link.type = MBD_JOINT_REVOLUTE;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  static const char * const names[3] = {"one", "two", "three"};
  static const char * const joints[3] = {"j1", "j2", "j3"};
  for (int k = 0; k < 3; k++) {
    link.name = names[k], link.joint_name = joints[k];
    assert_int_equal(mbd_model_add_body(m, &link, &link.parent), MBD_OK);
    link.placement.p.x = 1;
  }
  mbd_closure_spec_t loop = mbd_closure_spec_default();
  loop.name = "slot", loop.type = MBD_CLOSURE_ON_PLANE, loop.frame_b = link.parent;
  assert_int_equal(mbd_model_add_closure(m, &loop, NULL), MBD_OK);
  loop.name = "gear", loop.type = MBD_CLOSURE_COUPLING, loop.ncoupled = 2;
  loop.joint[0] = "j1", loop.joint[1] = "j2", loop.coefficient[0] = 1, loop.coefficient[1] = 1;
  assert_int_equal(mbd_model_add_closure(m, &loop, NULL), MBD_OK);
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  return m;
}

static void
call_constrained(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v)
{
  double x[3], l[8];
  mbd_force_t f;
  QUIET_VALUE(mbd_constrained_work(m));
  double * w = calloc(mbd_constrained_work(m), sizeof *w);
  QUIET(mbd_constrained_forward_dynamics(m, d, q, v, NULL, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_constrained_inverse_dynamics(m, d, q, v, x, NULL, NULL, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_constrained_response(m, d, x, NULL, w, x));
  QUIET(mbd_move_squeeze(m, d, x, NULL, NULL, w, x, NULL));
  QUIET(mbd_closing_impulse(m, d, v, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_closure_torque(m, d, l, x));
  QUIET(mbd_closure_wrench(m, d, 0, l, &f));
  free(w);
  mbd_contact_t contact = mbd_contact_default();
  contact.frame_b = 0;
  QUIET_VALUE(mbd_contact_work(m, 1));
  w = calloc(mbd_contact_work(m, 1), sizeof *w);
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_contact_step(m, d, NULL, NULL, 1e-3, 1, &contact, NULL, w, x, NULL, l, NULL));
  QUIET(mbd_contact_acceleration(m, d, NULL, NULL, 1, &contact, NULL, w, x, NULL, l, NULL));
  free(w);
}

static void
loops_allocate_nothing(void ** state)
{
  (void)state;
  mbd_model_t * m = closed_arm();
  mbd_data_t * d;
  double q[3] = {0.3, -0.3, 0.1}, v[3] = {0}, row[8], G[24];
  int index;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_closure_error(m, d, 0, row));
  QUIET(mbd_closure_jacobian(m, d, G));
  QUIET(mbd_closure_target(m, 0, row));
  QUIET(mbd_closure_bias(m, d, 0, row));
  QUIET(mbd_find_closure(m, "gear", &index));
  QUIET_VALUE(mbd_closure_type_name(MBD_CLOSURE_WELD));
  QUIET_VALUE(mbd_closure_rows(MBD_CLOSURE_WELD));
  QUIET_VALUE(mbd_assembly_work(m));
  double * work = calloc(mbd_assembly_work(m), sizeof *work);
  QUIET(mbd_assemble(m, d, NULL, q, work, q, NULL));
  QUIET(mbd_project_velocity(m, d, NULL, v, work, v, NULL));
  QUIET(mbd_closure_rank(m, d, NULL, work, NULL, &index));
  free(work);
  call_constrained(m, d, q, v);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

// functions that an embedded model is for
static const char * const taken[] = {
  "mbd_set_position",
  "mbd_set_velocity",
  "mbd_set_state",
  "mbd_set_acceleration",
  "mbd_inverse_dynamics",
  "mbd_bias",
  "mbd_gravity",
  "mbd_mass_matrix",
  "mbd_forward_dynamics",
  "mbd_articulated_inertia",
  "mbd_mass_matrix_inverse",
  "mbd_mass_product",
  "mbd_mass_solve",
  "mbd_mass_sqrt",
  "mbd_mass_factors",
  "mbd_mass_log_determinant",
  "mbd_mass_trace",
  "mbd_mass_condition",
  "mbd_compliance",
  "mbd_compliance_between",
  "mbd_operational_space_compliance",
  "mbd_operational_space_inertia",
  "mbd_mobility",
  "mbd_effective_mass",
  "mbd_jacobian",
  "mbd_jacobian_product",
  "mbd_jacobian_transpose_product",
  "mbd_jacobian_bias",
  "mbd_frame_placement",
  "mbd_frame_velocity",
  "mbd_frame_acceleration",
  "mbd_kinetic_energy",
  "mbd_potential_energy",
  "mbd_energy_rates",
  "mbd_center_of_mass",
  "mbd_centroidal_momentum",
  "mbd_centroidal_matrix",
  "mbd_com_jacobian",
  "mbd_momentum",
  "mbd_force_response",
  "mbd_task_jacobian",
  "mbd_task_inertia",
  "mbd_task_control",
  "mbd_integrate",
  "mbd_difference",
  "mbd_neutral",
  "mbd_normalize",
  "mbd_random_configuration",
  "mbd_payload_attach",
  "mbd_find_frame",
  "mbd_find_joint",
  NULL};

// every function with an embedded model: it works, or says that it does not, and leaves the heap
// alone
static void
embedded_models_are_taken_or_refused(void ** state)
{
  (void)state;
  mbd_model_t *tree = closed_arm(), *m;
  mbd_data_t * d;
  assert_int_equal(mbd_model_embed(tree, NULL, &m), MBD_OK);
  double q[3] = {0.3, -0.3, 0.1}, v[3] = {0.1, 0.2, 0.3}, all[9], lambda[2], number;
  mbd_wrench_t push = {2, MBD_LOCAL, {{0, 0, 1}, {1, 0, 0}}};
  tree_t t = {0};
  t.model = m, t.q = q, t.v = v, t.qdd = v, t.tau = v;
  t.nwrench = 1, t.wrench = &push, t.f_ext.n = 1, t.f_ext.w = &push;
  const size_t size = mbd_data_size(m);
  void * memory = malloc(size);
  room_t r = make_room(tree);
  embedded = 1;
  QUIET(mbd_data_init(m, memory, size, &d));
  call_everything(&t, d, &r);
  QUIET(mbd_set_time(m, d, 0));
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_tree_velocity(m, d, v, all));
  QUIET(mbd_tree_acceleration(m, d, v, all));
  QUIET(mbd_tree_torque(m, v, all));
  QUIET(mbd_reduce_velocity(m, all, r.v));
  QUIET(mbd_reduce_torque(m, d, all, r.v));
  QUIET(mbd_embedding_matrix(m, d, all));
  QUIET(mbd_embedding_condition(m, d, &number, NULL));
  QUIET(mbd_closure_forces(m, d, v, NULL, NULL, lambda));
  QUIET(mbd_convert_velocity(m, d, v, m, r.v));
  QUIET(mbd_integrate_in(m, d, q, v, 1e-3, q));
  QUIET_VALUE(mbd_aggregate_count(m));
  mbd_aggregate_t info;
  QUIET(mbd_aggregate_info(m, 0, &info));
  embedded = 0;
  for (int i = 0; taken[i]; i++) {
    for (int k = 0; k < nrefused; k++) {
      if (strcmp(taken[i], refused[k]) == 0) print_error("%s refused\n", taken[i]);
      assert_string_not_equal(taken[i], refused[k]);
    }
  }
  mbd_batch_t * b;
  assert_int_equal(mbd_batch_create(m, 1, &b), MBD_ERROR_EMBEDDED);
  free(memory), free(r.q), free(r.v), free(r.M), free(r.J), free(r.Y), free(r.theta);
  free(r.work);
  mbd_model_destroy(m);
  mbd_model_destroy(tree);
}

static int
listed(const char * name)
{
  for (int i = 0; setup[i]; i++) {
    if (strcmp(setup[i], name) == 0) return 1;
  }
  for (int i = 0; i < ncalled; i++) {
    if (strcmp(called[i], name) == 0) return 1;
  }
  return 0;
}

// the list above is whole: every symbol that the library exports was called, or sets up
static void
every_function_was_called(void ** state)
{
  (void)state;
  FILE * nm = popen("nm -D --defined-only '" MBDYN_CORE_LIBRARY "'", "r");
  assert_non_null(nm);
  char line[256];
  int n = 0;
  while (fgets(line, sizeof line, nm)) {
    char kind, name[128];
    if (sscanf(line, "%*x %c %127s", &kind, name) != 2 || kind != 'T') continue;
    n++;
    if (!listed(name)) print_error("%s is exported but not called by this test\n", name);
    assert_true(listed(name));
  }
  assert_int_equal(pclose(nm), 0);
  assert_true(n > 30);
}

// the interposer sees what it should: this test can fail
static void
interposer_works(void ** state)
{
  (void)state;
  armed = 1;
  void * volatile p = malloc(10);
  free(p);
  armed = 0;
  assert_int_equal(touched, 2);
  touched = 0;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interposer_works),
    cmocka_unit_test(nothing_allocates),
    cmocka_unit_test(chains_allocate_nothing),
    cmocka_unit_test(free_flyers_allocate_nothing),
    cmocka_unit_test(loops_allocate_nothing),
    cmocka_unit_test(embedded_models_are_taken_or_refused),
    cmocka_unit_test(every_function_was_called),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
