// YAML of the command line as JSON.
#include <stdlib.h>
#include <string.h>

#include "ros_message.h"
#include "support.h"

static void
reads(const char * yaml, const char * json)
{
  char error[256] = "";
  json_t * value = ros_yaml_parse(yaml, error, sizeof error);
  if (!value) fail_msg("%s: %s", yaml, error);
  char * text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
  assert_string_equal(text, json);
  free(text);
  json_decref(value);
}

static void
refuses(const char * yaml, const char * why)
{
  char error[256] = "";
  json_t * value = ros_yaml_parse(yaml, error, sizeof error);
  if (value) fail_msg("%s was accepted", yaml);
  if (!strstr(error, why)) fail_msg("'%s' is not in '%s'", why, error);
}

static void
test_scalars(void ** state)
{
  (void)state;
  reads("", "null");
  reads("~", "null");
  reads("true", "true");
  reads("Off", "false");
  reads("12", "12");
  reads("-12", "-12");
  reads("+3", "3");
  reads("0x1F", "31");
  reads("1e3", "1000.0");
  reads(".5", "0.5");
  reads("-2.", "-2.0");
  reads(".inf", "\".inf\"");
  reads("18446744073709551615", "\"18446744073709551615\"");
  reads("1.2.3", "\"1.2.3\"");
  reads("inf", "\"inf\"");
  reads("'12'", "\"12\"");
  reads("\"a\\tb\"", "\"a\\tb\"");
  reads("a b c", "\"a b c\"");
}

static void
test_structures(void ** state)
{
  (void)state;
  reads("{}", "{}");
  reads("{a: 1, b: [x, 2.5, true]}", "{\"a\":1,\"b\":[\"x\",2.5,true]}");
  reads("{a: {b: {c: []}}}", "{\"a\":{\"b\":{\"c\":[]}}}");
  reads("a: 1\nb:\n- 2\n- 3\n", "{\"a\":1,\"b\":[2,3]}");
  reads("{\"a\": \"\\/\", \"b\": null}", "{\"a\":\"/\",\"b\":null}");
  reads("{a: , b: ''}", "{\"a\":null,\"b\":\"\"}");
}

static void
test_refused(void ** state)
{
  (void)state;
  refuses("{a: 1", "expected");
  refuses("[1, 2}", "line 1, column");
  refuses("{a: 1, a: 2}", "duplicate name");
  refuses("{[1]: 2}", "expected a name");
  refuses("{a: &x 1, b: *x}", "aliases");
  refuses("--- 1\n--- 2\n", "expected a single value");
  char deep[200] = "";
  for (int i = 0; i < 100; i++) strcat(deep, "[");
  for (int i = 0; i < 99; i++) strcat(deep, "]");
  refuses(deep, "nested too deeply");
}

static void
prints(const char * yaml, const char * expected)
{
  char error[256], *text = NULL;
  size_t size;
  json_t * value = ros_yaml_parse(yaml, error, sizeof error);
  FILE * out = open_memstream(&text, &size);
  if (json_is_object(value)) {
    ros_yaml_print(value, 0, out);
  } else {
    ros_yaml_print_flow(value, out);
  }
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
  json_decref(value);
}

static void
test_printed(void ** state)
{
  (void)state;
  prints("0.1", "0.1");
  prints("3.0", "3.0");
  prints("1e300", "1e+300");
  prints("-.inf", "-.inf");
  prints("'true'", "\"true\"");
  prints("''", "\"\"");
  prints("'- x'", "\"- x\"");
  prints("'a: b'", "\"a: b\"");
  prints("[1, a b, [x]]", "[1, a b, [x]]");
  prints("{a: {b: 1, c: [2.5]}, d: text}", "a:\n  b: 1\n  c: [2.5]\nd: text\n");
}

// a message as `topic echo --json` prints it: the numbers as they were written
static void
test_printed_as_json(void ** state)
{
  (void)state;
  static const char * const TEXT[] = {
    "{\"g\": [0.0, -9.81, 1e-09], \"n\": 3, \"name\": \"a \\\"b\\\" \u00e9\", \"on\": true, "
    "\"none\": null, \"empty\": {}, \"list\": []}",
    "0.30000000000000004", "1234567.891", "-0.0"};
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    char * text = NULL;
    size_t size;
    json_t * value = json_loads(TEXT[i], JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    FILE * out = open_memstream(&text, &size);
    ros_json_print(value, out);
    fclose(out);
    assert_string_equal(text, TEXT[i]);
    free(text);
    json_decref(value);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_scalars),         cmocka_unit_test(test_structures),
    cmocka_unit_test(test_refused),         cmocka_unit_test(test_printed),
    cmocka_unit_test(test_printed_as_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
