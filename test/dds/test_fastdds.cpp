// Joint states between the stand-in and eProsima's Fast DDS, both ways: another implementation of
// DDS, with a type that is opaque to it, reads what we write and writes what we read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <map>
#include <mutex>
#include <string>
#include <vector>

// after the C++ headers: it defines fail
extern "C" {
#include <cmocka.h>
}

#include "process.h"
#include "session.h"

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

enum { COUNT = 500, CAPACITY = 1024, PEERS = 6, START_MS = 20000, END_MS = 10000 };

static const char topic_name[] = "rt/joint_states";
static const char type_name[] = "sensor_msgs::msg::dds_::JointState_";

typedef std::vector<uint8_t> bytes_t;

// Fast DDS 2.9 deletes one of its own objects by the size of another
extern "C" __attribute__((visibility("default"))) const char *
__asan_default_options()
{
  return "new_delete_type_mismatch=0";
}

//---------- bytes as a type ----------

// the payload as it is, with its encapsulation
class RawType : public fast::TopicDataType
{
 public:
  RawType()
  {
    setName(type_name);
    m_typeSize = CAPACITY;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }

  bool
  serialize(void * data, rtps::SerializedPayload_t * payload) override
  {
    const bytes_t * bytes = static_cast<bytes_t *>(data);
    if (bytes->size() > payload->max_size) return false;
    memcpy(payload->data, bytes->data(), bytes->size());
    payload->length = static_cast<uint32_t>(bytes->size());
    payload->encapsulation = CDR_LE;
    return true;
  }

  bool
  deserialize(rtps::SerializedPayload_t * payload, void * data) override
  {
    static_cast<bytes_t *>(data)->assign(payload->data, payload->data + payload->length);
    return true;
  }

  std::function<uint32_t()>
  getSerializedSizeProvider(void * data) override
  {
    return [data]() { return static_cast<uint32_t>(static_cast<bytes_t *>(data)->size()); };
  }

  void *
  createData() override
  {
    return new bytes_t;
  }

  void
  deleteData(void * data) override
  {
    delete static_cast<bytes_t *>(data);
  }

  bool
  getKey(void *, rtps::InstanceHandle_t *, bool) override
  {
    return false;
  }
};

//---------- what Fast DDS hears ----------

struct endpoint_t {
  std::string type;
  bool reliable, latched, keyless;
  int64_t lifespan_s;
};

class Listener : public fast::DomainParticipantListener
{
 public:
  void
  on_participant_discovery(
    fast::DomainParticipant *, rtps::ParticipantDiscoveryInfo && info) override
  {
    std::lock_guard<std::mutex> hold(lock);
    user_data.assign(info.info.m_userData.begin(), info.info.m_userData.end());
  }

  void
  on_publisher_discovery(fast::DomainParticipant *, rtps::WriterDiscoveryInfo && info) override
  {
    std::lock_guard<std::mutex> hold(lock);
    if (info.status != rtps::WriterDiscoveryInfo::DISCOVERED_WRITER) return;
    writers[info.info.topicName().to_string()] = {
      info.info.typeName().to_string(),
      info.info.m_qos.m_reliability.kind == fast::RELIABLE_RELIABILITY_QOS,
      info.info.m_qos.m_durability.kind == fast::TRANSIENT_LOCAL_DURABILITY_QOS,
      info.info.topicKind() == rtps::NO_KEY, info.info.m_qos.m_lifespan.duration.seconds};
  }

  void
  on_subscriber_discovery(fast::DomainParticipant *, rtps::ReaderDiscoveryInfo && info) override
  {
    std::lock_guard<std::mutex> hold(lock);
    if (info.status != rtps::ReaderDiscoveryInfo::DISCOVERED_READER) return;
    readers[info.info.topicName().to_string()] = {
      info.info.typeName().to_string(),
      info.info.m_qos.m_reliability.kind == fast::RELIABLE_RELIABILITY_QOS,
      info.info.m_qos.m_durability.kind == fast::TRANSIENT_LOCAL_DURABILITY_QOS,
      info.info.topicKind() == rtps::NO_KEY, 0};
  }

  std::mutex lock;
  std::map<std::string, endpoint_t> writers, readers;
  std::string user_data;
};

static int domain;
static Listener listener;
static fast::DomainParticipant * participant;
static fast::Topic * topic;
static process_t helper;
static std::vector<bytes_t> samples;

//---------- participant ----------

// loopback only, no multicast, and the ports where Cyclone may be
static fast::DomainParticipantQos
participant_qos()
{
  fast::DomainParticipantQos qos = fast::PARTICIPANT_QOS_DEFAULT;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  rtps::Locator_t locator;
  rtps::IPLocator::setIPv4(locator, 127, 0, 0, 1);
  qos.wire_protocol().builtin.metatrafficUnicastLocatorList.push_back(locator);
  for (uint32_t i = 0; i < PEERS; i++) {
    locator.port = 7410 + 250 * static_cast<uint32_t>(domain) + 2 * i;
    qos.wire_protocol().builtin.initialPeersList.push_back(locator);
  }
  return qos;
}

static int
setup(void **)
{
  fast::DomainParticipantFactory * factory = fast::DomainParticipantFactory::get_instance();
  participant = factory->create_participant(
    static_cast<uint32_t>(domain), participant_qos(), &listener, fast::StatusMask::none());
  if (participant == nullptr) return 1;
  fast::TypeSupport(new RawType).register_type(participant);
  topic = participant->create_topic(topic_name, type_name, fast::TOPIC_QOS_DEFAULT);
  return topic == nullptr;
}

static int
teardown(void ** state)
{
  if (participant != nullptr) {
    participant->delete_contained_entities();
    fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
  }
  return process_kill_all(state);
}

static void
start(const char * role)
{
  char count[16];
  snprintf(count, sizeof count, "%d", COUNT);
  const char * const argv[] = {PAIR_PROGRAM, role, "reliable", count, nullptr};
  process_start(&helper, argv);
}

static void
expect_line(const char * expected)
{
  char line[256];
  if (!process_line(&helper, line, sizeof line, START_MS)) fail_msg("no '%s'", expected);
  assert_string_equal(line, expected);
}

template <class qos_t>
static void
set_qos(qos_t * qos)
{
  qos->reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
  qos->durability().kind = fast::VOLATILE_DURABILITY_QOS;
  qos->history().kind = fast::KEEP_LAST_HISTORY_QOS;
  qos->history().depth = 2 * COUNT;
  qos->data_sharing().off();
  qos->endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
}

//---------- tests ----------

static void
take_all(fast::DataReader * reader)
{
  fast::SampleInfo info;
  bytes_t bytes;
  for (int ms = 0; ms < START_MS && samples.size() < COUNT; ms++) {
    while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data) samples.push_back(bytes);
    }
    sleep_ms(1);
  }
}

// all of them, in order, byte for byte what our codec writes
static void
ours_to_fast_dds(void **)
{
  fast::DataReaderQos qos = fast::DATAREADER_QOS_DEFAULT;
  set_qos(&qos);
  fast::Subscriber * subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  fast::DataReader * reader = subscriber->create_datareader(topic, qos);
  assert_non_null(reader);
  start("send");
  char frame[16];
  snprintf(frame, sizeof frame, "%d", static_cast<int>(helper.pid));
  take_all(reader);
  // the helper stays until its reader has gone
  subscriber->delete_datareader(reader);
  assert_int_equal(samples.size(), COUNT);
  for (uint32_t k = 0; k < COUNT; k++) {
    uint8_t expected[CAPACITY];
    size_t size = joint_state_bytes(k, frame, expected, sizeof expected);
    assert_int_equal(samples[k].size(), size);
    assert_memory_equal(samples[k].data(), expected, size);
  }
  expect_line("sent 500");
  assert_int_equal(process_end(&helper, 0, END_MS), 0);
}

static void
expect_endpoint(
  const std::map<std::string, endpoint_t> & seen, const char * name, const char * type,
  bool latched)
{
  auto found = seen.find(name);
  if (found == seen.end()) fail_msg("Fast DDS has not seen %s", name);
  assert_string_equal(found->second.type.c_str(), type);
  assert_true(found->second.reliable);
  assert_true(found->second.keyless);
  assert_int_equal(found->second.latched, latched);
}

// our names, types and QoS, as Fast DDS understood them
static void
fast_dds_discovers_us(void **)
{
  std::lock_guard<std::mutex> hold(listener.lock);
  const char info[] = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
  expect_endpoint(listener.writers, topic_name, type_name, false);
  expect_endpoint(listener.writers, "ros_discovery_info", info, true);
  expect_endpoint(listener.readers, "ros_discovery_info", info, true);
  assert_true(listener.writers[topic_name].lifespan_s >= INT32_MAX);
  assert_string_equal(listener.user_data.c_str(), "enclave=/;");
}

// a reader that is not matched on both sides would miss the first ones
static void
wait_for_match(fast::DataWriter * writer)
{
  fast::PublicationMatchedStatus matched;
  matched.current_count = 0;
  expect_line("matched");
  for (int ms = 0; ms < START_MS && matched.current_count == 0; ms++) {
    writer->get_publication_matched_status(matched);
    sleep_ms(1);
  }
  assert_int_equal(matched.current_count, 1);
}

static void
write_all(fast::DataWriter * writer)
{
  for (uint32_t k = 0; k < COUNT; k++) {
    bytes_t bytes(CAPACITY);
    bytes.resize(joint_state_bytes(k, "fast", bytes.data(), bytes.size()));
    assert_true(writer->write(&bytes));
  }
}

static void
fast_dds_to_ours(void **)
{
  fast::DataWriterQos qos = fast::DATAWRITER_QOS_DEFAULT;
  set_qos(&qos);
  fast::Publisher * publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
  fast::DataWriter * writer = publisher->create_datawriter(topic, qos);
  assert_non_null(writer);
  start("receive");
  wait_for_match(writer);
  write_all(writer);
  expect_line("from fast");
  expect_line("received 500 lost 0 wrong 0");
  assert_int_equal(process_end(&helper, 0, END_MS), 0);
  std::lock_guard<std::mutex> hold(listener.lock);
  expect_endpoint(listener.readers, topic_name, type_name, false);
}

int
main()
{
  domain = own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ours_to_fast_dds),
    cmocka_unit_test(fast_dds_discovers_us),
    cmocka_unit_test(fast_dds_to_ours),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
