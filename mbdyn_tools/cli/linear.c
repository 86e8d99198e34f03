// Small dense symmetric algebra.
#include "linear.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

//---------- Cholesky ----------

static bool
factor(size_t n, double * A)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      if (j < i) {
        A[i * n + j] = sum / A[j * n + j];
      } else if (!(sum > 0)) {
        return false;
      } else {
        A[i * n + i] = sqrt(sum);
      }
    }
  }
  return true;
}

bool
linear_solve(int size, double * A, double * b)
{
  const size_t n = (size_t)size;
  if (!factor(n, A)) return false;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return true;
}

//---------- Jacobi ----------

// turn columns p and q of B by an angle
static void
turn_columns(size_t n, double * B, size_t p, size_t q, double c, double s)
{
  for (size_t k = 0; k < n; k++) {
    const double x = B[k * n + p], y = B[k * n + q];
    B[k * n + p] = c * x - s * y;
    B[k * n + q] = s * x + c * y;
  }
}

// the rotation that clears A(p,q)
static void
rotate(size_t n, double * A, double * V, size_t p, size_t q)
{
  const double off = A[p * n + q];
  const double theta = (A[q * n + q] - A[p * n + p]) / (2 * off);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  turn_columns(n, A, p, q, c, s);
  for (size_t k = 0; k < n; k++) {
    const double x = A[p * n + k], y = A[q * n + k];
    A[p * n + k] = c * x - s * y;
    A[q * n + k] = s * x + c * y;
  }
  turn_columns(n, V, p, q, c, s);
}

void
linear_eigen(int size, double * A, double * V)
{
  const size_t n = (size_t)size;
  memset(V, 0, n * n * sizeof *V);
  for (size_t i = 0; i < n; i++) V[i * n + i] = 1;
  bool turned = true;
  for (int sweep = 0; sweep < 60 && turned; sweep++) {
    turned = false;
    for (size_t p = 0; p + 1 < n; p++) {
      for (size_t q = p + 1; q < n; q++) {
        // what is below rounding of the diagonal is zero
        const double small = 1e-17 * (fabs(A[p * n + p]) + fabs(A[q * n + q]));
        if (!(fabs(A[p * n + q]) > small)) continue;
        rotate(n, A, V, p, q);
        turned = true;
      }
    }
  }
}
