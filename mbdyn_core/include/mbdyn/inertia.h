/// \file inertia.h
/// Mass matrix, composite inertias, energy, centre of mass and centroidal momentum.
///
///   mbd_mass_matrix         M(q) by composite rigid bodies   Jain (4.19)
///   mbd_composite_inertia   stage: inertia of every subtree  Jain (4.8)
///   mbd_kinetic_energy      1/2 v^T M v, in one sweep        Jain (4.2)
///   mbd_potential_energy    - sum m g . c
///   mbd_center_of_mass      centre of mass of all moving bodies, in the world
///   mbd_centroidal_momentum momentum about the centre of mass, world axes
#ifndef MBDYN__INERTIA_H_
#define MBDYN__INERTIA_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Mass matrix, with reflected rotor inertia if selected by mbd_set_terms.
/// \param[out] M  row-major nv x nv, both triangles; zero between bodies on different branches
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_MIMIC
///
/// Complexity O(N^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M);

/// Composite rigid-body inertia of every subtree in its body frame: data->R. Needs the position stage.
///   R_k = M_k + sum over children phi_j R_j phi_j^T                    Jain (4.8)
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_composite_inertia(const mbd_model_t * model, mbd_data_t * data);

/// Kinetic energy of the rigid bodies [J], plus that of the rotors if selected by mbd_set_terms. Needs
/// the velocity stage.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_kinetic_energy(const mbd_model_t * model, mbd_data_t * data, double * energy);

/// Potential energy of all moving bodies in the workspace's gravity [J], zero at the world origin.
/// Needs the position stage.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy);

/// Mass [kg] and centre of mass [m, world] of all moving bodies and payloads. Needs the position
/// stage.
/// \param[out] mass  or NULL
/// \return MBD_OK, ..., MBD_ERROR_MASSLESS_SUBTREE if no moving body has mass
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_center_of_mass(
  const mbd_model_t * model, mbd_data_t * data, double * mass, mbd_vec3_t * com);

/// Momentum of all moving bodies about their centre of mass, in world axes: angular [kg m^2/s] and
/// linear [kg m/s]. Needs the velocity stage.
///
/// Complexity O(N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_centroidal_momentum(
  const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__INERTIA_H_
