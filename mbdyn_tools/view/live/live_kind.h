/// \file live_kind.h
/// Topics that the view understands: what they are about, by name and type.
#ifndef LIVE_KIND_H_
#define LIVE_KIND_H_

#include <stdbool.h>

#include "live_robot.h"

/// "mbdyn/msg/MassMatrix"
const char * live_kind_type(live_kind_t kind);

/// Last part of the topic as mbdyn_node calls it: "mass_matrix".
const char * live_kind_name(live_kind_t kind);

/// Queue length of a subscription.
int live_kind_depth(live_kind_t kind);

/// Whether a topic is an output of a node: "/ns/mbdyn/mass_matrix" of "/ns/mbdyn".
/// \param[out] kind  what it is about
bool live_kind_of_output(
  const char * node, const char * topic, const char * type, live_kind_t * kind);

/// Whether a topic of this type may be an input of the node: joint states, odometry, description.
bool live_kind_of_input(const char * type, live_kind_t * kind);

/// The node that publishes this joint_dynamics: "/ns/mbdyn" of "/ns/mbdyn/joint_dynamics".
/// \param[out] node  [LIVE_NAME]
/// \return false if the topic is another one, or the name is too long
bool live_kind_node(const char * topic, const char * type, char * node);

#endif  // LIVE_KIND_H_
