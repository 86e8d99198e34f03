// Singular values of a task's Jacobian by one-sided Jacobi rotations, and the sign of its determinant.
#include "singularity.h"

#include <math.h>
#include <string.h>

#define CHECK(call)                        \
  do {                                     \
    const mbd_status_t status_ = (call);   \
    if (status_ != MBD_OK) return status_; \
  } while (0)

//---------- rows and columns ----------

mbd_task_t
singularity_task(int frame, const bool row[6])
{
  mbd_task_t task = mbdu_task_frame(frame, MBD_LOCAL_WORLD_ALIGNED);
  memset(task.row, 0, sizeof task.row);
  task.nrow = 0;
  // the core has the angular ones first
  for (int k = 0; k < 6; k++) {
    if (row[k]) task.row[task.nrow++][(k + 3) % 6] = 1;
  }
  return task;
}

double
singularity_length(const mbd_model_t * model, int frame)
{
  const mbd_frame_t * f = &model->frame[frame];
  double sum = mbdu_vec3_norm(f->X.p);
  for (int i = f->body; i >= 0; i = model->body[i].parent) {
    // where the first joint is does not matter
    if (model->body[i].parent >= 0) sum += mbdu_vec3_norm(model->body[i].X_tree.p);
  }
  return sum > 0 ? sum / 3 : 1;
}

// whether a degree of freedom can move a task; with closed loops all can
static bool
moves(const mbd_model_t * model, const mbd_tasks_t * tasks, int dof)
{
  const int i = model->dof_body[dof];
  for (int t = 0; t < tasks->n && !model->tree; t++) {
    const int tip = model->frame[tasks->t[t].frame].body;
    if (i <= tip && tip < model->body[i].subtree_end) return true;
  }
  return model->tree;
}

static bool
is_linear(const mbd_task_t * task, int row)
{
  const double * r = task->row[row];
  return r[0] == 0 && r[1] == 0 && r[2] == 0;
}

int
singularity_columns(const mbd_model_t * model, const mbd_tasks_t * tasks)
{
  int n = 0;
  for (int k = 0; k < model->nv; k++) n += moves(model, tasks, k);
  return n;
}

size_t
singularity_work(const mbd_model_t * model, const mbd_tasks_t * tasks)
{
  const size_t m = (size_t)mbd_task_rows(tasks), nv = (size_t)model->nv;
  // J, a copy of it, q and a step, left singular vectors
  return 2 * m * nv + (size_t)model->nq + nv + m * m;
}

// J of the columns that count, row-major m x n, positions divided by the length
static mbd_status_t
weighted_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  double * J, int * n)
{
  const int nv = model->nv;
  CHECK(mbd_task_jacobian(model, data, tasks, J));
  *n = singularity_columns(model, tasks);
  double * to = J;
  for (int t = 0, row = 0; t < tasks->n; t++) {
    for (int r = 0; r < tasks->t[t].nrow; r++, row++) {
      const double weight = is_linear(&tasks->t[t], r) ? 1 / length : 1;
      for (int k = 0; k < nv; k++) {
        const double x = weight * J[row * nv + k];
        if (!isfinite(x)) return MBD_ERROR_NOT_FINITE;
        // never ahead of what is still to be read
        if (moves(model, tasks, k)) *to++ = x;
      }
    }
  }
  return MBD_OK;
}

//---------- singular values and determinant ----------

// rotates two vectors in their plane
static void
rotate(double * x, double * y, int length, int stride, double c, double s)
{
  for (int i = 0; i < length * stride; i += stride) {
    const double xi = x[i];
    x[i] = c * xi - s * y[i];
    y[i] = s * xi + c * y[i];
  }
}

// one plane rotation makes vectors x and y orthogonal; false if they were
static bool
orthogonalise(double * x, double * y, int length, int stride, double * c, double * s)
{
  double xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < length * stride; i += stride) {
    xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
  }
  if (fabs(xy) <= 1e-15 * sqrt(xx * yy) || xy == 0) return false;
  const double zeta = (yy - xx) / (2 * xy);
  const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  *c = 1 / sqrt(1 + t * t), *s = *c * t;
  rotate(x, y, length, stride, *c, *s);
  return true;
}

static int
largest(const double * x, int n)
{
  int at = 0;
  for (int i = 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[at])) at = i;
  }
  return at;
}

// smallest by largest singular value of A, m x n, which is overwritten: rows, or if there are fewer columns,
// columns are made orthogonal (Hestenes 1958). Bounded: 30 sweeps, of which it takes five or six. U, m x m,
// gets the left singular vectors if rows are; the largest element of that of the smallest singular value is
// the row that is lost
static double
reciprocal_condition(double * A, int m, int n, double * U, int * lost)
{
  const bool rows = m <= n;
  const int k = rows ? m : n, length = rows ? n : m;
  const int stride = rows ? 1 : n, next = rows ? n : 1;
  bool again = true;
  memset(U, 0, (size_t)(m * m) * sizeof *U);
  for (int i = 0; i < m; i++) U[i * m + i] = 1;
  for (int sweep = 0; again && sweep < 30; sweep++) {
    again = false;
    for (int i = 1; i < k; i++) {
      for (int j = 0; j < i; j++) {
        double c, s;
        if (!orthogonalise(A + i * next, A + j * next, length, stride, &c, &s)) continue;
        if (rows) rotate(U + i * m, U + j * m, m, 1, c, s);
        again = true;
      }
    }
  }
  double low = HUGE_VAL, high = 0;
  *lost = -1;
  for (int i = 0; i < k; i++) {
    double sum = 0;
    for (int j = 0; j < length; j++) sum += A[i * next + j * stride] * A[i * next + j * stride];
    if (sum < low && rows) *lost = largest(U + i * m, m);
    low = fmin(low, sum), high = fmax(high, sum);
  }
  return high > 0 ? sqrt(low / high) : 0;
}

// sign of det A, n x n, which is overwritten: Gaussian elimination with row pivoting
static int
determinant_sign(double * A, int n)
{
  int sign = 1;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
    }
    if (A[pivot * n + k] == 0) return 0;
    for (int j = k; pivot != k && j < n; j++) {
      const double x = A[k * n + j];
      A[k * n + j] = A[pivot * n + j];
      A[pivot * n + j] = x;
    }
    if (pivot != k) sign = -sign;
    if (A[k * n + k] < 0) sign = -sign;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
    }
  }
  return sign;
}

mbd_status_t
singularity_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  double * work, singularity_t * out)
{
  const int m = mbd_task_rows(tasks);
  double *J = work, *copy = J + m * model->nv, *U = copy + m * model->nv + model->nq + model->nv;
  int n;
  CHECK(weighted_jacobian(model, data, tasks, length, J, &n));
  memcpy(copy, J, (size_t)(m * n) * sizeof *J);
  *out = (singularity_t){.row = -1, .nearest = -1};
  if (m > 0 && n > 0) out->reciprocal = reciprocal_condition(copy, m, n, U, &out->row);
  // below this the sign is that of rounding errors
  if (m == n && m > 0 && out->reciprocal > 1e-13) out->sign = determinant_sign(J, n);
  return MBD_OK;
}

mbd_status_t
singularity_nearest(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  const double * q, double * work, singularity_t * out)
{
  const double step = 1e-5;
  double * moved = work + 2 * mbd_task_rows(tasks) * model->nv;
  double * v = moved + model->nq;
  singularity_t s, here;
  CHECK(mbd_set_position(model, data, q));
  CHECK(singularity_measure(model, data, tasks, length, work, &here));
  memset(v, 0, (size_t)model->nv * sizeof *v);
  for (int k = 0; k < model->nv; k++) {
    if (!moves(model, tasks, k)) continue;
    v[k] = 1;
    CHECK(mbd_integrate(model, q, v, step, moved));
    v[k] = 0;
    CHECK(mbd_set_position(model, data, moved));
    CHECK(singularity_measure(model, data, tasks, length, work, &s));
    const double rate = (s.reciprocal - here.reciprocal) / step;
    // a joint that does not change it does so only to rounding
    if (fabs(rate) > fmax(fabs(here.rate), 1e-7)) here.nearest = k, here.rate = rate;
  }
  *out = here;
  return mbd_set_position(model, data, q);
}

//---------- sides ----------

// row k of B made orthogonal to the rows before it and of length 1, twice for rounding; its length before
static double
orthonormal(double * B, int n, int k)
{
  double *x = B + k * n, length = 0;
  for (int pass = 0; pass < 2; pass++) {
    double before = 0, sum = 0;
    for (int i = 0; i < n; i++) before += x[i] * x[i];
    for (int j = 0; j < k; j++) {
      double dot = 0;
      for (int i = 0; i < n; i++) dot += B[j * n + i] * x[i];
      for (int i = 0; i < n; i++) x[i] -= dot * B[j * n + i];
    }
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    if (pass == 0) length = before > 0 ? sqrt(sum / before) : 0;
    if (!(sum > 0)) return 0;
    for (int i = 0; i < n; i++) x[i] /= sqrt(sum);
  }
  return length;
}

// the unit vector that is furthest from the rows before row k
static void
complete(double * B, int n, int k)
{
  int best = 0;
  double most = -1;
  for (int e = 0; e < n; e++) {
    double left = 1;
    for (int j = 0; j < k; j++) left -= B[j * n + e] * B[j * n + e];
    if (left > most) most = left, best = e;
  }
  memset(B + k * n, 0, (size_t)n * sizeof *B);
  B[k * n + best] = 1;
}

mbd_status_t
singularity_side(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  bool begin, double * N, double * work, int * side, double * volume)
{
  const double least = 1e-9;  // relative length of what a row has beyond the others: rounding
  const int m = mbd_task_rows(tasks);
  double *B = work, *copy = B + model->nv * model->nv;
  int n;
  *side = 0;
  *volume = 0;
  CHECK(weighted_jacobian(model, data, tasks, length, copy, &n));
  if (m > n || m == 0) return MBD_OK;
  memcpy(B, copy, (size_t)(m * n) * sizeof *B);
  memcpy(B + m * n, N, (size_t)((n - m) * n) * sizeof *B);
  double all = 1;
  for (int k = 0; k < n; k++) {
    if (k >= m && begin) complete(B, n, k);
    const double beyond = orthonormal(B, n, k);
    if (!(beyond > least)) return MBD_OK;
    if (k < m) all *= beyond;
  }
  *volume = all;
  // lengths were positive: the sign is that of [J; N]
  memcpy(N, B + m * n, (size_t)((n - m) * n) * sizeof *B);
  *side = determinant_sign(B, n);
  if (begin && n > m && *side < 0) {
    for (int i = 0; i < n; i++) N[i] = -N[i];
    *side = 1;
  }
  return MBD_OK;
}
