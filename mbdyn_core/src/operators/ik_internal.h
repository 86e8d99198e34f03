// Inverse kinematics as a least-squares problem with bounds: residual, Jacobian, damped step.
#ifndef OPERATORS__IK_INTERNAL_H_
#define OPERATORS__IK_INTERNAL_H_

#include "mbdyn/ik.h"

typedef struct mbdi_ik {
  const mbd_model_t * model;
  mbd_data_t * data;
  const mbd_ik_targets_t * targets;
  int m;         // rows
  int n;         // degrees of freedom that move a target: columns
  double scale;  // weight of a metre: 1 / length
  int nbody;     // on the paths from the base to the targets
  int * body;    // they, base to tip                                           [nbody]

  // columns
  int * dof;       // index in v                                                [n]
  int * number;    // index in q, or -1: not a position with limits             [n]
  bool * turns;    // a whole turn does not matter                              [n]
  double * lower;  // position limits                                           [n]
  double * upper;

  // at the configuration
  double * q;                 // [nq]
  double * e;                 // weighted errors that are left, desired minus actual       [m]
  double * J;                 // weighted; columns one after another                        [n m]
  double error;               // |e|^2 / 2
  double position, rotation;  // largest of a target, not weighted [m], [rad]

  // step
  double *below, *above;  // bounds of a step                                     [n]
  double *step, *g;       // the step; J^T e                                      [n]
  double *toward, *past;  // wanted step of the secondary target; the step before [n]
  bool * held;            // at a bound                                           [n]
  double *A, *L, *y, *r;  // [k k], [k k], [k], [m] of k = min(m, n)
  double *q_trial, *q_best, *e_trial, *v;  // [nq], [nq], [m], [nv]
} mbdi_ik_t;

// numbers of work, laid out in it unless it is NULL
size_t mbdi_ik_lay_out(mbdi_ik_t * ik, double * work);

// check the arguments, lay out, and fill what does not depend on q. length 0: from the model
mbd_status_t mbdi_ik_begin(
  const mbd_model_t * model, mbd_data_t * data, const mbd_ik_targets_t * targets, double length,
  bool ignore_limits, double * work, mbdi_ik_t * ik);

// ik->q: the seed within its limits; without one, the middle of them
mbd_status_t mbdi_ik_take_seed(mbdi_ik_t * ik, const double * seed);

// errors at q: fills e (of m numbers) and the largest of a target; sets or defers the position stage, the
// placements of the bodies on the paths are there
mbd_status_t mbdi_ik_errors(
  mbdi_ik_t * ik, const double * q, double * e, double * position, double * rotation);

// Jacobian at the configuration of the last call of mbdi_ik_errors, whose errors are ik->e
void mbdi_ik_jacobian(mbdi_ik_t * ik);

// step that minimises |J step - e|^2 + damping |step|^2 within below and above
void mbdi_ik_step(mbdi_ik_t * ik, double damping);

// the same with damping |step - toward|^2, toward moved within the bounds first: with little damping, the step
// nearest to it among those that minimise |J step - e|
void mbdi_ik_step_toward(mbdi_ik_t * ik, double damping);

// distances from the limits, which bound a step
void mbdi_ik_bound_step(mbdi_ik_t * ik);

// toward = gain (posture - q) of the columns; returns the largest difference
mbd_status_t mbdi_ik_toward_posture(
  mbdi_ik_t * ik, const double * posture, double gain, double * most);

// from ik->q, where the targets are reached, to the nearest posture; ik->q stays where they are reached
mbd_status_t mbdi_ik_relax(
  mbdi_ik_t * ik, const mbd_ik_options_t * options, mbd_ik_result_t * result);

// q moved by the step, within limits
mbd_status_t mbdi_ik_move(mbdi_ik_t * ik, const double * q, double * q_out);

// smallest and largest singular value of J
void mbdi_ik_singular_values(mbdi_ik_t * ik, double * smallest, double * largest);

// sign of the determinant of J if it is square, else 0
int mbdi_ik_sign(const mbdi_ik_t * ik);

// x of column c is an angle with so many turns that they are not kept
bool mbdi_ik_is_far(const mbdi_ik_t * ik, int c, double x);

// angles of q into limits, as near to those of the seed as whole turns can bring them
void mbdi_ik_unwind(const mbdi_ik_t * ik, const double * seed, double * q);

// one start from ik->q: iterates until the targets are reached, or the error has a minimum. `patience`: give
// up when the error falls too slowly for that many iterations
mbd_status_t mbdi_ik_descend(
  mbdi_ik_t * ik, const mbd_ik_options_t * options, int patience, mbd_ik_result_t * result);

mbd_status_t mbdi_ik_check_options(const mbd_ik_options_t * options);

// random configuration of the joints that move a target; the others, and translations without limits, as in q
void mbdi_ik_random(const mbdi_ik_t * ik, uint64_t seed, const double * q, double * random);

static inline bool
mbdi_ik_reached(const mbd_ik_options_t * options, double position, double rotation)
{
  return position <= options->position && rotation <= options->rotation;
}

#endif  // OPERATORS__IK_INTERNAL_H_
