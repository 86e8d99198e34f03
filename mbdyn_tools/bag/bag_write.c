// A recording while it is written: the folder, its one file, metadata.yaml.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bag.h"
#include "compress.h"
#include "metadata.h"
#include "storage.h"

struct bag_writer {
  sink_t * sink;
  bag_format_t format;
  char * folder;   // NULL: a file alone
  char file[512];  // relative
  storage_topics_t topics;
  uint64_t count;
  int64_t start, end;
  bag_error_t failure;  // the first that there was: nothing is written after it
};

//---------- names ----------

const char *
bag_format_name(bag_format_t format)
{
  return format == BAG_MCAP ? "mcap" : "sqlite3";
}

const char *
bag_compression_name(bag_compression_t compression)
{
  return compression == BAG_LZ4 ? "lz4" : compression == BAG_ZSTD ? "zstd" : "none";
}

bool
bag_format_parse(const char * name, bag_format_t * format)
{
  *format = strcmp(name, "sqlite3") == 0 ? BAG_SQLITE3 : BAG_MCAP;
#ifndef MBDYN_SQLITE3
  if (*format == BAG_SQLITE3) return false;
#endif
  return strcmp(name, bag_format_name(*format)) == 0;
}

bool
bag_compression_parse(const char * name, bag_compression_t * compression)
{
  for (int i = BAG_NONE; i <= BAG_ZSTD; i++) {
    *compression = (bag_compression_t)i;
    if (strcmp(name, bag_compression_name(*compression)) == 0) return compress_has(*compression);
  }
  return false;
}

#ifndef MBDYN_SQLITE3
sink_t *
db3_create(const char * path, const bag_options_t * options, bag_error_t * error)
{
  (void)options;
  bag_fail(error, "cannot create '%s': this program was built without sqlite3", path);
  return NULL;
}
#endif

//---------- start and end ----------

static void
free_writer(bag_writer_t * w)
{
  if (w->sink) w->sink->ops->free(w->sink);
  storage_topics_free(&w->topics);
  free(w->folder);
  free(w);
}

// "a/b/" -> "b"
static void
file_name(bag_writer_t * w)
{
  const char * name = strrchr(w->folder, '/');
  name = name ? name + 1 : w->folder;
  snprintf(
    w->file, sizeof w->file, "%.300s_0.%s", name[0] ? name : "bag",
    w->format == BAG_MCAP ? "mcap" : "db3");
}

bag_writer_t *
bag_create(const char * folder, const bag_options_t * options, bag_error_t * error)
{
  bag_writer_t * w = calloc(1, sizeof *w);
  if (w) w->folder = strdup(folder);
  if (!w || !w->folder) {
    free(w);
    bag_fail(error, "out of memory");
    return NULL;
  }
  for (size_t n = strlen(w->folder); n > 1 && w->folder[n - 1] == '/'; n--) w->folder[n - 1] = '\0';
  w->format = options->format;
  file_name(w);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", w->folder, w->file);
  if (mkdir(w->folder, 0777) != 0) {
    bag_fail(
      error, "cannot create the folder '%.300s': %s", folder,
      errno == EEXIST ? "it exists; choose another --output" : strerror(errno));
  } else {
    w->sink = (w->format == BAG_MCAP ? mcap_create : db3_create)(path, options, error);
    if (w->sink) return w;
    rmdir(w->folder);
  }
  free_writer(w);
  return NULL;
}

bag_writer_t *
bag_create_file(const char * path, const bag_options_t * options, bag_error_t * error)
{
  bag_writer_t * w = calloc(1, sizeof *w);
  if (!w) {
    bag_fail(error, "out of memory");
    return NULL;
  }
  struct stat file;
  if (stat(path, &file) == 0 && S_ISREG(file.st_mode)) (void)unlink(path);
  w->format = options->format;
  w->sink = (w->format == BAG_MCAP ? mcap_create : db3_create)(path, options, error);
  if (w->sink) return w;
  free_writer(w);
  return NULL;
}

// a file that has half a record at its end must get nothing more
static bool
may_write(const bag_writer_t * w, bag_error_t * error)
{
  return !w->failure.text[0] || bag_fail(error, "%s", w->failure.text);
}

static bool
remember(bag_writer_t * w, bool ok, const bag_error_t * error)
{
  if (!ok) w->failure = *error;
  return ok;
}

bool
bag_close(bag_writer_t * w, bag_error_t * error)
{
  bool ok = may_write(w, error) && w->sink->ops->finish(w->sink, error);
  w->sink->ops->free(w->sink);
  w->sink = NULL;
  const metadata_t metadata = {
    .format = w->format,
    .file = w->file,
    .start = w->start,
    .duration = w->end - w->start,
    .count = w->count,
    .topics = &w->topics};
  if (ok && w->folder) ok = metadata_write(w->folder, &metadata, error);
  free_writer(w);
  return ok;
}

//---------- topics and messages ----------

bool
bag_add_topic(bag_writer_t * w, const bag_topic_t * topic, uint32_t * index, bag_error_t * error)
{
  bag_topic_t new = *topic;
  new.count = 0;
  *index = storage_topics_add(&w->topics, &new);
  if (*index == UINT32_MAX) return bag_fail(error, "out of memory");
  if (!may_write(w, error)) return false;
  const bool ok = w->sink->ops->add_topic(w->sink, *index, &w->topics.topic[*index], error);
  return remember(w, ok, error);
}

bool
bag_write(bag_writer_t * w, const bag_message_t * m, bag_error_t * error)
{
  if (m->topic >= w->topics.n) return bag_fail(error, "no topic %u", m->topic);
  if (!may_write(w, error)) return false;
  if (!remember(w, w->sink->ops->write(w->sink, m, error), error)) return false;
  if (w->count == 0 || m->log_time < w->start) w->start = m->log_time;
  if (w->count == 0 || m->log_time > w->end) w->end = m->log_time;
  w->topics.topic[m->topic].count++;
  w->count++;
  return true;
}

bool
bag_flush(bag_writer_t * w, bag_error_t * error)
{
  return may_write(w, error) && remember(w, w->sink->ops->flush(w->sink, error), error);
}

uint64_t
bag_written_bytes(const bag_writer_t * w)
{
  return w->sink->bytes;
}

uint64_t
bag_written_messages(const bag_writer_t * w)
{
  return w->count;
}
