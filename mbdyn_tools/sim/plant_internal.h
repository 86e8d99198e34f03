/// \file plant_internal.h
/// Between plant.c (time, pushes, integrators) and plant_dynamics.c (accelerations, gears, stops).
#ifndef MBDYN_SIM__PLANT_INTERNAL_H_
#define MBDYN_SIM__PLANT_INTERNAL_H_

#include "plant.h"

/// Degree of freedom k moves by factor[k] times degree `folded[k]` of the nr that are left once
/// mimic joints are folded into their leaders.
typedef struct plant_work {
  int nr;
  int * folded;     // [nv]
  double * factor;  // [nv]

  // one evaluation
  mbd_wrenches_t wrenches;
  mbd_wrench_t wrench[PLANT_PUSHES];
  double * rhs;       // [nv]
  double * friction;  // S, friction per velocity                                   [nv]
  double * M;         // [nv nv]
  double * L;         // Cholesky factor of the folded M + h S, of the last evaluation [nr nr]
  double * x;         // folded vector                                              [nr]

  // stops: joints at a limit, or at both if there is no room between them
  int nstop;
  int * stop;     // degree of freedom                                          [2 nv]
  double * sign;  // of the velocity that leads away from the limit             [2 nv]
  int npressed;
  int * pressed;      // those of them that count now                               [2 nv]
  double * force;     // of each: impulse, or torque                                [2 nv]
  double * held;      // impulse of the lower and the upper stop of each in this step   [2 nv]
  double * response;  // velocity per impulse or acceleration per torque, folded    [2 nv nr]

  // integration
  double *q0, *v0;          // beginning of the step
  double *u, *du, *du_sum;  // chart around q0                                       [nv]
  double *dv, *dv_sum;      // [nv]
} plant_work_t;

/// Folds mimic joints; nr, folded, factor.
void plant_fold(plant_t * plant);

/// a of (M + h S) a = tau - C v - g + J^T f - S v at a state, with effort, wrenches and stops as
/// they are: joints at rest at a limit are not accelerated beyond it.
mbd_status_t plant_acceleration(
  plant_t * plant, const double * q, const double * v, double h, double * a);

/// Followers of mimic joints, where their leaders say.
void plant_follow(const plant_t * plant, double * q);

/// Joints at their limits; q is brought back to them. v: to count those that arrive.
void plant_find_stops(plant_t * plant, double * q, const double * v);

/// The stops have pressed as in the last acceleration for so long.
void plant_press(plant_work_t * work, double seconds);

/// Takes what leads beyond those stops from v, with the inertia of the last acceleration.
void plant_stop(plant_t * plant, double * v);

#endif  // MBDYN_SIM__PLANT_INTERNAL_H_
