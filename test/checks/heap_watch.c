#include "heap_watch.h"

#include <stdlib.h>
#include <string.h>

//---------- the interposer ----------

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void * __libc_memalign(size_t, size_t);
extern void __libc_free(void *);
int posix_memalign(void ** out, size_t alignment, size_t size);

volatile int armed, touched;

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

//---------- the calls ----------

char called[MOST_CALLS][64], refused[MOST_CALLS][64];
int ncalled, nrefused, embedded;

void
remember(const char * call)
{
  size_t n = strcspn(call, "(");
  if (n > 63) n = 63;
  for (int i = 0; i < ncalled; i++) {
    if (strlen(called[i]) == n && memcmp(called[i], call, n) == 0) return;
  }
  assert_true(ncalled < MOST_CALLS);
  memcpy(called[ncalled], call, n);
  called[ncalled++][n] = 0;
}

void
refuse(const char * call)
{
  const size_t n = strcspn(call, "(");
  for (int i = 0; i < nrefused; i++) {
    if (strlen(refused[i]) == n && memcmp(refused[i], call, n) == 0) return;
  }
  assert_true(nrefused < MOST_CALLS && n < 64);
  memcpy(refused[nrefused], call, n);
  refused[nrefused++][n] = 0;
}
