// One compilation of the kernels: for the instruction set that the compiler is told, which gives
// KERNEL_SET its name and KERNEL_LANES the width of its vectors.
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

// bodies, rounded up to whole vectors
#define PADDED(n) (((n) + 7) & ~7)

typedef double lanes_t __attribute__((vector_size(8 * KERNEL_LANES)));
typedef int64_t lanes_int_t __attribute__((vector_size(8 * KERNEL_LANES)));
// as many numbers as a vector has, at any address
typedef double wide_at_t __attribute__((vector_size(8 * KERNEL_LANES), aligned(8), may_alias));
typedef double four_t __attribute__((vector_size(32)));
typedef int64_t four_int_t __attribute__((vector_size(32)));

// whether a kind or form of a lean joint is one that turns
ALWAYS bool
is_turning(int kind)
{
  return kind != LEAN_SLIDE && kind != LEAN_FREE;
}

//---------- sines of several angles at once ----------

#define REAL     four_t
#define INT      four_int_t
#define KN(name) GLUE(name, four)
#include "simd/sincos.h"
#undef REAL
#undef INT
#undef KN

#define REAL     lanes_t
#define INT      lanes_int_t
#define KN(name) GLUE(name, many)
#include "simd/sincos.h"
#undef REAL
#undef INT
#undef KN

// some of four angles are for the C library
ALWAYS bool
any_large_four(four_t x)
{
  const four_int_t large = (x > SINCOS_LARGEST) | (x < -SINCOS_LARGEST);
#ifdef __AVX__
  return _mm256_movemask_pd((__m256d)large) != 0;
#else
  return (large[0] | large[1] | large[2] | large[3]) != 0;
#endif
}

// with those that the C library has to take
static void
sines(int n, const double * x, double * sine, double * cosine)
{
  for (int i = 0; i < n; i += 4) {
    four_t a = {0}, s, c;
    const int last = n - i < 4 ? n - i : 4;
    for (int k = 0; k < last; k++) a[k] = x[i + k];
    sincos_four(a, &s, &c);
    for (int k = 0; k < last; k++) {
      const bool large = fabs(a[k]) > SINCOS_LARGEST;
      sine[i + k] = large ? sin(a[k]) : s[k];
      cosine[i + k] = large ? cos(a[k]) : c[k];
    }
  }
}

// Angles, one after the other in memory, are read one by one, as they may just have been written by
// vectors that begin elsewhere, which would be waited for.
ALWAYS four_t
four_angles(const double * x)
{
  return (four_t){x[0], x[1], x[2], x[3]};
}

ALWAYS void
sines_four(four_t x, four_t * s, four_t * c)
{
  if (__builtin_expect(any_large_four(x), 0)) {
    double all[3][4];
    memcpy(all[0], &x, sizeof x);
    sines(4, all[0], all[1], all[2]);
    memcpy(s, all[1], sizeof x);
    memcpy(c, all[2], sizeof x);
    return;
  }
  sincos_four(x, s, c);
}

ALWAYS void
sines_of_four(const double * x, double * sine, double * cosine)
{
  four_t s, c;
  sines_four(four_angles(x), &s, &c);
  memcpy(sine, &s, sizeof s);
  memcpy(cosine, &c, sizeof c);
}

#if KERNEL_LANES == 8
ALWAYS lanes_t
eight_angles(const double * x)
{
  return (lanes_t){x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]};
}

ALWAYS void
sines_eight(lanes_t x, lanes_t * s, lanes_t * c)
{
  const __m512d size = _mm512_abs_pd((__m512d)x), most = _mm512_set1_pd(SINCOS_LARGEST);
  if (__builtin_expect(_mm512_cmp_pd_mask(size, most, _CMP_GT_OQ) != 0, 0)) {
    double all[3][8];
    memcpy(all[0], &x, sizeof x);
    sines(8, all[0], all[1], all[2]);
    memcpy(s, all[1], sizeof x);
    memcpy(c, all[2], sizeof x);
    return;
  }
  sincos_many(x, s, c);
}

ALWAYS void
sines_of_eight(const double * x, double * sine, double * cosine)
{
  lanes_t s, c;
  sines_eight(eight_angles(x), &s, &c);
  memcpy(sine, &s, sizeof s);
  memcpy(cosine, &c, sizeof c);
}

// apart from kernels that need no more than a few: vectors of eight slow those of four down, even
// if it is only their constants that are set up
static __attribute__((noinline)) void
sines_by_eight(const double * q, int nq, int first, int end, double * sine, double * cosine)
{
  for (int i = first; i < end; i += 8) {
    const int at = i + 8 <= nq ? i : nq - 8;
    sines_of_eight(q + at, sine + at, cosine + at);
  }
}
#endif

// Sines of n numbers of q from number first on, to where they are in q. Vectors are whole: where
// the last one would end outside, it begins earlier.
ALWAYS void
sines_from(const double * q, int nq, int first, int n, double * sine, double * cosine)
{
  if (__builtin_expect(nq < 4, 0)) {
    sines(nq, q, sine, cosine);
    return;
  }
  const int end = first + n;
#if KERNEL_LANES == 8
  // the widest vectors take longer to get going
  if (n > 10) {
    sines_by_eight(q, nq, first, end, sine, cosine);
    return;
  }
#endif
  for (int i = first; i < end; i += 4) {
    const int at = i + 4 <= nq ? i : nq - 4;
    sines_of_four(q + at, sine + at, cosine + at);
  }
}

// most often joints have one number each, but for a free base; then these follow each other
ALWAYS bool
angles_follow(const mbdi_plan_t * plan)
{
  return plan->nq == plan->nbody + (plan->free_base ? 6 : 0);
}

// Of the first numbers of all joints: angles, where they turn; others do no harm. sine
// and cosine have room for whole vectors.
ALWAYS void
joint_sines(const mbdi_plan_t * plan, const double * q, double * sine, double * cosine)
{
  const mbdi_plan_body_t * b = plan->body;
  const int n = plan->nbody;
  const int base = plan->free_base ? 1 : 0;
  if (__builtin_expect(angles_follow(plan), 1)) {
    const int before = base ? 7 : 0, nq = n - base;
    sines_from(q + before, nq, 0, nq, sine + base, cosine + base);
    return;
  }
  const int last = n - 1;
  for (int i = 0; i < n; i += 4) {
    double x[4];
    for (int k = 0; k < 4; k++) x[k] = q[b[i + k < last ? i + k : last].q];
    sines_of_four(x, sine + i, cosine + i);
  }
}

//---------- one state ----------

#define REAL     double
#define SPLAT(x) (x)
#define KN(name) GLUE(name, plain)

// sines and cosines of the angles of lean joints, to whole vectors
typedef struct lean_turns {
  double *sine, *cosine;
} lean_turns_t;

// of a vector of them from i on
#define LEAN_TURNS(type, name, sines)                                         \
  ALWAYS void name(const mbdi_plan_t * plan, type x, int i, lean_turns_t out) \
  {                                                                           \
    type s, c, s0, c0;                                                        \
    sines(x, &s, &c);                                                         \
    memcpy(&s0, plan->zero_sine + i, sizeof x);                               \
    memcpy(&c0, plan->zero_cosine + i, sizeof x);                             \
    const type sine = s * c0 + c * s0, cosine = c * c0 - s * s0;              \
    memcpy(out.sine + i, &sine, sizeof x);                                    \
    memcpy(out.cosine + i, &cosine, sizeof x);                                \
  }
LEAN_TURNS(four_t, lean_turns_four, sines_four)
#if KERNEL_LANES == 8
LEAN_TURNS(lanes_t, lean_turns_eight, sines_eight)
#endif
#undef LEAN_TURNS

#if KERNEL_LANES == 8
// apart, as sines_by_eight
static __attribute__((noinline)) void
lean_turns_by_eight(const mbdi_plan_t * plan, const double * q, lean_turns_t out)
{
  for (int i = 0, n = plan->nbody; i < n; i += 8) {
    const int at = i + 8 <= n ? i : n - 8;
    lean_turns_eight(plan, eight_angles(q + at), at, out);
  }
}
#endif

// of all bodies; a free base has another coordinate in the place of its angle, which does no harm
static void
lean_turns_of(const mbdi_plan_t * plan, const double * q, lean_turns_t out)
{
  const int n = plan->nbody;
  const double * first = q + (plan->free_base ? 6 : 0);
  if (__builtin_expect(!angles_follow(plan) || n < 4, 0)) {
    const mbdi_lean_body_t * b = plan->lean;
    for (int i = 0; i < n; i += 4) {
      double x[4];
      for (int k = 0; k < 4; k++) x[k] = q[b[i + k < n ? i + k : n - 1].q];
      lean_turns_four(plan, four_angles(x), i, out);
    }
    return;
  }
#if KERNEL_LANES == 8
  // the widest vectors take longer to get going
  if (n > 10) {
    lean_turns_by_eight(plan, first, out);
    return;
  }
#endif
  for (int i = 0; i < n; i += 4) {
    const int at = i + 4 <= n ? i : n - 4;
    lean_turns_four(plan, four_angles(first + at), at, out);
  }
}

static void
lean_sines_plain(const mbdi_plan_t * plan, const double * q, double * sine, double * cosine)
{
  lean_turns_of(plan, q, (lean_turns_t){sine, cosine});
}

static inline bool
all_above_plain(double x, double floor)
{
  return x > floor;
}

#include "kernel_small.h"

#include "kernel_inverse.h"
#undef REAL
#undef SPLAT
#undef KN
#undef V3
#undef M3
#include "kernel_one.h"

#include "kernel_place.h"

#include "kernel_torque.h"

#include "kernel_mass.h"

#include "kernel_articulated.h"

#include "kernel_forward.h"

#include "kernel_opspace.h"

#include "kernel_invert.h"

#include "kernel_minverse.h"

#include "kernel_momentum.h"

#include "kernel_path.h"

//---------- several states ----------

#define REAL     lanes_t
#define INT      lanes_int_t
#define SPLAT(x) ((x) - (lanes_t){0})
#define KN(name) GLUE(name, many)

// whether a bit is set in any lane
ALWAYS bool
any_many(lanes_int_t x)
{
  int64_t bits = 0;
  for (int k = 0; k < KERNEL_LANES; k++) bits |= x[k];
  return bits != 0;
}

static void
joint_sines_many(const mbdi_plan_t * plan, const lanes_t * q, lanes_t * sine, lanes_t * cosine)
{
  lanes_int_t large = {0};
  for (int i = 0; i < plan->nbody; i++) {
    if (plan->body[i].kind != PLAN_REVOLUTE) continue;
    const lanes_t x = q[plan->body[i].q];
    large |= (x > SINCOS_LARGEST) | (x < -SINCOS_LARGEST);
    sincos_many(x, &sine[i], &cosine[i]);
  }
  if (__builtin_expect(!any_many(large), 1)) return;
  for (int i = 0; i < plan->nbody; i++) {
    if (plan->body[i].kind != PLAN_REVOLUTE) continue;
    const lanes_t x = q[plan->body[i].q];
    for (int k = 0; k < KERNEL_LANES; k++) {
      if (fabs(x[k]) > SINCOS_LARGEST) sine[i][k] = sin(x[k]), cosine[i][k] = cos(x[k]);
    }
  }
}

// to the angle of the lean joint
ALWAYS void
lean_sine_many(const mbdi_lean_body_t * b, lanes_t s, lanes_t c, lanes_t * sine, lanes_t * cosine)
{
  *sine = s * b->zero.c + c * b->zero.s;
  *cosine = c * b->zero.c - s * b->zero.s;
}

static void
lean_sines_many(const mbdi_plan_t * plan, const lanes_t * q, lanes_t * sine, lanes_t * cosine)
{
  lanes_t squares = {0};
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    if (!is_turning(b->kind)) continue;
    const lanes_t x = q[b->q];
    lanes_t s, c;
    squares += x * x;
    sincos_many(x, &s, &c);
    lean_sine_many(b, s, c, &sine[i], &cosine[i]);
  }
  if (__builtin_expect(!any_many(squares > SINCOS_LARGEST * SINCOS_LARGEST), 1)) return;
  // some angles may be for the C library
  joint_sines_many(plan, q, sine, cosine);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    if (is_turning(b->kind)) lean_sine_many(b, sine[i], cosine[i], &sine[i], &cosine[i]);
  }
}

static inline bool
all_above_many(lanes_t x, lanes_t floor)
{
  return !any_many(~(x > floor));
}

#include "kernel_small.h"

#include "kernel_inverse.h"

#include "kernel_lanes.h"

#include "kernel_world.h"

#include "kernel_mass_world.h"

#include "kernel_mass_carried.h"

#include "kernel_mass_many.h"

#include "kernel_forward_many.h"

#include "kernel_frames.h"

//---------- the tables ----------

// enough for each kernel, and for one body more: the world
static size_t
work_one(const mbdi_plan_t * plan)
{
  const size_t body = sizeof(one_body_t) + sizeof(one_articulated_t);
  const size_t sweeps = plan->slots <= PLAN_SLOTS ? (size_t)plan->slots : 0;
  const size_t numbers =
    2 * (size_t)PADDED(plan->nbody) + (20 + 6 * sweeps) * (size_t)(PADDED(plan->nv) + 8);
  return id_work_plain(plan) + (size_t)(plan->nbody + 1) * body + numbers * sizeof(double);
}

static size_t
work_many(const mbdi_plan_t * plan)
{
  const size_t of[] = {
    id_work_many(plan), fd_work_many(plan), mass_work_many(plan), frames_work_many(plan)};
  size_t most = 0;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) most = of[k] > most ? of[k] : most;
  return most;
}

const mbdi_kernels_t GLUE(mbdi_kernels, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .lanes = 1,
  .work = work_one,
  .inverse_dynamics = one_inverse_dynamics,
  .bias = one_bias,
  .gravity = one_gravity,
  .mass_matrix = one_mass_matrix,
  .forward_dynamics = one_forward_dynamics,
  .mass_inverse = one_mass_inverse,
  .articulate = one_articulate,
  .factor = one_factor,
  .factor_product = one_factor_product,
  .invert = one_invert,
  .take_numbers = one_take_numbers,
  .take_state = one_take_state,
  .placements = one_placements,
  .momentum = one_momentum,
  .jacobian = one_jacobian,
  .jacobian_bias = one_jacobian_bias,
  .sincos = sines};

const mbdi_kernels_t GLUE(mbdi_kernels_many, KERNEL_SET) = {
  .name = KERNEL_NAME,
  .lanes = KERNEL_LANES,
  .work = work_many,
  .inverse_dynamics = inverse_dynamics_many,
  .bias = bias_many,
  .gravity = gravity_many,
  .mass_matrix = mass_matrix_many,
  .forward_dynamics = forward_dynamics_many,
  .frame_placements = frame_placements_many,
  .frame_jacobian = frame_jacobian_many,
  .spread = spread,
  .collect = collect,
  .unit_quaternions = unit_quaternions,
  .take_lanes = take_lanes,
  .give_lanes = give_lanes,
  .mass_packed = mass_packed_many,

  .sincos = sines};
