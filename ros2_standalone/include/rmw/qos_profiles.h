/// \file rmw/qos_profiles.h
/// The QoS profiles of ROS 2.
#ifndef RMW__QOS_PROFILES_H_
#define RMW__QOS_PROFILES_H_

#include "rmw/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// keep last `depth`; times unspecified, liveliness as the system has it
#define RMW_STANDALONE_PROFILE(depth_, reliability_)                                             \
  {                                                                                              \
    RMW_QOS_POLICY_HISTORY_KEEP_LAST, depth_, reliability_, RMW_QOS_POLICY_DURABILITY_VOLATILE,  \
      RMW_QOS_DEADLINE_DEFAULT, RMW_QOS_LIFESPAN_DEFAULT,                                        \
      RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT, RMW_QOS_LIVELINESS_LEASE_DURATION_DEFAULT, false \
  }

static const rmw_qos_profile_t rmw_qos_profile_sensor_data =
  RMW_STANDALONE_PROFILE(5, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
static const rmw_qos_profile_t rmw_qos_profile_parameters =
  RMW_STANDALONE_PROFILE(1000, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_default =
  RMW_STANDALONE_PROFILE(10, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_services_default =
  RMW_STANDALONE_PROFILE(10, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_parameter_events =
  RMW_STANDALONE_PROFILE(1000, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_system_default = {
  RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  RMW_QOS_DEADLINE_DEFAULT,
  RMW_QOS_LIFESPAN_DEFAULT,
  RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
  RMW_QOS_LIVELINESS_LEASE_DURATION_DEFAULT,
  false};

#undef RMW_STANDALONE_PROFILE

#ifdef __cplusplus
}
#endif

#endif  // RMW__QOS_PROFILES_H_
