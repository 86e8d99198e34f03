#include "util/lq.h"

#include <math.h>
#include <string.h>

size_t
mbdi_lq_work(int m, int n)
{
  return (size_t)m * (size_t)n + 3 * (size_t)m;
}

double *
mbdi_lq_init(mbdi_lq_t * lq, int m, int n, double * work)
{
  lq->m = m;
  lq->n = n;
  lq->rank = 0;
  lq->A = work;
  lq->scale = work + (size_t)m * (size_t)n;
  lq->tau = lq->scale + m;
  // an int is no larger than a double
  lq->row = (int *)(void *)(lq->tau + m);
  return lq->tau + 2 * (size_t)m;
}

static double *
row_of(const mbdi_lq_t * lq, int i)
{
  return lq->A + (size_t)lq->row[i] * (size_t)lq->n;
}

//---------- factorisation ----------

// norm of a row from column k on
static double
rest_of_row(const mbdi_lq_t * lq, int i, int k)
{
  const double * a = row_of(lq, i);
  double sum = 0;
  for (int j = k; j < lq->n; j++) sum += a[j] * a[j];
  return sqrt(sum);
}

// the row from k on that adds most comes to k; returns what it adds
static double
pivot(mbdi_lq_t * lq, int k)
{
  int best = k;
  double largest = -1;
  for (int i = k; i < lq->m; i++) {
    const double size = rest_of_row(lq, i, k);
    if (size > largest) best = i, largest = size;
  }
  const int row = lq->row[k];
  lq->row[k] = lq->row[best];
  lq->row[best] = row;
  return largest;
}

// x := (I - tau v v^T) x from k on, v = (1, rest of row k)
static void
reflect(const mbdi_lq_t * lq, int k, double * x)
{
  const double * v = row_of(lq, k);
  double sum = x[k];
  for (int j = k + 1; j < lq->n; j++) sum += v[j] * x[j];
  sum *= lq->tau[k];
  x[k] -= sum;
  for (int j = k + 1; j < lq->n; j++) x[j] -= sum * v[j];
}

static void
make_reflector(mbdi_lq_t * lq, int k, double size)
{
  double * a = row_of(lq, k);
  const double beta = a[k] > 0 ? -size : size;
  const double head = a[k] - beta;
  lq->tau[k] = -head / beta;
  for (int j = k + 1; j < lq->n; j++) a[j] /= head;
  a[k] = beta;
}

void
mbdi_lq_factor(mbdi_lq_t * lq, double tolerance, int most)
{
  for (int i = 0; i < lq->m; i++) {
    lq->row[i] = i;
    if (!(lq->scale[i] > 0)) lq->scale[i] = 1;
    double * a = lq->A + (size_t)i * (size_t)lq->n;
    for (int j = 0; j < lq->n; j++) a[j] /= lq->scale[i];
  }
  int limit = lq->m < lq->n ? lq->m : lq->n;
  if (most >= 0 && most < limit) limit = most;
  for (lq->rank = 0; lq->rank < limit; lq->rank++) {
    const int k = lq->rank;
    const double size = pivot(lq, k);
    if (!(size > tolerance)) break;
    make_reflector(lq, k, size);
    for (int i = k + 1; i < lq->m; i++) reflect(lq, k, row_of(lq, i));
  }
}

//---------- products and solutions ----------

void
mbd_lq_Q(const mbdi_lq_t * lq, double * x)
{
  for (int k = 0; k < lq->rank; k++) reflect(lq, k, x);
}

void
mbd_lq_Q_transpose(const mbdi_lq_t * lq, double * x)
{
  for (int k = lq->rank - 1; k >= 0; k--) reflect(lq, k, x);
}

double
mbdi_lq_solve(const mbdi_lq_t * lq, const double * b, double * y, double * x, int * worst)
{
  double miss = 0;
  if (worst) *worst = -1;
  for (int i = 0; i < lq->m; i++) {
    const double * a = row_of(lq, i);
    double rest = b[lq->row[i]] / lq->scale[lq->row[i]];
    for (int j = 0; j < i && j < lq->rank; j++) rest -= a[j] * y[j];
    if (i < lq->rank) {
      y[i] = rest / a[i];
    } else if (fabs(rest) > miss) {
      miss = fabs(rest);
      if (worst) *worst = lq->row[i];
    }
  }
  memset(x, 0, (size_t)lq->n * sizeof *x);
  memcpy(x, y, (size_t)lq->rank * sizeof *x);
  mbd_lq_Q_transpose(lq, x);
  return miss;
}

void
mbdi_lq_solve_transpose(const mbdi_lq_t * lq, double * g, double * lambda)
{
  mbd_lq_Q(lq, g);
  memset(lambda, 0, (size_t)lq->m * sizeof *lambda);
  for (int i = lq->rank - 1; i >= 0; i--) {
    double rest = g[i];
    for (int j = i + 1; j < lq->rank; j++) rest -= row_of(lq, j)[i] * lambda[lq->row[j]];
    lambda[lq->row[i]] = rest / row_of(lq, i)[i];
  }
  for (int i = 0; i < lq->m; i++) lambda[i] /= lq->scale[i];
}

// LQ factorisation of L^T, rows of L in the order of A; returns the work behind it
static double *
factor_L(const mbdi_lq_t * lq, double * work, mbdi_lq_t * t)
{
  double * rest = mbdi_lq_init(t, lq->rank, lq->m, work);
  for (int i = 0; i < lq->rank; i++) {
    for (int j = 0; j < lq->m; j++) {
      t->A[(size_t)i * (size_t)lq->m + (size_t)lq->row[j]] = j < i ? 0 : row_of(lq, j)[i];
    }
    t->scale[i] = 1;
  }
  mbdi_lq_factor(t, 0, -1);
  return rest;
}

void
mbdi_lq_solve_least(const mbdi_lq_t * lq, double * b, double * work, double * x)
{
  mbdi_lq_t t;
  double * y = factor_L(lq, work, &t);
  for (int i = 0; i < lq->m; i++) b[i] /= lq->scale[i];
  mbdi_lq_solve_transpose(&t, b, y);
  memset(x, 0, (size_t)lq->n * sizeof *x);
  memcpy(x, y, (size_t)lq->rank * sizeof *x);
  mbd_lq_Q_transpose(lq, x);
}

void
mbdi_lq_solve_transpose_least(const mbdi_lq_t * lq, double * g, double * work, double * lambda)
{
  if (lq->rank == lq->m) {
    mbdi_lq_solve_transpose(lq, g, lambda);
    return;
  }
  // L^T (S lambda) = first part of Q g
  mbdi_lq_t t;
  double * y = factor_L(lq, work, &t);
  mbd_lq_Q(lq, g);
  mbdi_lq_solve(&t, g, y, lambda, NULL);
  for (int i = 0; i < lq->m; i++) lambda[i] /= lq->scale[i];
}

void
mbdi_lq_null_part(const mbdi_lq_t * lq, double * x)
{
  mbd_lq_Q(lq, x);
  memset(x, 0, (size_t)lq->rank * sizeof *x);
  mbd_lq_Q_transpose(lq, x);
}
