// Bytes and messages are the same as those of a real ROS 2, in both directions.
#include <stdlib.h>
#include <string.h>

#include "wire.h"

static void *
message_of(const vector_t * v)
{
  char error[256] = "";
  void * message = message_new(v->members);
  if (!message_from_json(v->members, v->fields, message, error, sizeof error)) {
    fail_msg("%s: %s", v->name, error);
  }
  return message;
}

static void
assert_same(const vector_t * v, const void * a, const void * b)
{
  json_t * left = message_to_json(v->members, a);
  json_t * right = message_to_json(v->members, b);
  assert_non_null(left);
  if (!json_equal(left, right)) {
    char * text = json_dumps(left, JSON_INDENT(1));
    fail_msg("%s: read as %s", v->name, text);
  }
  json_decref(left);
  json_decref(right);
}

//---------- one vector ----------

static void
encodes(const vector_t * v)
{
  void * message = message_of(v);
  size_t size;
  uint8_t * bytes = encode(v->members, message, &size);
  assert_bytes(v->name, bytes, size, v->bytes, v->size);

  // one byte less does not do
  assert_false(cdr_write(v->members, message, bytes, size - 1));
  free(bytes);
  message_free(v->members, message);
}

// padded as on the wire or longer, from peers of both kinds, and again and again into the same
// message
static void
decodes(const vector_t * v)
{
  void * expected = message_of(v);
  void * message = message_new(v->members);
  for (size_t pad = 0; pad < 9; pad++) {
    uint8_t * bytes = calloc(1, v->size + pad);
    memcpy(bytes, v->bytes, v->size);
    assert_true(cdr_read(v->members, bytes, v->size + pad, NULL, message));
    assert_same(v, message, expected);
    free(bytes);
  }
  if (v->big_endian) {
    assert_true(cdr_read(v->members, v->big_endian, v->size, NULL, message));
    assert_same(v, message, expected);
  }
  size_t size;
  uint8_t * bytes = encode(v->members, message, &size);
  assert_bytes(v->name, bytes, size, v->bytes, v->size);
  free(bytes);
  message_free(v->members, message);
  message_free(v->members, expected);
}

static int truncations;

// what is cut short is refused, and the message can still be used and released
static void
refuses_cut(const vector_t * v)
{
  void * message = message_new(v->members);
  for (size_t n = 0; n < v->size; n++) {
    // exactly as large as what may be read, so that a sanitizer sees one byte too many
    uint8_t * bytes = malloc(n ? n : 1);
    memcpy(bytes, v->bytes, n);
    assert_false(cdr_read(v->members, bytes, n, NULL, message));
    truncations++;
    free(bytes);
  }
  assert_true(cdr_read(v->members, v->bytes, v->size, NULL, message));
  message_free(v->members, message);
}

// the body of a service's message is the same after a header of 16 bytes
static void
carries_header(const vector_t * v)
{
  void * message = message_of(v);
  const cdr_request_id_t id = {0xbd64f158182b8496u, 0x0102030405060708};
  cdr_request_id_t back;
  const size_t size = cdr_service_size(v->members, message);
  assert_int_equal(size, v->size + 16);
  uint8_t * bytes = malloc(size);
  assert_true(cdr_service_write(v->members, &id, message, bytes, size));
  assert_memory_equal(bytes, "\0\1\0\0\x96\x84\x2b\x18\x58\xf1\x64\xbd\x8\7\6\5\4\3\2\1", 20);
  assert_memory_equal(bytes + 20, v->bytes + 4, v->size - 4);

  assert_true(cdr_service_peek(bytes, size, &back));
  assert_memory_equal(&id, &back, sizeof id);
  memset(&back, 0, sizeof back);
  void * again = message_new(v->members);
  assert_true(cdr_service_read(v->members, bytes, size, NULL, &back, again));
  assert_memory_equal(&id, &back, sizeof id);
  assert_same(v, again, message);
  free(bytes);
  message_free(v->members, message);
  message_free(v->members, again);
}

//---------- all of them ----------

static void
whole_vector(const vector_t * v)
{
  encodes(v);
  decodes(v);
  refuses_cut(v);
  carries_header(v);
}

static void
own_vectors(void ** state)
{
  (void)state;
  const int n = wire_for_each(OWN_VECTORS, whole_vector);
  print_message("             %d vectors, %d truncations\n", n, truncations);
  assert_int_equal(n, 19);
}

static void
real_vectors(void ** state)
{
  (void)state;
  const int n = wire_for_each(REAL_VECTORS, whole_vector);
  print_message("             %d vectors, %d truncations in all\n", n, truncations);
  assert_int_equal(n, 80);
  assert_int_equal(wire_for_each(REAL_OWN_VECTORS, whole_vector), 18);
}

// every type that is compiled in survives the trip with the values that it starts with
static void
every_type(void ** state)
{
  (void)state;
  size_t count, size, again;
  const ros2_type_t * types = ros2_types(&count);
  for (size_t i = 0; i < count; i++) {
    const cdr_members_t * members = ros2_type_members(&types[i]);
    if (!members) continue;
    assert_null(cdr_unsupported(members));
    void * message = message_new(members);
    uint8_t * bytes = encode(members, message, &size);
    assert_true(cdr_read(members, bytes, size, NULL, message));
    uint8_t * back = encode(members, message, &again);
    assert_bytes(types[i].name, bytes, size, back, again);
    free(bytes), free(back);
    message_free(members, message);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_vectors),
    cmocka_unit_test(real_vectors),
    cmocka_unit_test(every_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
