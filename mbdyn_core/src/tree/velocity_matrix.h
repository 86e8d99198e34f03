// The 6 x 6 matrix of a moving body that Coriolis matrices and derivatives are made of:
//   B = 1/2 (bar(V) M - M tilde(V) - hat(M V)) = [ T 0; -p~ 0 ],  angular first,
//   T = -w~ (tr(I)/2 - I) - v h^T + (h . v) 1,  p the linear momentum
// In every frame, and so of sums over bodies: twelve numbers.
#ifndef VELOCITY_MATRIX_H_
#define VELOCITY_MATRIX_H_

#include "mbdyn/spatial.h"

typedef struct velocity_matrix {
  mbd_mat3_t T;
  mbd_vec3_t p;
} velocity_matrix_t;

// s B of a body
static inline velocity_matrix_t
velocity_matrix(double s, const mbd_inertia_t * M, mbd_motion_t V)
{
  const mbd_vec3_t w = mbdu_vec3_scale(s, V.ang), v = mbdu_vec3_scale(s, V.lin), h = M->h;
  const double half = 0.5 * (M->I.xx + M->I.yy + M->I.zz), hv = mbdu_vec3_dot(h, v);
  const mbd_mat3_t moments = {
    {half - M->I.xx, -M->I.xy, -M->I.xz, -M->I.xy, half - M->I.yy, -M->I.yz, -M->I.xz, -M->I.yz,
     half - M->I.zz}};
  velocity_matrix_t B = {mbdu_mat3_cross_left(mbdu_vec3_neg(w), &moments), {0, 0, 0}};
  const double x[3] = {v.x, v.y, v.z}, y[3] = {h.x, h.y, h.z};
  for (int k = 0; k < 9; k++) B.T.m[k] -= x[k / 3] * y[k % 3];
  for (int k = 0; k < 9; k += 4) B.T.m[k] += hv;
  B.p = mbdu_vec3_add(mbdu_vec3_scale(M->mass, v), mbdu_vec3_cross(w, h));
  return B;
}

static inline velocity_matrix_t
velocity_matrix_add(const velocity_matrix_t * A, const velocity_matrix_t * B)
{
  return (velocity_matrix_t){mbdu_mat3_add(&A->T, &B->T), mbdu_vec3_add(A->p, B->p)};
}

// phi B phi^T
static inline velocity_matrix_t
velocity_matrix_to_parent(const mbd_placement_t * X, const velocity_matrix_t * B)
{
  velocity_matrix_t C = {mbdu_mat3_rotate(&X->R, &B->T), mbdu_mat3_vec(&X->R, B->p)};
  // - x~ p~ = (x . p) 1 - p x^T
  const double x[3] = {X->p.x, X->p.y, X->p.z}, p[3] = {C.p.x, C.p.y, C.p.z};
  const double xp = mbdu_vec3_dot(X->p, C.p);
  for (int k = 0; k < 9; k++) C.T.m[k] -= p[k / 3] * x[k % 3];
  for (int k = 0; k < 9; k += 4) C.T.m[k] += xp;
  return C;
}

// B V
static inline mbd_force_t
velocity_matrix_mul(const velocity_matrix_t * B, mbd_motion_t V)
{
  return (mbd_force_t){mbdu_mat3_vec(&B->T, V.ang), mbdu_vec3_cross(V.ang, B->p)};
}

// B^T V
static inline mbd_force_t
velocity_matrix_tmul(const velocity_matrix_t * B, mbd_motion_t V)
{
  const mbd_vec3_t moment =
    mbdu_vec3_add(mbdu_mat3_tvec(&B->T, V.ang), mbdu_vec3_cross(B->p, V.lin));
  return (mbd_force_t){moment, {0, 0, 0}};
}

#endif  // VELOCITY_MATRIX_H_
