// Text for log lines: whatever the bytes, what comes out is UTF-8 without controls and fits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn_ros/process/log.h"

static void
becomes(const char * text, size_t size, const char * wanted)
{
  char out[64];
  assert_in_range(size, 4, sizeof out);
  assert_string_equal(text_printable(text, out, size), wanted);
}

static void
test_examples(void ** state)
{
  (void)state;
  becomes("", 4, "");
  becomes("joint_1 [0.5]", 64, "joint_1 [0.5]");
  becomes("a\nb\tc\033[0m\x7f", 64, "a\\x0ab\\x09c\\x1b[0m\\x7f");
  becomes("\xce\xb1\xe4\xb8\xad\xf0\x9f\xa4\x96", 64, "\xce\xb1\xe4\xb8\xad\xf0\x9f\xa4\x96");
  becomes("\u202e\u2028\u200b\ufeff", 64, "\\u202e\\u2028\\u200b\\ufeff");
  becomes("\xc2\x85", 64, "\\xc2\\x85");                    // a control of two bytes
  becomes("\xe9t\xe9", 64, "\\xe9t\\xe9");                  // Latin-1
  becomes("\xc0\xaf", 64, "\\xc0\\xaf");                    // an overlong '/'
  becomes("\xed\xa0\x80", 64, "\\xed\\xa0\\x80");           // half of a surrogate pair
  becomes("\xf4\x90\x80\x80", 64, "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  becomes("\xe4\xb8", 64, "\\xe4\\xb8");                    // cut
  // what does not fit
  becomes("abcdefg", 8, "abcdefg");
  becomes("abcdefgh", 8, "abcd...");
  becomes("abc\xe4\xb8\xad\xe4\xb8\xad", 8, "abc...");
  becomes("\n\n", 4, "...");
}

static uint32_t
next(uint32_t * state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// by another decoder; returns the number of characters, -1 if it is no UTF-8
static long
decode(iconv_t convert, const char * text, uint32_t * out, size_t capacity)
{
  char * from = (char *)(uintptr_t)text;
  char * to = (char *)out;
  size_t left = strlen(text), more = capacity * sizeof *out;
  iconv(convert, NULL, NULL, NULL, NULL);
  if (iconv(convert, &from, &left, &to, &more) == (size_t)-1) return -1;
  return (long)(capacity - more / sizeof *out);
}

static void
test_any_bytes(void ** state)
{
  (void)state;
  enum { COUNT = 200000, LONGEST = 40 };
  iconv_t convert = iconv_open("UTF-32LE", "UTF-8");
  assert_true(convert != (iconv_t)-1);
  uint32_t random = 1, codes[256];
  int escaped = 0, unchanged = 0, cut = 0;
  for (int i = 0; i < COUNT; i++) {
    char text[LONGEST + 1], out[LONGEST + 1];
    const size_t n = next(&random) % LONGEST, size = 4 + next(&random) % (LONGEST - 3);
    for (size_t k = 0; k < n; k++) {
      // mostly bytes that make long characters
      const uint32_t kind = next(&random) % 4, byte = next(&random);
      text[k] = (char)(kind == 0 ? 0xe0 | (byte & 0x1f) : kind == 1 ? 1 + byte % 127 : 0x80 | (byte & 0x3f));
    }
    text[n] = '\0';
    text_printable(text, out, size);
    assert_true(strlen(out) < size);
    const long count = decode(convert, out, codes, 256);
    if (count < 0) fail_msg("no UTF-8: %s", out);
    for (long k = 0; k < count; k++) {
      assert_true(codes[k] >= 0x20 && !(codes[k] >= 0x7f && codes[k] < 0xa0));
      assert_true(codes[k] < 0x2028 || codes[k] > 0x202e);
    }
    if (strcmp(text, out) == 0) unchanged++;
    if (strstr(out, "\\x")) escaped++;
    if (strlen(out) >= 3 && strcmp(out + strlen(out) - 3, "...") == 0) cut++;
  }
  iconv_close(convert);
  print_message("%d texts: %d escaped, %d cut, %d unchanged\n", COUNT, escaped, cut, unchanged);
  assert_true(escaped > COUNT / 10 && cut > COUNT / 10 && unchanged > 100);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_examples), cmocka_unit_test(test_any_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
