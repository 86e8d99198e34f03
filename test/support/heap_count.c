#include "heap_count.h"

#include <stdlib.h>

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void * __libc_memalign(size_t, size_t);
extern void __libc_free(void *);

volatile int armed, touched;

// visible to the libraries, or they would call those of the C library
#pragma GCC visibility push(default)
void * malloc(size_t n);
void * calloc(size_t n, size_t size);
void * realloc(void * p, size_t n);
void * aligned_alloc(size_t alignment, size_t n);
int posix_memalign(void ** out, size_t alignment, size_t size);
void free(void * p);
#pragma GCC visibility pop

void *
malloc(size_t n)
{
  if (armed) touched++;
  return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
  if (armed) touched++;
  return __libc_calloc(n, size);
}

void *
realloc(void * p, size_t n)
{
  if (armed) touched++;
  return __libc_realloc(p, n);
}

void *
aligned_alloc(size_t alignment, size_t n)
{
  if (armed) touched++;
  return __libc_memalign(alignment, n);
}

int
posix_memalign(void ** out, size_t alignment, size_t size)
{
  if (armed) touched++;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}

void
free(void * p)
{
  if (armed && p) touched++;
  __libc_free(p);
}
