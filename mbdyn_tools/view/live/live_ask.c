// Parameters of a robot's node that no topic carries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_internal.h"
#include "rcl/error_handling.h"
#include "regular_file.h"
#include "rosidl_runtime_c/string_functions.h"

enum { P_STRING = 4, P_DOUBLE = 3 };
enum { ASK_THRESHOLD, ASK_BASE, ASK_MODE, ASK_DESCRIPTION, ASK_FILE, ASK_ALL };

static const char * const NAME[ASK_ALL] = {
  "observer_threshold", "base", "mode", "robot_description", "robot_description_file"};

// later questions leave the description out: it is long, and topics tell when it changes
static bool
fill_request(live_question_t * q, bool whole)
{
  const size_t n = whole ? ASK_ALL : ASK_DESCRIPTION;
  rcl_interfaces__srv__GetParameters_Request__fini(&q->request);
  if (!rcl_interfaces__srv__GetParameters_Request__init(&q->request)) return false;
  if (!rosidl_runtime_c__String__Sequence__init(&q->request.names, n)) return false;
  for (size_t i = 0; i < n; i++) {
    if (!rosidl_runtime_c__String__assign(&q->request.names.data[i], NAME[i])) return false;
  }
  q->whole = whole;
  return true;
}

static bool
open_question(live_t * live, live_question_t * q, const live_robot_t * robot)
{
  char service[LIVE_NAME + 32];
  snprintf(service, sizeof service, "%s/get_parameters", robot->node);
  const rcl_client_options_t options = rcl_client_get_default_options();
  q->client = rcl_get_zero_initialized_client();
  const rcl_ret_t ret = rcl_client_init(
    &q->client, &live->session->node,
    ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, GetParameters), service, &options);
  if (ret != RCL_RET_OK) rcl_reset_error();
  q->open = ret == RCL_RET_OK && rcl_interfaces__srv__GetParameters_Request__init(&q->request);
  return q->open;
}

void
live_ask(live_t * live, int robot, double now)
{
  const double pause = 3, timeout = 5;
  live_question_t * q = &live->question[robot];
  const live_robot_t * r = live->view.robot[robot];
  if (!q->open && !open_question(live, q, r)) return;
  if (now - q->asked < (q->waiting ? timeout : pause)) return;
  bool available = false;
  ros_ignore(rcl_service_server_is_available(&live->session->node, &q->client, &available));
  if (!available || !fill_request(q, r->urdf == NULL)) return;
  int64_t sequence;
  const rcl_ret_t ret = rcl_send_request(&q->client, &q->request, &sequence);
  if (ret != RCL_RET_OK) rcl_reset_error();
  q->waiting = ret == RCL_RET_OK;
  q->asked = now;
}

//---------- answers ----------

typedef rcl_interfaces__msg__ParameterValue value_t;

static const char *
text_of(const value_t * value)
{
  return value->type == P_STRING && value->string_value.data ? value->string_value.data : "";
}

// a file that the node was given: on this machine it is the same one
static void
take_file(live_robot_t * robot, const char * path)
{
  enum { MOST = 16 << 20 };
  char reason[128];
  size_t n;
  char * text = *path ? regular_file_read(path, MOST, &n, reason, sizeof reason) : NULL;
  // only what reads as a robot is ever shown to anybody
  if (text) (void)live_robot_set_urdf(robot, text, n);
  free(text);
}

static void
take_values(live_t * live, live_robot_t * robot, const live_question_t * q, const value_t * value)
{
  pthread_mutex_lock(&live->lock);
  if (value[ASK_THRESHOLD].type == P_DOUBLE) robot->threshold = value[ASK_THRESHOLD].double_value;
  live_robot_set_floating(robot, strcmp(text_of(&value[ASK_BASE]), "floating") == 0);
  const char * mode = text_of(&value[ASK_MODE]);
  if (*mode) snprintf(robot->mode, sizeof robot->mode, "%s", mode);
  if (q->whole && !robot->urdf) {
    const char * text = text_of(&value[ASK_DESCRIPTION]);
    if (*text) (void)live_robot_set_urdf(robot, text, strlen(text));
    if (!robot->urdf) take_file(robot, text_of(&value[ASK_FILE]));
  }
  pthread_mutex_unlock(&live->lock);
}

void
live_answer(live_t * live, int robot)
{
  live_question_t * q = &live->question[robot];
  rcl_interfaces__srv__GetParameters_Response answer;
  if (!rcl_interfaces__srv__GetParameters_Response__init(&answer)) return;
  rmw_request_id_t id;
  const rcl_ret_t ret = rcl_take_response(&q->client, &id, &answer);
  if (ret != RCL_RET_OK) rcl_reset_error();
  if (ret == RCL_RET_OK && answer.values.size == q->request.names.size) {
    q->waiting = false;
    take_values(live, live->view.robot[robot], q, answer.values.data);
  }
  rcl_interfaces__srv__GetParameters_Response__fini(&answer);
}

void
live_ask_end(live_t * live)
{
  for (int i = 0; i < LIVE_ROBOTS; i++) {
    live_question_t * q = &live->question[i];
    if (!q->open) continue;
    ros_ignore(rcl_client_fini(&q->client, &live->session->node));
    rcl_interfaces__srv__GetParameters_Request__fini(&q->request);
    q->open = false;
  }
}
