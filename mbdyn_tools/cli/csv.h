/// \file csv.h
/// Tables of numbers with a header row, a row at a time. Whatever is wrong is said on stderr with
/// its line and column.
///
///   csv_open, csv_close   a table and the names of its columns
///   csv_next              the next row
///   csv_refuse            a message about the row last read
///
/// Columns are separated by commas; blanks around them and quotes around names do not count; empty
/// lines and lines that start with # are left out.
#ifndef CSV_H_
#define CSV_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct csv {
  const char * source;  ///< what messages call it
  FILE * file;
  long line;        ///< of the row last read, 1-based
  int ncolumn;      ///< columns
  char ** name;     ///< [ncolumn], from the header
  char * header;    ///< where the names are
  char * text;      ///< the line last read
  size_t capacity;  ///< of text
  double * number;  ///< [ncolumn] of the row last read
} csv_t;

/// Open a table and read its header. False after a message; close it all the same.
/// \param[in] path  file, or "-" for standard input
bool csv_open(const char * path, csv_t * csv);
void csv_close(csv_t * csv);

/// Read the next row into csv->number.
/// \param[in] wanted  [ncolumn] columns that must be finite numbers; the others are skipped
/// \return 1; 0 at the end; -1 after a message
int csv_next(csv_t * csv, const bool * wanted);

/// "FILE:LINE: column N (NAME): ..." on stderr, for column `c` of the row last read; always -1.
int csv_refuse(const csv_t * csv, int c, const char * format, ...)
  __attribute__((format(printf, 3, 4)));

#endif  // CSV_H_
