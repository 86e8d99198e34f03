// A recording while it is read: its files one after the other, as one.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bag.h"
#include "compress.h"
#include "metadata.h"
#include "storage.h"

struct bag_reader {
  source_t ** source;
  uint32_t ** map;  // [file][topic of the file] topic of the recording
  size_t nsource, at;
  storage_topics_t topics;
  bag_info_t info;
  char note[512];  // about the recording as a whole
  char all_notes[1024];
  bool ** wanted;  // [file][topic of the file]
  bool quick;
};

#ifndef MBDYN_SQLITE3
source_t *
db3_open(const char * path, bool quick, bag_error_t * error)
{
  (void)quick;
  bag_fail(error, "cannot open '%s': this program was built without sqlite3", path);
  return NULL;
}
#endif

//---------- files ----------

static bool
ends_with(const char * text, const char * end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static bool
is_recording(const char * name)
{
  return ends_with(name, ".mcap") || ends_with(name, ".db3");
}

static int
by_name(const void * a, const void * b)
{
  return strcmp(*(char * const *)a, *(char * const *)b);
}

// recordings in a folder without metadata.yaml
static bool
list_folder(const char * folder, metadata_files_t * files)
{
  DIR * dir = opendir(folder);
  if (!dir) return true;
  bool memory = true;
  for (struct dirent * e; memory && (e = readdir(dir)) != NULL;) {
    if (is_recording(e->d_name)) memory = metadata_files_add(files, e->d_name);
  }
  closedir(dir);
  if (files->n > 1) qsort(files->path, files->n, sizeof *files->path, by_name);
  return memory;
}

static bool
add_source(bag_reader_t * r, const char * path, bag_error_t * error)
{
  source_t ** more = realloc(r->source, (r->nsource + 1) * sizeof *more);
  if (more) r->source = more;
  uint32_t ** maps = realloc(r->map, (r->nsource + 1) * sizeof *maps);
  if (maps) r->map = maps;
  bool ** wanted = realloc(r->wanted, (r->nsource + 1) * sizeof *wanted);
  if (wanted) r->wanted = wanted;
  if (!more || !maps || !wanted) return bag_fail(error, "out of memory");
  source_t * s = ends_with(path, ".db3") ? db3_open(path, r->quick, error) : mcap_open(path, error);
  if (!s) return false;
  r->source[r->nsource] = s;
  r->map[r->nsource] = calloc(s->topics.n + 1, sizeof **r->map);
  r->wanted[r->nsource] = calloc(s->topics.n + 1, sizeof **r->wanted);
  r->nsource++;
  if (!r->map[r->nsource - 1] || !r->wanted[r->nsource - 1]) {
    return bag_fail(error, "out of memory");
  }
  r->info.format = ends_with(path, ".db3") ? BAG_SQLITE3 : BAG_MCAP;
  return true;
}

static bool
open_folder(bag_reader_t * r, const char * folder, bag_error_t * error)
{
  metadata_files_t files = {0};
  bool ok = metadata_read_files(folder, &files);
  const bool listed = files.n > 0;
  if (ok && !listed) ok = list_folder(folder, &files);
  if (!ok) bag_fail(error, "out of memory");
  if (ok && files.compression[0]) {
    ok = bag_fail(
      error,
      "'%.300s' was recorded with file or message compression (%s), which is not supported: %s",
      folder, files.compression, "`ros2 bag convert` can remove it");
  }
  if (ok && files.n == 0) {
    ok = bag_fail(error, "'%.300s' has no metadata.yaml, and no .mcap or .db3 file", folder);
  }
  for (size_t i = 0; ok && i < files.n; i++) {
    char path[4096];
    // older versions wrote the folder's name too
    const char * name = strrchr(files.path[i], '/');
    snprintf(path, sizeof path, "%s/%s", folder, name ? name + 1 : files.path[i]);
    ok = add_source(r, path, error);
  }
  if (ok && !listed) {
    snprintf(
      r->note, sizeof r->note, "metadata.yaml is missing: the recording was not closed properly");
  }
  metadata_files_free(&files);
  return ok;
}

//---------- as one ----------

static bool
merge_topics(bag_reader_t * r, bag_error_t * error)
{
  for (size_t i = 0; i < r->nsource; i++) {
    const storage_topics_t * t = &r->source[i]->topics;
    for (uint32_t k = 0; k < t->n; k++) {
      const int known = storage_topics_find(&r->topics, t->topic[k].name, t->topic[k].type);
      if (known >= 0) {
        r->topics.topic[known].count += t->topic[k].count;
        r->map[i][k] = (uint32_t)known;
        continue;
      }
      r->map[i][k] = storage_topics_add(&r->topics, &t->topic[k]);
      if (r->map[i][k] == UINT32_MAX) return bag_fail(error, "out of memory");
    }
  }
  return true;
}

static void
sum_up(bag_reader_t * r)
{
  bag_info_t * info = &r->info;
  unsigned compressions = 0;
  bool any = false;
  info->indexed = true;
  for (size_t i = 0; i < r->nsource; i++) {
    const source_t * s = r->source[i];
    info->count += s->count;
    info->indexed = info->indexed && s->indexed;
    compressions |= s->compressions;
    if (s->start > s->end) continue;
    if (!any || s->start < info->start) info->start = s->start;
    if (!any || s->end > info->end) info->end = s->end;
    any = true;
  }
  info->messages = "mixed";
  for (int i = BAG_NONE; i <= BAG_ZSTD; i++) {
    if (compressions == 1u << i) info->messages = bag_compression_name((bag_compression_t)i);
  }
  if (compressions == 0) info->messages = "none";
  info->nfile = (uint32_t)r->nsource;
  info->ntopic = r->topics.n;
  info->topic = r->topics.topic;
}

static bag_reader_t *
open_reader(const char * path, bool quick, bag_error_t * error)
{
  bag_reader_t * r = calloc(1, sizeof *r);
  struct stat status;
  bool ok = false;
  if (r) r->quick = quick;
  if (!r) {
    bag_fail(error, "out of memory");
  } else if (stat(path, &status) != 0) {
    bag_fail(error, "cannot open '%.300s': %s", path, strerror(errno));
  } else if (S_ISDIR(status.st_mode)) {
    ok = open_folder(r, path, error);
  } else if (!is_recording(path)) {
    bag_fail(error, "'%.300s' is not a recording: expected a folder, a .mcap or a .db3 file", path);
  } else {
    ok = add_source(r, path, error);
  }
  if (ok) ok = merge_topics(r, error);
  if (ok) {
    sum_up(r);
    ok = bag_select(r, NULL, INT64_MIN, INT64_MAX, error);
  }
  if (ok) return r;
  bag_free(r);
  return NULL;
}

bag_reader_t *
bag_open(const char * path, bag_error_t * error)
{
  return open_reader(path, false, error);
}

bag_reader_t *
bag_open_quick(const char * path, bag_error_t * error)
{
  return open_reader(path, true, error);
}

void
bag_free(bag_reader_t * r)
{
  if (!r) return;
  for (size_t i = 0; i < r->nsource; i++) {
    r->source[i]->ops->free(r->source[i]);
    free(r->map[i]);
    free(r->wanted[i]);
  }
  free(r->source);
  free(r->map);
  free(r->wanted);
  storage_topics_free(&r->topics);
  free(r);
}

const bag_info_t *
bag_info(const bag_reader_t * r)
{
  return &r->info;
}

int
bag_find_topic(const bag_reader_t * r, const char * name)
{
  return storage_topics_find(&r->topics, name, NULL);
}

//---------- messages ----------

bool
bag_select(bag_reader_t * r, const bool * topics, int64_t from, int64_t to, bag_error_t * error)
{
  r->at = 0;
  for (size_t i = 0; i < r->nsource; i++) {
    source_t * s = r->source[i];
    for (uint32_t k = 0; topics && k < s->topics.n; k++) r->wanted[i][k] = topics[r->map[i][k]];
    if (!s->ops->select(s, topics ? r->wanted[i] : NULL, from, to, error)) return false;
  }
  return true;
}

int
bag_next(bag_reader_t * r, bag_message_t * message, bag_error_t * error)
{
  for (; r->at < r->nsource; r->at++) {
    source_t * s = r->source[r->at];
    const int got = s->ops->next(s, message, error);
    if (got < 0) return -1;
    if (got == 0) continue;
    message->topic = r->map[r->at][message->topic];
    return 1;
  }
  return 0;
}

const char *
bag_note(const bag_reader_t * reader)
{
  bag_reader_t * r = (bag_reader_t *)reader;
  size_t n = (size_t)snprintf(r->all_notes, sizeof r->all_notes, "%s", r->note);
  for (size_t i = 0; i < r->nsource && n < sizeof r->all_notes; i++) {
    const char * note = r->source[i]->note;
    if (!note[0]) continue;
    n += (size_t)snprintf(r->all_notes + n, sizeof r->all_notes - n, "%s%s", n ? "; " : "", note);
  }
  return r->all_notes;
}
