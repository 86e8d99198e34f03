#include "inertia_shaping.h"

#include <math.h>
#include <string.h>

//---------- triangular matrices ----------

// A = L L^T; false if A is not positive definite to rounding
static bool
cholesky(int n, const double * A, double * L)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 1e-13 * A[i * n + i])) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  }
  return true;
}

// x = L^-1 x, elements of x `stride` apart
static void
solve(int n, const double * L, double * x, int stride)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i * stride] -= L[i * n + k] * x[k * stride];
    x[i * stride] /= L[i * n + i];
  }
}

// x = L^-T x
static void
solve_transposed(int n, const double * L, double * x, int stride)
{
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i * stride] -= L[k * n + i] * x[k * stride];
    x[i * stride] /= L[i * n + i];
  }
}

//---------- shaping ----------

size_t
inertia_work(void)
{
  return impedance_work(INERTIA_ROWS);
}

void
inertia_init(inertia_shaping_t * s, double * work)
{
  *s = (inertia_shaping_t){.limited = -1};
  impedance_init(&s->modes, INERTIA_ROWS, work);
}

static double
wanted_compliance(int n, const double * omega, const double * wanted, int i, int j)
{
  if (wanted[i] > 0 || wanted[j] > 0) return i == j ? 1 / wanted[i] : 0;
  return omega[i * n + j];
}

// the coordinate of a mode that is to have another inertia, which the mode moves most
static int
place_of(const inertia_shaping_t * s, const double * omega, const double * wanted, int mode)
{
  const int n = s->modes.n;
  double most = -1;
  int place = -1;
  for (int i = 0; i < n; i++) {
    const double x = fabs(s->right[i * n + mode]) / sqrt(omega[i * n + i]);
    if (wanted[i] > 0 && x > most) most = x, place = i;
  }
  return place;
}

// factors of the modes, and left = L^-T U, right = L U
static void
bound_modes(inertia_shaping_t * s, const double * omega, const double * wanted)
{
  const int n = s->modes.n;
  const double * U = s->modes.S;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k <= i; k++) sum += s->L[i * n + k] * U[k * n + j];
      s->right[i * n + j] = sum;
      s->left[i * n + j] = U[i * n + j];
    }
    solve_transposed(n, s->L, s->left + j, n);
    // bounded, then faded: near a singularity it has no bound
    const double lighter = s->modes.omega[j] * s->modes.omega[j];
    s->factor[j] = 1 + s->share * (fmin(lighter, INERTIA_MOST) - 1);
    if (lighter > INERTIA_MOST && s->share >= 1) s->limited = place_of(s, omega, wanted, j);
  }
}

bool
inertia_shape(
  inertia_shaping_t * s, int n, const double * omega, const double * wanted, double share)
{
  static const double one[INERTIA_ROWS] = {1, 1, 1, 1, 1, 1};
  double B[36];
  s->share = share;
  s->limited = -1;
  if (n < 1 || n > INERTIA_ROWS || !cholesky(n, omega, s->L)) return false;
  if (n != s->modes.n) s->changed = false;
  if (n != s->modes.n) impedance_init(&s->modes, n, s->modes.S);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) B[i * n + j] = wanted_compliance(n, omega, wanted, i, j);
  }
  for (int j = 0; j < n; j++) solve(n, s->L, B + j, n);
  for (int i = 0; i < n; i++) solve(n, s->L, B + i * n, 1);
  impedance_modes(&s->modes, B, one);
  bound_modes(s, omega, wanted);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0, inverse = 0;
      for (int k = 0; k < n; k++) {
        sum += s->right[i * n + k] * s->factor[k] * s->right[j * n + k];
        inverse += s->left[i * n + k] / s->factor[k] * s->left[j * n + k];
      }
      s->compliance[i * n + j] = sum;
      s->rate[i * n + j] = inverse - s->now[i * n + j];
      s->now[i * n + j] = inverse;
    }
  }
  s->known = true;
  return true;
}

void
inertia_times(const inertia_shaping_t * s, const double * x, double * y)
{
  const int n = s->modes.n;
  memmove(y, x, (size_t)n * sizeof *y);
  solve(n, s->L, y, 1);
  solve_transposed(n, s->L, y, 1);
}

void
inertia_gain(const inertia_shaping_t * s, const double * x, double * y)
{
  const int n = s->modes.n;
  double z[INERTIA_ROWS] = {0};
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) z[j] += s->right[i * n + j] * x[i];
    z[j] *= s->factor[j] - 1;
  }
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += s->left[i * n + j] * z[j];
  }
}

void
inertia_change(const inertia_shaping_t * s, double dt, const double * x, double * y)
{
  const int n = s->modes.n;
  double z[INERTIA_ROWS] = {0};
  for (int i = 0; i < n && s->changed && dt > 0; i++) {
    for (int j = 0; j < n; j++) z[i] += s->rate[i * n + j] * x[j] / dt;
  }
  memcpy(y, z, (size_t)n * sizeof *y);
}

//---------- the robot's own ----------

static const int SAMPLES = 32;

// the way from q0 to configuration number n: multiples of the golden ratio fill an interval evenly
static void
way_to_sample(const mbd_model_t * model, const double * q0, int n, double * v)
{
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const mbd_limits_t * limit = &body->limits;
    const double part = fmod((n + 0.5) * 0.6180339887498949 * (k + 1), 1);
    const bool bounded = body->nv == 1 && isfinite(limit->lower) && isfinite(limit->upper);
    v[k] = bounded ? limit->lower + part * (limit->upper - limit->lower) - q0[body->q_index]
                   : 3 * (part - 0.5);
  }
}

mbd_status_t
inertia_natural(
  const mbd_model_t * model, mbd_data_t * data, const mbd_task_t * task, double * work,
  double range[2][2])
{
  double *q0 = work, *q = q0 + model->nq, *v = q + model->nq, omega[36];
  const mbd_tasks_t tasks = {1, task};
  for (int i = 0; i < 2; i++) range[i][0] = HUGE_VAL, range[i][1] = 0;
  mbd_status_t status = mbd_neutral(model, q0);
  for (int n = 0; n < SAMPLES && status == MBD_OK; n++) {
    way_to_sample(model, q0, n, v);
    status = mbd_integrate(model, q0, v, 1, q);
    // loops cannot be closed everywhere
    if (status != MBD_OK || mbd_set_position(model, data, q) != MBD_OK) continue;
    status = mbd_task_compliance(model, data, &tasks, omega);
    for (int i = 0; i < task->nrow && status == MBD_OK; i++) {
      const double * row = task->row[i];
      const int kind = row[0] != 0 || row[1] != 0 || row[2] != 0;
      const double inertia = 1 / omega[i * (task->nrow + 1)];
      if (!isfinite(inertia)) continue;
      range[kind][0] = fmin(range[kind][0], inertia);
      range[kind][1] = fmax(range[kind][1], inertia);
    }
  }
  return status;
}
