// Composite bodies (Alg 4.1, 4.2, 9.3) and sums over all bodies.
#include "mbdyn/inertia.h"

#include <string.h>

#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

mbd_status_t
mbd_composite_inertia(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_any(model, data, 0));
  // a subtree with flexible links is not one rigid body
  if (model->flexible) return MBD_ERROR_UNSUPPORTED;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (stage_any(data, MBD_STAGE_COMPOSITE)) return MBD_OK;
  memcpy(data->R, data->inertia, (size_t)model->nbody * sizeof *data->R);
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int parent = model->body[i].parent;
    if (parent < 0) continue;
    // R_p += phi_k R_k phi_k^T                                                    (4.8)
    const mbd_inertia_t R = mbdu_inertia_to_parent(&data->X_parent[i], &data->R[i]);
    data->R[parent] = mbdu_inertia_add(&data->R[parent], &R);
  }
  stage_set(data, MBD_STAGE_COMPOSITE);
  return MBD_OK;
}

// column k of M: force on the subtree for column k of S, transformed from body to body to the base
static void
mass_matrix_column(const mbd_model_t * model, const mbd_data_t * data, int k, double * M)
{
  const size_t nv = (size_t)model->nv, column = (size_t)k;
  int i = model->dof_body[k];
  mbd_force_t F = mbdu_inertia_mul(&data->R[i], data->S[k]);
  for (;;) {
    const mbd_body_t * body = &model->body[i];
    double y[6];
    joint_project(body, data->S + body->v_index, F, y);
    for (int j = 0; j < body->nv; j++) {
      const size_t row = (size_t)(body->v_index + j);
      M[row * nv + column] = y[j];
      M[column * nv + row] = y[j];
    }
    if (body->parent < 0) return;
    F = mbdu_force_to_parent(&data->X_parent[i], F);
    i = body->parent;
  }
}

mbd_status_t
mbdi_tree_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M)
{
  CHECK(check_dynamics(model, data, 0));
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_composite_inertia(model, data));
  const size_t nv = (size_t)model->nv;
  memset(M, 0, nv * nv * sizeof *M);
  for (int k = 0; k < model->nv; k++) {
    mass_matrix_column(model, data, k, M);
    M[(size_t)k * (nv + 1)] += joint_rotor(data, &model->body[model->dof_body[k]]);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_kinetic_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_VELOCITY));
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  double twice = 0;
  for (int i = 0; i < model->nbody; i++) {
    twice += mbdu_power(mbdu_inertia_mul(&data->inertia[i], data->V[i]), data->V[i]);
  }
  for (int k = 0; k < model->nv; k++) {
    twice += joint_rotor(data, &model->body[model->dof_body[k]]) * data->v[k] * data->v[k];
  }
  if (!finite_array(&twice, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = 0.5 * twice;
  return MBD_OK;
}

// mass and first moment of all moving bodies, in the world
static double
first_moment(const mbd_model_t * model, const mbd_data_t * data, mbd_vec3_t * moment)
{
  double mass = 0;
  *moment = mbdu_vec3(0, 0, 0);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const mbd_inertia_t * M = &data->inertia[i];
    const mbd_placement_t * X = &data->X_world[i];
    mass += M->mass;
    *moment = mbdu_vec3_add(*moment, mbdu_mat3_vec(&X->R, M->h));
    *moment = mbdu_vec3_add(*moment, mbdu_vec3_scale(M->mass, X->p));
  }
  return mass;
}

mbd_status_t
mbdi_tree_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t moment;
  first_moment(model, data, &moment);
  const double sum = -mbdu_vec3_dot(data->gravity, moment);
  if (!finite_array(&sum, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = sum;
  return MBD_OK;
}

mbd_status_t
mbd_center_of_mass(const mbd_model_t * model, mbd_data_t * data, double * mass, mbd_vec3_t * com)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!com) return MBD_ERROR_NULL_ARGUMENT;
  mbd_vec3_t moment;
  const double total = first_moment(model, data, &moment);
  if (!(total > 0)) return MBD_ERROR_MASSLESS_SUBTREE;
  *com = mbdu_vec3_scale(1 / total, moment);
  if (mass) *mass = total;
  return MBD_OK;
}

mbd_status_t
mbdi_tree_centroidal_momentum(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum)
{
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  if (!momentum) return MBD_ERROR_NULL_ARGUMENT;
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  mbd_vec3_t com;
  CHECK(mbd_center_of_mass(model, data, NULL, &com));
  for (int i = 0; i < mbdi_body_count(model); i++) {
    const mbd_force_t h = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    sum = mbdu_force_add(sum, mbdu_force_to_parent(&data->X_world[i], h));
  }
  // from the world's origin to the centre of mass
  sum.ang = mbdu_vec3_sub(sum.ang, mbdu_vec3_cross(com, sum.lin));
  if (!finite_vec3(sum.ang) || !finite_vec3(sum.lin)) return MBD_ERROR_NOT_FINITE;
  *momentum = sum;
  return MBD_OK;
}
