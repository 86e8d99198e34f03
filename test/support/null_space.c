#include "null_space.h"

#include <math.h>
#include <stdlib.h>

// G and gamma reduced to [I F; 0 0] with columns in the order `column`; the rank
static int
reduce(mat_t G, mat_t gamma, double tolerance, int * column)
{
  int rank = 0;
  for (int j = 0; j < G.c; j++) column[j] = j;
  const double size = largest_entry(G);
  while (rank < G.r && rank < G.c) {
    int pi = rank, pj = rank;
    for (int i = rank; i < G.r; i++) {
      for (int j = rank; j < G.c; j++) {
        if (fabs(*at(G, i, column[j])) > fabs(*at(G, pi, column[pj]))) pi = i, pj = j;
      }
    }
    if (!(fabs(*at(G, pi, column[pj])) > tolerance * size)) break;
    const int c = column[pj];
    column[pj] = column[rank];
    column[rank] = c;
    const double pivot = *at(G, pi, c);
    for (int j = 0; j <= G.c; j++) {
      double * a = j < G.c ? at(G, rank, j) : &gamma.a[rank];
      double * b = j < G.c ? at(G, pi, j) : &gamma.a[pi];
      const double swap = *a;
      *a = *b / pivot;
      if (pi != rank) *b = swap;
    }
    for (int i = 0; i < G.r; i++) {
      const double factor = *at(G, i, c);
      if (i == rank || factor == 0) continue;
      for (int j = 0; j < G.c; j++) *at(G, i, j) -= factor * *at(G, rank, j);
      gamma.a[i] -= factor * gamma.a[rank];
    }
    rank++;
  }
  return rank;
}

mat_t
null_space(mat_t G, double tolerance)
{
  int * column = malloc(sizeof(int) * ((size_t)G.c + 1));
  const mat_t R = mat_from(G.r, G.c, G.a), unused = mat(G.r, 1);
  const int rank = reduce(R, unused, tolerance, column);
  mat_t N = mat(G.c, G.c - rank);
  for (int k = 0; k < G.c - rank; k++) {
    *at(N, column[rank + k], k) = 1;
    for (int i = 0; i < rank; i++) *at(N, column[i], k) = -*at(R, i, column[rank + k]);
  }
  free(column);
  return N;
}

mat_t
particular(mat_t G, mat_t gamma, double tolerance)
{
  int * column = malloc(sizeof(int) * ((size_t)G.c + 1));
  const mat_t R = mat_from(G.r, G.c, G.a), right = mat_from(gamma.r, 1, gamma.a);
  const int rank = reduce(R, right, tolerance, column);
  mat_t x = mat(G.c, 1);
  for (int i = 0; i < rank; i++) x.a[column[i]] = right.a[i];
  free(column);
  return x;
}

mat_t
constrained_acceleration(mat_t M, mat_t rhs, mat_t G, mat_t gamma)
{
  const mat_t x = particular(G, gamma, 1e-9), N = null_space(G, 1e-9);
  if (N.c == 0) return x;
  const mat_t force = PROD(tr(N), sub(rhs, PROD(M, x)));
  return SUM(x, PROD(N, inverse(PROD(tr(N), M, N)), force));
}
