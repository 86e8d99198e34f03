// Supports of a floating base: what the node takes and refuses, and a command under which the quadruped
// stands, by mbd_contact_acceleration of the ground.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/contact.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "nav_msgs/msg/odometry.h"
#include "node_peer.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

#define QUADRUPED MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf"

enum { JOINTS = 12, NV = 18 };

static const char * const FEET[4] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};

static peer_t peer;

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  for (int i = 0; i < JOINTS; i++) peer.limit[i] = 33.5;
  peer_start(
    &peer, (const char *[]){
             "-p", "robot_description_file:=" QUADRUPED, "-p", "base:=floating", PEER_CALM_ARG,
             "-p", "autostart:=false", "-p", "support_frames:=[fl_foot, fr_foot, rl_foot, rr_foot]",
             "-p", "support_radius:=[0.02]", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

//---------- what is refused ----------

static void
refused(const char * reason, const char * part)
{
  if (!strstr(reason, part)) fail_msg("'%s' instead of '%s'", reason, part);
  assert_string_equal(peer_get(&peer, "support_frames"), "[fl_foot, fr_foot, rl_foot, rr_foot]");
}

static void
test_refused(void ** state)
{
  (void)state;
  const double zero[4] = {0}, two[2] = {0.5, 0.5}, line[4] = {0.1, 0.1, -0.1, 0.1};
  static const char * const nine[9] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot", "fl_calf",
                                       "fr_calf", "rl_calf", "rr_calf", "fl_thigh"};
#define FRAMES(n, ...) peer_set_strings(&peer, "support_frames", n, (const char *[]){__VA_ARGS__})
  refused(FRAMES(2, "fl_foot", "nose"), "support_frames: the robot has no link or frame 'nose'");
  refused(FRAMES(2, "fl_foot", "fl_foot"), "duplicate frame 'fl_foot'");
  refused(FRAMES(1, ""), "no link or frame ''");
  refused(peer_set_strings(&peer, "support_frames", 9, nine), "at most 8 frames");
  refused(peer_set_doubles(&peer, "support_friction", 1, zero), "without friction slides away");
  refused(
    peer_set_doubles(&peer, "support_friction", 2, two), "expected 1, or 1 for each of the 4");
  refused(peer_set_doubles(&peer, "support_friction", 1, (const double[]){-0.5}), "between 0 and");
  refused(peer_set_doubles(&peer, "support_radius", 2, two), "support_radius has 2 values");
  refused(peer_set_doubles(&peer, "support_soles", 4, line), "is no area");
  refused(peer_set_doubles(&peer, "support_soles", 3, line), "support_soles has 3 values");
  refused(peer_set_doubles(&peer, "support_normal", 3, zero), "support_normal has zero length");
  refused(peer_set_doubles(&peer, "support_normal", 2, zero), "2 values instead of 3");
  refused(peer_set_bool(&peer, "stay_in_component", true), "not supported with a floating base");
}

// a robot that is bolted stands on nothing
static void
test_fixed_base(void ** state)
{
  (void)state;
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
  peer_start(
    &peer,
    (const char *[]){"-p", "robot_description_file:=" QUADRUPED, "-p", "autostart:=false", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  const char * reason = FRAMES(1, "fl_foot");
  if (!strstr(reason, "the base is fixed; set base to floating")) fail_msg("'%s'", reason);
  assert_string_equal(peer_get(&peer, "support_frames"), "[]");
}

//---------- a robot that stands ----------

typedef struct ground {
  mbd_model_t * model;
  mbd_data_t * data;
  double q[NV + 1];
  rcl_publisher_t * odometry;
  nav_msgs__msg__Odometry base;
} ground_t;

// thighs and calves bent, the feet on the ground
static void
place(ground_t * g)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_placement_t X;
  int foot;
  options.base = MBDX_BASE_FLOATING;
  assert_int_equal(mbdx_urdf_load_file(QUADRUPED, &options, &g->model, NULL), MBD_OK);
  assert_int_equal(g->model->nv, NV);
  assert_int_equal(mbd_data_create(g->model, &g->data), MBD_OK);
  assert_int_equal(mbd_neutral(g->model, g->q), MBD_OK);
  for (int i = 1; i < g->model->nbody; i++) {
    const char * name = g->model->body[i].joint_name;
    const double x = strstr(name, "thigh") ? 0.8 : strstr(name, "calf") ? -1.6 : 0;
    g->q[g->model->body[i].q_index] = x;
  }
  assert_int_equal(mbd_set_position(g->model, g->data, g->q), MBD_OK);
  assert_int_equal(mbd_find_frame(g->model, "fl_foot", &foot), MBD_OK);
  assert_int_equal(mbd_frame_placement(g->model, g->data, foot, &X), MBD_OK);
  g->q[2] = 0.02 - X.p.z;
}

static void
prepare_messages(ground_t * g)
{
  sensor_msgs__msg__JointState * m = &peer.state;
  rosidl_runtime_c__String__Sequence__fini(&m->name);
  rosidl_runtime_c__double__Sequence__fini(&m->position);
  rosidl_runtime_c__double__Sequence__fini(&m->velocity);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->name, JOINTS));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->position, JOINTS));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->velocity, JOINTS));
  for (size_t i = 0; i < JOINTS; i++) {
    const mbd_body_t * body = &g->model->body[i + 1];
    assert_true(rosidl_runtime_c__String__assign(&m->name.data[i], body->joint_name));
    m->position.data[i] = g->q[body->q_index];
    m->velocity.data[i] = 0;
  }
  memset(&g->base, 0, sizeof g->base);
  assert_true(nav_msgs__msg__Odometry__init(&g->base));
  g->base.pose.pose.position.z = g->q[2];
  g->base.pose.pose.orientation.w = 1;
  g->odometry = peer_publisher(&peer, ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry), "odom");
  peer_wait_matched(&peer, g->odometry);
}

static void
publish(ground_t * g)
{
  const int64_t now = peer_clock();
  g->base.header.stamp.sec = (int32_t)(now / 1000000000);
  g->base.header.stamp.nanosec = (uint32_t)(now % 1000000000);
  assert_int_equal(rcl_publish(g->odometry, &g->base, NULL), RCL_RET_OK);
  peer_listen_for(&peer, 5);
  peer_publish_now(&peer);
}

// under the command, on feet with friction; [rad/s^2, m/s^2]
static double
largest_acceleration(ground_t * g)
{
  mbd_contact_t contact[4];
  double tau[NV] = {0}, a[NV], v[NV] = {0}, worst = 0;
  double * work = calloc(mbd_contact_work(g->model, 4), sizeof *work);
  assert_int_equal(peer.ncommand, JOINTS);
  memcpy(tau + 6, peer.command, JOINTS * sizeof *tau);
  assert_int_equal(mbd_set_position(g->model, g->data, g->q), MBD_OK);
  assert_int_equal(mbd_set_velocity(g->model, g->data, v), MBD_OK);
  for (int k = 0; k < 4; k++) {
    mbd_placement_t X;
    contact[k] = mbd_contact_default();
    contact[k].frame_a = MBD_WORLD_BODY;
    assert_int_equal(mbd_find_frame(g->model, FEET[k], &contact[k].frame_b), MBD_OK);
    assert_int_equal(mbd_frame_placement(g->model, g->data, contact[k].frame_b, &X), MBD_OK);
    contact[k].point = X.p;
    contact[k].point.z -= 0.02;
    contact[k].normal = (mbd_vec3_t){0, 0, 1};
    contact[k].friction = 0.8;
  }
  assert_int_equal(
    mbd_contact_acceleration(
      g->model, g->data, tau, NULL, 4, contact, NULL, work, a, NULL, NULL, NULL),
    MBD_OK);
  for (int k = 0; k < NV; k++) worst = fmax(worst, fabs(a[k]));
  free(work);
  return worst;
}

static void
test_stands(void ** state)
{
  (void)state;
  ground_t g;
  memset(&g, 0, sizeof g);
  place(&g);
  prepare_messages(&g);
  assert_true(peer_change_state(&peer, "activate"));
  for (int k = 0; k < 300 && peer.commands->count < 3; k++) publish(&g);
  assert_true(peer.commands->count >= 3);
  assert_true(largest_acceleration(&g) < 1e-6);
  peer_wait_value(&peer, "supports", "4");
  peer_wait_value(&peer, "support_normal_force", "122.164");
  peer_wait_value(&peer, "support_limited", "0");
  // on a steep slope with little friction the feet cannot carry it: said so
  assert_string_equal(peer_set_doubles(&peer, "support_friction", 1, (const double[]){0.1}), "");
  assert_string_equal(
    peer_set_doubles(&peer, "support_normal", 3, (const double[]){0.5, 0, 1}), "");
  for (int k = 0; k < 5; k++) publish(&g);
  peer_logged(&peer, "contact forces within the friction cones could not give the motion");
  // and of three it takes another command
  assert_string_equal(peer_set_doubles(&peer, "support_friction", 1, (const double[]){0.6}), "");
  assert_string_equal(peer_set_doubles(&peer, "support_normal", 3, (const double[]){0, 0, 1}), "");
  assert_string_equal(FRAMES(3, "fl_foot", "fr_foot", "rl_foot"), "");
  for (int k = 0; k < 3; k++) publish(&g);
  peer_wait_value(&peer, "supports", "3");
  nav_msgs__msg__Odometry__fini(&g.base);
  mbd_data_destroy(g.data);
  mbd_model_destroy(g.model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {TEST(test_refused), TEST(test_fixed_base), TEST(test_stands)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
