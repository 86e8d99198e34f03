// Round trips, throughput and mallocs of our serialized path, next to plain Cyclone in the same
// run.
//
//   latency [ROUNDS]   prints; fails only if a message does not come back
//
// There is no bound on time here: machines differ. The ratio is what to look at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency_path.h"
#include "process.h"

enum { PATHS = 2, BURSTS = 5, WARM_UP = 1000, START_MS = 20000, ANSWER_MS = 5000 };
enum { PING = 1, LOAD, COUNT_MALLOCS, STOP };

static const path_t * const paths[PATHS] = {&path_ours, &path_plain};
static process_t echoes[PATHS];

//---------- the other process ----------

// sends back all but the load of a burst
static int
echo(const path_t * path)
{
  word_t word = {0, 0};
  path->open(true);
  while (word.tag != STOP) {
    if (!path->receive(&word, 10 * ANSWER_MS)) return 1;
    if (word.tag == COUNT_MALLOCS) word.value = malloc_count();
    if (word.tag != LOAD) path->send(word);
  }
  // the last answer is on its way
  sleep_ms(200);
  path->close();
  return 0;
}

//---------- this one ----------

static void
fail(const path_t * path, const char * what)
{
  printf("%s: %s\n", path->name, what);
  process_kill_all(NULL);
  exit(1);
}

static word_t
ask(const path_t * path, uint32_t tag, uint32_t value)
{
  word_t question = {tag, value}, answer = {0, 0};
  path->send(question);
  if (!path->receive(&answer, ANSWER_MS)) fail(path, "no answer");
  if (answer.tag != tag) fail(path, "another answer");
  if (tag != COUNT_MALLOCS && answer.value != value) fail(path, "an old answer");
  return answer;
}

static void
start(int i, const char * program)
{
  const char * const argv[] = {program, "echo", i == 0 ? "ours" : "plain", NULL};
  process_start(&echoes[i], argv);
  paths[i]->open(false);
  for (int ms = 0; !paths[i]->matched(); ms++) {
    if (ms == START_MS) fail(paths[i], "no other side");
    sleep_ms(1);
  }
  // the other side may need a moment longer to know us
  sleep_ms(500);
  for (uint32_t k = 0; k < WARM_UP; k++) ask(paths[i], PING, k);
}

static int
compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
quantile(double * values, int n, double q)
{
  qsort(values, (size_t)n, sizeof values[0], compare);
  return values[(int)(q * (n - 1))];
}

// turn by turn, so that what the machine does meanwhile hits both
static void
round_trips(int rounds)
{
  double median[PATHS];
  double * times[PATHS];
  for (int i = 0; i < PATHS; i++) times[i] = calloc((size_t)rounds, sizeof *times[i]);
  for (int k = 0; k < rounds; k++) {
    for (int j = 0; j < PATHS; j++) {
      int i = (j + k) % PATHS;
      int64_t begin = now_ns();
      ask(paths[i], PING, (uint32_t)k);
      times[i][k] = (double)(now_ns() - begin) / 1000;
    }
  }
  for (int i = 0; i < PATHS; i++) {
    median[i] = quantile(times[i], rounds, 0.5);
    printf(
      "%-14s round trip, us: median %.1f  p90 %.1f  p99 %.1f\n", paths[i]->name, median[i],
      quantile(times[i], rounds, 0.9), quantile(times[i], rounds, 0.99));
    free(times[i]);
  }
  printf("ratio of medians %.3f\n", median[0] / median[1]);
}

static double
burst(const path_t * path, int messages)
{
  int64_t begin = now_ns();
  for (int k = 0; k < messages; k++) path->send((word_t){LOAD, (uint32_t)k});
  ask(path, PING, (uint32_t)messages);
  return messages / ((double)(now_ns() - begin) * 1e-9);
}

static void
throughput(int messages)
{
  double rates[PATHS][BURSTS], median[PATHS];
  for (int k = 0; k < BURSTS; k++) {
    for (int i = 0; i < PATHS; i++) rates[i][k] = burst(paths[i], messages);
  }
  for (int i = 0; i < PATHS; i++) {
    median[i] = quantile(rates[i], BURSTS, 0.5);
    printf("%-14s throughput: %.0f messages/s\n", paths[i]->name, median[i]);
  }
  printf("ratio of throughputs %.3f\n", median[0] / median[1]);
}

// Cyclone's own calls are those of the plain run: what ours has more is ours
static void
mallocs(int rounds)
{
  for (int i = 0; i < PATHS; i++) {
    uint32_t there = ask(paths[i], COUNT_MALLOCS, 0).value;
    uint32_t here = malloc_count();
    for (int k = 0; k < rounds; k++) ask(paths[i], PING, (uint32_t)k);
    here = malloc_count() - here;
    there = ask(paths[i], COUNT_MALLOCS, 0).value - there;
    printf(
      "%-14s mallocs per round trip (write and read): %.3f here, %.3f there\n", paths[i]->name,
      (double)here / rounds, (double)there / rounds);
  }
}

static int
stop(void)
{
  int code = 0;
  for (int i = 0; i < PATHS; i++) {
    ask(paths[i], STOP, 0);
    paths[i]->close();
    code |= process_end(&echoes[i], 0, ANSWER_MS);
  }
  return code;
}

int
main(int argc, char ** argv)
{
  if (argc > 2) return echo(paths[strcmp(argv[2], "plain") == 0]);
  int rounds = argc > 1 ? atoi(argv[1]) : 20000;
  if (rounds < 1) return 2;
  own_domain();
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 0; i < PATHS; i++) start(i, argv[0]);
  round_trips(rounds);
  mallocs(rounds);
  throughput(rounds);
  return stop();
}
