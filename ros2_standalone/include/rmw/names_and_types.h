/// \file rmw/names_and_types.h
/// Lists of topics or services with their types.
#ifndef RMW__NAMES_AND_TYPES_H_
#define RMW__NAMES_AND_TYPES_H_

#include <stddef.h>
#include "rcutils/allocator.h"
#include "rcutils/types/string_array.h"
#include "rmw/ret_types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rmw_names_and_types_s {
  rcutils_string_array_t names;
  rcutils_string_array_t * types;  // one array per name
} rmw_names_and_types_t;

RMW_PUBLIC RMW_WARN_UNUSED rmw_names_and_types_t rmw_get_zero_initialized_names_and_types(void);
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t rmw_names_and_types_init(
  rmw_names_and_types_t * names_and_types, size_t size, rcutils_allocator_t * allocator);
RMW_PUBLIC RMW_WARN_UNUSED rmw_ret_t
rmw_names_and_types_fini(rmw_names_and_types_t * names_and_types);

#ifdef __cplusplus
}
#endif

#endif  // RMW__NAMES_AND_TYPES_H_
