// The integrator: memory, steps of each method.
#ifndef ODE_INTERNAL_H_
#define ODE_INTERNAL_H_

#include "mbdyn/simulate/ode.h"

enum { MBDI_ODE_STAGES = 6 };

// of implicit stages k = s g(t, x + cx k, x' + cd k) + r; for y' = f: k = f(t, y + cd k)
typedef struct mbdi_newton {
  double *dx, *dxd;  // Jacobian of the right-hand side                                   [n n]
  double * W;        // factors of 1 - s (cd dxd + cx dx)                                 [n n]
  int * pivot;       //                                                                   [n]
  double *k, *dk;    // unknown and its change                                            [n]
  double * a;        // acceleration of HHT at the end of the step                         [n]
  double * trial;    // state at the stage                                                [size]
  double cx, cd, s;  // that W was made with
  bool has_jacobian, fresh, factorized;
  int age;  // steps since the Jacobian was computed
} mbdi_newton_t;

struct mbd_ode {
  mbd_ode_info_t info;
  mbd_ode_problem_t problem;
  mbd_ode_options_t options;
  int n;       // unknowns of the right-hand side
  int size;    // numbers of the state: 2 n, or n of a first-order problem
  double * y;  // state x, x'                                                         [size]
  double * f;  // its rates x', x'', then those of the integrals                      [size + nquad]
  double * y_old;  // the same at the beginning of the last step
  double * f_old;
  double * a;  // acceleration of HHT, which is not that of the state                [n]
  bool has_state, has_step;
  double *
    K[MBDI_ODE_STAGES];  // rates of stages                                        [size + nquad]
  double * stage;        // state of a stage                                       [size]
  double * next;         // result of a step                                       [size]
  double * error;        // estimate of its error                                  [size]
  double quad[MBD_QUADRATURES_MAX], quad_next[MBD_QUADRATURES_MAX];
  mbdi_newton_t newton;
  int since_check, stiff_in_row;
};

// rates of a state
mbd_status_t mbdi_ode_rates(mbd_ode_t * ode, double t, const double * y, double * f);

// root mean square of e / (atol + rtol max(|a|, |b|)) over the state
double mbdi_ode_norm(const mbd_ode_t * ode, const double * e, const double * a, const double * b);

// One step from the state by h into ode->next and ode->quad_next; with an estimate of the error in
// ode->error where *estimated is set. Implicit methods leave the x'' of the new state in ode->newton.k.
mbd_status_t mbdi_ode_explicit(mbd_ode_t * ode, double h, bool * estimated);
mbd_status_t mbdi_ode_implicit(mbd_ode_t * ode, double h, bool * estimated);

static inline bool
mbdi_method_is_implicit(mbd_method_t method)
{
  return method == MBD_METHOD_TRAPEZOIDAL || method == MBD_METHOD_HHT ||
         method == MBD_METHOD_SDIRK54;
}

// bound of the largest rate of the problem by the Jacobian
double mbdi_ode_jacobian_rate(const mbd_ode_t * ode);

#endif  // ODE_INTERNAL_H_
