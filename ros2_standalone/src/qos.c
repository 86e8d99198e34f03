// QoS profiles of ROS 2 as QoS of DDS, with the choices of rmw_cyclonedds.
#include "impl.h"

bool
rmw_time_equal(const rmw_time_t left, const rmw_time_t right)
{
  return rmw_time_total_nsec(left) == rmw_time_total_nsec(right);
}

rmw_duration_t
rmw_time_total_nsec(const rmw_time_t time)
{
  const uint64_t second = 1000000000u;
  const uint64_t most = (uint64_t)INT64_MAX;
  if (time.sec > most / second) return INT64_MAX;
  uint64_t ns = time.sec * second;
  return time.nsec > most - ns ? INT64_MAX : (rmw_duration_t)(ns + time.nsec);
}

rmw_message_info_t
rmw_get_zero_initialized_message_info(void)
{
  return (rmw_message_info_t){0};
}

// no time given means no limit; INT64_MAX is how DDS spells that, too
static dds_duration_t
duration(rmw_time_t time)
{
  rmw_duration_t ns = rmw_time_total_nsec(time);
  return ns == 0 ? DDS_INFINITY : ns;
}

static rmw_time_t
actual_time(rmw_time_t time)
{
  uint64_t ns = (uint64_t)duration(time);
  return (rmw_time_t){ns / 1000000000u, ns % 1000000000u};
}

rmw_qos_profile_t
sa_actual_qos(const rmw_qos_profile_t * profile)
{
  rmw_qos_profile_t qos = *profile;
  if (qos.history == RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT) {
    qos.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  }
  if (qos.history == RMW_QOS_POLICY_HISTORY_KEEP_LAST && qos.depth == 0) qos.depth = 1;
  if (qos.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL) qos.depth = 0;
  if (qos.reliability == RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT) {
    qos.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
  }
  if (qos.durability == RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT) {
    qos.durability = RMW_QOS_POLICY_DURABILITY_VOLATILE;
  }
  if (qos.liveliness == RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT) {
    qos.liveliness = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
  }
  qos.deadline = actual_time(qos.deadline);
  qos.lifespan = actual_time(qos.lifespan);
  qos.liveliness_lease_duration = actual_time(qos.liveliness_lease_duration);
  return qos;
}

static bool
qos_known(const rmw_qos_profile_t * qos)
{
  bool known = qos->history == RMW_QOS_POLICY_HISTORY_KEEP_LAST ||
               qos->history == RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  known = known && (qos->reliability == RMW_QOS_POLICY_RELIABILITY_RELIABLE ||
                    qos->reliability == RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
  known = known && (qos->durability == RMW_QOS_POLICY_DURABILITY_VOLATILE ||
                    qos->durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  known = known && (qos->liveliness == RMW_QOS_POLICY_LIVELINESS_AUTOMATIC ||
                    qos->liveliness == RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC);
  return known && qos->depth <= INT32_MAX;
}

dds_qos_t *
sa_qos(const rmw_qos_profile_t * profile, bool ignore_local)
{
  rmw_qos_profile_t want = sa_actual_qos(profile);
  dds_qos_t * qos = qos_known(&want) ? dds_create_qos() : NULL;
  if (qos == NULL) {
    RCL_SET_ERROR_MSG("unsupported policy or depth in QoS profile");
    return NULL;
  }
  bool keep_last = want.history == RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  dds_history_kind_t history = keep_last ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL;
  int32_t depth = keep_last ? (int32_t)want.depth : DDS_LENGTH_UNLIMITED;
  dds_qset_history(qos, history, depth);
  dds_qset_writer_data_lifecycle(qos, false);

  bool reliable = want.reliability == RMW_QOS_POLICY_RELIABILITY_RELIABLE;
  dds_qset_reliability(
    qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
    reliable ? DDS_INFINITY : 0);

  // what late joiners get is as deep as the history
  if (want.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL) {
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_durability_service(
      qos, 0, history, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  } else {
    dds_qset_durability(qos, DDS_DURABILITY_VOLATILE);
  }

  dds_qset_lifespan(qos, duration(want.lifespan));
  dds_qset_deadline(qos, duration(want.deadline));
  dds_qset_liveliness(
    qos,
    want.liveliness == RMW_QOS_POLICY_LIVELINESS_AUTOMATIC ? DDS_LIVELINESS_AUTOMATIC
                                                           : DDS_LIVELINESS_MANUAL_BY_TOPIC,
    duration(want.liveliness_lease_duration));
  if (ignore_local) dds_qset_ignorelocal(qos, DDS_IGNORELOCAL_PARTICIPANT);
  return qos;
}
