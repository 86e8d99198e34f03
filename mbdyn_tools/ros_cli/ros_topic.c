// `mbdyn topic`: what there is. Reading is in ros_topic_read.c, writing in ros_topic_pub.c.
#include "ros_topic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"

//---------- QoS ----------

static bool
apply_qos(const char * word, rmw_qos_profile_t * qos)
{
  char * end;
  if (strcmp(word, "reliable") == 0) {
    qos->reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
  } else if (strcmp(word, "best_effort") == 0) {
    qos->reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  } else if (strcmp(word, "volatile") == 0) {
    qos->durability = RMW_QOS_POLICY_DURABILITY_VOLATILE;
  } else if (strcmp(word, "transient_local") == 0) {
    qos->durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  } else if (strcmp(word, "keep_all") == 0) {
    qos->history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  } else if (strcmp(word, "sensor_data") == 0) {
    *qos = rmw_qos_profile_sensor_data;
  } else if (strncmp(word, "depth=", 6) == 0) {
    const long depth = strtol(word + 6, &end, 10);
    if (end == word + 6 || *end || depth < 1 || depth > 1000000) return false;
    qos->history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
    qos->depth = (size_t)depth;
  } else {
    return false;
  }
  return true;
}

bool
ros_qos_parse(const ros_args_t * args, rmw_qos_profile_t * qos)
{
  for (const char * c = args->qos; c && *c;) {
    char word[32];
    const size_t length = strcspn(c, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, c);
    if (length >= sizeof word || !apply_qos(word, qos)) {
      fprintf(
        stderr, "mbdyn %s: --qos '%s': expected %s\n", args->command, args->qos, ROS_QOS_HELP);
      return false;
    }
    c += length + (c[length] == ',');
  }
  return true;
}

static const char *
reliability_text(const rmw_qos_profile_t * qos)
{
  if (qos->reliability == RMW_QOS_POLICY_RELIABILITY_RELIABLE) return "RELIABLE";
  return qos->reliability == RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT ? "BEST_EFFORT" : "UNKNOWN";
}

static const char *
durability_text(const rmw_qos_profile_t * qos)
{
  if (qos->durability == RMW_QOS_POLICY_DURABILITY_VOLATILE) return "VOLATILE";
  return qos->durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL ? "TRANSIENT_LOCAL"
                                                                      : "UNKNOWN";
}

static const char *
liveliness_text(const rmw_qos_profile_t * qos)
{
  if (qos->liveliness == RMW_QOS_POLICY_LIVELINESS_AUTOMATIC) return "AUTOMATIC";
  return qos->liveliness == RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC ? "MANUAL_BY_TOPIC"
                                                                      : "UNKNOWN";
}

static void
print_duration(const char * name, rmw_time_t time)
{
  const int64_t ns = rmw_time_total_nsec(time);
  if (ns == INT64_MAX) {
    printf("  %s: Infinite\n", name);
  } else {
    printf("  %s: %lld nanoseconds\n", name, (long long)ns);
  }
}

static void
print_qos(const rmw_qos_profile_t * qos)
{
  printf("QoS profile:\n  Reliability: %s\n", reliability_text(qos));
  if (qos->history == RMW_QOS_POLICY_HISTORY_KEEP_LAST) {
    printf("  History (Depth): KEEP_LAST (%zu)\n", qos->depth);
  } else {
    const bool all = qos->history == RMW_QOS_POLICY_HISTORY_KEEP_ALL;
    printf("  History (Depth): %s\n", all ? "KEEP_ALL" : "UNKNOWN");
  }
  printf("  Durability: %s\n", durability_text(qos));
  print_duration("Lifespan", qos->lifespan);
  print_duration("Deadline", qos->deadline);
  printf("  Liveliness: %s\n", liveliness_text(qos));
  print_duration("Liveliness lease duration", qos->liveliness_lease_duration);
}

//---------- list ----------

static int
run_list(const ros_args_t * args)
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  int code = CLI_FOUND;
  rcl_names_and_types_t names = rcl_get_zero_initialized_names_and_types();
  if (ros_settle(&session)) {
    const rcl_ret_t ret =
      rcl_get_topic_names_and_types(&session.node, &session.allocator, false, &names);
    if (ret != RCL_RET_OK) {
      code = ros_complain(args, "cannot list the topics");
    } else {
      code = ros_names_print(&names, args) ? CLI_OK : ros_nobody(args, "topic");
    }
    ros_ignore(rcl_names_and_types_fini(&names));
  }
  ros_close(&session);
  return code;
}

//---------- info ----------

static void
print_endpoint(const ros_endpoint_t * e)
{
  const char * name = e->node ? strrchr(e->node, '/') + 1 : "_NODE_NAME_UNKNOWN_";
  const char * space = e->node_namespace ? e->node_namespace : "_NODE_NAMESPACE_UNKNOWN_";
  printf("\nNode name: %s\nNode namespace: %s\n", name, space);
  printf("Topic type: %s\n", e->type);
  printf("Endpoint type: %s\n", e->kind == ROS_PUBLISHER ? "PUBLISHER" : "SUBSCRIPTION");
  fputs("GID: ", stdout);
  for (size_t i = 0; i < sizeof e->guid; i++) printf("%s%02x", i ? "." : "", e->guid[i]);
  putchar('\n');
  print_qos(&e->qos);
}

static void
print_side(
  const ros_args_t * args, const ros_graph_t * graph, unsigned kind, const char * topic,
  const char * title)
{
  size_t count = 0;
  const ros_endpoint_t * e = NULL;
  while ((e = ros_graph_find(graph, kind, topic, e)) != NULL) count++;
  printf("%s%s count: %zu\n", args->verbose ? "\n" : "", title, count);
  while (args->verbose && (e = ros_graph_find(graph, kind, topic, e)) != NULL) print_endpoint(e);
}

static void
print_info(const ros_args_t * args, const ros_graph_t * graph, const char * topic)
{
  const unsigned both = ROS_PUBLISHER | ROS_SUBSCRIPTION;
  const char * last = NULL;
  const ros_endpoint_t * e = NULL;
  while ((e = ros_graph_find(graph, both, topic, e)) != NULL) {
    // equal types stand together
    if (!last || strcmp(last, e->type) != 0) printf("Type: %s\n", e->type);
    last = e->type;
  }
  print_side(args, graph, ROS_PUBLISHER, topic, "Publisher");
  print_side(args, graph, ROS_SUBSCRIPTION, topic, "Subscription");
}

static int
run_info(const ros_args_t * args)
{
  ros_session_t session;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  ros_graph_t graph = {0};
  int code = CLI_TROUBLE;
  char * topic = ros_resolve(&session, args->operands[0], false);
  if (topic && ros_settle(&session) && ros_graph_read(&session, &graph)) {
    if (ros_graph_find(&graph, ROS_PUBLISHER | ROS_SUBSCRIPTION, topic, NULL)) {
      print_info(args, &graph, topic);
      code = CLI_OK;
    } else {
      fprintf(stderr, "mbdyn %s: unknown topic '%s'\n", args->command, topic);
      code = CLI_FOUND;
    }
  } else if (topic) {
    code = CLI_FOUND;
  }
  ros_graph_free(&graph);
  free(topic);
  ros_close(&session);
  return code;
}

//---------- the command ----------

static const ros_option_t LIST_OPTIONS[] = {
  {"--show-types", "-t", NULL, "also print types", ROS_SWITCH, ROS_FIELD(types)},
  ROS_OPTION_ALL,
  ROS_OPTION_WAIT,
  {0},
};

static const ros_option_t INFO_OPTIONS[] = {
  {"--verbose", "-v", NULL, "nodes and QoS of each endpoint", ROS_SWITCH, ROS_FIELD(verbose)},
  ROS_OPTION_WAIT,
  {0},
};

static const ros_option_t ECHO_OPTIONS[] = {
  {"--once", "-1", NULL, "stop after one message", ROS_SWITCH, ROS_FIELD(once)},
  {"--times", "-n", "N", "stop after N messages", ROS_COUNT, ROS_FIELD(times)},
  {"--type", NULL, "TYPE", "message type, if the topic has no publisher", ROS_TEXT,
   ROS_FIELD(type)},
  {"--qos", NULL, "QOS", ROS_QOS_HELP, ROS_TEXT, ROS_FIELD(qos)},
  {"--full-length", "-f", NULL, "print long arrays (more than 128 elements) in full", ROS_SWITCH,
   ROS_FIELD(full)},
  {"--json", NULL, NULL, "print JSON, one line per message", ROS_SWITCH, ROS_FIELD(json)},
  {"--timeout", NULL, "SECONDS", "give up after this time without a message", ROS_POSITIVE,
   ROS_FIELD(timeout)},
  ROS_OPTION_WAIT,
  {0},
};

static const ros_option_t HZ_OPTIONS[] = {
  {"--window", "-w", "N", "window size in messages; default: 10000", ROS_COUNT, ROS_FIELD(window)},
  {"--times", "-n", "N", "stop after N reports", ROS_COUNT, ROS_FIELD(times)},
  {"--type", NULL, "TYPE", "message type, if the topic has no publisher", ROS_TEXT,
   ROS_FIELD(type)},
  {"--qos", NULL, "QOS", ROS_QOS_HELP, ROS_TEXT, ROS_FIELD(qos)},
  ROS_OPTION_WAIT,
  {0},
};

static const ros_option_t PUB_OPTIONS[] = {
  {"--rate", "-r", "HZ", "publishing rate; default: 1", ROS_POSITIVE, ROS_FIELD(rate)},
  {"--once", "-1", NULL, "stop after one message", ROS_SWITCH, ROS_FIELD(once)},
  {"--times", "-n", "N", "stop after N messages", ROS_COUNT, ROS_FIELD(times)},
  {"--wait-matching-subscriptions", "-w", "N",
   "subscriptions to wait for before publishing;\ndefault: 1 with --once and -n, otherwise 0",
   ROS_COUNT, ROS_FIELD(subscribers)},
  {"--qos", NULL, "QOS", ROS_QOS_HELP, ROS_TEXT, ROS_FIELD(qos)},
  {"--wait", NULL, "SECONDS", "time to wait for subscriptions; default: 3", ROS_POSITIVE,
   ROS_FIELD(wait)},
  {0},
};

static const ros_verb_t VERBS[] = {
  {"list", "", 0, 0, "list the topics", "examples:\n  mbdyn topic list\n  mbdyn topic list -t",
   LIST_OPTIONS, run_list},
  {"echo", "TOPIC", 1, 1, "print messages until Ctrl-C",
   "The QoS follows the publishers: reliable if all are, transient_local (latched) if all are.\n\n"
   "examples:\n  mbdyn topic echo /joint_states\n"
   "  mbdyn topic echo --once /robot_description\n"
   "  mbdyn topic echo --json -n 10 --timeout 5 /joint_states > states.json",
   ECHO_OPTIONS, ros_topic_echo},
  {"hz", "TOPIC", 1, 1, "measure the message rate until Ctrl-C",
   "Reports every second: mean rate, minimum, maximum and standard deviation of the time "
   "between\nmessages.\n\nexamples:\n  mbdyn topic hz /joint_states\n"
   "  mbdyn topic hz --window 100 -n 3 /joint_states",
   HZ_OPTIONS, ros_topic_hz},
  {"pub", "TOPIC TYPE [VALUES]", 2, 3, "publish messages until Ctrl-C",
   "VALUES is YAML or JSON; omitted fields have their default values.\n\n"
   "examples:\n  mbdyn topic pub --once /enable std_msgs/msg/Bool '{data: true}'\n"
   "  mbdyn topic pub -r 100 /joint_states sensor_msgs/msg/JointState \\\n"
   "    '{name: [shoulder, elbow], position: [0.5, -1.0]}'\n"
   "  mbdyn topic pub --qos transient_local,depth=1 /note std_msgs/msg/String '{data: hi}'",
   PUB_OPTIONS, ros_topic_pub},
  {"info", "TOPIC", 1, 1, "print type and number of publishers and subscriptions",
   "examples:\n  mbdyn topic info /joint_states\n  mbdyn topic info -v /joint_states", INFO_OPTIONS,
   run_info},
  {0},
};

int
ros_topic_main(int argc, char ** argv)
{
  static const ros_command_t command = {"topic", "Inspect and publish ROS 2 topics.", VERBS};
  return ros_command(&command, argc, argv);
}
