// Messages of an MCAP file in order of log time. Chunks that overlap in time are held in memory
// together and merged; those without anything that was asked for are not read at all.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mcap.h"
#include "mcap_read.h"

// bytes of chunks in memory at one time; more overlap than this, and order is given up
#define MAX_LOADED ((size_t)1 << 28)

//---------- damage ----------

static void
write_note(mcap_t * m)
{
  char * note = m->source.note;
  const size_t capacity = sizeof m->source.note;
  size_t n = (size_t)snprintf(note, capacity, "%s", m->damage);
  if (m->damaged_chunks > 0 && n < capacity) {
    const bool several = m->damaged_chunks > 1;
    n += (size_t)snprintf(
      note + n, capacity - n, "%s%" PRIu64 " damaged chunk%s skipped, %sat byte %" PRIu64,
      n ? "; " : "", m->damaged_chunks, several ? "s" : "", several ? "the first " : "",
      m->first_damaged.offset);
  }
  const mcap_chunk_t * first = &m->first_damaged;
  if (m->damaged_chunks > 0 && first->start <= first->end && n < capacity) {
    const int64_t zero = m->source.start;
    n += (size_t)snprintf(
      note + n, capacity - n, " (%.3f s to %.3f s)", 1e-9 * (double)(first->start - zero),
      1e-9 * (double)(first->end - zero));
  }
  if (m->damaged_messages > 0 && n < capacity) {
    n += (size_t)snprintf(
      note + n, capacity - n, "%s%" PRIu64 " damaged message%s skipped", n ? "; " : "",
      m->damaged_messages, m->damaged_messages > 1 ? "s" : "");
  }
  if (m->unordered > 0 && n < capacity) {
    snprintf(note + n, capacity - n, "%smessages are not sorted by time", n ? "; " : "");
  }
}

void
mcap_damaged(mcap_t * m, const mcap_chunk_t * chunk)
{
  if (m->damaged_chunks++ == 0) m->first_damaged = *chunk;
}

//---------- loading ----------

static int
by_time(const void * a, const void * b)
{
  const mcap_entry_t *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool
add_entry(mcap_loaded_t * l, const mcap_entry_t * entry)
{
  if (l->nentry == l->entry_capacity) {
    const size_t capacity = l->entry_capacity ? 2 * l->entry_capacity : 256;
    mcap_entry_t * more = realloc(l->entry, capacity * sizeof *more);
    if (!more) return false;
    l->entry = more;
    l->entry_capacity = capacity;
  }
  l->entry[l->nentry++] = *entry;
  return true;
}

// one message's place, if it is asked for; false if out of memory
static bool
take_message(mcap_t * m, mcap_loaded_t * l, span_t content, uint32_t offset)
{
  if (content.size < MCAP_MESSAGE_HEAD_SIZE) {
    m->damaged_messages++;
    return true;
  }
  cursor_t c = cursor_of(content.data, content.size);
  const uint32_t topic = m->channel[get_u16(&c)];
  get_u32(&c);
  const int64_t time = (int64_t)get_u64(&c);
  if (topic == 0) {
    m->damaged_messages++;
    return true;
  }
  if (time < m->from || time > m->to || (m->wanted && !m->wanted[topic - 1])) return true;
  return add_entry(l, &(mcap_entry_t){time, offset, topic - 1});
}

static bool
list_messages(mcap_t * m, mcap_loaded_t * l)
{
  l->nentry = 0;
  l->next = 0;
  bool sorted = true;
  cursor_t c = cursor_of(l->records, l->size);
  while (cursor_left(&c) > 0) {
    const size_t offset = (size_t)(c.at - l->records);
    const uint8_t opcode = get_u8(&c);
    const uint64_t length = get_u64(&c);
    const span_t content = get_span(&c, length);
    if (!c.ok) {
      m->damaged_messages++;
      break;
    }
    const size_t before = l->nentry;
    if (opcode == MCAP_MESSAGE && !take_message(m, l, content, (uint32_t)offset)) return false;
    if (before > 0 && l->nentry > before && l->entry[before].time < l->entry[before - 1].time) {
      sorted = false;
    }
  }
  if (!sorted) qsort(l->entry, l->nentry, sizeof *l->entry, by_time);
  return true;
}

static mcap_loaded_t *
free_place(mcap_t * m)
{
  for (size_t i = 0; i < m->nloaded; i++) {
    if (!m->loaded[i].used) return &m->loaded[i];
  }
  mcap_loaded_t * more = realloc(m->loaded, (m->nloaded + 1) * sizeof *more);
  if (!more) return NULL;
  m->loaded = more;
  more[m->nloaded] = (mcap_loaded_t){0};
  return &more[m->nloaded++];
}

static bool
load_chunk(mcap_t * m, size_t index, bag_error_t * error)
{
  mcap_loaded_t * l = free_place(m);
  if (!l) return bag_fail(error, "out of memory");
  bytes_t records = {.data = l->records, .capacity = l->capacity};
  const mcap_got_t got = mcap_unpack(m, &m->chunk[index], &records);
  l->records = records.data;
  l->size = records.size;
  l->capacity = records.capacity;
  if (got == MCAP_NO_MEMORY) return bag_fail(error, "out of memory");
  if (got == MCAP_NOT_BUILT) {
    return bag_fail(
      error,
      "unsupported chunk compression: this program was built without libzstd-dev or liblz4-dev");
  }
  if (got == MCAP_DAMAGED) {
    mcap_damaged(m, &m->chunk[index]);
    write_note(m);
    return true;
  }
  if (!list_messages(m, l)) return bag_fail(error, "out of memory");
  l->used = l->nentry > 0;
  l->order = index;
  return true;
}

//---------- in order ----------

// the loaded chunk with the earliest message; NULL: none
static mcap_loaded_t *
earliest(mcap_t * m)
{
  mcap_loaded_t * best = NULL;
  for (size_t i = 0; i < m->nloaded; i++) {
    mcap_loaded_t * l = &m->loaded[i];
    if (!l->used) continue;
    const int64_t a = l->entry[l->next].time, b = best ? best->entry[best->next].time : 0;
    if (!best || a < b || (a == b && l->order < best->order)) best = l;
  }
  return best;
}

static bool
is_wanted(const mcap_t * m, const mcap_chunk_t * chunk)
{
  if (chunk->end < m->from || chunk->start > m->to) return false;
  if (!m->wanted) return true;
  for (uint32_t i = 0; i < m->source.topics.n; i++) {
    if (m->wanted[i] && chunk->topics >> (i % 64) & 1) return true;
  }
  return false;
}

static size_t
loaded_bytes(const mcap_t * m)
{
  size_t sum = 0;
  for (size_t i = 0; i < m->nloaded; i++) sum += m->loaded[i].used ? m->loaded[i].size : 0;
  return sum;
}

// all chunks that may have something earlier than what is loaded
static bool
load_enough(mcap_t * m, bag_error_t * error)
{
  while (m->next_chunk < m->nchunk) {
    const mcap_chunk_t * chunk = &m->chunk[m->next_chunk];
    const mcap_loaded_t * l = earliest(m);
    if (l && chunk->start > l->entry[l->next].time) return true;
    if (l && loaded_bytes(m) > MAX_LOADED) {
      m->unordered++;
      return true;
    }
    const size_t index = m->next_chunk++;
    if (is_wanted(m, chunk) && !load_chunk(m, index, error)) return false;
  }
  return true;
}

static void
read_message(const mcap_loaded_t * l, const mcap_entry_t * e, bag_message_t * message)
{
  const uint8_t * record = l->records + e->offset;
  cursor_t c = cursor_of(record + 1, 8 + MCAP_MESSAGE_HEAD_SIZE);
  const uint64_t length = get_u64(&c);
  get_u16(&c);
  get_u32(&c);
  get_u64(&c);
  message->topic = e->topic;
  message->log_time = e->time;
  message->publish_time = (int64_t)get_u64(&c);
  message->data = record + MCAP_HEAD_SIZE + MCAP_MESSAGE_HEAD_SIZE;
  message->size = (size_t)length - MCAP_MESSAGE_HEAD_SIZE;
}

static int
next(source_t * source, bag_message_t * message, bag_error_t * error)
{
  mcap_t * m = (mcap_t *)source;
  // the chunk of the last message was kept for its bytes
  if (m->current < m->nloaded) {
    mcap_loaded_t * last = &m->loaded[m->current];
    if (last->used && last->next >= last->nentry) last->used = false;
  }
  if (!load_enough(m, error)) return -1;
  mcap_loaded_t * l = earliest(m);
  if (!l) {
    write_note(m);
    return 0;
  }
  read_message(l, &l->entry[l->next], message);
  l->next++;
  m->current = (uint32_t)(l - m->loaded);
  return 1;
}

static bool
select_messages(
  source_t * source, const bool * topics, int64_t from, int64_t to, bag_error_t * error)
{
  mcap_t * m = (mcap_t *)source;
  (void)error;
  if (topics && m->wanted_copy) memcpy(m->wanted_copy, topics, m->source.topics.n * sizeof *topics);
  m->wanted = topics ? m->wanted_copy : NULL;
  m->from = from;
  m->to = to;
  m->next_chunk = 0;
  m->current = UINT32_MAX;
  m->damaged_chunks = m->damaged_by_scan;
  m->damaged_messages = 0;
  for (size_t i = 0; i < m->nloaded; i++) m->loaded[i].used = false;
  return true;
}

//---------- start and end ----------

static void
free_mcap(source_t * source)
{
  mcap_t * m = (mcap_t *)source;
  if (m->fd >= 0) close(m->fd);
  for (size_t i = 0; i < m->nloaded; i++) {
    free(m->loaded[i].records);
    free(m->loaded[i].entry);
  }
  for (size_t i = 0; i < m->nschema; i++) {
    free(m->schema[i].name);
    free(m->schema[i].encoding);
    free(m->schema[i].text);
  }
  free(m->loaded);
  free(m->schema);
  free(m->chunk);
  free(m->channel);
  free(m->wanted_copy);
  bytes_free(&m->raw);
  bytes_free(&m->records);
  storage_topics_free(&m->source.topics);
  free(m);
}

static int
by_start(const void * a, const void * b)
{
  const mcap_chunk_t *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

source_t *
mcap_open_fd(int fd, const char * path, bag_error_t * error)
{
  static const source_ops_t ops = {select_messages, next, free_mcap};
  bag_error_t why = {"out of memory"};
  struct stat status;
  mcap_t * m = calloc(1, sizeof *m);
  if (!m) {
    close(fd);
    bag_fail(error, "'%s': out of memory", path);
    return NULL;
  }
  m->fd = fd;
  m->source = (source_t){.ops = &ops, .start = 1, .end = 0};
  m->channel = calloc(65536, sizeof *m->channel);
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    bag_fail(&why, "not a file");
  } else if (m->channel) {
    m->size = (uint64_t)status.st_size;
    if (mcap_index(m, &why)) m->wanted_copy = calloc(m->source.topics.n + 1, sizeof(bool));
  }
  if (!m->wanted_copy) {
    bag_fail(error, "'%.200s': %.200s", path, why.text);
    free_mcap(&m->source);
    return NULL;
  }
  if (m->nchunk > 1) qsort(m->chunk, m->nchunk, sizeof *m->chunk, by_start);
  select_messages(&m->source, NULL, INT64_MIN, INT64_MAX, error);
  write_note(m);
  return &m->source;
}

source_t *
mcap_open(const char * path, bag_error_t * error)
{
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) return mcap_open_fd(fd, path, error);
  bag_fail(error, "cannot open '%s': %s", path, strerror(errno));
  return NULL;
}
