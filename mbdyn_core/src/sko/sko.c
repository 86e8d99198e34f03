// The SKO engine: memory, Newton-Euler and composite inertias (chapters 8 and 9).
#include "mbdyn/operators/sko.h"

#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "sko/sko_math.h"
#include "sko/sko_sweeps.h"
#include "state/state.h"
#include "util/arena.h"

//---------- memory ----------

static bool
good_shapes(int nnode, const mbd_sko_shape_t * shape)
{
  if (nnode < 0 || (nnode > 0 && !shape)) return false;
  for (int k = 0; k < nnode; k++) {
    const mbd_sko_shape_t * s = &shape[k];
    if (s->parent < -1 || s->parent >= k || s->n < 1 || s->r < 0 || s->r > s->n) return false;
    const int width = s->parent < 0 ? 6 : shape[s->parent].n;
    if (s->slot < 0 || s->rows < 0 || s->slot > width || s->rows > width - s->slot) return false;
  }
  return true;
}

#define TAKE(count) mbdi_arena_take(base, &offset, (size_t)(count) * sizeof(double), 1)

static size_t
lay_out_node(const mbd_sko_shape_t * s, char * base, size_t offset, mbd_sko_node_t * node)
{
  const int n = s->n, r = s->r;
  node->parent = s->parent, node->n = n, node->r = r, node->slot = s->slot, node->rows = s->rows;
  node->dof = mbdi_arena_take(base, &offset, (size_t)r * sizeof *node->dof, 1);
  node->A = TAKE(s->rows * n);
  node->rigid = NULL;
  node->H = TAKE(n * r);
  node->M = TAKE(n * n);
  node->J = TAKE(r * r);
  node->a = TAKE(n);
  node->b = TAKE(n);
  node->R = TAKE(n * n);
  node->P = TAKE(n * n);
  node->G = TAKE(n * r);
  node->L = TAKE(r * r);
  node->D = TAKE(r * r);
  node->Y = TAKE(n * n);
  node->alpha = TAKE(n);
  node->z = TAKE(n);
  node->f = TAKE(n);
  node->nu = TAKE(r);
  node->w = TAKE(n);
  return offset;
}

// pointers of sko into the block at base; returns the block's size
static size_t
lay_out_nodes(int nnode, const mbd_sko_shape_t * shape, char * base, mbd_sko_t * sko)
{
  size_t offset = 0;
  mbdi_arena_take(base, &offset, sizeof *sko, 1);
  sko->nnode = nnode;
  sko->node = mbdi_arena_take(base, &offset, (size_t)nnode * sizeof *sko->node, 1);
  for (int k = 0; k < nnode; k++) {
    mbd_sko_node_t node;
    offset = lay_out_node(&shape[k], base, offset, &node);
    if (base) sko->node[k] = node;
    sko->nv += shape[k].r;
    if (shape[k].n > sko->n_max) sko->n_max = shape[k].n;
    if (shape[k].r > sko->r_max) sko->r_max = shape[k].r;
  }
  const int n = sko->n_max > MBD_SKO_COLUMNS ? sko->n_max : MBD_SKO_COLUMNS;
  sko->x = TAKE(sko->nv);
  sko->work_a = TAKE(n * n);
  sko->work_b = TAKE(n * n);
  sko->columns = TAKE(2 * n * MBD_SKO_COLUMNS);
  return offset;
}

size_t
mbd_sko_size(int nnode, const mbd_sko_shape_t * shape)
{
  if (!good_shapes(nnode, shape)) return 0;
  mbd_sko_t unused = {0};
  // bytes to align the block wherever the caller's memory begins
  return lay_out_nodes(nnode, shape, NULL, &unused) + MBDI_ALIGNMENT - 1;
}

mbd_status_t
mbd_sko_init(int nnode, const mbd_sko_shape_t * shape, void * memory, size_t size, mbd_sko_t ** sko)
{
  if (!memory || !sko || (nnode > 0 && !shape)) return MBD_ERROR_NULL_ARGUMENT;
  const size_t needed = mbd_sko_size(nnode, shape);
  if (needed == 0) return MBD_ERROR_BAD_ARGUMENT;
  if (size < needed) return MBD_ERROR_TOO_SMALL;
  char * base = memory;
  base += (MBDI_ALIGNMENT - (uintptr_t)base % MBDI_ALIGNMENT) % MBDI_ALIGNMENT;
  memset(base, 0, needed - (MBDI_ALIGNMENT - 1));
  mbd_sko_t out = {0};
  lay_out_nodes(nnode, shape, base, &out);
  out.error_node = -1;
  for (int k = 0, dof = 0; k < nnode; k++) {
    for (int i = 0; i < out.node[k].r; i++) out.node[k].dof[i] = dof++;
  }
  *sko = (mbd_sko_t *)(void *)base;
  **sko = out;
  return MBD_OK;
}

mbd_status_t
mbd_sko_create(int nnode, const mbd_sko_shape_t * shape, mbd_sko_t ** sko)
{
  if (!sko || (nnode > 0 && !shape)) return MBD_ERROR_NULL_ARGUMENT;
  const size_t size = mbd_sko_size(nnode, shape);
  if (size == 0) return MBD_ERROR_BAD_ARGUMENT;
  void * memory = malloc(size);
  if (!memory) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = mbd_sko_init(nnode, shape, memory, size, sko);
  if (status != MBD_OK) {
    free(memory);
    return status;
  }
  (*sko)->owned = memory;
  return MBD_OK;
}

void
mbd_sko_destroy(mbd_sko_t * sko)
{
  if (sko) free(sko->owned);
}

void
mbd_sko_changed(mbd_sko_t * sko)
{
  if (!sko) return;
  sko->composite = sko->articulated = sko->compliant = sko->forward = sko->inverse = false;
  sko->error_node = -1;
}

//---------- scatter and gather ----------

static mbd_vec3_t
vec3_at(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

static void
add_vec3(mbd_vec3_t x, double * to)
{
  to[0] += x.x, to[1] += x.y, to[2] += x.z;
}

void
mbdi_sko_add_rigid(const mbd_placement_t * place, const double * x, int stride, double * y)
{
  const mbd_force_t f = {
    {x[0], x[stride], x[2 * stride]}, {x[3 * stride], x[4 * stride], x[5 * stride]}};
  const mbd_force_t moved = mbdu_force_to_parent(place, f);
  add_vec3(moved.ang, y);
  add_vec3(moved.lin, y + 3);
}

// C += phi X phi^T in its block of six, X being `stride` wide                       (9.14)
static void
push_rigid(
  const mbd_placement_t * place, const double * X, int stride, int width, int slot, double * C)
{
  const double *x1 = X + stride, *x2 = x1 + stride, *x3 = x2 + stride, *x4 = x3 + stride,
               *x5 = x4 + stride;
  const mbd_sym6_t small = {
    {X[0], X[1], X[2], x1[1], x1[2], x2[2]},
    {{X[3], X[4], X[5], x1[3], x1[4], x1[5], x2[3], x2[4], x2[5]}},
    {x3[3], x3[4], x3[5], x4[4], x4[5], x5[5]}};
  const mbd_sym6_t moved = mbdu_sym6_to_parent(place, &small);
  double full[36];
  mbdu_sym6_full(&moved, full);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) C[(slot + i) * width + slot + j] += full[6 * i + j];
  }
}

void
mbdi_sko_from_parent(
  const mbd_sko_t * sko, const mbd_sko_node_t * node, const double * base, size_t field, double * x)
{
  memset(x, 0, (size_t)node->n * sizeof *x);
  const double * below = base;
  if (node->parent >= 0) below = sko_field(&sko->node[node->parent], field);
  if (below && sko_is_rigid(node)) {
    const mbd_motion_t V = {vec3_at(below + node->slot), vec3_at(below + node->slot + 3)};
    for (int k = 0; 6 * k < node->n; k++) {
      const mbd_motion_t moved = mbdu_motion_to_child(&node->rigid[k], V);
      add_vec3(moved.ang, x + 6 * k);
      add_vec3(moved.lin, x + 6 * k + 3);
    }
    return;
  }
  if (below) sko_tmul_add(node->rows, node->n, 1, 1, node->A, below + node->slot, x);
}

void
mbdi_sko_to_parent(
  const mbd_sko_t * sko, const mbd_sko_node_t * node, const double * x, size_t field)
{
  if (node->parent < 0) return;
  double * below = sko_field(&sko->node[node->parent], field);
  if (sko_is_rigid(node)) {
    for (int k = 0; 6 * k < node->n; k++) {
      mbdi_sko_add_rigid(&node->rigid[k], x + 6 * k, 1, below + node->slot);
    }
    return;
  }
  sko_mul_add(node->rows, node->n, 1, 1, node->A, x, below + node->slot);
}

void
mbdi_sko_push_inertia(mbd_sko_t * sko, const mbd_sko_node_t * node, const double * X, size_t field)
{
  if (node->parent < 0) return;
  const mbd_sko_node_t * parent = &sko->node[node->parent];
  if (sko_is_rigid(node)) {
    for (int k = 0; 6 * k < node->n; k++) {
      push_rigid(
        &node->rigid[k], X + 6 * k * (node->n + 1), node->n, parent->n, node->slot,
        sko_field(parent, field));
    }
    return;
  }
  double * T = sko->work_a;
  memset(T, 0, (size_t)(node->rows * node->n) * sizeof *T);
  sko_mul_add(node->rows, node->n, node->n, 1, node->A, X, T);
  sko_add_symmetric(
    node->rows, node->n, node->A, T, parent->n, node->slot, sko_field(parent, field));
}

//---------- inverse dynamics ----------

// bases to tips: alpha = A^T alpha_p + H^T qdd + a; and M alpha + b
static void
accelerate(mbd_sko_t * sko, const double * base, const double * qdd)
{
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    const size_t bytes = (size_t)node->n * sizeof(double);
    mbdi_sko_from_parent(sko, node, base, SKO_FIELD(alpha), node->alpha);
    for (int i = 0; i < node->n; i++) {
      double sum = node->a[i];
      for (int c = 0; qdd && c < node->r; c++) sum += node->H[i * node->r + c] * qdd[node->dof[c]];
      node->alpha[i] += sum;
    }
    memcpy(node->f, node->b, bytes);
    sko_mul_add(node->n, node->n, 1, 1, node->M, node->alpha, node->f);
  }
}

// tips to bases: f_p += A f, tau = H f + J qdd
static void
gather(mbd_sko_t * sko, const double * qdd, double * tau)
{
  for (int k = sko->nnode - 1; k >= 0; k--) {
    mbd_sko_node_t * node = &sko->node[k];
    for (int c = 0; c < node->r; c++) {
      double sum = 0;
      for (int i = 0; i < node->n; i++) sum += node->H[i * node->r + c] * node->f[i];
      for (int d = 0; qdd && d < node->r; d++) sum += node->J[c * node->r + d] * qdd[node->dof[d]];
      tau[node->dof[c]] = sum;
    }
    mbdi_sko_to_parent(sko, node, node->f, SKO_FIELD(f));
  }
}

mbd_status_t
mbd_sko_inverse_dynamics(mbd_sko_t * sko, const double * base, const double * qdd, double * tau)
{
  if (!sko || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, sko->nv)) return MBD_ERROR_NOT_FINITE;
  sko->forward = sko->inverse = false;
  accelerate(sko, base, qdd);
  gather(sko, qdd, sko->x);
  CHECK(copy_checked(tau, sko->x, sko->nv));
  sko->inverse = true;
  return MBD_OK;
}

//---------- mass matrix ----------

// R_k = M_k + sum A R_j A^T                                                        (9.14)
static void
compose(mbd_sko_t * sko)
{
  if (sko->composite) return;
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    memcpy(node->R, node->M, (size_t)(node->n * node->n) * sizeof(double));
  }
  for (int k = sko->nnode - 1; k >= 0; k--) {
    mbdi_sko_push_inertia(sko, &sko->node[k], sko->node[k].R, SKO_FIELD(R));
  }
  sko->composite = true;
}

// H^T X into the rows of node `row` and the columns of node `column`, and mirrored
static void
fill_block(
  const mbd_sko_t * sko, const mbd_sko_node_t * row, const mbd_sko_node_t * column,
  const double * X, double * M)
{
  const size_t nv = (size_t)sko->nv;
  for (int i = 0; i < row->r; i++) {
    for (int j = 0; j < column->r; j++) {
      double sum = row == column ? row->J[i * row->r + j] : 0;
      for (int k = 0; k < row->n; k++) sum += row->H[k * row->r + i] * X[k * column->r + j];
      M[(size_t)row->dof[i] * nv + (size_t)column->dof[j]] = sum;
      M[(size_t)column->dof[j] * nv + (size_t)row->dof[i]] = sum;
    }
  }
}

mbd_status_t
mbd_sko_mass_matrix(mbd_sko_t * sko, double * M)
{
  if (!sko || !M) return MBD_ERROR_NULL_ARGUMENT;
  compose(sko);
  memset(M, 0, (size_t)sko->nv * (size_t)sko->nv * sizeof *M);
  for (int k = 0; k < sko->nnode; k++) {
    const mbd_sko_node_t * column = &sko->node[k];
    double *X = sko->work_a, *next = sko->work_b;
    memset(X, 0, (size_t)(column->n * column->r) * sizeof *X);
    sko_mul_add(column->n, column->n, column->r, 1, column->R, column->H, X);
    for (const mbd_sko_node_t * row = column;;) {
      fill_block(sko, row, column, X, M);
      if (row->parent < 0) break;
      // X := A X, in the rows of the parent
      const mbd_sko_node_t * parent = &sko->node[row->parent];
      memset(next, 0, (size_t)(parent->n * column->r) * sizeof *next);
      sko_mul_add(row->rows, row->n, column->r, 1, row->A, X, next + row->slot * column->r);
      double * swap = X;
      X = next, next = swap;
      row = parent;
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_sko_mass_trace(mbd_sko_t * sko, double * trace)
{
  if (!sko || !trace) return MBD_ERROR_NULL_ARGUMENT;
  compose(sko);
  double sum = 0;
  for (int k = 0; k < sko->nnode; k++) {
    const mbd_sko_node_t * node = &sko->node[k];
    for (int c = 0; c < node->r; c++) {
      sum += node->J[c * (node->r + 1)];
      for (int i = 0; i < node->n; i++) {
        for (int j = 0; j < node->n; j++) {
          sum += node->H[i * node->r + c] * node->R[i * node->n + j] * node->H[j * node->r + c];
        }
      }
    }
  }
  *trace = sum;
  return MBD_OK;
}
