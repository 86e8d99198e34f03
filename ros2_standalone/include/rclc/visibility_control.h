/// \file rclc/visibility_control.h
/// What the stand-in exports.
#ifndef RCLC__VISIBILITY_CONTROL_H_
#define RCLC__VISIBILITY_CONTROL_H_

#define RCLC_PUBLIC __attribute__((visibility("default")))

#endif  // RCLC__VISIBILITY_CONTROL_H_
