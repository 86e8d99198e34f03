// Inertias: each must be that of a rigid body, and every joint must carry some.
#include <math.h>
#include <stdlib.h>

#include "mbdyn/forward.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "urdf_internal.h"

//---------- one inertia ----------

// one Jacobi rotation that makes element (p, q) of a symmetric matrix zero
static void
rotate_to_zero(double A[3][3], int p, int q)
{
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double kp = A[k][p], kq = A[k][q];
    A[k][p] = c * kp - s * kq;
    A[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; k++) {
    const double pk = A[p][k], qk = A[q][k];
    A[p][k] = c * pk - s * qk;
    A[q][k] = s * pk + c * qk;
  }
}

// principal moments, smallest first
static void
principal_moments(const double I[6], double moment[3])
{
  double big = 0;
  for (int k = 0; k < 6; k++) big = fmax(big, fabs(I[k]));
  if (big == 0) big = 1;
  double A[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  for (int k = 0; k < 9; k++) A[k / 3][k % 3] /= big;
  // converges quadratically: ten sweeps are more than enough for three rows
  for (int sweep = 0; sweep < 10; sweep++) {
    if (fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]) < 1e-17) break;
    rotate_to_zero(A, 0, 1);
    rotate_to_zero(A, 0, 2);
    rotate_to_zero(A, 1, 2);
  }
  const double a = A[0][0], b = A[1][1], c = A[2][2];
  moment[0] = big * fmin(a, fmin(b, c));
  moment[2] = big * fmax(a, fmax(b, c));
  moment[1] = big * (a + b + c) - moment[0] - moment[2];
}

static bool
is_zero(const double I[6])
{
  for (int k = 0; k < 6; k++) {
    if (I[k] != 0) return false;
  }
  return true;
}

void
urdf_check_inertial(urdf_loader_t * loader, const urdf_link_t * link, urdf_place_t place)
{
  if (is_zero(link->I)) {
    if (link->mass == 0) return;
    urdf_say(
      loader, MBDX_WARNING, place, NULL, "mass %g kg with an inertia of zero: a point mass",
      link->mass);
    return;
  }
  double moment[3];
  principal_moments(link->I, moment);
  const double trace = fabs(link->I[0]) + fabs(link->I[3]) + fabs(link->I[5]);
  if (moment[0] < -1e-9 * trace) {
    urdf_say(
      loader, MBDX_ERROR, place, "not physically consistent: check signs and units",
      "inertia has a negative principal moment %g", moment[0]);
  } else if (moment[0] + moment[1] < moment[2] * (1 - 1e-6)) {
    urdf_say(
      loader, MBDX_WARNING, place, "not physically consistent: check the values",
      "inertia violates the triangle inequality: principal moments %g, %g, %g", moment[0],
      moment[1], moment[2]);
  }
  if (link->mass == 0) {
    urdf_say(loader, MBDX_WARNING, place, "give a mass", "mass 0 with a nonzero inertia");
  }
}

//---------- what joints carry ----------

static void
say_massless(
  urdf_loader_t * loader, const urdf_joint_t * joint, const urdf_link_t * link, const char * what)
{
  const bool allowed = loader->options.allow_massless;
  urdf_say(
    loader, allowed ? MBDX_WARNING : MBDX_ERROR, urdf_joint_place(joint),
    allowed ? "forward dynamics does not support this robot"
            : "give a mass, make the joint fixed, or set allow_massless",
    "moves link %s on line %d, %s", urdf_name(link->name).s, link->line & URDF_LINE, what);
}

// mass of each subtree from the tips up; a joint that moves none is named. A massless link in
// between is fine, and so is a massless frame behind a fixed joint.
void
urdf_check_masses(urdf_loader_t * loader)
{
  const urdf_robot_t * robot = &loader->robot;
  double * mass = calloc((size_t)robot->nlink + 1, sizeof *mass);
  bool * has_rotational_inertia =
    calloc((size_t)robot->nlink + 1, sizeof *has_rotational_inertia);  // has rotational inertia
  if (!mass || !has_rotational_inertia) loader->out_of_memory = true;
  for (int k = robot->nlink - 1; mass && has_rotational_inertia && k >= 0; k--) {
    const int i = robot->order[k];
    const urdf_link_t * link = &robot->link[i];
    mass[i] += link->mass;
    has_rotational_inertia[i] = has_rotational_inertia[i] || !is_zero(link->I);
    if (link->parent_joint < 0) continue;
    const urdf_joint_t * joint = &robot->joint[link->parent_joint];
    mass[joint->parent] += mass[i];
    has_rotational_inertia[joint->parent] =
      has_rotational_inertia[joint->parent] || has_rotational_inertia[i];
    const bool rotary = joint->type == URDF_REVOLUTE || joint->type == URDF_CONTINUOUS;
    if (!urdf_moves(joint) || mass[i] > 0 || (rotary && has_rotational_inertia[i])) continue;
    say_massless(loader, joint, link, "whose subtree has no mass");
  }
  // a floating base moves everything
  if (loader->options.base == MBDX_BASE_FLOATING && mass && mass[robot->root] == 0) {
    urdf_say(
      loader, loader->options.allow_massless ? MBDX_WARNING : MBDX_ERROR,
      urdf_link_place(&robot->link[robot->root]), "give links a mass",
      "a floating base needs mass, and the robot has none");
  }
  free(mass);
  free(has_rotational_inertia);
}

void
urdf_check_leaves(urdf_loader_t * loader, const mbd_model_t * model)
{
  const urdf_robot_t * robot = &loader->robot;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const bool rotary = body->type == MBD_JOINT_REVOLUTE || body->type == MBD_JOINT_CONTINUOUS;
    if (!rotary || body->subtree_end > i + 1 || body->inertia.mass == 0) continue;
    // body frames turn about z; rounding of the shift to it counts as zero
    const mbd_sym3_t * I = &body->inertia.I;
    if (I->zz > 1e-15 * (I->xx + I->yy)) continue;
    const urdf_joint_t * joint = &robot->joint[urdf_find_joint(robot, body->joint_name)];
    say_massless(loader, joint, &robot->link[joint->child], "whose mass lies on the joint axis");
  }
}

// inertia that the checks above do not see through, e.g. a massless floating root that hangs on one
// revolute joint: let forward dynamics try the robot at rest
void
urdf_check_at_rest(urdf_loader_t * loader, const mbd_model_t * model)
{
  if (loader->options.allow_massless || loader->status != MBD_OK) return;
  const urdf_robot_t * robot = &loader->robot;
  double * q = calloc((size_t)model->nq + 1, sizeof *q);
  mbd_data_t * data = NULL;
  mbd_status_t status = q ? mbd_data_create(model, &data) : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_neutral(model, q);
  if (status == MBD_OK) status = mbd_set_position(model, data, q);
  if (status == MBD_OK) status = mbd_articulated_inertia(model, data);
  if (status == MBD_ERROR_OUT_OF_MEMORY) loader->out_of_memory = true;
  if (status == MBD_ERROR_MASSLESS_SUBTREE) {
    const int j = urdf_find_joint(robot, mbd_error_joint_name(data));
    const urdf_place_t place =
      j >= 0 ? urdf_joint_place(&robot->joint[j]) : urdf_link_place(&robot->link[robot->root]);
    urdf_say(
      loader, MBDX_WARNING, place, "give the link mass and inertia",
      "the %s has no inertia along its motion at the neutral configuration: forward dynamics does "
      "not support it",
      j >= 0 ? "joint" : "floating base");
  }
  mbd_data_destroy(data);
  free(q);
}
