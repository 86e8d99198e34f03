// Running the ROS commands of `mbdyn` in tests.
#include "ros_cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static run_t node;

//---------- domain and directory ----------

int
cli_setup(void ** state)
{
  static char directory[] = "/tmp/mbdyn_ros_cli_XXXXXX";
  own_domain();
  setenv("LC_ALL", "C.UTF-8", 1);
  *state = directory;
  return directory_enter(directory);
}

int
cli_teardown(void ** state)
{
  return directory_leave(*state);
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
  finish_process(&node, SIGTERM);
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
  char * text = file_text(path);
  assert_non_null(text);
  return text;
}

run_t
start(const char * program, const char * const * args)
{
  static int count;
  run_t run = {.code = -1};
  snprintf(run.name, sizeof run.name, "run%d", count++);
  char out[32], err[32];
  snprintf(out, sizeof out, "%s.out", run.name);
  snprintf(err, sizeof err, "%s.err", run.name);
  run.pid = process_spawn(program, args, NULL, "/dev/null", out, err);
  return run;
}

void
finish_process(run_t * run, int signal)
{
  run->code = process_wait(run->pid, signal, 20000);
  run->out = read_text(run->name, "out");
  run->err = read_text(run->name, "err");
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
  finish_process(&run, 0);
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
