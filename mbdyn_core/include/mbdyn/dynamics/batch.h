/// \file dynamics/batch.h
/// Batched dynamics: many states of one robot at once, with SIMD and threads.
///
///   mbd_batch_create, mbd_batch_destroy    memory and threads for a model
///   mbd_batch_set_parameters_from   gravity, terms and payloads of a workspace
///   mbd_batch_inverse_dynamics    torques of n states
///   mbd_batch_bias, mbd_batch_gravity
///   mbd_batch_forward_dynamics    accelerations of n states
///   mbd_batch_mass_matrix         n mass matrices
///   mbd_batch_frame_placements    chosen frames of n configurations
///   mbd_batch_jacobian            n Jacobians of one frame
///   mbd_batch_inverse_dynamics_derivatives, mbd_batch_forward_dynamics_derivatives
///   mbd_batch_mass_matrix_inverse, mbd_batch_jacobian_bias, mbd_batch_operational_space_inertia,
///   mbd_batch_centroidal_momentum    threads only, without SIMD over states
///   mbd_batch_inverse_dynamics_soa, mbd_batch_bias_soa, mbd_batch_gravity_soa,
///   mbd_batch_forward_dynamics_soa, mbd_batch_mass_matrix_soa    blocked SoA arrays
///   mbd_batch_inverse_dynamics_derivatives_soa, mbd_batch_forward_dynamics_derivatives_soa
///   mbd_batch_derivative_numbers, mbd_batch_derivative_pattern, mbd_batch_derivatives_work
///   mbd_batch_soa_size, mbd_batch_to_soa, mbd_batch_from_soa    conversion to and from SoA
///   mbd_batch_mass_numbers, mbd_batch_mass_pattern, mbd_batch_mass_from_soa    packed mass matrix
///   mbd_batch_vector_length, mbd_batch_threads, mbd_batch_failed, mbd_batch_kernels
///
/// Arrays are contiguous per state: q[n][nq], v[n][nv], M[n][nv * nv]. A batch must be used by one
/// caller at a time; results do not depend on the number of threads. Embedded
/// models (embedding.h), models with flexible links and trees deeper than 1024 bodies are computed one
/// state at a time.
///
/// **Structure of arrays.** Functions that end in `_soa` use a blocked structure-of-arrays (SoA)
/// layout, which needs no transposition: L = mbd_batch_vector_length states form a block, and entry k of state
/// i of an array with `width` entries per state is at [(i / L * width + k) * L + i % L]. Arrays consist
/// of whole blocks (mbd_batch_soa_size); unused elements of the last block may have any value and are
/// overwritten. Arrays aligned to 64 bytes are fastest.
#ifndef MBDYN__DYNAMICS__BATCH_H_
#define MBDYN__DYNAMICS__BATCH_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_batch mbd_batch_t;

/// Allocate a batch and start its threads.
/// \param[in]  model    finalized; must outlive the batch
/// \param[in]  threads  1 to 1024, including the calling thread: 1 starts none. A call with little work uses
///   fewer threads, so that each has about 50 us of work
/// \param[out] batch    free with mbd_batch_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_BAD_ARGUMENT,
///   MBD_ERROR_UNSUPPORTED (time-dependent drivers),
///   MBD_ERROR_OUT_OF_MEMORY (also if a thread cannot be started)
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_create(const mbd_model_t * model, int threads, mbd_batch_t ** batch);

/// Free the memory and end the threads; NULL is allowed.
MBD_PUBLIC
void mbd_batch_destroy(mbd_batch_t * batch);

/// Copy gravity, terms and payloads from a workspace. A new batch has the defaults of a new workspace.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(N threads) | Allocates no | Thread-safe per batch | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_set_parameters_from(mbd_batch_t * batch, const mbd_data_t * data);

/// Torques of n states; see mbd_inverse_dynamics.
/// \param[in]  q, v  n states
/// \param[in]  qdd   n accelerations, or NULL: zero
/// \param[out] tau   n x nv [N m, N]; may alias qdd
/// \return MBD_OK, or the error of the first state that failed (mbd_batch_failed): its results and
///   those of its block are then invalid
///
/// Complexity O(n N) | Allocates no | Thread-safe per batch | Real-time safe with one thread
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_inverse_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * tau);

/// C v + g of n states; see mbd_bias.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_bias(
  mbd_batch_t * batch, int n, const double * q, const double * v, double * h);

/// Gravity torques of n configurations; see mbd_gravity.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_gravity(mbd_batch_t * batch, int n, const double * q, double * g);

/// Accelerations of n states; see mbd_forward_dynamics.
/// \param[in] tau  n torques, or NULL: zero
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_forward_dynamics(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd);

/// Mass matrices of n configurations, each row-major nv x nv; see mbd_mass_matrix.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_mass_matrix(mbd_batch_t * batch, int n, const double * q, double * M);

/// Placements of frames in the world; see mbd_frame_placement.
/// \param[in]  frame  indices of frames [nframe], at most as many as the model has
/// \param[out] X      n x nframe
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_frame_placements(
  mbd_batch_t * batch, int n, const double * q, int nframe, const int * frame, mbd_placement_t * X);

/// Jacobians of one frame, each row-major 6 x nv; see mbd_jacobian.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_jacobian(
  mbd_batch_t * batch, int n, const double * q, int frame, mbd_reference_t reference, double * J);

/// Inverse mass matrices, each row-major nv x nv; see mbd_mass_matrix_inverse.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_mass_matrix_inverse(
  mbd_batch_t * batch, int n, const double * q, double * M_inv);

/// Derivatives of inverse dynamics of n states; see mbd_inverse_dynamics_derivatives. SIMD over states for
/// models with revolute, prismatic and free joints and up to 64 degrees of freedom; other models use threads
/// only.
/// \param[in]  qdd   accelerations, or NULL for zero
/// \param      work  mbd_batch_threads(batch) * mbd_derivatives_work(model) doubles
/// \param[out] dtau_dq, dtau_dv  each row-major nv x nv
/// \param[out] M     mass matrices, each nv x nv, or NULL
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_inverse_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * work,
  double * dtau_dq, double * dtau_dv, double * M);

/// Derivatives of forward dynamics of n states; see mbd_forward_dynamics_derivatives. SIMD over states as
/// above.
/// \param[in]  tau   torques, or NULL for zero
/// \param      work  mbd_batch_threads(batch) * mbd_derivatives_work(model) doubles
/// \param[out] qdd   accelerations, n x nv
/// \param[out] dqdd_dq, dqdd_dv, M_inv  each row-major nv x nv
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_forward_dynamics_derivatives(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * work,
  double * qdd, double * dqdd_dq, double * dqdd_dv, double * M_inv);

/// Jdot v of one frame; see mbd_jacobian_bias.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_jacobian_bias(
  mbd_batch_t * batch, int n, const double * q, const double * v, int frame,
  mbd_reference_t reference, mbd_motion_t * bias);

/// Operational-space inertias of one frame, each 6 x 6; see mbd_operational_space_inertia.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_operational_space_inertia(
  mbd_batch_t * batch, int n, const double * q, int frame, mbd_reference_t reference,
  double * Lambda);

/// Momenta about the centre of mass; see mbd_centroidal_momentum.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_centroidal_momentum(
  mbd_batch_t * batch, int n, const double * q, const double * v, mbd_force_t * momentum);

//---------- structure of arrays ----------

/// mbd_batch_inverse_dynamics with SoA arrays: q of width nq, v, qdd and tau of width nv.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_inverse_dynamics_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * tau);

/// mbd_batch_bias with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_bias_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, double * h);

/// mbd_batch_gravity with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_gravity_soa(mbd_batch_t * batch, int n, const double * q, double * g);

/// mbd_batch_forward_dynamics with SoA arrays.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_forward_dynamics_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * qdd);

/// Packed mass matrices in SoA layout: only the structurally nonzero entries of the lower triangle, row
/// by row. For a humanoid with 50 degrees of freedom these are about 600 of 2500 entries.
/// \param[out] M  of width mbd_batch_mass_numbers; mbd_batch_mass_pattern has the indices,
///   mbd_batch_mass_from_soa expands to full matrices
/// \return as mbd_batch_mass_matrix
///
/// Complexity O(n N^2), O(n N depth) in trees | Allocates no | Thread-safe per batch | Real-time safe
/// with one thread
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_mass_matrix_soa(mbd_batch_t * batch, int n, const double * q, double * M);

/// Size of an SoA array in doubles.
/// \param[in] width  entries per state
/// \return n, rounded up to whole blocks, times width; 0 if batch is NULL or n is 0
MBD_PUBLIC
size_t mbd_batch_soa_size(const mbd_batch_t * batch, int n, size_t width);

/// Convert contiguous states to SoA layout. Unused elements of the last block are filled with copies of the
/// last state.
/// \param[in]  from  n x width
/// \param[out] to    mbd_batch_soa_size doubles
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(n width) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_to_soa(
  const mbd_batch_t * batch, int n, size_t width, const double * from, double * to);

/// Convert SoA layout to contiguous states.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_from_soa(
  const mbd_batch_t * batch, int n, size_t width, const double * from, double * to);

/// Number of structurally nonzero entries in the lower triangle of the mass matrix; 0 if batch is NULL.
MBD_PUBLIC
size_t mbd_batch_mass_numbers(const mbd_batch_t * batch);

/// Row and column indices of the entries of the packed mass matrix, in order.
/// \param[out] row, column  mbd_batch_mass_numbers each, column <= row
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
///
/// Complexity O(N^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_mass_pattern(const mbd_batch_t * batch, int * row, int * column);

/// Expand packed SoA mass matrices to full matrices.
/// \param[in]  from  result of mbd_batch_mass_matrix_soa
/// \param[out] M     n x nv x nv, row-major
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT
///
/// Complexity O(n N^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_mass_from_soa(
  const mbd_batch_t * batch, int n, const double * from, double * M);

/// SIMD width: number of states per block, 2, 4 or 8; 1 if the model has no SIMD kernel.
MBD_PUBLIC
int mbd_batch_vector_length(const mbd_batch_t * batch);
/// Number of threads, including the calling thread.
MBD_PUBLIC
int mbd_batch_threads(const mbd_batch_t * batch);
/// Index of the state that caused the last error, or -1.
MBD_PUBLIC
int mbd_batch_failed(const mbd_batch_t * batch);
/// Instruction set of the kernels: "baseline", "v3", "v4".
MBD_PUBLIC
const char * mbd_batch_kernels(const mbd_batch_t * batch);

//---------- derivatives in SoA layout ----------

/// Number of structurally nonzero entries of dtau/dq, and of dtau/dv: of joints one of which carries the other; 0 if
/// batch is NULL.
MBD_PUBLIC
size_t mbd_batch_derivative_numbers(const mbd_batch_t * batch);

/// Row and column indices of these entries, in the order of rows.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_derivative_pattern(const mbd_batch_t * batch, int * row, int * column);

/// Size of the work memory of the two functions below, in doubles; 0 if batch is NULL.
MBD_PUBLIC
size_t mbd_batch_derivatives_work(const mbd_batch_t * batch);

/// Derivatives of inverse dynamics of n states in SoA layout, the structurally nonzero entries only. SIMD over states
/// for models with revolute, prismatic and free joints. After an error, the block of the failed state is invalid.
/// \param[in]  qdd   accelerations, or NULL for zero
/// \param      work  mbd_batch_derivatives_work(batch) doubles
/// \param[out] dtau_dq, dtau_dv  mbd_batch_derivative_numbers per state
/// \param[out] M     packed mass matrices as those of mbd_batch_mass_matrix_soa, or NULL
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_inverse_dynamics_derivatives_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * qdd, double * work,
  double * dtau_dq, double * dtau_dv, double * M);

/// Derivatives of forward dynamics of n states in SoA layout. SIMD over states as above, up to 64 degrees of freedom.
/// \param[in]  tau   torques, or NULL for zero
/// \param      work  mbd_batch_derivatives_work(batch) doubles
/// \param[out] qdd   accelerations, nv per state
/// \param[out] dqdd_dq, dqdd_dv, M_inv  nv x nv per state, row-major
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_batch_forward_dynamics_derivatives_soa(
  mbd_batch_t * batch, int n, const double * q, const double * v, const double * tau, double * work,
  double * qdd, double * dqdd_dq, double * dqdd_dv, double * M_inv);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__BATCH_H_
