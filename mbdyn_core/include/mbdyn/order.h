/// \file order.h
/// Conversion between angular first (the core) and linear first (ROS, JSON, Pinocchio, KDL).
///
///   mbdu_motion_to_linear_first, mbdu_force_to_linear_first       struct to six numbers
///   mbdu_motion_from_linear_first, mbdu_force_from_linear_first   six numbers to struct
///   mbdu_rows_swap       swap rows 0-2 and 3-5 of a row-major 6 x n matrix, in place
///   mbdu_blocks_swap     swap both rows and columns of a 6 x 6 matrix, in place
///
/// Only this header uses the linear-first order.
#ifndef MBDYN__ORDER_H_
#define MBDYN__ORDER_H_

#include "mbdyn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline void
mbdu_motion_to_linear_first(const mbd_motion_t * V, double * out)
{
  out[0] = V->lin.x, out[1] = V->lin.y, out[2] = V->lin.z;
  out[3] = V->ang.x, out[4] = V->ang.y, out[5] = V->ang.z;
}

static inline void
mbdu_force_to_linear_first(const mbd_force_t * f, double * out)
{
  out[0] = f->lin.x, out[1] = f->lin.y, out[2] = f->lin.z;
  out[3] = f->ang.x, out[4] = f->ang.y, out[5] = f->ang.z;
}

static inline mbd_motion_t
mbdu_motion_from_linear_first(const double * in)
{
  mbd_motion_t V = {{in[3], in[4], in[5]}, {in[0], in[1], in[2]}};
  return V;
}

static inline mbd_force_t
mbdu_force_from_linear_first(const double * in)
{
  mbd_force_t f = {{in[3], in[4], in[5]}, {in[0], in[1], in[2]}};
  return f;
}

static inline void
mbdu_rows_swap(double * J, int columns)
{
  for (int k = 0; k < 3 * columns; k++) {
    const double keep = J[k];
    J[k] = J[k + 3 * columns];
    J[k + 3 * columns] = keep;
  }
}

static inline void
mbdu_blocks_swap(double * A)
{
  mbdu_rows_swap(A, 6);
  for (int row = 0; row < 6; row++) {
    for (int k = 0; k < 3; k++) {
      const double keep = A[6 * row + k];
      A[6 * row + k] = A[6 * row + k + 3];
      A[6 * row + k + 3] = keep;
    }
  }
}

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__ORDER_H_
