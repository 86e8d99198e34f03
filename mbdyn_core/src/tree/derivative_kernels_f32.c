// Derivatives of batches in single precision, compiled once per instruction set: its name is KERNEL_SET, the number
// of floats in its vectors KERNEL_VECTOR_LENGTH.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/joint.h"
#include "tree/derivative_kernels.h"
#include "tree/sweeps.h"
#include "util/arena.h"

#define LENGTH      KERNEL_VECTOR_LENGTH
#define NUMBER      float
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define ALWAYS      static inline __attribute__((always_inline))

typedef float vec_t __attribute__((vector_size(4 * LENGTH)));
typedef float vec_unaligned_t __attribute__((vector_size(4 * LENGTH), aligned(4), may_alias));

ALWAYS vec_t
load(const float * x)
{
  return *(const vec_unaligned_t *)x;
}

ALWAYS void
store(float * x, vec_t v)
{
  *(vec_unaligned_t *)x = v;
}

ALWAYS vec_t
splat(float x)
{
  return x - (vec_t){0};
}

ALWAYS int
smaller(int a, int b)
{
  return a < b ? a : b;
}

// in this order
// clang-format off
#include "tree/derivative_spatial.inc"
#include "tree/derivative_batch.inc"
#include "tree/derivative_batch_solve.inc"
// clang-format on

const mbdi_derivative_batch_kernels_t GLUE(mbdi_derivative_kernels_f32, KERNEL_SET) = {
  .vector_length = LENGTH,
  .work = batch_work,
  .inverse = batch_inverse,
  .forward = batch_forward,
  .matrix = batch_matrix,
};
