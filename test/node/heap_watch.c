// Interposed allocation functions that know which thread calls them, and from where.
#include "heap_watch.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void * __libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define EXPORT __attribute__((visibility("default")))

enum { DEPTH = 12, PLACES = 8 };

static struct {
  atomic_bool armed;
  char thread[16];
  char libraries[96];
  atomic_int ours, theirs;
  // of the first calls, written by the one thread
  void * place[PLACES][DEPTH];
  void * their_place[PLACES][DEPTH];
} watch;

static _Thread_local bool inside;

static bool
is_theirs(void * caller)
{
  Dl_info info;
  char names[sizeof watch.libraries], *rest = names;
  if (dladdr(caller, &info) == 0 || !info.dli_fname) return false;
  memcpy(names, watch.libraries, sizeof names);
  for (const char * name; (name = strsep(&rest, " ")) != NULL;) {
    if (name[0] && strstr(info.dli_fname, name)) return true;
  }
  return false;
}

static void
note(void * caller)
{
  char name[16] = "";
  if (!atomic_load(&watch.armed) || inside) return;
  prctl(PR_GET_NAME, name);
  if (strcmp(name, watch.thread) != 0) return;
  inside = true;
  const bool theirs = is_theirs(caller);
  const int k = atomic_fetch_add(theirs ? &watch.theirs : &watch.ours, 1);
  if (k < PLACES) {
    void ** place = theirs ? watch.their_place[k] : watch.place[k];
    memset(place, 0, DEPTH * sizeof *place);
    backtrace(place, DEPTH);
  }
  inside = false;
}

#define CALLER __builtin_return_address(0)

EXPORT void *
malloc(size_t n)
{
  note(CALLER);
  return __libc_malloc(n);
}

EXPORT void *
calloc(size_t n, size_t size)
{
  note(CALLER);
  return __libc_calloc(n, size);
}

EXPORT void *
realloc(void * p, size_t n)
{
  note(CALLER);
  return __libc_realloc(p, n);
}

EXPORT void
free(void * p)
{
  if (p) note(CALLER);
  __libc_free(p);
}

EXPORT void *
aligned_alloc(size_t alignment, size_t n)
{
  note(CALLER);
  return __libc_memalign(alignment, n);
}

EXPORT void *
memalign(size_t alignment, size_t n)
{
  note(CALLER);
  return __libc_memalign(alignment, n);
}

EXPORT int
posix_memalign(void ** p, size_t alignment, size_t n)
{
  note(CALLER);
  *p = __libc_memalign(alignment, n);
  return *p ? 0 : 12;  // ENOMEM
}

//---------- report ----------

void
heap_watch_start(const char * thread, const char * libraries)
{
  void * first[DEPTH];
  snprintf(watch.thread, sizeof watch.thread, "%s", thread);
  snprintf(watch.libraries, sizeof watch.libraries, "%s", libraries);
  // its first call allocates
  backtrace(first, DEPTH);
  atomic_store(&watch.armed, true);
}

static void
print_place(void ** place)
{
  printf("from");
  for (int i = 2; i < DEPTH && place[i]; i++) {
    Dl_info info = {0};
    if (dladdr(place[i], &info) == 0 || !info.dli_fname) continue;
    const char * slash = strrchr(info.dli_fname, '/');
    const size_t offset = (size_t)((char *)place[i] - (char *)info.dli_fbase);
    printf(" %s+0x%zx", slash ? slash + 1 : info.dli_fname, offset);
  }
  printf("\n");
}

void
heap_watch_print(void)
{
  const int ours = atomic_exchange(&watch.ours, 0), theirs = atomic_exchange(&watch.theirs, 0);
  for (int k = 0; k < PLACES && k < ours; k++) print_place(watch.place[k]);
  for (int k = 0; k < PLACES && k < theirs; k++) print_place(watch.their_place[k]);
  printf("heap %d %d\n", ours, theirs);
  fflush(stdout);
}
