// The momentum observer: a push that the simulated robot was given is what the node finds.
#include <math.h>

#include "close.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "loop_messages.h"
#include "loop_rig.h"
#include "trajectory_msgs/msg/joint_trajectory.h"

#define WRENCH     ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped)
#define TRAJECTORY ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory)

static rig_t rig;

// at the tool, world axes
static const mbd_force_t PUSH = {{0.4, -0.3, 0.5}, {6, -9, 5}};

//---------- wrenches as they came ----------

enum { WRENCHES = 20000 };

typedef struct wrenches {
  geometry_msgs__msg__WrenchStamped message;  // first: what the listener reads into
  size_t n;
  struct {
    int64_t stamp;
    mbd_force_t f;
  } wrench[WRENCHES];
} wrenches_t;

static wrenches_t wrenches;

static void
take_wrench(peer_t * peer, peer_listener_t * listener)
{
  (void)peer;
  wrenches_t * w = listener->message;
  const geometry_msgs__msg__WrenchStamped * m = &w->message;
  if (w->n == WRENCHES) return;
  assert_string_equal(m->header.frame_id.data, "tool");
  w->wrench[w->n].stamp = (int64_t)m->header.stamp.sec * 1000000000 + m->header.stamp.nanosec;
  w->wrench[w->n].f.lin = mbdu_vec3(m->wrench.force.x, m->wrench.force.y, m->wrench.force.z);
  w->wrench[w->n++].f.ang = mbdu_vec3(m->wrench.torque.x, m->wrench.torque.y, m->wrench.torque.z);
}

//---------- how far off ----------

// of forces and of moments, as a part of the push, from a time on; both in the tool's axes
static void
wrench_error(const track_t * states, int64_t from, mbd_force_t push, double * error)
{
  size_t compared = 0;
  error[0] = error[1] = 0;
  for (size_t i = 0; i < wrenches.n; i++) {
    if (wrenches.wrench[i].stamp < from) continue;
    const sample_t * s = track_find(states, wrenches.wrench[i].stamp);
    if (s == NULL) continue;
    const mbd_placement_t X = rig_placement(&rig, s->q, "tool");
    const mbd_mat3_t to_tool = mbdu_mat3_transpose(&X.R);
    const mbd_force_t found = wrenches.wrench[i].f;
    const mbd_vec3_t f = mbdu_vec3_sub(found.lin, mbdu_mat3_vec(&to_tool, push.lin));
    const mbd_vec3_t m = mbdu_vec3_sub(found.ang, mbdu_mat3_vec(&to_tool, push.ang));
    error[0] = fmax(error[0], mbdu_vec3_norm(f) / mbdu_vec3_norm(PUSH.lin));
    error[1] = fmax(error[1], mbdu_vec3_norm(m) / mbdu_vec3_norm(PUSH.ang));
    compared++;
  }
  assert_true(compared > 10);
}

// of joint torques against J^T f at the position that the message itself has, as a part of J^T f
static double
torque_error(const track_t * external, int64_t from, mbd_force_t push)
{
  double worst = 0;
  for (size_t i = track_after(external, from); i < external->n; i++) {
    const sample_t * s = &external->sample[i];
    double expected[PEER_JOINTS], off = 0, size = 0, whole[PEER_JOINTS];
    rig_push_torque(&rig, s->q, "tool", MBD_LOCAL_WORLD_ALIGNED, push, expected);
    rig_push_torque(&rig, s->q, "tool", MBD_LOCAL_WORLD_ALIGNED, PUSH, whole);
    for (int k = 0; k < PEER_JOINTS; k++) {
      off += pow(s->effort[k] - expected[k], 2);
      size += whole[k] * whole[k];
    }
    worst = larger(worst, sqrt(off / size));
  }
  return worst;
}

// runs until the estimate has settled, and looks at the 0.3 s that follow
// \return the largest of the three errors
static double
look(const track_t * states, const track_t * external, double settle, const char * what, bool push)
{
  const mbd_force_t none = {{0, 0, 0}, {0, 0, 0}}, f = push ? PUSH : none;
  double error[2];
  rig_run(&rig, states, settle + 0.3);
  const int64_t from = track_last(states)->stamp - 300000000;
  wrench_error(states, from, f, error);
  const double torque = torque_error(external, from, f);
  print_message(
    "  %s: force %.2f %%, moment %.2f %%, joint torques %.2f %%\n", what, 100 * error[0],
    100 * error[1], 100 * torque);
  return fmax(fmax(error[0], error[1]), torque);
}

//---------- tests ----------

static void
start(
  const char * const * sim, const char * const * node, const track_t ** states,
  const track_t ** external)
{
  rig_open(&rig, ARM7, false);
  *states = rig_track(&rig, "/joint_states");
  *external = rig_track(&rig, "/mbdyn/external_torque");
  wrenches.n = 0;
  assert_true(geometry_msgs__msg__WrenchStamped__init(&wrenches.message));
  peer_listen(&rig.peer, WRENCH, "/mbdyn/external_wrench", &wrenches)->on_message = take_wrench;
  rig_start_sim(&rig, sim);
  rig_start_node(&rig, node);
  rig_released(&rig, *states);
  rig_wait(&rig, *external, 1);
}

static void
stop(const track_t * states, double * stall)
{
  *stall = track_stall(states, track_after(states, track_last(states)->stamp - 600000000));
  rig_close(&rig);
  geometry_msgs__msg__WrenchStamped__fini(&wrenches.message);
}

#define SIM(...) ARGS(SIM_ARM7_ARG, SIM_CLOCK_ARG, "-p", "friction:=false", "-p", __VA_ARGS__)
// on simulated time: what a push does in a step must not count for longer than that
#define OBSERVER                                                                           \
  NODE_ARG, NODE_CLOCK_ARG, "-p", "friction:=false", "-p", "frames:=[flange, tool]", "-p", \
    "observer_frame:=tool", "-p", "publish.external_torque:=1", "-p", "publish.external_wrench:=1"

#define TRACKING "-p", "mode:=computed_torque", "-p", "kp:=[225.0]", "-p", "kd:=[30.0]"

// at rest: the push is balanced by the motors, and taken off again
static double
push_at_rest(double * stall)
{
  const track_t *states, *external;
  start(SIM("real_time_factor:=1.0"), ARGS(OBSERVER, TRACKING), &states, &external);
  call_push(&rig, "/robot", "tool", PUSH, -1);
  double worst = look(states, external, 1, "measured torques", true);
  assert_string_equal(peer_set_string(&rig.peer, "observer_source", "command"), "");
  worst = fmax(worst, look(states, external, 0.7, "sent torques", true));
  call_push(&rig, "/robot", "tool", PUSH, 0);
  worst = fmax(worst, look(states, external, 0.7, "let go", false));
  stop(states, stall);
  return worst;
}

static void
push_on_a_resting_arm_is_found(void ** state)
{
  (void)state;
  assert_true(rig_attempts(push_at_rest, 0.05) < 0.05);
}

// to and fro, up to a radian per second
static void
motion(double t, double * q, double * v, double * a)
{
  static const double from[PEER_JOINTS] = ARM7_START;
  const double w = 4;
  for (int i = 0; i < PEER_JOINTS; i++) {
    const double amplitude = i % 2 ? 0.25 : -0.25;
    q[i] = from[i] + amplitude * (1 - cos(w * t));
    v[i] = amplitude * w * sin(w * t);
    a[i] = amplitude * w * w * cos(w * t);
  }
}

static double
push_in_motion(double * stall)
{
  const track_t *states, *external;
  start(
    SIM("real_time_factor:=0.5"), ARGS(OBSERVER, TRACKING, "-p", "observer_gain:=200.0"), &states,
    &external);
  rcl_publisher_t * trajectories = peer_publisher(&rig.peer, TRAJECTORY, "/mbdyn/joint_trajectory");
  call_push(&rig, "/robot", "tool", PUSH, -1);
  send_trajectory(&rig, trajectories, motion, track_last(states)->stamp, 3, 61);
  const double worst = look(states, external, 0.7, "moving", true);
  assert_true(fabs(track_last(states)->v[0]) + fabs(track_last(states)->v[1]) > 0.2);
  stop(states, stall);
  return worst;
}

static void
push_on_a_moving_arm_is_found(void ** state)
{
  (void)state;
  assert_true(rig_attempts(push_in_motion, 0.05) < 0.05);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(push_on_a_resting_arm_is_found, rig_kill),
    cmocka_unit_test_teardown(push_on_a_moving_arm_is_found, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
