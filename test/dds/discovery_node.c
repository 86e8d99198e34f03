// Two nodes in one process with an endpoint of every kind: test_discovery looks at them from
// outside and has the table of what it should see. Says "ready" and stays until SIGTERM.
#include <stdio.h>

#include "process.h"
#include "session.h"

static session_t session;
static rcl_node_t second;
static rcl_publisher_t joint_states, description, latched;
static rcl_subscription_t command, scan;
static rcl_service_t service;
static rcl_client_t client;

static void
open_all(void)
{
  rmw_qos_profile_t latched_1 = profile(true, true, 1);
  rmw_qos_profile_t latched_5 = profile(true, true, 5);
  rcl_node_t * node = &session.node;
  OK(rclc_publisher_init_default(&joint_states, node, JOINT_STATE, "joint_states"));
  OK(rclc_publisher_init(&description, node, STRING, "robot_description", &latched_1));
  OK(rclc_subscription_init_default(&command, node, JOINT_STATE, "~/command"));
  OK(rclc_subscription_init(&scan, node, STRING, "/scan", &rmw_qos_profile_sensor_data));
  OK(rclc_service_init_default(&service, node, SET_BOOL, "enable"));
  OK(rclc_client_init_default(&client, node, SET_BOOL, "other"));
  OK(rclc_node_init_default(&second, "second", "/ns1", &session.support));
  OK(rclc_publisher_init(&latched, &second, STRING, "latched", &latched_5));
}

static void
close_all(void)
{
  OK(rcl_publisher_fini(&latched, &second));
  OK(rcl_node_fini(&second));
  OK(rcl_client_fini(&client, &session.node));
  OK(rcl_service_fini(&service, &session.node));
  OK(rcl_subscription_fini(&scan, &session.node));
  OK(rcl_subscription_fini(&command, &session.node));
  OK(rcl_publisher_fini(&description, &session.node));
  OK(rcl_publisher_fini(&joint_states, &session.node));
}

int
main(void)
{
  session_open(&session, "first", true);
  open_all();
  printf("ready\n");
  while (!session_stop) sleep_ms(10);
  close_all();
  session_close(&session);
  return 0;
}
