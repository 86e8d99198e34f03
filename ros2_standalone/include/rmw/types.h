/// \file rmw/types.h
/// QoS profiles, message and service information.
#ifndef RMW__TYPES_H_
#define RMW__TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rcutils/logging.h"
#include "rmw/ret_types.h"
#include "rmw/serialized_message.h"
#include "rmw/time.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RMW_GID_STORAGE_SIZE 24u

typedef enum rmw_unique_network_flow_endpoints_requirement_e {
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED = 0,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_OPTIONALLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_SYSTEM_DEFAULT
} rmw_unique_network_flow_endpoints_requirement_t;

typedef struct rmw_publisher_options_s {
  void * rmw_specific_publisher_payload;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints;
} rmw_publisher_options_t;

typedef struct rmw_subscription_options_s {
  void * rmw_specific_subscription_payload;
  bool ignore_local_publications;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints;
  void * content_filter_options;  // not supported: must be NULL
} rmw_subscription_options_t;

/// Accepted and ignored: there is nothing to preallocate beyond the sample pool.
typedef struct rmw_publisher_allocation_s {
  const char * implementation_identifier;
  void * data;
} rmw_publisher_allocation_t;

typedef rmw_publisher_allocation_t rmw_subscription_allocation_t;

/// Who asked: 8 bytes of the client's own mark, 8 bytes of its writer as we know it.
typedef struct rmw_request_id_s {
  int8_t writer_guid[16];
  int64_t sequence_number;
} rmw_request_id_t;

typedef struct rmw_service_info_s {
  rmw_time_point_value_t source_timestamp;
  rmw_time_point_value_t received_timestamp;
  rmw_request_id_t request_id;
} rmw_service_info_t;

typedef enum rmw_qos_reliability_policy_e {
  RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  RMW_QOS_POLICY_RELIABILITY_UNKNOWN
} rmw_qos_reliability_policy_t;

typedef enum rmw_qos_history_policy_e {
  RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  RMW_QOS_POLICY_HISTORY_UNKNOWN
} rmw_qos_history_policy_t;

typedef enum rmw_qos_durability_policy_e {
  RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  RMW_QOS_POLICY_DURABILITY_VOLATILE,
  RMW_QOS_POLICY_DURABILITY_UNKNOWN
} rmw_qos_durability_policy_t;

typedef enum rmw_qos_liveliness_policy_e {
  RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT = 0,
  RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = 1,
  RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC = 3,
  RMW_QOS_POLICY_LIVELINESS_UNKNOWN = 4
} rmw_qos_liveliness_policy_t;

enum { RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT = 0 };

#define RMW_QOS_DEADLINE_DEFAULT                  RMW_DURATION_UNSPECIFIED
#define RMW_QOS_LIFESPAN_DEFAULT                  RMW_DURATION_UNSPECIFIED
#define RMW_QOS_LIVELINESS_LEASE_DURATION_DEFAULT RMW_DURATION_UNSPECIFIED

typedef struct rmw_qos_profile_s {
  enum rmw_qos_history_policy_e history;
  size_t depth;
  enum rmw_qos_reliability_policy_e reliability;
  enum rmw_qos_durability_policy_e durability;
  struct rmw_time_s deadline;
  struct rmw_time_s lifespan;
  enum rmw_qos_liveliness_policy_e liveliness;
  struct rmw_time_s liveliness_lease_duration;
  bool avoid_ros_namespace_conventions;
} rmw_qos_profile_t;

typedef struct rmw_gid_s {
  const char * implementation_identifier;
  uint8_t data[RMW_GID_STORAGE_SIZE];
} rmw_gid_t;

#define RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED UINT64_MAX

typedef struct rmw_message_info_s {
  rmw_time_point_value_t source_timestamp;
  rmw_time_point_value_t received_timestamp;  // always 0, as with Cyclone's rmw
  uint64_t publication_sequence_number;
  uint64_t reception_sequence_number;
  rmw_gid_t publisher_gid;
  bool from_intra_process;
} rmw_message_info_t;

RMW_PUBLIC RMW_WARN_UNUSED rmw_message_info_t rmw_get_zero_initialized_message_info(void);

#ifdef __cplusplus
}
#endif

#endif  // RMW__TYPES_H_
