// One file of a recording, in either format: what bag_read.c and bag_write.c need of it.
#ifndef STORAGE_H_
#define STORAGE_H_

#include "bag.h"

// copies of a topic's texts
typedef struct storage_topics {
  bag_topic_t * topic;
  uint32_t n;
} storage_topics_t;

// index, or UINT32_MAX if out of memory; NULL texts count as empty, but for the definition
uint32_t storage_topics_add(storage_topics_t * topics, const bag_topic_t * topic);
void storage_topics_free(storage_topics_t * topics);
// by name and type; -1: none
int storage_topics_find(const storage_topics_t * topics, const char * name, const char * type);

// false, with the text
bool bag_fail(bag_error_t * error, const char * format, ...) __attribute__((format(printf, 2, 3)));

//---------- reading ----------

typedef struct source source_t;

typedef struct source_ops {
  bool (*select)(source_t * s, const bool * topics, int64_t from, int64_t to, bag_error_t * error);
  int (*next)(source_t * s, bag_message_t * message, bag_error_t * error);
  void (*free)(source_t * s);
} source_ops_t;

// first in the structure of each format
struct source {
  const source_ops_t * ops;
  storage_topics_t topics;
  uint64_t count;
  int64_t start, end;  // log times; start > end: no message
  bool indexed;
  unsigned compressions;  // bits of 1 << bag_compression_t
  char note[256];
};

source_t * mcap_open(const char * path, bag_error_t * error);
source_t * mcap_open_fd(int fd, const char * path, bag_error_t * error);  // takes the descriptor
// quick: without counts, and without the check of the index
source_t * db3_open(const char * path, bool quick, bag_error_t * error);

//---------- writing ----------

typedef struct sink sink_t;

typedef struct sink_ops {
  bool (*add_topic)(sink_t * s, uint32_t index, const bag_topic_t * topic, bag_error_t * error);
  bool (*write)(sink_t * s, const bag_message_t * message, bag_error_t * error);
  bool (*flush)(sink_t * s, bag_error_t * error);
  bool (*finish)(sink_t * s, bag_error_t * error);  // ends the file
  void (*free)(sink_t * s);
} sink_ops_t;

struct sink {
  const sink_ops_t * ops;
  uint64_t bytes;  // in the file so far
};

sink_t * mcap_create(const char * path, const bag_options_t * options, bag_error_t * error);
sink_t * db3_create(const char * path, const bag_options_t * options, bag_error_t * error);

#endif  // STORAGE_H_
