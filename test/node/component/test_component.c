// The node as a component: loaded into a container, with parameters of the request; it commands what
// holds the robot, goes through its lifecycle, and is unloaded again.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "composition_interfaces/srv/list_nodes.h"
#include "composition_interfaces/srv/load_node.h"
#include "composition_interfaces/srv/unload_node.h"
#include "node_core.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rosidl_runtime_c/string_functions.h"

#define SERVICE(name) ROSIDL_GET_SRV_TYPE_SUPPORT(composition_interfaces, srv, name)

typedef composition_interfaces__srv__LoadNode_Request load_request_t;
typedef composition_interfaces__srv__LoadNode_Response load_response_t;

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  peer_start_as(&peer, (const char *[]){CONTAINER, NULL}, (const char *[]){NULL});
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  core_close(&core);
  peer_close(&peer);
  return process_kill_all(state);
}

//---------- the container ----------

// once: to load or unload twice is not the same
static void
call_once(
  const rosidl_service_type_support_t * type, const char * name, const void * request,
  void * response)
{
  rcl_client_t client = rcl_get_zero_initialized_client();
  OK(rclc_client_init_default(&client, &peer.session.node, type, name));
  bool there = false;
  for (int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000); !there && now_ns() < end;) {
    OK(rcl_service_server_is_available(&peer.session.node, &client, &there));
    if (!there) peer_spin(&peer, 20);
  }
  assert_true(there);
  // it has to have found us too
  peer_listen_for(&peer, 500);
  int64_t sequence;
  OK(rcl_send_request(&client, request, &sequence));
  rmw_request_id_t id;
  rcl_ret_t ret = RCL_RET_ERROR;
  for (int64_t end = now_ns() + 2 * PEER_TIMEOUT * INT64_C(1000000); now_ns() < end;) {
    ret = rcl_take_response(&client, &id, response);
    if (ret == RCL_RET_OK) break;
    rcl_reset_error();
    session_wait(&peer.session, NULL, &client, 100);
  }
  OK(rcl_client_fini(&client, &peer.session.node));
  if (ret != RCL_RET_OK) fail_msg("no answer from %s; log: %s", name, peer.log_text);
}

static void
put_text(rcl_interfaces__msg__Parameter * p, const char * name, const char * text)
{
  assert_true(rosidl_runtime_c__String__assign(&p->name, name));
  p->value.type = rcl_interfaces__msg__ParameterType__PARAMETER_STRING;
  assert_true(rosidl_runtime_c__String__assign(&p->value.string_value, text));
}

// \return its id
static uint64_t
load(void)
{
  load_request_t request;
  load_response_t response;
  memset(&request, 0, sizeof request);  // __init leaves numbers as they are
  memset(&response, 0, sizeof response);
  assert_true(composition_interfaces__srv__LoadNode_Request__init(&request));
  assert_true(composition_interfaces__srv__LoadNode_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.package_name, "mbdyn"));
  assert_true(rosidl_runtime_c__String__assign(&request.plugin_name, "mbdyn::DynamicsComponent"));
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&request.parameters, 4));
  rcl_interfaces__msg__Parameter * p = request.parameters.data;
  put_text(&p[0], "robot_description_file", PEER_ROBOT);
  put_text(&p[1], "mode", "gravity_compensation");
  assert_true(rosidl_runtime_c__String__assign(&p[2].name, "timeout"));
  p[2].value.type = rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE;
  p[2].value.double_value = 30;
  assert_true(rosidl_runtime_c__String__assign(&p[3].name, "good_inputs"));
  p[3].value.type = rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER;
  p[3].value.integer_value = 1;
  call_once(SERVICE(LoadNode), "/ComponentManager/_container/load_node", &request, &response);
  if (!response.success) fail_msg("load_node: %s", response.error_message.data);
  assert_string_equal(response.full_node_name.data, "/mbdyn");
  const uint64_t id = response.unique_id;
  composition_interfaces__srv__LoadNode_Request__fini(&request);
  composition_interfaces__srv__LoadNode_Response__fini(&response);
  return id;
}

static void
unload(uint64_t id)
{
  composition_interfaces__srv__UnloadNode_Request request = {.unique_id = id};
  composition_interfaces__srv__UnloadNode_Response response;
  memset(&response, 0, sizeof response);
  assert_true(composition_interfaces__srv__UnloadNode_Response__init(&response));
  call_once(SERVICE(UnloadNode), "/ComponentManager/_container/unload_node", &request, &response);
  if (!response.success) fail_msg("unload_node: %s", response.error_message.data);
  composition_interfaces__srv__UnloadNode_Response__fini(&response);
}

static size_t
count_nodes(void)
{
  composition_interfaces__srv__ListNodes_Request request;
  composition_interfaces__srv__ListNodes_Response response;
  assert_true(composition_interfaces__srv__ListNodes_Request__init(&request));
  memset(&response, 0, sizeof response);
  assert_true(composition_interfaces__srv__ListNodes_Response__init(&response));
  call_once(SERVICE(ListNodes), "/ComponentManager/_container/list_nodes", &request, &response);
  const size_t n = response.full_node_names.size;
  composition_interfaces__srv__ListNodes_Response__fini(&response);
  return n;
}

//---------- tests ----------

static void
expect_gravity(void)
{
  for (int k = 0; k < NSTATE; k++) {
    double g[PEER_JOINTS];
    peer_set_state(&peer, STATES[k][0], STATES[k][1]);
    peer_step(&peer);
    core_gravity(&core, STATES[k][0], g);
    assert_int_equal(peer.ncommand, PEER_JOINTS);
    assert_near(peer.command, g, PEER_JOINTS);
  }
}

static void
test_in_a_container(void ** state)
{
  (void)state;
  // twice: nothing of the first is left
  for (int round = 0; round < 2; round++) {
    const uint64_t id = load();
    assert_int_equal(count_nodes(), 1);
    peer_bring_up(&peer);
    assert_string_equal(peer_state(&peer), "active");
    assert_string_equal(peer_get(&peer, "timeout"), "30");
    expect_gravity();
    assert_true(peer_change_state(&peer, "deactivate"));
    assert_string_equal(peer_state(&peer), "inactive");
    unload(id);
    assert_int_equal(count_nodes(), 0);
    assert_true(peer_is_alive(&peer));
  }
  assert_int_equal(peer_stop(&peer, SIGINT), 0);
}

// the container ends while the component commands
static void
test_container_ends(void ** state)
{
  (void)state;
  load();
  peer_bring_up(&peer);
  expect_gravity();
  assert_int_equal(peer_stop(&peer, SIGINT), 0);
}

int
main(void)
{
  own_domain();
  const char * others = getenv("AMENT_PREFIX_PATH");
  char prefixes[8192];
  snprintf(
    prefixes, sizeof prefixes, "%s%s%s", COMPONENT_PREFIX, others ? ":" : "", others ? others : "");
  setenv("AMENT_PREFIX_PATH", prefixes, 1);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_in_a_container, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_container_ends, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
