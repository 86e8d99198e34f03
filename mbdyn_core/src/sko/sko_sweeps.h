// Steps between a node and its parent that all sweeps of the SKO engine share.
#ifndef SKO_SWEEPS_H_
#define SKO_SWEEPS_H_

#include <stddef.h>

#include "mbdyn/operators/sko.h"

// a vector or matrix of a node, by its name
#define SKO_FIELD(name) offsetof(mbd_sko_node_t, name)

static inline double *
sko_field(const mbd_sko_node_t * node, size_t field)
{
  return *(double * const *)(const void *)((const char *)node + field);
}

// x = A^T y_p of the parent's field; `base` (or NULL) is the world's
void mbdi_sko_from_parent(
  const mbd_sko_t * sko, const mbd_sko_node_t * node, const double * base, size_t field,
  double * x);

// y_p += A x in the parent's field
void mbdi_sko_to_parent(
  const mbd_sko_t * sko, const mbd_sko_node_t * node, const double * x, size_t field);

// nodes of rigid bodies alone, that hang on one
static inline bool
sko_is_rigid(const mbd_sko_node_t * node)
{
  return node->rigid && node->rows == 6 && node->n % 6 == 0;
}

// Y_p += A X A^T in the parent's field; uses work_a. Of rigid bodies only the diagonal blocks of X
// count
void mbdi_sko_push_inertia(
  mbd_sko_t * sko, const mbd_sko_node_t * node, const double * X, size_t field);

// y += phi x of one rigid body, x every `stride` numbers
void mbdi_sko_add_rigid(const mbd_placement_t * place, const double * x, int stride, double * y);

#endif  // SKO_SWEEPS_H_
