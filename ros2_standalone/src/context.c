// Contexts: arguments, environment, and the DDS participant while there are nodes.
#include "rcl/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcl/domain_id.h"
#include "rcl/init.h"
#include "rcutils/env.h"
#include "rcutils/logging_macros.h"
#include "rcutils/strdup.h"
#include "rmw/validate_namespace.h"

//---------- options ----------

rcl_init_options_t
rcl_get_zero_initialized_init_options(void)
{
  return (rcl_init_options_t){0};
}

rcl_ret_t
rcl_init_options_init(rcl_init_options_t * init_options, rcl_allocator_t allocator)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&allocator, return RCL_RET_INVALID_ARGUMENT);
  if (init_options->impl != NULL) {
    RCL_SET_ERROR_MSG("init_options are already initialized");
    return RCL_RET_ALREADY_INIT;
  }
  init_options->impl = allocator.allocate(sizeof *init_options->impl, allocator.state);
  if (init_options->impl == NULL) return RCL_RET_BAD_ALLOC;
  init_options->impl->allocator = allocator;
  init_options->impl->domain_id = RCL_DEFAULT_DOMAIN_ID;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_init_options_copy(const rcl_init_options_t * src, rcl_init_options_t * dst)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(src, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(src->impl, RCL_RET_INVALID_ARGUMENT);
  rcl_ret_t ret = rcl_init_options_init(dst, src->impl->allocator);
  if (ret == RCL_RET_OK) dst->impl->domain_id = src->impl->domain_id;
  return ret;
}

rcl_ret_t
rcl_init_options_fini(rcl_init_options_t * init_options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options->impl, RCL_RET_INVALID_ARGUMENT);
  rcl_allocator_t allocator = init_options->impl->allocator;
  allocator.deallocate(init_options->impl, allocator.state);
  init_options->impl = NULL;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_init_options_get_domain_id(const rcl_init_options_t * init_options, size_t * domain_id)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options->impl, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(domain_id, RCL_RET_INVALID_ARGUMENT);
  *domain_id = init_options->impl->domain_id;
  return RCL_RET_OK;
}

rcl_ret_t
rcl_init_options_set_domain_id(rcl_init_options_t * init_options, size_t domain_id)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options->impl, RCL_RET_INVALID_ARGUMENT);
  init_options->impl->domain_id = domain_id;
  return RCL_RET_OK;
}

const rcl_allocator_t *
rcl_init_options_get_allocator(const rcl_init_options_t * init_options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options, NULL);
  RCL_CHECK_ARGUMENT_FOR_NULL(init_options->impl, NULL);
  return &init_options->impl->allocator;
}

//---------- questions ----------

static atomic_uint_least64_t *
instance_id(const rcl_context_t * context)
{
  return (atomic_uint_least64_t *)(uintptr_t)context->instance_id_storage;
}

rcl_context_t
rcl_get_zero_initialized_context(void)
{
  return (rcl_context_t){0};
}

rcl_context_instance_id_t
rcl_context_get_instance_id(const rcl_context_t * context)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(context, 0);
  return atomic_load(instance_id(context));
}

bool
rcl_context_is_valid(const rcl_context_t * context)
{
  return rcl_context_get_instance_id(context) != 0;
}

const rcl_init_options_t *
rcl_context_get_init_options(const rcl_context_t * context)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(context, NULL);
  RCL_CHECK_FOR_NULL_WITH_MSG(context->impl, "context is zero-initialized", return NULL);
  return &context->impl->init_options;
}

rcl_ret_t
rcl_context_get_domain_id(rcl_context_t * context, size_t * domain_id)
{
  if (!rcl_context_is_valid(context)) return RCL_RET_INVALID_ARGUMENT;
  RCL_CHECK_ARGUMENT_FOR_NULL(domain_id, RCL_RET_INVALID_ARGUMENT);
  *domain_id = context->impl->domain_id;
  return RCL_RET_OK;
}

//---------- environment ----------

rcl_ret_t
rcl_get_default_domain_id(size_t * domain_id)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(domain_id, RCL_RET_INVALID_ARGUMENT);
  const char * text = getenv("ROS_DOMAIN_ID");
  if (text == NULL || text[0] == '\0') return RCL_RET_OK;
  char * end = NULL;
  errno = 0;
  unsigned long number = strtoul(text, &end, 0);
  // as in rcl, what follows a number is not looked at
  if (errno != 0 || (number == 0 && *end != '\0')) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("ROS_DOMAIN_ID '%s' is not a number", text);
    return RCL_RET_ERROR;
  }
  *domain_id = number;
  return RCL_RET_OK;
}

static rcl_ret_t
read_environment(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  impl->domain_id = impl->init_options.impl->domain_id;
  if (impl->domain_id == RCL_DEFAULT_DOMAIN_ID) {
    rcl_ret_t ret = rcl_get_default_domain_id(&impl->domain_id);
    if (ret != RCL_RET_OK) return ret;
    if (impl->domain_id == RCL_DEFAULT_DOMAIN_ID) impl->domain_id = 0;
  }
  if (impl->domain_id >= UINT32_MAX) {
    RCL_SET_ERROR_MSG("domain id is out of range");
    return RCL_RET_INVALID_ARGUMENT;
  }
  const char * localhost = getenv("ROS_LOCALHOST_ONLY");
  impl->localhost_only = localhost != NULL && strcmp(localhost, "1") == 0;

  const char * enclave = context->global_arguments.impl->enclave;
  impl->enclave = rcutils_strdup(enclave == NULL ? "/" : enclave, impl->allocator);
  if (impl->enclave == NULL) return RCL_RET_BAD_ALLOC;
  int result = 0;
  if (rmw_validate_namespace(impl->enclave, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("enclave name '%s' is not valid", impl->enclave);
    return RCL_RET_ERROR;
  }
  return sa_security_root(
    impl->enclave, impl->allocator, &impl->security_root, &impl->security_enforced);
}

//---------- start and stop ----------

static void
cleanup(rcl_context_t * context)
{
  rcl_context_impl_t * impl = context->impl;
  rcl_allocator_t allocator = impl->allocator;
  atomic_store(instance_id(context), 0);
  if (context->global_arguments.impl != NULL) {
    if (rcl_arguments_fini(&context->global_arguments) != RCL_RET_OK) rcl_reset_error();
  }
  if (impl->init_options.impl != NULL) {
    if (rcl_init_options_fini(&impl->init_options) != RCL_RET_OK) rcl_reset_error();
  }
  pthread_mutex_destroy(&impl->lock);
  pthread_mutex_destroy(&impl->peer_lock);
  allocator.deallocate(impl->security_root, allocator.state);
  allocator.deallocate(impl->enclave, allocator.state);
  allocator.deallocate(impl, allocator.state);
  *context = rcl_get_zero_initialized_context();
}

rcl_ret_t
rcl_init(
  int argc, char const * const * argv, const rcl_init_options_t * options, rcl_context_t * context)
{
  static atomic_uint_least64_t last_id;
  if (argc < 0 || (argc > 0) != (argv != NULL)) {
    RCL_SET_ERROR_MSG("argc and argv are inconsistent");
    return RCL_RET_INVALID_ARGUMENT;
  }
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(options->impl, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  if (context->impl != NULL) {
    RCL_SET_ERROR_MSG("rcl_init called on a context that is in use");
    return RCL_RET_ALREADY_INIT;
  }
  rcl_allocator_t allocator = options->impl->allocator;
  rcl_context_impl_t * impl = allocator.zero_allocate(1, sizeof *impl, allocator.state);
  if (impl == NULL) return RCL_RET_BAD_ALLOC;
  context->impl = impl;
  impl->allocator = allocator;
  pthread_mutex_init(&impl->lock, NULL);
  pthread_mutex_init(&impl->peer_lock, NULL);
  context->global_arguments = rcl_get_zero_initialized_arguments();

  rcl_ret_t ret = rcl_init_options_copy(options, &impl->init_options);
  if (ret == RCL_RET_OK) {
    ret = rcl_parse_arguments(argc, argv, allocator, &context->global_arguments);
  }
  if (ret == RCL_RET_OK) ret = read_environment(context);
  if (ret != RCL_RET_OK) {
    cleanup(context);
    return ret;
  }
  atomic_store(instance_id(context), atomic_fetch_add(&last_id, 1) + 1);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_shutdown(rcl_context_t * context)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_FOR_NULL_WITH_MSG(
    context->impl, "context is zero-initialized", return RCL_RET_INVALID_ARGUMENT);
  if (!rcl_context_is_valid(context)) {
    RCL_SET_ERROR_MSG("rcl_shutdown already called on the given context");
    return RCL_RET_ALREADY_SHUTDOWN;
  }
  atomic_store(instance_id(context), 0);
  return RCL_RET_OK;
}

rcl_ret_t
rcl_context_fini(rcl_context_t * context)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  if (context->impl == NULL) return RCL_RET_OK;
  if (rcl_context_is_valid(context)) {
    RCL_SET_ERROR_MSG("rcl_shutdown() not called on the given context");
    return RCL_RET_INVALID_ARGUMENT;
  }
  if (context->impl->nodes != NULL) {
    RCL_SET_ERROR_MSG("there are still nodes in the context");
    return RCL_RET_ERROR;
  }
  cleanup(context);
  return RCL_RET_OK;
}
