// A node for the time of one command: start, waiting, Ctrl-C, end.
#include "ros_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "rcl/error_handling.h"

//---------- errors ----------

int
ros_complain(const ros_args_t * args, const char * what)
{
  fprintf(stderr, "mbdyn %s: %s", args->command, what);
  if (rcl_error_is_set()) {
    // without the place in the source
    const rcl_error_string_t error = rcl_get_error_string();
    const char * place = strstr(error.str, ", at ");
    const int length = (int)(place ? place - error.str : (ptrdiff_t)strlen(error.str));
    fprintf(stderr, ": %.*s", length, error.str);
    rcl_reset_error();
  }
  fputc('\n', stderr);
  return CLI_TROUBLE;
}

int
ros_nobody(const ros_args_t * args, const char * what)
{
  const char * domain = getenv("ROS_DOMAIN_ID");
  fprintf(
    stderr, "mbdyn %s: found no %s in ROS domain %s; see ROS_DOMAIN_ID and --wait\n", args->command,
    what, domain && *domain ? domain : "0");
  return CLI_FOUND;
}

void
ros_ignore(rcl_ret_t ret)
{
  if (ret != RCL_RET_OK) rcl_reset_error();
}

//---------- time ----------

int64_t
ros_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
ros_after(double seconds)
{
  return ros_now() + (int64_t)(seconds * 1e9);
}

double
ros_or(double given, double otherwise)
{
  return given < 0 ? otherwise : given;
}

//---------- signals ----------

static void
stop_signals(sigset_t * set)
{
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
}

// all threads have these signals blocked; only this one takes them
static void *
watch_signals(void * arg)
{
  ros_session_t * session = arg;
  sigset_t set;
  int number;
  stop_signals(&set);
  while (sigwait(&set, &number) == 0 && !atomic_load(&session->closing)) {
    atomic_store(&session->stopped, true);
    ros_ignore(rcl_trigger_guard_condition(&session->stop_guard));
  }
  return NULL;
}

//---------- start and end ----------

enum { NOTHING, SIGNALS, SUPPORT, NODE, GUARD, WAIT_SET, WATCHER };

static bool
open_node(ros_session_t * s)
{
  // hidden, as the nodes of other command line tools are
  char name[64];
  snprintf(name, sizeof name, "_mbdyn_cli_%ld", (long)getpid());
  s->node = rcl_get_zero_initialized_node();
  if (rclc_node_init_default(&s->node, name, "", &s->support) != RCL_RET_OK) return false;
  s->stage = NODE;

  s->stop_guard = rcl_get_zero_initialized_guard_condition();
  const rcl_guard_condition_options_t options = rcl_guard_condition_get_default_options();
  if (rcl_guard_condition_init(&s->stop_guard, &s->support.context, options) != RCL_RET_OK) {
    return false;
  }
  s->stage = GUARD;

  // one subscription, one client, and the guards of Ctrl-C and of the graph
  s->waits = rcl_get_zero_initialized_wait_set();
  const rcl_ret_t ret =
    rcl_wait_set_init(&s->waits, 1, 2, 0, 1, 0, 0, &s->support.context, s->allocator);
  if (ret != RCL_RET_OK) return false;
  s->stage = WAIT_SET;
  return true;
}

bool
ros_open(ros_session_t * s, const ros_args_t * args)
{
  *s = (ros_session_t){.args = args, .stage = SIGNALS, .allocator = rcl_get_default_allocator()};
  sigset_t set;
  stop_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, &s->old_mask);
  signal(SIGPIPE, SIG_IGN);

  const rcl_ret_t ret =
    rclc_support_init(&s->support, args->ros_argc, args->ros_argv, &s->allocator);
  if (ret == RCL_RET_OK) {
    s->stage = SUPPORT;
    if (open_node(s)) {
      if (pthread_create(&s->watcher, NULL, watch_signals, s) == 0) {
        s->stage = WATCHER;
        return true;
      }
    }
  }
  ros_complain(args, "cannot start");
  ros_close(s);
  return false;
}

void
ros_close(ros_session_t * s)
{
  if (s->stage >= WATCHER) {
    atomic_store(&s->closing, true);
    pthread_kill(s->watcher, SIGTERM);
    pthread_join(s->watcher, NULL);
  }
  if (s->stage >= WAIT_SET) ros_ignore(rcl_wait_set_fini(&s->waits));
  if (s->stage >= GUARD) ros_ignore(rcl_guard_condition_fini(&s->stop_guard));
  if (s->stage >= NODE) ros_ignore(rcl_node_fini(&s->node));
  if (s->stage >= SUPPORT) ros_ignore(rclc_support_fini(&s->support));
  // After Ctrl-C they stay blocked: another one, of ros2 launch or of somebody impatient, waits until
  // here and would end the process with a signal in place of its exit code.
  if (s->stage >= SIGNALS && !atomic_load(&s->stopped)) {
    pthread_sigmask(SIG_SETMASK, &s->old_mask, NULL);
  }
  s->stage = NOTHING;
}

//---------- waiting ----------

static rcl_ret_t
fill_wait_set(ros_session_t * s, ros_waited_t what)
{
  rcl_ret_t ret = rcl_wait_set_clear(&s->waits);
  if (ret == RCL_RET_OK) {
    ret = rcl_wait_set_add_guard_condition(&s->waits, &s->stop_guard, NULL);
  }
  if (ret == RCL_RET_OK && what.graph) {
    const rcl_guard_condition_t * graph = rcl_node_get_graph_guard_condition(&s->node);
    ret = rcl_wait_set_add_guard_condition(&s->waits, graph, NULL);
  }
  if (ret == RCL_RET_OK && what.subscription) {
    ret = rcl_wait_set_add_subscription(&s->waits, what.subscription, NULL);
  }
  if (ret == RCL_RET_OK && what.client) {
    ret = rcl_wait_set_add_client(&s->waits, what.client, NULL);
  }
  return ret;
}

ros_wake_t
ros_wait(ros_session_t * s, ros_waited_t what, int64_t until)
{
  if (atomic_load(&s->stopped)) return ROS_STOPPED;
  const int64_t left = until == ROS_NEVER ? -1 : until - ros_now();
  if (until != ROS_NEVER && left <= 0) return ROS_TIMED_OUT;
  rcl_ret_t ret = fill_wait_set(s, what);
  if (ret == RCL_RET_OK) ret = rcl_wait(&s->waits, left);
  if (atomic_load(&s->stopped)) return ROS_STOPPED;
  if (ret == RCL_RET_OK) return ROS_WOKEN;
  if (ret == RCL_RET_TIMEOUT) return ROS_TIMED_OUT;
  ros_complain(s->args, "waiting failed");
  return ROS_FAILED;
}

bool
ros_settle(ros_session_t * s)
{
  const double longest = 3, quiet = 0.5;
  const int64_t limit = ros_after(ros_or(s->args->wait, longest));
  for (;;) {
    // without --wait the time begins anew with every change
    const int64_t calm = s->args->wait < 0 ? ros_after(quiet) : limit;
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){.graph = true}, calm < limit ? calm : limit);
    if (wake == ROS_TIMED_OUT) return true;
    if (wake != ROS_WOKEN) return false;
  }
}

//---------- names ----------

char *
ros_resolve(ros_session_t * s, const char * name, bool is_service)
{
  char * full = NULL;
  const rcl_ret_t ret =
    rcl_node_resolve_name(&s->node, name, s->allocator, is_service, false, &full);
  if (ret == RCL_RET_OK) return full;
  char what[300];
  snprintf(what, sizeof what, "'%.200s' is not a valid name", name);
  ros_complain(s->args, what);
  return NULL;
}

bool
ros_is_hidden(const char * name)
{
  return name[0] == '_' || strstr(name, "/_") != NULL;
}

size_t
ros_names_print(const rcl_names_and_types_t * names, const ros_args_t * args)
{
  size_t count = 0;
  for (size_t i = 0; i < names->names.size; i++) {
    if (!args->all && ros_is_hidden(names->names.data[i])) continue;
    count++;
    fputs(names->names.data[i], stdout);
    const rcutils_string_array_t * types = &names->types[i];
    for (size_t k = 0; args->types && k < types->size; k++) {
      printf("%s%s", k == 0 ? " [" : ", ", types->data[k]);
    }
    puts(args->types ? "]" : "");
  }
  return count;
}
