/// \file ik_search.h
/// Inverse kinematics within a time: solved in slices of restarts, each twice as long as the last, until a
/// solution is found, nothing is left to try, or the next slice would not end in time. No ROS.
///
///   ik_search_create, ik_search_destroy
///   ik_search_run
///
/// A slice is not interrupted: the first one takes 8 starts and what follows from them, some milliseconds
/// for a humanoid.
#ifndef MBDYN_NODE__IK_SEARCH_H_
#define MBDYN_NODE__IK_SEARCH_H_

#include "mbdyn/mbdyn.h"

typedef struct ik_search {
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_ik_targets_t targets;
  const double * seed;  ///< model->nq
  bool all;             ///< all solutions; false: one
  bool use_swivel;      ///< with this swivel angle; one full pose of a seven-axis closed form
  double swivel;        ///< [rad]
  double timeout;       ///< [s]

  // results
  int most, n;  ///< rows of q, solutions in them
  double *
    q;  ///< row-major most x nq, nearest to the seed first; without a solution the nearest pose
  mbd_ik_result_t result;  ///< of the first row
  bool timed_out;          ///< no solution, and there was more to try
  double time;             ///< [s]

  mbd_ik_closed_form_t closed;  ///< of a single target
  double *work, *trial;
} ik_search_t;

/// \param[in] most  solutions that are wanted
/// \return NULL if out of memory, or the targets are none
ik_search_t * ik_search_create(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets, int most);
void ik_search_destroy(ik_search_t * search);

/// \return as mbd_ik; MBD_ERROR_UNSUPPORTED also if a swivel angle is asked of an arm that has none
mbd_status_t ik_search_run(ik_search_t * search);

/// Swivel angle of a configuration; NaN if the arm has none.
double ik_search_swivel(const ik_search_t * search, const double * q);

#endif  // MBDYN_NODE__IK_SEARCH_H_
