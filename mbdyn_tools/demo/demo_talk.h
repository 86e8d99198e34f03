/// \file demo_talk.h
/// What the demo says to the node and to the robot.
///
///   demo_talk_open, demo_talk_close
///   demo_talk_ready         the node hears us
///   demo_talk_mode          of the node, and the terms that its command is made of
///   demo_talk_trajectory    a motion, with its start in the future
///   demo_talk_target        pose and velocity of the tip
///   demo_talk_push          of the simulated robot
///   demo_talk_supports      what it stands on
#ifndef DEMO_TALK_H_
#define DEMO_TALK_H_

#include "demo_measure.h"
#include "demo_stand.h"
#include "ros_common.h"

typedef enum demo_speech { SAY_TRAJECTORY, SAY_POSE, SAY_TWIST, DEMO_SPEECHES } demo_speech_t;

typedef struct demo_talk {
  ros_session_t * session;
  rcl_publisher_t publisher[DEMO_SPEECHES];
  bool open[DEMO_SPEECHES];
} demo_talk_t;

/// All return false after a message on stderr, or after Ctrl-C.

bool demo_talk_open(demo_talk_t * talk, ros_session_t * session);
void demo_talk_close(demo_talk_t * talk);

/// Without a message.
bool demo_talk_ready(demo_talk_t * talk);

bool demo_talk_mode(demo_talk_t * talk, const char * mode);
bool demo_talk_trajectory(
  demo_talk_t * talk, const demo_robot_t * robot, const demo_motion_t * motion, int64_t start);
bool demo_talk_target(
  demo_talk_t * talk, int64_t stamp, const mbd_placement_t * pose, mbd_vec3_t velocity);
/// \param[in] seconds  zero takes it off
bool demo_talk_push(demo_talk_t * talk, const char * frame, mbd_vec3_t force, double seconds);

/// \param[in] without  a foot; -1: all of them
bool demo_talk_supports(demo_talk_t * talk, const demo_stand_t * stand, int without);

#endif  // DEMO_TALK_H_
