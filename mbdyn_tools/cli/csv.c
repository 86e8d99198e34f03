// Tables of numbers with a header row, a row at a time.
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

//---------- messages ----------

int
csv_refuse(const csv_t * csv, int c, const char * format, ...)
{
  fprintf(stderr, "%s:%ld: column %d (%s): ", csv->source, csv->line, c + 1, csv->name[c]);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return -1;
}

//---------- lines and fields ----------

// the next line that says something, without its end; false at the end of the file
static bool
next_line(csv_t * csv)
{
  ssize_t length;
  while ((length = getline(&csv->text, &csv->capacity, csv->file)) >= 0) {
    csv->line++;
    while (length > 0 && strchr("\r\n", csv->text[length - 1])) length--;
    csv->text[length] = 0;
    const char first = csv->text[strspn(csv->text, " \t")];
    if (first != 0 && first != '#') return true;
  }
  return false;
}

// cut the next field off a line: blanks around it and quotes around that are gone
static char *
next_field(char ** rest)
{
  char * field = *rest;
  char * end = field + strcspn(field, ",");
  *rest = *end ? end + 1 : NULL;
  field += strspn(field, " \t");
  while (end > field && strchr(" \t", end[-1])) end--;
  if (end - field >= 2 && *field == '"' && end[-1] == '"') field++, end--;
  *end = 0;
  return field;
}

static int
count_fields(const char * line)
{
  int n = 1;
  for (; *line; line++) n += *line == ',';
  return n;
}

//---------- header ----------

static bool
read_header(csv_t * csv)
{
  const int first = getc(csv->file);
  if (first == 0) {
    fprintf(stderr, "%s: starts with a zero byte; expected a text file\n", csv->source);
    return false;
  }
  if (first != EOF) ungetc(first, csv->file);
  if (!next_line(csv)) {
    const char * why = ferror(csv->file) ? strerror(errno) : "the file is empty; expected a header";
    fprintf(stderr, "%s: cannot be read: %s\n", csv->source, why);
    return false;
  }
  // some programs put a byte order mark before the first name
  const size_t mark = strncmp(csv->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  csv->ncolumn = count_fields(csv->text);
  csv->header = strdup(csv->text + mark);
  csv->name = calloc((size_t)csv->ncolumn, sizeof *csv->name);
  csv->number = calloc((size_t)csv->ncolumn, sizeof *csv->number);
  if (!csv->header || !csv->name || !csv->number) {
    fprintf(stderr, "%s: out of memory\n", csv->source);
    return false;
  }
  char * rest = csv->header;
  for (int c = 0; c < csv->ncolumn; c++) csv->name[c] = next_field(&rest);
  return true;
}

bool
csv_open(const char * path, csv_t * csv)
{
  *csv = (csv_t){.source = text_source_name(path)};
  errno = 0;
  csv->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  if (!csv->file) {
    fprintf(stderr, "%s: cannot be read: %s\n", csv->source, strerror(errno));
    return false;
  }
  return read_header(csv);
}

void
csv_close(csv_t * csv)
{
  if (csv->file && csv->file != stdin) fclose(csv->file);
  free(csv->header);
  free(csv->name);
  free(csv->text);
  free(csv->number);
  *csv = (csv_t){0};
}

//---------- rows ----------

static int
read_number(csv_t * csv, int c, const char * field)
{
  char * end;
  csv->number[c] = strtod(field, &end);
  if (*field == 0) return csv_refuse(csv, c, "is empty; expected a number");
  if (*end != 0) return csv_refuse(csv, c, "'%.40s' is not a number", field);
  if (!isfinite(csv->number[c])) return csv_refuse(csv, c, "'%.40s' is not finite", field);
  return 1;
}

int
csv_next(csv_t * csv, const bool * wanted)
{
  errno = 0;
  if (!next_line(csv)) {
    if (!ferror(csv->file)) return 0;
    fprintf(stderr, "%s: cannot be read: %s\n", csv->source, strerror(errno));
    return -1;
  }
  const int found = count_fields(csv->text);
  if (found != csv->ncolumn) {
    fprintf(
      stderr, "%s:%ld: expected %d columns as in the header, got %d\n", csv->source, csv->line,
      csv->ncolumn, found);
    return -1;
  }
  char * rest = csv->text;
  for (int c = 0; c < csv->ncolumn; c++) {
    const char * field = next_field(&rest);
    if (wanted[c] && read_number(csv, c, field) < 0) return -1;
  }
  return 1;
}
