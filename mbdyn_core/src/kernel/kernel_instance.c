// One compilation of the kernels: for the instruction set that the compiler is told, which gives
// KERNEL_SET its name and KERNEL_LANES the width of its vectors.
#include <math.h>
#include <string.h>

#include "kernels.h"

#define ALWAYS      static inline __attribute__((always_inline))
#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)

// bodies, rounded up to whole vectors
#define PADDED(n) (((n) + 7) & ~7)

typedef double lanes_t __attribute__((vector_size(8 * KERNEL_LANES)));
typedef int64_t lanes_int_t __attribute__((vector_size(8 * KERNEL_LANES)));
typedef double four_t __attribute__((vector_size(32)));
typedef int64_t four_int_t __attribute__((vector_size(32)));

//---------- sines of four angles at once, for one state ----------

#define REAL     four_t
#define INT      four_int_t
#define KN(name) GLUE(name, four)
#include "sincos.h"
#undef REAL
#undef INT
#undef KN

static void
sines(int n, const double * x, double * sine, double * cosine)
{
  for (int i = 0; i < n; i += 4) {
    four_t a = {0}, s, c;
    const int last = n - i < 4 ? n - i : 4;
    double largest = 0;
    for (int k = 0; k < last; k++) a[k] = x[i + k], largest = fmax(largest, fabs(x[i + k]));
    if (__builtin_expect(largest <= SINCOS_LARGEST, 1)) {
      sincos_four(a, &s, &c);
      for (int k = 0; k < last; k++) sine[i + k] = s[k], cosine[i + k] = c[k];
    } else {
      // x may be where the sines go: a has its numbers
      for (int k = 0; k < last; k++) sine[i + k] = sin(a[k]), cosine[i + k] = cos(a[k]);
    }
  }
}

//---------- one state ----------

#define REAL     double
#define SPLAT(x) (x)
#define KN(name) GLUE(name, plain)

static void
joint_sines_plain(const mbd_plan_t * plan, const double * q, double * sine, double * cosine)
{
  // angles go through the memory of the sines
  for (int i = 0; i < plan->nbody; i++) {
    sine[i] = plan->body[i].kind == PLAN_REVOLUTE ? q[plan->body[i].q] : 0;
  }
  sines(plan->nbody, sine, sine, cosine);
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

#include "kernel_mass.h"

#include "kernel_articulated.h"

#include "kernel_forward.h"

#include "kernel_minverse.h"

#include "kernel_place.h"

#include "kernel_motion.h"

#include "kernel_path.h"

//---------- several states ----------

#define REAL     lanes_t
#define INT      lanes_int_t
#define SPLAT(x) ((lanes_t){0} + (x))
#define KN(name) GLUE(name, many)
#include "sincos.h"

static void
joint_sines_many(const mbd_plan_t * plan, const lanes_t * q, lanes_t * sine, lanes_t * cosine)
{
  for (int i = 0; i < plan->nbody; i++) {
    if (plan->body[i].kind != PLAN_REVOLUTE) continue;
    const lanes_t x = q[plan->body[i].q];
    bool small = true;
    for (int k = 0; k < KERNEL_LANES; k++) small = small && fabs(x[k]) <= SINCOS_LARGEST;
    if (__builtin_expect(small, 1)) {
      sincos_many(x, &sine[i], &cosine[i]);
    } else {
      for (int k = 0; k < KERNEL_LANES; k++) sine[i][k] = sin(x[k]), cosine[i][k] = cos(x[k]);
    }
  }
}

static inline bool
all_above_many(lanes_t x, lanes_t floor)
{
  bool good = true;
  for (int k = 0; k < KERNEL_LANES; k++) good = good && x[k] > floor[k];
  return good;
}

#include "kernel_small.h"

#include "kernel_inverse.h"

#include "kernel_world.h"

//---------- the tables ----------

// enough for each kernel, and for one body more: the world
static size_t
work_one(const mbd_plan_t * plan)
{
  const size_t body =
    sizeof(one_body_t) + sizeof(one_articulated_t) + sizeof(one_motion_t) + sizeof(id_body_plain);
  const size_t sweeps = plan->slots <= PLAN_SLOTS ? (size_t)plan->slots : 0;
  return (size_t)(plan->nbody + 1) * body + 2 * (size_t)PADDED(plan->nbody) * sizeof(double) +
         sweeps * 6 * (size_t)(PADDED(plan->nv) + 8) * sizeof(double);
}

static size_t
work_many(const mbd_plan_t * plan)
{
  return (size_t)plan->nbody * sizeof(fd_body_many) +
         2 * (size_t)PADDED(plan->nbody) * sizeof(lanes_t);
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
  .sincos = sines};
