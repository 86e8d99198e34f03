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
#include <unistd.h>

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

//---------- what is spelled wrong ----------

static void
starts_in_the_clear(void)
{
  static const char * const argv[] = {PAIR, "send", "reliable", "0", NULL};
  static process_t sender, receiver;
  process_start(&sender, argv);
  be(NULL, NULL);
  const char * const listen[] = {PAIR, "receive", "reliable", "0", NULL};
  process_start(&receiver, listen);
  hears(&receiver, &sender, NULL);
  assert_int_equal(process_end(&sender, SIGTERM, END_MS), 0);
  assert_int_equal(process_end(&receiver, SIGTERM, END_MS), 0);
}

// security that was meant to be on is never off because of a letter
static void
unknown_settings_refused(void ** state)
{
  (void)state;
  static const char * const argv[] = {PAIR, "receive", "reliable", "0", NULL};
  static const char * const wrong[][2] = {
    {"ROS_SECURITY_STRATEGY", "enforce"},
    {"ROS_SECURITY_STRATEGY", "ENFORCE"},
    {"ROS_SECURITY_STRATEGY", "Enforce "},
    {"ROS_SECURITY_STRATEGY", "1"},
    {"ROS_SECURITY_ENABLE", "True"},
    {"ROS_SECURITY_ENABLE", "TRUE"},
    {"ROS_SECURITY_ENABLE", "1"},
    {"ROS_SECURITY_ENABLE", "yes"},
    {"ROS_SECURITY_ENCLAVE_OVERRIDE", "mbdyn"},
    {"ROS_SECURITY_ENCLAVE_OVERRIDE", "/../x"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    static process_t process;
    char line[128];
    be(&ours, "/mbdyn");
    setenv(wrong[i][0], wrong[i][1], 1);
    process_start(&process, argv);
    if (process_line(&process, line, sizeof line, START_MS)) {
      fail_msg("%s=%s runs: %s", wrong[i][0], wrong[i][1], line);
    }
    assert_int_equal(process_end(&process, 0, END_MS), 1);
  }
  static const char * const off[] = {"false", ""};
  for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
    be(&ours, "/mbdyn");
    setenv("ROS_SECURITY_ENABLE", off[i], 1);
    starts_in_the_clear();
  }
}

// which keys are used is said, and that none are
static void
log_names_the_keys(void ** state)
{
  (void)state;
  static char text[4096];
  const char * const argv[] = {"/bin/sh", "-c", "exec " MBDYN_CLI " topic list 2>&1", NULL};
  char folder[320];
  keystore_file(&ours, "/viewer", "", folder, sizeof folder);
  folder[strlen(folder) - 1] = '\0';
  be(&ours, "/viewer");
  assert_in_range(process_run(argv, text, sizeof text), 0, 1);  // 1: there are no topics
  if (!strstr(text, "security enforced: enclave '/viewer'") || !strstr(text, folder)) {
    fail_msg("%s", text);
  }
  be(&ours, "/nobody");
  setenv("ROS_SECURITY_STRATEGY", "Permissive", 1);
  assert_in_range(process_run(argv, text, sizeof text), 0, 1);  // 1: there are no topics
  if (!strstr(text, "running WITHOUT security")) fail_msg("%s", text);
  be(NULL, NULL);
  assert_in_range(process_run(argv, text, sizeof text), 0, 1);  // 1: there are no topics
  assert_null(strstr(text, "security"));
}

//---------- names of enclaves ----------

static void
write_policy(const char * path, const char * enclave)
{
  FILE * file = fopen(path, "w");
  assert_non_null(file);
  fprintf(
    file,
    "<policy version=\"0.2.0\"><enclaves><enclave path=\"/good\"><profiles/></enclave>"
    "<enclave path=\"%s\"><profiles/></enclave></enclaves></policy>",
    enclave);
  assert_int_equal(fclose(file), 0);
}

// a name that leads out of the keystore, or that ROS does not have: refused, nothing written
static void
bad_enclaves_refused(void ** state)
{
  (void)state;
  static const char * const wrong[] = {
    "/../../outside", "/a/../../../outside", "/..", "outside", "", "/a b", "/a//b", "/a/", "/a.b"};
  char folder[] = "/tmp/enclaves_XXXXXX", policy[64], store[64], outside[64];
  assert_non_null(mkdtemp(folder));
  snprintf(policy, sizeof policy, "%s/policy.xml", folder);
  snprintf(store, sizeof store, "%s/keys/store", folder);
  snprintf(outside, sizeof outside, "%s/keys", folder);
  const char * const make[] = {PYTHON, MAKE_KEYSTORE, policy, store, NULL};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    write_policy(policy, wrong[i]);
    if (process_run(make, NULL, 0) == 0) fail_msg("enclave '%s' is taken", wrong[i]);
    if (access(outside, F_OK) == 0) fail_msg("enclave '%s' leaves files", wrong[i]);
  }
  write_policy(policy, "/a/b_1");
  assert_int_equal(process_run(make, NULL, 0), 0);
  static const char * const revoked[] = {"../../keys", "/..", "/nobody", ""};
  for (size_t i = 0; i < sizeof revoked / sizeof revoked[0]; i++) {
    const char * const argv[] = {PYTHON,     MAKE_KEYSTORE, policy, store,
                                 "--revoke", revoked[i],    NULL};
    assert_int_not_equal(process_run(argv, NULL, 0), 0);
  }
  char crl[96];
  snprintf(crl, sizeof crl, "%s/public/crl.pem", store);
  assert_int_not_equal(access(crl, F_OK), 0);
  const char * const clean[] = {"/bin/rm", "-rf", folder, NULL};
  assert_int_equal(process_run(clean, NULL, 0), 0);
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
main(int argc, char ** argv)
{
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(member_is_heard, process_kill_all),
    cmocka_unit_test_teardown(without_keys_not_heard, process_kill_all),
    cmocka_unit_test_teardown(keys_of_another_authority_not_heard, process_kill_all),
    cmocka_unit_test_teardown(only_the_robot_sends, process_kill_all),
    cmocka_unit_test_teardown(forged_permissions_refused, process_kill_all),
    cmocka_unit_test_teardown(no_keys_no_start, process_kill_all),
    cmocka_unit_test_teardown(stolen_key_is_revoked, process_kill_all),
    cmocka_unit_test_teardown(unknown_settings_refused, process_kill_all),
    cmocka_unit_test_teardown(log_names_the_keys, process_kill_all),
    cmocka_unit_test_teardown(bad_enclaves_refused, process_kill_all),
  };
  return cmocka_run_group_tests(tests, make_keys, remove_keys);
}
