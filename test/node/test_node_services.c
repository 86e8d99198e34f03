// Services of the node: dynamics of given states against the core, payloads, models.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/srv/clear_payload.h"
#include "mbdyn/srv/forward_dynamics.h"
#include "mbdyn/srv/inverse_dynamics.h"
#include "mbdyn/srv/linearize.h"
#include "mbdyn/srv/load_model.h"
#include "mbdyn/srv/set_payload.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

#define CALL(name, topic, request, response) \
  peer_call(                                 \
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, name), "/mbdyn/" topic, request, response)

enum { N = PEER_JOINTS };

typedef rosidl_runtime_c__double__Sequence doubles_t;

static peer_t peer;
static core_t core;
static mbdyn__srv__InverseDynamics_Request inverse;
static mbdyn__srv__InverseDynamics_Response torques;
static mbdyn__srv__ForwardDynamics_Request forward;
static mbdyn__srv__ForwardDynamics_Response motion;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  assert_true(mbdyn__srv__InverseDynamics_Request__init(&inverse));
  assert_true(mbdyn__srv__InverseDynamics_Response__init(&torques));
  assert_true(mbdyn__srv__ForwardDynamics_Request__init(&forward));
  assert_true(mbdyn__srv__ForwardDynamics_Response__init(&motion));
  peer_start(
    &peer, (const char *[]){
             PEER_ROBOT_ARG, PEER_CALM_ARG, "-p",
             "model_directories:=['" MBDYN_SOURCE_DIR "/config/robots']", NULL});
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  peer_bring_up(&peer);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  mbdyn__srv__InverseDynamics_Request__fini(&inverse);
  mbdyn__srv__InverseDynamics_Response__fini(&torques);
  mbdyn__srv__ForwardDynamics_Request__fini(&forward);
  mbdyn__srv__ForwardDynamics_Response__fini(&motion);
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

//---------- dynamics of a state ----------

static void
fill(doubles_t * to, const double * x, size_t n)
{
  rosidl_runtime_c__double__Sequence__fini(to);
  assert_true(rosidl_runtime_c__double__Sequence__init(to, n));
  if (n > 0) memcpy(to->data, x, n * sizeof *x);
}

static void
fill_names(rosidl_runtime_c__String__Sequence * to, size_t n, const char * const * name)
{
  rosidl_runtime_c__String__Sequence__fini(to);
  assert_true(rosidl_runtime_c__String__Sequence__init(to, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&to->data[i], name[i]));
  }
}

static const char * const BACKWARDS[N] = {"joint7", "joint6", "joint5", "joint4",
                                          "joint3", "joint2", "joint1"};

static void
reversed(const double * x, double * y)
{
  for (int i = 0; i < N; i++) y[i] = x[N - 1 - i];
}

static void
put_wrench(geometry_msgs__msg__WrenchStamped__Sequence * list, const char * frame, const double * f)
{
  assert_true(geometry_msgs__msg__WrenchStamped__Sequence__init(list, 1));
  geometry_msgs__msg__WrenchStamped * w = &list->data[0];
  assert_true(rosidl_runtime_c__String__assign(&w->header.frame_id, frame));
  w->wrench.force = (geometry_msgs__msg__Vector3){f[0], f[1], f[2]};
  w->wrench.torque = (geometry_msgs__msg__Vector3){f[3], f[4], f[5]};
}

// a wrench at the tool in its own axes, for the core
static mbd_wrench_t
core_wrench(const double * f)
{
  mbd_wrench_t w = {.reference = MBD_LOCAL};
  assert_int_equal(mbd_find_frame(core.model, "tool", &w.frame), MBD_OK);
  w.f.lin = mbdu_vec3(f[0], f[1], f[2]);
  w.f.ang = mbdu_vec3(f[3], f[4], f[5]);
  return w;
}

static const double PUSH[6] = {4, -3, 7, 0.4, 0.3, -0.2};
static const double ACCELERATION[N] = {1, -2, 0.5, 3, -1, 2, 4};

static void
test_inverse(void ** state)
{
  (void)state;
  double x[N], want[N];
  const double *q = STATES[1][0], *v = STATES[1][1];
  const mbd_wrench_t push = core_wrench(PUSH);
  fill_names(&inverse.joint_names, N, BACKWARDS);
  reversed(q, x), fill(&inverse.position, x, N);
  reversed(v, x), fill(&inverse.velocity, x, N);
  reversed(ACCELERATION, x), fill(&inverse.acceleration, x, N);
  put_wrench(&inverse.wrenches, "tool", PUSH);
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_true(torques.success);
  assert_string_equal(torques.message.data, "");

  const mbdyn__msg__JointTorques * t = &torques.torques;
  const mbd_wrenches_t pushes = {1, &push};
  assert_int_equal(
    mbd_inverse_dynamics(core.model, core.data, q, v, ACCELERATION, &pushes, want), MBD_OK);
  assert_int_equal(t->total.size, N);
  assert_near(t->total.data, want, N);
  core_gravity(&core, q, want);
  assert_near(t->gravity.data, want, N);
  assert_int_equal(mbd_friction(core.model, v, want), MBD_OK);
  assert_near(t->friction.data, want, N);
  for (int i = 0; i < N; i++) {
    assert_string_equal(t->joint_names.data[i].data, BACKWARDS[N - 1 - i]);
    x[i] = t->gravity.data[i] + t->coriolis.data[i] + t->inertia.data[i] + t->friction.data[i] +
           t->external.data[i];
  }
  assert_near(x, t->total.data, N);
}

// joints that are not named stay where they are, or are at zero
static void
test_inverse_of_some_joints(void ** state)
{
  (void)state;
  const char * const name[2] = {"joint6", "joint2"};
  double q[N] = {0}, v[N] = {0}, want[N];
  fill_names(&inverse.joint_names, 2, name);
  fill(&inverse.position, (const double[]){0.5, -0.7}, 2);
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_true(torques.success);
  q[5] = 0.5, q[1] = -0.7;
  core_gravity(&core, q, want);
  assert_near(torques.torques.total.data, want, N);

  inverse.use_current_state = true;
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_true(torques.success);
  memcpy(q, STATES[0][0], sizeof q);
  memcpy(v, STATES[0][1], sizeof v);
  q[5] = 0.5, q[1] = -0.7, v[5] = v[1] = 0;
  assert_int_equal(
    mbd_inverse_dynamics(core.model, core.data, q, v, (const double[N]){0}, NULL, want), MBD_OK);
  assert_near(torques.torques.total.data, want, N);

  // a refusal after a success is one
  fill(&inverse.position, (const double[]){0.5}, 1);
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_false(torques.success);
}

static void
test_forward(void ** state)
{
  (void)state;
  double x[N], want[N];
  const double tau[N] = {3, -20, 5, 14, -2, 1, 0.5};
  const double *q = STATES[3][0], *v = STATES[3][1];
  const mbd_wrench_t push = core_wrench(PUSH);
  const mbd_wrenches_t pushes = {1, &push};
  fill_names(&forward.joint_names, N, BACKWARDS);
  reversed(q, x), fill(&forward.position, x, N);
  reversed(v, x), fill(&forward.velocity, x, N);
  reversed(tau, x), fill(&forward.effort, x, N);
  put_wrench(&forward.wrenches, "tool", PUSH);
  CALL(ForwardDynamics, "forward_dynamics", &forward, &motion);
  assert_true(motion.success);
  assert_int_equal(mbd_forward_dynamics(core.model, core.data, q, v, tau, &pushes, want), MBD_OK);
  assert_int_equal(motion.acceleration.size, N);
  assert_near(motion.acceleration.data, want, N);
  assert_string_equal(motion.joint_names.data[2].data, "joint3");
  fill(&forward.effort, (const double[]){0.5}, 1);
  CALL(ForwardDynamics, "forward_dynamics", &forward, &motion);
  assert_false(motion.success);
}

//---------- linearisation ----------

static mbdyn__srv__Linearize_Request near_state;
static mbdyn__srv__Linearize_Response linear;

static int
set_up_linear(void ** state)
{
  assert_true(mbdyn__srv__Linearize_Request__init(&near_state));
  assert_true(mbdyn__srv__Linearize_Response__init(&linear));
  return set_up(state);
}

static int
tear_down_linear(void ** state)
{
  mbdyn__srv__Linearize_Request__fini(&near_state);
  mbdyn__srv__Linearize_Response__fini(&linear);
  return tear_down(state);
}

// how the acceleration changes with number j of [q, v, tau]: a central difference
static void
difference(const double x[3 * N], int j, const mbd_wrenches_t * pushes, double * column)
{
  const double h = 1e-5;
  double qdd[2][N];
  for (int side = 0; side < 2; side++) {
    double y[3 * N];
    memcpy(y, x, sizeof y);
    y[j] += side ? h : -h;
    const mbd_status_t status =
      mbd_forward_dynamics(core.model, core.data, y, y + N, y + 2 * N, pushes, qdd[side]);
    assert_int_equal(status, MBD_OK);
  }
  for (int i = 0; i < N; i++) column[i] = (qdd[1][i] - qdd[0][i]) / (2 * h);
}

// the answer is that of differences of forward dynamics at x = [q, v, tau]
static void
expect_linear(const double x[3 * N], const mbd_wrenches_t * pushes)
{
  double qdd[N], column[N];
  if (!linear.success) fail_msg("%s", linear.message.data);
  assert_string_equal(linear.message.data, "");
  assert_int_equal(linear.a.size, 4 * N * N);
  assert_int_equal(linear.b.size, 2 * N * N);
  assert_int_equal(
    mbd_forward_dynamics(core.model, core.data, x, x + N, x + 2 * N, pushes, qdd), MBD_OK);
  assert_near(linear.acceleration.data, qdd, N);
  assert_near(linear.effort.data, x + 2 * N, N);
  for (int j = 0; j < 3 * N; j++) {
    difference(x, j, pushes, column);
    const double * entry = j < 2 * N ? linear.a.data + j : linear.b.data + j - 2 * N;
    const int stride = j < 2 * N ? 2 * N : N;
    for (int i = 0; i < N; i++) {
      // positions change as velocities say
      assert_true(entry[i * stride] == (j == N + i ? 1 : 0));
      const double got = entry[(N + i) * stride];
      if (!(fabs(got - column[i]) < 1e-6 * (1 + fabs(column[i]) + fabs(qdd[i])))) {
        fail_msg("row %d, column %d: %.9g, not %.9g", N + i, j, got, column[i]);
      }
    }
  }
}

static void
test_linearize(void ** state)
{
  (void)state;
  double x[3 * N], y[N];
  const double tau[N] = {3, -20, 5, 14, -2, 1, 0.5};
  const mbd_wrench_t push = core_wrench(PUSH);
  const mbd_wrenches_t pushes = {1, &push};
  memcpy(x, STATES[3][0], sizeof y), memcpy(x + N, STATES[3][1], sizeof y);
  memcpy(x + 2 * N, tau, sizeof y);
  fill_names(&near_state.joint_names, N, BACKWARDS);
  reversed(x, y), fill(&near_state.position, y, N);
  reversed(x + N, y), fill(&near_state.velocity, y, N);
  reversed(tau, y), fill(&near_state.effort, y, N);
  put_wrench(&near_state.wrenches, "tool", PUSH);
  CALL(Linearize, "linearize", &near_state, &linear);
  expect_linear(x, &pushes);
  assert_int_equal(linear.state_names.size, 2 * N);
  assert_string_equal(linear.state_names.data[2].data, "joint3.position");
  assert_string_equal(linear.state_names.data[N + 6].data, "joint7.velocity");
  assert_int_equal(linear.input_names.size, N);
  assert_string_equal(linear.input_names.data[1].data, "joint2");
}

// hold finds the effort that keeps the robot as it is; it is not to be given then
static void
test_linearize_held(void ** state)
{
  (void)state;
  double x[3 * N];
  near_state.use_current_state = near_state.hold = true;
  CALL(Linearize, "linearize", &near_state, &linear);
  memcpy(x, STATES[0][0], N * sizeof *x), memcpy(x + N, STATES[0][1], N * sizeof *x);
  const double rest[N] = {0};
  assert_int_equal(
    mbd_inverse_dynamics(core.model, core.data, x, x + N, rest, NULL, x + 2 * N), MBD_OK);
  expect_linear(x, NULL);
  for (int i = 0; i < N; i++) assert_true(fabs(linear.acceleration.data[i]) < 1e-9);

  const char * const name = "joint6";
  fill_names(&near_state.joint_names, 1, &name);
  fill(&near_state.effort, (const double[]){1}, 1);
  CALL(Linearize, "linearize", &near_state, &linear);
  assert_false(linear.success);
  assert_non_null(strstr(linear.message.data, "leave effort empty"));
  assert_int_equal(linear.a.size, 0);
  near_state.hold = false;
  fill(&near_state.effort, (const double[]){NAN}, 1);
  CALL(Linearize, "linearize", &near_state, &linear);
  assert_false(linear.success);
  assert_non_null(strstr(linear.message.data, "joint 'joint6': a value is not finite"));
}

//---------- requests that make no sense ----------

static void
expect_refusal(const char * text)
{
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_false(torques.success);
  if (!strstr(torques.message.data, text)) {
    fail_msg("'%s' instead of '%s'", torques.message.data, text);
  }
}

static void
test_bad_requests(void ** state)
{
  (void)state;
  const char * const name[2] = {"joint6", "joint2"};
  fill_names(&inverse.joint_names, 2, name);
  fill(&inverse.position, (const double[]){1}, 1);
  expect_refusal("1 positions for 2 joints");
  fill(&inverse.position, (const double[]){1, NAN}, 2);
  expect_refusal("joint 'joint2': a value is not finite");
  fill(&inverse.position, (const double[]){1, 2}, 2);
  fill_names(&inverse.joint_names, 2, (const char *[]){"joint6", "elbow"});
  expect_refusal("the robot has no joint 'elbow'");
  fill_names(&inverse.joint_names, 2, (const char *[]){"joint6", "joint6"});
  expect_refusal("duplicate joint 'joint6'");
  fill_names(&inverse.joint_names, 2, name);
  put_wrench(&inverse.wrenches, "elbow", PUSH);
  expect_refusal("wrench on 'elbow'");
}

// wrenches and numbers that are not finite never reach the core as a result
static void
test_not_finite(void ** state)
{
  (void)state;
  put_wrench(&inverse.wrenches, "tool", (const double[]){NAN, 0, 0, 0, 0, 0});
  CALL(InverseDynamics, "inverse_dynamics", &inverse, &torques);
  assert_false(torques.success);
  assert_true(*torques.message.data);
}

//---------- payloads ----------

static void
expect_command_with(double mass)
{
  double g[N];
  int frame;
  assert_int_equal(mbd_find_frame(core.model, "flange", &frame), MBD_OK);
  assert_int_equal(mbd_payload_clear(core.model, core.data), MBD_OK);
  if (mass > 0) {
    const mbd_sym3_t I = {0.01, 0, 0, 0.02, 0, 0.015};
    const mbd_inertia_t load = mbdu_inertia_from_com(mass, mbdu_vec3(0.02, -0.01, 0.1), I);
    assert_int_equal(mbd_payload_attach(core.model, core.data, frame, &load), MBD_OK);
  }
  core_gravity(&core, STATES[0][0], g);
  peer_step(&peer);
  assert_near(peer.command, g, N);
}

static void
set_payload(const char * frame, double mass, bool success, double all, const char * text)
{
  mbdyn__srv__SetPayload_Request request = {0};
  mbdyn__srv__SetPayload_Response response = {0};
  assert_true(mbdyn__srv__SetPayload_Request__init(&request));
  assert_true(mbdyn__srv__SetPayload_Response__init(&response));
  assert_true(rosidl_runtime_c__String__assign(&request.frame, frame));
  request.inertia.m = mass;
  request.inertia.com = (geometry_msgs__msg__Vector3){0.02, -0.01, 0.1};
  request.inertia.ixx = 0.01, request.inertia.iyy = 0.02, request.inertia.izz = 0.015;
  CALL(SetPayload, "set_payload", &request, &response);
  if (!strstr(response.message.data, text)) fail_msg("'%s'", response.message.data);
  if (response.success != success) fail_msg("%s %g: '%s'", frame, mass, response.message.data);
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
  if (frame) fill_names(&request.frames, 1, &frame);
  CALL(ClearPayload, "clear_payload", &request, &response);
  assert_int_equal(response.success, success);
  assert_near(&response.mass, &all, 1);
  mbdyn__srv__ClearPayload_Request__fini(&request);
  mbdyn__srv__ClearPayload_Response__fini(&response);
}

static void
test_payloads(void ** state)
{
  (void)state;
  expect_command_with(0);
  set_payload("flange", 2, true, 2, "");
  expect_command_with(2);
  set_payload("flange", 1, true, 1, "");
  expect_command_with(1);
  set_payload("elbow", 1, false, 1, "no link or frame 'elbow'");
  set_payload("flange", -1, false, 1, "mass must be positive");
  set_payload("flange", NAN, false, 1, "mass must be positive");
  expect_command_with(1);
  clear_payload("link3", false, 1);
  clear_payload("flange", true, 0);
  expect_command_with(0);
  set_payload("flange", 0.5, true, 0.5, "");
  set_payload("link4", 1.5, true, 2, "");
  set_payload("flange", 0, true, 1.5, "");
  clear_payload(NULL, true, 0);
  expect_command_with(0);
}

//---------- models ----------

static mbdyn__srv__LoadModel_Response model;

static void
load(const char * file, const char * urdf, bool success, const char * text)
{
  mbdyn__srv__LoadModel_Request request = {0};
  assert_true(mbdyn__srv__LoadModel_Request__init(&request));
  if (file) assert_true(rosidl_runtime_c__String__assign(&request.file, file));
  if (urdf) assert_true(rosidl_runtime_c__String__assign(&request.urdf, urdf));
  CALL(LoadModel, "load_model", &request, &model);
  assert_int_equal(model.success, success);
  if (!strstr(model.message.data, text)) fail_msg("'%s', not '%s'", model.message.data, text);
  mbdyn__srv__LoadModel_Request__fini(&request);
}

static void
test_load_model(void ** state)
{
  (void)state;
  static const char * const arm6 = MBDYN_SOURCE_DIR "/config/robots/arm6.urdf";
  static const char * const bad =
    "<robot name=\"x\">\n  <link name=\"a\"/>\n\n  <joint name=\"j\" type=\"revolut\"/>\n</robot>";
  assert_true(mbdyn__srv__LoadModel_Response__init(&model));
  load(arm6, NULL, false, "active; deactivate it first");
  assert_true(peer_change_state(&peer, "deactivate"));
  load(NULL, bad, false, "service load_model:4");
  load("nowhere.urdf", NULL, false, "nowhere.urdf: No such file");
  // the old one has stayed
  assert_true(peer_change_state(&peer, "activate"));
  expect_command_with(0);
  assert_true(peer_change_state(&peer, "deactivate"));

  load(arm6, NULL, true, "");
  assert_string_equal(model.model_name.data, "arm6");
  assert_int_equal(model.joint_names.size, 6);
  peer_wait_value(&peer, "model", "arm6");
  load(PEER_ROBOT, NULL, true, "");
  assert_string_equal(model.model_name.data, "arm7");
  assert_int_equal(model.joint_names.size, 7);
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  expect_command_with(0);
  mbdyn__srv__LoadModel_Response__fini(&model);
}

#define TEST(name)   cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define LINEAR(name) cmocka_unit_test_setup_teardown(name, set_up_linear, tear_down_linear)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {TEST(test_inverse),          TEST(test_inverse_of_some_joints),
                                     TEST(test_forward),          LINEAR(test_linearize),
                                     LINEAR(test_linearize_held), TEST(test_bad_requests),
                                     TEST(test_not_finite),       TEST(test_payloads),
                                     TEST(test_load_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
