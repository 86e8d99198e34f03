#include "demo_robot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/spatial.h"

static const double PI = 3.14159265358979323846;

//---------- what it is ----------

// a link that is fixed to the last moving body (a flange) is further out than the body itself
static int
find_tip(const mbd_model_t * model)
{
  for (int i = model->nframe - 1; i >= 0; i--) {
    if (model->frame[i].is_link && model->frame[i].body == model->nbody - 1) return i;
  }
  return model->nframe - 1;
}

// the range of a joint that is used: not all of it, and at most one turn or one metre
static void
describe_joint(demo_joint_t * joint, const mbd_body_t * body)
{
  const mbd_limits_t * limits = &body->limits;
  const bool bounded = isfinite(limits->lower) && isfinite(limits->upper);
  joint->name = body->joint_name;
  joint->slides = body->type == MBD_JOINT_PRISMATIC;
  const double most = joint->slides ? 0.5 : PI;
  joint->middle = bounded ? 0.5 * (limits->lower + limits->upper) : 0;
  if (!bounded && isfinite(limits->lower)) joint->middle = fmax(0, limits->lower + most);
  if (!bounded && isfinite(limits->upper)) joint->middle = fmin(0, limits->upper - most);
  joint->half = bounded ? fmin(0.45 * (limits->upper - limits->lower), most) : 0.9 * most;
  joint->velocity = limits->velocity;
  joint->effort = limits->effort;
}

static const char *
why_unsupported(const mbd_model_t * model)
{
  if (model->nv == 0) return "it has no moving joint";
  if (model->nv > DEMO_JOINTS) return "it has too many joints";
  if (model->nmimic > 0) return "it has a joint that mimics another, and is not embedded";
  for (int i = 0; i < model->nbody; i++) {
    // of a robot with loops and gears the joints that these move have no velocity of their own
    const mbd_body_t * body = model->tree ? &model->tree->body[i] : &model->body[i];
    if (body->nv != 1 || body->nq != 1) return "a joint has several degrees of freedom";
  }
  return NULL;
}

static void
mark_joints_before_tip(demo_robot_t * robot)
{
  const mbd_model_t * model = robot->model;
  // in loops all may move it
  for (int k = 0; model->tree && k < robot->n; k++) robot->joint[k].before_tip = true;
  if (model->tree) return;
  for (int i = model->frame[robot->tip].body; i >= 0; i = model->body[i].parent) {
    robot->joint[model->body[i].v_index].before_tip = true;
  }
}

//---------- where it is ----------

// joints of a loop are led there in small steps, so that the others can follow
static mbd_status_t
lead(demo_robot_t * robot, const double * joints)
{
  const mbd_model_t * model = robot->model;
  double far = 0, from[DEMO_JOINTS];
  for (int k = 0; k < robot->n; k++) {
    from[k] = robot->closed[model->body[model->dof_body[k]].q_index];
    far = fmax(far, fabs(joints[k] - from[k]));
  }
  const int steps = 1 + (int)(far / 0.02);
  for (int s = 1; s <= steps; s++) {
    for (int k = 0; k < robot->n; k++) {
      const double x = from[k] + (joints[k] - from[k]) * s / steps;
      robot->closed[model->body[model->dof_body[k]].q_index] = x;
    }
    const mbd_status_t status = mbd_set_position(model, robot->data, robot->closed);
    if (status != MBD_OK) {
      // from the start again, the next time
      if (mbd_neutral(model, robot->closed) != MBD_OK) return MBD_ERROR_NOT_ASSEMBLED;
      return status;
    }
    memcpy(robot->closed, robot->data->q, (size_t)model->nq * sizeof *robot->closed);
  }
  return MBD_OK;
}

mbd_status_t
demo_robot_place(demo_robot_t * robot, const double * joints)
{
  if (robot->model->tree) return lead(robot, joints);
  return mbd_set_position(robot->model, robot->data, joints);
}

//---------- how well the tip moves ----------

// of a symmetric positive matrix, by Cholesky; 0 where it is singular
static double
determinant(double * A, int n)
{
  double product = 1;
  for (int k = 0; k < n; k++) {
    const double pivot = A[k * n + k];
    if (!(pivot > 1e-12)) return 0;
    product *= pivot;
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / pivot;
      for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return product;
}

// sqrt det J J^T over the last rows of J: linear alone, or angular and linear
static double
manipulability(demo_robot_t * robot, const double * q, int rows)
{
  double J[6 * DEMO_JOINTS], A[36];
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_jacobian(robot->model, robot->data, robot->tip, MBD_LOCAL_WORLD_ALIGNED, J) != MBD_OK) {
    return 0;
  }
  const double * first = J + (6 - rows) * robot->n;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      A[i * rows + j] = 0;
      for (int k = 0; k < robot->n; k++) {
        A[i * rows + j] += first[i * robot->n + k] * first[j * robot->n + k];
      }
    }
  }
  return sqrt(determinant(A, rows));
}

int
demo_robot_tip_rank(demo_robot_t * robot, const double * q)
{
  double inertia[36];
  int rank = 0;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_operational_space_inertia(
      robot->model, robot->data, robot->tip, MBD_LOCAL_WORLD_ALIGNED, inertia, &rank) != MBD_OK) {
    return 0;
  }
  return rank;
}

double
demo_robot_load_of(demo_robot_t * robot, const double * q, const double * v, const double * a)
{
  static const double rest[DEMO_JOINTS];
  double tau[DEMO_JOINTS], most = 0;
  const double * speed = v ? v : rest;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_set_velocity(robot->model, robot->data, speed) != MBD_OK ||
    mbd_inverse_dynamics(robot->model, robot->data, NULL, NULL, a, NULL, tau) != MBD_OK) {
    return HUGE_VAL;
  }
  for (int i = 0; i < robot->n; i++) {
    if (robot->joint[i].effort > 0) most = fmax(most, fabs(tau[i]) / robot->joint[i].effort);
  }
  return most;
}

//---------- where it starts ----------

// the same numbers on every machine
static double
random_unit(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static int
joints_before_tip(const demo_robot_t * robot)
{
  int count = 0;
  for (int i = 0; i < robot->n; i++) count += robot->joint[i].before_tip;
  return count;
}

// of some hundred poses around the middle the one where the tip moves best
static void
find_home(demo_robot_t * robot)
{
  const int free = joints_before_tip(robot), rows = free >= 6 ? 6 : 3;
  double q[DEMO_JOINTS], best = 0;
  uint64_t state = 1;
  for (int i = 0; i < robot->n; i++) robot->home[i] = robot->joint[i].middle;
  for (int k = 0; free >= 3 && k < 400; k++) {
    double far = 0;
    for (int i = 0; i < robot->n; i++) {
      const demo_joint_t * joint = &robot->joint[i];
      const double u = joint->before_tip && k > 0 ? 2 * random_unit(&state) - 1 : 0;
      q[i] = joint->middle + u * fmin(0.6 * joint->half, joint->slides ? 0.1 : 1.2);
      far += u * u;
    }
    // a pose that is easy to hold and not far out is better than the last bit of mobility
    const double load = demo_robot_load_of(robot, q, NULL, NULL);
    const double score = manipulability(robot, q, rows) * exp(-0.5 * far / free - 2 * load);
    if (score <= best || load > 0.6) continue;
    best = score;
    memcpy(robot->home, q, sizeof q);
  }
}

// friction that is compensated a cycle late acts as an inertia; where that is much more than the
// joint's own, it takes a stiffer controller
static void
choose_gains(demo_robot_t * robot)
{
  const double cycle = 1e-3;
  double M[DEMO_JOINTS * DEMO_JOINTS];
  const mbd_model_t * model = robot->model;
  const bool known = demo_robot_place(robot, robot->home) == MBD_OK &&
                     mbd_mass_matrix(model, robot->data, M) == MBD_OK;
  for (int k = 0; k < robot->n; k++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[k]].drive;
    const double slope = drive->coulomb > 0 ? drive->coulomb / drive->coulomb_velocity : 0;
    const bool light = known && slope * cycle > 10 * M[k * robot->n + k];
    robot->joint[k].stiffness = light ? 10000 : 900;
  }
}

bool
demo_robot_init(demo_robot_t * robot, const mbd_model_t * model, char * reason, size_t size)
{
  memset(robot, 0, sizeof *robot);
  const char * wrong = why_unsupported(model);
  if (!wrong && model->nq > DEMO_CONFIGURATION) wrong = "it has too many joints";
  if (!wrong && mbd_neutral(model, robot->closed) != MBD_OK) wrong = "its loops cannot be closed";
  if (!wrong && mbd_data_create(model, &robot->data) != MBD_OK) wrong = "out of memory";
  if (!wrong && mbd_set_terms(robot->data, MBD_TERM_FRICTION | MBD_TERM_ROTORS) != MBD_OK) {
    wrong = "its friction and rotor inertia cannot be computed";
  }
  if (wrong) {
    snprintf(reason, size, "%s", wrong);
    return false;
  }
  robot->model = model;
  robot->n = model->nv;
  robot->tip = find_tip(model);
  for (int k = 0; k < model->nv; k++) {
    describe_joint(&robot->joint[k], &model->body[model->dof_body[k]]);
  }
  mark_joints_before_tip(robot);
  find_home(robot);
  choose_gains(robot);
  return true;
}

void
demo_robot_fini(demo_robot_t * robot)
{
  mbd_data_destroy(robot->data);
  robot->data = NULL;
}

const char *
demo_robot_tip(const demo_robot_t * robot)
{
  return robot->model->frame[robot->tip].name;
}

double
demo_robot_weakest(const demo_robot_t * robot)
{
  double least = HUGE_VAL;
  for (int i = 0; i < robot->n; i++) {
    if (robot->joint[i].effort > 0) least = fmin(least, robot->joint[i].effort);
  }
  return isfinite(least) ? least : 1;
}

//---------- what it can bear ----------

// the largest part of this force, up to all of it, that is not too much
static double
bearable(demo_robot_t * robot, const double * q, mbd_vec3_t force)
{
  const double give = 0.15, spare = 0.3;
  static const double rest[DEMO_JOINTS];
  const mbd_wrench_t wrench = {
    .frame = robot->tip, .reference = MBD_LOCAL_WORLD_ALIGNED, .f = {.lin = force}};
  const mbd_wrenches_t wrenches = {1, &wrench};
  double g[DEMO_JOINTS], tau[DEMO_JOINTS], a[DEMO_JOINTS], part = 1;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_set_velocity(robot->model, robot->data, rest) != MBD_OK ||
    mbd_gravity(robot->model, robot->data, g) != MBD_OK ||
    mbd_jacobian_transpose_product(robot->model, robot->data, &wrenches, tau) != MBD_OK ||
    mbd_forward_dynamics(robot->model, robot->data, NULL, NULL, g, &wrenches, a) != MBD_OK) {
    return 0;
  }
  for (int i = 0; i < robot->n; i++) {
    const double most = give * (robot->joint[i].slides ? 0.1 : 1);
    const double hold = most * robot->joint[i].stiffness;
    if (fabs(a[i]) > hold) part = fmin(part, hold / fabs(a[i]));
    const double limit = spare * robot->joint[i].effort;
    if (limit > 0 && fabs(tau[i]) > limit) part = fmin(part, limit / fabs(tau[i]));
  }
  return part;
}

mbd_vec3_t
demo_robot_push(demo_robot_t * robot, const double * q, double most_newtons)
{
  // a little of every axis, so that each is seen to be right
  static const mbd_vec3_t from[] = {{0.8, 0.36, 0.48},   {0.48, 0.8, 0.36},   {0.36, 0.48, 0.8},
                                    {0.8, -0.36, -0.48}, {0.48, -0.8, 0.36},  {-0.36, 0.48, -0.8},
                                    {-0.8, 0.36, -0.48}, {-0.48, -0.8, -0.36}};
  mbd_vec3_t best = {0, 0, 0};
  for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
    const mbd_vec3_t whole = mbdu_vec3_scale(most_newtons, from[k]);
    const mbd_vec3_t force = mbdu_vec3_scale(bearable(robot, q, whole), whole);
    if (mbdu_vec3_norm(force) > mbdu_vec3_norm(best) + 1e-9) best = force;
  }
  return best;
}

mbd_vec3_t
demo_robot_nudge(demo_robot_t * robot, const double * q, double acceleration)
{
  static const double rest[DEMO_JOINTS];
  const mbd_vec3_t unit = {0.6, 0.64, 0.48};
  const mbd_wrench_t wrench = {
    .frame = robot->tip, .reference = MBD_LOCAL_WORLD_ALIGNED, .f = {.lin = unit}};
  const mbd_wrenches_t wrenches = {1, &wrench};
  double g[DEMO_JOINTS], a[DEMO_JOINTS], most = 0;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_set_velocity(robot->model, robot->data, rest) != MBD_OK ||
    mbd_gravity(robot->model, robot->data, g) != MBD_OK ||
    mbd_forward_dynamics(robot->model, robot->data, NULL, NULL, g, &wrenches, a) != MBD_OK) {
    return mbdu_vec3(0, 0, 0);
  }
  for (int i = 0; i < robot->n; i++) {
    most = fmax(most, fabs(a[i]) * (robot->joint[i].slides ? 10 : 1));
  }
  return most > 0 ? mbdu_vec3_scale(acceleration / most, unit) : mbdu_vec3(0, 0, 0);
}

double
demo_robot_push_torque(demo_robot_t * robot, const double * q, mbd_vec3_t force)
{
  const mbd_wrench_t wrench = {
    .frame = robot->tip, .reference = MBD_LOCAL_WORLD_ALIGNED, .f = {.lin = force}};
  const mbd_wrenches_t wrenches = {1, &wrench};
  double tau[DEMO_JOINTS], most = 0;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_jacobian_transpose_product(robot->model, robot->data, &wrenches, tau) != MBD_OK) {
    return 0;
  }
  for (int i = 0; i < robot->n; i++) most = fmax(most, fabs(tau[i]));
  return most;
}

mbd_vec3_t
demo_robot_line(demo_robot_t * robot, const double * q, double length)
{
  // the axis along which the joints have to turn least
  double J[6 * DEMO_JOINTS], best = 0;
  int axis = 0;
  if (
    demo_robot_place(robot, q) != MBD_OK ||
    mbd_jacobian(robot->model, robot->data, robot->tip, MBD_LOCAL_WORLD_ALIGNED, J) != MBD_OK) {
    return mbdu_vec3(0, 0, 0);
  }
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int i = 0; i < robot->n; i++) sum += J[(3 + k) * robot->n + i] * J[(3 + k) * robot->n + i];
    if (sum > best) best = sum, axis = k;
  }
  // a finger has less room than an arm
  const double size = fmin(length, 0.2 * sqrt(best));
  return mbdu_vec3(axis == 0 ? size : 0, axis == 1 ? size : 0, axis == 2 ? size : 0);
}
