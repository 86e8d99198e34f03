// A simplified program as the body of a C function.
#include "codegen_write.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "codegen_angles.h"
#include "codegen_order.h"

// an array with as many zeros is cleared as a whole
enum { CLEARED_FROM = 32 };

// an expression of more operands becomes a variable of its own; so does a sum inside a product
enum { LONGEST = 9, LONGEST_FACTOR = 3, MAX_TERMS = 2 * LONGEST + 2, WIDTH = 96 };

typedef struct writer {
  FILE * to;
  const gen_robot_t * robot;
  const program_t * program;
  bool * has_variable;  // node has a variable
  int * name;           // its number: 1, 2, ... in the order of the text
  int * sign;           // -1: the variable holds minus the node
  int * leaves;         // operands in the text of a node's expression
  int * first;          // first output that is a node, or -1
  int * next;           // next output that is the same node, or -1
  bool * angle_needed;  // of each body: its angle is needed
  angles_t angles;
  int nname;
} writer_t;

static const node_t *
node_at(const writer_t * w, expr_t e)
{
  return graph_node(&w->program->graph, e);
}

//---------- what becomes a variable ----------

static bool
is_leaf(const node_t * node)
{
  return node->op == OP_CONSTANT || node->op == OP_INPUT;
}

static int
operand_leaves(writer_t * w, const node_t * user, expr_t e)
{
  const int i = abs(e);
  const node_t * node = &w->program->graph.node[i];
  if (is_leaf(node)) return 1;
  // sums need parentheses in a product, quotients everywhere
  const bool needs = node->op == OP_ADD && user->op != OP_ADD;
  if (w->leaves[i] > (needs ? LONGEST_FACTOR : LONGEST)) w->has_variable[i] = true;
  return w->has_variable[i] ? 1 : w->leaves[i];
}

// every use is an output of the same sign: `a[1] = a[7] = ...` without a variable
static bool
is_only_output(const writer_t * w, int i)
{
  int n = 0, sign = 0;
  for (int k = w->first[i]; k >= 0; k = w->next[k], n++) {
    const int s = w->program->out[k] < 0 ? -1 : 1;
    if (sign * s < 0) return false;
    sign = s;
  }
  return n == w->program->uses[i];
}

static void
plan(writer_t * w)
{
  const graph_t * g = &w->program->graph;
  for (int k = w->program->nout - 1; k >= 0; k--) {
    const int i = abs(w->program->out[k]);
    w->next[k] = w->first[i];
    w->first[i] = k;
  }
  for (int i = 1; i < g->n; i++) {
    const node_t * node = &g->node[i];
    if (w->program->uses[i] == 0) continue;
    if (node->op == OP_INPUT && node->a <= INPUT_COS) w->angle_needed[node->b] = true;
    if (is_leaf(node)) continue;
    expr_t operand[MAX_LANES];
    const int n = node_operands(node, operand);
    for (int k = 0; k < n; k++) w->leaves[i] += operand_leaves(w, node, operand[k]);
    w->has_variable[i] = node->op == OP_PACK || (w->program->uses[i] > 1 && !is_only_output(w, i));
    if (node->op == OP_LANE) w->has_variable[abs(node->a)] = true;
    w->sign[i] = 1;
  }
}

//---------- expressions ----------

typedef struct text {
  char buffer[4096];
  size_t n;
} text_t;

static void __attribute__((format(printf, 2, 3))) append(text_t * text, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  const size_t capacity = sizeof text->buffer - text->n;
  const int length = vsnprintf(text->buffer + text->n, capacity, format, list);
  va_end(list);
  if (length > 0) text->n += (size_t)length < capacity ? (size_t)length : capacity - 1;
}

void
write_number(double x, char * text)
{
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  // an integer would do, but is no floating-point constant
  if (!strpbrk(text, ".en")) strcat(text, ".0");
}

void
write_comment(const char * name, char * text, size_t size)
{
  size_t n = 0;
  for (; name[n] && n + 1 < size; n++) {
    const bool plain = name[n] >= ' ' && name[n] <= '~' && name[n] != '\\';
    text[n] = plain ? name[n] : '?';
  }
  text[n] = 0;
}

// sign of a number as the text of its magnitude has it
static int
sign_of(const writer_t * w, expr_t e)
{
  const int i = abs(e);
  const node_t * node = &w->program->graph.node[i];
  const int sign = e < 0 ? -1 : 1;
  if (w->has_variable[i]) return sign * w->sign[i];
  if (node->op == OP_MUL || node->op == OP_DIV) {
    return sign * sign_of(w, node->a) * sign_of(w, node->b);
  }
  return node->op == OP_LANE ? sign * sign_of(w, node->a) : sign;
}

static void print_sum(const writer_t * w, int i, int sign, text_t * text);

static void
print_input(const writer_t * w, const node_t * node, text_t * text)
{
  static const char * const ARRAY[] = {"s", "c", "q", "v", "qdd", "tau"};
  const bool angle = node->a <= INPUT_COS;
  const int at = angle ? angles_place(&w->angles, &w->robot->body[node->b]) : node->b;
  append(text, "%s[%d]", ARRAY[node->a], at);
}

// K(x), or K2(x, y) of a vector
static void
print_constant(const node_t * node, text_t * text)
{
  append(text, node->width == 1 ? "K(" : "K%d(", node->width);
  for (int l = 0; l < node->width; l++) {
    char number[32];
    write_number(fabs(node->value.x[l]), number);
    append(text, "%s%s%s", l > 0 ? ", " : "", node->value.x[l] < 0 ? "-" : "", number);
  }
  append(text, ")");
}

static void
print_pack(const writer_t * w, const node_t * node, text_t * text)
{
  append(text, "(lanes%d){", node->width);
  for (int l = 0; l < node->width; l++) {
    if (l > 0) append(text, ", ");
    print_sum(w, abs(node->lane[l]), node->lane[l] < 0 ? -1 : 1, text);
  }
  append(text, "}");
}

// magnitude of a number: a product, or something that can stand in one
static void
print_factor(const writer_t * w, int i, text_t * text)
{
  const node_t * node = &w->program->graph.node[i];
  const op_t op = w->has_variable[i] ? OP_INPUT : node->op;
  if (w->has_variable[i]) {
    append(text, "t%d", w->name[i]);
  } else if (op == OP_CONSTANT) {
    print_constant(node, text);
  } else if (op == OP_PACK) {
    print_pack(w, node, text);
  } else if (op == OP_LANE) {
    append(text, "t%d[%d]", w->name[abs(node->a)], node->b);
  } else if (op == OP_INPUT) {
    print_input(w, node, text);
  } else if (op == OP_MUL || op == OP_DIV) {
    append(text, "%s", op == OP_DIV ? "(" : "");
    print_factor(w, abs(node->a), text);
    append(text, "%s", op == OP_DIV ? "/" : "*");
    print_factor(w, abs(node->b), text);
    append(text, "%s", op == OP_DIV ? ")" : "");
  } else {
    append(text, "%s", op == OP_TANH ? "TANH(" : "(");
    print_sum(w, op == OP_TANH ? abs(node->a) : i, 1, text);
    append(text, ")");
  }
}

typedef struct terms {
  int node[MAX_TERMS], sign[MAX_TERMS];
  int n;
} terms_t;

// terms of a sum: parts that have no variable are taken apart
static void
collect_terms(const writer_t * w, int i, int sign, terms_t * terms)
{
  const node_t * node = &w->program->graph.node[i];
  if (node->op == OP_ADD && !w->has_variable[i] && terms->n + 2 <= MAX_TERMS) {
    // the longer part first: x + a b + c d needs no parentheses
    const bool swap = !w->has_variable[abs(node->b)] && node_at(w, node->b)->op == OP_ADD;
    const expr_t part[2] = {swap ? node->b : node->a, swap ? node->a : node->b};
    for (int k = 0; k < 2; k++) {
      collect_terms(w, abs(part[k]), part[k] < 0 ? -sign : sign, terms);
    }
    return;
  }
  terms->node[terms->n] = i;
  terms->sign[terms->n++] = sign * sign_of(w, i);
}

// a positive term to the front
static void
begin_positive(terms_t * terms)
{
  int k = 0;
  while (k < terms->n && terms->sign[k] < 0) k++;
  if (k == 0 || k == terms->n) return;
  const int node = terms->node[k];
  for (; k > 0; k--) {
    terms->node[k] = terms->node[k - 1];
    terms->sign[k] = terms->sign[k - 1];
  }
  terms->node[0] = node;
  terms->sign[0] = 1;
}

// sign * node i, as a sum (of one term, if it is none)
static void
print_sum(const writer_t * w, int i, int sign, text_t * text)
{
  terms_t terms = {.n = 0};
  collect_terms(w, i, sign, &terms);
  begin_positive(&terms);
  for (int k = 0; k < terms.n; k++) {
    const char * minus = k == 0 ? "-" : " - ";
    const char * plus = k == 0 ? "" : " + ";
    append(text, "%s", terms.sign[k] < 0 ? minus : plus);
    print_factor(w, terms.node[k], text);
  }
}

//---------- statements ----------

// characters up to the next + or - outside parentheses
static size_t
piece_length(const char * text)
{
  int depth = 0;
  size_t n = 0;
  do {
    depth += text[n] == '(';
    depth -= text[n] == ')';
    n++;
  } while (text[n] && (depth > 0 || text[n] != ' ' || !strchr("+-", text[n + 1])));
  return n;
}

// a statement, broken before + or - where it is too long
static void
put_statement(FILE * to, const char * text)
{
  size_t column = 2;
  fputs("  ", to);
  while (*text) {
    const size_t length = piece_length(text);
    if (column + length > WIDTH && column > 5) {
      fputs("\n     ", to);
      column = 5;
    }
    fwrite(text, 1, length, to);
    column += length;
    text += length;
  }
  fputs(";\n", to);
}

static void
put_variable(writer_t * w, int i)
{
  text_t text = {.n = 0};
  terms_t terms = {.n = 0};
  // written out, and holding what begins without a minus
  w->has_variable[i] = false;
  collect_terms(w, i, 1, &terms);
  const int width = w->program->graph.node[i].width;
  append(&text, width == 1 ? "const real " : "const lanes%d ", width);
  append(&text, "t%d = ", w->nname + 1);
  print_sum(w, i, terms.sign[0], &text);
  w->sign[i] = terms.sign[0];
  w->has_variable[i] = true;
  w->name[i] = ++w->nname;
  put_statement(w->to, text.buffer);
}

// "a[1] = a[7] = " for up to 8 outputs that are sign * node i, from k on; the one after them
static int
append_targets(const writer_t * w, const array_t * arrays, int sign, int k, text_t * text)
{
  for (int n = 0; k >= 0 && n < 8; k = w->next[k]) {
    if ((w->program->out[k] < 0 ? -1 : 1) != sign) continue;
    const array_t * array = arrays;
    int at = k;
    while (at >= array->size) at -= (array++)->size;
    append(text, "%s[%d] = ", array->name, at);
    n++;
  }
  return k;
}

static void
put_outputs(writer_t * w, const array_t * arrays, int i)
{
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int k = w->first[i]; k >= 0;) {
      text_t text = {.n = 0};
      k = append_targets(w, arrays, sign, k, &text);
      if (text.n == 0) continue;
      if (i == 0) {
        append(&text, "0");
      } else {
        print_sum(w, i, sign, &text);
      }
      put_statement(w->to, text.buffer);
    }
  }
}

// say whose the next statements are; one or two strays are not worth it
static void
put_section(const writer_t * w, const int * node, int n, int * section)
{
  const int now = w->program->graph.node[node[0]].section;
  if (now == *section) return;
  for (int k = 1; k < 3 && k < n; k++) {
    if (w->program->graph.node[node[k]].section != now) return;
  }
  *section = now;
  if (now < 0) {
    fputs("\n  // all joints\n", w->to);
  } else {
    char name[80];
    write_comment(w->robot->body[now].model->joint_name, name, sizeof name);
    fprintf(w->to, "\n  // %s\n", name);
  }
}

// zeros of an array that is mostly zero are cleared before anything is stored in it
static void
put_zeros(writer_t * w, const array_t * arrays)
{
  int first = 0;
  for (const array_t * array = arrays; array->name; first += (array++)->size) {
    int zeros = 0;
    for (int k = 0; k < array->size; k++) zeros += w->program->out[first + k] == EXPR_ZERO;
    if (zeros < CLEARED_FROM) continue;
    fprintf(w->to, "  memset(%s, 0, %d * sizeof(real));\n", array->name, array->size);
    // taken out of the list
    for (int * k = &w->first[0]; *k >= 0;) {
      if (*k >= first && *k < first + array->size) {
        *k = w->next[*k];
      } else {
        k = &w->next[*k];
      }
    }
  }
}

// outputs that are not computed at all
static void
put_constants(writer_t * w, const array_t * arrays)
{
  bool head = false;
  for (int i = 0; i < w->program->graph.n; i++) {
    if (w->first[i] < 0 || !is_leaf(&w->program->graph.node[i])) continue;
    if (!head) fputs("\n  // constant\n", w->to);
    head = true;
    put_outputs(w, arrays, i);
  }
}

//---------- order ----------

// variables that the text of a node's expression has in it
static void
find_operands(const writer_t * w, int i, bool root, const int * number, int * operand, int * n)
{
  const node_t * node = &w->program->graph.node[i];
  if (is_leaf(node)) return;
  if (w->has_variable[i] && !root) {
    for (int k = 0; k < *n; k++) {
      if (operand[k] == number[i]) return;
    }
    operand[(*n)++] = number[i];
    return;
  }
  expr_t part[MAX_LANES];
  const int nparts = node_operands(node, part);
  for (int k = 0; k < nparts; k++) find_operands(w, abs(part[k]), false, number, operand, n);
}

// nodes that are statements, and what each needs
static void
find_statements(const writer_t * w, int * node, int * number, statements_t * s)
{
  int used = 0;
  for (int i = 1; i < w->program->graph.n; i++) {
    if (w->program->uses[i] == 0 || is_leaf(&w->program->graph.node[i])) continue;
    if (!w->has_variable[i] && w->first[i] < 0) continue;
    number[i] = s->n;
    node[s->n] = i;
    s->variable[s->n] = w->has_variable[i];
    s->first[s->n] = used;
    int n = 0;
    find_operands(w, i, true, number, s->operand + used, &n);
    used += n;
    s->first[++s->n] = used;
  }
}

static bool
put_statements(writer_t * w, const array_t * arrays)
{
  const size_t n = (size_t)w->program->graph.n + 1;
  // every node is named in one statement or stands for itself
  int * block = calloc((4 + MAX_LANES) * n, sizeof *block);
  statements_t s = {.variable = calloc(n, sizeof *s.variable)};
  bool done = block && s.variable;
  if (done) {
    int *node = block, *number = block + n, *order = block + 2 * n;
    s.first = block + 3 * n, s.operand = block + 4 * n;
    find_statements(w, node, number, &s);
    done = order_statements(&s, order);
    for (int k = 0; k < s.n; k++) number[k] = node[order[k]];
    int section = -2;
    for (int k = 0; done && k < s.n; k++) {
      put_section(w, &number[k], s.n - k, &section);
      if (w->has_variable[number[k]]) put_variable(w, number[k]);
      put_outputs(w, arrays, number[k]);
    }
  }
  if (done) put_constants(w, arrays);
  free(block);
  free(s.variable);
  return done;
}

//---------- function ----------

static void
put_unused(const writer_t * w, unsigned inputs)
{
  static const char * const ARRAY[] = {"s", "c", "q", "v", "qdd", "tau"};
  unsigned used = w->angles.nrun > 0 ? 1u << INPUT_Q : 0;
  for (int i = 1; i < w->program->graph.n; i++) {
    const node_t * node = &w->program->graph.node[i];
    if (w->program->uses[i] > 0 && node->op == OP_INPUT) used |= 1u << node->a;
  }
  for (int k = INPUT_Q; k <= INPUT_TAU; k++) {
    if (inputs & ~used & (1u << k)) fprintf(w->to, "  (void)%s;\n", ARRAY[k]);
  }
}

bool
write_body(
  FILE * to, const gen_robot_t * robot, const program_t * program, const array_t * arrays,
  unsigned inputs)
{
  const size_t n = (size_t)program->graph.n, nout = (size_t)program->nout + 1;
  writer_t w = {.to = to, .robot = robot, .program = program};
  w.has_variable = calloc(n + (size_t)robot->n, sizeof *w.has_variable);
  w.name = calloc(4 * n + nout, sizeof *w.name);
  bool done = w.has_variable && w.name;
  if (done) {
    w.angle_needed = w.has_variable + n;
    w.sign = w.name + n, w.leaves = w.sign + n, w.first = w.leaves + n, w.next = w.first + n;
    for (size_t i = 0; i < n; i++) w.first[i] = -1;
    plan(&w);
    done = angles_plan(robot, w.angle_needed, &w.angles);
  }
  if (done) {
    angles_put(to, robot, &w.angles);
    put_unused(&w, inputs);
    put_zeros(&w, arrays);
    done = put_statements(&w, arrays);
  }
  angles_free(&w.angles);
  free(w.has_variable);
  free(w.name);
  return done;
}
