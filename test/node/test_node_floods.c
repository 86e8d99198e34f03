// Too much, too wrong, too suddenly: floods, storms of parameters, bytes that are no message, peers
// that die. The node goes on, and no command is ever beyond limits (peer_close looks).
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "node_core.h"
#include "rosidl_runtime_c/string_functions.h"

enum { N = PEER_JOINTS, STORMS = 4, CHANGES = 150, BYTES_MAX = 2048 };

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

#define START(...) peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, __VA_ARGS__, NULL})

static void
expect_gravity(void)
{
  double g[N];
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_step(&peer);
  core_gravity(&core, STATES[0][0], g);
  assert_near(peer.command, g, N);
}

//---------- floods ----------

static void
test_flood(void ** state)
{
  (void)state;
  START("-p", "timeout:=30.0");
  peer_bring_up(&peer);
  peer_stream_start(&peer, 10000);
  const int64_t end = now_ns() + 1500000000;
  int answers = 0;
  // the node still answers meanwhile
  while (now_ns() < end) {
    assert_string_equal(peer_state(&peer), "active");
    answers++;
  }
  assert_true(answers >= 3);
  const uint64_t sent = peer_stream_stop(&peer);
  peer_listen_for(&peer, 50);
  peer_wait_report(&peer);
  const long long came = peer_count(&peer, "joint_states");
  assert_true(came > 1000 && (uint64_t)came <= sent + 100);
  assert_int_equal(came, peer_count(&peer, "joint_states_taken") + peer_count(&peer, "dropped"));
  assert_true(peer_count(&peer, "skipped") > 0);
  assert_int_equal(peer_count(&peer, "stale"), 0);
  assert_int_equal(peer_count(&peer, "publish_errors"), 0);
  assert_int_equal(peer_count(&peer, "compute_errors"), 0);
  expect_gravity();
}

//---------- parameters ----------

// values that are fine and values that are not; efforts never beyond what the robot has
static const char *
change_something(peer_t * client, int k)
{
  const double x = 1 + k % 7, list[3] = {0, 0, -x};
  const char * const modes[] = {"gravity_compensation", "computed_torque", "inverse_dynamics",
                                "operational_space",    "passive",         "levitate"};
  switch (k % 10) {
    case 0: return peer_set_string(client, "mode", modes[k / 10 % 6]);
    case 1: return peer_set_doubles(client, "kp", 1, &x);
    case 2: return peer_set_doubles(client, "gravity", 3, list);
    case 3: return peer_set_doubles(client, "effort_limits", 1, &x);
    case 4: return peer_set_doubles(client, "damping", 2, list);
    case 5: return peer_set_string(client, "payload.frame", k % 20 == 5 ? "flange" : "elbow");
    case 6: return peer_set_double(client, "payload.mass", x / 4);
    case 7: return peer_set_integer(client, "publish.mass_matrix", k % 3);
    case 8: return peer_set_double(client, "timeout", k % 20 == 8 ? 30 : -1);
    default: return peer_get(client, "effort_limits");
  }
}

// node_peer keeps answers in one place for all: each client is a process of its own
static int
run_storm(int first)
{
  static peer_t client;
  int refused = 0;
  peer_open(&client);
  client.bad = 0;
  for (int k = 0; k < CHANGES; k++) {
    const int what = first + k;
    const char * answer = change_something(&client, what);
    if (what % 10 != 9 && *answer) refused++;
  }
  peer_close(&client);
  printf("refused %d\n", refused);
  return 0;
}

static void
test_parameter_storm(void ** state)
{
  (void)state;
  static process_t storm[STORMS];
  char first[STORMS][8], line[64];
  START("-p", "timeout:=30.0");
  peer_bring_up(&peer);
  peer_stream_start(&peer, 1000);
  for (int i = 0; i < STORMS; i++) {
    snprintf(first[i], sizeof first[i], "%d", 13 * i);
    process_start(&storm[i], (const char *[]){"/proc/self/exe", "storm", first[i], NULL});
  }
  for (int i = 0; i < STORMS; i++) {
    while (!process_line(&storm[i], line, sizeof line, 10)) {
      peer_spin(&peer, 20);
      assert_int_equal(kill(storm[i].pid, 0), 0);
      assert_true(peer_is_alive(&peer));
    }
    int refused = 0;
    assert_int_equal(sscanf(line, "refused %d", &refused), 1);
    assert_true(refused > CHANGES / 10 && refused < CHANGES / 2);
    assert_int_equal(process_end(&storm[i], 0, PEER_TIMEOUT), 0);
  }
  peer_stream_stop(&peer);
  // after all that it does what it is told
  assert_string_equal(peer_set_string(&peer, "mode", "gravity_compensation"), "");
  assert_string_equal(peer_set_string(&peer, "payload.frame", ""), "");
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_string_equal(peer_set_doubles(&peer, "effort_limits", 0, NULL), "");
  assert_true(peer_change_state(&peer, "activate"));
  assert_string_equal(peer_set_doubles(&peer, "damping", 1, (const double[]){0}), "");
  assert_string_equal(peer_set_doubles(&peer, "gravity", 3, (const double[]){0, 0, -9.81}), "");
  expect_gravity();
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "commands_not_finite"), 0);
}

//---------- bytes ----------

typedef struct bytes {
  uint8_t data[BYTES_MAX];
  size_t size;
} bytes_t;

static void
write_bytes(const rosidl_message_type_support_t * type, const void * message, bytes_t * out)
{
  out->size = message_bytes(type, message, out->data, BYTES_MAX);
}

// one lot of bytes, then a joint state that shows that the node has seen them
static void
throw_bytes(rcl_publisher_t * to, const uint8_t * data, size_t size)
{
  peer_publish_bytes(to, data, size);
  peer_step(&peer);
}

// a message cut short anywhere, with counts that are not, of the wrong kind, and noise; none of it
// is the message. \return how many
static int
throw_everything(rcl_publisher_t * to, const bytes_t * good)
{
  bytes_t b;
  int n = 0;
  for (size_t size = 4; size + 4 < good->size; size += 3, n++) throw_bytes(to, good->data, size);
  for (size_t at = 12; at + 4 <= good->size && at < 60; at += 4, n++) {
    b = *good;
    memset(b.data + at, 0xff, 4);
    throw_bytes(to, b.data, b.size);
  }
  // other encodings; those that are none stop in the middleware
  static const uint8_t KIND[4] = {2, 3, 6, 7};
  for (int k = 0; k < 4; k++, n++) {
    b = *good;
    b.data[1] = KIND[k];
    throw_bytes(to, b.data, b.size);
  }
  srand(1);
  for (int k = 0; k < 100; k++, n++) {
    b.size = 4 + (size_t)(rand() % 400);
    for (size_t i = 0; i < b.size; i++) b.data[i] = (uint8_t)rand();
    memcpy(b.data, (const uint8_t[]){0, (uint8_t)(k % 2), 0, 0}, 4);
    throw_bytes(to, b.data, b.size);
  }
  return n;
}

static void
test_malformed_joint_states(void ** state)
{
  (void)state;
  bytes_t good;
  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
  expect_gravity();
  peer_stamp(&peer, peer_clock());
  write_bytes(JOINT_STATE, &peer.state, &good);
  const int thrown = throw_everything(&peer.joint_states, &good);
  peer_wait_report(&peer);
  // a stamp or a name of other bytes is a message like any other
  const long long dropped = peer_count(&peer, "dropped");
  assert_true(dropped > thrown - 8 && dropped <= thrown);
  assert_true(peer_count(&peer, "malformed") > thrown - 16);
  expect_gravity();
  peer_logged(&peer, "malformed");
}

static void
test_malformed_targets(void ** state)
{
  (void)state;
  bytes_t good;
  geometry_msgs__msg__PoseStamped pose = {0};
  geometry_msgs__msg__TwistStamped twist = {0};
  geometry_msgs__msg__WrenchStamped wrench = {0};
  geometry_msgs__msg__Vector3Stamped vector = {0};
  struct {
    const char * topic;
    const rosidl_message_type_support_t * type;
    void * message;
  } all[] = {
    {"/mbdyn/target_pose", ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, PoseStamped), &pose},
    {"/mbdyn/target_twist", ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, TwistStamped), &twist},
    {"/mbdyn/target_wrench", ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped),
     &wrench},
    {"/mbdyn/wrench", ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped), &wrench},
    {"/mbdyn/gravity", ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, Vector3Stamped), &vector}};
  assert_true(geometry_msgs__msg__PoseStamped__init(&pose));
  assert_true(geometry_msgs__msg__TwistStamped__init(&twist));
  assert_true(geometry_msgs__msg__WrenchStamped__init(&wrench));
  assert_true(geometry_msgs__msg__Vector3Stamped__init(&vector));
  // in a frame that the robot does not have: even what survives is refused
  assert_true(rosidl_runtime_c__String__assign(&pose.header.frame_id, "elbow"));
  assert_true(rosidl_runtime_c__String__assign(&twist.header.frame_id, "elbow"));
  assert_true(rosidl_runtime_c__String__assign(&wrench.header.frame_id, "elbow"));
  assert_true(rosidl_runtime_c__String__assign(&vector.header.frame_id, "elbow"));
  pose.pose.orientation.w = 1;

  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
  long long thrown = 0;
  rcl_publisher_t * to = NULL;
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    to = peer_publisher(&peer, all[k].type, all[k].topic);
    peer_wait_matched(&peer, to);
    write_bytes(all[k].type, all[k].message, &good);
    thrown += throw_everything(to, &good);
  }
  peer_wait_report(&peer);
  assert_int_equal(peer_count(&peer, "refused_targets"), thrown);
  expect_gravity();

  // and one that is right
  double g[N], up[N];
  assert_true(rosidl_runtime_c__String__assign(&vector.header.frame_id, ""));
  vector.vector.z = 9.81;
  OK(rcl_publish(to, &vector, NULL));
  peer_step(&peer);
  core_gravity(&core, STATES[0][0], g);
  for (int i = 0; i < N; i++) up[i] = -g[i];
  assert_near(peer.command, up, N);
  geometry_msgs__msg__PoseStamped__fini(&pose);
  geometry_msgs__msg__TwistStamped__fini(&twist);
  geometry_msgs__msg__WrenchStamped__fini(&wrench);
  geometry_msgs__msg__Vector3Stamped__fini(&vector);
}

//---------- peers ----------

static void
start_robot(process_t * robot)
{
  char line[64];
  process_start(robot, (const char *[]){NODE_ROBOT_PROGRAM, NULL});
  assert_true(process_line(robot, line, sizeof line, PEER_TIMEOUT));
  assert_string_equal(line, "commanded");
}

static void
test_killed_robot(void ** state)
{
  (void)state;
  static process_t robot;
  START("-p", "timeout:=0.5");
  start_robot(&robot);
  assert_true(peer_wait(&peer, &peer.commands->count, 100, PEER_TIMEOUT));
  assert_true(fabs(peer.command[1]) > 1);
  process_end(&robot, SIGKILL, PEER_TIMEOUT);
  // on_stale, once
  peer_logged(&peer, "no joint state for 0.5");
  peer_listen_for(&peer, 100);
  assert_near(peer.command, ((double[N]){0}), N);
  assert_string_equal(peer_state(&peer), "active");
  start_robot(&robot);
  const uint64_t before = peer.commands->count;
  assert_true(peer_wait(&peer, &peer.commands->count, before + 100, PEER_TIMEOUT));
  assert_true(fabs(peer.command[1]) > 1);

  // one that is still there but takes nothing: others get their commands all the same
  kill(robot.pid, SIGSTOP);
  peer_stream_start(&peer, 1000);
  const uint64_t then = peer.commands->count;
  assert_true(peer_wait(&peer, &peer.commands->count, then + 1000, PEER_TIMEOUT));
  peer_stream_stop(&peer);
  process_end(&robot, SIGKILL, PEER_TIMEOUT);

  // dead peers do not hold the end up
  const int64_t begin = now_ns();
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
#ifndef NODE_SLOW
  assert_true(now_ns() - begin < 1000000000);
#else
  (void)begin;
#endif
  START(PEER_CALM_ARG);
  peer_bring_up(&peer);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char ** argv)
{
  if (argc == 3 && strcmp(argv[1], "storm") == 0) return run_storm(atoi(argv[2]));
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
    TEST(test_flood), TEST(test_parameter_storm), TEST(test_malformed_joint_states),
    TEST(test_malformed_targets), TEST(test_killed_robot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
