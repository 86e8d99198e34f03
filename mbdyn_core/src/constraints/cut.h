// Closures as cut joints: their rows factorised, as they are and as the mass matrix sees them.
#ifndef CUT_H_
#define CUT_H_

#include "constraints/closure_internal.h"
#include "constraints/mass_factor.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/operators/factors.h"
#include "util/lq.h"

// Rows as seen through the mass matrix M = m m^T are (m^-1 G^T)^T: x = m^T v instead of v.
typedef struct mbdi_cut {
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_constrained_options_t options;
  int nclosure, nrow;         // none of an embedded model
  int nacting;                // rows of closures that are not open
  mbdi_lq_t G;                // all rows, those of open closures zero
  mbdi_lq_t W;                // independent rows as the mass matrix sees them
  double * dense;             // memory of a small tree's mass matrix, or NULL
  double * M;                 // `dense`, if m is to be of its factors, or NULL: mbd_mass_sqrt
  mbdi_mass_factor_t factor;  // memory of a small tree
  bool factorized;            // they are there: m is theirs
  bool without_forces;        // forward dynamics leaves the force stage to the caller
  // Resistances of joint velocities that count as inertia, X^T diag(S) X; X NULL: the identity. Then M must be
  // there. S NULL: none.
  const double *S, *X;  // [nresist], [nresist nv]
  int nresist;
  double *
    tall;  // work for a tall matrix                                        [see mbdi_cut_work]
  double * small;   // work for the redundant rows                                   [same]
  double * x;       // scratch                                                       [nv]
  double * g;       // scratch                                                       [nv]
  double * r;       // scratch                                                       [nrow]
  double * y;       // scratch                                                       [nrow]
  double * wanted;  // of mbdi_cut_wanted, by mbdi_cut_factor                        [nrow]
  double * planar;  // work of planar loops                    [see mbdi_cut_planar_work]
} mbdi_cut_t;

size_t mbdi_cut_work(const mbd_model_t * model);

// arguments that all functions have; lays the work out
mbd_status_t mbdi_cut_begin(
  mbdi_cut_t * cut, const mbd_model_t * model, mbd_data_t * data,
  const mbd_constrained_options_t * options, double * work);

// G as it is into A (nrow x nv), rows of open closures zero
void mbdi_cut_fill(const mbdi_cut_t * cut, double * A);

// rank of G; needs the position stage
mbd_status_t mbdi_cut_rank(mbdi_cut_t * cut, mbd_constrained_t * info);

// MBD_ERROR_LOCKED where the rank of G is less than nearby, unless options.rank says what it is to
// be; needs mbdi_cut_rank; spoils cut->g, r, y and the memory of W; the state stays
mbd_status_t mbdi_cut_check_regular(mbdi_cut_t * cut, mbd_constrained_t * info);

// the factors of cut->M, with the resistances: mbdi_cut_whiten does it if nobody has
mbd_status_t mbdi_cut_factorize(mbdi_cut_t * cut);

// the independent rows as the mass matrix sees them; needs mbdi_cut_rank, computes the articulated
// stage
mbd_status_t mbdi_cut_whiten(mbdi_cut_t * cut);

// all three: rank, singular configurations, rows as the mass matrix sees them; and what they are to be,
// which needs the velocity stage
mbd_status_t mbdi_cut_factor(mbdi_cut_t * cut, mbd_constrained_t * info);

// forward dynamics of the state for which the rows were factorised; acceleration and force stages
mbd_status_t mbdi_cut_forward_again(
  mbdi_cut_t * cut, const double * tau, const mbd_wrenches_t * f_ext, double * qdd,
  double * lambda);

// y = m x, m^-1 x or m^-T x, after mbdi_cut_whiten; y may be x
mbd_status_t mbdi_cut_root(mbdi_cut_t * cut, mbd_sqrt_op_t op, const double * x, double * y);

// x := least x with G m^-T x = r on the independent rows; r has all rows
void mbdi_cut_solve(mbdi_cut_t * cut, const double * r, double * x);

// lambda of least norm with G^T lambda = m x; x is kept
mbd_status_t mbdi_cut_multipliers(mbdi_cut_t * cut, const double * x, double * lambda);

// y = G x on all acting rows
void mbdi_cut_product(const mbdi_cut_t * cut, const double * x, double * y);

// r = gamma, less what stabilisation asks for; needs the velocity stage; spoils cut->y
mbd_status_t mbdi_cut_wanted(mbdi_cut_t * cut, double * r);

// largest |r|, by what the rows are compared with, and its closure
double mbdi_cut_largest(const mbdi_cut_t * cut, const double * r, int * closure);

// wrench on B's link at form->at
mbd_force_t mbdi_closure_force(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, const double * lambda);

// forces of multipliers on the bodies, couplings apart, at their origins in their axes: F += sign * them
void mbdi_closure_add_forces(
  const mbd_model_t * model, const mbd_data_t * data, const double * lambda, double sign,
  mbd_force_t * F);

// accelerations and joint reaction forces for qdd, wrenches and multipliers; needs the velocity stage
void mbdi_constrained_force_stage(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext,
  const double * lambda);

#endif  // CUT_H_
