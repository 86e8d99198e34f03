/// \file rmw/visibility_control.h
/// What the stand-in exports.
#ifndef RMW__VISIBILITY_CONTROL_H_
#define RMW__VISIBILITY_CONTROL_H_

#define RMW_PUBLIC      __attribute__((visibility("default")))
#define RMW_WARN_UNUSED __attribute__((warn_unused_result))

#endif  // RMW__VISIBILITY_CONTROL_H_
