/// \file states.h
/// Joint states of a recording, as q, v and efforts of a robot.
///
///   states_open, states_close   find the topics
///   states_rewind               from the start
///   states_next                 the next joint state that leaves every joint known
///   survey_states               a look at all of them: how many, how long, how often
#ifndef STATES_H_
#define STATES_H_

#include "bag.h"
#include "joint_input.h"

typedef struct states_options {
  const char * topic;      ///< NULL: the one there is
  bool allow_missing;      ///< joints that no message has are at zero
  double start, duration;  ///< [s] from the first message on; < 0: all
} states_options_t;

typedef struct states {
  bag_reader_t * bag;
  const mbd_model_t * model;
  const bag_topic_t * topic;  ///< of the joint states
  joint_input_t * input;      ///< q, v, effort of the newest one
  bool * wanted;
  int state_topic, base_topic;  ///< base_topic -1: none
  int64_t from, to;             ///< log times
  int64_t stamp, log_time;      ///< of the newest one [ns]
  uint64_t messages;            ///< joint states read
  bool effort;                  ///< it has all efforts
  bool velocity;                ///< it has all velocities
} states_t;

/// False after a message; close it all the same.
bool states_open(
  states_t * s, bag_reader_t * bag, const mbd_model_t * model, const states_options_t * options);
void states_close(states_t * s);

/// False after a message.
bool states_rewind(states_t * s);

/// \return 1; 0 at the end; -1 after a message
int states_next(states_t * s);

typedef struct survey {
  uint64_t messages, samples;
  int64_t first, last;  ///< stamps [ns]
  double step;          ///< [s] median
  bool velocity;        ///< all samples have velocities of all joints
  bool effort;          ///< some samples have efforts of all joints
} survey_t;

/// False after a message.
/// \param[in] progress  called now and then with a part of 1; NULL: not
bool survey_states(states_t * s, survey_t * survey, void (*progress)(double part));

#endif  // STATES_H_
