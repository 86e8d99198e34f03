// Runs a fuzz target on every file of the folders on the command line, with any compiler: inputs that
// once found something are tried again wherever the tests run, libFuzzer or not.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static int
is_input(const struct dirent * entry)
{
  return entry->d_name[0] != '.';
}

// the input in a block of just its size, so that a sanitizer sees a read past its end
static uint8_t *
read_input(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return NULL;
  const long end = ftell(file);
  uint8_t * data = end >= 0 ? malloc((size_t)end + (end == 0)) : NULL;
  rewind(file);
  if (data != NULL) *size = fread(data, 1, (size_t)end, file);
  fclose(file);
  return data;
}

static int
replay(const char * folder)
{
  struct dirent ** entry;
  const int n = scandir(folder, &entry, is_input, alphasort);
  for (int i = 0; i < n; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    size_t size = 0;
    uint8_t * data = read_input(path, &size);
    if (data == NULL) {
      fprintf(stderr, "%s cannot be read\n", path);
      exit(1);
    }
    // named first: if the target aborts, the last line says on what
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    free(entry[i]);
  }
  if (n > 0) free(entry);
  return n;
}

int
main(int argc, char ** argv)
{
  for (int i = 1; i < argc; i++) {
    const int n = replay(argv[i]);
    if (n <= 0) {
      fprintf(stderr, "%s has no inputs\n", argv[i]);
      return 1;
    }
    printf("%s: %d inputs\n", argv[i], n);
  }
  return argc > 1 ? 0 : 2;
}
