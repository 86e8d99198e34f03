// Parts of a tree: chapters 8 and 14. Nodes are numbered from base to tip, so that each is one sweep.
#include "mbdyn/operators/graph.h"

#include <string.h>

#include "state/state.h"

static mbd_status_t
check_tree(int n, const int * parent)
{
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!parent) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < n; i++) {
    if (parent[i] < MBD_WORLD_BODY || parent[i] >= i) return MBD_ERROR_BAD_ARGUMENT;
  }
  return MBD_OK;
}

mbd_status_t
mbd_model_parents(const mbd_model_t * model, int * parent)
{
  if (!model || !parent) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  for (int i = 0; i < model->nbody; i++) parent[i] = model->body[i].parent;
  return MBD_OK;
}

// parents have smaller numbers
static int
common(const int * parent, int a, int b)
{
  while (a != b) {
    if (a > b) {
      a = parent[a];
    } else {
      b = parent[b];
    }
  }
  return a;
}

static bool
is_node(int n, int i)
{
  return i >= MBD_WORLD_BODY && i < n;
}

mbd_status_t
mbd_common_ancestor(int n, const int * parent, int a, int b, int * ancestor)
{
  CHECK(check_tree(n, parent));
  if (!ancestor) return MBD_ERROR_NULL_ARGUMENT;
  if (!is_node(n, a) || !is_node(n, b)) return MBD_ERROR_BAD_ARGUMENT;
  *ancestor = common(parent, a, b);
  return MBD_OK;
}

//---------- sets ----------

mbd_status_t
mbd_path_induced(int n, const int * parent, const bool * set, bool * out)
{
  CHECK(check_tree(n, parent));
  if (!set || !out) return MBD_ERROR_NULL_ARGUMENT;
  // tips to base: a node between has one of the set among what it carries; bit 1 of a number, as
  // `out` may be `set`
  unsigned char * mark = (unsigned char *)out;
  for (int i = 0; i < n; i++) mark[i] = set[i] ? 3 : 0;
  for (int i = n - 1; i >= 0; i--) {
    if ((mark[i] & 1) && parent[i] >= 0) mark[parent[i]] |= 1;
  }
  // base to tips: and another that carries it, which makes all between them belong to the set
  for (int i = 0; i < n; i++) {
    const bool above = (mark[i] & 2) || (parent[i] >= 0 && mark[parent[i]]);
    mark[i] = (mark[i] & 1) && above;
  }
  return MBD_OK;
}

mbd_status_t
mbd_aggregation_set(int n, const int * parent, const bool * set, bool * out, int * carrier)
{
  CHECK(check_tree(n, parent));
  if (!set || !out) return MBD_ERROR_NULL_ARGUMENT;
  int root = n;
  for (int i = 0; i < n; i++) {
    out[i] = set[i];
    if (set[i]) root = root == n ? i : common(parent, root, i);
  }
  if (root == n) return MBD_ERROR_BAD_ARGUMENT;
  // the least subtree with the set in it, less its root unless that is in the set  Lem 14.6
  const int hangs_on = root >= 0 && set[root] ? parent[root] : root;
  for (int i = n - 1; i >= 0; i--) {
    if (i <= hangs_on) {
      out[i] = false;
    } else if (out[i] && parent[i] > hangs_on) {
      out[parent[i]] = true;
    }
  }
  if (carrier) *carrier = hangs_on;
  return MBD_OK;
}

mbd_status_t
mbd_aggregation_condition(int n, const int * parent, const bool * set, bool * holds, int * carrier)
{
  CHECK(check_tree(n, parent));
  if (!set || !holds) return MBD_ERROR_NULL_ARGUMENT;
  int from = n;
  *holds = false;
  for (int i = 0; i < n; i++) {
    const int p = parent[i];
    if (!set[i] || (p >= 0 && set[p])) continue;
    if (from != n && from != p) return MBD_OK;
    from = p;
  }
  *holds = from != n;
  if (*holds && carrier) *carrier = from;
  return MBD_OK;
}

mbd_status_t
mbd_tree_partition(int n, const int * parent, const bool * set, mbd_tree_part_t * part)
{
  CHECK(check_tree(n, parent));
  if (!set || !part) return MBD_ERROR_NULL_ARGUMENT;
  for (int i = 0; i < n; i++) {
    const bool carried = parent[i] >= 0 && part[parent[i]] != MBD_PART_REST;
    part[i] = set[i] ? MBD_PART_SET : carried ? MBD_PART_CARRIED : MBD_PART_REST;
  }
  return MBD_OK;
}

//---------- groups ----------

// representative (lowest node) of a group: group[i] is i or a lower node of the same group
static int
lowest(const int * group, int i)
{
  while (group[i] != i) i = group[i];
  return i;
}

static void
join(int * group, int a, int b)
{
  a = lowest(group, a), b = lowest(group, b);
  group[a > b ? a : b] = a > b ? b : a;
}

// nodes from i up to the carrier, which is not among them, join one group
static void
hold_path(const int * parent, int i, int carrier, int * group, int * first)
{
  for (; i != carrier; i = parent[i]) {
    if (group[i] < 0) group[i] = i;
    if (*first >= 0) join(group, i, *first);
    *first = i;
  }
}

// numbers of groups for their lowest nodes, by way of -2 - number, as lower nodes come first
static int
number_groups(int n, int * group)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (group[i] >= 0) group[i] = group[i] == i ? -2 - count++ : group[group[i]];
  }
  for (int i = 0; i < n; i++) {
    if (group[i] < -1) group[i] = -2 - group[i];
  }
  return count;
}

mbd_status_t
mbd_loop_groups(
  int n, const int * parent, int ncut, const mbd_edge_t * cut, int * group, int * ngroup)
{
  CHECK(check_tree(n, parent));
  if (ncut < 0) return MBD_ERROR_BAD_ARGUMENT;
  if ((ncut > 0 && !cut) || !group || !ngroup) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < ncut; k++) {
    if (!is_node(n, cut[k].a) || !is_node(n, cut[k].b)) return MBD_ERROR_BAD_ARGUMENT;
  }
  for (int i = 0; i < n; i++) group[i] = -1;
  for (int k = 0; k < ncut; k++) {
    const int carrier = common(parent, cut[k].a, cut[k].b);
    int first = -1;
    hold_path(parent, cut[k].a, carrier, group, &first);
    hold_path(parent, cut[k].b, carrier, group, &first);
  }
  *ngroup = number_groups(n, group);
  return MBD_OK;
}

mbd_status_t
mbd_branches(int n, const int * parent, int * branch, int * nbranch)
{
  CHECK(check_tree(n, parent));
  if (!branch || !nbranch) return MBD_ERROR_NULL_ARGUMENT;
  int count = 0;
  // -1: carries nothing yet, -2: one, -3: more
  for (int i = 0; i < n; i++) branch[i] = -1;
  for (int i = 0; i < n; i++) {
    if (parent[i] >= 0 && branch[parent[i]] > -3) branch[parent[i]]--;
  }
  // a node is asked for how much it carries until its last child has a number: bit 0 of it says so
  for (int i = 0; i < n; i++) {
    const bool only = branch[i] == -2;
    const int p = parent[i];
    const bool goes_on = p >= 0 && (branch[p] & 1);
    const int number = goes_on ? branch[p] >> 1 : count++;
    branch[i] = 2 * number + (only ? 1 : 0);
  }
  for (int i = 0; i < n; i++) branch[i] >>= 1;
  *nbranch = count;
  return MBD_OK;
}
