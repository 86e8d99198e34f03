#include "constraints/mass_factor.h"

#include <math.h>
#include <string.h>

size_t
mbdi_mass_factor_work(int n)
{
  const size_t numbers = (size_t)n;
  return (size_t)mbdi_projected_size(n) + (2 + MBDI_WHITEN_MOST) * numbers;
}

void
mbdi_mass_factor_init(mbdi_mass_factor_t * f, const mbd_model_t * model, double * work)
{
  const int n = model->nv;
  f->n = n;
  f->ld = mbdi_projected_ld(n);
  f->L = work;
  f->inverse = work + mbdi_projected_size(n);
  f->work = f->inverse + n;
  // an int is no larger than a double
  f->order = (int *)(void *)(f->work + MBDI_WHITEN_MOST * n);
  f->kernels = mbdi_row_kernels(model);
  f->factors = mbdi_projection_kernels(model);
}

bool
mbdi_mass_factorize(mbdi_mass_factor_t * f, const double * M)
{
  const mbdi_projection_t all = {.nv = f->n, .order = f->order};
  for (int k = 0; k < f->n; k++) {
    f->order[k] = f->n - 1 - k;
    memcpy(f->L + k * f->ld, M + k * f->n, (size_t)(k + 1) * sizeof *M);
  }
  // no right-hand side
  memset(f->work, 0, (size_t)f->n * sizeof *f->work);
  return f->factors->factorize(&all, f->L, f->inverse, f->work);
}

// x := L^-T x
static void
solve_transpose(const mbdi_mass_factor_t * f, double * x)
{
  for (int k = f->n - 1; k >= 0; k--) {
    const double * row = f->L + k * f->ld;
    if (x[k] == 0) continue;
    for (int j = 0; j < k; j++) x[j] -= row[j] * x[k];
  }
}

void
mbdi_mass_factor_root(const mbdi_mass_factor_t * f, mbd_sqrt_op_t op, double * x)
{
  if (op == MBD_SQRT_INVERSE) {
    solve_transpose(f, x);
    for (int k = 0; k < f->n; k++) x[k] *= sqrt(f->inverse[k]);
  } else if (op == MBD_SQRT_INVERSE_TRANSPOSE) {
    // L^-1 D^-1/2
    for (int k = 0; k < f->n; k++) x[k] /= sqrt(f->inverse[k]);
    f->factors->solve(f->n, f->L, f->inverse, x);
  } else {
    for (int k = 0; k < f->n; k++) {
      const double * row = f->L + k * f->ld;
      x[k] /= sqrt(f->inverse[k]);
      for (int j = 0; j < k; j++) x[j] += row[j] * x[k];
    }
  }
}

void
mbdi_mass_factor_whiten(
  const mbdi_mass_factor_t * f, int count, const int * support, int nrow, int wide,
  const double * J, double * E)
{
  f->kernels->whiten(f->ld, f->L, f->inverse, count, support, nrow, wide, J, f->work, E);
}
