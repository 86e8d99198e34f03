// The action ~/follow_joint_trajectory, on a robot that obeys the commands: goals that are reached, that are
// not, that are canceled on their way, replaced, and wrong.
#include <signal.h>
#include <string.h>

#include "action_msgs/msg/goal_info.h"
#include "action_msgs/msg/goal_status.h"
#include "action_msgs/msg/goal_status_array.h"
#include "action_msgs/srv/cancel_goal.h"
#include "control_msgs/action/follow_joint_trajectory.h"
#include "control_msgs/msg/joint_tolerance.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"
#include "trajectory_msgs/msg/multi_dof_joint_trajectory_point.h"

enum { N = PEER_JOINTS, RESENDS = 5 };

#define ACTION(name) control_msgs__action__FollowJointTrajectory_##name
#define RESULT(name) control_msgs__action__FollowJointTrajectory_Result__##name
#define STATUS(name) action_msgs__msg__GoalStatus__STATUS_##name
#define SERVICE(name) \
  ROSIDL_GET_SRV_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_##name)
#define NAME "/mbdyn/follow_joint_trajectory/_action/"

typedef ACTION(SendGoal_Request) request_t;
typedef trajectory_msgs__msg__JointTrajectory trajectory_t;

static const double REST[N] = {0};

static peer_t peer;
static core_t core;
static double q[N], v[N], acceleration[N];
static bool stuck;  // the robot does not move
static int64_t last;
static ACTION(FeedbackMessage) feedback;
static action_msgs__msg__GoalStatusArray goals;
static peer_listener_t *feedbacks, *statuses;
static rcl_client_t results;
static uint8_t count;  // goals so far

//---------- the robot ----------

static void
move(double dt)
{
  if (stuck || peer.ncommand != N) return;
  assert_int_equal(
    mbd_forward_dynamics(core.model, core.data, q, v, peer.command, NULL, acceleration), MBD_OK);
  for (int k = 0; k < N; k++) {
    v[k] += dt * acceleration[k];
    q[k] += dt * v[k];
  }
}

static void
live(int milliseconds)
{
  const int64_t end = now_ns() + milliseconds * INT64_C(1000000);
  do {
    const int64_t now = now_ns();
    for (double dt = fmin(1e-9 * (double)(now - last), 5e-3); dt > 0; dt -= 1e-3) {
      move(fmin(dt, 1e-3));
    }
    last = now;
    peer_set_state(&peer, q, v);
    peer_publish_now(&peer);
    peer_spin(&peer, 1);
  } while (now_ns() < end);
}

// joints at rest, and the node's reference there
static void
place(void)
{
  stuck = false;
  assert_true(peer_change_state(&peer, "deactivate"));
  memcpy(q, STATES[0][0], sizeof q);
  memset(v, 0, sizeof v);
  peer_set_state(&peer, q, v);
  assert_true(peer_change_state(&peer, "activate"));
  const uint64_t before = peer.commands->count;
  stuck = true;
  while (peer.commands->count < before + 3) live(5);
  stuck = false;
}

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  assert_int_equal(mbd_set_terms(core.data, MBD_TERM_ROTORS), MBD_OK);
  assert_true(ACTION(FeedbackMessage__init)(&feedback));
  assert_true(action_msgs__msg__GoalStatusArray__init(&goals));
  feedbacks = peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_FeedbackMessage),
    NAME "feedback", &feedback);
  statuses = peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(action_msgs, msg, GoalStatusArray), NAME "status", &goals);
  OK(rclc_client_init_default(&results, &peer.session.node, SERVICE(GetResult), NAME "get_result"));
  memcpy(q, STATES[0][0], sizeof q);
  peer_set_state(&peer, q, REST);
  peer_start(
    &peer, (const char *[]){
             PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "mode:=computed_torque", "-p",
             "command_terms:=[gravity, coriolis, inertia]", "-p", "timeout:=0.3", "-p",
             "action.goal_time:=0.5", "-p", "action.goal_tolerance:=[0.02]", "-p", "stop_jerk:=5.0",
             NULL});
  stuck = true;
  peer_bring_up(&peer);
  place();
  return 0;
}

static int
tear_down(void ** state)
{
  OK(rcl_client_fini(&results, &peer.session.node));
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  ACTION(FeedbackMessage__fini)(&feedback);
  action_msgs__msg__GoalStatusArray__fini(&goals);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

//---------- goals ----------

static void
set_numbers(rosidl_runtime_c__double__Sequence * to, const double * x, size_t n)
{
  rosidl_runtime_c__double__Sequence__fini(to);
  assert_true(rosidl_runtime_c__double__Sequence__init(to, n));
  memcpy(to->data, x, n * sizeof *x);
}

// joint1 and joint4 by so much, from rest to rest
static void
make(request_t * r, double by, double duration)
{
  static const char * const name[2] = {"joint4", "joint1"};
  const double to[2] = {STATES[0][0][3] + by, STATES[0][0][0] - by};
  memset(r, 0, sizeof *r);
  assert_true(ACTION(SendGoal_Request__init)(r));
  r->goal_id.uuid[0] = ++count, r->goal_id.uuid[15] = 77;
  trajectory_t * t = &r->goal.trajectory;
  assert_true(rosidl_runtime_c__String__Sequence__init(&t->joint_names, 2));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&t->points, 1));
  for (int j = 0; j < 2; j++) {
    assert_true(rosidl_runtime_c__String__assign(&t->joint_names.data[j], name[j]));
  }
  set_numbers(&t->points.data[0].positions, to, 2);
  set_numbers(&t->points.data[0].velocities, REST, 2);
  set_numbers(&t->points.data[0].accelerations, REST, 2);
  t->points.data[0].time_from_start.sec = (int32_t)floor(duration);
  t->points.data[0].time_from_start.nanosec = (uint32_t)(1e9 * (duration - floor(duration)));
}

static void
tolerance(control_msgs__msg__JointTolerance__Sequence * list, const char * name, double position)
{
  assert_true(control_msgs__msg__JointTolerance__Sequence__init(list, 1));
  assert_true(rosidl_runtime_c__String__assign(&list->data[0].name, name));
  list->data[0].position = position;
}

static void
send(request_t * r)
{
  ACTION(SendGoal_Response) response;
  assert_true(ACTION(SendGoal_Response__init)(&response));
  peer_call(&peer, SERVICE(SendGoal), NAME "send_goal", r, &response);
  assert_true(response.accepted);
  ACTION(SendGoal_Response__fini)(&response);
}

static int64_t
ask(const request_t * r)
{
  ACTION(GetResult_Request) request = {.goal_id = r->goal_id};
  int64_t sequence;
  OK(rcl_send_request(&results, &request, &sequence));
  return sequence;
}

// waits while the robot moves; what is not answered in a second is asked again
static void
result_of(const request_t * r, int8_t status, int32_t code, const char * text)
{
  ACTION(GetResult_Response) response;
  assert_true(ACTION(GetResult_Response__init)(&response));
  rcl_ret_t ret = RCL_RET_CLIENT_TAKE_FAILED;
  for (int n = 0; n < RESENDS && ret != RCL_RET_OK; n++) {
    const int64_t asked = ask(r), end = now_ns() + 2 * INT64_C(1000000000);
    while (ret != RCL_RET_OK && now_ns() < end) {
      rmw_request_id_t id;
      live(2);
      ret = rcl_take_response(&results, &id, &response);
      if (ret == RCL_RET_OK && id.sequence_number != asked) ret = RCL_RET_CLIENT_TAKE_FAILED;
      rcl_reset_error();
    }
  }
  assert_int_equal(ret, RCL_RET_OK);
  const char * said = response.result.error_string.data;
  if (response.status != status || response.result.error_code != code || !strstr(said, text)) {
    fail_msg(
      "status %d, code %d, '%s' in place of %d, %d, '%s'", response.status,
      (int)response.result.error_code, said, status, (int)code, text);
  }
  print_message("[  result  ] %d %d %s\n", status, (int)code, said);
  ACTION(GetResult_Response__fini)(&response);
}

static int8_t
status_of(const request_t * r)
{
  for (size_t i = 0; i < goals.status_list.size; i++) {
    const action_msgs__msg__GoalStatus * s = &goals.status_list.data[i];
    if (memcmp(s->goal_info.goal_id.uuid, r->goal_id.uuid, 16) == 0) return s->status;
  }
  return STATUS(UNKNOWN);
}

static int8_t
cancel(const uint8_t * id)
{
  action_msgs__srv__CancelGoal_Request request = {0};
  action_msgs__srv__CancelGoal_Response response;
  assert_true(action_msgs__srv__CancelGoal_Response__init(&response));
  if (id) memcpy(request.goal_info.goal_id.uuid, id, 16);
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(action_msgs, srv, CancelGoal), NAME "cancel_goal", &request,
    &response);
  const int8_t code = response.return_code;
  if (code == 0) assert_int_equal(response.goals_canceling.size, 1);
  action_msgs__srv__CancelGoal_Response__fini(&response);
  return code;
}

//---------- tests ----------

static void
reaches_its_goal(void ** state)
{
  (void)state;
  request_t r;
  place();
  make(&r, 0.3, 0.8);
  const uint64_t before = feedbacks->count;
  send(&r);
  live(400);
  assert_int_equal(status_of(&r), STATUS(EXECUTING));
  assert_true(feedbacks->count >= before + 4);
  assert_memory_equal(feedback.goal_id.uuid, r.goal_id.uuid, 16);
  const ACTION(Feedback) * f = &feedback.feedback;
  assert_string_equal(f->joint_names.data[1].data, "joint1");
  assert_true(fabs(f->error.positions.data[0]) < 0.05);
  const double way = (f->desired.positions.data[0] - STATES[0][0][3]) / 0.3;
  const double time = 1e-9 * f->desired.time_from_start.nanosec / 0.8;
  // the quintic, at the time that the feedback has
  assert_true(fabs(way - time * time * time * (10 + time * (6 * time - 15))) < 0.02);
  result_of(&r, STATUS(SUCCEEDED), RESULT(SUCCESSFUL), "goal reached");
  assert_true(
    fabs(q[3] - STATES[0][0][3] - 0.3) < 0.02 && fabs(q[0] - STATES[0][0][0] + 0.3) < 0.02);
  assert_int_equal(status_of(&r), STATUS(SUCCEEDED));
  // who asks late is told as well; of what never was there is nothing
  result_of(&r, STATUS(SUCCEEDED), RESULT(SUCCESSFUL), "goal reached");
  assert_int_equal(cancel(r.goal_id.uuid), 3);
  r.goal_id.uuid[3] = 1;
  result_of(&r, STATUS(UNKNOWN), RESULT(INVALID_GOAL), "no such goal");
  assert_int_equal(cancel(r.goal_id.uuid), 2);
  ACTION(SendGoal_Request__fini)(&r);
}

static void
refuse(request_t * r, int32_t code, const char * cause)
{
  send(r);
  result_of(r, STATUS(ABORTED), code, cause);
  ACTION(SendGoal_Request__fini)(r);
}

// each with its cause; a goal that runs is not disturbed
static void
says_why_not(void ** state)
{
  (void)state;
  request_t r, good;
  place();
  make(&good, 0.2, 2);
  send(&good);
  make(&r, 0.1, 1);
  rosidl_runtime_c__String__assign(&r.goal.trajectory.joint_names.data[1], "elbow");
  refuse(&r, RESULT(INVALID_JOINTS), "no moving joint 'elbow'");
  make(&r, 0.1, 1);
  rosidl_runtime_c__String__assign(&r.goal.trajectory.joint_names.data[1], "joint4");
  refuse(&r, RESULT(INVALID_JOINTS), "duplicate joint 'joint4'");
  make(&r, 0.1, 1);
  set_numbers(&r.goal.trajectory.points.data[0].positions, REST, 3);
  refuse(&r, RESULT(INVALID_GOAL), "point 0 does not have a value for each of 2 joints");
  make(&r, 0.1, 1);
  r.goal.trajectory.points.data[0].positions.data[1] = NAN;
  refuse(&r, RESULT(INVALID_GOAL), "position of 'joint1' is not finite");
  make(&r, 9, 1);
  refuse(&r, RESULT(INVALID_GOAL), "is outside its limits");
  make(&r, 0.6, 0);
  refuse(&r, RESULT(INVALID_GOAL), "max_reference_step");
  make(&r, 1, 0.01);
  refuse(&r, RESULT(INVALID_GOAL), "would have");
  make(&r, 0.1, 1);
  trajectory_msgs__msg__JointTrajectoryPoint__Sequence__fini(&r.goal.trajectory.points);
  refuse(&r, RESULT(INVALID_GOAL), "no points");
  make(&r, 0.1, 1);
  r.goal.trajectory.header.stamp.sec = 1000;
  refuse(&r, RESULT(OLD_HEADER_TIMESTAMP), "the trajectory ended");
  make(&r, 0.1, 1);
  tolerance(&r.goal.path_tolerance, "joint2", 1);
  refuse(
    &r, RESULT(INVALID_GOAL), "path_tolerance is of joint 'joint2', which the trajectory does");
  make(&r, 0.1, 1);
  tolerance(&r.goal.goal_tolerance, "joint1", INFINITY);
  refuse(&r, RESULT(INVALID_GOAL), "goal_tolerance of joint 'joint1' is not finite");
  make(&r, 0.1, 1);
  assert_true(trajectory_msgs__msg__MultiDOFJointTrajectoryPoint__Sequence__init(
    &r.goal.multi_dof_trajectory.points, 1));
  refuse(&r, RESULT(INVALID_GOAL), "several degrees of freedom");
  // two points, the second before the first
  make(&r, 0.1, 1);
  trajectory_t * t = &r.goal.trajectory;
  trajectory_msgs__msg__JointTrajectoryPoint__Sequence two;
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&two, 2));
  for (int i = 0; i < 2; i++) {
    set_numbers(&two.data[i].positions, t->points.data[0].positions.data, 2);
    two.data[i].time_from_start.sec = 2 - i;
  }
  trajectory_msgs__msg__JointTrajectoryPoint__Sequence__fini(&t->points);
  t->points = two;
  refuse(&r, RESULT(INVALID_GOAL), "is not after");
  assert_int_equal(status_of(&good), STATUS(EXECUTING));
  result_of(&good, STATUS(SUCCEEDED), RESULT(SUCCESSFUL), "goal reached");
  ACTION(SendGoal_Request__fini)(&good);

  assert_string_equal(peer_set_string(&peer, "mode", "gravity_compensation"), "");
  make(&r, 0.1, 1);
  refuse(&r, RESULT(INVALID_GOAL), "mode gravity_compensation follows no trajectory");
  assert_string_equal(peer_set_string(&peer, "mode", "computed_torque"), "");
}

static void
tolerances_are_kept(void ** state)
{
  (void)state;
  request_t r;
  place();
  make(&r, 0.3, 0.6);
  tolerance(&r.goal.path_tolerance, "joint1", 0.1);
  stuck = true;
  send(&r);
  result_of(
    &r, STATUS(ABORTED), RESULT(PATH_TOLERANCE_VIOLATED), "joint 'joint1': position was away");
  ACTION(SendGoal_Request__fini)(&r);

  place();
  make(&r, 0.3, 0.3);
  stuck = true;
  send(&r);
  result_of(&r, STATUS(ABORTED), RESULT(GOAL_TOLERANCE_VIOLATED), "is away from its goal by 0.3");
  ACTION(SendGoal_Request__fini)(&r);
  // any distance is good enough
  place();
  make(&r, 0.3, 0.3);
  assert_true(control_msgs__msg__JointTolerance__Sequence__init(&r.goal.goal_tolerance, 2));
  for (int j = 0; j < 2; j++) {
    control_msgs__msg__JointTolerance * to = &r.goal.goal_tolerance.data[j];
    rosidl_runtime_c__String__assign(&to->name, r.goal.trajectory.joint_names.data[j].data);
    to->position = -1;
  }
  stuck = true;
  send(&r);
  result_of(&r, STATUS(SUCCEEDED), RESULT(SUCCESSFUL), "");
  ACTION(SendGoal_Request__fini)(&r);
  stuck = false;
}

// canceled at its fastest: the joints slow down as gently as stop_jerk says
static void
cancel_is_gentle(void ** state)
{
  (void)state;
  request_t r;
  place();
  make(&r, 0.8, 2);
  send(&r);
  live(1000);
  const double fast = v[3];
  assert_true(fast > 0.6);
  const int64_t begin = now_ns();
  assert_int_equal(cancel(NULL), 0);
  // accelerations at times, to be compared over 0.1 s: the plant samples at what the machine allows
  enum { SAMPLES = 4000 };
  static double time[SAMPLES], a[SAMPLES];
  int n = 0;
  double most = 0, jerk = 0;
  while (n < SAMPLES && now_ns() < begin + INT64_C(2000000000)) {
    live(1);
    time[n] = 1e-9 * (double)(now_ns() - begin);
    a[n] = acceleration[3];
    most = fmax(most, fabs(a[n]));
    for (int i = n; i >= 0; i--) {
      if (time[n] - time[i] < 0.1) continue;
      jerk = fmax(jerk, fabs(a[n] - a[i]) / (time[n] - time[i]));
      break;
    }
    n++;
  }
  print_message("[  cancel  ] at %.2f rad/s: acceleration %.2f, jerk %.2f\n", fast, most, jerk);
  result_of(&r, STATUS(CANCELED), RESULT(SUCCESSFUL), "canceled");
  // v = 0.75, J = 5: T = sqrt(6 v / J) = 0.95 s, peak 1.5 v / T = 1.2; a step would be kd v = 15 and more
  assert_true(most < 3 && jerk < 3 * 5);
  assert_true(fabs(v[3]) < 0.02);
  const double way = q[3] - STATES[0][0][3];
  assert_true(way > 0.6 && way < 0.9);
  assert_int_equal(status_of(&r), STATUS(CANCELED));
  ACTION(SendGoal_Request__fini)(&r);
}

static void
another_goal_preempts(void ** state)
{
  (void)state;
  request_t first, second;
  place();
  make(&first, 0.3, 1.5);
  send(&first);
  live(500);
  make(&second, -0.1, 0.8);
  send(&second);
  result_of(&first, STATUS(ABORTED), RESULT(INVALID_GOAL), "preempted by another goal");
  assert_int_equal(status_of(&second), STATUS(EXECUTING));
  result_of(&second, STATUS(SUCCEEDED), RESULT(SUCCESSFUL), "goal reached");
  assert_true(fabs(q[3] - STATES[0][0][3] + 0.1) < 0.02);
  ACTION(SendGoal_Request__fini)(&first);
  ACTION(SendGoal_Request__fini)(&second);
}

// whatever else ends a trajectory
static void
goals_that_are_lost(void ** state)
{
  (void)state;
  request_t r;
  place();
  make(&r, 0.3, 1.5);
  send(&r);
  live(300);
  peer_listen_for(&peer, 500);
  result_of(&r, STATUS(ABORTED), RESULT(INVALID_GOAL), "no joint state for");
  ACTION(SendGoal_Request__fini)(&r);

  place();
  make(&r, 0.3, 1.5);
  send(&r);
  live(300);
  assert_string_equal(peer_set_string(&peer, "mode", "passive"), "");
  result_of(&r, STATUS(ABORTED), RESULT(INVALID_GOAL), "the mode");
  assert_string_equal(peer_set_string(&peer, "mode", "computed_torque"), "");
  ACTION(SendGoal_Request__fini)(&r);

  place();
  make(&r, 0.3, 1.5);
  send(&r);
  live(300);
  assert_true(peer_change_state(&peer, "deactivate"));
  result_of(&r, STATUS(ABORTED), RESULT(INVALID_GOAL), "deactivated");
  ACTION(SendGoal_Request__fini)(&r);
  make(&r, 0.3, 1.5);
  refuse(&r, RESULT(INVALID_GOAL), "the node is not active");
  assert_true(peer_change_state(&peer, "activate"));
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reaches_its_goal),      cmocka_unit_test(says_why_not),
    cmocka_unit_test(tolerances_are_kept),   cmocka_unit_test(cancel_is_gentle),
    cmocka_unit_test(another_goal_preempts), cmocka_unit_test(goals_that_are_lost)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
