/// \file linear.h
/// Small dense symmetric algebra.
///
///   linear_solve    A x = b, A positive definite
///   linear_eigen    eigenvalues and vectors
#ifndef LINEAR_H_
#define LINEAR_H_

#include <stdbool.h>

/// Solve A x = b by Cholesky, in place.
/// \param[in,out] A  row-major n x n, symmetric; the lower half is overwritten
/// \param[in,out] b  n; x on return
/// \return false if A is not positive definite
bool linear_solve(int n, double * A, double * b);

/// Eigenvalues and vectors by Jacobi rotations.
/// \param[in,out] A  row-major n x n, symmetric; eigenvalues on the diagonal on return
/// \param[out]    V  row-major n x n, an eigenvector in each column
void linear_eigen(int n, double * A, double * V);

#endif  // LINEAR_H_
