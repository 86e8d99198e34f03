// The reader on bytes written by hand: what it finds where, and that it stops for good at the first
// thing that is not there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reader.h"

// compared as bits, as they are meant
static void
assert_double(double x, double expected)
{
  assert_memory_equal(&x, &expected, sizeof x);
}

// u8, i32, u8, f64, u32 with rubbish between them, then three bytes
static const uint8_t little[] = {0,    1,    0x12, 0x34, 7,    0xee, 0xee, 0xee, 0xfe,
                                 0xff, 0xff, 0xff, 9,    0xee, 0xee, 0xee, 0xee, 0xee,
                                 0xee, 0xee, 0,    0,    0,    0,    0,    0,    0xf8,
                                 0xbf, 4,    3,    2,    1,    5,    6,    7};
static const uint8_t big[] = {0, 0,    0,    0,    7,    0xee, 0xee, 0xee, 0xff, 0xff, 0xff, 0xfe,
                              9, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xbf, 0xf8, 0,    0,
                              0, 0,    0,    0,    1,    2,    3,    4,    5,    6,    7};

static void
assert_numbers(const uint8_t * bytes, size_t size)
{
  wire_reader_t r = wire_open(bytes, size);
  assert_int_equal(wire_u8(&r), 7);
  assert_int_equal(wire_i32(&r), -2);
  assert_int_equal(wire_u8(&r), 9);
  assert_double(wire_f64(&r), -1.5);
  assert_int_equal(wire_u32(&r), 0x01020304);
  assert_true(wire_ok(&r));
  assert_int_equal(r.size - r.at, 3);
}

static void
numbers_are_aligned(void ** state)
{
  (void)state;
  assert_numbers(little, sizeof little);
  assert_numbers(big, sizeof big);
}

// alignment counts from the encapsulation, not from addresses
static void
any_address(void ** state)
{
  (void)state;
  uint8_t * scratch = malloc(sizeof little + 8);
  assert_non_null(scratch);
  for (size_t i = 0; i < 8; i++) {
    memcpy(scratch + i, little, sizeof little);
    assert_numbers(scratch + i, sizeof little);
  }
  free(scratch);
}

static void
encapsulation(void ** state)
{
  (void)state;
  uint8_t bytes[8] = {0, 1, 0, 0, 42, 0, 0, 0};
  for (int id = 0; id < 0x10000; id++) {
    bytes[0] = (uint8_t)(id >> 8);
    bytes[1] = (uint8_t)id;
    wire_reader_t r = wire_open(bytes, sizeof bytes);
    assert_int_equal(wire_ok(&r), id <= 1);
    assert_int_equal(wire_u8(&r), id <= 1 ? 42 : 0);
  }
  bytes[0] = 0, bytes[1] = 1;
  for (size_t size = 0; size <= 5; size++) {
    wire_reader_t r = wire_open(bytes, size);
    assert_int_equal(wire_ok(&r), size >= 4);
    assert_int_equal(wire_u8(&r), size == 5 ? 42 : 0);
    assert_int_equal(wire_ok(&r), size == 5);
  }
  wire_reader_t r = wire_open(NULL, 100);
  assert_false(wire_ok(&r));
}

// after one field that is not there, those that are there do not count either
static void
failure_stays(void ** state)
{
  (void)state;
  for (size_t cut = 4; cut < sizeof little - 3; cut++) {
    uint8_t * bytes = malloc(cut);
    assert_non_null(bytes);
    memcpy(bytes, little, cut);
    wire_reader_t r = wire_open(bytes, cut);
    (void)wire_u8(&r), (void)wire_i32(&r), (void)wire_u8(&r), (void)wire_f64(&r);
    assert_int_equal(wire_u32(&r), 0);
    assert_false(wire_ok(&r));
    double x[2] = {1, 1};
    wire_f64_array(&r, x, 2);
    assert_double(x[0], 0);
    assert_double(x[1], 0);
    assert_int_equal(wire_u8(&r), 0);
    assert_double(wire_f64(&r), 0);
    assert_int_equal(wire_f64_sequence(&r).n, 0);
    const wire_text_t text = wire_string(&r);
    assert_int_equal(text.size, 0);
    assert_non_null(text.data);
    free(bytes);
  }
}

static wire_text_t
text_of(const char * body, size_t size, bool * ok)
{
  static uint8_t bytes[32];
  memcpy(bytes, "\0\1\0\0", 4);
  memcpy(bytes + 4, body, size);
  wire_reader_t r = wire_open(bytes, 4 + size);
  const wire_text_t text = wire_string(&r);
  *ok = wire_ok(&r);
  return text;
}

static void
text(void ** state)
{
  (void)state;
  bool ok;
  assert_true(wire_text_is(text_of("\3\0\0\0ab\0", 7, &ok), "ab") && ok);
  assert_true(wire_text_is(text_of("\1\0\0\0\0", 5, &ok), "") && ok);
  // Cyclone takes a length of zero for empty, and the first NUL for the end
  assert_true(wire_text_is(text_of("\0\0\0\0", 4, &ok), "") && ok);
  assert_true(wire_text_is(text_of("\5\0\0\0ab\0c\0", 9, &ok), "ab") && ok);
  assert_true(wire_text_is(text_of("\2\0\0\0\0\0", 6, &ok), "") && ok);

  assert_false(wire_text_is(text_of("\3\0\0\0ab\0", 7, &ok), "a"));
  assert_false(wire_text_is(text_of("\3\0\0\0ab\0", 7, &ok), "abc"));
  assert_false(wire_text_is(text_of("\3\0\0\0ab\0", 7, &ok), "ac"));

  // no NUL at the end, although there is one before it or after it
  assert_int_equal(text_of("\3\0\0\0abc\0", 8, &ok).size, 0);
  assert_false(ok);
  (void)text_of("\3\0\0\0a\0c\0", 8, &ok);
  assert_false(ok);
  // longer than what is left
  (void)text_of("\4\0\0\0ab\0", 7, &ok);
  assert_false(ok);
  (void)text_of("\377\377\377\377ab\0", 7, &ok);
  assert_false(ok);
}

static void
sequences(void ** state)
{
  (void)state;
  // none, without alignment; then one at the next multiple of eight
  const uint8_t bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0};
  wire_reader_t r = wire_open(bytes, sizeof bytes);
  wire_numbers_t s = wire_f64_sequence(&r);
  assert_int_equal(s.n, 0);
  wire_copy_numbers(&s, NULL);
  s = wire_f64_sequence(&r);
  assert_int_equal(s.n, 1);
  assert_double(wire_number(&s, 0), 2);
  double x = 0;
  wire_copy_numbers(&s, &x);
  assert_double(x, 2);
  assert_true(wire_ok(&r) && r.at == r.size);
}

// counts whose bytes are not there, some of which overflow 32 bits
static void
huge_counts(void ** state)
{
  (void)state;
  static const uint32_t count[] = {2,          3,          0x1fffffff, 0x20000000,
                                   0x20000001, 0x7fffffff, 0xffffffff};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
    uint8_t bytes[20] = {0, 1};
    for (int k = 0; k < 4; k++) bytes[4 + k] = (uint8_t)(count[i] >> 8 * k);
    wire_reader_t r = wire_open(bytes, sizeof bytes);
    const wire_numbers_t s = wire_f64_sequence(&r);
    assert_int_equal(s.n, 0);
    assert_false(wire_ok(&r));
    double x[2];
    r = wire_open(bytes, sizeof bytes);
    wire_f64_array(&r, NULL, SIZE_MAX / 8 + count[i]);
    assert_false(wire_ok(&r));
    r = wire_open(bytes, sizeof bytes);
    wire_f64_array(&r, x, 2);
    assert_true(wire_ok(&r));
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_are_aligned),
    cmocka_unit_test(any_address),
    cmocka_unit_test(encapsulation),
    cmocka_unit_test(failure_stays),
    cmocka_unit_test(text),
    cmocka_unit_test(sequences),
    cmocka_unit_test(huge_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
