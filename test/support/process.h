/// \file process.h
/// Processes of a test: started, listened to, ended in time. Knows nothing of ROS or DDS.
///
///   own_domain      a DDS domain of the test's own, on loopback, for it and its children
///   process_start   a program whose standard output the test reads line by line
///   process_line    its next line, within a time
///   process_end     its exit code, within a time
///   process_run     a program until it ends
///   process_spawn, process_wait   a program with files for its input and output
///   file_text       a file, whole
///   directory_enter, directory_leave   a directory of the test's own
#ifndef PROCESS_H_
#define PROCESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct process {
  pid_t pid;  // 0 once it has ended
  int out;    // its standard output
  size_t length;
  char text[1024];  // read and not yet asked for
} process_t;

/// Sets ROS_DOMAIN_ID (100 to 149), TEST_DOMAIN (the same) and CYCLONEDDS_URI, unless a parent has
/// done so. No other test that asks gets the domain until this process ends.
/// \return the domain
int own_domain(void);

/// Starts a program; NULL ends its arguments, argv[0] is its path. It dies with the test.
void process_start(process_t * process, const char * const * argv);

/// Next line without its newline.
/// \return false after so many milliseconds or at the end of the output
bool process_line(process_t * process, char * line, size_t size, int milliseconds);

/// Sends a signal (0: none) and waits; kills the process if it is not gone in time.
/// \return exit code, or 128 + signal
int process_end(process_t * process, int signal, int milliseconds);

/// Kills what process_start has started and is still there; fits cmocka's teardown.
int process_kill_all(void ** state);

/// Runs a program and keeps what it prints, as far as that fits.
/// \param[in]  argv    with the path first and NULL last
/// \param[out] output  NULL: not wanted
/// \return exit code, or 128 + signal; it is killed after a minute of silence
int process_run(const char * const * argv, char * output, size_t size);

/// Starts a program with files in the place of its standard input, output and error output.
/// \param[in] args         after its name "mbdyn", at most 30, NULL ends them
/// \param[in] environment  NULL: that of the test
/// \return its pid; the test is aborted if it cannot be started
pid_t process_spawn(
  const char * program, const char * const * args, char * const * environment, const char * in,
  const char * out, const char * err);

/// Sends a signal (0: none) and waits; kills the process if it is not gone in time.
/// \return exit code, or 128 + signal
int process_wait(pid_t pid, int signal, int milliseconds);

/// The text of a file, to be freed, with a zero after it; NULL if it cannot be read.
char * file_text(const char * path);

/// Makes a directory and changes into it.
/// \param[in,out] name  ends with XXXXXX
/// \return 0, as cmocka's setup functions do
int directory_enter(char * name);
/// Deletes the files in it and the directory; 0 if that worked.
int directory_leave(const char * name);

int64_t now_ns(void);
void sleep_ms(int milliseconds);

#ifdef __cplusplus
}
#endif

#endif  // PROCESS_H_
