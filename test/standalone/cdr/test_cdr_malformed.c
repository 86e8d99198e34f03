// What a peer may get wrong, by mistake or on purpose, is refused or read as rmw_cyclonedds reads
// it.
#include <stdlib.h>
#include <string.h>

#include "rcl_interfaces/msg/integer_range.h"
#include "rcl_interfaces/msg/parameter_descriptor.h"
#include "rmw_dds_common/msg/node_entities_info.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/bool.h"
#include "std_msgs/msg/string.h"
#include "wire.h"

// read a type from hexadecimal text; the message is handed back unless out is NULL
static bool
reads_within(const char * type, const char * hex, const cdr_limits_t * limits, void ** out)
{
  const cdr_members_t * members = members_of(type);
  void * message = message_new(members);
  size_t size;
  uint8_t * bytes = from_hex(hex, &size);
  const bool ok = cdr_read(members, bytes, size, limits, message);

  // whatever came of it, the message can be written
  uint8_t * again = encode(members, message, &size);
  free(again);
  free(bytes);
  if (out) {
    *out = message;
  } else {
    message_free(members, message);
  }
  return ok;
}

static bool
reads(const char * type, const char * hex)
{
  return reads_within(type, hex, NULL, NULL);
}

//---------- encapsulation ----------

static void
encapsulation(void ** state)
{
  (void)state;
  const char * type = "std_msgs/msg/Bool";
  assert_true(reads(type, "00010000 01"));
  assert_true(reads(type, "00000000 01"));
  assert_true(reads(type, "00010003 01 000000"));  // count of padding in the options
  assert_false(reads(type, "00020000 01"));        // parameter lists
  assert_false(reads(type, "00030000 01"));
  assert_false(reads(type, "00070000 01"));  // XCDR2
  assert_false(reads(type, "00090000 01"));
  assert_false(reads(type, "01010000 01"));
  assert_false(reads(type, ""));
  assert_false(reads(type, "0001"));
  assert_false(reads(type, "00010000"));
}

static void
big_endian(void ** state)
{
  (void)state;
  sensor_msgs__msg__JointState * m;
  assert_true(reads_within(
    "sensor_msgs/msg/JointState",
    "00000000 6553f100 075bcd15 00000002 7700 0000 00000001 00000002 6a00 0000"
    "00000001 3fe0000000000000 00000000 00000001 bfd0000000000000",
    NULL, (void **)&m));
  assert_int_equal(m->header.stamp.sec, 1700000000);
  assert_int_equal(m->header.stamp.nanosec, 123456789);
  assert_string_equal(m->header.frame_id.data, "w");
  assert_string_equal(m->name.data[0].data, "j");
  assert_true(m->position.data[0] >= 0.5 && m->position.data[0] <= 0.5);
  assert_int_equal(m->velocity.size, 0);
  assert_true(m->effort.data[0] >= -0.25 && m->effort.data[0] <= -0.25);
  message_free(members_of("sensor_msgs/msg/JointState"), m);
}

// what follows the message is not looked at
static void
trailing_bytes(void ** state)
{
  (void)state;
  std_msgs__msg__String * m;
  assert_true(
    reads_within("std_msgs/msg/String", "00010000 02000000 6100 ffffffffffff", NULL, (void **)&m));
  assert_string_equal(m->data.data, "a");
  message_free(members_of("std_msgs/msg/String"), m);
}

//---------- values ----------

static void
bools(void ** state)
{
  (void)state;
  std_msgs__msg__Bool * m;
  assert_true(reads_within("std_msgs/msg/Bool", "00010000 ff", NULL, (void **)&m));
  assert_true(m->data);
  uint8_t bytes[8];
  const cdr_members_t * members = members_of("std_msgs/msg/Bool");
  assert_true(cdr_write(members, m, bytes, sizeof bytes));
  assert_memory_equal(bytes, "\0\1\0\0\1\0\0\0", 8);
  message_free(members, m);
}

static void
strings(void ** state)
{
  (void)state;
  const char * type = "std_msgs/msg/String";
  assert_false(reads(type, "00010000 03000000 616263"));    // no NUL
  assert_false(reads(type, "00010000 04000000 616263"));    // cut
  assert_false(reads(type, "00010000 ffffffff 61626300"));  // longer than the buffer
  assert_false(reads(type, "00010000 00000080 61626300"));
  assert_false(reads(type, "00010000 0300"));
  assert_true(reads(type, "00010000 00000000"));  // length 0 stands for empty

  // ends at its first NUL
  std_msgs__msg__String * m;
  assert_true(reads_within(type, "00010000 06000000 616200636400", NULL, (void **)&m));
  assert_string_equal(m->data.data, "ab");
  assert_int_equal(m->data.size, 2);
  message_free(members_of(type), m);
}

static void
sequences(void ** state)
{
  (void)state;
  // names: more than there are bytes for
  const char * joint_state = "sensor_msgs/msg/JointState";
  const char * start = "00010000 00000000 00000000 01000000 00 000000";
  char hex[256];
  const char * const bad[] = {
    "ffffffff",                                         // names, four thousand million
    "02000000 01000000 00",                             // two names, one there
    "00000000 ffffffff",                                // positions
    "00000000 00000020 0000000000000000",               // times 8 overflows 32 bits
    "00000000 02000000 0000000000000000",               // one of two there
    "00000000 00000000 00000000 01000000 000000000000"  // last one cut
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    snprintf(hex, sizeof hex, "%s %s", start, bad[i]);
    assert_false(reads(joint_state, hex));
  }
  assert_false(reads(
    "diagnostic_msgs/msg/DiagnosticArray",
    "00010000 00000000 00000000 01000000 "
    "00 000000 ffffff0f"));
}

static void
bounds(void ** state)
{
  (void)state;
  // at most one range
  const char * type = "rcl_interfaces/msg/ParameterDescriptor";
  const char * empty = "00010000 01000000 00 00 0000 01000000 00 000000 01000000 00 00 00 00";
  const char * range = "0000000000000000 0000000000000000 0000000000000000";
  char hex[512];
  snprintf(hex, sizeof hex, "%s 01000000 00000000 %s 00000000", empty, range);
  assert_true(reads(type, hex));
  snprintf(hex, sizeof hex, "%s 02000000 00000000 %s %s 00000000", empty, range, range);
  assert_false(reads(type, hex));

  // at most 256 characters
  for (size_t n = 256; n <= 257; n++) {
    uint8_t bytes[300] = {0, 1, 0, 0, (uint8_t)(n + 1), (uint8_t)((n + 1) >> 8)};
    memset(bytes + 8, 'x', n);
    const size_t size = (8 + n + 1 + 3) / 4 * 4 + 5 + 3 + 8;
    bytes[(8 + n + 1 + 3) / 4 * 4] = 1;
    const cdr_members_t * members = members_of("rmw_dds_common/msg/NodeEntitiesInfo");
    void * m = message_new(members);
    assert_int_equal(cdr_read(members, bytes, size, NULL, m), n == 256);
    message_free(members, m);
  }
}

// neither does the writer send what a reader would refuse
static void
writer_keeps_bounds(void ** state)
{
  (void)state;
  const cdr_members_t * members = members_of("rmw_dds_common/msg/NodeEntitiesInfo");
  rmw_dds_common__msg__NodeEntitiesInfo * m = message_new(members);
  char name[258];
  memset(name, 'n', sizeof name);
  assert_true(rosidl_runtime_c__String__assignn(&m->node_name, name, 256));
  assert_true(cdr_size(members, m) > 0);
  assert_true(rosidl_runtime_c__String__assignn(&m->node_name, name, 257));
  uint8_t bytes[1024];
  assert_int_equal(cdr_size(members, m), 0);
  assert_false(cdr_write(members, m, bytes, sizeof bytes));
  message_free(members, m);

  const cdr_members_t * descriptor = members_of("rcl_interfaces/msg/ParameterDescriptor");
  rcl_interfaces__msg__ParameterDescriptor * d = message_new(descriptor);
  assert_true(rcl_interfaces__msg__IntegerRange__Sequence__init(&d->integer_range, 2));
  assert_int_equal(cdr_size(descriptor, d), 0);
  message_free(descriptor, d);
}

//---------- limits ----------

static void
limits(void ** state)
{
  (void)state;
  const char * type = "std_msgs/msg/Float64MultiArray";
  const char * two =
    "00010000 00000000 00000000 02000000 00000000 0000000000000000 0000000000000000";
  assert_true(reads_within(type, two, &(cdr_limits_t){16, 4}, NULL));
  assert_false(reads_within(type, two, &(cdr_limits_t){15, 4}, NULL));
  assert_true(reads_within(type, two, &(cdr_limits_t){16, 2}, NULL));
  assert_false(reads_within(type, two, &(cdr_limits_t){16, 1}, NULL));

  const char * text = "00010000 04000000 61626300";
  assert_true(reads_within("std_msgs/msg/String", text, &(cdr_limits_t){4, 1}, NULL));
  assert_false(reads_within("std_msgs/msg/String", text, &(cdr_limits_t){3, 1}, NULL));
  assert_false(reads_within("std_msgs/msg/String", text, &(cdr_limits_t){4, 0}, NULL));
}

static void
null_arguments(void ** state)
{
  (void)state;
  const cdr_members_t * members = members_of("std_msgs/msg/Bool");
  std_msgs__msg__Bool m = {true};
  uint8_t bytes[32] = {0, 1};
  cdr_request_id_t id;
  assert_int_equal(cdr_size(NULL, &m), 0);
  assert_int_equal(cdr_size(members, NULL), 0);
  assert_false(cdr_write(members, &m, NULL, 8));
  assert_false(cdr_write(members, &m, bytes, 3));
  assert_false(cdr_read(members, NULL, 8, NULL, &m));
  assert_false(cdr_read(members, bytes, 8, NULL, NULL));
  assert_false(cdr_service_read(members, bytes, 24, NULL, NULL, &m));
  assert_false(cdr_service_write(members, NULL, &m, bytes, 32));
  assert_false(cdr_service_peek(bytes, 19, &id));
  assert_true(cdr_service_peek(bytes, 20, &id));
}

// a sequence that shrinks and grows again within its room keeps the strings of its elements usable
static void
shrinks_and_grows(void ** state)
{
  (void)state;
  const cdr_members_t * members = members_of("sensor_msgs/msg/JointState");
  sensor_msgs__msg__JointState * m = message_new(members);
  const char * start = "00010000 00000000 00000000 01000000 00 000000";
  const char * const names[] = {
    "03000000 05000000 6c6f6e6700 000000 02000000 6200 0000 02000000 6300 0000",
    "01000000 02000000 7800 0000", "00000000",
    "03000000 02000000 6400 0000 01000000 00 000000 08000000 7468697264210a00"};
  for (int round = 0; round < 8; round++) {
    char hex[256];
    size_t size;
    snprintf(hex, sizeof hex, "%s %s 00000000 00000000 00000000", start, names[round % 4]);
    uint8_t * bytes = from_hex(hex, &size);
    assert_true(cdr_read(members, bytes, size, NULL, m));
    free(bytes);
  }
  assert_int_equal(m->name.size, 3);
  assert_string_equal(m->name.data[0].data, "d");
  assert_string_equal(m->name.data[1].data, "");
  assert_string_equal(m->name.data[2].data, "third!\n");
  message_free(members, m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(encapsulation),
    cmocka_unit_test(big_endian),
    cmocka_unit_test(trailing_bytes),
    cmocka_unit_test(bools),
    cmocka_unit_test(strings),
    cmocka_unit_test(sequences),
    cmocka_unit_test(bounds),
    cmocka_unit_test(writer_keeps_bounds),
    cmocka_unit_test(limits),
    cmocka_unit_test(null_arguments),
    cmocka_unit_test(shrinks_and_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
