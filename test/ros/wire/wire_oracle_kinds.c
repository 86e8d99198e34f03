// One message after the other: what the node asks of it, and whether what it read is what was sent.
#include "wire_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "control_msgs/msg/joint_trajectory_controller_state.h"
#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "nav_msgs/msg/odometry.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/float64_multi_array.h"

typedef rosidl_runtime_c__double__Sequence doubles_t;
typedef rosidl_runtime_c__String__Sequence strings_t;

//---------- fields ----------

static bool
same_text(wire_text_t text, const rosidl_runtime_c__String * string)
{
  return text.size == string->size && memcmp(text.data, string->data, text.size) == 0;
}

// every bit, so that NaN is NaN
static bool
same_numbers(const wire_numbers_t * numbers, const doubles_t * expected)
{
  if (numbers->n != expected->size) return false;
  double * copy = malloc(8 * numbers->n + 1);
  if (!copy) abort();
  wire_copy_numbers(numbers, copy);
  bool same = numbers->n == 0 || memcmp(copy, expected->data, 8 * numbers->n) == 0;
  for (uint32_t i = 0; i < numbers->n; i++) {
    const double x = wire_number(numbers, i);
    same = same && memcmp(&x, &expected->data[i], 8) == 0;
  }
  free(copy);
  return same;
}

// by the buffer, and by a copy of the bytes
static bool
same_names(const wire_names_t * names, const strings_t * expected)
{
  if (names->n != expected->size) return false;
  uint8_t * bytes = malloc(names->bytes + 1);
  if (!bytes) abort();
  if (names->bytes) memcpy(bytes, names->data, names->bytes);
  const wire_names_t copy = {bytes, names->bytes, names->n, names->swap};
  size_t at = 0, at_copy = 0;
  bool same = wire_names_equal(names, &copy);
  for (uint32_t i = 0; i < names->n && same; i++) {
    same = same_text(wire_next_name(names, &at), &expected->data[i]) &&
           same_text(wire_next_name(&copy, &at_copy), &expected->data[i]) && at == at_copy;
  }
  free(bytes);
  return same && at == names->bytes && wire_next_name(names, &at).size == 0;
}

static bool
same_header(int64_t stamp, const wire_text_t * frame_id, const std_msgs__msg__Header * expected)
{
  const int64_t sum = expected->stamp.sec * (int64_t)1000000000 + expected->stamp.nanosec;
  return stamp == sum && (!frame_id || same_text(*frame_id, &expected->frame_id));
}

static bool
same_bits(const double * x, const void * expected, size_t n)
{
  return memcmp(x, expected, 8 * n) == 0;
}

static bool
valid_header(const std_msgs__msg__Header * header)
{
  return header->stamp.sec >= 0 && header->stamp.nanosec < 1000000000;
}

static bool
valid_length(const doubles_t * numbers, const strings_t * names)
{
  return numbers->size == 0 || numbers->size == names->size;
}

static void
repair_header(std_msgs__msg__Header * header)
{
  header->stamp.sec &= INT32_MAX;
  header->stamp.nanosec %= 1000000000;
}

static void
repair_length(doubles_t * numbers, const strings_t * names, uint64_t * state)
{
  const size_t n = oracle_below(state, 3) ? names->size : 0;
  rosidl_runtime_c__double__Sequence__fini(numbers);
  if (!rosidl_runtime_c__double__Sequence__init(numbers, n)) abort();
  if (n) oracle_any(state, numbers->data, 8 * n);
}

//---------- JointState ----------

static bool
read_joint_state(const uint8_t * buffer, size_t size, oracle_result_t * out)
{
  return wire_read_joint_state(buffer, size, &out->joint_state);
}

static bool
valid_joint_state(const void * message)
{
  const sensor_msgs__msg__JointState * m = message;
  return valid_header(&m->header) && m->name.size <= WIRE_MAX_NAMES &&
         valid_length(&m->position, &m->name) && valid_length(&m->velocity, &m->name) &&
         valid_length(&m->effort, &m->name);
}

static bool
same_joint_state(const oracle_result_t * read, const void * message)
{
  const wire_joint_state_t * r = &read->joint_state;
  const sensor_msgs__msg__JointState * m = message;
  return same_header(r->stamp, &r->frame_id, &m->header) && same_names(&r->names, &m->name) &&
         same_numbers(&r->position, &m->position) && same_numbers(&r->velocity, &m->velocity) &&
         same_numbers(&r->effort, &m->effort);
}

static void
repair_joint_state(void * message, uint64_t * state)
{
  sensor_msgs__msg__JointState * m = message;
  repair_header(&m->header);
  repair_length(&m->position, &m->name, state);
  repair_length(&m->velocity, &m->name, state);
  repair_length(&m->effort, &m->name, state);
}

//---------- Float64MultiArray ----------

static bool
read_numbers(const uint8_t * buffer, size_t size, oracle_result_t * out)
{
  return wire_read_numbers(buffer, size, &out->numbers);
}

static bool
valid_numbers(const void * message)
{
  (void)message;
  return true;
}

static bool
same_array(const oracle_result_t * read, const void * message)
{
  return same_numbers(&read->numbers, &((const std_msgs__msg__Float64MultiArray *)message)->data);
}

static void
repair_numbers(void * message, uint64_t * state)
{
  (void)message, (void)state;
}

//---------- stamped numbers: a header, then doubles alone ----------

#define STAMPED(name, type, count)                                                    \
  static bool read_##name(const uint8_t * buffer, size_t size, oracle_result_t * out) \
  {                                                                                   \
    return wire_read_##name(buffer, size, &out->stamped);                             \
  }                                                                                   \
  static bool same_##name(const oracle_result_t * read, const void * message)         \
  {                                                                                   \
    const type * m = message;                                                         \
    _Static_assert(sizeof m->name == 8 * (count), "doubles alone");                   \
    return same_header(read->stamped.stamp, &read->stamped.frame_id, &m->header) &&   \
           same_bits(read->stamped.x, &m->name, count);                               \
  }

STAMPED(pose, geometry_msgs__msg__PoseStamped, 7)
STAMPED(twist, geometry_msgs__msg__TwistStamped, 6)
STAMPED(wrench, geometry_msgs__msg__WrenchStamped, 6)
STAMPED(vector, geometry_msgs__msg__Vector3Stamped, 3)

// the header comes first in every type
static bool
valid_stamped(const void * message)
{
  return valid_header(message);
}

static void
repair_stamped(void * message, uint64_t * state)
{
  (void)state;
  repair_header(message);
}

//---------- Odometry ----------

static bool
read_odometry(const uint8_t * buffer, size_t size, oracle_result_t * out)
{
  return wire_read_odometry(buffer, size, &out->odometry);
}

static bool
same_odometry(const oracle_result_t * read, const void * message)
{
  const wire_odometry_t * r = &read->odometry;
  const nav_msgs__msg__Odometry * m = message;
  return same_header(r->stamp, &r->frame_id, &m->header) &&
         same_text(r->child_frame_id, &m->child_frame_id) && same_bits(r->pose, &m->pose.pose, 7) &&
         same_bits(r->twist, &m->twist.twist, 6);
}

//---------- JointTrajectoryControllerState ----------

static bool
read_controller_state(const uint8_t * buffer, size_t size, oracle_result_t * out)
{
  return wire_read_controller_state(buffer, size, &out->reference);
}

static bool
valid_controller_state(const void * message)
{
  const control_msgs__msg__JointTrajectoryControllerState * m = message;
  return valid_header(&m->header) && m->joint_names.size <= WIRE_MAX_NAMES &&
         valid_length(&m->reference.positions, &m->joint_names) &&
         valid_length(&m->reference.velocities, &m->joint_names) &&
         valid_length(&m->reference.accelerations, &m->joint_names);
}

static bool
same_controller_state(const oracle_result_t * read, const void * message)
{
  const wire_reference_t * r = &read->reference;
  const control_msgs__msg__JointTrajectoryControllerState * m = message;
  return same_header(r->stamp, NULL, &m->header) && same_names(&r->names, &m->joint_names) &&
         same_numbers(&r->position, &m->reference.positions) &&
         same_numbers(&r->velocity, &m->reference.velocities) &&
         same_numbers(&r->acceleration, &m->reference.accelerations);
}

static void
repair_controller_state(void * message, uint64_t * state)
{
  control_msgs__msg__JointTrajectoryControllerState * m = message;
  repair_header(&m->header);
  repair_length(&m->reference.positions, &m->joint_names, state);
  repair_length(&m->reference.velocities, &m->joint_names, state);
  repair_length(&m->reference.accelerations, &m->joint_names, state);
}

const oracle_kind_t *
oracle_kinds(size_t * count)
{
  static const oracle_kind_t kind[] = {
    {"sensor_msgs/msg/JointState", read_joint_state, valid_joint_state, same_joint_state,
     repair_joint_state, true},
    {"std_msgs/msg/Float64MultiArray", read_numbers, valid_numbers, same_array, repair_numbers,
     true},
    {"geometry_msgs/msg/PoseStamped", read_pose, valid_stamped, same_pose, repair_stamped, true},
    {"geometry_msgs/msg/TwistStamped", read_twist, valid_stamped, same_twist, repair_stamped, true},
    {"geometry_msgs/msg/WrenchStamped", read_wrench, valid_stamped, same_wrench, repair_stamped,
     true},
    {"geometry_msgs/msg/Vector3Stamped", read_vector, valid_stamped, same_vector, repair_stamped,
     true},
    {"nav_msgs/msg/Odometry", read_odometry, valid_stamped, same_odometry, repair_stamped, true},
    {"control_msgs/msg/JointTrajectoryControllerState", read_controller_state,
     valid_controller_state, same_controller_state, repair_controller_state, false},
  };
  *count = sizeof kind / sizeof kind[0];
  return kind;
}
