/// \file process.h
/// Helper processes of a test: started, listened to, ended in time. Knows nothing of ROS or DDS.
///
///   own_domain      a DDS domain of the test's own, on loopback, for it and its children
///   process_start   a program whose standard output the test reads line by line
///   process_line    its next line, within a time
///   process_end     its exit code, within a time
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

/// Sets ROS_DOMAIN_ID (100 to 149) and CYCLONEDDS_URI. No other test that asks gets the domain
/// until this process ends.
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

int64_t now_ns(void);
void sleep_ms(int milliseconds);

#ifdef __cplusplus
}
#endif

#endif  // PROCESS_H_
