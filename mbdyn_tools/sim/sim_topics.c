#include "sim_topics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "nav_msgs/msg/odometry.h"
#include "rcl/error_handling.h"
#include "rclc/rclc.h"
#include "rmw/qos_profiles.h"
#include "rosgraph_msgs/msg/clock.h"
#include "sensor_msgs/msg/joint_state.h"
#include "serialized.h"
#include "sim_messages.h"
#include "std_msgs/msg/float64_multi_array.h"

// a robot of some hundred joints fits; what is longer is refused
enum { COMMAND_MAX = 65536 };

// a publisher with its preset message
typedef struct output {
  rcl_publisher_t publisher;
  out_message_t message;
  bool open;
} output_t;

struct sim_topics {
  rcl_node_t * node;
  rcl_subscription_t commands, joint_commands;
  bool commands_open, joint_commands_open;
  serialized_t serialized;
  uint64_t refused;  // of serialized, that have been counted
  output_t joint_states, odom, clock;
  const sim_robot_t * robot;
  output_t * contacts;  // [robot->npublished]
};

rmw_qos_profile_t
sim_topic_qos(sim_topic_t topic)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = (size_t)SIM_TOPICS[topic].depth;
  if (SIM_TOPICS[topic].latched) qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return qos;
}

//---------- set-up ----------

static bool
subscribe(
  rcl_subscription_t * subscription, rcl_node_t * node, sim_topic_t topic,
  const rosidl_message_type_support_t * type)
{
  const rmw_qos_profile_t qos = sim_topic_qos(topic);
  *subscription = rcl_get_zero_initialized_subscription();
  return rclc_subscription_init(subscription, node, type, SIM_TOPICS[topic].name, &qos) ==
         RCL_RET_OK;
}

static bool
advertise_as(
  const char * name, output_t * output, bool built, rcl_node_t * node, sim_topic_t topic,
  const rosidl_message_type_support_t * type)
{
  const rmw_qos_profile_t qos = sim_topic_qos(topic);
  output->publisher = rcl_get_zero_initialized_publisher();
  output->open =
    built && rclc_publisher_init(&output->publisher, node, type, name, &qos) == RCL_RET_OK;
  return output->open;
}

static bool
advertise(
  output_t * output, bool built, rcl_node_t * node, sim_topic_t topic,
  const rosidl_message_type_support_t * type)
{
  return advertise_as(SIM_TOPICS[topic].name, output, built, node, topic, type);
}

static bool
open_inputs(sim_topics_t * t)
{
  t->commands_open = subscribe(
    &t->commands, t->node, SIM_TOPIC_COMMANDS,
    ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, Float64MultiArray));
  t->joint_commands_open = subscribe(
    &t->joint_commands, t->node, SIM_TOPIC_JOINT_COMMANDS,
    ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState));
  return t->commands_open && t->joint_commands_open && serialized_init(&t->serialized, COMMAND_MAX);
}

static bool
open_joint_states(sim_topics_t * t, const sim_robot_t * robot, const param_values_t * values)
{
  const size_t n = (size_t)robot->njoint;
  const char ** name = calloc(n + 1, sizeof *name);
  for (size_t i = 0; name != NULL && i < n; i++) name[i] = robot->joint[i].name;
  const bool built = name != NULL && sim_joint_state_build(
                                       &t->joint_states.message, (out_names_t){n, name},
                                       param_bool(values, SIM_PUBLISH_VELOCITY),
                                       param_bool(values, SIM_PUBLISH_EFFORT));
  free(name);
  return advertise(
    &t->joint_states, built, t->node, SIM_TOPIC_JOINT_STATES,
    ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState));
}

static bool
open_odom(sim_topics_t * t, const sim_robot_t * robot)
{
  if (robot->base < 0) return true;
  const char * link = robot->model->body[robot->base].name;
  return advertise(
    &t->odom, sim_odometry_build(&t->odom.message, "odom", link), t->node, SIM_TOPIC_ODOM,
    ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry));
}

// one topic for each link; what topics cannot be called becomes _
static bool
open_contacts(sim_topics_t * t)
{
  t->contacts = calloc((size_t)t->robot->npublished + 1, sizeof *t->contacts);
  for (int i = 0; t->contacts != NULL && i < t->robot->npublished; i++) {
    output_t * output = &t->contacts[i];
    const char * link = t->robot->model->frame[t->robot->published[i]].name;
    char name[300];
    snprintf(name, sizeof name, "~/contacts/%s", link);
    for (char * c = name + 2; *c; c++) {
      if (!isalnum((unsigned char)*c) && *c != '/') *c = '_';
    }
    if (!advertise_as(
          name, output, out_wrench_build(&output->message, link), t->node, SIM_TOPIC_CONTACTS,
          ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped)))
      return false;
  }
  return t->contacts != NULL;
}

static bool
open_clock(sim_topics_t * t, const param_values_t * values)
{
  if (!param_bool(values, SIM_PUBLISH_CLOCK)) return true;
  return advertise(
    &t->clock, sim_clock_build(&t->clock.message), t->node, SIM_TOPIC_CLOCK,
    ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock));
}

sim_topics_t *
sim_topics_create(rcl_node_t * node, const sim_robot_t * robot, const param_values_t * values)
{
  sim_topics_t * t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->node = node;
  t->robot = robot;
  if (
    open_inputs(t) && open_joint_states(t, robot, values) && open_odom(t, robot) &&
    open_clock(t, values) && open_contacts(t)) {
    return t;
  }
  sim_topics_destroy(t);
  return NULL;
}

static void
ignore(rcl_ret_t ret)
{
  if (ret != RCL_RET_OK) rcl_reset_error();
}

static void
close_output(output_t * output, rcl_node_t * node)
{
  if (output->open) ignore(rcl_publisher_fini(&output->publisher, node));
  out_message_fini(&output->message);
}

void
sim_topics_destroy(sim_topics_t * t)
{
  if (t == NULL) return;
  if (t->commands_open) ignore(rcl_subscription_fini(&t->commands, t->node));
  if (t->joint_commands_open) ignore(rcl_subscription_fini(&t->joint_commands, t->node));
  close_output(&t->joint_states, t->node);
  close_output(&t->odom, t->node);
  close_output(&t->clock, t->node);
  for (int i = 0; t->contacts != NULL && i < t->robot->npublished; i++)
    close_output(&t->contacts[i], t->node);
  free(t->contacts);
  serialized_fini(&t->serialized);
  free(t);
}

//---------- every step ----------

bool
sim_topics_take(sim_topics_t * t, commands_t * commands)
{
  const rcl_serialized_message_t * m = &t->serialized.message;
  bool taken = false;
  // no more than can be waiting, so that a flood of commands does not stop the clock
  for (int i = 0; i < 16 && serialized_take(&t->serialized, &t->commands); i++) {
    taken = commands_take_array(commands, m->buffer, m->buffer_length) || taken;
  }
  for (int i = 0; i < 16 && serialized_take(&t->serialized, &t->joint_commands); i++) {
    taken = commands_take_by_name(commands, m->buffer, m->buffer_length) || taken;
  }
  commands->count.malformed += t->serialized.refused - t->refused;
  t->refused = t->serialized.refused;
  return taken;
}

static bool
send(output_t * output)
{
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  bytes.buffer = output->message.bytes;
  bytes.buffer_length = bytes.buffer_capacity = output->message.size;
  const rcl_ret_t ret = rcl_publish_serialized_message(&output->publisher, &bytes, NULL);
  ignore(ret);
  return ret == RCL_RET_OK;
}

bool
sim_topics_publish(sim_topics_t * t, const sensor_sample_t * sample)
{
  // the base first: who computes when joints come has it then
  bool sent = true;
  if (t->odom.open) {
    sim_odometry_fill(&t->odom.message, sample);
    sent = send(&t->odom);
  }
  sim_joint_state_fill(&t->joint_states.message, sample);
  return send(&t->joint_states) && sent;
}

bool
sim_topics_contacts(sim_topics_t * t, const plant_t * plant, int64_t stamp)
{
  bool sent = true;
  for (int i = 0; i < t->robot->npublished; i++) {
    out_message_t * m = &t->contacts[i].message;
    mbd_force_t f;
    plant_contact_wrench(plant, t->robot->published[i], &f);
    const double wrench[6] = {f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y, f.ang.z};
    out_stamp(m, stamp);
    out_numbers(m, OUT_WRENCH, wrench);
    sent = send(&t->contacts[i]) && sent;
  }
  return sent;
}

bool
sim_topics_clock(sim_topics_t * t, int64_t nanoseconds)
{
  if (!t->clock.open) return true;
  out_stamp(&t->clock.message, nanoseconds);
  return send(&t->clock);
}
