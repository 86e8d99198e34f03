// The least-squares problem of inverse kinematics: errors of the targets, their Jacobian, bounded steps.
#include <math.h>
#include <string.h>

#include "model/joint.h"
#include "operators/ik_internal.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

#define TURN 6.28318530717958647692

// turns of larger angles are not kept: they would cost digits of the solution
static const double FARTHEST_ANGLE = 1e6;

//---------- memory and columns ----------

static int
rows_of(const mbd_ik_target_t * t)
{
  int rows = 0;
  for (int k = 0; k < 6; k++) rows += t->axis[k];
  return rows;
}

size_t
mbdi_ik_lay_out(mbdi_ik_t * ik, double * work)
{
  const size_t nv = (size_t)ik->model->nv, nq = (size_t)ik->model->nq, m = (size_t)ik->m;
  const size_t k = m < nv ? m : nv;
  size_t n = 0;
  double ** part[] = {&ik->J,      &ik->A,       &ik->L,      &ik->q,     &ik->q_trial,
                      &ik->q_best, &ik->lower,   &ik->upper,  &ik->below, &ik->above,
                      &ik->step,   &ik->g,       &ik->toward, &ik->past,  &ik->v,
                      &ik->e,      &ik->e_trial, &ik->r,      &ik->y};
  const size_t size[] = {m * nv, k * k, k * k, nq, nq, nq, nv, nv, nv, nv,
                         nv,     nv,    nv,    nv, nv, m,  m,  m,  k};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    *part[i] = mbdi_arena_work(work, &n, size[i], sizeof(double));
  }
  ik->body = mbdi_arena_work(work, &n, (size_t)ik->model->nbody, sizeof(int));
  ik->dof = mbdi_arena_work(work, &n, nv, sizeof(int));
  ik->number = mbdi_arena_work(work, &n, nv, sizeof(int));
  ik->turns = mbdi_arena_work(work, &n, nv, sizeof(bool));
  ik->held = mbdi_arena_work(work, &n, nv, sizeof(bool));
  return n;
}

size_t
mbd_ik_work(const mbd_model_t * model, const mbd_ik_targets_t * targets)
{
  if (!model || !model->finalized || !targets || targets->n < 1 || !targets->t) return 0;
  mbdi_ik_t ik = {.model = model};
  for (int i = 0; i < targets->n; i++) ik.m += rows_of(&targets->t[i]);
  return ik.m > 0 ? mbdi_ik_lay_out(&ik, NULL) : 0;
}

static mbd_status_t
check_target(const mbd_model_t * model, const mbd_ik_target_t * t)
{
  if (t->frame < 0 || t->frame >= model->nframe || rows_of(t) == 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!finite_vec3(t->pose.p) || !finite_array(t->pose.R.m, 9)) return MBD_ERROR_NOT_FINITE;
  // a rotation: R^T R = 1, and right-handed
  const mbd_mat3_t I = mbdu_mat3_tmul(&t->pose.R, &t->pose.R);
  for (int k = 0; k < 9; k++) {
    if (fabs(I.m[k] - (k % 4 == 0)) > 1e-6) return MBD_ERROR_BAD_ARGUMENT;
  }
  const double * R = t->pose.R.m;
  const mbd_vec3_t z = mbdu_vec3_cross(mbdu_vec3(R[0], R[3], R[6]), mbdu_vec3(R[1], R[4], R[7]));
  return z.x * R[2] + z.y * R[5] + z.z * R[8] > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// degree of freedom k of a body: limits of its position, and whether a turn matters
static void
add_column(mbdi_ik_t * ik, const mbd_body_t * body, int k, bool ignore_limits)
{
  const int c = ik->n++;
  const bool position = k < mbdi_joint_positions(body);
  const bool limited = position && !ignore_limits && body->type != MBD_JOINT_CONTINUOUS;
  ik->dof[c] = body->v_index + k;
  ik->number[c] = position ? body->q_index + k : -1;
  ik->lower[c] = limited ? body->limits.lower : -HUGE_VAL;
  ik->upper[c] = limited ? body->limits.upper : HUGE_VAL;
  ik->turns[c] = body->type == MBD_JOINT_REVOLUTE || body->type == MBD_JOINT_CONTINUOUS ||
                 body->type == MBD_JOINT_UNIVERSAL ||
                 (body->type == MBD_JOINT_CYLINDRICAL && k == 0);
}

// the bodies between the base and the targets, base to tip; *length is the longest of the paths
static mbd_status_t
find_columns(mbdi_ik_t * ik, bool ignore_limits, double * length)
{
  const mbd_model_t * model = ik->model;
  int * seen = ik->data->work->path;
  memset(seen, 0, (size_t)model->nbody * sizeof *seen);
  *length = 0;
  for (int t = 0; t < ik->targets->n; t++) {
    const mbd_frame_t * frame = &model->frame[ik->targets->t[t].frame];
    double sum = mbdu_vec3_norm(frame->X.p);
    for (int i = frame->body; i >= 0; i = model->body[i].parent) {
      const mbd_body_t * body = &model->body[i];
      if (body->mimic_body >= 0 && !model->mimic_independent) return MBD_ERROR_MIMIC;
      seen[i] = 1;
      // where the first joint is does not matter
      if (body->parent >= 0) sum += mbdu_vec3_norm(body->X_tree.p);
    }
    *length = fmax(*length, sum);
  }
  ik->n = ik->nbody = 0;
  for (int i = 0; i < model->nbody; i++) {
    if (seen[i]) ik->body[ik->nbody++] = i;
    for (int k = 0; seen[i] && k < model->body[i].nv; k++) {
      add_column(ik, &model->body[i], k, ignore_limits);
    }
  }
  return MBD_OK;
}

mbd_status_t
mbdi_ik_begin(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets, double length,
  bool ignore_limits, double * work, mbdi_ik_t * ik)
{
  CHECK(check_data(model, data, 0));
  if (!targets || !targets->t || !work) return MBD_ERROR_NULL_ARGUMENT;
  if (targets->n < 1 || !(length >= 0) || !isfinite(length)) return MBD_ERROR_BAD_ARGUMENT;
  *ik = (mbdi_ik_t){.model = model, .data = data, .targets = targets};
  for (int i = 0; i < targets->n; i++) {
    CHECK(check_target(model, &targets->t[i]));
    ik->m += rows_of(&targets->t[i]);
  }
  (void)mbdi_ik_lay_out(ik, work);
  double path;
  CHECK(find_columns(ik, ignore_limits, &path));
  if (length == 0) length = path > 0 ? path / 3 : 1;
  ik->scale = 1 / length;
  return MBD_OK;
}

//---------- errors and Jacobian ----------

// rotation vector of R, and the matrix that turns angular velocities in the axes of the target into its rate:
// J_l^-1 = 1 - phi~ / 2 + f phi~^2, f = (1 - (a / 2) cot(a / 2)) / a^2
static double
rate_factor(double angle)
{
  if (angle < 1e-2) return 1.0 / 12 + angle * angle / 720;
  const double half = 0.5 * angle;
  return (1 - half / tan(half)) / (angle * angle);
}

// J_l^-1 R^T
static mbd_mat3_t
rate_matrix(mbd_vec3_t phi, const mbd_mat3_t * R)
{
  const double f = rate_factor(mbdu_vec3_norm(phi));
  mbd_mat3_t B;
  for (int k = 0; k < 3; k++) {
    // column k of R^T
    const mbd_vec3_t w = mbdu_vec3(R->m[3 * k], R->m[3 * k + 1], R->m[3 * k + 2]);
    const mbd_vec3_t once = mbdu_vec3_cross(phi, w), twice = mbdu_vec3_cross(phi, once);
    B.m[k] = w.x - 0.5 * once.x + f * twice.x;
    B.m[3 + k] = w.y - 0.5 * once.y + f * twice.y;
    B.m[6 + k] = w.z - 0.5 * once.z + f * twice.z;
  }
  return B;
}

// the frame as its target sees it: rotation vector and position
static void
deviation(const mbdi_ik_t * ik, const mbd_ik_target_t * t, mbd_vec3_t * phi, mbd_vec3_t * p)
{
  const mbd_frame_t * frame = &ik->model->frame[t->frame];
  const mbd_placement_t X =
    frame->body < 0 ? frame->X : mbdu_placement_mul(&ik->data->X_world[frame->body], &frame->X);
  *p = mbdu_mat3_tvec(&t->pose.R, mbdu_vec3_sub(X.p, t->pose.p));
  *phi = mbdu_vec3(0, 0, 0);
  if (!(t->axis[0] || t->axis[1] || t->axis[2])) return;
  const mbd_mat3_t R = mbdu_mat3_tmul(&t->pose.R, &X.R);
  *phi = mbdu_quat_log(mbdu_quat_normalize(mbdu_quat_from_mat3(&R)));
}

// placements: if few bodies are on the paths, of these alone, and the position stage is deferred
static mbd_status_t
place(mbdi_ik_t * ik, const double * q)
{
  const mbd_model_t * model = ik->model;
  mbd_data_t * data = ik->data;
  if (3 * ik->nbody > model->nbody) return mbd_set_position(model, data, q);
  CHECK(model->internal->engine->load_state(
    model, data, q, NULL, NULL, NULL, MBD_STAGE_DEFERRED_POSITION));
  for (int k = 0; k < ik->nbody; k++) {
    const int i = ik->body[k], parent = model->body[i].parent;
    mbd_placement_t * X = &data->X_parent[i];
    mbdi_joint_position(
      &model->body[i], data->q + model->body[i].q_index, X, data->S + model->body[i].v_index);
    data->X_world[i] = parent < 0 ? *X : mbdu_placement_mul(&data->X_world[parent], X);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_ik_errors(mbdi_ik_t * ik, const double * q, double * e, double * position, double * rotation)
{
  CHECK(place(ik, q));
  *position = *rotation = 0;
  int row = 0;
  for (int i = 0; i < ik->targets->n; i++) {
    const mbd_ik_target_t * t = &ik->targets->t[i];
    mbd_vec3_t phi, p;
    deviation(ik, t, &phi, &p);
    const double left[6] = {phi.x, phi.y, phi.z, p.x, p.y, p.z};
    double angular = 0, linear = 0;
    for (int k = 0; k < 6; k++) {
      if (!t->axis[k]) continue;
      *(k < 3 ? &angular : &linear) += left[k] * left[k];
      e[row++] = -(k < 3 ? 1 : ik->scale) * left[k];
    }
    *position = fmax(*position, sqrt(linear));
    *rotation = fmax(*rotation, sqrt(angular));
  }
  return isfinite(*position) && isfinite(*rotation) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// velocity of a frame at p by a degree of freedom of a body
static mbd_motion_t
column_of(const mbdi_ik_t * ik, const mbd_body_t * body, int i, int dof, mbd_vec3_t p)
{
  const mbd_placement_t * X = &ik->data->X_world[i];
  const mbd_vec3_t z = mbdu_vec3(X->R.m[2], X->R.m[5], X->R.m[8]);
  mbd_motion_t V;
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
      V.ang = z;
      V.lin = mbdu_vec3_cross(z, mbdu_vec3_sub(p, X->p));
      return V;
    case MBD_JOINT_PRISMATIC:
      V.ang = mbdu_vec3(0, 0, 0);
      V.lin = z;
      return V;
    default: break;
  }
  const mbd_motion_t S = ik->data->S[dof];
  V.ang = mbdu_mat3_vec(&X->R, S.ang);
  V.lin =
    mbdu_vec3_add(mbdu_mat3_vec(&X->R, S.lin), mbdu_vec3_cross(V.ang, mbdu_vec3_sub(p, X->p)));
  return V;
}

static int
put_rows(mbdi_ik_t * ik, const mbd_ik_target_t * t, int row)
{
  const mbd_model_t * model = ik->model;
  const int n = ik->n, tip = model->frame[t->frame].body;
  const mbd_frame_t * frame = &model->frame[t->frame];
  const bool whole = rows_of(t) == 6;
  mbd_vec3_t phi, p;
  if (whole) {
    phi = mbdu_vec3(-ik->e[row], -ik->e[row + 1], -ik->e[row + 2]);
  } else {
    deviation(ik, t, &phi, &p);
  }
  const mbd_mat3_t B = rate_matrix(phi, &t->pose.R);
  const mbd_vec3_t origin =
    tip < 0 ? frame->X.p : mbdu_placement_point(&ik->data->X_world[tip], frame->X.p);
  for (int c = 0; c < n; c++) {
    const int i = model->dof_body[ik->dof[c]];
    // an ancestor of the frame, or not
    const bool moves = i <= tip && tip < model->body[i].subtree_end;
    double V[6] = {0};
    if (moves) {
      const mbd_motion_t W = column_of(ik, &model->body[i], i, ik->dof[c], origin);
      const mbd_vec3_t w = mbdu_mat3_vec(&B, W.ang);
      const mbd_vec3_t u = mbdu_mat3_tvec(&t->pose.R, W.lin);
      V[0] = w.x, V[1] = w.y, V[2] = w.z;
      V[3] = ik->scale * u.x, V[4] = ik->scale * u.y, V[5] = ik->scale * u.z;
    }
    double * J = ik->J + c * ik->m + row;
    if (whole) memcpy(J, V, sizeof V);
    for (int k = 0; k < 6 && !whole; k++) {
      if (t->axis[k]) *J++ = V[k];
    }
  }
  return row + rows_of(t);
}

void
mbdi_ik_jacobian(mbdi_ik_t * ik)
{
  for (int i = 0, row = 0; i < ik->targets->n; i++) row = put_rows(ik, &ik->targets->t[i], row);
}

//---------- step ----------

// six rows as a constant, which compilers unroll
static inline double
dot_rows(int m, const double * a, const double * b)
{
  return m == 6 ? mbdi_dot(6, a, b) : mbdi_dot(m, a, b);
}

// J J^T of the columns that are not held
static void
form_wide(const mbdi_ik_t * ik)
{
  const int m = ik->m;
  for (int i = 0; i < m; i++) {
    double * A = ik->A + i * m;
    for (int c = 0; c < ik->n; c++) {
      const double * x = ik->J + c * m;
      if (ik->held[c]) continue;
      for (int j = 0; j < m; j++) A[j] += x[i] * x[j];
    }
  }
}

// the same of the usual six rows: sums of a row stay in registers
static void
form_six(const mbdi_ik_t * ik)
{
  for (int i = 0; i < 6; i++) {
    double A[6] = {0};
    for (int c = 0; c < ik->n; c++) {
      const double * x = ik->J + 6 * c;
      const double f = ik->held[c] ? 0 : x[i];
      for (int j = 0; j < 6; j++) A[j] += f * x[j];
    }
    memcpy(ik->A + 6 * i, A, sizeof A);
  }
}

// J^T J of them, fewer columns than rows
static void
form_tall(const mbdi_ik_t * ik)
{
  const int m = ik->m, n = ik->n;
  for (int c = 0; c < n; c++) {
    for (int j = 0; !ik->held[c] && j <= c; j++) {
      if (!ik->held[j]) ik->A[c * n + j] = mbdi_dot(m, ik->J + c * m, ik->J + j * m);
    }
  }
}

// the smaller one of these; returns the trace
static double
form_matrix(mbdi_ik_t * ik)
{
  const int m = ik->m, n = ik->n, k = m <= n ? m : n;
  double trace = 0;
  memset(ik->A, 0, (size_t)(k * k) * sizeof *ik->A);
  if (m > n) {
    form_tall(ik);
  } else if (m == 6) {
    form_six(ik);
  } else {
    form_wide(ik);
  }
  for (int i = 0; i < k; i++) trace += ik->A[i * k + i];
  return trace;
}

// a column goes to its bound: out of the matrix, and what it does out of the rows
static void
hold(mbdi_ik_t * ik, int c)
{
  const int m = ik->m, n = ik->n;
  const double * x = ik->J + c * m;
  ik->held[c] = true;
  for (int i = 0; i < m; i++) ik->r[i] -= x[i] * ik->step[c];
  for (int i = 0; m <= n && i < m; i++) {
    for (int j = 0; j < m; j++) ik->A[i * m + j] -= x[i] * x[j];
  }
  for (int i = 0; m > n && i < n; i++) {
    if (i != c) ik->A[i * n + c] = ik->A[c * n + i] = 0;
  }
}

// y = A^-1 r of six rows by elimination, r as one more column
static bool
solve_six(const mbdi_ik_t * ik)
{
  double W[6][8], *y = ik->y;
  for (int i = 0; i < 6; i++) {
    memcpy(W[i], ik->A + 6 * i, 6 * sizeof(double));
    W[i][6] = ik->r[i], W[i][7] = 0;
  }
  for (int j = 0; j < 6; j++) {
    if (!(W[j][j] > 0)) return false;
    const double pivot = 1 / W[j][j];
    for (int i = j + 1; i < 6; i++) {
      const double f = W[i][j] * pivot;
      for (int k = 0; k < 8; k++) W[i][k] -= f * W[j][k];
    }
  }
  for (int i = 5; i >= 0; i--) {
    double sum = W[i][6];
    for (int k = i + 1; k < 6; k++) sum -= W[i][k] * y[k];
    y[i] = sum / W[i][i];
  }
  return true;
}

// J^T (J J^T + damping)^-1 r
static bool
solve_wide(const mbdi_ik_t * ik)
{
  const int m = ik->m;
  double * y = ik->y;
  if (m == 6) {
    if (!solve_six(ik)) return false;
  } else {
    memset(y, 0, (size_t)m * sizeof *y);
    if (!mbdi_cholesky(m, ik->A, y, ik->L)) return false;
    memcpy(y, ik->r, (size_t)m * sizeof *y);
    mbdi_solve_lower(m, ik->L, y);
    mbdi_solve_upper(m, ik->L, y);
  }
  for (int c = 0; c < ik->n; c++) {
    if (!ik->held[c]) ik->step[c] = dot_rows(m, ik->J + c * m, y);
  }
  return true;
}

// (J^T J + damping)^-1 J^T r, which is the same
static bool
solve_tall(const mbdi_ik_t * ik)
{
  const int m = ik->m, n = ik->n;
  double * y = ik->y;
  memset(y, 0, (size_t)n * sizeof *y);
  if (!mbdi_cholesky(n, ik->A, y, ik->L)) return false;
  for (int c = 0; c < n; c++) y[c] = ik->held[c] ? 0 : mbdi_dot(m, ik->J + c * m, ik->r);
  mbdi_solve_lower(n, ik->L, y);
  mbdi_solve_upper(n, ik->L, y);
  for (int c = 0; c < n; c++) {
    if (!ik->held[c]) ik->step[c] = y[c];
  }
  return true;
}

static bool
solve_free(const mbdi_ik_t * ik)
{
  return ik->m > ik->n ? solve_tall(ik) : solve_wide(ik);
}

// of the residual r, with the bounds as they are
static void
bounded_step(mbdi_ik_t * ik, double damping)
{
  const int m = ik->m, n = ik->n;
  for (int c = 0; c < n; c++) {
    const double g = dot_rows(m, ik->J + c * m, ik->r);
    ik->g[c] = g;
    ik->step[c] = 0;
    // at a bound, and descent leads out of it
    ik->held[c] = (g > 0 && !(ik->above[c] > 0)) || (g < 0 && !(ik->below[c] < 0));
  }
  const int k = m <= n ? m : n;
  // at least what rounding needs to keep the matrix definite
  damping = fmax(damping, 1e-13 * form_matrix(ik) + 1e-300);
  for (int i = 0; i < k; i++) ik->A[i * k + i] += damping;
  // joints that would leave their bounds stay there, and the others take over: at most n rounds
  for (int round = 0; round <= n; round++) {
    if (!solve_free(ik)) return;
    bool again = false;
    for (int c = 0; c < n; c++) {
      const double step = ik->step[c];
      if (ik->held[c] || (step >= ik->below[c] && step <= ik->above[c])) continue;
      ik->step[c] = step < ik->below[c] ? ik->below[c] : ik->above[c];
      hold(ik, c);
      again = true;
    }
    if (!again) return;
  }
}

void
mbdi_ik_step(mbdi_ik_t * ik, double damping)
{
  copy_array(ik->r, ik->e, ik->m);
  bounded_step(ik, damping);
}

void
mbdi_ik_step_toward(mbdi_ik_t * ik, double damping)
{
  const int m = ik->m;
  copy_array(ik->r, ik->e, m);
  for (int c = 0; c < ik->n; c++) {
    const double t = fmin(fmax(ik->toward[c], ik->below[c]), ik->above[c]);
    const double * x = ik->J + c * m;
    for (int i = 0; i < m; i++) ik->r[i] -= x[i] * t;
    ik->toward[c] = t;
    ik->below[c] -= t, ik->above[c] -= t;
  }
  bounded_step(ik, damping);
  for (int c = 0; c < ik->n; c++) {
    const double t = ik->toward[c];
    ik->step[c] += t, ik->below[c] += t, ik->above[c] += t;
  }
}

void
mbdi_ik_bound_step(mbdi_ik_t * ik)
{
  for (int c = 0; c < ik->n; c++) {
    ik->below[c] = ik->number[c] < 0 ? -HUGE_VAL : ik->lower[c] - ik->q[ik->number[c]];
    ik->above[c] = ik->number[c] < 0 ? HUGE_VAL : ik->upper[c] - ik->q[ik->number[c]];
  }
}

mbd_status_t
mbdi_ik_move(mbdi_ik_t * ik, const double * q, double * q_out)
{
  memset(ik->v, 0, (size_t)ik->model->nv * sizeof *ik->v);
  for (int c = 0; c < ik->n; c++) ik->v[ik->dof[c]] = ik->step[c];
  CHECK(mbd_integrate(ik->model, q, ik->v, 1, q_out));
  // rounding must not leave the limits
  for (int c = 0; c < ik->n; c++) {
    if (ik->number[c] < 0) continue;
    double * x = &q_out[ik->number[c]];
    *x = fmin(fmax(*x, ik->lower[c]), ik->upper[c]);
  }
  return MBD_OK;
}

void
mbdi_ik_singular_values(mbdi_ik_t * ik, double * smallest, double * largest)
{
  const int m = ik->m, n = ik->n, k = m < n ? m : n;
  *smallest = *largest = 0;
  memset(ik->held, 0, (size_t)n * sizeof *ik->held);
  (void)form_matrix(ik);
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < i; j++) ik->A[j * k + i] = ik->A[i * k + j];
  }
  if (k == 0) return;
  mbdi_eigen_symmetric(k, ik->A, ik->L);
  double low = HUGE_VAL, high = 0;
  for (int i = 0; i < k; i++) {
    low = fmin(low, ik->A[i * k + i]), high = fmax(high, ik->A[i * k + i]);
  }
  // rows that outnumber the columns cannot all be reached, which is no singularity
  *smallest = sqrt(fmax(low, 0)), *largest = sqrt(high);
}

int
mbdi_ik_sign(const mbdi_ik_t * ik)
{
  const int n = ik->n;
  double * A = ik->A;
  int sign = ik->m == n;
  memcpy(A, ik->J, (size_t)(sign * n * n) * sizeof *A);
  // elimination with pivots from the columns
  for (int j = 0; sign && j < n; j++) {
    int at = j;
    for (int i = j + 1; i < n; i++) {
      if (fabs(A[i * n + j]) > fabs(A[at * n + j])) at = i;
    }
    for (int k = j; at != j && k < n; k++) {
      const double x = A[at * n + k];
      A[at * n + k] = A[j * n + k], A[j * n + k] = x;
    }
    const double pivot = A[j * n + j];
    sign = pivot == 0 ? 0 : ((pivot < 0) != (at != j) ? -sign : sign);
    for (int i = j + 1; sign && i < n; i++) {
      const double f = A[i * n + j] / pivot;
      for (int k = j; k < n; k++) A[i * n + k] -= f * A[j * n + k];
    }
  }
  return sign;
}

//---------- configurations ----------

bool
mbdi_ik_is_far(const mbdi_ik_t * ik, int c, double x)
{
  return ik->turns[c] && fabs(x) > FARTHEST_ANGLE;
}

void
mbdi_ik_unwind(const mbdi_ik_t * ik, const double * seed, double * q)
{
  for (int c = 0; c < ik->n; c++) {
    if (!ik->turns[c]) continue;
    double * x = &q[ik->number[c]];
    const double low = ik->lower[c], high = ik->upper[c], slack = 1e-12;
    const double near = fmin(fmax(seed[ik->number[c]], low), high);
    if (mbdi_ik_is_far(ik, c, near)) continue;
    double turned = *x - TURN * round((*x - near) / TURN);
    // the nearest one within the limits
    if (turned < low - slack) turned += TURN * ceil((low - slack - turned) / TURN);
    if (turned > high + slack) turned -= TURN * ceil((turned - high - slack) / TURN);
    if (turned >= low - slack && turned <= high + slack) *x = fmin(fmax(turned, low), high);
  }
}

void
mbdi_ik_random(const mbdi_ik_t * ik, uint64_t seed, const double * q, double * random)
{
  const mbd_model_t * model = ik->model;
  copy_array(random, q, model->nq);
  for (int k = 0; k < ik->nbody; k++) {
    const mbd_body_t * body = &model->body[ik->body[k]];
    // positions of a base are not random: every pose can be reached from any of them
    if (body->type == MBD_JOINT_FREE || body->type == MBD_JOINT_USER) continue;
    mbdi_joint_ops[body->type].randomize(body, &seed, random + body->q_index);
  }
}
