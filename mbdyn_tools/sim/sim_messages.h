/// \file sim_messages.h
/// Messages of the simulated robot that are written once and then only get new numbers, as those of
/// messages_out.h; out_message_fini frees them.
///
///   sim_joint_state_build, _fill   sensor_msgs/JointState, velocity and effort only if wanted
///   sim_odometry_build, _fill      nav_msgs/Odometry
///   sim_clock_build                rosgraph_msgs/Clock; out_stamp fills it
#ifndef MBDYN_SIM__SIM_MESSAGES_H_
#define MBDYN_SIM__SIM_MESSAGES_H_

#include "messages_out.h"
#include "sensors.h"

// builders: false if out of memory

bool sim_joint_state_build(out_message_t * m, out_names_t names, bool velocity, bool effort);
void sim_joint_state_fill(out_message_t * m, const sensor_sample_t * sample);

bool sim_odometry_build(out_message_t * m, const char * frame_id, const char * child_frame_id);
void sim_odometry_fill(out_message_t * m, const sensor_sample_t * sample);

bool sim_clock_build(out_message_t * m);

#endif  // MBDYN_SIM__SIM_MESSAGES_H_
