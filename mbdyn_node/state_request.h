/// \file state_request.h
/// A state as a service request gives it, turned into the model's arrays.
///
///   state_request_create, state_request_destroy
#ifndef MBDYN_NODE__STATE_REQUEST_H_
#define MBDYN_NODE__STATE_REQUEST_H_

#include "geometry_msgs/msg/accel.h"
#include "geometry_msgs/msg/pose.h"
#include "geometry_msgs/msg/twist.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/mbdyn.h"
#include "rosidl_runtime_c/primitives_sequence.h"
#include "rosidl_runtime_c/string.h"

struct mbdyn_node;

/// Fields of a request.
typedef struct state_fields {
  const rosidl_runtime_c__String__Sequence * names;
  const rosidl_runtime_c__double__Sequence * position;
  const rosidl_runtime_c__double__Sequence * velocity;
  const rosidl_runtime_c__double__Sequence * third;  ///< accelerations or efforts
  bool use_current_state;
  const geometry_msgs__msg__Pose * base_pose;
  const geometry_msgs__msg__Twist * base_twist;
  const geometry_msgs__msg__Accel * base_third;  ///< or NULL
  const geometry_msgs__msg__WrenchStamped__Sequence * wrenches;
  bool middle;  ///< joints that are not given: the middle of their limits in place of zero
} state_fields_t;

typedef struct state_request {
  const mbd_model_t * model;
  mbd_data_t * data;  ///< the executor thread's, with gravity, terms and payloads as they are now
  bool floating;
  double *q, *v, *a;
  int nwrench;
  mbd_wrench_t * wrench;
} state_request_t;

/// \param[out] reason  what is wrong with the request
/// \return NULL on any error
state_request_t * state_request_create(
  struct mbdyn_node * node, const state_fields_t * fields, char * reason, size_t size);
void state_request_destroy(state_request_t * state);

#endif  // MBDYN_NODE__STATE_REQUEST_H_
