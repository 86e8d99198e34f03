/// \file codegen_graph.h
/// Numbers that remember how they were computed: an algorithm run on them once, at generation time,
/// leaves a graph of additions, multiplications and divisions that can be written down as C.
///
///   graph_init, graph_free      the graph
///   graph_section               what the next numbers belong to (for comments in the output)
///   expr_constant, expr_input   where numbers come from
///   expr_add, _sub, _mul, _div, _tanh   arithmetic; simplifies what it can on the way
///   expr_pack, expr_lane        vectors of numbers from their elements, and back
///   expr_is_constant            its value, if it has one
///
/// A number is a reference to a node of the graph, negative for the negated node: minus costs
/// nothing, and a - b and b - a are one node. Equal expressions are one node (they are hashed), so
/// that common subexpressions are shared without looking for them. The reference 0 is the number
/// zero and 1 the number one; what is multiplied by zero never comes to life.
///
/// A number may be a vector of up to MAX_LANES elements (lanes) that are computed together. A vector
/// and a single number make a vector: the single number is the same in every lane. Vectors of
/// different widths do not mix.
#ifndef CODEGEN_GRAPH_H_
#define CODEGEN_GRAPH_H_

#include <stdbool.h>
#include <stddef.h>

/// A number: node, or minus the node's index for its negative.
typedef int expr_t;

enum { EXPR_ZERO = 0, EXPR_ONE = 1 };

enum { MAX_LANES = 4 };

/// Elements of a vector; a narrow one is repeated, so that operations take all of them.
typedef struct lanes {
  double x[MAX_LANES];
} lanes_t;

typedef enum op {
  OP_CONSTANT,  ///< value; the first element that is not zero is positive
  OP_INPUT,     ///< a: array, b: index in it
  OP_ADD,       ///< a + b; a > 0, b of either sign
  OP_MUL,       ///< a * b; both > 0; a constant comes first
  OP_DIV,       ///< a / b; both > 0
  OP_TANH,      ///< tanh(a)
  OP_PACK,      ///< vector of the single numbers lane[0], lane[1], ... of either sign
  OP_LANE       ///< element b of the vector a
} op_t;

/// Arrays that inputs are read from.
typedef enum input {
  INPUT_SIN,  ///< of the angle of a joint, by the joint's number
  INPUT_COS,
  INPUT_Q,
  INPUT_V,
  INPUT_QDD,
  INPUT_TAU
} input_t;

typedef struct node {
  op_t op;
  expr_t a, b;
  expr_t lane[MAX_LANES];  ///< of a pack
  lanes_t value;           ///< of a constant
  int width;               ///< lanes: 1, 2 or 4
  int section;             ///< what it belongs to: see graph_section
} node_t;

typedef struct graph {
  node_t * node;  ///< operands come before what is made of them; [0] and [1] are zero and one
  int n, capacity;
  int * table;  ///< hash table of nodes, 0 where empty
  int table_size;
  int section;
  bool failed;  ///< out of memory: everything since is zero
} graph_t;

/// An empty graph; false without memory.
bool graph_init(graph_t * g);
void graph_free(graph_t * g);

/// Nodes made from here on belong to a section: a body's number, or -1.
void graph_section(graph_t * g, int section);

expr_t expr_constant(graph_t * g, double value);
expr_t expr_constants(graph_t * g, lanes_t value, int width);
expr_t expr_input(graph_t * g, input_t array, int index);
expr_t expr_add(graph_t * g, expr_t a, expr_t b);
expr_t expr_mul(graph_t * g, expr_t a, expr_t b);
expr_t expr_div(graph_t * g, expr_t a, expr_t b);
expr_t expr_tanh(graph_t * g, expr_t a);

/// A vector of single numbers; a single number if all of them are the same.
expr_t expr_pack(graph_t * g, const expr_t * lane, int width);

/// An element of a vector; a single number is its own element.
expr_t expr_lane(graph_t * g, expr_t a, int lane);

static inline expr_t
expr_sub(graph_t * g, expr_t a, expr_t b)
{
  return expr_add(g, a, -b);
}

/// a times a number known now.
static inline expr_t
expr_scale(graph_t * g, double k, expr_t a)
{
  return expr_mul(g, expr_constant(g, k), a);
}

static inline const node_t *
graph_node(const graph_t * g, expr_t e)
{
  return &g->node[e < 0 ? -e : e];
}

static inline int
expr_width(const graph_t * g, expr_t e)
{
  return graph_node(g, e)->width;
}

/// Operands of a node: how many, and their references.
int node_operands(const node_t * node, expr_t operand[MAX_LANES]);

/// True, and its value with its sign, if it is a constant.
bool expr_is_constant(const graph_t * g, expr_t e, lanes_t * value);

#endif  // CODEGEN_GRAPH_H_
