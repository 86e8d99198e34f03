// Compiled once per instruction set, its name KERNEL_SET and the number of doubles in its vectors
// KERNEL_VECTOR_LENGTH (2, 4 or 8).
#include "tree/derivative_kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#if KERNEL_VECTOR_LENGTH > 2
#include <immintrin.h>
#endif

#include "model/joint.h"
#include "tree/sweeps.h"
#include "util/arena.h"

#define LENGTH      KERNEL_VECTOR_LENGTH
#define NUMBER      double
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define ALWAYS      static inline __attribute__((always_inline))

// in this order
// clang-format off
#include "tree/derivative_vectors.inc"
#include "tree/derivative_spatial.inc"
#include "tree/derivative_bodies.inc"
#include "tree/derivative_matrices.inc"
#include "tree/derivative_products.inc"
#include "tree/derivative_batch.inc"
#include "tree/derivative_batch_solve.inc"
// clang-format on

const mbdi_derivative_kernels_t GLUE(mbdi_derivative_kernels, KERNEL_SET) = {
  .vector_length = LENGTH,
  .bodies = bodies_in_world,
  .sum_subtrees = sum_subtrees,
  .mass = mass_and_torques,
  .accelerate = accelerate_late,
  .motions = dof_motions,
  .forces = dof_forces,
  .matrices = matrices,
  .finite = finite,
  .multiply = multiply,
  .product = product,
  .articulate = articulate,
  .solve = solve,
  .batch =
    {
      .vector_length = LENGTH,
      .work = batch_work,
      .inverse = batch_inverse,
      .forward = batch_forward,
      .matrix = batch_matrix,
    },
};
