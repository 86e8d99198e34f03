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

//---------- limits ----------

// refused while active with a reason, and nothing has changed
static void
refuse_looser(const char * name, const char * reason)
{
  if (!strstr(reason, name) || !strstr(reason, "can only be tightened")) {
    fail_msg("%s: '%s'", name, reason);
  }
  assert_non_null(strstr(reason, "deactivate"));
}

static void
limits_are_only_tightened(void ** state)
{
  (void)state;
  START(
    "-p", "slew_limit:=[1000.0]", "-p", "effort_limits:=[87., 87., 87., 87., 12., 12., 12.]", "-p",
    "good_inputs:=3", "-p", "on_shutdown:=gravity", NULL);
  peer_bring_up(&peer);
  static const struct {
    const char * name;
    double tighter, looser;  // one after the other
  } NUMBERS[] = {{"timeout", 20, 21}, {"target_timeout", 0.1, 0.11}};
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
    TAKEN(peer_set_double(&peer, NUMBERS[i].name, NUMBERS[i].tighter));
    refuse_looser(NUMBERS[i].name, peer_set_double(&peer, NUMBERS[i].name, NUMBERS[i].looser));
  }
  // none at all is looser than any
  refuse_looser("target_timeout", peer_set_double(&peer, "target_timeout", 0));
  static const struct {
    const char * name;
    size_t n;
    double tighter[2], looser[2];
    const char * kept;
  } LISTS[] = {
    {"effort_limits", 1, {12}, {12.5}, "[12]"},
    {"slew_limit", 1, {900}, {0}, "[900]"},
    {"max_reference_step", 1, {0.4}, {0}, "[0.4]"},
    {"max_reference_acceleration", 1, {100}, {101}, "[100]"},
    {"operational_max_error", 2, {0.1, 0.4}, {0.1, 0.41}, "[0.1, 0.4]"}};
  for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
    TAKEN(peer_set_doubles(&peer, LISTS[i].name, LISTS[i].n, LISTS[i].tighter));
    refuse_looser(
      LISTS[i].name, peer_set_doubles(&peer, LISTS[i].name, LISTS[i].n, LISTS[i].looser));
    assert_string_equal(peer_get(&peer, LISTS[i].name), LISTS[i].kept);
  }
  // the URDF's are 87 for some joints
  refuse_looser("effort_limits", peer_set_doubles(&peer, "effort_limits", 0, NULL));
  refuse_looser("clamp_effort", peer_set_bool(&peer, "clamp_effort", false));
  TAKEN(peer_set_bool(&peer, "bound_gains", true));
  refuse_looser("bound_gains", peer_set_bool(&peer, "bound_gains", false));
  TAKEN(peer_set_bool(&peer, "stay_in_component", true));
  refuse_looser("stay_in_component", peer_set_bool(&peer, "stay_in_component", false));
  TAKEN(peer_set_double(&peer, "component_horizon", 0.2));
  refuse_looser("component_horizon", peer_set_double(&peer, "component_horizon", 0.1));
  const char * few = peer_set_string(&peer, "operational_frame", "link3");
  if (!strstr(few, "stay_in_component: 3 joints move 'link3', and operational_axes has 6"))
    fail_msg("'%s'", few);
  TAKEN(peer_set_string(&peer, "operational_frame", "tool"));
  refuse_looser("check_stamp", peer_set_bool(&peer, "check_stamp", false));
  TAKEN(peer_set_integer(&peer, "good_inputs", 4));
  refuse_looser("good_inputs", peer_set_integer(&peer, "good_inputs", 3));
  static const char * const ACTIONS[] = {"on_stale", "on_deactivate", "on_shutdown"};
  for (size_t i = 0; i < 3; i++) {
    TAKEN(peer_set_string(&peer, ACTIONS[i], "gravity"));
    TAKEN(peer_set_string(&peer, ACTIONS[i], "zero"));
    refuse_looser(ACTIONS[i], peer_set_string(&peer, ACTIONS[i], "hold"));
    assert_string_equal(peer_get(&peer, ACTIONS[i]), "zero");
  }

  refuse_looser("on_resume", peer_set_string(&peer, "on_resume", "continue"));

  // what is no limit can be tuned as before
  TAKEN(peer_set_doubles(&peer, "kp", 1, (const double[]){200}));

  // while it is not active anything goes
  assert_true(peer_change_state(&peer, "deactivate"));
  TAKEN(peer_set_double(&peer, "timeout", 30));
  TAKEN(peer_set_bool(&peer, "clamp_effort", false));
  TAKEN(peer_set_bool(&peer, "check_stamp", false));
  TAKEN(peer_set_doubles(&peer, "effort_limits", 0, NULL));
  TAKEN(peer_set_doubles(&peer, "slew_limit", 1, (const double[]){0}));
  TAKEN(peer_set_doubles(&peer, "max_reference_step", 1, (const double[]){0}));
  TAKEN(peer_set_string(&peer, "on_stale", "hold"));
  TAKEN(peer_set_integer(&peer, "good_inputs", 1));
  assert_true(peer_change_state(&peer, "activate"));
  expect_gravity();
}

//---------- loads ----------

typedef struct load {
  const char * frame;
  double mass, x, ixx;
} load_t;

static void
set_payload(load_t load, bool success, double all, const char * text)
{
  mbdyn__srv__SetPayload_Request request = {0};
  mbdyn__srv__SetPayload_Response response = {0};
  assert_true(mbdyn__srv__SetPayload_Request__init(&request));
  assert_true(mbdyn__srv__SetPayload_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.frame, load.frame));
  request.inertia.m = load.mass;
  request.inertia.com = (geometry_msgs__msg__Vector3){load.x, -0.01, 0.1};
  request.inertia.ixx = load.ixx, request.inertia.iyy = 0.02, request.inertia.izz = 0.015;
  CALL(SetPayload, "set_payload", &request, &response);
  if (!strstr(response.message.data, text)) fail_msg("'%s'", response.message.data);
  assert_int_equal(response.success, success);
  assert_near(&response.mass, &all, 1);
  mbdyn__srv__SetPayload_Request__fini(&request);
  mbdyn__srv__SetPayload_Response__fini(&response);
}

static void
clear_payload(const char * frame, bool success, double all)
{
  mbdyn__srv__ClearPayload_Request request = {0};
  mbdyn__srv__ClearPayload_Response response = {0};
  assert_true(mbdyn__srv__ClearPayload_Request__init(&request));
  assert_true(mbdyn__srv__ClearPayload_Response__init(&response));
  if (frame) {
    assert_true(rosidl_runtime_c__String__Sequence__init(&request.frames, 1));
    assert_true(rosidl_runtime_c__String__assign(&request.frames.data[0], frame));
  }
  CALL(ClearPayload, "clear_payload", &request, &response);
  assert_int_equal(response.success, success);
  assert_near(&response.mass, &all, 1);
  mbdyn__srv__ClearPayload_Request__fini(&request);
  mbdyn__srv__ClearPayload_Response__fini(&response);
}

static void
put_on_core(load_t load)
{
  int frame;
  const mbd_inertia_t inertia = mbdu_inertia_from_com(
    load.mass, mbdu_vec3(load.x, -0.01, 0.1), (mbd_sym3_t){load.ixx, 0, 0, 0.02, 0, 0.015});
  assert_int_equal(mbd_find_frame(core.model, load.frame, &frame), MBD_OK);
  assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &inertia), MBD_OK);
}

static void
expect_parameters(const char * frame, const char * mass, const char * com, const char * inertia)
{
  assert_string_equal(peer_get(&peer, "payload.frame"), frame);
  assert_string_equal(peer_get(&peer, "payload.mass"), mass);
  assert_string_equal(peer_get(&peer, "payload.com"), com);
  assert_string_equal(peer_get(&peer, "payload.inertia"), inertia);
}

static const char * const ZERO3 = "[0, 0, 0]";
static const char * const ZERO6 = "[0, 0, 0, 0, 0, 0]";

static void
payloads_have_bounds(void ** state)
{
  (void)state;
  START(NULL);
  peer_bring_up(&peer);
  set_payload((load_t){"flange", 1e300, 0.02, 0.01}, false, 0, "payload.mass");
  set_payload((load_t){"flange", 1.1e6, 0.02, 0.01}, false, 0, "between 0 and 1000000");
  set_payload((load_t){"flange", 2, 1001, 0.01}, false, 0, "payload.com");
  set_payload((load_t){"flange", 2, NAN, 0.01}, false, 0, "payload.com");
  set_payload((load_t){"flange", 2, 0.02, 1e7}, false, 0, "payload.inertia");
  set_payload((load_t){"flange", 2, 0.02, HUGE_VAL}, false, 0, "payload.inertia");
  set_payload((load_t){"flange", 2, 0.02, -0.01}, false, 0, "payload");
  expect_parameters("", "0", ZERO3, ZERO6);
  expect_gravity();
}

static bool
event_has(const rcl_interfaces__msg__ParameterEvent * event, const char * name, double number)
{
  for (size_t i = 0; i < event->changed_parameters.size; i++) {
    const rcl_interfaces__msg__Parameter * p = &event->changed_parameters.data[i];
    if (strcmp(p->name.data, name) == 0 && p->value.double_value == number) return true;
  }
  return false;
}

static void
payloads_are_parameters(void ** state)
{
  (void)state;
  const load_t own = {"tool", 0.5, 0, 0}, first = {"flange", 2, 0.02, 0.01};
  const load_t second = {"link4", 1.5, 0.03, 0.012};
  rcl_interfaces__msg__ParameterEvent event = {0};
  assert_true(rcl_interfaces__msg__ParameterEvent__init(&event));
  START(
    "-p", "payload.frame:=tool", "-p", "payload.mass:=0.5", "-p", "payload.com:=[0.0, -0.01, 0.1]",
    "-p", "payload.inertia:=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", NULL);
  peer_bring_up(&peer);
  peer_listener_t * events =
    peer_listen(&peer, TYPE(rcl_interfaces, ParameterEvent), "/parameter_events", &event);
  // what is sent before we are found is lost: ask until an event comes
  for (int k = 0; k < 100 && events->count == 0; k++) {
    TAKEN(peer_set_doubles(&peer, "kp", 1, (const double[]){100}));
    peer_listen_for(&peer, 20);
  }
  const uint64_t before = events->count;
  set_payload(first, true, 2.5, "");
  expect_parameters("flange", "2", "[0.02, -0.01, 0.1]", "[0.01, 0, 0, 0.02, 0, 0.015]");
  assert_true(peer_wait(&peer, &events->count, before + 1, PEER_TIMEOUT));
  assert_true(event_has(&event, "payload.mass", 2));
  peer_wait_value(&peer, "payloads", "2");
  set_payload(second, true, 4, "");
  expect_parameters("link4", "1.5", "[0.03, -0.01, 0.1]", "[0.012, 0, 0, 0.02, 0, 0.015]");
  // all of them count, whichever is shown
  const mbd_inertia_t point = mbdu_inertia_from_com(0.5, mbdu_vec3(0, -0.01, 0.1), (mbd_sym3_t){0});
  int frame;
  assert_int_equal(mbd_find_frame(core.model, own.frame, &frame), MBD_OK);
  assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &point), MBD_OK);
  put_on_core(first);
  put_on_core(second);
  expect_gravity();
  // a refused one changes nothing
  set_payload((load_t){"link4", -1, 0, 0}, false, 4, "mass must be positive");
  expect_parameters("link4", "1.5", "[0.03, -0.01, 0.1]", "[0.012, 0, 0, 0.02, 0, 0.015]");
  expect_gravity();

  // the one before is shown again
  clear_payload("link4", true, 2.5);
  expect_parameters("flange", "2", "[0.02, -0.01, 0.1]", "[0.01, 0, 0, 0.02, 0, 0.015]");
  clear_payload("link4", false, 2.5);
  clear_payload(NULL, true, 0);
  expect_parameters("", "0", ZERO3, ZERO6);
  assert_int_equal(mbd_payload_clear(core.model, core.data), MBD_OK);
  expect_gravity();

  // with the robot go the loads of the services; the parameters' own come back
  set_payload(first, true, 2, "");
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_change_state(&peer, "cleanup"));
  expect_parameters("tool", "0.5", "[0, -0.01, 0.1]", ZERO6);
  assert_true(peer_change_state(&peer, "configure"));
  assert_true(peer_change_state(&peer, "activate"));
  assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &point), MBD_OK);
  peer_bring_up(&peer);
  expect_gravity();

  // a parameter that is set is the parameters' own
  set_payload(first, true, 2.5, "");
  TAKEN(peer_set_double(&peer, "payload.mass", 1));
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_change_state(&peer, "cleanup"));
  expect_parameters("flange", "1", "[0.02, -0.01, 0.1]", "[0.01, 0, 0, 0.02, 0, 0.015]");
  rcl_interfaces__msg__ParameterEvent__fini(&event);
}

// another robot by a parameter: the loads of services are not its own
static void
payloads_go_with_the_robot(void ** state)
{
  (void)state;
  static char text[65536];
  FILE * file = fopen(MBDYN_SOURCE_DIR "/config/robots/arm6.urdf", "r");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(n > 1000 && n < sizeof text - 1);
  START(NULL);
  peer_bring_up(&peer);
  // one that the parameters show, and one behind it
  set_payload((load_t){"link4", 1.5, 0.03, 0.012}, true, 1.5, "");
  set_payload((load_t){"link7", 2, 0.02, 0.01}, true, 3.5, "");
  peer_wait_value(&peer, "payloads", "2");
  assert_true(peer_change_state(&peer, "deactivate"));
  TAKEN(peer_set_string(&peer, "robot_description", text));
  peer_logged(&peer, "new robot: removed the payloads of the previous one");
  peer_wait_value(&peer, "model", "arm6");
  peer_wait_value(&peer, "payloads", "0");
  expect_parameters("", "0", ZERO3, ZERO6);
}

//---------- gravity ----------

static void
send_gravity(rcl_publisher_t * out, double z)
{
  geometry_msgs__msg__Vector3Stamped m = {0};
  assert_true(geometry_msgs__msg__Vector3Stamped__init(&m));
  m.vector = (geometry_msgs__msg__Vector3){0, 0, z};
  OK(rcl_publish(out, &m, NULL));
  geometry_msgs__msg__Vector3Stamped__fini(&m);
}

static rcl_publisher_t *
open_gravity(const char * timeout)
{
  rcl_publisher_t * out =
    peer_publisher(&peer, TYPE(geometry_msgs, Vector3Stamped), "/mbdyn/gravity");
  START("-p", timeout, NULL);
  peer_bring_up(&peer);
  peer_wait_matched(&peer, out);
  expect_gravity();
  return out;
}

static void
expect_gravity_of(double z)
{
  assert_int_equal(mbd_set_gravity(core.data, (mbd_vec3_t){0, 0, z}), MBD_OK);
  expect_gravity();
}

static void
gravity_times_out(void ** state)
{
  (void)state;
  rcl_publisher_t * out = open_gravity("target_timeout:=1.0");
  send_gravity(out, -2);
  peer_listen_for(&peer, 50);
  expect_gravity_of(-2);
  peer_wait_value(&peer, "gravity", "message");
  // a parameter that would have no effect says so
  const double moon[3] = {0, 0, -1.62};
  send_gravity(out, -2);
  peer_listen_for(&peer, 200);
  const char * reason = peer_set_doubles(&peer, "gravity", 3, moon);
  if (!strstr(reason, "~/gravity")) fail_msg("'%s'", reason);
  assert_string_equal(peer_get(&peer, "gravity"), "[0, 0, -9.81]");
  peer_listen_for(&peer, 1100);
  expect_gravity_of(-9.81);
  peer_wait_value(&peer, "gravity", "parameter");
  peer_logged(&peer, "no message on ~/gravity for 1 s");
  TAKEN(peer_set_doubles(&peer, "gravity", 3, moon));
  expect_gravity_of(-1.62);
  const double high[3] = {0, 0, -999};
  assert_non_null(
    strstr(peer_set_doubles(&peer, "gravity", 3, high), "must be between -100 and 100"));
}

static void
gravity_ends_with_deactivation(void ** state)
{
  (void)state;
  rcl_publisher_t * out = open_gravity("target_timeout:=0.0");
  send_gravity(out, -2);
  peer_listen_for(&peer, 50);
  expect_gravity_of(-2);
  peer_listen_for(&peer, 500);
  expect_gravity_of(-2);
  assert_true(peer_change_state(&peer, "deactivate"));
  assert_true(peer_change_state(&peer, "activate"));
  expect_gravity_of(-9.81);

  // while it is not active the last of message and parameter counts
  assert_true(peer_change_state(&peer, "deactivate"));
  send_gravity(out, -2);
  peer_listen_for(&peer, 300);
  TAKEN(peer_set_doubles(&peer, "gravity", 3, (const double[]){0, 0, -1.62}));
  assert_true(peer_change_state(&peer, "activate"));
  expect_gravity_of(-1.62);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    TEST(services_answer_finite_numbers), TEST(limits_are_only_tightened),
    TEST(payloads_have_bounds),           TEST(payloads_are_parameters),
    TEST(payloads_go_with_the_robot),     TEST(gravity_times_out),
    TEST(gravity_ends_with_deactivation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
