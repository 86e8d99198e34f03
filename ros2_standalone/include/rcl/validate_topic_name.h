/// \file rcl/validate_topic_name.h
/// Rules for names as a user writes them: ~, {node}, relative.
#ifndef RCL__VALIDATE_TOPIC_NAME_H_
#define RCL__VALIDATE_TOPIC_NAME_H_

#include <stddef.h>
#include "rcl/macros.h"
#include "rcl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCL_TOPIC_NAME_VALID                                              0
#define RCL_TOPIC_NAME_INVALID_IS_EMPTY_STRING                            1
#define RCL_TOPIC_NAME_INVALID_ENDS_WITH_FORWARD_SLASH                    2
#define RCL_TOPIC_NAME_INVALID_CONTAINS_UNALLOWED_CHARACTERS              3
#define RCL_TOPIC_NAME_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER              4
#define RCL_TOPIC_NAME_INVALID_UNMATCHED_CURLY_BRACE                      5
#define RCL_TOPIC_NAME_INVALID_MISPLACED_TILDE                            6
#define RCL_TOPIC_NAME_INVALID_TILDE_NOT_FOLLOWED_BY_FORWARD_SLASH        7
#define RCL_TOPIC_NAME_INVALID_SUBSTITUTION_CONTAINS_UNALLOWED_CHARACTERS 8
#define RCL_TOPIC_NAME_INVALID_SUBSTITUTION_STARTS_WITH_NUMBER            9

RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t
rcl_validate_topic_name(const char * topic_name, int * validation_result, size_t * invalid_index);

#ifdef __cplusplus
}
#endif

#endif  // RCL__VALIDATE_TOPIC_NAME_H_
