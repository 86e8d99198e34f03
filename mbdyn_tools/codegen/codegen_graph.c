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
  uint64_t h = (uint64_t)node->op + 1;
  h = (h ^ (uint32_t)node->a) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ (uint32_t)node->b) * 0xbf58476d1ce4e5b9u;
  for (int k = 0; k < MAX_LANES; k++) {
    uint64_t bits;
    memcpy(&bits, &node->value.x[k], sizeof bits);
    h = (h ^ (h >> 32) ^ bits ^ (uint32_t)node->lane[k]) * 0x94d049bb133111ebu;
  }
  return h ^ (h >> 31);
}

static bool
same_node(const node_t * x, const node_t * y)
{
  return x->op == y->op && x->a == y->a && x->b == y->b && x->width == y->width &&
         memcmp(x->lane, y->lane, sizeof x->lane) == 0 &&
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
intern(graph_t * g, const node_t * node)
{
  if (g->failed || (g->n == g->capacity && !grow(g))) {
    g->failed = true;
    return EXPR_ZERO;
  }
  int * place = find_place(g, node);
  if (*place == 0) {
    *place = g->n;
    g->node[g->n] = *node;
    g->node[g->n++].section = g->section;
  }
  return *place;
}

static node_t
new_node(op_t op, int width)
{
  node_t node;
  memset(&node, 0, sizeof node);
  node.op = op;
  node.width = width;
  return node;
}

// an operation of two numbers, or of one and an index
static expr_t
intern_pair(graph_t * g, op_t op, expr_t a, expr_t b, int width)
{
  node_t node = new_node(op, width);
  node.a = a;
  node.b = b;
  return intern(g, &node);
}

int
node_operands(const node_t * node, expr_t operand[MAX_LANES])
{
  switch (node->op) {
    case OP_CONSTANT:
    case OP_INPUT: return 0;
    case OP_PACK: memcpy(operand, node->lane, sizeof node->lane); return node->width;
    case OP_LANE:
    case OP_TANH: operand[0] = node->a; return 1;
    default: operand[0] = node->a, operand[1] = node->b; return 2;
  }
}

bool
graph_init(graph_t * g)
{
  memset(g, 0, sizeof *g);
  g->section = -1;
  if (!grow(g)) return false;
  // node 0, the number zero, is not in the table: nothing refers to it by way of a node
  g->node[0] = new_node(OP_CONSTANT, 1);
  g->n = 1;
  return expr_constant(g, 1) == EXPR_ONE;
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

//---------- constants and inputs ----------

static lanes_t
uniform(double x)
{
  return (lanes_t){{x, x, x, x}};
}

static lanes_t
lanes_scale(double k, lanes_t a)
{
  for (int i = 0; i < MAX_LANES; i++) a.x[i] *= k;
  return a;
}

static lanes_t
lanes_add(lanes_t a, lanes_t b)
{
  for (int i = 0; i < MAX_LANES; i++) a.x[i] += b.x[i];
  return a;
}

static lanes_t
lanes_mul(lanes_t a, lanes_t b)
{
  for (int i = 0; i < MAX_LANES; i++) a.x[i] *= b.x[i];
  return a;
}

bool
expr_is_constant(const graph_t * g, expr_t e, lanes_t * value)
{
  const node_t * node = graph_node(g, e);
  if (node->op != OP_CONSTANT) return false;
  *value = lanes_scale(e < 0 ? -1 : 1, node->value);
  return true;
}

expr_t
expr_constants(graph_t * g, lanes_t value, int width)
{
  int first = 0, same = 0;
  while (first < MAX_LANES && value.x[first] == 0) first++;
  if (first == MAX_LANES) return EXPR_ZERO;
  while (same < width && value.x[same] == value.x[0]) same++;
  const double sign = value.x[first] < 0 ? -1 : 1;
  node_t node = new_node(OP_CONSTANT, same == width ? 1 : width);
  // no negative zeros: equal constants are one node
  for (int i = 0; i < MAX_LANES; i++) {
    node.value.x[i] = value.x[i % width] == 0 ? 0 : sign * value.x[i % width];
  }
  const expr_t e = intern(g, &node);
  return sign < 0 ? -e : e;
}

expr_t
expr_constant(graph_t * g, double value)
{
  return expr_constants(g, uniform(value), 1);
}

expr_t
expr_input(graph_t * g, input_t array, int index)
{
  return intern_pair(g, OP_INPUT, (int)array, index, 1);
}

//---------- arithmetic ----------

static int
wider(const graph_t * g, expr_t a, expr_t b)
{
  const int wa = expr_width(g, a), wb = expr_width(g, b);
  return wa > wb ? wa : wb;
}

// e = factor * rest, where factor is a number known now
static expr_t
split_factor(const graph_t * g, expr_t e, lanes_t * factor)
{
  const node_t * node = graph_node(g, e);
  const double sign = e < 0 ? -1 : 1;
  if (node->op == OP_MUL && expr_is_constant(g, node->a, factor)) {
    *factor = lanes_scale(sign, *factor);
    return node->b;
  }
  *factor = uniform(sign);
  return e < 0 ? -e : e;
}

// constants of sums are gathered: k + (m + x) = (k + m) + x
static bool
add_constant(graph_t * g, lanes_t k, int width, expr_t e, expr_t * sum)
{
  const node_t * node = graph_node(g, e);
  lanes_t inner;
  if (node->op != OP_ADD || !expr_is_constant(g, node->a, &inner)) return false;
  if (expr_width(g, node->a) > width) width = expr_width(g, node->a);
  const double sign = e < 0 ? -1 : 1;
  const expr_t rest = e < 0 ? -node->b : node->b;
  *sum = expr_add(g, expr_constants(g, lanes_add(k, lanes_scale(sign, inner)), width), rest);
  return true;
}

expr_t
expr_add(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0) return b;
  if (b == 0) return a;
  if (a == -b) return EXPR_ZERO;

  // what can be computed now
  lanes_t ka, kb;
  const int width = wider(g, a, b);
  const bool a_known = expr_is_constant(g, a, &ka), b_known = expr_is_constant(g, b, &kb);
  expr_t sum;
  if (a_known && b_known) return expr_constants(g, lanes_add(ka, kb), width);
  if (a_known && add_constant(g, ka, expr_width(g, a), b, &sum)) return sum;
  if (b_known && add_constant(g, kb, expr_width(g, b), a, &sum)) return sum;
  const expr_t rest = split_factor(g, a, &ka);
  if (rest == split_factor(g, b, &kb)) {
    return expr_mul(g, expr_constants(g, lanes_add(ka, kb), width), rest);
  }

  // the older one first and positive
  const int ia = abs(a), ib = abs(b);
  if (ia > ib) return expr_add(g, b, a);
  return a > 0 ? intern_pair(g, OP_ADD, a, b, width) : -intern_pair(g, OP_ADD, -a, -b, width);
}

expr_t
expr_mul(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0 || b == 0) return EXPR_ZERO;
  if ((a < 0) != (b < 0)) return -expr_mul(g, abs(a), abs(b));
  a = abs(a), b = abs(b);
  if (a == EXPR_ONE) return b;
  if (b == EXPR_ONE) return a;

  lanes_t ka, kb;
  const int width = wider(g, a, b);
  const bool a_known = expr_is_constant(g, a, &ka), b_known = expr_is_constant(g, b, &kb);
  if (a_known && b_known) return expr_constants(g, lanes_mul(ka, kb), width);
  if (b_known) return expr_mul(g, b, a);
  if (a_known) {
    const expr_t rest = split_factor(g, b, &kb);
    if (rest != b) return expr_mul(g, expr_constants(g, lanes_mul(ka, kb), width), rest);
    return intern_pair(g, OP_MUL, a, b, width);
  }
  return a <= b ? intern_pair(g, OP_MUL, a, b, width) : intern_pair(g, OP_MUL, b, a, width);
}

expr_t
expr_div(graph_t * g, expr_t a, expr_t b)
{
  if (a == 0) return EXPR_ZERO;
  if (a == b) return EXPR_ONE;
  lanes_t kb;
  if (expr_is_constant(g, b, &kb)) {
    for (int i = 0; i < MAX_LANES; i++) kb.x[i] = 1 / kb.x[i];
    return expr_mul(g, expr_constants(g, kb, expr_width(g, b)), a);
  }
  if ((a < 0) != (b < 0)) return -expr_div(g, abs(a), abs(b));
  return intern_pair(g, OP_DIV, abs(a), abs(b), wider(g, a, b));
}

expr_t
expr_tanh(graph_t * g, expr_t a)
{
  lanes_t value;
  if (expr_is_constant(g, a, &value)) return expr_constant(g, tanh(value.x[0]));
  return a < 0 ? -intern_pair(g, OP_TANH, -a, 0, 1) : intern_pair(g, OP_TANH, a, 0, 1);
}

//---------- vectors ----------

expr_t
expr_pack(graph_t * g, const expr_t * lane, int width)
{
  int same = 0, known = 0, apart = 0;
  lanes_t value = {{0, 0, 0, 0}};
  const node_t * first = graph_node(g, lane[0]);
  const expr_t source = first->op == OP_LANE ? (lane[0] < 0 ? -first->a : first->a) : EXPR_ZERO;
  for (int k = 0; k < width; k++) {
    const node_t * node = graph_node(g, lane[k]);
    lanes_t x;
    same += lane[k] == lane[0];
    if (expr_is_constant(g, lane[k], &x)) value.x[k] = x.x[0], known++;
    apart += node->op == OP_LANE && (lane[k] < 0 ? -node->a : node->a) == source && node->b == k;
  }
  if (same == width) return lane[0];
  if (known == width) {
    for (int k = width; k < MAX_LANES; k++) value.x[k] = value.x[k - width];
    return expr_constants(g, value, width);
  }
  // all lanes of a vector in their order
  if (apart == width && expr_width(g, source) == width) return source;
  node_t node = new_node(OP_PACK, width);
  const int sign = lane[0] < 0 ? -1 : 1;
  for (int k = 0; k < width; k++) node.lane[k] = sign * lane[k];
  return sign * intern(g, &node);
}

expr_t
expr_lane(graph_t * g, expr_t a, int lane)
{
  const node_t * node = graph_node(g, a);
  const int sign = a < 0 ? -1 : 1;
  if (node->width == 1) return a;
  if (node->op == OP_CONSTANT) return expr_constant(g, sign * node->value.x[lane]);
  if (node->op == OP_PACK) return sign * node->lane[lane];
  return sign * intern_pair(g, OP_LANE, abs(a), lane, 1);
}
