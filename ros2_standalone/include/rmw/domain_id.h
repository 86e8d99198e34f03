/// \file rmw/domain_id.h
/// The domain that means "from the environment".
#ifndef RMW__DOMAIN_ID_H_
#define RMW__DOMAIN_ID_H_

#include <stdint.h>

#define RMW_DEFAULT_DOMAIN_ID SIZE_MAX

#endif  // RMW__DOMAIN_ID_H_
