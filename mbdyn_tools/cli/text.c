// Small things around text: files as a whole, names that were nearly right, the terminal.
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool use_utf8 = false;

void
text_use_utf8(bool utf8)
{
  use_utf8 = utf8;
}

bool
text_utf8(void)
{
  return use_utf8;
}

void
text_print_option(const char * option, const char * help)
{
  printf(strlen(option) > 28 ? "  %s\n%31s" : "  %-28s %s", option, "");
  for (const char * c = help; *c; c++) {
    putchar(*c);
    if (*c == '\n') printf("%31s", "");
  }
  putchar('\n');
}

//---------- files ----------

const char *
text_source_name(const char * path)
{
  return strcmp(path, "-") == 0 ? "stdin" : path;
}

// all that is left of a stream, and a zero; NULL with errno set
static char *
read_stream(FILE * file, size_t * size)
{
  size_t capacity = 1 << 16;
  char * text = malloc(capacity);
  *size = 0;
  while (text) {
    const size_t n = fread(text + *size, 1, capacity - *size, file);
    // a zero is in no text: whoever reads this says so, and /dev/zero has an end
    const bool zero = memchr(text + *size, 0, n) != NULL;
    *size += n;
    if (*size < capacity || zero) break;
    char * larger = realloc(text, capacity *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text && *size < capacity) text[*size] = 0;
  if (text && ferror(file)) {
    free(text);
    return NULL;
  }
  return text;
}

char *
text_read_all(const char * path, size_t * size)
{
  const bool standard = strcmp(path, "-") == 0;
  errno = 0;
  FILE * file = standard ? stdin : fopen(path, "rb");
  char * text = file ? read_stream(file, size) : NULL;
  if (!text) {
    fprintf(stderr, "%s: cannot be read: %s\n", text_source_name(path), strerror(errno));
  }
  if (file && !standard) fclose(file);
  return text;
}

bool
text_close(FILE * file, const char * name)
{
  // an error from earlier has lost its errno
  const bool lost = ferror(file) != 0;
  errno = 0;
  const bool closed = fclose(file) == 0;
  if (!lost && closed) return true;
  const char * why = errno ? strerror(errno) : "output error";
  fprintf(stderr, "mbdyn: %s: cannot be written: %s\n", name, why);
  return false;
}

//---------- names that were nearly right ----------

enum { LONGEST = 64 };

static int
min3(int a, int b, int c)
{
  const int ab = a < b ? a : b;
  return ab < c ? ab : c;
}

// insertions, deletions and replacements between two names, upper and lower case being equal;
// LONGEST for names that are too long to compare
static int
edit_distance(const char * a, const char * b)
{
  const size_t na = strlen(a), nb = strlen(b);
  if (na >= LONGEST || nb >= LONGEST) return LONGEST;
  int row[LONGEST];
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      const bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      const int above = row[j];
      row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1));
      diagonal = above;
    }
  }
  return row[nb];
}

closest_t
closest_to(const char * wanted)
{
  closest_t closest = {.wanted = wanted};
  // up to a third of the letters may be wrong
  const int allowed = (int)(strlen(wanted) / 3);
  closest.distance = (allowed < 2 ? 2 : allowed) + 1;
  return closest;
}

void
closest_offer(closest_t * closest, const char * name)
{
  const int distance = edit_distance(closest->wanted, name);
  if (distance >= closest->distance) return;
  closest->distance = distance;
  closest->best = name;
}

const char *
closest_hint(closest_t * closest)
{
  closest->hint[0] = 0;
  if (closest->best) {
    snprintf(closest->hint, sizeof closest->hint, "; did you mean '%s'?", closest->best);
  }
  return closest->hint;
}
