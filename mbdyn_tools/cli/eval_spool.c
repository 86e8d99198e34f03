// Results of `mbdyn eval` until all states are known to be good.
#define _POSIX_C_SOURCE 200809L  // mkstemp
#include "eval_spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static const char *
directory(void)
{
  const char * given = getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

static bool
report_write_error(void)
{
  fprintf(
    stderr,
    "mbdyn eval: temporary file in %s: cannot be written: %s; set TMPDIR to a directory with "
    "room\n",
    directory(), errno ? strerror(errno) : "output error");
  return false;
}

// gone as soon as it is closed, however the program ends
FILE *
eval_spool_open(void)
{
  static const char name[] = "/mbdyn_eval_XXXXXX";
  char * path = malloc(strlen(directory()) + sizeof name);
  if (!path) {
    fputs("mbdyn eval: out of memory\n", stderr);
    return NULL;
  }
  strcpy(path, directory());
  strcat(path, name);
  const int fd = mkstemp(path);
  if (fd >= 0) unlink(path);
  FILE * spool = fd >= 0 ? fdopen(fd, "w+") : NULL;
  if (!spool) report_write_error();
  if (!spool && fd >= 0) close(fd);
  free(path);
  return spool;
}

bool
eval_spool_written(FILE * spool)
{
  return (fflush(spool) == 0 && !ferror(spool)) || report_write_error();
}

static bool
copy(FILE * from, FILE * to)
{
  char bytes[1 << 16];
  rewind(from);
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, from)) > 0;) {
    if (fwrite(bytes, 1, n, to) < n) return true;  // said when the file is closed
  }
  if (!ferror(from)) return true;
  fprintf(
    stderr, "mbdyn eval: temporary file in %s: cannot be read: %s\n", directory(), strerror(errno));
  return false;
}

bool
eval_spool_close(FILE * spool, bool good, const char * path)
{
  good = good && eval_spool_written(spool);
  if (good) {
    FILE * file = path ? fopen(path, "w") : stdout;
    if (!file) fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    good = file && copy(spool, file);
    if (file && path) good = text_close(file, path) && good;
  }
  fclose(spool);
  return good;
}
