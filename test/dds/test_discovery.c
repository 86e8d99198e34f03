// What the rest of a DDS network sees of a node: names, types, QoS, user data, and the list of its
// endpoints. The looking is all Cyclone's own: nothing of the stand-in is linked here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "discovery.h"
#include "process.h"

enum { MAX_ENDPOINTS = 32, START_MS = 20000, SEE_MS = 5000, END_MS = 5000 };
enum { NONE = -1, FIRST = 0, SECOND = 1, NODES = 2 };

typedef rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ info_t;
typedef rmw_dds_common_msg_dds__NodeEntitiesInfo_ node_info_t;
typedef rmw_dds_common_msg_dds__Gid_ gid24_t;

//---------- what there should be ----------

#define JOINT_STATE "sensor_msgs::msg::dds_::JointState_"
#define STRING      "std_msgs::msg::dds_::String_"
#define LOG         "rcl_interfaces::msg::dds_::Log_"
#define REQUEST     "std_srvs::srv::dds_::SetBool_Request_"
#define REPLY       "std_srvs::srv::dds_::SetBool_Response_"
#define INFO        "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"

typedef struct {
  int node;  // that owns it
  const char * topic;
  const char * type;
  bool reliable, latched;
  int depth;  // 0: keep all
  dds_duration_t lifespan;
  const char * mark;  // in the user data
} expected_t;

static const expected_t writers[] = {
  {NONE, "ros_discovery_info", INFO, true, true, 1, DDS_INFINITY, NULL},
  {FIRST, "rt/rosout", LOG, true, true, 1000, DDS_SECS(10), NULL},
  {FIRST, "rt/joint_states", JOINT_STATE, true, false, 10, DDS_INFINITY, NULL},
  {FIRST, "rt/robot_description", STRING, true, true, 1, DDS_INFINITY, NULL},
  {FIRST, "rr/enableReply", REPLY, true, false, 10, DDS_INFINITY, "serviceid"},
  {FIRST, "rq/otherRequest", REQUEST, true, false, 10, DDS_INFINITY, "clientid"},
  {SECOND, "rt/rosout", LOG, true, true, 1000, DDS_SECS(10), NULL},
  {SECOND, "rt/ns1/latched", STRING, true, true, 5, DDS_INFINITY, NULL},
};

static const expected_t readers[] = {
  {NONE, "ros_discovery_info", INFO, true, true, 0, 0, NULL},
  {FIRST, "rt/first/command", JOINT_STATE, true, false, 10, 0, NULL},
  {FIRST, "rt/scan", STRING, false, false, 5, 0, NULL},
  {FIRST, "rq/enableRequest", REQUEST, true, false, 10, 0, "serviceid"},
  {FIRST, "rr/otherReply", REPLY, true, false, 10, 0, "clientid"},
};

enum { WRITERS = sizeof writers / sizeof writers[0], READERS = sizeof readers / sizeof readers[0] };

//---------- what there is ----------

typedef struct {
  dds_builtintopic_endpoint_t * of[MAX_ENDPOINTS];
  int count;
} endpoints_t;

static int domain;
static process_t helper;
static dds_entity_t participant, participant_reader, writer_reader, reader_reader, info_reader;
static dds_guid_t other;  // the helper's participant
static endpoints_t seen_writers, seen_readers;

static bool
same_guid(const dds_guid_t * a, const dds_guid_t * b)
{
  return memcmp(a->v, b->v, sizeof a->v) == 0;
}

static bool
is_known(const endpoints_t * endpoints, const dds_guid_t * key)
{
  for (int k = 0; k < endpoints->count; k++) {
    if (same_guid(&endpoints->of[k]->key, key)) return true;
  }
  return false;
}

// Keeps copies of the endpoints of the helper, one of each: a sample says that an endpoint is there,
// and it may come twice. Cyclone lists an endpoint before it announces it to readers of the built-in
// topics; a reader that is created in between gets it with what was there before, and announced.
static void
look(dds_entity_t reader, endpoints_t * endpoints)
{
  void * samples[MAX_ENDPOINTS] = {NULL};
  dds_sample_info_t infos[MAX_ENDPOINTS];
  dds_return_t n = dds_take(reader, samples, infos, MAX_ENDPOINTS, MAX_ENDPOINTS);
  assert_true(n >= 0);
  for (dds_return_t i = 0; i < n; i++) {
    const dds_builtintopic_endpoint_t * sample = samples[i];
    if (!infos[i].valid_data || !same_guid(&sample->participant_key, &other)) continue;
    if (is_known(endpoints, &sample->key)) continue;
    assert_true(endpoints->count < MAX_ENDPOINTS);
    dds_builtintopic_endpoint_t * copy = calloc(1, sizeof *copy);
    *copy = *sample;
    copy->topic_name = dds_string_dup(sample->topic_name);
    copy->type_name = dds_string_dup(sample->type_name);
    copy->qos = dds_create_qos();
    dds_copy_qos(copy->qos, sample->qos);
    endpoints->of[endpoints->count++] = copy;
  }
  if (n > 0) dds_return_loan(reader, samples, n);
}

static bool
user_data_is(const dds_qos_t * qos, const char * expected)
{
  void * data = NULL;
  size_t size = 0;
  bool there = dds_qget_userdata(qos, &data, &size) && size > 0;
  bool same = there && size == strlen(expected) && memcmp(data, expected, size) == 0;
  dds_free(data);
  return same || (!there && expected[0] == '\0');
}

// the participant of that process, if it is there and alive
static bool
find_participant(pid_t pid)
{
  void * samples[MAX_ENDPOINTS] = {NULL};
  dds_sample_info_t infos[MAX_ENDPOINTS];
  char text[16];
  snprintf(text, sizeof text, "%d", (int)pid);
  bool found = false;
  dds_return_t n = dds_read(participant_reader, samples, infos, MAX_ENDPOINTS, MAX_ENDPOINTS);
  for (dds_return_t i = 0; i < n; i++) {
    const dds_builtintopic_participant_t * sample = samples[i];
    char * value = NULL;
    bool alive = infos[i].valid_data && infos[i].instance_state == DDS_IST_ALIVE;
    if (alive && dds_qget_prop(sample->qos, "__Pid", &value) && strcmp(value, text) == 0) {
      found = true;
      other = sample->key;
      assert_true(user_data_is(sample->qos, "enclave=/;"));
    }
    dds_free(value);
  }
  if (n > 0) dds_return_loan(participant_reader, samples, n);
  return found;
}

static int
setup(void ** state)
{
  (void)state;
  char line[64];
  const char * const argv[] = {NODE_PROGRAM, NULL};
  process_start(&helper, argv);
  participant = dds_create_participant((dds_domainid_t)domain, NULL, NULL);
  return !process_line(&helper, line, sizeof line, START_MS) || participant < 0;
}

static int
teardown(void ** state)
{
  endpoints_t * all[] = {&seen_writers, &seen_readers};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < all[k]->count; i++) {
      dds_delete_qos(all[k]->of[i]->qos);
      dds_free(all[k]->of[i]->topic_name);
      dds_free(all[k]->of[i]->type_name);
      free(all[k]->of[i]);
    }
  }
  dds_delete(participant);
  return process_kill_all(state);
}

//---------- tests ----------

static void
participant_has_its_mark(void ** state)
{
  (void)state;
  participant_reader =
    dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL);
  assert_true(participant_reader > 0);
  int ms = 0;
  while (!find_participant(helper.pid) && ms++ < SEE_MS) sleep_ms(1);
  assert_true(find_participant(helper.pid));
}

static void
expect_history(const expected_t * expected, const dds_qos_t * qos, bool writer)
{
  dds_history_kind_t kind;
  int32_t depth = 0;
  assert_true(dds_qget_history(qos, &kind, &depth));
  assert_int_equal(kind, expected->depth == 0 ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST);
  if (expected->depth > 0) assert_int_equal(depth, expected->depth);
  if (!writer) return;
  // what a late joiner gets is as deep as the history
  dds_duration_t cleanup, lifespan;
  int32_t samples, instances, per_instance;
  assert_true(
    dds_qget_durability_service(qos, &cleanup, &kind, &depth, &samples, &instances, &per_instance));
  assert_int_equal(kind, DDS_HISTORY_KEEP_LAST);
  assert_int_equal(depth, expected->latched ? expected->depth : 1);
  assert_true(dds_qget_lifespan(qos, &lifespan));
  assert_int_equal(lifespan, expected->lifespan);
}

static void
expect_defaults(const dds_qos_t * qos)
{
  dds_duration_t time;
  dds_liveliness_kind_t liveliness;
  dds_ownership_kind_t ownership;
  assert_true(dds_qget_deadline(qos, &time));
  assert_int_equal(time, DDS_INFINITY);
  assert_true(dds_qget_liveliness(qos, &liveliness, &time));
  assert_int_equal(liveliness, DDS_LIVELINESS_AUTOMATIC);
  assert_int_equal(time, DDS_INFINITY);
  assert_true(dds_qget_ownership(qos, &ownership));
  assert_int_equal(ownership, DDS_OWNERSHIP_SHARED);
  uint32_t partitions = 0;
  char ** names = NULL;
  if (dds_qget_partition(qos, &partitions, &names)) assert_int_equal(partitions, 0);
}

static void
expect_endpoint(const expected_t * expected, dds_builtintopic_endpoint_t * endpoint, bool writer)
{
  dds_reliability_kind_t reliability;
  dds_durability_kind_t durability;
  dds_duration_t blocking;
  assert_string_equal(endpoint->type_name, expected->type);
  assert_true(dds_qget_reliability(endpoint->qos, &reliability, &blocking));
  assert_int_equal(
    reliability, expected->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT);
  if (writer) assert_int_equal(blocking, DDS_INFINITY);
  assert_true(dds_qget_durability(endpoint->qos, &durability));
  assert_int_equal(
    durability, expected->latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  expect_history(expected, endpoint->qos, writer);
  expect_defaults(endpoint->qos);
  if (expected->mark == NULL) assert_true(user_data_is(endpoint->qos, ""));
  // no type information goes on the wire
  const dds_typeinfo_t * type_info = NULL;
  dds_return_t ret = dds_builtintopic_get_endpoint_type_info(endpoint, &type_info);
  assert_true(ret != DDS_RETCODE_OK || type_info == NULL);
}

static int
count_of(const expected_t * expected, int n, const char * topic)
{
  int count = 0;
  for (int i = 0; i < n; i++) count += strcmp(expected[i].topic, topic) == 0;
  return count;
}

// each that should be there is there, as often as it should, and none else
static void
expect_table(
  const expected_t * expected, int n, dds_entity_t reader, endpoints_t * seen, bool writer)
{
  for (int ms = 0; seen->count < n && ms < SEE_MS; ms++) {
    look(reader, seen);
    sleep_ms(1);
  }
  for (int i = 0; i < n; i++) {
    int count = 0;
    for (int k = 0; k < seen->count; k++) {
      if (strcmp(seen->of[k]->topic_name, expected[i].topic) != 0) continue;
      expect_endpoint(&expected[i], seen->of[k], writer);
      count++;
    }
    int wanted = count_of(expected, n, expected[i].topic);
    if (count != wanted) fail_msg("%s: %d times, not %d", expected[i].topic, count, wanted);
  }
  assert_int_equal(seen->count, n);
}

static void
publications(void ** state)
{
  (void)state;
  writer_reader = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
  expect_table(writers, WRITERS, writer_reader, &seen_writers, true);
}

static void
subscriptions(void ** state)
{
  (void)state;
  reader_reader = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
  expect_table(readers, READERS, reader_reader, &seen_readers, false);
}

// endpoints that are told of again, here by other readers of the built-in topics, are no more of them
static void
endpoints_count_once(void ** state)
{
  (void)state;
  dds_entity_t again[2] = {
    dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL),
    dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL)};
  for (int k = 0; k < 2; k++) {
    assert_true(again[k] > 0);
    look(again[k], k == 0 ? &seen_writers : &seen_readers);
    dds_delete(again[k]);
  }
  assert_int_equal(seen_writers.count, WRITERS);
  assert_int_equal(seen_readers.count, READERS);
}

// "serviceid= 1.10.c9...;": prefix of the participant, then a number, in hex without leading zeros
static uint32_t
number_in_mark(const endpoints_t * seen, const char * topic, const char * mark)
{
  int k = 0;
  while (k < seen->count && strcmp(seen->of[k]->topic_name, topic) != 0) k++;
  assert_true(k < seen->count);
  for (uint32_t number = 1; number <= 16; number++) {
    char text[128];
    int n = snprintf(text, sizeof text, "%s=%2x", mark, other.v[0]);
    for (int i = 1; i < 12; i++)
      n += snprintf(text + n, sizeof text - (size_t)n, ".%x", other.v[i]);
    snprintf(text + n, sizeof text - (size_t)n, ".0.0.0.%x;", number);
    if (user_data_is(seen->of[k]->qos, text)) return number;
  }
  fail_msg("%s: no %s in its user data", topic, mark);
  return 0;
}

static void
ends_of_a_service_have_one_mark(void ** state)
{
  (void)state;
  uint32_t service = number_in_mark(&seen_readers, "rq/enableRequest", "serviceid");
  uint32_t client = number_in_mark(&seen_readers, "rr/otherReply", "clientid");
  assert_int_equal(service, number_in_mark(&seen_writers, "rr/enableReply", "serviceid"));
  assert_int_equal(client, number_in_mark(&seen_writers, "rq/otherRequest", "clientid"));
  assert_int_not_equal(service, client);
}

//---------- ros_discovery_info ----------

static bool
gid_is(const gid24_t * gid, const dds_guid_t * guid)
{
  static const uint8_t zeros[8];
  return memcmp(gid->data, guid->v, 16) == 0 && memcmp(gid->data + 16, zeros, 8) == 0;
}

// its topics are those that the table has for the node, each once
static void
expect_gids(
  const gid24_t * gids, uint32_t count, const endpoints_t * seen, const expected_t * expected,
  int n, int node)
{
  int wanted = 0;
  for (int i = 0; i < n; i++) {
    if (expected[i].node != node) continue;
    int found = 0;
    for (uint32_t g = 0; g < count; g++) {
      for (int k = 0; k < seen->count; k++) {
        bool topic = strcmp(seen->of[k]->topic_name, expected[i].topic) == 0;
        if (topic && gid_is(&gids[g], &seen->of[k]->key)) found++;
      }
    }
    if (found != 1) fail_msg("node %d: %s is listed %d times", node, expected[i].topic, found);
    wanted++;
  }
  assert_int_equal(count, wanted);
}

static const node_info_t *
node_named(const info_t * info, const char * name_space, const char * name)
{
  for (uint32_t i = 0; i < info->node_entities_info_seq._length; i++) {
    const node_info_t * node = &info->node_entities_info_seq._buffer[i];
    bool same = strcmp(node->node_namespace, name_space) == 0;
    if (same && strcmp(node->node_name, name) == 0) return node;
  }
  fail_msg("no node %s in %s", name, name_space);
  return NULL;
}

static void
expect_info(const info_t * info)
{
  static const char * const names[NODES][2] = {{"/", "first"}, {"/ns1", "second"}};
  assert_true(gid_is(&info->gid, &other));
  assert_int_equal(info->node_entities_info_seq._length, NODES);
  for (int i = 0; i < NODES; i++) {
    const node_info_t * node = node_named(info, names[i][0], names[i][1]);
    expect_gids(
      node->reader_gid_seq._buffer, node->reader_gid_seq._length, &seen_readers, readers, READERS,
      i);
    expect_gids(
      node->writer_gid_seq._buffer, node->writer_gid_seq._length, &seen_writers, writers, WRITERS,
      i);
  }
}

// a late joiner gets one sample with all nodes
static void
nodes_and_their_endpoints(void ** state)
{
  (void)state;
  dds_qos_t * qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t topic = dds_create_topic(
    participant, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info", NULL,
    NULL);
  info_reader = dds_create_reader(participant, topic, qos, NULL);
  dds_delete_qos(qos);
  assert_true(topic > 0 && info_reader > 0);
  void * sample[1] = {NULL};
  dds_sample_info_t info;
  dds_return_t n = 0;
  for (int ms = 0; ms < SEE_MS && n == 0; ms++) {
    n = dds_take(info_reader, sample, &info, 1, 1);
    if (n == 0) sleep_ms(1);
  }
  assert_int_equal(n, 1);
  assert_true(info.valid_data);
  expect_info(sample[0]);
  dds_return_loan(info_reader, sample, n);
  assert_int_equal(dds_take(info_reader, sample, &info, 1, 1), 0);
}

// a node that is told to stop says goodbye: nobody waits for its lease to run out
static void
goodbye(void ** state)
{
  (void)state;
  pid_t pid = helper.pid;
  assert_int_equal(process_end(&helper, SIGTERM, END_MS), 0);
  int ms = 0;
  while (find_participant(pid) && ms++ < 1000) sleep_ms(1);
  assert_false(find_participant(pid));
}

int
main(void)
{
  domain = own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(participant_has_its_mark),
    cmocka_unit_test(publications),
    cmocka_unit_test(subscriptions),
    cmocka_unit_test(endpoints_count_once),
    cmocka_unit_test(ends_of_a_service_have_one_mark),
    cmocka_unit_test(nodes_and_their_endpoints),
    cmocka_unit_test(goodbye),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
