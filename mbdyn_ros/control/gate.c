// The safety gate: what may leave the node.
#include "gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gate_t *
gate_create(size_t n)
{
  // one block: the struct, three vectors, the flags
  gate_t * gate = calloc(1, sizeof *gate + n * (3 * sizeof(double) + sizeof(bool)));
  if (!gate) return NULL;
  gate->n = n;
  gate->limit = (double *)(void *)(gate + 1);
  gate->slew = gate->limit + n;
  gate->command = gate->slew + n;
  gate->saturated = (bool *)(void *)(gate->command + n);
  for (size_t k = 0; k < n; k++) gate->limit[k] = gate->slew[k] = HUGE_VAL;
  return gate;
}

void
gate_destroy(gate_t * gate)
{
  free(gate);
}

void
gate_restart(gate_t * gate)
{
  memset(gate->command, 0, gate->n * sizeof *gate->command);
  memset(gate->saturated, 0, gate->n * sizeof *gate->saturated);
  gate->sent = false;
  gate->good = 0;
  gate->is_stale = false;
}

static bool
all_finite(const double * x, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (!isfinite(x[k])) return false;
  }
  return true;
}

static double
clamped(double x, double limit)
{
  if (x > limit) return limit;
  return x < -limit ? -limit : x;
}

// flags of joints that want more than they may; \return whether there is one
static bool
flag_saturated(gate_t * gate, const double * wanted)
{
  bool any = false;
  for (size_t k = 0; k < gate->n; k++) {
    gate->saturated[k] = fabs(wanted[k]) > gate->limit[k];
    any = any || gate->saturated[k];
  }
  return any;
}

// \return whether the way from the last command to the wanted one had to be cut
static bool
slew_towards(gate_t * gate, const double * wanted, double dt)
{
  bool any = false;
  for (size_t k = 0; k < gate->n; k++) {
    const double change = wanted[k] - gate->command[k];
    // an infinite limit is none, also for a step of zero
    const double most = isinf(gate->slew[k]) ? HUGE_VAL : gate->slew[k] * (dt > 0 ? dt : 0);
    any = any || fabs(change) > most;
    gate->command[k] = fabs(change) > most ? gate->command[k] + clamped(change, most) : wanted[k];
  }
  return any;
}

static void
clamp_command(gate_t * gate, const gate_settings_t * settings)
{
  for (size_t k = 0; settings->clamp && k < gate->n; k++) {
    gate->command[k] = clamped(gate->command[k], gate->limit[k]);
  }
}

// \return true once there were enough good inputs in a row, this one included
static bool
enough_inputs(gate_t * gate, const gate_settings_t * settings)
{
  if (gate->good < settings->good_inputs) gate->good++;
  return gate->good >= settings->good_inputs;
}

bool
gate_pass(gate_t * gate, const gate_settings_t * settings, const double * wanted, double dt)
{
  if (!all_finite(wanted, gate->n)) {
    gate->count.not_finite++;
    if (gate->good < settings->good_inputs) gate->good = 0;
    return false;
  }
  gate->is_stale = false;
  if (!enough_inputs(gate, settings)) {
    gate->count.waiting++;
    return false;
  }
  gate->count.saturated += flag_saturated(gate, wanted);
  gate->count.slewed += slew_towards(gate, wanted, dt);
  // after the slew limit, so that limits hold even where they were narrowed in between
  clamp_command(gate, settings);
  gate->count.passed++;
  gate->sent = true;
  return true;
}

//---------- stops ----------

bool
gate_last(
  gate_t * gate, const gate_settings_t * settings, gate_action_t action, const double * gravity)
{
  if (!gate->sent || action == GATE_HOLD) return false;
  if (action == GATE_GRAVITY) {
    if (!gravity || !all_finite(gravity, gate->n)) return false;
    memcpy(gate->command, gravity, gate->n * sizeof *gravity);
    clamp_command(gate, settings);
  } else if (action != GATE_LAST) {
    memset(gate->command, 0, gate->n * sizeof *gate->command);
  }
  return true;
}

bool
gate_stale(gate_t * gate, const gate_settings_t * settings, const double * gravity)
{
  if (gate->is_stale) return false;
  gate->is_stale = true;
  gate->good = 0;
  gate->count.stale++;
  return gate_last(gate, settings, settings->on_stale, gravity);
}

//---------- names ----------

static const char * const NAMES[] = {"zero", "hold", "gravity", "last"};

const char *
gate_action_name(gate_action_t action)
{
  const size_t k = (size_t)action;
  return k < sizeof NAMES / sizeof *NAMES ? NAMES[k] : "unknown";
}

int
gate_action_find(const char * name)
{
  for (int k = 0; k < (int)(sizeof NAMES / sizeof *NAMES); k++) {
    if (strcmp(NAMES[k], name) == 0) return k;
  }
  return -1;
}
