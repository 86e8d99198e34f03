// The SKO engine: articulated inertias, forward dynamics, factors and compliances (9.33)-(9.53),
// chapter 10.
#include <math.h>
#include <string.h>

#include "mbdyn/operators/sko.h"
#include "sko/sko_math.h"
#include "sko/sko_sweeps.h"
#include "state/state.h"

// a hinge inertia this small against what it is made of is rounding
#define SMALLEST_HINGE_INERTIA 1e-12

//---------- articulated inertia ----------

// size of the numbers that column c of H P H^T is summed from; three rows at a time share units
static double
hinge_scale(const mbd_sko_node_t * node, int c)
{
  double sum = 0;
  for (int i = 0; i < node->n; i += 3) {
    const int end = i + 3 < node->n ? i + 3 : node->n;
    double trace = 0, square = 0;
    for (int k = i; k < end; k++) {
      trace += node->P[k * node->n + k];
      square += node->H[k * node->r + c] * node->H[k * node->r + c];
    }
    sum += trace * square;
  }
  return sum;
}

// U = P H^T; of rigid bodies P has diagonal blocks alone
static void
hinge_forces(const mbd_sko_node_t * node, double * U)
{
  const int n = node->n, r = node->r;
  memset(U, 0, (size_t)(n * r) * sizeof *U);
  if (!sko_is_rigid(node) || n == 6) {
    sko_mul_add(n, n, r, 1, node->P, node->H, U);
    return;
  }
  for (int i = 0; i < n; i++) {
    const int block = i / 6 * 6;
    const double * row = node->P + i * n + block;
    for (int l = 0; l < 6; l++) {
      for (int c = 0; c < r; c++) U[i * r + c] += row[l] * node->H[(block + l) * r + c];
    }
  }
}

// the same for a hinge of one degree of freedom
static bool
single_hinge_gain(mbd_sko_node_t * node, double * U)
{
  const int n = node->n;
  hinge_forces(node, U);
  const double D = node->J[0] + mbdi_dot(n, node->H, U);
  node->D[0] = D;
  if (!(D > SMALLEST_HINGE_INERTIA * hinge_scale(node, 0))) return false;
  node->L[0] = sqrt(D);
  for (int i = 0; i < n; i++) node->G[i] = U[i] / D;
  return true;
}

// D = H P H^T + J = L L^T, G = P H^T D^-1; U = P H^T goes to work_b. False if D is not positive
static bool
hinge_gain(mbd_sko_t * sko, mbd_sko_node_t * node)
{
  const int n = node->n, r = node->r;
  double * U = sko->work_b;
  if (r == 1) return single_hinge_gain(node, U);
  hinge_forces(node, U);
  memcpy(node->D, node->J, (size_t)(r * r) * sizeof *U);
  sko_tmul_add(n, r, r, 1, node->H, U, node->D);
  // floors in nu, which is not in use yet
  for (int c = 0; c < r; c++) node->nu[c] = SMALLEST_HINGE_INERTIA * hinge_scale(node, c);
  if (!mbdi_cholesky(r, node->D, node->nu, node->L)) return false;
  memcpy(node->G, U, (size_t)(n * r) * sizeof *U);
  for (int i = 0; i < n; i++) {
    mbdi_solve_lower(r, node->L, node->G + i * r);
    mbdi_solve_upper(r, node->L, node->G + i * r);
  }
  return true;
}

// P+ = P - U G^T, in the node's Y, which is not in use yet                          (9.33)
static const double *
articulated_transmit(const mbd_sko_t * sko, mbd_sko_node_t * node)
{
  const int n = node->n, r = node->r;
  const double * U = sko->work_b;
  double * P_plus = node->Y;
  if (r == 1 && n == 6) {
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) P_plus[i * 6 + j] = node->P[i * 6 + j] - U[i] * node->G[j];
    }
    return P_plus;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      const double x = node->P[i * n + j] - mbdi_dot(r, U + i * r, node->G + j * r);
      P_plus[i * n + j] = P_plus[j * n + i] = x;
    }
  }
  return P_plus;
}

// P_p += A P+ A^T = A P A^T - (A U) (A G)^T; of several rigid bodies as it stands on the right,
// since P+ has more than diagonal blocks
static void
push_articulated(mbd_sko_t * sko, mbd_sko_node_t * node)
{
  if (!sko_is_rigid(node) || node->n == 6) {
    mbdi_sko_push_inertia(sko, node, articulated_transmit(sko, node), SKO_FIELD(P));
    return;
  }
  mbdi_sko_push_inertia(sko, node, node->P, SKO_FIELD(P));
  const mbd_sko_node_t * parent = &sko->node[node->parent];
  const double * U = sko->work_b;
  for (int c = 0; c < node->r; c++) {
    double AU[6] = {0}, AG[6] = {0};
    for (int k = 0; k < node->n; k += 6) {
      mbdi_sko_add_rigid(&node->rigid[k / 6], U + k * node->r + c, node->r, AU);
      mbdi_sko_add_rigid(&node->rigid[k / 6], node->G + k * node->r + c, node->r, AG);
    }
    for (int i = 0; i < 6; i++) {
      double * row = parent->P + (node->slot + i) * parent->n + node->slot;
      for (int j = 0; j < 6; j++) row[j] -= 0.5 * (AU[i] * AG[j] + AG[i] * AU[j]);
    }
  }
}

mbd_status_t
mbd_sko_articulated_inertia(mbd_sko_t * sko)
{
  if (!sko) return MBD_ERROR_NULL_ARGUMENT;
  if (sko->articulated) return MBD_OK;
  sko->compliant = sko->forward = false;
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    memcpy(node->P, node->M, (size_t)(node->n * node->n) * sizeof(double));
  }
  for (int k = sko->nnode - 1; k >= 0; k--) {
    mbd_sko_node_t * node = &sko->node[k];
    if (!hinge_gain(sko, node)) {
      sko->error_node = k;
      return MBD_ERROR_MASSLESS_SUBTREE;
    }
    if (node->parent < 0) continue;
    push_articulated(sko, node);
  }
  sko->articulated = true;
  return MBD_OK;
}

mbd_status_t
mbd_sko_log_determinant(mbd_sko_t * sko, double * log_det)
{
  if (!sko || !log_det) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_sko_articulated_inertia(sko));
  double sum = 0;
  for (int k = 0; k < sko->nnode; k++) {
    const mbd_sko_node_t * node = &sko->node[k];
    for (int c = 0; c < node->r; c++) sum += 2 * log(node->L[c * (node->r + 1)]);
  }
  *log_det = sum;
  return MBD_OK;
}

//---------- forward dynamics ----------

// tips to bases: z = P a + b + sum A z+, eps = tau - H z, nu = D^-1 eps, z+ = z + G eps
static void
residuals(mbd_sko_t * sko, const double * tau)
{
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    memcpy(node->z, node->b, (size_t)node->n * sizeof(double));
    sko_mul_add(node->n, node->n, 1, 1, node->P, node->a, node->z);
  }
  for (int k = sko->nnode - 1; k >= 0; k--) {
    mbd_sko_node_t * node = &sko->node[k];
    for (int c = 0; c < node->r; c++) node->nu[c] = tau ? tau[node->dof[c]] : 0;
    sko_tmul_add(node->n, node->r, 1, -1, node->H, node->z, node->nu);
    if (node->parent >= 0) {
      memcpy(node->w, node->z, (size_t)node->n * sizeof(double));
      sko_mul_add(node->n, node->r, 1, 1, node->G, node->nu, node->w);
      mbdi_sko_to_parent(sko, node, node->w, SKO_FIELD(z));
    }
    mbdi_solve_lower(node->r, node->L, node->nu);
    mbdi_solve_upper(node->r, node->L, node->nu);
  }
}

// bases to tips: alpha+ = A^T alpha_p, qdd = nu - G^T alpha+, alpha = alpha+ + H^T qdd + a
static void
accelerations(mbd_sko_t * sko, const double * base, double * qdd)
{
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    mbdi_sko_from_parent(sko, node, base, SKO_FIELD(alpha), node->alpha);
    sko_tmul_add(node->n, node->r, 1, -1, node->G, node->alpha, node->nu);
    sko_mul_add(node->n, node->r, 1, 1, node->H, node->nu, node->alpha);
    for (int i = 0; i < node->n; i++) node->alpha[i] += node->a[i];
    for (int c = 0; c < node->r; c++) qdd[node->dof[c]] = node->nu[c];
  }
}

mbd_status_t
mbd_sko_forward_dynamics(mbd_sko_t * sko, const double * base, const double * tau, double * qdd)
{
  if (!sko || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, sko->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_sko_articulated_inertia(sko));
  sko->forward = sko->inverse = false;
  residuals(sko, tau);
  accelerations(sko, base, sko->x);
  CHECK(copy_checked(qdd, sko->x, sko->nv));
  sko->forward = true;
  return MBD_OK;
}

mbd_status_t
mbd_sko_force(const mbd_sko_t * sko, int k, double * f)
{
  if (!sko || !f) return MBD_ERROR_NULL_ARGUMENT;
  if (k < 0 || k >= sko->nnode) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_sko_node_t * node = &sko->node[k];
  const size_t n = (size_t)node->n;
  if (sko->inverse) {
    memcpy(f, node->f, n * sizeof *f);
    return MBD_OK;
  }
  if (!sko->forward) return MBD_ERROR_STAGE;
  memcpy(f, node->z, n * sizeof *f);
  sko_mul_add(node->n, node->n, 1, 1, node->P, node->alpha, f);
  sko_mul_add(node->n, node->n, 1, -1, node->P, node->a, f);
  return MBD_OK;
}

//---------- factors ----------

// x := F x or F^-1 x: tips to bases, w_p += A (w + G x)                              (9.47)
static void
apply(mbd_sko_t * sko, bool inverse, double * x)
{
  for (int k = 0; k < sko->nnode; k++) {
    memset(sko->node[k].w, 0, (size_t)sko->node[k].n * sizeof(double));
  }
  for (int k = sko->nnode - 1; k >= 0; k--) {
    mbd_sko_node_t * node = &sko->node[k];
    for (int c = 0; c < node->r; c++) {
      double hinge = 0;
      for (int i = 0; i < node->n; i++) hinge += node->H[i * node->r + c] * node->w[i];
      double * part = &x[node->dof[c]];
      node->nu[c] = inverse ? *part - hinge : *part;
      *part += inverse ? -hinge : hinge;
    }
    if (node->parent < 0) continue;
    sko_mul_add(node->n, node->r, 1, 1, node->G, node->nu, node->w);
    mbdi_sko_to_parent(sko, node, node->w, SKO_FIELD(w));
  }
}

// x := F^T x or F^-T x; leaves A^T H^T x (or psi^T H^T x) of the nodes in w
static void
apply_transpose(mbd_sko_t * sko, bool inverse, double * x)
{
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    mbdi_sko_from_parent(sko, node, NULL, SKO_FIELD(w), node->w);
    for (int c = 0; c < node->r; c++) {
      double gain = 0;
      for (int i = 0; i < node->n; i++) gain += node->G[i * node->r + c] * node->w[i];
      double * part = &x[node->dof[c]];
      node->nu[c] = inverse ? *part - gain : *part;
      *part += inverse ? -gain : gain;
    }
    sko_mul_add(node->n, node->r, 1, 1, node->H, node->nu, node->w);
  }
}

// x := L x of every node, or its transpose, inverse, inverse transpose
static void
apply_roots(mbd_sko_t * sko, mbd_sko_factor_t which, double * x)
{
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    const int r = node->r;
    double * y = node->nu;
    for (int c = 0; c < r; c++) y[c] = x[node->dof[c]];
    switch (which) {
      case MBD_SKO_ROOT:
        for (int i = r - 1; i >= 0; i--) y[i] = mbdi_dot(i + 1, node->L + i * r, y);
        break;
      case MBD_SKO_ROOT_TRANSPOSE:
        for (int i = 0; i < r; i++) {
          double sum = 0;
          for (int j = i; j < r; j++) sum += node->L[j * r + i] * y[j];
          y[i] = sum;
        }
        break;
      case MBD_SKO_ROOT_INVERSE: mbdi_solve_lower(r, node->L, y); break;
      default: mbdi_solve_upper(r, node->L, y); break;
    }
    for (int c = 0; c < r; c++) x[node->dof[c]] = y[c];
  }
}

mbd_status_t
mbd_sko_factor(mbd_sko_t * sko, mbd_sko_factor_t which, const double * x, double * y)
{
  if (!sko || !x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if ((int)which < MBD_SKO_F || (int)which > MBD_SKO_ROOT_INVERSE_TRANSPOSE) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  if (!finite_array(x, sko->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_sko_articulated_inertia(sko));
  memmove(sko->x, x, (size_t)sko->nv * sizeof *x);
  switch (which) {
    case MBD_SKO_F: apply(sko, false, sko->x); break;
    case MBD_SKO_F_TRANSPOSE: apply_transpose(sko, false, sko->x); break;
    case MBD_SKO_F_INVERSE: apply(sko, true, sko->x); break;
    case MBD_SKO_F_INVERSE_TRANSPOSE: apply_transpose(sko, true, sko->x); break;
    case MBD_SKO_ROOT:
      apply_roots(sko, which, sko->x);
      apply(sko, false, sko->x);
      break;
    case MBD_SKO_ROOT_TRANSPOSE:
      apply_transpose(sko, false, sko->x);
      apply_roots(sko, which, sko->x);
      break;
    case MBD_SKO_ROOT_INVERSE:
      apply(sko, true, sko->x);
      apply_roots(sko, which, sko->x);
      break;
    default:
      apply_roots(sko, which, sko->x);
      apply_transpose(sko, true, sko->x);
      break;
  }
  return copy_checked(y, sko->x, sko->nv);
}

mbd_status_t
mbd_sko_mass_solve(mbd_sko_t * sko, const double * x, double * y)
{
  if (!y) return MBD_ERROR_NULL_ARGUMENT;
  // M^-1 = (F L)^-T (F L)^-1
  CHECK(mbd_sko_factor(sko, MBD_SKO_ROOT_INVERSE, x, y));
  return mbd_sko_factor(sko, MBD_SKO_ROOT_INVERSE_TRANSPOSE, y, y);
}

//---------- compliance ----------

// Y = Y+ - H Z^T - Z H^T + H (D^-1 + G^T Z) H^T with Z = Y+ G                        (10.22)
//   = Y+ + H W^T + W H^T with W = H (D^-1 + G^T Z) / 2 - Z
static void
add_hinge(mbd_sko_t * sko, mbd_sko_node_t * node)
{
  const int n = node->n, r = node->r;
  double *W = sko->work_a, *half = sko->work_b;
  memset(W, 0, (size_t)(n * r) * sizeof *W);
  sko_mul_add(n, n, r, -1, node->Y, node->G, W);
  for (int c = 0; c < r; c++) {
    for (int d = 0; d < r; d++) half[c * r + d] = c == d;
    mbdi_solve_lower(r, node->L, half + c * r);
    mbdi_solve_upper(r, node->L, half + c * r);
  }
  sko_tmul_add(n, r, r, -1, node->G, W, half);
  for (int c = 0; c < r * r; c++) half[c] *= 0.5;
  sko_mul_add(n, r, r, 1, node->H, half, W);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      const double x = node->Y[i * n + j] + mbdi_dot(r, node->H + i * r, W + j * r) +
                       mbdi_dot(r, W + i * r, node->H + j * r);
      node->Y[i * n + j] = node->Y[j * n + i] = x;
    }
  }
}

mbd_status_t
mbd_sko_compliance(mbd_sko_t * sko)
{
  if (!sko) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_sko_articulated_inertia(sko));
  if (sko->compliant) return MBD_OK;
  for (int k = 0; k < sko->nnode; k++) {
    mbd_sko_node_t * node = &sko->node[k];
    const int n = node->n, rows = node->rows;
    memset(node->Y, 0, (size_t)(n * n) * sizeof(double));
    if (node->parent >= 0) {
      // Y+ = A^T Y_p A, from the rows of Y_p that A has
      const mbd_sko_node_t * parent = &sko->node[node->parent];
      double * T = sko->work_a;
      memset(T, 0, (size_t)(rows * n) * sizeof *T);
      for (int i = 0; i < rows; i++) {
        sko_mul_add(
          1, rows, n, 1, parent->Y + (node->slot + i) * parent->n + node->slot, node->A, T + i * n);
      }
      sko_tmul_add(rows, n, n, 1, node->A, T, node->Y);
    }
    add_hinge(sko, node);
  }
  sko->compliant = true;
  return MBD_OK;
}

// psi(k, i) X: forces X (n_i x c) on node i as node k below feels them, in place; X holds
// the widest node                                                                       (9.42)
static void
hand_down(const mbd_sko_t * sko, int i, int k, int c, double * X)
{
  for (; i != k; i = sko->node[i].parent) {
    const mbd_sko_node_t * node = &sko->node[i];
    const mbd_sko_node_t * parent = &sko->node[node->parent];
    // taubar X = X - G H X                                                         (9.38)
    for (int h = 0; h < node->r; h++) {
      for (int col = 0; col < c; col++) {
        double sum = 0;
        for (int l = 0; l < node->n; l++) sum += node->H[l * node->r + h] * X[l * c + col];
        sko->work_b[h * c + col] = sum;
      }
    }
    sko_mul_add(node->n, node->r, c, -1, node->G, sko->work_b, X);
    double * Y = sko->work_b;
    memset(Y, 0, (size_t)(parent->n * c) * sizeof *Y);
    sko_mul_add(node->rows, node->n, c, 1, node->A, X, Y + node->slot * c);
    memcpy(X, Y, (size_t)(parent->n * c) * sizeof *X);
  }
}

mbd_status_t
mbd_sko_compliance_between(
  mbd_sko_t * sko, int i, const double * B_i, int c_i, int j, const double * B_j, int c_j,
  double * omega)
{
  if (!sko || !B_i || !B_j || !omega) return MBD_ERROR_NULL_ARGUMENT;
  const bool good = i >= 0 && j >= 0 && i < sko->nnode && j < sko->nnode && c_i > 0 && c_j > 0 &&
                    c_i <= MBD_SKO_COLUMNS && c_j <= MBD_SKO_COLUMNS;
  if (!good) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbd_sko_compliance(sko));
  memset(omega, 0, (size_t)(c_i * c_j) * sizeof *omega);
  int k = i, l = j;
  while (k != l) {
    if (k > l) {
      k = sko->node[k].parent;
    } else {
      l = sko->node[l].parent;
    }
  }
  if (k < 0) return MBD_OK;
  double *X_i = sko->columns, *X_j = sko->columns + sko->n_max * MBD_SKO_COLUMNS;
  memcpy(X_i, B_i, (size_t)(sko->node[i].n * c_i) * sizeof *X_i);
  memcpy(X_j, B_j, (size_t)(sko->node[j].n * c_j) * sizeof *X_j);
  hand_down(sko, i, k, c_i, X_i);
  hand_down(sko, j, k, c_j, X_j);
  // X_i^T Y_k X_j
  const mbd_sko_node_t * node = &sko->node[k];
  double * T = sko->work_a;
  memset(T, 0, (size_t)(node->n * c_j) * sizeof *T);
  sko_mul_add(node->n, node->n, c_j, 1, node->Y, X_j, T);
  sko_tmul_add(node->n, c_i, c_j, 1, X_i, T, omega);
  return MBD_OK;
}
