/// \file eval_operators.h
/// What `mbdyn eval --operators` adds to a state, and the operational space of all frames at once.
///
///   eval_operators_create, _free, _compute   factors, rates, momenta, compliances
///   eval_stack_create, _free, _compute       operational-space inertia of the frames, stacked
///
/// Six-vectors are linear first here: they are on their way out.
#ifndef EVAL_OPERATORS_H_
#define EVAL_OPERATORS_H_

#include <stdbool.h>

#include "eval_result.h"
#include "mbdyn/data.h"
#include "mbdyn/dynamics/task.h"

typedef struct eval_operators {
  double * F;           ///< [nv x nv] I + H phi K
  double * D;           ///< [nv x nv] hinge inertias, block diagonal
  double * M_rate;      ///< [nv x nv]
  double * MD;          ///< [nv x nv] gradient of the momentum
  double * C_trans_v;   ///< [nv]
  double * momentum;    ///< [nv]
  double * centroidal;  ///< [6 x nv] about the centre of mass, world axes
  double * com;         ///< [3 x nv] Jacobian of the centre of mass
  double * compliance;  ///< [nbody x 6 x 6] Upsilon at each link's origin, in link axes
  int * rank;           ///< [nbody] directions in which each link can be accelerated
  double log_det, trace;
  bool has_com;  ///< false if nothing that moves has mass
} eval_operators_t;

/// Memory for the operators of a state. False after a message; free it all the same.
bool eval_operators_create(const mbd_model_t * model, eval_operators_t * operators);
void eval_operators_free(eval_operators_t * operators);

/// Compute them all. Needs the velocity stage.
mbd_status_t eval_operators_compute(mbd_data_t * data, eval_operators_t * operators);

/// All frames as one task, each with six rows.
typedef struct eval_stack {
  mbd_task_t * task;
  mbd_tasks_t tasks;
  int rows;          ///< 6 for each frame
  double * work;     ///< of mbd_task_inertia
  double * inertia;  ///< [rows x rows]
  mbd_task_info_t info;
} eval_stack_t;

/// Memory for the stacked frames. False after a message; free it all the same.
bool eval_stack_create(
  const mbd_model_t * model, const eval_frames_t * frames, eval_stack_t * stack);
void eval_stack_free(eval_stack_t * stack);

/// Needs the position stage.
mbd_status_t eval_stack_compute(mbd_data_t * data, eval_stack_t * stack);

#endif  // EVAL_OPERATORS_H_
