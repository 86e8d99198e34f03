#include "constraints/mass_factor.h"

#include <math.h>

#define SMALL_PIVOT 1e-9

// from the last row up, so that rows of different branches stay zero
bool
mbdi_mass_factorize(int n, double * M)
{
  for (int k = n - 1; k >= 0; k--) {
    const double * row = M + k * n;
    const double d = row[k], inverse = 1 / d;
    if (!(d > 0)) return false;
    for (int i = k - 1; i >= 0; i--) {
      if (row[i] == 0) continue;
      const double f = row[i] * inverse;
      double * to = M + i * n;
      // pivot relative to the original diagonal element
      const double least = SMALL_PIVOT * to[i];
      for (int j = 0; j <= i; j++) to[j] -= f * row[j];
      if (!(to[i] > least)) return false;
    }
  }
  return true;
}

// x := L^-T x
static void
solve_transpose(int n, const double * M, double * x)
{
  for (int k = n - 1; k >= 0; k--) {
    const double * row = M + k * n;
    if (x[k] == 0) continue;
    const double y = x[k] / row[k];
    for (int j = 0; j < k; j++) x[j] -= row[j] * y;
  }
}

// x := L^-1 x
static void
solve(int n, const double * M, double * x)
{
  for (int k = 0; k < n; k++) {
    const double * row = M + k * n;
    double sum = 0;
    for (int j = 0; j < k; j++) sum += row[j] * x[j];
    x[k] -= sum / row[k];
  }
}

void
mbdi_mass_factor_root(int n, const double * M, mbd_sqrt_op_t op, double * x)
{
  if (op == MBD_SQRT_INVERSE) {
    solve_transpose(n, M, x);
    for (int k = 0; k < n; k++) x[k] /= sqrt(M[k * n + k]);
  } else if (op == MBD_SQRT_INVERSE_TRANSPOSE) {
    for (int k = 0; k < n; k++) x[k] /= sqrt(M[k * n + k]);
    solve(n, M, x);
  } else {
    for (int k = 0; k < n; k++) {
      const double * row = M + k * n;
      const double root = sqrt(row[k]), y = x[k] / root;
      x[k] *= root;
      for (int j = 0; j < k; j++) x[j] += row[j] * y;
    }
  }
}
