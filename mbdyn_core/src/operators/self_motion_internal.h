// Self-motion: its parts.
#ifndef OPERATORS__SELF_MOTION_INTERNAL_H_
#define OPERATORS__SELF_MOTION_INTERNAL_H_

#include "mbdyn/self_motion.h"
#include "operators/curve.h"

struct mbd_self_motion {
  mbd_self_motion_options_t options;
  mbdi_curve_t curve;
  bool started;
  double s;
  double * q0;        // saved point                                                [nq]
  double * tangent0;  // and its tangent                                            [nv]
  double * forward;   // tangent by degrees of freedom                              [nv]
};

// margin of limits, with angles by whole turns if `turns`, and clearance of q; the position stage is that of q
mbd_status_t mbdi_self_motion_look(
  mbd_self_motion_t * motion, const double * q, bool turns, mbd_self_motion_state_t * state);

static inline double
mbdi_self_motion_room(const mbd_self_motion_state_t * state)
{
  const double distance = state->clearance.distance;
  return state->margin < distance ? state->margin : distance;
}

// a whole turn of this degree of freedom changes nothing but its angle
bool mbdi_self_motion_turns(const mbd_model_t * model, int dof);

#endif  // OPERATORS__SELF_MOTION_INTERNAL_H_
