/// \file recording.h
/// A recording as a source of robots for the view: a thread reads it by a clock of its own, which can
/// be stopped, moved and made faster, and gives its messages to robots as if they came from ROS.
///
///   recording_create, recording_destroy
///   recording_open            a file or folder, in place of the last one
///   recording_wait            until it is open, or has failed
///   recording_set_urdf        for a recording without a robot description
///   recording_request         play, pause, rate, another moment
///   recording_state           where it is
///   recording_live            its robots
///
/// Memory does not grow with the recording: chunks are read as they are needed. Times are log times in
/// seconds since 1970.
#ifndef RECORDING_H_
#define RECORDING_H_

#include "live.h"

typedef struct recording recording_t;

#define RECORDING_SLOWEST 0.01
#define RECORDING_FASTEST 100.0
#define RECORDING_BEFORE  60.0  ///< most seconds that are read before a moment

typedef struct recording_state {
  uint64_t version;      ///< grows with every change but that of t
  bool opening;          ///< a recording is being opened
  bool open;             ///< there is one
  char name[LIVE_NAME];  ///< of its file or folder, without the path
  char error[600];       ///< why the last one could not be opened; ""
  char note[1200];       ///< what is damaged, and where; ""
  double start, end;     ///< first and last message
  double t;              ///< the moment that is shown
  bool playing, seeking;
  double rate;
  bool needs_urdf;          ///< a robot has no description
  unsigned computed;        ///< bits of live_kind_t that are not recorded but computed
  char missing[LIVE_NAME];  ///< joint without which nothing is computed; ""
} recording_state_t;

/// What is to change; members that are not `set` are not looked at.
typedef struct recording_request {
  bool set_playing, playing;
  bool set_rate;
  double rate;  ///< RECORDING_SLOWEST to RECORDING_FASTEST
  bool set_t;
  double t, before;  ///< moment, and seconds before it that are wanted
} recording_request_t;

/// Nothing is open yet. NULL if out of memory.
recording_t * recording_create(void);
void recording_destroy(recording_t * recording);

/// \param[in] path       .mcap or .db3 file, or folder
/// \param[in] name       to be shown; NULL: the last part of the path
/// \param[in] temporary  the file is deleted as soon as it is open
/// \return false if out of memory
bool recording_open(recording_t * recording, const char * path, const char * name, bool temporary);

/// \return true if a recording is open; state.error says why not
bool recording_wait(recording_t * recording);

/// For every robot that has no description, now and in recordings to come.
/// \return false with the reason if the text is no robot
bool recording_set_urdf(
  recording_t * recording, const char * text, size_t size, char * reason, size_t reason_size);

void recording_request(recording_t * recording, const recording_request_t * request);
void recording_state(recording_t * recording, recording_state_t * out);

live_t * recording_live(recording_t * recording);

#endif  // RECORDING_H_
