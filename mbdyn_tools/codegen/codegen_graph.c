// Numbers that remember how they were computed.
#include "codegen_graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

//---------- nodes ----------

static uint64_t
hash_node(const node_t * node)
{
  uint64_t bits;
  memcpy(&bits, &node->value, sizeof bits);
  uint64_t h = (uint64_t)node->op + 1;
  h = (h ^ (uint32_t)node->a) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ (uint32_t)node->b) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 32) ^ bits) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

static bool
same_node(const node_t * x, const node_t * y)
{
  return x->op == y->op && x->a == y->a && x->b == y->b &&
         memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

// the place in the table where a node is, or would be
static int *
find_place(const graph_t * g, const node_t * node)
{
  const uint64_t mask = (uint64_t)g->table_size - 1;
  uint64_t at = hash_node(node) & mask;
  while (g->table[at] != 0 && !same_node(&g->node[g->table[at]], node)) at = (at + 1) & mask;
  return &g->table[at];
}

// twice the capacity for nodes, and a table of twice that
static bool
grow(graph_t * g)
{
  const int capacity = g->capacity ? 2 * g->capacity : 1024;
  node_t * node = realloc(g->node, (size_t)capacity * sizeof *node);
  if (node) g->node = node;
  int * table = node ? calloc(2 * (size_t)capacity, sizeof *table) : NULL;
  if (!table) return false;
  free(g->table);
  g->table = table;
  g->table_size = 2 * capacity;
  g->capacity = capacity;
  for (int i = 1; i < g->n; i++) *find_place(g, &g->node[i]) = i;
  return true;
}

// the node, made if there is none like it yet
static expr_t
intern(graph_t * g, op_t op, expr_t a, expr_t b, double value)
{
  node_t node;
  memset(&node, 0, sizeof node);
  node.op = op;
  node.a = a;
  node.b = b;
  node.value = value;
  node.section = g->section;
  if (g->failed || (g->n == g->capacity && !grow(g))) {
    g->failed = true;
    return EXPR_ZERO;
  }
  int * place = find_place(g, &node);
  if (*place == 0) {
    *place = g->n;
    g->node[g->n++] = node;
  }
  return *place;
}

bool
graph_init(graph_t * g)
{
  memset(g, 0, sizeof *g);
  g->section = -1;
  if (!grow(g)) return false;
  // node 0, the number zero, is not in the table: nothing refers to it by way of a node
  memset(&g->node[0], 0, sizeof g->node[0]);
  g->n = 1;
  return intern(g, OP_CONSTANT, 0, 0, 1.0) == EXPR_ONE;
}

void
graph_free(graph_t * g)
{
  free(g->node);
  free(g->table);
  memset(g, 0, sizeof *g);
}

void
graph_section(graph_t * g, int section)
{
  g->section = section;
}

//---------- arithmetic ----------

bool
expr_is_constant(const graph_t * g, expr_t e, double * value)
{
  const node_t * node = graph_node(g, e);
  if (node->op != OP_CONSTANT) return false;
  *value = e < 0 ? -node->value : node->value;
  return true;
}

expr_t
expr_constant(graph_t * g, double value)
{
  if (value == 0) return EXPR_ZERO;
  const expr_t e = intern(g, OP_CONSTANT, 0, 0, fabs(value));
  return value < 0 ? -e : e;
}

expr_t
expr_input(graph_t * g, input_t array, int index)
{
  return intern(g, OP_INPUT, (int)array, index, 0);
}

// e = factor * rest, where factor is a number known now
static expr_t
split_factor(const graph_t * g, expr_t e, double * factor)
{
  const node_t * node = graph_node(g, e);
  const double sign = e < 0 ? -1 : 1;
  if (node->op == OP_MUL && expr_is_constant(g, node->a, factor)) {
    *factor *= sign;
    return node->b;
  }
  *factor = sign;
  return e < 0 ? -e : e;
}

// constants of sums are gathered: k + (m + x) = (k + m) + x
static bool
add_constant(graph_t * g, double k, expr_t e, expr_t * sum)
{
  const node_t * node = graph_node(g, e);
  double inner;
  if (node->op != OP_ADD || !expr_is_constant(g, node->a, &inner)) return false;
  const double sign = e < 0 ? -1 : 1;
  const expr_t rest = e < 0 ? -node->b : node->b;
  *sum = expr_add(g, expr_constant(g, k + sign * inner), rest);
  return true;
}

expr_t
expr_add(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0) return b;
  if (b == 0) return a;
  if (a == -b) return EXPR_ZERO;

  // what can be computed now
  double ka, kb;
  const bool a_known = expr_is_constant(g, a, &ka), b_known = expr_is_constant(g, b, &kb);
  expr_t sum;
  if (a_known && b_known) return expr_constant(g, ka + kb);
  if (a_known && add_constant(g, ka, b, &sum)) return sum;
  if (b_known && add_constant(g, kb, a, &sum)) return sum;
  const expr_t rest = split_factor(g, a, &ka);
  if (rest == split_factor(g, b, &kb)) return expr_scale(g, ka + kb, rest);

  // the older one first and positive
  const int ia = abs(a), ib = abs(b);
  if (ia > ib) return expr_add(g, b, a);
  return a > 0 ? intern(g, OP_ADD, a, b, 0) : -intern(g, OP_ADD, -a, -b, 0);
}

expr_t
expr_mul(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0 || b == 0) return EXPR_ZERO;
  if ((a < 0) != (b < 0)) return -expr_mul(g, abs(a), abs(b));
  a = abs(a), b = abs(b);
  if (a == EXPR_ONE) return b;
  if (b == EXPR_ONE) return a;

  double ka, kb;
  const bool a_known = expr_is_constant(g, a, &ka), b_known = expr_is_constant(g, b, &kb);
  if (a_known && b_known) return expr_constant(g, ka * kb);
  if (b_known) return expr_mul(g, b, a);
  if (a_known) {
    const expr_t rest = split_factor(g, b, &kb);
    if (kb != 1) return expr_scale(g, ka * kb, rest);
    return intern(g, OP_MUL, a, b, 0);
  }
  return a <= b ? intern(g, OP_MUL, a, b, 0) : intern(g, OP_MUL, b, a, 0);
}

expr_t
expr_div(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0) return EXPR_ZERO;
  if (a == b) return EXPR_ONE;
  double kb;
  if (expr_is_constant(g, b, &kb)) return expr_scale(g, 1 / kb, a);
  if ((a < 0) != (b < 0)) return -expr_div(g, abs(a), abs(b));
  return intern(g, OP_DIV, abs(a), abs(b), 0);
}

expr_t
expr_tanh(graph_t * g, expr_t a)
{
  double value;
  if (expr_is_constant(g, a, &value)) return expr_constant(g, tanh(value));
  return a < 0 ? -intern(g, OP_TANH, -a, 0, 0) : intern(g, OP_TANH, a, 0, 0);
}
