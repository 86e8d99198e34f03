/// \file rcl/event.h
/// QoS events: only their name, for the wait set's signature.
#ifndef RCL__EVENT_H_
#define RCL__EVENT_H_

typedef struct rcl_event_impl_s rcl_event_impl_t;

typedef struct rcl_event_s {
  rcl_event_impl_t * impl;
} rcl_event_t;

#endif  // RCL__EVENT_H_
