#include "model/joint_reversed.h"

#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"

mbdi_reversed_joint_t
mbdi_reversed_joint(const mbd_body_spec_t * spec)
{
  mbdi_reversed_joint_t joint;
  memset(&joint, 0, sizeof joint);
  joint.body.type = spec->type;
  joint.body.nq = mbdi_joint_nq(spec->type, spec->user);
  joint.body.nv = mbdi_joint_nv(spec->type, spec->user);
  joint.body.pitch = spec->pitch;
  joint.body.X_tree = mbdu_placement_identity();
  if (spec->type == MBD_JOINT_USER) joint.body.user = *spec->user;
  joint.axis = spec->axis;
  return joint;
}

// placement and motion subspace of the joint as it was; quaternions of user joints may have any length
static void
former(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  double unit[8] = {0};
  memcpy(unit, q, (size_t)body->nq * sizeof *q);
  const int quaternion = mbdi_joint_quaternion(body->type);
  if (quaternion >= 0) mbdi_quat_normalize_numbers(unit + quaternion);
  mbdi_joint_constant_subspace(body, S);
  mbdi_joint_position(body, unit, X, S);
}

static void
reversed_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  const mbdi_reversed_joint_t * joint = ctx;
  mbd_motion_t S[6];
  mbd_placement_t forward;
  former(&joint->body, q, &forward, S);
  *X = mbdu_placement_inverse(&forward);
}

static void
reversed_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  const mbdi_reversed_joint_t * joint = ctx;
  mbd_placement_t X;
  former(&joint->body, q, &X, S);
  for (int k = 0; k < joint->body.nv; k++) {
    S[k] = mbdu_motion_scale(-1, mbdu_motion_to_parent(&X, S[k]));
  }
}

// d/dt (Ad(X) S) = Ad(X) (dS/dt + (S v) x S)
static void
reversed_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  const mbdi_reversed_joint_t * joint = ctx;
  const mbd_body_t * body = &joint->body;
  mbd_placement_t X;
  mbd_motion_t S[6];
  former(body, q, &X, S);
  if (!mbdi_joint_subspace_rate(body, q, v, dS)) memset(dS, 0, (size_t)body->nv * sizeof *dS);
  const mbd_motion_t V = joint_motion(body, S, v);
  for (int k = 0; k < body->nv; k++) {
    const mbd_motion_t rate = mbdu_motion_add(dS[k], mbdu_motion_cross(V, S[k]));
    dS[k] = mbdu_motion_scale(-1, mbdu_motion_to_parent(&X, rate));
  }
}

static void
reversed_integrate(void * ctx, const double * q, const double * v, double dt, double * q_out)
{
  const mbdi_reversed_joint_t * joint = ctx;
  mbdi_joint_integrate(&joint->body, q, v, dt, q_out);
}

static void
reversed_difference(void * ctx, const double * q0, const double * q1, double * v)
{
  const mbdi_reversed_joint_t * joint = ctx;
  mbdi_joint_difference(&joint->body, q0, q1, v);
}

static void
reversed_neutral(void * ctx, double * q)
{
  const mbdi_reversed_joint_t * joint = ctx;
  mbdi_joint_neutral(&joint->body, q);
}

mbd_user_joint_t
mbdi_reversed_user_joint(mbdi_reversed_joint_t * ctx)
{
  const mbd_user_joint_t * was = &ctx->body.user;
  const bool plain = ctx->body.type == MBD_JOINT_USER;
  mbd_user_joint_t user = {
    .nq = ctx->body.nq,
    .nv = ctx->body.nv,
    .ctx = ctx,
    .transform = reversed_transform,
    .subspace = reversed_subspace,
    .subspace_rate = reversed_rate,
    .integrate = plain && !was->integrate ? NULL : reversed_integrate,
    .difference = plain && !was->difference ? NULL : reversed_difference,
    .neutral = reversed_neutral};
  return user;
}
