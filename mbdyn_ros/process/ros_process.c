// A process with one ROS node: command line, logging, signals, end.
#include "ros_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rcl/arguments.h"
#include "rcl/error_handling.h"
#include "rcl/logging.h"
#include "rcl_yaml_param_parser/parser.h"

// how much of a process is open
enum { NOTHING, CONTEXT, LOGGING, NODE };

// signals belong to the process, so there is one of these
static struct {
  sigset_t set;
  pthread_t waiter;
  atomic_bool open;
  atomic_bool finished;
} stop;

static void
ignore(rcl_ret_t ret)
{
  if (ret != RCL_RET_OK) rcl_reset_error();
}

//---------- signals ----------

static void
block_signals(void)
{
  sigemptyset(&stop.set);
  sigaddset(&stop.set, SIGINT);
  sigaddset(&stop.set, SIGTERM);
  // nohup: a blocked signal would reach sigwait although it is ignored
  struct sigaction hangup;
  const bool known = sigaction(SIGHUP, NULL, &hangup) == 0;
  if (known && hangup.sa_handler != SIG_IGN) sigaddset(&stop.set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &stop.set, NULL);
  // a log that nobody reads any more must not end a controller
  signal(SIGPIPE, SIG_IGN);
  stop.waiter = pthread_self();
  atomic_store(&stop.finished, false);
  atomic_store(&stop.open, true);
}

int
ros_process_printed(void)
{
  if (fflush(stdout) == 0 && ferror(stdout) == 0) return 0;
  perror("standard output");
  return 2;
}

int
ros_process_wait(void)
{
  int number = 0;
  while (!atomic_load(&stop.finished) && sigwait(&stop.set, &number) != 0) continue;
  return atomic_load(&stop.finished) ? 0 : number;
}

void
ros_process_finish(void)
{
  atomic_store(&stop.finished, true);
  // to this one thread, which has it blocked: no other can be hit
  if (atomic_load(&stop.open)) pthread_kill(stop.waiter, SIGTERM);
}

//---------- messages ----------

// DDS collects a message of any size before anybody can look at it. Cyclone drops what is larger than
// this at its first fragment; what CYCLONEDDS_URI says comes later and counts.
static void
limit_messages(void)
{
  static const char limit[] =
    "<CycloneDDS><Domain><Internal><MaxSampleSize>32 MiB</MaxSampleSize></Internal></Domain>"
    "</CycloneDDS>";
  const char * given = getenv("CYCLONEDDS_URI");
  const bool more = given != NULL && given[0] != '\0';
  const size_t size = sizeof limit + (more ? strlen(given) + 1 : 0);
  char * uri = malloc(size);
  if (uri == NULL) return;
  snprintf(uri, size, "%s%s%s", limit, more ? "," : "", more ? given : "");
  setenv("CYCLONEDDS_URI", uri, 1);
  free(uri);
}

//---------- logging ----------

static pthread_mutex_t log_lock;

static void
make_log_lock(void)
{
  // recursive: publishing a line may itself log
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&log_lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

// rcl's own handler is not thread safe
static void
log_locked(
  const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t timestamp, const char * format, va_list * args)
{
  pthread_mutex_lock(&log_lock);
  rcl_logging_multiple_output_handler(location, severity, name, timestamp, format, args);
  pthread_mutex_unlock(&log_lock);
}

static bool
open_logging(ros_process_t * process)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_log_lock);
  return rcl_logging_configure_with_output_handler(
           &process->support.context.global_arguments, &process->allocator, log_locked) ==
         RCL_RET_OK;
}

//---------- command line ----------

static const char *
program_of(int argc, char ** argv, const char * name)
{
  if (argc < 1 || argv[0] == NULL || argv[0][0] == '\0') return name;
  const char * slash = strrchr(argv[0], '/');
  return slash ? slash + 1 : argv[0];
}

// one line for each that nobody knows
static bool
check_arguments(ros_process_t * process, char ** argv, const char * program)
{
  const rcl_arguments_t * args = &process->support.context.global_arguments;
  const rcl_allocator_t a = process->allocator;
  int * others = NULL;
  int * unknown = NULL;
  ignore(rcl_arguments_get_unparsed(args, a, &others));
  ignore(rcl_arguments_get_unparsed_ros(args, a, &unknown));
  int refused = 0;
  for (int i = 0; others && i < rcl_arguments_get_count_unparsed(args); i++) {
    if (others[i] == 0) continue;  // the program
    const char * hint = " (ROS arguments go after --ros-args)";
    fprintf(stderr, "%s: unknown argument '%s'%s\n", program, argv[others[i]], hint);
    refused++;
  }
  for (int i = 0; unknown && i < rcl_arguments_get_count_unparsed_ros(args); i++) {
    fprintf(stderr, "%s: unknown ROS argument '%s'\n", program, argv[unknown[i]]);
    refused++;
  }
  a.deallocate(others, a.state);
  a.deallocate(unknown, a.state);
  return refused == 0;
}

//---------- start ----------

static bool
open_context(ros_process_t * process, int argc, char ** argv, const char * program)
{
  const char * const * arguments = (const char * const *)argv;
  const rcl_ret_t ret =
    rclc_support_init(&process->support, argc, argc ? arguments : NULL, &process->allocator);
  if (ret != RCL_RET_OK) return false;
  process->stage = CONTEXT;
  if (!check_arguments(process, argv, program)) return false;
  return rcl_arguments_get_param_overrides(
           &process->support.context.global_arguments, &process->overrides) == RCL_RET_OK;
}

static bool
open_node(ros_process_t * process, const char * name)
{
  if (!open_logging(process)) return false;
  process->stage = LOGGING;
  // after logging: this is what makes it publish to /rosout
  process->node = rcl_get_zero_initialized_node();
  if (rclc_node_init_default(&process->node, name, "", &process->support) != RCL_RET_OK) {
    return false;
  }
  process->stage = NODE;
  return true;
}

bool
ros_process_open(ros_process_t * process, int argc, char ** argv, const char * name)
{
  *process = (ros_process_t){.allocator = rcl_get_default_allocator(), .stage = NOTHING};
  const char * program = program_of(argc, argv, name);
  block_signals();
  limit_messages();
  if (open_context(process, argc, argv, program) && open_node(process, name)) return true;
  // rclc has printed its own errors and reset them
  const bool more = rcl_error_is_set();
  fprintf(stderr, "%s: cannot start%s", program, more ? ": " : "\n");
  if (more) fprintf(stderr, "%s\n", rcl_get_error_string().str);
  rcl_reset_error();
  ros_process_close(process);
  return false;
}

//---------- end ----------

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  struct timespec deadline;
  bool armed, done;
  int exit_code;
} watchdog = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *
watch(void * unused)
{
  int ret = 0;
  pthread_mutex_lock(&watchdog.lock);
  while (!watchdog.done && ret != ETIMEDOUT) {
    ret = pthread_cond_timedwait(&watchdog.changed, &watchdog.lock, &watchdog.deadline);
  }
  if (!watchdog.done) _exit(watchdog.exit_code);
  pthread_mutex_unlock(&watchdog.lock);
  return unused;
}

void
ros_process_leave(int exit_code)
{
  if (watchdog.armed) return;
  const int64_t deadline = steady_now() + 800000000;
  watchdog.deadline.tv_sec = (time_t)(deadline / 1000000000);
  watchdog.deadline.tv_nsec = (long)(deadline % 1000000000);
  watchdog.exit_code = exit_code;
  watchdog.done = false;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&watchdog.changed, &attributes);
  pthread_condattr_destroy(&attributes);
  watchdog.armed = pthread_create(&watchdog.thread, NULL, watch, NULL) == 0;
  // _exit would lose it
  fflush(NULL);
}

static void
disarm(void)
{
  if (!watchdog.armed) return;
  pthread_mutex_lock(&watchdog.lock);
  watchdog.done = true;
  pthread_cond_signal(&watchdog.changed);
  pthread_mutex_unlock(&watchdog.lock);
  pthread_join(watchdog.thread, NULL);
  pthread_cond_destroy(&watchdog.changed);
  watchdog.armed = false;
}

void
ros_process_close(ros_process_t * process)
{
  if (process->stage >= CONTEXT) ros_process_leave(0);
  if (process->overrides) rcl_yaml_node_struct_fini(process->overrides);
  process->overrides = NULL;
  if (process->stage >= NODE) ignore(rcl_node_fini(&process->node));
  if (process->stage >= LOGGING) ignore(rcl_logging_fini());
  if (process->stage >= CONTEXT) ignore(rclc_support_fini(&process->support));
  process->stage = NOTHING;
  // signals stay blocked: a second Ctrl-C must not spoil the exit code
  atomic_store(&stop.open, false);
  disarm();
}
