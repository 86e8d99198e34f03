// Momentum of the joints (Ex 4.7) and of the whole robot (Ex 4.1).
#include "mbdyn/dynamics/momentum.h"

#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

mbd_status_t
mbdi_tree_momentum(const mbd_model_t * model, mbd_data_t * data, double * p)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!p) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < model->nbody; i++) {
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
  }
  model->internal->engine->gather_forces(model, data, data->work->F, p);
  for (int k = 0; k < model->nv; k++) {
    p[k] += joint_rotor(data, &model->body[model->dof_body[k]]) * data->v[k];
  }
  return MBD_OK;
}

// generalised forces other than C^T v: torques, wrenches, weight, friction; into nu, scratch in x
static mbd_status_t
applied_forces(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext)
{
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  // first: by kernel where the stages are deferred
  CHECK(mbd_gravity(model, data, data->work->nu));
  for (int k = 0; k < model->nv; k++) data->work->nu[k] = (tau ? tau[k] : 0) - data->work->nu[k];
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, -1, data->work->nu);
  if (!f_ext || f_ext->n == 0) return MBD_OK;
  CHECK(mbd_jacobian_transpose_product(model, data, f_ext, data->work->x));
  for (int k = 0; k < model->nv; k++) data->work->nu[k] += data->work->x[k];
  return MBD_OK;
}

mbd_status_t
mbdi_tree_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot)
{
  if (!pdot) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(applied_forces(model, data, tau, f_ext));
  CHECK(mbd_coriolis_transpose_product(model, data, pdot));
  for (int k = 0; k < model->nv; k++) pdot[k] += data->work->nu[k];
  return MBD_OK;
}

mbd_status_t
mbdi_tree_momentum_and_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot)
{
  CHECK(applied_forces(model, data, tau, NULL));
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  mbdi_momentum_sweep(model, data, p, pdot);
  for (int k = 0; k < model->nv; k++) {
    p[k] += joint_rotor(data, &model->body[model->dof_body[k]]) * data->v[k];
    pdot[k] += data->work->nu[k];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!rates) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_jacobian_transpose_product(model, data, f_ext, data->work->nu));
  const int nv = model->nv;
  mbd_energy_rates_t out = {0};
  out.external = mbdi_dot(nv, data->work->nu, data->v);
  out.actuation = tau ? mbdi_dot(nv, tau, data->v) : 0;
  if (data->terms & MBD_TERM_FRICTION) {
    memset(data->work->nu, 0, (size_t)nv * sizeof *data->work->nu);
    mbdi_add_friction(model, data->v, 1, data->work->nu);
    out.friction = mbdi_dot(nv, data->work->nu, data->v);
  }
  CHECK(mbd_gravity(model, data, data->work->nu));
  out.potential = mbdi_dot(nv, data->work->nu, data->v);
  out.kinetic = out.actuation + out.external - out.friction - out.potential;
  *rates = out;
  return MBD_OK;
}

//---------- the whole robot ----------

mbd_status_t
mbdi_tree_centroidal_matrix(const mbd_model_t * model, mbd_data_t * data, double * A)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!A) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t com;
  CHECK(mbd_center_of_mass(model, data, NULL, &com));
  CHECK(mbd_composite_inertia(model, data));
  const size_t nv = (size_t)model->nv;
  for (int k = 0; k < model->nv; k++) {
    const int i = model->dof_body[k];
    // momentum of the subtree per unit rate, moved to the centre of mass         (4.14)
    mbd_force_t h = mbdu_inertia_mul(&data->R[i], data->S[k]);
    h = mbdu_force_to_parent(&data->X_world[i], h);
    h.ang = mbdu_vec3_sub(h.ang, mbdu_vec3_cross(com, h.lin));
    const double numbers[6] = {h.ang.x, h.ang.y, h.ang.z, h.lin.x, h.lin.y, h.lin.z};
    for (size_t row = 0; row < 6; row++) A[row * nv + (size_t)k] = numbers[row];
  }
  return MBD_OK;
}

mbd_status_t
mbd_centroidal_bias(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * bias)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!bias) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t com;
  CHECK(mbd_center_of_mass(model, data, NULL, &com));
  model->internal->engine->bias_stage(model, data);
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const mbd_force_t f = mbdi_body_force(data, i, data->A_bias[i]);
    sum = mbdu_force_add(sum, mbdu_force_to_parent(&data->X_world[i], f));
  }
  // about the centre of mass the rate of angular momentum equals the external moment
  sum.ang = mbdu_vec3_sub(sum.ang, mbdu_vec3_cross(com, sum.lin));
  *bias = sum;
  return MBD_OK;
}

// x with A x = b for a symmetric positive definite 3 x 3 matrix; false if it is singular
static bool
solve_sym3(const mbd_sym3_t * A, mbd_vec3_t b, mbd_vec3_t * x)
{
  const mbd_vec3_t r0 = mbdu_vec3(A->xx, A->xy, A->xz), r1 = mbdu_vec3(A->xy, A->yy, A->yz),
                   r2 = mbdu_vec3(A->xz, A->yz, A->zz);
  const mbd_vec3_t c0 = mbdu_vec3_cross(r1, r2), c1 = mbdu_vec3_cross(r2, r0),
                   c2 = mbdu_vec3_cross(r0, r1);
  const double det = mbdu_vec3_dot(r0, c0), trace = A->xx + A->yy + A->zz;
  if (!(det > 1e-15 * trace * trace * trace)) return false;
  *x = mbdu_vec3_scale(
    1 / det,
    mbdu_vec3_add(
      mbdu_vec3_scale(b.x, c0), mbdu_vec3_add(mbdu_vec3_scale(b.y, c1), mbdu_vec3_scale(b.z, c2))));
  return true;
}

// velocity at the centre of mass, in the same axes, of a rigid body with this inertia and momentum
static mbd_status_t
velocity_of(const mbd_inertia_t * M, mbd_force_t h, mbd_motion_t * V)
{
  if (!(M->mass > 0)) return MBD_ERROR_MASSLESS_SUBTREE;
  const mbd_vec3_t com = mbdu_vec3_scale(1 / M->mass, M->h);
  const mbd_sym3_t I = mbdu_inertia_about_com(M);
  const mbd_vec3_t spin = mbdu_vec3_sub(h.ang, mbdu_vec3_cross(com, h.lin));
  if (!solve_sym3(&I, spin, &V->ang)) return MBD_ERROR_SINGULAR;
  V->lin = mbdu_vec3_scale(1 / M->mass, h.lin);
  return MBD_OK;
}

mbd_status_t
mbd_average_velocity(const mbd_model_t * model, mbd_data_t * data, mbd_motion_t * V)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!V) return MBD_ERROR_NULL_ARGUMENT;
  mbd_inertia_t total = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  mbd_force_t h = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const mbd_placement_t * X = &data->X_world[i];
    const mbd_inertia_t M = mbdu_inertia_to_parent(X, &data->inertia[i]);
    total = mbdu_inertia_add(&total, &M);
    h = mbdu_force_add(h, mbdu_force_to_parent(X, mbdu_inertia_mul(&data->inertia[i], data->V[i])));
  }
  mbd_motion_t found;
  CHECK(velocity_of(&total, h, &found));
  *V = found;
  return MBD_OK;
}

mbd_status_t
mbd_com_jacobian(const mbd_model_t * model, mbd_data_t * data, double * J)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t com;
  double mass, *A = data->work->E;
  CHECK(mbd_center_of_mass(model, data, &mass, &com));
  // velocity of the centre of mass: linear momentum over mass
  CHECK(mbd_centroidal_matrix(model, data, A));
  for (int k = 0; k < 3 * model->nv; k++) J[k] = A[3 * model->nv + k] / mass;
  return MBD_OK;
}

mbd_status_t
mbd_momentum_nulling(const mbd_model_t * model, mbd_data_t * data, int body, double * v)
{
  CHECK(check_any(model, data, 0));
  if (model->flexible) return MBD_ERROR_UNSUPPORTED;
  CHECK(check_any_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!v) return MBD_ERROR_NULL_ARGUMENT;
  if (body < 0 || body >= model->nbody) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_body_t * base = &model->body[body];
  if (base->parent >= 0 || base->type != MBD_JOINT_FREE) return MBD_ERROR_BAD_ARGUMENT;
  // a loop through the world constrains the base
  if (
    model->internal->engine->is_free_base && !model->internal->engine->is_free_base(model, body)) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  CHECK(mbd_composite_inertia(model, data));
  // momentum of the tree about the base, in the base's frame
  for (int i = body; i < base->subtree_end; i++) {
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
  }
  for (int i = base->subtree_end - 1; i > body; i--) {
    const int parent = model->body[i].parent;
    data->work->F[parent] = mbdu_force_add(
      data->work->F[parent], mbdu_force_to_parent(&data->X_parent[i], data->work->F[i]));
  }
  mbd_motion_t average;
  CHECK(velocity_of(&data->R[body], data->work->F[body], &average));
  // from the centre of mass to the base
  const mbd_vec3_t com = mbdu_vec3_scale(1 / data->R[body].mass, data->R[body].h);
  average.lin = mbdu_vec3_add(average.lin, mbdu_vec3_cross(com, average.ang));

  memcpy(v, data->v, (size_t)model->nv * sizeof *v);
  double * part = v + base->v_index;
  part[0] -= average.lin.x, part[1] -= average.lin.y, part[2] -= average.lin.z;
  part[3] -= average.ang.x, part[4] -= average.ang.y, part[5] -= average.ang.z;
  return MBD_OK;
}
