// Messages as YAML, the way `ros2 topic echo` shows them.
#include <ctype.h>
#include <stdlib.h>

#include "message_json.h"
#include "message_value.h"
#include "rosidl_runtime_c/string.h"

typedef struct printer {
  FILE * out;
  size_t max_elements;
} printer_t;

static void print_members(
  const printer_t * p, const cdr_members_t * members, const uint8_t * message, int indent,
  bool in_list);

//---------- text ----------

// YAML would read it as something other than this text
static bool
needs_quotes(const char * s, size_t n)
{
  static const char * const words[] = {"null", "true", "false", "yes",  "no",    "on", "off",
                                       "y",    "n",    ".nan",  ".inf", "-.inf", "~"};
  if (n == 0 || isspace((unsigned char)s[0]) || isspace((unsigned char)s[n - 1])) return true;
  if (strchr("-?:,[]{}#&*!|>'\"%@`=", s[0]) || s[n - 1] == ':') return true;
  if (strstr(s, ": ") || strstr(s, " #")) return true;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t k = 0;
    while (words[i][k] && tolower((unsigned char)s[k]) == words[i][k]) k++;
    if (!words[i][k] && !s[k]) return true;
  }
  char * end;
  strtod(s, &end);
  return *end == 0;
}

static bool
is_plain(const char * s, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (iscntrl((unsigned char)s[i])) return false;
  }
  return true;
}

// control characters are written as escapes: the text may come from anywhere
static void
print_escaped(FILE * out, const char * s, size_t n)
{
  fputc('"', out);
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (c == '\n') {
      fputs("\\n", out);
    } else if (c == '\t') {
      fputs("\\t", out);
    } else if (iscntrl(c)) {
      fprintf(out, "\\x%02x", c);
    } else {
      if (c == '"' || c == '\\') fputc('\\', out);
      fputc(c, out);
    }
  }
  fputc('"', out);
}

static void
print_string(FILE * out, const rosidl_runtime_c__String * string)
{
  const char * s = string->data ? string->data : "";
  const size_t n = string->data ? string->size : 0;
  if (!is_plain(s, n)) {
    print_escaped(out, s, n);
  } else if (!needs_quotes(s, n)) {
    fwrite(s, 1, n, out);
  } else {
    fputc('\'', out);
    for (size_t i = 0; i < n; i++) fputs(s[i] == '\'' ? "''" : (const char[]){s[i], 0}, out);
    fputc('\'', out);
  }
}

static void
print_scalar(FILE * out, const cdr_member_t * member, const void * field)
{
  const uint8_t type = member->type_id_;
  if (type == CDR_STRING) {
    print_string(out, field);
  } else if (type == CDR_BOOL) {
    fputs(*(const bool *)field ? "true" : "false", out);
  } else if (value_is_real(type)) {
    fputs(value_print_real(type, field).s, out);
  } else if (cdr_number_size(type)) {
    fputs(value_print_integer(type, field).s, out);
  } else {
    fputs("null", out);
  }
}

//---------- structure ----------

static void
print_array(const printer_t * p, const cdr_member_t * member, const uint8_t * field, int indent)
{
  size_t count;
  const uint8_t * data = value_elements(member, field, &count);
  fputs(count ? "\n" : " []\n", p->out);
  const size_t stride = count ? cdr_element_size(member) : 0;
  for (size_t i = 0; i < count; i++) {
    fprintf(p->out, "%*s- ", indent, "");
    if (p->max_elements && i == p->max_elements) {
      fputs("'...'\n", p->out);
      return;
    }
    if (member->type_id_ == CDR_MESSAGE) {
      print_members(p, cdr_submembers(member), data + i * stride, indent + 2, true);
    } else {
      print_scalar(p->out, member, data + i * stride);
      fputc('\n', p->out);
    }
  }
}

// the first field of a list's element stands right after its dash
static void
print_members(
  const printer_t * p, const cdr_members_t * members, const uint8_t * message, int indent,
  bool in_list)
{
  for (uint32_t i = 0; i < members->member_count_; i++) {
    const cdr_member_t * member = &members->members_[i];
    const uint8_t * field = message + member->offset_;
    if (value_is_dummy(member)) {
      if (indent) fputs("{}\n", p->out);
      continue;
    }
    fprintf(p->out, "%*s%s:", in_list && i == 0 ? 0 : indent, "", member->name_);
    if (member->is_array_) {
      print_array(p, member, field, indent);
    } else if (member->type_id_ == CDR_MESSAGE) {
      fputc('\n', p->out);
      print_members(p, cdr_submembers(member), field, indent + 2, false);
    } else {
      fputc(' ', p->out);
      print_scalar(p->out, member, field);
      fputc('\n', p->out);
    }
  }
}

void
message_print(const cdr_members_t * members, const void * message, size_t max_elements, FILE * out)
{
  const printer_t p = {out, max_elements};
  print_members(&p, members, message, 0, false);
}
