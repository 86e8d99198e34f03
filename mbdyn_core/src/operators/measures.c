// Scalar functions of the pose of one frame in another, with gradient and bias.
#include "mbdyn/measure.h"

#include <math.h>
#include <string.h>

#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "tree/element.h"

// B relative to A in the axes of A, at the origin of A
typedef struct relative {
  mbd_placement_t X_a, X;          // A in the world, B in A
  mbd_motion_t V, V_rate;          // velocity of B, and its derivative without joint acceleration
  mbd_vec3_t p_rate, p_rate_rate;  // of the origin of B
} relative_t;

// y = a function of X: gradient . V is its rate
typedef struct scalar {
  double value, bias;
  mbd_force_t gradient;
  bool singular;  // the gradient is not defined
} scalar_t;

mbd_measure_t
mbd_measure_default(void)
{
  mbd_measure_t m;
  memset(&m, 0, sizeof m);
  m.body = -1;
  m.frame_a = m.frame_b = MBD_WORLD_BODY;
  m.X_a = m.X_b = mbdu_placement_identity();
  return m;
}

const char *
mbd_measure_type_name(mbd_measure_type_t type)
{
  static const char * const names[MBD_MEASURE_TYPES] = {
    "joint", "distance", "x", "y", "z", "angle", "rotation_x", "rotation_y", "rotation_z", "user"};
  return (unsigned)type < MBD_MEASURE_TYPES ? names[type] : "unknown";
}

//---------- joints ----------

// q' = v for each coordinate
static bool
is_integral(mbd_joint_type_t type)
{
  return type >= MBD_JOINT_REVOLUTE && type <= MBD_JOINT_UNIVERSAL;
}

mbd_status_t
mbd_measure_joint(const mbd_model_t * model, const char * joint, mbd_measure_t * measure)
{
  int body;
  if (!model || !joint || !measure) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_find_joint(model, joint, &body));
  if (!is_integral(model->body[body].type)) return MBD_ERROR_BAD_JOINT;
  *measure = mbd_measure_default();
  measure->name = model->body[body].joint_name;
  measure->body = body;
  return MBD_OK;
}

static mbd_status_t
measure_joint(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_measure_t * m, double * value,
  double * gradient, double * bias)
{
  if (data->tree) return MBD_ERROR_UNSUPPORTED;
  if (m->body < 0 || m->body >= model->nbody) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_body_t * body = &model->body[m->body];
  if (!is_integral(body->type)) return MBD_ERROR_BAD_JOINT;
  if (m->coordinate < 0 || m->coordinate >= body->nv) return MBD_ERROR_BAD_ARGUMENT;
  if (value) *value = data->q[body->q_index + m->coordinate];
  if (gradient) {
    memset(gradient, 0, (size_t)model->nv * sizeof *gradient);
    gradient[body->v_index + m->coordinate] = 1;
  }
  if (bias) *bias = 0;
  return MBD_OK;
}

//---------- frames ----------

static mbd_status_t
place(
  const mbd_model_t * model, mbd_data_t * data, int frame, const mbd_placement_t * X,
  mbd_placement_t * out)
{
  mbd_placement_t F = mbdu_placement_identity();
  if (!finite_array(X->R.m, 9) || !finite_array(&X->p.x, 3)) return MBD_ERROR_NOT_FINITE;
  if (frame != MBD_WORLD_BODY) CHECK(mbd_frame_placement(model, data, frame, &F));
  *out = mbdu_placement_mul(&F, X);
  return MBD_OK;
}

// velocity of a frame's body at the world's origin, and its derivative without joint acceleration
static mbd_status_t
move(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_motion_t * V, mbd_motion_t * V_rate)
{
  *V = *V_rate = (mbd_motion_t){{0, 0, 0}, {0, 0, 0}};
  if (frame == MBD_WORLD_BODY) return MBD_OK;
  CHECK(mbd_frame_velocity(model, data, frame, MBD_WORLD, V));
  return mbd_jacobian_bias(model, data, frame, MBD_WORLD, V_rate);
}

static mbd_status_t
find_relative(
  const mbd_model_t * model, mbd_data_t * data, const mbd_measure_t * m, bool moving,
  relative_t * r)
{
  mbd_placement_t X_b;
  memset(r, 0, sizeof *r);
  CHECK(place(model, data, m->frame_a, &m->X_a, &r->X_a));
  CHECK(place(model, data, m->frame_b, &m->X_b, &X_b));
  const mbd_placement_t A = mbdu_placement_inverse(&r->X_a);
  r->X = mbdu_placement_mul(&A, &X_b);
  if (!moving) return MBD_OK;
  mbd_motion_t V_a, V_b, a, b;
  CHECK(move(model, data, m->frame_a, &V_a, &a));
  CHECK(move(model, data, m->frame_b, &V_b, &b));
  r->V = mbdu_motion_to_child(&r->X_a, mbdu_motion_sub(V_b, V_a));
  // the axes of A move with V_a
  r->V_rate = mbdu_motion_sub(
    mbdu_motion_to_child(&r->X_a, mbdu_motion_sub(b, a)),
    mbdu_motion_cross(mbdu_motion_to_child(&r->X_a, V_a), r->V));
  const mbd_vec3_t w = r->V.ang;
  r->p_rate = mbdu_vec3_add(r->V.lin, mbdu_vec3_cross(w, r->X.p));
  r->p_rate_rate = mbdu_vec3_add(
    mbdu_vec3_add(r->V_rate.lin, mbdu_vec3_cross(r->V_rate.ang, r->X.p)),
    mbdu_vec3_cross(w, r->p_rate));
  return MBD_OK;
}

// u . p, u fixed in A
static void
along(const relative_t * r, mbd_vec3_t u, scalar_t * y)
{
  y->value = mbdu_vec3_dot(u, r->X.p);
  y->gradient = (mbd_force_t){mbdu_vec3_cross(r->X.p, u), u};
  y->bias = mbdu_vec3_dot(u, r->p_rate_rate);
}

static void
distance(const relative_t * r, scalar_t * y)
{
  const double l = mbdu_vec3_norm(r->X.p);
  y->singular = !(l > 0);
  if (y->singular) return;
  along(r, mbdu_vec3_scale(1 / l, r->X.p), y);
  const double rate = mbdu_vec3_dot(y->gradient.lin, r->p_rate);
  y->bias += (mbdu_vec3_dot(r->p_rate, r->p_rate) - rate * rate) / l;
}

// atan2 of y and x of B's x axis
static void
angle(const relative_t * r, scalar_t * y)
{
  const mbd_vec3_t w = r->V.ang, e = mbdu_mat3_vec(&r->X.R, mbdu_vec3(1, 0, 0));
  const double square = e.x * e.x + e.y * e.y;
  y->value = atan2(e.y, e.x);
  y->singular = !(square > 1e-24);
  if (y->singular) return;
  const double tilt = -e.z / square;
  y->gradient.ang = mbdu_vec3(tilt * e.x, tilt * e.y, 1);
  const mbd_vec3_t d = mbdu_vec3_cross(w, e);
  const mbd_vec3_t dd = mbdu_vec3_add(mbdu_vec3_cross(r->V_rate.ang, e), mbdu_vec3_cross(w, d));
  const double rate = mbdu_vec3_dot(y->gradient.ang, w);
  y->bias = (e.x * dd.y - e.y * dd.x - 2 * rate * (e.x * d.x + e.y * d.y)) / square;
}

// u . log R, u fixed in A. The rate of log R is J^-1 w, J^-1 = 1 - r~/2 + c r~^2 of the left Jacobian.
static void
rotation(const relative_t * r, mbd_vec3_t u, scalar_t * y)
{
  const mbd_vec3_t x = mbdu_quat_log(mbdu_quat_from_mat3(&r->X.R)), w = r->V.ang;
  const double size = mbdu_vec3_norm(x);
  double slope;
  const double c = mbdi_log_rate_factor(size, &slope);
  const mbd_vec3_t xu = mbdu_vec3_cross(x, u), xw = mbdu_vec3_cross(x, w);
  y->value = mbdu_vec3_dot(u, x);
  // beyond half a turn the vector is that of the other direction
  y->singular = size > 3.14159265;
  y->gradient.ang = mbdu_vec3_add(
    mbdu_vec3_add(u, mbdu_vec3_scale(0.5, xu)), mbdu_vec3_scale(c, mbdu_vec3_cross(x, xu)));
  const mbd_vec3_t d = mbdu_vec3_add(
    mbdu_vec3_sub(w, mbdu_vec3_scale(0.5, xw)), mbdu_vec3_scale(c, mbdu_vec3_cross(x, xw)));
  const mbd_vec3_t dw = mbdu_vec3_cross(d, w);
  mbd_vec3_t change = mbdu_vec3_scale(-0.5, dw);
  const mbd_vec3_t twice = mbdu_vec3_add(mbdu_vec3_cross(d, xw), mbdu_vec3_cross(x, dw));
  change = mbdu_vec3_add(change, mbdu_vec3_scale(c, twice));
  change =
    mbdu_vec3_add(change, mbdu_vec3_scale(slope * mbdu_vec3_dot(x, d), mbdu_vec3_cross(x, xw)));
  y->bias = mbdu_vec3_dot(u, change) + mbdu_vec3_dot(y->gradient.ang, r->V_rate.ang);
}

static mbd_vec3_t
unit(int k)
{
  return mbdu_vec3(k == 0, k == 1, k == 2);
}

// g = sum of columns of S that move B minus those that move A
static mbd_status_t
to_coordinates(
  const mbd_model_t * model, mbd_data_t * data, const mbd_measure_t * m, const relative_t * r,
  mbd_force_t gradient, double * g)
{
  const mbd_force_t f = mbdu_force_to_parent(&r->X_a, gradient);
  mbd_wrench_t list[2];
  mbd_wrenches_t both = {0, list};
  if (m->frame_b >= 0) list[both.n++] = (mbd_wrench_t){m->frame_b, MBD_WORLD, f};
  if (m->frame_a >= 0)
    list[both.n++] = (mbd_wrench_t){m->frame_a, MBD_WORLD, mbdu_force_scale(-1, f)};
  return mbd_jacobian_transpose_product(model, data, &both, g);
}

mbd_status_t
mbd_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_measure_t * measure, double * value,
  double * gradient, double * bias)
{
  CHECK(check_any(model, data, bias ? MBD_STAGE_VELOCITY : MBD_STAGE_POSITION));
  const mbd_measure_t * m = measure;
  if (!m) return MBD_ERROR_NULL_ARGUMENT;
  double y_user;
  if (m->type == MBD_MEASURE_JOINT) return measure_joint(model, data, m, value, gradient, bias);
  if (m->type == MBD_MEASURE_USER) {
    if (!m->at) return MBD_ERROR_NULL_ARGUMENT;
    CHECK(m->at(m->ctx, model, data, value ? value : &y_user, gradient, bias));
    const bool finite = (!value || isfinite(*value)) && (!bias || isfinite(*bias)) &&
                        (!gradient || finite_array(gradient, model->nv));
    return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
  }
  relative_t r;
  scalar_t y = {0};
  CHECK(find_relative(model, data, m, bias != NULL, &r));
  switch (m->type) {
    case MBD_MEASURE_DISTANCE: distance(&r, &y); break;
    case MBD_MEASURE_X:
    case MBD_MEASURE_Y:
    case MBD_MEASURE_Z: along(&r, unit((int)m->type - MBD_MEASURE_X), &y); break;
    case MBD_MEASURE_ANGLE: angle(&r, &y); break;
    case MBD_MEASURE_ROTATION_X:
    case MBD_MEASURE_ROTATION_Y:
    case MBD_MEASURE_ROTATION_Z:
      rotation(&r, unit((int)m->type - MBD_MEASURE_ROTATION_X), &y);
      break;
    default: return MBD_ERROR_BAD_ARGUMENT;
  }
  if (y.singular && (gradient || bias)) return MBD_ERROR_SINGULAR;
  if (!isfinite(y.value) || !isfinite(y.bias)) return MBD_ERROR_NOT_FINITE;
  if (value) *value = y.value;
  if (bias) *bias = y.bias;
  return gradient ? to_coordinates(model, data, m, &r, y.gradient, gradient) : MBD_OK;
}
