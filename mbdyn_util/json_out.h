/// \file json_out.h
/// JSON writer: numbers round-trip exactly, text is always valid UTF-8.
///
///   json_out_open                               write to a stream
///   json_out_clear, _text, _fini                write to a growing buffer
///   json_out_object, _list, _end                nesting
///   json_out_number, _digits, _decimals, _integer, _count, _bool, _string, _bytes, _null   values
///   json_out_vector, _matrix                    arrays of numbers
///   json_out_raw                                characters, copied verbatim
///
/// `key` is the member's name inside an object and NULL inside a list. Streams are formatted with one member,
/// one vector or one matrix row per line; buffers are compact, without whitespace.
#ifndef JSON_OUT_H_
#define JSON_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_out {
  FILE * file;            ///< NULL: write to the buffer
  bool ok;                ///< false if the buffer could not grow; check at the end
  char * buffer;          ///< JSON_OUT_FRONT bytes, then the text; json_out_clear keeps the memory
  size_t size, capacity;  ///< of the text in the buffer
  int depth;              ///< open objects and lists
  bool first;             ///< nothing has been written in the innermost one
  char closing[16];       ///< closing bracket of each open object or list
  const char * not_finite;  ///< key of the first value that was not finite, or NULL
} json_out_t;

/// Free bytes in front of the text of a buffer, for the header of a WebSocket message (at least LWS_PRE).
#define JSON_OUT_FRONT 32

/// Write to a stream; the document starts with `json_out_object(out, NULL)`. At most 15 levels.
json_out_t json_out_open(FILE * file);

/// Empty the buffer and write to it. Zero the struct before the first call.
void json_out_clear(json_out_t * out);
/// The text of the buffer: out->size characters, not zero-terminated.
char * json_out_text(json_out_t * out);
void json_out_fini(json_out_t * out);

void json_out_object(json_out_t * out, const char * key);
void json_out_list(json_out_t * out, const char * key);

/// Close the innermost object or list; the outermost one ends the last line of a stream.
void json_out_end(json_out_t * out);

/// Shortest text that reads back as x (on a stream always with a point or an exponent); null if x is not
/// finite.
void json_out_number(json_out_t * out, const char * key, double x);
/// x with `digits` significant digits, at most 17; null if x is not finite.
void json_out_digits(json_out_t * out, const char * key, double x, int digits);
/// x with `decimals` decimals, at most 9; null if x is not finite.
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

/// Copy characters verbatim, without a preceding comma.
void json_out_raw(json_out_t * out, const char * characters, size_t n);

#endif  // JSON_OUT_H_
