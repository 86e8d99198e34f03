// The kernels for one instruction set: compiled once for each, with its flags, its name KERNEL_SET
// and the number of doubles in its vectors KERNEL_LANES.
//
// shared/*.inc are included twice, for one state and for several: TYPED(name) is then name_single
// or name_batch (name_four for four angles). single/*.inc and batch/*.inc are included once.
#include <math.h>
#include <stddef.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "simd/kernels.h"

#define ALWAYS      static inline __attribute__((always_inline))
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)

// n rounded up to a multiple of eight, the widest vector
#define PADDED(n) (((n) + 7) & ~7)

typedef double vec_t __attribute__((vector_size(8 * KERNEL_LANES)));
typedef int64_t vec_int_t __attribute__((vector_size(8 * KERNEL_LANES)));
// at any address
typedef double vec_unaligned_t
  __attribute__((vector_size(8 * KERNEL_LANES), aligned(8), may_alias));
typedef double vec4_t __attribute__((vector_size(32)));
typedef double vec4_unaligned_t __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t vec4_int_t __attribute__((vector_size(32)));

// true for the revolute kinds and their special cases
ALWAYS bool
is_revolute_kind(int kind)
{
  return kind != KIND_PRISMATIC && kind != KIND_FREE && kind != KIND_GENERAL;
}

// lanes a to d of u and v, of which v has numbers from 4 on
#ifdef __clang__
#define MERGE(u, v, a, b, c, d) __builtin_shufflevector(u, v, a, b, c, d)
#else
#define MERGE(u, v, a, b, c, d) __builtin_shuffle(u, v, (vec4_int_t){a, b, c, d})
#endif
#define SHUFFLE(v, a, b, c, d) MERGE(v, v, a, b, c, d)
#define YZX(v)                 SHUFFLE(v, 1, 2, 0, 3)
#define ZXY(v)                 SHUFFLE(v, 2, 0, 1, 3)

// CALL(kind) with the kind of a body as a compile-time constant
#define SWITCH_KIND(b, CALL)                                 \
  switch ((b)->form) {                                       \
    case KIND_DH_ALPHA_90: CALL(KIND_DH_ALPHA_90);           \
    case KIND_DH_ALPHA_0: CALL(KIND_DH_ALPHA_0);             \
    case KIND_REVOLUTE_DH: CALL(KIND_REVOLUTE_DH);           \
    case KIND_REVOLUTE_GENERAL: CALL(KIND_REVOLUTE_GENERAL); \
    case KIND_PRISMATIC: CALL(KIND_PRISMATIC);               \
    default: CALL(KIND_FREE);                                \
  }

//---------- one state ----------

#define REAL        vec4_t
#define INT         vec4_int_t
#define TYPED(name) GLUE(name, four)
#include "simd/shared/sincos.inc"
#undef REAL
#undef INT
#undef TYPED

// eight angles of one state, or one angle of as many states as the vector has lanes
#define REAL        vec_t
#define INT         vec_int_t
#define TYPED(name) GLUE(name, batch)
#include "simd/shared/sincos.inc"
#undef REAL
#undef INT
#undef TYPED

#include "simd/single/joint_angles.inc"

#define REAL        double
#define SPLAT(x)    (x)
#define TYPED(name) GLUE(name, single)
#include "simd/shared/util.inc"

#include "simd/shared/rnea_body.inc"
#undef REAL
#undef SPLAT
#undef TYPED

// in the order of what they use of each other
#include "simd/single/vector.inc"

#include "simd/single/fk.inc"

#include "simd/single/wrench.inc"

#include "simd/single/rnea_world.inc"

#include "simd/single/crba.inc"

#include "simd/single/articulated.inc"

#include "simd/single/aba.inc"

#include "simd/single/osim.inc"

#include "simd/single/factor_sweeps.inc"

#include "simd/single/spd_inverse.inc"

#include "simd/single/minverse.inc"

#include "simd/single/momentum.inc"

#include "simd/single/frame_jacobian.inc"

//---------- several states ----------

// a number in all lanes
#define SPLAT_BATCH(x) ((x) - (vec_t){0})

#include "simd/batch/joint_angles.inc"

#define REAL        vec_t
#define SPLAT       SPLAT_BATCH
#define TYPED(name) GLUE(name, batch)
#include "simd/shared/util.inc"

#include "simd/shared/rnea_body.inc"
#undef REAL
#undef SPLAT
#undef TYPED

#include "simd/batch/soa.inc"

#include "simd/batch/world.inc"

#include "simd/batch/crba_world.inc"

#include "simd/batch/crba_body.inc"

#include "simd/batch/crba.inc"

#include "simd/batch/aba.inc"

#include "simd/batch/frames.inc"

//---------- the tables ----------

// enough for each kernel, and for one body more: the world
static size_t
work_single(const mbdi_plan_t * plan)
{
  const size_t body = sizeof(single_body_t) + sizeof(single_articulated_t);
  _Static_assert(
    sizeof(single_local_t) + sizeof(momentum_body_t) <=
      sizeof(single_body_t) + sizeof(single_articulated_t),
    "work memory of momenta");
  const size_t numbers = 2 * (size_t)PADDED(plan->nbody) + 20 * (size_t)(PADDED(plan->nv) + 8);
  return rnea_work_single(plan) + (size_t)(plan->nbody + 1) * body + numbers * sizeof(double) +
         (size_t)plan->ngeneral * sizeof(aba_general_t);
}

// of the kernels that use articulated inertias
static size_t
articulated_work_single(const mbdi_plan_t * plan)
{
  const size_t slots = (size_t)plan->slots, rows = (size_t)plan->nv + 8;
  const size_t columns = plan->slots <= PLAN_SLOTS ? 2 * KERNEL_LANES * (rows + 6 * slots) : 0;
  const size_t angles = 2 * (size_t)PADDED(plan->nbody);
  return (size_t)plan->nbody * (sizeof(single_hinge_t) + sizeof(single_free_t)) +
         slots * sizeof(single_articulated_t) + (size_t)plan->ngeneral * sizeof(single_general_t) +
         (columns > angles ? columns : angles) * sizeof(double) + 64;
}

static size_t
work_batch(const mbdi_plan_t * plan)
{
  const size_t of[] = {
    rnea_work_batch(plan), aba_work_batch(plan), crba_work_batch(plan), frames_work_batch(plan)};
  size_t most = 0;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) most = of[k] > most ? of[k] : most;
  return most;
}

const mbdi_kernels_t GLUE(mbdi_kernels, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .lanes = 1,
  .work = work_single,
  .articulated_work = articulated_work_single,
  .inverse_dynamics = single_inverse_dynamics,
  .bias = single_bias,
  .gravity = single_gravity,
  .mass_matrix = single_mass_matrix,
  .forward_dynamics = single_forward_dynamics,
  .inverse_dynamics_wrenches = single_inverse_dynamics_wrenches,
  .forward_dynamics_wrenches = single_forward_dynamics_wrenches,
  .copy_wrenches = single_copy_wrenches,
  .mass_inverse = single_mass_inverse,
  .articulate = single_articulate,
  .factor = single_factor,
  .factor_product = single_factor_product,
  .solve = single_solve,
  .factor_apply = single_factor_apply,
  .hinge_inverses = single_hinge_inverses,
  .invert = single_invert,
  .copy_if_finite = single_copy_if_finite,
  .copy_state_if_finite = single_copy_state_if_finite,
  .placements = single_placements,
  .momentum = single_momentum,
  .joint_momentum = single_joint_momentum,
  .jacobian = single_jacobian,
  .jacobian_bias = single_jacobian_bias,
  .sincos = sincos_array};

const mbdi_kernels_t GLUE(mbdi_kernels_batch, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .lanes = KERNEL_LANES,
  .work = work_batch,
  .inverse_dynamics = inverse_dynamics_batch,
  .bias = bias_batch,
  .gravity = gravity_batch,
  .mass_matrix = mass_matrix_batch,
  .forward_dynamics = forward_dynamics_batch,
  .frame_placements = frame_placements_batch,
  .frame_jacobian = frame_jacobian_batch,
  .aos_to_soa = aos_to_soa,
  .soa_to_aos = soa_to_aos,
  .unit_quaternions = unit_quaternions,
  .load_soa = load_soa,
  .store_soa = store_soa,
  .mass_packed = mass_packed_batch,

  .sincos = sincos_array};
