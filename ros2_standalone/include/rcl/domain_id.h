/// \file rcl/domain_id.h
/// Which DDS domain.
#ifndef RCL__DOMAIN_ID_H_
#define RCL__DOMAIN_ID_H_

#include <stddef.h>
#include "rcl/macros.h"
#include "rcl/types.h"
#include "rmw/domain_id.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCL_DEFAULT_DOMAIN_ID RMW_DEFAULT_DOMAIN_ID

/// ROS_DOMAIN_ID; left as it is if that is not set.
RCL_PUBLIC RCL_WARN_UNUSED rcl_ret_t rcl_get_default_domain_id(size_t * domain_id);

#ifdef __cplusplus
}
#endif

#endif  // RCL__DOMAIN_ID_H_
