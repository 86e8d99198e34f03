// The control thread does not touch the heap once it runs: the node in a process whose allocations
// are watched, with every output on and listened to, targets, trajectories and parameters coming in.
//
// Two things are left out. Cyclone itself: dds_takecdr frees where more than one message was waiting,
// dds_writecdr now and then takes memory for its history; that is counted apart. And floods of log
// lines or answers: they are kept (for listeners to come, or until they are acknowledged) in blocks of
// the pool that all samples come from, which the stand-in then adds to.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action_msgs/srv/cancel_goal.h"
#include "control_msgs/action/follow_joint_trajectory.h"
#include "control_msgs/msg/joint_tolerance.h"
#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "heap_watch.h"
#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "mbdyn/msg/singularity.h"
#include "mbdyn_node/node.h"
#include "mbdyn_ros/process/ros_process.h"
#include "node_peer.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"
#include "visualization_msgs/msg/marker_array.h"

enum { N = PEER_JOINTS, WARM_UP = 500, CYCLES = 2000 };

//---------- the node, watched ----------

// SIGUSR1: say what was counted; SIGTERM: end
static void
answer_signals(void)
{
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  while (sigwait(&set, &number) == 0 && number == SIGUSR1) heap_watch_print();
}

static int
run_node(int argc, char ** argv)
{
  sigset_t set;
  ros_process_t process;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (!ros_process_open(&process, argc, argv, "mbdyn")) return 2;
  const mbdyn_node_options_t options = {&process.node, process.overrides, NULL, NULL, NULL};
  mbdyn_node_t * node = mbdyn_node_create(&options);
  if (!node || !mbdyn_node_start(node)) return 1;
  heap_watch_start("mbdyn_control", "libddsc librmw librcl librcutils libstdc++");
  answer_signals();
  mbdyn_node_stop(node);
  mbdyn_node_destroy(node);
  ros_process_close(&process);
  return 0;
}

//---------- what it is given ----------

#define MSG(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

static peer_t peer;

static struct {
  sensor_msgs__msg__JointState state[7];
  mbdyn__msg__JointTorques joint_torques;
  mbdyn__msg__JointDynamicsArray joint_dynamics;
  mbdyn__msg__MassMatrix mass_matrix;
  mbdyn__msg__Jacobian jacobian[2];
  mbdyn__msg__OperationalSpaceInertia inertia;
  mbdyn__msg__Singularity singularity;
  mbdyn__msg__DynamicsSummary dynamics;
  geometry_msgs__msg__WrenchStamped wrench;
  visualization_msgs__msg__MarkerArray markers;
  control_msgs__action__FollowJointTrajectory_FeedbackMessage feedback;
} got;

static struct {
  rcl_publisher_t *pose, *twist, *target_wrench, *wrench, *gravity, *trajectory;
  geometry_msgs__msg__PoseStamped pose_message;
  geometry_msgs__msg__TwistStamped twist_message;
  geometry_msgs__msg__WrenchStamped wrench_message;
  geometry_msgs__msg__Vector3Stamped gravity_message;
  trajectory_msgs__msg__JointTrajectory trajectory_message;
} to;

static int first_listener;
static peer_listener_t *markers, *feedback;

#define ACTION "/mbdyn/follow_joint_trajectory/_action/"

static void
listen_to_all(void)
{
  static const char * const STATES[7] = {"torques",         "torques/gravity",  "torques/coriolis",
                                         "torques/inertia", "torques/friction", "torques/external",
                                         "external_torque"};
  char topic[64];
  // now and then, not in every cycle
  markers =
    peer_listen(&peer, MSG(visualization_msgs, MarkerArray), "/mbdyn/markers", &got.markers);
  feedback = peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_FeedbackMessage),
    ACTION "feedback", &got.feedback);
  first_listener = peer.nlistener;
  for (int k = 0; k < 7; k++) {
    snprintf(topic, sizeof topic, "/mbdyn/%s", STATES[k]);
    peer_listen(&peer, MSG(sensor_msgs, JointState), topic, &got.state[k]);
  }
  peer_listen(&peer, MSG(mbdyn, JointTorques), "/mbdyn/joint_torques", &got.joint_torques);
  peer_listen(&peer, MSG(mbdyn, JointDynamicsArray), "/mbdyn/joint_dynamics", &got.joint_dynamics);
  peer_listen(&peer, MSG(mbdyn, MassMatrix), "/mbdyn/mass_matrix", &got.mass_matrix);
  peer_listen(&peer, MSG(mbdyn, Jacobian), "/mbdyn/jacobian/tool", &got.jacobian[0]);
  peer_listen(&peer, MSG(mbdyn, Jacobian), "/mbdyn/jacobian/link5", &got.jacobian[1]);
  peer_listen(
    &peer, MSG(mbdyn, OperationalSpaceInertia), "/mbdyn/operational_space_inertia", &got.inertia);
  peer_listen(&peer, MSG(mbdyn, Singularity), "/mbdyn/singularity", &got.singularity);
  peer_listen(&peer, MSG(mbdyn, DynamicsSummary), "/mbdyn/dynamics", &got.dynamics);
  peer_listen(&peer, MSG(geometry_msgs, WrenchStamped), "/mbdyn/external_wrench", &got.wrench);
}

static void
forget_all(void)
{
  for (int k = 0; k < 7; k++) sensor_msgs__msg__JointState__fini(&got.state[k]);
  mbdyn__msg__JointTorques__fini(&got.joint_torques);
  mbdyn__msg__JointDynamicsArray__fini(&got.joint_dynamics);
  mbdyn__msg__MassMatrix__fini(&got.mass_matrix);
  for (int k = 0; k < 2; k++) mbdyn__msg__Jacobian__fini(&got.jacobian[k]);
  mbdyn__msg__OperationalSpaceInertia__fini(&got.inertia);
  mbdyn__msg__Singularity__fini(&got.singularity);
  mbdyn__msg__DynamicsSummary__fini(&got.dynamics);
  geometry_msgs__msg__WrenchStamped__fini(&got.wrench);
  visualization_msgs__msg__MarkerArray__fini(&got.markers);
  control_msgs__action__FollowJointTrajectory_FeedbackMessage__fini(&got.feedback);
  geometry_msgs__msg__PoseStamped__fini(&to.pose_message);
  geometry_msgs__msg__TwistStamped__fini(&to.twist_message);
  geometry_msgs__msg__WrenchStamped__fini(&to.wrench_message);
  geometry_msgs__msg__Vector3Stamped__fini(&to.gravity_message);
  trajectory_msgs__msg__JointTrajectory__fini(&to.trajectory_message);
}

static void
make_trajectory(trajectory_msgs__msg__JointTrajectory * m)
{
  assert_true(trajectory_msgs__msg__JointTrajectory__init(m));
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->joint_names, 1));
  assert_true(rosidl_runtime_c__String__assign(&m->joint_names.data[0], "joint2"));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&m->points, 20));
  for (size_t i = 0; i < 20; i++) {
    assert_true(rosidl_runtime_c__double__Sequence__init(&m->points.data[i].positions, 1));
    m->points.data[i].positions.data[0] = 0.01 * (double)i;
    m->points.data[i].time_from_start.nanosec = (uint32_t)(i + 1) * 10000000;
  }
}

static void
make_targets(void)
{
  to.pose = peer_publisher(&peer, MSG(geometry_msgs, PoseStamped), "/mbdyn/target_pose");
  to.twist = peer_publisher(&peer, MSG(geometry_msgs, TwistStamped), "/mbdyn/target_twist");
  to.target_wrench =
    peer_publisher(&peer, MSG(geometry_msgs, WrenchStamped), "/mbdyn/target_wrench");
  to.wrench = peer_publisher(&peer, MSG(geometry_msgs, WrenchStamped), "/mbdyn/wrench");
  to.gravity = peer_publisher(&peer, MSG(geometry_msgs, Vector3Stamped), "/mbdyn/gravity");
  to.trajectory =
    peer_publisher(&peer, MSG(trajectory_msgs, JointTrajectory), "/mbdyn/joint_trajectory");
  assert_true(geometry_msgs__msg__PoseStamped__init(&to.pose_message));
  assert_true(geometry_msgs__msg__TwistStamped__init(&to.twist_message));
  assert_true(geometry_msgs__msg__WrenchStamped__init(&to.wrench_message));
  assert_true(geometry_msgs__msg__Vector3Stamped__init(&to.gravity_message));
  to.pose_message.pose.position.x = 0.4;
  to.pose_message.pose.position.z = 0.5;
  to.pose_message.pose.orientation.w = 1;
  to.gravity_message.vector.z = -9.81;
  assert_true(rosidl_runtime_c__String__assign(&to.wrench_message.header.frame_id, "tool"));
  make_trajectory(&to.trajectory_message);
}

//---------- cycles ----------

// a joint, from where it is; one that leaves its path is stopped by the control thread
static void
send_goal(int k)
{
  control_msgs__action__FollowJointTrajectory_SendGoal_Request request = {0};
  control_msgs__action__FollowJointTrajectory_SendGoal_Response response = {0};
  assert_true(control_msgs__action__FollowJointTrajectory_SendGoal_Request__init(&request));
  assert_true(control_msgs__action__FollowJointTrajectory_SendGoal_Response__init(&response));
  memcpy(request.goal_id.uuid, &k, sizeof k);
  trajectory_msgs__msg__JointTrajectory__fini(&request.goal.trajectory);
  memset(&request.goal.trajectory, 0, sizeof request.goal.trajectory);
  make_trajectory(&request.goal.trajectory);
  for (size_t i = 0; i < 20; i++) {
    request.goal.trajectory.points.data[i].positions.data[0] += 0.3 * sin(1e-3 * k + 1);
  }
  assert_true(control_msgs__msg__JointTolerance__Sequence__init(&request.goal.path_tolerance, 1));
  assert_true(
    rosidl_runtime_c__String__assign(&request.goal.path_tolerance.data[0].name, "joint2"));
  request.goal.path_tolerance.data[0].position = k % 500 == 40 ? 0.02 : 9;
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_SendGoal),
    ACTION "send_goal", &request, &response);
  assert_true(response.accepted);
  control_msgs__action__FollowJointTrajectory_SendGoal_Request__fini(&request);
  control_msgs__action__FollowJointTrajectory_SendGoal_Response__fini(&response);
}

static void
cancel_goals(void)
{
  action_msgs__srv__CancelGoal_Request request = {0};
  action_msgs__srv__CancelGoal_Response response;
  assert_true(action_msgs__srv__CancelGoal_Response__init(&response));
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(action_msgs, srv, CancelGoal), ACTION "cancel_goal",
    &request, &response);
  action_msgs__srv__CancelGoal_Response__fini(&response);
}

static void
send_something(int k)
{
  static const char * const MODES[7] = {
    "gravity_compensation",   "computed_torque", "inverse_dynamics",   "operational_space",
    "quasi_velocity_damping", "joint_impedance", "cartesian_impedance"};
  const double kp = 50 + k % 50;
  if (k % 3 == 0) OK(rcl_publish(to.pose, &to.pose_message, NULL));
  if (k % 5 == 0) OK(rcl_publish(to.twist, &to.twist_message, NULL));
  if (k % 7 == 0) OK(rcl_publish(to.target_wrench, &to.wrench_message, NULL));
  if (k % 4 == 0) OK(rcl_publish(to.wrench, &to.wrench_message, NULL));
  if (k % 11 == 0) OK(rcl_publish(to.gravity, &to.gravity_message, NULL));
  if (k % 200 == 0) OK(rcl_publish(to.trajectory, &to.trajectory_message, NULL));
  if (k % 250 == 40) send_goal(k);
  // a tick of the executor, with feedback and markers
  if (k % 250 == 59) peer_listen_for(&peer, 60);
  if (k % 250 == 60) cancel_goals();
  if (k % 250 == 0) assert_string_equal(peer_set_doubles(&peer, "kp", 1, &kp), "");
  if (k % 250 == 0) {
    assert_string_equal(peer_set_string(&peer, "mode", MODES[k / 250 % 7]), "");
  }
}

// joint states: as they should be, now and then others; names change, numbers are not finite
static void
cycle(int k)
{
  double q[N], v[N];
  for (int i = 0; i < N; i++) q[i] = 0.3 * sin(1e-3 * k + i), v[i] = 3e-4 * cos(1e-3 * k + i);
  if (k % 61 == 0) {
    peer_set_state(&peer, q, NULL);
    peer.state.position.data[1] = (double)NAN;
    peer_publish_now(&peer);
  }
  peer_set_state(&peer, q, k % 29 == 0 ? NULL : v);
  // the last joint is missing
  if (k % 53 == 7) peer.state.name.size = peer.state.position.size = N - 1;
  if (k % 53 == 7 && peer.state.velocity.size) peer.state.velocity.size = N - 1;
  peer_step(&peer);
}

static void
run_cycles(int n)
{
  for (int k = 0; k < n; k++) {
    send_something(k);
    cycle(k);
  }
}

// \return calls of ours; theirs are the library's
static int
ask_for_calls(int * theirs)
{
  char line[1024];
  int ours = -1;
  kill(peer.node.pid, SIGUSR1);
  while (ours < 0) {
    assert_true(process_line(&peer.node, line, sizeof line, PEER_TIMEOUT));
    if (sscanf(line, "heap %d %d", &ours, theirs) != 2) print_message("%s\n", line);
  }
  return ours;
}

static void
test_heap(void ** state)
{
  (void)state;
  int theirs = 0;
  peer_open(&peer);
  listen_to_all();
  make_targets();
  peer_start_as(
    &peer, (const char *[]){"/proc/self/exe", "node", NULL},
    (const char *[]){
      PEER_ROBOT_ARG,
      PEER_CALM_ARG,
      "-p",
      "frames:=[tool, link5]",
      "-p",
      "publish.terms:=1",
      "-p",
      "publish.joint_torques:=1",
      "-p",
      "publish.joint_dynamics:=1",
      "-p",
      "publish.mass_matrix:=1",
      "-p",
      "publish.jacobian:=1",
      "-p",
      "publish.operational_space_inertia:=1",
      "-p",
      "publish.singularity:=1",
      "-p",
      "stay_in_component:=true",
      "-p",
      "publish.dynamics:=1",
      "-p",
      "publish.external_torque:=1",
      "-p",
      "publish.external_wrench:=1",
      "-p",
      "publish.markers:=true",
      NULL});
  peer_bring_up(&peer);
  run_cycles(WARM_UP);
  // the set-up of the thread is no cycle
  ask_for_calls(&theirs);
  print_message("start and %d cycles: %d calls of the library\n", WARM_UP, theirs);

  uint64_t before[PEER_LISTENERS];
  for (int k = 0; k < peer.nlistener; k++) before[k] = peer.listener[k].count;
  run_cycles(CYCLES);
  const int ours = ask_for_calls(&theirs);
  print_message("%d cycles: %d calls of ours, %d of the library\n", CYCLES, ours, theirs);
  assert_int_equal(ours, 0);
#ifdef ROS2_STANDALONE
  // some twenty messages in each of them; a real rmw has an object for each
  assert_true(theirs < CYCLES);
#endif
  // all of it was on
  for (int k = first_listener; k < peer.nlistener; k++) {
    assert_true(peer.listener[k].count > before[k] + CYCLES / 2);
  }
  print_message("%d markers, %d feedbacks\n", (int)markers->count, (int)feedback->count);
  assert_true(markers->count > 3 && feedback->count > 0);
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
  peer_close(&peer);
  forget_all();
}

int
main(int argc, char ** argv)
{
  if (argc > 1 && strcmp(argv[1], "node") == 0) return run_node(argc - 1, argv + 1);
  own_domain();
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_heap, process_kill_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
