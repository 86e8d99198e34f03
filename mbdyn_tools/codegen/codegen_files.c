// The files of generated code.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "codegen.h"
#include "text.h"

static bool
put_header(FILE * to, const codegen_t * codegen)
{
  codegen_put_header(to, codegen);
  return true;
}

static bool
put_selftest(FILE * to, const codegen_t * codegen)
{
  codegen_put_selftest(to, codegen);
  return true;
}

static bool
write_one(
  const codegen_t * codegen, const char * directory, const char * suffix,
  bool (*put)(FILE * to, const codegen_t * codegen))
{
  const size_t size = strlen(directory) + strlen(codegen->prefix) + strlen(suffix) + 2;
  char * path = malloc(size);
  if (!path) {
    fputs("mbdyn codegen: out of memory\n", stderr);
    return false;
  }
  snprintf(path, size, "%s/%s%s", directory, codegen->prefix, suffix);
  FILE * file = fopen(path, "w");
  bool done = file != NULL;
  if (!file) fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
  if (file && !put(file, codegen)) {
    fputs("mbdyn codegen: out of memory\n", stderr);
    done = false;
  }
  if (file) done = text_close(file, path) && done;
  free(path);
  return done;
}

bool
codegen_write(const codegen_t * codegen, const char * directory)
{
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "%s: cannot be created: %s\n", directory, strerror(errno));
    return false;
  }
  return write_one(codegen, directory, ".h", put_header) &&
         write_one(codegen, directory, ".c", codegen_put_source) &&
         write_one(codegen, directory, "_selftest.c", put_selftest);
}
