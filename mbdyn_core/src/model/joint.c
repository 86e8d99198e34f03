// Joint types: Fig. 3.2 and Ex 3.1 of the book, with v in child axes wherever the child turns.
#include "model/joint.h"

#include <string.h>

int
mbdi_joint_nq(mbd_joint_type_t type, const mbd_user_joint_t * user)
{
  switch (type) {
    case MBD_JOINT_SPHERICAL: return 4;
    case MBD_JOINT_FREE: return 7;
    case MBD_JOINT_USER: return user->nq;
    default: return mbdi_joint_nv(type, user);
  }
}

int
mbdi_joint_nv(mbd_joint_type_t type, const mbd_user_joint_t * user)
{
  switch (type) {
    case MBD_JOINT_FIXED: return 0;
    case MBD_JOINT_CYLINDRICAL:
    case MBD_JOINT_UNIVERSAL: return 2;
    case MBD_JOINT_SPHERICAL:
    case MBD_JOINT_PLANAR: return 3;
    case MBD_JOINT_FREE: return 6;
    case MBD_JOINT_USER: return user->nv;
    default: return 1;
  }
}

bool
mbdi_joint_has_axis(mbd_joint_type_t type)
{
  switch (type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_PRISMATIC:
    case MBD_JOINT_HELICAL:
    case MBD_JOINT_CYLINDRICAL:
    case MBD_JOINT_PLANAR: return true;
    default: return false;
  }
}

int
mbdi_joint_quaternion(mbd_joint_type_t type)
{
  if (type == MBD_JOINT_SPHERICAL) return 0;
  return type == MBD_JOINT_FREE ? 3 : -1;
}

static void
unit_columns(mbd_motion_t * S, int n, const int * component)
{
  for (int k = 0; k < n; k++) {
    double * numbers[6] = {&S[k].ang.x, &S[k].ang.y, &S[k].ang.z,
                           &S[k].lin.x, &S[k].lin.y, &S[k].lin.z};
    *numbers[component[k]] = 1;
  }
}

void
mbdi_joint_constant_subspace(const mbd_body_t * body, mbd_motion_t * S)
{
  memset(S, 0, (size_t)body->nv * sizeof *S);
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: S[0].ang.z = 1; break;
    case MBD_JOINT_PRISMATIC: S[0].lin.z = 1; break;
    case MBD_JOINT_HELICAL:
      S[0].ang.z = 1;
      S[0].lin.z = body->pitch;
      break;
    case MBD_JOINT_CYLINDRICAL: unit_columns(S, 2, (const int[]){2, 5}); break;
    case MBD_JOINT_SPHERICAL: unit_columns(S, 3, (const int[]){0, 1, 2}); break;
    case MBD_JOINT_PLANAR: unit_columns(S, 3, (const int[]){3, 4, 2}); break;
    case MBD_JOINT_FREE: unit_columns(S, 6, (const int[]){3, 4, 5, 0, 1, 2}); break;
    default: break;
  }
}

// X_tree turned by an angle about z and moved by d along it: touches two columns of R
static void
about_z(const mbd_placement_t * X_tree, double angle, double d, mbd_placement_t * X)
{
  const double c = cos(angle), s = sin(angle);
  const double * T = X_tree->R.m;
  for (int i = 0; i < 9; i += 3) {
    X->R.m[i] = c * T[i] + s * T[i + 1];
    X->R.m[i + 1] = c * T[i + 1] - s * T[i];
    X->R.m[i + 2] = T[i + 2];
  }
  X->p = mbdu_vec3_add(X_tree->p, mbdu_vec3(d * T[2], d * T[5], d * T[8]));
}

static mbd_quat_t
quat_at(const double * q)
{
  mbd_quat_t r = {q[0], q[1], q[2], q[3]};
  return r;
}

static void
universal_position(const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  const double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
  // Rx(q1) Ry(q2)
  mbd_mat3_t R = {{c2, 0, s2, s1 * s2, c1, -s1 * c2, -c1 * s2, s1, c1 * c2}};
  X->R = R;
  X->p = mbdu_vec3(0, 0, 0);
  // both axes in child axes                                                      (Ex 3.1)
  S[0].ang = mbdu_vec3(c2, 0, s2);
  S[1].ang = mbdu_vec3(0, 1, 0);
}

// joints that are neither a turn about z nor a slide along it
static void
general_position(const mbd_body_t * body, const double * q, mbd_placement_t * J, mbd_motion_t * S)
{
  *J = mbdu_placement_identity();
  switch (body->type) {
    case MBD_JOINT_UNIVERSAL: universal_position(q, J, S); break;
    case MBD_JOINT_SPHERICAL: J->R = mbdu_quat_to_mat3(quat_at(q)); break;
    case MBD_JOINT_PLANAR:
      J->R = mbdu_rotation_z(cos(q[2]), sin(q[2]));
      J->p = mbdu_vec3(q[0], q[1], 0);
      break;
    case MBD_JOINT_FREE:
      J->R = mbdu_quat_to_mat3(quat_at(q + 3));
      J->p = mbdu_vec3(q[0], q[1], q[2]);
      break;
    case MBD_JOINT_USER:
      body->user.transform(body->user.ctx, q, J);
      body->user.subspace(body->user.ctx, q, S);
      break;
    default: break;
  }
}

void
mbdi_joint_position(
  const mbd_body_t * body, const double * q, mbd_placement_t * X, mbd_motion_t * S)
{
  mbd_placement_t J;
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: about_z(&body->X_tree, q[0], 0, X); break;
    case MBD_JOINT_HELICAL: about_z(&body->X_tree, q[0], body->pitch * q[0], X); break;
    case MBD_JOINT_CYLINDRICAL: about_z(&body->X_tree, q[0], q[1], X); break;
    case MBD_JOINT_PRISMATIC: {
      const double * T = body->X_tree.R.m;
      X->R = body->X_tree.R;
      X->p = mbdu_vec3_add(body->X_tree.p, mbdu_vec3(q[0] * T[2], q[0] * T[5], q[0] * T[8]));
      break;
    }
    default:
      general_position(body, q, &J, S);
      *X = mbdu_placement_mul(&body->X_tree, &J);
      break;
  }
}

bool
mbdi_joint_subspace_rate(
  const mbd_body_t * body, const double * q, const double * v, mbd_motion_t * S_rate)
{
  switch (body->type) {
    case MBD_JOINT_UNIVERSAL:
      memset(S_rate, 0, 2 * sizeof *S_rate);
      S_rate[0].ang = mbdu_vec3(-sin(q[1]) * v[1], 0, cos(q[1]) * v[1]);
      return true;
    case MBD_JOINT_USER: body->user.subspace_rate(body->user.ctx, q, v, S_rate); return true;
    default: return false;
  }
}
