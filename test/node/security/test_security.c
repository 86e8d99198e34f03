// DDS Security with keys made for this run out of the policy that we ship: who is not of the domain
// neither speaks to its members nor hears them, and a member does no more than the policy says.
// A member that must not hear someone is listened to until it hears another who began later.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keystore.h"
#include "process.h"

enum { START_MS = 30000, END_MS = 10000 };

static keystore_t ours, foreign;

static void
start(process_t * process, const char * role, const keystore_t * keystore, const char * enclave)
{
  const char * const argv[] = {PAIR, role, "reliable", "0", NULL};
  be(keystore, enclave);
  process_start(process, argv);
}

static void
say_from(char * line, size_t size, const process_t * sender)
{
  snprintf(line, size, "from %d", (int)sender->pid);
}

// reads on until the process says so; nothing it says before may be of the other sender
static void
hears(process_t * receiver, const process_t * sender, const process_t * never)
{
  char line[128], wanted[32], wrong[32] = "";
  say_from(wanted, sizeof wanted, sender);
  if (never != NULL) say_from(wrong, sizeof wrong, never);
  do {
    if (!process_line(receiver, line, sizeof line, START_MS)) fail_msg("no '%s'", wanted);
    if (strcmp(line, wrong) == 0) fail_msg("heard what it must not hear: %s", line);
  } while (strcmp(line, wanted) != 0);
}

// ends a receiver and looks through what it has said by then
static void
never_heard(process_t * receiver, const process_t * never)
{
  char line[128], wrong[32];
  say_from(wrong, sizeof wrong, never);
  kill(receiver->pid, SIGTERM);
  do {
    assert_true(process_line(receiver, line, sizeof line, END_MS));
    assert_string_not_equal(line, wrong);
  } while (strncmp(line, "received ", strlen("received ")) != 0);
  assert_int_equal(process_end(receiver, 0, END_MS), 0);
}

static void
member_is_heard(void ** state)
{
  (void)state;
  static process_t node, robot;
  start(&node, "receive", &ours, "/mbdyn");
  start(&robot, "send", &ours, "/robot");
  hears(&node, &robot, NULL);
  assert_int_equal(process_end(&node, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&robot, SIGTERM, END_MS), 0);
}

// the intruder and a listener of its own kind are up and talking before the robot is started
static void
apart(const keystore_t * intruders)
{
  static process_t node, robot, intruder, listener;
  start(&node, "receive", &ours, "/mbdyn");
  start(&intruder, "send", intruders, "/robot");
  start(&listener, "receive", intruders, "/mbdyn");
  hears(&listener, &intruder, NULL);
  start(&robot, "send", &ours, "/robot");
  hears(&node, &robot, &intruder);
  // one more for each side: by now everybody has met everybody
  static process_t later, later_intruder;
  start(&later, "receive", &ours, "/viewer");
  hears(&later, &robot, &intruder);
  start(&later_intruder, "receive", intruders, "/mbdyn");
  hears(&later_intruder, &intruder, &robot);
  never_heard(&node, &intruder);
  never_heard(&later, &intruder);
  never_heard(&listener, &robot);
  never_heard(&later_intruder, &robot);
}

static void
without_keys_not_heard(void ** state)
{
  (void)state;
  apart(NULL);
}

static void
keys_of_another_authority_not_heard(void ** state)
{
  (void)state;
  apart(&foreign);
}

// ends by itself, without a word, with this code
static void
refused(const char * const * argv, const keystore_t * keystore, const char * enclave, int code)
{
  static process_t process;
  char line[128];
  be(keystore, enclave);
  process_start(&process, argv);
  assert_false(process_line(&process, line, sizeof line, START_MS));
  assert_int_equal(process_end(&process, 0, END_MS), code);
}

static void
may_not_start(const keystore_t * keystore, const char * enclave)
{
  static const char * const argv[] = {PAIR, "receive", "reliable", "0", NULL};
  refused(argv, keystore, enclave, 1);
}

static void
may_not_send(const char * enclave)
{
  static const char * const argv[] = {
    MBDYN_CLI, "topic", "pub", "--once", "/joint_states", "sensor_msgs/msg/JointState", "{}", NULL};
  refused(argv, &ours, enclave, 2);
}

static void
only_the_robot_sends(void ** state)
{
  (void)state;
  static process_t viewer, robot;
  start(&viewer, "receive", &ours, "/viewer");
  start(&robot, "send", &ours, "/robot");
  hears(&viewer, &robot, NULL);
  may_not_send("/viewer");
  may_not_send("/operator");
  may_not_send("/mbdyn");
}

static void
copy(const char * from, const char * to, const char * old, const char * new)
{
  static char text[65536];
  FILE * file = fopen(from, "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = '\0';
  if (old != NULL) {
    char * at = strstr(text, old);
    assert_non_null(at);
    memcpy(at, new, strlen(new));
  }
  file = fopen(to, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

// rights that are changed after they were signed, or that are somebody else's
static void
forged_permissions_refused(void ** state)
{
  (void)state;
  char robot[320], viewer[320], keep[320];
  keystore_file(&ours, "/robot", "permissions.p7s", robot, sizeof robot);
  keystore_file(&ours, "/viewer", "permissions.p7s", viewer, sizeof viewer);
  keystore_file(&ours, "/viewer", "permissions.keep", keep, sizeof keep);
  copy(viewer, keep, NULL, NULL);
  copy(keep, viewer, "<subscribe>", "<publish>  ");
  may_not_start(&ours, "/viewer");
  copy(robot, viewer, NULL, NULL);
  may_not_start(&ours, "/viewer");
  copy(keep, viewer, NULL, NULL);
  member_is_heard(NULL);
}

// never in the clear because a file is missing
static void
no_keys_no_start(void ** state)
{
  (void)state;
  keystore_t nowhere = {"/nonexistent"};
  may_not_start(&ours, "/nobody");
  may_not_start(&nowhere, "/mbdyn");
  char key[320], moved[320];
  keystore_file(&ours, "/mbdyn", "key.pem", key, sizeof key);
  keystore_file(&ours, "/mbdyn", "key.moved", moved, sizeof moved);
  assert_int_equal(rename(key, moved), 0);
  may_not_start(&ours, "/mbdyn");
  assert_int_equal(rename(moved, key), 0);
}

// from here on the copy is worth nothing, and the robot goes on with another key
static void
stolen_key_is_revoked(void ** state)
{
  (void)state;
  static process_t node, thief, robot;
  keystore_t stolen;
  keystore_steal(&ours, &stolen);
  start(&node, "receive", &ours, "/mbdyn");
  start(&thief, "send", &stolen, "/robot");
  hears(&node, &thief, NULL);
  assert_int_equal(process_end(&node, SIGTERM, END_MS), 0);
  keystore_revoke(&ours, "/robot");
  start(&node, "receive", &ours, "/mbdyn");
  start(&robot, "send", &ours, "/robot");
  hears(&node, &robot, &thief);
  never_heard(&node, &thief);
  keystore_remove(&stolen);
}

static int
make_keys(void ** state)
{
  (void)state;
  keystore_make(&ours);
  keystore_make(&foreign);
  return 0;
}

static int
remove_keys(void ** state)
{
  (void)state;
  keystore_remove(&ours);
  keystore_remove(&foreign);
  return 0;
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(member_is_heard, process_kill_all),
    cmocka_unit_test_teardown(without_keys_not_heard, process_kill_all),
    cmocka_unit_test_teardown(keys_of_another_authority_not_heard, process_kill_all),
    cmocka_unit_test_teardown(only_the_robot_sends, process_kill_all),
    cmocka_unit_test_teardown(forged_permissions_refused, process_kill_all),
    cmocka_unit_test_teardown(no_keys_no_start, process_kill_all),
    cmocka_unit_test_teardown(stolen_key_is_revoked, process_kill_all),
  };
  return cmocka_run_group_tests(tests, make_keys, remove_keys);
}
