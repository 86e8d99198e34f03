// Motion of the joints that a floating base does not feel: the null space of its coupling inertia,
// closed form of the disturbance Jacobian (16.28) before the division by R.
#include <math.h>
#include <string.h>

#include "mbdyn/inertia.h"
#include "mbdyn/operators/free_flyer.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/lq.h"

// what joints add less than, of the most they could, they cannot do
#define RANK_TOLERANCE 1e-9

//---------- checks ----------

static mbd_status_t
check_flyer(const mbd_model_t * model, mbd_data_t * data, uint32_t stage, int body)
{
  CHECK(check_dynamics(model, data, stage));
  if (body < 0 || body >= model->nbody) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_body_t * base = &model->body[body];
  if (base->parent >= 0 || base->type != MBD_JOINT_FREE) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  return data->R[body].mass > 0 ? MBD_OK : MBD_ERROR_MASSLESS_SUBTREE;
}

static mbd_status_t
check_hold(mbd_hold_t hold)
{
  return hold == MBD_HOLD_POSE || hold == MBD_HOLD_ATTITUDE ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static mbd_vec3_t
com_in_base(const mbd_data_t * data, int body)
{
  return mbdu_vec3_scale(1 / data->R[body].mass, data->R[body].h);
}

// body i in the frame of the base
static mbd_placement_t
in_base(const mbd_data_t * data, int body, int i)
{
  const mbd_placement_t inverse = mbdu_placement_inverse(&data->X_world[body]);
  return mbdu_placement_mul(&inverse, &data->X_world[i]);
}

//---------- momentum ----------

mbd_status_t
mbd_momentum_integrals(
  const mbd_model_t * model, mbd_data_t * data, int body, double t, mbd_momentum_integrals_t * out)
{
  CHECK(check_flyer(model, data, MBD_STAGE_VELOCITY, body));
  if (!out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
  // about the world's origin, in world axes: there alone it is constant as it stands
  mbd_force_t h = {{0, 0, 0}, {0, 0, 0}};
  for (int i = body; i < model->body[body].subtree_end; i++) {
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    h = mbdu_force_add(h, mbdu_force_to_parent(&data->X_world[i], momentum));
  }
  const double m = data->R[body].mass;
  const mbd_vec3_t c = mbdu_placement_point(&data->X_world[body], com_in_base(data, body));
  mbd_momentum_integrals_t found = {.mass = m};
  found.angular = mbdu_vec3_sub(h.ang, mbdu_vec3_cross(c, h.lin));
  found.linear = mbdu_vec3_sub(h.lin, mbdu_vec3_scale(m * t, data->gravity));
  found.com = mbdu_vec3_sub(c, mbdu_vec3_scale(t / m, h.lin));
  found.com = mbdu_vec3_add(found.com, mbdu_vec3_scale(0.5 * t * t, data->gravity));
  found.about_origin = mbdu_vec3_add(found.angular, mbdu_vec3_cross(found.com, found.linear));
  if (!finite_vec3(found.about_origin)) return MBD_ERROR_NOT_FINITE;
  *out = found;
  return MBD_OK;
}

//---------- coupling ----------

// momentum at the base that a unit rate of degree of freedom k is: phi(n,i) R(i) H*(i)
static mbd_force_t
coupling(const mbd_model_t * model, const mbd_data_t * data, int body, int k)
{
  const int i = model->dof_body[k];
  const mbd_placement_t X = in_base(data, body, i);
  return mbdu_force_to_parent(&X, mbdu_inertia_mul(&data->R[i], data->S[k]));
}

// degrees of freedom of what the base carries
static void
subtree_dofs(const mbd_model_t * model, int body, int * first, int * end)
{
  const mbd_body_t * base = &model->body[body];
  *first = base->v_index + base->nv;
  *end = base->subtree_end < model->nbody ? model->body[base->subtree_end].v_index : model->nv;
}

// what of a force at the base counts: all, or its moment about the centre of mass
static int
rows_of(const mbd_data_t * data, int body, mbd_hold_t hold, mbd_force_t f, double * row)
{
  const mbd_vec3_t moment =
    hold == MBD_HOLD_POSE ? f.ang
                          : mbdu_vec3_sub(f.ang, mbdu_vec3_cross(com_in_base(data, body), f.lin));
  row[0] = moment.x, row[1] = moment.y, row[2] = moment.z;
  if (hold == MBD_HOLD_ATTITUDE) return 3;
  row[3] = f.lin.x, row[4] = f.lin.y, row[5] = f.lin.z;
  return 6;
}

static void
fill_coupling(
  const mbd_model_t * model, const mbd_data_t * data, int body, mbd_hold_t hold, double * B)
{
  const size_t nv = (size_t)model->nv;
  const int m = hold == MBD_HOLD_POSE ? 6 : 3;
  int first, end;
  memset(B, 0, (size_t)m * nv * sizeof *B);
  subtree_dofs(model, body, &first, &end);
  for (int k = first; k < end; k++) {
    double row[6];
    rows_of(data, body, hold, coupling(model, data, body, k), row);
    for (int r = 0; r < m; r++) B[(size_t)r * nv + (size_t)k] = row[r];
  }
}

mbd_status_t
mbd_coupling_inertia(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, double * B)
{
  CHECK(check_flyer(model, data, MBD_STAGE_POSITION, body));
  CHECK(check_hold(hold));
  if (!B) return MBD_ERROR_NULL_ARGUMENT;
  fill_coupling(model, data, body, hold, B);
  return MBD_OK;
}

//---------- its null space ----------

size_t
mbd_zero_reaction_work(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  return mbdi_lq_work(6, model->nv) + (size_t)model->nv;
}

// largest of three rows: moments and forces are compared among themselves
static double
row_size(const double * A, int n)
{
  double largest = 0;
  for (int r = 0; r < 3; r++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += A[r * n + k] * A[r * n + k];
    largest = fmax(largest, sqrt(sum));
  }
  return largest;
}

// factors of B; returns the memory behind them
static double *
factor(
  const mbd_model_t * model, const mbd_data_t * data, int body, mbd_hold_t hold, double * work,
  mbdi_lq_t * lq)
{
  const int m = hold == MBD_HOLD_POSE ? 6 : 3;
  double * rest = mbdi_lq_init(lq, m, model->nv, work);
  fill_coupling(model, data, body, hold, lq->A);
  for (int r = 0; r < m; r += 3) {
    const double size = row_size(lq->A + r * model->nv, model->nv);
    for (int k = 0; k < 3; k++) lq->scale[r + k] = size;
  }
  mbdi_lq_factor(lq, RANK_TOLERANCE, -1);
  return rest;
}

// linear momentum that rates of the joints are, in base axes
static mbd_vec3_t
linear_momentum(const mbd_model_t * model, const mbd_data_t * data, int body, const double * x)
{
  int first, end;
  mbd_vec3_t p = mbdu_vec3(0, 0, 0);
  subtree_dofs(model, body, &first, &end);
  for (int k = first; k < end; k++) {
    p = mbdu_vec3_add(p, mbdu_vec3_scale(x[k], coupling(model, data, body, k).lin));
  }
  return p;
}

// x with zeros but for what the base carries
static void
keep_carried(const mbd_model_t * model, int body, const double * desired, double * x)
{
  int first, end;
  subtree_dofs(model, body, &first, &end);
  memset(x, 0, (size_t)model->nv * sizeof *x);
  if (end > first) memcpy(x + first, desired + first, (size_t)(end - first) * sizeof *x);
}

mbd_status_t
mbd_zero_reaction_velocity(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, const double * desired,
  double * work, double * v, int * rank)
{
  CHECK(check_flyer(model, data, MBD_STAGE_POSITION, body));
  CHECK(check_hold(hold));
  if (!desired || !work || !v) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(desired, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbdi_lq_t lq;
  double * x = factor(model, data, body, hold, work, &lq);
  keep_carried(model, body, desired, x);
  mbdi_lq_null_part(&lq, x);
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  int first, end;
  subtree_dofs(model, body, &first, &end);
  if (v != desired) memcpy(v, desired, (size_t)model->nv * sizeof *v);
  for (int k = first; k < end; k++) v[k] = x[k];
  if (hold == MBD_HOLD_ATTITUDE) {
    const mbd_vec3_t p = linear_momentum(model, data, body, x);
    double * base = v + model->body[body].v_index;
    const double m = data->R[body].mass;
    base[0] -= p.x / m, base[1] -= p.y / m, base[2] -= p.z / m;
  }
  if (rank) *rank = lq.rank;
  return MBD_OK;
}

//---------- accelerations ----------

// wrench that the base needs while joints do not accelerate and it has acceleration a, gravity apart
static mbd_force_t
rest_wrench(const mbd_model_t * model, mbd_data_t * data, int body, mbd_motion_t a)
{
  model->internal->engine->bias_stage(model, data);
  mbd_force_t f = mbdu_inertia_mul(&data->R[body], a);
  for (int i = body; i < model->body[body].subtree_end; i++) {
    const mbd_placement_t X = in_base(data, body, i);
    f = mbdu_force_add(f, mbdu_force_to_parent(&X, mbdi_body_force(data, i, data->A_bias[i])));
  }
  return f;
}

// corrections x of least norm with B (desired + x) = -rest; false if there are none
static bool
correct(
  const mbdi_lq_t * lq, const mbd_model_t * model, const mbd_data_t * data, int body,
  mbd_hold_t hold, mbd_force_t rest, const double * desired, double * x)
{
  double b[6], y[6], size[2] = {0, 0};
  int first, end;
  const int m = rows_of(data, body, hold, rest, b);
  subtree_dofs(model, body, &first, &end);
  for (int r = 0; r < m; r++) size[r / 3] = fmax(size[r / 3], fabs(b[r]));
  for (int k = first; k < end; k++) {
    double row[6];
    rows_of(data, body, hold, coupling(model, data, body, k), row);
    for (int r = 0; r < m; r++) {
      b[r] += row[r] * desired[k];
      size[r / 3] = fmax(size[r / 3], fabs(row[r] * desired[k]));
    }
  }
  for (int r = 0; r < m; r++) b[r] = -b[r];
  double largest = 0;
  for (int r = 0; r < m; r++) {
    largest = fmax(largest, size[r / 3] / (lq->scale[r] > 0 ? lq->scale[r] : 1));
  }
  return mbdi_lq_solve(lq, b, y, x, NULL) <= 1e-9 * largest;
}

mbd_status_t
mbd_zero_reaction_acceleration(
  const mbd_model_t * model, mbd_data_t * data, int body, mbd_hold_t hold, const double * desired,
  double * work, double * qdd, int * rank)
{
  CHECK(check_flyer(model, data, MBD_STAGE_VELOCITY, body));
  CHECK(check_hold(hold));
  if (!desired || !work || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(desired, model->nv)) return MBD_ERROR_NOT_FINITE;
  const int base = model->body[body].v_index;
  const double * w = desired + base;
  const bool pose = hold == MBD_HOLD_POSE;
  mbd_motion_t a = {{w[3], w[4], w[5]}, {0, 0, 0}};
  if (pose) a.lin = mbdu_vec3(w[0], w[1], w[2]);
  const mbd_force_t rest = rest_wrench(model, data, body, a);
  mbdi_lq_t lq;
  double * x = factor(model, data, body, hold, work, &lq);
  const bool can = correct(&lq, model, data, body, hold, rest, desired, x);
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (!can) return MBD_ERROR_UNDERACTUATED;
  int first, end;
  subtree_dofs(model, body, &first, &end);
  if (qdd != desired) memcpy(qdd, desired, (size_t)model->nv * sizeof *qdd);
  for (int k = first; k < end; k++) qdd[k] += x[k];
  // where it may give way: no force on the base
  if (!pose) {
    const mbd_vec3_t p = linear_momentum(model, data, body, qdd);
    a.lin = mbdu_vec3_scale(-1 / data->R[body].mass, mbdu_vec3_add(rest.lin, p));
  }
  a.lin = mbdu_vec3_add(a.lin, mbdu_mat3_tvec(&data->X_world[body].R, data->gravity));
  qdd[base] = a.lin.x, qdd[base + 1] = a.lin.y, qdd[base + 2] = a.lin.z;
  if (rank) *rank = lq.rank;
  return MBD_OK;
}
