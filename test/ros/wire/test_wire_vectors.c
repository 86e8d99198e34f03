// Bytes that neither our reader nor our codec has made: those of a real ROS 2, and those of an
// encoder in Python, of both endiannesses.
#include <stdlib.h>

#include "wire.h"
#include "wire_oracle.h"

static int taken;

static void
check(const vector_t * v, const oracle_kind_t * kind, const uint8_t * bytes)
{
  oracle_result_t result;
  void * message = message_new(v->members);
  assert_true(cdr_read(v->members, bytes, v->size, NULL, message));
  if (kind->read(bytes, v->size, &result) != kind->valid(message))
    fail_msg("%s: not as expected", v->name);
  if (kind->valid(message)) {
    if (!kind->same(&result, message)) fail_msg("%s: another content", v->name);
    taken++;
  }
  message_free(v->members, message);
}

static void
check_vector(const vector_t * v)
{
  size_t count;
  const oracle_kind_t * kind = oracle_kinds(&count);
  for (size_t i = 0; i < count; i++) {
    if (oracle_members(&kind[i]) != v->members) continue;
    check(v, &kind[i], v->bytes);
    if (v->big_endian) check(v, &kind[i], v->big_endian);
  }
}

static void
vectors(void ** state)
{
  (void)state;
  assert_true(wire_for_each(OWN_VECTORS, check_vector) > 0);
  assert_true(taken >= 2);
}

static void
vectors_of_ros(void ** state)
{
  (void)state;
  taken = 0;
  assert_int_equal(wire_for_each(REAL_VECTORS, check_vector), 80);
  print_message("             %d messages of a real ROS 2 are read\n", taken);
  assert_true(taken >= 15);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(vectors),
    cmocka_unit_test(vectors_of_ros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
