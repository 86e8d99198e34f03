// Operational space: the tool goes along a line, and keeps its orientation.
#include <math.h>

#include "geometry_msgs/msg/pose_stamped.h"
#include "geometry_msgs/msg/twist_stamped.h"
#include "loop_messages.h"
#include "loop_rig.h"

#define TYPE(name) ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, name)

static rig_t rig;

static const double LENGTH = 0.1, DURATION = 1.5;
static const double START[PEER_JOINTS] = ARM7_START;

static mbd_vec3_t
direction(void)
{
  const mbd_vec3_t d = {0.5, 0.7, -0.4};
  return mbdu_vec3_scale(1 / mbdu_vec3_norm(d), d);
}

// how far along the line, and how fast: from rest to rest, a polynomial of fifth degree
static double
along(double t, double * speed)
{
  const double s = fmin(fmax(t / DURATION, 0), 1);
  *speed = LENGTH / DURATION * 30 * s * s * (1 - s) * (1 - s);
  return LENGTH * s * s * s * (10 - 15 * s + 6 * s * s);
}

static double
angle_between(const mbd_mat3_t * a, const mbd_mat3_t * b)
{
  const mbd_mat3_t inverse = mbdu_mat3_transpose(a);
  const mbd_mat3_t turn = mbdu_mat3_mul(b, &inverse);
  return mbdu_vec3_norm(mbdu_quat_log(mbdu_quat_from_mat3(&turn)));
}

typedef struct deviation {
  double across, lag, turn;  // [m, m, rad], the largest
} deviation_t;

// of the tool at the stamps of joint states, from the start of the line on
static deviation_t
deviation_of(const track_t * states, const mbd_placement_t * X0, int64_t start)
{
  deviation_t most = {0, 0, 0};
  for (size_t i = track_after(states, start); i < states->n; i++) {
    const sample_t * s = &states->sample[i];
    double speed;
    const double wanted = along(1e-9 * (double)(s->stamp - start), &speed);
    const mbd_placement_t X = rig_placement(&rig, s->q, "tool");
    const mbd_vec3_t displacement = mbdu_vec3_sub(X.p, X0->p);
    const double gone = mbdu_vec3_dot(displacement, direction());
    const mbd_vec3_t across = mbdu_vec3_sub(displacement, mbdu_vec3_scale(gone, direction()));
    most.across = fmax(most.across, mbdu_vec3_norm(across));
    most.lag = fmax(most.lag, fabs(gone - wanted));
    most.turn = fmax(most.turn, angle_between(&X0->R, &X.R));
  }
  return most;
}

// pose and twist at 200 Hz, from now to a while after the end
static int64_t
stream_line(rcl_publisher_t * poses, rcl_publisher_t * twists, const mbd_placement_t * X0)
{
  const int64_t start = peer_clock(), end = start + (int64_t)(1e9 * (DURATION + 0.5));
  for (int64_t next = start; next < end; next += 5000000) {
    while (peer_clock() < next) peer_spin(&rig.peer, 1);
    double speed;
    const double s = along(1e-9 * (double)(peer_clock() - start), &speed);
    const mbd_placement_t X = {X0->R, mbdu_vec3_add(X0->p, mbdu_vec3_scale(s, direction()))};
    const mbd_motion_t V = {{0, 0, 0}, mbdu_vec3_scale(speed, direction())};
    send_pose(poses, "base", &X);
    send_twist(twists, "base", V);
  }
  return start;
}

// a pose in the tool's own axes is where the tool is when it comes
static void
step_along_tool(const track_t * states, rcl_publisher_t * poses)
{
  const mbd_placement_t before = rig_placement(&rig, track_last(states)->q, "tool");
  mbd_placement_t step = mbdu_placement_identity();
  step.p = mbdu_vec3(0, 0.01, 0.03);
  send_pose(poses, "tool", &step);
  rig_run(&rig, states, 1);
  const mbd_placement_t X = rig_placement(&rig, track_last(states)->q, "tool");
  const mbd_placement_t wanted = mbdu_placement_mul(&before, &step);
  const double off = mbdu_vec3_norm(mbdu_vec3_sub(X.p, wanted.p));
  print_message("  a step of the tool: %.3g m off\n", off);
  assert_true(off < 1e-3);
  assert_true(angle_between(&X.R, &wanted.R) < 5e-3);
}

// bounds of what follows, and what came out as a part of them: the worst counts
static double
worst_part(const deviation_t * off, double rest)
{
  print_message(
    "  %.3g mm across, %.3g mm along, %.3g mrad; %.3g mm off at its end\n", 1e3 * off->across,
    1e3 * off->lag, 1e3 * off->turn, 1e3 * rest);
  return fmax(fmax(off->across / 2e-3, off->lag / 5e-3), fmax(off->turn / 5e-3, rest / 2e-4));
}

static double
follow_line(double * stall)
{
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rcl_publisher_t * poses = peer_publisher(&rig.peer, TYPE(PoseStamped), "/mbdyn/target_pose");
  rcl_publisher_t * twists = peer_publisher(&rig.peer, TYPE(TwistStamped), "/mbdyn/target_twist");
  rig_start_sim(&rig, ARGS(SIM_ARM7_ARG, "-p", "friction:=false"));
  rig_start_node(
    &rig, ARGS(NODE_ARG, "-p", "mode:=operational_space", "-p", "operational_frame:=tool"));
  rig_released(&rig, states);
  peer_wait_matched(&rig.peer, poses);
  peer_wait_matched(&rig.peer, twists);
  const mbd_placement_t X0 = rig_placement(&rig, START, "tool");
  const int64_t start = stream_line(poses, twists, &X0);
  const deviation_t off = deviation_of(states, &X0, start);
  *stall = track_stall(states, track_after(states, start));
  // at rest nothing depends on how fast the machine is
  const mbd_placement_t end = rig_placement(&rig, track_last(states)->q, "tool");
  const mbd_vec3_t wanted = mbdu_vec3_add(X0.p, mbdu_vec3_scale(LENGTH, direction()));
  const double part = worst_part(&off, mbdu_vec3_norm(mbdu_vec3_sub(end.p, wanted)));
  step_along_tool(states, poses);
  rig_close(&rig);
  return part;
}

static void
tool_goes_along_a_line(void ** state)
{
  (void)state;
  assert_true(rig_attempts(follow_line, 1) < 1);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(tool_goes_along_a_line, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
