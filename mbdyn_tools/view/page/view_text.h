/// \file view_text.h
/// JSON that grows in one buffer, without spaces; commas come by themselves.
///
///   view_text_clear, view_text_fini
///   view_put, view_open, view_close, view_key      structure
///   view_string, view_bytes, view_number, view_short, view_count, view_flag   values
///   view_names, view_numbers                       arrays out of messages
///
/// After a failure (out of memory) nothing is written any more and ok is false: check once.
#ifndef VIEW_TEXT_H_
#define VIEW_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages_in.h"

typedef struct view_text {
  char * room;      ///< what is sent needs free bytes in front of it
  size_t size;      ///< of the text
  size_t capacity;  ///< of the text
  bool ok;
} view_text_t;

/// Bytes in front of the text (LWS_PRE is not more).
#define VIEW_TEXT_FRONT 32

char * view_text_data(view_text_t * text);
void view_text_clear(view_text_t * text);
void view_text_fini(view_text_t * text);

/// Characters as they are.
void view_put(view_text_t * text, const char * characters, size_t n);
/// '{' or '['; key is NULL in a list.
void view_open(view_text_t * text, const char * key, char bracket);
void view_close(view_text_t * text, char bracket);
/// "key": and a comma before it where one is due; with NULL the comma alone.
void view_key(view_text_t * text, const char * key);

void view_string(view_text_t * text, const char * key, const char * value);
/// Bytes that are not UTF-8 become '?'.
void view_bytes(view_text_t * text, const char * key, const char * value, size_t n);
/// 17 digits; null if it is not finite.
void view_number(view_text_t * text, const char * key, double x);
/// 7 digits.
void view_short(view_text_t * text, float x);
/// Seconds since 1970, to the microsecond.
void view_time(view_text_t * text, const char * key, double t);
void view_count(view_text_t * text, const char * key, uint64_t n);
void view_flag(view_text_t * text, const char * key, bool flag);
void view_null(view_text_t * text, const char * key);

void view_wire(view_text_t * text, const char * key, wire_text_t value);
void view_names(view_text_t * text, const char * key, const wire_names_t * names);
void view_numbers(view_text_t * text, const char * key, const wire_numbers_t * numbers);
void view_vector(view_text_t * text, const char * key, const double * x, int n);

#endif  // VIEW_TEXT_H_
