/// \file identify_fit.h
/// Parameters that explain the torques, and that bodies and drives can have.
///
///   fit_create, fit_free   the free numbers, and where they start
///   fit_run                Levenberg-Marquardt on the quadratic forms, joints weighted
///
/// Minimises  sum over joints of |error|^2 / sigma^2 + prior * sum of distance^2  over free
/// numbers: the charts of inertia_chart.h for bodies, square roots for drives. The distance is that
/// of the free numbers from the URDF's, without units: 1 is a change of a body by about all of
/// itself. sigma of a joint is the root mean square of its error, found along the way.
#ifndef IDENTIFY_FIT_H_
#define IDENTIFY_FIT_H_

#include <stdbool.h>

#include "identify_normal.h"
#include "inertia_chart.h"

typedef struct fit {
  const normal_t * normal;
  int n, nv, nbody;
  double prior;             ///< weight of the distance
  inertia_chart_t * chart;  ///< [nbody]
  bool * mended;            ///< [nbody] the URDF's inertia is flat or worse; a thicker one is used
  double * z;               ///< [n] free numbers
  double * goal;            ///< [n] the URDF's
  double * scale;           ///< [n] a change by this is a distance of 1
  double * theta;           ///< [n] parameters
  double * delta;           ///< [n] parameters less the URDF's
  double * sigma;           ///< [nv] root mean square of the error
  int iterations, rounds;   ///< steps taken; times that sigma was changed
  bool converged;
  double * block;     ///< the memory of all of these and of what follows
  double * A;         ///< [n x n] weighted form
  double * b;         ///< [n]
  double * weight;    ///< [nv]
  double * slope;     ///< [nbody x 100] derivatives of the charts
  double * H;         ///< [n x n] of the step
  double * work;      ///< [n x n]
  double * gradient;  ///< [n]
  double * trial;     ///< [n]
} fit_t;

/// False after a message; free it all the same.
/// \param[in] normal  with all samples; must outlive the fit
bool fit_create(const normal_t * normal, double prior, fit_t * fit);
void fit_free(fit_t * fit);

/// Find the parameters.
/// \param[in] progress  called after every step, or NULL
void fit_run(fit_t * fit, void (*progress)(int step, double cost));

#endif  // IDENTIFY_FIT_H_
