// `mbdyn demo` whole: the simulated robot, the node and the show, in processes of their own. What is
// broken on purpose has to be found by it. The robot is slower than usual, so that a busy machine
// makes less of a difference.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "controller.h"
#include "ros_cli.h"

#define ARM       MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"
#define QUADRUPED MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf"
#define SLOW      "--ros-args", "-p", "robot:rate:=250.0"
#define SHORT     "demo", "--robot", ARM, "--headless", "5"

// process of a program, from "mbdyn_sim is process 12, mbdyn_node 13"
static pid_t
pid_of(const run_t * run, const char * format)
{
  char path[32], line[200] = "";
  int pid = 0;
  snprintf(path, sizeof path, "%s.out", run->name);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  while (pid == 0 && fgets(line, sizeof line, file)) sscanf(line, format, &pid);
  fclose(file);
  assert_true(pid > 1);
  return pid;
}

#define SIM_PID  "mbdyn_sim is process %d"
#define NODE_PID "mbdyn_sim is process %*d, mbdyn_node %d"

static bool
is_gone(pid_t pid)
{
  for (int k = 0; k < 200; k++) {
    if (kill(pid, 0) != 0 && errno == ESRCH) return true;
    sleep_ms(10);
  }
  return false;
}

//---------- all is well ----------

enum { TOO_BUSY = 3 };
static int too_busy;

// The demo's own judgement, with figures: where the programs got no processor there is nothing to
// test. It is printed, counted, and a skipped test.
static void
expect_verdict(run_t * run, int code)
{
  if (run->code == TOO_BUSY) {
    assert_null(strstr(run->out, "FAILED"));
    expect_text(run->out, "TOO BUSY: the machine is overloaded: the programs waited");
    print_message("the machine was too busy to judge:\n%s\n", run->out);
    too_busy++;
    run_free(run);
    skip();
  }
  expect_code(run, code);
}

// a bound that was not kept, unless the machine was too busy to tell for this one
static void
expect_failed(const run_t * run, const char * name)
{
  char failed[64], line[64];
  snprintf(failed, sizeof failed, "FAILED: %s ", name);
  snprintf(line, sizeof line, "\n  %s ", name);
  const char * found = strstr(run->out, line);
  assert_non_null(found);
  const size_t length = strcspn(found + 1, "\n");
  const char * busy = strstr(found, "TOO BUSY: ");
  if (busy && busy < found + length) {
    print_message("the machine was too busy to judge:%.*s\n", (int)length, found + 1);
    too_busy++;
  } else {
    expect_text(run->out, failed);
  }
}

static void
all_bounds_are_kept(void ** state)
{
  (void)state;
  run_t run = RUN("demo", "--robot", ARM, "--headless", "8", SLOW);
  expect_verdict(&run, 0);
  static const char * const parts[] = {
    "1 of 3  Floating (gravity_compensation)",
    "2 of 3  Tracking (computed_torque)",
    "3 of 3  Pushing (computed_torque)",
    "  drift      ",
    "  tracking   rms ",
    "  push       20.00 N applied, ",
    "  answers    ",
    "  numbers    0 of ",
    "  latency    p50 ",
    "  node       p50 ",
    "of real time"};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) expect_text(run.out, parts[k]);
  assert_null(strstr(run.out, "FAILED"));
  assert_string_equal(run.err, "");
  run_free(&run);
}

static void
frame_goes_along_a_line(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, "--mode", "operational_space", SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, "1 of 1  Drawing (operational_space)");
  expect_text(run.out, "  line       error rms 0.");
  run_free(&run);
}

static void
nothing_is_commanded_in_passive(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, "--mode", "passive", SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, " 0 commands/s");
  expect_text(run.out, "commands 0.0 Hz");
  run_free(&run);
}

// without feedback, and damped after short pushes
static void
other_modes_are_shown(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, "--mode", "inverse_dynamics", SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, "Tracking (inverse_dynamics)");
  expect_text(run.out, "  tracking   rms ");
  run_free(&run);
  const char * damped = controller_mode_name(MODE_QUASI_VELOCITY_DAMPING);
  run = RUN(SHORT, "--mode", damped, SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, "Damping (");
  expect_text(run.out, "of the kinetic energy remains after a push");
  run_free(&run);
}

// every mode of the node has a part in the show, and help and refusal name it
static void
every_mode_is_known(void ** state)
{
  (void)state;
  run_t help = RUN("demo", "--help"), wrong = RUN("demo", "--mode", "none");
  expect_code(&wrong, 2);
  for (int k = 0; k < CONTROLLER_MODES; k++) {
    const char * mode = controller_mode_name((controller_mode_t)k);
    run_t run = RUN("demo", "--mode", mode, "--robot", "/none/such.urdf");
    expect_code(&run, 2);
    expect_text(run.err, "/none/such.urdf");
    assert_null(strstr(run.err, "--mode"));
    run_free(&run);
    expect_text(help.out, mode);
    expect_text(wrong.err, mode);
  }
  run_free(&help);
  run_free(&wrong);
}

// a foot can be pushed in three directions only: told, not judged
static void
other_robots_too(void ** state)
{
  (void)state;
  run_t run = RUN("demo", "--robot", QUADRUPED, "--supports", "none", "--headless", "6", SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, "error of joint torques");
  run_free(&run);
}

// on simulated ground: what the base does is judged
static void
robots_with_feet_stand(void ** state)
{
  (void)state;
  static const char * const robots[] = {QUADRUPED, MBDYN_SOURCE_DIR "/config/robots/humanoid.urdf"};
  static const char * const parts[] = {
    "1 of 4  Standing (computed_torque)",
    "2 of 4  Squatting (computed_torque): the base goes down by ",
    "3 of 4  Stepping (computed_torque)",
    "4 of 4  Pushing (computed_torque)",
    "  tracking   rms ",
    "  standing   base moved by ",
    "  shove      "};
  for (size_t r = 0; r < sizeof robots / sizeof robots[0]; r++) {
    run_t run = RUN("demo", "--robot", robots[r], "--headless", "12", SLOW);
    expect_verdict(&run, 0);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) expect_text(run.out, parts[k]);
    run_free(&run);
  }
}

// with less friction than it counts on it slides away: found by the base
static void
slippery_ground_is_found(void ** state)
{
  (void)state;
  run_t run = RUN(
    "demo", "--robot", QUADRUPED, "--headless", "8", "--ros-args", "-p", "robot:rate:=250.0", "-p",
    "robot:ground.friction:=0.02");
  assert_int_not_equal(run.code, 0);
  if (run.code != TOO_BUSY) expect_text(run.out, "FAILED: ");
  run_free(&run);
}

static void
wrong_feet_are_refused(void ** state)
{
  (void)state;
  run_t run = RUN("demo", "--robot", QUADRUPED, "--supports", "fl_foot,nose", "--headless", "5");
  expect_code(&run, 2);
  expect_text(run.err, "cannot stand: no moving link or frame 'nose' to stand on");
  run_free(&run);
  run = RUN("demo", "--robot", QUADRUPED, "--mode", "inverse_dynamics", "--headless", "5");
  expect_code(&run, 2);
  expect_text(run.err, "--supports none bolts its base to the world");
  run_free(&run);
}

// a loop: the file beside the URDF says where it is closed
static void
a_finger_with_a_loop(void ** state)
{
  (void)state;
  run_t run =
    RUN("demo", "--robot", MBDYN_SOURCE_DIR "/config/robots/finger.urdf", "--headless", "6");
  expect_verdict(&run, 0);
  expect_text(run.out, "finger, ");
  run_free(&run);
}

// springs of the mechanism file beside the URDF: robot and node know them
static void
an_arm_with_springs(void ** state)
{
  (void)state;
  run_t run = RUN(
    "demo", "--robot", MBDYN_SOURCE_DIR "/config/robots/balanced_arm.urdf", "--mode",
    "gravity_compensation", "--headless", "4", SLOW);
  expect_verdict(&run, 0);
  expect_text(run.out, "balanced_arm, ");
  run_free(&run);
}

//---------- something is wrong ----------

// the node carries two kilograms that are not there: the arm rises
static void
wrong_load_is_found(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, SLOW, "-p", "mbdyn:payload.frame:=tool", "-p", "mbdyn:payload.mass:=2.0");
  expect_verdict(&run, 1);
  expect_failed(&run, "drift");
  expect_failed(&run, "push");
  run_free(&run);
}

// without feedback the arm gets lost
static void
missing_gains_are_found(void ** state)
{
  (void)state;
  run_t run =
    RUN(SHORT, "--mode", "computed_torque", SLOW, "-p", "mbdyn:kp:=[0.0]", "-p", "mbdyn:kd:=[0.0]");
  expect_verdict(&run, 1);
  expect_failed(&run, "tracking");
  run_free(&run);
}

static void
missing_commands_are_found(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, "--mode", "gravity_compensation", SLOW, "-p", "mbdyn:publish.command:=2");
  expect_verdict(&run, 1);
  expect_text(run.out, "FAILED: answers ");
  assert_null(strstr(run.out, "FAILED: drift"));
  run_free(&run);
}

static void
missing_estimate_is_found(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, "--mode", "computed_torque", SLOW, "-p", "mbdyn:observer:=false");
  expect_verdict(&run, 1);
  expect_text(run.out, "FAILED: push no estimate received");
  run_free(&run);
}

static void
killed_node_is_reported(void ** state)
{
  (void)state;
  run_t run = START("demo", "--robot", ARM, "--headless", "60", SLOW);
  assert_true(printed(&run, "1 of 3  Floating"));
  const pid_t node = pid_of(&run, NODE_PID), sim = pid_of(&run, SIM_PID);
  kill(node, SIGKILL);
  finish_process(&run, 0);
  expect_code(&run, 2);
  expect_text(run.err, "mbdyn_node was terminated by a signal (Killed). Its last output:");
  // at once
  assert_null(strstr(run.out, "2 of 3"));
  // the tail of its log
  expect_text(run.err, "robot 'arm7' from topic robot_description");
  assert_true(is_gone(sim));
  run_free(&run);
}

static void
ended_robot_is_reported(void ** state)
{
  (void)state;
  run_t run = START("demo", "--robot", ARM, "--headless", "60", SLOW);
  assert_true(printed(&run, "1 of 3  Floating"));
  const pid_t node = pid_of(&run, NODE_PID), sim = pid_of(&run, SIM_PID);
  kill(sim, SIGINT);
  finish_process(&run, 0);
  expect_code(&run, 2);
  expect_text(run.err, "mbdyn_sim ended with exit code 0. Its last output:");
  expect_text(run.err, "simulating 'arm7'");
  assert_true(is_gone(node));
  run_free(&run);
}

static void
node_that_does_not_start_is_reported(void ** state)
{
  (void)state;
  run_t run = RUN(SHORT, SLOW, "-p", "mbdyn:mode:=no_such_mode");
  expect_code(&run, 2);
  expect_text(run.err, "mbdyn_node ended with exit code");
  expect_text(run.err, "no_such_mode");
  run_free(&run);
}

static void
wrong_usage_is_refused(void ** state)
{
  static const struct {
    const char * args[6];
    const char * text;
  } bad[] = {
    {{"demo", "--headless", "x"}, "--headless 'x': expected seconds"},
    {{"demo", "--headless", "0"}, "expected seconds"},
    {{"demo", "--mode", "no_such"}, "expected gravity_compensation, "},
    {{"demo", "--robot", "/no/such.urdf"}, "/no/such.urdf"},
    {{"demo", "--robot", "-"}, "expected a file"},
    {{"demo", "--loops", "/no/such.yaml"}, "/no/such.yaml"},
    {{"demo", "--mechanism", "/no/such.yaml"}, "/no/such.yaml"},
    {{"demo", "--loops", "a.yaml", "--mechanism", "b.yaml"}, "only one of --loops and --mechanism"},
    {{"demo", "--headles", "5"}, "did you mean '--headless'"}};
  (void)state;
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    run_t run = run_to_end(bad[k].args);
    expect_code(&run, 2);
    expect_text(run.err, bad[k].text);
    run_free(&run);
  }
}

//---------- ends ----------

// without a terminal: lines, until somebody ends it; in a domain that it finds for itself
static void
signal_ends_all(void ** state)
{
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  (void)state;
  char * domain = strdup(getenv("ROS_DOMAIN_ID"));
  char * network = strdup(getenv("CYCLONEDDS_URI"));
  unsetenv("ROS_DOMAIN_ID");
  unsetenv("CYCLONEDDS_URI");
  for (int k = 0; k < 3; k++) {
    run_t run = START("demo", "--robot", ARM, SLOW);
    assert_true(printed(&run, k == 0 ? " Floating: moved by" : "Starting"));
    const pid_t node = pid_of(&run, NODE_PID), sim = pid_of(&run, SIM_PID);
    finish_process(&run, signals[k]);
    expect_code(&run, 0);
    assert_string_equal(run.err, "");
    assert_true(is_gone(node) && is_gone(sim));
    if (k == 0) expect_text(run.out, "  drift      ");
    run_free(&run);
  }
  setenv("ROS_DOMAIN_ID", domain, 1);
  setenv("CYCLONEDDS_URI", network, 1);
  free(domain);
  free(network);
}

// the programs never outlive it
static void
kill_ends_all(void ** state)
{
  (void)state;
  run_t run = START("demo", "--robot", ARM, "--headless", "60", SLOW);
  assert_true(printed(&run, "Floating"));
  const pid_t node = pid_of(&run, NODE_PID), sim = pid_of(&run, SIM_PID);
  finish_process(&run, SIGKILL);
  assert_true(is_gone(node) && is_gone(sim));
  run_free(&run);
  // nobody was left to remove it
  assert_int_equal(system("rm -rf \"$TMPDIR\"/mbdyn_demo_*"), 0);
}

static void
cut_short_is_no_success(void ** state)
{
  (void)state;
  run_t run = START("demo", "--robot", ARM, "--headless", "60", SLOW);
  assert_true(printed(&run, "Floating"));
  finish_process(&run, SIGINT);
  expect_code(&run, 1);
  expect_text(run.out, "FAILED: interrupted before the end");
  run_free(&run);
}

//---------- a terminal ----------

typedef struct terminal {
  int fd;
  pid_t pid;
  char text[1 << 20];
  size_t n;
} terminal_t;

static void
open_terminal(terminal_t * t)
{
  memset(t, 0, sizeof *t);
  t->fd = posix_openpt(O_RDWR | O_NOCTTY);
  if (t->fd < 0) {
    print_message("skipped: no pseudo-terminals here (is /dev/pts mounted?)\n");
    skip();
  }
  assert_true(grantpt(t->fd) == 0 && unlockpt(t->fd) == 0);
  const struct winsize size = {.ws_row = 24, .ws_col = 80};
  assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
  t->pid = fork();
  if (t->pid == 0) {
    setsid();
    // the first that a session opens is its terminal
    const int slave = open(ptsname(t->fd), O_RDWR);
    dup2(slave, 0);
    dup2(slave, 1);
    dup2(slave, 2);
    close(t->fd);
    setenv("TERM", "xterm", 1);
    execl(
      MBDYN_CLI, "mbdyn", "demo", "--robot", ARM, "--ros-args", "-p", "robot:rate:=250.0", NULL);
    _exit(127);
  }
  assert_true(t->pid > 0);
}

// until it has shown the text since a place; false at the end or after 15 s
static bool
wait_for(terminal_t * t, size_t from, const char * text)
{
  const int64_t end = now_ns() + 15000000000;
  while (!strstr(t->text + from, text)) {
    struct pollfd fd = {.fd = t->fd, .events = POLLIN};
    const int64_t left = (end - now_ns()) / 1000000;
    if (left <= 0 || poll(&fd, 1, (int)left) <= 0) return false;
    const ssize_t n = read(t->fd, t->text + t->n, sizeof t->text - t->n - 1);
    if (n <= 0) return false;
    t->n += (size_t)n;
    t->text[t->n] = 0;
  }
  return true;
}

// drawn, drawn anew in another size, and the terminal given back after Ctrl-C
static void
table_on_a_terminal(void ** state)
{
  static terminal_t t;
  (void)state;
  open_terminal(&t);
  assert_true(wait_for(&t, 0, "\033[?1049h\033[?25l"));
  assert_true(wait_for(&t, 0, "Floating"));
  assert_true(wait_for(&t, 0, "moved by"));
  const size_t before = t.n;
  const struct winsize low = {.ws_row = 14, .ws_col = 100};
  assert_int_equal(ioctl(t.fd, TIOCSWINSZ, &low), 0);
  assert_true(wait_for(&t, before, "more joints: enlarge the window"));
  assert_int_equal(write(t.fd, "\003", 1), 1);
  assert_true(wait_for(&t, before, "\033[?25h\033[?1049l"));
  assert_true(wait_for(&t, before, "of real time"));
  int status = 0;
  while (wait_for(&t, before, "never")) continue;
  assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(t.fd);
}

//---------- all of them ----------

// in a folder of its own, to see that nothing is left there
static int
setup(void ** state)
{
  if (cli_setup(state) != 0) return -1;
  setenv("TMPDIR", *state, 1);
  return 0;
}

// demos that failed leave their logs on purpose
static int
teardown(void ** state)
{
  if (system("rm -rf \"$TMPDIR\"/mbdyn_demo_*") != 0) return -1;
  return cli_teardown(state);
}

int
main(int argc, char ** argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_bounds_are_kept),
    cmocka_unit_test(frame_goes_along_a_line),
    cmocka_unit_test(nothing_is_commanded_in_passive),
    cmocka_unit_test(other_modes_are_shown),
    cmocka_unit_test(every_mode_is_known),
    cmocka_unit_test(other_robots_too),
    cmocka_unit_test(robots_with_feet_stand),
    cmocka_unit_test(slippery_ground_is_found),
    cmocka_unit_test(wrong_feet_are_refused),
    cmocka_unit_test(a_finger_with_a_loop),
    cmocka_unit_test(an_arm_with_springs),
    cmocka_unit_test(wrong_load_is_found),
    cmocka_unit_test(missing_gains_are_found),
    cmocka_unit_test(missing_commands_are_found),
    cmocka_unit_test(missing_estimate_is_found),
    cmocka_unit_test(killed_node_is_reported),
    cmocka_unit_test(ended_robot_is_reported),
    cmocka_unit_test(node_that_does_not_start_is_reported),
    cmocka_unit_test(wrong_usage_is_refused),
    cmocka_unit_test(signal_ends_all),
    cmocka_unit_test(kill_ends_all),
    cmocka_unit_test(cut_short_is_no_success),
    cmocka_unit_test(table_on_a_terminal),
  };
  // one of them takes seconds
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const int failed = cmocka_run_group_tests(tests, setup, teardown);
  if (too_busy > 0) printf("%d times not judged: the machine was too busy\n", too_busy);
  return failed;
}
