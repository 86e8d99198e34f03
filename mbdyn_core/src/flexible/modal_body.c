// Modal bodies: memory and checks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

enum { MOST_MODES = 100, MOST_NODES = 10000 };

//---------- memory ----------

static size_t
lay_out_modes(mbd_modal_body_t * body, char * base)
{
  const size_t n = (size_t)body->nnode, m = (size_t)body->nmode;
  size_t offset = 0;
  mbdi_arena_take(base, &offset, 1, sizeof *body);
  body->position = mbdi_arena_take(base, &offset, n, sizeof *body->position);
  body->inertia = mbdi_arena_take(base, &offset, n, sizeof *body->inertia);
  body->shape = mbdi_arena_take(base, &offset, n * m, sizeof *body->shape);
  body->bend = mbdi_arena_take(base, &offset, n * m * m, sizeof *body->bend);
  body->hinge = mbdi_arena_take(base, &offset, m, sizeof *body->hinge);
  body->mass = mbdi_arena_take(base, &offset, m * m, sizeof(double));
  body->stiffness = mbdi_arena_take(base, &offset, m * m, sizeof(double));
  body->damping = mbdi_arena_take(base, &offset, m * m, sizeof(double));
  return offset;
}

mbd_status_t
mbd_modal_body_create(int nmode, int nnode, mbd_modal_body_t ** body)
{
  if (!body) return MBD_ERROR_NULL_ARGUMENT;
  if (nmode < 1 || nmode > MOST_MODES || nnode < 1 || nnode > MOST_NODES) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  mbd_modal_body_t layout = {.nmode = nmode, .nnode = nnode};
  char * memory = calloc(1, lay_out_modes(&layout, NULL));
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  lay_out_modes(&layout, memory);
  *body = (mbd_modal_body_t *)(void *)memory;
  **body = layout;
  return MBD_OK;
}

void
mbd_modal_body_destroy(mbd_modal_body_t * body)
{
  free(body);
}

mbd_status_t
mbdi_modal_body_copy(const mbd_modal_body_t * from, mbd_modal_body_t ** body)
{
  CHECK(mbd_modal_body_create(from->nmode, from->nnode, body));
  const size_t n = (size_t)from->nnode, m = (size_t)from->nmode;
  mbd_modal_body_t * to = *body;
  to->has_bend = from->has_bend, to->has_hinge = from->has_hinge, to->has_mass = from->has_mass;
  memcpy(to->position, from->position, n * sizeof *to->position);
  memcpy(to->inertia, from->inertia, n * sizeof *to->inertia);
  memcpy(to->shape, from->shape, n * m * sizeof *to->shape);
  memcpy(to->bend, from->bend, n * m * m * sizeof *to->bend);
  memcpy(to->hinge, from->hinge, m * sizeof *to->hinge);
  memcpy(to->mass, from->mass, m * m * sizeof(double));
  memcpy(to->stiffness, from->stiffness, m * m * sizeof(double));
  memcpy(to->damping, from->damping, m * m * sizeof(double));
  return MBD_OK;
}

//---------- modal mass at rest ----------

// shape of a node as the link frame, which is on the hinge, sees it                    (13.28)
static mbd_motion_t
seen_from_hinge(const mbd_modal_body_t * body, int node, int mode)
{
  const mbd_motion_t own = body->shape[node * body->nmode + mode];
  if (!body->has_hinge) return own;
  const mbd_placement_t X = {mbdu_mat3_identity(), body->position[node]};
  return mbdu_motion_sub(own, mbdu_motion_to_child(&X, body->hinge[mode]));
}

void
mbdi_modal_node_mass(const mbd_modal_body_t * body, bool from_hinge, double * mass)
{
  const int m = body->nmode;
  memset(mass, 0, (size_t)(m * m) * sizeof *mass);
  for (int k = 0; k < body->nnode; k++) {
    for (int i = 0; i < m; i++) {
      const mbd_motion_t one = from_hinge ? seen_from_hinge(body, k, i) : body->shape[k * m + i];
      const mbd_force_t momentum = mbdu_inertia_mul(&body->inertia[k], one);
      for (int j = 0; j < m; j++) {
        const mbd_motion_t other =
          from_hinge ? seen_from_hinge(body, k, j) : body->shape[k * m + j];
        mass[i * m + j] += mbdu_power(momentum, other);
      }
    }
  }
}

//---------- checks ----------

static int
asymmetric_row(int n, const double * A)
{
  double size = 0;
  for (int i = 0; i < n * n; i++) size = fmax(size, fabs(A[i]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (fabs(A[i * n + j] - A[j * n + i]) > 1e-9 * size) return i;
    }
  }
  return -1;
}

// the first row at which A + shift is not positive, or -1; L is scratch. A row of zeros is fine if
// the matrix may be singular: it is compared with its own diagonal
static int
negative_row(int n, const double * A, bool singular, double * L)
{
  memset(L, 0, (size_t)(n * n) * sizeof *L);
  for (int j = 0; j < n; j++) {
    const double scale = fabs(A[j * n + j]);
    const double pivot = A[j * n + j] - mbdi_dot(j, L + j * n, L + j * n);
    if (singular ? !(pivot >= -1e-9 * scale) : !(pivot > 1e-12 * scale)) return j;
    const bool zero = singular && !(pivot > 1e-12 * scale);
    L[j * n + j] = zero ? 0 : sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      const double rest = A[i * n + j] - mbdi_dot(j, L + i * n, L + j * n);
      const double allowed = 1e-6 * sqrt(fabs(A[i * n + i]) * scale);
      if (zero && fabs(rest) > allowed) return i;
      L[i * n + j] = zero ? 0 : rest / L[j * n + j];
    }
  }
  return -1;
}

static bool
symmetric_bend(int m, const mbd_vec3_t * bend)
{
  double size = 0, worst = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      const mbd_vec3_t a = bend[i * m + j], b = bend[j * m + i];
      size = fmax(size, mbdu_vec3_norm(a));
      worst = fmax(worst, mbdu_vec3_norm(mbdu_vec3_sub(a, b)));
    }
  }
  return worst <= 1e-9 * size;
}

static mbd_modal_fault_t
check_nodes(const mbd_modal_body_t * body, int * index)
{
  const int m = body->nmode;
  for (int k = 0; k < body->nnode; k++) {
    *index = k;
    const bool finite = finite_vec3(body->position[k]) &&
                        finite_array(&body->shape[k * m].ang.x, 6 * m) &&
                        finite_array(&body->bend[k * m * m].x, 3 * m * m);
    if (!finite) return MBD_MODAL_NOT_FINITE;
    const mbd_status_t status = mbdi_check_inertia(&body->inertia[k]);
    if (status == MBD_ERROR_NOT_FINITE) return MBD_MODAL_NOT_FINITE;
    if (status != MBD_OK) return MBD_MODAL_NODE_INERTIA;
    if (!symmetric_bend(m, body->bend + k * m * m)) return MBD_MODAL_BEND_NOT_SYMMETRIC;
  }
  return MBD_MODAL_GOOD;
}

// finite, symmetric and not negative; faults follow each other in this order
static mbd_modal_fault_t
check_matrix(
  int n, const double * A, bool singular, mbd_modal_fault_t not_symmetric, double * scratch,
  int * index)
{
  for (int i = 0; i < n; i++) {
    *index = i;
    if (!finite_array(A + i * n, n)) return MBD_MODAL_NOT_FINITE;
  }
  *index = asymmetric_row(n, A);
  if (*index >= 0) return not_symmetric;
  *index = negative_row(n, A, singular, scratch);
  return *index >= 0 ? (mbd_modal_fault_t)(not_symmetric + 1) : MBD_MODAL_GOOD;
}

// modal mass as it counts: that of the nodes seen from the hinge, and what is given beyond them
static void
total_mass(const mbd_modal_body_t * body, double * mass, double * scratch)
{
  const int size = body->nmode * body->nmode;
  mbdi_modal_node_mass(body, true, mass);
  if (!body->has_mass) return;
  mbdi_modal_node_mass(body, false, scratch);
  for (int i = 0; i < size; i++) mass[i] += body->mass[i] - scratch[i];
}

static mbd_modal_fault_t
check_matrices(const mbd_modal_body_t * body, double * mass, double * scratch, int * index)
{
  const int m = body->nmode;
  mbd_modal_fault_t fault =
    check_matrix(m, body->stiffness, true, MBD_MODAL_STIFFNESS_NOT_SYMMETRIC, scratch, index);
  if (fault) return fault;
  fault = check_matrix(m, body->damping, true, MBD_MODAL_DAMPING_NOT_SYMMETRIC, scratch, index);
  if (fault) return fault;
  if (body->has_mass) {
    fault = check_matrix(m, body->mass, false, MBD_MODAL_MASS_NOT_SYMMETRIC, scratch, index);
    if (fault) return fault;
  }
  total_mass(body, mass, scratch);
  return check_matrix(m, mass, false, MBD_MODAL_MASS_NOT_SYMMETRIC, scratch, index);
}

mbd_status_t
mbd_modal_body_check(const mbd_modal_body_t * body, mbd_modal_fault_t * fault, int * index)
{
  if (!body) return MBD_ERROR_NULL_ARGUMENT;
  const size_t size = (size_t)(body->nmode * body->nmode);
  double * mass = malloc(2 * size * sizeof *mass);
  if (!mass) return MBD_ERROR_OUT_OF_MEMORY;
  int where = 0;
  mbd_modal_fault_t found = MBD_MODAL_GOOD;
  if (!finite_array(&body->hinge[0].ang.x, 6 * body->nmode)) found = MBD_MODAL_NOT_FINITE;
  if (found == MBD_MODAL_GOOD) found = check_nodes(body, &where);
  if (found == MBD_MODAL_GOOD) found = check_matrices(body, mass, mass + size, &where);
  free(mass);
  if (fault) *fault = found;
  if (index) *index = where;
  if (found == MBD_MODAL_GOOD) return MBD_OK;
  return found == MBD_MODAL_NOT_FINITE ? MBD_ERROR_NOT_FINITE : MBD_ERROR_BAD_MODES;
}

const char *
mbd_modal_fault_text(mbd_modal_fault_t fault)
{
  switch (fault) {
    case MBD_MODAL_GOOD: return "modal data are valid";
    case MBD_MODAL_NOT_FINITE: return "a number is not finite";
    case MBD_MODAL_NODE_INERTIA: return "inertia of a node is not physically consistent";
    case MBD_MODAL_BEND_NOT_SYMMETRIC: return "second-order displacement is not symmetric";
    case MBD_MODAL_MASS_NOT_SYMMETRIC: return "modal mass is not symmetric";
    case MBD_MODAL_MASS_NOT_POSITIVE:
      return "modal mass is not positive definite: a mode moves no mass";
    case MBD_MODAL_STIFFNESS_NOT_SYMMETRIC: return "stiffness is not symmetric";
    case MBD_MODAL_STIFFNESS_NEGATIVE: return "stiffness has a negative eigenvalue";
    case MBD_MODAL_DAMPING_NOT_SYMMETRIC: return "damping is not symmetric";
    case MBD_MODAL_DAMPING_NEGATIVE: return "damping has a negative eigenvalue";
  }
  return "unknown fault";
}
