// Springs and dampers against MuJoCo: springs of joints (stiffness, springref, damping) and of tendons
// between two sites (stiffness, springlength, damping), torques and accelerations.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/mbdyn.h"

static const char * const ROBOT =
  "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'>"
  "<flag contact='disable' limit='disable'/></option>"
  "<worldbody><site name='wall' pos='0.3 -0.2 0.9'/>"
  "<body pos='0 0 0.5'><joint type='hinge' axis='0 0 1' stiffness='7' springref='0.4' "
  "damping='0.3'/>"
  "<inertial pos='0.1 0 0' mass='2' diaginertia='0.02 0.03 0.04'/><site name='low' pos='0 0.1 "
  "0.2'/>"
  "<body pos='0.4 0 0'><joint type='hinge' axis='0 1 0' stiffness='3' springref='-0.2' "
  "damping='0.1'/>"
  "<inertial pos='0.2 0 0.1' mass='1.5' diaginertia='0.02 0.02 0.03'/>"
  "<body pos='0.3 0 0'><joint type='slide' axis='1 0 0' stiffness='50' springref='0.05' "
  "damping='2'/>"
  "<inertial pos='0.1 0 0' mass='1' diaginertia='0.01 0.01 0.01'/><site name='tip' pos='0.2 0 "
  "0.1'/>"
  "</body></body></body></worldbody>"
  "<tendon><spatial stiffness='40' springlength='0.35' damping='1.5'><site site='wall'/>"
  "<site site='tip'/></spatial>"
  "<spatial stiffness='25' springlength='0.5' damping='0.5'><site site='low'/>"
  "<site site='tip'/></spatial></tendon></mujoco>";

static mjModel *
load(void)
{
  char why[1000] = "";
  mjVFS * vfs = malloc(sizeof *vfs);
  mj_defaultVFS(vfs);
  mjModel * m = NULL;
  if (mj_makeEmptyFileVFS(vfs, "robot.xml", (int)strlen(ROBOT)) == 0) {
    memcpy(vfs->filedata[0], ROBOT, strlen(ROBOT));
    m = mj_loadXML("robot.xml", vfs, why, sizeof why);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  if (!m) fail_msg("%s", why);
  return m;
}

static int
add_link(
  mbd_model_t * m, const char * name, int parent, mbd_vec3_t at, mbd_joint_type_t type,
  mbd_vec3_t axis, double mass, mbd_vec3_t com, mbd_vec3_t moments)
{
  int frame;
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = name, spec.parent = parent, spec.type = type, spec.axis = axis;
  spec.placement.p = at;
  spec.inertia =
    mbdu_inertia_from_com(mass, com, (mbd_sym3_t){moments.x, 0, 0, moments.y, 0, moments.z});
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  return frame;
}

static void
add_joint_spring(mbd_model_t * m, const char * joint, double k, double rest, double c)
{
  mbd_element_spec_t e = mbd_element_spec_default();
  e.name = e.joint = joint, e.type = MBD_ELEMENT_JOINT;
  e.stiffness = k, e.rest = rest, e.damping = c;
  assert_ok(mbd_model_add_element(m, &e, NULL));
}

static void
add_spring(
  mbd_model_t * m, const char * name, int a, mbd_vec3_t at_a, int b, mbd_vec3_t at_b, double k,
  double rest, double c)
{
  mbd_element_spec_t e = mbd_element_spec_default();
  e.name = name, e.frame_a = a, e.frame_b = b, e.X_a.p = at_a, e.X_b.p = at_b;
  e.stiffness = k, e.rest = rest, e.damping = c;
  assert_ok(mbd_model_add_element(m, &e, NULL));
}

static mbd_model_t *
same_robot(void)
{
  mbd_model_t * m;
  assert_ok(mbd_model_create("springs", &m));
  const mbd_vec3_t x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  const int one = add_link(
    m, "one", MBD_WORLD_BODY, mbdu_vec3(0, 0, 0.5), MBD_JOINT_CONTINUOUS, z, 2,
    mbdu_vec3(0.1, 0, 0), mbdu_vec3(0.02, 0.03, 0.04));
  const int two = add_link(
    m, "two", one, mbdu_vec3(0.4, 0, 0), MBD_JOINT_CONTINUOUS, y, 1.5, mbdu_vec3(0.2, 0, 0.1),
    mbdu_vec3(0.02, 0.02, 0.03));
  const int three = add_link(
    m, "three", two, mbdu_vec3(0.3, 0, 0), MBD_JOINT_PRISMATIC, x, 1, mbdu_vec3(0.1, 0, 0),
    mbdu_vec3(0.01, 0.01, 0.01));
  add_joint_spring(m, "one", 7, 0.4, 0.3);
  add_joint_spring(m, "two", 3, -0.2, 0.1);
  add_joint_spring(m, "three", 50, 0.05, 2);
  const mbd_vec3_t tip = {0.2, 0, 0.1};
  add_spring(m, "wall", MBD_WORLD_BODY, mbdu_vec3(0.3, -0.2, 0.9), three, tip, 40, 0.35, 1.5);
  add_spring(m, "low", one, mbdu_vec3(0, 0.1, 0.2), three, tip, 25, 0.5, 0.5);
  assert_ok(mbd_model_finalize(m));
  return m;
}

static void
torques_and_accelerations(void ** state)
{
  (void)state;
  mjModel * peer = load();
  mjData * on = mj_makeData(peer);
  mbd_model_t * m = same_robot();
  mbd_data_t * data;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_terms(data, MBD_TERM_ELEMENTS));
  double energy0 = 0, peer0 = 0;
  int compared = 0;
  peer->opt.enableflags |= mjENBL_ENERGY;
  for (int k = 0; k < 200; k++) {
    double q[3], v[3], tau[3], qdd[3], given[3], potential;
    for (int i = 0; i < 3; i++) {
      on->qpos[i] = q[i] = sin(1.7 * k + i);
      on->qvel[i] = v[i] = 2 * cos(0.9 * k + 2 * i);
      on->qfrc_applied[i] = given[i] = sin(3.1 * k - i);
    }
    mj_forward(peer, on);
    assert_ok(mbd_set_state(m, data, q, v));
    assert_ok(mbd_element_torque(m, data, tau));
    assert_close(tau, on->qfrc_passive, 3, 1e-12, "torques, state %d", k);
    assert_ok(mbd_forward_dynamics(m, data, q, v, given, NULL, qdd));
    assert_close(qdd, on->qacc, 3, 1e-9, "accelerations, state %d", k);
    // potential energies differ by a constant
    assert_ok(mbd_potential_energy(m, data, &potential));
    if (k == 0) energy0 = potential, peer0 = on->energy[0];
    const double change = potential - energy0, expected = on->energy[0] - peer0;
    assert_close_(&change, &expected, 1, 1e-10, 1, __FILE__, __LINE__, "energy, state %d", k);
    compared++;
  }
  assert_int_equal(compared, 200);
  mj_deleteData(on);
  mj_deleteModel(peer);
  mbd_data_destroy(data);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(torques_and_accelerations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
