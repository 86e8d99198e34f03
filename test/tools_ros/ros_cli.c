// Running the ROS commands of `mbdyn` in tests.
#include "ros_cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char ** environ;

static run_t node;

//---------- domain and directory ----------

int
cli_setup(void ** state)
{
  static char directory[] = "/tmp/mbdyn_ros_cli_XXXXXX";
  own_domain();
  setenv("LC_ALL", "C.UTF-8", 1);
  *state = mkdtemp(directory);
  return *state && chdir(directory) == 0 ? 0 : -1;
}

int
cli_teardown(void ** state)
{
  DIR * listing = opendir(".");
  if (!listing) return -1;
  for (struct dirent * entry = readdir(listing); entry; entry = readdir(listing)) {
    if (entry->d_name[0] != '.') unlink(entry->d_name);
  }
  closedir(listing);
  return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int
node_setup(void ** state)
{
  if (cli_setup(state) != 0) return -1;
  node = start(TEST_NODE, (const char * const[]){NULL});
  return 0;
}

int
node_teardown(void ** state)
{
  finish(&node, SIGTERM);
  const int code = node.code;
  if (code != 0) print_error("the test node returned %d:\n%s\n", code, node.err);
  run_free(&node);
  return cli_teardown(state) == 0 && code == 0 ? 0 : -1;
}

//---------- running ----------

static char *
read_text(const char * name, const char * extension)
{
  char path[32];
  snprintf(path, sizeof path, "%s.%s", name, extension);
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  enum { ROOM = 1 << 20 };
  char * text = malloc(ROOM);
  assert_non_null(text);
  text[fread(text, 1, ROOM - 1, file)] = 0;
  fclose(file);
  return text;
}

run_t
start(const char * program, const char * const * args)
{
  static int count;
  run_t run = {.code = -1};
  snprintf(run.name, sizeof run.name, "run%d", count++);
  char * argv[32] = {(char *)"mbdyn"};
  for (int i = 0; args[i]; i++) {
    assert_true(i + 2 < 32);
    argv[i + 1] = (char *)args[i];
  }
  char out[32], err[32];
  snprintf(out, sizeof out, "%s.out", run.name);
  snprintf(err, sizeof err, "%s.err", run.name);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, out, flags, 0600);
  posix_spawn_file_actions_addopen(&files, 2, err, flags, 0600);
  assert_int_equal(posix_spawn(&run.pid, program, &files, NULL, argv, environ), 0);
  posix_spawn_file_actions_destroy(&files);
  return run;
}

void
finish(run_t * run, int signal)
{
  if (signal) kill(run->pid, signal);
  int status = 0;
  const int64_t end = now_ns() + 20000000000;
  bool ended = false;
  while (!(ended = waitpid(run->pid, &status, WNOHANG) == run->pid) && now_ns() < end) sleep_ms(5);
  if (!ended) {
    kill(run->pid, SIGKILL);
    waitpid(run->pid, &status, 0);
  }
  run->out = read_text(run->name, "out");
  run->err = read_text(run->name, "err");
  run->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void
run_free(run_t * run)
{
  free(run->out);
  free(run->err);
}

run_t
run_to_end(const char * const * args)
{
  run_t run = start(MBDYN_CLI, args);
  finish(&run, 0);
  return run;
}

bool
printed(const run_t * run, const char * text)
{
  for (int i = 0; i < 1000; i++) {
    char * out = read_text(run->name, "out");
    const bool there = strstr(out, text) != NULL;
    free(out);
    if (there) return true;
    sleep_ms(10);
  }
  return false;
}

//---------- checks ----------

void
expect_code_(const run_t * run, int code, const char * file, int line)
{
  if (run->code == code) return;
  print_error("exit code %d, not %d\n%s\n%s\n", run->code, code, run->out, run->err);
  _fail(file, line);
}

void
expect_text_(const char * text, const char * part, const char * file, int line)
{
  if (strstr(text, part)) return;
  print_error("'%s' is not in\n%s\n", part, text);
  _fail(file, line);
}
