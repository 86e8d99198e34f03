/// \file singularity.h
/// How near a robot is to a singularity of a task, and on which side of it. Plain C, no ROS, no heap.
///
///   singularity_length    length that weighs as much as a radian
///   singularity_work      size of the work memory
///   singularity_measure   reciprocal condition number of the Jacobian, sign of its determinant
///   singularity_nearest   the joint whose motion changes the reciprocal condition number fastest
///   singularity_task      the rows of a frame that are controlled
///   singularity_side      side of the singularities of J with any number of columns, followed in time
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
  int sign;  ///< of det J; 0: J is not square, or singular to rounding
  int row;   ///< row of J that is lost most at the singularity; -1: J has fewer columns than rows
  int nearest;  ///< degree of freedom, or -1: not computed, or no joint changes it
  double rate;  ///< of the reciprocal condition number with that joint [1/rad, 1/m]
} singularity_t;

/// The rows of a frame, linear first, in world axes.
/// \param[in] row  linear x y z, angular x y z
mbd_task_t singularity_task(int frame, const bool row[6]);

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

/// Columns of J: degrees of freedom that can move a task.
int singularity_columns(const mbd_model_t * model, const mbd_tasks_t * tasks);

/// Sign of det [J; N], N an orthonormal basis of the null space of J that follows it: its rows are those of
/// the last call, projected. Where J is square there is no N, and the sign is that of det J. Otherwise it
/// starts positive, and changes where J loses rank along the way: at an outstretched elbow, for example.
/// \param[in]     data   position stage, near that of the last call
/// \param[in]     begin  choose N
/// \param[in,out] N      nv x nv numbers
/// \param[in]     work   nv x nv and singularity_work doubles
/// \param[out]    side   1, -1, or 0: J is singular, or has fewer columns than rows. N is then as before
/// \param[out]    volume  that rows of J of length 1 span: 1 if they are orthogonal, 0 at a singularity
/// \return as singularity_measure
mbd_status_t singularity_side(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double length,
  bool begin, double * N, double * work, int * side, double * volume);

#endif  // MBDYN_ROS__SINGULARITY_H_
