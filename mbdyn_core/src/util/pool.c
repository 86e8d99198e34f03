// A pool of threads, woken by a condition, counted down when they are done.
#include "util/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct worker {
  mbdi_pool_t * pool;
  int part;
  pthread_t thread;
} worker_t;

struct mbdi_pool {
  pthread_mutex_t mutex;
  pthread_cond_t start, done;
  int threads, running, started;
  unsigned long job;  // counts jobs
  bool stop;
  void (*work)(void * context, int part);
  void * context;
  worker_t worker[];  // [threads - 1]
};

static void *
run(void * argument)
{
  const worker_t * self = argument;
  mbdi_pool_t * pool = self->pool;
  unsigned long seen = 0;
  pthread_mutex_lock(&pool->mutex);
  for (;;) {
    while (!pool->stop && pool->job == seen) pthread_cond_wait(&pool->start, &pool->mutex);
    if (pool->stop) break;
    seen = pool->job;
    pthread_mutex_unlock(&pool->mutex);
    pool->work(pool->context, self->part);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->running == 0) pthread_cond_signal(&pool->done);
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
    worker_t * w = &pool->worker[k];
    w->pool = pool;
    w->part = k + 1;
    if (pthread_create(&w->thread, NULL, run, w) != 0) break;
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
  for (int k = 0; k < pool->started; k++) pthread_join(pool->worker[k].thread, NULL);
  pthread_cond_destroy(&pool->start);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

void
mbdi_pool_run(mbdi_pool_t * pool, void (*work)(void * context, int part), void * context)
{
  if (pool->threads > 1) {
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->context = context;
    pool->running = pool->threads - 1;
    pool->job++;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->mutex);
  }
  work(context, 0);
  if (pool->threads > 1) {
    pthread_mutex_lock(&pool->mutex);
    while (pool->running > 0) pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
  }
}
