#include "capture_stderr.h"

#include <unistd.h>

captured_stderr_t
capture_stderr(void)
{
  captured_stderr_t captured = {tmpfile(), dup(STDERR_FILENO)};
  fflush(stderr);
  if (captured.file && captured.saved >= 0) dup2(fileno(captured.file), STDERR_FILENO);
  return captured;
}

void
release_stderr(captured_stderr_t * captured)
{
  char text[512];
  fflush(stderr);
  if (captured->saved >= 0) {
    dup2(captured->saved, STDERR_FILENO);
    close(captured->saved);
  }
  if (!captured->file) return;
  rewind(captured->file);
  while (fgets(text, sizeof text, captured->file)) fputs(text, stderr);
  fclose(captured->file);
}
