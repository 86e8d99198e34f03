// Safety of the running node: limits that cannot be lifted, loads and gravity that stay within
// bounds, services that never call a number finite that is none.
#include <signal.h>
#include <string.h>

#include "geometry_msgs/msg/vector3_stamped.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/srv/clear_payload.h"
#include "mbdyn/srv/forward_dynamics.h"
#include "mbdyn/srv/inverse_dynamics.h"
#include "mbdyn/srv/linearize.h"
#include "mbdyn/srv/set_payload.h"
#include "node_core.h"
#include "rcl_interfaces/msg/parameter_event.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { N = PEER_JOINTS };

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)
#define CALL(name, topic, request, response) \
  peer_call(                                 \
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, name), "/mbdyn/" topic, request, response)
#define TAKEN(call) assert_string_equal((call), "")

static peer_t peer;
static core_t core;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  peer_set_state(&peer, STATES[0][0], (const double[N]){0});
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

#define START(...) peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, __VA_ARGS__})

static void
expect_gravity(void)
{
  double g[N];
  core_gravity(&core, STATES[0][0], g);
  for (int i = 0; i < N; i++) g[i] = fmin(fmax(g[i], -PEER_LIMIT[i]), PEER_LIMIT[i]);
  peer_step(&peer);
  assert_near(peer.command, g, N);
}

//---------- services that compute ----------

static void
put_wrenches(geometry_msgs__msg__WrenchStamped__Sequence * list, double force)
{
  assert_true(geometry_msgs__msg__WrenchStamped__Sequence__init(list, 2));
  for (size_t i = 0; i < 2; i++) {
    assert_true(rosidl_runtime_c__String__assign(&list->data[i].header.frame_id, "tool"));
    memset(&list->data[i].wrench, 0, sizeof list->data[i].wrench);
    list->data[i].wrench.force.x = list->data[i].wrench.force.y = force;
  }
}

// a refusal says why; a success has finite numbers alone
static void
judge(bool success, const char * message, const rosidl_runtime_c__double__Sequence * x)
{
  if (!success) assert_non_null(strstr(message, "finite"));
  for (size_t i = 0; success && i < x->size; i++) assert_true(isfinite(x->data[i]));
}

static bool
invert(double force)
{
  mbdyn__srv__InverseDynamics_Request request = {0};
  mbdyn__srv__InverseDynamics_Response response = {0};
  assert_true(mbdyn__srv__InverseDynamics_Request__init(&request));
  assert_true(mbdyn__srv__InverseDynamics_Response__init(&response));
  request.use_current_state = true;
  put_wrenches(&request.wrenches, force);
  CALL(InverseDynamics, "inverse_dynamics", &request, &response);
  const bool success = response.success;
  judge(success, response.message.data, &response.torques.total);
  judge(success, response.message.data, &response.torques.external);
  if (!success) assert_int_equal(response.torques.total.size, 0);
  mbdyn__srv__InverseDynamics_Request__fini(&request);
  mbdyn__srv__InverseDynamics_Response__fini(&response);
  return success;
}

static bool
accelerate(double force)
{
  mbdyn__srv__ForwardDynamics_Request request = {0};
  mbdyn__srv__ForwardDynamics_Response response = {0};
  assert_true(mbdyn__srv__ForwardDynamics_Request__init(&request));
  assert_true(mbdyn__srv__ForwardDynamics_Response__init(&response));
  request.use_current_state = true;
  put_wrenches(&request.wrenches, force);
  CALL(ForwardDynamics, "forward_dynamics", &request, &response);
  const bool success = response.success;
  judge(success, response.message.data, &response.acceleration);
  if (!success) assert_int_equal(response.acceleration.size, 0);
  mbdyn__srv__ForwardDynamics_Request__fini(&request);
  mbdyn__srv__ForwardDynamics_Response__fini(&response);
  return success;
}

static bool
linearize(double force, bool hold)
{
  mbdyn__srv__Linearize_Request request = {0};
  mbdyn__srv__Linearize_Response response = {0};
  assert_true(mbdyn__srv__Linearize_Request__init(&request));
  assert_true(mbdyn__srv__Linearize_Response__init(&response));
  request.use_current_state = true;
  request.hold = hold;
  put_wrenches(&request.wrenches, force);
  CALL(Linearize, "linearize", &request, &response);
  const bool success = response.success;
  judge(success, response.message.data, &response.a);
  judge(success, response.message.data, &response.effort);
  judge(success, response.message.data, &response.acceleration);
  mbdyn__srv__Linearize_Request__fini(&request);
  mbdyn__srv__Linearize_Response__fini(&response);
  return success;
}

static void
services_answer_finite_numbers(void ** state)
{
  (void)state;
  START(NULL);
  peer_bring_up(&peer);
  // 1e308 is finite, and twice that is not
  const double force[] = {1, 1e307, 1e308, -1.7e308};
  for (size_t i = 0; i < sizeof force / sizeof *force; i++) {
    const bool small = force[i] == 1;
    assert_int_equal(invert(force[i]) || !small, true);
    assert_int_equal(accelerate(force[i]) || !small, true);
    assert_int_equal(linearize(force[i], false) || !small, true);
    assert_int_equal(linearize(force[i], true) || !small, true);
  }
  assert_false(invert(1e308));
  assert_false(accelerate(1e308));
  assert_false(linearize(1e308, true));
  expect_gravity();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {TEST(services_answer_finite_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
