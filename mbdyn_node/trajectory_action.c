// The action FollowJointTrajectory: goals from MoveIt or `ros2 action send_goal`, on the path that
// ~/joint_trajectory takes. An action is three services and two topics; they are served here as such, since
// rclc's action server publishes no status, forgets a goal with its end (a result that is asked for later is
// never answered) and answers one client per goal. get_result is not in the executor, as that answers each
// request at once: it is taken, and answered, at every tick.
//
// A goal that cannot be followed is accepted and aborted at once, as a refusal cannot say why.
#include "node_internal.h"

#ifndef MBDYN_CONTROL_MSGS

bool
trajectory_action_init(mbdyn_node_t * node)
{
  (void)node;
  return true;
}

bool
trajectory_action_add(mbdyn_node_t * node)
{
  (void)node;
  return true;
}

void
trajectory_action_tick(mbdyn_node_t * node)
{
  (void)node;
}

void
trajectory_action_abort(mbdyn_node_t * node, const char * why)
{
  (void)node;
  (void)why;
}

void
trajectory_action_fini(mbdyn_node_t * node)
{
  (void)node;
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action_msgs/msg/goal_info.h"
#include "action_msgs/msg/goal_status.h"
#include "action_msgs/msg/goal_status_array.h"
#include "action_msgs/srv/cancel_goal.h"
#include "node_answers.h"
#include "trajectory_goal.h"

#define ACTION(name) control_msgs__action__FollowJointTrajectory_##name
#define RESULT(name) control_msgs__action__FollowJointTrajectory_Result__##name
#define STATUS(name) action_msgs__msg__GoalStatus__STATUS_##name
#define CANCEL(name) action_msgs__srv__CancelGoal_Response__ERROR_##name
#define SERVICE(name) \
  ROSIDL_GET_SRV_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_##name)

enum { GOALS = 16, WAITING = 4, ID = 16, NAME = 512 };
enum { SEND, CANCEL_SERVICE, GET, SERVICES };

// results are kept as long as rcl_action keeps them
static const int64_t RESULT_TIMEOUT = INT64_C(900000000000);  // [ns]

typedef struct record {
  bool used;
  action_msgs__msg__GoalInfo info;
  int64_t ended;                 // steady clock; 0: not yet
  trajectory_verdict_t verdict;  // its status is that of the goal also before the end
  int nwaiting;
  rmw_request_id_t waiting[WAITING];  // for the result
} record_t;

struct trajectory_action {
  rcl_service_t service[SERVICES];
  rcl_publisher_t feedback_publisher, status_publisher;
  bool service_open[SERVICES], feedback_open, status_open;
  ACTION(SendGoal_Request) send_request;
  ACTION(SendGoal_Response) send_response;
  action_msgs__srv__CancelGoal_Request cancel_request;
  action_msgs__srv__CancelGoal_Response cancel_response;
  ACTION(GetResult_Request) get_request;
  ACTION(GetResult_Response) get_response;
  ACTION(FeedbackMessage) feedback;
  action_msgs__msg__GoalStatusArray status;
  record_t record[GOALS];
  record_t * running;  // or NULL; then:
  trajectory_goal_t goal;
  bool
    announce;  // publish the status again: rclcpp drops what comes before the answer that accepts a goal
};

//---------- goals ----------

static bool
is_final(const record_t * r)
{
  return r->verdict.status >= STATUS(SUCCEEDED);
}

static record_t *
find_record(trajectory_action_t * a, const unique_identifier_msgs__msg__UUID * id)
{
  for (int i = 0; i < GOALS; i++) {
    record_t * r = &a->record[i];
    if (r->used && memcmp(r->info.goal_id.uuid, id->uuid, ID) == 0) return r;
  }
  return NULL;
}

// an unused one, or that of the goal that ended first; one goal at most runs
static record_t *
new_record(trajectory_action_t * a)
{
  record_t * oldest = NULL;
  for (int i = 0; i < GOALS; i++) {
    record_t * r = &a->record[i];
    if (!r->used) return r;
    if (r != a->running && (!oldest || r->ended < oldest->ended)) oldest = r;
  }
  return oldest;
}

static void
publish_status(trajectory_action_t * a)
{
  size_t n = 0;
  for (int i = 0; i < GOALS; i++) {
    if (!a->record[i].used) continue;
    a->status.status_list.data[n].goal_info = a->record[i].info;
    a->status.status_list.data[n++].status = a->record[i].verdict.status;
  }
  a->status.status_list.size = n;
  if (rcl_publish(&a->status_publisher, &a->status, NULL) != RCL_RET_OK) rcl_reset_error();
}

//---------- results ----------

// \param[in] r  NULL: of a goal that is not known
static void
send_result(trajectory_action_t * a, const record_t * r, rmw_request_id_t * to)
{
  ACTION(GetResult_Response) * response = &a->get_response;
  response->status = r ? r->verdict.status : STATUS(UNKNOWN);
  response->result.error_code = r ? r->verdict.code : RESULT(INVALID_GOAL);
  assign_message(&response->result.error_string, r ? r->verdict.text : "no such goal");
  if (rcl_send_response(&a->service[GET], to, response) != RCL_RET_OK) rcl_reset_error();
}

static void
take_result_requests(trajectory_action_t * a)
{
  rmw_request_id_t id;
  while (rcl_take_request(&a->service[GET], &id, &a->get_request) == RCL_RET_OK) {
    record_t * r = find_record(a, &a->get_request.goal_id);
    if (r && !is_final(r) && r->nwaiting < WAITING)
      r->waiting[r->nwaiting++] = id;
    else
      send_result(a, r, &id);
  }
  rcl_reset_error();
}

static void
finish(mbdyn_node_t * node, record_t * r)
{
  trajectory_action_t * a = node->action;
  char text[2 * REASON_MAX];
  text_printable(r->verdict.text, text, sizeof text);
  r->ended = steady_now();
  if (r == a->running) {
    a->running = NULL;
    trajectory_goal_clear(&a->goal);
  }
  if (r->verdict.status == STATUS(ABORTED)) {
    NODE_LOG(node->node, ERROR, "goal aborted (%d): %s", (int)r->verdict.code, text);
  } else {
    NODE_LOG(node->node, INFO, "%s", text);
  }
  publish_status(a);
  take_result_requests(a);
  for (int i = 0; i < r->nwaiting; i++) send_result(a, r, &r->waiting[i]);
  r->nwaiting = 0;
}

//---------- requests ----------

void
trajectory_action_abort(mbdyn_node_t * node, const char * why)
{
  record_t * r = node->action ? node->action->running : NULL;
  if (!r) return;
  r->verdict.status = STATUS(ABORTED);
  r->verdict.code = RESULT(INVALID_GOAL);
  snprintf(r->verdict.text, sizeof r->verdict.text, "%s", why);
  finish(node, r);
}

static void
accept_goal(mbdyn_node_t * node, const ACTION(SendGoal_Request) * request)
{
  trajectory_action_t * a = node->action;
  const trajectory_msgs__msg__JointTrajectory * t = &request->goal.trajectory;
  record_t * r = new_record(a);
  const int64_t now = ros_clock_now(&node->clock);
  *r = (record_t){.used = true, .info.goal_id = request->goal_id};
  r->info.stamp.sec = (int32_t)(now / 1000000000);
  r->info.stamp.nanosec = (uint32_t)(now % 1000000000);
  a->send_response.stamp = r->info.stamp;
  trajectory_goal_t goal = {0};
  trajectory_verdict_t * v = &r->verdict;
  v->code = trajectory_goal_start(node, &request->goal, &goal, v->text, sizeof v->text);
  if (v->code != RESULT(SUCCESSFUL)) {
    v->status = STATUS(ABORTED);
    finish(node, r);
    return;
  }
  trajectory_action_abort(node, "preempted by another goal");
  v->status = STATUS(EXECUTING);
  a->running = r;
  a->goal = goal;
  a->announce = true;
  publish_status(a);
  NODE_LOG(
    node->node, INFO, "goal of %zu points, %.3f s, for %zu joints", t->points.size, goal.duration,
    t->joint_names.size);
}

static void
on_send(const void * request_, void * response_, void * context)
{
  mbdyn_node_t * node = context;
  ACTION(SendGoal_Request) * request = &node->action->send_request;
  ACTION(SendGoal_Response) * response = response_;
  (void)request_;
  response->accepted = true;
  // a request that was sent again has the answer of the first
  const record_t * known = find_record(node->action, &request->goal_id);
  if (known)
    response->stamp = known->info.stamp;
  else
    accept_goal(node, request);
  // rmw reads the next one over this one: its memory goes here
  ACTION(SendGoal_Request__fini)(request);
  memset(request, 0, sizeof *request);
  ACTION(SendGoal_Request__init)(request);
}

static bool
is_zero(const action_msgs__msg__GoalInfo * info, bool stamp)
{
  static const uint8_t none[ID];
  if (stamp) return info->stamp.sec == 0 && info->stamp.nanosec == 0;
  return memcmp(info->goal_id.uuid, none, ID) == 0;
}

// the goal of that id, all accepted up to a time, or all
static bool
is_asked(const action_msgs__msg__GoalInfo * asked, const action_msgs__msg__GoalInfo * info)
{
  const bool any = is_zero(asked, false), ever = is_zero(asked, true);
  if (!any && memcmp(asked->goal_id.uuid, info->goal_id.uuid, ID) == 0) return true;
  if (ever) return any;
  return info->stamp.sec != asked->stamp.sec ? info->stamp.sec < asked->stamp.sec
                                             : info->stamp.nanosec <= asked->stamp.nanosec;
}

static void
on_cancel(const void * request_, void * response_, void * context)
{
  mbdyn_node_t * node = context;
  trajectory_action_t * a = node->action;
  const action_msgs__srv__CancelGoal_Request * request = request_;
  action_msgs__srv__CancelGoal_Response * response = response_;
  const action_msgs__msg__GoalInfo * asked = &request->goal_info;
  action_msgs__msg__GoalInfo__Sequence__fini(&response->goals_canceling);
  response->return_code = CANCEL(NONE);
  if (a->running && is_asked(asked, &a->running->info)) {
    if (action_msgs__msg__GoalInfo__Sequence__init(&response->goals_canceling, 1)) {
      response->goals_canceling.data[0] = a->running->info;
    }
    a->running->verdict.status = STATUS(CANCELING);
    trajectory_goal_cancel(node, &a->goal);
    publish_status(a);
  } else if (!is_zero(asked, false)) {
    response->return_code =
      find_record(a, &asked->goal_id) ? CANCEL(GOAL_TERMINATED) : CANCEL(UNKNOWN_GOAL_ID);
  }
}

//---------- now and then ----------

static void
publish_feedback(mbdyn_node_t * node)
{
  trajectory_action_t * a = node->action;
  if (!trajectory_goal_feedback(node, &a->goal)) return;
  a->feedback.goal_id = a->running->info.goal_id;
  // its sequences stay the goal's
  a->feedback.feedback = a->goal.feedback;
  if (rcl_publish(&a->feedback_publisher, &a->feedback, NULL) != RCL_RET_OK) rcl_reset_error();
  memset(&a->feedback, 0, sizeof a->feedback);
}

static void
forget_old(trajectory_action_t * a)
{
  const int64_t now = steady_now();
  bool any = false;
  for (int i = 0; i < GOALS; i++) {
    record_t * r = &a->record[i];
    if (!r->used || !is_final(r) || now - r->ended < RESULT_TIMEOUT) continue;
    r->used = false;
    any = true;
  }
  if (any) publish_status(a);
}

void
trajectory_action_tick(mbdyn_node_t * node)
{
  trajectory_action_t * a = node->action;
  if (!a) return;
  take_result_requests(a);
  if (a->announce) publish_status(a);
  a->announce = false;
  if (a->running) {
    trajectory_verdict_t verdict;
    publish_feedback(node);
    if (trajectory_goal_watch(node, &a->goal, &verdict)) {
      a->running->verdict = verdict;
      finish(node, a->running);
    }
  }
  forget_old(a);
}

//---------- life ----------

static bool
init_messages(trajectory_action_t * a)
{
  return ACTION(SendGoal_Request__init)(&a->send_request) &&
         ACTION(SendGoal_Response__init)(&a->send_response) &&
         action_msgs__srv__CancelGoal_Request__init(&a->cancel_request) &&
         action_msgs__srv__CancelGoal_Response__init(&a->cancel_response) &&
         ACTION(GetResult_Request__init)(&a->get_request) &&
         ACTION(GetResult_Response__init)(&a->get_response) &&
         action_msgs__msg__GoalStatusArray__init(&a->status) &&
         action_msgs__msg__GoalStatus__Sequence__init(&a->status.status_list, GOALS);
}

static bool
init_service(
  mbdyn_node_t * node, int index, const rosidl_service_type_support_t * type, const char * action,
  const char * part)
{
  char name[NAME];
  rcl_service_t * service = &node->action->service[index];
  *service = rcl_get_zero_initialized_service();
  snprintf(name, sizeof name, "%s/_action/%s", action, part);
  node->action->service_open[index] =
    rclc_service_init_default(service, node->node, type, name) == RCL_RET_OK;
  return node->action->service_open[index];
}

static bool
init_topics(mbdyn_node_t * node, const char * action)
{
  trajectory_action_t * a = node->action;
  char name[NAME];
  rmw_qos_profile_t latched = rmw_qos_profile_default;
  latched.depth = 1;
  latched.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  a->feedback_publisher = rcl_get_zero_initialized_publisher();
  a->status_publisher = rcl_get_zero_initialized_publisher();
  snprintf(name, sizeof name, "%s/_action/feedback", action);
  a->feedback_open =
    rclc_publisher_init_default(
      &a->feedback_publisher, node->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(control_msgs, action, FollowJointTrajectory_FeedbackMessage),
      name) == RCL_RET_OK;
  if (!a->feedback_open) return false;
  snprintf(name, sizeof name, "%s/_action/status", action);
  a->status_open =
    rclc_publisher_init(
      &a->status_publisher, node->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(action_msgs, msg, GoalStatusArray), name, &latched) == RCL_RET_OK;
  return a->status_open;
}

bool
trajectory_action_init(mbdyn_node_t * node)
{
  if (!param_bool(node_values(node), P_ACTION_ENABLED)) return true;
  node->action = calloc(1, sizeof *node->action);
  if (!node->action || !init_messages(node->action)) return false;
  // the action is remapped, not its parts
  char * name = NULL;
  const rcl_ret_t ret = rcl_node_resolve_name(
    node->node, "~/follow_joint_trajectory", rcl_get_default_allocator(), true, false, &name);
  if (ret != RCL_RET_OK) return false;
  const rosidl_service_type_support_t * cancel =
    ROSIDL_GET_SRV_TYPE_SUPPORT(action_msgs, srv, CancelGoal);
  const bool good = init_service(node, SEND, SERVICE(SendGoal), name, "send_goal") &&
                    init_service(node, CANCEL_SERVICE, cancel, name, "cancel_goal") &&
                    init_service(node, GET, SERVICE(GetResult), name, "get_result") &&
                    init_topics(node, name);
  rcl_get_default_allocator().deallocate(name, rcl_get_default_allocator().state);
  if (good) publish_status(node->action);
  return good;
}

bool
trajectory_action_add(mbdyn_node_t * node)
{
  trajectory_action_t * a = node->action;
  if (!a) return true;
  return rclc_executor_add_service_with_context(
           &node->executor, &a->service[SEND], &a->send_request, &a->send_response, on_send,
           node) == RCL_RET_OK &&
         rclc_executor_add_service_with_context(
           &node->executor, &a->service[CANCEL_SERVICE], &a->cancel_request, &a->cancel_response,
           on_cancel, node) == RCL_RET_OK;
}

void
trajectory_action_fini(mbdyn_node_t * node)
{
  trajectory_action_t * a = node->action;
  if (!a) return;
  for (int i = 0; i < SERVICES; i++) {
    if (a->service_open[i] && rcl_service_fini(&a->service[i], node->node) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  if (a->feedback_open && rcl_publisher_fini(&a->feedback_publisher, node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  if (a->status_open && rcl_publisher_fini(&a->status_publisher, node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  trajectory_goal_clear(&a->goal);
  ACTION(SendGoal_Request__fini)(&a->send_request);
  ACTION(SendGoal_Response__fini)(&a->send_response);
  action_msgs__srv__CancelGoal_Request__fini(&a->cancel_request);
  action_msgs__srv__CancelGoal_Response__fini(&a->cancel_response);
  ACTION(GetResult_Request__fini)(&a->get_request);
  ACTION(GetResult_Response__fini)(&a->get_response);
  action_msgs__msg__GoalStatusArray__fini(&a->status);
  free(a);
  node->action = NULL;
}

#endif  // MBDYN_CONTROL_MSGS
