// Limits of the process that Cyclone needs: it aborts where a thread or a socket is refused.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "impl.h"

// measured: a participant has 8 descriptors and 7 threads; the rest is for what comes after it
enum { DESCRIPTORS = 16, THREADS = 8 };
// what glibc's malloc reserves for a thread that finds the other arenas busy; which of them do is chance
static const size_t ARENA = (size_t)64 << 20;

static unsigned long long
limit_of(int resource)
{
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 ? (unsigned long long)limit.rlim_cur : 0;
}

// tried rather than counted: the limit says nothing about what is open already
static bool
has_descriptors(void)
{
  int fd[DESCRIPTORS], n = 0;
  fd[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd[0] >= 0) n = 1;
  while (n > 0 && n < DESCRIPTORS) {
    fd[n] = fcntl(fd[0], F_DUPFD_CLOEXEC, 0);
    if (fd[n] < 0) break;
    n++;
  }
  for (int i = 0; i < n; i++) close(fd[i]);
  return n == DESCRIPTORS;
}

static size_t
stack_size(void)
{
  size_t size = (size_t)8 << 20;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return size;
  (void)pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return size;
}

static bool
has_address_space(size_t bytes)
{
  void * memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

rcl_ret_t
sa_limits_check(void)
{
  if (!has_descriptors()) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
      "fewer than %d free file descriptors, which DDS needs: RLIMIT_NOFILE is %llu; raise it, e.g. "
      "`ulimit -n 1024`, or LimitNOFILE= of the systemd unit",
      (int)DESCRIPTORS, limit_of(RLIMIT_NOFILE));
    return RCL_RET_ERROR;
  }
  // two more: of the process itself, and what an arena takes while it is aligned
  const size_t bytes = THREADS * (stack_size() + ARENA) + 2 * ARENA;
  if (!has_address_space(bytes)) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
      "less than %zu MB of free address space, which DDS needs for its threads and their heaps: "
      "RLIMIT_AS is %llu MB; raise it, e.g. `ulimit -v unlimited`",
      bytes >> 20, limit_of(RLIMIT_AS) >> 20);
    return RCL_RET_ERROR;
  }
  return RCL_RET_OK;
}
