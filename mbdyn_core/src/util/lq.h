// Rank-revealing LQ factorisation of a wide or tall matrix, in memory of the caller.
//
//   P S^-1 A = [L11 0; L21 L22] Q,   |L22| <= tolerance
//
// Rows are divided by their scales and taken in order of what they add to those before (Householder
// reflections from the right, row pivoting). Rows after the rank are redundant.
#ifndef LQ_H_
#define LQ_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mbdi_lq {
  int m, n, rank;
  double * A;      // rows as given, then L and the reflectors                    [m n]
  double * scale;  // of each row, as given                                       [m]
  double * tau;    // of the reflectors                                           [m]
  int * row;       // row[i] of A is row i of P A                                 [m]
} mbdi_lq_t;

// numbers of work that an m x n factorisation takes
size_t mbdi_lq_work(int m, int n);

// lay it out in work; returns the work behind it. A and scale are to be filled.
double * mbdi_lq_init(mbdi_lq_t * lq, int m, int n, double * work);

// factorise. Rows that add less than tolerance to those before are redundant; with `most` >= 0 the
// rank is at most that. Scales of zero count as one.
void mbdi_lq_factor(mbdi_lq_t * lq, double tolerance, int most);

// x := Q x, and x := Q^T x, n numbers
void mbd_lq_Q(const mbdi_lq_t * lq, double * x);
void mbd_lq_Q_transpose(const mbdi_lq_t * lq, double * x);

// x of least norm with A x = b on the independent rows; y is scratch of m numbers. Returns the
// largest miss, in scaled rows, of the redundant ones, and its row in *worst (or -1; may be NULL).
double mbdi_lq_solve(const mbdi_lq_t * lq, const double * b, double * y, double * x, int * worst);

// x of least norm among those that miss A x = b least, in scaled rows and all of them; b is spoilt;
// work: mbdi_lq_work(m, m)
void mbdi_lq_solve_least(const mbdi_lq_t * lq, double * b, double * work, double * x);

// lambda with A^T lambda = g as far as the rows go (g is spoilt): zero on redundant rows
void mbdi_lq_solve_transpose(const mbdi_lq_t * lq, double * g, double * lambda);

// the same of least norm in scaled rows; work: mbdi_lq_work(m, m)
void mbdi_lq_solve_transpose_least(
  const mbdi_lq_t * lq, double * g, double * work, double * lambda);

// x := x - Q1^T Q1 x, what of x no row sees; y is scratch of n numbers
void mbdi_lq_null_part(const mbdi_lq_t * lq, double * x);

#endif  // LQ_H_
