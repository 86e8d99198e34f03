// Threads that wait for work: one caller, a job cut into as many parts as there are threads.
#ifndef POOL_H_
#define POOL_H_

typedef struct mbdi_pool mbdi_pool_t;

// threads counts the caller; NULL if out of memory or if a thread cannot be started
mbdi_pool_t * mbdi_pool_create(int threads);
void mbdi_pool_destroy(mbdi_pool_t * pool);
// work(context, part) for part 0 .. threads - 1, each once, on a thread of its own; returns when all
// are done
void mbdi_pool_run(mbdi_pool_t * pool, void (*work)(void * context, int part), void * context);

#endif  // POOL_H_
