// A quadruped on a free base: odometry and joint states together are the state.
#include <math.h>
#include <string.h>

#include "dense_oracle.h"
#include "loop_messages.h"
#include "loop_rig.h"
#include "mbdyn/msg/mass_matrix.h"
#include "nav_msgs/msg/odometry.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

#define ODOMETRY    ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry)
#define MASS_MATRIX ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, MassMatrix)

enum { LEGS = 12, NQ = 7 + LEGS, NV = 6 + LEGS };

static rig_t rig;

static const mbd_vec3_t EARTH = {0, 0, -9.81};

static void
open_rig(void)
{
  rig_open(&rig, QUADRUPED, true);
  assert_int_equal(rig.model->nq, NQ);
  assert_int_equal(rig.model->nv, NV);
  for (int i = 0; i < LEGS; i++) rig.peer.limit[i] = 33.5;
}

// gravity, and Coriolis with gravity, by full matrices
static void
torques_at(const double * q, const double * v, double * gravity, double * bias)
{
  const dense_t dense = dense_at(rig.model, NULL, q, v, EARTH);
  const mat_t g = dense_gravity(&dense), h = dense_bias(&dense);
  for (int k = 0; k < NV; k++) gravity[k] = *at(g, k, 0), bias[k] = *at(h, k, 0);
  mats_free();
}

//---------- a state of the test's own ----------

static void
fill_joints(sensor_msgs__msg__JointState * m, const double * q, const double * v)
{
  rosidl_runtime_c__String__Sequence__fini(&m->name);
  rosidl_runtime_c__double__Sequence__fini(&m->position);
  rosidl_runtime_c__double__Sequence__fini(&m->velocity);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->name, LEGS));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->position, LEGS));
  assert_true(rosidl_runtime_c__double__Sequence__init(&m->velocity, LEGS));
  // last joint first
  for (int i = 1; i < rig.model->nbody; i++) {
    const mbd_body_t * body = &rig.model->body[i];
    const int to = LEGS - i;
    assert_true(rosidl_runtime_c__String__assign(&m->name.data[to], body->joint_name));
    m->position.data[to] = q[body->q_index];
    m->velocity.data[to] = v[body->v_index];
  }
}

static void
fill_base(nav_msgs__msg__Odometry * m, const double * q, const double * v)
{
  geometry_msgs__msg__Pose * pose = &m->pose.pose;
  pose->position = (geometry_msgs__msg__Point){q[0], q[1], q[2]};
  pose->orientation = (geometry_msgs__msg__Quaternion){q[3], q[4], q[5], q[6]};
  m->twist.twist.linear = (geometry_msgs__msg__Vector3){v[0], v[1], v[2]};
  m->twist.twist.angular = (geometry_msgs__msg__Vector3){v[3], v[4], v[5]};
}

// a crouching robot that tumbles
static void
some_state(double * q, double * v)
{
  const mbd_quat_t turn = mbdu_quat_normalize((mbd_quat_t){0.3, -0.5, 0.2, 0.7});
  const double base[7] = {0.4, -0.2, 0.6, turn.x, turn.y, turn.z, turn.w};
  memcpy(q, base, sizeof base);
  for (int i = 0; i < LEGS; i++) {
    q[7 + i] = (i % 3 == 0 ? 0.1 : i % 3 == 1 ? 0.8 : -1.6) + 0.03 * i;
    v[6 + i] = 1.5 * sin(1 + i);
  }
  for (int i = 0; i < 6; i++) v[i] = cos(2 + i);
}

static void
send_state(rcl_publisher_t * odometry, nav_msgs__msg__Odometry * base)
{
  peer_stamp(&rig.peer, peer_clock());
  base->header.stamp = rig.peer.state.header.stamp;
  OK(rcl_publish(odometry, base, NULL));
  peer_publish(&rig.peer);
  peer_spin(&rig.peer, 10);
}

static void
check_mass_matrix(const mbdyn__msg__MassMatrix * m, const double * q)
{
  const dense_t dense = dense_at(rig.model, NULL, q, NULL, EARTH);
  const mat_t M = dense_mass(&dense);
  assert_int_equal(m->rows, NV);
  assert_int_equal(m->cols, NV);
  assert_int_equal(m->data.size, NV * NV);
  assert_string_equal(m->row_names.data[0].data, "root_joint.vx");
  assert_string_equal(m->row_names.data[5].data, "root_joint.wz");
  assert_string_equal(m->row_names.data[6].data, rig.model->body[1].joint_name);
  assert_close(m->data.data, M.a, NV * NV, 1e-12, "mass matrix");
  mats_free();
}

static void
torques_and_mass_matrix_are_of_the_whole_state(void ** state)
{
  (void)state;
  double q[NQ], v[NV], gravity[NV], expected[NV], friction[NV];
  nav_msgs__msg__Odometry base;
  mbdyn__msg__MassMatrix matrix;
  open_rig();
  assert_true(nav_msgs__msg__Odometry__init(&base));
  assert_true(mbdyn__msg__MassMatrix__init(&matrix));
  const track_t * torques = rig_track(&rig, "/mbdyn/torques");
  const track_t * terms = rig_track(&rig, "/mbdyn/torques/gravity");
  const peer_listener_t * matrices =
    peer_listen(&rig.peer, MASS_MATRIX, "/mbdyn/mass_matrix", &matrix);
  rcl_publisher_t * odometry = peer_publisher(&rig.peer, ODOMETRY, "/odom");
  rig_start_node(
    &rig, ARGS(
            NODE_ARG, "-p", "base:=floating", "-p", "robot_description_file:=" QUADRUPED, "-p",
            "publish.terms:=1"));
  some_state(q, v);
  fill_joints(&rig.peer.state, q, v);
  fill_base(&base, q, v);
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while ((torques->n < 50 || terms->n < 1 || matrices->count < 3) && now_ns() < end)
    send_state(odometry, &base);
  assert_true(torques->n >= 50 && terms->n >= 1 && matrices->count >= 3);

  torques_at(q, v, gravity, expected);
  assert_ok(mbd_friction(rig.model, v, friction));
  for (int k = 0; k < NV; k++) expected[k] += friction[k];
  assert_close(track_last(torques)->effort, expected, NV, 1e-9, "torques");
  check_mass_matrix(&matrix, q);
  assert_int_equal(rig.peer.ncommand, LEGS);
  assert_close(rig.peer.command, gravity + 6, LEGS, 1e-9, "command");

  // what carries the base is the weight of all, in its own axes
  const mbd_mat3_t R = mbdu_quat_to_mat3((mbd_quat_t){q[3], q[4], q[5], q[6]});
  const mbd_mat3_t to_base = mbdu_mat3_transpose(&R);
  const mbd_vec3_t weight = mbdu_mat3_vec(&to_base, mbdu_vec3_scale(-rig.model->mass, EARTH));
  const double carried[3] = {weight.x, weight.y, weight.z};
  assert_close(track_last(terms)->effort, carried, 3, 1e-9, "weight");
  rig_close(&rig);
  nav_msgs__msg__Odometry__fini(&base);
  mbdyn__msg__MassMatrix__fini(&matrix);
}

//---------- in the loop ----------

enum { BASES = 16384, FARTHEST = 200 };

typedef struct bases {
  nav_msgs__msg__Odometry message;  // first: what the listener reads into
  size_t n;
  struct {
    int64_t stamp;
    double q[7], v[6];
  } base[BASES];
} bases_t;

static bases_t bases;

static void
take_base(peer_t * peer, peer_listener_t * listener)
{
  (void)peer;
  bases_t * b = listener->message;
  const nav_msgs__msg__Odometry * m = &b->message;
  const geometry_msgs__msg__Pose * pose = &m->pose.pose;
  const geometry_msgs__msg__Twist * twist = &m->twist.twist;
  if (b->n == BASES) return;
  const double q[7] = {pose->position.x,    pose->position.y,    pose->position.z,
                       pose->orientation.x, pose->orientation.y, pose->orientation.z,
                       pose->orientation.w};
  const double v[6] = {twist->linear.x,  twist->linear.y,  twist->linear.z,
                       twist->angular.x, twist->angular.y, twist->angular.z};
  b->base[b->n].stamp = (int64_t)m->header.stamp.sec * 1000000000 + m->header.stamp.nanosec;
  memcpy(b->base[b->n].q, q, sizeof q);
  memcpy(b->base[b->n++].v, v, sizeof v);
}

static double
largest_difference(const double * a, const double * b)
{
  double most = 0;
  for (int k = 0; k < NV; k++) most = larger(most, fabs(a[k] - b[k]));
  return most;
}

// does a base fit the torques of a message, with the joints that the message has?
static bool
fits(size_t base, const sample_t * gravity, const sample_t * coriolis)
{
  double q[NQ], v[NV], g[NV], h[NV];
  memcpy(q, bases.base[base].q, sizeof bases.base[base].q);
  memcpy(v, bases.base[base].v, sizeof bases.base[base].v);
  memcpy(q + 7, gravity->q + 6, LEGS * sizeof *q);
  memcpy(v + 6, gravity->v + 6, LEGS * sizeof *v);
  torques_at(q, v, g, h);
  for (int k = 0; k < NV; k++) h[k] -= g[k];
  return largest_difference(g, gravity->effort) < 1e-9 &&
         largest_difference(h, coriolis->effort) < 1e-9;
}

// how many steps away from its joints the base is that a message was computed from; -1: no base fits
static int
distance_of_base(const sample_t * gravity, const sample_t * coriolis)
{
  size_t same = bases.n;
  while (same > 0 && bases.base[same - 1].stamp > gravity->stamp) same--;
  for (size_t k = 0; k < FARTHEST; k++) {
    if (same > k && fits(same - 1 - k, gravity, coriolis)) return (int)k;
    if (same + k < bases.n && fits(same + k, gravity, coriolis)) return (int)k + 1;
  }
  return -1;
}

static void
falling_robot_is_computed_from_odometry(void ** state)
{
  (void)state;
  open_rig();
  bases.n = 0;
  assert_true(nav_msgs__msg__Odometry__init(&bases.message));
  const track_t * states = rig_track(&rig, "/joint_states");
  const track_t * gravity = rig_track(&rig, "/mbdyn/torques/gravity");
  const track_t * coriolis = rig_track(&rig, "/mbdyn/torques/coriolis");
  peer_listen(&rig.peer, ODOMETRY, "/odom", &bases)->on_message = take_base;
  rig_start_sim(
    &rig, ARGS(
            SIM_ARG, "-p", "robot_description_file:=" QUADRUPED, "-p", "base:=floating", "-p",
            "integrator:=rk4", "-p", "friction:=false"));
  rig_start_node(&rig, ARGS(NODE_ARG, "-p", "base:=floating", "-p", "publish.terms:=1"));
  rig_released(&rig, states);
  call_push(&rig, "/robot", "base_link", (mbd_force_t){{1, 2, -0.5}, {3, 0, 0}}, 0.3);
  rig_run(&rig, states, 1);

  int same = 0, next = 0, compared = 0;
  for (size_t i = gravity->n > 800 ? gravity->n - 800 : 0; i < gravity->n; i += 10) {
    const sample_t * c = track_find(coriolis, gravity->sample[i].stamp);
    if (c == NULL) continue;
    const int steps = distance_of_base(&gravity->sample[i], c);
    if (steps < 0) fail_msg("no base fits the torques of sample %zu", i);
    same += steps == 0;
    next += steps == 1;
    compared++;
  }
  const double * q = bases.base[bases.n - 1].q;
  print_message(
    "  fell to %.2f m, turned to w = %.2f; base as old as joints: %d of %d, a step away: %d\n",
    q[2], q[6], same, compared, next);
  rig_close(&rig);
  nav_msgs__msg__Odometry__fini(&bases.message);
  assert_true(compared > 5);
  assert_true(q[2] < -1 && fabs(q[6]) < 0.99);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(torques_and_mass_matrix_are_of_the_whole_state, rig_kill),
    cmocka_unit_test_teardown(falling_robot_is_computed_from_odometry, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
