// Inverse kinematics of the node: solutions by their forward kinematics, all branches, swivel angles, poses
// out of reach, and requests that make no sense.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/pose.h"
#include "mbdyn/ik.h"
#include "mbdyn/spatial.h"
#include "mbdyn/srv/inverse_kinematics.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

enum { MOST = 7 };

enum {
  SOLVED = mbdyn__srv__InverseKinematics_Response__SOLVED,
  UNREACHABLE = mbdyn__srv__InverseKinematics_Response__UNREACHABLE,
  AT_LIMIT = mbdyn__srv__InverseKinematics_Response__AT_LIMIT,
  TIMEOUT = mbdyn__srv__InverseKinematics_Response__TIMEOUT,
  REJECTED = mbdyn__srv__InverseKinematics_Response__REJECTED
};

static peer_t peer;
static mbd_model_t * model;
static mbd_data_t * data;
static int tool;
static mbdyn__srv__InverseKinematics_Request request;
static mbdyn__srv__InverseKinematics_Response answer;

//---------- a robot, and requests to it ----------

static int
set_up_robot(const char * file)
{
  char argument[512];
  snprintf(argument, sizeof argument, "robot_description_file:=%s", file);
  peer_open(&peer);
  assert_int_equal(mbdx_urdf_load_file(file, NULL, &model, NULL), MBD_OK);
  assert_int_equal(mbd_data_create(model, &data), MBD_OK);
  assert_int_equal(mbd_find_frame(model, "tool", &tool), MBD_OK);
  // an init leaves numbers as they are
  memset(&request, 0, sizeof request);
  assert_true(mbdyn__srv__InverseKinematics_Request__init(&request));
  assert_true(mbdyn__srv__InverseKinematics_Response__init(&answer));
  peer_start(
    &peer, (const char *[]){"-p", argument, PEER_CALM_ARG, "-p", "autostart:=false", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  return 0;
}

static int
set_up_arm7(void ** state)
{
  (void)state;
  return set_up_robot(PEER_ROBOT);
}

static int
set_up_arm6(void ** state)
{
  (void)state;
  return set_up_robot(MBDYN_SOURCE_DIR "/config/robots/arm6.urdf");
}

static int
set_up_seven_axes(void ** state)
{
  (void)state;
  return set_up_robot(MBDYN_SOURCE_DIR "/test/data/seven_axes.urdf");
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  mbdyn__srv__InverseKinematics_Request__fini(&request);
  mbdyn__srv__InverseKinematics_Response__fini(&answer);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
call(void)
{
  peer_call(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, InverseKinematics), "/mbdyn/inverse_kinematics",
    &request, &answer);
}

static mbd_placement_t
forward(const double * q)
{
  mbd_placement_t X;
  assert_int_equal(mbd_set_position(model, data, q), MBD_OK);
  assert_int_equal(mbd_frame_placement(model, data, tool, &X), MBD_OK);
  return X;
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
ask_pose(const char * frame, mbd_placement_t X)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&X.R);
  ask_names(&request.frames, 1, &frame);
  geometry_msgs__msg__Pose__Sequence__fini(&request.poses);
  assert_true(geometry_msgs__msg__Pose__Sequence__init(&request.poses, 1));
  request.poses.data[0].position = (geometry_msgs__msg__Point){X.p.x, X.p.y, X.p.z};
  request.poses.data[0].orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
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
solution(size_t row)
{
  assert_int_equal(answer.joint_names.size, model->nv);
  assert_true((row + 1) * (size_t)model->nv <= answer.position.size);
  return answer.position.data + row * (size_t)model->nv;
}

// determinant by its definition, row by row
static double
determinant(const double * A, int n, int stride, unsigned used)
{
  double sum = 0, sign = 1;
  if (n == 0) return 1;
  for (int k = 0; k < stride; k++) {
    if (used & 1u << k) continue;
    sum += sign * A[k] * determinant(A + stride, n - 1, stride, used | 1u << k);
    sign = -sign;
  }
  return sum;
}

// every row is a solution within limits, the nearest to the seed first, with its own numbers
static void
expect_solutions(const mbd_placement_t * want, const double * seed)
{
  const mbd_ik_target_t target = mbdu_ik_pose(tool, *want);
  const mbd_ik_targets_t targets = {1, &target};
  double * work = malloc(mbd_ik_work(model, &targets) * sizeof *work);
  double last = 0;
  if (!answer.success) fail_msg("%s", answer.message.data);
  assert_non_null(work);
  assert_int_equal(answer.status, SOLVED);
  assert_string_equal(answer.message.data, "");
  assert_int_equal(answer.position.size, answer.solutions * (size_t)model->nv);
  assert_int_equal(answer.base_poses.size, 0);
  assert_true(answer.position_error <= 1e-6 && answer.rotation_error <= 1e-6);
  for (size_t row = 0; row < answer.solutions; row++) {
    const double * q = solution(row);
    const mbd_placement_t X = forward(q);
    double far = 0, J[6 * MOST], linear_first[6 * MOST];
    if (!(apart(&X, want) < 3e-6)) fail_msg("solution %zu is %g away", row, apart(&X, want));
    for (int k = 0; k < model->nv; k++) {
      const mbd_limits_t * limits = &model->body[k].limits;
      assert_true(q[k] >= limits->lower && q[k] <= limits->upper);
      far = fmax(far, fabs(q[k] - seed[k]));
    }
    assert_true(far >= last - 1e-6);
    last = far;

    mbd_ik_measure_t m;
    assert_int_equal(mbd_ik_measure(model, data, &targets, NULL, q, work, &m), MBD_OK);
    const double reciprocal = answer.reciprocal_condition.data[row];
    assert_true(fabs(reciprocal - m.smallest / m.largest) < 1e-6);
    (void)forward(q);
    assert_int_equal(mbd_jacobian(model, data, tool, MBD_LOCAL_WORLD_ALIGNED, J), MBD_OK);
    memcpy(linear_first, J + 3 * model->nv, 3 * (size_t)model->nv * sizeof *J);
    memcpy(linear_first + 3 * model->nv, J, 3 * (size_t)model->nv * sizeof *J);
    const double det = model->nv == 6 ? determinant(linear_first, 6, 6, 0) : 0;
    assert_int_equal(answer.sign.data[row], det > 0 ? 1 : det < 0 ? -1 : 0);
  }
  free(work);
}

// a mirror for the middle of the limits
static void
middle(double * q)
{
  for (int k = 0; k < model->nv; k++) {
    q[k] = 0.5 * (model->body[k].limits.lower + model->body[k].limits.upper);
  }
}

//---------- solutions ----------

static void
test_one_solution(void ** state)
{
  (void)state;
  double seed[MOST];
  int solved = 0;
  for (int i = 0; i < NSTATE; i++) {
    const mbd_placement_t X = forward(STATES[i][0]);
    ask_pose("tool", X);
    call();
    middle(seed);
    expect_solutions(&X, seed);
    assert_int_equal(answer.solutions, 1);
    assert_string_equal(answer.joint_names.data[3].data, "joint4");
    assert_true(isnan(answer.swivel_angles.data[0]));
    assert_int_equal(answer.reached.size, 1);
    assert_true(fabs(answer.reached.data[0].position.x - X.p.x) < 1e-5);
    solved++;
  }
  assert_int_equal(solved, NSTATE);
}

// a seed near a solution gives that one
static void
test_seed(void ** state)
{
  (void)state;
  static const char * const name[2] = {"joint7", "joint1"};
  double seed[MOST];
  const mbd_placement_t X = forward(STATES[0][0]);
  middle(seed);
  seed[6] = STATES[0][0][6], seed[0] = STATES[0][0][0];
  ask_pose("tool", X);
  ask_names(&request.joint_names, 2, name);
  assert_true(rosidl_runtime_c__double__Sequence__init(&request.position, 2));
  request.position.data[0] = seed[6], request.position.data[1] = seed[0];
  call();
  expect_solutions(&X, seed);

  // all joints: nothing is left to do
  static const char * const all[MOST] = {"joint1", "joint2", "joint3", "joint4",
                                         "joint5", "joint6", "joint7"};
  ask_names(&request.joint_names, MOST, all);
  rosidl_runtime_c__double__Sequence__fini(&request.position);
  assert_true(rosidl_runtime_c__double__Sequence__init(&request.position, MOST));
  memcpy(request.position.data, STATES[0][0], sizeof STATES[0][0]);
  call();
  expect_solutions(&X, STATES[0][0]);
  near(solution(0), STATES[0][0], MOST, 1e-6, __FILE__, __LINE__);
}

static void
test_all_branches(void ** state)
{
  (void)state;
  static const double Q[3][6] = {
    {0.3, -1.1, 1.3, -0.4, 0.9, 0.5},
    {-1.2, -0.7, 0.8, 0.6, -1.3, 2.0},
    {2.0, -1.9, -0.9, 1.1, 0.7, -2.0}};
  double seed[MOST];
  for (int i = 0; i < 3; i++) {
    const mbd_placement_t X = forward(Q[i]);
    int here = 0, signs[2] = {0, 0};
    ask_pose("tool", X);
    request.all = true;
    call();
    middle(seed);
    expect_solutions(&X, seed);
    assert_true(answer.solutions >= 8);
    for (size_t row = 0; row < answer.solutions; row++) {
      double most = 0;
      for (int k = 0; k < 6; k++) {
        most = fmax(most, fabs(remainder(solution(row)[k] - Q[i][k], 2 * acos(-1))));
      }
      here += most < 1e-5;
      signs[answer.sign.data[row] > 0]++;
    }
    assert_int_equal(here, 1);
    // shoulder, elbow and wrist each change the sign
    assert_int_equal(signs[0], signs[1]);
    request.max_solutions = 3;
    call();
    assert_int_equal(answer.solutions, 3);
    expect_solutions(&X, seed);
    request.max_solutions = 0;
  }
}

static void
test_swivel(void ** state)
{
  (void)state;
  static const double Q[MOST] = {0.4, 0.6, -0.3, -1.2, 0.7, 0.9, -0.2};
  double seed[MOST], branch[MBD_IK_BRANCHES][7];
  const mbd_placement_t X = forward(Q);
  mbd_ik_closed_form_t closed;
  int asked = 0, n;
  middle(seed);
  assert_int_equal(mbd_ik_find_closed_form(model, tool, &closed), MBD_OK);
  assert_int_equal(closed.form, MBD_IK_SHOULDER_AND_WRIST);
  ask_pose("tool", X);
  request.all = request.use_swivel = true;
  for (double swivel = -3; swivel < 3; swivel += 0.5) {
    request.swivel = swivel;
    call();
    // as many as the closed form has within the limits
    unsigned within = 0;
    assert_int_equal(mbd_ik_closed_form(&closed, &X, swivel, branch, &n), MBD_OK);
    for (int b = 0; b < n; b++) {
      bool inside = true;
      for (int k = 0; k < 7; k++)
        inside = inside && fabs(branch[b][k]) <= model->body[k].limits.upper;
      within += inside;
    }
    assert_int_equal(answer.solutions, within);
    assert_int_equal(answer.success, within > 0);
    if (within == 0) {
      assert_non_null(strstr(answer.message.data, "swivel angle"));
      continue;
    }
    expect_solutions(&X, seed);
    for (size_t row = 0; row < answer.solutions; row++) {
      assert_true(fabs(answer.swivel_angles.data[row] - swivel) < 1e-4);
    }
    asked++;
  }
  assert_true(asked >= 6);
}

static void
test_some_axes(void ** state)
{
  (void)state;
  static const char * const axes[3] = {"linear_x", "linear_y", "linear_z"};
  mbd_placement_t X = forward(STATES[1][0]);
  // an orientation that has nothing to do with it
  X.R = mbdu_quat_to_mat3((mbd_quat_t){0.5, -0.5, 0.5, 0.5});
  ask_pose("tool", X);
  ask_names(&request.axes, 3, axes);
  call();
  if (!answer.success) fail_msg("%s", answer.message.data);
  const mbd_placement_t got = forward(solution(0));
  assert_true(mbdu_vec3_norm(mbdu_vec3_sub(got.p, X.p)) < 2e-6);
  assert_true(apart(&got, &X) > 0.1);
}

//---------- out of reach ----------

static void
test_out_of_reach(void ** state)
{
  (void)state;
  static const char * const axes[3] = {"linear_x", "linear_y", "linear_z"};
  mbd_placement_t X = {mbdu_mat3_identity(), {3, 0.5, 0.4}};
  ask_pose("tool", X);
  ask_names(&request.axes, 3, axes);
  for (int all = 0; all < 2; all++) {
    request.all = all;
    call();
    assert_false(answer.success);
    assert_true(answer.status == UNREACHABLE || answer.status == AT_LIMIT);
    assert_int_equal(answer.solutions, 0);
    assert_int_equal(answer.position.size, MOST);
    const mbd_placement_t got = forward(solution(0));
    assert_true(fabs(got.p.x - answer.reached.data[0].position.x) < 1e-9);
    const double left = mbdu_vec3_norm(mbdu_vec3_sub(got.p, X.p));
    assert_true(fabs(left - answer.position_error) < 1e-6);
    assert_non_null(strstr(answer.message.data, "out of reach: the nearest pose found is"));
    // no configuration of 2000 is nearer
    double q[MOST], nearest = HUGE_VAL;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
      assert_int_equal(mbd_random_configuration(model, seed, q), MBD_OK);
      nearest = fmin(nearest, mbdu_vec3_norm(mbdu_vec3_sub(forward(q).p, X.p)));
    }
    assert_true(left < nearest);
  }
}

// the joint that is held back by its limit is named
static void
test_limit(void ** state)
{
  (void)state;
  // the distance of the wrist from the shoulder takes this angle of the elbow, and its limit is 2.0944
  const double q[MOST] = {0.3, 0.5, 0, 2.4, 0, 1, 0};
  const mbd_placement_t X = forward(q);
  ask_pose("tool", X);
  request.timeout = 0.5;
  call();
  assert_false(answer.success);
  assert_int_equal(answer.status, AT_LIMIT);
  assert_string_equal(answer.limit_joint.data, "a4");
  assert_non_null(strstr(answer.message.data, "'a4' is at its limit"));
  assert_true(fabs(solution(0)[3]) > 2.0943);
}

//---------- requests that make no sense ----------

static void
expect_rejected(const char * text)
{
  call();
  assert_false(answer.success);
  assert_int_equal(answer.status, REJECTED);
  assert_int_equal(answer.position.size, 0);
  assert_int_equal(answer.reached.size, 0);
  assert_int_equal(answer.joint_names.size, 0);
  if (!strstr(answer.message.data, text))
    fail_msg("'%s' instead of '%s'", answer.message.data, text);
}

static void
test_bad_requests(void ** state)
{
  (void)state;
  const mbd_placement_t X = forward(STATES[0][0]);
  expect_rejected("0 poses for 1 frames");
  ask_pose("elbow", X);
  expect_rejected("the robot has no link or frame 'elbow'");
  ask_pose("tool", X);
  request.poses.data[0].position.y = NAN;
  expect_rejected("pose 0: a value is not finite");
  request.poses.data[0].position.y = INFINITY;
  expect_rejected("pose 0: a value is not finite");
  ask_pose("tool", X);
  request.poses.data[0].orientation = (geometry_msgs__msg__Quaternion){0, 0, 0, 0};
  expect_rejected("unit quaternion");
  ask_pose("tool", X);
  request.poses.data[0].orientation.w *= 3;
  expect_rejected("unit quaternion");
  ask_names(&request.frames, 2, (const char *[]){"tool", "flange"});
  expect_rejected("1 poses for 2 frames");
  ask_pose("tool", X);
  ask_names(&request.axes, 1, (const char *[]){"linear"});
  expect_rejected("axes: 'linear' is none of");
  ask_names(&request.axes, 0, NULL);
  request.timeout = -1;
  expect_rejected("timeout must be between 0 and 0.5 s");
  request.timeout = NAN;
  expect_rejected("timeout must be between 0 and 0.5 s");
  request.timeout = 0;
  request.max_solutions = 257;
  expect_rejected("max_solutions must be at most 256");
  request.max_solutions = 0;
  ask_names(&request.joint_names, 1, (const char *[]){"joint9"});
  expect_rejected("the robot has no joint 'joint9'");
  ask_names(&request.joint_names, 1, (const char *[]){"joint2"});
  assert_true(rosidl_runtime_c__double__Sequence__init(&request.position, 1));
  request.position.data[0] = NAN;
  expect_rejected("joint 'joint2': a value is not finite");
  ask_names(&request.joint_names, 0, NULL);
  expect_rejected("1 positions for 0 joints");
  rosidl_runtime_c__double__Sequence__fini(&request.position);
  request.use_swivel = true;
  expect_rejected("swivel needs one full pose of a seven-axis arm");
  request.swivel = NAN;
  expect_rejected("swivel is not finite");
  request.use_swivel = false;
  request.use_current_state = true;
  expect_rejected("no current state: joint_states are missing");
  request.use_current_state = false;
  // after all that
  call();
  assert_true(answer.success);
  assert_true(peer_change_state(&peer, "cleanup"));
  expect_rejected("the node is not configured");
}

// commands go on while a request is solved: each of the joint states that are sent meanwhile has its command
static void
test_beside_control(void ** state)
{
  (void)state;
  // more solutions than there is time for: a sample of the self-motion
  ask_pose("tool", forward(STATES[0][0]));
  request.all = true;
  request.max_solutions = 256;
  request.timeout = 0.5;
  peer_set_state(&peer, STATES[0][0], STATES[0][1]);
  assert_true(peer_change_state(&peer, "activate"));
  peer_bring_up(&peer);
  call();
  assert_true(answer.success);
  peer_stream_start(&peer, 200);
  assert_true(peer_wait(&peer, &peer.commands->count, peer.commands->count + 20, PEER_TIMEOUT));
  double solving = 0;
  const uint64_t before = peer.commands->count;
  // requests until 0.1 s were spent in the solver, however fast the machine
  for (int i = 0; i < 100 && solving < 0.1; i++) {
    call();
    assert_true(answer.solve_time < 5);
    solving += answer.solve_time;
  }
  const uint64_t commands = peer.commands->count - before;
  (void)peer_stream_stop(&peer);
  print_message("%.3f s solving, %llu commands meanwhile\n", solving, (unsigned long long)commands);
  // a part of what came in that time, on a machine that does other things too
  assert_true(solving >= 0.1);
  assert_true((double)commands >= 0.2 * 200 * solving);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_one_solution, set_up_arm7, tear_down),
    cmocka_unit_test_setup_teardown(test_seed, set_up_arm7, tear_down),
    cmocka_unit_test_setup_teardown(test_all_branches, set_up_arm6, tear_down),
    cmocka_unit_test_setup_teardown(test_swivel, set_up_seven_axes, tear_down),
    cmocka_unit_test_setup_teardown(test_some_axes, set_up_arm7, tear_down),
    cmocka_unit_test_setup_teardown(test_out_of_reach, set_up_arm7, tear_down),
    cmocka_unit_test_setup_teardown(test_limit, set_up_seven_axes, tear_down),
    cmocka_unit_test_setup_teardown(test_bad_requests, set_up_arm7, tear_down),
    cmocka_unit_test_setup_teardown(test_beside_control, set_up_arm7, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
