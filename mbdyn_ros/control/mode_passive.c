// Passive: the terms of the measured motion, for whoever listens.
#include "controller_private.h"

mbd_status_t
controller_passive(controller_t * c, const controller_cycle_t * cycle)
{
  return controller_measured_motion(c, cycle);
}
