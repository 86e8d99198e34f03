// Small dense symmetric matrices: eigenvectors and generalised inverses, in memory of the caller.
#ifndef DENSE_H_
#define DENSE_H_

#include <stddef.h>

// a direction whose share of a compliance is this small cannot be told from rounding
#define MBD_SMALLEST_COMPLIANCE 1e-12

// eigenvectors of the symmetric n x n matrix A in the columns of V, eigenvalues on A's diagonal
void mbdi_eigen_symmetric(int n, double * A, double * V);

// Inverse of a symmetric positive semidefinite n x n matrix C whose rows have units of their own:
// A = W C W, W = diag(w), is C without units and with no number much above one. Eigenvalues of A at
// most `tolerance` count as zero.
//   damping == 0: W A^+ W, the inverse wherever there is one
//   damping  > 0: W (A + damping^2 I)^-1 W
// work: 2 n^2 numbers. inverse may not alias C. Returns the rank; *condition (or NULL) is the
// 1-norm condition number of A, infinite where the rank is not n.
int mbdi_invert_semidefinite(
  int n, const double * C, const double * w, double tolerance, double damping, double * work,
  double * inverse, double * condition);

#endif  // DENSE_H_
