/// \file sim_topics.h
/// Command topics and the topics that follow the simulation, for the stepping thread.
///
///   sim_topics_create, sim_topics_destroy   executor's side
///   sim_topics_take        commands that have come
///   sim_topics_publish     a measurement
///   sim_topics_contacts    contact forces
///   sim_topics_clock       the time
#ifndef MBDYN_SIM__SIM_TOPICS_H_
#define MBDYN_SIM__SIM_TOPICS_H_

#include "commands.h"
#include "rcl/rcl.h"
#include "sensors.h"
#include "sim_robot.h"

typedef struct sim_topics sim_topics_t;

sim_topics_t * sim_topics_create(
  rcl_node_t * node, const sim_robot_t * robot, const param_values_t * values);
void sim_topics_destroy(sim_topics_t * topics);

/// \return true if a good command was among them
bool sim_topics_take(sim_topics_t * topics, commands_t * commands);
/// Joint states, and odometry of a floating base.
/// \return false if rcl refused it
bool sim_topics_publish(sim_topics_t * topics, const sensor_sample_t * sample);
/// Of the links of publish_contacts in the last step of the plant.
bool sim_topics_contacts(sim_topics_t * topics, const plant_t * plant, int64_t stamp);
/// Nothing if publish_clock is not set.
bool sim_topics_clock(sim_topics_t * topics, int64_t nanoseconds);

/// QoS of a topic of the table.
rmw_qos_profile_t sim_topic_qos(sim_topic_t topic);

#endif  // MBDYN_SIM__SIM_TOPICS_H_
