// Factors M = L^T D L of a small mass matrix, for products and solutions with its root m = L^T D^1/2
// (M = m m^T): row k of L has numbers at the ancestors of joint k alone.
#ifndef MASS_FACTOR_H_
#define MASS_FACTOR_H_

#include <stdbool.h>
#include <stddef.h>

#include "constraints/projection.h"
#include "constraints/row_kernels.h"
#include "mbdyn/operators/factors.h"

// up to this number of degrees of freedom it is faster than the sweeps of mbd_mass_sqrt
enum { MBDI_DENSE_DOF = 64 };

typedef struct mbdi_mass_factor {
  int n, ld;
  double * L;        // rows of unit lower triangular L                                 [n ld]
  double * inverse;  // 1 / D                                                           [n]
  int * order;       // n - 1, ..., 0
  double * work;     // scratch of whiten
  const mbdi_row_kernels_t * kernels;
  const mbdi_projection_kernels_t * factors;
} mbdi_mass_factor_t;

// numbers of work
size_t mbdi_mass_factor_work(int n);
void mbdi_mass_factor_init(mbdi_mass_factor_t * f, const mbd_model_t * model, double * work);

// from M (n x n, of which the lower triangle is read). False if M is not definite to 1e-9 at some pivot:
// inertias that are too different.
bool mbdi_mass_factorize(mbdi_mass_factor_t * f, const double * M);

// x := m x, m^-1 x or m^-T x
void mbdi_mass_factor_root(const mbdi_mass_factor_t * f, mbd_sqrt_op_t op, double * x);

// E = m^-1 J^T, see mbdi_row_kernels_t.whiten
void mbdi_mass_factor_whiten(
  const mbdi_mass_factor_t * f, int count, const int * support, int nrow, int wide,
  const double * J, double * E);

#endif  // MASS_FACTOR_H_
