/// \file sim_settings.h
/// What the stepping thread is told, in one object, and may be told anew while it runs.
///
///   sim_settings_build     from parameters, or why not
#ifndef MBDYN_SIM__SIM_SETTINGS_H_
#define MBDYN_SIM__SIM_SETTINGS_H_

#include "mailbox.h"
#include "plant.h"
#include "sensors.h"
#include "sim_robot.h"

typedef struct sim_settings {
  mail_t mail;
  plant_options_t plant;
  sensor_settings_t sensors;
  double real_time_factor;  ///< 0: as fast as it goes
  bool hold_until_command;
  double command_timeout;  ///< [s]; 0: never
  int payload_frame;       ///< -1: none
  mbd_inertia_t payload;
  double initial[];  ///< [nq]
} sim_settings_t;

/// \param[out] reason  the parameter and what is wrong with it
/// \return NULL on any error; else to be given to the mailbox, or to mail.destroy
sim_settings_t * sim_settings_build(
  const sim_robot_t * robot, const param_values_t * values, char * reason, size_t size);

#endif  // MBDYN_SIM__SIM_SETTINGS_H_
