/// \file dynamics/batch_f32.h
/// Batched dynamics in single precision, for sampling-based planning and learning: twice as many states per
/// SIMD vector as batch.h.
///
///   mbd_batch_f32_create, mbd_batch_f32_destroy    memory and threads for a model
///   mbd_batch_f32_set_parameters_from   gravity, terms and payloads of a workspace
///   mbd_batch_f32_inverse_dynamics, mbd_batch_f32_bias, mbd_batch_f32_gravity,
///   mbd_batch_f32_forward_dynamics, mbd_batch_f32_mass_matrix, mbd_batch_f32_frame_placements,
///   mbd_batch_f32_jacobian    n states, arrays contiguous per state
///   mbd_batch_f32_inverse_dynamics_soa, mbd_batch_f32_bias_soa, mbd_batch_f32_gravity_soa,
///   mbd_batch_f32_forward_dynamics_soa, mbd_batch_f32_mass_matrix_soa    blocked SoA arrays
///   mbd_batch_f32_inverse_dynamics_derivatives_soa, mbd_batch_f32_forward_dynamics_derivatives_soa
///   mbd_batch_f32_derivative_numbers, mbd_batch_f32_derivative_pattern, mbd_batch_f32_derivatives_work
///   mbd_batch_f32_soa_size, mbd_batch_f32_to_soa, mbd_batch_f32_from_soa    conversion to and from SoA
///   mbd_batch_f32_mass_numbers, mbd_batch_f32_mass_pattern    packed mass matrix
///   mbd_batch_f32_vector_length, mbd_batch_f32_failed, mbd_batch_f32_kernels
///
/// Arrays, layouts, threads and errors are those of batch.h. The model is rounded to single precision
/// once; states and results are floats.
///
/// **Computed in double precision**, by the functions of batch.h, with inputs and results in floats:
/// - embedded models, models with flexible links, trees deeper than 256 bodies, builds without SIMD kernels;
/// - full mass matrices of more than 64 degrees of freedom, and derivatives of forward dynamics;
/// - derivatives of robots with other joints than revolute, prismatic and free ones;
/// - blocks of states in which forward dynamics would lose most digits in single precision: the articulated
///   inertia about a joint axis is less than 1e-4 of that about the other axes (thin links without rotor
///   inertia). They take as long as in double precision;
/// - blocks with an error, to find the state that caused it.
///
/// **Accuracy.** docs/c_api.md has a table of errors against double precision with the same inputs (random
/// states, |v| <= 1, |qdd| <= 5), relative to the largest element of the result of a state. Angles may have
/// any size; sines are accurate to 1e-7.
#ifndef MBDYN__DYNAMICS__BATCH_F32_H_
#define MBDYN__DYNAMICS__BATCH_F32_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_batch_f32 mbd_batch_f32_t;

/// Allocate a batch and start its threads; see mbd_batch_create.
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_create(const mbd_model_t * model, int threads, mbd_batch_f32_t ** batch);

/// Free the memory and end the threads; NULL is allowed.
MBD_PUBLIC
void mbd_batch_f32_destroy(mbd_batch_f32_t * batch);

/// Copy gravity, terms and payloads from a workspace; see mbd_batch_set_parameters_from.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_set_parameters_from(mbd_batch_f32_t * batch, const mbd_data_t * data);

/// Torques of n states; see mbd_batch_inverse_dynamics.
/// \param[in]  qdd   n accelerations, or NULL: zero
/// \param[out] tau   n x nv; may alias qdd
/// \return MBD_OK, or the error of the first state that failed (mbd_batch_f32_failed): its block of states is
///   not written. MBD_ERROR_NOT_FINITE also if a result is too large for a float
///
/// Complexity O(n N) | Allocates no | Thread-safe per batch | Real-time safe with one thread
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_inverse_dynamics(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * qdd, float * tau);

/// C v + g of n states; see mbd_bias.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_bias(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, float * h);

/// Gravity torques of n configurations; see mbd_gravity.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_gravity(mbd_batch_f32_t * batch, int n, const float * q, float * g);

/// Accelerations of n states; see mbd_forward_dynamics.
/// \param[in] tau  n torques, or NULL: zero
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_forward_dynamics(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * tau, float * qdd);

/// Mass matrices of n configurations, each row-major nv x nv; see mbd_mass_matrix.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_mass_matrix(mbd_batch_f32_t * batch, int n, const float * q, float * M);

/// Placements of frames in the world.
/// \param[in]  frame  indices of frames [nframe], at most as many as the model has
/// \param[out] X      n x nframe x 12: rotation matrix row-major, then origin
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_frame_placements(
  mbd_batch_f32_t * batch, int n, const float * q, int nframe, const int * frame, float * X);

/// Jacobians of one frame, each row-major 6 x nv; see mbd_jacobian.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_jacobian(
  mbd_batch_f32_t * batch, int n, const float * q, int frame, mbd_reference_t reference, float * J);

//---------- structure of arrays ----------

/// mbd_batch_f32_inverse_dynamics with SoA arrays: q of width nq, v, qdd and tau of width nv.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_inverse_dynamics_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * qdd, float * tau);

/// mbd_batch_f32_bias with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_bias_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, float * h);

/// mbd_batch_f32_gravity with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_gravity_soa(mbd_batch_f32_t * batch, int n, const float * q, float * g);

/// mbd_batch_f32_forward_dynamics with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_forward_dynamics_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * tau, float * qdd);

/// Packed mass matrices in SoA layout; see mbd_batch_mass_matrix_soa. After an error, the block of
/// the failed state is invalid.
/// \param[out] M  of width mbd_batch_f32_mass_numbers
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_mass_matrix_soa(
  mbd_batch_f32_t * batch, int n, const float * q, float * M);

/// Size of an SoA array in floats; see mbd_batch_soa_size.
MBD_PUBLIC
size_t mbd_batch_f32_soa_size(const mbd_batch_f32_t * batch, int n, size_t width);

/// Convert contiguous states to SoA layout; see mbd_batch_to_soa.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_to_soa(
  const mbd_batch_f32_t * batch, int n, size_t width, const float * from, float * to);

/// Convert SoA layout to contiguous states.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_from_soa(
  const mbd_batch_f32_t * batch, int n, size_t width, const float * from, float * to);

/// Number of structurally nonzero entries in the lower triangle of the mass matrix; 0 if batch is NULL.
MBD_PUBLIC
size_t mbd_batch_f32_mass_numbers(const mbd_batch_f32_t * batch);

/// Row and column indices of the entries of the packed mass matrix; see mbd_batch_mass_pattern.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_mass_pattern(const mbd_batch_f32_t * batch, int * row, int * column);

/// SIMD width: number of states per block, 4, 8 or 16; 1 if the model has no kernel in single precision.
MBD_PUBLIC
int mbd_batch_f32_vector_length(const mbd_batch_f32_t * batch);
/// Index of the state that caused the last error, or -1.
MBD_PUBLIC
int mbd_batch_f32_failed(const mbd_batch_f32_t * batch);
/// Instruction set of the kernels: "baseline", "v3", "v4"; "none": computed in double precision.
MBD_PUBLIC
const char * mbd_batch_f32_kernels(const mbd_batch_f32_t * batch);

//---------- derivatives in SoA layout ----------

/// Number of structurally nonzero entries of dtau/dq, and of dtau/dv: of joints one of which carries the other; 0 if
/// batch is NULL.
MBD_PUBLIC
size_t mbd_batch_f32_derivative_numbers(const mbd_batch_f32_t * batch);

/// Row and column indices of these entries, in the order of rows.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_derivative_pattern(
  const mbd_batch_f32_t * batch, int * row, int * column);

/// Size of the work memory of the two functions below, in doubles; 0 if batch is NULL.
MBD_PUBLIC
size_t mbd_batch_f32_derivatives_work(const mbd_batch_f32_t * batch);

/// Derivatives of inverse dynamics of n states in SoA layout, the structurally nonzero entries only. SIMD over states
/// for models with revolute, prismatic and free joints. After an error, the block of the failed state is invalid.
/// \param[in]  qdd   accelerations, or NULL for zero
/// \param      work  mbd_batch_f32_derivatives_work(batch) doubles
/// \param[out] dtau_dq, dtau_dv  mbd_batch_f32_derivative_numbers per state
/// \param[out] M     packed mass matrices as those of mbd_batch_f32_mass_matrix_soa, or NULL
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_inverse_dynamics_derivatives_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * qdd,
  double * work, float * dtau_dq, float * dtau_dv, float * M);

/// Derivatives of forward dynamics of n states in SoA layout. SIMD over states as above, up to 64 degrees of freedom.
/// \param[in]  tau   torques, or NULL for zero
/// \param      work  mbd_batch_f32_derivatives_work(batch) doubles
/// \param[out] qdd   accelerations, nv per state
/// \param[out] dqdd_dq, dqdd_dv, M_inv  nv x nv per state, row-major
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_f32_forward_dynamics_derivatives_soa(
  mbd_batch_f32_t * batch, int n, const float * q, const float * v, const float * tau,
  double * work, float * qdd, float * dqdd_dq, float * dqdd_dv, float * M_inv);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__BATCH_F32_H_
