/// \file sim_parameters.h
/// The simulated robot's parameters, topics and services, as tables.
///
///   SIM_PARAMETERS      indexed by sim_parameter_t
///   SIM_TOPICS          indexed by sim_topic_t
///   SIM_SERVICES        indexed by sim_service_t
///   sim_describe        all of them as Markdown
#ifndef MBDYN_SIM__SIM_PARAMETERS_H_
#define MBDYN_SIM__SIM_PARAMETERS_H_

#include "parameters.h"

typedef enum sim_parameter {
  SIM_ROBOT_DESCRIPTION,
  SIM_ROBOT_DESCRIPTION_FILE,
  SIM_LOOPS,
  SIM_LOOPS_FILE,
  SIM_FLEXIBLE_FILE,
  SIM_BASE,
  SIM_COMMAND_JOINTS,
  SIM_RATE,
  SIM_PUBLISH_RATE,
  SIM_REAL_TIME_FACTOR,
  SIM_INTEGRATOR,
  SIM_SUBSTEPS,
  SIM_FRICTION,
  SIM_ROTORS,
  SIM_LIMITS,
  SIM_GRAVITY,
  SIM_INITIAL_JOINTS,
  SIM_INITIAL_POSITIONS,
  SIM_HOLD_UNTIL_COMMAND,
  SIM_COMMAND_TIMEOUT,
  SIM_NOISE_POSITION,
  SIM_NOISE_VELOCITY,
  SIM_NOISE_EFFORT,
  SIM_DELAY,
  SIM_DROPOUT,
  SIM_SEED,
  SIM_PAYLOAD_FRAME,
  SIM_PAYLOAD_MASS,
  SIM_PAYLOAD_COM,
  SIM_PAYLOAD_INERTIA,
  SIM_PUBLISH_CLOCK,
  SIM_PUBLISH_DESCRIPTION,
  SIM_PUBLISH_VELOCITY,
  SIM_PUBLISH_EFFORT,
  SIM_PARAMETER_COUNT
} sim_parameter_t;

extern const param_spec_t SIM_PARAMETERS[SIM_PARAMETER_COUNT];

/// Longest delay of joint states [s].
#define SIM_DELAY_MAX 1.0

typedef enum sim_topic {
  SIM_TOPIC_COMMANDS,
  SIM_TOPIC_JOINT_COMMANDS,
  SIM_TOPIC_JOINT_STATES,
  SIM_TOPIC_ODOM,
  SIM_TOPIC_CLOCK,
  SIM_TOPIC_DESCRIPTION,
  SIM_TOPIC_DIAGNOSTICS,
  SIM_TOPIC_COUNT
} sim_topic_t;

typedef enum sim_service { SIM_SERVICE_PUSH, SIM_SERVICE_RESET, SIM_SERVICE_COUNT } sim_service_t;

typedef struct sim_interface {
  const char * name;
  const char * type;
  const char * description;
  bool input;  ///< of topics
  int depth;   ///< of topics; all are reliable
  bool latched;
} sim_interface_t;

extern const sim_interface_t SIM_TOPICS[SIM_TOPIC_COUNT];
extern const sim_interface_t SIM_SERVICES[SIM_SERVICE_COUNT];

void sim_describe(FILE * to);

#endif  // MBDYN_SIM__SIM_PARAMETERS_H_
