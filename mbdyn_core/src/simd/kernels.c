// The kernels for one instruction set: compiled once for each, with its flags, its name KERNEL_SET
// and the number of doubles in its vectors KERNEL_VECTOR_LENGTH.
//
// shared/*.inc are included for one state and for several: TYPED(name) is then name_single or name_batch
// (name_four for four angles). single/*.inc and batch/*.inc are included once.
#include <math.h>
#include <stddef.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "simd/kernels.h"

#define KERNEL_NUMBER  double
#define KERNEL_INTEGER int64_t
#include "simd/shared/vectors.inc"

typedef double vec4_t __attribute__((vector_size(32)));
typedef double vec4_unaligned_t __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t vec4_int_t __attribute__((vector_size(32)));

// elements a to d of u and v, of which v has numbers from 4 on
#ifdef __clang__
#define MERGE(u, v, a, b, c, d) __builtin_shufflevector(u, v, a, b, c, d)
#else
#define MERGE(u, v, a, b, c, d) __builtin_shuffle(u, v, (vec4_int_t){a, b, c, d})
#endif
#define SHUFFLE(v, a, b, c, d) MERGE(v, v, a, b, c, d)
#define YZX(v)                 SHUFFLE(v, 1, 2, 0, 3)
#define ZXY(v)                 SHUFFLE(v, 2, 0, 1, 3)

// shared/aba.inc: a joint-space inertia below this part of the inertias that it is left of is rounding
#define WEAK_PIVOT 1e-12
// batch/soa.inc: square of a quaternion's norm
#define UNIT_ROUNDING 1e-15
#define SQUARE_LEAST  1e-200
#define SQUARE_MOST   1e200

//---------- one state ----------

// one angle of as many states as the vector has elements, or eight angles of one state
#define REAL        vec_t
#define INT         vec_int_t
#define TYPED(name) GLUE(name, batch)
#include "simd/shared/sincos.inc"
#undef REAL
#undef INT
#undef TYPED

#if KERNEL_VECTOR_LENGTH >= 4

#define REAL        vec4_t
#define INT         vec4_int_t
#define TYPED(name) GLUE(name, four)
#include "simd/shared/sincos.inc"
#undef REAL
#undef INT
#undef TYPED

#include "simd/single/joint_angles.inc"

// of one state: sines in the arguments
#define GIVEN_SINES
#define REAL           double
#define REAL_UNALIGNED double
#define SPLAT(x)       (x)
#define TYPED(name)    GLUE(name, single)
#include "simd/shared/util.inc"

#include "simd/shared/rnea_body.inc"

#include "simd/shared/energy.inc"
#undef REAL
#undef REAL_UNALIGNED
#undef SPLAT
#undef TYPED

// in the order of what they use of each other
#include "simd/single/vector.inc"

#include "simd/single/fk.inc"

#include "simd/single/step.inc"

#include "simd/single/wrench.inc"

#include "simd/single/rnea_world.inc"

#include "simd/single/crba.inc"

#include "simd/single/articulated.inc"

#include "simd/single/aba.inc"

#include "simd/single/osim.inc"

#include "simd/single/factor_sweeps.inc"
#include "simd/single/hinge_gains.inc"

#include "simd/single/spd_inverse.inc"

#include "simd/single/minverse.inc"

#include "simd/single/minverse_roots.inc"

#include "simd/single/momentum.inc"

#include "simd/single/frame_jacobian.inc"

#else

#define GIVEN_SINES
#define REAL                double
#define REAL_UNALIGNED      double
#define INT                 uint64_t
#define SPLAT(x)            (x)
#define SPLAT_INT(x)        (x)
#define TYPED(name)         GLUE(name, single)
#define ANY(x)              ((x) != 0)
#define NOT_ABOVE(x, floor) ((uint64_t) !((x) > (floor)))
#define ROWS_TOGETHER       2
#define PACKED_MOST         PLAN_LISTED
#define ABA_WRENCHES        aba_wrenches_single
#include "simd/shared/sincos.inc"

#include "simd/single/scalar.inc"

#include "simd/shared/util.inc"

#include "simd/shared/rnea_body.inc"

#include "simd/shared/energy.inc"

#include "simd/shared/world.inc"

#include "simd/shared/crba_world.inc"

#include "simd/shared/crba_body.inc"

#include "simd/shared/aba.inc"

#include "simd/single/crba_scalar.inc"

#include "simd/single/articulated_scalar.inc"

#include "simd/single/osim_scalar.inc"

#include "simd/single/minverse_scalar.inc"

#include "simd/single/minverse_factors.inc"

#include "simd/single/scalar_placements.inc"

#include "simd/single/scalar_frames.inc"

#include "simd/single/scalar_momentum.inc"
#undef REAL
#undef REAL_UNALIGNED
#undef INT
#undef SPLAT
#undef SPLAT_INT
#undef TYPED
#undef ANY
#undef NOT_ABOVE
#undef ROWS_TOGETHER
#undef PACKED_MOST
#undef ABA_WRENCHES

#endif

#undef GIVEN_SINES

//---------- several states ----------

#define ROWS_TOGETHER (KERNEL_VECTOR_LENGTH == 8 ? 4 : 2)
#define PACKED_MOST   PLAN_COMPLETE
#define KERNELS_BATCH mbdi_kernels_batch
#include "simd/batch/kernels.inc"

//---------- table of the kernels for one state ----------

#if KERNEL_VECTOR_LENGTH >= 4

// enough for each kernel, and for one body more: the world
static size_t
work_single(const mbdi_plan_t * plan)
{
  const size_t body = sizeof(single_body_t) + sizeof(single_articulated_t);
  _Static_assert(
    sizeof(single_local_t) + sizeof(momentum_body_t) <=
      sizeof(single_body_t) + sizeof(single_articulated_t),
    "work memory of momenta");
  const size_t numbers = roots_numbers(plan) + 2 * (size_t)PADDED(plan->nbody) +
                         crba_dof_numbers(plan) * (size_t)(PADDED(plan->nv) + 8);
  return rnea_work_single(plan) + (size_t)(plan->nbody + 1) * body + numbers * sizeof(double) +
         (size_t)plan->ngeneral * sizeof(aba_general_t);
}

// of the kernels that use articulated inertias
static size_t
articulated_work_single(const mbdi_plan_t * plan)
{
  const size_t slots = (size_t)plan->slots, rows = (size_t)plan->nv + 8;
  const size_t columns =
    plan->slots <= PLAN_SLOTS ? 2 * KERNEL_VECTOR_LENGTH * (rows + 6 * slots) : 0;
  const size_t angles = 2 * (size_t)PADDED(plan->nbody);
  return (size_t)plan->nbody * (sizeof(single_hinge_t) + sizeof(single_free_t)) +
         slots * sizeof(single_articulated_t) + (size_t)plan->ngeneral * sizeof(single_general_t) +
         (columns > angles ? columns : angles) * sizeof(double) + 64;
}

#else

static size_t
work_single(const mbdi_plan_t * plan)
{
  const size_t path = path_work(plan);
  const size_t of[] = {rnea_work_single(plan) + path, aba_work_single(plan) + path,
                       crba_work_single(plan),        jacobian_work_single(plan),
                       momentum_work_single(plan),    placements_work_single(plan)};
  size_t most = 0;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) most = of[k] > most ? of[k] : most;
  return most;
}

#endif

_Static_assert(sizeof(general_single) == sizeof(mbdi_general_joint_t), "layout of general joints");

const mbdi_kernels_t GLUE(mbdi_kernels, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .vector_length = 1,
  .work = work_single,
  .mass_matrix = single_mass_matrix,
  .copy_if_finite = single_copy_if_finite,
  .copy_state_if_finite = single_copy_state_if_finite,
  .kinetic_energy = kinetic_energy_single,
  .potential_energy = potential_energy_single,
  .articulated_work = articulated_work_single,
  .articulate = single_articulate,
  .mass_inverse = single_mass_inverse,
  .factor = single_factor,
  .factor_product = single_factor_product,
#if KERNEL_VECTOR_LENGTH >= 4
  .inverse_dynamics = single_inverse_dynamics,
  .bias = single_bias,
  .gravity = single_gravity,
  .mass_and_torques = single_mass_and_torques,
  .factored_inverse = single_factored_inverse,
  .inverse_of = single_inverse_of,
  .forward_dynamics = single_forward_dynamics,
  .inverse_dynamics_wrenches = single_inverse_dynamics_wrenches,
  .forward_dynamics_wrenches = single_forward_dynamics_wrenches,
  .copy_wrenches = single_copy_wrenches,
  .solve = single_solve,
  .factor_apply = single_factor_apply,
  .hinge_inverses = single_hinge_inverses,
  .hinge_gains = single_hinge_gains,
  .invert = single_invert,
  .placements = single_placements,
  .step = single_step,
  .momentum = single_momentum,
  .joint_momentum = single_joint_momentum,
  .jacobian = single_jacobian,
  .jacobian_bias = single_jacobian_bias,
#else
  .factored_inverse = single_factored_inverse,
  .inverse_dynamics = inverse_dynamics_single,
  .bias = bias_single,
  .gravity = gravity_single,
  .forward_dynamics = forward_dynamics_single,
  .inverse_dynamics_wrenches = inverse_dynamics_wrenches_single,
  .forward_dynamics_wrenches = forward_dynamics_single,
  .copy_wrenches = single_copy_wrenches,
  .placements = placements_single,
  .momentum = momentum_single,
  .joint_momentum = joint_momentum_single,
  .jacobian = jacobian_single,
  .jacobian_bias = jacobian_bias_single,
#endif
  .dh_sincos = dh_sincos_single,
  .sincos = sincos_array};
