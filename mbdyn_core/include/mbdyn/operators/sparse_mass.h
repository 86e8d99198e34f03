/// \file operators/sparse_mass.h
/// Sparse mass matrix of a tree: storage, factorisation and solution.
///
///   mbd_sparsity_create      where the mass matrix of a model is not zero  Jain sec. 9.3.2
///   mbd_sparsity_destroy     free it
///   mbd_sparse_mass          M(q) into this storage, by composite bodies
///   mbd_sparse_gather        a whole matrix into this storage
///   mbd_sparse_expand        the whole matrix, zeros filled in
///   mbd_sparse_multiply      M x
///   mbd_sparse_factor        M = L^T D L in place: nothing is added to the storage
///   mbd_sparse_solve         M^-1 x from the factors
///
/// The mass matrix is zero between degrees of freedom of which neither is an ancestor of the other. Row k
/// contains the ancestors of k, in ascending order, and k itself: as many entries as the depth of k. From
/// the tips to the base, the factorisation has no fill-in (Featherstone, Efficient
/// factorization of the joint-space inertia matrix for branched kinematic trees, 2005), so that a
/// robot with many short limbs costs far less than a dense one: O(nv depth^2) against O(nv^3).
///
/// For single right-hand sides, forward dynamics is O(N) and faster (forward.h, factors.h); this is for
/// solvers that need the matrix.
#ifndef MBDYN__OPERATORS__SPARSE_MASS_H_
#define MBDYN__OPERATORS__SPARSE_MASS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the numbers are. Row k is [row[k], row[k + 1]); its last number is that of column k, the one
/// before that of column parent[k], and so on.
typedef struct mbd_sparsity {
  int nv;
  size_t nnz;          ///< numbers stored: those on and below the diagonal
  const size_t * row;  ///< where each row begins [nv + 1]
  const int * parent;  ///< the degree of freedom that carries each, or -1 [nv]
} mbd_sparsity_t;

/// The pattern of a model's mass matrix.
/// \param[in]  model     finalized; not needed afterwards
/// \param[out] sparsity  free with mbd_sparsity_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Complexity O(nv) | Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparsity_create(const mbd_model_t * model, mbd_sparsity_t ** sparsity);

/// Free it; NULL is allowed.
MBD_PUBLIC
void mbd_sparsity_destroy(mbd_sparsity_t * sparsity);

/// Mass matrix, with reflected rotor inertia if selected by mbd_set_terms.
/// \param[in]  sparsity  of this model
/// \param[out] M         sparsity->nnz
/// \return as mbd_mass_matrix, and MBD_ERROR_MODEL_MISMATCH (sparsity), MBD_ERROR_UNSUPPORTED
///
/// Complexity O(nnz) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_mass(
  const mbd_model_t * model, mbd_data_t * data, const mbd_sparsity_t * sparsity, double * M);

/// What the pattern has of a whole matrix. Where nv x nv numbers fit, mbd_mass_matrix and this
/// are faster than mbd_sparse_mass, as the mass matrix has kernels of its own.
/// \param[in]  dense  row-major nv x nv; what is above the diagonal or outside the pattern is not read
/// \param[out] M      nnz
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_gather(const mbd_sparsity_t * sparsity, const double * dense, double * M);

/// The whole matrix.
/// \param[in]  M      nnz
/// \param[out] dense  row-major nv x nv, symmetric
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
///
/// Complexity O(nv^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_expand(const mbd_sparsity_t * sparsity, const double * M, double * dense);

/// y = M x, M not factorised.
/// \param[out] y  nv; may not alias x
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (y is x)
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_multiply(
  const mbd_sparsity_t * sparsity, const double * M, const double * x, double * y);

/// M = L^T D L in the place of M: D on the diagonal, L (whose diagonal is one) below it. The product
/// of the numbers of D is det M.
/// \param[in,out] M  nnz; of no use after an error
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_SINGULAR (M is not positive definite, or not
///   finite)
///
/// Complexity O(sum of depth^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_factor(const mbd_sparsity_t * sparsity, double * M);

/// x := M^-1 x.
/// \param[in]     factors  what mbd_sparse_factor made of M, nnz
/// \param[in,out] x        nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE (x, which stays, or the result)
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_solve(const mbd_sparsity_t * sparsity, const double * factors, double * x);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__SPARSE_MASS_H_
