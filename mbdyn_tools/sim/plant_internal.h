/// \file plant_internal.h
/// Between plant.c (time, pushes, integrators), plant_loops.c (loops and gears), plant_flexible.c
/// (flexible links), plant_chart.c (chart integrators), plant_contact.c (ground, exact friction) and
/// plant_dynamics.c (accelerations, stops).
#ifndef MBDYN_SIM__PLANT_INTERNAL_H_
#define MBDYN_SIM__PLANT_INTERNAL_H_

#include "mbdyn/constraints/limits.h"
#include "plant.h"

/// Joints move by v = X x, x the nr velocities that loops and gears leave independent.
typedef struct plant_work {
  int nr;
  double * X;      // at the configuration that was closed last [nv nr]; not used without loops
  double * drift;  // X' x [nv]

  // one evaluation
  mbd_wrenches_t wrenches;
  mbd_wrench_t wrench[PLANT_PUSHES];
  double * rhs;       // [nv]
  double * friction;  // S, friction per velocity                                   [nv]
  double * M;         // [nv nv]
  double * MX;        // (M + h S) X                                                [nv nr]
  double * L;         // Cholesky factor of X^T (M + h S) X, of the last evaluation [nr nr]
  double * x;         // independent velocities or accelerations                    [nr]

  // position limits of all joints, whether loops leave their velocities independent or not
  int nlimit;
  mbd_limit_t * limit;  // [nlimit]

  // stops: joints at a limit, or at both if there is no room between them
  int nstop;
  int * stop;     // degree of freedom                                          [2 nv]
  double * sign;  // of the velocity that leads away from the limit             [2 nv]
  int npressed;
  int * pressed;      // those of them that count now                               [2 nv]
  double * force;     // of each: impulse, or torque                                [2 nv]
  double * held;      // impulse of the lower and the upper stop of each in this step   [2 nv]
  double * response;  // velocity per impulse or acceleration per torque, of x      [2 nv nr]

  // integration
  double *q0, *v0;          // beginning of the step
  double *u, *du, *du_sum;  // chart around q0                                       [nv]
  double *dv, *dv_sum;      // [nv]

  double * assembly;  // of mbd_assemble
} plant_work_t;

/// Flexible links: joints first, modes behind them.
typedef struct plant_flexible {
  const mbd_model_t * robot;
  mbd_data_t * data;
  double *q, *v, *tau;
  double *with, *without;  // accelerations with and without a torque
  double * work;           // of mbd_step
} plant_flexible_t;

void plant_flexible_fini(plant_t * plant);
void plant_flexible_options(plant_t * plant);

/// Undeformed, at rest.
void plant_flexible_rest(plant_t * plant);

/// Effort and wrenches for h seconds.
mbd_status_t plant_flexible_step(plant_t * plant, double h);

/// The strain is part of the potential.
mbd_status_t plant_flexible_energy(plant_t * plant, double * kinetic, double * potential);

void plant_touching_fini(plant_t * plant);

/// Steps of the options are those of plant_contact.c.
bool plant_touches(const plant_t * plant);

/// Memory of such steps; false if it is short.
bool plant_touching_init(plant_t * plant);

/// Forgets forces of the last step.
void plant_touching_clear(plant_t * plant);

/// Moves a floating base so that the lowest contact point has the clearance of the options.
mbd_status_t plant_place_base(plant_t * plant, double * q);

/// Effort and wrenches for h seconds, with contacts and limits. braked: joints are locked.
mbd_status_t plant_contact_step(plant_t * plant, double h, bool braked);

/// Friction of the drives per velocity, which is finite at v = 0 [nv]
void plant_friction_per_velocity(const plant_t * plant, const double * v, double * S);

void plant_chart_fini(plant_t * plant);
void plant_chart_options(plant_t * plant);
mbd_data_t * plant_chart_data(const plant_t * plant);

/// The plant's state at the drivers' time 0, projected onto the closures.
mbd_status_t plant_chart_reset(plant_t * plant);

/// The plant's state has changed (start), or torques or payloads have.
void plant_chart_changed(plant_t * plant, bool start);

/// Effort and wrenches for a whole simulation step.
mbd_status_t plant_chart_step(plant_t * plant, double dt);

/// The embedding of a model with closures: nr and what plant_close needs.
bool plant_embed(plant_t * plant, const mbd_model_t * model);

/// A configuration at which the loops are closed, near q, where the independent joints stay.
mbd_status_t plant_assemble(plant_t * plant, double * q);

/// Closes what a step has left open: q, X there, and dependent velocities (v may be NULL).
mbd_status_t plant_close(plant_t * plant, double * q, double * v);

/// drift at the configuration that was closed last.
mbd_status_t plant_drift(plant_t * plant, const double * v);

/// v = X x, and x of v.
void plant_spread(const plant_t * plant, const double * x, double * v);
void plant_reduce(const plant_t * plant, const double * v, double * x);

/// Velocity of joint k per independent velocity j.
static inline double
plant_share(const plant_t * plant, int k, int j)
{
  return plant->loops ? plant->work->X[k * plant->work->nr + j] : k == j;
}

/// a of (M + h S) a = tau - C v - g + J^T f - S v at a state, with effort, wrenches and stops as
/// they are: joints at rest at a limit are not accelerated beyond it.
mbd_status_t plant_acceleration(
  plant_t * plant, const double * q, const double * v, double h, double * a);

/// Joints at their limits; q is brought back to them. v: to count those that arrive.
void plant_find_stops(plant_t * plant, double * q, const double * v);

/// The stops have pressed as in the last acceleration for so long.
void plant_press(plant_work_t * work, double seconds);

/// Takes what leads beyond those stops from v, with the inertia of the last acceleration.
void plant_stop(plant_t * plant, double * v);

#endif  // MBDYN_SIM__PLANT_INTERNAL_H_
