// A simulation: its parts and the state of an evaluation.
#ifndef SIMULATION_INTERNAL_H_
#define SIMULATION_INTERNAL_H_

#include "constraints/bearing.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/dynamics/bearing.h"
#include "mbdyn/simulate/simulation.h"

// what an evaluation of the dynamics gives
typedef struct mbdi_evaluation {
  double *q, *v, *qdd, *tau, *lambda;
  mbd_bearing_info_t bearing;  // of a model with bearings
} mbdi_evaluation_t;

// Equations of motion in the coordinates of the chart, where the tree is small: v' = N x'' + a.
typedef struct mbdi_projected {
  bool used;                    // by the last evaluation
  double *a, *h;                // acceleration at x'' = 0, M a + h - tau              [nv]
  double *N, *NT, *M, *MN, *S;  // columns N, mass matrix, M N, N^T M N           [nv nv]
  double * torque;              // G^T lambda of the last evaluation                   [nv]
} mbdi_projected_t;

// Bearings in the Jacobian, n of them.
typedef struct mbdi_bearing_column {
  mbdi_bearing_at_t *at, *moved;  // at the state, and beside it                         [n]
  double * response;              // x'' of unit loads                                   [n nv]
  double *f, *df;                 // forces at the state, derivatives of the loads      [6 n]
  double * inverse;               // of the loads' matrix                                [n n]
  double *A, *change;             // scratch                                             [n n], [n]
  mbd_wrench_t * list;            // of the caller, and friction on links
} mbdi_bearing_column_t;

struct mbd_simulation {
  mbd_simulation_info_t info;
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_simulation_options_t options;
  mbd_chart_t * chart;
  mbd_ode_t * ode;
  void * ode_memory;
  size_t ode_size;
  mbd_input_fn input;
  void * input_ctx;
  const mbd_wrenches_t * wrenches;
  int nevent;
  mbd_event_t event[MBD_EVENTS_MAX];
  mbd_event_record_t record[MBD_EVENTS_MAX];
  double value[MBD_EVENTS_MAX];  // at the last state
  bool started;
  bool chart_due;     // before the next step
  double work_base;   // work before the chart in use
  double work_begin;  // and at the beginning of the last step
  mbdi_evaluation_t now, other;
  double *x, *xd, *xdd;  // scratch                                                    [nv]
  double *rate, *gamma;  // scratch                                                    [nrow]
  double * friction;     // scratch                                                    [nv]
  double * load;         // of bearings: of the last evaluation                        [nbearing]
  double * load_now;     // and at the state of info                                   [nbearing]
  double * bearing;      // work of bearings
  double * work;         // of assembly and constrained dynamics
  mbdi_projected_t projected;
  // of the Jacobian
  double *N, *M, *dq, *dv;  // tangent space n x nv; nv x nv                          [nv nv]
  double *reduced, *root;   // N^T M N and its Cholesky factor, n x n                 [nv nv]
  double *base, *torque, *sum, *step;  //                                             [nv]
  mbdi_bearing_column_t column;
  double * derivatives;  // work
};

void mbdi_lay_out_projected(
  const mbd_model_t * model, char * base, size_t * offset, mbdi_projected_t * p);

// dynamics at x, x' of the chart, without multipliers; power of input, friction and drivers in *power
mbd_status_t mbdi_simulation_evaluate(
  mbd_simulation_t * sim, double t, const double * x, const double * xd, mbdi_evaluation_t * e,
  double * xdd, double * power);

// e->lambda of the last evaluation, whose stages are set
mbd_status_t mbdi_simulation_multipliers(mbd_simulation_t * sim, mbdi_evaluation_t * e);

// and the acceleration and force stages
mbd_status_t mbdi_simulation_forces(mbd_simulation_t * sim, mbdi_evaluation_t * e);

// input torques at the stages of the workspace
mbd_status_t mbdi_simulation_input(
  mbd_simulation_t * sim, double t, const double * q, const double * v, double * tau);

// mbd_ode_jacobian_fn
mbd_status_t mbdi_simulation_jacobian(
  void * ctx, double t, const double * x, const double * xd, double * dx, double * dxd);

#endif  // SIMULATION_INTERNAL_H_
