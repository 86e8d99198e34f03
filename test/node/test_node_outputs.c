// Every message of a cycle against the core at the same state, with the stamp of the joint state.
#include <signal.h>
#include <string.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "node_core.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

enum { N = PEER_JOINTS, NTERM = 5 };

static const double KP = 30, KD = 7;
static const char * const TERM_TOPIC[NTERM] = {
  "/mbdyn/torques/gravity", "/mbdyn/torques/coriolis", "/mbdyn/torques/inertia",
  "/mbdyn/torques/friction", "/mbdyn/torques/external"};

// everything that a cycle publishes, and who listens
static struct {
  peer_t peer;
  core_t core;
  sensor_msgs__msg__JointState torques, term[NTERM], external_torque;
  mbdyn__msg__JointTorques joint_torques;
  mbdyn__msg__JointDynamicsArray joint_dynamics;
  mbdyn__msg__MassMatrix mass_matrix;
  mbdyn__msg__Jacobian tool, link4;
  mbdyn__msg__OperationalSpaceInertia inertia;
  mbdyn__msg__DynamicsSummary dynamics;
  geometry_msgs__msg__WrenchStamped wrench;
  int nlistener;
  peer_listener_t * listener[20];
} t;

// what the core says about the state
static struct {
  const double *q, *v;
  double a[N], gravity[N], coriolis[N], inertia[N], friction[N], total[N], command[N];
} want;

static void
listen_to(const rosidl_message_type_support_t * type, const char * topic, void * message)
{
  t.listener[t.nlistener++] = peer_listen(&t.peer, type, topic, message);
}

static int
set_up(void ** state)
{
  (void)state;
  memset(&t, 0, sizeof t);
  peer_open(&t.peer);
  core_open(&t.core);
  listen_to(TYPE(sensor_msgs, JointState), "/mbdyn/torques", &t.torques);
  for (int k = 0; k < NTERM; k++) {
    listen_to(TYPE(sensor_msgs, JointState), TERM_TOPIC[k], &t.term[k]);
  }
  listen_to(TYPE(sensor_msgs, JointState), "/mbdyn/external_torque", &t.external_torque);
  listen_to(TYPE(geometry_msgs, WrenchStamped), "/mbdyn/external_wrench", &t.wrench);
  listen_to(TYPE(mbdyn, JointTorques), "/mbdyn/joint_torques", &t.joint_torques);
  listen_to(TYPE(mbdyn, JointDynamicsArray), "/mbdyn/joint_dynamics", &t.joint_dynamics);
  listen_to(TYPE(mbdyn, MassMatrix), "/mbdyn/mass_matrix", &t.mass_matrix);
  listen_to(TYPE(mbdyn, Jacobian), "/mbdyn/jacobian/tool", &t.tool);
  listen_to(TYPE(mbdyn, OperationalSpaceInertia), "/mbdyn/operational_space_inertia", &t.inertia);
  listen_to(TYPE(mbdyn, DynamicsSummary), "/mbdyn/dynamics", &t.dynamics);
  return 0;
}

static int
tear_down(void ** state)
{
  core_close(&t.core);
  peer_close(&t.peer);
  sensor_msgs__msg__JointState__fini(&t.torques);
  for (int k = 0; k < NTERM; k++) sensor_msgs__msg__JointState__fini(&t.term[k]);
  sensor_msgs__msg__JointState__fini(&t.external_torque);
  geometry_msgs__msg__WrenchStamped__fini(&t.wrench);
  mbdyn__msg__JointTorques__fini(&t.joint_torques);
  mbdyn__msg__JointDynamicsArray__fini(&t.joint_dynamics);
  mbdyn__msg__MassMatrix__fini(&t.mass_matrix);
  mbdyn__msg__Jacobian__fini(&t.tool);
  mbdyn__msg__Jacobian__fini(&t.link4);
  mbdyn__msg__OperationalSpaceInertia__fini(&t.inertia);
  mbdyn__msg__DynamicsSummary__fini(&t.dynamics);
  return process_kill_all(state);
}

#define START(...)                                     \
  peer_start(                                          \
    &t.peer, (const char *[]){                         \
               PEER_ROBOT_ARG,                         \
               PEER_CALM_ARG,                          \
               "-p",                                   \
               "publish.terms:=1",                     \
               "-p",                                   \
               "publish.joint_torques:=1",             \
               "-p",                                   \
               "publish.joint_dynamics:=1",            \
               "-p",                                   \
               "publish.mass_matrix:=1",               \
               "-p",                                   \
               "publish.jacobian:=1",                  \
               "-p",                                   \
               "publish.operational_space_inertia:=1", \
               "-p",                                   \
               "publish.dynamics:=1",                  \
               "-p",                                   \
               "publish.external_torque:=1",           \
               "-p",                                   \
               "publish.external_wrench:=1",           \
               __VA_ARGS__ NULL})

// everybody has found everybody: a joint state gives all messages
static void
bring_up(void)
{
  peer_bring_up(&t.peer);
  for (int k = 0; k < t.nlistener; k++) {
    while (t.listener[k]->count == 0) {
      peer_step(&t.peer);
      peer_wait(&t.peer, &t.listener[k]->count, 1, 100);
    }
  }
}

static void
step(void)
{
  uint64_t before[20];
  peer_listen_for(&t.peer, 20);
  for (int k = 0; k < t.nlistener; k++) before[k] = t.listener[k]->count;
  peer_step(&t.peer);
  for (int k = 0; k < t.nlistener; k++) {
    assert_true(peer_wait(&t.peer, &t.listener[k]->count, before[k] + 1, PEER_TIMEOUT));
  }
}

//---------- what is expected ----------

// computed torque: at rest at q0 is where it wants to be
static void
expect(const double * q0, const double * q, const double * v)
{
  const mbd_model_t * m = t.core.model;
  double bias[N];
  want.q = q, want.v = v;
  for (int i = 0; i < N; i++) want.a[i] = KP * (q0[i] - q[i]) - KD * v[i];
  core_set(&t.core, q, v);
  assert_int_equal(mbd_gravity(m, t.core.data, want.gravity), MBD_OK);
  assert_int_equal(mbd_bias(m, t.core.data, bias), MBD_OK);
  assert_int_equal(mbd_friction(m, v, want.friction), MBD_OK);
  assert_int_equal(mbd_inverse_dynamics(m, t.core.data, q, v, want.a, NULL, want.total), MBD_OK);
  for (int i = 0; i < N; i++) {
    want.coriolis[i] = bias[i] - want.gravity[i];
    want.inertia[i] = want.total[i] - bias[i] - want.friction[i];
    const double wanted = want.total[i] - want.friction[i];
    want.command[i] = fmin(fmax(wanted, -PEER_LIMIT[i]), PEER_LIMIT[i]);
  }
  core_set(&t.core, q, v);
}

static void
check_header(const std_msgs__msg__Header * header, const char * frame)
{
  assert_int_equal(header->stamp.sec, t.peer.state.header.stamp.sec);
  assert_int_equal(header->stamp.nanosec, t.peer.state.header.stamp.nanosec);
  assert_string_equal(header->frame_id.data, frame);
}

static void
check_names(const rosidl_runtime_c__String__Sequence * names)
{
  assert_int_equal(names->size, N);
  for (size_t i = 0; i < N; i++) {
    assert_string_equal(names->data[i].data, t.peer.state.name.data[i].data);
  }
}

static void
check_numbers(const rosidl_runtime_c__double__Sequence * x, const double * expected, size_t n)
{
  assert_int_equal(x->size, n);
  assert_near(x->data, expected, n);
}

//---------- joints ----------

static void
check_joint_state(const sensor_msgs__msg__JointState * m, const double * effort)
{
  check_header(&m->header, "base");
  check_names(&m->name);
  check_numbers(&m->position, want.q, N);
  check_numbers(&m->velocity, want.v, N);
  check_numbers(&m->effort, effort, N);
}

static void
check_joint_torques(void)
{
  const mbdyn__msg__JointTorques * m = &t.joint_torques;
  check_header(&m->header, "base");
  check_names(&m->joint_names);
  check_numbers(&m->total, want.total, N);
  check_numbers(&m->gravity, want.gravity, N);
  check_numbers(&m->coriolis, want.coriolis, N);
  check_numbers(&m->inertia, want.inertia, N);
  check_numbers(&m->friction, want.friction, N);
  check_numbers(&m->external, (double[N]){0}, N);
  check_numbers(&m->command, want.command, N);
  assert_int_equal(m->saturated.size, N);
  for (int i = 0; i < N; i++) {
    assert_int_equal(m->saturated.data[i], fabs(want.total[i] - want.friction[i]) > PEER_LIMIT[i]);
  }
}

static void
check_joint_dynamics(void)
{
  check_header(&t.joint_dynamics.header, "base");
  assert_int_equal(t.joint_dynamics.joints.size, N);
  for (int i = 0; i < N; i++) {
    const mbdyn__msg__JointDynamics * j = &t.joint_dynamics.joints.data[i];
    const double got[] = {j->position, j->velocity, j->acceleration, j->total,
                          j->gravity,  j->coriolis, j->inertia,      j->friction,
                          j->external, j->command,  j->limit,        j->measured};
    const double expected[] = {want.q[i],       want.v[i],        want.a[i],
                               want.total[i],   want.gravity[i],  want.coriolis[i],
                               want.inertia[i], want.friction[i], 0,
                               want.command[i], PEER_LIMIT[i],    want.gravity[i]};
    assert_string_equal(j->name.data, t.peer.state.name.data[i].data);
    assert_near(got, expected, 12);
    assert_int_equal(j->saturated, t.joint_torques.saturated.data[i]);
  }
}

//---------- matrices ----------

static void
check_mass_matrix(void)
{
  const mbdyn__msg__MassMatrix * m = &t.mass_matrix;
  double M[N * N];
  assert_int_equal(mbd_mass_matrix(t.core.model, t.core.data, M), MBD_OK);
  check_header(&m->header, "base");
  check_names(&m->row_names);
  check_names(&m->col_names);
  assert_int_equal(m->rows, N);
  assert_int_equal(m->cols, N);
  check_numbers(&m->data, M, N * N);
  assert_int_equal(m->diagonal.size, N);
  for (int i = 0; i < N; i++) assert_true(m->diagonal.data[i] == m->data.data[i * N + i]);
  assert_true(m->condition > 1 && isfinite(m->condition));
}

// linear first in messages, angular first in the core
static void
check_jacobian(const mbdyn__msg__Jacobian * m, const char * frame, mbd_reference_t reference)
{
  int index;
  double J[6 * N];
  mbd_motion_t bias;
  assert_int_equal(mbd_find_frame(t.core.model, frame, &index), MBD_OK);
  assert_int_equal(mbd_jacobian(t.core.model, t.core.data, index, reference, J), MBD_OK);
  assert_int_equal(mbd_jacobian_bias(t.core.model, t.core.data, index, reference, &bias), MBD_OK);
  check_header(&m->header, reference == MBD_LOCAL ? frame : "base");
  assert_string_equal(m->frame.data, frame);
  assert_int_equal(m->reference, reference);
  assert_string_equal(m->point_frame.data, reference == MBD_WORLD ? "base" : frame);
  assert_string_equal(m->axes_frame.data, reference == MBD_LOCAL ? frame : "base");
  check_names(&m->col_names);
  assert_int_equal(m->rows, 6);
  assert_int_equal(m->cols, N);
  assert_int_equal(m->data.size, 6 * N);
  assert_near(m->data.data, J + 3 * N, 3 * N);
  assert_near(m->data.data + 3 * N, J, 3 * N);
  check_numbers(
    &m->bias, (double[]){bias.lin.x, bias.lin.y, bias.lin.z, bias.ang.x, bias.ang.y, bias.ang.z},
    6);
}

static void
check_inertia(void)
{
  const mbdyn__msg__OperationalSpaceInertia * m = &t.inertia;
  int frame;
  double L[36], C[36];
  assert_int_equal(mbd_find_frame(t.core.model, "tool", &frame), MBD_OK);
  assert_int_equal(
    mbd_operational_space_inertia(
      t.core.model, t.core.data, frame, MBD_LOCAL_WORLD_ALIGNED, L, NULL),
    MBD_OK);
  assert_int_equal(
    mbd_operational_space_compliance(t.core.model, t.core.data, frame, MBD_LOCAL_WORLD_ALIGNED, C),
    MBD_OK);
  check_header(&m->header, "base");
  assert_int_equal(m->frames.size, 1);
  assert_string_equal(m->frames.data[0].data, "tool");
  assert_int_equal(m->rank, 6);
  assert_int_equal(m->data.size, 36);
  assert_int_equal(m->compliance.size, 36);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      const int there = (i + 3) % 6 * 6 + (j + 3) % 6;
      near(&m->data.data[i * 6 + j], &L[there], 1, 1e-7, __FILE__, __LINE__);
      assert_near(&m->compliance.data[i * 6 + j], &C[there], 1);
    }
  }
}

static void
check_dynamics(const char * mode)
{
  const mbdyn__msg__DynamicsSummary * m = &t.dynamics;
  double kinetic, potential, mass, power = 0;
  mbd_vec3_t com;
  mbd_force_t h;
  assert_int_equal(mbd_kinetic_energy(t.core.model, t.core.data, &kinetic), MBD_OK);
  assert_int_equal(mbd_potential_energy(t.core.model, t.core.data, &potential), MBD_OK);
  assert_int_equal(mbd_center_of_mass(t.core.model, t.core.data, &mass, &com), MBD_OK);
  assert_int_equal(mbd_centroidal_momentum(t.core.model, t.core.data, &h), MBD_OK);
  for (int i = 0; i < N; i++) power += want.total[i] * want.v[i];
  const double got[] = {
    m->kinetic_energy,
    m->potential_energy,
    m->power,
    m->mass,
    m->gravity.x,
    m->gravity.y,
    m->gravity.z,
    m->center_of_mass.x,
    m->center_of_mass.y,
    m->center_of_mass.z,
    m->com_velocity.x,
    m->linear_momentum.x,
    m->linear_momentum.y,
    m->linear_momentum.z,
    m->angular_momentum.x,
    m->angular_momentum.y,
    m->angular_momentum.z,
    m->mass_matrix_condition};
  const double expected[] = {
    kinetic,
    potential,
    power,
    mass,
    0,
    0,
    -9.81,
    com.x,
    com.y,
    com.z,
    h.lin.x / mass,
    h.lin.x,
    h.lin.y,
    h.lin.z,
    h.ang.x,
    h.ang.y,
    h.ang.z,
    t.mass_matrix.condition};
  check_header(&m->header, "base");
  assert_string_equal(m->model_name.data, "arm7");
  assert_string_equal(m->mode.data, mode);
  assert_int_equal(m->degrees_of_freedom, N);
  assert_near(got, expected, 18);
  assert_int_equal(m->effective_mass.size, m->links.size);
  assert_true(m->links.size >= N && isfinite(m->log_det_mass_matrix));
  assert_true(m->input_age >= 0 && m->compute_time > 0 && m->cycles > 0);
}

//---------- tests ----------

static void
test_all_messages(void ** state)
{
  (void)state;
  const double * q0 = STATES[0][0];
  START(
    "-p", "mode:=computed_torque", "-p", "kp:=[30.0]", "-p", "kd:=[7.0]", "-p", "frames:=[tool]",
    "-p", "command_terms:=[gravity, coriolis, inertia, external]", );
  peer_set_state(&t.peer, q0, (const double[N]){0});
  bring_up();
  for (int k = 0; k < NSTATE; k++) {
    const double *q = STATES[k][0], *v = STATES[k][1];
    expect(q0, q, v);
    peer_set_state(&t.peer, q, v);
    assert_true(rosidl_runtime_c__double__Sequence__init(&t.peer.state.effort, N));
    memcpy(t.peer.state.effort.data, want.gravity, sizeof want.gravity);
    step();
    assert_near(t.peer.command, want.command, N);
    check_joint_state(&t.torques, want.total);
    const double * term[NTERM] = {
      want.gravity, want.coriolis, want.inertia, want.friction, (double[N]){0}};
    for (int i = 0; i < NTERM; i++) check_joint_state(&t.term[i], term[i]);
    check_joint_torques();
    check_joint_dynamics();
    check_mass_matrix();
    check_jacobian(&t.tool, "tool", MBD_LOCAL_WORLD_ALIGNED);
    check_inertia();
    check_dynamics("computed_torque");
    check_header(&t.external_torque.header, "base");
    check_header(&t.wrench.header, "tool");
    rosidl_runtime_c__double__Sequence__fini(&t.peer.state.effort);
  }
  assert_int_equal(peer_stop(&t.peer, SIGTERM), 0);
}

static void
check_reference(const char * argument, mbd_reference_t reference)
{
  START("-p", "frames:=[tool, link4]", "-p", argument, );
  bring_up();
  peer_set_state(&t.peer, STATES[3][0], STATES[3][1]);
  expect(STATES[3][0], STATES[3][0], STATES[3][1]);
  step();
  check_jacobian(&t.tool, "tool", reference);
  check_jacobian(&t.link4, "link4", reference);
  // two frames of an arm of seven joints cannot be moved independently
  assert_int_equal(t.inertia.frames.size, 2);
  assert_int_equal(t.inertia.rows, 12);
  assert_int_equal(t.inertia.rank, 7);
  assert_int_equal(peer_stop(&t.peer, SIGTERM), 0);
}

static void
test_references(void ** state)
{
  (void)state;
  listen_to(TYPE(mbdyn, Jacobian), "/mbdyn/jacobian/link4", &t.link4);
  check_reference("reference:=local", MBD_LOCAL);
  check_reference("reference:=world", MBD_WORLD);
}

// every n-th cycle, and nothing that nobody asked for
static void
test_dividers(void ** state)
{
  (void)state;
  peer_start(
    &t.peer, (const char *[]){
               PEER_ROBOT_ARG, PEER_CALM_ARG, "-p", "publish.torques:=3", "-p",
               "publish.mass_matrix:=5", "-p", "publish.jacobian:=0", NULL});
  peer_bring_up(&t.peer);
  const uint64_t torques = t.listener[0]->count;
  while (t.listener[0]->count == torques) peer_step(&t.peer);
  uint64_t before[20];
  peer_listen_for(&t.peer, 50);
  for (int k = 0; k < t.nlistener; k++) before[k] = t.listener[k]->count;
  for (int k = 0; k < 60; k++) peer_step(&t.peer);
  peer_listen_for(&t.peer, 50);
  assert_int_equal(t.listener[0]->count - before[0], 20);
  for (int k = 0; k < t.nlistener; k++) {
    const uint64_t n = t.listener[k]->count - before[k];
    if (t.listener[k]->message == &t.mass_matrix) assert_int_equal(n, 12);
    if (t.listener[k]->message == &t.tool || t.listener[k]->message == &t.term[0]) {
      assert_int_equal(n, 0);
    }
  }
  assert_int_equal(peer_stop(&t.peer, SIGTERM), 0);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_all_messages, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_references, set_up, tear_down),
    cmocka_unit_test_setup_teardown(test_dividers, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
