// Numbers in so many characters, names cut to so many columns, sparklines.
#include "top_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"

static void
numbers_fit(void ** state)
{
  (void)state;
  char text[64];
  srand(5);
  for (int width = 7; width < 12; width++) {
    for (int i = 0; i < 20000; i++) {
      const double x = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 80 - 40);
      top_number(x, width, text, sizeof text);
      assert_int_equal(strlen(text), width);
      // a blank before it, so that it does not run into its neighbour
      assert_true(text[0] == ' ');
      char * end;
      const double back = strtod(text, &end);
      assert_true(*end == 0);
      const double coarse = fabs(x) < pow(10, width - 5)   ? 0.051
                            : fabs(x) < pow(10, width - 3) ? 0.51
                                                           : 0.5 * fabs(x);
      assert_true(fabs(back - x) <= coarse);
      if (back == 0) assert_null(strchr(text, '-'));
    }
  }
  top_number((double)NAN, 7, text, sizeof text);
  assert_string_equal(text, "      -");
  top_number(-12.3456, 7, text, sizeof text);
  assert_string_equal(text, " -12.35");
  top_number(1e300, 7, text, sizeof text);
  assert_string_equal(text, " 1e+300");
  top_number(-1e300, 7, text, sizeof text);
  assert_string_equal(text, "      <");
}

static void
names_are_cut(void ** state)
{
  (void)state;
  char text[64];
  top_text("elbow", 8, text, sizeof text);
  assert_string_equal(text, "elbow   ");
  top_text("shoulder_lift", 8, text, sizeof text);
  assert_string_equal(text, "shoulde~");
  top_text("Hüftgelenk", 4, text, sizeof text);
  assert_string_equal(text, "Hüf~");
  top_text("abcd", 4, text, sizeof text);
  assert_string_equal(text, "abcd");
}

static void
sparks(void ** state)
{
  (void)state;
  char text[64];
  const float ramp[] = {0, 1, 2, 3, 4, 5, 6, 7};
  top_spark(ramp, 8, 8, true, text, sizeof text);
  assert_string_equal(text, "▁▂▃▄▅▆▇█");
  top_spark(ramp, 8, 8, false, text, sizeof text);
  assert_string_equal(text, "__..--=#");
  // the newest ones, and blanks where there is nothing
  top_spark(ramp, 8, 2, true, text, sizeof text);
  assert_string_equal(text, "▁█");
  const float few[] = {NAN, 1, 3};
  top_spark(few, 3, 5, true, text, sizeof text);
  assert_string_equal(text, "   ▁█");
  // what stands still is flat
  const float still[] = {100, 100.00001f, 100};
  top_spark(still, 3, 3, true, text, sizeof text);
  assert_string_equal(text, "▁▁▁");
  top_spark(NULL, 0, 3, true, text, sizeof text);
  assert_string_equal(text, "   ");
}

static void
durations(void ** state)
{
  (void)state;
  char text[32];
  top_duration(12.34e-6, text, sizeof text);
  assert_string_equal(text, "12.3 us");
  top_duration(4.5e-3, text, sizeof text);
  assert_string_equal(text, "4.5 ms");
  top_duration(6.7, text, sizeof text);
  assert_string_equal(text, "6.7 s");
  top_duration((double)NAN, text, sizeof text);
  assert_string_equal(text, "-");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_fit),
    cmocka_unit_test(names_are_cut),
    cmocka_unit_test(sparks),
    cmocka_unit_test(durations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
