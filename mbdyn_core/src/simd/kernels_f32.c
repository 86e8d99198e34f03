// Batch kernels in single precision for one instruction set: the templates of kernels.c with float for
// double and the types of kernels_f32.h. KERNEL_VECTOR_LENGTH is the number of floats in a vector.
#include <math.h>
#include <stddef.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "simd/kernels_f32.h"

#define KERNEL_F32
#define ALWAYS      static inline __attribute__((always_inline))
#define OUT_OF_LINE __attribute__((noinline, pure))
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)
#define PADDED(n)   (((n) + 7) & ~7)

typedef float vec_t __attribute__((vector_size(4 * KERNEL_VECTOR_LENGTH)));
typedef int32_t vec_int_t __attribute__((vector_size(4 * KERNEL_VECTOR_LENGTH)));
// at any address
typedef float vec_unaligned_t
  __attribute__((vector_size(4 * KERNEL_VECTOR_LENGTH), aligned(4), may_alias));

// literals of the templates are doubles
#pragma GCC diagnostic ignored "-Wdouble-promotion"

// The templates are written in double. No header is included after this.
#define double float
#define mbd_vec3_t            mbdi_vec3_f32_t
#define mbd_sym3_t            mbdi_sym3_f32_t
#define mbd_frame_t           mbdi_frame_f32_t
#define mbdi_angle_t          mbdi_angle_f32_t
#define mbdi_angle_products_t mbdi_angle_products_f32_t
#define mbdi_base_inertia_t   mbdi_base_inertia_f32_t
#define mbdi_dh_body_t        mbdi_dh_body_f32_t
#define mbdi_plan_body_t      mbdi_plan_body_f32_t
#define mbdi_plan_t           mbdi_plan_f32_t
#define mbdi_kernel_frames_t  mbdi_kernel_frames_f32_t
#define mbdi_kernel_args_t    mbdi_kernel_args_f32_t

// Larger angles [rad] are reduced by the C library.
#undef SINCOS_LARGEST
#define SINCOS_LARGEST 8192.0f

#define REAL                vec_t
#define REAL_UNALIGNED      vec_unaligned_t
#define INT                 vec_int_t
#define SPLAT(x)            ((float)(x) - (vec_t){0})
#define SPLAT_INT(x)        ((x) - (vec_int_t){0})
#define TYPED(name)         GLUE(name, batch)
#define ANY                 any_batch
#define NOT_ABOVE(x, floor) (~((x) > (floor)))
#define ROWS_TOGETHER       (KERNEL_VECTOR_LENGTH == 16 ? 4 : 2)
#define PACKED_MOST         PLAN_MATRIX_F32
// A joint-space inertia below this part of the inertias that it is left of has lost its digits.
#define WEAK_PIVOT 1e-4f
// of the square of a quaternion's norm
#define UNIT_ROUNDING 2e-7f
#define SQUARE_LEAST  1e-30f
#define SQUARE_MOST   1e30f

// as in kernels.c
ALWAYS bool
is_revolute_kind(int kind)
{
  return kind != KIND_PRISMATIC && kind != KIND_FREE && kind != KIND_GENERAL;
}

#define SWITCH_KIND(b, CALL)                                 \
  switch ((b)->form) {                                       \
    case KIND_DH_ALPHA_90: CALL(KIND_DH_ALPHA_90);           \
    case KIND_DH_ALPHA_0: CALL(KIND_DH_ALPHA_0);             \
    case KIND_REVOLUTE_DH: CALL(KIND_REVOLUTE_DH);           \
    case KIND_REVOLUTE_GENERAL: CALL(KIND_REVOLUTE_GENERAL); \
    case KIND_PRISMATIC: CALL(KIND_PRISMATIC);               \
    default: CALL(KIND_FREE);                                \
  }

enum { TO_ANY, TO_HINGE, TO_BASE_HINGE, TO_BASE_FREE };

#include "simd/batch/sincos_f32.inc"

#include "simd/batch/joint_angles.inc"

#include "simd/shared/util.inc"

#include "simd/shared/rnea_body.inc"

#include "simd/batch/soa.inc"

#include "simd/shared/world.inc"

#include "simd/shared/crba_world.inc"

#include "simd/shared/crba_body.inc"

#include "simd/batch/crba.inc"

#include "simd/shared/aba.inc"

#include "simd/batch/frames.inc"

static size_t
work_batch(const mbdi_plan_f32_t * plan)
{
  const size_t of[] = {
    rnea_work_batch(plan), aba_work_batch(plan), crba_work_batch(plan), frames_work_batch(plan)};
  size_t most = 0;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) most = of[k] > most ? of[k] : most;
  return most;
}

_Static_assert(
  sizeof(general_batch) == GENERAL_NUMBERS * sizeof(vec_t), "layout of general joints");

const mbdi_kernels_f32_t GLUE(mbdi_kernels_f32, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .vector_length = KERNEL_VECTOR_LENGTH,
  .work = work_batch,
  .inverse_dynamics = inverse_dynamics_batch,
  .bias = bias_batch,
  .gravity = gravity_batch,
  .mass_matrix = mass_matrix_batch,
  .mass_packed = mass_packed_batch,
  .forward_dynamics = forward_dynamics_batch,
  .frame_placements = frame_placements_batch,
  .frame_jacobian = frame_jacobian_batch,
  .aos_to_soa = aos_to_soa,
  .soa_to_aos = soa_to_aos,
  .load_soa = load_soa,
  .store_soa = store_soa,
  .unit_quaternions = unit_quaternions};
