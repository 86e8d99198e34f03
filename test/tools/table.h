/// \file table.h
/// Comma-separated tables that commands print, for tests.
///
///   parse_table, free_table   a table of its text, which is cut up
///   cell                      a number by row and name of its column
#ifndef TABLE_H_
#define TABLE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct table {
  int columns, rows;
  char ** name;
  double * number;  // [rows][columns]
} table_t;

static inline table_t
parse_table(char * text)
{
  table_t t = {0};
  char * line = strtok(text, "\n");
  assert_non_null(line);
  for (char * s = line; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) t.columns++;
  t.name = calloc((size_t)t.columns, sizeof *t.name);
  char * rest = line;
  for (int i = 0; i < t.columns; i++) {
    t.name[i] = rest;
    char * comma = strchr(rest, ',');
    if (comma) *comma = 0, rest = comma + 1;
  }
  for (char * row; (row = strtok(NULL, "\n"));) {
    t.number = realloc(t.number, sizeof *t.number * (size_t)(t.columns * (t.rows + 1)));
    for (int i = 0; i < t.columns; i++) {
      char * end;
      t.number[t.rows * t.columns + i] = strtod(row, &end);
      assert_true(end != row);
      row = end + (*end == ',');
    }
    t.rows++;
  }
  return t;
}

static inline double
cell(const table_t * t, int row, const char * name)
{
  for (int i = 0; i < t->columns; i++) {
    if (strcmp(t->name[i], name) == 0) return t->number[row * t->columns + i];
  }
  fail_msg("no column %s", name);
  return 0;
}

static inline void
free_table(table_t * t)
{
  free(t->name);
  free(t->number);
}

#endif  // TABLE_H_
