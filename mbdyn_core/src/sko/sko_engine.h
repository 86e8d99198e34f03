// Entries of the engine table for models whose mass matrix is that of an SKO engine: embedded loops and
// flexible links. Their own entries `sko` and `coriolis_product(_transpose)` are all that differs.
#ifndef SKO__SKO_ENGINE_H_
#define SKO__SKO_ENGINE_H_

#include "mbdyn/operators/sko.h"
#include "model/engine.h"

//---------- mass matrix by the SKO engine ----------

mbdi_output_fn mbdi_sko_engine_mass_matrix;
mbdi_output_fn mbdi_sko_engine_mass_matrix_inverse;
mbdi_sqrt_fn mbdi_sko_engine_mass_sqrt;
mbdi_outputs_fn mbdi_sko_engine_mass_factors;
mbdi_output_fn mbdi_sko_engine_mass_log_determinant, mbdi_sko_engine_mass_trace;

//---------- Coriolis matrix and derivatives of M by unit velocities ----------

mbdi_output_fn mbdi_sko_engine_coriolis_matrix, mbdi_sko_engine_coriolis_transpose_product;
mbdi_output_fn mbdi_sko_engine_momentum_gradient, mbdi_sko_engine_kinetic_energy_gradient;
mbdi_christoffel_fn mbdi_sko_engine_christoffel;
mbdi_mass_derivative_fn mbdi_sko_engine_mass_matrix_derivative;
mbdi_outputs_fn mbdi_sko_engine_christoffel_tensor, mbdi_sko_engine_mass_matrix_tensor;

// stages of a workspace before other velocities are tried; the velocity itself is in data->work->qdd
typedef struct mbdi_kept {
  uint32_t stage, tree_stage;
} mbdi_kept_t;

// MBD_ERROR_UNSUPPORTED if drivers depend on time, which would add their velocities
mbd_status_t mbdi_keep_velocity(const mbd_model_t * model, mbd_data_t * data, mbdi_kept_t * kept);
// the velocity stage of unit velocity j
mbd_status_t mbdi_try_velocity(const mbd_model_t * model, mbd_data_t * data, int j);
// back to what there was; returns `status`
mbd_status_t mbdi_restore_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbdi_kept_t * kept, mbd_status_t status);

//---------- blocks of nodes ----------

// a motion as six numbers that are `stride` apart
void mbdi_sko_put_motion(mbd_motion_t V, int stride, double * x);

// phi(X) = [R p~R; 0 R] in six columns of a matrix that is `stride` wide               (1.31)
void mbdi_sko_put_phi(const mbd_placement_t * X, int stride, double * A);

// six rows and columns of the same
void mbdi_sko_put_inertia(const mbd_inertia_t * inertia, int stride, double * M);

#endif  // SKO__SKO_ENGINE_H_
