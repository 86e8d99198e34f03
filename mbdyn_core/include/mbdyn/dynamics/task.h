/// \file dynamics/task.h
/// Operational-space dynamics and control of several frames, stacked, with selectable rows.
///
///   mbdu_task_frame, _position, _orientation, _direction, _rotation   task descriptions
///   mbd_task_rows            number of rows of a list of tasks
///   mbd_task_work            size of the work memory
///   mbd_task_jacobian        J, stacked
///   mbd_task_bias            Jdot v, stacked
///   mbd_task_compliance      J M^-1 J^T, without J or M: contact (Delassus) matrix  Jain (10.18)
///   mbd_task_inertia         Lambda, with a policy for singular configurations
///   mbd_task_forces          Coriolis force and gravity in operational space        Jain (10.44)
///   mbd_task_inverse         dynamically consistent inverse M^-1 J^T Lambda
///   mbd_task_nullspace       its null-space projector
///   mbd_task_control         torques for desired task accelerations                 Jain (10.10)
#ifndef MBDYN__DYNAMICS__TASK_H_
#define MBDYN__DYNAMICS__TASK_H_

#include <string.h>

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A task: row . V for each row, where V is the velocity of the frame in the reference.
typedef struct mbd_task {
  int frame;
  mbd_reference_t reference;
  int nrow;          ///< 1 to 6
  double row[6][6];  ///< angular first
} mbd_task_t;

/// A list of tasks; their rows are stacked in this order.
typedef struct mbd_tasks {
  int n;
  const mbd_task_t * t;
} mbd_tasks_t;

/// Policy for directions in which the frames cannot be accelerated.
typedef enum mbd_singular_policy {
  MBD_SINGULAR_TRUNCATE = 0,  ///< truncate: generalised inverse, zero in these directions
  MBD_SINGULAR_DAMP = 1,      ///< damped inverse: continuous through the singularity
  MBD_SINGULAR_REFUSE = 2     ///< return MBD_ERROR_SINGULAR
} mbd_singular_policy_t;

typedef struct mbd_singular {
  mbd_singular_policy_t policy;
  double tolerance;  ///< eigenvalues of the scaled compliance below it are zero; 0: 1e-12
  double damping;    ///< damping^2 is added to the eigenvalues; MBD_SINGULAR_DAMP only
} mbd_singular_t;

/// Diagnostics of mbd_task_inertia, for the compliance with rotations and translations of each frame
/// scaled separately, so that metres and radians do not mix.
typedef struct mbd_task_info {
  int rank;          ///< of the compliance
  double condition;  ///< 1-norm condition number; infinite where rank < rows
} mbd_task_info_t;

/// Task of all six rows of a frame, angular first.
static inline mbd_task_t
mbdu_task_frame(int frame, mbd_reference_t reference)
{
  mbd_task_t t;
  memset(&t, 0, sizeof t);
  t.frame = frame, t.reference = reference, t.nrow = 6;
  for (int k = 0; k < 6; k++) t.row[k][k] = 1;
  return t;
}

/// Task of the linear rows: x, y, z of the frame's origin.
static inline mbd_task_t
mbdu_task_position(int frame, mbd_reference_t reference)
{
  mbd_task_t t = mbdu_task_frame(frame, reference);
  memset(t.row, 0, sizeof t.row);
  t.nrow = 3;
  for (int k = 0; k < 3; k++) t.row[k][3 + k] = 1;
  return t;
}

/// Task of the angular rows.
static inline mbd_task_t
mbdu_task_orientation(int frame, mbd_reference_t reference)
{
  mbd_task_t t = mbdu_task_frame(frame, reference);
  memset(t.row, 0, sizeof t.row);
  t.nrow = 3;
  for (int k = 0; k < 3; k++) t.row[k][k] = 1;
  return t;
}

/// Task of one row: motion of the frame's origin along a direction.
static inline mbd_task_t
mbdu_task_direction(int frame, mbd_reference_t reference, mbd_vec3_t direction)
{
  mbd_task_t t = mbdu_task_frame(frame, reference);
  memset(t.row, 0, sizeof t.row);
  t.nrow = 1;
  t.row[0][3] = direction.x, t.row[0][4] = direction.y, t.row[0][5] = direction.z;
  return t;
}

/// Task of one row: rotation of the frame about a direction.
static inline mbd_task_t
mbdu_task_rotation(int frame, mbd_reference_t reference, mbd_vec3_t direction)
{
  mbd_task_t t = mbdu_task_frame(frame, reference);
  memset(t.row, 0, sizeof t.row);
  t.nrow = 1;
  t.row[0][0] = direction.x, t.row[0][1] = direction.y, t.row[0][2] = direction.z;
  return t;
}

/// Total number of rows of all tasks; 0 for NULL, no tasks, or a task that does not have 1 to 6 rows.
MBD_PUBLIC
int mbd_task_rows(const mbd_tasks_t * tasks);

/// Size of the work memory in doubles for these tasks; 0 for an invalid list, or a model that is NULL
/// or not finalized.
MBD_PUBLIC
size_t mbd_task_work(const mbd_model_t * model, const mbd_tasks_t * tasks);

/// Stacked Jacobian of all tasks. Needs the position stage.
/// \param[out] J  row-major rows x nv
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_BAD_ARGUMENT (frame, reference or rows), MBD_ERROR_NOT_FINITE (a row)
///
/// Complexity O(tasks N) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_jacobian(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * J);

/// Stacked bias acceleration Jdot v of all tasks. Needs the velocity stage.
/// \param[out] bias  rows
/// \return as mbd_task_jacobian
///
/// Complexity O(N + tasks) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_bias(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * bias);

/// Stacked compliance J M^-1 J^T of all tasks, block by block from the common ancestors:
///   Omega(i,j) = psi^T(k,i) Y_k psi(k,j), k the closest common ancestor  Jain (10.13), (10.17)
/// Needs the position stage.
/// \param[out] compliance  row-major rows x rows
/// \return as mbd_task_jacobian and mbd_compliance
///
/// Complexity O(N + tasks^2 depth) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_compliance(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, double * compliance);

/// Stacked operational-space inertia of all tasks: the inverse of their compliance, or at singular
/// configurations the result of the policy `singular`.
/// \param[in]  singular  or NULL: truncate
/// \param[in]  work      mbd_task_work doubles
/// \param[out] inertia   row-major rows x rows
/// \param[out] info      or NULL
/// \return as mbd_task_compliance, and MBD_ERROR_SINGULAR (MBD_SINGULAR_REFUSE)
///
/// Complexity O(N + tasks^2 depth + rows^3) | Allocates no | Thread-safe per data | Real-time safe
/// yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_inertia(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks,
  const mbd_singular_t * singular, double * work, double * inertia, mbd_task_info_t * info);

/// Coriolis force and gravity in operational space:
///   mu = Lambda (J M^-1 C v - Jdot v),  p = Lambda J M^-1 g
/// so that Lambda a + mu + p = f is the motion under the wrenches f with tau = 0; C_os in Jain is
/// mu + p. Needs the velocity stage.
/// \param[in]  inertia  Lambda of mbd_task_inertia
/// \param[in]  work     mbd_task_work doubles
/// \param[out] mu, p    rows each; either may be NULL
/// \return as mbd_task_compliance
///
/// Complexity O(N + rows depth + rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_forces(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * mu, double * p);

/// Dynamically consistent inverse of the Jacobian, M^-1 J^T Lambda: J times it is the identity where
/// Lambda is regular, and the resulting motion has minimum kinetic energy. Needs the position stage.
/// \param[out] inverse  row-major nv x rows
/// \return as mbd_task_compliance
///
/// Complexity O(rows N + rows^2 nv) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_inverse(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * inverse);

/// Null-space projector N = I - (M^-1 J^T Lambda) J: velocities N v do not move the tasks, torques
/// N^T tau do not accelerate them. Needs the position stage.
/// \param[out] N  row-major nv x nv
/// \return as mbd_task_compliance
///
/// Complexity O(rows N + rows nv^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_nullspace(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  double * work, double * N);

/// Operational-space control law, Jain (10.10): torques that give the tasks the accelerations u, with
/// the torques tau0 projected into the null space of the tasks:
///   tau = J^T (Lambda u + mu + p) + N^T tau0
/// u is the derivative of the task velocity J v, as mbd_frame_acceleration defines it for the
/// reference. Needs the velocity stage.
/// \param[in]  u     rows
/// \param[in]  tau0  null-space torques, model->nv, or NULL for none; gravity and Coriolis torques of
///   the null space are not added
/// \param[out] tau   model->nv
/// \return as mbd_task_compliance, and MBD_ERROR_NOT_FINITE
///
/// Complexity O(rows N + rows^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_task_control(
  const mbd_model_t * model, mbd_data_t * data, const mbd_tasks_t * tasks, const double * inertia,
  const double * u, const double * tau0, double * work, double * tau);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__TASK_H_
