/// \file top_show.h
/// The two faces of `mbdyn top`: a screen, and plain lines.
#ifndef TOP_SHOW_H_
#define TOP_SHOW_H_

#include "top_data.h"

typedef struct top_options {
  double interval;  ///< between two looks [s]
  long times;       ///< reports of plain lines; -1: for ever
  double wait;      ///< for the first robot, if times are counted [s]
  top_key_t key;
  bool reverse;
} top_options_t;

/// Both return an exit code.

/// Needs a terminal.
int top_screen(const top_options_t * options, live_t * live, ros_session_t * session);
/// One line per joint and time, each with its names: for files, pipes and scripts.
int top_lines(const top_options_t * options, live_t * live, ros_session_t * session);

#endif  // TOP_SHOW_H_
