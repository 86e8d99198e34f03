// Velocities of all joints of a tree by those of independent ones, v_tree = X v, and the dynamics that
// follow: (X^T M X) vdot = X^T (tau - h). X has a one for every independent velocity, and a few numbers
// for each dependent one.
#ifndef PROJECTION_H_
#define PROJECTION_H_

#include <stdbool.h>
#include <stddef.h>

#include "mbdyn/model.h"

typedef struct mbdi_projection {
  int n;             // degrees of freedom of the tree
  int nv;            // independent ones
  int * dof;         // which they are, ascending; then zeros up to `ld`                   [ld]
  int ndep;          // and the others
  int * dep;         // which they are                                                     [ndep]
  int *begin, *end;  // their numbers in v and X                                           [ndep]
  bool single;       // each has one: begin[i] = i
  int * v;           // independent velocity of each number
  double * X;        // the number
  int * order;  // independent velocities, each after those of larger number it is coupled with [nv]
  int nled, *led;  // independent velocities that dependent ones follow, ascending       [nled]
} mbdi_projection_t;

// up to this number of independent velocities there are kernels
enum { MBDI_PROJECTED_DOF = 64 };

// rows of X^T M X are as long, so that kernels need not care for the end of a row
static inline int
mbdi_projected_ld(int nv)
{
  return (nv + 7) / 8 * 8;
}

// numbers of M_r, with some behind it that kernels may read
static inline int
mbdi_projected_size(int nv)
{
  return nv * mbdi_projected_ld(nv) + 16;
}

// Kernels, compiled once per instruction set.
typedef struct mbdi_projection_kernels {
  // M_r (nv x ld, on and below the diagonal) = X^T M X of M (n x n), which is overwritten
  void (*project)(const mbdi_projection_t * p, double * M, double * M_r);
  // M_r = L^T D L: L below its diagonal, 1 / D in inverse [nv] (Featherstone 2008, sec 6.5). False at a
  // pivot that is small against the diagonal: inertias too different, or none. x := L^-T x on the way.
  bool (*factorize)(const mbdi_projection_t * p, double * M_r, double * inverse, double * x);
  // x := L^-1 D^-1 x, which makes it M_r^-1 of what factorize was given
  void (*solve)(int nv, const double * M_r, const double * inverse, double * x);
} mbdi_projection_kernels_t;

extern const mbdi_projection_kernels_t mbdi_projection_kernels_baseline, mbdi_projection_kernels_v3,
  mbdi_projection_kernels_v4;

// those for the machine and the model
const mbdi_projection_kernels_t * mbdi_projection_kernels(const mbd_model_t * tree);

// x_tree = X x
static inline void
mbdi_projection_expand(const mbdi_projection_t * p, const double * x, double * x_tree)
{
  for (int k = 0; k < p->nv; k++) x_tree[p->dof[k]] = x[k];
  for (int i = 0; p->single && i < p->ndep; i++) x_tree[p->dep[i]] = p->X[i] * x[p->v[i]];
  for (int i = 0; !p->single && i < p->ndep; i++) {
    double sum = 0;
    for (int k = p->begin[i]; k < p->end[i]; k++) sum += p->X[k] * x[p->v[k]];
    x_tree[p->dep[i]] = sum;
  }
}

// whether the dependent ones of x_tree are finite; one by one, as they have just been stored
static inline bool
mbdi_projection_is_finite(const mbdi_projection_t * p, const double * x_tree)
{
  double sum = 0;
  for (int i = 0; i < p->ndep; i++) sum += 0 * x_tree[p->dep[i]];
  return sum == 0;
}

// y = X^T y_tree
static inline void
mbdi_projection_reduce(const mbdi_projection_t * p, const double * y_tree, double * y)
{
  for (int k = 0; k < p->nv; k++) y[k] = y_tree[p->dof[k]];
  for (int i = 0; p->single && i < p->ndep; i++) y[p->v[i]] += p->X[i] * y_tree[p->dep[i]];
  for (int i = 0; !p->single && i < p->ndep; i++) {
    const double number = y_tree[p->dep[i]];
    for (int k = p->begin[i]; k < p->end[i]; k++) y[p->v[k]] += p->X[k] * number;
  }
}

#endif  // PROJECTION_H_
