// Files by name: regular ones only, of bounded size, in bounded time.
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OVERDUE_MAX = 4, STACK = 128 * 1024 };

// belongs to the caller and to the thread; the last of them frees it
typedef struct job {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool done, abandoned;
  size_t most, size;
  char * text;  // NULL: see reason
  char reason[128];
  char path[];
} job_t;

static atomic_int overdue;  // threads whose caller has gone

//---------- the file ----------

static bool
fail(job_t * job, const char * reason)
{
  snprintf(job->reason, sizeof job->reason, "%s", reason);
  return false;
}

static bool
fail_size(job_t * job)
{
  snprintf(job->reason, sizeof job->reason, "larger than %zu bytes", job->most);
  return false;
}

// the size in the directory may be wrong by the time it is read
static bool
read_all(job_t * job, int fd, size_t expected)
{
  size_t capacity = expected + 2;
  job->text = malloc(capacity);
  while (job->text) {
    const ssize_t n = read(fd, job->text + job->size, capacity - 1 - job->size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(job, strerror(errno));
    job->size += (size_t)n;
    job->text[job->size] = 0;
    if (job->size > job->most) return fail_size(job);
    if (n == 0) return job->size > 0 || fail(job, "empty");
    if (job->size + 1 < capacity) continue;
    capacity = 2 * capacity < job->most + 2 ? 2 * capacity : job->most + 2;
    char * larger = realloc(job->text, capacity);
    if (!larger) free(job->text);
    job->text = larger;
  }
  return fail(job, "out of memory");
}

static bool
read_file(job_t * job)
{
  // O_NONBLOCK: open of a FIFO would wait for its writer
  const int fd = open(job->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return fail(job, strerror(errno));
  struct stat status;
  bool good;
  if (fstat(fd, &status) != 0)
    good = fail(job, strerror(errno));
  else if (!S_ISREG(status.st_mode))
    good = fail(job, "not a regular file");
  else if ((uintmax_t)status.st_size > job->most)
    good = fail_size(job);
  else
    good = read_all(job, fd, (size_t)status.st_size);
  close(fd);
  return good;
}

//---------- the thread ----------

static void
job_destroy(job_t * job)
{
  pthread_mutex_destroy(&job->lock);
  pthread_cond_destroy(&job->changed);
  free(job->text);
  free(job);
}

static void *
work(void * argument)
{
  job_t * job = argument;
  if (!read_file(job)) {
    free(job->text);
    job->text = NULL;
  }
  pthread_mutex_lock(&job->lock);
  job->done = true;
  const bool abandoned = job->abandoned;
  pthread_cond_signal(&job->changed);
  pthread_mutex_unlock(&job->lock);
  if (abandoned) {
    job_destroy(job);
    atomic_fetch_sub(&overdue, 1);
  }
  return NULL;
}

static job_t *
job_create(const char * path, size_t most)
{
  job_t * job = calloc(1, sizeof *job + strlen(path) + 1);
  if (!job) return NULL;
  strcpy(job->path, path);
  job->most = most;
  pthread_mutex_init(&job->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&job->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return job;
}

static bool
job_start(job_t * job)
{
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK);
  const bool started = pthread_create(&thread, &attributes, work, job) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

// false: the job is the thread's alone from here on
static bool
job_wait(job_t * job)
{
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += REGULAR_FILE_DEADLINE * 1000000;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  int ret = 0;
  pthread_mutex_lock(&job->lock);
  while (!job->done && ret == 0) {
    ret = pthread_cond_timedwait(&job->changed, &job->lock, &end);
  }
  const bool done = job->done;
  job->abandoned = !done;
  if (!done) atomic_fetch_add(&overdue, 1);
  pthread_mutex_unlock(&job->lock);
  return done;
}

char *
regular_file_read(const char * path, size_t most, size_t * size, char * reason, size_t reason_size)
{
  *size = 0;
  if (atomic_load(&overdue) >= OVERDUE_MAX) {
    snprintf(reason, reason_size, "not read: earlier files are still being read");
    return NULL;
  }
  job_t * job = job_create(path, most);
  if (!job || !job_start(job)) {
    snprintf(reason, reason_size, "not read: out of memory or threads");
    if (job) job_destroy(job);
    return NULL;
  }
  if (!job_wait(job)) {
    snprintf(reason, reason_size, "not read within %d ms", REGULAR_FILE_DEADLINE);
    return NULL;
  }
  char * text = job->text;
  job->text = NULL;
  *size = text ? job->size : 0;
  if (!text) snprintf(reason, reason_size, "%s", job->reason);
  job_destroy(job);
  return text;
}
