// Arithmetic on the rows of contact problems, compiled once per instruction set. Rows and vectors have
// `wide` or `ld` numbers, a multiple of MBDI_ROW_PAD with zeros at the end; matrices have
// MBDI_ROWS_BEHIND more rows of zeros.
#ifndef ROW_KERNELS_H_
#define ROW_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>

#include "mbdyn/model.h"

enum { MBDI_ROW_PAD = 8, MBDI_ROWS_BEHIND = 3, MBDI_WHITEN_MOST = 8 };

static inline int
mbdi_row_wide(int n)
{
  return (n + MBDI_ROW_PAD - 1) / MBDI_ROW_PAD * MBDI_ROW_PAD;
}

// Factors of a semidefinite matrix S A S, S = diag(s): row order[k] of it is the k-th pivot, and
// S A S = L L^T up to what is left, L^T [rank ld].
typedef struct mbdi_pivots {
  int rank;
  int * order;
  double * Lt;
  double smallest, left;  // pivot that was taken, and the largest that was not
} mbdi_pivots_t;

typedef struct mbdi_row_kernels {
  // A (m x ld) = rows forces^T, of rows of `wide` numbers
  void (*gram)(
    int m, int wide, int ld, const double * rows, const double * forces, bool symmetric,
    double * A);
  double (*dot)(int wide, const double * a, const double * b);
  // x = sum of f_i row_i
  void (*combine)(int m, int wide, const double * rows, const double * f, double * x);
  // u = b + rows x
  void (*product)(
    int m, int wide, const double * rows, const double * x, const double * b, double * u);
  // b := A^-1 b of n rows, by elimination with pivots from the columns; A is overwritten, its numbers behind
  // n are any; b has ld numbers. False at a pivot of zero.
  bool (*solve)(int n, int ld, double * A, double * b);
  // p of S A S (m x ld), pivots above `floor`; diagonal: scratch [ld]
  void (*factorize)(
    int m, int ld, const double * A, const double * s, double floor, double * diagonal,
    mbdi_pivots_t * p);
  // y of L y = b at the pivots; b (ld numbers) is overwritten
  void (*forward)(int ld, const mbdi_pivots_t * p, double * b, double * y);
  // z of L^T z = y, zero but at the pivots [ld]
  void (*backward)(int ld, const mbdi_pivots_t * p, const double * y, double * z);
  // E = m^-1 J^T of nrow <= MBDI_WHITEN_MOST rows J with M = m m^T, m = L^T D^1/2; L as of
  // mbdi_projection_kernels_t.factorize, n x ld; inverse: 1 / D. J and E: rows of `wide` numbers, which may
  // be the same. Columns of J are zero but for `count` joints, ascending, and all ancestors of these are
  // among them. work: MBDI_WHITEN_MOST count doubles
  void (*whiten)(
    int ld, const double * L, const double * inverse, int count, const int * support, int nrow,
    int wide, const double * J, double * work, double * E);
} mbdi_row_kernels_t;

extern const mbdi_row_kernels_t mbdi_row_kernels_baseline, mbdi_row_kernels_v3;

// those for the machine and the model
const mbdi_row_kernels_t * mbdi_row_kernels(const mbd_model_t * tree);

#endif  // ROW_KERNELS_H_
