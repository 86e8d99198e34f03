// An action is three services and two topics with types of their own: names and types as ROS 2 has them,
// and one goal from a client to a server in another process.
#include <string.h>

#include "action_msgs/msg/goal_info.h"
#include "action_msgs/msg/goal_status.h"
#include "action_msgs/msg/goal_status_array.h"
#include "action_msgs/srv/cancel_goal.h"
#include "control_msgs/action/follow_joint_trajectory.h"
#include "control_msgs/msg/joint_tolerance.h"
#include "rcl/graph.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "support.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"

#define ACTION(name) control_msgs__action__FollowJointTrajectory_##name
#define SEND_GOAL    ROSIDL_GET_SRV_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_SendGoal)
#define GET_RESULT \
  ROSIDL_GET_SRV_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_GetResult)
#define CANCEL_GOAL ROSIDL_GET_SRV_TYPE_SUPPORT(action_msgs, srv, CancelGoal)
#define STATUS      ROSIDL_GET_MSG_TYPE_SUPPORT(action_msgs, msg, GoalStatusArray)
#define FEEDBACK \
  ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_FeedbackMessage)

enum { FEEDBACKS = 3, PATIENCE = 10000 };

static const rmw_qos_profile_t LATCHED = {
  .history = RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  .depth = 1,
  .reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  .durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL};

//---------- the server's process ----------

typedef struct {
  session_t session;
  rcl_service_t send, result, cancel;
  rcl_publisher_t feedback, status;
  uint8_t id[16];
} server_t;

static void
server_open(server_t * s)
{
  session_open(&s->session, "server", NULL);
  rcl_node_t * node = &s->session.node;
  OK(rclc_service_init_default(&s->send, node, SEND_GOAL, "~/follow/_action/send_goal"));
  OK(rclc_service_init_default(&s->cancel, node, CANCEL_GOAL, "~/follow/_action/cancel_goal"));
  OK(rclc_service_init_default(&s->result, node, GET_RESULT, "~/follow/_action/get_result"));
  OK(rclc_publisher_init_default(&s->feedback, node, FEEDBACK, "~/follow/_action/feedback"));
  OK(rclc_publisher_init(&s->status, node, STATUS, "~/follow/_action/status", &LATCHED));
}

static void
server_close(server_t * s)
{
  rcl_node_t * node = &s->session.node;
  OK(rcl_publisher_fini(&s->status, node));
  OK(rcl_publisher_fini(&s->feedback, node));
  OK(rcl_service_fini(&s->result, node));
  OK(rcl_service_fini(&s->cancel, node));
  OK(rcl_service_fini(&s->send, node));
  session_close(&s->session);
}

static void
take(const rcl_service_t * service, rmw_request_id_t * id, void * request)
{
  const int64_t end = now_ns() + RCL_MS_TO_NS((int64_t)PATIENCE);
  rcl_ret_t ret = RCL_RET_SERVICE_TAKE_FAILED;
  while (ret == RCL_RET_SERVICE_TAKE_FAILED && now_ns() < end) {
    ret = rcl_take_request(service, id, request);
    rcl_reset_error();
    sleep_ms(1);
  }
  assert_int_equal(ret, RCL_RET_OK);
}

static void
server_publish(const server_t * s)
{
  action_msgs__msg__GoalStatusArray status;
  assert_true(action_msgs__msg__GoalStatusArray__init(&status));
  assert_true(action_msgs__msg__GoalStatus__Sequence__init(&status.status_list, 1));
  memcpy(status.status_list.data[0].goal_info.goal_id.uuid, s->id, sizeof s->id);
  status.status_list.data[0].status = action_msgs__msg__GoalStatus__STATUS_EXECUTING;
  OK(rcl_publish(&s->status, &status, NULL));
  action_msgs__msg__GoalStatusArray__fini(&status);

  ACTION(FeedbackMessage) feedback;
  assert_true(ACTION(FeedbackMessage__init)(&feedback));
  memcpy(feedback.goal_id.uuid, s->id, sizeof s->id);
  assert_true(rosidl_runtime_c__double__Sequence__init(&feedback.feedback.error.positions, 1));
  for (int i = 0; i < FEEDBACKS; i++) {
    feedback.feedback.error.positions.data[0] = 0.5 * i;
    OK(rcl_publish(&s->feedback, &feedback, NULL));
  }
  ACTION(FeedbackMessage__fini)(&feedback);
}

// one goal: accepted if its trajectory came whole; its result is answered long after the request
static int
role_server(void)
{
  static server_t s;
  rmw_request_id_t id, asked;
  server_open(&s);
  ACTION(SendGoal_Request) goal;
  ACTION(SendGoal_Response) accepted;
  assert_true(ACTION(SendGoal_Request__init)(&goal) && ACTION(SendGoal_Response__init)(&accepted));
  take(&s.send, &id, &goal);
  memcpy(s.id, goal.goal_id.uuid, sizeof s.id);
  accepted.accepted =
    goal.goal.trajectory.points.size == 1 &&
    goal.goal.trajectory.points.data[0].positions.data[0] == 0.25 &&
    goal.goal.path_tolerance.size == 1 && goal.goal.path_tolerance.data[0].velocity == -1 &&
    goal.goal.multi_dof_trajectory.points.size == 0 && goal.goal.goal_time_tolerance.sec == 2;
  OK(rcl_send_response(&s.send, &id, &accepted));

  ACTION(GetResult_Request) wanted;
  ACTION(GetResult_Response) result;
  assert_true(
    ACTION(GetResult_Request__init)(&wanted) && ACTION(GetResult_Response__init)(&result));
  take(&s.result, &asked, &wanted);
  assert_memory_equal(wanted.goal_id.uuid, s.id, sizeof s.id);
  server_publish(&s);

  action_msgs__srv__CancelGoal_Request stop;
  action_msgs__srv__CancelGoal_Response stopped;
  assert_true(action_msgs__srv__CancelGoal_Request__init(&stop));
  assert_true(action_msgs__srv__CancelGoal_Response__init(&stopped));
  take(&s.cancel, &id, &stop);
  stopped.return_code = action_msgs__srv__CancelGoal_Response__ERROR_NONE;
  assert_true(action_msgs__msg__GoalInfo__Sequence__init(&stopped.goals_canceling, 1));
  stopped.goals_canceling.data[0] = stop.goal_info;
  OK(rcl_send_response(&s.cancel, &id, &stopped));
  result.status = action_msgs__msg__GoalStatus__STATUS_CANCELED;
  result.result.error_code = ACTION(Result__INVALID_GOAL);
  assert_true(rosidl_runtime_c__String__assign(&result.result.error_string, "canceled at 0.2 s"));
  OK(rcl_send_response(&s.result, &asked, &result));
  sleep_ms(200);

  action_msgs__srv__CancelGoal_Request__fini(&stop);
  action_msgs__srv__CancelGoal_Response__fini(&stopped);
  ACTION(GetResult_Request__fini)(&wanted);
  ACTION(GetResult_Response__fini)(&result);
  ACTION(SendGoal_Request__fini)(&goal);
  ACTION(SendGoal_Response__fini)(&accepted);
  server_close(&s);
  return 0;
}

//---------- the client ----------

typedef struct {
  session_t session;
  rcl_client_t client;
} asker_t;

static bool
is_available(void * arg)
{
  asker_t * asker = arg;
  bool available = false;
  OK(rcl_service_server_is_available(&asker->session.node, &asker->client, &available));
  return available;
}

static void
asker_open(
  asker_t * asker, const char * node, const rosidl_service_type_support_t * type, const char * name)
{
  session_open(&asker->session, node, NULL);
  OK(rclc_client_init_default(&asker->client, &asker->session.node, type, name));
  assert_true(wait_until(is_available, asker, PATIENCE));
  // the server must have found us as well
  sleep_ms(100);
}

static void
asker_close(asker_t * asker)
{
  OK(rcl_client_fini(&asker->client, &asker->session.node));
  session_close(&asker->session);
}

static bool
answered(asker_t * asker, int64_t sequence, void * response, int milliseconds)
{
  const int64_t end = now_ns() + RCL_MS_TO_NS((int64_t)milliseconds);
  rmw_request_id_t id;
  while (now_ns() < end) {
    const rcl_ret_t ret = rcl_take_response(&asker->client, &id, response);
    rcl_reset_error();
    if (ret == RCL_RET_OK) return id.sequence_number == sequence;
    sleep_ms(1);
  }
  return false;
}

static bool
has_type(const rcl_names_and_types_t * list, const char * name, const char * type)
{
  for (size_t i = 0; i < list->names.size; i++) {
    if (strcmp(list->names.data[i], name) == 0) return strcmp(list->types[i].data[0], type) == 0;
  }
  return false;
}

// as `ros2 service list -t --include-hidden-services` and `ros2 topic list` would show them
static void
check_names(session_t * session)
{
  rcl_names_and_types_t list = rcl_get_zero_initialized_names_and_types();
  OK(rcl_get_service_names_and_types(&session->node, &session->allocator, &list));
  const char * type = "control_msgs/action/FollowJointTrajectory_SendGoal";
  assert_true(has_type(&list, "/server/follow/_action/send_goal", type));
  type = "control_msgs/action/FollowJointTrajectory_GetResult";
  assert_true(has_type(&list, "/server/follow/_action/get_result", type));
  type = "action_msgs/srv/CancelGoal";
  assert_true(has_type(&list, "/server/follow/_action/cancel_goal", type));
  OK(rcl_names_and_types_fini(&list));
  OK(rcl_get_topic_names_and_types(&session->node, &session->allocator, false, &list));
  type = "control_msgs/action/FollowJointTrajectory_FeedbackMessage";
  assert_true(has_type(&list, "/server/follow/_action/feedback", type));
  assert_true(has_type(&list, "/server/follow/_action/status", "action_msgs/msg/GoalStatusArray"));
  OK(rcl_names_and_types_fini(&list));
}

static void
fill_goal(ACTION(SendGoal_Request) * goal)
{
  assert_true(ACTION(SendGoal_Request__init)(goal));
  for (int i = 0; i < 16; i++) goal->goal_id.uuid[i] = (uint8_t)(i * 17);
  trajectory_msgs__msg__JointTrajectory * t = &goal->goal.trajectory;
  assert_true(rosidl_runtime_c__String__Sequence__init(&t->joint_names, 1));
  assert_true(rosidl_runtime_c__String__assign(&t->joint_names.data[0], "joint1"));
  assert_true(trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&t->points, 1));
  assert_true(rosidl_runtime_c__double__Sequence__init(&t->points.data[0].positions, 1));
  t->points.data[0].positions.data[0] = 0.25;
  assert_true(control_msgs__msg__JointTolerance__Sequence__init(&goal->goal.path_tolerance, 1));
  goal->goal.path_tolerance.data[0].velocity = -1;
  goal->goal.goal_time_tolerance.sec = 2;
}

// the status comes to who subscribes late, feedback to who was there
static void
check_topics(asker_t * asker, rcl_subscription_t * feedback, const uint8_t * id)
{
  rcl_node_t * node = &asker->session.node;
  rcl_subscription_t status;
  ACTION(FeedbackMessage) step;
  action_msgs__msg__GoalStatusArray goals;
  assert_true(ACTION(FeedbackMessage__init)(&step));
  assert_true(action_msgs__msg__GoalStatusArray__init(&goals));
  for (int i = 0; i < FEEDBACKS; i++) {
    rcl_ret_t ret = RCL_RET_SUBSCRIPTION_TAKE_FAILED;
    for (int ms = 0; ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED && ms < PATIENCE; ms++) {
      ret = rcl_take(feedback, &step, NULL, NULL);
      rcl_reset_error();
      sleep_ms(1);
    }
    assert_int_equal(ret, RCL_RET_OK);
    assert_memory_equal(step.goal_id.uuid, id, 16);
    assert_true(step.feedback.error.positions.data[0] == 0.5 * i);
  }
  OK(rclc_subscription_init(&status, node, STATUS, "/server/follow/_action/status", &LATCHED));
  rcl_ret_t ret = RCL_RET_SUBSCRIPTION_TAKE_FAILED;
  for (int ms = 0; ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED && ms < PATIENCE; ms++) {
    ret = rcl_take(&status, &goals, NULL, NULL);
    rcl_reset_error();
    sleep_ms(1);
  }
  assert_int_equal(ret, RCL_RET_OK);
  assert_int_equal(goals.status_list.size, 1);
  assert_memory_equal(goals.status_list.data[0].goal_info.goal_id.uuid, id, 16);
  assert_int_equal(
    goals.status_list.data[0].status, action_msgs__msg__GoalStatus__STATUS_EXECUTING);
  OK(rcl_subscription_fini(&status, node));
  ACTION(FeedbackMessage__fini)(&step);
  action_msgs__msg__GoalStatusArray__fini(&goals);
}

static void
goal_between_processes(void ** state)
{
  (void)state;
  const pid_t server = start_role("server");
  static asker_t send, result, cancel;
  asker_open(&send, "sender", SEND_GOAL, "/server/follow/_action/send_goal");
  asker_open(&result, "waiter", GET_RESULT, "/server/follow/_action/get_result");
  asker_open(&cancel, "canceler", CANCEL_GOAL, "/server/follow/_action/cancel_goal");
  check_names(&send.session);
  rcl_subscription_t feedback;
  OK(rclc_subscription_init_default(
    &feedback, &send.session.node, FEEDBACK, "/server/follow/_action/feedback"));
  sleep_ms(200);

  int64_t sequence;
  ACTION(SendGoal_Request) goal;
  ACTION(SendGoal_Response) accepted;
  fill_goal(&goal);
  assert_true(ACTION(SendGoal_Response__init)(&accepted));
  OK(rcl_send_request(&send.client, &goal, &sequence));
  assert_true(answered(&send, sequence, &accepted, PATIENCE));
  assert_true(accepted.accepted);

  int64_t pending;
  ACTION(GetResult_Request) wanted = {.goal_id = goal.goal_id};
  ACTION(GetResult_Response) end;
  assert_true(ACTION(GetResult_Response__init)(&end));
  OK(rcl_send_request(&result.client, &wanted, &pending));
  check_topics(&send, &feedback, goal.goal_id.uuid);
  assert_false(answered(&result, pending, &end, 20));

  action_msgs__srv__CancelGoal_Request stop = {.goal_info.goal_id = goal.goal_id};
  action_msgs__srv__CancelGoal_Response stopped;
  assert_true(action_msgs__srv__CancelGoal_Response__init(&stopped));
  OK(rcl_send_request(&cancel.client, &stop, &sequence));
  assert_true(answered(&cancel, sequence, &stopped, PATIENCE));
  assert_int_equal(stopped.goals_canceling.size, 1);
  assert_memory_equal(stopped.goals_canceling.data[0].goal_id.uuid, goal.goal_id.uuid, 16);

  assert_true(answered(&result, pending, &end, PATIENCE));
  assert_int_equal(end.status, action_msgs__msg__GoalStatus__STATUS_CANCELED);
  assert_int_equal(end.result.error_code, -1);
  assert_string_equal(end.result.error_string.data, "canceled at 0.2 s");
  assert_int_equal(exit_code(server), 0);

  action_msgs__srv__CancelGoal_Response__fini(&stopped);
  ACTION(GetResult_Response__fini)(&end);
  ACTION(SendGoal_Request__fini)(&goal);
  ACTION(SendGoal_Response__fini)(&accepted);
  OK(rcl_subscription_fini(&feedback, &send.session.node));
  asker_close(&cancel);
  asker_close(&result);
  asker_close(&send);
}

int
main(int argc, char ** argv)
{
  own_domain();
  if (role_of(argc, argv) != NULL) return role_server();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(goal_between_processes, process_kill_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
