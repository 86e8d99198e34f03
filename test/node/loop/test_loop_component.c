// Singularities in the closed loop: ~/singularity and /diagnostics of a robot that moves, and
// stay_in_component: a pose for which the wrist would have to turn over crosses without it, and holds with it.
//
// Oracle: wrist_2 of arm6 is singular at zero, and the robot is on the side that the sign of its sine says; the
// reciprocal condition number by eigenvalues of J J^T.
#include <math.h>
#include <string.h>

#include "geometry_msgs/msg/pose_stamped.h"
#include "loop_messages.h"
#include "loop_rig.h"
#include "matrix.h"
#include "mbdyn/msg/singularity.h"

enum { N = 6, WRIST = 4 };

static rig_t rig;
static mbdyn__msg__Singularity message;

static const double HOME[N] = {0.3, -1.2, 1.5, -0.8, 0.7, 0.4};
#define HOME_ARG "initial_positions:=[0.3, -1.2, 1.5, -0.8, 0.7, 0.4]"

static mbd_placement_t
pose_of(double wrist)
{
  double q[N];
  memcpy(q, HOME, sizeof q);
  q[WRIST] = wrist;
  return rig_placement(&rig, q, "tool");
}

// smallest by largest singular value of the tool's Jacobian, and the row that the smallest one takes; the length
// is what the links measure between joints, by three
static double
conditioned(const double * q, int * row)
{
  const double length =
    (0.089159 + 0.425 + 0.39225 + 0.10915 + 0.09465 + 0.0823 + 0.15) / 3;  // pan to lift, ..., tool
  double J[6 * N];
  rig_at(&rig, q, NULL);
  assert_ok(mbd_jacobian(rig.model, rig.data, rig_frame(&rig, "tool"), MBD_LOCAL_WORLD_ALIGNED, J));
  for (int k = 0; k < 3 * N; k++) J[3 * N + k] /= length;
  const mat_t A = PROD(mat_from(6, N, J), tr(mat_from(6, N, J))), inverted = inverse(A);
  const double low = smallest_eigenvalue(A), high = -smallest_eigenvalue(scale(-1, A));
  mat_t x = column(6, (const double[]){1, 0.9, 0.8, 0.7, 0.6, 0.5});
  for (int k = 0; k < 200; k++) {
    x = PROD(inverted, x);
    x = scale(1 / largest_entry(x), x);
  }
  // angular first in the core
  for (int k = 0; k < 6; k++) {
    if (fabs(*at(x, k, 0)) > 1 - 1e-12) *row = (k + 3) % 6;
  }
  mats_free();
  return sqrt(low / high);
}

static int
nearest_joint(const double * q)
{
  const double step = 1e-5;
  double moved[N], most = 0;
  int none, joint = -1;
  const double here = conditioned(q, &none);
  for (int k = 0; k < N; k++) {
    memcpy(moved, q, sizeof moved);
    moved[k] += step;
    const double rate = fabs(conditioned(moved, &none) - here) / step;
    if (rate > most) most = rate, joint = k;
  }
  return joint;
}

// the newest message, against the joint state that it was computed from
static void
check_message(const track_t * states, bool held)
{
  const mbdyn__msg__Singularity * m = &message;
  const int64_t stamp = m->header.stamp.sec * 1000000000ll + m->header.stamp.nanosec;
  const sample_t * s = track_find(states, stamp);
  int row = -1;
  assert_non_null(s);
  const double here = conditioned(s->q, &row);
  assert_string_equal(m->header.frame_id.data, "base");
  assert_int_equal(m->joint_names.size, N);
  assert_string_equal(m->joint_names.data[WRIST].data, "wrist_2");
  assert_int_equal(m->frames.size, 1);
  assert_string_equal(m->frames.data[0].data, "tool");
  assert_true(fabs(m->reciprocal_condition.data[0] - here) < 1e-9);
  assert_int_equal(m->nearest_joint.data[0], nearest_joint(s->q));
  assert_int_equal(m->nearest_row.data[0], row);
  assert_int_equal(abs(m->sign.data[0]), 1);
  assert_int_equal(m->component, m->sign.data[0] > 0);
  assert_int_equal(m->held, held);
}

static bool
crossed(const track_t * states, size_t from)
{
  for (size_t i = from; i < states->n; i++) {
    if (!(sin(states->sample[i].q[WRIST]) > 0)) return true;
  }
  return false;
}

// until a report says so
static void
wait_report(const char * text, uint8_t level)
{
  const diagnostic_msgs__msg__DiagnosticArray * report = &rig.peer.report;
  for (int k = 0; k < 5; k++) {
    peer_wait_report(&rig.peer);
    const diagnostic_msgs__msg__DiagnosticStatus * s = &report->status.data[0];
    if (strcmp(s->message.data, text) == 0 && s->level == level) return;
  }
  fail_msg(
    "no report of '%s', but of '%s'", text,
    report->status.size ? report->status.data[0].message.data : "");
}

static void
open_robot(const char * stay)
{
  rig_open(&rig, ARM6, false);
  rig_start_sim(
    &rig,
    ARGS(SIM_ARG, "-p", "robot_description_file:=" ARM6, "-p", HOME_ARG, "-p", "friction:=false"));
  rig_start_node(
    &rig, ARGS(
            NODE_ARG, "-p", "mode:=operational_space", "-p", "operational_frame:=tool", "-p",
            "publish.singularity:=1", "-p", stay));
}

static void
poses_beyond_a_singularity_are_held(void ** state)
{
  (void)state;
  for (int stay = 0; stay < 2; stay++) {
    open_robot(stay ? "stay_in_component:=true" : "stay_in_component:=false");
    const track_t * states = rig_track(&rig, "/joint_states");
    peer_listener_t * listener = peer_listen(
      &rig.peer, ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, Singularity), "/mbdyn/singularity",
      &message);
    rcl_publisher_t * poses = peer_publisher(
      &rig.peer, ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, PoseStamped),
      "/mbdyn/target_pose");
    const size_t begin = rig_released(&rig, states);
    peer_wait_matched(&rig.peer, poses);
    peer_wait(&rig.peer, &listener->count, 1, 5000);
    check_message(states, false);
    const int sign = message.sign.data[0];
    if (!stay) {
      assert_string_equal(peer_set_double(&rig.peer, "singularity_warning", 1), "");
      wait_report("near a singularity", diagnostic_msgs__msg__DiagnosticStatus__WARN);
      assert_string_equal(peer_set_double(&rig.peer, "singularity_warning", 0), "");
      wait_report("active", diagnostic_msgs__msg__DiagnosticStatus__OK);
    }

    const mbd_placement_t over = pose_of(-0.5), home = pose_of(HOME[WRIST]);
    send_pose(poses, "base", &over);
    rig_run(&rig, states, 3);
    assert_int_equal(crossed(states, begin), !stay);
    check_message(states, stay);
    assert_int_equal(message.sign.data[0], stay ? sign : -sign);
    if (stay) {
      assert_true(message.holds >= 1 && fabs(track_last(states)->v[WRIST]) < 1e-3);
      peer_logged(&rig.peer, "WARN holding position: the command leads across a singularity");
      peer_wait_value(&rig.peer, "held", "true");
      send_pose(poses, "base", &home);
      rig_run(&rig, states, 3);
      assert_false(crossed(states, begin));
      check_message(states, false);
      peer_wait_value(&rig.peer, "held", "false");
      const mbd_placement_t X = rig_placement(&rig, track_last(states)->q, "tool");
      assert_true(mbdu_vec3_norm(mbdu_vec3_sub(X.p, home.p)) < 2e-3);
    }
    rig_close(&rig);
    mbdyn__msg__Singularity__fini(&message);
    memset(&message, 0, sizeof message);
  }
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(poses_beyond_a_singularity_are_held, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
