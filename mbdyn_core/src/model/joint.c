// Joint types: Fig. 3.2 and Ex 3.1 of the book (Jain), with v in child axes wherever the child turns.
// Everything that depends on the type is in one row of the table at the end.
#include "model/joint.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

//---------- quaternions and vectors as numbers ----------

bool
mbdi_quat_normalize_numbers(double * q)
{
  const double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
  // one that has unit length but for rounding is not waited for
  if (square > 1 - 1e-15 && square < 1 + 1e-15) return true;
  if (square > 1e-200 && square < 1e200) {
    const double scale = 1 / sqrt(square);
    q[0] *= scale, q[1] *= scale, q[2] *= scale, q[3] *= scale;
    return true;
  }
  // scaled first, so that neither tiny nor huge numbers are lost in the squares
  const double big = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
  if (!(big > 0)) return false;
  const mbd_quat_t scaled = {q[0] / big, q[1] / big, q[2] / big, q[3] / big};
  const mbd_quat_t unit = mbdu_quat_normalize(scaled);
  q[0] = unit.x, q[1] = unit.y, q[2] = unit.z, q[3] = unit.w;
  return true;
}

static mbd_quat_t
read_quat(const double * q)
{
  double copy[4] = {q[0], q[1], q[2], q[3]};
  mbdi_quat_normalize_numbers(copy);
  mbd_quat_t r = {copy[0], copy[1], copy[2], copy[3]};
  return r;
}

// the product of two unit quaternions: what rounding took from its length, without a square root
static void
write_quat(mbd_quat_t r, double * q)
{
  const double s = 1.5 - 0.5 * ((r.x * r.x + r.y * r.y) + (r.z * r.z + r.w * r.w));
  q[0] = s * r.x, q[1] = s * r.y, q[2] = s * r.z, q[3] = s * r.w;
}

static mbd_vec3_t
read_vec3(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

//---------- placement and motion subspace ----------

static void
place_revolute(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  (void)S;
  const double c = cos(q[0]), s = sin(q[0]), *T = body->X_tree.R.m;
  for (int i = 0; i < 9; i += 3) {
    X->R.m[i] = c * T[i] + s * T[i + 1];
    X->R.m[i + 1] = c * T[i + 1] - s * T[i];
    X->R.m[i + 2] = T[i + 2];
  }
  X->p = body->X_tree.p;
}

static void
place_prismatic(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  (void)S;
  const double * T = body->X_tree.R.m;
  X->R = body->X_tree.R;
  X->p = mbdu_vec3_add(body->X_tree.p, mbdu_vec3(q[0] * T[2], q[0] * T[5], q[0] * T[8]));
}

static mbd_placement_t
local_about_z(const double * s, const double * c, double x, double y, double z)
{
  return (mbd_placement_t){{{*c, -*s, 0, *s, *c, 0, 0, 0, 1}}, {x, y, z}};
}

// X_tree and the joint's own placement
static void
place_local(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  double s[2], c[2];
  for (int k = 0; k < ops->nangle; k++) {
    s[k] = sin(q[ops->first_angle + k]), c[k] = cos(q[ops->first_angle + k]);
  }
  mbd_placement_t J;
  ops->local(body, q, s, c, &J, S);
  *X = mbdu_placement_mul(&body->X_tree, &J);
}

static void
local_helical(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)S;
  *J = local_about_z(s, c, 0, 0, body->pitch * q[0]);
}

static void
local_cylindrical(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)body, (void)S;
  *J = local_about_z(s, c, 0, 0, q[1]);
}

static void
local_universal(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)body, (void)q;
  // Rx(q1) Ry(q2)
  *J = (mbd_placement_t){
    {{c[1], 0, s[1], s[0] * s[1], c[0], -s[0] * c[1], -c[0] * s[1], s[0], c[0] * c[1]}}, {0, 0, 0}};
  // both axes in child axes                                                      (Ex 3.1)
  S[0].ang = mbdu_vec3(c[1], 0, s[1]);
  S[1].ang = mbdu_vec3(0, 1, 0);
}

static bool
rate_universal(const mbd_body_t * body, const double * q, const double * v, mbd_motion_t * S_rate)
{
  (void)body;
  memset(S_rate, 0, 2 * sizeof *S_rate);
  S_rate[0].ang = mbdu_vec3(-sin(q[1]) * v[1], 0, cos(q[1]) * v[1]);
  return true;
}

static mbd_mat3_t
rotation_at(const double * q)
{
  const mbd_quat_t r = {q[0], q[1], q[2], q[3]};
  return mbdu_quat_to_mat3(r);
}

static void
local_spherical(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)body, (void)s, (void)c, (void)S;
  *J = (mbd_placement_t){rotation_at(q), {0, 0, 0}};
}

static void
local_planar(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)body, (void)S;
  *J = local_about_z(s, c, q[0], q[1], 0);
}

static void
place_free(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  (void)S;
  const mbd_placement_t J = {rotation_at(q + 3), read_vec3(q)};
  *X = mbdu_placement_mul(&body->X_tree, &J);
}

static void
local_user(
  const mbd_body_t * body, const double * q, const double * s, const double * c,
  mbd_placement_t * J, mbd_motion_t * S)
{
  (void)s, (void)c;
  *J = mbdu_placement_identity();
  body->user.transform(body->user.ctx, q, J);
  body->user.subspace(body->user.ctx, q, S);
}

static bool
rate_user(const mbd_body_t * body, const double * q, const double * v, mbd_motion_t * S_rate)
{
  body->user.subspace_rate(body->user.ctx, q, v, S_rate);
  return true;
}

//---------- exponential and logarithm ----------

// exp(r), t = |r|: the quaternion (s r, w) with s = sin(t/2) / t, w = cos(t/2), and what the translation
// needs, c = (t - sin t) / t^3
typedef struct exponential {
  double s, w, c;
} exponential_t;

static exponential_t
exponential(mbd_vec3_t r)
{
  const double t2 = mbdu_vec3_dot(r, r);
  if (t2 < 0.0625) {
    // series: a control cycle turns less than this; the first term left out is below 2e-16
    const double h2 = 0.25 * t2;
    const double s = -1.0 / 12 + h2 * (1.0 / 240 + h2 * (-1.0 / 10080 + h2 * (1.0 / 725760)));
    const double w = 1.0 / 40320 - h2 * (1.0 / 3628800);
    const double c = 1.0 / 5040 + t2 * (-1.0 / 362880 + t2 * (1.0 / 39916800));
    return (exponential_t){
      .s = 0.5 + h2 * s,
      .w = 1 + h2 * (-0.5 + h2 * (1.0 / 24 + h2 * (-1.0 / 720 + h2 * w))),
      .c = 1.0 / 6 + t2 * (-1.0 / 120 + t2 * c)};
  }
  const double t = sqrt(t2), w = cos(0.5 * t), s = sin(0.5 * t) / t;
  return (exponential_t){s, w, (1 - 2 * s * w) / t2};
}

static mbd_quat_t
exponential_quat(const exponential_t * e, mbd_vec3_t r)
{
  return (mbd_quat_t){e->s * r.x, e->s * r.y, e->s * r.z, e->w};
}

// translation of exp(r, x): x + b r~ x + c r~ r~ x, b = (1 - cos t) / t^2 = 2 s^2
static mbd_vec3_t
exponential_translation(const exponential_t * e, mbd_vec3_t r, mbd_vec3_t x)
{
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  const mbd_vec3_t rrx = mbdu_vec3_cross(r, rx);
  return mbdu_vec3_add(
    x, mbdu_vec3_add(mbdu_vec3_scale(2 * e->s * e->s, rx), mbdu_vec3_scale(e->c, rrx)));
}

// its inverse: x - r~ x / 2 + d r~ r~ x, d = 1/t^2 - (1 + cos t) / (2 t sin t) = (1 - w / (2 s)) / t^2
static mbd_vec3_t
logarithm_translation(mbd_vec3_t r, mbd_vec3_t x)
{
  const double t2 = mbdu_vec3_dot(r, r);
  const exponential_t e = exponential(r);
  const double d = t2 < 1e-4 ? 1.0 / 12 + t2 / 720 * (1 + t2 / 42) : (1 - e.w / (2 * e.s)) / t2;
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  const mbd_vec3_t rrx = mbdu_vec3_cross(r, rx);
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(-0.5, rx), mbdu_vec3_scale(d, rrx)));
}

// R x of a unit quaternion
static mbd_vec3_t
rotate(mbd_quat_t r, mbd_vec3_t x)
{
  const mbd_vec3_t u = mbdu_vec3(r.x, r.y, r.z);
  const mbd_vec3_t twice = mbdu_vec3_scale(2, mbdu_vec3_cross(u, x));
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(r.w, twice), mbdu_vec3_cross(u, twice)));
}

static void
integrate_sum(const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  for (int k = 0; k < body->nv; k++) out[k] = q[k] + dt * v[k];
}

static void
difference_sum(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  for (int k = 0; k < body->nv; k++) v[k] = q1[k] - q0[k];
}

static void
integrate_spherical(
  const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  (void)body;
  const mbd_vec3_t r = mbdu_vec3_scale(dt, read_vec3(v));
  const exponential_t e = exponential(r);
  write_quat(mbdu_quat_mul(read_quat(q), exponential_quat(&e, r)), out);
}

static void
difference_spherical(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  (void)body;
  const mbd_quat_t turn = mbdu_quat_mul(mbdu_quat_conjugate(read_quat(q0)), read_quat(q1));
  const mbd_vec3_t r = mbdu_quat_log(turn);
  v[0] = r.x, v[1] = r.y, v[2] = r.z;
}

static void
integrate_free(const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  (void)body;
  const mbd_vec3_t r = mbdu_vec3_scale(dt, read_vec3(v + 3));
  const exponential_t e = exponential(r);
  const mbd_vec3_t x = exponential_translation(&e, r, mbdu_vec3_scale(dt, read_vec3(v)));
  const mbd_quat_t turn = read_quat(q + 3);
  const mbd_vec3_t p = mbdu_vec3_add(read_vec3(q), rotate(turn, x));
  out[0] = p.x, out[1] = p.y, out[2] = p.z;
  write_quat(mbdu_quat_mul(turn, exponential_quat(&e, r)), out + 3);
}

static void
difference_free(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  (void)body;
  const mbd_quat_t turn = read_quat(q0 + 3);
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  const mbd_vec3_t r = mbdu_quat_log(mbdu_quat_mul(mbdu_quat_conjugate(turn), read_quat(q1 + 3)));
  const mbd_vec3_t step = mbdu_mat3_tvec(&R, mbdu_vec3_sub(read_vec3(q1), read_vec3(q0)));
  const mbd_vec3_t x = logarithm_translation(r, step);
  v[0] = x.x, v[1] = x.y, v[2] = x.z;
  v[3] = r.x, v[4] = r.y, v[5] = r.z;
}

static void
integrate_planar(
  const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  (void)body;
  const mbd_vec3_t r = mbdu_vec3(0, 0, dt * v[2]);
  const exponential_t e = exponential(r);
  const mbd_vec3_t x = exponential_translation(&e, r, mbdu_vec3(dt * v[0], dt * v[1], 0));
  const double c = cos(q[2]), s = sin(q[2]);
  out[0] = q[0] + c * x.x - s * x.y;
  out[1] = q[1] + s * x.x + c * x.y;
  out[2] = q[2] + r.z;
}

static void
difference_planar(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  (void)body;
  const double c = cos(q0[2]), s = sin(q0[2]);
  const double dx = q1[0] - q0[0], dy = q1[1] - q0[1];
  const mbd_vec3_t r = mbdu_vec3(0, 0, remainder(q1[2] - q0[2], 2 * PI));
  const mbd_vec3_t x = logarithm_translation(r, mbdu_vec3(c * dx + s * dy, c * dy - s * dx, 0));
  v[0] = x.x, v[1] = x.y, v[2] = r.z;
}

static void
integrate_user(const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  if (body->user.integrate) {
    body->user.integrate(body->user.ctx, q, v, dt, out);
  } else {
    integrate_sum(body, q, v, dt, out);
  }
}

static void
difference_user(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  if (body->user.difference) {
    body->user.difference(body->user.ctx, q0, q1, v);
  } else {
    difference_sum(body, q0, q1, v);
  }
}

//---------- random configurations ----------

// splitmix64: a number in [0, 1) with 53 random bits
static double
random_unit(uint64_t * state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// uniform on the sphere of unit quaternions (Shoemake)
static void
random_quaternion(uint64_t * state, double * q)
{
  const double u = random_unit(state);
  const double a = 2 * PI * random_unit(state), b = 2 * PI * random_unit(state);
  q[0] = sqrt(1 - u) * sin(a);
  q[1] = sqrt(1 - u) * cos(a);
  q[2] = sqrt(u) * sin(b);
  q[3] = sqrt(u) * cos(b);
}

// within limits; where there is none, not far from zero or from the other one
static double
random_within(uint64_t * state, const mbd_limits_t * limits, double span)
{
  const bool low = isfinite(limits->lower), high = isfinite(limits->upper);
  double lower = -span, upper = span;
  if (high) upper = limits->upper, lower = fmin(lower, upper - span);
  if (low) lower = limits->lower, upper = high ? upper : fmax(upper, lower + span);
  const double u = random_unit(state);
  const double width = upper - lower;
  const double x = isfinite(width) ? lower + width * u : (1 - u) * lower + u * upper;
  return fmin(x, upper);
}

static const mbd_limits_t NO_LIMITS = {.lower = -HUGE_VAL, .upper = HUGE_VAL};

static void
random_angle(const mbd_body_t * body, uint64_t * state, double * q)
{
  for (int k = 0; k < body->nq; k++) q[k] = random_within(state, &body->limits, PI);
}

static void
random_continuous(const mbd_body_t * body, uint64_t * state, double * q)
{
  (void)body;
  q[0] = random_within(state, &NO_LIMITS, PI);
}

static void
random_prismatic(const mbd_body_t * body, uint64_t * state, double * q)
{
  q[0] = random_within(state, &body->limits, 1);
}

static void
random_cylindrical(const mbd_body_t * body, uint64_t * state, double * q)
{
  q[0] = random_within(state, &NO_LIMITS, PI);
  q[1] = random_within(state, &body->limits, 1);
}

static void
random_spherical(const mbd_body_t * body, uint64_t * state, double * q)
{
  (void)body;
  random_quaternion(state, q);
}

static void
random_planar(const mbd_body_t * body, uint64_t * state, double * q)
{
  (void)body;
  for (int k = 0; k < 2; k++) q[k] = random_within(state, &NO_LIMITS, 1);
  q[2] = random_within(state, &NO_LIMITS, PI);
}

static void
random_free(const mbd_body_t * body, uint64_t * state, double * q)
{
  (void)body;
  for (int k = 0; k < 3; k++) q[k] = random_within(state, &NO_LIMITS, 1);
  random_quaternion(state, q + 3);
}

static void
random_user(const mbd_body_t * body, uint64_t * state, double * q)
{
  double v[6], rest[8];
  for (int k = 0; k < body->nv; k++) v[k] = random_within(state, &NO_LIMITS, 1);
  mbdi_joint_neutral(body, rest);
  integrate_user(body, rest, v, 1, q);
}

//---------- the table ----------

// components of a motion, angular first
enum { WX, WY, WZ, VX, VY, VZ };

// clang-format off
const mbdi_joint_ops_t mbdi_joint_ops[] = {
  [MBD_JOINT_FIXED] = {
    .name = "fixed", .quaternion = -1},
  [MBD_JOINT_REVOLUTE] = {
    .name = "revolute", .nq = 1, .nv = 1, .has_axis = true, .quaternion = -1, .npositions = 1,
    .place = place_revolute, .subspace = {WZ},
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_angle},
  [MBD_JOINT_CONTINUOUS] = {
    .name = "continuous", .nq = 1, .nv = 1, .has_axis = true, .quaternion = -1, .npositions = 1,
    .place = place_revolute, .subspace = {WZ},
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_continuous},
  [MBD_JOINT_PRISMATIC] = {
    .name = "prismatic", .nq = 1, .nv = 1, .has_axis = true, .quaternion = -1, .npositions = 1,
    .place = place_prismatic, .subspace = {VZ},
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_prismatic},
  [MBD_JOINT_HELICAL] = {
    .name = "helical", .nq = 1, .nv = 1, .has_axis = true, .quaternion = -1, .npositions = 1,
    .place = place_local, .local = local_helical, .nangle = 1, .subspace = {WZ},
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_angle},
  [MBD_JOINT_CYLINDRICAL] = {
    .name = "cylindrical", .nq = 2, .nv = 2, .has_axis = true, .quaternion = -1, .npositions = 2,
    .place = place_local, .local = local_cylindrical, .nangle = 1, .subspace = {WZ, VZ},
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_cylindrical},
  [MBD_JOINT_UNIVERSAL] = {
    .name = "universal", .nq = 2, .nv = 2, .quaternion = -1, .npositions = 2,
    .place = place_local, .local = local_universal, .nangle = 2,
    .moving_subspace = true, .subspace_rate = rate_universal,
    .integrate = integrate_sum, .difference = difference_sum, .randomize = random_angle},
  [MBD_JOINT_SPHERICAL] = {
    .name = "spherical", .curved = true, .nq = 4, .nv = 3, .quaternion = 0,
    .place = place_local, .local = local_spherical, .subspace = {WX, WY, WZ},
    .integrate = integrate_spherical, .difference = difference_spherical,
    .randomize = random_spherical},
  [MBD_JOINT_PLANAR] = {
    .name = "planar", .curved = true, .nq = 3, .nv = 3, .has_axis = true, .quaternion = -1,
    .place = place_local, .local = local_planar, .nangle = 1, .first_angle = 2,
    .subspace = {VX, VY, WZ},
    .integrate = integrate_planar, .difference = difference_planar, .randomize = random_planar},
  [MBD_JOINT_FREE] = {
    .name = "free", .curved = true, .nq = 7, .nv = 6, .quaternion = 3,
    .place = place_free, .subspace = {VX, VY, VZ, WX, WY, WZ},
    .integrate = integrate_free, .difference = difference_free, .randomize = random_free},
  [MBD_JOINT_USER] = {
    .name = "user", .quaternion = -1,
    .place = place_local, .local = local_user, .moving_subspace = true, .subspace_rate = rate_user,
    .integrate = integrate_user, .difference = difference_user, .randomize = random_user},
};
// clang-format on

const char *
mbd_joint_type_name(mbd_joint_type_t type)
{
  return mbdi_joint_type_exists(type) ? mbdi_joint_ops[type].name : "unknown";
}

bool
mbdi_joint_type_exists(mbd_joint_type_t type)
{
  return (int)type >= 0 && (size_t)type < sizeof mbdi_joint_ops / sizeof *mbdi_joint_ops;
}

int
mbdi_joint_nq(mbd_joint_type_t type, const mbd_user_joint_t * user)
{
  return type == MBD_JOINT_USER ? user->nq : mbdi_joint_ops[type].nq;
}

int
mbdi_joint_nv(mbd_joint_type_t type, const mbd_user_joint_t * user)
{
  return type == MBD_JOINT_USER ? user->nv : mbdi_joint_ops[type].nv;
}

void
mbdi_joint_constant_subspace(const mbd_body_t * body, mbd_motion_t * S)
{
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  memset(S, 0, (size_t)body->nv * sizeof *S);
  for (int k = 0; !ops->moving_subspace && k < body->nv; k++) {
    double * numbers[6] = {&S[k].ang.x, &S[k].ang.y, &S[k].ang.z,
                           &S[k].lin.x, &S[k].lin.y, &S[k].lin.z};
    *numbers[ops->subspace[k]] = 1;
  }
  if (body->type == MBD_JOINT_HELICAL) S[0].lin.z = body->pitch;
}

void
mbdi_joint_neutral(const mbd_body_t * body, double * q)
{
  memset(q, 0, (size_t)body->nq * sizeof *q);
  const int offset = mbdi_joint_quaternion(body->type);
  if (offset >= 0) q[offset + 3] = 1;
  if (body->type == MBD_JOINT_USER && body->user.neutral) body->user.neutral(body->user.ctx, q);
}

int
mbdi_joint_positions(const mbd_body_t * body)
{
  if (body->type != MBD_JOINT_USER) return mbdi_joint_ops[body->type].npositions;
  return body->nq == body->nv && (body->nv == 1 || !body->user.integrate) ? body->nv : 0;
}
