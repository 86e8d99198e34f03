// Names as users write them, as ROS 2 has them, and as DDS has them.
#include <stdio.h>
#include <string.h>

#include "impl.h"
#include "rcl/expand_topic_name.h"
#include "rcl/remap.h"
#include "rcl/validate_topic_name.h"
#include "rcutils/format_string.h"
#include "rcutils/strdup.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

static rcl_ret_t
check_names(const char * topic, const char * node, const char * namespace_)
{
  int result = 0;
  if (rcl_validate_topic_name(topic, &result, NULL) != RCL_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("topic name '%s' is invalid", topic);
    return RCL_RET_TOPIC_NAME_INVALID;
  }
  if (rmw_validate_node_name(node, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG("node name is invalid");
    return RCL_RET_NODE_INVALID_NAME;
  }
  if (rmw_validate_namespace(namespace_, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG("node namespace is invalid");
    return RCL_RET_NODE_INVALID_NAMESPACE;
  }
  return RCL_RET_OK;
}

static const char *
substitute(
  const char * word, size_t length, const char * node, const char * namespace_,
  const rcutils_string_map_t * more)
{
  if (length == 4 && strncmp(word, "node", 4) == 0) return node;
  if (length == 2 && strncmp(word, "ns", 2) == 0) return namespace_;
  if (length == 9 && strncmp(word, "namespace", 9) == 0) return namespace_;
  return more == NULL || more->impl == NULL ? NULL : rcutils_string_map_getn(more, word, length);
}

// appends to a string that grows; false when out of memory
static bool
append(char ** text, const char * more, size_t length, rcl_allocator_t allocator)
{
  size_t old = *text == NULL ? 0 : strlen(*text);
  char * grown = allocator.reallocate(*text, old + length + 1, allocator.state);
  if (grown == NULL) return false;
  memcpy(grown + old, more, length);
  grown[old + length] = '\0';
  *text = grown;
  return true;
}

// braces are balanced here: the name has been validated
static rcl_ret_t
expand_into(
  char ** text, const char * input, const char * node, const char * namespace_,
  const rcutils_string_map_t * more, rcl_allocator_t allocator)
{
  while (*input != '\0') {
    size_t plain = strcspn(input, "{");
    if (!append(text, input, plain, allocator)) return RCL_RET_BAD_ALLOC;
    input += plain;
    if (*input == '\0') break;
    size_t word = strcspn(input, "}") - 1;
    const char * value = substitute(input + 1, word, node, namespace_, more);
    if (value == NULL) {
      RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("unknown substitution: {%.*s}", (int)word, input + 1);
      return RCL_RET_UNKNOWN_SUBSTITUTION;
    }
    if (!append(text, value, strlen(value), allocator)) return RCL_RET_BAD_ALLOC;
    input += word + 2;
  }
  return RCL_RET_OK;
}

static char *
join(const char * namespace_, const char * name, rcl_allocator_t allocator)
{
  const char * separator = namespace_[1] == '\0' ? "" : "/";
  return rcutils_format_string(allocator, "%s%s%s", namespace_, separator, name);
}

rcl_ret_t
rcl_expand_topic_name(
  const char * input, const char * node, const char * namespace_,
  const rcutils_string_map_t * substitutions, rcl_allocator_t allocator, char ** output)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(input, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(node, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(namespace_, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(output, RCL_RET_INVALID_ARGUMENT);
  *output = NULL;
  rcl_ret_t ret = check_names(input, node, namespace_);
  if (ret != RCL_RET_OK) return ret;

  // "~" is the node itself
  char * text = input[0] == '~' ? join(namespace_, node, allocator) : NULL;
  const char * rest = input[0] == '~' ? input + 1 : input;
  ret = expand_into(&text, rest, node, namespace_, substitutions, allocator);
  if (ret == RCL_RET_OK && text != NULL && text[0] != '/') {
    char * absolute = join(namespace_, text, allocator);
    allocator.deallocate(text, allocator.state);
    text = absolute;
  }
  if (ret == RCL_RET_OK && text == NULL) ret = RCL_RET_BAD_ALLOC;
  if (ret != RCL_RET_OK) {
    allocator.deallocate(text, allocator.state);
    return ret;
  }
  *output = text;
  return RCL_RET_OK;
}

rcl_ret_t
sa_resolve(
  const rcl_node_t * node, const char * name, bool is_service, bool only_expand,
  rcl_allocator_t allocator, char ** output)
{
  rcutils_string_map_t none = rcutils_get_zero_initialized_string_map();
  const rcl_node_impl_t * impl = node->impl;
  rcl_ret_t ret =
    rcl_expand_topic_name(name, impl->name, impl->namespace_, &none, allocator, output);
  if (ret == RCL_RET_OK && !only_expand) {
    const rcl_arguments_t * global =
      impl->options.use_global_arguments ? &node->context->global_arguments : NULL;
    char * remapped = NULL;
    ret = (is_service ? rcl_remap_service_name : rcl_remap_topic_name)(
      &impl->options.arguments, global, *output, impl->name, impl->namespace_, allocator,
      &remapped);
    if (remapped != NULL) {
      allocator.deallocate(*output, allocator.state);
      *output = remapped;
    }
  }
  int result = 0;
  if (ret == RCL_RET_OK && rmw_validate_full_topic_name(*output, &result, NULL) == RMW_RET_OK) {
    if (result == RMW_TOPIC_VALID) return RCL_RET_OK;
    RCL_SET_ERROR_MSG(rmw_full_topic_name_validation_result_string(result));
    ret = RCL_RET_TOPIC_NAME_INVALID;
  }
  allocator.deallocate(*output, allocator.state);
  *output = NULL;
  return ret == RCL_RET_TOPIC_NAME_INVALID && is_service ? RCL_RET_SERVICE_NAME_INVALID : ret;
}

rcl_ret_t
sa_endpoint_name(
  const rcl_node_t * node, const char * name, bool is_service, rcl_allocator_t allocator,
  char ** output)
{
  rcl_ret_t ret = sa_resolve(node, name, is_service, false, allocator, output);
  if (ret != RCL_RET_UNKNOWN_SUBSTITUTION) return ret;
  return is_service ? RCL_RET_SERVICE_NAME_INVALID : RCL_RET_TOPIC_NAME_INVALID;
}

char *
sa_dds_name(
  const char * prefix, const char * name, const char * suffix, const rmw_qos_profile_t * qos,
  rcl_allocator_t allocator)
{
  if (qos->avoid_ros_namespace_conventions) prefix = "";
  return rcutils_format_string(allocator, "%s%s%s", prefix, name, suffix);
}

bool
sa_dds_type(const cdr_members_t * members, char * name, size_t size)
{
  // "std_msgs__msg" and "String" become std_msgs::msg::dds_::String_
  const char * space = members->message_namespace_;
  const char * kind = strstr(space, "__");
  if (kind == NULL) return false;
  int n = snprintf(
    name, size, "%.*s::%s::dds_::%s_", (int)(kind - space), space, kind + 2,
    members->message_name_);
  return n > 0 && (size_t)n < size;
}
