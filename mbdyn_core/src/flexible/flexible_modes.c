// Modes of a model with flexible links: natural frequencies, and the deflection under weight.
#include <math.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "util/dense.h"

static mbd_status_t
check_flexible(const mbd_model_t * model, mbd_data_t * data, uint32_t stage)
{
  CHECK(check_any(model, data, 0));
  if (!model->flexible) return MBD_ERROR_UNSUPPORTED;
  return check_any_dynamics(model, data, stage);
}

//---------- natural frequencies ----------

// stiffness of the modes in a matrix of n rows, of which the last are the modes
static void
put_stiffness(const mbd_model_t * model, int n, double * K)
{
  memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
  for (int p = 0; p < model->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &model->flexible->part[p];
    const int first = n - model->nv + part->v_index, m = part->body->nmode;
    for (int i = 0; i < m; i++) {
      memcpy(K + (first + i) * n + first, part->body->stiffness + i * m, (size_t)m * sizeof *K);
    }
  }
}

// K := L^-1 K L^-T, K symmetric
static void
divide_by_roots(int n, const double * L, double * K)
{
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n; i++) mbdi_solve_lower(n, L, K + i * n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        const double swap = K[i * n + j];
        K[i * n + j] = K[j * n + i], K[j * n + i] = swap;
      }
    }
  }
}

static void
sort(int n, double * x)
{
  for (int i = 1; i < n; i++) {
    const double moved = x[i];
    int j = i;
    for (; j > 0 && x[j - 1] > moved; j--) x[j] = x[j - 1];
    x[j] = moved;
  }
}

mbd_status_t
mbd_flexible_frequencies(const mbd_model_t * model, mbd_data_t * data, bool locked, double * omega)
{
  CHECK(check_flexible(model, data, MBD_STAGE_POSITION));
  if (!omega) return MBD_ERROR_NULL_ARGUMENT;
  const struct mbdi_flexible_data * f = data->work->flexible;
  const int nv = model->nv, n = locked ? model->flexible->nmode : nv, first = nv - n;
  double *M = f->M, *K = f->K, *L = f->K + (size_t)nv * (size_t)nv;
  CHECK(mbd_mass_matrix(model, data, M));
  if (!finite_array(M, nv * nv)) return MBD_ERROR_NOT_FINITE;
  // the modes' part to the front
  for (int i = 0; i < n; i++) {
    memmove(M + i * n, M + (first + i) * nv + first, (size_t)n * sizeof *M);
    f->y[i] = 1e-14 * M[i * n + i];
  }
  if (!mbdi_cholesky(n, M, f->y, L)) return MBD_ERROR_SINGULAR;
  put_stiffness(model, n, K);
  divide_by_roots(n, L, K);
  mbdi_eigen_symmetric(n, K, M);
  for (int i = 0; i < n; i++) omega[i] = sqrt(fmax(0, K[i * (n + 1)]));
  sort(n, omega);
  return finite_array(omega, n) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

//---------- deflection under weight ----------

enum { MOST_STEPS = 30 };

// gravity at the joints of f->q and modal coordinates of f->q, in out
static mbd_status_t
gravity_at(const mbd_model_t * model, mbd_data_t * data, double * out)
{
  CHECK(mbdi_flexible_set_position(model, data, data->work->flexible->q));
  return mbdi_flexible_gravity(model, data, out);
}

// Hessian of the potential energy by the modes, n x n, by differences; its lower half
static mbd_status_t
modal_stiffness(const mbd_model_t * model, mbd_data_t * data, double * H)
{
  const struct mbdi_flexible_data * f = data->work->flexible;
  const int n = model->flexible->nmode, q0 = model->nq - n, v0 = model->nv - n;
  for (int j = 0; j < n; j++) {
    const double kept = f->q[q0 + j], h = 1e-5;
    f->q[q0 + j] = kept + h;
    CHECK(gravity_at(model, data, f->x));
    f->q[q0 + j] = kept - h;
    CHECK(gravity_at(model, data, f->y));
    f->q[q0 + j] = kept;
    for (int i = 0; i < n; i++) H[i * n + j] = (f->x[v0 + i] - f->y[v0 + i]) / (2 * h);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) H[i * n + j] = H[j * n + i] = 0.5 * (H[i * n + j] + H[j * n + i]);
  }
  return MBD_OK;
}

// Newton on the modal rows of mbd_gravity; the next modal coordinates are in f->q
static mbd_status_t
deflect(const mbd_model_t * model, mbd_data_t * data)
{
  const struct mbdi_flexible_data * f = data->work->flexible;
  const int n = model->flexible->nmode, q0 = model->nq - n, v0 = model->nv - n;
  double *g = f->v, *L = f->K, before = HUGE_VAL;
  for (int step = 0; step < MOST_STEPS; step++) {
    CHECK(modal_stiffness(model, data, f->M));
    for (int i = 0; i < n; i++) f->y[i] = 1e-12 * fabs(f->M[i * (n + 1)]);
    if (!mbdi_cholesky(n, f->M, f->y, L)) return MBD_ERROR_SINGULAR;
    CHECK(gravity_at(model, data, g));
    mbdi_solve_lower(n, L, g + v0);
    mbdi_solve_upper(n, L, g + v0);
    double moved = 0, size = 0;
    for (int i = 0; i < n; i++) {
      f->q[q0 + i] -= g[v0 + i];
      moved = fmax(moved, fabs(g[v0 + i]));
      size = fmax(size, fabs(f->q[q0 + i]));
    }
    // as far as rounding lets it
    if (moved <= 1e-14 * size || (moved <= 1e-9 * size && moved >= before)) return MBD_OK;
    before = moved;
  }
  return MBD_ERROR_NO_SOLUTION;
}

mbd_status_t
mbd_flexible_static(const mbd_model_t * model, mbd_data_t * data, double * q)
{
  CHECK(check_flexible(model, data, 0));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  double * moved = data->work->flexible->q;
  const size_t n = (size_t)model->flexible->nmode, q0 = (size_t)model->nq - n;
  memcpy(moved, q, (size_t)model->nq * sizeof *q);
  if (n > 0) CHECK(deflect(model, data));
  CHECK(mbdi_flexible_set_position(model, data, moved));
  memcpy(q + q0, moved + q0, n * sizeof *q);
  return MBD_OK;
}
