// Configurations as a manifold, joint by joint (model/joint.c).
#include "mbdyn/integrate.h"

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

// no quaternion of q has zero norm
static mbd_status_t
check_configuration(const mbd_model_t * model, const double * q)
{
  if (!finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  for (int i = 0; i < model->internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[model->internal->curved[i]];
    const int offset = mbdi_joint_quaternion(body->type);
    if (offset < 0) continue;
    const double * p = q + body->q_index + offset;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] == 0) return MBD_ERROR_BAD_QUATERNION;
  }
  return MBD_OK;
}

//---------- rest, normalise, random ----------

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
  for (int i = 0; i < model->internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[model->internal->curved[i]];
    const int offset = mbdi_joint_quaternion(body->type);
    if (offset >= 0) mbdi_quat_normalize_numbers(q + body->q_index + offset);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_random_configuration(const mbd_model_t * model, uint64_t seed, double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  uint64_t state = seed;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbdi_joint_ops[body->type].randomize(body, &state, q + body->q_index);
  }
  return MBD_OK;
}

//---------- steps ----------

// False if a number of v dt is not finite, or so large that its square overflows; 1e4 for the sum of
// three squares.
static bool
finite_step(const double * v, int n, double dt)
{
  double sum[4] = {0 * dt, 0, 0, 0};
  int k = 0;
  dt *= 1e4;
  for (; k + 4 <= n; k += 4) {
    for (int j = 0; j < 4; j++) sum[j] += 0 * ((dt * v[k + j]) * (dt * v[k + j]));
  }
  for (; k < n; k++) sum[0] += 0 * ((dt * v[k]) * (dt * v[k]));
  return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
}

// joints whose positions are numbers of q; q_out may be q
static void
add_step(const double * q, const double * v, double dt, int n, double * q_out)
{
  for (int k = 0; k < n; k++) q_out[k] = q[k] + dt * v[k];
}

mbd_status_t
mbdi_tree_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  if (!q || !v || !q_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_step(v, model->nv, dt)) return MBD_ERROR_NOT_FINITE;
  CHECK(check_configuration(model, q));
  const struct mbdi_model * internal = model->internal;
  int from_q = 0, from_v = 0;
  for (int i = 0; i < internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[internal->curved[i]];
    const int n = body->v_index - from_v;
    add_step(q + from_q, v + from_v, dt, n, q_out + from_q);
    // by way of a copy, so that q_out may be q
    double out[8];
    mbdi_joint_integrate(body, q + body->q_index, v + body->v_index, dt, out);
    copy_array(q_out + body->q_index, out, body->nq);
    from_q = body->q_index + body->nq;
    from_v = body->v_index + body->nv;
  }
  add_step(q + from_q, v + from_v, dt, model->nv - from_v, q_out + from_q);
  return MBD_OK;
}

static void
subtract(const double * q0, const double * q1, int n, double * v)
{
  for (int k = 0; k < n; k++) v[k] = q1[k] - q0[k];
}

mbd_status_t
mbdi_tree_difference(const mbd_model_t * model, const double * q0, const double * q1, double * v)
{
  if (!q0 || !q1 || !v) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_configuration(model, q0));
  CHECK(check_configuration(model, q1));
  const struct mbdi_model * internal = model->internal;
  int from_q = 0, from_v = 0;
  for (int i = 0; i < internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[internal->curved[i]];
    subtract(q0 + from_q, q1 + from_q, body->v_index - from_v, v + from_v);
    mbdi_joint_difference(body, q0 + body->q_index, q1 + body->q_index, v + body->v_index);
    from_q = body->q_index + body->nq;
    from_v = body->v_index + body->nv;
  }
  subtract(q0 + from_q, q1 + from_q, model->nv - from_v, v + from_v);
  return MBD_OK;
}
