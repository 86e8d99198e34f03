// Writing JSON: numbers that read back as the same double, one vector per line.
#include "json_out.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "number_text.h"

json_out_t
json_out_open(FILE * file)
{
  json_out_t out = {.file = file, .first = true};
  return out;
}

//---------- pieces ----------

static void
put(const json_out_t * out, const char * text)
{
  fputs(text, out->file);
}

// a text in quotes; bytes that are no UTF-8 become question marks
static void
put_string(const json_out_t * out, const char * text)
{
  json_t * string = json_string(text);
  if (string) {
    json_dumpf(string, out->file, JSON_ENCODE_ANY);
    json_decref(string);
    return;
  }
  fputc('"', out->file);
  for (const char * c = text; *c; c++) {
    const bool plain = *c >= ' ' && *c <= '~' && *c != '"' && *c != '\\';
    fputc(plain ? *c : '?', out->file);
  }
  fputc('"', out->file);
}

static void
put_number(json_out_t * out, const char * key, double x)
{
  if (!isfinite(x)) {
    if (!out->not_finite) out->not_finite = key ? key : "a number";
    put(out, "null");
    return;
  }
  char text[NUMBER_TEXT_SIZE];
  number_text(x, text);
  // a whole number stays a real one for readers that tell them apart, and keeps the sign of -0
  fputs(text, out->file);
  if (!strpbrk(text, ".e")) fputs(".0", out->file);
}

// comma, new line and key of the next member
static void
begin_member(json_out_t * out, const char * key)
{
  if (!out->first) put(out, ",");
  if (out->depth > 0) put(out, "\n");
  for (int i = 0; i < out->depth; i++) put(out, " ");
  if (key) {
    put_string(out, key);
    put(out, ": ");
  }
  out->first = false;
}

//---------- nesting ----------

static void
open_bracket(json_out_t * out, const char * key, const char * bracket, char closing)
{
  begin_member(out, key);
  put(out, bracket);
  out->closing[out->depth++] = closing;
  out->first = true;
}

void
json_out_object(json_out_t * out, const char * key)
{
  open_bracket(out, key, "{", '}');
}

void
json_out_list(json_out_t * out, const char * key)
{
  open_bracket(out, key, "[", ']');
}

void
json_out_end(json_out_t * out)
{
  const bool empty = out->first;
  const char closing[2] = {out->closing[--out->depth], 0};
  if (!empty) {
    put(out, "\n");
    for (int i = 0; i < out->depth; i++) put(out, " ");
  }
  put(out, closing);
  if (out->depth == 0) put(out, "\n");
  out->first = false;
}

//---------- values ----------

void
json_out_number(json_out_t * out, const char * key, double x)
{
  begin_member(out, key);
  put_number(out, key, x);
}

void
json_out_integer(json_out_t * out, const char * key, int x)
{
  begin_member(out, key);
  fprintf(out->file, "%d", x);
}

void
json_out_bool(json_out_t * out, const char * key, bool x)
{
  begin_member(out, key);
  put(out, x ? "true" : "false");
}

void
json_out_string(json_out_t * out, const char * key, const char * text)
{
  begin_member(out, key);
  put_string(out, text);
}

void
json_out_null(json_out_t * out, const char * key)
{
  begin_member(out, key);
  put(out, "null");
}

static void
put_vector(json_out_t * out, const char * key, const double * x, int n)
{
  put(out, "[");
  for (int i = 0; i < n; i++) {
    if (i > 0) put(out, ", ");
    put_number(out, key, x[i]);
  }
  put(out, "]");
}

void
json_out_vector(json_out_t * out, const char * key, const double * x, int n)
{
  begin_member(out, key);
  put_vector(out, key, x, n);
}

void
json_out_matrix(json_out_t * out, const char * key, const double * x, int rows, int columns)
{
  json_out_list(out, key);
  for (int i = 0; i < rows; i++) {
    begin_member(out, NULL);
    put_vector(out, key, &x[(size_t)i * (size_t)columns], columns);
  }
  json_out_end(out);
}
