// States of a re-rooted model: the new base by a sweep along the path, reversed joints one by one.
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "operators/reroot_internal.h"
#include "state/state.h"
#include "tree/sweeps.h"

//---------- one joint ----------

// a spherical, planar or free joint that stays one
static bool
changes_coordinates(const mbd_body_t * from, const mbd_body_t * to)
{
  return from->type == to->type && (from->type == MBD_JOINT_SPHERICAL ||
                                    from->type == MBD_JOINT_PLANAR || from->type == MBD_JOINT_FREE);
}

// q of the joint with unit quaternions
static void
unit_q(const mbd_body_t * body, const double * q, double * unit)
{
  memcpy(unit, q + body->q_index, (size_t)body->nq * sizeof *q);
  const int quaternion = mbdi_joint_quaternion(body->type);
  if (quaternion >= 0) mbdi_quat_normalize_numbers(unit + quaternion);
}

// child in the frame of the joint at rest
static mbd_placement_t
joint_placement(const mbd_body_t * body, const double * unit)
{
  mbd_body_t alone = *body;
  mbd_motion_t S[6];
  mbd_placement_t X;
  alone.X_tree = mbdu_placement_identity();
  mbdi_joint_position(&alone, unit, &X, S);
  return X;
}

static void
reversed_q(const mbd_body_t * from, const mbd_body_t * to, const double * q, double * out)
{
  double u[8];
  unit_q(from, q, u);
  double * x = out + to->q_index;
  if (from->type == MBD_JOINT_UNIVERSAL) {
    x[0] = u[1], x[1] = u[0];
    return;
  }
  if (!changes_coordinates(from, to)) return;
  const mbd_placement_t X = joint_placement(from, u);
  const mbd_placement_t inverse = mbdu_placement_inverse(&X);
  const int quaternion = mbdi_joint_quaternion(from->type);
  if (quaternion >= 0) {
    for (int k = 0; k < 3; k++) x[quaternion + k] = -u[quaternion + k];
  }
  if (from->type == MBD_JOINT_FREE) x[0] = inverse.p.x, x[1] = inverse.p.y, x[2] = inverse.p.z;
  if (from->type == MBD_JOINT_PLANAR) x[0] = inverse.p.x, x[1] = inverse.p.y, x[2] = -u[2];
}

// velocities, accelerations (v' = -Ad(X) v, and so their rates) or torques (the dual) of a joint
static void
reversed_v(
  const mbd_body_t * from, const mbd_body_t * to, const double * q, bool torque, const double * v,
  double * out)
{
  double * y = out + to->v_index;
  if (from->type == MBD_JOINT_UNIVERSAL) {
    y[0] = v[1], y[1] = v[0];
    return;
  }
  if (!changes_coordinates(from, to)) {
    memcpy(y, v, (size_t)from->nv * sizeof *y);
    return;
  }
  double u[8];
  unit_q(from, q, u);
  const mbd_placement_t X = joint_placement(from, u);
  mbd_motion_t S[6];
  mbdi_joint_constant_subspace(from, S);
  // columns of S are unit vectors: they take numbers to and from forces, too
  const mbd_motion_t V = joint_motion(from, S, v);
  const mbd_force_t f = {V.ang, V.lin}, f_parent = mbdu_force_to_parent(&X, f);
  const mbd_motion_t V_parent = mbdu_motion_to_parent(&X, V);
  for (int k = 0; k < from->nv; k++) {
    const mbd_force_t unit = {S[k].ang, S[k].lin};
    y[k] = torque ? -mbdu_power(f_parent, S[k]) : -mbdu_power(unit, V_parent);
  }
}

//---------- the new base ----------

typedef struct base_motion {
  mbd_placement_t X;  // in the frame of the free joint at rest
  mbd_motion_t V, A;  // in its own axes
} base_motion_t;

// linear first, as in v of a free joint
static mbd_motion_t
read_free(const double * v)
{
  return (mbd_motion_t){{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
}

static void
write_free(mbd_vec3_t lin, mbd_vec3_t ang, double * v)
{
  v[0] = lin.x, v[1] = lin.y, v[2] = lin.z;
  v[3] = ang.x, v[4] = ang.y, v[5] = ang.z;
}

// one joint further out: X, V and A of its body                                     (3.19), (5.23)
static void
step_out(
  const mbd_body_t * body, const double * q, const double * v, const double * qdd,
  base_motion_t * m)
{
  double u[8];
  mbd_placement_t X;
  mbd_motion_t S[6], S_rate[6];
  unit_q(body, q, u);
  mbdi_joint_constant_subspace(body, S);
  mbdi_joint_position(body, u, &X, S);
  m->X = mbdu_placement_mul(&m->X, &X);
  if (!v) return;
  v += body->v_index;
  const mbd_motion_t relative = joint_motion(body, S, v);
  m->V = mbdu_motion_add(mbdu_motion_to_child(&X, m->V), relative);
  if (!qdd) return;
  m->A = mbdu_motion_to_child(&X, m->A);
  m->A = mbdu_motion_add(m->A, joint_motion(body, S, qdd + body->v_index));
  m->A = mbdu_motion_add(m->A, mbdu_motion_cross(m->V, relative));
  if (!mbdi_joint_subspace_rate(body, u, v, S_rate)) return;
  for (int k = 0; k < body->nv; k++) {
    m->A = mbdu_motion_add(m->A, mbdu_motion_scale(v[k], S_rate[k]));
  }
}

static base_motion_t
base_motion(const mbdi_reroot_path_t * path, const double * q, const double * v, const double * qdd)
{
  const mbd_body_t * root = &path->from->body[path->root];
  double u[8];
  unit_q(root, q, u);
  base_motion_t m = {joint_placement(root, u), {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  if (v) m.V = read_free(v + root->v_index);
  if (qdd) m.A = read_free(qdd + root->v_index);
  for (int k = 0; k < path->n; k++) step_out(&path->from->body[path->body[k]], q, v, qdd, &m);
  m.X = mbdu_placement_mul(&m.X, &path->X_base);
  m.V = mbdu_motion_to_child(&path->X_base, m.V);
  m.A = mbdu_motion_to_child(&path->X_base, m.A);
  return m;
}

static void
write_base(const mbd_body_t * base, const base_motion_t * m, double * q, double * v, double * qdd)
{
  double * x = q + base->q_index;
  const mbd_quat_t turn = mbdu_quat_normalize(mbdu_quat_from_mat3(&m->X.R));
  x[0] = m->X.p.x, x[1] = m->X.p.y, x[2] = m->X.p.z;
  x[3] = turn.x, x[4] = turn.y, x[5] = turn.z, x[6] = turn.w;
  if (v) write_free(m->V.lin, m->V.ang, v + base->v_index);
  if (qdd) write_free(m->A.lin, m->A.ang, qdd + base->v_index);
}

//---------- all joints ----------

// finite, and not so large that products are not
static bool
moderate_array(const double * x, int n)
{
  for (int k = 0; k < n; k++) {
    if (!(x[k] > -1e100 && x[k] < 1e100)) return false;
  }
  return true;
}

// where the quaternion of a joint begins, in either model: a user joint may have been a spherical one
static int
quaternion_of(const mbdi_reroot_path_t * path, int i)
{
  const int from = mbdi_joint_quaternion(path->from->body[i].type);
  return from >= 0 ? from : mbdi_joint_quaternion(path->to->body[path->joint[i]].type);
}

static mbd_status_t
check_input(
  const mbd_reroot_t * reroot, mbd_reroot_direction_t direction, const double * q,
  const mbdi_reroot_path_t ** path)
{
  if (!reroot || !q) return MBD_ERROR_NULL_ARGUMENT;
  if ((int)direction < 0 || (int)direction > 1) return MBD_ERROR_BAD_ARGUMENT;
  *path = &reroot->path[direction];
  const mbd_model_t * from = (*path)->from;
  if (!moderate_array(q, from->nq)) return MBD_ERROR_NOT_FINITE;
  for (int i = 0; i < from->nbody; i++) {
    const int quaternion = quaternion_of(*path, i);
    if (quaternion < 0) continue;
    const double * x = q + from->body[i].q_index + quaternion;
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0) return MBD_ERROR_BAD_QUATERNION;
  }
  return MBD_OK;
}

// joints that are not reversed keep their numbers; those that are will be written over
static void
copy_joints(const mbdi_reroot_path_t * path, const double * v, double * out)
{
  for (int i = 0; i < path->from->nbody; i++) {
    const mbd_body_t * from = &path->from->body[i];
    const mbd_body_t * to = &path->to->body[path->joint[i]];
    memcpy(out + to->v_index, v + from->v_index, (size_t)from->nv * sizeof *v);
  }
}

static void
copy_q(const mbdi_reroot_path_t * path, const double * q, double * out)
{
  for (int i = 0; i < path->from->nbody; i++) {
    const mbd_body_t * from = &path->from->body[i];
    double * x = out + path->to->body[path->joint[i]].q_index;
    memcpy(x, q + from->q_index, (size_t)from->nq * sizeof *q);
    const int quaternion = quaternion_of(path, i);
    if (quaternion >= 0) mbdi_quat_normalize_numbers(x + quaternion);
  }
}

mbd_status_t
mbd_reroot_motion(
  const mbd_reroot_t * reroot, mbd_reroot_direction_t direction, const double * q, const double * v,
  const double * qdd, double * q_out, double * v_out, double * qdd_out)
{
  const mbdi_reroot_path_t * path;
  CHECK(check_input(reroot, direction, q, &path));
  if (!q_out || (v && !v_out) || (qdd && (!v || !qdd_out))) return MBD_ERROR_NULL_ARGUMENT;
  if (v && !moderate_array(v, path->from->nv)) return MBD_ERROR_NOT_FINITE;
  if (qdd && !moderate_array(qdd, path->from->nv)) return MBD_ERROR_NOT_FINITE;
  const base_motion_t m = base_motion(path, q, v, qdd);
  copy_q(path, q, q_out);
  if (v) copy_joints(path, v, v_out);
  if (qdd) copy_joints(path, qdd, qdd_out);
  for (int k = 0; k < path->n; k++) {
    const mbd_body_t * from = &path->from->body[path->body[k]];
    const mbd_body_t * to = &path->to->body[path->joint[path->body[k]]];
    reversed_q(from, to, q, q_out);
    if (v) reversed_v(from, to, q, false, v + from->v_index, v_out);
    if (qdd) reversed_v(from, to, q, false, qdd + from->v_index, qdd_out);
  }
  const mbd_body_t * base = &path->to->body[path->base];
  write_base(base, &m, q_out, v ? v_out : NULL, qdd ? qdd_out : NULL);
  return MBD_OK;
}

mbd_status_t
mbd_reroot_torque(
  const mbd_reroot_t * reroot, mbd_reroot_direction_t direction, const double * q,
  const double * tau, double * tau_out)
{
  const mbdi_reroot_path_t * path;
  CHECK(check_input(reroot, direction, q, &path));
  if (!tau || !tau_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!moderate_array(tau, path->from->nv)) return MBD_ERROR_NOT_FINITE;
  copy_joints(path, tau, tau_out);
  // the wrench on the former base is one on the new base, less what it does in the joints between
  const mbd_motion_t on_root = read_free(tau + path->from->body[path->root].v_index);
  mbd_force_t f = {on_root.ang, on_root.lin};
  for (int k = 0; k < path->n; k++) {
    const mbd_body_t * from = &path->from->body[path->body[k]];
    const mbd_body_t * to = &path->to->body[path->joint[path->body[k]]];
    double u[8], rest[6];
    mbd_placement_t X;
    mbd_motion_t S[6];
    unit_q(from, q, u);
    mbdi_joint_constant_subspace(from, S);
    mbdi_joint_position(from, u, &X, S);
    f = mbdu_force_to_child(&X, f);
    joint_project(from, S, f, rest);
    for (int c = 0; c < from->nv; c++) rest[c] = tau[from->v_index + c] - rest[c];
    reversed_v(from, to, q, true, rest, tau_out);
  }
  f = mbdu_force_to_child(&path->X_base, f);
  write_free(f.lin, f.ang, tau_out + path->to->body[path->base].v_index);
  return MBD_OK;
}
