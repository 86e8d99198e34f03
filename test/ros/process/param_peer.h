/// \file param_peer.h
/// A node that has parameters, and a client that knows them from the network alone.
///
///   param_node_open, param_node_close      the node, spun by the client while it waits
///   param_client_open, param_client_close
///   ask                                    a request and its answer
///   get_text, types_text, list_text        answers as text
///   parameter, set, set_one                values to set, made by hand
///   next_event                             of /parameter_events, as text
///   log_start, log_text                    what is logged
#ifndef PARAM_PEER_H_
#define PARAM_PEER_H_

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parameter_server.h"
#include "rcl/client.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_event.h"
#include "rcl_interfaces/msg/parameter_value.h"
#include "rcl_interfaces/msg/set_parameters_result.h"
#include "rcl_interfaces/srv/describe_parameters.h"
#include "rcl_interfaces/srv/get_parameter_types.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "rcl_interfaces/srv/list_parameters.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rcl_interfaces/srv/set_parameters_atomically.h"
#include "rclc/executor.h"
#include "rclc/rclc.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "test/support/process.h"

/// All types, all kinds of limits; not sorted by name.
enum {
  P_RATE,
  P_STEPS,
  P_ON,
  P_ON_STALE,
  P_KEY,
  P_MASK,
  P_IDS,
  P_GRAVITY,
  P_TERMS,
  P_ARM_TORQUE,
  P_TORQUE,
  P_SPEED,
  P_DESCRIPTION,
  P_FIXED,
  P_SIM_TIME,
  P_COUNT
};
extern const param_spec_t param_table[P_COUNT];

typedef rcl_interfaces__msg__ParameterValue value_t;
typedef rcl_interfaces__msg__Parameter__Sequence parameters_t;

typedef struct param_node {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
  rcl_params_t * overrides;
  rclc_executor_t executor;
  param_server_t * server;  // NULL if it did not want to start
} param_node_t;

/// Node /left/arm.
/// \param[in] arguments  of the command line, after the program's name; ends with NULL
void param_node_open(
  param_node_t * node, const char * const * arguments, const rcl_params_t * extra);
void param_node_close(param_node_t * node);

typedef struct param_client {
  rcl_node_t node;
  rclc_executor_t * server;  // spun while waiting; NULL: somebody else does
  rcl_client_t get, types, set, atomic, describe, list;
  rcl_subscription_t events;
} param_client_t;

/// Waits until all services are there.
void param_client_open(param_client_t * client, rclc_support_t * support, rclc_executor_t * server);
void param_client_close(param_client_t * client);

/// Fails the test if there is no answer. Request and answer are the caller's.
void ask(param_client_t * client, rcl_client_t * service, const void * request, void * response);

/// "double 0.5; string hold", of names with blanks between; "" if the answer is empty.
const char * get_text(param_client_t * client, const char * names);
const char * types_text(param_client_t * client, const char * names);
/// "a b.c | b", names and prefixes.
const char * list_text(param_client_t * client, const char * prefixes, uint64_t depth);

/// A parameter more in a list.
value_t * parameter(parameters_t * list, const char * name, uint8_t type);
/// Sets the list, which is emptied: "ok; reason; ok".
/// \param[in] atomic  all or none: one result
const char * set(param_client_t * client, parameters_t * list, bool atomic);
const char * set_double(param_client_t * client, const char * name, double number);

/// "/left/arm: new rate=double 1; ...", "/left/arm: changed rate=double 1".
const char * next_event(param_client_t * client);

/// Log lines are kept instead of printed: "WARN left.arm: text\n".
void log_start(void);
const char * log_text(void);

#endif  // PARAM_PEER_H_
