// A thread that spins an rclc executor until it is told to stop.
#include <stdio.h>
#include <time.h>

#include "rcl/error_handling.h"
#include "ros_process.h"

static void
woken(void)
{
}

bool
spinner_init(spinner_t * spinner, rcl_context_t * context, rclc_executor_t * executor)
{
  spinner->executor = executor;
  spinner->running = false;
  atomic_init(&spinner->stop, false);
  spinner->wake = rcl_get_zero_initialized_guard_condition();
  const rcl_guard_condition_options_t options = rcl_guard_condition_get_default_options();
  const bool made =
    rcl_guard_condition_init(&spinner->wake, context, options) == RCL_RET_OK &&
    rclc_executor_add_guard_condition(executor, &spinner->wake, woken) == RCL_RET_OK;
  if (made) return true;
  LOGGER_LOG("", ERROR, "cannot create the executor: %s", rcl_get_error_string().str);
  rcl_reset_error();
  spinner_fini(spinner);
  return false;
}

// One bad request must not end the service for all others; but an error that stays must not take a
// processor for itself.
static void
breathe(void)
{
  rcl_reset_error();
  const struct timespec pause = {.tv_nsec = 20000000};
  nanosleep(&pause, NULL);
}

static void *
spin(void * arg)
{
  spinner_t * spinner = arg;
  rclc_executor_t * executor = spinner->executor;
  pthread_setname_np(pthread_self(), spinner->name);
  // somebody else may shut the context down, such as a component container
  while (!atomic_load(&spinner->stop) && rcl_context_is_valid(executor->context)) {
    const rcl_ret_t ret = rclc_executor_spin_some(executor, RCL_S_TO_NS(1));
    if (ret != RCL_RET_OK && ret != RCL_RET_TIMEOUT) breathe();
  }
  return NULL;
}

bool
spinner_start(spinner_t * spinner, const char * thread_name)
{
  atomic_store(&spinner->stop, false);
  snprintf(spinner->name, sizeof spinner->name, "%s", thread_name);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  spinner->running = pthread_create(&spinner->thread, NULL, spin, spinner) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!spinner->running) LOGGER_LOG("", ERROR, "cannot start the thread '%s'", thread_name);
  return spinner->running;
}

void
spinner_stop(spinner_t * spinner)
{
  if (!spinner->running) return;
  atomic_store(&spinner->stop, true);
  if (rcl_trigger_guard_condition(&spinner->wake) != RCL_RET_OK) rcl_reset_error();
  pthread_join(spinner->thread, NULL);
  spinner->running = false;
}

void
spinner_fini(spinner_t * spinner)
{
  spinner_stop(spinner);
  if (rcl_guard_condition_fini(&spinner->wake) != RCL_RET_OK) rcl_reset_error();
}
