// The DDS participant of a context: it lives from the first node to the last.
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcutils/format_string.h"
#include "rcutils/logging_macros.h"

// ROS_LOCALHOST_ONLY needs a domain of our own making, shared by the contexts of the process
static struct {
  size_t id;
  dds_entity_t entity;
  unsigned users;
} local_domains[8];
static pthread_mutex_t domain_lock = PTHREAD_MUTEX_INITIALIZER;

#define LOOPBACK_INTERFACE "<Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"

static const char multicast_config[] =
  "<CycloneDDS><Domain><General>" LOOPBACK_INTERFACE "</General></Domain></CycloneDDS>,";

// what Cyclone falls back to where the loopback interface has no multicast, after a warning
static const char unicast_config[] =
  "<CycloneDDS><Domain><General>" LOOPBACK_INTERFACE
  "<AllowMulticast>false</AllowMulticast></General><Discovery>"
  "<ParticipantIndex>auto</ParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers>"
  "</Discovery></Domain></CycloneDDS>,";

static bool
loopback_has_multicast(void)
{
  struct ifaddrs *all = NULL, *i;
  bool found = false;
  if (getifaddrs(&all) != 0) return false;
  for (i = all; i != NULL; i = i->ifa_next) {
    if ((i->ifa_flags & IFF_LOOPBACK) && (i->ifa_flags & IFF_MULTICAST)) found = true;
  }
  freeifaddrs(all);
  return found;
}

static dds_entity_t
local_domain_create(size_t id, rcl_allocator_t allocator)
{
  const char * uri = getenv("CYCLONEDDS_URI");
  char * config = rcutils_format_string_limit(
    allocator, 65536, "%s%s", loopback_has_multicast() ? multicast_config : unicast_config,
    uri == NULL ? "" : uri);
  if (config == NULL) return DDS_RETCODE_OUT_OF_RESOURCES;
  dds_entity_t entity = dds_create_domain((dds_domainid_t)id, config);
  allocator.deallocate(config, allocator.state);
  return entity;
}

static bool
local_domain_open(size_t id, rcl_allocator_t allocator)
{
  enum { N = sizeof local_domains / sizeof local_domains[0] };
  pthread_mutex_lock(&domain_lock);
  size_t place = N;
  for (size_t i = N; i-- > 0;) {
    if (local_domains[i].users == 0 && (place == N || local_domains[place].users == 0)) place = i;
    if (local_domains[i].users > 0 && local_domains[i].id == id) place = i;
  }
  bool open = place < N && local_domains[place].users > 0;
  if (!open && place < N) {
    local_domains[place].id = id;
    local_domains[place].entity = local_domain_create(id, allocator);
    open = local_domains[place].entity > 0;
  }
  if (open) local_domains[place].users++;
  pthread_mutex_unlock(&domain_lock);
  return open;
}

static void
local_domain_close(size_t id)
{
  pthread_mutex_lock(&domain_lock);
  for (size_t i = 0; i < sizeof local_domains / sizeof local_domains[0]; i++) {
    if (local_domains[i].users == 0 || local_domains[i].id != id) continue;
    if (--local_domains[i].users == 0) dds_delete(local_domains[i].entity);
  }
  pthread_mutex_unlock(&domain_lock);
}

// the enclave in the user data tells other ROS 2 nodes that we are one
static dds_qos_t *
participant_qos(const rcl_context_impl_t * impl)
{
  dds_qos_t * qos = dds_create_qos();
  char * mark = rcutils_format_string(impl->allocator, "enclave=%s;", impl->enclave);
  if (qos != NULL && mark != NULL) {
    dds_qset_userdata(qos, mark, strlen(mark));
    bool secure = impl->security_root != NULL && sa_security_qos(qos, impl->security_root);
    if (!secure && impl->security_root != NULL && !impl->security_enforced) {
      RCUTILS_LOG_WARN_NAMED(
        "rcl", "running WITHOUT security: enclave '%s' is incomplete (missing file)",
        impl->security_root);
    }
    if (!secure && impl->security_enforced) {
      RCL_SET_ERROR_MSG("security is enforced but a file of the enclave is missing");
      dds_delete_qos(qos);
      qos = NULL;
    }
  }
  impl->allocator.deallocate(mark, impl->allocator.state);
  return qos;
}

static rcl_ret_t
entities_open(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  dds_qos_t * qos = participant_qos(impl);
  if (qos == NULL) return RCL_RET_ERROR;
  impl->participant = dds_create_participant((dds_domainid_t)impl->domain_id, qos, NULL);
  dds_delete_qos(qos);
  if (impl->participant < 0) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
      "failed to create DDS participant in domain %zu: %s", impl->domain_id,
      dds_strretcode(impl->participant));
    return RCL_RET_ERROR;
  }
  impl->publisher = dds_create_publisher(impl->participant, NULL, NULL);
  impl->subscriber = dds_create_subscriber(impl->participant, NULL, NULL);
  bool good = impl->publisher > 0 && impl->subscriber > 0 &&
              dds_get_guid(impl->participant, &impl->guid) >= 0;
  if (good) return sa_graph_start(context);
  dds_delete(impl->participant);
  return RCL_RET_ERROR;
}

rcl_ret_t
sa_participant_open(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  if (impl->domain_id > UINT32_MAX - 1) {
    RCL_SET_ERROR_MSG("domain id is out of range");
    return RCL_RET_ERROR;
  }
  rcl_ret_t ret = sa_limits_check();
  if (ret != RCL_RET_OK) return ret;
  raw_pool_fill();
  if (impl->localhost_only && !local_domain_open(impl->domain_id, impl->allocator)) {
    RCL_SET_ERROR_MSG("failed to create a DDS domain for ROS_LOCALHOST_ONLY");
    return RCL_RET_ERROR;
  }
  ret = entities_open(context);
  if (ret != RCL_RET_OK && impl->localhost_only) local_domain_close(impl->domain_id);
  return ret;
}

void
sa_participant_close(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  sa_graph_stop(context);
  dds_delete(impl->participant);
  if (impl->localhost_only) local_domain_close(impl->domain_id);
}
