// Wait sets: a waitset of Cyclone that stays attached as long as the same things are waited for.
#include "rcl/wait.h"

#include <string.h>

#include "impl.h"

struct rcl_wait_set_impl_s {
  rcl_allocator_t allocator;
  dds_entity_t waitset;
  atomic_flag in_use;

  // how many of each have been added
  size_t subscriptions, guard_conditions, timers, clients, services;

  size_t capacity;          // of the arrays below
  dds_entity_t * attached;  // what the waitset has
  size_t attached_count;
  dds_entity_t * wanted;  // what it should have
  size_t wanted_count;
  dds_attach_t * triggered;
  bool * ready;  // of `wanted`
};

rcl_wait_set_t
rcl_get_zero_initialized_wait_set(void)
{
  return (rcl_wait_set_t){0};
}

bool
rcl_wait_set_is_valid(const rcl_wait_set_t * wait_set)
{
  return wait_set != NULL && wait_set->impl != NULL;
}

static bool
reserve(rcl_wait_set_t * set, rcl_wait_set_impl_t * impl)
{
  rcl_allocator_t a = impl->allocator;
  size_t n = impl->capacity;
  set->subscriptions = a.zero_allocate(set->size_of_subscriptions + 1, sizeof(void *), a.state);
  set->guard_conditions =
    a.zero_allocate(set->size_of_guard_conditions + 1, sizeof(void *), a.state);
  set->timers = a.zero_allocate(set->size_of_timers + 1, sizeof(void *), a.state);
  set->clients = a.zero_allocate(set->size_of_clients + 1, sizeof(void *), a.state);
  set->services = a.zero_allocate(set->size_of_services + 1, sizeof(void *), a.state);
  impl->attached = a.zero_allocate(n + 1, sizeof *impl->attached, a.state);
  impl->wanted = a.zero_allocate(n + 1, sizeof *impl->wanted, a.state);
  impl->triggered = a.zero_allocate(n + 1, sizeof *impl->triggered, a.state);
  impl->ready = a.zero_allocate(n + 1, sizeof *impl->ready, a.state);
  return set->subscriptions != NULL && set->guard_conditions != NULL && set->timers != NULL &&
         set->clients != NULL && set->services != NULL && impl->attached != NULL &&
         impl->wanted != NULL && impl->triggered != NULL && impl->ready != NULL;
}

rcl_ret_t
rcl_wait_set_init(
  rcl_wait_set_t * wait_set, size_t number_of_subscriptions, size_t number_of_guard_conditions,
  size_t number_of_timers, size_t number_of_clients, size_t number_of_services,
  size_t number_of_events, rcl_context_t * context, rcl_allocator_t allocator)
{
  RCL_CHECK_ALLOCATOR(&allocator, return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(wait_set, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  if (wait_set->impl != NULL) {
    RCL_SET_ERROR_MSG("wait_set already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  if (!rcl_context_is_valid(context)) {
    RCL_SET_ERROR_MSG("context is not valid: before rcl_init or after rcl_shutdown");
    return RCL_RET_NOT_INIT;
  }
  if (number_of_events != 0) {
    RCL_SET_ERROR_MSG("events are not supported");
    return RCL_RET_UNSUPPORTED;
  }
  rcl_wait_set_impl_t * impl = allocator.zero_allocate(1, sizeof *impl, allocator.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  wait_set->impl = impl;
  wait_set->size_of_subscriptions = number_of_subscriptions;
  wait_set->size_of_guard_conditions = number_of_guard_conditions;
  wait_set->size_of_timers = number_of_timers;
  wait_set->size_of_clients = number_of_clients;
  wait_set->size_of_services = number_of_services;
  impl->allocator = allocator;
  atomic_flag_clear(&impl->in_use);
  impl->capacity = number_of_subscriptions + number_of_guard_conditions + number_of_timers +
                   number_of_clients + number_of_services;
  impl->waitset = dds_create_waitset(DDS_CYCLONEDDS_HANDLE);
  if (impl->waitset > 0 && reserve(wait_set, impl)) return RCL_RET_OK;
  return rcl_wait_set_fini(wait_set) == RCL_RET_OK ? RCL_RET_BAD_ALLOC : RCL_RET_ERROR;
}

rcl_ret_t
rcl_wait_set_fini(rcl_wait_set_t * wait_set)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(wait_set, RCL_RET_INVALID_ARGUMENT);
  rcl_wait_set_impl_t * impl = wait_set->impl;
  if (impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = impl->allocator;
  if (impl->waitset > 0) dds_delete(impl->waitset);
  a.deallocate(wait_set->subscriptions, a.state);
  a.deallocate(wait_set->guard_conditions, a.state);
  a.deallocate(wait_set->timers, a.state);
  a.deallocate(wait_set->clients, a.state);
  a.deallocate(wait_set->services, a.state);
  a.deallocate(impl->attached, a.state);
  a.deallocate(impl->wanted, a.state);
  a.deallocate(impl->triggered, a.state);
  a.deallocate(impl->ready, a.state);
  a.deallocate(impl, a.state);
  *wait_set = rcl_get_zero_initialized_wait_set();
  return RCL_RET_OK;
}

rcl_ret_t
rcl_wait_set_get_allocator(const rcl_wait_set_t * wait_set, rcl_allocator_t * allocator)
{
  if (!rcl_wait_set_is_valid(wait_set)) return RCL_RET_WAIT_SET_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(allocator, RCL_RET_INVALID_ARGUMENT);
  *allocator = wait_set->impl->allocator;
  return RCL_RET_OK;
}

//---------- filling ----------

rcl_ret_t
rcl_wait_set_clear(rcl_wait_set_t * wait_set)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(wait_set, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(wait_set->impl, RCL_RET_WAIT_SET_INVALID);
  rcl_wait_set_impl_t * impl = wait_set->impl;
  memset(wait_set->subscriptions, 0, wait_set->size_of_subscriptions * sizeof(void *));
  memset(wait_set->guard_conditions, 0, wait_set->size_of_guard_conditions * sizeof(void *));
  memset(wait_set->timers, 0, wait_set->size_of_timers * sizeof(void *));
  memset(wait_set->clients, 0, wait_set->size_of_clients * sizeof(void *));
  memset(wait_set->services, 0, wait_set->size_of_services * sizeof(void *));
  impl->subscriptions = impl->guard_conditions = impl->timers = 0;
  impl->clients = impl->services = 0;
  return RCL_RET_OK;
}

#define SET_ADD(set, kind, item, index)                              \
  RCL_CHECK_ARGUMENT_FOR_NULL(set, RCL_RET_INVALID_ARGUMENT);        \
  RCL_CHECK_ARGUMENT_FOR_NULL(set->impl, RCL_RET_WAIT_SET_INVALID);  \
  RCL_CHECK_ARGUMENT_FOR_NULL(item, RCL_RET_INVALID_ARGUMENT);       \
  RCL_CHECK_ARGUMENT_FOR_NULL(item->impl, RCL_RET_INVALID_ARGUMENT); \
  if (set->impl->kind >= set->size_of_##kind) {                      \
    RCL_SET_ERROR_MSG(#kind " set is full");                         \
    return RCL_RET_WAIT_SET_FULL;                                    \
  }                                                                  \
  if (index != NULL) *index = set->impl->kind;                       \
  set->kind[set->impl->kind++] = item;                               \
  return RCL_RET_OK

rcl_ret_t
rcl_wait_set_add_subscription(
  rcl_wait_set_t * wait_set, const rcl_subscription_t * subscription, size_t * index)
{
  SET_ADD(wait_set, subscriptions, subscription, index);
}

rcl_ret_t
rcl_wait_set_add_guard_condition(
  rcl_wait_set_t * wait_set, const rcl_guard_condition_t * guard_condition, size_t * index)
{
  SET_ADD(wait_set, guard_conditions, guard_condition, index);
}

rcl_ret_t
rcl_wait_set_add_timer(rcl_wait_set_t * wait_set, const rcl_timer_t * timer, size_t * index)
{
  SET_ADD(wait_set, timers, timer, index);
}

rcl_ret_t
rcl_wait_set_add_client(rcl_wait_set_t * wait_set, const rcl_client_t * client, size_t * index)
{
  SET_ADD(wait_set, clients, client, index);
}

rcl_ret_t
rcl_wait_set_add_service(rcl_wait_set_t * wait_set, const rcl_service_t * service, size_t * index)
{
  SET_ADD(wait_set, services, service, index);
}

//---------- waiting ----------

static void
want(rcl_wait_set_impl_t * impl, dds_entity_t entity)
{
  impl->wanted[impl->wanted_count++] = entity;
}

// in the order in which mark_ready walks; a place that is empty is kept
static void
gather(rcl_wait_set_t * set)
{
  rcl_wait_set_impl_t * impl = set->impl;
  impl->wanted_count = 0;
  for (size_t i = 0; i < impl->subscriptions; i++) {
    const rcl_subscription_t * item = set->subscriptions[i];
    want(impl, item == NULL ? 0 : item->impl->in.condition);
  }
  for (size_t i = 0; i < impl->guard_conditions; i++) {
    const rcl_guard_condition_t * item = set->guard_conditions[i];
    want(impl, item == NULL ? 0 : item->impl->condition);
  }
  for (size_t i = 0; i < impl->services; i++) {
    const rcl_service_t * item = set->services[i];
    want(impl, item == NULL ? 0 : item->impl->ends.in.condition);
  }
  for (size_t i = 0; i < impl->clients; i++) {
    const rcl_client_t * item = set->clients[i];
    want(impl, item == NULL ? 0 : item->impl->ends.in.condition);
  }
  for (size_t i = 0; i < impl->timers; i++) {
    const rcl_timer_t * item = set->timers[i];
    want(impl, item == NULL ? 0 : item->impl->guard.impl->condition);
  }
}

// nothing is done, and nothing allocated, while the same things are waited for
static rcl_ret_t
attach(rcl_wait_set_impl_t * impl)
{
  bool same = impl->wanted_count == impl->attached_count;
  for (size_t i = 0; same && i < impl->wanted_count; i++) {
    same = impl->wanted[i] == impl->attached[i];
  }
  if (same) return RCL_RET_OK;
  // what was deleted in the meantime is detached already
  for (size_t i = 0; i < impl->attached_count; i++) {
    if (impl->attached[i] != 0) dds_waitset_detach(impl->waitset, impl->attached[i]);
  }
  impl->attached_count = 0;
  for (size_t i = 0; i < impl->wanted_count; i++) {
    dds_entity_t entity = impl->wanted[i];
    dds_return_t done =
      entity == 0 ? 0 : dds_waitset_attach(impl->waitset, entity, (dds_attach_t)i);
    // added twice: only the first place becomes ready, as in rmw_cyclonedds
    if (done < 0 && done != DDS_RETCODE_PRECONDITION_NOT_MET) {
      RCL_SET_ERROR_MSG("failed to attach an entity to the wait set: was it deleted?");
      return RCL_RET_ERROR;
    }
    impl->attached[impl->attached_count++] = entity;
  }
  return RCL_RET_OK;
}

// how long until a timer is due, if that is sooner; canceled timers are left out
static rcl_ret_t
limit_by_timers(rcl_wait_set_t * set, int64_t * timeout, bool * by_timer)
{
  for (size_t i = 0; i < set->impl->timers; i++) {
    if (set->timers[i] == NULL) continue;
    int64_t until = INT64_MAX;
    rcl_ret_t ret = rcl_timer_get_time_until_next_call(set->timers[i], &until);
    if (ret == RCL_RET_TIMER_CANCELED) {
      set->timers[i] = NULL;
      continue;
    }
    if (ret != RCL_RET_OK) return ret;
    if (until >= *timeout) continue;
    *timeout = until < 0 ? 0 : until;
    *by_timer = true;
  }
  return RCL_RET_OK;
}

static rcl_ret_t
mark_ready(rcl_wait_set_t * set)
{
  rcl_wait_set_impl_t * impl = set->impl;
  const bool * ready = impl->ready;
  for (size_t i = 0; i < impl->subscriptions; i++) {
    if (!*ready++) set->subscriptions[i] = NULL;
  }
  for (size_t i = 0; i < impl->guard_conditions; i++) {
    if (!*ready++) set->guard_conditions[i] = NULL;
  }
  for (size_t i = 0; i < impl->services; i++) {
    if (!*ready++) set->services[i] = NULL;
  }
  for (size_t i = 0; i < impl->clients; i++) {
    if (!*ready++) set->clients[i] = NULL;
  }
  for (size_t i = 0; i < impl->timers; i++) {
    bool due = false;
    if (set->timers[i] == NULL) continue;
    rcl_ret_t ret = rcl_timer_is_ready(set->timers[i], &due);
    if (ret != RCL_RET_OK) return ret;
    if (!due) set->timers[i] = NULL;
  }
  return RCL_RET_OK;
}

// number of things that woke us; a guard condition forgets its trigger here
static dds_return_t
wait_for(rcl_wait_set_t * set, int64_t timeout)
{
  rcl_wait_set_impl_t * impl = set->impl;
  // with capacity for none, Cyclone would refuse to wait
  dds_return_t n =
    dds_waitset_wait(impl->waitset, impl->triggered, impl->attached_count + 1, timeout);
  memset(impl->ready, 0, impl->wanted_count * sizeof *impl->ready);
  for (dds_return_t i = 0; i < n && (size_t)i < impl->attached_count; i++) {
    impl->ready[impl->triggered[i]] = true;
  }
  size_t others = impl->services + impl->clients;
  for (size_t i = impl->subscriptions; i < impl->wanted_count; i++) {
    bool guard = i < impl->subscriptions + impl->guard_conditions ||
                 i >= impl->subscriptions + impl->guard_conditions + others;
    bool triggered;
    if (guard && impl->ready[i]) dds_take_guardcondition(impl->wanted[i], &triggered);
  }
  return n;
}

static rcl_ret_t
wait_once(rcl_wait_set_t * set, int64_t timeout)
{
  int64_t limit = timeout > 0 ? timeout : INT64_MAX;
  bool by_timer = false;
  gather(set);
  rcl_ret_t ret = limit_by_timers(set, &limit, &by_timer);
  if (ret == RCL_RET_OK) ret = attach(set->impl);
  if (ret != RCL_RET_OK) return ret;
  if (timeout == 0) limit = 0;
  dds_return_t n = wait_for(set, limit == INT64_MAX ? DDS_INFINITY : limit);
  ret = mark_ready(set);
  if (ret != RCL_RET_OK) return ret;
  if (n < 0) {
    RCL_SET_ERROR_MSG("waiting failed");
    return RCL_RET_ERROR;
  }
  return n == 0 && !by_timer ? RCL_RET_TIMEOUT : RCL_RET_OK;
}

rcl_ret_t
rcl_wait(rcl_wait_set_t * wait_set, int64_t timeout)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(wait_set, RCL_RET_INVALID_ARGUMENT);
  if (!rcl_wait_set_is_valid(wait_set)) {
    RCL_SET_ERROR_MSG("wait set is invalid");
    return RCL_RET_WAIT_SET_INVALID;
  }
  if (wait_set->impl->capacity == 0) {
    RCL_SET_ERROR_MSG("wait set is empty");
    return RCL_RET_WAIT_SET_EMPTY;
  }
  if (atomic_flag_test_and_set(&wait_set->impl->in_use)) {
    RCL_SET_ERROR_MSG("wait set is already in use by another thread");
    return RCL_RET_ERROR;
  }
  rcl_ret_t ret = wait_once(wait_set, timeout);
  atomic_flag_clear(&wait_set->impl->in_use);
  return ret;
}
