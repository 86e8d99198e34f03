// `mbdyn service`: services that there are, and calls.
#include "ros_service.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "rcl/error_handling.h"

//---------- calls ----------

// -1 once the server is there, else the exit code
static int
wait_for_server(ros_session_t * s, const rcl_client_t * client)
{
  const int64_t until = ros_after(ros_or(s->args->wait, 3));
  for (;;) {
    bool available = false;
    ros_ignore(rcl_service_server_is_available(&s->node, client, &available));
    if (available) return -1;
    // a match may come a little later than the news of it
    const int64_t soon = ros_after(0.05);
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){.graph = true}, soon < until ? soon : until);
    if (wake == ROS_STOPPED) return CLI_FOUND;
    if (wake == ROS_FAILED) return CLI_TROUBLE;
    if (ros_now() < until) continue;
    fprintf(
      stderr, "mbdyn %s: service '%s' is not available (waited %g s)\n", s->args->command,
      rcl_client_get_service_name(client), ros_or(s->args->wait, 3));
    return CLI_FOUND;
  }
}

// -1 once the answer has come, else the exit code
static int
wait_for_answer(ros_session_t * s, const rcl_client_t * client, int64_t sequence, void * response)
{
  const double timeout = ros_or(s->args->timeout, 10);
  const int64_t until = ros_after(timeout);
  for (;;) {
    const ros_wake_t wake = ros_wait(s, (ros_waited_t){.client = client}, until);
    if (wake == ROS_STOPPED) return CLI_FOUND;
    if (wake == ROS_FAILED) return CLI_TROUBLE;
    if (wake == ROS_TIMED_OUT) break;
    rmw_request_id_t id;
    const rcl_ret_t ret = rcl_take_response(client, &id, response);
    if (ret == RCL_RET_OK && id.sequence_number == sequence) return -1;
    ros_ignore(ret);
  }
  fprintf(
    stderr, "mbdyn %s: no answer from '%s' within %g s\n", s->args->command,
    rcl_client_get_service_name(client), timeout);
  return CLI_FOUND;
}

static int
exchange(ros_session_t * s, const rcl_client_t * client, const void * request, void * response)
{
  const int code = wait_for_server(s, client);
  if (code >= 0) return code;
  // we know the server; it needs a moment to know us, and what comes before that is lost
  const ros_wake_t wake = ros_wait(s, (ros_waited_t){0}, ros_after(0.05));
  if (wake != ROS_TIMED_OUT) return wake == ROS_STOPPED ? CLI_FOUND : CLI_TROUBLE;
  int64_t sequence = 0;
  if (rcl_send_request(client, request, &sequence) != RCL_RET_OK) {
    return ros_complain(s->args, "cannot send the request");
  }
  return wait_for_answer(s, client, sequence, response);
}

void *
ros_call(
  ros_session_t * s, const char * service, const ros2_type_t * type, const void * request,
  int * code)
{
  const cdr_members_t * members = ros2_service_members(type)->response_members_;
  rcl_client_t client = rcl_get_zero_initialized_client();
  if (rclc_client_init_default(&client, &s->node, type->service, service) != RCL_RET_OK) {
    *code = ros_complain(s->args, "cannot create the client");
    return NULL;
  }
  void * response = ros_message_new(members);
  *code =
    response ? exchange(s, &client, request, response) : ros_complain(s->args, "out of memory");
  ros_ignore(rcl_client_fini(&client, &s->node));
  if (*code < 0) return response;
  ros_message_free(members, response);
  return NULL;
}

json_t *
ros_call_json(
  ros_session_t * s, const char * service, const char * type_name, json_t * request, int * code)
{
  *code = CLI_TROUBLE;
  const ros2_type_t * type = ros_service_type(s->args, type_name);
  if (!type) {
    json_decref(request);
    return NULL;
  }
  const cdr_members_t * ask = ros2_service_members(type)->request_members_;
  const cdr_members_t * reply = ros2_service_members(type)->response_members_;
  char error[256] = "out of memory";
  void * message = ros_message_new(ask);
  void * response = NULL;
  if (message && message_from_json(ask, request, message, error, sizeof error)) {
    response = ros_call(s, service, type, message, code);
  } else {
    fprintf(stderr, "mbdyn %s: %s\n", s->args->command, error);
  }
  json_t * answer = response ? message_to_json(reply, response) : NULL;
  ros_message_free(ask, message);
  ros_message_free(reply, response);
  json_decref(request);
  return answer;
}

json_t *
ros_call_node(
  ros_session_t * s, const char * node, const char * service, const char * type_name,
  json_t * request, int * code)
{
  char name[512];
  const int length = snprintf(name, sizeof name, "%s/%s", node, service);
  if (length < 0 || (size_t)length >= sizeof name) {
    json_decref(request);
    *code = ros_complain(s->args, "the node name is too long");
    return NULL;
  }
  return ros_call_json(s, name, type_name, request, code);
}

//---------- verbs ----------

static int
run_list(const ros_args_t * args)
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  int code = CLI_FOUND;
  rcl_names_and_types_t names = rcl_get_zero_initialized_names_and_types();
  if (ros_settle(&session)) {
    const rcl_ret_t ret =
      rcl_get_service_names_and_types(&session.node, &session.allocator, &names);
    if (ret != RCL_RET_OK) {
      code = ros_complain(args, "cannot list the services");
    } else {
      code = ros_names_print(&names, args) ? CLI_OK : ros_nobody(args, "service");
    }
    ros_ignore(rcl_names_and_types_fini(&names));
  }
  ros_close(&session);
  return code;
}

static int
call(ros_session_t * s, const ros2_type_t * type, const void * request)
{
  char * service = ros_resolve(s, s->args->operands[0], true);
  if (!service) return CLI_TROUBLE;
  const rosidl_typesupport_introspection_c__ServiceMembers * members = ros2_service_members(type);
  json_t * json = message_to_json(members->request_members_, request);
  fputs("requester: making request: ", stdout);
  ros_json_print(json, stdout);
  fputs("\n\n", stdout);
  fflush(stdout);
  json_decref(json);

  int code;
  void * response = ros_call(s, service, type, request, &code);
  free(service);
  if (!response) return code;
  puts("response:");
  message_print(members->response_members_, response, 0, stdout);
  ros_message_free(members->response_members_, response);
  return CLI_OK;
}

static int
run_call(const ros_args_t * args)
{
  const ros2_type_t * type = ros_service_type(args, args->operands[1]);
  if (!type) return CLI_TROUBLE;
  const cdr_members_t * members = ros2_service_members(type)->request_members_;
  void * request =
    ros_message_parse(args, members, args->operand_count > 2 ? args->operands[2] : "");
  if (!request) return CLI_TROUBLE;
  ros_session_t session;
  int code = CLI_TROUBLE;
  if (ros_open(&session, args)) {
    code = call(&session, type, request);
    ros_close(&session);
  }
  ros_message_free(members, request);
  return code;
}

//---------- the command ----------

static const ros_option_t LIST_OPTIONS[] = {
  {"--show-types", "-t", NULL, "also print types", ROS_SWITCH, ROS_FIELD(types)},
  ROS_OPTION_ALL,
  ROS_OPTION_WAIT,
  {0},
};

static const ros_option_t CALL_OPTIONS[] = {
  ROS_OPTION_TIMEOUT,
  {"--wait", NULL, "SECONDS", "time to wait for the service; default: 3", ROS_POSITIVE,
   ROS_FIELD(wait)},
  {0},
};

static const ros_verb_t VERBS[] = {
  {"list", "", 0, 0, "list the services",
   "examples:\n  mbdyn service list\n  mbdyn service list -t", LIST_OPTIONS, run_list},
  {"call", "SERVICE TYPE [VALUES]", 2, 3, "call a service and print the response",
   "VALUES is YAML or JSON; omitted fields have their default values.\n\n"
   "examples:\n  mbdyn service call /enable std_srvs/srv/SetBool '{data: true}'\n"
   "  mbdyn service call /reset std_srvs/srv/Trigger",
   CALL_OPTIONS, run_call},
  {0},
};

int
ros_service_main(int argc, char ** argv)
{
  static const ros_command_t command = {"service", "Inspect and call ROS 2 services.", VERBS};
  return ros_command(&command, argc, argv);
}
