// Messages of rosbag2's sqlite3 files of any schema version, in order of time. A damaged file gives
// what can be read before the damage.
#include "db3_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct db3 {
  source_t source;
  sqlite3 * db;
  int64_t * id;  // [topics] number of each in the file
  sqlite3_stmt * read;
  bool done;
  bool no_index;  // the index of times is damaged: sort instead
} db3_t;

//---------- topics ----------

static const char *
column_text(sqlite3_stmt * s, int i)
{
  const unsigned char * text = sqlite3_column_text(s, i);
  return text ? (const char *)text : "";
}

static bool
add_topic(db3_t * d, sqlite3_stmt * s, bool has_qos)
{
  const bag_topic_t topic = {
    .name = column_text(s, 1),
    .type = column_text(s, 2),
    .format = column_text(s, 3),
    .qos = has_qos ? column_text(s, 4) : ""};
  int64_t * more = realloc(d->id, (d->source.topics.n + 1) * sizeof *more);
  if (!more) return false;
  d->id = more;
  more[d->source.topics.n] = sqlite3_column_int64(s, 0);
  return storage_topics_add(&d->source.topics, &topic) != UINT32_MAX;
}

static bool
read_topics(db3_t * d, bag_error_t * error)
{
  sqlite3_stmt * s = NULL;
  // before Foxy there was no QoS
  bool has_qos = true;
  int code = sqlite3_prepare_v2(
    d->db, "SELECT id, name, type, serialization_format, offered_qos_profiles FROM topics", -1, &s,
    NULL);
  if (code == SQLITE_ERROR) {
    has_qos = false;
    code = sqlite3_prepare_v2(
      d->db, "SELECT id, name, type, serialization_format FROM topics", -1, &s, NULL);
  }
  bool memory = true;
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(s);
    if (code == SQLITE_ROW) memory = add_topic(d, s, has_qos);
    if (!memory) break;
  }
  sqlite3_finalize(s);
  if (!memory) return bag_fail(error, "out of memory");
  return code == SQLITE_DONE || bag_fail(error, "%.200s", sqlite3_errmsg(d->db));
}

static int
topic_of(const db3_t * d, int64_t id)
{
  for (uint32_t i = 0; i < d->source.topics.n; i++) {
    if (d->id[i] == id) return (int)i;
  }
  return -1;
}

//---------- counts ----------

static void
note(db3_t * d, const char * what)
{
  snprintf(d->source.note, sizeof d->source.note, "%s: %.150s", what, sqlite3_errmsg(d->db));
}

// a number from the first row; false if there is none
static bool
ask(db3_t * d, const char * sql, int64_t * answer)
{
  sqlite3_stmt * s = NULL;
  const bool row =
    sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
  if (row) *answer = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return row;
}

static void
read_times(db3_t * d)
{
  // one question each, so that each is a look at one end of the index
  const char * first = d->no_index ? "SELECT min(timestamp) FROM messages NOT INDEXED"
                                   : "SELECT timestamp FROM messages ORDER BY timestamp LIMIT 1";
  const char * last = d->no_index
                        ? "SELECT max(timestamp) FROM messages NOT INDEXED"
                        : "SELECT timestamp FROM messages ORDER BY timestamp DESC LIMIT 1";
  int64_t start, end;
  if (!ask(d, first, &start) || !ask(d, last, &end)) return;
  d->source.start = start;
  d->source.end = end;
}

// number of rows, those of no topic too
static int64_t
read_counts(db3_t * d)
{
  sqlite3_stmt * s = NULL;
  const char * sql = "SELECT topic_id, count(*) FROM messages NOT INDEXED GROUP BY topic_id";
  int64_t rows = 0;
  int code = sqlite3_prepare_v2(d->db, sql, -1, &s, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(s);
    if (code != SQLITE_ROW) break;
    const int64_t count = sqlite3_column_int64(s, 1);
    const int topic = topic_of(d, sqlite3_column_int64(s, 0));
    rows += count;
    if (topic < 0) continue;
    d->source.topics.topic[topic].count = (uint64_t)count;
    d->source.count += (uint64_t)count;
  }
  if (code != SQLITE_DONE) note(d, "the file is damaged");
  sqlite3_finalize(s);
  return rows;
}

// sqlite3 does not see it when an index leads elsewhere, and messages would be missing without a
// word: what all times find must be all rows
static void
check_index(db3_t * d, int64_t rows)
{
  int64_t timed = -1;
  const char * sql =
    "SELECT count(*) FROM messages WHERE timestamp BETWEEN -9223372036854775807 AND "
    "9223372036854775807";
  d->no_index = !ask(d, sql, &timed) || timed != rows;
  if (!d->no_index || d->source.note[0]) return;
  snprintf(
    d->source.note, sizeof d->source.note,
    "the file is damaged: its time index has %lld messages, its table %lld; the index is not used",
    (long long)timed, (long long)rows);
}

//---------- messages ----------

// "SELECT ... AND topic_id IN (1, 5) ORDER BY ..."; to be freed
static char *
question(const db3_t * d, const bool * topics)
{
  char * text = NULL;
  size_t size;
  FILE * out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(
    out, "SELECT topic_id, timestamp, data FROM messages%s WHERE timestamp BETWEEN ? AND ?",
    d->no_index ? " NOT INDEXED" : "");
  if (topics) {
    fputs(" AND topic_id IN (", out);
    const char * comma = "";
    for (uint32_t i = 0; i < d->source.topics.n; i++) {
      if (!topics[i]) continue;
      fprintf(out, "%s%lld", comma, (long long)d->id[i]);
      comma = ", ";
    }
    fputc(')', out);
  }
  fputs(" ORDER BY timestamp, id", out);
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

static bool
select_messages(
  source_t * source, const bool * topics, int64_t from, int64_t to, bag_error_t * error)
{
  db3_t * d = (db3_t *)source;
  sqlite3_finalize(d->read);
  d->read = NULL;
  d->done = false;
  char * sql = question(d, topics);
  if (!sql) return bag_fail(error, "out of memory");
  const int code = sqlite3_prepare_v2(d->db, sql, -1, &d->read, NULL);
  free(sql);
  if (code != SQLITE_OK) return bag_fail(error, "%.300s", sqlite3_errmsg(d->db));
  sqlite3_bind_int64(d->read, 1, from);
  sqlite3_bind_int64(d->read, 2, to);
  return true;
}

static int
next(source_t * source, bag_message_t * message, bag_error_t * error)
{
  db3_t * d = (db3_t *)source;
  if (!d->read && !d->done && !select_messages(source, NULL, INT64_MIN, INT64_MAX, error))
    return -1;
  while (!d->done) {
    const int code = sqlite3_step(d->read);
    if (code == SQLITE_NOMEM) return bag_fail(error, "out of memory"), -1;
    if (code != SQLITE_ROW) {
      d->done = true;
      if (code != SQLITE_DONE) note(d, "the file is truncated or damaged; later messages are lost");
      break;
    }
    const int topic = topic_of(d, sqlite3_column_int64(d->read, 0));
    if (topic < 0) continue;
    message->topic = (uint32_t)topic;
    message->log_time = message->publish_time = sqlite3_column_int64(d->read, 1);
    message->data = sqlite3_column_blob(d->read, 2);
    message->size = (size_t)sqlite3_column_bytes(d->read, 2);
    // an empty blob has no address
    if (!message->data) message->data = (const uint8_t *)"";
    return 1;
  }
  return 0;
}

//---------- start and end ----------

static void
free_db3(source_t * source)
{
  db3_t * d = (db3_t *)source;
  sqlite3_finalize(d->read);
  sqlite3_close(d->db);
  free(d->id);
  storage_topics_free(&d->source.topics);
  free(d);
}

// a view or a virtual table may do anything: only plain tables are read
static bool
check_tables(sqlite3 * db, bag_error_t * error)
{
  sqlite3_stmt * s = NULL;
  const char * sql =
    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('topics', 'messages') "
    "AND sql LIKE 'CREATE TABLE%'";
  int count = -1;
  if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
    count = sqlite3_column_int(s, 0);
  }
  if (count < 0) bag_fail(error, "%.200s", sqlite3_errmsg(db));
  sqlite3_finalize(s);
  if (count >= 0 && count != 2)
    bag_fail(error, "it does not contain the tables 'topics' and 'messages'");
  return count == 2;
}

source_t *
db3_open_handle(sqlite3 * db, const char * path, bool quick, bag_error_t * error)
{
  static const source_ops_t ops = {select_messages, next, free_db3};
  bag_error_t why = {"out of memory"};
  db3_t * d = calloc(1, sizeof *d);
  if (d) {
    d->db = db;
    d->source = (source_t){.ops = &ops, .start = 1, .indexed = true, .compressions = 1};
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 28);
    sqlite3_exec(db, "PRAGMA temp_store=FILE", NULL, NULL, NULL);
    if (check_tables(db, &why) && read_topics(d, &why)) {
      if (!quick) check_index(d, read_counts(d));
      read_times(d);
      return &d->source;
    }
    free_db3(&d->source);
  } else {
    sqlite3_close(db);
  }
  bag_fail(error, "'%.200s': not a readable recording: %.200s", path, why.text);
  return NULL;
}

source_t *
db3_open(const char * path, bool quick, bag_error_t * error)
{
  // a recording that was not ended has its last messages beside it, and they are put in place
  char wal[4096];
  snprintf(wal, sizeof wal, "%s-wal", path);
  const bool cut = access(wal, F_OK) == 0 && access(path, W_OK) == 0;
  const int flags = cut ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  sqlite3 * db = NULL;
  if (access(path, R_OK) == 0) {
    if (sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
      return db3_open_handle(db, path, quick, error);
    }
    sqlite3_close(db);
  }
  bag_fail(error, "cannot open '%s'", path);
  return NULL;
}
