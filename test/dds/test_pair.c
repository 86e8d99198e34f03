// Two processes and more, all on the rclc API: nothing is lost, late joiners are served, and the
// death of one side does not stop the other. MBDYN_SOAK_SECONDS makes the streams longer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "process.h"

enum { CALLERS = 4, CALLS = 250, START_MS = 20000, RESUME_MS = 3000, END_MS = 5000 };

static void
start(process_t * process, const char * role, const char * kind, const char * count)
{
  const char * const argv[] = {PAIR_PROGRAM, role, kind, count, NULL};
  process_start(process, argv);
}

static void
expect_line(process_t * process, const char * expected, int milliseconds)
{
  char line[256];
  if (!process_line(process, line, sizeof line, milliseconds)) fail_msg("no '%s'", expected);
  assert_string_equal(line, expected);
}

static void
expect_sender(process_t * receiver, const process_t * sender, int milliseconds)
{
  char expected[32];
  snprintf(expected, sizeof expected, "from %d", (int)sender->pid);
  expect_line(receiver, expected, milliseconds);
}

static void
expect_all(process_t * sender, process_t * receiver, const char * count)
{
  int milliseconds = atoi(count) + START_MS;
  char expected[64];
  expect_line(receiver, "matched", START_MS);
  expect_sender(receiver, sender, START_MS);
  snprintf(expected, sizeof expected, "received %s lost 0 wrong 0", count);
  expect_line(receiver, expected, milliseconds);
  assert_int_equal(process_end(receiver, 0, END_MS), 0);
  snprintf(expected, sizeof expected, "sent %s", count);
  expect_line(sender, expected, milliseconds);
  assert_int_equal(process_end(sender, 0, END_MS), 0);
}

// 1 kHz for some seconds, two streams at a time: none lost, none twice, none out of order
static void
nothing_lost(void ** state)
{
  (void)state;
  const char * text = getenv("MBDYN_SOAK_SECONDS");
  int seconds = text == NULL ? 10 : atoi(text);
  char count[16];
  snprintf(count, sizeof count, "%d", seconds * 1000);
  static process_t senders[2], receivers[2];
  const char * const kinds[] = {"reliable", "best_effort"};
  for (int i = 0; i < 2; i++) {
    start(&receivers[i], "receive", kinds[i], count);
    start(&senders[i], "send", kinds[i], count);
  }
  for (int i = 0; i < 2; i++) expect_all(&senders[i], &receivers[i], count);
}

// a robot description of 300 kB, to one that comes later, and to one that comes later still
static void
late_joiner(void ** state)
{
  (void)state;
  static process_t publisher, subscriber;
  start(&publisher, "latch", NULL, NULL);
  expect_line(&publisher, "ready", START_MS);
  for (int i = 0; i < 2; i++) {
    sleep_ms(500);
    start(&subscriber, "late", NULL, NULL);
    expect_line(&subscriber, "got 300000 same", START_MS);
    assert_int_equal(process_end(&subscriber, 0, END_MS), 0);
  }
  assert_int_equal(process_end(&publisher, SIGTERM, END_MS), 0);
}

// four callers at once: each gets its own answers, all of them
static void
parallel_callers(void ** state)
{
  (void)state;
  static process_t server, callers[CALLERS];
  const char * const patterns[CALLERS] = {"5", "3", "9", "6"};
  char calls[16], line[256];
  snprintf(calls, sizeof calls, "%d", CALLS);
  start(&server, "serve", NULL, NULL);
  expect_line(&server, "ready", START_MS);
  for (int i = 0; i < CALLERS; i++) start(&callers[i], "call", patterns[i], calls);
  long total = 0;
  for (int i = 0; i < CALLERS; i++) {
    int good = 0;
    long sum = 0;
    assert_true(process_line(&callers[i], line, sizeof line, 2 * START_MS));
    if (sscanf(line, "good %d sum %ld", &good, &sum) != 2) fail_msg("caller %d: %s", i, line);
    assert_int_equal(good, CALLS);
    assert_int_equal(process_end(&callers[i], 0, END_MS), 0);
    total += sum;
  }
  // the server numbers its answers: each went to one caller
  assert_int_equal(total, (long)CALLERS * CALLS * (CALLERS * CALLS + 1) / 2);
  assert_int_equal(process_end(&server, SIGTERM, END_MS), 0);
}

// kill one side, start it again, and see how soon there is traffic
static void
restart(process_t * sender, process_t * receiver, process_t * victim)
{
  assert_int_equal(process_end(victim, SIGKILL, END_MS), 128 + SIGKILL);
  sleep_ms(200);
  int64_t begin = now_ns();
  start(victim, victim == sender ? "send" : "receive", "reliable", "0");
  if (victim == receiver) expect_line(receiver, "matched", RESUME_MS);
  expect_sender(receiver, sender, RESUME_MS);
  print_message(
    "resumed %d ms after %s was started again\n", (int)((now_ns() - begin) / 1000000),
    victim == sender ? "the sender" : "the receiver");
}

static void
killed_and_restarted(void ** state)
{
  (void)state;
  static process_t sender, receiver;
  start(&sender, "send", "reliable", "0");
  start(&receiver, "receive", "reliable", "0");
  expect_line(&receiver, "matched", START_MS);
  expect_sender(&receiver, &sender, START_MS);
  restart(&sender, &receiver, &receiver);
  restart(&sender, &receiver, &sender);
  restart(&sender, &receiver, &receiver);
  assert_int_equal(process_end(&receiver, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&sender, SIGTERM, END_MS), 0);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(nothing_lost, process_kill_all),
    cmocka_unit_test_teardown(late_joiner, process_kill_all),
    cmocka_unit_test_teardown(parallel_callers, process_kill_all),
    cmocka_unit_test_teardown(killed_and_restarted, process_kill_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
