#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
// Debian's Cyclone is not instrumented: its own locks and atomics cannot be seen
const char * __tsan_default_suppressions(void);

__attribute__((visibility("default"))) const char *
__tsan_default_suppressions(void)
{
  return "race:libddsc\n";
}
#endif

void
session_open(session_t * session, const char * node_name, const char * const * arguments)
{
  enum { MAX = 32 };
  const char * argv[MAX] = {"test"};
  int argc = 1;
  while (arguments != NULL && *arguments != NULL && argc < MAX) argv[argc++] = *arguments++;
  memset(session, 0, sizeof *session);
  session->allocator = rcl_get_default_allocator();
  OK(rclc_support_init(&session->support, argc, argv, &session->allocator));
  OK(rclc_node_init_default(&session->node, node_name, "", &session->support));
}

void
session_close(session_t * session)
{
  OK(rcl_node_fini(&session->node));
  OK(rclc_support_fini(&session->support));
}

void
sleep_until(int64_t time_ns)
{
  struct timespec time = {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) continue;
}

bool
wait_until(bool (*condition)(void *), void * arg, int milliseconds)
{
  int64_t end = now_ns() + (int64_t)milliseconds * 1000000;
  while (!condition(arg)) {
    if (now_ns() > end) return false;
    sleep_ms(2);
  }
  return true;
}

typedef struct {
  const rcl_publisher_t * publisher;
  size_t count;
} matched_t;

static bool
is_matched(void * arg)
{
  matched_t * matched = arg;
  size_t count = 0;
  OK(rcl_publisher_get_subscription_count(matched->publisher, &count));
  return count == matched->count;
}

bool
wait_matched(const rcl_publisher_t * publisher, size_t count, int milliseconds)
{
  matched_t matched = {publisher, count};
  return wait_until(is_matched, &matched, milliseconds);
}

rcl_ret_t
take_within(
  session_t * session, const rcl_subscription_t * subscription, rcl_serialized_message_t * bytes,
  int milliseconds)
{
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &session->support.context, session->allocator));
  OK(rcl_wait_set_add_subscription(&set, subscription, NULL));
  rcl_ret_t ret = rcl_wait(&set, RCL_MS_TO_NS((int64_t)milliseconds));
  if (ret == RCL_RET_OK) ret = rcl_take_serialized_message(subscription, bytes, NULL, NULL);
  OK(rcl_wait_set_fini(&set));
  return ret;
}

pid_t
start_role(const char * name)
{
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "role", "role", name, (char *)NULL);
    _exit(127);
  }
  return child;
}

const char *
role_of(int argc, char ** argv)
{
  return argc == 3 && strcmp(argv[1], "role") == 0 ? argv[2] : NULL;
}

int
exit_code(pid_t child)
{
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
