/// \file quiet_calls.h
/// Calls of the core's functions with the heap watched, by what they are for.
#ifndef QUIET_CALLS_H_
#define QUIET_CALLS_H_

#include "quiet_list.h"
#include "random_tree.h"

/// What functions write to.
typedef struct outputs {
  double *q, *v, *M, *J;
  double *Y, *theta, *work;  // of regressors and tasks
} outputs_t;

/// Functions of a robot and its workspace.
void call_stages(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_sums(tree_t * t, mbd_data_t * d);
void call_frames(tree_t * t, mbd_data_t * d, outputs_t * r, int frame);
void call_configuration(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_factors(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_operators(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_responses(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_hybrid(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_derivatives(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_free_flyer(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_gears(tree_t * t, outputs_t * r);
void call_diagonal(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_tasks(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_momentum(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_regressors(tree_t * t, mbd_data_t * d, outputs_t * r);

/// Functions of objects beside them: an engine for nodes of any size, many states, subchains of a robot,
/// flexible links, a mass matrix without zeros, an observer.
void call_sko(void);
void call_batch(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_divide(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_flexible(tree_t * t, outputs_t * r);
void call_graph(tree_t * t, mbd_data_t * d, outputs_t * r);
void call_observer(tree_t * t, mbd_data_t * d);

/// Inverse kinematics of arms of its own.
void call_ik(void);

/// Manipulators, self-motion, clearance and driven analysis of planar arms.
void call_manipulators(void);

/// Integrators, charts and simulations of a model of at most three coordinates; q, v: a state that its
/// closures allow.
void call_simulate(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v);

#endif  // QUIET_CALLS_H_
