// From a recorded graph to one worth writing down.
#include "codegen_simplify.h"

#include <stdlib.h>
#include <string.h>

bool
program_init(program_t * program, int nout)
{
  memset(program, 0, sizeof *program);
  program->nout = nout;
  program->out = calloc((size_t)nout + 1, sizeof *program->out);
  return program->out && graph_init(&program->graph);
}

void
program_free(program_t * program)
{
  graph_free(&program->graph);
  free(program->out);
  free(program->uses);
  memset(program, 0, sizeof *program);
}

//---------- uses ----------

// how often each node is used, by nodes that are used and by outputs
static int *
count_uses(const graph_t * g, const expr_t * out, int nout)
{
  int * uses = calloc((size_t)g->n, sizeof *uses);
  if (!uses) return NULL;
  for (int k = 0; k < nout; k++) uses[abs(out[k])]++;
  for (int i = g->n - 1; i > 0; i--) {
    expr_t operand[MAX_LANES];
    const int n = uses[i] == 0 ? 0 : node_operands(&g->node[i], operand);
    for (int k = 0; k < n; k++) uses[abs(operand[k])]++;
  }
  return uses;
}

//---------- sums ----------

typedef struct rebuild {
  const graph_t * from;
  const int * uses;  // in from
  graph_t to;
  expr_t * image;   // of each node of from, in to
  bool * absorbed;  // a part of a larger sum
  expr_t * term;    // of the sum at hand, in from
  int nterm;
} rebuild_t;

static expr_t
image_of(const rebuild_t * r, expr_t e)
{
  return e < 0 ? -r->image[-e] : r->image[e];
}

// sums that are used once, in another sum of the same width
static void
find_absorbed(rebuild_t * r)
{
  for (int i = 1; i < r->from->n; i++) {
    const node_t * node = &r->from->node[i];
    if (r->uses[i] == 0 || node->op != OP_ADD) continue;
    const int operands[2] = {abs(node->a), abs(node->b)};
    for (int k = 0; k < 2; k++) {
      const int j = operands[k];
      const node_t * part = &r->from->node[j];
      if (r->uses[j] == 1 && part->op == OP_ADD && part->width == node->width) {
        r->absorbed[j] = true;
      }
    }
  }
}

// terms of a sum with their signs, oldest first
static void
collect_terms(rebuild_t * r, expr_t e, bool root)
{
  const int i = abs(e);
  const node_t * node = &r->from->node[i];
  if (!root && !r->absorbed[i]) {
    r->term[r->nterm++] = e;
    return;
  }
  collect_terms(r, e < 0 ? -node->a : node->a, false);
  collect_terms(r, e < 0 ? -node->b : node->b, false);
}

static bool
is_own_product(const rebuild_t * r, expr_t e)
{
  return r->from->node[abs(e)].op == OP_MUL && r->uses[abs(e)] == 1;
}

static expr_t
rebuild_sum(rebuild_t * r, int i)
{
  r->nterm = 0;
  collect_terms(r, i, true);
  expr_t sum = EXPR_ZERO;
  for (int products = 0; products < 2; products++) {
    for (int k = 0; k < r->nterm; k++) {
      if (is_own_product(r, r->term[k]) != (products == 1)) continue;
      sum = expr_add(&r->to, sum, image_of(r, r->term[k]));
    }
  }
  return sum;
}

static expr_t
rebuild_pack(rebuild_t * r, const node_t * node)
{
  expr_t lane[MAX_LANES];
  for (int l = 0; l < node->width; l++) lane[l] = image_of(r, node->lane[l]);
  return expr_pack(&r->to, lane, node->width);
}

static expr_t
rebuild_node(rebuild_t * r, int i)
{
  const node_t * node = &r->from->node[i];
  graph_section(&r->to, node->section);
  switch (node->op) {
    case OP_CONSTANT: return expr_constants(&r->to, node->value, node->width);
    case OP_INPUT: return expr_input(&r->to, (input_t)node->a, node->b);
    case OP_ADD: return rebuild_sum(r, i);
    case OP_MUL: return expr_mul(&r->to, image_of(r, node->a), image_of(r, node->b));
    case OP_DIV: return expr_div(&r->to, image_of(r, node->a), image_of(r, node->b));
    case OP_TANH: return expr_tanh(&r->to, image_of(r, node->a));
    case OP_LANE: return expr_lane(&r->to, image_of(r, node->a), node->b);
    default: return rebuild_pack(r, node);
  }
}

static bool
rebuild_all(rebuild_t * r, program_t * program)
{
  find_absorbed(r);
  for (int i = 1; i < r->from->n; i++) {
    if (r->uses[i] > 0 && !r->absorbed[i]) r->image[i] = rebuild_node(r, i);
  }
  for (int k = 0; k < program->nout; k++) program->out[k] = image_of(r, program->out[k]);
  return !r->to.failed;
}

bool
program_simplify(program_t * program)
{
  if (program->graph.failed) return false;
  const size_t n = (size_t)program->graph.n;
  free(program->uses);
  program->uses = count_uses(&program->graph, program->out, program->nout);
  rebuild_t r = {.from = &program->graph, .uses = program->uses};
  r.image = calloc(n, sizeof *r.image);
  r.absorbed = calloc(n, sizeof *r.absorbed);
  r.term = calloc(n + 1, sizeof *r.term);
  bool done = program->uses && r.image && r.absorbed && r.term && graph_init(&r.to) &&
              rebuild_all(&r, program);
  free(r.image);
  free(r.absorbed);
  free(r.term);
  if (!done) {
    graph_free(&r.to);
    return false;
  }
  graph_free(&program->graph);
  program->graph = r.to;
  free(program->uses);
  program->uses = count_uses(&program->graph, program->out, program->nout);
  return program->uses != NULL;
}

//---------- counting ----------

operations_t
program_count(const program_t * program)
{
  operations_t count = {0, 0, 0, 0, 0};
  for (int i = 1; i < program->graph.n; i++) {
    if (program->uses[i] == 0) continue;
    const node_t * node = &program->graph.node[i];
    count.adds += node->op == OP_ADD;
    count.muls += node->op == OP_MUL;
    count.divs += node->op == OP_DIV;
    count.others += node->op == OP_TANH;
    if (node->op != OP_INPUT || node->a > INPUT_COS) continue;
    // a sine counts where its cosine is not used too
    bool alone = true;
    for (int j = 1; j < i && alone; j++) {
      const node_t * other = &program->graph.node[j];
      alone =
        !(program->uses[j] > 0 && other->op == OP_INPUT && other->a <= INPUT_COS &&
          other->b == node->b);
    }
    count.angles += alone;
  }
  return count;
}
