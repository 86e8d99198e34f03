#include "json_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "close.h"

static char *
read_file(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  if (file == NULL) fail_msg("%s: cannot be opened", path);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long end = ftell(file);
  assert_true(end >= 0);
  rewind(file);
  char * bytes = malloc((size_t)end + 1);
  assert_non_null(bytes);
  *size = fread(bytes, 1, (size_t)end, file);
  fclose(file);
  assert_int_equal(*size, end);
  return bytes;
}

static char *
decompress(const char * path, char * packed, size_t * size)
{
  const unsigned long long whole = ZSTD_getFrameContentSize(packed, *size);
  if (whole > 1u << 30) fail_msg("%s: no zstd frame of known size", path);
  char * text = malloc((size_t)whole + 1);
  assert_non_null(text);
  const size_t got = ZSTD_decompress(text, (size_t)whole, packed, *size);
  if (ZSTD_isError(got) || got != whole) fail_msg("%s: cannot be decompressed", path);
  free(packed);
  *size = got;
  return text;
}

json_t *
json_file_load(const char * path)
{
  size_t size;
  char * text = read_file(path, &size);
  const char * dot = strrchr(path, '.');
  if (dot != NULL && strcmp(dot, ".zst") == 0) text = decompress(path, text, &size);
  json_error_t error;
  json_t * json = json_loadb(text, size, 0, &error);
  free(text);
  if (json == NULL) fail_msg("%s:%d: %s", path, error.line, error.text);
  return json;
}
