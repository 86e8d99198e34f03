// Writing MCAP: schemas and channels as they come, messages in chunks with their index, and at the
// end a summary that leads to every chunk. A chunk goes to the file whole, in one call, so that a
// killed recorder leaves a file that is whole up to its last chunk.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "compress.h"
#include "crc32.h"
#include "mcap.h"
#include "storage.h"

typedef struct entry {
  uint64_t time, offset;
} entry_t;

typedef struct channel {
  uint32_t schema;  // 1-based
  uint32_t sequence;
  uint64_t count;
  entry_t * entry;  // messages in the open chunk
  size_t n, capacity;
} channel_t;

// what the summary says of a chunk
typedef struct chunk {
  uint64_t start, end, offset, length, index_length, compressed, uncompressed;
  size_t map_at;  // in maps: channel and offset of its message indexes
  uint32_t map_n;
} chunk_t;

typedef struct writer {
  sink_t sink;
  int fd;
  bag_compression_t compression;
  size_t chunk_size;
  uint32_t crc;  // of all bytes of the file so far
  size_t nschema;
  char ** schema_name;
  bytes_t schemas, channels_out;
  channel_t * channel;
  uint32_t nchannel;
  bytes_t open;  // records of the open chunk
  uint64_t open_start, open_end, open_count;
  bytes_t out;  // what goes to the file next
  chunk_t * chunk;
  size_t nchunk, chunk_capacity;
  bytes_t maps;
  uint64_t start, end, count;
} writer_t;

//---------- to the file ----------

static bool
write_out(writer_t * w, bag_error_t * error)
{
  if (w->out.failed) return bag_fail(error, "out of memory");
  size_t done = 0;
  while (done < w->out.size) {
    const ssize_t n = write(w->fd, w->out.data + done, w->out.size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bag_fail(error, "cannot write: %s", strerror(n < 0 ? errno : ENOSPC));
    done += (size_t)n;
  }
  w->crc = crc32_add(w->crc, w->out.data, w->out.size);
  w->sink.bytes += w->out.size;
  w->out.size = 0;
  return true;
}

static size_t
begin_record(bytes_t * b, uint8_t opcode)
{
  put_u8(b, opcode);
  return put_length_u64(b);
}

//---------- schemas and channels ----------

// 0: out of memory
static uint32_t
add_schema(writer_t * w, const bag_topic_t * topic)
{
  for (size_t i = 0; i < w->nschema; i++) {
    if (strcmp(w->schema_name[i], topic->type) == 0) return (uint32_t)i + 1;
  }
  char ** more = realloc(w->schema_name, (w->nschema + 1) * sizeof *more);
  if (!more) return 0;
  w->schema_name = more;
  more[w->nschema] = strdup(topic->type);
  if (!more[w->nschema]) return 0;
  w->nschema++;

  const size_t from = w->schemas.size;
  const size_t record = begin_record(&w->schemas, MCAP_SCHEMA);
  put_u16(&w->schemas, (uint16_t)w->nschema);
  put_text(&w->schemas, topic->type);
  put_text(&w->schemas, topic->definition ? "ros2msg" : "");
  put_text(&w->schemas, topic->definition ? topic->definition : "");
  end_length_u64(&w->schemas, record);
  if (w->schemas.failed) return 0;
  put_raw(&w->out, w->schemas.data + from, w->schemas.size - from);
  return (uint32_t)w->nschema;
}

static bool
add_topic(sink_t * sink, uint32_t index, const bag_topic_t * topic, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (index >= 65535) return bag_fail(error, "more than 65535 topics");
  channel_t * more = realloc(w->channel, (w->nchannel + 1) * sizeof *more);
  if (!more) return bag_fail(error, "out of memory");
  w->channel = more;
  const uint32_t schema = add_schema(w, topic);
  if (schema == 0) return bag_fail(error, "out of memory");
  w->channel[w->nchannel++] = (channel_t){.schema = schema};

  bytes_t * b = &w->channels_out;
  const size_t from = b->size;
  const size_t record = begin_record(b, MCAP_CHANNEL);
  put_u16(b, (uint16_t)(index + 1));
  put_u16(b, (uint16_t)schema);
  put_text(b, topic->name);
  put_text(b, topic->format);
  const size_t map = put_length_u32(b);
  put_text(b, "offered_qos_profiles");
  put_text(b, topic->qos);
  end_length_u32(b, map);
  end_length_u64(b, record);
  if (b->failed) return bag_fail(error, "out of memory");
  put_raw(&w->out, b->data + from, b->size - from);
  return write_out(w, error);
}

//---------- chunks ----------

static bool
remember_chunk(writer_t * w, const chunk_t * chunk)
{
  if (w->nchunk == w->chunk_capacity) {
    const size_t capacity = w->chunk_capacity ? 2 * w->chunk_capacity : 64;
    chunk_t * more = realloc(w->chunk, capacity * sizeof *more);
    if (!more) return false;
    w->chunk = more;
    w->chunk_capacity = capacity;
  }
  w->chunk[w->nchunk++] = *chunk;
  return !w->maps.failed;
}

static void
put_message_indexes(writer_t * w, chunk_t * chunk)
{
  const size_t from = w->out.size;
  for (uint32_t i = 0; i < w->nchannel; i++) {
    channel_t * c = &w->channel[i];
    if (c->n == 0) continue;
    put_u16(&w->maps, (uint16_t)(i + 1));
    put_u64(&w->maps, w->sink.bytes + w->out.size);
    chunk->map_n++;
    const size_t record = begin_record(&w->out, MCAP_MESSAGE_INDEX);
    put_u16(&w->out, (uint16_t)(i + 1));
    const size_t list = put_length_u32(&w->out);
    for (size_t k = 0; k < c->n; k++) {
      put_u64(&w->out, c->entry[k].time);
      put_u64(&w->out, c->entry[k].offset);
    }
    end_length_u32(&w->out, list);
    end_length_u64(&w->out, record);
    c->n = 0;
  }
  chunk->index_length = w->out.size - from;
}

static bool
flush(sink_t * sink, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (w->open_count == 0) return true;
  chunk_t chunk = {
    .start = w->open_start,
    .end = w->open_end,
    .offset = w->sink.bytes,
    .uncompressed = w->open.size,
    .map_at = w->maps.size};
  const size_t record = begin_record(&w->out, MCAP_CHUNK);
  put_u64(&w->out, chunk.start);
  put_u64(&w->out, chunk.end);
  put_u64(&w->out, chunk.uncompressed);
  put_u32(&w->out, crc32_add(0, w->open.data, w->open.size));
  put_text(&w->out, w->compression == BAG_NONE ? "" : bag_compression_name(w->compression));
  const size_t data = put_length_u64(&w->out);
  if (!compress_bytes(w->compression, w->open.data, w->open.size, &w->out)) {
    return bag_fail(error, "cannot compress a chunk: out of memory");
  }
  chunk.compressed = w->out.size - data;
  end_length_u64(&w->out, data);
  end_length_u64(&w->out, record);
  chunk.length = w->out.size;
  put_message_indexes(w, &chunk);
  if (!remember_chunk(w, &chunk)) return bag_fail(error, "out of memory");
  w->open.size = 0;
  w->open_count = 0;
  return write_out(w, error);
}

//---------- messages ----------

static bool
add_entry(channel_t * c, uint64_t time, uint64_t offset)
{
  if (c->n == c->capacity) {
    const size_t capacity = c->capacity ? 2 * c->capacity : 64;
    entry_t * more = realloc(c->entry, capacity * sizeof *more);
    if (!more) return false;
    c->entry = more;
    c->capacity = capacity;
  }
  c->entry[c->n++] = (entry_t){time, offset};
  return true;
}

static void
count_message(writer_t * w, uint64_t time)
{
  if (w->open_count == 0 || time < w->open_start) w->open_start = time;
  if (w->open_count == 0 || time > w->open_end) w->open_end = time;
  if (w->count == 0 || time < w->start) w->start = time;
  if (w->count == 0 || time > w->end) w->end = time;
  w->open_count++;
  w->count++;
}

static bool
write_message(sink_t * sink, const bag_message_t * m, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  channel_t * c = &w->channel[m->topic];
  const uint64_t time = (uint64_t)m->log_time;
  if (!add_entry(c, time, w->open.size)) return bag_fail(error, "out of memory");
  put_u8(&w->open, MCAP_MESSAGE);
  put_u64(&w->open, MCAP_MESSAGE_HEAD_SIZE + m->size);
  put_u16(&w->open, (uint16_t)(m->topic + 1));
  put_u32(&w->open, c->sequence++);
  put_u64(&w->open, time);
  put_u64(&w->open, (uint64_t)m->publish_time);
  put_raw(&w->open, m->data, m->size);
  if (w->open.failed) return bag_fail(error, "out of memory");
  c->count++;
  count_message(w, time);
  return w->open.size < w->chunk_size || flush(sink, error);
}

//---------- the end ----------

static void
put_statistics(writer_t * w)
{
  bytes_t * b = &w->out;
  const size_t record = begin_record(b, MCAP_STATISTICS);
  put_u64(b, w->count);
  put_u16(b, (uint16_t)w->nschema);
  put_u32(b, w->nchannel);
  put_u32(b, 0);  // attachments
  put_u32(b, 0);  // metadata
  put_u32(b, (uint32_t)w->nchunk);
  put_u64(b, w->start);
  put_u64(b, w->end);
  const size_t map = put_length_u32(b);
  for (uint32_t i = 0; i < w->nchannel; i++) {
    put_u16(b, (uint16_t)(i + 1));
    put_u64(b, w->channel[i].count);
  }
  end_length_u32(b, map);
  end_length_u64(b, record);
}

static void
put_chunk_indexes(writer_t * w)
{
  const char * compression = w->compression == BAG_NONE ? "" : bag_compression_name(w->compression);
  for (size_t i = 0; i < w->nchunk; i++) {
    const chunk_t * c = &w->chunk[i];
    bytes_t * b = &w->out;
    const size_t record = begin_record(b, MCAP_CHUNK_INDEX);
    put_u64(b, c->start);
    put_u64(b, c->end);
    put_u64(b, c->offset);
    put_u64(b, c->length);
    const uint32_t bytes = 10 * c->map_n;
    put_u32(b, bytes);
    put_raw(b, w->maps.data + c->map_at, bytes);
    put_u64(b, c->index_length);
    put_text(b, compression);
    put_u64(b, c->compressed);
    put_u64(b, c->uncompressed);
    end_length_u64(b, record);
  }
}

// where a group of the summary lies
typedef struct group {
  uint8_t opcode;
  uint64_t start, length;
} group_t;

static void
put_summary(writer_t * w, group_t * group)
{
  bytes_t * b = &w->out;
  const uint64_t base = w->sink.bytes;
  const uint8_t opcodes[4] = {MCAP_SCHEMA, MCAP_CHANNEL, MCAP_STATISTICS, MCAP_CHUNK_INDEX};
  for (int i = 0; i < 4; i++) {
    const size_t from = b->size;
    if (i == 0) put_raw(b, w->schemas.data, w->schemas.size);
    if (i == 1) put_raw(b, w->channels_out.data, w->channels_out.size);
    if (i == 2) put_statistics(w);
    if (i == 3) put_chunk_indexes(w);
    group[i] = (group_t){opcodes[i], base + from, b->size - from};
  }
}

static void
put_footer(writer_t * w, const group_t * group)
{
  bytes_t * b = &w->out;
  const uint64_t summary_start = group[0].start, offsets_start = w->sink.bytes + b->size;
  for (int i = 0; i < 4; i++) {
    if (group[i].length == 0) continue;
    const size_t record = begin_record(b, MCAP_SUMMARY_OFFSET);
    put_u8(b, group[i].opcode);
    put_u64(b, group[i].start);
    put_u64(b, group[i].length);
    end_length_u64(b, record);
  }
  put_u8(b, MCAP_FOOTER);
  put_u64(b, MCAP_FOOTER_SIZE);
  put_u64(b, summary_start);
  put_u64(b, offsets_start);
  const size_t from = (size_t)(summary_start - w->sink.bytes);
  if (!b->failed) put_u32(b, crc32_add(0, b->data + from, b->size - from));
  put_raw(b, MCAP_MAGIC, MCAP_MAGIC_SIZE);
}

static bool
close_file(sink_t * sink, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (!flush(sink, error)) return false;
  put_u8(&w->out, MCAP_DATA_END);
  put_u64(&w->out, 4);
  put_u32(&w->out, w->crc);
  group_t group[4];
  put_summary(w, group);
  put_footer(w, group);
  if (!write_out(w, error)) return false;
  if (fsync(w->fd) != 0 && errno != EINVAL && errno != EROFS) {
    return bag_fail(error, "cannot write: %s", strerror(errno));
  }
  return true;
}

static void
free_writer(sink_t * sink)
{
  writer_t * w = (writer_t *)sink;
  if (w->fd >= 0) close(w->fd);
  for (size_t i = 0; i < w->nschema; i++) free(w->schema_name[i]);
  free(w->schema_name);
  for (uint32_t i = 0; i < w->nchannel; i++) free(w->channel[i].entry);
  free(w->channel);
  free(w->chunk);
  bytes_free(&w->schemas);
  bytes_free(&w->channels_out);
  bytes_free(&w->open);
  bytes_free(&w->out);
  bytes_free(&w->maps);
  free(w);
}

//---------- the beginning ----------

sink_t *
mcap_create(const char * path, const bag_options_t * options, bag_error_t * error)
{
  static const sink_ops_t ops = {add_topic, write_message, flush, close_file, free_writer};
  writer_t * w = calloc(1, sizeof *w);
  if (!w) {
    bag_fail(error, "out of memory");
    return NULL;
  }
  w->sink.ops = &ops;
  w->compression = options->compression;
  w->chunk_size = options->chunk_size ? options->chunk_size : (size_t)1 << 20;
  w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (w->fd < 0) {
    bag_fail(error, "cannot create '%s': %s", path, strerror(errno));
    free_writer(&w->sink);
    return NULL;
  }
  put_raw(&w->out, MCAP_MAGIC, MCAP_MAGIC_SIZE);
  const size_t record = begin_record(&w->out, MCAP_HEADER);
  put_text(&w->out, "ros2");
  put_text(&w->out, "mbdyn");
  end_length_u64(&w->out, record);
  if (write_out(w, error)) return &w->sink;
  free_writer(&w->sink);
  return NULL;
}
