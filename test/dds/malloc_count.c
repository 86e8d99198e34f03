// Counts what goes through malloc in this process, libraries included: the names here come before
// those of the C library, which has them under other names too.
#include <stdatomic.h>
#include <stddef.h>

#include "latency_path.h"

static atomic_uint calls;

uint32_t
malloc_count(void)
{
  return atomic_load(&calls);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EXPORT __attribute__((visibility("default")))

void * __libc_malloc(size_t size);
void * __libc_calloc(size_t count, size_t size);
void * __libc_realloc(void * pointer, size_t size);
EXPORT void * malloc(size_t size);
EXPORT void * calloc(size_t count, size_t size);
EXPORT void * realloc(void * pointer, size_t size);

void *
malloc(size_t size)
{
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_calloc(count, size);
}

void *
realloc(void * pointer, size_t size)
{
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_realloc(pointer, size);
}
#endif
