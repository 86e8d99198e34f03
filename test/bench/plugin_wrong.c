// A plug-in that is ours, but wrong: what the benchmark has to find out before it measures.
#include <math.h>
#include <stddef.h>

#include "plugin_mbdyn.h"

// off by a millionth in inverse dynamics, not a number in gravity, nothing at all for the bias
static bool
result(void * loaded, int variant, int state, double * out)
{
  const bench_function_t function = bench_mbdyn.variant[variant].function;
  if (function == BENCH_BIAS) return false;
  if (!bench_mbdyn.result(loaded, variant, state, out)) return false;
  if (function == BENCH_INVERSE_DYNAMICS) out[0] *= 1 + 1e-6;
  if (function == BENCH_GRAVITY) out[1] = nan("");
  return true;
}

const bench_plugin_t *
bench_plugin_get(void)
{
  static bench_plugin_t wrong;
  wrong = bench_mbdyn;
  wrong.name = "wrong";
  wrong.version = BENCH_PLUGIN_VERSION + WRONG_VERSION;
  wrong.result = result;
  return &wrong;
}
