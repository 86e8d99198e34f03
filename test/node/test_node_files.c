// Files that a service call or a parameter names: FIFOs, devices, huge and slow ones, and those that
// are none of the caller's business. The node must answer, and end, whatever they are.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mbdyn/srv/load_model.h"
#include "node_core.h"
#include "rosidl_runtime_c/string_functions.h"

#define ARM6 MBDYN_SOURCE_DIR "/config/robots/arm6.urdf"

static peer_t peer;
static mbdyn__srv__LoadModel_Response answer;
static char folder[64], beside[80], directories[160];

static const char *
in_folder(const char * name)
{
  static char path[4][192];
  static int next;
  char * p = path[next++ % 4];
  snprintf(p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static void
copy(const char * from, const char * to)
{
  static char text[65536];
  FILE * file = fopen(from, "rb");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text, file);
  fclose(file);
  file = fopen(to, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static int
set_up(void ** state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/mbdyn_files_XXXXXX");
  assert_non_null(mkdtemp(folder));
  // the same letters, and not the same directory
  snprintf(beside, sizeof beside, "%s_other", folder);
  assert_int_equal(mkdir(beside, 0700), 0);
  snprintf(directories, sizeof directories, "model_directories:=['%s']", folder);
  copy(ARM6, in_folder("arm6.urdf"));
  copy(ARM6, in_folder("slow.urdf"));
  assert_int_equal(mkfifo(in_folder("fifo.urdf"), 0600), 0);
  assert_true(mbdyn__srv__LoadModel_Response__init(&answer));
  peer_open(&peer);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : 0;
  peer_close(&peer);
  mbdyn__srv__LoadModel_Response__fini(&answer);
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s %s", folder, beside);
  assert_int_equal(system(command), 0);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
start(void)
{
  peer_start(&peer, (const char *[]){"-p", "autostart:=false", "-p", directories, NULL});
}

// the answer's message
static const char *
load(const char * file, bool success)
{
  mbdyn__srv__LoadModel_Request request = {0};
  assert_true(mbdyn__srv__LoadModel_Request__init(&request));
  assert_true(rosidl_runtime_c__String__assign(&request.file, file));
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, LoadModel), "/mbdyn/load_model", &request,
    &answer);
  mbdyn__srv__LoadModel_Request__fini(&request);
  if (answer.success != success) fail_msg("%s: '%s'", file, answer.message.data);
  return answer.message.data;
}

static void
expect(const char * file, const char * text)
{
  const char * message = load(file, false);
  if (!strstr(message, text)) fail_msg("%s: '%s', not '%s'", file, message, text);
}

//---------- ~/load_model ----------

static void
test_not_regular(void ** state)
{
  (void)state;
  start();
  expect(in_folder("fifo.urdf"), "not a regular file");
  assert_string_equal(peer_state(&peer), "unconfigured");
  // one that has a writer, who says nothing
  const int fd = open(in_folder("fifo.urdf"), O_RDWR | O_CLOEXEC);
  assert_true(fd >= 0);
  expect("fifo.urdf", "not a regular file");
  close(fd);
  assert_int_equal(symlink("/dev/zero", in_folder("zero.urdf")), 0);
  expect("zero.urdf", "not a regular file");
  assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
  expect("sub", "not a regular file");
  expect("missing.urdf", "missing.urdf: No such file");
  assert_string_equal(peer_state(&peer), "unconfigured");
}

static void
test_large(void ** state)
{
  (void)state;
  start();
  copy(ARM6, in_folder("large.urdf"));
  assert_int_equal(truncate(in_folder("large.urdf"), (off_t)4 << 30), 0);
  expect("large.urdf", "larger than 16777216 bytes");
  assert_int_equal(truncate(in_folder("large.urdf"), 0), 0);
  expect("large.urdf", "empty");
}

// one that is read, by either name
static void
test_allowed(void ** state)
{
  (void)state;
  start();
  assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
  assert_int_equal(symlink(ARM6, in_folder("sub/..arm.urdf")), 0);
  const char * const good[] = {
    in_folder("arm6.urdf"), "arm6.urdf", "./arm6.urdf", "sub/..arm.urdf"};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    // nothing is configured: what was read is told, and that it does not run yet
    assert_non_null(strstr(load(good[i], true), "the model will be loaded at configure"));
    assert_string_equal(answer.model_name.data, "arm6");
    assert_int_equal(answer.joint_names.size, 6);
    assert_string_equal(answer.joint_names.data[5].data, "wrist_3");
  }
  assert_true(peer_change_state(&peer, "configure"));
  assert_string_equal(load("arm6.urdf", true), "");
  assert_int_equal(answer.joint_names.size, 6);
}

// whatever is there or is not there: the same answer
static void
test_no_oracle(void ** state)
{
  (void)state;
  char there[128], dots[160], missing_dots[160], wrapped[160];
  start();
  snprintf(there, sizeof there, "%s/arm6.urdf", beside);
  copy(ARM6, there);
  snprintf(dots, sizeof dots, "%s/../%s/arm6.urdf", folder, beside + strlen("/tmp/"));
  snprintf(missing_dots, sizeof missing_dots, "%s/../nowhere.urdf", folder);
  snprintf(wrapped, sizeof wrapped, "../%s/arm6.urdf", beside + strlen("/tmp/"));
  char first[256];
  snprintf(first, sizeof first, "%s", load("/nowhere.urdf", false));
  assert_non_null(strstr(first, "model_directories"));
  const char * const outside[] = {there,  dots,  missing_dots, wrapped,           "/etc/shadow",
                                  "/etc", "/",   "/dev/null",  "/proc/1/environ", "..",
                                  "",     folder};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    assert_string_equal(load(outside[i], false), first);
  }
}

static void
test_none_allowed(void ** state)
{
  (void)state;
  peer_start(&peer, (const char *[]){"-p", "autostart:=false", NULL});
  expect(ARM6, "reading files is disabled: set model_directories");
  expect("/nowhere.urdf", "reading files is disabled: set model_directories");
  const char * const all[] = {"/"};
  const char * reason = peer_set_strings(&peer, "model_directories", 1, all);
  assert_non_null(strstr(reason, "read-only"));
}

// a disk that does not answer: the node does, and ends
static void
test_slow(void ** state)
{
  (void)state;
#ifdef NODE_SLOW
  skip();  // a sanitizer must be the first library
#endif
  setenv("LD_PRELOAD", SLOW_READ_LIBRARY, 1);
  start();
  unsetenv("LD_PRELOAD");
  // the call may be repeated before its answer comes: each one leaves a thread behind, up to four
  const int64_t begin = now_ns();
  const char *late = "not read within 500 ms", *full = "earlier files are still being read";
  int calls = 0;
  bool enough = false;
  while (!enough) {
    const char * message = load("slow.urdf", false);
    enough = strstr(message, full);
    if (!enough && !strstr(message, late)) fail_msg("'%s'", message);
    assert_in_range(++calls, 1, 5);
    assert_string_equal(peer_state(&peer), "unconfigured");
  }
  assert_in_range(now_ns() - begin, 4 * INT64_C(500000000), 15000000000);
  expect("arm6.urdf", full);
}

//---------- parameters ----------

// ends by itself after a message; nobody would hear it on /rosout
static void
does_not_start(const char * parameter, const char * text)
{
  static process_t process;
  char line[1024], command[512];
  bool found = false;
  snprintf(
    command, sizeof command, "exec %s --ros-args -p \"%s\" 2>&1", MBDYN_NODE_PROGRAM, parameter);
  process_start(&process, (const char *[]){"/bin/sh", "-c", command, NULL});
  while (process_line(&process, line, sizeof line, PEER_TIMEOUT)) {
    if (strstr(line, text)) found = true;
  }
  assert_int_equal(process_end(&process, 0, PEER_TIMEOUT), 1);
  assert_true(found);
}

static void
test_description_file(void ** state)
{
  (void)state;
  char argument[256];
  snprintf(argument, sizeof argument, "robot_description_file:=%s", in_folder("fifo.urdf"));
  does_not_start(argument, "fifo.urdf: not a regular file");
}

static void
test_loops_file(void ** state)
{
  (void)state;
  char argument[256];
  snprintf(argument, sizeof argument, "loops_file:=%s", in_folder("fifo.urdf"));
  peer_start(
    &peer, (const char *[]){PEER_ROBOT_ARG, "-p", "autostart:=false", "-p", argument, NULL});
  assert_false(peer_change_state(&peer, "configure"));
  peer_logged(&peer, "fifo.urdf: not a regular file");
  assert_string_equal(peer_state(&peer), "unconfigured");
}

// an error names file, line and what to do; bearings and drivers are for simulations, and the log says so
static void
test_mechanism_file(void ** state)
{
  (void)state;
  static const struct {
    const char *text, *more, *log;
    bool good;
  } CASE[] = {
    {NULL, NULL, "mechanism_file /", false},
    {"forces: []\nspring: []\n", NULL,
     ".mechanism.yaml:2: file: key \"spring\" is unknown; known keys: closures, forces", false},
    {"forces: [{name: s, type: spring, stiffness: 1, a: base, b: elbow}]\n", NULL,
     ".mechanism.yaml:1: force 's': ", false},
    {"forces: []\n", "loops_file:=/tmp/x.yaml", "loops_file is given, too; put all of it into",
     false},
    {"forces: []\n", "loops:='closures: []'", "loops is given, too; put all of it into", false},
    {"initial: {elbow: {q: 1}}\n", NULL, "initial 'elbow': there is no joint", false},
    {"drivers: [{name: m, joint: joint2, rate: 1}]\n"
     "bearings: [{joint: joint3, mu_static: 0.2, mu_dynamic: 0.2, radius: 0.01}]\n",
     NULL, ".mechanism.yaml:2: bearings: count in simulations only: their friction is left out",
     true},
    {"drivers: [{name: m, joint: joint2, rate: 1}]\n", NULL,
     ".mechanism.yaml:1: drivers: prescribe motions in simulations only: their joints count as "
     "free",
     true},
    {"drivers: [{name: m, joint: joint2, rate: 1}]\n", "strict:=true", "drivers: prescribe", false},
  };
  char argument[256];
  const char * path = in_folder("arm.mechanism.yaml");
  for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++) {
    snprintf(argument, sizeof argument, "mechanism_file:=%s", path);
    if (CASE[i].text) {
      FILE * file = fopen(path, "w");
      assert_non_null(file);
      assert_true(fputs(CASE[i].text, file) >= 0);
      assert_int_equal(fclose(file), 0);
    }
    peer_start(
      &peer, (const char *[]){
               PEER_ROBOT_ARG, "-p", "autostart:=false", "-p", argument, CASE[i].more ? "-p" : NULL,
               CASE[i].more, NULL});
    if (peer_change_state(&peer, "configure") != CASE[i].good)
      fail_msg("case %zu: configured: %d", i, !CASE[i].good);
    peer_logged(&peer, CASE[i].log);
    peer_forget_log(&peer);
    assert_int_equal(peer_stop(&peer, SIGINT), 0);
  }
}

static void
test_bad_directories(void ** state)
{
  (void)state;
  does_not_start(
    "model_directories:=['robots']", "model_directories: 'robots' is not an absolute path");
  does_not_start(
    "model_directories:=['/tmp/../etc']",
    "model_directories: '/tmp/../etc' is not an absolute path without '..'");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char ** argv)
{
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {TEST(test_not_regular),      TEST(test_large),
                                     TEST(test_allowed),          TEST(test_no_oracle),
                                     TEST(test_none_allowed),     TEST(test_slow),
                                     TEST(test_description_file), TEST(test_loops_file),
                                     TEST(test_mechanism_file),   TEST(test_bad_directories)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
