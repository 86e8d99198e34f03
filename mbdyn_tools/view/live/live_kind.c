#include "live_kind.h"

#include <stdio.h>
#include <string.h>

typedef struct kind {
  const char * type;
  const char * suffix;  ///< after the node's name; NULL: an input of the node
  bool below;           ///< the name goes on
  int depth;
} kind_t;

static const kind_t KIND[LIVE_KINDS] = {
  [LIVE_JOINT_DYNAMICS] = {"mbdyn/msg/JointDynamicsArray", "/joint_dynamics", false, 200},
  [LIVE_JOINT_STATES] = {"sensor_msgs/msg/JointState", NULL, false, 200},
  [LIVE_EXTERNAL_TORQUE] = {"sensor_msgs/msg/JointState", "/external_torque", false, 100},
  [LIVE_DYNAMICS] = {"mbdyn/msg/DynamicsSummary", "/dynamics", false, 50},
  [LIVE_MASS_MATRIX] = {"mbdyn/msg/MassMatrix", "/mass_matrix", false, 1},
  [LIVE_JACOBIAN] = {"mbdyn/msg/Jacobian", "/jacobian/", true, 1},
  [LIVE_OPERATIONAL_INERTIA] =
    {"mbdyn/msg/OperationalSpaceInertia", "/operational_space_inertia", false, 1},
  [LIVE_SINGULARITY] = {"mbdyn/msg/Singularity", "/singularity", false, 1},
  [LIVE_EXTERNAL_WRENCH] = {"geometry_msgs/msg/WrenchStamped", "/external_wrench", false, 1},
  [LIVE_ODOMETRY] = {"nav_msgs/msg/Odometry", NULL, false, 1},
  [LIVE_DESCRIPTION] = {"std_msgs/msg/String", NULL, false, 1}};

const char *
live_kind_type(live_kind_t kind)
{
  return KIND[kind].type;
}

const char *
live_kind_name(live_kind_t kind)
{
  static const char * const NAME[LIVE_KINDS] = {
    "joint_dynamics",  "joint_states", "external_torque",           "dynamics",
    "mass_matrix",     "jacobian",     "operational_space_inertia", "singularity",
    "external_wrench", "odom",         "robot_description"};
  return NAME[kind];
}

int
live_kind_depth(live_kind_t kind)
{
  return KIND[kind].depth;
}

bool
live_kind_of_output(const char * node, const char * topic, const char * type, live_kind_t * kind)
{
  const size_t n = strlen(node);
  if (strncmp(topic, node, n) != 0) return false;
  for (int k = 0; k < LIVE_KINDS; k++) {
    const char * suffix = KIND[k].suffix;
    if (!suffix || strcmp(type, KIND[k].type) != 0) continue;
    const bool fits = KIND[k].below ? strncmp(topic + n, suffix, strlen(suffix)) == 0
                                    : strcmp(topic + n, suffix) == 0;
    if (fits) return *kind = (live_kind_t)k, true;
  }
  return false;
}

bool
live_kind_of_input(const char * type, live_kind_t * kind)
{
  for (int k = 0; k < LIVE_KINDS; k++) {
    if (!KIND[k].suffix && strcmp(type, KIND[k].type) == 0) return *kind = (live_kind_t)k, true;
  }
  return false;
}

bool
live_kind_node(const char * topic, const char * type, char * node)
{
  const kind_t * kind = &KIND[LIVE_JOINT_DYNAMICS];
  const size_t n = strlen(topic), s = strlen(kind->suffix);
  if (strcmp(type, kind->type) != 0 || n <= s || n - s >= LIVE_NAME) return false;
  if (strcmp(topic + n - s, kind->suffix) != 0) return false;
  snprintf(node, LIVE_NAME, "%.*s", (int)(n - s), topic);
  return true;
}
