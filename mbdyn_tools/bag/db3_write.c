// Writing rosbag2's sqlite3 files, in the tables that ROS 2 Humble writes (schema version 3) and
// all later ones read.
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "storage.h"

typedef struct writer {
  sink_t sink;
  sqlite3 * db;
  sqlite3_stmt * insert;
  bool open;  // a transaction
  uint64_t pending;
} writer_t;

static const char TABLES[] =
  "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
  "CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);"
  "CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL,"
  " metadata TEXT NOT NULL);"
  "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
  " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
  "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,"
  " timestamp INTEGER NOT NULL, data BLOB NOT NULL);"
  "CREATE INDEX timestamp_idx ON messages (timestamp ASC);"
  "INSERT INTO schema(schema_version, ros_distro) VALUES (3, 'humble');";

static bool
fail(const writer_t * w, bag_error_t * error)
{
  return bag_fail(error, "cannot write: %.300s", w->db ? sqlite3_errmsg(w->db) : "out of memory");
}

static bool
run_sql(writer_t * w, const char * sql, bag_error_t * error)
{
  return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(w, error);
}

static bool
begin_transaction(writer_t * w, bag_error_t * error)
{
  if (w->open) return true;
  w->open = run_sql(w, "BEGIN", error);
  return w->open;
}

static bool
flush(sink_t * sink, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (!w->open) return true;
  w->open = false;
  w->pending = 0;
  return run_sql(w, "COMMIT", error);
}

static bool
add_topic(sink_t * sink, uint32_t index, const bag_topic_t * topic, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  sqlite3_stmt * s = NULL;
  const char * sql = "INSERT INTO topics VALUES (?, ?, ?, ?, ?)";
  if (!begin_transaction(w, error)) return false;
  if (sqlite3_prepare_v2(w->db, sql, -1, &s, NULL) != SQLITE_OK) return fail(w, error);
  const char * text[4] = {topic->name, topic->type, topic->format, topic->qos};
  sqlite3_bind_int64(s, 1, (sqlite3_int64)index + 1);
  for (int i = 0; i < 4; i++) sqlite3_bind_text(s, i + 2, text[i], -1, SQLITE_STATIC);
  const bool done = sqlite3_step(s) == SQLITE_DONE;
  sqlite3_finalize(s);
  return done ? flush(sink, error) : fail(w, error);
}

static bool
write_message(sink_t * sink, const bag_message_t * m, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (!begin_transaction(w, error)) return false;
  if (m->size > INT32_MAX) return bag_fail(error, "a message of %zu bytes is too long", m->size);
  sqlite3_bind_int64(w->insert, 1, (sqlite3_int64)m->topic + 1);
  sqlite3_bind_int64(w->insert, 2, m->log_time);
  sqlite3_bind_blob(
    w->insert, 3, m->size ? (const void *)m->data : "", (int)m->size, SQLITE_STATIC);
  const int code = sqlite3_step(w->insert);
  sqlite3_reset(w->insert);
  if (code != SQLITE_DONE) return fail(w, error);
  w->sink.bytes += m->size + 16;
  w->pending += m->size + 16;
  return w->pending < (1 << 20) || flush(sink, error);
}

static bool
close_database(sink_t * sink, bag_error_t * error)
{
  writer_t * w = (writer_t *)sink;
  if (!flush(sink, error)) return false;
  sqlite3_finalize(w->insert);
  w->insert = NULL;
  // one file that stands alone
  return run_sql(w, "PRAGMA journal_mode=DELETE", error);
}

static void
free_writer(sink_t * sink)
{
  writer_t * w = (writer_t *)sink;
  sqlite3_finalize(w->insert);
  sqlite3_close(w->db);
  free(w);
}

sink_t *
db3_create(const char * path, const bag_options_t * options, bag_error_t * error)
{
  static const sink_ops_t ops = {add_topic, write_message, flush, close_database, free_writer};
  (void)options;
  const char * sql = "INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?)";
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  writer_t * w = calloc(1, sizeof *w);
  if (!w) {
    bag_fail(error, "out of memory");
    return NULL;
  }
  w->sink.ops = &ops;
  if (
    sqlite3_open_v2(path, &w->db, flags, NULL) == SQLITE_OK && run_sql(w, TABLES, error) &&
    sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &w->insert, NULL) == SQLITE_OK) {
    return &w->sink;
  }
  bag_fail(
    error, "cannot create '%.200s': %.200s", path, w->db ? sqlite3_errmsg(w->db) : "out of memory");
  free_writer(&w->sink);
  return NULL;
}
