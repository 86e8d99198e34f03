// Every message that the node reads, as the generated types and the codec write it, and what may be
// wrong with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "wire_oracle.h"

// calls a test on random messages of every kind, from peers of both endiannesses
static void
for_each(int times, void (*test)(const oracle_kind_t * kind, const void * m, uint8_t * b, size_t n))
{
  size_t kinds;
  const oracle_kind_t * kind = oracle_kinds(&kinds);
  for (size_t k = 0; k < kinds; k++) {
    for (int i = 0; i < 2 * times; i++) {
      uint64_t seed = (uint64_t)(i / 2);
      size_t size;
      void * message = oracle_random(&kind[k], &seed);
      uint8_t * bytes = oracle_encode(&kind[k], message, i % 2, &size);
      test(&kind[k], message, bytes, size);
      free(bytes);
      oracle_free(&kind[k], message);
    }
  }
}

// a copy of its own size, so that a sanitizer sees one byte too many
static bool
reads(const oracle_kind_t * kind, const uint8_t * bytes, size_t size, oracle_result_t * result)
{
  uint8_t * copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  const bool ok = kind->read(copy, size, result);
  free(copy);
  return ok;
}

//---------- what is right ----------

static void
read_back(const oracle_kind_t * kind, const void * message, uint8_t * bytes, size_t size)
{
  oracle_result_t result;
  assert_true(kind->valid(message));
  if (!kind->read(bytes, size, &result)) fail_msg("%s refused", kind->type);
  if (!kind->same(&result, message)) fail_msg("%s is not what was sent", kind->type);

  // the comparison is not blind: another message is another
  uint64_t seed = size;
  void * other = oracle_random(kind, &seed);
  size_t n;
  uint8_t * others = oracle_encode(kind, other, bytes[1] == 0, &n);
  const bool equal = n == size && memcmp(others, bytes, n) == 0;
  assert_true(equal || size < 100 || !kind->same(&result, other));
  free(others);
  oracle_free(kind, other);
}

static void
random_content(void ** state)
{
  (void)state;
  for_each(500, read_back);
}

//---------- how long it is ----------

static void
cut_everywhere(const oracle_kind_t * kind, const void * message, uint8_t * bytes, size_t size)
{
  const size_t needed = cdr_size(oracle_needed(kind), message);
  oracle_result_t result;
  for (size_t n = 0; n < size; n++) {
    if (reads(kind, bytes, n, &result) != (n >= needed))
      fail_msg("%s of %zu bytes, cut to %zu", kind->type, size, n);
  }
}

static void
truncations(void ** state)
{
  (void)state;
  for_each(60, cut_everywhere);
}

static void
add_bytes(const oracle_kind_t * kind, const void * message, uint8_t * bytes, size_t size)
{
  oracle_result_t result;
  uint8_t * longer = malloc(size + 64);
  assert_non_null(longer);
  memset(longer, 0xee, size + 64);
  memcpy(longer, bytes, size);
  for (size_t extra = 0; extra <= 64; extra++) {
    const bool taken = kind->read(longer, size + extra, &result);
    if (taken != (extra <= 3 || !kind->whole))
      fail_msg("%s with %zu bytes after it", kind->type, extra);
    assert_true(!taken || kind->same(&result, message));
  }
  free(longer);
}

static void
bytes_after_it(void ** state)
{
  (void)state;
  for_each(20, add_bytes);
}

//---------- what is in it ----------

// in place of each four bytes what counts and lengths are wrong with, some of which overflow
static void
change_words(const oracle_kind_t * kind, const void * message, uint8_t * bytes, size_t size)
{
  (void)message;
  static const uint32_t evil[] = {0,          1,          2,          0xffffffff, 0x7fffffff,
                                  0x20000001, 0x10000000, 0x80000000, 1000000000, 999999999};
  for (size_t at = 0; at + 4 <= size; at += 4) {
    uint8_t old[4];
    memcpy(old, bytes + at, 4);
    for (size_t i = 0; i < 2 * sizeof evil / sizeof evil[0]; i++) {
      for (size_t k = 0; k < 4; k++)
        bytes[at + k] = (uint8_t)(evil[i / 2] >> 8 * (i % 2 ? 3 - k : k));
      if (!oracle_agrees(kind, bytes, size))
        fail_msg("%s with %08x at %zu", kind->type, evil[i / 2], at);
    }
    memcpy(bytes + at, old, 4);
  }
}

static void
evil_words(void ** state)
{
  (void)state;
  for_each(8, change_words);
}

static void
change_bytes(const oracle_kind_t * kind, const void * message, uint8_t * bytes, size_t size)
{
  (void)message;
  uint64_t seed = size;
  for (int i = 0; i < 200; i++) {
    const size_t at = (size_t)oracle_below(&seed, size);
    const uint8_t old = bytes[at];
    bytes[at] =
      (uint8_t)(oracle_below(&seed, 2) ? oracle_below(&seed, 9) : oracle_below(&seed, 256));
    if (!oracle_agrees(kind, bytes, size))
      fail_msg("%s with %02x at %zu", kind->type, bytes[at], at);
    bytes[at] = old;
  }
}

static void
evil_bytes(void ** state)
{
  (void)state;
  for_each(30, change_bytes);
}

//---------- joint states ----------

// n names and as many numbers as said
static uint8_t *
joint_state(size_t names, size_t position, size_t velocity, size_t effort, size_t * size)
{
  const oracle_kind_t * kind = oracle_find("sensor_msgs/msg/JointState");
  sensor_msgs__msg__JointState * m = oracle_new(kind);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->name, names));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->position, position));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->velocity, velocity));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->effort, effort));
  uint8_t * bytes = oracle_encode(kind, m, false, size);
  oracle_free(kind, m);
  return bytes;
}

static bool
takes_joint_state(size_t names, size_t position, size_t velocity, size_t effort)
{
  wire_joint_state_t out;
  size_t size;
  uint8_t * bytes = joint_state(names, position, velocity, effort, &size);
  const bool ok = wire_read_joint_state(bytes, size, &out);
  free(bytes);
  return ok;
}

static void
one_number_per_name(void ** state)
{
  (void)state;
  assert_true(takes_joint_state(0, 0, 0, 0));
  assert_true(takes_joint_state(3, 0, 0, 0));
  assert_true(takes_joint_state(3, 3, 0, 3));
  assert_true(takes_joint_state(3, 0, 3, 0));
  for (size_t n = 0; n < 8; n++) {
    const bool right = n == 0 || n == 3;
    assert_int_equal(takes_joint_state(3, n, 3, 3), right);
    assert_int_equal(takes_joint_state(3, 3, n, 3), right);
    assert_int_equal(takes_joint_state(3, 3, 3, n), right);
    assert_int_equal(takes_joint_state(0, n, 0, 0), n == 0);
  }
}

static void
many_names(void ** state)
{
  (void)state;
  assert_int_equal(WIRE_MAX_NAMES, 4096);
  assert_true(takes_joint_state(4096, 4096, 4096, 4096));
  assert_false(takes_joint_state(4097, 4097, 4097, 4097));
  assert_false(takes_joint_state(4097, 0, 0, 0));
}

static void
stamps(void ** state)
{
  (void)state;
  static const struct {
    int32_t sec;
    uint32_t nanosec;
    int64_t expected;  // -1: refused
  } list[] = {
    {0, 0, 0},
    {0, 1, 1},
    {1, 999999999, 1999999999},
    {INT32_MAX, 999999999, 2147483647999999999},
    {0, 1000000000, -1},
    {0, UINT32_MAX, -1},
    {-1, 0, -1},
    {-1, 999999999, -1},
    {INT32_MIN, 0, -1},
  };
  const oracle_kind_t * kind = oracle_find("sensor_msgs/msg/JointState");
  for (size_t i = 0; i < 2 * sizeof list / sizeof list[0]; i++) {
    wire_joint_state_t out;
    size_t size;
    sensor_msgs__msg__JointState * m = oracle_new(kind);
    m->header.stamp.sec = list[i / 2].sec;
    m->header.stamp.nanosec = list[i / 2].nanosec;
    uint8_t * bytes = oracle_encode(kind, m, i % 2, &size);
    const bool ok = wire_read_joint_state(bytes, size, &out);
    assert_int_equal(ok, list[i / 2].expected >= 0);
    if (ok) assert_true(out.stamp == list[i / 2].expected);
    free(bytes);
    oracle_free(kind, m);
  }
}

//---------- names ----------

typedef struct named {
  uint8_t * bytes;
  wire_joint_state_t state;
} named_t;

static named_t
named(const char * const * name, size_t n, bool big_endian)
{
  const oracle_kind_t * kind = oracle_find("sensor_msgs/msg/JointState");
  sensor_msgs__msg__JointState * m = oracle_new(kind);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->name, n));
  for (size_t i = 0; i < n; i++)
    assert_true(rosidl_runtime_c__String__assign(&m->name.data[i], name[i]));
  size_t size;
  named_t made;
  made.bytes = oracle_encode(kind, m, big_endian, &size);
  assert_true(wire_read_joint_state(made.bytes, size, &made.state));
  oracle_free(kind, m);
  return made;
}

static void
names_are_compared(void ** state)
{
  (void)state;
  const char * const list[][3] = {
    {"a", "elbow", "wrist_1"},
    {"a", "elbow", "wrist_2"},
    {"elbow", "a", "wrist_1"},
    {"a", "elbo", "wrist_1"},
    {"", "", ""},
    {"a", "elbow", ""}};
  enum { LISTS = sizeof list / sizeof list[0] };
  for (size_t i = 0; i < 8 * LISTS * LISTS; i++) {
    const size_t a = i / 8 / LISTS, b = i / 8 % LISTS;
    const size_t drop = i / 4 % 2;
    named_t x = named(list[a], 3, i % 2), y = named(list[b], 3 - drop, i / 2 % 2);
    assert_int_equal(wire_names_equal(&x.state.names, &y.state.names), a == b && !drop);
    assert_int_equal(wire_names_equal(&y.state.names, &x.state.names), a == b && !drop);
    free(x.bytes), free(y.bytes);
  }
  named_t none = named(NULL, 0, false), also = named(NULL, 0, true);
  assert_true(wire_names_equal(&none.state.names, &also.state.names));
  free(none.bytes), free(also.bytes);
}

// Fast DDS leaves anything between the names
static void
padding_is_not_compared(void ** state)
{
  (void)state;
  const char * const list[] = {"a", "elbow", "wrist_1", "x"};
  named_t x = named(list, 4, false), y = named(list, 4, false);
  // 4 + 2, two of padding, 4 + 6, two of padding
  uint8_t * names = (uint8_t *)(uintptr_t)y.state.names.data;
  assert_int_equal(y.state.names.bytes, 8 + 12 + 12 + 6);
  for (int i = 6; i < 8; i++) assert_int_equal(names[i], 0), names[i] = 0xee;
  for (int i = 18; i < 20; i++) assert_int_equal(names[i], 0), names[i] = 0xee;
  assert_true(wire_names_equal(&x.state.names, &y.state.names));
  assert_true(wire_names_equal(&y.state.names, &x.state.names));
  names[12]++;
  assert_false(wire_names_equal(&x.state.names, &y.state.names));
  free(x.bytes), free(y.bytes);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_content),     cmocka_unit_test(truncations),
    cmocka_unit_test(bytes_after_it),     cmocka_unit_test(evil_words),
    cmocka_unit_test(evil_bytes),         cmocka_unit_test(one_number_per_name),
    cmocka_unit_test(many_names),         cmocka_unit_test(stamps),
    cmocka_unit_test(names_are_compared), cmocka_unit_test(padding_is_not_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
