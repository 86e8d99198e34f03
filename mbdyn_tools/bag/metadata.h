// metadata.yaml of a recording, as ROS 2 Humble writes it (version 5).
#ifndef METADATA_H_
#define METADATA_H_

#include "storage.h"

typedef struct metadata {
  bag_format_t format;
  const char * file;  // relative path of the only file
  int64_t start, duration;
  uint64_t count;
  const storage_topics_t * topics;
} metadata_t;

// written aside and moved into place: it is there whole, or not at all
bool metadata_write(const char * folder, const metadata_t * metadata, bag_error_t * error);

typedef struct metadata_files {
  char ** path;  // relative
  size_t n;
  char compression[32];  // of whole files or messages, which is not MCAP's: "zstd", or ""
} metadata_files_t;

// the files that metadata.yaml lists; n is 0 if there is none, or none that can be read
bool metadata_read_files(const char * folder, metadata_files_t * files);
void metadata_files_free(metadata_files_t * files);
bool metadata_files_add(metadata_files_t * files, const char * path);

#endif  // METADATA_H_
