/// \file identify_normal.h
/// Torque errors of all samples as quadratic forms of the parameters, one for each joint: all that
/// has to be kept of a recording, however long.
///
///   normal_create, normal_free   which parameters are looked for
///   normal_add                   a sample
///   normal_error                 sum of squared errors of a joint, for any parameters
///   normal_sum                   the forms of all joints, weighted
///   normal_name                  "link3 ixx", "joint2 viscous"
#ifndef IDENTIFY_NORMAL_H_
#define IDENTIFY_NORMAL_H_

#include <stdbool.h>
#include <stddef.h>

#include "identify_samples.h"
#include "mbdyn/data.h"

/// What of the drives takes part.
typedef struct normal_terms {
  bool friction;   ///< estimate viscous and Coulomb friction
  bool rotors;     ///< estimate reflected rotor inertia
  bool no_drives;  ///< what is not estimated is zero, whatever the URDF says
} normal_terms_t;

typedef struct normal {
  const mbd_model_t * model;
  mbd_data_t * data;
  int nv;
  int nall;        ///< parameters of the model with drives
  int n;           ///< parameters that are looked for
  int * index;     ///< [n] which of all they are
  double * theta;  ///< [nall] the URDF's, or zero where it does not count
  double * Y;      ///< [nv x nall] regressor of a sample
  double * error;  ///< [nv] torque less that of the URDF's parameters
  double * A;      ///< [nv x n(n+1)/2] sum of y y^T, rows of the lower half, for each joint
  double * b;      ///< [nv x n] sum of y error
  double * c;      ///< [nv] sum of error^2
  double * tau2;   ///< [nv] sum of tau^2
  double * v2;     ///< [nv] sum of v^2
  int * nonzero;   ///< [n] scratch
  double * y;      ///< [n] scratch
  long nsample;
} normal_t;

/// False after a message; free it all the same.
bool normal_create(const mbd_model_t * model, normal_terms_t terms, normal_t * normal);
void normal_free(normal_t * normal);

/// Set normal->Y and normal->error for a sample.
mbd_status_t normal_linearize(normal_t * normal, const sample_t * sample);

/// Count a sample in.
mbd_status_t normal_add(normal_t * normal, const sample_t * sample);

/// Sum over the samples of the squared torque error of joint j.
/// \param[in] delta  [n] parameters less the URDF's
double normal_error(const normal_t * normal, int j, const double * delta);

/// A = sum over joints of weight y y^T, b likewise.
/// \param[in]  weight  [nv]
/// \param[out] A       row-major n x n, filled whole
/// \param[out] b       [n]
void normal_sum(const normal_t * normal, const double * weight, double * A, double * b);

/// What parameter k of those looked for is called; lives in `name`.
const char * normal_name(const normal_t * normal, int k, char * name, size_t size);

#endif  // IDENTIFY_NORMAL_H_
