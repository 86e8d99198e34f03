/// \file operators/graph.h
/// Graphs of bodies and joints: spanning trees, aggregation, partitions and branches.
///
///   mbd_spanning_tree         spanning tree and cut joints of a graph with loops             Jain sec. 8.6
///   mbd_model_parents         the tree of a model, for the functions below
///   mbd_common_ancestor       closest common ancestor of two nodes
///   mbd_path_induced          path-induced closure of a set                                  Jain sec. 14.1
///   mbd_aggregation_set       smallest aggregable set that contains a set                    Jain sec. 14.4.3
///   mbd_aggregation_condition whether a set can be aggregated                                Jain Lemma 14.5
///   mbd_tree_partition        partition of a tree by a set                                   Jain Lemma 14.1
///   mbd_loop_groups           groups of nodes connected by cut joints                          Jain sec. 15.1
///   mbd_branches              serial chains of the tree                                      Jain sec. 14.3
///
/// **A tree** is given by the parent of each node, numbered from base to tip: parent[i] < i, and
/// MBD_WORLD_BODY (-1) for a base. Bodies of a model and results of mbd_spanning_tree are numbered this
/// way. There may be several bases. No function allocates; only mbd_model_parents needs a model.
#ifndef MBDYN__OPERATORS__GRAPH_H_
#define MBDYN__OPERATORS__GRAPH_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint between two bodies, either of which may be MBD_WORLD_BODY.
typedef struct mbd_edge {
  int a, b;    ///< nodes, 0 to n - 1, or MBD_WORLD_BODY
  int weight;  ///< e.g. degrees of freedom; joints of large weight are cut first
} mbd_edge_t;

/// A spanning tree. Its nodes are renumbered from base to tip; pointers refer to the caller's memory.
typedef struct mbd_tree_of_graph {
  int nnode;
  const int * node;    ///< graph index of each tree node                               [nnode]
  const int * number;  ///< tree index of each graph node                               [nnode]
  const int * parent;  ///< tree index of the parent of each tree node                  [nnode]
  /// Joint between each node and its parent, or -1: root of a component that is not connected to the
  /// world and needs a free joint. [nnode]
  const int * edge;
  int ncut;         ///< number of cut joints: one for each independent loop
  const int * cut;  ///< cut joints, in ascending order                                 [ncut]
  int nfree;        ///< number of components that are not connected to the world
} mbd_spanning_tree_t;

/// Size of `memory` of mbd_spanning_tree, in ints; 0 for negative arguments.
MBD_PUBLIC
size_t mbd_spanning_tree_size(int nnode, int nedge);

/// Spanning tree of minimum weight. With degrees of freedom as weights, the cut joints have the fewest
/// constraint rows. Among joints of equal weight, earlier ones stay in the tree. Nodes are numbered
/// breadth first from the world, then from the lowest node of each component that is not connected to it.
/// \param[in]  edge    [nedge]; several joints may connect the same two nodes
/// \param      memory  mbd_spanning_tree_size ints; must outlive the tree
/// \param[out] tree    points into memory
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a negative count, an unknown node, a
///   joint from a node to itself)
///
/// Complexity O((nodes + joints) log joints) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_spanning_tree(
  int nnode, int nedge, const mbd_edge_t * edge, int * memory, mbd_spanning_tree_t * tree);

/// Parents of the bodies of a model.
/// \param[out] parent  [nbody]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_parents(const mbd_model_t * model, int * parent);

/// Closest common ancestor of a and b (possibly one of them); MBD_WORLD_BODY if there is none.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a, b, or parents that are not
///   numbered from base to tip)
///
/// Complexity O(depth) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_common_ancestor(int n, const int * parent, int a, int b, int * ancestor);

/// Path-induced closure: the set, and all nodes on paths between a node of the set and its descendants in
/// the set.
/// \param[in]  set  [n]
/// \param[out] out  [n]; may alias set
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (parents)
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_path_induced(int n, const int * parent, const bool * set, bool * out);

/// Aggregation set: the smallest superset with a single parent node.
/// \param[in]  set      [n]; not empty
/// \param[out] out      [n]; must not alias set
/// \param[out] carrier  its parent node, or MBD_WORLD_BODY; may be NULL
/// \return as mbd_path_induced, and MBD_ERROR_BAD_ARGUMENT (an empty set)
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregation_set(
  int n, const int * parent, const bool * set, bool * out, int * carrier);

/// Aggregation condition: the tree remains a tree if the set becomes one node, i.e. all nodes of the set
/// whose parent is outside of the set have the same parent.
/// \param[out] holds    true if the condition holds; false for an empty set
/// \param[out] carrier  the parent node, or MBD_WORLD_BODY; written only if the condition holds; may be NULL
/// \return as mbd_path_induced
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregation_condition(
  int n, const int * parent, const bool * set, bool * holds, int * carrier);

/// Parts of a tree with respect to a set.
typedef enum mbd_tree_part {
  MBD_PART_REST = 0,    ///< neither in the set nor a descendant of it
  MBD_PART_SET = 1,     ///< in the set
  MBD_PART_CARRIED = 2  ///< a descendant of a node of the set, not in the set
} mbd_tree_part_t;

/// Partition of the nodes. If the set is path-induced, so are the other two parts, and the mass matrix of
/// the descendants does not depend on the joints of the other parts, Jain (14.4).
/// \param[out] part  [n]
/// \return as mbd_path_induced
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_partition(
  int n, const int * parent, const bool * set, mbd_tree_part_t * part);

/// Groups of nodes in loops: for each cut joint the nodes on both paths up to the common ancestor, which is
/// excluded; groups that share a node are merged. Each group has a single parent node.
/// \param[in]  cut     cut joints between tree nodes [ncut]
/// \param[out] group   0 to ngroup - 1, ordered by their lowest nodes, or -1: in no loop [n]
/// \return as mbd_path_induced, and MBD_ERROR_BAD_ARGUMENT (a node of a cut joint)
///
/// Complexity O(n + joints * depth) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_loop_groups(
  int n, const int * parent, int ncut, const mbd_edge_t * cut, int * group, int * ngroup);

/// Serial chains: an only child continues the chain of its parent, any other node starts a new one. Blocks
/// of the mass matrix between two chains are zero unless one is an ancestor of the other.
/// \param[out] branch   0 to nbranch - 1 [n]
/// \return as mbd_path_induced
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_branches(int n, const int * parent, int * branch, int * nbranch);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__OPERATORS__GRAPH_H_
