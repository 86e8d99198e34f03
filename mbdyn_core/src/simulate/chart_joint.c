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

static mbdi_right_jacobian_t
right_jacobian(mbd_vec3_t r)
{
  const double t2 = mbdu_vec3_dot(r, r);
  if (t2 < 1) {
    // a = sum (-t2)^k / (2k + 2)!, b = sum (-t2)^k / (2k + 3)!
    mbdi_right_jacobian_t s = {0, 0, 0, 0};
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
  return (mbdi_right_jacobian_t){
    (1 - c) / t2, (t - s) / (t2 * t), (t * s - 2 * (1 - c)) / (t2 * t2),
    ((1 - c) * t - 3 * (t - s)) / (t2 * t2 * t)};
}

static mbd_vec3_t
combine(mbd_vec3_t x, double a, mbd_vec3_t rx, double b, mbd_vec3_t rrx)
{
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(a, rx), mbdu_vec3_scale(b, rrx)));
}

// 1 + a r~ + b r~ r~
static mbd_mat3_t
polynomial(mbd_vec3_t r, double a, double b)
{
  const double xy = b * r.x * r.y, xz = b * r.x * r.z, yz = b * r.y * r.z;
  const double xx = b * r.x * r.x, yy = b * r.y * r.y, zz = b * r.z * r.z;
  return (mbd_mat3_t){
    {1 - yy - zz, xy - a * r.z, xz + a * r.y, xy + a * r.z, 1 - xx - zz, yz - a * r.x, xz - a * r.y,
     yz + a * r.x, 1 - xx - yy}};
}

// of J_r^-1 = 1 + r~ / 2 + c r~ r~, with the sine of the angle divided by it
static double
inverse_coefficient(double t2, double sine, double a)
{
  if (t2 >= 0.05) return (1 - sine / (2 * a)) / t2;
  return 1.0 / 12 +
         t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 * (1.0 / 1209600 + t2 * (1.0 / 47900160))));
}

// (d/dt J_r) r'
static mbd_vec3_t
apply_rate(const mbdi_right_jacobian_t * j, mbd_vec3_t r, mbd_vec3_t rd)
{
  const double rate = mbdu_vec3_dot(r, rd);
  const mbd_vec3_t rx = mbdu_vec3_cross(r, rd);
  const mbd_vec3_t turned = mbdu_vec3_scale(j->b, mbdu_vec3_cross(rd, rx));
  return combine(turned, -j->da * rate, rx, j->db * rate, mbdu_vec3_cross(r, rx));
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

mbdi_chart_joint_t
mbdi_chart_joint(const mbd_body_t * body, const double * xi)
{
  mbdi_chart_joint_t at = {.r = rotation_of(body, xi)};
  if (body->type == MBD_JOINT_PLANAR) {
    // both turn about z
    const double c = cos(at.r.z), s = sin(at.r.z);
    at.J = at.J_inverse = (mbd_mat3_t){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    at.E = (mbd_mat3_t){{c, s, 0, -s, c, 0, 0, 0, 1}};
    return at;
  }
  at.j = right_jacobian(at.r);
  const double t2 = mbdu_vec3_dot(at.r, at.r), sine = 1 - at.j.b * t2;
  at.J = polynomial(at.r, -at.j.a, at.j.b);
  at.J_inverse = polynomial(at.r, 0.5, inverse_coefficient(t2, sine, at.j.a));
  if (body->type == MBD_JOINT_FREE) at.E = polynomial(at.r, -sine, at.j.a);
  return at;
}

void
mbdi_chart_T(const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * x, double * y)
{
  join(
    body, mbdu_mat3_vec(&at->E, displacement_of(body, x)),
    mbdu_mat3_vec(&at->J, rotation_of(body, x)), y);
}

void
mbdi_chart_T_inverse(
  const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * x, double * y)
{
  join(
    body, mbdu_mat3_tvec(&at->E, displacement_of(body, x)),
    mbdu_mat3_vec(&at->J_inverse, rotation_of(body, x)), y);
}

void
mbdi_chart_T_rate(
  const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * xid, double * y)
{
  const mbd_vec3_t rd = rotation_of(body, xid);
  // d/dt exp(-r) = -w~ exp(-r)
  const mbd_vec3_t w = mbdu_mat3_vec(&at->J, rd);
  const mbd_vec3_t lin = mbdu_mat3_vec(&at->E, displacement_of(body, xid));
  join(body, mbdu_vec3_neg(mbdu_vec3_cross(w, lin)), apply_rate(&at->j, at->r, rd), y);
}

void
mbdi_chart_T_row(const mbd_body_t * body, const mbdi_chart_joint_t * at, double * g)
{
  join(
    body, mbdu_mat3_tvec(&at->E, displacement_of(body, g)),
    mbdu_mat3_tvec(&at->J, rotation_of(body, g)), g);
}

double
mbdi_chart_rotation(const mbd_body_t * body, const double * xi)
{
  // planar joints have no limit: their angle is a number
  return body->type == MBD_JOINT_PLANAR ? 0 : mbdu_vec3_norm(rotation_of(body, xi));
}
