// Self-motion of the node: curves and steps by their forward kinematics, arcs by the limits and distances of
// the test's own, and requests that make no sense.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/point.h"
#include "mbdyn/spatial.h"
#include "mbdyn/srv/self_motion.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { N = PEER_JOINTS, MOST = 2000 };

#define RESPONSE(name) mbdyn__srv__SelfMotion_Response__##name
#define REQUEST(name)  mbdyn__srv__SelfMotion_Request__##name

static peer_t peer;
static core_t core;
static int tool;
static mbdyn__srv__SelfMotion_Request request;
static mbdyn__srv__SelfMotion_Response answer;

static const double TURN = 6.28318530717958647692;

//---------- a robot, and requests to it ----------

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  assert_int_equal(mbd_find_frame(core.model, "tool", &tool), MBD_OK);
  // an init leaves numbers as they are
  memset(&request, 0, sizeof request);
  assert_true(mbdyn__srv__SelfMotion_Request__init(&request));
  assert_true(mbdyn__srv__SelfMotion_Response__init(&answer));
  // a busy machine may need it
  request.timeout = 0.5;
  peer_start(
    &peer, (const char *[]){PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "autostart:=false", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  mbdyn__srv__SelfMotion_Request__fini(&request);
  mbdyn__srv__SelfMotion_Response__fini(&answer);
  core_close(&core);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
call(void)
{
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, SelfMotion), "/mbdyn/self_motion", &request,
    &answer);
}

static void
ask_names(rosidl_runtime_c__String__Sequence * to, size_t n, const char * const * name)
{
  rosidl_runtime_c__String__Sequence__fini(to);
  assert_true(rosidl_runtime_c__String__Sequence__init(to, n));
  for (size_t i = 0; i < n; i++) {
    assert_true(rosidl_runtime_c__String__assign(&to->data[i], name[i]));
  }
}

static void
ask_seed(const double * q)
{
  static const char * const all[N] = {"joint1", "joint2", "joint3", "joint4",
                                      "joint5", "joint6", "joint7"};
  ask_names(&request.joint_names, N, all);
  rosidl_runtime_c__double__Sequence__fini(&request.position);
  assert_true(rosidl_runtime_c__double__Sequence__init(&request.position, N));
  memcpy(request.position.data, q, N * sizeof *q);
}

static void
ask_pose(const mbd_placement_t * X)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&X->R);
  request.use_pose = true;
  request.pose.position = (geometry_msgs__msg__Point){X->p.x, X->p.y, X->p.z};
  request.pose.orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
}

static void
ask_sphere(mbd_vec3_t at, double radius)
{
  geometry_msgs__msg__Point__Sequence__fini(&request.obstacle_begin);
  geometry_msgs__msg__Point__Sequence__fini(&request.obstacle_end);
  rosidl_runtime_c__double__Sequence__fini(&request.obstacle_radius);
  assert_true(geometry_msgs__msg__Point__Sequence__init(&request.obstacle_begin, 1));
  assert_true(geometry_msgs__msg__Point__Sequence__init(&request.obstacle_end, 1));
  assert_true(rosidl_runtime_c__double__Sequence__init(&request.obstacle_radius, 1));
  request.obstacle_begin.data[0] = (geometry_msgs__msg__Point){at.x, at.y, at.z};
  request.obstacle_end.data[0] = request.obstacle_begin.data[0];
  request.obstacle_radius.data[0] = radius;
}

//---------- what the answers should be ----------

static mbd_placement_t
forward(const double * q)
{
  mbd_placement_t X;
  assert_int_equal(mbd_set_position(core.model, core.data, q), MBD_OK);
  assert_int_equal(mbd_frame_placement(core.model, core.data, tool, &X), MBD_OK);
  return X;
}

// largest number by which two poses differ
static double
apart(const mbd_placement_t * a, const mbd_placement_t * b)
{
  double most = mbdu_vec3_norm(mbdu_vec3_sub(a->p, b->p));
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(a->R.m[k] - b->R.m[k]));
  return most;
}

static const double *
row(size_t i)
{
  assert_true((i + 1) * N <= answer.position.size);
  return answer.position.data + i * N;
}

// the joint that no whole turn brings into its limits, by how much; positive: beyond
static double
beyond(const double * q)
{
  double most = -1e9;
  for (int k = 0; k < N; k++) {
    const mbd_limits_t * l = &core.model->body[k].limits;
    const double middle = 0.5 * (l->lower + l->upper), half = 0.5 * (l->upper - l->lower);
    most = fmax(most, fabs(q[k] - middle - TURN * round((q[k] - middle) / TURN)) - half);
  }
  return most;
}

// of the lines from joint to joint to the tool, as points a millimetre apart, from a point
static double
distance(const double * q, mbd_vec3_t from)
{
  mbd_vec3_t at[N + 1];
  double least = 1e9;
  at[N] = forward(q).p;
  for (int k = 0; k < N; k++) {
    mbd_placement_t X;
    const int frame = core.model->body[k].link_frame;
    assert_int_equal(mbd_frame_placement(core.model, core.data, frame, &X), MBD_OK);
    at[k] = X.p;
  }
  for (int k = 0; k < N; k++) {
    const mbd_vec3_t d = mbdu_vec3_sub(at[k + 1], at[k]);
    const int n = (int)(1000 * mbdu_vec3_norm(d)) + 1;
    for (int i = 0; i <= n; i++) {
      const mbd_vec3_t p = mbdu_vec3_add(at[k], mbdu_vec3_scale((double)i / n, d));
      least = fmin(least, mbdu_vec3_norm(mbdu_vec3_sub(p, from)));
    }
  }
  return least;
}

static bool
inside(double s)
{
  for (size_t i = 0; i < answer.arc_begin.size; i++) {
    const double a = answer.arc_begin.data[i], b = answer.arc_end.data[i];
    if ((s >= a && s <= b) || (s + answer.curve_length >= a && s + answer.curve_length <= b)) {
      return true;
    }
  }
  return false;
}

static void
expect_success(void)
{
  if (!answer.success) fail_msg("%s", answer.message.data);
  assert_int_equal(answer.status, RESPONSE(SOLVED));
  assert_string_equal(answer.message.data, "");
  assert_int_equal(answer.joint_names.size, N);
  assert_int_equal(answer.position.size, N * answer.s.size);
  assert_int_equal(answer.reciprocal_condition.size, answer.s.size);
  assert_true(answer.solve_time > 0 && answer.solve_time < 1);
}

//---------- answers ----------

// all points have the pose, s is the length of the steps between them, arcs are where limits are kept
static void
test_curve(void ** state)
{
  (void)state;
  int points = 0, within = 0;
  for (int i = 0; i < NSTATE; i++) {
    const double * seed = STATES[i][0];
    const mbd_placement_t want = forward(seed);
    ask_seed(seed);
    request.max_points = MOST;
    request.timeout = 0.5;
    call();
    expect_success();
    const size_t n = answer.s.size;
    assert_true(n >= 50 && n <= MOST);
    double length = 0;
    for (size_t k = 0; k < n; k++) {
      const mbd_placement_t X = forward(row(k));
      if (!(apart(&X, &want) < 1e-8)) fail_msg("point %zu is %g away", k, apart(&X, &want));
      double sum = 0;
      for (int j = 0; k > 0 && j < N; j++) sum += pow(row(k)[j] - row(k - 1)[j], 2);
      length += sqrt(sum);
      // not at the ends of arcs, which are between points
      const double margin = beyond(row(k));
      if (fabs(margin) > 0.06 && inside(answer.s.data[k]) != (margin < 0))
        fail_msg("state %d, s = %g: %g beyond limits", i, answer.s.data[k], margin);
      points++, within += margin < 0;
    }
    // chords are shorter than the curve
    assert_true(answer.curve_length >= length - 1e-6 && answer.curve_length < 1.01 * length);
    if (answer.closed) {
      for (int j = 0; j < N; j++) {
        const double turned = row(0)[j] + TURN * answer.turns.data[j];
        assert_true(fabs(row(n - 1)[j] - turned) < 1e-6);
      }
    }
    assert_true(answer.arc_begin.size >= 1);
    assert_non_null(strstr(answer.arc_end_at.data[0].data, "limit of joint"));
  }
  // no time: the part of the first slice
  request.timeout = 1e-6;
  call();
  assert_false(answer.success || answer.closed);
  assert_int_equal(answer.status, RESPONSE(TIMEOUT));
  assert_true(answer.s.size > 50 && answer.curve_length < 10);
  assert_non_null(strstr(answer.message.data, "raise timeout"));
  print_message("             %d points, %d within limits\n", points, within);
  assert_true(points > 500 && within > 100 && within < points);
}

// without the rotation about z: six joints move, the point and the direction stay, the angle does not
static void
test_some_axes(void ** state)
{
  (void)state;
  const double * seed = STATES[0][0];
  const int at_tool = tool;
  double turned = 0;
  assert_int_equal(mbd_find_frame(core.model, "link6", &tool), MBD_OK);
  const mbd_placement_t want = forward(seed);
  ask_seed(seed);
  assert_true(rosidl_runtime_c__String__assign(&request.frame, "link6"));
  ask_names(
    &request.axes, 5,
    (const char *[]){"angular_y", "linear_x", "linear_y", "linear_z", "angular_x"});
  call();
  expect_success();
  for (size_t k = 0; k < answer.s.size; k++) {
    const mbd_placement_t X = forward(row(k));
    assert_true(mbdu_vec3_norm(mbdu_vec3_sub(X.p, want.p)) < 1e-8);
    for (int i = 0; i < 3; i++) assert_true(fabs(X.R.m[3 * i + 2] - want.R.m[3 * i + 2]) < 1e-8);
    turned = fmax(turned, fabs(X.R.m[0] - want.R.m[0]));
    assert_true(row(k)[6] == seed[6]);
  }
  assert_true(answer.s.size > 10 && turned > 0.5);
  tool = at_tool;
}

// steps of both signs, as long as asked for, up to the limit
static void
test_step(void ** state)
{
  (void)state;
  const double * seed = STATES[0][0];
  const mbd_placement_t want = forward(seed);
  double moved = 0;
  ask_seed(seed);
  request.action = REQUEST(STEP);
  for (int sign = -1; sign <= 1; sign += 2) {
    request.length = 0.04 * sign;
    call();
    expect_success();
    assert_int_equal(answer.s.size, 1);
    assert_string_equal(answer.ended.data, "");
    const mbd_placement_t X = forward(row(0));
    double sum = 0;
    for (int k = 0; k < N; k++) sum += pow(row(0)[k] - seed[k], 2);
    assert_true(apart(&X, &want) < 1e-8);
    assert_true(fabs(answer.s.data[0] - request.length) < 1e-9 && fabs(sqrt(sum) - 0.04) < 1e-3);
    moved += sign * (row(0)[0] - seed[0]);
    // in the end there is a limit
    request.length = 40 * sign;
    request.timeout = 0.5;
    call();
    expect_success();
    assert_non_null(strstr(answer.ended.data, "limit of joint"));
    assert_true(fabs(beyond(row(0))) < 1e-6);
  }
  assert_true(fabs(moved) > 1e-3);
}

// the tool stays, the elbow goes as far from a sphere as it is told
static void
test_avoid(void ** state)
{
  (void)state;
  const double * seed = STATES[0][0];
  const mbd_placement_t want = forward(seed);
  mbd_placement_t elbow;
  assert_int_equal(
    mbd_frame_placement(core.model, core.data, core.model->body[3].link_frame, &elbow), MBD_OK);
  const mbd_vec3_t at = mbdu_vec3_add(elbow.p, mbdu_vec3(0.03, -0.12, 0));
  ask_seed(seed);
  ask_sphere(at, 0.05);
  request.action = REQUEST(AVOID);
  request.link_radius = 0.06;
  request.clearance = 0.1;
  assert_true(distance(seed, at) - 0.11 < 0.1);
  call();
  expect_success();
  const mbd_placement_t X = forward(row(0));
  assert_true(apart(&X, &want) < 1e-8 && beyond(row(0)) <= 1e-9);
  const double left = distance(row(0), at) - 0.11;
  if (!(left > 0.099 && left < 0.115)) fail_msg("%g m", left);
  assert_true(fabs(answer.clearances.data[0] - left) < 2e-3);
  // a wall of a sphere: nowhere
  ask_sphere(at, 0.5);
  call();
  assert_false(answer.success);
  assert_int_equal(answer.status, RESPONSE(BLOCKED));
  assert_non_null(strstr(answer.message.data, "relax clearance or axes"));
  near(row(0), seed, N, 1e-9, __FILE__, __LINE__);
}

// from a pose that is within reach, and one that is not: then what is nearest
static void
test_pose(void ** state)
{
  (void)state;
  mbd_placement_t X = forward(STATES[1][0]);
  ask_pose(&X);
  call();
  expect_success();
  const mbd_placement_t found = forward(row(0));
  assert_true(apart(&found, &X) < 3e-6 && answer.position_error < 1e-6);
  X.p.x += 3;
  ask_pose(&X);
  call();
  assert_false(answer.success);
  assert_in_range(answer.status, RESPONSE(UNREACHABLE), RESPONSE(TIMEOUT));
  assert_non_null(strstr(answer.message.data, ": the nearest pose found is"));
  const mbd_placement_t near_it = forward(row(0));
  assert_true(fabs(near_it.p.x - answer.reached.position.x) < 1e-9);
  assert_true(fabs(mbdu_vec3_norm(mbdu_vec3_sub(near_it.p, X.p)) - answer.position_error) < 1e-6);
  assert_true(beyond(row(0)) <= 1e-9);
}

//---------- bad requests ----------

static void
expect_rejected(const char * text)
{
  call();
  assert_false(answer.success);
  assert_int_equal(answer.status, RESPONSE(REJECTED));
  assert_int_equal(answer.joint_names.size + answer.position.size + answer.s.size, 0);
  if (!strstr(answer.message.data, text))
    fail_msg("'%s' instead of '%s'", answer.message.data, text);
}

static void
expect_not_redundant(const char * text)
{
  call();
  assert_false(answer.success);
  assert_int_equal(answer.status, RESPONSE(NOT_REDUNDANT));
  if (!strstr(answer.message.data, text))
    fail_msg("'%s' instead of '%s'", answer.message.data, text);
  near(row(0), STATES[0][0], N, 0, __FILE__, __LINE__);
}

static void
test_bad_requests(void ** state)
{
  (void)state;
  const mbd_placement_t X = forward(STATES[0][0]);
  ask_seed(STATES[0][0]);
  assert_true(rosidl_runtime_c__String__assign(&request.frame, "elbow"));
  expect_rejected("the robot has no link or frame 'elbow'");
  assert_true(rosidl_runtime_c__String__assign(&request.frame, ""));
  ask_pose(&X);
  request.pose.position.y = NAN;
  expect_rejected("pose: a value is not finite");
  ask_pose(&X);
  request.pose.orientation.w += 3;
  expect_rejected("unit quaternion");
  request.use_pose = false;
  ask_names(&request.axes, 1, (const char *[]){"angular"});
  expect_rejected("axes: 'angular' is none of");
  ask_names(&request.axes, 0, NULL);
  const double bad[3] = {-1, NAN, 0.6};
  for (int k = 0; k < 3; k++) {
    request.timeout = bad[k];
    expect_rejected("timeout must be between 0 and 0.5 s");
  }
  request.timeout = 0;
  request.max_points = 2001;
  expect_rejected("max_points must be at most 2000");
  request.max_points = 0;
  request.action = 3;
  expect_rejected("action 3 is none of 0 (CURVE), 1 (STEP), 2 (AVOID)");
  request.action = REQUEST(AVOID);
  request.length = -1;
  expect_rejected("length must be finite");
  request.action = REQUEST(STEP);
  request.length = INFINITY;
  expect_rejected("length must be finite");
  request.length = 0;
  request.action = REQUEST(CURVE);
  ask_sphere(mbdu_vec3(0, 0, NAN), 0.1);
  expect_rejected("obstacle 0: a value is not finite");
  ask_sphere(mbdu_vec3(0, 0, 0), -0.1);
  expect_rejected("or a radius negative");
  geometry_msgs__msg__Point__Sequence__fini(&request.obstacle_begin);
  expect_rejected("1 obstacle_radius for 0 obstacle_begin and 1 obstacle_end");
  geometry_msgs__msg__Point__Sequence__fini(&request.obstacle_end);
  rosidl_runtime_c__double__Sequence__fini(&request.obstacle_radius);
  request.clearance = NAN;
  expect_rejected("clearance must be between");
  request.clearance = 0;
  request.position.data[1] = NAN;
  expect_rejected("joint 'joint2': a value is not finite");
  request.position.size = 6;
  expect_rejected("6 positions for 7 joints");
  request.position.size = N;
  ask_seed(STATES[0][0]);
  request.use_current_state = true;
  rosidl_runtime_c__double__Sequence__fini(&request.position);
  ask_names(&request.joint_names, 0, NULL);
  expect_rejected("no current state: joint_states are missing");
  request.use_current_state = false;
  ask_seed(STATES[0][0]);
  // the position alone leaves four degrees of freedom
  ask_names(&request.axes, 3, (const char *[]){"linear_x", "linear_y", "linear_z"});
  expect_not_redundant("leaves 4 degrees of freedom, a self-motion has one; hold more of axes");
  ask_names(&request.axes, 0, NULL);
  // three joints before the frame: none
  assert_true(rosidl_runtime_c__String__assign(&request.frame, "link3"));
  expect_not_redundant("no self-motion: the pose of 'link3' leaves no degree of freedom");
  assert_true(rosidl_runtime_c__String__assign(&request.frame, "tool"));
  // after all that
  call();
  assert_true(answer.success);
  assert_true(peer_change_state(&peer, "cleanup"));
  expect_rejected("the node is not configured");
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_curve, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_some_axes, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_step, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_avoid, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_pose, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_bad_requests, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
