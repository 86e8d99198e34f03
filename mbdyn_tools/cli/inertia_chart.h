/// \file inertia_chart.h
/// The ten parameters of a rigid body as ten free numbers: every value of them is a body that can
/// exist, and zero is the body one started from.
///
///   chart_create    the body to start from
///   chart_point     free numbers -> parameters, and the derivative
///
/// The pseudo-inertia matrix J = [S h; h^T m], S = tr(I)/2 - I, of a body of positive mass is
/// positive definite, and every positive definite one is a body's. With J0 = U0 U0^T that of the
/// first body, J = U0 Q Q^T U0^T, where Q is upper triangular with a positive diagonal:
///
///   Q = exp(a) [exp(d1) s12 s13 t1; 0 exp(d2) s23 t2; 0 0 exp(d3) t3; 0 0 0 1]
///
/// The numbers a, d1 d2 d3, s12 s23 s13, t1 t2 t3 have no units, and do not depend on the choice of
/// the link frame's origin; their size is the relative change of the body.
#ifndef INERTIA_CHART_H_
#define INERTIA_CHART_H_

#include <stdbool.h>

enum { TEN = 10 };

typedef struct inertia_chart {
  double U0[16];
} inertia_chart_t;

/// Start from a body. One that cannot exist, or that is flat, is made a little thicker.
/// \param[in] theta  ten parameters, as in mbdyn/dynamics/regressor.h
/// \return true if the body was taken as it is
bool chart_create(const double * theta, inertia_chart_t * chart);

/// Parameters for free numbers.
/// \param[in]  eta    ten free numbers
/// \param[out] theta  ten parameters
/// \param[out] slope  row-major 10 x 10: derivative of theta by eta; or NULL
void chart_point(const inertia_chart_t * chart, const double * eta, double * theta, double * slope);

#endif  // INERTIA_CHART_H_
