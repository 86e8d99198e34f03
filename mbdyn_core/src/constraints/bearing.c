// Bearings at a state: friction curve, sliding speeds, points of contact (Haug 8.1, 8.4, 8.5).
#include "constraints/bearing.h"

#include <math.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/inverse.h"
#include "mbdyn/spatial.h"
#include "util/check.h"

static const double HALF_PI = 1.57079632679489661923;

//---------- laws ----------

double
mbd_friction_curve(double v, const mbd_bearing_spec_t * spec, double * slope)
{
  const double u = v / spec->velocity, peak = spec->mu_static - spec->mu_dynamic;
  const double tangent = tanh(4 * u), Q = 0.25 * u * u + 0.75;
  if (slope) {
    const double rise = 4 * spec->mu_dynamic * (1 - tangent * tangent);
    *slope = (rise + peak * (1 - u * u / Q) / (Q * Q)) / spec->velocity;
  }
  return spec->mu_dynamic * tangent + peak * u / (Q * Q);
}

// |x|, smooth at zero, and its derivative                                 Haug (8.1.13)
static double
smooth_abs(double x, double width, double * slope)
{
  const double size = fabs(x), sign = x < 0 ? -1 : 1;
  if (size >= width) {
    *slope = sign;
    return size;
  }
  const double angle = HALF_PI * size / width;
  *slope = sign * (sin(angle) + angle * cos(angle));
  return size * sin(angle);
}

// |(x, y)|, smooth at zero, and its derivative
static double
smooth_norm(double x, double y, double width, double d[2])
{
  double slope;
  const double size = hypot(x, y), value = smooth_abs(size, width, &slope);
  d[0] = size > 0 ? slope * x / size : 0;
  d[1] = size > 0 ? slope * y / size : 0;
  return value;
}

typedef enum kind { REVOLUTE, PRISMATIC, CYLINDRICAL, PIN } kind_t;

static kind_t
kind_of(const mbd_model_t * model, const mbd_bearing_t * b)
{
  if (b->closure >= 0) {
    switch (model->closure[b->closure].type) {
      case MBD_CLOSURE_PRISMATIC: return PRISMATIC;
      case MBD_CLOSURE_CYLINDRICAL: return CYLINDRICAL;
      case MBD_CLOSURE_ON_LINE: return PIN;
      default: return REVOLUTE;
    }
  }
  switch (model->body[b->body].type) {
    case MBD_JOINT_PRISMATIC: return PRISMATIC;
    case MBD_JOINT_CYLINDRICAL: return CYLINDRICAL;
    default: return REVOLUTE;
  }
}

// order of f and df: moment, force
double
mbdi_bearing_load(
  const mbd_model_t * model, const mbd_bearing_t * b, const double f[6], double df[6])
{
  const mbd_bearing_spec_t * s = &b->spec;
  const kind_t kind = kind_of(model, b);
  const double by_span = s->span != 0 && kind != PIN ? 1 / s->span : 0;
  const double by_key = s->key != 0 && kind == PRISMATIC ? 1 / s->key : 0;
  const double x2 = f[1] * by_span, y2 = -f[0] * by_span, x3 = f[2] * by_key;
  const double x1 = f[3] - x2 - x3, y1 = f[4] - y2;
  double d1[2], d2[2], d3 = 0, dz = 0, load = s->preload;
  if (kind == PRISMATIC) {
    load += smooth_abs(x1, s->smoothing, &d1[0]) + smooth_abs(y1, s->smoothing, &d1[1]);
    load += smooth_abs(x2, s->smoothing, &d2[0]) + smooth_abs(y2, s->smoothing, &d2[1]);
    load += smooth_abs(x3, s->smoothing, &d3);
  } else {
    load += smooth_norm(x1, y1, s->smoothing, d1) + smooth_norm(x2, y2, s->smoothing, d2);
    if (kind == REVOLUTE) load += smooth_abs(f[5], s->smoothing, &dz);
  }
  df[0] = -(d2[1] - d1[1]) * by_span;
  df[1] = (d2[0] - d1[0]) * by_span;
  df[2] = (d3 - d1[0]) * by_key;
  df[3] = d1[0], df[4] = d1[1], df[5] = dz;
  return load;
}

//---------- motion ----------

// pose and velocity of B in A, of a closure
static mbd_placement_t
closure_motion(const mbd_data_t * data, const mbd_closure_t * c, mbd_motion_t * V)
{
  mbd_placement_t A = c->X_a, B = c->X_b;
  mbd_motion_t V_a = {0}, V_b = {0};
  if (c->body_a >= 0) {
    A = mbdu_placement_mul(&data->X_world[c->body_a], &c->X_a);
    V_a = mbdu_motion_to_child(&c->X_a, data->V[c->body_a]);
  }
  if (c->body_b >= 0) {
    B = mbdu_placement_mul(&data->X_world[c->body_b], &c->X_b);
    V_b = mbdu_motion_to_child(&c->X_b, data->V[c->body_b]);
  }
  const mbd_placement_t inverse = mbdu_placement_inverse(&A);
  const mbd_placement_t X = mbdu_placement_mul(&inverse, &B);
  // at B's origin, in axes of A
  *V = mbdu_motion_sub(V_b, mbdu_motion_to_child(&X, V_a));
  V->ang = mbdu_mat3_vec(&X.R, V->ang);
  V->lin = mbdu_mat3_vec(&X.R, V->lin);
  return X;
}

void
mbdi_bearing_at(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_bearing_t * b,
  mbdi_bearing_at_t * at)
{
  const mbd_bearing_spec_t * s = &b->spec;
  const kind_t kind = kind_of(model, b);
  double along = 0;
  *at = (mbdi_bearing_at_t){
    .slides = kind == PRISMATIC || kind == CYLINDRICAL, .turns = kind != PRISMATIC};
  if (b->closure >= 0) {
    mbd_motion_t V;
    along = closure_motion(data, &model->closure[b->closure], &V).p.z;
    at->speed = V.lin.z, at->omega = V.ang.z;
  } else {
    const mbd_body_t * body = &model->body[b->body];
    const double *q = data->q + body->q_index, *v = data->v + body->v_index;
    if (at->turns) at->omega = v[0];
    if (at->slides) along = q[body->nv - 1], at->speed = v[body->nv - 1];
  }
  at->shift = s->offset - (s->on_a && at->slides ? along : 0);
  double slope;
  if (at->slides) {
    at->force = -mbd_friction_curve(at->speed, s, &slope);
    at->force_slope = -slope;
  }
  if (at->turns) {
    at->torque = -s->radius * mbd_friction_curve(s->radius * at->omega, s, &slope);
    at->torque_slope = -s->radius * s->radius * slope;
  }
}

//---------- forces ----------

int
mbdi_bearing_apply(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_bearing_t * b,
  const mbdi_bearing_at_t * at, double load, double * tau, mbd_wrench_t * list)
{
  if (b->closure < 0) {
    double * joint = tau + model->body[b->body].v_index;
    if (at->turns) joint[0] += load * at->torque;
    if (at->slides) joint[at->turns ? 1 : 0] += load * at->force;
    return 0;
  }
  const mbd_closure_t * c = &model->closure[b->closure];
  mbd_motion_t V;
  const mbd_placement_t X = closure_motion(data, c, &V);
  // on B at its origin, in axes of A; then at the origin of A
  mbd_force_t f = {{0, 0, load * at->torque}, {0, 0, load * at->force}};
  const mbd_force_t on_b = {mbdu_mat3_tvec(&X.R, f.ang), mbdu_mat3_tvec(&X.R, f.lin)};
  f.ang = mbdu_vec3_add(f.ang, mbdu_vec3_cross(X.p, f.lin));
  const struct {
    int body;
    const mbd_placement_t * X;
    mbd_force_t f;
  } sides[2] = {{c->body_a, &c->X_a, mbdu_force_scale(-1, f)}, {c->body_b, &c->X_b, on_b}};
  int n = 0;
  for (int k = 0; k < 2; k++) {
    if (sides[k].body < 0) continue;
    const int frame = model->body[sides[k].body].link_frame;
    const mbd_force_t on_body = mbdu_force_to_parent(sides[k].X, sides[k].f);
    list[n++] =
      (mbd_wrench_t){frame, MBD_LOCAL, mbdu_force_to_child(&model->frame[frame].X, on_body)};
  }
  return n;
}

mbd_status_t
mbdi_bearing_force(
  const mbd_model_t * model, mbd_data_t * data, const mbd_bearing_t * b,
  const mbdi_bearing_at_t * at, const double * lambda, double f[6])
{
  mbd_force_t w;
  if (b->closure >= 0) {
    CHECK(mbd_closure_wrench(model, data, b->closure, lambda, &w));
  } else {
    CHECK(mbd_joint_force(model, data, b->body, &w));
    w = mbdu_force_to_parent(&model->frame[model->body[b->body].link_frame].X, w);
  }
  // about point 1
  w.ang = mbdu_vec3_sub(w.ang, mbdu_vec3_cross(mbdu_vec3(0, 0, at->shift), w.lin));
  f[0] = w.ang.x, f[1] = w.ang.y, f[2] = w.ang.z;
  f[3] = w.lin.x, f[4] = w.lin.y, f[5] = w.lin.z;
  return MBD_OK;
}
