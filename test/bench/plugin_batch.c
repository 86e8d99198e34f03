// A plug-in with a batch function: ours, one state after the other. BATCH_SHIFT of 1 makes it take
// the next state in place of each, which the benchmark has to find out.
#include <stdlib.h>
#include <string.h>

#include "plugin_mbdyn.h"

typedef struct batch {
  const bench_robot_t * robot;
  void * ours;
  double * tau;  // [batch x nv]
} batch_t;

static int
single_variant(void)
{
  int variant = 0;
  while (bench_mbdyn.variant[variant].function != BENCH_INVERSE_DYNAMICS) variant++;
  return variant;
}

static void *
load(const bench_robot_t * robot, char * why)
{
  batch_t * b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->robot = robot;
  b->ours = bench_mbdyn.load(robot, why);
  b->tau = calloc((size_t)(robot->batch * robot->nv), sizeof *b->tau);
  return b;
}

static void
call(void * loaded, int state)
{
  batch_t * b = loaded;
  const int variant = single_variant(), n = b->robot->nstate;
  for (int i = 0; i < b->robot->batch; i++) {
    const int at = (state + i + BATCH_SHIFT) % n;
    bench_mbdyn.variant[variant].call(b->ours, at);
    bench_mbdyn.result(b->ours, variant, at, b->tau + i * b->robot->nv);
  }
}

static bool
result(void * loaded, int variant, int state, double * out)
{
  (void)variant;
  (void)state;
  const batch_t * b = loaded;
  memcpy(out, b->tau, (size_t)(b->robot->batch * b->robot->nv) * sizeof *out);
  return true;
}

static void
unload(void * loaded)
{
  batch_t * b = loaded;
  bench_mbdyn.unload(b->ours);
  free(b->tau);
  free(b);
}

static const bench_variant_t variants[] = {
  {BENCH_BATCH_INVERSE_DYNAMICS, NULL, call}, {BENCH_FUNCTIONS, NULL, NULL}};

const bench_plugin_t *
bench_plugin_get(void)
{
  static const bench_plugin_t plugin = {
    BENCH_PLUGIN_VERSION, "batch", "0", 0, variants, load, NULL, result, unload};
  return &plugin;
}
