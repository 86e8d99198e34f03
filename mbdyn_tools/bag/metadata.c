// metadata.yaml of a recording.
#include "metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//---------- writing ----------

// a text in double quotes
static void
put_quoted(FILE * out, const char * text)
{
  fputc('"', out);
  for (const char * c = text; *c; c++) {
    if (*c == '\n') {
      fputs("\\n", out);
    } else {
      if (*c == '"' || *c == '\\') fputc('\\', out);
      fputc(*c, out);
    }
  }
  fputc('"', out);
}

static void
put_topic(FILE * out, const bag_topic_t * t)
{
  fprintf(out, "    - topic_metadata:\n        name: %s\n        type: %s\n", t->name, t->type);
  fprintf(out, "        serialization_format: %s\n        offered_qos_profiles: ", t->format);
  put_quoted(out, t->qos);
  fprintf(out, "\n      message_count: %" PRIu64 "\n", t->count);
}

static void
put_metadata(FILE * out, const metadata_t * m)
{
  fprintf(
    out,
    "rosbag2_bagfile_information:\n"
    "  version: 5\n"
    "  storage_identifier: %s\n"
    "  duration:\n"
    "    nanoseconds: %" PRId64
    "\n"
    "  starting_time:\n"
    "    nanoseconds_since_epoch: %" PRId64
    "\n"
    "  message_count: %" PRIu64 "\n",
    bag_format_name(m->format), m->duration, m->start, m->count);
  fprintf(out, "  topics_with_message_count:%s\n", m->topics->n ? "" : " []");
  for (uint32_t i = 0; i < m->topics->n; i++) put_topic(out, &m->topics->topic[i]);
  fprintf(
    out,
    "  compression_format: \"\"\n"
    "  compression_mode: \"\"\n"
    "  relative_file_paths:\n"
    "    - %s\n"
    "  files:\n"
    "    - path: %s\n"
    "      starting_time:\n"
    "        nanoseconds_since_epoch: %" PRId64
    "\n"
    "      duration:\n"
    "        nanoseconds: %" PRId64
    "\n"
    "      message_count: %" PRIu64 "\n",
    m->file, m->file, m->start, m->duration, m->count);
}

bool
metadata_write(const char * folder, const metadata_t * metadata, bag_error_t * error)
{
  char path[4096], aside[4096];
  snprintf(path, sizeof path, "%s/metadata.yaml", folder);
  snprintf(aside, sizeof aside, "%s/.metadata.yaml.part", folder);
  FILE * out = fopen(aside, "w");
  if (!out) return bag_fail(error, "cannot write '%.300s': %s", path, strerror(errno));
  put_metadata(out, metadata);
  const bool bad = ferror(out) != 0;
  if (fclose(out) == 0 && !bad && rename(aside, path) == 0) return true;
  return bag_fail(error, "cannot write '%.300s': %s", path, strerror(errno));
}

//---------- reading ----------

bool
metadata_files_add(metadata_files_t * files, const char * path)
{
  char ** more = realloc(files->path, (files->n + 1) * sizeof *more);
  if (!more) return false;
  files->path = more;
  more[files->n] = strdup(path);
  return more[files->n] && ++files->n > 0;
}

void
metadata_files_free(metadata_files_t * files)
{
  for (size_t i = 0; i < files->n; i++) free(files->path[i]);
  free(files->path);
  *files = (metadata_files_t){0};
}

// the value after "key:" or "- ", without quotes; cuts the line
static char *
value_of(char * text)
{
  text += strspn(text, " \t'\"");
  text[strcspn(text, "'\"\r\n")] = '\0';
  for (size_t n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--) {
    text[n - 1] = '\0';
  }
  return text;
}

// a list of names and one word are wanted of it, so it is read line by line
bool
metadata_read_files(const char * folder, metadata_files_t * files)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/metadata.yaml", folder);
  FILE * in = fopen(path, "r");
  if (!in) return true;
  char * line = NULL;
  size_t room = 0;
  bool listing = false, memory = true;
  while (memory && getline(&line, &room, in) >= 0) {
    char * at = line + strspn(line, " \t");
    if (strncmp(at, "compression_format:", 19) == 0) {
      snprintf(files->compression, sizeof files->compression, "%s", value_of(at + 19));
    }
    if (listing && at[0] == '-' && at[1] == ' ') {
      char * value = value_of(at + 2);
      if (value[0]) memory = metadata_files_add(files, value);
      continue;
    }
    listing = strncmp(at, "relative_file_paths:", 20) == 0;
  }
  free(line);
  fclose(in);
  return memory;
}
