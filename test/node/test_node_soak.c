// Joint states one after the other, as fast as the node answers, with parameters, trajectories and
// services in between: its memory stays what it was. MBDYN_SOAK_MESSAGES sets how many.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/srv/inverse_dynamics.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

enum { N = PEER_JOINTS };

static peer_t peer;
static mbdyn__msg__JointTorques torques;
static mbdyn__msg__MassMatrix mass;

static long
resident_kb(void)
{
  char path[64], line[256];
  long kb = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)peer.node.pid);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  while (kb < 0 && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kb);
  fclose(file);
  return kb;
}

static void
send_trajectory(rcl_publisher_t * to)
{
  trajectory_msgs__msg__JointTrajectory m = {0};
  assert_true(trajectory_msgs__msg__JointTrajectory__init(&m));
  assert_true(rosidl_runtime_c__String__Sequence__init(&m.joint_names, 2));
  assert_true(rosidl_runtime_c__String__assign(&m.joint_names.data[0], "joint2"));
  assert_true(rosidl_runtime_c__String__assign(&m.joint_names.data[1], "joint6"));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m.points, 2));
  for (size_t i = 0; i < 2; i++) {
    assert_true(rosidl_runtime_c__double__Sequence__init(&m.points.data[i].positions, 2));
    m.points.data[i].positions.data[0] = 0.1 * (double)i;
    m.points.data[i].positions.data[1] = 1.0 + 0.1 * (double)i;
    m.points.data[i].time_from_start.sec = (int32_t)i + 1;
    m.points.data[i].time_from_start.nanosec = 0;
  }
  OK(rcl_publish(to, &m, NULL));
  trajectory_msgs__msg__JointTrajectory__fini(&m);
}

static void
ask_torques(void)
{
  mbdyn__srv__InverseDynamics_Request request = {0};
  mbdyn__srv__InverseDynamics_Response response = {0};
  assert_true(mbdyn__srv__InverseDynamics_Request__init(&request));
  assert_true(mbdyn__srv__InverseDynamics_Response__init(&response));
  request.use_current_state = true;
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, InverseDynamics), "/mbdyn/inverse_dynamics",
    &request, &response);
  assert_true(response.success);
  mbdyn__srv__InverseDynamics_Request__fini(&request);
  mbdyn__srv__InverseDynamics_Response__fini(&response);
}

static void
do_more(long k, rcl_publisher_t * trajectories)
{
  const double kp = 50 + (double)(k % 50);
  if (k % 200 == 0) assert_string_equal(peer_set_doubles(&peer, "kp", 1, &kp), "");
  if (k % 300 == 0) send_trajectory(trajectories);
  if (k % 400 == 0) ask_torques();
  if (k % 500 == 0) assert_string_equal(peer_get(&peer, "mode"), "computed_torque");
}

static void
step(long k)
{
  const double t = 1e-3 * (double)k;
  for (int i = 0; i < N; i++) {
    peer.state.position.data[i] = 0.3 * sin(t + i);
    peer.state.velocity.data[i] = 0.3 * cos(t + i);
  }
  peer_step(&peer);
}

static void
test_soak(void ** state)
{
  (void)state;
  const char * text = getenv("MBDYN_SOAK_MESSAGES");
  const long messages = text ? atol(text) : 20000;
  assert_true(messages >= 1000);
  peer_open(&peer);
  rcl_publisher_t * trajectories = peer_publisher(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory),
    "/mbdyn/joint_trajectory");
  peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, JointTorques), "/mbdyn/joint_torques", &torques);
  peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, MassMatrix), "/mbdyn/mass_matrix", &mass);
  peer_start(
    &peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "mode:=computed_torque", NULL});
  peer_bring_up(&peer);

  // By half of a long run /rosout and /parameter_events have the 1000 messages that they keep. The
  // blocks that samples travel in are kept too: histories hold some hundreds and give them back
  // many at once, so that the pool grows to what they hold at most, up to about 1 MB. A leak of the
  // smallest block (32 bytes) a message is more than either bound.
  const long allowed_kb = messages < 100000 ? 300 : 1000;
  long start = 0, middle = 0;
  const int64_t begin = now_ns();
  for (long k = 1; k <= messages; k++) {
    step(k);
    do_more(k, trajectories);
    if (k == messages / 10) start = resident_kb();
    if (k == messages / 2) middle = resident_kb();
  }
  const double seconds = 1e-9 * (double)(now_ns() - begin);
  const long end = resident_kb();
  print_message(
    "%ld joint states in %.1f s: %.0f per second; resident %ld kB after a tenth, %ld at half, %ld "
    "at the end\n",
    messages, seconds, (double)messages / seconds, start, middle, end);
#ifndef NODE_SLOW
  assert_true(end - middle < allowed_kb);
#else
  (void)allowed_kb;
#endif
  peer_wait_report(&peer);
  assert_true(peer_count(&peer, "cycles") >= messages);
  assert_int_equal(peer_count(&peer, "dropped"), 0);
  assert_int_equal(peer_count(&peer, "publish_errors"), 0);
  assert_int_equal(peer_count(&peer, "compute_errors"), 0);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
  peer_close(&peer);
  mbdyn__msg__JointTorques__fini(&torques);
  mbdyn__msg__MassMatrix__fini(&mass);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_soak, process_kill_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
