// metadata.yaml of a recording.
#include "metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml_tree.h"

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

// a file name, quoted unless each YAML reader takes it for plain text
static void
put_name(FILE * out, const char * name)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  if (name[0] != '-' && strspn(name, plain) == strlen(name)) {
    fputs(name, out);
  } else {
    put_quoted(out, name);
  }
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
  fputs(
    "  compression_format: \"\"\n"
    "  compression_mode: \"\"\n"
    "  relative_file_paths:\n"
    "    - ",
    out);
  put_name(out, m->file);
  fputs("\n  files:\n    - path: ", out);
  put_name(out, m->file);
  fprintf(
    out,
    "\n"
    "      starting_time:\n"
    "        nanoseconds_since_epoch: %" PRId64
    "\n"
    "      duration:\n"
    "        nanoseconds: %" PRId64
    "\n"
    "      message_count: %" PRIu64 "\n",
    m->start, m->duration, m->count);
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

static const yaml_node_t *
value_of(yaml_document_t * tree, const yaml_node_t * map, const char * key)
{
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  const yaml_node_pair_t * pair = map->data.mapping.pairs.start;
  for (; pair < map->data.mapping.pairs.top; pair++) {
    const yaml_node_t * name = yaml_document_get_node(tree, pair->key);
    if (name->type == YAML_SCALAR_NODE && !strcmp((char *)name->data.scalar.value, key)) {
      return yaml_document_get_node(tree, pair->value);
    }
  }
  return NULL;
}

static const char *
text_of(const yaml_node_t * node)
{
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static bool
read_files(yaml_document_t * tree, const yaml_node_t * list, metadata_files_t * files)
{
  if (!list || list->type != YAML_SEQUENCE_NODE) return true;
  const yaml_node_item_t * item = list->data.sequence.items.start;
  for (; item < list->data.sequence.items.top; item++) {
    const char * path = text_of(yaml_document_get_node(tree, *item));
    if (path[0] && !metadata_files_add(files, path)) return false;
  }
  return true;
}

bool
metadata_read_files(const char * folder, metadata_files_t * files)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/metadata.yaml", folder);
  yaml_fault_t fault;
  yaml_document_t * tree = yaml_tree_read_file(path, true, &fault);
  if (!tree) return fault.kind != YAML_FAULT_MEMORY;
  const yaml_node_t * root = yaml_document_get_root_node(tree);
  const yaml_node_t * info = value_of(tree, root, "rosbag2_bagfile_information");
  snprintf(
    files->compression, sizeof files->compression, "%s",
    text_of(value_of(tree, info, "compression_format")));
  const bool good = read_files(tree, value_of(tree, info, "relative_file_paths"), files);
  yaml_tree_free(tree);
  return good;
}
