/// \file parameter_server.h
/// The six parameter services and /parameter_events of a node.
///
///   param_server_init          values from the table, then from the command line and files
///   param_server_set_hooks     who is asked before a change and told after it
///   param_server_set_text_limit    longer texts are refused before they are copied
///   param_server_add           its services into an executor (PARAM_SERVER_HANDLES handles)
///   param_server_values        what they are now
///   param_server_set           the node changes a parameter of its own
///   param_server_set_all       or several, all or none
///   param_server_fini
///
/// All calls on the executor's thread (or before it runs).
#ifndef MBDYN_ROS__PARAMETER_SERVER_H_
#define MBDYN_ROS__PARAMETER_SERVER_H_

#include "parameters.h"
#include "rcl/rcl.h"
#include "rcl_yaml_param_parser/types.h"
#include "rclc/executor.h"

#define PARAM_SERVER_HANDLES 6

/// Called on the executor's thread, once for each change: that is a parameter of set_parameters or
/// all of set_parameters_atomically. No parameter can be set from within.
typedef struct param_hooks {
  void * context;
  /// May these values, all of them, be taken? Nothing has changed yet: the old ones are in
  /// param_server_values. They fit the table. NULL: always.
  /// \param[out] reason  a sentence for the client
  bool (*check)(void * context, const param_values_t * proposed, char * reason, size_t size);
  /// They have been taken. NULL: nobody cares.
  void (*changed)(void * context, const param_values_t * now);
} param_hooks_t;

typedef struct param_server param_server_t;

/// Services and publisher, values from the defaults and then from the overrides that fit this
/// node's full name: blocks "/**", "/*", "name", "/ns/name" in order of appearance, the last value
/// counts. A refused override is an error: one log line each with the parameter's name and the
/// reason, then NULL. A name that is not declared is a warning with the closest one (but not
/// use_sim_time and qos_overrides.*).
/// \param[in] spec       the table; must outlive the server
/// \param[in] overrides  of the command line; may be NULL
/// \param[in] extra      applied after them, as a component container needs it; may be NULL
param_server_t * param_server_init(
  rcl_node_t * node, const param_spec_t * spec, size_t n, const rcl_params_t * overrides,
  const rcl_params_t * extra);
/// From here on changes go through the hooks.
void param_server_set_hooks(param_server_t * server, param_hooks_t hooks);
/// A change with more bytes of text than this is refused before it is copied; 0, the default: none.
/// Overrides are not looked at.
void param_server_set_text_limit(param_server_t * server, size_t bytes);
/// How many have been refused for that.
uint64_t param_server_refused_texts(const param_server_t * server);
bool param_server_add(param_server_t * server, rclc_executor_t * executor);
/// The same pointer until the end; what it points to changes with each change.
const param_values_t * param_server_values(const param_server_t * server);
/// As a client's request: checked, read-only refused, hooks called, /parameter_events published.
/// \param[out] reason  a sentence with the name
bool param_server_set(
  param_server_t * server, const char * name, const param_value_t * value, char * reason,
  size_t size);
/// The same of several in one change: all of them or none.
bool param_server_set_all(
  param_server_t * server, size_t n, const char * const * name, const param_value_t * value,
  char * reason, size_t size);
/// After the executor has stopped, before the node goes.
void param_server_fini(param_server_t * server);

#endif  // MBDYN_ROS__PARAMETER_SERVER_H_
