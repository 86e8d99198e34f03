// What the node logs about what it is sent: names of any bytes arrive escaped, floods are throttled.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/srv/set_payload.h"
#include "node_core.h"
#include "rcl_interfaces/msg/log.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

// newline, terminal escape, text direction, Latin-1, half of a character; Greek is nobody's enemy
#define NASTY              \
  "a\nb\033[2J\u202ec\xe9" \
  "d\xc3"
#define ESCAPED "a\\x0ab\\x1b[2J\\u202ec\\xe9d\\xc3"
#define GREEK   "\xce\xb1\xcf\x81\xce\xbc"

static peer_t peer;
static uint64_t lines, unprintable;

// every byte of every line
static void
count_log(peer_t * p, peer_listener_t * listener)
{
  (void)p;
  const rcl_interfaces__msg__Log * m = listener->message;
  lines++;
  for (const unsigned char * s = (const unsigned char *)m->msg.data; *s; s++) {
    if (*s < 0x20 || *s == 0x7f || *s == 0xe9) unprintable++;
  }
}

static rcl_interfaces__msg__Log log_message;

static int
set_up(void ** state)
{
  (void)state;
  memset(&log_message, 0, sizeof log_message);
  assert_true(rcl_interfaces__msg__Log__init(&log_message));
  lines = unprintable = 0;
  peer_open(&peer);
  peer_listen(&peer, ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, Log), "/rosout", &log_message)
    ->on_message = count_log;
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  peer_close(&peer);
  rcl_interfaces__msg__Log__fini(&log_message);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static rcl_publisher_t *
trajectory_publisher(void)
{
  rcl_publisher_t * out = peer_publisher(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "/mbdyn/joint_trajectory");
  peer_wait_matched(&peer, out);
  return out;
}

static void
make_trajectory(trajectory_msgs__msg__JointTrajectory * t, const char * name)
{
  memset(t, 0, sizeof *t);
  assert_true(trajectory_msgs__msg__JointTrajectory__init(t));
  assert_true(rosidl_runtime_c__String__Sequence__init(&t->joint_names, 1));
  assert_true(rosidl_runtime_c__String__assign(&t->joint_names.data[0], name));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&t->points, 1));
  trajectory_msgs__msg__JointTrajectoryPoint * point = &t->points.data[0];
  assert_true(rosidl_runtime_c__double__Sequence__init(&point->positions, 1));
  point->positions.data[0] = 0;
  point->time_from_start.sec = 1;
}

// a trajectory, a joint state, a lifecycle label, a parameter, a payload
static void
test_names_are_escaped(void ** state)
{
  (void)state;
  trajectory_msgs__msg__JointTrajectory t;
  peer_start(
    &peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "mode:=computed_torque", NULL});
  peer_bring_up(&peer);
  rcl_publisher_t * out = trajectory_publisher();
  make_trajectory(&t, NASTY);
  OK(rcl_publish(out, &t, NULL));
  peer_logged(&peer, "rejected the trajectory: ");
  peer_logged(&peer, ESCAPED);
  trajectory_msgs__msg__JointTrajectory__fini(&t);
  peer_forget_log(&peer);

  // seven that it knows and one that it does not
  rosidl_runtime_c__String__Sequence more, names = peer.state.name;
  assert_true(rosidl_runtime_c__String__Sequence__init(&more, PEER_JOINTS + 1));
  for (size_t i = 0; i < PEER_JOINTS; i++) {
    assert_true(rosidl_runtime_c__String__assign(&more.data[i], names.data[i].data));
  }
  assert_true(rosidl_runtime_c__String__assign(&more.data[PEER_JOINTS], NASTY));
  peer.state.name = more;
  rosidl_runtime_c__double__Sequence position = peer.state.position, longer;
  assert_true(rosidl_runtime_c__double__Sequence__init(&longer, PEER_JOINTS + 1));
  memcpy(longer.data, position.data, PEER_JOINTS * sizeof *longer.data);
  longer.data[PEER_JOINTS] = 0;
  peer.state.position = longer;
  const size_t nvelocity = peer.state.velocity.size;
  peer.state.velocity.size = 0;
  for (int i = 0; i < 5; i++) peer_publish_now(&peer);
  peer_logged(&peer, "names that the robot does not have, such as 'a\\x0ab\\x1b[2J");
  peer.state.name = names;
  peer.state.position = position;
  peer.state.velocity.size = nvelocity;
  rosidl_runtime_c__String__Sequence__fini(&more);
  rosidl_runtime_c__double__Sequence__fini(&longer);

  assert_false(peer_change_state(&peer, NASTY));
  peer_logged(&peer, "no transition '" ESCAPED "'");

  // answers, too, are shown in terminals
  assert_non_null(strstr(peer_set_bool(&peer, NASTY, true), ESCAPED));
  assert_non_null(strstr(peer_set_string(&peer, "mode", NASTY), ESCAPED));
  assert_non_null(strstr(peer_set_string(&peer, "mode", GREEK), GREEK));
  mbdyn__srv__SetPayload_Request request = {0};
  mbdyn__srv__SetPayload_Response response = {0};
  assert_true(mbdyn__srv__SetPayload_Request__init(&request));
  assert_true(mbdyn__srv__SetPayload_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.frame, NASTY));
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, SetPayload), "/mbdyn/set_payload", &request,
    &response);
  assert_false(response.success);
  assert_non_null(strstr(response.message.data, ESCAPED));
  mbdyn__srv__SetPayload_Request__fini(&request);
  mbdyn__srv__SetPayload_Response__fini(&response);
  assert_true(lines > 5);
  assert_int_equal(unprintable, 0);
}

// one line a second, not one for each
static void
test_trajectories_while_inactive(void ** state)
{
  (void)state;
  enum { COUNT = 5000 };
  trajectory_msgs__msg__JointTrajectory t;
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, "-p", "autostart:=false", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  rcl_publisher_t * out = trajectory_publisher();
  make_trajectory(&t, "joint1");
  peer_spin(&peer, 0);
  lines = 0;
  const int64_t begin = now_ns();
  for (int i = 0; i < COUNT; i++) {
    OK(rcl_publish(out, &t, NULL));
    if (i % 10 == 0) peer_spin(&peer, 1);
  }
  peer_logged(&peer, "ignored a trajectory because the node is not active");
  peer_listen_for(&peer, 1000);
  const double seconds = 1e-9 * (double)(now_ns() - begin);
  print_message("%d trajectories, %.1f s, %d lines\n", COUNT, seconds, (int)lines);
  assert_in_range(lines, 1, (uint64_t)seconds + 2);
  trajectory_msgs__msg__JointTrajectory__fini(&t);
}

// what nobody thought of is throttled as well: so many lines of a place in a second
static void
test_refused_transitions(void ** state)
{
  (void)state;
  enum { COUNT = 500, BURST = 20 };
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, "-p", "autostart:=false", NULL});
  assert_string_equal(peer_state(&peer), "unconfigured");
  peer_spin(&peer, 0);
  lines = 0;
  const int64_t begin = now_ns();
  for (int i = 0; i < COUNT; i++) assert_false(peer_change_state(&peer, "nonsense"));
  peer_logged(&peer, "no transition 'nonsense'");
  peer_logged(&peer, "(further messages of this kind are suppressed for up to 1 s)");
  peer_listen_for(&peer, 1000);
  const double seconds = 1e-9 * (double)(now_ns() - begin);
  print_message("%d calls, %.1f s, %d lines\n", COUNT, seconds, (int)lines);
  assert_in_range(lines, 1, BURST * ((uint64_t)seconds + 2));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char ** argv)
{
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
    TEST(test_names_are_escaped), TEST(test_trajectories_while_inactive),
    TEST(test_refused_transitions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
