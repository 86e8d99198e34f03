#include "dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

//---------- eigenvectors ----------

// one Jacobi rotation that clears A[p][q]; V gathers the rotations
static void
rotate(int n, double * A, double * V, int p, int q)
{
  const double apq = A[p * n + q];
  if (apq == 0) return;
  const double theta = (A[q * n + q] - A[p * n + p]) / (2 * apq);
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
mbd_eigen_symmetric(int n, double * A, double * V)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) V[i * n + j] = i == j;
  }
  // converges quadratically: a fixed number of rounds is a bound on time, and more than enough
  for (int round = 0; round < 16; round++) {
    double off = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) off += A[p * n + q] * A[p * n + q];
    }
    if (off == 0) return;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) rotate(n, A, V, p, q);
    }
  }
}

//---------- inverse ----------

// lower Cholesky factor of A into L; false at a pivot so small that eigenvalues must decide
static bool
cholesky(int n, const double * A, double * L)
{
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 1e-8)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  }
  return true;
}

// (L L^T)^-1, by the inverse of L in place
static void
invert_by_cholesky(int n, double * L, double * inverse)
{
  for (int j = 0; j < n; j++) {
    L[j * n + j] = 1 / L[j * n + j];
    for (int i = j + 1; i < n; i++) {
      double sum = 0;
      for (int k = j; k < i; k++) sum -= L[i * n + k] * L[k * n + j];
      L[i * n + j] = sum / L[i * n + i];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = i; k < n; k++) sum += L[k * n + i] * L[k * n + j];
      inverse[i * n + j] = inverse[j * n + i] = sum;
    }
  }
}

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

static double
norm1(int n, const double * A)
{
  double largest = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(A[i * n + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

int
mbd_invert_semidefinite(
  int n, const double * C, const double * w, double tolerance, double damping, double * work,
  double * inverse, double * condition)
{
  double *A = work, *L = work + (size_t)n * (size_t)n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i * n + j] = 0.5 * w[i] * (C[i * n + j] + C[j * n + i]) * w[j];
  }
  const double norm = norm1(n, A);
  int rank = n;
  bool done = damping == 0 && cholesky(n, A, L);
  if (done) {
    // no eigenvalue is smaller than one over the norm of the inverse
    invert_by_cholesky(n, L, inverse);
    done = tolerance * norm1(n, inverse) < 1;
  }
  if (!done) {
    mbd_eigen_symmetric(n, A, L);
    rank = sum_of_inverses(n, A, L, tolerance, 0, inverse);
  }
  if (condition) *condition = rank == n ? norm * norm1(n, inverse) : HUGE_VAL;
  if (damping > 0) sum_of_inverses(n, A, L, tolerance, damping, inverse);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) inverse[i * n + j] *= w[i] * w[j];
  }
  return rank;
}
