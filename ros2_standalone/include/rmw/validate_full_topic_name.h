/// \file rmw/validate_full_topic_name.h
/// Rules for fully qualified names.
#ifndef RMW__VALIDATE_FULL_TOPIC_NAME_H_
#define RMW__VALIDATE_FULL_TOPIC_NAME_H_

#include <stddef.h>
#include "rmw/ret_types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RMW_TOPIC_VALID                                   0
#define RMW_TOPIC_INVALID_IS_EMPTY_STRING                 1
#define RMW_TOPIC_INVALID_NOT_ABSOLUTE                    2
#define RMW_TOPIC_INVALID_ENDS_WITH_FORWARD_SLASH         3
#define RMW_TOPIC_INVALID_CONTAINS_UNALLOWED_CHARACTERS   4
#define RMW_TOPIC_INVALID_CONTAINS_REPEATED_FORWARD_SLASH 5
#define RMW_TOPIC_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER   6
#define RMW_TOPIC_INVALID_TOO_LONG                        7
#define RMW_TOPIC_MAX_NAME_LENGTH                         (255U - 8U)

/// \param[out] invalid_index  first offending character, or NULL
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t rmw_validate_full_topic_name(
  const char * topic_name, int * validation_result, size_t * invalid_index);
RMW_PUBLIC RMW_WARN_UNUSED const char * rmw_full_topic_name_validation_result_string(int result);

#ifdef __cplusplus
}
#endif

#endif  // RMW__VALIDATE_FULL_TOPIC_NAME_H_
