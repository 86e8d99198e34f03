/// \file rmw/validate_node_name.h
/// Rules for node names.
#ifndef RMW__VALIDATE_NODE_NAME_H_
#define RMW__VALIDATE_NODE_NAME_H_

#include <stddef.h>
#include "rmw/ret_types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RMW_NODE_NAME_VALID                                 0
#define RMW_NODE_NAME_INVALID_IS_EMPTY_STRING               1
#define RMW_NODE_NAME_INVALID_CONTAINS_UNALLOWED_CHARACTERS 2
#define RMW_NODE_NAME_INVALID_STARTS_WITH_NUMBER            3
#define RMW_NODE_NAME_INVALID_TOO_LONG                      4
#define RMW_NODE_NAME_MAX_NAME_LENGTH                       255U

RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t
rmw_validate_node_name(const char * node_name, int * validation_result, size_t * invalid_index);
RMW_PUBLIC RMW_WARN_UNUSED const char * rmw_node_name_validation_result_string(int result);

#ifdef __cplusplus
}
#endif

#endif  // RMW__VALIDATE_NODE_NAME_H_
