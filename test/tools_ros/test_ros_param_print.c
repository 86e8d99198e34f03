// Values of parameters as `ros2 param get` prints them: Python itself prints the same ones, of the
// types that rclpy has for them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ros_param.h"
#include "support.h"

enum { NUMBERS = 3000, TEXTS = 400 };

static char file[] = "/tmp/param_print_XXXXXX";

static char *
printed(param_type_t type, json_t * value)
{
  char * text = NULL;
  size_t size = 0;
  FILE * out = open_memstream(&text, &size);
  assert_non_null(out);
  json_t * message = json_pack("{s:i, s:o}", "type", (int)type, param_field(type), value);
  assert_non_null(message);
  param_print(message, out);
  fclose(out);
  json_decref(message);
  return text;
}

static void
prints(param_type_t type, json_t * value, const char * wanted)
{
  char * text = printed(type, value);
  assert_string_equal(text, wanted);
  free(text);
}

// what Python prints: the file has one element per line, `element` makes it of the line
static char *
python(const char * element, const char * whole)
{
  static char out[1 << 20];
  char command[1024];
  snprintf(
    command, sizeof command,
    PYTHON
    " -c \"import array, sys; sys.stdout.reconfigure(encoding='utf-8'); "
    "x = [%s for line in open('%s')]; print(%s)\"",
    element, file, whole);
  FILE * pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t n = fread(out, 1, sizeof out - 1, pipe);
  out[n] = '\0';
  assert_int_equal(pclose(pipe), 0);
  assert_true(n > 0 && out[n - 1] == '\n');
  out[n - 1] = '\0';
  return out;
}

static void
same_as_python(param_type_t type, json_t * value, const char * element, const char * whole)
{
  char * text = printed(type, value);
  const char * wanted = python(element, whole);
  size_t i = 0;
  while (text[i] && text[i] == wanted[i]) i++;
  const size_t from = i > 30 ? i - 30 : 0;
  if (text[i] != wanted[i]) fail_msg("%.60s\n  Python: %.60s", text + from, wanted + from);
  free(text);
}

static uint64_t
next(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ *state >> 29;
}

static void
test_scalars(void ** state)
{
  (void)state;
  prints(PARAM_BOOL, json_true(), "True");
  prints(PARAM_BOOL, json_false(), "False");
  prints(PARAM_INTEGER, json_integer(-42), "-42");
  prints(PARAM_DOUBLE, json_real(100), "100.0");
  prints(PARAM_DOUBLE, json_real(1e-5), "1e-05");
  prints(PARAM_DOUBLE, json_string("nan"), "nan");
  prints(PARAM_DOUBLE, json_string("-inf"), "-inf");
  prints(PARAM_STRING, json_string("007"), "007");
  prints(PARAM_STRING, json_string("<a>\n'b'</a>"), "<a>\n'b'</a>");
}

static void
test_arrays(void ** state)
{
  (void)state;
  prints(PARAM_DOUBLE_ARRAY, json_pack("[f, f]", 1.0, 2.5), "array('d', [1.0, 2.5])");
  prints(PARAM_DOUBLE_ARRAY, json_array(), "array('d')");
  prints(PARAM_INTEGER_ARRAY, json_pack("[i, i]", 1, -2), "array('q', [1, -2])");
  prints(PARAM_INTEGER_ARRAY, json_array(), "array('q')");
  prints(PARAM_BOOL_ARRAY, json_pack("[b, b]", 1, 0), "[True, False]");
  prints(PARAM_STRING_ARRAY, json_pack("[s, s]", "a", "b c"), "['a', 'b c']");
  prints(PARAM_STRING_ARRAY, json_array(), "[]");
  prints(PARAM_BYTE_ARRAY, json_pack("[i, i]", 1, 65), "[b'\\x01', b'A']");
}

// any bit pattern that is a number, and some that people write
static void
test_doubles(void ** state)
{
  (void)state;
  uint64_t random = 1;
  FILE * to = fopen(file, "w");
  assert_non_null(to);
  json_t * list = json_array();
  for (int i = 0; i < NUMBERS; i++) {
    const uint64_t bits = next(&random);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (i % 3 == 1) x = (double)(int64_t)(bits >> (bits & 63));
    if (i % 3 == 2) x = (double)(int)(bits % 2000001 - 1000000) / 1000;
    if (!isfinite(x)) x = -0.0;
    fprintf(to, "%a\n", x);
    json_array_append_new(list, json_real(x));
  }
  fclose(to);
  same_as_python(PARAM_DOUBLE_ARRAY, list, "float.fromhex(line)", "array.array('d', x)");
}

static const char * const LETTERS[] = {
  "a",    " ",      "'",      "\"",     "\\",     "\n",     "\t",     "\r",         "\033",
  "\177", "\u00e9", "\u00a0", "\u03b1", "\u200b", "\u202e", "\u4e2d", "\U0001f916", "{"};

static void
test_texts(void ** state)
{
  (void)state;
  uint64_t random = 2;
  FILE * to = fopen(file, "w");
  assert_non_null(to);
  json_t * list = json_array();
  for (int i = 0; i < TEXTS; i++) {
    char text[64] = "";
    for (uint64_t n = next(&random) % 8; n > 0; n--) {
      strcat(text, LETTERS[next(&random) % (sizeof LETTERS / sizeof LETTERS[0])]);
    }
    for (const char * s = text; *s; s++) fprintf(to, "%02x", (unsigned char)*s);
    fputc('\n', to);
    json_array_append_new(list, json_string(text));
  }
  fclose(to);
  same_as_python(PARAM_STRING_ARRAY, list, "bytes.fromhex(line.strip()).decode()", "x");
}

static void
test_bytes(void ** state)
{
  (void)state;
  FILE * to = fopen(file, "w");
  assert_non_null(to);
  json_t * list = json_array();
  for (int i = 0; i < 256; i++) {
    fprintf(to, "%02x\n", (unsigned)i);
    json_array_append_new(list, json_integer(i));
  }
  fclose(to);
  same_as_python(PARAM_BYTE_ARRAY, list, "bytes.fromhex(line.strip())", "x");
}

int
main(void)
{
  const int fd = mkstemp(file);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_scalars), cmocka_unit_test(test_arrays), cmocka_unit_test(test_doubles),
    cmocka_unit_test(test_texts), cmocka_unit_test(test_bytes)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(file);
  return failed;
}
