// An arm of which the node does not control the wrist: the other joints are held with the wrist's weight, and
// the wrist gets no command.
#include <math.h>

#include "loop_rig.h"
#include "mbdyn/inverse.h"

#define ARM MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"

static rig_t rig;

static void
torques_are_those_of_the_arm_with_a_rigid_wrist(void ** state)
{
  (void)state;
  rig_open(&rig, ARM, false);
  const track_t * torques = rig_track(&rig, "/mbdyn/torques/gravity");
  rig_start_sim(
    &rig, ARGS(
            SIM_ARG, "-p", "robot_description_file:=" ARM, "-p",
            "initial_positions:=[0.2, 0.4, -0.3, -1.2, 0.5, 0.8, 0.0]"));
  rig_start_node(
    &rig, ARGS(
            NODE_ARG, "-p", "robot_description_file:=" ARM, "-p", "mode:=passive", "-p",
            "publish.terms:=1", "-p", "locked_joints:=['joint6: 0.8', 'joint7']"));
  rig_wait(&rig, torques, 20);
  // what the complete arm needs at that pose, of its first five joints
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  mbd_data_t * data;
  const double q[7] = {0.2, 0.4, -0.3, -1.2, 0.5, 0.8, 0};
  double tau[7];
  assert_ok(mbdx_urdf_load_file(ARM, &options, &model, NULL));
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_gravity(model, data, tau));
  assert_true(isnan(torques->sample[10].effort[5]) && isnan(torques->sample[10].effort[6]));
  assert_close(torques->sample[10].effort, tau, 5, 1e-6, "torques");
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  rig_close(&rig);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(torques_are_those_of_the_arm_with_a_rigid_wrist, rig_kill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
