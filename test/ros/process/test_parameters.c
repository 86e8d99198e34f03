// The table of parameters and its values, without a node.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parameter_messages.h"
#include "parameters.h"
#include "rosidl_runtime_c/string_functions.h"

enum { BOOL, INTEGER, NUMBER, STRING, BYTES, BOOLEANS, INTEGERS, NUMBERS, STRINGS, GAIN, COUNT };

// one of each type, then one of each way to narrow it
static const param_spec_t spec[] = {
  [BOOL] = {"on", PARAM_BOOL, "true", "On or off.", 0, 0, NULL, false},
  [INTEGER] = {"steps", PARAM_INTEGER, "-12", "Steps.", -100, 100, NULL, false},
  [NUMBER] = {"rate", PARAM_DOUBLE, "0.5", "Rate [Hz].", 0, 0, NULL, false},
  [STRING] = {"on_stale", PARAM_STRING, "hold", "What then.", 0, 0, "zero|hold|gravity", false},
  [BYTES] = {"key", PARAM_BYTE_ARRAY, "[0, 7, 255]", "Bytes.", 0, 0, NULL, true},
  [BOOLEANS] = {"mask", PARAM_BOOL_ARRAY, "[true,false , true]", "Mask.", 0, 0, NULL, false},
  [INTEGERS] = {"ids", PARAM_INTEGER_ARRAY, "[]", "Numbers.", 1, HUGE_VAL, NULL, false},
  [NUMBERS] = {"gravity", PARAM_DOUBLE_ARRAY, "[0.0, 0, -9.81]", "Gravity.", 0, 0, NULL, false},
  [STRINGS] =
    {"publish.terms", PARAM_STRING_ARRAY, "[a, \"b c\"]", "Terms.", 0, 0, "a|b c|d", false},
  [GAIN] = {"gain", PARAM_DOUBLE, "1e1", "Gain.", -HUGE_VAL, 10, NULL, false},
};

static param_values_t *
defaults(void)
{
  param_values_t * values = param_values_create(spec, COUNT);
  assert_non_null(values);
  return values;
}

//---------- defaults ----------

static void
defaults_are_read_from_the_table(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  assert_true(param_bool(values, BOOL));
  assert_int_equal(param_integer(values, INTEGER), -12);
  assert_true(param_double(values, NUMBER) == 0.5);
  assert_string_equal(param_string(values, STRING), "hold");
  assert_true(param_double(values, GAIN) == 10);
  const uint8_t bytes[] = {0, 7, 255};
  const bool booleans[] = {true, false, true};
  assert_int_equal(values->value[BYTES].n, 3);
  assert_memory_equal(values->value[BYTES].bytes, bytes, sizeof bytes);
  assert_int_equal(values->value[BOOLEANS].n, 3);
  assert_memory_equal(values->value[BOOLEANS].booleans, booleans, sizeof booleans);
  assert_int_equal(values->value[INTEGERS].n, 0);
  size_t n;
  const double * gravity = param_doubles(values, NUMBERS, &n);
  assert_int_equal(n, 3);
  assert_true(gravity[0] == 0 && gravity[1] == 0 && gravity[2] == -9.81);
  const char * const * terms = param_strings(values, STRINGS, &n);
  assert_int_equal(n, 2);
  assert_string_equal(terms[0], "a");
  assert_string_equal(terms[1], "b c");
  for (size_t i = 0; i < COUNT; i++) assert_int_equal(values->value[i].type, spec[i].type);
  param_values_destroy(values);
}

// each of these tables has a bug in it
static void
a_wrong_table_is_refused(void ** state)
{
  (void)state;
  static const param_spec_t wrong[] = {
    {"a", PARAM_BOOL, "yes", "", 0, 0, NULL, false},
    {"a", PARAM_BOOL, "", "", 0, 0, NULL, false},
    {"a", PARAM_BOOL, NULL, "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER, "1.5", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER, "9223372036854775808", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER, "3", "", 0, 2, NULL, false},
    {"a", PARAM_DOUBLE, "1,5", "", 0, 0, NULL, false},
    {"a", PARAM_DOUBLE, "nan", "", 0, 0, NULL, false},
    {"a", PARAM_DOUBLE, "inf", "", 0, HUGE_VAL, NULL, false},
    {"a", PARAM_STRING, "x", "", 0, 0, "y|z", false},
    {"a", PARAM_BYTE_ARRAY, "[256]", "", 0, 0, NULL, false},
    {"a", PARAM_BYTE_ARRAY, "[-1]", "", 0, 0, NULL, false},
    {"a", PARAM_BOOL_ARRAY, "[true, 1]", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER_ARRAY, "1, 2", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER_ARRAY, "[1, 2", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER_ARRAY, "[1, ]", "", 0, 0, NULL, false},
    {"a", PARAM_INTEGER_ARRAY, "[1,, 2]", "", 0, 0, NULL, false},
    {"a", PARAM_DOUBLE_ARRAY, "[", "", 0, 0, NULL, false},
    {"a", PARAM_DOUBLE_ARRAY, "[1 2]", "", 0, 0, NULL, false},
    {"a", PARAM_STRING_ARRAY, "[y, ]", "", 0, 0, NULL, false},
    {"a", PARAM_STRING_ARRAY, "[y, x]", "", 0, 0, "y|z", false},
    {"a", PARAM_NOT_SET, "", "", 0, 0, NULL, false},
    {NULL, PARAM_STRING, "", "", 0, 0, NULL, false},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    if (param_values_create(&wrong[i], 1) != NULL) fail_msg("table %zu is taken", i);
  }
  const param_spec_t twice[] = {spec[0], spec[1], spec[0]};
  assert_null(param_values_create(twice, 3));
}

static void
quotes_are_not_part_of_a_string(void ** state)
{
  (void)state;
  static const param_spec_t quoted[] = {
    {"a", PARAM_STRING, "\"x y\"", "", 0, 0, NULL, false},
    {"b", PARAM_STRING, "''", "", 0, 0, NULL, false},
    {"c", PARAM_STRING, "don't", "", 0, 0, NULL, false},
    {"d", PARAM_STRING, NULL, "", 0, 0, "|x", false}};
  static const char * const expected[] = {"x y", "", "don't", ""};
  param_values_t * values = param_values_create(quoted, 4);
  assert_non_null(values);
  for (int i = 0; i < 4; i++) assert_string_equal(param_string(values, i), expected[i]);
  param_values_destroy(values);
}

//---------- setting ----------

// what was in the place of a value before it was refused is still there
static void
assert_refused(param_values_t * values, int index, param_value_t value, const char * expected)
{
  char reason[512] = "";
  if (param_values_set(values, index, &value, reason, sizeof reason)) {
    fail_msg("parameter %d is taken instead of: %s", index, expected);
  }
  assert_string_equal(reason, expected);
  assert_int_equal(values->value[index].type, spec[index].type);
}

static void
assert_taken(param_values_t * values, int index, param_value_t value)
{
  char reason[512] = "";
  if (!param_values_set(values, index, &value, reason, sizeof reason)) fail_msg("%s", reason);
  assert_int_equal(values->value[index].type, spec[index].type);
}

// the values' memory is scribbled over afterwards: they are copies
static void
values_of_each_type_are_copied(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  char text[] = "zero", a[] = "d", b[] = "a";
  uint8_t bytes[] = {1, 2};
  bool booleans[] = {false, true, true, true};
  int64_t integers[] = {INT64_MAX, 1};
  double numbers[] = {1, 2, 3, 4};
  char * strings[] = {a, b, a};
  assert_taken(values, BOOL, (param_value_t){.type = PARAM_BOOL, .boolean = false});
  assert_taken(values, INTEGER, (param_value_t){.type = PARAM_INTEGER, .integer = 77});
  assert_taken(values, NUMBER, (param_value_t){.type = PARAM_DOUBLE, .number = -1e300});
  assert_taken(values, STRING, (param_value_t){.type = PARAM_STRING, .string = text});
  assert_taken(values, BYTES, (param_value_t){.type = PARAM_BYTE_ARRAY, .n = 2, .bytes = bytes});
  assert_taken(
    values, BOOLEANS, (param_value_t){.type = PARAM_BOOL_ARRAY, .n = 4, .booleans = booleans});
  assert_taken(
    values, INTEGERS, (param_value_t){.type = PARAM_INTEGER_ARRAY, .n = 2, .integers = integers});
  assert_taken(
    values, NUMBERS, (param_value_t){.type = PARAM_DOUBLE_ARRAY, .n = 4, .numbers = numbers});
  assert_taken(
    values, STRINGS, (param_value_t){.type = PARAM_STRING_ARRAY, .n = 3, .strings = strings});
  param_values_t * copy = param_values_copy(values);
  assert_non_null(copy);
  text[0] = a[0] = 'x';
  bytes[0] = 9;
  booleans[0] = true;
  integers[0] = 0;
  numbers[0] = 9;
  strings[2] = NULL;
  param_values_destroy(values);
  assert_false(param_bool(copy, BOOL));
  assert_int_equal(param_integer(copy, INTEGER), 77);
  assert_true(param_double(copy, NUMBER) == -1e300);
  assert_string_equal(param_string(copy, STRING), "zero");
  const param_value_t * v = copy->value;
  assert_true(v[BYTES].n == 2 && v[BYTES].bytes[0] == 1 && v[BYTES].bytes[1] == 2);
  assert_true(v[BOOLEANS].n == 4 && !v[BOOLEANS].booleans[0] && v[BOOLEANS].booleans[3]);
  assert_true(v[INTEGERS].n == 2 && v[INTEGERS].integers[0] == INT64_MAX);
  size_t n;
  assert_true(param_doubles(copy, NUMBERS, &n)[0] == 1 && n == 4);
  assert_string_equal(param_strings(copy, STRINGS, &n)[2], "d");
  assert_int_equal(n, 3);
  param_values_destroy(copy);
}

static void
integers_do_for_doubles(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  int64_t integers[] = {3, -4};
  assert_taken(values, NUMBER, (param_value_t){.type = PARAM_INTEGER, .integer = 12});
  assert_true(param_double(values, NUMBER) == 12);
  param_value_t list = {.type = PARAM_INTEGER_ARRAY, .n = 2, .integers = integers};
  assert_taken(values, NUMBERS, list);
  size_t n;
  const double * gravity = param_doubles(values, NUMBERS, &n);
  assert_true(n == 2 && gravity[0] == 3 && gravity[1] == -4);
  assert_refused(
    values, BYTES, list, "must be between 0 and 255 in each element, not -4 in element 1");
  integers[1] = 255;
  assert_taken(values, BYTES, list);
  assert_true(values->value[BYTES].n == 2 && values->value[BYTES].bytes[1] == 255);
  // but not the other way round, and not for anything else
  assert_refused(
    values, INTEGER, (param_value_t){.type = PARAM_DOUBLE, .number = 1},
    "must be an integer, not a double");
  assert_refused(
    values, BOOL, (param_value_t){.type = PARAM_INTEGER, .integer = 1},
    "must be a bool, not an integer");
  param_values_destroy(values);
}

// "[]" has no type of its own, neither in a file nor from a command line tool
static void
an_empty_array_is_one_of_any_type(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  for (int type = PARAM_BYTE_ARRAY; type <= PARAM_STRING_ARRAY; type++) {
    const param_value_t empty = {.type = (param_type_t)type};
    for (int index = BYTES; index <= STRINGS; index++) {
      assert_taken(values, index, empty);
      assert_int_equal(values->value[index].n, 0);
    }
    assert_refused(values, NUMBER, empty, "must be a double, not an empty array");
    assert_refused(values, STRING, empty, "must be a string, not an empty array");
  }
  param_values_destroy(values);
}

static void
what_does_not_fit_is_refused_in_words(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  char bad[] = "gravit", good[] = "d";
  char * strings[] = {good, bad};
  int64_t integers[] = {5, 0};
  double numbers[] = {0, 0, (double)NAN};
  const struct {
    int index;
    param_value_t value;
    const char * reason;
  } refused[] = {
    {INTEGER, {.type = PARAM_INTEGER, .integer = 101}, "must be between -100 and 100, not 101"},
    {INTEGER, {.type = PARAM_INTEGER, .integer = -101}, "must be between -100 and 100, not -101"},
    {GAIN, {.type = PARAM_DOUBLE, .number = 10.0000001}, "must be at most 10, not 10.0000001"},
    {GAIN, {.type = PARAM_INTEGER, .integer = 11}, "must be at most 10, not 11"},
    {GAIN, {.type = PARAM_DOUBLE, .number = -HUGE_VAL}, "must be at most 10, not -inf"},
    {NUMBER, {.type = PARAM_DOUBLE, .number = HUGE_VAL}, "must be a finite number, not inf"},
    {NUMBER, {.type = PARAM_DOUBLE, .number = (double)NAN}, "must be a finite number, not nan"},
    {NUMBERS,
     {.type = PARAM_DOUBLE_ARRAY, .n = 3, .numbers = numbers},
     "must be a finite number, not nan in element 2"},
    {INTEGERS,
     {.type = PARAM_INTEGER_ARRAY, .n = 2, .integers = integers},
     "must be at least 1, not 0 in element 1"},
    {STRING,
     {.type = PARAM_STRING, .string = bad},
     "must be one of 'zero', 'hold', 'gravity', not 'gravit'"},
    {STRINGS,
     {.type = PARAM_STRING_ARRAY, .n = 2, .strings = strings},
     "must be one of 'a', 'b c', 'd', not 'gravit' in element 1"},
    {STRING, {.type = PARAM_NOT_SET}, "cannot be unset: it must be a string"},
    {STRING, {.type = (param_type_t)200}, "must be a string, not of an unknown type"},
    {BOOLEANS,
     {.type = PARAM_INTEGER_ARRAY, .n = 2, .integers = integers},
     "must be a bool array, not an integer array"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    assert_refused(values, refused[i].index, refused[i].value, refused[i].reason);
  }
  char reason[64];
  const param_value_t one = {.type = PARAM_BOOL};
  assert_false(param_values_set(values, -1, &one, reason, sizeof reason));
  assert_false(param_values_set(values, COUNT, &one, reason, sizeof reason));
  // all is as it was
  assert_int_equal(param_integer(values, INTEGER), -12);
  assert_true(param_double(values, GAIN) == 10);
  assert_true(param_double(values, NUMBER) == 0.5);
  assert_string_equal(param_string(values, STRING), "hold");
  param_values_destroy(values);
}

// bounds that a double cannot hold exactly, and a reason that does not fit its place
static void
the_ends_of_a_range_are_in_it(void ** state)
{
  (void)state;
  static const param_spec_t ranges[] = {
    {"all", PARAM_INTEGER, "0", "", -HUGE_VAL, HUGE_VAL, NULL, false},
    {"big", PARAM_INTEGER, "0", "", -9007199254740992.0, 9007199254740992.0, NULL, false},
    {"half", PARAM_INTEGER, "0", "", -1.5, 1.5, NULL, false},
    {"unit", PARAM_DOUBLE, "0", "", -0.1, 0.1, NULL, false},
    {"last", PARAM_INTEGER, "0", "", -9223372036854775808.0, 9223372036854775808.0, NULL, false}};
  param_values_t * values = param_values_create(ranges, 5);
  assert_non_null(values);
  const struct {
    int index;
    int64_t integer;
    bool fits;
  } cases[] = {
    {0, INT64_MIN, true},
    {0, INT64_MAX, true},
    {1, 9007199254740992, true},
    {1, 9007199254740993, false},
    {1, -9007199254740992, true},
    {1, -9007199254740993, false},
    {2, 1, true},
    {2, 2, false},
    {2, -1, true},
    {2, -2, false},
    {4, INT64_MIN, true},
    {4, INT64_MAX, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const param_value_t value = {.type = PARAM_INTEGER, .integer = cases[i].integer};
    char reason[8];
    const bool ok = param_values_set(values, cases[i].index, &value, reason, sizeof reason);
    if (ok != cases[i].fits) fail_msg("case %zu: %d", i, ok);
    if (!ok) assert_string_equal(reason, "must be");
  }
  for (int side = -1; side <= 1; side += 2) {
    char reason[80];
    param_value_t value = {.type = PARAM_DOUBLE, .number = side * 0.1};
    assert_true(param_values_set(values, 3, &value, reason, sizeof reason));
    value.number = nextafter(value.number, side * HUGE_VAL);
    assert_false(param_values_set(values, 3, &value, reason, sizeof reason));
  }
  param_values_destroy(values);
}

//---------- messages ----------

// no rmw we know delivers such a text, but nothing forbids it
static void
a_zero_byte_in_a_text_is_refused(void ** state)
{
  (void)state;
  char reason[80] = "";
  param_value_t view;
  rcl_interfaces__msg__ParameterValue value;
  assert_true(rcl_interfaces__msg__ParameterValue__init(&value));
  value.type = 4;
  assert_true(rosidl_runtime_c__String__assignn(&value.string_value, "a\0b", 3));
  assert_null(param_text(&value.string_value));
  assert_false(param_view(&value, &view, reason, sizeof reason));
  assert_string_equal(reason, "must not contain a zero byte");
  value.type = 9;
  assert_true(rosidl_runtime_c__String__Sequence__init(&value.string_array_value, 2));
  assert_true(param_view(&value, &view, reason, sizeof reason));
  param_view_fini(&view);
  assert_true(rosidl_runtime_c__String__assignn(&value.string_array_value.data[1], "b\0b", 3));
  assert_false(param_view(&value, &view, reason, sizeof reason));
  rcl_interfaces__msg__ParameterValue__fini(&value);
}

//---------- names ----------

static void
the_closest_name_is_what_was_meant(void ** state)
{
  (void)state;
  param_values_t * values = defaults();
  static const char * const meant[][2] = {
    {"gravty", "gravity"},
    {"Gravity", "gravity"},
    {"gravity_", "gravity"},
    {"onstale", "on_stale"},
    {"terms", "publish.terms"},
    {"publish.term", "publish.terms"},
    {"gian", "gain"},
    {"rates", "rate"},
    {"wheel_radius", NULL},
    {"", NULL},
    {"x", NULL}};
  for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++) {
    const char * found = param_closest(values, meant[i][0]);
    if (meant[i][1] == NULL && found == NULL) continue;
    if (found == NULL || meant[i][1] == NULL || strcmp(found, meant[i][1]) != 0) {
      fail_msg("'%s': '%s'", meant[i][0], found != NULL ? found : "none");
    }
  }
  char longest[100000];
  memset(longest, 'g', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  assert_null(param_closest(values, longest));
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(param_find(values, spec[i].name), i);
    assert_string_equal(param_closest(values, spec[i].name), spec[i].name);
  }
  assert_int_equal(param_find(values, "gravit"), -1);
  assert_int_equal(param_find(values, "gravity2"), -1);
  param_values_destroy(values);
}

//---------- Markdown ----------

static void
the_table_is_printed_as_markdown(void ** state)
{
  (void)state;
  static const param_spec_t rows[] = {
    {"rate", PARAM_DOUBLE, "0.5", "Rate [Hz].", 0, 10, NULL, false},
    {"steps", PARAM_INTEGER, "1", "Steps.", 1, HUGE_VAL, NULL, true},
    {"mode", PARAM_STRING, "", "Mode a|b.", 0, 0, "|zero|hold", false},
    {"gravity", PARAM_DOUBLE_ARRAY, "[0.0, -9.81]", "Two\nlines.", 0, 0, NULL, false}};
  char * text = NULL;
  size_t size;
  FILE * to = open_memstream(&text, &size);
  param_print_table(rows, 4, to);
  fclose(to);
  assert_string_equal(
    text,
    "| parameter | type | default | description |\n"
    "| --- | --- | --- | --- |\n"
    "| `rate` | double | `0.5` | Rate [Hz]. Between 0 and 10. |\n"
    "| `steps` | integer | `1` | Steps. At least 1. Read-only. |\n"
    "| `mode` | string | `\"\"` | Mode a\\|b. One of `\"\"`, `zero`, `hold`. |\n"
    "| `gravity` | double array | `[0.0, -9.81]` | Two lines. |\n");
  free(text);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(defaults_are_read_from_the_table),
    cmocka_unit_test(a_wrong_table_is_refused),
    cmocka_unit_test(quotes_are_not_part_of_a_string),
    cmocka_unit_test(values_of_each_type_are_copied),
    cmocka_unit_test(integers_do_for_doubles),
    cmocka_unit_test(an_empty_array_is_one_of_any_type),
    cmocka_unit_test(what_does_not_fit_is_refused_in_words),
    cmocka_unit_test(the_ends_of_a_range_are_in_it),
    cmocka_unit_test(a_zero_byte_in_a_text_is_refused),
    cmocka_unit_test(the_closest_name_is_what_was_meant),
    cmocka_unit_test(the_table_is_printed_as_markdown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
