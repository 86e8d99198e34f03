/// \file rmw/topic_endpoint_info_array.h
/// Publishers or subscriptions of a topic, with their nodes and QoS.
#ifndef RMW__TOPIC_ENDPOINT_INFO_ARRAY_H_
#define RMW__TOPIC_ENDPOINT_INFO_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include "rcutils/allocator.h"
#include "rmw/ret_types.h"
#include "rmw/types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rmw_endpoint_type_e {
  RMW_ENDPOINT_INVALID = 0,
  RMW_ENDPOINT_PUBLISHER,
  RMW_ENDPOINT_SUBSCRIPTION
} rmw_endpoint_type_t;

typedef struct rmw_topic_endpoint_info_s {
  const char * node_name;       ///< "_NODE_NAME_UNKNOWN_" if nobody has announced it
  const char * node_namespace;  ///< "_NODE_NAMESPACE_UNKNOWN_" likewise
  const char * topic_type;
  rmw_endpoint_type_t endpoint_type;
  uint8_t endpoint_gid[RMW_GID_STORAGE_SIZE];
  rmw_qos_profile_t qos_profile;
} rmw_topic_endpoint_info_t;

typedef struct rmw_topic_endpoint_info_array_s {
  size_t size;
  rmw_topic_endpoint_info_t * info_array;
} rmw_topic_endpoint_info_array_t;

RMW_PUBLIC RMW_WARN_UNUSED rmw_topic_endpoint_info_array_t
rmw_get_zero_initialized_topic_endpoint_info_array(void);
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t rmw_topic_endpoint_info_array_fini(
  rmw_topic_endpoint_info_array_t * array, rcutils_allocator_t * allocator);

#ifdef __cplusplus
}
#endif

#endif  // RMW__TOPIC_ENDPOINT_INFO_ARRAY_H_
