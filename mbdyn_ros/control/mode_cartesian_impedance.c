// Cartesian impedance: the task frame on a spring and a damper to its target, the joints on weaker ones in its
// null space. No Coriolis forces are compensated, so that the robot is passive as it is felt from outside.
//
// The spring is the gradient of U = (x^T K x) / 2, x = (rotation vector, displacement) to the target in the axes
// of the stiffness. With R = exp(r) from the frame to a target at rest, rdot = - Jr^-1(r) w, so that the
// torque is Jr^-T(r) K r: conservative for any K, and its length grows up to half a turn.
//
// With task_inertia the frame has the inertia Lambda_d (inertia_shaping.h) in place of Lambda = (J M^-1 J^T)^-1. Of
//   M vdot + c + g = tau + tau_F,   J vdot + Jdot v = xdd
// with forces tau_F from outside, tau_f of spring and damper, wanted wrench included,
//   tau = g + tau_f + J^T ((Lambda Lambda_d^-1 - 1) Lambda J M^-1 (tau_f + tau_F) + Lambda (J M^-1 c - Jdot v))
// leaves  Lambda_d xdd = Lambda J M^-1 (tau_f + tau_F),  of a wrench at the frame that wrench itself (Hogan, Impedance
// control II, J. Dyn. Syst. Meas. Control 107, 1985; Ott, Cartesian Impedance Control of Redundant and Flexible-Joint
// Robots, 2008, chapter 3). The target's acceleration is not known and counts as zero. The energy
// xd^T Lambda_d xd / 2 + U takes the place of the robot's, so that Coriolis forces are compensated here; passive it is as
// far as tau_F is known. What of Lambda_d depends on the configuration takes - d/dt(Lambda_d) xd / 2 for that, with the
// difference of two cycles.
#include <math.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"
#include "singularity.h"

static const double PI = 3.14159265358979323846;

// the task's rows as they are controlled, linear first, and where they stand among the six
typedef struct rows {
  mbd_task_t task;
  int n, index[6];
  double k[6], d[6], m[6];  // of the rows
  bool shaped;
} rows_t;

// axes: columns in the world
static rows_t
rows_of(const controller_settings_t * s, const mbd_mat3_t * axes)
{
  rows_t r = {.task = mbdu_task_frame(s->task_frame, MBD_LOCAL_WORLD_ALIGNED)};
  memset(r.task.row, 0, sizeof r.task.row);
  for (int k = 0; k < 6; k++) {
    if (!s->task_row[k]) continue;
    for (int i = 0; i < 3; i++) r.task.row[r.n][(k < 3 ? 3 : 0) + i] = axes->m[3 * i + k % 3];
    r.index[r.n] = k, r.k[r.n] = s->task_stiffness[k], r.d[r.n] = s->task_damping[k];
    r.m[r.n] = s->task_inertia[k];
    r.shaped = r.shaped || r.m[r.n] > 0;
    r.n++;
  }
  r.task.nrow = r.n;
  return r;
}

// Rotation vector to the target. Beyond half a turn the way back is shorter; which of the two it is must not
// change with the noise of the measurement.
static mbd_vec3_t
turn_to(controller_t * c, const mbd_mat3_t * from, const mbd_mat3_t * to)
{
  const double REACH = 0.2;
  const mbd_mat3_t inverse = mbdu_mat3_transpose(from), R = mbdu_mat3_mul(to, &inverse);
  mbd_vec3_t r = mbdu_quat_log(mbdu_quat_from_mat3(&R));
  const double angle = mbdu_vec3_norm(r);
  if (mbdu_vec3_dot(r, c->p->turn) < 0 && angle > PI - REACH) {
    r = mbdu_vec3_scale((angle - 2 * PI) / angle, r);
  }
  c->p->turn = r;
  return r;
}

// y = Jr^-T(r) x = x - r x x / 2 + (1 / a^2 - (1 + cos a) / (2 a sin a)) r x (r x x), a = |r|
static mbd_vec3_t
right_jacobian_transpose_solve(mbd_vec3_t r, mbd_vec3_t x)
{
  const double a = mbdu_vec3_norm(r);
  // half = (a / 2) cot(a / 2), without a quotient of zeros at half a turn
  const double half = a > 1e-4 ? 0.5 * a * cos(0.5 * a) / sin(0.5 * a) : 1 - a * a / 12;
  const double f = a > 1e-4 ? (1 - half) / (a * a) : 1.0 / 12 + a * a / 720;
  const mbd_vec3_t rx = mbdu_vec3_cross(r, x);
  const mbd_vec3_t sum = mbdu_vec3_sub(x, mbdu_vec3_scale(0.5, rx));
  return mbdu_vec3_add(sum, mbdu_vec3_scale(f, mbdu_vec3_cross(r, rx)));
}

typedef struct task_error {
  double e[6], de[6];  // linear first, in the axes of the stiffness
  mbd_vec3_t r;        // as it is in e: cut
  mbd_mat3_t axes;
  mbd_placement_t pose;
} task_error_t;

static mbd_vec3_t
mat3_transpose_vec(const mbd_mat3_t * R, mbd_vec3_t x)
{
  const mbd_mat3_t T = mbdu_mat3_transpose(R);
  return mbdu_mat3_vec(&T, x);
}

static void
put(double * out, mbd_vec3_t x)
{
  out[0] = x.x, out[1] = x.y, out[2] = x.z;
}

static mbd_status_t
measure(controller_t * c, const controller_cycle_t * cycle, task_error_t * t)
{
  const controller_settings_t * s = c->settings;
  const mbd_mat3_t world = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  mbd_placement_t X;
  mbd_motion_t V, twist;
  CHECK(mbd_frame_placement(c->model, c->data, s->task_frame, &X));
  CHECK(mbd_frame_velocity(c->model, c->data, s->task_frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  t->pose = controller_task_target(c, cycle, &twist);
  t->axes = s->task_axes == AXES_TARGET ? t->pose.R : world;
  put(t->e, mat3_transpose_vec(&t->axes, mbdu_vec3_sub(t->pose.p, X.p)));
  put(t->e + 3, mat3_transpose_vec(&t->axes, turn_to(c, &X.R, &t->pose.R)));
  put(t->de, mat3_transpose_vec(&t->axes, mbdu_vec3_sub(twist.lin, V.lin)));
  put(t->de + 3, mat3_transpose_vec(&t->axes, mbdu_vec3_sub(twist.ang, V.ang)));
  for (int k = 0; k < 6; k++) t->e[k] = s->task_row[k] ? t->e[k] : 0;
  controller_task_cut(c, t->e);
  t->r = mbdu_vec3(t->e[3], t->e[4], t->e[5]);
  return MBD_OK;
}

// the wrench of spring and damper, in world axes; of a frame with this inverse inertia
static mbd_status_t
task_spring(
  controller_t * c, const task_error_t * t, const rows_t * rows, const double * compliance,
  mbd_force_t * wrench)
{
  const controller_settings_t * s = c->settings;
  const controller_spring_t spring = {
    rows->n, rows->k, "cartesian_stiffness", rows->index, s->task_by_ratio};
  double e[6], de[6], f[6] = {0}, d[6] = {0}, force[6] = {0}, damping[6] = {0};
  for (int i = 0; i < rows->n; i++) e[i] = t->e[rows->index[i]], de[i] = t->de[rows->index[i]];
  controller_impedance(c, &c->p->task_impedance, &spring, compliance);
  impedance_spring(&c->p->task_impedance.modes, e, f);
  if (s->task_by_ratio) {
    impedance_damper(&c->p->task_impedance.modes, de, d);
  } else {
    double gain[6];
    controller_bound_diagonal(
      c, "cartesian_damping", rows->n, rows->index, rows->d, compliance, gain);
    for (int i = 0; i < rows->n; i++) d[i] = gain[i] * de[i];
  }
  for (int i = 0; i < rows->n; i++) force[rows->index[i]] = f[i], damping[rows->index[i]] = d[i];
  const mbd_vec3_t torque =
    right_jacobian_transpose_solve(t->r, mbdu_vec3(force[3], force[4], force[5]));
  const mbd_vec3_t moment = mbdu_vec3_add(torque, mbdu_vec3(damping[3], damping[4], damping[5]));
  const mbd_vec3_t push =
    mbdu_vec3(force[0] + damping[0], force[1] + damping[1], force[2] + damping[2]);
  wrench->ang = mbdu_mat3_vec(&t->axes, moment);
  wrench->lin = mbdu_mat3_vec(&t->axes, push);
  return MBD_OK;
}

// y = J x
static void
multiply(const rows_t * rows, int nv, const double * J, const double * x, double * y)
{
  for (int i = 0; i < rows->n; i++) {
    y[i] = 0;
    for (int k = 0; k < nv; k++) y[i] += J[i * nv + k] * x[k];
  }
}

// y = Lambda J x
static void
project(
  const rows_t * rows, int nv, const double * J, const double * Lambda, const double * x,
  double * y)
{
  double Jx[6];
  multiply(rows, nv, J, x, Jx);
  for (int i = 0; i < rows->n; i++) {
    y[i] = 0;
    for (int j = 0; j < rows->n; j++) y[i] += Lambda[i * rows->n + j] * Jx[j];
  }
}

// tau -= J^T y
static void
subtract(const rows_t * rows, int nv, const double * J, const double * y, double * tau)
{
  for (int i = 0; i < rows->n; i++) {
    for (int k = 0; k < nv; k++) tau[k] -= J[i * nv + k] * y[i];
  }
}

// How far from a singularity of the rows of J: 1 / sqrt(tr(A) tr(A^-1)) of A = J J^T with rotations in lengths, which
// lies between the reciprocal condition number of J and its part 1 / rows. 0: singular.
static double
distance_to_singularity(const rows_t * rows, int nv, const double * J, double length)
{
  double A[36], L[36] = {0}, trace = 0, inverse = 0;
  const int n = rows->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < nv; k++) sum += J[i * nv + k] * J[j * nv + k];
      A[i * n + j] = sum * (rows->index[i] < 3 ? 1 : length) * (rows->index[j] < 3 ? 1 : length);
    }
    trace += A[i * n + i];
  }
  // A = C C^T in place, L = C^-1: tr(A^-1) is the sum of its squares
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      if (i == j && !(sum > 1e-14 * trace)) return 0;
      A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
    }
    for (int j = 0; j <= i; j++) {
      double sum = i == j;
      for (int k = j; k < i; k++) sum -= A[i * n + k] * L[k * n + j];
      L[i * n + j] = sum / A[i * n + i];
      inverse += L[i * n + j] * L[i * n + j];
    }
  }
  return 1 / sqrt(trace * inverse);
}

static const double NEAR = 0.02;

// Lambda for the null space. What a damped inverse leaves of the posture in the task's directions bends the task's
// spring, at any pose: compliances of wrist and tool differ by a thousand. So it is damped near singularities
// only, from nothing on.
static mbd_status_t
task_inertia(
  controller_t * c, const mbd_tasks_t * tasks, const rows_t * rows, const double * J,
  double * Lambda)
{
  mbd_singular_t choice = c->settings->singular;
  if (choice.policy == MBD_SINGULAR_DAMP) {
    const double length = singularity_length(c->model, c->settings->task_frame);
    choice.damping *= 1 - distance_to_singularity(rows, c->model->nv, J, length) / NEAR;
    if (!(choice.damping > 0)) choice.policy = MBD_SINGULAR_TRUNCATE;
  }
  return mbd_task_inertia(c->model, c->data, tasks, &choice, c->p->task_work, Lambda, NULL);
}

// Springs and dampers of the joints, less what would move the frame: N^T (K e + D N de), N = 1 - M^-1 J^T Lambda J.
static mbd_status_t
posture(controller_t * c, const controller_cycle_t * cycle, const rows_t * rows, double * tau)
{
  const controller_settings_t * s = c->settings;
  const int nv = c->model->nv;
  const mbd_tasks_t tasks = {1, &rows->task};
  const controller_spring_t spring = {
    nv, s->nullspace_stiffness, "nullspace_stiffness", NULL, true};
  double *e = c->p->error, *de = c->p->gain, *J = c->p->inverse, Lambda[36], y[6];
  CHECK(mbd_difference(c->model, cycle->input->q, c->q_ref, e));
  for (int k = 0; k < nv; k++) de[k] = c->v_ref[k] - cycle->input->v[k];
  CHECK(mbd_mass_matrix_inverse(c->model, c->data, c->p->inverse));
  controller_impedance(c, &c->p->joint_impedance, &spring, c->p->inverse);
  memset(tau, 0, (size_t)nv * sizeof *tau);
  if (rows->n > 0) {
    CHECK(mbd_task_jacobian(c->model, c->data, &tasks, J));
    CHECK(task_inertia(c, &tasks, rows, J, Lambda));
    project(rows, nv, J, Lambda, de, y);
    subtract(rows, nv, J, y, tau);
    CHECK(mbd_mass_solve(c->model, c->data, tau, tau));
    for (int k = 0; k < nv; k++) de[k] += tau[k];
    memset(tau, 0, (size_t)nv * sizeof *tau);
  }
  impedance_spring(&c->p->joint_impedance.modes, e, tau);
  impedance_damper(&c->p->joint_impedance.modes, de, tau);
  if (rows->n == 0) return MBD_OK;
  double * a = c->p->gain;
  CHECK(mbd_mass_solve(c->model, c->data, tau, a));
  project(rows, nv, J, Lambda, a, y);
  subtract(rows, nv, J, y, tau);
  return MBD_OK;
}

//---------- another inertia ----------

// Whether what pushes the robot is measured, and not compensated: it is then - c->external. The observer's estimate is not
// used: where the model has friction that the robot has not, or the reverse, it is a force along the velocity, and
// amplified here.
static bool
is_felt(const controller_t * c, const controller_cycle_t * cycle)
{
  mbd_wrench_t wrench[sizeof c->targets.external / sizeof *c->targets.external];
  return !(c->settings->command_terms & TERM_EXTERNAL) &&
         controller_live_wrenches(c, cycle, wrench) > 0;
}

// Inverse inertia of the frame as it is to be, in p->shaping, too, or as it is where nothing is to be shaped: without a
// measured wrench, and near singularities, where the null space is damped, too. From twice as far away on all of it is.
static mbd_status_t
choose_inertia(
  controller_t * c, const controller_cycle_t * cycle, const rows_t * rows, double * compliance,
  bool * shaped)
{
  const mbd_tasks_t tasks = {1, &rows->task};
  inertia_shaping_t * s = &c->p->shaping;
  double * J = c->p->inverse;
  *shaped = false;
  s->changed = s->known;
  s->known = false;
  CHECK(mbd_task_compliance(c->model, c->data, &tasks, compliance));
  if (!rows->shaped || !is_felt(c, cycle)) return MBD_OK;
  CHECK(mbd_task_jacobian(c->model, c->data, &tasks, J));
  const double length = singularity_length(c->model, c->settings->task_frame);
  const double far = distance_to_singularity(rows, c->model->nv, J, length) / NEAR - 1;
  if (!(far > 0) || !inertia_shape(s, rows->n, compliance, rows->m, fmin(far, 1))) return MBD_OK;
  *shaped = true;
  memcpy(compliance, s->compliance, (size_t)(rows->n * rows->n) * sizeof *compliance);
  if (s->limited < 0) return MBD_OK;
  const int i = s->limited;
  controller_bound_note(
    c, "cartesian_inertia", rows->index[i], rows->m[i], 1 / compliance[i * (rows->n + 1)]);
  return MBD_OK;
}

// What the inertia adds to the torques tau of spring and damper, and to the wrench that the frame is to exert, p->added so
// far.
static mbd_status_t
shape(
  controller_t * c, const controller_cycle_t * cycle, const task_error_t * t, const rows_t * rows,
  double * tau)
{
  const int nv = c->model->nv;
  const mbd_tasks_t tasks = {1, &rows->task};
  const inertia_shaping_t * s = &c->p->shaping;
  double *J = c->p->inverse, *x = c->p->gain, f[6], de[6], bias[6], motion[6];
  for (int k = 0; k < nv; k++) x[k] = tau[k] + c->p->added[k] - c->external[k];
  CHECK(mbd_mass_solve(c->model, c->data, x, x));
  multiply(rows, nv, J, x, f);
  inertia_times(s, f, f);
  for (int i = 0; i < rows->n; i++) de[i] = t->de[rows->index[i]];
  inertia_change(s, cycle->dt, de, de);
  for (int i = 0; i < rows->n; i++) de[i] *= 0.5 * s->share, f[i] += de[i];
  inertia_gain(s, f, f);
  CHECK(mbd_mass_solve(c->model, c->data, c->coriolis, x));
  CHECK(mbd_task_bias(c->model, c->data, &tasks, bias));
  multiply(rows, nv, J, x, motion);
  for (int i = 0; i < rows->n; i++) motion[i] -= bias[i];
  inertia_times(s, motion, motion);
  for (int i = 0; i < rows->n; i++) f[i] = -(f[i] + de[i] + s->share * motion[i]);
  subtract(rows, nv, J, f, tau);
  return MBD_OK;
}

// Dampers are computed again where the robot has moved. Here at once, where its inertia is none of the two that the frame
// can have, or another than in the last cycle.
static void
renew_damper(controller_t * c, bool shaped)
{
  inertia_shaping_t * s = &c->p->shaping;
  const bool between = shaped && (s->share < 1 || s->limited >= 0);
  if (between || shaped != s->damped) c->p->task_impedance.settings = NULL;
  s->damped = shaped;
}

// Spring, damper and inertia of the frame, and the wrench that it is to exert, into p->added.
static mbd_status_t
task_law(controller_t * c, const controller_cycle_t * cycle, task_error_t * t, const rows_t * rows)
{
  double *tau = c->p->torque, compliance[36];
  mbd_force_t f;
  bool shaped;
  CHECK(choose_inertia(c, cycle, rows, compliance, &shaped));
  renew_damper(c, shaped);
  CHECK(task_spring(c, t, rows, compliance, &f));
  const mbd_wrench_t wrench = {c->settings->task_frame, MBD_LOCAL_WORLD_ALIGNED, f};
  const mbd_wrenches_t wrenches = {1, &wrench};
  CHECK(controller_task_wrench(c, cycle, c->p->added));
  CHECK(mbd_jacobian_transpose_product(c->model, c->data, &wrenches, tau));
  if (shaped) CHECK(shape(c, cycle, t, rows, tau));
  for (int k = 0; k < c->model->nv; k++) c->p->added[k] += tau[k];
  c->p->task_hold = t->pose;
  return MBD_OK;
}

mbd_status_t
controller_cartesian_impedance(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_settings_t * s = c->settings;
  const int nv = c->model->nv;
  double * tau = c->p->torque;
  rows_t rows = {.n = 0};
  task_error_t t;
  memset(c->acceleration, 0, (size_t)nv * sizeof *c->acceleration);
  CHECK(controller_motion_terms(c, c->data, cycle));
  if (s->task_frame >= 0) {
    CHECK(measure(c, cycle, &t));
    rows = rows_of(s, &t.axes);
  }
  if (rows.n > 0) CHECK(task_law(c, cycle, &t, &rows));
  memset(c->coriolis, 0, (size_t)nv * sizeof *c->coriolis);
  CHECK(posture(c, cycle, &rows, tau));
  for (int k = 0; k < nv; k++) c->p->added[k] += tau[k];
  return MBD_OK;
}
