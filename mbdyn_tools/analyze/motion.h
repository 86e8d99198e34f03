/// \file motion.h
/// From joint states to motion: velocities smoothed, accelerations from them, without a delay.
///
///   motion_create, motion_free   a window for a robot
///   motion_push                  a joint state in; the middle of the window to the caller
///
/// With velocities in the recording, they are low-passed and differentiated; positions stay as they
/// are. Without them, positions are. A cut-off of 0 means no low-pass: central differences of three
/// samples. A gap of more than five steps, and more than a quarter of a period of the cut-off, starts
/// a new stretch, and what is nearer to its ends than half a window is lost. Shorter dropouts are
/// bridged by straight lines for the low-pass, which wants steady steps; no state is made up.
#ifndef MOTION_H_
#define MOTION_H_

#include "mbdyn/model.h"
#include "smooth.h"
#include "states.h"

/// Moved joints at one time. Arrays are valid until the next push.
typedef struct moved {
  int64_t stamp, log_time;  ///< [ns]
  double t;                 ///< [s] since the first stamp
  const double * q;         ///< [nq]
  const double *v, *a;      ///< [nv]
  const double * v_raw;     ///< as recorded, for the observer; v if there is none
  const double * effort;    ///< [nv] measured; NaN where it is not known
  bool restart;             ///< first after a gap
} moved_t;

typedef struct motion {
  const mbd_model_t * model;
  bool from_position;        ///< there are no velocities
  double cutoff, step, gap;  ///< [Hz], [s], [s]
  int64_t first;             ///< stamp that is t = 0
  double last;               ///< t of the newest sample
  bool restart;
  int nrider, nsignal;
  double * sample;   ///< riders and signals of the newest
  double * before;   ///< those of the one before it
  double * between;  ///< those of one that was dropped
  double * window;   ///< three of them, without a low-pass
  int filled;
  double * rider;
  double *x, *dx, *ddx;
  smooth_t smooth;
  uint64_t gaps;
} motion_t;

/// False if out of memory or the window is too long; free it all the same.
/// \param[in] cutoff  [Hz]; 0: none
bool motion_create(motion_t * m, const mbd_model_t * model, const survey_t * survey, double cutoff);
void motion_free(motion_t * m);

/// Take the newest state.
/// \param[in] take  gets what is complete; false ends it
/// \return false if `take` returned false
bool motion_push(
  motion_t * m, const states_t * s, bool (*on_row)(void * to, const moved_t * moved), void * to);

#endif  // MOTION_H_
