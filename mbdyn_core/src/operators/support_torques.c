// Torques of a robot that stands on frames: supports at rest, forces in their cones, what cannot be
// reached taken off the acceleration.
#include "mbdyn/dynamics/support.h"

#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/task.h"
#include "mbdyn/inertia.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "operators/cone_forces.h"
#include "util/arena.h"
#include "util/check.h"
#include "util/dense.h"

// part of the base's inertia that is added to its inertia with supports at rest, which may be singular
static const double LOOSE = 1e-3;
// rows of supports that follow from others: two on one link, straight legs
static const mbd_singular_t REDUNDANT = {MBD_SINGULAR_TRUNCATE, 1e-8, 0};

mbd_support_t
mbd_support_default(void)
{
  const mbd_support_t support = {.normal = {0, 0, 1}, .friction = 0.5};
  return support;
}

static bool
is_sole(const mbd_support_t * s)
{
  return s->x[0] < s->x[1];
}

int
mbd_support_points(const mbd_support_t * support)
{
  return support && is_sole(support) ? MBD_SUPPORT_POINTS : 1;
}

// from the frame's origin to contact point k, world axes
static mbd_vec3_t
offset_of(const mbd_support_t * s, const mbd_mat3_t * R, int k)
{
  if (!is_sole(s)) return mbdu_vec3_scale(-s->radius, s->normal);
  const double x = s->x[k == 1 || k == 2], y = s->y[k > 1];
  return mbdu_mat3_vec(R, mbdu_vec3(x, y, 0));
}

mbd_status_t
mbd_support_point(
  const mbd_model_t * model, mbd_data_t * data, const mbd_support_t * support, int k,
  mbd_vec3_t * point)
{
  mbd_placement_t X;
  if (!support || !point) return MBD_ERROR_NULL_ARGUMENT;
  if (k < 0 || k >= mbd_support_points(support)) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbd_frame_placement(model, data, support->frame, &X));
  *point = mbdu_vec3_add(X.p, offset_of(support, &X.R, k));
  return MBD_OK;
}

//---------- memory ----------

typedef struct stance {
  const mbd_model_t * model;
  mbd_data_t * data;
  int first;  // degree of freedom of the base
  int n, rows, npoint;
  mbd_support_t * support;
  mbd_placement_t base;
  mbd_placement_t * X;        // of the frames                                      [n]
  mbd_task_t * task;          // rows that are at rest                              [n]
  mbd_wrench_t * wrench;      //                                                    [n]
  mbdi_cone_point_t * cone;   //                                                    [4 n]
  mbd_vec3_t centre;          // of the points
  double length;              // size of the arms
  double *M, *Lambda;         //                                  [nv nv], [rows rows]
  double * Jb;                // rows of the base, linear first as its velocity     [rows 6]
  double *rest, *u, *lambda;  //                                                    [rows]
  double *tau, *x, *work;     //                                              [nv], [nv]
} stance_t;

static size_t
lay_out(stance_t * s, const mbd_model_t * model, int n, double * work)
{
  const size_t nv = (size_t)model->nv, count = (size_t)n, rows = 6 * count;
  size_t at = 0;
#define TAKE(field, number) s->field = mbdi_arena_work(work, &at, (number), sizeof *s->field)
  TAKE(X, count);
  TAKE(task, count);
  TAKE(wrench, count);
  TAKE(cone, MBD_SUPPORT_POINTS * count);
  TAKE(M, nv * nv);
  TAKE(Lambda, rows * rows);
  TAKE(Jb, 6 * rows);
  TAKE(rest, rows);
  TAKE(u, rows);
  TAKE(lambda, rows);
  TAKE(tau, nv);
  TAKE(x, nv);
#undef TAKE
  s->work = work ? work + at : NULL;
  // mbd_task_work of so many whole frames
  return at + 3 * rows * rows + rows * nv + 3 * rows + 2 * nv + 8 * nv * count;
}

size_t
mbd_support_work(const mbd_model_t * model, int n)
{
  stance_t unused;
  if (!model || !model->finalized || n < 0) return 0;
  return lay_out(&unused, model, n, NULL);
}

//---------- what is given ----------

static mbd_status_t
check_support(const mbd_model_t * model, const mbd_support_t * s)
{
  const double numbers[6] = {s->x[0], s->x[1], s->y[0], s->y[1], s->radius, s->friction};
  if (s->frame < 0 || s->frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  if (!finite_array(numbers, 6) || !finite_vec3(s->normal)) return MBD_ERROR_NOT_FINITE;
  if (s->radius < 0 || s->friction < 0) return MBD_ERROR_BAD_ARGUMENT;
  const bool point = s->x[0] == 0 && s->x[1] == 0 && s->y[0] == 0 && s->y[1] == 0;
  if (!point && !(s->x[0] < s->x[1] && s->y[0] < s->y[1])) return MBD_ERROR_BAD_ARGUMENT;
  const bool unit = fabs(mbdu_vec3_norm(s->normal) - 1) <= 1e-6;
  return unit ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// placement of a body, by one of its frames
static mbd_status_t
body_placement(const mbd_model_t * model, mbd_data_t * data, int body, mbd_placement_t * X)
{
  int frame = 0;
  while (frame < model->nframe && model->frame[frame].body != body) frame++;
  if (frame == model->nframe) return MBD_ERROR_BAD_JOINT;
  CHECK(mbd_frame_placement(model, data, frame, X));
  const mbd_placement_t back = mbdu_placement_inverse(&model->frame[frame].X);
  *X = mbdu_placement_mul(X, &back);
  return MBD_OK;
}

// frames that the base does not carry give it no force
static mbd_status_t
check_carried(stance_t * s, int frame)
{
  mbd_motion_t V;
  memset(s->x, 0, (size_t)s->model->nv * sizeof *s->x);
  s->x[s->first] = 1;
  CHECK(mbd_jacobian_product(s->model, s->data, frame, MBD_LOCAL_WORLD_ALIGNED, s->x, &V));
  return mbdu_vec3_norm(V.lin) > 0.5 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static mbd_status_t
begin(
  stance_t * s, const mbd_model_t * model, mbd_data_t * data, int base, const double * wanted,
  const double * qdd, int n, mbd_support_t * support, double * work, const double * tau)
{
  if (!model || !data || !wanted || !work || !tau || (n > 0 && !support)) {
    return MBD_ERROR_NULL_ARGUMENT;
  }
  if (data->model != model) return MBD_ERROR_MODEL_MISMATCH;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (base < 0 || base >= model->nbody) return MBD_ERROR_BAD_JOINT;
  const mbd_body_t * body = &model->body[base];
  if (body->parent >= 0 || body->type != MBD_JOINT_FREE) return MBD_ERROR_BAD_JOINT;
  if (!finite_array(wanted, model->nv) || (qdd && !finite_array(qdd, model->nv))) {
    return MBD_ERROR_NOT_FINITE;
  }
  for (int k = 0; k < n; k++) CHECK(check_support(model, &support[k]));
  lay_out(s, model, n, work);
  s->model = model;
  s->data = data;
  s->first = body->v_index;
  s->n = n;
  s->support = support;
  memcpy(s->tau, wanted, (size_t)model->nv * sizeof *s->tau);
  for (int k = 0; k < n; k++) CHECK(check_carried(s, support[k].frame));
  return body_placement(model, data, base, &s->base);
}

//---------- rows and points ----------

// a sole does not move; the point of a ball below the frame rolls: o is where it is from the frame
static mbd_task_t
rows_at_rest(const mbd_support_t * s, mbd_vec3_t o)
{
  mbd_task_t t = mbdu_task_frame(s->frame, MBD_LOCAL_WORLD_ALIGNED);
  if (is_sole(s)) return t;
  const double cross[3][3] = {{0, o.z, -o.y}, {-o.z, 0, o.x}, {o.y, -o.x, 0}};
  memset(t.row, 0, sizeof t.row);
  t.nrow = 3;
  for (int k = 0; k < 3; k++) {
    memcpy(t.row[k], cross[k], sizeof cross[k]);
    t.row[k][3 + k] = 1;
  }
  return t;
}

// row of a frame that is fixed to the base, for the base's velocity: linear, then angular, base axes
static void
base_row(const stance_t * s, const double * row, mbd_vec3_t at, double * out)
{
  const mbd_vec3_t ang = mbdu_vec3(row[0], row[1], row[2]), lin = mbdu_vec3(row[3], row[4], row[5]);
  const mbd_vec3_t arm = mbdu_vec3_sub(at, s->base.p);
  const mbd_vec3_t f = mbdu_mat3_tvec(&s->base.R, lin);
  const mbd_vec3_t m = mbdu_mat3_tvec(&s->base.R, mbdu_vec3_add(ang, mbdu_vec3_cross(arm, lin)));
  const double x[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
  memcpy(out, x, sizeof x);
}

// rows at rest and contact points; arms are from their centre, divided by their size
static mbd_status_t
set_contacts(stance_t * s)
{
  s->rows = s->npoint = 0;
  s->centre = mbdu_vec3(0, 0, 0);
  for (int k = 0; k < s->n; k++) {
    const mbd_support_t * support = &s->support[k];
    CHECK(mbd_frame_placement(s->model, s->data, support->frame, &s->X[k]));
    s->task[k] = rows_at_rest(support, offset_of(support, &s->X[k].R, 0));
    for (int r = 0; r < s->task[k].nrow; r++) {
      base_row(s, s->task[k].row[r], s->X[k].p, s->Jb + 6 * s->rows++);
    }
    for (int i = 0; i < mbd_support_points(support); i++) {
      const mbd_vec3_t at = mbdu_vec3_add(s->X[k].p, offset_of(support, &s->X[k].R, i));
      s->cone[s->npoint++] = (mbdi_cone_point_t){at, support->normal, support->friction, {0, 0, 0}};
      s->centre = mbdu_vec3_add(s->centre, at);
    }
  }
  double square = 0;
  if (s->npoint > 0) s->centre = mbdu_vec3_scale(1.0 / s->npoint, s->centre);
  for (int i = 0; i < s->npoint; i++) {
    s->cone[i].arm = mbdu_vec3_sub(s->cone[i].arm, s->centre);
    square += mbdu_vec3_dot(s->cone[i].arm, s->cone[i].arm);
  }
  s->length = square > 0 ? sqrt(square / s->npoint) : 1;
  for (int i = 0; i < s->npoint; i++) {
    s->cone[i].arm = mbdu_vec3_scale(1 / s->length, s->cone[i].arm);
  }
  return MBD_OK;
}

static mbd_tasks_t
tasks_of(const stance_t * s)
{
  const mbd_tasks_t tasks = {s->n, s->task};
  return tasks;
}

// x += J^T y of the rows at rest
static mbd_status_t
add_row_forces(stance_t * s, const double * y, double * x)
{
  for (int k = 0, row = 0; k < s->n; row += s->task[k++].nrow) {
    double f[6] = {0};
    for (int r = 0; r < s->task[k].nrow; r++) {
      for (int c = 0; c < 6; c++) f[c] += s->task[k].row[r][c] * y[row + r];
    }
    const mbd_force_t force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    s->wrench[k] = (mbd_wrench_t){s->task[k].frame, MBD_LOCAL_WORLD_ALIGNED, force};
  }
  const mbd_wrenches_t wrenches = {s->n, s->wrench};
  CHECK(mbd_jacobian_transpose_product(s->model, s->data, &wrenches, s->x));
  for (int k = 0; k < s->model->nv; k++) x[k] += s->x[k];
  return MBD_OK;
}

//---------- supports at rest ----------

// tau += J^T Lambda (-Jdot v - J qdd)
static mbd_status_t
keep_at_rest(stance_t * s, const double * qdd)
{
  const mbd_tasks_t tasks = tasks_of(s);
  if (!qdd || s->n == 0) return MBD_OK;
  CHECK(mbd_task_bias(s->model, s->data, &tasks, s->rest));
  for (int k = 0, row = 0; k < s->n; k++) {
    const mbd_task_t * t = &s->task[k];
    mbd_motion_t V;
    CHECK(mbd_jacobian_product(s->model, s->data, t->frame, t->reference, qdd, &V));
    const double six[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
    for (int r = 0; r < t->nrow; r++, row++)
      s->u[row] = -s->rest[row] - mbdi_dot(6, t->row[r], six);
  }
  for (int i = 0; i < s->rows; i++) s->lambda[i] = mbdi_dot(s->rows, s->Lambda + i * s->rows, s->u);
  return add_row_forces(s, s->lambda, s->tau);
}

//---------- forces ----------

// from the base's coordinates (linear first, its axes, at its origin) to the wrench about the centre, world
// axes, angular first, moments divided by the length
static void
wrench_map(const stance_t * s, double * T)
{
  const mbd_vec3_t arm = mbdu_vec3_sub(s->base.p, s->centre);
  for (int k = 0; k < 3; k++) {
    const mbd_vec3_t axis = mbdu_vec3(s->base.R.m[k], s->base.R.m[3 + k], s->base.R.m[6 + k]);
    const mbd_vec3_t moment = mbdu_vec3_scale(1 / s->length, mbdu_vec3_cross(arm, axis));
    const mbd_vec3_t turn = mbdu_vec3_scale(1 / s->length, axis);
    const double columns[2][6] = {
      {moment.x, moment.y, moment.z, axis.x, axis.y, axis.z}, {turn.x, turn.y, turn.z, 0, 0, 0}};
    for (int i = 0; i < 6; i++) {
      T[6 * i + k] = columns[0][i];
      T[6 * i + 3 + k] = columns[1][i];
    }
  }
}

// (1 + LOOSE) M - J^T Lambda J, rows and columns of the base; s->Lambda and s->M are set
static void
base_inertia(stance_t * s, double * X)
{
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      X[6 * i + j] = (1 + LOOSE) * s->M[(s->first + i) * s->model->nv + s->first + j];
    }
  }
  for (int i = 0; i < s->rows; i++) {
    double part[6] = {0};
    for (int k = 0; k < s->rows; k++) {
      for (int j = 0; j < 6; j++) part[j] += s->Lambda[i * s->rows + k] * s->Jb[6 * k + j];
    }
    for (int a = 0; a < 6; a++) {
      for (int b = 0; b < 6; b++) X[6 * a + b] -= s->Jb[6 * i + a] * part[b];
    }
  }
}

static void
multiply6(const double * A, const double * B, bool transposed, double * C)
{
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      C[6 * i + j] = 0;
      for (int k = 0; k < 6; k++)
        C[6 * i + j] += A[6 * i + k] * B[transposed ? 6 * j + k : 6 * k + j];
    }
  }
}

// x with A x = b of a symmetric positive definite matrix
static bool
solve6(const double * A, const double * b, double * x)
{
  static const double floor[6] = {0};
  double L[36];
  if (!mbdi_cholesky(6, A, floor, L)) return false;
  memcpy(x, b, 6 * sizeof *x);
  mbdi_solve_lower(6, L, x);
  mbdi_solve_upper(6, L, x);
  return true;
}

// The wrench of the base that the forces do not give, taken off the acceleration: z is that of the base,
// torques (1 + LOOSE) M S^T z - J^T Lambda J S^T z.
static mbd_status_t
give_way(stance_t * s, const double * X, const double * missing)
{
  const int nv = s->model->nv;
  double z[6];
  if (!solve6(X, missing, z)) return MBD_ERROR_MASSLESS_SUBTREE;
  for (int i = 0; i < nv; i++) {
    for (int k = 0; k < 6; k++) s->tau[i] -= (1 + LOOSE) * s->M[i * nv + s->first + k] * z[k];
  }
  if (s->n == 0) return MBD_OK;
  for (int i = 0; i < s->rows; i++) s->u[i] = mbdi_dot(6, s->Jb + 6 * i, z);
  for (int i = 0; i < s->rows; i++) s->lambda[i] = mbdi_dot(s->rows, s->Lambda + i * s->rows, s->u);
  return add_row_forces(s, s->lambda, s->tau);
}

// forces of the points for the base's rows of tau; what is missing in them, in the base's coordinates
static mbd_status_t
find_forces(stance_t * s, mbd_support_info_t * info)
{
  double T[36], X[36], TX[36], metric[36], w[6], missing[6], rest[6];
  wrench_map(s, T);
  base_inertia(s, X);
  multiply6(T, X, false, TX);
  multiply6(TX, T, true, metric);
  for (int i = 0; i < 6; i++) w[i] = mbdi_dot(6, T + 6 * i, s->tau + s->first);
  info->reached = mbdi_cone_forces(s->npoint, s->cone, w, metric, missing, &info->iterations);
  // back to the base: moments with their length, about its origin
  const mbd_vec3_t force = mbdu_vec3(missing[3], missing[4], missing[5]);
  const mbd_vec3_t moment =
    mbdu_vec3_scale(s->length, mbdu_vec3(missing[0], missing[1], missing[2]));
  info->missing.lin = force;
  info->missing.ang =
    mbdu_vec3_add(moment, mbdu_vec3_cross(mbdu_vec3_sub(s->centre, s->base.p), force));
  const mbd_vec3_t f = mbdu_mat3_tvec(&s->base.R, info->missing.lin);
  const mbd_vec3_t m = mbdu_mat3_tvec(&s->base.R, info->missing.ang);
  rest[0] = f.x, rest[1] = f.y, rest[2] = f.z;
  rest[3] = m.x, rest[4] = m.y, rest[5] = m.z;
  return info->reached ? MBD_OK : give_way(s, X, rest);
}

// tau -= J^T f of the points, and nothing is left on the base
static mbd_status_t
take_forces_off(stance_t * s, mbd_support_info_t * info)
{
  info->normal = 0;
  for (int k = 0, i = 0; k < s->n; k++) {
    mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
    for (int p = 0; p < mbd_support_points(&s->support[k]); p++, i++) {
      const mbd_vec3_t f = s->cone[i].force;
      sum.lin = mbdu_vec3_add(sum.lin, f);
      sum.ang =
        mbdu_vec3_add(sum.ang, mbdu_vec3_cross(offset_of(&s->support[k], &s->X[k].R, p), f));
      info->normal += mbdu_vec3_dot(f, s->cone[i].normal);
    }
    s->wrench[k] = (mbd_wrench_t){s->support[k].frame, MBD_LOCAL_WORLD_ALIGNED, sum};
  }
  const mbd_wrenches_t wrenches = {s->n, s->wrench};
  CHECK(mbd_jacobian_transpose_product(s->model, s->data, &wrenches, s->x));
  for (int k = 0; k < s->model->nv; k++) s->tau[k] -= s->x[k];
  for (int k = 0; k < 6; k++) s->tau[s->first + k] = 0;
  return finite_array(s->tau, s->model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// the acceleration of the torques and forces: of their difference to those that were wanted
static mbd_status_t
find_acceleration(stance_t * s, const double * wanted, const double * qdd)
{
  const int nv = s->model->nv;
  for (int k = 0; k < nv; k++) s->x[k] = s->tau[k] - wanted[k];
  CHECK(mbd_mass_solve(s->model, s->data, s->x, s->x));
  for (int k = 0; qdd && k < nv; k++) s->x[k] += qdd[k];
  return finite_array(s->x, nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static void
write_forces(stance_t * s)
{
  for (int k = 0, i = 0; k < s->n; k++) {
    memset(s->support[k].force, 0, sizeof s->support[k].force);
    for (int p = 0; p < mbd_support_points(&s->support[k]); p++, i++) {
      s->support[k].force[p] = s->cone[i].force;
    }
  }
}

mbd_status_t
mbd_support_torques(
  const mbd_model_t * model, mbd_data_t * data, int base, const double * wanted, const double * qdd,
  int n, mbd_support_t * support, double * work, double * tau, double * qdd_out,
  mbd_support_info_t * info)
{
  stance_t s;
  mbd_support_info_t found = {0};
  CHECK(begin(&s, model, data, base, wanted, qdd, n, support, work, tau));
  CHECK(set_contacts(&s));
  const mbd_tasks_t tasks = tasks_of(&s);
  CHECK(mbd_mass_matrix(model, data, s.M));
  if (n > 0) CHECK(mbd_task_inertia(model, data, &tasks, &REDUNDANT, s.work, s.Lambda, NULL));
  CHECK(keep_at_rest(&s, qdd));
  CHECK(find_forces(&s, &found));
  double * acceleration = s.x;
  if (qdd_out) {
    CHECK(find_acceleration(&s, wanted, qdd));
    memcpy(s.M, s.x, (size_t)model->nv * sizeof *s.x);
    acceleration = s.M;
  }
  CHECK(take_forces_off(&s, &found));
  write_forces(&s);
  memcpy(tau, s.tau, (size_t)model->nv * sizeof *tau);
  if (qdd_out) memcpy(qdd_out, acceleration, (size_t)model->nv * sizeof *qdd_out);
  if (info) *info = found;
  return MBD_OK;
}
