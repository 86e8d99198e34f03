#include "soa_derivatives.h"

#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/batch_f32.h"

// the states of a robot in groups of a batch, and the results of one group, of one precision
#define ARRAYS(NAME, NUMBER)                                                                       \
  typedef struct NAME##_arrays {                                                                   \
    NAME##_t * batch;                                                                              \
    NUMBER *q, *v, *a, *tau, *qdd, *dq, *dv, *M;                                                   \
    double * work;                                                                                 \
  } NAME##_arrays_t;                                                                               \
                                                                                                   \
  static NUMBER * NAME##_numbers(size_t n)                                                         \
  {                                                                                                \
    const size_t bytes = (n * sizeof(NUMBER) + 63) / 64 * 64;                                      \
    NUMBER * x = aligned_alloc(64, bytes > 0 ? bytes : 64);                                        \
    if (x != NULL) memset(x, 0, bytes);                                                            \
    return x;                                                                                      \
  }                                                                                                \
                                                                                                   \
  static NUMBER * NAME##_states(                                                                   \
    const NAME##_t * batch, const bench_robot_t * robot, size_t width, const double * from)        \
  {                                                                                                \
    const int n = robot->batch, groups = robot->nstate / n;                                        \
    const size_t size = NAME##_soa_size(batch, n, width), numbers = (size_t)n * width;             \
    NUMBER *to = NAME##_numbers(size * (size_t)groups), *group = NAME##_numbers(numbers);          \
    bool fine = to != NULL && group != NULL;                                                       \
    for (size_t g = 0; fine && g < (size_t)groups; g++) {                                          \
      for (size_t k = 0; k < numbers; k++) group[k] = (NUMBER)from[g * numbers + k];               \
      fine = NAME##_to_soa(batch, n, width, group, to + g * size) == MBD_OK;                       \
    }                                                                                              \
    free(group);                                                                                   \
    return to;                                                                                     \
  }                                                                                                \
                                                                                                   \
  static bool NAME##_create_arrays(                                                                \
    const mbd_model_t * model, const bench_robot_t * robot, NAME##_arrays_t * s)                   \
  {                                                                                                \
    const size_t nq = (size_t)robot->nq, nv = (size_t)robot->nv;                                   \
    if (NAME##_create(model, 1, &s->batch) != MBD_OK) return false;                                \
    const size_t matrix = NAME##_soa_size(s->batch, robot->batch, nv * nv);                        \
    s->q = NAME##_states(s->batch, robot, nq, robot->q);                                           \
    s->v = NAME##_states(s->batch, robot, nv, robot->v);                                           \
    s->a = NAME##_states(s->batch, robot, nv, robot->a);                                           \
    s->tau = NAME##_states(s->batch, robot, nv, robot->tau);                                       \
    s->qdd = NAME##_numbers(NAME##_soa_size(s->batch, robot->batch, nv));                          \
    s->dq = NAME##_numbers(matrix), s->dv = NAME##_numbers(matrix), s->M = NAME##_numbers(matrix); \
    s->work = calloc(NAME##_derivatives_work(s->batch), sizeof *s->work);                          \
    return s->q && s->v && s->a && s->tau && s->qdd && s->dq && s->dv && s->M && s->work;          \
  }                                                                                                \
                                                                                                   \
  static void NAME##_destroy_arrays(NAME##_arrays_t * s)                                           \
  {                                                                                                \
    NAME##_destroy(s->batch);                                                                      \
    free(s->q), free(s->v), free(s->a), free(s->tau), free(s->qdd);                                \
    free(s->dq), free(s->dv), free(s->M), free(s->work);                                           \
  }                                                                                                \
                                                                                                   \
  static mbd_status_t NAME##_run(                                                                  \
    NAME##_arrays_t * s, const bench_robot_t * robot, bool forward, int state)                     \
  {                                                                                                \
    const int n = robot->batch;                                                                    \
    const size_t group = (size_t)(state / n);                                                      \
    const size_t x = group * NAME##_soa_size(s->batch, n, (size_t)robot->nq);                      \
    const size_t y = group * NAME##_soa_size(s->batch, n, (size_t)robot->nv);                      \
    if (forward)                                                                                   \
      return NAME##_forward_dynamics_derivatives_soa(                                              \
        s->batch, n, s->q + x, s->v + y, s->tau + y, s->work, s->qdd, s->dq, s->dv, s->M);         \
    return NAME##_inverse_dynamics_derivatives_soa(                                                \
      s->batch, n, s->q + x, s->v + y, s->a + y, s->work, s->dq, s->dv, s->M);                     \
  }                                                                                                \
                                                                                                   \
  /* a matrix of each state, every third one of `out` */                                           \
  static void NAME##_unpack(                                                                       \
    const NAME##_t * batch, const NUMBER * soa, const pattern_t * p, const bench_robot_t * robot,  \
    double * out)                                                                                  \
  {                                                                                                \
    const size_t length = (size_t)NAME##_vector_length(batch), nv = (size_t)robot->nv;             \
    for (size_t s = 0; s < (size_t)robot->batch; s++, out += 3 * nv * nv) {                        \
      memset(out, 0, nv * nv * sizeof *out);                                                       \
      for (size_t k = 0; k < p->n; k++) {                                                          \
        const double x = (double)soa[(s / length * p->n + k) * length + s % length];               \
        out[(size_t)p->row[k] * nv + (size_t)p->column[k]] = x;                                    \
        if (p->symmetric) out[(size_t)p->column[k] * nv + (size_t)p->row[k]] = x;                  \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
                                                                                                   \
  static void NAME##_result(                                                                       \
    const NAME##_arrays_t * s, const bench_robot_t * robot, bool forward, pattern_t * p,           \
    double * out)                                                                                  \
  {                                                                                                \
    const size_t nv = (size_t)robot->nv, size = nv * nv;                                           \
    p->n = size;                                                                                   \
    for (size_t k = 0; k < size; k++) p->row[k] = (int)(k / nv), p->column[k] = (int)(k % nv);     \
    if (!forward && NAME##_derivative_pattern(s->batch, p->row, p->column) == MBD_OK)              \
      p->n = NAME##_derivative_numbers(s->batch);                                                  \
    NAME##_unpack(s->batch, s->dq, p, robot, out);                                                 \
    NAME##_unpack(s->batch, s->dv, p, robot, out + size);                                          \
    if (!forward && NAME##_mass_pattern(s->batch, p->row, p->column) == MBD_OK)                    \
      p->n = NAME##_mass_numbers(s->batch), p->symmetric = true;                                   \
    NAME##_unpack(s->batch, s->M, p, robot, out + 2 * size);                                       \
  }

// elements of a matrix that are stored
typedef struct pattern {
  size_t n;
  int *row, *column;
  bool symmetric;
} pattern_t;

ARRAYS(mbd_batch, double)
ARRAYS(mbd_batch_f32, float)

struct soa_derivatives {
  const bench_robot_t * robot;
  mbd_batch_arrays_t exact;
  mbd_batch_f32_arrays_t f32;
};

static bool
is_forward(bench_function_t function)
{
  return function == BENCH_SOA_FORWARD_DERIVATIVES || function == BENCH_F32_FORWARD_DERIVATIVES;
}

static bool
is_f32(bench_function_t function)
{
  return function == BENCH_F32_INVERSE_DERIVATIVES || function == BENCH_F32_FORWARD_DERIVATIVES;
}

soa_derivatives_t *
soa_derivatives_create(const mbd_model_t * model, const bench_robot_t * robot)
{
  soa_derivatives_t * s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->robot = robot;
  if (
    mbd_batch_create_arrays(model, robot, &s->exact) &&
    mbd_batch_f32_create_arrays(model, robot, &s->f32))
    return s;
  soa_derivatives_destroy(s);
  return NULL;
}

void
soa_derivatives_destroy(soa_derivatives_t * s)
{
  if (s == NULL) return;
  mbd_batch_destroy_arrays(&s->exact);
  mbd_batch_f32_destroy_arrays(&s->f32);
  free(s);
}

mbd_status_t
soa_derivatives_run(soa_derivatives_t * s, bench_function_t function, int state)
{
  const bool forward = is_forward(function);
  if (is_f32(function)) return mbd_batch_f32_run(&s->f32, s->robot, forward, state);
  return mbd_batch_run(&s->exact, s->robot, forward, state);
}

bool
soa_derivatives_result(const soa_derivatives_t * s, bench_function_t function, double * out)
{
  const size_t size = (size_t)s->robot->nv * (size_t)s->robot->nv;
  pattern_t p = {0};
  p.row = calloc(size, sizeof *p.row), p.column = calloc(size, sizeof *p.column);
  const bool fine = p.row != NULL && p.column != NULL;
  if (fine && is_f32(function))
    mbd_batch_f32_result(&s->f32, s->robot, is_forward(function), &p, out);
  else if (fine)
    mbd_batch_result(&s->exact, s->robot, is_forward(function), &p, out);
  free(p.row), free(p.column);
  return fine;
}
