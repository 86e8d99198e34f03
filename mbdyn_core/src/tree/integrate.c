// Configurations as a manifold, joint by joint (model/joint.c).
#include "mbdyn/integrate.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

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
