#include "command.h"

#include <stdio.h>

#include "process.h"

enum { SILENCE_MS = 60000, END_MS = 10000 };

int
command_run(const char * const * argv, char * output, size_t size)
{
  process_t process;
  char line[512];
  size_t n = 0;
  process_start(&process, argv);
  if (size > 0) output[0] = '\0';
  while (process_line(&process, line, sizeof line, SILENCE_MS)) {
    if (n < size) n += (size_t)snprintf(output + n, size - n, "%s\n", line);
  }
  return process_end(&process, 0, END_MS);
}
