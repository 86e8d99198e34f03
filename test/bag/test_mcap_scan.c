// MCAP files without summary, assembled here record by record: where channels are defined, what message
// indexes say, and what of it is wrong. Whatever the indexes say, the messages of the chunks are read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bag.h"
#include "bytes.h"
#include "crc32.h"
#include "tally.h"

enum { CHUNKS = 5, PER_CHUNK = 6 };

static char path[64];

// what a file is to have; chunk k has PER_CHUNK messages at times 1000 k + 10 i
typedef struct layout {
  int defined[2];            // chunk that defines channel 1, 2; -1: before the chunks
  int first[2];              // chunk with the first message of the channel
  int wrong_end;             // chunk whose header has a wrong time; -1: none
  int wrong_channel;         // chunk with the index of a channel that does not exist; -1: none
  int flipped;               // chunk with a flipped bit; -1: none
  bool unindexed;            // no message indexes
  size_t end[CHUNKS];        // out: where each chunk record ends
  size_t index_end[CHUNKS];  // out: where its last index ends
} layout_t;

static const layout_t PLAIN = {
  .defined = {0, 0}, .first = {0, 0}, .wrong_end = -1, .wrong_channel = -1, .flipped = -1};

static void
put_definition(bytes_t * b, int channel)
{
  put_u8(b, 3);
  size_t record = put_length_u64(b);
  put_u16(b, (uint16_t)channel);
  put_text(b, channel == 1 ? "std_msgs/msg/String" : "std_msgs/msg/Bool");
  put_text(b, "");
  put_text(b, "");
  end_length_u64(b, record);
  put_u8(b, 4);
  record = put_length_u64(b);
  put_u16(b, (uint16_t)channel);
  put_u16(b, (uint16_t)channel);
  put_text(b, channel == 1 ? "/one" : "/two");
  put_text(b, "cdr");
  put_u32(b, 0);
  end_length_u64(b, record);
}

static int
channel_of(const layout_t * f, int chunk, int i)
{
  const int wanted = i % 2;
  return chunk >= f->first[wanted] ? wanted + 1 : 2 - wanted;
}

static void
put_index(bytes_t * b, uint16_t channel, uint64_t (*entry)[2], int n)
{
  put_u8(b, 7);
  const size_t record = put_length_u64(b);
  put_u16(b, channel);
  put_u32(b, 16 * (uint32_t)n);
  for (int i = 0; i < n; i++) {
    put_u64(b, entry[i][0]);
    put_u64(b, entry[i][1]);
  }
  end_length_u64(b, record);
}

static void
put_chunk(bytes_t * b, layout_t * f, int k)
{
  bytes_t records = {0};
  uint64_t entry[2][PER_CHUNK][2];
  int n[2] = {0, 0};
  for (int c = 0; c < 2; c++) {
    if (f->defined[c] == k) put_definition(&records, c + 1);
  }
  for (int i = 0; i < PER_CHUNK; i++) {
    const int channel = channel_of(f, k, i), c = channel - 1;
    const uint64_t time = (uint64_t)(1000 * (k + 1) + 10 * i);
    entry[c][n[c]][0] = time;
    entry[c][n[c]++][1] = records.size;
    put_u8(&records, 5);
    const size_t record = put_length_u64(&records);
    put_u16(&records, (uint16_t)channel);
    put_u32(&records, 0);
    put_u64(&records, time);
    put_u64(&records, time);
    put_u32(&records, (uint32_t)(100 * k + i));
    end_length_u64(&records, record);
  }
  put_u8(b, 6);
  const size_t record = put_length_u64(b);
  put_u64(b, (uint64_t)(1000 * (k + 1)));
  put_u64(
    b, k == f->wrong_end ? (uint64_t)1 << 60 : (uint64_t)(1000 * (k + 1) + 10 * (PER_CHUNK - 1)));
  put_u64(b, records.size);
  put_u32(b, crc32_add(0, records.data, records.size));
  put_text(b, "");
  put_u64(b, records.size);
  if (k == f->flipped) records.data[records.size - 1] ^= 1;
  put_raw(b, records.data, records.size);
  end_length_u64(b, record);
  f->end[k] = b->size;
  for (int c = 0; c < 2 && !f->unindexed; c++) {
    const uint16_t channel = (uint16_t)(k == f->wrong_channel ? 77 : c + 1);
    if (n[c] > 0) put_index(b, channel, entry[c], n[c]);
  }
  f->index_end[k] = b->size;
  bytes_free(&records);
}

static bytes_t
assemble(layout_t * f)
{
  bytes_t b = {0};
  put_raw(&b, "\x89MCAP0\r\n", 8);
  for (int c = 0; c < 2; c++) {
    if (f->defined[c] < 0) put_definition(&b, c + 1);
  }
  for (int k = 0; k < CHUNKS; k++) put_chunk(&b, f, k);
  assert_false(b.failed);
  return b;
}

static bag_reader_t *
open_bytes(const bytes_t * b, size_t size)
{
  bag_error_t error = {""};
  FILE * out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(b->data, 1, size, out), size);
  fclose(out);
  bag_reader_t * r = bag_open(path, &error);
  assert_string_equal(error.text, "");
  assert_non_null(r);
  return r;
}

// messages that are read, each compared with what was put into the file
static int
read_messages(bag_reader_t * r, const layout_t * f)
{
  bag_message_t m;
  bag_error_t error;
  int count = 0;
  int64_t last = 0;
  while (bag_next(r, &m, &error) > 0) {
    uint32_t number;
    assert_int_equal(m.size, sizeof number);
    memcpy(&number, m.data, sizeof number);
    const int k = (int)number / 100, i = (int)number % 100;
    assert_int_equal(m.log_time, 1000 * (k + 1) + 10 * i);
    assert_string_equal(
      bag_info(r)->topic[m.topic].name, channel_of(f, k, i) == 1 ? "/one" : "/two");
    assert_true(m.log_time > last);
    last = m.log_time;
    count++;
  }
  return count;
}

static void
check_whole(layout_t f)
{
  bytes_t b = assemble(&f);
  bag_reader_t * r = open_bytes(&b, b.size);
  const bag_info_t * info = bag_info(r);
  assert_false(info->indexed);
  assert_int_equal(info->ntopic, 2);
  assert_int_equal(info->count, CHUNKS * PER_CHUNK);
  assert_int_equal(info->topic[0].count + info->topic[1].count, CHUNKS * PER_CHUNK);
  assert_int_equal(info->start, 1000);
  assert_int_equal(info->end, 1000 * CHUNKS + 10 * (PER_CHUNK - 1));
  uint64_t count[2] = {0, 0};
  for (int k = 0; k < CHUNKS; k++) {
    for (int i = 0; i < PER_CHUNK; i++) count[channel_of(&f, k, i) - 1]++;
  }
  for (int c = 0; c < 2; c++) {
    const int topic = bag_find_topic(r, c ? "/two" : "/one");
    assert_int_equal(info->topic[topic].count, count[c]);
    // of one topic only: chunks without it are skipped by their topics
    bool wanted[2] = {topic == 0, topic == 1};
    bag_error_t error;
    assert_true(bag_select(r, wanted, INT64_MIN, INT64_MAX, &error));
    assert_int_equal(read_messages(r, &f), count[c]);
    assert_true(bag_select(r, NULL, INT64_MIN, INT64_MAX, &error));
    assert_int_equal(read_messages(r, &f), CHUNKS * PER_CHUNK);
  }
  bag_free(r);
  bytes_free(&b);
}

static void
test_definitions(void ** state)
{
  (void)state;
  layout_t f = PLAIN;
  f.unindexed = true;
  check_whole(f);
  check_whole(PLAIN);
  f = PLAIN;
  f.defined[0] = f.defined[1] = -1;
  check_whole(f);
  // defined where it is used first, as the C++ library writes it
  f = PLAIN;
  f.defined[1] = f.first[1] = 2;
  check_whole(f);
  // defined two chunks earlier, in one whose indexes do not name it
  f.defined[1] = 1;
  f.first[1] = 3;
  check_whole(f);
}

static void
test_wrong_indexes(void ** state)
{
  (void)state;
  for (int k = 0; k < CHUNKS; k++) {
    layout_t f = PLAIN;
    f.wrong_end = k;
    check_whole(f);
    f = PLAIN;
    f.wrong_channel = k;
    check_whole(f);
  }
}

// Opening does not read the records of chunks, so that damage shows when they are read, once for each
// reading.
static void
test_flipped(void ** state)
{
  (void)state;
  for (int k = 0; k < CHUNKS; k++) {
    layout_t f = PLAIN;
    f.defined[0] = f.defined[1] = -1;
    f.flipped = k;
    bytes_t b = assemble(&f);
    bag_reader_t * r = open_bytes(&b, b.size);
    // the last chunk is decompressed: indexes may be missing after it
    const bool last = k == CHUNKS - 1;
    assert_int_equal(strstr(bag_note(r), "damaged chunk") != NULL, last);
    assert_int_equal(bag_info(r)->count, (CHUNKS - last) * PER_CHUNK);
    for (int i = 0; i < 3; i++) {
      bag_error_t error;
      assert_true(bag_select(r, NULL, INT64_MIN, INT64_MAX, &error));
      assert_int_equal(read_messages(r, &f), (CHUNKS - 1) * PER_CHUNK);
      assert_non_null(strstr(bag_note(r), "1 damaged chunk skipped"));
    }
    bag_free(r);
    bytes_free(&b);
  }
}

// cut anywhere: the messages of every complete chunk, and a count that agrees
static void
test_cut(void ** state)
{
  (void)state;
  layout_t f = PLAIN;
  bytes_t b = assemble(&f);
  int compared = 0;
  for (size_t size = 8; size < b.size; size++) {
    int whole = 0;
    for (int k = 0; k < CHUNKS; k++) whole += f.end[k] <= size;
    bag_reader_t * r = open_bytes(&b, size);
    assert_int_equal(bag_info(r)->count, whole * PER_CHUNK);
    assert_int_equal(read_messages(r, &f), whole * PER_CHUNK);
    assert_non_null(strstr(bag_note(r), "truncated"));
    bag_free(r);
    compared++;
  }
  assert_count(compared, 1000);
  bytes_free(&b);
}

// one bit wrong anywhere in chunk headers and indexes: every chunk whose records are still complete and
// have the right checksum is read
static void
test_flipped_bits(void ** state)
{
  (void)state;
  layout_t f = PLAIN;
  bytes_t b = assemble(&f);
  int compared = 0;
  // of the index of chunk 1: channel, length of the list, times; not the lengths of records
  for (size_t at = f.end[1] + 9; at < f.index_end[1]; at++) {
    const size_t in_second = at - f.end[1] - (9 + 6 + 16 * PER_CHUNK / 2);
    if (in_second < 9) continue;
    b.data[at] ^= 0x10;
    bag_reader_t * r = open_bytes(&b, b.size);
    assert_int_equal(read_messages(r, &f), CHUNKS * PER_CHUNK);
    bag_free(r);
    b.data[at] ^= 0x10;
    compared++;
  }
  assert_count(compared, 90);
  bytes_free(&b);
}

static int
setup(void ** state)
{
  (void)state;
  snprintf(path, sizeof path, "/tmp/mbdyn_test_scan_%d.mcap", (int)getpid());
  return 0;
}

static int
teardown(void ** state)
{
  (void)state;
  return unlink(path);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_definitions),  cmocka_unit_test(test_wrong_indexes),
    cmocka_unit_test(test_flipped),      cmocka_unit_test(test_cut),
    cmocka_unit_test(test_flipped_bits),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
