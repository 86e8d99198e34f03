// Energy, momentum and the Coriolis matrix of a model with flexible links: sums over bodies and nodes.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/inertia.h"
#include "model/joint.h"
#include "tree/tree.h"
#include "tree/velocity_matrix.h"

//---------- energy ----------

mbd_status_t
mbdi_flexible_kinetic_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbdi_flexible_mass_product(model, data, data->v, data->work->x));
  const double T = 0.5 * mbdi_dot(model->nv, data->work->x, data->v);
  if (!finite_array(&T, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = T;
  return MBD_OK;
}

static double
strain_energy(const mbd_model_t * model, const mbd_data_t * data)
{
  double twice = 0;
  for (int p = 0; p < model->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &model->flexible->part[p];
    const double * eta = data->q + part->q_index;
    const int m = part->body->nmode;
    for (int i = 0; i < m; i++) twice += eta[i] * mbdi_dot(m, part->body->stiffness + i * m, eta);
  }
  return 0.5 * twice;
}

mbd_status_t
mbd_flexible_strain_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  CHECK(check_any(model, data, 0));
  if (!model->flexible) return MBD_ERROR_UNSUPPORTED;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  const double sum = strain_energy(model, data);
  if (!finite_array(&sum, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = sum;
  return MBD_OK;
}

// of the weight and the strain, so that its gradient is what mbd_gravity returns
mbd_status_t
mbdi_flexible_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  double sum;
  CHECK(mbdi_tree_potential_energy(model, data, &sum));
  sum += strain_energy(model, data);
  if (!finite_array(&sum, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = sum;
  return MBD_OK;
}

//---------- momentum ----------

mbd_status_t
mbdi_flexible_momentum(const mbd_model_t * model, mbd_data_t * data, double * p)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!p) return MBD_ERROR_NULL_ARGUMENT;
  return mbdi_flexible_mass_product(model, data, data->v, p);
}

// damping of the modes is friction, always

mbd_status_t
mbdi_flexible_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot)
{
  CHECK(mbdi_tree_momentum_rate(model, data, tau, f_ext, pdot));
  mbdi_flexible_add_springs(model, NULL, data->v, -1, pdot);
  return MBD_OK;
}

mbd_status_t
mbdi_flexible_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates)
{
  CHECK(mbdi_tree_energy_rates(model, data, tau, f_ext, rates));
  double * x = data->work->flexible->x;
  memset(x, 0, (size_t)model->nv * sizeof *x);
  mbdi_flexible_add_springs(model, NULL, data->v, 1, x);
  const double damping = mbdi_dot(model->nv, x, data->v);
  rates->friction += damping;
  rates->kinetic -= damping;
  return MBD_OK;
}

// momentum about the centre of mass by unit velocity k
static mbd_force_t
unit_momentum(const mbd_model_t * model, mbd_data_t * data, size_t k, mbd_vec3_t com)
{
  double * e = data->work->flexible->x;
  memset(e, 0, (size_t)model->nv * sizeof *e);
  e[k] = 1;
  mbdi_flexible_motions(model, data, e, data->work->W, NULL);
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const mbd_force_t h = mbdu_inertia_mul(&data->inertia[i], data->work->W[i]);
    sum = mbdu_force_add(sum, mbdu_force_to_parent(&data->X_world[i], h));
  }
  sum.ang = mbdu_vec3_sub(sum.ang, mbdu_vec3_cross(com, sum.lin));
  return sum;
}

mbd_status_t
mbdi_flexible_centroidal_matrix(const mbd_model_t * model, mbd_data_t * data, double * A)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!A) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t com;
  CHECK(mbd_center_of_mass(model, data, NULL, &com));
  const size_t nv = (size_t)model->nv;
  for (size_t k = 0; k < nv; k++) {
    const mbd_force_t h = unit_momentum(model, data, k, com);
    const double number[6] = {h.ang.x, h.ang.y, h.ang.z, h.lin.x, h.lin.y, h.lin.z};
    for (size_t row = 0; row < 6; row++) A[row * nv + k] = number[row];
  }
  return MBD_OK;
}

//---------- Coriolis matrix ----------

// y = C x = sum_k J_k^T (M_k dJ_k/dt + B_k J_k) x
void
mbdi_flexible_coriolis_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  mbd_motion_t * dW = (mbd_motion_t *)(void *)data->work->B;
  mbdi_flexible_motions(model, data, x, data->work->W, dW);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const velocity_matrix_t B = velocity_matrix(1, &data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_force_add(
      mbdu_inertia_mul(&data->inertia[i], dW[i]), velocity_matrix_mul(&B, data->work->W[i]));
  }
  mbdi_flexible_gather_forces(model, data, data->work->F, y);
}

// y = C^T x = sum_k (dJ_k/dt^T M_k + J_k^T B_k^T) J_k x
void
mbdi_flexible_coriolis_product_transpose(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  const struct mbdi_flexible_layout * layout = model->flexible->layout;
  mbd_force_t * G = (mbd_force_t *)(void *)data->work->B;
  mbdi_flexible_motions(model, data, x, data->work->W, NULL);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const velocity_matrix_t B = velocity_matrix(1, &data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->work->W[i]);
    G[i] = velocity_matrix_tmul(&B, data->work->W[i]);
  }
  // leaves momenta of all that each carries in F
  mbdi_flexible_gather_forces(model, data, data->work->F, y);
  mbdi_flexible_gather_forces(model, data, G, y);
  for (int k = 0; k < layout->ncarrier; k++) {
    const mbdi_carrier_t * c = &layout->carrier[k];
    for (int j = 0; j < c->n; j++) {
      y[c->dof + j] += mbdu_power(data->work->F[c->body], data->work->flexible->rate[c->body][j]);
    }
  }
}
