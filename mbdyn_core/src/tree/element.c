// Springs, dampers, bushings and actuators between links (Haug 4.5): forces and their variations.
#include "tree/element.h"

#include <math.h>
#include <string.h>

#include "mbdyn/jacobian.h"
#include "mbdyn/spatial.h"
#include "tree/sweeps.h"

//---------- scalar laws ----------

static mbdi_law_t
scalar_law(const mbd_element_spec_t * spec, double t, double s, double rate)
{
  mbdi_law_t law = {0};
  const bool idle = (spec->one_sided == MBD_ONE_SIDED_PUSH && s >= 0) ||
                    (spec->one_sided == MBD_ONE_SIDED_PULL && s <= 0);
  if (idle) return law;
  double damping = spec->damping, damping_x = 0;
  if (spec->one_sided != MBD_ONE_SIDED_BOTH && fabs(s) < spec->ramp) {
    damping_x = copysign(spec->damping / spec->ramp, s);
    damping = damping_x * s;
  }
  law.spring = spec->stiffness * s + spec->preload;
  law.damper = damping * rate;
  law.energy = (0.5 * spec->stiffness * s + spec->preload) * s;
  law.f = law.spring + law.damper;
  law.f_x = spec->stiffness + damping_x * rate;
  law.f_rate = damping;
  if (!spec->at) return law;
  double f = 0, f_x = 0, f_rate = 0;
  spec->at(spec->ctx, t, s + spec->rest, rate, &f, &f_x, &f_rate);
  law.f += f, law.f_x += f_x, law.f_rate += f_rate;
  return law;
}

// an angle to (-pi, pi]
static double
wrap(double angle)
{
  const double turn = 2 * acos(-1.0);
  const double rest = remainder(angle, turn);
  return rest <= -0.5 * turn ? rest + turn : rest;
}

// x axis of B in A, and 1 / (its square in the plane normal to z)
static mbd_vec3_t
pointer(const mbd_placement_t * X, double * inverse)
{
  const mbd_vec3_t r = mbdu_mat3_vec(&X->R, mbdu_vec3(1, 0, 0));
  const double square = r.x * r.x + r.y * r.y;
  *inverse = square > 0 ? 1 / square : 0;
  return r;
}

static void
spring(mbdi_element_at_t * at)
{
  at->x = mbdu_vec3_norm(at->X.p);
  if (at->x > 0) at->axis.lin = mbdu_vec3_scale(1 / at->x, at->X.p);
}

// angle of x of B in the x-y plane of A: its gradient is z if the two z axes are parallel
static void
torsion(mbdi_element_at_t * at)
{
  double inverse;
  const mbd_vec3_t r = pointer(&at->X, &inverse);
  const double tilt = -r.z * inverse;
  at->x = at->spec->rest + wrap(atan2(r.y, r.x) - at->spec->rest);
  at->axis.ang = mbdu_vec3(tilt * r.x, tilt * r.y, 1);
}

// z of the body frame: of one-axis joints it is the axis
static void
joint_axis(const mbd_model_t * model, const mbd_data_t * data, int body, mbdi_element_at_t * at)
{
  const mbd_model_t * tree = mbdi_spanning_tree(model);
  const mbd_data_t * on = data->tree ? data->tree : data;
  const mbd_body_t * b = &tree->body[body];
  const mbd_placement_t A = mbdu_placement_inverse(&at->X_a);
  const mbd_placement_t X = mbdu_placement_mul(&A, &data->X_world[body]);
  const mbd_vec3_t z = mbdu_vec3(0, 0, 1), none = {0, 0, 0};
  const mbd_force_t axis =
    b->type == MBD_JOINT_PRISMATIC ? (mbd_force_t){none, z} : (mbd_force_t){z, none};
  at->axis = mbdu_force_to_parent(&X, axis);
  at->x = data->q[b->q_index];
  at->rate = on->v[b->v_index];
}

//---------- bushings ----------

static mbd_vec3_t
times(const double * diagonal, mbd_vec3_t x)
{
  return mbdu_vec3(diagonal[0] * x.x, diagonal[1] * x.y, diagonal[2] * x.z);
}

double
mbdi_log_rate_factor(double angle, double * slope)
{
  if (angle < 0.05) {
    const double s = angle * angle;
    *slope = 1.0 / 360 + s * (1.0 / 7560 + s / 201600);
    return 1.0 / 12 + s * (1.0 / 720 + s * (1.0 / 30240 + s / 1209600));
  }
  const double h = 0.5 * angle, cot = cos(h) / sin(h), s = 1 / (angle * angle);
  // c = (1 - h cot h) / r^2
  const double c = (1 - h * cot) * s;
  const double dc = -0.5 * (cot - h * (1 + cot * cot)) * s - 2 * c / angle;
  *slope = dc / angle;
  return c;
}

// J^-T(r) y = y + r x y / 2 + c r x (r x y)
static mbd_vec3_t
inverse_transpose(mbd_vec3_t r, mbd_vec3_t y)
{
  double slope;
  const double c = mbdi_log_rate_factor(mbdu_vec3_norm(r), &slope);
  const mbd_vec3_t once = mbdu_vec3_cross(r, y), twice = mbdu_vec3_cross(r, once);
  return mbdu_vec3_add(y, mbdu_vec3_add(mbdu_vec3_scale(0.5, once), mbdu_vec3_scale(c, twice)));
}

static void
bushing(mbdi_element_at_t * at)
{
  const mbd_element_spec_t * spec = at->spec;
  at->r = mbdu_quat_log(mbdu_quat_from_mat3(&at->X.R));
  const mbd_vec3_t moment = inverse_transpose(at->r, times(spec->stiffness6, at->r));
  const mbd_vec3_t force =
    mbdu_vec3_add(times(spec->stiffness6 + 3, at->X.p), times(spec->damping6 + 3, at->p_rate));
  at->f.lin = mbdu_vec3_neg(force);
  at->f.ang = mbdu_vec3_neg(mbdu_vec3_add(moment, times(spec->damping6, at->V.ang)));
  at->f.ang = mbdu_vec3_add(at->f.ang, mbdu_vec3_cross(at->X.p, at->f.lin));
}

// variation of J^-T(r) K r for an infinitesimal rotation d of B in axes of A: dr = J^-1 d
static mbd_vec3_t
bushing_moment_change(const mbdi_element_at_t * at, mbd_vec3_t d)
{
  const mbd_vec3_t r = at->r, y = times(at->spec->stiffness6, r);
  double slope;
  const double c = mbdi_log_rate_factor(mbdu_vec3_norm(r), &slope);
  // J^-1(r) is J^-T(-r)
  const mbd_vec3_t dr = inverse_transpose(mbdu_vec3_neg(r), d);
  const mbd_vec3_t rxy = mbdu_vec3_cross(r, y), drxy = mbdu_vec3_cross(dr, y);
  mbd_vec3_t change = inverse_transpose(r, times(at->spec->stiffness6, dr));
  change = mbdu_vec3_add(change, mbdu_vec3_scale(0.5, drxy));
  const mbd_vec3_t square = mbdu_vec3_add(mbdu_vec3_cross(dr, rxy), mbdu_vec3_cross(r, drxy));
  change = mbdu_vec3_add(change, mbdu_vec3_scale(c, square));
  return mbdu_vec3_add(
    change, mbdu_vec3_scale(slope * mbdu_vec3_dot(r, dr), mbdu_vec3_cross(r, rxy)));
}

//---------- an element at a state ----------

static mbd_placement_t
frame_placement(
  const mbd_model_t * model, const mbd_data_t * data, int frame, const mbd_placement_t * X)
{
  if (frame < 0) return *X;
  const mbd_placement_t F = mbdi_frame_in_world(model, data, frame);
  return mbdu_placement_mul(&F, X);
}

// velocity of a frame's body in world axes at the world's origin
static mbd_motion_t
body_velocity(const mbd_model_t * model, const mbd_data_t * data, int frame)
{
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  const int body = frame < 0 ? -1 : model->frame[frame].body;
  return body < 0 ? rest : mbdu_motion_to_parent(&data->X_world[body], data->V[body]);
}

void
mbdi_element_at(
  const mbd_model_t * model, const mbd_data_t * data, int k, bool moving, mbdi_element_at_t * at)
{
  const mbd_element_t * element = &model->element[k];
  const mbd_element_spec_t * spec = &element->spec;
  memset(at, 0, sizeof *at);
  at->spec = spec;
  at->X_a = frame_placement(model, data, spec->frame_a, &spec->X_a);
  const mbd_placement_t X_b = frame_placement(model, data, spec->frame_b, &spec->X_b);
  const mbd_placement_t A = mbdu_placement_inverse(&at->X_a);
  at->X = mbdu_placement_mul(&A, &X_b);
  if (moving) {
    const mbd_motion_t V_a = body_velocity(model, data, spec->frame_a);
    const mbd_motion_t V_b = body_velocity(model, data, spec->frame_b);
    at->V = mbdu_motion_to_child(&at->X_a, mbdu_motion_sub(V_b, V_a));
    at->p_rate = mbdu_vec3_add(at->V.lin, mbdu_vec3_cross(at->V.ang, at->X.p));
  }
  switch (spec->type) {
    case MBD_ELEMENT_SPRING: spring(at); break;
    case MBD_ELEMENT_TORSION: torsion(at); break;
    case MBD_ELEMENT_JOINT: joint_axis(model, data, element->body, at); break;
    case MBD_ELEMENT_BUSHING: bushing(at); return;
    default:
      at->f = spec->wrench;
      at->f.ang = mbdu_vec3_add(at->f.ang, mbdu_vec3_cross(at->X.p, at->f.lin));
      return;
  }
  if (spec->type != MBD_ELEMENT_JOINT) at->rate = mbdu_power(at->axis, at->V);
  if (!moving) at->rate = 0;
  at->law = scalar_law(spec, data->work->elements->time, at->x - spec->rest, at->rate);
  at->f = mbdu_force_scale(-at->law.f, at->axis);
}

double
mbdi_element_energy(const mbdi_element_at_t * at)
{
  if (at->spec->type != MBD_ELEMENT_BUSHING) return at->law.energy;
  const mbd_vec3_t moment = times(at->spec->stiffness6, at->r);
  const mbd_vec3_t force = times(at->spec->stiffness6 + 3, at->X.p);
  return 0.5 * (mbdu_vec3_dot(at->r, moment) + mbdu_vec3_dot(at->X.p, force));
}

//---------- variations ----------

// variation of the axis of a spring with the displacement of B's origin
static mbd_vec3_t
spring_axis_change(const mbdi_element_at_t * at, mbd_vec3_t dp)
{
  if (!(at->x > 0)) return mbdu_vec3(0, 0, 0);
  const mbd_vec3_t u = at->axis.lin;
  const mbd_vec3_t across = mbdu_vec3_sub(dp, mbdu_vec3_scale(mbdu_vec3_dot(u, dp), u));
  return mbdu_vec3_scale(1 / at->x, across);
}

// variation of the axis of a torsion spring for a rotation d of B
static mbd_vec3_t
torsion_axis_change(const mbdi_element_at_t * at, mbd_vec3_t d)
{
  double s;
  const mbd_vec3_t r = pointer(&at->X, &s), dr = mbdu_vec3_cross(d, r);
  const double turn = 2 * s * (r.x * dr.x + r.y * dr.y);
  const double tilt = r.z * s, dtilt = dr.z * s - tilt * turn;
  return mbdu_vec3(-dtilt * r.x - tilt * dr.x, -dtilt * r.y - tilt * dr.y, 0);
}

static mbd_force_t
vary_bushing(const mbdi_element_at_t * at, mbd_motion_t dx, mbd_vec3_t dp, mbd_motion_t dV)
{
  const mbd_element_spec_t * spec = at->spec;
  const mbd_vec3_t dp_rate = mbdu_vec3_add(
    mbdu_vec3_add(dV.lin, mbdu_vec3_cross(dV.ang, at->X.p)), mbdu_vec3_cross(at->V.ang, dp));
  const mbd_vec3_t dforce =
    mbdu_vec3_add(times(spec->stiffness6 + 3, dp), times(spec->damping6 + 3, dp_rate));
  const mbd_vec3_t dmoment =
    mbdu_vec3_add(bushing_moment_change(at, dx.ang), times(spec->damping6, dV.ang));
  mbd_force_t df;
  df.lin = mbdu_vec3_neg(dforce);
  df.ang = mbdu_vec3_add(mbdu_vec3_cross(dp, at->f.lin), mbdu_vec3_cross(at->X.p, df.lin));
  df.ang = mbdu_vec3_sub(df.ang, dmoment);
  return df;
}

mbd_force_t
mbdi_element_vary(const mbdi_element_at_t * at, mbd_motion_t dx, mbd_motion_t dV)
{
  const mbd_vec3_t dp = mbdu_vec3_add(dx.lin, mbdu_vec3_cross(dx.ang, at->X.p));
  mbd_force_t daxis = {{0, 0, 0}, {0, 0, 0}};
  switch (at->spec->type) {
    case MBD_ELEMENT_BUSHING: return vary_bushing(at, dx, dp, dV);
    case MBD_ELEMENT_WRENCH: daxis.ang = mbdu_vec3_cross(dp, at->f.lin); return daxis;
    case MBD_ELEMENT_SPRING: daxis.lin = spring_axis_change(at, dp); break;
    case MBD_ELEMENT_TORSION: daxis.ang = torsion_axis_change(at, dx.ang); break;
    default: break;
  }
  // at length zero a spring without rest length pulls by stiffness times displacement
  if (at->spec->type == MBD_ELEMENT_SPRING && !(at->x > 0)) {
    daxis.lin = mbdu_vec3_scale(-at->law.f_x, dp);
    return daxis;
  }
  const double drate = mbdu_power(daxis, at->V) + mbdu_power(at->axis, dV);
  const double df = at->law.f_x * mbdu_power(at->axis, dx) + at->law.f_rate * drate;
  return mbdu_force_sub(mbdu_force_scale(-df, at->axis), mbdu_force_scale(at->law.f, daxis));
}

//---------- forces on the bodies ----------

int
mbdi_element_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, bool moving, mbd_wrench_t * list)
{
  int n = 0;
  for (int k = 0; k < model->nelement; k++) {
    const mbd_element_spec_t * spec = &model->element[k].spec;
    mbdi_element_at_t at;
    mbdi_element_at(model, data, k, moving, &at);
    const mbd_force_t f = mbdu_force_to_parent(&at.X_a, at.f);
    if (spec->frame_b >= 0) list[n++] = (mbd_wrench_t){spec->frame_b, MBD_WORLD, f};
    if (spec->frame_a >= 0)
      list[n++] = (mbd_wrench_t){spec->frame_a, MBD_WORLD, mbdu_force_scale(-1, f)};
  }
  return n;
}

mbd_status_t
mbdi_element_torque(const mbd_model_t * model, mbd_data_t * data, bool moving, double * tau)
{
  mbd_wrench_t * list = data->work->elements->list;
  const mbd_wrenches_t all = {mbdi_element_wrenches(model, data, moving, list), list};
  return mbd_jacobian_transpose_product(model, data, &all, tau);
}

void
mbdi_add_element_forces(
  const mbd_model_t * model, const mbd_data_t * data, double sign, mbd_force_t * F)
{
  if (!mbdi_elements_count(model, data)) return;
  mbd_wrench_t * list = data->work->elements->list;
  const mbd_wrenches_t all = {mbdi_element_wrenches(model, data, true, list), list};
  mbdi_add_wrenches(model, data, &all, sign, F);
}

mbd_status_t
mbd_element_torque(const mbd_model_t * model, mbd_data_t * data, double * tau)
{
  CHECK(check_any(model, data, 0));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (model->nelement == 0) {
    memset(tau, 0, (size_t)model->nv * sizeof *tau);
    return MBD_OK;
  }
  double * found = data->work->elements->tau;
  CHECK(mbdi_element_torque(model, data, true, found));
  return copy_checked(tau, found, model->nv);
}

mbd_status_t
mbd_element_state(
  const mbd_model_t * model, mbd_data_t * data, int element, mbd_element_state_t * state)
{
  CHECK(check_any(model, data, 0));
  if (!state) return MBD_ERROR_NULL_ARGUMENT;
  if (element < 0 || element >= model->nelement) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  mbdi_element_at_t at;
  mbdi_element_at(model, data, element, true, &at);
  mbd_element_state_t out = {.x = at.x, .rate = at.rate, .force = at.law.f};
  out.energy = mbdi_element_energy(&at);
  out.dissipation = at.law.damper * at.rate;
  if (at.spec->type == MBD_ELEMENT_BUSHING) {
    out.dissipation = mbdu_vec3_dot(at.V.ang, times(at.spec->damping6, at.V.ang)) +
                      mbdu_vec3_dot(at.p_rate, times(at.spec->damping6 + 3, at.p_rate));
  }
  const mbd_placement_t origin = {at.X_a.R, mbdu_placement_point(&at.X_a, at.X.p)};
  const mbd_placement_t to_b = {mbdu_mat3_identity(), at.X.p};
  const mbd_force_t f = mbdu_force_to_child(&to_b, at.f);
  out.wrench.ang = mbdu_mat3_vec(&origin.R, f.ang);
  out.wrench.lin = mbdu_mat3_vec(&origin.R, f.lin);
  const double * numbers = &out.x;
  if (!finite_array(numbers, (int)(sizeof out / sizeof out.x))) return MBD_ERROR_NOT_FINITE;
  *state = out;
  return MBD_OK;
}
