/// \file capture_stderr.h
/// What is written to stderr while a table is on the screen, kept for afterwards.
#ifndef CAPTURE_STDERR_H_
#define CAPTURE_STDERR_H_

#include <stdio.h>

typedef struct captured_stderr {
  FILE * file;
  int saved;
} captured_stderr_t;

captured_stderr_t capture_stderr(void);
/// Prints what was kept; also right for {NULL, -1}.
void release_stderr(captured_stderr_t * captured);

#endif  // CAPTURE_STDERR_H_
