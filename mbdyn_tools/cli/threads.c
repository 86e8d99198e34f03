// Threads of a command that has many states to compute.
#include "threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

int
threads_default(void)
{
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : (int)n;
}

const char *
threads_take(const char * value, int * threads)
{
  char * end = NULL;
  const long n = strtol(value, &end, 10);
  if (end == value || *end || n < 1 || n > THREADS_MOST) return "a whole number from 1 to 256";
  *threads = (int)n;
  return NULL;
}

typedef struct part {
  void (*call)(void * context, int part);
  void * context;
  int index;
  bool started;
  pthread_t thread;
} part_t;

static void *
run_part(void * arg)
{
  const part_t * p = arg;
  p->call(p->context, p->index);
  return NULL;
}

void
threads_run(int n, void (*part)(void * context, int part), void * context)
{
  part_t parts[THREADS_MOST];
  for (int i = 1; i < n; i++) {
    parts[i] = (part_t){.call = part, .context = context, .index = i};
    parts[i].started = pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
  }
  part(context, 0);
  for (int i = 1; i < n; i++) {
    if (parts[i].started)
      pthread_join(parts[i].thread, NULL);
    else
      part(context, i);
  }
}
