/// \file gate.h
/// The last thing before the wire: a command passes only if it is finite, the input is fresh, enough
/// good inputs came, and within limits. No ROS, no heap after gate_create.
///
///   gate_pass     one cycle's command, or a refusal
///   gate_stale    the input has stopped: the command of on_stale, once
///   gate_last     what to send when the node stops: on_deactivate, on_shutdown
///   gate_restart  the count of good inputs starts over
///
/// Where gate_pass keeps refusing (count.not_finite grows) nothing reaches the robot any more: the
/// caller then does as if the input were stale.
#ifndef MBDYN_ROS__GATE_H_
#define MBDYN_ROS__GATE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gate_action {
  GATE_ZERO,     ///< zero torque
  GATE_HOLD,     ///< send nothing: the controller keeps what it has
  GATE_GRAVITY,  ///< gravity torques of the last good state
  GATE_LAST      ///< the last command again
} gate_action_t;

typedef struct gate_settings {
  bool clamp;       ///< to the limits; false: only report
  int good_inputs;  ///< so many in a row, the last of them gives the first command; 1: at once
  gate_action_t on_stale;
} gate_settings_t;

/// Cycles, not joints; only ever growing.
typedef struct gate_counts {
  uint64_t passed;      ///< by gate_pass
  uint64_t not_finite;  ///< refused: a number of the command is not
  uint64_t saturated;   ///< a joint wanted more than its limit
  uint64_t slewed;      ///< a joint wanted to change faster than it may
  uint64_t stale;       ///< times that the input stopped
  uint64_t waiting;     ///< refused: not enough good inputs yet
} gate_counts_t;

typedef struct gate {
  size_t n;
  double * limit;    ///< effort [n]; infinite: none, as in a new gate. Set by the caller
  double * slew;     ///< change per second [n]; infinite: none, as in a new gate. Set by the caller
  double * command;  ///< what was last sent, in full; zeros before [n]
  bool * saturated;  ///< in the last cycle: more was wanted than the limit, sent or not [n]
  bool sent;         ///< something was sent since the restart
  int good;          ///< inputs in a row, no further than good_inputs
  bool is_stale;     ///< since gate_stale, until gate_pass gets a finite command
  gate_counts_t count;
} gate_t;

/// \return NULL if out of memory
gate_t * gate_create(size_t n);
/// NULL is fine.
void gate_destroy(gate_t * gate);
/// As new, but for limits and counts.
void gate_restart(gate_t * gate);

/// A command that is not finite is refused whole, and starts the count of good inputs over if that
/// was not yet complete. The slew limit is relative to gate->command, so that the first command
/// comes up from zero.
/// \param[in] wanted  [n]
/// \param[in] dt      since the last command [s], for the slew limit; not positive: nothing may
///   change where there is one
/// \return true: send gate->command
bool gate_pass(gate_t * gate, const gate_settings_t * settings, const double * wanted, double dt);

/// The input is older than it may be. Good inputs count from zero when it comes back. Clamped like
/// any other command, but at once: the slew limit does not hold a stop back.
/// \param[in] gravity  of the last good state [n], or NULL if there is none
/// \return true: send gate->command (the first time); false: nothing to send. Nothing if no command
///   was sent before, or if gravity is asked for and is not there or not finite
bool gate_stale(gate_t * gate, const gate_settings_t * settings, const double * gravity);

/// \return true: send gate->command. Nothing if no command was ever sent; otherwise as gate_stale.
bool gate_last(
  gate_t * gate, const gate_settings_t * settings, gate_action_t action, const double * gravity);

/// "zero", "hold", "gravity", "last"; "unknown" for a number that is none.
const char * gate_action_name(gate_action_t action);
int gate_action_find(const char * name);  ///< -1 if there is none

#endif  // MBDYN_ROS__GATE_H_
