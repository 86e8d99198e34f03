// Forward dynamics: mass matrix I = P^T P, P = H T, solved by its triangular factors.
#include <float.h>
#include <math.h>

#include "operators/noc_internal.h"
#include "state/state.h"

//---------- P ----------

static mbd_vec3_t
upper_times(const mbd_mat3_t * N, mbd_vec3_t x)
{
  const double * m = N->m;
  return mbdu_vec3(m[0] * x.x + m[1] * x.y + m[2] * x.z, m[4] * x.y + m[5] * x.z, m[8] * x.z);
}

// p_ij from the axis and the arm of joint j in the frame of link i                  (7.98)
static void
put_column(const noc_link_t * k, bool slides, mbd_vec3_t e, mbd_vec3_t r, double * p)
{
  const mbd_vec3_t none = {0, 0, 0};
  const mbd_vec3_t turn = slides ? none : upper_times(&k->root, e);
  const mbd_vec3_t move = mbdu_vec3_scale(k->root_mass, slides ? e : mbdu_vec3_cross(e, r));
  p[0] = turn.x, p[1] = turn.y, p[2] = turn.z;
  p[3] = move.x, p[4] = move.y, p[5] = move.z;
}

// algorithm 7.6.1: each axis and its arm handed on from link to link
static void
fill_P(mbd_noc_t * noc)
{
  const int n = noc->n;
  for (int j = 0; j < n; j++) {
    const noc_link_t * k = &noc->link[j];
    const bool slides = k->slides;
    mbd_vec3_t e = noc_axis(k), r = k->rho;
    for (int i = j;; k = &noc->link[i]) {
      put_column(k, slides, e, r, noc->P + 6 * (size_t)(i * n + j));
      if (++i == n) break;
      const noc_link_t * next = &noc->link[i];
      e = noc_out(next, e);
      r = mbdu_vec3_add(noc_out(next, mbdu_vec3_sub(r, k->com)), next->rho);
    }
  }
}

// I_ij = sum over k >= i, j of p_ki . p_kj                                         (7.101)
static void
square_P(const mbd_noc_t * noc, double * I)
{
  const int n = noc->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = i; k < n; k++) {
        const double *a = noc->P + 6 * (size_t)(k * n + i), *b = noc->P + 6 * (size_t)(k * n + j);
        sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
      }
      I[i * n + j] = I[j * n + i] = sum;
    }
  }
}

mbd_status_t
mbd_noc_mass_matrix(mbd_noc_t * noc, const double * q, double * I)
{
  if (!noc || !q || !I) return MBD_ERROR_NULL_ARGUMENT;
  if (!mbdi_noc_place(noc, q)) return MBD_ERROR_NOT_FINITE;
  fill_P(noc);
  square_P(noc, noc->I);
  return copy_checked(I, noc->I, noc->n * noc->n);
}

//---------- by the mass matrix ----------

// I = L^T L, L lower triangular, in place: from the last row upwards               (7.102)
static mbd_status_t
factor(double * A, int n)
{
  for (int k = n - 1; k >= 0; k--) {
    const double whole = A[k * n + k];
    for (int l = k + 1; l < n; l++) A[k * n + k] -= A[l * n + k] * A[l * n + k];
    if (!(A[k * n + k] > 4 * n * DBL_EPSILON * whole)) return MBD_ERROR_SINGULAR;
    const double pivot = A[k * n + k] = sqrt(A[k * n + k]);
    for (int j = 0; j < k; j++) {
      double sum = A[k * n + j];
      for (int l = k + 1; l < n; l++) sum -= A[l * n + k] * A[l * n + j];
      A[k * n + j] = sum / pivot;
    }
  }
  return MBD_OK;
}

// L^T x = b from the last, then L y = x from the first; all in one column          (7.103)
static void
solve(const double * L, int n, double * x)
{
  for (int k = n - 1; k >= 0; k--) {
    for (int l = k + 1; l < n; l++) x[k] -= L[l * n + k] * x[l];
    x[k] /= L[k * n + k];
  }
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < k; l++) x[k] -= L[k * n + l] * x[l];
    x[k] /= L[k * n + k];
  }
}

// torques minus bias forces, in y                                                  (7.104)
static mbd_status_t
torque_left(
  mbd_noc_t * noc, const double * q, const double * v, const double * tau,
  const mbd_force_t * f_tool)
{
  CHECK(mbd_noc_inverse_dynamics(noc, q, v, NULL, f_tool, noc->y));
  if (!finite_array(tau, noc->n)) return MBD_ERROR_NOT_FINITE;
  for (int i = 0; i < noc->n; i++) noc->y[i] = tau[i] - noc->y[i];
  fill_P(noc);
  return MBD_OK;
}

mbd_status_t
mbd_noc_forward_dynamics(
  mbd_noc_t * noc, const double * q, const double * v, const double * tau,
  const mbd_force_t * f_tool, double * qdd)
{
  if (!noc || !q || !v || !tau || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(torque_left(noc, q, v, tau, f_tool));
  square_P(noc, noc->I);
  CHECK(factor(noc->I, noc->n));
  solve(noc->I, noc->n, noc->y);
  return copy_checked(qdd, noc->y, noc->n);
}

//---------- by reflections ----------

// P with its zeros, column after column: rows 6i to 6i + 5 are of link i
static void
propagate_P(const mbd_noc_t * noc)
{
  const int n = noc->n;
  for (int j = 0; j < n; j++) {
    double * column = noc->dense + 6 * (size_t)n * (size_t)j;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 6; k++) {
        column[6 * i + k] = i < j ? 0 : noc->P[6 * (size_t)(i * n + j) + (size_t)k];
      }
    }
  }
}

// reflect column `c` in u, which has its first number at `from` and |u|^2 = 2 / weight
static void
reflect(double * c, const double * u, int from, int rows, double weight)
{
  double sum = 0;
  for (int i = from; i < rows; i++) sum += u[i] * c[i];
  sum *= weight;
  for (int i = from; i < rows; i++) c[i] -= sum * u[i];
}

// P = Q R: R above the diagonal of `dense` and, on it, in `scale`. Q is not needed: with it, y would
// be Q R^-T b and qdd R^-1 Q^T y, where Q^T Q is one.
static mbd_status_t
triangle(mbd_noc_t * noc)
{
  const int n = noc->n, rows = 6 * n;
  for (int j = 0; j < n; j++) {
    double *u = noc->dense + (size_t)rows * (size_t)j, square = 0, whole = 0;
    for (int i = 0; i < j; i++) whole += u[i] * u[i];
    for (int i = j; i < rows; i++) square += u[i] * u[i];
    whole += square;
    const double length = sqrt(square);
    if (!(length > 8 * n * DBL_EPSILON * sqrt(whole))) return MBD_ERROR_SINGULAR;
    // away from what is there, so that nothing cancels
    noc->scale[j] = u[j] > 0 ? -length : length;
    const double weight = 1 / (square + fabs(u[j]) * length);
    u[j] -= noc->scale[j];
    for (int k = j + 1; k < n; k++) {
      reflect(noc->dense + (size_t)rows * (size_t)k, u, j, rows, weight);
    }
  }
  return MBD_OK;
}

// R^T x = b, then R y = x
static void
solve_triangle(const mbd_noc_t * noc, double * x)
{
  const int n = noc->n;
  const size_t rows = 6 * (size_t)n;
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < k; l++) x[k] -= noc->dense[rows * (size_t)k + (size_t)l] * x[l];
    x[k] /= noc->scale[k];
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int l = k + 1; l < n; l++) x[k] -= noc->dense[rows * (size_t)l + (size_t)k] * x[l];
    x[k] /= noc->scale[k];
  }
}

mbd_status_t
mbd_noc_forward_dynamics_orthogonal(
  mbd_noc_t * noc, const double * q, const double * v, const double * tau,
  const mbd_force_t * f_tool, double * qdd)
{
  if (!noc || !q || !v || !tau || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(torque_left(noc, q, v, tau, f_tool));
  propagate_P(noc);
  CHECK(triangle(noc));
  solve_triangle(noc, noc->y);
  return copy_checked(qdd, noc->y, noc->n);
}
