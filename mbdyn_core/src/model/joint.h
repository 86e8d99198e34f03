// What each joint type does: its numbers, its motion, and products with its motion subspace.
#ifndef JOINT_H_
#define JOINT_H_

#include "mbdyn/data.h"
#include "mbdyn/spatial.h"

// What a joint type is: one row of mbdi_joint_ops (joint.c).
typedef struct mbdi_joint_ops {
  const char * name;
  int nq, nv;      // length of its part of q and of v; of a user joint its own
  bool has_axis;   // described by an axis, which finalize turns to z
  int quaternion;  // where a quaternion begins in its part of q, or -1
  bool curved;     // q + v dt is not q moved by v for dt: SO(3), SE(2), SE(3)
  int npositions;  // degrees of freedom whose position is a number of q, with limits
  // columns of S, components of a motion, unless they move with q; helical adds its pitch
  signed char subspace[6];
  bool moving_subspace;
  // child frame in the parent's body frame at q; also S where it moves
  void (*place)(const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S);
  // the same in the joint frame, without X_tree, from the sines and cosines of the joint's angles: nangle
  // numbers of q from first_angle on; only of types that have no kernel of their own
  void (*local)(
    const mbd_body_t * body, const double * q, const double * s, const double * c,
    mbd_placement_t * J, mbd_motion_t * S);
  int nangle, first_angle;
  // d/dt of the numbers of S; NULL: zero
  bool (*subspace_rate)(
    const mbd_body_t * body, const double * q, const double * v, mbd_motion_t * S_rate);
  // q moved by v for dt; out (at most 8 numbers) may not be q
  void (*integrate)(
    const mbd_body_t * body, const double * q, const double * v, double dt, double * out);
  // v such that q0 moved by v for a unit of time is q1
  void (*difference)(const mbd_body_t * body, const double * q0, const double * q1, double * v);
  void (*randomize)(const mbd_body_t * body, uint64_t * state, double * q);
} mbdi_joint_ops_t;

extern const mbdi_joint_ops_t mbdi_joint_ops[];

bool mbdi_joint_type_exists(mbd_joint_type_t type);

// length of the joint's part of q and of v; user may be NULL for every other type
int mbdi_joint_nq(mbd_joint_type_t type, const mbd_user_joint_t * user);
int mbdi_joint_nv(mbd_joint_type_t type, const mbd_user_joint_t * user);

// degrees of freedom whose position is a number of q
int mbdi_joint_positions(const mbd_body_t * body);

// columns of S where they do not depend on q, zeros for the others
void mbdi_joint_constant_subspace(const mbd_body_t * body, mbd_motion_t * S);

// the joint's part of the configuration at rest
void mbdi_joint_neutral(const mbd_body_t * body, double * q);

static inline bool
mbdi_joint_has_axis(mbd_joint_type_t type)
{
  return mbdi_joint_ops[type].has_axis;
}

static inline int
mbdi_joint_quaternion(mbd_joint_type_t type)
{
  return mbdi_joint_ops[type].quaternion;
}

static inline void
mbdi_joint_position(
  const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  mbdi_joint_ops[body->type].place(body, q, X, S);
}

// false if it is zero for this type; S_rate is then not written
static inline bool
mbdi_joint_subspace_rate(
  const mbd_body_t * body, const double * q, const double * v, mbd_motion_t * S_rate)
{
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  return ops->subspace_rate && ops->subspace_rate(body, q, v, S_rate);
}

static inline void
mbdi_joint_integrate(
  const mbd_body_t * body, const double * q, const double * v, double dt, double * out)
{
  mbdi_joint_ops[body->type].integrate(body, q, v, dt, out);
}

static inline void
mbdi_joint_difference(const mbd_body_t * body, const double * q0, const double * q1, double * v)
{
  mbdi_joint_ops[body->type].difference(body, q0, q1, v);
}

// velocity of one degree of freedom alone
static inline void
joint_unit_velocity(int k, double e[6])
{
  for (int j = 0; j < 6; j++) e[j] = j == k;
}

// S x
static inline mbd_motion_t
joint_motion(const mbd_body_t * body, const mbd_motion_t * S, const double * x)
{
  mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}};
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: V.ang.z = x[0]; return V;
    case MBD_JOINT_PRISMATIC: V.lin.z = x[0]; return V;
    default: break;
  }
  for (int k = 0; k < body->nv; k++) V = mbdu_motion_add(V, mbdu_motion_scale(x[k], S[k]));
  return V;
}

// y = S^T f
static inline void
joint_project(const mbd_body_t * body, const mbd_motion_t * S, mbd_force_t f, double * y)
{
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: y[0] = f.ang.z; return;
    case MBD_JOINT_PRISMATIC: y[0] = f.lin.z; return;
    default: break;
  }
  for (int k = 0; k < body->nv; k++) y[k] = mbdu_power(f, S[k]);
}

// G x: the force that an innovation x of the joint is                             (6.13)
static inline mbd_force_t
joint_gain(const mbd_data_t * data, const mbd_body_t * body, const double * x)
{
  mbd_force_t f = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < body->nv; k++) {
    f = mbdu_force_add(f, mbdu_force_scale(x[k], data->G[body->v_index + k]));
  }
  return f;
}

// taubar f = f - G S^T f: what of a force the free joint does not take up           (6.16)
static inline mbd_force_t
joint_transmit_force(const mbd_data_t * data, const mbd_body_t * body, mbd_force_t f)
{
  double hinge[6];
  joint_project(body, data->S + body->v_index, f, hinge);
  return mbdu_force_sub(f, joint_gain(data, body, hinge));
}

// y = D^-1 x
static inline void
joint_D_inv(const mbd_data_t * data, const mbd_body_t * body, const double * x, double * y)
{
  const double * D_inv = data->D_inv + body->d_index;
  for (int j = 0; j < body->nv; j++) {
    y[j] = 0;
    for (int k = 0; k < body->nv; k++) y[j] += D_inv[j * body->nv + k] * x[k];
  }
}

// reflected rotor inertia of the joint, if it counts
static inline double
joint_rotor(const mbd_data_t * data, const mbd_body_t * body)
{
  const double ratio = body->drive.gear_ratio;
  return data->terms & MBD_TERM_ROTORS ? ratio * ratio * body->drive.rotor_inertia : 0;
}

// x y z w to unit length; false if they have none
bool mbdi_quat_normalize_numbers(double * q);

#endif  // JOINT_H_
