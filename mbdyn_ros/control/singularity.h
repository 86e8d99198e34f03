/// \file singularity.h
/// How near a robot is to a singularity of a task, and on which side of it. Plain C, no ROS, no heap.
///
///   singularity_length    length that weighs as much as a radian
///   singularity_work      size of the work memory
///   singularity_measure   reciprocal condition number of the Jacobian, sign of its determinant
///   singularity_nearest   the joint whose motion changes the reciprocal condition number fastest
///
/// J is the Jacobian of the task without the columns of joints that do not move it, rows as the task has
/// them, positions divided by the length. If it is square, the configurations in which det J has one sign
/// and those in which it has the other are separated by singular ones: a component of the configuration
/// space has one sign (Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems II, chapter 9).
#ifndef MBDYN_ROS__SINGULARITY_H_
#define MBDYN_ROS__SINGULARITY_H_

#include "mbdyn/dynamics/task.h"
#include "mbdyn/mbdyn.h"

typedef struct singularity {
  /// Smallest by largest singular value of J; 0 at a singularity. If J has fewer columns than rows, of the
  /// rank that it can have.
  double reciprocal;
  int sign;     ///< of det J; 0: J is not square, or singular to rounding
  int nearest;  ///< degree of freedom, or -1: not computed, or no joint changes it
  double rate;  ///< of the reciprocal condition number with that joint [1/rad, 1/m]
} singularity_t;

/// A third of the length of the kinematic chain from the base to the frame, as mbd_ik_options_t has it [m].
double singularity_length(const mbd_model_t * model, int frame);

/// \return doubles for singularity_measure and singularity_nearest
size_t singularity_work(const mbd_model_t * model, const mbd_tasks_t * tasks);

/// \param[in]  data    position stage
/// \param[in]  length  positive [m]
/// \param[in]  work    singularity_work doubles
/// \return MBD_OK, or what mbd_task_jacobian says; MBD_ERROR_NOT_FINITE
mbd_status_t singularity_measure(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  double * work, singularity_t * out);

/// The same with `nearest` and `rate`, by a difference along each joint. The position stage is that of q
/// afterwards.
/// \param[in]  q  model->nq
mbd_status_t singularity_nearest(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  const double * q, double * work, singularity_t * out);

#endif  // MBDYN_ROS__SINGULARITY_H_
