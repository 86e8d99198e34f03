// Topics, chunks and times of an MCAP file by its summary section. Without a summary, or with a damaged
// one, mcap_scan.c reads them from the data section.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compress.h"
#include "crc32.h"
#include "mcap.h"
#include "mcap_read.h"

//---------- bytes of the file ----------

bool
mcap_pread(const mcap_t * m, uint64_t offset, void * to, size_t size)
{
  uint8_t * at = to;
  if (offset > m->size || size > m->size - offset) return false;
  while (size > 0) {
    const ssize_t n = pread(m->fd, at, size, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    offset += (uint64_t)n;
    size -= (size_t)n;
  }
  return true;
}

bool
mcap_read_raw(mcap_t * m, uint64_t offset, uint64_t size)
{
  m->raw.size = 0;
  if (size > MCAP_MAX_PIECE || offset > m->size || size > m->size - offset) return false;
  if (!bytes_reserve(&m->raw, (size_t)size)) return false;
  m->raw.size = (size_t)size;
  return mcap_pread(m, offset, m->raw.data, (size_t)size);
}

//---------- schemas and channels ----------

bool
mcap_take_schema(mcap_t * m, span_t content)
{
  cursor_t c = cursor_of(content.data, content.size);
  const uint16_t id = get_u16(&c);
  const span_t name = get_text(&c), encoding = get_text(&c), text = get_text(&c);
  if (!c.ok) return false;
  for (size_t i = 0; i < m->nschema; i++) {
    if (m->schema[i].id == id) return true;
  }
  mcap_schema_t * more = realloc(m->schema, (m->nschema + 1) * sizeof *more);
  if (!more) return false;
  m->schema = more;
  mcap_schema_t * s = &more[m->nschema++];
  *s = (mcap_schema_t){id, span_copy(name), span_copy(encoding), span_copy(text)};
  return s->name && s->encoding && s->text;
}

static span_t
find_in_map(span_t map, const char * key)
{
  cursor_t c = cursor_of(map.data, map.size);
  while (c.ok && cursor_left(&c) > 0) {
    const span_t k = get_text(&c), value = get_text(&c);
    if (c.ok && span_is(k, key)) return value;
  }
  return (span_t){map.data, 0};
}

static bool
add_channel(
  mcap_t * m, uint16_t id, uint16_t schema_id, const char * name, const char * format,
  const char * qos)
{
  const mcap_schema_t * schema = NULL;
  for (size_t i = 0; i < m->nschema; i++) {
    if (m->schema[i].id == schema_id) schema = &m->schema[i];
  }
  const bool has_text = schema && strcmp(schema->encoding, "ros2msg") == 0;
  const bag_topic_t topic = {
    .name = name,
    .type = schema ? schema->name : "",
    .format = format,
    .qos = qos,
    .definition = has_text ? schema->text : NULL};
  // several channels of one topic are one
  const int known = storage_topics_find(&m->source.topics, topic.name, topic.type);
  const uint32_t index =
    known >= 0 ? (uint32_t)known : storage_topics_add(&m->source.topics, &topic);
  if (index == UINT32_MAX) return false;
  m->channel[id] = index + 1;
  return true;
}

bool
mcap_take_channel(mcap_t * m, span_t content)
{
  cursor_t c = cursor_of(content.data, content.size);
  const uint16_t id = get_u16(&c), schema = get_u16(&c);
  const span_t topic = get_text(&c), encoding = get_text(&c), map = get_text(&c);
  if (!c.ok) return false;
  if (m->channel[id]) return true;
  char *name = span_copy(topic), *format = span_copy(encoding);
  char * qos = span_copy(find_in_map(map, "offered_qos_profiles"));
  const bool ok = name && format && qos && add_channel(m, id, schema, name, format, qos);
  free(name);
  free(format);
  free(qos);
  return ok;
}

bool
mcap_add_chunk(mcap_t * m, const mcap_chunk_t * chunk)
{
  if (m->nchunk == m->chunk_capacity) {
    const size_t capacity = m->chunk_capacity ? 2 * m->chunk_capacity : 64;
    mcap_chunk_t * more = realloc(m->chunk, capacity * sizeof *more);
    if (!more) return false;
    m->chunk = more;
    m->chunk_capacity = capacity;
  }
  m->chunk[m->nchunk++] = *chunk;
  return true;
}

//---------- unpacking ----------

bool
mcap_chunk_head(cursor_t * c, mcap_chunk_head_t * h)
{
  h->start = (int64_t)get_u64(c);
  h->end = (int64_t)get_u64(c);
  h->uncompressed = get_u64(c);
  h->crc = get_u32(c);
  const span_t how = get_text(c);
  h->size = get_u64(c);
  h->supported = true;
  h->compression = BAG_NONE;
  if (span_is(how, "lz4")) {
    h->compression = BAG_LZ4;
  } else if (span_is(how, "zstd")) {
    h->compression = BAG_ZSTD;
  } else if (!span_is(how, "") && !span_is(how, "none")) {
    h->supported = false;
  }
  return c->ok && h->uncompressed <= MCAP_MAX_PIECE;
}

mcap_got_t
mcap_unpack(mcap_t * m, const mcap_chunk_t * chunk, bytes_t * out)
{
  out->size = 0;
  if (!mcap_read_raw(m, chunk->offset, chunk->size)) {
    return m->raw.failed ? MCAP_NO_MEMORY : MCAP_DAMAGED;
  }
  if (chunk->plain) {
    put_raw(out, m->raw.data, m->raw.size);
    return out->failed ? MCAP_NO_MEMORY : MCAP_GOOD;
  }
  mcap_chunk_head_t h;
  cursor_t c = cursor_of(m->raw.data, m->raw.size);
  const bool head = mcap_chunk_head(&c, &h);
  const span_t data = get_span(&c, h.size);
  if (!head || !c.ok || !h.supported) return MCAP_DAMAGED;
  if (!compress_has(h.compression)) return MCAP_NOT_BUILT;
  m->source.compressions |= 1u << h.compression;
  if (!bytes_reserve(out, (size_t)h.uncompressed + 1)) return MCAP_NO_MEMORY;
  out->size = (size_t)h.uncompressed;
  if (!decompress_bytes(h.compression, data, out->data, out->size)) return MCAP_DAMAGED;
  if (h.crc != 0 && crc32_add(0, out->data, out->size) != h.crc) return MCAP_DAMAGED;
  return MCAP_GOOD;
}

//---------- by the summary ----------

static uint64_t
topics_of_map(const mcap_t * m, span_t map)
{
  cursor_t c = cursor_of(map.data, map.size);
  uint64_t topics = 0;
  if (map.size == 0) return UINT64_MAX;
  while (c.ok && cursor_left(&c) > 0) {
    const uint32_t topic = m->channel[get_u16(&c)];
    get_u64(&c);
    if (topic > 0) topics |= (uint64_t)1 << ((topic - 1) % 64);
  }
  return c.ok ? topics : UINT64_MAX;
}

static bool
take_chunk_index(mcap_t * m, span_t content)
{
  cursor_t c = cursor_of(content.data, content.size);
  mcap_chunk_t chunk = {.start = (int64_t)get_u64(&c), .end = (int64_t)get_u64(&c)};
  const uint64_t offset = get_u64(&c), length = get_u64(&c);
  const span_t map = get_text(&c);
  get_u64(&c);
  const span_t how = get_text(&c);
  if (!c.ok || length < MCAP_HEAD_SIZE || offset > m->size || length > m->size - offset) {
    return false;
  }
  chunk.offset = offset + MCAP_HEAD_SIZE;
  chunk.size = length - MCAP_HEAD_SIZE;
  chunk.topics = topics_of_map(m, map);
  const bag_compression_t compression = span_is(how, "lz4")    ? BAG_LZ4
                                        : span_is(how, "zstd") ? BAG_ZSTD
                                                               : BAG_NONE;
  m->source.compressions |= 1u << compression;
  return mcap_add_chunk(m, &chunk);
}

static bool
take_statistics(mcap_t * m, span_t content)
{
  cursor_t c = cursor_of(content.data, content.size);
  m->source.count = get_u64(&c);
  get_u16(&c);
  get_u32(&c);
  get_u32(&c);
  get_u32(&c);
  get_u32(&c);
  const int64_t start = (int64_t)get_u64(&c), end = (int64_t)get_u64(&c);
  const span_t map = get_text(&c);
  if (m->source.count > 0) {
    m->source.start = start;
    m->source.end = end;
  }
  cursor_t at = cursor_of(map.data, map.size);
  while (at.ok && cursor_left(&at) > 0) {
    const uint32_t topic = m->channel[get_u16(&at)];
    const uint64_t count = get_u64(&at);
    if (topic > 0) m->source.topics.topic[topic - 1].count += count;
  }
  return c.ok && at.ok;
}

// records of one kind; false if one is damaged
static bool
take_group(mcap_t * m, span_t summary, uint8_t wanted, size_t * found)
{
  cursor_t c = cursor_of(summary.data, summary.size);
  *found = 0;
  while (c.ok && cursor_left(&c) > 0) {
    const uint8_t opcode = get_u8(&c);
    const uint64_t length = get_u64(&c);
    const span_t content = get_span(&c, length);
    if (!c.ok) return false;
    if (opcode != wanted) continue;
    bool ok = true;
    if (wanted == MCAP_SCHEMA) ok = mcap_take_schema(m, content);
    if (wanted == MCAP_CHANNEL) ok = mcap_take_channel(m, content);
    if (wanted == MCAP_STATISTICS) ok = *found == 0 && take_statistics(m, content);
    if (wanted == MCAP_CHUNK_INDEX) ok = take_chunk_index(m, content);
    if (!ok) return false;
    ++*found;
  }
  return c.ok;
}

// NULL, or why the summary is of no use
static const char *
read_summary(mcap_t * m)
{
  enum { END = MCAP_HEAD_SIZE + MCAP_FOOTER_SIZE + MCAP_MAGIC_SIZE };
  uint8_t end[END];
  if (m->size < 2 * MCAP_MAGIC_SIZE + END) return "the file is truncated";
  const uint64_t footer = m->size - END;
  if (!mcap_pread(m, footer, end, END)) return "the file cannot be read";
  cursor_t c = cursor_of(end, END);
  const uint8_t opcode = get_u8(&c);
  const uint64_t length = get_u64(&c), start = get_u64(&c);
  get_u64(&c);
  const uint32_t crc = get_u32(&c);
  const bool magic = memcmp(c.at, MCAP_MAGIC, MCAP_MAGIC_SIZE) == 0;
  if (opcode != MCAP_FOOTER || length != MCAP_FOOTER_SIZE || !magic)
    return "the end of the file is missing";
  if (start == 0) return "the file has no index";
  if (start > footer) return "the index is damaged";
  const size_t covered = (size_t)(footer - start) + MCAP_HEAD_SIZE + MCAP_FOOTER_SIZE - 4;
  if (!mcap_read_raw(m, start, covered)) return "the index is damaged";
  if (crc != 0 && crc32_add(0, m->raw.data, covered) != crc) return "the index is damaged";

  const span_t summary = {m->raw.data, (size_t)(footer - start)};
  size_t schemas, channels, statistics, chunks;
  const bool whole = take_group(m, summary, MCAP_SCHEMA, &schemas) &&
                     take_group(m, summary, MCAP_CHANNEL, &channels) &&
                     take_group(m, summary, MCAP_STATISTICS, &statistics) &&
                     take_group(m, summary, MCAP_CHUNK_INDEX, &chunks);
  if (!whole) return "the index is damaged";
  // messages outside of chunks are in no index
  if (statistics == 0 || (chunks == 0 && m->source.count > 0)) return "the file has no index";
  if (channels == 0 && m->source.count > 0) return "the file has no index";
  return NULL;
}

//---------- either ----------

bool
mcap_index(mcap_t * m, bag_error_t * error)
{
  uint8_t magic[MCAP_MAGIC_SIZE];
  if (!mcap_pread(m, 0, magic, sizeof magic) || memcmp(magic, MCAP_MAGIC, sizeof magic) != 0) {
    return bag_fail(error, "not an MCAP file: wrong magic bytes");
  }
  const char * reason = read_summary(m);
  m->source.indexed = reason == NULL;
  if (!reason) return true;
  if (!mcap_scan(m, error)) return false;
  m->damaged_by_scan = m->damaged_chunks;
  if (!m->damage[0] && strcmp(reason, "the file has no index") != 0) {
    snprintf(m->damage, sizeof m->damage, "%s", reason);
  }
  return true;
}
