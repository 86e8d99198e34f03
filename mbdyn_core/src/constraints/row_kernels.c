// Compiled once per instruction set, its name KERNEL_SET and the number of doubles in its vectors
// KERNEL_VECTOR_LENGTH (2 or 4).
#include "constraints/row_kernels.h"

#include <math.h>

#define LENGTH      KERNEL_VECTOR_LENGTH
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define ALWAYS      static inline __attribute__((always_inline))

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

ALWAYS double
total(vec_t v)
{
#if LENGTH == 4
  return (v[0] + v[2]) + (v[1] + v[3]);
#else
  return v[0] + v[1];
#endif
}

// two rows of rows forces^T at a time, four columns of each
static void
gram(
  int m, int wide, int ld, const double * rows, const double * forces, bool symmetric, double * A)
{
  for (int i = 0; i < m; i += 2) {
    const double *r0 = rows + i * wide, *r1 = r0 + wide;
    const int end = symmetric ? i + 2 : m;
    for (int j = 0; j < end; j += 4) {
      const double * f = forces + j * wide;
      vec_t sum[2][4] = {{{0}}};
      for (int k = 0; k < wide; k += LENGTH) {
        const vec_t a = load(r0 + k), b = load(r1 + k);
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++) {
          const vec_t x = load(f + c * wide + k);
          sum[0][c] += a * x;
          sum[1][c] += b * x;
        }
      }
#pragma GCC unroll 4
      for (int c = 0; c < 4; c++) {
        A[i * ld + j + c] = total(sum[0][c]);
        if (i + 1 < m) A[(i + 1) * ld + j + c] = total(sum[1][c]);
      }
    }
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; symmetric && j < i; j++) A[j * ld + i] = A[i * ld + j];
    for (int j = m; j < ld; j++) A[i * ld + j] = 0;
  }
}

// eight numbers of x at a time, two rows in turns
static void
combine(int m, int wide, const double * rows, const double * f, double * x)
{
  for (int k = 0; k < wide; k += 8) {
    vec_t even[8 / LENGTH] = {{0}}, odd[8 / LENGTH] = {{0}};
    const double * row = rows + k;
    int i = 0;
    for (; i + 2 <= m; i += 2, row += 2 * wide) {
#pragma GCC unroll 4
      for (int h = 0; h < 8 / LENGTH; h++) {
        even[h] += splat(f[i]) * load(row + h * LENGTH);
        odd[h] += splat(f[i + 1]) * load(row + wide + h * LENGTH);
      }
    }
#pragma GCC unroll 4
    for (int h = 0; h < 8 / LENGTH; h++) {
      if (i < m) even[h] += splat(f[i]) * load(row + h * LENGTH);
      store(x + k + h * LENGTH, even[h] + odd[h]);
    }
  }
}

static void
product(int m, int wide, const double * rows, const double * x, const double * b, double * u)
{
  for (int i = 0; i < m; i += 4) {
    const double * row = rows + i * wide;
    vec_t sum[4] = {{0}};
    for (int k = 0; k < wide; k += LENGTH) {
      const vec_t y = load(x + k);
#pragma GCC unroll 4
      for (int c = 0; c < 4; c++) sum[c] += load(row + c * wide + k) * y;
    }
    for (int c = 0; c < 4 && i + c < m; c++) u[i + c] = b[i + c] + total(sum[c]);
  }
}

static double
dot(int wide, const double * a, const double * b)
{
  vec_t even = {0}, odd = {0};
  for (int j = 0; j < wide; j += 2 * LENGTH) {
    even += load(a + j) * load(b + j);
    odd += load(a + j + LENGTH) * load(b + j + LENGTH);
  }
  return total(even + odd);
}

static bool
solve(int n, int ld, double * A, double * b)
{
  const int end = (n + LENGTH - 1) / LENGTH * LENGTH;
  for (int j = n; j < end; j++) {
    b[j] = 0;
    for (int i = 0; i < n; i++) A[i * ld + j] = 0;
  }
  for (int k = 0; k < n; k++) {
    // what is left of here is no longer needed
    const int begin = k / LENGTH * LENGTH;
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * ld + k]) > fabs(A[pivot * ld + k])) pivot = i;
    }
    double * top = A + k * ld;
    if (pivot != k) {
      double *other = A + pivot * ld, x = b[k];
      for (int j = begin; j < end; j += LENGTH) {
        const vec_t y = load(top + j);
        store(top + j, load(other + j));
        store(other + j, y);
      }
      b[k] = b[pivot];
      b[pivot] = x;
    }
    if (!(fabs(top[k]) > 0)) return false;
    const double inverse = 1 / top[k];
    int i = k + 1;
    for (; i + 1 < n; i += 2) {
      double *here = A + i * ld, *next = here + ld;
      const double f0 = here[k] * inverse, f1 = next[k] * inverse;
      const vec_t g0 = splat(f0), g1 = splat(f1);
#pragma GCC unroll 2
      for (int j = begin; j < end; j += LENGTH) {
        const vec_t t = load(top + j);
        store(here + j, load(here + j) - g0 * t);
        store(next + j, load(next + j) - g1 * t);
      }
      b[i] -= f0 * b[k];
      b[i + 1] -= f1 * b[k];
    }
    if (i < n) {
      double * here = A + i * ld;
      const double factor = here[k] * inverse;
      for (int j = begin; j < end; j += LENGTH)
        store(here + j, load(here + j) - factor * load(top + j));
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const double * here = A + k * ld;
    double sum = 0;
    int j = k + 1;
    for (; j < n && j % LENGTH != 0; j++) sum += here[j] * b[j];
    vec_t rest = {0};
    for (; j < n; j += LENGTH) rest += load(here + j) * load(b + j);
    b[k] = (b[k] - sum - total(rest)) / here[k];
  }
  return true;
}

static void
factorize(
  int m, int ld, const double * A, const double * s, double floor, double * diagonal,
  mbdi_pivots_t * p)
{
  for (int i = 0; i < ld; i++) diagonal[i] = i < m ? s[i] * s[i] * A[i * ld + i] : -1;
  p->rank = 0;
  p->smallest = HUGE_VAL;
  p->left = 0;
  for (;;) {
    int pivot = 0;
    for (int i = 1; i < m; i++) {
      if (diagonal[i] > diagonal[pivot]) pivot = i;
    }
    const double d = m > 0 ? diagonal[pivot] : 0;
    if (!(d > floor)) {
      p->left = d;
      return;
    }
    p->smallest = d < p->smallest ? d : p->smallest;
    double * l = p->Lt + p->rank * ld;
    const double root = sqrt(d), inverse = 1 / root;
    const vec_t scale = splat(s[pivot]), over = splat(inverse);
    for (int k = 0; k < ld; k += LENGTH) {
      vec_t sum = scale * load(s + k) * load(A + pivot * ld + k);
      const double * before = p->Lt + k;
      for (int q = 0; q < p->rank; q++, before += ld)
        sum -= splat(p->Lt[q * ld + pivot]) * load(before);
      sum *= over;
      store(l + k, sum);
      store(diagonal + k, load(diagonal + k) - sum * sum);
    }
    for (int q = 0; q < p->rank; q++) l[p->order[q]] = 0;
    l[pivot] = root;
    diagonal[pivot] = -1;
    p->order[p->rank++] = pivot;
    for (int q = 0; q < p->rank; q++) diagonal[p->order[q]] = -1;
  }
}

static void
forward(int ld, const mbdi_pivots_t * p, double * b, double * y)
{
  for (int k = 0; k < p->rank; k++) {
    const double * l = p->Lt + k * ld;
    y[k] = b[p->order[k]] / l[p->order[k]];
    const vec_t f = splat(y[k]);
    for (int j = 0; j < ld; j += LENGTH) store(b + j, load(b + j) - f * load(l + j));
  }
}

static void
backward(int ld, const mbdi_pivots_t * p, const double * y, double * z)
{
  for (int j = 0; j < ld; j++) z[j] = 0;
  for (int k = p->rank - 1; k >= 0; k--) {
    const double * l = p->Lt + k * ld;
    z[p->order[k]] = (y[k] - dot(ld, l, z)) / l[p->order[k]];
  }
}

static void
whiten(
  int ld, const double * L, const double * inverse, int count, const int * support, int nrow,
  int wide, const double * J, double * work, double * E)
{
  enum { PARTS = MBDI_WHITEN_MOST / LENGTH };
  for (int a = 0; a < count; a++) {
    double * x = work + MBDI_WHITEN_MOST * a;
    for (int r = 0; r < MBDI_WHITEN_MOST; r++) x[r] = r < nrow ? J[r * wide + support[a]] : 0;
  }
  for (int a = count - 1; a >= 0; a--) {
    double * x = work + MBDI_WHITEN_MOST * a;
    const double *row = L + support[a] * ld, root = sqrt(inverse[support[a]]);
    vec_t from[PARTS];
#pragma GCC unroll 4
    for (int h = 0; h < PARTS; h++) from[h] = load(x + h * LENGTH);
    for (int b = 0; b < a; b++) {
      const double l = row[support[b]];
      double * to = work + MBDI_WHITEN_MOST * b;
#pragma GCC unroll 4
      for (int h = 0; h < PARTS; h++)
        store(to + h * LENGTH, load(to + h * LENGTH) - splat(l) * from[h]);
    }
#pragma GCC unroll 4
    for (int h = 0; h < PARTS; h++) store(x + h * LENGTH, splat(root) * from[h]);
  }
  for (int r = 0; r < nrow; r++) {
    double * e = E + r * wide;
    for (int k = 0; k < wide; k++) e[k] = 0;
    for (int a = 0; a < count; a++) e[support[a]] = work[MBDI_WHITEN_MOST * a + r];
  }
}

const mbdi_row_kernels_t GLUE(mbdi_row_kernels, KERNEL_SET) = {
  .gram = gram,
  .dot = dot,
  .combine = combine,
  .product = product,
  .solve = solve,
  .factorize = factorize,
  .forward = forward,
  .backward = backward,
  .whiten = whiten};
