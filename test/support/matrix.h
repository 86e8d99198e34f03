/// \file matrix.h
/// Small dense matrices for oracles, so that a test reads like the formula.
///
///   mat, mat_from, eye, column     make one
///   PROD, SUM                      product and sum of any number
///   sub, scale, tr, inverse        difference, multiple, transpose, inverse
///   block, set_block               parts
///   trace, determinant, largest_entry, smallest_eigenvalue, rank_of
///   skew3, tilde6, bar6, hat6, phi6, inertia6   the 6x6 matrices of the book
///   expm                           matrix exponential
///   assert_mat                     two matrices are close
///   mats_free                      free all matrices made so far
///
/// Nothing here uses spatial.h. All matrices are owned by one hidden list: a test calls mats_free
/// when it is done with a robot.
#ifndef MATRIX_H_
#define MATRIX_H_

#include "close.h"
#include "mbdyn/types.h"

typedef struct mat {
  int r, c;
  double * a;  // row-major
} mat_t;

mat_t mat(int r, int c);
mat_t mat_from(int r, int c, const double * a);
mat_t eye(int n);
mat_t column(int n, const double * a);
void mats_free(void);

double * at(mat_t A, int i, int j);

mat_t prod_(const mat_t * list, size_t n);
mat_t sum_(const mat_t * list, size_t n);
#define LENGTH_(...) (sizeof((mat_t[]){__VA_ARGS__}) / sizeof(mat_t))
#define PROD(...)    prod_((mat_t[]){__VA_ARGS__}, LENGTH_(__VA_ARGS__))
#define SUM(...)     sum_((mat_t[]){__VA_ARGS__}, LENGTH_(__VA_ARGS__))

mat_t sub(mat_t A, mat_t B);
mat_t scale(double s, mat_t A);
mat_t tr(mat_t A);

/// Gauss-Jordan with pivoting; fails the test if A is singular.
mat_t inverse(mat_t A);

mat_t block(mat_t A, int row, int col, int r, int c);
void set_block(mat_t A, int row, int col, mat_t B);

/// A with everything outside the diagonal blocks of the given size set to zero.
mat_t diagonal_blocks(mat_t A, int size);

double trace(mat_t A);
double determinant(mat_t A);
double largest_entry(mat_t A);
double scalar(mat_t A);  // the only entry of a 1x1

/// Of a symmetric matrix, by Jacobi rotations.
double smallest_eigenvalue(mat_t A);

/// Singular values above tolerance times the largest.
int rank_of(mat_t A, double tolerance);

//---------- matrices of the book ----------

mat_t skew3(const double * x);            // x~                                       (1.13)
mat_t tilde6(const double * z);           // [x~ 0; y~ x~]                            (1.23)
mat_t bar6(const double * z);             // [x~ y~; 0 x~]                            (1.25)
mat_t hat6(const double * z);             // [x~ y~; y~ 0]                            (1.25)
mat_t phi6(mat_t T);                      // [R l~R; 0 R] of a 4x4 transform          (1.31)
mat_t half6(const double * z, int lin);   // z with the other half zero, 6x1
mat_t inertia6(const mbd_inertia_t * M);  // [J h~; -h~ m]                      (2.7)
mat_t sym6(const mbd_sym6_t * P);
mat_t motion6(mbd_motion_t V);
mat_t force6(mbd_force_t f);
mat_t placement4(const mbd_placement_t * X);  // 4x4
mat_t inverse4(mat_t T);                      // of a rigid transform

/// 4x4 velocity matrix [w~ v; 0 0] of a twist, angular first.
mat_t twist4(const double * z);

mat_t expm(mat_t A);

void assert_mat_(
  mat_t A, mat_t B, double tolerance, double floor, const char * file, int line,
  const char * format, ...) __attribute__((format(printf, 7, 8)));

/// Close relative to the largest entry.
#define assert_mat(A, B, tolerance, ...) \
  assert_mat_(A, B, tolerance, 1e-12, __FILE__, __LINE__, __VA_ARGS__)

/// Close relative to the largest entry or `floor`, whichever is greater.
#define assert_mat_floor(A, B, tolerance, floor, ...) \
  assert_mat_(A, B, tolerance, floor, __FILE__, __LINE__, __VA_ARGS__)

#define assert_close_floor(a, b, n, tolerance, floor, ...) \
  assert_close_(a, b, (size_t)(n), tolerance, floor, __FILE__, __LINE__, __VA_ARGS__)

/// One number against another.
#define assert_near(a, b, tolerance, ...)                                                \
  do {                                                                                   \
    const double near_a_ = (a), near_b_ = (b);                                           \
    assert_close_(&near_a_, &near_b_, 1, tolerance, 1, __FILE__, __LINE__, __VA_ARGS__); \
  } while (0)

#endif  // MATRIX_H_
