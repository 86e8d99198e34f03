// Every message that the node sends, filled with numbers of which no two are the same, as the
// generated types read it; and written again by the codec it gives the same bytes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/joint_torques.h"
#include "out_check.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/float64_multi_array.h"
#include "writer.h"

//---------- standard messages ----------

static void
check_joint_state(const char * frame, out_names_t names)
{
  const char * type = "sensor_msgs/msg/JointState";
  out_message_t m;
  assert_true(out_joint_state_build(&m, frame, names));
  sensor_msgs__msg__JointState * d = decode(type, &m);
  assert_int_equal(d->header.stamp.sec, 0);
  assert_int_equal(d->header.stamp.nanosec, 0);
  assert_unknown(&d->position, names.n);
  assert_unknown(&d->velocity, names.n);
  assert_unknown(&d->effort, names.n);
  release(type, d);

  double at = count;
  out_stamp(&m, stamp);
  for (int k = OUT_JS_POSITION; k <= OUT_JS_EFFORT; k++) out_numbers(&m, k, next_numbers(names.n));
  d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_names(&d->name, names);
  at = assert_sequence(&d->position, names.n, at);
  at = assert_sequence(&d->velocity, names.n, at);
  assert_sequence(&d->effort, names.n, at);
  release(type, d);
  out_message_fini(&m);
}

static void
joint_state(void ** state)
{
  (void)state;
  for_each_list(check_joint_state);
}

static void
array(void ** state)
{
  (void)state;
  const char * type = "std_msgs/msg/Float64MultiArray";
  for (size_t n = 0; n < 40; n++) {
    out_message_t m;
    assert_true(out_array_build(&m, n));
    assert_int_equal(m.stamp_at, 0);
    std_msgs__msg__Float64MultiArray * d = decode(type, &m);
    assert_unknown(&d->data, n);
    release(type, d);

    const double start = count;
    out_numbers(&m, OUT_ARRAY_DATA, next_numbers(n));
    out_stamp(&m, stamp);  // there is none
    d = decode(type, &m);
    assert_int_equal(d->layout.dim.size, 0);
    assert_int_equal(d->layout.data_offset, 0);
    assert_sequence(&d->data, n, start);
    release(type, d);
    out_message_fini(&m);
  }
}

static void
wrench(void ** state)
{
  (void)state;
  const char * type = "geometry_msgs/msg/WrenchStamped";
  for (size_t i = 0; i < NAMES; i++) {
    out_message_t m;
    assert_true(out_wrench_build(&m, name[i]));
    const double start = count;
    out_stamp(&m, stamp);
    out_numbers(&m, OUT_WRENCH, next_numbers(6));
    geometry_msgs__msg__WrenchStamped * d = decode(type, &m);
    assert_header(&d->header, name[i]);
    const geometry_msgs__msg__Vector3 *f = &d->wrench.force, *t = &d->wrench.torque;
    const double x[6] = {f->x, f->y, f->z, t->x, t->y, t->z};
    assert_follow(x, 6, start);
    release(type, d);
    out_message_fini(&m);
  }
}

//---------- joints ----------

static void
check_joint_torques(const char * frame, out_names_t names)
{
  const char * type = "mbdyn/msg/JointTorques";
  out_message_t m;
  assert_true(out_joint_torques_build(&m, frame, names));
  double at = count;
  out_stamp(&m, stamp);
  for (int k = JT_TOTAL; k <= JT_COMMAND; k++) out_numbers(&m, k, next_numbers(names.n));
  bool flags[NAMES];
  for (size_t i = 0; i < NAMES; i++) flags[i] = i % 3 == names.n % 3;
  out_flags(&m, JT_SATURATED, flags);

  mbdyn__msg__JointTorques * d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_names(&d->joint_names, names);
  at = assert_sequence(&d->total, names.n, at);
  at = assert_sequence(&d->gravity, names.n, at);
  at = assert_sequence(&d->coriolis, names.n, at);
  at = assert_sequence(&d->inertia, names.n, at);
  at = assert_sequence(&d->friction, names.n, at);
  at = assert_sequence(&d->external, names.n, at);
  assert_sequence(&d->command, names.n, at);
  assert_int_equal(d->saturated.size, names.n);
  for (size_t i = 0; i < names.n; i++) assert_int_equal(d->saturated.data[i], flags[i]);
  release(type, d);

  // and back
  memset(flags, 0, sizeof flags);
  out_flags(&m, JT_SATURATED, flags);
  d = decode(type, &m);
  for (size_t i = 0; i < names.n; i++) assert_false(d->saturated.data[i]);
  release(type, d);
  out_message_fini(&m);
}

static void
joint_torques(void ** state)
{
  (void)state;
  for_each_list(check_joint_torques);
}

static void
check_joint(const mbdyn__msg__JointDynamics * j, const wire_joint_dynamics_t * x)
{
  assert_double(j->position, x->position);
  assert_double(j->velocity, x->velocity);
  assert_double(j->acceleration, x->acceleration);
  assert_double(j->measured, x->measured);
  assert_double(j->total, x->total);
  assert_double(j->gravity, x->gravity);
  assert_double(j->coriolis, x->coriolis);
  assert_double(j->inertia, x->inertia);
  assert_double(j->friction, x->friction);
  assert_double(j->external, x->external);
  assert_double(j->command, x->command);
  assert_double(j->limit, x->limit);
  assert_int_equal(j->saturated, x->saturated);
}

static void
check_joint_dynamics(const char * frame, out_names_t names)
{
  const char * type = "mbdyn/msg/JointDynamicsArray";
  out_joint_dynamics_message_t m;
  assert_true(out_joint_dynamics_build(&m, frame, names));
  mbdyn__msg__JointDynamicsArray * d = decode(type, &m.message);
  assert_int_equal(d->joints.size, names.n);
  for (size_t i = 0; i < names.n; i++)
    assert_true(isnan(d->joints.data[i].position) && isnan(d->joints.data[i].limit));
  release(type, d);

  // from the last to the first, twice
  wire_joint_dynamics_t x[NAMES];
  out_stamp(&m.message, stamp);
  for (size_t i = 2 * names.n; i-- > 0;) {
    x[i / 2] = (wire_joint_dynamics_t){
      .position = next(),
      .velocity = next(),
      .acceleration = next(),
      .measured = next(),
      .total = next(),
      .gravity = next(),
      .coriolis = next(),
      .inertia = next(),
      .friction = next(),
      .external = next(),
      .command = next(),
      .limit = next(),
      .saturated = i % 3 == 0};
    out_joint_dynamics_set(&m, i / 2, &x[i / 2]);
  }
  d = decode(type, &m.message);
  assert_header(&d->header, frame);
  assert_int_equal(d->joints.size, names.n);
  for (size_t i = 0; i < names.n; i++) {
    assert_string_equal(d->joints.data[i].name.data, names.name[i]);
    check_joint(&d->joints.data[i], &x[i]);
  }
  release(type, d);
  out_joint_dynamics_fini(&m);
  assert_null(m.message.bytes);
  assert_null(m.offset);
}

static void
joint_dynamics(void ** state)
{
  (void)state;
  for_each_list(check_joint_dynamics);
}

//---------- around them ----------

static void
stamps(void ** state)
{
  (void)state;
  static const struct {
    int64_t ns;
    int32_t sec;
    uint32_t nanosec;
  } list[] = {
    {0, 0, 0},
    {999999999, 0, 999999999},
    {1000000000, 1, 0},
    {-1, -1, 999999999},
    {-1000000000, -1, 0},
    {INT32_MAX * (int64_t)1000000000 + 5, INT32_MAX, 5},
    {INT64_MAX, INT32_MAX, 854775807},
    {INT64_MIN, INT32_MIN, 145224192},
  };
  const char * type = "sensor_msgs/msg/JointState";
  out_message_t m;
  assert_true(out_joint_state_build(&m, NULL, (out_names_t){0, NULL}));
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    out_stamp(&m, list[i].ns);
    sensor_msgs__msg__JointState * d = decode(type, &m);
    assert_int_equal(d->header.stamp.sec, list[i].sec);
    assert_int_equal(d->header.stamp.nanosec, list[i].nanosec);
    assert_string_equal(d->header.frame_id.data, "");
    release(type, d);
  }
  out_message_fini(&m);
}

// what was not built takes numbers and does nothing with them
static void
not_built(void ** state)
{
  (void)state;
  out_message_t m = {0};
  const double x[2] = {1, 2};
  const bool flag[2] = {true, true};
  out_stamp(&m, 5);
  for (int k = 0; k < OUT_MAX_SLOTS; k++) {
    out_numbers(&m, k, x), out_number(&m, k, 1), out_flags(&m, k, flag), out_u32(&m, k, 1),
      out_u64(&m, k, 1);
  }
  out_message_fini(&m);
  assert_null(m.bytes);
}

// what no message can count is refused, not cut
static void
too_many(void ** state)
{
  (void)state;
  out_message_t m;
  assert_false(out_array_build(&m, (size_t)UINT32_MAX + 1));
  assert_null(m.bytes);
  assert_false(out_array_build(&m, SIZE_MAX));
  assert_false(out_array_build(&m, SIZE_MAX / 8));

  const size_t n = 70000;
  const char ** many = calloc(n, sizeof *many);
  assert_non_null(many);
  for (size_t i = 0; i < n; i++) many[i] = "";
  assert_false(out_mass_matrix_build(&m, "", (out_names_t){n, many}));
  assert_null(m.bytes);
  assert_int_equal(m.slot[MM_DATA].n, 0);
  free(many);

  // by the count, and not for want of memory
  wire_writer_t w = wire_writer_open();
  wire_put_count(&w, UINT32_MAX);
  assert_true(w.ok);
  wire_put_count(&w, (size_t)UINT32_MAX + 1);
  assert_false(w.ok);
  size_t size = 1;
  assert_null(wire_writer_close(&w, &size));
  assert_int_equal(size, 0);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(joint_state),   cmocka_unit_test(array),          cmocka_unit_test(wrench),
    cmocka_unit_test(joint_torques), cmocka_unit_test(joint_dynamics), cmocka_unit_test(stamps),
    cmocka_unit_test(not_built),     cmocka_unit_test(too_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
