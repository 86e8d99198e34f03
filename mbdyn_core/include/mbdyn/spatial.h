/// \file spatial.h
/// Spatial algebra: pure functions on the types of types.h, all static inline.
///
///   vec3         mbdu_vec3, _add, _sub, _scale, _neg, _dot, _cross, _norm
///   mat3         mbdu_mat3_identity, _mul, _tmul, _transpose, _add, _vec, _tvec, _rotate,
///                _cross_left, _cross_right
///   sym3         mbdu_sym3_add, _vec, _rotate, _to_mat3, _from_mat3, _point_mass
///   quaternion   mbdu_quat_to_mat3, _from_mat3, _mul, _conjugate, _norm, _normalize,
///                _exp, _log, mbdu_rotation_z
///   placement    mbdu_placement_identity, _mul, _inverse, _point, _from_points
///   angles       mbdu_angle_about_z, _between
///   motion       mbdu_motion_add, _sub, _scale, _to_child, _to_parent, _cross
///   force        mbdu_force_add, _sub, _scale, _to_child, _to_parent, _cross, mbdu_power
///   inertia      mbdu_inertia_from_com, _about_com, _mul, _add, _to_parent
///   sym6         mbdu_sym6_from_inertia, _add, _mul_motion, _mul_force, _to_parent, _to_child,
///                _add_outer, _full
///
/// X is always the pose of the child in the parent: x_parent = X.R x_child + X.p. In the notation of
/// Jain, mbdu_force_to_parent is phi(parent, child), mbdu_motion_to_child is its transpose (1.31), and
/// the cross products are tilde (motion) and bar (force), (1.23), (1.26).
#ifndef MBDYN__SPATIAL_H_
#define MBDYN__SPATIAL_H_

#include <math.h>

#include "mbdyn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- three-vectors ----------

static inline mbd_vec3_t
mbdu_vec3(double x, double y, double z)
{
  mbd_vec3_t v = {x, y, z};
  return v;
}

static inline mbd_vec3_t
mbdu_vec3_add(mbd_vec3_t a, mbd_vec3_t b)
{
  return mbdu_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline mbd_vec3_t
mbdu_vec3_sub(mbd_vec3_t a, mbd_vec3_t b)
{
  return mbdu_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline mbd_vec3_t
mbdu_vec3_scale(double s, mbd_vec3_t a)
{
  return mbdu_vec3(s * a.x, s * a.y, s * a.z);
}

static inline mbd_vec3_t
mbdu_vec3_neg(mbd_vec3_t a)
{
  return mbdu_vec3(-a.x, -a.y, -a.z);
}

static inline double
mbdu_vec3_dot(mbd_vec3_t a, mbd_vec3_t b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mbd_vec3_t
mbdu_vec3_cross(mbd_vec3_t a, mbd_vec3_t b)
{
  return mbdu_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double
mbdu_vec3_norm(mbd_vec3_t a)
{
  return sqrt(mbdu_vec3_dot(a, a));
}

//---------- 3x3 matrices ----------

static inline mbd_mat3_t
mbdu_mat3_identity(void)
{
  mbd_mat3_t I = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  return I;
}

static inline mbd_vec3_t
mbdu_mat3_vec(const mbd_mat3_t * A, mbd_vec3_t x)
{
  const double * m = A->m;
  return mbdu_vec3(
    m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
    m[6] * x.x + m[7] * x.y + m[8] * x.z);
}

// A^T x
static inline mbd_vec3_t
mbdu_mat3_tvec(const mbd_mat3_t * A, mbd_vec3_t x)
{
  const double * m = A->m;
  return mbdu_vec3(
    m[0] * x.x + m[3] * x.y + m[6] * x.z, m[1] * x.x + m[4] * x.y + m[7] * x.z,
    m[2] * x.x + m[5] * x.y + m[8] * x.z);
}

static inline mbd_mat3_t
mbdu_mat3_mul(const mbd_mat3_t * A, const mbd_mat3_t * B)
{
  mbd_mat3_t C;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      C.m[3 * i + j] =
        A->m[3 * i] * B->m[j] + A->m[3 * i + 1] * B->m[3 + j] + A->m[3 * i + 2] * B->m[6 + j];
    }
  }
  return C;
}

static inline mbd_mat3_t
mbdu_mat3_transpose(const mbd_mat3_t * A)
{
  const double * m = A->m;
  mbd_mat3_t T = {{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}};
  return T;
}

// A^T B
static inline mbd_mat3_t
mbdu_mat3_tmul(const mbd_mat3_t * A, const mbd_mat3_t * B)
{
  const mbd_mat3_t T = mbdu_mat3_transpose(A);
  return mbdu_mat3_mul(&T, B);
}

static inline mbd_mat3_t
mbdu_mat3_add(const mbd_mat3_t * A, const mbd_mat3_t * B)
{
  mbd_mat3_t C;
  for (int k = 0; k < 9; k++) C.m[k] = A->m[k] + B->m[k];
  return C;
}

// x~ A: the cross product of x with every column
static inline mbd_mat3_t
mbdu_mat3_cross_left(mbd_vec3_t x, const mbd_mat3_t * A)
{
  const double * m = A->m;
  mbd_mat3_t C;
  for (int j = 0; j < 3; j++) {
    C.m[j] = x.y * m[6 + j] - x.z * m[3 + j];
    C.m[3 + j] = x.z * m[j] - x.x * m[6 + j];
    C.m[6 + j] = x.x * m[3 + j] - x.y * m[j];
  }
  return C;
}

// A x~
static inline mbd_mat3_t
mbdu_mat3_cross_right(const mbd_mat3_t * A, mbd_vec3_t x)
{
  mbd_mat3_t C;
  for (int i = 0; i < 3; i++) {
    const double * a = &A->m[3 * i];
    C.m[3 * i] = a[1] * x.z - a[2] * x.y;
    C.m[3 * i + 1] = a[2] * x.x - a[0] * x.z;
    C.m[3 * i + 2] = a[0] * x.y - a[1] * x.x;
  }
  return C;
}

// R A R^T for any A
static inline mbd_mat3_t
mbdu_mat3_rotate(const mbd_mat3_t * R, const mbd_mat3_t * A)
{
  const mbd_mat3_t RA = mbdu_mat3_mul(R, A);
  const mbd_mat3_t Rt = mbdu_mat3_transpose(R);
  return mbdu_mat3_mul(&RA, &Rt);
}

//---------- symmetric 3x3 matrices ----------

static inline mbd_sym3_t
mbdu_sym3_add(mbd_sym3_t A, mbd_sym3_t B)
{
  mbd_sym3_t C = {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
  return C;
}

static inline mbd_vec3_t
mbdu_sym3_vec(const mbd_sym3_t * A, mbd_vec3_t x)
{
  return mbdu_vec3(
    A->xx * x.x + A->xy * x.y + A->xz * x.z, A->xy * x.x + A->yy * x.y + A->yz * x.z,
    A->xz * x.x + A->yz * x.y + A->zz * x.z);
}

static inline mbd_mat3_t
mbdu_sym3_to_mat3(const mbd_sym3_t * A)
{
  mbd_mat3_t M = {{A->xx, A->xy, A->xz, A->xy, A->yy, A->yz, A->xz, A->yz, A->zz}};
  return M;
}

// the symmetric part of a matrix that is symmetric but for rounding
static inline mbd_sym3_t
mbdu_sym3_from_mat3(const mbd_mat3_t * M)
{
  const double * m = M->m;
  mbd_sym3_t A = {m[0], 0.5 * (m[1] + m[3]), 0.5 * (m[2] + m[6]), m[4], 0.5 * (m[5] + m[7]), m[8]};
  return A;
}

// R A R^T
static inline mbd_sym3_t
mbdu_sym3_rotate(const mbd_mat3_t * R, const mbd_sym3_t * A)
{
  const double * r = R->m;
  mbd_vec3_t c[3];
  for (int i = 0; i < 3; i++) {
    c[i] = mbdu_sym3_vec(A, mbdu_vec3(r[3 * i], r[3 * i + 1], r[3 * i + 2]));
  }
  mbd_sym3_t B = {
    r[0] * c[0].x + r[1] * c[0].y + r[2] * c[0].z, r[0] * c[1].x + r[1] * c[1].y + r[2] * c[1].z,
    r[0] * c[2].x + r[1] * c[2].y + r[2] * c[2].z, r[3] * c[1].x + r[4] * c[1].y + r[5] * c[1].z,
    r[3] * c[2].x + r[4] * c[2].y + r[5] * c[2].z, r[6] * c[2].x + r[7] * c[2].y + r[8] * c[2].z};
  return B;
}

// m (|x|^2 I - x x^T): inertia about the origin of a point mass at x
static inline mbd_sym3_t
mbdu_sym3_point_mass(double m, mbd_vec3_t x)
{
  mbd_sym3_t A = {m * (x.y * x.y + x.z * x.z), -m * x.x * x.y, -m * x.x * x.z,
                  m * (x.x * x.x + x.z * x.z), -m * x.y * x.z, m * (x.x * x.x + x.y * x.y)};
  return A;
}

//---------- quaternions and rotations ----------

static inline mbd_mat3_t
mbdu_quat_to_mat3(mbd_quat_t q)
{
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  mbd_mat3_t R = {
    {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz),
     2 * (yz - wx), 2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
  return R;
}

// unit quaternion with w >= 0 of a rotation, from its largest component (Shepperd)
static inline mbd_quat_t
mbdu_quat_from_mat3(const mbd_mat3_t * R)
{
  const double * m = R->m;
  const double t[4] = {
    m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4], m[0] + m[4] + m[8]};
  int big = 3;
  for (int k = 0; k < 3; k++) {
    if (t[k] > t[big]) big = k;
  }
  const double s = sqrt(1 + t[big]);
  const double f = 0.5 / s;
  mbd_quat_t q;
  switch (big) {
    case 0:
      q.x = 0.5 * s, q.y = f * (m[1] + m[3]), q.z = f * (m[2] + m[6]), q.w = f * (m[7] - m[5]);
      break;
    case 1:
      q.y = 0.5 * s, q.x = f * (m[1] + m[3]), q.z = f * (m[5] + m[7]), q.w = f * (m[2] - m[6]);
      break;
    case 2:
      q.z = 0.5 * s, q.x = f * (m[2] + m[6]), q.y = f * (m[5] + m[7]), q.w = f * (m[3] - m[1]);
      break;
    default:
      q.w = 0.5 * s, q.x = f * (m[7] - m[5]), q.y = f * (m[2] - m[6]), q.z = f * (m[3] - m[1]);
      break;
  }
  if (q.w < 0) q.x = -q.x, q.y = -q.y, q.z = -q.z, q.w = -q.w;
  return q;
}

static inline mbd_quat_t
mbdu_quat_mul(mbd_quat_t a, mbd_quat_t b)
{
  mbd_quat_t c = {
    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  return c;
}

static inline mbd_quat_t
mbdu_quat_conjugate(mbd_quat_t q)
{
  mbd_quat_t c = {-q.x, -q.y, -q.z, q.w};
  return c;
}

static inline double
mbdu_quat_norm(mbd_quat_t q)
{
  return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

// unit length; the caller has checked that the norm is not zero
static inline mbd_quat_t
mbdu_quat_normalize(mbd_quat_t q)
{
  const double s = 1 / mbdu_quat_norm(q);
  mbd_quat_t u = {s * q.x, s * q.y, s * q.z, s * q.w};
  return u;
}

// rotation by |r| about r                                                        Jain (B.12)
static inline mbd_quat_t
mbdu_quat_exp(mbd_vec3_t r)
{
  const double angle = mbdu_vec3_norm(r);
  // sin(x/2)/x by its series where the quotient would lose digits
  const double s = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48;
  mbd_quat_t q = {s * r.x, s * r.y, s * r.z, cos(0.5 * angle)};
  return q;
}

// rotation vector of a unit quaternion, at most pi long
static inline mbd_vec3_t
mbdu_quat_log(mbd_quat_t q)
{
  const mbd_vec3_t u = mbdu_vec3(q.x, q.y, q.z);
  const double n = mbdu_vec3_norm(u);
  const double half = atan2(n, fabs(q.w));
  // angle / sin(angle / 2), by its series where the quotient would lose digits
  const double f = n > 1e-4 ? 2 * half / n : 2 + n * n / 3;
  return mbdu_vec3_scale(q.w < 0 ? -f : f, u);
}

// rotation about z of an angle given by its cosine and sine
static inline mbd_mat3_t
mbdu_rotation_z(double c, double s)
{
  mbd_mat3_t R = {{c, -s, 0, s, c, 0, 0, 0, 1}};
  return R;
}

/// Angle of the x axis of B about the z axis of A, R = the orientation of B in A [rad], in [-pi, pi]. For
/// frames with a common z axis it is the angle that turns A into B, Haug 2.4.4.
static inline double
mbdu_angle_about_z(const mbd_mat3_t * R)
{
  return atan2(R->m[3], R->m[0]);
}

/// Angle b - a, without whole turns, in [-pi, pi].
static inline double
mbdu_angle_between(double a, double b)
{
  return remainder(b - a, 6.283185307179586477);
}

//---------- placements ----------

static inline mbd_placement_t
mbdu_placement_identity(void)
{
  mbd_placement_t X = {mbdu_mat3_identity(), {0, 0, 0}};
  return X;
}

/// Frame with its origin at a point, its x axis through a second, its x-y plane through a third on the side of
/// positive y, Haug 2.5.5.
/// \return false, and an identity, if the points are on a line
static inline bool
mbdu_placement_from_points(
  mbd_vec3_t origin, mbd_vec3_t on_x, mbd_vec3_t in_xy, mbd_placement_t * X)
{
  const mbd_vec3_t d = mbdu_vec3_sub(on_x, origin), e = mbdu_vec3_sub(in_xy, origin);
  const mbd_vec3_t n = mbdu_vec3_cross(d, e);
  const double length = mbdu_vec3_norm(d), area = mbdu_vec3_norm(n);
  *X = mbdu_placement_identity();
  // not a number is refused too
  if (!(area > 1e-12 * length * mbdu_vec3_norm(e))) return false;
  const mbd_vec3_t x = mbdu_vec3_scale(1 / length, d), z = mbdu_vec3_scale(1 / area, n);
  const mbd_vec3_t y = mbdu_vec3_cross(z, x);
  const mbd_mat3_t R = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
  X->R = R;
  X->p = origin;
  return true;
}

// C in A from B in A and C in B
static inline mbd_placement_t
mbdu_placement_mul(const mbd_placement_t * AB, const mbd_placement_t * BC)
{
  mbd_placement_t AC;
  AC.R = mbdu_mat3_mul(&AB->R, &BC->R);
  AC.p = mbdu_vec3_add(mbdu_mat3_vec(&AB->R, BC->p), AB->p);
  return AC;
}

static inline mbd_placement_t
mbdu_placement_inverse(const mbd_placement_t * X)
{
  mbd_placement_t Y;
  Y.R = mbdu_mat3_transpose(&X->R);
  Y.p = mbdu_vec3_neg(mbdu_mat3_tvec(&X->R, X->p));
  return Y;
}

static inline mbd_vec3_t
mbdu_placement_point(const mbd_placement_t * X, mbd_vec3_t x)
{
  return mbdu_vec3_add(mbdu_mat3_vec(&X->R, x), X->p);
}

//---------- motions and forces ----------

static inline mbd_motion_t
mbdu_motion_add(mbd_motion_t a, mbd_motion_t b)
{
  mbd_motion_t c = {mbdu_vec3_add(a.ang, b.ang), mbdu_vec3_add(a.lin, b.lin)};
  return c;
}

static inline mbd_motion_t
mbdu_motion_sub(mbd_motion_t a, mbd_motion_t b)
{
  mbd_motion_t c = {mbdu_vec3_sub(a.ang, b.ang), mbdu_vec3_sub(a.lin, b.lin)};
  return c;
}

static inline mbd_motion_t
mbdu_motion_scale(double s, mbd_motion_t a)
{
  mbd_motion_t c = {mbdu_vec3_scale(s, a.ang), mbdu_vec3_scale(s, a.lin)};
  return c;
}

// phi^T(parent, child): from the parent's origin and axes to the child's   Jain (1.31)
static inline mbd_motion_t
mbdu_motion_to_child(const mbd_placement_t * X, mbd_motion_t V)
{
  mbd_motion_t c;
  c.ang = mbdu_mat3_tvec(&X->R, V.ang);
  c.lin = mbdu_mat3_tvec(&X->R, mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, X->p)));
  return c;
}

static inline mbd_motion_t
mbdu_motion_to_parent(const mbd_placement_t * X, mbd_motion_t V)
{
  mbd_motion_t c;
  c.ang = mbdu_mat3_vec(&X->R, V.ang);
  c.lin = mbdu_vec3_add(mbdu_mat3_vec(&X->R, V.lin), mbdu_vec3_cross(X->p, c.ang));
  return c;
}

// tilde(A) B                                                                Jain (1.23)
static inline mbd_motion_t
mbdu_motion_cross(mbd_motion_t A, mbd_motion_t B)
{
  mbd_motion_t c;
  c.ang = mbdu_vec3_cross(A.ang, B.ang);
  c.lin = mbdu_vec3_add(mbdu_vec3_cross(A.ang, B.lin), mbdu_vec3_cross(A.lin, B.ang));
  return c;
}

static inline mbd_force_t
mbdu_force_add(mbd_force_t a, mbd_force_t b)
{
  mbd_force_t c = {mbdu_vec3_add(a.ang, b.ang), mbdu_vec3_add(a.lin, b.lin)};
  return c;
}

static inline mbd_force_t
mbdu_force_sub(mbd_force_t a, mbd_force_t b)
{
  mbd_force_t c = {mbdu_vec3_sub(a.ang, b.ang), mbdu_vec3_sub(a.lin, b.lin)};
  return c;
}

static inline mbd_force_t
mbdu_force_scale(double s, mbd_force_t a)
{
  mbd_force_t c = {mbdu_vec3_scale(s, a.ang), mbdu_vec3_scale(s, a.lin)};
  return c;
}

// phi(parent, child): from the child's origin and axes to the parent's     Jain (1.31)
static inline mbd_force_t
mbdu_force_to_parent(const mbd_placement_t * X, mbd_force_t f)
{
  mbd_force_t c;
  c.lin = mbdu_mat3_vec(&X->R, f.lin);
  c.ang = mbdu_vec3_add(mbdu_mat3_vec(&X->R, f.ang), mbdu_vec3_cross(X->p, c.lin));
  return c;
}

static inline mbd_force_t
mbdu_force_to_child(const mbd_placement_t * X, mbd_force_t f)
{
  mbd_force_t c;
  c.lin = mbdu_mat3_tvec(&X->R, f.lin);
  c.ang = mbdu_mat3_tvec(&X->R, mbdu_vec3_sub(f.ang, mbdu_vec3_cross(X->p, f.lin)));
  return c;
}

// bar(A) f = -tilde(A)^T f                                                  Jain (1.26)
static inline mbd_force_t
mbdu_force_cross(mbd_motion_t A, mbd_force_t f)
{
  mbd_force_t c;
  c.ang = mbdu_vec3_add(mbdu_vec3_cross(A.ang, f.ang), mbdu_vec3_cross(A.lin, f.lin));
  c.lin = mbdu_vec3_cross(A.ang, f.lin);
  return c;
}

// f^T V, the power [W] of a force on a motion
static inline double
mbdu_power(mbd_force_t f, mbd_motion_t V)
{
  return mbdu_vec3_dot(f.ang, V.ang) + mbdu_vec3_dot(f.lin, V.lin);
}

//---------- rigid-body inertia, ten parameters ----------

// from mass, centre of mass and inertia about the centre of mass, all in one frame's axes
static inline mbd_inertia_t
mbdu_inertia_from_com(double mass, mbd_vec3_t com, mbd_sym3_t inertia_about_com)
{
  mbd_inertia_t M;
  M.mass = mass;
  M.h = mbdu_vec3_scale(mass, com);
  M.I = mbdu_sym3_add(inertia_about_com, mbdu_sym3_point_mass(mass, com));
  return M;
}

// inertia about the centre of mass; the mass must not be zero
static inline mbd_sym3_t
mbdu_inertia_about_com(const mbd_inertia_t * M)
{
  const mbd_vec3_t com = mbdu_vec3_scale(1 / M->mass, M->h);
  return mbdu_sym3_add(M->I, mbdu_sym3_point_mass(-M->mass, com));
}

// momentum M V                                                              Jain (2.15)
static inline mbd_force_t
mbdu_inertia_mul(const mbd_inertia_t * M, mbd_motion_t V)
{
  mbd_force_t h;
  h.ang = mbdu_vec3_add(mbdu_sym3_vec(&M->I, V.ang), mbdu_vec3_cross(M->h, V.lin));
  h.lin = mbdu_vec3_sub(mbdu_vec3_scale(M->mass, V.lin), mbdu_vec3_cross(M->h, V.ang));
  return h;
}

static inline mbd_inertia_t
mbdu_inertia_add(const mbd_inertia_t * A, const mbd_inertia_t * B)
{
  mbd_inertia_t C = {A->mass + B->mass, mbdu_vec3_add(A->h, B->h), mbdu_sym3_add(A->I, B->I)};
  return C;
}

// phi M phi^T: the same body about the parent's origin, in the parent's axes    Jain (2.12)
static inline mbd_inertia_t
mbdu_inertia_to_parent(const mbd_placement_t * X, const mbd_inertia_t * M)
{
  const mbd_vec3_t h = mbdu_mat3_vec(&X->R, M->h);
  const mbd_vec3_t p = X->p;
  mbd_inertia_t C;
  C.mass = M->mass;
  C.h = mbdu_vec3_add(h, mbdu_vec3_scale(M->mass, p));
  // I' = R I R^T - p~ h~ - h~ p~ - m p~ p~
  const double ph = 2 * mbdu_vec3_dot(p, h);
  mbd_sym3_t cross = {ph - 2 * p.x * h.x, -(p.x * h.y + p.y * h.x), -(p.x * h.z + p.z * h.x),
                      ph - 2 * p.y * h.y, -(p.y * h.z + p.z * h.y), ph - 2 * p.z * h.z};
  C.I = mbdu_sym3_add(mbdu_sym3_rotate(&X->R, &M->I), cross);
  C.I = mbdu_sym3_add(C.I, mbdu_sym3_point_mass(M->mass, p));
  return C;
}

//---------- symmetric 6x6 ----------

static inline mbd_sym6_t
mbdu_sym6_from_inertia(const mbd_inertia_t * M)
{
  const mbd_vec3_t h = M->h;
  mbd_sym6_t P = {
    M->I, {{0, -h.z, h.y, h.z, 0, -h.x, -h.y, h.x, 0}}, {M->mass, 0, 0, M->mass, 0, M->mass}};
  return P;
}

static inline mbd_sym6_t
mbdu_sym6_add(const mbd_sym6_t * A, const mbd_sym6_t * B)
{
  mbd_sym6_t C = {
    mbdu_sym3_add(A->J, B->J), mbdu_mat3_add(&A->H, &B->H), mbdu_sym3_add(A->M, B->M)};
  return C;
}

// an inertia times a motion is a force
static inline mbd_force_t
mbdu_sym6_mul_motion(const mbd_sym6_t * P, mbd_motion_t V)
{
  mbd_force_t f;
  f.ang = mbdu_vec3_add(mbdu_sym3_vec(&P->J, V.ang), mbdu_mat3_vec(&P->H, V.lin));
  f.lin = mbdu_vec3_add(mbdu_mat3_tvec(&P->H, V.ang), mbdu_sym3_vec(&P->M, V.lin));
  return f;
}

// a compliance times a force is a motion
static inline mbd_motion_t
mbdu_sym6_mul_force(const mbd_sym6_t * Y, mbd_force_t f)
{
  mbd_motion_t V;
  V.ang = mbdu_vec3_add(mbdu_sym3_vec(&Y->J, f.ang), mbdu_mat3_vec(&Y->H, f.lin));
  V.lin = mbdu_vec3_add(mbdu_mat3_tvec(&Y->H, f.ang), mbdu_sym3_vec(&Y->M, f.lin));
  return V;
}

// phi P phi^T: an inertia from the child's to the parent's frame           Jain (6.24)
static inline mbd_sym6_t
mbdu_sym6_to_parent(const mbd_placement_t * X, const mbd_sym6_t * P)
{
  mbd_sym6_t C;
  C.M = mbdu_sym3_rotate(&X->R, &P->M);
  const mbd_mat3_t H = mbdu_mat3_rotate(&X->R, &P->H);
  const mbd_mat3_t M = mbdu_sym3_to_mat3(&C.M);
  // H' = H + p~ M, J' = J + p~ H^T - H' p~
  const mbd_mat3_t pM = mbdu_mat3_cross_left(X->p, &M);
  C.H = mbdu_mat3_add(&H, &pM);
  const mbd_mat3_t Ht = mbdu_mat3_transpose(&H);
  const mbd_mat3_t pHt = mbdu_mat3_cross_left(X->p, &Ht);
  const mbd_mat3_t Hp = mbdu_mat3_cross_right(&C.H, mbdu_vec3_neg(X->p));
  const mbd_mat3_t shift = mbdu_mat3_add(&pHt, &Hp);
  C.J = mbdu_sym3_add(mbdu_sym3_rotate(&X->R, &P->J), mbdu_sym3_from_mat3(&shift));
  return C;
}

// phi^T Y phi: a compliance from the parent's to the child's frame         Jain (10.22)
static inline mbd_sym6_t
mbdu_sym6_to_child(const mbd_placement_t * X, const mbd_sym6_t * Y)
{
  const mbd_mat3_t Rt = mbdu_mat3_transpose(&X->R);
  const mbd_mat3_t J = mbdu_sym3_to_mat3(&Y->J);
  // H' = H + J p~, M' = M + H^T p~ - p~ H'
  const mbd_mat3_t Jp = mbdu_mat3_cross_right(&J, X->p);
  const mbd_mat3_t H = mbdu_mat3_add(&Y->H, &Jp);
  const mbd_mat3_t Ht = mbdu_mat3_transpose(&Y->H);
  const mbd_mat3_t Htp = mbdu_mat3_cross_right(&Ht, X->p);
  const mbd_mat3_t pH = mbdu_mat3_cross_left(mbdu_vec3_neg(X->p), &H);
  const mbd_mat3_t shift = mbdu_mat3_add(&Htp, &pH);
  const mbd_sym3_t M = mbdu_sym3_add(Y->M, mbdu_sym3_from_mat3(&shift));
  mbd_sym6_t C;
  C.J = mbdu_sym3_rotate(&Rt, &Y->J);
  C.H = mbdu_mat3_rotate(&Rt, &H);
  C.M = mbdu_sym3_rotate(&Rt, &M);
  return C;
}

// A += s (a b^T + b a^T), with a and b two motions or two forces given by their halves
static inline void
mbdu_sym6_add_outer(
  mbd_sym6_t * A, double s, mbd_vec3_t a_ang, mbd_vec3_t a_lin, mbd_vec3_t b_ang, mbd_vec3_t b_lin)
{
  const mbd_vec3_t p = mbdu_vec3_scale(s, a_ang), q = mbdu_vec3_scale(s, a_lin);
  A->J.xx += 2 * p.x * b_ang.x;
  A->J.xy += p.x * b_ang.y + p.y * b_ang.x;
  A->J.xz += p.x * b_ang.z + p.z * b_ang.x;
  A->J.yy += 2 * p.y * b_ang.y;
  A->J.yz += p.y * b_ang.z + p.z * b_ang.y;
  A->J.zz += 2 * p.z * b_ang.z;
  A->H.m[0] += p.x * b_lin.x + b_ang.x * q.x;
  A->H.m[1] += p.x * b_lin.y + b_ang.x * q.y;
  A->H.m[2] += p.x * b_lin.z + b_ang.x * q.z;
  A->H.m[3] += p.y * b_lin.x + b_ang.y * q.x;
  A->H.m[4] += p.y * b_lin.y + b_ang.y * q.y;
  A->H.m[5] += p.y * b_lin.z + b_ang.y * q.z;
  A->H.m[6] += p.z * b_lin.x + b_ang.z * q.x;
  A->H.m[7] += p.z * b_lin.y + b_ang.z * q.y;
  A->H.m[8] += p.z * b_lin.z + b_ang.z * q.z;
  A->M.xx += 2 * q.x * b_lin.x;
  A->M.xy += q.x * b_lin.y + q.y * b_lin.x;
  A->M.xz += q.x * b_lin.z + q.z * b_lin.x;
  A->M.yy += 2 * q.y * b_lin.y;
  A->M.yz += q.y * b_lin.z + q.z * b_lin.y;
  A->M.zz += 2 * q.z * b_lin.z;
}

// row-major 6x6, angular first
static inline void
mbdu_sym6_full(const mbd_sym6_t * P, double * A)
{
  const mbd_mat3_t J = mbdu_sym3_to_mat3(&P->J);
  const mbd_mat3_t M = mbdu_sym3_to_mat3(&P->M);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      A[6 * i + j] = J.m[3 * i + j];
      A[6 * i + 3 + j] = P->H.m[3 * i + j];
      A[6 * (i + 3) + j] = P->H.m[3 * j + i];
      A[6 * (i + 3) + 3 + j] = M.m[3 * i + j];
    }
  }
}

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SPATIAL_H_
