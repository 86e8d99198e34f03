// Factors of a dense mass matrix with the sparsity of branches: M = L^T D L (Featherstone 2008, sec 6.5).
#ifndef MASS_FACTOR_H_
#define MASS_FACTOR_H_

#include <stdbool.h>

#include "mbdyn/operators/factors.h"

// up to this number of degrees of freedom dense matrices are faster than sweeps over bodies
enum { MBDI_DENSE_DOF = 64 };

// D on the diagonal and D L below it, in place of the lower triangle of M (n x n). False at a pivot that
// is small against the diagonal: inertias too different, or none.
bool mbdi_mass_factorize(int n, double * M);

// x := m x, m^-1 x or m^-T x, with m = L^T sqrt(D), so that M = m m^T; not MBD_SQRT_TRANSPOSE
void mbdi_mass_factor_root(int n, const double * M, mbd_sqrt_op_t op, double * x);

#endif  // MASS_FACTOR_H_
