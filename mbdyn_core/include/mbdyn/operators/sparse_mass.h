/// \file operators/sparse_mass.h
/// Sparse mass matrix of a tree: storage, factorisation and solution.
///
///   mbd_sparsity_create      sparsity pattern of the mass matrix of a model  Jain sec. 9.3.2
///   mbd_sparsity_destroy     free it
///   mbd_sparse_mass          sparse M(q), by composite rigid bodies
///   mbd_sparse_gather        sparse from dense matrix
///   mbd_sparse_expand        dense from sparse matrix
///   mbd_sparse_multiply      M x
///   mbd_sparse_factor        M = L^T D L in place, without fill-in
///   mbd_sparse_solve         M^-1 x from the factors
///
/// The mass matrix is zero between degrees of freedom of which neither is an ancestor of the other. Row k
/// contains the ancestors of k, in ascending order, and k itself: as many entries as the depth of k.
/// Elimination from the tips to the base has no fill-in (Featherstone, Efficient
/// factorization of the joint-space inertia matrix for branched kinematic trees, 2005): O(nv depth^2)
/// instead of O(nv^3), a large saving for robots with many short limbs.
///
/// For single right-hand sides, forward dynamics is O(N) and faster (forward.h, factors.h); this is for
/// solvers that need the matrix.
#ifndef MBDYN__OPERATORS__SPARSE_MASS_H_
#define MBDYN__OPERATORS__SPARSE_MASS_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sparsity pattern. Row k has the elements [row[k], row[k + 1]); the last one is in column k, the one before
/// it in column parent[k], and so on.
typedef struct mbd_sparsity {
  int nv;
  size_t nnz;          ///< number of stored elements, on and below the diagonal
  const size_t * row;  ///< index of the first element of each row [nv + 1]
  const int * parent;  ///< parent of each degree of freedom, or -1 [nv]
} mbd_sparsity_t;

/// Create the sparsity pattern of a model's mass matrix.
/// \param[in]  model     finalized; not needed afterwards
/// \param[out] sparsity  free with mbd_sparsity_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Complexity O(nv) | Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparsity_create(const mbd_model_t * model, mbd_sparsity_t ** sparsity);

/// Free a sparsity pattern; NULL is allowed.
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

/// Copy the elements of the pattern from a dense matrix. If memory for nv x nv elements is available,
/// mbd_mass_matrix and this function are faster than mbd_sparse_mass, because mbd_mass_matrix uses SIMD
/// kernels.
/// \param[in]  dense  row-major nv x nv; only elements of the pattern are read
/// \param[out] M      nnz
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_gather(const mbd_sparsity_t * sparsity, const double * dense, double * M);

/// Expand to a dense matrix.
/// \param[in]  M      nnz
/// \param[out] dense  row-major nv x nv, symmetric
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
///
/// Complexity O(nv^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_expand(const mbd_sparsity_t * sparsity, const double * M, double * dense);

/// y = M x, before factorisation.
/// \param[out] y  nv; must not alias x
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (y is x)
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_multiply(
  const mbd_sparsity_t * sparsity, const double * M, const double * x, double * y);

/// Factorise M = L^T D L in place: D on the diagonal, the unit lower triangular L below it. The product of
/// the elements of D is det M.
/// \param[in,out] M  nnz; invalid after an error
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_SINGULAR (M is not positive definite, or not
///   finite)
///
/// Complexity O(sum of depth^2) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_factor(const mbd_sparsity_t * sparsity, double * M);

/// x := M^-1 x.
/// \param[in]     factors  result of mbd_sparse_factor, nnz
/// \param[in,out] x        nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE (x, which is then unchanged, or the result)
///
/// Complexity O(nnz) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sparse_solve(const mbd_sparsity_t * sparsity, const double * factors, double * x);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__SPARSE_MASS_H_
