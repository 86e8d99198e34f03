// Messages as people write and read them: JSON in, JSON and YAML out, and errors that name the
// field.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "wire.h"

static bool
fill(const char * type, void * message, const char * text, char * error, size_t size)
{
  json_error_t where;
  json_t * json = json_loads(text, JSON_DECODE_ANY, &where);
  assert_non_null(json);
  error[0] = 0;
  const bool ok = message_from_json(members_of(type), json, message, error, size);
  json_decref(json);
  return ok;
}

// a text that must be refused with this sentence
static void
assert_refused(const char * type, const char * text, const char * sentence)
{
  char error[256];
  void * message = message_new(members_of(type));
  assert_false(fill(type, message, text, error, sizeof error));
  assert_string_equal(error, sentence);
  message_free(members_of(type), message);
}

static void
errors_name_the_field(void ** state)
{
  (void)state;
  const char * js = "sensor_msgs/msg/JointState";
  assert_refused(js, "[]", "expected an object {field: value, ...}");
  assert_refused(
    js, "{\"names\": []}",
    "no field 'names' in JointState; its fields are: header, name, position, velocity, effort");
  assert_refused(js, "{\"position\": [1, \"x\"]}", "position[1]: expected a number");
  assert_refused(js, "{\"name\": \"j\"}", "name: expected an array");
  assert_refused(
    js, "{\"header\": {\"stamp\": {\"sec\": 2147483648}}}", "header.stamp.sec: out of range");
  assert_refused(
    js, "{\"header\": {\"stamp\": {\"nanosec\": -1}}}", "header.stamp.nanosec: out of range");
  assert_refused(
    js, "{\"header\": {\"stamp\": {\"sec\": 0.5}}}", "header.stamp.sec: expected an integer");
  assert_refused("std_msgs/msg/Bool", "{\"data\": 1}", "data: expected true or false");
  assert_refused("std_msgs/msg/String", "{\"data\": 1}", "data: expected a string");
  assert_refused(
    "rmw_dds_common/msg/Gid", "{\"data\": [1, 2]}", "data: expected 24 elements, not 2");
  assert_refused(
    "rcl_interfaces/msg/ParameterDescriptor", "{\"integer_range\": [{}, {}]}",
    "integer_range: at most 1 are allowed");
}

// an error that does not fit is cut, a path that does not fit too
static void
small_buffers(void ** state)
{
  (void)state;
  char error[256];
  void * message = message_new(members_of("std_msgs/msg/Bool"));
  for (size_t n = 1; n < 30; n++) {
    memset(error, 'x', sizeof error);
    assert_false(fill("std_msgs/msg/Bool", message, "{\"data\": 1}", error, n));
    assert_true(strlen(error) < n);
  }
  message_free(members_of("std_msgs/msg/Bool"), message);
}

static void
special_numbers(void ** state)
{
  (void)state;
  char error[256];
  const cdr_members_t * members = members_of("sensor_msgs/msg/JointState");
  sensor_msgs__msg__JointState * m = message_new(members);
  assert_true(fill(
    "sensor_msgs/msg/JointState", m, "{\"position\": [\"nan\", \".inf\", \"-inf\", 3, 0.1]}", error,
    sizeof error));
  assert_true(isnan(m->position.data[0]));
  assert_true(isinf(m->position.data[1]) && isinf(m->position.data[2]));
  assert_true(m->position.data[3] >= 3 && m->position.data[3] <= 3);
  json_t * json = message_to_json(members, m);
  char * text = json_dumps(json_object_get(json, "position"), JSON_COMPACT);
  assert_string_equal(text, "[\"nan\",\"inf\",\"-inf\",3.0,0.10000000000000001]");
  free(text);
  json_decref(json);
  message_free(members, m);
}

static void
integers_keep_their_range(void ** state)
{
  (void)state;
  char error[256];
  const char * type = "rcl_interfaces/msg/IntegerRange";
  void * m = message_new(members_of(type));
  const char * text =
    "{\"from_value\": -9223372036854775808, \"to_value\": 9223372036854775807, "
    "\"step\": \"18446744073709551615\"}";
  assert_true(fill(type, m, text, error, sizeof error));
  json_t *json = message_to_json(members_of(type), m), *expected = json_loads(text, 0, NULL);
  assert_true(json_equal(json, expected));
  json_decref(json), json_decref(expected);
  message_free(members_of(type), m);
}

static void
text_that_is_not_utf8(void ** state)
{
  (void)state;
  const cdr_members_t * members = members_of("std_msgs/msg/String");
  std_msgs__msg__String * m = message_new(members);
  assert_true(rosidl_runtime_c__String__assign(
    &m->data,
    "a\xff\xfe"
    "b"));
  json_t * json = message_to_json(members, m);
  assert_string_equal(
    json_string_value(json_object_get(json, "data")),
    "a\xef\xbf\xbd\xef\xbf\xbd"
    "b");
  json_decref(json);
  message_free(members, m);
}

//---------- YAML ----------

static void
assert_prints(const char * type, const char * text, size_t max, const char * expected)
{
  char error[256], *out = NULL;
  size_t size;
  void * m = message_new(members_of(type));
  assert_true(fill(type, m, text, error, sizeof error));
  FILE * file = open_memstream(&out, &size);
  message_print(members_of(type), m, max, file);
  fclose(file);
  assert_string_equal(out, expected);
  free(out);
  message_free(members_of(type), m);
}

static void
prints_like_echo(void ** state)
{
  (void)state;
  assert_prints(
    "sensor_msgs/msg/JointState",
    "{\"header\": {\"stamp\": {\"sec\": 1}, \"frame_id\": \"base\"}, \"name\": [\"j1\", \"on\"], "
    "\"position\": [0.1, 1e-5, 3, \"nan\"], \"velocity\": [1, 2, 3]}",
    3,
    "header:\n  stamp:\n    sec: 1\n    nanosec: 0\n  frame_id: base\nname:\n- j1\n- 'on'\n"
    "position:\n- 0.1\n- 1e-05\n- 3.0\n- '...'\nvelocity:\n- 1.0\n- 2.0\n- 3.0\neffort: []\n");
  assert_prints(
    "diagnostic_msgs/msg/DiagnosticArray",
    "{\"status\": [{\"level\": \"\\u0001\", \"name\": \"arm: j1\", \"values\": [{\"key\": \"t\", "
    "\"value\": \"61.5\"}, {}]}]}",
    0,
    "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\nstatus:\n- level: 1\n"
    "  name: 'arm: j1'\n  message: ''\n  hardware_id: ''\n  values:\n  - key: t\n"
    "    value: '61.5'\n  - key: ''\n    value: ''\n");
  assert_prints("std_msgs/msg/Empty", "{}", 0, "");
}

static void
prints_text_safely(void ** state)
{
  (void)state;
  const char * type = "std_msgs/msg/String";
  assert_prints(type, "{\"data\": \"it's\"}", 0, "data: it's\n");
  assert_prints(type, "{\"data\": \"'q\"}", 0, "data: '''q'\n");
  assert_prints(type, "{\"data\": \"1e3\"}", 0, "data: '1e3'\n");
  assert_prints(
    type, "{\"data\": \"two\\nlines\\u001b[31m\"}", 0, "data: \"two\\nlines\\x1b[31m\"\n");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(errors_name_the_field), cmocka_unit_test(small_buffers),
    cmocka_unit_test(special_numbers),       cmocka_unit_test(integers_keep_their_range),
    cmocka_unit_test(text_that_is_not_utf8), cmocka_unit_test(prints_like_echo),
    cmocka_unit_test(prints_text_safely),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
