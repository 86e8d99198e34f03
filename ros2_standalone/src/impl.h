/// \file impl.h
/// What is behind the `impl` pointers, and what the sources share.
#ifndef IMPL_H_
#define IMPL_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cdr.h"
#include "raw_cdr.h"
#include "rcl/client.h"
#include "rcl/context.h"
#include "rcl/error_handling.h"
#include "rcl/guard_condition.h"
#include "rcl/node.h"
#include "rcl/publisher.h"
#include "rcl/service.h"
#include "rcl/subscription.h"
#include "rcl/timer.h"
#include "rcl/wait.h"
#include "rcl_yaml_param_parser/parser.h"
#include "rmw_dds_common/msg/participant_entities_info.h"

//---------- arguments ----------

enum { REMAP_TOPIC = 1, REMAP_SERVICE = 2, REMAP_NODE = 4, REMAP_NAMESPACE = 8 };

typedef struct {
  unsigned kinds;  // REMAP_* bits
  char * node;     // only for nodes of this name, or NULL
  char * match;    // NULL for node and namespace rules
  char * replacement;
} sa_remap_t;

struct rcl_arguments_impl_s {
  rcl_allocator_t allocator;
  sa_remap_t * remaps;
  size_t remap_count;
  rcl_params_t * params;
  int param_files;
  int * unparsed;
  int unparsed_count;
  int * unparsed_ros;
  int unparsed_ros_count;
  rcl_log_levels_t log_levels;
  char * enclave;
  bool stdout_off, rosout_off, ext_lib_off;
};

/// Reads "[node:]match:=replacement" into a rule; false (nothing to free) if it is none.
bool sa_remap_parse(const char * text, rcl_allocator_t allocator, sa_remap_t * rule);
void sa_remap_free(sa_remap_t * rule, rcl_allocator_t allocator);

//---------- DDS endpoints ----------

typedef struct {
  dds_entity_t writer;
  struct ddsi_sertype * type;
  const cdr_members_t * members;
  dds_instance_handle_t handle;
} sa_writer_t;

typedef struct {
  dds_entity_t reader;
  dds_entity_t condition;
  const cdr_members_t * members;
  atomic_uint_fast64_t dropped;  // samples that did not decode
} sa_reader_t;

/// \param[in] topic      DDS name
/// \param[in] user_data  or NULL
rcl_ret_t sa_writer_open(
  sa_writer_t * writer, const rcl_context_t * context, const cdr_members_t * members,
  const char * topic, const rmw_qos_profile_t * qos, const char * user_data);
rcl_ret_t sa_reader_open(
  sa_reader_t * reader, const rcl_context_t * context, const cdr_members_t * members,
  const char * topic, const rmw_qos_profile_t * qos, const char * user_data, bool ignore_local);
void sa_writer_close(sa_writer_t * writer);
void sa_reader_close(sa_reader_t * reader);

/// Serializes and writes; id is NULL for topics.
rcl_ret_t sa_write(const sa_writer_t * writer, const void * message, const cdr_request_id_t * id);
/// The next sample with data, for the caller to ddsi_serdata_unref, or NULL.
raw_sample_t * sa_take(const sa_reader_t * reader, dds_sample_info_t * info);
void sa_count_dropped(sa_reader_t * reader);

/// Members of a message type support, or NULL with an error set.
const cdr_members_t * sa_members(const rosidl_message_type_support_t * type_support);

/// QoS of a profile for dds_delete_qos, or NULL with an error set.
dds_qos_t * sa_qos(const rmw_qos_profile_t * profile, bool ignore_local);
/// The profile without "system default" and "unspecified": what was really asked of DDS.
rmw_qos_profile_t sa_actual_qos(const rmw_qos_profile_t * profile);

//---------- names ----------

/// "rt" + "/name" + "" etc.; the caller frees with the allocator.
char * sa_dds_name(
  const char * prefix, const char * name, const char * suffix, const rmw_qos_profile_t * qos,
  rcl_allocator_t allocator);
/// DDS type name, e.g. std_msgs::msg::dds_::String_; false if it does not fit.
bool sa_dds_type(const cdr_members_t * members, char * name, size_t size);
/// Expands, remaps and validates a name (caller frees).
rcl_ret_t sa_resolve(
  const rcl_node_t * node, const char * name, bool is_service, bool only_expand,
  rcl_allocator_t allocator, char ** output);
/// The same for an endpoint: an unknown {word} makes the name invalid.
rcl_ret_t sa_endpoint_name(
  const rcl_node_t * node, const char * name, bool is_service, rcl_allocator_t allocator,
  char ** output);

//---------- context, node, graph ----------

typedef struct sa_peer {
  struct sa_peer * next;
  rmw_dds_common__msg__ParticipantEntitiesInfo info;
} sa_peer_t;

struct rcl_init_options_impl_s {
  rcl_allocator_t allocator;
  size_t domain_id;
};

struct rcl_guard_condition_impl_s {
  dds_entity_t condition;
  rcl_guard_condition_options_t options;
};

struct rcl_context_impl_s {
  rcl_allocator_t allocator;
  rcl_init_options_t init_options;
  size_t domain_id;
  bool localhost_only;
  bool security_enforced;
  char * security_root;  // folder with keys and certificates, or NULL
  char * enclave;

  // from the first node to the last
  pthread_mutex_t lock;  // nodes, and the order in which they are announced
  rcl_node_impl_t * nodes;
  dds_entity_t domain, participant, publisher, subscriber;
  dds_guid_t guid;
  uint32_t last_service_id;

  // the graph
  sa_writer_t info_writer;
  sa_reader_t info_reader;
  dds_entity_t participants, publications, subscriptions;  // built-in topics
  rcl_guard_condition_t graph_guard;
  pthread_mutex_t peer_lock;  // held while samples are taken, never while one is written
  sa_peer_t * peers;
};

struct rcl_node_impl_s {
  rcl_node_impl_t * next;
  rcl_node_options_t options;
  char * name;
  char * namespace_;
  char * fq_name;
  char * logger_name;
  rmw_dds_common__msg__Gid * readers;
  size_t reader_count;
  rmw_dds_common__msg__Gid * writers;
  size_t writer_count;
};

/// Properties of DDS Security for a participant; false if a file is missing.
bool sa_security_qos(dds_qos_t * qos, const char * root);
/// Folder of an enclave's files from ROS_SECURITY_*; NULL if security is off or it is not there.
rcl_ret_t sa_security_root(
  const char * enclave, rcl_allocator_t allocator, char ** root, bool * enforced);

/// Calls for every endpoint that a built-in reader knows.
typedef void (*sa_endpoint_fn)(const dds_builtintopic_endpoint_t * endpoint, void * arg);
rcl_ret_t sa_for_each_endpoint(dds_entity_t reader, sa_endpoint_fn call, void * arg);
/// "a::msg::dds_::B_" is "a/msg/B", the suffix ("_", or of services "_Request_") goes; any other name
/// stays as it is. NULL if out of memory.
char * sa_ros_type(const char * dds, const char * suffix, rcl_allocator_t allocator);

/// Readers and writers that follow the graph. If that fails, the participant is gone.
rcl_ret_t sa_graph_start(rcl_context_t * context);
void sa_graph_stop(rcl_context_t * context);
/// Tells everybody that a node has come or gone.
rcl_ret_t sa_graph_add_node(rcl_context_t * context, rcl_node_impl_t * node);
void sa_graph_remove_node(rcl_context_t * context, rcl_node_impl_t * node);
/// Tells everybody about endpoints of a node; 0 for none.
rcl_ret_t sa_graph_add(const rcl_node_t * node, dds_entity_t reader, dds_entity_t writer);
void sa_graph_remove(const rcl_node_t * node, dds_entity_t reader, dds_entity_t writer);

/// The first node of a context brings the participant, the last takes it away.
rcl_ret_t sa_participant_open(rcl_context_t * context);
/// Enough descriptors and address space for a participant, or an error that names the limit.
rcl_ret_t sa_limits_check(void);
void sa_participant_close(rcl_context_t * context);

//---------- entities ----------

struct rcl_publisher_impl_s {
  rcl_context_t * context;
  rcl_publisher_options_t options;
  rmw_qos_profile_t actual_qos;
  char * topic_name;
  sa_writer_t out;
};

struct rcl_subscription_impl_s {
  rcl_subscription_options_t options;
  rmw_qos_profile_t actual_qos;
  char * topic_name;
  sa_reader_t in;
};

/// Both ends of a service: a server reads requests and writes replies, a client the reverse.
typedef struct {
  sa_reader_t in;
  sa_writer_t out;
  char * name;
} sa_service_t;

rcl_ret_t sa_service_open(
  sa_service_t * service, const rcl_node_t * node,
  const rosidl_service_type_support_t * type_support, const char * name,
  const rmw_qos_profile_t * qos, bool is_server, rcl_allocator_t allocator);
void sa_service_close(sa_service_t * service, const rcl_node_t * node, rcl_allocator_t allocator);
/// Next request or reply; only_for is a client's mark, 0 for all. False if there is none.
bool sa_service_take(
  sa_service_t * service, uint64_t only_for, rmw_service_info_t * info, void * message);
/// Value of "key=value;" in an endpoint's user data.
bool sa_user_data(const dds_qos_t * qos, const char * key, char * value, size_t size);
void sa_endpoint_free(dds_builtintopic_endpoint_t * endpoint);

struct rcl_service_impl_s {
  rcl_service_options_t options;
  sa_service_t ends;
};

struct rcl_client_impl_s {
  rcl_client_options_t options;
  sa_service_t ends;
};

struct rcl_timer_impl_s {
  rcl_clock_t * clock;
  rcl_guard_condition_t guard;
  _Atomic(rcl_timer_callback_t) callback;
  atomic_int_fast64_t period, time_credit, last_call, next_call;
  atomic_bool canceled;
  rcl_allocator_t allocator;
};

/// The /rosout publisher of a node: made if logging is configured and the node wants one.
rcl_ret_t sa_rosout_open(rcl_node_t * node);
void sa_rosout_close(rcl_node_t * node);

#endif  // IMPL_H_
