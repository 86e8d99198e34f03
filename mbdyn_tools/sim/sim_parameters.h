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

/// SIM_ROBOT_DESCRIPTION, ...: sim_parameters.inc has the table.
typedef enum sim_parameter {
#define PARAMETER(id, ...) id,
#include "sim_parameters.inc"
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
  SIM_TOPIC_CONTACTS,
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
