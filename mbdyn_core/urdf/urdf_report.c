// The sentences of a report, and making text from a file safe to print.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"

//---------- quoting ----------

int
urdf_decode(const unsigned char * s, unsigned * code)
{
  *code = s[0];
  if (s[0] < 0x80) return 1;
  const int n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
  if (n == 0 || s[0] >= 0xf5) return 0;
  *code = s[0] & (0xffu >> (n + 1));
  for (int k = 1; k < n; k++) {
    if ((s[k] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[k] & 0x3fu);
  }
  static const unsigned smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = *code >= 0xd800 && *code < 0xe000;
  return *code < smallest[n] || *code > 0x10ffff || surrogate ? 0 : n;
}

// control characters, line separators and marks that turn the direction of text
static bool
is_printable(unsigned code)
{
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  if (code >= 0x200b && code <= 0x200f) return false;
  if (code >= 0x2028 && code <= 0x202e) return false;
  return !(code >= 0x2060 && code <= 0x206f) && code != 0xfeff;
}

// copy at most `longest` bytes in quotes, escaping what should not reach a terminal
static urdf_text_t
quote(const char * text, char open, char close, size_t longest)
{
  urdf_text_t out;
  size_t n = 0;
  out.s[n++] = open;
  const unsigned char * s = (const unsigned char *)text;
  const unsigned char * begin = s;
  while (*s) {
    unsigned code;
    const int bytes = urdf_decode(s, &code);
    if ((size_t)(s - begin) + (size_t)(bytes > 1 ? bytes : 1) > longest) break;
    if (bytes == 0 || (bytes == 1 && !is_printable(code))) {
      n += (size_t)snprintf(out.s + n, sizeof out.s - n, "\\x%02x", *s++);
    } else if (!is_printable(code)) {
      n += (size_t)snprintf(out.s + n, sizeof out.s - n, "\\u%04x", code);
      s += bytes;
    } else {
      for (int k = 0; k < bytes; k++) out.s[n++] = (char)*s++;
    }
  }
  n += (size_t)snprintf(out.s + n, sizeof out.s - n, "%s%c", *s ? "..." : "", close);
  out.s[n] = 0;
  return out;
}

urdf_text_t
urdf_name(const char * text)
{
  return quote(text, '\'', '\'', URDF_MAX_NAME);
}

urdf_text_t
urdf_value(const char * text)
{
  return quote(text, '"', '"', 60);
}

urdf_text_t
urdf_tag(const urdf_node_t * node)
{
  return quote(node->name, '<', '>', 60);
}

//---------- adding ----------

static char * print(const char * format, ...) __attribute__((format(printf, 1, 2)));
static char * print_list(const char * format, va_list args) __attribute__((format(printf, 1, 0)));

// formatted text from malloc, or NULL
static char *
print_list(const char * format, va_list args)
{
  char first[512];
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(first, sizeof first, format, args);
  char * text = n < 0 ? NULL : malloc((size_t)n + 1);
  if (text && (size_t)n < sizeof first) {
    memcpy(text, first, (size_t)n + 1);
  } else if (text) {
    vsnprintf(text, (size_t)n + 1, format, again);
  }
  va_end(again);
  return text;
}

static char *
print(const char * format, ...)
{
  va_list args;
  va_start(args, format);
  char * text = print_list(format, args);
  va_end(args);
  return text;
}

static void
free_entry(mbdx_report_entry_t * entry)
{
  free(entry->source);
  free(entry->element);
  free(entry->what);
  free(entry->hint);
  free(entry->text);
}

// "FILE:LINE: ELEMENT: WHAT; HINT" without what is not known
static char *
sentence(const mbdx_report_entry_t * entry)
{
  char line[16] = "";
  if (entry->line > 0) snprintf(line, sizeof line, ":%d", entry->line);
  // the name of the file in the same way as any other name, but without the quotes
  urdf_text_t source = urdf_name(entry->source);
  source.s[strlen(source.s) - 1] = 0;
  return print(
    "%s%s: %s: %s%s%s", source.s + 1, line, entry->element, entry->what, entry->hint ? "; " : "",
    entry->hint ? entry->hint : "");
}

// the strings of an entry; false when out of memory
static bool
fill_entry(
  const urdf_loader_t * loader, mbdx_report_entry_t * e, urdf_place_t place, const char * hint,
  const char * format, va_list args)
{
  const int file = loader->in_loops_file ? 0 : place.line / (URDF_LINE + 1);
  const bool included = file > 0 && file <= loader->nfile;
  const char * source = included ? loader->file[file - 1] : loader->source;
  e->line = included ? place.line & URDF_LINE : place.line;
  e->source = print("%s", loader->in_loops_file ? loader->loops_source : source);
  e->element =
    place.name ? print("%s %s", place.kind, urdf_name(place.name).s) : print("%s", place.kind);
  e->what = print_list(format, args);
  e->hint = hint ? print("%s", hint) : NULL;
  e->text = e->source && e->element && e->what && (e->hint || !hint) ? sentence(e) : NULL;
  if (e->text) return true;
  free_entry(e);
  return false;
}

static void add(
  urdf_loader_t * loader, mbdx_severity_t severity, urdf_place_t place, const char * hint,
  const char * format, va_list args) __attribute__((format(printf, 5, 0)));

// a report stays of moderate length: what does not fit is counted
static void
add(
  urdf_loader_t * loader, mbdx_severity_t severity, urdf_place_t place, const char * hint,
  const char * format, va_list args)
{
  const int most = severity == MBDX_NOTE ? (int)URDF_MAX_NOTES : (int)URDF_MAX_ENTRIES;
  if (loader->stored[severity] >= most) {
    loader->dropped[severity]++;
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&loader->entry, loader->nentry, &loader->entry_capacity,
        sizeof *loader->entry)) {
    return;
  }
  mbdx_report_entry_t e = {.severity = severity};
  if (!fill_entry(loader, &e, place, hint, format, args)) {
    loader->out_of_memory = true;
    return;
  }
  loader->entry[loader->nentry] =
    (urdf_entry_t){e, loader->in_loops_file, place.line / (URDF_LINE + 1), loader->nentry};
  loader->nentry++;
  loader->stored[severity]++;
}

void
urdf_say(
  urdf_loader_t * loader, mbdx_severity_t severity, urdf_place_t place, const char * hint,
  const char * format, ...)
{
  if (severity == MBDX_NOTE && loader->no_report) return;
  if (severity == MBDX_WARNING && loader->options.strict) severity = MBDX_ERROR;
  if (severity == MBDX_ERROR && loader->status == MBD_OK) loader->status = MBD_ERROR_URDF;
  va_list args;
  va_start(args, format);
  add(loader, severity, place, hint, format, args);
  va_end(args);
}

void
urdf_fail(
  urdf_loader_t * loader, mbd_status_t status, urdf_place_t place, const char * hint,
  const char * format, ...)
{
  // a status that says more than "has errors" stays
  if (loader->status == MBD_OK || loader->status == MBD_ERROR_URDF) loader->status = status;
  va_list args;
  va_start(args, format);
  add(loader, MBDX_ERROR, place, hint, format, args);
  va_end(args);
}

//---------- handing over ----------

static int
compare_entries(const void * left, const void * right)
{
  const urdf_entry_t *a = left, *b = right;
  if (a->in_loops_file != b->in_loops_file) return b->in_loops_file ? -1 : 1;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->entry.line != b->entry.line) return a->entry.line < b->entry.line ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

// one sentence for what did not fit into the list
static void
say_dropped(urdf_loader_t * loader)
{
  static const char * const plural[3] = {"notes", "warnings", "errors"};
  for (int k = 0; k < 3; k++) {
    if (loader->dropped[k] == 0) continue;
    const urdf_place_t place = {"file", NULL, 0};
    // free an entry of the list for this one
    loader->stored[k] = 0;
    urdf_say(
      loader, (mbdx_severity_t)k, place, NULL, "%d further %s are not listed", loader->dropped[k],
      plural[k]);
  }
}

mbdx_report_t *
urdf_make_report(urdf_loader_t * loader)
{
  say_dropped(loader);
  mbdx_report_t * report = calloc(1, sizeof *report);
  if (!report || loader->out_of_memory) {
    free(report);
    return NULL;
  }
  report->source = print("%s", loader->source);
  report->entry = calloc((size_t)loader->nentry + 1, sizeof *report->entry);
  if (!report->source || !report->entry) {
    mbdx_report_free(report);
    return NULL;
  }
  if (loader->nentry > 1)
    qsort(loader->entry, (size_t)loader->nentry, sizeof *loader->entry, compare_entries);
  for (int i = 0; i < loader->nentry; i++) {
    report->entry[i] = loader->entry[i].entry;
    const mbdx_severity_t severity = report->entry[i].severity;
    report->nerror += severity == MBDX_ERROR;
    report->nwarning += severity == MBDX_WARNING;
    report->nnote += severity == MBDX_NOTE;
  }
  report->n = loader->nentry;
  loader->nentry = 0;
  return report;
}

void
urdf_free_entries(urdf_loader_t * loader)
{
  for (int i = 0; i < loader->nentry; i++) free_entry(&loader->entry[i].entry);
  free(loader->entry);
}

void
mbdx_report_free(mbdx_report_t * report)
{
  if (!report) return;
  for (int i = 0; i < report->n; i++) free_entry(&report->entry[i]);
  free(report->entry);
  free(report->source);
  free(report);
}

const char *
mbdx_severity_name(mbdx_severity_t severity)
{
  switch (severity) {
    case MBDX_NOTE: return "note";
    case MBDX_WARNING: return "warning";
    case MBDX_ERROR: return "error";
  }
  return "unknown";
}
