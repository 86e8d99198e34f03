/// \file rcl/visibility_control.h
/// What the stand-in exports.
#ifndef RCL__VISIBILITY_CONTROL_H_
#define RCL__VISIBILITY_CONTROL_H_

#define RCL_PUBLIC      __attribute__((visibility("default")))
#define RCL_WARN_UNUSED __attribute__((warn_unused_result))

#endif  // RCL__VISIBILITY_CONTROL_H_
