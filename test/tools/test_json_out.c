// The JSON writer, with jansson as the judge: what comes out of a stream and out of a buffer is JSON,
// and the values that went in.
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "json_out.h"

enum { TURNS = 3000, MOST = 40 };

typedef struct content {
  char bytes[MOST];
  size_t n;
  double x[6];
  uint64_t count;
} content_t;

static content_t
random_content(bool ascii)
{
  content_t c = {.n = (size_t)rand() % MOST, .count = (uint64_t)rand() << 20};
  for (size_t i = 0; i < c.n; i++) c.bytes[i] = (char)(rand() % (ascii ? 128 : 256));
  for (int i = 0; i < 6; i++) {
    c.x[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 1200 - 600);
  }
  c.x[rand() % 6] = (double)(rand() % 1000 - 500);
  return c;
}

static void
write_content(json_out_t * out, const content_t * c)
{
  json_out_object(out, NULL);
  json_out_bytes(out, "text", c->bytes, c->n);
  json_out_list(out, "a \"key\"\n\xc3\xa4");
  json_out_number(out, NULL, c->x[0]);
  json_out_number(out, NULL, (double)NAN);
  json_out_list(out, NULL);
  json_out_end(out);
  json_out_object(out, NULL);
  json_out_end(out);
  json_out_end(out);
  json_out_vector(out, "vector", c->x, 6);
  json_out_matrix(out, "matrix", c->x, 3, 2);
  json_out_digits(out, "digits", c->x[1], 7);
  json_out_decimals(out, "decimals", (double)(c->count % 1000) / 8, 6);
  json_out_count(out, "count", c->count);
  json_out_integer(out, "integer", -7);
  json_out_bool(out, "bool", true);
  json_out_null(out, "null");
  json_out_end(out);
}

static int
check_content(const json_t * json, const content_t * c, bool ascii)
{
  int compared = 0;
  const json_t * list = json_object_get(json, "a \"key\"\n\xc3\xa4");
  assert_int_equal(json_array_size(list), 4);
  assert_true(json_number_value(json_array_get(list, 0)) == c->x[0]);
  assert_true(json_is_null(json_array_get(list, 1)));
  assert_int_equal(json_array_size(json_array_get(list, 2)), 0);
  assert_true(json_is_object(json_array_get(list, 3)));
  const json_t * vector = json_object_get(json, "vector");
  const json_t * matrix = json_object_get(json, "matrix");
  assert_int_equal(json_array_size(vector), 6);
  assert_int_equal(json_array_size(matrix), 3);
  for (size_t i = 0; i < 6; i++, compared++) {
    assert_true(json_number_value(json_array_get(vector, i)) == c->x[i]);
    const json_t * row = json_array_get(matrix, i / 2);
    assert_true(json_number_value(json_array_get(row, i % 2)) == c->x[i]);
  }
  const double digits = json_number_value(json_object_get(json, "digits"));
  assert_true(fabs(digits - c->x[1]) <= 1e-6 * fabs(c->x[1]));
  const double decimals = json_number_value(json_object_get(json, "decimals"));
  assert_true(decimals == (double)(c->count % 1000) / 8);
  assert_int_equal(json_integer_value(json_object_get(json, "count")), c->count);
  assert_int_equal(json_integer_value(json_object_get(json, "integer")), -7);
  assert_true(json_is_true(json_object_get(json, "bool")));
  assert_true(json_is_null(json_object_get(json, "null")));
  const json_t * text = json_object_get(json, "text");
  assert_true(json_is_string(text));
  if (!ascii) return compared;
  assert_int_equal(json_string_length(text), c->n);
  assert_memory_equal(json_string_value(text), c->bytes, c->n);
  return compared;
}

static void
test_both_ways(void ** state)
{
  (void)state;
  json_out_t buffer = {0};
  int compared = 0;
  srand(16);
  for (int turn = 0; turn < TURNS; turn++) {
    const bool ascii = turn % 2 == 0;
    const content_t c = random_content(ascii);
    char * text = NULL;
    size_t size;
    FILE * file = open_memstream(&text, &size);
    json_out_t stream = json_out_open(file);
    write_content(&stream, &c);
    fclose(file);
    assert_string_equal(stream.not_finite, "a number");
    json_t * from_stream = json_loadb(text, size, JSON_ALLOW_NUL, NULL);
    assert_non_null(from_stream);
    compared += check_content(from_stream, &c, ascii);

    json_out_clear(&buffer);
    write_content(&buffer, &c);
    assert_true(buffer.ok);
    const char * compact = json_out_text(&buffer);
    json_t * from_buffer = json_loadb(compact, buffer.size, JSON_ALLOW_NUL, NULL);
    assert_non_null(from_buffer);
    compared += check_content(from_buffer, &c, ascii);
    // the same text, whatever its bytes
    assert_true(
      json_equal(json_object_get(from_stream, "text"), json_object_get(from_buffer, "text")));
    json_decref(from_stream);
    json_decref(from_buffer);
    free(text);
  }
  assert_int_equal(compared, 2 * 6 * TURNS);
  json_out_fini(&buffer);
}

// bytes that are no UTF-8 become question marks one by one, and nothing else does
static void
test_not_utf8(void ** state)
{
  (void)state;
  static const char * const TEXTS[][2] = {
    {"a\xff\"b\\", "a?\"b\\"},
    {"\xc3\xa4\xc3", "\xc3\xa4?"},
    {"\xe0\x80\x80", "???"},       // too long for what it says
    {"\xed\xa0\x80x", "???x"},     // half of a surrogate pair
    {"\xf4\x90\x80\x80", "????"},  // beyond the last character
    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
  json_out_t out = {0};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    json_out_clear(&out);
    json_out_list(&out, NULL);
    json_out_string(&out, NULL, TEXTS[i][0]);
    json_out_end(&out);
    json_t * json = json_loadb(json_out_text(&out), out.size, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_array_get(json, 0)), TEXTS[i][1]);
    json_decref(json);
  }
  json_out_fini(&out);
}

// a stream has lines, and real numbers stay real
static void
test_layout(void ** state)
{
  (void)state;
  char * text = NULL;
  size_t size;
  FILE * file = open_memstream(&text, &size);
  json_out_t out = json_out_open(file);
  json_out_object(&out, NULL);
  json_out_number(&out, "x", -0.0);
  json_out_vector(&out, "v", (const double[]){1, 2.5}, 2);
  json_out_list(&out, "empty");
  json_out_end(&out);
  json_out_end(&out);
  fclose(file);
  assert_string_equal(text, "{\n \"x\": -0.0,\n \"v\": [1.0, 2.5],\n \"empty\": []\n}\n");
  free(text);
}

// the first number that is none is remembered
static void
test_not_finite(void ** state)
{
  (void)state;
  json_out_t out = {0};
  json_out_clear(&out);
  json_out_object(&out, NULL);
  json_out_vector(&out, "fine", (const double[]){1, 2}, 2);
  assert_null(out.not_finite);
  json_out_vector(&out, "wrong", (const double[]){1, HUGE_VAL}, 2);
  json_out_number(&out, "later", (double)NAN);
  json_out_end(&out);
  assert_string_equal(out.not_finite, "wrong");
  json_out_fini(&out);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_both_ways),
    cmocka_unit_test(test_not_utf8),
    cmocka_unit_test(test_layout),
    cmocka_unit_test(test_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
