// Recordings: what was written is read again, whole; what is cut or damaged gives what is whole.
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bag.h"
#include "tally.h"

enum { NTOPIC = 3, COUNT = 600 };

static char folder[64];

//---------- known content ----------

static uint32_t
hash(uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// message i: its number and then bytes that follow from it; times step back now and then
typedef struct known {
  int64_t time;
  uint32_t topic;
  size_t size;
  uint8_t data[300];
} known_t;

static known_t
known(uint32_t i)
{
  known_t k = {.topic = hash(i) % NTOPIC, .size = 8 + hash(i + 7) % 200};
  k.time = 1000000 + (int64_t)i * 1000 - (int64_t)(hash(i + 3) % 40) * 1000;
  memcpy(k.data, &i, sizeof i);
  for (size_t b = 4; b < k.size; b++) k.data[b] = (uint8_t)(i * 3 + b % 17);
  return k;
}

static const char * const NAMES[NTOPIC] = {"/a", "/b/c", "/robot_description"};
static const char * const TYPES[NTOPIC] = {
  "sensor_msgs/msg/JointState", "unknown_msgs/msg/X", "std_msgs/msg/String"};

static void
add_topics(bag_writer_t * w)
{
  bag_error_t error;
  for (uint32_t i = 0; i < NTOPIC; i++) {
    char * text = bag_definition(TYPES[i]);
    const bag_topic_t t = {
      .name = NAMES[i],
      .type = TYPES[i],
      .format = "cdr",
      .qos = "- history: 1\n  \"q\": 2\n",
      .definition = text};
    uint32_t index;
    assert_true(bag_add_topic(w, &t, &index, &error));
    assert_int_equal(index, i);
    free(text);
  }
}

static void
write_known(bag_writer_t * w, uint32_t count)
{
  bag_error_t error;
  for (uint32_t i = 0; i < count; i++) {
    const known_t k = known(i);
    const bag_message_t m = {k.topic, k.time, k.time - 11, k.data, k.size};
    assert_true(bag_write(w, &m, &error));
  }
}

static const char *
path_of(const char * name)
{
  static char path[4][256];
  static int at;
  at = (at + 1) % 4;
  snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
  return path[at];
}

static void
make(const char * name, bag_format_t format, bag_compression_t compression)
{
  const bag_options_t options = {format, compression, 2048};
  bag_error_t error = {""};
  bag_writer_t * w = bag_create(path_of(name), &options, &error);
  assert_string_equal(error.text, "");
  assert_non_null(w);
  add_topics(w);
  write_known(w, COUNT);
  assert_int_equal(bag_written_messages(w), COUNT);
  assert_true(bag_close(w, &error));
}

static void
spit(const char * path, const uint8_t * data, size_t size)
{
  FILE * out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(data, 1, size, out), size);
  fclose(out);
}

//---------- reading it again ----------

// reads all that is asked for, each checked against what is known, in order of time; how many
static uint32_t
read_all(bag_reader_t * r, bool publish_times, bool * seen)
{
  bag_message_t m;
  bag_error_t error;
  uint32_t count = 0;
  int64_t last = INT64_MIN;
  int got;
  while ((got = bag_next(r, &m, &error)) > 0) {
    uint32_t i;
    assert_true(m.size >= sizeof i);
    memcpy(&i, m.data, sizeof i);
    assert_true(i < COUNT);
    const known_t k = known(i);
    assert_int_equal(m.size, k.size);
    assert_memory_equal(m.data, k.data, k.size);
    assert_int_equal(m.log_time, k.time);
    if (publish_times) assert_int_equal(m.publish_time, k.time - 11);
    assert_string_equal(bag_info(r)->topic[m.topic].name, NAMES[k.topic]);
    assert_true(m.log_time >= last);
    last = m.log_time;
    if (seen) {
      assert_false(seen[i]);
      seen[i] = true;
    }
    count++;
  }
  assert_int_equal(got, 0);
  return count;
}

static void
check_info(const bag_reader_t * r, bag_format_t format, bag_compression_t compression)
{
  const bag_info_t * info = bag_info(r);
  assert_int_equal(info->format, format);
  assert_int_equal(info->ntopic, NTOPIC);
  assert_int_equal(info->count, COUNT);
  assert_true(info->indexed);
  assert_string_equal(info->messages, bag_compression_name(compression));
  uint64_t count[NTOPIC] = {0};
  int64_t start = INT64_MAX, end = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    const known_t k = known(i);
    count[k.topic]++;
    if (k.time < start) start = k.time;
    if (k.time > end) end = k.time;
  }
  assert_int_equal(info->start, start);
  assert_int_equal(info->end, end);
  for (uint32_t i = 0; i < NTOPIC; i++) {
    assert_string_equal(info->topic[i].name, NAMES[i]);
    assert_string_equal(info->topic[i].type, TYPES[i]);
    assert_string_equal(info->topic[i].qos, "- history: 1\n  \"q\": 2\n");
    assert_int_equal(info->topic[i].count, count[i]);
  }
}

// topics and times that are asked for, and the same again from the start
static void
check_select(bag_reader_t * r)
{
  bag_error_t error;
  const bool wanted[NTOPIC] = {false, true, true};
  const int64_t from = 1100000, to = 1300000;
  uint32_t expected = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    const known_t k = known(i);
    expected += wanted[k.topic] && k.time >= from && k.time <= to;
  }
  assert_true(expected > 50);
  for (int i = 0; i < 2; i++) {
    assert_true(bag_select(r, wanted, from, to, &error));
    assert_int_equal(read_all(r, false, NULL), expected);
  }
  assert_true(bag_select(r, NULL, INT64_MAX - 1, INT64_MAX, &error));
  assert_int_equal(read_all(r, false, NULL), 0);
}

static void
check_round_trip(const char * name, bag_format_t format, bag_compression_t compression)
{
  bag_error_t error;
  make(name, format, compression);
  bag_reader_t * r = bag_open(path_of(name), &error);
  assert_non_null(r);
  check_info(r, format, compression);
  bool seen[COUNT] = {false};
  assert_int_equal(read_all(r, format == BAG_MCAP, seen), COUNT);
  assert_string_equal(bag_note(r), "");
  check_select(r);
  bag_free(r);
}

static void
test_round_trips(void ** state)
{
  (void)state;
  check_round_trip("mcap_none", BAG_MCAP, BAG_NONE);
  check_round_trip("mcap_lz4", BAG_MCAP, BAG_LZ4);
  check_round_trip("mcap_zstd", BAG_MCAP, BAG_ZSTD);
  check_round_trip("sqlite3", BAG_SQLITE3, BAG_NONE);
}

static void
test_single_files(void ** state)
{
  (void)state;
  bag_error_t error;
  const char * files[2] = {"mcap_lz4/mcap_lz4_0.mcap", "sqlite3/sqlite3_0.db3"};
  for (int i = 0; i < 2; i++) {
    bag_reader_t * r = bag_open(path_of(files[i]), &error);
    assert_non_null(r);
    assert_int_equal(read_all(r, false, NULL), COUNT);
    bag_free(r);
  }
}

// the same messages and times, but sqlite3's are not counted
static void
test_quick(void ** state)
{
  (void)state;
  bag_error_t error;
  const char * names[2] = {"mcap_zstd", "sqlite3"};
  for (int i = 0; i < 2; i++) {
    bag_reader_t *r = bag_open_quick(path_of(names[i]), &error), *whole;
    assert_non_null(r);
    whole = bag_open(path_of(names[i]), &error);
    assert_int_equal(bag_info(r)->start, bag_info(whole)->start);
    assert_int_equal(bag_info(r)->end, bag_info(whole)->end);
    assert_int_equal(bag_info(r)->count, i ? 0 : COUNT);
    assert_int_equal(read_all(r, false, NULL), COUNT);
    bag_free(whole);
    bag_free(r);
  }
}

// a recording that was split: the first half of its time in one file, the rest in another
static void
make_half(const char * name, bag_format_t format, bool second)
{
  const bag_options_t options = {format, BAG_NONE, 2048};
  bag_error_t error;
  bag_writer_t * w = bag_create(path_of(name), &options, &error);
  assert_non_null(w);
  add_topics(w);
  for (uint32_t i = 0; i < COUNT; i++) {
    const known_t k = known(i);
    if ((k.time >= 1300000) != second) continue;
    assert_true(
      bag_write(w, &(bag_message_t){k.topic, k.time, k.time - 11, k.data, k.size}, &error));
  }
  assert_true(bag_close(w, &error));
}

static void
test_split(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    const char * end = i ? "db3" : "mcap";
    char halves[2][32], command[512], text[256];
    for (int k = 0; k < 2; k++) {
      snprintf(halves[k], sizeof halves[k], "half_%s_%d", end, k);
      make_half(halves[k], i ? BAG_SQLITE3 : BAG_MCAP, k == 1);
    }
    snprintf(
      command, sizeof command, "cd '%s' && mv %s/%s_0.%s %s/ && ls %s > /dev/null", folder,
      halves[1], halves[1], end, halves[0], halves[0]);
    assert_int_equal(system(command), 0);
    const int n = snprintf(
      text, sizeof text,
      "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n    - %s_0.%s\n"
      "    - '%s_0.%s'\n  compression_format: \"\"\n",
      halves[0], end, halves[1], end);
    char path[64];
    snprintf(path, sizeof path, "%s/metadata.yaml", halves[0]);
    spit(path_of(path), (const uint8_t *)text, (size_t)n);
    bag_error_t error = {""};
    bag_reader_t * r = bag_open(path_of(halves[0]), &error);
    assert_string_equal(error.text, "");
    assert_non_null(r);
    assert_int_equal(bag_info(r)->nfile, 2);
    bool seen[COUNT] = {false};
    check_info(r, i ? BAG_SQLITE3 : BAG_MCAP, BAG_NONE);
    assert_int_equal(read_all(r, false, seen), COUNT);
    check_select(r);
    bag_free(r);
  }
}

static void
test_empty(void ** state)
{
  (void)state;
  bag_error_t error;
  for (int i = 0; i < 2; i++) {
    const bag_options_t options = {i ? BAG_SQLITE3 : BAG_MCAP, BAG_NONE, 0};
    const char * path = path_of(i ? "empty_sqlite3" : "empty_mcap");
    bag_writer_t * w = bag_create(path, &options, &error);
    assert_non_null(w);
    assert_true(bag_close(w, &error));
    bag_reader_t * r = bag_open(path, &error);
    assert_non_null(r);
    assert_int_equal(bag_info(r)->count, 0);
    assert_int_equal(bag_info(r)->start, 0);
    bag_message_t m;
    assert_int_equal(bag_next(r, &m, &error), 0);
    bag_free(r);
  }
}

// names that are no plain text of YAML: metadata.yaml still lists the file
static void
test_odd_names(void ** state)
{
  (void)state;
  static const char * const ODD[] = {"a: b", "#1", "- x", "{y", "\"z\"", "'q", "back\\slash", "-"};
  for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++) {
    const bag_options_t options = {BAG_MCAP, BAG_NONE, 0};
    bag_error_t error = {""};
    bag_writer_t * w = bag_create(path_of(ODD[i]), &options, &error);
    assert_non_null(w);
    assert_true(bag_close(w, &error));
    bag_reader_t * r = bag_open(path_of(ODD[i]), &error);
    assert_string_equal(error.text, "");
    assert_non_null(r);
    assert_int_equal(bag_info(r)->nfile, 1);
    assert_string_equal(bag_note(r), "");  // as it would say if metadata.yaml were missing
    bag_free(r);
  }
}

//---------- cut and damaged ----------

typedef struct bytes {
  uint8_t * data;
  size_t size;
} file_t;

static file_t
slurp(const char * path)
{
  FILE * in = fopen(path, "rb");
  assert_non_null(in);
  file_t f = {malloc(1 << 20), 0};
  f.size = fread(f.data, 1, 1 << 20, in);
  fclose(in);
  assert_true(f.size > 1000 && f.size < 1 << 20);
  return f;
}

static uint64_t
number(const uint8_t * at)
{
  uint64_t x = 0;
  for (int i = 7; i >= 0; i--) x = x << 8 | at[i];
  return x;
}

// where each chunk begins and ends, and its messages, by a walk over the records of a whole file
typedef struct chunks {
  size_t begin[200], end[200];
  uint32_t messages[200];
  int n;
} chunks_t;

static chunks_t
walk(const file_t * f)
{
  chunks_t c = {.n = 0};
  for (size_t at = 8; f->data[at] != 0x0f;) {
    const uint8_t opcode = f->data[at];
    const size_t length = (size_t)number(f->data + at + 1);
    if (opcode == 6) {
      c.begin[c.n] = at;
      c.end[c.n++] = at + 9 + length;
    }
    // an index has 16 bytes for each message
    if (opcode == 7) c.messages[c.n - 1] += (uint32_t)(length - 6) / 16;
    at += 9 + length;
  }
  return c;
}

static void
check_prefix(const file_t * f, const chunks_t * c, size_t size)
{
  bag_error_t error = {""};
  const char * path = path_of("cut.mcap");
  spit(path, f->data, size);
  uint32_t whole = 0;
  for (int i = 0; i < c->n; i++) whole += c->end[i] <= size ? c->messages[i] : 0;
  bag_reader_t * r = bag_open(path, &error);
  if (size < 8) {
    assert_null(r);
    assert_non_null(strstr(error.text, "not an MCAP file"));
    return;
  }
  assert_non_null(r);
  assert_int_equal(read_all(r, true, NULL), whole);
  if (size < f->size) assert_true(bag_note(r)[0] != '\0');
  bag_free(r);
}

static void
test_every_prefix(void ** state)
{
  (void)state;
  const char * files[3] = {
    "mcap_none/mcap_none_0.mcap", "mcap_lz4/mcap_lz4_0.mcap", "mcap_zstd/mcap_zstd_0.mcap"};
  for (int i = 0; i < 3; i++) {
    file_t f = slurp(path_of(files[i]));
    const chunks_t c = walk(&f);
    assert_true(c.n > 10);
    // every byte at both ends and around the first chunks, then in steps
    for (size_t n = 0; n <= f.size;) {
      check_prefix(&f, &c, n);
      const bool fine = i == 0 ? n < 200 || n + 120 > f.size : n + 60 > f.size;
      const bool border = n + 2 > c.end[3] && n < c.end[3] + 2;
      n += fine || border ? 1 : n + 2 > c.end[3] || n + 211 < c.end[3] ? 211 : c.end[3] - 1 - n;
    }
    check_prefix(&f, &c, f.size);
    free(f.data);
  }
}

// one chunk is damaged: all others are there, and it is said
static void
test_damaged_chunk(void ** state)
{
  (void)state;
  bag_error_t error;
  const char * files[3] = {
    "mcap_none/mcap_none_0.mcap", "mcap_lz4/mcap_lz4_0.mcap", "mcap_zstd/mcap_zstd_0.mcap"};
  for (int i = 0; i < 3; i++) {
    file_t f = slurp(path_of(files[i]));
    const chunks_t c = walk(&f);
    for (int k = 0; k < c.n; k++) {
      const size_t at = c.begin[k] + 70 + (c.end[k] - c.begin[k] - 80) / 2;
      f.data[at] ^= 0x41;
      spit(path_of("bad.mcap"), f.data, f.size);
      // with its index, and without
      for (int cut = 0; cut < 2; cut++) {
        if (cut) spit(path_of("bad.mcap"), f.data, f.size - 1);
        bag_reader_t * r = bag_open(path_of("bad.mcap"), &error);
        assert_non_null(r);
        assert_int_equal(read_all(r, true, NULL), COUNT - c.messages[k]);
        assert_non_null(strstr(bag_note(r), "1 damaged chunk skipped, at byte "));
        // where the content of its record begins, and its times
        const char * byte = strstr(bag_note(r), "byte ");
        assert_int_equal(strtoul(byte + 5, NULL, 10), c.begin[k] + 9);
        assert_non_null(strstr(byte, " s to "));
        bag_free(r);
      }
      f.data[at] ^= 0x41;
    }
    free(f.data);
  }
}

// any bytes may be wrong: it ends, and says something or gives messages
static void
test_random_damage(void ** state)
{
  (void)state;
  const char * files[3] = {
    "mcap_none/mcap_none_0.mcap", "mcap_zstd/mcap_zstd_0.mcap", "sqlite3/sqlite3_0.db3"};
  tally_t opened = {0};
  for (uint32_t i = 0; i < 600; i++) {
    const char * path = path_of(i % 3 == 2 ? "bad.db3" : "bad.mcap");
    file_t f = slurp(path_of(files[i % 3]));
    for (uint32_t k = 0; k < 1 + i % 8; k++) {
      const size_t at = hash(i * 16 + k) % f.size;
      // half of them in the first part, where the structure is
      f.data[k % 2 ? at % 600 : at] = (uint8_t)hash(i * 16 + k + 99999);
    }
    spit(path, f.data, f.size);
    free(f.data);
    bag_error_t error = {""};
    bag_reader_t * r = bag_open(path, &error);
    if (!tally(&opened, r != NULL)) {
      assert_true(error.text[0] != '\0');
      continue;
    }
    bag_message_t m;
    uint64_t count = 0;
    int got;
    while ((got = bag_next(r, &m, &error)) > 0) count++;
    assert_true(count <= COUNT);
    assert_true(got == 0 || error.text[0] != '\0');
    bag_free(r);
  }
  assert_enough(&opened, 0.25);
}

static void
test_cut_sqlite3(void ** state)
{
  (void)state;
  file_t f = slurp(path_of("sqlite3/sqlite3_0.db3"));
  uint32_t most = 0;
  for (size_t n = 0; n <= f.size; n += 1531) {
    bag_error_t error = {""};
    spit(path_of("cut.db3"), f.data, n);
    bag_reader_t * r = bag_open(path_of("cut.db3"), &error);
    if (!r) {
      assert_true(error.text[0] != '\0');
      continue;
    }
    const uint32_t count = read_all(r, false, NULL);
    if (count > most) most = count;
    if (count < COUNT) assert_true(bag_note(r)[0] != '\0');
    bag_free(r);
  }
  assert_true(most > 100);
  free(f.data);
}

// an index that leads to an empty page: no message is lost for it
static void
test_index_misleads(void ** state)
{
  (void)state;
  file_t f = slurp(path_of("sqlite3/sqlite3_0.db3"));
  char path[512];
  snprintf(path, sizeof path, "%s", path_of("misled.db3"));
  spit(path, f.data, f.size);
  free(f.data);
  sqlite3 * db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  const char * damage =
    "CREATE TABLE empty(x); CREATE INDEX void_idx ON empty(x); PRAGMA writable_schema = 1;"
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master "
    "WHERE name = 'void_idx') WHERE name = 'timestamp_idx'";
  const int code = sqlite3_exec(db, damage, NULL, NULL, NULL);
  assert_string_equal(code == SQLITE_OK ? "" : sqlite3_errmsg(db), "");
  sqlite3_close(db);
  bag_error_t error = {""};
  bag_reader_t * r = bag_open(path, &error);
  assert_non_null(r);
  assert_int_equal(read_all(r, false, NULL), COUNT);
  assert_non_null(strstr(bag_note(r), "the index is not used"));
  bag_free(r);
}

// a recorder that is killed
static void
test_killed(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    const char * path = path_of(i ? "killed_sqlite3" : "killed_mcap");
    const pid_t child = fork();
    if (child == 0) {
      const bag_options_t options = {i ? BAG_SQLITE3 : BAG_MCAP, i ? BAG_NONE : BAG_ZSTD, 0};
      bag_error_t error;
      bag_writer_t * w = bag_create(path, &options, &error);
      add_topics(w);
      write_known(w, 400);
      if (!bag_flush(w, &error)) _exit(1);
      const known_t k = known(400);
      bag_write(w, &(bag_message_t){k.topic, k.time, k.time, k.data, k.size}, &error);
      raise(SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    bag_error_t error;
    bag_reader_t * r = bag_open(path, &error);
    assert_non_null(r);
    assert_int_equal(read_all(r, false, NULL), 400);
    assert_non_null(strstr(bag_note(r), "metadata.yaml"));
    bag_free(r);
  }
}

//---------- trouble ----------

static void
test_refusals(void ** state)
{
  (void)state;
  bag_error_t error;
  const bag_options_t options = {BAG_MCAP, BAG_NONE, 0};
  assert_null(bag_create(path_of("mcap_none"), &options, &error));
  assert_non_null(strstr(error.text, "it exists"));
  assert_null(bag_create("/nonexistent/folder/x", &options, &error));
  assert_non_null(strstr(error.text, "No such file"));
  assert_null(bag_open(path_of("nothing_here"), &error));
  assert_non_null(strstr(error.text, "No such file"));
  spit(path_of("text.txt"), (const uint8_t *)"hello", 5);
  assert_null(bag_open(path_of("text.txt"), &error));
  assert_non_null(strstr(error.text, "expected a folder, a .mcap or a .db3 file"));
  spit(path_of("text.db3"), (const uint8_t *)"hello, this is text", 19);
  assert_null(bag_open(path_of("text.db3"), &error));
  mkdir(path_of("no_bag"), 0777);
  assert_null(bag_open(path_of("no_bag"), &error));
  assert_non_null(strstr(error.text, "no metadata.yaml"));
  const char * text = "rosbag2_bagfile_information:\n  compression_format: zstd\n";
  spit(path_of("no_bag/metadata.yaml"), (const uint8_t *)text, strlen(text));
  assert_null(bag_open(path_of("no_bag"), &error));
  assert_non_null(strstr(error.text, "ros2 bag convert"));
}

// a full disk, made by a limit on the size of files
static void
test_full_disk(void ** state)
{
  (void)state;
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_IGN);
  for (int i = 0; i < 2; i++) {
    const bag_options_t options = {i ? BAG_SQLITE3 : BAG_MCAP, BAG_NONE, 2048};
    bag_error_t error = {""};
    bag_writer_t * w = bag_create(path_of(i ? "full_sqlite3" : "full_mcap"), &options, &error);
    assert_non_null(w);
    add_topics(w);
    small = old;
    small.rlim_cur = i ? 200000 : 20000;
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = true;
    for (uint32_t k = 0; ok && k < 100000; k++) {
      const known_t x = known(k);
      ok = bag_write(w, &(bag_message_t){x.topic, x.time, x.time, x.data, x.size}, &error);
    }
    const bool closed = bag_close(w, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(ok);
    assert_false(closed);
    assert_non_null(strstr(error.text, "cannot write"));
  }
}

static void
test_definitions(void ** state)
{
  (void)state;
  char * text = bag_definition("sensor_msgs/msg/JointState");
  assert_non_null(text);
  assert_non_null(strstr(text, "float64[] effort"));
  const char * header = strstr(text, "\nMSG: std_msgs/Header\n");
  assert_non_null(header);
  assert_memory_equal(header - 80, "========", 8);
  assert_non_null(strstr(text, "\nMSG: builtin_interfaces/Time\n"));
  free(text);
  text = bag_definition("mbdyn/msg/JointDynamicsArray");
  assert_non_null(text);
  assert_non_null(strstr(text, "\nMSG: mbdyn/JointDynamics\n"));
  free(text);
  assert_null(bag_definition("unknown_msgs/msg/X"));
  assert_null(bag_definition("nonsense"));
}

static int
setup(void ** state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/mbdyn_test_bag_XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int
teardown(void ** state)
{
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

int
main(void)
{
  // the files of the first are used by others
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_single_files),
    cmocka_unit_test(test_quick),         cmocka_unit_test(test_split),
    cmocka_unit_test(test_empty),         cmocka_unit_test(test_every_prefix),
    cmocka_unit_test(test_damaged_chunk), cmocka_unit_test(test_random_damage),
    cmocka_unit_test(test_cut_sqlite3),   cmocka_unit_test(test_index_misleads),
    cmocka_unit_test(test_killed),        cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_full_disk),     cmocka_unit_test(test_definitions),
    cmocka_unit_test(test_odd_names),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
