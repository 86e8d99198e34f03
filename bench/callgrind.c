// Instructions per call: this program under valgrind's callgrind.
//
// The calls are counted alone: collecting is switched on for them, then what was counted is dumped
// to a file, where the last "totals:" line has it. Callgrind writes that file once more at the very
// end: the program that waits for it takes it away.
#include "callgrind.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef BENCH_CALLGRIND

#include <valgrind/callgrind.h>

// the file that callgrind writes to, for the program that runs under it
static const char variable[] = "MBDYN_BENCH_CALLGRIND";

static double empty;  // instructions of the loop itself, per call

//---------- starting over ----------

// this program and its arguments, behind valgrind and its options
static char **
arguments(char ** argv, char * out_option)
{
  static char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) return NULL;
  self[length] = 0;
  char * const front[] = {
    "valgrind", "-q", "--tool=callgrind", "--collect-atstart=no", "--combine-dumps=yes",
    out_option, self};
  size_t argc = 0;
  while (argv[argc] != NULL) argc++;
  char ** args = calloc(argc + sizeof front / sizeof *front, sizeof *args);
  if (args == NULL) return NULL;
  memcpy(args, front, sizeof front);
  // with the NULL at the end
  memcpy(args + sizeof front / sizeof *front, argv + 1, argc * sizeof *args);
  return args;
}

// the exit code of what runs under valgrind
static int
start(char ** args)
{
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    execvp(args[0], args);
    perror("mbdyn_bench: valgrind");
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return perror("mbdyn_bench"), -1;
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

int
callgrind_restart(char ** argv)
{
  char file[] = "/tmp/mbdyn_bench_XXXXXX", option[64];
  const int descriptor = mkstemp(file);
  snprintf(option, sizeof option, "--callgrind-out-file=%s", file);
  char ** args = arguments(argv, option);
  int code = -1;
  if (descriptor < 0 || args == NULL || setenv(variable, file, 1) != 0) {
    perror("mbdyn_bench: callgrind");
  } else {
    code = start(args);
  }
  if (descriptor >= 0) close(descriptor), unlink(file);
  free(args);
  return code;
}

//---------- counting ----------

// the number of the last dump
static double
last_total(const char * file)
{
  double total = -1;
  FILE * in = fopen(file, "r");
  char line[4096];
  while (in != NULL && fgets(line, sizeof line, in) != NULL)
    if (strncmp(line, "totals:", 7) == 0) total = strtod(line + 7, NULL);
  if (in != NULL) fclose(in);
  return total;
}

static double
count(bench_entry_t * entry, int calls)
{
  const char * file = getenv(variable);
  // the first call may have to resolve symbols and fill tables
  bench_run(entry, 1);
  // an empty file: what the dump adds is all there is
  if (truncate(file, 0) != 0) perror(file);
  CALLGRIND_TOGGLE_COLLECT;
  bench_run(entry, calls);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS;
  return last_total(file) - calls * empty;
}

static sigjmp_buf before_call;

static void
unknown_instruction(int number)
{
  (void)number;
  siglongjmp(before_call, 1);
}

// a call that stops in the middle leaves its memory behind, but nothing that the next one needs
bool
callgrind_can_run(const bench_entry_t * entry)
{
  struct sigaction action = {.sa_handler = unknown_instruction}, old;
  sigaction(SIGILL, &action, &old);
  const bool known = sigsetjmp(before_call, 1) == 0;
  if (known) entry->variant->call(entry->loaded, 0);
  sigaction(SIGILL, &old, NULL);
  return known;
}

bool
callgrind_begin(void)
{
  if (getenv(variable) == NULL || !RUNNING_ON_VALGRIND) return false;
  CALLGRIND_ZERO_STATS;
  bench_use_counter(count);
  empty = bench_empty_call();
  return true;
}

#else  // no valgrind when this was compiled

int
callgrind_restart(char ** argv)
{
  (void)argv;
  fprintf(stderr, "mbdyn_bench: compiled without valgrind/callgrind.h: no --callgrind\n");
  return -1;
}

bool
callgrind_begin(void)
{
  return false;
}

bool
callgrind_can_run(const bench_entry_t * entry)
{
  (void)entry;
  return true;
}

#endif
