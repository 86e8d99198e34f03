/// \file eval_result.h
/// Everything `mbdyn eval` computes for a state.
///
///   eval_frames_t                          the frames that were asked for
///   eval_result_create, eval_result_free   memory for the results of one state
///   eval_batched_t                             what the batch knows of a state already
///   eval_compute                           fill them
///
/// Six-vectors are linear first here: they are on their way out.
#ifndef EVAL_RESULT_H_
#define EVAL_RESULT_H_

#include <stdbool.h>

#include "eval_input.h"
#include "mbdyn/data.h"

/// Frames to report on, and the reference of their 6-vectors.
typedef struct eval_frames {
  int n;
  const int * frame;  ///< frame indices
  mbd_reference_t reference;
} eval_frames_t;

typedef struct eval_frame_result {
  double pose[7];      ///< x y z, quaternion x y z w, in the world
  double velocity[6];  ///< chosen reference
  double bias[6];      ///< Jdot v, chosen reference
  double inertia[36];  ///< operational space, chosen reference
  int rank;            ///< of the operational-space inertia
  double * jacobian;   ///< [6 x nv], chosen reference
} eval_frame_result_t;

typedef struct eval_result {
  double * tau;       ///< [nv] inverse dynamics
  double * gravity;   ///< [nv]
  double * bias;      ///< [nv] Coriolis, centrifugal, gravity
  double * qdd;       ///< [nv] forward dynamics
  double * friction;  ///< [nv]
  double * M;         ///< [nv x nv]
  double * M_inv;     ///< [nv x nv]
  double * C;         ///< [nv x nv]
  double kinetic, potential;
  bool has_com;                 ///< false if nothing that moves has mass
  double com[3];                ///< world
  double momentum[6];           ///< about the centre of mass, world axes
  eval_frame_result_t * frame;  ///< as many as were asked for
  struct eval_loops * loops;    ///< of an embedded model, else NULL: the caller's
} eval_result_t;

/// What was computed for many states at once; tau and qdd without wrenches. Angular first.
typedef struct eval_batched {
  const double *tau, *gravity, *bias, *qdd;  ///< [nv]
  const double * M;                          ///< [nv x nv]
  const double * jacobian;                   ///< [6 x nv] of the first frame
  size_t next_jacobian;                      ///< numbers from there to that of the next frame
} eval_batched_t;

/// Memory for results. False after a message; free it all the same.
bool eval_result_create(const mbd_model_t * model, int nframe, eval_result_t * result);
void eval_result_free(eval_result_t * result);

/// Compute everything for a state. On an error mbd_error_joint_name(data) may have the joint.
/// \param[in] batched  what is known already, or NULL: nothing
mbd_status_t eval_compute(
  const eval_frames_t * frames, mbd_data_t * data, const eval_state_t * state,
  const eval_batched_t * batched, eval_result_t * result);

#endif  // EVAL_RESULT_H_
