// Threads that wait for work: one caller, a job cut into as many parts as there are threads.
#ifndef POOL_H_
#define POOL_H_

typedef struct mbd_pool mbd_pool_t;

// threads counts the caller; NULL if out of memory or if a thread cannot be started
mbd_pool_t * mbd_pool_create(int threads);
void mbd_pool_destroy(mbd_pool_t * pool);
// work(context, part) for part 0 .. threads - 1, each once, on a thread of its own; returns when all
// are done
void mbd_pool_run(mbd_pool_t * pool, void (*work)(void * context, int part), void * context);

#endif  // POOL_H_
