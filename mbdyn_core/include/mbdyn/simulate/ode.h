/// \file simulate/ode.h
/// Integrators of ordinary differential equations x'' = g(t, x, x') and y' = f(t, y).
///
///   mbd_ode_options_default   method, tolerances, step
///   mbd_method_name           "rkf45", ...
///   mbd_ode_size              size of an integrator in bytes
///   mbd_ode_init              create an integrator in the caller's memory
///   mbd_ode_set               set the state
///   mbd_ode_step              one accepted step
///   mbd_ode_at                state at a time within the last step (dense output)
///   mbd_ode_info              state and counters
///
/// **Methods.** Tableaux and second-order forms are those of Haug, section 4.8. A second-order problem is
/// integrated as y = (x, x'); implicit stages are solved for x'' alone.
///
///   method          order  stages     error control        suited for
///   rkf45           5      6          embedded order 4     the default: smooth motion
///   rk4             4      4          none: fixed step     first and second order
///   nystrom4        4      4          none: fixed step     second order
///   semi_implicit   1      1          none: fixed step     real-time loops, second order
///   trapezoidal     2      1 implicit third derivative     stiff, without numerical damping
///   hht             2      1 implicit third derivative     stiff, damps high frequencies; second order
///   sdirk54         4      5 implicit embedded order 3     stiff, L-stable
///   auto            -                                      rkf45; sdirk54 while the problem is stiff
///
/// **Tolerances** are those of SciPy: a step is accepted if the root mean square of
/// error / (atol + rtol |y|) is below one. rkf45 continues with its fifth-order result.
///
/// **Stiffness** is checked every 20 steps of rkf45 with error control: if h times the estimated spectral
/// radius of the Jacobian exceeds 2.5 in five consecutive checks, info->stiff is set, and `auto` switches to
/// sdirk54. It switches back when rkf45 would be stable at five times the step.
///
/// **Dense output** within the last step is the quintic Hermite interpolation of x, x' and x'' at both ends
/// (second order), or the cubic one of y and y' (first order).
///
/// **Quadratures.** f may return nquad additional rates; they are integrated with the weights of the method,
/// without error control.
#ifndef MBDYN__SIMULATE__ODE_H_
#define MBDYN__SIMULATE__ODE_H_

#include "mbdyn/status.h"
#include "mbdyn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Integration methods.
typedef enum mbd_method {
  MBD_METHOD_RKF45 = 0,
  MBD_METHOD_RK4 = 1,
  MBD_METHOD_NYSTROM4 = 2,
  MBD_METHOD_SEMI_IMPLICIT = 3,
  MBD_METHOD_TRAPEZOIDAL = 4,
  MBD_METHOD_HHT = 5,
  MBD_METHOD_SDIRK54 = 6,
  MBD_METHOD_AUTO = 7
} mbd_method_t;

/// Number of methods.
#define MBD_METHODS 8

/// Maximum number of quadratures.
#define MBD_QUADRATURES_MAX 4

/// Right-hand side.
/// \param[in]  x, xd  state; y and NULL for a first-order problem                        [n]
/// \param[out] out    x'' (or y'), then the rates of the quadratures                     [n + nquad]
/// \return MBD_OK or an error. After an error 3xx (numerical) at a trial state, methods with error control
///   retry with a smaller step; other errors end the step.
typedef mbd_status_t (*mbd_ode_fn)(
  void * ctx, double t, const double * x, const double * xd, double * out);

/// Jacobian of the right-hand side: row-major n x n.
/// \param[out] dx   d out / d x (or d y)
/// \param[out] dxd  d out / d x'; NULL for a first-order problem
typedef mbd_status_t (*mbd_ode_jacobian_fn)(
  void * ctx, double t, const double * x, const double * xd, double * dx, double * dxd);

/// Project an accepted state onto the invariants of the problem, in place.
typedef mbd_status_t (*mbd_ode_project_fn)(void * ctx, double t, double * x, double * xd);

/// The differential equation.
typedef struct mbd_ode_problem {
  int n;                         ///< length of x or y
  bool first_order;              ///< true: y' = f(t, y); false: x'' = g(t, x, x')
  int nquad;                     ///< number of quadratures
  mbd_ode_fn f;                  ///< right-hand side
  mbd_ode_jacobian_fn jacobian;  ///< for implicit methods; NULL: finite differences of f
  mbd_ode_project_fn project;    ///< projection of accepted states, or NULL
  void * ctx;                    ///< passed to all callbacks
} mbd_ode_problem_t;

typedef struct mbd_ode_options {
  mbd_method_t method;
  double rtol, atol;  ///< relative and absolute tolerance, sum at least 1e-15; defaults 1e-6, 1e-9
  double step;        ///< fixed step, default 1 ms; or first step, default 0: automatic [s]
  bool fixed;         ///< use the fixed `step` also in methods with error control; default false
  double step_min;    ///< smallest step [s]; default 0: limited only by rounding of t
  double step_max;    ///< largest step; default infinite [s]
  double alpha;       ///< hht: -1/3 (most damping) to 0 (trapezoidal); default -0.05
  int newton_max;     ///< maximum Newton iterations per implicit stage; default 10
} mbd_ode_options_t;

/// State and counters.
typedef struct mbd_ode_information {
  double t;             ///< time of the state [s]
  double t_begin;       ///< beginning of the last step [s]
  const double * x;     ///< x or y                                                   [n]
  const double * xd;    ///< x'; NULL for a first-order problem                       [n]
  const double * xdd;   ///< x'' or y'                                                [n]
  const double * quad;  ///< quadratures since mbd_ode_set                            [nquad]
  double step;          ///< next step [s]
  double error;         ///< error norm of the last step, 0 without error control
  mbd_method_t method;  ///< method in use; for auto: rkf45 or sdirk54
  bool stiff;           ///< steps of rkf45 are limited by stability, not by accuracy
  long steps, rejected, evaluations, jacobians, newton;  ///< since mbd_ode_init
} mbd_ode_info_t;

typedef struct mbd_ode mbd_ode_t;  ///< an integrator

/// Default options: rkf45, and the defaults above.
MBD_PUBLIC
mbd_ode_options_t mbd_ode_options_default(void);

/// Name of a method: "rkf45", "rk4", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_method_name(mbd_method_t method);

/// Size of an integrator in bytes; 0 for an invalid problem.
MBD_PUBLIC
size_t mbd_ode_size(const mbd_ode_problem_t * problem);

/// Create an integrator in memory of the caller, aligned as by malloc.
/// \param[in]  options  NULL: defaults
/// \param[in]  memory   at least mbd_ode_size(problem) bytes; must outlive the integrator
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_TOO_SMALL, MBD_ERROR_BAD_ARGUMENT (problem, options,
///   or a second-order method for a first-order problem)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ode_init(
  const mbd_ode_problem_t * problem, const mbd_ode_options_t * options, void * memory, size_t size,
  mbd_ode_t ** ode);

/// Set the state. Quadratures restart from zero.
/// \param[in] xd       NULL for a first-order problem
/// \param[in] restart  true: reset the step size too, e.g. after a discontinuity; false: keep it, if only the
///   coordinates have changed
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, or an error of f
///
/// Allocates no | Thread-safe per ode | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ode_set(
  mbd_ode_t * ode, double t, const double * x, const double * xd, bool restart);

/// One accepted step, not beyond t_end. The last call of f is at the new state.
/// \return MBD_OK; MBD_ERROR_STEP (the step size fell below its minimum: a singularity, a discontinuity,
///   or a stiff problem; info->stiff); MBD_ERROR_BAD_ARGUMENT (t_end is not after t); MBD_ERROR_STAGE
///   (no state is set); MBD_ERROR_NOT_CONVERGED (implicit stage with a fixed step); or an error of f.
///   On error, the state is that before the step.
///
/// Complexity bounded by the number of rejected steps | Allocates no | Thread-safe per ode | Real-time
/// safe if f is; fixed explicit steps call f a fixed number of times
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ode_step(mbd_ode_t * ode, double t_end);

/// State at a time within the last step.
/// \param[out] x, xd, xdd  n numbers each, or NULL; for a first-order problem x is y, xdd is y', xd is unused
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE (no step), MBD_ERROR_BAD_ARGUMENT (t)
///
/// Allocates no | Thread-safe per ode | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_ode_at(const mbd_ode_t * ode, double t, double * x, double * xd, double * xdd);

/// State and counters; NULL if the integrator is NULL. Valid as long as the integrator exists.
MBD_PUBLIC
const mbd_ode_info_t * mbd_ode_info(const mbd_ode_t * ode);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SIMULATE__ODE_H_
