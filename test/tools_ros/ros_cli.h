/// \file ros_cli.h
/// Running the ROS commands of `mbdyn` in tests, several at a time, in a domain of their own.
///
///   cli_setup, cli_teardown   domain and directory
///   node_setup, node_teardown the same with the test node running
///   RUN                       the program until it ends; what it printed and returned
///   START, finish             the program meanwhile
#ifndef ROS_CLI_H_
#define ROS_CLI_H_

#include "support.h"

int cli_setup(void ** state);
int cli_teardown(void ** state);
int node_setup(void ** state);
int node_teardown(void ** state);

typedef struct run {
  pid_t pid;
  char name[16];  ///< of the files with its output
  int code;       ///< exit code, or 128 + signal
  char * out;
  char * err;
} run_t;

/// Starts the program.
/// \param[in] args  after its name, ends with NULL
run_t start(const char * program, const char * const * args);

/// Sends a signal (0: none) and waits. Fails the test if the program does not end in 20 s.
void finish_process(run_t * run, int signal);
void run_free(run_t * run);

/// Waits up to 10 s until what a running program has printed contains the text.
bool printed(const run_t * run, const char * text);

/// Fails unless the exit code is this; shows what was printed then.
void expect_code_(const run_t * run, int code, const char * file, int line);
void expect_text_(const char * text, const char * part, const char * file, int line);

#define START(...) start(MBDYN_CLI, (const char * const[]){__VA_ARGS__, NULL})
#define RUN(...)   run_to_end((const char * const[]){__VA_ARGS__, NULL})

run_t run_to_end(const char * const * args);

#define expect_code(run, code)  expect_code_(run, code, __FILE__, __LINE__)
#define expect_text(text, part) expect_text_(text, part, __FILE__, __LINE__)

#endif  // ROS_CLI_H_
