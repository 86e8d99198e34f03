/// \file message_fill.h
/// Numbers of a controller's last step in messages that lie ready: what the node publishes, and what
/// the view computes for a recording without it. No heap, no lock.
///
///   fill_positions                        one number per velocity coordinate
///   fill_mass_matrix, fill_jacobian, fill_task_inertia, fill_summary, fill_singularity
///   fill_work_size, fill_task             what they need
///
/// All but fill_positions return false, with the message unchanged, if the core refuses.
#ifndef MBDYN_ROS__MESSAGE_FILL_H_
#define MBDYN_ROS__MESSAGE_FILL_H_

#include "controller.h"
#include "messages_out.h"

/// Numbers of `work` that suffice for every function here.
/// \param[in] tasks  of fill_task_inertia
size_t fill_work_size(const mbd_model_t * model, const mbd_tasks_t * tasks);

/// Six rows of a frame in the order of messages: linear first.
mbd_task_t fill_task(int frame, mbd_reference_t reference);

/// NaN where the configuration has no number for a velocity coordinate.
/// \param[out] out  [nv]
void fill_positions(const mbd_model_t * model, const double * q, double * out);

bool fill_mass_matrix(out_message_t * message, const controller_t * controller, double * work);
bool fill_jacobian(
  out_message_t * message, const controller_t * controller, int frame, mbd_reference_t reference,
  double * work);
bool fill_task_inertia(
  out_message_t * message, const controller_t * controller, const mbd_tasks_t * tasks,
  double * work);

/// Energies, momentum, condition and effective masses; counters and times are the caller's.
/// \param[in] v     [nv] velocity of the step
/// \param[in] link  [nlink] frames whose effective mass is wanted, as the message was built
bool fill_summary(
  out_message_t * message, const controller_t * controller, const double * v, int nlink,
  const int * link, double * work);

/// How near frames are to singularities of the controlled rows (singularity.h).
/// \param[in,out] data  a workspace of its own: positions are varied
/// \param[in] q         of the step
bool fill_singularity(
  out_message_t * message, const controller_t * controller, mbd_data_t * data, const double * q,
  int nframe, const int * frame, double * work);

#endif  // MBDYN_ROS__MESSAGE_FILL_H_
