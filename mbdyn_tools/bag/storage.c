// What both formats need: topics with texts of their own, errors.
#include "storage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
bag_fail(bag_error_t * error, const char * format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return false;
}

static void
topic_free(bag_topic_t * topic)
{
  free((char *)topic->name);
  free((char *)topic->type);
  free((char *)topic->format);
  free((char *)topic->qos);
  free((char *)topic->definition);
}

static char *
copy(const char * text)
{
  return strdup(text ? text : "");
}

uint32_t
storage_topics_add(storage_topics_t * topics, const bag_topic_t * topic)
{
  if (topics->n >= 65535) return UINT32_MAX;
  bag_topic_t * more = realloc(topics->topic, (topics->n + 1) * sizeof *more);
  if (!more) return UINT32_MAX;
  topics->topic = more;
  bag_topic_t new = {
    .name = copy(topic->name),
    .type = copy(topic->type),
    .format = copy(topic->format),
    .qos = copy(topic->qos),
    .definition = topic->definition ? copy(topic->definition) : NULL,
    .count = topic->count};
  if (!new.name || !new.type || !new.format || !new.qos || (topic->definition && !new.definition)) {
    topic_free(&new);
    return UINT32_MAX;
  }
  topics->topic[topics->n] = new;
  return topics->n++;
}

void
storage_topics_free(storage_topics_t * topics)
{
  for (uint32_t i = 0; i < topics->n; i++) topic_free(&topics->topic[i]);
  free(topics->topic);
  *topics = (storage_topics_t){0};
}

int
storage_topics_find(const storage_topics_t * topics, const char * name, const char * type)
{
  for (uint32_t i = 0; i < topics->n; i++) {
    const bag_topic_t * t = &topics->topic[i];
    if (strcmp(t->name, name) == 0 && (!type || strcmp(t->type, type) == 0)) return (int)i;
  }
  return -1;
}
