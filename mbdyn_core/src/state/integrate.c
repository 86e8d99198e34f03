// Configurations as a manifold: exponential and logarithm of SO(3), SE(2) and SE(3).
#include "mbdyn/integrate.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "state/check.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

#define PI 3.14159265358979323846

//---------- quaternions as numbers ----------

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

static void
write_quat(mbd_quat_t r, double * q)
{
  r = mbdu_quat_normalize(r);
  q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w;
}

// every quaternion of q has a direction
static mbd_status_t
check_configuration(const mbd_model_t * model, const double * q)
{
  if (!finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  for (int i = 0; i < model->nbody; i++) {
    const int offset = mbdi_joint_quaternion(model->body[i].type);
    if (offset < 0) continue;
    const double * p = q + model->body[i].q_index + offset;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] == 0) return MBD_ERROR_BAD_QUATERNION;
  }
  return MBD_OK;
}

//---------- rest, normalise, random ----------

void
mbdi_joint_neutral(const mbd_body_t * body, double * q)
{
  memset(q, 0, (size_t)body->nq * sizeof *q);
  const int offset = mbdi_joint_quaternion(body->type);
  if (offset >= 0) q[offset + 3] = 1;
  if (body->type == MBD_JOINT_USER && body->user.neutral) body->user.neutral(body->user.ctx, q);
}

mbd_status_t
mbdi_tree_neutral(const mbd_model_t * model, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < model->nbody; i++)
    mbdi_joint_neutral(&model->body[i], q + model->body[i].q_index);
  return MBD_OK;
}

mbd_status_t
mbdi_tree_normalize(const mbd_model_t * model, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_configuration(model, q));
  for (int i = 0; i < model->nbody; i++) {
    const int offset = mbdi_joint_quaternion(model->body[i].type);
    if (offset >= 0) mbdi_quat_normalize_numbers(q + model->body[i].q_index + offset);
  }
  return MBD_OK;
}

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

static void
random_joint(const mbd_body_t * body, uint64_t * state, double * q)
{
  const mbd_limits_t none = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
  switch (body->type) {
    case MBD_JOINT_CONTINUOUS: q[0] = random_within(state, &none, PI); break;
    case MBD_JOINT_PRISMATIC: q[0] = random_within(state, &body->limits, 1); break;
    case MBD_JOINT_CYLINDRICAL:
      q[0] = random_within(state, &none, PI);
      q[1] = random_within(state, &body->limits, 1);
      break;
    case MBD_JOINT_SPHERICAL: random_quaternion(state, q); break;
    case MBD_JOINT_PLANAR:
      for (int k = 0; k < 2; k++) q[k] = random_within(state, &none, 1);
      q[2] = random_within(state, &none, PI);
      break;
    case MBD_JOINT_FREE:
      for (int k = 0; k < 3; k++) q[k] = random_within(state, &none, 1);
      random_quaternion(state, q + 3);
      break;
    case MBD_JOINT_USER: {
      double v[6];
      for (int k = 0; k < body->nv; k++) v[k] = random_within(state, &none, 1);
      double rest[8];
      mbdi_joint_neutral(body, rest);
      mbdi_joint_integrate(body, rest, v, 1, q);
      break;
    }
    default:
      for (int k = 0; k < body->nq; k++) q[k] = random_within(state, &body->limits, PI);
      break;
  }
}

mbd_status_t
mbdi_tree_random_configuration(const mbd_model_t * model, uint64_t seed, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  uint64_t state = seed;
  for (int i = 0; i < model->nbody; i++) {
    random_joint(&model->body[i], &state, q + model->body[i].q_index);
  }
  return MBD_OK;
}

//---------- exponential and logarithm ----------

// (1 - cos t) / t^2 and (t - sin t) / t^3, by their series where the quotients lose digits
static void
exponential_factors(double t, double * b, double * c)
{
  const double t2 = t * t;
  if (t < 1e-2) {
    *b = 0.5 - t2 / 24 * (1 - t2 / 30 * (1 - t2 / 56));
    *c = 1.0 / 6 - t2 / 120 * (1 - t2 / 42 * (1 - t2 / 72));
  } else {
    *b = (1 - cos(t)) / t2;
    *c = (t - sin(t)) / (t2 * t);
  }
}

// translation of exp(r, x): x + b r~ x + c r~ r~ x
static mbd_vec3_t
exponential_translation(mbd_vec3_t r, mbd_vec3_t x)
{
  double b, c;
  exponential_factors(mbdu_vec3_norm(r), &b, &c);
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  const mbd_vec3_t rrx = mbdu_vec3_cross(r, rx);
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(b, rx), mbdu_vec3_scale(c, rrx)));
}

// its inverse: x - r~ x / 2 + d r~ r~ x, d = 1/t^2 - (1 + cos t) / (2 t sin t)
static mbd_vec3_t
logarithm_translation(mbd_vec3_t r, mbd_vec3_t x)
{
  const double t = mbdu_vec3_norm(r), t2 = t * t;
  double b, c;
  exponential_factors(t, &b, &c);
  // d = (1 - (sin t / t) / (2 b)) / t^2
  const double d = t < 1e-2 ? 1.0 / 12 + t2 / 720 * (1 + t2 / 42) : (1 - sin(t) / t / (2 * b)) / t2;
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  const mbd_vec3_t rrx = mbdu_vec3_cross(r, rx);
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(-0.5, rx), mbdu_vec3_scale(d, rrx)));
}

static mbd_vec3_t
read_vec3(const double * x)
{
  return mbdu_vec3(x[0], x[1], x[2]);
}

static void
integrate_free(const double * q, const double * v, double dt, double * out)
{
  const mbd_vec3_t r = mbdu_vec3_scale(dt, read_vec3(v + 3));
  const mbd_vec3_t x = exponential_translation(r, mbdu_vec3_scale(dt, read_vec3(v)));
  const mbd_quat_t turn = read_quat(q + 3);
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  const mbd_vec3_t p = mbdu_vec3_add(read_vec3(q), mbdu_mat3_vec(&R, x));
  out[0] = p.x, out[1] = p.y, out[2] = p.z;
  write_quat(mbdu_quat_mul(turn, mbdu_quat_exp(r)), out + 3);
}

static void
difference_free(const double * q0, const double * q1, double * v)
{
  const mbd_quat_t turn = read_quat(q0 + 3);
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  const mbd_vec3_t r = mbdu_quat_log(mbdu_quat_mul(mbdu_quat_conjugate(turn), read_quat(q1 + 3)));
  const mbd_vec3_t step = mbdu_mat3_tvec(&R, mbdu_vec3_sub(read_vec3(q1), read_vec3(q0)));
  const mbd_vec3_t x = logarithm_translation(r, step);
  v[0] = x.x, v[1] = x.y, v[2] = x.z;
  v[3] = r.x, v[4] = r.y, v[5] = r.z;
}

static void
integrate_planar(const double * q, const double * v, double dt, double * out)
{
  const mbd_vec3_t r = mbdu_vec3(0, 0, dt * v[2]);
  const mbd_vec3_t x = exponential_translation(r, mbdu_vec3(dt * v[0], dt * v[1], 0));
  const double c = cos(q[2]), s = sin(q[2]);
  out[0] = q[0] + c * x.x - s * x.y;
  out[1] = q[1] + s * x.x + c * x.y;
  out[2] = q[2] + r.z;
}

static void
difference_planar(const double * q0, const double * q1, double * v)
{
  const double c = cos(q0[2]), s = sin(q0[2]);
  const double dx = q1[0] - q0[0], dy = q1[1] - q0[1];
  const mbd_vec3_t r = mbdu_vec3(0, 0, remainder(q1[2] - q0[2], 2 * PI));
  const mbd_vec3_t x = logarithm_translation(r, mbdu_vec3(c * dx + s * dy, c * dy - s * dx, 0));
  v[0] = x.x, v[1] = x.y, v[2] = r.z;
}

void
mbdi_joint_integrate(
  const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  switch (body->type) {
    case MBD_JOINT_SPHERICAL:
      write_quat(
        mbdu_quat_mul(read_quat(q), mbdu_quat_exp(mbdu_vec3_scale(dt, read_vec3(v)))), out);
      return;
    case MBD_JOINT_FREE: integrate_free(q, v, dt, out); return;
    case MBD_JOINT_PLANAR: integrate_planar(q, v, dt, out); return;
    case MBD_JOINT_USER:
      if (body->user.integrate) {
        body->user.integrate(body->user.ctx, q, v, dt, out);
        return;
      }
      break;
    default: break;
  }
  for (int k = 0; k < body->nv; k++) out[k] = q[k] + dt * v[k];
}

void
mbdi_joint_difference(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  switch (body->type) {
    case MBD_JOINT_SPHERICAL: {
      const mbd_quat_t turn = mbdu_quat_mul(mbdu_quat_conjugate(read_quat(q0)), read_quat(q1));
      const mbd_vec3_t r = mbdu_quat_log(turn);
      v[0] = r.x, v[1] = r.y, v[2] = r.z;
      return;
    }
    case MBD_JOINT_FREE: difference_free(q0, q1, v); return;
    case MBD_JOINT_PLANAR: difference_planar(q0, q1, v); return;
    case MBD_JOINT_USER:
      if (body->user.difference) {
        body->user.difference(body->user.ctx, q0, q1, v);
        return;
      }
      break;
    default: break;
  }
  for (int k = 0; k < body->nv; k++) v[k] = q1[k] - q0[k];
}

mbd_status_t
mbdi_tree_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  if (!q || !v || !q_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(v, model->nv) || !finite_array(&dt, 1)) return MBD_ERROR_NOT_FINITE;
  // a step whose square overflows would not be finite
  for (int k = 0; k < model->nv; k++) {
    if (!(fabs(dt * v[k]) < 1e150)) return MBD_ERROR_NOT_FINITE;
  }
  CHECK(check_configuration(model, q));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    // by way of a copy, so that q_out may be q
    double out[8];
    mbdi_joint_integrate(body, q + body->q_index, v + body->v_index, dt, out);
    memcpy(q_out + body->q_index, out, (size_t)body->nq * sizeof *out);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_difference(const mbd_model_t * model, const double * q0, const double * q1, double * v)
{
  if (!q0 || !q1 || !v) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_configuration(model, q0));
  CHECK(check_configuration(model, q1));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbdi_joint_difference(body, q0 + body->q_index, q1 + body->q_index, v + body->v_index);
  }
  return MBD_OK;
}
