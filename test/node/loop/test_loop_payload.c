// A load on the tool: known to the node, it weighs as much as physics says; unknown, the arm sags.
#include <math.h>
#include <string.h>

#include "loop_messages.h"
#include "loop_rig.h"

static rig_t rig;

static const mbd_vec3_t EARTH = {0, 0, -9.81};
static const load_t LOAD = {
  "tool", 1.7, {0.02, -0.03, 0.05}, {3e-3, 1e-4, -2e-4, 4e-3, 2e-4, 5e-3}};

// J^T of its weight, which acts at its centre of mass; the motors have to carry it
static void
weight_torque(const double * q, double * tau)
{
  const mbd_placement_t X = rig_placement(&rig, q, LOAD.frame);
  const mbd_vec3_t arm = mbdu_mat3_vec(&X.R, LOAD.com);
  const mbd_vec3_t weight = mbdu_vec3_scale(LOAD.mass, EARTH);
  const mbd_force_t f = {mbdu_vec3_cross(arm, weight), weight};
  rig_push_torque(&rig, q, LOAD.frame, MBD_LOCAL_WORLD_ALIGNED, f, tau);
  for (int k = 0; k < rig.model->nv; k++) tau[k] = -tau[k];
}

//---------- at a given state ----------

static const double Q[PEER_JOINTS] = {0.4, -0.7, 0.3, -1.9, 0.6, 1.4, -0.5};

static void
gravity_torques(const track_t * gravity, double * tau)
{
  const sample_t * s = rig_step(&rig, gravity);
  memcpy(tau, s->effort, PEER_JOINTS * sizeof *tau);
  assert_memory_equal(s->q, Q, sizeof Q);
}

static void
payload_weighs_what_it_should(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * gravity = rig_track(&rig, "/mbdyn/torques/gravity");
  rig_start_node(&rig, ARGS(NODE_ARG, PEER_ROBOT_ARG, "-p", "publish.terms:=1"));
  peer_set_state(&rig.peer, Q, (const double[PEER_JOINTS]){0});
  peer_bring_up(&rig.peer);

  double bare[PEER_JOINTS], loaded[PEER_JOINTS], again[PEER_JOINTS], more[PEER_JOINTS];
  double expected[PEER_JOINTS];
  gravity_torques(gravity, bare);
  rig_gravity(&rig, Q, EARTH, expected);
  assert_close(bare, expected, PEER_JOINTS, 1e-12, "gravity without a load");

  assert_true(call_set_payload(&rig, &LOAD) == LOAD.mass);
  gravity_torques(gravity, loaded);
  weight_torque(Q, expected);
  for (int k = 0; k < PEER_JOINTS; k++) more[k] = loaded[k] - bare[k];
  assert_close(more, expected, PEER_JOINTS, 1e-12, "weight of the load");
  assert_close(rig.peer.command, loaded, PEER_JOINTS, 1e-15, "command with the load");

  assert_true(call_clear_payload(&rig) == 0);
  gravity_torques(gravity, again);
  assert_memory_equal(again, bare, sizeof bare);
  rig_close(&rig);
}

//---------- in the loop ----------

// farthest joint from the start in the last tenth of a second
static double
sag(const track_t * states)
{
  const double start[PEER_JOINTS] = ARM7_START;
  double most = 0;
  for (size_t i = track_after(states, track_last(states)->stamp - 100000000); i < states->n; i++) {
    for (int k = 0; k < PEER_JOINTS; k++) {
      most = fmax(most, fabs(states->sample[i].q[k] - start[k]));
    }
  }
  return most;
}

static void
arm_sags_until_the_node_knows(void ** state)
{
  (void)state;
  rig_open(&rig, ARM7, false);
  const track_t * states = rig_track(&rig, "/joint_states");
  rig_start_sim(&rig, ARGS(SIM_ARM7_ARG, "-p", "friction:=false"));
  rig_start_node(&rig, ARGS(NODE_ARG, "-p", "mode:=computed_torque"));
  rig_released(&rig, states);
  set_sim_payload(&rig, &LOAD);
  rig_run(&rig, states, 1);
  const double unknown = sag(states);
  call_set_payload(&rig, &LOAD);
  rig_run(&rig, states, 1.5);
  const double known = sag(states);
  set_sim_payload(&rig, NULL);
  call_clear_payload(&rig);
  rig_run(&rig, states, 1.5);
  const double off = sag(states);
  print_message("  sag: unknown %.3g, known %.3g, taken off %.3g rad\n", unknown, known, off);
  rig_close(&rig);
  assert_true(unknown > 0.05);
  assert_true(known < 5e-3);
  assert_true(off < 5e-3);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(payload_weighs_what_it_should, rig_kill),
    cmocka_unit_test_teardown(arm_sags_until_the_node_knows, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
