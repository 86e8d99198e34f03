/// \file parameter_server_internal.h
/// What the files of parameter_server.h share.
///
///   param_change_t         some values that may be taken, all or none
///   param_services_open, param_services_add, param_services_close
#ifndef MBDYN_ROS__PARAMETER_SERVER_INTERNAL_H_
#define MBDYN_ROS__PARAMETER_SERVER_INTERNAL_H_

#include "parameter_server.h"
#include "parameters_internal.h"
#include "rcl/service.h"

typedef struct param_services param_services_t;

struct param_server {
  rcl_node_t * node;
  param_values_t * values;
  size_t * by_name;  ///< indices in the order of names, as other nodes list them
  param_hooks_t hooks;
  bool changing;      ///< in a hook
  size_t text_limit;  ///< bytes; 0: none
  uint64_t refused_texts;
  rcl_publisher_t events;
  param_services_t * services;
};

/// True if it went well, else a log line.
bool param_server_report(const param_server_t * server, const char * what, rcl_ret_t ret);

//---------- changes ----------

/// The values as they would be. Those that are not new are the server's own.
typedef struct param_change {
  param_server_t * server;
  param_values_t proposed;
  bool * is_new;  ///< [n]
} param_change_t;

bool param_change_open(
  param_change_t * change, param_server_t * server, char * reason, size_t size);
/// \param[in] name  NULL is no name
bool param_change_add(
  param_change_t * change, const char * name, const param_value_t * value, char * reason,
  size_t size);
/// Asks, takes, tells.
bool param_change_commit(param_change_t * change, char * reason, size_t size);
/// After a commit, or to drop the change. Also after an open that failed.
void param_change_close(param_change_t * change);

/// Tells /parameter_events of some parameters: that they are new or that they have changed.
void param_server_publish(param_server_t * server, const bool * which, bool new);

//---------- services ----------

bool param_services_open(param_server_t * server);
bool param_services_add(param_server_t * server, rclc_executor_t * executor);
void param_services_close(param_server_t * server);

#endif  // MBDYN_ROS__PARAMETER_SERVER_INTERNAL_H_
