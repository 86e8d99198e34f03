// Robots and their topics, from the ROS graph.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "live_internal.h"
#include "live_kind.h"
#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "mbdyn/msg/singularity.h"
#include "nav_msgs/msg/odometry.h"
#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/string.h"

//---------- kinds of topics ----------

static const rosidl_message_type_support_t *
type_support(live_kind_t kind)
{
  switch (kind) {
    case LIVE_JOINT_DYNAMICS: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, JointDynamicsArray);
    case LIVE_DYNAMICS: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, DynamicsSummary);
    case LIVE_MASS_MATRIX: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, MassMatrix);
    case LIVE_JACOBIAN: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, Jacobian);
    case LIVE_OPERATIONAL_INERTIA:
      return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, OperationalSpaceInertia);
    case LIVE_SINGULARITY: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, Singularity);
    case LIVE_EXTERNAL_WRENCH:
      return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped);
    case LIVE_ODOMETRY: return ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry);
    case LIVE_DESCRIPTION: return ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String);
    case LIVE_KINDS: return ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray);
    default: return ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState);
  }
}

//---------- subscriptions ----------

static rmw_qos_profile_t
qos_of(live_kind_t kind)
{
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
  qos.depth = kind == LIVE_KINDS ? 20 : (size_t)live_kind_depth(kind);
  if (kind == LIVE_DESCRIPTION) {
    qos.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
    qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  }
  return qos;
}

static bool
has_topic(const live_t * live, const live_robot_t * robot, live_kind_t kind, const char * name)
{
  for (int i = 0; i < live->ntopic; i++) {
    const live_topic_t * t = live->topic[i];
    if (t->robot == robot && t->kind == kind && strcmp(t->name, name) == 0) return true;
  }
  return false;
}

bool
live_subscribe(live_t * live, live_robot_t * robot, live_kind_t kind, const char * name)
{
  if (has_topic(live, robot, kind, name)) return true;
  if (live->ntopic == LIVE_ALL_TOPICS || (robot && robot->ncount == LIVE_TOPICS)) return false;
  live_topic_t * t = calloc(1, sizeof *t);
  if (!t) return false;
  t->robot = robot;
  t->kind = kind;
  t->count = -1;
  t->subscription = rcl_get_zero_initialized_subscription();
  snprintf(t->name, sizeof t->name, "%s", name);
  const rmw_qos_profile_t qos = qos_of(kind);
  const rcl_ret_t ret =
    rclc_subscription_init(&t->subscription, &live->session->node, type_support(kind), name, &qos);
  if (ret != RCL_RET_OK) {
    rcl_reset_error();
    free(t);
    return false;
  }
  pthread_mutex_lock(&live->lock);
  if (robot) t->count = live_robot_add_topic(robot, name, live_kind_type(kind));
  pthread_mutex_unlock(&live->lock);
  live->topic[live->ntopic++] = t;
  return true;
}

void
live_unsubscribe_all(live_t * live)
{
  for (int i = 0; i < live->ntopic; i++) {
    ros_ignore(rcl_subscription_fini(&live->topic[i]->subscription, &live->session->node));
    free(live->topic[i]);
  }
  live->ntopic = 0;
}

//---------- robots ----------

static live_robot_t *
find_robot(live_t * live, const char * node)
{
  for (int i = 0; i < live->view.n; i++) {
    if (strcmp(live->view.robot[i]->node, node) == 0) return live->view.robot[i];
  }
  return NULL;
}

static bool
is_published(live_t * live, const char * topic)
{
  size_t count = 0;
  ros_ignore(rcl_count_publishers(&live->session->node, topic, &count));
  return count > 0;
}

static void
meet(live_t * live, const char * topic, const char * type)
{
  char node[LIVE_NAME];
  if (!live_kind_node(topic, type, node)) return;
  if (live->options.node && strcmp(live->options.node, node) != 0) return;
  if (find_robot(live, node) || live->view.n == LIVE_ROBOTS || !is_published(live, topic)) return;
  live_robot_t * robot = live_robot_create(node, live->options.history);
  if (!robot) return;
  pthread_mutex_lock(&live->lock);
  live->view.robot[live->view.n++] = robot;
  live->view.version++;
  pthread_mutex_unlock(&live->lock);
}

// a topic that one of the robots publishes
static void
offer(live_t * live, const char * topic, const char * type)
{
  for (int i = 0; i < live->view.n; i++) {
    live_robot_t * robot = live->view.robot[i];
    live_kind_t kind;
    if (!live_kind_of_output(robot->node, topic, type, &kind)) continue;
    live_subscribe(live, robot, kind, topic);
  }
}

static void
find_inputs(live_t * live, live_robot_t * robot)
{
  char space[LIVE_NAME];
  const char * slash = strrchr(robot->node, '/');
  if (!slash) return;
  snprintf(space, sizeof space, "%.*s", (int)(slash - robot->node), robot->node);
  if (!*space) snprintf(space, sizeof space, "/");
  rcl_names_and_types_t topics = rcl_get_zero_initialized_names_and_types();
  const rcl_ret_t ret = rcl_get_subscriber_names_and_types_by_node(
    &live->session->node, &live->session->allocator, false, slash + 1, space, &topics);
  if (ret != RCL_RET_OK) {
    rcl_reset_error();
    return;
  }
  for (size_t i = 0; i < topics.names.size; i++) {
    for (size_t k = 0; k < topics.types[i].size; k++) {
      live_kind_t kind;
      if (!live_kind_of_input(topics.types[i].data[k], &kind)) continue;
      live_subscribe(live, robot, kind, topics.names.data[i]);
    }
  }
  ros_ignore(rcl_names_and_types_fini(&topics));
}

void
live_find(live_t * live)
{
  rcl_names_and_types_t topics = rcl_get_zero_initialized_names_and_types();
  const rcl_ret_t ret =
    rcl_get_topic_names_and_types(&live->session->node, &live->session->allocator, false, &topics);
  if (ret != RCL_RET_OK) {
    rcl_reset_error();
    return;
  }
  // robots first: a topic may come before the one that tells whose it is
  for (int turn = 0; turn < 2; turn++) {
    for (size_t i = 0; i < topics.names.size; i++) {
      for (size_t k = 0; k < topics.types[i].size; k++) {
        const char *name = topics.names.data[i], *type = topics.types[i].data[k];
        if (turn == 0) meet(live, name, type);
        if (turn == 1) offer(live, name, type);
      }
    }
  }
  ros_ignore(rcl_names_and_types_fini(&topics));
  for (int i = 0; i < live->view.n; i++) find_inputs(live, live->view.robot[i]);
}
