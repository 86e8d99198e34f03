// Whether results agree.
#include "agreement.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "functions.h"

static bool
all_finite(const double * x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

// call and fetch the result; NaN beforehand, so that numbers that are not written show
static bool
compute(
  const bench_entry_t * entry, const bench_plugin_t * plugin, int state, double * out, size_t n)
{
  for (size_t i = 0; i < n; i++) out[i] = nan("");
  entry->variant->call(entry->loaded, state);
  const int variant = (int)(entry->variant - plugin->variant);
  return plugin->result(entry->loaded, variant, state, out) && all_finite(out, n);
}

// memory for results of so many calls
static bool
reserve(check_t * check, size_t size, int calls)
{
  *check = (check_t){.size = size};
  check->want = calloc(size * (size_t)calls + 1, sizeof(double));
  check->got = calloc(size + 1, sizeof(double));
  return check->want != NULL && check->got != NULL;
}

// large matrices: a few states will do
static int
calls_to_check(const bench_robot_t * robot, bench_function_t function)
{
  const int calls = robot->nstate / bench_states_per_call(robot, function);
  return bench_result_size(robot, function) > 1000000 && calls > 2 ? 2 : calls;
}

bool
check_begin(check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin)
{
  const bench_function_t function = entry->variant->function;
  const int step = bench_states_per_call(entry->robot, function);
  const int most = calls_to_check(entry->robot, function);
  if (!reserve(check, bench_result_size(entry->robot, function), most)) return false;
  const clock_t start = clock();
  while (check->nstate < most && clock() - start < CLOCKS_PER_SEC) {
    double * out = check->want + check->size * (size_t)check->nstate;
    if (!compute(entry, plugin, check->nstate * step, out, check->size)) return false;
    check->nstate++;
  }
  return true;
}

bool
check_begin_batch(
  check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin,
  bench_function_t batch)
{
  const int most = calls_to_check(entry->robot, batch), states = entry->robot->batch;
  if (!reserve(check, bench_result_size(entry->robot, batch), most)) return false;
  const size_t one = bench_result_size(entry->robot, entry->variant->function);
  for (int i = 0; i < most * states; i++)
    if (!compute(entry, plugin, i, check->want + one * (size_t)i, one)) return false;
  check->nstate = most;
  return true;
}

// largest difference over largest number
static double
difference(check_t * check, int call, double worst)
{
  const double *want = check->want + check->size * (size_t)call, *got = check->got;
  double scale = 1e-9, error = 0;
  size_t at = 0;
  for (size_t i = 0; i < check->size; i++) {
    scale = fmax(scale, fmax(fabs(want[i]), fabs(got[i])));
    const double e = fabs(want[i] - got[i]);
    if (e > error) error = e, at = i;
  }
  if (error / scale <= worst) return worst;
  check->state = call, check->element = at;
  check->expected = want[at], check->found = got[at];
  return error / scale;
}

double
check_against(check_t * check, const bench_entry_t * entry, const bench_plugin_t * plugin)
{
  const int step = bench_states_per_call(entry->robot, entry->variant->function);
  double worst = 0;
  const clock_t start = clock();
  for (int i = 0; i < check->nstate; i++) {
    if (i > 0 && clock() - start > CLOCKS_PER_SEC) break;
    if (!compute(entry, plugin, i * step, check->got, check->size)) return HUGE_VAL;
    worst = difference(check, i, worst);
  }
  return worst;
}

void
check_end(check_t * check)
{
  free(check->want);
  free(check->got);
}
