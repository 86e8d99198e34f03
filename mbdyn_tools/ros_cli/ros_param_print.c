// Values of parameters as `ros2 param get` prints them: that is, as Python does.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ros_param.h"

//---------- numbers ----------

// the fewest digits that read back as the same number, with an exponent below 1e-4 and from 1e16 on
static void
print_double(double x, FILE * out)
{
  char digits[40];
  if (!isfinite(x)) {
    fputs(isnan(x) ? "nan" : x > 0 ? "inf" : "-inf", out);
    return;
  }
  int n = 0;
  do snprintf(digits, sizeof digits, "%.*e", n, x);
  while (strtod(digits, NULL) != x && ++n < 17);
  const int exponent = atoi(strchr(digits, 'e') + 1);
  if (exponent < -4 || exponent >= 16) {
    fputs(digits, out);
  } else {
    // "100.0": at least one decimal
    fprintf(out, "%.*f", n - exponent > 1 ? n - exponent : 1, x);
  }
}

// the message has words for what is no number in JSON
static double
number(const json_t * value)
{
  return json_is_string(value) ? strtod(json_string_value(value), NULL) : json_number_value(value);
}

//---------- text ----------

// code point of the UTF-8 character at s, which is a good one
static unsigned
code_of(const unsigned char * s, int * bytes)
{
  *bytes = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  unsigned code = *bytes == 1 ? s[0] : s[0] & (0xffu >> (*bytes + 1));
  for (int k = 1; k < *bytes && s[k]; k++) code = code << 6 | (s[k] & 0x3fu);
  return code;
}

// spaces other than ' ', controls, and marks without a shape
static bool
is_printable(unsigned code)
{
  static const unsigned RANGES[][2] = {{0, 0x1f},        {0x7f, 0xa0},     {0xad, 0xad},
                                       {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f},
                                       {0x3000, 0x3000}, {0xfeff, 0xfeff}};
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
    if (code >= RANGES[i][0] && code <= RANGES[i][1]) return false;
  }
  return true;
}

static bool
print_escape(unsigned code, char quote, FILE * out)
{
  static const char NAMED[] = "\tt\nn\rr";
  for (const char * c = NAMED; *c; c += 2) {
    if (code == (unsigned char)*c) return fprintf(out, "\\%c", c[1]) > 0;
  }
  if (code == '\\' || code == (unsigned char)quote) return fprintf(out, "\\%c", (int)code) > 0;
  if (is_printable(code)) return false;
  return fprintf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code) > 0;
}

static char
quote_of(bool single, bool twofold)
{
  return single && !twofold ? '"' : '\'';
}

static void
print_quoted(const char * text, FILE * out)
{
  const char quote = quote_of(strchr(text, '\''), strchr(text, '"'));
  fputc(quote, out);
  for (const unsigned char * s = (const unsigned char *)text; *s;) {
    int bytes;
    const unsigned code = code_of(s, &bytes);
    if (!print_escape(code, quote, out)) fwrite(s, 1, (size_t)bytes, out);
    s += bytes;
  }
  fputc(quote, out);
}

static void
print_byte(unsigned byte, FILE * out)
{
  const char quote = quote_of(byte == '\'', false);
  fprintf(out, "b%c", quote);
  if (byte >= 0x80)
    fprintf(out, "\\x%02x", byte);
  else if (!print_escape(byte, quote, out))
    fputc((int)byte, out);
  fputc(quote, out);
}

//---------- values ----------

static void
print_element(const json_t * value, param_type_t array, FILE * out)
{
  switch (array) {
    case PARAM_BYTE_ARRAY: print_byte((unsigned)json_integer_value(value) & 0xff, out); break;
    case PARAM_BOOL_ARRAY: fputs(json_is_true(value) ? "True" : "False", out); break;
    case PARAM_INTEGER_ARRAY:
      fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
      break;
    case PARAM_DOUBLE_ARRAY: print_double(number(value), out); break;
    default: print_quoted(json_string_value(value) ? json_string_value(value) : "", out); break;
  }
}

// numbers are array.array, the others lists
static void
print_array(const json_t * list, param_type_t type, FILE * out)
{
  const size_t n = json_array_size(list);
  const char * code = type == PARAM_INTEGER_ARRAY ? "q" : type == PARAM_DOUBLE_ARRAY ? "d" : NULL;
  if (code) fprintf(out, "array('%s'%s", code, n > 0 ? ", " : "");
  if (!code || n > 0) fputc('[', out);
  for (size_t i = 0; i < n; i++) {
    if (i > 0) fputs(", ", out);
    print_element(json_array_get(list, i), type, out);
  }
  if (!code || n > 0) fputc(']', out);
  if (code) fputc(')', out);
}

void
param_print(const json_t * message, FILE * out)
{
  const param_type_t type = param_type(message);
  const json_t * value = json_object_get(message, param_field(type));
  switch (type) {
    case PARAM_NOT_SET: break;
    case PARAM_BOOL: fputs(json_is_true(value) ? "True" : "False", out); break;
    case PARAM_INTEGER: fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
    case PARAM_DOUBLE: print_double(number(value), out); break;
    case PARAM_STRING: fputs(json_string_value(value) ? json_string_value(value) : "", out); break;
    default: print_array(value, type, out); break;
  }
}
