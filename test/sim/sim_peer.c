#include "sim_peer.h"

#include <stdlib.h>
#include <string.h>

#include "rcl/graph.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { WAIT_TIMEOUT = 20000, DEPTH = 5000 };

static char answer[512];

//---------- set-up ----------

static void
subscribe(
  peer_t * peer, rcl_subscription_t * subscription, const rosidl_message_type_support_t * type,
  const char * topic, bool latched)
{
  const rmw_qos_profile_t qos = profile(true, latched, latched ? 1 : DEPTH);
  *subscription = rcl_get_zero_initialized_subscription();
  OK(rclc_subscription_init(subscription, &peer->session.node, type, topic, &qos));
}

static void
advertise(
  peer_t * peer, rcl_publisher_t * publisher, const rosidl_message_type_support_t * type,
  const char * topic)
{
  *publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init_default(publisher, &peer->session.node, type, topic));
}

static void
connect(
  peer_t * peer, rcl_client_t * client, const rosidl_service_type_support_t * type,
  const char * service)
{
  *client = rcl_get_zero_initialized_client();
  OK(rclc_client_init_default(client, &peer->session.node, type, service));
}

void
peer_open(peer_t * peer)
{
  memset(peer, 0, sizeof *peer);
  session_open(&peer->session, "peer", false);
  subscribe(
    peer, &peer->states, ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState), "joint_states",
    false);
  subscribe(
    peer, &peer->odometry, ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry), "odom", false);
  subscribe(
    peer, &peer->clock, ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock), "/clock", false);
  subscribe(
    peer, &peer->diagnostics, ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray),
    "/diagnostics", false);
  advertise(
    peer, &peer->array, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, Float64MultiArray),
    "/robot/commands");
  advertise(
    peer, &peer->names, ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState),
    "/robot/joint_commands");
  connect(peer, &peer->push, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, ApplyWrench), "/robot/push");
  connect(peer, &peer->reset, ROSIDL_GET_SRV_TYPE_SUPPORT(std_srvs, srv, Trigger), "/robot/reset");
  connect(
    peer, &peer->set, ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, SetParameters),
    "/robot/set_parameters");
  assert_true(sensor_msgs__msg__JointState__init(&peer->state));
  assert_true(nav_msgs__msg__Odometry__init(&peer->odometry_message));
  assert_true(diagnostic_msgs__msg__DiagnosticArray__init(&peer->report));
}

void
peer_close(peer_t * peer)
{
  rcl_node_t * node = &peer->session.node;
  if (peer->robot.pid != 0) process_end(&peer->robot, SIGKILL, WAIT_TIMEOUT);
  rcl_subscription_t * const subscription[4] = {
    &peer->states, &peer->odometry, &peer->clock, &peer->diagnostics};
  for (int i = 0; i < 4; i++) OK(rcl_subscription_fini(subscription[i], node));
  OK(rcl_publisher_fini(&peer->array, node));
  OK(rcl_publisher_fini(&peer->names, node));
  OK(rcl_client_fini(&peer->push, node));
  OK(rcl_client_fini(&peer->reset, node));
  OK(rcl_client_fini(&peer->set, node));
  sensor_msgs__msg__JointState__fini(&peer->state);
  nav_msgs__msg__Odometry__fini(&peer->odometry_message);
  diagnostic_msgs__msg__DiagnosticArray__fini(&peer->report);
  session_close(&peer->session);
}

void
robot_start(peer_t * peer, const char * robot, const char * const * parameters)
{
  char file[512];
  snprintf(
    file, sizeof file, "robot_description_file:=%s/test/data/%s.urdf", MBDYN_SOURCE_DIR, robot);
  const char * argv[64] = {SIM_PROGRAM, "--ros-args", "-p", file};
  int n = 4;
  for (int i = 0; parameters != NULL && parameters[i] != NULL; i++) {
    argv[n++] = "-p";
    argv[n++] = parameters[i];
  }
  process_start(&peer->robot, argv);
}

int
robot_end(peer_t * peer, int signal)
{
  return process_end(&peer->robot, signal, WAIT_TIMEOUT);
}

//---------- what it publishes ----------

static void
take_message(peer_t * peer, rcl_subscription_t * subscription, void * message)
{
  const int64_t end = now_ns() + WAIT_TIMEOUT * INT64_C(1000000);
  while (now_ns() < end) {
    if (!session_wait(&peer->session, subscription, NULL, 500)) continue;
    const rcl_ret_t ret = rcl_take(subscription, message, NULL, NULL);
    if (ret == RCL_RET_OK) return;
    rcl_reset_error();
  }
  fail_msg("nothing comes on %s", rcl_subscription_get_topic_name(subscription));
}

static int64_t
nanoseconds(const builtin_interfaces__msg__Time * time)
{
  return (int64_t)time->sec * 1000000000 + time->nanosec;
}

static size_t
copy(const rosidl_runtime_c__double__Sequence * from, double * to)
{
  assert_true(from->size <= PEER_JOINTS);
  for (size_t i = 0; i < from->size; i++) to[i] = from->data[i];
  return from->size;
}

joint_sample_t
next_state(peer_t * peer)
{
  joint_sample_t sample;
  memset(&sample, 0, sizeof sample);
  take_message(peer, &peer->states, &peer->state);
  sample.stamp = nanoseconds(&peer->state.header.stamp);
  sample.n = copy(&peer->state.position, sample.position);
  sample.nvelocity = copy(&peer->state.velocity, sample.velocity);
  sample.neffort = copy(&peer->state.effort, sample.effort);
  assert_int_equal(sample.n, peer->state.name.size);
  return sample;
}

void
skip_states(peer_t * peer, int n)
{
  for (int i = 0; i < n; i++) next_state(peer);
}

void
drain_states(peer_t * peer)
{
  while (rcl_take(&peer->states, &peer->state, NULL, NULL) == RCL_RET_OK) continue;
  rcl_reset_error();
}

joint_sample_t
state_with_effort(peer_t * peer, const double * effort, size_t n)
{
  const int64_t end = now_ns() + WAIT_TIMEOUT * INT64_C(1000000);
  while (now_ns() < end) {
    const joint_sample_t sample = next_state(peer);
    assert_int_equal(sample.neffort, n);
    bool same = true;
    for (size_t i = 0; i < n; i++) same = same && sample.effort[i] == effort[i];
    if (same) return sample;
  }
  fail_msg("no joint state with the efforts %g ...", effort[0]);
  return (joint_sample_t){0};
}

void
expect_refusal(const char * robot, const char * const * parameters, const char * words)
{
  const char * args[32] = {"--ros-args", "-p"};
  char log[] = "/tmp/mbdyn_sim_log_XXXXXX", urdf[256];
  int n = 2;
  const int made = mkstemp(log);
  assert_true(made >= 0 && close(made) == 0);
  snprintf(
    urdf, sizeof urdf, "robot_description_file:=" MBDYN_SOURCE_DIR "/test/data/%s.urdf", robot);
  args[n++] = urdf;
  for (int i = 0; parameters[i] != NULL; i++) args[n++] = "-p", args[n++] = parameters[i];
  const pid_t pid = process_spawn(SIM_PROGRAM, args, NULL, "/dev/null", "/dev/null", log);
  assert_int_equal(process_wait(pid, 0, 20000), 1);
  char * text = file_text(log);
  assert_non_null(text);
  if (!strstr(text, words)) fail_msg("'%s' is not in: %s", words, text);
  free(text);
  unlink(log);
}

const nav_msgs__msg__Odometry *
next_odometry(peer_t * peer)
{
  take_message(peer, &peer->odometry, &peer->odometry_message);
  return &peer->odometry_message;
}

int64_t
next_clock(peer_t * peer)
{
  rosgraph_msgs__msg__Clock message;
  assert_true(rosgraph_msgs__msg__Clock__init(&message));
  take_message(peer, &peer->clock, &message);
  const int64_t time = nanoseconds(&message.clock);
  rosgraph_msgs__msg__Clock__fini(&message);
  return time;
}

char *
next_description(peer_t * peer)
{
  rcl_subscription_t subscription;
  std_msgs__msg__String message;
  assert_true(std_msgs__msg__String__init(&message));
  subscribe(
    peer, &subscription, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), "robot_description",
    true);
  take_message(peer, &subscription, &message);
  char * text = strdup(message.data.data);
  std_msgs__msg__String__fini(&message);
  OK(rcl_subscription_fini(&subscription, &peer->session.node));
  return text;
}

const diagnostic_msgs__msg__DiagnosticStatus *
next_report(peer_t * peer)
{
  take_message(peer, &peer->diagnostics, &peer->report);
  assert_int_equal(peer->report.status.size, 1);
  return &peer->report.status.data[0];
}

double
report_value(const diagnostic_msgs__msg__DiagnosticStatus * report, const char * key)
{
  for (size_t i = 0; i < report->values.size; i++) {
    if (strcmp(report->values.data[i].key.data, key) != 0) continue;
    return strtod(report->values.data[i].value.data, NULL);
  }
  fail_msg("no %s in the report", key);
  return 0;
}

//---------- commands ----------

static void
wait_for_reader(const rcl_publisher_t * publisher)
{
  const int64_t end = now_ns() + WAIT_TIMEOUT * INT64_C(1000000);
  for (size_t count = 0; count == 0; sleep_ms(2)) {
    OK(rcl_publisher_get_subscription_count(publisher, &count));
    if (now_ns() > end) fail_msg("nobody listens to commands");
    if (count > 0) return;
  }
}

void
send_array(peer_t * peer, const double * x, size_t n)
{
  std_msgs__msg__Float64MultiArray message;
  memset(&message, 0, sizeof message);
  assert_true(std_msgs__msg__Float64MultiArray__init(&message));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message.data, n));
  for (size_t i = 0; i < n; i++) message.data.data[i] = x[i];
  wait_for_reader(&peer->array);
  OK(rcl_publish(&peer->array, &message, NULL));
  std_msgs__msg__Float64MultiArray__fini(&message);
}

void
send_names(peer_t * peer, const char * const * name, const double * effort, size_t n)
{
  sensor_msgs__msg__JointState message;
  memset(&message, 0, sizeof message);  // __init leaves numbers as they are
  assert_true(sensor_msgs__msg__JointState__init(&message));
  assert_true(rosidl_runtime_c__String__Sequence__init(&message.name, n));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message.effort, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&message.name.data[i], name[i]));
    message.effort.data[i] = effort[i];
  }
  wait_for_reader(&peer->names);
  OK(rcl_publish(&peer->names, &message, NULL));
  sensor_msgs__msg__JointState__fini(&message);
}

void
send_junk(peer_t * peer)
{
  uint8_t bytes[12] = {0, 1, 0, 0, 255, 255, 255, 255, 7, 7, 7, 7};
  rcl_serialized_message_t message = rmw_get_zero_initialized_serialized_message();
  message.buffer = bytes;
  message.buffer_length = message.buffer_capacity = sizeof bytes;
  wait_for_reader(&peer->array);
  OK(rcl_publish_serialized_message(&peer->array, &message, NULL));
}

//---------- services ----------

// repeats the request until it is answered: the server may not have found us yet
static void
call(peer_t * peer, rcl_client_t * client, const void * request, void * response)
{
  const int64_t end = now_ns() + WAIT_TIMEOUT * INT64_C(1000000);
  for (bool there = false; !there; sleep_ms(2)) {
    OK(rcl_service_server_is_available(&peer->session.node, client, &there));
    if (now_ns() > end) fail_msg("no service");
  }
  while (now_ns() < end) {
    int64_t number;
    rmw_request_id_t header;
    OK(rcl_send_request(client, request, &number));
    while (session_wait(&peer->session, NULL, client, 3000)) {
      const rcl_ret_t ret = rcl_take_response(client, &header, response);
      if (ret == RCL_RET_OK && header.sequence_number == number) return;
      if (ret != RCL_RET_OK) rcl_reset_error();
    }
  }
  fail_msg("no answer");
}

const char *
push(peer_t * peer, const char * frame, const wrench_t * wrench)
{
  mbdyn__srv__ApplyWrench_Request request;
  mbdyn__srv__ApplyWrench_Response response;
  assert_true(mbdyn__srv__ApplyWrench_Request__init(&request));
  assert_true(mbdyn__srv__ApplyWrench_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.frame, frame));
  request.wrench.force.x = wrench->force[0];
  request.wrench.force.y = wrench->force[1];
  request.wrench.force.z = wrench->force[2];
  request.wrench.torque.x = wrench->torque[0];
  request.wrench.torque.y = wrench->torque[1];
  request.wrench.torque.z = wrench->torque[2];
  request.reference = wrench->reference;
  request.duration = wrench->duration;
  call(peer, &peer->push, &request, &response);
  snprintf(answer, sizeof answer, "%s", response.message.data);
  assert_true(response.success == (*answer == 0));
  mbdyn__srv__ApplyWrench_Request__fini(&request);
  mbdyn__srv__ApplyWrench_Response__fini(&response);
  return answer;
}

void
reset(peer_t * peer)
{
  std_srvs__srv__Trigger_Request request;
  std_srvs__srv__Trigger_Response response;
  assert_true(std_srvs__srv__Trigger_Request__init(&request));
  assert_true(std_srvs__srv__Trigger_Response__init(&response));
  call(peer, &peer->reset, &request, &response);
  assert_true(response.success);
  std_srvs__srv__Trigger_Request__fini(&request);
  std_srvs__srv__Trigger_Response__fini(&response);
}

static void
fill_value(rcl_interfaces__msg__ParameterValue * value, const double * x, size_t n)
{
  value->type = n == 1 ? 3 : 8;
  value->double_value = x[0];
  if (n == 1) return;
  assert_true(rosidl_runtime_c__double__Sequence__init(&value->double_array_value, n));
  for (size_t i = 0; i < n; i++) value->double_array_value.data[i] = x[i];
}

// \param[in] value  NULL: the numbers
static const char *
set_value(peer_t * peer, const char * name, const char * value, const double * x, size_t n)
{
  rcl_interfaces__srv__SetParameters_Request request;
  rcl_interfaces__srv__SetParameters_Response response;
  assert_true(rcl_interfaces__srv__SetParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__SetParameters_Response__init(&response));
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&request.parameters, 1));
  rcl_interfaces__msg__Parameter * parameter = &request.parameters.data[0];
  assert_true(rosidl_runtime_c__String__assign(&parameter->name, name));
  if (value) {
    parameter->value.type = rcl_interfaces__msg__ParameterType__PARAMETER_STRING;
    assert_true(rosidl_runtime_c__String__assign(&parameter->value.string_value, value));
  } else {
    fill_value(&parameter->value, x, n);
  }
  call(peer, &peer->set, &request, &response);
  assert_int_equal(response.results.size, 1);
  const bool good = response.results.data[0].successful;
  snprintf(answer, sizeof answer, "%s", good ? "" : response.results.data[0].reason.data);
  rcl_interfaces__srv__SetParameters_Request__fini(&request);
  rcl_interfaces__srv__SetParameters_Response__fini(&response);
  return answer;
}

const char *
set_parameter(peer_t * peer, const char * name, const double * x, size_t n)
{
  return set_value(peer, name, NULL, x, n);
}

const char *
set_text(peer_t * peer, const char * name, const char * value)
{
  return set_value(peer, name, value, NULL, 0);
}

int
peer_set_up(void ** state)
{
  peer_open(*state);
  return 0;
}

int
peer_tear_down(void ** state)
{
  peer_t * peer = *state;
  const int code = peer->robot.pid != 0 ? robot_end(peer, SIGINT) : 0;
  peer_close(peer);
  return code;
}
