/// \file eval_loops.h
/// What `mbdyn eval` adds for a robot with loops, gears or mimic joints: all its joints, and the
/// forces that hold the loops together.
///
///   eval_loops_create, _free
///   eval_loops_close      dependent joints of a state, from what is given of the others
///   eval_loops_friction   friction of all joints, as the independent ones feel it
///   eval_loops_compute    velocities, accelerations, closure forces
#ifndef EVAL_LOOPS_H_
#define EVAL_LOOPS_H_

#include <stdbool.h>

#include "eval_input.h"
#include "mbdyn/data.h"

typedef struct eval_loops {
  mbd_data_t * on;  ///< workspace of the tree
  double * work;    ///< of mbd_assemble
  bool * held;      ///< independent joints [tree->nv]
  double * q;       ///< of all joints [nq]
  double * v;       ///< [tree->nv]
  double * qdd;     ///< at the state's tau [tree->nv]
  double * tau;     ///< scratch [tree->nv]
  double * lambda;  ///< multipliers [nrow]
} eval_loops_t;

/// Memory for a robot whose model is embedded. False after a message; free it all the same.
bool eval_loops_create(const mbd_model_t * model, eval_loops_t * loops);
void eval_loops_free(eval_loops_t * loops);

/// Close the loops at state->q, where the independent joints stay.
mbd_status_t eval_loops_close(
  const mbd_model_t * model, eval_loops_t * loops, eval_state_t * state);

/// Needs the velocity stage.
mbd_status_t eval_loops_friction(mbd_data_t * data, eval_loops_t * loops, double * friction);

/// \param[in] qdd  independent accelerations: forward dynamics of the state
mbd_status_t eval_loops_compute(
  mbd_data_t * data, const eval_state_t * state, const double * qdd, eval_loops_t * loops);

#endif  // EVAL_LOOPS_H_
