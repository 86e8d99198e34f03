// The inside of the node: what its files share. All of it belongs to the executor's thread.
#ifndef MBDYN_SIM__SIM_NODE_INTERNAL_H_
#define MBDYN_SIM__SIM_NODE_INTERNAL_H_

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "diagnostic_msgs/msg/diagnostic_status.h"
#include "diagnostic_msgs/msg/key_value.h"
#include "mbdyn/srv/apply_wrench.h"
#include "parameter_server.h"
#include "rcutils/logging_macros.h"
#include "ros_process.h"
#include "sim_loop.h"
#include "sim_node.h"
#include "std_srvs/srv/trigger.h"

enum { REASON_MAX = 1024 };

typedef struct sim_diagnostics {
  rcl_publisher_t publisher;
  bool open;
  diagnostic_msgs__msg__DiagnosticArray message;
  histogram_copy_t now, before, since;  // times of a step
  sim_loop_state_t last;                // at the last report
  int64_t last_report;                  // steady clock
} sim_diagnostics_t;

struct sim_node {
  rcl_node_t * node;
  rcl_allocator_t allocator;  // the executor keeps a pointer to it
  sim_robot_t robot;
  param_server_t * parameters;
  sim_loop_t * loop;

  rclc_executor_t executor;
  spinner_t spinner;
  rcl_clock_t clock;
  rcl_timer_t timer;
  bool executor_open, spinner_open, clock_open, timer_open;

  rcl_service_t push, reset;
  bool push_open, reset_open;
  mbdyn__srv__ApplyWrench_Request push_request;
  mbdyn__srv__ApplyWrench_Response push_response;
  std_srvs__srv__Trigger_Request reset_request;
  std_srvs__srv__Trigger_Response reset_response;

  rcl_publisher_t description;
  bool description_open;
  sim_diagnostics_t diagnostics;
};

// sim_services.c
bool sim_services_init(sim_node_t * node);
bool sim_services_add(sim_node_t * node);
void sim_services_fini(sim_node_t * node);

// sim_diagnostics.c
bool sim_diagnostics_init(sim_node_t * node);
void sim_diagnostics_tick(sim_node_t * node);
void sim_diagnostics_fini(sim_node_t * node);

static inline void
sim_ignore(rcl_ret_t ret)
{
  if (ret != RCL_RET_OK) rcl_reset_error();
}

#endif  // MBDYN_SIM__SIM_NODE_INTERNAL_H_
