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
#define KERNEL_NUMBER  float
#define KERNEL_INTEGER int32_t
#include "simd/shared/vectors.inc"

// literals of the templates are doubles
#pragma GCC diagnostic ignored "-Wdouble-promotion"

// The templates are written in double. No header is included after this.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
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
#define mbdi_kernels_t        mbdi_kernels_f32_t

// Larger angles [rad] are reduced by the C library.
#undef SINCOS_LARGEST
#define SINCOS_LARGEST 8192.0f

// A joint-space inertia below this part of the inertias that it is left of has lost its digits.
#define WEAK_PIVOT 1e-4f
// of the square of a quaternion's norm
#define UNIT_ROUNDING 2e-7f
#define SQUARE_LEAST  1e-30f
#define SQUARE_MOST   1e30f

#define REAL     vec_t
#define INT      vec_int_t
#define SPLAT(x) ((float)(x) - (vec_t){0})
#include "simd/batch/sincos_f32.inc"
#undef REAL
#undef INT
#undef SPLAT

#define ROWS_TOGETHER (KERNEL_VECTOR_LENGTH == 16 ? 4 : 2)
#define PACKED_MOST   PLAN_COMPLETE
#define KERNELS_BATCH mbdi_kernels_f32
#include "simd/batch/kernels.inc"
