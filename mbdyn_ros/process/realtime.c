#include "realtime.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// how the names begin of threads that carry messages: receiving, delivering, timed events such as
// retransmissions
static const char * const CARRIERS[] = {
  // Cyclone DDS
  "recv", "dq.user", "tev",
  // Fast DDS
  "dds.udp.", "dds.shm.", "dds.tcp.", "dds.dsha.", "dds.asyn.", "dds.ev."};

static cpu_set_t
only(int cpu)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  return set;
}

static bool
is_carrier(const char * task)
{
  char path[300], name[32] = "";
  snprintf(path, sizeof path, "/proc/self/task/%s/comm", task);
  FILE * file = fopen(path, "r");
  if (!file) return false;
  const bool known = fgets(name, sizeof name, file);
  fclose(file);
  for (size_t k = 0; known && k < sizeof CARRIERS / sizeof *CARRIERS; k++) {
    if (strncmp(name, CARRIERS[k], strlen(CARRIERS[k])) == 0) return true;
  }
  return false;
}

// \return errno, or 0
static int
schedule_task(pid_t task, const realtime_options_t * options)
{
  int error = 0;
  if (options->priority > 0) {
    const struct sched_param scheduling = {.sched_priority = options->priority};
    if (sched_setscheduler(task, SCHED_FIFO, &scheduling) != 0) error = errno;
  }
  if (options->cpu >= 0) {
    const cpu_set_t set = only(options->cpu);
    if (sched_setaffinity(task, sizeof set, &set) != 0 && error == 0) error = errno;
  }
  return error;
}

static int
schedule_control(pthread_t thread, const realtime_options_t * options)
{
  int error = 0;
  if (options->priority > 0) {
    const struct sched_param scheduling = {.sched_priority = options->priority};
    error = pthread_setschedparam(thread, SCHED_FIFO, &scheduling);
  }
  if (options->cpu >= 0) {
    const cpu_set_t set = only(options->cpu);
    const int bound = pthread_setaffinity_np(thread, sizeof set, &set);
    if (error == 0) error = bound;
  }
  return error;
}

realtime_result_t
realtime_apply(pthread_t control, const realtime_options_t * options)
{
  realtime_result_t result = {0, schedule_control(control, options), 0};
  const bool asked = options->priority > 0 || options->cpu >= 0;
  DIR * tasks = asked ? opendir("/proc/self/task") : NULL;
  for (const struct dirent * task = NULL; tasks && (task = readdir(tasks));) {
    if (!is_carrier(task->d_name)) continue;
    const int error = schedule_task((pid_t)strtol(task->d_name, NULL, 10), options);
    result.threads++;
    if (result.scheduling_error == 0) result.scheduling_error = error;
  }
  if (tasks) closedir(tasks);
  if (options->lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) result.memory_error = errno;
  return result;
}
