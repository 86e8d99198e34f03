// Gravity compensation holds a released arm: upright, tilted, and not where the node is told wrong.
#include "geometry_msgs/msg/vector3_stamped.h"
#include "loop_messages.h"
#include "loop_rig.h"

#define VECTOR ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, Vector3Stamped)

static rig_t rig;

static const mbd_vec3_t EARTH = {0, 0, -9.81};

// for whoever reads it: how long things take is not tested
static void
print_times(void)
{
  static const char * const keys[] = {"input_rate_hz",  "input_age_p50_us", "input_age_p99_us",
                                      "compute_p50_us", "compute_p99_us",   "cycle_p99_us"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    const char * value = peer_value(&rig.peer, keys[i]);
    print_message("  %s %s%s", keys[i], value ? value : "-", i % 3 == 2 ? "\n" : "");
  }
}

// released from the sim's brakes, for some seconds; the largest way of a joint
static double
drift_of(const char * const * sim, const char * const * node, double seconds)
{
  rig_open(&rig, ARM7, false);
  track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(&rig, sim);
  rig_start_node(&rig, node);
  const size_t released = rig_released(&rig, states);
  rig_run_to(&rig, states, states->sample[released].stamp + (int64_t)(1e9 * seconds));
  const double drift = track_drift(states, released);
  assert_driven(states, released);
  print_message("  drift %.3g rad in %g s\n", drift, seconds);
  if (seconds > 2) print_times();
  rig_close(&rig);
  return drift;
}

#define SIM(...) ARGS(SIM_ARM7_ARG, "-p", "friction:=false", __VA_ARGS__)

// the description comes by topic
static void
gravity_compensation_holds_a_released_arm(void ** state)
{
  (void)state;
  const char * const * node = ARGS(NODE_ARG, "-p", "mode:=gravity_compensation");
  assert_true(drift_of(SIM("-p", "rate:=1000.0"), node, 5) < 1e-3);
}

static void
wrong_gravity_is_seen(void ** state)
{
  (void)state;
  const char * const * node = ARGS(NODE_ARG, "-p", "gravity:=[0.0, 0.0, -9.0]");
  assert_true(drift_of(SIM("-p", "rate:=1000.0"), node, 1) > 0.1);
}

//---------- a tilted base ----------

static const mbd_vec3_t TILTED = {4.0, -3.0, -8.44};

// sends it until the torques of a state change, with joint states of the sim or of the test
static void
tell_gravity(
  rcl_publisher_t * publisher, const char * frame_id, mbd_vec3_t gravity, const track_t * torques)
{
  const double before = track_last(torques)->effort[1];
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (track_last(torques)->effort[1] == before) {
    if (now_ns() > end) fail_msg("gravity on %s does not count", frame_id);
    send_vector(publisher, frame_id, gravity);
    if (rig.nprocess == 1) peer_publish_now(&rig.peer);
    peer_spin(&rig.peer, 10);
  }
}

static void
gravity_of_a_message_counts(void ** state)
{
  (void)state;
  const double q[PEER_JOINTS] = {0.4, -0.7, 0.3, -1.9, 0.6, 1.4, -0.5};
  double expected[PEER_JOINTS];
  rig_open(&rig, ARM7, false);
  const track_t * torques = rig_track(&rig, "/mbdyn/torques/gravity");
  rcl_publisher_t * publisher = peer_publisher(&rig.peer, VECTOR, "/mbdyn/gravity");
  rig_start_node(
    &rig, ARGS(NODE_ARG, PEER_ROBOT_ARG, "-p", "publish.terms:=1", "-p", "target_timeout:=0.0"));
  peer_set_state(&rig.peer, q, (const double[PEER_JOINTS]){0});
  peer_bring_up(&rig.peer);
  rig_gravity(&rig, q, EARTH, expected);
  assert_close(rig_step(&rig, torques)->effort, expected, PEER_JOINTS, 1e-12, "upright");

  tell_gravity(publisher, "base", TILTED, torques);
  rig_gravity(&rig, q, TILTED, expected);
  assert_close(rig_step(&rig, torques)->effort, expected, PEER_JOINTS, 1e-12, "tilted");
  assert_close(rig.peer.command, expected, PEER_JOINTS, 1e-12, "command, tilted");

  // as a sensor on the tool would say it
  const mbd_placement_t X = rig_placement(&rig, q, "tool");
  const mbd_mat3_t to_tool = mbdu_mat3_transpose(&X.R);
  tell_gravity(publisher, "tool", mbdu_mat3_vec(&to_tool, EARTH), torques);
  rig_gravity(&rig, q, EARTH, expected);
  assert_close(rig_step(&rig, torques)->effort, expected, PEER_JOINTS, 1e-12, "by the tool");
  rig_close(&rig);
}

// the brakes hold until the node knows which way is down
static void
tilted_arm_is_held(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  const track_t * torques = rig_track(&rig, "/mbdyn/torques/gravity");
  rcl_publisher_t * publisher = peer_publisher(&rig.peer, VECTOR, "/mbdyn/gravity");
  rig_start_sim(&rig, SIM("-p", "gravity:=[4.0, -3.0, -8.44]"));
  // told once, which is for ever
  rig_start_node(
    &rig,
    ARGS(NODE_ARG, "-p", "mode:=passive", "-p", "publish.terms:=1", "-p", "target_timeout:=0.0"));
  rig_wait(&rig, torques, 1);
  tell_gravity(publisher, "base", TILTED, torques);
  assert_true(track_drift(states, 0) == 0);
  assert_string_equal(peer_set_string(&rig.peer, "mode", "gravity_compensation"), "");
  const size_t released = rig_released(&rig, states);
  rig_run(&rig, states, 2);
  const double drift = track_drift(states, released);
  assert_driven(states, released);
  print_message("  drift %.3g rad in 2 s\n", drift);
  rig_close(&rig);
  assert_true(drift < 1e-3);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(gravity_compensation_holds_a_released_arm, rig_kill),
    cmocka_unit_test_teardown(wrong_gravity_is_seen, rig_kill),
    cmocka_unit_test_teardown(gravity_of_a_message_counts, rig_kill),
    cmocka_unit_test_teardown(tilted_arm_is_held, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
