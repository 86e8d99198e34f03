#include "live_diagnostics.h"

#include <stdlib.h>
#include <string.h>

const char *
live_text_next(const char * text)
{
  return text + strlen(text) + 1;
}

// false if it does not fit
static bool
append_text(live_status_text_t * s, wire_text_t text)
{
  if (text.size + 1 > LIVE_STATUS - s->size) return false;
  memcpy(s->text + s->size, text.data, text.size);
  s->text[s->size + text.size] = 0;
  s->size += text.size + 1;
  return true;
}

static live_status_text_t *
find(live_diagnostics_t * d, wire_text_t name)
{
  for (int i = 0; i < d->n; i++) {
    if (wire_text_is(name, d->status[i].text)) return &d->status[i];
  }
  if (d->n == LIVE_STATUSES) return NULL;
  live_status_text_t * s = &d->status[d->n];
  s->text = malloc(LIVE_STATUS);
  if (s->text) d->n++;
  return s->text ? s : NULL;
}

static void
take_status(live_diagnostics_t * d, const live_status_t * from)
{
  enum { LONGEST = 1024 };
  if (
    from->name.size > LONGEST || from->message.size > LONGEST || from->hardware_id.size > LONGEST) {
    return;
  }
  live_status_text_t * s = find(d, from->name);
  if (!s) return;
  s->version = d->version + 1;
  s->level = from->level;
  s->pairs = 0;
  s->size = 0;
  append_text(s, from->name);
  append_text(s, from->message);
  append_text(s, from->hardware_id);
  wire_reader_t r = from->values;
  for (uint32_t i = 0; i < from->n; i++) {
    const size_t before = s->size;
    const wire_text_t key = wire_string(&r), value = wire_string(&r);
    if (!wire_ok(&r) || !append_text(s, key) || !append_text(s, value)) {
      s->size = before;
      return;
    }
    s->pairs++;
  }
}

bool
live_diagnostics_take(live_diagnostics_t * d, const uint8_t * bytes, size_t size)
{
  live_statuses_t walk;
  live_status_t status;
  if (!live_read_diagnostics(bytes, size, &walk)) return false;
  for (uint32_t i = 0; i < walk.n && live_next_status(&walk, &status); i++) take_status(d, &status);
  d->version++;
  d->count++;
  return wire_ok(&walk.reader);
}

void
live_diagnostics_fini(live_diagnostics_t * d)
{
  for (int i = 0; i < d->n; i++) free(d->status[i].text);
  memset(d, 0, sizeof *d);
}

const char *
live_diagnostics_value(const live_status_text_t * s, const char * key)
{
  const char * text = live_text_next(live_text_next(live_text_next(s->text)));
  for (uint32_t i = 0; i < s->pairs; i++) {
    const char * value = live_text_next(text);
    if (strcmp(text, key) == 0) return value;
    text = live_text_next(value);
  }
  return NULL;
}
