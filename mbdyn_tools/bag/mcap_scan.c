// Topics, chunks and times of an MCAP file without summary (its recorder was killed): the records of the
// data section in order, up to the first that is incomplete. A chunk is decompressed only if the message
// indexes after it do not tell what it contains.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compress.h"
#include "mcap.h"
#include "mcap_read.h"

typedef struct scan {
  mcap_chunk_t plain;  // the open stretch of records outside of chunks; size 0: none
  bool
    decompress_all;  // chunks: else only those whose messages cannot be counted by message indexes
  bool skipped;      // a chunk was not decompressed
  bool unknown_channel;  // a message refers to a channel without definition so far
} scan_t;

//---------- chunks by their message indexes ----------

// The number of messages of a topic in one chunk.
typedef struct topic_count {
  uint32_t topic;
  uint64_t count;
} topic_count_t;

// One message index: its times, and its topic and count in m->records. False if damaged or unknown.
static bool
read_message_index(mcap_t * m, const mcap_chunk_head_t * h, mcap_chunk_t * times)
{
  cursor_t c = cursor_of(m->raw.data, m->raw.size);
  const uint16_t channel = get_u16(&c);
  const span_t list = get_text(&c);
  if (!c.ok || cursor_left(&c) > 0 || list.size % 16 != 0 || m->channel[channel] == 0) return false;
  cursor_t at = cursor_of(list.data, list.size);
  while (cursor_left(&at) > 0) {
    const int64_t time = (int64_t)get_u64(&at);
    if (get_u64(&at) >= h->uncompressed) return false;
    if (times->start > times->end) times->start = times->end = time;
    if (time < times->start) times->start = time;
    if (time > times->end) times->end = time;
  }
  const topic_count_t count = {m->channel[channel] - 1, list.size / 16};
  put_raw(&m->records, &count, sizeof count);
  return !m->records.failed;
}

static void
count_messages(mcap_t * m, mcap_chunk_t * chunk)
{
  source_t * s = &m->source;
  for (size_t at = 0; at < m->records.size; at += sizeof(topic_count_t)) {
    topic_count_t t;
    memcpy(&t, m->records.data + at, sizeof t);
    if (t.count == 0) continue;
    chunk->topics |= (uint64_t)1 << (t.topic % 64);
    s->topics.topic[t.topic].count += t.count;
    if (s->count == 0 || chunk->start < s->start) s->start = chunk->start;
    if (s->count == 0 || chunk->end > s->end) s->end = chunk->end;
    s->count += t.count;
  }
}

// Counts the messages of a chunk by the message indexes that follow it, without decompression. False
// if there are none, if their times disagree with the header of the chunk, if they name an unknown
// channel (its definition is in the chunk), or if the file ends there (more indexes may be lost).
static bool
count_by_indexes(mcap_t * m, mcap_chunk_t * chunk)
{
  uint8_t head[64];
  const size_t n = chunk->size < sizeof head ? (size_t)chunk->size : sizeof head;
  mcap_chunk_head_t h;
  cursor_t c = cursor_of(head, n);
  if (!mcap_pread(m, chunk->offset, head, n) || !mcap_chunk_head(&c, &h)) return false;
  const size_t used = n - cursor_left(&c);
  if (h.size != chunk->size - used || !h.supported || !compress_has(h.compression)) return false;

  mcap_chunk_t times = {.start = 1, .end = 0};
  m->records.size = 0;
  for (uint64_t at = chunk->offset + chunk->size;;) {
    if (!mcap_pread(m, at, head, MCAP_HEAD_SIZE)) return false;
    cursor_t record = cursor_of(head, MCAP_HEAD_SIZE);
    const uint8_t opcode = get_u8(&record);
    const uint64_t length = get_u64(&record);
    if (opcode != MCAP_MESSAGE_INDEX) break;
    if (!mcap_read_raw(m, at + MCAP_HEAD_SIZE, length)) return false;
    if (!read_message_index(m, &h, &times)) return false;
    at += MCAP_HEAD_SIZE + length;
  }
  if (times.start > times.end || times.start != h.start || times.end != h.end) return false;
  chunk->start = h.start;
  chunk->end = h.end;
  m->source.compressions |= 1u << h.compression;
  count_messages(m, chunk);
  return true;
}

//---------- records ----------

static void
count_message(mcap_t * m, scan_t * scan, mcap_chunk_t * chunk, uint16_t channel, int64_t time)
{
  const uint32_t topic = m->channel[channel];
  source_t * s = &m->source;
  scan->unknown_channel |= topic == 0;
  if (chunk->topics == 0 || time < chunk->start) chunk->start = time;
  if (chunk->topics == 0 || time > chunk->end) chunk->end = time;
  // a channel that is not known yet may become known further on
  chunk->topics |= topic == 0 ? UINT64_MAX : (uint64_t)1 << ((topic - 1) % 64);
  if (topic == 0) return;
  if (s->count == 0 || time < s->start) s->start = time;
  if (s->count == 0 || time > s->end) s->end = time;
  s->count++;
  s->topics.topic[topic - 1].count++;
}

// schemas, channels and messages of a chunk's records
static bool
scan_records(mcap_t * m, scan_t * scan, span_t records, mcap_chunk_t * chunk)
{
  cursor_t c = cursor_of(records.data, records.size);
  while (cursor_left(&c) > 0) {
    const uint8_t opcode = get_u8(&c);
    const uint64_t length = get_u64(&c);
    const span_t content = get_span(&c, length);
    if (!c.ok) return false;
    if (opcode == MCAP_SCHEMA && !mcap_take_schema(m, content)) return false;
    if (opcode == MCAP_CHANNEL && !mcap_take_channel(m, content)) return false;
    if (opcode != MCAP_MESSAGE) continue;
    if (content.size < MCAP_MESSAGE_HEAD_SIZE) return false;
    cursor_t head = cursor_of(content.data, content.size);
    const uint16_t channel = get_u16(&head);
    get_u32(&head);
    count_message(m, scan, chunk, channel, (int64_t)get_u64(&head));
  }
  return true;
}

static bool
scan_chunk(mcap_t * m, scan_t * scan, uint64_t offset, uint64_t size, bag_error_t * error)
{
  mcap_chunk_t chunk = {.offset = offset, .size = size};
  if (!scan->decompress_all && count_by_indexes(m, &chunk)) {
    scan->skipped = true;
    return mcap_add_chunk(m, &chunk) || bag_fail(error, "out of memory");
  }
  const mcap_got_t got = mcap_unpack(m, &chunk, &m->records);
  if (got == MCAP_NO_MEMORY) return bag_fail(error, "out of memory");
  if (got == MCAP_NOT_BUILT) {
    return bag_fail(
      error,
      "unsupported chunk compression: this program was built without libzstd-dev or liblz4-dev");
  }
  if (
    got == MCAP_DAMAGED ||
    !scan_records(m, scan, (span_t){m->records.data, m->records.size}, &chunk)) {
    // its times may be damaged too
    chunk.start = 1;
    chunk.end = 0;
    mcap_damaged(m, &chunk);
    return true;
  }
  if (chunk.topics == 0) return true;
  return mcap_add_chunk(m, &chunk) || bag_fail(error, "out of memory");
}

static bool
end_plain(mcap_t * m, scan_t * scan, bag_error_t * error)
{
  const mcap_chunk_t plain = scan->plain;
  scan->plain = (mcap_chunk_t){0};
  if (plain.size == 0 || plain.topics == 0) return true;
  return mcap_add_chunk(m, &plain) || bag_fail(error, "out of memory");
}

// a record outside of chunks
static bool
scan_plain(mcap_t * m, scan_t * scan, uint64_t offset, uint64_t size, bag_error_t * error)
{
  if (scan->plain.size > (1 << 20) && !end_plain(m, scan, error)) return false;
  if (scan->plain.size == 0) scan->plain = (mcap_chunk_t){.offset = offset, .plain = true};
  if (!mcap_read_raw(m, offset, size)) return bag_fail(error, "out of memory");
  if (!scan_records(m, scan, (span_t){m->raw.data, m->raw.size}, &scan->plain))
    m->damaged_messages++;
  scan->plain.size = offset + size - scan->plain.offset;
  return true;
}

static void
stop_scan(mcap_t * m, uint64_t at)
{
  snprintf(
    m->damage, sizeof m->damage, "the file is truncated or damaged at byte %" PRIu64 " of %" PRIu64,
    at, m->size);
}

// false with an error; *more is false at the end of the data
static bool
scan_record(mcap_t * m, scan_t * scan, uint64_t * at, bool * more, bag_error_t * error)
{
  uint8_t head[MCAP_HEAD_SIZE];
  *more = false;
  if (*at == m->size) {
    stop_scan(m, *at);
    return true;
  }
  if (!mcap_pread(m, *at, head, sizeof head)) {
    stop_scan(m, *at);
    return true;
  }
  cursor_t c = cursor_of(head, sizeof head);
  const uint8_t opcode = get_u8(&c);
  const uint64_t length = get_u64(&c), content = *at + MCAP_HEAD_SIZE;
  if (opcode == MCAP_DATA_END || opcode == MCAP_FOOTER) return true;
  const bool mine = opcode >= MCAP_SCHEMA && opcode <= MCAP_CHUNK;
  if (opcode == 0 || length > m->size - content || (mine && length > MCAP_MAX_PIECE)) {
    stop_scan(m, *at);
    return true;
  }
  const bool plain = mine && opcode != MCAP_CHUNK;
  if (plain && !scan_plain(m, scan, *at, MCAP_HEAD_SIZE + length, error)) return false;
  if (!plain && !end_plain(m, scan, error)) return false;
  if (opcode == MCAP_CHUNK && !scan_chunk(m, scan, content, length, error)) return false;
  *at = content + length;
  *more = true;
  return true;
}

static void
reset(mcap_t * m)
{
  source_t * s = &m->source;
  m->nchunk = 0;
  m->damaged_chunks = m->damaged_messages = 0;
  m->damage[0] = 0;
  s->count = 0;
  s->start = 1;
  s->end = 0;
  s->compressions = 0;
  for (uint32_t i = 0; i < s->topics.n; i++) s->topics.topic[i].count = 0;
}

static bool
scan_file(mcap_t * m, scan_t * scan, bag_error_t * error)
{
  uint64_t at = MCAP_MAGIC_SIZE;
  reset(m);
  for (bool more = true; more;) {
    if (!scan_record(m, scan, &at, &more, error)) return false;
  }
  return end_plain(m, scan, error);
}

bool
mcap_scan(mcap_t * m, bag_error_t * error)
{
  scan_t scan = {0};
  if (!scan_file(m, &scan, error)) return false;
  if (!scan.skipped || !scan.unknown_channel) return true;
  // the missing definition may be in a chunk that was skipped
  scan = (scan_t){.decompress_all = true};
  return scan_file(m, &scan, error);
}
