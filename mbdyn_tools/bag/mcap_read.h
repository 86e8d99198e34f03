// The parts of the MCAP reader: mcap_index.c and mcap_scan.c find chunks and channels, mcap_read.c reads
// messages.
#ifndef MCAP_READ_H_
#define MCAP_READ_H_

#include "bytes.h"
#include "storage.h"

// more than this in one piece is taken for damage
#ifndef MCAP_MAX_PIECE
#define MCAP_MAX_PIECE ((uint64_t)1 << 28)
#endif

// where records lie: a chunk, or a stretch of records outside of chunks
typedef struct mcap_chunk {
  uint64_t offset;     // in the file: of the chunk's content, or of the first record
  uint64_t size;       // bytes from there
  int64_t start, end;  // log times; start > end: not known to have any
  uint64_t topics;     // bit (topic % 64) is set if it may have messages of it
  bool plain;          // records outside of chunks
} mcap_chunk_t;

typedef struct mcap_schema {
  uint16_t id;
  char *name, *encoding, *text;
} mcap_schema_t;

// a chunk in memory
typedef struct mcap_loaded {
  uint8_t * records;
  size_t size, capacity;
  struct mcap_entry * entry;
  size_t nentry, entry_capacity, next;
  size_t order;  // place in the list of chunks: earlier ones go first at the same time
  bool used;
} mcap_loaded_t;

typedef struct mcap_entry {
  int64_t time;
  uint32_t offset;  // of the message's record in the chunk
  uint32_t topic;
} mcap_entry_t;

typedef struct mcap {
  source_t source;
  int fd;
  uint64_t size;  // of the file
  mcap_chunk_t * chunk;
  size_t nchunk, chunk_capacity;
  mcap_schema_t * schema;
  size_t nschema;
  uint32_t * channel;  // [65536] topic + 1 of each channel's number; 0: none
  bytes_t raw;         // a chunk as it is in the file
  bytes_t records;     // scratch of the scan
  // what is asked for
  const bool * wanted;
  bool * wanted_copy;
  int64_t from, to;
  size_t next_chunk;
  mcap_loaded_t * loaded;
  size_t nloaded;
  uint32_t current;  // index of the one that gave the last message
  // what is wrong
  uint64_t damaged_chunks, damaged_messages, unordered;
  uint64_t damaged_by_scan;    // of the damaged chunks, those that are not in `chunk`
  mcap_chunk_t first_damaged;  // of the chunks
  char damage[160];            // where reading had to stop, or ""
} mcap_t;

// counts it
void mcap_damaged(mcap_t * m, const mcap_chunk_t * chunk);

// whole or not at all
bool mcap_pread(const mcap_t * m, uint64_t offset, void * to, size_t size);
// a part of the file in m->raw
bool mcap_read_raw(mcap_t * m, uint64_t offset, uint64_t size);
// a record's content in a buffer; opcodes that are not for it are ignored. False: damaged
bool mcap_take_schema(mcap_t * m, span_t content);
bool mcap_take_channel(mcap_t * m, span_t content);
bool mcap_add_chunk(mcap_t * m, const mcap_chunk_t * chunk);

// fills schemas, channels, chunks and times from the summary, or by a scan of the file
bool mcap_index(mcap_t * m, bag_error_t * error);
bool mcap_scan(mcap_t * m, bag_error_t * error);

// the fields of a chunk record before its records
typedef struct mcap_chunk_head {
  int64_t start, end;
  uint64_t uncompressed, size;  // of the records, and as they are in the file
  uint32_t crc;
  bag_compression_t compression;
  bool supported;  // the compression
} mcap_chunk_head_t;

bool mcap_chunk_head(cursor_t * c, mcap_chunk_head_t * head);

typedef enum mcap_got { MCAP_GOOD, MCAP_DAMAGED, MCAP_NO_MEMORY, MCAP_NOT_BUILT } mcap_got_t;

// records of a chunk, unpacked and checked, in `out`
mcap_got_t mcap_unpack(mcap_t * m, const mcap_chunk_t * chunk, bytes_t * out);

#endif  // MCAP_READ_H_
