// Messages of the node, made by its own writers, as the view takes them; and bytes that are none.
#include "live_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "live_diagnostics.h"
#include "messages_out.h"
#include "writer.h"

static const char * const NAMES[] = {"base.vx", "shoulder", "elbow"};
static const out_names_t THREE = {3, NAMES};

typedef bool (*read_fn)(const uint8_t * bytes, size_t size);

static bool
read_joints(const uint8_t * bytes, size_t size)
{
  wire_joints_t m;
  wire_joint_dynamics_t joint;
  bool good = wire_read_joints(bytes, size, &m);
  for (uint32_t i = 0; good && i < m.n; i++) good = wire_next_joint(&m, &joint);
  return good;
}

static bool
read_mass(const uint8_t * bytes, size_t size)
{
  wire_mass_matrix_t m;
  return wire_read_message(&wire_layout_mass_matrix, bytes, size, &m);
}

static bool
read_jacobian(const uint8_t * bytes, size_t size)
{
  wire_jacobian_t m;
  return wire_read_message(&wire_layout_jacobian, bytes, size, &m);
}

static bool
read_inertia(const uint8_t * bytes, size_t size)
{
  wire_operational_space_inertia_t m;
  return wire_read_message(&wire_layout_operational_space_inertia, bytes, size, &m);
}

static bool
read_summary(const uint8_t * bytes, size_t size)
{
  wire_dynamics_summary_t m;
  return wire_read_message(&wire_layout_dynamics_summary, bytes, size, &m);
}

// whole it is read, cut it is not, and with any byte changed nothing happens but yes or no
static void
torment(read_fn read, const uint8_t * bytes, size_t size)
{
  assert_true(read(bytes, size));
  for (size_t n = 0; n + 8 < size; n++) {
    uint8_t * cut = malloc(n + 1);
    memcpy(cut, bytes, n);
    assert_false(read(cut, n));
    free(cut);
  }
  srand(3);
  uint8_t * copy = malloc(size);
  for (int i = 0; i < 20000; i++) {
    memcpy(copy, bytes, size);
    for (int k = rand() % 3; k >= 0; k--) copy[(size_t)rand() % size] = (uint8_t)rand();
    (void)read(copy, size);
  }
  free(copy);
}

static void
messages_are_read(void ** state)
{
  (void)state;
  out_joint_dynamics_message_t joints = {0};
  out_message_t m = {0};
  const char * const frames[] = {"tool", "wrist"};
  const out_names_t two = {2, frames};
  assert_true(out_joint_dynamics_build(&joints, "base", THREE));
  torment(read_joints, joints.message.bytes, joints.message.size);
  out_joint_dynamics_fini(&joints);
  assert_true(out_mass_matrix_build(&m, "base", THREE));
  torment(read_mass, m.bytes, m.size);
  out_message_fini(&m);
  assert_true(out_jacobian_build(&m, "tool", 2, "tool", "base", THREE));
  torment(read_jacobian, m.bytes, m.size);
  out_message_fini(&m);
  assert_true(out_operational_space_inertia_build(&m, "base", two, 2, two, two));
  torment(read_inertia, m.bytes, m.size);
  out_message_fini(&m);
  assert_true(out_summary_build(&m, "base", "arm", "passive", 3, two));
  torment(read_summary, m.bytes, m.size);
  out_message_fini(&m);
}

static void
numbers_arrive_where_they_belong(void ** state)
{
  (void)state;
  live_robot_t * r = live_robot_create("/ns/mbdyn", 10);
  assert_non_null(r);
  assert_string_equal(r->id, "ns.mbdyn");
  const int topic = live_robot_add_topic(r, "/ns/mbdyn/joint_dynamics", "x");
  out_joint_dynamics_message_t m = {0};
  assert_true(out_joint_dynamics_build(&m, "base", THREE));
  for (int cycle = 0; cycle < 100; cycle++) {
    for (size_t i = 0; i < 3; i++) {
      wire_joint_dynamics_t x = {.saturated = i == 1};
      double * number = &x.position;
      for (int k = 0; k < 12; k++) number[k] = 100.0 * (double)i + k + 0.001 * cycle;
      out_joint_dynamics_set(&m, i, &x);
    }
    out_stamp(&m.message, 5000000000 + 10000000ll * cycle);
    assert_true(live_robot_take(
      r, LIVE_JOINT_DYNAMICS, topic, m.message.bytes, m.message.size, 1 + 0.01 * cycle,
      5.002 + 0.01 * cycle));
  }
  assert_int_equal(r->n, 3);
  assert_string_equal(r->joint[0].name, "base.vx");
  assert_true(fabs(r->t - 5.99) < 1e-12);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k <= LIVE_COMMAND; k++) {
      const float expected = (float)(100.0 * i + k + 0.099);
      assert_true(live_robot_number(r, (live_column_t)k, i) == expected);
    }
    assert_true(isnan(live_robot_number(r, LIVE_RESIDUAL, i)));
    assert_true(fabs(r->joint[i].effort - (100.0 * i + 11.099)) < 1e-9);
    assert_true(r->joint[i].saturated == (i == 1));
  }
  assert_int_equal(r->count[topic].count, 100);
  assert_true(fabs(r->count[topic].age - 0.002) < 1e-6);
  assert_true(live_robot_alive(r, 2) && !live_robot_alive(r, 30));
  // a second of 100 Hz: some sixty rows, some ten in the history
  assert_true(r->rows.next >= 56 && r->rows.next <= 62);
  assert_true(r->history.next >= 8 && r->history.next <= 10);
  // time goes back: another beginning
  const uint64_t resets = r->resets;
  out_stamp(&m.message, 1000000000);
  assert_true(
    live_robot_take(r, LIVE_JOINT_DYNAMICS, topic, m.message.bytes, m.message.size, 9, 9));
  assert_int_equal(r->resets, resets + 1);
  assert_int_equal(live_rows_oldest(&r->history), r->history.next);
  out_joint_dynamics_fini(&m);
  live_robot_destroy(r);
}

// a node that is killed is not alive within a second, whoever else goes on
static void
a_node_that_stops_is_noticed(void ** state)
{
  (void)state;
  live_robot_t * r = live_robot_create("/mbdyn", 10);
  out_joint_dynamics_message_t node = {0};
  assert_true(out_joint_dynamics_build(&node, "base", THREE));
  wire_writer_t w = wire_writer_open();
  wire_put_u32(&w, 5);
  wire_put_u32(&w, 0);
  wire_put_string(&w, "");
  wire_put_count(&w, 1);
  wire_put_string(&w, "base.vx");
  wire_put_count(&w, 1);
  wire_put_f64s(&w, 0.25, 1);
  wire_put_count(&w, 0);
  wire_put_count(&w, 0);
  size_t size;
  uint8_t * states = wire_writer_close(&w, &size);
  double noticed = 0, silent = 0;
  assert_false(live_robot_node_alive(r, 1));
  for (int cycle = 0; cycle < 1000; cycle++) {
    const double now = 100 + 0.01 * cycle;
    // the node ends after 4 s, the joint states after 8 s
    if (cycle < 800) {
      assert_true(live_robot_take(r, LIVE_JOINT_STATES, -1, states, size, now, now));
    }
    if (cycle < 400) {
      out_stamp(&node.message, (int64_t)(1e9 * now));
      assert_true(live_robot_take(
        r, LIVE_JOINT_DYNAMICS, -1, node.message.bytes, node.message.size, now, now));
      assert_true(live_robot_node_alive(r, now) && live_robot_alive(r, now));
    }
    if (noticed <= 0 && !live_robot_node_alive(r, now)) noticed = now - 103.99;
    if (cycle >= 400 && cycle < 800) assert_true(live_robot_alive(r, now));
    if (silent <= 0 && !live_robot_alive(r, now)) silent = now - 107.99;
  }
  assert_true(noticed > 0.35 && noticed < 0.5);
  assert_true(silent > 0.35 && silent < 0.5);
  // what joint states say is shown in its place
  assert_true(live_robot_number(r, LIVE_POSITION, 0) == 0.25f);
  assert_true(isnan(live_robot_number(r, LIVE_TOTAL, 0)));
  // a robot of one message a second is not silent in between
  live_robot_t * slow = live_robot_create("/slow", 10);
  for (int cycle = 0; cycle < 5; cycle++) {
    out_stamp(&node.message, (int64_t)(1e9 * (200 + cycle)));
    assert_true(live_robot_take(
      slow, LIVE_JOINT_DYNAMICS, -1, node.message.bytes, node.message.size, 200 + cycle, 1));
  }
  assert_true(live_robot_node_alive(slow, 205.5) && live_robot_alive(slow, 205.5));
  assert_false(live_robot_node_alive(slow, 210) || live_robot_alive(slow, 210));
  // the state is the diagnostics', and not for ever
  assert_string_equal(live_robot_state(r, 5), "");
  strcpy(r->state, "active");
  r->told = 10;
  assert_string_equal(live_robot_state(r, 12), "active");
  assert_string_equal(live_robot_state(r, 14), "");
  free(states);
  out_joint_dynamics_fini(&node);
  live_robot_destroy(slow);
  live_robot_destroy(r);
}

static void
more_joints_than_room_are_refused(void ** state)
{
  (void)state;
  enum { MANY = LIVE_JOINTS + 1 };
  static char text[MANY][8];
  const char * name[MANY];
  for (int i = 0; i < MANY; i++) {
    snprintf(text[i], sizeof text[i], "j%d", i);
    name[i] = text[i];
  }
  out_joint_dynamics_message_t m = {0};
  const out_names_t names = {MANY, name};
  live_robot_t * r = live_robot_create("/a", 1);
  assert_true(out_joint_dynamics_build(&m, "base", names));
  assert_false(live_robot_take(r, LIVE_JOINT_DYNAMICS, -1, m.message.bytes, m.message.size, 1, 1));
  assert_int_equal(r->n, 0);
  out_joint_dynamics_fini(&m);
  live_robot_destroy(r);
}

//---------- recordings ----------

static void
send_joint_dynamics(live_robot_t * r, out_joint_dynamics_message_t * m, double t, double position)
{
  const wire_joint_dynamics_t joint = {.position = position, .velocity = -position};
  for (size_t i = 0; i < 3; i++) out_joint_dynamics_set(m, i, &joint);
  out_stamp(&m->message, (int64_t)(t * 1e9));
  assert_true(live_robot_take(r, LIVE_JOINT_DYNAMICS, -1, m->message.bytes, m->message.size, t, t));
}

// the newest row is that of the newest message, not the extremes of its interval
static void
a_moment_has_the_numbers_of_its_message(void ** state)
{
  (void)state;
  double t[2];
  out_joint_dynamics_message_t m = {0};
  live_robot_t * r = live_robot_create("/recording", 0);
  live_robot_record(r);
  assert_true(out_joint_dynamics_build(&m, "base", THREE));
  const double x[4] = {1, 9, -5, 2};
  for (int i = 0; i < 4; i++) send_joint_dynamics(r, &m, 100 + 0.001 * i, x[i]);
  assert_int_equal(r->rows.next, 0);
  live_robot_settle(r);
  assert_int_equal(r->rows.next, 2);
  float * row = calloc(2 * r->width, sizeof *row);
  live_rows_copy(&r->rows, 0, 2, t, row);
  assert_true(fabs(t[1] - 100.003) < 1e-9);
  assert_true(row[0] == 9 && row[r->width] == 2 && row[r->width + 3] == -2);
  // again, and nothing changes
  live_robot_settle(r);
  assert_int_equal(r->rows.next, 2);

  // back in time: rows go, joints stay, and pages are told
  const uint64_t resets = r->resets, version = r->version;
  live_robot_rewind(r);
  assert_int_equal(r->resets, resets + 1);
  assert_int_equal(r->version, version);
  assert_int_equal(live_rows_oldest(&r->rows), r->rows.next);
  send_joint_dynamics(r, &m, 50, 7);
  live_robot_settle(r);
  assert_int_equal(r->resets, resets + 1);
  const uint64_t oldest = live_rows_oldest(&r->rows);
  assert_int_equal(oldest, r->rows.next - 1);
  live_rows_copy(&r->rows, oldest, 1, t, row);
  assert_true(t[0] == 50 && row[0] == 7);

  // another recording
  live_robot_reuse(r, "/other/mbdyn");
  assert_string_equal(r->id, "recording");
  assert_string_equal(r->node, "/other/mbdyn");
  assert_true(r->n == 0 && r->version > version);
  free(row);
  out_joint_dynamics_fini(&m);
  live_robot_destroy(r);
}

//---------- diagnostics ----------

static void
put_status(wire_writer_t * w, uint8_t level, const char * name, const char * value)
{
  wire_put_u8(w, level);
  wire_put_string(w, name);
  wire_put_string(w, "fine");
  wire_put_string(w, "arm");
  wire_put_count(w, 2);
  wire_put_string(w, "state");
  wire_put_string(w, value);
  wire_put_string(w, "empty");
  wire_put_string(w, "");
}

static void
diagnostics_keep_the_last_of_a_name(void ** state)
{
  (void)state;
  live_diagnostics_t d = {0};
  char name[16];
  for (int cycle = 0; cycle < 200; cycle++) {
    wire_writer_t w = wire_writer_open();
    wire_put_u32(&w, 5);
    wire_put_u32(&w, 0);
    wire_put_string(&w, "");
    wire_put_count(&w, 2);
    snprintf(name, sizeof name, "n%d", cycle % 100);
    put_status(&w, 0, "/mbdyn: dynamics", cycle == 199 ? "last" : "before");
    put_status(&w, 2, name, "x");
    size_t size;
    uint8_t * bytes = wire_writer_close(&w, &size);
    assert_true(live_diagnostics_take(&d, bytes, size));
    free(bytes);
  }
  assert_int_equal(d.n, LIVE_STATUSES);
  assert_string_equal(d.status[0].text, "/mbdyn: dynamics");
  assert_string_equal(live_diagnostics_value(&d.status[0], "state"), "last");
  assert_string_equal(live_diagnostics_value(&d.status[0], "empty"), "");
  assert_null(live_diagnostics_value(&d.status[0], "other"));
  assert_int_equal(d.status[1].level, 2);
  live_diagnostics_fini(&d);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(messages_are_read),
    cmocka_unit_test(numbers_arrive_where_they_belong),
    cmocka_unit_test(a_node_that_stops_is_noticed),
    cmocka_unit_test(more_joints_than_room_are_refused),
    cmocka_unit_test(a_moment_has_the_numbers_of_its_message),
    cmocka_unit_test(diagnostics_keep_the_last_of_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
