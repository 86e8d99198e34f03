/// \file operators/sko.h
/// Spatial kernel operator (SKO) models: recursive algorithms on trees of nodes of any size.
///
///   mbd_sko_size, mbd_sko_init, mbd_sko_create, mbd_sko_destroy    a tree of nodes
///   mbd_sko_changed              invalidate results after blocks were changed
///   mbd_sko_inverse_dynamics     qdd -> tau, accelerations and forces of the nodes
///   mbd_sko_mass_matrix          by composite inertias
///   mbd_sko_mass_trace           trace of the mass matrix
///   mbd_sko_articulated_inertia  P, D, G of every node
///   mbd_sko_forward_dynamics     tau -> qdd
///   mbd_sko_force                force through one hinge, after either dynamics
///   mbd_sko_mass_solve           M^-1 x
///   mbd_sko_factor               products with I + H A K, D^1/2 and their inverses
///   mbd_sko_log_determinant      of the mass matrix
///   mbd_sko_compliance           operational-space compliance of every node
///   mbd_sko_compliance_between   acceleration of one node per force on another
///
/// A node is a rigid body (n = 6), a group of bodies in a loop (n = 6 per body), or a flexible body
/// (n = 6 plus its modes); the algorithms are the same. With V the stacked velocity of the node, p its
/// parent and A(p, k) the propagation of forces from a node to its parent,
///
///   V_k     = A^T(p, k) V_p + H_k^T v_k
///   alpha_k = A^T(p, k) alpha_p + H_k^T qdd_k + a_k
///   f_k     = sum of A(k, j) f_j over the children + M_k alpha_k + b_k
///   tau_k   = H_k f_k + J_k qdd_k
///
/// Kinds of nodes differ only in their blocks. Source: Jain, Robot and Multibody Dynamics,
/// chapters 8, 9, 14 and 15, renumbered base to tip: parent < node.
#ifndef MBDYN__OPERATORS__SKO_H_
#define MBDYN__OPERATORS__SKO_H_

#include "mbdyn/status.h"
#include "mbdyn/types.h"
#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Maximum number of columns of mbd_sko_compliance_between.
#define MBD_SKO_COLUMNS 6

/// Sizes of a node, for mbd_sko_init.
typedef struct mbd_sko_shape {
  int parent;  ///< index of the parent node, smaller than that of the node, or -1: the world
  int n;       ///< length of the node's velocity, at least 1
  int r;       ///< hinge degrees of freedom, 0 to n
  int slot,
    rows;  ///< A(p, k) acts on the entries [slot, slot + rows) of the parent's velocity, which
           ///< has length 6 for the world
} mbd_sko_shape_t;

/// A node. Matrices are row-major.
typedef struct mbd_sko_node {
  int parent, n, r, slot, rows;
  int * dof;  ///< indices in v of the node's degrees of freedom; initially consecutive  [r]

  // blocks set by the caller
  double * A;  ///< propagation of forces to the parent          [rows x n]
  /// Optional, for nodes of rigid bodies with six rows each: their placements in the parent, [n / 6], or
  /// NULL. A then consists of their phi side by side, M is block diagonal, each child acts on one block,
  /// and sweeps use a faster algorithm. A and M must be set nevertheless.
  const mbd_placement_t * rigid;
  double * H;  ///< hinge map H^T: v_k to the node's velocity     [n x r]
  double * M;  ///< inertia, symmetric                           [n x n]
  double * J;  ///< additional hinge inertia (rotors)            [r x r]
  double * a;  ///< velocity-dependent acceleration              [n]
  double * b;  ///< velocity-dependent minus external force      [n]

  // mbd_sko_mass_matrix
  double * R;  ///< composite inertia                            [n x n]  Jain (9.14)

  // mbd_sko_articulated_inertia
  double * P;  ///< articulated inertia                          [n x n]  Jain (9.33)
  double * G;  ///< gain P H^T D^-1                              [n x r]
  double * L;  ///< D = L L^T, L lower triangular                [r x r]
  double * D;  ///< hinge inertia                                [r x r]

  // mbd_sko_compliance
  double * Y;  ///< compliance of the node                       [n x n]  Jain (10.22)

  // mbd_sko_inverse_dynamics, mbd_sko_forward_dynamics
  double * alpha;  ///< acceleration                             [n]
  double * z;      ///< residual force of forward dynamics       [n]
  double * f;      ///< force through the hinge of inverse dynamics  [n]
  double * nu;     ///< innovations                              [r]

  double * w;  ///< scratch: a force or motion                   [n]
} mbd_sko_node_t;

/// Products of mbd_sko_factor. F = I + H A K, M = F D F^T, D = L L^T.
typedef enum mbd_sko_product {
  MBD_SKO_F = 0,                      ///< F x
  MBD_SKO_F_TRANSPOSE = 1,            ///< F^T x
  MBD_SKO_F_INVERSE = 2,              ///< F^-1 x
  MBD_SKO_F_INVERSE_TRANSPOSE = 3,    ///< F^-T x
  MBD_SKO_ROOT = 4,                   ///< F L x; a square root of M
  MBD_SKO_ROOT_TRANSPOSE = 5,         ///< (F L)^T x
  MBD_SKO_ROOT_INVERSE = 6,           ///< (F L)^-1 x
  MBD_SKO_ROOT_INVERSE_TRANSPOSE = 7  ///< (F L)^-T x
} mbd_sko_factor_t;

typedef struct mbd_sko {
  int nnode, nv;
  int n_max, r_max;
  int error_node;                          ///< node that caused the last error, or -1
  mbd_sko_node_t * node;                   ///< [nnode]
  bool composite, articulated, compliant;  ///< valid results: R; P, G, D; Y
  bool forward, inverse;                   ///< valid results: alpha and z; alpha and f
  double * x;                              ///< scratch [nv]
  double *work_a, *work_b, *columns;       ///< scratch
  void * owned;                            ///< freed by mbd_sko_destroy, or NULL
} mbd_sko_t;

/// Size in bytes of a tree of nodes; 0 if the shapes do not form a tree.
MBD_PUBLIC
size_t mbd_sko_size(int nnode, const mbd_sko_shape_t * shape);

/// Create a tree of nodes in the caller's memory, at any alignment. Blocks are zero.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (shapes), MBD_ERROR_TOO_SMALL
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_init(
  int nnode, const mbd_sko_shape_t * shape, void * memory, size_t size, mbd_sko_t ** sko);

/// mbd_sko_init in memory from malloc.
/// \return as mbd_sko_init, and MBD_ERROR_OUT_OF_MEMORY
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_create(int nnode, const mbd_sko_shape_t * shape, mbd_sko_t ** sko);

/// Free the result of mbd_sko_create; NULL is allowed.
MBD_PUBLIC
void mbd_sko_destroy(mbd_sko_t * sko);

/// Invalidate all results after blocks were changed.
MBD_PUBLIC
void mbd_sko_changed(mbd_sko_t * sko);

/// Torques, accelerations and forces by Newton-Euler                         Jain Alg. 9.1
/// \param[in]  base  acceleration of the world, six numbers (minus gravity), or NULL: none
/// \param[in]  qdd   sko->nv, or NULL: zero
/// \param[out] tau   sko->nv; may alias qdd
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
///
/// Complexity O(nodes), quadratic in a node's size | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_inverse_dynamics(
  mbd_sko_t * sko, const double * base, const double * qdd, double * tau);

/// H A M A^T H^T + J by composite inertias                                   Jain Alg. 9.3
/// \param[out] M  row-major nv x nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_mass_matrix(mbd_sko_t * sko, double * M);

/// Trace of the mass matrix in O(nodes): sum of the traces of H R H^T + J
/// \return as mbd_sko_mass_matrix
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_mass_trace(mbd_sko_t * sko, double * trace);

/// Compute P, D and G of every node, unless they are valid, Jain (9.33)
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MASSLESS_SUBTREE (sko->error_node)
///
/// Complexity O(nodes), cubic in a node's size | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_articulated_inertia(mbd_sko_t * sko);

/// Accelerations from torques                                                Jain Alg. 9.5
/// \param[in]  base  acceleration of the world, or NULL
/// \param[in]  tau   sko->nv, or NULL: zero
/// \param[out] qdd   sko->nv; may alias tau
/// \return as mbd_sko_articulated_inertia, and MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_forward_dynamics(
  mbd_sko_t * sko, const double * base, const double * tau, double * qdd);

/// Force through the hinge of a node after the last dynamics: f of inverse dynamics, or
/// P (alpha - a) + z of forward dynamics                                      Jain (7.40)
/// \param[out] f  force, n elements
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (node), MBD_ERROR_STAGE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_force(const mbd_sko_t * sko, int node, double * f);

/// M^-1 x; afterwards node->w has the motion A^T H^T M^-1 x of each node        Jain (9.51)
/// \param[in]  x  sko->nv
/// \param[out] y  sko->nv; may alias x
/// \return as mbd_sko_forward_dynamics
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_mass_solve(mbd_sko_t * sko, const double * x, double * y);

/// A product with a factor of the mass matrix                                 Jain (9.47), (9.50)
/// \return as mbd_sko_forward_dynamics, and MBD_ERROR_BAD_ARGUMENT (which)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_factor(mbd_sko_t * sko, mbd_sko_factor_t which, const double * x, double * y);

/// log det M = sum of log det D over the nodes                                 Jain (9.53)
/// \return as mbd_sko_articulated_inertia
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_log_determinant(mbd_sko_t * sko, double * log_det);

/// Compute Y of every node, unless it is valid: accelerations of the node due to unit forces on it
/// \return as mbd_sko_articulated_inertia
///
/// Complexity O(nodes), cubic in a node's size | Allocates no | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_compliance(mbd_sko_t * sko);

/// Cross compliance B_i^T Omega_ij B_j: accelerations B_i^T alpha_i of node i due to forces B_j x on node j.
/// \param[in]  B_i, B_j    row-major n x columns of the nodes
/// \param[in]  c_i, c_j    columns, 1 to MBD_SKO_COLUMNS
/// \param[out] omega       row-major c_i x c_j
/// \return as mbd_sko_articulated_inertia, and MBD_ERROR_BAD_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_sko_compliance_between(
  mbd_sko_t * sko, int i, const double * B_i, int c_i, int j, const double * B_j, int c_j,
  double * omega);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__SKO_H_
