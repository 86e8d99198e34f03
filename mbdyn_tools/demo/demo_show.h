/// \file demo_show.h
/// The show: what happens when, what is said about it, and what came out.
///
///   demo_t            everything that runs
///   demo_show_ready   until robot and node are there
///   demo_show_run     all phases, once or again and again
///   demo_show_sum     the summary, and whether bounds were kept
#ifndef DEMO_SHOW_H_
#define DEMO_SHOW_H_

#include "demo_child.h"
#include "demo_stand.h"
#include "demo_table.h"
#include "demo_talk.h"
#include "demo_watch.h"

typedef enum demo_end {
  DEMO_GOES_ON,
  DEMO_STOPPED,  ///< Ctrl-C
  DEMO_FAILED    ///< a program ended, or does not answer
} demo_end_t;

typedef struct demo {
  const char * mode;  ///< the only one, or NULL: the whole show
  double headless;    ///< so many seconds and an end; 0: until Ctrl-C
  demo_robot_t robot;
  demo_stand_t stand;
  ros_session_t session;
  demo_child_t sim, node, page;
  char address[128];  ///< of the page; "": there is none
  char hint[200];     ///< how to look at it from outside
  demo_watch_t watch;
  demo_talk_t talk;
  demo_table_t table;
  demo_view_t view;
  demo_end_t end;
  int64_t start;        ///< of ros_now
  int64_t next_look;    ///< when the table or the children are looked at next
  int64_t next_line;    ///< when a line is printed next
  int64_t next_count;   ///< when processor times are taken next
  int64_t next_target;  ///< when the tip's next target is sent; 0: none is
  demo_line_t path;
} demo_t;

/// The modes that --mode takes, for messages.
#define DEMO_MODES                                             \
  "gravity_compensation, inverse_dynamics, computed_torque,\n" \
  "operational_space, joint_impedance, cartesian_impedance,\n" \
  "quasi_velocity_damping or passive"
bool demo_show_knows(const char * mode);

/// Whether the show of this robot, or of its mode, has a phase.
bool demo_show_has(const demo_t * demo);

bool demo_show_ready(demo_t * demo);
void demo_show_run(demo_t * demo);

typedef enum demo_verdict {
  DEMO_KEPT,     ///< all bounds
  DEMO_BROKEN,   ///< one was not
  DEMO_TOO_BUSY  ///< none was broken but for what the machine is the cause of
} demo_verdict_t;

/// \param[in] judge  say which bounds were not kept
demo_verdict_t demo_show_sum(demo_t * demo, bool judge);

#endif  // DEMO_SHOW_H_
