// The ten parameters of a rigid body as ten free numbers.
#include "inertia_chart.h"

#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/regressor.h"

// relative thickness that a body has at least to start from; size [kg, m] of one without mass
static const double THINNEST = 1e-3, LIGHTEST = 1e-3, SMALLEST = 1e-2;

//---------- 4 x 4 matrices ----------

static void
multiply(const double * A, const double * B, double * C)
{
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += A[4 * i + k] * B[4 * k + j];
      C[4 * i + j] = sum;
    }
  }
}

// C = A B^T
static void
multiply_transposed(const double * A, const double * B, double * C)
{
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += A[4 * i + k] * B[4 * j + k];
      C[4 * i + j] = sum;
    }
  }
}

// J = U U^T, U upper triangular; false if J is not positive definite
static bool
factor(const double * J, double * U)
{
  memset(U, 0, 16 * sizeof *U);
  for (int j = 3; j >= 0; j--) {
    for (int i = j; i >= 0; i--) {
      double sum = J[4 * i + j];
      for (int k = j + 1; k < 4; k++) sum -= U[4 * i + k] * U[4 * j + k];
      if (i < j) {
        U[4 * i + j] = sum / U[5 * j];
      } else if (!(sum > 0)) {
        return false;
      } else {
        U[5 * j] = sqrt(sum);
      }
    }
  }
  return true;
}

//---------- parameters and pseudo-inertia ----------

static void
pseudo_inertia(const double * t, double * J)
{
  const double half = 0.5 * (t[4] + t[7] + t[9]);
  const double full[16] = {half - t[4], -t[5], -t[6],       t[1], -t[5], half - t[7], -t[8], t[2],
                           -t[6],       -t[8], half - t[9], t[3], t[1],  t[2],        t[3],  t[0]};
  memcpy(J, full, sizeof full);
}

static void
parameters(const double * J, double * t)
{
  t[0] = J[15], t[1] = J[3], t[2] = J[7], t[3] = J[11];
  t[4] = J[5] + J[10], t[7] = J[0] + J[10], t[9] = J[0] + J[5];
  t[5] = -J[1], t[6] = -J[2], t[8] = -J[6];
}

//---------- the chart ----------

bool
chart_create(const double * theta, inertia_chart_t * chart)
{
  double t[TEN], margin = 0, J[16];
  memcpy(t, theta, sizeof t);
  bool untouched = mbd_parameters_check(t, &margin) == MBD_OK && margin >= THINNEST;
  if (!untouched) {
    // give it a mass and a size, then mass all around until it is thick enough
    if (!(t[0] > LIGHTEST)) t[0] = LIGHTEST;
    const double least = t[0] * SMALLEST * SMALLEST, size = 0.5 * (t[4] + t[7] + t[9]);
    const double unit = size > least ? size : least;
    for (double add = THINNEST; !(margin >= THINNEST); add *= 1.5) {
      t[4] += 2 * add * unit, t[7] += 2 * add * unit, t[9] += 2 * add * unit;
      if (mbd_parameters_check(t, &margin) != MBD_OK) margin = 0;
    }
  }
  pseudo_inertia(t, J);
  return factor(J, chart->U0) && untouched;
}

// where the free numbers beside the first stand in Q: d1 d2 d3, s12 s23 s13, t1 t2 t3
static const int PLACE[TEN] = {-1, 0, 5, 10, 1, 6, 2, 3, 7, 11};

static void
fill(const double * eta, double * Q)
{
  memset(Q, 0, 16 * sizeof *Q);
  Q[15] = 1;
  for (int k = 1; k < TEN; k++) Q[PLACE[k]] = k < 4 ? exp(eta[k]) : eta[k];
  const double scale = exp(eta[0]);
  for (int k = 0; k < 16; k++) Q[k] *= scale;
}

void
chart_point(const inertia_chart_t * chart, const double * eta, double * theta, double * slope)
{
  double Q[16], U[16], J[16];
  fill(eta, Q);
  multiply(chart->U0, Q, U);
  multiply_transposed(U, U, J);
  parameters(J, theta);
  for (int k = 0; slope && k < TEN; k++) {
    // dJ = dU U^T + its transpose, dU = U0 dQ
    double dQ[16] = {0}, dU[16], half[16], dJ[16], column[TEN];
    if (k == 0) {
      memcpy(dQ, Q, sizeof dQ);
    } else {
      dQ[PLACE[k]] = k < 4 ? Q[PLACE[k]] : exp(eta[0]);
    }
    multiply(chart->U0, dQ, dU);
    multiply_transposed(dU, U, half);
    for (int i = 0; i < 16; i++) dJ[i] = half[i] + half[4 * (i % 4) + i / 4];
    parameters(dJ, column);
    for (int i = 0; i < TEN; i++) slope[TEN * i + k] = column[i];
  }
}
