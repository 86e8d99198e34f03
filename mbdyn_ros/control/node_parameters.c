// The table of parameters.
#include "node_parameters.h"

// "|passive|gravity_compensation|...", of which the first character is left out
#define MODE(id, name, ...) "|" name
static const char MODE_NAMES[] =
#include "controller_modes.inc"
  ;
#define MODE_CHOICES (MODE_NAMES + 1)

const param_spec_t NODE_PARAMETERS[NODE_PARAMETER_COUNT] = {
#define PARAMETER(id, name, type, initial, text, min, max, choices, read_only, destination) \
  [id] = {name, type, initial, text, min, max, choices, read_only},
#include "node_parameters.inc"
};
