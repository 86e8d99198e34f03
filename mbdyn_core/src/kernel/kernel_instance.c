// One compilation of the kernels: for the instruction set that the compiler is told, which gives
// KERNEL_SET its name and KERNEL_LANES the width of its vectors.
#include <math.h>
#include <stddef.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "kernels.h"

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

//---------- sines of several angles at once ----------

#define REAL     four_t
#define INT      four_int_t
#define KN(name) GLUE(name, four)
#include "sincos.h"
#undef REAL
#undef INT
#undef KN

#define REAL     lanes_t
#define INT      lanes_int_t
#define KN(name) GLUE(name, many)
#include "sincos.h"
#undef REAL
#undef INT
#undef KN

// with those that the C library has to take
ALWAYS void
sines_four(four_t x, four_t * s, four_t * c)
{
  const four_int_t large = (x > SINCOS_LARGEST) | (x < -SINCOS_LARGEST);
#ifdef __AVX__
  const int any = _mm256_movemask_pd((__m256d)large);
#else
  const int64_t any = large[0] | large[1] | large[2] | large[3];
#endif
  if (__builtin_expect(any != 0, 0)) {
    for (int k = 0; k < 4; k++) (*s)[k] = sin(x[k]), (*c)[k] = cos(x[k]);
  } else {
    sincos_four(x, s, c);
  }
}

#if KERNEL_LANES == 8
ALWAYS void
sines_eight(lanes_t x, lanes_t * s, lanes_t * c)
{
  const __m512d size = _mm512_abs_pd((__m512d)x), most = _mm512_set1_pd(SINCOS_LARGEST);
  if (__builtin_expect(_mm512_cmp_pd_mask(size, most, _CMP_GT_OQ) != 0, 0)) {
    for (int k = 0; k < 8; k++) (*s)[k] = sin(x[k]), (*c)[k] = cos(x[k]);
  } else {
    sincos_many(x, s, c);
  }
}
#endif

static void
sines(int n, const double * x, double * sine, double * cosine)
{
  for (int i = 0; i < n; i += 4) {
    four_t a = {0}, s, c;
    const int last = n - i < 4 ? n - i : 4;
    for (int k = 0; k < last; k++) a[k] = x[i + k];
    sines_four(a, &s, &c);
    for (int k = 0; k < last; k++) sine[i + k] = s[k], cosine[i + k] = c[k];
  }
}

// which body comes as number k: on a path, or of all (NULL)
ALWAYS int
body_at(const int * path, int k)
{
  return path ? path[k] : k;
}

// Of the first numbers of all joints on a path: angles, where they turn; others do no harm. sine
// and cosine have room for whole vectors.
ALWAYS void
joint_sines_path(
  const mbd_plan_t * plan, const int * path, int n, const double * q, double * sine,
  double * cosine)
{
  const mbd_plan_body_t * b = plan->body;
  const int last = n - 1;
#define Q(k) q[b[body_at(path, i + k < last ? i + k : last)].q]
#if KERNEL_LANES == 8
  // the widest vectors take longer to get going
  for (int i = 0; i < n && n > 10; i += 8) {
    const lanes_t x = {Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7)};
    lanes_t s, c;
    sines_eight(x, &s, &c);
    memcpy(sine + i, &s, sizeof s);
    memcpy(cosine + i, &c, sizeof c);
  }
  if (n > 10) return;
#endif
  for (int i = 0; i < n; i += 4) {
    const four_t x = {Q(0), Q(1), Q(2), Q(3)};
    four_t s, c;
    sines_four(x, &s, &c);
    memcpy(sine + i, &s, sizeof s);
    memcpy(cosine + i, &c, sizeof c);
  }
#undef Q
}

//---------- one state ----------

#define REAL     double
#define SPLAT(x) (x)
#define KN(name) GLUE(name, plain)

static void
joint_sines_plain(const mbd_plan_t * plan, const double * q, double * sine, double * cosine)
{
  joint_sines_path(plan, NULL, plan->nbody, q, sine, cosine);
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

#include "kernel_mass.h"

#include "kernel_articulated.h"

#include "kernel_forward.h"

#include "kernel_opspace.h"

#include "kernel_invert.h"

#include "kernel_minverse.h"

#include "kernel_motion.h"

#include "kernel_path.h"

//---------- several states ----------

#define REAL     lanes_t
#define INT      lanes_int_t
#define SPLAT(x) ((lanes_t){0} + (x))
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
joint_sines_many(const mbd_plan_t * plan, const lanes_t * q, lanes_t * sine, lanes_t * cosine)
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

static inline bool
all_above_many(lanes_t x, lanes_t floor)
{
  return !any_many(~(x > floor));
}

#include "kernel_small.h"

#include "kernel_inverse.h"

#include "kernel_lanes.h"

#include "kernel_world.h"

#include "kernel_mass_many.h"

#include "kernel_frames.h"

//---------- the tables ----------

// enough for each kernel, and for one body more: the world
static size_t
work_one(const mbd_plan_t * plan)
{
  const size_t body = sizeof(one_body_t) + sizeof(one_articulated_t);
  const size_t sweeps = plan->slots <= PLAN_SLOTS ? (size_t)plan->slots : 0;
  const size_t numbers =
    2 * (size_t)PADDED(plan->nbody) + (20 + 6 * sweeps) * (size_t)(PADDED(plan->nv) + 8);
  return id_work_plain(plan) + (size_t)(plan->nbody + 1) * body + numbers * sizeof(double);
}

static size_t
work_many(const mbd_plan_t * plan)
{
  const size_t mass = mass_work_many(plan);
  const size_t inverse = id_work_many(plan), forward = fd_work_many(plan);
  const size_t dynamics = inverse > forward ? inverse : forward;
  return dynamics > mass ? dynamics : mass;
}

const mbd_kernels_t GLUE(mbd_kernels, KERNEL_SET) = {
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
  .take_state = one_take_state,
  .placements = one_placements,
  .momentum = one_momentum,
  .jacobian = one_jacobian,
  .jacobian_bias = one_jacobian_bias,
  .sincos = sines};

const mbd_kernels_t GLUE(mbd_kernels_many, KERNEL_SET) = {
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
