/// \file view_client.h
/// One page: what it asked for, what it has been sent, and what is due next. No network.
///
///   view_client_init, view_client_fini
///   view_client_request    a message from the page
///   view_client_next       the next message for it, if one is due
///
/// Nothing is queued: a message is made when the page can take it, out of what is known then.
#ifndef VIEW_CLIENT_H_
#define VIEW_CLIENT_H_

#include "live.h"
#include "recording.h"
#include "view_wire.h"

enum { VIEW_REPLIES = 8, VIEW_REPLY = 400, VIEW_REQUESTS_PER_SECOND = 50 };

/// Message types that can be chosen, in the order of the protocol.
typedef enum view_kind {
  VIEW_MASS_MATRIX,
  VIEW_JACOBIAN,
  VIEW_INERTIA,
  VIEW_SUMMARY,
  VIEW_WRENCH,
  VIEW_SINGULARITY,
  VIEW_SATURATED,
  VIEW_STATUS,
  VIEW_DIAGNOSTICS,
  VIEW_KINDS
} view_kind_t;

/// What does not change while the server runs.
typedef struct view_facts {
  const char * program;  ///< "mbdyn 0.1.0"
  double history;        ///< seconds
  const char * mesh_package[64];
  int nmesh;
  const char * mechanism;  ///< file with springs of the robot; NULL: none
} view_facts_t;

/// Where robots come from.
typedef struct view_sources {
  live_t * live;            ///< ROS; NULL: none
  recording_t * recording;  ///< with or without one that is open
} view_sources_t;

typedef struct view_client {
  // what it asked for
  bool subscribed, any_robot;
  bool recorded;  ///< the robot is one of the recording
  int robot;      ///< index; -1: none yet
  bool all_joints;
  bool wanted[LIVE_JOINTS];  ///< by index, if not all
  char (*name)[LIVE_NAME];   ///< of those wanted, for when the model changes
  int nname;
  unsigned columns, kinds;  ///< bits
  double rate, history;

  // what it has been sent
  bool greeted;
  uint64_t robots;  ///< hash of the last list
  uint64_t model, resets;
  uint64_t next_row;                 ///< of the robot's rows
  uint64_t whole_rows;               ///< up to this one they are sent without merging
  uint64_t history_at, history_end;  ///< of its history
  uint64_t sent[VIEW_KINDS], sent_jacobian[LIVE_FRAMES];
  double due[VIEW_KINDS], due_jacobian[LIVE_FRAMES], due_samples, due_robots;
  uint64_t thinned;
  uint64_t playback;  ///< version of the recording's state
  double playback_t, due_playback;

  // self-motion that it asked for
  bool motion;
  char motion_frame[LIVE_NAME];
  double * motion_position;  ///< of all joints; NULL: the newest
  int motion_n;
  double due_motion;

  // answers
  char reply[VIEW_REPLIES][VIEW_REPLY];
  int nreply;
  double window;  ///< of counting requests
  int requests;
} view_client_t;

/// Memory for messages, shared by all clients of a thread.
typedef struct view_scratch {
  json_out_t text;
  double * t;
  float * x;
  size_t numbers, rows;
  uint8_t * bytes;
  size_t capacity;
} view_scratch_t;

void view_client_init(view_client_t * client);
void view_client_fini(view_client_t * client);
void view_scratch_fini(view_scratch_t * scratch);

/// False if it asks too often: close it.
bool view_client_request(
  view_client_t * client, const view_sources_t * sources, const view_facts_t * facts,
  const char * text, size_t size, double now);

/// \return true with a message in scratch->text
bool view_client_next(
  view_client_t * client, const view_sources_t * sources, const view_facts_t * facts,
  view_scratch_t * scratch, double now);

#endif  // VIEW_CLIENT_H_
