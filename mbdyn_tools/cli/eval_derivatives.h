/// \file eval_derivatives.h
/// What `mbdyn eval --derivatives` adds to a state.
///
///   eval_derivatives_create, _free, _compute
#ifndef EVAL_DERIVATIVES_H_
#define EVAL_DERIVATIVES_H_

#include <stdbool.h>

#include "eval_input.h"
#include "mbdyn/data.h"

typedef struct eval_derivatives {
  double * dtau_dq;  ///< [nv x nv] of inverse dynamics at (q, v, a); columns on the tangent space
  double * dtau_dv;  ///< [nv x nv]
  double * dqdd_dq;  ///< [nv x nv] of forward dynamics at (q, v, tau)
  double * dqdd_dv;  ///< [nv x nv]
  double * M_inv;    ///< [nv x nv]
  double * qdd;      ///< [nv]
  double * work;     ///< of the library
} eval_derivatives_t;

/// Memory for the derivatives of a state. False after a message; free it all the same.
bool eval_derivatives_create(const mbd_model_t * model, eval_derivatives_t * derivatives);
void eval_derivatives_free(eval_derivatives_t * derivatives);

/// Compute them all. On an error mbd_error_joint_name(data) may have the joint.
mbd_status_t eval_derivatives_compute(
  mbd_data_t * data, const eval_state_t * state, eval_derivatives_t * derivatives);

#endif  // EVAL_DERIVATIVES_H_
