// Command messages, as the message library writes them, to motor torques.
#include <math.h>

#include "commands.h"
#include "robots.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/float64_multi_array.h"
#include "test/dds/session.h"

static uint8_t bytes[4096];

static size_t
serialize(const rosidl_message_type_support_t * type, const void * message)
{
  return message_bytes(type, message, bytes, sizeof bytes);
}

static bool
send_array(commands_t * commands, const double * x, size_t n)
{
  std_msgs__msg__Float64MultiArray message;
  memset(&message, 0, sizeof message);  // __init leaves numbers as they are
  assert_true(std_msgs__msg__Float64MultiArray__init(&message));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message.data, n));
  for (size_t i = 0; i < n; i++) message.data.data[i] = x[i];
  const size_t size =
    serialize(ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, Float64MultiArray), &message);
  std_msgs__msg__Float64MultiArray__fini(&message);
  return commands_take_array(commands, bytes, size);
}

static bool
send_names(
  commands_t * commands, const char * const * name, size_t nname, const double * x, size_t n)
{
  sensor_msgs__msg__JointState message;
  memset(&message, 0, sizeof message);
  assert_true(sensor_msgs__msg__JointState__init(&message));
  assert_true(rosidl_runtime_c__String__Sequence__init(&message.name, nname));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message.effort, n));
  for (size_t i = 0; i < nname; i++) {
    assert_true(rosidl_runtime_c__String__assign(&message.name.data[i], name[i]));
  }
  for (size_t i = 0; i < n; i++) message.effort.data[i] = x[i];
  const size_t size =
    serialize(ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState), &message);
  sensor_msgs__msg__JointState__fini(&message);
  return commands_take_by_name(commands, bytes, size);
}

typedef struct rig {
  mbd_model_t * model;
  commands_t * commands;
} rig_t;

// turret 0, slider 1, cart and ball 2 to 10, wheel 11; commanded: wheel, turret
static rig_t
rig_open(void)
{
  rig_t rig = {file_robot("all_joint_types"), NULL};
  int wheel, turret;
  assert_ok(mbd_find_joint(rig.model, "wheel_spin", &wheel));
  assert_ok(mbd_find_joint(rig.model, "turret_turn", &turret));
  const int dof[2] = {rig.model->body[wheel].v_index, rig.model->body[turret].v_index};
  rig.commands = commands_create(rig.model, dof, 2);
  assert_non_null(rig.commands);
  return rig;
}

static void
rig_close(rig_t * rig)
{
  commands_destroy(rig->commands);
  mbd_model_destroy(rig->model);
}

static double
torque(const rig_t * rig, const char * joint)
{
  int body;
  assert_ok(mbd_find_joint(rig->model, joint, &body));
  return rig->commands->tau[rig->model->body[body].v_index];
}

static void
expect(const rig_t * rig, double turret, double slider, double wheel)
{
  assert_true(torque(rig, "turret_turn") == turret);
  assert_true(torque(rig, "slider_slide") == slider);
  assert_true(torque(rig, "wheel_spin") == wheel);
}

static void
arrays_have_the_order_of_command_joints(void ** state)
{
  (void)state;
  rig_t rig = rig_open();
  const double x[3] = {1.5, -2.5, 3};
  assert_true(send_array(rig.commands, x, 2));
  expect(&rig, -2.5, 0, 1.5);
  assert_int_equal(rig.commands->count.taken, 1);
  assert_false(send_array(rig.commands, x, 3));
  assert_false(send_array(rig.commands, x, 1));
  assert_false(send_array(rig.commands, x, 0));
  assert_int_equal(rig.commands->count.length, 3);
  expect(&rig, -2.5, 0, 1.5);
  commands_clear(rig.commands);
  expect(&rig, 0, 0, 0);
  rig_close(&rig);
}

// the rest of a message with a bad number does not count either
static void
numbers_must_be_finite(void ** state)
{
  (void)state;
  rig_t rig = rig_open();
  const double good[2] = {1, 2};
  const double bad[3][2] = {{7, nan("")}, {HUGE_VAL, 8}, {9, -HUGE_VAL}};
  const char * const name[2] = {"turret_turn", "slider_slide"};
  assert_true(send_array(rig.commands, good, 2));
  for (int i = 0; i < 3; i++) {
    assert_false(send_array(rig.commands, bad[i], 2));
    assert_false(send_names(rig.commands, name, 2, bad[i], 2));
    expect(&rig, 2, 0, 1);
  }
  assert_int_equal(rig.commands->count.not_finite, 6);
  assert_int_equal(rig.commands->count.taken, 1);
  rig_close(&rig);
}

static void
names_come_in_any_order(void ** state)
{
  (void)state;
  rig_t rig = rig_open();
  const char * const one[2] = {"wheel_spin", "turret_turn"};
  const char * const two[1] = {"slider_slide"};
  const double x[2] = {4, 5}, y[1] = {6};
  assert_true(send_names(rig.commands, one, 2, x, 2));
  expect(&rig, 5, 0, 4);
  // joints that are not in it keep theirs
  assert_true(send_names(rig.commands, two, 1, y, 1));
  expect(&rig, 5, 6, 4);
  // and a joint that is no command joint keeps it too
  assert_true(send_array(rig.commands, x, 2));
  expect(&rig, 5, 6, 4);
  assert_int_equal(rig.commands->count.taken, 3);
  rig_close(&rig);
}

static void
names_must_be_joints_of_one_degree(void ** state)
{
  (void)state;
  rig_t rig = rig_open();
  const double x[2] = {4, 5};
  const char * const bad[4][2] = {
    {"turret_turn", "elbow"},
    {"turret_turn", "turret_turn"},
    {"turret_turn", "ball_fly"},
    {"turret_turn", ""}};
  for (int i = 0; i < 4; i++) {
    assert_false(send_names(rig.commands, bad[i], 2, x, 2));
    expect(&rig, 0, 0, 0);
  }
  assert_int_equal(rig.commands->count.unknown, 4);
  // as many efforts as names, and at least one
  assert_false(send_names(rig.commands, bad[0], 2, x, 0));
  assert_false(send_names(rig.commands, bad[0], 0, x, 0));
  assert_int_equal(rig.commands->count.length, 2);
  rig_close(&rig);
}

static void
bytes_must_be_a_message(void ** state)
{
  (void)state;
  rig_t rig = rig_open();
  const double x[2] = {4, 5};
  const char * const name[2] = {"turret_turn", "slider_slide"};
  assert_true(send_array(rig.commands, x, 2));
  const uint8_t junk[5] = {0, 1, 0, 0, 200};
  assert_false(commands_take_array(rig.commands, junk, sizeof junk));
  assert_false(commands_take_array(rig.commands, junk, 0));
  assert_false(commands_take_by_name(rig.commands, junk, sizeof junk));
  // cut short
  assert_true(send_names(rig.commands, name, 2, x, 2));
  for (size_t size = 0; size < 60; size++) {
    assert_false(commands_take_by_name(rig.commands, bytes, size));
  }
  assert_int_equal(rig.commands->count.malformed, 63);
  expect(&rig, 4, 5, 4);
  rig_close(&rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arrays_have_the_order_of_command_joints),
    cmocka_unit_test(numbers_must_be_finite),
    cmocka_unit_test(names_come_in_any_order),
    cmocka_unit_test(names_must_be_joints_of_one_degree),
    cmocka_unit_test(bytes_must_be_a_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
