// A control thread that gets no processor: what the node says about its commands stays true.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
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
  peer_said(&peer, "the control thread has not answered");
  peer_said(&peer, "deactivate failed: active -> unconfigured");
  assert_string_equal(peer_state(&peer), "unconfigured");
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_PATIENCE));
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
  assert_true(peer_wait(&peer, &peer.commands->count, before + 1, PEER_PATIENCE));
  expect_zero();
  for (int k = 0; k < 20; k++) {
    peer_publish_now(&peer);
    peer_spin(&peer, 5);
  }
  assert_int_equal(peer.commands->count, before + 1);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(deactivation_fails_while_held, set_up, tear_down),
    cmocka_unit_test_setup_teardown(deactivation_waits_for_the_last_command, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
