/// \file sensors.h
/// What the simulated robot's sensors make of its state: noise, losses, delay. Plain C, no ROS; no
/// heap after sensors_create. The same seed gives the same numbers on every machine.
///
///   sensors_create, sensors_destroy
///   sensors_measure      a state, as it is seen
///   sensors_next         the oldest measurement that has arrived
///   sensors_clear        forget what is on its way
#ifndef MBDYN_SIM__SENSORS_H_
#define MBDYN_SIM__SENSORS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sensor_settings {
  double position, velocity, effort;  ///< standard deviations of the noise
  double delay;                       ///< [s] of simulation time
  double dropout;                     ///< probability that a measurement is lost
} sensor_settings_t;

/// A measurement, or what is measured.
typedef struct sensor_sample {
  int64_t time;                          ///< of the simulation [ns]
  int64_t stamp;                         ///< what its message says [ns]
  double *position, *velocity, *effort;  ///< [n]
  double base[13];                       ///< pose and twist of a floating base, without noise
} sensor_sample_t;

typedef struct sensors {
  size_t n;
  uint64_t lost;      ///< by dropout
  uint64_t overflow;  ///< thrown away because too many were on their way
  struct sensors_private * p;
} sensors_t;

/// \param[in] n         joints
/// \param[in] capacity  measurements that can be on their way at one time
sensors_t * sensors_create(size_t n, size_t capacity, uint64_t seed);
void sensors_destroy(sensors_t * sensors);

/// Joints in the order of the arrays; it is copied.
void sensors_measure(
  sensors_t * sensors, const sensor_settings_t * settings, const sensor_sample_t * truth);

/// Each is given once, in order; stable until the next sensors_measure.
/// \param[in] now  of the simulation [ns]
/// \return NULL if none has arrived
const sensor_sample_t * sensors_next(
  sensors_t * sensors, const sensor_settings_t * settings, int64_t now);

void sensors_clear(sensors_t * sensors);

#endif  // MBDYN_SIM__SENSORS_H_
