// Compiled once per instruction set, its name KERNEL_SET and the number of doubles in its vectors
// KERNEL_VECTOR_LENGTH (2 or 4: rows are short).
#include "constraints/projection.h"

#define LENGTH      KERNEL_VECTOR_LENGTH
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define ALWAYS      static inline __attribute__((always_inline))

#define SMALL_PIVOT 1e-9

typedef double vec_t __attribute__((vector_size(8 * LENGTH)));
typedef double vec_unaligned_t __attribute__((vector_size(8 * LENGTH), aligned(8), may_alias));

ALWAYS vec_t
load(const double * x)
{
  return *(const vec_unaligned_t *)x;
}

ALWAYS void
store(double * x, vec_t v)
{
  *(vec_unaligned_t *)x = v;
}

ALWAYS vec_t
splat(double x)
{
  return x - (vec_t){0};
}

// to += f from, n numbers and no more
ALWAYS void
add_scaled(int n, double f, const double * from, double * to)
{
  int j = 0;
  for (; j + LENGTH <= n; j += LENGTH) store(to + j, load(to + j) + splat(f) * load(from + j));
  for (; j < n; j++) to[j] += f * from[j];
}

static void
project(const mbdi_projection_t * p, double * M, double * M_r)
{
  const size_t n = (size_t)p->n;
  const int ld = mbdi_projected_ld(p->nv);
  // rows of X^T M that differ from those of M, in their places
  for (int i = 0; i < p->ndep; i++) {
    const double * from = M + (size_t)p->dep[i] * n;
    for (int k = p->begin[i]; k < p->end[i]; k++) {
      add_scaled(p->n, p->X[k], from, M + (size_t)p->dof[p->v[k]] * n);
    }
  }
  // the same rows of X^T M X
  for (int f = 0; f < p->nled; f++) {
    double * row = M + (size_t)p->dof[p->led[f]] * n;
    for (int i = 0; i < p->ndep; i++) {
      const double y = row[p->dep[i]];
      // between branches
      if (y == 0) continue;
      for (int k = p->begin[i]; k < p->end[i]; k++) row[p->dof[p->v[k]]] += p->X[k] * y;
    }
  }
  // their columns
  for (int f = 0; f < p->nled; f++) {
    const size_t c = (size_t)p->dof[p->led[f]];
    for (int r = p->led[f] + 1; r < p->nv; r++) {
      const size_t dof = (size_t)p->dof[r];
      M[dof * n + c] = M[c * n + dof];
    }
  }
  // Whole vectors: what is right of the diagonal is not used. They are stored as vectors, for
  // store-forwarding to the loads of factorize.
  for (int r = 0; r < p->nv; r++) {
    const double * from = M + (size_t)p->dof[r] * n;
    double * to = M_r + r * ld;
    for (int c = 0; c <= r; c += LENGTH) {
      const int * dof = p->dof + c;
#if LENGTH == 4
      store(to + c, (vec_t){from[dof[0]], from[dof[1]], from[dof[2]], from[dof[3]]});
#else
      store(to + c, (vec_t){from[dof[0]], from[dof[1]]});
#endif
    }
  }
}

// Vectors of row i from `to` on less what its descendants k take off: L_ki times their rows, which are not
// divided by D yet. Returns x_i less L_ki x_k.
ALWAYS double
take_off(
  int parts, int nv, int ld, int i, const double * M_r, const double * inverse, const double * x,
  double * to)
{
  const ptrdiff_t begin = to - (M_r + i * ld);
  double x_i = x[i];
  vec_t sum[4];
#pragma GCC unroll 4
  for (int h = 0; h < parts; h++) sum[h] = load(to + h * LENGTH);
  const double * from = M_r + (nv - 1) * ld;
  for (int k = nv - 1; k > i; k--, from -= ld) {
    if (from[i] == 0) continue;
    const double f = from[i] * inverse[k];
    x_i -= f * x[k];
#pragma GCC unroll 4
    for (int h = 0; h < parts; h++) sum[h] -= splat(f) * load(from + begin + h * LENGTH);
  }
#pragma GCC unroll 4
  for (int h = 0; h < parts; h++) store(to + h * LENGTH, sum[h]);
  return x_i;
}

// Descendants before ancestors, so that rows of different branches stay zero; branches in turns, so that
// their chains of pivots overlap. Four vectors of a row stay in registers.
static bool
factorize(const mbdi_projection_t * p, double * M_r, double * inverse, double * x)
{
  const int nv = p->nv, ld = mbdi_projected_ld(nv);
  for (int n = 0; n < nv; n++) {
    const int i = p->order[n];
    double *row = M_r + i * ld, x_i = x[i];
    const double least = SMALL_PIVOT * row[i];
    for (int begin = 0; begin <= i; begin += 4 * LENGTH) {
      double * to = row + begin;
      switch ((unsigned)(i - begin) / LENGTH) {
        default: x_i = take_off(4, nv, ld, i, M_r, inverse, x, to); break;
        case 2: x_i = take_off(3, nv, ld, i, M_r, inverse, x, to); break;
        case 1: x_i = take_off(2, nv, ld, i, M_r, inverse, x, to); break;
        case 0: x_i = take_off(1, nv, ld, i, M_r, inverse, x, to); break;
      }
    }
    x[i] = x_i;
    // what is left of the diagonal may not vanish against what it was
    if (!(row[i] > least && least > 0)) return false;
    inverse[i] = 1 / row[i];
  }
  for (int k = 0; k < nv; k++) {
    double * row = M_r + k * ld;
    const vec_t scale = splat(inverse[k]);
    for (int j = 0; j < k; j += LENGTH) store(row + j, load(row + j) * scale);
  }
  return true;
}

ALWAYS double
total(vec_t v)
{
#if LENGTH == 4
  return (v[0] + v[1]) + (v[2] + v[3]);
#else
  return v[0] + v[1];
#endif
}

// Numbers that were found stay vectors: loads of vectors from what was stored one by one would wait.
static void
solve(int nv, const double * M_r, const double * inverse, double * x)
{
  const int ld = mbdi_projected_ld(nv);
  vec_t found[MBDI_PROJECTED_DOF / LENGTH];
  int k = 0;
  for (; k + LENGTH <= nv; k += LENGTH) {
    const double * row = M_r + k * ld;
    vec_t sum[LENGTH] = {{0}}, y = {0};
    for (int c = 0; c < k; c += LENGTH) {
#pragma GCC unroll 4
      for (int r = 0; r < LENGTH; r++) sum[r] += load(row + r * ld + c) * found[c / LENGTH];
    }
#pragma GCC unroll 4
    for (int r = 0; r < LENGTH; r++, row += ld) {
      y[r] = x[k + r] * inverse[k + r] - total(sum[r]);
#pragma GCC unroll 4
      for (int j = 0; j < r; j++) y[r] -= row[k + j] * y[j];
    }
    found[k / LENGTH] = y;
    store(x + k, y);
  }
  const int end = k;
  for (; k < nv; k++) {
    const double * row = M_r + k * ld;
    vec_t sum = {0};
    for (int c = 0; c < end; c += LENGTH) sum += load(row + c) * found[c / LENGTH];
    double y = x[k] * inverse[k] - total(sum);
    for (int j = end; j < k; j++) y -= row[j] * x[j];
    x[k] = y;
  }
}

const mbdi_projection_kernels_t GLUE(mbdi_projection_kernels, KERNEL_SET) = {
  .project = project, .factorize = factorize, .solve = solve};
