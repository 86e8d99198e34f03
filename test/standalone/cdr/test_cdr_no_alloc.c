// Reading into a message that has been read into before, and writing, do not touch the heap.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heap_count.h"
#include "wire.h"

//---------- the tests ----------

static void
steady(const vector_t * v)
{
  void * message = message_new(v->members);
  uint8_t * bytes = malloc(v->size + 16);
  assert_true(cdr_read(v->members, v->bytes, v->size, NULL, message));
  const cdr_request_id_t id = {1, 2};
  cdr_request_id_t back;
  bool ok = true;

  touched = 0;
  armed = 1;
  for (int i = 0; i < 3; i++) {
    ok = ok && cdr_read(v->members, v->bytes, v->size, NULL, message);
    ok = ok && cdr_size(v->members, message) == v->size;
    ok = ok && cdr_write(v->members, message, bytes, v->size);
    ok = ok && cdr_service_write(v->members, &id, message, bytes, v->size + 16);
    ok = ok && cdr_service_read(v->members, bytes, v->size + 16, NULL, &back, message);
  }

  // what is refused does not either
  for (size_t n = 0; n < v->size; n++) {
    ok = ok && !cdr_read(v->members, v->bytes, n, NULL, message);
  }
  armed = 0;
  if (touched) print_error("%s touched the heap %d times\n", v->name, touched);
  assert_int_equal(touched, 0);
  assert_true(ok);
  free(bytes);
  message_free(v->members, message);
}

static void
steady_state(void ** state)
{
  (void)state;
  assert_true(wire_for_each(OWN_VECTORS, steady) > 0);
}

// a length without the data to go with it is refused before there is memory for it
static void
bombs(void ** state)
{
  (void)state;
  static const char * const bomb[][2] = {
    {"sensor_msgs/msg/JointState", "00010000 0000000000000000 01000000 00000000 ffffff7f 00"},
    {"std_msgs/msg/Float64MultiArray", "00010000 00000000 00000000 ffffff7f 00000000 00000000"},
    {"std_msgs/msg/String", "00010000 ffffff7f 61"},
    {"tf2_msgs/msg/TFMessage", "00010000 02000000 0000000000000000000000000000000000000000"},
    {"rcl_interfaces/srv/SetParameters_Request", "00010000 00000010 00000000"},
    {"rmw_dds_common/msg/ParticipantEntitiesInfo",
     "00010000 000000000000000000000000000000000000000000000000 ffffffff"}};
  for (size_t i = 0; i < sizeof bomb / sizeof bomb[0]; i++) {
    const cdr_members_t * members = members_of(bomb[i][0]);
    void * message = message_new(members);
    size_t size;
    uint8_t * bytes = from_hex(bomb[i][1], &size);
    touched = 0;
    armed = 1;
    const bool ok = cdr_read(members, bytes, size, NULL, message);
    armed = 0;
    assert_false(ok);
    assert_int_equal(touched, 0);
    free(bytes);
    message_free(members, message);
  }
}

// the interposer sees what it should: this test can fail
static void
interposer_works(void ** state)
{
  (void)state;
  touched = 0;
  armed = 1;
  void * volatile p = malloc(10);
  free(p);
  armed = 0;
  assert_int_equal(touched, 2);
}

//---------- how long it takes, to look at ----------

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// nanoseconds of one call, the best of many runs
#define TIME(best, call)                                   \
  do {                                                     \
    double best_ = 1e9;                                    \
    for (int run_ = 0; run_ < 200; run_++) {               \
      const double start_ = now();                         \
      for (int i_ = 0; i_ < 1000; i_++) ok = (call) && ok; \
      const double took_ = now() - start_;                 \
      if (took_ < best_) best_ = took_;                    \
    }                                                      \
    best = best_ * 1e6;                                    \
  } while (0)

static void
speed(void ** state)
{
  (void)state;
  const cdr_members_t * members = members_of("sensor_msgs/msg/JointState");
  void * message = message_new(members);
  json_t * json = json_loads(
    "{\"header\": {\"frame_id\": \"base_link\"}, \"name\": [\"joint_1\", \"joint_2\", \"joint_3\", "
    "\"joint_4\", \"joint_5\", \"joint_6\", \"joint_7\"], \"position\": [1,2,3,4,5,6,7], "
    "\"velocity\": [1,2,3,4,5,6,7], \"effort\": [1,2,3,4,5,6,7]}",
    0, NULL);
  assert_true(message_from_json(members, json, message, NULL, 0));
  size_t size;
  uint8_t * bytes = encode(members, message, &size);
  bool ok = true;
  double read_ns, size_ns, write_ns;
  TIME(read_ns, cdr_read(members, bytes, size, NULL, message));
  TIME(size_ns, cdr_size(members, message) == size);
  TIME(write_ns, cdr_write(members, message, bytes, size));
  assert_true(ok);
  print_message(
    "             JointState of 7 joints, %zu bytes: read %.0f ns, size %.0f ns, write %.0f ns\n",
    size, read_ns, size_ns, write_ns);
  free(bytes);
  json_decref(json);
  message_free(members, message);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interposer_works),
    cmocka_unit_test(steady_state),
    cmocka_unit_test(bombs),
    cmocka_unit_test(speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
