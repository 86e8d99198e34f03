/// \file view_wire.h
/// Fields of messages, as they lie in the bytes, as members of JSON.
#ifndef VIEW_WIRE_H_
#define VIEW_WIRE_H_

#include "json_out.h"
#include "messages_in.h"

void view_text(json_out_t * out, const char * key, wire_text_t text);
void view_names(json_out_t * out, const char * key, const wire_names_t * names);
void view_numbers(json_out_t * out, const char * key, const wire_numbers_t * numbers);
/// Seconds since 1970, to the microsecond.
void view_time(json_out_t * out, const char * key, double t);

#endif  // VIEW_WIRE_H_
