/// \file lifecycle_table.h
/// States and transitions of a managed node, as ROS 2 tools know them. No ROS calls in here.
///
///   LIFECYCLE_STATES, LIFECYCLE_TRANSITIONS   the whole graph
///   lifecycle_by_id, lifecycle_by_label       the transition that leaves a state under this name
#ifndef MBDYN_ROS__LIFECYCLE_TABLE_H_
#define MBDYN_ROS__LIFECYCLE_TABLE_H_

#include <stdint.h>

#include "lifecycle.h"

enum { LIFECYCLE_STATE_COUNT = 11, LIFECYCLE_TRANSITION_COUNT = 25 };

/// Labels of what a hook's result leads to.
#define LIFECYCLE_LABEL_DONE    "transition_success"
#define LIFECYCLE_LABEL_REFUSED "transition_failure"
#define LIFECYCLE_LABEL_BROKEN  "transition_error"

typedef struct lifecycle_label {
  uint8_t id;
  const char * label;
} lifecycle_label_t;

typedef struct lifecycle_transition {
  uint8_t id;
  const char * label;
  lifecycle_state_t start;
  lifecycle_state_t goal;
} lifecycle_transition_t;

/// Primary states, then transition states.
extern const lifecycle_label_t LIFECYCLE_STATES[LIFECYCLE_STATE_COUNT];

/// In the order in which rcl_lifecycle registers them: that is the order tools print them in.
extern const lifecycle_transition_t LIFECYCLE_TRANSITIONS[LIFECYCLE_TRANSITION_COUNT];

/// NULL if the state has no such transition.
const lifecycle_transition_t * lifecycle_by_id(lifecycle_state_t start, uint8_t id);
const lifecycle_transition_t * lifecycle_by_label(lifecycle_state_t start, const char * label);

#endif  // MBDYN_ROS__LIFECYCLE_TABLE_H_
