// A process with one node, from outside: what it prints, how it ends, what comes on /rosout.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "process_roles.h"
#include "rcl_interfaces/msg/log.h"
#include "test/dds/session.h"
#include "test/support/process.h"

enum { WAIT_TIMEOUT = 20000 };  // ms

// the test program again, in a role; arguments after the role's name end with NULL
static void
start(process_t * process, const char * role, const char * const * arguments)
{
  const char * argv[24] = {"/proc/self/exe", "role", role};
  for (int i = 0; arguments[i] != NULL; i++) argv[3 + i] = arguments[i];
  process_start(process, argv);
}

#define START(process, role, ...) start(process, role, (const char * const[]){__VA_ARGS__, NULL})

// skips lines until this one comes
static void
expect_line(process_t * process, const char * expected)
{
  char line[512], seen[2048] = "";
  while (process_line(process, line, sizeof line, WAIT_TIMEOUT)) {
    if (strcmp(line, expected) == 0) return;
    const size_t length = strlen(seen);
    snprintf(seen + length, sizeof seen - length, "%s\n", line);
  }
  fail_msg("'%s' has not come, but:\n%s", expected, seen);
}

static void
expect_end(process_t * process, int code)
{
  assert_int_equal(process_end(process, 0, WAIT_TIMEOUT), code);
}

//---------- signals ----------

static void
ends_on(const char * role, int signal, const char * line)
{
  static process_t process;
  START(&process, role, NULL);
  expect_line(&process, "ready /worker");
  kill(process.pid, signal);
  expect_line(&process, line);
  expect_line(&process, "closed");
  expect_end(&process, 0);
}

static void
a_signal_ends_it(void ** state)
{
  (void)state;
  ends_on("worker", SIGTERM, "signal 15");
  ends_on("worker", SIGINT, "signal 2");
  ends_on("worker", SIGHUP, "signal 1");
}

// a background job of a script has SIGINT ignored, one of nohup has SIGHUP ignored
static void
ignored_signals_are_inherited(void ** state)
{
  (void)state;
  ends_on("ignorant", SIGINT, "signal 2");
  static process_t process;
  START(&process, "ignorant", NULL);
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGHUP);
  kill(process.pid, SIGTERM);
  expect_line(&process, "signal 15");
  expect_end(&process, 0);
}

static void
more_signals_change_nothing(void ** state)
{
  (void)state;
  ends_on("stubborn", SIGINT, "signal 2");
}

static void
it_may_end_itself(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "finisher", NULL);
  expect_line(&process, "signal 0");
  expect_line(&process, "closed");
  expect_end(&process, 0);
  START(&process, "eager", NULL);
  expect_line(&process, "signal 0");
  expect_end(&process, 0);
}

static void
it_may_live_twice(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "again", NULL);
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGINT);
  expect_line(&process, "signal 2");
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGTERM);
  expect_line(&process, "signal 15");
  expect_end(&process, 0);
}

//---------- command line ----------

static void
arguments_are_taken(void ** state)
{
  (void)state;
  static process_t process;
  START(
    &process, "worker", "--ros-args", "-r", "__node:=arm", "-r", "__ns:=/left", "-p", "rate:=5.0");
  expect_line(&process, "override rate");
  expect_line(&process, "ready /left/arm");
  kill(process.pid, SIGTERM);
  expect_line(&process, "closed");
  expect_end(&process, 0);
}

static void
unknown_arguments_are_refused(void ** state)
{
  (void)state;
  static process_t process;
  const char * hint = "(ROS arguments go after --ros-args)";
  char line[128];
  START(&process, "worker", "--bogus", "--ros-args", "--lol-level", "-p", "a:=1", "--", "7");
  snprintf(line, sizeof line, "worker: unknown argument '--bogus' %s", hint);
  expect_line(&process, line);
  snprintf(line, sizeof line, "worker: unknown argument '7' %s", hint);
  expect_line(&process, line);
  expect_line(&process, "worker: unknown ROS argument '--lol-level'");
  expect_line(&process, "worker: cannot start");
  expect_end(&process, 2);
}

// all lines up to the end
static void
read_all(process_t * process, char * text, size_t size)
{
  char line[1024];
  text[0] = '\0';
  while (process_line(process, line, sizeof line, WAIT_TIMEOUT)) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s\n", line);
  }
}

static void
bad_values_are_refused(void ** state)
{
  (void)state;
  static const char * const BAD[][2] = {
    {"--params-file", "/nonexistent/robot.yaml"},
    {"-p", "a:=[1, 2.5]"},
    {"-r", "nonsense"},
    {"-r", "__node:=not a name"},
    {"--log-level", "shout"},
  };
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    static process_t process;
    char text[4096];
    START(&process, "worker", "--ros-args", BAD[i][0], BAD[i][1]);
    read_all(&process, text, sizeof text);
    const char * last = strstr(BAD[i][1], "robot.yaml") ? "robot.yaml" : BAD[i][1] + 2;
    if (!strstr(text, "worker: cannot start") || !strstr(text, last)) {
      fail_msg("%s %s gives\n%s", BAD[i][0], BAD[i][1], text);
    }
    expect_end(&process, 2);
  }
}

//---------- logging ----------

// of lines such as "thread 2 line 31": each once
typedef struct seen {
  int lines[THREADS][LINES];
  int total;
} seen_t;

static void
see(seen_t * seen, const char * text)
{
  int thread = -1, line = -1, length = 0;
  const int n = sscanf(text, "thread %d line %d%n", &thread, &line, &length);
  if (
    n != 2 || text[length] != '\0' || thread < 0 || thread >= THREADS || line < 0 ||
    line >= LINES) {
    fail_msg("not a line: '%s'", text);
  }
  if (seen->lines[thread][line]++) fail_msg("twice: '%s'", text);
  seen->total++;
}

static void
see_rosout(void)
{
  session_t session;
  session_open(&session, "reader", false);
  rcl_subscription_t rosout = rcl_get_zero_initialized_subscription();
  const rmw_qos_profile_t qos = profile(true, true, 1000);
  OK(rclc_subscription_init(
    &rosout, &session.node, ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, Log), "/rosout",
    &qos));
  seen_t seen = {.total = 0};
  rcl_interfaces__msg__Log log;
  assert_true(rcl_interfaces__msg__Log__init(&log));
  while (seen.total < THREADS * LINES && session_wait(&session, &rosout, NULL, WAIT_TIMEOUT)) {
    while (rcl_take(&rosout, &log, NULL, NULL) == RCL_RET_OK) {
      assert_string_equal(log.name.data, "left.worker");
      assert_int_equal(log.level, rcl_interfaces__msg__Log__INFO);
      see(&seen, log.msg.data);
    }
    rcl_reset_error();
  }
  assert_int_equal(seen.total, THREADS * LINES);
  rcl_interfaces__msg__Log__fini(&log);
  OK(rcl_subscription_fini(&rosout, &session.node));
  session_close(&session);
}

static void
all_lines_are_whole(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "logger", "--ros-args", "-r", "__ns:=/left");
  expect_line(&process, "ready /left/worker");
  seen_t seen = {.total = 0};
  while (seen.total < THREADS * LINES) {
    char line[512];
    assert_true(process_line(&process, line, sizeof line, WAIT_TIMEOUT));
    const char * text = strstr(line, "[left.worker]: ");
    if (strncmp(line, "[INFO] [", 8) != 0 || !text) fail_msg("not a line: '%s'", line);
    see(&seen, text + strlen("[left.worker]: "));
  }
  see_rosout();
  kill(process.pid, SIGTERM);
  expect_line(&process, "closed");
  expect_end(&process, 0);
}

static void
the_log_level_counts(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "logger", "--ros-args", "--log-level", "warn");
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGTERM);
  char line[512];
  assert_true(process_line(&process, line, sizeof line, WAIT_TIMEOUT));
  assert_string_equal(line, "signal 15");
  expect_end(&process, 0);
}

static void
a_closed_pipe_does_not_end_it(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "mute", NULL);
  expect_line(&process, "alive");
  kill(process.pid, SIGTERM);
  expect_line(&process, "closed");
  expect_end(&process, 0);
}

//---------- the watchdog ----------

static void
a_hanging_end_is_cut_short(void ** state)
{
  (void)state;
  static process_t process;
  START(&process, "stuck", NULL);
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGTERM);
  // although it was only in the buffer of stdio
  expect_line(&process, "signal 15");
  expect_end(&process, WATCHDOG_CODE);

  START(&process, "stuck_close", "--ros-args", "-p", "rate:=5.0");
  expect_line(&process, "ready /worker");
  kill(process.pid, SIGTERM);
  expect_line(&process, "signal 15");
  expect_end(&process, 0);
}

// a peer that freezes with unacknowledged messages: DDS would wait for it
static void
a_frozen_peer_does_not_hold_it(void ** state)
{
  (void)state;
  static process_t listener, talker;
  START(&listener, "listener", "--ros-args", "-r", "__node:=listener");
  START(&talker, "talker", NULL);
  expect_line(&talker, "matched");
  kill(listener.pid, SIGSTOP);
  kill(talker.pid, SIGTERM);
  expect_line(&talker, "signal 15");
  expect_end(&talker, WATCHDOG_CODE);
  process_end(&listener, SIGKILL, WAIT_TIMEOUT);
}

int
main(int argc, char ** argv)
{
  const int code = run_role(argc, argv);
  if (code >= 0) return code;
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(a_signal_ends_it, process_kill_all),
    cmocka_unit_test_teardown(ignored_signals_are_inherited, process_kill_all),
    cmocka_unit_test_teardown(more_signals_change_nothing, process_kill_all),
    cmocka_unit_test_teardown(it_may_end_itself, process_kill_all),
    cmocka_unit_test_teardown(it_may_live_twice, process_kill_all),
    cmocka_unit_test_teardown(arguments_are_taken, process_kill_all),
    cmocka_unit_test_teardown(unknown_arguments_are_refused, process_kill_all),
    cmocka_unit_test_teardown(bad_values_are_refused, process_kill_all),
    cmocka_unit_test_teardown(all_lines_are_whole, process_kill_all),
    cmocka_unit_test_teardown(the_log_level_counts, process_kill_all),
    cmocka_unit_test_teardown(a_closed_pipe_does_not_end_it, process_kill_all),
    cmocka_unit_test_teardown(a_hanging_end_is_cut_short, process_kill_all),
    cmocka_unit_test_teardown(a_frozen_peer_does_not_hold_it, process_kill_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
