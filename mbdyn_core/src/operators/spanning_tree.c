// Spanning tree of least weight (joints in order of weight, kept unless they close a loop), then
// numbered breadth first from the world.
#include <string.h>

#include "mbdyn/operators/graph.h"
#include "state/state.h"

// the world is node n of the search
typedef struct search {
  int n, nedge;
  const mbd_edge_t * edge;
  int *node, *number, *parent, *carrying, *cut;  // of the result
  int * sorted;                                  // edges by weight            [nedge]
  int * scratch;                                 //                            [nedge]
  int * set;                                     // of nodes that are joined   [n + 1]
  int * first;                                   // of each node in `adjacent` [n + 2]
  int * adjacent;                                // edges that are kept        [2 nedge]
} search_t;

size_t
mbd_spanning_tree_size(int nnode, int nedge)
{
  if (nnode < 0 || nedge < 0) return 0;
  return 6 * (size_t)nnode + 5 * (size_t)nedge + 4;
}

static void
lay_out_search(search_t * s, int * memory)
{
  int ** arrays[10] = {&s->node,   &s->number,  &s->parent, &s->carrying, &s->cut,
                       &s->sorted, &s->scratch, &s->set,    &s->first,    &s->adjacent};
  const int n = s->n, e = s->nedge;
  const int size[10] = {n, n, n, n, e, e, e, n + 1, n + 2, 2 * e};
  for (int k = 0; k < 10; k++) {
    *arrays[k] = memory;
    memory += size[k];
  }
}

static mbd_status_t
check_edges(int n, int nedge, const mbd_edge_t * edge)
{
  for (int k = 0; k < nedge; k++) {
    const mbd_edge_t * e = &edge[k];
    if (e->a < MBD_WORLD_BODY || e->a >= n || e->b < MBD_WORLD_BODY || e->b >= n || e->a == e->b) {
      return MBD_ERROR_BAD_ARGUMENT;
    }
  }
  return MBD_OK;
}

static int
end_of(const search_t * s, int node)
{
  return node < 0 ? s->n : node;
}

// stable merge sort by weight
static void
sort_edges(search_t * s)
{
  const int n = s->nedge;
  int *from = s->sorted, *to = s->scratch;
  for (int k = 0; k < n; k++) from[k] = k;
  for (int width = 1; width < n; width *= 2) {
    for (int lo = 0; lo < n; lo += 2 * width) {
      const int mid = lo + width < n ? lo + width : n;
      const int hi = lo + 2 * width < n ? lo + 2 * width : n;
      for (int i = lo, j = mid, k = lo; k < hi; k++) {
        const bool left =
          i < mid && (j >= hi || s->edge[from[i]].weight <= s->edge[from[j]].weight);
        to[k] = left ? from[i++] : from[j++];
      }
    }
    int * swapped = from;
    from = to, to = swapped;
  }
  s->sorted = from, s->scratch = to;
}

// representative of a set (union-find with path halving)
static int
find(int * set, int i)
{
  while (set[i] != i) {
    set[i] = set[set[i]];
    i = set[i];
  }
  return i;
}

// kept edges are marked in scratch; the others, in their order, are cut
static int
keep_edges(search_t * s)
{
  for (int i = 0; i <= s->n; i++) s->set[i] = i;
  for (int k = 0; k < s->nedge; k++) {
    const mbd_edge_t * e = &s->edge[s->sorted[k]];
    const int a = find(s->set, end_of(s, e->a)), b = find(s->set, end_of(s, e->b));
    s->scratch[s->sorted[k]] = a != b;
    s->set[a] = b;
  }
  int ncut = 0;
  for (int k = 0; k < s->nedge; k++) {
    if (!s->scratch[k]) s->cut[ncut++] = k;
  }
  return ncut;
}

// kept edges of each node, in their order
static void
list_neighbours(search_t * s)
{
  memset(s->first, 0, ((size_t)s->n + 2) * sizeof *s->first);
  for (int k = 0; k < s->nedge; k++) {
    if (!s->scratch[k]) continue;
    s->first[end_of(s, s->edge[k].a) + 1]++;
    s->first[end_of(s, s->edge[k].b) + 1]++;
  }
  for (int i = 0; i <= s->n; i++) s->first[i + 1] += s->first[i];
  // filled from behind, so that `first` ends up where it belongs
  memcpy(s->set, s->first + 1, ((size_t)s->n + 1) * sizeof *s->set);
  for (int k = s->nedge - 1; k >= 0; k--) {
    if (!s->scratch[k]) continue;
    s->adjacent[--s->set[end_of(s, s->edge[k].a)]] = k;
    s->adjacent[--s->set[end_of(s, s->edge[k].b)]] = k;
  }
}

static int
add_tree_node(search_t * s, int node, int parent, int edge, int count)
{
  s->node[count] = node;
  s->number[node] = count;
  s->parent[count] = parent;
  s->carrying[count] = edge;
  return count + 1;
}

// visit the unvisited neighbours of a node of the graph (with its number in the tree)
static int
take_neighbours(search_t * s, int node, int number, int count)
{
  for (int k = s->first[node]; k < s->first[node + 1]; k++) {
    const mbd_edge_t * e = &s->edge[s->adjacent[k]];
    const int a = end_of(s, e->a), b = end_of(s, e->b), other = a == node ? b : a;
    if (other < s->n && s->number[other] < 0) {
      count = add_tree_node(s, other, number, s->adjacent[k], count);
    }
  }
  return count;
}

// nodes in breadth-first order; components not connected to the world start at their lowest
static int
number_nodes(search_t * s)
{
  int nfree = 0, done = 0;
  for (int i = 0; i < s->n; i++) s->number[i] = -1;
  int count = take_neighbours(s, s->n, MBD_WORLD_BODY, 0);
  for (int start = 0;; start++) {
    for (; done < count; done++) count = take_neighbours(s, s->node[done], done, count);
    while (start < s->n && s->number[start] >= 0) start++;
    if (start >= s->n) return nfree;
    count = add_tree_node(s, start, MBD_WORLD_BODY, -1, count);
    nfree++;
  }
}

mbd_status_t
mbd_spanning_tree(
  int nnode, int nedge, const mbd_edge_t * edge, int * memory, mbd_spanning_tree_t * tree)
{
  if (nnode < 0 || nedge < 0) return MBD_ERROR_BAD_ARGUMENT;
  if ((nedge > 0 && !edge) || !memory || !tree) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_edges(nnode, nedge, edge));
  search_t s = {.n = nnode, .nedge = nedge, .edge = edge};
  lay_out_search(&s, memory);
  sort_edges(&s);
  const int ncut = keep_edges(&s);
  list_neighbours(&s);
  const int nfree = number_nodes(&s);
  *tree = (mbd_spanning_tree_t){
    .nnode = nnode,
    .node = s.node,
    .number = s.number,
    .parent = s.parent,
    .edge = s.carrying,
    .ncut = ncut,
    .cut = s.cut,
    .nfree = nfree};
  return MBD_OK;
}
