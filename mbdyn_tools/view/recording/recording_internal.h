/// \file recording_internal.h
/// Parts of a recording in the view: recording.c (requests, thread), recording_play.c (messages up to a
/// time), recording_open.c (robots of a file).
#ifndef RECORDING_INTERNAL_H_
#define RECORDING_INTERNAL_H_

#include <pthread.h>

#include "bag.h"
#include "recording.h"
#include "recording_compute.h"
#include "recording_topics.h"

// requests that the thread has not handled yet
typedef struct requests {
  bool end, open, seek, urdf;
  char *path, *name;
  bool temporary;
  double t, before;
} requests_t;

// a robot, and what is computed for it from the recording
typedef struct feed {
  live_robot_t * robot;
  recording_compute_t * compute;  // NULL: nothing is computed
  int count[LIVE_KINDS];          // index of computed messages in the counts of the robot
  double rest;                    // when matrices were last computed
  double since;                   // first message after a seek; 0: none yet
  bool joints;                    // joint torques by term are computed, not recorded
} feed_t;

struct recording {
  live_t * live;
  pthread_t thread;
  bool running;
  pthread_mutex_t lock;
  pthread_cond_t wake, opened;
  recording_state_t state;  // guarded by the lock, as the next three
  requests_t requests;
  char * urdf;  // for robots without a description
  size_t urdf_size;

  // used by the thread only
  bag_reader_t * bag;
  recording_topics_t topics;
  int8_t * count;  // [robot][topic] index in the counts of the robot
  feed_t feed[LIVE_ROBOTS];
  bag_message_t pending;
  bool has_pending, ended;
  int64_t last;               // log time of the last message that was read
  double position;            // time that is shown
  double clock, clock_start;  // monotonic clock at clock_start of the recording
  double ticked;              // when rates were last computed
};

//---------- recording.c ----------

void recording_lock(recording_t * r);
void recording_unlock(recording_t * r);
void recording_set_error(recording_t * r, const char * text);

/// True if a request is waiting.
bool recording_is_interrupted(recording_t * r);

//---------- recording_play.c ----------

/// Time stamp [ns] in seconds.
double recording_seconds(int64_t time);

/// Copies what the reader has found to be damaged to the state.
void recording_update_note(recording_t * r);

/// Shows a time t, with the messages of the seconds before it.
void recording_seek(recording_t * r, double t, double before);

/// Shows the messages up to the time of the clock.
void recording_play(recording_t * r, double rate);

/// Shows the newest state completely, with matrices and peaks.
void recording_flush_robots(recording_t * r);

//---------- recording_open.c ----------

/// Opens a file or folder and creates its robots. False with an error.
bool recording_open_bag(recording_t * r, const char * path, bag_error_t * error);
void recording_close_bag(recording_t * r);

/// Reads the robot descriptions of the recording; recording->urdf is for robots without one.
void recording_load_descriptions(recording_t * r);
/// Creates models from descriptions, to compute what is not recorded.
void recording_update_models(recording_t * r);

/// Time of the first message with joint states or dynamics.
double recording_first_joint_time(recording_t * r);

#endif  // RECORDING_INTERNAL_H_
