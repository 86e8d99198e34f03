// Nodes.
#include "rcl/node.h"

#include <string.h>

#include "impl.h"
#include "rcl/logging_rosout.h"
#include "rcl/remap.h"
#include "rcutils/format_string.h"
#include "rcutils/repl_str.h"
#include "rcutils/strdup.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

rcl_node_t
rcl_get_zero_initialized_node(void)
{
  return (rcl_node_t){0};
}

rcl_node_options_t
rcl_node_get_default_options(void)
{
  return (rcl_node_options_t){
    .allocator = rcl_get_default_allocator(),
    .use_global_arguments = true,
    .enable_rosout = true,
    .rosout_qos = rcl_qos_profile_rosout_default};
}

rcl_ret_t
rcl_node_options_copy(const rcl_node_options_t * options, rcl_node_options_t * options_out)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(options_out, RCL_RET_INVALID_ARGUMENT);
  if (options == options_out) return RCL_RET_INVALID_ARGUMENT;
  *options_out = *options;
  options_out->arguments = rcl_get_zero_initialized_arguments();
  if (options->arguments.impl == NULL) return RCL_RET_OK;
  return rcl_arguments_copy(&options->arguments, &options_out->arguments);
}

rcl_ret_t
rcl_node_options_fini(rcl_node_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  if (options->arguments.impl == NULL) return RCL_RET_OK;
  return rcl_arguments_fini(&options->arguments);
}

//---------- init ----------

static rcl_ret_t
check_node_names(const char * name, const char * namespace_)
{
  int result = 0;
  if (rmw_validate_node_name(name, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG(rmw_node_name_validation_result_string(result));
    return RCL_RET_NODE_INVALID_NAME;
  }
  if (rmw_validate_namespace(namespace_, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG(rmw_namespace_validation_result_string(result));
    return RCL_RET_NODE_INVALID_NAMESPACE;
  }
  return RCL_RET_OK;
}

static void
replace(char ** text, char * other, rcl_allocator_t allocator)
{
  if (other == NULL) return;
  allocator.deallocate(*text, allocator.state);
  *text = other;
}

// the names that are asked for, then those that the command line makes of them
static rcl_ret_t
set_names(rcl_node_t * node, const char * name, const char * namespace_)
{
  rcl_node_impl_t * impl = node->impl;
  rcl_allocator_t a = impl->options.allocator;
  impl->name = rcutils_strdup(name, a);
  impl->namespace_ = rcutils_format_string(a, "%s%s", namespace_[0] == '/' ? "" : "/", namespace_);
  if (impl->name == NULL || impl->namespace_ == NULL) return RCL_RET_BAD_ALLOC;
  rcl_ret_t ret = check_node_names(impl->name, impl->namespace_);
  if (ret != RCL_RET_OK) return ret;

  const rcl_arguments_t * global =
    impl->options.use_global_arguments ? &node->context->global_arguments : NULL;
  char * other = NULL;
  ret = rcl_remap_node_name(&impl->options.arguments, global, impl->name, a, &other);
  replace(&impl->name, other, a);
  if (ret != RCL_RET_OK) return ret;
  ret = rcl_remap_node_namespace(&impl->options.arguments, global, impl->name, a, &other);
  replace(&impl->namespace_, other, a);
  return ret == RCL_RET_OK ? check_node_names(impl->name, impl->namespace_) : ret;
}

// "/left/arm" and "left.arm"
static rcl_ret_t
set_full_names(rcl_node_impl_t * impl)
{
  rcl_allocator_t a = impl->options.allocator;
  const char * separator = impl->namespace_[1] == '\0' ? "" : "/";
  impl->fq_name = rcutils_format_string(a, "%s%s%s", impl->namespace_, separator, impl->name);
  if (impl->fq_name == NULL) return RCL_RET_BAD_ALLOC;
  impl->logger_name = rcutils_repl_str(impl->fq_name + 1, "/", ".", &a);
  return impl->logger_name == NULL ? RCL_RET_BAD_ALLOC : RCL_RET_OK;
}

static void
free_node(rcl_node_t * node)
{
  rcl_node_impl_t * impl = node->impl;
  rcl_allocator_t a = impl->options.allocator;
  a.deallocate(impl->name, a.state);
  a.deallocate(impl->namespace_, a.state);
  a.deallocate(impl->fq_name, a.state);
  a.deallocate(impl->logger_name, a.state);
  a.deallocate(impl->readers, a.state);
  a.deallocate(impl->writers, a.state);
  if (rcl_node_options_fini(&impl->options) != RCL_RET_OK) rcl_reset_error();
  a.deallocate(impl, a.state);
  node->impl = NULL;
}

rcl_ret_t
rcl_node_init(
  rcl_node_t * node, const char * name, const char * namespace_, rcl_context_t * context,
  const rcl_node_options_t * options)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(options, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ALLOCATOR(&options->allocator, return RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(name, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(namespace_, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(node, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(context, RCL_RET_INVALID_ARGUMENT);
  if (node->impl != NULL) {
    RCL_SET_ERROR_MSG("node already initialized, or not zero-initialized");
    return RCL_RET_ALREADY_INIT;
  }
  if (!rcl_context_is_valid(context)) {
    RCL_SET_ERROR_MSG("context is not valid: before rcl_init or after rcl_shutdown");
    return RCL_RET_NOT_INIT;
  }
  rcl_allocator_t a = options->allocator;
  node->impl = a.zero_allocate(1, sizeof *node->impl, a.state);
  if (node->impl == NULL) return RCL_RET_BAD_ALLOC;
  node->impl->options.allocator = a;
  node->context = context;

  rcl_ret_t ret = rcl_node_options_copy(options, &node->impl->options);
  if (ret == RCL_RET_OK) ret = set_names(node, name, namespace_);
  if (ret == RCL_RET_OK) ret = set_full_names(node->impl);
  if (ret == RCL_RET_OK) ret = sa_graph_add_node(context, node->impl);
  if (ret != RCL_RET_OK) {
    free_node(node);
    return ret;
  }
  ret = sa_rosout_open(node);
  if (ret != RCL_RET_OK && rcl_node_fini(node) != RCL_RET_OK) return RCL_RET_ERROR;
  return ret;
}

rcl_ret_t
rcl_node_fini(rcl_node_t * node)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(node, RCL_RET_NODE_INVALID);
  if (node->impl == NULL) return RCL_RET_OK;
  sa_rosout_close(node);
  sa_graph_remove_node(node->context, node->impl);
  free_node(node);
  return RCL_RET_OK;
}

//---------- questions ----------

bool
rcl_node_is_valid_except_context(const rcl_node_t * node)
{
  RCL_CHECK_FOR_NULL_WITH_MSG(node, "node is NULL", return false);
  RCL_CHECK_FOR_NULL_WITH_MSG(node->impl, "node is not initialized", return false);
  return true;
}

bool
rcl_node_is_valid(const rcl_node_t * node)
{
  if (!rcl_node_is_valid_except_context(node)) return false;
  if (rcl_context_is_valid(node->context)) return true;
  RCL_SET_ERROR_MSG("the node's context is not valid");
  return false;
}

const char *
rcl_node_get_name(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? node->impl->name : NULL;
}

const char *
rcl_node_get_namespace(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? node->impl->namespace_ : NULL;
}

const char *
rcl_node_get_fully_qualified_name(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? node->impl->fq_name : NULL;
}

const char *
rcl_node_get_logger_name(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? node->impl->logger_name : NULL;
}

const rcl_node_options_t *
rcl_node_get_options(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? &node->impl->options : NULL;
}

rcl_ret_t
rcl_node_get_domain_id(const rcl_node_t * node, size_t * domain_id)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  return rcl_context_get_domain_id(node->context, domain_id);
}

uint64_t
rcl_node_get_rcl_instance_id(const rcl_node_t * node)
{
  return rcl_node_is_valid_except_context(node) ? rcl_context_get_instance_id(node->context) : 0;
}

const rcl_guard_condition_t *
rcl_node_get_graph_guard_condition(const rcl_node_t * node)
{
  if (!rcl_node_is_valid_except_context(node)) return NULL;
  return &node->context->impl->graph_guard;
}

rcl_ret_t
rcl_node_resolve_name(
  const rcl_node_t * node, const char * input_name, rcl_allocator_t allocator, bool is_service,
  bool only_expand, char ** output_name)
{
  if (!rcl_node_is_valid_except_context(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(input_name, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(output_name, RCL_RET_INVALID_ARGUMENT);
  return sa_resolve(node, input_name, is_service, only_expand, allocator, output_name);
}
