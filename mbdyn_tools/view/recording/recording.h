/// \file recording.h
/// Playback of a recording in the view. A thread reads the recording at an adjustable rate and passes its
/// messages to the robots of the view as if they came from ROS.
///
///   recording_create, recording_destroy
///   recording_open            open a file or folder; closes the previous one
///   recording_wait            wait until it is open, or has failed to open
///   recording_set_urdf        robot description for a recording without one
///   recording_request         play, pause, set rate, seek
///   recording_state           time, rate, damage
///   recording_live            its robots
///
/// Memory does not depend on the length of the recording: chunks are read on demand. Times are log times
/// in seconds since 1970.
#ifndef RECORDING_H_
#define RECORDING_H_

#include "live.h"

typedef struct recording recording_t;

#define RECORDING_SLOWEST 0.01
#define RECORDING_FASTEST 100.0
#define RECORDING_BEFORE  60.0  ///< maximum time read before a seek target [s]

typedef struct recording_state {
  uint64_t version;      ///< increases with every change, except of t
  bool opening;          ///< a file is being opened
  bool open;             ///< a recording is open
  char name[LIVE_NAME];  ///< file or folder name without the path
  char error[600];       ///< why the last file could not be opened, or ""
  char note[1200];       ///< what is damaged and where, or ""
  double start, end;     ///< times of the first and last message
  double t;              ///< time that is shown
  bool playing, seeking;
  double rate;
  bool needs_urdf;          ///< a robot has no description
  unsigned computed;        ///< bits of live_kind_t: computed because not recorded
  char missing[LIVE_NAME];  ///< joint without position: nothing can be computed; or ""
} recording_state_t;

/// Requested changes; each takes effect if its set_ flag is true.
typedef struct recording_request {
  bool set_playing, playing;
  bool set_rate;
  double rate;  ///< RECORDING_SLOWEST to RECORDING_FASTEST
  bool set_t;
  double t, before;  ///< seek target, and seconds before it to show
} recording_request_t;

/// Without an open recording. NULL if out of memory.
recording_t * recording_create(void);
void recording_destroy(recording_t * recording);

/// \param[in] path       .mcap or .db3 file, or folder
/// \param[in] name       shown on the page; NULL: the last part of the path
/// \param[in] temporary  the file is deleted as soon as it is open
/// \return false if out of memory
bool recording_open(recording_t * recording, const char * path, const char * name, bool temporary);

/// \return true if a recording is open; otherwise state.error has the reason
bool recording_wait(recording_t * recording);

/// Sets the URDF of all robots without description, in this and later recordings.
/// \return false with the reason if the text is not a valid URDF
bool recording_set_urdf(
  recording_t * recording, const char * text, size_t size, char * reason, size_t reason_size);

void recording_request(recording_t * recording, const recording_request_t * request);
void recording_state(recording_t * recording, recording_state_t * out);

live_t * recording_live(recording_t * recording);

#endif  // RECORDING_H_
