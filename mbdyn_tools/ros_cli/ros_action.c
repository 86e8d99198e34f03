// `mbdyn action`: actions that there are, and goals. An action is three services and two topics below
// NAME/_action, whose types are those of the action with a suffix.
#include "ros_action.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "command.h"
#include "ros_service.h"
#include "text.h"

enum { NAME = 512, ID = 16 };

// status of action_msgs/GoalStatus
static const char * const STATUS[] = {"UNKNOWN",   "ACCEPTED", "EXECUTING", "CANCELING",
                                      "SUCCEEDED", "CANCELED", "ABORTED"};
enum { STATUSES = sizeof STATUS / sizeof STATUS[0], SUCCEEDED = 4 };

//---------- one goal ----------

typedef struct goal {
  ros_session_t * session;
  const char * type;
  char * action;  // absolute
  json_t * id;    // unique_identifier_msgs/UUID
  bool compact;   // feedback of trajectories, a line now and then
  const cdr_members_t * feedback_members;
  rcl_subscription_t feedback;
  void * message;
  int64_t next_line;
  rcl_client_t results;
  const cdr_members_t * result_members;
  void * response;
  bool feedback_open, results_open;
} goal_t;

static const char *
join(char * out, const char * a, const char * b, const char * c)
{
  snprintf(out, NAME, "%s%s%s", a, b, c);
  return out;
}

static json_t *
random_id(void)
{
  unsigned char bytes[ID];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return NULL;
  json_t * list = json_array();
  for (int i = 0; i < ID; i++) json_array_append_new(list, json_integer(bytes[i]));
  return json_pack("{s:o}", "uuid", list);
}

static const ros2_type_t *
part_type(const goal_t * g, const char * suffix)
{
  char name[NAME];
  return ros2_find_type(join(name, g->type, suffix, ""));
}

// before the goal is sent, so that none of its feedback is missed
static bool
open_goal(goal_t * g)
{
  ros_session_t * s = g->session;
  char name[NAME];
  const ros2_type_t * feedback = part_type(g, "_FeedbackMessage");
  const ros2_type_t * result = part_type(g, "_GetResult");
  g->feedback_members = ros2_type_members(feedback);
  g->result_members = ros2_service_members(result)->response_members_;
  g->feedback = rcl_get_zero_initialized_subscription();
  g->results = rcl_get_zero_initialized_client();
  g->feedback_open = rclc_subscription_init_default(
                       &g->feedback, &s->node, feedback->message,
                       join(name, g->action, "/_action/", "feedback")) == RCL_RET_OK;
  if (!g->feedback_open) return false;
  g->results_open = rclc_client_init_default(
                      &g->results, &s->node, result->service,
                      join(name, g->action, "/_action/", "get_result")) == RCL_RET_OK;
  g->message = ros_message_new(g->feedback_members);
  g->response = ros_message_new(g->result_members);
  return g->results_open && g->message && g->response;
}

static void
close_goal(goal_t * g)
{
  if (g->feedback_open) ros_ignore(rcl_subscription_fini(&g->feedback, &g->session->node));
  if (g->results_open) ros_ignore(rcl_client_fini(&g->results, &g->session->node));
  ros_message_free(g->feedback_members, g->message);
  ros_message_free(g->result_members, g->response);
  json_decref(g->id);
  free(g->action);
}

//---------- feedback ----------

static double
time_of(const json_t * feedback)
{
  const json_t * t = json_object_get(json_object_get(feedback, "desired"), "time_from_start");
  return json_number_value(json_object_get(t, "sec")) +
         1e-9 * json_number_value(json_object_get(t, "nanosec"));
}

// "  1.05 s  largest error 0.0031 (joint4)"
static void
print_progress(goal_t * g, const json_t * feedback)
{
  if (ros_now() < g->next_line) return;
  g->next_line = ros_after(0.45);
  const json_t * error = json_object_get(json_object_get(feedback, "error"), "positions");
  size_t worst = 0;
  for (size_t j = 1; j < json_array_size(error); j++) {
    const double x = fabs(json_number_value(json_array_get(error, j)));
    if (x > fabs(json_number_value(json_array_get(error, worst)))) worst = j;
  }
  const char * joint =
    json_string_value(json_array_get(json_object_get(feedback, "joint_names"), worst));
  printf(
    "%7.2f s  largest error %.4f (%s)\n", time_of(feedback),
    fabs(json_number_value(json_array_get(error, worst))), joint ? joint : "");
  fflush(stdout);
}

static void
take_feedback(goal_t * g)
{
  while (rcl_take(&g->feedback, g->message, NULL, NULL) == RCL_RET_OK) {
    json_t * json = message_to_json(g->feedback_members, g->message);
    const bool ours = json_equal(json_object_get(json, "goal_id"), g->id);
    if (ours && g->compact) print_progress(g, json_object_get(json, "feedback"));
    if (ours && !g->compact && g->session->args->feedback) {
      puts("Feedback:");
      ros_yaml_print(json_object_get(json, "feedback"), 4, stdout);
      fflush(stdout);
    }
    json_decref(json);
  }
  ros_ignore(RCL_RET_ERROR);
}

//---------- to the result ----------

// -1 if the server has accepted it, else the exit code
static int
send(goal_t * g, json_t * goal)
{
  char service[NAME], type[NAME];
  int code;
  json_t * request = json_pack("{s:O,s:o}", "goal_id", g->id, "goal", goal);
  json_t * answer = ros_call_json(
    g->session, join(service, g->action, "/_action/", "send_goal"),
    join(type, g->type, "_SendGoal", ""), request, &code);
  if (!answer) return code;
  const bool accepted = json_is_true(json_object_get(answer, "accepted"));
  json_decref(answer);
  if (accepted) return -1;
  fprintf(stderr, "mbdyn %s: the server has rejected the goal\n", g->session->args->command);
  return CLI_FOUND;
}

static bool
ask_for_result(goal_t * g)
{
  const cdr_members_t * members =
    ros2_service_members(part_type(g, "_GetResult"))->request_members_;
  json_t * json = json_pack("{s:O}", "goal_id", g->id);
  void * request = ros_message_new(members);
  int64_t sequence;
  const bool sent = request && message_from_json(members, json, request, NULL, 0) &&
                    rcl_send_request(&g->results, request, &sequence) == RCL_RET_OK;
  ros_message_free(members, request);
  json_decref(json);
  if (!sent) ros_complain(g->session->args, "cannot ask for the result");
  return sent;
}

// Ctrl-C: the robot must not go on alone
static void
cancel(goal_t * g)
{
  char service[NAME];
  int code;
  // from here on another Ctrl-C ends the command
  atomic_store(&g->session->stopped, false);
  fputs("canceling\n", stderr);
  json_t * request = json_pack("{s:{s:O}}", "goal_info", "goal_id", g->id);
  json_decref(ros_call_json(
    g->session, join(service, g->action, "/_action/", "cancel_goal"), "action_msgs/srv/CancelGoal",
    request, &code));
}

// -1 once the result is there, else the exit code. It is asked for again now and then: a server that has
// just found us may not have heard the first time.
static int
wait_for_result(goal_t * g)
{
  bool canceled = false;
  int64_t again = 0;
  for (;;) {
    if (ros_now() >= again) {
      if (!ask_for_result(g)) return CLI_TROUBLE;
      again = ros_after(2);
    }
    const ros_wake_t wake =
      ros_wait(g->session, (ros_waited_t){&g->feedback, &g->results, false}, again);
    if (wake == ROS_FAILED) return CLI_TROUBLE;
    if (wake == ROS_STOPPED && canceled) return CLI_FOUND;
    if (wake == ROS_STOPPED) {
      cancel(g);
      canceled = true;
    }
    take_feedback(g);
    rmw_request_id_t id;
    const rcl_ret_t ret = rcl_take_response(&g->results, &id, g->response);
    if (ret == RCL_RET_OK) return -1;
    ros_ignore(ret);
  }
}

static int
print_result(const goal_t * g)
{
  json_t * json = message_to_json(g->result_members, g->response);
  const json_int_t status = json_integer_value(json_object_get(json, "status"));
  const json_t * result = json_object_get(json, "result");
  const char * name = status >= 0 && status < STATUSES ? STATUS[status] : STATUS[0];
  if (g->compact) {
    const json_int_t code = json_integer_value(json_object_get(result, "error_code"));
    const char * text = json_string_value(json_object_get(result, "error_string"));
    FILE * to = status == SUCCEEDED ? stdout : stderr;
    fprintf(to, "%s", name);
    if (code != 0) fprintf(to, " (error_code %lld)", (long long)code);
    fprintf(to, ": %s\n", text ? text : "");
  } else {
    puts("Result:");
    ros_yaml_print(result, 4, stdout);
    printf("\nGoal finished with status: %s\n", name);
  }
  json_decref(json);
  return status == SUCCEEDED ? CLI_OK : CLI_FOUND;
}

int
ros_send_goal(const ros_args_t * args, const char * action, const char * type, json_t * goal)
{
  ros_session_t session;
  goal_t g = {.session = &session, .type = type, .id = random_id()};
  g.compact = strcmp(type, ROS_TRAJECTORY_TYPE) == 0 && !args->types;
  if (!ros_open(&session, args)) {
    json_decref(goal);
    json_decref(g.id);
    return CLI_TROUBLE;
  }
  g.action = ros_resolve(&session, action, true);
  int code = CLI_TROUBLE;
  if (!g.action || !g.id || !open_goal(&g)) {
    if (g.action) ros_complain(args, "cannot open the action");
    json_decref(goal);
  } else {
    code = send(&g, goal);
    if (code < 0) code = wait_for_result(&g);
    if (code < 0) code = print_result(&g);
  }
  close_goal(&g);
  ros_close(&session);
  return code;
}

//---------- verbs ----------

static const char PARTS[] = "/_action/send_goal", SUFFIX[] = "_SendGoal";

// NAME of NAME/_action/send_goal, with its type if asked for
static bool
print_action(const char * service, const char * type, bool types)
{
  const size_t length = strlen(service), tail = sizeof PARTS - 1;
  if (length <= tail || strcmp(service + length - tail, PARTS) != 0) return false;
  printf("%.*s", (int)(length - tail), service);
  const size_t end = strlen(type), suffix = sizeof SUFFIX - 1;
  if (types && end > suffix) printf(" [%.*s]", (int)(end - suffix), type);
  putchar('\n');
  return true;
}

static int
run_list(const ros_args_t * args)
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  int code = CLI_FOUND;
  rcl_names_and_types_t names = rcl_get_zero_initialized_names_and_types();
  if (ros_settle(&session)) {
    size_t n = 0;
    const rcl_ret_t ret =
      rcl_get_service_names_and_types(&session.node, &session.allocator, &names);
    for (size_t i = 0; ret == RCL_RET_OK && i < names.names.size; i++) {
      n += print_action(names.names.data[i], names.types[i].data[0], args->types);
    }
    code = ret != RCL_RET_OK ? ros_complain(args, "cannot list the actions")
           : n > 0           ? CLI_OK
                             : ros_nobody(args, "action");
    ros_ignore(rcl_names_and_types_fini(&names));
  }
  ros_close(&session);
  return code;
}

static int
run_send_goal(const ros_args_t * args)
{
  char name[NAME], error[256];
  const char * type = args->operands[1];
  if (!ros2_find_type(join(name, type, "_SendGoal", ""))) {
    fprintf(
      stderr, "mbdyn %s: unknown action type '%s'; known is %s\n", args->command, type,
      ROS_TRAJECTORY_TYPE);
    return CLI_TROUBLE;
  }
  json_t * goal = ros_yaml_parse(args->operands[2], error, sizeof error);
  if (!goal) {
    fprintf(stderr, "mbdyn %s: %s\n", args->command, error);
    return CLI_TROUBLE;
  }
  // printed as it is
  ros_args_t whole = *args;
  whole.types = true;
  return ros_send_goal(&whole, args->operands[0], type, goal);
}

static int
send_trajectory(const ros_args_t * args, json_t * goal)
{
  if (!goal) return CLI_TROUBLE;
  const char * action = args->action ? args->action : ROS_TRAJECTORY_ACTION;
  return ros_send_goal(args, action, ROS_TRAJECTORY_TYPE, goal);
}

static int
run_move(const ros_args_t * args)
{
  return send_trajectory(args, ros_goal_of_point(args, args->operands, args->operand_count));
}

static int
run_follow(const ros_args_t * args)
{
  return send_trajectory(args, ros_goal_of_table(args, args->operands[0]));
}

//---------- the command ----------

static const ros_option_t LIST_OPTIONS[] = {
  {"--show-types", "-t", NULL, "also print types", ROS_SWITCH, ROS_FIELD(types)},
  ROS_OPTION_WAIT,
  {0},
};

#define OPTION_SERVER                                                                   \
  {                                                                                     \
    "--wait", NULL, "SECONDS", "time to wait for the action; default: 3", ROS_POSITIVE, \
      ROS_FIELD(wait)                                                                   \
  }
#define OPTIONS_TRAJECTORY                                                                     \
  {"--action", NULL, "NAME", "default: " ROS_TRAJECTORY_ACTION, ROS_TEXT, ROS_FIELD(action)},  \
    {"--path-tolerance",       NULL, "X", "of every joint, on the way [rad, m]", ROS_POSITIVE, \
     ROS_FIELD(path_tolerance)},                                                               \
    {"--goal-tolerance",       NULL, "X", "of every joint, at the end [rad, m]", ROS_POSITIVE, \
     ROS_FIELD(goal_tolerance)},                                                               \
    {"--goal-time",       NULL, "SECONDS", "time to get there after the end", ROS_POSITIVE,    \
     ROS_FIELD(goal_time)},                                                                    \
    OPTION_SERVER

static const ros_option_t GOAL_OPTIONS[] = {
  {"--feedback", "-f", NULL, "print feedback", ROS_SWITCH, ROS_FIELD(feedback)},
  OPTION_SERVER,
  {0},
};

static const ros_option_t MOVE_OPTIONS[] = {
  {"--duration", "-d", "SECONDS", "time of the motion; default: 2", ROS_POSITIVE,
   ROS_FIELD(duration)},
  OPTIONS_TRAJECTORY,
  {0},
};

static const ros_option_t FOLLOW_OPTIONS[] = {OPTIONS_TRAJECTORY, {0}};

static const ros_verb_t VERBS[] = {
  {"list", "", 0, 0, "list the actions", "examples:\n  mbdyn action list -t", LIST_OPTIONS,
   run_list},
  {"send_goal", "ACTION TYPE VALUES", 3, 3, "send a goal and print its result",
   "VALUES is YAML or JSON; omitted fields have their default values. Ctrl-C cancels the goal.\n\n"
   "examples:\n  mbdyn action send_goal -f " ROS_TRAJECTORY_ACTION " " ROS_TRAJECTORY_TYPE
   " \\\n    '{trajectory: {joint_names: [joint1], points: [{positions: [0.5], "
   "time_from_start: {sec: 2}}]}}'",
   GOAL_OPTIONS, run_send_goal},
  {"move", "JOINT=POSITION...", 1, ROS_MAX_OPERANDS, "move joints, from rest to rest",
   "Joints that are not named hold their position. Ctrl-C cancels the goal.\n\n"
   "examples:\n  mbdyn action move joint1=0.5 joint4=-1.2 --duration 3",
   MOVE_OPTIONS, run_move},
  {"follow", "FILE.csv", 1, 1, "follow a trajectory",
   "FILE.csv has a header and the columns t [s], q_JOINT, and optionally v_JOINT and a_JOINT of "
   "all\n"
   "these joints; `-` is standard input. Other columns do not count. Between two rows the joints "
   "follow "
   "quintics if\nthere are accelerations, cubics if there are velocities, else straight lines. "
   "Ctrl-C "
   "cancels the goal.\n\nexamples:\n  mbdyn action follow motion.csv --path-tolerance 0.1",
   FOLLOW_OPTIONS, run_follow},
  {0},
};

int
ros_action_main(int argc, char ** argv)
{
  static const ros_command_t command = {
    "action", "Inspect ROS 2 actions, send goals, move joints.", VERBS};
  return ros_command(&command, argc, argv);
}
