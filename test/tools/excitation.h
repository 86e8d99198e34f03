/// \file excitation.h
/// A robot that is not quite the one of the URDF, made to move, and its torques with noise.
///
///   other_robot           the same robot with other, possible parameters
///   excitation_create     a periodic motion within limits: a Fourier series for each joint
///   excitation_at         position, velocity, acceleration
///   gaussian              noise, the same on every machine
///   write_recording       a table as a recorder would write it
#ifndef EXCITATION_H_
#define EXCITATION_H_

#include <stdbool.h>
#include <stdint.h>

#include "mbdyn/data.h"
#include "mbdyn/model.h"

enum { MAX_JOINTS = 16, HARMONICS = 5 };

/// q = center + sum over k of a_k / (w k) sin(w k t) - b_k / (w k) cos(w k t)
typedef struct excitation {
  int n;
  double w;  ///< base frequency [rad/s]
  double center[MAX_JOINTS];
  double a[MAX_JOINTS][HARMONICS], b[MAX_JOINTS][HARMONICS];
} excitation_t;

/// Motion of period 10 s that uses most of the range of position, velocity and acceleration.
void excitation_create(const mbd_model_t * model, uint64_t seed, excitation_t * excitation);
void excitation_at(const excitation_t * e, double t, double * q, double * v, double * a);

double gaussian(uint64_t * state);

/// Every body moulded by a random linear map of its mass distribution (so that it stays possible),
/// friction scaled at random, rotors as given. Parameters change by up to about 30 %.
/// \param[in]  rotor  reflected inertia of every joint [kg m^2]
/// \param[out] theta  parameters with drives, or NULL
mbd_model_t * other_robot(const mbd_model_t * model, uint64_t seed, double rotor, double * theta);

typedef struct recorder {
  double seconds, rate;  ///< [s], [Hz]
  const double * noise;  ///< of each torque [N m], or NULL
  double q_noise;        ///< of each position [rad]
  bool only_q;           ///< no velocities and accelerations
  bool rigid;            ///< torques of the rigid bodies alone
  uint64_t seed;
} recorder_t;

/// Columns come in an order of their own, with one that means nothing among them.
void write_recording(
  const char * path, const mbd_model_t * robot, const excitation_t * excitation,
  const recorder_t * how);

#endif  // EXCITATION_H_
