/// \file demo_view.h
/// What there is to see at a moment: a copy of the measures, rates, and words for what goes on.
///
///   demo_view_t         for the table, for lines, for the summary
///   demo_view_copy, demo_view_reckon    now
///   demo_view_signal    the number that the phase is about
///   demo_view_detail    the phase's own numbers in one line
///   demo_view_line      everything in one line, for output that is no terminal
#ifndef DEMO_VIEW_H_
#define DEMO_VIEW_H_

#include "demo_measure.h"

/// Looks back over which rates are taken.
#define DEMO_LOOKS 11
/// Looks that the trace goes back.
#define DEMO_TRACE 200
/// Latencies of the live display: about two seconds.
#define DEMO_RECENT 2000

/// What the show is at.
typedef struct demo_scene {
  const char * robot;  ///< its name
  const char * tip;
  const char * mode;   ///< of the node
  int number, count;   ///< of the phase, from 1
  const char * title;  ///< a few words
  const char * text;   ///< one line: what there is to see
  const char * hint;   ///< how to look at it from outside
  demo_judge_t judge;
  double seconds;  ///< since the start
} demo_scene_t;

typedef struct demo_view {
  demo_scene_t scene;
  demo_measures_t m;                ///< a copy; latency and robot are those of the original
  double state_rate, command_rate;  ///< over the last second [Hz]
  double latency_p50, latency_p99;  ///< [s]
  size_t looks;
  int64_t look_time[DEMO_LOOKS];
  uint64_t look_states[DEMO_LOOKS], look_commands[DEMO_LOOKS];
  const char * traced;  ///< name of what is in the trace
  size_t traces;
  double trace[DEMO_TRACE];  ///< demo_view_signal at each look, a ring
  size_t recent;
  int64_t latency[DEMO_RECENT];
} demo_view_t;

/// First half, under the lock of the measures: copies.
void demo_view_copy(demo_view_t * view, const demo_measures_t * m);
/// Second half: rates and quantiles.
/// \param[in] now  of a clock that does not jump [ns]
void demo_view_reckon(demo_view_t * view, int64_t now);

/// The number that the phase is about, and its name with unit; NaN if there is none.
double demo_view_signal(const demo_view_t * view, const char ** name);

void demo_view_detail(const demo_view_t * view, char * text, size_t size);
void demo_view_line(const demo_view_t * view, char * text, size_t size);

#endif  // DEMO_VIEW_H_
