/// \file recording_topics.h
/// Robots of a recording, and what each of its topics is about. By names and types alone, as there is
/// no graph that tells who subscribes to what.
///
/// A robot is a node that published mbdyn messages. Its joint states, odometry and description are
/// those of its namespace, else the shortest name that ends so. Joint states that belong to no such
/// node are a robot too, called after their topic.
#ifndef RECORDING_TOPICS_H_
#define RECORDING_TOPICS_H_

#include "bag.h"
#include "live_kind.h"

typedef struct recorded_robot {
  char node[LIVE_NAME];
  int states, odometry, description;  ///< topics; -1: none
  unsigned kinds;                     ///< bits of live_kind_t that are in the recording
} recorded_robot_t;

typedef struct recording_topics {
  recorded_robot_t robot[LIVE_ROBOTS];
  int n;
  uint32_t ntopic;
  int8_t * kind;    ///< [n][ntopic] live_kind_t, or -1
  bool * wanted;    ///< [ntopic] of use to somebody
  int diagnostics;  ///< topic; -1: none
} recording_topics_t;

/// False if out of memory.
bool recording_topics_find(recording_topics_t * topics, const bag_info_t * info);
void recording_topics_free(recording_topics_t * topics);

/// What a topic is to a robot; -1: nothing.
int recording_topics_kind(const recording_topics_t * topics, int robot, uint32_t topic);

#endif  // RECORDING_TOPICS_H_
