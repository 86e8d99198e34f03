#include "util/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

//---------- eigenvectors ----------

// one Jacobi rotation that clears A[p][q]; V gathers the rotations
static void
rotate(int n, double * A, double * V, int p, int q)
{
  const double apq = A[p * n + q], app = A[p * n + p], aqq = A[q * n + q];
  // nothing but rounding
  if (fabs(apq) <= 1e-18 * (fabs(app) + fabs(aqq))) return;
  const double theta = (aqq - app) / (2 * apq);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    const double kp = A[k * n + p], kq = A[k * n + q];
    A[k * n + p] = c * kp - s * kq;
    A[k * n + q] = s * kp + c * kq;
  }
  for (int k = 0; k < n; k++) {
    const double pk = A[p * n + k], qk = A[q * n + k];
    A[p * n + k] = c * pk - s * qk;
    A[q * n + k] = s * pk + c * qk;
    const double vp = V[k * n + p], vq = V[k * n + q];
    V[k * n + p] = c * vp - s * vq;
    V[k * n + q] = s * vp + c * vq;
  }
}

void
mbdi_eigen_symmetric(int n, double * A, double * V)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) V[i * n + j] = i == j;
  }
  double size = 0;
  for (int i = 0; i < n * n; i++) size += A[i] * A[i];
  // converges quadratically: a fixed number of rounds is a bound on time, and more than enough
  for (int round = 0; round < 16; round++) {
    double off = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) off += A[p * n + q] * A[p * n + q];
    }
    if (off <= 1e-36 * size) return;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) rotate(n, A, V, p, q);
    }
  }
}

//---------- inverse ----------

// sum of v v^T / eigenvalue over the eigenvalues on A's diagonal that are above the tolerance, or
// over all with damping^2 added to them; returns the number of the first
static int
sum_of_inverses(
  int n, const double * A, const double * V, double tolerance, double damping, double * inverse)
{
  int rank = 0;
  memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
  for (int k = 0; k < n; k++) {
    const double eigenvalue = A[k * n + k];
    const bool counts = eigenvalue > tolerance;
    rank += counts;
    const double shifted = fmax(eigenvalue, 0) + damping * damping;
    if (!counts && damping == 0) continue;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) inverse[i * n + j] += V[i * n + k] * V[j * n + k] / shifted;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) inverse[j * n + i] = inverse[i * n + j];
  }
  return rank;
}

// W C W, symmetric
static void
scale(int n, const double * C, const double * w, double * A)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i * n + j] = 0.5 * w[i] * (C[i * n + j] + C[j * n + i]) * w[j];
  }
}

double
mbdi_invert_definite(
  int n, double floor, const double * C, const double * w, double * work, double * inverse)
{
  // Gauss-Jordan elimination without pivoting on [A | 1], A = W C W
  double *A = work, *B = work + (size_t)n * (size_t)n;
  scale(n, C, w, A);
  for (int i = 0; i < n * n; i++) B[i] = 0;
  for (int i = 0; i < n; i++) B[i * (n + 1)] = 1;
  for (int k = 0; k < n; k++) {
    const double pivot = A[k * (n + 1)];
    if (!(pivot > floor)) return 0;
    for (int j = 0; j < n; j++) A[k * n + j] /= pivot, B[k * n + j] /= pivot;
    for (int i = 0; i < n; i++) {
      const double factor = A[i * n + k];
      if (i == k || factor == 0) continue;
      for (int j = 0; j < n; j++) {
        A[i * n + j] -= factor * A[k * n + j];
        B[i * n + j] -= factor * B[k * n + j];
      }
    }
  }
  const double norm = mbdi_norm_1(n, B);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      inverse[i * n + j] = 0.5 * w[i] * (B[i * n + j] + B[j * n + i]) * w[j];
  }
  return norm;
}

// W (W C W + damping^2 1)^-1 W; false if n is too large for the stack, or at a pivot that is zero
static bool
invert_damped(
  mbdi_invert_t invert, int n, const double * C, const double * w, double damping, double * work,
  double * inverse)
{
  double damped[36];
  if (n > 6) return false;
  for (int k = 0; k < n * n; k++) damped[k] = C[k];
  for (int k = 0; k < n; k++) damped[k * (n + 1)] += damping * damping / (w[k] * w[k]);
  return invert(n, 1e-8, damped, w, work, inverse) > 0;
}

int
mbdi_invert_semidefinite(
  mbdi_invert_t invert, int n, const double * C, const double * w, double tolerance, double damping,
  double * work, double * inverse, double * condition)
{
  double *A = work, *V = work + (size_t)n * (size_t)n, norm = 0, inverse_norm = 0;
  bool scaled = true;
  for (int i = 0; i < n; i++) scaled = scaled && w[i] > 0;
  if (condition) {
    scale(n, C, w, A);
    norm = mbdi_norm_1(n, A);
  }
  // by elimination, unless eigenvalues must decide: none is smaller than one over the norm of the
  // inverse
  if ((damping == 0 || scaled) && n >= 2) inverse_norm = invert(n, 1e-8, C, w, work, inverse);
  if (inverse_norm > 0 && tolerance * inverse_norm < 1) {
    if (condition) *condition = norm * inverse_norm;
    if (damping == 0 || invert_damped(invert, n, C, w, damping, work, inverse)) return n;
  }
  scale(n, C, w, A);
  mbdi_eigen_symmetric(n, A, V);
  const int rank = sum_of_inverses(n, A, V, tolerance, 0, inverse);
  if (condition) *condition = rank == n ? norm * mbdi_norm_1(n, inverse) : HUGE_VAL;
  if (damping > 0) sum_of_inverses(n, A, V, tolerance, damping, inverse);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) inverse[i * n + j] *= w[i] * w[j];
  }
  return rank;
}

//---------- linear equations ----------

static void
swap_rows(int n, double * A, int a, int b)
{
  double *x = A + (size_t)a * (size_t)n, *y = A + (size_t)b * (size_t)n;
  for (int j = 0; j < n; j++) {
    const double swap = x[j];
    x[j] = y[j], y[j] = swap;
  }
}

bool
mbdi_solve_above(int n, int columns, double floor, double * A, double * B)
{
  const size_t wide = (size_t)n, width = (size_t)columns;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[(size_t)i * wide + (size_t)k]) > fabs(A[(size_t)pivot * wide + (size_t)k]))
        pivot = i;
    }
    if (pivot != k) swap_rows(n, A, k, pivot), swap_rows(columns, B, k, pivot);
    const double * top = A + (size_t)k * wide;
    if (!(fabs(top[k]) > floor)) return false;
    for (int i = k + 1; i < n; i++) {
      double * here = A + (size_t)i * wide;
      const double factor = here[k] / top[k];
      if (factor == 0) continue;
      for (int j = k + 1; j < n; j++) here[j] -= factor * top[j];
      for (size_t c = 0; c < width; c++) {
        B[(size_t)i * width + c] -= factor * B[(size_t)k * width + c];
      }
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const double * here = A + (size_t)k * wide;
    for (size_t c = 0; c < width; c++) {
      double * x = B + (size_t)k * width + c;
      for (int j = k + 1; j < n; j++) *x -= here[j] * B[(size_t)j * width + c];
      *x /= here[k];
    }
  }
  return true;
}
