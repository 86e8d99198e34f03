// Time, or instructions, of calls.
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "functions.h"

static clockid_t the_clock = CLOCK_THREAD_CPUTIME_ID;
static double (*count_instructions)(bench_entry_t *, int);
static bool cold;

void
bench_use_wall_clock(void)
{
  the_clock = CLOCK_MONOTONIC;
}

void
bench_use_counter(double (*counter)(bench_entry_t * entry, int calls))
{
  count_instructions = counter;
}

void
bench_use_cold_caches(void)
{
  cold = true;
  the_clock = CLOCK_MONOTONIC;  // a call of the processor clock takes as long as a short function
}

//---------- one round ----------

void
bench_run(bench_entry_t * entry, int calls)
{
  const int nstate = entry->robot->nstate;
  const int step = bench_states_per_call(entry->robot, entry->variant->function);
  void (*const call)(void *, int) = entry->variant->call;
  void * const loaded = entry->loaded;
  int state = entry->state;
  for (int i = 0; i < calls; i++) {
    call(loaded, state);
    state += step;
    if (state >= nstate) state = 0;
  }
  entry->state = state;
}

static double
now(void)
{
  struct timespec t;
  clock_gettime(the_clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// evict what a level 2 cache of up to 4 MB holds, code included
static void
evict_caches(void)
{
  enum { BYTES = 8 << 20, LINE = 64 };
  static char buffer[BYTES];
  for (size_t i = 0; i < BYTES; i += LINE) ((volatile char *)buffer)[i]++;
}

// time of calls that each begin with cold caches
static double
cold_round(bench_entry_t * entry, int calls)
{
  double sum = 0;
  for (int i = 0; i < calls; i++) {
    evict_caches();
    now();  // the clock itself is warm
    const double start = now();
    bench_run(entry, 1);
    sum += now() - start;
  }
  return sum;
}

// nanoseconds, or instructions, per state
static double
one_round(bench_entry_t * entry, int calls)
{
  const int step = bench_states_per_call(entry->robot, entry->variant->function);
  if (count_instructions != NULL) return count_instructions(entry, calls) / (calls * step);
  if (cold) return cold_round(entry, calls) / (calls * step);
  const double start = now();
  bench_run(entry, calls);
  return (now() - start) / (calls * step);
}

// calls that go once through all states
static int
all_states(bench_entry_t * entry)
{
  return entry->robot->nstate / bench_states_per_call(entry->robot, entry->variant->function);
}

// how an entry is measured
typedef struct plan {
  int calls;  // of a round
  int rounds;
  double * time;  // of each round, per state   [rounds]
} plan_t;

// calls that take about so long; whole turns through the states if there is time for one
static plan_t
make_plan(bench_entry_t * entry, int rounds, double nanoseconds)
{
  const int turn = all_states(entry);
  if (count_instructions != NULL) return (plan_t){.calls = turn, .rounds = 1};
  if (cold) return (plan_t){.calls = turn, .rounds = rounds};
  int calls = 1;
  double took = 0;
  while (calls < 1 << 24) {
    const double start = now();
    bench_run(entry, calls);
    took = fmax(now() - start, 1);
    if (took > nanoseconds / rounds / 4) break;
    calls *= 2;
  }
  const double each = took / calls, wanted = nanoseconds / rounds / each;
  int n = wanted < 1 ? 1 : (int)fmin(wanted, 1 << 24);
  if (n > turn) n = n / turn * turn;
  const double most = nanoseconds / (each * n);
  return (plan_t){.calls = n, .rounds = most < 3 ? 3 : most < rounds ? (int)most : rounds};
}

//---------- many rounds ----------

static int
by_size(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void
summarize(bench_entry_t * entry, double * time, int rounds)
{
  qsort(time, (size_t)rounds, sizeof *time, by_size);
  entry->min = time[0];
  entry->median = (time[rounds / 2] + time[(rounds - 1) / 2]) / 2;
}

// each entry in turn; who comes first changes, so that nobody always follows the same one
static void
interleave(bench_entry_t * entry, const plan_t * plan, int n, int rounds)
{
  for (int r = 0; r < rounds; r++) {
    for (int k = 0; k < n; k++) {
      const int i = (k + r) % n;
      if (r < plan[i].rounds) plan[i].time[r] = one_round(&entry[i], plan[i].calls);
    }
  }
}

bool
bench_measure(bench_entry_t * entry, int n, int rounds, double seconds)
{
  if (rounds < 3) rounds = 3;
  double * time = calloc((size_t)n * (size_t)rounds + 1, sizeof *time);
  plan_t * plan = calloc((size_t)n + 1, sizeof *plan);
  const bool fine = time != NULL && plan != NULL;
  if (fine) {
    for (int i = 0; i < n; i++) {
      plan[i] = make_plan(&entry[i], rounds, seconds * 1e9);
      plan[i].time = time + i * rounds;
    }
    interleave(entry, plan, n, rounds);
    for (int i = 0; i < n; i++) summarize(&entry[i], plan[i].time, plan[i].rounds);
  }
  free(time);
  free(plan);
  return fine;
}

int
bench_fastest(bench_entry_t * entry, int n)
{
  if (n < 2 || !bench_measure(entry, n, 5, 0.01)) return 0;
  int best = 0;
  for (int i = 1; i < n; i++)
    if (entry[i].min < entry[best].min) best = i;
  return best;
}

static void
nothing(void * loaded, int state)
{
  (void)loaded;
  (void)state;
}

double
bench_empty_call(void)
{
  static const bench_variant_t variant = {BENCH_FORWARD_KINEMATICS, NULL, nothing};
  const bench_robot_t robot = {.nstate = 16, .batch = 1};
  bench_entry_t entry = {.robot = &robot, .variant = &variant};
  return bench_measure(&entry, 1, 20, 0.01) ? entry.min : 0;
}
