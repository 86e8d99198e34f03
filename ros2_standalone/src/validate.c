// Which names are names.
#include <ctype.h>
#include <string.h>

#include "rcl/validate_topic_name.h"
#include "rcutils/isalnum_no_locale.h"
#include "rmw/validate_full_topic_name.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

static bool
is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static rmw_ret_t
answer(int * result, int value, size_t * invalid_index, size_t index)
{
  *result = value;
  if (value != 0 && invalid_index != NULL) *invalid_index = index;
  return RMW_RET_OK;
}

// index of the first character that is neither of a word nor in `others`, or the length
static size_t
first_foreign(const char * name, const char * others)
{
  size_t i = 0;
  while (name[i] != '\0' && (rcutils_isalnum_no_locale(name[i]) || strchr(others, name[i]))) i++;
  return i;
}

rmw_ret_t
rmw_validate_full_topic_name(const char * name, int * result, size_t * invalid_index)
{
  if (name == NULL || result == NULL) return RMW_RET_INVALID_ARGUMENT;
  size_t length = strlen(name);
  if (length == 0) return answer(result, RMW_TOPIC_INVALID_IS_EMPTY_STRING, invalid_index, 0);
  if (name[0] != '/') return answer(result, RMW_TOPIC_INVALID_NOT_ABSOLUTE, invalid_index, 0);
  if (name[length - 1] == '/') {
    return answer(result, RMW_TOPIC_INVALID_ENDS_WITH_FORWARD_SLASH, invalid_index, length - 1);
  }
  size_t bad = first_foreign(name, "_/");
  if (bad < length) {
    return answer(result, RMW_TOPIC_INVALID_CONTAINS_UNALLOWED_CHARACTERS, invalid_index, bad);
  }
  for (size_t i = 1; i < length; i++) {
    if (name[i - 1] != '/') continue;
    if (name[i] == '/') {
      return answer(result, RMW_TOPIC_INVALID_CONTAINS_REPEATED_FORWARD_SLASH, invalid_index, i);
    }
    if (is_digit(name[i])) {
      return answer(result, RMW_TOPIC_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER, invalid_index, i);
    }
  }
  bool long_name = length > RMW_TOPIC_MAX_NAME_LENGTH;
  return answer(
    result, long_name ? RMW_TOPIC_INVALID_TOO_LONG : RMW_TOPIC_VALID, invalid_index,
    RMW_TOPIC_MAX_NAME_LENGTH - 1);
}

rmw_ret_t
rmw_validate_namespace(const char * namespace_, int * result, size_t * invalid_index)
{
  if (namespace_ == NULL || result == NULL) return RMW_RET_INVALID_ARGUMENT;
  if (strcmp(namespace_, "/") == 0) return answer(result, RMW_NAMESPACE_VALID, NULL, 0);

  // the codes are those of topics; only the limit of the length differs
  rmw_ret_t ret = rmw_validate_full_topic_name(namespace_, result, invalid_index);
  if (ret != RMW_RET_OK || *result != RMW_TOPIC_VALID) return ret;
  bool long_name = strlen(namespace_) > RMW_NAMESPACE_MAX_LENGTH;
  return answer(
    result, long_name ? RMW_NAMESPACE_INVALID_TOO_LONG : RMW_NAMESPACE_VALID, invalid_index,
    RMW_NAMESPACE_MAX_LENGTH - 1);
}

rmw_ret_t
rmw_validate_node_name(const char * name, int * result, size_t * invalid_index)
{
  if (name == NULL || result == NULL) return RMW_RET_INVALID_ARGUMENT;
  size_t length = strlen(name);
  size_t bad = first_foreign(name, "_");
  if (length == 0) return answer(result, RMW_NODE_NAME_INVALID_IS_EMPTY_STRING, invalid_index, 0);
  if (bad < length) {
    return answer(result, RMW_NODE_NAME_INVALID_CONTAINS_UNALLOWED_CHARACTERS, invalid_index, bad);
  }
  if (is_digit(name[0])) {
    return answer(result, RMW_NODE_NAME_INVALID_STARTS_WITH_NUMBER, invalid_index, 0);
  }
  bool long_name = length > RMW_NODE_NAME_MAX_NAME_LENGTH;
  return answer(
    result, long_name ? RMW_NODE_NAME_INVALID_TOO_LONG : RMW_NODE_NAME_VALID, invalid_index,
    RMW_NODE_NAME_MAX_NAME_LENGTH - 1);
}

// the characters of a name with {words} in it
static int
check_characters(const char * name, size_t * index)
{
  bool inside = false;
  size_t opened = 0;
  for (size_t i = 0; name[i] != '\0'; i++) {
    char c = name[i];
    *index = i;
    if (rcutils_isalnum_no_locale(c) || c == '_') {
      if (inside && is_digit(c) && i == opened + 1) {
        return RCL_TOPIC_NAME_INVALID_SUBSTITUTION_STARTS_WITH_NUMBER;
      }
    } else if (c == '~') {
      if (i != 0) return RCL_TOPIC_NAME_INVALID_MISPLACED_TILDE;
    } else if (c == '}') {
      if (!inside) return RCL_TOPIC_NAME_INVALID_UNMATCHED_CURLY_BRACE;
      inside = false;
    } else if (inside) {
      return RCL_TOPIC_NAME_INVALID_SUBSTITUTION_CONTAINS_UNALLOWED_CHARACTERS;
    } else if (c == '{') {
      inside = true;
      opened = i;
    } else if (c != '/') {
      return RCL_TOPIC_NAME_INVALID_CONTAINS_UNALLOWED_CHARACTERS;
    }
  }
  *index = opened;
  return inside ? RCL_TOPIC_NAME_INVALID_UNMATCHED_CURLY_BRACE : RCL_TOPIC_NAME_VALID;
}

rcl_ret_t
rcl_validate_topic_name(const char * name, int * result, size_t * invalid_index)
{
  if (name == NULL || result == NULL) return RCL_RET_INVALID_ARGUMENT;
  size_t length = strlen(name);
  if (length == 0) {
    return answer(result, RCL_TOPIC_NAME_INVALID_IS_EMPTY_STRING, invalid_index, 0);
  }
  if (is_digit(name[0])) {
    return answer(result, RCL_TOPIC_NAME_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER, invalid_index, 0);
  }
  if (name[length - 1] == '/') {
    return answer(
      result, RCL_TOPIC_NAME_INVALID_ENDS_WITH_FORWARD_SLASH, invalid_index, length - 1);
  }
  size_t index = 0;
  int bad = check_characters(name, &index);
  if (bad != RCL_TOPIC_NAME_VALID) return answer(result, bad, invalid_index, index);
  // "~x" with one character passes: rcl does not look at the last
  if (name[0] == '~' && length > 2 && name[1] != '/') {
    return answer(
      result, RCL_TOPIC_NAME_INVALID_TILDE_NOT_FOLLOWED_BY_FORWARD_SLASH, invalid_index, 1);
  }
  for (size_t i = 1; i < length; i++) {
    if (name[i - 1] == '/' && is_digit(name[i])) {
      return answer(result, RCL_TOPIC_NAME_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER, invalid_index, i);
    }
  }
  return answer(result, RCL_TOPIC_NAME_VALID, NULL, 0);
}

//---------- in words ----------

static const char *
pick(const char * const * texts, int count, int result)
{
  return result >= 0 && result < count ? texts[result] : "unknown result code";
}

const char *
rmw_full_topic_name_validation_result_string(int result)
{
  static const char * const texts[] = {
    NULL,
    "name must not be empty",
    "name must be absolute, it must start with a '/'",
    "name must not end with a '/'",
    "name may only contain letters, digits, '_' and '/'",
    "name must not contain '//'",
    "name must not contain a token that starts with a digit",
    "name is too long",
  };
  return pick(texts, 8, result);
}

const char *
rmw_namespace_validation_result_string(int result)
{
  return rmw_full_topic_name_validation_result_string(result);
}

const char *
rmw_node_name_validation_result_string(int result)
{
  static const char * const texts[] = {
    NULL,
    "node name must not be empty",
    "node name may only contain letters, digits and '_'",
    "node name must not start with a digit",
    "node name is too long",
  };
  return pick(texts, 5, result);
}
