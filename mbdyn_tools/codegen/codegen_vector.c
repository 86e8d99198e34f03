// Vectors and matrices of recorded numbers, and plane rotations of them.
#include "codegen_vector.h"

vec_t
vec_constant(graph_t * g, const double x[3])
{
  vec_t v = {{expr_constant(g, x[0]), expr_constant(g, x[1]), expr_constant(g, x[2])}};
  return v;
}

vec_t
vec_add(graph_t * g, vec_t a, vec_t b)
{
  for (int i = 0; i < 3; i++) a.e[i] = expr_add(g, a.e[i], b.e[i]);
  return a;
}

vec_t
vec_sub(graph_t * g, vec_t a, vec_t b)
{
  for (int i = 0; i < 3; i++) a.e[i] = expr_sub(g, a.e[i], b.e[i]);
  return a;
}

vec_t
vec_scale(graph_t * g, expr_t k, vec_t a)
{
  for (int i = 0; i < 3; i++) a.e[i] = expr_mul(g, k, a.e[i]);
  return a;
}

expr_t
vec_dot(graph_t * g, vec_t a, vec_t b)
{
  expr_t sum = EXPR_ZERO;
  for (int i = 0; i < 3; i++) sum = expr_add(g, sum, expr_mul(g, a.e[i], b.e[i]));
  return sum;
}

vec_t
vec_cross(graph_t * g, vec_t a, vec_t b)
{
  vec_t c;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c.e[i] = expr_sub(g, expr_mul(g, a.e[j], b.e[k]), expr_mul(g, a.e[k], b.e[j]));
  }
  return c;
}

sym_t
sym_add(graph_t * g, sym_t a, sym_t b)
{
  for (int i = 0; i < 6; i++) a.e[i] = expr_add(g, a.e[i], b.e[i]);
  return a;
}

mat_t
mat_from_sym(const sym_t * S)
{
  mat_t A;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) A.e[i][j] = S->e[sym_at(i, j)];
  }
  return A;
}

vec_t
mat_vec(graph_t * g, const mat_t * A, vec_t x)
{
  vec_t y;
  for (int i = 0; i < 3; i++) {
    const vec_t row = {{A->e[i][0], A->e[i][1], A->e[i][2]}};
    y.e[i] = vec_dot(g, row, x);
  }
  return y;
}

vec_t
mat_tvec(graph_t * g, const mat_t * A, vec_t x)
{
  vec_t y;
  for (int j = 0; j < 3; j++) {
    const vec_t column = {{A->e[0][j], A->e[1][j], A->e[2][j]}};
    y.e[j] = vec_dot(g, column, x);
  }
  return y;
}

vec_t
sym_vec(graph_t * g, const sym_t * S, vec_t x)
{
  const mat_t A = mat_from_sym(S);
  return mat_vec(g, &A, x);
}

mat_t
mat_add(graph_t * g, const mat_t * A, const mat_t * B)
{
  mat_t C;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) C.e[i][j] = expr_add(g, A->e[i][j], B->e[i][j]);
  }
  return C;
}

mat_t
mat_cross(graph_t * g, vec_t x, const mat_t * A)
{
  mat_t C;
  for (int j = 0; j < 3; j++) {
    const vec_t column = {{A->e[0][j], A->e[1][j], A->e[2][j]}};
    const vec_t y = vec_cross(g, x, column);
    for (int i = 0; i < 3; i++) C.e[i][j] = y.e[i];
  }
  return C;
}

//---------- turns ----------

vec_t
vec_rotate(graph_t * g, rotation_t t, vec_t x)
{
  const int i = (t.axis + 1) % 3, j = (t.axis + 2) % 3;
  vec_t y = x;
  y.e[i] = expr_sub(g, expr_mul(g, t.c, x.e[i]), expr_mul(g, t.s, x.e[j]));
  y.e[j] = expr_add(g, expr_mul(g, t.s, x.e[i]), expr_mul(g, t.c, x.e[j]));
  return y;
}

// the block [a b; d e] of a matrix turned in its plane, in place
static void
turn_block(graph_t * g, rotation_t t, expr_t * a, expr_t * b, expr_t * d, expr_t * e)
{
  if (t.s == EXPR_ZERO) return;
  if (t.c == EXPR_ZERO) {
    const expr_t swap_a = *a, swap_b = *b;
    *a = *e, *e = swap_a;
    *b = -*d, *d = -swap_b;
    return;
  }
  // u = s (a - e) + c (b + d)
  const expr_t difference = expr_sub(g, *a, *e), sum = expr_add(g, *b, *d);
  const expr_t u = expr_add(g, expr_mul(g, t.s, difference), expr_mul(g, t.c, sum));
  const expr_t su = expr_mul(g, t.s, u), cu = expr_mul(g, t.c, u);
  const expr_t old_b = *b;
  *a = expr_sub(g, *a, su);
  *e = expr_add(g, *e, su);
  *b = expr_sub(g, cu, *d);
  *d = expr_sub(g, cu, old_b);
}

mat_t
mat_rotate(graph_t * g, rotation_t t, const mat_t * A)
{
  const int k = t.axis, i = (k + 1) % 3, j = (k + 2) % 3;
  mat_t B = *A;
  turn_block(g, t, &B.e[i][i], &B.e[i][j], &B.e[j][i], &B.e[j][j]);
  const vec_t column = vec_rotate(g, t, (vec_t){{A->e[0][k], A->e[1][k], A->e[2][k]}});
  const vec_t row = vec_rotate(g, t, (vec_t){{A->e[k][0], A->e[k][1], A->e[k][2]}});
  B.e[i][k] = column.e[i], B.e[j][k] = column.e[j];
  B.e[k][i] = row.e[i], B.e[k][j] = row.e[j];
  return B;
}

sym_t
sym_rotate(graph_t * g, rotation_t t, const sym_t * S)
{
  const mat_t A = mat_from_sym(S);
  const mat_t B = mat_rotate(g, t, &A);
  sym_t T;
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++) T.e[sym_at(i, j)] = B.e[i][j];
  }
  return T;
}
