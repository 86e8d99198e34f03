// Small dense products of the SKO sweeps. Row-major; sizes that rigid bodies have are unrolled.
#ifndef SKO_MATH_H_
#define SKO_MATH_H_

#include "util/dense.h"

#define SKO_INLINE static inline __attribute__((always_inline))

// C (m x n) += s A (m x k) B (k x n)
SKO_INLINE void
sko_mul_add_(
  int m, int k, int n, double s, const double * restrict A, const double * restrict B,
  double * restrict C)
{
  for (int i = 0; i < m; i++) {
    for (int l = 0; l < k; l++) {
      const double x = s * A[i * k + l];
      for (int j = 0; j < n; j++) C[i * n + j] += x * B[l * n + j];
    }
  }
}

// the same of a vector: rows of A by x
SKO_INLINE void
sko_mul_vector_(
  int m, int k, double s, const double * restrict A, const double * restrict x, double * restrict y)
{
  for (int i = 0; i < m; i++) {
    double sum = 0;
    for (int l = 0; l < k; l++) sum += A[i * k + l] * x[l];
    y[i] += s * sum;
  }
}

static inline void
sko_mul_add(int m, int k, int n, double s, const double * A, const double * B, double * C)
{
  if (m == 6 && k == 6 && n == 6) {
    sko_mul_add_(6, 6, 6, s, A, B, C);
  } else if (m == 6 && k == 6 && n == 1) {
    sko_mul_vector_(6, 6, s, A, B, C);
  } else if (m == 6 && k == 1 && n == 1) {
    sko_mul_vector_(6, 1, s, A, B, C);
  } else if (n == 1) {
    sko_mul_vector_(m, k, s, A, B, C);
  } else {
    sko_mul_add_(m, k, n, s, A, B, C);
  }
}

// C (k x n) += s A^T B with A (m x k), B (m x n)
SKO_INLINE void
sko_tmul_add_(
  int m, int k, int n, double s, const double * restrict A, const double * restrict B,
  double * restrict C)
{
  for (int i = 0; i < m; i++) {
    for (int l = 0; l < k; l++) {
      const double x = s * A[i * k + l];
      for (int j = 0; j < n; j++) C[l * n + j] += x * B[i * n + j];
    }
  }
}

// the same of a vector
SKO_INLINE void
sko_tmul_vector_(
  int m, int k, double s, const double * restrict A, const double * restrict x, double * restrict y)
{
  for (int i = 0; i < m; i++) {
    const double factor = s * x[i];
    for (int l = 0; l < k; l++) y[l] += factor * A[i * k + l];
  }
}

static inline void
sko_tmul_add(int m, int k, int n, double s, const double * A, const double * B, double * C)
{
  if (m == 6 && k == 6 && n == 6) {
    sko_tmul_add_(6, 6, 6, s, A, B, C);
  } else if (m == 6 && k == 6 && n == 1) {
    sko_tmul_vector_(6, 6, s, A, B, C);
  } else if (m == 6 && k == 1 && n == 1) {
    sko_tmul_vector_(6, 1, s, A, B, C);
  } else if (n == 1) {
    sko_tmul_vector_(m, k, s, A, B, C);
  } else {
    sko_tmul_add_(m, k, n, s, A, B, C);
  }
}

// the block [slot, slot + m) of the symmetric matrix C (width x width) += A T^T, both m x k, where
// A T^T is symmetric
static inline void
sko_add_symmetric(
  int m, int k, const double * restrict A, const double * restrict T, int width, int slot,
  double * restrict C)
{
  for (int i = 0; i < m; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += A[i * k + l] * T[j * k + l];
      C[(slot + i) * width + slot + j] += sum;
      if (i != j) C[(slot + j) * width + slot + i] += sum;
    }
  }
}

#endif  // SKO_MATH_H_
