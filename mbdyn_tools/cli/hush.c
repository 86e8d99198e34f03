#include "hush.h"

#include <unistd.h>

hush_t
hush_start(void)
{
  hush_t hush = {tmpfile(), dup(STDERR_FILENO)};
  fflush(stderr);
  if (hush.file && hush.saved >= 0) dup2(fileno(hush.file), STDERR_FILENO);
  return hush;
}

void
hush_end(hush_t * hush)
{
  char text[512];
  fflush(stderr);
  if (hush->saved >= 0) {
    dup2(hush->saved, STDERR_FILENO);
    close(hush->saved);
  }
  if (!hush->file) return;
  rewind(hush->file);
  while (fgets(text, sizeof text, hush->file)) fputs(text, stderr);
  fclose(hush->file);
}
