// The 6 x 6 matrix of a moving body that Coriolis matrices and derivatives are made of, row-major,
// angular first.
#ifndef VELOCITY_MATRIX_H_
#define VELOCITY_MATRIX_H_

#include <stdbool.h>

#include "mbdyn/spatial.h"

static inline mbd_motion_t
unit_motion(int k)
{
  mbd_motion_t e = {{k == 0, k == 1, k == 2}, {k == 3, k == 4, k == 5}};
  return e;
}

// column k of B += f
static inline void
add_column(double * B, int column, mbd_force_t f)
{
  const double numbers[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  for (int row = 0; row < 6; row++) B[6 * row + column] += numbers[row];
}

// B x, or B^T x
static inline mbd_force_t
multiply(const double * B, bool transposed, mbd_motion_t V)
{
  const double x[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  double y[6] = {0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) y[i] += (transposed ? B[6 * j + i] : B[6 * i + j]) * x[j];
  }
  mbd_force_t f = {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
  return f;
}

// B += s (bar(V) M - M tilde(V) - hat(M V)), column by column; -hat(h) x = bar(x) h   (1.27)
static inline void
add_velocity_matrix(double s, const mbd_inertia_t * M, mbd_motion_t V, double * B)
{
  const mbd_force_t h = mbdu_inertia_mul(M, V);
  for (int k = 0; k < 6; k++) {
    const mbd_motion_t e = unit_motion(k);
    mbd_force_t column = mbdu_force_cross(V, mbdu_inertia_mul(M, e));
    column = mbdu_force_sub(column, mbdu_inertia_mul(M, mbdu_motion_cross(V, e)));
    column = mbdu_force_add(column, mbdu_force_cross(e, h));
    add_column(B, k, mbdu_force_scale(s, column));
  }
}

#endif  // VELOCITY_MATRIX_H_
