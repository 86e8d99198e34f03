// Guard conditions: those of Cyclone, which remember a trigger until a wait takes it.
#include "rcl/guard_condition.h"

#include "impl.h"

rcl_guard_condition_t
rcl_get_zero_initialized_guard_condition(void)
{
  return (rcl_guard_condition_t){0};
}

rcl_guard_condition_options_t
rcl_guard_condition_get_default_options(void)
{
  return (rcl_guard_condition_options_t){.allocator = rcl_get_default_allocator()};
}

rcl_ret_t
rcl_guard_condition_init(
  rcl_guard_condition_t * guard_condition, rcl_context_t * context,
  const rcl_guard_condition_options_t options)
{
  rcl_allocator_t a = options.allocator;
  RCL_CHECK_ALLOCATOR(&a, return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  if (guard_condition->impl != NULL) {
    RCL_SET_ERROR_MSG("guard condition already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  if (!rcl_context_is_valid(context)) {
    RCL_SET_ERROR_MSG("context is not valid: before rcl_init or after rcl_shutdown");
    return RCL_RET_NOT_INIT;
  }
  rcl_guard_condition_impl_t * impl = a.allocate(sizeof *impl, a.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  impl->options = options;
  impl->condition = dds_create_guardcondition(DDS_CYCLONEDDS_HANDLE);
  if (impl->condition < 0) {
    RCL_SET_ERROR_MSG("failed to create guard condition");
    a.deallocate(impl, a.state);
    return RCL_RET_ERROR;
  }
  guard_condition->context = context;
  guard_condition->impl = impl;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_guard_condition_fini(rcl_guard_condition_t * guard_condition)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition, RCL_RET_INVALID_ARGUMENT);
  rcl_guard_condition_impl_t * impl = guard_condition->impl;
  if (impl == NULL) return RCL_RET_OK;
  rcl_allocator_t a = impl->options.allocator;
  dds_delete(impl->condition);
  a.deallocate(impl, a.state);
  guard_condition->impl = NULL;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_trigger_guard_condition(rcl_guard_condition_t * guard_condition)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition->impl, RCL_RET_INVALID_ARGUMENT);
  if (dds_set_guardcondition(guard_condition->impl->condition, true) >= 0) return RCL_RET_OK;
  RCL_SET_ERROR_MSG("failed to trigger guard condition");
  return RCL_RET_ERROR;
}

const rcl_guard_condition_options_t *
rcl_guard_condition_get_options(const rcl_guard_condition_t * guard_condition)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition, NULL);
  RCL_CHECK_ARGUMENT_FOR_NULL(guard_condition->impl, NULL);
  return &guard_condition->impl->options;
}
