#include "out_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cdr.h"
#include "ros2_types.h"

//---------- names of every length, and numbers ----------

const char * const name[NAMES] = {"",       "j",       "j2",       "elbow",     "wr_1", "joint",
                                  "joint6", "joint_7", "joint__8", "arm.wrist", "x",    "tool0"};
const char * const other[NAMES] = {"tool",  "base",  "a",  "bb", "ccc", "dddd",
                                   "eeeee", "world", "gg", "h",  "",    "tip"};

out_names_t
names_from(const char * const * list, size_t first, size_t n)
{
  return (out_names_t){n, list + first};
}

// calls a test with lists of names that end at every alignment, none among them
void
for_each_list(void (*test)(const char * frame, out_names_t names))
{
  for (size_t first = 0; first < NAMES; first++) {
    for (size_t n = 0; first + n <= NAMES; n++)
      test(other[(first + n) % NAMES], names_from(name, first, n));
  }
}

// numbers in a row, each of its own
double count;

double
next(void)
{
  return count += 0.37;
}

const double *
next_numbers(size_t n)
{
  static double x[6 * NAMES * 6 * NAMES];
  assert_true(n <= sizeof x / sizeof x[0]);
  for (size_t i = 0; i < n; i++) x[i] = next();
  return x;
}

//---------- reading ----------

// the message that the bytes are
void *
decode(const char * type, const out_message_t * m)
{
  const cdr_members_t * members = ros2_type_members(ros2_find_type(type));
  assert_non_null(members);
  void * message = calloc(1, members->size_of_);
  assert_non_null(message);
  members->init_function(message, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  assert_true(cdr_read(members, m->bytes, m->size, NULL, message));

  const size_t size = cdr_size(members, message);
  assert_int_equal(m->size, (size + 3) / 4 * 4);
  uint8_t * again = malloc(m->size);
  assert_non_null(again);
  assert_true(cdr_write(members, message, again, m->size));
  assert_memory_equal(again, m->bytes, m->size);
  free(again);
  return message;
}

void
release(const char * type, void * message)
{
  ros2_type_members(ros2_find_type(type))->fini_function(message);
  free(message);
}

void
assert_double(double x, double expected)
{
  assert_memory_equal(&x, &expected, sizeof x);
}

// n numbers that next() gave from start on
double
assert_follow(const double * x, size_t n, double start)
{
  const double end = count;
  count = start;
  for (size_t i = 0; i < n; i++) assert_double(x[i], next());
  const double reached = count;
  count = end;
  return reached;
}

double
assert_sequence(const doubles_t * s, size_t n, double start)
{
  assert_int_equal(s->size, n);
  return assert_follow(s->data, n, start);
}

void
assert_names(const strings_t * s, out_names_t names)
{
  assert_int_equal(s->size, names.n);
  for (size_t i = 0; i < names.n; i++) assert_string_equal(s->data[i].data, names.name[i]);
}

void
assert_header(const std_msgs__msg__Header * h, const char * frame)
{
  assert_int_equal(h->stamp.sec, 1234567890);
  assert_int_equal(h->stamp.nanosec, 987654321);
  assert_string_equal(h->frame_id.data, frame);
}

const int64_t stamp = 1234567890987654321;

// all n of a sequence, before they are filled
void
assert_unknown(const doubles_t * s, size_t n)
{
  assert_int_equal(s->size, n);
  for (size_t i = 0; i < n; i++) assert_true(isnan(s->data[i]));
}
