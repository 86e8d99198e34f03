/// \file codegen_vector.h
/// Vectors and matrices of recorded numbers, and plane rotations of them.
///
///   vec_t, sym_t, mat_t          three numbers; symmetric and full 3 x 3 matrices
///   vec_add, _sub, _scale, _dot, _cross, _constant
///   sym_add, sym_vec, mat_vec, mat_tvec
///   rotation_t                   cosine and sine of a rotation about an axis
///   vec_turn, sym_turn, mat_turn   R v, R S R^T, R A R^T for such a turn
///
/// A rotation about one axis takes a symmetric matrix to another in 4 multiplications and 6
/// additions for the block that is turned (16 and 8 as two products), because trace and
/// antisymmetric part of the block stay what they are.
#ifndef CODEGEN_VECTOR_H_
#define CODEGEN_VECTOR_H_

#include "codegen_graph.h"

typedef struct vec {
  expr_t e[3];
} vec_t;

typedef struct sym {
  expr_t e[6];  ///< xx xy xz yy yz zz
} sym_t;

typedef struct mat {
  expr_t e[3][3];
} mat_t;

/// A turn about one of the axes.
typedef struct rotation {
  int axis;  ///< 0 x, 1 y, 2 z
  expr_t c, s;
} rotation_t;

/// Place of element (i, j) in a sym_t.
static inline int
sym_at(int i, int j)
{
  static const int AT[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  return AT[i][j];
}

vec_t vec_constant(graph_t * g, const double x[3]);
vec_t vec_add(graph_t * g, vec_t a, vec_t b);
vec_t vec_sub(graph_t * g, vec_t a, vec_t b);
vec_t vec_scale(graph_t * g, expr_t k, vec_t a);
expr_t vec_dot(graph_t * g, vec_t a, vec_t b);
vec_t vec_cross(graph_t * g, vec_t a, vec_t b);

sym_t sym_add(graph_t * g, sym_t a, sym_t b);
vec_t sym_vec(graph_t * g, const sym_t * S, vec_t x);
mat_t mat_add(graph_t * g, const mat_t * A, const mat_t * B);
vec_t mat_vec(graph_t * g, const mat_t * A, vec_t x);
vec_t mat_tvec(graph_t * g, const mat_t * A, vec_t x);
mat_t mat_from_sym(const sym_t * S);

/// [x] A, the cross product with every column.
mat_t mat_cross(graph_t * g, vec_t x, const mat_t * A);

/// The turn back.
static inline rotation_t
rotation_inverse(rotation_t t)
{
  t.s = -t.s;
  return t;
}

vec_t vec_rotate(graph_t * g, rotation_t t, vec_t x);
sym_t sym_rotate(graph_t * g, rotation_t t, const sym_t * S);
mat_t mat_rotate(graph_t * g, rotation_t t, const mat_t * A);

#endif  // CODEGEN_VECTOR_H_
