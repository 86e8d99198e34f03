/// \file rt_loop.h
/// A cycle from the joints' state to a command that is sent, and what happens when states stop: joint input, controller
/// and gate under one set of rules, for the node (states by message) and for mbdyn/control.h (by index). No ROS, no
/// thread, no clock of its own; no heap, lock or print after rt_loop_init.
///
///   rt_loop_init, rt_loop_fini
///   rt_loop_use                   other settings
///   rt_loop_follow                a trajectory
///   rt_loop_activate, rt_loop_deactivate
///   rt_loop_look                  is the state whole and fresh?
///   rt_loop_cycle                 state to command
///   rt_loop_watch                 has the state become stale?
#ifndef MBDYN_ROS__RT_LOOP_H_
#define MBDYN_ROS__RT_LOOP_H_

#include "controller.h"
#include "gate.h"
#include "joint_input.h"
#include "node_parameters.h"

typedef enum rt_gap_reason { GAP_STALE, GAP_CLOCK_JUMP, GAP_STEP, GAP_COMPONENT } rt_gap_reason_t;

/// Times without joint states, and what became of the trajectory.
typedef struct rt_gaps {
  uint64_t ended;       ///< commands went on after them
  double length;        ///< of the last that ended [s]
  bool continued;       ///< with the trajectory, at continued_at
  double continued_at;  ///< [s]
  uint64_t abandoned;   ///< trajectories that were followed no further
  double abandoned_at;  ///< [s]
  rt_gap_reason_t reason;
  double silence;                  ///< since the last joint state when the last gap was noticed [s]
  char missing[JOINT_INPUT_NAME];  ///< then: a joint that was missing
} rt_gaps_t;

typedef struct rt_loop {
  const node_robot_t * robot;
  joint_input_t * input;
  controller_t * controller;
  gate_t * gate;
  loop_settings_t *
    settings;  ///< in use; its owner is the caller, who gets the old ones from rt_loop_use

  /// Sends the gate's command; false: it did not go out. Set by the caller after rt_loop_init.
  bool (*send)(void * context, const double * command);
  void * context;
  const double *
    feedforward;  ///< added to what the mode commands [nv]; NULL: none. Set by the caller

  bool active;
  bool whole;            ///< every joint is known and fresh
  bool sent;             ///< the last command went out
  bool commanding;       ///< the mode gives commands
  uint64_t cycles;       ///< since activation
  uint64_t clock_jumps;  ///< as the input last had them
  uint64_t compute_errors;
  mbd_status_t last_error;
  rt_gaps_t gaps;
  int64_t last_stamp, last_arrival;  ///< of the last cycle; 0: none, or states have stopped since
  int64_t last_message;              ///< arrival of the last joint state, set by the caller
  int64_t gap_begin;                 ///< last cycle before joint states stopped; 0: they come
  uint64_t jumps, across;            ///< as the controller last had them
  double period;                     ///< between cycles [s]
  int periods;                       ///< that are in it
  double * gravity;                  ///< [nv]
} rt_loop_t;

/// \param[in] optional  names of joints that may be missing [noptional]
/// \param[in] flexible  the robot with flexible links, or NULL
/// \return false if out of memory; rt_loop_fini all the same
bool rt_loop_init(
  rt_loop_t * loop, const node_robot_t * robot, loop_settings_t * settings,
  const char * const * optional, size_t noptional, const mbd_model_t * flexible);
/// Trajectory and settings are the caller's.
void rt_loop_fini(rt_loop_t * loop);

/// \return what was in use before
loop_settings_t * rt_loop_use(rt_loop_t * loop, loop_settings_t * settings);

/// Counts good inputs and holds anew.
void rt_loop_activate(rt_loop_t * loop);
/// The last command, if there is one to be sent.
/// \param[in] action  settings->on_deactivate or on_shutdown
void rt_loop_deactivate(rt_loop_t * loop, gate_action_t action);

/// After states were taken: starts over if their clock has jumped, and looks whether all of the robot is known.
/// \param[in] arrival  of the steady clock [ns]
void rt_loop_look(rt_loop_t * loop, int64_t arrival);

typedef enum rt_result {
  RT_FAILED,    ///< no result, or one that is not finite: no cycle
  RT_COMPUTED,  ///< nothing was sent
  RT_SENT
} rt_result_t;

/// One cycle of an active loop whose state is whole.
/// \param[in] now  of the clock of stamps and trajectories [ns]
rt_result_t rt_loop_cycle(rt_loop_t * loop, int64_t now, int64_t arrival);

/// The command of on_stale, once, if the last cycle is longer ago than it may be. Of an active loop.
/// \return true if it is
bool rt_loop_watch(rt_loop_t * loop, int64_t arrival);

/// Begins anew as after a jump of the clock.
void rt_loop_start_over(rt_loop_t * loop);

#endif  // MBDYN_ROS__RT_LOOP_H_
