// Spherical, planar and free joints about a configuration: displacement in axes of q0, rotation vector.
// Angular velocity in child axes is J_r(r) r' with the right Jacobian of the exponential.
#include "simulate/chart_joint.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"

bool
mbdi_chart_is_flat(const mbd_body_t * body)
{
  return body->type != MBD_JOINT_SPHERICAL && body->type != MBD_JOINT_PLANAR &&
         body->type != MBD_JOINT_FREE;
}

//---------- right Jacobian of the exponential ----------

// J_r = 1 - a r~ + b r~ r~, and the derivatives of a and b by the angle, divided by it
typedef struct right_jacobian {
  double a, b, da, db;
} right_jacobian_t;

static right_jacobian_t
right_jacobian(mbd_vec3_t r)
{
  const double t2 = mbdu_vec3_dot(r, r);
  if (t2 < 1) {
    // a = sum (-t2)^k / (2k + 2)!, b = sum (-t2)^k / (2k + 3)!
    right_jacobian_t s = {0, 0, 0, 0};
    double power = 1, before = 0, factorial = 2;
    for (int k = 0; k < 10; k++) {
      s.a += power / factorial;
      s.da -= 2 * k * before / factorial;
      factorial *= 2 * k + 3;
      s.b += power / factorial;
      s.db -= 2 * k * before / factorial;
      factorial *= 2 * k + 4;
      before = power;
      power *= -t2;
    }
    return s;
  }
  const double t = sqrt(t2), s = sin(t), c = cos(t);
  return (right_jacobian_t){
    (1 - c) / t2, (t - s) / (t2 * t), (t * s - 2 * (1 - c)) / (t2 * t2),
    ((1 - c) * t - 3 * (t - s)) / (t2 * t2 * t)};
}

static mbd_vec3_t
combine(mbd_vec3_t x, double a, mbd_vec3_t rx, double b, mbd_vec3_t rrx)
{
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(a, rx), mbdu_vec3_scale(b, rrx)));
}

// J_r x, or J_r^T x for sign 1
static mbd_vec3_t
apply(mbd_vec3_t r, mbd_vec3_t x, double sign)
{
  const right_jacobian_t j = right_jacobian(r);
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  return combine(x, sign * j.a, rx, j.b, mbdu_vec3_cross(r, rx));
}

static mbd_vec3_t
apply_inverse(mbd_vec3_t r, mbd_vec3_t x)
{
  const double t2 = mbdu_vec3_dot(r, r), half = sqrt(t2) / 2;
  const double c =
    t2 < 0.05 ? 1.0 / 12 + t2 * (1.0 / 720 +
                                 t2 * (1.0 / 30240 + t2 * (1.0 / 1209600 + t2 * (1.0 / 47900160))))
              : (1 - half * cos(half) / sin(half)) / t2;
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  return combine(x, 0.5, rx, c, mbdu_vec3_cross(r, rx));
}

// (d/dt J_r) r'
static mbd_vec3_t
apply_rate(mbd_vec3_t r, mbd_vec3_t rd)
{
  const right_jacobian_t j = right_jacobian(r);
  const double rate = mbdu_vec3_dot(r, rd);
  const mbd_vec3_t rx = mbdu_vec3_cross(r, rd);
  const mbd_vec3_t turned = mbdu_vec3_scale(j.b, mbdu_vec3_cross(rd, rx));
  return combine(turned, -j.da * rate, rx, j.db * rate, mbdu_vec3_cross(r, rx));
}

// exp(-r) x
static mbd_vec3_t
turn_back(mbd_vec3_t r, mbd_vec3_t x)
{
  const right_jacobian_t j = right_jacobian(r);
  const double t2 = mbdu_vec3_dot(r, r);
  // sin(t) / t = 1 - b t^2
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  return combine(x, -(1 - j.b * t2), rx, j.a, mbdu_vec3_cross(r, rx));
}

//---------- joints ----------

static mbd_vec3_t
read(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

static void
write(mbd_vec3_t v, double * x)
{
  x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

// rotation and displacement of xi; planar joints turn about z and have no third displacement
static mbd_vec3_t
rotation_of(const mbd_body_t * body, const double * xi)
{
  if (body->type == MBD_JOINT_PLANAR) return mbdu_vec3(0, 0, xi[2]);
  return read(body->type == MBD_JOINT_FREE ? xi + 3 : xi);
}

static mbd_vec3_t
displacement_of(const mbd_body_t * body, const double * xi)
{
  return body->type == MBD_JOINT_PLANAR ? mbdu_vec3(xi[0], xi[1], 0) : read(xi);
}

static void
join(const mbd_body_t * body, mbd_vec3_t lin, mbd_vec3_t ang, double * y)
{
  if (body->type == MBD_JOINT_PLANAR) {
    y[0] = lin.x, y[1] = lin.y, y[2] = ang.z;
  } else {
    if (body->type == MBD_JOINT_FREE) write(lin, y);
    write(ang, y + (body->type == MBD_JOINT_FREE ? 3 : 0));
  }
}

void
mbdi_chart_place(const mbd_body_t * body, const double * q0, const double * xi, double * q)
{
  if (body->type == MBD_JOINT_PLANAR) {
    const double c = cos(q0[2]), s = sin(q0[2]);
    q[0] = q0[0] + c * xi[0] - s * xi[1];
    q[1] = q0[1] + s * xi[0] + c * xi[1];
    q[2] = q0[2] + xi[2];
    return;
  }
  const bool free = body->type == MBD_JOINT_FREE;
  const double * p = q0 + (free ? 3 : 0);
  const mbd_vec3_t r = rotation_of(body, xi);
  const double t = mbdu_vec3_norm(r), s = t < 1e-8 ? 0.5 : sin(t / 2) / t;
  const mbd_quat_t turn = {p[0], p[1], p[2], p[3]}, by = {s * r.x, s * r.y, s * r.z, cos(t / 2)};
  const mbd_quat_t out = mbdu_quat_normalize(mbdu_quat_mul(turn, by));
  double * to = q + (free ? 3 : 0);
  to[0] = out.x, to[1] = out.y, to[2] = out.z, to[3] = out.w;
  if (!free) return;
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  write(mbdu_vec3_add(read(q0), mbdu_mat3_vec(&R, read(xi))), q);
}

void
mbdi_chart_T(const mbd_body_t * body, const double * xi, const double * x, double * y)
{
  const mbd_vec3_t r = rotation_of(body, xi);
  join(body, turn_back(r, displacement_of(body, x)), apply(r, rotation_of(body, x), -1), y);
}

void
mbdi_chart_T_inverse(const mbd_body_t * body, const double * xi, const double * x, double * y)
{
  const mbd_vec3_t r = rotation_of(body, xi), back = mbdu_vec3_neg(r);
  join(body, turn_back(back, displacement_of(body, x)), apply_inverse(r, rotation_of(body, x)), y);
}

void
mbdi_chart_T_rate(const mbd_body_t * body, const double * xi, const double * xid, double * y)
{
  const mbd_vec3_t r = rotation_of(body, xi), rd = rotation_of(body, xid);
  // d/dt exp(-r) = -w~ exp(-r)
  const mbd_vec3_t w = apply(r, rd, -1), lin = turn_back(r, displacement_of(body, xid));
  join(body, mbdu_vec3_neg(mbdu_vec3_cross(w, lin)), apply_rate(r, rd), y);
}

void
mbdi_chart_T_row(const mbd_body_t * body, const double * xi, double * g)
{
  const mbd_vec3_t r = rotation_of(body, xi), back = mbdu_vec3_neg(r);
  join(body, turn_back(back, displacement_of(body, g)), apply(r, rotation_of(body, g), 1), g);
}

double
mbdi_chart_rotation(const mbd_body_t * body, const double * xi)
{
  // planar joints have no limit: their angle is a number
  return body->type == MBD_JOINT_PLANAR ? 0 : mbdu_vec3_norm(rotation_of(body, xi));
}
