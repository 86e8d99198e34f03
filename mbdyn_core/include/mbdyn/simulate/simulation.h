/// \file simulate/simulation.h
/// Time-domain simulation of a model with or without closures.
///
///   mbd_simulation_options_default   integrator, charts, tolerance
///   mbd_simulation_create            create a simulation, with one allocation
///   mbd_simulation_destroy           free it
///   mbd_simulation_data              its workspace, to set gravity, payloads and friction
///   mbd_simulation_set_input         joint torques as a function of the state
///   mbd_simulation_set_wrenches      external wrenches on frames
///   mbd_simulation_refresh           evaluate again after a change of input, wrenches, gravity or payloads
///   mbd_simulation_add_event         add an event function, whose zeros are located
///   mbd_simulation_start             assemble and project the initial state
///   mbd_simulation_step              one accepted step
///   mbd_simulation_run               steps to a time or an event
///   mbd_simulation_at                state, accelerations, multipliers within the last step
///   mbd_simulation_jacobian          linearisation in independent coordinates
///   mbd_simulation_info              state, counters, constraint errors, energy, work
///
/// Forward dynamics (mbd_constrained_forward_dynamics if there are closures) is integrated in the coordinates
/// of a chart (chart.h) by a method of ode.h. Every step satisfies the closures at position, velocity and
/// acceleration level to the tolerance, Haug chapter 5. Charts are replaced between steps.
///
/// The terms selected by mbd_set_terms, bearings (bearing.h), time-dependent drivers and nonholonomic closures
/// are included.
///
/// **Implicit methods** solve for x'' with the Jacobian of the Index-0 equations, Haug (5.5.18): derivatives
/// of inverse dynamics are analytic, those of the chart and of the input are finite differences. With bearings
/// all of it is finite differences.
///
/// **Energy.** info->work is the work of input torques, friction, bearings, drivers and force elements without potential
/// energy (element.h) since the start, integrated with the weights of the method: energy - energy_start - work is the error of the energy balance.
///
/// **Events** are sign changes of a function between the ends of a step, located within the step to
/// 1e-9 s by dense output. Two sign changes within one step are missed: limit options.ode.step_max.
#ifndef MBDYN__SIMULATE__SIMULATION_H_
#define MBDYN__SIMULATE__SIMULATION_H_

#include "mbdyn/constraints/assembly.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/simulate/chart.h"
#include "mbdyn/simulate/ode.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Maximum number of events.
#define MBD_EVENTS_MAX 16

/// Maximum number of external wrenches.
#define MBD_SIMULATION_WRENCHES_MAX 32

/// Joint torques.
/// \param[in,out] data  position and velocity stages are those of q and v; may be queried
/// \param[in]     q, v  model->nq, model->nv
/// \param[out]    tau   model->nv, zeros on entry
/// \return MBD_OK, or an error, which ends the step. The callback must be a pure function of t, q and v.
typedef mbd_status_t (*mbd_input_fn)(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau);

/// An event: a sign change of a function of the state.
typedef struct mbd_event {
  /// Event function; arguments as in mbd_input_fn.
  double (*value)(void * ctx, mbd_data_t * data, double t, const double * q, const double * v);
  void * ctx;
  int direction;  ///< 1: rising, -1: falling, 0: both
  bool terminal;  ///< stop: the step ends at the event, and mbd_simulation_run returns
} mbd_event_t;

/// Occurrences of an event.
typedef struct mbd_event_record {
  int count;  ///< number of occurrences since the start
  double t;   ///< time of the last one [s]
} mbd_event_record_t;

typedef struct mbd_simulation_options {
  mbd_ode_options_t ode;
  mbd_chart_limits_t limits;
  double tolerance;  ///< largest error of position rows [m, rad]; default 1e-14
} mbd_simulation_options_t;

/// State and counters.
typedef struct mbd_simulation_information {
  double t;               ///< [s]
  const double * q;       ///< configuration                                         [nq]
  const double * v;       ///< velocity                                              [nv]
  const double * qdd;     ///< acceleration                                          [nv]
  const double * tau;     ///< input torques                                         [nv]
  const double * lambda;  ///< multipliers of the closures, constrained.h            [nrow]
  const double * load;    ///< loads of the bearings, bearing.h [N]                [nbearing]
  int n;                  ///< number of independent coordinates
  int charts;             ///< charts used since the start
  long steps, rejected, evaluations, jacobians, newton;  ///< since the start
  double step;                                           ///< next step [s]
  mbd_method_t method;                                   ///< method in use
  bool stiff;  ///< rkf45 is limited by stability: use sdirk54 or auto
  /// Largest constraint errors of accepted steps since the start.
  double error_position;      ///< [m, rad]
  double error_velocity;      ///< [m/s, rad/s]
  double error_acceleration;  ///< [m/s^2, rad/s^2]
  /// Largest condition number of the loads of bearings since the start; large: jamming, bearing.h
  double condition;
  double energy;                      ///< kinetic plus potential energy [J]
  double energy_start;                ///< at the start [J]
  double work;                        ///< work of input, friction and drivers since the start [J]
  int event;                          ///< terminal event of the last step, or -1
  const mbd_event_record_t * record;  ///< record of each event
} mbd_simulation_info_t;

typedef struct mbd_simulation mbd_simulation_t;  ///< a simulation

/// Default options: those of ode.h and chart.h, tolerance 1e-14.
MBD_PUBLIC
mbd_simulation_options_t mbd_simulation_options_default(void);

/// Create a simulation.
/// \param[in]  model    finalized, a tree with or without closures; must outlive the simulation
/// \param[in]  options  NULL: defaults
/// \param[out] sim      free with mbd_simulation_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED (embedded
///   loops, flexible links), MBD_ERROR_BAD_JOINT (chart.h), MBD_ERROR_BAD_ARGUMENT (options),
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes, once | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_create(
  const mbd_model_t * model, const mbd_simulation_options_t * options, mbd_simulation_t ** sim);

/// Free a simulation; NULL is allowed.
MBD_PUBLIC
void mbd_simulation_destroy(mbd_simulation_t * sim);

/// Workspace of the simulation, to set gravity, payloads and terms before the start. NULL if sim is NULL.
MBD_PUBLIC
mbd_data_t * mbd_simulation_data(mbd_simulation_t * sim);

/// Set the callback for input torques; NULL: no torques.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_set_input(mbd_simulation_t * sim, mbd_input_fn input, void * ctx);

/// Set external wrenches on frames, constant until they are replaced; NULL: none. Loads of bearings include them.
/// \param[in] wrenches  not copied: must stay valid while the simulation uses it
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT (sim), MBD_ERROR_BAD_ARGUMENT (too many)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_set_wrenches(mbd_simulation_t * sim, const mbd_wrenches_t * wrenches);

/// Evaluate the dynamics again at the current state. To be called between two steps after input, wrenches,
/// gravity, payloads or terms have changed at once; charts and counters stay.
/// \return MBD_OK; MBD_ERROR_NULL_ARGUMENT; MBD_ERROR_STAGE (not started); as the dynamics: then it must be
///   started again
///
/// Complexity one evaluation of the dynamics | Allocates no | Thread-safe per sim | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_refresh(mbd_simulation_t * sim);

/// Add an event, before the start.
/// \param[out] index  index in info->record, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (direction, or too many)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_add_event(
  mbd_simulation_t * sim, const mbd_event_t * event, int * index);

/// Start at the configuration nearest to q that satisfies the closures (mbd_assemble), with the nearest
/// velocity (mbd_project_velocity). May be called again.
/// \param[in]  q, v    model->nq, model->nv; v NULL: zero
/// \param[out] result  result of the assembly, or NULL
/// \return MBD_OK; as mbd_assemble, mbd_project_velocity, mbd_constrained_forward_dynamics
///
/// Allocates no | Thread-safe per sim | Real-time safe bounded
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_start(
  mbd_simulation_t * sim, double t, const double * q, const double * v, mbd_assembly_t * result);

/// One accepted step, not beyond t_end.
/// \return MBD_OK; MBD_ERROR_STAGE (not started); MBD_ERROR_LOCKED (the rank of the closures
///   changes: a singular configuration); MBD_ERROR_NO_SOLUTION (bearings jam); as mbd_ode_step. On error, the state is that before the step.
///
/// Allocates no | Thread-safe per sim | Real-time safe as mbd_ode_step
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_step(mbd_simulation_t * sim, double t_end);

/// Step to t_end, or to a terminal event (info->event).
/// \return as mbd_simulation_step
///
/// Allocates no | Thread-safe per sim | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_run(mbd_simulation_t * sim, double t_end);

/// State at a time within the last step, including its end. Accelerations and multipliers are computed by
/// forward dynamics at the interpolated state; then the workspace is at that state, and mbd_joint_force gives
/// the forces through the joints of the tree.
/// \param[out] q, v, qdd, lambda  nq, nv, nv, nrow numbers; each may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE, MBD_ERROR_BAD_ARGUMENT (t)
///
/// Allocates no | Thread-safe per sim | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_at(
  mbd_simulation_t * sim, double t, double * q, double * v, double * qdd, double * lambda);

/// Jacobian of x'' = g(t, x, x') in the coordinates of the current chart.
/// \param[out] dx, dxd  row-major n x n
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE, MBD_ERROR_UNSUPPORTED (nonholonomic rows)
///
/// Complexity O(n N + n nv^2) | Allocates no | Thread-safe per sim | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_simulation_jacobian(mbd_simulation_t * sim, double * dx, double * dxd);

/// State and counters; NULL if the simulation is NULL. Valid as long as the simulation exists.
MBD_PUBLIC
const mbd_simulation_info_t * mbd_simulation_info(const mbd_simulation_t * sim);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SIMULATE__SIMULATION_H_
