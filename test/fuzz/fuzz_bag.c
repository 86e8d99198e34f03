// Reading a recording that may hold anything.
#include "fuzz_bag.h"

#include <stdlib.h>
#include <string.h>

static void
require(bool truth)
{
  if (!truth) abort();
}

// every byte of every message is there, and time does not run back
static uint64_t
read_all(source_t * s, bool ordered)
{
  static volatile uint8_t sum;
  bag_message_t m;
  bag_error_t error = {""};
  int64_t last = INT64_MIN;
  uint64_t count = 0;
  int got;
  while ((got = s->ops->next(s, &m, &error)) > 0) {
    require(m.topic < s->topics.n);
    for (size_t i = 0; i < m.size; i++) sum = (uint8_t)(sum + m.data[i]);
    if (ordered) require(m.log_time >= last);
    last = m.log_time;
    count++;
  }
  require(got == 0 || error.text[0] != '\0');
  return count;
}

void
fuzz_bag(source_t * s, const bag_error_t * error)
{
  if (!s) {
    require(error->text[0] != '\0');
    return;
  }
  for (uint32_t i = 0; i < s->topics.n; i++) {
    const bag_topic_t * t = &s->topics.topic[i];
    require(t->name && t->type && t->format && t->qos);
  }
  bag_error_t why = {""};
  // times in an index may be wrong, and then the order is
  const uint64_t all = read_all(s, !s->indexed);
  bool * wanted = calloc(s->topics.n + 1, sizeof *wanted);
  require(wanted != NULL);
  wanted[0] = true;
  // a damaged database gives more or less by another way through it
  const bool whole = s->note[0] == '\0';
  if (s->ops->select(s, wanted, 0, INT64_MAX, &why)) {
    const uint64_t some = read_all(s, false);
    require(!whole || s->note[0] != '\0' || some <= all);
  }
  if (s->ops->select(s, NULL, INT64_MIN, INT64_MAX, &why)) {
    const uint64_t again = read_all(s, false);
    require(!whole || again == all);
  }
  free(wanted);
  s->ops->free(s);
}
