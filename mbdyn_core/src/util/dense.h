// Small dense symmetric matrices: eigenvectors and generalised inverses, in memory of the caller.
#ifndef DENSE_H_
#define DENSE_H_

#include <stddef.h>

// a direction whose share of a compliance is this small cannot be told from rounding
#define MBD_SMALLEST_COMPLIANCE 1e-12

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
