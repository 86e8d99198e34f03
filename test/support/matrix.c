#include "matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//---------- making and freeing ----------

// every matrix is one allocation with a link in front
typedef struct node {
  struct node * next;
  double a[];
} node_t;

static node_t * all_matrices;

mat_t
mat(int r, int c)
{
  node_t * node = calloc(1, sizeof *node + ((size_t)r * (size_t)c + 1) * sizeof(double));
  assert_non_null(node);
  node->next = all_matrices;
  all_matrices = node;
  mat_t A = {r, c, node->a};
  return A;
}

void
mats_free(void)
{
  while (all_matrices) {
    node_t * next = all_matrices->next;
    free(all_matrices);
    all_matrices = next;
  }
}

mat_t
mat_from(int r, int c, const double * a)
{
  mat_t A = mat(r, c);
  memcpy(A.a, a, (size_t)r * (size_t)c * sizeof *a);
  return A;
}

mat_t
eye(int n)
{
  mat_t A = mat(n, n);
  for (int i = 0; i < n; i++) *at(A, i, i) = 1;
  return A;
}

mat_t
column(int n, const double * a)
{
  return mat_from(n, 1, a);
}

double *
at(mat_t A, int i, int j)
{
  return &A.a[i * A.c + j];
}

//---------- arithmetic ----------

static mat_t
product(mat_t A, mat_t B)
{
  assert_int_equal(A.c, B.r);
  mat_t C = mat(A.r, B.c);
  for (int i = 0; i < A.r; i++) {
    for (int k = 0; k < A.c; k++) {
      const double s = A.a[i * A.c + k];
      // operators of trees are mostly zero
      if (s == 0) continue;
      for (int j = 0; j < B.c; j++) C.a[i * B.c + j] += s * B.a[k * B.c + j];
    }
  }
  return C;
}

mat_t
prod_(const mat_t * list, size_t n)
{
  // from the right: a column at the end keeps everything cheap
  mat_t C = list[n - 1];
  for (size_t k = n - 1; k-- > 0;) C = product(list[k], C);
  return C;
}

mat_t
sum_(const mat_t * list, size_t n)
{
  mat_t C = mat(list[0].r, list[0].c);
  for (size_t k = 0; k < n; k++) {
    assert_int_equal(list[k].r, C.r);
    assert_int_equal(list[k].c, C.c);
    for (int i = 0; i < C.r * C.c; i++) C.a[i] += list[k].a[i];
  }
  return C;
}

mat_t
scale(double s, mat_t A)
{
  mat_t C = mat(A.r, A.c);
  for (int i = 0; i < C.r * C.c; i++) C.a[i] = s * A.a[i];
  return C;
}

mat_t
sub(mat_t A, mat_t B)
{
  return SUM(A, scale(-1, B));
}

mat_t
tr(mat_t A)
{
  mat_t C = mat(A.c, A.r);
  for (int i = 0; i < A.r; i++) {
    for (int j = 0; j < A.c; j++) *at(C, j, i) = *at(A, i, j);
  }
  return C;
}

static void
swap_rows(mat_t A, int i, int j)
{
  for (int k = 0; k < A.c; k++) {
    const double keep = *at(A, i, k);
    *at(A, i, k) = *at(A, j, k);
    *at(A, j, k) = keep;
  }
}

static int
pivot_row(mat_t A, int k)
{
  int best = k;
  for (int i = k + 1; i < A.r; i++) {
    if (fabs(*at(A, i, k)) > fabs(*at(A, best, k))) best = i;
  }
  return best;
}

mat_t
inverse(mat_t A)
{
  assert_int_equal(A.r, A.c);
  mat_t L = mat_from(A.r, A.c, A.a), B = eye(A.r);
  for (int k = 0; k < A.r; k++) {
    const int best = pivot_row(L, k);
    swap_rows(L, k, best);
    swap_rows(B, k, best);
    const double pivot = *at(L, k, k);
    if (!(fabs(pivot) > 0)) fail_msg("inverse of a singular %d x %d matrix", A.r, A.c);
    for (int i = 0; i < A.r; i++) {
      const double f = *at(L, i, k) / pivot;
      if (i == k || f == 0) continue;
      for (int j = 0; j < A.c; j++) {
        *at(L, i, j) -= f * *at(L, k, j);
        *at(B, i, j) -= f * *at(B, k, j);
      }
    }
    for (int j = 0; j < A.c; j++) {
      *at(L, k, j) /= pivot;
      *at(B, k, j) /= pivot;
    }
  }
  return B;
}

double
determinant(mat_t A)
{
  mat_t L = mat_from(A.r, A.c, A.a);
  double det = 1;
  for (int k = 0; k < A.r; k++) {
    const int best = pivot_row(L, k);
    if (best != k) det = -det;
    swap_rows(L, k, best);
    const double pivot = *at(L, k, k);
    det *= pivot;
    if (pivot == 0) return 0;
    for (int i = k + 1; i < A.r; i++) {
      const double f = *at(L, i, k) / pivot;
      for (int j = k; j < A.c; j++) *at(L, i, j) -= f * *at(L, k, j);
    }
  }
  return det;
}

//---------- parts and numbers ----------

mat_t
block(mat_t A, int row, int col, int r, int c)
{
  mat_t B = mat(r, c);
  for (int i = 0; i < r; i++) {
    for (int j = 0; j < c; j++) *at(B, i, j) = *at(A, row + i, col + j);
  }
  return B;
}

void
set_block(mat_t A, int row, int col, mat_t B)
{
  for (int i = 0; i < B.r; i++) {
    for (int j = 0; j < B.c; j++) *at(A, row + i, col + j) = *at(B, i, j);
  }
}

mat_t
diagonal_blocks(mat_t A, int size)
{
  mat_t B = mat(A.r, A.c);
  for (int i = 0; i < A.r; i += size) set_block(B, i, i, block(A, i, i, size, size));
  return B;
}

double
trace(mat_t A)
{
  double sum = 0;
  for (int i = 0; i < A.r; i++) sum += *at(A, i, i);
  return sum;
}

double
largest_entry(mat_t A)
{
  double big = 0;
  for (int i = 0; i < A.r * A.c; i++) big = larger(big, fabs(A.a[i]));
  return big;
}

double
scalar(mat_t A)
{
  assert_int_equal(A.r * A.c, 1);
  return A.a[0];
}

// one Jacobi rotation that makes A(i,j) zero
static void
rotate_away(mat_t A, int i, int j)
{
  if (*at(A, i, j) == 0) return;
  const double theta = 0.5 * atan2(2 * *at(A, i, j), *at(A, j, j) - *at(A, i, i));
  const double c = cos(theta), s = sin(theta);
  for (int k = 0; k < A.c; k++) {
    const double x = *at(A, k, i), y = *at(A, k, j);
    *at(A, k, i) = c * x - s * y;
    *at(A, k, j) = s * x + c * y;
  }
  for (int k = 0; k < A.c; k++) {
    const double x = *at(A, i, k), y = *at(A, j, k);
    *at(A, i, k) = c * x - s * y;
    *at(A, j, k) = s * x + c * y;
  }
}

// diagonal of a symmetric matrix after rotating everything else away
static mat_t
eigenvalues(mat_t A)
{
  mat_t B = scale(0.5, SUM(A, tr(A)));
  for (int sweep = 0; sweep < 30; sweep++) {
    for (int i = 0; i < B.r; i++) {
      for (int j = i + 1; j < B.r; j++) rotate_away(B, i, j);
    }
  }
  mat_t values = mat(B.r, 1);
  for (int i = 0; i < B.r; i++) values.a[i] = *at(B, i, i);
  return values;
}

double
smallest_eigenvalue(mat_t A)
{
  const mat_t values = eigenvalues(A);
  double small = HUGE_VAL;
  for (int i = 0; i < values.r; i++) small = fmin(small, values.a[i]);
  return small;
}

int
rank_of(mat_t A, double tolerance)
{
  const mat_t values = eigenvalues(PROD(A, tr(A)));
  const double big = largest_entry(values);
  int rank = 0;
  for (int i = 0; i < values.r; i++) rank += values.a[i] > tolerance * tolerance * big;
  return rank;
}

//---------- matrices of the book ----------

mat_t
skew3(const double * x)
{
  const double a[9] = {0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0};
  return mat_from(3, 3, a);
}

mat_t
tilde6(const double * z)
{
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, skew3(z));
  set_block(A, 3, 3, skew3(z));
  set_block(A, 3, 0, skew3(z + 3));
  return A;
}

mat_t
bar6(const double * z)
{
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, skew3(z));
  set_block(A, 3, 3, skew3(z));
  set_block(A, 0, 3, skew3(z + 3));
  return A;
}

mat_t
hat6(const double * z)
{
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, skew3(z));
  set_block(A, 0, 3, skew3(z + 3));
  set_block(A, 3, 0, skew3(z + 3));
  return A;
}

mat_t
phi6(mat_t T)
{
  const mat_t R = block(T, 0, 0, 3, 3);
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, R);
  set_block(A, 3, 3, R);
  set_block(A, 0, 3, PROD(skew3(block(T, 0, 3, 3, 1).a), R));
  return A;
}

mat_t
half6(const double * z, int lin)
{
  mat_t A = mat(6, 1);
  for (int i = 0; i < 3; i++) A.a[3 * lin + i] = z[3 * lin + i];
  return A;
}

mat_t
inertia6(const mbd_inertia_t * M)
{
  const double h[3] = {M->h.x, M->h.y, M->h.z};
  const double J[9] = {M->I.xx, M->I.xy, M->I.xz, M->I.xy, M->I.yy,
                       M->I.yz, M->I.xz, M->I.yz, M->I.zz};
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, mat_from(3, 3, J));
  set_block(A, 0, 3, skew3(h));
  set_block(A, 3, 0, scale(-1, skew3(h)));
  set_block(A, 3, 3, scale(M->mass, eye(3)));
  return A;
}

mat_t
sym6(const mbd_sym6_t * P)
{
  const mbd_sym3_t *J = &P->J, *M = &P->M;
  const double top[9] = {J->xx, J->xy, J->xz, J->xy, J->yy, J->yz, J->xz, J->yz, J->zz};
  const double low[9] = {M->xx, M->xy, M->xz, M->xy, M->yy, M->yz, M->xz, M->yz, M->zz};
  mat_t A = mat(6, 6);
  set_block(A, 0, 0, mat_from(3, 3, top));
  set_block(A, 0, 3, mat_from(3, 3, P->H.m));
  set_block(A, 3, 0, tr(mat_from(3, 3, P->H.m)));
  set_block(A, 3, 3, mat_from(3, 3, low));
  return A;
}

mat_t
motion6(mbd_motion_t V)
{
  const double a[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  return column(6, a);
}

mat_t
force6(mbd_force_t f)
{
  const double a[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  return column(6, a);
}

mat_t
placement4(const mbd_placement_t * X)
{
  const double p[3] = {X->p.x, X->p.y, X->p.z};
  mat_t T = eye(4);
  set_block(T, 0, 0, mat_from(3, 3, X->R.m));
  set_block(T, 0, 3, mat_from(3, 1, p));
  return T;
}

mat_t
inverse4(mat_t T)
{
  const mat_t Rt = tr(block(T, 0, 0, 3, 3));
  mat_t A = eye(4);
  set_block(A, 0, 0, Rt);
  set_block(A, 0, 3, scale(-1, PROD(Rt, block(T, 0, 3, 3, 1))));
  return A;
}

mat_t
twist4(const double * z)
{
  mat_t A = mat(4, 4);
  set_block(A, 0, 0, skew3(z));
  set_block(A, 0, 3, mat_from(3, 1, z + 3));
  return A;
}

mat_t
expm(mat_t A)
{
  // scale down, Taylor, square up
  int halvings = 0;
  double size = largest_entry(A) * A.r;
  for (; size > 0.25; size /= 2) halvings++;
  const mat_t B = scale(ldexp(1, -halvings), A);
  mat_t sum = eye(A.r), term = eye(A.r);
  for (int k = 1; k < 16; k++) {
    term = scale(1.0 / k, PROD(term, B));
    sum = SUM(sum, term);
  }
  for (int k = 0; k < halvings; k++) sum = PROD(sum, sum);
  return sum;
}

//---------- comparing ----------

void
assert_mat_(
  mat_t A, mat_t B, double tolerance, double floor, const char * file, int line,
  const char * format, ...)
{
  char what[200], where[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (A.r != B.r || A.c != B.c) {
    print_error("%s: %d x %d against %d x %d\n", what, A.r, A.c, B.r, B.c);
    _fail(file, line);
  }
  snprintf(where, sizeof where, "%s (%d x %d)", what, A.r, A.c);
  assert_close_(A.a, B.a, (size_t)(A.r * A.c), tolerance, floor, file, line, "%s", where);
}
