/// \file codegen_simplify.h
/// From a recorded graph to one worth writing down.
///
///   program_t           a graph and what it computes
///   program_init, _free
///   program_simplify        drop what no output needs; sums in an order that suits fused multiply-add
///   program_count       operations it takes
#ifndef CODEGEN_SIMPLIFY_H_
#define CODEGEN_SIMPLIFY_H_

#include "codegen_graph.h"

typedef struct program {
  graph_t graph;
  expr_t * out;  ///< [nout]
  int nout;
  int * uses;  ///< of each node by nodes and outputs; set by program_simplify [graph.n]
} program_t;

typedef struct operations {
  int adds, muls, divs;
  int angles;  ///< sines and cosines of this many angles
  int others;  ///< tanh
} operations_t;

/// Memory for nout outputs, all zero. False without memory.
bool program_init(program_t * program, int nout);
void program_free(program_t * program);

/// Keep what the outputs need. Sums of which nobody needs a part are put in a new order, products
/// last: x + a b + c d is two fused operations, a b + c d + x three. False without memory.
bool program_simplify(program_t * program);

/// Operations of a simplified program.
operations_t program_count(const program_t * program);

static inline int
operations_total(operations_t count)
{
  return count.adds + count.muls + count.divs;
}

#endif  // CODEGEN_SIMPLIFY_H_
