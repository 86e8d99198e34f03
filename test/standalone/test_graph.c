// The graph as others see it: read with Cyclone's own calls and compared with what a real
// ROS 2 Humble node announces.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcl/graph.h"
#include "rcl/logging.h"
#include "rcl_interfaces/msg/log.h"
#include "rclc/executor.h"
#include "rcutils/logging_macros.h"
#include "rmw/qos_profiles.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"
#include "std_srvs/srv/set_bool.h"
#include "support.h"

static session_t session;
static dds_entity_t observer;

static int
setup(void ** state)
{
  (void)state;
  const char * arguments[] = {"--ros-args", "-r", "__ns:=/ns1", "--log-level", "info", NULL};
  enum { MAX = 8 };
  const char * argv[MAX] = {"test"};
  int argc = 1;
  while (arguments[argc - 1] != NULL) {
    argv[argc] = arguments[argc - 1];
    argc++;
  }
  session.allocator = rcl_get_default_allocator();
  OK(rclc_support_init(&session.support, argc, argv, &session.allocator));
  OK(rcl_logging_configure(&session.support.context.global_arguments, &session.allocator));
  OK(rclc_node_init_default(&session.node, "graph", "", &session.support));
  observer =
    dds_create_participant((dds_domainid_t)strtoul(getenv("ROS_DOMAIN_ID"), NULL, 10), NULL, NULL);
  assert_true(observer > 0);
  return 0;
}

static int
teardown(void ** state)
{
  (void)state;
  dds_delete(observer);
  session_close(&session);
  OK(rcl_logging_fini());
  return 0;
}

//---------- endpoints ----------

typedef struct {
  dds_entity_t reader;
  const char * topic;
  const char * user_data;
  dds_builtintopic_endpoint_t * found;
} search_t;

// looks through a built-in topic; `found` stays with the caller as a copy of what matters
static bool
find_endpoint(void * arg)
{
  search_t * search = arg;
  void * samples[256] = {NULL};
  dds_sample_info_t infos[256];
  bool found = false;
  int n = dds_read(search->reader, samples, infos, 256, 256);
  for (int i = 0; i < n; i++) {
    const dds_builtintopic_endpoint_t * endpoint = samples[i];
    bool here = infos[i].valid_data && infos[i].instance_state == DDS_ALIVE_INSTANCE_STATE &&
                strcmp(endpoint->topic_name, search->topic) == 0;
    if (!here || found) continue;
    found = true;
    search->found = calloc(1, sizeof *search->found);
    search->found->topic_name = strdup(endpoint->topic_name);
    search->found->type_name = strdup(endpoint->type_name);
    search->found->qos = dds_create_qos();
    dds_copy_qos(search->found->qos, endpoint->qos);
  }
  if (n > 0) dds_return_loan(search->reader, samples, n);
  return found;
}

typedef struct {
  bool writer;
  const char *topic, *type;
  bool reliable, latched;
  int32_t depth;  // 0: keep all
  dds_duration_t lifespan;
  const char * mark;  // start of the user data
} endpoint_case_t;

static void
check_qos(const endpoint_case_t * want, const dds_qos_t * qos)
{
  dds_reliability_kind_t reliability = 0;
  dds_duration_t time = 0;
  assert_true(dds_qget_reliability(qos, &reliability, &time));
  assert_int_equal(
    reliability, want->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT);
  if (want->writer) assert_true(time == (want->reliable ? DDS_INFINITY : 0));
  dds_durability_kind_t durability = 0;
  assert_true(dds_qget_durability(qos, &durability));
  assert_int_equal(
    durability, want->latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_history_kind_t history = 0;
  int32_t depth = 0;
  assert_true(dds_qget_history(qos, &history, &depth));
  assert_int_equal(history, want->depth == 0 ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST);
  if (want->depth > 0) assert_int_equal(depth, want->depth);
  if (want->writer && want->latched) {
    assert_true(dds_qget_durability_service(qos, NULL, &history, &depth, NULL, NULL, NULL));
    assert_int_equal(depth, want->depth);
  }
  if (want->writer) {
    dds_duration_t lifespan = 0;
    assert_true(dds_qget_lifespan(qos, &lifespan));
    assert_true(lifespan == (want->lifespan == 0 ? DDS_INFINITY : want->lifespan));
  }
  dds_duration_t deadline = 0;
  assert_true(dds_qget_deadline(qos, &deadline) && deadline == DDS_INFINITY);
  dds_liveliness_kind_t liveliness = 0;
  assert_true(dds_qget_liveliness(qos, &liveliness, &time));
  assert_true(liveliness == DDS_LIVELINESS_AUTOMATIC && time == DDS_INFINITY);
  uint32_t partitions = 0;
  if (dds_qget_partition(qos, &partitions, NULL)) assert_int_equal(partitions, 0);
}

// "serviceid= 1.10.c9.71.6a.44.be.18.4.3d.46.3b.0.0.0.1;"
static void
check_mark(const endpoint_case_t * want, const dds_qos_t * qos)
{
  void * data = NULL;
  size_t size = 0;
  bool has = dds_qget_userdata(qos, &data, &size) && size > 0;
  assert_int_equal(has, want->mark != NULL);
  if (!has) return;
  unsigned id[16];
  char key[16];
  int end = 0;
  int n = sscanf(
    data, "%15[a-z]=%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x.%x;%n", key, &id[0], &id[1],
    &id[2], &id[3], &id[4], &id[5], &id[6], &id[7], &id[8], &id[9], &id[10], &id[11], &id[12],
    &id[13], &id[14], &id[15], &end);
  assert_int_equal(n, 17);
  assert_int_equal(end, size);
  assert_string_equal(key, want->mark);
  const uint8_t * guid = session.support.context.impl->guid.v;
  for (int i = 0; i < 12; i++) assert_int_equal(id[i], guid[i]);
  // the first byte is padded with a blank
  if (id[0] < 16) assert_int_equal(((const char *)data)[strlen(key) + 1], ' ');
  dds_free(data);
}

// names, types, QoS and user data of everything that a node has
static void
endpoints(void ** state)
{
  (void)state;
  rmw_qos_profile_t latched = rmw_qos_profile_default;
  latched.depth = 1;
  latched.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  rcl_publisher_t joints;
  rcl_publisher_t description;
  rcl_subscription_t sensor;
  rcl_service_t enable;
  rcl_service_t parameters;
  rcl_client_t client;
  OK(rclc_publisher_init_default(&joints, &session.node, JOINT_STATE, "/joint_states"));
  OK(rclc_publisher_init(&description, &session.node, STRING, "robot_description", &latched));
  OK(rclc_subscription_init_best_effort(&sensor, &session.node, JOINT_STATE, "sensor"));
  OK(rclc_service_init_default(&enable, &session.node, SET_BOOL, "/enable"));
  OK(rclc_service_init(
    &parameters, &session.node, SET_BOOL, "~/set_parameters", &rmw_qos_profile_parameters));
  OK(rclc_client_init_default(&client, &session.node, SET_BOOL, "/other"));
  static const char set_bool_request[] = "std_srvs::srv::dds_::SetBool_Request_";
  static const char set_bool_response[] = "std_srvs::srv::dds_::SetBool_Response_";
  static const char joint_state[] = "sensor_msgs::msg::dds_::JointState_";
  static const char string[] = "std_msgs::msg::dds_::String_";
  static const char log_type[] = "rcl_interfaces::msg::dds_::Log_";
  static const char info_type[] = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
  const endpoint_case_t table[] = {
    {true, "ros_discovery_info", info_type, true, true, 1, 0, NULL},
    {false, "ros_discovery_info", info_type, true, true, 0, 0, NULL},
    {true, "rt/joint_states", joint_state, true, false, 10, 0, NULL},
    {true, "rt/ns1/robot_description", string, true, true, 1, 0, NULL},
    {false, "rt/ns1/sensor", joint_state, false, false, 5, 0, NULL},
    {true, "rt/rosout", log_type, true, true, 1000, DDS_SECS(10), NULL},
    {false, "rq/enableRequest", set_bool_request, true, false, 10, 0, "serviceid"},
    {true, "rr/enableReply", set_bool_response, true, false, 10, 0, "serviceid"},
    {false, "rq/ns1/graph/set_parametersRequest", set_bool_request, true, false, 1000, 0,
     "serviceid"},
    {true, "rr/ns1/graph/set_parametersReply", set_bool_response, true, false, 1000, 0,
     "serviceid"},
    {true, "rq/otherRequest", set_bool_request, true, false, 10, 0, "clientid"},
    {false, "rr/otherReply", set_bool_response, true, false, 10, 0, "clientid"},
  };
  dds_entity_t readers[2] = {
    dds_create_reader(observer, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL),
    dds_create_reader(observer, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL)};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    search_t search = {.reader = readers[table[i].writer], .topic = table[i].topic};
    if (!wait_until(find_endpoint, &search, 3000)) fail_msg("%s is not there", table[i].topic);
    assert_string_equal(search.found->type_name, table[i].type);
    check_qos(&table[i], search.found->qos);
    check_mark(&table[i], search.found->qos);
    dds_delete_qos(search.found->qos);
    free(search.found->topic_name);
    free(search.found->type_name);
    free(search.found);
  }
  dds_delete(readers[0]);
  dds_delete(readers[1]);
  OK(rcl_client_fini(&client, &session.node));
  OK(rcl_service_fini(&parameters, &session.node));
  OK(rcl_service_fini(&enable, &session.node));
  OK(rcl_subscription_fini(&sensor, &session.node));
  OK(rcl_publisher_fini(&description, &session.node));
  OK(rcl_publisher_fini(&joints, &session.node));
}

// the participant says that it is ROS, and where in it
static void
participant(void ** state)
{
  (void)state;
  dds_entity_t reader = dds_create_reader(observer, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL);
  bool found = false;
  for (int tries = 0; tries < 100 && !found; tries++, sleep_ms(10)) {
    void * samples[16] = {NULL};
    dds_sample_info_t infos[16];
    int n = dds_read(reader, samples, infos, 16, 16);
    for (int i = 0; i < n; i++) {
      const dds_builtintopic_participant_t * p = samples[i];
      void * data = NULL;
      size_t size = 0;
      if (!infos[i].valid_data || !dds_qget_userdata(p->qos, &data, &size)) continue;
      found = found || (size == 10 && memcmp(data, "enclave=/;", 10) == 0);
      dds_free(data);
    }
    if (n > 0) dds_return_loan(reader, samples, n);
  }
  assert_true(found);
  dds_delete(reader);
}

//---------- ros_discovery_info ----------

static bool
sees_node(void * arg)
{
  const char ** want = arg;
  rcutils_string_array_t names = rcutils_get_zero_initialized_string_array();
  rcutils_string_array_t spaces = rcutils_get_zero_initialized_string_array();
  OK(rcl_get_node_names(&session.node, session.allocator, &names, &spaces));
  bool seen = false;
  for (size_t i = 0; i < names.size; i++) {
    seen = seen || (strcmp(names.data[i], want[0]) == 0 && strcmp(spaces.data[i], want[1]) == 0);
  }
  assert_int_equal(rcutils_string_array_fini(&names), RCUTILS_RET_OK);
  assert_int_equal(rcutils_string_array_fini(&spaces), RCUTILS_RET_OK);
  return seen;
}

static bool
sees_node_not(void * arg)
{
  return !sees_node(arg);
}

// nodes of other contexts come and go; the graph guard condition says so
static void
other_nodes(void ** state)
{
  (void)state;
  const char * self[] = {"graph", "/ns1"};
  const char * other_name[] = {"other", "/"};
  assert_true(sees_node(self));
  session_t other;
  session_open(&other, "other", NULL);
  assert_true(wait_until(sees_node, other_name, 3000));
  rcl_subscription_t subscription;
  OK(rclc_subscription_init_default(&subscription, &other.node, STRING, "chatter"));
  size_t count = 0;
  for (int i = 0; i < 200 && count == 0; i++, sleep_ms(10)) {
    OK(rcl_count_subscribers(&session.node, "/chatter", &count));
  }
  assert_int_equal(count, 1);
  FAILS(rcl_count_publishers(&session.node, "chatter", &count), RCL_RET_INVALID_ARGUMENT);
  FAILS(rcl_count_subscribers(&session.node, "no spaces", &count), RCL_RET_INVALID_ARGUMENT);
  assert_int_equal(count, 1);
  OK(rcl_count_publishers(&session.node, "/chatter", &count));
  assert_int_equal(count, 0);
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 0, 1, 0, 0, 0, 0, &session.support.context, session.allocator));
  const rcl_guard_condition_t * guard = rcl_node_get_graph_guard_condition(&session.node);
  OK(rcl_wait_set_add_guard_condition(&set, guard, NULL));
  (void)!rcl_wait(&set, RCL_MS_TO_NS(100));
  OK(rcl_subscription_fini(&subscription, &other.node));
  session_close(&other);
  OK(rcl_wait_set_clear(&set));
  OK(rcl_wait_set_add_guard_condition(&set, guard, NULL));
  OK(rcl_wait(&set, RCL_MS_TO_NS(2000)));
  OK(rcl_wait_set_fini(&set));
  assert_true(wait_until(sees_node_not, other_name, 3000));
}

static const char *
type_of(const rcl_names_and_types_t * list, const char * name)
{
  for (size_t i = 0; i < list->names.size; i++) {
    if (strcmp(list->names.data[i], name) == 0) return list->types[i].data[0];
  }
  return "(none)";
}

// topics and services by their ROS names
static void
names_and_types(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_service_t service;
  OK(rclc_publisher_init_default(&publisher, &session.node, JOINT_STATE, "joints"));
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "~/enable"));
  rcl_names_and_types_t topics = rcl_get_zero_initialized_names_and_types();
  OK(rcl_get_topic_names_and_types(&session.node, &session.allocator, false, &topics));
  assert_string_equal(type_of(&topics, "/ns1/joints"), "sensor_msgs/msg/JointState");
  assert_string_equal(type_of(&topics, "/rosout"), "rcl_interfaces/msg/Log");
  assert_string_equal(type_of(&topics, "ros_discovery_info"), "(none)");
  OK(rcl_names_and_types_fini(&topics));
  OK(rcl_get_topic_names_and_types(&session.node, &session.allocator, true, &topics));
  assert_string_equal(type_of(&topics, "rt/ns1/joints"), "sensor_msgs::msg::dds_::JointState_");
  OK(rcl_names_and_types_fini(&topics));
  rcl_names_and_types_t services = rcl_get_zero_initialized_names_and_types();
  OK(rcl_get_service_names_and_types(&session.node, &session.allocator, &services));
  assert_string_equal(type_of(&services, "/ns1/graph/enable"), "std_srvs/srv/SetBool");
  OK(rcl_names_and_types_fini(&services));
  OK(rcl_service_fini(&service, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

// whether a node subscribes to a topic of a type: name, namespace, topic, type
static bool
hears(void * arg)
{
  const char ** want = arg;
  rcl_names_and_types_t topics = rcl_get_zero_initialized_names_and_types();
  const rcl_ret_t ret = rcl_get_subscriber_names_and_types_by_node(
    &session.node, &session.allocator, false, want[0], want[1], &topics);
  if (ret == RCL_RET_NODE_NAME_NON_EXISTENT) return rcl_reset_error(), false;
  OK(ret);
  const bool heard = strcmp(type_of(&topics, want[2]), want[3]) == 0;
  OK(rcl_names_and_types_fini(&topics));
  return heard;
}

// topics that a node subscribes to, of this process and of another
static void
names_and_types_by_node(void ** state)
{
  (void)state;
  session_t other;
  rcl_subscription_t mine, theirs;
  session_open(&other, "hearer", NULL);
  OK(rclc_subscription_init_default(&mine, &session.node, STRING, "here"));
  OK(rclc_subscription_init_default(&theirs, &other.node, JOINT_STATE, "there"));
  const char * own[] = {"graph", "/ns1", "/ns1/here", "std_msgs/msg/String"};
  const char * of_other[] = {"hearer", "/", "/there", "sensor_msgs/msg/JointState"};
  const char * mixed[] = {"graph", "/ns1", "/there", "(none)"};
  const char * published[] = {"graph", "/ns1", "/rosout", "(none)"};
  const char * nobody[] = {"nobody", "/ns1", "/there", "(none)"};
  assert_true(wait_until(hears, own, 3000));
  assert_true(wait_until(hears, of_other, 3000));
  assert_true(hears(mixed) && hears(published));
  assert_false(hears(nobody));
  OK(rcl_subscription_fini(&theirs, &other.node));
  OK(rcl_subscription_fini(&mine, &session.node));
  session_close(&other);
}

typedef rcl_ret_t (*topics_fn)(
  const rcl_node_t *, rcl_allocator_t *, bool, const char *, const char *, rcl_names_and_types_t *);
typedef rcl_ret_t (*services_fn)(
  const rcl_node_t *, rcl_allocator_t *, const char *, const char *, rcl_names_and_types_t *);

// one of the two
typedef struct {
  topics_fn topics;
  services_fn services;
  const char *name, *type;
} side_t;

// of the node "other"
static bool
lists(void * arg)
{
  const side_t * side = arg;
  rcl_names_and_types_t list = rcl_get_zero_initialized_names_and_types();
  const rcl_ret_t ret =
    side->topics ? side->topics(&session.node, &session.allocator, false, "other", "/", &list)
                 : side->services(&session.node, &session.allocator, "other", "/", &list);
  if (ret == RCL_RET_NODE_NAME_NON_EXISTENT) return rcl_reset_error(), false;
  OK(ret);
  const bool same = strcmp(type_of(&list, side->name), side->type) == 0;
  OK(rcl_names_and_types_fini(&list));
  return same;
}

typedef rcl_ret_t (*info_fn)(
  const rcl_node_t *, rcutils_allocator_t *, const char *, bool, rcl_topic_endpoint_info_array_t *);

static void
check_info(info_fn get, const char * topic, const rmw_topic_endpoint_info_t * expected)
{
  rcl_topic_endpoint_info_array_t infos = rcl_get_zero_initialized_topic_endpoint_info_array();
  OK(get(&session.node, &session.allocator, topic, false, &infos));
  assert_int_equal(infos.size, expected ? 1 : 0);
  if (expected) {
    const rmw_topic_endpoint_info_t * info = &infos.info_array[0];
    assert_string_equal(info->node_name, expected->node_name);
    assert_string_equal(info->node_namespace, expected->node_namespace);
    assert_string_equal(info->topic_type, expected->topic_type);
    assert_int_equal(info->endpoint_type, expected->endpoint_type);
    assert_memory_equal(info->endpoint_gid, expected->endpoint_gid, sizeof info->endpoint_gid);
    assert_int_equal(info->qos_profile.reliability, expected->qos_profile.reliability);
    assert_int_equal(info->qos_profile.durability, expected->qos_profile.durability);
    // already filled
    assert_int_equal(
      get(&session.node, &session.allocator, topic, false, &infos), RCL_RET_INVALID_ARGUMENT);
    rcl_reset_error();
  }
  OK(rcl_topic_endpoint_info_array_fini(&infos, &session.allocator));
  assert_null(infos.info_array);
}

// all four sides of another node, and the endpoints of a topic on both sides
static void
sides_and_endpoints(void ** state)
{
  (void)state;
  session_t other;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  rcl_service_t service;
  rcl_client_t client;
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
  qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  session_open(&other, "other", NULL);
  OK(rclc_publisher_init(&publisher, &other.node, STRING, "talk", &qos));
  const rcl_node_impl_t * impl = other.node.impl;
  rmw_topic_endpoint_info_t expected = {"other", "/", "std_msgs/msg/String", RMW_ENDPOINT_PUBLISHER,
                                        {0},     qos};
  memcpy(expected.endpoint_gid, impl->writers[impl->writer_count - 1].data, 16);
  OK(rclc_subscription_init_default(&subscription, &other.node, JOINT_STATE, "hear"));
  OK(rclc_service_init_default(&service, &other.node, SET_BOOL, "serve"));
  OK(rclc_client_init_default(&client, &other.node, SET_BOOL, "call"));

  const char *text = "std_msgs/msg/String", *joints = "sensor_msgs/msg/JointState",
             *set = "std_srvs/srv/SetBool", *none = "(none)";
  side_t sides[] = {
    {rcl_get_publisher_names_and_types_by_node, NULL, "/talk", text},
    {rcl_get_publisher_names_and_types_by_node, NULL, "/hear", none},
    {rcl_get_subscriber_names_and_types_by_node, NULL, "/hear", joints},
    {rcl_get_subscriber_names_and_types_by_node, NULL, "/talk", none},
    {NULL, rcl_get_service_names_and_types_by_node, "/serve", set},
    {NULL, rcl_get_service_names_and_types_by_node, "/call", none},
    {NULL, rcl_get_client_names_and_types_by_node, "/call", set},
    {NULL, rcl_get_client_names_and_types_by_node, "/serve", none},
    {NULL, rcl_get_service_names_and_types_by_node, "/talk", none},
  };
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    if (!wait_until(lists, &sides[i], 3000)) fail_msg("%s, side %zu", sides[i].name, i);
  }
  check_info(rcl_get_publishers_info_by_topic, "/talk", &expected);
  check_info(rcl_get_subscriptions_info_by_topic, "/talk", NULL);
  check_info(rcl_get_publishers_info_by_topic, "/hear", NULL);

  OK(rcl_client_fini(&client, &other.node));
  OK(rcl_service_fini(&service, &other.node));
  OK(rcl_subscription_fini(&subscription, &other.node));
  OK(rcl_publisher_fini(&publisher, &other.node));
  session_close(&other);
}

// the sample itself: gids with eight zeros, every endpoint of the node once
static void
discovery_info(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_service_t service;
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "listed"));
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "listed"));
  session_t other;
  session_open(&other, "reader", NULL);
  const rcl_context_impl_t * ours = session.support.context.impl;
  rcl_context_impl_t * theirs = other.support.context.impl;
  bool right = false;
  for (int tries = 0; tries < 200 && !right; tries++, sleep_ms(10)) {
    pthread_mutex_lock(&theirs->peer_lock);
    for (const sa_peer_t * peer = theirs->peers; peer != NULL; peer = peer->next) {
      if (memcmp(peer->info.gid.data, ours->guid.v, 16) != 0) continue;
      static const char zeros[8];
      assert_memory_equal(peer->info.gid.data + 16, zeros, 8);
      const rmw_dds_common__msg__NodeEntitiesInfo__Sequence * nodes =
        &peer->info.node_entities_info_seq;
      // rosout, listed, reply; request
      right = nodes->size == 1 && nodes->data[0].writer_gid_seq.size == 3 &&
              nodes->data[0].reader_gid_seq.size == 1 &&
              strcmp(nodes->data[0].node_namespace.data, "/ns1") == 0 &&
              strcmp(nodes->data[0].node_name.data, "graph") == 0;
    }
    pthread_mutex_unlock(&theirs->peer_lock);
  }
  assert_true(right);
  session_close(&other);
  OK(rcl_service_fini(&service, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

// garbage on ros_discovery_info is dropped
static void
malformed_info(void ** state)
{
  (void)state;
  session_t other;
  session_open(&other, "victim", NULL);
  sa_reader_t * reader = &session.support.context.impl->info_reader;
  const sa_writer_t * writer = &other.support.context.impl->info_writer;
  uint64_t before = atomic_load(&reader->dropped);
  for (size_t n = 0; n < 64; n += 4) {
    raw_sample_t * sample = raw_sample_new(writer->type, n);
    memset(sample->data, 0xff, n);
    assert_true(dds_writecdr(writer->writer, &sample->base) >= 0);
    sleep_ms(2);
  }
  for (int i = 0; i < 200 && atomic_load(&reader->dropped) < before + 16; i++) sleep_ms(10);
  assert_int_equal(atomic_load(&reader->dropped), before + 16);
  session_close(&other);
}

//---------- /rosout ----------

// a log line of the node arrives with all its parts; one of another logger does not
static void
rosout(void ** state)
{
  (void)state;
  session_t other;
  rcl_subscription_t subscription;
  session_open(&other, "listener", NULL);
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  const rosidl_message_type_support_t * type =
    ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, Log);
  const char * name = rcl_node_get_logger_name(&session.node);
  assert_string_equal(name, "ns1.graph");
  RCUTILS_LOG_WARN_NAMED(name, "before the listener: %d", 42);
  OK(rclc_subscription_init(&subscription, &other.node, type, "/rosout", &qos));
  RCUTILS_LOG_WARN_NAMED("someone.else", "not for rosout");
  RCUTILS_LOG_DEBUG_NAMED(name, "below the level");
  rcl_interfaces__msg__Log log;
  assert_true(rcl_interfaces__msg__Log__init(&log));
  bool found = false;
  for (int i = 0; i < 200 && !found; i++, sleep_ms(10)) {
    while (rcl_take(&subscription, &log, NULL, NULL) == RCL_RET_OK) {
      assert_string_equal(log.name.data, name);
      if (strcmp(log.msg.data, "before the listener: 42") != 0) continue;
      found = true;
      assert_int_equal(log.level, rcl_interfaces__msg__Log__WARN);
      assert_true(log.stamp.sec > 1000000000);
      assert_true(log.line > 0);
      assert_string_equal(log.function.data, "rosout");
      assert_non_null(strstr(log.file.data, "test_graph.c"));
    }
  }
  assert_true(found);
  rcl_interfaces__msg__Log__fini(&log);
  OK(rcl_subscription_fini(&subscription, &other.node));
  session_close(&other);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(participant),
    cmocka_unit_test(endpoints),
    cmocka_unit_test(other_nodes),
    cmocka_unit_test(names_and_types),
    cmocka_unit_test(names_and_types_by_node),
    cmocka_unit_test(sides_and_endpoints),
    cmocka_unit_test(discovery_info),
    cmocka_unit_test(malformed_info),
    cmocka_unit_test(rosout),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
