/// \file inertia_shaping.h
/// Another inertia than the robot's own for coordinates of a task: Lambda_d in place of Lambda = (J M^-1 J^T)^-1.
///
///   inertia_work       memory
///   inertia_init       no coordinates yet
///   inertia_shape      Lambda_d^-1 and Lambda Lambda_d^-1 - 1 of this configuration
///   inertia_times      y = Lambda x
///   inertia_gain       y = (Lambda Lambda_d^-1 - 1) x
///   inertia_change     y = d/dt(Lambda_d) x
///   inertia_natural    what the robot's own inertia is in its range of motion
///
/// Lambda_d is diagonal in the coordinates that it is given for. The others keep their own inertia, that of J M^-1 J^T
/// with only them, and are decoupled from the first:
///   Lambda_d^-1 = diag(1 / m) and that block of J M^-1 J^T.
/// With J M^-1 J^T = L L^T and L^-1 Lambda_d^-1 L^-T = U diag(lambda) U^T,
///   Lambda Lambda_d^-1 = L^-T U diag(lambda) U^T L^T,
/// so that lambda are the factors by which the robot becomes lighter, and by which measured forces come back. None is more
/// than INERTIA_MOST: near singularities Lambda has no bound.
#ifndef MBDYN_ROS__INERTIA_SHAPING_H_
#define MBDYN_ROS__INERTIA_SHAPING_H_

#include "impedance.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/mbdyn.h"

enum { INERTIA_ROWS = 6, INERTIA_MOST = 10 };

typedef struct inertia_shaping {
  double share;  ///< of the shaping, from 0: none to 1
  bool damped;   ///< the caller's dampers are for it
  int limited;   ///< coordinate whose inertia would be too far from the robot's own; -1: none
  double compliance[36];  ///< Lambda_d^-1 [n][n], row-major, with share and bounds
  // of this file
  double L[36], left[36], right[36], factor[6];
  bool known,
    changed;  ///< Lambda_d is of this configuration; was of another before. Cleared by the caller
  double now[36], rate[36];
  impedance_t modes;
} inertia_shaping_t;

/// Number of doubles.
size_t inertia_work(void);
void inertia_init(inertia_shaping_t * s, double * work);

/// \param[in] n       coordinates, at most INERTIA_ROWS
/// \param[in] omega   J M^-1 J^T [n][n], row-major
/// \param[in] wanted  inertia of each coordinate; 0: its own [n]
/// \param[in] share   in (0, 1]
/// \return false where omega is singular: then there is nothing to use
bool inertia_shape(
  inertia_shaping_t * s, int n, const double * omega, const double * wanted, double share);

/// x and y may be the same.
void inertia_times(const inertia_shaping_t * s, const double * x, double * y);
void inertia_gain(const inertia_shaping_t * s, const double * x, double * y);

/// Lambda_d less that of the call of inertia_shape before, by the time between, where `changed` says that it was in the last
/// cycle; else zero.
void inertia_change(const inertia_shaping_t * s, double dt, const double * x, double * y);

/// Smallest and largest 1 / (J M^-1 J^T)_ii of the linear rows (range[0], [kg]) and the angular ones (range[1],
/// [kg m^2]), over configurations spread within the limits of the joints. {HUGE_VAL, 0} where there is no such row. Not for
/// the control thread.
/// \param[in] task  rows of a frame as singularity_task has them
/// \param[in] work  nq + nq + nv
mbd_status_t inertia_natural(
  const mbd_model_t * model, mbd_data_t * data, const mbd_task_t * task, double * work,
  double range[2][2]);

#endif  // MBDYN_ROS__INERTIA_SHAPING_H_
