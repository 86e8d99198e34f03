// ~/markers for rviz: off unless asked for; centre of mass, external force and ellipsoid against the core.
#include <signal.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "visualization_msgs/msg/marker.h"
#include "visualization_msgs/msg/marker_array.h"

enum { N = PEER_JOINTS };

static const double REST[N] = {0};
static const double FORCE[3] = {12, -5, 8};  // on the tool, world axes [N]

static peer_t peer;
static core_t core;
static visualization_msgs__msg__MarkerArray markers;
static peer_listener_t * listener;
static int tool;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  core_open(&core);
  assert_int_equal(mbd_find_frame(core.model, "tool", &tool), MBD_OK);
  assert_true(visualization_msgs__msg__MarkerArray__init(&markers));
  listener = peer_listen(
    &peer, ROSIDL_GET_MSG_TYPE_SUPPORT(visualization_msgs, msg, MarkerArray), "/mbdyn/markers",
    &markers);
  // efforts that hold the arm against gravity and that force
  double effort[N], pushed[N];
  core_gravity(&core, STATES[0][0], effort);
  const mbd_wrench_t w = {
    tool, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {FORCE[0], FORCE[1], FORCE[2]}}};
  assert_int_equal(
    mbd_jacobian_transpose_product(core.model, core.data, &(mbd_wrenches_t){1, &w}, pushed),
    MBD_OK);
  for (int k = 0; k < N; k++) effort[k] -= pushed[k];
  peer_set_state(&peer, STATES[0][0], REST);
  assert_true(rosidl_runtime_c__double__Sequence__init(&peer.state.effort, N));
  memcpy(peer.state.effort.data, effort, sizeof effort);
  peer_start(
    &peer, (const char *[]){
             PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "frames:=[tool]", "-p", "observer_frame:=tool",
             "-p", "observer_source:=measured", NULL});
  peer_bring_up(&peer);
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  core_close(&core);
  peer_close(&peer);
  visualization_msgs__msg__MarkerArray__fini(&markers);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

static void
publish_for(int milliseconds)
{
  const int64_t end = now_ns() + milliseconds * INT64_C(1000000);
  while (now_ns() < end) {
    peer_publish_now(&peer);
    peer_listen_for(&peer, 2);
  }
}

static void
check_point(geometry_msgs__msg__Point p, mbd_vec3_t q, double tolerance)
{
  assert_true(fabs(p.x - q.x) < tolerance && fabs(p.y - q.y) < tolerance);
  assert_true(fabs(p.z - q.z) < tolerance);
}

// semi-axes in their directions: |J^T u|, and nothing between two of them
static void
check_ellipsoid(const visualization_msgs__msg__Marker * m)
{
  double J[6 * N], u[3][3];
  assert_int_equal(mbd_jacobian(core.model, core.data, tool, MBD_LOCAL_WORLD_ALIGNED, J), MBD_OK);
  const geometry_msgs__msg__Quaternion r = m->pose.orientation;
  const mbd_mat3_t R = mbdu_quat_to_mat3((mbd_quat_t){r.x, r.y, r.z, r.w});
  const double diameter[3] = {m->scale.x, m->scale.y, m->scale.z};
  double t[3][N];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) u[k][i] = R.m[3 * i + k];
    for (int j = 0; j < N; j++) {
      t[k][j] = 0;
      for (int i = 0; i < 3; i++) t[k][j] += J[(3 + i) * N + j] * u[k][i];
    }
  }
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) {
      double dot = 0;
      for (int j = 0; j < N; j++) dot += t[k][j] * t[l][j];
      const double wanted = k == l ? 0.25 * diameter[k] * diameter[k] / (0.2 * 0.2) : 0;
      assert_true(fabs(dot - wanted) < 1e-9);
    }
  }
  assert_true(diameter[0] > 0.02 && diameter[1] > 0.02 && diameter[2] > 0.02);
}

static void
shapes_are_right(void ** state)
{
  (void)state;
  publish_for(300);
  assert_int_equal(listener->count, 0);
  assert_string_equal(peer_set_bool(&peer, "publish.markers", true), "");
  publish_for(2500);
  assert_true(listener->count > 20);
  assert_int_equal(markers.markers.size, 3);
  const visualization_msgs__msg__Marker * m = markers.markers.data;
  double mass;
  mbd_vec3_t com;
  mbd_placement_t X;
  core_set(&core, STATES[0][0], REST);
  assert_int_equal(mbd_center_of_mass(core.model, core.data, &mass, &com), MBD_OK);
  assert_int_equal(mbd_frame_placement(core.model, core.data, tool, &X), MBD_OK);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(m[i].header.frame_id.data, "base");
    assert_int_equal(m[i].action, visualization_msgs__msg__Marker__ADD);
    assert_int_equal(m[i].id, i);
  }
  check_point(m[0].pose.position, com, 1e-12);
  assert_int_equal(m[1].type, visualization_msgs__msg__Marker__ARROW);
  check_point(m[1].points.data[0], X.p, 1e-12);
  const mbd_vec3_t tip = {
    X.p.x + 0.01 * FORCE[0], X.p.y + 0.01 * FORCE[1], X.p.z + 0.01 * FORCE[2]};
  check_point(m[1].points.data[1], tip, 1e-4);
  check_point(m[2].pose.position, X.p, 1e-12);
  check_ellipsoid(&m[2]);
  // without an observer there is no force to be shown
  assert_string_equal(peer_set_bool(&peer, "observer", false), "");
  publish_for(300);
  assert_int_equal(m[1].action, visualization_msgs__msg__Marker__DELETE);
  assert_string_equal(peer_set_bool(&peer, "publish.markers", false), "");
  publish_for(100);
  const uint64_t before = listener->count;
  publish_for(300);
  assert_int_equal(listener->count, before);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(shapes_are_right, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
