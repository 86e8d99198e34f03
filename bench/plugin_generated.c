// Generated code of one robot (`mbdyn codegen --prefix generated`) as a plug-in, built by bench/generated.sh.
// Joints and conventions are ours.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench_plugin.h"
#include "generated.h"

typedef struct generated {
  const bench_robot_t * robot;
  double out[GENERATED_NV * GENERATED_NV];
} generated_t;

static const char * const joints[] = GENERATED_JOINT_NAMES;

static void *
load(const bench_robot_t * robot, char * why)
{
  const int njoint = (int)(sizeof joints / sizeof *joints), base = njoint - robot->njoint;
  bool same = robot->nv == GENERATED_NV && robot->nq == GENERATED_NQ && base >= 0;
  for (int i = 0; i < robot->njoint && same; i++)
    same = strcmp(robot->joint[i], joints[base + i]) == 0;
  generated_t * g = same ? aligned_alloc(64, (sizeof *g + 63) / 64 * 64) : NULL;
  if (g == NULL) return strcpy(why, "generated from another robot"), NULL;
  g->robot = robot;
  return g;
}

static const double *
at(const double * x, int n, int state)
{
  return x + (ptrdiff_t)n * state;
}

#define Q   at(g->robot->q, GENERATED_NQ, state)
#define V   at(g->robot->v, GENERATED_NV, state)
#define A   at(g->robot->a, GENERATED_NV, state)
#define TAU at(g->robot->tau, GENERATED_NV, state)

static void
inverse_dynamics(void * loaded, int state)
{
  generated_t * g = loaded;
  generated_inverse_dynamics(Q, V, A, g->out);
}

static void
gravity(void * loaded, int state)
{
  generated_t * g = loaded;
  generated_gravity(Q, g->out);
}

static void
bias(void * loaded, int state)
{
  generated_t * g = loaded;
  generated_bias(Q, V, g->out);
}

static void
mass_matrix(void * loaded, int state)
{
  generated_t * g = loaded;
  generated_mass_matrix(Q, g->out);
}

static void
forward_dynamics(void * loaded, int state)
{
  generated_t * g = loaded;
  generated_forward_dynamics(Q, V, TAU, g->out);
}

static const bench_variant_t variants[] = {
  {BENCH_INVERSE_DYNAMICS, NULL, inverse_dynamics},
  {BENCH_GRAVITY, NULL, gravity},
  {BENCH_BIAS, NULL, bias},
  {BENCH_MASS_MATRIX, NULL, mass_matrix},
  {BENCH_FORWARD_DYNAMICS, NULL, forward_dynamics},
  {BENCH_FUNCTIONS, NULL, NULL},
};

static bool
result(void * loaded, int variant, int state, double * out)
{
  (void)state;
  const generated_t * g = loaded;
  const bool matrix = variants[variant].function == BENCH_MASS_MATRIX;
  memcpy(out, g->out, (matrix ? GENERATED_NV : 1) * GENERATED_NV * sizeof *out);
  return true;
}

static const bench_plugin_t plugin = {
  BENCH_PLUGIN_VERSION, "generated", NULL, 0, variants, load, NULL, result, free};

const bench_plugin_t *
bench_plugin_get(void)
{
  return &plugin;
}
