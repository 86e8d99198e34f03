// Mixed dynamics of a model with flexible links: modes are driven by their forces, joints by what the
// caller says. By dense matrices, as the order in which links are eliminated is that of the tree:
//   M_pp qdd_p = tau_p - (M qdd_a + h)_p,  tau_a = (M qdd + h)_a                    (16.2)
#include <math.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "sko/sko_math.h"

static bool
is_active(const mbd_model_t * model, const bool * active, int k)
{
  return k < model->flexible->rigid->nv && active[model->dof_body[k]];
}

// numbers of the passive degrees of freedom of x, one after the other; returns how many
static int
gather_passive(const mbd_model_t * model, const bool * active, const double * x, double * to)
{
  int n = 0;
  for (int k = 0; k < model->nv; k++) {
    if (!is_active(model, active, k)) to[n++] = x[k];
  }
  return n;
}

// M, and L of M_pp = L L^T in K
static mbd_status_t
factor_passive(const mbd_model_t * model, mbd_data_t * data, const bool * active)
{
  struct mbdi_flexible_data * f = data->work->flexible;
  const int nv = model->nv;
  CHECK(mbd_sko_mass_matrix(mbdi_flexible_sko(model, data), f->M));
  double * M_pp = f->K + nv * nv;
  const int n = gather_passive(model, active, f->M, f->y);
  for (int k = 0, row = 0; k < nv; k++) {
    if (is_active(model, active, k)) continue;
    f->y[row] = MBD_SMALLEST_COMPLIANCE * f->M[k * (nv + 1)];
    gather_passive(model, active, f->M + k * nv, M_pp + n * row++);
  }
  return mbdi_cholesky(n, M_pp, f->y, f->K) ? MBD_OK : MBD_ERROR_MASSLESS_SUBTREE;
}

// x_p := M_pp^-1 x_p, zero for active ones; f->y is scratch
static void
solve_passive(const mbd_model_t * model, mbd_data_t * data, const bool * active, double * x)
{
  double * y = data->work->flexible->y;
  const int n = gather_passive(model, active, x, y);
  mbdi_solve_lower(n, data->work->flexible->K, y);
  mbdi_solve_upper(n, data->work->flexible->K, y);
  for (int k = 0, i = 0; k < model->nv; k++) x[k] = is_active(model, active, k) ? 0 : y[i++];
}

// work->qdd from the accelerations of active joints in it and the torques tau of the others; then the
// torques of all in f->v
static mbd_status_t
solve_mixed(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, const mbd_wrenches_t * f_ext,
  const double * tau)
{
  double *qdd = data->work->qdd, *x = data->work->flexible->v;
  CHECK(mbdi_flexible_inverse_dynamics(model, data, NULL, NULL, qdd, f_ext, x));
  for (int k = 0; k < model->nv; k++) x[k] = is_active(model, active, k) ? 0 : tau[k] - x[k];
  solve_passive(model, data, active, x);
  for (int k = 0; k < model->nv; k++) qdd[k] += x[k];
  if (!finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  return mbdi_flexible_inverse_dynamics(model, data, NULL, NULL, qdd, f_ext, x);
}

// accelerations of the active joints to work->qdd, zero elsewhere; false if a given number is not finite
static bool
take_given(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, const double * qdd,
  const double * tau)
{
  bool finite = true;
  for (int k = 0; k < model->nv; k++) {
    const bool given = is_active(model, active, k);
    finite = finite && finite_array(given ? &qdd[k] : &tau[k], 1);
    data->work->qdd[k] = given ? qdd[k] : 0;
  }
  return finite;
}

mbd_status_t
mbdi_flexible_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau)
{
  CHECK(check_mimic(model, data));
  if (!active || !qdd || !tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  if (!take_given(model, data, active, qdd, tau)) return MBD_ERROR_NOT_FINITE;
  CHECK(factor_passive(model, data, active));
  CHECK(solve_mixed(model, data, active, f_ext, tau));
  for (int k = 0; k < model->nv; k++) {
    if (is_active(model, active, k)) {
      tau[k] = data->work->flexible->v[k];
    } else {
      qdd[k] = data->work->qdd[k];
    }
  }
  return MBD_OK;
}

//---------- what active joints do to the rest ----------

static mbd_status_t
prepare(const mbd_model_t * model, mbd_data_t * data, const bool * active, const double * out)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!active || !out) return MBD_ERROR_NULL_ARGUMENT;
  return factor_passive(model, data, active);
}

// accelerations of the passive ones in f->v for a unit acceleration of active degree of freedom j
static const double *
unit_acceleration(const mbd_model_t * model, mbd_data_t * data, const bool * active, int j)
{
  const struct mbdi_flexible_data * f = data->work->flexible;
  for (int k = 0; k < model->nv; k++) f->v[k] = -f->M[k * model->nv + j];
  solve_passive(model, data, active, f->v);
  return f->v;
}

mbd_status_t
mbdi_flexible_disturbance_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J_D)
{
  CHECK(prepare(model, data, active, J_D));
  const size_t nv = (size_t)model->nv;
  memset(J_D, 0, nv * nv * sizeof *J_D);
  for (int j = 0; j < model->nv; j++) {
    if (!is_active(model, active, j)) continue;
    const double * x = unit_acceleration(model, data, active, j);
    for (size_t k = 0; k < nv; k++) J_D[k * nv + (size_t)j] = x[k];
  }
  return MBD_OK;
}

// J_a + J_p J_D in the place of J
static void
let_passive_give_way(const mbd_model_t * model, mbd_data_t * data, const bool * active, double * J)
{
  const int nv = model->nv;
  for (int j = 0; j < nv; j++) {
    if (!is_active(model, active, j)) continue;
    const double * x = unit_acceleration(model, data, active, j);
    for (int r = 0; r < 6; r++) {
      for (int k = 0; k < nv; k++) J[r * nv + j] += x[k] * J[r * nv + k];
    }
  }
  for (int k = 0; k < 6 * nv; k++) {
    if (!is_active(model, active, k % nv)) J[k] = 0;
  }
}

mbd_status_t
mbdi_flexible_generalized_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const bool * active, int frame,
  mbd_reference_t reference, double * J_G)
{
  CHECK(check_frame(model, frame, reference));
  CHECK(prepare(model, data, active, J_G));
  CHECK(mbdi_flexible_jacobian(model, data, frame, reference, J_G));
  let_passive_give_way(model, data, active, J_G);
  return MBD_OK;
}
