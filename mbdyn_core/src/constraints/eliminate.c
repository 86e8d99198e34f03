// Rank-revealing Gauss elimination: dependent rows get no pivot.
#include <math.h>

#include "constraints/embedding_internal.h"

// largest number of the rows from k on, in the candidate columns from k on
static double
find_pivot(
  int nrow, int ncol, const double * A, int ncand, const int * col, const int * row, int k,
  int * pivot_row, int * pivot_col)
{
  double largest = 0;
  for (int i = k; i < nrow; i++) {
    for (int j = k; j < ncand; j++) {
      const double size = fabs(A[row[i] * ncol + col[j]]);
      if (!(size > largest)) continue;
      largest = size;
      *pivot_row = i, *pivot_col = j;
    }
  }
  return largest;
}

static void
swap(int * list, int i, int j)
{
  const int keep = list[i];
  list[i] = list[j];
  list[j] = keep;
}

// multipliers are stored below the pivot, in place of the eliminated entries
static void
clear_below(int nrow, int ncol, double * A, const int * col, const int * row, int k)
{
  const double * pivot = A + row[k] * ncol;
  for (int i = k + 1; i < nrow; i++) {
    double * target = A + row[i] * ncol;
    const double factor = target[col[k]] / pivot[col[k]];
    if (factor == 0) continue;
    for (int j = k + 1; j < ncol; j++) target[col[j]] -= factor * pivot[col[j]];
    target[col[k]] = factor;
  }
}

int
mbdi_eliminate(
  int nrow, int ncol, double * A, int ncand, int * col, int * row, double tolerance, double * least)
{
  for (int i = 0; i < nrow; i++) row[i] = i;
  double first = 0, last = 0;
  int k = 0;
  for (; k < nrow && k < ncand; k++) {
    int pivot_row = k, pivot_col = k;
    const double size = find_pivot(nrow, ncol, A, ncand, col, row, k, &pivot_row, &pivot_col);
    if (k == 0) first = size;
    if (!(size > tolerance * first)) break;
    last = size;
    swap(row, k, pivot_row);
    swap(col, k, pivot_col);
    clear_below(nrow, ncol, A, col, row, k);
  }
  *least = k > 0 ? last / first : 1;
  return k;
}

double
mbdi_eliminated_solve(
  int nrow, int ncol, const double * A, int rank, const int * col, const int * row, double * b,
  double * x)
{
  for (int k = 0; k < rank; k++) {
    for (int i = k + 1; i < nrow; i++) b[row[i]] -= A[row[i] * ncol + col[k]] * b[row[k]];
  }
  for (int k = rank - 1; k >= 0; k--) {
    double sum = b[row[k]];
    for (int j = k + 1; j < rank; j++) sum -= A[row[k] * ncol + col[j]] * x[col[j]];
    x[col[k]] = sum / A[row[k] * ncol + col[k]];
  }
  double left = 0;
  for (int i = rank; i < nrow; i++) left = fmax(left, fabs(b[row[i]]));
  return left;
}
