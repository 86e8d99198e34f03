/// \file terms.h
/// Dynamics of a motion, in blocks through the batch kernels: torques by term, energies, external
/// torques.
///
///   terms_create, terms_free    memory for a robot
///   terms_push                  a state in; full blocks go to the caller's function, row by row
///   terms_flush                 the last block
#ifndef TERMS_H_
#define TERMS_H_

#include "mbdyn/dynamics/batch.h"
#include "mbdyn/dynamics/observer.h"
#include "motion.h"

/// What a row has for each degree of freedom.
typedef enum quantity {
  Q_POSITION,  ///< NaN where a joint's q is no number per degree of freedom
  Q_VELOCITY,
  Q_ACCELERATION,
  Q_MEASURED,  ///< effort of the recording; NaN: none
  Q_TOTAL,     ///< gravity + coriolis + inertia + friction: what the model says without contact
  Q_GRAVITY,
  Q_CORIOLIS,
  Q_INERTIA,  ///< M a, rotors included if asked for
  Q_FRICTION,
  Q_EXTERNAL,  ///< of the environment on the joint, by the momentum observer; NaN: not known
  Q_ERROR,     ///< measured - total
  Q_POWER,     ///< total * velocity [W]
  Q_COUNT
} quantity_t;

/// Short names: "q", "v", "a", "tau", "total", ...
extern const char * const QUANTITY_NAMES[Q_COUNT];

typedef struct row {
  int64_t stamp, log_time;
  double t;
  const double * x[Q_COUNT];  ///< [nv] each
  double kinetic, potential;  ///< [J]
  double power_model;         ///< total . v [W]
  double power_measured;      ///< measured . v; NaN: not known
  double power_friction;      ///< friction . v
  double power_external;      ///< external . v; NaN: not known
  bool restart;               ///< first after a gap
} row_t;

typedef struct terms_options {
  uint32_t terms;        ///< bits of mbd_term_t
  double observer_gain;  ///< [1/s]
  int threads;
  bool observe;  ///< efforts are recorded
  /// Takes a row; false ends it all.
  bool (*on_row)(void * to, const row_t * row);
  void * to;
} terms_options_t;

typedef struct terms {
  const mbd_model_t * model;
  terms_options_t options;
  mbd_data_t * data;
  mbd_batch_t * batch;
  mbd_observer_t * observer;
  int n;  ///< rows in the block
  double *q, *v, *a, *v_raw;
  double * value;  ///< [Q_COUNT][block][nv]
  row_t * row;
  double observed;  ///< t of the observer's last step
} terms_t;

/// \return MBD_OK or what went wrong; free it all the same
mbd_status_t terms_create(
  terms_t * terms, const mbd_model_t * model, const terms_options_t * options);
void terms_free(terms_t * terms);

/// False after a message, or if `take` returned false.
/// \param[in] terms  terms_t, as motion_push hands it on
bool terms_push(void * terms, const moved_t * moved);
bool terms_flush(terms_t * terms);

#endif  // TERMS_H_
