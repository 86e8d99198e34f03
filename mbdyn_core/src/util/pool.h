// Threads that wait for work: one caller, a job cut into at most as many parts as there are threads.
#ifndef POOL_H_
#define POOL_H_

typedef struct mbdi_pool mbdi_pool_t;

// threads counts the caller; NULL if out of memory or if a thread cannot be started
mbdi_pool_t * mbdi_pool_create(int threads);
void mbdi_pool_destroy(mbdi_pool_t * pool);
// work(context, part) for part 0 .. parts - 1, each once, on whichever threads are free; returns when
// all are done. parts: 1 .. threads; one part is the caller's alone.
void mbdi_pool_run(
  mbdi_pool_t * pool, int parts, void (*work)(void * context, int part), void * context);

#endif  // POOL_H_
