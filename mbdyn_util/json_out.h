/// \file json_out.h
/// Writing JSON: numbers that read back as the same double, one vector per line.
///
///   json_out_open                               a writer on a stream
///   json_out_object, _list, _end                nesting
///   json_out_number, _integer, _bool, _string, _null   values
///   json_out_vector, _matrix                    arrays on one line; rows on a line each
///
/// `key` is the member's name inside an object and NULL inside a list.
#ifndef JSON_OUT_H_
#define JSON_OUT_H_

#include <stdbool.h>
#include <stdio.h>

typedef struct json_out {
  FILE * file;
  int depth;                ///< open objects and lists
  bool first;               ///< nothing has been written in the innermost one
  char closing[16];         ///< bracket that closes each
  const char * not_finite;  ///< key of the first infinity or not-a-number met, or NULL
} json_out_t;

/// A writer; the document starts with `json_out_object(out, NULL)`. At most 15 levels.
json_out_t json_out_open(FILE * file);

void json_out_object(json_out_t * out, const char * key);
void json_out_list(json_out_t * out, const char * key);

/// Close the innermost object or list; the outermost one ends the last line.
void json_out_end(json_out_t * out);

/// 17 significant digits, always with a point or an exponent; null if it is not finite.
void json_out_number(json_out_t * out, const char * key, double x);
void json_out_integer(json_out_t * out, const char * key, int x);
void json_out_bool(json_out_t * out, const char * key, bool x);
void json_out_string(json_out_t * out, const char * key, const char * text);
void json_out_null(json_out_t * out, const char * key);

/// n numbers on one line.
void json_out_vector(json_out_t * out, const char * key, const double * x, int n);

/// A row-major matrix as a list of rows.
void json_out_matrix(json_out_t * out, const char * key, const double * x, int rows, int columns);

#endif  // JSON_OUT_H_
