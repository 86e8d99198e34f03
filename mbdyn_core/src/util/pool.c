// A pool of threads, woken by a condition. Whoever is there takes the next part of the job, so that
// the caller does not wait for threads that are still waking up, which takes about 5 us. Both sides spin
// for some microseconds before they sleep: jobs often follow each other closely.
#include "util/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

// 3 to 13 us
enum { SPINS = 300 };

struct mbdi_pool {
  pthread_mutex_t mutex;
  pthread_cond_t start, done;
  int threads, started, spins;
  int parts, next;     // of the job, and the first that nobody has taken
  atomic_int running;  // parts that are not done
  atomic_ulong job;    // counts jobs
  atomic_bool stop;
  void (*work)(void * context, int part);
  void * context;
  pthread_t worker[];  // [threads - 1]
};

static void
spin_once(void)
{
#ifdef __x86_64__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

// leaves the pool locked
static void
wait_for_job(mbdi_pool_t * pool, unsigned long seen)
{
  for (int k = 0; k < pool->spins && pool->job == seen && !pool->stop; k++) spin_once();
  pthread_mutex_lock(&pool->mutex);
  while (!pool->stop && pool->job == seen) pthread_cond_wait(&pool->start, &pool->mutex);
}

// takes parts of the job until none is left; the pool is locked before and after
static void
run_parts(mbdi_pool_t * pool)
{
  while (pool->next < pool->parts) {
    void (*const work)(void *, int) = pool->work;
    void * context = pool->context;
    const int part = pool->next++;
    pthread_mutex_unlock(&pool->mutex);
    work(context, part);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->running == 0) pthread_cond_signal(&pool->done);
  }
}

static void *
run_worker(void * argument)
{
  mbdi_pool_t * pool = argument;
  unsigned long seen = 0;
  for (wait_for_job(pool, seen); !pool->stop; wait_for_job(pool, seen)) {
    seen = pool->job;
    run_parts(pool);
    pthread_mutex_unlock(&pool->mutex);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

// signals are for the caller's threads
static bool
start_workers(mbdi_pool_t * pool)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int k = 0; k < pool->threads - 1; k++) {
    if (pthread_create(&pool->worker[k], NULL, run_worker, pool) != 0) break;
    pool->started++;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return pool->started == pool->threads - 1;
}

mbdi_pool_t *
mbdi_pool_create(int threads)
{
  mbdi_pool_t * pool = calloc(1, sizeof *pool + (size_t)(threads - 1) * sizeof pool->worker[0]);
  if (!pool) return NULL;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->start, NULL);
  pthread_cond_init(&pool->done, NULL);
  pool->threads = threads;
  // where threads share a processor, spinning keeps others from their part
  pool->spins = sysconf(_SC_NPROCESSORS_ONLN) >= threads ? SPINS : 0;
  if (start_workers(pool)) return pool;
  mbdi_pool_destroy(pool);
  return NULL;
}

void
mbdi_pool_destroy(mbdi_pool_t * pool)
{
  if (!pool) return;
  pthread_mutex_lock(&pool->mutex);
  pool->stop = true;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->mutex);
  for (int k = 0; k < pool->started; k++) pthread_join(pool->worker[k], NULL);
  pthread_cond_destroy(&pool->start);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

void
mbdi_pool_run(mbdi_pool_t * pool, int parts, void (*work)(void * context, int part), void * context)
{
  if (parts == 1) {
    work(context, 0);
    return;
  }
  pthread_mutex_lock(&pool->mutex);
  pool->work = work;
  pool->context = context;
  pool->running = parts;
  pool->parts = parts;
  pool->next = 0;
  pool->job++;
  pthread_cond_broadcast(&pool->start);
  run_parts(pool);
  pthread_mutex_unlock(&pool->mutex);
  for (int k = 0; k < pool->spins && pool->running > 0; k++) spin_once();
  pthread_mutex_lock(&pool->mutex);
  while (pool->running > 0) pthread_cond_wait(&pool->done, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}
