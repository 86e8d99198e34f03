/// \file json_out.h
/// The JSON writer: numbers that read back as the same double, text that is always UTF-8.
///
///   json_out_open                               a writer on a stream
///   json_out_clear, _text, _fini                a writer into a buffer that grows
///   json_out_object, _list, _end                nesting
///   json_out_number, _digits, _decimals, _integer, _count, _bool, _string, _bytes, _null   values
///   json_out_vector, _matrix                    arrays of numbers
///   json_out_raw                                characters as they are
///
/// `key` is the member's name inside an object and NULL inside a list. A stream gets lines: one member
/// a line, vectors on one line, rows of matrices on a line each. A buffer gets no spaces.
#ifndef JSON_OUT_H_
#define JSON_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_out {
  FILE * file;              ///< NULL: into a buffer
  bool ok;                  ///< of a buffer: false after it could not grow; check once
  char * buffer;            ///< JSON_OUT_FRONT bytes, then the text; keep it by json_out_clear
  size_t size, capacity;    ///< of the text in the buffer
  int depth;                ///< open objects and lists
  bool first;               ///< nothing has been written in the innermost one
  char closing[16];         ///< bracket that closes each
  const char * not_finite;  ///< key of the first infinity or not-a-number met, or NULL
} json_out_t;

/// Free bytes in front of the text of a buffer, for who sends it (LWS_PRE is not more).
#define JSON_OUT_FRONT 32

/// A writer on a stream; the document starts with `json_out_object(out, NULL)`. At most 15 levels.
json_out_t json_out_open(FILE * file);

/// A writer into its buffer, which is empty now; zero it before the first time.
void json_out_clear(json_out_t * out);
/// The text of a buffer, out->size characters without a zero at the end.
char * json_out_text(json_out_t * out);
void json_out_fini(json_out_t * out);

void json_out_object(json_out_t * out, const char * key);
void json_out_list(json_out_t * out, const char * key);

/// Close the innermost object or list; the outermost one ends the last line of a stream.
void json_out_end(json_out_t * out);

/// 17 significant digits (on a stream always with a point or an exponent); null if it is not finite.
void json_out_number(json_out_t * out, const char * key, double x);
/// So many significant digits, at most 17; null if it is not finite.
void json_out_digits(json_out_t * out, const char * key, double x, int digits);
/// So many decimals, at most 9; null if it is not finite.
void json_out_decimals(json_out_t * out, const char * key, double x, int decimals);
void json_out_integer(json_out_t * out, const char * key, int x);
void json_out_count(json_out_t * out, const char * key, uint64_t n);
void json_out_bool(json_out_t * out, const char * key, bool x);
/// Bytes that are not UTF-8 become question marks.
void json_out_string(json_out_t * out, const char * key, const char * text);
void json_out_bytes(json_out_t * out, const char * key, const char * bytes, size_t n);
void json_out_null(json_out_t * out, const char * key);

/// n numbers on one line.
void json_out_vector(json_out_t * out, const char * key, const double * x, int n);

/// A row-major matrix as a list of rows.
void json_out_matrix(json_out_t * out, const char * key, const double * x, int rows, int columns);

/// Characters as they are, with no comma before them.
void json_out_raw(json_out_t * out, const char * characters, size_t n);

#endif  // JSON_OUT_H_
