/// \file rmw/validate_namespace.h
/// Rules for namespaces: those of full names, and "/" alone.
#ifndef RMW__VALIDATE_NAMESPACE_H_
#define RMW__VALIDATE_NAMESPACE_H_

#include "rmw/validate_full_topic_name.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RMW_NAMESPACE_VALID                                   0
#define RMW_NAMESPACE_INVALID_IS_EMPTY_STRING                 1
#define RMW_NAMESPACE_INVALID_NOT_ABSOLUTE                    2
#define RMW_NAMESPACE_INVALID_ENDS_WITH_FORWARD_SLASH         3
#define RMW_NAMESPACE_INVALID_CONTAINS_UNALLOWED_CHARACTERS   4
#define RMW_NAMESPACE_INVALID_CONTAINS_REPEATED_FORWARD_SLASH 5
#define RMW_NAMESPACE_INVALID_NAME_TOKEN_STARTS_WITH_NUMBER   6
#define RMW_NAMESPACE_INVALID_TOO_LONG                        7
#define RMW_NAMESPACE_MAX_LENGTH                              (RMW_TOPIC_MAX_NAME_LENGTH - 2U)

RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t
rmw_validate_namespace(const char * namespace_, int * validation_result, size_t * invalid_index);
RMW_PUBLIC RMW_WARN_UNUSED const char * rmw_namespace_validation_result_string(int result);

#ifdef __cplusplus
}
#endif

#endif  // RMW__VALIDATE_NAMESPACE_H_
