#include "view_wire.h"

void
view_text(json_out_t * out, const char * key, wire_text_t text)
{
  json_out_bytes(out, key, text.data, text.size);
}

void
view_names(json_out_t * out, const char * key, const wire_names_t * names)
{
  size_t at = 0;
  json_out_list(out, key);
  for (uint32_t i = 0; i < names->n; i++) view_text(out, NULL, wire_next_name(names, &at));
  json_out_end(out);
}

void
view_numbers(json_out_t * out, const char * key, const wire_numbers_t * numbers)
{
  json_out_list(out, key);
  for (uint32_t i = 0; i < numbers->n; i++) json_out_number(out, NULL, wire_number(numbers, i));
  json_out_end(out);
}

void
view_time(json_out_t * out, const char * key, double t)
{
  json_out_decimals(out, key, t, 6);
}
