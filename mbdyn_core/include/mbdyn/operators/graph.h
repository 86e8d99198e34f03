/// \file operators/graph.h
/// Graphs of bodies and joints: spanning trees, aggregation, partitions and branches.
///
///   mbd_spanning_tree         spanning tree and cut joints of a graph with loops             Jain sec. 8.6
///   mbd_model_parents         the tree of a model, for the functions below
///   mbd_common_ancestor       closest common ancestor of two nodes
///   mbd_path_induced          path-induced closure of a set                                  Jain sec. 14.1
///   mbd_aggregation_set       smallest aggregable set that contains a set                    Jain sec. 14.4.3
///   mbd_aggregation_condition whether a set can                                              Jain Lemma 14.5
///   mbd_tree_partition        partition of a tree by a set                                   Jain Lemma 14.1
///   mbd_loop_groups           groups of nodes connected by cut joints                          Jain sec. 15.1
///   mbd_branches              serial chains of the tree                                      Jain sec. 14.3
///
/// **A tree** is given by the parent of each node, numbered from base to tip: parent[i] < i, and
/// MBD_WORLD_BODY (-1) for a base. Bodies of a model are so, and so is what mbd_spanning_tree makes.
/// Several bases are fine. None of these functions needs a model, and none allocates.
#ifndef MBDYN__OPERATORS__GRAPH_H_
#define MBDYN__OPERATORS__GRAPH_H_

#include "mbdyn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint between two bodies, either of which may be MBD_WORLD_BODY.
typedef struct mbd_edge {
  int a, b;    ///< nodes, 0 to n - 1, or MBD_WORLD_BODY
  int weight;  ///< joints of less weight are kept rather: their degrees of freedom, say
} mbd_edge_t;

/// A spanning tree. Nodes have new numbers, from base to tip; pointers are into the caller's memory.
typedef struct mbd_tree_of_graph {
  int nnode;
  const int * node;    ///< number in the graph of each node of the tree                [nnode]
  const int * number;  ///< number in the tree of each node of the graph                [nnode]
  const int * parent;  ///< of each node of the tree, in its numbers                    [nnode]
  /// Joint that carries each node, or -1: nothing ties its part of the graph to the world, and the
  /// node wants a free joint. [nnode]
  const int * edge;
  int ncut;         ///< joints left over: one for each independent loop
  const int * cut;  ///< these joints, in their order                                   [ncut]
  int nfree;        ///< parts that nothing ties to the world
} mbd_spanning_tree_t;

/// Numbers (int) of memory that mbd_spanning_tree needs; 0 for negative arguments.
MBD_PUBLIC
size_t mbd_spanning_tree_size(int nnode, int nedge);

/// A spanning tree of least weight, so that what is cut weighs most: a cut joint of more degrees of
/// freedom leaves fewer rows to keep closed. Among equal weights earlier joints are kept. The tree is
/// numbered breadth first from the world, then from the lowest node of each part without a tie to it.
/// \param[in]  edge    [nedge]; several between the same two nodes are fine
/// \param      memory  mbd_spanning_tree_size numbers; must outlive the tree
/// \param[out] tree    points into memory
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (a count, a node that is not
///   there, a joint from a node to itself)
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

/// The path-induced set: the set and every node between one of its nodes and another that it carries.
/// \param[in]  set  [n]
/// \param[out] out  [n]; may alias set
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (parents)
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_path_induced(int n, const int * parent, const bool * set, bool * out);

/// The aggregation set: the least set that has this one in it, and hangs on one node.
/// \param[in]  set      [n]; not empty
/// \param[out] out      [n]; may not alias set
/// \param[out] carrier  the node that it hangs on, or MBD_WORLD_BODY; may be NULL
/// \return as mbd_path_induced, and MBD_ERROR_BAD_ARGUMENT (an empty set)
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregation_set(
  int n, const int * parent, const bool * set, bool * out, int * carrier);

/// Whether a tree stays a tree when the set becomes one node: every way into it comes from one node.
/// \param[out] holds    true if it does; false for an empty set
/// \param[out] carrier  that node, or MBD_WORLD_BODY; not written unless it holds; may be NULL
/// \return as mbd_path_induced
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_aggregation_condition(
  int n, const int * parent, const bool * set, bool * holds, int * carrier);

/// Parts of a tree as a set sees it.
typedef enum mbd_tree_part {
  MBD_PART_REST = 0,    ///< neither in the set nor carried by it
  MBD_PART_SET = 1,     ///< in the set
  MBD_PART_CARRIED = 2  ///< carried by a node of the set, and not in it
} mbd_tree_part_t;

/// Which part each node belongs to. If the set is path-induced, so are the other two parts, and in
/// the mass matrix what is carried knows nothing of the joints of the others Jain (14.4).
/// \param[out] part  [n]
/// \return as mbd_path_induced
///
/// Complexity O(n) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_tree_partition(
  int n, const int * parent, const bool * set, mbd_tree_part_t * part);

/// Nodes that cut joints hold together: for each of them the nodes on both ways up to the node that
/// carries both ends, that one left out; groups that share a node are one. Each hangs on one node.
/// \param[in]  cut     joints in numbers of the tree [ncut]
/// \param[out] group   0 to ngroup - 1 in the order of their lowest nodes, or -1 [n]
/// \return as mbd_path_induced, and MBD_ERROR_BAD_ARGUMENT (a node of a cut joint)
///
/// Complexity O(n + joints * depth) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_loop_groups(
  int n, const int * parent, int ncut, const mbd_edge_t * cut, int * group, int * ngroup);

/// Serial chains: a node goes on with its parent's chain if it is the only one that the parent
/// carries, and begins one if not. Blocks of the mass matrix between two chains are zero unless one
/// carries the other.
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
