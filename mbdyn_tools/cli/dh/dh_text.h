/// \file dh_text.h
/// Tables of Denavit and Hartenberg as files: keys and values with the line they are in.
///
///   dh_text_read, _free   a YAML or CSV file as records
///   dh_text_refuse        "FILE:LINE: ..." on stderr
///   dh_table_read, _free  records -> a table
///   dh_write_table        a table as text, YAML or CSV
///   dh_write_urdf         the model of a chain as URDF
///
/// Both formats have the same keys (docs/dh.md). Lists of numbers are one value, separated by blanks.
#ifndef DH_TEXT_H_
#define DH_TEXT_H_

#include <stdbool.h>
#include <stdio.h>

#include "mbdyn/operators/dh.h"

/// One value. Nested keys are joined by a dot: "base.xyz".
typedef struct dh_cell {
  char *key, *value;
  long line;
} dh_cell_t;

/// A joint, or what stands beside the joints.
typedef struct dh_record {
  dh_cell_t * cell;
  int n;
  long line;
} dh_record_t;

typedef struct dh_text {
  const char * source;  ///< what messages call it
  dh_record_t head;
  int nrow;
  dh_record_t * row;  ///< [nrow]
} dh_text_t;

/// Read a file; false after a message. Free it in any case.
/// \param[in] path  file, or "-" for standard input
/// \param[in] csv   comma-separated, else YAML
bool dh_text_read(const char * path, bool csv, dh_text_t * text);
void dh_text_free(dh_text_t * text);

/// The two formats, from text in memory; false after a message.
bool dh_read_yaml(const char * bytes, size_t size, dh_text_t * text);
bool dh_read_csv(char * bytes, size_t size, dh_text_t * text);

/// A further value of a record, copied; false after a message (out of memory, or there twice).
bool dh_add_cell(
  dh_text_t * text, dh_record_t * record, const char * key, const char * value, long line);

/// A further joint; NULL after a message.
dh_record_t * dh_add_row(dh_text_t * text, long line);

/// Always false.
bool dh_text_refuse(const dh_text_t * text, long line, const char * format, ...)
  __attribute__((format(printf, 3, 4)));

/// What is not said in a file.
typedef struct dh_defaults {
  mbd_dh_convention_t convention;
  bool degrees;
} dh_defaults_t;

/// A table whose names are in the text that it was read from.
typedef struct dh_table {
  mbd_dh_t dh;
  const char * base_name;  ///< of the link that stands still
} dh_table_t;

/// False after a message. Free it in any case.
bool dh_table_read(const dh_text_t * text, const dh_defaults_t * defaults, dh_table_t * table);
void dh_table_free(dh_table_t * table);

typedef enum dh_format { DH_FORMAT_TEXT, DH_FORMAT_YAML, DH_FORMAT_CSV } dh_format_t;

void dh_write_table(FILE * to, const mbd_dh_t * table, dh_format_t format, bool degrees);

/// URDF of a chain that mbd_dh_to_model made.
void dh_write_urdf(FILE * to, const mbd_model_t * model, const char * base_name);

/// Roll, pitch and yaw of a rotation [rad].
void dh_angles(const mbd_mat3_t * R, double rpy[3]);

/// Fourteen digits at most; what is nothing but rounding is 0. Lives in `text`.
const char * dh_number(double x, char text[32]);

#endif  // DH_TEXT_H_
