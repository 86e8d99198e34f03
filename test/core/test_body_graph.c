// Spanning trees and parts of trees, against their definitions by brute force.
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/operators/graph.h"

#include "by_hand.h"
#include "closed_tree.h"

enum { MOST = 12, MOST_EDGES = 40 };

//---------- spanning trees ----------

typedef struct graph {
  int n, nedge;
  mbd_edge_t edge[MOST_EDGES];
} graph_t;

static graph_t
random_graph(uint64_t * state)
{
  graph_t g = {.n = random_below(state, MOST + 1)};
  if (g.n == 0) return g;
  g.nedge = random_below(state, 2 * g.n + 1);
  for (int k = 0; k < g.nedge; k++) {
    mbd_edge_t * e = &g.edge[k];
    do {
      e->a = random_below(state, g.n + 1) - 1;
      e->b = random_below(state, g.n + 1) - 1;
    } while (e->a == e->b);
    e->weight = random_below(state, 7);
  }
  return g;
}

// parts of the graph with edges up to a weight, the world a node of its own: by spreading labels
static int
parts_up_to(const graph_t * g, int weight, int * label)
{
  for (int i = 0; i <= g->n; i++) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int k = 0; k < g->nedge; k++) {
      if (g->edge[k].weight > weight) continue;
      int *a = &label[g->edge[k].a + 1], *b = &label[g->edge[k].b + 1];
      changed = changed || *a != *b;
      *a = *b = *a < *b ? *a : *b;
    }
  }
  int parts = 0;
  for (int i = 0; i <= g->n; i++) parts += label[i] == i;
  return parts;
}

// of all spanning trees the lightest keeps, for every weight, as many edges up to it as join parts
static void
spanning_trees_are_the_lightest(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    uint64_t state = seed;
    const graph_t g = random_graph(&state);
    int memory[6 * MOST + 5 * MOST_EDGES + 4], label[MOST + 1];
    mbd_spanning_tree_t tree;
    assert_true(mbd_spanning_tree_size(g.n, g.nedge) <= sizeof memory / sizeof *memory);
    assert_ok(mbd_spanning_tree(g.n, g.nedge, g.edge, memory, &tree));
    bool kept[MOST_EDGES];
    for (int k = 0; k < g.nedge; k++) kept[k] = true;
    for (int k = 0; k < tree.ncut; k++) {
      assert_true(tree.cut[k] >= 0 && tree.cut[k] < g.nedge && kept[tree.cut[k]]);
      kept[tree.cut[k]] = false;
    }
    for (int weight = 0; weight < 7; weight++) {
      int count = 0;
      for (int k = 0; k < g.nedge; k++) count += kept[k] && g.edge[k].weight <= weight;
      assert_int_equal(count, g.n + 1 - parts_up_to(&g, weight, label));
    }
    assert_int_equal(tree.nfree, parts_up_to(&g, 7, label) - 1);
  }
}

// every node once, on an edge to its parent that is kept; parts without the world begin at the lowest
static void
spanning_trees_are_trees(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    uint64_t state = seed;
    const graph_t g = random_graph(&state);
    int memory[6 * MOST + 5 * MOST_EDGES + 4], label[MOST + 1], used[MOST_EDGES] = {0};
    mbd_spanning_tree_t tree;
    assert_ok(mbd_spanning_tree(g.n, g.nedge, g.edge, memory, &tree));
    parts_up_to(&g, 7, label);
    for (int k = 0; k < tree.ncut; k++) used[tree.cut[k]]++;
    int nfree = 0;
    for (int i = 0; i < g.n; i++) {
      const int p = tree.parent[i], e = tree.edge[i];
      assert_int_equal(tree.number[tree.node[i]], i);
      assert_true(p >= -1 && p < i);
      if (e < 0) {
        assert_int_equal(p, MBD_WORLD_BODY);
        assert_int_equal(label[tree.node[i] + 1], tree.node[i] + 1);
        nfree++;
        continue;
      }
      used[e]++;
      const int here = tree.node[i], there = p < 0 ? -1 : tree.node[p];
      const mbd_edge_t * edge = &g.edge[e];
      assert_true((edge->a == here && edge->b == there) || (edge->a == there && edge->b == here));
    }
    assert_int_equal(nfree, tree.nfree);
    // each edge carries a node or is cut, and not both
    for (int k = 0; k < g.nedge; k++) assert_int_equal(used[k], 1);
  }
}

//---------- sets ----------

typedef struct random_parents {
  int n;
  int parent[MOST];
  bool set[MOST], any;
  bool carries[MOST][MOST];  // i carries j or is j
} parents_t;

static parents_t
random_parents(uint64_t seed, int most)
{
  uint64_t state = seed;
  parents_t t = {.n = 1 + random_below(&state, most)};
  for (int i = 0; i < t.n; i++) {
    t.parent[i] = random_below(&state, 8) ? random_below(&state, i + 1) - 1 : -1;
    t.set[i] = random_below(&state, 3) == 0;
    t.any = t.any || t.set[i];
    for (int j = i; j >= 0; j = t.parent[j]) t.carries[j][i] = true;
  }
  return t;
}

static void
common_ancestors(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    const parents_t t = random_parents(seed, MOST);
    for (int a = 0; a < t.n; a++) {
      for (int b = -1; b < t.n; b++) {
        int expected = -1, found;
        for (int k = 0; k < t.n; k++) {
          if (b >= 0 && t.carries[k][a] && t.carries[k][b]) expected = k;
        }
        assert_ok(mbd_common_ancestor(t.n, t.parent, a, b, &found));
        assert_int_equal(found, expected);
      }
    }
  }
}

// all nodes on the way from one of the set to another                                     (14.1)
static void
path_induced_sets(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    parents_t t = random_parents(seed, MOST);
    bool out[MOST];
    assert_ok(mbd_path_induced(t.n, t.parent, t.set, out));
    for (int k = 0; k < t.n; k++) {
      bool between = false;
      for (int i = 0; i < t.n; i++) {
        for (int j = 0; j < t.n; j++) {
          between = between || (t.set[i] && t.set[j] && t.carries[i][k] && t.carries[k][j]);
        }
      }
      assert_int_equal(out[k], between);
    }
    // in place
    assert_ok(mbd_path_induced(t.n, t.parent, t.set, t.set));
    assert_memory_equal(t.set, out, (size_t)t.n * sizeof *out);
  }
}

// a set can be one node if taking it together leaves each node with one parent at most: Lem 14.5
static bool
stays_a_tree(const parents_t * t, unsigned set, int * carrier)
{
  int entries = 0;
  for (int p = -1; p < t->n; p++) {
    bool enters = false;
    for (int i = 0; i < t->n; i++) {
      const bool outside = p < 0 || !(set >> p & 1);
      enters = enters || ((set >> i & 1) && t->parent[i] == p && outside);
    }
    if (enters) entries++, *carrier = p;
  }
  return entries == 1;
}

// the smallest of all sets with this one in it that can                              (14.4.3)
static void
aggregation_sets(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_SEEDS(TREES)
  {
    const parents_t t = random_parents(seed, 9);
    bool out[MOST], holds;
    unsigned set = 0, best = 0;
    int least = MOST + 1, least_carrier = -2, carrier = -2, count = 0;
    for (int i = 0; i < t.n; i++) set |= (unsigned)t.set[i] << i;
    if (!tally(&cases, t.any)) {
      assert_status(mbd_aggregation_set(t.n, t.parent, t.set, out, NULL), MBD_ERROR_BAD_ARGUMENT);
      continue;
    }
    for (unsigned s = 0; s < 1u << t.n; s++) {
      int c;
      if ((s & set) != set || !stays_a_tree(&t, s, &c)) continue;
      const int size = __builtin_popcount(s);
      if (size == least) count++;
      if (size < least) least = size, best = s, least_carrier = c, count = 1;
    }
    assert_int_equal(count, 1);
    assert_ok(mbd_aggregation_set(t.n, t.parent, t.set, out, &carrier));
    for (int i = 0; i < t.n; i++) assert_int_equal(out[i], best >> i & 1);
    assert_int_equal(carrier, least_carrier);
    // and the condition says so of it, and what it should of the set itself
    assert_ok(mbd_aggregation_condition(t.n, t.parent, out, &holds, &carrier));
    assert_true(holds);
    assert_int_equal(carrier, least_carrier);
    assert_ok(mbd_aggregation_condition(t.n, t.parent, t.set, &holds, NULL));
    assert_int_equal(holds, stays_a_tree(&t, set, &carrier));
  }
  assert_enough(&cases, 0.7);
}

static void
partitions(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    const parents_t t = random_parents(seed, MOST);
    mbd_tree_part_t part[MOST];
    assert_ok(mbd_tree_partition(t.n, t.parent, t.set, part));
    for (int i = 0; i < t.n; i++) {
      bool carried = false;
      for (int k = 0; k < t.n; k++) carried = carried || (t.set[k] && t.carries[k][i]);
      const mbd_tree_part_t expected =
        t.set[i] ? MBD_PART_SET : (carried ? MBD_PART_CARRIED : MBD_PART_REST);
      assert_int_equal(part[i], expected);
    }
  }
}

// two nodes are in one chain if one carries the other and nothing branches off between   (14.3)
static void
branches(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    const parents_t t = random_parents(seed, MOST);
    int branch[MOST], nbranch, children[MOST] = {0}, largest = -1;
    for (int i = 0; i < t.n; i++) {
      if (t.parent[i] >= 0) children[t.parent[i]]++;
    }
    assert_ok(mbd_branches(t.n, t.parent, branch, &nbranch));
    for (int i = 0; i < t.n; i++) {
      largest = branch[i] > largest ? branch[i] : largest;
      for (int j = i + 1; j < t.n; j++) {
        bool same = t.carries[i][j];
        for (int k = j; same && k != i; k = t.parent[k]) same = children[t.parent[k]] == 1;
        assert_int_equal(branch[i] == branch[j], same);
      }
    }
    assert_int_equal(largest + 1, nbranch);
  }
}

//---------- loops ----------

// loop groups of random cuts by spreading over pairs of nodes that a cut joint holds together
static void
groups_of_loops(void ** context)
{
  (void)context;
  FOR_SEEDS(TREES)
  {
    const parents_t t = random_parents(seed, MOST);
    uint64_t state = seed + 1000;
    mbd_edge_t cut[4];
    const int ncut = random_below(&state, 5);
    bool together[MOST][MOST] = {{false}};
    for (int k = 0; k < ncut; k++) {
      cut[k].a = random_below(&state, t.n + 1) - 1;
      cut[k].b = random_below(&state, t.n + 1) - 1;
      bool held[MOST];
      for (int i = 0; i < t.n; i++) {
        // on the way of one end and not of the other
        const bool a = cut[k].a >= 0 && t.carries[i][cut[k].a];
        const bool b = cut[k].b >= 0 && t.carries[i][cut[k].b];
        held[i] = a != b;
      }
      for (int i = 0; i < t.n; i++) {
        for (int j = 0; j < t.n; j++) together[i][j] = together[i][j] || (held[i] && held[j]);
      }
    }
    for (int k = 0; k < t.n; k++) {
      for (int i = 0; i < t.n; i++) {
        for (int j = 0; j < t.n; j++) {
          together[i][j] = together[i][j] || (together[i][k] && together[k][j]);
        }
      }
    }
    int group[MOST], ngroup, next = 0;
    assert_ok(mbd_loop_groups(t.n, t.parent, ncut, cut, group, &ngroup));
    for (int i = 0; i < t.n; i++) {
      assert_int_equal(group[i] >= 0, together[i][i]);
      if (group[i] == next) next++;
      assert_true(group[i] < next);
      for (int j = 0; j < t.n; j++) {
        assert_int_equal(group[i] >= 0 && group[i] == group[j], together[i][j]);
      }
    }
    assert_int_equal(ngroup, next);
    // each hangs on one node
    for (int g = 0; g < ngroup; g++) {
      bool set[MOST], holds;
      for (int i = 0; i < t.n; i++) set[i] = group[i] == g;
      assert_ok(mbd_aggregation_condition(t.n, t.parent, set, &holds, NULL));
      assert_true(holds);
    }
  }
}

// a planar four-bar as a graph: three bars and the ground; the pin is cut, and embedding holds
// together what the graph says
static void
four_bar_as_a_graph(void ** context)
{
  (void)context;
  // ground-crank, crank-coupler, coupler-rocker (which gives most), rocker-ground
  const mbd_edge_t joint[4] = {{-1, 0, 1}, {0, 1, 1}, {1, 2, 2}, {2, -1, 1}};
  int memory[64], parent[3], group[3], ngroup;
  mbd_spanning_tree_t tree;
  assert_ok(mbd_spanning_tree(3, 4, joint, memory, &tree));
  assert_int_equal(tree.ncut, 1);
  assert_int_equal(tree.cut[0], 2);
  assert_int_equal(tree.nfree, 0);

  const four_bar_t bar = four_bar_default();
  mbd_model_t *model = four_bar(&bar), *embedded;
  assert_ok(mbd_model_parents(model, parent));
  const mbd_edge_t pin = {model->closure[0].body_a, model->closure[0].body_b, 0};
  assert_ok(mbd_loop_groups(3, parent, 1, &pin, group, &ngroup));
  mat_t q = mat(3, 1);
  assert_true(four_bar_at(&bar, model, 0.5, q.a));
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q.a;
  assert_ok(mbd_model_embed(model, &options, &embedded));
  assert_int_equal(mbd_aggregate_count(embedded), ngroup);
  mbd_aggregate_t info;
  assert_ok(mbd_aggregate_info(embedded, 0, &info));
  assert_int_equal(info.nbody, 3);
  for (int i = 0; i < 3; i++) assert_int_equal(group[i], 0);
  mbd_model_destroy(embedded);
  mbd_model_destroy(model);
  mats_free();
}

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  const int upwards[3] = {1, -1, 0}, good[3] = {-1, 0, 0};
  const bool set[3] = {true, false, true};
  bool out[3], holds;
  int k, memory[64], group[3];
  mbd_spanning_tree_t tree;
  mbd_tree_part_t part[3];
  const mbd_edge_t itself = {1, 1, 0}, far = {0, 3, 0}, fine = {0, 1, 0};
  assert_status(mbd_path_induced(3, upwards, set, out), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_path_induced(-1, good, set, out), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_path_induced(3, good, NULL, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_common_ancestor(3, good, 0, 3, &k), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_aggregation_set(3, upwards, set, out, &k), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_aggregation_condition(3, NULL, set, &holds, &k), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_tree_partition(3, upwards, set, part), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_branches(3, upwards, group, &k), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_loop_groups(3, good, 1, &far, group, &k), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_loop_groups(3, good, 1, NULL, group, &k), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_spanning_tree(3, 1, &itself, memory, &tree), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_spanning_tree(3, 1, &far, memory, &tree), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_spanning_tree(3, 1, &fine, NULL, &tree), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_spanning_tree(-1, 0, NULL, memory, &tree), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_model_parents(NULL, group), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_spanning_tree_size(-1, 2), 0);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(spanning_trees_are_the_lightest),
    cmocka_unit_test(spanning_trees_are_trees),
    cmocka_unit_test(common_ancestors),
    cmocka_unit_test(path_induced_sets),
    cmocka_unit_test(aggregation_sets),
    cmocka_unit_test(partitions),
    cmocka_unit_test(branches),
    cmocka_unit_test(groups_of_loops),
    cmocka_unit_test(four_bar_as_a_graph),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
