// Derivatives of inverse and forward dynamics on recorded numbers: the recorded graph of inverse
// dynamics is differentiated in forward mode, a column at a time. Equal expressions are one node, so
// that columns share what they have in common, and zeros of branches are never created.
#include <stdlib.h>
#include <string.h>

#include "codegen_algorithms.h"

typedef struct differentiation {
  graph_t * g;
  const gen_robot_t * robot;
  int n;          // nodes of the function; derivatives come after them
  bool * needed;  // an output depends on the node
  expr_t * d;     // derivative of each node along one column
} differentiation_t;

static expr_t
derivative_of(const differentiation_t * s, expr_t e)
{
  return e < 0 ? -s->d[-e] : s->d[e];
}

// nodes that outputs depend on
static void
find_needed(differentiation_t * s, const expr_t * out, int nout)
{
  for (int k = 0; k < nout; k++) s->needed[abs(out[k])] = true;
  for (int i = s->n - 1; i > 0; i--) {
    const node_t * node = &s->g->node[i];
    const bool leaf = node->op == OP_CONSTANT || node->op == OP_INPUT;
    if (!s->needed[i] || leaf) continue;
    s->needed[abs(node->a)] = true;
    if (node->op != OP_TANH) s->needed[abs(node->b)] = true;
  }
}

//---------- inputs ----------

// d q / d phi_axis = q (e_axis, 0) / 2 of a quaternion x y z w: right exponential
static expr_t
quaternion_derivative(graph_t * g, int first, int axis, int component)
{
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const expr_t half = expr_constant(g, 0.5);
  if (component == 3) return -expr_mul(g, half, expr_input(g, INPUT_Q, first + axis));
  if (component == axis) return expr_mul(g, half, expr_input(g, INPUT_Q, first + 3));
  // (r x e_axis): component x of it is r_y, component y is -r_x
  if (component == x) return expr_mul(g, half, expr_input(g, INPUT_Q, first + y));
  return -expr_mul(g, half, expr_input(g, INPUT_Q, first + x));
}

// along degree of freedom `dof` of q: dynamics does not depend on the position of a floating base
static expr_t
input_along_q(const differentiation_t * s, const node_t * node, int dof)
{
  const int body = s->robot->model->dof_body[dof];
  const mbd_body_t * model = s->robot->body[body].model;
  if (node->a == INPUT_SIN) return node->b == body ? expr_input(s->g, INPUT_COS, body) : EXPR_ZERO;
  if (node->a == INPUT_COS) return node->b == body ? -expr_input(s->g, INPUT_SIN, body) : EXPR_ZERO;
  if (node->a != INPUT_Q) return EXPR_ZERO;
  if (s->robot->body[body].kind != GEN_FREE) {
    return node->b == model->q_index ? EXPR_ONE : EXPR_ZERO;
  }
  const int axis = dof - model->v_index - 3, component = node->b - model->q_index - 3;
  if (axis < 0 || component < 0 || component > 3) return EXPR_ZERO;
  return quaternion_derivative(s->g, model->q_index + 3, axis, component);
}

static expr_t
input_derivative(const differentiation_t * s, const node_t * node, input_t along, int dof)
{
  if (along == INPUT_Q) return input_along_q(s, node, dof);
  return node->a == INPUT_V && node->b == dof ? EXPR_ONE : EXPR_ZERO;
}

//---------- chain rule ----------

static expr_t
node_derivative(const differentiation_t * s, int i, input_t along, int dof)
{
  graph_t * g = s->g;
  // a copy: new nodes may move the array
  const node_t node = g->node[i];
  if (node.op == OP_CONSTANT) return EXPR_ZERO;
  if (node.op == OP_INPUT) return input_derivative(s, &node, along, dof);
  const expr_t da = derivative_of(s, node.a);
  if (node.op == OP_TANH) {
    const expr_t slope = expr_sub(g, EXPR_ONE, expr_mul(g, i, i));
    return expr_mul(g, slope, da);
  }
  const expr_t db = derivative_of(s, node.b);
  if (da == 0 && db == 0) return EXPR_ZERO;
  graph_section(g, node.section);
  if (node.op == OP_ADD) return expr_add(g, da, db);
  if (node.op == OP_MUL && node.a == node.b) {
    return expr_scale(g, 2, expr_mul(g, node.a, da));
  }
  if (node.op == OP_MUL) return expr_add(g, expr_mul(g, da, node.b), expr_mul(g, node.a, db));
  // (a / b)' = (a' - (a / b) b') / b
  return expr_div(g, expr_sub(g, da, expr_mul(g, i, db)), node.b);
}

// one column of d out / dq or d out / dv
static void
differentiate(differentiation_t * s, const expr_t * out, input_t along, int dof, expr_t * matrix)
{
  const int nv = s->robot->model->nv;
  for (int i = 1; i < s->n; i++) {
    s->d[i] = s->needed[i] ? node_derivative(s, i, along, dof) : EXPR_ZERO;
  }
  for (int k = 0; k < nv; k++) matrix[k * nv + dof] = derivative_of(s, out[k]);
}

bool
gen_inverse_derivatives(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  const int nv = robot->model->nv;
  expr_t * tau = malloc(((size_t)nv + 1) * sizeof *tau);
  if (!tau || !gen_inverse_dynamics(g, robot, tau)) {
    free(tau);
    return false;
  }
  differentiation_t s = {.g = g, .robot = robot, .n = g->n};
  s.needed = calloc((size_t)s.n, sizeof *s.needed);
  s.d = calloc((size_t)s.n, sizeof *s.d);
  const bool ready = s.needed && s.d;
  if (ready) find_needed(&s, tau, nv);
  for (int dof = 0; ready && dof < nv; dof++) {
    differentiate(&s, tau, INPUT_Q, dof, out);
    differentiate(&s, tau, INPUT_V, dof, out + nv * nv);
  }
  free(tau);
  free(s.needed);
  free(s.d);
  return ready;
}

//---------- forward dynamics ----------

// a node with its operands replaced
static expr_t
replaced_node(graph_t * g, int i, const expr_t * image, const expr_t * qdd)
{
  const node_t node = g->node[i];
  if (node.op == OP_INPUT && node.a == INPUT_QDD) return qdd[node.b];
  if (node.op == OP_CONSTANT || node.op == OP_INPUT) return i;
  const expr_t a = node.a < 0 ? -image[-node.a] : image[node.a];
  graph_section(g, node.section);
  if (node.op == OP_TANH) return expr_tanh(g, a);
  const expr_t b = node.b < 0 ? -image[-node.b] : image[node.b];
  if (node.op == OP_ADD) return expr_add(g, a, b);
  return node.op == OP_MUL ? expr_mul(g, a, b) : expr_div(g, a, b);
}

// expressions with accelerations in place of the inputs qdd
static bool
replace_qdd(graph_t * g, const expr_t * qdd, expr_t * out, int nout)
{
  const int n = g->n;
  expr_t * image = calloc((size_t)n, sizeof *image);
  if (!image) return false;
  for (int i = 1; i < n; i++) image[i] = replaced_node(g, i, image, qdd);
  for (int k = 0; k < nout; k++) out[k] = out[k] < 0 ? -image[-out[k]] : image[out[k]];
  free(image);
  return true;
}

// replace column j of D by -M^-1 times it; gen_solve overwrites M, whose factors are the same nodes
// for every column
static void
solve_column(
  graph_t * g, int n, const int * parent, const expr_t * M, expr_t * work, expr_t * D, int j)
{
  expr_t * x = work + n * n;
  memcpy(work, M, (size_t)n * (size_t)n * sizeof *M);
  for (int k = 0; k < n; k++) x[k] = -D[k * n + j];
  gen_solve(g, n, parent, work, x);
  for (int k = 0; k < n; k++) D[k * n + j] = x[k];
}

bool
gen_forward_derivatives(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  const int n = robot->model->nv;
  const size_t size = (size_t)n * (size_t)n;
  expr_t * M = malloc((2 * size + 2 * (size_t)n + 1) * sizeof *M);
  int * parent = malloc(((size_t)n + 1) * sizeof *parent);
  bool done = M && parent;
  if (done) {
    expr_t *work = M + size, *qdd = work + size + n;
    // d qdd / dx = -M^-1 d tau / dx at this qdd
    done = gen_inverse_derivatives(g, robot, out) && gen_forward_by_matrix(g, robot, qdd) &&
           replace_qdd(g, qdd, out, 2 * n * n) && gen_mass_matrix(g, robot, M);
    gen_dof_parents(robot, parent);
    graph_section(g, -1);
    for (int j = 0; done && j < n; j++) {
      solve_column(g, n, parent, M, work, out, j);
      solve_column(g, n, parent, M, work, out + size, j);
    }
  }
  free(M);
  free(parent);
  return done;
}
