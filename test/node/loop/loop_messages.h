/// \file loop_messages.h
/// What a test tells the node and the simulated robot.
///
///   send_trajectory             a motion as points, until the node says that it has it
///   send_controller_state       the same motion at one time, as a joint trajectory controller tells it
///   send_pose, send_twist, send_vector
///   call_push                   the simulated robot
///   call_set_payload, call_clear_payload    the node
///   set_sim_payload             the simulated robot's load
#ifndef LOOP_MESSAGES_H_
#define LOOP_MESSAGES_H_

#include "loop_rig.h"

/// Positions, velocities and accelerations of arm7 at a time.
typedef void (*motion_t)(double t, double * q, double * v, double * a);

/// \param[in] start  of the node's clock [ns]
void send_trajectory(
  rig_t * rig, rcl_publisher_t * publisher, motion_t motion, int64_t start, double duration,
  size_t npoint);
void send_controller_state(rcl_publisher_t * publisher, motion_t motion, int64_t stamp, double t);

void send_pose(rcl_publisher_t * publisher, const char * frame_id, const mbd_placement_t * X);
void send_twist(rcl_publisher_t * publisher, const char * frame_id, mbd_motion_t V);
void send_vector(rcl_publisher_t * publisher, const char * frame_id, mbd_vec3_t x);

/// \param[in] robot  such as "/robot"
/// \param[in] f      at the frame's origin, world axes
void call_push(rig_t * rig, const char * robot, const char * frame, mbd_force_t f, double duration);

typedef struct load {
  const char * frame;
  double mass;
  mbd_vec3_t com;
  mbd_sym3_t inertia;  // about com
} load_t;

/// \return mass of all loads, as the node says
double call_set_payload(rig_t * rig, const load_t * load);
double call_clear_payload(rig_t * rig);
/// NULL: none
void set_sim_payload(rig_t * rig, const load_t * load);

#endif  // LOOP_MESSAGES_H_
