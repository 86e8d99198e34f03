// Threads of the node: which have the priority that is asked for; a control thread that gets no
// processor.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "node_core.h"

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  core_close(&core);
  peer_close(&peer);
  return process_kill_all(state);
}

//---------- one thread of another process, held up as a debugger would ----------

typedef struct hold {
  pid_t thread;
  double seconds;
  atomic_int held;  // 1: it is; -1: this is not allowed here
} hold_t;

static pid_t
find_thread(pid_t process, const char * name)
{
  char path[300], comm[32];
  pid_t found = 0;
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR * dir = opendir(path);
  assert_non_null(dir);
  for (const struct dirent * entry = readdir(dir); entry; entry = readdir(dir)) {
    snprintf(path, sizeof path, "/proc/%d/task/%s/comm", (int)process, entry->d_name);
    FILE * file = fopen(path, "r");
    if (file && fgets(comm, sizeof comm, file) && strncmp(comm, name, strlen(name)) == 0) {
      found = (pid_t)strtol(entry->d_name, NULL, 10);
    }
    if (file) fclose(file);
  }
  closedir(dir);
  assert_true(found > 0);
  return found;
}

// all of it on one thread: a tracer is one
static void *
hold_thread(void * argument)
{
  hold_t * hold = argument;
  int status;
  if (ptrace(PTRACE_SEIZE, hold->thread, NULL, NULL) != 0) {
    atomic_store(&hold->held, -1);
    return NULL;
  }
  const bool good = ptrace(PTRACE_INTERRUPT, hold->thread, NULL, NULL) == 0 &&
                    waitpid(hold->thread, &status, __WALL) == hold->thread;
  atomic_store(&hold->held, good ? 1 : -1);
  const int64_t ns = (int64_t)(1e9 * hold->seconds);
  nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
  ptrace(PTRACE_DETACH, hold->thread, NULL, NULL);
  return NULL;
}

// \return false where one process may not hold another
static bool
start_hold(hold_t * hold, pthread_t * thread)
{
  assert_int_equal(pthread_create(thread, NULL, hold_thread, hold), 0);
  while (atomic_load(&hold->held) == 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
  if (atomic_load(&hold->held) == 1) return true;
  pthread_join(*thread, NULL);
  return false;
}

//---------- tests ----------

#define HOLD_OR_SKIP(h, t)                                         \
  if (!start_hold(h, t)) {                                         \
    print_message("skipped: no ptrace of a child process here\n"); \
    skip();                                                        \
  }

static void
bring_up(void)
{
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, NULL});
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  assert_string_equal(peer_state(&peer), "active");
}

static void
expect_zero(void)
{
  assert_int_equal(peer.ncommand, PEER_JOINTS);
  for (int k = 0; k < PEER_JOINTS; k++) assert_true(peer.command[k] == 0);
}

// longer than the node waits: no success is reported, the last command comes when the thread runs
// again, and none after the answer
static void
deactivation_fails_while_held(void ** state)
{
  (void)state;
  pthread_t thread;
  bring_up();
  hold_t hold = {find_thread(peer.node.pid, "mbdyn_control"), 1.5, 0};
  HOLD_OR_SKIP(&hold, &thread);
  const uint64_t before = peer.commands->count;
  peer_publish_now(&peer);
  assert_false(peer_change_state(&peer, "deactivate"));
  pthread_join(thread, NULL);
  // it was this request that failed, and no repetition of it
  peer_logged(&peer, "no response from the control thread");
  peer_logged(&peer, "deactivate failed: active -> unconfigured");
  assert_string_equal(peer_state(&peer), "unconfigured");
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
  expect_zero();
  for (int k = 0; k < 20; k++) {
    peer_publish_now(&peer);
    peer_spin(&peer, 5);
  }
  assert_int_equal(peer.commands->count, before + 1);
  // nothing of it remains
  assert_true(peer_change_state(&peer, "configure"));
  assert_true(peer_change_state(&peer, "activate"));
  peer_step(&peer);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

// shorter than it waits: success, after the last command and not before
static void
deactivation_waits_for_the_last_command(void ** state)
{
  (void)state;
  pthread_t thread;
  bring_up();
  hold_t hold = {find_thread(peer.node.pid, "mbdyn_control"), 0.2, 0};
  HOLD_OR_SKIP(&hold, &thread);
  const uint64_t before = peer.commands->count;
  peer_publish_now(&peer);
  assert_true(peer_change_state(&peer, "deactivate"));
  pthread_join(thread, NULL);
  assert_string_equal(peer_state(&peer), "inactive");
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_TIMEOUT));
  expect_zero();
  for (int k = 0; k < 20; k++) {
    peer_publish_now(&peer);
    peer_spin(&peer, 5);
  }
  assert_int_equal(peer.commands->count, before + 1);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

//---------- priority ----------

// threads whose names begin so; all of them have this policy and priority
static int
expect_scheduling(const char * name, int policy, int priority)
{
  char path[300], comm[32];
  int n = 0;
  snprintf(path, sizeof path, "/proc/%d/task", (int)peer.node.pid);
  DIR * dir = opendir(path);
  assert_non_null(dir);
  for (const struct dirent * entry = readdir(dir); entry; entry = readdir(dir)) {
    snprintf(path, sizeof path, "/proc/%d/task/%s/comm", (int)peer.node.pid, entry->d_name);
    FILE * file = fopen(path, "r");
    const bool known = file && fgets(comm, sizeof comm, file);
    if (file) fclose(file);
    if (!known || strncmp(comm, name, strlen(name)) != 0) continue;
    const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
    struct sched_param scheduling;
    n++;
    assert_int_equal(sched_getparam(thread, &scheduling), 0);
    if (sched_getscheduler(thread) != policy || scheduling.sched_priority != priority) {
      fail_msg("thread %s has priority %d", comm, scheduling.sched_priority);
    }
  }
  closedir(dir);
  return n;
}

static bool
may_have_priority(int priority)
{
  const struct sched_param asked = {.sched_priority = priority}, usual = {.sched_priority = 0};
  const bool may = sched_setscheduler(0, SCHED_FIFO, &asked) == 0;
  if (may) assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &usual), 0);
  return may;
}

// a joint state passes the threads that receive it before it comes to the control thread
static void
threads_that_carry_messages_have_the_priority(void ** state)
{
  (void)state;
  const bool may = may_have_priority(3);
  const int policy = may ? SCHED_FIFO : SCHED_OTHER, priority = may ? 3 : 0;
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_start(
    &peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "thread_priority:=3", NULL});
  peer_bring_up(&peer);
  peer_logged(&peer, may ? "middleware threads" : "cannot set thread_priority");
  assert_int_equal(expect_scheduling("mbdyn_control", policy, priority), 1);
  assert_true(expect_scheduling("recv", policy, priority) >= 1);
  assert_int_equal(expect_scheduling("dq.user", policy, priority), 1);
  assert_int_equal(expect_scheduling("tev", policy, priority), 1);
  // and those that do not are left alone
  assert_int_equal(expect_scheduling("mbdyn_executor", SCHED_OTHER, 0), 1);
  assert_true(expect_scheduling("dq.builtins", SCHED_OTHER, 0) >= 1);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

static void
threads_are_bound_to_a_processor(void ** state)
{
  (void)state;
  cpu_set_t allowed, set;
  char argument[32];
  int cpu = 0;
  assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  while (!CPU_ISSET((size_t)cpu, &allowed)) cpu++;
  snprintf(argument, sizeof argument, "cpu:=%d", cpu);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", argument, NULL});
  peer_bring_up(&peer);
  static const char * const BOUND[] = {"mbdyn_control", "recv", "dq.user", "tev"};
  for (int i = 0; i < 4; i++) {
    const pid_t thread = find_thread(peer.node.pid, BOUND[i]);
    assert_int_equal(sched_getaffinity(thread, sizeof set, &set), 0);
    assert_true(CPU_COUNT(&set) == 1 && CPU_ISSET((size_t)cpu, &set));
  }
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

// the node works without, and says so
static void
what_the_system_refuses_is_said(void ** state)
{
  (void)state;
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "cpu:=1000", NULL});
  peer_bring_up(&peer);
  peer_logged(&peer, "cpu 1000 (Invalid argument): using default scheduling");
  assert_int_equal(expect_scheduling("mbdyn_control", SCHED_OTHER, 0), 1);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(deactivation_fails_while_held, set_up, tear_down),
    cmocka_unit_test_setup_teardown(deactivation_waits_for_the_last_command, set_up, tear_down),
    cmocka_unit_test_setup_teardown(
      threads_that_carry_messages_have_the_priority, set_up, tear_down),
    cmocka_unit_test_setup_teardown(threads_are_bound_to_a_processor, set_up, tear_down),
    cmocka_unit_test_setup_teardown(what_the_system_refuses_is_said, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
