// Small dense symmetric matrices: eigenvectors and generalised inverses, in memory of the caller.
#ifndef DENSE_H_
#define DENSE_H_

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// a direction whose share of a compliance is this small cannot be told from rounding
#define MBD_SMALLEST_COMPLIANCE 1e-12

static inline double
mbdi_dot(int n, const double * a, const double * b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// largest sum of a column of the n x n matrix A
static inline double
mbdi_norm_1(int n, const double * A)
{
  double largest = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(A[i * n + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

// L with D = L L^T, lower triangular; false if a pivot is not above its floor
static inline bool
mbdi_cholesky(int r, const double * D, const double * floor, double * L)
{
  memset(L, 0, (size_t)(r * r) * sizeof *L);
  for (int j = 0; j < r; j++) {
    for (int i = j; i < r; i++) {
      const double sum = D[i * r + j] - mbdi_dot(j, L + i * r, L + j * r);
      if (i == j && !(sum > floor[j])) return false;
      L[i * r + j] = i == j ? sqrt(sum) : sum / L[j * r + j];
    }
  }
  return true;
}

// x := L^-1 x
static inline void
mbdi_solve_lower(int r, const double * L, double * x)
{
  for (int i = 0; i < r; i++) x[i] = (x[i] - mbdi_dot(i, L + i * r, x)) / L[i * r + i];
}

// x := L^-T x
static inline void
mbdi_solve_upper(int r, const double * L, double * x)
{
  for (int i = r - 1; i >= 0; i--) {
    for (int k = i + 1; k < r; k++) x[i] -= L[k * r + i] * x[k];
    x[i] /= L[i * r + i];
  }
}

// B := A^-1 B of n rows and `columns` columns, row-major, by elimination with pivots from the columns; A
// is overwritten. False if a pivot is not above the floor.
bool mbdi_solve_above(int n, int columns, double floor, double * A, double * B);
static inline bool
mbdi_solve(int n, int columns, double * A, double * B)
{
  return mbdi_solve_above(n, columns, 0, A, B);
}

// eigenvectors of the symmetric n x n matrix A in the columns of V, eigenvalues on A's diagonal
void mbdi_eigen_symmetric(int n, double * A, double * V);

// W A^-1 W of a positive definite A = W C W, W = diag(w); work: 2 n^2 numbers. Returns the 1-norm of
// A^-1, or 0 at a pivot that is not larger than the floor.
typedef double (*mbdi_invert_t)(
  int n, double floor, const double * C, const double * w, double * work, double * inverse);
double mbdi_invert_definite(
  int n, double floor, const double * C, const double * w, double * work, double * inverse);

// Inverse of a symmetric positive semidefinite n x n matrix C whose rows have units of their own:
// A = W C W, W = diag(w), is C without units and with no number much above one. Eigenvalues of A at
// most `tolerance` count as zero.
//   damping == 0: W A^+ W, the inverse wherever there is one
//   damping  > 0: W (A + damping^2 I)^-1 W
// work: 2 n^2 numbers. inverse may not alias C. Returns the rank; *condition (or NULL) is the
// 1-norm condition number of A, infinite where the rank is not n.
// Definite matrices are left to `invert`.
int mbdi_invert_semidefinite(
  mbdi_invert_t invert, int n, const double * C, const double * w, double tolerance, double damping,
  double * work, double * inverse, double * condition);

#endif  // DENSE_H_
